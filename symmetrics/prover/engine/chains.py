"""Monotone links between two formulas: equations ``left(M) = right(partner)`` of chains of monotone steps.

A link that agrees with the values at sample tables is a guess, which an identity has to confirm.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import mpmath
import numpy as np
from flint import arb, fmpq, fmpq_mat
from numpy.typing import NDArray
from sympy import Expr, Integer, Max, Pow, Rational, S, Symbol, log, pi, sqrt

from symmetrics.claims import values
from symmetrics.language.writer import formula_text
from symmetrics.prover.engine.samples import GENERIC, Counted, Sampled

# ----------------------------------------------------------------------------------------------------------------------
# Fit affine or Moebius functions to pairs of values.

# A fit suggests coefficients, read off from high-precision values; exact arithmetic has to confirm the equation.


FEWEST: Final = 8
"""Least number of pairs of values for a fit; fewer would make a coincidence likely."""
DIGITS: Final = 100
"""Decimal digits of precision for computing coefficients."""
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
    """Return a value as an mpmath number, at the precision it has."""
    if isinstance(value, fmpq):
        with mpmath.workdps(DIGITS):
            return mpmath.mpf(int(value.p)) / int(value.q)
    mantissa, exponent = value.mid().man_exp()
    with mpmath.workdps(DIGITS + 30):
        return mpmath.ldexp(int(mantissa), int(exponent))


def fits(arguments: Array, images: Array) -> str | None:
    """Return which family, affine or Moebius, fits all pairs in floating point.

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
            # Two independent linear relations: both sides are constant.
            return name if singular[-2] > GAP * singular[0] else None
    return None


def solve(family: str, arguments: Sequence[Any], images: Sequence[Any]) -> Moebius | None:
    """Return the simple coefficients of a function in a family that maps precise arguments to their images."""
    return (_solve_affine if family == "affine" else _solve_moebius)(arguments, images)


def exact_fit(arguments: Sequence[Any], images: Sequence[Any]) -> Moebius | None:
    """Return the coefficients of the unique Moebius function through rational pairs, if there is one.

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
    # Three well separated points determine a Moebius function up to scale: y*(c*x + d) = a*x + b.
    order = sorted(range(len(arguments)), key=lambda place: arguments[place])
    chosen = [order[place * (len(order) - 1) // 2] for place in range(3)]
    with mpmath.workdps(DIGITS):
        rows = mpmath.matrix([[arguments[p], 1, -arguments[p] * images[p], -images[p]] for p in chosen])
        # Normalise d = 1, or c = 1 if that has no solution; read off exact coefficients.
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
    """Scale rational coefficients to integers, with the sign that makes the denominator positive."""
    a, b, c, d = coefficients
    rational = [x for x in coefficients if x.is_Rational]
    scale = Integer(np.lcm.reduce([int(x.q) for x in rational])) if len(rational) == 4 else S.One
    if float(c) * _float(arguments[0]) + float(d) < 0:
        scale = -scale
    return a * scale, b * scale, c * scale, d * scale


def _float(value: Any) -> float:
    return int(value.p) / int(value.q) if isinstance(value, fmpq) else float(value)


def recognised(value: Any) -> Expr | None:
    """Return A simple exact number within rounding of a float, or None.

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


# ----------------------------------------------------------------------------------------------------------------------


Step = tuple[str, tuple[Expr, ...]]
"""A strictly monotone function: its name and coefficients."""

_IDENTITY: Final[tuple[Step, ...]] = ()
_ODDS: Final[Step] = ("moebius", (S.One, S.Zero, S.NegativeOne, S.One))
_RATIO: Final[Step] = ("moebius", (S.One, S.One, S.NegativeOne, S.One))
_EXCESS: Final[Step] = ("excess", ())
_COMPLEMENT: Final[Step] = ("moebius", (S.NegativeOne, S.One, S.Zero, S.One))
_POWERS: Final = tuple(Rational(p, q) for p, q in ((2, 1), (1, 2), (4, 3), (3, 4), (3, 2), (2, 3), (3, 1), (1, 3)))


def _chains() -> tuple[tuple[Step, ...], ...]:
    """Return the chains of steps that are tried on either side."""
    outer: list[tuple[Step, ...]] = [*((("power", (power,)),) for power in _POWERS), (("log", ()),)]
    inner: tuple[tuple[Step, ...], ...] = ((), (_RATIO,), (_ODDS,), (_COMPLEMENT,))
    return (_IDENTITY, (_EXCESS,), *(first + last for first in inner for last in outer))


_CHAINS: Final = _chains()


@dataclass(frozen=True)
class Link:
    """An equation ``left(M) = right(partner)``.

    :param left: the steps that are applied to M, in their order
    :param right: the steps that are applied to the partner
    """

    left: tuple[Step, ...]
    right: tuple[Step, ...]

    @property
    def found(self) -> values.Link:
        """The equation, in the form in which a verdict states it."""
        left, right = applied(self.left, Symbol("M", real=True)), applied(self.right, Symbol("partner", real=True))
        return values.Link(formula_text(left), formula_text(right))


