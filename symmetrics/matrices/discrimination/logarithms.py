"""Entropies of confusion matrices, compared exactly: as products of whole powers, by their prime factors.

A sum of terms ``c*log(m)`` with whole c and m is the logarithm of a rational number, and two such sums are equal if and
only if the numbers have the same prime factors to the same powers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np
from sympy import multiplicity, primerange

from symmetrics.matrices.discrimination.measures import Columns
from symmetrics.matrices.discrimination.states import (
    LARGEST,
    Digits,
    IntArray,
    Sizes,
    States,
    expanded,
    rows_of,
    states_of,
)


@dataclass(frozen=True)
class _Packing:
    """The powers of primes, packed into as few integers of 64 bits as hold them.

    :param lows: the smallest power of each prime
    :param radices: how many powers of each prime there may be
    """

    primes: tuple[int, ...]
    lows: tuple[int, ...]
    radices: tuple[int, ...]

    def pack(self, powers: Sequence[IntArray], *, offset: bool = True) -> list[IntArray]:
        """Return the packed powers.

        :param offset: measure the powers from the smallest; sums of several have to do so once
        """
        words: list[IntArray] = []
        place = LARGEST
        for power, low, radix in zip(powers, self.lows, self.radices, strict=True):
            if place * radix >= LARGEST:
                words.append(np.zeros(len(power), dtype=np.int64))
                place = 1
            words[-1] += (power - low if offset else power) * place
            place *= radix
        return words


@dataclass(frozen=True)
class _Entries:
    """What the rows add to a key: powers of primes below, and column sums, perhaps with the diagonal, above.

    The power of a prime p in m**m is a multiple of p, by which it is divided.
    """

    primes: tuple[int, ...]
    digits: Digits
    margins: Digits
    steps: list[IntArray]
    low: IntArray
    """The values of the low digits that occur, sorted."""
    sizes: Sizes

    @classmethod
    def of(cls, sizes: Sizes, *, diagonal: bool) -> Self:
        """Return the steps for some class sizes.

        :param diagonal: whether entries of the diagonal count in the powers; else they stand beside the column sums
        """
        primes = tuple(primerange(max(2, *sizes.counts) + 1))
        powers, margins = [], []
        for place, count in enumerate(sizes.counts):
            rows = rows_of(count, sizes.classes)
            correct = np.zeros_like(rows)
            correct[:, place] = rows[:, place]
            entries = rows if diagonal else rows - correct
            tables = [_powers(prime, count) * np.arange(count + 1) // prime for prime in primes]
            powers.append(np.column_stack([table[entries].sum(axis=1) for table in tables]))
            margins.append(rows[:, :-1] if diagonal else np.hstack([rows[:, :-1], correct]))
        low, high = (
            Digits(tuple(map(int, sum(part.max(axis=0) for part in parts) + 1))) for parts in (powers, margins)
        )
        Digits((low.size, high.size))
        packed = [low.pack(part) for part in powers]
        steps = [first + low.size * high.pack(second) for first, second in zip(packed, margins, strict=True)]
        return cls(primes, low, high, steps, _sums([np.unique(part) for part in packed]), sizes)

    def powers(self, primes: Sequence[int]) -> list[IntArray]:
        """Return the power of each prime in the product of m**m, for every value of the low digits that occurs."""
        none = np.zeros(len(self.low), dtype=np.int64)
        return [
            prime * self.digits.digit(self.low, self.primes.index(prime)) if prime in self.primes else none
            for prime in primes
        ]

    def seen(self, packed: IntArray) -> States:
        """Return the column sums, and the diagonal if it stands beside them, of packed margins."""
        columns = [self.margins.digit(packed, place) for place in range(len(self.margins.radices))]
        split = self.sizes.classes - 1
        predicted = np.stack(columns[:split], axis=1)
        last = self.sizes.total - predicted.sum(axis=1, keepdims=True)
        correct = np.stack(columns[split:], axis=1) if columns[split:] else np.zeros((len(packed), 0), dtype=np.int64)
        return States(correct, np.hstack([predicted, last]), np.zeros(len(packed), dtype=np.int64))


@dataclass(frozen=True)
class EntropyMeasure:
    """A metric that sees the sum of m*log(m) over the entries m of a matrix, beside its column sums.

    Relative classifier information (RCI; Sindhwani et al. 2001) is, but for what is the same for all matrices, the sum
    of p*log(p) over the column sums less that of m*log(m) over the entries.  Confusion entropy (CEN; Wei et al. 2010)
    is, with s = t + p of a class, the sum of ``(s - 2*tp)*log(s)`` less twice that of m*log(m) off the diagonal.

    :param name: what the study calls it
    :param key: the metric's key in :data:`symmetrics.multiclass`
    :param sees_diagonal: whether it is the confusion entropy
    """

    name: str
    key: str
    sees_diagonal: bool

    def values(self, sizes: Sizes) -> Iterator[Columns]:
        """Yield, in chunks, columns that are the same for two matrices if and only if the metric is."""
        # exp of the sum is a product of m**m: equal if and only if all prime powers are.
        entries = _Entries.of(sizes, diagonal=not self.sees_diagonal)
        packing = self._packing(sizes, entries)
        of_entries = packing.pack([self._factor * powers for powers in entries.powers(packing.primes)], offset=False)
        # High digits are margins, low digits the powers from the entries.
        for keys in expanded(entries.steps):
            margins, rest = np.divmod(keys, entries.digits.size)
            rest = np.searchsorted(entries.low, rest)
            # What depends on the margins alone is computed once for each of them.
            starts = np.flatnonzero(np.diff(margins, prepend=-1))
            lengths = np.diff(starts, append=len(margins))
            of_margins = packing.pack(self._powers(packing.primes, entries.seen(margins[starts]), sizes))
            yield [
                np.repeat(first, lengths) + second[rest] for first, second in zip(of_margins, of_entries, strict=True)
            ]

    @property
    def _factor(self) -> int:
        """What the sum over the entries is multiplied by."""
        return -2 if self.sees_diagonal else -1

    def _powers(self, primes: Sequence[int], states: States, sizes: Sizes) -> list[IntArray]:
        """Return the power of each prime in what the diagonal and the column sums contribute."""
        bases = factors = states.predicted
        if self.sees_diagonal:
            bases = states.predicted + np.array(sizes.counts, dtype=np.int64)
            factors = bases - 2 * states.correct
        largest = max(sizes.counts) + sizes.total
        return [np.asarray((factors * _powers(prime, largest)[bases]).sum(axis=1)) for prime in primes]

    def _packing(self, sizes: Sizes, entries: _Entries) -> _Packing:
        """Return how the powers of all primes are packed, from the powers that occur."""
        primes = tuple(primerange(max(sizes.counts) + sizes.total + 1))
        # The range of each prime power, so that as few 64-bit words as possible hold them.
        ends = [[0, 0] for _ in primes]
        for states in states_of(sizes):
            for end, powers in zip(ends, self._powers(primes, states, sizes), strict=True):
                end[0], end[1] = min(end[0], int(powers.min())), max(end[1], int(powers.max()))
        for end, powers in zip(ends, entries.powers(primes), strict=True):
            end[0] += self._factor * int(powers.max())
        return _Packing(primes, tuple(low for low, _ in ends), tuple(high - low + 1 for low, high in ends))


def _sums(steps: Sequence[IntArray]) -> IntArray:
    """Return the distinct sums of one entry of each step, sorted."""
    chunks = list(expanded(steps))
    return chunks[0] if len(chunks) == 1 else np.unique(np.concatenate(chunks))


@lru_cache(maxsize=256)
def _powers(prime: int, largest: int) -> IntArray:
    """Return the power of a prime in every number up to the largest, 0 for 0."""
    return np.array([multiplicity(prime, number) if number else 0 for number in range(largest + 1)], dtype=np.int64)
