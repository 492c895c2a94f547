"""Floating point against exact arithmetic, and the rules for zeros."""

from __future__ import annotations

import math

import numpy as np
import pytest
from effort import in_one_test, is_thorough
from flint import arb, ctx
from sympy import Integer, Max, Min, sqrt

import symmetrics as sm
from symmetrics.algebra.evaluate import Evaluator, Undefined
from symmetrics.language.cells import CELLS, FN, FP, TN, TP

TABLES_PER_METRIC = 10_000 if is_thorough() else 100


@pytest.fixture(scope="module")
def tables():
    """Return counts up to 10**9 on all scales, a quarter of them zero."""
    random = np.random.default_rng(20121)
    size = (4, TABLES_PER_METRIC)
    counts = np.floor(10 ** random.uniform(0, 9, size)).astype(np.int64)
    return np.where(random.random(size) < 0.25, 0, counts)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", sorted(sm.metrics))
def test_every_metric_against_certified_intervals(name, tables):
    metric = sm.metrics[name]
    values = metric.from_counts(*tables)
    exact = Evaluator(metric.at_defaults(), CELLS)
    saved, ctx.prec = ctx.prec, 256
    try:
        for column, value in zip(tables.T.tolist(), values.tolist(), strict=True):
            try:
                truth = exact(*column)
            except Undefined:
                continue  # the formula as written is undefined here; tests of limits have their own oracle
            error = abs(arb(truth) - arb(value))
            assert error < 1e-12 * max(1.0, abs(value)), (column, value, truth)
    finally:
        ctx.prec = saved


@in_one_test
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint32, np.float64, object, int])
def test_products_do_not_wrap(dtype):
    counts = [np.array([k], dtype=dtype) for k in (60000, 5000, 6000, 70000)]
    # By hand: (60000*70000 - 5000*6000) / sqrt(65000 * 66000 * 75000 * 76000)
    assert sm.metrics["mcc"].from_counts(*counts)[0] == pytest.approx(0.843276467470120, rel=1e-13)
    assert sm.metrics["mcc"].from_counts(60000, 5000, 6000, 70000) == pytest.approx(0.843276467470120, rel=1e-13)


NAN, INF = math.nan, math.inf

# What the limit from positive tables is, worked by hand.
LIMITS = [
    ("yule_q", (3, 1, 0, 2), 1),  # (ad - bc)/(ad + bc) with c = 0
    ("yule_q", (3, 1, 0, 0), NAN),  # c, d -> 0 at any ratio
    ("mcc", (0, 5, 0, 7), 0),  # of the order of the root of what goes to zero
    ("mcc", (0, 5, 0, 0), NAN),
    ("mcc", (5, 0, 0, 7), 1),
    ("kappa", (0, 5, 0, 7), 0),
    ("kappa", (5, 0, 0, 0), NAN),  # FN, FP, TN -> 0 at any ratio
    ("precision", (0, 5, 0, 7), NAN),
    ("tpr", (0, 0, 3, 7), NAN),
    ("f1", (0, 0, 0, 7), NAN),
    ("f1", (0, 2, 3, 7), 0),
    ("gmean", (0, 0, 3, 0), 0),  # a bounded factor times one that goes to zero
    ("gmean", (0, 0, 3, 7), NAN),
    ("positive_likelihood_ratio", (3, 1, 0, 2), INF),
    ("diagnostic_odds_ratio", (3, 0, 1, 2), INF),
    ("discriminant_power", (0, 3, 2, 2), -INF),
    ("discriminant_power", (3, 0, 2, 2), INF),
    ("optimized_precision", (0, 5, 5, 0), NAN),
    ("accuracy", (0, 0, 0, 0), NAN),
    ("mutual_information", (3, 0, 0, 3), math.log(2)),  # x*log(x) -> 0
]


@in_one_test
@pytest.mark.parametrize(("name", "table", "limit"), LIMITS)
def test_zeros_take_their_limit(name, table, limit):
    metric = sm.metrics[name]
    assert metric.from_counts(*table) == pytest.approx(limit, nan_ok=True)
    assert float(metric.exact(*table)) == pytest.approx(limit, nan_ok=True)


