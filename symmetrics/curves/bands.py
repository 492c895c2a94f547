"""Confidence bands of a ROC curve, simultaneous or pointwise."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from symmetrics.curves.examples import BoolArray, Examples, read_examples, require_two_of_each
from symmetrics.curves.geometry import Hull, upper_hull
from symmetrics.curves.hmeasure import B42, BetaCosts, h_of_hull
from symmetrics.curves.roc import RocCurve, curve_of
from symmetrics.data.counts import FloatArray, shown
from symmetrics.data.encoding import is_hashable
from symmetrics.statistics.intervals import Ends, Question
from symmetrics.statistics.proportions import clopper_pearson
from symmetrics.tools.arguments import Missing, advising
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

# ----------------------------------------------------------------------------------------------------------------------
# Bootstrap of score measures: scores are sorted once, then counts are resampled.


_AT_ONCE: Final = 1 << 17
"""Number of counts drawn per step."""
_DEARER: Final = 8
"""Cost of drawing the count of one score, relative to drawing one example."""
_RHO: Final = 0.1
"""Default of :func:`symmetrics.curves.weighted_auc`."""


@dataclass(frozen=True, eq=False)
class Counted:
    """Examples grouped by score and class, from the highest score to the lowest.

    :param number: how many examples each kind has, halves as well
    :param is_positive: whether they are positive
    :param first: the index of the first kind of each score; None where each score has a single kind
    :param is_tied: whether several positive examples have the score, for each score
    :param group: the group of each kind, from 0, where whole groups are drawn; each kind is then one example
    """

    number: FloatArray
    is_positive: BoolArray
    first: NDArray[np.intp] | None
    is_tied: BoolArray
    group: NDArray[np.intp] | None = None

    def blocks(self, draws: int, sampling: str, seed: int) -> Iterator[tuple[slice, Resamples]]:
        """Yield resamples in blocks; resamples with a single class are included.

        :param sampling: ``"multinomial"`` resamples all examples, ``"binomial"`` those of each class by themselves;
            where there are groups, as many of them are drawn
        """
        random, kinds = np.random.default_rng(seed), len(self.number)
        alike = [self.is_positive, ~self.is_positive] if sampling == "binomial" else [slice(None)]
        step = max(1, _AT_ONCE // kinds)
        for start in range(0, draws, step):
            part = slice(start, min(start + step, draws))
            drawn = np.empty((part.stop - part.start, kinds))
            # Whole groups: all examples of a group have the same multiplicity.
            if self.group is not None:
                groups = np.ones(int(self.group.max()) + 1)
                groups[self.group] = self.number
                drawn[:] = _drawn(random, groups, len(drawn))[:, self.group]
            # Single examples, together or within each class.
            else:
                for chosen in alike:
                    drawn[:, chosen] = _drawn(random, self.number[chosen], len(drawn))
            yield part, self._split(drawn)

    def _split(self, drawn: FloatArray) -> Resamples:
        positive, negative = drawn * self.is_positive, drawn * ~self.is_positive
        if self.first is not None:
            positive, negative = (np.add.reduceat(part, self.first, axis=1) for part in (positive, negative))
        return Resamples(positive, negative, self.is_tied)


def counted(examples: Examples, group: NDArray[np.intp] | None = None) -> Counted:
    """Group examples by score and class; with groups, keep examples separate, with equal weights within a group.

    :param group: the group of each, from 0, if whole groups are to be drawn

    >>> from symmetrics.curves.examples import read_examples
    >>> found = counted(read_examples([0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.35, 0.4], 1, None))
    >>> found.number.tolist(), found.is_positive.tolist(), found.first.tolist()
    ([2.0, 1.0, 1.0, 1.0], [True, True, False, False], [0, 1, 3])
    """
    # Sort from the highest score down, the positive examples of a score first.
    order = np.lexsort((~examples.positive, -examples.score))
    score, positive = examples.score[order], examples.positive[order]
    new_score = np.concatenate(([True], score[1:] != score[:-1]))
    new_kind = new_score | np.concatenate(([True], positive[1:] != positive[:-1]))
    # Examples with the same score and class are one kind; with groups, each example is one.
    starts = np.flatnonzero(new_kind) if group is None else np.arange(score.size)
    first = np.flatnonzero(new_score[starts])
    weight = np.ones(score.size) if examples.weight is None else examples.weight[order]
    number = np.add.reduceat(weight, starts)
    return Counted(
        number,
        positive[starts],
        None if len(first) == len(starts) else first,
        np.add.reduceat(number * positive[starts], first) > 1,
        None if group is None else group[order],
    )


def _drawn(random: np.random.Generator, number: FloatArray, draws: int) -> NDArray[np.int64]:
    """Return the resampled frequency of each kind of example: shape (draws, kinds).

    Where most kinds have a few examples it is faster to draw the examples, in halves, and to count them.
    """
    total, kinds = int(number.sum()), len(number)
    if total > _DEARER * kinds:
        return random.multinomial(total, number / number.sum(), size=draws)
    halves = np.rint(2 * number).astype(np.int64)
    places = np.repeat(np.arange(kinds), halves)[random.integers(0, halves.sum(), size=(draws, total))]
    places += np.arange(draws)[:, None] * kinds
    return np.bincount(places.reshape(-1), minlength=draws * kinds).reshape(draws, kinds)


@dataclass(frozen=True, eq=False)
class Resamples:
    """Resampled numbers of positive and negative examples at each score, shape (resamples, scores).

    :param is_tied: whether several positive examples that were seen have the score; copies of a single one are no ties
    """

    positive: FloatArray
    negative: FloatArray
    is_tied: BoolArray

    @cached_property
    def tp(self) -> FloatArray:
        """The true positives at each score as the threshold."""
        return np.cumsum(self.positive, axis=1)

    @cached_property
    def fp(self) -> FloatArray:
        """The false positives."""
        return np.cumsum(self.negative, axis=1)

    @cached_property
    def positives(self) -> FloatArray:
        """The number of positive examples, shape (resamples, 1)."""
        return np.asarray(self.positive.sum(axis=1, keepdims=True))

    @cached_property
    def negatives(self) -> FloatArray:
        """The number of negative examples."""
        return np.asarray(self.negative.sum(axis=1, keepdims=True))

    @cached_property
    def pairs(self) -> FloatArray:
        """The number of pairs of a positive and a negative example, shape (resamples,); 0 for a single class."""
        return np.asarray((self.positives * self.negatives)[:, 0])

    def values(self, measure: str) -> FloatArray:
        """Return a measure at each resample, nan where only one class occurs and the measure needs both."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return BLOCK_MEASURES[measure](self)


