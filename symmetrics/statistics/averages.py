"""Class averages as estimators of the k*k entries, whose classes are correlated."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from symmetrics.data.counts import Cells, FloatArray, one_vs_rest, shown
from symmetrics.numeric.averaging import POOLED, Average, average_cells, weighted_mean
from symmetrics.numeric.plans import Computable
from symmetrics.statistics.intervals import Estimator, Formula, Groups, Range, fixed_sums
from symmetrics.statistics.proportions import Proportion, shape_of
from symmetrics.tools.errors import InputError

_AT_ONCE: Final = 1 << 20
"""Number of matrix entries processed per step."""


def one_value(average: Average) -> Average:
    """Return the average as one value for all classes.

    :raises InputError: on None and on ``"binary"``, which are no averages
    """
    if average is None or (isinstance(average, str) and average == "binary"):
        raise InputError(f"average={shown(average)} is no average over classes; pass 'macro', 'micro', 'weighted', ...")
    return average


def matrix_groups(classes: int, sampling: str, tables: int = 1) -> Groups:
    """Return which entries of stacked k*k tables have a fixed sum: all of a table, or those of each row.

    >>> matrix_groups(2, "binomial", tables=2)
    ((0, 1), (2, 3), (4, 5), (6, 7))
    """
    return fixed_sums(tables * classes**2, tables * (1 if sampling == "multinomial" else classes))


def matrix_share(classes: int) -> float:
    """Return 2/(k*(k - 1)), which keeps the total added to the errors the same for every number of classes.

    :raises InputError: on a single class
    """
    if classes < 2:
        raise InputError(f"C has {classes} class, so that nothing can be wrong; pass a matrix of two or more")
    return 2 / (classes * (classes - 1))


@dataclass(frozen=True)
class ClassAverage:
    """An average of a formula over the classes of a k*k table, each against the rest.

    The classes share their examples, so that their errors go together: the slope by an entry is the sum of what it
    moves in every class.

    :param formula: the metric of one class
    :param classes: k
    :param average: as for :func:`symmetrics.numeric.averaging.average_cells`
    """

    formula: Formula
    classes: int
    average: Average = "macro"

    @property
    def range(self) -> Range:
        """The metric's range: an average lies between its smallest and largest class value."""
        return self.formula.range

    @property
    def share(self) -> float:
        """Fraction of the per-cell pseudo-count that is added to each entry."""
        return matrix_share(self.classes)

    @property
    def is_of_right(self) -> bool:
        """Whether the value is a monotone function of the number of correct examples, as micro-averaged recall is."""
        return isinstance(self.average, str) and self.average == "micro" and _is_share_of_right(self.formula.expression)

    def values(self, entries: FloatArray) -> FloatArray:
        """Return the values at tables of shape (k*k, ...), row by row."""
        return average_cells(lambda cells: self.formula.values(np.stack(cells)), self._cells(entries), self.average)

    def slopes(self, entries: FloatArray) -> FloatArray:
        """Return the derivatives by the entries, including those of the class weights for ``"weighted"``."""
        cells = self._cells(entries)
        if isinstance(self.average, str) and self.average in POOLED:
            pooled = np.stack([cell.sum(axis=-1, keepdims=True) for cell in cells])
            by_cell = np.broadcast_to(self.formula.slopes(pooled), (4, *cells.tp.shape))
        else:
            stacked = np.stack(cells)
            by_cell = mean_slopes(self.formula.values(stacked), self.formula.slopes(stacked), cells, self.average)
        return np.moveaxis(entry_slopes(by_cell), (-2, -1), (0, 1)).reshape(entries.shape)

    def defined(self, entries: FloatArray) -> NDArray[np.bool_]:
        """Return which classes have a value at tables of shape (k*k, tables): shape (tables, k).

        Where all classes are pooled, or the weights are those of examples, every class counts.
        """
        if not weighs_alike(self.average):
            return np.ones((entries.shape[1], self.classes), dtype=np.bool_)
        return ~np.isnan(self.formula.values(np.stack(self._cells(entries))))

    def left_out(self, entries: FloatArray) -> NDArray[np.bool_]:
        """Mask of classes that the mean omits at tables of shape (k*k, tables), because they are undefined."""
        if isinstance(self.average, str) and self.average in POOLED:
            return np.zeros((entries.shape[1], self.classes), dtype=np.bool_)
        return np.isnan(self.formula.values(np.stack(self._cells(entries)))) & self._weighs

    @property
    def _weighs(self) -> NDArray[np.bool_]:
        if isinstance(self.average, str):
            return np.ones(self.classes, dtype=np.bool_)
        return np.asarray(getattr(self.average, "weights", self.average), dtype=float) > 0

    def of_defined(self, known: NDArray[np.bool_]) -> Self:
        """Return the mean restricted to some classes, a mask of shape (k,)."""
        return replace(self, average=average_over(self.average, known))

    def _cells(self, entries: FloatArray) -> Cells:
        matrices = np.moveaxis(entries, 0, -1).reshape(*entries.shape[1:], self.classes, self.classes)
        return one_vs_rest(matrices)


