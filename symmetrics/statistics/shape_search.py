"""Recognise formulas of one or two proportions: numerical screening, then exact proof."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import isfinite
from typing import Any, Final

from sympy import Expr, Integer, Poly, Rational, S, Symbol, cancel, fraction
from sympy.polys.polyerrors import PolynomialError

from symmetrics.algebra.convert import convert, field_for
from symmetrics.language.cells import CELLS
from symmetrics.statistics.proportions import Contrast, Proportion, Quotient, Shape
from symmetrics.tools.errors import UnsupportedError

SHARE: Final = Symbol("share", real=True)
"""A proportion, from 0 to 1."""
_OTHER: Final = Symbol("other_share", real=True)
_ROWS: Final = ((0, 1), (2, 3))
_COLUMNS: Final = ((0, 2), (1, 3))
_NEARBY: Final = (7, 3, 5, 11)
"""The base table for probing; adding it to itself leaves every proportion unchanged."""
_ROUNDING: Final = 1e-9
_SHARES: Final = ((Rational(1, 3), Rational(2, 7)), (Rational(3, 5), Rational(1, 11)))
"""Two pairs of shares; a function that differs between them is not constant."""


def found_shape(expression: Expr) -> Shape | None:
    """Return how a formula without parameters depends on one or two proportions; None if it is neither."""
    try:
        return _one_proportion(expression) or _two_proportions(expression)
    except (UnsupportedError, PolynomialError):
        return None


def _depends_on_share_alone(expression: Expr, successes: tuple[int, ...], failures: tuple[int, ...]) -> bool:
    """Whether the value is constant on some tables on which a proportion is."""
    both = (*successes, *failures)
    outside = [{place: 1} for place in range(len(CELLS)) if place not in both]
    within = [{side[0]: 1, other: -1} for side in (successes, failures) for other in side[1:]]
    return _is_constant(expression, *outside, {place: _NEARBY[place] for place in both}, *within)


def _is_constant(expression: Expr, *changes: Mapping[int, int]) -> bool:
    """Whether the value at a table is unchanged when numbers are added to its cells, wherever it is defined.

    A few values in floating point rule out most proportions without any algebra.
    """
    before = _value_near(expression, (0, 0, 0, 0))
    for change in changes:
        after = _value_near(expression, tuple(change.get(place, 0) for place in range(len(CELLS))))
        if before is not None and after is not None and abs(before - after) > _ROUNDING * max(1.0, abs(before)):
            return False
    return True


@lru_cache(maxsize=256)
def _value_near(expression: Expr, shift: tuple[int, ...]) -> complex | None:
    table = {cell: Integer(near + by) for cell, near, by in zip(CELLS, _NEARBY, shift, strict=True)}
    try:
        found = complex(expression.xreplace(table))
    except (TypeError, ValueError, OverflowError):  # no finite value there
        return None
    return found if isfinite(abs(found)) else None


def _one_proportion(expression: Expr) -> Proportion | None:
    for successes, failures in _partitions():
        if not _depends_on_share_alone(expression, successes, failures):
            continue
        share = sum(CELLS[i] for i in successes) / sum(CELLS[i] for i in (*successes, *failures))
        value = cancel(expression.xreplace(_place(successes, failures)))
        if value.has(SHARE) and _is_mobius(value) and _is_same(expression, value.xreplace({SHARE: share})):
            rises = bool(value.xreplace({SHARE: Rational(3, 4)}) > value.xreplace({SHARE: Rational(1, 4)}))
            above, below = (tuple(map(_number, Poly(part, SHARE).all_coeffs())) for part in fraction(value))
            return Proportion(successes, failures, above, below, rises)
    return None


def _partitions() -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield pairs of disjoint sets of cells, each pair once: first the one with the first cell among the successes."""
    for sides in product((1, 0, -1), repeat=len(CELLS)):
        successes = tuple(place for place, side in enumerate(sides) if side == 1)
        failures = tuple(place for place, side in enumerate(sides) if side == -1)
        if successes and failures and successes < failures:
            yield successes, failures


