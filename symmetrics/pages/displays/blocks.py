"""Content of notebook displays, as blocks of a document, by class of the object."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from operator import attrgetter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.claims.evidence import Point, Witness
from symmetrics.claims.property import Property
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.wording import value_text
from symmetrics.curves.bands import RocBand
from symmetrics.curves.geometry import area
from symmetrics.curves.roc import RocCurve
from symmetrics.data.labels import ConfusionMatrix
from symmetrics.evaluation.comparison import Comparison
from symmetrics.language.condition import condition_text
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text
from symmetrics.matrices.metric import MulticlassMetric
from symmetrics.matrices.property import MulticlassProperty
from symmetrics.metric import Metric
from symmetrics.pages.answers import metric_of, of_matrices, property_of
from symmetrics.pages.lookup import BETTER, property_facts
from symmetrics.pages.plain import in_words, own_values, plain_sentence, with_digits
from symmetrics.posets.poset import Poset
from symmetrics.posets.poset import shown as name_of
from symmetrics.posets.relevance import Relevance
from symmetrics.query.graph import RelationGraph, families
from symmetrics.query.order import Order
from symmetrics.query.panel import Panel
from symmetrics.query.search import Identification
from symmetrics.statistics.intervals import Interval
from symmetrics.tools.documents import (
    Bar,
    Beside,
    Block,
    Cell,
    Code,
    Folded,
    Grid,
    Listing,
    Paragraph,
    Plot,
    Strong,
    TeX,
    Text,
    facts,
    headed,
    texts,
)
from symmetrics.tools.documents.html import html_blocks
from symmetrics.tools.texts import number_of

MOST_ROWS: Final = 20
"""Largest number of rows in a table of intervals; the rest is counted."""
MOST_CLASSES: Final = 20
"""Largest number of classes in a confusion matrix; the rest is counted."""
MOST_POINTS: Final = 400
"""Largest number of points of a curve; more cannot be distinguished at that size."""


def line_blocks(value: object) -> list[Block]:
    """Return an object's lines of text, the first one as a heading; columns stay aligned."""
    first, *others = repr(value).splitlines()
    return [Paragraph((Strong(first),)), *([Listing("", "\n".join(others))] if others else [])]


def interval_blocks(interval: Interval) -> list[Block]:
    """Return an interval as a sentence, or several as rows."""
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
    """Return a confusion matrix with one row per true class; only the first of many classes."""
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
    """Return a comparison of two classifiers: the difference in a sentence, then further results."""
    return [Paragraph((Strong(comparison.about),)), facts(comparison.facts)]


def curve_blocks(curve: RocCurve | RocBand) -> list[Block]:
    """Return a ROC curve, with its band if there is one, as a picture with its key figures."""
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
    """Thin out values evenly, keeping both ends."""
    every: NDArray[np.float64] = np.asarray(values, dtype=float)
    places = np.unique(np.linspace(0, every.size - 1, MOST_POINTS).round().astype(int))
    return [float(value) for value in every[places]]


# ----------------------------------------------------------------------------------------------------------------------
# Displays of orders of metrics, partial orders of classes, relevance, and identification.


def order_blocks(order: Order) -> list[Block]:
    """Return the pointwise order of metrics: each with those directly above it."""
    reduced = order.reduction()
    counts = ", ".join(f"{count} {status}" for status, count in order.counts().items())
    rows = [
        (", ".join(filter(None, (name, data["equal_to"]))), ", ".join(sorted(reduced.successors(name))) or "none")
        for name, data in sorted(reduced.nodes(data=True))
    ]
    about = f"{number_of(len(order.metrics), 'metric')} by M <= L at all tables; of the pairs {counts}"
    return headed(about, ("metric", "nowhere larger than (next ones)"), rows)


def poset_blocks(poset: Poset) -> list[Block]:
    """Return a partial order of classes by levels, the highest first, each class with those that it covers."""
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
    """Return the known metrics that a formula is related to, one row per relation."""
    every = [*found.shown(), *((match, match.equation) for match in found.open)]
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
    """Return a description of a property; ``symmetrics show`` lists the metrics that have it."""
    title = Paragraph((Strong(property.title or property.name), " (", Code(property.name), ")"))
    return [title, facts(property_facts(property))]


