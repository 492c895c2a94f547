"""Exact numbers: read from texts, and taken from the numbers of Python."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from numbers import Integral
from typing import Final

from sympy import Expr, Integer, Rational

from symmetrics.tools.errors import FormulaError, shortened

MAX_NUMBER_LENGTH: Final = 1300
"""Longest number that is read, in characters; every constant within the bounds below is shorter."""
MAX_NUMBER_BITS: Final = 2048
"""Largest numerator and denominator of a constant, in bits."""
_NUMBER: Final = re.compile(
    r"\s*(?:(?P<fraction>[+-]?\d+\s*/\s*\d+)|(?P<mantissa>[+-]?(?:\d+\.?\d*|\.\d+))(?:[eE](?P<exponent>[+-]?\d+))?)\s*",
    re.ASCII,
)


def parse_number(text: str) -> Rational:
    """Read an exact number: an integer, a fraction or a decimal, which is taken at its written value.

    >>> parse_number("3/4"), parse_number("-0.1"), parse_number("1e-3")
    (3/4, -1/10, 1/1000)

    :raises FormulaError: if the text is anything else
    """
    if len(text) > MAX_NUMBER_LENGTH:
        raise FormulaError(f"number of {len(text)} characters: at most {MAX_NUMBER_LENGTH} are read")
    found = _NUMBER.fullmatch(text)
    if not found:
        raise FormulaError(f"cannot read {shortened(text)!r} as an exact number: write an integer, 3/4 or 0.75")
    if found["fraction"]:
        numerator, denominator = map(int, found["fraction"].split("/"))
        if denominator == 0:
            raise FormulaError(f"cannot read {shortened(text)!r} as an exact number: it divides by zero")
        return bounded(Rational(numerator, denominator))
    power = int(found["exponent"] or 0)
    if abs(power) > 400:
        raise FormulaError(
            f"cannot read {shortened(text)!r} as an exact number: the power of ten is not between -400 and 400"
        )
    value = Fraction(found["mantissa"]) * Fraction(10) ** power
    return bounded(Rational(value.numerator, value.denominator))


def exact_rational(value: object, what: str) -> Rational:
    """Return an exact rational for a number or a text.

    A float is the shortest decimal that is read as it, which is how it is shown; a Decimal is what it spells.

    >>> exact_rational("0.75", "w"), exact_rational(Fraction(1, 3), "w"), exact_rational(0.1, "w")
    (3/4, 1/3, 1/10)

    :raises FormulaError: if the value is infinite, nan, or not a number
    """
    if isinstance(value, str):
        try:
            return parse_number(value)
        except FormulaError as error:
            raise FormulaError(f"{what}: {error}") from None
    if isinstance(value, bool):
        raise FormulaError(f"{what}: {value} is not a number")
    if isinstance(value, Integral):
        return Integer(int(value))
    if isinstance(value, Fraction):
        return Rational(value.numerator, value.denominator)
    if isinstance(value, Rational):
        return value
    if isinstance(value, float | Decimal):
        if not isfinite(value):
            raise FormulaError(f"{what}: {value} is not a finite number; write one as 0.75 or '3/4'")
        return parse_number(str(value))
    raise FormulaError(f"{what}: {value!r} is not an exact rational number; write one as '3/4' or sympy.Rational(3, 4)")


def bounded(expression: Expr) -> Expr:
    """Return an expression as it is, unless it is a number that is too large for a formula.

    :raises FormulaError: if its numerator or denominator has more than 2048 bits
    """
    if expression.is_Rational and max(abs(expression.p), expression.q).bit_length() > MAX_NUMBER_BITS:
        raise FormulaError("a constant in it is too large")
    return expression
