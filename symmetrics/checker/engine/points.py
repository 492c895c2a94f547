"""What a formula is worth at a table: what it says there as it is written, or else the limit.

A limit takes two proofs: that there is one, the same along all paths of positive tables, and what it is along a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sympy import Expr, Rational

from symmetrics.checker.engine.enclosures import is_same
from symmetrics.checker.engine.germs import Limits
from symmetrics.checker.engine.requirements import require
from symmetrics.checker.engine.tendencies import check_tends_to
from symmetrics.checker.engine.written import value_or_none
from symmetrics.claims.families.limits import STEP
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import formula_text

__all__ = ["check_value"]


def check_value(formula: Expr, table: Sequence[Rational], value: Expr) -> None:
    """Check that a formula without parameters has a value at a table, as it is written or as a limit.

    >>> from symmetrics.language.cells import FN, TP
    >>> from sympy import log
    >>> check_value(FN * log(FN / (TP + FN)) + TP, [Rational(count) for count in (2, 0, 1, 1)], Rational(2))

    :raises CertificateError: if that is not shown
    """
    place = dict(zip(CELLS, table, strict=True))
    found = value_or_none(formula, place)
    if found is not None:
        require(is_same(found, value), f"the metric's value at {tuple(table)} is not {value}")
        return
    require(0 in table, "the formula has no value at a table")
    Limits(()).at(formula, {cell: Fraction(int(count.p), int(count.q)) for cell, count in place.items()})
    line = {cell: count or STEP for cell, count in place.items()}
    check_tends_to(formula, formula_text(value), (), line)
