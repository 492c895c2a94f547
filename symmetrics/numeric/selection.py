"""Classes by name: those that are averaged over, and the rows of a matrix to which weights of classes belong."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from symmetrics.numeric.averaging import Average, NamedClasses, refuse_named_weights
from symmetrics.numeric.counts import Cells, FloatArray, shown
from symmetrics.numeric.encoding import checked_labels, listed
from symmetrics.numeric.labels import selected_confusion
from symmetrics.tools.errors import InputError
from symmetrics.tools.frames import named_matrices
from symmetrics.tools.missing import Missing
from symmetrics.tools.words import number_of


class SelectedClasses(NamedTuple):
    """The confusion matrix of examples, and the classes that are averaged over.

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

    :param missing, merged: as for :func:`symmetrics.numeric.labels.selected_confusion`
    :raises InputError: as :func:`symmetrics.numeric.labels.confusion_matrix`, and on a label that has no weight

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

    >>> from symmetrics.numeric.counts import one_vs_rest
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
