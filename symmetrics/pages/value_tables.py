"""Write tables of values as text, CSV, JSON, Markdown, HTML or Parquet."""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from symmetrics.tools.documents import Document, Grid, Paragraph, lines, texts
from symmetrics.tools.documents.data import csv_text, finite, json_rows
from symmetrics.tools.documents.text import text_blocks
from symmetrics.tools.errors import InputError
from symmetrics.tools.files import write_bytes
from symmetrics.tools.texts import for_markdown

SUFFIXES: Final = ("parquet", "csv", "json", "md", "html")
"""Formats by file extension."""


@dataclass(frozen=True)
class ValueTable:
    """Rows of values under named columns.

    :param title: title lines
    :param types: by column, the type of DuckDB; of all others it is DOUBLE
    :param rows: texts, numbers (nan: undefined) and None (missing)
    :param facts: further entries of the JSON
    :param shared: by name, what holds for all rows and the title says: columns where there is no title
    """

    title: tuple[str, ...]
    columns: tuple[str, ...]
    types: Mapping[str, str]
    rows: tuple[tuple[Any, ...], ...]
    facts: Mapping[str, Any] = field(default_factory=dict)
    rows_are: str = "rows"
    shared: Mapping[str, float | str] = field(default_factory=dict)

    def to_document(self) -> Document:
        """Return the table for people, below its title."""
        align = "".join("r" if self._is_of_numbers(name) else "l" for name in self.columns)
        rows = tuple(tuple((_shown(value),) for value in row) for row in self.rows)
        grid = Grid(texts(self.columns), rows, align)
        return Document("Scores", (Paragraph(lines(self.title)), grid), is_wide=True)

    def to_text(self) -> str:
        """Return the table for a terminal."""
        return text_blocks(self.to_document().blocks)

    def to_csv(self) -> str:
        """Return the table as CSV; undefined or missing values are empty fields."""
        return csv_text((*self.columns, *self.shared), ((*row, *self.shared.values()) for row in self.rows))

    def to_json(self) -> str:
        """Return the table as JSON; numbers that are not finite are null."""
        return json_rows(self.facts, self.rows_are, self.columns, map(self._typed, self.rows))

    def to_markdown(self) -> str:
        """Return the table in Markdown."""
        from symmetrics.tools.documents.markdown import markdown_blocks

        return markdown_blocks(self.to_document().blocks, for_markdown)

    def to_html(self) -> str:
        """Return an HTML page with the table."""
        from symmetrics.tools.documents.html import html_page

        return html_page(self.to_document()).rstrip("\n")

    def to_parquet(self) -> bytes:
        """Return the content of a Parquet file, whose columns keep the types of their sources.

        What is undefined or missing is null; what is infinite is that.

        :raises InputError: without DuckDB, which writes it, and on names of columns that differ in their case alone,
            which it does not tell apart
        """
        from symmetrics.data.opened import duckdb_module

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
        """Return the table in a given format.

        :raises InputError: on a name that is none
        """
        if name not in _WRITERS:
            raise InputError(f"unknown format {name!r}: choose {', '.join(_WRITERS)}")
        return _WRITERS[name](self)

    def _is_of_numbers(self, name: str) -> bool:
        return name not in self.types or self.types[name] in _WHOLE

    @cached_property
    def _read(self) -> list[int]:
        """Columns (by index) whose texts are numbers."""
        return [place for place, name in enumerate(self.columns) if self.types.get(name) in _IN_JSON]

    def _typed(self, row: tuple[Any, ...]) -> list[Any]:
        """Return the values of a row, with numbers parsed in columns of numbers."""
        values = list(row)
        for place in self._read:
            if isinstance(values[place], str):
                values[place] = json.loads(values[place])
        return values


_WHOLE: Final = frozenset(
    f"{sign}{size}" for sign in ("", "U") for size in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
)
"""SQL integer types."""
_IN_JSON: Final = _WHOLE | {"BOOLEAN"}
"""SQL types whose values are the same in JSON."""
_WRITERS: Final[Mapping[str, Callable[[ValueTable], str | bytes]]] = {
    "text": ValueTable.to_text,
    "csv": ValueTable.to_csv,
    "json": ValueTable.to_json,
    "md": ValueTable.to_markdown,
    "html": ValueTable.to_html,
    "parquet": ValueTable.to_parquet,
}


def format_of(path: Path) -> str:
    """Return the format for a file name.

    :raises InputError: if it says none

    >>> format_of(Path("scores.PARQUET"))
    'parquet'
    """
    found = path.suffix.lower().removeprefix(".")
    if found not in SUFFIXES:
        raise InputError(f"{path}: the name says no format; end it in {', '.join('.' + name for name in SUFFIXES)}")
    return found


def write_formatted(path: Path, content: str | bytes) -> None:
    """Write a file atomically.

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


def _in_file(value: object) -> object:
    """Encode a value as JSON from which DuckDB reads numbers, infinities included."""
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return finite(value)
