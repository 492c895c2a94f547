"""Minimise a counterexample by testing all tables that precede it in the order.

Counterexamples are ordered by their tables, one after the other: by its total first, then by its cells.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from flint import fmpq
from numpy.typing import NDArray
from sympy import Add, Expr, Integer, Poly, Symbol, sympify

from symmetrics.claims import Comparison, Identity
from symmetrics.claims.evidence import Witness
from symmetrics.prover.engine.samples import compiled_in
from symmetrics.prover.engine.witnesses import Counterexample, Search, witness_at
from symmetrics.tools.errors import UnsupportedError

Key = tuple[tuple[Expr, ...], ...]
"""Sort key of a counterexample: for each of its tables the total, then the cells."""
Holds = Callable[[Comparison], bool]
"""Decides whether a claim is proved."""

MAX_GRID: Final = 500_000
"""Largest number of assignments to the first table's variables that are listed; most give no earlier table."""
MAX_POINTS: Final = 2000
"""Largest number of points before a counterexample that are tested."""
NEAR_PARTNERS: Final = 6
"""Values of an unbounded variable that are tried before proving the claim for all of them."""


def key_of(witness: Witness) -> Key | None:
    """Return the sort key of a counterexample, or None if its first table has fractional counts."""
    if any(count != int(count) for count in witness.tables[0]):
        return None
    return _key(tuple(map(sympify, table)) for table in witness.tables)


def smallest(claim: Comparison, found: Witness, holds: Holds) -> Counterexample:
    """Return the smallest counterexample to a claim without parameters, given one to it or to another claim.

    :param holds: function that decides whether a claim is proved; called for single tables
    :returns: the smallest counterexample found, and whether the claim is known to hold at all smaller points
    """
    key = key_of(found)
    if key is None:
        return Counterexample(found, is_smallest=False)
    points = _Points(claim, key, holds)
    try:
        return Counterexample(points.first_violation() or found, points.is_complete)
    except UnsupportedError:
        return Counterexample(found, is_smallest=False)


