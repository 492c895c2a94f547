"""A paper on one page: every table, figure and sentence, ours beside theirs, with the ruling."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from symmetrics.papers.claims.trials import Heard
from symmetrics.papers.claims.writing import in_table, summary_line

__all__ = ["page_text", "unit_of"]

UNIT: Final = re.compile(r"(table|figure|section|example|equation) \(?[0-9IVX.]+[0-9IVX]*\)?|abstract")
"""What a page has a heading for: the table, figure or section that a claim's place begins with."""


def unit_of(place: str) -> str:
    """Return the table, figure or section of a place.

    >>> unit_of("table 2, Highleyman, 0.1, LDC"), unit_of("section 3.1"), unit_of("tables I and V, churn")
    ('table 2', 'section 3.1', 'tables I and V')
    """
    found = UNIT.match(place)
    return found.group().rstrip(".") if found else place.partition(",")[0]


def page_text(heard: Sequence[Heard]) -> str:
    """Return the claims of one paper as Markdown, in its order, under the table, figure or section they stand in.

    The outcome of every claim is the one of ``proofs/CLAIMS.md``, from the same records.
    """
    units: dict[str, list[Heard]] = {}
    for one in heard:
        units.setdefault(unit_of(one.place), []).append(one)
    parts = ["# The paper, table by table and sentence by sentence", f"{summary_line(heard)}."]
    for unit, claims in units.items():
        parts += [f"## {unit[0].upper()}{unit[1:]}", _table(claims)]
    return "\n\n".join(parts)


def _table(claims: Iterable[Heard]) -> str:
    rows = [("where", "claim", "theirs", "ours", "ruling", "rests on"), ("---",) * 6]
    rows += [
        (one.place, f"`{one.key}`", one.printed, one.ruling.evidence, _ruling(one), one.ruling.basis) for one in claims
    ]
    return "\n".join(f"| {' | '.join(map(in_table, row))} |" for row in rows)


def _ruling(one: Heard) -> str:
    ruling, instead = one.ruling, ""
    if ruling.corrected:
        instead = f": {ruling.corrected}" if ruling.outcome == "holds only as" else f"; instead: {ruling.corrected}"
    counted = f" (not counted: {one.uncounted})" if one.uncounted else ""
    return f"{ruling.outcome}{instead}{counted}"
