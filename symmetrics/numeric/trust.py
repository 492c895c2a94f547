"""Which values of a kernel are right as they are: those whose errors are known to be small."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.numeric.plans import ROUNDING, Bounds, Output
from symmetrics.numeric.precision import GUARD
from symmetrics.numeric.programs import Computable, LibraryFormula

__all__ = ["KnownLimits", "doubtful", "faces_of", "known_limits", "put_in_range"]

Array = NDArray[np.float64]

_MOST: Final = 0.9
"""If this share of the errors is small in absolute terms, the others alone are compared with their values."""


class KnownLimits:
    """The faces, seen or told, on which nan, as a kernel finds it, stands for one and the same value.

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
    """Return the faces of a formula that need no closer look; for one of the library those shipped with it."""
    return KnownLimits(formula.limits if isinstance(formula, LibraryFormula) else None)


def faces_of(cells: Sequence[Array]) -> NDArray[np.uint8]:
    """Return, as bits, which cells are zero at each table."""
    faces = np.zeros(cells[0].shape, dtype=np.uint8)
    for place, cell in enumerate(cells):
        faces |= (cell == 0).view(np.uint8) << np.uint8(place)
    return faces


def doubtful(
    output: Output,
    values: Array,
    checked: Sequence[Array],
    within: NDArray[np.bool_] | None,
    block: Sequence[Array] | None = None,
) -> NDArray[np.intp]:
    """Return the places of values that are not certain to be right, after values were put into their range.

    :param checked: what bounds the errors of the values
    :param within: which tables are in the range of the plan, None if all of them are
    :param block: the cells, if the values are those of the output at whole counts, too
    """
    fine = np.isfinite(values) if output.companion is None else _have_small_bounds(output, values, checked)
    if within is not None:
        fine &= within
    left = np.flatnonzero(~fine)
    if left.size and output.companion is not None:
        here = None if block is None else [cell[left] for cell in block]
        certain = _are_certain(output, values[left], [each[left] for each in checked], here)
        if within is not None:
            certain &= within[left]
        left = left[~certain]
    put_in_range(values, output.bounds)
    return left


def _have_small_bounds(output: Output, values: Array, checked: Sequence[Array]) -> NDArray[np.bool_]:
    """Return where the errors of values are small at a first look; what is not finite has no such bound."""
    bound, *guards = checked
    is_small = bound <= output.largest_companion
    may_be_large = output.bounds is None or max(map(abs, output.bounds)) > 1
    if may_be_large and np.count_nonzero(is_small) < _MOST * is_small.size:
        most = np.abs(values)
        most *= output.largest_companion
        is_small |= bound < most
    for guard in guards:
        is_small &= guard <= GUARD
    return is_small


def _are_certain(
    output: Output, values: Array, checked: Sequence[Array], cells: Sequence[Array] | None
) -> NDArray[np.bool_]:
    """Return which values have small errors at a closer look, that at whole counts included if cells are given."""
    bound, *guards = checked
    certain = bound <= output.largest_companion * np.maximum(1.0, np.abs(values))
    for guard in guards:
        certain &= guard <= GUARD
    certain &= np.isfinite(values)
    if output.whole is not None and cells is not None:
        is_right = np.isfinite(values)
        for guard in guards:
            is_right &= guard < np.inf
        if output.has_exact_poles:
            is_right |= np.isinf(values) & np.all([cell > 0 for cell in cells], axis=0)
        certain |= is_right & _are_whole(cells, output.whole)
    return certain


def _are_whole(cells: Sequence[Array], most: float) -> NDArray[np.bool_]:
    """Return which tables are of whole numbers up to one."""
    whole = np.ones(cells[0].shape, dtype=bool)
    for cell in cells:
        whole &= (cell <= most) & (cell == np.rint(cell))
    return whole


def put_in_range(values: Array, bounds: Bounds | None) -> None:
    """Put values on an end of their range that they miss by no more than rounding; in place."""
    if bounds is None or not values.size:
        return
    low, high = bounds
    if not np.minimum.reduce(values) >= low:  # or there is a nan
        values[(values < low) & (values >= low - ROUNDING)] = low
    if not np.maximum.reduce(values) <= high:
        values[(values > high) & (values <= high + ROUNDING)] = high
