"""Averages of a binary metric over the classes of one-vs-rest cells: a weighting of the last axis."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol, Self, SupportsIndex, TypeAlias, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.errors import InputError
from symmetrics.frames import named_matrices
from symmetrics.numeric.counts import Cells, FloatArray, as_weights, one_vs_rest, shown
from symmetrics.numeric.labels import checked_labels, listed, selected_confusion

__all__ = [
    "AVERAGES",
    "POOLED",
    "Average",
    "NamedClasses",
    "SelectedClasses",
    "WeightedClasses",
    "as_zero_division",
    "average_cells",
    "averaged_confusion",
    "each_example_once",
    "filled",
    "in_blocks",
    "matched",
    "named_rows",
    "place_of_positive",
    "refuse_named_weights",
    "selected_cells",
    "weighted_mean",
]

AVERAGES: Final = ("macro", "micro", "pooled", "weighted")
"""The averages over classes that have a name."""
POOLED: Final = ("micro", "pooled")
"""The averages that add the cells of all classes up; they differ in what a metric makes of ``"micro"``."""
BLOCK: Final = 1 << 17
"""Entries of matrices that are worked on at a time."""
EXACT: Final = 2.0**53
"""Below this, differences of whole numbers are exact in float64."""


@runtime_checkable
class WeightedClasses(Protocol):
    """Anything that carries one weight per class, such as a relevance."""

    @property
    def weights(self) -> ArrayLike:
        """One non-negative weight per class, in the order of the classes."""


@runtime_checkable
class NamedClasses(WeightedClasses, Protocol):
    """Weights of classes that have names, by which they are matched with labels."""

    @property
    def classes(self) -> tuple[Hashable, ...]:
        """The names, in the order of the weights."""

    def ordered(self, labels: Iterable[Hashable]) -> Self:
        """Return the same weights in the order of some labels, which are the names, each once."""


Average: TypeAlias = str | WeightedClasses | ArrayLike | None
"""A name in :data:`AVERAGES`, None for no average, or one weight per class."""


def average_cells(
    evaluate: Callable[[Cells], FloatArray],
    cells: Cells,
    average: Average = "macro",
    *,
    zero_division: float = math.nan,
) -> FloatArray:
    """Return a metric of each class averaged over the classes: cells of shape (..., k) to an array of shape (...).

    Classes on which the metric is undefined are left out and the weights of the others renormalised; with a
    *zero_division* that is not nan they take that value and count.  Where no weight is left the result is
    *zero_division*.

    :param evaluate: the metric, from cells of any shape to values of that shape, nan where it is undefined
    :param average: ``"macro"`` weighs all classes alike; ``"weighted"`` by their numbers of examples, TP + FN;
        ``"micro"`` and ``"pooled"`` add the cells up over the classes and evaluate once; None returns the values, of
        shape (..., k); an array of k weights, or an object with such *weights*, weighs by them
    :raises InputError: on an unknown average, and on weights that are not k non-negative numbers, not all 0

    >>> from symmetrics.numeric.counts import one_vs_rest
    >>> cells = one_vs_rest([[5, 1, 0], [2, 6, 0], [0, 0, 0]])
    >>> def recall(cells):
    ...     with np.errstate(invalid="ignore"):
    ...         return cells.tp / (cells.tp + cells.fn)
    >>> float(average_cells(recall, cells).round(4)), float(average_cells(recall, cells, zero_division=0).round(4))
    (0.7917, 0.5278)
    """
    fill = as_zero_division(zero_division)
    if isinstance(average, str) and average in POOLED:
        return filled(evaluate(Cells(*(np.asarray(cell.sum(axis=-1)) for cell in cells))), fill)
    weights = _class_weights(average, cells)
    values = filled(_in_memory_order(evaluate, cells), fill)
    return values if weights is None else filled(weighted_mean(values, weights), fill)


class SelectedClasses(NamedTuple):
    """The confusion matrix of examples, of which some classes are averaged over.

    :param matrix: all examples; the selected classes come first
    :param average: with weights of the selected classes in their order
    :param selected: how many classes are selected
    """

    matrix: FloatArray
    average: Average
    selected: int


def averaged_confusion(
    y_true: Iterable[Hashable],
    y_pred: Iterable[Hashable],
    average: Average,
    *,
    labels: Iterable[Hashable] | None = None,
    sample_weight: ArrayLike | None = None,
    merged: bool = False,
) -> SelectedClasses:
    """Return the confusion matrix of labels, and the average in the order of its rows.

    *labels* select the classes that are averaged over; errors between them and other classes count.  Weights of classes
    with names bring the classes along: without *labels* they are the names, whether they occur or not, so that the
    matrix does not depend on which classes happen to occur.

    :param merged: as for :func:`symmetrics.numeric.labels.selected_confusion`
    :raises InputError: as :func:`symmetrics.numeric.labels.confusion_matrix`, and on a label that has no weight

    >>> averaged_confusion(["b", "a"], ["b", "b"], "macro").matrix.tolist()
    [[0.0, 1.0], [0.0, 1.0]]
    """
    matrix, found, count = selected_confusion(y_true, y_pred, labels=labels, sample_weight=sample_weight, merged=merged)
    if not isinstance(average, NamedClasses):
        return SelectedClasses(matrix, average, count)
    if labels is not None:
        return SelectedClasses(matrix, matched(average, found[:count], count), count)
    place = {name: index for index, name in enumerate(average.classes)}
    if unknown := [label for label in found if label not in place]:
        known = listed(average.classes)
        raise InputError(f"label {shown(unknown[0])} occurs and has no weight; the classes with one are {known}")
    places = [place[label] for label in found]
    spread = np.zeros((len(place), len(place)))
    spread[np.ix_(places, places)] = matrix
    return SelectedClasses(spread, average, len(place))


def each_example_once(cells: Cells) -> Cells:
    """Return cells of one class, all examples of all classes counted once: TP those that are right, FN all others.

    :param cells: those of each class against the rest, of shape (..., k), for all k classes

    >>> from symmetrics.numeric.counts import one_vs_rest
    >>> each_example_once(one_vs_rest([[5, 1, 0], [2, 6, 0], [0, 1, 1]])).fn.tolist()
    [4.0]
    """
    right, wrong = (cell.sum(axis=-1, keepdims=True) for cell in (cells.tp, cells.fn))
    none = np.zeros_like(right)
    return Cells(right, wrong, none, none)


def selected_cells(cells: Cells, count: int) -> Cells:
    """Return the cells of the first classes, each against all others.

    >>> from symmetrics.numeric.counts import one_vs_rest
    >>> selected_cells(one_vs_rest([[5, 1, 0], [2, 6, 0], [0, 1, 1]]), 2).fp.tolist()
    [2.0, 2.0]
    """
    return Cells(*(cell[..., :count] for cell in cells))


def in_blocks(
    compute: Callable[[Cells, NDArray[np.generic]], FloatArray], confusion: ArrayLike, *, fractional: bool = False
) -> FloatArray:
    """Return what is computed from the cells of each class against the rest, for a few matrices at a time.

    :param compute: takes n matrices, as cells of shape (n, k) and entries of shape (n, k, k); returns (n,) or (n, k)
    :param confusion: matrices of shape (..., k, k)
    :param fractional: accept counts that are not whole, such as sums of sample weights
    :returns: an array of shape (...) or (..., k)
    :raises InputError: if the matrices are not square or a count is not one

    >>> in_blocks(lambda cells, _: cells.tn.sum(axis=-1), np.ones((2, 3, 3)))
    array([12., 12.])
    """
    parts = _whole_counts_in_blocks(compute, confusion) if _is_plain(confusion) else None
    if parts is None:
        cells = one_vs_rest(confusion, fractional=fractional)  # which says what is wrong, if something is
        classes = cells.tp.shape[-1]
        flat = Cells(*(cell.reshape(-1, classes) for cell in cells))
        parts = [compute(flat, np.asarray(confusion).reshape(-1, classes, classes))]
    values = np.concatenate(parts)
    return values.reshape((*np.shape(confusion)[:-2], *values.shape[1:]))


def _is_plain(confusion: ArrayLike) -> TypeGuard[NDArray[np.generic]]:
    """Return whether this is an array of numbers of shape (..., k, k), as far as its type tells."""
    return (
        type(confusion) is np.ndarray
        and (confusion.dtype.kind in "iu" or confusion.dtype == np.float64)
        and confusion.ndim >= 2
        and confusion.shape[-1] == confusion.shape[-2]
        and confusion.size > 0
    )


def _whole_counts_in_blocks(
    compute: Callable[[Cells, NDArray[np.generic]], FloatArray], matrices: NDArray[np.generic]
) -> list[FloatArray] | None:
    """Return the parts of a result; None if some entry is not a whole count or a total not exact in float64.

    The matrices are put on the last axis, so that sums over classes are sums of long vectors, and all is done with a
    block while it is in the cache.
    """
    classes = matrices.shape[-1]
    flat = matrices.reshape(-1, classes, classes)
    step = max(1, BLOCK // classes**2)
    parts = []
    for start in range(0, len(flat), step):
        block = flat[start : start + step]
        entries = np.ascontiguousarray(block.transpose(1, 2, 0), dtype=np.float64)
        whole = matrices.dtype.kind in "iu" or bool((np.rint(entries) == entries).all())
        true, predicted = entries.sum(axis=1), entries.sum(axis=0)
        totals = true.sum(axis=0)
        if not (whole and entries.min() >= 0 and totals.max() < EXACT):
            return None
        tp = np.einsum("iin->in", entries) + 0.0  # -0.0 would turn an infinite limit around
        fp = predicted - tp
        cells = Cells(tp=tp.T, fn=(true - tp).T, fp=fp.T, tn=(totals - true - fp).T)
        parts.append(compute(cells, block))
    return parts


def matched(average: Average, labels: Iterable[Hashable] | None, classes: int) -> Average:
    """Return an average with its weights in the order of the rows of a confusion matrix.

    :param labels: the names of the classes in the order of the rows; None if the order of the weights is that of the
        rows
    :param classes: the number of rows
    :raises InputError: if there are not as many labels as rows, each once, or weights of classes with names do not fit
        them

    >>> matched("macro", None, 3)
    'macro'
    """
    refuse_named_weights(average)
    names = None if labels is None else checked_labels(labels)
    if names is not None and len(names) != classes:
        raise InputError(
            f"labels names {len(names)} classes, {listed(names)}, and C has {classes}; name every row of C"
        )
    if not isinstance(average, NamedClasses):
        return average
    if len(average.classes) != classes:
        have, known = len(average.classes), listed(average.classes)
        raise InputError(
            f"average has weights for {have} classes, {known}, and C has {classes}; weigh every class of C"
        )
    return average if names is None else average.ordered(names)


def named_rows(
    confusion: ArrayLike, labels: Iterable[Hashable] | None, average: Average
) -> tuple[ArrayLike, list[Hashable] | None]:
    """Return confusion matrices, and the names of their rows: the labels, or those of a data frame.

    A frame is read by its names: its columns are put in the order of its rows, and both in the order of *labels* if
    these are given.  One whose rows and columns are 0, 1, ..., k - 1, which are not the names of those classes, is a
    frame without names.

    :returns: the matrices, and None if their rows have no names
    :raises InputError: on labels that are not a list of labels, each once, and on names of a frame that do not fit each
        other, the labels or the weights

    >>> named_rows([[1, 0], [0, 1]], ["cat", "dog"], "macro")
    ([[1, 0], [0, 1]], ['cat', 'dog'])
    """
    given = None if labels is None else checked_labels(labels)
    matrices, rows = named_matrices(confusion)
    wanted = average.classes if isinstance(average, NamedClasses) else given
    if rows is None or (rows == list(range(len(rows))) and wanted is not None and set(rows) != set(wanted)):
        return matrices, given
    if given is not None and set(given) != set(rows):
        raise InputError(
            f"C has the rows {listed(rows)} and labels names {listed(given)}; leave labels= out, or pass C.to_numpy()"
        )
    if isinstance(average, NamedClasses) and set(rows) != set(average.classes):
        raise InputError(
            f"C has the rows {listed(rows)} and average weights for {listed(average.classes)}; pass C.to_numpy() if "
            "its rows are in the order of the weights"
        )
    if given is None or given == rows:
        return matrices, rows
    places = [rows.index(label) for label in given]
    return np.asarray(matrices)[..., places, :][..., :, places], given


def place_of_positive(positive: SupportsIndex, names: Sequence[Hashable] | None) -> SupportsIndex:
    """Return the index of the positive class, having checked that it is not meant as a name.

    :param names: those of the rows, if they have any
    :raises InputError: if the names hold the index as that of another row

    >>> place_of_positive(1, ["no", "yes"]), place_of_positive(1, [0, 1])
    (1, 1)
    """
    index = int(positive) if isinstance(positive, int | np.integer) else None
    if index is not None and names is not None and index in names and names.index(index) != index:
        raise InputError(
            f"positive={index} is the index of a row, and the rows of C are {listed(names)}, so that it is the name of "
            f"another one; put them in the order {listed(names[::-1])}, or pass C.to_numpy()"
        )
    return positive


def weighted_mean(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the mean over the last axis of the values that are not nan; nan where none of them has a weight.

    :param values: shape (..., k)
    :param weights: non-negative, of a shape that broadcasts with the values

    >>> weighted_mean(np.array([1.0, np.nan, 0.0]), np.array([3.0, 5.0, 1.0]))
    array(0.75)
    """
    if weights.ndim == 1 and weights.any() and bool(np.isfinite(values).all()):
        return np.asarray((values * weights).sum(axis=-1) / weights.sum())
    counted = np.where(np.isnan(values), 0.0, weights)
    total = counted.sum(axis=-1)
    weighted = np.multiply(counted, values, out=np.zeros(counted.shape), where=counted > 0).sum(axis=-1)
    mean: FloatArray = np.divide(weighted, total, out=np.full(total.shape, np.nan), where=total > 0)
    return mean


