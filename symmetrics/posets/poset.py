"""A finite partial order of classes, as a value."""

from __future__ import annotations

import operator
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple, SupportsIndex, TypeAlias

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from symmetrics.data.frames import is_missing
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

# -- Transitive closure and reduction of an acyclic relation, as bit sets: bit i of a row stands for element i ---------


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


def bit_matrix(masks: Iterable[int]) -> NDArray[np.bool_]:
    """Return the bit sets of all elements as the rows of a matrix.

    >>> bit_matrix([0b10, 0b00]).tolist()
    [[False, True], [False, False]]
    """
    rows = list(masks)
    packed = b"".join(row.to_bytes(-(-len(rows) // 8), "little") for row in rows)
    unpacked = np.unpackbits(np.frombuffer(packed, dtype=np.uint8).reshape(len(rows), -1), axis=1, bitorder="little")
    return unpacked[:, : len(rows)].astype(np.bool_)


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
    # Predecessors by falling height, so that covers come before what they imply.
    size = len(successors)
    predecessors: list[list[int]] = [[] for _ in range(size)]
    for node in reversed(order):
        for successor in successors[node]:
            predecessors[successor].append(node)
    # Upwards: a row is the union of the closed rows of its covers.
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
    # Downwards: what is above an element is above its lower covers.
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
    # What cycles precede is never settled; one predecessor for each unsettled element leads back into a cycle.
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


# -- How classes are shown in messages, tables and diagrams ------------------------------------------------------------


_SHOWN_LENGTH: Final = 60
_MOST_LISTED: Final = 6


def shown(node: object) -> str:
    r"""Return a class, or whatever stands in its place, on one line, cut if long.

    >>> shown("a"), shown(3), shown("two\nlines"), shown("")
    ('a', '3', "'two\\nlines'", "''")
    """
    plain = isinstance(node, str) and node.isprintable() and node.strip() == node != ""
    text = str(node) if plain else " ".join(repr(node).split())
    return text if len(text) <= _SHOWN_LENGTH else text[: _SHOWN_LENGTH - 3] + "..."


def class_names(nodes: Iterable[object]) -> str:
    """Return classes as an error lists them, cut if there are many.

    >>> class_names("ab"), class_names(range(100))
    ('a, b', '0, 1, 2, 3, 4, 5 and 94 more')
    """
    every = list(nodes)
    text = ", ".join(map(shown, every[:_MOST_LISTED]))
    return text if len(every) <= _MOST_LISTED else f"{text} and {len(every) - _MOST_LISTED} more"


# ----------------------------------------------------------------------------------------------------------------------


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


# -- Orders from pairs, graphs and files, checked: whatever is no partial order is refused by name ---------------------


Order: TypeAlias = Poset | nx.DiGraph | Iterable[tuple[Hashable, Hashable]]
"""What is read as an order: a :class:`Poset`, a graph with an edge a -> b where a is below b, or pairs (a, b)."""
Pairs: TypeAlias = list[tuple[Hashable, Hashable]]

_LONG_CYCLE: Final = 10


def poset(order: Order, classes: Iterable[Hashable] | None = None) -> Poset:
    """Return a partial order of classes, checked.

    The pairs may state what follows from others; the order is their transitive closure.

    :param order: a directed graph of networkx with an edge a -> b where a is below b, pairs (a, b) of the same
        meaning, or an order
    :param classes: all classes, in the sequence in which to list them; those in no pair are comparable with no other.
        By default the classes are those of the order, in the sequence in which they first appear.
    :raises InputError: on a cycle, a class below itself, an edge or a class given twice, a class that is not among
        *classes*, an entry that is no pair, and no class at all; the message names the edges

    >>> order = poset([("c", "a"), ("c", "b")], classes=["a", "b", "c", "d"])
    >>> sorted(order.above("c")), sorted(order.incomparable("a"))
    (['a', 'b'], ['b', 'd'])
    >>> poset([("a", "b"), ("b", "c"), ("c", "a")])
    Traceback (most recent call last):
    symmetrics.tools.errors.InputError: the order has the cycle a < b < c < a: drop one of these pairs
    """
    if isinstance(order, Poset) and classes is None:
        return order
    nodes, pairs = _nodes_and_pairs(order)
    _check_hashable(pairs)
    if classes is not None:
        nodes = _all_classes(classes, nodes, pairs)
    positions = dict.fromkeys(nodes)
    for pair in pairs:
        positions.update(dict.fromkeys(pair))
    if not positions:
        raise InputError("the order has no class: give pairs (a, b) with a below b, or classes")
    for node in positions:
        if is_missing(node):
            raise InputError(f"{node} is no class of an order: name classes by texts or numbers")
    index = {node: position for position, node in enumerate(positions)}
    return _built(index, pairs)


def _built(index: dict[Hashable, int], pairs: Pairs) -> Poset:
    names = tuple(index)
    successors: list[list[int]] = [[] for _ in names]
    for lower, upper in pairs:
        successors[index[lower]].append(index[upper])
    for node, followers in enumerate(successors):
        if node in followers:
            name = shown(names[node])
            raise InputError(f"the pair ({name}, {name}) puts a class below itself: drop it")
        if len(set(followers)) < len(followers):
            twice = next(other for other in followers if followers.count(other) > 1)
            raise InputError(f"the pair ({shown(names[node])}, {shown(names[twice])}) is given twice: give it once")
    closure = closure_of(successors)
    if closure is None:
        raise InputError(_cycle_message([names[node] for node in cycle_in(successors)]))
    return Poset(names, closure)


def _cycle_message(cycle: Sequence[Hashable]) -> str:
    names = [shown(node) for node in cycle]
    if len(names) > _LONG_CYCLE:
        left_out = len(names) - _LONG_CYCLE
        names[_LONG_CYCLE - 2 : -2] = [f"... ({left_out} more) ..."]
    return f"the order has the cycle {' < '.join([*names, names[0]])}: drop one of these pairs"


def _nodes_and_pairs(order: Order) -> tuple[list[Hashable], Pairs]:
    if isinstance(order, Poset):
        return list(order.nodes), list(order.reduction)
    if isinstance(order, nx.Graph):
        if not order.is_directed():
            raise InputError("the graph is undirected: pass a networkx.DiGraph with an edge a -> b where a is below b")
        return list(order.nodes), list(order.edges())
    if isinstance(order, np.ndarray):
        order = order.tolist()
    if isinstance(order, str | bytes) or not isinstance(order, Iterable):
        raise InputError(f"{shown(order)} is no order: pass pairs (a, b) with a below b, or a networkx.DiGraph")
    return [], [_pair(entry, number) for number, entry in enumerate(order)]


def _pair(entry: object, number: int) -> tuple[Hashable, Hashable]:
    if type(entry) is tuple and len(entry) == 2:
        return entry
    if isinstance(entry, Sequence | np.ndarray) and not isinstance(entry, str | bytes) and len(entry) == 2:
        return entry[0], entry[1]
    raise InputError(f"entry {number} of the order, {shown(entry)}, is no pair: write (a, b) with a below b")


def _check_hashable(pairs: Pairs) -> None:
    try:
        hash(tuple(pairs))
    except TypeError:
        raise InputError("a class of the order cannot be hashed: name classes by texts or numbers") from None


def _all_classes(classes: Iterable[Hashable], nodes: list[Hashable], pairs: Pairs) -> list[Hashable]:
    if isinstance(classes, str | bytes) or not isinstance(classes, Iterable):
        raise InputError(f"classes is {shown(classes)}: pass a list of all classes")
    listed = list(classes)
    _check_hashable([(node, node) for node in listed])
    known = set(listed)
    if len(known) < len(listed):
        twice = next(node for node in listed if listed.count(node) > 1)
        raise InputError(f"class {shown(twice)} is listed twice: list it once")
    for lower, upper in pairs:
        for node in (lower, upper):
            if node not in known:
                pair = f"({shown(lower)}, {shown(upper)})"
                raise InputError(
                    f"class {shown(node)} in the pair {pair} is not among the classes {class_names(listed)}: "
                    "correct the pair, or list the class"
                )
    for node in nodes:
        if node not in known:
            raise InputError(f"class {shown(node)} is not among the classes {class_names(listed)}: list it too")
    return listed


# -- Arguments that are whole numbers, checked -------------------------------------------------------------------------


def as_whole(value: object, name: str, least: int) -> int:
    """Return a whole number that is at least so large.

    :raises InputError: if it is none, or smaller

    >>> as_whole(7, "draws", 1)
    7
    >>> as_whole(2.5, "draws", 1)
    Traceback (most recent call last):
    symmetrics.tools.errors.InputError: draws=2.5 is not a whole number of at least 1: pass one
    """
    if isinstance(value, SupportsIndex) and not isinstance(value, bool) and operator.index(value) >= least:
        return operator.index(value)
    raise InputError(f"{name}={shown(value)} is not a whole number of at least {least}: pass one")
