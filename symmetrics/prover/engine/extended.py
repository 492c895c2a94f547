"""Polynomial ring over cells, parameters, roots and logarithms, used for deciding signs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm
from typing import Any, Final

import numpy as np
from flint import Ordering, fmpz_mpoly_ctx

from symmetrics.algebra.convert import atom_name
from symmetrics.algebra.field import Field, Numerator, Poly
from symmetrics.tools.errors import UnsupportedError

ROUNDING: Final = 1e-9
"""Relative size, against the sum of absolute terms, below which a negative floating-point sum is uncertain."""
TERMS: Final = 50
"""Largest number of terms of a polynomial written as one text."""


@dataclass(frozen=True)
class Root:
    """A generator g with ``g ** degree = |base|``.

    :param positive: whether the base is nowhere negative, so that the bars can go
    :param strict: whether the base is positive for all parameters
    """

    degree: int
    base: Poly
    positive: bool
    strict: bool = False


@dataclass(frozen=True)
class Log:
    """A generator that is the logarithm of f, or of f/g for another base g whose logarithm is a generator too.

    Ratios f/g with f - g > 0 are taken because their logarithms are positive.

    :param base: f
    :param parent: the index of the logarithm of g; None for the logarithm of f alone
    :param positive: whether f > g, or f > 1 without a parent, is known from the coefficients
    """

    base: Poly
    parent: int | None
    positive: bool


@dataclass(frozen=True)
class Extended:
    """A polynomial ring over a field's generators and the roots and logarithms that occur in its numerators.

    :param names: the generators: variables, pi, parameters, then one for every atom that occurs
    :param positive: the indices of the generators that are positive: variables, pi, logarithms of what exceeds 1
    :param roots: the roots by place; they are positive where their base is not zero
    :param unsigned: the indices of generators that may have any sign: parameters and other logarithms
    """

    ground: Field
    context: Any
    names: tuple[str, ...]
    positive: frozenset[int]
    roots: dict[int, Root]
    unsigned: frozenset[int]
    places: dict[int, int]
    """Generator index of each atom, by the atom's number."""
    logs: dict[int, Log] = field(default_factory=dict)

    def poly(self, numerator: Numerator) -> Poly:
        """Return a numerator of the field as a polynomial of this ring."""
        terms: dict[tuple[int, ...], Any] = {}
        width = len(self.names) - len(self.ground.names)
        for monomial, poly in numerator.items():
            powers = [0] * width
            for number, power in monomial:
                place = self.places[number]
                degree = self.roots[place].degree if place in self.roots else 1
                powers[place - len(self.ground.names)] = int(power * degree)
            for exponents, coefficient in poly.to_dict().items():
                terms[(*map(int, exponents), *powers)] = coefficient
        poly = self.context.from_dict(terms)
        chained = [place for place, log in self.logs.items() if log.parent is not None]
        return poly.compose(*map(self._chain, range(len(self.names)))) if chained else poly

    def _chain(self, place: int | None) -> Poly:
        """Return a logarithm as a sum of logarithms of ratios (its chain); any other generator unchanged."""
        if place is None:
            return self.context.constant(0)
        generator = self.context.gens()[place]
        return generator + self._chain(self.logs[place].parent) if place in self.logs else generator

    def unchained(self, poly: Poly) -> Poly:
        """Return a polynomial with each logarithm of a ratio f/g written as log f - log g."""
        gens = list(self.context.gens())
        for place, log in self.logs.items():
            if log.parent is not None:
                gens[place] = self.context.gens()[place] - self.context.gens()[log.parent]
        return poly.compose(*gens)

    def parent_base(self, place: int) -> Poly:
        """Return g for the logarithm of f/g, and 1 for that of f alone."""
        parent = self.logs[place].parent
        return self.context.constant(1) if parent is None else self.logs[parent].base

    def chains(self) -> dict[str, str]:
        """Return, for each logarithm of a ratio, the names of the two logarithms whose difference it is."""
        return {self.names[place]: self.names[log.parent] for place, log in self.logs.items() if log.parent is not None}

    def text(self, poly: Poly) -> str | list[str]:
        """Write a polynomial in the notation of certificates: ``atom3**(1/2)`` is the root of the base of atom3.

        :returns: a text, or the texts of several sums that add up to the polynomial if it is long
        """
        terms = [self._term(exponents, coefficient) for exponents, coefficient in poly.to_dict().items()]
        sums = [" + ".join(terms[start : start + TERMS]) for start in range(0, len(terms), TERMS)]
        return sums if len(sums) > 1 else "".join(sums) or "0"

    def _term(self, exponents: tuple[int, ...], coefficient: Any) -> str:
        parts = [f"({coefficient})" if coefficient < 0 else f"{coefficient}"]
        for place, power in enumerate(exponents):
            if power and place in self.roots:
                parts.append(f"{self.names[place]}**({Fraction(int(power), self.roots[place].degree)})")
            elif power:
                parts.append(self.names[place] + (f"**{int(power)}" if power > 1 else ""))
        return "*".join(parts)

    def is_clearly_negative(self, poly: Poly, points: Sequence[Sequence[int]]) -> bool:
        """Whether a polynomial is far below zero at one of several points, in floating point.

        :param points: values of all generators; those of roots and logarithms are recomputed
        """
        if not points:
            return False
        terms = poly.to_dict()
        exponents = np.array([tuple(map(int, monomial)) for monomial in terms], dtype=float)
        coefficients = np.array([float(int(coefficient)) for coefficient in terms.values()])
        with np.errstate(all="ignore"):
            for point in points:
                values = np.array(self._values(point))
                parts = coefficients * np.prod(values**exponents, axis=1)
                if parts.sum() < -ROUNDING * np.abs(parts).sum():
                    return True
        return False

    def _values(self, point: Sequence[int]) -> list[float]:
        values = [float(value) for value in point]
        for place, root in self.roots.items():
            values[place] = abs(float(int(root.base(*point)))) ** (1 / root.degree)
        for place, log in self.logs.items():
            ratio = float(int(log.base(*point))) / float(int(self.parent_base(place)(*point)))
            values[place] = math.log(ratio) if ratio > 0 else math.nan
        return values

    def reduced(self, poly: Poly, roots: dict[int, Root]) -> Poly:
        """Replace powers of roots by their bases wherever a relation allows it."""
        for place, root in roots.items():
            power = root.degree * (1 if root.positive else 2)
            base = root.base if root.positive else root.base**2
            while poly.degrees()[place] >= power:
                kept, lowered = {}, {}
                for exponents, coefficient in poly.to_dict().items():
                    if exponents[place] >= power:
                        lowered[(*exponents[:place], exponents[place] - power, *exponents[place + 1 :])] = coefficient
                    else:
                        kept[exponents] = coefficient
                poly = self.context.from_dict(kept) + self.context.from_dict(lowered) * base
        return poly

    def with_fraction(self, poly: Poly, place: int, top: Poly, bottom: Poly) -> Poly:
        """Return the numerator of a polynomial after replacing the generator of that index by top / bottom."""
        degree = int(poly.degrees()[place])
        parts: dict[int, dict[tuple[int, ...], Any]] = {}
        for exponents, coefficient in poly.to_dict().items():
            rest = (*exponents[:place], 0, *exponents[place + 1 :])
            parts.setdefault(int(exponents[place]), {})[rest] = coefficient
        total = self.context.constant(0)
        for power, terms in parts.items():
            total += self.context.from_dict(terms) * top**power * bottom ** (degree - power)
        return total


