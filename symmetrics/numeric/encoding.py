"""Labels as they come, read and turned into positions in a list of labels."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.numeric.counts import FloatArray, as_weights, shown
from symmetrics.tools.errors import InputError
from symmetrics.tools.frames import is_missing

__all__ = ["Coded", "IntegerArray", "checked_labels", "encode", "is_hashable", "listed", "restricted"]

IntegerArray = NDArray[np.intp]

_MOST_LISTED: Final = 6
_NARROW_SPAN: Final = 1 << 16


class Coded(NamedTuple):
    """Labels as positions in a list of labels, one per example that counts."""

    true: IntegerArray
    predicted: IntegerArray
    weight: FloatArray | None
    labels: list[Hashable]

    def matrix(self, true: IntegerArray, predicted: IntegerArray, classes: int) -> FloatArray:
        """Return the classes x classes matrix of (weighted) counts."""
        pairs = true * classes + predicted
        counts = np.bincount(pairs, self.weight, classes * classes)
        return counts.astype(np.float64).reshape(classes, classes)


def listed(labels: Iterable[Hashable]) -> str:
    """Return labels as a list in an error shows them, cut if there are many.

    >>> listed(["a", 1, (2, 3)]), listed(range(100))
    ("'a', 1, (2, 3)", '0, 1, 2, 3, 4, 5 and 94 more')
    """
    every = list(labels)
    text = ", ".join(shown(label) for label in every[:_MOST_LISTED])
    return text if len(every) <= _MOST_LISTED else f"{text} and {len(every) - _MOST_LISTED} more"


def encode(y_true: Iterable[Hashable], y_pred: Iterable[Hashable], sample_weight: ArrayLike | None) -> Coded:
    """Return true and predicted labels as positions in the list of those that occur, sorted if they can be.

    :raises InputError: on what is no list of labels, missing labels, and lists that do not fit together
    """
    true_labels, true = _factorize(y_true, "y_true")
    predicted_labels, predicted = _factorize(y_pred, "y_pred")
    if len(true) != len(predicted):
        raise InputError(f"y_true has {len(true)} labels and y_pred {len(predicted)}; pass one prediction per example")
    weight = None if sample_weight is None else as_weights(sample_weight, len(true), "sample_weight", "example")
    order = _sorted_if_possible(dict.fromkeys(itertools.chain(true_labels, predicted_labels)))
    position = {label: index for index, label in enumerate(order)}
    true = np.array([position[label] for label in true_labels], dtype=np.intp)[true]
    predicted = np.array([position[label] for label in predicted_labels], dtype=np.intp)[predicted]
    return Coded(true, predicted, weight, order)


def restricted(coded: Coded, labels: list[Hashable]) -> Coded:
    """Return the examples whose label and prediction are both among some labels."""
    position = {label: index for index, label in enumerate(labels)}
    places = np.array([position.get(label, -1) for label in coded.labels], dtype=np.intp)
    true, predicted = places[coded.true], places[coded.predicted]
    if not (true >= 0).any():
        raise InputError(f"no example of y_true is of a label among {listed(labels)}; they are {listed(coded.labels)}")
    kept = (true >= 0) & (predicted >= 0)
    weight = None if coded.weight is None else coded.weight[kept]
    return Coded(true[kept], predicted[kept], weight, labels)


def _factorize(values: Iterable[Hashable], name: str) -> tuple[list[Hashable], IntegerArray]:
    """Return the distinct labels, and for each example the position of its label among them."""
    vector = _as_vector(values, name)
    if isinstance(vector, list):
        return _factorize_objects(vector, name)
    if vector.dtype.kind == "f":
        if bool(np.isnan(vector).any()):
            raise InputError(_missing_label(name, int(np.argmax(np.isnan(vector)))))
        distinct, codes = np.unique(vector, return_inverse=True)
        return distinct.tolist(), codes
    return _factorize_integers(vector)


def _factorize_integers(vector: NDArray[np.generic]) -> tuple[list[Hashable], IntegerArray]:
    """Factorise integers or bools: by counting where they lie close together, else by sorting."""
    integers = vector.astype(vector.dtype if vector.dtype.kind == "u" else np.int64)
    lowest, highest = int(integers.min()), int(integers.max())
    if highest - lowest > max(_NARROW_SPAN, 4 * vector.size):
        distinct, codes = np.unique(integers, return_inverse=True)
        return distinct.tolist(), codes
    offsets = (integers - integers.dtype.type(lowest)).astype(np.intp)
    present = np.flatnonzero(np.bincount(offsets))
    rank = np.zeros(highest - lowest + 1, dtype=np.intp)
    rank[present] = np.arange(present.size)
    as_label = bool if vector.dtype.kind == "b" else int
    return [as_label(lowest + offset) for offset in present.tolist()], rank[offsets]


def _factorize_objects(items: list[Hashable], name: str) -> tuple[list[Hashable], IntegerArray]:
    try:
        distinct = dict.fromkeys(items)
    except TypeError:
        index, item = next((i, item) for i, item in enumerate(items) if not is_hashable(item))
        raise InputError(f"{name}[{index}] is {shown(item)}, not one label; pass a single label per example") from None
    if any(map(is_missing, distinct)):
        raise InputError(_missing_label(name, next(i for i, item in enumerate(items) if is_missing(item))))
    position = {label: index for index, label in enumerate(distinct)}
    codes = np.fromiter(map(position.__getitem__, items), dtype=np.intp, count=len(items))
    return [_plain(label) for label in distinct], codes


def _as_vector(values: Iterable[Hashable], name: str) -> NDArray[np.generic] | list[Hashable]:
    """Return labels as an array of numbers where they come as one, else as a list of objects; never empty."""
    if getattr(values, "ndim", 1) != 1:
        raise InputError(f"{name} has shape {getattr(values, 'shape', '?')}; pass one dimension, one label per example")
    if isinstance(values, str | bytes | Mapping | set | frozenset) or not isinstance(values, Iterable):
        raise InputError(f"{name} is {shown(values)}; pass a list, an array or a Series with one label per example")
    if len(vector := _unpacked(values, name)) == 0:
        raise InputError(f"{name} is empty; pass one label per example")
    return vector


def _unpacked(values: Iterable[Hashable], name: str) -> NDArray[np.generic] | list[Hashable]:
    try:
        return _read(values, name)
    except InputError:
        raise
    except Exception as error:  # what stands behind __array__, __iter__ and __len__ is code of others
        raise InputError(
            f"{name} cannot be read: reading it raises {type(error).__name__}; pass a list or an array"
        ) from None


def _read(values: Iterable[Hashable], name: str) -> NDArray[np.generic] | list[Hashable]:
    if not hasattr(values, "__array__"):
        return list(values)
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise InputError(_missing_label(name, int(np.argmax(np.ma.getmaskarray(values)))))
    array = np.asarray(values)
    if array.dtype.kind in "biuf":
        return array
    objects: list[Hashable] = array.tolist() if array.dtype.kind in "OUS" else list(array)
    return objects


def checked_labels(labels: Iterable[Hashable]) -> list[Hashable]:
    """Return labels as a list.

    :raises InputError: if they are not a list of labels, each once, in a given order

    >>> checked_labels(("cat", "dog"))
    ['cat', 'dog']
    >>> checked_labels({"cat", "dog"})
    Traceback (most recent call last):
    symmetrics.tools.errors.InputError: labels is a set, and a set has no order; pass a list
    """
    order, codes = _factorize_objects(list(_unpacked_labels(labels)), "labels")
    if not order:
        raise InputError("labels is empty; name the labels to count, or leave it out to count all")
    if len(order) < len(codes):
        repeated = order[int(np.argmax(np.bincount(codes) > 1))]
        raise InputError(f"labels names {shown(repeated)} more than once; name each label once")
    return order


def _unpacked_labels(labels: Iterable[Hashable]) -> Iterable[Hashable]:
    if isinstance(labels, set | frozenset):
        raise InputError("labels is a set, and a set has no order; pass a list")
    if isinstance(labels, str | bytes | Mapping) or not isinstance(labels, Iterable):
        raise InputError(f"labels={shown(labels)} is not a list of labels; pass one, as in labels=[0, 1]")
    objects: Iterable[Hashable] = labels.tolist() if isinstance(labels, np.ndarray) else labels
    return objects


def _sorted_if_possible(labels: Iterable[Hashable]) -> list[Hashable]:
    try:
        return sorted(labels)  # type: ignore[type-var]  # whether they compare is found out here
    except TypeError:
        return list(labels)


def _plain(label: Hashable) -> Hashable:
    """Return the Python value of a NumPy scalar."""
    plain: Hashable = label.item() if isinstance(label, np.bool_ | np.number | np.str_ | np.bytes_) else label
    return plain


def is_hashable(item: object) -> bool:
    """Whether an object can be a label."""
    try:
        hash(item)
    except TypeError:
        return False
    return True


def _missing_label(name: str, index: int) -> str:
    return f"{name}[{index}] is missing; fill or remove missing labels first"
