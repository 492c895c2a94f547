"""What follows from what among properties: refutations are decided, arguments meet no exceptions."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest
from effort import some
from recorded import holds

import symmetrics as sm
from symmetrics.claims.theorems.arguments import CLASSES, DOMAINS, Argument
from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE
from symmetrics.discovery.arguments import arguments
from symmetrics.discovery.implications import EXAMPLES, Example, implications
from symmetrics.discovery.theorems import follows
from symmetrics.language.cells import CELLS
from symmetrics.pages.displays import shown as displayed
from symmetrics.query.recorded import recorded as verdict_in_certificate


@pytest.mark.sampled(4)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_example_has_and_lacks_what_it_is_said_to(example: Example) -> None:
    formula = sm.parse_formula(example.formula)
    assert not formula.free_symbols.isdisjoint(CELLS)
    for keys, expected in ((example.has, "proved"), (example.lacks, "refuted")):
        for key in keys:
            verdict = sm.prove(formula, key)
            assert verdict.status == expected, key
            sm.check(verdict)


def test_no_example_is_against_an_argument() -> None:
    for example in some(EXAMPLES, len(EXAMPLES) // 2):
        refuted = {*example.lacks, CONSTANT, IMPOSSIBLE}
        assert follows(example.has, refuted) is None, example.name


def test_no_metric_of_the_library_is_against_an_argument() -> None:
    for argument in arguments():
        for name in sm.metrics:
            if all(holds(name, key) is True for key in argument.premises):
                assert argument.conclusion in sm.properties, (argument, name)
                assert holds(name, argument.conclusion) is not False, (argument, name)


def test_arguments_are_about_properties_classes_and_domains() -> None:
    for argument in arguments():
        assert {*argument.premises, argument.conclusion} <= {*sm.properties, CONSTANT, IMPOSSIBLE}
        assert argument.kind in CLASSES
        assert argument.domain in DOMAINS


def test_what_needs_a_narrower_class_says_so() -> None:
    narrow = follows(["range"], ["tn_limit"])
    assert narrow is not None
    assert [step.kind for step in narrow if isinstance(step, Argument)] == ["tame"]
    assert follows(["constant_baseline", "translation_space"], [CONSTANT, IMPOSSIBLE]) is None
    chained = follows(["scaling", "decomposable"], [CONSTANT])
    assert chained is not None
    assert [step.conclusion for step in chained] == ["independence_value", CONSTANT]


def test_the_page_counts_what_is_known_of_implications_and_exclusions() -> None:
    words = {
        ("arbitrary", "open"): "for all metrics",
        ("continuous", "open"): "for continuous metrics",
        ("continuous", "closed"): "for continuous metrics, also where cells are 0",
        ("tame", "open"): "for metrics without oscillation",
        ("arbitrary", "whole"): "on tables of whole numbers",
    }
    read = [verdict_in_certificate(sm.metrics["f1"], property) for property in sm.properties.values()]
    assert None not in read, "what no metric refutes is counted from current certificates: run 'symmetrics build'"
    counted = Counter[tuple[str, bool]]()
    unknown = []
    for known in implications():
        by = "by a metric of the library" if known.metric in sm.metrics else "by a metric made for it"
        how = {"refuted": by, "proved": words.get((known.kind, known.domain), "?"), "open": ""}[known.status]
        counted[f"{known.status} {how}".strip(), known.conclusion is None] += 1
        if known.status == "open":
            unknown.append(f"{' and '.join(known.premises)} -> {known.conclusion or 'impossible'}")
    by_library, by_others = "refuted by a metric of the library", "refuted by a metric made for it"
    order = (by_library, by_others, *(f"proved {word}" for word in words.values()), "open")
    assert {how for how, _ in counted} <= {*order}
    pairs = len(sm.properties) * (len(sm.properties) - 1)
    asked = {False: pairs, True: pairs // 2}
    assert sum(counted.values()) == sum(asked.values())
    left = {excludes: number - counted[by_library, excludes] for excludes, number in asked.items()}
    expected = (
        f"Each of the {len(sm.properties)} properties of the library may imply another one, or exclude it: "
        f"{asked[False]} implications and {asked[True]} exclusions.",
        *(f"| {how} | {counted[how, False]} | {counted[how, True]} |" for how in order),
        f"So of the {left[False]} implications and {left[True]} exclusions that no metric of the library refutes, "
        f"{counted[by_others, False]} and {counted[by_others, True]} are false.",
    )
    page = (Path(__file__).parents[1] / "docs" / "possibilities.md").read_text(encoding="utf-8")
    missing = [line for line in expected if line not in " ".join(page.split())]
    assert not missing, "docs/possibilities.md is to say:\n" + "\n".join(missing) + f"\nopen: {'; '.join(unknown)}"


def test_an_answer_is_shown_with_the_theorems_that_it_rests_on() -> None:
    found = sm.possible(require=["p2"], forbid=["p1"])
    impossible = sm.possible(require=["strongly_monotone"], forbid=["monotone"])
    for answer in (found, impossible):
        shown = displayed(answer)
        assert "<p><b>" in shown
        assert shown.count("<li>") == len(answer.theorems)


# -- where a theorem holds ---------------------------------------------------------------------------------------------


def _with_a_pole(tp: int, fn: int, fp: int) -> Fraction:
    """Return a value that does not depend on TN, for TP > 0; at TP = 0 there is none.

    With m = min(P, OP) the products of M with C(P, k) and C(OP, k) are (-1)^k*C(m, k), whose sums with the falling
    factorials k*(k - 1)*...*(k - d + 1), 0 < d < m, are 0: the m-th finite difference of a polynomial of lower degree.
    The mean at n = P + OP - d has these weights, but for a factor that does not depend on k.
    """
    smaller = min(tp + fn, tp + fp)
    return Fraction((-1) ** tp * comb(smaller, tp), comb(tp + fn, tp) * comb(tp + fp, tp))


def test_with_a_pole_a_metric_that_ignores_tn_can_have_a_constant_baseline() -> None:
    """E[M] is 0 at all margins at which TP = 0 is impossible, summed here over the hypergeometric distribution."""
    values = set()
    for size in range(2, 15):
        for actual, predicted in itertools.product(range(1, size), repeat=2):
            least, most = max(0, actual + predicted - size), min(actual, predicted)
            if least == 0:  # a table of positive probability has no value, so that there is no mean
                continue
            mean = Fraction(0)
            for tp in range(least, most + 1):
                weight = Fraction(comb(actual, tp) * comb(size - actual, predicted - tp), comb(size, predicted))
                values.add(value := _with_a_pole(tp, actual - tp, predicted - tp))
                mean += weight * value
            assert mean == 0, (size, actual, predicted)
    assert len(values) > 10  # it is no constant


def test_an_exclusion_says_where_metrics_need_a_value() -> None:
    for key, cell in (("p2", "TN"), ("p3", "FP"), ("p4", "TP"), ("p5", "FN")):
        answer = sm.possible(require=[key, "constant_baseline"])
        assert isinstance(answer.theorem, Argument)
        assert (answer.theorem.kind, answer.theorem.domain) == ("arbitrary", "whole")
        assert f"at each of which M has a value, also where cells are 0: as {cell} grows" in str(answer.theorem)
        told = str(answer)
        assert told.startswith("Impossible on tables of whole numbers: ")
        assert "about metrics with a value at all tables of whole numbers with positive margins, also where" in told
    closed = sm.possible(require=["p3", "max_agreement"])
    assert "about metrics with a value at all tables of cells >= 0 but the empty one, continuous there" in str(closed)


def test_without_continuity_where_cells_are_0_p3_and_max_agreement_go_together() -> None:
    """M = TP/(TP + FN) at positive cells, 2 where FN = FP = 0, and -1 at other tables with zero cells."""

    def value(tp: int, fn: int, fp: int, tn: int) -> Fraction:
        if fn == fp == 0:
            return Fraction(2)
        return Fraction(tp, tp + fn) if min(tp, fn, fp, tn) > 0 else Fraction(-1)

    tables = [table for table in itertools.product(range(4), repeat=4) if any(table)]
    largest = max(value(*table) for table in tables)
    assert all((value(*table) == largest) == (table[1] == table[2] == 0) for table in tables)
    inside = [table for table in tables if min(table) > 0]
    assert all(value(tp, fn, fp, tn) == value(tp, fn, 1, tn) for tp, fn, fp, tn in inside)
