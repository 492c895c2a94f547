"""Values of metrics for many groups of examples at once, as arrays, with their intervals and notes."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import asdict
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from symmetrics.metric import Metric
from symmetrics.numeric.averaging import AVERAGES
from symmetrics.numeric.counts import FloatArray, one_vs_rest
from symmetrics.numeric.engines.grouped_pairs import GroupCounts
from symmetrics.pages.many_classes import AnyMetric, given_at_counts, value_at_counts
from symmetrics.pages.uncertainty import Ends, missing_ends, open_ends, why_not_finite
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from symmetrics.numeric.intervals.result import Interval, Question


Words: TypeAlias = NDArray[np.object_]
Settings: TypeAlias = Mapping[str, Any]

_OF_COUNTS: Final = frozenset(["labels", "pos_label", "average", "zero_division"])
"""Settings of a call under which a metric is a function of the counts of each group."""


class EndsOfGroups(NamedTuple):
    """The intervals of the values of groups, as :class:`symmetrics.pages.uncertainty.Ends` of each, in arrays."""

    low: FloatArray
    high: FloatArray
    method: Words
    note: Words

    @classmethod
    def of(cls, found: list[Ends]) -> EndsOfGroups:
        """Return the ends of each group as arrays."""
        low, high, method, note, _ = zip(*found, strict=True)
        return cls(np.array(low), np.array(high), *(np.array(part, dtype=object) for part in (method, note)))


class GroupValues(NamedTuple):
    """The values of one metric: one of each group, or one of each group and class.

    :param values: shape (groups,) or (groups, classes)
    :param sure: the interval of the value of each group, for each class, if they are asked for
    """

    values: FloatArray
    sure: list[EndsOfGroups]


def is_of_counts(settings: Settings, labels: list[Hashable]) -> bool:
    """Return whether the values under some settings are computed from the counts of all groups at once.

    Averages with weights of one's own, and over some of the classes, are computed group by group.
    """
    average, named = settings.get("average", "binary"), settings.get("labels")
    is_binary = isinstance(average, str) and average == "binary"
    is_named = average is None or (isinstance(average, str) and (is_binary or average in AVERAGES))
    by_all = named is None or ((is_binary or average is None) and set(labels) <= set(named))
    return is_named and by_all and settings.keys() <= _OF_COUNTS


def as_arrays(counts: GroupCounts, metric: AnyMetric, settings: Settings, question: Question | None) -> GroupValues:
    """Return the values of a metric for all groups.

    :param settings: of a call of the metric, which are of counts
    :raises InputError: as a call of the metric
    """
    average = settings.get("average", "binary")
    is_binary = isinstance(average, str) and average == "binary"
    if is_binary and isinstance(metric, Metric):
        return values_of_tables(metric, counts.tables(settings.get("pos_label", 1)), question, settings)
    if is_binary:
        average = "macro"
    # Matrices come some groups at a time, by the labels that occur in them; the values are put in the groups' order.
    parts = [
        (groups, _of_matrices(metric, stack, average, settings, question))
        for groups, stack in counts.matrices(settings.get("labels"))
    ]
    order = np.argsort(np.concatenate([groups for groups, _ in parts]))
    values = np.concatenate([part.values for _, part in parts])[order]
    sure = [
        EndsOfGroups(*(np.concatenate(column)[order] for column in zip(*ends, strict=True)))
        for ends in zip(*(part.sure for _, part in parts), strict=True)
    ]
    return GroupValues(values, sure)


def values_of_tables(
    metric: AnyMetric, tables: FloatArray, question: Question | None, settings: Settings = MappingProxyType({})
) -> GroupValues:
    """Return the values of a metric of two classes at tables of TP, FN, FP and TN, a row each."""
    fill = settings.get("zero_division", math.nan)
    values = np.asarray(value_at_counts(metric, list(tables.T), fill))
    if question is None:
        return GroupValues(values, [])
    return GroupValues(values, [_ends_of_tables(metric, tables, values, question, filled=not math.isnan(fill))])


def _ends_of_tables(
    metric: AnyMetric, tables: FloatArray, values: FloatArray, question: Question, *, filled: bool
) -> EndsOfGroups:
    """Return the intervals of a metric at tables of TP, FN, FP and TN, a row each.

    :param values: those of the tables
    :param filled: whether a number may stand among them for what is undefined
    """

    @cache
    def why(value: float, *counts: float) -> str:
        return why_not_finite(value, metric if isinstance(metric, Metric) else None, counts)

    cells = list(tables.T)
    undefined = _stands_in(values, np.asarray(value_at_counts(metric, cells))) if filled else None
    found = _ends(lambda: metric.interval(*given_at_counts(metric, cells), **asdict(question)), len(values), undefined)
    return _noted(found, values, lambda place: why(float(values[place]), *tables[place].tolist()))


def _of_matrices(
    metric: AnyMetric, stack: FloatArray, average: Any, settings: Settings, question: Question | None
) -> GroupValues:
    fill = settings.get("zero_division", math.nan)
    values = np.asarray(metric.from_confusion(stack, average=average, zero_division=fill))
    if question is None:
        return GroupValues(values, [])
    # One value for each class: the intervals are those of each class against the rest.
    if average is None and isinstance(metric, Metric):
        cells = one_vs_rest(stack)
        by_class = (np.stack(part, axis=-1) for part in zip(*(cell.T for cell in cells), strict=True))
        filled = not math.isnan(fill)
        ends = [
            _ends_of_tables(metric, tables, values[:, place], question, filled=filled)
            for place, tables in enumerate(by_class)
        ]
        return GroupValues(values, ends)
    if average is None:
        none = missing_ends("one value for each class; pass average='macro', or a weight for each class")
        columns = np.moveaxis(values, -1, 0) if values.ndim > 1 else values[None]
        return GroupValues(values, [_noted(EndsOfGroups.of([none] * len(stack)), column, None) for column in columns])
    undefined = None
    if not math.isnan(fill):
        undefined = _stands_in(values, np.asarray(metric.from_confusion(stack, average=average)))
    ask = metric.interval_from_confusion if isinstance(metric, Metric) else metric.interval
    found = _ends(lambda: ask(stack, average=average, **asdict(question)), len(stack), undefined)
    return GroupValues(values, [_noted(found, values, None)])


def _stands_in(values: FloatArray, without: FloatArray) -> NDArray[np.bool_]:
    """Return where a value is not what it is without a number for what is undefined."""
    return ~np.isclose(without, values, rtol=1e-12, atol=1e-12)


def _ends(ask: Callable[[], Interval], size: int, undefined: NDArray[np.bool_] | None) -> EndsOfGroups:
    """Return the intervals that a function gives for all groups, or why it gives none."""
    try:
        found = ask()
    except InputError as error:
        ends = EndsOfGroups.of([missing_ends(str(error))] * size)
    else:
        method = np.full(size, found.method, dtype=object) if found.method_at is None else found.method_at
        ends = EndsOfGroups(np.asarray(found.low), np.asarray(found.high), method, np.full(size, "", dtype=object))
        for place in np.flatnonzero(np.isinf(ends.low) | np.isinf(ends.high)):
            ends.note[place] = open_ends(float(ends.low[place]), float(ends.high[place]))
        if found.note_at is not None:
            for place in np.flatnonzero(found.note_at):
                ends.note[place] = "; ".join(filter(None, (ends.note[place], found.note_at[place])))
    if undefined is not None and undefined.any():
        none = missing_ends("zero_division stands for what is undefined; leave it out")
        ends.low[undefined], ends.high[undefined] = none.low, none.high
        ends.method[undefined], ends.note[undefined] = none.method, none.note
    return ends


def _noted(found: EndsOfGroups, values: FloatArray, why: Callable[[int], str] | None) -> EndsOfGroups:
    """Return intervals with all there is to say about them and the values.

    :param why: why the value at a place is not finite, if more is known than what it is
    """
    for place in np.flatnonzero(~np.isfinite(values)):
        reason = why_not_finite(float(values[place])) if why is None else why(int(place))
        found.note[place] = Ends(*(column[place] for column in found)).noted(reason)
    return found
