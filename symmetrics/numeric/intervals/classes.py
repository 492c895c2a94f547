"""Intervals from whole matrices of counts, of the classes that occur."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.intervals.asking import MIXED, estimated
from symmetrics.numeric.intervals.averages import matrix_groups, matrix_share
from symmetrics.numeric.intervals.designs import interval_of_sample
from symmetrics.numeric.intervals.estimators import Estimator
from symmetrics.numeric.intervals.result import Interval, Question
from symmetrics.numeric.intervals.samples import Drawn, Places, sample_of, table_of
from symmetrics.numeric.intervals.scales import Range

__all__ = ["MatrixEstimator", "OccurringClasses", "matrix_interval", "matrix_interval_of_examples"]


class MatrixEstimator(Estimator, Protocol):
    """A number computed from the k*k entries of a matrix, row by row."""

    @property
    def classes(self) -> int:
        """The number of classes k."""


@dataclass(frozen=True)
class OccurringClasses:
    """An estimator from the entries of those classes alone that occur, in truth or as predictions.

    Of a class that does not occur a matrix tells nothing: what is added to its entries, or drawn for them, would be a
    guess.  The value leaves it out of means, and so does its interval.

    :param whole: the estimator from the matrix of all classes
    :param present: the places of the classes that occur, two or more
    """

    whole: MatrixEstimator
    present: tuple[int, ...]

    @property
    def range(self) -> Range:
        """That of the whole."""
        return self.whole.range

    @property
    def share(self) -> float:
        """What part of what is added to a cell is added to each entry."""
        return matrix_share(len(self.present))

    @property
    def places(self) -> NDArray[np.intp]:
        """Where the entries stand in the whole."""
        rows = np.array(self.present)
        return np.asarray((rows[:, None] * self.whole.classes + rows).reshape(-1))

    def values(self, entries: FloatArray) -> FloatArray:
        """Return the values at tables of the classes that occur."""
        return self.whole.values(self._spread(entries))

    def slopes(self, entries: FloatArray) -> FloatArray:
        """Return the derivatives by the entries of the classes that occur."""
        return self.whole.slopes(self._spread(entries))[self.places]

    def _spread(self, entries: FloatArray) -> FloatArray:
        whole = np.zeros((self.whole.classes**2, *entries.shape[1:]))
        whole[self.places] = entries
        return whole


def matrix_interval(whole: MatrixEstimator, matrices: FloatArray, question: Question) -> Interval:
    """Return the interval of a value of matrices of counts, of shape (..., k, k).

    Matrices in which the same classes occur are taken together.

    :raises InputError: if the method is one for proportions
    """
    classes, shape = whole.classes, matrices.shape[:-2]
    flat = matrices.reshape(-1, classes, classes)
    low, high, estimate = (np.empty(len(flat)) for _ in range(3))
    methods = set()
    for present, chosen in _patterns(flat):
        estimator = whole if present.size == classes else OccurringClasses(whole, tuple(map(int, present)))
        tables = flat[chosen]
        if present.size < classes:
            tables = tables[:, present[:, None], present]
        entries = tables.reshape(-1, present.size**2).T
        found = estimated(estimator, entries, matrix_groups(present.size, question.sampling), question)
        low[chosen], high[chosen], estimate[chosen] = found.low, found.high, found.estimate
        methods.add(found.method)
    method = methods.pop() if len(methods) == 1 else MIXED if methods else question.method
    ends = [float(v[0]) if not shape else v.reshape(shape) for v in (low, high, estimate)]
    return Interval(ends[0], ends[1], ends[2], method, question.level)


def _patterns(matrices: FloatArray) -> Iterator[tuple[NDArray[np.intp], slice | NDArray[np.bool_]]]:
    """Yield the places of classes that occur together, and which matrices those are."""
    occurs = (matrices.sum(axis=1) + matrices.sum(axis=2)) > 0
    occurs[occurs.sum(axis=1) < 2] = True  # of a single class nothing is left to compare
    if bool(occurs.all()):
        yield np.arange(occurs.shape[1]), slice(None)
        return
    patterns, pattern_of = np.unique(occurs, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        yield np.flatnonzero(pattern), pattern_of.reshape(-1) == number


def matrix_interval_of_examples(whole: MatrixEstimator, places: Places, drawn: Drawn, question: Question) -> Interval:
    """Return the interval of a value from the entry of each example, drawn in groups or strata or with weights."""
    k = whole.classes
    table = table_of(places, k**2).reshape(k, k)
    present = np.flatnonzero((table.sum(axis=0) + table.sum(axis=1)) > 0)
    if len(present) in (1, k):
        return interval_of_sample(whole, sample_of(places, np.repeat(np.arange(k), k), drawn), question)
    part = OccurringClasses(whole, tuple(map(int, present)))
    position = np.zeros(k**2, dtype=np.intp)
    position[part.places] = np.arange(len(part.places))
    rows = np.repeat(np.arange(len(present)), len(present))
    return interval_of_sample(part, sample_of(position[places], rows, drawn), question)
