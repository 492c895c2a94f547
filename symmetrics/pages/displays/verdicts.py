"""What a notebook shows of a verdict and of metrics: words first, tables with what moved, the algebra folded away."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, Final

from symmetrics.claims.property import Property
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.witness import Point, Witness
from symmetrics.claims.wording import value_text
from symmetrics.language.condition import condition_text
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text
from symmetrics.matrices.metric import MulticlassMetric
from symmetrics.matrices.property import MulticlassProperty
from symmetrics.metric import Metric
from symmetrics.pages.displays.results import (
    comparison_blocks,
    confusion_blocks,
    curve_blocks,
    identification_blocks,
    interval_blocks,
    line_blocks,
    order_blocks,
    panel_blocks,
    poset_blocks,
    property_blocks,
    relation_blocks,
    relevance_blocks,
)
from symmetrics.pages.lookup import BETTER
from symmetrics.pages.plain import in_words, own_values, plain_sentence, with_digits
from symmetrics.pages.subjects import metric_of, of_matrices, property_of
from symmetrics.tools.documents import (
    Beside,
    Block,
    Cell,
    Code,
    Folded,
    Grid,
    Paragraph,
    Strong,
    TeX,
    Text,
    facts,
    texts,
)
from symmetrics.tools.documents.html import html_blocks


def verdict_blocks(verdict: Verdict) -> list[Block]:
    """Return a sentence, the counterexample as a table in which the cells that moved are marked, and the rest folded.

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
    """Return the name of a metric, its formula as LaTeX, and what is to be known before it is used."""
    known = [
        ("formula", formula_text(metric.expr)),
        *_range_facts(metric),
        ("direction", BETTER[metric.greater_is_better]),
        *_alias_facts(metric),
    ]
    return _formula(metric, known)


def multiclass_metric_blocks(metric: MulticlassMetric) -> list[Block]:
    """Return the name of a metric of k x k matrices, its formula, and what is to be known before it is used."""
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
    """Return the tables of a counterexample as rows with the value of each.

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
    """Return the matrices of a counterexample, true classes below each other, with the value above each.

    :param compared: what two formulas are called whose values at one matrix are compared
    """
    places = [f"c_{row}_{column}" for row in range(1, classes + 1) for column in range(1, classes + 1)]
    matrices = [dict(zip(t.names, map(str, t), strict=True)) for t in witness.tables if isinstance(t, Point)]
    moved = {place for place in places if len({matrix.get(place) for matrix in matrices}) > 1}
    values = [f"= {value}" for value in with_digits(witness.values)] or ["has no value"] * len(matrices)
    if len(matrices) == 2 and not moved:  # two formulas are compared at one matrix
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


# -- what each class shows ---------------------------------------------------------------------------------------------


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
"""What makes the content of an object, by the name of its class."""


def shown(value: object, name: str = "") -> str:
    """Return what a notebook shows of an object, as HTML.

    :param name: of its class, by default its own

    >>> from symmetrics.library import metrics
    >>> print(shown(metrics["f_beta"]).splitlines()[1])
    <p><b>F-measure</b> (<code>f_beta</code>)</p>
    """
    return html_blocks(BLOCKS[name or type(value).__name__](value))
