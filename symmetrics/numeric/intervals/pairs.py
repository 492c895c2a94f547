"""Two predictions: the difference of a metric as an estimator, from the entries of one table for both.

What two predictions have in common is kept in a joint table of eight entries: for the positive examples, then for the
negative ones, how many both call positive, only the first, only the second, and neither.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from symmetrics.numeric.counts import FloatArray, shown
from symmetrics.numeric.gate import Admitted
from symmetrics.numeric.intervals.samples import Places, negatives
from symmetrics.numeric.intervals.scales import Estimator, Groups, Range, fixed_sums
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def joint_groups(classes: int, sampling: str) -> Groups:
    """Return which entries of a joint table of k classes have a fixed sum: all of them, or those of each true class.

    >>> joint_groups(2, "binomial")
    ((0, 1, 2, 3), (4, 5, 6, 7))
    """
    return fixed_sums(classes**3, 1 if sampling == "multinomial" else classes)


JOINT_ROWS: Final[Places] = np.array([0, 0, 0, 0, 1, 1, 1, 1])
"""The true class of each entry of a joint table."""


@dataclass(frozen=True)
class Difference(ABC):
    """How much greater the metric is for the second prediction, or how many times as great.

    :param metric: of one table
    :param is_ratio: whether the values are divided, and not subtracted
    :param of_second: the metric as it is taken of the second table, where that differs
    :raises InputError: if they are divided, and may be negative: the greater one has no greater ratio then
    """

    metric: Estimator
    is_ratio: bool = False
    of_second: Estimator | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.is_ratio, bool):
            raise InputError(f"ratio={shown(self.is_ratio)} is neither True nor False")
        if self.is_ratio and self.metric.range.low < 0:
            raise InputError(
                "ratio=True is for metrics that are never negative; the values of this one may be, so that a greater "
                "one may have the smaller ratio: leave ratio=True out"
            )

    @property
    @abstractmethod
    def share(self) -> float:
        """What part of what is added to a cell is added to an entry."""

    @abstractmethod
    def tables(self, entries: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the tables of both predictions, each of shape (its entries, ...), from all entries, (entries, ...)."""

    @abstractmethod
    def group_tables(self, entries: csr_array) -> tuple[csr_array, csr_array]:
        """Return the tables of both predictions for each group, of shape (groups, its entries), from all entries."""

    @abstractmethod
    def _by_entries(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Return the derivatives by all entries from those of the difference by the entries of both tables."""

    @property
    def metrics(self) -> tuple[Estimator, Estimator]:
        """The metric as it is taken of the table of each prediction."""
        return self.metric, self.of_second or self.metric

    def both(self, entries: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the values of the metric for both predictions, at tables of shape (entries, ...)."""
        first, second = (metric.values(table) for metric, table in zip(self.metrics, self.tables(entries), strict=True))
        return first, second

    @property
    def range(self) -> Range:
        """From one end of the metric's range to the other; a ratio is not negative."""
        low, high = self.metric.range
        if self.is_ratio:
            return Range(0.0, np.inf)
        return Range(low - high, high - low)

    def values(self, entries: FloatArray) -> FloatArray:
        """Return the differences, or ratios, at tables of shape (entries, ...)."""
        first, second = self.both(entries)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(second / first if self.is_ratio else second - first)

    def slopes(self, entries: FloatArray) -> FloatArray:
        """Return the derivatives by the entries."""
        tables = zip(self.metrics, self.tables(entries), strict=True)
        by_first, by_second = (metric.slopes(table) for metric, table in tables)
        if self.is_ratio:
            below, above = self.both(entries)
            with np.errstate(divide="ignore", invalid="ignore"):
                by_first, by_second = by_first * above / below**2, by_second / below
        with np.errstate(invalid="ignore"):
            return self._by_entries(-by_first, by_second)


@dataclass(frozen=True)
class JointDifference(Difference):
    """The difference of two predictions of the same examples, from the entries of a joint table.

    :param classes: k; the joint table has k**3 entries, by the true class, the first prediction and the second
    """

    classes: int = 2

    @property
    def share(self) -> float:
        """That of the metric over k: each entry of a prediction's table is the sum of k entries."""
        return self.metric.share / self.classes

    def tables(self, entries: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the tables of both predictions, row by row; of two classes the cells TP, FN, FP, TN."""
        k, rest = self.classes, entries.shape[1:]
        joint = entries.reshape(k, k, k, *rest)
        first, second = joint.sum(axis=2), joint.sum(axis=1)
        return first.reshape(k * k, *rest), second.reshape(k * k, *rest)

    def group_tables(self, entries: csr_array) -> tuple[csr_array, csr_array]:
        """Return the tables of both predictions for each group."""
        first, second = (entries @ part.T for part in self.tables(np.eye(self.classes**3)))
        return type(entries)(first), type(entries)(second)

    def _by_entries(self, first: FloatArray, second: FloatArray) -> FloatArray:
        k, rest = self.classes, first.shape[1:]
        found = first.reshape(k, k, 1, *rest) + second.reshape(k, 1, k, *rest)
        return found.reshape(k**3, *rest)


@dataclass(frozen=True)
class StackedDifference(Difference):
    """The difference of two tables, of which the second stands below the first."""

    @property
    def share(self) -> float:
        """That of the metric: each entry of a table is an entry here."""
        return self.metric.share

    def tables(self, entries: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return both halves."""
        half = len(entries) // 2
        return entries[:half], entries[half:]

    def group_tables(self, entries: csr_array) -> tuple[csr_array, csr_array]:
        """Return both halves for each group."""
        half = entries.shape[1] // 2
        return entries[:, :half], entries[:, half:]

    def _by_entries(self, first: FloatArray, second: FloatArray) -> FloatArray:
        return np.concatenate([first, second])


def joint_places(
    examples: Admitted,
    pairs: Iterable[tuple[int, int]],
    *,
    labels: Iterable[Hashable] | None = None,
    pos_label: Hashable = 1,
) -> list[Places]:
    """Return in which entry of its joint table each example is, for several pairs of predictions.

    :param examples: with the true labels first, then the predictions
    :param pairs: the places of two predictions among the columns
    :raises InputError: on more than two labels, or no positive one

    >>> columns = {"y_true": [1, 1, 0, 0], "pred_a": [1, 0, 0, 1], "pred_b": [1, 1, 0, 0]}
    >>> from symmetrics.numeric.gate import admit
    >>> joint_places(admit(columns), [(1, 2)])[0].tolist()
    [0, 2, 7, 5]
    """
    true, *predicted = negatives(examples, labels, pos_label)
    return [4 * true + 2 * predicted[first - 1] + predicted[second - 1] for first, second in pairs]