# ----------------------------------------------------------------------------------------------------------------------
# Displays of verdicts and metrics: words first, changed cells marked, formulas folded away.


def verdict_blocks(verdict: Verdict) -> list[Block]:
    """Return a sentence, the counterexample as a table with changed cells marked, and the rest folded.

    >>> from symmetrics.query.proving import prove
    >>> verdict_blocks(prove("precision", "p2"))[0]
    Paragraph(text=(Strong(text='Precision does not depend on the true negatives.'),), is_display=False)
    """
    property: Property | MulticlassProperty
    compared = ("M", "L")
    if (found := of_matrices(verdict)) is not None:
        property, title = found
        sentence, compared = property.told(title, verdict.holds), property.compared
    else:
        metric = metric_of(verdict)
        property = property_of(verdict, metric)
        sentence = plain_sentence(verdict, property, metric)
    details = [
        ("formula", f"M = {formula_text(verdict.claim.subject)}"),
        ("claim", property.statement),
        ("verdict", verdict.status),
        *([] if verdict.condition is None else [("if and only if", condition_text(verdict.condition))]),
        *([] if (value := value_text(verdict)) is None else [("value", value)]),
        ("evidence", verdict.evidence.sentence),
    ]
    summary = f"{property.title or property.name}: {verdict.status}"
    return [
        Paragraph((Strong(sentence),)),
        *([] if verdict.witness is None else [_witness(verdict, verdict.witness, compared)]),
        Folded((summary,), (facts(details),)),
    ]


def metric_blocks(metric: Metric) -> list[Block]:
    """Return the name of a metric, its formula as LaTeX, and the warnings."""
    known = [
        ("formula", formula_text(metric.expr)),
        *_range_facts(metric),
        ("direction", BETTER[metric.greater_is_better]),
        *_alias_facts(metric),
    ]
    return _formula(metric, known)


def multiclass_metric_blocks(metric: MulticlassMetric) -> list[Block]:
    """Return the name of a matrix metric, its formula, and the warnings."""
    averages = "macro, micro, weighted, or by relevance" if metric.is_mean else "none: it is that of the whole matrix"
    known = [
        *_range_facts(metric),
        ("direction", BETTER[metric.greater_is_better]),
        ("average over classes", averages),
        *([("order of the classes", "counts")] if metric.orders_classes else []),
        *_alias_facts(metric),
    ]
    return _formula(metric, known)


def _range_facts(metric: Metric | MulticlassMetric) -> list[tuple[str, str]]:
    if metric.range is None:
        return []
    return [("range", in_words(f"{formula_text(metric.range.start)} to {formula_text(metric.range.end)}"))]


def _alias_facts(metric: Metric | MulticlassMetric) -> list[tuple[str, str]]:
    return [("also called", ", ".join(metric.aliases))] if metric.aliases else []


def _formula(metric: Metric | MulticlassMetric, known: Iterable[tuple[str, str]]) -> list[Block]:
    name = Paragraph((Strong(metric.title or metric.name), " (", Code(metric.name), ")"))
    found: list[Block] = [name, Paragraph((TeX(metric.latex),)), facts(known)]
    if metric.parameters:
        rows = [
            (p.name, str(p).partition(" = ")[0].removeprefix(f"{p.name} in "), _default(p)) for p in metric.parameters
        ]
        found.append(Grid(texts(("parameter", "values", "default")), tuple(map(texts, rows)), "lll"))
    return found


def _domain(parameter: Parameter) -> str:
    return str(parameter).partition(" = ")[0].removeprefix(f"{parameter.name} in ")


def _default(parameter: Parameter) -> str:
    return "none" if parameter.default is None else str(parameter.default)


