"""Class selection by name: the classes averaged over, and matching of named weights with matrix rows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Final, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.data.counts import Cells, FloatArray, as_weights, shown
from symmetrics.data.encoding import checked_labels, listed
from symmetrics.data.frames import named_matrices, same_columns
from symmetrics.data.labels import selected_confusion
from symmetrics.numeric.averaging import Average, NamedClasses, average_cells, refuse_named_weights
from symmetrics.tools.arguments import Missing
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of


class SelectedClasses(NamedTuple):
    """The confusion matrix of examples, and the classes that the average is taken over.

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
    missing: Missing = "refuse",
    merged: bool = False,
) -> SelectedClasses:
    """Return the confusion matrix of labels, and the average in the order of its rows.

    *labels* select the classes that are averaged over; errors between them and other classes count.  Weights of classes
    with names bring the classes along: without *labels* they are the names, whether they occur or not, so that the
    matrix does not depend on which classes happen to occur.

    :param missing, merged: as for :func:`symmetrics.data.labels.selected_confusion`
    :raises InputError: as :func:`symmetrics.data.labels.confusion_matrix`, and on a label that has no weight

    >>> averaged_confusion(["b", "a"], ["b", "b"], "macro").matrix.tolist()
    [[0.0, 1.0], [0.0, 1.0]]
    """
    matrix, found, count = selected_confusion(
        y_true, y_pred, labels=labels, sample_weight=sample_weight, missing=missing, merged=merged
    )
    if not isinstance(average, NamedClasses):
        return SelectedClasses(matrix, average, count)
    if labels is not None:
        return SelectedClasses(matrix, matched(average, found[:count], count), count)
    place = {name: index for index, name in enumerate(average.classes)}
    if unknown := [label for label in found if label not in place]:
        alike = [name for name in average.classes if str(name) == str(unknown[0])]
        advice = f"; name the classes as the labels are, {shown(unknown[0])} and not {shown(alike[0])}" if alike else ""
        known = listed(average.classes)
        raise InputError(
            f"label {shown(unknown[0])} occurs and has no weight; the classes with one are {known}{advice}"
        )
    places = [place[label] for label in found]
    spread = np.zeros((len(place), len(place)))
    spread[np.ix_(places, places)] = matrix
    return SelectedClasses(spread, average, len(place))


