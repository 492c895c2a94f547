"""Programs run in the extended precision of the processor, where it has one: 64 bits, and a far larger range."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.numeric.interpreted import interpreted
from symmetrics.numeric.plans import Output, Plan
from symmetrics.numeric.trust import certain_on_arrays

__all__ = ["extended_values"]

Array = NDArray[np.float64]

_EXTENDED: Final = np.finfo(np.longdouble)
_IS_EXTENDED: Final = bool(_EXTENDED.eps < 2.0**-60 and _EXTENDED.maxexp > 16000)
_UNIT: Final = float(_EXTENDED.eps) / 2
_WIDER: Final = 15
"""How many times larger the exponents of these numbers may be than those of float64."""


def extended_values(
    plan: Plan | None, cells: Sequence[Array], found: Array | None = None
) -> tuple[Array, NDArray[np.bool_]]:
    """Return values of a formula, and which of them are certain to be right: finite, and without loss of digits.

    :param found: the values in float64, if these are known and none of them is certain
    """
    size = cells[0].size
    if plan is None or not size:
        return np.full(size, np.nan), np.zeros(size, dtype=bool)
    output = plan.outputs[0]
    if found is None:
        values, good = _run(plan, output, cells, np.float64, 2.0**-53)
    else:
        values, good = found, np.zeros(size, dtype=bool)
    rest = np.flatnonzero(~good & _is_worth(plan, cells, values))
    if rest.size and _IS_EXTENDED:
        values[rest], good[rest] = _run(plan, output, [cell[rest] for cell in cells], np.longdouble, _UNIT)
    return values, good


def _is_worth(plan: Plan, cells: Sequence[Array], values: Array) -> NDArray[np.bool_]:
    """Return where more digits may help: not where a cell is zero and the formula has no value for it."""
    worth = np.isfinite(values)
    for cell in cells:
        worth |= (cell > 2.0**plan.power) | ((cell < 2.0**-plan.power) & (cell > 0))
    return worth


def _run(
    plan: Plan, output: Output, cells: Sequence[Array], kind: type[np.floating[Any]], unit: float
) -> tuple[Array, NDArray[np.bool_]]:
    results = interpreted(plan.program, output.places, cells, kind)
    values = np.array(results[output.place], dtype=np.float64)
    wider = 1 if kind is np.float64 else _WIDER
    good = np.ones(values.shape, dtype=bool)
    power = min(plan.power * wider, 1023)
    for cell in cells:
        good &= cell <= 2.0**power
        if not cell.min() >= 2.0**-power:
            good &= (cell >= 2.0**-power) | (cell == 0)
    checked = [results[place] for place in output.places[1:]]
    return values, good & certain_on_arrays(output, values, checked, None, unit=unit)
