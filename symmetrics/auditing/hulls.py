"""Means of score vectors: a linear inequality that separates them from reported scores, or tables that have them.

The mean of the scores of several tables lies in the mean of the convex hulls of what each table can have.  If that does
not meet the box of the reported intervals, a plane lies between them (Boyd & Vandenberghe 2004, section 2.5.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.spatial import cKDTree

from symmetrics.auditing.search import Score
from symmetrics.tools.budget import checkpoint

Array = NDArray[np.float64]
DENOMINATORS: Final = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 30, 50, 100, 200, 500, 1000, 10**4, 10**6)
"""Denominators of the coefficients that are tried, the simplest first."""
SLACK: Final = 1e-9
"""Relative margin by which planes must separate; the values are accurate to far more digits."""
_INSIDE: Final = 1e-6
"""Distance in half widths that is kept from an end that does not belong to an interval."""
_EXACT: Final = 1e-6
"""Half the width that an exact value is given when distances are measured."""
AGREES: Final = 1e-14
"""Squared distance from the box at which exact values decide."""
NEARBY: Final = 1000
"""Tables near a chosen one, at most, from which others are taken in its place."""
TAKEN: Final = 300
"""How many of these are tried together with others."""


@dataclass(frozen=True)
class Group:
    """What some tables of a mean can be.

    :param tables: of shape (size, 4): TP, FN, FP, TN
    :param values: of shape (size, scores): the scores at each, all defined
    :param count: how many tables of the mean are of this group
    """

    tables: NDArray[np.int64]
    values: Array
    count: int

    @classmethod
    def of(cls, tables: NDArray[np.int64], scores: Sequence[Score], count: int) -> Group:
        """Return the tables at which all scores are defined."""
        values = np.stack([_values(score, tables) for score in scores], axis=1)
        known = np.isfinite(values).all(axis=1)
        return cls(tables[known], values[known], count)


def _values(score: Score, tables: NDArray[np.int64]) -> Array:
    values = np.atleast_1d(np.asarray(score.metric.from_counts(tables.astype(np.float64)), dtype=float))
    return np.where(np.isnan(values), 0.0, values) if score.undefined_is_zero else values


class Target:
    """The box of the reported intervals, and distances from it in units of half its widths."""

    def __init__(self, scores: Sequence[Score]) -> None:
        self.scores = tuple(scores)
        self.low = np.array([float(score.reported.low) for score in scores])
        self.high = np.array([float(score.reported.high) for score in scores])
        is_bounded = np.isfinite(self.low) & np.isfinite(self.high)
        with np.errstate(invalid="ignore"):
            self.scale = np.where(is_bounded, np.maximum((self.high - self.low) / 2, _EXACT), 1.0)
            middle = np.where(np.isfinite(self.low), self.low, self.high)
            self.middle = np.where(is_bounded, (self.low + self.high) / 2, middle)
        # An end that does not belong to an interval is kept away from.
        has_low = np.array([score.reported.has_low for score in scores])
        has_high = np.array([score.reported.has_high for score in scores])
        with np.errstate(invalid="ignore"):
            inset = np.minimum(_INSIDE * self.scale, np.abs(self.high - self.low) / 4)
        self.inner_low = self.low + np.where(has_low, 0, inset)
        self.inner_high = self.high - np.where(has_high, 0, inset)

    def distances(self, means: Array) -> Array:
        """Return the squared distances of means from the box."""
        beyond = np.maximum(np.maximum(self.inner_low - means, means - self.inner_high), 0) / self.scale
        return np.asarray((beyond**2).sum(axis=-1))

    def is_attained(self, coefficients: Sequence[Fraction]) -> bool:
        """Whether the least value of a linear function on the box is one of its values there."""
        pairs = zip(coefficients, self.scores, strict=True)
        return all(score.reported.has_low if a > 0 else score.reported.has_high for a, score in pairs if a)

    def least(self, coefficients: Sequence[Fraction]) -> Fraction | None:
        """Return the least value of a linear function on the box; None if it has none."""
        total = Fraction(0)
        for coefficient, score in zip(coefficients, self.scores, strict=True):
            end = score.reported.low if coefficient > 0 else score.reported.high
            if coefficient and isinstance(end, float):
                return None
            total += coefficient * (Fraction(0) if isinstance(end, float) else end)
        return total


@dataclass(frozen=True)
class Plane:
    """A linear function of the scores that is smaller at all means of some tables than at what is reported.

    :param coefficients: of each score
    :param most: the largest value at means of the tables, as a float
    :param least: the least value at what is reported, or the limit of values if none is the least
    :param error: how far off the largest value may be, as a float
    """

    coefficients: tuple[Fraction, ...]
    most: float
    least: Fraction
    error: float


def separate(groups: Sequence[Group], target: Target) -> tuple[Plane | None, list[Array]]:
    """Return a plane between all means and the box, or None; and the weights of a mean in or near the box, by group.

    A linear programme looks for the plane with the largest margin for some of the tables; while others lie beyond the
    plane, they are added (Kelley 1960).
    """
    size = len(target.scores)
    shares = np.array([group.count for group in groups]) / sum(group.count for group in groups)
    points = [(group.values - target.middle) / target.scale for group in groups]
    low, high = (target.inner_low - target.middle) / target.scale, (target.inner_high - target.middle) / target.scale
    active = [_extremes(some) for some in points]
    free = [(0, None if np.isfinite(end) else 0) for end in (*low, *high)]
    gain = np.where(np.isfinite([*low, *-high]), [*low, *-high], 0)
    while True:
        checkpoint()
        rows = [
            np.hstack([some[at], -some[at], _column(place, len(at), len(groups))])
            for place, (some, at) in enumerate(zip(points, active, strict=True))
        ]
        sizes = np.concatenate([np.ones(2 * size), np.zeros(len(groups))])
        found: Any = linprog(
            -np.concatenate([gain, -shares]),
            A_ub=np.vstack(rows),
            b_ub=np.zeros(sum(map(len, active))),
            A_eq=[sizes],
            b_eq=[1],
            bounds=[*free, *[(None, None)] * len(groups)],
            method="highs",
        )
        if found.status != 0 or -found.fun <= SLACK:
            return None, _weights(found, points, active)
        direction, ends = found.x[:size] - found.x[size : 2 * size], found.x[2 * size :]
        is_settled = True
        for place, some in enumerate(points):
            heights = some @ direction
            beyond = int(heights.argmax())
            if heights[beyond] > ends[place] + SLACK / 10 and beyond not in active[place]:
                active[place] = np.append(active[place], beyond)
                is_settled = False
        if is_settled:
            return _simplest(direction / target.scale, groups, target), _weights(found, points, active)


def _column(place: int, size: int, count: int) -> Array:
    found = np.zeros((size, count))
    found[:, place] = -1
    return found


def _extremes(points: Array) -> NDArray[np.int64]:
    """Return the places of the extreme points by each axis, and of the one nearest to the middle of the box."""
    return np.unique([*points.argmax(axis=0), *points.argmin(axis=0), (points**2).sum(axis=1).argmin()])


def _weights(found: Any, points: Sequence[Array], active: Sequence[NDArray[np.int64]]) -> list[Array]:
    """Return the weights of a convex combination, which are the dual values of a linear programme."""
    weights = [np.zeros(len(some)) for some in points]
    if found.status == 0:
        dual, start = -found.ineqlin.marginals, 0
        for weight, at in zip(weights, active, strict=True):
            weight[at] = np.maximum(dual[start : start + len(at)], 0)
            start += len(at)
    return [some / some.sum() if some.sum() > 0 else np.full(len(some), 1 / len(some)) for some in weights]


def _simplest(direction: Array, groups: Sequence[Group], target: Target) -> Plane | None:
    """Return a plane near a direction, with the smallest denominators that still separate."""
    return next(planes(direction, groups, target), None)


def planes(direction: Array, groups: Sequence[Group], target: Target) -> Iterator[Plane]:
    """Yield planes near a direction that separate, those with the smallest denominators first."""
    largest = np.abs(direction).max()
    if not 0 < largest < np.inf:
        return
    tried = set()
    for denominator in DENOMINATORS:
        rounded = np.rint(direction / largest * denominator)
        coefficients = tuple(Fraction(int(value), denominator) for value in rounded)
        if coefficients in tried:
            continue
        tried.add(coefficients)
        if (plane := plane_of(coefficients, groups, target)) is not None:
            yield plane


def plane_of(coefficients: tuple[Fraction, ...], groups: Sequence[Group], target: Target) -> Plane | None:
    """Return the plane with these coefficients, if it separates."""
    least = target.least(coefficients)
    if least is None:
        return None
    floats, total = np.array(list(map(float, coefficients))), sum(group.count for group in groups)
    most = sum(group.count * float((group.values @ floats).max()) for group in groups) / total
    slack = SLACK * (1 + max(float(np.abs(group.values * floats).max()) for group in groups))
    margin = float(least) - most
    if margin > slack or (margin > -slack and not target.is_attained(coefficients)):
        return Plane(coefficients, most, least, slack)
    return None


# -- Tables whose mean lies in the box ---------------------------------------------------------------------------------


def near(
    groups: Sequence[Group], target: Target, weights: Sequence[Array], starts: int
) -> Iterator[list[tuple[int, int, int, int]]]:
    """Yield tables whose mean lies in the box, up to rounding, by a local search.

    It starts from the tables nearest to the box, or from tables drawn by the weights of a mean in the hull; puts for
    one table after another the one that brings the mean closest to the box; and then exchanges four tables at once.
    """
    drawn = np.random.default_rng(0)
    owner = [place for place, group in enumerate(groups) for _ in range(group.count)]
    values = [groups[place].values for place in owner]
    nearest = [int(target.distances(group.values).argmin()) for group in groups]
    for start in range(starts):
        if start == 0:
            chosen = [nearest[place] for place in owner]
        else:
            chosen = [int(drawn.choice(len(weights[place]), p=weights[place])) for place in owner]
        _improve(chosen, values, target, drawn)
        mean = np.mean([some[at] for some, at in zip(values, chosen, strict=True)], axis=0)
        if target.distances(mean) <= AGREES or (len(owner) > 1 and _exchange(chosen, values, target, drawn)):
            yield [tuple(groups[place].tables[at].tolist()) for place, at in zip(owner, chosen, strict=True)]


def _improve(chosen: list[int], values: Sequence[Array], target: Target, drawn: np.random.Generator) -> None:
    """Choose each table anew so that the mean comes closest to the box, as long as it comes closer."""
    count, order, best = len(chosen), np.arange(len(chosen)), np.inf
    total = np.sum([some[at] for some, at in zip(values, chosen, strict=True)], axis=0)
    while (distance := float(target.distances(total / count))) < best and distance > AGREES:
        best = distance
        drawn.shuffle(order)
        for turn in order.tolist():
            checkpoint()
            sums = total - values[turn][chosen[turn]] + values[turn]
            chosen[turn] = int(target.distances(sums / count).argmin())
            total = sums[chosen[turn]]


def _exchange(chosen: list[int], values: Sequence[Array], target: Target, drawn: np.random.Generator) -> bool:
    """Choose up to four tables anew so that the mean lies in the box: two sums of two meet (Horowitz & Sahni 1974).

    Each is taken from tables whose values are near those of the present one.

    :returns: whether the mean lies in the box then
    """
    count = len(chosen)
    turns = drawn.choice(count, min(4, count), replace=False).tolist()
    near_by = {turn: _nearest(values[turn], chosen[turn], target, drawn) for turn in turns}
    halves = [turns[: len(turns) // 2], turns[len(turns) // 2 :]]
    rest = np.sum([values[turn][chosen[turn]] for turn in range(count) if turn not in near_by], axis=0)
    first, second = (_sums([values[turn][near_by[turn]] for turn in half]) for half in halves)
    checkpoint()
    scale = target.scale * count
    wanted = (target.middle * count - rest - second) / scale
    _, found = cKDTree(first / scale).query(wanted, p=np.inf, distance_upper_bound=2.0)
    checkpoint()
    met = np.flatnonzero(found < len(first))
    means = (rest + first[found[met]] + second[met]) / count
    agreeing = np.flatnonzero(target.distances(means) <= AGREES)
    if not len(agreeing):
        return False
    meeting = met[agreeing[0]]
    for half, place in zip(halves, (int(found[meeting]), int(meeting)), strict=True):
        shape = [len(near_by[turn]) for turn in half]
        for turn, at in zip(half, np.unravel_index(place, shape), strict=True):
            chosen[turn] = int(near_by[turn][at])
    return True


def _nearest(values: Array, place: int, target: Target, drawn: np.random.Generator) -> NDArray[np.int64]:
    """Return some of the tables whose values are near that of one, and itself."""
    distances = (((values - values[place]) / target.scale) ** 2).sum(axis=1)
    some = np.argpartition(distances, NEARBY)[:NEARBY] if len(values) > NEARBY else np.arange(len(values))
    return np.append(drawn.choice(some, min(len(some), TAKEN), replace=False), place)


def _sums(values: Sequence[Array]) -> Array:
    """Return all sums of one value of each."""
    if len(values) == 1:
        return values[0]
    return np.asarray((values[0][:, None] + values[1]).reshape(-1, values[0].shape[1]))
