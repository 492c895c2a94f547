"""Intervals of score measures: DeLong for AUC, bootstrap or bounds for others."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from math import ceil
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri, stdtrit
from tqdm import tqdm

from symmetrics.curves.bands import counted, smirnov_ends
from symmetrics.curves.examples import BoolArray, Examples, read_examples, read_scored, require_two_of_each
from symmetrics.curves.geometry import auc_of
from symmetrics.curves.measures import SCORE_MEASURES
from symmetrics.data.counts import FloatArray, shown
from symmetrics.data.encoding import column_codes, is_hashable
from symmetrics.statistics.intervals import Interval, Question, Range, Scale
from symmetrics.statistics.proportions import least_without_errors
from symmetrics.tools.arguments import Missing, advising
from symmetrics.tools.errors import InputError, UnknownNameError
from symmetrics.tools.texts import number_of

# ----------------------------------------------------------------------------------------------------------------------
# Intervals of AUC and of differences of AUCs: DeLong's variance, Newcombe's for small samples.


_FEW: Final = 10
"""With fewer examples in the smaller class, p-values of the normal test of two areas are too small."""
_FEW_OF_AREA: Final = 100
"""With fewer examples DeLong's interval of a large area is too short: 95 % intervals cover 82 to 92 % at AUC >= 0.9."""
_LEAST_P: Final = 1e-12
"""Smallest p-value that bisection can find: levels closer to 1 are rounded."""
_STEPS: Final = 60
"""Number of bisection steps, enough for float64."""

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
    """Return a confidence interval for the difference of two areas, second minus first, and the two-sided p-value.

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
    """Two areas over the same examples: placement values of both scores, of shape (2, examples of the class)."""

    def __init__(self, positives: FloatArray, negatives: FloatArray) -> None:
        self.areas = [float(row.mean()) for row in positives]
        self.difference = self.areas[1] - self.areas[0]
        self.numbers = positives.shape[1], negatives.shape[1]
        # Covariance of both areas: that of the placements, divided by the number of examples of each class.
        covariance = sum(np.cov(side) / side.shape[1] for side in (positives, negatives))
        # The variance of the difference from differences of placements, to avoid cancellation.
        variance = sum(float(np.var(side[1] - side[0], ddof=1)) / side.shape[1] for side in (positives, negatives))
        self.error = variance**0.5
        self.variances = float(covariance[0, 0]), float(covariance[1, 1])
        product = self.variances[0] * self.variances[1]
        # The correlation for Zou's interval, shrunk for small samples.
        seen = float(covariance[0, 1]) / product**0.5 if product > 0 and self.error else 0.0
        smaller = min(self.numbers)
        self.correlation = seen * (smaller - 1) / (smaller + 1)
        self.is_normal = self.error > 0 and smaller >= _FEW

    def ends(self, level: float) -> Ends:
        """Return an interval for the difference, within [-1, 1]."""
        reach = float(ndtri((1 + level) / 2)) * self.error
        low, high = self.difference - reach, self.difference + reach
        if not self.is_normal:
            if not self.error and not self.difference:  # no observed difference: what a sample may hide
                hidden = 1 - least_without_errors(min(self.numbers), level)
                low, high = -hidden, hidden
            else:
                wider = self._of_both_areas(level)
                low, high = min(low, wider[0]), max(high, wider[1])
        return max(low, -1.0), min(high, 1.0)

    def _of_both_areas(self, level: float) -> Ends:
        """Return the interval built from those of both areas and their correlation (Zou 2007)."""
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
        """Return 1 minus the largest level whose interval excludes 0, but at least the smallest possible p-value."""
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
    """Return a confidence interval for the area under the curve, and the area.

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
    """Return DeLong's interval, normal on the logit scale; a single point if the area is 0 or 1."""
    if area in (0.0, 1.0):
        return area, area
    low, high = Scale(Range(0.0, 1.0)).around(np.array(area), quantile * variance**0.5)
    return float(low), float(high)


def _wider(area: float, variance: float, numbers: tuple[int, int], level: float, quantile: float | None = None) -> Ends:
    """Return the union of DeLong's and Newcombe's intervals, and allow for errors that separated classes may hide."""
    low, high = _delong(area, variance, float(ndtri((1 + level) / 2)) if quantile is None else quantile)
    least, most = _newcombe(area, *numbers, level)
    low, high = min(low, least), max(high, most)
    if area in (0.0, 1.0):
        right = least_without_errors(min(numbers), level)
        low, high = (min(low, right), 1.0) if area == 1 else (0.0, max(high, 1 - right))
    return low, high


