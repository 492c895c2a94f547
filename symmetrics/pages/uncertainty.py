"""Confidence intervals beside values, with reasons where a value or an interval is missing."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.data.counts import Cells, shown
from symmetrics.data.encoding import Passed, column_codes, read_column
from symmetrics.data.gate import distinct_examples, encode
from symmetrics.data.labels import binary_cells
from symmetrics.metric import Metric
from symmetrics.numeric.averaging import Average
from symmetrics.numeric.classes import averaged_confusion, is_indicator
from symmetrics.tools.arguments import Missing
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from symmetrics.matrices import MulticlassMetric
    from symmetrics.statistics.intervals import Interval, Question


Asked: TypeAlias = bool | float | Mapping[str, Any] | None
"""Interval setting: True, a level, or settings of :meth:`symmetrics.Metric.interval`."""
Pairs: TypeAlias = tuple[list[Hashable], list[Hashable], ArrayLike]
"""Distinct pairs of true and predicted labels, and their frequencies."""
COLUMNS: Final = ("low", "high", "method")
"""Columns beside a value with an interval."""
ONE_CLASS: Final[Mapping[str, Any]] = {"labels": [False, True], "pos_label": True, "average": "binary"}
"""Settings for one class against the rest."""
_NONE: Final = "no interval: "


class Ends(NamedTuple):
    """The interval of one value.

    :param low: the lower end, nan where there is no interval
    :param high: the upper end
    :param method: how they were found, empty where they were not
    :param note: why there is no interval, or no end of it, and which classes a mean leaves out; else empty
    :param why: why the method was chosen; empty if it was asked for
    """

    low: float
    high: float
    method: str
    note: str = ""
    why: str = ""

    @property
    def is_missing(self) -> bool:
        """Whether there is no interval."""
        return not self.method

    def noted(self, note: str) -> str:
        """Add all notes; *note* is why the value is not finite, which also explains open ends."""
        return "; ".join(filter(None, (note, self.note if self.is_missing or not note else "")))


class Labels(NamedTuple):
    """The original labels of examples, and the distinct pairs of them.

    :param true: the true labels
    :param predicted: the predicted ones
    :param weight: of each example, None for none
    :param pairs: the distinct true labels, predicted labels, and their numbers of examples; None for examples with
        several labels each
    """

    true: Any
    predicted: Any
    weight: ArrayLike | None
    pairs: Pairs | None

    @classmethod
    def of(cls, true: Any, predicted: Any, weight: ArrayLike | None, missing: Missing = "refuse") -> Labels:
        """Count the labels of examples."""
        if is_indicator(true):
            return cls(true, predicted, weight, None)
        true, predicted = (
            list(part) if isinstance(part, Iterable) and not hasattr(part, "__len__") else part
            for part in (true, predicted)
        )
        coded = encode(true, predicted, weight, missing)
        if coded.kept is not None:
            true, predicted = (_only(part, coded.kept, coded.order) for part in (true, predicted))
            weight = None if weight is None else np.asarray(weight)[coded.kept]
        return cls(true, predicted, weight, distinct_examples(coded))

    @property
    def fewest(self) -> tuple[Any, Any, ArrayLike | None]:
        """The smallest equivalent set of examples: distinct pairs with weights."""
        return (self.true, self.predicted, self.weight) if self.pairs is None else self.pairs

    def against_the_rest(self, label: Hashable) -> Labels:
        """Return the labels True and False: whether they equal a given one."""
        if self.pairs is None:
            raise InputError("one class against the rest is for examples with one label each")
        *pairs, number = self.pairs
        # Read labels as when they were counted: an element of an Arrow array equals no Python label.
        read = (column_codes(part, "labels") for part in (self.true, self.predicted, *pairs))
        found = [np.array([name == label for name in names])[codes].tolist() for names, codes in read]
        return Labels(found[0], found[1], self.weight, (found[2], found[3], number))


def _only(labels: Iterable[Hashable], kept: NDArray[np.bool_], order: list[Hashable] | None) -> Passed:
    """Return the labels of the examples that count."""
    names, codes, offset = read_column(labels, "labels").factor
    return Passed((names[int(code) - offset] for code in codes[kept]), order)


def asked_question(asked: Asked) -> Question | None:
    """Return the requested interval settings; None for none.

    :raises InputError: on what is no level and no settings, and on invalid settings

    >>> asked_question(0.9).level, asked_question(False)
    (0.9, None)
    """
    if asked is None:
        return None
    if isinstance(asked, bool | np.bool_) and not asked:
        return None
    from symmetrics.statistics.intervals import Question

    if isinstance(asked, bool | np.bool_):
        return Question()
    if isinstance(asked, Mapping):
        return Question.of(asked, "interval")
    if isinstance(asked, int | float | np.number):
        return Question(float(asked))
    raise InputError(f"interval={shown(asked)} is no level; pass True, a level such as 0.9, or settings by name")


def ends_of(ask: Callable[..., Interval], *given: Any, question: Question, **settings: Any) -> Ends:
    """Return the ends that a function gives for an interval, or the reason why it gives none.

    >>> from symmetrics.library import metrics
    >>> from symmetrics.statistics.intervals import Question
    >>> ends_of(metrics["recall"].interval, 8, 2, 1, 9, question=Question()).method
    'score'
    >>> ends_of(metrics["mcc"].interval, 8, 2, 1, 9, question=Question(method="exact")).note
    "no interval: method='exact' is for functions of one proportion, and mcc is none; pass method='auto'"
    """
    try:
        found = ask(*given, **asdict(question), **settings)
    except InputError as error:
        return missing_ends(str(error))
    low, high = float(found.low), float(found.high)
    return Ends(low, high, found.method, "; ".join(filter(None, (open_ends(low, high), found.note))), found.why)


def open_ends(low: float, high: float) -> str:
    """Which ends of an interval are infinite, in words; empty if none.

    >>> open_ends(0.5, math.inf), open_ends(0.5, 0.6)
    ('no upper end', '')
    """
    sides = [side for side, end in (("lower", low), ("upper", high)) if math.isinf(end)]
    return f"no {' and no '.join(sides)} end" if sides else ""


def ends_of_labels(
    metric: Metric | MulticlassMetric, value: float, labels: Labels, settings: Mapping[str, Any], question: Question
) -> Ends:
    """Return the interval of a metric of labels, with all notes about it and the value.

    :param value: the metric's value, which has no interval if it stands in for one that is undefined
    :param settings: *labels*, *pos_label*, *average* and *zero_division* of the call, as far as they are given
    """
    given = {name: setting for name, setting in settings.items() if name != "zero_division"}
    average = given.get("average", "binary" if isinstance(metric, Metric) else "macro")
    if labels.pairs is None:
        found = missing_ends("examples with several labels each have none yet; score each label by itself")
    elif average is None:
        found = missing_ends("one value for each class; pass average='macro', or a weight for each class")
    elif not math.isnan(settings.get("zero_division", math.nan)) and not _is_defined(metric, value, labels, given):
        found = missing_ends("zero_division stands for what is undefined; leave it out")
    elif labels.weight is not None:
        weighted = {"sample_weight": labels.weight, **given}
        found = ends_of(metric.interval_from_labels, labels.true, labels.predicted, question=question, **weighted)
    else:
        found = _ends_of_counts(metric, labels.pairs, average, given, question)
    cells = None
    if not math.isfinite(value) and labels.pairs is not None and isinstance(average, str) and average == "binary":
        cells = _cells(labels.pairs, given)
    return found._replace(note=found.noted(why_not_finite(value, metric if cells else None, cells)))


def _ends_of_counts(
    metric: Metric | MulticlassMetric, pairs: Pairs, average: Average, given: Mapping[str, Any], question: Question
) -> Ends:
    if isinstance(metric, Metric) and isinstance(average, str) and average == "binary":
        return ends_of(metric.interval, *_cells(pairs, given), question=question)
    true, predicted, number = pairs
    chosen = given.get("labels")
    matrix, weights, count = averaged_confusion(true, predicted, average, labels=chosen, sample_weight=number)
    if count < len(matrix):
        return missing_ends("labels leaves out classes that occur; name every class")
    ask = metric.interval_from_confusion if isinstance(metric, Metric) else metric.interval
    return ends_of(ask, matrix, question=question, average=weights)


def _cells(pairs: Pairs, given: Mapping[str, Any]) -> Cells:
    true, predicted, number = pairs
    chosen = {name: given[name] for name in ("labels", "pos_label") if name in given}
    return binary_cells(true, predicted, sample_weight=number, **chosen)


def require_any(found: Iterable[Ends]) -> None:
    """Raise if no value has an interval: the requested settings then fit none of them.

    :raises InputError: with the reason of the first
    """
    listed = list(found)
    if listed and all(ends.is_missing for ends in listed):
        raise InputError(listed[0].note)


def why_not_finite(value: float, metric: Any = None, counts: Iterable[Any] | None = None) -> str:
    """Return why a value is not finite, naming what vanishes at given counts; empty if it is finite.

    >>> from symmetrics.library import metrics
    >>> why_not_finite(math.nan, metrics["recall"], (0, 0, 1, 2)), why_not_finite(0.5)
    ('no limit: FN + TP = 0', '')
    """
    if math.isfinite(value):
        return ""
    what = "no limit" if math.isnan(value) else "grows without bound" if value > 0 else "falls without bound"
    if metric is None or counts is None:
        return what
    from sympy import Rational

    from symmetrics.algebra.limits.extension import extension_of
    from symmetrics.language.writer import formula_text

    exact = [Fraction(float(count)) for count in counts]
    zeros = extension_of(metric.at_defaults()).vanishing(*(Rational(c.numerator, c.denominator) for c in exact))
    listed = " and ".join(f"{formula_text(zero)} = 0" for zero in zeros)
    return f"{what}: {listed}" if listed else f"{what} at these counts"


def _is_defined(metric: Metric | MulticlassMetric, value: float, labels: Labels, given: Mapping[str, Any]) -> bool:
    """Whether the value is defined, not a replacement by ``zero_division``."""
    true, predicted, number = labels.fewest
    without = metric(true, predicted, sample_weight=number, **given)
    return math.isclose(float(without), value, rel_tol=1e-12, abs_tol=1e-12)


def missing_ends(reason: str) -> Ends:
    """Return missing ends, with a reason.

    >>> missing_ends("leave it out").note
    'no interval: leave it out'
    """
    return Ends(math.nan, math.nan, "", f"{_NONE}{reason}")
