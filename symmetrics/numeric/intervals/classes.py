"""Intervals from whole matrices of counts, of the classes that occur."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from symmetrics.numeric.counts import FloatArray, shown
from symmetrics.numeric.intervals.asking import estimated
from symmetrics.numeric.intervals.averages import MatrixEstimator, OccurringClasses, matrix_groups
from symmetrics.numeric.intervals.choosing import MIXED
from symmetrics.numeric.intervals.designs import interval_of_sample
from symmetrics.numeric.intervals.result import Interval, Question, Used, result
from symmetrics.numeric.intervals.samples import Drawn, Places, sample_of, table_of
from symmetrics.tools.words import number_of

__all__ = ["left_out", "matrix_interval", "matrix_interval_of_examples"]


def matrix_interval(
    whole: MatrixEstimator, matrices: FloatArray, question: Question, names: Sequence[Hashable] | None = None
) -> Interval:
    """Return the interval of a value of matrices of counts, of shape (..., k, k).

    Matrices in which the same classes occur are taken together.

    :param names: of the classes, to say which of them a mean leaves out
    :raises InputError: if the method is one for proportions
    """
    classes, shape = whole.classes, matrices.shape[:-2]
    flat = matrices.reshape(-1, classes, classes)
    low, high, estimate = (np.empty(len(flat)) for _ in range(3))
    words: dict[str, str] = {}
    at = np.full(len(flat), "", dtype=object)
    for present, chosen in _patterns(flat):
        estimator = whole if present.size == classes else OccurringClasses(whole, tuple(map(int, present)))
        tables = flat[chosen]
        if present.size < classes:
            tables = tables[:, present[:, None], present]
        entries = tables.reshape(-1, present.size**2).T
        groups = matrix_groups(present.size, question.sampling)
        ends, used = np.empty((3, entries.shape[1])), np.full(entries.shape[1], "", dtype=object)
        for part, here in _by_defined(estimator, entries):
            found = estimated(part, entries[:, here], groups, question)
            ends[:, here] = found.low, found.high, found.estimate
            used[here] = found.method if found.method_at is None else found.method_at
            words.setdefault(found.method, found.why)
        at[chosen] = used
        low[chosen], high[chosen], estimate[chosen] = ends
    method = next(iter(words)) if len(words) == 1 else MIXED if words else question.method
    why = "; ".join(filter(None, words.values()))
    return result((low, high), estimate, shape, Used(method, at, why), question, left_out(whole, flat, names))


def left_out(
    whole: MatrixEstimator, matrices: FloatArray, names: Sequence[Hashable] | None = None
) -> NDArray[np.object_]:
    """Return which classes a mean leaves out at each of some matrices, in words; empty where none.

    >>> from symmetrics.language.cells import FN, TP
    >>> from symmetrics.numeric.intervals.averages import ClassAverage
    >>> from symmetrics.numeric.intervals.estimators import Formula
    >>> from symmetrics.numeric.intervals.scales import Range
    >>> recall = ClassAverage(Formula(TP / (TP + FN), Range(0.0, 1.0)), 3)
    >>> matrices = np.array([[[3.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.0]]])
    >>> left_out(recall, matrices, ["cat", "dog", "owl"]).tolist()
    ["mean over 2 of 3 classes: 'owl' does not occur"]
    """
    out = whole.left_out(matrices.reshape(-1, whole.classes**2).T)
    occurs = (matrices.sum(axis=1) + matrices.sum(axis=2)) > 0
    called = [f"class {place}" for place in range(whole.classes)] if names is None else [shown(name) for name in names]
    notes = np.full(len(matrices), "", dtype=object)
    for place in np.flatnonzero(out.any(axis=1)):
        told = []
        for chosen, one, several in (
            (out[place] & ~occurs[place], "does not occur", "do not occur"),
            (out[place] & occurs[place], "has no value", "have no value"),
        ):
            if which := [called[number] for number in np.flatnonzero(chosen)]:
                told.append(f"{' and '.join(which)} {one if len(which) == 1 else several}")
        left = whole.classes - int(out[place].sum())
        notes[place] = f"mean over {left} of {number_of(whole.classes, 'class')}: {', '.join(told)}"
    return notes


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


def matrix_interval_of_examples(
    whole: MatrixEstimator,
    places: Places,
    drawn: Drawn,
    question: Question,
    names: Sequence[Hashable] | None = None,
) -> Interval:
    """Return the interval of a value from the entry of each example, drawn in groups or strata or with weights."""
    k = whole.classes
    table = table_of(places, k**2).reshape(k, k)
    (note,) = left_out(whole, table[None], names)
    present = np.flatnonzero((table.sum(axis=0) + table.sum(axis=1)) > 0)
    if len(present) in (1, k):
        whole = whole.of_defined(whole.defined(table.reshape(-1, 1))[0])
        found = interval_of_sample(whole, sample_of(places, np.repeat(np.arange(k), k), drawn), question)
        return replace(found, note=note)
    part = OccurringClasses(whole, tuple(map(int, present)))
    part = part.of_defined(part.defined(table[present[:, None], present].reshape(-1, 1))[0])
    position = np.zeros(k**2, dtype=np.intp)
    position[part.places] = np.arange(len(part.places))
    rows = np.repeat(np.arange(len(present)), len(present))
    return replace(interval_of_sample(part, sample_of(position[places], rows, drawn), question), note=note)
