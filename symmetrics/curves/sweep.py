"""From labels and scores to the counts at every threshold, and to the upper convex hull of those points.

Everything here is counts, not rates: a point is (FP, TP), the number (or the weight) of examples of the other class
and of the positive class whose score is at least the threshold.  Without weights both are integers below 2**31, so
every cross product that decides about the hull is an exact int64.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.errors import InputError
from symmetrics.numeric.counts import FloatArray, as_weights, shown
from symmetrics.numeric.labels import conventional_positive, listed

__all__ = ["HullCounts", "ScoredLabels", "cumulative_counts", "hull_counts", "scored_labels", "upper_hull"]

IntegerArray = NDArray[np.intp]
BoolArray = NDArray[np.bool_]
Numbers = NDArray[Any]


@dataclass(frozen=True, eq=False)
class ScoredLabels:
    """Checked labels and scores of examples of two classes.

    :param positive: for each example, whether it is of the positive class (class 1)
    :param score: numbers that compare exactly as the scores given do, higher for more positive
    :param weight: the weight of each example, None where all count once
    """

    positive: BoolArray
    score: Numbers
    weight: FloatArray | None


class HullCounts(NamedTuple):
    """The vertices of the upper convex hull, from (0, 0) to all examples: int64, or float64 with weights."""

    fp: Numbers
    tp: Numbers


def scored_labels(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    pos_label: Hashable = 1,
    sample_weight: ArrayLike | None = None,
) -> ScoredLabels:
    """Check labels and scores.

    :param y_true: one label per example, two different ones
    :param y_score: one number per example, of any range: only the order matters, and equal scores are ties
    :param pos_label: the label of the positive class
    :param sample_weight: a non-negative weight per example; each class needs a positive one
    :raises InputError: on one class only, more than two labels, an absent *pos_label*, missing labels, scores that are
        missing, infinite or no numbers, and on lengths that differ

    >>> scored_labels(["no", "yes", "no"], [3, -1, 7], pos_label="yes").positive
    array([False,  True, False])
    >>> scored_labels([0, 1], [0.5, float("nan")])
    Traceback (most recent call last):
    symmetrics.errors.InputError: y_score[1] is nan; remove examples without a score, or give them a finite one
    """
    labels, score = _as_labels(y_true), _as_scores(y_score)
    if len(labels) != len(score):
        raise InputError(f"y_true has {len(labels)} labels and y_score {len(score)} scores; pass one score per example")
    positive = _is_positive(labels, pos_label)
    weight = None if sample_weight is None else as_weights(sample_weight, len(score), "sample_weight", "example")
    if weight is not None:
        for of_class, name in ((positive, "positive"), (~positive, "other")):
            if not weight[of_class].any():
                raise InputError(f"sample_weight is 0 on every example of the {name} class; give one a positive weight")
    return ScoredLabels(positive, score, weight)


def cumulative_counts(data: ScoredLabels) -> tuple[Numbers, Numbers, Numbers]:
    """Return (thresholds, FP, TP), one entry per distinct score from the highest down: what scores at least so much.

    >>> [part.tolist() for part in cumulative_counts(scored_labels([1, 0, 1, 0], [4, 2, 2, 1]))]
    [[4, 2, 1], [0, 1, 2], [1, 2, 2]]
    """
    order = np.argsort(data.score)[::-1]
    score, positive = data.score[order], data.positive[order]
    last = np.append(np.flatnonzero(score[1:] != score[:-1]), score.size - 1)
    if data.weight is None:
        tp = np.cumsum(positive, dtype=np.int64)[last]
        return score[last], last + 1 - tp, tp
    weight = data.weight[order]
    fp, tp = (np.cumsum(np.where(of_class, weight, 0.0))[last] for of_class in (~positive, positive))
    return score[last], fp, tp


def hull_counts(data: ScoredLabels) -> HullCounts:
    """Return the vertices of the upper convex hull of the ROC points, (0, 0) first.

    >>> hull_counts(scored_labels([1, 0, 1, 0, 0], [9, 5, 4, 4, 1]))
    HullCounts(fp=array([0, 0, 2, 3]), tp=array([0, 1, 2, 2]))
    """
    if data.weight is None:
        fp, tp = _corners(data)
    else:
        _, fp, tp = cumulative_counts(data)
        fp, tp = (np.concatenate(([0.0], counts)) for counts in (fp, tp))
    vertices = upper_hull(fp, tp)
    return HullCounts(fp[vertices], tp[vertices])


def upper_hull(x: Numbers, y: Numbers) -> IntegerArray:
    """Return the indices of the vertices of the upper convex hull of points; those on its edges do not count.

    Quickhull, all segments of a level at once.  The triangle over a segment is cut to less than a quarter of its area
    by every level, so n points with integer coordinates up to m take at most about log2(m) levels.  A hull of every
    √n-th point first removes nearly all others.

    :param x: coordinates that never fall
    :param y: coordinates that never fall, as many

    >>> upper_hull(np.array([0, 0, 1, 2, 2, 4]), np.array([0, 1, 1, 2, 3, 3]))
    array([0, 1, 4, 5])
    """
    last = len(x) - 1
    coarse = np.append(np.arange(0, last, math.isqrt(len(x))), last)
    vertices = coarse[_quickhull(x[coarse], y[coarse])]
    kept = _heights(x, y, vertices) > 0
    kept[vertices] = True
    candidates = np.flatnonzero(kept)
    return candidates[_quickhull(x[candidates], y[candidates])]


def _quickhull(x: Numbers, y: Numbers) -> IntegerArray:
    index = np.arange(len(x))
    is_vertex = np.zeros(len(x), dtype=np.bool_)
    is_vertex[[0, -1]] = True
    while True:
        vertices = np.flatnonzero(is_vertex)
        heights = _heights(x, y, vertices)
        above = heights > 0
        if not above.any():
            return index[is_vertex]
        highest = np.maximum.reduceat(heights, vertices[:-1])
        segment = np.repeat(np.arange(len(highest)), np.diff(vertices))
        tops = np.flatnonzero(above[:-1] & (heights[:-1] == highest[segment]))
        first = np.diff(segment[tops], prepend=-1) > 0
        is_vertex[tops[first]] = True
        kept = above | is_vertex
        x, y, index, is_vertex = x[kept], y[kept], index[kept], is_vertex[kept]


def _heights(x: Numbers, y: Numbers, vertices: IntegerArray) -> Numbers:
    """Return twice the area that each point spans with the segment of vertices that it is over; negative below it."""
    lengths = np.diff(vertices)
    starts, ends = vertices[:-1], vertices[1:]
    dx, dy = (np.repeat(part[ends] - part[starts], lengths) for part in (x, y))
    left, low = (np.repeat(part[starts], lengths) for part in (x, y))
    return np.append((y[:-1] - low) * dx - (x[:-1] - left) * dy, x.dtype.type(0))


def _corners(data: ScoredLabels) -> tuple[IntegerArray, IntegerArray]:
    """Return (FP, TP) at points that include every vertex of the hull, found without sorting the examples jointly.

    A vertex has an example of class 1 last above the threshold and one of class 0 first below it, so the distinct
    scores of the rarer class are enough.
    """
    zeros, ones = (np.sort(np.compress(of_class, data.score)) for of_class in (~data.positive, data.positive))
    if ones.size <= zeros.size:
        tp, fp = _counts_above(ones, zeros, reached=True)
    else:
        fp, tp = _counts_above(zeros, ones, reached=False)
    return fp, tp


def _counts_above(rarer: Numbers, other: Numbers, *, reached: bool) -> tuple[IntegerArray, IntegerArray]:
    """Return how many of two sorted arrays lie above each value of the first, or reach it, the highest value first."""
    starts = np.append(0, np.flatnonzero(rarer[1:] != rarer[:-1]) + 1)
    below_other = np.searchsorted(other, rarer[starts], side="left" if reached else "right")  # faster when ascending
    below = starts if reached else np.append(starts[1:], rarer.size)
    own, others = (
        np.concatenate(([0], (part.size - under)[::-1], [part.size]))
        for part, under in ((rarer, below), (other, below_other))
    )
    return own, others


def _as_labels(values: Iterable[Hashable]) -> Numbers:
    labels = _as_vector(values, "y_true", "label")
    if labels.dtype.kind not in "biuf" and not hasattr(values, "__array__"):
        entries = list(values)  # what NumPy makes of mixed labels is not what was passed: 1 turns into "1"
        labels = np.empty(len(entries), dtype=object)
        labels[:] = entries
    missing = labels != labels
    if np.shape(missing) == labels.shape and missing.any():
        raise InputError(f"y_true[{int(np.argmax(missing))}] is missing; fill or remove missing labels first")
    return labels


def _as_scores(values: ArrayLike) -> Numbers:
    """Return scores as numbers that compare as they do; exact types that NumPy has not got turn into ranks."""
    score = _as_vector(values, "y_score", "score")
    if score.dtype.kind not in "biufO":
        raise InputError(f"y_score has the type {score.dtype}: a score is a real number; pass integers or floats")
    if score.dtype.kind == "O":
        return _ranks(score)
    if score.dtype.kind == "f":
        finite = np.isfinite(score)
        if not finite.all():
            _refuse_score(int(np.argmin(finite)), score)
    return score.astype(np.uint8) if score.dtype.kind == "b" else score


def _ranks(score: NDArray[np.object_]) -> IntegerArray:
    for index, value in enumerate(score):
        try:
            usable = math.isfinite(value)
        except OverflowError:
            usable = True  # a whole number beyond float64 is finite
        except (TypeError, ValueError):
            usable = False
        if not usable:
            _refuse_score(index, score)
    try:
        return np.unique(score, return_inverse=True)[1]
    except TypeError:
        raise InputError("y_score mixes types of numbers that do not compare; pass one type, such as float") from None


def _refuse_score(index: int, score: Numbers) -> None:
    raise InputError(
        f"y_score[{index}] is {shown(score[index])}; remove examples without a score, or give them a finite one"
    )


def _as_vector(values: Any, name: str, unit: str) -> Numbers:
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        index = int(np.argmax(np.ma.getmaskarray(values)))
        raise InputError(f"{name}[{index}] is masked; fill or remove masked entries first")
    try:
        vector = np.asarray(values if hasattr(values, "__array__") else list(values))
    except (TypeError, ValueError):
        raise InputError(f"{name} is {shown(values)}; pass a list, an array or a Series, one {unit} each") from None
    if isinstance(values, str | bytes) or vector.ndim != 1:
        raise InputError(f"{name} has shape {vector.shape}; pass one dimension, one {unit} per example")
    if vector.size == 0:
        raise InputError(f"{name} is empty; pass one {unit} per example")
    return vector


def _is_positive(labels: Numbers, pos_label: Hashable) -> BoolArray:
    positive = np.asarray(labels == pos_label, dtype=np.bool_)
    if positive.shape == labels.shape and 0 < (count := np.count_nonzero(positive)) < labels.size:
        other = labels[int(np.argmin(positive))]
        if count + np.count_nonzero(labels == other) == labels.size:
            return positive
    found = list(dict.fromkeys(labels.tolist()))
    if len(found) == 1:
        raise InputError(f"y_true holds one class only, {shown(found[0])}; pass examples of both classes")
    if len(found) > 2:
        raise InputError(
            f"y_true holds {len(found)} labels ({listed(found)}) and this takes two; "
            f"compare with one label first, as in y_true == {shown(found[-1])}"
        )
    by_convention = conventional_positive(found)
    advice = " or ".join(f"pos_label={shown(one)}" for one in (found if by_convention is None else [by_convention]))
    raise InputError(f"pos_label={shown(pos_label)} is not among the labels {listed(found)}; pass {advice}")
