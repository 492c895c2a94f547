"""Cases of tests as data: the tables in ``tests/data/tables``, a file for each module, in sections with headings.

A row is a text, or a list; what stands in a list beyond the columns of its table is a note on the row.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["rows"]


@cache
def _tables(module: str) -> dict[str, dict[str, list[Any]]]:
    file = Path(__file__).parent / "data" / "tables" / f"{module}.json"
    found: dict[str, dict[str, list[Any]]] = json.loads(file.read_text(encoding="utf-8"))
    return found


def rows(module: str, table: str, columns: int = 1) -> list[Any]:
    """Return the rows of a table, with tuples for lists, as tests ask for them."""
    every = [row for section in _tables(module)[table].values() for row in section]
    if columns == 1:
        return [row[0] if isinstance(row, list) else row for row in every]
    return [tuple(map(_frozen, row[:columns])) for row in every]


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
