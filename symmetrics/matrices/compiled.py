"""Vectorised values of a definition at arrays of confusion matrices, in float64.

The value of an expression at some matrices is an array with one axis for the matrices and one for each index that a
definition may use, of length 1 for an index that it does not hold; a sum over an index is a sum over its axis.  A bound
of what rounding does runs along (:mod:`symmetrics.matrices.arithmetic`), and a value that may have lost digits is
computed again, exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial, reduce
from typing import Any, Final

import numpy as np
from flint import fmpq
from numpy.typing import NDArray
from sympy import (
    Abs,
    Add,
    Expr,
    Indexed,
    Integer,
    KroneckerDelta,
    Max,
    Min,
    Mul,
    Number,
    NumberSymbol,
    Pow,
    Rational,
    Sum,
    Symbol,
)

from symmetrics.data.counts import Cells, FloatArray
from symmetrics.matrices.arithmetic import (
    LARGEST,
    Rounded,
    added_up,
    as_rounded,
    doubtful,
    measure_of,
    number_in,
    relative_error_of,
    settled,
    sign_of,
    summed,
)
from symmetrics.matrices.expansion import Exactly, Fractions, as_fraction, as_fractions, exact_value
from symmetrics.matrices.nodes import (
    CLASS_CELLS,
    INDICES,
    MEANS,
    C,
    ClassDistance,
    ClassMean,
    CorrectClassMean,
    GeometricClassMean,
    RelativeEntropy,
    k,
)
from symmetrics.matrices.operations import MATRIX_OPERATIONS, operation_of
from symmetrics.numeric.averaging import POOLED, Average, WeightedClasses, average_cells, filled
from symmetrics.numeric.precision import ACCURACY
from symmetrics.numeric.refine import ErrorBound
from symmetrics.numeric.rounding_rules import DIGITS, LIBRARY, UNIT
from symmetrics.numeric.trust import put_in_range

AXES: Final = {index: place for place, index in enumerate(INDICES, start=1)}
RANK: Final = 1 + len(INDICES)
_PLAIN_MEANS: Final = (ClassMean, CorrectClassMean)


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
    block = Block(matrices, cells, average, zero_division)
    with np.errstate(all="ignore"):
        found = block.value(definition)
        values = found.values
        if not isinstance(definition, _PLAIN_MEANS):  # plain means are as accurate as the class values
            lost = np.flatnonzero(doubtful(found, block.totals))
            if lost.size:
                values = values.copy()
                values[lost] = block.exact_values(definition, lost)
        return filled(_within(values, *bounds), zero_division)


def _within(values: FloatArray, lowest: float, highest: float) -> FloatArray:
    """Clip values that rounding puts outside a bound; larger deviations come from *zero_division* and stay."""
    inside = values + 0.0  # turns -0.0 into 0.0
    put_in_range(inside, (lowest, highest))
    return inside


def _without_poles(values: FloatArray) -> FloatArray:
    """Replace infinities by nan: a zero divisor may have either sign nearby."""
    return np.where(np.isinf(values), math.nan, values)


@dataclass(frozen=True)
class Block:
    """A batch of matrices, and values of expressions at them."""

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
        """The entries in float64, converted lazily, per cache-sized block."""
        return self.matrices.astype(np.float64)

    @cached_property
    def totals(self) -> FloatArray:
        """The number of examples of each matrix, the same for all classes."""
        return np.asarray(self.cells.tp[:, 0] + self.cells.fn[:, 0] + self.cells.fp[:, 0] + self.cells.tn[:, 0])

    @cached_property
    def is_whole(self) -> bool:
        """Whether the entries are integers whose sums are exact."""
        is_counted = self.matrices.dtype.kind in "iu" or bool((np.rint(self.entries) == self.entries).all())
        return is_counted and bool(self.totals.max(initial=0.0) < 2.0**DIGITS)

    @cached_property
    def rounded_entries(self) -> Rounded:
        """The entries, as exact values."""
        return self._counts(self.entries, 0.0)

    @cached_property
    def rounded_cells(self) -> tuple[Rounded, ...]:
        """The cells of each class, as sums of entries with errors."""
        return tuple(self._counts(cell, 2.0 * self.classes) for cell in self.cells)

    def _counts(self, counts: FloatArray, relative: float) -> Rounded:
        if self.is_whole:
            most = float(np.log2(max(self.totals.max(initial=1.0), 1.0)))
            return Rounded(counts, 0.0, None, 0.0, most, True, 1)
        return as_rounded(counts, relative)

    @property
    def cells_with_correct_others(self) -> Cells:
        """The cells, TN being the correctly predicted examples of all other classes, averaged over or not."""
        correct = np.diagonal(self.entries, axis1=1, axis2=2)
        others = correct @ (1.0 - np.eye(self.classes))  # without subtraction, so that no zero is inexact
        return self.cells._replace(tn=others[:, : self.cells.tp.shape[-1]])

    def class_values(self, mean: Expr) -> FloatArray:
        """Return the class values whose mean is taken: shape (n, k), nan where a class is undefined."""
        cells = self.cells_with_correct_others if isinstance(mean, CorrectClassMean) else self.cells
        return measure_of(mean.args[0])(cells)

    def value(self, expression: Expr) -> Rounded:
        """Return the value of an expression without free indices at each matrix."""
        if isinstance(expression, MEANS):
            return self.mean(expression)
        if expression.has(*MEANS):
            return self.combined(expression)
        found = compiled(expression)(self)
        shape = (len(self.matrices), *found.values.shape[1:])
        values, error = _without_poles(found.values), found.error
        return found._replace(
            values=np.broadcast_to(values, shape).reshape(-1),
            error=None if error is None else np.broadcast_to(error, shape).reshape(-1),
        )

    def mean(self, mean: Expr) -> Rounded:
        """Return a mean over classes, with the errors of the class values propagated."""
        body = mean.args[0]
        measure, relative = measure_of(body), relative_error_of(body, 0.0 if self.is_whole else 2.0 * self.classes)
        cells = self.cells_with_correct_others if isinstance(mean, CorrectClassMean) else self.cells
        largest_logarithm = 1.0
        if isinstance(mean, GeometricClassMean):
            values, largest_logarithm = self.geometric_mean(measure)
        else:  # undefined values are filled class by class, otherwise as a whole at the end
            values = average_cells(lambda cells: filled(measure(cells), self.zero_division), cells, self.average)
        steps = (self.classes + 3.0 + LIBRARY * isinstance(mean, GeometricClassMean)) * largest_logarithm
        if relative is not None and not self.zero_division < 0:
            return as_rounded(values, relative + steps)
        found = as_rounded(values, 0.0, sign=0)
        error = self.errors_of_mean(mean, measure, values) + steps * np.abs(values)
        return found._replace(relative=None, error=np.where(np.isfinite(values), error, 0.0))

    def combined(self, expression: Expr) -> Rounded:
        """Return the value of an expression that contains means among other terms."""
        terms = [self.value(argument) for argument in expression.args]
        if any(term.values.ndim == 2 for term in terms):
            terms = [
                term
                if term.values.ndim == 2
                else term._replace(
                    values=term.values[:, None], error=None if term.error is None else term.error[:, None]
                )
                for term in terms
            ]
        kind, operation = operation_of(expression)
        values = [term.values for term in terms]
        is_finite = np.logical_and.reduce(np.broadcast_arrays(*map(np.isfinite, values)))
        found = operation.values(*values)
        return rounded(kind, np.where(is_finite, _without_poles(found), found), terms)

    def errors_of_mean(self, mean: Expr, measure: Callable[[Cells], FloatArray], values: FloatArray) -> FloatArray:
        """Propagate the errors of class values to a mean of a metric with cancellation."""
        bound = ErrorBound(mean.args[0])
        is_geometric = isinstance(mean, GeometricClassMean)

        def errors(cells: Cells) -> FloatArray:
            found, (again, spread) = measure(cells), bound(*cells)
            error = np.fmin(np.abs(found - again) + spread, ACCURACY * np.maximum(1.0, np.abs(found)))
            error = np.where(np.isfinite(found), error, np.where(np.isnan(found), self.zero_division * 0.0, 0.0))
            return (
                np.where(error == 0, 0.0, error / np.abs(filled(found, self.zero_division))) if is_geometric else error
            )

        cells = self.cells_with_correct_others if isinstance(mean, CorrectClassMean) else self.cells
        error = average_cells(errors, cells, self.average) / UNIT
        return np.nan_to_num(error * np.abs(values) if is_geometric else error, nan=0.0, posinf=math.inf)

    def exact_values(self, definition: Expr, places: NDArray[np.intp]) -> FloatArray:
        """Return the values at some matrices in exact arithmetic, one matrix at a time; nan where undefined."""
        return np.array([self.exact_value(definition, matrix) for matrix in self.matrices[places]])

    def exact_value(self, definition: Expr, matrix: NDArray[np.generic]) -> float | list[float]:
        """Return the value at one matrix, or those of all classes, in exact arithmetic."""
        if math.isinf(self.zero_division):
            return math.nan
        entries = as_fractions(matrix)
        if self.average is not None:
            return exact_value(partial(self.exactly(entries).value, definition))
        count = range(self.cells.tp.shape[-1])
        alone = [replace(self, average=[float(one == place) for one in count]) for place in count]
        return [exact_value(partial(block.exactly(entries).value, definition)) for block in alone]

    def exactly(self, entries: Fractions) -> Exactly:
        """Return a matrix of exact entries, with this block's class weights."""
        count, weights = self.cells.tp.shape[-1], None
        if not isinstance(self.average, str):
            given = self.average.weights if isinstance(self.average, WeightedClasses) else self.average
            weights = tuple(as_fraction(float(weight)) for weight in np.asarray(given).tolist())
        elif self.average not in POOLED:
            weights = tuple(sum(row, fmpq(0)) if self.average == "weighted" else fmpq(1) for row in entries[:count])
        fill = None if math.isnan(self.zero_division) else as_fraction(self.zero_division)
        return Exactly(entries, weights, fill, count)

    def geometric_mean(self, measure: Callable[[Cells], FloatArray]) -> tuple[FloatArray, float]:
        """Return the geometric mean of a binary metric over the classes, and the largest logarithm in it."""
        if self.average is None or (isinstance(self.average, str) and self.average in POOLED):
            return average_cells(measure, self.cells, self.average, zero_division=self.zero_division), 1.0
        most = 1.0

        def values(cells: Cells) -> FloatArray:
            return filled(measure(cells), self.zero_division)

        def logarithms(cells: Cells) -> FloatArray:
            nonlocal most
            found = np.log(values(cells))
            most = float(np.abs(found).max(initial=most, where=np.isfinite(found)))
            return found

        def is_negative(cells: Cells) -> FloatArray:
            found = values(cells)
            return np.where(np.isnan(found), math.nan, found < 0)

        mean = np.exp(average_cells(logarithms, self.cells, self.average))
        # The logarithm of a negative value is nan too, but that class is defined and must not be left out.
        return np.where(average_cells(is_negative, self.cells, self.average) > 0, math.nan, mean), most


