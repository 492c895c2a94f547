"""Score interval of any formula of one table: its extremes over all shares within a chi-square distance of the counts.

Pearson's distance between counts and shares p is ``sum((n_i - N*p_i)**2/(N*p_i))``.  The smallest distance over all
shares at which a formula has a value m is the minimum chi-square statistic of the hypothesis that its value is m
(Neyman 1949; Berkson 1980), with one degree of freedom where the formula is smooth; the values that this test does not
reject are those that the formula takes within a distance of the squared normal quantile.  For a proportion this is
Wilson's interval.  Neither a slope nor a posterior is needed, so that it holds where a tangent is flat.

The region is convex.  Its boundary is found along rays from a point inside; the extremes of the formula by a grid of
rays and radii, followed by a pattern search (Hooke & Jeeves 1961) whose directions are turned at random, from a fixed
seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, Self

import numpy as np

from symmetrics.data.counts import FloatArray
from symmetrics.statistics.intervals import Ends, Estimator, Groups

_RAYS: Final = 200
"""Number of rays of the grid ..."""
_RADII: Final = (0.4, 0.8, 1.0)
"""... and fractions of the way to the boundary at which values are compared."""
_STEPS, _TURNS = 40, 16
"""Steps of the pattern search and directions per step, which leave errors of at most 0.1 % of the width ..."""
_FIRST, _SHRINKS = 0.15, 0.7
"""... the first step length, as a fraction of the way to the boundary, and its factor after a failure ..."""
_AGAIN: Final = np.array([1.0, 3.0])
"""... and multiples of the last move that are tried as well."""
_NEWTON: Final = 60
"""Largest number of Newton steps on a ray ..."""
_PRECISION: Final = 1e-7
"""... for this relative precision of the distance."""
_LEAST: Final = float(np.finfo(float).tiny)
"""Replacement of expected counts that are 0."""
_ROUNDING: Final = 1e-12
"""An expected count of an empty entry counts as 0 below this fraction of the one in the centre."""
_AT_ONCE: Final = 1 << 18
"""Number of tables whose values are compared at once."""


def extremes_within(estimator: Estimator, entries: FloatArray, groups: Groups, distance: FloatArray) -> Ends:
    """Return the smallest and the largest value within a chi-square distance; nan where undefined throughout.

    :param entries: tables of four entries, shape (4, m)
    :param groups: which sums of entries are fixed
    :param distance: for each table, shape (m,)

    >>> from symmetrics.language.cells import FN, TP
    >>> from symmetrics.statistics.intervals import GROUPS, Formula
    >>> from symmetrics.statistics.intervals import Range
    >>> recall, tables = Formula(TP / (TP + FN), Range(0.0, 1.0)), np.array([[15.0], [133.0], [20.0], [80.0]])
    >>> ends = extremes_within(recall, tables, GROUPS["binomial"], np.array([1.959964**2]))  # Wilson's
    >>> [float(end[0].round(4)) for end in ends]
    [0.0624, 0.1605]
    """
    low, high = np.empty(entries.shape[1]), np.empty(entries.shape[1])
    step = max(1, _AT_ONCE // (_RAYS * len(_RADII)))
    for start in range(0, entries.shape[1], step):
        part = slice(start, start + step)
        region = _Region.around(entries[:, part], groups, distance[part])
        low[part], high[part] = _extremes(estimator, region)
    return low, high


@dataclass(frozen=True)
class _Region:
    """The convex set of tables within a distance of the counts, parametrised by the unit ball along rays from it.

    :param middle: expected counts inside of the region, none of them 0; shape (4, m)
    :param counts: those of the tables, of a group without examples 0
    :param axes: directions that leave the sum of each group as it is, shape (4, dimension, m)
    :param total: the number of examples, shape (m,)
    :param distance: Pearson's distance that bounds the region, shape (m,)
    """

    middle: FloatArray
    counts: FloatArray
    axes: FloatArray
    total: FloatArray
    distance: FloatArray

    @classmethod
    def around(cls, entries: FloatArray, groups: Groups, distance: FloatArray) -> Self:
        """Return the regions around tables of shape (4, m); an empty group may have the shares of any one example."""
        middle = np.empty_like(entries)
        axes = np.zeros((len(entries), len(entries) - len(groups), entries.shape[1]))
        column = 0
        for group in groups:
            chosen, columns = list(group), slice(column, column + len(group) - 1)
            column = columns.stop
            counts, size = entries[chosen], len(group)
            total = counts.sum(axis=0)
            # This amount in each entry uses at most half of the distance.
            added = distance / (2 * len(entries))
            scale = np.where(total > 0, total, 1.0) / (total + size * added)
            middle[chosen] = (counts + added) * scale
            axes[chosen, columns] = _balanced(middle[chosen])
            distance = distance + (total == 0)  # an empty group counts as one example of unknown entry
        return cls(middle, entries, axes, entries.sum(axis=0), distance)

    def tables(self, places: FloatArray) -> FloatArray:
        """Map points of the unit ball to tables: shape (dimension, m, some) to (4, m, some)."""
        middle = self.middle[:, :, None]
        along = sum(self.axes[:, axis, :, None] * place for axis, place in enumerate(places))
        with np.errstate(all="ignore"):
            end = np.where(along < 0, middle / -along, np.inf).min(axis=0)
            end = np.where(np.isfinite(end), end, 0.0)
            reach = self._reach(middle, along, end)
        expected = middle + np.sqrt((places**2).sum(axis=0)) * reach * along
        return np.where(
            (self.counts[:, :, None] == 0) & (expected < _ROUNDING * middle), 0.0, np.maximum(expected, 0.0)
        )

    def _reach(self, middle: FloatArray, along: FloatArray, end: FloatArray) -> FloatArray:
        """Return the distance to the boundary along rays, at most to where an expected count is 0.

        By Newton's steps on the inverse of examples plus distance, a harmonic mean, which is concave, and halving where
        they leave what is left; from where the distance would be if the expected counts below were those of the middle.
        """
        counts, apart = self.counts[:, :, None], self.counts[:, :, None] - middle
        total, limit = self.total[:, None], self.distance[:, None]

        def distance(reach: FloatArray) -> tuple[FloatArray, FloatArray]:
            expected = np.maximum(middle + reach * along, _LEAST)
            ratio = counts / expected
            slope = -(along * ratio * ratio).sum(axis=0)  # the counts' own part has derivative 0
            ratio -= 1.0
            ratio *= ratio
            ratio *= expected
            return ratio.sum(axis=0), slope

        left, right = np.zeros_like(end), end
        # Start: the root of a quadratic, as if all expected counts were those of the centre.
        a, b, c = (
            (first * second / middle).sum(axis=0) for first, second in ((along, along), (along, apart), (apart, apart))
        )
        reach = np.clip((b + np.sqrt(np.maximum(b * b - a * (c - limit), 0.0))) / a, 0.0, end)
        beyond = distance(end)[0] <= limit
        for _ in range(_NEWTON):
            found, slope = distance(reach)
            moving = ~beyond & ~(np.abs(found - limit) <= _PRECISION * limit)  # each ray stops when it has converged
            if not moving.any():
                break
            is_out = ~(found <= limit)
            left, right = np.where(is_out, left, reach), np.where(is_out, reach, right)
            following = reach - (total + found) / (total + limit) * (found - limit) / slope
            following = np.where((following >= left) & (following <= right), following, (left + right) / 2)
            reach = np.where(moving, following, reach)
        return np.where(beyond, end, reach)


def _balanced(counts: FloatArray) -> FloatArray:
    """Return zero-sum directions in which Pearson's distance is isotropic: (n, m) to (n, n - 1, m).

    They are the columns of a reflection that takes the last axis to the roots of the shares, times those of the counts.
    """
    normal = np.sqrt(counts / counts.sum(axis=0))
    normal[-1] += 1.0
    columns = np.eye(len(counts))[:, :-1, None] - 2 * normal[:, None] * normal[None, :-1] / (normal**2).sum(axis=0)
    return np.asarray(columns * np.sqrt(counts)[:, None])


def _extremes(estimator: Estimator, region: _Region) -> Ends:
    """Return the smallest and the largest value in regions around tables."""
    dimension, number = region.axes.shape[1:]
    # 1. The best points, for both ends, of a grid of rays and radii.
    rays = _rays(_RAYS, dimension)
    grid = np.concatenate([np.zeros((dimension, 1)), *(radius * rays for radius in _RADII)], axis=1)
    values = estimator.values(region.tables(np.broadcast_to(grid[:, None], (dimension, number, grid.shape[1]))))
    signed = np.array([1.0, -1.0])[:, None, None] * values
    tried = np.where(np.isnan(signed), np.inf, signed)
    best = np.argmin(tried, axis=-1)
    place, least = grid[:, best], np.take_along_axis(tried, best[..., None], -1)[..., 0]
    # 2. Pattern search from there: directions turned at random, and the last move continued.
    length, move = np.full(least.shape, _FIRST), np.zeros_like(place)
    random = np.random.default_rng(0)
    for _ in range(_STEPS):
        turned = np.linalg.qr(random.normal(size=(dimension, dimension)))[0] @ _rays(_TURNS, dimension)
        moves = np.concatenate([length[..., None] * turned[:, None, None], move[..., None] * _AGAIN], axis=-1)
        around = place[..., None] + moves
        # Points outside of the unit ball are projected to its surface.
        around /= np.maximum(1.0, np.sqrt((around**2).sum(axis=0)))
        found = _both(estimator, region, around)
        found[1] *= -1
        best = np.argmin(np.where(np.isnan(found), np.inf, found), axis=-1)
        value = np.take_along_axis(found, best[..., None], -1)[..., 0]
        # Move to a better point; otherwise shrink the pattern.
        better = value < least
        nearest = np.take_along_axis(around, np.broadcast_to(best[None, ..., None], (*place.shape, 1)), -1)[..., 0]
        move = np.where(better, nearest - place, move * _SHRINKS)
        place, least = np.where(better, nearest, place), np.where(better, value, least)
        length = np.where(better, length, length * _SHRINKS)
    none = np.isnan(values).all(axis=-1)
    return np.where(none, np.nan, least[0]), np.where(none, np.nan, -least[1])


def _both(estimator: Estimator, region: _Region, places: FloatArray) -> FloatArray:
    """Return the values at points near both ends: shape (dimension, 2, m, some) to (2, m, some)."""
    together = np.concatenate([places[:, 0], places[:, 1]], axis=-1)
    return np.stack(np.split(estimator.values(region.tables(together)), 2, axis=-1))


@cache
def _rays(number: int, dimension: int) -> FloatArray:
    """Return directions spread evenly over the circle or, as a spiral (Vogel 1979), the sphere: (dimension, number)."""
    places = np.arange(number) + 0.5
    if dimension == 2:
        return np.stack([np.cos(2 * np.pi * places / number), np.sin(2 * np.pi * places / number)])
    height, angle = 1 - 2 * places / number, np.pi * (1 + 5**0.5) * places
    radius = np.sqrt(1 - height**2)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), height])
