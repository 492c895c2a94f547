"""Two classifiers by the scores of cross-validation or repeated splits, whose training sets overlap."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from numbers import Real
from typing import Final

import numpy as np
from scipy.special import stdtr, stdtrit

from symmetrics.numeric.counts import FloatArray, shown
from symmetrics.numeric.intervals.result import Question
from symmetrics.statistics.comparison import require_same
from symmetrics.tools.errors import InputError
from symmetrics.tools.frames import same_columns, same_rows
from symmetrics.tools.settings import advising
from symmetrics.tools.words import number_of, probability_in_words

_ROUNDING: Final = 8 * np.finfo(float).eps
"""Differences of scores that vary by less, beside the scores, vary by rounding alone."""


@dataclass(frozen=True)
class FoldComparison:
    """How a second classifier does against a first one on the same folds.

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
        so that nothing tells how sure it is, and on settings that are none

    >>> compare_folds([0.80, 0.82, 0.79, 0.85, 0.81], [0.83, 0.84, 0.80, 0.86, 0.86], test_share=1/5, same=0.01)
    0.814 and 0.838 over 5 folds, difference 0.024
    95 % interval of the difference: -0.007166 to 0.05517 (variance times 2.25 for the overlap of training sets)
    probability that the second is greater: 0.95
    probability that they are practically the same: 0.121
    p-value: 0.0993 (corrected resampled t-test)
    """
    Question(level=level)  # which says what is wrong with the level
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
    """Return the second scores with rows and columns in the order of the first's, where these have the same names."""
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
