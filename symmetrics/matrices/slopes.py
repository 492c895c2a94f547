"""Derivatives of a definition with respect to matrix entries, in float64: reverse-mode differentiation.

What a definition is made of has a known derivative by its arguments, so that one pass from the value to the entries
gives all k*k derivatives, for as much work as a few values take.  An expression of several indices has an axis for each
of them, as in :mod:`symmetrics.matrices.compiled`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from flint import fmpq
from numpy.typing import NDArray
from sympy import Expr, Indexed, Sum

from symmetrics.data.counts import Cells, FloatArray, one_vs_rest
from symmetrics.matrices.arithmetic import doubtful, measure_of
from symmetrics.matrices.compiled import AXES, RANK, Block, compiled, evaluate_block
from symmetrics.matrices.expansion import Fractions, as_fractions, exact_value, is_free_of_unit
from symmetrics.matrices.nodes import (
    CLASS_CELLS,
    MEANS,
    C,
    CorrectClassMean,
    GeometricClassMean,
    i,
    over,
    r,
    s,
)
from symmetrics.matrices.operations import operation_of
from symmetrics.numeric.averaging import POOLED, Average, in_usual_unit
from symmetrics.statistics.averages import average_over, entry_slopes, matrix_share, mean_slopes, weighs_alike
from symmetrics.statistics.intervals import Formula, Range

_STEP: Final = fmpq(1, 2**100)
"""Relative step of symmetric differences."""


def slopes_block(definition: Expr, cells: Cells, matrices: NDArray[np.generic], average: Average) -> FloatArray:
    """Return the derivatives of a definition by the entries of n matrices, shape (n, k, k).

    Where several margins of a class are the largest, a larger one counts as much of each.  Classes without a value are
    left out of means.  A derivative that does not exist is nan or infinite.

    :param definition: an expression in the language of :mod:`symmetrics.matrices.nodes`, without free parameters
    :param cells: those of each class against the rest, of shape (n, k)
    :param average: how means over classes weigh them, with one value for all classes
    """
    block = Block(matrices, cells, average, float("nan"))
    tape = _Tape(block)
    with np.errstate(all="ignore"):
        tape.pull(definition, np.ones(len(matrices)))
        slopes = tape.by_entry + entry_slopes(tape.by_cell)
        lost = doubtful(block.value(definition), block.totals)
        for mean in definition.atoms(*MEANS) if lost.any() else ():
            lost &= np.isfinite(block.class_values(mean)).all(axis=-1)  # an undefined class stays left out
        for place in np.flatnonzero(lost):
            slopes[place] = _exact_slopes(definition, block, as_fractions(matrices[place]))
    return slopes


def _exact_slopes(definition: Expr, block: Block, entries: Fractions) -> list[list[float]]:
    """Return the derivatives at one matrix by symmetric differences with a tiny exact step."""

    def moved(row: int, column: int, step: fmpq) -> Fractions:
        return tuple(
            tuple(entry + step * ((r, c) == (row, column)) for c, entry in enumerate(line))
            for r, line in enumerate(entries)
        )

    def slope(row: int, column: int) -> float:
        step = max(entries[row][column], fmpq(1)) * _STEP
        up, down = (block.exactly(moved(row, column, sign * step)) for sign in (1, -1))
        return exact_value(lambda: (up.value(definition) - down.value(definition)) / (2 * step))

    every = range(len(entries))
    return [[slope(row, column) for column in every] for row in every]


class _Tape:
    """Reverse-mode differentiation: accumulates the derivatives by each entry and each cell of a class."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.by_entry = np.zeros(block.matrices.shape)
        self.by_cell = np.zeros((4, *block.cells.tp.shape))

    def pull(self, expression: Expr, weight: FloatArray) -> None:
        """Go back through an expression without free indices; the weight is the derivative by it, shape (n,)."""
        if isinstance(expression, MEANS):
            self.pull_mean(expression, weight)
        elif expression.has(*MEANS):
            values = [self.block.value(argument).values for argument in expression.args]
            for argument, slope in zip(expression.args, operation_of(expression)[1].slopes(*values), strict=True):
                self.pull(argument, weight * slope)
        else:
            self.pull_indexed(expression, weight.reshape(-1, *(1,) * (RANK - 1)))

    def pull_mean(self, mean: Expr, weight: FloatArray) -> None:
        """Backpropagate through a mean over classes to the cells of each."""
        block, average, (body,) = self.block, self.block.average, mean.args
        cells = block.cells_with_correct_others if isinstance(mean, CorrectClassMean) else block.cells
        is_pooled = isinstance(average, str) and average in POOLED
        if is_pooled:
            cells = Cells(*(cell.sum(axis=-1, keepdims=True) for cell in cells))
        values, slopes = measure_of(body)(cells), Formula(body, Range()).slopes(np.stack(cells))
        if not is_pooled and isinstance(mean, GeometricClassMean):
            whole = block.value(mean).values[:, None]
            slopes = mean_slopes(np.log(values), slopes / values, cells, average) * whole
        elif not is_pooled:
            slopes = mean_slopes(values, slopes, cells, average)
        slopes = slopes * weight[:, None]
        if isinstance(mean, CorrectClassMean):
            self.by_entry += entry_slopes(np.broadcast_to(slopes, self.by_cell.shape), correct_others=True)
        else:
            self.by_cell += slopes

    def pull_indexed(self, expression: Expr, weight: FloatArray) -> None:
        """Backpropagate through an expression with one axis per index; axes on which it does not depend are summed."""
        free = expression.free_symbols
        weight = weight.sum(axis=tuple(axis for index, axis in AXES.items() if index not in free), keepdims=True)
        match expression:
            case Indexed():
                self.pull_entry(expression, weight)
            case Sum():
                self.pull_indexed(expression.function, self._for_each(expression, weight))
            case _ if expression.has(Indexed):
                values = [compiled(argument)(self.block).values for argument in expression.args]
                for argument, slope in zip(expression.args, operation_of(expression)[1].slopes(*values), strict=True):
                    self.pull_indexed(argument, weight * slope)

    def pull_entry(self, expression: Indexed, weight: FloatArray) -> None:
        """Add the derivative by an entry, or by a cell of a class."""
        axes = [AXES[index] for index in expression.indices]
        number, classes = self.by_cell.shape[1:]
        if expression.base != C:
            self.by_cell[CLASS_CELLS.index(expression.base)] += weight.reshape(number, classes)
        elif len(set(axes)) == 1:
            np.einsum("nii->ni", self.by_entry)[:] += weight.reshape(number, classes)
        else:
            square = weight.reshape(number, classes, classes)
            self.by_entry += square if axes == sorted(axes) else square.swapaxes(1, 2)

    def _for_each(self, expression: Sum, weight: FloatArray) -> FloatArray:
        """Return the adjoint of each term of a sum."""
        shape = list(weight.shape)
        for index, *_ in expression.limits:
            shape[AXES[index]] = self.block.classes
        return np.broadcast_to(weight, shape)


