"""Links between two formulas: equations ``left(M) = right(partner)`` whose sides are chains of monotone steps.

A link that agrees with the values at sample tables is a guess, which an identity has to confirm.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import mpmath
import numpy as np
from sympy import Expr, Max, Pow, Rational, S, Symbol, log, sqrt

from symmetrics.claims import values
from symmetrics.language.writer import formula_text
from symmetrics.prover.engine.fits import DIGITS, Array, exact_fit, fits, precise, solve
from symmetrics.prover.engine.samples import GENERIC, Counted, Sampled

Step = tuple[str, tuple[Expr, ...]]
"""A strictly monotone function: its name and its numbers."""

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
        """The equation, as a verdict has it."""
        left, right = applied(self.left, Symbol("M", real=True)), applied(self.right, Symbol("partner", real=True))
        return values.Link(formula_text(left), formula_text(right))


def find_links(subject: Sampled, partner: Sampled, reverse: bool = False) -> Iterator[Link]:
    """Yield links that agree with the values at sample tables, the simplest first; none of them is proved."""
    simple = [link for link in _candidates(subject, partner, 1) if (_direction(link) < 0) == reverse]
    yield from simple
    others = [link for link in _candidates(subject, partner, 2) if (_direction(link) < 0) == reverse]
    yield from sorted(others, key=_complexity)


def _complexity(link: Link) -> int:
    """Return how many steps of a link come after another one, which makes what has to be shown of them larger."""
    return sum(
        place * (3 if step[0] == "moebius" else 1) + 1
        for side in (link.left, link.right)
        for place, step in enumerate(side)
    )


def _candidates(subject: Sampled, partner: Sampled, level: int) -> Iterator[Link]:
    tables = [t for t in GENERIC if subject.at(t) is not None and partner.at(t) is not None]
    if (
        level == 1
        and (found := exact_fit([partner.at(t) for t in tables], [subject.at(t) for t in tables])) is not None
    ):
        yield Link((), () if found == (1, 0, 0, 1) else (("moebius", found),))
    lefts, rights = (np.array([f.float_at(table) for table in tables]) for f in (subject, partner))
    chains = [(chain, _values(chain, lefts), _values(chain, rights)) for chain in _CHAINS]
    pairs = [p for p in itertools.product(chains, chains) if (len(p[0][0]) + len(p[1][0]) < 2) == (level == 1)]
    for (left, images, _), (right, _, arguments) in sorted(pairs, key=lambda p: len(p[0][0]) + len(p[1][0])):
        if images is None or arguments is None or (family := fits(arguments, images)) is None:
            continue
        if (link := _solved(family, left, right, subject, partner, tables)) is not None:
            yield link
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
            if (values <= 1).all() or (values >= 1).all():  # a Moebius function of them
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
