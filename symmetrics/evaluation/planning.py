"""Sample sizes for an interval of a given width or a comparison of given power."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import inf, sqrt
from typing import Final

import numpy as np
from sympy import Expr

from symmetrics.data.counts import FloatArray, shown
from symmetrics.evaluation.sample_sizes import Goal, Study, simulated, sizes_of_mcnemar
from symmetrics.language.cells import FN, FP, TN, TP
from symmetrics.library.selections import as_metric
from symmetrics.metric.priors import is_homogeneous
from symmetrics.metric.uncertainty import range_of
from symmetrics.statistics.intervals import Estimator, Formula, Question
from symmetrics.statistics.samples import JointDifference
from symmetrics.tools.arguments import advising
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of


@dataclass(frozen=True)
class Plan:
    """The required number of examples.

    :param number: of examples
    :param positives: how many of them are expected to be positive
    :param achieved: the mean width, or the power, of simulated tables with so many examples
    :param goal: the goal, in words
    :param formulas: for comparisons by a proportion, such as recall, the number that formulas give for McNemar's test
        without a correction, by their authors; the exact test, which is what the plan is for, needs some more
    """

    number: int
    positives: float
    achieved: float
    goal: str
    formulas: Mapping[str, int] = field(default_factory=dict)

    def __repr__(self) -> str:
        formulas = "".join(f"; {author}'s formula: {number:,}" for author, number in self.formulas.items())
        return (
            f"{number_of(self.number, 'example', ',')}, {self.positives:,.0f} of them positive, for {self.goal} "
            f"(simulated: {self.achieved:.3g}{formulas})"
        )


@advising("name what is assumed, as in plan(metric, prior=0.1, tpr=0.8, tnr=0.9, width=0.1)")
def plan(
    metric: object,
    *,
    prior: float,
    tpr: float,
    tnr: float,
    width: float | None = None,
    against: tuple[float, float] | None = None,
    power: float | None = None,
    agreement: float | tuple[float, float] = 0.0,
    level: float = 0.95,
    method: str = "auto",
    seed: int = 0,
) -> Plan:
    """Return the required number of examples at an assumed prior and assumed rates.

    Either for an interval that is no wider than *width* on average, or for a comparison with a second classifier of
    rates *against*, on the same examples, whose p-value is below one less the *level* with probability *power*: that of
    the exact permutation test, as :func:`compare` prints it.  Two classifiers that err on the same examples need fewer
    of them than two that err independently.

    :param metric: a metric, an expression over the cells, or the name of a metric of the library
    :param prior: the assumed share of positive examples
    :param tpr: the assumed rate of true positives
    :param tnr: the assumed rate of true negatives
    :param width: the distance between the ends of the interval
    :param against: the rates of true positives and of true negatives of the second classifier
    :param power: how probable it should be that the difference is found
    :param agreement: how far the two err on the same examples of a class: Cohen's kappa of their predictions there, one
        for both classes or one for the positives and one for the negatives; 0 if they err independently
    :param level: of the interval
    :param method: of the interval whose width is planned, as in :meth:`Metric.interval`
    :param seed: where the simulation starts
    :raises InputError: on rates outside (0, 1), unless exactly one of *width* and *against* with *power* is asked for,
        on an agreement that such rates do not allow, and where no number of examples is enough, or any

    >>> plan("recall", prior=0.1, tpr=0.8, tnr=0.9, width=0.1)
    2,427 examples, 243 of them positive, for a mean width of 0.1 (simulated: 0.0997)
    >>> plan("recall", prior=0.5, tpr=0.8, tnr=0.9, against=(0.95, 0.9), power=0.8)
    168 examples, 84 of them positive, for a power of 0.8 at a difference of 0.15 (simulated: 0.803; ...
    """
    asked = as_metric(metric)
    study = Study(prior, tpr, tnr, width, against, power, agreement, level, method, seed)
    positives, negatives = study.shares
    shares = np.concatenate([prior * positives, (1 - prior) * negatives])
    formula, question = Formula(asked.at_defaults(), range_of(asked)), study.question()
    goal = study.goal(formula, shares, asked.name)
    formulas = {} if power is None else sizes_of_mcnemar(formula, shares, float(power), level)

    def draw(number: int, tables: int) -> FloatArray:
        return np.random.default_rng(seed).multinomial(number, shares, size=tables).T.astype(float)

    number, reached = simulated(goal, draw, question)
    study.require_experiment(number, 1)
    return Plan(number, number * prior, reached, goal.words, formulas)


# ----------------------------------------------------------------------------------------------------------------------
# Optimal design: how many positives and negatives to label when each can be sampled separately.


_RATIOS: Final = (0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)
"""Ratios of positives to negatives that are tried beside the asymptotic optimum."""
_FACTORS: Final = (3.0, 1.8, 1.35, 1.15)
"""Factors by which the best ratio is then varied."""
_ROUGH_TABLES: Final = 2000
"""Number of tables simulated for the power at a ratio."""


@dataclass(frozen=True)
class Design:
    """The required number of examples of each class.

    :param positives: how many positive ones
    :param negatives: how many negative ones
    :param cost: of labelling them
    :param achieved: the mean width, or the power, of simulated tables with so many
    :param goal: the goal, in words
    """

    positives: int
    negatives: int
    cost: float
    achieved: float
    goal: str

    @property
    def number(self) -> int:
        """Total number of examples."""
        return self.positives + self.negatives

    def __repr__(self) -> str:
        return (
            f"{self.positives:,} positive and {self.negatives:,} negative examples, at a cost of {self.cost:,.6g}, for "
            f"{self.goal} (simulated: {self.achieved:.3g})"
        )


@advising("name what is assumed, as in plan_design(metric, prior=0.1, tpr=0.8, tnr=0.9, width=0.1)")
def plan_design(
    metric: object,
    *,
    prior: float,
    tpr: float,
    tnr: float,
    width: float | None = None,
    against: tuple[float, float] | None = None,
    power: float | None = None,
    agreement: float | tuple[float, float] = 0.0,
    cost: tuple[float, float] = (1.0, 1.0),
    level: float = 0.95,
    method: str = "auto",
    seed: int = 0,
) -> Design:
    """Return the cheapest numbers of positive and negative examples that reach the goal.

    The two classes are sampled by themselves, as in a case-control study, and the metric is that at the prior of the
    field, which is taken as known: ``metric.at_prior(prior)`` with ``sampling="binomial"`` is what the labelled
    examples are then to be evaluated by.  The ratio of the classes starts from that of Neyman's allocation (J. Neyman,
    Journal of the Royal Statistical Society 97, 1934; with costs W. Cochran, Sampling Techniques, 3rd ed. 1977, section
    5.5), where the variances are those of the tangent, and is varied around it; the numbers come from a simulation.

    :param metric: a metric, an expression over the cells, or the name of a metric of the library; one that depends on
        proportions alone
    :param prior: the share of positive examples in the field, not among those that are labelled
    :param cost: of labelling a positive example and a negative one
    :param tpr: see :func:`plan`, as for all other settings
    :raises InputError: as :func:`plan`, on costs that are not positive, and on a metric that depends on the number of
        examples

    >>> plan_design("precision", prior=0.01, tpr=0.8, tnr=0.98, width=0.1)
    246 positive and 3,441 negative examples, at a cost of 3,687, for a mean width of 0.1 (simulated: 0.0996)
    """
    asked = as_metric(metric)
    study = Study(prior, tpr, tnr, width, against, power, agreement, level, method, seed)
    _require_costs(cost)
    if not is_homogeneous(asked):
        raise InputError(
            f"{asked.name} is not known to depend on proportions alone, and has no value at a prior; use plan, for "
            "examples as they come"
        )
    expression, bounds = asked.at_prior(str(prior)).at_defaults(), range_of(asked)
    if not any(_classes(expression)):
        raise InputError(f"{asked.name} is known where the prior is, and no example has to be labelled for it")
    shares, question, formula = study.shares, study.question("binomial"), Formula(expression, bounds)
    goal = study.goal(formula, np.concatenate(shares), asked.name)
    estimator: Estimator = JointDifference(formula) if width is None else formula
    experiment = _Experiment(shares, goal, question, cost)
    found = experiment.at(_best_ratio(experiment, estimator, _classes(expression)))
    study.require_experiment(found.number, 2)
    return found


@dataclass(frozen=True)
class _Experiment:
    """An experiment that samples each class separately.

    :param shares: how those of each class fall
    :param cost: of an example of each class
    """

    shares: tuple[FloatArray, FloatArray]
    goal: Goal
    question: Question
    cost: tuple[float, float]

    def sizes(self, ratio: float, number: int) -> tuple[int, int]:
        """Split a number of examples into positives and negatives at a given ratio."""
        if ratio in (0.0, inf):
            return (0, number) if ratio == 0 else (number, 0)
        positives = min(max(round(number * ratio / (1 + ratio)), 1), number - 1)
        return positives, number - positives

    def at(self, ratio: float) -> Design:
        """Return the smallest design at a ratio of positives to negatives that reaches the goal."""

        def draw(number: int, tables: int) -> FloatArray:
            random = np.random.default_rng(self.question.seed)
            sizes = self.sizes(ratio, max(number, 2))
            drawn = [random.multinomial(size, of, size=tables).T for size, of in zip(sizes, self.shares, strict=True)]
            return np.concatenate(drawn).astype(float)

        number, reached = simulated(self.goal, draw, self.question)
        sizes = self.sizes(ratio, max(number, 2))
        cost = sum(size * each for size, each in zip(sizes, self.cost, strict=True))
        return Design(*sizes, float(cost), reached, self.goal.words)

    def cost_at(self, ratio: float) -> float:
        """Return the cost of the smallest design at a ratio that reaches the goal, infinite if there is none."""
        try:
            return self.at(ratio).cost
        except InputError:
            return inf


def _best_ratio(experiment: _Experiment, estimator: Estimator, used: tuple[bool, bool]) -> float:
    """Return the cheapest ratio of positives to negatives, by the delta method or an approximate test.

    :param used: whether the metric depends on the positives, and on the negatives
    """
    if not all(used):
        return inf if used[0] else 0.0
    entries = np.concatenate(experiment.shares)
    slopes = estimator.slopes(entries[:, None])[:, 0]
    by_class = zip(np.split(slopes, 2), experiment.shares, experiment.cost, strict=True)
    # Variance of the linearised value per example of a class, relative to the cost of an example.
    roots = [sqrt(max(float(slope**2 @ of - (slope @ of) ** 2), 0.0) / each) for slope, of, each in by_class]
    start = roots[0] / roots[1] if all(roots) else 1.0
    goal = replace(experiment.goal, tables=min(experiment.goal.tables, _ROUGH_TABLES))
    if (roughly := goal.roughly) is not None:
        goal = replace(goal, reached=lambda tables, _: roughly(tables), roughly=None)
    quick = replace(experiment, goal=goal, question=replace(experiment.question, method="delta"))
    costs: dict[float, float] = {}

    def cheapest(ratios: Iterable[float]) -> float:
        costs.update({ratio: quick.cost_at(ratio) for ratio in ratios if ratio not in costs})
        return min(costs, key=lambda ratio: costs[ratio])

    # Linearisation ignores kinks near the expected table, so the whole range is searched first.
    best = cheapest([start, *_RATIOS])
    for factor in _FACTORS:
        best = cheapest([best / factor, best * factor])
    # Smaller differences are within the simulation's error.
    return best if costs[best] < 0.98 * costs[start] else start


def _classes(expression: Expr) -> tuple[bool, bool]:
    """Whether a formula depends on the positive examples, and whether on the negative ones."""
    used = expression.free_symbols
    return bool(used & {TP, FN}), bool(used & {FP, TN})


def _require_costs(cost: object) -> None:
    if (
        not isinstance(cost, tuple | list)
        or len(cost) != 2
        or not all(isinstance(each, int | float | np.integer | np.floating) and 0 < each < inf for each in cost)
    ):
        raise InputError(
            f"cost={shown(cost)} are no costs; pass those of a positive and a negative example, such as (1, 1)"
        )
