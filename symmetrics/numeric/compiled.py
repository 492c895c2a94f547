"""Vectorised float64 values of formulas: a fast kernel, with limits and exact arithmetic where it fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.data import EXACT
from symmetrics.data.counts import refuse_count, require_exact
from symmetrics.numeric.arrays import ArrayKernel
from symmetrics.numeric.native import CHUNK, DOUBTFUL, NO_COUNTS, NativeKernel, is_plain, native_kernel
from symmetrics.numeric.plans import Bounds, Computable, Plan, plan_of
from symmetrics.numeric.rounding_rules import Array
from symmetrics.numeric.trust import KnownLimits, doubtful, faces_of, known_limits, put_in_range
from symmetrics.tools.errors import InputError

Blocks = Iterator[tuple[int, int, tuple[Array, ...]]]

PENDING: Final = 1 << 16
"""Number of uncertain tables that are collected before they are recomputed together."""
_RUN: Final = 16 * PENDING // CHUNK
"""Number of chunks whose uncertain tables are collected at once."""
LARGEST: Final = float(np.finfo(np.float64).max)


def evaluate(
    expression: Computable,
    cells: Sequence[NDArray[np.generic]],
    *,
    bounds: Bounds | None = None,
    out: Array | None = None,
) -> Array:
    """Values of a formula at arrays of tables: nan where undefined, infinite at a pole.

    :param expression: a formula over the cells, without free parameters
    :param cells: four arrays of one shape, of real numbers
    :param bounds: the range of the formula: what rounding puts outside of it is put on its end
    :param out: where the values go, a contiguous float64 array of that shape
    :raises InputError: on counts that are negative, infinite or nan, or that float64 cannot hold, and on another *out*
    """
    values = np.empty(cells[0].shape) if out is None else checked_output(out, cells[0].shape)
    counts = cells if out is None else apart(cells, [values])
    fill([expression], [bounds], plan_within(expression, bounds), counts, [values.reshape(-1)])
    return values


def apart(cells: Sequence[NDArray[np.generic]], outputs: Sequence[Array]) -> list[NDArray[np.generic]]:
    """Return the cells, copied where they share memory with an output."""
    return [cell.copy() if any(np.may_share_memory(cell, each) for each in outputs) else cell for cell in cells]


def checked_output(out: Array, shape: tuple[int, ...]) -> Array:
    """Validate the ``out`` argument.

    :raises InputError: unless it is a float64 array of the shape, contiguous in memory and writeable
    """
    given: Any = out  # the caller may pass anything
    fits = isinstance(given, np.ndarray) and given.dtype == np.float64 and given.shape == shape
    if not (fits and given.flags.c_contiguous and given.flags.writeable):
        raise InputError(f"out is no array for the values; pass numpy.empty({shape})")
    return out


@lru_cache(maxsize=512)
def plan_within(expression: Computable, bounds: Bounds | None) -> Plan | None:
    """Return the plan of a formula whose values are clipped to a range; None if it has no plan."""
    plan = plan_of(expression)
    return None if plan is None else plan.within([bounds])


def fill(
    expressions: Sequence[Computable],
    bounds: Sequence[Bounds | None],
    plan: Plan | None,
    cells: Sequence[NDArray[np.generic]],
    outputs: Sequence[Array],
) -> None:
    """Evaluate several formulas into flat arrays in one pass over the cells.

    :param plan: that of the formulas together, with their ranges; None if they have none
    :param outputs: one contiguous array for each formula
    """
    aside = [_Aside(*each) for each in zip(expressions, bounds, outputs, strict=True)]
    with np.errstate(all="ignore"):
        if plan is None:
            for start, stop, block in _blocks(cells, PENDING):
                in_range(cells, block, 0.0, np.inf)
                for each in aside:
                    each.put(start, block, slice(None), np.full(stop - start, np.nan))
        elif (kernel := native_kernel(plan, cells)) is not None:
            _fill_natively(kernel, cells, outputs, aside)
        else:
            _fill_blocks(_array_kernel(plan), cells, outputs, aside)
        for each in aside:
            each.settle()


def _fill_blocks(
    kernel: ArrayKernel, cells: Sequence[NDArray[np.generic]], outputs: Sequence[Array], aside: Sequence[_Aside]
) -> None:
    kinds = [cell.dtype for cell in cells]
    # Wide integers and long doubles may lose digits in float64.
    inexact = {i for i, kind in enumerate(kinds) if kind.kind in "iuf" and kind.itemsize >= 8 and kind != np.float64}
    registers = [np.empty(min(kernel.block, cells[0].size)) for _ in range(kernel.scratch)]
    for start, stop, block in _blocks(cells, kernel.block):
        for place in tuple(inexact):
            if block[place].max() >= EXACT:
                require_exact(cells, place)
                inexact.discard(place)
        targets = [output[start:stop] for output in outputs]
        scratch = [register[: stop - start] for register in registers]
        clean, *trusted = kernel.run(*block, targets, scratch)
        if clean and all(trusted):
            continue
        within = None if clean else in_range(cells, block, kernel.plan.least, 2.0**kernel.plan.power)
        for number, each in enumerate(aside):
            if not (clean and trusted[number]):
                looked_at = kernel.looked_at(number, block, targets, scratch)
                bad = doubtful(kernel.plan.outputs[number], targets[number], looked_at, within, block)
                if bad.size:
                    each.put(start, block, bad, targets[number])


def _fill_natively(
    kernel: NativeKernel, cells: Sequence[NDArray[np.generic]], outputs: Sequence[Array], aside: Sequence[_Aside]
) -> None:
    flat = [np.asarray(cell, dtype=np.float64).reshape(-1) for cell in cells]
    for first in range(0, flat[0].size, kernel.slab):
        tables = slice(first, first + kernel.slab)
        block, values = [cell[tables] for cell in flat], [output[tables] for output in outputs]
        chunks, marked = kernel.run(block, values, [each.known for each in aside])
        if (chunks == NO_COUNTS).any():
            in_range(cells, block, 0.0, np.inf)
        for start, stop in _runs(np.flatnonzero(chunks == DOUBTFUL)):
            part = slice(start * CHUNK, stop * CHUNK)
            here = [cell[part] for cell in block]
            for each, marks, found in zip(aside, marked, values, strict=True):
                each.put(first + part.start, here, np.flatnonzero(marks[part] == DOUBTFUL), found[part])


def _runs(places: NDArray[np.intp]) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of runs of consecutive positions, split at the size of a batch."""
    if places.size:
        breaks = np.flatnonzero(np.diff(places) != 1) + 1
        for run in np.split(places, breaks):
            for start in range(int(run[0]), int(run[-1]) + 1, _RUN):
                yield start, min(start + _RUN, int(run[-1]) + 1)