def _areas(drawn: Resamples) -> FloatArray:
    higher = drawn.tp - drawn.positive / 2  # ties count half
    return np.asarray(np.einsum("ij,ij->i", drawn.negative, higher) / drawn.pairs)


def _ginis(drawn: Resamples) -> FloatArray:
    return 2 * _areas(drawn) - 1


def _distances(drawn: Resamples) -> FloatArray:
    return np.asarray(np.abs(drawn.tp / drawn.positives - drawn.fp / drawn.negatives).max(axis=1))


def _average_precisions(drawn: Resamples) -> FloatArray:
    called = drawn.tp + drawn.fp
    gained = np.divide(drawn.positive * drawn.tp, called, out=np.zeros_like(called), where=called > 0)
    return np.asarray(gained.sum(axis=1) / drawn.positives[:, 0])


def _weighted_areas(drawn: Resamples) -> FloatArray:
    """Return the weighted sum of strip areas; a resample with two scores has two strips, one of them possibly empty.

    Each copy of an example that is not tied has a strip of its own, so that strips without ties are of one height.
    """
    # Area of all strips of a score: its positives times the negatives below, ties half.
    right = drawn.positive * (drawn.negatives - drawn.fp + drawn.negative / 2)
    occurs = drawn.positive + drawn.negative > 0
    strips = np.where(drawn.is_tied, drawn.positive > 0, drawn.positive)
    strips = np.where(occurs.sum(axis=1, keepdims=True) == 2, occurs, strips)
    end = np.cumsum(strips, axis=1)
    whole = end[:, -1:]
    # The first x strip weights sum to x - rho (1 - rho**x)/(1 - rho); the last one is divided by 1 - rho.
    below, above = (x - _RHO * (1 - _RHO**x) / (1 - _RHO) for x in (end - strips, end))
    last = (1 - _RHO**whole) * (1 / (1 - _RHO) - 1)
    weight = above - below + np.where((end == whole) & (strips > 0), last, 0.0)
    # Weight of all strips of a score, spread evenly over them.
    mean = np.divide(weight, strips, out=np.zeros_like(weight), where=strips > 0)
    values = np.einsum("ij,ij->i", right, mean) / drawn.pairs
    return np.asarray(values if drawn.is_tied.any() else np.minimum(values, 1.0))