def extended_ring(numerators: Iterable[Numerator], field: Field) -> Extended:
    """Return the ring in which several numerators of a field are polynomials.

    :raises UnsupportedError: if a root is nested
    """
    # The degree of each root: the common denominator of its exponents in all numerators.
    degrees: dict[int, int] = {}
    for numerator in numerators:
        for number, power in (factor for monomial in numerator for factor in monomial):
            degrees[number] = lcm(degrees.get(number, 1), power.denominator)
    if any(field.atoms[number].is_opaque for number in degrees):
        raise UnsupportedError("the sign of a formula with nested roots")
    # One generator for each root and logarithm that occurs, after those of the field.
    names = (*field.names, *(atom_name(number, field) for number in degrees))
    context = fmpz_mpoly_ctx.get(names, Ordering.lex)
    places = {number: len(field.names) + k for k, number in enumerate(degrees)}
    ring = Extended(field, context, names, frozenset(), {}, frozenset(), places)
    # Their bases as polynomials; logarithms are rewritten as ratios of neighbouring arguments.
    bases = {place: ring.poly({(): field.atoms[number].base}) for number, place in places.items()}
    logs = _logs({place: number for number, place in places.items() if field.atoms[number].is_log}, bases, field)
    roots = {
        place: Root(degrees[number], bases[place], field.atoms[number].positive, _is_strict(number, field))
        for number, place in places.items()
        if place not in logs
    }
    # Signs of the generators: cells and logarithms above 0 are positive, parameters may have any sign.
    variables, others = range(len(field.positive_names)), range(len(field.positive_names), len(field.names))
    positive = frozenset({*variables, *(place for place, log in logs.items() if log.positive)})
    unsigned = frozenset({*others, *(place for place, log in logs.items() if not log.positive)})
    return replace(ring, positive=positive, roots=roots, unsigned=unsigned, logs=logs)


def _is_strict(number: int, field: Field) -> bool:
    base = field.atoms[number].base
    return not isinstance(base, dict) and field.is_always_positive(base)


def _logs(numbers: dict[int, int], bases: dict[int, Poly], field: Field) -> dict[int, Log]:
    """Return the logarithms by generator index, each as a ratio to the largest smaller base if there is one."""

    def exceeds(larger: Any, smaller: Any) -> bool:
        return all(field.is_always_positive(poly) for poly in (larger, smaller, larger - smaller))

    logs = {}
    for place, number in numbers.items():
        base: Any = field.atoms[number].base
        smaller = [p for p, other in numbers.items() if p != place and exceeds(base, field.atoms[other].base)]
        # The nearest base leaves the fewest terms.
        parent = min(smaller, key=lambda p: (len(bases[place] - bases[p]), p), default=None)
        logs[place] = Log(bases[place], parent, parent is not None or exceeds(base, field.context.constant(1)))
    return logs
