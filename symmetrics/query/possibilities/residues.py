"""Arithmetic modulo the prime 2**31 - 1 with many numbers at once, and which of many numbers are new."""

from __future__ import annotations

import random
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["PRIME", "Residues", "Seen", "difference", "inverses", "is_square", "mixed", "product", "roots", "total"]

PRIME: Final = 2**31 - 1
_PRIME: Final = np.uint64(PRIME)
_BITS: Final = np.uint64(31)
Residues = NDArray[np.uint64]
"""Numbers below the prime."""


def total(left: Residues, right: Residues) -> Residues:
    """Return sums modulo the prime."""
    return _once(left + right)


def difference(left: Residues, right: Residues) -> Residues:
    """Return differences modulo the prime."""
    return _once(left + (_PRIME - right))


def product(left: Residues, right: Residues) -> Residues:
    """Return products modulo the prime: as 2**31 is 1, what stands above 31 bits is added to what stands below.

    >>> product(np.array([2**30, 5], dtype=np.uint64), np.array([4, 7], dtype=np.uint64)).tolist()
    [2, 35]
    """
    values = left * right
    return _once((values & _PRIME) + (values >> _BITS))


def _once(values: Residues) -> Residues:
    """Return numbers of at most twice the prime without it: what is below the prime already wraps to the other end."""
    return np.asarray(np.minimum(values, values - _PRIME))


def inverses(values: Residues) -> Residues:
    """Return the inverses modulo the prime, and 0 for 0: three products for each (Montgomery, 1987).

    >>> inverses(np.array([1, 2, 0], dtype=np.uint64)).tolist()
    [1, 1073741824, 0]
    """
    known = np.where(values == 0, np.uint64(1), values).ravel()
    return np.where(values == 0, np.uint64(0), _inverses(known).reshape(values.shape))


def _inverses(known: Residues) -> Residues:
    if len(known) <= 1:
        return np.array([pow(int(value), -1, PRIME) for value in known], dtype=np.uint64)
    even = known if len(known) % 2 == 0 else np.append(known, np.uint64(1))
    first, second = even[0::2], even[1::2]
    both = _inverses(product(first, second))
    found = np.empty_like(even)
    found[0::2], found[1::2] = product(both, second), product(both, first)
    return found[: len(known)]


def is_square(value: int) -> bool:
    """Whether a number is a square other than 0 modulo the prime (Euler's criterion).

    >>> [is_square(value) for value in (2, 3, 4, 0)]
    [True, False, True, False]
    """
    return pow(value, (PRIME - 1) // 2, PRIME) == 1


def roots(values: Residues) -> Residues:
    """Return of squares modulo the prime those roots that are squares themselves: powers by 2**29.

    >>> roots(np.array([4, 2**30], dtype=np.uint64)).tolist()
    [2, 32768]
    """
    found = values
    for _ in range(29):
        found = product(found, found)
    return found


def mixed(values: Residues) -> Residues:
    """Return one number of 62 bits for each column: what differs in a row differs here but by a chance of 2**-62."""
    if len(values) == 2:
        return np.asarray(values[0] << _BITS | values[1])
    draw = random.Random(1980)
    sums = []
    for _ in range(2):
        found = np.zeros(values.shape[1], dtype=np.uint64)
        for row in values:
            weight = np.array(draw.randrange(1, PRIME), dtype=np.uint64)
            found = total(found, product(row, weight))
        sums.append(found)
    return np.asarray(sums[0] << _BITS | sums[1])


class Seen:
    """Numbers that were met, in sorted runs, of which each is more than twice as long as the next.

    >>> seen = Seen()
    >>> seen.new(np.array([5, 3, 5], dtype=np.uint64)).tolist(), seen.new(np.array([3, 4], dtype=np.uint64)).tolist()
    ([0, 1], [1])
    """

    def __init__(self) -> None:
        self.runs: list[Residues] = []

    def __len__(self) -> int:
        return sum(map(len, self.runs))

    def new(self, keys: Residues) -> NDArray[np.int64]:
        """Return the places of numbers that were not met before, each once and where it comes first; remember them."""
        unique, first = np.unique(keys, return_index=True)
        fresh = np.ones(len(unique), dtype=bool)
        for run in self.runs:
            near = np.searchsorted(run, unique)
            fresh &= run[np.minimum(near, len(run) - 1)] != unique
        self._remember(unique[fresh])
        return np.sort(first[fresh])

    def _remember(self, run: Residues) -> None:
        if len(run):
            self.runs.append(run)
        while len(self.runs) > 1 and len(self.runs[-2]) <= 2 * len(self.runs[-1]):
            last = self.runs.pop()
            self.runs[-1] = np.sort(np.concatenate([self.runs[-1], last]), kind="stable")
