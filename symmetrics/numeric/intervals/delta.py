"""The delta method: the error of a value is that of its tangent, and close to normal on the right scale."""

from __future__ import annotations

from typing import Final

import numpy as np
from scipy.special import ndtri

from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.intervals.estimators import Estimator, Groups
from symmetrics.numeric.intervals.scales import Scale

__all__ = ["ADDED", "delta", "standard_error"]

ADDED: Final = 0.25
"""What is added to each cell, so that no share is 0: a quarter keeps the level at small counts, half is too much.

An entry gets the part of it that its estimator says.
"""

_BLOCK: Final = 1 << 13
"""Tables at a time, so that what is between stays in the processor's cache."""


def delta(
    estimator: Estimator, entries: FloatArray, groups: Groups, level: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the ends of the interval that is symmetric on the scale of the range, and the standard error there.

    :param entries: tables, shape (entries, tables)
    :param groups: which sums of entries are fixed
    """
    low, high, error = found = tuple(np.empty(entries.shape[1]) for _ in range(3))
    for start in range(0, entries.shape[1], _BLOCK):
        part = slice(start, start + _BLOCK)
        for whole, values in zip(found, _of_block(estimator, entries[:, part], groups, level), strict=True):
            whole[part] = values
    return low, high, error


def _of_block(
    estimator: Estimator, entries: FloatArray, groups: Groups, level: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    moved, scale = entries + ADDED * estimator.share, Scale(estimator.range)
    values = estimator.values(moved)
    error = standard_error(estimator, moved, groups) * scale.slope(values)
    place, reach = scale.to(values), ndtri((1 + level) / 2) * error
    flat = error == 0
    low, high = (np.where(flat, values, scale.back(end)) for end in (place - reach, place + reach))
    return low, high, error


def standard_error(estimator: Estimator, entries: FloatArray, groups: Groups) -> FloatArray:
    """Return the standard error of the value: the root of the variance of its tangent at multinomial entries.

    Where sums of entries are fixed, each group varies by itself.
    """
    slopes = estimator.slopes(entries)
    variance = np.zeros(entries.shape[1:])
    for group in groups:
        chosen = list(group)
        total = entries[chosen].sum(axis=0)
        share = np.divide(entries[chosen], total, out=np.zeros_like(entries[chosen]), where=total > 0)
        centred = slopes[chosen] - (slopes[chosen] * share).sum(axis=0)
        variance += total * (centred**2 * share).sum(axis=0)
    return np.sqrt(variance)
