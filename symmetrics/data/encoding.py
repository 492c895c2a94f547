"""Label columns of any kind read as integer codes; lists of labels validated and ordered."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from symmetrics.data.counts import shown
from symmetrics.data.factorise import Factor, as_array, by_dictionary, factor_of_array, factor_of_objects, is_foreign
from symmetrics.data.frames import category_order, coded_column, is_missing
from symmetrics.tools.errors import InputError

IntegerArray = NDArray[np.intp]

_MOST_LISTED: Final = 6


class Passed(list[Hashable]):
    """Labels already validated by the gate; missing values need not be looked for again.

    :param order: the order in which their classes stand, as a column of ordered categories states one; not all of them
        need occur
    """

    def __init__(self, labels: Iterable[Hashable], order: Iterable[Hashable] | None = None) -> None:
        super().__init__(labels)
        self.order = None if order is None else list(order)


class MayBeAbsent(list[Hashable]):
    """Known classes, some of which may not occur among the examples."""


def listed(labels: Iterable[Hashable]) -> str:
    """Labels as shown in an error message, cut if there are many.

    >>> listed(["a", 1, (2, 3)]), listed(range(100))
    ("'a', 1, (2, 3)", '0, 1, 2, 3, 4, 5 and 94 more')
    """
    every = list(labels)
    text = ", ".join(shown(label) for label in every[:_MOST_LISTED])
    return text if len(every) <= _MOST_LISTED else f"{text} and {len(every) - _MOST_LISTED} more"


class Column(NamedTuple):
    """A column of labels as codes.

    :param factor: the labels that are not missing, and the code of each example; that of one that lacks a label says
        nothing
    :param missing: for each example whether it lacks a label; None if none does
    """

    factor: Factor
    missing: NDArray[np.bool_] | None


def read_column(values: Iterable[Hashable], name: str) -> Column:
    """Encode a label column of any kind; the labels become plain Python objects.

    :raises InputError: on what is no column of labels, and on an empty one; the message names *name*

    >>> read_column(["b", None, "b"], "y_true").missing.tolist()
    [False, True, False]
    """
    if getattr(values, "ndim", 1) != 1:
        raise InputError(f"{name} has shape {getattr(values, 'shape', '?')}; pass one dimension, one label per example")
    if isinstance(values, str | bytes | Mapping | set | frozenset) or not isinstance(values, Iterable):
        raise InputError(f"{name} is {shown(values)}; pass a list, an array or a Series with one label per example")
    try:
        coded = coded_column(values)
        vector = _read(values, name) if coded is None else coded[1]
    except InputError:
        raise
    except Exception as error:  # __array__, __iter__ and __len__ run third-party code
        raise InputError(
            f"{name} cannot be read: reading it raises {type(error).__name__}; pass a list or an array"
        ) from None
    if len(vector) == 0:
        raise InputError(f"{name} is empty; pass one label per example")
    if coded is not None:  # a categorical column, which has codes already
        labels, codes = coded
        return _without_missing(Factor([_plain(label) for label in labels], codes), codes < 0)
    # Missing labels: masked entries, NaN among floats, and None or NaN among objects.
    masked = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
    if masked is not None and not isinstance(vector, list) and vector.dtype.kind == "f":
        vector = np.where(masked, np.nan, vector)
    if isinstance(vector, list) or vector.dtype.kind == "O":
        factor = _of_objects(vector, name)
        return _without_missing(factor._replace(labels=[_plain(label) for label in factor.labels]), masked)
    missing = np.isnan(vector) if vector.dtype.kind == "f" else masked
    if missing is None or not missing.any():
        return Column(factor_of_array(vector), None)
    if missing.all():
        return Column(Factor([None], np.zeros(len(vector), dtype=np.intp)), missing)
    return Column(factor_of_array(np.where(missing, vector[~missing][0], vector)), missing)


def _without_missing(factor: Factor, missing: NDArray[np.bool_] | None) -> Column:
    """Return a column without missing labels, such as None and NaN, among its labels.

    :param missing: the examples that are known to lack a label
    """
    lacking = np.zeros(len(factor.codes), dtype=np.bool_) if missing is None else missing
    places = [place for place, label in enumerate(factor.labels) if is_missing(label)]
    if places:
        lacking = lacking | np.isin(factor.codes, places)
    if not lacking.any():
        return Column(factor, None)
    # The remaining labels get consecutive codes; examples without a label get code 0, which is ignored.
    kept = [place for place in range(len(factor.labels)) if place not in set(places)]
    rank = np.zeros(len(factor.labels) + 1, dtype=np.intp)
    rank[kept] = np.arange(len(kept))
    codes = np.where(lacking, 0, rank[factor.codes])
    return Column(Factor([factor.labels[place] for place in kept] or [None], codes), lacking)


def column_codes(values: Iterable[Hashable], name: str) -> tuple[list[Hashable], IntegerArray]:
    """Distinct values of a column, and each example's position among them.

    :raises InputError: on what is no column of single values, and on missing ones; the message names *name*

    >>> column_codes(["b", "a", "b"], "groups")[1].tolist()
    [0, 1, 0]
    """
    column = read_column(values, name)
    if column.missing is not None:
        raise InputError(f"{name}[{int(np.argmax(column.missing))}] is missing; fill or remove missing values first")
    return distinct_codes(column.factor)


def distinct_codes(factor: Factor) -> tuple[list[Hashable], IntegerArray]:
    """Distinct labels that occur, and each example's position among them."""
    found = factor.compressed()
    distinct = dict.fromkeys(found.labels)  # equal objects may have had several codes
    position = {label: index for index, label in enumerate(distinct)}
    places = np.array([position[label] for label in found.labels], dtype=np.intp)
    return list(distinct), places[found.codes.astype(np.intp)]


