"""Compare two or more classifiers from files by several metrics: a table with a row for each metric and pair."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from symmetrics.data.encoding import MayBeAbsent
from symmetrics.data.label_files import ClassColumns, LabelledColumns
from symmetrics.data.labels import confusion_matrix
from symmetrics.data.spelling import in_label_order
from symmetrics.evaluation.comparing import compare, compare_all, compare_counts
from symmetrics.evaluation.comparison import Comparison
from symmetrics.numeric.averaging import Average
from symmetrics.pages.lines import AnyMetric, Line
from symmetrics.tools.documents import Grid, Paragraph, lines, texts
from symmetrics.tools.documents.data import csv_text, json_text
from symmetrics.tools.documents.text import text_blocks
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import probability_in_words

Columns: TypeAlias = LabelledColumns | ClassColumns
Lines: TypeAlias = Mapping[str, AnyMetric] | Mapping[str, Line]

_COLUMNS: Final = (
    *("metric", "first", "second", "difference", "low", "high", "method", "probability", "test", "mid_p", "p_value"),
)
_BELOW: Final = ("method", "test", "mid_p")
"""Remarks below a table for people."""
_KIND: Final = (
    "kind: of the whole confusion matrix, or an average over the classes of a metric of each against the rest"
)


@dataclass(frozen=True)
class ComparisonReport:
    """Comparisons by several metrics.

    :param facts: what was compared, for people and programs: entries by name
    :param rows: one for each metric and pair, all with the same entries
    :param notes: what the entries of the rows are
    """

    facts: Mapping[str, object]
    rows: Sequence[Mapping[str, Any]]
    notes: tuple[str, ...]

    def to_format(self, form: str) -> str:
        """Return the table as text, CSV or JSON; numbers that are not finite are null in JSON."""
        columns = list(self.rows[0])
        if form == "json":
            return json_text({**self.facts, "comparisons": self.rows}, indent=2)
        if form == "csv":
            return csv_text(columns, (row.values() for row in self.rows))
        columns = [name for name in columns if name not in _BELOW]
        rows = tuple(texts(_shown(name, row) for name in columns) for row in self.rows)
        align = "".join("l" if isinstance(self.rows[0][name], str) else "r" for name in columns)
        above, below = (Paragraph(lines(told)) for told in ([*_fact_lines(self.facts), self.notes[0]], self.notes[1:]))
        return text_blocks([above, Grid(texts(columns), rows, align), below], layout="simple")


def compare_columns(
    first: Columns,
    second: Columns,
    metrics: Lines,
    *,
    level: float,
    separate: bool,
    average: str | None = None,
) -> ComparisonReport:
    """Compare two columns of predictions, of the same examples unless they are *separate*.

    :param metrics: of two classes; or for columns of classes their lines
    :param average: the one over the classes that was asked for, if any
    :raises InputError: if they are of different examples and are not said to be
    """
    _require_fit(first, second, separate=separate)
    tables, labels = _tables(first, second) if separate else ([], None)
    found = [
        compare_counts(tables[0], tables[1], metric, labels=labels, average=over, level=level)
        if separate
        else compare(first.true, first.predicted, second.predicted, metric, pos_label=True, average=over, level=level)
        for metric, over in map(_metric_and_average, metrics.values())
    ]
    found = [replace(comparison, metric=name) for name, comparison in zip(metrics, found, strict=True)]
    rows = [
        _with_kind({column: getattr(comparison, column) for column in _COLUMNS}, line)
        for comparison, line in zip(found, metrics.values(), strict=True)
    ]
    facts = {"first": _place(first), "second": _place(second), **_of_what([first, second], average)}
    return ComparisonReport(facts, rows, (*_value_labels(level, rows), *_tests(found)))


def compare_many_columns(
    columns: Sequence[Columns],
    metrics: Lines,
    *,
    level: float,
    correction: str,
    average: str | None = None,
) -> ComparisonReport:
    """Compare each column of predictions with each other, all of the same examples.

    :param metrics: as for :func:`compare_columns`, and *average*
    :param correction: of the p-values of one metric for the number of pairs, as in :func:`compare_all`
    :raises InputError: if some are of different examples or of one name, or on a correction that is none
    """
    one = columns[0]
    for other in columns[1:]:
        _require_fit(one, other, separate=False)
    names = _names(columns)
    predictions = {name: column.predicted for name, column in zip(names, columns, strict=True)}
    settings: dict[str, Any] = {"level": level, "correction": correction}
    compared = {
        name: compare_all(one.true, predictions, metric, pos_label=True, average=over, **settings)
        for name, (metric, over) in zip(metrics, map(_metric_and_average, metrics.values()), strict=True)
    }
    rows = [
        _with_kind({"metric": name, **pair.row()}, metrics[name])
        for name, found in compared.items()
        for pair in found.pairs
    ]
    facts = {
        "classifiers": {name: _place(column) for name, column in zip(names, columns, strict=True)},
        **_of_what(columns, average),
        "values": {name: {k: _plain(v) for k, v in found.values.items()} for name, found in compared.items()},
    }
    some = next(iter(compared.values()))
    tests = _tests([pair.comparison for found in compared.values() for pair in found.pairs])
    adjusted = f"adjusted: for the {len(some.pairs)} pairs of a metric, {some.correction}"
    return ComparisonReport(facts, rows, (*_value_labels(level, rows), *tests, adjusted))


def _names(columns: Sequence[Columns]) -> list[str]:
    """Labels that distinguish the columns: file names, column names, or both.

    :raises InputError: if two are the same column
    """
    candidates: list[list[str]] = [
        [column.source for column in columns],
        [column.prediction for column in columns],
        [f"{column.source}:{column.prediction}" for column in columns],
    ]
    for names in candidates:
        if len(set(names)) == len(names):
            return names
    twice = Counter(candidates[-1]).most_common(1)[0][0]
    raise InputError(f"{twice} is compared with itself; name each file and column once")


def _metric_and_average(line: AnyMetric | Line) -> tuple[AnyMetric, Average]:
    return (line.metric, line.average) if isinstance(line, Line) else (line, "binary")


def _with_kind(row: dict[str, Any], line: AnyMetric | Line) -> dict[str, Any]:
    """Add the kind of value to a row, if there are several classes."""
    if not isinstance(line, Line):
        return row
    place = list(row).index("probability")
    entries = list(row.items())
    return dict([*entries[:place], ("kind", line.kind), *entries[place:]])


def _of_what(columns: Sequence[Columns], average: str | None) -> dict[str, object]:
    """Facts: the classes compared, and examples left out for missing labels."""
    left_out = [column.left_out for column in columns if column.left_out is not None]
    return {**_of_classes(columns, average), **({"left_out": max(left_out)} if left_out else {})}


def _of_classes(columns: Sequence[Columns], average: str | None) -> dict[str, object]:
    """Return the common positive class of all columns, or all their classes and the average."""
    if isinstance(columns[0], LabelledColumns):
        return {"positive_class": columns[0].positive}
    every = {name for each in columns if not isinstance(each, LabelledColumns) for name in each.classes}
    return {"classes": ", ".join(in_label_order(every)), **({} if average is None else {"average": average})}


def _require_fit(first: Columns, second: Columns, *, separate: bool) -> None:
    if isinstance(first, LabelledColumns) and isinstance(second, LabelledColumns) and first.positive != second.positive:
        raise InputError(
            f"the positive class is {first.positive!r} in {first.source} and {second.positive!r} in {second.source}; "
            "name it with --positive"
        )
    if not separate and first.true != second.true:
        raise InputError(_different(first, second))


def _different(first: Columns, second: Columns) -> str:
    lengths = len(first.true), len(second.true)
    if lengths[0] != lengths[1]:
        told = f"{lengths[0]} and {lengths[1]} rows"
    else:
        pairs = zip(first.true, second.true, strict=True)
        told = f"different true labels in row {next(i for i, (one, other) in enumerate(pairs, 1) if one != other)}"
    return f"{first.source} and {second.source} have {told}; order their rows alike, or pass --separate"


def _tables(first: Columns, second: Columns) -> tuple[list[Any], list[str] | None]:
    """Return the tables of two columns: four counts, or confusion matrices with the common classes."""
    if isinstance(first, LabelledColumns) and isinstance(second, LabelledColumns):
        return [first.counts, second.counts], None
    labels = in_label_order({*first.true, *first.predicted, *second.true, *second.predicted})
    both = (confusion_matrix(each.true, each.predicted, labels=MayBeAbsent(labels)) for each in (first, second))
    return [matrix for matrix, _ in both], labels


def _place(columns: Columns) -> str:
    return f"{columns.source}, column {columns.prediction}"


def _value_labels(level: float, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return labels for the columns of values; the difference comes first."""
    return [
        f"difference: second minus first, with its {100 * level:g} % interval",
        *([_KIND] if "kind" in rows[0] else []),
        "probability: that the second has the greater value, after the data",
    ]