@lru_cache(maxsize=256)
def compiled(expression: Expr) -> Callable[[Block], Rounded]:
    """Return a function from blocks to values, with one axis for the matrices and one for each index."""
    match expression:
        case Number() | NumberSymbol():
            constant = constant_of(expression)
            return lambda _: constant
        case Symbol() if expression == k:
            return lambda block: constant_of(Integer(block.classes))
        case Indexed() if expression.base == C:
            return _on_axes(lambda block: block.rounded_entries, expression.indices)
        case Indexed():
            cell = CLASS_CELLS.index(expression.base)
            return _on_axes(lambda block: block.rounded_cells[cell], expression.indices)
        case KroneckerDelta():
            return _on_axes(lambda block: _whole(np.eye(block.classes)[None]), expression.args)
        case ClassDistance():
            return _on_axes(_distances, expression.args)
        case Sum():
            return _summed(compiled(expression.function), [limits[0] for limits in expression.limits])
    kind, operation = operation_of(expression)
    most = {Add: 1, Max: 0, Min: 0}.get(kind)
    limited = operation.values if most is None else partial(_of_poles, operation.values, most)
    return _applied(kind, limited, [compiled(argument) for argument in expression.args])


def constant_of(number: Expr) -> Rounded:
    """Return a number with its error: one rounding unless it is exact in float64."""
    value = np.full((1,) * RANK, float(number))
    is_exact = bool(number.is_Rational and Rational(*float(number).as_integer_ratio()) == number)
    found = as_rounded(value, 0.0 if is_exact else 1.0, sign=1 if value >= 0 else -1)
    return found._replace(is_whole=is_exact and bool(number.is_Integer))