def _newcombe(area: float, positives: int, negatives: int, level: float) -> Ends:
    """Return the areas whose standard error is compatible with the observed one (Newcombe's interval).

    The error is that of Hanley & McNeil (1982) for exponential scores, with the mean of both numbers in place of each
    (R. G. Newcombe, Confidence intervals for an effect size measure based on the Mann-Whitney statistic, part 2,
    Statistics in Medicine 25, 2006, method 5).  It never vanishes within 0 and 1.
    """
    z, middle = float(ndtri((1 + level) / 2)), (positives + negatives) / 2

    # Hanley & McNeil's variance of an area, with the mean class size in place of both.
    def is_within(value: float) -> bool:
        shape = 1 + (middle - 1) * ((1 - value) / (2 - value) + value / (1 + value))
        return (value - area) ** 2 <= z * z * value * (1 - value) * shape / (positives * negatives)

    # Bisection between the observed area and the end of the range.
    def end(outside: float) -> float:
        inside = area
        for _ in range(_STEPS):
            halfway = (inside + outside) / 2
            inside, outside = (halfway, outside) if is_within(halfway) else (inside, halfway)
        return outside

    return end(0.0) if area > 0 else 0.0, end(1.0) if area < 1 else 1.0


def _placements(examples: Examples) -> tuple[FloatArray, FloatArray]:
    """Return placement values: per positive example the share of negatives below, per negative of positives above.

    Ties count half.  The ranks need one sort (Sun & Xu 2014).

    :raises InputError: if one of the classes has a single example
    """
    positive = examples.positive
    require_two_of_each(positive)
    ranks = _midranks(examples.score)
    of_positives, of_negatives = (_midranks(examples.score[chosen]) for chosen in (positive, ~positive))
    # Rank among all examples minus rank within the class counts the other class below, ties half.
    below = (ranks[positive] - of_positives) / len(of_negatives)
    above = 1 - (ranks[~positive] - of_negatives) / len(of_positives)
    return np.asarray(below), np.asarray(above)


def _midranks(scores: FloatArray) -> FloatArray:
    """Return the rank of each score from 1; ties share their mean rank."""
    _, place, number = np.unique(scores, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(number) - (number - 1) / 2)[place])


def _variance_of_area(below: FloatArray, above: FloatArray) -> float:
    return float(np.var(below, ddof=1)) / len(below) + float(np.var(above, ddof=1)) / len(above)


def _variance_between_groups(
    below: FloatArray, above: FloatArray, positive: BoolArray, group: NDArray[np.intp]
) -> float:
    """Return the variance of the area from sums of placements per group (Obuchowski 1997)."""
    # Each group contributes the deviations of its placements, over the number of examples of the class.
    area, sums, several = below.mean(), [], []
    for placed, of in ((below, group[positive]), (above, group[~positive])):
        sums.append(np.bincount(of, placed - area, int(group.max()) + 1) / len(placed))
        several.append(len(np.unique(of)))
    # Variances within both classes, and twice the covariance by groups that have examples of both.
    every = len(np.unique(group))
    variances = [number / (number - 1) * float((part**2).sum()) for number, part in zip(several, sums, strict=True)]
    return max(0.0, sum(variances) + 2 * every / (every - 1) * float((sums[0] * sums[1]).sum()))


# ----------------------------------------------------------------------------------------------------------------------


_RANGES: Final = {"gini": Range(-1.0, 1.0)}
"""Ranges of measures other than [0, 1]."""
_OF_AREA: Final = frozenset({"auc", "gini"})
"""Measures that are linear functions of the area under the curve."""
_OF_BEST: Final = frozenset({"kolmogorov_smirnov", "h_measure", "b42"})
"""Measures that maximise over thresholds, and so are biased upwards."""
_UNSEEN: Final = 0.5
"""Weight of the examples added to the observed ones, as by Jeffreys' prior in each cell."""
_PLACES: Final = 1000
"""Number of examples of each class that stand for errors that resamples cannot show."""


