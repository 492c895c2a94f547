"""What a notebook shows of orders: of metrics, of classes, their relevance, and what a formula is related to."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from symmetrics.claims.property import Property
from symmetrics.language.formula import formula_text
from symmetrics.matrices.property import MulticlassProperty
from symmetrics.pages.displays.parts import fact_table, framed, grid
from symmetrics.pages.lookup import property_facts, property_facts_of_matrices
from symmetrics.posets.names import shown
from symmetrics.posets.poset import Poset
from symmetrics.posets.relevance import Relevance
from symmetrics.query.graph import RelationGraph, families
from symmetrics.query.matches import Identification
from symmetrics.query.order import Order
from symmetrics.query.panel import Panel
from symmetrics.tools.escaping import for_html
from symmetrics.tools.words import number_of

__all__ = [
    "identification_html",
    "multiclass_property_html",
    "order_html",
    "panel_html",
    "poset_html",
    "property_html",
    "relations_html",
    "relevance_html",
]


def order_html(order: Order) -> str:
    """Return which metric is nowhere larger than which: each with those directly above it, all else follows."""
    reduced = order.reduction()
    counts = ", ".join(f"{count} {status}" for status, count in order.counts().items())
    rows = [
        (", ".join(filter(None, (name, data["equal_to"]))), ", ".join(sorted(reduced.successors(name))) or "none")
        for name, data in sorted(reduced.nodes(data=True))
    ]
    about = f"{number_of(len(order.metrics), 'metric')} by M <= L at all tables; of the pairs {counts}"
    return framed([f"<p><b>{for_html(about)}</b></p>", grid(("metric", "nowhere larger than (next ones)"), rows)])


def poset_html(poset: Poset) -> str:
    """Return the classes of a partial order by levels, the highest first, each with those that it covers."""
    covered: dict[object, list[str]] = {node: [] for node in poset}
    for lower, upper in poset.reduction:
        covered[upper].append(shown(lower))
    rows = [
        (str(level), shown(node), ", ".join(covered[node]) or "none")
        for level, nodes in reversed(list(enumerate(poset.levels, 1)))
        for node in nodes
    ]
    return framed([f"<p><b>{for_html(repr(poset)[1:-1])}</b></p>", grid(("level", "class", "directly above"), rows)])


def relevance_html(relevance: Relevance) -> str:
    """Return the relevance of each class, in the order of the classes, with a bar beside it."""
    rows = "\n".join(
        f'<tr><td style="text-align: left">{for_html(shown(name))}</td><td>{for_html(_number(value))}</td>'
        f'<td style="text-align: left"><span style="display: inline-block; height: 0.7em; opacity: 0.6; '
        f'background: currentColor; width: {6 * float(value):.2f}em"></span></td></tr>'
        for name, value in relevance.items()
    )
    head = '<tr><th style="text-align: left">class</th><th>relevance</th><th></th></tr>'
    return framed(
        [
            f"<p><b>Relevance of {number_of(len(relevance), 'class')} ({for_html(relevance.method)})</b></p>",
            f"<table>\n<thead>{head}</thead>\n<tbody>\n{rows}\n</tbody>\n</table>",
        ]
    )


def _number(value: object) -> str:
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"{value} = {float(value):.4g}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def identification_html(found: Identification) -> str:
    """Return what a formula is among known metrics, a row for each relation."""
    formula = f"M = {formula_text(found.formula.expr)}"
    every = [*found.told(), *((match, match.equation) for match in found.open)]
    rows = [(m.relation, m.metric, equation, m.status) for m, equation in every]
    parts = [grid(("relation", "metric", "equation", "verdict"), rows)] if rows else []
    last = repr(found).splitlines()[-1] if found.remark or not rows else ""
    return framed([f"<p><b>{for_html(formula)}</b></p>", *parts, *([f"<p>{for_html(last)}</p>"] if last else [])])


def relations_html(graph: RelationGraph) -> str:
    """Return the proved relations between metrics, a row for each, and which metrics order all tables alike."""
    edges = [
        (first, relation, second, data["equation"])
        for first, second, relation, data in graph.edges(keys=True, data=True)
    ]
    counts = f"{number_of(len(graph), 'metric')}, {number_of(len(edges), 'proved relation')}"
    alike = [f"Order tables alike, or in reverse: {', '.join(sorted(family))}" for family in families(graph, "rank")]
    undecided = [f"Open: {first} {relation} {second}" for first, second, relation in graph.graph["open"]]
    return framed(
        [
            f"<p><b>{for_html(counts)}</b></p>",
            *([grid(("metric", "relation", "to", "equation"), sorted(edges))] if edges else []),
            *(f"<p>{for_html(line)}</p>" for line in (*alike, *undecided)),
        ]
    )


def panel_html(panel: Panel) -> str:
    """Return the metrics of a panel, each with its formula."""
    rows = [(name, formula_text(metric.expr)) for name, metric in panel.items()]
    return framed(
        [f"<p><b>Panel of {len(rows)} metric{'s' * (len(rows) != 1)}</b></p>", grid(("metric", "formula"), rows)]
    )


def property_html(property: Property) -> str:
    """Return what a property says; which metrics have it is for ``symmetrics show``."""
    return _property(property, property_facts(property))


def multiclass_property_html(property: MulticlassProperty) -> str:
    """Return what a property of metrics of matrices says, and how it is asked for."""
    return _property(property, property_facts_of_matrices(property))


def _property(property: Property | MulticlassProperty, facts: Iterable[tuple[str, str]]) -> str:
    title = f"<b>{for_html(property.title or property.name)}</b> (<code>{for_html(property.name)}</code>)"
    return framed([f"<p>{title}</p>", fact_table(facts)])
