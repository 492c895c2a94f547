"""Confusion matrices, and the four cells, counted from labels.

A label is anything that can be hashed and equals itself: numbers, texts, tuples.  None, NaN, NaT and pandas' NA are no
labels but missing ones, and refused, here as in every reader of labels.  Labels that Python holds equal (``1``, ``1.0``
and ``True``) are one label; ``1`` and ``"1"`` are two.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.numeric.counts import Cells, FloatArray, as_weights, shown
from symmetrics.tools.errors import InputError
from symmetrics.tools.frames import is_missing

__all__ = [
    "binary_cells",
    "checked_labels",
    "confusion_matrix",
    "conventional_positive",
    "listed",
    "selected_confusion",
]

IntegerArray = NDArray[np.intp]

_MOST_CLASSES: Final = 10_000
_MOST_LISTED: Final = 6
_NARROW_SPAN: Final = 1 << 16
_CONVENTIONAL: Final = frozenset(
    [
        ("0", "1"),
        ("-1", "1"),
        ("-1", "+1"),
        ("-", "+"),
        ("f", "t"),
        ("false", "true"),
        ("n", "y"),
        ("no", "yes"),
        ("neg", "pos"),
        ("negative", "positive"),
        ("absent", "present"),
    ]
)


class _Coded(NamedTuple):
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


def confusion_matrix(
    y_true: Iterable[Hashable],
    y_pred: Iterable[Hashable],
    *,
    labels: Iterable[Hashable] | None = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[FloatArray, list[Hashable]]:
    """Return the k x k matrix C and its k labels: C[i, j] counts examples of label i that are predicted as label j.

    :param labels: the labels and their order; an example counts only if its label and its prediction are both among
        them, as in scikit-learn.  By default every label that occurs, sorted; labels that cannot be sorted stand in
        order of appearance, those of *y_true* first.
    :param sample_weight: a non-negative weight per example, 1 by default
    :raises InputError: on inputs of different lengths, empty, not one-dimensional, with missing labels or unusable
        weights, on *labels* that repeat one, and when no example of *y_true* has one of them

    >>> matrix, labels = confusion_matrix(["cat", "dog", "cat"], ["cat", "cat", "dog"])
    >>> labels, matrix.tolist()
    (['cat', 'dog'], [[1.0, 1.0], [1.0, 0.0]])
    """
    coded = _encode(y_true, y_pred, sample_weight)
    if labels is not None:
        coded = _restricted(coded, checked_labels(labels))
    return _whole_matrix(coded), coded.labels


def selected_confusion(
    y_true: Iterable[Hashable],
    y_pred: Iterable[Hashable],
    *,
    labels: Iterable[Hashable] | None = None,
    sample_weight: ArrayLike | None = None,
    merged: bool = False,
) -> tuple[FloatArray, list[Hashable], int]:
    """Return the confusion matrix of all examples, its labels, and how many of these are selected: they come first.

    No example is left out: one of a selected label that is predicted as any other is an error of that label, and one of
    any other label that is predicted as a selected one is an error too.  A selected label need not occur.

    :param labels: the labels that are selected, and their order; by default every label that occurs, sorted
    :param merged: count all other labels as one, the last, which does for the cells of the selected ones; it has no
        name among the labels returned
    :raises InputError: as :func:`confusion_matrix`

    >>> selected_confusion(["a", "a", "b", "c"], ["a", "c", "b", "b"], labels=["b", "a"])[0].tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [1.0, 0.0, 0.0]]
    """
    coded = _encode(y_true, y_pred, sample_weight)
    if labels is None:
        return _whole_matrix(coded), coded.labels, len(coded.labels)
    chosen = checked_labels(labels)
    others = [label for label in coded.labels if label not in dict.fromkeys(chosen)]
    position = {label: place for place, label in enumerate([*chosen, *others])}
    last = len(chosen) if merged else len(position)
    places = np.array([min(position[label], last) for label in coded.labels], dtype=np.intp)
    coded = coded._replace(true=places[coded.true], predicted=places[coded.predicted])
    if merged:
        return coded.matrix(coded.true, coded.predicted, last + bool(others)), chosen, last
    return _whole_matrix(coded._replace(labels=[*chosen, *others])), [*chosen, *others], len(chosen)


def _whole_matrix(coded: _Coded) -> FloatArray:
    classes = len(coded.labels)
    if classes > _MOST_CLASSES:
        raise InputError(f"y_true and y_pred hold {classes} labels, too many; if they are scores, apply a threshold")
    return coded.matrix(coded.true, coded.predicted, classes)


def binary_cells(
    y_true: Iterable[Hashable],
    y_pred: Iterable[Hashable],
    *,
    labels: Iterable[Hashable] | None = None,
    pos_label: Hashable = 1,
    sample_weight: ArrayLike | None = None,
) -> Cells:
    """Return the four cells, arrays of shape (), with *pos_label* as the positive class and the other label against it.

    A single label in the data is enough if it is *pos_label*, or if it and *pos_label* are a conventional pair such as
    0 and 1 or "no" and "yes"; naming the two *labels* settles it for any pair.

    :param labels: the two labels; by default those that occur.  They leave no example out: a third label in the data
        is refused, as by scikit-learn.
    :param sample_weight: a non-negative weight per example, 1 by default
    :raises InputError: as :func:`confusion_matrix`, on more than two labels, and if *pos_label* is none of them

    >>> binary_cells([1, 1, 0, 0, 0], [1, 0, 0, 0, 1])
    Cells(tp=array(1.), fn=array(1.), fp=array(1.), tn=array(2.))
    >>> binary_cells(["no", "yes"], ["yes", "yes"])
    Traceback (most recent call last):
    symmetrics.tools.errors.InputError: pos_label=1 is not among the labels 'no', 'yes'; pass pos_label='yes'
    """
    coded = _encode(y_true, y_pred, sample_weight)
    occurring = coded.labels
    found = occurring if labels is None else _both_labels(checked_labels(labels), occurring)
    if len(found) > 2:
        raise InputError(_too_many_labels(found))
    if _is_hashable(pos_label) and pos_label in dict.fromkeys(found):
        position = occurring.index(pos_label) if pos_label in occurring else -1
    elif len(found) == 1 and conventional_positive([found[0], pos_label]) == pos_label:
        position = -1  # nothing is positive
    else:
        raise InputError(_absent_positive(found, pos_label))
    true, predicted = ((codes == position).astype(np.intp) for codes in (coded.true, coded.predicted))
    (tn, fp), (fn, tp) = coded.matrix(true, predicted, 2)
    return Cells(*(np.asarray(cell) for cell in (tp, fn, fp, tn)))


def _both_labels(named: list[Hashable], occurring: list[Hashable]) -> list[Hashable]:
    """Return the two labels that were named, having checked that no other occurs."""
    if len(named) == 1:
        raise InputError(f"labels={listed(named)} names one class; name both, as in labels=[negative, positive]")
    if len(named) == 2 and (others := [label for label in occurring if label not in dict.fromkeys(named)]):
        raise InputError(
            f"label {shown(others[0])} occurs and is not among labels={listed(named)}; leave its examples out, or "
            "pass average='macro' with the labels whose values to average, each against all others"
        )
    return named


def conventional_positive(labels: Iterable[Hashable]) -> Hashable | None:
    """Return the label of two that is positive by convention, None where there is no convention.

    >>> conventional_positive(["Yes", "No"]), conventional_positive([0, 1]), conventional_positive(["cat", "dog"])
    ('Yes', 1, None)
    """
    pair = list(labels)
    for negative, positive in itertools.permutations(pair, 2) if len(pair) == 2 else ():
        if (_word(negative), _word(positive)) in _CONVENTIONAL:
            return positive
    return None


def listed(labels: Iterable[Hashable]) -> str:
    """Return labels as a list in an error shows them, cut if there are many.

    >>> listed(["a", 1, (2, 3)]), listed(range(100))
    ("'a', 1, (2, 3)", '0, 1, 2, 3, 4, 5 and 94 more')
    """
    every = list(labels)
    text = ", ".join(shown(label) for label in every[:_MOST_LISTED])
    return text if len(every) <= _MOST_LISTED else f"{text} and {len(every) - _MOST_LISTED} more"


def _word(label: Hashable) -> str:
    if isinstance(label, bool | np.bool_) or (isinstance(label, float | np.floating) and label == np.floor(label)):
        return str(int(label)) if np.isfinite(label) else str(label)
    return str(label).strip().casefold()


def _too_many_labels(found: list[Hashable]) -> str:
    head = f"y_true and y_pred hold {len(found)} labels ({listed(found)}) and this takes two"
    if any(isinstance(label, float) and label != np.floor(label) for label in found):
        return f"{head}; if y_pred holds scores, apply a threshold first, as in y_score >= 0.5"
    return f"{head}; pass average='macro', or compare both with one label first, as in y == {shown(found[-1])}"


def _absent_positive(found: list[Hashable], pos_label: Hashable) -> str:
    by_convention = conventional_positive(found)
    choices = found if by_convention is None else [by_convention]
    advice = " or ".join(f"pos_label={shown(label)}" for label in choices)
    if len(found) == 1:
        advice += f", or name both labels, as in labels=[{shown(found[0])}, {shown(pos_label)}]"
    return f"pos_label={shown(pos_label)} is not among the labels {listed(found)}; pass {advice}"


def _encode(y_true: Iterable[Hashable], y_pred: Iterable[Hashable], sample_weight: ArrayLike | None) -> _Coded:
    true_labels, true = _factorize(y_true, "y_true")
    predicted_labels, predicted = _factorize(y_pred, "y_pred")
    if len(true) != len(predicted):
        raise InputError(f"y_true has {len(true)} labels and y_pred {len(predicted)}; pass one prediction per example")
    weight = None if sample_weight is None else as_weights(sample_weight, len(true), "sample_weight", "example")
    order = _sorted_if_possible(dict.fromkeys(itertools.chain(true_labels, predicted_labels)))
    position = {label: index for index, label in enumerate(order)}
    true = np.array([position[label] for label in true_labels], dtype=np.intp)[true]
    predicted = np.array([position[label] for label in predicted_labels], dtype=np.intp)[predicted]
    return _Coded(true, predicted, weight, order)


def _restricted(coded: _Coded, labels: list[Hashable]) -> _Coded:
    """Return the examples whose label and prediction are both among some labels."""
    position = {label: index for index, label in enumerate(labels)}
    places = np.array([position.get(label, -1) for label in coded.labels], dtype=np.intp)
    true, predicted = places[coded.true], places[coded.predicted]
    if not (true >= 0).any():
        raise InputError(f"no example of y_true is of a label among {listed(labels)}; they are {listed(coded.labels)}")
    kept = (true >= 0) & (predicted >= 0)
    weight = None if coded.weight is None else coded.weight[kept]
    return _Coded(true[kept], predicted[kept], weight, labels)


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
        index, item = next((i, item) for i, item in enumerate(items) if not _is_hashable(item))
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


def _is_hashable(item: object) -> bool:
    try:
        hash(item)
    except TypeError:
        return False
    return True


def _missing_label(name: str, index: int) -> str:
    return f"{name}[{index}] is missing; fill or remove missing labels first"
