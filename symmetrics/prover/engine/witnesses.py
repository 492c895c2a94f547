"""The smallest counterexample to a claim, certified by exact arithmetic."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from flint import fmpq
from sympy import Expr, Integer, Rational, S, Symbol

from symmetrics.algebra.convert import convert, field_for
from symmetrics.algebra.evaluate import Evaluator, Undefined, certain_sign, has_value
from symmetrics.claims import Comparison
from symmetrics.claims.evidence import Decision, Evidence, Witness, point_of
from symmetrics.tools.errors import UnsupportedError

MAX_TOTAL: Final = 24
"""Largest total of a first table that is searched, budget permitting; by how much more than four variables
there are, it is larger."""
MAX_ON_BOUNDARY: Final = 6
"""Largest number of variables for which the smallest boundary points are searched."""
FIRST_PARTNERS: Final = 6
"""Auxiliary values tried at a table before proving that the claim holds there for all of them."""
MAX_PARTNER: Final = 200
"""Largest value of an auxiliary variable that is tried."""
MAX_PROOFS: Final = 1000
"""Number of points at which equality is proved before further near-ties count as skipped."""
BUDGET: Final = 30_000
"""Evaluations of the difference before the search gives up."""
MAX_VIOLATIONS: Final = 4
"""Number of parameter values outside a condition at which a counterexample is searched for."""


_VIOLATIONS: Final[Mapping[str, tuple[int, ...]]] = {"=": (1, -1), ">": (0, -1), ">=": (-1,)}
"""The signs of the relation that refute a claim, by the sign that it asserts."""


def tables_of_total(total: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield the tables of positive integers with a given total, in lexicographic order.

    >>> list(tables_of_total(5))
    [(1, 1, 1, 2), (1, 1, 2, 1), (1, 2, 1, 1), (2, 1, 1, 1)]
    """
    return ((tp, fn, fp, tn) for tp, fn, fp, tn in points_of_total(4, total))


def points_of_total(count: int, total: int) -> Iterator[tuple[int, ...]]:
    """Yield tuples of positive integers of a given length and sum, in lexicographic order.

    >>> list(points_of_total(2, 4))
    [(1, 3), (2, 2), (3, 1)]
    """
    if count == 1:
        yield from [(total,)] if total >= 1 else []
        return
    for first in range(1, total - count + 2):
        for rest in points_of_total(count - 1, total - first):
            yield first, *rest


@dataclass(frozen=True)
class Counterexample:
    """A witness, and whether all smaller tables of integers are known to satisfy the claim."""

    witness: Witness
    is_smallest: bool


def first_witness(claim: Comparison) -> Counterexample | None:
    """Return the smallest counterexample if it is among the first few points, as in most cases, and None otherwise.

    :raises UnsupportedError: if the formula cannot be evaluated
    """
    search = Search(claim)
    found = search.at_first_tables()
    return None if found is None else Counterexample(witness_at(claim, found), _in_order(claim) and not search.skipped)


def refuted(found: Counterexample) -> Decision:
    """Return the decision that a counterexample justifies, for a claim without parameters."""
    witness = found.witness
    fractional = any(count != int(count) for table in witness.tables for count in table)
    data = {} if found.is_smallest and not fractional else {"smallest": False}
    return Decision("refuted", False, Evidence("witness", data), witness=witness)


def find_witness(
    claim: Comparison, values: Mapping[Symbol, Expr], *, proofs: float = math.inf
) -> Counterexample | None:
    """Return the smallest counterexample for given parameter values, or None if none was found within the budget.

    Smallest: least total of the first table, then lexicographic in TP, FN, FP, TN, or in the named variables of the
    claim, then the smallest partner in the same order.  Tables of positive integers come first; only if there is none
    among them, tables of positive rationals.

    :param proofs: how often algebra may be asked whether the claim holds at a table
    """
    if any(f.has(S.ComplexInfinity, S.NaN, S.Infinity, S.NegativeInfinity) for f in claim.at(values).formulas):
        return None
    try:
        search = Search(claim, values)
    except UnsupportedError:
        return None
    search.algebra_left = proofs
    # Positive integers in order, so that the first hit is the smallest; then fractions.
    found = search.over_integers()
    is_smallest = found is not None and _in_order(claim) and not search.skipped
    found = found or search.over_fractions()
    if found is None:
        return None
    parameters = {p.name: Rational(values[p.symbol]) for p in claim.parameters}
    return Counterexample(witness_at(claim.at(values), found, parameters), is_smallest)


