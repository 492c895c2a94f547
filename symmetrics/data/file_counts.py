"""Joint label counts of a file per group, by DuckDB."""

from __future__ import annotations

import math
import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from symmetrics.data.opened import Opened, duckdb_module, fetched, quoted
from symmetrics.data.places import Wanted
from symmetrics.data.spelling import (
    Spelling,
    check_labels,
    in_label_order,
    is_left_out,
    missing_label,
    nothing_left,
    spelling_of,
)
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

_MOST_ROWS: Final = 5_000_000
_NUMBER_OF_TEXT: Final = "CASE WHEN contains({0}, '_') THEN NULL ELSE try_cast({0} AS DOUBLE) END"
"""Fields that DuckDB reads more liberally than Python: blanks around a number, or 1_0 for 10."""
_COMPARED: Final = (
    r"{name}\s*(?:==?|<>|!=|(?:NOT\s+)?IN\s*\()\s*[-+]?\.?\d[\d.]*"
    r"|[-+]?\.?\d[\d.]*\s*(?:==?|<>|!=)\s*{name}"
)
"""A column next to a number in a condition."""
_NESTED: Final = frozenset(["array", "list", "map", "struct", "union"])
"""DuckDB's nested types, with several values per field."""
_COUNTED: Final = {
    "n": "count(*)::DOUBLE AS n",
    "rows": "count(*) AS rows",
    "bad_weight": "count(*) FILTER (NOT coalesce(isfinite(w) AND w >= 0, false)) AS bad_weight",
    "broken": "count(*) FILTER (w <> floor(w)) AS broken",
    "bad_score": "count(*) FILTER (NOT coalesce(isfinite(s), false)) AS bad_score",
    "low": "min(s) AS low",
    "high": "max(s) AS high",
}
"""Aggregates of each group of rows: numbers of examples and of faults, and the range of the scores."""


class FileCounts(NamedTuple):
    """How often each label is predicted as each label, by group.

    :param groups: by the values of a group as texts (None: missing), the examples of each pair of labels
    :param types: the types of the columns to group by, as DuckDB names them
    :param spelling: how labels are spelled that have several spellings
    :param spellings: of each label, the texts that stand for it in the column of true labels
    :param gaps: the texts that stand for missing labels, whose examples are left out
    :param left_out: how many examples were left out; None unless that was asked for
    :param spread: the lowest and the highest score, if there are scores
    :param are_whole: whether these are numbers of examples, and whole
    """

    groups: Mapping[tuple[str | None, ...], Mapping[tuple[str, str], float]]
    types: tuple[str, ...]
    spelling: Spelling
    spellings: Mapping[str, list[str]]
    gaps: tuple[str, ...]
    left_out: int | None
    spread: tuple[float, float] | None
    are_whole: bool

    @property
    def pairs(self) -> dict[tuple[str, str], float]:
        """The examples of each pair of labels, over all groups."""
        found: dict[tuple[str, str], float] = defaultdict(float)
        for group in self.groups.values():
            for pair, number in group.items():
                found[pair] += number
        return dict(found)

    @property
    def labels(self) -> list[str]:
        """All labels, numbers by size."""
        return in_label_order(label for pair in self.pairs for label in pair)


def examples(file: Opened, wanted: Wanted) -> Any:
    """Return the rows selected by a condition, with columns renamed t, p, s, w, k0, k1, ...

    What a user wrote is one expression for DuckDB, or a column; no statement is made of it.

    :raises InputError: on a column of lists or records
    """
    duckdb = duckdb_module()
    relation = file.relation
    if wanted.where is not None:
        _check_names_in_condition(file, wanted.where)
        _check_no_rounding(file, wanted.where)
        relation = relation.filter(duckdb.SQLExpression(wanted.where))
    named = {"t": wanted.truth, "p": wanted.predicted, "s": wanted.score, "w": wanted.number}
    named |= {f"k{place}": name for place, name in enumerate(wanted.by)}
    columns = [
        duckdb.ColumnExpression(file.names[name]).alias(alias) for alias, name in named.items() if name is not None
    ]
    chosen = relation.project(*columns)
    for alias, kind in _typed(chosen):
        if kind.id in _NESTED:
            raise InputError(
                f"{file.place.source}: column {named[alias]!r} holds lists or records; name a column with a single "
                "value per example"
            )
    # JSON lines with mixed types in a column: "1" and 1 become the same text.
    texts = [f"{name} ->> '$' AS {name}" if str(kind) == "JSON" else name for name, kind in _typed(chosen)]
    plain = chosen.project(", ".join(texts))
    return plain.project(", ".join(f"{_as_used(name, str(kind))} AS {name}" for name, kind in _typed(plain)))


