"""Expand a definition at a given number of classes, symbolically or at exact entries."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from typing import Final

import numpy as np
from flint import ctx, fmpq
from numpy.typing import NDArray
from sympy import Abs, Add, Expr, Indexed, Integer, KroneckerDelta, Max, Min, Mul, Pow, Rational, S, Sum, Symbol, log

from symmetrics.algebra.evaluate import Evaluator, Unclear, Undefined
from symmetrics.algebra.limits.extension import extension_of
from symmetrics.language.cells import CELLS, Table
from symmetrics.matrices.arithmetic import Pole, Value, added, multiplied, part, power
from symmetrics.matrices.nodes import (
    CLASS_CELLS,
    INDICES,
    MEANS,
    C,
    ClassDistance,
    ClassMean,
    Continued,
    CorrectClassMean,
    GeometricClassMean,
    k,
)
from symmetrics.matrices.operations import operation_of
from symmetrics.numeric.operations import NAMES, OPERATIONS
from symmetrics.tools.errors import UnsupportedError

Entries = tuple[tuple[Expr, ...], ...]
"""The rows of a matrix."""


def entry_symbols(classes: int) -> Entries:
    """Return the symbols that stand for the entries of a matrix, numbered from 1.

    >>> entry_symbols(2)
    ((c_1_1, c_1_2), (c_2_1, c_2_2))
    """
    places = range(1, classes + 1)
    return tuple(tuple(Symbol(f"c_{row}_{column}", real=True) for column in places) for row in places)


@dataclass(frozen=True)
class Expansion:
    """A matrix of given size whose entries are all positive symbols, or all exact numbers.

    :param entries: the rows of the matrix
    :param weights: one weight per class, for means over classes; None to add the cells up first (micro-average)
    :param undefined: what counts for a class without a value; by default it is left out of a mean
    """

    entries: Entries
    weights: tuple[Expr, ...] | None
    undefined: Expr = S.NaN

    @property
    def classes(self) -> int:
        """The number of classes."""
        return len(self.entries)

    @cached_property
    def is_numeric(self) -> bool:
        """Whether the entries are numbers, so that 0/0 is replaced by limits."""
        return all(entry.is_number for entry in itertools.chain(*self.entries))

    @cached_property
    def cells(self) -> tuple[Table, ...]:
        """The cells of each class against the rest."""
        return tuple(map(self._cells_of, range(self.classes)))

    @cached_property
    def cells_with_correct_others(self) -> tuple[Table, ...]:
        """The cells of each class, TN being the correctly predicted examples of the other classes."""
        correct = Add(*(self.entries[place][place] for place in range(self.classes)))
        return tuple((tp, fn, fp, correct - tp) for tp, fn, fp, _ in self.cells)

    def __call__(self, expression: Expr, place: Mapping[Symbol, int] | None = None) -> Expr:
        """Return the value of an expression for this matrix.

        :param place: the class, from 0, that each index stands for
        """
        at = place or {}
        match expression:
            case Symbol():
                return (
                    Integer(self.classes)
                    if expression == k
                    else Integer(at.get(expression))
                    if expression in at
                    else expression
                )
            case Indexed():
                return self._indexed(expression, [at[index] for index in expression.indices])
            case Sum():
                indices = [limits[0] for limits in expression.limits]
                every = itertools.product(range(self.classes), repeat=len(indices))
                return Add(*(self(expression.function, {**at, **dict(zip(indices, p, strict=True))}) for p in every))
            case ClassMean():
                return self._mean(expression.args[0], self.cells)
            case CorrectClassMean():
                return self._mean(expression.args[0], self.cells_with_correct_others)
            case GeometricClassMean():
                return self._mean(expression.args[0], self.cells, geometric=True)
        if not expression.args:
            return expression
        arguments = [self(argument, at) for argument in expression.args]
        if isinstance(expression, Max | Min) and any(argument in (S.NaN, S.ComplexInfinity) for argument in arguments):
            return S.NaN  # SymPy compares no such thing
        if isinstance(expression, Abs) and arguments[0] is S.ComplexInfinity:
            return S.ComplexInfinity  # a pole stays a pole
        if is_root_or_logarithm(expression) and arguments[0].is_extended_negative:
            return S.NaN  # SymPy gives log(-oo) = oo
        value = expression.func(*arguments)
        value = value.explicit() if isinstance(value, Continued) else value
        return S.NaN if is_imaginary(value) else value  # otherwise two of these would make a real one

    def _indexed(self, expression: Indexed, places: Sequence[int]) -> Expr:
        if expression.base == C:
            row, column = places
            return self.entries[row][column]
        return self.cells[places[0]][CLASS_CELLS.index(expression.base)]

    def _cells_of(self, index: int) -> Table:
        others = [place for place in range(self.classes) if place != index]
        return (
            self.entries[index][index],
            Add(*(self.entries[index][place] for place in others)),
            Add(*(self.entries[place][index] for place in others)),
            Add(*(self.entries[row][column] for row in others for column in others)),
        )

    def _mean(self, body: Expr, tables: Sequence[Table], *, geometric: bool = False) -> Expr:
        if self.weights is None:
            return self._value(body, tuple(map(Add, *tables)))
        pairs = [(weight, self._value(body, cells)) for weight, cells in zip(self.weights, tables, strict=True)]
        counted = [(weight, value) for weight, value in pairs if value is not S.NaN and weight != 0]
        total = Add(*(weight for weight, _ in counted))
        if total == 0:
            return S.NaN
        if geometric:
            return Mul(*(self._power(value, weight / total) for weight, value in counted))
        return Add(*(weight * value for weight, value in counted)) / total

    def _power(self, value: Expr, exponent: Expr) -> Expr:
        """Return a class value's contribution to a geometric mean; undefined for a negative one."""
        return S.NaN if value.is_extended_negative else value**exponent

    def _value(self, body: Expr, cells: Table) -> Expr:
        if self.is_numeric:
            value = extension_of(body).value(*cells)
            return self.undefined if value is S.NaN else value
        image = dict(zip(CELLS, cells, strict=True))
        # Unevaluated: SymPy would compare the margins without result.
        return self._placed(body, image) if body.has(Max, Min) else body.xreplace(image)

    def _placed(self, body: Expr, image: Mapping[Symbol, Expr]) -> Expr:
        """Substitute the cells of a class into a formula, with its maxima unevaluated."""
        if not body.args:
            return image.get(body, body)
        arguments = [self._placed(argument, image) for argument in body.args]
        return self._extreme(body.func, arguments) if isinstance(body, Max | Min) else body.func(*arguments)

    def _extreme(self, kind: type[Max | Min], arguments: Sequence[Expr]) -> Expr:
        """Return the largest or the smallest of some expressions."""
        return Max(*arguments, evaluate=False) if kind is Max else Min(*arguments)


