"""Content of a datasheet: sections made of verdicts, facts and relations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from math import factorial
from typing import Final

from sympy import S
from sympy.logic.boolalg import Boolean

from symmetrics.claims.families.directions import Vector
from symmetrics.claims.families.groups import IDENTITY, Permutation, cycles
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.wording import value_text
from symmetrics.language.condition import condition_text
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.writer import formula_text
from symmetrics.library import metrics, properties
from symmetrics.library.references import REFERENCES
from symmetrics.metric import Metric
from symmetrics.metric.direction import greater_is_better
from symmetrics.pages.answers import ANSWERS, answer_text, called, condition_suffix
from symmetrics.pages.datasheet.values import limit_of, once_each, related_sections, value_sections, warned
from symmetrics.pages.lookup import BETTER, bibtex_of
from symmetrics.pages.plain import Symbolic, plain_sentence
from symmetrics.prover.symmetries import Symmetries
from symmetrics.query.identification import identify
from symmetrics.query.proving import prove, recorded
from symmetrics.query.search import Identification, Match
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
from symmetrics.tools.texts import number_of
from symmetrics.tools.workers import Bar, spread

# -- Metrics of the library with the same properties: a metric's formal concept, and those directly above --------------


CORE: Final = (
    *("p1", "p2", "p3", "p4", "p5", "transpose"),
    *("homogeneous", "monotone", "independence_value", "actual_scaling"),
)
"""Ten properties all of whose combinations are decided: see the guide to what is possible."""
MOST: Final = 8
"""Number of metrics listed by name, the simplest; the others are only counted."""
Profile = frozenset[str]


def concept_sections(metric: Metric, verdicts: Mapping[str, Verdict]) -> Iterator[Section]:
    """Yield the section on the metrics that share ten properties of a metric (formal concept analysis, Wille 1982).

    :param verdicts: on the metric, by property; there is no section if one of the ten is open
    """
    if any(verdicts[key].holds is None for key in CORE):
        return
    own = frozenset(key for key in CORE if verdicts[key].holds)
    others = {name: profile for name, profile in _profiles().items() if name != metric.name}
    below = [own & profile for profile in others.values() if not profile >= own]
    above = {profile for profile in below if not any(profile < other for other in below)}
    alike = [name for name, profile in others.items() if profile == own]
    more = [name for name, profile in others.items() if profile > own]
    entries = [Entry(("Metrics with just the same: ", *_named(alike)))]
    if more:
        entries.append(Entry(("Metrics with all of these and more: ", *_named(more))))
    for profile in sorted(above, key=lambda one: (-len(one), sorted(one))):
        sharing = [name for name, other in others.items() if own & other == profile]
        entries.append(Entry(("Shares ", *_said(profile), " with: ", *_named(sharing))))
    told = Paragraph((f"Of {number_of(len(CORE), 'property')} (", *_codes(CORE), ") it has ", *_said(own), "."))
    yield Section("concept", "Which metrics share its properties", (told, Entries(tuple(entries))))


@cache
def _profiles() -> dict[str, Profile]:
    """Return the values of the ten properties for library metrics, at their defaults, where all are decided."""
    found: dict[str, Profile] = {}
    for metric in sorted(metrics.values(), key=lambda one: one.expr.count_ops()):
        answers = {key: recorded(metric, properties[key]) for key in CORE}
        holds = {key: verdict.holds for key, verdict in answers.items() if verdict is not None}
        if len(holds) == len(CORE) and None not in holds.values():
            found[metric.name] = frozenset(key for key in CORE if holds[key])
    return found


def _said(profile: Profile) -> Text:
    return _codes([key for key in CORE if key in profile]) if profile else ("none of these",)


def _codes(keys: Sequence[str]) -> Text:
    parts = [part for key in keys for part in (", ", Code(key))]
    return tuple(parts[1:])


def _named(names: Sequence[str]) -> Text:
    if not names:
        return ("no other metric of the library.",)
    shown = ", ".join(metrics[name].title or name for name in names[:MOST])
    return (shown + (f", and {len(names) - MOST} more." if len(names) > MOST else "."),)


# -- Symmetries in words -----------------------------------------------------------------------------------------------


_EXCHANGES: Final[Mapping[Permutation, str]] = {
    IDENTITY: "no cells are exchanged",
    (0, 2, 1, 3): "predictions and truth are exchanged (FN with FP)",
    (3, 1, 2, 0): "TP and TN are exchanged",
    (3, 2, 1, 0): "the two classes are exchanged (TP with TN, FN with FP)",
    (1, 0, 3, 2): "all predictions are inverted (TP with FN, FP with TN)",
    (2, 3, 0, 1): "all examples change their class (TP with FP, FN with TN)",
}
_IMAGES: Final[Mapping[str, str]] = {
    "M": "It stays the same",
    "1-M": "It turns into 1 - M",
    "-M": "It changes its sign",
    "1/M": "It turns into 1/M",
}


def symmetry_entries(verdicts: Mapping[str, Verdict]) -> Iterator[Entry]:
    """Yield a sentence for each symmetry of a metric, and for each kind of symmetry without any, or open.

    :param verdicts: on the symmetry group, and on the spaces of translations and of scalings, by property
    """
    found = Symmetries.of(verdicts)
    if found.group is None:
        yield Entry(("Which exchanges of cells leave it as it is, is not known.",))
    else:
        for image, members in found.group.items():
            yield from (Entry((f"{_IMAGES[image]} {told}.",)) for told in _exchanges(members, unsaid=image == "M"))
        if sum(map(len, found.group.values())) == 1:
            yield Entry(("No exchange of cells leaves it as it is, negates, complements or inverts it.",))
    if found.translations is None:
        yield Entry(("Which counts can be added without changing it, is not known.",))
    elif not found.translations:
        yield Entry(("No counts can be added without changing it, whatever the table.",))
    for vector in found.translations or ():
        yield Entry((f"It stays the same if {_moved(vector)}.",))
    if found.scalings is None:
        yield Entry(("Which cells can be multiplied without changing it, is not known.",))
    elif not found.scalings:
        yield Entry(("No cells can be multiplied without changing it, whatever the table.",))
    for vector in found.scalings or ():
        yield Entry((f"It stays the same if {_scaled(vector)}.",))


def _exchanges(members: Mapping[Permutation, Boolean], *, unsaid: bool) -> Iterator[str]:
    """State the condition of each exchange; in one clause if it is the same for all.

    :param unsaid: leave out that it happens where no cells are exchanged
    """
    always = [permutation for permutation, condition in members.items() if condition is S.true]
    limits = {condition for condition in members.values() if condition is not S.true}
    at_once = len(members) == factorial(len(CELL_NAMES)) and len(limits) == 1
    shown = [
        permutation for permutation in (always if at_once else members) if not (unsaid and permutation == IDENTITY)
    ]
    for permutation in shown:
        when = _EXCHANGES.get(permutation, f"cells are exchanged as {cycles(permutation)}")
        condition = members[permutation]
        yield f"when {when}" + ("" if condition is S.true else f", if and only if {condition_text(condition)}")
    if at_once:
        yield f"under any{' other' * bool(shown)} exchange of cells, if and only if {condition_text(*limits)}"


def _moved(vector: Vector) -> str:
    """Describe a direction: the cells that grow, and those that fall in return."""
    moves = [(name, move) for name, move in zip(CELL_NAMES, vector, strict=True) if move]
    if len(moves) == 1:
        return f"{moves[0][0]} grows or falls by any amount"
    parts = [f"{name} {'grows' if move > 0 else 'falls'} by {_multiple(abs(move), 't')}" for name, move in moves]
    return f"{_joined(parts)}, for any t"


def _multiple(count: int, of: str) -> str:
    return of if count == 1 else f"{count}*{of}"


def _scaled(vector: Vector) -> str:
    groups: dict[int, list[str]] = {}
    for name, power in zip(CELL_NAMES, vector, strict=True):
        if power:
            groups.setdefault(power, []).append(name)
    parts = [
        f"{_joined(names)} {'is' if len(names) == 1 else 'are'} multiplied by {'s' if power == 1 else f's**{power}'}"
        for power, names in groups.items()
    ]
    return f"{_joined(parts)}, for any s > 0"


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


# ----------------------------------------------------------------------------------------------------------------------


LONGEST: Final = 600
"""Longest evidence shown on a page, in characters; `symmetrics prove` shows all."""


def gathered(
    metric: Metric, *, seconds: float, progress: bool | None
) -> tuple[Metric, tuple[Section, ...], dict[str, Verdict], tuple[str, ...]]:
    """Return a metric, its datasheet's sections, the verdicts behind them, and the warnings by property."""
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
        *related_sections(metric, bound, found),
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
    """Return a metric with its parameters at their defaults; None if one has no default."""
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
        ("direction", (BETTER[is_better],)),
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
    """Return a verdict as a sentence, with its mark and evidence."""
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
    """Yield the metric in other languages, where it can be expressed."""
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
