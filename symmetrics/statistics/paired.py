"""Intervals for the difference of two predictions: the score interval, and Newcombe's for paired proportions."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from symmetrics.data.counts import FloatArray
from symmetrics.statistics.delta import ADDED
from symmetrics.statistics.intervals import Ends, Estimator, Formula, Groups, Interval, Question, put_around
from symmetrics.statistics.methods import estimated
from symmetrics.statistics.proportions import Proportion, shape_of, wilson
from symmetrics.statistics.samples import Difference, JointDifference
from symmetrics.tools.errors import InputError

# -- The score interval of any function of multinomial shares: all values that the score test does not reject ----------

# Let f be a function of the shares p of the entries of a table of n examples with the counts x. The most likely
# shares with f(p) = d maximise the likelihood under that condition, and the score test rejects d where Pearson's
# statistic of the table against them,
#
#     X**2(d) = sum((x - n*p)**2/(n*p)),
#
# is above the squared normal quantile (Rao 1948). For one proportion this is Wilson's interval (1927), for the
# difference of two paired ones Tango's (1998), for two independent ones Mee's (1984), and for their quotient
# Koopman's (1984). Here the ends are found for any differentiable f: entries without examples get the shares that
# the end needs, which is why such intervals hold where few examples or none distinguish two classifiers.


_FULL_STEPS: Final = 8
"""Number of full-length steps; later ones are damped, as iterates may alternate between two entries."""
_STEPS: Final = 40
_HALVINGS: Final = 20
_SETTLED: Final = 1e-9
"""Tolerance for convergence of an end, relative to its distance from the estimate ..."""
_NEARLY: Final = 1e-6
"""... relaxed to this after the full-length steps ..."""
_ROUGHLY: Final = 1e-3
"""... and after all steps; an end that still moves more is reported as unknown."""
_NEWTON: Final = 100
_PRECISION: Final = 1e-14


def score(estimator: Estimator, entries: FloatArray, groups: Groups, level: float) -> tuple[Ends, NDArray[np.bool_]]:
    """Return the ends of the score interval at tables of shape (entries, m), and a mask of converged ones.

    They are not where the value has no slopes near an end, as where a root is 0.

    :param groups: which sums of entries are fixed
    """
    ends, known = [], np.ones(entries.shape[1], dtype=np.bool_)
    estimate = estimator.values(entries)
    squared = float(ndtri((1 + level) / 2)) ** 2
    for sign in (-1.0, 1.0):
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            end, is_settled = _end(estimator, entries, groups, squared, sign, estimate)
        ends.append(np.where(np.isfinite(end), end, estimate))
        known &= is_settled
    return (ends[0], ends[1]), known


def _end(
    estimator: Estimator, entries: FloatArray, groups: Groups, squared: float, sign: float, estimate: FloatArray
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Return the values at the lower (sign -1) or upper (sign 1) end, and a mask of those that converged.

    By linearising: of a linear function the most likely shares at the end are known but for two numbers, and the
    slopes are taken anew there until nothing moves.
    """
    totals = [entries[list(group)].sum(axis=0) for group in groups]
    # 1. Start from the counts with a little added to each entry, so that no expected count is 0.
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
        # 2. Linearise the value at the latest expected counts.
        slopes = sign * estimator.slopes(expected[:, left])
        has_slopes = np.isfinite(slopes).all(axis=0)
        unknown[left[~has_slopes]] = True
        # 3. The expected counts at the end if the value were that linear function.
        found = _most_likely(entries[:, left], groups, here, np.where(has_slopes, slopes, 0.0), squared)
        move = found - expected[:, left]
        if step >= _FULL_STEPS:
            move = _shortened(estimator, sign, expected[:, left], move)
        expected[:, left] += move
        # 4. Stop where the value has converged, relative to its distance from the estimate.
        moved = estimator.values(expected[:, left])
        change, reach = np.abs(moved - values[left]), np.abs(moved - estimate[left])
        values[left] = moved
        within = _SETTLED if step < _FULL_STEPS else _NEARLY if step < _STEPS - 1 else _ROUGHLY
        settled[left] = change <= within * reach
    return values, settled & ~unknown & np.isfinite(values)


