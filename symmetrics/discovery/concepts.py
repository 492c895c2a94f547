"""The concepts of metrics and properties: what metrics share (formal concept analysis, Wille 1982)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import networkx as nx
from sympy import Expr

from symmetrics.claims.property import Property
from symmetrics.library.selections import GARCIA_METRICS, GARCIA_PROPERTIES, as_metrics
from symmetrics.metric import Metric
from symmetrics.query.proving import as_properties, prove
from symmetrics.tools.errors import InputError


@dataclass(frozen=True)
class Concept:
    """Metrics with all that they share: no other metric has these properties, and no other property is shared.

    :param metrics: the metrics by name
    :param properties: the properties by key
    """

    metrics: frozenset[str]
    properties: frozenset[str]


@dataclass(frozen=True, repr=False)
class Concepts:
    """All concepts of some metrics and properties: a lattice, in which more metrics share fewer properties.

    :param all: the concepts, those of the most metrics first
    """

    all: tuple[Concept, ...]

    def of(self, metric: str) -> Concept:
        """Return the least concept that a metric is in: those with at least its properties.

        :raises InputError: if it is not among the metrics
        """
        found = [concept for concept in self.all if metric in concept.metrics]
        if not found:
            raise InputError(f"{metric!r} is not among the metrics of these concepts; ask for concepts with it")
        return found[-1]

    def introducing(self, property: str) -> Concept:
        """Return the greatest concept with a property: all metrics that have it.

        :raises InputError: if it is not among the properties
        """
        found = [concept for concept in self.all if property in concept.properties]
        if not found:
            raise InputError(f"{property!r} is not among the properties of these concepts; ask for concepts with it")
        return found[0]

    def neighbours(self, metric: str) -> tuple[Concept, ...]:
        """Return the concepts directly above a metric's: what it shares with the metrics nearest to it."""
        graph, own = self.graph(), self.of(metric)
        return tuple(concept for concept in self.all if graph.has_edge(own, concept))

    def graph(self) -> nx.DiGraph:
        """Return the covering relation: an edge from each concept to those with the next more metrics."""
        graph = nx.DiGraph()
        graph.add_nodes_from(self.all)
        graph.add_edges_from((a, b) for a in self.all for b in self.all if a.metrics < b.metrics)
        reduced: nx.DiGraph = nx.transitive_reduction(graph)
        return reduced

    def __repr__(self) -> str:
        return "\n".join(
            f"{', '.join(sorted(concept.properties)) or 'no property'}: {', '.join(sorted(concept.metrics)) or 'none'}"
            for concept in self.all
        )


def concepts(
    metrics: str | Iterable[Metric | Expr | str] | None = None,
    properties: str | Iterable[Property | str] | None = None,
) -> Concepts:
    """Return the concepts of metrics and properties.

    A metric has a property if that is proved, at the defaults of its parameters; what is open is not shared.

    :param metrics: metrics and themes; by default those of :func:`symmetrics.table`
    :param properties: properties; by default those of :func:`symmetrics.table`
    :raises InputError: if there is no metric or no property, or two metrics have one name

    >>> print(concepts(["f1", "jaccard", "mcc", "recall"], ["p1", "p2", "transpose"]))
    no property: f1, jaccard, mcc, tpr
    p2: f1, jaccard, tpr
    transpose: f1, jaccard, mcc
    p2, transpose: f1, jaccard
    p1, transpose: mcc
    p1, p2, transpose: none
    """
    chosen = as_metrics(metrics, GARCIA_METRICS)
    asked = as_properties(properties, GARCIA_PROPERTIES)
    if not chosen or not asked:
        raise InputError("concepts are of metrics and properties; name one or more of each")
    rows: dict[str, frozenset[str]] = {}
    for metric in chosen:
        if metric.name in rows:
            raise InputError(f"two metrics are called {metric.name!r}; leave one out, or give it another name")
        rows[metric.name] = frozenset(property.name for property in asked if prove(metric, property).holds is True)
    return Concepts(_all_concepts(rows, frozenset(property.name for property in asked)))


def _all_concepts(rows: Mapping[str, frozenset[str]], properties: frozenset[str]) -> tuple[Concept, ...]:
    """Return all concepts: metrics share the intersections of their rows; all properties together end the lattice."""
    shared = {properties}
    for row in rows.values():
        shared |= {row & other for other in shared}
    found = [Concept(frozenset(name for name, row in rows.items() if row >= those), those) for those in shared]
    return tuple(
        sorted(found, key=lambda concept: (-len(concept.metrics), len(concept.properties), sorted(concept.properties)))
    )
