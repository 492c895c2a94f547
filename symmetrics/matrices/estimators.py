"""What intervals of metrics of matrices are made of: the value and its slopes, from all k*k entries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr

from symmetrics.matrices.compiled import Block, evaluate_block
from symmetrics.matrices.nodes import MEANS, C, i, over, r, s
from symmetrics.matrices.slopes import slopes_block
from symmetrics.matrices.units import is_free_of_unit
from symmetrics.numeric.averaging import Average, in_usual_unit
from symmetrics.numeric.counts import FloatArray, one_vs_rest
from symmetrics.numeric.intervals.averages import average_over, matrix_share, weighs_alike
from symmetrics.numeric.intervals.scales import Range

__all__ = ["LessBias", "WholeMatrix"]

_ACCURACY: Final = over(C[i, i], i) / over(C[r, s], r, s)

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

    @property
    def is_of_right(self) -> bool:
        """Whether it is accuracy or the error rate, a monotone function of how many examples are right."""
        return self.definition in (_ACCURACY, 1 - _ACCURACY)

    def values(self, entries: FloatArray) -> FloatArray:
        """Return the values at tables of shape (k*k, ...)."""
        flat = entries.reshape(len(entries), -1)
        values = np.empty(flat.shape[1])
        for part, matrices, _ in self._blocks(flat):
            cells = one_vs_rest(matrices)
            values[part] = evaluate_block(self.definition, cells, matrices, self.average, np.nan, self.range)
        return values.reshape(entries.shape[1:])

    def slopes(self, entries: FloatArray) -> FloatArray:
        """Return the derivatives by the entries, of the shape of the entries."""
        flat = entries.reshape(len(entries), -1)
        slopes = np.empty(flat.shape)
        for part, matrices, powers in self._blocks(flat):
            found = slopes_block(self.definition, one_vs_rest(matrices), matrices, self.average)
            found = np.ldexp(found, powers)  # of a multiple c*C the slopes are those of C over c
            slopes[:, part] = found.reshape(len(found), -1).T
        return slopes.reshape(entries.shape)

    def defined(self, entries: FloatArray) -> NDArray[np.bool_]:
        """Return which classes have a value in the means of the definition, at tables of shape (k*k, tables).

        Where these differ from one mean to another, or none weighs classes alike at all tables, every class counts.
        """
        every = np.ones((entries.shape[1], self.classes), dtype=np.bool_)
        if not self.definition.atoms(*MEANS) or not weighs_alike(self.average):
            return every
        for part, found in self._known(entries):
            every[part] = np.where(np.all(found == found[0], axis=(0, 2))[:, None], found[0], True)
        return every

    def _known(self, entries: FloatArray) -> Iterator[tuple[slice, NDArray[np.bool_]]]:
        """Yield parts of the tables, and which classes have a value in each mean: shape (means, part, k)."""
        means = self.definition.atoms(*MEANS)
        for part, matrices, _ in self._blocks(entries):
            block = Block(matrices, one_vs_rest(matrices), self.average, np.nan)
            with np.errstate(all="ignore"):
                found = [~np.isnan(block.class_values(mean)) for mean in means]
            yield part, np.array(found, dtype=np.bool_).reshape(len(means), len(matrices), self.classes)

    def left_out(self, entries: FloatArray) -> NDArray[np.bool_]:
        """Return which classes a mean of the definition leaves out at tables of shape (k*k, tables): (tables, k)."""
        found = [known for _, known in self._known(entries)]
        return ~np.concatenate([each.all(axis=0) for each in found]) if found else np.zeros((0, self.classes), np.bool_)

    def of_defined(self, known: NDArray[np.bool_]) -> WholeMatrix:
        """Return the same with means over some classes alone."""
        return replace(self, average=average_over(self.average, known))

    def _blocks(self, flat: FloatArray) -> Iterator[tuple[slice, FloatArray, NDArray[np.intc] | np.intc]]:
        """Yield parts of the tables, the matrices in a unit of usual size, and the powers of two that they are by."""
        step = max(1, _AT_ONCE // len(flat))
        is_free = is_free_of_unit(self.definition)
        for start in range(0, flat.shape[1], step):
            part = slice(start, start + step)
            matrices = flat[:, part].T.reshape(-1, self.classes, self.classes)
            yield part, *(in_usual_unit(matrices) if is_free else (matrices, np.intc(0)))


@dataclass(frozen=True)
class LessBias:
    """An estimator less the bias of its value that leaving out one example at a time shows (the jackknife).

    Entropies of observed shares are too small on average, the more so the more entries there are (Miller 1955), and
    what is made of them is off by as much; this takes away what is of the order of 1/n (Zahl 1977).  A value goes at
    most half way to an end of its range.

    :param whole: the estimator from the matrix

    >>> from symmetrics.matrices import multiclass
    >>> rci = WholeMatrix(multiclass["rci"].definition, 2, Range(0.0, 1.0))
    >>> entries = np.array([6.0, 5.0, 4.0, 6.0])
    >>> float(rci.values(entries).round(4)), float(LessBias(rci).values(entries).round(4))
    (0.0153, 0.0077)
    """

    whole: WholeMatrix

    @property
    def classes(self) -> int:
        """The number of classes."""
        return self.whole.classes

    @property
    def range(self) -> Range:
        """That of the whole."""
        return self.whole.range

    @property
    def share(self) -> float:
        """What part of what is added to a cell is added to each entry."""
        return self.whole.share

    def values(self, entries: FloatArray) -> FloatArray:
        """Return the values less their bias at tables of shape (k*k, ...)."""
        values, number = self.whole.values(entries), entries.sum(axis=0)
        moved = np.zeros_like(values)  # by leaving out an example of each entry, summed over examples
        for place in range(len(entries)):
            if entries[place].any():
                without = entries.copy()
                without[place] = np.maximum(without[place] - 1.0, 0.0)
                moved += entries[place] * np.nan_to_num(self.whole.values(without) - values)
        bias = np.divide((number - 1) * moved, number, out=np.zeros_like(values), where=number > 1)
        low, high = self.range
        return np.asarray(np.clip(values - bias, (values + low) / 2, (values + high) / 2))

    def defined(self, entries: FloatArray) -> NDArray[np.bool_]:
        """Those of the whole."""
        return self.whole.defined(entries)

    def left_out(self, entries: FloatArray) -> NDArray[np.bool_]:
        """Those of the whole."""
        return self.whole.left_out(entries)

    def of_defined(self, known: NDArray[np.bool_]) -> LessBias:
        """Return the same of some classes alone."""
        return LessBias(self.whole.of_defined(known))

    def slopes(self, entries: FloatArray) -> FloatArray:
        """Return the derivatives of the value; those of its bias are of a smaller order."""
        return self.whole.slopes(entries)
