"""The score interval of any function of multinomial shares: the values that the score test does not reject.

Let f be a function of the shares p of the entries of a table of n examples with the counts x.  The most likely shares
with f(p) = d maximise the likelihood under that condition, and the score test rejects d where Pearson's statistic of
the table against them,

    X**2(d) = sum((x - n*p)**2/(n*p)),

is above the squared normal quantile (Rao 1948).  For one proportion this is Wilson's interval (1927), for the
difference of two paired ones Tango's (1998), for two independent ones Mee's (1984), and for their quotient
Koopman's (1984).  Here the ends are found for any f with slopes: entries without examples get what shares the end of
the interval needs, which is why such intervals hold where few examples or none tell two classifiers apart.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.intervals.delta import ADDED
from symmetrics.numeric.intervals.estimators import Estimator, Groups
from symmetrics.numeric.intervals.result import Ends

__all__ = ["score"]

_FULL_STEPS: Final = 8
"""Steps of full length; later ones stop where the function no longer grows, as where two entries take turns."""
_STEPS: Final = 40
_HALVINGS: Final = 20
_SETTLED: Final = 1e-9
"""The value at the end has settled when it moves by less, in parts of the distance from the estimate ..."""
_ROUGHLY: Final = 1e-3
"""... and after all steps an end that still moves by more is not known."""
_NEWTON: Final = 100
_PRECISION: Final = 1e-14


def score(
    estimator: Estimator, entries: FloatArray, groups: Groups, level: float
) -> tuple[Ends, NDArray[np.bool_]]:
    """Return the ends of the score interval at tables of shape (entries, m), and at which tables they are known.

    They are not where the value has no slopes near an end, as where a root is 0.

    :param groups: which sums of entries are fixed
    """
    ends, known = [], np.ones(entries.shape[1], dtype=np.bool_)
    estimate = estimator.values(entries)
    squared = float(ndtri((1 + level) / 2)) ** 2
    for sign in (-1.0, 1.0):
        end, is_settled = _end(estimator, entries, groups, squared, sign, estimate)
        ends.append(np.where(np.isfinite(end), end, estimate))
        known &= is_settled
    return (ends[0], ends[1]), known


def _end(
    estimator: Estimator, entries: FloatArray, groups: Groups, squared: float, sign: float, estimate: FloatArray
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Return the values at the least (sign -1) or greatest (sign 1) end, and which of them have settled.

    By linearising: of a linear function the most likely shares at the end are known but for two numbers, and the
    slopes are taken anew there until nothing moves.
    """
    totals = [entries[list(group)].sum(axis=0) for group in groups]
    expected = entries + ADDED * estimator.share
    for group, total in zip(groups, totals, strict=True):
        places = list(group)
        expected[places] *= total / expected[places].sum(axis=0)
    values = estimator.values(expected)
    settled = np.zeros(entries.shape[1], dtype=np.bool_)
    unknown = settled.copy()
    for step in range(_STEPS):
        left = np.flatnonzero(~settled & ~unknown)
        if not left.size:
            break
        here = [total[left] for total in totals]
        slopes = sign * estimator.slopes(expected[:, left])
        has_slopes = np.isfinite(slopes).all(axis=0)
        unknown[left[~has_slopes]] = True
        found = _most_likely(entries[:, left], groups, here, np.where(has_slopes, slopes, 0.0), squared)
        move = found - expected[:, left]
        if step >= _FULL_STEPS:
            move = _shortened(estimator, sign, expected[:, left], move)
        expected[:, left] += move
        moved = estimator.values(expected[:, left])
        with np.errstate(invalid="ignore"):
            change, reach = np.abs(moved - values[left]), np.abs(moved - estimate[left])
        values[left] = moved
        settled[left] = change <= (_SETTLED if step < _STEPS - 1 else _ROUGHLY) * reach
    return values, settled & ~unknown & np.isfinite(values)


def _shortened(estimator: Estimator, sign: float, start: FloatArray, move: FloatArray) -> FloatArray:
    """Return the moves as far as the function grows along them: to where its slope along them is 0, by halving."""
    falls = (sign * estimator.slopes(start + move) * move).sum(axis=0) < 0
    if not falls.any():
        return move
    start, along = start[:, falls], move[:, falls]
    low, high = np.zeros(along.shape[1]), np.ones(along.shape[1])
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        grows = (sign * estimator.slopes(start + middle * along) * along).sum(axis=0) > 0
        low, high = np.where(grows, middle, low), np.where(grows, high, middle)
    move = move.copy()
    move[:, falls] = (low + high) / 2 * along
    return move


