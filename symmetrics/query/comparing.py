"""Is one classifier better than another?  The difference of a metric, its interval, and an exact test."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from math import inf, isnan, nan
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from symmetrics.metric import Metric
from symmetrics.metric.uncertainty import range_of
from symmetrics.numeric.counts import FloatArray, as_cells, named_cells, shown
from symmetrics.numeric.intervals import Formula, Interval, Question, estimated, probability_above
from symmetrics.numeric.intervals.designs import interval_of_sample, probability_above_of_sample
from symmetrics.numeric.intervals.pairs import (
    FIRST,
    JOINT_GROUPS,
    JOINT_ROWS,
    SECOND,
    SEPARATE_GROUPS,
    Difference,
    joint_places,
    permutation_test,
)
from symmetrics.numeric.intervals.samples import Drawn, Places, sample_of, table_of
from symmetrics.query.proving import as_metric
from symmetrics.tools.errors import InputError
from symmetrics.tools.settings import advising

__all__ = ["Comparison", "compare", "compare_counts", "compared_examples"]


@dataclass(frozen=True)
class Comparison:
    """How a second classifier does against a first one.

    :param metric: the name of the metric
    :param first: its value for the first classifier
    :param second: that for the second
    :param difference: the second minus the first, or over it
    :param low: the lower end of the interval for the difference
    :param high: the upper end
    :param p_value: how often a difference as large arises if the predictions of each example are exchanged at random;
        nan for different and for weighted examples, and for an infinite difference
    :param probability: how probable it is, after the data, that the second has the greater value
    :param practical: how probable it is that they differ by less than what was asked for; None if nothing was
    :param level: of the interval
    :param method: of the interval
    :param test: what the p-value is of
    :param is_ratio: whether *difference* is the second over the first
    """

    metric: str
    first: float
    second: float
    difference: float
    low: float
    high: float
    p_value: float
    probability: float
    practical: float | None
    level: float
    method: str
    test: str
    is_ratio: bool = False

    def __repr__(self) -> str:
        what = "ratio" if self.is_ratio else "difference"
        lines = [
            f"{self.metric}: {self.first:.4g} and {self.second:.4g}, {what} {self.difference:.4g}",
            f"{100 * self.level:g} % interval of the {what}: {self.low:.4g} to {self.high:.4g} ({self.method})",
            f"probability that the second is greater: {self.probability:.3g}",
        ]
        if self.practical is not None:
            lines.append(f"probability that they are practically the same: {self.practical:.3g}")
        if self.p_value == self.p_value:
            lines.append(f"p-value: {self.p_value:.3g} ({self.test})")
        return "\n".join(lines)


@advising("write compare(y_true, pred_a, pred_b, metric); two tables are compared by compare_counts")
def compare(
    y_true: Iterable[Hashable],
    pred_a: Iterable[Hashable],
    pred_b: Iterable[Hashable],
    metric: object = "mcc",
    *,
    labels: Iterable[Hashable] | None = None,
    pos_label: Hashable = 1,
    sample_weight: ArrayLike | None = None,
    ratio: bool = False,
    same: float | None = None,
    level: float = 0.95,
    method: str = "auto",
    sampling: str = "multinomial",
    draws: int = 10_000,
    prior: float = 0.5,
    seed: int = 0,
) -> Comparison:
    """Compare two predictions of the same examples by a metric.

    The predictions go together, so that the interval is that of a pair and not of two separate samples.

    :param metric: a metric, an expression over the cells, or the name of a metric of the library
    :param sample_weight: how much each example stands for, as in :meth:`Metric.interval_from_labels`: an example of
        weight 2 is not two of them; the method is then ``"delta"`` or ``"bootstrap"``, and there is no test
    :param ratio: compare by the quotient of the values, and not by their difference
    :param same: a difference that does not matter in practice; the comparison then says how probable a smaller one is
    :param level: see :meth:`Metric.interval`, as for *method*, *sampling*, *draws*, *prior* and *seed*
    :raises InputError: on labels, a metric or settings that are none, and where the metric has no value

    >>> truth = [1] * 50 + [0] * 50
    >>> one = [1] * 30 + [0] * 20 + [0] * 45 + [1] * 5
    >>> other = [1] * 42 + [0] * 8 + [0] * 44 + [1] * 6
    >>> compare(truth, one, other, "f1")
    f1: 0.7059 and 0.8571, difference 0.1513
    95 % interval of the difference: 0.06872 to 0.249 (bayes)
    probability that the second is greater: 1
    p-value: 0.000488 (exact permutation test)
    """
    question, asked = Question(level, method, sampling, draws, prior, seed), as_metric(metric)
    columns = {"y_true": y_true, "pred_a": pred_a, "pred_b": pred_b}
    (places,) = joint_places(columns, [(1, 2)], labels=labels, pos_label=pos_label)
    return compared_examples(asked, places, question, sample_weight=sample_weight, ratio=ratio, same=same)


def compared_examples(
    metric: Metric,
    places: Places,
    question: Question,
    *,
    sample_weight: ArrayLike | None = None,
    ratio: bool = False,
    same: float | None = None,
) -> Comparison:
    """Compare two predictions of the same examples.

    :param places: the entry of each example, as :func:`~symmetrics.numeric.intervals.pairs.joint_places` returns them
    :raises InputError: on settings and weights that are none
    """
    formula = Formula(metric.at_defaults(), range_of(metric))
    difference = Difference(formula, FIRST, SECOND, ratio)
    if sample_weight is not None:
        return _compared_by_weight(metric, difference, places, sample_weight, question, same)
    joint = table_of(places, len(JOINT_ROWS))
    found = _compared(metric, difference, joint, JOINT_GROUPS[question.sampling], question, same)
    p_value, is_exact = permutation_test(formula, joint, draws=question.draws, seed=question.seed)
    if isnan(p_value):
        return found(p_value=nan, test="none, as the difference is infinite")
    return found(p_value=p_value, test=f"{'exact' if is_exact else f'{question.draws} draws of the'} permutation test")


def _compared_by_weight(
    metric: Metric,
    difference: Difference,
    places: Places,
    sample_weight: ArrayLike,
    question: Question,
    same: object,
) -> Comparison:
    """Compare examples of which each is drawn by itself and stands for as many as its weight says."""
    strata = JOINT_ROWS[places] if question.sampling == "binomial" else None
    sample = sample_of(places, JOINT_ROWS, Drawn(strata=strata, sample_weight=sample_weight))
    interval = interval_of_sample(difference, sample, replace(question, sampling="multinomial"))
    above = partial(probability_above_of_sample, difference, sample)
    told = _told(metric, difference, sample.total[:, 0], interval, above, same)
    return told(p_value=nan, test="none, as weighted examples cannot be exchanged")


@advising("write compare_counts((TP, FN, FP, TN), (TP, FN, FP, TN), metric)")
def compare_counts(
    table_a: object,
    table_b: object,
    metric: object = "mcc",
    *,
    ratio: bool = False,
    same: float | None = None,
    level: float = 0.95,
    method: str = "auto",
    sampling: str = "multinomial",
    draws: int = 10_000,
    prior: float = 0.5,
    seed: int = 0,
) -> Comparison:
    """Compare two classifiers on different examples by a metric.

    :param table_a: the counts TP, FN, FP, TN of the first, of its own examples; in any order if they have names, as in
        a mapping or a row of a data frame
    :param table_b: those of the second
    :raises InputError: as :func:`compare`

    >>> compare_counts((30, 20, 5, 45), (42, 8, 6, 44), "recall").low > 0
    True
    """
    question, asked = Question(level, method, sampling, draws, prior, seed), as_metric(metric)
    given = {"table_a": table_a, "table_b": table_b}
    tables = [np.stack(as_cells(*_four(name, table))) for name, table in given.items()]
    entries = np.concatenate(tables)
    none, one = np.zeros((4, 4)), np.eye(4)
    formula = Formula(asked.at_defaults(), range_of(asked))
    difference = Difference(formula, np.hstack([one, none]), np.hstack([none, one]), ratio, 1.0)
    found = _compared(asked, difference, entries, SEPARATE_GROUPS[sampling], question, same)
    return found(p_value=nan, test="none, as different examples cannot be exchanged")


def _values(name: str, difference: Difference, entries: FloatArray, compared: float) -> tuple[float, float]:
    """Return the values of a metric for both classifiers.

    :param compared: their difference, or quotient
    :raises InputError: if one of them has no value, or these have no difference
    """
    values = []
    for which, cells in (("first", difference.first @ entries), ("second", difference.second @ entries)):
        values.append(float(difference.metric.values(cells[:, None])[0]))
        if isnan(values[-1]):
            counts = ", ".join(f"{cell:.15g}" for cell in cells)
            raise InputError(
                f"{name} has no value for the {which}, at (TP, FN, FP, TN) = ({counts}); compare by another metric"
            )
    if isnan(compared):
        what = "ratio" if difference.is_ratio else "difference"
        raise InputError(f"{name} is {values[0]:g} and {values[1]:g}, which have no {what}; compare by another metric")
    return values[0], values[1]


def _four(name: str, table: object) -> list[Any]:
    cells = list(named_cells(table) or table) if isinstance(table, Iterable) else []
    if len(cells) != 4 or any(np.ndim(cell) for cell in cells):
        raise InputError(f"{name}={shown(table)} is no table; pass four counts, TP, FN, FP, TN")
    return cells


def _compared(
    metric: Metric,
    difference: Difference,
    entries: FloatArray,
    groups: tuple[tuple[int, ...], ...],
    question: Question,
    same: object,
) -> partial[Comparison]:
    """Return the comparison of what is drawn example by example, without its test."""
    interval = estimated(difference, entries, groups, question)
    above = partial(probability_above, difference, entries, groups, question)
    return _told(metric, difference, entries, interval, above, same)


def _told(
    metric: Metric,
    difference: Difference,
    entries: FloatArray,
    interval: Interval,
    above: Callable[[float], float],
    same: object,
) -> partial[Comparison]:
    """Return the comparison without its test.

    :param above: how probable it is that the difference, or ratio, is above a number
    """
    if same is not None and (isinstance(same, bool) or not isinstance(same, Real) or not 0 < float(same) < inf):
        raise InputError(f"same={shown(same)} is no difference; pass a number that is positive, such as 0.01")
    first, second = _values(metric.name, difference, entries, float(interval.estimate))
    middle = 1.0 if difference.is_ratio else 0.0
    practical = None if same is None else above(middle - float(same)) - above(middle + float(same))
    return partial(
        Comparison,
        metric=metric.name,
        first=first,
        second=second,
        difference=float(interval.estimate),
        low=float(interval.low),
        high=float(interval.high),
        probability=above(middle),
        practical=practical,
        level=interval.level,
        method=interval.method,
        is_ratio=difference.is_ratio,
    )
