"""Vectorised values of a formula, in float64, from its form in lowest terms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Rational, lambdify

from symmetrics.algebra.limits.extension import Extension, extension_of
from symmetrics.language.cells import CELL_NAMES, CELLS
from symmetrics.numeric.counts import Cells
from symmetrics.numeric.refine import ErrorBound, recompute

__all__ = ["evaluate"]

Array = NDArray[np.float64]

ACCURACY: Final = 1e-13
"""Error that rounding may leave in a value, absolute below 1 and relative above, before it is computed again."""
BLOCK: Final = 1 << 14
"""Tables evaluated at a time, so that the intermediate arrays stay in the processor's cache."""


def evaluate(expression: Expr, cells: Cells) -> Array:
    """Return the values of a formula at arrays of tables; nan where it has none, infinite where it has a pole.

    :param expression: a formula over the cells, without free parameters
    :param cells: four float64 arrays of one shape, as :func:`symmetrics.numeric.counts.as_cells` returns them
    """
    kernel = _kernel(expression)
    shape = cells.tp.shape
    flat = [np.ascontiguousarray(cell).reshape(-1) for cell in cells]
    values = np.empty(flat[0].size)
    with np.errstate(all="ignore"):
        for start in range(0, flat[0].size, BLOCK):
            block = slice(start, start + BLOCK)
            values[block] = kernel(*(cell[block] for cell in flat))
    return values.reshape(shape)


class _Kernel:
    """A compiled formula, and compiled limits for the faces on which it is 0/0."""

    def __init__(self, extension: Extension) -> None:
        self.extension = extension
        self.main = _compile(extension.expression)
        self.conditions = [_compile(condition) for condition in extension.conditions]
        self.faces: dict[int, _Limit | None] = {}
        self.bound = None if extension.is_well_conditioned else ErrorBound(extension.expression)

    def __call__(self, *cells: Array) -> Array:
        values, unreal = self.direct(cells)
        missing = np.flatnonzero(np.isnan(values) & ~unreal)
        if missing.size:
            self.fill(values, missing, [cell[missing] for cell in cells])
        if self.bound is not None or self.conditions:
            unsettled = np.flatnonzero(np.isnan(values) & ~self.is_undefined(cells))
            values[unsettled] = self.again([cell[unsettled] for cell in cells], have_values=False)
        return values

    def direct(self, cells: tuple[Array, ...]) -> tuple[Array, NDArray[np.bool_]]:
        """Return the values of the formula in lowest terms, and where it is known to be not real."""
        values = np.array(np.broadcast_to(self.main(*cells), cells[0].shape), dtype=np.float64)
        if self.bound is not None:
            self.refine(values, cells)
        unreal = np.zeros(values.shape, dtype=bool)
        for condition in self.conditions:
            unreal |= condition(*cells) < 0
        values[unreal] = np.nan
        if self.extension.has_two_sided_poles:
            values[np.isinf(values)] = np.nan
        return values, unreal

    def refine(self, values: Array, cells: tuple[Array, ...]) -> None:
        """Compute again, in ball arithmetic, the values that may have lost digits to cancellation."""
        if self.bound is None:
            return
        errors = self.bound(*cells)[1]
        lossy = np.flatnonzero(np.isfinite(values) & ~(errors <= ACCURACY * np.maximum(1.0, np.abs(values))))
        values[lossy] = self.again([cell[lossy] for cell in cells], have_values=True)

    def again(self, cells: list[Array], *, have_values: bool) -> Array:
        """Return values that no rounding has touched: each distinct table once, in ball or in exact arithmetic."""
        if not cells[0].size:
            return np.empty(0)
        tables, places = np.unique(np.stack(cells), axis=1, return_inverse=True)
        return recompute(self.extension, tables, ACCURACY, have_values=have_values)[places.reshape(-1)]

    def fill(self, values: Array, missing: NDArray[np.intp], cells: list[Array]) -> None:
        """Put limits where the quotient is 0/0 and its limit exists."""
        faces = _faces(cells)
        for face in np.unique(faces):
            if face and (limit := self.limit_on(int(face))) is not None:
                chosen = faces == face
                here = [cell[chosen] for cell in cells]
                found = limit(*here)
                self.settle(found, here)
                values[missing[chosen]] = found

    def settle(self, values: Array, cells: list[Array]) -> None:
        """Take limits back where the formula may be real at no table nearby, which exact arithmetic decides."""
        doubtful = np.zeros(values.shape, dtype=bool)
        for condition in self.conditions:
            doubtful |= condition(*cells) == 0
        for place in np.flatnonzero(doubtful & np.isfinite(values)):
            counts = (Rational(*float(cell[place]).as_integer_ratio()) for cell in cells)
            if not self.extension.is_real_nearby(dict(zip(CELLS, counts, strict=True))):
                values[place] = np.nan

    def is_undefined(self, cells: tuple[Array, ...]) -> NDArray[np.bool_]:
        """Return where the whole face that a table lies on is known to have no values."""
        faces = _faces(cells)
        known = [face for face in np.unique(faces) if face and self.extension.is_undefined_on_face(_zero_cells(face))]
        return np.isin(faces, known)

    def limit_on(self, face: int) -> _Limit | None:
        if face not in self.faces:
            zero_cells = _zero_cells(face)
            limit = self.extension.on_face(zero_cells)
            guards = self.extension.guards_on_face(zero_cells)
            self.faces[face] = None if limit is None else _Limit(_kernel(limit), [_compile(guard) for guard in guards])
        return self.faces[face]


def _faces(cells: Sequence[Array]) -> NDArray[np.int64]:
    """Return, as bits, which cells are zero at each table."""
    return np.asarray(sum((cell == 0).astype(np.int64) << place for place, cell in enumerate(cells)))


def _zero_cells(face: int) -> frozenset[str]:
    return frozenset(name for place, name in enumerate(CELL_NAMES) if int(face) >> place & 1)


class _Limit:
    """A compiled limit on a face, which is none where a guard is zero."""

    def __init__(self, kernel: _Kernel, guards: list[Callable[..., Any]]) -> None:
        self.kernel = kernel
        self.guards = guards

    def __call__(self, *cells: Array) -> Array:
        values, _ = self.kernel.direct(cells)
        values[np.isinf(values)] = np.nan
        for guard in self.guards:
            values[np.broadcast_to(guard(*cells) == 0, values.shape)] = np.nan
        return values


@lru_cache(maxsize=1024)
def _kernel(expression: Expr) -> _Kernel:
    return _Kernel(extension_of(expression))


def _compile(expression: Expr) -> Callable[..., Any]:
    function: Callable[..., Any] = lambdify(CELLS, expression, modules="numpy", cse=True)
    return function
