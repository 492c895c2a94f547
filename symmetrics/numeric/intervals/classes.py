"""Intervals from whole matrices of counts, of the classes that occur."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.intervals.asking import MIXED, estimated
from symmetrics.numeric.intervals.averages import MatrixEstimator, OccurringClasses, matrix_groups
from symmetrics.numeric.intervals.designs import interval_of_sample
from symmetrics.numeric.intervals.result import Interval, Question
from symmetrics.numeric.intervals.samples import Drawn, Places, sample_of, table_of

__all__ = ["matrix_interval", "matrix_interval_of_examples"]


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
        groups = matrix_groups(present.size, question.sampling)
        ends = np.empty((3, entries.shape[1]))
        for part, here in _by_defined(estimator, entries):
            found = estimated(part, entries[:, here], groups, question)
            ends[:, here] = found.low, found.high, found.estimate
            methods.add(found.method)
        low[chosen], high[chosen], estimate[chosen] = ends
    method = methods.pop() if len(methods) == 1 else MIXED if methods else question.method
    shaped = [float(v[0]) if not shape else v.reshape(shape) for v in (low, high, estimate)]
    return Interval(shaped[0], shaped[1], shaped[2], method, question.level)


def _by_defined(
    estimator: MatrixEstimator, entries: FloatArray
) -> Iterator[tuple[MatrixEstimator, slice | NDArray[np.bool_]]]:
    """Yield estimators and at which tables they leave out of a mean all classes that have no value there."""
    known = estimator.defined(entries)
    if known.all():
        yield estimator, slice(None)
        return
    patterns, pattern_of = np.unique(known, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        yield estimator.of_defined(pattern), pattern_of.reshape(-1) == number


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
        whole = whole.of_defined(whole.defined(table.reshape(-1, 1))[0])
        return interval_of_sample(whole, sample_of(places, np.repeat(np.arange(k), k), drawn), question)
    part = OccurringClasses(whole, tuple(map(int, present)))
    part = part.of_defined(part.defined(table[present[:, None], present].reshape(-1, 1))[0])
    position = np.zeros(k**2, dtype=np.intp)
    position[part.places] = np.arange(len(part.places))
    rows = np.repeat(np.arange(len(present)), len(present))
    return interval_of_sample(part, sample_of(position[places], rows, drawn), question)
