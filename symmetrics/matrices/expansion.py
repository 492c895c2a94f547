"""A definition at a given number of classes: as a formula over the entries, or as an exact number."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce

from sympy import Abs, Add, Expr, Indexed, Integer, Max, Min, Mul, Pow, Rational, S, Sum, Symbol, log

from symmetrics.algebra.limits.extension import extension_of
from symmetrics.language.cells import CELLS, Table
from symmetrics.matrices.nodes import (
    CLASS_CELLS,
    MEANS,
    C,
    ClassMean,
    Continued,
    CorrectClassMean,
    GeometricClassMean,
    k,
)
from symmetrics.numeric.operations import NAMES, OPERATIONS

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
    """A matrix of given size whose entries are all symbols, for positive numbers, or all exact numbers.

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
        """Whether the entries are numbers, so that the limits are taken where the formula is 0/0."""
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
        """Return what an expression is for this matrix.

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
            return S.ComplexInfinity  # a pole stays one
        if is_root_or_logarithm(expression) and arguments[0].is_extended_negative:
            return S.NaN  # SymPy takes the logarithm of minus infinity to be infinite
        value = expression.func(*arguments)
        value = value.explicit() if isinstance(value, Continued) else value
        return S.NaN if is_imaginary(value) else value  # two of these would make a real one

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
        """Return what the value of a class contributes to a geometric mean: of a negative one there is none."""
        return S.NaN if value.is_extended_negative else value**exponent

    def _value(self, body: Expr, cells: Table) -> Expr:
        if self.is_numeric:
            value = extension_of(body).value(*cells)
            return self.undefined if value is S.NaN else value
        image = dict(zip(CELLS, cells, strict=True))
        # SymPy would compare the margins of which it has to find the larger, and find nothing.
        return self._placed(body, image) if body.has(Max, Min) else body.xreplace(image)

    def _placed(self, body: Expr, image: Mapping[Symbol, Expr]) -> Expr:
        """Return a formula over the cells at the cells of a class, with its maxima as they stand."""
        if not body.args:
            return image.get(body, body)
        arguments = [self._placed(argument, image) for argument in body.args]
        return self._extreme(body.func, arguments) if isinstance(body, Max | Min) else body.func(*arguments)

    def _extreme(self, kind: type[Max | Min], arguments: Sequence[Expr]) -> Expr:
        """Return the largest or the smallest of some expressions."""
        return Max(*arguments, evaluate=False) if kind is Max else Min(*arguments)


def is_root_or_logarithm(node: Expr) -> bool:
    """Whether an expression is a logarithm, or a power whose exponent is no whole number.

    >>> is_root_or_logarithm(CELLS[0] ** S.Half), is_root_or_logarithm(CELLS[0] ** 2)
    (True, False)
    """
    return isinstance(node, log) or (isinstance(node, Pow) and not node.exp.is_integer)


def is_imaginary(value: Expr) -> bool:
    """Whether a value is a number that is not real, nor infinite.

    >>> is_imaginary(S.ImaginaryUnit), is_imaginary(S.Infinity), is_imaginary(S.NaN)
    (True, False, False)
    """
    return bool(value.is_number and value.is_extended_real is False and value is not S.ComplexInfinity)


# ----------------------------------------------------------------------------------------------------------------------
# What becomes of a definition over a matrix if all entries are multiplied by one number, as in another unit.


@lru_cache(maxsize=256)
def is_free_of_unit(definition: Expr) -> bool:
    """Whether a definition is seen to have the same value at all multiples of a matrix.

    >>> from symmetrics.matrices import multiclass
    >>> is_free_of_unit(multiclass["kappa"].definition), is_free_of_unit(multiclass["kappa"].definition + CELLS[0])
    (True, False)
    """
    return degree(definition) == 0


def degree(expression: Expr) -> Rational | None:
    """Return the power of t by which an expression grows if all entries grow t times; None if no such power is seen.

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
    # A sum, or a product, is one of two terms again and again.
    return reduce(lambda left, right: None if left is None else rule.degree([left, right], exponent), known)
