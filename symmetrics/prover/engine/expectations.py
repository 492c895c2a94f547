"""Expectations of a formula over the tables, or matrices, with given margins, without and with parameters."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import factorial, prod
from typing import Any, Final

from flint import ctx, fmpq
from sympy import Expr, Integer, Pow, Rational

from symmetrics.algebra.convert import Conversion, field_for, poly_expression
from symmetrics.algebra.evaluate import Evaluator, Undefined
from symmetrics.algebra.field import Element, Field, Poly
from symmetrics.algebra.limits.extension import extension_of
from symmetrics.claims.comparison import value_symbol
from symmetrics.claims.families.limits import STEP, ConstantBaseline, ConstantMatrixBaseline, FiniteLimit
from symmetrics.claims.families.relations import Identity
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, Table, parameter_symbol
from symmetrics.language.formula import RESERVED_PREFIX
from symmetrics.language.writer import formula_text
from symmetrics.prover.engine.leading import leading_term, placed
from symmetrics.tools.budget import checkpoint
from symmetrics.tools.errors import UnsupportedError

Sums = tuple[int, ...]
Margins = tuple[Sums, Sums]
"""Margins: row sums and column sums; for four cells (P, N) and (OP, ON)."""
Matrix = tuple[int, ...]
BITS: Final = 256
MOST_MATRICES: Final = 1000
"""Expectations over more matrices are not computed."""


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
    """Yield the matrices with given margins: choose a first row within the column sums, then fill the rest."""
    if len(rows) == 1:
        yield columns
        return
    for row in itertools.product(*(range(min(rows[0], column) + 1) for column in columns)):
        if sum(row) == rows[0]:
            left = tuple(column - entry for column, entry in zip(columns, row, strict=True))
            for rest in _filled(rows[1:], left):
                yield (*row, *rest)


class Expectations:
    """The expectations of a formula without parameters, with cached values.

    :param with_limits: whether limits count as values where the formula as written has none
    """

    def __init__(self, claim: ConstantBaseline | ConstantMatrixBaseline, *, with_limits: bool = True) -> None:
        self.claim = claim
        self.with_limits = with_limits
        self.evaluate = Evaluator(claim.subject, claim.arguments)
        self.values: dict[Matrix, Any] = {}
        self.first: Margins | None = None
        """The first margins at which the expectation is known to exist."""
        self.means: dict[Margins, Any] = {}

    def first_difference(self, candidates: Iterable[Margins]) -> tuple[Margins, Margins] | None:
        """Return the first margins with an expectation, and the first ones whose expectation certainly differs."""
        for margins in candidates:
            mean = self.mean(margins)
            if mean is None:
                continue
            self.means[margins] = mean
            self.first = self.first or margins
            # Disjoint balls enclose different numbers.
            if mean != self.means[self.first]:
                return self.first, margins
        return None

    def mean(self, margins: Margins) -> Any:
        """Return an expectation, a rational number or a ball, or None if it is not known to exist."""
        # Exact if all values are rational; otherwise in balls of this precision.
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
            # Where the formula is defined before simplification, it is continuous.
            return self.evaluate(*matrix)
        except Undefined:
            if not self.with_limits:
                return None
        if isinstance(self.claim, ConstantMatrixBaseline):
            return self._limit_on_a_line(matrix)
        try:
            extended = extension_of(self.claim.subject, composed=False).value(*matrix)
        except (TypeError, ValueError):  # SymPy raises these for Min and Max of incomparable arguments
            return None
        return Evaluator(extended, ())() if extended.is_finite else None

    def _limit_on_a_line(self, matrix: Matrix) -> Any:
        """Return the limit along a straight line; the checker has to confirm that it is the same along every path."""
        assert isinstance(self.claim, ConstantMatrixBaseline)
        place = {e: Integer(n) if n else STEP for e, n in zip(self.claim.arguments, matrix, strict=True)}
        try:
            limit = leading_term(self.claim.subject, (), place, self.claim.over).limit
            return Evaluator(limit, ())() if limit.is_finite else None
        except (UnsupportedError, Undefined):
            return None


class ParametricExpectations:
    """Expectations as rational functions of the parameters."""

    def __init__(self, claim: ConstantBaseline) -> None:
        self.claim = claim
        self.field: Field = field_for(claim.parameters)
        self.read = Conversion(self.field)
        below = {power.base for power in claim.subject.atoms(Pow) if power.exp.is_negative}
        self.bases = sorted(below, key=str)
        self.assumed: dict[str, Poly] = {}
        """The irreducible factors of the denominators of expectations, keyed by their texts."""

    def mean(self, margins: Margins) -> Element | None:
        """Return an expectation, or None where the unsimplified formula has no rational value at one of the tables."""
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


# -- The conditions of the lemmas on constant baselines, as claims on a formula ----------------------------------------

# See :class:`ConstantBaseline` and :class:`ConstantMatrixBaseline`: M is affine at fixed margins, and one number at
# all tables, or matrices, of rank one.
#
# The checker states the same claims independently.


T, U, A = (parameter_symbol(RESERVED_PREFIX + name) for name in "tua")
EQUALLY_SPACED: Final[tuple[Table, ...]] = (
    (TP, FN + 2 * T, FP + 2 * T, TN),
    (TP + T, FN + T, FP + T, TN + T),
    (TP + 2 * T, FN, FP, TN + 2 * T),
)
"""Three tables with the same margins."""
INDEPENDENT: Final[Table] = (TP, FN, A * TP, A * FN)
"""Every table with TP*TN = FP*FN."""
EXAMPLE: Final = (Integer(1), Integer(2), Integer(3), Integer(6))
"""An independent table with pairwise different margins, so that few formulas have a pole there."""
ENDS: Final[Mapping[str, tuple[Table, ...]]] = {
    "most agreement": ((TP, STEP, FP, TN), (TP, FN, STEP, TN), (TP, STEP, STEP, TN)),
    "least agreement": ((STEP, FN, FP, TN), (TP, FN, FP, STEP), (STEP, FN, FP, STEP)),
}
"""Curves into the table with the largest, or the smallest, TP for given margins, one for each set of zero cells."""


def parts_of(claim: ConstantBaseline | ConstantMatrixBaseline) -> dict[str, Identity]:
    """Return the lemma's conditions as claims: M is affine at fixed margins, and constant at rank one."""
    return _parts_over_matrices(claim) if isinstance(claim, ConstantMatrixBaseline) else _parts_over_cells(claim)


