"""Bands around a ROC curve: where the true curve lies, at every false positive rate at once or at each by itself."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from symmetrics.curves.examples import Examples, read_examples, require_two_of_each
from symmetrics.curves.resampling import counted
from symmetrics.curves.roc import RocCurve, curve_of
from symmetrics.numeric.counts import FloatArray, shown
from symmetrics.numeric.encoding import is_hashable
from symmetrics.numeric.intervals.contrasts import clopper_pearson
from symmetrics.numeric.intervals.result import Ends, Question
from symmetrics.tools.errors import InputError
from symmetrics.tools.missing import Missing
from symmetrics.tools.settings import advising
from symmetrics.tools.words import number_of

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
        """The level, and what it is a level of: all rates at once, or each by itself."""
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
    """Return a band around the ROC curve of scores, as far as examples tell.

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
    :param missing: what to do with examples that lack a label, as for :func:`symmetrics.curves.roc_curve`
    :raises InputError: on examples as :func:`symmetrics.curves.roc_curve` refuses, on settings that are none, and by
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
    """Return the fewest true positives at as many false positives or more, whatever the order of examples that tie."""
    after, before = (np.searchsorted(curve.fp, count, side=side) for side in ("left", "right"))
    return np.minimum(curve.tp[after], curve.tp[before - 1])


def _most(curve: RocCurve, count: FloatArray) -> FloatArray:
    """Return the most true positives at as many false positives or fewer, whatever the order of examples that tie."""
    after, before = (np.searchsorted(curve.fp, count, side=side) for side in ("left", "right"))
    return np.maximum(curve.tp[after], curve.tp[before - 1])


def smirnov_ends(distance: float, positives: float, negatives: float, level: float) -> tuple[float, float]:
    """Return the interval of Kolmogorov & Smirnov's distance of two distributions, whatever these are.

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
    """Return the quantile of the distance of so many examples' shares from the true ones, at the worst threshold."""
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
    """Resample the negative examples alone: which positive ones lie above a threshold is another matter.

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