def _shortened(estimator: Estimator, sign: float, start: FloatArray, move: FloatArray) -> FloatArray:
    """Damp moves: halve each until the function still increases along it."""
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
    """Return the expected counts at the upper end, for a function that is linear with these slopes.

    They maximise the likelihood among all with the same value of the function, and the statistic is *squared*.  The
    number t is the same for all groups, and the statistic is the sum of their excesses.
    """
    parts = [_Group.of(counts[list(g)], total, slopes[list(g)]) for g, total in zip(groups, totals, strict=True)]
    # Newton's method from the right, where the statistic is too large: it is convex in t, so steps do not overshoot.
    spread = sum((part.share * part.above**2).sum(axis=0) / part.divisor for part in parts)
    reach = np.min([(squared + part.total) / np.maximum(part.above.max(axis=0), 0.0) for part in parts], axis=0)
    t = np.minimum(np.sqrt(squared / spread), reach)
    has_effect = np.isfinite(t)
    t = np.where(has_effect, t, 0.0)
    # Double t until the statistic is large enough, that is, right of the root.
    while True:
        found = [part.excess(t) for part in parts]
        short = has_effect & (sum(each.value for each in found) < squared * (1 - _PRECISION))
        if not short.any():
            break
        t = np.where(short, 2 * t, t)
    for _ in range(_NEWTON):
        # Newton: the excesses have to sum to the squared normal quantile.
        value, slope = (sum(getattr(each, name) for each in found) for name in ("value", "slope"))
        step = np.where(has_effect & (slope > 0), (value - squared) / slope, 0.0)
        t = np.maximum(t - step, 0.0)
        found = [part.excess(t) for part in parts]
        if (np.abs(step) <= _PRECISION * t).all():
            break
    expected = np.empty_like(counts)
    for group, part, each in zip(groups, parts, found, strict=True):
        expected[list(group)] = part.expected(t, each)
    return expected


class _Excess(NamedTuple):
    """A group's contribution to the statistic, its derivative by t, and where an empty entry determines it."""

    value: FloatArray
    slope: FloatArray
    is_bound: NDArray[np.bool_]


class _Group(NamedTuple):
    """A group of entries with a fixed sum n.

    The most likely counts are x/(1 + s) with s = (e - t*d)/n, where x are the counts that were seen, and d is by how
    much the slope of an entry, times n, is above the mean of the examples.  The excess e is such that they add up to
    n; where 1 + s would be negative at an entry without examples, this gets what is missing.

    :param counts: x, shape (entries of the group, tables)
    :param total: n
    :param above: d
    :param share: x/n
    :param divisor: n, or 1 where it is 0
    """

    counts: FloatArray
    total: FloatArray
    above: FloatArray
    share: FloatArray
    divisor: FloatArray

    @classmethod
    def of(cls, counts: FloatArray, total: FloatArray, slopes: FloatArray) -> _Group:
        divisor = np.where(total > 0, total, 1.0)
        share = counts / divisor
        centred = slopes - slopes.mean(axis=0)  # centred, so that differences of nearly equal slopes are accurate
        return cls(counts, total, total * (centred - (share * centred).sum(axis=0)), share, divisor)

    def excess(self, t: FloatArray) -> _Excess:
        """Solve for e by Newton's method from the left, where one entry alone reaches n; the sum is convex in e."""
        has_examples, pull = self.counts > 0, t * self.above
        # Start where the entry with the largest pull alone would have all n examples.
        e = np.maximum(np.where(has_examples, pull - self.total + self.counts, 0.0).max(axis=0), 0.0)
        for _ in range(_NEWTON):
            s = np.where(has_examples, (e - pull) / self.divisor, 0.0)
            weight = self.share / (1 + s)
            missing = (weight * s**2).sum(axis=0) - e / self.divisor  # sum(x/(1 + s))/n - 1, without cancellation
            weight /= 1 + s
            step = np.where(self.total > 0, missing * self.divisor / weight.sum(axis=0), 0.0)
            e = e + np.maximum(step, 0.0)
            if (step <= _PRECISION * e).all():
                break
        # An empty entry gets a positive share once its pull exceeds e: then it determines e.
        bound = np.where(has_examples, -np.inf, pull - self.total).max(axis=0)
        is_bound = (bound > e) & (self.total > 0)
        slope = np.where(is_bound, self.above.max(axis=0), (weight * self.above).sum(axis=0) / weight.sum(axis=0))
        known = self.total > 0
        return _Excess(np.where(known, np.where(is_bound, bound, e), 0.0), np.where(known, slope, 0.0), is_bound)

    def expected(self, t: FloatArray, excess: _Excess) -> FloatArray:
        """Return the expected counts."""
        s = np.where(self.counts > 0, (excess.value - t * self.above) / self.divisor, 0.0)
        found = self.counts / (1 + s)
        largest = excess.is_bound & (self.counts == 0) & (self.above == self.above.max(axis=0))
        missing = np.maximum(self.total - found.sum(axis=0), 0.0)
        return np.asarray(found + np.where(largest, missing / np.maximum(largest.sum(axis=0), 1), 0.0))


# ----------------------------------------------------------------------------------------------------------------------


LARGEST: Final = 2000
"""Tables with more entries are too slow for the score interval."""


