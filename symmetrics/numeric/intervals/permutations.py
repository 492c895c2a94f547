"""The permutation test of two predictions of the same examples, exact where the outcomes can be gone through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln

from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.intervals.estimators import Estimator
from symmetrics.numeric.intervals.samples import Places

__all__ = ["Outcomes", "permutation_test"]

_MOST: Final = 1_200_000
"""Entries of tables worked on at a time; the permutations are drawn where all of them have more."""
_SAME: Final = 1e-12
"""Two values that differ by less are the same but for rounding."""


@dataclass(frozen=True)
class Outcomes:
    """What became of examples of several classes: of each outcome the true class, both predictions, and how many.

    :param classes: how many classes there are; the others are places among them, of shape (outcomes,)
    """

    true: Places
    first: Places
    second: Places
    number: FloatArray
    classes: int

    @classmethod
    def of_joint(cls, joint: FloatArray) -> Outcomes:
        """Return those of a joint table of two classes, shape (8,)."""
        true, first, second = np.indices((2, 2, 2)).reshape(3, 8)
        return cls(true, first, second, joint, 2)

    @classmethod
    def of_examples(cls, true: Places, first: Places, second: Places, classes: int) -> Outcomes:
        """Return those of examples, by the class of each and both predictions of it."""
        found, number = np.unique((true * classes + first) * classes + second, return_counts=True)
        both, of_second = np.divmod(found, classes)
        row, of_first = np.divmod(both, classes)
        return cls(row, of_first, of_second, number.astype(np.float64), classes)

    def tables(self) -> tuple[FloatArray, FloatArray]:
        """Return the tables of both predictions, row by row."""
        row, cells = self.true * self.classes, self.classes**2
        first, second = (np.bincount(row + of, self.number, cells) for of in (self.first, self.second))
        return first.astype(np.float64), second.astype(np.float64)


def permutation_test(metric: Estimator, outcomes: Outcomes, *, draws: int, seed: int) -> tuple[float, bool]:
    """Return how often a difference as large arises if the two predictions of each example are exchanged at random.

    Only the examples on which the predictions differ matter, and of those of one class with the same two predictions
    only how many go one way: all that can become of these is gone through, each with its probability.  For accuracy
    of two classes this is McNemar's exact test.

    :param metric: of the k*k entries of a table, row by row
    :param draws: how many exchanges are drawn where there is too much to go through
    :returns: the two-sided p-value, and whether it is exact
    """
    first, second = (table[:, None] for table in outcomes.tables())
    observed = abs(float((metric.values(second) - metric.values(first))[0]))
    if not np.isfinite(observed):
        return float("nan"), True
    exchanged = _Exchanged.of(outcomes)
    is_exact = prod(int(number) + 1 for number in exchanged.number) * len(first) <= _MOST
    blocks = exchanged.every() if is_exact else exchanged.drawn(draws, np.random.default_rng(seed))
    p_value = 0.0 if is_exact else 1.0 / (draws + 1)
    for low, weights in blocks:
        first, second = exchanged.tables(low)
        with np.errstate(invalid="ignore"):
            distance = np.abs(metric.values(second) - metric.values(first))
            as_large = ~(distance < observed - _SAME * max(1.0, observed))
        p_value += float(weights[as_large].sum())
    return min(p_value, 1.0), is_exact


@dataclass(frozen=True)
class _Exchanged:
    """Examples on which two predictions differ, those of one true class and the same two predicted ones together.

    :param number: how many there are of each kind
    :param at_low: where the table of a prediction counts those of a kind that it takes for the former of both classes
    :param at_high: where those that it takes for the latter
    :param alike: the table of the examples on which both predictions agree
    """

    number: NDArray[np.int64]
    at_low: Places
    at_high: Places
    alike: FloatArray

    @classmethod
    def of(cls, outcomes: Outcomes) -> _Exchanged:
        k, row = outcomes.classes, outcomes.true * outcomes.classes
        differs = (outcomes.first != outcomes.second) & (outcomes.number > 0)
        low, high = np.minimum(outcomes.first, outcomes.second), np.maximum(outcomes.first, outcomes.second)
        kinds, kind = np.unique(((row + low) * k + high)[differs], return_inverse=True)
        number = np.bincount(kind, outcomes.number[differs], len(kinds)).astype(np.int64)
        at_low, latter = np.divmod(kinds, k)
        alike = np.bincount((row + low)[~differs], outcomes.number[~differs], k * k).astype(np.float64)
        return cls(number, at_low, at_low // k * k + latter, alike)

    def every(self) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Yield how many of each kind the first prediction takes for the former class, and how probable that is."""
        low = np.indices(tuple(self.number + 1)).reshape(len(self.number), -1) if self.number.size else np.zeros((0, 1))
        yield low.astype(float), np.exp(_log_binomial(self.number[:, None], low).sum(axis=0))

    def drawn(self, draws: int, random: np.random.Generator) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Yield the same of exchanges drawn at random, some at a time."""
        step = max(1, _MOST // max(len(self.alike), len(self.number)))
        for start in range(0, draws, step):
            size = min(step, draws - start)
            low = random.binomial(self.number[:, None], 0.5, size=(len(self.number), size))
            yield low.astype(float), np.full(size, 1.0 / (draws + 1))

    def tables(self, low: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the tables of both predictions, shape (k*k, exchanges)."""
        first = np.repeat(self.alike[:, None], low.shape[1], axis=1)
        second = first.copy()
        for here, number, at_low, at_high in zip(low, self.number, self.at_low, self.at_high, strict=True):
            there = number - here
            first[at_low] += here
            first[at_high] += there
            second[at_low] += there
            second[at_high] += here
        return first, second


def _log_binomial(number: NDArray[np.int64], chosen: FloatArray) -> FloatArray:
    """Return the logarithm of the probability that so many of a number of fair coins show heads.

    scipy.stats has it to the last digit, and takes a quarter of a second to import; here nine digits are right.
    """
    return np.asarray(-betaln(number - chosen + 1, chosen + 1) - np.log1p(number) - number * np.log(2))
