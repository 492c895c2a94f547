"""Goals of an experiment, and the smallest sample size that reaches them, by simulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import ceil, inf, isfinite, isnan, nan, sqrt
from numbers import Real
from typing import Final

import numpy as np
from scipy.special import ndtri

from symmetrics.data.counts import Cells, FloatArray, shown
from symmetrics.statistics.intervals import Formula, Question
from symmetrics.statistics.methods import interval
from symmetrics.statistics.permutations import Outcomes, approximate_p_values, paired_proportion, permutation_test
from symmetrics.statistics.samples import JointDifference
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

_TABLES: Final = 8000
"""Number of tables simulated for a power; the standard error is at most 0.005."""
_TESTED_TABLES: Final = 2000
"""... of which this many are tested exactly."""
_FAR: Final = 3.0
"""P-values whose normal approximation is this factor above or below the level are not computed exactly ..."""
_FEW_DISCORDANT: Final = 40
"""... unless fewer examples than this are discordant."""
_WIDE_TABLES: Final = 200
"""Number of tables for a mean width, which varies little."""
_LARGEST: Final = 10**9
"""Upper limit for sample sizes."""

Draw = Callable[[int, int], FloatArray]
"""Simulates an experiment: draws tables with a number of examples, shape (entries, tables)."""


@dataclass(frozen=True)
class Goal:
    """The goal of an experiment: a width or a power.

    :param reached: computes the achieved values, shape (entries, tables), from the intervals of a question
    :param factor: factor on the number of examples, given the achieved value; 1 or less where it suffices
    :param between: acceptable range of the achieved value
    :param tables: how many are drawn
    :param words: for people
    :param roughly: computes the achieved values approximately, in a small part of the time
    """

    reached: Callable[[FloatArray, Question], float]
    factor: Callable[[float], float]
    between: tuple[float, float]
    tables: int
    words: str
    roughly: Callable[[FloatArray], float] | None = None


@dataclass(frozen=True)
class Study:
    """Assumptions of a plan about the classifiers, and the quantity of interest; validated.

    :param prior: the share of positive examples
    :param tpr: the rate of true positives
    :param tnr: the rate of true negatives
    :param width: of the interval; or else
    :param against: both rates of a second classifier, and
    :param power: how probable it should be that the difference is found
    :param agreement: Cohen's kappa of both predictions, one for each class or one for both
    """

    prior: float
    tpr: float
    tnr: float
    width: float | None
    against: tuple[float, float] | None
    power: float | None
    agreement: float | tuple[float, float]
    level: float
    method: str
    seed: int

    def __post_init__(self) -> None:
        for name in ("prior", "tpr", "tnr"):
            _require_share(name, getattr(self, name))
        if self.width is not None and self.against is None and self.power is None:
            if not 0 < _number(self.width) < inf:
                raise InputError(f"width={shown(self.width)} is no width; pass a number that is positive, such as 0.1")
            if self.agreement != 0:
                raise InputError(
                    f"agreement={shown(self.agreement)} is that of two classifiers; pass against= and power=, too"
                )
            return
        if self.width is not None or self.against is None or self.power is None:
            raise InputError("pass either width=, or against=(tpr, tnr) and power=")
        rates: object = self.against
        if not isinstance(rates, tuple | list) or len(rates) != 2:
            raise InputError(f"against={shown(rates)} is no second classifier; pass its rates, (tpr, tnr)")
        for name, rate in (("power", self.power), ("against[0]", rates[0]), ("against[1]", rates[1])):
            _require_share(name, rate)

    @cached_property
    def shares(self) -> tuple[FloatArray, FloatArray]:
        """Distribution of each class's examples over the cells, as :func:`class_shares` returns it."""
        return class_shares((self.tpr, self.tnr), self.against, self.agreement)

    def question(self, sampling: str = "multinomial") -> Question:
        """Return the interval settings for the simulated tables."""
        return Question(self.level, self.method, sampling, 500 if self.width is None else 1000, seed=self.seed)

    def goal(self, formula: Formula, shares: FloatArray, name: str) -> Goal:
        """Return the goal for a formula.

        :param shares: the true table of both predictions, up to a factor
        :param name: name of the formula in error messages
        :raises InputError: if both classifiers are alike
        """
        if self.width is not None:
            return _width_goal(formula, self.width, name)
        return _power_goal(formula, shares, float(self.power or 0), self.level, name)

    def require_experiment(self, number: int, least: int) -> None:
        """Refuse a goal that even the smallest sample size reaches, for which no plan is needed.

        :raises InputError: saying what to ask for
        """
        if number > least:
            return
        asked = f"power={shown(self.power)}" if self.width is None else f"width={shown(self.width)}"
        raise InputError(
            f"{asked} is reached with {number_of(least, 'example')} already, which is no experiment; ask for a "
            f"{'greater power' if self.width is None else 'smaller width'}"
        )