def _h_measures(costs: BetaCosts) -> Callable[[Resamples], FloatArray]:
    def values(drawn: Resamples) -> FloatArray:
        found = np.full(len(drawn.pairs), np.nan)
        for row in np.flatnonzero(drawn.pairs > 0):
            x, y = (np.concatenate(([0.0], counts[row])) for counts in (drawn.fp, drawn.tp))
            vertices = upper_hull(x, y)
            found[row] = h_of_hull(Hull(x[vertices], y[vertices]), costs)
        return found

    return values


BLOCK_MEASURES: Final[dict[str, Callable[[Resamples], FloatArray]]] = {
    "auc": _areas,
    "gini": _ginis,
    "kolmogorov_smirnov": _distances,
    "weighted_auc": _weighted_areas,
    "h_measure": _h_measures(BetaCosts(2, 2)),
    "b42": _h_measures(B42),
    "average_precision": _average_precisions,
}
"""Ranking measures on resamples, by name, each with its defaults."""


# ----------------------------------------------------------------------------------------------------------------------


BANDS: Final = {
    "kolmogorov": "simultaneous: no operating point lies outside, by the Kolmogorov-Smirnov bounds of both classes",
    "binomial": "pointwise, never below its level: by the binomial bounds of both classes (Clopper & Pearson 1934)",
    "bootstrap": "pointwise, close to its level: threshold by resampled negatives, rate by Agresti & Coull's variance",
}
"""The methods by name, each in words."""


@dataclass(frozen=True, eq=False)
class RocBand:
    """A band around a ROC curve: at each false positive rate an interval of true ones; ``sm.plots.roc`` draws it.

    :param fpr: false positive rates, rising
    :param tpr: the height of the curve there, straight between its points
    :param low: the lower end
    :param high: the upper end
    :param level: how often such bands contain the true curve; those that are pointwise, its height at one rate
    :param method: a key of :data:`BANDS`
    :param simultaneous: whether the level holds for all rates at once
    """

    fpr: FloatArray
    tpr: FloatArray
    low: FloatArray
    high: FloatArray
    level: float
    method: str
    simultaneous: bool

    @property
    def words(self) -> str:
        """The level, and whether it is simultaneous over all rates or pointwise."""
        return f"{100 * self.level:g} % {'simultaneous' if self.simultaneous else 'pointwise'}"

    def __repr__(self) -> str:
        return f"RocBand({number_of(len(self.fpr), 'rate')}, {self.words}, {self.method})"


