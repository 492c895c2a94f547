"""Tables of verdicts: metrics by properties."""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sympy import Expr

from symmetrics.condition import condition_text
from symmetrics.errors import InputError
from symmetrics.metric import Metric
from symmetrics.property import Property
from symmetrics.query import as_metric, as_property, prove
from symmetrics.verdict import Verdict

__all__ = ["FORMATS", "GARCIA_METRICS", "GARCIA_PROPERTIES", "VerdictTable", "table"]

GARCIA_METRICS: Final = (
    "tpr",
    "tnr",
    "precision",
    "accuracy",
    "gmean",
    "auc_single",
    "f1",
    "optimized_precision",
    "iba_gmean",
    "kappa",
    "agm",
    "cwa",
    "wauc",
)
"""The metrics of García, Sánchez & Mollineda (2012), table 2; the default rows."""
GARCIA_PROPERTIES: Final = ("p1", "p2", "p3", "p4", "p5")
"""The properties of the same table; the default columns."""

SYMBOLS: Final[Mapping[bool | None, str]] = {True: "-", False: "+", None: "?"}
"""García's signs: ``-`` where the metric is invariant, ``+`` where it is not; ``?`` where that is open."""


@dataclass(frozen=True, repr=False)
class VerdictTable:
    """Verdicts on every property of every metric.

    :param properties: the keys of the columns
    :param rows: for each metric its name and its verdicts, in the order of the columns
    """

    properties: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Verdict, ...]], ...]

    def to_markdown(self) -> str:
        """Return the table in Markdown."""
        return self._tabulated("github")

    def to_latex(self) -> str:
        """Return the table as a LaTeX tabular, for the booktabs package."""
        signs = self._tabulated("latex_booktabs", lambda verdict: f"${cell_text(verdict)[0]}${cell_text(verdict)[1:]}")
        return signs.replace("\\$", "$")

    def to_html(self) -> str:
        """Return the table in HTML; the evidence of a verdict is the tooltip of its cell."""
        head = "".join(f"<th>{html.escape(key)}</th>" for key in ("metric", *self.properties))
        body = "\n".join(
            f"<tr><th>{html.escape(name)}</th>{''.join(_html_cell(verdict) for verdict in verdicts)}</tr>"
            for name, verdicts in self.rows
        )
        return f'<table class="symmetrics">\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>'

    def to_csv(self) -> str:
        """Return the table as comma-separated values."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(("metric", *self.properties))
        writer.writerows((name, *map(cell_text, verdicts)) for name, verdicts in self.rows)
        return text.getvalue()

    def to_dict(self) -> dict[str, Any]:
        """Return the table as JSON values, every verdict in its public form."""
        rows = [{"metric": name, "verdicts": [v.to_dict() for v in verdicts]} for name, verdicts in self.rows]
        return {"properties": list(self.properties), "rows": rows}

    def to_json(self) -> str:
        """Return the table as JSON, every verdict with its witness and evidence."""
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False)

    def _tabulated(self, style: str, cell: Callable[[Verdict], str] | None = None) -> str:
        from tabulate import tabulate

        body = [(name, *map(cell or cell_text, verdicts)) for name, verdicts in self.rows]
        return str(tabulate(body, headers=("metric", *self.properties), tablefmt=style, disable_numparse=True))

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
    metrics: Iterable[Metric | Expr | str] | None = None, properties: Iterable[Property | str] | None = None
) -> VerdictTable:
    """Decide every property of every metric.

    :param metrics: metrics, expressions or library names; by default those of García et al. (2012)
    :param properties: properties or keys; by default p1 to p5
    :raises UnknownNameError: if a name is not in the library

    >>> print(table(["precision", "cwa"], ["p1", "p2"]))
    | metric    | p1          | p2        |
    |-----------|-------------|-----------|
    | precision | +           | -         |
    | cwa       | + (w = 1/2) | + (w = 1) |
    """
    if isinstance(metrics, str) or isinstance(properties, str):
        raise InputError("pass lists of metrics and of properties, as in table(['f1', 'mcc'], ['p1'])")
    rows = [as_metric(metric) for metric in (GARCIA_METRICS if metrics is None else metrics)]
    columns = [as_property(key) for key in (GARCIA_PROPERTIES if properties is None else properties)]
    if not rows or not columns:
        raise InputError("a table needs at least one metric and one property")
    decided = tuple((row.name, tuple(prove(row, column) for column in columns)) for row in rows)
    return VerdictTable(tuple(column.name for column in columns), decided)


def cell_text(verdict: Verdict) -> str:
    """Return the sign of a verdict at the default parameters, with the condition if there is one."""
    condition = "" if verdict.condition is None else f" ({condition_text(verdict.condition)})"
    return SYMBOLS[verdict.holds] + condition


def _html_cell(verdict: Verdict) -> str:
    title = html.escape(verdict.evidence.sentence, quote=True)
    shown = html.escape(cell_text(verdict)).replace("-", "&minus;", 1)
    return f'<td class="{verdict.status}" title="{title}">{shown}</td>'