def _as_used(name: str, kind: str) -> str:
    """Return SQL expression of a column: scores and weights as numbers, NaN labels as null."""
    if name in ("s", "w"):
        return _NUMBER_OF_TEXT.format(name) if kind == "VARCHAR" else f"{name}::DOUBLE"
    return f"nullif({name}, 'nan'::{kind})" if name in ("t", "p") and kind in ("DOUBLE", "FLOAT") else name


def _check_names_in_condition(file: Opened, where: str) -> None:
    """Refuse a condition on an ambiguous column name (DuckDB ignores case).

    :raises InputError: naming such a column
    """
    columns = {column.casefold() for column in file.relation.columns}
    for column in set(file.relation.columns) - set(file.names):
        name = column.rstrip("_").casefold()
        if name in columns - {column.casefold()} and re.search(_name_in_sql(name), where, re.IGNORECASE):
            raise InputError(
                f"--where {where!r}: several columns are named {name!r}, if capitals do not count; rename all but one"
            )


def _name_in_sql(column: str) -> str:
    """Return a pattern for the name of a column in a condition."""
    return f"(?:{re.escape(quoted(column))}|\\b{re.escape(column)}\\b)"


def _check_no_rounding(file: Opened, where: str) -> None:
    """Refuse comparing texts with a number where DuckDB would round: it takes 0.6 = 1 for true, as 1 is an integer.

    :raises InputError: if a text column that a condition compares so holds a number that is not whole
    """
    for column, kind in _typed(file.relation):
        name = quoted(column)
        compared = re.search(_COMPARED.format(name=_name_in_sql(column)), where, re.IGNORECASE)
        if str(kind) != "VARCHAR" or compared is None:
            continue
        number = _NUMBER_OF_TEXT.format(name)
        broken = file.relation.filter(f"{number} <> floor({number})").limit(1).project(name).fetchall()
        if broken:
            raise InputError(
                f"--where {where!r}: column {column!r} is text and holds {broken[0][0]!r}, which would be "
                f"rounded; write CAST({name if name in where else column} AS DOUBLE) in the place of {column}"
            )


def _typed(relation: Any) -> list[tuple[str, Any]]:
    """Return the columns of a relation with their types."""
    return list(zip(relation.columns, relation.types, strict=True))


def count_labels(file: Opened, wanted: Wanted, *, progress: bool = False) -> FileCounts:
    """Joint label counts of a file, per group.

    Labels are compared as texts without blanks around them; where all are numbers, equal numbers are one label, such as
    ``1``, ``1.0`` and ``+1``.

    :param progress: whether to show a bar on standard error
    :raises InputError: on labels, weights and scores that are missing or unusable, and on no examples
    """
    # 1. DuckDB groups the rows by group, true and predicted label, and counts examples and faults of each group.
    chosen = examples(file, wanted)
    keys = [f"k{place}" for place in range(len(wanted.by))]
    counted = {"n": _COUNTED["n"], "rows": _COUNTED["rows"]}
    if wanted.number is not None:
        counted |= {"n": "sum(w) AS n"} | {name: _COUNTED[name] for name in ("bad_weight", "broken")}
    if wanted.score is not None:
        counted |= {name: _COUNTED[name] for name in ("bad_score", "low", "high")}
    grouped = chosen.aggregate(", ".join([*keys, "t", "p", *counted.values()]), ", ".join([*keys, "t", "p"]))
    types = tuple(str(kind) for kind in grouped.types[: len(keys)])
    # 2. Only these counts are fetched, labels and groups as texts.
    as_text = [*(f"{name}::VARCHAR AS {name}" for name in (*keys, "t", "p")), *counted]
    rows = fetched(file, grouped.project(", ".join(as_text)).limit(_MOST_ROWS + 1), progress=progress)
    # 3. Python refuses implausible labels, and merges several spellings of a label.
    names = [*keys, "t", "p", *counted]
    _check_size(rows, wanted, file)
    kept, gaps, left_out = _with_labels(rows, wanted, file.place.source, names)
    _check(kept, wanted, file, names)
    return _gathered(kept, wanted, types, file.place.source)._replace(gaps=gaps, left_out=left_out)


def _check_size(rows: list[tuple[Any, ...]], wanted: Wanted, file: Opened) -> None:
    """Refuse files without rows, or with too many groups."""
    if not rows:
        reason = "no row fulfils --where" if file.relation.limit(1).fetchall() else "it has no rows"
        raise InputError(f"{file.place.source}: {reason}; one row per example is needed")
    if len(rows) > _MOST_ROWS:
        raise InputError(
            f"{file.place.source}: more than {_MOST_ROWS:,} combinations of groups and labels; if column "
            f"{wanted.predicted!r} holds scores, name it with --score; or group by fewer columns"
        )


