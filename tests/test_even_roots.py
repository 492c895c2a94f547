"""Claims on a root of even degree, shown of what it is the root of: what holds is found, and what is not is refused."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from effort import in_one_test
from forging import refusal
from hypothesis import given
from hypothesis import strategies as st
from sympy import Expr, Integer, Rational, sqrt

import symmetrics as sm
from symmetrics.checker import check
from symmetrics.claims import Comparison, Inequality, StrictInequality, value_symbol
from symmetrics.claims.verdict import Decision, Evidence, Verdict
from symmetrics.language.cells import CELLS, parameter_symbol
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.prover.decide import decide

RECALL = "TP/(TP + FN)"
NESTED = f"sqrt(1 - sqrt({RECALL}))"
"""From 0 to 1, and falling with TP."""
FIRST, SECOND = value_symbol(0), value_symbol(1)
t = parameter_symbol("t")
STEP = (CELLS[0] + t, *CELLS[1:])


def about(formula: str, relation: Expr, strict: bool = True, **more: Any) -> Comparison:
    family = StrictInequality if strict else Inequality
    return family(parse_formula(formula), (), (CELLS,), relation=relation, **more)


def along(formula: str, relation: Expr) -> Comparison:
    return StrictInequality(parse_formula(formula), (), (CELLS, STEP), (t,), relation)


def decided(claim: Comparison) -> Verdict:
    return decide(claim, metric="own", property="own")


def forged(claim: Comparison, part: Comparison, point: Sequence[Any] = ("1", "1", "1", "1")) -> Verdict:
    """Return the verdict that a claim holds because another one does, which the prover decides."""
    evidence = Evidence("even root", {"point": list(point), "part": decided(part).decision.record()})
    return Verdict.of(Decision("proved", True, evidence), claim, metric="own", property="own")


HOLDS = {
    "below 1": about(NESTED, 1 - FIRST),
    "above 0": about(NESTED, FIRST),
    "nowhere below 0": about(NESTED, FIRST, strict=False),
    "a multiple, plus a number": about(f"2 + 3*{NESTED}", 5 - FIRST),
    "a negative multiple from below": about(f"2 - 3*{NESTED}", FIRST + 1),
    "a negative multiple from above": about(f"2 - 3*{NESTED}", 2 - FIRST),
    "an irrational bound": about("sqrt(2 - 2*TP/sqrt((TP + FN)*(TP + FP)))", sqrt(2) - FIRST),
    "of degree 4": about(f"(1 - sqrt({RECALL}))**(1/4)", 1 - FIRST),
    "of degree 4, from 1 to 2": about(f"(16 - 15*sqrt({RECALL}))**(1/4)", 2 - FIRST),
    "falling": along(NESTED, FIRST - SECOND),
    "rising": along(f"1 - {NESTED}", SECOND - FIRST),
    "twice nested": about(f"sqrt(2 - {NESTED})", sqrt(2) - FIRST),
    "a logarithm in it": along("sqrt(log(1 + TP))", SECOND - FIRST),
}


@in_one_test
@pytest.mark.parametrize("name", HOLDS)
def test_what_holds_of_a_root_is_proved_and_verified(name: str) -> None:
    verdict = decided(HOLDS[name])
    assert (verdict.status, verdict.evidence.kind) == ("proved", "even root")
    check(verdict)


DOES_NOT_HOLD = {
    "below 1/2": about(NESTED, Rational(1, 2) - FIRST),
    "above 1/2": about(NESTED, FIRST - Rational(1, 2)),
    "below a negative number": about(NESTED, -1 - FIRST),
    "a negative multiple from below": about(f"2 - 3*{NESTED}", FIRST),
    "rising": along(NESTED, SECOND - FIRST),
    "falling": along(f"1 - {NESTED}", FIRST - SECOND),
    "real nowhere": about("sqrt(-1 - sqrt(TP))", 1 - FIRST),
    "rising where it is real nowhere": along("sqrt(-1 - sqrt(FN) - 1/TP)", SECOND - FIRST),
}


@in_one_test
@pytest.mark.parametrize("name", DOES_NOT_HOLD)
def test_what_does_not_hold_of_a_root_is_not_proved(name: str) -> None:
    assert decided(DOES_NOT_HOLD[name]).status in ("refuted", "open")


BELOW = about(f"1 - sqrt({RECALL})", 1 - FIRST)
ABOVE = about(f"1 - sqrt({RECALL})", FIRST)
REFUSED = {
    # a part that is proved, and says something else
    "no root is shown to be real": forged(about("sqrt(-1 - sqrt(TP))", 1 - FIRST), about("-1 - sqrt(TP)", 1 - FIRST)),
    "no root is shown to be real ": forged(about("sqrt(1/(TP - FN))", 1 - FIRST), BELOW),
    "no root is shown to be real  ": forged(
        along("sqrt(2 - sqrt(TP))", FIRST - SECOND), along("2 - sqrt(TP)", FIRST - SECOND), ("1", "1", "1", "1", "100")
    ),
    "a root is compared with a number that may be negative": forged(about(NESTED, -1 - FIRST), BELOW),
    "a root is compared with a number that may be negative ": forged(about(f"2 - {NESTED}", FIRST - 3), BELOW),
    "the claim does not compare two values, or one with a number": forged(
        about(NESTED, 1 - 2 * FIRST), about(f"1 - sqrt({RECALL})", 2 - FIRST)
    ),
    "the formula is no even root": forged(
        about("(sqrt(TP) - 2)**(1/3)", FIRST), about("(sqrt(TP) + 1)", FIRST), ("9", "1", "1", "1")
    ),
    "the formula is no even root ": forged(about("(1 - sqrt(TP))**2", FIRST), ABOVE),
    "the formula is no even root  ": forged(about("(1 - sqrt(TP))**(3/2)", FIRST), ABOVE),
    "the formula is no multiple of a root, plus a number": forged(about(f"{NESTED} + TP", 1 - FIRST), BELOW),
    "the formula is no multiple of a root, plus a number ": forged(about(f"{NESTED}*TP", 1 - FIRST), BELOW),
    "the claim is about two formulas, or has parameters": forged(
        replace(along(NESTED, FIRST - SECOND), partner=Integer(2)), BELOW
    ),
    "the claim is about two formulas, or has parameters ": forged(
        replace(about(NESTED, 1 - FIRST), parameters=(Parameter.parse("w in [0, 1] = 1"),)), BELOW
    ),
    "a point is not one positive number for each variable": forged(HOLDS["below 1"], BELOW, ("1", "1", "1", "-1")),
    "a point is not one positive number for each variable ": forged(HOLDS["below 1"], BELOW, ("1", "1", "1")),
    "a part is not proved": forged(HOLDS["below 1"], about(NESTED, Rational(1, 2) - FIRST)),
}


@in_one_test
@pytest.mark.parametrize("reason", REFUSED)
def test_a_root_of_something_else_is_refused(reason: str) -> None:
    assert refusal(check, REFUSED[reason]) == reason.strip()


def test_a_proof_of_another_bound_is_refused() -> None:
    # The evidence is a proof about E < 1; E < 1/4 is another claim, which it does not show.
    verdict = forged(about(NESTED, Rational(1, 2) - FIRST), BELOW)
    assert "another expression" in str(refusal(check, verdict))


radicands = st.sampled_from(
    [f"sqrt({RECALL})", "TP/sqrt((TP + FN)*(TP + FP))", "sqrt(TP*TN/((TP + FN)*(FP + TN)))", "sqrt(TP)/(sqrt(TP) + FN)"]
)


@given(radicands, st.integers(-3, 3), st.integers(-3, 3).filter(bool), st.integers(-3, 4), st.sampled_from([2, 4]))
def test_bounds_of_a_root_are_decided(radicand: str, shift: int, scale: int, bound: int, degree: int) -> None:
    """Each radicand has the range (0, 1), so that the formula lies between the shift and its sum with the scale."""
    formula, ends = f"{shift} + ({scale})*(1 - {radicand})**(1/{degree})", (shift, shift + scale)
    for relation, holds in ((bound - FIRST, bound >= max(ends)), (FIRST - bound, bound <= min(ends))):
        verdict = decided(about(formula, relation))
        # Of a bound that lies behind the shift nothing is said: there is no radicand for it.
        assert (verdict.status == "proved") == (holds and (bound - shift) * scale >= 0)
        if holds and verdict.status == "proved":
            check(verdict)


def test_distances_that_are_roots_have_their_ranges() -> None:
    """Legendre & Legendre, Numerical Ecology (1998), ch. 7: chord distance is at most sqrt(2)."""
    assert str(sm.prove("chord_distance", "range").value) == "(0, sqrt(2))"
    assert str(sm.prove("hellinger_distance", "range").value) == "(0, 2)"
    assert math.isclose(float(sm.metrics["chord_distance"].from_counts(0, 1, 1, 5)), math.sqrt(2))
    assert sm.metrics["hellinger_distance"].exact(Fraction(0), 1, 1, 5) == 2
