"""``symmetrics list`` and ``show``: lists, and a page about one metric or property."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from symmetrics.claims.evidence import Point
from symmetrics.claims.property import Property
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.wording import value_text
from symmetrics.language.condition import condition_text
from symmetrics.language.definition import Citation, Definition, Reference
from symmetrics.language.writer import formula_text
from symmetrics.library import metrics, properties
from symmetrics.library.references import REFERENCES
from symmetrics.metric import Metric
from symmetrics.pages.answers import called
from symmetrics.pages.plain import matrix_text, plain_sentence, setting, with_digits
from symmetrics.query.proving import prove
from symmetrics.tools.documents import Block, Entries, Entry, Paragraph, facts
from symmetrics.tools.documents.text import text_blocks
from symmetrics.tools.errors import UnknownNameError
from symmetrics.tools.texts import for_latex, number_of

if TYPE_CHECKING:
    from symmetrics.matrices import MulticlassMetric, MulticlassProperty


WIDTH: Final = 120
PAGE: Final = 100
"""Width of a page, in characters."""
_CELLS: Final = {"p4": "TP", "p5": "FN", "p3": "FP", "p2": "TN"}
_SHOWN: Final = (
    *("p1", "actual_scaling", "homogeneous", "transpose", "constant_baseline", "strongly_monotone"),
    *("max_agreement", "defined", "prevalence_limit", "tn_limit"),
)
"""Properties shown on a metric's page; `symmetrics table` has all."""
BETTER: Final = {True: "greater is better", False: "smaller is better", None: "neither end is better"}


def rows(kind: str) -> list[tuple[str, str]]:
    """Return the keys and descriptions of all records of a kind.

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
    """Return keys and texts as aligned lines, cut to the width of the page."""
    every = [(key, " ".join(text.split())) for key, text in pairs]
    widest = max((len(key) for key, _ in every), default=0)
    return "\n".join(_shortened(f"{key:<{widest}}  {text}".rstrip()) for key, text in every)


def _shortened(line: str) -> str:
    return line if len(line) <= WIDTH else line[: WIDTH - 4].rstrip() + " ..."


# -- one page ----------------------------------------------------------------------------------------------------------


def page(name: str) -> str:
    """Return the page on a metric or a property, on about one screen; matrix metrics come last.

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
    sentences = [*_cell_sentences(metric), *(plain_sentence(*verdict, metric) for verdict in verdicts)]
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
    """Return sentences about a metric without repeating its name."""
    return [f"It{each.removeprefix(name)}" if each.startswith(name) else each for each in sentences]


