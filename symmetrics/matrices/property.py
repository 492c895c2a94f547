"""Properties of matrix metrics, and the claims they make at a number of classes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from sympy import Expr, Integer, S, Symbol

from symmetrics.claims import (
    Claim,
    ConstantMatrixBaseline,
    DefinedAtAllMatrices,
    FiniteLimit,
    Identity,
    Inequality,
    MatrixSymmetryGroup,
    StrictInequality,
    value_symbol,
)
from symmetrics.claims.comparison import Arguments
from symmetrics.language.definition import Citation
from symmetrics.matrices.expansion import Entries, entry_symbols
from symmetrics.matrices.metric import MulticlassMetric
from symmetrics.matrices.zeros import CANCELLED, UNREAL, WithZeros, may_have_lost, or_none
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

VALUE, IMAGE = value_symbol(0), value_symbol(1)
"""Symbols of the values at the first and at the second matrix of a claim."""
MOST_CLASSES: Final = 20
"""Largest number of classes: beyond, a sum of all entries is too long for a formula."""


@dataclass(frozen=True)
class AtSize:
    """A matrix metric at a number of classes: its formula, and constructors of claims about it.

    A mean over classes is the plain one.  The variables are the entries ``c_1_1``, ``c_1_2``, …, all positive.

    :param metric: the metric
    :param classes: the number of classes, two or more
    """

    metric: MulticlassMetric
    classes: int

    @cached_property
    def entries(self) -> Entries:
        """The rows of the matrix, each entry a symbol."""
        return entry_symbols(self.classes)

    @cached_property
    def matrix(self) -> Arguments:
        """The entries row by row: the variables of all claims."""
        return tuple(itertools.chain(*self.entries))

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables."""
        return tuple(entry.name for entry in self.matrix)

    @cached_property
    def expr(self) -> Expr:
        """The formula at positive entries; undefined if it does not show where M is defined."""
        if may_have_lost(self.metric.definition) and (found := self.formula_of(self.entries)) in (UNREAL, CANCELLED):
            return found
        return self.metric.expr(self.classes)

    @property
    def places(self) -> range:
        """The classes, numbered from 0."""
        return range(self.classes)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The ordered pairs of different classes."""
        return list(itertools.permutations(self.places, 2))

    def with_entries(self, changed: Mapping[Expr, Expr]) -> Arguments:
        """Return the matrix with some entries replaced."""
        return tuple(changed.get(entry, entry) for entry in self.matrix)

    def permuted(self, order: Sequence[int]) -> Arguments:
        """Return the matrix with the classes in another order."""
        return tuple(self.entries[order[row]][order[column]] for row in self.places for column in self.places)

    def identity(
        self, *tables: Arguments, auxiliary: tuple[Symbol, ...] = (), relation: Expr = VALUE - IMAGE
    ) -> Identity:
        """Return the claim that a relation between the values at some matrices vanishes."""
        return Identity(self.expr, self.metric.parameters, tables, auxiliary, relation, None, self.variables)

    def equals(self, left: Expr, right: Expr, missing: tuple[Expr, ...] = ()) -> Identity:
        """Return the claim that two formulas over the entries agree.

        :param missing: entries that are 0, and so no variables
        """
        variables = tuple(entry for entry in self.matrix if entry not in missing)
        names = tuple(entry.name for entry in variables)
        return Identity(left, self.metric.parameters, (variables, variables), (), VALUE - IMAGE, right, names)

    def is_constant(self, matrix: Entries) -> Identity:
        """Return the claim that the metric is constant on matrices whose entries are symbols or 0.

        Their formula is one of its own, the partner of the claim: that of positive entries may hold 0*log(0) there.
        """
        formula = self.formula_of(matrix)
        value, parameters, both = self.value_of(matrix), self.metric.parameters, (self.matrix, self.matrix)
        if value.free_symbols:  # a relation must not contain parameters
            return Identity(self.expr, parameters, both, (), IMAGE, formula - value, self.variables)
        return Identity(self.expr, parameters, both, (), IMAGE - value, formula, self.variables)

    def rises(self, lower: Arguments, upper: Arguments, auxiliary: Symbol) -> StrictInequality:
        """Return the claim that the metric is larger at the second of two matrices, with an auxiliary variable."""
        formula, parameters = self.expr, self.metric.parameters
        return StrictInequality(formula, parameters, (lower, upper), (auxiliary,), IMAGE - VALUE, None, self.variables)

    def positive(self, relation: Expr) -> StrictInequality:
        """Return the claim that a relation with the value is positive."""
        return StrictInequality(self.expr, self.metric.parameters, (self.matrix,), (), relation, None, self.variables)

    def beyond(self, value: Expr, sign: int) -> StrictInequality:
        """Return the claim that a bound, which may contain parameters, is above, or below, the metric."""
        if not value.free_symbols:
            return self.positive(sign * (value - VALUE))
        both = (self.matrix, self.matrix)
        relation = sign * (IMAGE - VALUE)
        return StrictInequality(self.expr, self.metric.parameters, both, (), relation, value, self.variables)

    def not_negative(self, relation: Expr) -> Inequality:
        """Return the claim that a relation with the value is nowhere negative."""
        return Inequality(self.expr, self.metric.parameters, (self.matrix,), (), relation, None, self.variables)

    def has_limit(self, path: Arguments) -> FiniteLimit:
        """Return the claim that the metric has a finite limit along a curve of matrices."""
        return FiniteLimit(self.expr, self.metric.parameters, path, self.variables)

    def has_constant_baseline(self) -> ConstantMatrixBaseline:
        """Return the claim that the metric's expectation for random predictions is the same for all margins."""
        return ConstantMatrixBaseline(self.expr, self.metric.parameters, self.variables)

    def is_defined(self) -> DefinedAtAllMatrices:
        """Return the claim that the formula, before simplification, is defined at all matrices except zero."""
        shown = self._expansion(self.entries).formula(self.metric.definition, everywhere=True)
        formula = shown if shown in (UNREAL, CANCELLED) else self.expr
        return DefinedAtAllMatrices(formula, self.metric.parameters, self.variables)

    def has_symmetries(self) -> MatrixSymmetryGroup:
        """Return the claim that some rearrangement of rows and columns maps the metric to itself or an image."""
        return MatrixSymmetryGroup(self.expr, self.metric.parameters, self.variables)

    def formula_of(self, matrix: Entries) -> Expr:
        """Return the formula at a matrix of any size, whose entries may be 0."""
        return self._expansion(matrix).formula(self.metric.definition)

    def value_of(self, matrix: Entries) -> Expr:
        """Return the value at a matrix with all its non-zero entries set to 1."""
        ones = tuple(tuple(S.Zero if entry == 0 else S.One for entry in row) for row in matrix)
        formula = self.formula_of(matrix)
        found = or_none(lambda: formula.xreplace(dict.fromkeys(self.matrix, S.One)))
        # Roots of negative numbers may have combined to a real formula.
        is_real = bool(self.metric.parameters) or self.metric.exact(ones) is not S.NaN
        return found if is_real or found.free_symbols else S.NaN

    def _expansion(self, matrix: Entries) -> WithZeros:
        return WithZeros(matrix, tuple(S.One for _ in matrix))

    def diagonal(self) -> Entries:
        """Return the matrix without errors: entries off the diagonal are 0."""
        return self._where(lambda row, column: row == column)

    def errors(self) -> Entries:
        """Return the matrix with errors only: entries on the diagonal are 0."""
        return self._where(lambda row, column: row != column)

    def _where(self, kept: Callable[[int, int], bool]) -> Entries:
        return tuple(
            tuple(entry if kept(row, column) else Integer(0) for column, entry in enumerate(entries))
            for row, entries in enumerate(self.entries)
        )