def is_root_or_logarithm(node: Expr) -> bool:
    """Whether an expression is a logarithm, or a power with a non-integer exponent.

    >>> is_root_or_logarithm(CELLS[0] ** S.Half), is_root_or_logarithm(CELLS[0] ** 2)
    (True, False)
    """
    return isinstance(node, log) or (isinstance(node, Pow) and not node.exp.is_integer)


def is_imaginary(value: Expr) -> bool:
    """Whether a value is neither real nor infinite.

    >>> is_imaginary(S.ImaginaryUnit), is_imaginary(S.Infinity), is_imaginary(S.NaN)
    (True, False, False)
    """
    return bool(value.is_number and value.is_extended_real is False and value is not S.ComplexInfinity)


# ----------------------------------------------------------------------------------------------------------------------
# Homogeneity: the effect of multiplying all entries of a matrix by one number.


@lru_cache(maxsize=256)
def is_free_of_unit(definition: Expr) -> bool:
    """Whether a definition is shown to be invariant under scaling of the matrix.

    >>> from symmetrics.matrices import multiclass
    >>> is_free_of_unit(multiclass["kappa"].definition), is_free_of_unit(multiclass["kappa"].definition + CELLS[0])
    (True, False)
    """
    return degree(definition) == 0


def degree(expression: Expr) -> Rational | None:
    """Return the degree of homogeneity of an expression; None if it is not seen to be homogeneous.

    >>> from symmetrics.matrices.nodes import C, i, j, over
    >>> degree(over(C[i, i] * C[j, i], i, j)), degree(over(C[i, i], i) + 1)
    (2, None)
    """
    if isinstance(expression, Indexed) or expression in CELLS:
        return S.One
    if not expression.has(Indexed, *CELLS):
        return S.Zero
    if isinstance(expression, Continued):
        return degree(expression.explicit())
    is_root = isinstance(expression, Pow) and expression.exp.is_Rational
    name = "power" if is_root else NAMES.get(type(expression).__name__)
    parts = [degree(argument) for argument in (expression.args[:1] if is_root or name is None else expression.args)]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    if isinstance(expression, (Sum, *MEANS)):
        return known[0]
    if name is None:
        return None
    rule, exponent = OPERATIONS[name], Rational(expression.exp if is_root else 1)
    if rule.arguments == 1:
        return rule.degree(known, exponent)
    # Sums and products are treated as iterated binary operations.
    return reduce(lambda left, right: None if left is None else rule.degree([left, right], exponent), known)


