"""CSV and JSON: values for programs, in full precision."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence

from symmetrics.tools.texts import for_csv


class Mark(str):
    """A field of CSV that is written unescaped, such as the mark ``-`` for an answer."""


def csv_text(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return rows of values as CSV; undefined or missing values are empty fields.

    >>> print(csv_text(["metric", "value"], [["=evil", 0.5], ["f1", math.nan], ["f2", None]]))
    metric,value
    '=evil,0.5
    f1,
    f2,
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(for_csv, columns))
    writer.writerows(map(_field, row) for row in rows)
    return text.getvalue().rstrip("\n")


def _field(value: object) -> object:
    if isinstance(value, str):
        return value if isinstance(value, Mark) else for_csv(value)
    return "" if value is None or value != value else value  # only nan differs from itself


def json_text(value: object, *, indent: int = 1) -> str:
    r"""Return a value as JSON, with null for every number that is not finite.

    >>> json_text({"value": math.inf, "metric": "κ"})
    '{\n "value": null,\n "metric": "κ"\n}'
    """
    return json.dumps(finite(value), indent=indent, ensure_ascii=False)


def json_rows(
    facts: Mapping[str, object], rows_are: str, columns: Sequence[str], rows: Iterable[Sequence[object]]
) -> str:
    r"""Return facts, and below them rows of values by column, as :func:`json_text` writes them.

    With an indent the standard library encodes in Python; here each row is encoded in C, with a separator that breaks
    the line.

    >>> json_rows({}, "rows", ["group", "f1"], [["a", math.nan]]) == json_text({"rows": [{"group": "a", "f1": None}]})
    True
    """
    named = (dict(zip(columns, map(_finite_number, row), strict=True)) for row in rows)
    if not columns:
        return json_text({**facts, rows_are: list(named)})
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",\n   ", ": ")).encode
    written = ",\n  ".join(f"{{\n   {encode(row)[1:-1]}\n  }}" for row in named)
    frame = json_text({**facts, rows_are: []})
    return frame.removesuffix("[]\n}") + f"[\n  {written}\n ]\n}}" if written else frame


def _finite_number(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def finite(value: object) -> object:
    """Replace every number that is not finite by None."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: finite(one) for name, one in value.items()}
    return [finite(one) for one in value] if isinstance(value, list | tuple) else value