@advising()
def score_interval(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    measure: str = "auc",
    *,
    pos_label: Hashable = 1,
    groups: Iterable[Hashable] | None = None,
    level: float = 0.95,
    method: str = "auto",
    sampling: str = "multinomial",
    draws: int = 2000,
    seed: int = 0,
    missing: Missing = "refuse",
) -> Interval:
    """Return a confidence interval for a ranking measure of scores.

    Fewer examples never tell more: of k copies of the same examples the interval is the shorter, the larger k is, and
    it is not a point even where the scores separate the classes or are all alike.

    :param measure: ``"auc"``, ``"gini"``, ``"weighted_auc"``, ``"h_measure"``, ``"b42"``, ``"kolmogorov_smirnov"`` or
        ``"average_precision"``
    :param method: ``"auto"``, for the area and Gini's coefficient, is what the intervals of DeLong, DeLong &
        Clarke-Pearson (1988), formed on the logit of the range, and of Newcombe (2006, method 5) cover together: the
        first is too short with few examples, and is taken alone from 100 of each class on; for Kolmogorov & Smirnov's
        distance, bounds whatever the distributions are (``symmetrics.curves.bands.smirnov_ends``); for the others
        the bootstrap.  ``"delong"`` is the first of these alone, unless its variance is 0.  ``"bootstrap"``, for all
        measures, resamples the examples twice, with half an example of each class added at the end of the scores where
        it is worst, for the lower end, and where it is best, for the upper one.  Ends are normal on the logit; those of
        H, B42 and the distance, which take the best of all thresholds, are corrected for their bias.  Where the scores
        separate the classes, the interval holds what as many errors as so few examples may hide would make of the
        measure
    :param groups: the group of each example, such as its patient, if whole groups were drawn: DeLong's interval is then
        that of Obuchowski (1997), with the quantile of Student's t, and the bootstrap draws groups
    :param sampling: ``"multinomial"`` resamples all examples, ``"binomial"`` those of each class by themselves
    :param draws: how many resamples are drawn, with a progress bar on a terminal
    :param missing: treatment of examples without a label, as for :func:`symmetrics.curves.roc_curve`
    :raises InputError: on examples as :func:`symmetrics.curves.roc_curve` refuses, on invalid settings, and on
        a class with a single example, or with examples of one group alone
    :raises UnknownNameError: on an unknown measure

    >>> score_interval([0, 0, 1, 1, 0, 1, 1, 0], [0.1, 0.3, 0.35, 0.8, 0.4, 0.6, 0.2, 0.15])
    0.8125 (0.3293 to 0.9745, 95 % delong, newcombe)
    """
    if not is_hashable(measure) or measure not in SCORE_MEASURES:
        raise UnknownNameError("measure of scores", str(measure), SCORE_MEASURES)
    if not is_hashable(method) or method not in ("auto", "delong", "bootstrap"):
        raise InputError(f"method={shown(method)} is unknown for scores; pass one of auto, delong, bootstrap")
    question = Question(level, "bootstrap", sampling, draws, 0.5, seed)
    examples = read_examples(y_true, y_score, pos_label, missing=missing)
    group = None if groups is None else _group_of(groups, examples, sampling)
    require_two_of_each(examples.positive)
    if measure in _OF_AREA and method != "bootstrap":
        (low, high), area = area_ends(examples, group, level, widened=method == "auto")
        least, most = _RANGES.get(measure, Range(0.0, 1.0))
        low, high, area = (least + (most - least) * value for value in (low, high, area))
        return Interval(low, high, area, "delong" if method == "delong" else "delong, newcombe", level)
    if method == "delong":
        raise InputError(f"method='delong' is for auc and gini, not {measure}; pass method='bootstrap'")
    if measure == "kolmogorov_smirnov" and method == "auto":
        estimate = float(SCORE_MEASURES[measure](examples.positive, examples.score, pos_label=True))
        return Interval(*smirnov_ends(estimate, *_numbers(examples, group), level), estimate, "smirnov", level)
    return _bootstrap(examples, group, measure, question)


def _group_of(groups: Iterable[Hashable], examples: Examples, sampling: str) -> NDArray[np.intp]:
    """Return the group of each example, numbered from 0, after checking that each class occurs in several."""
    names, group = column_codes(groups, "groups")
    every = examples.score.size if examples.kept is None else examples.kept.size
    if len(group) != every:
        raise InputError(f"groups has {number_of(len(group), 'value')} and y_score {every}; pass one per example")
    group = group if examples.kept is None else group[examples.kept]
    if sampling != "multinomial":
        raise InputError(f"sampling={sampling!r} is for examples drawn one by one; leave it out, or leave out groups")
    for is_class, name in ((examples.positive, "positive"), (~examples.positive, "negative")):
        if len(found := np.unique(group[is_class])) < 2:
            raise InputError(
                f"the {name} examples are all of the group {shown(names[found[0]])}: their variance is unknown; "
                "pass two groups or more of each class"
            )
    return group


def _numbers(examples: Examples, group: NDArray[np.intp] | None) -> tuple[int, int]:
    """Return the numbers of positive and negative examples, or of groups with examples of these classes."""
    parts = (examples.positive, ~examples.positive)
    first, second = (int(part.sum()) if group is None else len(np.unique(group[part])) for part in parts)
    return first, second


