"""Claims on a root of even degree, shown of what it is the root of: what holds is found, and what is not is refused."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from effort import in_one_test
from hypothesis import given
from hypothesis import strategies as st
from sympy import Expr, Rational, sqrt

import symmetrics as sm
from symmetrics.checker import check
from symmetrics.claims import Comparison, Inequality, StrictInequality, value_symbol
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS, parameter_symbol
from symmetrics.language.formula import parse_formula
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
