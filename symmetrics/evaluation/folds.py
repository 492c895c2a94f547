"""Compare two classifiers by scores from cross-validation or repeated splits, whose training sets overlap."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from numbers import Real
from typing import Any, Final, SupportsIndex

import numpy as np
from scipy.special import stdtr, stdtrit

from symmetrics.data.counts import Cells, FloatArray, as_cells, as_counts, as_matrices, cells_from_confusion, shown
from symmetrics.data.frames import same_columns, same_rows
from symmetrics.data.labels import ConfusionMatrix
from symmetrics.evaluation.comparison import require_same
from symmetrics.language.cells import TN
from symmetrics.library import metrics
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.metric.priors import is_homogeneous
from symmetrics.numeric.averaging import Average, as_zero_division
from symmetrics.numeric.classes import named_rows, place_of_positive
from symmetrics.statistics.intervals import Question
from symmetrics.tools.arguments import advising
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of, probability_in_words

_ROUNDING: Final = 8 * np.finfo(float).eps
"""Differences with a relative spread below this vary by rounding only."""


@dataclass(frozen=True)
class FoldComparison:
    """The result of comparing a second classifier with a first one on the same folds.

    :param first: the mean score of the first
    :param second: that of the second
    :param difference: the second minus the first
    :param low: the lower end of the interval for the expected difference
    :param high: the upper end
    :param p_value: of the corrected resampled t-test, two-sided
    :param probability: how probable it is, after the scores, that the second has the greater expected score
    :param practical: how probable it is that they differ by less than what was asked for; None if nothing was
    :param folds: how many scores there are of each
    :param inflation: how many times as large as that of independent scores the variance of their mean is taken to be
    :param level: of the interval
    """

    first: float
    second: float
    difference: float
    low: float
    high: float
    p_value: float
    probability: float
    practical: float | None
    folds: int
    inflation: float
    level: float

    def __repr__(self) -> str:
        lines = [
            f"{self.first:.4g} and {self.second:.4g} over {number_of(self.folds, 'fold')}, "
            f"difference {self.difference:.4g}",
            f"{100 * self.level:g} % interval of the difference: {self.low:.4g} to {self.high:.4g} "
            f"(variance times {self.inflation:.3g} for the overlap of training sets)",
            f"probability that the second is greater: {probability_in_words(self.probability)}",
        ]
        if self.practical is not None:
            lines.append(f"probability that they are practically the same: {probability_in_words(self.practical)}")
        return "\n".join([*lines, f"p-value: {self.p_value:.3g} (corrected resampled t-test)"])


@advising("write compare_folds(scores_a, scores_b, test_share=0.1), the share of the data in each test fold")
def compare_folds(
    scores_a: object, scores_b: object, *, test_share: float, same: float | None = None, level: float = 0.95
) -> FoldComparison:
    """Compare two classifiers by their scores on the same folds, or on the same random splits.

    The scores of folds are not independent, because the training sets overlap, and a paired t-test finds differences
    where there are none.  Here the variance of the mean difference is taken to be (1/n + test/train)*s**2 and not
    s**2/n (C. Nadeau & Y. Bengio, Inference for the Generalization Error, Machine Learning 52, 2003; for repeated
    cross-validation R. Bouckaert & E. Frank, PAKDD 2004).  The posterior of the expected difference under the matching
    model, with the correlation test/(train + test), is the same t distribution, which gives the probabilities
    (G. Corani & A. Benavoli, A Bayesian approach for comparing cross-validated algorithms, Machine Learning 100, 2015).

    :param scores_a: the scores of the first, one for each fold, of any shape such as (runs, folds)
    :param scores_b: those of the second on the same folds; of two Series or data frames by name, where the folds of
        both have the same names
    :param test_share: what share of the examples each fold is tested on, test/(train + test): 1/k for k folds, however
        often repeated
    :param same: a difference that does not matter in practice, positive; the comparison then says how probable a
        smaller one is
    :param level: of the interval, inside (0, 1)
    :raises InputError: on scores that are no numbers or not as many, fewer than two, all different by the same amount,
        so that nothing tells how sure it is, and on invalid settings

    >>> compare_folds([0.80, 0.82, 0.79, 0.85, 0.81], [0.83, 0.84, 0.80, 0.86, 0.86], test_share=1/5, same=0.01)
    0.814 and 0.838 over 5 folds, difference 0.024
    95 % interval of the difference: -0.007166 to 0.05517 (variance times 2.25 for the overlap of training sets)
    probability that the second is greater: 0.95
    probability that they are practically the same: 0.121
    p-value: 0.0993 (corrected resampled t-test)
    """
    Question(level=level)  # raises the error on a wrong level
    share: object = test_share
    if not isinstance(share, Real) or not 0 < float(share) < 1:
        raise InputError(
            f"test_share={shown(test_share)} is no share; pass test/(train + test), which is 1/k for k folds"
        )
    require_same(same)
    scores_b = _in_order_of(scores_a, scores_b)
    first, second = _scores("scores_a", scores_a), _scores("scores_b", scores_b)
    shapes = [np.asarray(scores).shape for scores in (scores_a, scores_b)]
    if min(map(len, shapes)) > 1 and shapes[0] != shapes[1]:
        raise InputError(f"the scores have the shapes {shapes[0]} and {shapes[1]}; put folds and runs in one order")
    if first.size != second.size or first.size < 2:
        raise InputError(
            f"{first.size} and {second.size} scores make no pairs; pass those of the same folds, two or more of each"
        )
    differences, number = second - first, first.size
    mean = float(differences.mean())
    # Nadeau & Bengio: 1/n + test/train in place of 1/n, as a factor of the variance.
    inflation = 1 + number * test_share / (1 - test_share)
    error = _deviation(first, second) * sqrt(inflation / number)
    degrees = number - 1

    def below(threshold: float) -> float:
        if error == 0:
            return 0.5 if threshold == 0 else float(threshold > 0)
        return float(stdtr(degrees, (threshold - mean) / error))

    # Student's t with n - 1 degrees of freedom, for the interval, the test and the posterior alike.
    reach = float(stdtrit(degrees, (1 + level) / 2)) * error
    return FoldComparison(
        first=float(first.mean()),
        second=float(second.mean()),
        difference=mean,
        low=mean - reach,
        high=mean + reach,
        p_value=1.0 if error == 0 else 2 * float(stdtr(degrees, -abs(mean) / error)),
        probability=1 - below(0.0),
        practical=None if same is None else below(same) - below(-same),
        folds=number,
        inflation=inflation,
        level=level,
    )


def _deviation(first: FloatArray, second: FloatArray) -> float:
    """Return the standard deviation of the differences, 0 if there are none.

    :raises InputError: if there is one and the same difference in all folds
    """
    differences = second - first
    rounding = _ROUNDING * max(np.abs(first).max(), np.abs(second).max())
    if np.ptp(differences) > rounding:
        return float(differences.std(ddof=1))
    if np.abs(differences).max() <= rounding:
        return 0.0
    raise InputError(
        f"the scores differ by {differences[0]:.4g} in each of the "
        f"{number_of(differences.size, 'fold')}, so that nothing tells how "
        "sure the difference is; pass the scores of more folds, with all their digits"
    )


def _in_order_of(first: object, second: object) -> object:
    """Return the second scores with rows and columns ordered as the first's, where both have the same names."""
    names = "scores_a", "scores_b"
    rows, columns = same_rows(first, second, names), same_columns(first, second, names)
    found = second if rows is None else np.asarray(second)[rows]
    return found if columns is None else np.asarray(found)[:, columns]


