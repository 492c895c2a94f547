"""Orders from pairs, graphs and files, checked: whatever is no partial order is refused by name."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Final, TypeAlias

import networkx as nx
import numpy as np

from symmetrics.posets.closure import closure_of, cycle_in
from symmetrics.posets.names import class_names, shown
from symmetrics.posets.poset import Poset
from symmetrics.tools.errors import InputError
from symmetrics.tools.frames import is_missing

__all__ = ["Order", "poset"]

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
