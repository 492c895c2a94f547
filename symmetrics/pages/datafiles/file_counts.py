"""The labels of a file counted by DuckDB, by group, true label and predicted label."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from symmetrics.pages.datafiles.opened import Opened, duckdb_module, fetched
from symmetrics.pages.label_columns import check_labels, is_missing_label, same_spellings
from symmetrics.tools.errors import InputError
from symmetrics.tools.words import number_of

__all__ = ["FileCounts", "Wanted", "count_labels", "examples"]

_MOST_ROWS: Final = 5_000_000
_NUMBER_OF_TEXT: Final = "CASE WHEN contains({0}, '_') THEN NULL ELSE try_cast({0} AS DOUBLE) END"
"""DuckDB takes blanks around a number as they are meant, and 1_0 for 10."""
_COMPARED: Final = (
    r"{name}\s*(?:==?|<>|!=|(?:NOT\s+)?IN\s*\()\s*[-+]?\.?\d[\d.]*"
    r"|[-+]?\.?\d[\d.]*\s*(?:==?|<>|!=)\s*{name}"
)
"""A column beside a number in a condition."""
_NESTED: Final = frozenset(["array", "list", "map", "struct", "union"])
"""The types of DuckDB of which a value is several."""
_COUNTED: Final = {
    "n": "count(*)::DOUBLE AS n",
    "bad_weight": "count(*) FILTER (NOT coalesce(isfinite(w) AND w >= 0, false)) AS bad_weight",
    "broken": "count(*) FILTER (w <> floor(w)) AS broken",
    "bad_score": "count(*) FILTER (NOT coalesce(isfinite(s), false)) AS bad_score",
    "low": "min(s) AS low",
    "high": "max(s) AS high",
}
"""What is known of each group of rows: numbers of examples, of faults, and the range of the scores."""


class Wanted(NamedTuple):
    """What is asked of a file: names of its columns, and a condition in SQL.

    :param prediction: empty if only scores are to be measured; the true labels then stand for the predicted ones
    :param weight: of sampling weights
    :param frequency: of numbers of examples, of which each row stands for so many
    """

    truth: str
    prediction: str
    score: str | None = None
    by: tuple[str, ...] = ()
    weight: str | None = None
    where: str | None = None
    frequency: str | None = None

    @property
    def number(self) -> str | None:
        """The column that says how much a row counts, as a weight or as a number of examples."""
        return self.weight if self.frequency is None else self.frequency

    @property
    def columns(self) -> list[str]:
        """All columns that are named."""
        named = (self.truth, self.predicted, self.score, *self.by, self.number)
        return [name for name in named if name is not None]

    @property
    def predicted(self) -> str:
        """The column of predicted labels, or what stands for it."""
        return self.prediction or self.truth

    def stripped(self) -> Wanted:
        """Return the same with no blanks around names of columns."""
        truth, prediction, score, by, weight, _, frequency = self
        named = {"truth": truth, "prediction": prediction, "score": score, "weight": weight, "frequency": frequency}
        shorter = {key: name.strip() for key, name in named.items() if name is not None}
        return self._replace(**shorter, by=tuple(name.strip() for name in by))


class FileCounts(NamedTuple):
    """How often each label is predicted as each label, by group.

    :param groups: by the values of a group as texts (None: missing), the examples of each pair of labels
    :param types: the types of the columns to group by, as DuckDB names them
    :param same: how labels are spelled that have several spellings
    :param spellings: of each label, what stands for it in the column of true labels
    :param spread: the lowest and the highest score, if there are scores
    :param are_whole: whether these are numbers of examples, and whole
    """

    groups: Mapping[tuple[str | None, ...], Mapping[tuple[str, str], float]]
    types: tuple[str, ...]
    same: Mapping[str, str]
    spellings: Mapping[str, list[Any]]
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
        """All labels, sorted."""
        return sorted({label for pair in self.pairs for label in pair})


def examples(file: Opened, wanted: Wanted) -> Any:
    """Return the examples that a condition selects, as a relation whose columns are named t, p, s, w, k0, k1, ...

    What a user wrote is one expression for DuckDB, or a column; no statement is made of it.

    :raises InputError: on a column of lists or records
    """
    duckdb = duckdb_module()
    relation = file.relation
    if wanted.where is not None:
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
    # JSON lines with values of several kinds in a column: "1" and 1 are one text.
    texts = [f"{name} ->> '$' AS {name}" if str(kind) == "JSON" else name for name, kind in _typed(chosen)]
    plain = chosen.project(", ".join(texts))
    numbers = [f"{_number(name, str(kind))} AS {name}" if name in ("s", "w") else name for name, kind in _typed(plain)]
    return plain.project(", ".join(numbers))


def _check_no_rounding(file: Opened, where: str) -> None:
    """Refuse to compare texts with a number if DuckDB would round them: 0.6 = 1 is true to it, as 1 is whole.

    :raises InputError: if a text column that a condition compares so holds a number that is not whole
    """
    for column, kind in _typed(file.relation):
        quoted = '"' + column.replace('"', '""') + '"'
        name = f"(?:{re.escape(quoted)}|\\b{re.escape(column)}\\b)"
        compared = re.search(_COMPARED.format(name=name), where, re.IGNORECASE)
        if str(kind) != "VARCHAR" or compared is None:
            continue
        number = _NUMBER_OF_TEXT.format(quoted)
        broken = file.relation.filter(f"{number} <> floor({number})").limit(1).project(quoted).fetchall()
        if broken:
            raise InputError(
                f"--where {where!r}: column {column!r} is text and holds {broken[0][0]!r}, which would be "
                f"rounded; write CAST({quoted if quoted in where else column} AS DOUBLE) in the place of {column}"
            )


def _typed(relation: Any) -> list[tuple[str, Any]]:
    """Return the columns of a relation with their types."""
    return list(zip(relation.columns, relation.types, strict=True))


def _number(name: str, kind: str) -> str:
    """Return the expression of a column as a number, missing where a text is none."""
    return _NUMBER_OF_TEXT.format(name) if kind == "VARCHAR" else f"{name}::DOUBLE"


def count_labels(file: Opened, wanted: Wanted, *, progress: bool = False) -> FileCounts:
    """Return how often each label is predicted as each label in a file, by group.

    Labels are compared as texts without blanks around them; where all are whole numbers, ``1.0`` and
    ``+1`` are the label ``1``.

    :param progress: whether to show a bar on standard error
    :raises InputError: on labels, weights and scores that are missing or unusable, and on no examples
    """
    chosen = examples(file, wanted)
    keys = [f"k{place}" for place in range(len(wanted.by))]
    counted = {"n": _COUNTED["n"]}
    if wanted.number is not None:
        counted = {"n": "sum(w) AS n"} | {name: _COUNTED[name] for name in ("bad_weight", "broken")}
    if wanted.score is not None:
        counted |= {name: _COUNTED[name] for name in ("bad_score", "low", "high")}
    grouped = chosen.aggregate(", ".join([*keys, "t", "p", *counted.values()]), ", ".join([*keys, "t", "p"]))
    types = tuple(str(kind) for kind in grouped.types[: len(keys)])
    as_text = [*(f"{key}::VARCHAR AS {key}" for key in keys), "t", "p", *counted]
    rows = fetched(file, grouped.project(", ".join(as_text)).limit(_MOST_ROWS + 1), progress=progress)
    _check(rows, wanted, file.place.source, [*keys, "t", "p", *counted])
    return _gathered(rows, wanted, types, file.place.source)


def _check(rows: list[tuple[Any, ...]], wanted: Wanted, source: str, names: list[str]) -> None:
    """Refuse no rows, too many, and examples with which something is wrong."""
    if not rows:
        reason = "no row fulfils --where" if wanted.where is not None else "it has no rows"
        raise InputError(f"{source}: {reason}; one row per example is needed")
    if len(rows) > _MOST_ROWS:
        raise InputError(
            f"{source}: more than {_MOST_ROWS:,} combinations of groups and labels; if column {wanted.predicted!r} "
            "holds scores, name it with --score; or group by fewer columns"
        )
    for fault, column, what, kept in (
        ("bad_weight", wanted.number, "weights that are missing, negative, infinite or no numbers", "{} >= 0"),
        ("bad_score", wanted.score, "scores that are missing, infinite or no numbers", "isfinite({})"),
    ):
        if fault in names and (bad := sum(row[names.index(fault)] for row in rows)):
            condition = kept.format(f'TRY_CAST("{column}" AS DOUBLE)')
            advice = f"write them as 0.25, with a point, or leave their rows out, as with --where '{condition}'"
            raise InputError(f"{source}: column {column!r} has {what} in {number_of(bad, 'row')}; {advice}")
    for place, column in ((names.index("t"), wanted.truth), (names.index("p"), wanted.predicted)):
        if any(is_missing_label(_text(row[place])) for row in rows):
            advice = f"fill them in, or leave the rows out, as with --where '\"{column}\" IS NOT NULL'"
            raise InputError(f"{source}: a label is missing in column {column!r}; {advice}")


def _text(label: object) -> str:
    """Return a label as text: of files, in which all are texts, as of columns with types."""
    if isinstance(label, bool):
        return str(label).lower()
    return "" if label is None else str(label).strip()


def _gathered(rows: list[tuple[Any, ...]], wanted: Wanted, types: tuple[str, ...], source: str) -> FileCounts:
    width = len(wanted.by)
    texts = [(_text(row[width]), _text(row[width + 1])) for row in rows]
    same = same_spellings({label for pair in texts for label in pair})
    groups: dict[tuple[str | None, ...], dict[tuple[str, str], float]] = {}
    spellings: dict[str, dict[Any, None]] = defaultdict(dict)
    for row, (true, predicted) in zip(rows, texts, strict=True):
        key = tuple(None if value is None else value.strip() for value in row[:width])
        pair = same.get(true, true), same.get(predicted, predicted)
        groups.setdefault(key, defaultdict(float))[pair] += row[width + 2]
        spellings[pair[0]][row[width]] = None
    pairs = {pair for group in groups.values() for pair in group}
    check_labels({true for true, _ in pairs}, {predicted for _, predicted in pairs}, wanted.predicted, source)
    if not any(number for group in groups.values() for number in group.values()):
        raise InputError(f"{source}: every weight in column {wanted.number!r} is 0; give an example a positive weight")
    spread = None if wanted.score is None else (min(row[-2] for row in rows), max(row[-1] for row in rows))
    if spread is not None and not all(map(math.isfinite, spread)):
        raise InputError(f"{source}: column {wanted.score!r} holds no finite scores; name a column of numbers")
    ordered = dict(sorted(groups.items(), key=lambda item: [_rank(v, t) for v, t in zip(item[0], types, strict=True)]))
    are_whole = wanted.weight is None and (wanted.frequency is None or not any(row[width + 4] for row in rows))
    return FileCounts(ordered, types, same, {label: list(raw) for label, raw in spellings.items()}, spread, are_whole)


def _rank(value: str | None, kind: str) -> tuple[bool, float, str]:
    """Return what values of groups are sorted by: numbers by size, the rest as texts, missing ones last."""
    if value is None:
        return (True, 0.0, "")
    is_number = kind not in ("VARCHAR", "BOOLEAN") and _as_number(value) is not None
    return (False, _as_number(value) or 0.0 if is_number else 0.0, "" if is_number else value)


def _as_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
