"""How sure the value of a metric of matrices is: its interval, from all entries together."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from sympy import Add, Expr, Indexed, Pow, Sum

from symmetrics.language.cells import FN, TP
from symmetrics.matrices.estimators import LessBias, WholeMatrix
from symmetrics.matrices.nodes import MEANS, C, RelativeEntropy, i, k, over, r, s
from symmetrics.numeric.counts import Cells, FloatArray
from symmetrics.numeric.intervals import Interval, Question, interval
from symmetrics.numeric.intervals.classes import matrix_interval
from symmetrics.numeric.intervals.inner import reach_inner_ends
from symmetrics.numeric.intervals.result import Used
from symmetrics.numeric.intervals.scales import AT_END

__all__ = ["interval_at_matrices"]

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
    of_many = question.method == "auto" and whole.classes > 2
    asked = replace(question, method="delta") if of_many else question
    if asked.method == "delta" and whole.definition.has(RelativeEntropy):
        return _around_less_bias(whole, matrices, asked, or_drawn=of_many and question.has_enough_draws)
    return matrix_interval(whole, matrices, asked)


def _around_less_bias(whole: WholeMatrix, matrices: FloatArray, question: Question, *, or_drawn: bool) -> Interval:
    """Return the interval around the value less its bias, reaching as far as the value itself.

    :param or_drawn: take the posterior where that is no more than a point, as at independence, where the tangent is
        flat
    """
    found = matrix_interval(LessBias(whole), matrices, question)
    estimate = whole.values(np.moveaxis(matrices.reshape(*matrices.shape[:-2], whole.classes**2), -1, 0))
    low, high = np.fmin(found.low, estimate), np.fmax(found.high, estimate)
    method, at, flat = found.method, found.method_at, high - low < AT_END
    if or_drawn and flat.any():
        drawn = matrix_interval(whole, matrices[flat], replace(question, method="bayes"))
        low, high = np.array(low), np.array(high)
        low[flat], high[flat] = drawn.low, drawn.high
        method, at = Used.of_two("bayes", found.method, flat, "truth and prediction are independent")
    if or_drawn:
        low, high, value = (np.atleast_1d(each).astype(float) for each in (low, high, found.estimate))
        reach_inner_ends(whole, whole.classes**2, np.clip(value, *whole.range), low, high)
        low, high = low.reshape(np.shape(estimate)), high.reshape(np.shape(estimate))
    ends = [float(each) if np.ndim(each) == 0 else each for each in (low, high, estimate)]
    return Interval(ends[0], ends[1], ends[2], method, found.level, at if np.ndim(estimate) else None)


def _of_right_and_wrong(definition: Expr) -> Expr | None:
    """Return a definition over the numbers of right predictions TP and wrong ones FN, if it is one over these alone."""
    image = definition.xreplace({_RIGHT: TP, _ALL: Add(TP, FN)})
    by_cells = any(power.exp.free_symbols for power in image.atoms(Pow))
    return None if by_cells or image.has(Indexed, Sum, k, *MEANS) else image
