"""Expectations of a formula over the tables with given margins, without and with parameters."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import Any, Final

from flint import ctx, fmpq
from sympy import Expr, Integer, Pow, Rational, S

from symmetrics.algebra.convert import Conversion, field_for, poly_expression
from symmetrics.algebra.evaluate import Evaluator, Undefined
from symmetrics.algebra.field import Element, Field, Poly
from symmetrics.algebra.limits.extension import extension_of
from symmetrics.claims.families.baselines import ConstantBaseline
from symmetrics.language.cells import CELLS
from symmetrics.language.writer import formula_text
from symmetrics.prover.engine.leading import placed
from symmetrics.tools.errors import UnsupportedError

Triple = tuple[int, int, int]
"""n, P and OP."""
BITS: Final = 256
UNDEFINED: Final = (S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity)
"""What stands in a formula without a value."""


def triples(largest: int, smallest: int = 2) -> Iterator[Triple]:
    """Yield n, P and OP with ``1 <= P, OP <= n - 1``, the smallest n first, then in lexicographic order.

    >>> list(triples(3))
    [(2, 1, 1), (3, 1, 1), (3, 1, 2), (3, 2, 1), (3, 2, 2)]
    """
    for n in range(smallest, largest + 1):
        for positives, predicted in itertools.product(range(1, n), repeat=2):
            yield n, positives, predicted


def tables_of(triple: Triple) -> list[tuple[fmpq, tuple[int, int, int, int]]]:
    """Return the tables with given margins, each with its probability.

    >>> tables_of((3, 1, 1))
    [(2/3, (0, 1, 1, 1)), (1/3, (1, 0, 0, 2))]
    """
    n, positives, predicted = triple
    return [
        (
            fmpq(comb(positives, tp) * comb(n - positives, predicted - tp), comb(n, predicted)),
            (tp, positives - tp, predicted - tp, n - positives - predicted + tp),
        )
        for tp in range(max(0, positives + predicted - n), min(positives, predicted) + 1)
    ]


class Expectations:
    """The expectations of a formula without parameters, each value of it computed once.

    :param with_limits: whether limits count as values where the formula as written has none
    """

    def __init__(self, formula: Expr, *, with_limits: bool = True) -> None:
        self.formula = formula
        self.with_limits = with_limits
        self.evaluate = Evaluator(formula, CELLS)
        self.values: dict[tuple[int, ...], Any] = {}
        self.first: Triple | None = None
        """The first triple whose expectation is known to exist."""
        self.means: dict[Triple, Any] = {}

    def first_difference(self, candidates: Iterator[Triple]) -> tuple[Triple, Triple] | None:
        """Return the first triple with an expectation, and the first one whose expectation is certain to differ."""
        for triple in candidates:
            mean = self.mean(triple)
            if mean is None:
                continue
            self.means[triple] = mean
            self.first = self.first or triple
            # Balls that do not meet hold different numbers.
            if mean != self.means[self.first]:
                return self.first, triple
        return None

    def mean(self, triple: Triple) -> Any:
        """Return an expectation, a rational number or a ball, or None if it does not exist."""
        saved, ctx.prec = ctx.prec, BITS
        try:
            total: Any = fmpq(0)
            for weight, table in tables_of(triple):
                if (value := self._value(table)) is None:
                    return None
                total = total + weight * value
            return total
        finally:
            ctx.prec = saved

    def _value(self, table: tuple[int, int, int, int]) -> Any:
        if table not in self.values:
            self.values[table] = self._computed(table)
        return self.values[table]

    def _computed(self, table: tuple[int, int, int, int]) -> Any:
        try:
            # Where the formula as written has a value, it is continuous.
            value = self.evaluate(*table)
        except Undefined:
            if not self.with_limits:
                return None
            extended = self._limit(table)
            value = Evaluator(extended, ())() if extended.is_finite else None
        return value if isinstance(value, fmpq) or (value is not None and value.is_finite()) else None

    def _limit(self, table: tuple[int, ...]) -> Expr:
        try:
            return extension_of(self.formula, composed=False).value(*table)
        except (TypeError, ValueError):  # SymPy's, of Min and Max of what cannot be compared
            return S.NaN


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

    def mean(self, triple: Triple) -> Element | None:
        """Return an expectation, or None where the formula as written has no rational value at one of the tables."""
        total = self.field.constant(0)
        assumed: dict[str, Poly] = {}
        for weight, table in tables_of(triple):
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
