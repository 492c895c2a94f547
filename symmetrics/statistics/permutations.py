"""Permutation test of two predictions of the same examples, exact where all outcomes can be enumerated.

For one proportion, such as accuracy and recall, it is McNemar's exact test (1947), of which the binomial distribution
is known at any size.  Its p-value counts all outcomes whose difference is as large as the one that was seen.  The mid-p
value counts those with just this difference half (Lancaster 1961): the error of the exact test is at most the level,
and with few discordant examples far below it; that of the mid-p test is near the level (Fagerland, Lydersen & Laake,
The McNemar test for binary matched-pairs data: mid-p and asymptotic are better than exact conditional, BMC Medical
Research Methodology 13:91, 2013).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, log, prod, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, betaln, ndtr

from symmetrics.data.counts import FloatArray
from symmetrics.statistics.intervals import Estimator, Formula
from symmetrics.statistics.proportions import Proportion, shape_of
from symmetrics.statistics.samples import JointDifference, Places

if TYPE_CHECKING:
    from scipy.sparse import csr_array


_AT_ONCE: Final = 1_200_000
"""Number of table entries processed per step."""
_MOST: Final = 2_000_000
"""Largest number of outcomes that are enumerated; beyond that exchanges are drawn at random ..."""
_BLOCK: Final = 10_000
"""... this many at a time, until enough of them are at least as large (Besag & Clifford 1991)."""
_ENOUGH: Final = 100
_NEGLECTED: Final = 1e-20
"""Outcomes with less total probability than this are skipped, and counted as at least as large."""
_MCNEMAR: Final = "exact permutation test, McNemar's"
_SAME: Final = 1e-12
"""Values that differ by less are treated as ties."""


@dataclass(frozen=True)
class Outcomes:
    """Examples by outcome: true class, both predictions, and their number.

    :param classes: how many classes there are; the others are places among them, of shape (outcomes,)
    """

    true: Places
    first: Places
    second: Places
    number: FloatArray
    classes: int

    @classmethod
    def of_joint(cls, joint: FloatArray) -> Outcomes:
        """Return the outcomes of a joint table of two classes, shape (8,)."""
        true, first, second = np.indices((2, 2, 2)).reshape(3, 8)
        return cls(true, first, second, joint, 2)

    @classmethod
    def of_examples(cls, true: Places, first: Places, second: Places, classes: int) -> Outcomes:
        """Return the outcomes of examples, given the class and both predictions of each."""
        found, number = np.unique((true * classes + first) * classes + second, return_counts=True)
        both, of_second = np.divmod(found, classes)
        row, of_first = np.divmod(both, classes)
        return cls(row, of_first, of_second, number.astype(np.float64), classes)

    def tables(self) -> tuple[FloatArray, FloatArray]:
        """Return the tables of both predictions, row by row."""
        row, cells = self.true * self.classes, self.classes**2
        first, second = (np.bincount(row + of, self.number, cells) for of in (self.first, self.second))
        return first.astype(np.float64), second.astype(np.float64)


@dataclass(frozen=True)
class TestOfPair:
    """The result of a test of two predictions.

    :param p_value: the two-sided p-value; nan for an infinite difference
    :param mid_p: the two-sided mid-p value
    :param name: what the test is called
    :param is_exact: whether all outcomes were gone through
    :param is_bound: whether the p-value is only known to be no larger than this
    """

    __test__ = False

    p_value: float
    mid_p: float
    name: str
    is_exact: bool = True
    is_bound: bool = False


def permutation_test(metric: Estimator, outcomes: Outcomes, *, draws: int, seed: int) -> TestOfPair:
    """Return the p-value: how often a difference as large arises if each example's predictions are swapped at random.

    Only the examples on which the predictions differ matter, and of those of one class with the same two predictions
    only how many go one way: all that can become of these is gone through, each with its probability.

    :param metric: of the k*k entries of a table, row by row
    :param draws: how many exchanges are drawn at most where there is too much to go through
    """
    tables = outcomes.tables()
    pairs = paired_proportion(metric, outcomes)
    if pairs is not None and np.isfinite(_distance(metric, *(table[:, None] for table in tables))).all():
        return _mcnemar(pairs.only_first, pairs.only_second)
    return _share_as_large(metric, tables, _Exchanged.of(outcomes), draws, seed)


def permutation_test_of_groups(
    metric: Estimator, first: csr_array, second: csr_array, *, draws: int, seed: int
) -> TestOfPair:
    """Return the p-value if the predictions of all examples of a group are swapped together.

    :param first: the table of each group by the first prediction, shape (groups, entries)
    :param second: that by the second
    """
    both = np.asarray(first.sum(axis=0)), np.asarray(second.sum(axis=0))
    change = (second - first).tocsr()
    change = change[np.diff(change.indptr) > 0]
    return _share_as_large(metric, both, _ExchangedGroups(*both, change), draws, seed, " of whole groups")


def approximate_p_values(difference: JointDifference, joint: FloatArray) -> FloatArray:
    """Return normal approximations to p-values of the permutation test, at joint tables of shape (8, m).

    The difference is linear near the table of exchangeable predictions, in which as many discordant examples of each
    class go one way as the other; its variance is then known.
    """
    # Discordant examples of each class: positive by only one of the two predictions.
    k = np.arange(8).reshape(2, 2, 2)
    only_first, only_second = k[:, 1, 0], k[:, 0, 1]
    discordant = joint[only_first] + joint[only_second]
    even = joint.copy()
    even[only_first] = even[only_second] = discordant / 2
    # Each contributes its slope with a random sign, so that its variance is a quarter of the squared distance.
    slopes = difference.slopes(even)
    error = np.sqrt((((slopes[only_second] - slopes[only_first]) / 2) ** 2 * discordant).sum(axis=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(error > 0, 2 * ndtr(-np.abs(difference.values(joint)) / error), 1.0)


class PairedProportion(NamedTuple):
    """Examples over which a proportion is taken, the same for both predictions.

    :param only_first: how many only the first gets right
    :param only_second: how many only the second does
    :param number: how many there are
    """

    only_first: float
    only_second: float
    number: float


def paired_proportion(metric: Estimator, outcomes: Outcomes) -> PairedProportion | None:
    """Return the examples if a metric is a function of the proportion correct among the same ones for both; else None.

    None if it is none, as precision, whose examples are those that are predicted positive.
    """
    if getattr(metric, "is_of_right", False):
        right = [outcomes.true == predicted for predicted in (outcomes.first, outcomes.second)]
        counts = np.ones(len(outcomes.number), dtype=np.bool_)
    elif isinstance(metric, Formula) and outcomes.classes == 2:
        made_of = shape_of(metric.expression)
        of_both = {*made_of.successes, *made_of.failures} if isinstance(made_of, Proportion) else set()
        rows = [row for row, cells in enumerate(({0, 1}, {2, 3})) if cells <= of_both]
        if not isinstance(made_of, Proportion) or len(of_both) != 2 * len(rows):
            return None
        right = [np.isin(2 * outcomes.true + found, made_of.successes) for found in (outcomes.first, outcomes.second)]
        counts = np.isin(outcomes.true, rows)
    else:
        return None
    first, second = right
    chosen = (counts & first & ~second, counts & second & ~first, counts)
    return PairedProportion(*(float(outcomes.number[kind].sum()) for kind in chosen))


def _mcnemar(only_first: float, only_second: float) -> TestOfPair:
    """McNemar's exact test: under the null either prediction is equally often the correct one of a discordant pair.

    The example of Fagerland, Lydersen & Laake (2013), airway hyper-responsiveness before and after a transplantation:

    >>> found = _mcnemar(1, 7)
    >>> round(found.p_value, 4), round(found.mid_p, 4)
    (0.0703, 0.0391)
    """
    number, less = only_first + only_second, min(only_first, only_second)
    as_many = float(np.exp(_log_binomial(np.array(number), np.array(less))))
    if only_first == only_second:
        return TestOfPair(1.0, 1.0 - as_many / 2, _MCNEMAR)
    p_value = min(2.0 * float(bdtr(less, int(number), 0.5)), 1.0)
    return TestOfPair(p_value, p_value - as_many, _MCNEMAR)


def _distance(metric: Estimator, first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the absolute difference of the metric's two values, at tables of shape (entries, ...)."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.abs(metric.values(second) - metric.values(first)))


def _share_as_large(
    metric: Estimator,
    tables: tuple[FloatArray, FloatArray],
    exchanges: _Exchanged | _ExchangedGroups,
    draws: int,
    seed: int,
    exchanged: str = "",
) -> TestOfPair:
    first, second = (table[:, None] for table in tables)
    observed = float(_distance(metric, first, second)[0])
    if not np.isfinite(observed):
        return TestOfPair(float("nan"), float("nan"), "none, as the difference is infinite")

    def compared(outcomes: FloatArray) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Masks of outcomes with a larger difference, and with the same."""
        first, second = exchanges.tables(outcomes)
        beyond = _distance(metric, first, second) - observed
        rounding = _SAME * max(1.0, observed)
        is_same = np.abs(beyond) <= rounding
        return ~((beyond < -rounding) | is_same), is_same

    larger = alike = 0.0
    # Exact: enumerate all outcomes with their probabilities; neglected ones count as at least as large.
    if exchanges.possible <= _MOST:
        for outcomes, weights in exchanges.every():
            is_larger, is_same = compared(outcomes)
            larger, alike = larger + float(weights[is_larger].sum()), alike + float(weights[is_same].sum())
        p_value, mid_p = (min(larger + share * alike + exchanges.neglected, 1.0) for share in (1.0, 0.5))
        is_bound = exchanges.neglected > 0 and p_value <= 2 * exchanges.neglected
        return TestOfPair(p_value, mid_p, f"exact permutation test{exchanged}", is_bound=is_bound)
    # Monte Carlo: draw exchanges until enough are at least as large (Besag & Clifford 1991).
    done = 0
    for outcomes in exchanges.drawn(draws, np.random.default_rng(seed)):
        is_larger, is_same = compared(outcomes)
        larger, alike, done = larger + is_larger.sum(), alike + is_same.sum(), done + outcomes.shape[1]
        if larger + alike >= _ENOUGH:
            break
    # The observed outcome counts as one more draw (Phipson & Smyth 2010).
    p_value, mid_p = ((larger + share * alike + 1) / (done + 1) for share in (1.0, 0.5))
    name = f"{'up to ' if draws > _BLOCK else ''}{draws} draws of the permutation test{exchanged}"
    return TestOfPair(p_value, mid_p, name, is_exact=False, is_bound=larger + alike == 0)


