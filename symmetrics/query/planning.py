"""How many examples are needed: for an interval of some width, or to find out which of two classifiers is better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, inf, isfinite, isnan, nan
from typing import Final

import numpy as np
from scipy.special import ndtri

from symmetrics.metric import Metric
from symmetrics.metric.uncertainty import range_of
from symmetrics.numeric.counts import Cells, FloatArray, shown
from symmetrics.numeric.intervals import Formula, Question, estimated, interval
from symmetrics.numeric.intervals.pairs import FIRST, JOINT_GROUPS, SECOND, Difference
from symmetrics.query.proving import as_metric
from symmetrics.tools.errors import InputError

__all__ = ["Plan", "plan"]

_TABLES: Final = 2000
"""How many tables are drawn for each number of examples that is tried."""
_LARGEST: Final = 10**9
"""Nobody labels more examples than that."""


@dataclass(frozen=True)
class Plan:
    """How many examples to label.

    :param number: of examples
    :param positives: how many of them are expected to be positive
    :param achieved: the mean width, or the power, of simulated tables with so many examples
    :param goal: what was asked for, in words
    """

    number: int
    positives: float
    achieved: float
    goal: str

    def __repr__(self) -> str:
        return (
            f"{self.number:,} examples, {self.positives:,.0f} of them positive, for {self.goal} "
            f"(simulated: {self.achieved:.3g})"
        )


def plan(
    metric: object,
    *,
    prior: float,
    tpr: float,
    tnr: float,
    width: float | None = None,
    against: tuple[float, float] | None = None,
    power: float | None = None,
    level: float = 0.95,
    method: str = "auto",
    seed: int = 0,
) -> Plan:
    """Return how many examples are needed at an assumed prior and assumed rates.

    Either for an interval that is no wider than *width* on average, or for a comparison with a second classifier of
    rates *against*, on the same examples, whose interval excludes no difference with probability *power*.  The two
    classifiers are taken to err independently within each class; if they err together fewer examples do.

    :param metric: a metric, an expression over the cells, or the name of a metric of the library
    :param prior: the assumed share of positive examples
    :param tpr: the assumed rate of true positives
    :param tnr: the assumed rate of true negatives
    :param width: the distance between the ends of the interval
    :param against: the rates of true positives and of true negatives of the second classifier
    :param power: how probable it should be that the difference is found
    :param level: of the interval
    :param method: of the interval, as in :meth:`Metric.interval`
    :param seed: where the simulation starts
    :raises InputError: on rates outside (0, 1), unless exactly one of *width* and *against* with *power* is asked for,
        and where no number of examples is enough

    >>> plan("recall", prior=0.1, tpr=0.8, tnr=0.9, width=0.1)
    2,427 examples, 243 of them positive, for a mean width of 0.1 (simulated: 0.0997)
    """
    asked = as_metric(metric)
    for name, rate in (("prior", prior), ("tpr", tpr), ("tnr", tnr)):
        _require_share(name, rate)
    if width is not None and against is None and power is None:
        if not 0 < width < inf:
            raise InputError(f"width={shown(width)} is no width; pass a number that is positive, such as 0.1")
        question = Question(level, method, draws=1000, seed=seed)
        return _for_width(asked, _cells(prior, tpr, tnr), width, prior, question)
    if width is not None or against is None or power is None:
        raise InputError("pass either width=, or against=(tpr, tnr) and power=")
    for name, rate in (("power", power), ("against[0]", against[0]), ("against[1]", against[1])):
        _require_share(name, rate)
    question = Question(level, method, draws=500, seed=seed)
    return _for_power(asked, _joint(prior, (tpr, tnr), against), power, prior, question)


def _for_width(metric: Metric, shares: FloatArray, width: float, prior: float, question: Question) -> Plan:
    def achieved(number: int) -> float:
        tables = np.random.default_rng(question.seed).multinomial(number, shares, size=_TABLES // 10).T.astype(float)
        found = interval(metric.at_defaults(), range_of(metric), Cells(*tables), question, name=metric.name)
        return float(np.mean(found.width))

    # The width falls with the root of the number.
    number, reached = _searched(achieved, lambda found: (found / width) ** 2, (0.99 * width, width))
    return Plan(number, number * prior, reached, f"a mean width of {width:g}")


def _for_power(metric: Metric, shares: FloatArray, power: float, prior: float, question: Question) -> Plan:
    formula = Formula(metric.at_defaults(), range_of(metric))
    difference = Difference(formula, FIRST, SECOND)
    true = float(difference.values(shares[:, None])[0])
    if not isfinite(true) or abs(true) < 1e-9:
        raise InputError(f"{metric.name} is the same for both classifiers, so that no number of examples is enough")

    def achieved(number: int) -> float:
        tables = np.random.default_rng(question.seed).multinomial(number, shares, size=_TABLES).T.astype(float)
        found = estimated(difference, tables, JOINT_GROUPS["multinomial"], question)
        return float(np.mean(found.low > 0 if true > 0 else found.high < 0))

    z = float(ndtri((1 + question.level) / 2))

    def factor(found: float) -> float:
        # The difference over its error has the mean ndtri(power) + z, which grows with the root of the number.
        inside = min(max(found, 0.5 / _TABLES), 1 - 0.5 / _TABLES)
        return float((ndtri(power) + z) / max(ndtri(inside) + z, 0.1)) ** 2

    number, reached = _searched(achieved, factor, (power, power + 0.005))
    return Plan(number, number * prior, reached, f"a power of {power:g} at a difference of {abs(true):.3g}")


def _searched(
    achieved: Callable[[int], float], factor: Callable[[float], float], goal: tuple[float, float]
) -> tuple[int, float]:
    """Return a number of examples that achieves the goal, or the least that does, to within one in a hundred.

    :param achieved: what a number of examples achieves
    :param factor: how many times as many are needed, by what was achieved; where it is 1 or less that was enough
    :param goal: between what it should lie
    """
    number, least, best = 100, 0, (_LARGEST, nan)
    while best[0] - least > max(1, best[0] // 100):
        found = achieved(number)
        if goal[0] <= found <= goal[1]:
            return number, found
        if factor(found) <= 1:
            best = (number, found)
        else:
            least = number
        wanted = ceil(number * min(max(factor(found), 0.05), 20.0))
        # A little beyond what is wanted, so that the next one closes the bracket from the other side.
        wanted += (wanted // 200 + 1) * (1 if wanted > number else -1)
        number = wanted if least < wanted < best[0] else (least + best[0]) // 2
    if isnan(best[1]):
        raise InputError(f"more than {_LARGEST:,} examples would be needed; ask for less")
    return best


def _cells(prior: float, tpr: float, tnr: float) -> FloatArray:
    return np.array([prior * tpr, prior * (1 - tpr), (1 - prior) * (1 - tnr), (1 - prior) * tnr])


def _joint(prior: float, first: tuple[float, float], second: tuple[float, float]) -> FloatArray:
    """Return the shares of the joint table of two classifiers that err independently within each class."""
    (tpr, tnr), (other_tpr, other_tnr) = first, second
    positives = np.outer([tpr, 1 - tpr], [other_tpr, 1 - other_tpr]).reshape(-1)
    negatives = np.outer([1 - tnr, tnr], [1 - other_tnr, other_tnr]).reshape(-1)
    return np.concatenate([prior * positives, (1 - prior) * negatives])


def _require_share(name: str, value: object) -> None:
    if not isinstance(value, int | float) or not 0 < value < 1:
        raise InputError(f"{name}={shown(value)} is not between 0 and 1; pass a share, such as 0.8")
