"""Polynomial bounds of linear combinations of logarithms.

For one logarithm of a ratio u = f/g with f > g: ``2*(u - 1)/(u + 1) < log(u) < (u - 1/u)/2``.  For a sum
``sum m * log(u_m)`` over monomials m, with u_m a product of powers of bases: ``log(u) >= 1 - 1/u``, with equality at
u = 1; this is how entropies are bounded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any, Final

import numpy as np
from flint import fmpq, fmpq_mat

from symmetrics.algebra.evaluate import Value
from symmetrics.algebra.field import Poly
from symmetrics.prover.engine.extended import Extended

Pair = tuple[int, int | None, Poly]
MAX_DEGREE: Final = 14
"""Common denominators of tangents with more factors are not multiplied out."""


def is_sum_of_logarithms(poly: Poly, ring: Extended) -> bool:
    """Whether a polynomial is linear in logarithms, with at least one, and free of parameters."""
    degrees = poly.degrees()
    places = [place for place in ring.logs if degrees[place]]
    others = [place for place in ring.unsigned if degrees[place] and place not in ring.logs]
    return bool(places) and not others and all(sum(e[p] for p in places) <= 1 for e in poly.to_dict())


def by_monomial(poly: Poly, ring: Extended) -> tuple[dict[tuple[int, ...], dict[int, int]], Poly]:
    """Return, for each monomial, the integer coefficients of the logarithms in it; and the part without logarithms."""
    groups: dict[tuple[int, ...], dict[int, int]] = {}
    rest = {}
    for exponents, coefficient in ring.unchained(poly).to_dict().items():
        place = next((p for p in ring.logs if exponents[p]), None)
        if place is None:
            rest[exponents] = coefficient
        else:
            monomial = (*exponents[:place], 0, *exponents[place + 1 :])
            groups.setdefault(tuple(map(int, monomial)), {})[place] = int(coefficient)
    return groups, ring.context.from_dict(rest)


# -- pairs -----------------------------------------------------------------------------------------------------------


def by_pairs(poly: Poly, ring: Extended) -> tuple[list[Pair], Poly] | None:
    """Write a sum as ``sum w * (log f - log g) + rest`` with w > 0 and f > g; None if that fails.

    :returns: triples (place of log f, place of log g or None for g = 1, w); and the rest, without logarithms
    """
    groups, rest = by_monomial(poly, ring)
    weights: dict[tuple[int, int | None], dict[tuple[int, ...], int]] = {}
    for monomial, amounts in groups.items():
        flow = _matched(amounts, ring)
        if flow is None:
            return None
        for pair, amount in flow.items():
            weights.setdefault(pair, {})[monomial] = amount
    return [(p, q, ring.context.from_dict(terms)) for (p, q), terms in weights.items()], rest


def _matched(amounts: Mapping[int, int], ring: Extended) -> dict[tuple[int, int | None], int] | None:
    """Match every negative coefficient with positive ones of larger bases, the nearest first."""
    left = {place: amount for place, amount in amounts.items() if amount > 0}
    flow: dict[tuple[int, int | None], int] = {}
    # Greedily pair each negative coefficient with positive ones whose base is at least as large.
    for smaller, amount in sorted(amounts.items(), key=lambda item: -len(ring.logs[item[0]].base)):
        larger = [place for place in left if amount < 0 and _exceeds(place, smaller, ring)]
        for place in sorted(larger, key=lambda p: len(ring.logs[p].base)):
            taken = min(left[place], -amount)
            if taken:
                flow[place, smaller] = taken
                left[place] -= taken
                amount += taken
        if amount < 0:
            return None
    # What is left has to be a positive multiple of log f with f > 1.
    for place, amount in left.items():
        if amount and not _exceeds(place, None, ring):
            return None
        if amount:
            flow[place, None] = amount
    return flow


def _exceeds(larger: int, smaller: int | None, ring: Extended) -> bool:
    other = ring.context.constant(1) if smaller is None else ring.logs[smaller].base
    polys = (ring.logs[larger].base, other, ring.logs[larger].base - other)
    return all(poly and all(c > 0 for c in poly.coeffs()) for poly in polys)


# -- bounds ----------------------------------------------------------------------------------------------------------


def with_bounds(poly: Poly, signs: Mapping[int, int], ring: Extended) -> Poly:
    """Return a lower bound of a sum times a positive polynomial, with bounds in place of the logarithms of ratios.

    :param signs: the signs of the logarithms' coefficients
    """
    rest, total, common = poly, ring.context.constant(0), ring.context.constant(1)
    for place, sign in signs.items():
        coefficient = poly.derivative(place)
        rest -= coefficient * ring.context.gens()[place]
        f, g = ring.logs[place].base, ring.parent_base(place)
        top, bottom = (2 * (f - g), f + g) if sign > 0 else (f * f - g * g, 2 * f * g)
        total, common = total * bottom + coefficient * top * common, common * bottom
    return rest * common + total


def with_tangents(poly: Poly, ring: Extended) -> Poly | None:
    """Return a lower bound of a sum times a positive polynomial, from ``log(u) >= 1 - 1/u``; None if too large."""
    groups, rest = by_monomial(poly, ring)
    if any(any(c < 0 for c in log.base.coeffs()) for log in ring.logs.values()):
        return None
    # Each group m*(sum c*log f) is m*scale*log u, with u a product of powers of bases.
    terms = [_tangent(monomial, amounts) for monomial, amounts in groups.items()]
    # Common denominator: the highest power of each base in any u.
    highest: dict[int, int] = {}
    for _, powers in terms:
        for place, power in powers.items():
            highest[place] = max(highest.get(place, 0), power)
    if sum(highest.values()) > MAX_DEGREE:
        return None
    common = _product(highest, ring)
    # m*scale*(1 - 1/u) over that denominator.
    total = rest * common
    for (monomial, scale), powers in terms:
        term = ring.context.from_dict({monomial: scale})
        below = {place: highest[place] - powers.get(place, 0) for place in highest}
        total += term * (common - _product(below, ring))
    return total


def _tangent(
    monomial: tuple[int, ...], amounts: Mapping[int, int]
) -> tuple[tuple[tuple[int, ...], int], dict[int, int]]:
    """Return the monomial times the common factor of the coefficients, and the powers of bases that make up u."""
    scale = gcd(*amounts.values())
    return (monomial, scale), {place: amount // scale for place, amount in amounts.items()}


def _product(powers: Mapping[int, int], ring: Extended) -> Any:
    product = ring.context.constant(1)
    for place, power in powers.items():
        product *= ring.logs[place].base ** power
    return product


# -- Polynomials as non-negative combinations of known non-negative ones -----------------------------------------------


MAX_DENOMINATOR: Final = 60
"""Largest denominator for rounding the weights of a linear program; rounded weights are verified exactly."""


def as_combination(poly: Poly, given: Sequence[Poly]) -> tuple[list[Fraction], Poly] | None:
    """Return weights w >= 0 such that ``poly - sum w*g`` has no negative coefficient, and a multiple of this rest."""
    from scipy.optimize import linprog

    # A linear program over the coefficients of all monomials: minimise sum w with poly - sum w*g >= 0.
    monomials = sorted({tuple(map(int, e)) for p in (poly, *given) for e in p.to_dict()})
    columns = np.array([_column(condition, monomials) for condition in given]).T
    solved = linprog(np.ones(len(given)), A_ub=columns, b_ub=_column(poly, monomials), method="highs")
    if not solved.success:
        return None
    # Round the weights to fractions, and verify the remainder exactly.
    weights = [Fraction(float(weight)).limit_denominator(MAX_DENOMINATOR) for weight in solved.x]
    scale = int(np.lcm.reduce([weight.denominator for weight in weights]))
    rest = poly * scale
    for weight, condition in zip(weights, given, strict=True):
        rest -= int(weight * scale) * condition
    return (weights, rest) if all(coefficient > 0 for coefficient in rest.coeffs()) else None


def _column(poly: Poly, monomials: Sequence[tuple[int, ...]]) -> list[float]:
    terms = {tuple(map(int, e)): float(int(c)) for e, c in poly.to_dict().items()}
    return [terms.get(monomial, 0.0) for monomial in monomials]


def as_quadratic(poly: Poly, variable: int, ring: Extended) -> tuple[Poly, Poly] | None:
    """Return (a, 4*a*c - b**2) for ``a*v**2 + b*v + c``, nowhere negative if both are; None for other polynomials."""
    if poly.degrees()[variable] != 2:
        return None
    parts = coefficients(poly, variable, ring)
    constant = ring.context.constant(0)
    a, b, c = (parts.get(power, constant) for power in (2, 1, 0))
    return a, 4 * a * c - b * b


def peeled(poly: Poly, variable: int, ring: Extended) -> tuple[Poly, Poly] | None:
    """Return (p, q) with ``poly = p + v*q``, p without v; None if one of them is zero."""
    rest = coefficients(poly, variable, ring).get(0)
    if rest is None or rest == poly:
        return None
    return rest, (poly - rest) / ring.context.gens()[variable]


def coefficients(poly: Poly, variable: int, ring: Extended) -> dict[int, Poly]:
    """Return the coefficients of a polynomial in one variable, by power."""
    terms: dict[int, dict[tuple[int, ...], Any]] = {}
    for exponents, coefficient in poly.to_dict().items():
        rest = (*exponents[:variable], 0, *exponents[variable + 1 :])
        terms.setdefault(int(exponents[variable]), {})[rest] = coefficient
    return {power: ring.context.from_dict(part) for power, part in terms.items()}


# -- Linear algebra: certified lower bounds on the rank of rows, and null spaces ---------------------------------------


class Elimination:
    """Incremental elimination: keeps the rows that are certainly independent of those before."""

    def __init__(self) -> None:
        self.pivots: list[tuple[int, list[Value]]] = []

    @property
    def rank(self) -> int:
        """The number of independent rows."""
        return len(self.pivots)

    def add(self, row: Sequence[Value]) -> bool:
        """Add a row; return whether it is certainly independent of the rows before."""
        left = list(row)
        for place, pivot in self.pivots:
            if left[place] != 0 or not isinstance(left[place], fmpq):
                factor = left[place] / pivot[place]
                left = [a - factor * b for a, b in zip(left, pivot, strict=True)]
                left[place] = fmpq(0)
        certain = [place for place, value in enumerate(left) if value > 0 or value < 0]
        if not certain:
            return False
        place = max(certain, key=lambda place: abs(float(left[place])))
        self.pivots.append((place, left))
        return True


def null_space(rows: Sequence[Sequence[fmpq]], width: int) -> list[list[fmpq]]:
    """Return a basis of the null space of some rational rows.

    >>> null_space([[fmpq(1), fmpq(-1), fmpq(0)]], 3)
    [[1, 1, 0], [0, 0, 1]]
    """
    if not rows:
        return [[fmpq(int(place == row)) for place in range(width)] for row in range(width)]
    reduced, rank = fmpq_mat([list(row) for row in rows]).rref()
    pivots = [next(place for place in range(width) if reduced[row, place] != 0) for row in range(rank)]
    basis = []
    for free in (place for place in range(width) if place not in pivots):
        vector = [fmpq(int(place == free)) for place in range(width)]
        for row, pivot in enumerate(pivots):
            vector[pivot] = -reduced[row, free]
        basis.append(vector)
    return basis


def reduced_basis(vectors: Sequence[Sequence[Any]]) -> list[tuple[int, ...]]:
    """Return the reduced echelon basis of a rational space, each vector scaled to coprime integers.

    >>> reduced_basis([[2, 2, 0], [0, fmpq(1, 2), 1]])
    [(1, 0, -2), (0, 1, 2)]
    """
    if not vectors:
        return []
    reduced, rank = fmpq_mat([[fmpq(entry) for entry in vector] for vector in vectors]).rref()
    basis = []
    for row in range(rank):
        entries = [reduced[row, place] for place in range(reduced.ncols())]
        scale = lcm(*(int(entry.q) for entry in entries))
        whole = [int(entry * scale) for entry in entries]
        shared = gcd(*whole)
        basis.append(tuple(entry // shared for entry in whole))
    return basis


def determinant(rows: Sequence[Sequence[Any]]) -> Any:
    """Return the determinant of a square matrix of polynomials, by fraction-free elimination (Bareiss)."""
    matrix = [list(row) for row in rows]
    size, sign, before = len(matrix), 1, None
    # Bareiss: each 2x2 minor is divisible by the previous pivot.
    for step in range(size - 1):
        pivot = next((row for row in range(step, size) if matrix[row][step]), None)
        if pivot is None:
            return matrix[step][step]
        if pivot != step:
            matrix[step], matrix[pivot], sign = matrix[pivot], matrix[step], -sign
        for row in range(step + 1, size):
            for place in range(step + 1, size):
                entry = matrix[row][place] * matrix[step][step] - matrix[row][step] * matrix[step][place]
                matrix[row][place] = entry if before is None else entry / before
        before = matrix[step][step]
    return sign * matrix[-1][-1]