def _scores(name: str, scores: object) -> FloatArray:
    try:
        values = np.asarray(scores, dtype=np.float64).reshape(-1)
    except (OverflowError, TypeError, ValueError):
        values = np.empty(0)
    if not values.size or not np.isfinite(values).all():
        raise InputError(f"{name}={shown(scores)} are not scores; pass a number for each fold, none of them missing")
    return values


# ----------------------------------------------------------------------------------------------------------------------
# Metrics over cross-validation folds: mean of the folds' values, and value of the pooled counts.


@dataclass(frozen=True)
class OverFolds:
    """A metric aggregated over folds in each of the usual ways; the results differ.

    :param metric: the name of the metric
    :param mean_of_folds: the mean of the values of the folds; Forman & Scholz call that of F1 F_avg
    :param pooled: the value of the sum of the folds' tables; theirs is F_tp,fp
    :param of_means: the value at the mean precision and the mean recall of the folds; theirs is F_pr,re.  Only a
        function of precision and recall alone has one, all others nan.
    :param values: the value of each fold, nan where it has none
    :param undefined: the indices of the folds that have no value, whatever *zero_division* put there
    """

    metric: str
    mean_of_folds: float
    pooled: float
    of_means: float
    values: FloatArray = field(repr=False, compare=False)
    undefined: tuple[int, ...]

    def __repr__(self) -> str:
        lines = [
            f"{self.metric} over {number_of(len(self.values), 'fold')}",
            f"mean of folds: {self.mean_of_folds:.4g}{self._left_out()}",
            f"of pooled counts: {self.pooled:.4g}",
        ]
        if not math.isnan(self.of_means):
            lines.append(f"of mean precision and mean recall: {self.of_means:.4g}")
        return "\n".join(lines)

    def _left_out(self) -> str:
        if not self.undefined:
            return ""
        number = len(self.undefined)
        left = "left out" if np.isnan(self.values[list(self.undefined)]).all() else "filled in"
        return f" ({number} {'fold' if number == 1 else 'folds'} without a value {left})"


