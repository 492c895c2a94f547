"""Consequences of monotonicity laws with invariances: further monotonicity, or a contradiction.

A walk on which M rises and that ends where it began shows that no M has the laws.  Such walks are looked for on tables
of small integers, where tables with the same value of M for all M with the invariances count as one.  That none is
found shows nothing.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Any, Final

import numpy as np
from scipy.optimize import nnls
from sympy import Expr, Integer, Symbol, cancel, linsolve

from symmetrics.checker.engine.splits import Signs
from symmetrics.claims.theorems.implications import Walk
from symmetrics.claims.theorems.laws import Instance, Law, image
from symmetrics.language.cells import CELLS, Table
from symmetrics.prover.theorems.invariances import Invariances, Permutation, Step, Vector, solve, walk_of

# ----------------------------------------------------------------------------------------------------------------------
# Monotonicity laws as steps in the cells; combine them to lead from one table to another up to factors of cells.


_NUMBERS: Final = ((5, 7, 11, 13, 3), (2, 31, 3, 5, 17), (19, 2, 23, 3, 1))
TOLERANCE: Final = 1e-9
"""Value of the small quantity t at sample points, where it suggests a walk that is then checked exactly."""


@dataclass(frozen=True)
class Rise:
    """A monotonicity law: M is larger with ``after[k]*t`` added to each cell k than with ``before[k]*t`` added."""

    premise: str
    label: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    step: Symbol

    @property
    def direction(self) -> tuple[int, ...]:
        """Change of each cell, in units of t."""
        return tuple(b - a for a, b in zip(self.before, self.after, strict=True))

    def from_table(self, table: Sequence[Any], size: Any) -> Instance:
        """Return the law applied at a table."""
        cells = {cell: cancel(entry - k * size) for cell, entry, k in zip(CELLS, table, self.before, strict=True)}
        return Instance(self.premise, self.label, {**cells, self.step: size})


def rises_of(premise: str, laws: Iterable[Law]) -> list[Rise] | None:
    """Return the laws of a property as rises; None if one of them is of another kind."""
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
    """Add a step to each cell a given number of times."""
    first, second, third, fourth = (cell + k * step for cell, k in zip(CELLS, times, strict=True))
    return first, second, third, fourth


def risen(
    start: Table, goal: Table, rises: Sequence[Rise], family: Sequence[Vector], step: Symbol
) -> Iterator[tuple[Table, list[tuple[Rise, Expr]]]]:
    """Yield starting points and lengths of rises such that factors of the family account for the rest.

    The cells are multiplied after the rises, or before them, or both times: by factors of 1 or more, or by any where
    all cells are multiplied, so that one factor can be 1.
    """
    # Unknowns: a factor for each group of cells, and the length of each rise, all non-negative.
    grouped = [Integer(any(group[k] for group in family)) for k in range(4)]
    here, there = ([_times(group, table) for group in family] for table in (start, goal))
    moves = [[Integer(d) for d in rise.direction] for rise in rises]
    # Factors at the end, at the start, or at both ends of the rises.
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
                begin = _cancelled_table(
                    _sum(unmoved, *([weight * cell for cell in group] for weight, group in weighted))
                )
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
        begin = _cancelled_table(_sum(here[0], *([weight * cell for cell in group] for weight, group in weighted)))
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


def _cancelled_table(column: Column) -> Table:
    first, second, third, fourth = map(cancel, column)
    return first, second, third, fourth


@dataclass(frozen=True)
class _Ways:
    """Find non-negative weights under which some columns add up to a target.

    :param positive: number of columns, from the first, whose weights have to be positive
    """

    columns: Sequence[Column]
    target: Column
    positive: int

    def solved(self, step: Symbol) -> Iterator[list[Expr]]:
        """Yield weights valid for all positive cells: as few non-zero ones as the equations need."""
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


# ----------------------------------------------------------------------------------------------------------------------


SIZES: Final = (1, 2, 3)
"""The counts in the cells of the sample tables."""
MOST_STEPS: Final = 4
SAMPLES: Final = tuple(
    dict(zip((*CELLS, "t"), sample, strict=True))
    for sample in ((5, 7, 11, 13, 3), (2, 31, 3, 5, 17), (19, 2, 23, 3, 1))
)


@dataclass(frozen=True)
class _Edge:
    start: int
    end: int
    tables: tuple[Table, Table]
    instance: Instance


class Rises:
    """Walks along which M increases, for all M with some invariances and some monotonicity laws."""

    def __init__(self, invariances: Invariances, rises: Iterable[Rise]) -> None:
        self.invariances = invariances
        self.rises = tuple(rises)
        self._labels: dict[tuple[int, ...], int] = {}
        self._numbers: dict[Hashable, int] = {}

    # -- contradictions ------------------------------------------------------------------------------------------------

    def contradiction(self) -> Walk | None:
        """Return an increasing walk that ends where it began (a contradiction); None if small tables have none."""
        leaving: dict[int, list[_Edge]] = {}
        for edge in self.edges:
            leaving.setdefault(edge.start, []).append(edge)
        best: list[_Edge] | None = None
        for place in leaving:
            cycle = _shortest_cycle(place, leaving, len(best) if best else MOST_STEPS + 1)
            best = cycle or best
            if best and len(best) == 1:
                break
        return None if best is None else self._closed(best)

    def contradicts(self, premises: Sequence[str]) -> bool:
        """Whether some of the properties alone give a contradictory cycle at small tables."""
        leaving: dict[int, set[int]] = {}
        for edge in self.edges:
            if edge.instance.premise in premises:
                leaving.setdefault(edge.start, set()).add(edge.end)
        try:
            TopologicalSorter(leaving).prepare()
        except CycleError:
            return True
        return False

    @cached_property
    def edges(self) -> list[_Edge]:
        """The monotonicity laws as edges between classes of small tables."""
        found: dict[tuple[int, int, str], _Edge] = {}
        for rise in self.rises:
            for cells in itertools.product(SIZES, repeat=4):
                for size in (1, 2):
                    lower, upper = (
                        tuple(cell + k * size for cell, k in zip(cells, times, strict=True))
                        for times in (rise.before, rise.after)
                    )
                    ends = self.label(lower), self.label(upper)
                    if (*ends, rise.premise) not in found:
                        tables = (_integers(lower), _integers(upper))
                        instance = rise.from_table(tables[0], Integer(size))
                        found[*ends, rise.premise] = _Edge(*ends, tables, instance)
        return list(found.values())

    def label(self, table: tuple[int, ...]) -> int:
        """Return a label of a table, the same exactly for tables that the invariances identify."""
        if table not in self._labels:
            self._labels[table] = self._numbers.setdefault(self._class_of(table), len(self._numbers))
        return self._labels[table]

    def _class_of(self, table: tuple[int, ...]) -> Hashable:
        if self._constant or any(_value(table, plane.normal) == 1 for plane in self.invariances.planes):
            return ()
        images = ([table[place] for place in places] for places in self.invariances.permutations)
        values = ([_value(image_of, normal) for normal in self._normals] for image_of in images)
        return min(tuple((v.numerator, v.denominator) for v in each) for each in values) or (1,)

    @cached_property
    def _constant(self) -> bool:
        return self.invariances.makes_constant

    @cached_property
    def _normals(self) -> list[Vector]:
        """Basis of the integer vectors that are orthogonal to all translations."""
        span = [*self.invariances.translations]
        found: list[Vector] = []
        for entries in sorted(itertools.product((-1, 0, 1), repeat=4), key=lambda v: sum(map(abs, v))):
            vector = tuple(map(Fraction, entries))
            orthogonal = all(sum(a * b for a, b in zip(vector, other, strict=True)) == 0 for other in span)
            if orthogonal and any(vector) and solve(found, vector) is None:
                found.append(vector)
        return found

    def _closed(self, cycle: Sequence[_Edge]) -> Walk | None:
        start, steps = cycle[0].tables[0], list[Instance]()
        for edge, following in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
            way = self.invariances.same(edge.tables[1], following.tables[0])
            if way is None:
                return None
            steps += [edge.instance, *walk_of(edge.tables[1], way)[0].steps]
        return Walk(start, tuple(steps))

    # -- further increases ---------------------------------------------------------------------------------------------

    def between(self, law: Law, rise: Rise) -> Walk | None:
        """Return a walk between the tables of a law along which M increases; None if none is found.

        :param rise: the law as a step
        """
        (lower, upper), step = law.tables, rise.step
        return self._by_small_steps(lower, upper, step) or self._by_scaling(lower, upper, step)

    def _by_small_steps(self, lower: Table, upper: Table, step: Symbol) -> Walk | None:
        start, goal = _places(lower, step), _places(upper, step)
        before: dict[Any, tuple[Any, Any] | None] = {(start, False): None}
        waiting = deque([((start, False), 0)])
        while waiting:
            (state, risen), depth = waiting.popleft()
            if state == goal and risen:
                return self._walked(lower, (state, risen), before, step)
            for move, image_of in self._small_steps(state) if depth < MOST_STEPS else ():
                after = (image_of, risen or isinstance(move, Rise))
                if after not in before:
                    before[after] = ((state, risen), move)
                    waiting.append((after, depth + 1))
        return None

    def _small_steps(self, state: tuple[tuple[int, int], ...]) -> Iterator[tuple[Any, tuple[tuple[int, int], ...]]]:
        for motion in self.invariances.motions:
            if isinstance(motion, Permutation):
                yield motion, tuple(state[place] for place in motion.places)
        for rise in self.rises:
            moved = tuple((cell, k + d) for (cell, k), d in zip(state, rise.direction, strict=True))
            if all(k >= b for (_, k), b in zip(state, rise.before, strict=True)) and all(0 <= k <= 2 for _, k in moved):
                yield rise, moved

    def _walked(self, lower: Table, end: Any, before: Mapping[Any, Any], step: Symbol) -> Walk:
        moves = []
        while before[end] is not None:
            end, move = before[end]
            moves.append(move)
        here, steps = lower, list[Instance]()
        for move in reversed(moves):
            if isinstance(move, Rise):
                instance = move.from_table(here, step)
                here = image(shifted(move.after, move.step), instance.at)
                steps.append(instance)
            else:
                walk, here = walk_of(here, [Step(move)])
                steps += walk.steps
        return Walk(lower, tuple(steps))

    def _by_scaling(self, lower: Table, upper: Table, step: Symbol) -> Walk | None:
        """Combine a rise with permutations of the two tables and factors of some cells, before or after it."""
        permutations = self.invariances.permutations
        # Permutations at both ends, then rises between multiples of the permuted tables.
        for (first, there), (second, back) in itertools.product(permutations.items(), repeat=2):
            start, goal = _table([lower[k] for k in first]), _table([upper[k] for k in second])
            for family in self._families:
                for begin, chosen in risen(start, goal, self.rises, family, step):
                    rising = self._in_order(begin, chosen, step)
                    ways = (
                        None
                        if rising is None
                        # Invariances have to connect the given tables with the ends of the rises.
                        else (self.invariances.same(start, begin), self.invariances.same(rising[1], goal))
                    )
                    if rising is None or ways is None or ways[0] is None or ways[1] is None:
                        continue
                    before = walk_of(lower, (*map(Step, there), *ways[0]))[0].steps
                    after = walk_of(rising[1], (*ways[1], *map(Step, reversed(back))))[0].steps
                    return Walk(lower, (*before, *rising[0], *after))
        return None

    @staticmethod
    def _in_order(
        start: Table, rises: Sequence[tuple[Rise, Expr]], step: Symbol
    ) -> tuple[list[Instance], Table] | None:
        """Order rises of given sizes so that no cell becomes negative in between."""
        known = Signs((), (*CELLS, step))
        for order in itertools.permutations(rises):
            here, steps = start, list[Instance]()
            for rise, size in order:
                instance = rise.from_table(here, size)
                if not all(known.is_positive(value) for value in instance.at.values()):
                    break
                steps.append(instance)
                here = image(shifted(rise.after, rise.step), instance.at)
            else:
                return steps, here
        return None

    @cached_property
    def _families(self) -> list[tuple[Vector, ...]]:
        """Sets of disjoint groups of cells, each of which may be multiplied by a factor."""
        groups = [tuple(map(Fraction, v)) for v in itertools.product((0, 1), repeat=4) if any(v)]
        free = [group for group in groups if self.invariances.contains(group)]
        families = [
            chosen
            for size in (1, 2, 3)
            for chosen in itertools.combinations(free, size)
            if all(sum(column) <= 1 for column in zip(*chosen, strict=True))
        ]
        return [f for f in families if not any(set(f) < set(g) for g in families)]


def _places(table: Table, step: Symbol) -> tuple[tuple[int, int], ...]:
    """Return, for each entry, its cell and the number of steps added."""
    return tuple((CELLS.index(entry.xreplace({step: Integer(0)})), int(entry.coeff(step))) for entry in table)


def _shortest_cycle(place: int, leaving: Mapping[int, Sequence[_Edge]], limit: int) -> list[_Edge] | None:
    """Return the shortest cycle through a class that has fewer edges than a limit."""
    # Breadth-first search over classes of tables.
    reached: dict[int, list[_Edge]] = {place: []}
    waiting = deque([place])
    while waiting:
        here = waiting.popleft()
        way = reached[here]
        if len(way) + 1 >= limit:
            return None
        for edge in leaving.get(here, ()):
            if edge.end == place:
                return [*way, edge]
            if edge.end not in reached:
                reached[edge.end] = [*way, edge]
                waiting.append(edge.end)
    return None


def _value(table: Sequence[int], normal: Vector) -> Fraction:
    value = Fraction(1)
    for cell, power in zip(table, normal, strict=True):
        value *= Fraction(cell) ** int(power)
    return value


def _integers(table: Sequence[int]) -> Table:
    first, second, third, fourth = map(Integer, table)
    return first, second, third, fourth


def _table(cells: Sequence[Expr]) -> Table:
    first, second, third, fourth = cells
    return first, second, third, fourth