def _with_labels(
    rows: list[tuple[Any, ...]], wanted: Wanted, source: str, names: list[str]
) -> tuple[list[tuple[Any, ...]], tuple[str, ...], int | None]:
    """Rows with both labels, the spellings of missing labels, and the number of rows left out.

    :raises InputError: on missing labels, unless such examples are to be left out, and if none remains
    """
    columns, size = (names.index("t"), names.index("p")), names.index("rows")
    texts = {row[column] for row in rows for column in columns}
    gaps = {text for text in texts if is_left_out(_text(text), wanted.missing)}
    if wanted.missing != "drop":
        for column, name in zip(columns, (wanted.truth, wanted.predicted), strict=True) if gaps else ():
            found = Counter[str]()
            for row in rows:
                if row[column] in gaps:
                    found[_text(row[column])] += row[size]
            for label, number in found.most_common(1):
                raise missing_label(label, name, source, number)
        return rows, (), None
    kept = [row for row in rows if gaps.isdisjoint(row[column] for column in columns)]
    if not kept:
        raise nothing_left(source)
    left_out = sum(row[size] for row in rows) - sum(row[size] for row in kept)
    return kept, tuple(gap for gap in gaps if gap is not None), left_out


def _check(rows: list[tuple[Any, ...]], wanted: Wanted, file: Opened, names: list[str]) -> None:
    """Refuse unusable weights and scores."""
    for fault, column, what, kept in (
        ("bad_weight", wanted.number, "weights that are missing, negative, infinite or no numbers", " AND {} >= 0"),
        ("bad_score", wanted.score, "scores that are missing, infinite or no numbers", ""),
    ):
        if fault in names and (bad := sum(row[names.index(fault)] for row in rows)):
            name = file.names[column or ""]
            number = f"TRY_CAST({quoted(name)} AS DOUBLE)"
            condition = f"isfinite({number}){kept.format(number)}"
            if (name, "VARCHAR") in ((each, str(kind)) for each, kind in _typed(file.relation)):
                condition += f" AND NOT contains({quoted(name)}, chr(95))"  # DuckDB reads 1_0 as 10
            option = f"--where {shlex.quote(condition)}" if wanted.where is None else f"AND {condition} in --where"
            raise InputError(
                f"{file.place.source}: column {column!r} has {what} in {number_of(bad, 'row')}; write them as 0.25, "
                f"with a point, or leave their rows out, as with {option}"
            )


def _text(label: str | None) -> str:
    """Return a label in its normal form: without surrounding blanks, empty if missing."""
    return "" if label is None else label.strip()


def _gathered(rows: list[tuple[Any, ...]], wanted: Wanted, types: tuple[str, ...], source: str) -> FileCounts:
    width = len(wanted.by)
    if wanted.weight is not None:  # weight 0 means left out; a pair of labels may have no examples
        rows = [row for row in rows if row[width + 2]]
    if not any(row[width + 2] for row in rows):
        raise InputError(f"{source}: every weight in column {wanted.number!r} is 0; give an example a positive weight")
    texts = [(_text(row[width]), _text(row[width + 1])) for row in rows]
    spelling = spelling_of({label for pair in texts for label in pair})
    groups: dict[tuple[str | None, ...], dict[tuple[str, str], float]] = {}
    spellings: dict[str, dict[str, None]] = defaultdict(dict)
    for row, (true, predicted) in zip(rows, texts, strict=True):
        key = tuple(None if value is None else value.strip() for value in row[:width])
        pair = spelling(true), spelling(predicted)
        groups.setdefault(key, defaultdict(float))[pair] += row[width + 2]
        spellings[pair[0]][row[width]] = None
    pairs = {pair for group in groups.values() for pair in group}
    check_labels({true for true, _ in pairs}, {predicted for _, predicted in pairs}, wanted.predicted, source)
    spread = None if wanted.score is None else (min(row[-2] for row in rows), max(row[-1] for row in rows))
    if spread is not None and not all(map(math.isfinite, spread)):
        raise InputError(f"{source}: column {wanted.score!r} holds no finite scores; name a column of numbers")
    ordered = dict(sorted(groups.items(), key=lambda item: [_rank(v, t) for v, t in zip(item[0], types, strict=True)]))
    spelled = {label: list(found) for label, found in spellings.items()}
    are_whole = wanted.weight is None and (wanted.frequency is None or not any(row[width + 5] for row in rows))
    return FileCounts(ordered, types, spelling, spelled, (), None, spread, are_whole)


def _rank(value: str | None, kind: str) -> tuple[bool, float, str]:
    """Sort key of group values: numbers by size, other values as text, missing ones last."""
    if value is None:
        return (True, 0.0, "")
    is_number = kind not in ("VARCHAR", "BOOLEAN") and _as_number(value) is not None
    return (False, _as_number(value) or 0.0 if is_number else 0.0, "" if is_number else value)


def _as_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
