"""The exact value of a metric at every state, as integer columns, from the metric's own definition."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm, prod

import numpy as np

from symmetrics.discrimination.classes import (
    Mask,
    Weights,
    class_table,
    exact_value,
    mean_of_complete,
    mean_of_defined,
    places_of,
    require_small,
    whole_weights,
)
from symmetrics.discrimination.columns import Fractions
from symmetrics.discrimination.states import IntArray, Sizes, States
from symmetrics.errors import InputError
from symmetrics.metric import Metric
from symmetrics.numeric.averaging import weighted_mean
from symmetrics.numeric.counts import FloatArray

__all__ = ["ClassMean", "ClassProduct", "Columns", "HarmonicOfMeans", "Measure", "Pooled", "SquaredCorrelation"]

Columns = list[IntArray]


@dataclass(frozen=True)
class Measure(ABC):
    """A multi-class metric that sees the diagonal and the column sums of a matrix, and nothing else.

    :param name: what the study calls it
    """

    name: str

    @abstractmethod
    def values(self, states: States, sizes: Sizes) -> tuple[Columns, Mask]:
        """Return columns that are the same for two states if and only if the metric is, and where it is undefined."""

    @abstractmethod
    def floats(self, states: States, sizes: Sizes) -> FloatArray:
        """Return what floating point makes of the metric at every state; nan where it is undefined."""


@dataclass(frozen=True)
class ClassMean(Measure):
    """The mean over the classes of a binary metric, each class against the rest.

    Classes on which the metric is undefined are left out, and the weights of the others renormalised.

    :param metric: a binary metric with rational values
    :param weights: of the classes; None for the same weight for all
    """

    metric: Metric = field(kw_only=True)
    weights: Weights | None = field(default=None, kw_only=True)

    def values(self, states: States, sizes: Sizes) -> tuple[Columns, Mask]:
        """Return the means, compared as fractions."""
        means, undefined = self.means(states, sizes)
        return means.columns, undefined

    def means(self, states: States, sizes: Sizes) -> tuple[Fractions, Mask]:
        """Return the means, and where there is none."""
        tables = [class_table(self.metric, sizes, place) for place in range(sizes.classes)]
        weights = whole_weights(self.weights, sizes)
        places = [places_of(states, sizes, place) for place in range(sizes.classes)]
        if all(table.is_complete for table in tables):
            return mean_of_complete(tables, weights, places), np.zeros(len(states.matrices), dtype=np.bool_)
        return mean_of_defined(tables, weights, places)

    def floats(self, states: States, sizes: Sizes) -> FloatArray:
        """Return the values in floating point."""
        weights = np.ones(sizes.classes) if self.weights is None else np.array(list(map(float, self.weights)))
        return weighted_mean(_of_classes(self.metric, states, sizes), weights)


@dataclass(frozen=True)
class ClassProduct(Measure):
    """The geometric mean over the classes of a binary metric that is nowhere negative, compared by its power.

    :param metric: a binary metric with rational values, defined for every class
    """

    metric: Metric = field(kw_only=True)

    def values(self, states: States, sizes: Sizes) -> tuple[Columns, Mask]:
        """Return the products."""
        tables = [class_table(self.metric, sizes, place) for place in range(sizes.classes)]
        if not all(table.is_complete for table in tables):
            raise InputError(f"{self.metric.name} is undefined for some classes, so that there is no product over them")
        commons = [lcm(*table.denominators.tolist()) for table in tables]
        require_small(prod(commons) * prod(table.largest for table in tables), self.name)
        total = np.ones(len(states.matrices), dtype=np.int64)
        for place, (table, common) in enumerate(zip(tables, commons, strict=True)):
            total *= (table.numerators * (common // table.denominators))[places_of(states, sizes, place)]
        return [total], np.zeros(len(total), dtype=np.bool_)

    def floats(self, states: States, sizes: Sizes) -> FloatArray:
        """Return the values in floating point."""
        return np.asarray(_of_classes(self.metric, states, sizes).prod(axis=1) ** (1 / sizes.classes))


@dataclass(frozen=True)
class Pooled(Measure):
    """A binary metric of the cells that are added up over the classes (micro-averaging).

    :param metric: a binary metric with rational values
    """

    metric: Metric = field(kw_only=True)

    def values(self, states: States, sizes: Sizes) -> tuple[Columns, Mask]:
        """Return the values, which depend on the number of correct predictions alone."""
        total, others = sizes.total, sizes.classes - 1
        found = [
            exact_value(self.metric, hits, total - hits, total - hits, others * total - (total - hits))
            for hits in range(total + 1)
        ]
        common = lcm(*(value.denominator for value in found if value is not None))
        table = np.array([0 if value is None else int(value * common) for value in found], dtype=np.int64)
        hits = states.correct.sum(axis=1)
        undefined = np.array([value is None for value in found])
        return [table[hits]], undefined[hits]

    def floats(self, states: States, sizes: Sizes) -> FloatArray:
        """Return the values in floating point."""
        hits = states.correct.sum(axis=1)
        wrong = sizes.total - hits
        return np.asarray(self.metric.from_counts(hits, wrong, wrong, (sizes.classes - 1) * sizes.total - wrong))


@dataclass(frozen=True)
class HarmonicOfMeans(Measure):
    """F of the mean precision P and the mean recall R: ``(1 + beta**2)*P*R/(beta**2*P + R)``.

    It is undefined, as it is printed, if P = R = 0.

    :param precision: the mean P
    :param recall: the mean R
    :param beta_squared: beta to the power of 2
    """

    precision: ClassMean = field(kw_only=True)
    recall: ClassMean = field(kw_only=True)
    beta_squared: Fraction = field(default=Fraction(1), kw_only=True)

    def values(self, states: States, sizes: Sizes) -> tuple[Columns, Mask]:
        """Return the values, compared as fractions."""
        means, undefined = self.precision.means(states, sizes)
        precision = means.in_lowest_terms()
        recall, without_recall = self.recall.means(states, sizes)
        top, bottom = self.beta_squared.numerator, self.beta_squared.denominator
        bound = 2 * (top + bottom) * precision.largest * recall.largest
        p, r = precision.within(bound), recall.within(bound)
        above = (top + bottom) * p.numerator * r.numerator
        below = top * p.numerator * r.denominator + bottom * r.numerator * p.denominator
        undefined = undefined | without_recall | (below == 0)
        return Fractions(above, np.where(undefined, 1, below)).columns, undefined

    def floats(self, states: States, sizes: Sizes) -> FloatArray:
        """Return the values in floating point."""
        precision, recall = (mean.floats(states, sizes) for mean in (self.precision, self.recall))
        beta = float(self.beta_squared)
        with np.errstate(invalid="ignore"):
            return np.asarray((1 + beta) * precision * recall / (beta * precision + recall))


@dataclass(frozen=True)
class SquaredCorrelation(Measure):
    """The correlation coefficient for k classes (Gorodkin 2004), compared by its square and its sign.

    Its square is ``X**2/(Y*Z)`` with X = n*trace - sum p*t, Y = n**2 - sum p**2 and Z = n**2 - sum t**2, which is the
    same for all matrices.  It is undefined, as it is printed, if all predictions are of one class; the limit 0 that
    :data:`symmetrics.multiclass` gives there is not taken, so that "undefined" tells such matrices apart from others.
    """

    def values(self, states: States, sizes: Sizes) -> tuple[Columns, Mask]:
        """Return numerator, with the sign, and denominator of X**2/Y in lowest terms."""
        total = sizes.total
        require_small(total**4, self.name)
        truth = np.array(sizes.counts, dtype=np.int64)
        above = total * states.correct.sum(axis=1) - states.predicted @ truth
        below = total**2 - (states.predicted**2).sum(axis=1)
        undefined = below == 0
        return Fractions(above * np.abs(above), np.where(undefined, 1, below)).columns, undefined

    def floats(self, states: States, sizes: Sizes) -> FloatArray:
        """Return the values in floating point."""
        truth, total = np.array(sizes.counts, dtype=np.float64), float(sizes.total)
        above = total * states.correct.sum(axis=1) - states.predicted @ truth
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(
                above / np.sqrt(total**2 - (states.predicted**2).sum(axis=1)) / np.sqrt(total**2 - truth @ truth)
            )


def _of_classes(metric: Metric, states: States, sizes: Sizes) -> FloatArray:
    truth = np.array(sizes.counts)
    missed, wrong = truth - states.correct, states.predicted - states.correct
    return np.asarray(metric.from_counts(states.correct, missed, wrong, sizes.total - truth - wrong))
