"""Logarithms of quotients close to 1 keep their digits, against fifty digits of SymPy; poles are where they are."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest
from effort import in_one_test, is_thorough, some
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Abs, Expr, Integer, lambdify, log

import symmetrics as sm
from symmetrics.language.cells import CELLS, FN, FP, TN, TP
from symmetrics.numeric.arrays import interpreted
from symmetrics.numeric.compiled import evaluate
from symmetrics.numeric.plans import joint_plan, plan_of
from symmetrics.numeric.precision import Precision
from symmetrics.numeric.rounding_rules import UNIT
from symmetrics.numeric.terms import LogSlope, tree_of, with_slopes

OF_LOGARITHMS = [name for name in sm.metrics if sm.metrics[name].value_formula.has(log)]
TOTAL = TP + FN + FP + TN
FEW = settings() if is_thorough() else settings(max_examples=4)
"""For tables whose values SymPy finds with fifty digits."""
ENTROPY = -sum(part / TOTAL * log(part / TOTAL) for part in (TP + FN, FP + TN))


def digits(expression: Expr, table: tuple[int, ...]) -> mpmath.mpf:
    """Return a value with fifty digits, from SymPy's own evaluation of the exact one."""
    with mpmath.workdps(50):
        return mpmath.mpf(str(expression.subs(dict(zip(CELLS, map(Integer, table), strict=True))).evalf(50)))


@in_one_test
@pytest.mark.parametrize("name", some(OF_LOGARITHMS, 6))
@pytest.mark.parametrize("mixed", [False, True])
def test_what_is_written_by_slopes_is_equal(name: str, mixed: bool) -> None:
    formula = sm.metrics[name].value_formula
    written = with_slopes(formula, mixed=mixed)
    known: list[Any] = [{LogSlope.__name__: lambda w: mpmath.log(w) / (w - 1)}, "mpmath"]
    with mpmath.workdps(40):
        cells = (mpmath.mpf(7), mpmath.mpf(3) / 2, mpmath.mpf(5), mpmath.mpf(11) / 3)
        values = [lambdify(CELLS, each, known)(*cells) for each in (written, formula)]
        assert abs(values[0] - values[1]) < 1e-35


TABLES = st.tuples(*[st.one_of(st.integers(1, 100), st.integers(10**6, 10**15))] * 4)
ACCURATE = {
    "the logarithm of a rate": log(TP / (TP + FN)),
    "one and a count": log(1 + TP),
    "an entropy": ENTROPY,
    "the quotient of two entropies": ENTROPY / ENTROPY.subs({TP: FP, FP: TP}, simultaneous=True),
    "a quotient of logarithms": log(1 + TP) / log(1 + TOTAL),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("what", ACCURATE)
@FEW
@given(TABLES)
def test_relative_errors_are_as_small_as_is_told(what: str, table: tuple[int, ...]) -> None:
    plan = joint_plan([tree_of(with_slopes(ACCURATE[what], mixed=False))])
    assert plan is not None
    place = plan.outputs[0].place
    error = Precision(plan.program, place).relative(place)
    assert error is not None
    cells = [np.array([float(count)]) for count in table]
    value, right = interpreted(plan.program, [place], cells, np.float64)[place][0], digits(ACCURATE[what], table)
    assert np.isnan(value) or abs(value - right) <= error * UNIT * abs(right)


@pytest.mark.parametrize("name", some(OF_LOGARITHMS, 3))
@FEW
@given(TABLES)
def test_values_of_metrics_are_right_where_quotients_are_close_to_one(name: str, table: tuple[int, ...]) -> None:
    right = digits(sm.metrics[name].value_formula, table)
    value = sm.metrics[name].from_counts(*(np.array([float(count)]) for count in table))[0]
    assert abs(value - right) <= 4e-13 * max(1, abs(right))


@in_one_test
@pytest.mark.parametrize("what", list(ACCURATE))
def test_they_are_kept_without_a_second_look(what: str) -> None:
    plan = plan_of(ACCURATE[what])
    assert plan is not None
    assert plan.outputs[0].companion is None


@pytest.mark.parametrize("many", [1, 5000])
def test_a_quotient_that_is_rounded_to_one_is_looked_at_again(many: int) -> None:
    cells = [np.full(many, count) for count in (2.0**60, 1.0, 3.0, 2.0**61)]
    assert evaluate(log(TP / (TP + FN)), cells) == pytest.approx(np.full(many, -(2.0**-60)), rel=1e-13)
    assert not np.isnan(sm.metrics["extremal_dependence_index"].from_counts(*cells)).any()


@pytest.mark.parametrize(
    "name", ["extremal_dependence_index", "extreme_dependency_score", "symmetric_extremal_dependence_index"]
)
def test_so_is_one_whose_range_is_not_known(name: str) -> None:
    great, greater = 2.0**60, 2.0**60 + 512
    for table in ((great, greater, 3, 7), (great, 3, greater, 7), (3, great, greater, great)):
        (value,) = evaluate(sm.metrics[name].at_defaults(), [np.array([float(count)]) for count in table])
        assert value == pytest.approx(float(sm.metrics[name].exact(*map(int, table))), abs=1e-12), table


POLES = {
    "stiles": (sm.metrics["stiles"].value_formula, (3, 2, 2, 3)),
    "of an absolute value": (log(Abs(TP - FN)) / log(2), (4, 4, 1, 3)),
    "below": (-log(Abs(TP * TN - FN * FP) / TOTAL), (2, 4, 1, 2)),
}


@pytest.mark.parametrize("what", POLES)
def test_logarithms_of_exact_zeros_are_infinite_and_need_no_second_look(what: str) -> None:
    formula, table = POLES[what]
    plan = plan_of(formula)
    assert plan is not None
    assert plan.outputs[0].has_exact_poles
    value = evaluate(formula, [np.array([float(count), 7.5]) for count in table])[0]
    assert value == (np.inf if what == "below" else -np.inf)
    assert sm.Metric("m", formula).exact(*table) == value


@pytest.mark.parametrize("formula", [log(Abs(TP / FN - FP / TN)), 1 / log(Abs(TP - FN)), log(1 / (TP - FN) ** 2)])
def test_other_poles_are_no_exact_ones(formula: Expr) -> None:
    plan = plan_of(formula)
    assert plan is None or not plan.outputs[0].has_exact_poles or plan.outputs[0].whole is not None
    one = np.array([3.0])
    assert evaluate(formula, [one, one, one, one])[0] in (-np.inf, np.inf, 0.0)
