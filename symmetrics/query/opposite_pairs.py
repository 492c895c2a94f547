"""Pairs of tables that two rankings order alike, oppositely or not at all: how many, and the smallest opposite one."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from symmetrics.claims.verdict import Counts
from symmetrics.query.exact_ranks import IntArray

__all__ = ["Pairs", "closest", "counted"]


@dataclass(frozen=True)
class Pairs:
    """How two metrics order the unordered pairs of different tables at which both have a value.

    :param concordant: pairs that both order in the same way
    :param discordant: pairs that they order in opposite ways
    :param tied_first: pairs that the first alone ties
    :param tied_second: pairs that the second alone ties
    :param tied_both: pairs that both tie
    """

    concordant: int
    discordant: int
    tied_first: int
    tied_second: int
    tied_both: int

    @property
    def total(self) -> int:
        """The number of pairs."""
        return self.concordant + self.discordant + self.tied_first + self.tied_second + self.tied_both

    @property
    def share(self) -> Fraction:
        """The share of pairs that are ordered in opposite ways; 0 if there is no pair."""
        return Fraction(self.discordant, self.total) if self.total else Fraction(0)


def counted(first: IntArray, second: IntArray) -> Pairs:
    """Return how two rankings order the pairs of their places, in time T log T: Knight's count of inversions.

    >>> counted(np.array([0, 1, 1, 2]), np.array([1, 0, 0, 2]))
    Pairs(concordant=3, discordant=2, tied_first=0, tied_second=0, tied_both=1)
    """
    x, y = (np.unique(ranks, return_inverse=True)[1].astype(np.int64) for ranks in (first, second))
    total = len(x) * (len(x) - 1) // 2
    tied_first, tied_second, tied_both = (_tied(ranks) for ranks in (x, y, x * (len(y) + 1) + y))
    discordant = _inversions(y[np.lexsort((y, x))])
    concordant = total - discordant - tied_first - tied_second + tied_both
    return Pairs(concordant, discordant, tied_first - tied_both, tied_second - tied_both, tied_both)


def _tied(ranks: IntArray) -> int:
    counts = np.unique(ranks, return_counts=True)[1].astype(np.int64)
    return int((counts * (counts - 1) // 2).sum())


def _inversions(places: IntArray) -> int:
    """Return how many pairs of places stand in falling order.

    Such a pair has some first binary digits in common and then differs: for each digit, those are counted that have a 1
    before a 0, among the places that begin alike.
    """
    found = 0
    for digit in range(int(places.max(initial=0)).bit_length()):
        heads = places >> (digit + 1)
        order = np.argsort(heads, kind="stable")
        heads, ones = heads[order], (places[order] >> digit) & 1
        before = np.cumsum(ones) - ones
        starts = np.searchsorted(heads, heads)
        found += int(((before - before[starts]) * (1 - ones)).sum())
    return found


def closest(tables: IntArray, first: IntArray, second: IntArray) -> tuple[Counts, Counts]:
    """Return the smallest pair that two rankings order in opposite ways, the one that the first prefers first."""
    n = int(tables[0].sum())
    # Tables are looked up by a number for each: one with a place for all triples of cells would not fit into memory
    # where fixed margins leave few tables of many examples.
    numbers = _numbers(tables, n)
    order = np.argsort(numbers)
    numbers = numbers[order]
    for distance in range(1, n + 1):
        best: tuple[int, tuple[int, ...], tuple[int, ...], int, int] | None = None
        for step in _steps(distance):
            moved = tables + step
            inside = np.flatnonzero((moved >= 0).all(axis=1))
            asked = _numbers(moved[inside], n)
            found = np.minimum(np.searchsorted(numbers, asked), len(numbers) - 1)
            is_table = numbers[found] == asked
            here, there = inside[is_table], order[found[is_table]]
            opposite = (first[here] - first[there]) * (second[here] - second[there]) < 0
            here, there = here[opposite], there[opposite]
            if len(here):
                zeros = (tables[here] == 0).sum(axis=1) + (tables[there] == 0).sum(axis=1)
                least = int(np.argmin(zeros))
                a, b = int(here[least]), int(there[least])
                key = (int(zeros[least]), tuple(tables[a].tolist()), tuple(tables[b].tolist()), a, b)
                best = key if best is None or key < best else best
        if best is not None:
            a, b = best[3:] if first[best[3]] > first[best[4]] else (best[4], best[3])
            return Counts(*tables[a].tolist()), Counts(*tables[b].tolist())
    raise AssertionError("a pair that was counted was not found")


def _numbers(tables: IntArray, n: int) -> IntArray:
    """Return a number for each table of n examples, by which it is known."""
    return (tables[:, 0] * (n + 1) + tables[:, 1]) * (n + 1) + tables[:, 2]


def _steps(distance: int) -> Iterator[IntArray]:
    """Yield the ways to move a number of examples between cells, each of two opposite ones once."""
    reach = range(-distance, distance + 1)
    for step in itertools.product(reach, repeat=3):
        full = (*step, -sum(step))
        if sum(map(abs, full)) == 2 * distance and next(part for part in full if part) > 0:
            yield np.array(full, dtype=np.int64)
