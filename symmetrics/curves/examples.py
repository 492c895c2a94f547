"""Examples with scores, as arrays: checked once, here, so that nothing behind this module meets an unusable one."""

from __future__ import annotations

import operator
from collections.abc import Hashable, Iterable, Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.errors import InputError
from symmetrics.numeric.counts import FloatArray, as_weights, shown
from symmetrics.numeric.labels import conventional_positive, listed

__all__ = ["BoolArray", "Examples", "Labels", "as_labels", "as_score_array", "as_scores", "is_share", "read_examples"]

BoolArray = NDArray[np.bool_]
Labels = NDArray[np.generic] | list[Hashable]

_EXACT: Final = 2**53
"""Up to here float64 holds every whole number."""


class Examples(NamedTuple):
    """Examples of two classes: which are positive, how high each is scored, and what it weighs (None: 1 each)."""

    positive: BoolArray
    score: FloatArray
    weight: FloatArray | None


def read_examples(
    y_true: Iterable[Hashable], y_score: ArrayLike, pos_label: Hashable, sample_weight: ArrayLike | None
) -> Examples:
    """Return the examples that count, those of weight 0 left out.

    :raises InputError: on labels that are not two or that are missing, on scores that are not finite real numbers, on
        inputs of different lengths, on unusable weights, and unless both classes weigh something

    >>> read_examples(["yes", "no"], [0.5, 0.25], "yes", None).positive.tolist()
    [True, False]
    """
    labels = as_labels(y_true, "y_true")
    score = as_scores(y_score, "y_score")
    if len(labels) != score.size:
        raise InputError(f"y_true has {len(labels)} labels and y_score {score.size}; pass one score per example")
    positive = _positive(labels, pos_label)
    if sample_weight is None:
        return Examples(positive, score, None)
    weight = as_weights(sample_weight, score.size, "sample_weight", "example")
    if not weight.all():
        kept = weight > 0
        positive, score, weight = positive[kept], score[kept], weight[kept]
    if bool(positive.all()) or not bool(positive.any()):
        weightless = "negative" if bool(positive.all()) else "positive"
        raise InputError(f"sample_weight is 0 on every {weightless} example; give one of each class a positive weight")
    with np.errstate(over="ignore"):
        total = weight.sum()
    if not total < np.inf:
        raise InputError("sample_weight adds up to more than float64 holds; divide every weight by the largest")
    return Examples(positive, score, weight)


def as_labels(values: Iterable[Hashable], name: str) -> Labels:
    """Return labels as an array of numbers where they come as one, else as a list of hashable objects; never empty.

    :raises InputError: on labels that are missing or cannot be hashed, that are not in one dimension, or none at all
    """
    if getattr(values, "ndim", 1) != 1:
        raise InputError(f"{name} has shape {getattr(values, 'shape', '?')}; pass one dimension, one label per example")
    if isinstance(values, str | bytes | Mapping | set | frozenset) or not isinstance(values, Iterable):
        raise InputError(f"{name} is {shown(values)}; pass a list, an array or a Series with one label per example")
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise InputError(_missing(name, int(np.argmax(np.ma.getmaskarray(values)))))
    labels = _unpacked(values)
    if len(labels) == 0:
        raise InputError(f"{name} is empty; pass one label per example")
    if isinstance(labels, list):
        for index, label in _first_places(labels, name).items():
            if _is_missing(label):
                raise InputError(_missing(name, index))
    elif labels.dtype.kind == "f" and bool(np.isnan(labels).any()):
        raise InputError(_missing(name, int(np.argmax(np.isnan(labels)))))
    return labels


def as_scores(values: ArrayLike, name: str) -> FloatArray:
    """Return scores as a float64 array, one per example.

    Infinite scores can be ordered, but they come from a logarithm of 0 or an overflow, where what they tie with is an
    accident; they are refused, like missing ones.

    :raises InputError: on scores that are not finite real numbers, that float64 cannot hold, or not in one dimension
    """
    scores = as_score_array(values, name)
    if scores.ndim == 2:
        raise InputError(f"{name} has shape {scores.shape}; pass one column, as in {name}[:, 1], the positive class's")
    if scores.ndim != 1:
        raise InputError(f"{name} has shape {scores.shape}; pass one dimension, one score per example")
    return scores


