"""Scores as the decimal numbers that they are written as, so that equal differences are equal.

In floats 0.875 - 0.87 is not 0.9 - 0.895, and a test that ranks differences would see no tie.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["differences_as_integers"]


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
