"""Expectations of a formula over the tables, or matrices, with given margins, without and with parameters."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import factorial, prod
from typing import Any, Final

from flint import ctx, fmpq
from sympy import Expr, Integer, Pow, Rational

from symmetrics.algebra.convert import Conversion, field_for, poly_expression
from symmetrics.algebra.evaluate import Evaluator, Undefined
from symmetrics.algebra.field import Element, Field, Poly
from symmetrics.algebra.limits.extension import extension_of
from symmetrics.claims.families.baselines import ConstantBaseline, ConstantMatrixBaseline
from symmetrics.claims.families.limits import STEP
from symmetrics.language.cells import CELLS
from symmetrics.language.writer import formula_text
from symmetrics.prover.engine.leading import leading_term, placed
from symmetrics.tools.budget import checkpoint
from symmetrics.tools.errors import UnsupportedError

Sums = tuple[int, ...]
Margins = tuple[Sums, Sums]
"""The sums of the rows, and of the columns: of a table of four cells P, N and OP, ON."""
Matrix = tuple[int, ...]
BITS: Final = 256
MOST_MATRICES: Final = 1000
"""Means over more matrices are left out."""


def margins_of(classes: int, least: int, most: int, *, ordered: bool = False) -> Iterator[Margins]:
    """Yield sums of rows and columns, all at least 1, of *least* to *most* examples, the fewest first.

    :param ordered: whether only ascending sums are yielded

    >>> [triple_of(margins) for margins in margins_of(2, 2, 3)]
    [(2, 1, 1), (3, 1, 1), (3, 1, 2), (3, 2, 1), (3, 2, 2)]
    """
    for n in range(least, most + 1):
        sums = [s for s in itertools.product(range(1, n - classes + 2), repeat=classes) if sum(s) == n]
        yield from itertools.product([s for s in sums if not ordered or list(s) == sorted(s)], repeat=2)


def triple_of(margins: Margins) -> tuple[int, int, int]:
    """Return n, P and OP of the margins of a table of four cells."""
    (positives, negatives), (predicted, _) = margins
    return positives + negatives, positives, predicted


def matrices_of(rows: Sums, columns: Sums) -> Iterator[tuple[fmpq, Matrix]]:
    """Yield the matrices with given sums, row by row, each with its probability.

    The predictions are in a random order, so that a matrix has the probability of a contingency table with fixed
    margins (hypergeometric for two classes): ``prod(r[i]!)*prod(c[j]!)/(n!*prod(C[i, j]!))``.

    >>> list(matrices_of((1, 1), (1, 1)))
    [(1/2, (0, 1, 1, 0)), (1/2, (1, 0, 0, 1))]
    """
    total = prod(map(factorial, (*rows, *columns)))
    for matrix in _filled(rows, columns):
        yield fmpq(total, factorial(sum(rows)) * prod(map(factorial, matrix))), matrix


def _filled(rows: Sums, columns: Sums) -> Iterator[Matrix]:
    """Yield the matrices with given sums: a first row that no column forbids, then what is left below it."""
    if len(rows) == 1:
        yield columns
        return
    for row in itertools.product(*(range(min(rows[0], column) + 1) for column in columns)):
        if sum(row) == rows[0]:
            left = tuple(column - entry for column, entry in zip(columns, row, strict=True))
            for rest in _filled(rows[1:], left):
                yield (*row, *rest)


class Expectations:
    """The expectations of a formula without parameters, each value of it computed once.

    :param with_limits: whether limits count as values where the formula as written has none
    """

    def __init__(self, claim: ConstantBaseline | ConstantMatrixBaseline, *, with_limits: bool = True) -> None:
        self.claim = claim
        self.with_limits = with_limits
        self.evaluate = Evaluator(claim.subject, claim.arguments)
        self.values: dict[Matrix, Any] = {}
        self.first: Margins | None = None
        """The first margins whose expectation is known to exist."""
        self.means: dict[Margins, Any] = {}

    def first_difference(self, candidates: Iterable[Margins]) -> tuple[Margins, Margins] | None:
        """Return the first margins with an expectation, and the first ones whose expectation is certain to differ."""
        for margins in candidates:
            mean = self.mean(margins)
            if mean is None:
                continue
            self.means[margins] = mean
            self.first = self.first or margins
            # Balls that do not meet hold different numbers.
            if mean != self.means[self.first]:
                return self.first, margins
        return None

    def mean(self, margins: Margins) -> Any:
        """Return an expectation, a rational number or a ball, or None if it is not known to exist."""
        saved, ctx.prec = ctx.prec, BITS
        try:
            total: Any = fmpq(0)
            for count, (weight, matrix) in enumerate(matrices_of(*margins)):
                checkpoint()
                if count == MOST_MATRICES or (value := self._value(matrix)) is None:
                    return None
                total = total + weight * value
            return total
        finally:
            ctx.prec = saved

    def _value(self, matrix: Matrix) -> Any:
        if matrix not in self.values:
            value = self._computed(matrix)
            is_finite = isinstance(value, fmpq) or (value is not None and value.is_finite())
            self.values[matrix] = value if is_finite else None
        return self.values[matrix]

    def _computed(self, matrix: Matrix) -> Any:
        try:
            # Where the formula as written has a value, it is continuous.
            return self.evaluate(*matrix)
        except Undefined:
            if not self.with_limits:
                return None
        if isinstance(self.claim, ConstantMatrixBaseline):
            return self._limit_on_a_line(matrix)
        try:
            extended = extension_of(self.claim.subject, composed=False).value(*matrix)
        except (TypeError, ValueError):  # SymPy's, of Min and Max of what cannot be compared
            return None
        return Evaluator(extended, ())() if extended.is_finite else None

    def _limit_on_a_line(self, matrix: Matrix) -> Any:
        """Return the limit along a straight line; that it is one along every path is for the checker to confirm."""
        assert isinstance(self.claim, ConstantMatrixBaseline)
        place = {e: Integer(n) if n else STEP for e, n in zip(self.claim.arguments, matrix, strict=True)}
        try:
            limit = leading_term(self.claim.subject, (), place, self.claim.over).limit
            return Evaluator(limit, ())() if limit.is_finite else None
        except (UnsupportedError, Undefined):
            return None


class ParametricExpectations:
    """Expectations as fractions of polynomials in the parameters."""

    def __init__(self, claim: ConstantBaseline) -> None:
        self.claim = claim
        self.field: Field = field_for(claim.parameters)
        self.read = Conversion(self.field)
        below = {power.base for power in claim.subject.atoms(Pow) if power.exp.is_negative}
        self.bases = sorted(below, key=str)
        self.assumed: dict[str, Poly] = {}
        """The irreducible polynomials that expectations are divided by, by their texts."""

    def mean(self, margins: Margins) -> Element | None:
        """Return an expectation, or None where the formula as written has no rational value at one of the tables."""
        total = self.field.constant(0)
        assumed: dict[str, Poly] = {}
        for weight, table in matrices_of(*margins):
            place = {cell: Integer(count) for cell, count in zip(CELLS, table, strict=True)}
            value = self._rational(self.claim.subject, place)
            if value is None:
                return None
            for base in (self._rational(base, place) for base in self.bases):
                if base is None or base.is_zero:
                    return None
                assumed |= self._factors(base)
            share = self.read(Rational(int(weight.p), int(weight.q)))
            total = self.field.add(total, self.field.multiply(share, value))
        self.assumed |= assumed
        return self.field.reduce(total)

    def _rational(self, expression: Expr, place: dict[Any, Expr]) -> Element | None:
        try:
            value = self.field.reduce(self.read(placed(expression, place)))
        except UnsupportedError:
            return None
        atoms = {number for monomial in value.numerator for number, _ in monomial}
        atoms |= {n for n in value.denominator if self.field.atoms[n].is_opaque or self.field.atoms[n].is_log}
        is_whole = all(Fraction(power).denominator == 1 for power in value.denominator.values())
        return value if is_whole and not atoms else None

    def _factors(self, value: Element) -> dict[str, Poly]:
        polys = [*value.numerator.values(), *(self.field.atoms[number].base for number in value.denominator)]
        factors = (factor for poly in polys for factor, _ in poly.factor()[1])
        return {formula_text(poly_expression(f, self.field)): f for f in factors if not f.is_constant()}
