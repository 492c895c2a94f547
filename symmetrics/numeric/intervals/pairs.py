"""Two predictions of the same examples: the difference of a metric, its interval, and an exact test.

What two predictions have in common is kept in a joint table of eight entries: for the positive examples, then for the
negative ones, how many both call positive, only the first, only the second, and neither.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln

from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.encoding import column_codes
from symmetrics.numeric.intervals.estimators import Estimator, Groups
from symmetrics.numeric.intervals.samples import Places, table_of
from symmetrics.numeric.intervals.scales import Range
from symmetrics.numeric.labels import binary_cells
from symmetrics.tools.errors import InputError

__all__ = [
    "FIRST",
    "JOINT_GROUPS",
    "JOINT_ROWS",
    "SECOND",
    "SEPARATE_GROUPS",
    "Difference",
    "joint_places",
    "joint_table",
    "permutation_test",
]

FIRST: Final = np.array(
    [[1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 0, 0, 1, 1]],
    dtype=float,
)
"""The cells TP, FN, FP, TN of the first prediction, as sums of the entries of a joint table."""
SECOND: Final = FIRST[:, [0, 2, 1, 3, 4, 6, 5, 7]]
"""Those of the second one."""
JOINT_GROUPS: Final[dict[str, Groups]] = {
    "multinomial": (tuple(range(8)),),
    "binomial": ((0, 1, 2, 3), (4, 5, 6, 7)),
}
JOINT_ROWS: Final[Places] = np.array([0, 0, 0, 0, 1, 1, 1, 1])
"""The true class of each entry of a joint table."""
SEPARATE_GROUPS: Final[dict[str, Groups]] = {
    "multinomial": ((0, 1, 2, 3), (4, 5, 6, 7)),
    "binomial": ((0, 1), (2, 3), (4, 5), (6, 7)),
}
"""The groups of two tables of different examples, one below the other."""

_MOST: Final = 300_000
"""With more different outcomes than that the permutations are drawn."""
_SAME: Final = 1e-12
"""Two values that differ by less are the same but for rounding."""


@dataclass(frozen=True)
class Difference:
    """How much greater the metric is for the second prediction, or how many times as great.

    :param metric: of one table
    :param first: the cells of the first prediction as sums of entries, shape (4, entries)
    :param second: those of the second
    :param is_ratio: whether the values are divided, and not subtracted
    :param share: what part of what is added to a cell is added to an entry
    """

    metric: Estimator
    first: FloatArray
    second: FloatArray
    is_ratio: bool = False
    share: float = 0.5

    @property
    def range(self) -> Range:
        """From one end of the metric's range to the other; a ratio of values that are not negative is not, either."""
        low, high = self.metric.range
        if self.is_ratio:
            return Range(0.0, np.inf) if low >= 0 else Range()
        return Range(low - high, high - low)

    def values(self, entries: FloatArray) -> FloatArray:
        """Return the differences, or ratios, at tables of shape (entries, ...)."""
        first, second = (self.metric.values(_summed(of, entries)) for of in (self.first, self.second))
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(second / first if self.is_ratio else second - first)

    def slopes(self, entries: FloatArray) -> FloatArray:
        """Return the derivatives by the entries."""
        first, second = (_summed(of, entries) for of in (self.first, self.second))
        by_first, by_second = self.metric.slopes(first), self.metric.slopes(second)
        if self.is_ratio:
            below, above = self.metric.values(first), self.metric.values(second)
            by_first, by_second = by_first * above / below**2, by_second / below
        return _summed(self.second.T, by_second) - _summed(self.first.T, by_first)


def _summed(sums: FloatArray, entries: FloatArray) -> FloatArray:
    return np.tensordot(sums, entries, axes=1)