def difference_interval(difference: Difference, entries: FloatArray, groups: Groups, question: Question) -> Interval:
    """Return the interval of a difference, or ratio, at tables of shape (entries, ...).

    ``"auto"`` is the score interval, where there is one, and what it is for any formula elsewhere.

    :raises InputError: on a method for one proportion, and on Newcombe's for what is no difference of two paired ones
    """
    shape, flat = entries.shape[1:], np.ascontiguousarray(entries.reshape(len(entries), -1))
    # Methods that are asked for by name.
    if question.method == "newcombe":
        return _interval(difference, flat, newcombe(difference, flat, question.level), shape, question)
    if question.method not in ("auto", "score"):
        return estimated(difference, entries, groups, question)
    # Score interval; tables at which it has not converged, or the value has no slopes, get the method for one table.
    (low, high), known = score(difference, flat, groups, question.level)
    used = np.full(len(known), "score", dtype=object)
    if not known.all():
        other = estimated(difference, flat[:, ~known], groups, replace(question, method="auto"))
        low[~known], high[~known] = other.low, other.high
        used[~known] = other.method if other.method_at is None else other.method_at
    method = str(used[0]) if len({*used}) == 1 else "score, or as for a single table where the value has no slopes"
    found = _interval(difference, flat, (low, high), shape, replace(question, method="score"))
    few = "discordant examples" if isinstance(difference, JointDifference) else "examples"
    why = f"it holds with few {few}, too" if question.method == "auto" and method == "score" else ""
    return replace(found, method=method, method_at=used.reshape(shape) if shape else None, why=why)


def _interval(
    difference: Difference, entries: FloatArray, ends: Ends, shape: tuple[int, ...], question: Question
) -> Interval:
    estimates, (low, high) = difference.values(entries), ends
    put_around(estimates, low, high, difference.range)
    values = [float(v[0]) if not shape else v.reshape(shape) for v in (low, high, estimates)]
    return Interval(values[0], values[1], values[2], question.method, question.level)


def newcombe(difference: Difference, entries: FloatArray, level: float) -> Ends:
    """Return the ends of Newcombe's method 10 for the difference of two paired proportions.

    Wilson's intervals of both are put together with their correlation, in which a continuity correction makes a
    positive one smaller (R. Newcombe, Improved confidence intervals for the difference between binomial proportions
    based on paired data, Statistics in Medicine 17, 1998, method 10).

    :raises InputError: unless the difference is one
    """
    proportion, factor = _paired_proportion(difference)
    # The paired table: both right (a), only the first (b), only the second (c), neither (d).
    k = np.arange(8)
    of_both = {*proportion.successes, *proportion.failures}
    counts = np.isin(2 * (k // 4), list(of_both)) | np.isin(2 * (k // 4) + 1, list(of_both))
    first, second = (np.isin(2 * (k // 4) + bit, proportion.successes) for bit in (k // 2 % 2, k % 2))
    a, b, c, d = (
        entries[counts & one & other].sum(axis=0)
        for one, other in ((first, second), (first, ~second), (~first, second), (~first, ~second))
    )
    n = a + b + c + d
    # Wilson's interval of each proportion, as distances below and above it.
    ends = {}
    for name, right in (("first", a + b), ("second", a + c)):
        share = np.divide(right, n, out=np.zeros_like(n), where=n > 0)
        low, high = wilson(right, n - right, level)
        ends[name] = share, share - low, high - share
    (p1, below1, above1), (p2, below2, above2) = ends["first"], ends["second"]
    # The correlation phi, its numerator reduced by n/2 where it is positive.
    product, cross = (a + b) * (c + d) * (a + c) * (b + d), a * d - b * c
    corrected = np.where(cross > 0, np.maximum(cross - n / 2, 0.0), cross)
    phi = np.divide(corrected, np.sqrt(product), out=np.zeros_like(n), where=product > 0)
    # The distances combine like two sides of a triangle with the cosine phi between them.
    estimate = p2 - p1
    low = estimate - np.sqrt(np.maximum(below2**2 - 2 * phi * below2 * above1 + above1**2, 0.0))
    high = estimate + np.sqrt(np.maximum(above2**2 - 2 * phi * above2 * below1 + below1**2, 0.0))
    return (factor * low, factor * high) if factor > 0 else (factor * high, factor * low)


def _paired_proportion(difference: Difference) -> tuple[Proportion, float]:
    """Return the proportion of which this is the difference over the same examples, and a factor; None for others.

    :raises InputError: if it is none
    """
    metric = difference.metric
    made_of = shape_of(metric.expression) if isinstance(metric, Formula) else None
    if isinstance(difference, JointDifference) and not difference.is_ratio and isinstance(made_of, Proportion):
        of_both = {*made_of.successes, *made_of.failures}
        slope = made_of.slope
        if slope is not None and all(len(of_both & row) != 1 for row in ({0, 1}, {2, 3})):
            return made_of, float(slope)
    raise InputError(
        "method='newcombe' is for the difference of a proportion whose examples are the same for both classifiers, as "
        "those of accuracy and recall; pass method='auto'"
    )
