"""Sub-expressions and intervals that several metrics share, written once."""

from __future__ import annotations

from typing import Final

from sympy import Expr, Interval, Max, Min, log, oo

from symmetrics.language.cells import FN, FP, ON, OP, TN, TP, N, P, n

ACCURACY: Final[Expr] = (TP + TN) / n
"""Proportion of the examples that are predicted correctly: the observed agreement."""
CHANCE: Final[Expr] = (P * OP + N * ON) / n**2
"""Agreement of independent labels and predictions with the same margins."""
CROSS_DIFFERENCE: Final[Expr] = TP * TN - FN * FP
"""Determinant of the table: zero where label and prediction are independent."""

ERRORS: Final[Expr] = FN + FP
"""Number of examples that are predicted wrongly."""

UNIT: Final = Interval(0, 1)
SIGNED_UNIT: Final = Interval(-1, 1)
NON_NEGATIVE: Final = Interval(0, oo)
UP_TO_ONE: Final = Interval(-oo, 1)
REALS: Final = Interval(-oo, oo)


# Unevaluated: SymPy would compare the arguments and look for common factors.  Cells have no sign, so it finds
# none and the result is the same; importing the library is a third faster without.


def larger(*terms: Expr) -> Expr:
    """Return the largest of some terms."""
    return Max(*terms, evaluate=False)


def smaller(*terms: Expr) -> Expr:
    """Return the smallest of some terms."""
    return Min(*terms, evaluate=False)


def ln(term: Expr) -> Expr:
    """Return the natural logarithm of a term."""
    return log(term, evaluate=False)
