"""Ends of the range that lie inside of the tables, such as 0 for an association without a sign, at independence.

An interval from draws or from a tangent does not contain such an end, however well the table fits it: all values lie on
one side.  Near the end a value is a power of how far the table is from it, the first for Cramér's V and the second for
mutual information.  On the scale of that distance the interval contains the end if it reaches as far below the estimate
as it does above.
"""

from __future__ import annotations

import numpy as np

from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.intervals.estimators import Estimator
from symmetrics.numeric.intervals.scales import AT_END

__all__ = ["inner_ends", "reach_inner_ends"]

_COUNT, _NEAR, _FAR = 1000.0, 10.0, 20.0
"""The count of every entry of the even table, and how far from it values are compared."""


def inner_ends(estimator: Estimator, entries: int) -> tuple[float | None, float | None]:
    """Return the power of the distance at the lower and at the upper end, None where the even table is not at it.

    The even table, where truth and prediction are independent and all margins are alike, stands for all such tables.

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> from symmetrics.numeric.intervals.estimators import Formula
    >>> from symmetrics.numeric.intervals.scales import Range
    >>> inner_ends(Formula((TP * TN - FN * FP) ** 2 / (TP + FN + FP + TN) ** 4, Range(0.0, 1.0)), 4)
    (2.0, None)
    """
    direction = np.cos(1.7 * np.arange(entries) + 0.3)  # in no direction in which a metric stays the same
    tables = _COUNT + np.multiply.outer(direction, np.array([0.0, _NEAR, _FAR]))
    with np.errstate(all="ignore"):
        even, near, far = estimator.values(tables)
        powers = [
            float(np.clip(np.round(np.log2(abs(far - end) / abs(near - end))), 1, 2))
            if np.isfinite(end) and abs(even - end) <= AT_END and near != end != far
            else None
            for end in estimator.range
        ]
    return powers[0], powers[1]


def reach_inner_ends(
    estimator: Estimator, entries: int, estimates: FloatArray, low: FloatArray, high: FloatArray
) -> None:
    """Put ends of intervals on the ends of the range that they reach; in place."""
    powers = inner_ends(estimator, entries)
    for end, power, own, other in zip(estimator.range, powers, (low, high), (high, low), strict=True):
        if power is not None:
            distance, reached = (np.abs(values - end) ** (1 / power) for values in (estimates, other))
            own[2 * distance <= reached] = end
