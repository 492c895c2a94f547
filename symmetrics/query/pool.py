"""A pool of tables at which many formulas are compared before anything is proved of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

import numpy as np
from sympy import Expr

from symmetrics.prover.engine.samples import GENERIC, Counted, Sampled, sampled
from symmetrics.prover.engine.witnesses import tables_of_total
from symmetrics.query.fingerprints import TOLERANCE, Array, values_at

__all__ = ["Pool"]

SPREAD: Final = (1, 3, 20, 1000, 10**6)
"""Cells of the tables in which one count is far from another."""
FRACTIONS: Final = (10, 1000)
"""Numbers by which small tables are divided too, for formulas that depend on the size of the table."""
MAX_CERTIFIED: Final = 40
"""Suspects of one pair that are looked at exactly."""


def _tables() -> tuple[Counted, ...]:
    small = [table for total in range(4, 13) for table in tables_of_total(total)]
    spread = [table for table in itertools.product(SPREAD, repeat=4) if len(set(table)) > 1]
    parts = [tuple(Fraction(cell, scale) for cell in table) for scale in FRACTIONS for table in small if sum(table) < 9]
    return tuple(dict.fromkeys([*small, *spread, *GENERIC, *parts]))


class Pool:
    """The values of formulas at many tables, the smallest tables first.

    A table that is a counterexample to one statement is added, and tried on all others.

    :param formulas: the formulas, without parameters
    :raises UnsupportedError: if one of them cannot be evaluated
    """

    def __init__(self, formulas: Sequence[Expr]) -> None:
        self.formulas = tuple(formulas)
        self.samples: tuple[Sampled, ...] = tuple(sampled(formula) for formula in formulas)
        self.tables = _tables()
        self.values: Array = np.stack([values_at(formula, self.tables) for formula in formulas])

    def add(self, table: Counted) -> int:
        """Add a table and return its place."""
        self.tables = (*self.tables, table)
        column = np.stack([values_at(formula, [table]) for formula in self.formulas])
        self.values = np.concatenate([self.values, column], axis=1)
        return len(self.tables) - 1

    def violations(self, first: int, start: int = 0) -> dict[int, Counted]:
        """Return, for each formula that the first one is certain to exceed somewhere, a table at which it does.

        :param first: the place of a formula
        :param start: the place of the table to start from
        """
        left, others = self.values[first, start:], self.values[:, start:]
        with np.errstate(invalid="ignore"):
            size = np.maximum(np.abs(left), np.abs(others))
            exceeds = left - others > TOLERANCE * size
        found = {}
        for second in np.flatnonzero(exceeds.any(axis=1)):
            for place in itertools.islice(self._suspects(exceeds[second], left - others[second]), MAX_CERTIFIED):
                table = self.tables[start + place]
                if self.samples[second].is_less(self.samples[first], table):
                    found[int(second)] = table
                    break
        return found

    @staticmethod
    def _suspects(exceeds: Array, gaps: Array) -> Iterator[int]:
        """Yield the first suspects, and then those with the widest gaps."""
        places = np.flatnonzero(exceeds)
        yield from map(int, places[: MAX_CERTIFIED // 2])
        yield from map(int, places[np.argsort(-gaps[places])][: MAX_CERTIFIED // 2])
