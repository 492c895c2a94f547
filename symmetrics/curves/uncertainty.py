"""How sure a measure of scores is: DeLong's interval for the area under the ROC curve, the bootstrap for all."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from math import ceil
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri, stdtrit
from tqdm import tqdm

from symmetrics.curves.examples import BoolArray, Examples, read_examples, read_scored
from symmetrics.curves.measures import SCORE_MEASURES
from symmetrics.curves.resampling import counted
from symmetrics.numeric.counts import FloatArray, shown
from symmetrics.numeric.encoding import column_codes, is_hashable
from symmetrics.numeric.intervals import Interval, Question
from symmetrics.numeric.intervals.scales import Range, Scale
from symmetrics.tools.errors import InputError, UnknownNameError
from symmetrics.tools.missing import Missing
from symmetrics.tools.words import number_of

__all__ = ["delong_test", "score_interval"]

_FROM_AREA: Final = {"auc": (0.0, 1.0), "gini": (-1.0, 1.0)}
"""Measures that are linear in the area under the curve, by their range."""
_NEAR_ONE: Final = frozenset({"average_precision", "weighted_auc"})
"""Measures from 0 to 1 whose distribution is skew where scores are good."""
_PLACES: Final = 1000
"""Examples of each class by which errors are spread that no resample shows."""
_OF_BEST: Final = frozenset({"kolmogorov_smirnov", "h_measure", "b42"})
"""Measures that take the best of all thresholds, which favours those that are best by accident."""


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
    """Return where a measure of scores lies, as far as examples tell.

    :param measure: ``"auc"``, ``"gini"``, ``"weighted_auc"``, ``"h_measure"``, ``"b42"``, ``"kolmogorov_smirnov"`` or
        ``"average_precision"``
    :param method: ``"delong"`` for the area and Gini's coefficient (DeLong, DeLong & Clarke-Pearson 1988), formed on
        the logit of the range; ``"bootstrap"`` for all: quantiles of resampled examples; for average precision and
        the weighted area a normal interval on the logit by their spread; for the measures that take the best of all
        thresholds (Kolmogorov & Smirnov's, H and B42) one corrected for their bias, whose 95 % cover 83 to 93 % from 60
        to 1000 examples, where the quantiles cover 70 %.  Where the scores separate the classes no resample tells of
        errors, and the interval holds what as many as so few examples may hide would make of the measure.  ``"auto"``
        is the first where it is known, else the second
    :param groups: the group of each example, such as its patient, if whole groups were drawn: DeLong's interval is then
        that of Obuchowski (1997), with the quantile of Student's t, and the bootstrap draws groups
    :param sampling: ``"multinomial"`` resamples all examples, ``"binomial"`` those of each class by themselves
    :param draws: how many resamples are drawn, with a progress bar on a terminal
    :param missing: what to do with examples that lack a label, as for :func:`symmetrics.curves.roc_curve`
    :raises InputError: on examples as :func:`symmetrics.curves.roc_curve` refuses, on settings that are none, and on
        examples of a class that are all in one group
    :raises UnknownNameError: on an unknown measure

    >>> score_interval([0, 0, 1, 1, 0, 1, 1, 0], [0.1, 0.3, 0.35, 0.8, 0.4, 0.6, 0.2, 0.15])
    0.8125 (0.3293 to 0.9745, 95 % delong)
    """
    if not is_hashable(measure) or measure not in SCORE_MEASURES:
        raise UnknownNameError("measure of scores", str(measure), SCORE_MEASURES)
    if method not in ("auto", "delong", "bootstrap"):
        raise InputError(f"method={method!r} is unknown for scores; pass one of auto, delong, bootstrap")
    question = Question(level, "bootstrap", sampling, draws, 0.5, seed)
    examples = read_examples(y_true, y_score, pos_label, missing=missing)
    group = None if groups is None else _group_of(groups, examples, sampling)
    if measure in _FROM_AREA and method != "bootstrap":
        return _delong(examples, group, Range(*_FROM_AREA[measure]), level)
    if method == "delong":
        raise InputError(f"method='delong' is for auc and gini, not {measure}; pass method='bootstrap'")
    return _bootstrap(examples, group, measure, question)


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

    Both scores are of the same examples, so that the areas vary together (DeLong, DeLong & Clarke-Pearson 1988).  The
    test is normal, and for many examples.  Where none tells how much the difference varies, as where both scores
    separate the classes, the areas may hide errors as in :func:`score_interval`, and their intervals are put together
    as if they were independent (Newcombe 1998), the p-value with them.

    :raises InputError: if the scores differ by the same at all examples, and on examples as
        :func:`symmetrics.curves.roc_curve` refuses

    >>> truth = [0, 0, 1, 1, 0, 1, 1, 0]
    >>> interval, p_value = delong_test(truth, [1, 3, 4, 8, 5, 6, 2, 1], [1, 2, 5, 8, 4, 6, 7, 3])
    >>> interval.estimate, round(p_value, 3)
    (0.1875, 0.268)
    """
    Question(level)
    scores = {"score_a": score_a, "score_b": score_b}
    parts = [_placements(examples) for examples in read_scored(y_true, scores, pos_label, missing=missing)]
    (positives, negatives) = (np.stack([part[side] for part in parts]) for side in (0, 1))
    difference = float(positives[1].mean() - positives[0].mean())
    variance = sum(float(np.var(side[1] - side[0], ddof=1)) / side.shape[1] for side in (positives, negatives))
    if not variance:
        areas = (float(positives[0].mean()), float(positives[1].mean()))
        return _without_variance(areas, min(positives.shape[1], negatives.shape[1]), level)
    error = variance**0.5
    reach = float(ndtri((1 + level) / 2)) * error
    low, high = max(difference - reach, -1.0), min(difference + reach, 1.0)
    return Interval(low, high, difference, "delong", level), 2 * float(ndtr(-abs(difference) / error))


def _without_variance(areas: tuple[float, float], smaller: int, level: float) -> tuple[Interval, float]:
    """Return the interval and the p-value where no example says how much a difference of areas varies.

    An area of 0 or 1 may hide errors as in :func:`score_interval`; those of both areas are put together as if they were
    independent (Newcombe 1998).  The p-value is one less the level at which the interval ends at 0.

    :param smaller: the number of examples of the smaller class
    :raises InputError: if the areas differ although neither is 0 or 1
    """
    first, second = areas
    difference = second - first
    unseen_below = (second == 1) + (first == 0)
    unseen_above = (second == 0) + (first == 1)
    toward_zero = unseen_below if difference > 0 else unseen_above
    if difference and not toward_zero:
        raise InputError(
            "the scores differ by the same at all examples, so that the variance of the difference is unknown; "
            "pass more examples"
        )
    hidden = 1 - _least_without_errors(smaller, level)
    low = max(difference - hidden * unseen_below**0.5, -1.0)
    high = min(difference + hidden * unseen_above**0.5, 1.0)
    p_value = min(1.0, 2 * (1 - abs(difference) / toward_zero**0.5) ** smaller) if difference else 1.0
    return Interval(low, high, difference, "delong", level), p_value


def _least_without_errors(number: int, level: float) -> float:
    """Return the least share of right ones of which so many may all be right by accident."""
    return float(((1 - level) / 2) ** (1 / number))


def _placements(examples: Examples) -> tuple[FloatArray, FloatArray]:
    """Return, for each positive example, the share of negatives below it, and for each negative that of those above.

    Ties count half.  The ranks need one sort (Sun & Xu 2014).

    :raises InputError: if one of the classes has a single example, whose variance is not known
    """
    positive = examples.positive
    if min(positive.sum(), (~positive).sum()) < 2:
        raise InputError("a class has a single example, so that its variance is unknown; pass two or more of each")
    ranks = _midranks(examples.score)
    of_positives, of_negatives = (_midranks(examples.score[chosen]) for chosen in (positive, ~positive))
    below = (ranks[positive] - of_positives) / len(of_negatives)
    above = 1 - (ranks[~positive] - of_negatives) / len(of_positives)
    return np.asarray(below), np.asarray(above)


def _midranks(scores: FloatArray) -> FloatArray:
    """Return the rank of each score from 1; tied ones share the mean of theirs."""
    _, place, number = np.unique(scores, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(number) - (number - 1) / 2)[place])


