"""The check of trust on arrays: which values are certainly accurate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.numeric.plans import Bounds, Computable, LibraryFormula, Output
from symmetrics.numeric.precision import GUARD
from symmetrics.numeric.rounding_rules import UNIT, Array
from symmetrics.numeric.source import LETTERS, Names, certain, missed_ends

_MOST: Final = 0.9
"""If this share of the errors is small in absolute terms, only the others are compared with their values."""


class KnownLimits:
    """Faces (zero patterns of cells) on which the kernel's nan stands for one constant limit.

    :ivar faces: these faces, as bits
    :ivar values: the value on each face
    """

    def __init__(self, values: Mapping[int, float] | None = None) -> None:
        self.faces = 0
        self.values: Array = np.full(16, np.nan)
        for face, value in (values or {}).items():
            self.learn(face, value)

    def learn(self, face: int, value: float) -> None:
        """Note the value on a face."""
        self.faces |= 1 << face
        self.values[face] = value


@lru_cache(maxsize=1024)
def known_limits(formula: Computable) -> KnownLimits:
    """Return the known limits of a formula; for one of the library those shipped with it."""
    return KnownLimits(formula.limits if isinstance(formula, LibraryFormula) else None)


def faces_of(cells: Sequence[Array]) -> NDArray[np.uint8]:
    """Bit mask of the zero cells of each table."""
    faces = np.zeros(cells[0].shape, dtype=np.uint8)
    for place, cell in enumerate(cells):
        faces |= (cell == 0).view(np.uint8) << np.uint8(place)
    return faces


@lru_cache(maxsize=1024)
def _on_arrays(condition: str, names: tuple[str, ...]) -> Callable[..., Any]:
    """Compile a condition to a function of arrays, given the library's function ``floor``."""
    found: Callable[..., Any] = eval(f"lambda floor, {', '.join(names)}: {condition}", {"inf": np.inf})  # generated
    return found


def certain_on_arrays(
    output: Output,
    values: Any,
    checked: Sequence[Any],
    cells: Sequence[Any] | None,
    *,
    unit: float = UNIT,
    floor: Callable[[Any], Any] = np.floor,
) -> Any:
    """Mask of values that are certainly accurate, given cells in the range of the plan.

    :param checked: the error bounds: the companion and the guards, if any
    :param cells: if the values are those of the output at whole counts, too
    """
    names = Names("value", "bound" if checked else "", tuple(f"guard{place}" for place in range(len(checked) - 1)))
    condition = certain(output, names, unit, at_whole_counts=cells is not None)
    named = (names.value, names.bound, *names.guards) if checked else (names.value,)
    given = dict(zip(named, (values, *checked), strict=True))
    given |= dict(zip(LETTERS, cells or (), strict=False))
    return _on_arrays(condition, tuple(given))(floor, *given.values())


def doubtful(
    output: Output,
    values: Array,
    checked: Sequence[Array],
    within: NDArray[np.bool_] | None,
    block: Sequence[Array] | None = None,
) -> NDArray[np.intp]:
    """Clip values to their range; return the indices of those that are not certainly accurate.

    :param checked: the error bounds of the values
    :param within: which tables are in the range of the plan, None if all of them are
    :param block: the cells, if the values are those of the output at whole counts, too
    """
    fine = np.isfinite(values) if output.companion is None else _have_small_bounds(output, values, checked)
    if within is not None:
        fine &= within
    left = np.flatnonzero(~fine)
    if left.size and output.companion is not None:
        here = None if block is None else [cell[left] for cell in block]
        sure = certain_on_arrays(output, values[left], [each[left] for each in checked], here)
        if within is not None:
            sure &= within[left]
        left = left[~sure]
    put_in_range(values, output.bounds)
    return left


def _have_small_bounds(output: Output, values: Array, checked: Sequence[Array]) -> NDArray[np.bool_]:
    """Quick mask of certain values: finite, with small error bounds."""
    bound, *guards = checked
    is_small = bound <= output.largest_companion()
    may_be_large = output.bounds is None or max(map(abs, output.bounds)) > 1
    if may_be_large and np.count_nonzero(is_small) < _MOST * is_small.size:
        most = np.abs(values)
        most *= output.largest_companion()
        is_small |= bound < most
    for guard in guards:
        is_small &= guard <= GUARD
    return is_small


def put_in_range(values: Array, bounds: Bounds | None) -> None:
    """Move values that are beyond an end of their range, by rounding alone, to that end; in place."""
    if bounds is None or not values.size:
        return
    low, high = bounds
    lower = None if values.min() >= low else low  # True also for nan
    upper = None if values.max() <= high else high
    for end, condition in missed_ends(lower, upper, "value"):
        values[_on_arrays(condition, ("value",))(np.floor, values)] = end


def with_ends(output: Output, values: Any, put: Callable[[float, Any, Any], Any]) -> Any:
    """Clip values that rounding alone puts outside their range.

    :param put: returns values with a number where a condition holds
    """
    for end, condition in missed_ends(output.lower, output.upper, "value"):
        values = put(end, _on_arrays(condition, ("value",))(None, values), values)
    return values
