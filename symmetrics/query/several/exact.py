"""Scores as the decimal numbers that they are written as, so that equal differences are equal.

In floats 0.875 - 0.87 is not 0.9 - 0.895, and a test that ranks differences would see no tie.  Nor would it of 1 - 2/3
and 2/3 - 1/3, which no decimal number is: differences that are as near as the rounding of their scores allows are
equal, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.numeric.counts import FloatArray

__all__ = ["ROUNDING", "differences_as_integers", "roundings", "sizes_in_order"]

ROUNDING: Final = 4 * float(np.finfo(float).eps)
"""By how much of the larger score a difference of two may be off, where both were rounded."""


def differences_as_integers(
    first: Sequence[float], second: Sequence[float], *also: float
) -> tuple[NDArray[Any], list[int]]:
    """Return the second scores minus the first as whole multiples of one unit, and other numbers in the same unit.

    :param also: further numbers to express in it
    :returns: an array of Python's integers, which do not overflow, and a list of such

    >>> differences_as_integers([0.87, 0.895], [0.875, 0.9], 0.01)
    (array([5, 5], dtype=object), [10])
    """
    parts = [[Decimal(repr(float(value))) for value in values] for values in (first, second, also)]
    least = min(int(value.as_tuple().exponent) for part in parts for value in part)
    whole = [[_scaled(value, -least) for value in part] for part in parts]
    return np.array(whole[1], dtype=object) - np.array(whole[0], dtype=object), whole[2]


def _scaled(value: Decimal, places: int) -> int:
    sign, digits, exponent = value.as_tuple()
    number: int = int("".join(map(str, digits))) * 10 ** (places + int(exponent))
    return -number if sign else number


def roundings(first: Sequence[float], second: Sequence[float]) -> list[float]:
    """Return by how much each difference may be off because its two scores were rounded.

    >>> roundings([0.5], [1.0])[0] < 1e-15
    True
    """
    return [ROUNDING * max(abs(float(one)), abs(float(other))) for one, other in zip(first, second, strict=True)]


def sizes_in_order(first: Sequence[float], second: Sequence[float]) -> FloatArray:
    """Return whole numbers that have the signs of the differences, and the order and the ties of their sizes.

    >>> sizes_in_order([2 / 3, 1 / 3, 0.5, 0.3, 0], [1, 2 / 3, 0.4, 0.1 + 0.2, 1]).tolist()
    [2.0, 2.0, -1.0, 0.0, 3.0]
    """
    differences, errors = differences_as_integers(first, second, *roundings(first, second))
    found = np.zeros(len(differences))
    places = [place for place, error in enumerate(errors) if abs(differences[place]) > error]
    places.sort(key=lambda place: abs(differences[place]))
    size = 0
    for rank, place in enumerate(places):
        before = places[rank - 1]
        gap = abs(differences[place]) - abs(differences[before])
        size += not rank or gap > errors[place] + errors[before]
        found[place] = size if differences[place] > 0 else -size
    return found