def _place(successes: tuple[int, ...], failures: tuple[int, ...]) -> dict[Symbol, Expr]:
    """Return a table with the proportion ``share`` and 1 in all other cells."""
    return {
        cell: SHARE / len(successes) if i in successes else (1 - SHARE) / len(failures) if i in failures else S.One
        for i, cell in enumerate(CELLS)
    }


def _is_mobius(value: Expr) -> bool:
    """Whether this is a quotient of two linear polynomials in ``share`` without a pole between 0 and 1."""
    above, below = fraction(value)
    parts = [Poly(part, SHARE) for part in (above, below)] if not value.free_symbols - {SHARE} else []
    if not parts or max(part.degree() for part in parts) > 1 or not all(part.domain.is_Exact for part in parts):
        return False
    pole = parts[1].real_roots() if parts[1].degree() else []
    return not any(0 < root < 1 for root in pole)


def _two_proportions(expression: Expr) -> Contrast | Quotient | None:
    # Screen numerically: does the formula depend only on the shares of the two rows, or of the two columns?
    for (a, b), (c, d) in (_ROWS, _COLUMNS):
        if not _is_constant(expression, *({place: _NEARBY[place] for place in pair} for pair in ((a, b), (c, d)))):
            continue
        # Then write it as a function of both shares, and prove the equality.
        places = dict(
            zip((CELLS[a], CELLS[b], CELLS[c], CELLS[d]), (SHARE, 1 - SHARE, _OTHER, 1 - _OTHER), strict=True)
        )
        value = cancel(expression.xreplace(places))
        first, second = CELLS[a] / (CELLS[a] + CELLS[b]), CELLS[c] / (CELLS[c] + CELLS[d])
        if value.free_symbols != {SHARE, _OTHER} or not _is_same(
            expression, value.xreplace({SHARE: first, _OTHER: second})
        ):
            continue
        found = _contrast(value, (a, b), (c, d)) or _quotient(value, (a, b), (c, d))
        if found is not None:
            return found
    return None


def _contrast(value: Expr, first: tuple[int, int], second: tuple[int, int]) -> Contrast | None:
    offset = value.xreplace({SHARE: S.Zero, _OTHER: S.Zero})
    factor = _constant((value - offset) / (SHARE - _OTHER)) if offset.is_Rational else None
    return None if factor is None else Contrast(first, second, _as_fraction(offset), _as_fraction(factor))


def _quotient(value: Expr, first: tuple[int, int], second: tuple[int, int]) -> Quotient | None:
    """Find ``factor*u/v``, where u is one share or its complement, and v the other share or its complement."""
    for turned_first, turned_second in product((False, True), repeat=2):
        here = 1 - SHARE if turned_first else SHARE
        there = 1 - _OTHER if turned_second else _OTHER
        one, other = first[::-1] if turned_first else first, second[::-1] if turned_second else second
        factor, inverse = _constant(value * there / here), _constant(value * here / there)
        if factor is not None and factor > 0:
            return Quotient(one, other, _as_fraction(factor))
        if inverse is not None and inverse > 0:
            return Quotient(other, one, _as_fraction(inverse))
    return None


def _constant(value: Expr) -> Expr | None:
    """Return the constant value, a rational number, of a function of both shares; None if it is not constant."""
    here, there = (value.xreplace({SHARE: x, _OTHER: y}) for x, y in _SHARES)
    return here if here == there and here.is_Rational and cancel(value - here) == 0 else None


def _is_same(left: Expr, right: Expr) -> bool:
    """Say whether two formulas are equal at all positive tables, by exact algebra."""
    field = field_for()
    difference = field.reduce(field.subtract(convert(left, field), convert(right, field)))
    return not field.conditions and difference.is_zero


def _as_fraction(number: Expr) -> Fraction:
    return Fraction(int(number.p), int(number.q))


def _number(coefficient: Expr) -> Any:
    return _as_fraction(coefficient) if coefficient.is_Rational else coefficient