def _whole(values: FloatArray) -> Rounded:
    """Return the value of a small non-negative integer expression."""
    return Rounded(values, 0.0, None, 0.0, float(np.log2(max(values.max(), 1.0))), True, 1)


def _of_poles(rule: Callable[..., FloatArray], most: int, *terms: FloatArray) -> FloatArray:
    """Return a sum or an extreme, nan where more than *most* terms are poles, whose signs are unknown."""
    found = rule(*terms)
    if all(np.isfinite(term).all() for term in terms):
        return found
    return np.where(reduce(np.add, [np.isinf(term).astype(int) for term in terms]) > most, math.nan, found)


def _distances(block: Block) -> Rounded:
    places = np.arange(float(block.classes))
    return _whole(np.abs(places[:, None] - places)[None])


def _on_axes(counts_of: Callable[[Block], Rounded], indices: tuple[Symbol, ...]) -> Callable[[Block], Rounded]:
    """Transpose arrays of shape (matrices, classes, ...) so that their axes match the indices."""
    is_diagonal = len(set(indices)) < len(indices)
    places = sorted({AXES[index] for index in indices})
    is_swapped = places != [AXES[index] for index in indices] and not is_diagonal
    missing = tuple(axis for axis in range(1, RANK) if axis not in places)

    def placed(block: Block) -> Rounded:
        counts = counts_of(block)
        values = np.diagonal(counts.values, axis1=1, axis2=2) if is_diagonal else counts.values
        return counts._replace(values=np.expand_dims(values.swapaxes(1, 2) if is_swapped else values, missing))

    return placed


