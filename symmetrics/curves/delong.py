"""How sure the area under a ROC curve is, and the difference of two: DeLong's variance, Newcombe's for few examples."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri, stdtrit

from symmetrics.curves.examples import BoolArray, Examples, read_scored, require_two_of_each
from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.intervals.contrasts import least_without_errors
from symmetrics.numeric.intervals.result import Interval, Question
from symmetrics.numeric.intervals.scales import Range, Scale
from symmetrics.tools.missing import Missing
from symmetrics.tools.settings import advising

_FEW: Final = 10
"""With fewer in the smaller class the p-values of the normal test of two areas are too small."""
_FEW_OF_AREA: Final = 100
"""With fewer DeLong's interval of a large area is too short: 95 % cover 82 to 92 % of AUCs of 0.9 and more."""
_LEAST_P: Final = 1e-12
"""No p-value found by halving is less: levels closer to 1 round."""
_STEPS: Final = 60
"""Halvings, after which an end is known as well as float64 holds it."""

Ends = tuple[float, float]


@advising()
def delong_test(
    y_true: Iterable[Hashable],
    score_a: ArrayLike,
    score_b: ArrayLike,
    *,
    pos_label: Hashable = 1,
    level: float = 0.95,
    missing: Missing = "refuse",
) -> tuple[Interval, float]:
    """Return the interval of the difference of two areas, the second minus the first, and the two-sided p-value.

    Both scores are of the same examples, so that the areas vary together (DeLong, DeLong & Clarke-Pearson 1988); their
    test is normal, and for many examples.  With fewer than 10 in the smaller class, or where no example tells how much
    the difference varies, the interval also holds the one made of those of both areas (G. Y. Zou, Toward using
    confidence intervals to compare correlations, Psychological Methods 12, 2007), whose correlation is taken to be less
    than it looks, as in method 10 of Newcombe (1998); the p-value is one less the level at which the interval ends at
    0.

    No p-value is below ``2**(1 - m)`` for m examples in the smaller class: if each of them favours either score by
    chance, as when both are equally good, all m favour the same one that often.  Where that is above ``1 - level`` the
    interval contains 0.

    :raises InputError: on a single example of a class, and on examples as :func:`symmetrics.curves.roc_curve` refuses

    >>> truth = [0, 0, 1, 1, 0, 1, 1, 0]
    >>> interval, p_value = delong_test(truth * 10, [1, 3, 4, 8, 5, 6, 2, 1] * 10, [1, 2, 5, 8, 4, 6, 7, 3] * 10)
    >>> interval.estimate, round(p_value, 4)
    (0.1875, 0.0001)

    Of three and three examples nothing is significant:

    >>> delong_test([0, 0, 0, 1, 1, 1], [6, 5, 4, 3, 2, 1], [1, 2, 3, 4, 5, 6])
    (1 (-0.000695 to 1, 95 % delong), 0.25)
    """
    Question(level)
    scores = {"score_a": score_a, "score_b": score_b}
    parts = [_placements(examples) for examples in read_scored(y_true, scores, pos_label, missing=missing)]
    positives, negatives = (np.stack([part[side] for part in parts]) for side in (0, 1))
    pair = _Pair(positives, negatives)
    p_value, (low, high) = pair.p_value(), pair.ends(level)
    if p_value > 1 - level:
        low, high = min(low, 0.0), max(high, 0.0)
    return Interval(low, high, pair.difference, "delong", level), p_value


