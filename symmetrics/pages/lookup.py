"""The library looked up: lists, and a page about one thing."""

from __future__ import annotations

import textwrap
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
_BETTER: Final = {True: "greater is better", False: "smaller is better", None: "neither end is better"}


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

    facts = [
        ("formula", formula_text(metric.expr)),
        *(("parameter", str(parameter)) for parameter in metric.parameters),
        *([("also called", ", ".join(metric.aliases))] if metric.aliases else []),
        ("range", range_text(metric) or _range_told(metric)),
        ("direction", _BETTER[metric.greater_is_better]),
        *([("related", "; ".join(related))] if (related := _related(metric)) else []),
    ]
    verdicts = [(prove(metric, key), properties[key]) for key in _SHOWN]
    name = called(metric)
    sentences = [*_cells_told(metric), *(plain_sentence(*verdict, metric) for verdict in verdicts)]
    short = [f"It{each.removeprefix(name)}" if each.startswith(name) else each for each in sentences]
    return "\n".join(
        [
            f"{name} ({metric.name})",
            "",
            *fact_lines(facts, PAGE),
            "",
            *map(_item, short),
            "",
            *_sources(metric.cites),
        ]
    )


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
    facts = [*property_facts(property), (f"{len(having)} of {len(metrics)} have it", ", ".join(having) or "none")]
    return "\n".join([f"{property.title} ({property.name})", "", *fact_lines(facts), "", *_sources(property.cites)])


def property_facts(property: Property) -> list[tuple[str, str]]:
    """Return what a property says and is called, as labels with texts."""
    return [
        ("law", property.statement),
        ("a metric with it", property.yes),
        ("one without", property.no),
        *([("also called", ", ".join(property.aliases))] if property.aliases else []),
        *([("looked for as", ", ".join(property.words))] if property.words else []),
    ]


def _page_of_matrices(metric: MulticlassMetric) -> str:
    from symmetrics.matrices.deciding import CLASSES, called, properties_at_size

    name, ends = called(metric), metric.range
    facts = [
        ("formula", str(metric.definition)),
        *(("parameter", str(parameter)) for parameter in metric.parameters),
        *([("also called", ", ".join(metric.aliases))] if metric.aliases else []),
        *([] if ends is None else [("range", f"from {formula_text(ends.start)} to {formula_text(ends.end)}")]),
        ("direction", _BETTER[metric.greater_is_better]),
    ]
    told = [of.told(name, metric.prove(of, CLASSES).holds) for of in properties_at_size(CLASSES)]
    short = [f"It{each.removeprefix(name)}" if each.startswith(name) else each for each in told]
    title = f"{name} ({metric.name}), of matrices of any number of classes"
    head = [title, "", *fact_lines(facts, PAGE), "", f"Of {number_of(CLASSES, 'class')}:", ""]
    return "\n".join([*head, *map(_item, short), "", *_sources(metric.cites)]).rstrip("\n")


def _property_page_of_matrices(property: MulticlassProperty) -> str:
    from symmetrics.matrices import multiclass
    from symmetrics.matrices.deciding import CLASSES

    having = [key for key, metric in multiclass.items() if metric.prove(property, CLASSES).holds]
    facts = [
        *property_facts_of_matrices(property),
        (f"{len(having)} of {len(multiclass)} have it at {number_of(CLASSES, 'class')}", ", ".join(having) or "none"),
    ]
    title = f"{property.title} ({property.name}), of metrics of matrices"
    return "\n".join([title, "", *fact_lines(facts), "", *_sources(property.cites)]).rstrip("\n")


def property_facts_of_matrices(property: MulticlassProperty) -> list[tuple[str, str]]:
    """Return what a property of metrics of matrices says and is called, as labels with texts."""
    return [
        ("law", property.statement),
        ("a metric with it", property.yes),
        ("one without", property.no),
        *([("also called", ", ".join(property.aliases))] if property.aliases else []),
        ("asked", f"at a number of classes, {property.least_classes} or more"),
    ]


def fact_lines(facts: Iterable[tuple[str, str]], width: int = WIDTH) -> Iterator[str]:
    """Yield labels with texts, which are broken into lines below each other."""
    every = list(facts)
    widest = max(len(label) for label, _ in every) + 2
    for label, text in every:
        yield textwrap.fill(
            text, width, initial_indent=f"{label:<{widest}}", subsequent_indent=" " * widest, break_on_hyphens=False
        )


def _item(text: str) -> str:
    return textwrap.fill(text, PAGE, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


def _sources(cites: Iterable[Citation]) -> Iterator[str]:
    for cite in cites:
        yield _item(f"{REFERENCES[cite.reference]} ({cite.locator})")