OWN = [
    (TP * FP / FP, (3, 1, 0, 1), 3),
    ((TP**2 + TP * FN) / (TP + FN), (0, 0, 1, 1), 0),
    (TP * FN / (TP + FN), (0, 0, 1, 1), 0),
    (TP * FN / (TP**2 + FN**2), (0, 0, 1, 1), NAN),
    (TP**2 * FN / (TP**4 + FN**2), (0, 0, 1, 1), NAN),  # zero along straight lines, 1/2 along FN = TP**2
    ((TP + FN + TP * FN) / (TP + FN), (0, 0, 1, 1), 1),
    (1 / (TP - FN), (2, 2, 1, 1), NAN),
    (1 / (TP - FN) ** 2, (2, 2, 1, 1), INF),
    ((TP - FN) ** 3 / (TP - FN), (2, 2, 1, 1), 0),
    # The first argument is infinite, although its terms are so with opposite signs.
    (Min(TN / TP - FN / TP, FP / (FN + TN)), (0, 1, 2, 3), 0.5),
    (Min(TN / TP - FN / TP, FP / (FN + TN)), (0, 3, 2, 1), -INF),
    (Min(TN / TP - FN / TP, FP / (FN + TN)), (0, 2, 2, 2), NAN),
    (Max(-TN / TP, 2 * FP / TN - TP / FN + TN / FN), (0, 0, 2, 1), INF),
    (Max(FP + 3 * TN, FN / (FP * TN) - TN / FP), (0, 1, 0, 3), 9),
]


@in_one_test
@pytest.mark.parametrize(("formula", "table", "limit"), OWN)
def test_limits_of_formulas_of_ones_own(formula, table, limit):
    metric = sm.Metric("own", formula)
    assert metric.from_counts(*table) == pytest.approx(limit, nan_ok=True)
    assert float(metric.exact(*table)) == pytest.approx(limit, nan_ok=True)


def test_shapes_and_doors_agree() -> None:
    # Shapes and types.
    f1 = sm.metrics["f1"]
    assert isinstance(f1.from_counts(1, 2, 3, 4), float)
    grid = f1.from_counts(np.arange(3)[:, None], np.arange(4), 1, 1)
    assert (grid.shape, grid.dtype) == ((3, 4), np.float64)
    assert f1.from_counts([], 1, 1, 1).shape == (0,)
    constant = sm.Metric("one", Integer(1))
    assert constant.from_counts([1, 2], 1, 1, 1).tolist() == [1, 1]
    # Labels confusion matrices and counts agree.
    truth = ["a", "b", "a", "a", "b", "b", "b"]
    guess = ["a", "b", "b", "a", "b", "a", "b"]
    matrix = [[2, 1], [1, 3]]
    for name in ("mcc", "f1", "tnr"):
        metric = sm.metrics[name]
        assert metric(truth, guess, pos_label="b") == metric.from_confusion(matrix) == metric.from_counts(3, 1, 1, 2)
        assert metric(truth, guess, pos_label="a") == metric.from_confusion(matrix, positive=0)
    # Huge counts do not cancel.
    table = (10, 20, 30, 10**15)
    # With N = TN + 50 the exact values are (10*TN - 600)/sqrt(40*30*(TN+30)*(TN+20)) and 2*(10*TN-600)/(...).
    assert sm.metrics["mcc"].from_counts(*table) == pytest.approx(0.288675134594788295, rel=1e-13)
    assert sm.metrics["kappa"].from_counts(*table) == pytest.approx(0.285714285714261, rel=1e-12)
    for name in ("mcc", "kappa"):
        exact = sm.metrics[name].exact(*table).evalf(30)
        assert abs(sm.metrics[name].from_counts(*table) - exact) < 1e-12


def test_what_is_undefined_and_how_it_is_shown() -> None:
    # Roots of negative numbers are undefined.
    metric = sm.Metric("root", sqrt(TP - FN) * TN + FP)
    assert math.isnan(metric.from_counts(1, 2, 1, 1))
    assert str(metric.exact(1, 2, 1, 1)) == "nan"
    assert metric.from_counts(5, 1, 1, 1) == 3
    # Zero division replaces what is undefined and nothing else.
    precision = sm.metrics["precision"]
    values = precision.from_counts([0, 1], [5, 1], [0, 1], [5, 1], zero_division=0.25)
    assert values.tolist() == [0.25, 0.5]
    assert sm.metrics["yule_q"].from_counts(3, 1, 0, 2, zero_division=0) == 1
    # An unbound parameter without default is named.
    metric = sm.Metric("w_only", TP / (TP + sm.Parameter("w").symbol * FN), ("w",))
    with pytest.raises(ValueError, match="bind w first"):
        metric.from_counts(1, 1, 1, 1)
    assert metric.at(w=3).from_counts(1, 1, 1, 1) == 0.25