def selected_cells(cells: Cells, count: int) -> Cells:
    """Return the cells of the first classes, each against all others.

    >>> from symmetrics.data.counts import one_vs_rest
    >>> selected_cells(one_vs_rest([[5, 1, 0], [2, 6, 0], [0, 1, 1]]), 2).fp.tolist()
    [2.0, 2.0]
    """
    return Cells(*(cell[..., :count] for cell in cells))


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
            f"labels names {number_of(len(names), 'class')}, {listed(names)}, and C has {classes}; name every row of C"
        )
    if not isinstance(average, NamedClasses):
        return average
    if len(average.classes) != classes:
        have, known = len(average.classes), listed(average.classes)
        raise InputError(
            f"average has weights for {number_of(have, 'class')}, {known}, and C has {classes}; weigh every class of C"
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


# -- Examples with any number of labels each: rows of a matrix in which column j says whether label j applies ----------


_ADVICE: Final = "pass average='samples', 'macro', 'micro', 'weighted' or None"


def is_indicator(values: object) -> bool:
    """Whether the labels are an indicator matrix: dense, sparse, or a list of rows.

    A single column does not count as one: it may as well be one label per example.

    >>> is_indicator([[0, 1], [1, 1]]), is_indicator(np.zeros((3, 2))), is_indicator([(0, 1), (1, 1)])
    (True, True, False)
    >>> is_indicator(np.zeros((3, 1)))
    False
    """
    if isinstance(values, list | tuple):
        return bool(values) and isinstance(values[0], list | np.ndarray) and len(values[0]) != 1
    shape: tuple[int, ...] = getattr(values, "shape", ())
    return len(shape) == 2 and shape[1] != 1


def averaged_indicators(
    evaluate: Callable[[Cells], FloatArray],
    y_true: Any,
    y_pred: Any,
    average: Average,
    *,
    labels: Iterable[Hashable] | None = None,
    sample_weight: ArrayLike | None = None,
    zero_division: float = np.nan,
) -> FloatArray:
    """Return a metric of indicator matrices, averaged over their labels, or with ``"samples"`` over the examples.

    The columns of two data frames with the same names are matched by these.

    :param evaluate: the metric, from cells of any shape to values of that shape
    :param average: as for classes, each label being one against the rest; ``"samples"`` takes the metric of each row
        and the mean over the rows
    :param labels: which columns count, and their order; by default all
    :raises InputError: on matrices that are not of one shape or hold anything but 0 and 1, on ``average="binary"``, and
        on labels that are no columns

    >>> def recall(cells):
    ...     return cells.tp / (cells.tp + cells.fn)
    >>> averaged_indicators(recall, [[1, 1], [1, 0]], [[1, 0], [1, 1]], "samples")
    array(0.75)
    """
    if isinstance(average, str) and average == "binary":
        raise InputError(f"y_true has a row of labels per example; {_ADVICE}")
    true, predicted = indicator_matrix(y_true, "y_true"), indicator_matrix(y_pred, "y_pred")
    if true.shape != predicted.shape:
        raise InputError(
            f"y_true has the shape {true.shape} and y_pred {predicted.shape}; pass the same labels of both"
        )
    if (named := same_columns(y_true, y_pred, ("y_true", "y_pred"))) is not None:
        predicted = predicted[:, named]
    if labels is not None:
        places = label_places(labels, true.shape[1])
        true, predicted = true[:, places], predicted[:, places]
    examples = len(true)
    weight = None if sample_weight is None else as_weights(sample_weight, examples, "sample_weight", "example")
    if isinstance(average, str) and average == "samples":
        each = np.ones(examples) if weight is None else weight
        return average_cells(evaluate, _cells(true, predicted, axis=1), each, zero_division=zero_division)
    return average_cells(evaluate, _cells(true, predicted, weight), average, zero_division=zero_division)


def _cells(
    true: NDArray[np.bool_], predicted: NDArray[np.bool_], weight: FloatArray | None = None, *, axis: int = 0
) -> Cells:
    """Return the cells of each column, or with axis 1 of each row."""

    def counted(cell: NDArray[np.bool_]) -> FloatArray:
        found: FloatArray = np.count_nonzero(cell, axis=axis) if weight is None else weight @ cell
        return found.astype(np.float64)

    return Cells(*map(counted, (true & predicted, true & ~predicted, ~true & predicted, ~true & ~predicted)))


def indicator_matrix(values: Any, name: str) -> NDArray[np.bool_]:
    """Return an indicator matrix as booleans.

    :raises InputError: unless it is a matrix of 0 and 1

    >>> indicator_matrix([[0, 1]], "y_true").tolist()
    [[False, True]]
    """
    try:
        matrix = np.asarray(values.toarray() if hasattr(values, "toarray") else values)
    except Exception:  # __array__ and toarray run third-party code
        raise InputError(f"{name} cannot be read as a matrix; pass one row of 0 and 1 per example") from None
    if matrix.ndim != 2 or 0 in matrix.shape or matrix.dtype.kind not in "biufO":
        raise InputError(f"{name} is {shown(values)}; pass one row of 0 and 1 per example, a column per label")
    found: NDArray[np.bool_] = np.asarray(matrix == 1)
    wrong = ~(found | np.asarray(matrix == 0))
    if bool(wrong.any()):
        row, column = np.argwhere(wrong)[0]
        raise InputError(f"{name}[{row}, {column}] is {shown(matrix[row, column])}; pass 0 and 1, a column per label")
    return found


def label_places(labels: Iterable[Hashable], count: int) -> NDArray[np.intp]:
    """Return the columns of an indicator matrix that are selected by number.

    :raises InputError: unless there are such, each named once

    >>> label_places([2, 0], 3)
    array([2, 0])
    """
    named = list(labels)
    for label in named:
        if not isinstance(label, int | np.integer) or not 0 <= int(label) < count:
            raise InputError(f"labels names {shown(label)}, and the columns are numbered from 0 to {count - 1}")
    if len(set(named)) < len(named) or not named:
        raise InputError("labels names no column, or one more than once; name each column once")
    return np.array(named, dtype=np.intp)
