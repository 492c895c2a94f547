"""Tables of verdicts: metrics by properties."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sympy import Expr

from symmetrics.claims.property import Property
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.wording import value_text
from symmetrics.language.condition import condition_text
from symmetrics.language.formula import formula_text, shortened
from symmetrics.language.parameter import at_defaults_text
from symmetrics.library import properties as library
from symmetrics.library.selections import GARCIA_METRICS, GARCIA_PROPERTIES, SIGNS
from symmetrics.metric import Metric
from symmetrics.query.proving import as_metric, as_property, prove, recorded_verdict
from symmetrics.tools.budget import SECONDS
from symmetrics.tools.errors import InputError
from symmetrics.tools.escaping import for_csv, for_html, for_markdown, visible
from symmetrics.tools.workers import Bar, spread

__all__ = ["FORMATS", "VerdictTable", "table"]

ANSWERS: Final[Mapping[bool | None, str]] = {True: "yes", False: "no", None: "?"}
"""What stands in the columns of all other properties."""
MANY: Final = 200
"""Verdicts for which further processes are worth starting."""


_DOLLAR: Final = "\ue000"
"""Stands for a dollar sign in names while LaTeX is written; a letter of the private use area."""


@dataclass(frozen=True, repr=False)
class VerdictTable:
    """Verdicts on every property of every metric.

    The cells of p1 to p5 hold García's signs, those of all other properties yes, no or ?, at the defaults of the
    parameters; the condition follows in parentheses, and what was found, such as a range or a limit, after a colon.
    What is open in general stays ?, and what holds at the defaults follows in parentheses.
    Values too long for a table end in ``...`` there; CSV and JSON shorten nothing.

    :param properties: the keys of the columns
    :param rows: for each metric its name and its verdicts, in the order of the columns
    """

    properties: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Verdict, ...]], ...]

    def to_markdown(self) -> str:
        """Return the table in Markdown."""
        return self._tabulated("github", for_markdown, lambda verdict: _cell(verdict, lambda v: f"`{shortened(v)}`"))

    def to_latex(self) -> str:
        """Return the table as a LaTeX tabular, for the booktabs package."""
        # The dollars of formulas stay as they are, and those of names do not.
        written = self._tabulated("latex_booktabs", lambda name: visible(name).replace("$", _DOLLAR), _latex_cell)
        return written.replace("\\$", "$").replace(_DOLLAR, "\\$")

    def to_html(self) -> str:
        """Return the table in HTML; tooltips say what the properties and the metrics are, and the evidence."""
        columns = "".join(f"<th{_tooltip(_description(key))}>{for_html(key)}</th>" for key in self.properties)
        body = "\n".join(
            f"<tr><th{_tooltip(f'M = {formula_text(verdicts[0].claim.subject)}')}>{for_html(name)}</th>"
            f"{''.join(map(_html_cell, verdicts))}</tr>"
            for name, verdicts in self.rows
        )
        head = f"<thead><tr><th>metric</th>{columns}</tr></thead>"
        return f'<table class="symmetrics">\n{head}\n<tbody>\n{body}\n</tbody>\n</table>'

    def to_csv(self) -> str:
        """Return the table as comma-separated values."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(("metric", *map(for_csv, self.properties)))
        writer.writerows((for_csv(name), *map(cell_text, verdicts)) for name, verdicts in self.rows)
        return text.getvalue()

    def to_dict(self) -> dict[str, Any]:
        """Return the table as JSON values, every verdict in its public form."""
        rows = [{"metric": name, "verdicts": [v.to_dict() for v in verdicts]} for name, verdicts in self.rows]
        return {"properties": list(self.properties), "rows": rows}

    def to_json(self) -> str:
        """Return the table as JSON, every verdict with its witness and evidence."""
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False)

    def _tabulated(self, style: str, name: Callable[[str], str], cell: Callable[[Verdict], str]) -> str:
        from tabulate import tabulate

        body = [(name(metric), *map(cell, verdicts)) for metric, verdicts in self.rows]
        head = ("metric", *map(name, self.properties))
        return str(tabulate(body, headers=head, tablefmt=style, disable_numparse=True))

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        return self.to_markdown()

    def __repr__(self) -> str:
        return f"<VerdictTable: {len(self.rows)} metrics x {len(self.properties)} properties>"


FORMATS: Final[Mapping[str, Callable[[VerdictTable], str]]] = {
    "md": VerdictTable.to_markdown,
    "csv": VerdictTable.to_csv,
    "json": VerdictTable.to_json,
    "latex": VerdictTable.to_latex,
    "html": VerdictTable.to_html,
}
"""The formats a table can be written in."""


