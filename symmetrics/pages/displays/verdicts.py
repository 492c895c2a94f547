"""What a notebook shows of a verdict and of metrics: words first, tables with what moved, the algebra folded away."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from symmetrics.claims.property import Property
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.witness import Point, Witness
from symmetrics.claims.wording import value_text
from symmetrics.language.cells import CELL_NAMES
from symmetrics.language.condition import condition_text
from symmetrics.language.formula import formula_text
from symmetrics.language.parameter import Parameter
from symmetrics.matrices.metric import MulticlassMetric
from symmetrics.matrices.property import MulticlassProperty
from symmetrics.metric import Metric
from symmetrics.pages.displays.parts import fact_table, framed, grid
from symmetrics.pages.instances import in_words, own_values, with_digits
from symmetrics.pages.plain import plain_sentence
from symmetrics.pages.subjects import metric_of, of_matrices, property_of
from symmetrics.tools.escaping import for_html

__all__ = ["metric_html", "verdict_html"]

_BETTER: Final = {True: "greater is better", False: "smaller is better", None: "neither end is better"}
_MOVED: Final = ' style="background: rgba(230, 159, 0, 0.35); font-weight: bold"'
"""Half transparent, so that it can be read on white and on black; bold, so that it need not be seen as a colour."""
_BESIDE: Final = ' style="display: inline-block; margin-right: 2em"'


def verdict_html(verdict: Verdict) -> str:
    """Return a sentence, the counterexample as a table in which the cells that moved are marked, and the rest folded.

    >>> from symmetrics.query.proving import prove
    >>> verdict_html(prove("precision", "p2")).splitlines()[1]
    '<p><b>Precision does not depend on the true negatives.</b></p>'
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
    facts = [
        ("formula", f"M = {formula_text(verdict.claim.subject)}"),
        ("claim", property.statement),
        ("verdict", verdict.status),
        *([] if verdict.condition is None else [("if and only if", condition_text(verdict.condition))]),
        *([] if (value := value_text(verdict)) is None else [("value", value)]),
        ("evidence", verdict.evidence.sentence),
    ]
    return framed(
        [
            f"<p><b>{for_html(sentence)}</b></p>",
            *([] if verdict.witness is None else [_witness_table(verdict, verdict.witness, compared)]),
            f"<details><summary>{for_html(property.title or property.name)}: {verdict.status}</summary>",
            fact_table(facts),
            "</details>",
        ]
    )


def metric_html(metric: Metric) -> str:
    """Return the name of a metric, its formula as LaTeX, and what is to be known before it is used.

    >>> from symmetrics.library import metrics
    >>> print(metric_html(metrics["f_beta"]).splitlines()[1])
    <p><b>F-measure</b> (<code>f_beta</code>)</p>
    """
    facts = [
        ("formula", formula_text(metric.expr)),
        *_range_facts(metric),
        ("direction", _BETTER[metric.greater_is_better]),
        *_alias_facts(metric),
    ]
    return _formula_html(metric, facts)


def multiclass_metric_html(metric: MulticlassMetric) -> str:
    """Return the name of a metric of k x k matrices, its formula as LaTeX, and what is to be known before it is used.

    >>> from symmetrics.matrices import multiclass
    >>> print(multiclass_metric_html(multiclass["cba"]).splitlines()[1])
    <p><b>Class balance accuracy</b> (<code>cba</code>)</p>
    """
    averages = "macro, micro, weighted, or by relevance" if metric.is_mean else "none: it is that of the whole matrix"
    facts = [
        *_range_facts(metric),
        ("direction", _BETTER[metric.greater_is_better]),
        ("average over classes", averages),
        *([("order of the classes", "counts")] if metric.orders_classes else []),
        *_alias_facts(metric),
    ]
    return _formula_html(metric, facts)


def _range_facts(metric: Metric | MulticlassMetric) -> list[tuple[str, str]]:
    if metric.range is None:
        return []
    return [("range", in_words(f"{formula_text(metric.range.start)} to {formula_text(metric.range.end)}"))]


def _alias_facts(metric: Metric | MulticlassMetric) -> list[tuple[str, str]]:
    return [("also called", ", ".join(metric.aliases))] if metric.aliases else []


def _formula_html(metric: Metric | MulticlassMetric, facts: Iterable[tuple[str, str]]) -> str:
    name = f"<b>{for_html(metric.title or metric.name)}</b>"
    return framed(
        [
            f"<p>{name} (<code>{for_html(metric.name)}</code>)</p>",
            f"<p>$\\displaystyle {metric.latex}$</p>",
            fact_table(facts),
            *([_parameter_table(metric.parameters)] if metric.parameters else []),
        ]
    )


def _parameter_table(parameters: Iterable[Parameter]) -> str:
    """Return what values parameters can have, and which they have if none is given."""
    rows = [(p.name, str(p).partition(" = ")[0].removeprefix(f"{p.name} in "), _default(p)) for p in parameters]
    return grid(("parameter", "values", "default"), rows)


def _default(parameter: Parameter) -> str:
    return "none" if parameter.default is None else str(parameter.default)


def _witness_table(verdict: Verdict, witness: Witness, compared: tuple[str, str]) -> str:
    """Return the tables of a counterexample.

    :param compared: what two formulas are called if the values are not of one
    """
    first = witness.tables[0]
    if isinstance(first, Point) and (classes := re.search(r" of (\d) classes$", verdict.metric)):
        return _witness_matrices(witness, compared, int(classes[1]))
    names = first.names if isinstance(first, Point) else CELL_NAMES
    own = own_values(verdict, len(witness.values))
    other = own < len(witness.values)
    head = "".join(f"<th>{for_html(name)}</th>" for name in (*names, *(("of", "value") if other else ("M",))))
    moved = [len({table[place] for table in witness.tables}) > 1 for place in range(len(names))]
    values = with_digits(witness.values) or ["no value"] * len(witness.tables)
    whose = [f"<td>{for_html(name)}</td>" for name in compared for _ in range(own)] if other else [""] * len(values)
    rows = "\n".join(
        f"<tr>{''.join(_cell(str(count), here) for count, here in zip(table, moved, strict=True))}"
        f"{of}<td>{for_html(value)}</td></tr>"
        for table, of, value in zip(witness.tables, whose, values, strict=True)
    )
    at = ", ".join(f"{name} = {value}" for name, value in witness.parameters.items())
    caption = f"<caption>with {for_html(at)}</caption>" if at else ""
    return f"<table>{caption}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"


def _witness_matrices(witness: Witness, compared: tuple[str, str], classes: int) -> str:
    """Return the matrices of a counterexample, true classes below each other, with the value beside each.

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
    shown = []
    for matrix, what in zip(matrices, told, strict=False):
        cells = [_cell(matrix.get(place, "0"), place in moved) for place in places]
        rows = "\n".join(f"<tr>{''.join(cells[k * classes : (k + 1) * classes])}</tr>" for k in range(classes))
        shown.append(
            f"<div{_BESIDE}><div>{for_html(what + at)}</div>\n<table>\n<tbody>\n{rows}\n</tbody>\n</table></div>"
        )
    return "\n".join(shown)


def _cell(text: str, moved: bool) -> str:
    return f"<td{_MOVED if moved else ''}>{for_html(text)}</td>"