def over_folds(
    metric: object,
    tables: Any,
    *,
    average: Average = "binary",
    positive: SupportsIndex = 1,
    zero_division: float = math.nan,
) -> OverFolds:
    """Return a metric over cross-validation folds: mean of the folds' values, and value of the pooled counts.

    For accuracy both are the same where folds are equally large.  For F1, and whatever else is no mean over examples,
    they are not: where positive examples are few the mean of folds is too low, and the value of the mean precision and
    recall is biased too, so that results under one name cannot be compared (G. Forman & M. Scholz, Apples-to-apples in
    cross-validation studies, SIGKDD Explorations 12, 2010).  They recommend pooled counts for F1.

    :param metric: a metric, an expression over the cells, or the name of a metric of the library
    :param tables: counts TP, FN, FP, TN of each fold, shape (folds, 4); confusion matrices, shape (folds, k, k), with
        true classes in rows; a data frame with tp, fn, fp and tn; or a list of :class:`ConfusionMatrix` or data frames
    :param average: over the classes, as for :meth:`Metric.from_confusion`
    :param positive: the index of the positive class of confusion matrices
    :param zero_division: what a fold without a value counts as; by default it is left out of the mean
    :raises InputError: on invalid tables, and as :meth:`Metric.from_confusion`

    >>> over_folds("f1", [[8, 2, 1, 89], [1, 4, 0, 95], [0, 0, 0, 100]])
    f1 over 3 folds
    mean of folds: 0.5877 (1 fold without a value left out)
    of pooled counts: 0.72
    of mean precision and mean recall: 0.6538
    >>> over_folds("f1", [[8, 2, 1, 89], [1, 4, 0, 95], [0, 0, 0, 100]], zero_division=0).mean_of_folds
    0.391...
    """
    asked, zero_division = as_metric(metric), as_zero_division(zero_division)
    matrices, names = _matrices(tables)
    if not (isinstance(average, str) and average == "binary"):
        if matrices is None:
            raise InputError(
                f"average={shown(average)} is for confusion matrices; pass an array of shape (folds, k, k)"
            )
        both = (
            asked.from_confusion(given, average=average, labels=names) for given in (matrices, matrices.sum(axis=0))
        )
        values, pooled = (np.asarray(value, dtype=np.float64) for value in both)
        _require_folds(values.shape[:1])
        if values.ndim != 1:
            raise InputError(f"average={shown(average)} gives a value for each class; pass 'macro', 'micro', ...")
        return _summed_up(asked, values, float(pooled), math.nan, zero_division)
    if matrices is None:
        cells = as_cells(*as_counts(tables))
    else:
        cells = cells_from_confusion(matrices, place_of_positive(positive, names))
    _require_folds(cells.tp.shape)
    values = np.asarray(asked.from_counts(*cells), dtype=np.float64)
    total = float(asked.from_counts(*(cell.sum() for cell in cells)))
    return _summed_up(asked, values, total, _of_means(asked, cells, zero_division), zero_division)