def _most_likely(
    counts: FloatArray, groups: Groups, totals: list[FloatArray], slopes: FloatArray, squared: float
) -> FloatArray:
    """Return the expected counts at the upper end for a linear function with these slopes by the counts.

    They maximise the likelihood among all with the same value of the function, and the statistic is *squared*.  Within
    a group of n examples they are x/(1 + s) with s = (e - t*d)/n, where d is by how much the slope of an entry, times
    n, is above the mean of the examples.  The number t is the same for all groups; e is then such that the expected
    counts add up to n, and the statistic is the sum of e over the groups.  An entry without examples gets what is
    missing where 1 + s would be negative there.
    """
    above = [_above_mean(counts[list(g)], total, slopes[list(g)]) for g, total in zip(groups, totals, strict=True)]
    parts = [(counts[list(g)], total, d) for g, total, d in zip(groups, totals, above, strict=True)]
    # From the right, where the statistic is too large: it is convex in t, and Newton's steps do not pass the root.
    spread = sum((_over(x, n) * d**2).sum(axis=0) / np.maximum(n, 1e-300) for x, n, d in parts)
    reach = np.min([_over(squared + n, np.maximum(d.max(axis=0), 0.0), np.inf) for _, n, d in parts], axis=0)
    t = np.minimum(_over(np.sqrt(squared), np.sqrt(spread), np.inf), reach)
    has_effect = np.isfinite(t)
    t = np.where(has_effect, t, 0.0)
    while ((short := has_effect & (_statistic(parts, t)[0] < squared * (1 - _PRECISION)))).any():
        t = np.where(short, 2 * t, t)
    for _ in range(_NEWTON):
        value, slope = _statistic(parts, t)
        step = _over(value - squared, slope)
        t = np.where(has_effect, np.maximum(t - step, 0.0), 0.0)
        if (np.abs(step) <= _PRECISION * t).all():
            break
    expected = np.empty_like(counts)
    for group, part in zip(groups, parts, strict=True):
        expected[list(group)] = _expected(*part, t)
    return expected


def _above_mean(counts: FloatArray, total: FloatArray, slopes: FloatArray) -> FloatArray:
    """Return by how much the slopes, times the number of examples, are above the mean of these."""
    centred = slopes - slopes.mean(axis=0)  # so that the digits of nearly equal slopes are kept
    return np.asarray(total * (centred - _over((counts * centred).sum(axis=0), total)))


def _statistic(parts: list[tuple[FloatArray, FloatArray, FloatArray]], t: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the statistic and its derivative by t."""
    value, slope = np.zeros_like(t), np.zeros_like(t)
    for part in parts:
        e, by_t, _ = _excess(*part, t)
        value, slope = value + e, slope + by_t
    return value, slope


def _excess(
    counts: FloatArray, total: FloatArray, above: FloatArray, t: FloatArray
) -> tuple[FloatArray, FloatArray, NDArray[np.bool_]]:
    """Return e of a group, its derivative by t, and where an entry without examples sets it."""
    share, has_examples = _over(counts, total), counts > 0
    pull = t * above
    # From the left: there the largest term alone makes the sum of expected counts n or more.
    e = np.maximum(np.where(has_examples, pull - total + counts, -np.inf).max(axis=0), 0.0)
    for _ in range(_NEWTON):
        s = np.where(has_examples, _over(e - pull, total), 0.0)
        excess = (share * s**2 / (1 + s)).sum(axis=0) - _over(e, total)  # sum(x/(1 + s))/n - 1, without cancellation
        weight = _over(share, total) / (1 + s) ** 2
        step = _over(excess, weight.sum(axis=0))
        e = e + np.maximum(step, 0.0)
        if (step <= _PRECISION * e).all():
            break
    bound = np.where(has_examples, -np.inf, pull - total).max(axis=0)
    is_bound = (bound > e) & (total > 0)
    s = np.where(has_examples, _over(e - pull, total), 0.0)
    weight = share / (1 + s) ** 2
    by_t = np.where(is_bound, above.max(axis=0), _over((weight * above).sum(axis=0), weight.sum(axis=0)))
    return np.where(total > 0, np.where(is_bound, bound, e), 0.0), np.where(total > 0, by_t, 0.0), is_bound


def _expected(counts: FloatArray, total: FloatArray, above: FloatArray, t: FloatArray) -> FloatArray:
    e, _, is_bound = _excess(counts, total, above, t)
    s = np.where(counts > 0, _over(e - t * above, total), 0.0)
    expected = counts / (1 + s)
    largest = is_bound & (counts == 0) & (above == above.max(axis=0))
    missing = np.maximum(total - expected.sum(axis=0), 0.0)
    return np.asarray(expected + np.where(largest, missing / np.maximum(largest.sum(axis=0), 1), 0.0))


def _over(above: FloatArray, below: FloatArray, otherwise: float = 0.0) -> FloatArray:
    """Return a quotient, and another number where it is by 0."""
    below = np.broadcast_to(below, np.broadcast_shapes(np.shape(above), np.shape(below)))
    return np.divide(above, below, out=np.full(below.shape, otherwise), where=below > 0)
