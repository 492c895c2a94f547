"""Examples with scores, as arrays: checked once, here, so that nothing behind this module meets an unusable one."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Mapping
from decimal import Decimal
from numbers import Real
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.numeric.counts import FloatArray, as_weights, shown
from symmetrics.numeric.encoding import is_hashable
from symmetrics.numeric.foreign import as_array, is_foreign
from symmetrics.numeric.labels import conventional_positive, listed
from symmetrics.tools.errors import InputError
from symmetrics.tools.frames import is_missing
from symmetrics.tools.words import number_of

__all__ = [
    "BoolArray",
    "Examples",
    "Labels",
    "as_labels",
    "as_sample_weight",
    "as_score_array",
    "read_examples",
    "those_that_count",
]

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
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    pos_label: Hashable,
    sample_weight: ArrayLike | None,
    *,
    negatives: bool = True,
) -> Examples:
    """Return the examples that count, those of weight 0 left out.

    :param negatives: whether negative examples are needed, as a false positive rate needs them; positive ones always
        are
    :raises InputError: on labels that are more than two or that are missing, on scores that are not finite real
        numbers, on inputs of different lengths, on unusable weights, and unless the classes that are needed have
        examples

    >>> read_examples(["yes", "no"], [0.5, 0.25], "yes", None).positive.tolist()
    [True, False]
    >>> read_examples(["yes", "no"], [0.5, 0.25], "yes", [1, 0], negatives=False).positive.tolist()
    [True]
    """
    labels, score = as_labels(y_true, "y_true"), as_score_array(y_score, "y_score")
    if score.ndim == 2:
        raise InputError(f"y_score has shape {score.shape}; pass one column, as in y_score[:, 1], the positive class's")
    if score.ndim != 1:
        raise InputError(f"y_score has shape {score.shape}; pass one dimension, one score per example")
    if len(labels) != score.size:
        raise InputError(
            f"y_true has {number_of(len(labels), 'label')} and y_score {score.size}; pass one score per example"
        )
    every = score.size
    weight = None if sample_weight is None else as_sample_weight(sample_weight, every)
    weight, labels, score = those_that_count(weight, labels, score)
    name = "y_true" if score.size == every else "y_true, without the examples of weight 0,"
    return Examples(_positive(labels, name, pos_label, negatives), score, weight)


def those_that_count(weight: FloatArray | None, *columns: Any) -> tuple[Any, ...]:
    """Return weights and columns without the examples of weight 0, which are as if they had been left out.

    >>> those_that_count(np.array([0.0, 2.0]), ["a", "b"], np.array([5, 6]))
    (array([2.]), ['b'], array([6]))
    """
    if weight is None or bool(weight.all()):
        return weight, *columns
    kept = weight > 0
    chosen = (
        column[kept] if isinstance(column, np.ndarray) else list(itertools.compress(column, kept)) for column in columns
    )
    return weight[kept], *chosen


def as_sample_weight(given: ArrayLike, length: int) -> FloatArray:
    """Return weights of examples as a float64 array.

    :raises InputError: unless they are *length* many, finite, not negative and not all 0, with a finite sum
    """
    weight = as_weights(given, length, "sample_weight", "example")
    with np.errstate(over="ignore"):
        total = weight.sum()
    if not total < np.inf:
        raise InputError("sample_weight adds up to more than float64 holds; divide every weight by the largest")
    return weight


def as_labels(values: Iterable[Hashable], name: str) -> Labels:
    """Return labels as an array of numbers or texts where they come as one, else as a list of objects; never empty.

    :raises InputError: on labels that are missing or cannot be hashed, that are not in one dimension, or none at all
    """
    if getattr(values, "ndim", 1) != 1:
        raise InputError(f"{name} has shape {getattr(values, 'shape', '?')}; pass one dimension, one label per example")
    _check_container(values, name, "label")
    try:
        labels = _unpacked(values, name)
    except InputError:
        raise
    except Exception:  # what stands behind __array__ and __iter__ is code of others
        raise InputError(f"{name} is {shown(values)}; pass one label per example") from None
    if len(labels) == 0:
        raise InputError(f"{name} is empty; pass one label per example")
    if isinstance(labels, list):
        _check_objects(labels, name)
    elif labels.dtype.kind == "f" and bool(np.isnan(labels).any()):
        raise InputError(_missing(name, [np.argmax(np.isnan(labels))]))
    return labels


def as_score_array(values: ArrayLike, name: str) -> FloatArray:
    """Return scores as a float64 array of whatever shape, in which those are equal that were.

    Infinite scores can be ordered, but they come from a logarithm of 0 or an overflow, where what they tie with is an
    accident; they are refused, like missing ones.

    :raises InputError: on scores that are not finite real numbers, and where float64 would merge different ones
    """
    _check_container(values, name, "score")
    try:
        # What cannot be iterated over is refused below.
        raw = as_array(values if hasattr(values, "__array__") or is_foreign(values) else list(values), name)  # type: ignore[arg-type]
    except InputError:
        raise
    except Exception:  # what stands behind __array__ and __iter__ is code of others
        raise InputError(f"{name} is {shown(values)}; pass one real number per example") from None
    if raw.dtype.kind not in "biufO":
        raise InputError(f"{name} has the type {raw.dtype}: a score is a real number; pass integers or floats")
    if raw.dtype.kind == "O":
        _refuse_other_objects(raw, name)
    try:
        with np.errstate(over="ignore"):
            scores = raw.astype(np.float64, copy=False)
    except OverflowError:
        raise InputError(_merged(name)) from None
    finite = np.isfinite(scores)
    if not finite.all():
        index = np.argwhere(~finite)[0]
        if np.isnan(scores[tuple(index)]):
            raise InputError(_missing(name, index))
        raise InputError(f"{_entry(name, index)} is infinite in float64; pass finite scores, or leave the example out")
    if not _is_exact(raw) and len(set(raw.ravel().tolist())) > np.unique(scores).size:
        raise InputError(_merged(name))
    return scores


def _check_container(values: object, name: str, unit: str) -> None:
    """Refuse what does not hold one value per example: a text, a set, a mapping, a single value, masked entries."""
    if isinstance(values, str | bytes | Mapping | set | frozenset) or not isinstance(values, Iterable):
        raise InputError(f"{name} is {shown(values)}; pass a list, an array or a Series with one {unit} per example")
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise InputError(_missing(name, np.argwhere(np.ma.getmaskarray(values))[0]))


def _refuse_other_objects(raw: NDArray[np.generic], name: str) -> None:
    """Refuse what is no real number in an array of objects; None becomes nan later on."""
    items = raw.ravel().tolist()
    if all(issubclass(kind, Real | Decimal) for kind in set(map(type, items))):
        return
    place = next(place for place, item in enumerate(items) if not isinstance(item, Real | Decimal))
    index = np.unravel_index(place, raw.shape)
    if is_missing(items[place]):
        raise InputError(_missing(name, index))
    entry = _entry(name, index)
    raise InputError(f"{entry} is {shown(items[place])}: a score is a real number; pass integers or floats")


def _is_exact(raw: NDArray[np.generic]) -> bool:
    """Return whether float64 holds all numbers of an array, as far as its type and its range tell."""
    if raw.dtype.kind in "iu" and raw.dtype.itemsize > 4 and raw.size:
        return max(-int(raw.min()), int(raw.max())) <= _EXACT
    return raw.dtype.kind != "O" and raw.dtype.itemsize <= np.dtype(np.float64).itemsize


def _positive(labels: Labels, name: str, pos_label: Hashable, negatives: bool) -> BoolArray:
    """Return which labels are the positive one, having checked that there are two, or the positive one alone."""
    found = _distinct(labels)
    if len(found) > 2:
        advice = f"compare with one of them first, as in y_true == {shown(found[0])}, or use one_vs_rest_curves"
        raise InputError(f"{name} holds more than two labels ({listed(found)}); {advice}")
    is_named = is_hashable(pos_label) and pos_label in found
    if len(found) == 1 and (negatives or not is_named):
        advice = "pass examples of both classes" if negatives else f"pass some of the positive one, {shown(pos_label)}"
        raise InputError(f"{name} holds one class, {shown(found[0])}; {advice}")
    if not is_named:
        by_convention = conventional_positive(found)
        choices = found if by_convention is None else [by_convention]
        advice = " or ".join(f"pos_label={shown(label)}" for label in choices)
        raise InputError(f"pos_label={shown(pos_label)} is not among the labels {listed(found)}; pass {advice}")
    place = found.index(pos_label)
    if isinstance(labels, list):
        is_positive = {label: index == place for index, label in enumerate(found)}
        return np.fromiter(map(is_positive.__getitem__, labels), dtype=np.bool_, count=len(labels))
    return np.asarray(labels == found[place])


def _distinct(labels: Labels) -> list[Hashable]:
    """Return the distinct labels; of an array that holds more than two, three of them."""
    if isinstance(labels, list):
        found = list(dict.fromkeys(labels))
    else:
        found = [labels[0].item()]
        others = labels != labels[0]
        while len(found) < 3 and bool(others.any()):
            other = labels[int(np.argmax(others))]
            found.append(other.item())
            others &= labels != other
    try:
        return sorted(found)  # type: ignore[type-var]  # whether they compare is found out here
    except TypeError:
        return found


def _unpacked(values: Iterable[Hashable], name: str) -> Labels:
    if not (hasattr(values, "__array__") or is_foreign(values)):
        return list(values)
    array = as_array(values, name)
    if array.dtype.kind in "biufUS":
        return array
    objects: list[Hashable] = array.tolist() if array.dtype.kind == "O" else list(array)
    return objects


def _check_objects(labels: list[Hashable], name: str) -> None:
    """Refuse labels that cannot be hashed or are missing."""
    try:
        distinct = dict.fromkeys(labels)
    except TypeError:
        index, label = next((i, label) for i, label in enumerate(labels) if not _is_hashable(label))
        raise InputError(f"{name}[{index}] is {shown(label)}, not one label; pass a single label per example") from None
    if any(map(is_missing, distinct)):
        raise InputError(_missing(name, [next(i for i, label in enumerate(labels) if is_missing(label))]))


def _is_hashable(label: object) -> bool:
    try:
        hash(label)
    except TypeError:
        return False
    return True


def _missing(name: str, index: Iterable[object]) -> str:
    return f"{_entry(name, index)} is missing; fill it in, or leave the example out"


def _merged(name: str) -> str:
    return f"{name} holds numbers that float64 does not keep apart, as integers beyond 2**53; pass their ranks"


def _entry(name: str, index: Iterable[object]) -> str:
    """Return the name of one entry, such as ``y_score[3]``."""
    return f"{name}[{', '.join(map(str, index))}]"