def _summed_up(metric: Metric, values: FloatArray, pooled: float, of_means: float, zero_division: float) -> OverFolds:
    undefined = np.isnan(values)
    filled = np.where(undefined, zero_division, values)
    return OverFolds(
        metric=metric.name,
        mean_of_folds=_mean(filled),
        pooled=zero_division if math.isnan(pooled) else pooled,
        of_means=of_means,
        values=filled,
        undefined=tuple(np.flatnonzero(undefined).tolist()),
    )


def _mean(values: FloatArray) -> float:
    """Return the mean of the defined values; nan if none is defined, or if infinities of both signs occur."""
    known = values[~np.isnan(values)]
    with np.errstate(invalid="ignore"):
        return float(known.mean()) if known.size else math.nan


def _of_means(metric: Metric, cells: Cells, zero_division: float) -> float:
    """Return the value at the mean precision and recall; nan if the metric does not depend on these alone."""
    if TN in metric.at_defaults().free_symbols or not is_homogeneous(metric):
        return math.nan
    rates = (metrics[name].from_counts(*cells, zero_division=zero_division) for name in ("precision", "recall"))
    precision, recall = (_mean(np.asarray(rate)) for rate in rates)
    if math.isnan(precision) or math.isnan(recall):
        return math.nan
    if precision == 0 or recall == 0:
        return float(metric.from_counts(0, 1, 1, 0))
    # A table with this precision and recall; any metric of the two has the same value at all such tables.
    right = precision * recall
    return float(metric.from_counts(right, precision - right, recall - right, 0))


def _matrices(tables: Any) -> tuple[FloatArray | None, list[Any] | None]:
    """Return confusion matrices, shape (folds, k, k), with the names of their classes; None for tables of counts.

    :raises InputError: on what is neither
    """
    if isinstance(tables, list | tuple) and tables and all(isinstance(table, ConfusionMatrix) for table in tables):
        return _same_classes(tables)
    given, names = named_rows(tables, None, "binary") if isinstance(tables, list | tuple) else (tables, None)
    if getattr(getattr(given, "dtype", None), "names", None) or hasattr(given, "columns"):
        return None, None
    try:
        raw = np.asarray(given)
    except ValueError:
        raw = np.empty(())
    if raw.ndim == 2 and raw.shape[-1] == 4:
        return None, None
    if raw.ndim == 3 and raw.shape[-1] == raw.shape[-2]:
        return as_matrices(given), names
    raise InputError(
        f"tables={shown(tables)} are no tables of folds; pass counts of shape (folds, 4) or matrices of shape "
        "(folds, k, k)"
    )


def _same_classes(tables: Sequence[ConfusionMatrix]) -> tuple[FloatArray, list[Any]]:
    """Extend the matrices to the classes of all folds: a fold may lack some."""
    classes = sum(tables[1:], start=tables[0]).labels
    place = {label: index for index, label in enumerate(classes)}
    matrices = np.zeros((len(tables), len(classes), len(classes)))
    for matrix, table in zip(matrices, tables, strict=True):
        places = [place[label] for label in table.labels]
        matrix[np.ix_(places, places)] = table.matrix
    return matrices, classes


def _require_folds(shape: tuple[int, ...]) -> None:
    if len(shape) != 1 or not shape[0]:
        raise InputError("tables holds no fold; pass the counts of one or more")
