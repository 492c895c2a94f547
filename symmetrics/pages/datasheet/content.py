"""What a datasheet says: questions to the prover, to the metric and to the library, and their answers as sections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Final

from symmetrics.claims.verdict import Verdict
from symmetrics.claims.wording import value_text
from symmetrics.language.condition import condition_text
from symmetrics.language.formula import formula_text
from symmetrics.library import metrics, properties
from symmetrics.library.references import REFERENCES
from symmetrics.metric import Metric
from symmetrics.metric.direction import greater_is_better
from symmetrics.pages.answers import ANSWERS, answer_text, condition_suffix
from symmetrics.pages.bibtex import bibtex_of
from symmetrics.pages.datasheet.cautions import warned
from symmetrics.pages.datasheet.concept import concept_sections
from symmetrics.pages.datasheet.kin import kin_sections, limit_of, once_each
from symmetrics.pages.datasheet.values import value_sections
from symmetrics.pages.datasheet.words import symmetry_entries
from symmetrics.pages.numbers import Symbolic
from symmetrics.pages.plain import plain_sentence
from symmetrics.pages.subjects import called
from symmetrics.query.identification import Identification, identify
from symmetrics.query.matches import Match
from symmetrics.query.proving import prove
from symmetrics.tools.documents import (
    Block,
    Code,
    Entries,
    Entry,
    Facts,
    Listing,
    Paragraph,
    Section,
    Text,
)
from symmetrics.tools.errors import InputError, UnsupportedError
from symmetrics.tools.workers import Bar, spread

__all__ = ["gathered", "verdict_entry"]

DIRECTIONS: Final[Mapping[bool | None, str]] = {
    True: "greater is better",
    False: "smaller is better",
    None: "neither end is better",
}
LONGEST: Final = 600
"""Letters of evidence that a page shows; `symmetrics prove` shows all."""


def gathered(
    metric: Metric, *, seconds: float, progress: bool | None
) -> tuple[Metric, tuple[Section, ...], dict[str, Verdict], tuple[str, ...]]:
    """Return a metric, the sections of its datasheet, the verdicts that these rest on, and the warnings by property."""
    verdicts = _decided(metric, seconds, progress)
    bound = _at_defaults(metric)
    is_better = metric.greater_is_better
    if bound is not None and metrics.get(metric.name) != metric:
        is_better = greater_is_better(bound)
    found = identify(metric, seconds=seconds)
    warnings = list(warned(metric, bound, verdicts, is_better is False))
    sections = (
        _summary(metric, found, warnings),
        _definition(metric, is_better),
        Section("warnings", "Before you use it", (_warned(warnings),)),
        *kin_sections(metric, bound, found),
        *concept_sections(metric, verdicts),
        *value_sections(metric, bound, verdicts, seconds=seconds),
        Section("symmetry", "Symmetries", (Entries(tuple(symmetry_entries(verdicts))),)),
        *_verdict_sections(metric, verdicts),
        *_code(metric, bound),
        *_sources(metric),
    )
    return metric, sections, verdicts, tuple(key for key, _ in warnings)


def _decided(metric: Metric, seconds: float, progress: bool | None) -> dict[str, Verdict]:
    bar = Bar("datasheet", shown=progress)
    keys = list(properties)
    found = spread(lambda key: prove(metric, key, seconds=seconds), keys, bar=bar, workers=1)
    return dict(zip(keys, found, strict=True))


def _at_defaults(metric: Metric) -> Metric | None:
    """Return a metric with its parameters at their defaults, itself if it has none; None if one has no default."""
    if any(parameter.default is None for parameter in metric.parameters):
        return None
    return metric.at(**{p.name: p.default for p in metric.parameters}) if metric.parameters else metric


def _summary(metric: Metric, found: Identification, warnings: Iterable[tuple[str, Entry]]) -> Section:
    entries = [Entry(_is_known_as(*part)) for group in once_each(found, ("equal",)) for told in group for part in told]
    entries += [Entry(("",), entry.mark) for _, entry in warnings]
    if metric.name in metrics and metrics[metric.name] == metric:
        first: Text = (f"{metric.title} (", Code(metric.name), "), a metric of the library.")
    else:
        first = ("A formula that is not in the library under this name.",)
    return Section("summary", "In short", (Paragraph(first), Entries(tuple(entries))))


def _warned(warnings: list[tuple[str, Entry]]) -> Block:
    if not warnings:
        return Paragraph(("No verdict gives reason for a warning.",))
    return Entries(tuple(entry for _, entry in warnings))


def _is_known_as(match: Match, equation: str) -> Text:
    stated, limit = limit_of(match, equation)
    name, setting = match.metric, stated.removeprefix(f"M = {match.metric}")
    before = f"{limit[:1].upper()}{limit[1:]}, it" if limit else "It"
    after = "ranks all tables as that does" if not limit else "then ranks all tables as that does"
    return (f"{before} is {metrics[name].title} (", Code(name), f"){setting}, and {after}.")


def _definition(metric: Metric, is_better: bool | None) -> Section:
    rows: list[tuple[str, Text]] = [
        ("name", (Code(metric.name),)),
        *([("also called", (", ".join(metric.aliases),))] if metric.aliases else []),
        ("direction", (DIRECTIONS[is_better],)),
        *(("parameter", (Code(str(parameter)),)) for parameter in metric.parameters),
        *([] if metric.parameters else [("parameters", ("none",))]),
        ("as text", (Code(formula_text(metric.expr)),)),
    ]
    shown = Paragraph((Symbolic(metric.expr, "M"),), is_display=True)
    return Section("formula", "Formula", (shown, Facts(tuple(rows))))


def _verdict_sections(metric: Metric, verdicts: Mapping[str, Verdict]) -> Iterator[Section]:
    for theme, records in properties.themes.items():
        entries = tuple(verdict_entry(metric, verdicts[record.name]) for record in records)
        if entries:
            yield Section(theme, theme.capitalize(), (Entries(entries),))


def verdict_entry(metric: Metric, verdict: Verdict) -> Entry:
    """Return what a verdict says, in a sentence, with its mark, and what stands behind it."""
    property = properties[verdict.property]
    value, evidence = value_text(verdict), verdict.evidence.sentence
    if len(evidence) > LONGEST:
        evidence = f"{evidence[:LONGEST].rstrip()} ... (symmetrics prove shows all of it)"
    detail: list[tuple[str, Text]] = [
        ("property", (Code(property.name), f": {property.title}")),
        ("law", (property.statement,)),
        ("in general", (verdict.status + condition_suffix(verdict),)),
        *(
            [("at the defaults", ({True: "it holds", False: "it does not hold", None: "open"}[verdict.holds],))]
            if metric.parameters
            else []
        ),
        *([] if verdict.condition is None else [("if and only if", (Code(condition_text(verdict.condition)),))]),
        *([] if value is None else [("value", (Code(value),))]),
        ("evidence", (evidence,)),
    ]
    return Entry(
        (plain_sentence(verdict, property, metric),),
        answer_text(verdict, ANSWERS),
        tuple(detail),
        f"property-{property.name}",
    )


def _code(metric: Metric, bound: Metric | None) -> Iterator[Section]:
    if metrics.get(metric.name) == metric:
        made = f"metric = sm.metrics[{metric.name!r}]"
    else:
        names = "".join(f", {parameter.name!r}" for parameter in metric.parameters)
        listed = f", parameters=({names.removeprefix(', ')},)" if names else ""
        declared = "".join(f"sm.Parameter.parse({str(parameter)!r}), " for parameter in metric.parameters)
        given = f", ({declared})" if declared else ""
        made = (
            f"formula = sm.parse_formula({formula_text(metric.expr)!r}{listed})\n"
            f"metric = sm.Metric({metric.name!r}, formula{given})"
        )
    lines = ["import symmetrics as sm", "", made]
    if bound is not None:
        lines += ["metric.from_counts(tp=40, fn=10, fp=20, tn=130)", "metric.interval(40, 10, 20, 130)"]
    listings = [Listing("python", "\n".join(lines)), Listing("latex", f"{called(metric)}: ${metric.latex}$")]
    if bound is not None:
        listings += _elsewhere(bound)
    yield Section("code", "Code", tuple(listings))


def _elsewhere(metric: Metric) -> Iterator[Listing]:
    """Yield the metric in other languages, in those that can have it."""
    ways = (("sql", metric.to_sql), ("javascript", partial(metric.to_code, "javascript")))
    for language, write in (*ways, ("excel", partial(metric.to_code, "excel"))):
        with suppress(UnsupportedError, InputError):
            yield Listing(language, write().rstrip("\n"))


def _sources(metric: Metric) -> Iterator[Section]:
    entries = tuple(
        Entry((f"{REFERENCES[cite.reference]} ({cite.locator})",))
        for cite in metric.cites
        if cite.reference in REFERENCES
    )
    if entries:
        yield Section("sources", "Sources", (Entries(entries), Listing("bibtex", bibtex_of(metric.cites))))
