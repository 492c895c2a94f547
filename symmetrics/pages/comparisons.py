"""Two classifiers from files, compared by several metrics: a table with a row for each."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from tabulate import tabulate

from symmetrics.metric import Metric
from symmetrics.pages.scoring import LabelledColumns
from symmetrics.query.comparing import Comparison, compare, compare_counts
from symmetrics.tools.errors import InputError

__all__ = ["ComparisonReport", "compare_columns"]

_COLUMNS: Final = ("metric", "first", "second", "difference", "low", "high", "probability", "p_value")


@dataclass(frozen=True)
class ComparisonReport:
    """Comparisons by several metrics.

    :param first: what the first classifier's labels were read from
    :param second: what the second's were
    :param positive: the positive class
    :param comparisons: one for each metric
    """

    first: str
    second: str
    positive: str
    comparisons: tuple[Comparison, ...]

    def to_format(self, form: str) -> str:
        """Return the table as text, CSV or JSON."""
        rows = [[getattr(comparison, column) for column in _COLUMNS] for comparison in self.comparisons]
        if form == "json":
            listed = [dict(zip(_COLUMNS, map(_plain, row), strict=True)) for row in rows]
            return json.dumps({"first": self.first, "second": self.second, "comparisons": listed}, indent=2)
        if form == "csv":
            stream = io.StringIO()
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerows([_COLUMNS, *([("" if _plain(v) is None else v) for v in row] for row in rows)])
            return stream.getvalue().rstrip("\n")
        return self._text(rows)

    def _text(self, rows: list[list[Any]]) -> str:
        one = self.comparisons[0]
        head = [
            f"first: {self.first}",
            f"second: {self.second}",
            f"positive class: {self.positive}",
            f"difference: second minus first, with its {100 * one.level:g} % interval",
        ]
        shown = [[value if isinstance(value, str) else _figure(value) for value in row] for row in rows]
        table = tabulate(shown, headers=_COLUMNS, disable_numparse=True, colalign=("left", *["right"] * 7))
        return "\n".join([*head, "", table, "", f"p-value: {one.test}"])


def compare_columns(
    first: LabelledColumns, second: LabelledColumns, metrics: Mapping[str, Metric], *, level: float, separate: bool
) -> ComparisonReport:
    """Compare two columns of predictions, of the same examples unless they are *separate*.

    :raises InputError: if they are of different examples and are not said to be
    """
    if first.positive != second.positive:
        raise InputError(
            f"the positive class is {first.positive!r} in {first.source} and {second.positive!r} in {second.source}; "
            "name it with --positive"
        )
    if not separate and first.is_positive != second.is_positive:
        raise InputError(_different(first, second))
    found = [
        compare_counts(first.counts, second.counts, metric, level=level)
        if separate
        else compare(first.is_positive, first.is_predicted, second.is_predicted, metric, pos_label=True, level=level)
        for metric in metrics.values()
    ]
    found = [replace(comparison, metric=name) for name, comparison in zip(metrics, found, strict=True)]
    named = [f"{columns.source}, column {columns.prediction}" for columns in (first, second)]
    return ComparisonReport(named[0], named[1], first.positive, tuple(found))


def _different(first: LabelledColumns, second: LabelledColumns) -> str:
    lengths = len(first.is_positive), len(second.is_positive)
    if lengths[0] != lengths[1]:
        told = f"{lengths[0]} and {lengths[1]} rows"
    else:
        pairs = zip(first.is_positive, second.is_positive, strict=True)
        told = f"different true labels in row {next(i for i, (one, other) in enumerate(pairs, 1) if one != other)}"
    return f"{first.source} and {second.source} have {told}; order their rows alike, or pass --separate"


def _plain(value: object) -> object:
    return None if isinstance(value, float) and math.isnan(value) else value


def _figure(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.4g}"
