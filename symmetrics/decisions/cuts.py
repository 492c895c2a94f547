"""The best of all cuts through ranked examples, by exact comparison."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike
from sympy import Expr, Rational, S

from symmetrics.claims.evidence import Counts
from symmetrics.curves.examples import read_examples
from symmetrics.curves.roc import curve_of
from symmetrics.data.counts import Cells, as_cells
from symmetrics.metric.direction import greater_is_better
from symmetrics.numeric.averaging import as_zero_division
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from symmetrics.metric import Metric
    from symmetrics.tools.arguments import Missing

NEAR: Final = 1e-11
"""Values this near the best one, relative to it, are compared exactly."""
MOST_EXACT: Final = 200
"""Cuts at most that are compared exactly; more that are so near tie up to rounding, and the first of these is taken."""


@dataclass(frozen=True, repr=False)
class BestThreshold:
    """The best threshold on a score.

    :param metric: the name of the metric
    :param threshold: scores of at least this are positive; infinity if no example is to be
    :param value: the value of the metric there
    :param table: the (weighted) numbers TP, FN, FP, TN there
    """

    metric: str
    threshold: float
    value: float
    table: tuple[float, float, float, float]

    def __repr__(self) -> str:
        cells = ", ".join(f"{cell:g}" for cell in self.table)
        return f"{self.metric} is best at threshold {self.threshold:g}: {self.value:.4g}, TP, FN, FP, TN = {cells}"


def best_threshold(
    metric: Metric,
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    pos_label: Hashable = 1,
    sample_weight: ArrayLike | None = None,
    zero_division: float = math.nan,
    missing: Missing = "refuse",
) -> BestThreshold:
    """Return the threshold with the best value: after one sort, all cuts between distinct scores are compared.

    The highest one of several that are best.  Equal scores are never divided.

    :raises InputError: as :meth:`symmetrics.Metric.best_threshold`

    >>> from symmetrics.library import metrics
    >>> best_threshold(metrics["accuracy"], ["no", "yes", "yes"], [1, 2, 2], pos_label="yes").threshold
    2.0
    """
    fill = as_zero_division(zero_division)
    examples = read_examples(y_true, y_score, pos_label, sample_weight, negatives=False, missing=missing)
    curve = curve_of(examples)
    positive = examples.positive if examples.weight is None else examples.weight[examples.positive]
    negative = (~examples.positive).sum() if examples.weight is None else examples.weight[~examples.positive].sum()
    # Sums of weights in different orders differ by rounding, which may not make a cell negative.
    fn, tn = np.maximum(positive.sum() - curve.tp, 0.0), np.maximum(negative - curve.fp, 0.0)
    cells = as_cells(curve.tp, fn, curve.fp, tn)

    def table(place: int) -> Counts:
        return Counts(*(Rational(float(cell[place])) for cell in cells))

    place, _ = best_cut(metric, cells, table, fill)
    tp, fn, fp, tn = (float(cell[place]) for cell in cells)
    value = float(metric.from_counts(tp, fn, fp, tn, zero_division=fill))
    return BestThreshold(metric.name, float(curve.thresholds[place]), value, (tp, fn, fp, tn))


def best_cut(
    metric: Metric, cells: Cells, table: Callable[[int], Counts], zero_division: float = math.nan
) -> tuple[int, Expr]:
    """Return the place of the first best table of many, and its exact value.

    :param cells: the tables in floats
    :param table: the exact table at a place
    :raises InputError: if no table has a value
    """
    sign = -1 if greater_is_better(metric) is False else 1
    values = sign * np.asarray(metric.from_counts(*cells, zero_division=zero_division))
    if np.isnan(values).all():
        raise InputError(
            f"{metric.name} is undefined at every threshold; pass examples of both classes, or another metric"
        )
    greatest = np.nanmax(values)
    slack = NEAR * max(1.0, abs(greatest)) if math.isfinite(greatest) else 0.0
    near = np.flatnonzero(values >= greatest - slack)

    def exact(place: int) -> Any:
        value = metric.exact(*table(place))
        return S(zero_division) if value is S.NaN else value

    best = int(near[0])
    value = exact(best)
    if math.isfinite(greatest):
        for place in map(int, near[1:MOST_EXACT]):
            other = exact(place)
            if (sign * (other - value)).is_positive:
                best, value = place, other
    return best, value
