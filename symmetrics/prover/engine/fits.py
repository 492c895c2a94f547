"""Functions fitted to pairs of values: which affine or Moebius function, if any, takes the ones to the others.

A fit is a guess that exact arithmetic has to confirm; its coefficients are read off from values of high precision.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

import mpmath
import numpy as np
from flint import arb, fmpq, fmpq_mat
from numpy.typing import NDArray
from sympy import Expr, Integer, Rational, S, log, pi, sqrt

FEWEST: Final = 8
"""Pairs of values that a fit needs at least, so that it means something."""
DIGITS: Final = 100
"""Decimal digits with which coefficients are computed."""
LARGEST: Final = 10**12
"""Largest numerator and denominator of a coefficient."""
AGREEMENT: Final = mpmath.mpf(10) ** -60
GAP: Final = 1e-9
"""Relative size of a singular value that counts as zero; values in floating point are off by about 1e-16."""
_UNITS: Final[tuple[Expr, ...]] = (
    S.One,
    sqrt(2),
    sqrt(3),
    log(2),
    log(10),
    pi,
    sqrt(3) / pi,
    sqrt(3) / (pi * log(10)),
    log(10) / log(2),
)

Array = NDArray[np.float64]
Moebius = tuple[Expr, Expr, Expr, Expr]
"""The coefficients a, b, c, d of ``(a*v + b)/(c*v + d)``."""


def precise(value: fmpq | arb) -> Any:
    """Return a value in mpmath's floating point, at the precision it has."""
    if isinstance(value, fmpq):
        with mpmath.workdps(DIGITS):
            return mpmath.mpf(int(value.p)) / int(value.q)
    mantissa, exponent = value.mid().man_exp()
    with mpmath.workdps(DIGITS + 30):
        return mpmath.ldexp(int(mantissa), int(exponent))


def fits(arguments: Array, images: Array) -> str | None:
    """Return which family holds a function that takes all arguments to their images, as far as floats can tell.

    :returns: ``"affine"``, or ``"moebius"`` for ``(a*v + b)/(c*v + d)`` that is not affine, or None
    """
    if len(arguments) < FEWEST or not (np.isfinite(arguments).all() and np.isfinite(images).all()):
        return None
    ones = np.ones_like(arguments)
    for name, columns in (
        ("affine", (arguments, ones, images)),
        ("moebius", (arguments, ones, arguments * images, images)),
    ):
        matrix = np.stack(columns, axis=1)
        matrix = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
        scales = np.linalg.norm(matrix, axis=0)
        if not scales.all():
            return None
        singular = np.linalg.svd(matrix / scales, compute_uv=False)
        if singular[-1] < GAP * singular[0]:
            # Two relations at once are those of a constant.
            return name if singular[-2] > GAP * singular[0] else None
    return None


def solve(family: str, arguments: Sequence[Any], images: Sequence[Any]) -> Moebius | None:
    """Return the coefficients of the function of a family that takes precise arguments to their images, if simple."""
    return (_solve_affine if family == "affine" else _solve_moebius)(arguments, images)


def exact_fit(arguments: Sequence[Any], images: Sequence[Any]) -> Moebius | None:
    """Return the coefficients of the only Moebius function that takes rational numbers to others, if there is one.

    >>> exact_fit([fmpq(n) for n in range(8)], [fmpq(2 * n, n + 1) for n in range(8)])
    (2, 0, 1, 1)
    """
    if len(arguments) < FEWEST or not all(isinstance(value, fmpq) for value in (*arguments, *images)):
        return None
    rows = [[v, 1, -v * m, -m] for v, m in zip(arguments, images, strict=True)]
    reduced, rank = fmpq_mat(len(rows), 4, [entry for row in rows for entry in row]).rref()
    if rank != 3:
        return None
    leads = [next(place for place in range(4) if reduced[row, place] != 0) for row in range(3)]
    free = next(place for place in range(4) if place not in leads)
    found = {lead: -reduced[row, free] for row, lead in enumerate(leads)} | {free: fmpq(1)}
    numbers = [Rational(int(found[place].p), int(found[place].q)) for place in range(4)]
    return _positive_below(numbers, arguments) if numbers[0] * numbers[3] != numbers[1] * numbers[2] else None


def _solve_affine(arguments: Sequence[Any], images: Sequence[Any]) -> Moebius | None:
    with mpmath.workdps(DIGITS):
        order = sorted(range(len(arguments)), key=lambda place: arguments[place])
        first, last = order[0], order[-1]
        if arguments[first] == arguments[last]:
            return None
        slope = (images[last] - images[first]) / (arguments[last] - arguments[first])
        a, b = recognised(slope), recognised(images[first] - slope * arguments[first])
    return None if a is None or b is None or a == 0 else (a, b, S.Zero, S.One)


def _solve_moebius(arguments: Sequence[Any], images: Sequence[Any]) -> Moebius | None:
    order = sorted(range(len(arguments)), key=lambda place: arguments[place])
    chosen = [order[place * (len(order) - 1) // 2] for place in range(3)]
    with mpmath.workdps(DIGITS):
        rows = mpmath.matrix([[arguments[p], 1, -arguments[p] * images[p], -images[p]] for p in chosen])
        for free in (3, 2):
            others = [place for place in range(4) if place != free]
            try:
                part = mpmath.lu_solve(mpmath.matrix([[rows[i, j] for j in others] for i in range(3)]), -rows[:, free])
            except ZeroDivisionError:
                continue
            found = [recognised(x) for x in part]
            if None not in found:
                found.insert(free, S.One)
                return _positive_below(found, arguments)
    return None


def _positive_below(coefficients: Sequence[Any], arguments: Sequence[Any]) -> Moebius | None:
    """Return whole coefficients where they are rational, with the sign at which the denominator is positive."""
    a, b, c, d = coefficients
    rational = [x for x in coefficients if x.is_Rational]
    scale = Integer(np.lcm.reduce([int(x.q) for x in rational])) if len(rational) == 4 else S.One
    if float(c) * _float(arguments[0]) + float(d) < 0:
        scale = -scale
    return a * scale, b * scale, c * scale, d * scale


def _float(value: Any) -> float:
    return int(value.p) / int(value.q) if isinstance(value, fmpq) else float(value)


def recognised(value: Any) -> Expr | None:
    """Return the simple exact number that is very close to a number, or None.

    >>> recognised(mpmath.mpf("0.75"))
    3/4
    """
    for unit in _UNITS:
        for scale in (unit,) if unit is S.One else (unit, 1 / unit):
            ratio = value / mpmath.mpf(scale.evalf(DIGITS)._to_mpmath(int(DIGITS * 3.4)))
            near = _fraction(ratio)
            if near is not None:
                return near * scale
    return None


def _fraction(value: Any) -> Rational | None:
    if abs(value) > LARGEST:
        return None
    near = Fraction(round(value * 10**40), 10**40).limit_denominator(LARGEST)
    if abs(value - mpmath.mpf(near.numerator) / near.denominator) > AGREEMENT or abs(near.numerator) > LARGEST:
        return None
    return Rational(near.numerator, near.denominator)
