"""Labels as they come, read and turned into positions in a list of labels."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.numeric.counts import FloatArray, as_weights, shown
from symmetrics.numeric.factorise import Factor, by_dictionary, factor_of_array, factor_of_objects, wrapped
from symmetrics.numeric.foreign import as_array, is_foreign
from symmetrics.tools.errors import InputError
from symmetrics.tools.frames import category_order, coded_column, is_missing
from symmetrics.tools.words import number_of

__all__ = [
    "Coded",
    "InOrder",
    "IntegerArray",
    "checked_labels",
    "column_codes",
    "common_order",
    "distinct_examples",
    "encode",
    "in_order",
    "is_hashable",
    "listed",
    "restricted",
]

IntegerArray = NDArray[np.intp]

_MOST_LISTED: Final = 6
_BLOCK: Final = 1 << 16
_MOST_PAIRS: Final = 1 << 22
"""Pairs of labels that are counted in a matrix of all that there could be; of more, those that occur are sorted."""
_FEW_PAIRS: Final = 1 << 16
"""So many fit a processor's cache, whether all of them occur or not."""


class InOrder(list[Hashable]):
    """Labels that bring along in which order their classes stand, as a column of ordered categories does.

    :param order: the classes, of which not all need occur
    """

    def __init__(self, labels: Iterable[Hashable], order: Iterable[Hashable]) -> None:
        super().__init__(labels)
        self.order = list(order)


class Coded(NamedTuple):
    """The distinct pairs of a true and a predicted label, as positions in a list of labels, and how often each occurs.

    :param weight: the number of examples of each pair, or the sum of their weights
    :param order: in which order classes stand, if both columns state one
    """

    true: IntegerArray
    predicted: IntegerArray
    weight: FloatArray
    labels: list[Hashable]
    order: list[Hashable] | None = None

    def matrix(self, true: IntegerArray, predicted: IntegerArray, classes: int) -> FloatArray:
        """Return the classes x classes matrix of (weighted) counts, the labels of the pairs being at these places."""
        counts = np.bincount(true * classes + predicted, self.weight, classes * classes)
        return counts.astype(np.float64, copy=False).reshape(classes, classes)


def listed(labels: Iterable[Hashable]) -> str:
    """Return labels as a list in an error shows them, cut if there are many.

    >>> listed(["a", 1, (2, 3)]), listed(range(100))
    ("'a', 1, (2, 3)", '0, 1, 2, 3, 4, 5 and 94 more')
    """
    every = list(labels)
    text = ", ".join(shown(label) for label in every[:_MOST_LISTED])
    return text if len(every) <= _MOST_LISTED else f"{text} and {len(every) - _MOST_LISTED} more"


def encode(y_true: Iterable[Hashable], y_pred: Iterable[Hashable], sample_weight: ArrayLike | None) -> Coded:
    """Return the pairs of true and predicted labels, as positions in the list of those that occur: in the order of
    their categories if both columns have the same ordered ones, and else sorted if they can be.

    :raises InputError: on what is no list of labels, missing labels, and lists that do not fit together
    """
    true, predicted = _factorised(y_true, "y_true"), _factorised(y_pred, "y_pred")
    sizes = len(true.codes), len(predicted.codes)
    if sizes[0] != sizes[1]:
        raise InputError(
            f"y_true has {number_of(sizes[0], 'label')} and y_pred {sizes[1]}; pass one prediction per example"
        )
    weight = None if sample_weight is None else as_weights(sample_weight, sizes[0], "sample_weight", "example")
    if len(true.labels) * len(predicted.labels) > _FEW_PAIRS:
        true, predicted = true.compressed(), predicted.compressed()
    rows, columns, counts = _joint_counts(true, predicted, weight)
    true_labels = {place: true.labels[place] for place in sorted(set(rows))}
    predicted_labels = {place: predicted.labels[place] for place in sorted(set(columns))}
    stated = common_order([y_true, y_pred])
    order = in_order(dict.fromkeys([*true_labels.values(), *predicted_labels.values()]), stated)
    position = {label: index for index, label in enumerate(order)}
    true_position = {place: position[label] for place, label in true_labels.items()}
    predicted_position = {place: position[label] for place, label in predicted_labels.items()}
    return Coded(
        np.array([true_position[place] for place in rows], dtype=np.intp),
        np.array([predicted_position[place] for place in columns], dtype=np.intp),
        counts,
        order,
        stated,
    )