def as_score_array(values: ArrayLike, name: str) -> FloatArray:
    """Return scores as a float64 array of whatever shape.

    :raises InputError: as :func:`as_scores`, but for the dimensions
    """
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        entry = _entry(name, np.argwhere(np.ma.getmaskarray(values))[0])
        raise InputError(f"{entry} is masked; fill or remove examples without a score first")
    try:
        raw = np.asarray(values)
        scores = raw.astype(np.float64) if raw.dtype.kind in "biufO" else None
    except (TypeError, ValueError, OverflowError):
        scores = None
    if scores is None:
        raise InputError(f"{name}={shown(values)} does not hold scores; pass one real number per example")
    if not bool(np.isfinite(scores).all()):
        index = np.argwhere(~np.isfinite(scores))[0]
        reason = "missing" if np.isnan(scores[tuple(index)]) else "infinite"
        raise InputError(f"{_entry(name, index)} is {reason}; pass finite scores, or leave the example out")
    if raw.dtype.kind in "iu" and raw.dtype.itemsize > 4 and raw.size and _magnitude(raw) > _EXACT:
        raise InputError(f"{name} holds integers beyond 2**53, where float64 merges neighbours; pass their ranks")
    return scores


def is_share(value: object) -> bool:
    """Return whether a value is a number from 0 to 1.

    >>> is_share(1), is_share(float("nan")), is_share("1")
    (True, False, False)
    """
    return isinstance(value, int | float | np.number) and bool(0 <= value <= 1)


def _magnitude(integers: NDArray[np.generic]) -> int:
    return max(-int(integers.min()), int(integers.max()))


def _positive(labels: Labels, pos_label: Hashable) -> BoolArray:
    """Return which labels are the positive one, having checked that there are two."""
    found = _distinct(labels)
    if len(found) > 2:
        advice = f"compare with one of them first, as in y_true == {shown(found[0])}, or use one_vs_rest_curves"
        raise InputError(f"y_true holds more than two labels ({listed(found)}); {advice}")
    if len(found) == 1:
        raise InputError(f"y_true holds one class, {shown(found[0])}; a curve takes examples of both classes")
    if pos_label not in found:
        by_convention = conventional_positive(found)
        choices = found if by_convention is None else [by_convention]
        advice = " or ".join(f"pos_label={shown(label)}" for label in choices)
        raise InputError(f"pos_label={shown(pos_label)} is not among the labels {listed(found)}; pass {advice}")
    if isinstance(labels, list):
        return np.fromiter((label == pos_label for label in labels), dtype=np.bool_, count=len(labels))
    return np.asarray(labels == found[found.index(pos_label)])


def _distinct(labels: Labels) -> list[Hashable]:
    """Return the distinct labels; of an array that holds more than two, three of them."""
    if isinstance(labels, list):
        return _sorted_if_possible(dict.fromkeys(labels))
    ends = [labels.min(), labels.max()]
    between = (labels != ends[0]) & (labels != ends[1])
    if bool(between.any()):
        ends.insert(1, labels[int(np.argmax(between))])
    return [label.item() for label in dict.fromkeys(ends)]


def _sorted_if_possible(labels: Iterable[Hashable]) -> list[Hashable]:
    try:
        return sorted(labels)  # type: ignore[type-var]  # whether they compare is found out here
    except TypeError:
        return list(labels)


def _unpacked(values: Iterable[Hashable]) -> Labels:
    if not hasattr(values, "__array__"):
        return list(values)
    array = np.asarray(values)
    if array.dtype.kind in "biuf":
        return array
    objects: list[Hashable] = array.tolist() if array.dtype.kind in "OUS" else list(array)
    return objects


def _first_places(labels: list[Hashable], name: str) -> dict[int, Hashable]:
    """Return the distinct labels by the index at which each stands first."""
    first: dict[Hashable, int] = {}
    for index, label in enumerate(labels):
        try:
            first.setdefault(label, index)
        except TypeError:
            raise InputError(
                f"{name}[{index}] is {shown(label)}, not one label; pass a single label per example"
            ) from None
    return {index: label for label, index in first.items()}


def _is_missing(label: object) -> bool:
    """Return whether a label is None, NaN, NaT or pandas' NA."""
    try:
        return label is None or not bool(operator.eq(label, label))
    except TypeError:
        return True


def _missing(name: str, index: int) -> str:
    return f"{name}[{index}] is missing; fill or remove missing labels first"


def _entry(name: str, index: Iterable[np.intp]) -> str:
    """Return the name of one entry, such as ``y_score[3]``."""
    places = ", ".join(map(str, index))
    return f"{name}[{places}]" if places else name
