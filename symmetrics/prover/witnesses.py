"""The smallest counterexample to a claim, certified by exact arithmetic."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Final

from flint import fmpq
from sympy import Expr, Integer, Rational, Symbol

from symmetrics.algebra.convert import convert, field_for
from symmetrics.algebra.evaluate import Evaluator, Undefined, difference_is_certain
from symmetrics.cells import CELLS
from symmetrics.claims import Identity
from symmetrics.errors import UnsupportedError
from symmetrics.verdict import Counts, Witness

__all__ = ["find_witness", "first_witness", "tables_of_total"]

MAX_TOTAL: Final = 24
"""Largest total of a first table that is searched, as long as the budget lasts."""
FIRST_PARTNERS: Final = 6
"""Partners tried at a table before it is asked whether the claim holds there for all of them."""
MAX_PARTNER: Final = 200
"""Largest value of an auxiliary variable that is tried."""
BUDGET: Final = 30_000
"""Evaluations of the difference before the search gives up."""


def tables_of_total(total: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield the tables of positive integers with a given total, in lexicographic order.

    >>> list(tables_of_total(5))
    [(1, 1, 1, 2), (1, 1, 2, 1), (1, 2, 1, 1), (2, 1, 1, 1)]
    """
    for tp, fn, fp in itertools.product(range(1, total - 2), repeat=3):
        if (tn := total - tp - fn - fp) >= 1:
            yield tp, fn, fp, tn


def first_witness(claim: Identity) -> Witness | None:
    """Return the smallest counterexample if it lies among the first few points, as most do, and None otherwise."""
    found = _Search(claim).at_first_tables()
    return None if found is None else _witness(claim, found, {})


def find_witness(claim: Identity, values: Mapping[Symbol, Expr]) -> Witness | None:
    """Return the smallest counterexample for given parameter values, or None if none was found within the budget.

    Smallest: least total of the first table, then lexicographic in TP, FN, FP, TN, then the smallest partner in the
    same order.  Tables of positive integers come first; only if there is none among them, tables of positive rationals.
    """
    bound = claim.at(values)
    search = _Search(bound)
    found = search.over_integers() or search.over_fractions()
    if found is None:
        return None
    parameters = {p.name: Rational(values[p.symbol]) for p in claim.parameters}
    return _witness(bound, found, parameters)


class _Search:
    """One run through the tables in order, counting the evaluations it makes."""

    def __init__(self, claim: Identity) -> None:
        self.claim = claim
        self.difference = Evaluator(claim.difference, claim.variables)
        self.left = BUDGET

    def at_first_tables(self) -> tuple[fmpq, ...] | None:
        points: list[tuple[int, ...]] = []
        if len(self.claim.auxiliary) == 1:
            points = [(1, 1, 1, 1, partner) for partner in range(2, FIRST_PARTNERS)]
        elif not self.claim.auxiliary:
            points = [*tables_of_total(4), *tables_of_total(5)]
        return next((exact for point in points if self.differs(exact := tuple(map(fmpq, point)))), None)

    def over_integers(self) -> tuple[fmpq, ...] | None:
        for total in range(4, MAX_TOTAL + 1):
            for table in tables_of_total(total):
                if self.left <= 0:
                    return None
                if (partner := self.partner(tuple(fmpq(cell) for cell in table))) is not None:
                    return partner
        return None

    def over_fractions(self) -> tuple[fmpq, ...] | None:
        self.left = BUDGET
        for scale in (2, 3, 4):
            for total in range(4, 16):
                for table in tables_of_total(total):
                    point = tuple(fmpq(cell, scale) for cell in table)
                    for other in range(1, 2 * scale + 1) if self.claim.auxiliary else (0,):
                        auxiliary = (fmpq(other, scale),) * len(self.claim.auxiliary)
                        if self.left > 0 and self.differs((*point, *auxiliary)):
                            return (*point, *auxiliary)
        return None

    def differs(self, point: tuple[fmpq, ...]) -> bool:
        self.left -= 1
        try:
            return difference_is_certain(lambda: self.difference(*point)) is True
        except Undefined:
            return False

    def partner(self, table: tuple[fmpq, ...]) -> tuple[fmpq, ...] | None:
        """Return the table with the smallest auxiliary values that make it a counterexample, or None if none do."""
        count = len(self.claim.auxiliary)
        if not count:
            return table if self.differs(table) else None
        for largest in range(1, MAX_PARTNER + 1):
            if largest == FIRST_PARTNERS + 1 and self.holds_at(table):
                return None
            shell = [a for a in itertools.product(range(1, largest + 1), repeat=count) if max(a) == largest]
            for auxiliary in sorted(shell, key=lambda a: self.image_key(table, a)):
                point = (*table, *(fmpq(a) for a in auxiliary))
                if self.differs(point):
                    return point
            if self.left <= 0:
                return None
        return None

    def image_key(self, table: tuple[fmpq, ...], auxiliary: tuple[int, ...]) -> tuple[int, ...]:
        if len(auxiliary) == 1:
            return auxiliary
        place = dict(zip(self.claim.variables, (*map(int, table), *auxiliary), strict=True))
        cells = [int(cell.xreplace(place)) for image in self.claim.tables[1:] for cell in image]
        return (sum(cells), *cells)

    def holds_at(self, table: tuple[fmpq, ...]) -> bool:
        """Whether the claim holds at this table for all auxiliary values."""
        place = {cell: Rational(int(v.p), int(v.q)) for cell, v in zip(CELLS, table, strict=True)}
        try:
            field = field_for((), self.claim.auxiliary)
            return convert(self.claim.difference.xreplace(place), field).is_zero
        except (UnsupportedError, KeyError):
            return False


def _witness(claim: Identity, point: tuple[fmpq, ...], parameters: dict[str, Rational]) -> Witness:
    exact = [Rational(int(v.p), int(v.q)) for v in point]
    place = dict(zip(claim.variables, exact, strict=True))
    tables = tuple(Counts(*(_count(cell.xreplace(place)) for cell in image)) for image in claim.tables)
    values = tuple(claim.subject.xreplace(dict(zip(CELLS, map(_exact, t), strict=True))) for t in tables)
    return Witness(tables, values, parameters)


def _count(value: Expr) -> int | Rational:
    return int(value) if isinstance(value, Integer) else value


def _exact(count: int | Rational) -> Rational:
    return Integer(count) if isinstance(count, int) else count
