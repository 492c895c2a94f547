"""Averages of a binary metric over the classes of one-vs-rest cells: a weighting of the last axis."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from symmetrics.errors import InputError
from symmetrics.numeric.counts import Cells, FloatArray, as_weights, shown

__all__ = ["AVERAGES", "Average", "WeightedClasses", "as_zero_division", "average_cells", "weighted_mean"]

AVERAGES: Final = ("macro", "micro", "weighted")
"""The averages over classes that have a name."""


@runtime_checkable
class WeightedClasses(Protocol):
    """Anything that carries one weight per class, such as a relevance."""

    @property
    def weights(self) -> ArrayLike:
        """One non-negative weight per class, in the order of the classes."""


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
        ``"micro"`` adds the cells up over the classes and evaluates once; None returns the values, of shape (..., k);
        an array of k weights, or an object with such *weights*, weighs by them
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
    if isinstance(average, str) and average == "micro":
        return _filled(evaluate(Cells(*(np.asarray(cell.sum(axis=-1)) for cell in cells))), fill)
    weights = _class_weights(average, cells)
    values = _filled(evaluate(cells), fill)
    return values if weights is None else _filled(weighted_mean(values, weights), fill)


def weighted_mean(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the mean over the last axis of the values that are not nan; nan where none of them has a weight.

    :param values: shape (..., k)
    :param weights: non-negative, of a shape that broadcasts with the values

    >>> weighted_mean(np.array([1.0, np.nan, 0.0]), np.array([3.0, 5.0, 1.0]))
    array(0.75)
    """
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


def _class_weights(average: Average, cells: Cells) -> FloatArray | None:
    """Return the weights of the classes, of shape (k,) or (..., k), or None for no average."""
    classes = cells.tp.shape[-1]
    if average is None:
        return None
    if not isinstance(average, str):
        given = average.weights if isinstance(average, WeightedClasses) else average
        weights = as_weights(given, classes, "average", "class")
        return np.asarray(weights / weights.max())
    if average == "macro":
        return np.ones(classes)
    if average == "weighted":
        return np.asarray(cells.tp + cells.fn)
    choices = ", ".join(repr(choice) for choice in AVERAGES)
    raise InputError(f"average={shown(average)} is not one of {choices}, None or an array of one weight per class")


def _filled(values: FloatArray, fill: float) -> FloatArray:
    values = np.asarray(values, dtype=np.float64)
    return values if math.isnan(fill) else np.where(np.isnan(values), fill, values)
