"""Laws of rising as steps in the cells, and by which of them one table becomes another but for factors of its cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy.optimize import nnls
from sympy import Expr, Integer, Symbol, cancel, linsolve

from symmetrics.checker.engine.forms import Signs
from symmetrics.claims.theorems.laws import Instance, Law
from symmetrics.language.cells import CELLS, Table
from symmetrics.prover.theorems.motions import Vector

__all__ = ["Rise", "risen", "rises_of", "shifted"]

_NUMBERS: Final = ((5, 7, 11, 13, 3), (2, 31, 3, 5, 17), (19, 2, 23, 3, 1))
TOLERANCE: Final = 1e-9
"""What is smaller is 0 at a sample: it suggests a walk, which is then made and checked exactly."""


@dataclass(frozen=True)
class Rise:
    """M is larger where t is added to each cell so many times as ``after`` says than where it is as ``before`` says."""

    premise: str
    label: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    step: Symbol

    @property
    def direction(self) -> tuple[int, ...]:
        """What is added to each cell."""
        return tuple(b - a for a, b in zip(self.before, self.after, strict=True))

    def from_table(self, table: Sequence[Any], size: Any) -> Instance:
        """Return the law as it is applied at a table."""
        cells = {cell: cancel(entry - k * size) for cell, entry, k in zip(CELLS, table, self.before, strict=True)}
        return Instance(self.premise, self.label, {**cells, self.step: size})


def rises_of(premise: str, laws: Iterable[Law]) -> list[Rise] | None:
    """Return the laws of a property as rises; None if one of them is something else."""
    found = []
    for law in laws:
        steps = sorted(
            set().union(*(cell.free_symbols for table in law.tables for cell in table)) - set(CELLS), key=str
        )
        if law.sign != ">" or len(steps) != 1:
            return None
        (step,) = steps
        times = [tuple(int(entry.coeff(step)) for entry in table) for table in law.tables]
        rise = Rise(premise, law.label, times[0], times[1], step)
        if law.tables != tuple(shifted(count, step) for count in times):
            return None
        found.append(rise)
    return found


def shifted(times: Sequence[int], step: Expr) -> Table:
    """Return the cells, to each of which a step is added so many times."""
    first, second, third, fourth = (cell + k * step for cell, k in zip(CELLS, times, strict=True))
    return first, second, third, fourth


def risen(
    start: Table, goal: Table, rises: Sequence[Rise], family: Sequence[Vector], step: Symbol
) -> Iterator[tuple[Table, list[tuple[Rise, Expr]]]]:
    """Yield where rises begin, and how far each goes, so that factors of the family make up for the rest.

    The cells are multiplied after the rises, or before them, or both times: by factors of 1 or more, or by any where
    all cells are multiplied, so that one factor can be 1.
    """
    grouped = [Integer(any(group[k] for group in family)) for k in range(4)]
    here, there = ([_times(group, table) for group in family] for table in (start, goal))
    moves = [[Integer(d) for d in rise.direction] for rise in rises]
    after = _Ways([*there, *map(_minus, moves)], _sum(start, _minus(_apart(goal, grouped))), len(family))
    before = _Ways([*here, *moves], _sum(goal, _minus(_apart(start, grouped))), len(family))
    both = _Ways([*here, *map(_minus, there), *moves], _sum(goal, _minus(start)), 0)
    for ways in (after, before, both):
        for found in ways.solved(step):
            sizes = found[len(found) - len(rises) :]
            chosen = [(rise, size) for rise, size in zip(rises, sizes, strict=True) if size != 0]
            begin = start
            if ways is not after:
                unmoved = _apart(start, grouped) if ways is before else start
                weighted = zip(found[: len(family)], here, strict=True)
                begin = _table(_sum(unmoved, *([weight * cell for cell in group] for weight, group in weighted)))
            if chosen:
                yield begin, chosen
    if all(grouped) and len(family) > 1:
        yield from _between_multiples(here, there, moves, rises, step)


def _between_multiples(
    here: Sequence[Column], there: Sequence[Column], moves: Sequence[Column], rises: Sequence[Rise], step: Symbol
) -> Iterator[tuple[Table, list[tuple[Rise, Expr]]]]:
    """Yield rises from a multiple of the start to one of the goal, where the first factor of the start is 1."""
    ways = _Ways([*here[1:], *map(_minus, there), *moves], _minus(here[0]), len(here) - 1 + len(there))
    for found in ways.solved(step):
        factors, sizes = found[: len(here) - 1], found[len(found) - len(rises) :]
        weighted = zip(factors, here[1:], strict=True)
        begin = _table(_sum(here[0], *([weight * cell for cell in group] for weight, group in weighted)))
        chosen = [(rise, size) for rise, size in zip(rises, sizes, strict=True) if size != 0]
        if chosen:
            yield begin, chosen


Column = Sequence[Expr]


def _times(group: Vector, table: Column) -> Column:
    return [Integer(int(k)) * cell for k, cell in zip(group, table, strict=True)]


def _apart(table: Column, grouped: Column) -> Column:
    """Return the cells that no factor multiplies, and 0 for the others."""
    return [(1 - k) * cell for k, cell in zip(grouped, table, strict=True)]


def _minus(column: Column) -> Column:
    return [-entry for entry in column]


def _sum(*columns: Column) -> Column:
    return [sum(entries, Integer(0)) for entries in zip(*columns, strict=True)]


def _table(column: Column) -> Table:
    first, second, third, fourth = map(cancel, column)
    return first, second, third, fourth


@dataclass(frozen=True)
class _Ways:
    """Columns that are to be combined, with weights of 0 or more, to a target.

    :param positive: of so many columns, the first, the weights are to be more than 0
    """

    columns: Sequence[Column]
    target: Column
    positive: int

    def solved(self, step: Symbol) -> Iterator[list[Expr]]:
        """Yield weights that are right for all positive cells: as few as the equations need, the others 0."""
        seen = set()
        for numbers in _NUMBERS:
            at = dict(zip((*CELLS, step), numbers, strict=True))
            matrix = np.array([[float(entry.xreplace(at)) for entry in column] for column in self.columns]).T
            weights, distance = nnls(matrix, np.array([float(entry.xreplace(at)) for entry in self.target]))
            support = tuple(np.flatnonzero(weights > TOLERANCE).tolist())
            if distance < TOLERANCE and support not in seen and {*range(self.positive)} <= {*support}:
                seen.add(support)
                found = self._everywhere(support, step)
                if found is not None:
                    yield found

    def _everywhere(self, support: tuple[int, ...], step: Symbol) -> list[Expr] | None:
        unknown = [Symbol(f"weight{k}") for k in support]
        equations = [
            sum((weight * self.columns[k][row] for weight, k in zip(unknown, support, strict=True)), -self.target[row])
            for row in range(4)
        ]
        solutions = list(linsolve(equations, unknown))
        if len(solutions) != 1 or any(value.free_symbols & {*unknown} for value in solutions[0]):
            return None
        known = Signs((), (*CELLS, step))
        found = dict(zip(support, map(cancel, solutions[0]), strict=True))
        if not all(map(known.is_positive, found.values())):
            return None
        return [found.get(k, Integer(0)) for k in range(len(self.columns))]
