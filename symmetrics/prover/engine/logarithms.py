"""Sums of multiples of logarithms, and ways to bound them by polynomials.

For one logarithm of a ratio u = f/g with f > g: ``2*(u - 1)/(u + 1) < log(u) < (u - 1/u)/2``.  For a sum
``sum m * log(u_m)`` over monomials m, with u_m a product of powers of bases: ``log(u) >= 1 - 1/u``, with equality at
u = 1; this is how entropies are bounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd
from typing import Any, Final

from symmetrics.algebra.field import Poly
from symmetrics.prover.engine.extended import Extended

__all__ = ["by_pairs", "is_sum_of_logarithms", "with_bounds", "with_tangents"]

Pair = tuple[int, int | None, Poly]
MAX_DEGREE: Final = 14
"""Factors of the common denominator of tangents up to which it is multiplied out."""


def is_sum_of_logarithms(poly: Poly, ring: Extended) -> bool:
    """Whether logarithms occur in a polynomial, each to the first power and none times another, and no parameter."""
    degrees = poly.degrees()
    places = [place for place in ring.logs if degrees[place]]
    others = [place for place in ring.unsigned if degrees[place] and place not in ring.logs]
    return bool(places) and not others and all(sum(e[p] for p in places) <= 1 for e in poly.to_dict())


def by_monomial(poly: Poly, ring: Extended) -> tuple[dict[tuple[int, ...], dict[int, int]], Poly]:
    """Return for each monomial the whole coefficients of the plain logarithms in it; and what has no logarithm."""
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
    """Write a sum as ``sum w * (log f - log g)`` with w > 0 and f > g, plus a rest; None if it was not found to be so.

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
    """Match every negative amount with positive ones of larger bases, the nearest first."""
    left = {place: amount for place, amount in amounts.items() if amount > 0}
    flow: dict[tuple[int, int | None], int] = {}
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
    """Return a lower bound of a sum times a positive polynomial: bounds take the place of the logarithms of ratios.

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
    terms = [_tangent(monomial, amounts) for monomial, amounts in groups.items()]
    highest: dict[int, int] = {}
    for _, powers in terms:
        for place, power in powers.items():
            highest[place] = max(highest.get(place, 0), power)
    if sum(highest.values()) > MAX_DEGREE:
        return None
    common = _product(highest, ring)
    total = rest * common
    for (monomial, scale), powers in terms:
        term = ring.context.from_dict({monomial: scale})
        below = {place: highest[place] - powers.get(place, 0) for place in highest}
        total += term * (common - _product(below, ring))
    return total


def _tangent(
    monomial: tuple[int, ...], amounts: Mapping[int, int]
) -> tuple[tuple[tuple[int, ...], int], dict[int, int]]:
    """Return the monomial with the common factor of the amounts, and the powers of bases in u."""
    scale = gcd(*amounts.values())
    return (monomial, scale), {place: amount // scale for place, amount in amounts.items()}


def _product(powers: Mapping[int, int], ring: Extended) -> Any:
    product = ring.context.constant(1)
    for place, power in powers.items():
        product *= ring.logs[place].base ** power
    return product
