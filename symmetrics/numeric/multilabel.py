"""Examples with any number of labels each: rows of a matrix in which column j says whether label j applies."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.numeric.averaging import Average, average_cells
from symmetrics.numeric.counts import Cells, FloatArray, as_weights, shown
from symmetrics.tools.errors import InputError
from symmetrics.tools.frames import same_columns

_ADVICE: Final = "pass average='samples', 'macro', 'micro', 'weighted' or None"


def is_indicator(values: object) -> bool:
    """Whether what stands for labels is a matrix of them, dense, sparse or as rows in a list.

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
    except Exception:  # what stands behind __array__ and toarray is code of others
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
    """Return the columns of an indicator matrix that are named by their numbers.

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