def _bootstrap(examples: Examples, group: NDArray[np.intp] | None, measure: str, question: Question) -> Interval:
    """Return both bootstrap ends, each from the sample plus the worst and the best unseen example.

    Resamples without a class have no value and are left out.
    """
    question.require_draws()
    estimate = float(SCORE_MEASURES[measure](examples.positive, examples.score, pos_label=True))
    numbers, found = _numbers(examples, group), [estimate]
    if measure == "kolmogorov_smirnov" and not smirnov_ends(estimate, *numbers, question.level)[0]:
        found.append(0.0)  # resamples of one distribution are rarely near distance 0
    with tqdm(total=2 * question.draws, desc=measure, disable=None, leave=False, delay=2) as bar:
        for side in (-1, 1):
            sample, of = _with_unseen(examples, group, side, measure)
            values = np.empty(question.draws)
            for part, resamples in counted(sample, of).blocks(question.draws, question.sampling, question.seed):
                values[part] = resamples.values(measure)
                bar.update(part.stop - part.start)
            middle = SCORE_MEASURES[measure](sample.positive, sample.score, pos_label=True, sample_weight=sample.weight)
            ask = _end_of_best if measure in _OF_BEST else _end_on_logit
            found.append(ask(values, float(middle), side, _RANGES.get(measure, Range(0.0, 1.0)), question.level))
    found.append(_with_unseen_errors(examples, numbers, measure, question.level))
    return Interval(float(np.nanmin(found)), float(np.nanmax(found)), estimate, "bootstrap", question.level)


def _with_unseen(
    examples: Examples, group: NDArray[np.intp] | None, side: int, measure: str
) -> tuple[Examples, NDArray[np.intp] | None]:
    """Add half an example (or group) of each class beyond the ends of the scores.

    :param side: -1 for a positive example below and a negative one above all others, 1 for the other way round
    """
    positive, places = examples.positive, np.unique(examples.score, return_inverse=True)[1].astype(np.float64)
    if measure == "kolmogorov_smirnov" and auc_of(examples) < 1 / 2:
        side = -side  # the distance is that of the reversed scores
    beyond = places.max() + 1
    copies = [1, 1]
    if group is not None:
        copies = [round(int(part.sum()) / len(np.unique(group[part]))) for part in (positive, ~positive)]
    added = np.repeat([True, False], copies)
    weight = np.append(np.ones(len(places)), np.full(len(added), _UNSEEN))
    sample = Examples(
        np.append(positive, added), np.append(places, np.where(added == (side > 0), beyond, -1.0)), weight
    )
    return sample, None if group is None else np.append(group, np.full(len(added), group.max() + 1))


def _with_unseen_errors(examples: Examples, numbers: tuple[int, int], measure: str, level: float) -> float:
    """Return the measure with as many errors as separated classes may hide; nan if the classes are not separated.

    In each class that share of examples goes to the other end of the scores.
    """
    positive, score = examples.positive, examples.score
    highest = (score[~positive].max(), score[positive].max())
    if highest[0] < score[positive].min():
        order = 1
    elif highest[1] < score[~positive].min():
        order = -1
    else:
        return float("nan")
    right = [least_without_errors(number, level) for number in numbers]
    if measure == "kolmogorov_smirnov":
        return max(sum(right) - 1, 0.0)  # with more errors it rises again, to that of the reversed scores
    ranks, parts, weights = np.arange(_PLACES) + 0.5, [], []
    for is_class, share in zip((positive, ~positive), right, strict=True):
        parts.append(np.where(ranks < ceil((1 - share) * _PLACES), -_PLACES - ranks, ranks))
        weights.append(np.full(_PLACES, is_class.sum() / _PLACES))
    placed = order * np.concatenate((parts[0], -parts[1]))
    truth = np.repeat([True, False], _PLACES)
    return float(SCORE_MEASURES[measure](truth, placed, pos_label=True, sample_weight=np.concatenate(weights)))


def _end_on_logit(values: FloatArray, estimate: float, side: int, bounds: Range, level: float) -> float:
    """Return a normal end on the logit scale from the spread of resamples; quantiles err near the ends of the range."""
    reach = float(ndtri((1 + level) / 2)) * float(np.nanstd(values))
    return float(Scale(bounds).around(np.clip(estimate, *bounds), reach)[side > 0])


def _end_of_best(values: FloatArray, estimate: float, side: int, bounds: Range, level: float) -> float:
    """Return a normal end corrected for the upward bias of a maximum: twice for the lower end, once for the upper.

    What is best among thresholds is the larger the more noise there is: of Gaussian noise by its standard deviation
    where many are about as good, by the power 4/3 of it around a single best one (Kim & Pollard 1990).  Resamples have
    the noise of the examples and as much again, so that their values are further up by a share from 2^(1/2) - 1 to
    2^(2/3) - 1 of what the estimate is above the true value: about half, so that twice the bias is the best guess for
    all of it.
    """
    spread, bias = float(np.nanstd(values)), float(np.nanmean(values)) - estimate
    end = estimate - (2 if side < 0 else 1) * bias + side * float(ndtri((1 + level) / 2)) * spread
    return min(max(end, bounds.low), bounds.high)
