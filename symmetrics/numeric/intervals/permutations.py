"""The permutation test of two predictions of the same examples, exact where the outcomes can be gone through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln

from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.intervals.estimators import Estimator
from symmetrics.numeric.intervals.samples import Places

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["Outcomes", "permutation_test", "permutation_test_of_groups"]

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
    :returns: the two-sided p-value, and whether it is exact; nan for an infinite difference
    """
    return _share_as_large(metric, outcomes.tables(), _Exchanged.of(outcomes), draws, seed)


def permutation_test_of_groups(
    metric: Estimator, first: csr_array, second: csr_array, *, draws: int, seed: int
) -> tuple[float, bool]:
    """Return the same if both predictions of all examples of a group are exchanged together.

    :param first: the table of each group by the first prediction, shape (groups, entries)
    :param second: that by the second
    """
    both = np.asarray(first.sum(axis=0)), np.asarray(second.sum(axis=0))
    change = (second - first).tocsr()
    change = change[np.diff(change.indptr) > 0]
    return _share_as_large(metric, both, _ExchangedGroups(*both, change), draws, seed)


class _Exchanges(Protocol):
    """What can be exchanged."""

    @property
    def possible(self) -> float:
        """The number of outcomes."""

    def every(self) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Yield outcomes, one in each column, and how probable each is."""

    def drawn(self, draws: int, random: np.random.Generator) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Yield the same of outcomes drawn at random, some at a time."""

    def tables(self, outcomes: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the tables of both predictions, of shape (entries, outcomes)."""


def _share_as_large(
    metric: Estimator, tables: tuple[FloatArray, FloatArray], exchanges: _Exchanges, draws: int, seed: int
) -> tuple[float, bool]:
    first, second = (table[:, None] for table in tables)
    observed = abs(float((metric.values(second) - metric.values(first))[0]))
    if not np.isfinite(observed):
        return float("nan"), True
    is_exact = exchanges.possible * len(first) <= _MOST
    blocks = exchanges.every() if is_exact else exchanges.drawn(draws, np.random.default_rng(seed))
    p_value = 0.0 if is_exact else 1.0 / (draws + 1)
    for outcomes, weights in blocks:
        first, second = exchanges.tables(outcomes)
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

    @property
    def possible(self) -> float:
        return prod(float(number) + 1.0 for number in self.number)

    def every(self) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Yield how many of each kind the first prediction takes for the former class, and how probable that is."""
        low = np.indices(tuple(self.number + 1)).reshape(len(self.number), -1) if self.number.size else np.zeros((0, 1))
        yield low.astype(float), np.exp(_log_binomial(self.number[:, None], low).sum(axis=0))

    def drawn(self, draws: int, random: np.random.Generator) -> Iterator[tuple[FloatArray, FloatArray]]:
        for size in _sizes(draws, max(len(self.alike), len(self.number))):
            low = random.binomial(self.number[:, None], 0.5, size=(len(self.number), size))
            yield low.astype(float), np.full(size, 1.0 / (draws + 1))

    def tables(self, low: FloatArray) -> tuple[FloatArray, FloatArray]:
        first = np.repeat(self.alike[:, None], low.shape[1], axis=1)
        second = first.copy()
        for here, number, at_low, at_high in zip(low, self.number, self.at_low, self.at_high, strict=True):
            there = number - here
            first[at_low] += here
            first[at_high] += there
            second[at_low] += there
            second[at_high] += here
        return first, second


@dataclass(frozen=True, eq=False)
class _ExchangedGroups:
    """Groups whose tables differ, of which each is exchanged or not.

    :param first: the table of the first prediction
    :param second: that of the second
    :param change: what the second has more, in each group
    """

    first: FloatArray
    second: FloatArray
    change: csr_array

    @property
    def possible(self) -> float:
        return 2.0 ** min(len(self.change.indptr) - 1, 1000)

    def every(self) -> Iterator[tuple[FloatArray, FloatArray]]:
        groups = self.change.shape[0]
        chosen = np.arange(2**groups) >> np.arange(groups)[:, None] & 1
        yield chosen.astype(float), np.full(2**groups, 0.5**groups)

    def drawn(self, draws: int, random: np.random.Generator) -> Iterator[tuple[FloatArray, FloatArray]]:
        groups = self.change.shape[0]
        for size in _sizes(draws, max(groups, len(self.first))):
            yield random.integers(0, 2, size=(groups, size)).astype(float), np.full(size, 1.0 / (draws + 1))

    def tables(self, chosen: FloatArray) -> tuple[FloatArray, FloatArray]:
        moved = self.change.T @ chosen
        return self.first[:, None] + moved, self.second[:, None] - moved


def _sizes(draws: int, entries: int) -> Iterator[int]:
    """Yield how many of so many draws are made at a time."""
    step = max(1, _MOST // entries)
    yield from (min(step, draws - start) for start in range(0, draws, step))


def _log_binomial(number: NDArray[np.int64], chosen: FloatArray) -> FloatArray:
    """Return the logarithm of the probability that so many of a number of fair coins show heads.

    scipy.stats has it to the last digit, and takes a quarter of a second to import; here nine digits are right.
    """
    return np.asarray(-betaln(number - chosen + 1, chosen + 1) - np.log1p(number) - number * np.log(2))
