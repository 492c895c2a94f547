"""Tables of random guessing: all that have the margins of a data set, with their probabilities."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import Any, Final, SupportsIndex

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlog1py, xlogy

from symmetrics.data.counts import shown
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Table = tuple[int, int, int, int]

MOST_EXACT: Final = 10_000
"""Most tables whose exact values are summed."""
MOST_TABLES: Final = 10**9
"""Most tables that are evaluated in floats."""


@dataclass(frozen=True)
class GuessedTables:
    """The tables that guessing can lead to: TP of the positives and FP of the negatives are predicted positive.

    Given their sum k, TP is hypergeometric.

    :param positives: the number of positive examples
    :param negatives: the number of negative examples
    """

    positives: int
    negatives: int

    @property
    def examples(self) -> int:
        """The number of examples."""
        return self.positives + self.negatives

    def __len__(self) -> int:
        return (self.positives + 1) * (self.negatives + 1)

    def exact(self, k: int) -> Iterator[tuple[int, Table]]:
        """Yield the tables with k predicted positives, each with the number of labellings that lead to it.

        :raises InputError: if they are too many to be evaluated exactly

        >>> list(GuessedTables(2, 1).exact(1))
        [(1, (0, 2, 1, 0)), (2, (1, 1, 0, 1))]
        """
        tps = self._range(k)
        refuse_many(len(tps))
        for tp in tps:
            ways = math.comb(self.positives, tp) * math.comb(self.negatives, k - tp)
            yield ways, (tp, self.positives - tp, k - tp, self.negatives - k + tp)

    def cells(self, tp: Any, fp: Any) -> tuple[Any, Any, Any, Any]:
        """Return TP, FN, FP and TN."""
        return tp, self.positives - tp, fp, self.negatives - fp

    def mean(self, share: Any) -> tuple[Any, Any, Any, Any]:
        """Return the mean table, where the same share of both classes is predicted positive.

        >>> GuessedTables(30, 10).mean(0.5)
        (15.0, 15.0, 5.0, 5.0)
        """
        return self.cells(self.positives * share, self.negatives * share)

    def given(self, k: int) -> tuple[IntArray, IntArray, FloatArray]:
        """Return TP and FP of all tables with k predicted positives, and their probabilities.

        >>> tp, fp, probabilities = GuessedTables(2, 1).given(1)
        >>> tp.tolist(), fp.tolist(), probabilities.round(12).tolist()
        ([0, 1], [1, 0], [0.333333333333, 0.666666666667])
        """
        tp = np.array(self._range(k))
        return tp, k - tp, self._probabilities(tp, k - tp)

    def slices(self) -> Iterator[tuple[slice, IntArray, IntArray, FloatArray]]:
        """Yield all tables in parts, in each of which the number of predicted positives rises by one.

        :returns: the numbers of predicted positives, TP, FP, and the probabilities given these numbers
        :raises InputError: if they are too many
        """
        if len(self) > MOST_TABLES:
            raise InputError(
                f"{number_of(len(self), 'table', ',')} with these margins are too many to evaluate; pass "
                "predicted_positive"
            )
        fewer, more = sorted((self.positives, self.negatives))
        others = np.arange(more + 1)
        for count in range(fewer + 1):
            these = np.full(more + 1, count)
            tp, fp = (these, others) if self.positives == fewer else (others, these)
            yield slice(count, count + more + 1), tp, fp, self._probabilities(tp, fp)

    def chances(self, rate: float) -> FloatArray:
        """Return the probabilities of 0, 1, ..., n predicted positives, if each example is one with probability *rate*.

        >>> GuessedTables(1, 1).chances(0.5).round(12).tolist()
        [0.25, 0.5, 0.25]
        """
        k = np.arange(self.examples + 1)
        return np.asarray(np.exp(self._log_ways[self.examples] + xlogy(k, rate) + xlog1py(self.examples - k, -rate)))

    def _range(self, k: int) -> range:
        return range(max(0, k - self.negatives), min(self.positives, k) + 1)

    def _probabilities(self, tp: IntArray, fp: IntArray) -> FloatArray:
        """Return hypergeometric probabilities; none is rounded to 0, so that no infinite value is lost."""
        chosen = self._log_ways[self.positives][tp] + self._log_ways[self.negatives][fp]
        probabilities = np.exp(chosen - self._log_ways[self.examples][tp + fp])
        return np.asarray(np.maximum(probabilities, np.finfo(np.float64).tiny))

    @cached_property
    def _log_ways(self) -> dict[int, FloatArray]:
        """The logarithms of C(n, 0), C(n, 1), ..., C(n, n), by n."""
        logs = gammaln(np.arange(1, self.examples + 2))
        return {n: logs[n] - logs[: n + 1] - logs[n::-1] for n in (self.positives, self.negatives, self.examples)}


def refuse_many(tables: int) -> None:
    """Refuse sums of too many exact values.

    :raises InputError: if there are more than ten thousand
    """
    if tables > MOST_EXACT:
        raise InputError(f"exact values of {number_of(tables, 'table', ',')} are too many to add; pass exact=False")


def whole(value: object, name: str) -> int:
    """Return a number of examples.

    :raises InputError: if it is no whole number that is not negative

    >>> whole(3, "positives")
    3
    """
    number = -1
    if isinstance(value, SupportsIndex) and not isinstance(value, bool | np.bool_ | np.ndarray):
        number = index(value)
    if number < 0:
        raise InputError(f"{name}={shown(value)} is no number of examples; pass a whole number, such as 30")
    return number
