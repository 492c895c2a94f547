"""Vectorised values of a definition at arrays of confusion matrices, in float64.

The value of an expression at some matrices is an array with one axis for the matrices and one for each index that a
definition may use, of length 1 for an index that it does not hold; a sum over an index is a sum over its axis.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial, reduce
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sympy import (
    Abs,
    Add,
    Expr,
    Indexed,
    KroneckerDelta,
    Max,
    Min,
    Mul,
    Number,
    NumberSymbol,
    Pow,
    Sum,
    Symbol,
    lambdify,
    log,
)

from symmetrics.language.cells import CELLS
from symmetrics.matrices.nodes import (
    CLASS_CELLS,
    INDICES,
    MEANS,
    C,
    ClassDistance,
    ClassMean,
    CorrectClassMean,
    Correlation,
    FMeasure,
    GeometricClassMean,
    RelativeEntropy,
    k,
)
from symmetrics.numeric.averaging import POOLED, Average, average_cells, filled
from symmetrics.numeric.compiled import evaluate
from symmetrics.numeric.counts import Cells, FloatArray
from symmetrics.tools.errors import UnsupportedError

__all__ = ["AXES", "RANK", "Block", "compiled", "evaluate_block", "measure_of"]

AXES: Final = {index: place for place, index in enumerate(INDICES, start=1)}
RANK: Final = 1 + len(INDICES)
_ROUNDING: Final = 1e-12


def evaluate_block(
    definition: Expr,
    cells: Cells,
    matrices: NDArray[np.generic],
    average: Average,
    zero_division: float,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> FloatArray:
    """Return the values of a definition at n matrices: shape (n,), or (n, k) for no average.

    :param definition: an expression in the language of :mod:`symmetrics.matrices.nodes`, without free parameters
    :param cells: those of each class against the rest, of shape (n, k)
    :param matrices: the entries, checked, of shape (n, k, k)
    :param average: how means over classes weigh them
    :param zero_division: the value of a class, and of the whole, where it is undefined
    :param bounds: the least and the largest value; what lies outside by rounding is put on them
    """
    with np.errstate(all="ignore"):
        values = Block(matrices, cells, average, zero_division).value(definition)
        return filled(_within(values, *bounds), zero_division)


def _within(values: FloatArray, lowest: float, highest: float) -> FloatArray:
    """Put values on a bound that they miss by rounding; those further off come from a number for undefined classes."""
    clipped = np.clip(values, lowest, highest)
    return np.where(np.abs(values - clipped) <= _ROUNDING, clipped, values) + 0.0  # turns -0.0 into 0.0


def _without_poles(values: FloatArray) -> FloatArray:
    """Return values, nan where they are infinite: a divisor that is zero may have either sign nearby."""
    return np.where(np.isinf(values), math.nan, values)


@dataclass(frozen=True)
class Block:
    """Some matrices, and the values of expressions at them."""

    matrices: NDArray[np.generic]
    cells: Cells
    average: Average
    zero_division: float

    @property
    def classes(self) -> int:
        """The number of classes."""
        return int(self.matrices.shape[-1])

    @cached_property
    def entries(self) -> FloatArray:
        """The entries in float64, converted here, where they fit the cache, and only if a definition asks for them."""
        return self.matrices.astype(np.float64)

    @property
    def cells_with_correct_others(self) -> Cells:
        """The cells, TN being the correctly predicted examples of other classes, whether these are averaged or not."""
        correct = np.diagonal(self.entries, axis1=1, axis2=2)
        others = correct @ (1.0 - np.eye(self.classes))  # by no subtraction, so that none is exactly 0
        return self.cells._replace(tn=others[:, : self.cells.tp.shape[-1]])

    def class_values(self, mean: Expr) -> FloatArray:
        """Return what a mean over classes is of, for each class: shape (n, k), nan where a class has no value."""
        cells = self.cells_with_correct_others if isinstance(mean, CorrectClassMean) else self.cells
        return measure_of(mean.args[0])(cells)

    def value(self, expression: Expr) -> FloatArray:
        """Return the value of an expression without free indices at each matrix."""
        if isinstance(expression, FMeasure):  # of means, which may be one value a class
            precision, recall, beta = expression.args
            return _without_poles(_f_measure(self.value(precision), self.value(recall), float(beta)))
        if isinstance(expression, ClassMean | CorrectClassMean):
            measure = measure_of(expression.args[0])
            cells = self.cells if isinstance(expression, ClassMean) else self.cells_with_correct_others
            # What has no value is filled class by class, and else as a whole, in the end.
            return average_cells(lambda cells: filled(measure(cells), self.zero_division), cells, self.average)
        if isinstance(expression, GeometricClassMean):
            return self.geometric_mean(measure_of(expression.args[0]))
        if expression.has(*MEANS):
            return self.combined(expression)
        values = _without_poles(compiled(expression)(self))
        return np.asarray(np.broadcast_to(values, (len(self.matrices), *values.shape[1:])).reshape(-1))

    def combined(self, expression: Expr) -> FloatArray:
        """Return the value of an expression that holds means among other terms; these are one for all classes."""
        values = [self.value(argument) for argument in expression.args]
        if any(value.ndim == 2 for value in values):
            values = [value if value.ndim == 2 else value[:, None] for value in values]
        rule = next((rule for kind, rule in _RULES if isinstance(expression, kind)), None)
        if rule is None:
            raise UnsupportedError(f"{expression} is outside the language of metrics of matrices")
        is_finite = np.logical_and.reduce(np.broadcast_arrays(*map(np.isfinite, values)))
        found = rule(*values)
        return np.where(is_finite, _without_poles(found), found)

    def geometric_mean(self, measure: Callable[[Cells], FloatArray]) -> FloatArray:
        """Return the geometric mean of a binary metric over the classes, as they are weighed."""
        if self.average is None or (isinstance(self.average, str) and self.average in POOLED):
            return average_cells(measure, self.cells, self.average, zero_division=self.zero_division)

        def values(cells: Cells) -> FloatArray:
            return filled(measure(cells), self.zero_division)

        def is_negative(cells: Cells) -> FloatArray:
            found = values(cells)
            return np.where(np.isnan(found), math.nan, found < 0)

        mean = np.exp(average_cells(lambda cells: np.log(values(cells)), self.cells, self.average))
        # The logarithm of a negative value is nan as well, but the class has a value, and is not to be left out.
        return np.where(average_cells(is_negative, self.cells, self.average) > 0, math.nan, mean)


@lru_cache(maxsize=256)
def compiled(expression: Expr) -> Callable[[Block], FloatArray]:
    """Return a function from blocks to values, with one axis for the matrices and one for each index."""
    match expression:
        case Number() | NumberSymbol():
            constant = np.full((1,) * RANK, float(expression))
            return lambda _: constant
        case Symbol() if expression == k:
            return lambda block: np.full((1,) * RANK, float(block.classes))
        case Indexed() if expression.base == C:
            return _on_axes(lambda block: block.entries, expression.indices)
        case Indexed():
            cell = CLASS_CELLS.index(expression.base)
            return _on_axes(lambda block: block.cells[cell], expression.indices)
        case KroneckerDelta():
            return _on_axes(lambda block: np.eye(block.classes)[None], expression.args)
        case ClassDistance():
            return _on_axes(_distances, expression.args)
        case Sum():
            return _summed(compiled(expression.function), [limits[0] for limits in expression.limits])
    for kind, rule in _RULES:
        if isinstance(expression, kind):
            most = {Add: 1, Max: 0, Min: 0}.get(kind)
            limited = rule if most is None else partial(_of_poles, rule, most)
            return _applied(limited, [compiled(argument) for argument in expression.args])
    raise UnsupportedError(f"{expression} is outside the language of metrics of matrices, or not bound to a value")


def _of_poles(rule: Callable[..., FloatArray], most: int, *terms: FloatArray) -> FloatArray:
    """Return a sum or an extreme, nan where more than so many terms are poles, of which either may be the larger."""
    found = rule(*terms)
    if all(np.isfinite(term).all() for term in terms):
        return found
    return np.where(reduce(np.add, [np.isinf(term).astype(int) for term in terms]) > most, math.nan, found)


def _distances(block: Block) -> FloatArray:
    places = np.arange(float(block.classes))
    return np.abs(places[:, None] - places)[None]


def _on_axes(values_of: Callable[[Block], FloatArray], indices: tuple[Symbol, ...]) -> Callable[[Block], FloatArray]:
    """Put arrays of shape (matrices, classes, ...) with their axes where those of the indices belong."""
    is_diagonal = len(set(indices)) < len(indices)
    places = sorted({AXES[index] for index in indices})
    is_swapped = places != [AXES[index] for index in indices] and not is_diagonal
    missing = tuple(axis for axis in range(1, RANK) if axis not in places)

    def placed(block: Block) -> FloatArray:
        values = values_of(block)
        if is_diagonal:
            values = np.diagonal(values, axis1=1, axis2=2)
        return np.expand_dims(values.swapaxes(1, 2) if is_swapped else values, missing)

    return placed


def _summed(term: Callable[[Block], FloatArray], indices: list[Symbol]) -> Callable[[Block], FloatArray]:
    axes = tuple(AXES[index] for index in indices)

    def total(block: Block) -> FloatArray:
        values = term(block)
        repeated = math.prod(block.classes for axis in axes if values.shape[axis] == 1)
        found = np.asarray(values.sum(axis=axes, keepdims=True) * repeated)
        if np.isinf(found).any():
            found = np.where(np.isinf(values).sum(axis=axes, keepdims=True) * repeated > 1, math.nan, found)
        return found

    return total


def _applied(
    rule: Callable[..., FloatArray], arguments: list[Callable[[Block], FloatArray]]
) -> Callable[[Block], FloatArray]:
    return lambda block: rule(*(argument(block) for argument in arguments))


@lru_cache(maxsize=64)
def measure_of(body: Expr) -> Callable[[Cells], FloatArray]:
    """Return a binary metric as a function of cells.

    A formula without subtraction loses no digits as it is written, so that only where it has no finite value is there
    a limit to look for.
    """
    if any(isinstance(node, Number) and node.is_negative for node in _coefficients(body)):
        return partial(evaluate, body)
    direct = lambdify(CELLS, body, modules="numpy")

    def measure(cells: Cells) -> FloatArray:
        values = np.array(np.broadcast_to(direct(*cells), cells.tp.shape), dtype=np.float64)
        open_places = np.nonzero(~np.isfinite(values))
        if open_places[0].size:
            values[open_places] = evaluate(body, Cells(*(cell[open_places] for cell in cells)))
        return values

    return measure


def _coefficients(body: Expr) -> set[Expr]:
    """Return the numbers in a formula, apart from exponents."""
    if isinstance(body, Pow):
        return _coefficients(body.base)
    return {body} if not body.args else set().union(*map(_coefficients, body.args))


def _f_measure(precision: FloatArray, recall: FloatArray, beta: FloatArray | float) -> FloatArray:
    value = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    return np.where((precision == 0) & (recall == 0), 0.0, value)


def _power(base: FloatArray, exponent: FloatArray) -> FloatArray:
    """Return a power, fast where all exponents are one; NumPy takes the roots of minus infinity to be infinite."""
    value = base ** (exponent.flat[0] if is_one_number(exponent) else exponent)
    return np.where((base < 0) & (exponent != np.rint(exponent)), math.nan, value)


def is_one_number(values: FloatArray) -> bool:
    """Return whether all values are the same number.

    >>> is_one_number(np.array([2.0, 2.0])), is_one_number(np.array([2.0, 3.0])), is_one_number(np.array([]))
    (True, False, False)
    """
    return values.size > 0 and bool((values == values.flat[0]).all())


def _correlation(covariance: FloatArray, first: FloatArray, second: FloatArray) -> FloatArray:
    value = covariance / np.sqrt(np.abs(first)) / np.sqrt(np.abs(second))
    value = np.where(np.sign(first) * np.sign(second) < 0, math.nan, value)
    return np.where((first == 0) != (second == 0), 0.0, value)


def _relative_entropy(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return x*log(x/y), by way of log1p where x and y are near each other and the quotient would lose digits."""
    x, y = np.broadcast_arrays(x, y)
    near = 2 * x > y
    relative = np.where(near, (x - y) / y, x / y)
    value = x * np.log1p(relative, out=np.log(relative), where=near)
    return np.where(x == 0, 0.0, value)


_RULES: Final[tuple[tuple[Any, Callable[..., FloatArray]], ...]] = (
    (Add, lambda *terms: reduce(np.add, terms)),
    (Mul, lambda *factors: reduce(np.multiply, factors)),
    (Pow, _power),
    (Max, lambda *terms: reduce(np.maximum, terms)),
    (Min, lambda *terms: reduce(np.minimum, terms)),
    (Abs, np.abs),
    (log, np.log),
    (RelativeEntropy, _relative_entropy),
    (Correlation, _correlation),
    (FMeasure, _f_measure),
)
