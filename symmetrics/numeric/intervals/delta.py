"""The delta method: the error of a value is that of its tangent, and close to normal on the right scale."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np
from scipy.special import ndtri

from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.interpreted import interpreted
from symmetrics.numeric.intervals.endings import loop_of
from symmetrics.numeric.intervals.estimators import Estimator, Formula, Groups
from symmetrics.numeric.intervals.result import put_around
from symmetrics.numeric.intervals.scales import Range, Scale
from symmetrics.numeric.intervals.tangents import Tangents, error_program, tangents
from symmetrics.numeric.native import THREADED, processors

__all__ = ["ADDED", "delta", "standard_error"]

ADDED: Final = 0.25
"""What is added to each cell, so that no share is 0: a quarter keeps the level at small counts, half is too much.

An entry gets the part of it that its estimator says.
"""

_BLOCK: Final = 1 << 14
"""Tables at a time, so that what is between stays in the processor's cache."""


def delta(
    estimator: Estimator, entries: Sequence[FloatArray], groups: Groups, level: float, estimates: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the ends of the interval that is symmetric on the scale of the range, and the standard error there.

    The ends lie within the range and around the estimates, which are put into the range as well.

    :param entries: tables: flat arrays, one for each entry
    :param groups: which sums of entries are fixed
    :param estimates: the values of the tables
    """
    size = entries[0].size
    low, high, error = np.empty(size), np.empty(size), np.empty(size)
    added = ADDED * estimator.share
    fused = tangents(estimator, groups, added, entries) if isinstance(estimator, Formula) else None
    is_native = fused is not None and fused.is_native
    z = float(ndtri((1 + level) / 2))

    def part(first: int, stop: int) -> None:
        values, reach = np.empty(_BLOCK), np.empty(_BLOCK)
        with np.errstate(all="ignore"):
            for start in range(first, stop, _BLOCK):
                here = slice(start, min(start + _BLOCK, stop))
                middle = values[: here.stop - start]
                _tangents_of(estimator, fused, [entry[here] for entry in entries], groups, middle, error[here])
                far = np.multiply(z, error[here], out=reach[: middle.size])
                _ends_of(estimator.range, middle, far, estimates[here], low[here], high[here], is_native)

    threads = min(processors(), 2 * size // THREADED) if is_native and size >= THREADED else 1
    if threads < 2:
        part(0, size)
    else:
        step = -(-size // (threads * _BLOCK)) * _BLOCK
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda first: part(first, min(first + step, size)), range(0, size, step)))
    return low, high, error


def _tangents_of(
    estimator: Estimator,
    fused: Tangents | None,
    block: Sequence[FloatArray],
    groups: Groups,
    values: FloatArray,
    errors: FloatArray,
) -> None:
    """Fill in values and standard errors on the scale, those by plain arithmetic that one pass cannot vouch for."""
    left = slice(None) if fused is None else fused.fill(block, values, errors)
    if isinstance(left, slice) or left.size:
        moved = np.stack([entry[left] for entry in block]) + ADDED * estimator.share
        values[left] = estimator.values(moved)
        errors[left] = _error_of(estimator, moved, groups) * Scale(estimator.range).slope(values[left])


def _error_of(estimator: Estimator, entries: FloatArray, groups: Groups) -> FloatArray:
    """Return the standard errors at tables where one pass cannot vouch for them, of a formula by more digits.

    At a kink the slopes are the means of those on both sides, where the derivative as a formula has none.
    """
    found = error_program(estimator.expression, groups) if isinstance(estimator, Formula) else None
    if found is None:
        return standard_error(estimator, entries, groups)
    program, place = found
    errors = interpreted(program, [place], list(entries), np.longdouble)[place]
    return np.asarray(errors, dtype=np.float64)


def _ends_of(
    bounds: Range,
    values: FloatArray,
    reach: FloatArray,
    estimates: FloatArray,
    low: FloatArray,
    high: FloatArray,
    is_native: bool,
) -> None:
    if is_native:
        if np.isfinite(bounds.low) or np.isfinite(bounds.high):
            np.exp(reach, out=reach)
        loop_of(bounds).fill(values, reach, estimates, low, high)
    else:
        Scale(bounds).ends(values, reach, low, high)
        put_around(estimates, low, high, bounds)


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
