"""What follows from invariances: whether, and by which steps, one table has the same value of M as another.

The motions of the laws generate a group: translations, which are a space that its permutations map to itself, and the
permutations.  Two tables have the same value for all M with the laws just where one of the permutations and a
translation lead from one to the other, or both lead into the plane of tables that are alike.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from sympy import Expr, Integer, S, cancel

from symmetrics.claims.theorems.implications import Walk
from symmetrics.claims.theorems.laws import UNIFORM, Instance
from symmetrics.language.cells import CELLS, Table
from symmetrics.prover.theorems.motions import (
    Motion,
    Permutation,
    Plane,
    Translation,
    Vector,
    exponents,
    product,
    solve,
)

__all__ = ["Invariances", "Step", "walk_of"]


@dataclass(frozen=True)
class Step:
    """A motion, with the factor by which a translation goes, or the direction in which a plane is crossed."""

    motion: Motion
    factor: Expr = S.One
    forward: bool = True
    to: Table = UNIFORM

    def reverse(self) -> Step:
        """Return the step back: a permutation of the laws is its own inverse."""
        return Step(self.motion, 1 / self.factor, not self.forward, self.to)


Steps = tuple[Step, ...]
Word = tuple[Permutation, ...]


class Invariances:
    """What some invariances, together, make the same.

    :param motions: all that they do to tables
    """

    def __init__(self, motions: Iterable[Motion]) -> None:
        self.motions = tuple(motions)
        self.planes = [motion for motion in self.motions if isinstance(motion, Plane)]

    @cached_property
    def permutations(self) -> dict[tuple[int, ...], Word]:
        """All permutations, each with a shortest word of those of the laws."""
        letters = [motion for motion in self.motions if isinstance(motion, Permutation)]
        found: dict[tuple[int, ...], Word] = {(0, 1, 2, 3): ()}
        waiting = list(found)
        for places in waiting:
            for letter in letters:
                image = tuple(places[k] for k in letter.places)
                if image not in found:
                    found[image] = (*found[places], letter)
                    waiting.append(image)
        return found

    @cached_property
    def translations(self) -> dict[Vector, tuple[Word, Translation]]:
        """All directions of translations: those of the laws, seen after each permutation."""
        found: dict[Vector, tuple[Word, Translation]] = {}
        for places, word in self.permutations.items():
            for motion in self.motions:
                if isinstance(motion, Translation):
                    moved = [Fraction(0)] * 4
                    for k, place in enumerate(places):
                        moved[place] = motion.vector[k]
                    found.setdefault(tuple(moved), (word, motion))
        return found

    def contains(self, vector: Vector) -> bool:
        """Whether a translation follows from those of the laws."""
        return solve([*self.translations], vector) is not None

    @property
    def makes_constant(self) -> bool:
        """Whether M has the same value at all tables."""
        return self.same(CELLS, UNIFORM) is not None

    def same(self, start: Table, end: Table) -> Steps | None:
        """Return the steps from a table to another on which M stays the same; None if M may differ."""
        ways = [*self._by_motions(start, end)]
        if self.planes:
            there, back = self._into_plane(start), self._into_plane(end)
            if there is not None and back is not None:
                ways.append((*there, *(step.reverse() for step in reversed(back))))
        return min(map(_shortened, ways), key=len, default=None)

    def _by_motions(self, start: Table, end: Table) -> Iterator[Steps]:
        for places, word in self.permutations.items():
            moved = tuple(start[place] for place in places)
            ratio = exponents([cancel(b / a) for a, b in zip(moved, end, strict=True)])
            steps = None if ratio is None else self._translated([*ratio], [*ratio.values()])
            if steps is not None:
                yield (*map(Step, word), *steps)

    def _translated(self, bases: Sequence[Expr], targets: Sequence[Vector]) -> Steps | None:
        """Return as few translations as give each base its exponents."""
        if not bases:
            return ()
        if any(not self.contains(target) for target in targets):
            return None
        for number in itertools.count(1):
            for chosen in itertools.combinations(self.translations, number):
                found = [solve(chosen, target) for target in targets]
                if all(weights is not None for weights in found):
                    weights = {base: each or [] for base, each in zip(bases, found, strict=True)}
                    return self._moves(chosen, weights)
        return None

    def _moves(self, chosen: Sequence[Vector], weights: Mapping[Expr, Sequence[Fraction]]) -> Steps:
        steps: list[Step] = []
        for place, vector in enumerate(chosen):
            word, motion = self.translations[vector]
            factor = product({base: each[place] for base, each in weights.items()})
            steps += [*map(Step, word), Step(motion, factor), *map(Step, reversed(word))]
        return tuple(steps)

    def _into_plane(self, table: Table) -> Steps | None:
        """Return the steps from a table into the plane of those that are alike, and to its origin."""
        plane, powers = self.planes[0], exponents(table)
        if powers is None:
            return None
        heights = {base: _dot(plane.normal, vector) for base, vector in powers.items()}
        steps: Steps = ()
        if any(heights.values()):
            vector = next((v for v in self.translations if _dot(plane.normal, v)), None)
            if vector is None:
                return None
            weights = {base: [-height / _dot(plane.normal, vector)] for base, height in heights.items()}
            steps = self._moves([vector], weights)
        return (*steps, Step(plane, to=walk_of(table, steps)[1]))


def _dot(left: Vector, right: Vector) -> Fraction:
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0))


def _shortened(steps: Steps) -> Steps:
    """Leave out a permutation that is undone at once, and what does nothing."""
    kept: list[Step] = []
    for step in steps:
        if isinstance(step.motion, Permutation) and kept and kept[-1].motion == step.motion:
            kept.pop()
        elif not (isinstance(step.motion, Translation) and step.factor == 1):
            kept.append(step)
    return tuple(kept)


def walk_of(start: Table, steps: Iterable[Step]) -> tuple[Walk, Table]:
    """Return steps as laws applied from a table on, and the table at their end."""
    here, applied = start, []
    for step in steps:
        instance, here = _taken(here, step)
        applied.append(instance)
    return Walk(start, tuple(applied)), here


def _taken(here: Table, step: Step) -> tuple[Instance, Table]:
    motion, cells = step.motion, dict(zip(CELLS, here, strict=True))
    if isinstance(motion, Permutation):
        first, second, third, fourth = (here[place] for place in motion.places)
        return Instance(motion.premise, motion.label, cells), (first, second, third, fourth)
    if isinstance(motion, Plane):
        table = here if step.forward else step.to
        at = {variable: _powers(table, powers) for variable, powers in motion.at.items()}
        return Instance(motion.premise, motion.label, at, step.forward), UNIFORM if step.forward else step.to
    factors = [step.factor ** Integer(int(power)) for power in motion.vector]
    moved = [cancel(cell * factor) for cell, factor in zip(here, factors, strict=True)]
    new = moved[motion.vector.index(Fraction(1))] if motion.replaces else step.factor
    at = cells | {motion.variable: new} | dict.fromkeys(motion.others, Integer(1))
    return Instance(motion.premise, motion.label, at), (moved[0], moved[1], moved[2], moved[3])


def _powers(table: Table, powers: Vector) -> Expr:
    entries = [cell ** Integer(int(power)) for cell, power in zip(table, powers, strict=True)]
    return cancel(entries[0] * entries[1] * entries[2] * entries[3])
