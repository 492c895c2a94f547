"""Pairs of parts that several sums or products have in common, each computed once: the most shared pair first."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["share_pairs"]

Item = Any
"""A term or factor, which can be hashed and has a text of its own."""


def share_pairs(lists: Iterable[list[Item]], pair_of: Callable[[Item, Item], Item]) -> None:
    """Replace, in lists of parts, the pairs that two or more of them hold by one part, as long as there are such.

    The pair that most lists hold comes first, of several the one whose text is first: the order of the lists does not
    matter, and the result is the same in every run.

    :param pair_of: what stands for two parts together, in this order

    >>> sums = [["a", "b", "c"], ["b", "a"], ["c", "d"]]
    >>> share_pairs(sums, lambda left, right: "+".join(sorted([left, right])))
    >>> sums
    [['c', 'a+b'], ['a+b'], ['c', 'd']]
    """
    _Sharing(lists, pair_of).run()


class _Sharing:
    """Parts and pairs are numbered, so that each is hashed and written once."""

    def __init__(self, lists: Iterable[list[Item]], pair_of: Callable[[Item, Item], Item]) -> None:
        self.pair_of = pair_of
        self.items: list[Item] = []
        self.texts: list[str] = []
        self.numbers: dict[Item, int] = {}
        self.pairs: dict[tuple[int, int], int] = {}
        self.originals = list(lists)
        self.lists = [[self.number(item) for item in items] for items in self.originals]
        self.held: list[set[int]] = [set() for _ in self.lists]
        self.holders: dict[int, set[int]] = {}
        self.queue: list[tuple[int, str, int]] = []

    def run(self) -> None:
        for place in range(len(self.lists)):
            self.note(place)
        while self.queue:
            count, _, pair = heapq.heappop(self.queue)
            holders = self.holders.get(pair, set())
            if len(holders) != -count or len(holders) < 2:
                continue  # it was shared by more, or by fewer, when it was put into the queue
            for place in sorted(holders):
                self.replace(place, pair)
        for original, numbers in zip(self.originals, self.lists, strict=True):
            original[:] = [self.items[number] for number in numbers]

    def number(self, item: Item) -> int:
        if item not in self.numbers:
            self.numbers[item] = len(self.items)
            self.items.append(item)
            self.texts.append(repr(item))
        return self.numbers[item]

    def pair(self, left: int, right: int) -> int:
        if (left, right) not in self.pairs:
            self.pairs[left, right] = self.number(self.pair_of(self.items[left], self.items[right]))
        return self.pairs[left, right]

    def note(self, place: int) -> None:
        """Note which pairs a list holds now."""
        now = {self.pair(left, right) for left, right in itertools.combinations(self.lists[place], 2)}
        before = self.held[place]
        for pair in before - now:
            self.holders[pair].discard(place)
        for pair in now - before:
            self.holders.setdefault(pair, set()).add(place)
        for pair in before ^ now:
            if len(self.holders[pair]) > 1:
                heapq.heappush(self.queue, (-len(self.holders[pair]), self.texts[pair], pair))
        self.held[place] = now

    def replace(self, place: int, pair: int) -> None:
        """Put one part in the place of the first two that are the pair."""
        parts = self.lists[place]
        left, right = next(two for two in itertools.combinations(parts, 2) if self.pair(*two) == pair)
        parts.remove(left)
        parts.remove(right)
        parts.append(pair)
        self.note(place)