def _summed(term: Callable[[Block], Rounded], indices: list[Symbol]) -> Callable[[Block], Rounded]:
    axes = tuple(AXES[index] for index in indices)

    def total(block: Block) -> Rounded:
        each = term(block)
        found = added_up(each.values, axes, block.classes)
        if np.isinf(found).any():
            found = np.where(added_up(np.isinf(each.values), axes, block.classes) > 1, math.nan, found)
        return summed(each, axes, block.classes, found)

    return total


def rounded(kind: Any, values: FloatArray, terms: Sequence[Rounded]) -> Rounded:
    """Apply an operation of the language to values with errors.

    :param kind: the operation, such as ``Add``
    :param values: its values, computed in float64
    """
    rules = MATRIX_OPERATIONS[kind]
    low, high = rules.magnitude(terms)
    sign = sign_of(kind, terms)
    if not sign and (kind is RelativeEntropy or len(values) == 1):  # a cheap test first
        sign = 1 if values.min(initial=0.0) >= 0 else -1 if values.max(initial=0.0) <= 0 else 0
    # Integers of up to 53 bits are exact.
    if _is_exact(kind, terms, high):
        return Rounded(values, 0.0, None, low, high, True, sign)
    # Beyond the range of float64 there is no bound.
    if low < -LARGEST or high > LARGEST:
        lost = np.full(values.shape, math.inf)
        return Rounded(values, None, lost, -LARGEST, LARGEST, False, sign)
    # One relative error for all matrices if possible; otherwise a bound for each value.
    relative = rules.relative(terms) if all(term.relative is not None for term in terms) else None
    if relative is not None:
        return Rounded(values, relative, None, low, high, False, sign)
    error = np.broadcast_to(rules.error(values, terms), values.shape)
    return settled(Rounded(values, None, error, low, high, False, sign), terms)


def _is_exact(kind: Any, terms: Sequence[Rounded], high: float) -> bool:
    """Whether integers are mapped to integers of few enough digits."""
    if kind is Pow:
        terms = terms[:1] if number_in(terms[1]) in (1.0, 2.0) else ()
    return kind in (Add, Mul, Pow, Max, Min, Abs) and high <= DIGITS and bool(terms) and all(t.is_whole for t in terms)


def _applied(
    kind: Any, rule: Callable[..., FloatArray], arguments: list[Callable[[Block], Rounded]]
) -> Callable[[Block], Rounded]:
    def applied(block: Block) -> Rounded:
        terms = [argument(block) for argument in arguments]
        return rounded(kind, rule(*(term.values for term in terms)), terms)

    return applied