@lru_cache(maxsize=512)
def _array_kernel(plan: Plan) -> ArrayKernel:
    return ArrayKernel(plan)


def in_range(
    cells: Sequence[NDArray[np.generic]], block: Sequence[Array], least: float, most: float
) -> NDArray[np.bool_] | None:
    """Mask of tables whose cells all lie in [least, most] or are zero; None if all do.

    :raises InputError: on a cell that is negative, infinite or nan
    """
    within: NDArray[np.bool_] | None = None
    smallest, largest = np.array([least, min(most, LARGEST)]).view(np.uint64)
    for place, cell in enumerate(block):
        bits = cell.view(np.uint64)  # as unsigned integers, floats keep their order; negative ones and nan are larger
        if np.maximum.reduce(bits) <= largest and (smallest == 0 or np.minimum.reduce(bits - 1) >= smallest - 1):
            continue
        low, high = np.minimum.reduce(cell), np.maximum.reduce(cell)
        if not (low >= 0 and high < np.inf):
            refuse_count(cells, place)
        here = (cell >= least) | (cell == 0)
        if high > most:
            here &= cell <= most
        within = here if within is None else within & here
    return within


class _Aside:
    """Tables that the kernel cannot settle for one formula, collected and recomputed in batches."""

    def __init__(self, expression: Computable, bounds: Bounds | None, output: Array) -> None:
        self.expression = expression
        self.bounds = bounds
        self.output = output
        self.places: list[NDArray[np.intp]] = []
        self.tables: list[list[Array]] = []
        self.size = 0

    def put(self, start: int, block: Sequence[Array], bad: NDArray[np.intp] | slice, values: Array) -> None:
        """Collect unsettled tables of a block with the kernel's values."""
        tables = [each[bad] for each in (*block, values)]
        places = np.arange(tables[0].size) if isinstance(bad, slice) else bad
        if self.known.faces:
            faces = faces_of(tables[:-1])
            is_known = np.isnan(tables[-1]) & (self.known.faces >> faces.astype(np.int64) & 1 == 1)
            self.output[places[is_known] + start] = self.known.values[faces[is_known]]
            left = ~is_known
            tables, places = [each[left] for each in tables], places[left]
        self.places.append(places + start)
        self.tables.append(tables)
        self.size += places.size
        if self.size >= PENDING:
            self.settle()

    @property
    def known(self) -> KnownLimits:
        """Limits on faces where the formula has one constant limit."""
        return known_limits(self.expression)

    def settle(self) -> None:
        if self.size:
            from symmetrics.numeric.special import special_values  # imports the algebra, which few tables need

            *tables, found = (np.concatenate(parts) for parts in zip(*self.tables, strict=True))
            cells = [cell + 0.0 for cell in tables]  # turns -0.0 into 0.0, as 1/-0.0 would be -oo
            values = special_values(self.expression)(cells, found)
            put_in_range(values, self.bounds)
            self.output[np.concatenate(self.places)] = values
        self.places, self.tables, self.size = [], [], 0


def _blocks(cells: Sequence[NDArray[np.generic]], size: int) -> Blocks:
    """Yield (start, stop, float64 cells) per block; copies only where needed."""
    shape = cells[0].shape
    total = int(np.prod(shape, dtype=np.int64))
    # Contiguous float64 arrays: blocks are views, nothing is copied.
    if is_plain(cells):
        flat = [np.asarray(cell, dtype=np.float64).reshape(-1) for cell in cells]
        for start in range(0, total, size):
            stop = min(start + size, total)
            yield start, stop, tuple(cell[start:stop] for cell in flat)
        return
    if not total:
        return
    # Any other layout or dtype: nditer broadcasts and converts into buffers of one block.
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
