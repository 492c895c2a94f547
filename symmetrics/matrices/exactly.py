"""Exact values of a definition at one matrix: rationals, and balls of many digits where roots or logarithms come in.

They have the meaning of :class:`symmetrics.matrices.expansion.Expansion` at numbers, without symbols: a quotient by
zero is a pole, one over a pole is 0, and what depends on how a pole is approached has no value.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from flint import ctx, fmpq
from numpy.typing import NDArray
from sympy import Expr, Indexed, KroneckerDelta, Rational, S, Sum, Symbol

from symmetrics.algebra.evaluate import Evaluator, Unclear, Undefined
from symmetrics.algebra.limits.extension import extension_of
from symmetrics.language.cells import CELLS
from symmetrics.matrices.nodes import (
    CLASS_CELLS,
    INDICES,
    MEANS,
    C,
    ClassDistance,
    CorrectClassMean,
    GeometricClassMean,
    k,
)
from symmetrics.matrices.operations import operation_of
from symmetrics.matrices.poles import Pole, Value, added, multiplied, part, power
from symmetrics.tools.errors import UnsupportedError

Fractions = tuple[tuple[fmpq, ...], ...]
"""The rows of a matrix."""

_BITS: Final = (128, 512, 2048)
"""Precisions of balls, tried one after the other."""
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
    """Return the float64 nearest to what is evaluated, with as many digits as it takes; nan where it has no value.

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
    except (OverflowError, UnsupportedError):  # beyond float64, or outside of the exact algebra
        pass
    finally:
        ctx.prec = saved
    return math.nan


@dataclass(frozen=True)
class Exactly:
    """One matrix of exact entries, at which definitions have values.

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
        """Exact values of sums that were needed before, which may stand in each term of another one."""
        return {}

    def value(self, expression: Expr) -> Value:
        """Return what an expression without free indices is.

        :raises ArithmeticError: where it has no value: ``Undefined``, ``Unclear`` if more digits may tell, or a pole
        """
        return _compiled(expression)(self, {})

    def mean(self, mean: Expr) -> Value:
        """Return a mean over classes; those without a value are left out, or count as what stands for them."""
        body, count = mean.args[0], self.classes_in_means or len(self.entries)
        # TN of correct predictions, if the definition says so; pooled cells are one table.
        tables = self.cells[:count]
        if isinstance(mean, CorrectClassMean):
            correct = sum((table[0] for table in self.cells), fmpq(0))
            tables = [(*table[:3], correct - table[0]) for table in tables]
        if self.weights is None:
            return self._of_class(body, tuple(sum(cells, fmpq(0)) for cells in zip(*tables, strict=True)))
        # Classes without a value are left out, with their weights.
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
    """Return an expression as a function of a matrix and of the class, from 0, that each free index stands for."""
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
        case _ if not expression.args:  # pi and the like
            return lambda matrix, at: Evaluator(expression, ())()
    rule = operation_of(expression)[1].exact
    arguments = [_compiled(argument) for argument in expression.args]
    return lambda matrix, at: rule([part(argument, matrix, at) for argument in arguments])


def _compiled_sum(total: Sum) -> Callable[[Exactly, dict[Symbol, int]], Value]:
    """Return a sum over classes as such a function; one that is the same for all classes is computed once."""
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
