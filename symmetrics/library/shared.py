"""Sub-expressions and intervals that several metrics share, written once."""

from __future__ import annotations

from typing import Final

from sympy import Expr, Interval, oo

from symmetrics.cells import FN, FP, ON, OP, TN, TP, N, P, n

__all__ = [
    "ACCURACY",
    "CHANCE",
    "CROSS_DIFFERENCE",
    "FNR",
    "FPR",
    "NON_NEGATIVE",
    "NPV",
    "PPV",
    "SIGNED_UNIT",
    "TNR",
    "TPR",
    "UNIT",
]

TPR: Final[Expr] = TP / P
"""Proportion of the positive examples that are predicted positive."""
FNR: Final[Expr] = FN / P
"""Proportion of the positive examples that are predicted negative."""
TNR: Final[Expr] = TN / N
"""Proportion of the negative examples that are predicted negative."""
FPR: Final[Expr] = FP / N
"""Proportion of the negative examples that are predicted positive."""
PPV: Final[Expr] = TP / OP
"""Proportion of the examples predicted positive that are positive."""
NPV: Final[Expr] = TN / ON
"""Proportion of the examples predicted negative that are negative."""
ACCURACY: Final[Expr] = (TP + TN) / n
"""Proportion of the examples that are predicted correctly: the observed agreement."""
CHANCE: Final[Expr] = (P * OP + N * ON) / n**2
"""Agreement of independent labels and predictions with the same margins."""
CROSS_DIFFERENCE: Final[Expr] = TP * TN - FN * FP
"""Determinant of the table: zero where label and prediction are independent."""

UNIT: Final = Interval(0, 1)
SIGNED_UNIT: Final = Interval(-1, 1)
NON_NEGATIVE: Final = Interval(0, oo)
