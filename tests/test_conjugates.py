"""Differences of roots keep their digits where both sides are close, by a form in which nothing cancels."""

from __future__ import annotations

import itertools

import mpmath
import numpy as np
import pytest
from effort import in_one_test
from sympy import Expr, Min, Rational, lambdify, sqrt

import symmetrics as sm
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, N, P
from symmetrics.numeric.compiled import evaluate
from symmetrics.numeric.plans import plan_of
from symmetrics.numeric.terms import with_conjugates

KEPT = {
    "two roots": sqrt(P) - sqrt(TP),
    "a factor": Rational(1, 3) * (2 - 2 * sqrt(TP / P)) / (TP + FN),
    "a root of a difference": sqrt(3 - 3 * sqrt(TN / N)),
    "a root of a cosine": sqrt(2 - 2 * TP / sqrt((TP + FN) * (TP + FP))),
    "a quotient of differences": (1 - sqrt(TP / P)) / (1 - sqrt(TP / (TP + FN + FP))),
}
LOST = {
    "of either sign": sqrt(TP / P) - sqrt(TN / N),
    "a pole": 1 - sqrt(TP),
    "no root": 1 - TP / P,
    "other roots": 1 - (TP / P) ** Rational(1, 3),
    "three sides": 1 - sqrt(TP / P) - sqrt(TN / N),
    "a side that is no quotient of sums": 1 - sqrt(Min(TP, TN) / P) * sqrt(TN),
}


@pytest.mark.parametrize("formula", KEPT.values(), ids=KEPT)
def test_they_are_kept_without_a_second_look(formula: Expr) -> None:
    plan = plan_of(formula)
    assert plan is not None
    assert plan.outputs[0].companion is None
    random = np.random.default_rng(11)
    large, small = 10 ** random.uniform(10, 15, (200, 2)), 10 ** random.uniform(-3, 1, (200, 2))
    rows = np.concatenate(
        [np.stack([large[:, 0], small[:, 0], small[:, 1], large[:, 1]], axis=1), small[:, [0, 1, 1, 0]]]
    )
    found = evaluate(formula, list(rows.T.copy()))
    exactly = lambdify(CELLS, formula, "mpmath")
    with mpmath.workdps(60):
        for row, value in zip(rows.tolist(), found, strict=True):
            exact = exactly(*map(mpmath.mpf, row))
            assert abs(value - exact) <= 1e-14 * exact, row


@in_one_test
@pytest.mark.parametrize("formula", LOST.values(), ids=LOST)
def test_a_form_in_which_something_cancels_too_is_not_taken(formula: Expr) -> None:
    assert with_conjugates(formula) == formula


@in_one_test
@pytest.mark.parametrize("formula", [*KEPT.values(), *LOST.values()])
def test_both_forms_are_equal(formula: Expr) -> None:
    before, after = (lambdify(CELLS, form, "mpmath") for form in (formula, with_conjugates(formula)))
    with mpmath.workdps(40):
        for table in itertools.product(map(mpmath.mpf, (1, 2, 5)), repeat=4):
            assert abs(before(*table) - after(*table)) < 1e-30


@pytest.mark.sampled(3)
@pytest.mark.parametrize("formula", KEPT.values(), ids=KEPT)
def test_where_cells_are_zero_the_value_is_that_of_the_formula(formula: Expr) -> None:
    metric = sm.Metric("mine", formula)
    for table in itertools.product((0, 3), repeat=4):
        exact = float(metric.exact(*table))
        np.testing.assert_allclose(metric.from_counts(*map(np.atleast_1d, table)), exact, atol=1e-12)
