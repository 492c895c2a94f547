"""Intervals for the difference of two predictions: the score interval, and Newcombe's for paired proportions."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.intervals.asking import estimated
from symmetrics.numeric.intervals.estimators import Formula, Groups
from symmetrics.numeric.intervals.pairs import Difference, JointDifference
from symmetrics.numeric.intervals.proportions import wilson
from symmetrics.numeric.intervals.result import Ends, Interval, Question, put_around
from symmetrics.numeric.intervals.score import score
from symmetrics.numeric.intervals.shapes import Proportion, shape_of
from symmetrics.tools.errors import InputError

__all__ = ["LARGEST", "difference_interval"]

LARGEST: Final = 2000
"""Entries of a table beyond which the score interval takes too long."""


def difference_interval(difference: Difference, entries: FloatArray, groups: Groups, question: Question) -> Interval:
    """Return the interval of a difference, or ratio, at tables of shape (entries, ...).

    ``"auto"`` is the score interval, where there is one, and what it is for any formula elsewhere.

    :raises InputError: on a method for one proportion, and on Newcombe's for what is no difference of two paired ones
    """
    shape, flat = entries.shape[1:], np.ascontiguousarray(entries.reshape(len(entries), -1))
    if question.method == "newcombe":
        return _interval(difference, flat, newcombe(difference, flat, question.level), shape, question)
    if question.method not in ("auto", "score"):
        return estimated(difference, entries, groups, question)
    (low, high), known = score(difference, flat, groups, question.level)
    used = np.full(len(known), "score", dtype=object)
    if not known.all():
        other = estimated(difference, flat[:, ~known], groups, replace(question, method="auto"))
        low[~known], high[~known] = other.low, other.high
        used[~known] = other.method if other.method_at is None else other.method_at
    method = str(used[0]) if len({*used}) == 1 else "score, or as for a single table where the value has no slopes"
    found = _interval(difference, flat, (low, high), shape, replace(question, method="score"))
    few = "discordant examples" if isinstance(difference, JointDifference) else "examples"
    why = f"it holds with few {few}, too" if question.method == "auto" and method == "score" else ""
    return replace(found, method=method, method_at=used.reshape(shape) if shape else None, why=why)


def _interval(
    difference: Difference, entries: FloatArray, ends: Ends, shape: tuple[int, ...], question: Question
) -> Interval:
    estimates, (low, high) = difference.values(entries), ends
    put_around(estimates, low, high, difference.range)
    values = [float(v[0]) if not shape else v.reshape(shape) for v in (low, high, estimates)]
    return Interval(values[0], values[1], values[2], question.method, question.level)


def newcombe(difference: Difference, entries: FloatArray, level: float) -> Ends:
    """Return the ends of Newcombe's method 10 for the difference of two paired proportions.

    Wilson's intervals of both are put together with their correlation, in which a continuity correction makes a
    positive one smaller (R. Newcombe, Improved confidence intervals for the difference between binomial proportions
    based on paired data, Statistics in Medicine 17, 1998, method 10).

    :raises InputError: unless the difference is one
    """
    proportion, factor = _paired_proportion(difference)
    k = np.arange(8)
    of_both = {*proportion.successes, *proportion.failures}
    counts = np.isin(2 * (k // 4), list(of_both)) | np.isin(2 * (k // 4) + 1, list(of_both))
    first, second = (np.isin(2 * (k // 4) + bit, proportion.successes) for bit in (k // 2 % 2, k % 2))
    a, b, c, d = (
        entries[counts & one & other].sum(axis=0)
        for one, other in ((first, second), (first, ~second), (~first, second), (~first, ~second))
    )
    n = a + b + c + d
    ends = {}
    for name, right in (("first", a + b), ("second", a + c)):
        share = np.divide(right, n, out=np.zeros_like(n), where=n > 0)
        low, high = wilson(right, n - right, level)
        ends[name] = share, share - low, high - share
    (p1, below1, above1), (p2, below2, above2) = ends["first"], ends["second"]
    product, cross = (a + b) * (c + d) * (a + c) * (b + d), a * d - b * c
    corrected = np.where(cross > 0, np.maximum(cross - n / 2, 0.0), cross)
    phi = np.divide(corrected, np.sqrt(product), out=np.zeros_like(n), where=product > 0)
    estimate = p2 - p1
    low = estimate - np.sqrt(np.maximum(below2**2 - 2 * phi * below2 * above1 + above1**2, 0.0))
    high = estimate + np.sqrt(np.maximum(above2**2 - 2 * phi * above2 * below1 + below1**2, 0.0))
    return (factor * low, factor * high) if factor > 0 else (factor * high, factor * low)


def _paired_proportion(difference: Difference) -> tuple[Proportion, float]:
    """Return of which proportion this is the difference, among examples that are the same for both, times a factor.

    :raises InputError: if it is none
    """
    metric = difference.metric
    made_of = shape_of(metric.expression) if isinstance(metric, Formula) else None
    if isinstance(difference, JointDifference) and not difference.is_ratio and isinstance(made_of, Proportion):
        of_both = {*made_of.successes, *made_of.failures}
        slope = made_of.slope
        if slope is not None and all(len(of_both & row) != 1 for row in ({0, 1}, {2, 3})):
            return made_of, float(slope)
    raise InputError(
        "method='newcombe' is for the difference of a proportion whose examples are the same for both classifiers, as "
        "those of accuracy and recall; pass method='auto'"
    )
