"""Areas under a ROC curve, its largest height above the diagonal, and its convex hull."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.curves.examples import Examples, Ranking, checked_rate, last_of_ties, rank, read_examples
from symmetrics.curves.roc import RocCurve, checked_curve, curve_of, scaled
from symmetrics.data.counts import FloatArray, shown
from symmetrics.tools.arguments import Missing, advising
from symmetrics.tools.errors import InputError
from symmetrics.tools.workers import spread


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
    """Return the area under the ROC curve of examples, nan if all have the same class.

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
    """Return the partial area under the ROC curve of examples between two false positive rates in increasing order."""
    curve = curve_of(examples)
    if not standardised:
        return min(high - low, _integral(curve.fpr, curve.tpr, low, high))
    missed = _integral(curve.fpr, 1 - curve.tpr, low, high)  # complements of areas: no cancellation
    missed_by_chance = (high - low) * ((1 - high) + (1 - low)) / 2
    return float(1 - missed / (2 * missed_by_chance))


@advising()
def area(curve: RocCurve) -> float:
    """Return the area under a ROC curve by the trapezoidal rule.

    >>> from symmetrics.curves import convex_hull, roc_curve
    >>> curve = roc_curve([0, 1, 0, 1, 1, 0], [1, 2, 3, 4, 5, 6])
    >>> area(curve), area(convex_hull(curve))
    (0.5555555555555556, 0.7222222222222222)
    """
    tp, fp = scaled(checked_curve(curve).tp), scaled(curve.fp)
    doubled = np.sum(np.diff(fp) * (tp[1:] + tp[:-1]))
    return min(1.0, float(doubled / (2 * tp[-1] * fp[-1])))  # weights are rounded, so the sum may exceed 1


def _integral(x: FloatArray, y: FloatArray, low: float, high: float) -> float:
    """Return the integral over part of [0, 1] of a piecewise linear function."""
    inner = slice(int(np.searchsorted(x, low, side="right")), int(np.searchsorted(x, high, side="left")))
    ends = [_between(x, y, at, place) for at, place in ((low, inner.start), (high, inner.stop))]
    across = np.concatenate(([low], x[inner], [high]))
    heights = np.concatenate((ends[:1], y[inner], ends[1:]))
    return float(np.sum(np.diff(across) * (heights[1:] + heights[:-1])) / 2)


def _between(x: FloatArray, y: FloatArray, at: float, place: int) -> float:
    """Interpolate the function linearly between the points ``place - 1`` and ``place``."""
    (x0, x1), (y0, y1) = x[place - 1 : place + 1], y[place - 1 : place + 1]
    return float(y0 + (y1 - y0) * (at - x0) / (x1 - x0))