# -- Ingredients of intervals of matrix metrics: the value and its derivatives by all k*k entries ----------------------


_ACCURACY: Final = over(C[i, i], i) / over(C[r, s], r, s)

_AT_ONCE = 1 << 16
"""Entries per block, so that intermediate arrays fit the processor's cache."""


@dataclass(frozen=True)
class WholeMatrix:
    """A definition over matrices of fixed size, as an estimator from their entries, row by row.

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
        """Fraction of the per-cell pseudo-count that is added to each entry."""
        return matrix_share(self.classes)

    @property
    def is_of_right(self) -> bool:
        """Whether it is accuracy or the error rate, a monotone function of the number of correct examples."""
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
            found = np.ldexp(found, powers)  # the derivatives at c*C are those at C divided by c
            slopes[:, part] = found.reshape(len(found), -1).T
        return slopes.reshape(entries.shape)

    def defined(self, entries: FloatArray) -> NDArray[np.bool_]:
        """Mask of classes that are defined in the means of the definition, at tables of shape (k*k, tables).

        Where these differ from one mean to another, or none weighs classes alike at all tables, every class counts.
        """
        every = np.ones((entries.shape[1], self.classes), dtype=np.bool_)
        if not self.definition.atoms(*MEANS) or not weighs_alike(self.average):
            return every
        for part, found in self._known(entries):
            every[part] = np.where(np.all(found == found[0], axis=(0, 2))[:, None], found[0], True)
        return every

    def _known(self, entries: FloatArray) -> Iterator[tuple[slice, NDArray[np.bool_]]]:
        """Yield parts of the tables, and masks of the classes defined in each mean: shape (means, part, k)."""
        means = self.definition.atoms(*MEANS)
        for part, matrices, _ in self._blocks(entries):
            block = Block(matrices, one_vs_rest(matrices), self.average, np.nan)
            with np.errstate(all="ignore"):
                found = [~np.isnan(block.class_values(mean)) for mean in means]
            yield part, np.array(found, dtype=np.bool_).reshape(len(means), len(matrices), self.classes)

    def left_out(self, entries: FloatArray) -> NDArray[np.bool_]:
        """Mask of classes that a mean of the definition omits at tables of shape (k*k, tables): (tables, k)."""
        found = [known for _, known in self._known(entries)]
        return ~np.concatenate([each.all(axis=0) for each in found]) if found else np.zeros((0, self.classes), np.bool_)

    def of_defined(self, known: NDArray[np.bool_]) -> WholeMatrix:
        """Return the same estimator with means restricted to some classes."""
        return replace(self, average=average_over(self.average, known))

    def _blocks(self, flat: FloatArray) -> Iterator[tuple[slice, FloatArray, NDArray[np.intc] | np.intc]]:
        """Yield parts of the tables: matrices scaled to moderate size, and the powers of two divided out."""
        step = max(1, _AT_ONCE // len(flat))
        is_free = is_free_of_unit(self.definition)
        for start in range(0, flat.shape[1], step):
            part = slice(start, start + step)
            matrices = flat[:, part].T.reshape(-1, self.classes, self.classes)
            yield part, *(in_usual_unit(matrices) if is_free else (matrices, np.intc(0)))


@dataclass(frozen=True)
class LessBias:
    """An estimator minus its jackknife estimate of bias.

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
        """The range of the original estimator."""
        return self.whole.range

    @property
    def share(self) -> float:
        """Fraction of the per-cell pseudo-count that is added to each entry."""
        return self.whole.share

    def values(self, entries: FloatArray) -> FloatArray:
        """Return the bias-corrected values at tables of shape (k*k, ...)."""
        values, number = self.whole.values(entries), entries.sum(axis=0)
        moved = np.zeros_like(values)  # change by leaving out one example, summed over examples
        for place in range(len(entries)):
            if entries[place].any():
                without = entries.copy()
                without[place] = np.maximum(without[place] - 1.0, 0.0)
                moved += entries[place] * np.nan_to_num(self.whole.values(without) - values)
        bias = np.divide((number - 1) * moved, number, out=np.zeros_like(values), where=number > 1)
        low, high = self.range
        return np.asarray(np.clip(values - bias, (values + low) / 2, (values + high) / 2))

    def defined(self, entries: FloatArray) -> NDArray[np.bool_]:
        """As for the original estimator."""
        return self.whole.defined(entries)

    def left_out(self, entries: FloatArray) -> NDArray[np.bool_]:
        """As for the original estimator."""
        return self.whole.left_out(entries)

    def of_defined(self, known: NDArray[np.bool_]) -> LessBias:
        """Return the same estimator restricted to some classes."""
        return LessBias(self.whole.of_defined(known))

    def slopes(self, entries: FloatArray) -> FloatArray:
        """Return the derivatives of the value; those of its bias are of lower order."""
        return self.whole.slopes(entries)
