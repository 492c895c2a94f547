"""Verdict tables of metrics of k x k matrices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from tqdm import tqdm

from symmetrics.claims.verdict import Verdict
from symmetrics.data.counts import shown
from symmetrics.matrices import MulticlassMetric, MulticlassProperty, multiclass
from symmetrics.matrices.deciding import CLASSES, as_multiclass_property, properties_at_size
from symmetrics.matrices.validated import number_of_classes
from symmetrics.tools.budget import SHOWN_AFTER
from symmetrics.tools.errors import InputError
from symmetrics.tools.workers import Bar, spread

MANY: Final = 40
"""Number of undecided verdicts from which on further processes pay off."""

Row = tuple[str, tuple[Verdict, ...]]


def verdicts_at_size(
    metrics: object, properties: object, classes: int, *, parallel: bool, seconds: float
) -> tuple[tuple[str, ...], tuple[Row, ...]]:
    """Return the keys of properties, and for each matrix metric its name and verdicts.

    :param metrics: metrics of matrices or their names; ``"all"`` or None for all of the library
    :param properties: properties of such metrics or their keys; ``"all"`` or None for all that say something about so
        many classes, that of ranges only if every metric states one
    :param classes: the number of classes
    :raises InputError: on what is none of these
    :raises UnknownNameError: if a name is not in the library
    """
    count = number_of_classes(classes)
    rows = [_as_metric(one) for one in _listed(metrics, "metrics", multiclass.values())]
    if count < 2:
        raise InputError(f"k={count} is no number of classes of a matrix; pass 2 or more")
    columns = [as_multiclass_property(one) for one in _listed(properties, "properties", _asked_of_all(rows, count))]
    if not rows or not columns:
        raise InputError("a table needs at least one metric and one property")
    keys = tuple(column.name for column in columns)
    items = [(row, columns, count, seconds) for row in rows]
    if parallel and len(rows) * len(columns) >= MANY and count != CLASSES and _are_known(rows, columns):
        by_name = [(row.name, keys, count, seconds) for row in rows]
        found = list(spread(_row_by_name, by_name, bar=Bar("table")))
    else:
        found = [_row(item) for item in tqdm(items, desc="table", unit="metric", disable=None, delay=SHOWN_AFTER)]
    return keys, tuple((row.name, verdicts) for row, verdicts in zip(rows, found, strict=True))


def _listed(given: object, what: str, default: Iterable[object]) -> list[Any]:
    if given is None or (isinstance(given, str) and given.strip().casefold() == "all"):
        return list(default)
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(f"{what}={shown(given)}: pass a list of {what} of matrices, or 'all'")
    return list(given)


def _asked_of_all(rows: Iterable[MulticlassMetric], classes: int) -> list[MulticlassProperty]:
    """Return the properties that apply to every metric: those on ranges only if all metrics state one."""
    state_one = all(row.range is not None and (row.range.start.is_finite or row.range.end.is_finite) for row in rows)
    return [property for property in properties_at_size(classes) if property.name != "range" or state_one]


def _as_metric(given: object) -> MulticlassMetric:
    if isinstance(given, MulticlassMetric):
        return given
    if not isinstance(given, str):
        raise InputError(f"{shown(given)} is not a metric of matrices: pass one of symmetrics.multiclass, or its name")
    return multiclass[given]


def _are_known(rows: Iterable[MulticlassMetric], columns: Iterable[MulticlassProperty]) -> bool:
    """Whether all are in the library; others may hold functions, which cannot be sent to other processes."""
    known = all(multiclass.get(row.name) is row for row in rows)
    return known and all(as_multiclass_property(column.name) is column for column in columns)


def _row(item: tuple[MulticlassMetric, Iterable[MulticlassProperty], int, float]) -> tuple[Verdict, ...]:
    metric, columns, classes, seconds = item
    return tuple(metric.prove(column, classes, seconds=seconds) for column in columns)


def _row_by_name(item: tuple[str, Iterable[str], int, float]) -> tuple[Verdict, ...]:
    name, keys, classes, seconds = item
    return tuple(multiclass[name].prove(key, classes, seconds=seconds) for key in keys)
