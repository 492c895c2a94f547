"""Constants: whether a formula has one value at all tables.  A family for tests, and a model for others."""

from __future__ import annotations

from sympy import Expr

from symmetrics.claims.comparison import value_symbol
from symmetrics.claims.families.relations import Identity
from symmetrics.claims.one_formula import OneFormula
from symmetrics.language.cells import CELLS

__all__ = ["Constant"]


class Constant(OneFormula):
    """M has the same value at all tables of positive cells; the value of a verdict is that number."""

    kind = "single value"

    def part(self, number: Expr) -> Identity:
        """Return the claim that M is a given number."""
        return Identity(self.subject, self.parameters, (CELLS,), (), value_symbol(0) - number)