def _of_objects(items: NDArray[Any] | list[Hashable], name: str) -> Factor:
    try:
        return factor_of_objects(items)
    except TypeError:
        index, item = next((i, item) for i, item in enumerate(items) if not is_hashable(item))
        raise InputError(f"{name}[{index}] is {shown(item)}, not one label; pass a single label per example") from None


def _read(values: Iterable[Hashable], name: str) -> NDArray[np.generic] | list[Hashable]:
    if not (hasattr(values, "__array__") or is_foreign(values)):
        return list(values)
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
    if any(map(is_missing, _of_objects(named, "labels").labels)):
        index = next(i for i, label in enumerate(named) if is_missing(label))
        raise InputError(f"labels[{index}] is missing; name labels that occur")
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
    """Return the class order that all columns share as ordered categories; None if there is none.

    >>> import pandas
    >>> sizes = pandas.Categorical(["small", "large"], ["small", "large"], ordered=True)
    >>> common_order([sizes, sizes[::-1]]), common_order([sizes, ["small", "large"]])
    (['small', 'large'], None)
    """
    stated = [column.order if isinstance(column, Passed) else category_order(column) for column in columns]
    if any(order is None or order != stated[0] for order in stated):
        return None
    return [_plain(label) for label in stated[0] or ()] or None


def in_order(labels: Iterable[Hashable], stated: Sequence[Hashable] | None = None) -> list[Hashable]:
    """Return labels sorted if they are comparable, else in order of first appearance.

    :param stated: an order in which all of them stand, instead
    :raises InputError: if one is the text of another, such as "1" and 1: one class would count as two

    >>> in_order([2, 1]), in_order(["a", 1]), in_order([1, 2], [3, 2, 1])
    ([1, 2], ['a', 1], [2, 1])
    """
    found = list(labels)
    if stated is not None:
        place = {label: index for index, label in enumerate(stated)}
        return sorted(found, key=place.__getitem__)
    try:
        return sorted(found)  # type: ignore[type-var]  # raises if they are not comparable
    except TypeError:
        texts = {meant(label): label for label in found if isinstance(label, str)}
        if twins := [label for label in found if not isinstance(label, str) and meant(str(label)) in texts]:
            label = twins[0]
            raise InputError(
                f"the labels hold both the text {shown(texts[meant(str(label))])} and the {type(label).__name__} "
                f"{shown(label)}; convert one of both, as in list(map(str, y_pred))"
            ) from None
        return found


def meant(text: str) -> Hashable:
    """Return the number that a text spells, or else the text itself."""
    try:
        return float(text)
    except ValueError:
        return text


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