@dataclass(frozen=True)
class RightAndWrong(ClassAverage):
    """A formula evaluated with TP = number of correct and FN = number of wrong examples of a k*k table."""

    @property
    def is_of_right(self) -> bool:
        """Whether the value is a monotone function of the number of correct examples."""
        return _is_share_of_right(self.formula.expression, empty=frozenset({2, 3}))

    def values(self, entries: FloatArray) -> FloatArray:
        """Return the values at tables of shape (k*k, ...), row by row."""
        return self.formula.values(self._counted(entries))

    def slopes(self, entries: FloatArray) -> FloatArray:
        """Return the derivatives by the entries."""
        by_right, by_wrong, _, _ = self.formula.slopes(self._counted(entries))
        is_right = np.eye(self.classes, dtype=np.bool_).reshape(-1, *[1] * (entries.ndim - 1))
        return np.asarray(np.where(is_right, by_right, by_wrong))

    def left_out(self, entries: FloatArray) -> NDArray[np.bool_]:
        """Return an empty mask: there is no mean over classes."""
        return np.zeros((entries.shape[1], self.classes), dtype=np.bool_)

    def _counted(self, entries: FloatArray) -> FloatArray:
        right = entries[:: self.classes + 1].sum(axis=0)
        none = np.zeros_like(right)
        return np.stack([right, entries.sum(axis=0) - right, none, none])


class MatrixEstimator(Estimator, Protocol):
    """A number computed from the k*k entries of a matrix, row by row."""

    @property
    def classes(self) -> int:
        """The number of classes k."""

    def defined(self, entries: FloatArray) -> NDArray[np.bool_]:
        """Mask of classes that a mean includes at tables of shape (k*k, tables), because they are defined: (tables, k).

        The value leaves the others out, such as the recall of a class without examples; with what is added to each
        entry they would have one, of which nothing is known however many examples there are.
        """

    def left_out(self, entries: FloatArray) -> NDArray[np.bool_]:
        """Mask of classes that a mean omits at tables of shape (k*k, tables), as they are undefined: (tables, k)."""

    def of_defined(self, known: NDArray[np.bool_]) -> MatrixEstimator:
        """Return the estimator with its means restricted to some classes, a mask of shape (k,)."""


def weighs_alike(average: Average) -> bool:
    """Whether the weights of classes are the same at all tables."""
    return not isinstance(average, str) or average == "macro"


def average_over(average: Average, known: NDArray[np.bool_]) -> Average:
    """Restrict an average to some classes; unchanged if these are all classes, or none of them has a weight.

    >>> average_over("macro", np.array([True, False]))
    array([1., 0.])
    """
    if known.all() or not weighs_alike(average):
        return average
    given = 1.0 if isinstance(average, str) else np.asarray(getattr(average, "weights", average), dtype=float)
    weights = np.where(known, given, 0.0)
    return weights if weights.any() else average


