"""The check of trust lets right values pass, and errors in one pass are those of value and gradient."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np
import pytest
from effort import in_one_test, some
from mpmath import mp, mpf
from recorded import holds
from sympy import Abs, Expr, Max, Min, lambdify, log, sqrt

import symmetrics as sm
from symmetrics.algebra.derivative import gradient
from symmetrics.algebra.limits.extension import extension_of
from symmetrics.language.cells import CELLS, FN, FP, TN, TP
from symmetrics.metric.uncertainty import range_of
from symmetrics.numeric import native
from symmetrics.numeric.arrays import interpreted, slopes_of
from symmetrics.numeric.plans import ROUNDING, plan_of
from symmetrics.numeric.precision import ACCURACY, GUARD
from symmetrics.numeric.refine import recompute
from symmetrics.numeric.source import scalar_function
from symmetrics.numeric.trust import certain_on_arrays, put_in_range, with_ends
from symmetrics.statistics.delta import delta, is_free_of_size, standard_error, tangents
from symmetrics.statistics.intervals import GROUPS, Formula, Range, Scale

# -- tangents ----------------------------------------------------------------------------------------------------------


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
    in_blocks = import_module("symmetrics.statistics.delta")
    monkeypatch.setattr(in_blocks, "THREADED", 10_000)
    monkeypatch.setattr(in_blocks, "_BLOCK", 3000)
    monkeypatch.setattr(in_blocks, "processors", lambda: 3)
    compiled = sm.metrics[name].interval(*tables, method="delta")
    monkeypatch.setenv("SYMMETRICS_NATIVE", "0")
    plain = sm.metrics[name].interval(*tables, method="delta")
    for part in ("low", "high", "estimate"):
        np.testing.assert_allclose(getattr(compiled, part), getattr(plain, part), rtol=1e-12, atol=1e-14)


# -- trust -------------------------------------------------------------------------------------------------------------


TRUSTED: dict[str, Expr] = {
    "a difference": TP * TN - FN * FP,
    "over a difference": (TP + FN) / (TP - FP),
    "a difference over a difference": (TP * TN - FN * FP) / ((TP + FN) * (TP + FP) - (TN + FN) * (TN + FP)),
    "the root of a difference": sqrt((TP + TN) ** 2 - 4 * FN * FP / 3),
    "the logarithm of a difference": log(TP + TN - FN),
}


def tables() -> np.ndarray[Any, Any]:
    """Return tables of whole and other counts, many of which nearly cancel, none with a zero."""
    random = np.random.default_rng(11)
    near = np.floor(10 ** random.uniform(0, 9, 60)) + random.integers(1, 4, (4, 60))
    parts = [near, near / 3, near + random.integers(0, 2, near.shape) * 1e-7, 10 ** random.uniform(-4, 8, (4, 60))]
    return np.concatenate(parts, axis=1)


@pytest.mark.parametrize("formula", TRUSTED.values(), ids=TRUSTED)
@pytest.mark.parametrize("kind", [np.float64, np.longdouble])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_passes_is_right_and_one_table_at_a_time_passes_alike(formula: Expr, kind: type[Any]) -> None:
    plan, cells = plan_of(formula), list(tables())
    assert plan is not None
    (output,) = plan.outputs
    assert output.companion is not None
    results = interpreted(plan.program, output.places, cells, kind)
    values, *checked = (results[place] for place in output.places)
    unit = float(np.finfo(kind).eps) / 2
    sure = certain_on_arrays(output, values, checked, cells if kind is np.float64 else None, unit=unit)
    assert 0.1 < np.mean(sure) < (1 if kind is np.float64 else 1.1)
    exact = recompute(extension_of(formula), tables()[:, sure], 1e-25, have_values=True)
    wrong = np.abs(values[sure].astype(float) - exact) > ACCURACY * np.maximum(1, np.abs(exact))
    assert not wrong.any(), (tables()[:, sure][:, wrong], values[sure][wrong], exact[wrong])
    if kind is np.float64:
        without = certain_on_arrays(output, values, checked, None)
        one_by_one = [scalar_function(formula)(*table) is not None for table in tables().T.tolist()]
        assert one_by_one == without.tolist()


def test_each_condition_can_refuse_by_itself() -> None:
    plan = plan_of(TRUSTED["over a difference"])
    assert plan is not None
    (output,) = plan.outputs
    assert output.whole is not None
    assert len(output.guards) == 1
    whole, other = (np.array([cell]) for cell in (5.0, 5.5))
    most, guard = output.largest_companion(), GUARD
    for value, bound, loss, cell, wanted in (
        (1.0, most, guard, other, True),
        (1.0, 2 * most, guard, other, False),
        (4.0, 4 * most, guard, other, True),
        (1.0, most, 2 * guard, other, False),
        (np.nan, most, guard, other, False),
        (np.inf, most, guard, other, False),
        (1.0, 2 * most, 2 * guard, whole, True),
        (1.0, 2 * most, np.inf, whole, False),
        (1.0, 2 * most, guard, whole + output.whole, False),
    ):
        checked = [np.array([bound]), np.array([loss])]
        found = certain_on_arrays(output, np.array([value]), checked, [cell] * 4)
        assert found.tolist() == [wanted], (value, bound, loss, cell)


def test_values_go_to_an_end_of_their_range_only_if_rounding_alone_kept_them_from_it() -> None:
    given = np.array([-2 * ROUNDING, -ROUNDING / 2, 0.5, 1 + ROUNDING / 2, 1 + 2 * ROUNDING, np.nan, np.inf])
    put_in_range(found := given.copy(), (0.0, 1.0))
    np.testing.assert_array_equal(found[[1, 3]], [0.0, 1.0])
    np.testing.assert_array_equal(np.delete(found, [1, 3]), np.delete(given, [1, 3]))
    plan = plan_of(TP - FN)
    assert plan is not None
    output = plan.within([(0.0, 1.0)]).outputs[0]
    there = with_ends(output, given, lambda end, chosen, values: np.where(chosen, end, values))
    np.testing.assert_array_equal(there, found)
