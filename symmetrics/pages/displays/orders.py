"""What a notebook shows of orders: of metrics, of classes, their relevance, and what a formula is related to."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from symmetrics.claims.property import Property
from symmetrics.language.formula import formula_text
from symmetrics.matrices.property import MulticlassProperty
from symmetrics.pages.lookup import property_facts, property_facts_of_matrices
from symmetrics.posets.names import shown
from symmetrics.posets.poset import Poset
from symmetrics.posets.relevance import Relevance
from symmetrics.query.graph import RelationGraph, families
from symmetrics.query.matches import Identification
from symmetrics.query.mendings import COLUMNS, Mending
from symmetrics.query.order import Order
from symmetrics.query.panel import Panel
from symmetrics.query.possibilities.asking import Possibility
from symmetrics.query.possibilities.synthesis import Synthesis
from symmetrics.tools.documents import Bar, Block, Code, Entries, Entry, Grid, Paragraph, Strong, facts, texts
from symmetrics.tools.words import number_of


def order_blocks(order: Order) -> list[Block]:
    """Return which metric is nowhere larger than which: each with those directly above it, all else follows."""
    reduced = order.reduction()
    counts = ", ".join(f"{count} {status}" for status, count in order.counts().items())
    rows = [
        (", ".join(filter(None, (name, data["equal_to"]))), ", ".join(sorted(reduced.successors(name))) or "none")
        for name, data in sorted(reduced.nodes(data=True))
    ]
    about = f"{number_of(len(order.metrics), 'metric')} by M <= L at all tables; of the pairs {counts}"
    return _headed(about, ("metric", "nowhere larger than (next ones)"), rows)


def poset_blocks(poset: Poset) -> list[Block]:
    """Return the classes of a partial order by levels, the highest first, each with those that it covers."""
    covered: dict[object, list[str]] = {node: [] for node in poset}
    for lower, upper in poset.reduction:
        covered[upper].append(shown(lower))
    rows = [
        (str(level), shown(node), ", ".join(covered[node]) or "none")
        for level, nodes in reversed(list(enumerate(poset.levels, 1)))
        for node in nodes
    ]
    return _headed(repr(poset)[1:-1], ("level", "class", "directly above"), rows)


def relevance_blocks(relevance: Relevance) -> list[Block]:
    """Return the relevance of each class, in the order of the classes, with a bar beside it."""
    rows = tuple(((shown(name),), (_number(value),), (Bar(float(value)),)) for name, value in relevance.items())
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
        *_headed(formula, ("relation", "metric", "equation", "verdict"), rows),
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
        *_headed(counts, ("metric", "relation", "to", "equation"), sorted(edges)),
        *(Paragraph((line,)) for line in (*alike, *undecided)),
    ]


def panel_blocks(panel: Panel) -> list[Block]:
    """Return the metrics of a panel, each with its formula."""
    rows = [(name, formula_text(metric.expr)) for name, metric in panel.items()]
    return _headed(f"Panel of {number_of(len(rows), 'metric')}", ("metric", "formula"), rows)


def _headed(about: str, head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[Block]:
    """Return a heading, with a table below if it has rows."""
    grid = Grid(names := texts(head), tuple(map(texts, rows)), "l" * len(names))
    return [Paragraph((Strong(about),)), *([grid] if grid.rows else [])]


# -- what is possible, and how a formula is mended ---------------------------------------------------------------------


def possibility_blocks(found: Possibility) -> list[Block]:
    """Return an answer, with the theorems that it rests on."""
    theorems = tuple(Entry((str(theorem),)) for theorem in found.theorems)
    return [Paragraph((Strong(str(found)),)), *([Entries(theorems, is_numbered=True)] if theorems else [])]


def synthesis_blocks(found: Synthesis) -> list[Block]:
    """Return the formulas that were found."""
    return [Paragraph((Strong(str(found)),))]


def mending_blocks(found: Mending) -> list[Block]:
    """Return the variants of a formula, the nearest first."""
    rows = [variant.row for variant in found]
    return [*_headed(found.about, COLUMNS, rows), *(Paragraph((text,)) for text in found.remarks)]


# -- properties --------------------------------------------------------------------------------------------------------


def property_blocks(property: Property) -> list[Block]:
    """Return what a property says; which metrics have it is for ``symmetrics show``."""
    return _property(property, property_facts(property))


def multiclass_property_blocks(property: MulticlassProperty) -> list[Block]:
    """Return what a property of metrics of matrices says, and how it is asked for."""
    return _property(property, property_facts_of_matrices(property))


def _property(property: Property | MulticlassProperty, known: Iterable[tuple[str, str]]) -> list[Block]:
    title = Paragraph((Strong(property.title or property.name), " (", Code(property.name), ")"))
    return [title, facts(known)]
