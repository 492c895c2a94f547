"""The first sentence of a verdict, read by other code than wrote it, says what the verdict does and what is so."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb, isclose, isfinite
from random import Random
from typing import Any

import pytest
from effort import in_one_test, is_thorough, some
from recorded import holds, recorded
from sentence_reader import PHRASES, read, told
from sympy import Expr

import symmetrics as sm
from symmetrics.pages.plain import plain_sentence

LIBRARY = [(name, key) for key in sm.properties for name in some(sm.metrics, 2, f"sentence {key}")]


def test_sentences_say_what_the_verdicts_on_the_library_do() -> None:
    for name, key in LIBRARY:
        verdict = recorded(name, key)
        assert read(told(verdict)[0], key) == (verdict.status, verdict.holds), (name, key)


@in_one_test
@pytest.mark.parametrize("key", sm.properties)
def test_words_for_yes_and_no_are_told_apart_by_the_reader(key: str) -> None:
    assert key in PHRASES, f"{key} needs a line in PHRASES of tests/sentence_reader.py"
    property, (has, lacks) = sm.properties[key], PHRASES[key]
    assert re.search(has, f" {property.yes}")
    assert not re.search(lacks, f" {property.yes}")
    assert re.search(lacks, f" {property.no}")
    assert not re.search(has, f" {property.no}")


# -- what is so --------------------------------------------------------------------------------------------------------

TABLE = re.compile(r"TP=([\d/]+), FN=([\d/]+), FP=([\d/]+), TN=([\d/]+)")
VALUE = re.compile(rf"(?:is|and|,) ([^\s,]+),? (?:both )?at {TABLE.pattern}")
SETTINGS = re.compile(r"TN=[\d/]+, with ([^.]*)")


def test_values_in_sentences_are_those_of_the_metric_there() -> None:
    seen = 0
    for name, key in LIBRARY:
        sentence = told(recorded(name, key))[0]
        settings = SETTINGS.search(sentence)
        texts = re.findall(r"(\w+) = ([\d/]+)", settings[1]) if settings else []
        bound = sm.metrics[name].at(**dict(texts)) if texts else sm.metrics[name]
        for value, *cells in VALUE.findall(sentence):
            assert bound.expr.free_symbols <= {sm.TP, sm.FN, sm.FP, sm.TN}, sentence
            difference = bound.exact(*map(Fraction, cells)) - sm.parse_formula(value)
            assert abs(float(difference.evalf(30))) < 1e-20, (name, key, sentence)
            seen += 1
    assert seen > 3


LAWS: Mapping[str, Callable[[Random], Callable[..., tuple[float, ...]]]] = {
    "p1": lambda r: lambda a, b, c, d: (d, c, b, a),
    "p2": lambda r: lambda a, b, c, d: (a, b, c, r.randint(1, 30)),
    "p3": lambda r: lambda a, b, c, d: (a, b, r.randint(1, 30), d),
    "p4": lambda r: lambda a, b, c, d: (r.randint(1, 30), b, c, d),
    "p5": lambda r: lambda a, b, c, d: (a, r.randint(1, 30), c, d),
    "transpose": lambda r: lambda a, b, c, d: (a, c, b, d),
    "homogeneous": lambda r: lambda a, b, c, d: (3 * a, 3 * b, 3 * c, 3 * d),
    "actual_scaling": lambda r: lambda a, b, c, d: (5 * a, 5 * b, 2 * c, 2 * d),
    "predicted_scaling": lambda r: lambda a, b, c, d: (5 * a, 2 * b, 5 * c, 2 * d),
    "no_imbalance_bias": lambda r: lambda a, b, c, d: (a * (c + d), b * (c + d), c * (a + b), d * (a + b)),
}
"""What the words for yes mean, by hand: another table at which the value is the same; with two equal classes, whichever
their size where the number of examples does not matter."""


@pytest.mark.parametrize("key", LAWS)
def test_what_is_said_to_stay_the_same_does(key: str) -> None:
    random = Random(key)
    image = LAWS[key](random)
    seen = 0
    # That no sentence says yes of the others is what the test on all sentences shows of some of them.
    having = [name for name in sm.metrics if is_thorough() or holds(name, key)]
    for name in some(having, 3, key):
        if key == "no_imbalance_bias" and not holds(name, "homogeneous"):
            continue
        metric = sm.metrics[name]
        if read(told(recorded(name, key))[0], key)[1] is not True:
            continue
        seen += 1
        for _ in range(3):
            table = tuple(random.randint(1, 30) for _ in range(4))
            first, second = (metric.from_counts(*map(float, at)) for at in (table, image(*table)))
            assert isclose(first, second, rel_tol=1e-9, abs_tol=1e-9) or not isfinite(first), (name, key, table)
    assert seen > 0


STEPS: Mapping[str, Callable[..., tuple[float, ...]]] = {
    "increasing_tp": lambda a, b, c, d: (a + 1, b, c, d),
    "increasing_tn": lambda a, b, c, d: (a, b, c, d + 1),
    "decreasing_fn": lambda a, b, c, d: (a, b - 1, c, d),
    "decreasing_fp": lambda a, b, c, d: (a, b, c - 1, d),
    "monotone": lambda a, b, c, d: (a + 1, b - 1, c, d),
    "margins_decrease": lambda a, b, c, d: (a, b - 1, c, d + 1),
    "agreement_increases": lambda a, b, c, d: (a + 1, b - 1, c - 1, d + 1),
}


@pytest.mark.parametrize("key", STEPS)
def test_what_is_said_to_rise_does(key: str) -> None:
    random = Random(key)
    seen = 0
    having = [name for name in sm.metrics if is_thorough() or holds(name, key)]
    for name in some(having, 3, key):
        if read(told(recorded(name, key))[0], key)[1] is not True:
            continue
        seen += 1
        table = tuple(random.randint(2, 30) for _ in range(4))
        before, after = (sm.metrics[name].from_counts(*map(float, at)) for at in (table, STEPS[key](*table)))
        assert after > before or isclose(after, before, rel_tol=1e-7), (name, key, table)
    assert seen > 0


def test_values_lie_in_the_range_that_is_told() -> None:
    random = Random(3)
    for name in some(sm.metrics, 8, "between"):
        sentence = told(recorded(name, "range"))[0]
        found = re.search(r"lies between (\S+) and ([^\s,.]+)", sentence)
        if found is None or recorded(name, "range").evidence.kind != "range":
            continue
        low, high = (float(sm.parse_formula(end).evalf()) if "inf" not in end else float(end) for end in found.groups())
        for _ in range(5):
            value = sm.metrics[name].from_counts(*(float(random.randint(0, 9) ** 3) for _ in range(4)))
            assert not isfinite(value) or low - 1e-9 <= value <= high + 1e-9, (name, value, sentence)


def test_limits_that_are_told_are_neared() -> None:
    seen = 0
    for name in some(sm.metrics, 8, "limit"):
        metric, verdict = sm.metrics[name], recorded(name, "tn_limit")
        sentence = told(verdict)[0]
        text = sentence.partition("outnumber all others: ")[2].removesuffix(".")
        if not text or " if " in text or metric.parameters:
            continue
        cells = {sm.TP: 3, sm.FN: 2, sm.FP: 4}
        near, far = (float(metric.expr.xreplace({**cells, sm.TN: 10**power}).evalf(90)) for power in (20, 80))
        if "infinity" in text:
            assert abs(far) > 2 * abs(near), (name, sentence)
        else:  # a logarithm nears its limit slowly
            limit = float(sm.parse_formula(text).xreplace(cells).evalf())
            assert abs(far - limit) <= max(0.6 * abs(near - limit), 1e-12), (name, sentence)
        seen += 1
    assert seen > 3


AVERAGE = re.compile(r"(\S+) for (\d+) examples? of which (\d+) (?:is|are) positive and (\d+) (?:is|are) predicted")


def test_averages_that_are_told_are_those_of_random_guessing() -> None:
    seen = 0
    for name in some(sm.metrics, 8, "average"):
        metric = sm.metrics[name]
        sentence = told(recorded(name, "constant_baseline"))[0]
        for mean, *sizes in AVERAGE.findall(sentence):
            size, positive, predicted = map(int, sizes)
            total: Any = 0
            for tp in range(max(0, positive + predicted - size), min(positive, predicted) + 1):
                table = (tp, positive - tp, predicted - tp, size - positive - predicted + tp)
                chance = Fraction(comb(positive, tp) * comb(size - positive, predicted - tp), comb(size, predicted))
                total += metric.exact(*table) * sm.parse_formula(str(chance))
            if total.is_finite:
                assert abs(float(total) - float(sm.parse_formula(mean).evalf())) < 1e-9, (name, sentence)
                seen += 1
    assert seen > 3


@pytest.mark.parametrize("key", ["scaling_space", "translation_space"])
def test_changes_that_are_told_change_nothing(key: str) -> None:
    seen = 0
    for name in some(sm.metrics, 8, key):
        metric: Any = sm.metrics[name]
        if metric.parameters:
            continue
        for change in re.findall(r"\((TP[^;]*?)\) (?=or to|for any)", told(recorded(name, key))[0]):
            cells = [sm.parse_formula(text, ["s"]) for text in re.split(r", (?![^(]*\))", change)]
            (step,) = set().union(*(cell.free_symbols for cell in cells)) - {sm.TP, sm.FN, sm.FP, sm.TN}
            table = {sm.TP: 110, sm.FN: 70, sm.FP: 50, sm.TN: 130, step: 2}
            moved: list[Expr] = [cell.xreplace(table) for cell in cells]
            first, second = metric.exact(110, 70, 50, 130), metric.exact(*moved)
            assert abs(float((first - second).evalf())) < 1e-9, (name, change)
            seen += 1
    assert seen > 1


EXCHANGE = re.compile(
    r"it (stays the same|turns into 1 minus itself|turns into its negative|turns into its inverse) when (.*)"
)


def test_exchanges_that_are_told_do_what_is_told() -> None:
    meaning = {
        "stays the same": lambda m: m,
        "turns into 1 minus itself": lambda m: 1 - m,
        "turns into its negative": lambda m: -m,
        "turns into its inverse": lambda m: 1 / m,
    }
    seen = 0
    for name in some(sm.metrics, 8, "exchange"):
        metric = sm.metrics[name]
        sentence = told(recorded(name, "symmetry_group"))[0]
        for part in re.split(r", and (?=it (?:stays|turns))", sentence.partition(": ")[2]):
            found = EXCHANGE.match(part.removesuffix("."))
            if found is None or metric.parameters:
                continue
            for clause in found[2].split(", or "):
                pairs = re.findall(r"(TP|FN|FP|TN) and (TP|FN|FP|TN)", clause)
                if not pairs or "under" in clause or "turns" in clause.partition("and")[0]:
                    continue
                table = {"TP": 11, "FN": 7, "FP": 5, "TN": 13}
                swapped = dict(table)
                for one, other in pairs:
                    swapped[one], swapped[other] = table[other], table[one]
                value, image = (metric.from_counts(*map(float, t.values())) for t in (table, swapped))
                assert isclose(image, meaning[found[1]](value), rel_tol=1e-9, abs_tol=1e-12), (name, clause)
                seen += 1
    assert seen > 3


def test_sentences_on_formulas_and_constants() -> None:
    # A formula is told of with a small letter within a sentence.
    power = sm.Metric("TP**a", sm.TP ** sm.Parameter("a").symbol, (sm.Parameter("a"),))
    said = plain_sentence(sm.prove(power, "p1"), sm.properties["p1"], power)
    assert said == "It is not known whether the formula stays the same when the two classes are exchanged."
    known = sm.metrics["one_way_support"]
    assert " whether One-way support" in plain_sentence(
        sm.prove(known, "min_agreement"), sm.properties["min_agreement"], known
    )
    # The range of a constant is one value.
    constant = sm.Metric("TP/(TP+FN) + FN/(TP+FN)", sm.TP / (sm.TP + sm.FN) + sm.FN / (sm.TP + sm.FN))
    said = plain_sentence(sm.prove(constant, "range"), sm.properties["range"], constant)
    assert said == "The formula is bounded: it is always 1."
    # What exchanges nothing is no exchange.
    w = sm.Parameter("w", 0, 1)
    weighed = sm.Metric("w*TP", w * sm.TP, (w,))
    said = plain_sentence(sm.prove(weighed, "symmetry_group"), sm.properties["symmetry_group"], weighed)
    told = "when FP and TN are exchanged if w = 0, or FN and FP are exchanged if w = 0, or under 21 other exchanges."
    assert said.endswith(f"it turns into its negative {told}")
    # Where else an extreme is taken is told.
    squared = sm.prove(sm.metrics["iba_squared_gmean"], "max_agreement")
    assert squared.evidence.sentence.endswith("which it has where FN = FP = 0, also at positive cells")
    weighed = sm.prove(sm.Metric("mine", "w*TP/(TP + FN)", parameters="w in (0, 1]"), "max_agreement")
    assert weighed.evidence.sentence.endswith("which it has where FN = FP = 0, also where FN = 0")