def _parts_over_cells(claim: ConstantBaseline) -> dict[str, Identity]:
    """Return the conditions over cells: second differences in TP at fixed margins vanish; M is constant at rank one."""
    first, second, third = (value_symbol(place) for place in range(3))
    relation = first - 2 * second + third
    return {
        "affinity": Identity(claim.subject, claim.parameters, EQUALLY_SPACED, (T,), relation),
        "independence": Identity(claim.subject, claim.parameters, (INDEPENDENT, EXAMPLE), (A,)),
    }


def _parts_over_matrices(claim: ConstantMatrixBaseline) -> dict[str, Identity]:
    """Return the conditions over matrices: M is constant at rank one, and its mixed second differences vanish.

    The differences are along all pairs of the moves that keep the sums: one example more at C[1, 1] and C[i, j], one
    less at C[1, j] and C[i, 1].
    """
    k, entries = claim.classes, claim.arguments
    factors = [parameter_symbol(f"{RESERVED_PREFIX}a{place + 1}") for place in range(1, k)]
    rank_one = tuple(factor * entry for factor in (Integer(1), *factors) for entry in entries[:k])
    tables = (rank_one, _example(claim))
    parts = {"independence": Identity(claim.subject, (), tables, tuple(factors), over=claim.over)}
    moves = {(i, j): _move(k, i, j) for i in range(1, k) for j in range(1, k)}
    values = [value_symbol(place) for place in range(4)]
    relation = values[0] - values[1] - values[2] + values[3]
    for first, second in itertools.combinations_with_replacement(moves, 2):
        steps = list(zip(entries, moves[first], moves[second], strict=True))
        start = [entry + T * max(-one, 0) + U * max(-other, 0) for entry, one, other in steps]
        points = tuple(
            tuple(cell + a * T * one + b * U * other for cell, (_, one, other) in zip(start, steps, strict=True))
            for a, b in itertools.product((0, 1), repeat=2)
        )
        name = f"affinity {_name(*first)} {_name(*second)}"
        parts[name] = Identity(claim.subject, (), points, (T, U), relation, over=claim.over)
    return parts


def _name(row: int, column: int) -> str:
    return f"({row + 1}, {column + 1})"


def _move(classes: int, row: int, column: int) -> tuple[int, ...]:
    changes = {(0, 0): 1, (row, column): 1, (0, column): -1, (row, 0): -1}
    return tuple(changes.get((i, j), 0) for i in range(classes) for j in range(classes))


def _example(claim: ConstantBaseline | ConstantMatrixBaseline) -> tuple[Integer, ...]:
    """Return a rank-one table or matrix with pairwise different margins, so that few formulas have a pole there."""
    if not isinstance(claim, ConstantMatrixBaseline):
        return EXAMPLE
    size = claim.classes
    return tuple(Integer((row + 1) * (column + 2)) for row in range(size) for column in range(size))


def at_the_example(claim: ConstantBaseline | ConstantMatrixBaseline) -> Expr:
    """Return the value of M at an independent table."""
    return claim.subject.xreplace(dict(zip(claim.arguments, _example(claim), strict=True)))


def ends(claim: ConstantBaseline, name: str) -> tuple[FiniteLimit, ...]:
    """Return the claims that M is finite at the table with the most, or the least, agreement of given margins.

    One of these tables belongs to every (n, P, OP); if all of these limits are infinite, no E[M] exists.
    """
    return tuple(FiniteLimit(claim.subject, claim.parameters, path) for path in ENDS[name])