# ----------------------------------------------------------------------------------------------------------------------
# Exact values of a definition at one matrix: rationals, and balls of high precision for roots and logarithms.

# Same semantics as :class:`symmetrics.matrices.expansion.Expansion` at numbers, without symbols: a quotient by zero
# is a pole, one over a pole is 0, and values that depend on the approach to a pole are undefined.


Fractions = tuple[tuple[fmpq, ...], ...]
"""The rows of a matrix."""

_BITS: Final = (128, 512, 2048)
"""Precisions of balls in bits, tried in turn."""
_ACCURACY: Final = 2.0**-60
_ZERO: Final = 1e-100
"""Values below this bound at every precision count as 0."""


def as_fraction(number: float) -> fmpq:
    """Return the exact value of a number.

    >>> as_fraction(0.75), as_fraction(2**60 + 1)
    (3/4, 1152921504606846977)
    """
    return fmpq(*number.as_integer_ratio())


def as_fractions(matrix: NDArray[np.generic]) -> Fractions:
    """Return the exact entries of a matrix."""
    return tuple(tuple(map(as_fraction, row)) for row in matrix.tolist())


def exact_value(evaluate: Callable[[], Value]) -> float:
    """Return the float64 nearest to a value, evaluated to sufficient precision; nan where it is undefined.

    >>> from flint import arb
    >>> exact_value(lambda: fmpq(1, 3)), exact_value(lambda: arb(2).log() - arb(4).log() / 2)
    (0.3333333333333333, 0.0)
    """
    saved = ctx.prec
    try:
        for bits in _BITS:
            ctx.prec = bits
            try:
                value = evaluate()
            except Unclear:
                continue
            except (Pole, Undefined):
                return math.nan
            if isinstance(value, fmpq):
                return float(Fraction(int(value.p), int(value.q)))
            middle, radius = value.mid(), value.rad()
            if radius <= _ACCURACY * abs(middle):
                return float(middle)
            if radius + abs(middle) < _ZERO:
                return 0.0
    except (OverflowError, UnsupportedError):  # beyond float64, or outside the exact algebra
        pass
    finally:
        ctx.prec = saved
    return math.nan


