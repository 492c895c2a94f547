"""Splitting an order into parts whose averaged ranks and linear extensions combine by closed formulas.

Parts that are unrelated to each other interleave freely: the number of linear extensions of their union is the product
of the parts' numbers and a multinomial coefficient, and a rank r within a part of m classes becomes r(n + 1)/(m + 1)
on average within all n.  Where one part lies wholly below the other, the numbers multiply and the ranks of the upper
part rise by the size of the lower one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import factorial
from typing import NamedTuple

from symmetrics.posets.closure import Closure, bits

__all__ = ["Block", "Decomposition", "decompose", "relabelled"]


class Block(NamedTuple):
    """A part of an order that splits no further.

    :param members: its elements, each after all that are below it
    :param scale: what a rank within the part is multiplied by, and
    :param shift: what is added then, for the averaged rank within the whole
    """

    members: tuple[int, ...]
    scale: Fraction
    shift: Fraction


class Decomposition(NamedTuple):
    """The parts of an order, and the number of ways in which linear extensions of them interleave."""

    blocks: tuple[Block, ...]
    interleavings: int


def decompose(closure: Closure) -> Decomposition:
    """Split an order as far as it goes.

    >>> from symmetrics.posets.closure import closure_of
    >>> blocks, interleavings = decompose(closure_of([[1, 2], [], [], []]))
    >>> [(block.members, str(block.scale), str(block.shift)) for block in blocks], interleavings
    ([((0,), '5/4', '0'), ((1,), '15/8', '5/4'), ((2,), '15/8', '5/4'), ((3,), '5/2', '0')], 8)
    """
    below, above = closure.below, closure.above
    order = sorted(range(len(below)), key=lambda node: below[node].bit_count())
    waiting = [Block(tuple(order), Fraction(1), Fraction(0))]
    blocks, interleavings = [], 1
    while waiting:
        block = waiting.pop()
        parts = _unrelated(block.members, below, above)
        if len(parts) > 1:
            size = len(block.members)
            interleavings *= factorial(size)
            for part in parts:
                interleavings //= factorial(len(part))
                waiting.append(Block(part, block.scale * Fraction(size + 1, len(part) + 1), block.shift))
            continue
        parts = list(_stacked(block.members, below))
        if len(parts) == 1:
            blocks.append(block)
            continue
        height = 0
        for part in parts:
            waiting.append(Block(part, block.scale, block.shift + block.scale * height))
            height += len(part)
    blocks.sort(key=lambda block: min(block.members))
    return Decomposition(tuple(blocks), interleavings)


def _unrelated(members: Sequence[int], below: Sequence[int], above: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the connected components of the comparabilities between some elements, each in their sequence."""
    left = mask = _mask(members)
    components = []
    while left:
        component, reached = 0, left & -left
        while reached:
            component |= reached
            further = 0
            for node in bits(reached):
                further |= below[node] | above[node]
            reached = further & mask & ~component
        left &= ~component
        components.append(component)
    if len(components) == 1:
        return [tuple(members)]
    number = {node: index for index, component in enumerate(components) for node in bits(component)}
    parts: list[list[int]] = [[] for _ in components]
    for node in members:
        parts[number[node]].append(node)
    return list(map(tuple, parts))


def _stacked(members: Sequence[int], below: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the parts, from the lowest up, of which each lies wholly below the next; members are in a linear order."""
    common = [-1]
    for node in reversed(members):
        common.append(common[-1] & below[node])
    common.reverse()
    start, lower = 0, 0
    for position, node in enumerate(members, start=1):
        lower |= 1 << node
        if common[position] & lower == lower:
            yield tuple(members[start:position])
            start = position


def _mask(members: Sequence[int]) -> int:
    mask = 0
    for node in members:
        mask |= 1 << node
    return mask


def relabelled(members: Sequence[int], masks: Sequence[int]) -> list[int]:
    """Return the bit sets of some elements, restricted to these elements and numbered by their positions.

    >>> relabelled([3, 1], [0, 0b1000, 0, 0])
    [0, 1]
    """
    mask = _mask(members)
    position = {node: index for index, node in enumerate(members)}
    return [_mask([position[other] for other in bits(masks[node] & mask)]) for node in members]