@dataclass
class _Points:
    """The points of a claim that precede a given sort key."""

    claim: Comparison
    key: Key
    holds: Holds
    is_complete: bool = True
    looked_at: int = 0

    @cached_property
    def search(self) -> Search:
        """The search that decides whether a point is a counterexample."""
        return Search(self.claim)

    @cached_property
    def unbounded(self) -> list[Symbol]:
        """Variables that occur in a later table but not in the first one, whose total does not bound them."""
        later = set().union(*map(_variables, self.claim.tables[1:]))
        return [v for v in self.claim.variables if v in later and v not in self.leading]

    @cached_property
    def leading(self) -> list[Symbol]:
        """The variables of the first table."""
        first = _variables(self.claim.tables[0])
        return [v for v in self.claim.variables if v in first]

    def first_violation(self) -> Witness | None:
        """Return the smallest counterexample before the key.

        :raises UnsupportedError: if the tables do not grow with every variable in them
        """
        first, *later = self.claim.tables
        moved = [table for table in later if not _variables(table).isdisjoint(self.unbounded)]
        if not all(_grows(cell) for table in (first, *moved) for cell in table):
            raise UnsupportedError("tables with cells that do not grow with their variables")
        for values in self.assignments():
            for point in self.over(values):
                self.looked_at += 1
                if self.looked_at > MAX_POINTS:
                    self.is_complete = False
                    return None
                if self.search.violates(point):
                    return witness_at(self.claim, point)
            if self.search.skipped:
                self.is_complete = False
        return None

    def assignments(self) -> Iterator[dict[Symbol, int]]:
        """Yield values of the leading variables, in the order of the first table, up to that of the key."""
        total = int(self.key[0][0])
        if total ** len(self.leading) > MAX_GRID:
            self.is_complete = False
            return
        axes = np.meshgrid(*(np.arange(1, total) for _ in self.leading), indexing="ij")
        grid = np.stack([axis.ravel() for axis in axes], axis=1)
        for row in grid[_in_order(self.leading, self.claim.tables[0], grid, self.key[0])]:
            yield dict(zip(self.leading, map(int, row), strict=True))

    def over(self, values: dict[Symbol, int]) -> list[tuple[fmpq, ...]]:
        """Return the points with a given first table that precede the key, the smallest first."""
        is_last = self._key(values | dict.fromkeys(self.unbounded, 1))[0] == self.key[0]
        if not self.unbounded:
            choices: list[dict[Symbol, int]] = [{}]
        elif is_last:
            choices = list(self._below())
        else:
            choices = [dict(zip(self.unbounded, v, strict=True)) for v in _near(len(self.unbounded))]
            self.is_complete = self.is_complete and self._holds_beyond(values)
        places = [dict.fromkeys(self.claim.variables, 1) | values | choice for choice in choices]
        keyed = sorted((self._key(place), tuple(place.values())) for place in places)
        return [tuple(map(fmpq, point)) for key, point in keyed if key < self.key]

    def _below(self) -> Iterator[dict[Symbol, int]]:
        """Yield values of the unbounded variables; they include all at which later tables precede the key."""
        largest = max(int(total) for total, *_ in self.key[1:])
        if largest ** len(self.unbounded) > MAX_POINTS:
            self.is_complete = False
            return
        for choice in itertools.product(range(1, largest + 1), repeat=len(self.unbounded)):
            yield dict(zip(self.unbounded, choice, strict=True))

    def _key(self, place: dict[Symbol, int]) -> Key:
        filled = {symbol: Integer(place.get(symbol, 1)) for symbol in self.claim.variables}
        return _key(tuple(cell.xreplace(filled) for cell in table) for table in self.claim.tables)

    def _holds_beyond(self, values: dict[Symbol, int]) -> bool:
        """Whether the claim is proved at one first table for all values of the unbounded variables."""
        filled = {symbol: Integer(values.get(symbol, 1)) for symbol in self.claim.variables}
        fixed = {symbol: value for symbol, value in filled.items() if symbol not in self.unbounded}
        if isinstance(self.claim, Identity):
            return self.search.holds_at(tuple(fmpq(int(fixed[cell])) for cell in self.claim.arguments))
        tables = tuple(tuple(cell.xreplace(fixed) for cell in table) for table in self.claim.tables)
        return self.holds(replace(self.claim, tables=tables))


def _key(tables: Iterable[tuple[Expr, ...]]) -> Key:
    return tuple((Add(*cells), *cells) for cells in tables)


def _variables(table: tuple[Expr, ...]) -> set[Symbol]:
    return {symbol for cell in table for symbol in cell.free_symbols}


def _grows(cell: Expr) -> bool:
    """Whether a cell is a polynomial with positive integer coefficients, and so at least as large as its variables."""
    if cell.is_Integer:
        return bool(cell > 0)
    return bool(cell.is_polynomial()) and all(c.is_Integer and c > 0 for c in Poly(cell, *cell.free_symbols).coeffs())


def _near(count: int) -> Iterator[tuple[int, ...]]:
    return itertools.product(range(1, NEAR_PARTNERS + 1), repeat=count)


def _in_order(
    symbols: list[Symbol], table: tuple[Expr, ...], grid: NDArray[np.int64], last: tuple[Expr, ...]
) -> NDArray[np.int64]:
    """Return the row indices of a grid at which a table precedes or equals a given one, sorted by table."""
    cells = [np.broadcast_to(compiled_in(cell, tuple(symbols))(*grid.T), len(grid)) for cell in table]
    total, bound = np.sum(cells, axis=0), tuple(map(int, last))
    places = np.flatnonzero(total <= bound[0])
    order = np.lexsort([cell[places] for cell in reversed([total, *cells])])
    return np.array([p for p in places[order] if (total[p], *(cell[p] for cell in cells)) <= bound], dtype=np.int64)
