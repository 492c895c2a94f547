"""The four cells of a 2x2 confusion matrix, and their named sums and proportions.

Rows are the true classes and columns the predicted ones, the positive class first::

                     predicted positive   predicted negative
    positive class          TP                   FN
    negative class          FP                   TN

The symbols are real and carry no sign: the domains on which statements are made say what sign the cells have, and a
symbol that SymPy takes for positive would split every root of a product before anyone sees it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sympy import Expr, Symbol

from symmetrics.language.names import CELL_NAMES, SUM_NAMES


def parameter_symbol(name: str) -> Symbol:
    """Return the symbol that stands for a variable or a parameter of that name in every formula.

    >>> parameter_symbol("TP") == TP, parameter_symbol("TP") == Symbol("TP")
    (True, False)
    """
    return Symbol(name, real=True)


CELLS: Final[tuple[Symbol, Symbol, Symbol, Symbol]] = tuple(map(parameter_symbol, CELL_NAMES))
TP, FN, FP, TN = CELLS

P: Final[Expr] = TP + FN
"""Number of positive examples."""
N: Final[Expr] = FP + TN
"""Number of negative examples."""
OP: Final[Expr] = TP + FP
"""Number of examples predicted positive."""
ON: Final[Expr] = FN + TN
"""Number of examples predicted negative."""
n: Final[Expr] = TP + FN + FP + TN
"""Number of examples."""

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

NAMED: Final[Mapping[str, Expr]] = dict(
    zip(SUM_NAMES, (P, N, OP, ON, n, TPR, FNR, TNR, FPR, PPV, NPV), strict=True),
)
"""The named sums and proportions, which formulas may use as abbreviations."""

Table = tuple[Expr, Expr, Expr, Expr]
"""Four expressions, in the order TP, FN, FP, TN."""
