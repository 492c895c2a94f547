"""Distinct rows of integer columns, and fractions as columns: exact values, compared as integers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from symmetrics.matrices.discrimination.states import LARGEST, IntArray

__all__ = ["Fractions", "distinct"]


def distinct(columns: Sequence[IntArray]) -> list[IntArray]:
    """Return the distinct rows of some columns, sorted.

    >>> [column.tolist() for column in distinct([np.array([2, 1, 2]), np.array([7, -8, 7])])]
    [[1, 2], [-8, 7]]
    """
    if not len(columns[0]):
        return list(columns)
    lows = [int(column.min()) for column in columns]
    radices = [int(column.max()) - low + 1 for column, low in zip(columns, lows, strict=True)]
    if prod(radices) >= LARGEST:
        order = np.lexsort(columns[::-1])
        changes = [np.diff(column[order]) != 0 for column in columns]
        kept = order[np.append(True, np.logical_or.reduce(changes))]
        return [column[kept] for column in columns]
    packed = np.zeros(len(columns[0]), dtype=np.int64)
    for column, low, radix in zip(columns, lows, radices, strict=True):
        packed = packed * radix + (column - low)
    packed.sort()
    packed = packed[np.append(True, np.diff(packed) != 0)]
    found = []
    for low, radix in zip(reversed(lows), reversed(radices), strict=True):
        found.append(packed % radix + low)
        packed = packed // radix
    return found[::-1]


@dataclass(frozen=True)
class Fractions:
    """Fractions of integers: all over one denominator, or each over its own.

    Arrays are of Python integers where 64 bits might not hold a result: slower, and as exact.

    :param numerator: of any sign
    :param denominator: positive
    """

    numerator: IntArray
    denominator: IntArray | int

    @property
    def columns(self) -> list[IntArray]:
        """Integer columns that are the same for two fractions if and only if they are the same number."""
        if isinstance(self.denominator, int):
            return [self.numerator]
        lowest = self.in_lowest_terms()
        assert not isinstance(lowest.denominator, int)
        return [lowest.numerator, lowest.denominator]

    def in_lowest_terms(self) -> Fractions:
        """Return the same numbers, each over its own smallest denominator."""
        common = np.gcd(self.numerator, self.denominator)
        return Fractions(self.numerator // common, np.asarray(self.denominator // common))

    def within(self, bound: int) -> Fractions:
        """Return the same numbers, ready for arithmetic whose results are smaller than this bound."""
        if bound < LARGEST:
            return self
        below = self.denominator
        wide = below if isinstance(below, int) else below.astype(object)
        return Fractions(self.numerator.astype(object), wide)

    @property
    def largest(self) -> int:
        """The largest absolute value of a numerator or denominator."""
        above = int(np.abs(self.numerator).max(initial=0))
        below = self.denominator if isinstance(self.denominator, int) else int(self.denominator.max(initial=1))
        return max(above, below)
