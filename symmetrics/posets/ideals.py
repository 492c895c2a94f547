"""The lattice of ideals of an order, level by level, as sorted bit sets.

An ideal is a set of elements with everything below them; a linear extension is a path through the lattice, one element
at a time.  Elements are numbered so that each comes after all that are below it.  Then every ideal arises exactly once
by adding its highest element, in sorted sequence, and for a given element the ideals that can take it in and those
that have it at the top correspond one to one, in sorted sequence: nothing is ever searched or sorted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["IdealLattice", "Words", "chains_of", "estimated_ideals"]

Words = NDArray[np.uint64]
Indices = NDArray[np.intp]

_WORD: Final = 64
_BLOCK: Final = 1 << 18
"""Up to so many tests of an element against an ideal are made in one array."""
_PARTICLES: Final = 2000
_PARTICLE_TESTS: Final = 100_000_000


@dataclass(frozen=True)
class IdealLattice:
    """The order of n elements in the form in which ideals are tested: w words of 64 bits, arrays of shape (w, n).

    :param own: the bit of each element
    :param below: what is below each element
    :param down: the same and its own bit
    :param up: what is above each element, and its own bit
    """

    own: Words
    below: Words
    down: Words
    up: Words

    @classmethod
    def of(cls, below: Sequence[int], above: Sequence[int]) -> IdealLattice:
        """Return the lattice of an order given by bit sets; each element comes after all that are below it."""
        own, lower = _words([1 << node for node in range(len(below))]), _words(below)
        return cls(own, lower, lower | own, _words(above) | own)

    @property
    def elements(self) -> int:
        """The number of elements of the order."""
        return len(self.own[0])

    def bottom(self) -> Words:
        """Return the level of the empty ideal; a level has shape (w, ideals)."""
        return np.zeros((len(self.own), 1), dtype=np.uint64)

    def additions(self, level: Words) -> tuple[Indices, Indices]:
        """Return all pairs of an element and an ideal that can take it in, sorted."""
        return self._pairs(level, self.down, self.below)

    def removals(self, level: Words) -> tuple[Indices, Indices]:
        """Return all pairs of an element and an ideal that has it at the top, sorted.

        With the level above in place of the level, these are the additions, in the same sequence.
        """
        return self._pairs(level, self.up, self.own)

    def _pairs(self, level: Words, asked: Words, answer: Words) -> tuple[Indices, Indices]:
        ideals = level.shape[1]
        rows = max(1, _BLOCK // ideals)
        found = []
        for start in range(0, self.elements, rows):
            stop = min(start + rows, self.elements)
            fits = (level[0] & asked[0, start:stop, None]) == answer[0, start:stop, None]
            for word in range(1, len(level)):
                fits &= (level[word] & asked[word, start:stop, None]) == answer[word, start:stop, None]
            element, ideal = fits.nonzero()
            found.append((element + start, ideal))
        if len(found) == 1:
            return found[0]
        elements, members = zip(*found, strict=True)
        return np.concatenate(elements), np.concatenate(members)


def _words(masks: Sequence[int]) -> Words:
    words = max(1, -(-len(masks) // _WORD))
    if words == 1:
        return np.array([masks], dtype=np.uint64)
    full = (1 << _WORD) - 1
    return np.array([[mask >> _WORD * word & full for mask in masks] for word in range(words)], dtype=np.uint64)


def chains_of(below: Sequence[int]) -> list[int]:
    """Return the lengths of chains that an order falls into, found greedily.

    >>> chains_of([0, 0, 1, 3])
    [2, 2]
    """
    tops: list[int] = []
    lengths: list[int] = []
    for node, lower in enumerate(below):
        for chain, top in enumerate(tops):
            if lower >> top & 1:
                tops[chain] = node
                lengths[chain] += 1
                break
        else:
            tops.append(node)
            lengths.append(1)
    return lengths


def estimated_ideals(below: Sequence[int], above: Sequence[int]) -> float:
    """Return about how many ideals an order has, from a sample of every level.

    It is mostly within a third of the true number, and never more than the ideals of the chains it falls into.

    A level is sampled from the one before: an ideal that k others lead to gets a k-th of the weight from each.

    >>> round(estimated_ideals([0] * 20, [0] * 20) / 2**20, 9)
    1.0
    """
    lattice = IdealLattice.of(below, above)
    size, words = lattice.elements, len(lattice.own)
    most = max(32, min(_PARTICLES, _PARTICLE_TESTS // (size * size * words)))
    generator = np.random.default_rng(0)
    level, ideals, total = lattice.bottom(), 1.0, 1.0
    for _ in range(size):
        elements, parents = lattice.additions(level)
        children = level[:, parents] | lattice.own[:, elements]
        _, tops = lattice.removals(children)
        weights = 1 / np.bincount(tops, minlength=children.shape[1])
        ideals *= weights.sum() / level.shape[1]
        total += ideals
        steps = (generator.random() + np.arange(most)) * (weights.sum() / most)
        chosen = np.searchsorted(np.cumsum(weights), steps).clip(max=len(weights) - 1)
        level = children[:, chosen]
    return min(float(total), prod(length + 1 for length in chains_of(below)))