def table(
    metrics: Iterable[Metric | Expr | str] | None = None,
    properties: Iterable[Property | str] | None = None,
    *,
    parallel: bool = False,
    seconds: float = SECONDS,
) -> VerdictTable:
    """Decide every property of every metric.

    :param metrics: metrics, expressions or library names; by default those of García et al. (2012)
    :param properties: properties or keys; by default p1 to p5
    :param parallel: decide a large table on all processors, with a progress bar on a terminal; a script that asks for
        it has to stand behind ``if __name__ == "__main__"``
    :param seconds: how long each property of each metric may take; what is not decided by then is open
    :raises UnknownNameError: if a name is not in the library

    >>> print(table(["precision", "cwa"], ["p1", "p2", "range"]))
    | metric    | p1          | p2        | range         |
    |-----------|-------------|-----------|---------------|
    | precision | +           | -         | yes: `(0, 1)` |
    | cwa       | + (w = 1/2) | + (w = 1) | yes: `(0, 1)` |
    """
    if isinstance(metrics, str) or isinstance(properties, str):
        raise InputError("pass lists of metrics and of properties, as in table(['f1', 'mcc'], ['p1'])")
    rows = [as_metric(metric) for metric in (GARCIA_METRICS if metrics is None else metrics)]
    columns = [as_property(key) for key in (GARCIA_PROPERTIES if properties is None else properties)]
    if not rows or not columns:
        raise InputError("a table needs at least one metric and one property")
    keys = tuple(column.name for column in columns)
    if parallel:
        decided = _decided_in_parallel(rows, columns, seconds)
    else:
        decided = [tuple(prove(row, column, seconds=seconds) for column in columns) for row in rows]
    return VerdictTable(keys, tuple((row.name, verdicts) for row, verdicts in zip(rows, decided, strict=True)))


def _decided_in_parallel(
    rows: Sequence[Metric], columns: Sequence[Property], seconds: float
) -> list[tuple[Verdict, ...]]:
    """Return the verdicts of every row; the rows that are not on record are decided on all processors, if many."""
    decided = {place: verdicts for place, row in enumerate(rows) if (verdicts := _recorded(row, columns)) is not None}
    left = [place for place in range(len(rows)) if place not in decided]
    # A property of one's own is a function, which no other process can be sent.
    by_name = all(library.get(column.name) == column for column in columns)
    if by_name and len(left) * len(columns) >= MANY:
        keys = tuple(column.name for column in columns)
        found = spread(_verdicts, [(rows[place], keys, seconds) for place in left], bar=Bar())
    else:
        found = (tuple(prove(rows[place], column, seconds=seconds) for column in columns) for place in left)
    decided |= dict(zip(left, found, strict=True))
    return [decided[place] for place in range(len(rows))]


def _recorded(row: Metric, columns: Iterable[Property]) -> tuple[Verdict, ...] | None:
    """Return the verdicts on a metric if certificates have all of them."""
    found = [recorded_verdict(row, column) for column in columns]
    verdicts = tuple(verdict for verdict in found if verdict is not None)
    return verdicts if len(verdicts) == len(found) else None


def _verdicts(row: tuple[Metric, tuple[str, ...], float]) -> tuple[Verdict, ...]:
    metric, keys, seconds = row
    return tuple(prove(metric, key, seconds=seconds) for key in keys)


def cell_text(verdict: Verdict) -> str:
    """Return the sign or the answer of a verdict at the default parameters, with its condition and its value, if any.

    >>> cell_text(prove("cwa", "p1")), cell_text(prove("cwa", "strongly_monotone")), cell_text(prove("lift", "range"))
    ('+ (w = 1/2)', 'yes (w != 0 and w != 1)', 'no: (0, oo)')
    """
    return _cell(verdict, str)


def _value(verdict: Verdict) -> str | None:
    """Return the value; where a verdict is open but for the defaults, the answer before it says so already."""
    value = value_text(verdict)
    if value is None or verdict.status != "open":
        return value
    return value.removeprefix(f"{at_defaults_text(verdict.claim.parameters)}: ")


def _cell(verdict: Verdict, shown: Callable[[str], str]) -> str:
    value = _value(verdict)
    return _answer(verdict) + _condition(verdict) + ("" if value is None else f": {shown(value)}")


def _answer(verdict: Verdict) -> str:
    signs = SIGNS if verdict.property in GARCIA_PROPERTIES else ANSWERS
    if verdict.status == "open" and verdict.holds is not None:
        return f"{signs[None]} ({at_defaults_text(verdict.claim.parameters)}: {signs[verdict.holds]})"
    return signs[verdict.holds]


def _condition(verdict: Verdict) -> str:
    return "" if verdict.condition is None else f" ({condition_text(verdict.condition)})"


def _latex_cell(verdict: Verdict) -> str:
    text = _cell(verdict, shortened)
    return f"${text[0]}${text[1:]}" if verdict.property in GARCIA_PROPERTIES else text


def _html_cell(verdict: Verdict) -> str:
    value, sentence = _value(verdict), verdict.evidence.sentence
    evidence = sentence if value is None or value in sentence else f"{value}; {sentence}"
    shown = _answer(verdict).replace("-", "&minus;") + for_html(_condition(verdict))
    if value is not None:
        shown += f": <code>{for_html(shortened(value))}</code>"
    return f'<td class="{verdict.status}"{_tooltip(evidence)}>{shown}</td>'


def _tooltip(text: str) -> str:
    return f' title="{for_html(text)}"' if text else ""


def _description(key: str) -> str:
    known = library.get(key)
    return "" if known is None else f"{known.title}: {known.statement}"
