"""Averages over classes as estimators: one number from all k*k entries, whose classes vary together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from symmetrics.numeric.averaging import POOLED, Average, average_cells
from symmetrics.numeric.counts import Cells, FloatArray, one_vs_rest
from symmetrics.numeric.intervals.estimators import Formula, Groups
from symmetrics.numeric.intervals.scales import Range

__all__ = ["ClassAverage", "matrix_groups"]


def matrix_groups(classes: int, sampling: str) -> Groups:
    """Return which entries of a flattened k*k table have a fixed sum: all of them, or those of each row."""
    places = np.arange(classes * classes)
    rows = [places] if sampling == "multinomial" else np.split(places, classes)
    return tuple(tuple(map(int, row)) for row in rows)


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
        """That of the metric: an average stays between the least and the greatest of its classes."""
        return self.formula.range

    @property
    def share(self) -> float:
        """2/(k*(k - 1)): so the errors get as much in all, however many classes they are spread over."""
        return 2 / (self.classes * (self.classes - 1))

    def values(self, entries: FloatArray) -> FloatArray:
        """Return the values at tables of shape (k*k, ...), row by row."""
        return average_cells(lambda cells: self.formula.values(np.stack(cells)), self._cells(entries), self.average)

    def slopes(self, entries: FloatArray) -> FloatArray:
        """Return the derivatives by the entries, with the classes' weights of ``"weighted"`` moving along."""
        cells = self._cells(entries)
        k = self.classes
        if isinstance(self.average, str) and self.average in POOLED:
            pooled = np.stack([cell.sum(axis=-1, keepdims=True) for cell in cells])
            by_cell = np.broadcast_to(self.formula.slopes(pooled), (4, *cells.tp.shape))
            return np.asarray(self._by_entry(by_cell).sum(axis=-1).reshape(entries.shape))
        by_cell = self.formula.slopes(np.stack(cells))
        weights = self._weights(cells)
        slopes = (self._by_entry(by_cell) * weights).sum(axis=-1)
        if isinstance(self.average, str) and self.average == "weighted":
            values = self.formula.values(np.stack(cells))
            moved = (values - (values * weights).sum(axis=-1, keepdims=True)) / entries.sum(axis=0)[..., None]
            slopes = slopes + np.moveaxis(moved, -1, 0)[:, None]
        return np.asarray(slopes.reshape(k * k, *entries.shape[1:]))

    def _cells(self, entries: FloatArray) -> Cells:
        matrices = np.moveaxis(entries, 0, -1).reshape(*entries.shape[1:], self.classes, self.classes)
        return one_vs_rest(matrices)

    def _weights(self, cells: Cells) -> FloatArray:
        if isinstance(self.average, str):
            weights = cells.tp + cells.fn if self.average == "weighted" else np.ones_like(cells.tp)
        else:
            weights = np.broadcast_to(np.asarray(getattr(self.average, "weights", self.average), float), cells.tp.shape)
        return np.asarray(weights / weights.sum(axis=-1, keepdims=True))

    def _by_entry(self, by_cell: FloatArray) -> FloatArray:
        """Return, for entry (i, j), what it moves in each class: shape (k, k, ..., k)."""
        k = self.classes
        i, j, c = np.ogrid[:k, :k, :k]
        place = np.where((i == c) & (j == c), 0, np.where(i == c, 1, np.where(j == c, 2, 3)))
        return np.stack([np.stack([by_cell[place[i, j], ..., np.arange(k)].T for j in range(k)]) for i in range(k)])
