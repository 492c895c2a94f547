"""Arithmetic modulo the prime 2**31 - 1 with many numbers at once, and which of many numbers are new."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["PRIME", "Residues", "Seen", "difference", "inverses", "product", "total"]

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