def certified(claim: Comparison, values: Mapping[Symbol, Expr], points: Iterable[tuple[fmpq, ...]]) -> Witness | None:
    """Return the first of several points that is certainly a counterexample, or None.

    :param values: the values of the parameters
    :param points: positive numbers for the variables of the claim, the auxiliary ones last
    :raises UnsupportedError: if the formula cannot be evaluated
    """
    search = Search(claim, values)
    found = next((point for point in points if search.violates(point)), None)
    if found is None:
        return None
    return witness_at(claim.at(values), found, {p.name: Rational(values[p.symbol]) for p in claim.parameters})


def on_the_boundary(claim: Comparison) -> Witness | None:
    """Return a counterexample among the smallest tables with a zero cell, or None."""
    if len(claim.over) > MAX_ON_BOUNDARY:
        return None
    points = itertools.product(range(3), repeat=len(claim.over))
    tables = sorted((t for t in points if 0 in t and any(t)), key=lambda t: (sum(t), t))
    steps = (fmpq(1),) * len(claim.auxiliary)
    try:
        return certified(claim, {}, ((*map(fmpq, table), *steps) for table in tables))
    except UnsupportedError:
        return None


class Search:
    """Search through the tables in order, with a count of evaluations."""

    def __init__(self, claim: Comparison, values: Mapping[Symbol, Expr] | None = None) -> None:
        self.claim = claim
        # Substitute parameters and counts together: (1 - w)/(w - FP) at w = 1 and FP = 1 is undefined, not 0.
        self.values = dict(values or {})
        self.parameters = tuple(fmpq(int(value.p), int(value.q)) for value in self.values.values())
        variables = (*claim.variables, *self.values)
        self.difference = Evaluator(claim.difference, variables)
        self.sides = [Evaluator(side, variables) for side in claim.sides]
        self.left = BUDGET
        self.algebra_left = math.inf
        self.proofs_left = MAX_PROOFS
        self.skipped = False
        """Whether a table was skipped without knowing that the claim holds there."""

    def at_first_tables(self) -> tuple[fmpq, ...] | None:
        """Return the first counterexample among a handful of points, which refute most false claims."""
        points: list[tuple[int, ...]] = []
        count = len(self.claim.over)
        if len(self.claim.auxiliary) == 1:
            points = [(*(1,) * count, partner) for partner in range(1, FIRST_PARTNERS)]
        elif not self.claim.auxiliary:
            points = [*points_of_total(count, count), *points_of_total(count, count + 1)]
        return next((exact for point in points if self.violates(exact := tuple(map(fmpq, point)))), None)

    def over_integers(self) -> tuple[fmpq, ...] | None:
        """Return the first counterexample among tables of positive integers, within the budget."""
        count = len(self.claim.over)
        for total in range(count, MAX_TOTAL - 3 + count):
            for table in points_of_total(count, total):
                if self.left <= 0:
                    return None
                if (partner := self.partner(tuple(fmpq(cell) for cell in table))) is not None:
                    return partner
        return None

    def over_fractions(self) -> tuple[fmpq, ...] | None:
        """Return a counterexample among tables of positive rationals with a small denominator."""
        self.left = BUDGET
        count = len(self.claim.over)
        for scale in (2, 3, 4):
            for total in range(count, count + 12):
                for table in points_of_total(count, total):
                    if self.left <= 0:
                        return None
                    point = tuple(fmpq(cell, scale) for cell in table)
                    for other in range(1, 2 * scale + 1) if self.claim.auxiliary else (0,):
                        auxiliary = (fmpq(other, scale),) * len(self.claim.auxiliary)
                        if self.left > 0 and self.violates((*point, *auxiliary)):
                            return (*point, *auxiliary)
        return None

    def violates(self, point: tuple[fmpq, ...]) -> bool:
        """Whether a point is certainly a counterexample."""
        self.left -= 1
        try:
            sign = certain_sign(lambda: self.difference(*point, *self.parameters))
        except Undefined:
            return False
        if sign is None and (self.claim.sign == ">" or not self.skipped):
            self.proofs_left -= 1
            if self.proofs_left >= 0 and self.holds_at(point):
                sign = 0
            self.skipped = self.skipped or sign is None
        # Undefined parts may cancel in the difference, so both sides are checked separately.
        return sign in _VIOLATIONS[self.claim.sign] and all(self.is_defined(side, point) for side in self.sides)

    def is_defined(self, side: Evaluator, point: tuple[fmpq, ...]) -> bool:
        """Whether one side of the claim is defined at a point."""
        return has_value(lambda: side(*point, *self.parameters))

    def partner(self, table: tuple[fmpq, ...]) -> tuple[fmpq, ...] | None:
        """Return the smallest auxiliary values that make a table a counterexample, or None."""
        count = len(self.claim.auxiliary)
        if not count:
            return table if self.violates(table) else None
        if _in_order(self.claim) and not self.is_defined(self.sides[0], (*table, *(fmpq(1),) * count)):
            return None
        # Shells of increasing largest value; after the first few, ask algebra whether equality holds for all others.
        for largest in range(1, MAX_PARTNER + 1):
            if largest == FIRST_PARTNERS + 1 and self.holds_at(table, FIRST_PARTNERS if count == 1 else 0):
                return None
            shell = [a for a in itertools.product(range(1, largest + 1), repeat=count) if max(a) == largest]
            for auxiliary in sorted(shell, key=lambda a: self.image_key(table, a)):
                point = (*table, *(fmpq(a) for a in auxiliary))
                if self.violates(point):
                    return point
            if self.left <= 0:
                return None
        self.skipped = True
        return None

    def image_key(self, table: tuple[fmpq, ...], auxiliary: tuple[int, ...]) -> tuple[int, ...]:
        """Return the sort key of the tables that auxiliary values produce."""
        if len(auxiliary) == 1:
            return auxiliary
        place = dict(zip(self.claim.variables, (*map(int, table), *auxiliary), strict=True))
        cells = [int(cell.xreplace(place)) for image in self.claim.tables[1:] for cell in image]
        return (sum(cells), *cells)

    def holds_at(self, point: tuple[fmpq, ...], beyond: int = 0) -> bool:
        """Whether algebra shows equality at this point, or at this table for all auxiliary values above a bound."""
        self.algebra_left -= 1
        if self.algebra_left < 0:
            return False
        place = {v: Rational(int(value.p), int(value.q)) for v, value in zip(self.claim.variables, point, strict=False)}
        place |= {v: v + beyond for v in self.claim.variables[len(point) :]}
        try:
            field = field_for((), over=self.claim.names)
            return convert(self.claim.difference.xreplace(place | self.values), field).is_zero
        except (UnsupportedError, KeyError):
            return False


def _in_order(claim: Comparison) -> bool:
    """Whether the first table consists of the variables themselves, so that both are searched in the same order."""
    return claim.tables[0] == claim.arguments


def witness_at(claim: Comparison, point: tuple[fmpq, ...], parameters: Mapping[str, Rational] | None = None) -> Witness:
    """Return the witness at a point: the tables of a claim there, and the formula's values.

    :param parameters: the values of the metric's parameters, which the claim has no longer
    """
    exact = [Rational(int(v.p), int(v.q)) for v in point]
    place = dict(zip(claim.variables, exact, strict=True))
    tables = tuple(point_of(claim.over, [_count(cell.xreplace(place)) for cell in image]) for image in claim.tables)
    values = tuple(
        formula.xreplace(dict(zip(claim.arguments, map(_exact, table), strict=True)))
        for formula, table in zip(claim.formulas, tables, strict=True)
    )
    return Witness(tables, values, dict(parameters or {}))


def _count(value: Expr) -> int | Rational:
    return int(value) if isinstance(value, Integer) else value


def _exact(count: int | Rational) -> Rational:
    return Integer(count) if isinstance(count, int) else count
