"""The one check of trust: what it lets pass is right, wherever it is evaluated, and it lets pass what it should."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sympy import Expr, log, sqrt

from symmetrics.algebra.limits.extension import extension_of
from symmetrics.language.cells import FN, FP, TN, TP
from symmetrics.numeric.interpreted import interpreted
from symmetrics.numeric.plans import ROUNDING, plan_of
from symmetrics.numeric.precision import ACCURACY, GUARD
from symmetrics.numeric.refine import recompute
from symmetrics.numeric.scalars import scalar_function
from symmetrics.numeric.trust import certain_on_arrays, put_in_range, with_ends

FORMULAS: dict[str, Expr] = {
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


@pytest.mark.parametrize("formula", FORMULAS.values(), ids=FORMULAS)
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
    plan = plan_of(FORMULAS["over a difference"])
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