@dataclass(frozen=True)
class MulticlassProperty:
    """A property of matrix metrics, which holds or fails at each number of classes.

    :param name: the key
    :param statement: the law, in the matrix C and M, for positive entries
    :param claim: returns the claim about one metric at a number of classes
    :param title: the law in words
    :param yes: everyday words for a metric that has it, to follow the metric's name
    :param no: everyday words for a metric that lacks it
    :param cites: sources of the property
    :param least_classes: the smallest number of classes at which it applies
    :param aliases: other names
    :param compared: what the two values of a counterexample with one matrix are
    """

    name: str
    statement: str
    claim: Callable[[AtSize], Claim]
    title: str
    yes: str
    no: str
    cites: tuple[Citation, ...] = ()
    least_classes: int = 2
    aliases: tuple[str, ...] = ()
    compared: tuple[str, str] = ("M(C)", "the other value")

    def of(self, metric: MulticlassMetric, classes: int) -> Claim:
        """Return the property's claim about a metric at a number of classes.

        :raises InputError: if it says nothing about so few classes, or if they are too many
        """
        if classes < self.least_classes:
            raise InputError(
                f"{self.name} says nothing about {number_of(classes, 'class')}; ask about {self.least_classes} or more"
            )
        if classes > MOST_CLASSES:
            many = number_of(classes, "class")
            raise InputError(f"{many} make too long a formula; ask about {MOST_CLASSES} or fewer")
        return self.claim(AtSize(metric, classes))

    def told(self, subject: str, holds: bool | None) -> str:
        """State in a sentence whether a metric has the property.

        :param subject: name of the metric in the sentence
        :param holds: whether it has it, None if that is not known
        """
        if holds is None:
            return f"It is not known whether {subject} {self.yes}."
        return f"{subject} {self.yes if holds else self.no}."