def _joint_counts(
    true: Factor, predicted: Factor, weight: FloatArray | None
) -> tuple[list[int], list[int], FloatArray]:
    """Return the pairs of places of labels that occur, and what the examples of each add up to."""
    columns, examples = len(predicted.labels), len(true.codes)
    size = len(true.labels) * columns
    if size > _MOST_PAIRS:
        every = _pairs(true, predicted, slice(None), columns, np.empty(examples, dtype=np.int64))
        found, places, numbers = np.unique(every, return_inverse=True, return_counts=True)
        total = (numbers if weight is None else np.bincount(places, weight)).astype(np.float64)
        return (found // columns).tolist(), (found % columns).tolist(), total
    step = min(max(_BLOCK, size), examples)
    counts, sums = np.zeros(size, dtype=np.intp), np.zeros(size)
    held = np.empty(step, dtype=np.int64)
    for start in range(0, examples, step):
        block = slice(start, start + step)
        pairs = _pairs(true, predicted, block, columns, held)
        counts += np.bincount(pairs, minlength=size)
        if weight is not None:
            sums += np.bincount(pairs, weight[block], size)
    occurring = np.flatnonzero(counts)
    totals = counts.astype(np.float64) if weight is None else sums
    return (occurring // columns).tolist(), (occurring % columns).tolist(), totals[occurring]


def _pairs(true: Factor, predicted: Factor, block: slice, columns: int, held: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a number for the pair of labels of each example: the place of its true one times *columns*, plus that of
    the predicted one.

    The codes may be integers of any width; all is computed modulo 2^64, and what results is small.
    """
    codes = true.codes[block]
    pairs = np.multiply(codes, columns, out=held[: len(codes)], dtype=np.int64, casting="unsafe")
    np.add(pairs, predicted.codes[block], out=pairs, dtype=np.int64, casting="unsafe")
    if shift := true.offset * columns + predicted.offset:
        pairs -= np.int64(wrapped(shift))
    return pairs


def distinct_examples(
    y_true: Iterable[Hashable], y_pred: Iterable[Hashable], sample_weight: ArrayLike | None = None
) -> tuple[list[Hashable], list[Hashable], FloatArray]:
    """Return one example of each pair of labels, with the weight of all: every metric of labels is the same for them.

    :raises InputError: as :func:`encode`

    >>> distinct_examples(["a", "b", "a"], ["a", "a", "a"])
    (['a', 'b'], ['a', 'a'], array([2., 1.]))
    """
    coded = encode(y_true, y_pred, sample_weight)
    true, predicted = ([coded.labels[place] for place in places.tolist()] for places in (coded.true, coded.predicted))
    if coded.order is not None:
        true, predicted = InOrder(true, coded.order), InOrder(predicted, coded.order)
    return true, predicted, coded.weight


def column_codes(values: Iterable[Hashable], name: str) -> tuple[list[Hashable], IntegerArray]:
    """Return the distinct labels of a column, and for each example the position of its label among them.

    :raises InputError: on what is no list of labels, and on missing labels; the message names *name*

    >>> column_codes(["b", "a", "b"], "y_true")[1].tolist()
    [0, 1, 0]
    """
    factor = _factorised(values, name).compressed()
    distinct = dict.fromkeys(factor.labels)  # equal objects may have had several codes
    position = {label: index for index, label in enumerate(distinct)}
    places = np.array([position[label] for label in factor.labels], dtype=np.intp)
    order = common_order([values])
    found = list(distinct) if order is None else InOrder(distinct, order)
    return found, places[factor.codes.astype(np.intp)]


def restricted(coded: Coded, labels: list[Hashable]) -> Coded:
    """Return the examples whose label and prediction are both among some labels."""
    position = {label: index for index, label in enumerate(labels)}
    places = np.array([position.get(label, -1) for label in coded.labels], dtype=np.intp)
    true, predicted = places[coded.true], places[coded.predicted]
    if not (true >= 0).any():
        raise InputError(f"no example of y_true is of a label among {listed(labels)}; they are {listed(coded.labels)}")
    kept = (true >= 0) & (predicted >= 0)
    return Coded(true[kept], predicted[kept], coded.weight[kept], labels)


def _factorised(values: Iterable[Hashable], name: str) -> Factor:
    """Return a column of labels as codes; those of Python are plain, and none is missing."""
    if getattr(values, "ndim", 1) != 1:
        raise InputError(f"{name} has shape {getattr(values, 'shape', '?')}; pass one dimension, one label per example")
    if isinstance(values, str | bytes | Mapping | set | frozenset) or not isinstance(values, Iterable):
        raise InputError(f"{name} is {shown(values)}; pass a list, an array or a Series with one label per example")
    try:
        if (column := coded_column(values)) is not None:
            return _of_column(*column, name)
        vector = _read(values, name)
    except InputError:
        raise
    except Exception as error:  # what stands behind __array__, __iter__ and __len__ is code of others
        raise InputError(
            f"{name} cannot be read: reading it raises {type(error).__name__}; pass a list or an array"
        ) from None
    if len(vector) == 0:
        raise InputError(_empty(name))
    if isinstance(vector, list) or vector.dtype.kind == "O":
        return _of_objects(vector, name)
    if vector.dtype.kind == "f" and bool(np.isnan(vector).any()):
        raise InputError(_missing_label(name, int(np.argmax(np.isnan(vector)))))
    return factor_of_array(vector)


def _of_column(labels: list[Hashable], codes: NDArray[np.integer], name: str) -> Factor:
    """Return a column of a data frame that brings its codes along, -1 where a label is missing."""
    if len(codes) == 0:
        raise InputError(_empty(name))
    if codes.min() < 0:
        raise InputError(_missing_label(name, int(np.argmax(codes < 0))))
    # Arrow has NaN beside its null, and a null among the labels of a dictionary, and gives both a code like any other.
    if (missing := [place for place, label in enumerate(labels) if is_missing(label)]) and np.isin(
        codes, missing
    ).any():
        raise InputError(_missing_label(name, int(np.argmax(np.isin(codes, missing)))))
    return Factor([_plain(label) for label in labels], codes)


def _of_objects(items: NDArray[Any] | list[Hashable], name: str) -> Factor:
    try:
        factor = factor_of_objects(items)
    except TypeError:
        index, item = next((i, item) for i, item in enumerate(items) if not is_hashable(item))
        raise InputError(f"{name}[{index}] is {shown(item)}, not one label; pass a single label per example") from None
    if any(map(is_missing, factor.labels)):
        raise InputError(_missing_label(name, next(i for i, item in enumerate(items) if is_missing(item))))
    return factor._replace(labels=[_plain(label) for label in factor.labels])


def _read(values: Iterable[Hashable], name: str) -> NDArray[np.generic] | list[Hashable]:
    if not (hasattr(values, "__array__") or is_foreign(values)):
        return list(values)
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise InputError(_missing_label(name, int(np.argmax(np.ma.getmaskarray(values)))))
    array = as_array(values, name)
    return array if array.dtype.kind in "biufOUS" else list(array)


def checked_labels(labels: Iterable[Hashable]) -> list[Hashable]:
    """Return labels as a list.

    :raises InputError: if they are not a list of labels, each once, in a given order

    >>> checked_labels(("cat", "dog"))
    ['cat', 'dog']
    >>> checked_labels({"cat", "dog"})
    Traceback (most recent call last):
    symmetrics.tools.errors.InputError: labels is a set, and a set has no order; pass a list
    """
    named = list(_unpacked_labels(labels))
    if not named:
        raise InputError("labels is empty; name the labels to count, or leave it out to count all")
    _of_objects(named, "labels")
    order, codes, _ = by_dictionary([_plain(label) for label in named])
    if len(order) < len(codes):
        repeated = order[int(np.argmax(np.bincount(codes) > 1))]
        raise InputError(f"labels names {shown(repeated)} more than once; name each label once")
    return list(order)


def _unpacked_labels(labels: Iterable[Hashable]) -> Iterable[Hashable]:
    if isinstance(labels, set | frozenset):
        raise InputError("labels is a set, and a set has no order; pass a list")
    if isinstance(labels, str | bytes | Mapping) or not isinstance(labels, Iterable):
        raise InputError(f"labels={shown(labels)} is not a list of labels; pass one, as in labels=[0, 1]")
    objects: Iterable[Hashable] = labels.tolist() if isinstance(labels, np.ndarray) else labels
    return objects


def common_order(columns: Iterable[object]) -> list[Hashable] | None:
    """Return the order of the classes that all columns state alike, by ordered categories; None if they state none.

    >>> import pandas
    >>> sizes = pandas.Categorical(["small", "large"], ["small", "large"], ordered=True)
    >>> common_order([sizes, sizes[::-1]]), common_order([sizes, ["small", "large"]])
    (['small', 'large'], None)
    """
    stated = [column.order if isinstance(column, InOrder) else category_order(column) for column in columns]
    if any(order is None or order != stated[0] for order in stated):
        return None
    return [_plain(label) for label in stated[0] or ()] or None


def in_order(labels: Iterable[Hashable], stated: Sequence[Hashable] | None = None) -> list[Hashable]:
    """Return labels sorted if they can be, else in the order in which they come.

    :param stated: an order in which all of them stand, instead
    :raises InputError: if one is the text of another, which is none: one class would count as two

    >>> in_order([2, 1]), in_order(["a", 1]), in_order([1, 2], [3, 2, 1])
    ([1, 2], ['a', 1], [2, 1])
    """
    found = list(labels)
    if stated is not None:
        place = {label: index for index, label in enumerate(stated)}
        return sorted(found, key=place.__getitem__)
    try:
        return sorted(found)  # type: ignore[type-var]  # whether they compare is found out here
    except TypeError:
        texts = {label for label in found if isinstance(label, str)}
        if twins := [label for label in found if not isinstance(label, str) and str(label) in texts]:
            label = twins[0]
            raise InputError(
                f"the labels hold both the text {shown(str(label))} and the {type(label).__name__} {shown(label)}; "
                "convert one of both, as in list(map(str, y_pred))"
            ) from None
        return found


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


def _empty(name: str) -> str:
    return f"{name} is empty; pass one label per example"
