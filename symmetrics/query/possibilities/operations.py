"""The operations of which small formulas are made: in the field, on numbers with bounds on errors, and as formulas.

A root is taken of what is a square at each point of the field, and is the root that is a square itself: modulo the
prime, which is 3 modulo 4, there is one such, and the root of a product is the product of the roots, as it is of
positive numbers.  Of a minimum the table of numbers that belongs to a point of the field says which part it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import add, mul, sub, truediv
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Max, Min, Symbol, sqrt

from symmetrics.language.cells import CELLS
from symmetrics.query.possibilities.residues import Residues, difference, product, roots, total

__all__ = [
    "ADD",
    "COMMUTATIVE",
    "DIVIDE",
    "LARGER",
    "MULTIPLY",
    "OPERATIONS",
    "ROOT",
    "SMALLER",
    "SUBTRACT",
    "Reals",
    "applied",
    "combined_reals",
    "combined_residues",
]

ADD, SUBTRACT, MULTIPLY, DIVIDE, SMALLER, LARGER, ROOT = range(7)
OPERATIONS: Final[Mapping[str, int]] = {
    "+": ADD,
    "-": SUBTRACT,
    "*": MULTIPLY,
    "/": DIVIDE,
    "min": SMALLER,
    "max": LARGER,
    "sqrt": ROOT,
}
"""What each is called."""
COMMUTATIVE: Final = (ADD, MULTIPLY, SMALLER, LARGER)
Reals = NDArray[np.float64]
"""Values, and bounds on their errors: of shape (2, points, formulas)."""
_POSITIVE: Final = {cell: Symbol(cell.name, positive=True) for cell in CELLS}
_ACTS: Final[tuple[Callable[[Expr, Expr], Expr], ...]] = (add, sub, mul, truediv, Min, Max)
_UNIT: Final = 2.0**-52
_TINY: Final = 2.0**-1074
_UPWARDS: Final = 1 + 2.0**-48
"""Makes a bound that was itself rounded a bound again."""


def applied(operator: int, x: Expr, y: Expr) -> Expr:
    """Return a formula made of two, of the first alone if it is a root.

    >>> from symmetrics.language.cells import FN, TP
    >>> [applied(operator, TP, FN) for operator in (SUBTRACT, DIVIDE, SMALLER, ROOT)]
    [-FN + TP, TP/FN, Min(FN, TP), sqrt(TP)]
    """
    if operator == ROOT:
        # Of positive cells, so that a root of a square is no absolute value.
        return sqrt(x.xreplace(_POSITIVE)).xreplace({cell: symbol for symbol, cell in _POSITIVE.items()})
    return _ACTS[operator](x, y)


def combined_residues(operator: int, x: Residues, y: Residues, first_is_less: NDArray[np.bool_] | None) -> Residues:
    """Return sums, differences, products, minima, maxima, or roots of the first.

    :param first_is_less: whether the first is the smaller number at the table that belongs to the point
    """
    if operator == ROOT:
        return roots(x)
    if operator in (SMALLER, LARGER):
        assert first_is_less is not None
        return np.where(first_is_less == (operator == SMALLER), x, y)
    return (total, difference, product)[operator](x, y)


def combined_reals(operator: int, first: Reals, second: Reals) -> Reals:
    """Return the same of numbers, with bounds on their errors (Higham, 2002, chapter 3).

    >>> one, near_zero = np.array([[[1.0]], [[0.0]]]), np.array([[[0.0]], [[1e-20]]])
    >>> combined_reals(SUBTRACT, one, one).ravel().tolist(), combined_reals(DIVIDE, one, near_zero)[1].tolist()
    ([0.0, 0.0], [[inf]])
    """
    (u, a), (v, b) = first, second
    with np.errstate(all="ignore"):
        if operator in (ADD, SUBTRACT):
            values = u + v if operator == ADD else u - v
            errors = a + b
        elif operator == MULTIPLY:
            values = u * v
            errors = np.abs(u) * b + np.abs(v) * a + a * b + _TINY
        elif operator == DIVIDE:
            values = u / v
            least = np.abs(v) - b
            errors = np.where(least > 0, (np.abs(values) * b + a) / least + _TINY, np.inf)
        elif operator == ROOT:
            values = np.sqrt(np.maximum(u, 0.0))
            errors = np.where(u > a, a / np.sqrt(np.maximum(u - a, _TINY)), np.inf)
        else:
            values = np.minimum(u, v) if operator == SMALLER else np.maximum(u, v)
            errors = np.maximum(a, b)
        return np.stack([values, (errors + _UNIT * np.abs(values)) * _UPWARDS])
