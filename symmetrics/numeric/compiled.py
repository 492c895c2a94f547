"""Vectorised values of formulas, in float64: a fast kernel for most tables, limits and exact arithmetic for others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr

from symmetrics.numeric.arrays import ArrayKernel
from symmetrics.numeric.counts import refuse_count, require_exact
from symmetrics.numeric.plans import Bounds, Output, Plan, plan_of
from symmetrics.numeric.precision import GUARD
from symmetrics.numeric.special import special_values

__all__ = ["evaluate"]

Array = NDArray[np.float64]
Blocks = Iterator[tuple[int, int, tuple[Array, ...]]]

ROUNDING: Final = 1e-12
"""How far outside of its range rounding may put a value."""
PENDING: Final = 1 << 16
"""Tables that are put aside before they are looked at together."""
EXACT: Final = 2.0**53


def evaluate(
    expression: Expr, cells: Sequence[NDArray[np.generic]], *, bounds: Bounds | None = None, out: Array | None = None
) -> Array:
    """Return the values of a formula at arrays of tables; nan where it has none, infinite where it has a pole.

    :param expression: a formula over the cells, without free parameters
    :param cells: four arrays of one shape, of real numbers
    :param bounds: the range of the formula: what rounding puts outside of it is put on its end
    :param out: where the values go, a contiguous float64 array of that shape
    :raises InputError: on counts that are negative, infinite or nan, or that float64 cannot hold
    """
    values = np.empty(cells[0].shape) if out is None else out
    fill([expression], [bounds], plan_kernel(expression, bounds), cells, [values.reshape(-1)])
    return values


def fill(
    expressions: Sequence[Expr],
    bounds: Sequence[Bounds | None],
    kernel: ArrayKernel | None,
    cells: Sequence[NDArray[np.generic]],
    outputs: Sequence[Array],
) -> None:
    """Fill flat arrays with the values of some formulas, block by block."""
    aside = [_Aside(*each) for each in zip(expressions, bounds, outputs, strict=True)]
    size = kernel.block if kernel is not None else PENDING
    inexact = {place for place, cell in enumerate(cells) if cell.dtype.kind in "iuf" and _may_be_inexact(cell.dtype)}
    registers = [np.empty(size) for _ in range(kernel.scratch)] if kernel is not None else []
    with np.errstate(all="ignore"):
        for start, stop, block in _blocks(cells, size):
            for place in tuple(inexact):
                if block[place].max() >= EXACT:
                    require_exact(cells, place)
                    inexact.discard(place)
            targets = [output[start:stop] for output in outputs]
            if kernel is None:
                _require_counts(cells, block)
                for each in aside:
                    each.put(start, block, slice(None), np.full(stop - start, np.nan))
            else:
                scratch = [register[: stop - start] for register in registers]
                clean, *trusted = kernel.run(*block, targets, scratch)
                if not clean:
                    _require_counts(cells, block)
                for number, each in enumerate(aside):
                    if not (clean and trusted[number]):
                        output = kernel.plan.outputs[number]
                        bad = doubtful(
                            kernel.plan,
                            output,
                            block,
                            targets[number],
                            kernel.looked_at(number, block, targets, scratch),
                        )
                        if bad.size:
                            each.put(start, block, bad, targets[number])
        for each in aside:
            each.settle()


def _may_be_inexact(kind: np.dtype[Any]) -> bool:
    """Whether numbers of a type may lose digits in float64."""
    return kind.itemsize >= 8 and kind != np.float64


def _require_counts(cells: Sequence[NDArray[np.generic]], block: tuple[Array, ...]) -> None:
    for place, cell in enumerate(block):
        if not (cell.min() >= 0 and cell.max() < np.inf):
            refuse_count(cells, place)


def doubtful(
    plan: Plan, output: Output, block: Sequence[Array], values: Array, checked: Sequence[Array]
) -> NDArray[np.intp]:
    """Return the places of values that are not certain to be right, after values were put into their range."""
    good = np.isfinite(values)
    high = 2.0**plan.power
    low = 0.0 if plan.takes_small else 2.0**-plan.power
    for cell in block:
        if not low <= cell.min():
            good &= (cell >= low) | (cell == 0)
        if not cell.max() <= high:
            good &= cell <= high
    if output.companion is not None:
        bound, *guards = checked
        if not bound.max() <= output.largest_companion:
            good &= bound <= output.largest_companion * np.maximum(1.0, np.abs(values))
        for guard in guards:
            good &= guard <= GUARD
    put_in_range(values, output.bounds)
    return np.flatnonzero(~good)


def put_in_range(values: Array, bounds: Bounds | None) -> None:
    """Put values on an end of their range that they miss by no more than rounding; in place."""
    if bounds is None or not values.size:
        return
    low, high = bounds
    if np.fmin.reduce(values) < low:
        values[(values < low) & (values >= low - ROUNDING)] = low
    if np.fmax.reduce(values) > high:
        values[(values > high) & (values <= high + ROUNDING)] = high


class _Aside:
    """Tables of one formula that the kernel leaves, looked at many at a time."""

    def __init__(self, expression: Expr, bounds: Bounds | None, output: Array) -> None:
        self.expression = expression
        self.bounds = bounds
        self.output = output
        self.places: list[NDArray[np.intp]] = []
        self.tables: list[list[Array]] = []
        self.size = 0

    def put(self, start: int, block: Sequence[Array], bad: NDArray[np.intp] | slice, values: Array) -> None:
        """Put some tables of a block aside, with what the kernel has found for them."""
        tables = [each[bad] for each in (*block, values)]
        places = np.arange(tables[0].size) if isinstance(bad, slice) else bad
        self.places.append(places + start)
        self.tables.append(tables)
        self.size += places.size
        if self.size >= PENDING:
            self.settle()

    def settle(self) -> None:
        if self.size:
            *tables, found = (np.concatenate(parts) for parts in zip(*self.tables, strict=True))
            cells = [cell + 0.0 for cell in tables]  # -0.0 would turn an infinite limit around
            values = special_values(self.expression)(cells, found)
            put_in_range(values, self.bounds)
            self.output[np.concatenate(self.places)] = values
        self.places, self.tables, self.size = [], [], 0


def _blocks(cells: Sequence[NDArray[np.generic]], size: int) -> Blocks:
    """Yield where each block of tables begins and ends, with its cells as float64 arrays; copies only where needed."""
    shape = cells[0].shape
    total = int(np.prod(shape, dtype=np.int64))
    if all(cell.dtype == np.float64 and cell.flags.c_contiguous and cell.flags.aligned for cell in cells):
        flat = [np.asarray(cell, dtype=np.float64).reshape(-1) for cell in cells]
        for start in range(0, total, size):
            stop = min(start + size, total)
            yield start, stop, tuple(cell[start:stop] for cell in flat)
        return
    if not total:
        return
    iterator = np.nditer(
        list(cells),
        flags=["external_loop", "buffered"],
        op_flags=[["readonly"]] * 4,
        op_dtypes=[np.float64] * 4,
        casting="unsafe",
        order="C",
        buffersize=size,
    )
    start = 0
    for block in iterator:
        stop = start + block[0].size
        yield start, stop, tuple(np.ascontiguousarray(cell) for cell in block)
        start = stop


@lru_cache(maxsize=512)
def plan_kernel(expression: Expr, bounds: Bounds | None) -> ArrayKernel | None:
    """Return the kernel of a formula, made once; None if it has no plan."""
    plan = plan_of(expression)
    return None if plan is None else ArrayKernel(plan.within([bounds]))