@dataclass(frozen=True)
class Exactly:
    """One matrix of exact entries, at which definitions are evaluated.

    :param entries: the rows
    :param weights: one weight for each of the classes in means, which may be the first few; None adds the cells up
    :param undefined: what counts for a class without a value; None leaves it out
    :param classes_in_means: how many of the classes means are over, all of them if none is given

    >>> from symmetrics.matrices import multiclass
    >>> entries = tuple(tuple(map(fmpq, row)) for row in ((6, 1), (1, 2)))
    >>> Exactly(entries, (fmpq(1), fmpq(1))).value(multiclass["kappa"].definition)
    11/21
    """

    entries: Fractions
    weights: tuple[fmpq, ...] | None
    undefined: fmpq | None = None
    classes_in_means: int | None = None

    @cached_property
    def cells(self) -> list[tuple[fmpq, ...]]:
        """TP, FN, FP and TN of each class against the rest."""
        total = sum(map(sum, self.entries), fmpq(0))
        cells: list[tuple[fmpq, ...]] = []
        for place, row in enumerate(self.entries):
            right, true = row[place], sum(row, fmpq(0))
            predicted = sum((other[place] for other in self.entries), fmpq(0))
            cells.append((right, true - right, predicted - right, total - true - predicted + right))
        return cells

    @cached_property
    def known(self) -> dict[Expr, fmpq]:
        """Cache of sums, which other sums may contain."""
        return {}

    def value(self, expression: Expr) -> Value:
        """Return the value of an expression without free indices.

        :raises ArithmeticError: where it has no value: ``Undefined``, ``Unclear`` if more digits may tell, or a pole
        """
        return _compiled(expression)(self, {})

    def mean(self, mean: Expr) -> Value:
        """Return a mean over classes; undefined classes are left out, or replaced by the fill value."""
        body, count = mean.args[0], self.classes_in_means or len(self.entries)
        # TN of correct predictions, if the definition says so; micro-averaging pools the cells to one table.
        tables = self.cells[:count]
        if isinstance(mean, CorrectClassMean):
            correct = sum((table[0] for table in self.cells), fmpq(0))
            tables = [(*table[:3], correct - table[0]) for table in tables]
        if self.weights is None:
            return self._of_class(body, tuple(sum(cells, fmpq(0)) for cells in zip(*tables, strict=True)))
        # Undefined classes are left out, with their weights.
        counted = []
        for weight, table in zip(self.weights, tables, strict=True):
            if weight != 0:
                try:
                    counted.append((weight, self._of_class(body, table)))
                except Unclear:
                    raise
                except Undefined:
                    continue
        total = sum((weight for weight, _ in counted), fmpq(0))
        if total == 0:
            raise Undefined("no class has a value")
        if isinstance(mean, GeometricClassMean):
            if any(value < 0 for _, value in counted):
                raise Undefined("a class has a negative value")
            return multiplied([power([value, weight / total]) for weight, value in counted])
        return sum((weight * value for weight, value in counted), fmpq(0)) / total

    def _of_class(self, body: Expr, table: tuple[fmpq, ...]) -> Value:
        """Return a binary metric at the cells of a class, or its limit there."""
        try:
            return _evaluator(body)(*table)
        except Unclear:
            raise
        except Undefined:
            cells = (Rational(int(cell.p), int(cell.q)) for cell in table)
            limit = extension_of(body).value(*cells)
        if limit is S.NaN:
            if self.undefined is None:
                raise Undefined("the class has no value")
            return self.undefined
        if not limit.is_finite:
            raise UnsupportedError(f"{body} is infinite for a class")
        return Evaluator(limit, ())()


@lru_cache(maxsize=1024)
def _compiled(expression: Expr) -> Callable[[Exactly, dict[Symbol, int]], Value]:
    """Compile an expression to a function of a matrix and of the class, from 0, for each free index."""
    match expression:
        case Rational():
            number = fmpq(int(expression.p), int(expression.q))
            return lambda matrix, at: number
        case Symbol() if expression == k:
            return lambda matrix, at: fmpq(len(matrix.entries))
        case Indexed() if expression.base == C:
            row, column = expression.indices
            return lambda matrix, at: matrix.entries[at[row]][at[column]]
        case Indexed():
            (index,), cell = expression.indices, CLASS_CELLS.index(expression.base)
            return lambda matrix, at: matrix.cells[at[index]][cell]
        case KroneckerDelta() | ClassDistance():
            first, second = expression.args
            if isinstance(expression, KroneckerDelta):
                return lambda matrix, at: fmpq(at[first] == at[second])
            return lambda matrix, at: fmpq(abs(at[first] - at[second]))
        case Sum():
            return _compiled_sum(expression)
        case _ if isinstance(expression, MEANS):
            return lambda matrix, at: matrix.mean(expression)
        case _ if not expression.args:  # constants such as pi
            return lambda matrix, at: Evaluator(expression, ())()
    rule = operation_of(expression)[1].exact
    arguments = [_compiled(argument) for argument in expression.args]
    return lambda matrix, at: rule([part(argument, matrix, at) for argument in arguments])


def _compiled_sum(total: Sum) -> Callable[[Exactly, dict[Symbol, int]], Value]:
    """Compile a sum over classes; one without free indices is computed once."""
    term, indices = _compiled(total.function), [limits[0] for limits in total.limits]
    is_one = not total.free_symbols & set(INDICES)

    def value(matrix: Exactly, at: dict[Symbol, int]) -> Value:
        if is_one and total in matrix.known:
            return matrix.known[total]
        every = itertools.product(range(len(matrix.entries)), repeat=len(indices))
        places = (dict(zip(indices, place, strict=True)) for place in every)
        found = added([part(term, matrix, at | place) for place in places])
        if is_one and isinstance(found, fmpq):
            matrix.known[total] = found
        return found

    return value


@lru_cache(maxsize=256)
def _evaluator(body: Expr) -> Evaluator:
    return Evaluator(body, CELLS)
