"""What a rearrangement of a table may turn M into, as relations between the values before and after it."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from symmetrics.checker.engine.values import Number, add, multiply
from symmetrics.claims import value_symbol

__all__ = ["RELATIONS", "gap_of"]

_BEFORE, _AFTER = value_symbol(0), value_symbol(1)
RELATIONS: Final = {
    "M": _BEFORE - _AFTER,
    "1-M": _BEFORE + _AFTER - 1,
    "-M": _BEFORE + _AFTER,
    "1/M": _BEFORE * _AFTER - 1,
}
"""What is zero if the value after a rearrangement is the image of the one before it."""


def gap_of(image: str, first: Number, second: Number) -> Number:
    """Return the value of a relation."""
    if image == "1/M":
        return add(multiply(first, second), Fraction(-1))
    if image == "M":
        return add(first, -second)
    return add(add(first, second), Fraction(-1 if image == "1-M" else 0))
