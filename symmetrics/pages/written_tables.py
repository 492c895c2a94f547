"""Tables of values written as text, CSV, JSON, Markdown, HTML or Parquet, in a file or not."""

from __future__ import annotations

import csv
import io
import json
import math
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from symmetrics.tools.errors import InputError
from symmetrics.tools.escaping import for_csv, for_html, for_markdown, visible
from symmetrics.tools.files import write_bytes

__all__ = ["SUFFIXES", "ValueTable", "format_of", "html_page", "write_formatted"]

SUFFIXES: Final = ("parquet", "csv", "json", "md", "html")
"""The formats of files, by the ends of their names."""


@dataclass(frozen=True)
class ValueTable:
    """Rows of values under the names of their columns.

    :param title: lines that say what the table is of
    :param types: by column, the type of DuckDB; of all others it is DOUBLE
    :param rows: texts, numbers (nan: undefined) and None (missing)
    :param facts: what else the JSON says
    :param shared: by name, what holds for all rows and the title says: columns where there is no title
    """

    title: str
    columns: tuple[str, ...]
    types: Mapping[str, str]
    rows: tuple[tuple[Any, ...], ...]
    facts: Mapping[str, Any] = field(default_factory=dict)
    rows_are: str = "rows"
    shared: Mapping[str, float | str] = field(default_factory=dict)

    def to_text(self) -> str:
        """Return the table for a terminal."""
        values = zip(*self.rows, strict=True) if self.rows else [()] * len(self.columns)
        columns = []
        for name, column in zip(self.columns, values, strict=True):
            cells = [visible(name), *(visible(_shown(value)) for value in column)]
            width = max(len(cells[0]) + 2, *map(len, cells))
            columns.append([f"{cell:{'>' if self._is_of_numbers(name) else '<'}{width}}" for cell in cells])
        return "\n".join([self.title, "", *("  ".join(line).rstrip() for line in zip(*columns, strict=True))])

    def to_csv(self) -> str:
        """Return the table as comma-separated values; what is undefined or missing is an empty field."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(map(for_csv, (*self.columns, *self.shared)))
        writer.writerows(map(_field, (*row, *self.shared.values())) for row in self.rows)
        return text.getvalue().rstrip("\n")

    def to_json(self) -> str:
        """Return the table as JSON; what is no finite number is null."""
        rows = [dict(zip(self.columns, map(_finite, self._typed(row)), strict=True)) for row in self.rows]
        return json.dumps({**self.facts, self.rows_are: rows}, indent=1, ensure_ascii=False)

    def to_markdown(self) -> str:
        """Return the table in Markdown."""
        rules = ["--:" if self._is_of_numbers(name) else "---" for name in self.columns]
        rows = [[for_markdown(_shown(value)) for value in row] for row in self.rows]
        lines = [[for_markdown(name) for name in self.columns], rules, *rows]
        told = "; ".join(for_markdown(line) for line in self.title.splitlines())
        return "\n".join([told, "", *(f"| {' | '.join(line)} |" for line in lines)])

    def to_html(self) -> str:
        """Return a page with the table."""
        told = "<br>".join(map(for_html, self.title.splitlines()))
        head = "".join(f"<th>{for_html(name)}</th>" for name in self.columns)
        body = "\n".join(f"<tr>{''.join(map(_html_cell, row))}</tr>" for row in self.rows)
        table = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
        return html_page("Scores", f"<p>{told}</p>\n{table}")

    def to_parquet(self) -> bytes:
        """Return the content of a Parquet file, whose columns have the types of what they were counted from.

        What is undefined or missing is null; what is infinite is that.

        :raises InputError: without DuckDB, which writes it, and on names of columns that differ in their case alone,
            which it does not tell apart
        """
        from symmetrics.pages.datafiles.opened import duckdb_module

        duckdb = duckdb_module()
        by_case: dict[str, str] = {}
        columns = (*self.columns, *self.shared)
        for name in columns:
            if (other := by_case.setdefault(name.casefold(), name)) != name:
                raise InputError(
                    f"Parquet would have columns {other!r} and {name!r}; rename one, or write another format"
                )
        types = {name: self.types.get(name, "DOUBLE") for name in columns}
        with tempfile.TemporaryDirectory(prefix="symmetrics-") as folder, duckdb.connect() as connection:
            lines, file = Path(folder) / "rows.jsonl", Path(folder) / "rows.parquet"
            rows = ((*row, *self.shared.values()) for row in self.rows)
            named = (dict(zip(columns, map(_in_file, row), strict=True)) for row in rows)
            lines.write_text("\n".join(map(json.dumps, named)), encoding="utf-8")
            connection.read_json(str(lines), columns=types, format="newline_delimited").write_parquet(str(file))
            return file.read_bytes()

    def to_format(self, name: str) -> str | bytes:
        """Return the table in a format.

        :raises InputError: on a name that is none
        """
        if name not in _WRITERS:
            raise InputError(f"unknown format {name!r}: choose {', '.join(_WRITERS)}")
        return _WRITERS[name](self)

    def _is_of_numbers(self, name: str) -> bool:
        return name not in self.types or self.types[name] in _WHOLE

    def _typed(self, row: tuple[Any, ...]) -> list[Any]:
        """Return the values of a row, with numbers for the texts of columns of numbers."""
        return [
            json.loads(value) if isinstance(value, str) and self.types.get(name) in _IN_JSON else value
            for name, value in zip(self.columns, row, strict=True)
        ]


_STYLE: Final = (
    "body{font-family:system-ui,sans-serif;margin:2rem;color:#222}table{border-collapse:collapse}"
    "th,td{padding:.25rem .75rem;border-bottom:1px solid #ddd;text-align:left}td.number{text-align:right;"
    "font-variant-numeric:tabular-nums}thead th{position:sticky;top:0;background:#fff}"
    "@media (prefers-color-scheme:dark){body{background:#161616;color:#eee}thead th{background:#161616}"
    "th,td{border-color:#444}}"
)
_WHOLE: Final = frozenset(
    f"{sign}{size}" for sign in ("", "U") for size in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
)
"""The types of whole numbers."""
_IN_JSON: Final = _WHOLE | {"BOOLEAN"}
"""The types whose values are written in JSON as they are in SQL."""
_WRITERS: Final[Mapping[str, Callable[[ValueTable], str | bytes]]] = {
    "text": ValueTable.to_text,
    "csv": ValueTable.to_csv,
    "json": ValueTable.to_json,
    "md": ValueTable.to_markdown,
    "html": ValueTable.to_html,
    "parquet": ValueTable.to_parquet,
}


def html_page(title: str, content: str) -> str:
    """Return a page that a browser shows by itself, light or dark, whatever the encoding of files is taken for.

    :param title: in plain text
    :param content: in HTML, such as a table
    """
    head = f'<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{for_html(title)}</title>'
    return f"{head}\n<style>{_STYLE}</style>\n{content}\n</html>"


def format_of(path: Path) -> str:
    """Return the format that the name of a file says.

    :raises InputError: if it says none

    >>> format_of(Path("scores.PARQUET"))
    'parquet'
    """
    found = path.suffix.lower().removeprefix(".")
    if found not in SUFFIXES:
        raise InputError(f"{path}: the name says no format; end it in {', '.join('.' + name for name in SUFFIXES)}")
    return found


def write_formatted(path: Path, content: str | bytes) -> None:
    """Write a file whole, or not at all.

    :raises InputError: if it cannot be written
    """
    write_bytes(path, content if isinstance(content, bytes) else f"{content}\n".encode())


def _shown(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        if math.isnan(value):
            return "undefined"
        is_whole = math.isfinite(value) and value == math.floor(value)
        return f"{value:.15g}" if is_whole and abs(value) >= 2 else f"{value:.6f}"
    return str(value)


def _field(value: object) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return repr(value) if isinstance(value, float) else for_csv(str(value)) if isinstance(value, str) else str(value)


def _finite(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _in_file(value: object) -> object:
    """Return a value as JSON holds it from which DuckDB makes a number, infinite ones too."""
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return _finite(value)


def _html_cell(value: object) -> str:
    attribute = ' class="number"' if isinstance(value, int | float) else ""
    return f"<td{attribute}>{for_html(_shown(value))}</td>"
