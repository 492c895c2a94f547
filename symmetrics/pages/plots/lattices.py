"""Which metrics share which properties, and which properties follow from others: two Hasse diagrams."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

import networkx as nx

from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE
from symmetrics.library.properties.implications import IMPLICATIONS
from symmetrics.numeric.counts import shown
from symmetrics.posets import draw_hasse, poset
from symmetrics.query.concepts import Concept, Concepts
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["concepts", "implications"]


class Follows(Protocol):
    """Whatever has all premises has the conclusion; or has it not, if there is an entry ``holds`` that is False."""

    @property
    def premises(self) -> tuple[str, ...]:
        """What is assumed."""

    @property
    def conclusion(self) -> str:
        """What follows."""


class _Named:
    """A place in a diagram, which may have the same name as another one."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


def concepts(found: Concepts, ax: Axes | None = None, *, most: int = 2) -> Axes:
    """Draw the lattice of concepts: each property at the highest place that has it, each metric at its lowest one.

    A metric has the properties at its place and above it, and no others; the metrics that have a property are those at
    its place and below it.  Metrics are in brackets; a place without a name of its own is a dot.

    :param found: what :func:`symmetrics.concepts` returns
    :param most: of the metrics at one place so many are named, and the others counted
    :returns: the axes
    :raises InputError: if matplotlib is not installed, or the names do not fit the axes

    >>> from symmetrics.query.concepts import concepts as concepts_of
    >>> drawn = concepts(concepts_of(["f1", "jaccard", "mcc"], ["p1", "p2", "transpose"]))
    >>> sorted(text.get_text() for text in drawn.texts)
    ['p1 (mcc)', 'p2 (f1, jaccard)', 'transpose', '·']
    """
    own = {concept: _Named(_label(found, concept, most)) for concept in found.all}
    edges = [(own[a], own[b]) for a, b in found.graph().edges]
    return draw_hasse(poset(edges, classes=list(own.values())), ax)


def _label(found: Concepts, concept: Concept, most: int) -> str:
    properties = [key for key in sorted(concept.properties) if found.introducing(key) == concept]
    metrics = [name for name in sorted(concept.metrics) if found.of(name) == concept]
    listed = [*metrics[:most], *([f"{len(metrics) - most} more"] if len(metrics) > most else [])]
    return (
        " ".join([*([", ".join(properties)] if properties else []), *([f"({', '.join(listed)})"] if listed else [])])
        or "·"
    )


def implications(
    found: Iterable[Follows] = IMPLICATIONS, properties: Iterable[str] | None = None, ax: Axes | None = None
) -> Axes:
    """Draw which property follows from which: what follows stands higher, and a line leads to it from each premise.

    Properties that follow from each other stand in one box.  What needs two premises, and what excludes a property, has
    no place in such a diagram.

    :param found: implications, by default those on record, or theorems, such as :func:`symmetrics.theorems` returns
    :param properties: the properties to draw, by key; by default those that some implication of one premise is about
    :returns: the axes
    :raises InputError: if there is none to draw, matplotlib is not installed, the names do not fit the axes, or what is
        passed is neither

    >>> drawn = implications(properties=["scaling", "actual_scaling", "homogeneous", "p1"])
    >>> sorted(text.get_text() for text in drawn.texts)
    ['actual_scaling', 'homogeneous', 'p1', 'scaling']
    """
    graph = nx.DiGraph()
    graph.add_edges_from(_steps(found))
    chosen = sorted(graph) if properties is None else list(dict.fromkeys(properties))
    if not chosen:
        raise InputError("no implication of one premise to draw; give some, or name properties")
    closed = nx.DiGraph()
    closed.add_nodes_from(chosen)  # in this sequence: that of a subgraph would differ from run to run
    closed.add_edges_from((a, b) for a, b in nx.transitive_closure(graph).edges if a in closed and b in closed)
    condensed = nx.condensation(closed)
    names = {node: _Named(" = ".join(sorted(data["members"]))) for node, data in condensed.nodes(data=True)}
    return draw_hasse(poset([(names[a], names[b]) for a, b in condensed.edges], classes=list(names.values())), ax)


def _steps(found: Iterable[Follows]) -> list[tuple[str, str]]:
    """Return from which property which one follows, where one is enough."""
    try:
        return [
            (each.premises[0], each.conclusion)
            for each in found
            if len(each.premises) == 1
            and getattr(each, "holds", True)
            and each.conclusion not in (CONSTANT, IMPOSSIBLE)
        ]
    except (AttributeError, TypeError):
        raise InputError(
            f"{shown(found)} is not a list of implications; pass theorems, such as symmetrics.theorems() returns, or "
            "name properties with properties=[...]"
        ) from None
