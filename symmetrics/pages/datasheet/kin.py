"""What a metric is equal to or ranks like, and the metrics that are close to it, with tables on which they disagree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from sympy import Expr

from symmetrics.library import metrics
from symmetrics.metric import Metric
from symmetrics.pages.plain import number_text, setting
from symmetrics.query.matches import Identification, Match
from symmetrics.query.relatives import LARGEST, Relative, relatives_of
from symmetrics.tools.documents import Code, Entries, Entry, Grid, Paragraph, Section, Text, texts
from symmetrics.tools.words import number_of

_RELATIONS: Final[Mapping[str, str]] = {
    "equal": "the same function: both rank all tables alike",
    "complement_of": "its complement: both rank all tables in opposite orders",
    "negation_of": "its negative: both rank all tables in opposite orders",
    "affine": "it times a number, plus a number",
    "transpose_of": "the same once predictions and truth are exchanged",
    "class_exchange_of": "the same once the classes are exchanged",
    "diagonal_exchange_of": "the same once TP and TN are exchanged",
    "rank_equivalent": "a strictly increasing function of it: both rank all tables alike",
    "rank_reversed": "a strictly decreasing function of it: both rank all tables in opposite orders",
}
_RANKING: Final = ("equal", "complement_of", "negation_of", "affine", "rank_equivalent", "rank_reversed")
"""Relations after which no two tables are ranked in another order, but for all of them."""
_Told = list[tuple[Match, str]]
"""Relations to one metric, with their equations."""


def kin_sections(metric: Metric, bound: Metric | None, found: Identification) -> Iterator[Section]:
    """Yield the sections on what a metric is related to.

    :param bound: the metric at the defaults of its parameters; None if one has no default
    :param found: the relations that are proved
    """
    yield Section("relations", "What it is equal to, or ranks like", tuple(_relations(found)))
    if bound is not None:
        ranked = {match.metric for match in found if match.relation in _RANKING and match.condition is None}
        relatives = relatives_of(bound, without={metric.name, *ranked})
        if relatives:
            yield Section("relatives", "Nearest relatives, and where they disagree", tuple(_relatives(relatives)))


def _relations(found: Identification) -> Iterator[Paragraph | Entries]:
    """Yield what holds for all parameters of the formula, what holds for some, and what is not known."""
    always, limited = once_each(found)
    if always:
        yield Entries(tuple(map(_entry, always)))
    if limited:
        yield Paragraph(("Only for some values of its parameters:",))
        yield Entries(tuple(map(_entry, limited)))
    unknown = [Entry(("Not decided: ", *_entry([(match, match.equation)]).text), "open") for match in found.open]
    if found.remark:
        unknown.append(Entry((f"{found.remark}.",)))
    if unknown:
        yield Entries(tuple(unknown))
    elif not always and not limited:
        yield Paragraph(("No metric of the library is related to it.",))


def once_each(found: Identification, relations: Iterable[str] = tuple(_RELATIONS)) -> tuple[list[_Told], list[_Told]]:
    """Return what is told of each metric: of those to which a formula is related whatever its parameters, and others.

    :param relations: the keys of those that are told
    """
    shown = [part for part in found.told() if part[0].relation in relations]
    # What is proved at the defaults alone says nothing more where a condition holds there.
    settled = {match.metric for match, equation in shown if not match.at and _holds_by_default(match, equation)}
    by_metric: dict[str, _Told] = {}
    for match, equation in shown:
        if not (match.at and match.metric in settled):
            by_metric.setdefault(match.metric, []).append((match, equation))
    sorted_by_limit = [sorted(told, key=_is_limited) for told in by_metric.values()]
    always = [told for told in sorted_by_limit if not _is_limited(told[0])]
    return always, [told for told in sorted_by_limit if _is_limited(told[0])]


def _is_limited(part: tuple[Match, str]) -> bool:
    return bool(limit_of(*part)[1])


def _holds_by_default(match: Match, equation: str) -> bool:
    return match.condition is None or equation.endswith(", as by default")


def limit_of(match: Match, equation: str) -> tuple[str, str]:
    """Return the equation of a match without its condition, and this as the beginning of a sentence, or nothing."""
    if match.at:
        stated, _, values = equation.partition(", where M has its ")
        return stated, f"at the {values}"
    stated, _, condition = equation.partition(" if ")
    return stated, f"if {condition}" if condition else ""


def _entry(told: _Told) -> Entry:
    """Return what is told of one metric, each relation after its condition."""
    name = told[0][0].metric
    parts: list[str | Code] = []
    for match, equation in told:
        stated, limit = limit_of(match, equation)
        before = f"{limit}, " if limit else ""
        parts += [f"{'; ' if parts else ''}{before}{_RELATIONS[match.relation]}. ", Code(stated)]
    return Entry((f"{metrics[name].title} (", Code(name), "): ", *parts))


def _relatives(relatives: tuple[Relative, ...]) -> Iterator[Paragraph | Grid]:
    yield Paragraph(
        (
            "The metrics that rank tables most like this one, by distance, the closest first. Opposite is the share of "
            "pairs that the two rank in opposite ways, among the pairs that both put in an order: tables of positive "
            f"cells with the same number of examples, at most {LARGEST}. The distance adds to it half the share of "
            "pairs that only one of the two ties, among all pairs. Beside them stands the smallest pair with opposite "
            "ranks, whose tables may differ in their number of examples.",
        )
    )
    head = ("metric", "distance", "opposite", "first table", "second table", "M", "the other")
    yield Grid(texts(head), tuple(_row(relative) for relative in relatives))


def _row(relative: Relative) -> tuple[Text, ...]:
    before = "the negative of " if relative.is_reversed else ""
    name: Text = (f"{before}{relative.metric.title} (", Code(relative.metric.name), ")")
    shares: tuple[Text, ...] = tuple((f"{100 * share:.3g} %",) for share in (relative.distance, relative.opposite))
    pair = relative.disagreement
    if pair is None:
        return name, *shares, (f"none up to {number_of(LARGEST, 'example')}",), ("",), ("",), ("",)
    first, second = pair.others
    named = (-first, -second) if relative.is_reversed else (first, second)
    values = (_compared(pair.values), _compared(named))
    return name, *shares, *((setting(table),) for table in pair.tables), *((text,) for text in values)


def _compared(values: tuple[Expr, Expr]) -> str:
    first, second = values
    return f"{number_text(first)} and {number_text(second)}"