def _width_goal(formula: Formula, width: float, name: str) -> Goal:
    """Return the goal: the mean width of the interval is at most this."""

    def reached(tables: FloatArray, question: Question) -> float:
        found = interval(formula.expression, formula.range, Cells(*tables), question, name=name)
        return float(np.mean(found.width))

    # The width is proportional to 1/sqrt(n).
    factor = lambda found: (found / width) ** 2  # noqa: E731
    return Goal(reached, factor, (0.99 * width, width), _WIDE_TABLES, f"a mean width of {width:g}")


def _power_goal(formula: Formula, shares: FloatArray, power: float, level: float, name: str) -> Goal:
    """Return the goal: the exact test's p-value is below 1 - level with this probability.

    :param shares: the true joint table, up to a factor
    :raises InputError: if there is no difference
    """
    difference = JointDifference(formula)
    true = float(difference.values(shares[:, None])[0])
    if not isfinite(true) or abs(true) < 1e-9:
        raise InputError(f"{name} is the same for both classifiers, so that no number of examples is enough")
    alpha = 1 - level

    def roughly(tables: FloatArray) -> float:
        return float(np.mean(approximate_p_values(difference, tables) < alpha))

    def reached(tables: FloatArray, question: Question) -> float:
        # 1. The normal approximation at all tables: the exact test takes a hundred times as long and seldom disagrees,
        # so the difference is estimated from some of the tables.
        some = tables[:, :_TESTED_TABLES]
        p_values = approximate_p_values(difference, some)
        found = roughly(tables) - float(np.mean(p_values < alpha))
        distinct, places = np.unique(some, axis=1, return_inverse=True)
        p_values = approximate_p_values(difference, distinct)
        # 2. The exact test at tables whose approximate p-value is near the level, or based on few discordant examples.
        discordant = distinct[[1, 2, 5, 6]].sum(axis=0)
        unsure = ((p_values > alpha / _FAR) & (p_values < alpha * _FAR)) | (discordant < _FEW_DISCORDANT)
        for place in np.flatnonzero(unsure):
            outcomes = Outcomes.of_joint(distinct[:, place])
            p_values[place] = permutation_test(formula, outcomes, draws=question.draws, seed=question.seed).p_value
        return found + float(np.mean((p_values < alpha)[places.reshape(-1)]))

    z = float(ndtri((1 + level) / 2))

    def factor(found: float) -> float:
        # The standardised difference has mean ndtri(power) + z, which is proportional to sqrt(n).
        inside = min(max(found, 0.5 / _TABLES), 1 - 0.5 / _TABLES)
        return float((ndtri(power) + z) / max(ndtri(inside) + z, 0.1)) ** 2

    words = f"a power of {power:g} at a difference of {abs(true):.3g}"
    return Goal(reached, factor, (power, power + 0.005), _TABLES, words, roughly)


def sizes_of_mcnemar(metric: Formula, shares: FloatArray, power: float, level: float) -> dict[str, int]:
    """Return the sample sizes by published formulas for McNemar's test without continuity correction, by author.

    With the share of discordant examples s and the difference d of the shares that only one of both gets right, Connor
    (Sample size for testing differences in proportions for the paired-sample design, Biometrics 43, 1987) gives
    (z*sqrt(s) + y*sqrt(s - d**2))**2/d**2, with the normal quantiles z of the level and y of the power; Miettinen (The
    matched pairs design in the case of all-or-none responses, Biometrics 24, 1968) gives
    (z*s + y*sqrt(s**2 - d**2*(3 + s)/4))**2/(s*d**2).

    :param shares: the joint table, up to a factor
    :returns: nothing for a metric that is no proportion of the same examples for both
    """
    found = paired_proportion(metric, Outcomes.of_joint(shares))
    if found is None or not found.number:
        return {}
    s, d = ((found.only_first + sign * found.only_second) / found.number for sign in (1, -1))
    z, y, part = float(ndtri((1 + level) / 2)), float(ndtri(power)), found.number / float(shares.sum())
    connor = (z * sqrt(s) + y * sqrt(s - d**2)) ** 2 / d**2
    miettinen = (z * s + y * sqrt(s**2 - d**2 * (3 + s) / 4)) ** 2 / (s * d**2)
    return {"Connor": ceil(connor / part), "Miettinen": ceil(miettinen / part)}