@advising()
def roc_band(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    pos_label: Hashable = 1,
    level: float = 0.95,
    method: str = "kolmogorov",
    fpr: ArrayLike | None = None,
    draws: int = 2000,
    seed: int = 0,
    missing: Missing = "refuse",
) -> RocBand:
    """Return a confidence band around the ROC curve of scores.

    The positive examples are taken for independent of the negative ones, and the number of each for fixed.  The bands
    at each rate by itself are for scores of which few tie: what ties has no threshold in between.

    :param method: ``"kolmogorov"`` for a band of fixed width that contains every operating point of the true curve
        at once: with d and e the Kolmogorov-Smirnov bounds, each at the root of the level, of the shares of P positive
        and of N negative examples above a threshold, it reaches from the least TPr at an FPr of x - e or more, less d,
        to the greatest at x + e or less, plus d (Campbell 1994; Macskassy & Provost 2004).  ``"binomial"`` for each
        FPr by itself, with the binomial bounds of how many negative examples and of how many positive ones lie above
        its threshold, each at the root of the level: it contains the true height at least as often as it says (Hilgers
        1991).  ``"bootstrap"`` for each by itself, narrower: the variance of the threshold from resampled negative
        examples, that of the share above it, and its centre, from Agresti & Coull (1998); close to its level unless
        fewer than about five negative examples are expected above the threshold.
    :param fpr: the false positive rates that are asked for, from 0 to 1; by default 0, 0.01, ..., 1
    :param draws: how many resamples the bootstrap draws
    :param missing: treatment of examples without a label, as for :func:`symmetrics.curves.roc_curve`
    :raises InputError: on examples as :func:`symmetrics.curves.roc_curve` refuses, on invalid settings, and by
        the bootstrap on a single example of a class

    >>> truth, score = [0, 0, 1, 1, 0, 1, 1, 0] * 20, [0.1, 0.3, 0.35, 0.8, 0.4, 0.6, 0.2, 0.15] * 20
    >>> band = roc_band(truth, score, fpr=[0.1, 0.5])
    >>> band
    RocBand(2 rates, 95 % simultaneous, kolmogorov)
    >>> band.tpr.tolist(), band.low.round(3).tolist(), band.high.round(3).tolist()
    ([0.5, 1.0], [0.0, 0.587], [0.913, 1.0])
    """
    if not is_hashable(method) or method not in BANDS:
        raise InputError(f"method={shown(method)} is unknown for bands; pass one of {', '.join(BANDS)}")
    question = Question(level, "bootstrap", "binomial", draws, 0.5, seed)
    examples = read_examples(y_true, y_score, pos_label, missing=missing)
    rates = _rates(fpr)
    curve = curve_of(examples)
    tpr = np.interp(rates, curve.fpr, curve.tpr)
    low, high = _METHODS[method](examples, curve, rates, question)
    low, high = np.minimum(np.clip(low, 0.0, 1.0), tpr), np.maximum(np.clip(high, 0.0, 1.0), tpr)
    return RocBand(rates, tpr, low, high, level, method, method == "kolmogorov")


def _rates(given: ArrayLike | None) -> FloatArray:
    if given is None:
        return np.linspace(0.0, 1.0, 101)
    try:
        rates = np.asarray(given, dtype=np.float64)
    except (OverflowError, TypeError, ValueError):
        rates = np.asarray(np.nan)
    if rates.ndim != 1 or not rates.size or not bool(((rates >= 0) & (rates <= 1)).all()):
        raise InputError(f"fpr={shown(given)} is not a list of false positive rates; pass numbers from 0 to 1")
    return np.sort(rates)


def _least(curve: RocCurve, count: FloatArray) -> FloatArray:
    """Return the smallest true positive count at given false positives or more, over all orders of ties."""
    after, before = (np.searchsorted(curve.fp, count, side=side) for side in ("left", "right"))
    return np.minimum(curve.tp[after], curve.tp[before - 1])


def _most(curve: RocCurve, count: FloatArray) -> FloatArray:
    """Return the largest true positive count at given false positives or fewer, over all orders of ties."""
    after, before = (np.searchsorted(curve.fp, count, side=side) for side in ("left", "right"))
    return np.maximum(curve.tp[after], curve.tp[before - 1])