def find_links(subject: Sampled, partner: Sampled, reverse: bool = False) -> Iterator[Link]:
    """Candidate links that fit the sample values, the simplest first; none is proved yet."""
    simple = [link for link in _candidates(subject, partner, 1) if (_direction(link) < 0) == reverse]
    yield from simple
    others = [link for link in _candidates(subject, partner, 2) if (_direction(link) < 0) == reverse]
    yield from sorted(others, key=_complexity)


def _complexity(link: Link) -> int:
    """Complexity of a link: steps applied after other steps, whose conditions are harder to prove."""
    return sum(
        place * (3 if step[0] == "moebius" else 1) + 1
        for side in (link.left, link.right)
        for place, step in enumerate(side)
    )


def _candidates(subject: Sampled, partner: Sampled, level: int) -> Iterator[Link]:
    # Rational values: a Moebius function through exact pairs.
    tables = [t for t in GENERIC if subject.at(t) is not None and partner.at(t) is not None]
    if (
        level == 1
        and (found := exact_fit([partner.at(t) for t in tables], [subject.at(t) for t in tables])) is not None
    ):
        yield Link((), () if found == (1, 0, 0, 1) else (("moebius", found),))
    # Otherwise chains of logarithms, powers and Moebius functions on either side that fit in floating point.
    lefts, rights = (np.array([f.float_at(table) for table in tables]) for f in (subject, partner))
    chains = [(chain, _values(chain, lefts), _values(chain, rights)) for chain in _CHAINS]
    pairs = [p for p in itertools.product(chains, chains) if (len(p[0][0]) + len(p[1][0]) < 2) == (level == 1)]
    for (left, images, _), (right, _, arguments) in sorted(pairs, key=lambda p: len(p[0][0]) + len(p[1][0])):
        if images is None or arguments is None or (family := fits(arguments, images)) is None:
            continue
        if (link := _solved(family, left, right, subject, partner, tables)) is not None:
            yield link
    # The function p/sqrt(c + d*p**2) that no such chain contains.
    if level == 1 and (link := _bend(lefts, rights, subject, partner, tables)) is not None:
        yield link


def _solved(
    family: str,
    left: tuple[Step, ...],
    right: tuple[Step, ...],
    subject: Sampled,
    partner: Sampled,
    tables: Sequence[Counted],
) -> Link | None:
    images = [_precise_value(left, subject.at(table)) for table in tables]
    arguments = [_precise_value(right, partner.at(table)) for table in tables]
    found = solve(family, arguments, images)
    if found is None:
        return None
    return Link(left, right if found == (1, 0, 0, 1) else (*right, ("moebius", found)))


def _bend(lefts: Array, rights: Array, subject: Sampled, partner: Sampled, tables: Sequence[Counted]) -> Link | None:
    """Return the link ``M = p/sqrt(c + d*p**2)``, where ``1/M**2 = d + c/p**2`` and the signs agree."""
    if not (lefts * rights > 0).all() or fits(1 / rights**2, 1 / lefts**2) != "affine":
        return None
    inverse: tuple[Step, ...] = (("power", (Rational(-2),)),)
    link = _solved("affine", inverse, inverse, subject, partner, tables)
    if link is None or not link.right[1:] or not link.right[1][1][0] > 0:
        return None
    return Link((), (("bend", link.right[1][1][:2]),))


def _values(steps: Sequence[Step], values: Array) -> Array | None:
    for name, numbers in steps:
        if name == "moebius":
            a, b, c, d = map(int, numbers)
            if (c * values + d <= 0).any():
                return None
            values = (a * values + b) / (c * values + d)
        elif name == "excess":
            if (values <= 1).all() or (values >= 1).all():  # then the step is a Moebius function
                return None
            values = (values - 1) / np.maximum(values, 1)
        elif (values <= 0).any():
            return None
        else:
            values = np.log(values) if name == "log" else values ** float(numbers[0])
    return values


def _precise_value(steps: Sequence[Step], value: Any) -> Any:
    result = precise(value)
    with mpmath.workdps(DIGITS):
        for name, numbers in steps:
            if name == "moebius":
                a, b, c, d = map(int, numbers)
                result = (a * result + b) / (c * result + d)
            elif name == "log":
                result = mpmath.log(result)
            elif name == "excess":
                result = (result - 1) / max(result, mpmath.mpf(1))
            else:
                result = result ** (mpmath.mpf(int(numbers[0].p)) / int(numbers[0].q))
    return result


def _direction(link: Link) -> int:
    sign = 1
    for name, numbers in (*link.left, *link.right):
        if name == "moebius":
            a, b, c, d = numbers
            sign *= 1 if (a * d - b * c) > 0 else -1
        elif name == "power" and numbers[0] < 0:
            sign = -sign
    return sign


def applied(steps: Sequence[Step], value: Expr) -> Expr:
    """Return the image of a value under a chain of steps."""
    for name, numbers in steps:
        if name == "moebius":
            a, b, c, d = numbers
            value = (a * value + b) / (c * value + d)
        elif name == "power":
            value = Pow(value, numbers[0])
        elif name == "log":
            value = log(value)
        elif name == "excess":
            value = (value - 1) / Max(value, S.One)
        else:
            value = value / sqrt(numbers[0] + numbers[1] * value**2)
    return value
