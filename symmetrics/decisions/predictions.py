"""Labels with the best expected value of a metric, for independent labels with known probabilities.

Where a metric does not fall if a TP and a TN take the place of an FN and an FP, exchanging a positive prediction for
that of a more probable example does not lower its expectation, so that the best positives are the k most probable
examples for some k (Lewis 1995; Dembczyński et al. 2011).  The numbers of positive labels among these and among the
rest are independent and Poisson binomial.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sympy import Expr

from symmetrics.claims import Inequality, value_symbol
from symmetrics.claims.property import other
from symmetrics.curves.examples import as_score_array
from symmetrics.data.counts import FloatArray, shown
from symmetrics.language.cells import FN, FP, TN, TP
from symmetrics.metric.direction import greater_is_better
from symmetrics.numeric.averaging import as_zero_division
from symmetrics.prover.acceptance import decide_and_check
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from symmetrics.metric import Metric

MOST: Final = 2000
"""Examples, at most: the work grows with the square of their number."""
TINY: Final = 1e-25
"""Numbers of positive labels with a smaller probability are left out of the sums."""
ROUNDING: Final = 1e-12
"""Relative differences below this count as ties where tables with zero cells are compared."""

_T: Final = other("t")
_EXCHANGE: Final = ((TP, FN + _T, FP + _T, TN), (TP + _T, FN, FP, TN + _T))
_RISE: Final = value_symbol(1) - value_symbol(0)


@dataclass(frozen=True, repr=False, eq=False)
class BestPredictions:
    """The labels with the best expected value; an array for NumPy, a sequence for others.

    :param metric: the name of the metric
    :param labels: 1 for the examples that are predicted positive, else 0, in the given order
    :param value: the expected value of the metric
    """

    metric: str
    labels: NDArray[np.int64]
    value: float

    @property
    def positives(self) -> int:
        """How many examples are predicted positive."""
        return int(self.labels.sum())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.labels, dtype=dtype)

    def __len__(self) -> int:
        return len(self.labels)

    def __iter__(self) -> Iterator[int]:
        return iter(self.labels.tolist())

    def __getitem__(self, place: Any) -> Any:
        return self.labels[place]

    def __repr__(self) -> str:
        return f"{self.positives} of {len(self)} positive: the expected {self.metric} is {self.value:.4g}"


def best_predictions(metric: Metric, probabilities: ArrayLike, zero_division: float = math.nan) -> BestPredictions:
    """Return the labels with the best expected value: the smallest of a metric that is a loss, else the greatest.

    All numbers k of positive predictions are compared, with sums in float64, and the smallest of the best is taken.

    :raises InputError: as :meth:`symmetrics.Metric.best_predictions`

    >>> from symmetrics.library import metrics
    >>> best_predictions(metrics["f1"], [0.4, 0.35, 0.3])
    3 of 3 positive: the expected f1 is 0.4562
    """
    fill = as_zero_division(zero_division)
    shares = _probabilities(probabilities)
    sign = -1 if greater_is_better(metric) is False else 1
    _require_exchange(metric, len(shares), sign, fill)
    order = np.argsort(-shares, kind="stable")
    expected = _expectations(metric, shares[order], fill)
    if np.isnan(expected).all():
        raise InputError(f"{metric.name} is undefined for all outcomes; pass zero_division=0, or another value")
    best = int(np.nanargmax(sign * expected))
    labels = np.zeros(len(shares), dtype=np.int64)
    labels[order[:best]] = 1
    labels.flags.writeable = False
    return BestPredictions(metric.name, labels, float(expected[best]))


def _probabilities(values: ArrayLike) -> FloatArray:
    shares = as_score_array(values, "probabilities")
    if shares.ndim != 1 or not shares.size:
        raise InputError(f"probabilities has shape {shares.shape}; pass one number per example, as in p[:, 1]")
    outside = (shares < 0) | (shares > 1)
    if outside.any():
        place = int(np.argmax(outside))
        raise InputError(f"probabilities[{place}] is {shown(float(shares[place]))}; pass numbers from 0 to 1")
    if shares.size > MOST:
        raise InputError(
            f"{shares.size} probabilities are more than {MOST}; with so many the metric is close to its value at the "
            "expected table: predict by metric.rule().optimum(probabilities)"
        )
    return shares


def _expectations(metric: Metric, shares: FloatArray, fill: float) -> FloatArray:
    """Return E[M] with the first k predicted positive, for k = 0, ..., n; nan where no outcome has a value."""
    size = len(shares)
    above = _distributions(shares)
    below = _distributions(shares[::-1])[::-1]
    expected = np.full(size + 1, np.nan)
    for k in range(size + 1):
        # TP of the first k and FN of the others are independent.
        tp, fn = np.flatnonzero(above[k] > TINY), np.flatnonzero(below[k] > TINY)
        weight = above[k][tp][:, None] * below[k][fn]
        tables = tp[:, None], fn[None, :], (k - tp)[:, None], (size - k - fn)[None, :]
        values = np.asarray(metric.from_counts(*tables, zero_division=fill))
        if np.isinf(values).any():
            row, column = np.argwhere(np.isinf(values))[0]
            table = int(tp[row]), int(fn[column]), int(k - tp[row]), int(size - k - fn[column])
            raise InputError(
                f"{metric.name} is infinite at the table {table}, and so is its expectation; take a bounded metric"
            )
        valid = ~np.isnan(values)
        if valid.any():
            expected[k] = (weight[valid] * values[valid]).sum() / weight[valid].sum()
    return expected


def _distributions(shares: FloatArray) -> list[FloatArray]:
    """Return the Poisson binomial distributions of the number of positive labels among the first 0, 1, ..., n."""
    found = [np.ones(1)]
    for share in shares:
        last = found[-1]
        found.append(np.append(last * (1 - share), 0.0))
        found[-1][1:] += last * share
    return found


# -- Whether the most probable examples are the best positives ---------------------------------------------------------


def _require_exchange(metric: Metric, size: int, sign: int, fill: float) -> None:
    """Refuse a metric that may fall where a TP and a TN take the place of an FN and an FP.

    At positive cells that is proved for all tables; those with zero cells are gone through, as a value there may be a
    limit or that of *zero_division*.
    """
    doubt = "the most probable examples need not be the best positives"
    advice = "take another metric, or the best threshold by metric.rule().optimum(probabilities)"
    if not _is_proved(metric.name, metric.value_formula, sign):
        raise InputError(
            f"{metric.name} is not known to {'fall' if sign < 0 else 'rise'} where errors are corrected, so that "
            f"{doubt}; {advice}"
        )
    for tables in _with_zeros(size):
        tp, fn, fp, tn = tables
        better = np.asarray(metric.from_counts(tp, fn, fp, tn, zero_division=fill))
        worse = np.asarray(metric.from_counts(tp - 1, fn + 1, fp + 1, tn - 1, zero_division=fill))
        slack = ROUNDING * np.maximum(1.0, np.abs(np.where(np.isfinite(worse), worse, 0.0)))
        rises = (sign * better >= sign * worse - slack) | (np.isnan(better) & np.isnan(worse))
        if not rises.all():
            place = int(np.argmin(rises))
            cells = tuple(int(cell[place]) for cell in tables)
            where = "is undefined" if np.isnan(better[place]) or np.isnan(worse[place]) else "is worse"
            raise InputError(
                f"{metric.name} {where} at the table {cells}, or with one TP and TN less and one FN and FP more, so "
                f"that {doubt}; pass another zero_division, or {advice}"
            )


@lru_cache(maxsize=256)
def _is_proved(name: str, formula: Expr, sign: int) -> bool:
    claim = Inequality(formula, (), _EXCHANGE, (_T,), sign * _RISE)
    return decide_and_check(claim, metric=name, property="exchange").status == "proved"


def _with_zeros(size: int) -> Iterator[list[NDArray[np.int64]]]:
    """Yield the tables of a size, with TP and TN positive, that have a zero cell, or have one after the exchange."""
    for fixed, value in ((0, 1), (3, 1), (1, 0), (2, 0)):
        free = [place for place in range(4) if place != fixed]
        first, second = (axis.ravel() for axis in np.indices((size + 1, size + 1)))
        third = size - value - first - second
        table: list[Any] = [None] * 4
        table[fixed] = np.full_like(first, value)
        for place, cells in zip(free, (first, second, third), strict=True):
            table[place] = cells
        kept = (third >= 0) & (table[0] >= 1) & (table[3] >= 1)
        if kept.any():
            yield [cells[kept] for cells in table]
