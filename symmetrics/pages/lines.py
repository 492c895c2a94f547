"""Metrics for more than two classes: of the whole matrix, and averages over one-vs-rest classes."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.data.counts import FloatArray, one_vs_rest
from symmetrics.data.encoding import checked_labels
from symmetrics.data.grouping import GroupCounts
from symmetrics.data.labels import conventional_positive, positive_beside
from symmetrics.data.spelling import check_classes
from symmetrics.library.selections import DOZEN, as_metric
from symmetrics.matrices.names import against_the_rest, whole_matrix_metric
from symmetrics.metric import Metric
from symmetrics.numeric.averaging import AVERAGES, Average
from symmetrics.pages.uncertainty import Ends, ends_of, missing_ends, open_ends, why_not_finite
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from symmetrics.matrices import MulticlassMetric
    from symmetrics.statistics.intervals import Interval, Question


AnyMetric: TypeAlias = "Metric | MulticlassMetric"
"""A binary metric, or a matrix metric; distinguished without importing the latter."""

WHOLE_MATRIX: Final = ("accuracy", "balanced_accuracy", "mcc", "kappa", "cba", "mavg", "rci", "cen")
"""Default matrix metrics for more than two classes."""
_OF_EACH_CLASS: Final = ("precision", "recall", "f1")
"""Default metrics of each class."""
_SHOWN: Final = ("macro", "micro", "weighted")
"""Default averages over the classes."""


@dataclass(frozen=True)
class Line:
    """One reported number on predictions of several classes: a matrix metric or an average.

    :param metric: a metric of the whole matrix, or one of each class against the rest
    :param average: over the classes; ``"macro"`` for a metric of the whole matrix is the metric as it is
    """

    metric: AnyMetric
    average: Average = "macro"

    @property
    def kind(self) -> str:
        """Kind of the number, in words.

        >>> from symmetrics.matrices import multiclass
        >>> Line(multiclass["kappa"]).kind, Line(as_metric("recall"), "micro").kind
        ('whole matrix', 'micro average')
        """
        if not isinstance(self.metric, Metric):
            return "whole matrix"
        return f"{self.average} average" if isinstance(self.average, str) else "average by the weights of the classes"

    @property
    def orders_classes(self) -> bool:
        """Whether the metric depends on the order of the classes."""
        return not isinstance(self.metric, Metric) and self.metric.orders_classes

    def value(self, matrix: ArrayLike) -> float:
        """Return the value at a confusion matrix.

        >>> round(Line(as_metric("accuracy"), "macro").value([[7, 1, 0], [1, 0, 1], [0, 0, 0]]), 3)
        0.8
        """
        return float(self.metric.from_confusion(matrix, average=self.average))

    def ends(self, matrix: ArrayLike, question: Question) -> Ends:
        """Return the interval, or the reason why there is none."""
        ask = self.metric.interval_from_confusion if isinstance(self.metric, Metric) else self.metric.interval
        return ends_of(ask, matrix, question=question, average=self.average)


@dataclass(frozen=True)
class Chosen:
    """The requested metrics, by display name.

    :param two: the binary metrics
    :param given: what was given for each: a name of :data:`symmetrics.multiclass` means, for more than two classes, a
        metric of whole matrices
    :param is_default: whether nothing was asked for, so that more than two classes are scored with metrics of their own
        unless there is an average
    """

    two: Mapping[str, AnyMetric]
    given: Mapping[str, Any]
    is_default: bool = False

    @classmethod
    def of(cls, asked: Mapping[str, tuple[Any, AnyMetric]]) -> Chosen:
        """Collect the requested metrics by display name: as binary metrics, and as given, for more classes.

        >>> from symmetrics.matrices import multiclass
        >>> Chosen.of({"mcc": ("mcc", as_metric("mcc"))}).many["mcc"] is multiclass["mcc"]
        True
        """
        two = {name: metric for name, (_, metric) in asked.items()}
        return cls(two, {name: given for name, (given, _) in asked.items()})

    @classmethod
    def by_default(cls) -> Chosen:
        """Return the default metrics."""
        return cls({name: as_metric(name) for name in DOZEN}, {name: name for name in DOZEN}, is_default=True)

    @cached_property
    def many(self) -> Mapping[str, AnyMetric]:
        """The lines for more than two classes."""
        return {
            name: (whole_matrix_metric(self.given[name], metric.name) or metric) if self.is_named(name) else metric
            for name, metric in self.two.items()
        }

    def is_named(self, name: str) -> bool:
        """Whether a metric was requested by name, rather than as an object."""
        return isinstance(self.given[name], str)

    @property
    def _without_average(self) -> Mapping[str, AnyMetric]:
        """Lines for more than two classes if no average was requested."""
        from symmetrics.matrices.records import multiclass

        return {name: multiclass[name] for name in WHOLE_MATRIX} | {name: as_metric(name) for name in _OF_EACH_CLASS}

    def lines(self, average: Average = None) -> dict[str, Line]:
        """Return the lines for more than two classes, by display name.

        A metric of each class has one line for the average that is asked for, under its own name; without one it has a
        line for each of three, whose names tell which.  A metric of the whole matrix that was asked for by name is
        itself whatever the name of the average, and takes weights of the classes if it is made of means over them.

        >>> list(Chosen.of({name: (name, as_metric(name)) for name in ("mcc", "f1")}).lines())
        ['mcc', 'f1 (macro)', 'f1 (micro)', 'f1 (weighted)']
        """
        chosen = self._without_average if average is None and self.is_default else self.many
        found: dict[str, Line] = {}
        for name, metric in chosen.items():
            if isinstance(metric, Metric):
                wanted = _SHOWN if average is None else [average]
                found |= {_called(name, each, average): Line(metric, each) for each in wanted}
            else:
                found |= self._of_matrix(name, metric, average)
        return found

    def _of_matrix(self, name: str, metric: MulticlassMetric, average: Average) -> dict[str, Line]:
        is_named = isinstance(average, str)
        if average is None or not metric.is_mean or average == "macro" or (is_named and self.is_named(name)):
            return {name: Line(metric)}
        return {f"{name} ({average})" if is_named else name: Line(metric, average)}

    def of_labels(
        self, labels: Iterable[Hashable], settings: Mapping[str, Any]
    ) -> Mapping[str, AnyMetric] | Mapping[str, Line]:
        """Return the metrics for examples with given labels and call settings.

        They are :meth:`lines` with more than two labels, or with a single one that does not say what is positive,
        unless the settings ask for one class or for each.
        """
        average = settings.get("average", "binary")
        if not (isinstance(average, str) and average == "binary"):
            return self.two if average is None else self.lines(average)
        if "average" in settings or "pos_label" in settings:
            return self.two
        named = settings.get("labels")
        every = {*labels, *(checked_labels(named) if isinstance(named, Collection) else ())}
        is_unsaid = len(every) == 1 and conventional_positive([*every, 1]) is None and 1 not in every
        return self.lines() if len(every) > 2 or is_unsaid else self.two


@dataclass(frozen=True)
class Scoring:
    """A request for scores of a file.

    :param metrics: of two classes, by the names under which they are listed
    :param measures: names of :data:`symmetrics.curves.measures.SCORE_MEASURES`
    :param positive: the positive label, None for the one by convention
    :param average: the one over the classes that is asked for, if any
    :param question: what intervals are asked for, if any
    :param many: the lines for more than two classes, or under an average
    """

    metrics: Mapping[str, AnyMetric]
    measures: tuple[str, ...] = ()
    positive: str | None = None
    average: str | None = None
    question: Question | None = None
    many: Chosen | None = None

    @cached_property
    def lines(self) -> Mapping[str, Line]:
        """The lines for more than two classes, or for the requested average, by display name."""
        return {} if self.many is None else self.many.lines(self.average)

    def takes_all(self, labels: Collection[str], source: str) -> bool:
        """Whether all classes are scored together, instead of one against the rest.

        A single class is, where nothing says whether it is the positive one.

        :raises InputError: on more than two labels if two are probably one class
        """
        if self.average is not None:
            return True
        if self.positive is not None or self.measures or self.many is None or not self.many.two or len(labels) == 2:
            return False
        if len(labels) == 1:
            return positive_beside(next(iter(labels))) is None
        check_classes(labels, source)
        return True


def value_at_counts(metric: AnyMetric, counts: Sequence[Any], zero_division: float = math.nan) -> Any:
    """Return the value at the four counts TP, FN, FP and TN, numbers or arrays of one shape.

    >>> from symmetrics.matrices import multiclass
    >>> value_at_counts(multiclass["kappa"], (6, 1, 1, 2)) == value_at_counts(as_metric("kappa"), (6, 1, 1, 2))
    True
    """
    if isinstance(metric, Metric):
        return metric.from_counts(*counts, zero_division=zero_division)
    return metric.from_confusion(_matrices(counts), zero_division=zero_division)


def ends_at_counts(metric: AnyMetric, counts: Sequence[Any], question: Question) -> Ends:
    """Return the interval at the four counts, or the reason why there is none."""
    return ends_of(metric.interval, *given_at_counts(metric, counts), question=question)


def given_at_counts(metric: AnyMetric, counts: Sequence[Any]) -> Sequence[Any]:
    """Return the arguments for an interval of a metric from four counts: the counts, or 2x2 matrices."""
    return counts if isinstance(metric, Metric) else [_matrices(counts)]


def _matrices(counts: Sequence[Any]) -> FloatArray:
    tp, fn, fp, tn = (np.asarray(count, dtype=np.float64) for count in counts)
    return np.stack([np.stack([tp, fn], axis=-1), np.stack([fp, tn], axis=-1)], axis=-2)


def _called(name: str, average: Average, asked: Average) -> str:
    """Return unique display name of an average over classes."""
    told = average if isinstance(average, str) else "weighed"
    called = against_the_rest(name, told)
    return called if called != name or asked is not None else f"{name} ({told})"


# -- Values of metrics for many groups of examples as arrays, with intervals and notes ---------------------------------


Words: TypeAlias = NDArray[np.object_]
Settings: TypeAlias = Mapping[str, Any]

_OF_COUNTS: Final = frozenset(["labels", "pos_label", "average", "zero_division"])
"""Call settings under which a metric is a function of each group's counts."""


