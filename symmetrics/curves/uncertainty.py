"""How sure a measure of scores is: intervals of the area by its variance, of others by resamples or bounds."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from math import ceil
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri
from tqdm import tqdm

from symmetrics.curves.areas import auc_of
from symmetrics.curves.bands import smirnov_ends
from symmetrics.curves.delong import area_ends
from symmetrics.curves.examples import Examples, read_examples, require_two_of_each
from symmetrics.curves.measures import SCORE_MEASURES
from symmetrics.curves.resampling import counted
from symmetrics.numeric.counts import FloatArray, shown
from symmetrics.numeric.encoding import column_codes, is_hashable
from symmetrics.numeric.intervals.contrasts import least_without_errors
from symmetrics.numeric.intervals.result import Interval, Question
from symmetrics.numeric.intervals.scales import Range, Scale
from symmetrics.tools.errors import InputError, UnknownNameError
from symmetrics.tools.missing import Missing
from symmetrics.tools.settings import advising
from symmetrics.tools.words import number_of

_RANGES: Final = {"gini": Range(-1.0, 1.0)}
"""The ranges of measures that are not from 0 to 1."""
_OF_AREA: Final = frozenset({"auc", "gini"})
"""Measures that are linear in the area under the curve."""
_OF_BEST: Final = frozenset({"kolmogorov_smirnov", "h_measure", "b42"})
"""Measures that take the best of all thresholds, which favours those that are best by accident."""
_UNSEEN: Final = 0.5
"""The weight of the examples added to those that were seen, as Jeffreys' prior adds it to each cell."""
_PLACES: Final = 1000
"""Examples of each class by which errors are spread that no resample shows."""

Ends = tuple[float, float]


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
    """Return where a measure of scores lies, as far as examples tell.

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
    :param missing: what to do with examples that lack a label, as for :func:`symmetrics.curves.roc_curve`
    :raises InputError: on examples as :func:`symmetrics.curves.roc_curve` refuses, on settings that are none, and on
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


def _numbers(examples: Examples, group: NDArray[np.intp] | None) -> tuple[int, int]:
    """Return how many positive and negative examples there are, or how many groups that have some."""
    parts = (examples.positive, ~examples.positive)
    first, second = (int(part.sum()) if group is None else len(np.unique(group[part])) for part in parts)
    return first, second


def _bootstrap(examples: Examples, group: NDArray[np.intp] | None, measure: str, question: Question) -> Interval:
    """Return an end for each of two samples, with what is worst and what is best added to the examples.

    Resamples without a class have no value and are left out.
    """
    question.require_draws()
    estimate = float(SCORE_MEASURES[measure](examples.positive, examples.score, pos_label=True))
    numbers, found = _numbers(examples, group), [estimate]
    if measure == "kolmogorov_smirnov" and not smirnov_ends(estimate, *numbers, question.level)[0]:
        found.append(0.0)  # resamples of one distribution hardly ever have a distance near 0
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
    """Return the examples, and their groups, with half a one of each class, or a group, beyond the ends of the scores.

    :param side: -1 for a positive example below and a negative one above all others, 1 for the other way round
    """
    positive, places = examples.positive, np.unique(examples.score, return_inverse=True)[1].astype(np.float64)
    if measure == "kolmogorov_smirnov" and auc_of(examples) < 1 / 2:
        side = -side  # the distance is that of the scores turned round
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
    """Return the measure with as many errors as classes that the scores separate may hide; nan if they do not.

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
        return max(sum(right) - 1, 0.0)  # with more errors it rises again, to that of the scores turned round
    ranks, parts, weights = np.arange(_PLACES) + 0.5, [], []
    for is_class, share in zip((positive, ~positive), right, strict=True):
        parts.append(np.where(ranks < ceil((1 - share) * _PLACES), -_PLACES - ranks, ranks))
        weights.append(np.full(_PLACES, is_class.sum() / _PLACES))
    placed = order * np.concatenate((parts[0], -parts[1]))
    truth = np.repeat([True, False], _PLACES)
    return float(SCORE_MEASURES[measure](truth, placed, pos_label=True, sample_weight=np.concatenate(weights)))


def _end_on_logit(values: FloatArray, estimate: float, side: int, bounds: Range, level: float) -> float:
    """Return an end that is normal on the logit by the spread of resamples, whose quantiles err near an end of it."""
    reach = float(ndtri((1 + level) / 2)) * float(np.nanstd(values))
    return float(Scale(bounds).around(np.clip(estimate, *bounds), reach)[side > 0])


def _end_of_best(values: FloatArray, estimate: float, side: int, bounds: Range, level: float) -> float:
    """Return a normal end, the lower one less twice the bias that the resamples show and the upper one less once.

    What is best among thresholds is the larger the more noise there is: of Gaussian noise by its standard deviation
    where many are about as good, by the power 4/3 of it around a single best one (Kim & Pollard 1990).  Resamples have
    the noise of the examples and as much again, so that their values are further up by a share from 2^(1/2) - 1 to
    2^(2/3) - 1 of what the estimate is above the true value: about half, so that twice the bias is the best guess for
    all of it.
    """
    spread, bias = float(np.nanstd(values)), float(np.nanmean(values)) - estimate
    end = estimate - (2 if side < 0 else 1) * bias + side * float(ndtri((1 + level) / 2)) * spread
    return min(max(end, bounds.low), bounds.high)