class _Pair:
    """Two areas over the same examples, by the placements of both scores, of shape (2, examples of the class)."""

    def __init__(self, positives: FloatArray, negatives: FloatArray) -> None:
        self.areas = [float(row.mean()) for row in positives]
        self.difference = self.areas[1] - self.areas[0]
        self.numbers = positives.shape[1], negatives.shape[1]
        # The covariance of both areas is that of their placements, over the number of examples of each class.
        covariance = sum(np.cov(side) / side.shape[1] for side in (positives, negatives))
        # The variance of the difference from differences of placements, so that nothing cancels.
        variance = sum(float(np.var(side[1] - side[0], ddof=1)) / side.shape[1] for side in (positives, negatives))
        self.error = variance**0.5
        self.variances = float(covariance[0, 0]), float(covariance[1, 1])
        product = self.variances[0] * self.variances[1]
        # The correlation for Zou's interval, taken to be less than it looks where examples are few.
        seen = float(covariance[0, 1]) / product**0.5 if product > 0 and self.error else 0.0
        smaller = min(self.numbers)
        self.correlation = seen * (smaller - 1) / (smaller + 1)
        self.is_normal = self.error > 0 and smaller >= _FEW

    def ends(self, level: float) -> Ends:
        """Return the interval of the difference within -1 and 1."""
        reach = float(ndtri((1 + level) / 2)) * self.error
        low, high = self.difference - reach, self.difference + reach
        if not self.is_normal:
            if not self.error and not self.difference:  # alike at all examples: what as many others may hide
                hidden = 1 - least_without_errors(min(self.numbers), level)
                low, high = -hidden, hidden
            else:
                wider = self._of_both_areas(level)
                low, high = min(low, wider[0]), max(high, wider[1])
        return max(low, -1.0), min(high, 1.0)

    def _of_both_areas(self, level: float) -> Ends:
        """Return the interval made of those of both areas (Zou 2007), by their correlation."""
        (low_a, high_a), (low_b, high_b) = (
            _wider(area, variance, self.numbers, level)
            for area, variance in zip(self.areas, self.variances, strict=True)
        )
        first, second = self.areas
        down, up = self._together(second - low_b, high_a - first), self._together(high_b - second, first - low_a)
        return self.difference - down, self.difference + up

    def _together(self, one: float, other: float) -> float:
        return float(max(one**2 + other**2 - 2 * self.correlation * one * other, 0.0) ** 0.5)

    def p_value(self) -> float:
        """Return one less the greatest level at which the interval leaves 0 out, and no less than chance allows."""
        least = float(2.0 ** (1 - min(self.numbers)))
        if not self.difference:
            return 1.0
        if self.is_normal:
            return max(2 * float(ndtr(-abs(self.difference) / self.error)), least)
        # Bisect, on the logarithmic scale, for the level at which an end of the interval is 0.
        excluded, included = max(least, _LEAST_P), 1.0
        if self._leaves_zero_out(1 - excluded):
            return excluded
        for _ in range(_STEPS):
            middle = (excluded * included) ** 0.5
            excluded, included = (excluded, middle) if self._leaves_zero_out(1 - middle) else (middle, included)
        return included

    def _leaves_zero_out(self, level: float) -> bool:
        low, high = self.ends(level)
        return not low <= 0 <= high


def area_ends(examples: Examples, group: NDArray[np.intp] | None, level: float, *, widened: bool) -> tuple[Ends, float]:
    """Return the interval of the area under the curve, and the area.

    :param group: the group of each example, from 0, if whole groups were drawn: the variance is then that of Obuchowski
        (1997), with the quantile of Student's t
    :param widened: whether the interval is no shorter than Newcombe's where a class has fewer than 100 examples, as it
        is anyway where DeLong's variance is 0
    """
    below, above = _placements(examples)
    area, numbers = float(below.mean()), (len(below), len(above))
    if group is None:
        quantile, variance = float(ndtri((1 + level) / 2)), _variance_of_area(below, above)
    else:
        quantile = float(stdtrit(len(np.unique(group)) - 1, (1 + level) / 2))
        variance = _variance_between_groups(below, above, examples.positive, group)
        if not variance:
            numbers = len(np.unique(group[examples.positive])), len(np.unique(group[~examples.positive]))
    if not variance or (widened and min(numbers) < _FEW_OF_AREA):
        return _wider(area, variance, numbers, level, quantile), area
    return _delong(area, variance, quantile), area


