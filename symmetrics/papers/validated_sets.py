"""The cross-validations of a collection of imbalanced data sets, each of them one step that is kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import fsum
from typing import Any

import numpy as np

from symmetrics.curves import ImpliedCosts
from symmetrics.papers.comparison import Steps, computed
from symmetrics.papers.imbalanced import ImbalancedSet, digest, group_of, read_set
from symmetrics.papers.linear import (
    CRITERIA,
    PRINTED,
    Record,
    compare_classifiers,
    compare_treatments,
    gain_interval,
    outcome,
)
from symmetrics.papers.resampling import COSTS, FOLDS, POWERS, SEED


@dataclass(frozen=True)
class Validated:
    """What cross-validation found on a data set.

    :param source: where it is from, as :func:`symmetrics.papers.imbalanced.read_set` takes it
    :param examples, features: how many there are, nominal attributes counted by their binary columns
    :param records: the values by fold of each measure, by classifier or treatment, under one criterion
    """

    name: str
    source: str
    examples: int
    features: int
    percent_minority: float
    records: Mapping[str, Record]

    @property
    def group(self) -> str:
        """The group by imbalance."""
        return group_of(self.percent_minority)

    def values(self, key: str, measure: str) -> list[float]:
        """Return a measure of a classifier or treatment, fold by fold."""
        return self.records[key][measure]

    def mean(self, key: str, measure: str) -> float:
        """Return the mean over the folds."""
        return float(np.mean(self.values(key, measure)))

    def shown(self, key: str, measure: str) -> str:
        """Return the mean and the standard deviation over the folds, as tables print them."""
        return f"{self.mean(key, measure):.3f} ± {np.std(self.values(key, measure), ddof=1):.3f}"

    def gain(self, first: str, second: str, measure: str) -> float:
        """Return by how much the mean of the first is above that of the second."""
        # fsum does not depend on the order, so that the same values on other folds make no difference.
        return (fsum(self.values(first, measure)) - fsum(self.values(second, measure))) / FOLDS

    def shown_gain(self, first: str, second: str, measure: str) -> str:
        """Return the mean gain of the first over the second with its 95 % interval over the folds, as text."""
        pairs = zip(self.values(first, measure), self.values(second, measure), strict=True)
        return "{:+.3f} [{:+.3f}, {:+.3f}]".format(*gain_interval([a - b for a, b in pairs]))

    def outcome(self, first: str, second: str, measure: str) -> str:
        """Return whether the first wins against the second, ties or loses."""
        return outcome(self.values(first, measure), self.values(second, measure))

    def implied(self, key: str) -> ImpliedCosts:
        """Return the costs that AUC implies, averaged over the folds."""
        costs, weights = (np.concatenate(arrays) for arrays in zip(*self.records[key]["implied"], strict=True))
        order = np.argsort(costs, kind="stable")
        return ImpliedCosts(costs[order], weights[order] / len(self.records[key]["implied"]))

    @property
    def unconverged(self) -> int:
        """How many trainings on a whole training part ended before they converged."""
        return sum(not converged for record in self.records.values() for converged in record["converged"])


Collection = dict[str, tuple[Validated, ...]]
"""The results by the criterion that chose the hyperparameters."""


def _kept(
    steps: Steps,
    compare: Callable[[ImbalancedSet], Mapping[str, Mapping[str, Record]]],
    wanted: tuple[str, str, str] | tuple[str, str, str, float],
) -> dict[str, Validated]:
    """Return what a comparison finds on a data set, by criterion.

    :param wanted: what the step is called, the name and the source of the set, and the percentage of the minority to
        which it is thinned, if it is
    """
    key, name, source, *percent = wanted

    def compute() -> dict[str, Any]:
        data = read_set(name, source)
        for share in percent:
            data = thinned(data, share, np.random.default_rng(SEED))
        examples, features = data.features.shape
        known = {"examples": examples, "features": features, "percent_minority": data.percent_minority}
        return {**known, "records": compare(data)}

    slug = re.sub(r"[^a-z0-9]+", "_", name.lower())
    inputs = (name, source, *percent, digest(name, source), COSTS, POWERS, CRITERIA, SEED)
    found = steps.done(f"{key}_{slug}", compute, depends_on=inputs)
    records = found.pop("records")
    return {criterion: Validated(name, source, **found, records=records[criterion]) for criterion in CRITERIA}


def collected(label: str, wanted: Sequence[Any], kept: Callable[[Any], Mapping[str, Validated]]) -> Collection:
    """Return the results of all steps by criterion, and show how far they are."""
    found = computed(kept, wanted, f"thainghe2011, {label}")
    return {criterion: tuple(results[criterion] for results in found) for criterion in CRITERIA}


def validate_sets(steps: Steps, sets: Mapping[str, Sequence[str]]) -> Collection:
    """Return what both classifiers reach on every data set, the most imbalanced first.

    :param sets: their names, by source
    """
    wanted = [("classifiers", name, source) for source, names in sets.items() for name in names]
    found = collected("classifiers", wanted, partial(_kept, steps, compare_classifiers))
    return {
        criterion: tuple(sorted(results, key=lambda result: (result.percent_minority, result.name)))
        for criterion, results in found.items()
    }


def validate_treatments(steps: Steps, chosen: Sequence[Validated]) -> Collection:
    """Return what logistic regression reaches on some of the data sets under each treatment, in their order."""
    wanted = [("treatments", one.name, one.source) for one in chosen]
    return collected("treatments", wanted, partial(_kept, steps, compare_treatments))


def validate_thinned(steps: Steps, name: str, source: str, percents: Sequence[float]) -> Collection:
    """Return what :func:`validate_treatments` does, on one data set with fewer and fewer examples of the minority."""
    compare = partial(compare_treatments, treated=PRINTED)
    wanted = [(f"thinned_{100 * percent:.0f}", name, source, percent) for percent in percents]
    return collected("thinned", wanted, partial(_kept, steps, compare))


def thinned(data: ImbalancedSet, percent: float, generator: np.random.Generator) -> ImbalancedSet:
    """Return a data set with all examples of the majority, and as many of the minority as make up a percentage.

    :param percent: of minority examples, above 0, at most as it is

    >>> data = ImbalancedSet(np.zeros((20, 1)), np.arange(20) < 10)
    >>> thinned(data, 28.6, np.random.default_rng(0)).positive.sum()
    np.int64(4)
    """
    minority, majority = np.flatnonzero(data.positive), np.flatnonzero(~data.positive)
    wanted = round(majority.size * percent / (100 - percent))
    kept = np.sort(np.concatenate([generator.choice(minority, size=wanted, replace=False), majority]))
    return ImbalancedSet(data.features[kept], data.positive[kept])


def largest(results: Sequence[Validated], count: int, most_percent: float) -> tuple[Validated, ...]:
    """Return the data sets with the most examples among those with at most some percentage of minority examples.

    :param results: in the order in which the chosen ones are returned
    """
    imbalanced = [result for result in results if result.percent_minority <= most_percent]
    chosen = sorted(imbalanced, key=lambda result: -result.examples)[:count]
    return tuple(result for result in imbalanced if result in chosen)
