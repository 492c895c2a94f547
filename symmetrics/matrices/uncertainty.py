"""Intervals for the values of matrix metrics, from all entries together."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from sympy import Add, Expr, Indexed, Pow, Sum

from symmetrics.data.counts import Cells, FloatArray
from symmetrics.language.cells import FN, TP
from symmetrics.matrices.nodes import MEANS, C, RelativeEntropy, i, k, over, r, s
from symmetrics.matrices.slopes import LessBias, WholeMatrix
from symmetrics.statistics.inner_ends import fitted_ends
from symmetrics.statistics.intervals import AT_END, Interval, Question, Used, result
from symmetrics.statistics.methods import interval, matrix_interval

_RIGHT: Final = over(C[i, i], i)
_ALL: Final = over(C[r, s], r, s)


def interval_at_matrices(
    whole: WholeMatrix,
    matrices: FloatArray,
    question: Question,
    name: str,
    names: Sequence[Hashable] | None = None,
) -> Interval:
    """Return an interval for a metric at matrices of counts, of shape (..., k, k), from all their entries.

    :param name: name of the metric in error messages
    :param names: of the classes, to say which of them a mean leaves out
    :raises InputError: on a method for proportions where the metric is none
    """
    proportion = _of_right_and_wrong(whole.definition)
    if proportion is not None and question.sampling == "multinomial":
        right = np.asarray(matrices.diagonal(axis1=-2, axis2=-1).sum(axis=-1))
        wrong = np.asarray((matrices * (1 - np.eye(whole.classes))).sum(axis=(-2, -1)))
        none = np.zeros_like(right)
        return interval(proportion, whole.range, Cells(right, wrong, none, none), question, name=name)
    has_bias = whole.definition.has(RelativeEntropy)
    if question.method == "auto" and whole.classes > 2:
        return _of_many(whole, LessBias(whole) if has_bias else whole, matrices, question, names)
    if question.method == "delta" and has_bias:
        return _reaching(matrix_interval(LessBias(whole), matrices, question, names), whole, matrices)
    return matrix_interval(whole, matrices, question, names)


def _of_many(
    whole: WholeMatrix,
    centre: WholeMatrix | LessBias,
    matrices: FloatArray,
    question: Question,
    names: Sequence[Hashable] | None,
) -> Interval:
    """Return the interval that "auto" chooses for three or more classes: the delta method where it is reliable.

    Where it is a point, as at independence, where the tangent is flat, it is that of the posterior; and it contains the
    ends of the range inside of the tables that the matrix fits.

    :param centre: the centre of the interval: the value, or the value minus its bias
    """
    found = _reaching(matrix_interval(centre, matrices, replace(question, method="delta"), names), whole, matrices)
    low, high, estimate = (np.atleast_1d(each).reshape(-1) for each in (found.low, found.high, found.estimate))
    stack = matrices.reshape(-1, whole.classes, whole.classes)
    flat = (high - low < AT_END) & question.has_enough_draws
    if flat.any():
        drawn = matrix_interval(whole, stack[flat], replace(question, method="bayes"))
        low[flat], high[flat] = drawn.low, drawn.high
    for side, value, fits in fitted_ends(whole, stack.reshape(-1, whole.classes**2).T, question):
        (low, high)[side][fits] = value
    used = Used.first_of([("bayes", flat, "the tangent is flat")], "delta", "there are more than two classes")
    of_all = result((low, high), estimate, matrices.shape[:-2], used, question)
    return replace(of_all, note=found.note, note_at=found.note_at)


def _reaching(found: Interval, whole: WholeMatrix, matrices: FloatArray) -> Interval:
    """Extend an interval to the plug-in value, if the bias-corrected one is its centre."""
    estimate = whole.values(np.moveaxis(matrices.reshape(*matrices.shape[:-2], whole.classes**2), -1, 0))
    ends = (np.fmin(found.low, estimate), np.fmax(found.high, estimate), estimate)
    low, high, value = (float(each) if np.ndim(each) == 0 else np.asarray(each) for each in ends)
    return replace(found, low=low, high=high, estimate=value)


def _of_right_and_wrong(definition: Expr) -> Expr | None:
    """Rewrite a definition in TP = correct and FN = wrong predictions, if it depends on these alone."""
    image = definition.xreplace({_RIGHT: TP, _ALL: Add(TP, FN)})
    by_cells = any(power.exp.free_symbols for power in image.atoms(Pow))
    return None if by_cells or image.has(Indexed, Sum, k, *MEANS) else image
