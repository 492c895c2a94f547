"""Intervals of a metric's value, kept within its proved range."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike

from symmetrics.data.counts import as_counts, as_matrices
from symmetrics.numeric.averaging import Average
from symmetrics.numeric.classes import matched, named_rows
from symmetrics.statistics.averages import ClassAverage, MatrixEstimator, RightAndWrong, one_value
from symmetrics.statistics.intervals import Formula, Interval, Question, Range
from symmetrics.statistics.methods import interval, matrix_interval, matrix_interval_of_examples
from symmetrics.statistics.resampling import interval_of_sample
from symmetrics.statistics.samples import CELL_ROWS, Drawn, binary_places, matrix_places, sample_of, table_of
from symmetrics.tools.arguments import Missing

if TYPE_CHECKING:
    from sympy import Expr

    from symmetrics.metric.metric import Metric


_SECONDS: Final = 5.0
"""Time limit for deciding the range of a user's formula; an undecided end counts as infinite."""


def interval_at(
    metric: Metric, counts: tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike], question: Question
) -> Interval:
    """Return an interval for a metric at counts of TP, FN, FP and TN."""
    return interval(metric.computable, range_of(metric), as_counts(*counts), question, name=metric.name)


def interval_of_average(
    metric: Metric,
    confusion: ArrayLike,
    average: Average,
    question: Question,
    *,
    labels: Iterable[Hashable] | None = None,
) -> Interval:
    """Return an interval for an average of a metric over the classes of confusion matrices.

    :raises InputError: on an average that is none, or has one value for each class
    """
    given, names = named_rows(confusion, labels, one_value(average))
    matrices = as_matrices(given)
    classes = matrices.shape[-1]
    weights = matched(average, names, classes)
    if metric.counts_examples(average):
        right = matrices.diagonal(axis1=-2, axis2=-1).sum(axis=-1)
        return interval_at(metric, (right, matrices.sum(axis=(-2, -1)) - right, 0, 0), question)
    return matrix_interval(ClassAverage(_formula(metric), classes, weights), matrices, question, names)


def estimator_of_average(metric: Metric, classes: int, average: Average) -> MatrixEstimator:
    """Return an average of a metric over classes as an estimator from the entries of a matrix.

    :param average: with its weights in the order of the rows
    :raises InputError: on an average that is none, or has one value for each class
    """
    one_value(average)
    kind = RightAndWrong if metric.counts_examples(average) else ClassAverage
    return kind(_formula(metric), classes, average)


def interval_of_examples(
    metric: Metric,
    y_true: Iterable[Hashable],
    y_pred: Iterable[Hashable],
    drawn: Drawn,
    question: Question,
    *,
    labels: Iterable[Hashable] | None,
    pos_label: Hashable,
    average: Average,
    missing: Missing = "refuse",
) -> Interval:
    """Return an interval for a metric, or its average over classes, from labels of examples."""
    examples, drawn = drawn.examples({"y_true": y_true, "y_pred": y_pred}, missing)
    if isinstance(average, str) and average == "binary":
        places = binary_places(examples, labels, pos_label)
        if drawn.is_plain:
            tp, fn, fp, tn = table_of(places, 4)
            return interval_at(metric, (tp, fn, fp, tn), question)
        return interval_of_sample(_formula(metric), sample_of(places, CELL_ROWS, drawn), question)
    places, names = matrix_places(examples, labels, one_value(average))
    classes = len(names)
    weights = matched(average, names, classes)
    if drawn.is_plain:
        matrix = table_of(places, classes**2).reshape(classes, classes)
        return matrix_interval(ClassAverage(_formula(metric), classes, weights), matrix, question, names)
    if metric.counts_examples(average):
        is_wrong = (places // classes != places % classes).astype(np.intp)
        return interval_of_sample(_formula(metric), sample_of(is_wrong, CELL_ROWS, drawn), question)
    whole = ClassAverage(_formula(metric), classes, weights)
    return matrix_interval_of_examples(whole, places, drawn, question, names)


def _formula(metric: Metric) -> Formula:
    return Formula(metric.computable, range_of(metric))


def range_of(metric: Metric) -> Range:
    """Return the range of the values at the default parameters: recorded, or decided now.

    >>> from symmetrics.language.cells import FN, TP
    >>> from symmetrics.metric import Metric
    >>> range_of(Metric("mine", (TP - FN) / (TP + FN)))
    Range(low=-1.0, high=1.0)
    """
    return _proved(metric.at_defaults(), metric.name) if metric.bounds is None else Range(*metric.bounds)


@lru_cache(maxsize=256)
def _proved(expression: Expr, name: str) -> Range:
    from symmetrics.claims.families.limits import Bounded
    from symmetrics.claims.recorded import ANEW, recorded_verdict
    from symmetrics.prover.acceptance import decide_and_check

    claim = Bounded(expression, ())
    # A certificate is used only if it is about this exact claim, whatever the metric's name.
    verdict = None if ANEW.get() else recorded_verdict(lambda: claim, metric=name, property="range")
    if verdict is None:
        verdict = decide_and_check(claim, metric="formula", property="range", seconds=_SECONDS)
    ends = verdict.evidence.data if verdict.evidence.kind == "range" and verdict.status != "open" else {}
    return Range(*(_number(ends[name]["bound"]) if name in ends else end for name, end in _INFINITE.items()))


_INFINITE: Final = {"lower": -inf, "upper": inf}


def _number(text: str) -> float:
    from symmetrics.language.formula import parse_formula

    return float(text.replace("oo", "inf")) if "oo" in text else float(parse_formula(text))
