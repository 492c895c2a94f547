"""Ratios: whether a formula is a quotient of two linear forms in the cells.

The claim asks for more than yes or no: the value of its verdict is the ratio.
"""

from __future__ import annotations

from sympy import Expr

from symmetrics.claims.families.equations import Identity
from symmetrics.claims.one_formula import OneFormula
from symmetrics.language.cells import CELLS


class RatioOfLinearForms(OneFormula):
    """M(x) = <u, x>/<w, x> with u and w that do not depend on the table, and w other than 0.

    It may depend on the parameters what u and w are.  The value is the ratio.
    """

    kind = "ratio of linear forms"

    def part(self, ratio: Expr) -> Identity:
        """Return the claim that M is a given formula."""
        return Identity(self.subject, self.parameters, (CELLS, CELLS), partner=ratio)
