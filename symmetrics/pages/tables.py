"""Tables of verdicts: metrics by properties."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from sympy import Expr
from tqdm import tqdm

from symmetrics.claims.property import Property
from symmetrics.claims.verdict import Verdict
from symmetrics.language.writer import formula_text
from symmetrics.library import properties as library
from symmetrics.library.selections import GARCIA_METRICS, GARCIA_PROPERTIES, SIGNS, as_metrics
from symmetrics.metric import Metric
from symmetrics.pages.answers import Marks, answer_cell, answer_text, condition_suffix, legend, marks_of, value
from symmetrics.query.proving import as_properties, prove
from symmetrics.query.proving import verdict_on_record as recorded_verdict
from symmetrics.tools.budget import SECONDS, SHOWN_AFTER
from symmetrics.tools.documents import Cell, Code, Document, Grid, Paragraph, Text, cell_of
from symmetrics.tools.documents.data import Mark, csv_text, json_text
from symmetrics.tools.documents.text import plain
from symmetrics.tools.errors import InputError, shortened
from symmetrics.tools.texts import for_markdown, number_of
from symmetrics.tools.workers import Bar, spread

if TYPE_CHECKING:
    from symmetrics.matrices import MulticlassMetric, MulticlassProperty


MANY: Final = 200
"""Number of undecided verdicts from which on further processes pay off."""


@dataclass(frozen=True, repr=False)
class VerdictTable:
    """Verdicts on every property of every metric.

    Cells say yes, no, conditional or open, at the defaults of the parameters; the condition follows in parentheses, and
    what was found, such as a range or a limit, after a colon.  What is open in general stays so, and what holds at the
    defaults follows in parentheses.  A table of no other properties than García's p1 to p5 has his signs instead, and
    says what they mean: ``-`` for a metric that is invariant and ``+`` for one that is not.
    Values too long for a table end in ``...`` there; CSV and JSON shorten nothing.

    :param properties: the keys of the columns
    :param rows: for each metric its name and its verdicts, in the order of the columns
    :param classes: for metrics of matrices the number of classes
    :param longest: values with more characters are left out of Markdown and HTML; by default they are shortened
    """

    properties: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Verdict, ...]], ...]
    classes: int | None = None
    longest: int | None = None

    @property
    def _marks(self) -> Marks:
        return marks_of(self.properties)

    @property
    def _described(self) -> Mapping[str, Property | MulticlassProperty]:
        """Records of the properties by key."""
        if self.classes is None:
            return library
        from symmetrics.matrices import multiclass_properties  # slow import, as slow as reading a table

        return multiclass_properties

    @property
    def _legend(self) -> Text:
        """Legend of signs, or the number of classes; empty for words about two classes."""
        if self.classes is not None:
            classes = number_of(self.classes, "class")
            return (f"For {classes} and positive entries, with unweighted means over the classes.",)
        return legend((verdict for _, row in self.rows for verdict in row), SIGNS) if self._marks is SIGNS else ()

    def _grid(self) -> Grid:
        """Return the table without tooltips."""
        rows = [((name,), *(self._cell(verdict) for verdict in verdicts)) for name, verdicts in self.rows]
        return Grid((("metric",), *((key,) for key in self.properties)), tuple(rows), has_row_heads=True)

    def _grid_with_tooltips(self) -> Grid:
        """Return the table with tooltips: descriptions of properties and metrics, and the evidence."""
        heads = [Cell((key,), self._description(key)) for key in self.properties]
        rows = [
            (
                Cell((name,), f"M = {formula_text(verdicts[0].claim.subject)}"),
                *(Cell(self._cell(v), _evidence(v), v.status) for v in verdicts),
            )
            for name, verdicts in self.rows
        ]
        return Grid((("metric",), *heads), tuple(rows), has_row_heads=True)

    def _cell(self, verdict: Verdict) -> Text:
        if self.longest is not None and len(value(verdict) or "") > self.longest:
            return (answer_text(verdict, self._marks) + condition_suffix(verdict),)
        return answer_cell(verdict, self._marks, shortened)

    def _description(self, key: str) -> str:
        known = self._described.get(key)
        return "" if known is None else f"{known.title}: {known.statement}"

    def to_markdown(self, *, transpose: bool = False) -> str:
        """Return the table in Markdown, with a legend below García's signs.

        :param transpose: a row for each property instead of one for each metric
        """
        from symmetrics.tools.documents.markdown import markdown_blocks

        grid = self._grid()
        if transpose:
            (_, *heads), *rows = zip(grid.head, *grid.rows, strict=True)
            grid = Grid((("property",), *heads), tuple(rows))
        below = [Paragraph(self._legend)] if self._legend else []
        return markdown_blocks([grid, *below], for_markdown, padded=True)

    def to_latex(
        self,
        caption: str | None = None,
        label: str | None = None,
        legend: bool = False,
        compact: bool = False,
        transpose: bool = False,
        names: Mapping[str, str] | None = None,
        *,
        wide: bool = False,
    ) -> str:
        r"""Return the table in LaTeX, for the packages booktabs and, if it is compact, graphicx.

        Without caption, label, legend, and neither compact nor wide, it is a tabular, and else a float.

        :param caption: of the float, in LaTeX
        :param label: to refer to it by
        :param legend: say below what the marks mean, what the defaults of parameters are, and what the properties say
        :param compact: small and no wider than a column: long headings stand upright, conditions and values are notes
        :param transpose: a row for each property instead of one for each metric
        :param names: what metrics and properties are to be called, in LaTeX, by their names and keys
        :param wide: over both columns of the page
        :raises InputError: on a label that LaTeX cannot read, and on names of what is not in the table

        >>> print(table(["f1", "cwa"], ["p1"]).to_latex(names={"f1": "$F_1$"}))
        \begin{tabular}{ll}
        \toprule
        metric & p1 \\
        \midrule
        $F_1$ & $+$ \\
        cwa & $+$ ($w = 1/2$) \\
        \bottomrule
        \end{tabular}
        <BLANKLINE>
        """
        from symmetrics.pages.latex.tabular import Style, table_latex

        titles = {key: self._described[key].title for key in self.properties if key in self._described}
        style = Style(caption, label, legend, compact, transpose, wide, names or {}, titles)
        return table_latex(self.properties, self.rows, self._marks, style)

    def to_document(self) -> Document:
        """Return the table as a document."""
        return Document("Metrics and their properties", (self._with_minus(),), is_wide=True)

    def to_html(self) -> str:
        """Return the table in HTML, with tooltips: descriptions of properties and metrics, and the evidence."""
        from symmetrics.tools.documents.html import html_table

        return html_table(self._with_minus())

    def _with_minus(self) -> Grid:
        """Add the legend, and replace hyphens among signs by minuses, which are easier to see."""
        grid, below = self._grid_with_tooltips(), self._legend
        if self._marks is SIGNS:
            rows = tuple((name, *map(_with_minus, cells)) for name, *cells in grid.rows)
            below = tuple(Code("\u2212") if span == Code("-") else span for span in below)
            grid = replace(grid, rows=rows)
        return replace(grid, notes=(below,) if below else ())

    def to_csv(self) -> str:
        """Return the table as comma-separated values."""
        rows = ((name, *(Mark(plain(answer_cell(v, self._marks))) for v in row)) for name, row in self.rows)
        return csv_text(("metric", *self.properties), rows) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """Return the table as JSON values, every verdict in its public form."""
        rows = [{"metric": name, "verdicts": [v.to_dict() for v in verdicts]} for name, verdicts in self.rows]
        size = {} if self.classes is None else {"classes": self.classes}
        return {"properties": list(self.properties), **size, "rows": rows}

    def to_json(self) -> str:
        """Return the table as JSON, every verdict with its witness and evidence."""
        return json_text(self.to_dict())

    def _repr_html_(self) -> str:
        return self.to_html()

    def _repr_latex_(self) -> str:
        return self.to_latex()

    def __str__(self) -> str:
        return self.to_markdown()

    def __repr__(self) -> str:
        return f"<VerdictTable: {number_of(len(self.rows), 'metric')} x {number_of(len(self.properties), 'property')}>"


FORMATS: Final[Mapping[str, Callable[[VerdictTable], str]]] = {
    "md": VerdictTable.to_markdown,
    "csv": VerdictTable.to_csv,
    "json": VerdictTable.to_json,
    "latex": VerdictTable.to_latex,
    "html": VerdictTable.to_html,
}
"""The formats a table can be written in."""


def table(
    metrics: str | Iterable[Metric | MulticlassMetric | Expr | str] | None = None,
    properties: str | Iterable[Property | MulticlassProperty | str] | None = None,
    *,
    k: int | None = None,
    parallel: bool = False,
    seconds: float = SECONDS,
) -> VerdictTable:
    """Decide every property of every metric.

    :param metrics: metrics, expressions, library names, themes or texts of formulas, or ``"all"``; by default those of
        García et al. (2012)
    :param properties: properties or keys, or ``"all"``; by default p1 to p5
    :param k: a number of classes: the table is then of metrics of whole matrices and of their properties, by default of
        all of ``symmetrics.multiclass`` and ``symmetrics.multiclass_properties``
    :param parallel: decide a large table on all processors, with a progress bar on a terminal; a script that asks for
        it has to stand behind ``if __name__ == "__main__"``
    :param seconds: time limit for each property of each metric; what is undecided by then is open
    :raises UnknownNameError: if a name is not in the library

    >>> print(table(["precision", "cwa"], ["p1", "p2", "range"]))
    | metric    | p1           | p2         | range                                |
    |-----------|--------------|------------|--------------------------------------|
    | precision | no           | yes        | yes: `(0, 1)`, at zero cells 0 and 1 |
    | cwa       | no (w = 1/2) | no (w = 1) | yes: `(0, 1)`, at zero cells 0 and 1 |
    """
    if k is not None:
        from symmetrics.pages.multiclass_tables import verdicts_at_size

        found = verdicts_at_size(metrics, properties, k, parallel=parallel, seconds=seconds)
        return VerdictTable(*found, k)
    rows = as_metrics(metrics, GARCIA_METRICS)
    columns = as_properties(properties, GARCIA_PROPERTIES)  # type: ignore[arg-type]  # matrix properties are refused
    if not rows or not columns:
        raise InputError("a table needs at least one metric and one property")
    keys = tuple(column.name for column in columns)
    if parallel:
        decided = _decided_in_parallel(rows, columns, seconds)
    else:
        shown = tqdm(rows, desc="table", unit="metric", disable=None, leave=False, delay=SHOWN_AFTER)
        decided = [tuple(prove(row, column, seconds=seconds) for column in columns) for row in shown]
    return VerdictTable(keys, tuple((row.name, verdicts) for row, verdicts in zip(rows, decided, strict=True)))


def _decided_in_parallel(
    rows: Sequence[Metric], columns: Sequence[Property], seconds: float
) -> list[tuple[Verdict, ...]]:
    """Return the verdicts of every row; rows not on record are decided, in parallel if they are many."""
    decided = {place: verdicts for place, row in enumerate(rows) if (verdicts := _recorded(row, columns)) is not None}
    left = [place for place in range(len(rows)) if place not in decided]
    # A user's property is a function, which cannot be sent to other processes.
    by_name = all(library.get(column.name) == column for column in columns)
    if by_name and len(left) * len(columns) >= MANY:
        keys = tuple(column.name for column in columns)
        found = spread(_verdicts, [(rows[place], keys, seconds) for place in left], bar=Bar("table"))
    else:
        found = (tuple(prove(rows[place], column, seconds=seconds) for column in columns) for place in left)
    decided |= dict(zip(left, found, strict=True))
    return [decided[place] for place in range(len(rows))]


def _recorded(row: Metric, columns: Iterable[Property]) -> tuple[Verdict, ...] | None:
    """Return the verdicts on a metric if certificates cover all of them."""
    found = [recorded_verdict(row, column) for column in columns]
    verdicts = tuple(verdict for verdict in found if verdict is not None)
    return verdicts if len(verdicts) == len(found) else None


def _verdicts(row: tuple[Metric, tuple[str, ...], float]) -> tuple[Verdict, ...]:
    metric, keys, seconds = row
    return tuple(prove(metric, key, seconds=seconds) for key in keys)


def _evidence(verdict: Verdict) -> str:
    """Return the full value of a verdict, then its evidence."""
    found, sentence = value(verdict), verdict.evidence.sentence
    return sentence if found is None or found in sentence else f"{found}; {sentence}"


def _with_minus(cell: Text | Cell) -> Cell:
    first, *others = (found := cell_of(cell)).text
    shown = f"\u2212{first[1:]}" if isinstance(first, str) and first.startswith("-") else first
    return replace(found, text=(shown, *others))