def _group_of(groups: Iterable[Hashable], examples: Examples, sampling: str) -> NDArray[np.intp]:
    """Return the group of each example, from 0, having checked that each class is in several."""
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


def _variance_of_area(below: FloatArray, above: FloatArray) -> float:
    return float(np.var(below, ddof=1)) / len(below) + float(np.var(above, ddof=1)) / len(above)


def _variance_between_groups(
    below: FloatArray, above: FloatArray, positive: BoolArray, group: NDArray[np.intp]
) -> float:
    """Return the variance of the area by the sums of both classes' placements in each group (Obuchowski 1997)."""
    area, sums, several = below.mean(), [], []
    for placed, of in ((below, group[positive]), (above, group[~positive])):
        sums.append(np.bincount(of, placed - area, int(group.max()) + 1) / len(placed))
        several.append(len(np.unique(of)))
    every = len(np.unique(group))
    variances = [number / (number - 1) * float((part**2).sum()) for number, part in zip(several, sums, strict=True)]
    return max(0.0, sum(variances) + 2 * every / (every - 1) * float((sums[0] * sums[1]).sum()))


def _delong(examples: Examples, group: NDArray[np.intp] | None, ends: Range, level: float) -> Interval:
    below, above = _placements(examples)
    area = float(below.mean())
    if group is None:
        smaller, quantile = min(len(below), len(above)), float(ndtri((1 + level) / 2))
        variance = _variance_of_area(below, above)
    else:
        smaller = min(len(np.unique(group[part])) for part in (examples.positive, ~examples.positive))
        quantile = float(stdtrit(len(np.unique(group)) - 1, (1 + level) / 2))
        variance = _variance_between_groups(below, above, examples.positive, group)
    if area in (0.0, 1.0):  # no error is seen: how large it may be without being seen in the smaller class
        least = _least_without_errors(smaller, level)
        low, high = (least, 1.0) if area == 1 else (0.0, 1 - least)
    else:
        scale, value = Scale(Range(0.0, 1.0)), np.array(area)
        reach = quantile * variance**0.5 * scale.slope(value)
        low, high = (float(scale.back(scale.to(value) + sign * reach)) for sign in (-1, 1))
    width = ends.high - ends.low
    low, high, area = (ends.low + width * value for value in (low, high, area))
    return Interval(low, high, area, "delong", level)