@dataclass(frozen=True)
class _Exchanged:
    """Examples with different predictions, grouped by true class and the pair of predicted classes.

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
        # A kind: the true class and the unordered pair of predicted classes.
        kinds, kind = np.unique(((row + low) * k + high)[differs], return_inverse=True)
        number = np.bincount(kind, outcomes.number[differs], len(kinds)).astype(np.int64)
        at_low, latter = np.divmod(kinds, k)
        # Examples with equal predictions are the same under every exchange.
        alike = np.bincount((row + low)[~differs], outcomes.number[~differs], k * k).astype(np.float64)
        return cls(number, at_low, at_low // k * k + latter, alike)

    @property
    def least(self) -> NDArray[np.int64]:
        """Smallest count of each kind to enumerate; outcomes beyond are negligible by Hoeffding's inequality."""
        beyond = sqrt(log(2 / _NEGLECTED) / 2)
        return np.array([max(0, ceil(number / 2 - beyond * sqrt(number))) for number in self.number], dtype=np.int64)

    @property
    def neglected(self) -> float:
        return _NEGLECTED * float((self.least > 0).sum())

    @property
    def possible(self) -> float:
        widths = (self.number - 2 * self.least + 1).tolist()
        return float(prod(map(float, widths)))

    def every(self) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Yield the counts of each kind for which the first prediction is the former class, with their probability."""
        widths, every = tuple(self.number - 2 * self.least + 1), round(self.possible)
        for size, start in _blocks(every, max(len(self.alike), len(self.number))):
            places = np.unravel_index(np.arange(start, start + size), widths) if widths else np.zeros((0, size))
            low = np.asarray(places, dtype=np.float64).reshape(len(widths), size) + self.least[:, None]
            yield low, np.exp(_log_binomial(self.number[:, None], low).sum(axis=0))

    def drawn(self, draws: int, random: np.random.Generator) -> Iterator[FloatArray]:
        for size, _ in _blocks(draws, max(len(self.alike), len(self.number)), _BLOCK):
            yield random.binomial(self.number[:, None], 0.5, size=(len(self.number), size)).astype(float)

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
    """Groups with different tables, each of which is swapped or not.

    :param first: the table of the first prediction
    :param second: that of the second
    :param change: what the second has more, in each group
    """

    first: FloatArray
    second: FloatArray
    change: csr_array

    neglected: float = 0.0

    @property
    def possible(self) -> float:
        return float(2.0 ** min(self.change.shape[0], 1000))

    def every(self) -> Iterator[tuple[FloatArray, FloatArray]]:
        groups = self.change.shape[0]
        for size, start in _blocks(2**groups, max(groups, len(self.first))):
            chosen = np.arange(start, start + size) >> np.arange(groups)[:, None] & 1
            yield chosen.astype(float), np.full(size, 0.5**groups)

    def drawn(self, draws: int, random: np.random.Generator) -> Iterator[FloatArray]:
        groups = self.change.shape[0]
        for size, _ in _blocks(draws, max(groups, len(self.first)), _BLOCK):
            yield random.integers(0, 2, size=(groups, size)).astype(float)

    def tables(self, chosen: FloatArray) -> tuple[FloatArray, FloatArray]:
        moved = self.change.T @ chosen
        return self.first[:, None] + moved, self.second[:, None] - moved


def _blocks(number: int, entries: int, most: int = _AT_ONCE) -> Iterator[tuple[int, int]]:
    """Yield the sizes and offsets of blocks of outcomes."""
    step = max(1, min(_AT_ONCE // entries, most))
    yield from ((min(step, number - start), start) for start in range(0, number, step))


def _log_binomial(number: NDArray[np.int64], chosen: FloatArray) -> FloatArray:
    """Return the logarithm of the binomial probability of a number of heads in fair coin tosses.

    scipy.stats has it to the last digit, and takes a quarter of a second to import; here nine digits are right.
    """
    return np.asarray(-betaln(number - chosen + 1, chosen + 1) - np.log1p(number) - number * np.log(2))
