"""What a notebook shows of an object, as blocks of a document, and by which class it is found."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.claims.property import Property
from symmetrics.curves.areas import area
from symmetrics.curves.bands import RocBand
from symmetrics.curves.roc import RocCurve
from symmetrics.language.writer import formula_text
from symmetrics.matrices.property import MulticlassProperty
from symmetrics.numeric.confusion import ConfusionMatrix
from symmetrics.numeric.intervals.result import Interval
from symmetrics.pages.lookup import property_facts
from symmetrics.posets.poset import Poset
from symmetrics.posets.poset import shown as name_of
from symmetrics.posets.relevance import Relevance
from symmetrics.query.graph import RelationGraph, families
from symmetrics.query.matches import Identification
from symmetrics.query.order import Order
from symmetrics.query.panel import Panel
from symmetrics.statistics.comparison import Comparison
from symmetrics.tools.documents import (
    Bar,
    Block,
    Code,
    Grid,
    Listing,
    Paragraph,
    Plot,
    Strong,
    facts,
    headed,
    texts,
)
from symmetrics.tools.words import number_of

MOST_ROWS: Final = 20
"""Of a table of intervals; how many more there are is said."""
MOST_CLASSES: Final = 20
"""Of a confusion matrix; how many more there are is said."""
MOST_POINTS: Final = 400
"""Of a curve that is drawn; more are not told apart in a picture of that size."""


def line_blocks(value: object) -> list[Block]:
    """Return what an object tells in lines, the first of them as a heading; columns stay below each other."""
    first, *others = repr(value).splitlines()
    return [Paragraph((Strong(first),)), *([Listing("", "\n".join(others))] if others else [])]


def interval_blocks(interval: Interval) -> list[Block]:
    """Return an interval as a sentence, or the intervals of several tables as rows."""
    if isinstance(interval.low, float):
        return [Paragraph((Strong(repr(interval)),))]
    columns = [np.ravel(np.asarray(part)) for part in (interval.estimate, interval.low, interval.high)]
    few = min(MOST_ROWS, columns[0].size)
    rows = tuple(texts([str(place), *(f"{part[place]:.4g}" for part in columns)]) for place in range(few))
    left = columns[0].size - few
    return [
        Paragraph((f"{100 * interval.level:g} % intervals, {interval.method}",)),
        Grid(texts(("table", "value", "low", "high")), rows, "llll"),
        *([Paragraph((f"and {left} more",))] if left else []),
    ]


def confusion_blocks(counts: ConfusionMatrix) -> list[Block]:
    """Return the counts of labels as a matrix, true classes below each other; of many classes the first ones."""
    labels, matrix = counts.labels, counts.matrix
    few = min(MOST_CLASSES, len(labels))
    names = [str(label) for label in labels[:few]]
    rows = tuple(
        texts([f"true {name}", *(f"{count:.6g}" for count in row[:few])])
        for name, row in zip(names, matrix, strict=False)
    )
    head = texts(("", *(f"predicted {name}" for name in names)))
    left = len(labels) - few
    return [
        Paragraph((Strong(f"{counts.total:.15g} examples by true and predicted class"),)),
        *([Grid(head, rows, "l" * len(head))] if rows else []),
        *([Paragraph((f"and {number_of(left, 'more class')}",))] if left else []),
    ]


def comparison_blocks(comparison: Comparison) -> list[Block]:
    """Return a comparison of two classifiers: the difference in a sentence, and what is known of it."""
    return [Paragraph((Strong(comparison.about),)), facts(comparison.facts)]


def curve_blocks(curve: RocCurve | RocBand) -> list[Block]:
    """Return a ROC curve, or one in its band, as a picture with what there is to know of it."""
    points = tuple(zip(_few(curve.fpr), _few(curve.tpr), strict=True))
    band: tuple[tuple[float, float], ...] = ()
    if isinstance(curve, RocBand):
        kind = "simultaneous" if curve.simultaneous else "pointwise"
        told = f"ROC curve in its {100 * curve.level:g} % {kind} band ({curve.method})"
        upper = zip(_few(curve.fpr), _few(curve.high), strict=True)
        band = (*upper, *zip(_few(curve.fpr[::-1]), _few(curve.low[::-1]), strict=True))
    else:
        told = (
            f"ROC curve of {curve.positives:g} positive and {curve.negatives:g} negative examples at {len(curve)} "
            f"threshold{'s' * (len(curve) != 1)}; the area under it is {area(curve):.4g}"
        )
    return [Paragraph((Strong(told),)), Plot(told, points, band, ("false positive rate", "true positive rate"))]


def _few(values: Iterable[Any]) -> list[float]:
    """Return so many of the values, evenly spread with both ends, as a picture shows."""
    every: NDArray[np.float64] = np.asarray(values, dtype=float)
    places = np.unique(np.linspace(0, every.size - 1, MOST_POINTS).round().astype(int))
    return [float(value) for value in every[places]]


# ----------------------------------------------------------------------------------------------------------------------
# What a notebook shows of orders: of metrics, of classes, their relevance, and what a formula is related to.


def order_blocks(order: Order) -> list[Block]:
    """Return which metric is nowhere larger than which: each with those directly above it, all else follows."""
    reduced = order.reduction()
    counts = ", ".join(f"{count} {status}" for status, count in order.counts().items())
    rows = [
        (", ".join(filter(None, (name, data["equal_to"]))), ", ".join(sorted(reduced.successors(name))) or "none")
        for name, data in sorted(reduced.nodes(data=True))
    ]
    about = f"{number_of(len(order.metrics), 'metric')} by M <= L at all tables; of the pairs {counts}"
    return headed(about, ("metric", "nowhere larger than (next ones)"), rows)


def poset_blocks(poset: Poset) -> list[Block]:
    """Return the classes of a partial order by levels, the highest first, each with those that it covers."""
    covered: dict[object, list[str]] = {node: [] for node in poset}
    for lower, upper in poset.reduction:
        covered[upper].append(name_of(lower))
    rows = [
        (str(level), name_of(node), ", ".join(covered[node]) or "none")
        for level, nodes in reversed(list(enumerate(poset.levels, 1)))
        for node in nodes
    ]
    return headed(repr(poset)[1:-1], ("level", "class", "directly above"), rows)


def relevance_blocks(relevance: Relevance) -> list[Block]:
    """Return the relevance of each class, in the order of the classes, with a bar beside it."""
    rows = tuple(((name_of(name),), (_number(value),), (Bar(float(value)),)) for name, value in relevance.items())
    about = f"Relevance of {number_of(len(relevance), 'class')} ({relevance.method})"
    return [Paragraph((Strong(about),)), Grid(texts(("class", "relevance", "")), rows, "lrl")]


def _number(value: object) -> str:
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"{value} = {float(value):.4g}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def identification_blocks(found: Identification) -> list[Block]:
    """Return what a formula is among known metrics, a row for each relation."""
    every = [*found.told(), *((match, match.equation) for match in found.open)]
    rows = [(m.relation, m.metric, equation, m.status) for m, equation in every]
    last = repr(found).splitlines()[-1] if found.remark or not rows else ""
    formula = f"M = {formula_text(found.formula.expr)}"
    return [
        *headed(formula, ("relation", "metric", "equation", "verdict"), rows),
        *([Paragraph((last,))] if last else []),
    ]


def relation_blocks(graph: RelationGraph) -> list[Block]:
    """Return the proved relations between metrics, a row for each, and which metrics order all tables alike."""
    edges = [
        (first, relation, second, data["equation"])
        for first, second, relation, data in graph.edges(keys=True, data=True)
    ]
    counts = f"{number_of(len(graph), 'metric')}, {number_of(len(edges), 'proved relation')}"
    alike = [f"Order tables alike, or in reverse: {', '.join(sorted(family))}" for family in families(graph, "rank")]
    undecided = [f"Open: {first} {relation} {second}" for first, second, relation in graph.graph["open"]]
    return [
        *headed(counts, ("metric", "relation", "to", "equation"), sorted(edges)),
        *(Paragraph((line,)) for line in (*alike, *undecided)),
    ]


def panel_blocks(panel: Panel) -> list[Block]:
    """Return the metrics of a panel, each with its formula."""
    rows = [(name, formula_text(metric.expr)) for name, metric in panel.items()]
    return headed(f"Panel of {number_of(len(rows), 'metric')}", ("metric", "formula"), rows)


# -- properties --------------------------------------------------------------------------------------------------------


def property_blocks(property: Property | MulticlassProperty) -> list[Block]:
    """Return what a property says; which metrics have it is for ``symmetrics show``."""
    title = Paragraph((Strong(property.title or property.name), " (", Code(property.name), ")"))
    return [title, facts(property_facts(property))]
