"""The upper convex hull of a ROC curve: the operating points that some cost ratio prefers."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.curves.roc import RocCurve, scaled
from symmetrics.numeric.counts import FloatArray

__all__ = ["convex_hull"]

_WORTHWHILE: Final = 8
"""Points are left out all at once for as long as that rids one in so many."""


def convex_hull(curve: RocCurve) -> RocCurve:
    """Return the upper convex hull of a ROC curve, as the curve through its vertices (Provost & Fawcett 2001).

    The vertices are among the points of the curve and keep their thresholds; slopes fall strictly from each segment to
    the next, so a point on the line between two others is left out.  Which side of a line a point lies on is decided
    by products of counts: exactly while these are whole numbers and P N is below 2^53 (94 million examples of each
    class); with fractional weights up to the rounding of float64.  A vertical start and a flat end belong to the hull.

    >>> from symmetrics.curves import roc_curve
    >>> hull = convex_hull(roc_curve([0, 1, 0, 1, 1, 0], [1, 2, 3, 4, 5, 6]))
    >>> hull.fp.tolist(), hull.tp.tolist(), hull.thresholds.tolist()
    ([0.0, 1.0, 2.0, 3.0], [0.0, 2.0, 3.0, 3.0], [inf, 4.0, 2.0, 1.0])
    """
    x, y = scaled(curve.fp), scaled(curve.tp)
    kept = np.flatnonzero(np.concatenate(([True], (np.diff(x) > 0) | (np.diff(y) > 0))))
    left_out = kept.size
    while left_out * _WORTHWHILE > kept.size:
        turning = np.concatenate(([True], _turns_right(x[kept], y[kept]), [True]))
        left_out = kept.size - int(np.count_nonzero(turning))
        kept = kept[turning]
    if left_out:
        kept = kept[_scanned(x[kept].tolist(), y[kept].tolist())]
    return RocCurve(curve.tp[kept], curve.fp[kept], curve.thresholds[kept])


def _turns_right(x: FloatArray, y: FloatArray) -> NDArray[np.bool_]:
    """Return which inner points lie strictly above the line between their neighbours; the others are no vertices."""
    dx, dy = np.diff(x), np.diff(y)
    above: NDArray[np.bool_] = dy[:-1] * dx[1:] > dy[1:] * dx[:-1]
    return above


def _scanned(x: list[float], y: list[float]) -> list[int]:
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