def _delong(area: float, variance: float, quantile: float) -> Ends:
    """Return the interval that is normal on the logit; the area alone if it is 0 or 1."""
    if area in (0.0, 1.0):
        return area, area
    low, high = Scale(Range(0.0, 1.0)).around(np.array(area), quantile * variance**0.5)
    return float(low), float(high)


def _wider(area: float, variance: float, numbers: tuple[int, int], level: float, quantile: float | None = None) -> Ends:
    """Return what DeLong's interval and Newcombe's cover together, and the errors that separated classes may hide."""
    low, high = _delong(area, variance, float(ndtri((1 + level) / 2)) if quantile is None else quantile)
    least, most = _newcombe(area, *numbers, level)
    low, high = min(low, least), max(high, most)
    if area in (0.0, 1.0):
        right = least_without_errors(min(numbers), level)
        low, high = (min(low, right), 1.0) if area == 1 else (0.0, max(high, 1 - right))
    return low, high


def _newcombe(area: float, positives: int, negatives: int, level: float) -> Ends:
    """Return the areas from which the one seen is no further than their standard error allows.

    The error is that of Hanley & McNeil (1982) for exponential scores, with the mean of both numbers in place of each
    (R. G. Newcombe, Confidence intervals for an effect size measure based on the Mann-Whitney statistic, part 2,
    Statistics in Medicine 25, 2006, method 5).  It never vanishes within 0 and 1.
    """
    z, middle = float(ndtri((1 + level) / 2)), (positives + negatives) / 2

    def is_within(value: float) -> bool:
        shape = 1 + (middle - 1) * ((1 - value) / (2 - value) + value / (1 + value))
        return (value - area) ** 2 <= z * z * value * (1 - value) * shape / (positives * negatives)

    def end(outside: float) -> float:
        inside = area
        for _ in range(_STEPS):
            halfway = (inside + outside) / 2
            inside, outside = (halfway, outside) if is_within(halfway) else (inside, halfway)
        return outside

    return end(0.0) if area > 0 else 0.0, end(1.0) if area < 1 else 1.0


def _placements(examples: Examples) -> tuple[FloatArray, FloatArray]:
    """Return, for each positive example, the share of negatives below it, and for each negative that of those above.

    Ties count half.  The ranks need one sort (Sun & Xu 2014).

    :raises InputError: if one of the classes has a single example
    """
    positive = examples.positive
    require_two_of_each(positive)
    ranks = _midranks(examples.score)
    of_positives, of_negatives = (_midranks(examples.score[chosen]) for chosen in (positive, ~positive))
    # The rank among all examples less that within the class counts the other class below, ties half.
    below = (ranks[positive] - of_positives) / len(of_negatives)
    above = 1 - (ranks[~positive] - of_negatives) / len(of_positives)
    return np.asarray(below), np.asarray(above)


def _midranks(scores: FloatArray) -> FloatArray:
    """Return the rank of each score from 1; tied ones share the mean of theirs."""
    _, place, number = np.unique(scores, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(number) - (number - 1) / 2)[place])


def _variance_of_area(below: FloatArray, above: FloatArray) -> float:
    return float(np.var(below, ddof=1)) / len(below) + float(np.var(above, ddof=1)) / len(above)


def _variance_between_groups(
    below: FloatArray, above: FloatArray, positive: BoolArray, group: NDArray[np.intp]
) -> float:
    """Return the variance of the area by the sums of both classes' placements in each group (Obuchowski 1997)."""
    # Each group adds the deviations of its placements, over the number of examples of the class.
    area, sums, several = below.mean(), [], []
    for placed, of in ((below, group[positive]), (above, group[~positive])):
        sums.append(np.bincount(of, placed - area, int(group.max()) + 1) / len(placed))
        several.append(len(np.unique(of)))
    # Variances within both classes, and twice the covariance by groups that have examples of both.
    every = len(np.unique(group))
    variances = [number / (number - 1) * float((part**2).sum()) for number, part in zip(several, sums, strict=True)]
    return max(0.0, sum(variances) + 2 * every / (every - 1) * float((sums[0] * sums[1]).sum()))
