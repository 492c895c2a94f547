"""Areas under a ROC curve, and its largest height above the diagonal."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.curves.examples import Examples, Ranking, checked_rate, last_of_ties, rank, read_examples
from symmetrics.curves.roc import RocCurve, checked_curve, curve_of, scaled
from symmetrics.numeric.counts import FloatArray, shown
from symmetrics.tools.errors import InputError
from symmetrics.tools.missing import Missing
from symmetrics.tools.settings import advising


@advising()
def auc(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    pos_label: Hashable = 1,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
) -> float:
    """Return the area under the ROC curve, from 0 to 1; 1/2 is chance.

    It is the share of pairs of a positive and a negative example of which the positive one is scored higher, a tie
    counted as half a pair: the statistic of Mann & Whitney (1947) over its largest value (Hanley & McNeil 1982).  With
    weights a pair counts as the product of its two.  Without, pairs are counted in whole numbers and the result is
    rounded once.

    :raises InputError: as :func:`symmetrics.curves.roc_curve`

    >>> auc([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.35])
    0.875
    """
    return auc_of(read_examples(y_true, y_score, pos_label, sample_weight, missing=missing))


def auc_of(examples: Examples) -> float:
    """Return the area under the ROC curve of examples."""
    return area(curve_of(examples)) if examples.weight is not None else _share_of_pairs(rank(examples))


def area_if_any(examples: Examples, highest: float = 1.0) -> float:
    """Return the area under the ROC curve of examples, nan where all are of one class.

    :param highest: the false positive rate up to which the area is taken, standardised if it is below 1
    """
    if bool(examples.positive.all()) or not bool(examples.positive.any()):
        return np.nan
    return auc_of(examples) if highest == 1 else _partial_auc_of(examples, 0.0, highest, standardised=True)


@advising()
def gini(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    pos_label: Hashable = 1,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
) -> float:
    """Return the Gini coefficient 2 AUC - 1, from -1 to 1; 0 is chance (Hand & Till 2001, section 2).

    :raises InputError: as :func:`symmetrics.curves.roc_curve`

    >>> gini([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.35])
    0.75
    """
    return 2 * auc(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, missing=missing) - 1


@advising()
def kolmogorov_smirnov(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    pos_label: Hashable = 1,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
) -> float:
    """Return the largest distance of TPr and FPr at any threshold, from 0 to 1.

    It is the two-sample statistic of Kolmogorov & Smirnov, and the largest height above or below the diagonal.

    :raises InputError: as :func:`symmetrics.curves.roc_curve`

    >>> kolmogorov_smirnov([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.35])
    0.5
    """
    curve = curve_of(read_examples(y_true, y_score, pos_label, sample_weight, missing=missing))
    return float(np.abs(curve.tpr - curve.fpr).max())


@advising()
def partial_auc(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    max_fpr: float,
    min_fpr: float = 0.0,
    standardised: bool = False,
    pos_label: Hashable = 1,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
) -> float:
    """Return the area under the part of the ROC curve between two false positive rates.

    Between its points the curve is straight.  The raw area lies between 0 and ``max_fpr - min_fpr``.

    :param standardised: return (1 + (A - m)/(M - m))/2 in place of the area A, where m = (max_fpr^2 - min_fpr^2)/2 is
        the area under the diagonal and M = max_fpr - min_fpr the largest: 1/2 is chance and 1 is perfect (McClish 1989,
        as in scikit-learn)
    :raises InputError: unless 0 <= min_fpr < max_fpr <= 1, and as :func:`symmetrics.curves.roc_curve`

    >>> scores = [1, 2, 3, 4, 5, 6]
    >>> partial_auc([0, 1, 0, 0, 1, 1], scores, max_fpr=0.5)
    0.3333333333333333
    >>> partial_auc([0, 0, 0, 1, 1, 1], scores, max_fpr=0.5, standardised=True)
    1.0
    """
    low, high = checked_rate(min_fpr, "min_fpr"), checked_rate(max_fpr, "max_fpr")
    if not isinstance(standardised, bool | np.bool_):
        raise InputError(f"standardised={shown(standardised)} is neither; pass True or False")
    if not low < high:
        raise InputError(f"min_fpr={min_fpr} is not below max_fpr={max_fpr}; pass a range of false positive rates")
    return _partial_auc_of(
        read_examples(y_true, y_score, pos_label, sample_weight, missing=missing), low, high, standardised
    )


def _partial_auc_of(examples: Examples, low: float, high: float, standardised: bool) -> float:
    """Return the area under the part of the ROC curve of examples between two false positive rates, the first lower."""
    curve = curve_of(examples)
    if not standardised:
        return min(high - low, _integral(curve.fpr, curve.tpr, low, high))
    missed = _integral(curve.fpr, 1 - curve.tpr, low, high)  # M - A, M - m: nothing cancels
    missed_by_chance = (high - low) * ((1 - high) + (1 - low)) / 2
    return float(1 - missed / (2 * missed_by_chance))


@advising()
def area(curve: RocCurve) -> float:
    """Return the area under a ROC curve, straight between its points.

    >>> from symmetrics.curves import convex_hull, roc_curve
    >>> curve = roc_curve([0, 1, 0, 1, 1, 0], [1, 2, 3, 4, 5, 6])
    >>> area(curve), area(convex_hull(curve))
    (0.5555555555555556, 0.7222222222222222)
    """
    tp, fp = scaled(checked_curve(curve).tp), scaled(curve.fp)
    doubled = np.sum(np.diff(fp) * (tp[1:] + tp[:-1]))
    return min(1.0, float(doubled / (2 * tp[-1] * fp[-1])))  # weights round, and steps of 1 may add up to more


def _integral(x: FloatArray, y: FloatArray, low: float, high: float) -> float:
    """Return the integral, over part of [0, 1], of the line through points whose x rise from 0 to 1."""
    inner = slice(int(np.searchsorted(x, low, side="right")), int(np.searchsorted(x, high, side="left")))
    ends = [_between(x, y, at, place) for at, place in ((low, inner.start), (high, inner.stop))]
    across = np.concatenate(([low], x[inner], [high]))
    heights = np.concatenate((ends[:1], y[inner], ends[1:]))
    return float(np.sum(np.diff(across) * (heights[1:] + heights[:-1])) / 2)


def _between(x: FloatArray, y: FloatArray, at: float, place: int) -> float:
    """Return the height of the line at an x between those of the points ``place - 1`` and ``place``."""
    (x0, x1), (y0, y1) = x[place - 1 : place + 1], y[place - 1 : place + 1]
    return float(y0 + (y1 - y0) * (at - x0) / (x1 - x0))


def _share_of_pairs(ranking: Ranking) -> float:
    """Return the share of pairs in which the positive example is ranked higher, ties counted as half."""
    positive = ranking.positive
    last = last_of_ties(ranking.score)
    positives = int(np.count_nonzero(positive))
    pairs = positives * (positive.size - positives)
    if bool(last.all()):
        below = int(np.flatnonzero(positive).sum())  # counts the positives below as well
        return (below - positives * (positives - 1) // 2) / pairs
    # With ties, the trapezoids between the counts at distinct scores.
    ends: NDArray[np.intp] = np.flatnonzero(last)
    tp = np.concatenate(([0], np.cumsum(positive, dtype=np.int64)[ends]))
    fp = np.concatenate(([0], ends + 1)) - tp
    return int(np.sum(np.diff(tp) * (fp[1:] + fp[:-1]))) / (2 * pairs)
