"""Numbers as papers print them: each stands for all values that round, or are cut off, to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import inf, isfinite
from typing import Any, Final

import numpy as np

from symmetrics.data.counts import shown
from symmetrics.data.frames import is_missing
from symmetrics.tools.errors import InputError

ROUNDING: Final = ("any", "nearest", "truncated")
"""How numbers may have been shortened: to the nearest one, by leaving digits out, or by either."""
LARGEST: Final = 10**99
"""Size of a number, at most."""
LONGEST: Final = 50
"""Characters of a number, at most."""
_NUMBER: Final = re.compile(
    r"(?P<relation>>=|<=|>|<|≥|≤|=)?\s*(?P<sign>[-+−–])?\s*(?P<whole>\d*)(?:\.(?P<digits>\d*))?"
    r"(?:[eE](?P<exponent>[-+]?\d{1,2}))?\s*(?P<percent>%)?"
)
_EXAMPLES: Final = "'0.95', '95 %', '>= .9' or a fraction"


@dataclass(frozen=True)
class Reported:
    """The values that a printed number may stand for: an interval with exact ends.

    :param text: as it is printed
    :param low, high: the ends; infinite on the open side of a bound such as ``>= .9``
    :param has_low, has_high: whether the end itself belongs to the interval

    >>> Reported.of("0.95")
    0.95: in [0.945, 0.96)
    >>> Reported.of("95 %", "nearest").high
    Fraction(191, 200)
    >>> Fraction("0.955") in Reported.of("0.95"), Fraction("0.96") in Reported.of("0.95"), 1 in Reported.of("≥ .9")
    (True, False, True)
    """

    text: str
    low: Fraction | float
    high: Fraction | float
    has_low: bool = True
    has_high: bool = True

    @classmethod
    def of(cls, value: object, rounding: str = "any") -> Reported:
        """Return what a number stands for.

        :param value: a text as printed, whose digits count; a float is its shortest text and an int one without
            decimals; a fraction is exact
        :param rounding: ``"nearest"``, a middle to either side; ``"truncated"``, towards zero; ``"any"``, by either
        :raises InputError: if it is no number
        """
        if rounding not in ROUNDING:
            raise InputError(f"rounding={rounding!r} is unknown; pass one of {', '.join(ROUNDING)}")
        if isinstance(value, Reported):
            return value
        if isinstance(value, Fraction) and abs(value) < LARGEST:
            return cls(str(value), value, value)
        if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal | np.number):
            raise InputError(f"{shown(value)} is no reported number; pass a text as printed, such as {_EXAMPLES}")
        text = str(value).strip()  # of a NumPy number, too, its shortest text
        found = _NUMBER.fullmatch(text)
        if len(text) > LONGEST or found is None or not (found["whole"] or found["digits"]):
            raise InputError(f"{shown(value)} is no reported number; pass a text as printed, such as {_EXAMPLES}")
        return cls(text, *_ends(found, rounding))

    def __contains__(self, value: Any) -> bool:
        above = value >= self.low if self.has_low else value > self.low
        return bool(above and (value <= self.high if self.has_high else value < self.high))

    def in_percent(self) -> Reported:
        """Return the same number taken for a percentage, if it is above 1."""
        if self.low <= 1 or self.high == inf:
            return self
        low, high = Fraction(self.low) / 100, Fraction(self.high) / 100
        return Reported(f"{self.text} %", low, high, self.has_low, self.has_high)

    @property
    def interval(self) -> str:
        """The interval as text."""
        low, high = (_text(end) for end in (self.low, self.high))
        return f"{'[' if self.has_low else '('}{low}, {high}{']' if self.has_high else ')'}"

    def __repr__(self) -> str:
        return f"{self.text}: in {self.interval}"


def is_left_out(value: object) -> bool:
    """Return whether a value stands for one that is not reported: a missing one, an empty text or a dash."""
    return is_missing(value) or (isinstance(value, str) and value.strip() in ("", "-", "–"))


def _ends(found: re.Match[str], rounding: str) -> tuple[Fraction | float, Fraction | float, bool, bool]:
    """Return the ends of what a printed number stands for, and whether they belong to it."""
    digits = found["digits"] or ""
    scale = Fraction(10) ** (int(found["exponent"] or 0) - (2 if found["percent"] else 0))
    value = Fraction(int(found["whole"] + digits or 0), 10 ** len(digits)) * scale
    unit = scale / 10 ** len(digits)
    is_negative = (found["sign"] or "+") in "-−–"
    relation = found["relation"] or "="
    if relation != "=":
        value = -value if is_negative else value
        is_closed = relation in (">=", "<=", "≥", "≤")
        return (value, inf, is_closed, False) if relation in (">", ">=", "≥") else (-inf, value, False, is_closed)
    # Of the size: rounded to the nearest it is within half a unit, and truncated up to a unit above.
    low = value if rounding == "truncated" else value - unit / 2
    high = value + (unit / 2 if rounding == "nearest" else unit)
    has_low, has_high = True, rounding == "nearest"
    if value == 0 and rounding != "nearest":  # a truncated zero has either sign
        return -unit, unit, False, False
    return (-high, -low, has_high, has_low) if is_negative else (low, high, has_low, has_high)


def _text(end: Fraction | float) -> str:
    if isinstance(end, float):
        return "∞" if end > 0 else "-∞"
    as_decimal = f"{float(end):.12g}"
    return as_decimal if isfinite(float(end)) and Fraction(as_decimal) == end else str(end)
