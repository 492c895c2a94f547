"""Polynomials as combinations of what is known not to be negative."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

import numpy as np

from symmetrics.algebra.field import Poly
from symmetrics.prover.engine.extended import Extended

__all__ = ["as_combination", "as_quadratic", "peeled"]

MAX_DENOMINATOR: Final = 60
"""Denominators of weights that a linear program suggests; they are verified exactly."""


def as_combination(poly: Poly, given: Sequence[Poly]) -> tuple[list[Fraction], Poly] | None:
    """Return weights w >= 0 such that ``poly - sum w*g`` has no negative coefficient, and a multiple of that rest."""
    from scipy.optimize import linprog

    monomials = sorted({tuple(map(int, e)) for p in (poly, *given) for e in p.to_dict()})
    columns = np.array([_column(condition, monomials) for condition in given]).T
    solved = linprog(np.ones(len(given)), A_ub=columns, b_ub=_column(poly, monomials), method="highs")
    if not solved.success:
        return None
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