def _bootstrap(examples: Examples, group: NDArray[np.intp] | None, measure: str, question: Question) -> Interval:
    """Return quantiles over resamples; those without a class have no value and are left out."""
    if measure not in _OF_BEST:
        question.require_draws()
    kinds, values = counted(examples, group), np.empty(question.draws)
    with tqdm(total=question.draws, desc=measure, disable=None, leave=False, delay=2) as bar:
        for part, resamples in kinds.blocks(question.draws, question.sampling, question.seed):
            values[part] = resamples.values(measure)
            bar.update(part.stop - part.start)
    estimate = float(SCORE_MEASURES[measure](examples.positive, examples.score, pos_label=True))
    ends = _of_best if measure in _OF_BEST else _on_logit if measure in _NEAR_ONE else _quantiles
    low, high = ends(values, estimate, question.level)
    hidden = _with_unseen_errors(examples, group, measure, question.level)
    low, high = np.nanmin([low, estimate, hidden]), np.nanmax([high, estimate, hidden])
    return Interval(float(low), float(high), estimate, "bootstrap", question.level)


def _with_unseen_errors(examples: Examples, group: NDArray[np.intp] | None, measure: str, level: float) -> float:
    """Return a measure of which no resample tells: with as many errors as classes that scores separate may hide.

    In each class that share of examples goes to the other end of the scores.  Nan if the scores do not separate the
    classes, or the other way round: resamples tell then.
    """
    positive, score = examples.positive, examples.score
    if max(score[~positive]) < min(score[positive]):
        order = 1
    elif max(score[positive]) < min(score[~positive]):
        order = -1
    else:
        return float("nan")
    ranks, parts, weights = np.arange(_PLACES) + 0.5, [], []
    for is_class in (positive, ~positive):
        number = int(is_class.sum()) if group is None else len(np.unique(group[is_class]))
        wrong = ceil((1 - _least_without_errors(number, level)) * _PLACES)
        parts.append(np.where(ranks < wrong, -_PLACES - ranks, ranks))
        weights.append(np.full(_PLACES, is_class.sum() / _PLACES))
    placed = order * np.concatenate((parts[0], -parts[1]))
    truth = np.repeat([True, False], _PLACES)
    return float(SCORE_MEASURES[measure](truth, placed, pos_label=True, sample_weight=np.concatenate(weights)))


def _quantiles(values: FloatArray, _: float, level: float) -> tuple[float, float]:
    low, high = np.nanquantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _on_logit(values: FloatArray, estimate: float, level: float) -> tuple[float, float]:
    """Return the normal interval on the logit by the spread of resamples; their quantiles for a value outside of it.

    Near 1 resamples lie above the estimate as this does above the true value, so that quantiles err twice.
    """
    if not 0 < estimate < 1:
        return _quantiles(values, estimate, level)
    scale, value = Scale(Range(0.0, 1.0)), np.array(estimate)
    reach = float(ndtri((1 + level) / 2)) * float(np.nanstd(values)) * scale.slope(value)
    low, high = (float(scale.back(scale.to(value) + sign * reach)) for sign in (-1, 1))
    return low, high


def _of_best(values: FloatArray, estimate: float, level: float) -> tuple[float, float]:
    """Return the normal interval around the estimate less twice the bias that the resamples show, within 0 and 1.

    What is best among thresholds is the larger the more noise there is: of Gaussian noise by its standard deviation
    where many are about as good, by the power 4/3 of it around a single best one (Kim & Pollard 1990).  Resamples have
    the noise of the examples and as much again, so that their values are further up by a share from 2^(1/2) - 1 to
    2^(2/3) - 1 of what the estimate is above the true value: about half.
    """
    spread, bias = float(np.nanstd(values)), float(np.nanmean(values)) - estimate
    reach = float(ndtri((1 + level) / 2)) * spread
    low, high = (min(max(estimate - 2 * bias + sign * reach, 0.0), 1.0) for sign in (-1, 1))
    return low, high