def _tests(found: Sequence[Comparison]) -> list[str]:
    """Return notes on the intervals and p-values, and on bounds where no value is known."""
    methods, tests = (
        " or ".join(dict.fromkeys(getattr(comparison, name) for comparison in found)) for name in ("method", "test")
    )
    bounds = "; where no draw was as large, the p-value is at most what is shown"
    is_bound = any(comparison.p_is_bound for comparison in found)
    return [f"interval: {methods}", f"p-value: {tests}{bounds if is_bound else ''}"]


def _fact_lines(facts: Mapping[str, object]) -> list[str]:
    """Return the facts as lines, one per entry."""
    lines = []
    for name, fact in facts.items():
        if isinstance(fact, Mapping):
            lines += [f"{name}, {key}: {_listed(value)}" for key, value in fact.items()]
        else:
            lines.append(f"{name.replace('_', ' ')}: {fact}")
    return lines


def _listed(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {'' if one is None else _figure(one)}".rstrip() for name, one in value.items())
    return str(value)


def _plain(value: object) -> object:
    return None if isinstance(value, float) and math.isnan(value) else value


def _shown(name: str, row: Mapping[str, Any]) -> str:
    value = row[name]
    if isinstance(value, str):
        return value
    return probability_in_words(value) if name == "probability" and not math.isnan(value) else _figure(value)


def _figure(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.4g}"
