"""How many examples are needed: for an interval of some width, or to find out which of two classifiers is better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from symmetrics.library.selections import as_metric
from symmetrics.metric.uncertainty import range_of
from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.intervals.scales import Formula
from symmetrics.statistics.sample_sizes import Study, simulated, sizes_of_mcnemar
from symmetrics.tools.settings import advising
from symmetrics.tools.words import number_of


@dataclass(frozen=True)
class Plan:
    """How many examples to label.

    :param number: of examples
    :param positives: how many of them are expected to be positive
    :param achieved: the mean width, or the power, of simulated tables with so many examples
    :param goal: what was asked for, in words
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
    """Return how many examples are needed at an assumed prior and assumed rates.

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
