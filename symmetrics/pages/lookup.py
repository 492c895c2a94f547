"""The library looked up: lists, and a page about one thing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from symmetrics.claims.property import Property
from symmetrics.language.definition import Citation
from symmetrics.language.writer import formula_text
from symmetrics.library import metrics, properties
from symmetrics.library.references import REFERENCES
from symmetrics.metric import Metric
from symmetrics.pages.plain import plain_sentence
from symmetrics.pages.subjects import called
from symmetrics.query.proving import prove
from symmetrics.tools.documents import Block, Entries, Entry, Paragraph, facts
from symmetrics.tools.documents.text import text_blocks
from symmetrics.tools.errors import UnknownNameError
from symmetrics.tools.words import number_of

if TYPE_CHECKING:
    from symmetrics.matrices import MulticlassMetric, MulticlassProperty


WIDTH: Final = 120
PAGE: Final = 100
"""Columns of a page about one thing."""
_CELLS: Final = {"p4": "TP", "p5": "FN", "p3": "FP", "p2": "TN"}
_SHOWN: Final = (
    *("p1", "actual_scaling", "homogeneous", "transpose", "constant_baseline", "strongly_monotone"),
    *("max_agreement", "defined", "prevalence_limit", "tn_limit"),
)
"""The properties that a page about a metric tells of; `symmetrics table` has all."""
BETTER: Final = {True: "greater is better", False: "smaller is better", None: "neither end is better"}


def rows(kind: str) -> list[tuple[str, str]]:
    """Return the keys of all records of a kind, each with what it is.

    :param kind: ``"metrics"``, ``"properties"``, or those of whole matrices, ``"multiclass"`` or
        ``"multiclass-properties"``

    >>> rows("properties")[1]
    ('agreement_increases', 'more agreement at fixed margins raises M')
    >>> rows("multiclass-properties")[0]
    ('column_scaling', 'invariance under factors of the predicted classes')
    """
    return [(record.name, record.title) for record in _records(kind)]


def _records(kind: str) -> Iterable[Metric | Property | MulticlassMetric | MulticlassProperty]:
    if kind in ("metrics", "properties"):
        return metrics.values() if kind == "metrics" else properties.values()
    from symmetrics.matrices import multiclass, multiclass_properties

    return multiclass.values() if kind == "multiclass" else multiclass_properties.values()


def columns(pairs: Iterable[tuple[str, str]]) -> str:
    """Return keys and texts below each other, one line each; what is too long for a line ends in dots."""
    every = [(key, " ".join(text.split())) for key, text in pairs]
    widest = max((len(key) for key, _ in every), default=0)
    return "\n".join(_shortened(f"{key:<{widest}}  {text}".rstrip()) for key, text in every)


def _shortened(line: str) -> str:
    return line if len(line) <= WIDTH else line[: WIDTH - 4].rstrip() + " ..."


# -- one page ----------------------------------------------------------------------------------------------------------


def page(name: str) -> str:
    """Return what is known of a metric or a property, on about one screen; those of matrices come last.

    :raises UnknownNameError: if there is neither of that name

    >>> print(page("recall").splitlines()[0])
    True positive rate (tpr)
    >>> print(page("monotone_rows").splitlines()[0])
    correcting a prediction raises M (monotone_rows), of metrics of matrices
    """
    if name in metrics:
        return _metric_page(metrics[name])
    if name in properties:
        return _property_page(properties[name])
    from symmetrics.matrices import multiclass, multiclass_properties

    if name in multiclass:
        return _page_of_matrices(multiclass[name])
    if name in multiclass_properties:
        return _property_page_of_matrices(multiclass_properties[name])
    raise UnknownNameError("metric or property", name, (*metrics, *properties, *multiclass, *multiclass_properties))


def _metric_page(metric: Metric) -> str:
    from symmetrics.pages.plain import range_text

    related = "; ".join(_related(metric))
    verdicts = [(prove(metric, key), properties[key]) for key in _SHOWN]
    name = called(metric)
    sentences = [*_cells_told(metric), *(plain_sentence(*verdict, metric) for verdict in verdicts)]
    known = _facts_of(metric, formula_text(metric.expr), range_text(metric) or _range_told(metric), related)
    return _written(f"{name} ({metric.name})", known, metric.cites, _shortly(name, sentences))


def _facts_of(
    metric: Metric | MulticlassMetric, formula: str, range: str, related: str = ""
) -> Iterator[tuple[str, str]]:
    yield "formula", formula
    yield from (("parameter", str(parameter)) for parameter in metric.parameters)
    every = {"also called": ", ".join(metric.aliases), "range": range}
    yield from ((label, text) for label, text in every.items() if text)
    yield "direction", BETTER[metric.greater_is_better]
    yield from [("related", related)] if related else []


def _shortly(name: str, sentences: Iterable[str]) -> list[str]:
    """Return sentences on a metric that do not repeat its name."""
    return [f"It{each.removeprefix(name)}" if each.startswith(name) else each for each in sentences]


def _written(
    title: str, known: Iterable[tuple[str, str]], cites: Iterable[Citation], told: Iterable[str] = (), above: str = ""
) -> str:
    """Return a page: facts, sentences if there are any, and the sources.

    :param above: what stands above the sentences
    """
    sources = [f"{REFERENCES[cite.reference]} ({cite.locator})" for cite in cites]
    lists = [Entries(tuple(Entry((text,)) for text in texts)) for texts in (told, sources) if texts]
    between: list[Block] = [Paragraph((above,))] if above else []
    shown = text_blocks([facts(known)], width=PAGE if told else WIDTH)
    return "\n\n".join(filter(None, (title, shown, text_blocks([*between, *lists], width=PAGE))))


def _range_told(metric: Metric) -> str:
    return plain_sentence(prove(metric, "range"), properties["range"], metric)


def _related(metric: Metric) -> list[str]:
    """Return what the metric is equal to or ranks like, at the defaults of all parameters."""
    if any(parameter.default is None for parameter in metric.parameters):
        return []
    from symmetrics.query.identification import closest

    others = [other for other in metrics.values() if other != metric]
    return [match.equation for match in closest(metric, others) if match.verdict.status == "proved"]


def _cells_told(metric: Metric) -> Iterator[str]:
    """Yield a sentence on the cells that the metric depends on, and the verdicts that say more than that."""
    verdicts = {cell: prove(metric, key) for key, cell in _CELLS.items()}
    plain = {cell: v.holds for cell, v in verdicts.items() if v.condition is None and v.holds is not None}
    ignored = [cell for cell, holds in plain.items() if holds]
    used = [cell for cell, holds in plain.items() if not holds]
    if len(used) == len(_CELLS):
        yield "It depends on each of TP, FN, FP and TN."
    elif plain:
        told = [f"does not depend on {' or '.join(ignored)}"] if ignored else []
        yield f"It {'; it '.join([*told, *([f'depends on {_and(used)}'] if used else [])])}."
    for key, cell in _CELLS.items():
        if cell not in plain:
            yield plain_sentence(verdicts[cell], properties[key], metric)


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _property_page(property: Property) -> str:
    having = [key for key in metrics if prove(key, property).holds]
    known = [*property_facts(property), (f"{len(having)} of {len(metrics)} have it", ", ".join(having) or "none")]
    return _written(f"{property.title} ({property.name})", known, property.cites)


def property_facts(property: Property | MulticlassProperty) -> list[tuple[str, str]]:
    """Return what a property says and is called, as labels with texts."""
    rows = [("law", property.statement), ("a metric with it", property.yes), ("one without", property.no)]
    rows += [("also called", ", ".join(property.aliases))] if property.aliases else []
    if not isinstance(property, Property):
        return [*rows, ("asked", f"at a number of classes, {property.least_classes} or more")]
    return [*rows, *([("looked for as", ", ".join(property.words))] if property.words else [])]


def _page_of_matrices(metric: MulticlassMetric) -> str:
    from symmetrics.matrices.deciding import CLASSES, called, properties_at_size

    name, ends = called(metric), metric.range
    between = "" if ends is None else f"from {formula_text(ends.start)} to {formula_text(ends.end)}"
    told = [of.told(name, metric.prove(of, CLASSES).holds) for of in properties_at_size(CLASSES)]
    title = f"{name} ({metric.name}), of matrices of any number of classes"
    known = _facts_of(metric, str(metric.definition), between)
    return _written(title, known, metric.cites, _shortly(name, told), f"Of {number_of(CLASSES, 'class')}:")


def _property_page_of_matrices(property: MulticlassProperty) -> str:
    from symmetrics.matrices import multiclass
    from symmetrics.matrices.deciding import CLASSES

    having = [key for key, metric in multiclass.items() if metric.prove(property, CLASSES).holds]
    counted = f"{len(having)} of {len(multiclass)} have it at {number_of(CLASSES, 'class')}"
    known = [*property_facts(property), (counted, ", ".join(having) or "none")]
    return _written(f"{property.title} ({property.name}), of metrics of matrices", known, property.cites)