class EndsOfGroups(NamedTuple):
    """Intervals of the groups' values as arrays; the counterpart of :class:`symmetrics.pages.uncertainty.Ends`."""

    low: FloatArray
    high: FloatArray
    method: Words
    note: Words

    @classmethod
    def of(cls, found: list[Ends]) -> EndsOfGroups:
        """Collect the ends of each group into arrays."""
        low, high, method, note, _ = zip(*found, strict=True)
        return cls(np.array(low), np.array(high), *(np.array(part, dtype=object) for part in (method, note)))


class GroupValues(NamedTuple):
    """The values of one metric: one of each group, or one of each group and class.

    :param values: shape (groups,) or (groups, classes)
    :param sure: the confidence intervals of the values, for each group and class, if requested
    """

    values: FloatArray
    sure: list[EndsOfGroups]


def is_of_counts(settings: Settings, labels: list[Hashable]) -> bool:
    """Whether, under given settings, values are computed from the counts of all groups at once.

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
    # Matrices come in blocks, by the labels that occur in them; restore the groups' order.
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
    """Return the values of a binary metric at tables of TP, FN, FP and TN, a row each."""
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
    # One value per class: intervals are those of each class against the rest.
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
    """Mask of values that come from replacing an undefined result by a number."""
    return ~np.isclose(without, values, rtol=1e-12, atol=1e-12)


def _ends(ask: Callable[[], Interval], size: int, undefined: NDArray[np.bool_] | None) -> EndsOfGroups:
    """Return the intervals that a function gives for all groups, or the reason for their absence."""
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
    """Add all notes about intervals and values.

    :param why: why the value at a place is not finite, if more is known than what it is
    """
    for place in np.flatnonzero(~np.isfinite(values)):
        reason = why_not_finite(float(values[place])) if why is None else why(int(place))
        found.note[place] = Ends(*(column[place] for column in found)).noted(reason)
    return found
