"""Heat maps: verdicts on many properties, and how alike many metrics rank a population of tables."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

import networkx as nx
import numpy as np
from numpy.typing import ArrayLike, NDArray
from sympy import Expr

from symmetrics.claims.theorems.implications import CONSTANT, IMPOSSIBLE
from symmetrics.claims.verdict import Verdict
from symmetrics.library.properties.implications import IMPLICATIONS
from symmetrics.metric import Metric
from symmetrics.metric.populations import tables_of
from symmetrics.numeric.counts import shown
from symmetrics.pages.tables import VerdictTable, table
from symmetrics.posets import Poset, draw_hasse, poset
from symmetrics.query.order import Order, named
from symmetrics.query.relatives import STATISTICS, coefficient
from symmetrics.tools.drawing.canvas import title
from symmetrics.tools.drawing.charts import ANSWERS, marks, squares
from symmetrics.tools.errors import InputError, UnknownNameError
from symmetrics.tools.words import number_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


FloatArray = NDArray[np.float64]


def verdicts(found: VerdictTable | None = None, *, ax: Axes | None = None) -> Axes:
    """Draw a table of verdicts as marks: which metric has which property.

    A full disc is a property that holds, a cross one that does not, a half disc one that holds for some values of the
    parameters, and a question mark what is open.

    :param found: what :func:`symmetrics.table` returns; by default the table of the README
    :returns: the axes, a row for each metric and a column for each property
    :raises InputError: if the table is empty, or matplotlib is not installed

    >>> drawn = verdicts(table(["f1", "accuracy"], ["p1", "p2"]))
    >>> [text.get_text() for text in drawn.get_yticklabels()], drawn.get_legend().get_texts()[0].get_text()
    (['f1', 'accuracy'], 'holds')
    """
    chosen = table() if found is None else found
    if not isinstance(chosen, VerdictTable):
        raise InputError(f"{shown(chosen)} is no table of verdicts; pass what sm.table(metrics, properties) returns")
    rows, columns = [name for name, _ in chosen.rows], list(chosen.properties)
    if not rows or not columns:
        raise InputError("the table has no verdicts; name metrics and properties")
    answers = [[_answer(verdict) for verdict in row] for _, row in chosen.rows]
    return marks(answers, rows, columns, ax=ax)


def _answer(verdict: Verdict) -> str:
    if verdict.status == "conditional":
        return ANSWERS[1]
    return {True: ANSWERS[0], False: ANSWERS[2], None: ANSWERS[3]}[verdict.holds]


def agreement(
    metrics: Iterable[Metric | Expr | str],
    tables: ArrayLike | None = None,
    *,
    n: int = 12,
    statistic: str = "kendall",
    ax: Axes | None = None,
) -> Axes:
    """Draw how alike metrics rank a population of tables: 1 where two always agree, -1 where they are opposed.

    A metric that is a loss counts negated, so that what agrees prefers the same table.  Tables at which one of the two
    metrics has no value are left out of that pair; a pole is larger, or smaller, than every number.

    :param metrics: metrics, expressions over the cells, or names of library metrics
    :param tables: counts of TP, FN, FP and TN, of shape (..., 4); by default all tables of n examples
    :param n: the number of examples of these tables
    :param statistic: ``"kendall"`` or ``"spearman"`` for ranks, ``"pearson"`` for values, of which poles are left out
    :returns: the axes, a square for each pair
    :raises InputError: on fewer than two metrics, on tables that are none, and without matplotlib
    :raises UnknownNameError: on another statistic

    >>> drawn = agreement(["f1", "jaccard", "fpr"], n=4)
    >>> [text.get_text() for text in drawn.texts[:2]]
    ['1', '1']
    """
    if statistic not in STATISTICS:
        raise UnknownNameError("statistic", statistic, STATISTICS)
    chosen = named(metrics)
    if len(chosen) < 2:
        raise InputError("agreement is of several metrics; name at least two")
    population = tables_of(n) if tables is None else _checked_tables(tables)
    values = [
        (-1.0 if metric.greater_is_better is False else 1.0) * np.asarray(metric.from_counts(*population.T))
        for metric in chosen.values()
    ]
    matrix = np.array([[coefficient(first, second, statistic) for second in values] for first in values])
    names = list(chosen)
    ax = squares(matrix.tolist(), names, names, low=-1, high=1, label=STATISTICS[statistic], ax=ax)
    title(ax, f"agreement over {number_of(len(population), 'table')}")
    return ax


def _checked_tables(tables: ArrayLike) -> FloatArray:
    try:
        counts = np.asarray(tables, dtype=np.float64)
    except (TypeError, ValueError):
        counts = np.empty(0)
    if counts.ndim < 2 or counts.shape[-1] != 4 or counts.size < 8:
        raise InputError("tables are no counts of TP, FN, FP and TN; pass an array of shape (..., 4) of at least two")
    return counts.reshape(-1, 4)


# -- The order of metrics, which are nowhere larger than which others, as a Hasse diagram ------------------------------


def hasse(order: Order | Poset | Any, ax: Axes | None = None) -> Axes:
    """Draw the Hasse diagram of an order: what is larger lies higher, and a line leads from each to those it covers.

    Metrics that are proved equal stand in one box.  A line is a proof; where none leads, the order is refuted or open.

    :param order: what :func:`symmetrics.order` returns, or a partial order as :func:`symmetrics.posets.poset` takes it
    :returns: the axes
    :raises InputError: if matplotlib is not installed, or the names do not fit the axes

    >>> from symmetrics.query.order import order
    >>> drawn = hasse(order(["jaccard", "f1", "fowlkes_mallows"], processes=1))
    >>> sorted(text.get_text() for text in drawn.texts)
    ['f1', 'fowlkes_mallows', 'jaccard']
    """
    return draw_hasse(_of_metrics(order) if isinstance(order, Order) else order, ax)


def _of_metrics(order: Order) -> Poset:
    reduced = order.reduction()
    equal: dict[Hashable, str] = dict(reduced.nodes(data="equal_to"))
    label = {node: f"{node} = {others.replace(', ', ' = ')}" if others else str(node) for node, others in equal.items()}
    return poset([(label[a], label[b]) for a, b in reduced.edges], classes=list(label.values()))


# -- Which metrics share which properties, and which properties follow from others: two Hasse diagrams -----------------


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


def concepts(found: Any, ax: Axes | None = None, *, most: int = 2) -> Axes:
    """Draw the lattice of concepts: each property at the highest place that has it, each metric at its lowest one.

    A metric has the properties at its place and above it, and no others; the metrics that have a property are those at
    its place and below it.  Metrics are in brackets; a place without a name of its own is a dot.

    :param found: what :func:`symmetrics.concepts` returns
    :param most: of the metrics at one place so many are named, and the others counted
    :returns: the axes
    :raises InputError: if matplotlib is not installed, or the names do not fit the axes

    >>> from symmetrics.discovery.concepts import concepts as concepts_of
    >>> drawn = concepts(concepts_of(["f1", "jaccard", "mcc"], ["p1", "p2", "transpose"]))
    >>> sorted(text.get_text() for text in drawn.texts)
    ['p1 (mcc)', 'p2 (f1, jaccard)', 'transpose', '·']
    """
    own = {concept: _Named(_label(found, concept, most)) for concept in found.all}
    edges = [(own[a], own[b]) for a, b in found.graph().edges]
    return draw_hasse(poset(edges, classes=list(own.values())), ax)


def _label(found: Any, concept: Any, most: int) -> str:
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
