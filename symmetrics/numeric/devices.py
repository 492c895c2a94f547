"""Evaluation on an accelerator through the array API standard.

The operations of a plan run one after the other, and so do the bounds of their errors and the limits that are the same
on a whole face; the few tables that are left come to NumPy, and their values go back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import prod
from typing import Any, Final, NamedTuple

import numpy as np

from symmetrics.data import EXACT
from symmetrics.data.counts import Counts, as_cells, refuse_shapes, refuse_type
from symmetrics.data.factorise import compatible, is_foreign, is_on_processor, on_host, require_double, same_kind
from symmetrics.numeric.arrays import computed
from symmetrics.numeric.compiled import evaluate
from symmetrics.numeric.operations import OPERATIONS
from symmetrics.numeric.plans import Bounds, Computable, Output, Plan
from symmetrics.numeric.precision import GUARD
from symmetrics.numeric.program import Program
from symmetrics.numeric.rounding_rules import number_value
from symmetrics.numeric.trust import certain_on_arrays, known_limits, with_ends
from symmetrics.tools.errors import InputError

_SLAB: Final = 1 << 24
"""Tables per step, so that intermediate arrays fit into the device's memory."""
_FIRST: Final = 1 << 12
"""Tables evaluated by NumPy first: they determine the limits on whole faces, which most other tables share."""


class Task(NamedTuple):
    """Formulas evaluated together.

    :param plan: that of all of them, with their ranges; None if they have none
    """

    expressions: Sequence[Computable]
    bounds: Sequence[Bounds | None]
    plan: Plan | None


def values_where_they_lie(
    tasks: Iterable[Task], by_numpy: Callable[[], Iterable[Any]], counts: Sequence[Any], replacement: float
) -> list[Any]:
    """Values of all formulas as float64 arrays on the device of the counts.

    :param by_numpy: returns them as NumPy has them, which shares the memory of arrays that lie in the processor's
    :param counts: four that broadcast: arrays of one library on one device, or what NumPy reads
    :param replacement: the value where a formula has none
    :raises InputError: on what is no count, on shapes that do not broadcast, on arrays of two libraries or devices, on
        a library or device without float64, and without array-api-compat
    """
    named = zip(Counts._fields, counts, strict=True)
    arrays = {name: count for name, count in named if is_foreign(count)}
    if {is_on_processor(array, name) for name, array in arrays.items()} == {True}:
        first = next(iter(arrays.values()))
        return [same_kind(values, first) for values in by_numpy()]
    device = _Device(list(arrays.values()))
    tables = device.tables(counts)
    found = []
    for task in tasks:
        parts: list[list[Any]] = [[] for _ in task.expressions]
        for first in range(0, max(tables.size, 1), _SLAB):
            block = [cell[first : min(first + _SLAB, tables.size)] for cell in tables.cells]
            for part, values in zip(parts, device.values(task, tables, block), strict=True):
                part.append(
                    values if np.isnan(replacement) else device.put(replacement, device.xp.isnan(values), values)
                )
        whole = (part[0] if len(part) == 1 else device.xp.concat(part) for part in parts)
        found += [device.xp.reshape(values, tables.shape) for values in whole]
    return found


class _Tables(NamedTuple):
    """Counts on a device.

    :param cells: flat float64 arrays of one length
    :param shape: what the values are to have
    :param lows: the least of each of the four
    :param highs: the largest of each
    """

    cells: list[Any]
    shape: tuple[int, ...]
    lows: list[float]
    highs: list[float]

    @property
    def size(self) -> int:
        return prod(self.shape)


