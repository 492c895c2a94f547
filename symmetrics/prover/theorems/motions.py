"""Motions of tables on logarithmic scale: permutations, translations, and a plane in which all tables are alike.

A law of invariance joins each table with others.  On logarithmic scale these are permutations of the four cells, such
as the exchange of the classes; translations, such as a factor for all cells, or for one; or all of a plane, where the
law says that M is the same at all tables with TP*TN = FP*FN.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from sympy import Expr, Integer, Mul, Pow, Rational, S, Symbol, factorint

from symmetrics.claims.theorems.laws import UNIFORM, Law
from symmetrics.language.cells import CELLS

__all__ = ["Exponents", "Motion", "Permutation", "Plane", "Translation", "Vector", "exponents", "motions_of", "solve"]

Vector = tuple[Fraction, ...]
Exponents = Mapping[Expr, Vector]
"""Four products of powers: for each base, which is a symbol or a prime, its exponents in the four."""
ONE: Final = Fraction(1)


@dataclass(frozen=True)
class Permutation:
    """Cell k of the image is cell ``places[k]`` of the table."""

    premise: str
    label: str
    places: tuple[int, ...]


@dataclass(frozen=True)
class Translation:
    """A factor that multiplies each cell, raised to that cell's exponent; or a new value of one cell.

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
    """All tables of a plane through the origin are alike.

    :param normal: a vector at right angles to the plane
    :param at: for each variable of the law the exponents of the four cells whose product it is
    """

    premise: str
    label: str
    normal: Vector
    at: Mapping[Symbol, Vector]


Motion = Permutation | Translation | Plane


def motions_of(premise: str, laws: Iterable[Law]) -> list[Motion] | None:
    """Return what the laws of a property do to tables; None if one of them does something else.

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
    first, second = law.tables
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
    if not variables:
        if sorted(rows) != sorted(units):
            return None
        return [Permutation(premise, law.label, tuple(units.index(row) for row in rows))]
    kept = [place for place in range(4) if rows[place] == units[place]]
    if len(kept) == 4:
        others = {v: tuple(w for w in variables if w != v) for v in variables}
        return [Translation(premise, law.label, images[v], _symbol(v), _symbols(others[v]), False) for v in variables]
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
        (v for v in itertools.product((-1, 0, 1), repeat=4) if any(v) and not any(map(_dot(v), columns))), None
    )
    if normal is None:
        return None
    # A variable is the product of powers of the cells that is it on the plane.
    rows = [tuple(column[k] for column in columns) for k in range(4)]
    at = {}
    for place, variable in enumerate(images):
        weights = solve(rows, tuple(Fraction(place == k) for k in range(3)))
        if weights is None:
            return None
        at[_symbol(variable)] = tuple(weights)
    sign = 1 if next(entry for entry in normal if entry) > 0 else -1
    return Plane(premise, law.label, tuple(Fraction(sign * entry) for entry in normal), at)


def _dot(vector: Sequence[Any]) -> Any:
    return lambda other: sum(a * b for a, b in zip(vector, other, strict=True))


def _symbol(base: Expr) -> Symbol:
    assert isinstance(base, Symbol)
    return base


def _symbols(bases: Iterable[Expr]) -> tuple[Symbol, ...]:
    return tuple(map(_symbol, bases))


def exponents(table: Sequence[Expr]) -> dict[Expr, Vector] | None:
    """Return the exponents of four products of powers; None if one of them is no such product.

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
    """Return the numbers by which vectors are multiplied to give a sum; None if there are none.

    >>> solve([(ONE, ONE), (ONE, -ONE)], (Fraction(3), ONE))
    [Fraction(2, 1), Fraction(1, 1)]
    """
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
    if any(row[-1] for row in rows[len(pivots) :]):
        return None
    found = [Fraction(0)] * len(vectors)
    for k, column in enumerate(pivots):
        found[column] = rows[k][-1]
    return found