def _witness(verdict: Verdict, witness: Witness, compared: tuple[str, str]) -> Block:
    """Return the tables of a counterexample as rows, with their values.

    :param compared: what two formulas are called if the values are not of one
    """
    first = witness.tables[0]
    if isinstance(first, Point) and (classes := re.search(r" of (\d) classes$", verdict.metric)):
        return _witness_matrices(witness, compared, int(classes[1]))
    names = first.names if isinstance(first, Point) else CELL_NAMES
    own = own_values(verdict, len(witness.values))
    other = own < len(witness.values)
    moved = [len({table[place] for table in witness.tables}) > 1 for place in range(len(names))]
    values = with_digits(witness.values) or ["no value"] * len(witness.tables)
    whose = [[name] for name in compared for _ in range(own)] if other else [[] for _ in values]
    rows: tuple[tuple[Text | Cell, ...], ...] = tuple(
        (
            *(Cell((str(count),), moved=here) for count, here in zip(table, moved, strict=True)),
            *texts((*of, value)),
        )
        for table, of, value in zip(witness.tables, whose, values, strict=True)
    )
    at = ", ".join(f"{name} = {value}" for name, value in witness.parameters.items())
    head = texts((*names, *(("of", "value") if other else ("M",))))
    return Grid(head, rows, caption=(f"with {at}",) if at else ())


def _witness_matrices(witness: Witness, compared: tuple[str, str], classes: int) -> Block:
    """Return the matrices of a counterexample, each with its value above.

    :param compared: what two formulas are called whose values at one matrix are compared
    """
    places = [f"c_{row}_{column}" for row in range(1, classes + 1) for column in range(1, classes + 1)]
    matrices = [dict(zip(t.names, map(str, t), strict=True)) for t in witness.tables if isinstance(t, Point)]
    moved = {place for place in places if len({matrix.get(place) for matrix in matrices}) > 1}
    values = [f"= {value}" for value in with_digits(witness.values)] or ["has no value"] * len(matrices)
    if len(matrices) == 2 and not moved:  # two formulas compared at one matrix
        told = ["; ".join(f"{what} {value}" for what, value in zip(compared, values, strict=True))]
    else:
        told = [f"M {value}" for value in values]
    at = "".join(f", with {name} = {value}" for name, value in witness.parameters.items())
    shown: list[Block] = []
    for matrix, what in zip(matrices, told, strict=False):
        cells = [Cell((matrix.get(place, "0"),), moved=place in moved) for place in places]
        rows = tuple(tuple(cells[k * classes : (k + 1) * classes]) for k in range(classes))
        shown.append(Grid((), rows, caption=(what + at,)))
    return Beside(tuple(shown))


# -- the display of each class -----------------------------------------------------------------------------------------


BLOCKS: Final[dict[str, Callable[[Any], list[Block]]]] = {
    **dict.fromkeys(("AllComparisons", "Concepts", "DatasetComparison", "Design", "Disagreement"), line_blocks),
    **dict.fromkeys(("Explanation", "FoldComparison", "OverFolds", "Plan"), line_blocks),
    "Comparison": comparison_blocks,
    "ConfusionMatrix": confusion_blocks,
    "Identification": identification_blocks,
    "Interval": interval_blocks,
    **dict.fromkeys(("Mending", "Possibility", "Synthesis"), attrgetter("blocks")),
    "Metric": metric_blocks,
    "MulticlassMetric": multiclass_metric_blocks,
    "Order": order_blocks,
    "Panel": panel_blocks,
    "Poset": poset_blocks,
    **dict.fromkeys(("MulticlassProperty", "Property"), property_blocks),
    "RelationGraph": relation_blocks,
    "Relevance": relevance_blocks,
    "RocBand": curve_blocks,
    "RocCurve": curve_blocks,
    "Verdict": verdict_blocks,
}
"""Functions that make an object's display, by class name."""


def shown(value: object, name: str = "") -> str:
    """HTML display of an object for notebooks.

    :param name: of its class, by default its own

    >>> from symmetrics.library import metrics
    >>> print(shown(metrics["f_beta"]).splitlines()[1])
    <p><b>F-measure</b> (<code>f_beta</code>)</p>
    """
    return html_blocks(BLOCKS[name or type(value).__name__](value))
