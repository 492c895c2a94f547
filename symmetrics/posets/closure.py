"""Transitive closure and reduction of an acyclic relation, as bit sets: bit i of a row stands for element i."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

__all__ = ["Closure", "bits", "closure_of", "cycle_in"]


class Closure(NamedTuple):
    """A strict order on 0, ..., n - 1.

    :param below: for each element the bit set of all elements below it, itself not among them
    :param above: for each element the bit set of all elements above it
    :param covers: the pairs (a, b) with a below b and nothing between, by b and then by a
    :param heights: for each element the number of steps of the longest chain that ends in it
    """

    below: tuple[int, ...]
    above: tuple[int, ...]
    covers: tuple[tuple[int, int], ...]
    heights: tuple[int, ...]


def bits(mask: int) -> Iterator[int]:
    """Yield the elements of a bit set, in ascending order.

    >>> list(bits(0b10110))
    [1, 2, 4]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def closure_of(successors: Sequence[Sequence[int]]) -> Closure | None:
    """Return the closure of a relation given by what follows each element directly, or None if it has a cycle.

    A row is the union of the rows of its covers alone: predecessors are taken from the highest down, and one that is
    in the row already adds nothing.

    >>> closure_of([[1, 2], [2], []])
    Closure(below=(0, 1, 3), above=(6, 4, 0), covers=((0, 1), (1, 2)), heights=(0, 1, 2))
    >>> closure_of([[1], [0]])
    """
    order = _topological_order(successors)
    if len(order) < len(successors):
        return None
    size = len(successors)
    predecessors: list[list[int]] = [[] for _ in range(size)]
    for node in reversed(order):
        for successor in successors[node]:
            predecessors[successor].append(node)
    below, closed, heights = [0] * size, [0] * size, [0] * size
    lower_covers: list[list[int]] = [[] for _ in range(size)]
    for node in order:
        row, covers = 0, lower_covers[node]
        for lower in predecessors[node]:
            if not row >> lower & 1:
                row |= closed[lower]
                covers.append(lower)
        below[node] = row
        closed[node] = row | 1 << node
        heights[node] = max((heights[lower] + 1 for lower in covers), default=0)
    above = [0] * size
    for node in reversed(order):
        row = above[node] | 1 << node
        for lower in lower_covers[node]:
            above[lower] |= row
    pairs = tuple((lower, node) for node in range(size) for lower in sorted(lower_covers[node]))
    return Closure(tuple(below), tuple(above), pairs, tuple(heights))


def _topological_order(successors: Sequence[Sequence[int]]) -> list[int]:
    """Return the elements that no cycle precedes, each after all that precede it."""
    waiting = [0] * len(successors)
    for followers in successors:
        for node in followers:
            waiting[node] += 1
    order = [node for node, count in enumerate(waiting) if count == 0]
    for node in order:
        for successor in successors[node]:
            waiting[successor] -= 1
            if waiting[successor] == 0:
                order.append(successor)
    return order


def cycle_in(successors: Sequence[Sequence[int]]) -> list[int]:
    """Return the elements of a cycle of a relation that has one, in order, from the earliest element on.

    >>> cycle_in([[1], [3], [1], [4, 2], []])
    [1, 3, 2]
    """
    settled = set(_topological_order(successors))
    earlier: dict[int, int] = {}
    for node, followers in enumerate(successors):
        if node not in settled:
            earlier.update(dict.fromkeys((other for other in followers if other not in settled), node))
    node = next(iter(earlier))
    path: dict[int, None] = {}
    while node not in path:
        path[node] = None
        node = earlier[node]
    walked = list(path)
    cycle = walked[walked.index(node) :][::-1]
    start = cycle.index(min(cycle))
    return cycle[start:] + cycle[:start]