def smirnov_ends(distance: float, positives: float, negatives: float, level: float) -> tuple[float, float]:
    """Return a distribution-free interval for the Kolmogorov-Smirnov distance of two distributions.

    The lower end is lower by what the one-sided statistic of two samples of one distribution hardly ever exceeds, by
    the bound ``exp(-2 d**2 / (1/positives + 1/negatives))`` (Massart 1990; Wei & Dudley 2012): it is 0 where that test
    does not tell the distributions apart.  The distance is not below the difference of both shares at the threshold
    that is best in truth, so that the upper end is that of the score test of two proportions, at the shares where their
    variance is largest: the largest D with ``(D - distance)**2 <= z**2 (1 - D**2)/4 (1/positives + 1/negatives)``.

    >>> [round(end, 3) for end in smirnov_ends(0.5, 20, 40, 0.95)]
    [0.128, 0.693]
    """
    inverse = 1 / positives + 1 / negatives
    low = distance - (log(2 / (1 - level)) / 2 * inverse) ** 0.5
    spread = float(ndtri((1 + level) / 2)) ** 2 / 4 * inverse
    high = (distance + (spread * (1 + spread - distance**2)) ** 0.5) / (1 + spread)
    return max(low, 0.0), min(max(high, distance), 1.0)


def _kolmogorov(_: Examples, curve: RocCurve, rates: FloatArray, question: Question) -> Ends:
    across, up = (_largest_distance(int(number), question.level**0.5) for number in (curve.negatives, curve.positives))
    left, right = (np.clip(rates + sign * across, 0.0, 1.0) * curve.negatives for sign in (-1, 1))
    return _least(curve, left) / curve.positives - up, _most(curve, right) / curve.positives + up


@lru_cache(maxsize=256)
def _largest_distance(number: int, level: float) -> float:
    """Return the quantile of the largest deviation of empirical from true distributions, at the worst threshold."""
    from scipy.stats import kstwo

    return float(kstwo.ppf(level, number))


def _binomial(_: Examples, curve: RocCurve, rates: FloatArray, question: Question) -> Ends:
    from scipy.stats import binom

    each = question.level**0.5
    fewest, most = (binom.ppf((1 + sign * each) / 2, curve.negatives, rates) for sign in (-1, 1))
    below, above = _least(curve, np.maximum(fewest, 0.0)), _most(curve, np.maximum(most, 0.0))
    low, _high = clopper_pearson(below, curve.positives - below, each)
    _low, high = clopper_pearson(above, curve.positives - above, each)
    return low, high


def _bootstrap(examples: Examples, curve: RocCurve, rates: FloatArray, question: Question) -> Ends:
    """Resample the negative examples only: the true positive rates are handled separately.

    :raises InputError: on a single example of a class, which says nothing of how much its scores vary
    """
    require_two_of_each(examples.positive)
    heights = np.empty((question.draws, rates.size))
    for part, drawn in counted(examples).blocks(question.draws, "binomial", question.seed):
        fpr = np.concatenate((np.zeros((len(drawn.fp), 1)), drawn.fp / curve.negatives), axis=1)
        heights[part] = [np.interp(rates, row, curve.tpr) for row in fpr]
    z, number = float(ndtri((1 + question.level) / 2)), curve.positives
    centre = (np.interp(rates, curve.fpr, curve.tpr) * number + z * z / 2) / (number + z * z)
    reach = z * np.sqrt(centre * (1 - centre) / (number + z * z) + heights.var(axis=0, ddof=1))
    return centre - reach, centre + reach


_METHODS: Final[dict[str, Callable[[Examples, RocCurve, FloatArray, Question], Ends]]] = {
    "kolmogorov": _kolmogorov,
    "binomial": _binomial,
    "bootstrap": _bootstrap,
}
