"""A finite partial order of classes, as a value."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import networkx as nx

from symmetrics.posets.closure import Closure, bits
from symmetrics.posets.names import class_names, shown
from symmetrics.tools.errors import InputError
from symmetrics.tools.words import number_of

__all__ = ["Poset"]


@dataclass(frozen=True, eq=False, repr=False)
class Poset:
    """A strict partial order of classes; build one with :func:`symmetrics.posets.poset`.

    Two are equal if they order the same classes in the same way, in whatever sequence the classes were given.

    :param nodes: the classes, in the sequence in which they were given
    :param closure: the order as bit sets over the positions of the classes in *nodes*
    """

    nodes: tuple[Hashable, ...]
    closure: Closure = field(repr=False)

    def below(self, node: Hashable) -> frozenset[Hashable]:
        """Return all classes below one, directly or not.

        :raises InputError: if it is not a class of this order
        """
        return self._classes(self.closure.below[self.position(node)])

    def above(self, node: Hashable) -> frozenset[Hashable]:
        """Return all classes above one, directly or not.

        :raises InputError: if it is not a class of this order
        """
        return self._classes(self.closure.above[self.position(node)])

    def incomparable(self, node: Hashable) -> frozenset[Hashable]:
        """Return all classes that are neither below nor above one, nor itself.

        :raises InputError: if it is not a class of this order
        """
        index = self.position(node)
        comparable = self.closure.below[index] | self.closure.above[index] | 1 << index
        return self._classes(((1 << len(self)) - 1) & ~comparable)

    @cached_property
    def reduction(self) -> tuple[tuple[Hashable, Hashable], ...]:
        """The transitive reduction: the pairs (a, b) with a below b and no class between."""
        return tuple((self.nodes[lower], self.nodes[upper]) for lower, upper in self.closure.covers)

    @cached_property
    def levels(self) -> tuple[tuple[Hashable, ...], ...]:
        """The classes by the length of the longest chain below them, from the minimal ones up."""
        levels: list[list[Hashable]] = [[] for _ in range(max(self.closure.heights) + 1)]
        for node, height in zip(self.nodes, self.closure.heights, strict=True):
            levels[height].append(node)
        return tuple(map(tuple, levels))

    @cached_property
    def graph(self) -> nx.DiGraph:
        """The transitive reduction as a frozen networkx graph, an edge from the lower to the upper class."""
        graph = nx.DiGraph()
        graph.add_nodes_from(self.nodes)
        graph.add_edges_from(self.reduction)
        return nx.freeze(graph)

    def position(self, node: Hashable) -> int:
        """Return the position of a class among the nodes.

        :raises InputError: if it is not a class of this order
        """
        found = _found(self._positions, node)
        if found is None:
            raise InputError(f"{shown(node)} is not a class of this order; its classes are {class_names(self.nodes)}")
        return found

    @cached_property
    def _positions(self) -> dict[Hashable, int]:
        return {node: index for index, node in enumerate(self.nodes)}

    def _classes(self, mask: int) -> frozenset[Hashable]:
        return frozenset(self.nodes[index] for index in bits(mask))

    def __contains__(self, node: object) -> bool:
        return _found(self._positions, node) is not None

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Poset):
            return NotImplemented
        return set(self.nodes) == set(other.nodes) and set(self.reduction) == set(other.reduction)

    def __hash__(self) -> int:
        return hash((frozenset(self.nodes), frozenset(self.reduction)))

    def __repr__(self) -> str:
        return (
            f"<Poset: {number_of(len(self), 'class')}, {number_of(len(self.closure.covers), 'cover')}, "
            f"{number_of(len(self.levels), 'level')}>"
        )


def _found(positions: dict[Hashable, int], node: object) -> int | None:
    try:
        return positions.get(node)
    except TypeError:  # what cannot be hashed is no class
        return None