class _Device:
    """An array library and one of its devices."""

    def __init__(self, arrays: Sequence[Any]) -> None:
        compat = compatible("one of the counts")
        try:
            self.xp: Any = compat.array_namespace(*arrays)
        except TypeError:
            raise InputError("the counts are arrays of different libraries; pass all four as arrays of one") from None
        places = {str(compat.device(array)) for array in arrays}
        if len(places) > 1:
            raise InputError(f"the counts lie on different devices, {', '.join(sorted(places))}; bring them to one")
        self.place = compat.device(arrays[0])

    def array(self, values: Any) -> Any:
        """Numbers as an array on the device."""
        return self.xp.asarray(values, device=self.place)

    def number(self, value: float) -> Any:
        return self.xp.asarray(value, dtype=self.xp.float64, device=self.place)

    def put(self, value: float, chosen: Any, values: Any) -> Any:
        """Values with *value* where *chosen*."""
        return self.xp.where(chosen, self.number(value), values)

    def extremes(self, arrays: Sequence[Any]) -> tuple[list[float], list[float]]:
        """Minimum and maximum of each array (nan propagates), with one transfer from the device."""
        together = [find(array) for find in (self.xp.min, self.xp.max) for array in arrays]
        numbers = on_host(self.xp.stack(together), "a count").tolist()
        return numbers[: len(arrays)], numbers[len(arrays) :]

    def tables(self, counts: Sequence[Any]) -> _Tables:
        """Return counts as float64, checked."""
        read = as_cells(*(0 if is_foreign(count) else count for count in counts))  # checks all but the library's arrays
        pairs = zip(counts, read, strict=True)
        given = [count if is_foreign(count) else self.array(cell.copy()) for count, cell in pairs]
        for name, count in zip(Counts._fields, given, strict=True):
            if not self.xp.isdtype(count.dtype, ("bool", "integral", "real floating")):
                refuse_type(name, count.dtype)
        try:
            doubles = [self.xp.astype(count, self.xp.float64, copy=False) for count in given]
        except TypeError:
            raise InputError(
                "values are float64, which this device does not have; bring the counts to another device"
            ) from None
        require_double(self.xp, doubles[0])
        try:
            together = self.xp.broadcast_arrays(*doubles)
        except (RuntimeError, ValueError):
            refuse_shapes(given)
        shape = tuple(together[0].shape)
        cells = [self.xp.reshape(cell, (-1,)) for cell in together]
        if not prod(shape):
            return _Tables(cells, shape, [1.0] * 4, [1.0] * 4)
        lows, highs = self.extremes(doubles)
        if not all(low >= 0 and high < EXACT for low, high in zip(lows, highs, strict=True)):
            # NumPy raises the error that names the faulty count.
            as_cells(*(on_host(count, name) for name, count in zip(Counts._fields, given, strict=True)))
        return _Tables(cells, shape, lows, highs)

    def values(self, task: Task, tables: _Tables, block: Sequence[Any]) -> Iterator[Any]:
        """Yield the values of each formula at some tables."""
        zeros, plan = self.xp.zeros_like(block[0]), task.plan
        results = {} if plan is None else self.run(plan.program, plan.places, block)
        within = None if plan is None else self.in_plan(plan, tables, block)
        seen = set[int]()
        for number, (expression, bounds) in enumerate(zip(task.expressions, task.bounds, strict=True)):
            if plan is None:
                yield self.settled(expression, bounds, zeros + np.nan, zeros > 0, block)
                continue
            output = plan.outputs[number]
            values = results[output.place]
            if plan.program.operations[output.place][0] in ("cell", "number") or output.place in seen:
                values = zeros + values  # a new array, not a view of the cells
            seen.add(output.place)
            if within is None and self.are_trusted(output, values, results):
                yield values
                continue
            checked = [results[place] for place in output.places[1:]]
            sure = certain_on_arrays(output, values, checked, block, floor=self.xp.floor)
            sure = sure if within is None else sure & within
            yield self.settled(expression, bounds, with_ends(output, values, self.put), sure, block)

    def run(self, program: Program, wanted: Sequence[int], block: Sequence[Any]) -> dict[int, Any]:
        """Return the values of some operations."""
        return computed(
            program,
            wanted,
            block,
            lambda value: self.number(number_value(value)),
            lambda name: getattr(self.xp, OPERATIONS[name].standard or name),
        )

    def in_plan(self, plan: Plan, tables: _Tables, block: Sequence[Any]) -> Any:
        """Mask of tables within a plan's range, None if all are; devices may flush tiny cells to zero."""
        low, high = 2.0**-plan.power, 2.0**plan.power
        within = None
        for cell, least, largest in zip(block, tables.lows, tables.highs, strict=True):
            if least >= low and largest <= high:
                continue
            here = ((cell >= low) | (cell == 0)) & (cell <= high)
            within = here if within is None else within & here
        return within

    def are_trusted(self, output: Output, values: Any, results: dict[int, Any]) -> bool:
        """Whether all values have small error bounds and lie in their range, given cells in the plan's range."""
        looked_at = [values, *(results[place] for place in output.places[1:])]
        if not values.shape[0]:
            return True
        lows, highs = self.extremes(looked_at)
        low = -np.inf if output.lower is None else output.lower
        high = np.inf if output.upper is None else output.upper
        is_fine = low <= lows[0] and highs[0] <= high and -np.inf < lows[0] and highs[0] < np.inf
        if output.companion is not None:
            is_fine = is_fine and highs[1] <= output.largest_companion()
        return bool(is_fine and all(highest <= GUARD for highest in highs[2:]))

    def settled(
        self, expression: Computable, bounds: Bounds | None, values: Any, sure: Any, block: Sequence[Any]
    ) -> Any:
        """Replace uncertain values by NumPy's, or by known limits on faces."""
        xp, known = self.xp, known_limits(expression)
        for most in (_FIRST, values.shape[0]):
            if known.faces:
                face = sum(xp.astype(cell == 0, xp.int64) * (1 << place) for place, cell in enumerate(block))
                flags = self.array(np.array([known.faces >> each & 1 == 1 for each in range(16)]))
                is_known = ~sure & xp.isnan(values) & xp.take(flags, face)
                values = xp.where(is_known, xp.take(self.array(known.values), face), values)
                sure = sure | is_known
            if bool(xp.all(sure)):
                break
            rank = xp.cumulative_sum(xp.astype(~sure, xp.int64))
            chosen = ~sure & (rank <= most)
            places = xp.nonzero(chosen)[0]
            tables = [on_host(xp.take(cell, places), "a count") for cell in block]
            found = self.array(evaluate(expression, tables, bounds=bounds))
            values = xp.where(chosen, xp.take(found, xp.clip(rank - 1, 0, found.shape[0] - 1)), values)
            sure = sure | chosen
        return values
