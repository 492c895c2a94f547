"""The upper convex hull of a ROC curve: the operating points that some cost ratio prefers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from symmetrics.curves.examples import Examples, last_of_ties
from symmetrics.curves.roc import RocCurve, checked_curve, curve_of, scaled
from symmetrics.numeric.counts import FloatArray
from symmetrics.tools.settings import advising
from symmetrics.tools.workers import spread

Numbers = NDArray[Any]

_MANY: Final = 100_000
"""From so many examples on, threads are worth their start."""
_WORTHWHILE: Final = 8
"""Points are left out all at once for as long as that rids one in so many."""
_MARGIN: Final = 1e-9
"""How far below the hull of some points, as a share of the height, a point is left out; rounding is far smaller."""
_EXACT: Final = 2.0**31
"""Below this, the product of two whole numbers is an exact int64."""
_EXACT_IN_FLOATS: Final = 2.0**53
"""Below this, a product of whole numbers is an exact float64."""

_SMALL: Final = 2.0**-500
"""A share whose square is an ordinary float64."""


class Hull(NamedTuple):
    """The vertices of an upper convex hull, from (0, 0) to all examples: int64, or float64 with weights."""

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
    """Return the hull of the ROC curve of examples; without weights faster than by way of the curve.

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
    """Return the places of the vertices of the upper convex hull of points; those on its edges do not count.

    :param fp: (weighted) counts that never fall
    :param tp: (weighted) counts that never fall, as many

    >>> upper_hull(np.array([0, 0, 1, 2, 2, 4]), np.array([0, 1, 1, 2, 3, 3]))
    array([0, 1, 4, 5])
    """
    # 1. Repeated points are left out.
    steps = np.diff(fp), np.diff(tp)
    kept = np.flatnonzero(np.concatenate(([True], (steps[0] > 0) | (steps[1] > 0))))
    # 2. Products that would vanish in floating point are taken in fractions.
    if any(map(_vanishes, steps, (fp[-1], tp[-1]))):
        return kept[_scanned(*([Fraction(float(count)) for count in counts[kept]] for counts in (fp, tp)))]
    # 3. Points below the line between their neighbours are left out all at once, while that rids many.
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
    """Whether a product of two of the steps, as shares of their total, may be too small for a float64."""
    return bool(np.min(steps, where=steps > 0, initial=total) < total * _SMALL)


def _near_the_hull(x: Numbers, y: Numbers, kept: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the places of points without those that lie well below the hull of a few of them, so are no vertices."""
    few = np.append(kept[:: math.isqrt(kept.size)], kept[-1])
    few = few[upper_hull(x[few], y[few])]
    near = y[kept] >= np.interp(x[kept], x[few], y[few]) - float(y[-1]) * _MARGIN
    near[[0, -1]] = True
    chosen: NDArray[np.intp] = kept[near]
    return chosen


def _for_products(fp: Numbers, tp: Numbers) -> tuple[Numbers, Numbers]:
    """Return counts in a form in which products of them are exact if they are whole, and never leave its range."""
    if max(fp[-1], tp[-1]) < _EXACT and fp[-1] * tp[-1] >= _EXACT_IN_FLOATS:
        whole = fp.astype(np.int64), tp.astype(np.int64)
        if np.array_equal(whole, (fp, tp)):
            return whole
    return scaled(fp), scaled(tp)


def _turns_right(x: Numbers, y: Numbers) -> NDArray[np.bool_]:
    """Return which inner points lie strictly above the line between their neighbours; the others are no vertices."""
    dx, dy = np.diff(x), np.diff(y)
    above: NDArray[np.bool_] = dy[:-1] * dx[1:] > dy[1:] * dx[:-1]
    return above


def _scanned(x: Sequence[float | Fraction], y: Sequence[float | Fraction]) -> list[int]:
    """Return the places of the vertices among points, by Andrew's (1979) monotone chain."""
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
    """Return (FP, TP) at points that include every vertex of the hull, found without sorting the examples jointly.

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
    """Return how many of two sorted arrays lie above each value of the first, or reach it, the highest value first."""
    ends = np.flatnonzero(last_of_ties(rarer)) + 1
    starts = np.append(0, ends[:-1])
    values = np.array_split(rarer[starts], 2)  # ascending, which is faster to look up
    side: Literal["left", "right"] = "left" if reached else "right"
    below_other = np.concatenate(_spread(lambda part: np.searchsorted(other, part, side), values, rarer.size))
    below = starts if reached else ends
    own, others = (
        np.concatenate(([0], (part.size - under)[::-1], [part.size]))
        for part, under in ((rarer, below), (other, below_other))
    )
    return own, others


def _spread(work: Callable[[Any], Numbers], parts: Sequence[Any], size: int) -> list[Numbers]:
    """Return the result of the work on each part; in threads if it is large, because NumPy does not hold the lock."""
    return list(spread(work, parts, workers=len(parts) if size >= _MANY else 1, threads=True))
