"""What follows from laws that say that M rises, together with invariances: that it rises elsewhere, or that no M is so.

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

from sympy import Expr, Integer, Symbol

from symmetrics.checker.engine.forms import Signs
from symmetrics.claims.theorems.implications import Walk
from symmetrics.claims.theorems.laws import Instance, Law, image
from symmetrics.language.cells import CELLS, Table
from symmetrics.prover.theorems.invariances import Invariances, Step, walk_of
from symmetrics.prover.theorems.motions import Permutation, Vector, solve
from symmetrics.prover.theorems.steps import Rise, risen, shifted

__all__ = ["Rises"]

SIZES: Final = (1, 2, 3)
"""The counts in the cells of the tables that are looked at."""
MOST_STEPS: Final = 4
SAMPLES: Final = tuple(
    dict(zip((*CELLS, "t"), sample, strict=True))
    for sample in ((5, 7, 11, 13, 3), (2, 31, 3, 5, 17), (19, 2, 23, 3, 1))
)
TOLERANCE: Final = 1e-9
"""What is smaller is 0 at a sample: it suggests a walk, which is then made and checked exactly."""


@dataclass(frozen=True)
class _Edge:
    start: int
    end: int
    tables: tuple[Table, Table]
    instance: Instance


class Rises:
    """Walks along which M rises, for all M that have some invariances and some laws of rising."""

    def __init__(self, invariances: Invariances, rises: Iterable[Rise]) -> None:
        self.invariances = invariances
        self.rises = tuple(rises)
        self._labels: dict[tuple[int, ...], int] = {}
        self._numbers: dict[Hashable, int] = {}

    # -- contradictions ------------------------------------------------------------------------------------------------

    def contradiction(self) -> Walk | None:
        """Return a walk that rises and ends where it began; None if there is none at small tables."""
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
        """Whether a cycle at small tables rises by the laws of some of the properties alone."""
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
        """The laws of rising between classes of small tables."""
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
        """Return a number that tables with the same value have in common, and no others."""
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
        """Vectors of integers at right angles to all translations, that span all of these."""
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

    # -- what rises, too -----------------------------------------------------------------------------------------------

    def between(self, law: Law, rise: Rise) -> Walk | None:
        """Return a walk between the tables of a law on which M rises; None if none is found.

        :param rise: what the law says
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
        """Rise between images of the two tables by permutations and by factors of some cells, before or after it."""
        permutations = self.invariances.permutations
        for (first, there), (second, back) in itertools.product(permutations.items(), repeat=2):
            start, goal = _table([lower[k] for k in first]), _table([upper[k] for k in second])
            for family in self._families:
                for begin, chosen in risen(start, goal, self.rises, family, step):
                    rising = self._in_order(begin, chosen, step)
                    ways = (
                        None
                        if rising is None
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
        """Return the laws that rise by some sizes, one after the other, in an order in which no cell gets negative."""
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
        """Sets of groups of cells that have no cell in common, each of which may be multiplied by a factor."""
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
    """Return of each entry which cell it is, and how many steps are added."""
    return tuple((CELLS.index(entry.xreplace({step: Integer(0)})), int(entry.coeff(step))) for entry in table)


def _shortest_cycle(place: int, leaving: Mapping[int, Sequence[_Edge]], limit: int) -> list[_Edge] | None:
    """Return the shortest cycle through a class that has fewer edges than a limit."""
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
