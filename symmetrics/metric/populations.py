"""Distribution of a metric over all tables of n examples, and expectations under random guessing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sympy import Rational

from symmetrics.metric.metric import Metric

FloatArray = NDArray[np.float64]
DOUBT: Final = 1e-9
"""Values with a smaller relative distance from a bin edge are compared with it exactly."""


def tables_of(n: int) -> NDArray[np.int64]:
    """Return all tables of n examples, as rows TP, FN, FP, TN: (n + 3)(n + 2)(n + 1)/6 of them.

    >>> tables_of(1).tolist(), len(tables_of(10))
    ([[0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0]], 286)
    """
    first, second, third = np.meshgrid(*[np.arange(n + 1)] * 3, indexing="ij")
    inside = first + second + third <= n
    tp, fn, fp = first[inside], second[inside], third[inside]
    return np.stack([tp, fn, fp, n - tp - fn - fp], axis=1)


@dataclass(frozen=True)
class Distribution:
    """Histogram of a metric's values over all tables of one size.

    :param edges: of the bins, rising; a value on an edge counts to the right, on the last one to the left
    :param counts: the tables in each bin
    :param below: tables with a finite value below the first edge
    :param above: tables with a finite value above the last edge
    :param negative_poles: tables at which the value is minus infinity
    :param poles: tables at which it is infinity
    :param undefined: tables without a value
    """

    edges: tuple[Fraction, ...]
    counts: tuple[int, ...]
    below: int = 0
    above: int = 0
    negative_poles: int = 0
    poles: int = 0
    undefined: int = 0

    @property
    def total(self) -> int:
        """Number of all tables."""
        return sum(self.counts) + self.below + self.above + self.negative_poles + self.poles + self.undefined


def distribution_of(metric: Metric, n: int, edges: Sequence[Fraction]) -> Distribution:
    """Return the histogram over all tables of n examples; values near a bin edge are sorted exactly.

    :param edges: of the bins, at least two, rising; none if no table has a finite value
    :raises DefinitionError: if a parameter has no default

    >>> from symmetrics.library import metrics
    >>> found = distribution_of(metrics["accuracy"], 2, [Fraction(0), Fraction(1, 2), Fraction(1)])
    >>> found.counts, found.total
    ((3, 7), 10)
    """
    tables = tables_of(n)
    values = np.asarray(metric.from_counts(*tables.T))
    others = {
        "negative_poles": int(np.isneginf(values).sum()),
        "poles": int(np.isposinf(values).sum()),
        "undefined": int(np.isnan(values).sum()),
    }
    finite = np.isfinite(values)
    if not finite.any():
        return Distribution((), (), **others)
    places = _places(metric, tables[finite], values[finite], edges)
    counts = np.bincount(places, minlength=len(edges) + 1)
    return Distribution(
        tuple(edges), tuple(map(int, counts[1:-1])), below=int(counts[0]), above=int(counts[-1]), **others
    )


def _places(
    metric: Metric, tables: NDArray[np.int64], values: FloatArray, edges: Sequence[Fraction]
) -> NDArray[np.int64]:
    """Return the bin of each value, 0 before the first edge; values near an edge are computed exactly."""
    rounded = np.array([float(edge) for edge in edges])
    places = np.searchsorted(rounded, values, side="right")
    doubt = DOUBT * max(1e-300, float(np.abs(values).max()))
    after = np.searchsorted(rounded, values).clip(1, len(rounded) - 1)
    nearest = np.where(values - rounded[after - 1] < rounded[after] - values, after - 1, after)
    for row in np.flatnonzero(np.abs(values - rounded[nearest]) <= doubt):
        edge = edges[nearest[row]]
        exact = metric.exact(*tables[row].tolist())
        at = Rational(edge.numerator, edge.denominator)
        last = nearest[row] == len(edges) - 1
        reached = exact > at if last else exact >= at
        places[row] = nearest[row] + (1 if reached else 0)
    return places


def expected_value(metric: Metric, positives: int, negatives: int, share: float) -> float:
    """Return E[M] under random guessing: every example is predicted positive with the same probability.

    TP and FP are independent and binomial.  Tables without a value are left out, and the others share their weight.

    :returns: nan if no table has a value, infinite or nan if poles occur

    >>> from symmetrics.library import metrics
    >>> [round(expected_value(metrics[name], 7, 3, 0.25), 12) for name in ("recall", "accuracy")]
    [0.25, 0.4]
    """
    tp, fp = np.meshgrid(np.arange(positives + 1), np.arange(negatives + 1), indexing="ij")
    weights = _binomial(positives, share)[:, None] * _binomial(negatives, share)
    values = np.asarray(metric.from_counts(tp, positives - tp, fp, negatives - fp))
    counted = ~np.isnan(values) & (weights > 0)
    if not counted.any():
        return math.nan
    with np.errstate(invalid="ignore"):
        return float((values[counted] * weights[counted]).sum() / weights[counted].sum())


def _binomial(number: int, share: float) -> FloatArray:
    """Return the probabilities of 0, 1, ..., number successes."""
    counts = np.arange(number + 1)
    ways = np.array([float(math.comb(number, int(count))) for count in counts])
    probabilities: FloatArray = ways * share**counts * (1 - share) ** (number - counts)
    return probabilities
