"""Operating points: metrics and costs along a ROC curve, and the best point.

A curve is two arrays of rates, the false positive and the true positive one, from any source; neither depends on the
prior.

>>> fpr, tpr = [0, 0.1, 0.4, 1], [0, 0.6, 0.9, 1]
>>> costs = Costs(false_negative=10, false_positive=1)
>>> best_point(fpr, tpr, 0.1, costs)
OperatingPoint(fpr=0.4, tpr=0.9, index=2, weight=0.0)
>>> point_at_tpr(fpr, tpr, 0.75).fpr
0.25
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from fractions import Fraction
from numbers import Real
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.curves.examples import is_within
from symmetrics.data.counts import as_cells, shown
from symmetrics.language.definition import Definition
from symmetrics.metric.priors import is_homogeneous
from symmetrics.numeric.averaging import as_zero_division
from symmetrics.numeric.compiled import evaluate
from symmetrics.tools.arguments import advising
from symmetrics.tools.errors import InputError

__all__ = ["Costs", "OperatingPoint", "best_point", "expected_cost", "on_curve", "point_at_tpr", "threshold"]


def __dir__() -> list[str]:
    return sorted(__all__)


FloatArray = NDArray[np.float64]
_LARGEST: Final = float(np.finfo(np.float64).max)


@dataclass(frozen=True)
class Costs:
    """Cost of one example in each cell, in any unit; benefits are negative.

    :param false_negative: of a positive example predicted negative, more than *true_positive*
    :param false_positive: of a negative example predicted positive, more than *true_negative*
    :param true_positive: of a positive example predicted positive
    :param true_negative: of a negative example predicted negative
    :raises InputError: on costs that are not finite, and where an error is not dearer than the right prediction
    """

    false_negative: float = 1.0
    false_positive: float = 1.0
    true_positive: float = 0.0
    true_negative: float = 0.0

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = getattr(self, entry.name)
            if isinstance(value, np.integer | np.floating):
                value = value.item()
                object.__setattr__(self, entry.name, value)
            if isinstance(value, bool) or not isinstance(value, int | float) or not -_LARGEST <= value <= _LARGEST:
                raise InputError(f"the cost {entry.name} is {shown(value)}; pass a finite number")
        for wrong, right in (("false_negative", "true_positive"), ("false_positive", "true_negative")):
            if getattr(self, wrong) <= getattr(self, right):
                raise InputError(f"{wrong} costs no more than {right}; an error has to be dearer, or nothing is traded")

    @property
    def regrets(self) -> tuple[float, float]:
        """Extra costs of a false negative and of a false positive over the correct prediction."""
        return self.false_negative - self.true_positive, self.false_positive - self.true_negative


# The dataclass generates __init__, so it is decorated here.
Costs.__init__ = advising("name the costs, as in Costs(false_negative=10, false_positive=1)")(Costs.__init__)  # type: ignore[method-assign]


@dataclass(frozen=True)
class OperatingPoint:
    """A point on a curve.

    :param fpr: its false positive rate
    :param tpr: its true positive rate
    :param index: the place, in the arrays, of the point itself or of the last one before it
    :param weight: how far it lies from there towards the next one, in [0, 1): the probability with which a classifier
        that has these rates uses the threshold of the next point
    """

    fpr: float
    tpr: float
    index: int
    weight: float = 0.0


@advising("pass rates, as in on_curve(metric, curve.fpr, curve.tpr, prior)")
def on_curve(
    metric: Definition,
    fpr: ArrayLike,
    tpr: ArrayLike,
    prior: ArrayLike,
    *,
    total: float | None = None,
    zero_division: float = math.nan,
) -> float | FloatArray:
    """Return a metric at points of the ROC plane, such as those of a whole curve, for one prior or many.

    :param fpr: false positive rates in [0, 1], which broadcast with the others
    :param tpr: true positive rates in [0, 1]
    :param prior: priors of the positive class strictly between 0 and 1
    :param total: the number of examples; needed by metrics that do not depend on proportions alone
    :param zero_division: the value where the metric is undefined
    :returns: a float for scalars, else a float64 array of the common shape
    :raises InputError: on rates or priors outside their intervals, and on shapes that do not broadcast

    A linear classifier on Highleyman's classes, if these are balanced, and with one target in ten and in a thousand
    (Landgrebe et al. 2005, table 2):

    >>> from symmetrics.library import metrics
    >>> on_curve(metrics["posfrac"], 0.2428, 0.8, [0.5, 0.1, 0.001]).round(4).tolist()
    [0.5214, 0.2985, 0.2434]
    """
    fill = as_zero_division(zero_division)
    if total is None and not is_homogeneous(metric):
        raise InputError(f"metric {metric.name} depends on the number of examples, not on rates alone; pass total=")
    size = 1.0 if total is None else total
    if not is_within(size, math.inf):
        raise InputError(f"total={shown(total)} is not a number of examples; pass a positive number")
    false, true, share = _broadcast(fpr, tpr, prior)
    positive, negative = size * share, size * (1 - share)
    cells = as_cells(positive * true, positive * (1 - true), negative * false, negative * (1 - false))
    values = evaluate(metric.at_defaults(), cells)
    values[np.isnan(values)] = fill
    return float(values) if values.ndim == 0 else values


@advising("pass rates, as in expected_cost(curve.fpr, curve.tpr, prior, costs)")
def expected_cost(fpr: ArrayLike, tpr: ArrayLike, prior: ArrayLike, costs: Costs) -> float | FloatArray:
    """Return the expected cost of one example at points of the ROC plane.

    ``prior*((1 - TPr)*c_FN + TPr*c_TP) + (1 - prior)*(FPr*c_FP + (1 - FPr)*c_TN)``: Provost & Fawcett (2001), with the
    costs of right predictions.

    :param fpr: false positive rates in [0, 1], which broadcast with the others
    :param tpr: true positive rates in [0, 1]
    :param prior: priors of the positive class strictly between 0 and 1
    :raises InputError: on rates or priors outside their intervals, and on shapes that do not broadcast

    >>> expected_cost(0.4, 0.9, 0.1, Costs(false_negative=10, false_positive=1)).__round__(12)
    0.46
    """
    costs = _as_costs(costs)
    false, true, share = _broadcast(fpr, tpr, prior)
    positive = (1 - true) * costs.false_negative + true * costs.true_positive
    negative = false * costs.false_positive + (1 - false) * costs.true_negative
    values = share * positive + (1 - share) * negative
    return float(values) if values.ndim == 0 else values


@advising("pass the rates of a curve, as in best_point(curve.fpr, curve.tpr, prior, costs)")
def best_point(fpr: ArrayLike, tpr: ArrayLike, prior: float, costs: Costs) -> OperatingPoint:
    """Return the point of a curve with the least expected cost; the first one at ties.

    No point between two neighbours is cheaper than both, because the cost is linear in the rates.  The best point is
    on the convex hull, where a line of slope ``(1 - prior)*(c_FP - c_TN)/(prior*(c_FN - c_TP))`` touches the curve.

    :param fpr: the false positive rates of the curve's points
    :param tpr: their true positive rates
    :raises InputError: on arrays that are no curve, and on a prior that is not strictly between 0 and 1
    """
    false, true = _curve(fpr, tpr)
    index = int(np.argmin(expected_cost(false, true, prior, costs)))
    return OperatingPoint(float(false[index]), float(true[index]), index)


@advising("pass the rates of a curve, as in point_at_tpr(curve.fpr, curve.tpr, target)")
def point_at_tpr(fpr: ArrayLike, tpr: ArrayLike, target: float) -> OperatingPoint:
    """Return the point of a curve at a given true positive rate, by linear interpolation.

    Where the curve runs along that rate it is the point with the smallest false positive rate.

    :param fpr: the false positive rates of the curve's points, which nowhere fall
    :param tpr: their true positive rates, which nowhere fall
    :param target: a rate that the curve reaches
    :raises InputError: on arrays that are no curve, and on a rate that it does not reach
    """
    false, true = _curve(fpr, tpr)
    if np.any(np.diff(false) < 0) or np.any(np.diff(true) < 0):
        raise InputError("the rates fpr and tpr fall somewhere; pass the points of a curve from (0, 0) to (1, 1)")
    target = _as_rate(target)
    if not true[0] <= target <= true[-1]:
        raise InputError(f"the curve has true positive rates from {true[0]} to {true[-1]}; pass one of them")
    after = int(np.searchsorted(true, target, side="left"))
    if true[after] == target:
        return OperatingPoint(float(false[after]), float(true[after]), after)
    before = after - 1
    weight = float((target - true[before]) / (true[after] - true[before]))
    return OperatingPoint(float((1 - weight) * false[before] + weight * false[after]), target, before, weight)


def _as_costs(costs: object) -> Costs:
    if not isinstance(costs, Costs):
        raise InputError(f"costs={shown(costs)} is no Costs; pass Costs(false_negative=10, false_positive=1)")
    return costs


def _as_rate(value: object) -> float:
    refused = InputError(f"target={shown(value)} is no rate; pass a number from 0 to 1, such as 0.75")
    if isinstance(value, bool) or not isinstance(value, Real):
        raise refused
    try:
        return float(value)
    except OverflowError:
        raise refused from None


@advising()
def threshold(costs: Costs, *, prior: float | None = None, training_prior: float | None = None) -> float:
    """Return the cost-optimal threshold on the posterior probability of the positive class.

    For probabilities that hold where they are used it is ``(c_FP - c_TN)/(c_FP - c_TN + c_FN - c_TP)``: Elkan (2001),
    equation (2).  Probabilities that were estimated under *training_prior* and are used under *prior* keep their
    likelihood ratio, so that the odds of the threshold are divided by the ratio of the odds of the two priors.

    :param prior: prior of the positive class where the classifier is used
    :param training_prior: prior under which its probabilities hold
    :raises InputError: if one prior is given without the other, or is not strictly between 0 and 1

    >>> threshold(Costs(false_negative=3, false_positive=1))
    0.25
    >>> threshold(Costs(), prior=0.1, training_prior=0.5).__round__(12)
    0.9
    """
    if (prior is None) != (training_prior is None):
        raise InputError("threshold got one prior without the other; pass prior= and training_prior=, or neither")
    # In fractions: extreme costs and priors have sums and products beyond float64.
    costs = _as_costs(costs)
    missed = Fraction(costs.false_negative) - Fraction(costs.true_positive)
    false_alarm = Fraction(costs.false_positive) - Fraction(costs.true_negative)
    if prior is not None and training_prior is not None:
        used, trained = (
            Fraction(float(_rates(p, n, inner=True))) for p, n in ((prior, "prior"), (training_prior, "training_prior"))
        )
        missed, false_alarm = missed * used * (1 - trained), false_alarm * (1 - used) * trained
    return float(false_alarm / (false_alarm + missed))


def _broadcast(fpr: ArrayLike, tpr: ArrayLike, prior: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    rates = _rates(fpr, "fpr"), _rates(tpr, "tpr"), _rates(prior, "prior", inner=True)
    try:
        false, true, share = np.broadcast_arrays(*rates)
    except ValueError:
        shapes = ", ".join(str(rate.shape) for rate in rates)
        raise InputError(f"fpr, tpr and prior have the shapes {shapes}; pass shapes that broadcast") from None
    return false, true, share


def _curve(fpr: ArrayLike, tpr: ArrayLike) -> tuple[FloatArray, FloatArray]:
    false, true = _rates(fpr, "fpr"), _rates(tpr, "tpr")
    if false.ndim != 1 or false.shape != true.shape or not false.size:
        raise InputError(f"fpr and tpr have the shapes {false.shape} and {true.shape}; pass one rate each per point")
    return false, true


def _rates(value: ArrayLike, name: str, *, inner: bool = False) -> FloatArray:
    """Return rates as a float64 array of numbers in [0, 1], or in (0, 1)."""
    try:
        array: FloatArray = np.asarray(value, dtype=np.float64)
    except (OverflowError, TypeError, ValueError):
        raise InputError(f"{name}={shown(value)} is not an array of numbers; pass numbers from 0 to 1") from None
    wrong = ~((array > 0) & (array < 1)) if inner else ~((array >= 0) & (array <= 1))
    if bool(wrong.any()):
        where = "strictly between 0 and 1" if inner else "from 0 to 1"
        raise InputError(f"{name} has the value {array[wrong].flat[0]}; pass numbers {where}")
    return array
