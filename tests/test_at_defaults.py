"""A parameter bound to its default, or to any other value, gives what the verdict with the parameter says of it."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from effort import some
from sympy import Expr, Rational, Symbol, simplify

import symmetrics as sm
from symmetrics.claims.families.groups import PERMUTATIONS, cycles
from symmetrics.claims.verdict import Verdict
from symmetrics.language.condition import parse_condition
from symmetrics.library.selections import SIGNS
from symmetrics.pages.answers import answer_cell
from symmetrics.tools.documents.text import plain

WITH_PARAMETERS = sorted(name for name, metric in sm.metrics.items() if metric.parameters)
Settings = dict[str, Rational]


def formula(text: str, *parameters: str) -> sm.Metric:
    declared = tuple(sm.Parameter.parse(parameter) for parameter in parameters)
    return sm.Metric("own", sm.parse_formula(text, [p.name for p in declared]), declared)


def put(expression: Expr, settings: Settings) -> Any:
    return expression.subs({Symbol(name, real=True): value for name, value in settings.items()})


def truth(text: str, settings: Settings) -> bool:
    return bool(put(parse_condition(text, list(settings)), settings))


def case_at(value: str | None, settings: Settings) -> str | None:
    """Return the part of a value that is about some values of the parameters."""
    if value is None or " if " not in value:
        return value
    cases = [case.split(" if ") for case in value.split("; ") if not case.startswith("at ")]
    holding = [text for text, condition in cases if truth(condition, settings)]
    assert len(holding) <= 1, (value, settings)
    return holding[0] if holding else None


def group_at(value: str, settings: Settings) -> set[tuple[str, str]]:
    """Return the images and permutations that a symmetry group has at some values of the parameters."""
    found = set()
    for image, listed in (part.split(": ") for part in value.split("; ")):
        for text in listed.split(", "):
            name, _, condition = text.partition(" if ")
            if not condition or truth(condition, settings):
                found |= {(image, member) for member in (map(cycles, PERMUTATIONS) if name == "all" else [name])}
    return found


def same_formulas(left: str | None, right: str | None, settings: Settings) -> bool:
    if left is None or right is None:
        return left is right
    difference = put(sm.parse_formula(left, list(settings)), settings) - sm.parse_formula(right)
    return bool(simplify(difference) == 0)


def ends_at(text: str, settings: Settings) -> str:
    inner = [
        end if "oo" in end else str(put(sm.parse_formula(end, list(settings)), settings))
        for end in text[1:-1].split(", ")
    ]
    return f"{text[0]}{', '.join(inner)}{text[-1]}"


def strata(value: str | None) -> dict[str, str]:
    """Return where a formula is undefined, in cells that are zero, and what is known of a limit there."""
    return dict(re.findall(r"((?:T[PN]|F[PN])(?: = (?:T[PN]|F[PN]))* = 0) \(([^)]*)\)", value or ""))


def vanishes(value: str, place: str, settings: Settings) -> bool:
    """Whether one of the divisors that a value names is zero where some cells are, at some values of the parameters."""
    zeros = dict.fromkeys((Symbol(cell, positive=True) for cell in place.split(" = ")[:-1]), 0)
    cells = {str(symbol): zero for symbol, zero in zeros.items()}
    divisors = [
        part.removesuffix(" = 0") for part in value.removeprefix("undefined where ").split("; ") if "(limit" not in part
    ]
    expressions = [put(sm.parse_formula(text, list(settings)), settings) for text in divisors]
    return any(e.subs({s: cells.get(s.name, s) for s in e.free_symbols}) == 0 for e in expressions)


def agree(key: str, general: str | None, bound: str | None, settings: Settings) -> bool:
    """Whether a value with parameters says at some values of them what is said of the formula bound to these."""
    if general is not None and general.startswith("at "):
        return general.split(": ", 1)[1] == bound  # at the defaults alone, where all else is open
    if key == "symmetry_group":
        return group_at(str(general), settings) == group_at(str(bound), settings)
    if key in ("tn_limit", "prevalence_limit", "decomposable"):
        return same_formulas(case_at(general, settings), bound, settings)
    if key == "range":
        here = case_at(general, settings)
        return here is None or ends_at(here, settings) == bound
    if key == "defined":  # whether there is a limit may depend on the parameters, and is then not said
        ours = strata(general)
        return all(
            ours[place] in (limit, "limit not decided") if place in ours else vanishes(str(general), place, settings)
            for place, limit in strata(bound).items()
        )
    # Of a constant baseline that fails the value is a counterexample; tests/test_spaces.py is about the spaces.
    return key in ("constant_baseline", "translation_space", "scaling_space") or general == bound


def chosen(metric: sm.Metric) -> list[Settings]:
    random = Random(metric.name)
    grid = [
        [v for v in (p.lower, Rational(1, 2), Rational(1), Rational(2), Rational(random.randint(1, 40), 20), p.upper)
         if v.is_finite and v in p]
        for p in metric.parameters
    ]  # fmt: skip
    names = [p.name for p in metric.parameters]
    others = [dict(zip(names, map(random.choice, grid), strict=True)) for _ in range(1)]
    return [{p.name: p.default for p in metric.parameters}, *others]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", WITH_PARAMETERS)
def test_a_bound_parameter_gives_what_the_verdict_says_of_its_value(name: str) -> None:
    metric = sm.metrics[name]
    for place, settings in enumerate(chosen(metric)):
        if not any(settings.values()) and len(settings) > 1:
            continue
        bound = metric.at(**settings)
        for key in some(sm.properties, 2, f"{name} {place}"):
            general, here = sm.prove(metric, key), sm.prove(bound, key)
            if here.status == "open" or (place and general.status == "open"):
                continue  # open verdicts speak of the defaults alone
            holds = general.holds
            if place:
                condition = general.condition
                holds = general.status == "proved" if condition is None else bool(put(condition, settings))
            assert holds is here.holds, (key, settings)
            assert agree(key, general.value, here.value, settings), (key, settings, general.value, here.value)


# -- what is open in general ------------------------------------------------------------------------------------------

ROOT = formula("TP**a/(TP**a + FN**a)", "a in (0, oo) = 1/2")
MIXED = formula("w*Min(TP/(TP + FN), TN/(TN + FP)) + (1 - w)*Max(TP/(TP + FN), TN/(TN + FP))", "w in [0, 1] = 1/2")
KEYS = tuple(key for key in sm.properties if key != "constant_baseline")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "metric", [ROOT, pytest.param(MIXED, marks=pytest.mark.thorough)], ids=["exponent", "extremes"]
)
def test_nothing_is_open_at_the_defaults(metric: sm.Metric) -> None:
    bound = metric.at(**{p.name: p.default for p in metric.parameters})
    (parameter,) = metric.parameters
    where = f"at {parameter.name} = {parameter.default}"
    settings = {parameter.name: parameter.default}
    opened = 0
    for key in KEYS:
        verdict, here = sm.prove(metric, key), sm.prove(bound, key)
        assert verdict.holds is here.holds is not None, key
        assert agree(key, verdict.value, here.value, settings), key
        if verdict.status != "open":
            continue
        opened += 1
        assert verdict.condition is None
        assert verdict.evidence.sentence.startswith("open in general: ")
        assert f"; {where}: {here.status}: {here.evidence.sentence}" in verdict.evidence.sentence
        if here.witness is not None:
            assert verdict.witness is not None
            assert verdict.witness.tables == here.witness.tables
            assert verdict.witness.parameters == {parameter.name: parameter.default}
        sm.check(verdict, metric)
        again = Verdict.from_json(verdict.to_json())
        sm.check(again, metric)
        assert again.to_dict() == verdict.to_dict()
    assert opened > 5


def test_it_is_said_wherever_verdicts_are_shown() -> None:
    from symmetrics.pages.lookup import explain

    assert plain(answer_cell(sm.prove(ROOT, "p1"), SIGNS)) == "? (at a = 1/2: +)"
    assert plain(answer_cell(sm.prove(ROOT, "range"))) == "open (at a = 1/2: yes): (0, 1)"
    assert "open (at a = 1/2: yes): <code>(0, 1)</code>" in sm.table([ROOT], ["range"]).to_html()
    told = explain(sm.prove(ROOT, "p1"), sm.properties["p1"], ROOT)
    assert "verdict   open in general; it does not hold at the default a = 1/2\nfails at  M(TP=1" in told
    assert "evidence  open in general: " in told
    told = explain(sm.prove(ROOT, "range"), sm.properties["range"], ROOT)
    assert "it holds at the default a = 1/2\nvalue     at a = 1/2: (0, 1)" in told
    assert list(sm.find(metrics=[ROOT], range=True)) == ["own"]
    assert not sm.find(metrics=[ROOT], range=None)


POWERS = (
    ("TP**a/(TP**a + FN**a)", ("p2", "p3", "homogeneous", "actual_scaling", "no_imbalance_bias")),
    ("(TP/(TP + FN))**a*(2*TN/(TN + FP))**(1 - a)/2**(1 - a)", ("homogeneous", "actual_scaling")),
    ("((4*TP)**a - 2**a*(2*TP)**a)/TN**a + (TP + FN)**(2*a)*(TP**2 + 2*TP*FN + FN**2)**(-a)", ("p1", "p4", "p5")),
)


@pytest.mark.thorough
@pytest.mark.parametrize(("text", "keys"), POWERS)
def test_identities_that_hold_for_any_powers_are_proved(text: str, keys: tuple[str, ...]) -> None:
    metric = formula(text, "a in (0, 3) = 1/2")
    for key in keys:
        verdict = sm.prove(metric, key)
        assert (verdict.status, verdict.evidence.kind) == ("proved", "powers"), key
        sm.check(Verdict.from_json(verdict.to_json()), metric)
    for key, a in (("p1", "1/3"), ("p2", "2"), ("homogeneous", "5/2"), ("actual_scaling", "1"), ("p5", "1/3")):
        if (verdict := sm.prove(metric, key)).status == "proved":
            assert sm.prove(metric.at(a=a), key).holds is True


def test_without_a_default_it_stays_open() -> None:
    verdict = sm.prove(formula("TP**a/(TP**a + FN**a)", "a in (0, oo)"), "p1")
    assert (verdict.status, verdict.holds, verdict.witness) == ("open", None, None)
