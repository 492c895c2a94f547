"""What intervals of metrics of matrices are made of: the value and its slopes, from all k*k entries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sympy import Expr

from symmetrics.matrices.compiled import evaluate_block
from symmetrics.matrices.slopes import slopes_block
from symmetrics.numeric.averaging import Average
from symmetrics.numeric.counts import FloatArray, one_vs_rest
from symmetrics.numeric.intervals.averages import matrix_share
from symmetrics.numeric.intervals.scales import Range

__all__ = ["OccurringClasses", "WholeMatrix"]

_AT_ONCE = 1 << 16
"""Entries worked on at a time, so that what is between stays in the processor's cache."""


@dataclass(frozen=True)
class WholeMatrix:
    """A definition over a matrix of so many classes, as an estimator from its entries, row by row.

    :param definition: in the language of :mod:`symmetrics.matrices.nodes`, without free parameters
    :param classes: k
    :param range: of its values
    :param average: how means over classes weigh them, with one value for all classes

    >>> from symmetrics.matrices import multiclass
    >>> accuracy = WholeMatrix(multiclass["accuracy"].definition, 2, Range(0.0, 1.0))
    >>> entries = np.array([6.0, 1.0, 1.0, 2.0])
    >>> float(accuracy.values(entries)), accuracy.slopes(entries).round(3).tolist()
    (0.8, [0.02, -0.08, -0.08, 0.02])
    """

    definition: Expr
    classes: int
    range: Range
    average: Average = "macro"

    @property
    def share(self) -> float:
        """What part of what is added to a cell is added to each entry."""
        return matrix_share(self.classes)

    def values(self, entries: FloatArray) -> FloatArray:
        """Return the values at tables of shape (k*k, ...)."""
        flat = entries.reshape(len(entries), -1)
        values = np.empty(flat.shape[1])
        for part, matrices in self._blocks(flat):
            cells = one_vs_rest(matrices)
            values[part] = evaluate_block(self.definition, cells, matrices, self.average, np.nan, self.range)
        return values.reshape(entries.shape[1:])

    def slopes(self, entries: FloatArray) -> FloatArray:
        """Return the derivatives by the entries, of the shape of the entries."""
        flat = entries.reshape(len(entries), -1)
        slopes = np.empty(flat.shape)
        for part, matrices in self._blocks(flat):
            found = slopes_block(self.definition, one_vs_rest(matrices), matrices, self.average)
            slopes[:, part] = found.reshape(len(found), -1).T
        return slopes.reshape(entries.shape)

    def _blocks(self, flat: FloatArray) -> list[tuple[slice, FloatArray]]:
        step = max(1, _AT_ONCE // len(flat))
        parts = [slice(start, start + step) for start in range(0, flat.shape[1], step)]
        return [(part, flat[:, part].T.reshape(-1, self.classes, self.classes)) for part in parts]


@dataclass(frozen=True)
class OccurringClasses:
    """An estimator from the entries of those classes alone that occur, in truth or as predictions.

    Of a class that does not occur a matrix tells nothing: what is added to its entries, or drawn for them, would be a
    guess.  The value leaves it out of means, and so does its interval.

    :param whole: the estimator from the matrix of all classes
    :param present: the places of the classes that occur, two or more
    """

    whole: WholeMatrix
    present: tuple[int, ...]

    @property
    def range(self) -> Range:
        """That of the whole."""
        return self.whole.range

    @property
    def share(self) -> float:
        """What part of what is added to a cell is added to each entry."""
        return matrix_share(len(self.present))

    @property
    def places(self) -> NDArray[np.intp]:
        """Where the entries stand in the whole."""
        rows = np.array(self.present)
        return np.asarray((rows[:, None] * self.whole.classes + rows).reshape(-1))

    def values(self, entries: FloatArray) -> FloatArray:
        """Return the values at tables of the classes that occur."""
        return self.whole.values(self._spread(entries))

    def slopes(self, entries: FloatArray) -> FloatArray:
        """Return the derivatives by the entries of the classes that occur."""
        return self.whole.slopes(self._spread(entries))[self.places]

    def _spread(self, entries: FloatArray) -> FloatArray:
        whole = np.zeros((self.whole.classes**2, *entries.shape[1:]))
        whole[self.places] = entries
        return whole