def _share_of_pairs(ranking: Ranking) -> float:
    """Return the fraction of pairs in which the positive example ranks higher, ties counted half."""
    positive = ranking.positive
    last = last_of_ties(ranking.score)
    positives = int(np.count_nonzero(positive))
    pairs = positives * (positive.size - positives)
    if bool(last.all()):
        below = int(np.flatnonzero(positive).sum())  # also counts the positives below
        return (below - positives * (positives - 1) // 2) / pairs
    # With ties: trapezoids between the counts at distinct scores.
    ends: NDArray[np.intp] = np.flatnonzero(last)
    tp = np.concatenate(([0], np.cumsum(positive, dtype=np.int64)[ends]))
    fp = np.concatenate(([0], ends + 1)) - tp
    return int(np.sum(np.diff(tp) * (fp[1:] + fp[:-1]))) / (2 * pairs)


# -- The upper convex hull of a ROC curve: operating points that are optimal for some cost ratio -----------------------


Numbers = NDArray[Any]

_MANY: Final = 100_000
"""Number of examples from which threads pay off."""
_WORTHWHILE: Final = 8
"""Points are pruned in parallel passes while a pass removes at least one in this number."""
_MARGIN: Final = 1e-9
"""Relative depth below a coarse hull at which a point is dropped; far larger than rounding errors."""
_EXACT: Final = 2.0**31
"""Below this, the product of two integers is an exact int64."""
_EXACT_IN_FLOATS: Final = 2.0**53
"""Below this, the product of integers is an exact float64."""

_SMALL: Final = 2.0**-500
"""A share whose square is a normal float64."""


class Hull(NamedTuple):
    """Vertices of an upper convex hull, from (0, 0) to all examples, as counts: int64, or float64 with weights."""

    fp: Numbers
    tp: Numbers


@advising()
def convex_hull(curve: RocCurve) -> RocCurve:
    """Return the upper convex hull of a ROC curve, as the curve through its vertices (Provost & Fawcett 2001).

    The vertices are among the points of the curve and keep their thresholds; slopes fall strictly from each segment to
    the next, so a point on the line between two others is left out.  Which side of a line a point lies on is decided
    by products of counts: exactly while these are whole numbers below 2^31, or so far apart in size that a product
    would vanish; with other fractional weights up to the rounding of float64.  A vertical start and a flat end belong
    to the hull.

    >>> from symmetrics.curves import roc_curve
    >>> hull = convex_hull(roc_curve([0, 1, 0, 1, 1, 0], [1, 2, 3, 4, 5, 6]))
    >>> hull.fp.tolist(), hull.tp.tolist(), hull.thresholds.tolist()
    ([0.0, 1.0, 2.0, 3.0], [0.0, 2.0, 3.0, 3.0], [inf, 4.0, 2.0, 1.0])
    """
    vertices = upper_hull(checked_curve(curve).fp, curve.tp)
    return RocCurve(curve.tp[vertices], curve.fp[vertices], curve.thresholds[vertices])


def hull_of(examples: Examples) -> Hull:
    """Return the hull of the ROC curve of examples; without weights faster than via the curve.

    >>> from symmetrics.curves.examples import read_examples
    >>> hull_of(read_examples([1, 0, 1, 0, 0], [9, 5, 4, 4, 1], 1, None))
    Hull(fp=array([0, 0, 2, 3]), tp=array([0, 1, 2, 2]))
    """
    if examples.weight is None:
        fp, tp = _corners(examples)
    else:
        curve = curve_of(examples)
        fp, tp = curve.fp, curve.tp
    vertices = upper_hull(fp, tp)
    return Hull(fp[vertices], tp[vertices])


def upper_hull(fp: Numbers, tp: Numbers) -> NDArray[np.intp]:
    """Return the indices of the upper convex hull's vertices; points on its edges are excluded.

    :param fp: (weighted) counts that never fall
    :param tp: (weighted) counts that never fall, as many

    >>> upper_hull(np.array([0, 0, 1, 2, 2, 4]), np.array([0, 1, 1, 2, 3, 3]))
    array([0, 1, 4, 5])
    """
    # 1. Drop repeated points.
    steps = np.diff(fp), np.diff(tp)
    kept = np.flatnonzero(np.concatenate(([True], (steps[0] > 0) | (steps[1] > 0))))
    # 2. Use fractions where products would underflow.
    if any(map(_vanishes, steps, (fp[-1], tp[-1]))):
        return kept[_scanned(*([Fraction(float(count)) for count in counts[kept]] for counts in (fp, tp)))]
    # 3. Drop all points below the line between their neighbours at once, while that removes many.
    x, y = _for_products(fp, tp)
    if kept.size > _MANY:
        kept = _near_the_hull(x, y, kept)
    left_out = kept.size
    while left_out * _WORTHWHILE > kept.size:
        turning = np.concatenate(([True], _turns_right(x[kept], y[kept]), [True]))
        left_out = kept.size - int(np.count_nonzero(turning))
        kept = kept[turning]
    return kept[_scanned(x[kept].tolist(), y[kept].tolist())] if left_out else kept


def _vanishes(steps: Numbers, total: float) -> bool:
    """Whether a product of two steps, relative to their total, may underflow in float64."""
    return bool(np.min(steps, where=steps > 0, initial=total) < total * _SMALL)


def _near_the_hull(x: Numbers, y: Numbers, kept: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the indices of points without those well below a coarse hull, which cannot be vertices."""
    few = np.append(kept[:: math.isqrt(kept.size)], kept[-1])
    few = few[upper_hull(x[few], y[few])]
    near = y[kept] >= np.interp(x[kept], x[few], y[few]) - float(y[-1]) * _MARGIN
    near[[0, -1]] = True
    chosen: NDArray[np.intp] = kept[near]
    return chosen


def _for_products(fp: Numbers, tp: Numbers) -> tuple[Numbers, Numbers]:
    """Scale counts so that their products are exact for integers, and never over- or underflow."""
    if max(fp[-1], tp[-1]) < _EXACT and fp[-1] * tp[-1] >= _EXACT_IN_FLOATS:
        whole = fp.astype(np.int64), tp.astype(np.int64)
        if np.array_equal(whole, (fp, tp)):
            return whole
    return scaled(fp), scaled(tp)


def _turns_right(x: Numbers, y: Numbers) -> NDArray[np.bool_]:
    """Mark the inner points strictly above the line between their neighbours; others are not vertices."""
    dx, dy = np.diff(x), np.diff(y)
    above: NDArray[np.bool_] = dy[:-1] * dx[1:] > dy[1:] * dx[:-1]
    return above


def _scanned(x: Sequence[float | Fraction], y: Sequence[float | Fraction]) -> list[int]:
    """Return the indices of the vertices, by Andrew's (1979) monotone chain."""
    chain: list[int] = []
    for new in range(len(x)):
        while len(chain) > 1:
            first, last = chain[-2:]
            if (y[last] - y[first]) * (x[new] - x[last]) > (y[new] - y[last]) * (x[last] - x[first]):
                break
            chain.pop()
        chain.append(new)
    return chain


def _corners(examples: Examples) -> tuple[Numbers, Numbers]:
    """Return points (FP, TP) that include every vertex of the hull, without a joint sort of all examples.

    At a vertex a positive example stands last above the threshold and a negative one first below it, so the distinct
    scores of the rarer class are enough.
    """
    zeros, ones = _spread(
        lambda chosen: np.sort(np.compress(chosen, examples.score)),
        [~examples.positive, examples.positive],
        examples.score.size,
    )
    if ones.size <= zeros.size:
        tp, fp = _counts_above(ones, zeros, reached=True)
    else:
        fp, tp = _counts_above(zeros, ones, reached=False)
    return fp, tp


def _counts_above(rarer: FloatArray, other: FloatArray, *, reached: bool) -> tuple[Numbers, Numbers]:
    """Return how many elements of two sorted arrays exceed, or reach, each value of the first, in decreasing order."""
    ends = np.flatnonzero(last_of_ties(rarer)) + 1
    starts = np.append(0, ends[:-1])
    values = np.array_split(rarer[starts], 2)  # ascending, faster to search
    side: Literal["left", "right"] = "left" if reached else "right"
    below_other = np.concatenate(_spread(lambda part: np.searchsorted(other, part, side), values, rarer.size))
    below = starts if reached else ends
    own, others = (
        np.concatenate(([0], (part.size - under)[::-1], [part.size]))
        for part, under in ((rarer, below), (other, below_other))
    )
    return own, others


def _spread(work: Callable[[Any], Numbers], parts: Sequence[Any], size: int) -> list[Numbers]:
    """Apply a function to each part; in threads if large, as NumPy releases the lock."""
    return list(spread(work, parts, workers=len(parts) if size >= _MANY else 1, threads=True))
