"""Derivatives of a definition by the entries of a matrix, in float64: by the chain rule, backwards from the value.

What a definition is made of has a known derivative by its arguments, so that one pass from the value to the entries
gives all k*k derivatives, for as much work as a few values take.  An expression of several indices has an axis for each
of them, as in :mod:`symmetrics.matrices.compiled`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Any, Final

import numpy as np
from flint import fmpq
from numpy.typing import NDArray
from sympy import Abs, Add, Expr, Indexed, Max, Min, Mul, Pow, Sum, log

from symmetrics.matrices.bodies import measure_of
from symmetrics.matrices.compiled import AXES, RANK, Block, compiled
from symmetrics.matrices.exactly import Fractions, as_fractions, exact_value
from symmetrics.matrices.nodes import (
    CLASS_CELLS,
    MEANS,
    C,
    CorrectClassMean,
    Correlation,
    FMeasure,
    GeometricClassMean,
    RelativeEntropy,
)
from symmetrics.matrices.rounding import doubtful, is_one_number
from symmetrics.numeric.averaging import POOLED, Average
from symmetrics.numeric.counts import Cells, FloatArray
from symmetrics.numeric.intervals import Formula
from symmetrics.numeric.intervals.averages import entry_slopes, mean_slopes
from symmetrics.numeric.intervals.scales import Range
from symmetrics.tools.errors import UnsupportedError

__all__ = ["slopes_block"]

_STEP: Final = fmpq(1, 2**100)
"""What an entry is moved by, as a part of it."""


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
            lost &= np.isfinite(block.class_values(mean)).all(axis=-1)  # a class without a value stays left out
        for place in np.flatnonzero(lost):
            slopes[place] = _exact_slopes(definition, block, as_fractions(matrices[place]))
    return slopes


def _exact_slopes(definition: Expr, block: Block, entries: Fractions) -> list[list[float]]:
    """Return the slopes at one matrix by symmetric differences so small that they have all digits of the slopes."""

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
    """What the value moves by with each entry and with each cell of a class, added up on the way back."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.by_entry = np.zeros(block.matrices.shape)
        self.by_cell = np.zeros((4, *block.cells.tp.shape))

    def pull(self, expression: Expr, weight: FloatArray) -> None:
        """Go back through an expression without free indices; the weight is what the value moves by with it, (n,)."""
        if isinstance(expression, MEANS):
            self.pull_mean(expression, weight)
        elif expression.has(*MEANS):
            values = [self.block.value(argument).values for argument in expression.args]
            for argument, slope in zip(expression.args, _partials(expression, values), strict=True):
                self.pull(argument, weight * slope)
        else:
            self.pull_indexed(expression, weight.reshape(-1, *(1,) * (RANK - 1)))

    def pull_mean(self, mean: Expr, weight: FloatArray) -> None:
        """Go back through a mean over classes to the cells of each."""
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
        """Go back through an expression with an axis for each index; what it is the same for is added up."""
        free = expression.free_symbols
        weight = weight.sum(axis=tuple(axis for index, axis in AXES.items() if index not in free), keepdims=True)
        match expression:
            case Indexed():
                self.pull_entry(expression, weight)
            case Sum():
                self.pull_indexed(expression.function, self._for_each(expression, weight))
            case _ if expression.has(Indexed):
                values = [compiled(argument)(self.block).values for argument in expression.args]
                for argument, slope in zip(expression.args, _partials(expression, values), strict=True):
                    self.pull_indexed(argument, weight * slope)

    def pull_entry(self, expression: Indexed, weight: FloatArray) -> None:
        """Add what arrives at an entry, or at a cell of a class."""
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
        """Return what arrives at each term of a sum."""
        shape = list(weight.shape)
        for index, *_ in expression.limits:
            shape[AXES[index]] = self.block.classes
        return np.broadcast_to(weight, shape)


def _partials(expression: Expr, values: list[FloatArray]) -> list[FloatArray]:
    """Return the derivatives of a function by its arguments, at their values."""
    rule = next((rule for kind, rule in _RULES if isinstance(expression, kind)), None)
    if rule is None:
        raise UnsupportedError(f"{expression} is outside the language of metrics of matrices, or has no derivative")
    return rule(*values)


def _of_product(*factors: FloatArray) -> list[FloatArray]:
    return [reduce(np.multiply, (*factors[:place], *factors[place + 1 :])) for place in range(len(factors))]


def _of_power(base: FloatArray, exponent: FloatArray) -> list[FloatArray]:
    power = exponent.flat[0] if is_one_number(exponent) else exponent
    return [power * base ** (power - 1), base**power * np.log(base)]


def _of_extreme(extreme: Callable[..., FloatArray], *terms: FloatArray) -> list[FloatArray]:
    """Return 1 for the extreme term; where several are, each has its share, the mean of the one-sided derivatives."""
    is_extreme = [term == reduce(extreme, terms) for term in terms]
    return [np.asarray(one / sum(is_extreme)) for one in is_extreme]


def _of_relative_entropy(x: FloatArray, y: FloatArray) -> list[FloatArray]:
    return [np.log(x / y) + 1, -x / y]


def _of_correlation(covariance: FloatArray, first: FloatArray, second: FloatArray) -> list[FloatArray]:
    whole = 1 / np.sqrt(first) / np.sqrt(second)
    return [whole, -covariance * whole / first / 2, -covariance * whole / second / 2]


def _of_f_measure(precision: FloatArray, recall: FloatArray, beta: FloatArray) -> list[FloatArray]:
    square = beta**2
    common = (1 + square) / (square * precision + recall) ** 2
    return [common * recall**2, common * square * precision**2, np.zeros_like(beta)]


_RULES: Final[tuple[tuple[Any, Callable[..., list[FloatArray]]], ...]] = (
    (Add, lambda *terms: [np.ones_like(term) for term in terms]),
    (Mul, _of_product),
    (Pow, _of_power),
    (Max, partial(_of_extreme, np.maximum)),
    (Min, partial(_of_extreme, np.minimum)),
    (Abs, lambda argument: [np.sign(argument)]),
    (log, lambda argument: [1 / argument]),
    (RelativeEntropy, _of_relative_entropy),
    (Correlation, _of_correlation),
    (FMeasure, _of_f_measure),
)
