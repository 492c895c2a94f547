"""How sure the value of a metric of matrices is: its interval, from all entries together."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from sympy import Add, Expr, Indexed, Sum

from symmetrics.language.cells import FN, TP
from symmetrics.matrices.estimators import OccurringClasses, WholeMatrix
from symmetrics.matrices.nodes import MEANS, C, i, k, over, r, s
from symmetrics.numeric.counts import Cells, FloatArray
from symmetrics.numeric.intervals import Interval, Question, estimated, interval
from symmetrics.numeric.intervals.averages import matrix_groups
from symmetrics.numeric.intervals.designs import interval_of_sample
from symmetrics.numeric.intervals.samples import Drawn, Places, sample_of, table_of

__all__ = ["interval_at_examples", "interval_at_matrices"]

_RIGHT: Final = over(C[i, i], i)
_ALL: Final = over(C[r, s], r, s)


def interval_at_matrices(whole: WholeMatrix, matrices: FloatArray, question: Question, name: str) -> Interval:
    """Return the interval of a metric at matrices of counts, of shape (..., k, k), from all their entries.

    :param name: what an error calls the metric
    :raises InputError: on a method for proportions where the metric is none
    """
    proportion = _of_right_and_wrong(whole.definition)
    if proportion is not None and question.sampling == "multinomial":
        right = np.asarray(matrices.diagonal(axis1=-2, axis2=-1).sum(axis=-1))
        wrong = np.asarray((matrices * (1 - np.eye(whole.classes))).sum(axis=(-2, -1)))
        none = np.zeros_like(right)
        return interval(proportion, whole.range, Cells(right, wrong, none, none), question, name=name)
    flat = matrices.reshape(-1, whole.classes, whole.classes)
    of_many = question.method == "auto" and whole.classes > 2
    asked = replace(question, method="delta") if of_many else question
    return _in_patterns(whole, flat, asked, matrices.shape[:-2])


def interval_at_examples(whole: WholeMatrix, places: Places, drawn: Drawn, question: Question, name: str) -> Interval:
    """Return the interval of a metric from the entry of each example, and from how the examples were drawn."""
    k = whole.classes
    table = table_of(places, k**2).reshape(k, k)
    if drawn.is_plain:
        return interval_at_matrices(whole, table, question, name)
    present = np.flatnonzero((table.sum(axis=0) + table.sum(axis=1)) > 0)
    if len(present) in (1, k):
        return interval_of_sample(whole, sample_of(places, np.repeat(np.arange(k), k), drawn), question)
    part = OccurringClasses(whole, tuple(map(int, present)))
    position = np.zeros(k**2, dtype=np.intp)
    position[part.places] = np.arange(len(part.places))
    rows = np.repeat(np.arange(len(present)), len(present))
    return interval_of_sample(part, sample_of(position[places], rows, drawn), question)


def _of_right_and_wrong(definition: Expr) -> Expr | None:
    """Return a definition over the numbers of right predictions TP and wrong ones FN, if it is one over these alone."""
    image = definition.xreplace({_RIGHT: TP, _ALL: Add(TP, FN)})
    return None if image.has(Indexed, Sum, k, *MEANS) else image


def _in_patterns(whole: WholeMatrix, matrices: FloatArray, question: Question, shape: tuple[int, ...]) -> Interval:
    """Return the intervals, those of matrices in which the same classes occur together."""
    occurs = (matrices.sum(axis=1) + matrices.sum(axis=2)) > 0
    occurs[occurs.sum(axis=1) < 2] = True  # of a single class nothing is left to compare
    patterns, pattern_of = np.unique(occurs, axis=0, return_inverse=True)
    low, high, estimate = (np.empty(len(matrices)) for _ in range(3))
    method = question.method
    for number, pattern in enumerate(patterns):
        chosen, present = pattern_of.reshape(-1) == number, np.flatnonzero(pattern)
        estimator = whole if pattern.all() else OccurringClasses(whole, tuple(map(int, present)))
        tables = matrices[chosen][:, present[:, None], present].reshape(-1, present.size**2).T
        found = estimated(estimator, tables, matrix_groups(present.size, question.sampling), question)
        low[chosen], high[chosen], estimate[chosen] = found.low, found.high, found.estimate
        method = found.method  # of two classes both occur, or none is left out, so that there is one pattern
    ends = [float(v[0]) if not shape else v.reshape(shape) for v in (low, high, estimate)]
    return Interval(ends[0], ends[1], ends[2], method, question.level)
