"""What a metric is equal to or ranks like, and the metrics that are close to it, with tables on which they disagree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from sympy import Expr

from symmetrics.library import metrics
from symmetrics.metric import Metric
from symmetrics.pages.datasheet.blocks import Code, Entries, Entry, Grid, Paragraph, Section, Text
from symmetrics.pages.instances import setting
from symmetrics.pages.numbers import number_text
from symmetrics.query.identification import Identification
from symmetrics.query.matches import Match
from symmetrics.query.relatives import LARGEST, Relative, relatives_of
from symmetrics.tools.words import number_of

__all__ = ["kin_sections", "limit_of", "once_each"]

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
    entries = [_entry(match) for match in found]
    entries += [Entry(("Not decided: ", *_entry(match).text), "open") for match in found.open]
    if found.remark:
        entries.append(Entry((f"{found.remark}.",)))
    told = Entries(tuple(entries)) if entries else Paragraph(("No metric of the library is related to it.",))
    yield Section("relations", "What it is equal to, or ranks like", (told,))
    if bound is not None:
        ranked = {match.metric for match in found if match.relation in _RANKING and match.condition is None}
        relatives = relatives_of(bound, without={metric.name, *ranked})
        if relatives:
            yield Section("relatives", "Nearest relatives, and where they disagree", tuple(_relatives(relatives)))


def _entry(match: Match) -> Entry:
    title = metrics[match.metric].title
    return Entry((f"{title} (", Code(match.metric), f"): {_RELATIONS[match.relation]}. ", Code(match.equation)))


def _relatives(relatives: tuple[Relative, ...]) -> Iterator[Paragraph | Grid]:
    yield Paragraph(
        (
            "The metrics that rank tables most like this one, the closest first; a pair that only one of the two ties "
            "counts half. Opposite is the share of pairs that the two rank in opposite ways, among the pairs that both "
            "put in an order: tables of positive cells with the same number of examples, at most "
            f"{LARGEST}. Beside it stands the smallest pair with opposite ranks, whose tables may differ in their "
            "number of examples.",
        )
    )
    head = ("metric", "opposite", "first table", "second table", "M", "the other")
    yield Grid(head, tuple(_row(relative) for relative in relatives))


def _row(relative: Relative) -> tuple[Text, ...]:
    before = "the negative of " if relative.is_reversed else ""
    name: Text = (f"{before}{relative.metric.title} (", Code(relative.metric.name), ")")
    share: Text = (f"{100 * relative.opposite:.3g} %",)
    pair = relative.disagreement
    if pair is None:
        return name, share, (f"none up to {number_of(LARGEST, 'example')}",), ("",), ("",), ("",)
    values = (_compared(pair.values), _compared(pair.others))
    return name, share, *((setting(table),) for table in pair.tables), *((text,) for text in values)


def _compared(values: tuple[Expr, Expr]) -> str:
    first, second = values
    return f"{number_text(first)} and {number_text(second)}"