@dataclass(frozen=True)
class OccurringClasses:
    """An estimator restricted to the classes that occur, in truth or as predictions.

    Of a class that does not occur a matrix tells nothing: what is added to its entries, or drawn for them, would be a
    guess.  The value leaves it out of means, and so does its interval.

    :param whole: the estimator from the matrix of all classes
    :param present: the indices of the classes that occur, two or more
    """

    whole: MatrixEstimator
    present: tuple[int, ...]

    @property
    def classes(self) -> int:
        """The number of classes that occur."""
        return len(self.present)

    @property
    def range(self) -> Range:
        """The range of the full estimator."""
        return self.whole.range

    @property
    def share(self) -> float:
        """Fraction of the per-cell pseudo-count that is added to each entry."""
        return matrix_share(self.classes)

    @property
    def is_of_right(self) -> bool:
        """Whether this holds for the full estimator."""
        return bool(getattr(self.whole, "is_of_right", False))

    @property
    def places(self) -> NDArray[np.intp]:
        """Indices of the entries in the full matrix."""
        rows = np.array(self.present)
        return np.asarray((rows[:, None] * self.whole.classes + rows).reshape(-1))

    def values(self, entries: FloatArray) -> FloatArray:
        """Return the values at tables of the occurring classes, in blocks: the full tables have more entries."""
        flat = entries.reshape(len(entries), -1)
        values, step = np.empty(flat.shape[1]), max(1, _AT_ONCE // self.whole.classes**2)
        for start in range(0, len(values), step):
            part = slice(start, start + step)
            values[part] = self.whole.values(self._spread(flat[:, part]))
        return values.reshape(entries.shape[1:])

    def slopes(self, entries: FloatArray) -> FloatArray:
        """Return the derivatives by the entries of the classes that occur."""
        return self.whole.slopes(self._spread(entries))[self.places]

    def defined(self, entries: FloatArray) -> NDArray[np.bool_]:
        """Return which of the classes that occur have a value."""
        return self.whole.defined(self._spread(entries))[:, self.present]

    def left_out(self, entries: FloatArray) -> NDArray[np.bool_]:
        """Return which of the classes that occur a mean leaves out."""
        return self.whole.left_out(self._spread(entries))[:, self.present]

    def of_defined(self, known: NDArray[np.bool_]) -> OccurringClasses:
        """Return the same estimator with means restricted to some of the occurring classes."""
        of_all = np.zeros(self.whole.classes, dtype=np.bool_)
        of_all[list(self.present)] = known
        return replace(self, whole=self.whole.of_defined(of_all))

    def _spread(self, entries: FloatArray) -> FloatArray:
        whole = np.zeros((self.whole.classes**2, *entries.shape[1:]))
        whole[self.places] = entries
        return whole


def _is_share_of_right(expression: Computable, empty: frozenset[int] = frozenset()) -> bool:
    """Whether a formula depends only on the proportion of TP (correct) among TP and one of FN and FP (wrong).

    :param empty: places of cells that are 0
    """
    made_of = shape_of(expression)
    if not isinstance(made_of, Proportion):
        return False
    sides = {*made_of.successes} - empty, {*made_of.failures} - empty
    return any(right == {0} and wrong and wrong <= {1, 2} for right, wrong in (sides, sides[::-1]))


def mean_slopes(values: FloatArray, by_cell: FloatArray, cells: Cells, average: Average) -> FloatArray:
    """Return the derivatives of a mean over classes by the cells of each, of shape (4, ..., k).

    :param values: what the mean is of, shape (..., k), nan for a class that has none and is left out
    :param by_cell: its derivatives by the cells of the class, shape (4, ..., k)
    :param average: any but the pooled ones; the weights of ``"weighted"`` move with the cells
    """
    known = ~np.isnan(values)
    by_support = isinstance(average, str) and average == "weighted"
    if isinstance(average, str) or average is None:
        given = cells.tp + cells.fn if by_support else np.ones_like(cells.tp)
    else:
        given = np.broadcast_to(np.asarray(getattr(average, "weights", average), float), cells.tp.shape)
    # The mean is sum(w*m)/sum(w): each cell moves m by the normalised weight of its class ...
    weights = np.where(known, given, 0.0)
    total = weights.sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):  # no class with a weight is defined
        slopes = np.where(weights > 0, by_cell * (weights / total), 0.0)
        if by_support:
            # ... and, where the weights are the supports TP + FN, w as well, by (m - mean)/sum(w).
            moved = np.where(known, values - weighted_mean(values, weights)[..., None], 0.0) / total
            slopes[:2] += moved
    return slopes


def entry_slopes(by_cell: FloatArray, *, correct_others: bool = False) -> FloatArray:
    """Return derivatives by the entries, (..., k, k), from those by the cells of each class, (4, ..., k).

    Entry (i, i) is in the TP of class i and in the TN of all others; entry (i, j) is in the FN of class i, in the FP of
    class j, and in the TN of the others.

    :param correct_others: the TN of a class are but the correctly predicted examples of the others

    >>> entry_slopes(np.array([[1.0, 2.0], [10.0, 20.0], [100.0, 200.0], [1000.0, 2000.0]])).tolist()
    [[2001.0, 210.0], [120.0, 1002.0]]
    """
    tp, fn, fp, tn = by_cell
    classes = tp.shape[-1]
    # An entry of the diagonal: the TN of all other classes.
    of_others = tn @ (1.0 - np.eye(classes))
    # An entry beside it: the FN of its row, the FP of its column, the TN of the rest.
    off_diagonal = fn[..., :, None] + fp[..., None, :]
    if not correct_others:
        off_diagonal = off_diagonal + (of_others[..., :, None] - tn[..., None, :])
    diagonal = (tp + of_others)[..., :, None]
    return np.asarray(np.where(np.eye(classes, dtype=np.bool_), diagonal, off_diagonal))