def permutation_test(metric: Estimator, joint: FloatArray, *, draws: int, seed: int) -> tuple[float, bool]:
    """Return how often a difference as large arises if the two predictions of each example are exchanged at random.

    Only the examples on which the predictions differ matter, and of these only how many of each class go one way: all
    outcomes are gone through, each with its probability.  For accuracy this is McNemar's exact test.

    :param joint: one joint table of whole counts, shape (8,)
    :param draws: how many exchanges are drawn where there are too many outcomes
    :returns: the two-sided p-value, and whether it is exact
    """
    moved = joint[[1, 2, 5, 6]]
    positives, negatives = int(moved[0] + moved[1]), int(moved[2] + moved[3])
    is_exact = (positives + 1) * (negatives + 1) <= _MOST
    if is_exact:
        k, m = (grid.reshape(-1) for grid in np.indices((positives + 1, negatives + 1)))
        weights = np.exp(_log_binomial(positives, k) + _log_binomial(negatives, m))
    else:
        random = np.random.default_rng(seed)
        k, m = random.binomial(positives, 0.5, size=draws), random.binomial(negatives, 0.5, size=draws)
        weights = np.full(draws, 1.0 / (draws + 1))
    entries = np.repeat(joint[:, None], k.size, axis=1)
    entries[1], entries[2], entries[5], entries[6] = k, positives - k, m, negatives - m
    difference = Difference(metric, FIRST, SECOND)
    observed = abs(difference.values(joint[:, None])[0])
    with np.errstate(invalid="ignore"):
        as_large = ~(np.abs(difference.values(entries)) < observed - _SAME * max(1.0, observed))
    p_value = float(weights[as_large].sum()) + (0.0 if is_exact else 1.0 / (draws + 1))
    return min(p_value, 1.0) if np.isfinite(observed) else float("nan"), is_exact


def _log_binomial(number: int, chosen: NDArray[np.integer]) -> FloatArray:
    """Return the logarithm of the probability that so many of a number of fair coins show heads.

    scipy.stats has it to the last digit, and takes a quarter of a second to import; here nine digits are right.
    """
    return np.asarray(-betaln(number - chosen + 1, chosen + 1) - np.log1p(number) - number * np.log(2))


def joint_table(
    y_true: Iterable[Hashable],
    first: Iterable[Hashable],
    second: Iterable[Hashable],
    *,
    labels: Iterable[Hashable] | None = None,
    pos_label: Hashable = 1,
) -> FloatArray:
    """Return the joint table of two predictions, shape (8,); the arguments are those of a metric.

    :raises InputError: on columns of different lengths, more than two labels, or no positive one

    >>> joint_table([1, 1, 0, 0], [1, 0, 0, 1], [1, 1, 0, 0]).tolist()
    [1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0]
    """
    columns = {"y_true": y_true, "pred_a": first, "pred_b": second}
    (places,) = joint_places(columns, [(1, 2)], labels=labels, pos_label=pos_label)
    return table_of(places, 8)


def joint_places(
    columns: Mapping[str, Iterable[Hashable]],
    pairs: Iterable[tuple[int, int]],
    *,
    labels: Iterable[Hashable] | None = None,
    pos_label: Hashable = 1,
) -> list[Places]:
    """Return in which entry of its joint table each example is, for several pairs of predictions.

    Every column is read once.

    :param columns: by the names that an error gives them: the true labels, then the predictions
    :param pairs: the places of two predictions among the columns
    :raises InputError: as :func:`joint_table`
    """
    coded = {name: column_codes(values, name) for name, values in columns.items()}
    lengths = {name: len(codes) for name, (_, codes) in coded.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise InputError(f"the columns have different lengths ({told}); pass one label per example in each")
    every = list(dict.fromkeys(label for found, _ in coded.values() for label in found))
    binary_cells(every, every, labels=labels, pos_label=pos_label)  # which says what is wrong with the labels
    true, *predicted = (
        np.array([label != pos_label for label in found], dtype=np.intp)[codes] for found, codes in coded.values()
    )
    return [4 * true + 2 * predicted[first - 1] + predicted[second - 1] for first, second in pairs]
