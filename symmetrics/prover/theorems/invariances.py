"""Consequences of invariances: chains of steps by which two tables must have the same value.

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
from typing import Any, Final

from sympy import Expr, Integer, Mul, Pow, Rational, S, Symbol, cancel, factorint

from symmetrics.claims.theorems.implications import Walk
from symmetrics.claims.theorems.laws import UNIFORM, Instance, Law
from symmetrics.language.cells import CELLS, Table

# ----------------------------------------------------------------------------------------------------------------------
# Motions of tables on logarithmic scale: permutations, translations, and a plane on which M is constant.

# A law of invariance identifies each table with others. On logarithmic scale these are permutations of the four
# cells, such as the exchange of the classes; translations, such as a factor for all cells, or for one; or a whole
# plane, where the law says that M is the same at all tables with TP*TN = FP*FN.


Vector = tuple[Fraction, ...]
Exponents = Mapping[Expr, Vector]
"""Four products of powers: for each base (a symbol or a prime) its exponents in the four."""
ONE: Final = Fraction(1)


@dataclass(frozen=True)
class Permutation:
    """Permutation of cells: cell k of the image is cell ``places[k]`` of the table."""

    premise: str
    label: str
    places: tuple[int, ...]


@dataclass(frozen=True)
class Translation:
    """Multiplication of each cell by a power of one factor; or the replacement of one cell by any value.

    :param variable: the variable of the law that is the factor or the new value
    :param others: the law's other variables, which are 1
    :param replaces: whether the variable replaces the cell
    """

    premise: str
    label: str
    vector: Vector
    variable: Symbol
    others: tuple[Symbol, ...]
    replaces: bool


@dataclass(frozen=True)
class Plane:
    """M is constant on a plane through the origin.

    :param normal: a vector at right angles to the plane
    :param at: for each variable of the law the exponents of the four cells whose product it is
    """

    premise: str
    label: str
    normal: Vector
    at: Mapping[Symbol, Vector]


Motion = Permutation | Translation | Plane


def motions_of(premise: str, laws: Iterable[Law]) -> list[Motion] | None:
    """Return the motions that the laws of a property allow; None if one of them is of another kind.

    >>> from sympy import Symbol
    >>> law = Law("", "=", (CELLS, (CELLS[3], CELLS[2], CELLS[1], CELLS[0])))
    >>> [motion.places for motion in motions_of("p1", [law])]
    [(3, 2, 1, 0)]
    """
    found: list[Motion] = []
    for law in laws:
        motions = _motions(premise, law) if law.sign == "=" else None
        if motions is None:
            return None
        found += motions
    return found


def _motions(premise: str, law: Law) -> list[Motion] | None:
    """Return the motion of one law: its tables are monomials in cells and variables, with rows of exponents."""
    first, second = law.tables
    # M is constant on a plane: the law compares each of its tables with the table of ones.
    if second == UNIFORM:
        plane = _plane(premise, law)
        return None if plane is None else [plane]
    images = exponents(second)
    if first != CELLS or images is None or not all(isinstance(base, Symbol) for base in images):
        return None
    variables = sorted((base for base in images if base not in CELLS), key=str)
    from_cells = [images.get(cell, (Fraction(0),) * 4) for cell in CELLS]
    rows = [tuple(column[k] for column in from_cells) for k in range(4)]
    units = [tuple(Fraction(k == place) for k in range(4)) for place in range(4)]
    # No variable: the law permutes the cells.
    if not variables:
        if sorted(rows) != sorted(units):
            return None
        return [Permutation(premise, law.label, tuple(units.index(row) for row in rows))]
    # Every cell times powers of the variables: in logarithms, a translation for each variable.
    kept = [place for place in range(4) if rows[place] == units[place]]
    if len(kept) == 4:
        others = {v: tuple(_symbol(w) for w in variables if w != v) for v in variables}
        return [Translation(premise, law.label, images[v], _symbol(v), others[v], False) for v in variables]
    # Three cells stay, and the fourth becomes the variable: M does not depend on it.
    (changed,) = set(range(4)) - set(kept) if len(kept) == 3 else (None,)
    if changed is None or any(rows[changed]) or len(variables) != 1 or images[variables[0]] != units[changed]:
        return None
    return [Translation(premise, law.label, units[changed], _symbol(variables[0]), (), True)]


def _plane(premise: str, law: Law) -> Plane | None:
    images = exponents(law.tables[0])
    if images is None or len(images) != 3:
        return None
    columns = list(images.values())
    normal = next(
        (v for v in itertools.product((-1, 0, 1), repeat=4) if any(v) and not any(map(_product_with(v), columns))), None
    )
    if normal is None:
        return None
    # On the plane a variable equals a product of powers of the cells.
    rows = [tuple(column[k] for column in columns) for k in range(4)]
    at = {}
    for place, variable in enumerate(images):
        weights = solve(rows, tuple(Fraction(place == k) for k in range(3)))
        if weights is None:
            return None
        at[_symbol(variable)] = tuple(weights)
    sign = 1 if next(entry for entry in normal if entry) > 0 else -1
    return Plane(premise, law.label, tuple(Fraction(sign * entry) for entry in normal), at)


def _product_with(vector: Sequence[Any]) -> Any:
    return lambda other: sum(a * b for a, b in zip(vector, other, strict=True))


def _symbol(base: Expr) -> Symbol:
    assert isinstance(base, Symbol)
    return base


def exponents(table: Sequence[Expr]) -> dict[Expr, Vector] | None:
    """Return the exponents of four products of powers; None if one of them is not such a product.

    >>> from symmetrics.language.cells import TP
    >>> {str(base): [str(k) for k in vector] for base, vector in exponents((TP, 6 * TP, 1 / TP, TP**2)).items()}
    {'TP': ['1', '1', '-1', '2'], '2': ['0', '1', '0', '0'], '3': ['0', '1', '0', '0']}
    """
    found: dict[Expr, list[Fraction]] = {}
    for place, entry in enumerate(table):
        for factor in Mul.make_args(entry):
            base, power = factor.as_base_exp()
            if not isinstance(power, Rational) or base.is_negative or base is S.Zero:
                return None
            for prime, times in _primes(base):
                found.setdefault(prime, [Fraction(0)] * 4)[place] += Fraction(int(power.p), int(power.q)) * times
    return {base: tuple(powers) for base, powers in found.items() if any(powers)}


def _primes(base: Expr) -> list[tuple[Expr, int]]:
    if not isinstance(base, Rational):
        return [(base, 1)]
    above, below = factorint(int(base.p)), factorint(int(base.q))
    return [(Integer(p), k) for p, k in above.items()] + [(Integer(p), -k) for p, k in below.items()]


def product(powers: Mapping[Expr, Fraction]) -> Expr:
    """Return a product of powers."""
    return Mul(*(Pow(base, Rational(power.numerator, power.denominator)) for base, power in powers.items()))


def solve(vectors: Sequence[Vector], target: Vector) -> list[Fraction] | None:
    """Return coefficients that combine vectors to a target; None if there are none.

    >>> solve([(ONE, ONE), (ONE, -ONE)], (Fraction(3), ONE))
    [Fraction(2, 1), Fraction(1, 1)]
    """
    # Gauss-Jordan elimination over the rationals; free coefficients are 0.
    rows = [[*(vector[k] for vector in vectors), target[k]] for k in range(len(target))]
    pivots: list[int] = []
    for column in range(len(vectors)):
        top = len(pivots)
        pivot = next((k for k in range(top, len(rows)) if rows[k][column]), None)
        if pivot is None:
            continue
        rows[top], rows[pivot] = rows[pivot], rows[top]
        rows[top] = [entry / rows[top][column] for entry in rows[top]]
        for k, row in enumerate(rows):
            if k != top and row[column]:
                rows[k] = [a - row[column] * b for a, b in zip(row, rows[top], strict=True)]
        pivots.append(column)
    # Inconsistent: the target is not in the span.
    if any(row[-1] for row in rows[len(pivots) :]):
        return None
    found = [Fraction(0)] * len(vectors)
    for k, column in enumerate(pivots):
        found[column] = rows[k][-1]
    return found


# ----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """A motion, with the factor of a translation, or the direction of a move within a plane."""

    motion: Motion
    factor: Expr = S.One
    forward: bool = True
    to: Table = UNIFORM

    def reverse(self) -> Step:
        """Return the inverse step; a permutation of the laws is its own inverse."""
        return Step(self.motion, 1 / self.factor, not self.forward, self.to)


Steps = tuple[Step, ...]
Word = tuple[Permutation, ...]


class Invariances:
    """The equalities of M that some invariances imply together.

    :param motions: all that they do to tables
    """

    def __init__(self, motions: Iterable[Motion]) -> None:
        self.motions = tuple(motions)
        self.planes = [motion for motion in self.motions if isinstance(motion, Plane)]

    @cached_property
    def permutations(self) -> dict[tuple[int, ...], Word]:
        """All permutations, each with a shortest word in the permutations of the laws."""
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
        """All directions of translations: those of the laws, conjugated by each permutation."""
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
        """Return steps from a table to another along which M is constant; None if M may differ."""
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
        """Return as few translations as possible that give each base its exponents."""
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
        """Return the steps from a table into the plane on which M is constant, and to its origin."""
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
    """Drop permutations that cancel, and steps that do nothing."""
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
