"""What a rearrangement of a table may turn M into, as relations between the values before and after it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from symmetrics.checker.engine.values import Number, add, multiply
from symmetrics.claims import value_symbol

__all__ = ["RELATIONS", "gap_of", "in_cycles"]

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


def in_cycles(order: Sequence[int], names: Sequence[str]) -> str:
    """Write a permutation in cycles, each from its first place on; nothing for the identity.

    >>> in_cycles((3, 2, 1, 0), ("TP", "FN", "FP", "TN"))
    '(TP TN)(FN FP)'
    """
    text, left = "", set(range(len(order)))
    while left:
        first = place = min(left)
        cycle = []
        while place in left:
            left.remove(place)
            cycle.append(names[place])
            place = order[place]
        text += f"({' '.join(cycle)})" if order[first] != first else ""
    return text