def _written(
    title: str, known: Iterable[tuple[str, str]], cites: Iterable[Citation], told: Iterable[str] = (), above: str = ""
) -> str:
    """Format a page: facts, sentences if there are any, and the sources.

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
    """Return the metrics that it equals or ranks like, at the defaults of all parameters."""
    if any(parameter.default is None for parameter in metric.parameters):
        return []
    from symmetrics.query.identification import closest

    others = [other for other in metrics.values() if other != metric]
    return [match.equation for match in closest(metric, others) if match.verdict.status == "proved"]


def _cell_sentences(metric: Metric) -> Iterator[str]:
    """Yield a sentence on the cells that the metric depends on, and verdicts with more detail."""
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
    """Return the facts about a property, as labels with texts."""
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


# -- A verdict in words, for a terminal --------------------------------------------------------------------------------


INDENT: Final = 10


def explain(verdict: Verdict, property: Property, metric: Definition, notes: Iterable[str] = ()) -> str:
    """Return a verdict in a few lines: the answer in a sentence, the question, the value, and the evidence.

    :param notes: what else is to be said of the formula

    >>> from symmetrics.library import metrics, properties
    >>> from symmetrics.query.proving import prove
    >>> print(explain(prove("f1", "range"), properties["range"], metrics["f1"]))
    F1-measure is bounded: it lies between 0 and 1, and reaches 0 and 1 only where cells are zero.
    <BLANKLINE>
    metric    f1: M = 2*TP/(FN + FP + 2*TP)
    property  range: bounded values
    claim     lower <= M(TP, FN, FP, TN) <= upper, with finite bounds that M attains or comes arbitrarily close to
    verdict   proved
    value     (0, 1)
    evidence  M >= 0, approached at (s, 1, 1, 1) as s -> 0+, not attained at positive cells but at (0, 1, 1, 1);
              M <= 1, approached at (1, s, s, 1) as s -> 0+, not attained at positive cells but at (1, 0, 0, 1)
    """
    formula = formula_text(metric.expr)
    name = f"{metric.name}: M = {formula}" if metric.name.isidentifier() else f"M = {formula}"
    subject = [("metric", name + "".join(f", {parameter}" for parameter in metric.parameters))]
    subject += [("note", _wrapped(note)) for note in notes]
    sentence = plain_sentence(verdict, property, metric)
    return _laid_out(sentence, subject, verdict, property, metric, _witness_lines(verdict), value_text(verdict))


def explain_at_size(verdict: Verdict, property: MulticlassProperty, metric: MulticlassMetric, classes: int) -> str:
    """Return a verdict on a matrix metric in a few lines, as :func:`explain` does.

    >>> from symmetrics.matrices import multiclass, multiclass_properties
    >>> cba, transpose = multiclass["cba"], multiclass_properties["transpose"]
    >>> print(explain_at_size(cba.prove("transpose", k=2), transpose, cba, 2))
    Class balance accuracy of 2 classes treats predictions and truth alike.
    <BLANKLINE>
    metric    cba of 2 classes: M = ClassMean(TP/Max(FN + TP, FP + TP))
    property  transpose: symmetry between predicted and actual classes
    claim     M(C[j, i]) = M(C[i, j])
    verdict   proved
    evidence  identity on the open positive orthant: over one denominator the difference has the zero polynomial as
              numerator
    """
    from symmetrics.matrices.deciding import called

    subject = [("metric", _wrapped(f"{verdict.metric}: M = {metric.definition}"))]
    subject += [("parameter", str(parameter)) for parameter in metric.parameters]
    sentence = property.told(f"{called(metric)} of {number_of(classes, 'class')}", verdict.holds)
    failing = _witness_lines(verdict, classes, property.compared)
    return _laid_out(sentence, subject, verdict, property, metric, failing)


def _laid_out(
    sentence: str,
    subject: Iterable[tuple[str, str]],
    verdict: Verdict,
    property: Property | MulticlassProperty,
    metric: Definition | MulticlassMetric,
    failing: Iterable[str],
    value: str | None = None,
) -> str:
    """Return a sentence, followed by labelled lines."""
    lines = [
        *subject,
        ("property", _wrapped(f"{property.name}: {property.title}" if property.title else property.name)),
        ("claim", _wrapped(property.statement)),
        ("verdict", _wrapped(_answer(verdict, metric))),
        *([] if value is None else [("value", _wrapped(value))]),
        *(("fails at", line) for line in failing),
        ("evidence", _wrapped(verdict.evidence.sentence)),
    ]
    first = textwrap.wrap(sentence, WIDTH, break_on_hyphens=False)
    return "\n".join([*first, "", *(f"{label:<{INDENT}}{text}" for label, text in lines)])


def _wrapped(text: str) -> str:
    """Wrap a text to a limited width, at its parts if it has several."""
    width = WIDTH - INDENT
    parts = [text] if len(text) <= width else list(_parts(text))
    lines = [
        line
        for part in parts
        for line in textwrap.wrap(part, width, subsequent_indent="  " * (len(parts) > 1), break_on_hyphens=False)
    ]
    return f"\n{' ' * INDENT}".join(lines)


def _parts(text: str) -> Iterator[str]:
    """Split a text at semicolons outside brackets."""
    depth = start = 0
    for place, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0 and text.startswith("; ", place):
            yield text[start : place + 1]
            start = place + 2
    yield text[start:]


def _answer(verdict: Verdict, metric: Definition | MulticlassMetric) -> str:
    declared = (parameter for parameter in metric.parameters if parameter.default is not None)
    defaults = ", ".join(f"{parameter.name} = {parameter.default}" for parameter in declared)
    if verdict.status == "open" and verdict.holds is not None:
        return f"open in general; it {'holds' if verdict.holds else 'does not hold'} at the default {defaults}"
    if verdict.condition is None:
        return verdict.status
    here = {
        True: f"; it holds at the default {defaults}",
        False: f"; it does not hold at the default {defaults}",
        None: "",
    }[verdict.holds]
    return f"{verdict.status}: holds if and only if {condition_text(verdict.condition)}{here}"


def _witness_lines(verdict: Verdict, classes: int = 0, compared: tuple[str, str] = ("", "")) -> list[str]:
    """Return the counterexample: tables and values.

    :param classes: for tables that are matrices, the number of their classes
    :param compared: what the values are if there is one matrix
    """
    witness = verdict.witness
    if witness is None:
        return []
    at = "".join(f", {name} = {value}" for name, value in witness.parameters.items())
    exact = with_digits(witness.values)
    values = [f"= {value}" for value in exact] or ["has no value"] * len(witness.tables)
    told = [matrix_text(t, classes) if isinstance(t, Point) and classes else setting(t) for t in witness.tables]
    if classes and len(told) == 2 and told[0] == told[1]:  # two formulas compared at one matrix
        pairs = zip(compared, exact, strict=True)
        return [f"C = {told[0]}{at}", *(f"{what} = {value}" for what, value in pairs)]
    return [f"M({table}{at}) {value}" for table, value in zip(told, values, strict=True)]


# -- References as BibTeX, made from the library's records of the works ------------------------------------------------


_ARTICLE: Final = re.compile(
    r"(?P<journal>.+?) (?P<volume>\d+)(?: ?\((?P<number>[^()]+)\))?: (?P<pages>[A-Za-z]?\d[\w, -]*)"
)
_IN_A_VOLUME: Final = re.compile(r"(?P<booktitle>.+?)(?:: (?P<pages>[\dA-Za-z][\w-]*))?")
_MEETINGS: Final = ("conference", "symposium", "proceedings", "workshop", "advances in", "pakdd", "meeting", "congress")


def bibtex_of(cites: Iterable[Citation]) -> str:
    """BibTeX entries of the cited works, each once, in order of citation.

    A work that the library has no record of is left out: there is nothing to be said of it.
    """
    keys = dict.fromkeys(cite.reference for cite in cites)
    return "\n\n".join(bibtex(REFERENCES[key]) for key in keys if key in REFERENCES)


def bibtex(reference: Reference) -> str:
    """Return a BibTeX entry: an article, a conference paper, or miscellaneous.

    >>> print(bibtex(REFERENCES["youden1950"]))
    @article{youden1950,
      author = {Youden, W. J.},
      title = {{Index for rating diagnostic tests}},
      journal = {Cancer},
      volume = {3},
      number = {1},
      pages = {32--35},
      year = {1950}
    }
    """
    kind, fields = _placed(reference)
    entry = {
        "author": " and ".join(map(for_latex, reference.authors)),
        "title": f"{{{for_latex(reference.title)}}}",
        **{name: for_latex(text) for name, text in fields.items()},
        "year": str(reference.year),
    }
    if "pages" in entry:
        entry["pages"] = re.sub(r"(?<=\d)-(?=\w)", "--", fields["pages"])
    lines = ",\n".join(f"  {name} = {{{text}}}" for name, text in entry.items())
    return f"@{kind}{{{reference.name},\n{lines}\n}}"


def _placed(reference: Reference) -> tuple[str, dict[str, str]]:
    """Return the entry type, and fields for the place of publication."""
    venue = reference.venue
    is_meeting = any(word in venue.casefold() for word in _MEETINGS)
    found = None if is_meeting else _ARTICLE.fullmatch(venue)
    if found is not None and found["volume"] != str(reference.year):
        return "article", {name: text for name, text in found.groupdict().items() if text}
    if is_meeting and (found := _IN_A_VOLUME.fullmatch(venue)) is not None:
        return "inproceedings", {name: text for name, text in found.groupdict().items() if text}
    return "misc", {"howpublished": venue}
