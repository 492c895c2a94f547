"""Values with their standard errors in one pass are those of the value and of its gradient, computed apart."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from itertools import product

import numpy as np
import pytest
from effort import in_one_test, some
from mpmath import mp, mpf
from recorded import holds
from sympy import Abs, Expr, Max, Min, lambdify, log, sqrt

import symmetrics as sm
from symmetrics import FN, FP, TN, TP
from symmetrics.algebra.limits.gradient import gradient
from symmetrics.language.cells import CELLS
from symmetrics.metric.uncertainty import range_of
from symmetrics.numeric import native
from symmetrics.numeric.interpreted import interpreted
from symmetrics.numeric.intervals.delta import delta, is_free_of_size, standard_error, tangents
from symmetrics.numeric.intervals.scales import GROUPS, Formula, Range, Scale
from symmetrics.numeric.plans import plan_of
from symmetrics.numeric.slopes import slopes_of

BOUND = {name: metric for name, metric in sm.metrics.items() if all(p.default is not None for p in metric.parameters)}
FORMULAS = {
    "roots": sqrt(TP * TN) / (FN + FP) + (TP / (TP + FN)) ** 3,
    "logarithms": log(TP + FN / 2) - TN * log(FP),
    "kinks": Min(TP, TN, FN + FP) / Max(TP, FN) + Abs(TP - 2 * FP) / (TN + 1),
    "negatives": -TP - FN + 3 - (FP - TN) * (TP - TN),
}
TABLES = [(3.0, 2.0, 7.0, 11.0), (40.0, 0.5, 6.0, 2.25), (1000.0, 20.0, 30.0, 4e6)]


@pytest.mark.parametrize("name", FORMULAS)
def test_slopes_of_a_program_are_the_derivatives_of_its_formula(name: str) -> None:
    formula = FORMULAS[name]
    expected = lambdify(CELLS, list(gradient(formula)), "mpmath")
    plan = plan_of(formula)
    cells = [plan.program.add("cell", place) for place in range(4)]
    places = slopes_of(plan.program, plan.outputs[0].place, cells)
    tables = np.array(TABLES).T
    found = interpreted(plan.program, places, list(tables), np.float64)
    for number, table in enumerate(TABLES):
        for place, slope in zip(places, expected(*map(mpf, table)), strict=True):
            assert found[place][number] == pytest.approx(float(slope), rel=1e-12), table


def test_kinks_and_homogeneous_programs() -> None:
    # At a kink the slope is the mean of both sides.
    plan = plan_of(Max(TP, FN) + 4 * Abs(FP - TN))
    cells = [plan.program.add("cell", place) for place in range(4)]
    places = slopes_of(plan.program, plan.outputs[0].place, cells)
    found = interpreted(plan.program, places, list(np.full((4, 1), 5.0)), np.float64)
    assert [found[place][0] for place in places] == [0.5, 0.5, 0, 0]
    # What operations show to be the same for multiples of a table is proved to be homogeneous.
    asked = some(BOUND.items(), 10, "multiples")
    plans = {name: plan for name, metric in asked if (plan := plan_of(metric.at_defaults())) is not None}
    shown = {name for name, plan in plans.items() if is_free_of_size(plan)}
    assert all(holds(name, "homogeneous") for name in shown)
    assert len(shown) > len(plans) * 3 / 4
    assert all(is_free_of_size(plan_of(sm.metrics[name].at_defaults())) for name in ("mcc", "log_odds_ratio"))


@cache
def _exact_slopes(formula: Expr) -> Callable[..., list[mpf]]:
    return lambdify(CELLS, list(gradient(formula)), "mpmath")


def _exact_error(formula: Expr, table: tuple[float, ...], groups: tuple[tuple[int, ...], ...]) -> float:
    """Return the standard error of the tangent by the matrix of covariances, with fifty digits."""
    with mp.workdps(50):
        cells = [mpf(count) + mpf(1) / 4 for count in table]
        slopes = _exact_slopes(formula)(*cells)
        variance = mpf(0)
        for group in groups:
            total = sum(cells[place] for place in group)
            for i, j in product(group, repeat=2):
                covariance = (cells[i] if i == j else 0) - cells[i] * cells[j] / total
                variance += slopes[i] * slopes[j] * covariance
        return float(mp.sqrt(abs(variance)))


@pytest.mark.parametrize("sampling", GROUPS)
@pytest.mark.parametrize("name", some(BOUND, 7))
def test_the_error_is_that_of_the_covariances_of_multinomial_cells(name: str, sampling: str) -> None:
    metric, groups = BOUND[name], GROUPS[sampling]
    tables = [(7.0, 2.0, 3.0, 19.0), (0.0, 4.0, 1.0, 30.0), (5000.0, 211.0, 64.0, 1.0)]
    cells = list(np.array(tables).T.copy())
    formula = Formula(metric.at_defaults(), range_of(metric))
    low, high, errors = delta(formula, cells, groups, 0.95, formula.values(np.array(cells)))
    for place, table in enumerate(tables):
        moved = np.array(table) + 0.25
        value = formula.values(moved[:, None])[0]
        exact = _exact_error(formula.expression, table, groups) * float(
            Scale(formula.range).slope(np.array([value]))[0]
        )
        assert errors[place] == pytest.approx(exact, rel=1e-7, abs=1e-9), table
        assert low[place] - 1e-14 <= value <= high[place] + 1e-14 or np.isnan(value)


@pytest.mark.parametrize("name", some(BOUND, 6, "one pass"))
def test_one_pass_finds_what_value_and_gradient_find_apart(name: str) -> None:
    metric = BOUND[name]
    random = np.random.default_rng(3)
    tables = np.floor(10 ** random.uniform(0, 5, (4, 300))) * (random.random((4, 300)) < 0.9)
    formula = Formula(metric.at_defaults(), range_of(metric))
    for groups in GROUPS.values():
        fused = tangents(formula, groups, 0.25, list(tables))
        assert fused is not None
        values, errors = np.empty(300), np.empty(300)
        with np.errstate(all="ignore"):
            bad = fused.fill([row.copy() for row in tables], values, errors)
            middle = formula.values(tables + 0.25)
            apart = standard_error(formula, tables + 0.25, groups) * Scale(formula.range).slope(middle)
        sure = np.setdiff1d(np.arange(300), bad)
        sure = sure[np.isfinite(apart[sure])]
        assert values[sure] == pytest.approx(middle[sure], rel=1e-11, abs=1e-11)
        smooth = not metric.at_defaults().has(Max, Min, Abs)  # a tie may be seen by one and missed by the other
        if smooth and sure.size:
            assert errors[sure] == pytest.approx(apart[sure], rel=1e-4, abs=1e-6)


@in_one_test
@pytest.mark.parametrize("ends", [(0.0, 1.0), (-1.0, 1.0), (0.0, np.inf), (-np.inf, 2.0), (-np.inf, np.inf)])
def test_ends_on_a_scale_are_those_by_there_and_back(ends: tuple[float, float]) -> None:
    scale, values = Scale(Range(*ends)), np.array([0.1, 0.4, 0.77, 0.999])
    reach = np.array([0.5, 3.0, 0.0, 1.0])
    low, high = np.empty(4), np.empty(4)
    scale.ends(values, reach, low, high)
    assert low == pytest.approx(scale.back(scale.to(values) - reach), rel=1e-12)
    assert high == pytest.approx(scale.back(scale.to(values) + reach), rel=1e-12)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["mcc", "positive_likelihood_ratio", "log_odds_ratio", "f1"])
def test_compiled_loops_in_threads_and_numpy_find_the_same_intervals(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    random = np.random.default_rng(8)
    tables = np.floor(10 ** random.uniform(0, 4, (4, 20_000))) * (random.random((4, 20_000)) < 0.95)
    monkeypatch.setattr(native, "LEAST", 1000)
    monkeypatch.setattr(native, "THREADED", 10_000)
    in_blocks = import_module("symmetrics.numeric.intervals.delta")
    monkeypatch.setattr(in_blocks, "THREADED", 10_000)
    monkeypatch.setattr(in_blocks, "_BLOCK", 3000)
    monkeypatch.setattr(in_blocks, "processors", lambda: 3)
    compiled = sm.metrics[name].interval(*tables, method="delta")
    monkeypatch.setenv("SYMMETRICS_NATIVE", "0")
    plain = sm.metrics[name].interval(*tables, method="delta")
    for part in ("low", "high", "estimate"):
        np.testing.assert_allclose(getattr(compiled, part), getattr(plain, part), rtol=1e-12, atol=1e-14)