def as_zero_division(value: float) -> float:
    """Return the value that stands for 0/0, checked.

    :raises InputError: if it is not a real number

    >>> as_zero_division(0)
    0.0
    """
    if not isinstance(value, int | float | np.integer | np.floating | np.bool_):
        raise InputError(f"zero_division={shown(value)} is not a number; pass nan, 0, 1 or another float")
    return float(value)


def refuse_named_weights(average: object) -> None:
    """Refuse weights with names that would be taken by place.

    :raises InputError: on a mapping and on a Series

    >>> refuse_named_weights({"cat": 1})
    Traceback (most recent call last):
    symmetrics.errors.InputError: average={'cat': 1} has weights by name; pass symmetrics.relevance.scores(...), ...
    """
    if isinstance(average, Mapping) or (hasattr(average, "items") and hasattr(average, "index")):
        raise InputError(
            f"average={shown(average)} has weights by name; pass symmetrics.relevance.scores(...), which has them by "
            "class"
        )


def _class_weights(average: Average, cells: Cells) -> FloatArray | None:
    """Return the weights of the classes, of shape (k,) or (..., k), or None for no average."""
    classes = cells.tp.shape[-1]
    if average is None:
        return None
    if not isinstance(average, str):
        refuse_named_weights(average)
        given = average.weights if isinstance(average, WeightedClasses) else average
        weights = as_weights(given, classes, "average", "class")
        return np.asarray(weights / weights.max())
    if average == "macro":
        return np.ones(classes)
    if average == "weighted":
        return np.asarray(cells.tp + cells.fn)
    choices = ", ".join(repr(choice) for choice in AVERAGES)
    raise InputError(f"average={shown(average)} is not one of {choices}, None, a relevance or one weight per class")


def _in_memory_order(evaluate: Callable[[Cells], FloatArray], cells: Cells) -> FloatArray:
    """Return values in the order in which the cells lie in memory: the evaluation goes cell by cell."""
    if cells.tp.ndim == 2 and not cells.tp.flags.c_contiguous:
        return evaluate(Cells(*(cell.T for cell in cells))).T
    return evaluate(cells)


def filled(values: FloatArray, fill: float) -> FloatArray:
    """Return values with every nan replaced by a number, which may be nan itself.

    >>> filled(np.array([0.5, np.nan]), 0.0).tolist()
    [0.5, 0.0]
    """
    values = np.asarray(values, dtype=np.float64)
    return values if math.isnan(fill) else np.where(np.isnan(values), fill, values)