def simulated(goal: Goal, draw: Draw, question: Question) -> tuple[int, float]:
    """Return the smallest number of examples that reaches a goal, and the achieved value, by simulation.

    For many tables what is roughly reached says where to look.
    """
    near, roughly = 100, goal.roughly
    if roughly is not None:
        near, _ = searched(lambda number: roughly(draw(number, goal.tables)), goal.factor, goal.between)
    return searched(lambda number: goal.reached(draw(number, goal.tables), question), goal.factor, goal.between, near)


def searched(
    achieved: Callable[[int], float], factor: Callable[[float], float], goal: tuple[float, float], start: int = 100
) -> tuple[int, float]:
    """Search for the smallest number of examples that achieves the goal, to within one percent.

    :param achieved: computes the achieved value for a number of examples
    :param factor: factor on the number of examples, given the achieved value; 1 or less where it suffices
    :param goal: acceptable range of the achieved value
    :param start: the number that is tried first
    """
    number, least, best = start, 0, (_LARGEST, nan)
    while best[0] - least > max(1, best[0] // 100):
        found = achieved(number)
        # Close enough, or one side of the bracket.
        if goal[0] <= found <= goal[1]:
            return number, found
        if factor(found) <= 1:
            best = (number, found)
        else:
            least = number
        # The number extrapolated from the achieved value, or else the midpoint of the bracket.
        wanted = ceil(number * min(max(factor(found), 0.05), 20.0))
        # Aim slightly beyond the goal, so that the next step closes the bracket from the other side.
        wanted += (wanted // 200 + 1) * (1 if wanted > number else -1)
        number = wanted if least < wanted < best[0] else (least + best[0]) // 2
    if isnan(best[1]):
        raise InputError(f"more than {_LARGEST:,} examples would be needed; ask for less")
    return best


def class_shares(
    first: tuple[float, float], second: tuple[float, float] | None, agreement: object = 0.0
) -> tuple[FloatArray, FloatArray]:
    """Return the distribution of positive and of negative examples over the cells; each sums to 1.

    :param first: the rates of true positives and of true negatives
    :param second: those of a second classifier; then the shares are those of the entries of a joint table
    :param agreement: how far the two err on the same examples of a class: Cohen's kappa of their predictions there, one
        for both classes or one for each; 0 if they err independently
    :raises InputError: on an agreement that two classifiers of these rates cannot have
    """
    tpr, tnr = first
    if second is None:
        return np.array([tpr, 1 - tpr]), np.array([1 - tnr, tnr])
    kappas = agreement if isinstance(agreement, tuple | list) else (agreement, agreement)
    if len(kappas) != 2 or any(isnan(_number(kappa)) for kappa in kappas):
        raise InputError(f"agreement={shown(agreement)} is no agreement; pass a number, or one for each class")
    return (
        _joint(tpr, second[0], float(kappas[0]), "positive"),
        _joint(1 - tnr, 1 - second[1], float(kappas[1]), "negative"),
    )


def _joint(first: float, second: float, kappa: float, name: str) -> FloatArray:
    """Return the joint distribution of two positive predictions: both, only first, only second, neither."""
    # The probability of disagreement under independent errors, reduced by the share kappa.
    chance = first * (1 - second) + (1 - first) * second
    least = -2 * min(first * second, (1 - first) * (1 - second)) / chance
    most = 2 * min(first * (1 - second), (1 - first) * second) / chance
    if not least <= kappa <= most:
        raise InputError(
            f"agreement={kappa:g} is not possible among {name} examples: at these rates it is between {least:.3g} and "
            f"{most:.3g}"
        )
    extra = kappa * chance / 2
    both, neither = first * second + extra, (1 - first) * (1 - second) + extra
    return np.asarray(np.maximum([both, first - both, second - both, neither], 0.0))


def _require_share(name: str, value: object) -> None:
    if not 0 < _number(value) < 1:
        raise InputError(f"{name}={shown(value)} is not between 0 and 1; pass a share, such as 0.8")


def _number(value: object) -> float:
    """Convert to float64; nan if that is impossible."""
    try:
        return float(value) if isinstance(value, Real) else nan
    except OverflowError:
        return nan
