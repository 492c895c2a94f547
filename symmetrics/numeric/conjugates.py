"""Differences that hold a square root, written so that no digit is lost where the two sides are close.

``a - b`` is ``(a**2 - b**2)/(a + b)``.  Where the squares are quotients of sums of cells, and their difference is again
one in which nothing is subtracted, nothing cancels: ``1 - TP/sqrt((TP + FN)*(TP + FP))`` needs no second look.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from sympy import Add, Expr, Mul, Pow, Rational, expand, fraction, together

from symmetrics.numeric.program import is_positive
from symmetrics.numeric.terms import tree_of

_MOST_TERMS: Final = 6
"""A difference of more terms takes longer than a second look."""
_HALF: Final = Rational(1, 2)


@lru_cache(maxsize=1024)
def with_conjugates(expression: Expr) -> Expr:
    """Return an equal expression, in which differences of two positive sides are differences of their squares.

    :raises UnsupportedError: on what is no formula over the cells

    >>> from sympy import sqrt
    >>> from symmetrics.language.cells import FN, TP
    >>> with_conjugates(1 - sqrt(TP / (TP + FN)))
    FN/((FN + TP)*(sqrt(TP/(FN + TP)) + 1))
    >>> with_conjugates(1 - sqrt(TP))
    1 - sqrt(TP)
    """
    if not any(abs(power.exp) == _HALF for power in expression.atoms(Pow)):
        return expression
    if isinstance(expression, Add) and len(expression.args) == 2:
        written = _from_squares(expression)
        if written is not None:
            return written
    return expression.func(*map(with_conjugates, expression.args))


def _from_squares(difference: Expr) -> Expr | None:
    """Return a difference of two sides as a quotient; None if it is none, or if something cancels in that, too."""
    coefficient = {side: side.as_coeff_Mul()[0] for side in difference.args}
    low, high = sorted(difference.args, key=coefficient.__getitem__)
    if not coefficient[low] < 0 < coefficient[high]:
        return None
    if not all(is_positive(tree_of(side)[1]) for side in (low, high)):
        return None
    # a - b = (a^2 - b^2)/(a + b)
    above, below = fraction(together(high**2 - low**2))
    terms = expand(above).as_ordered_terms()
    signs = {term.as_coeff_Mul()[0] > 0 for term in terms}
    is_rational = all(power.exp.is_Integer for power in (above / below).atoms(Pow))
    if not is_rational or terms == [0] or len(terms) > _MOST_TERMS or len(signs) > 1:
        return None
    return Mul(Add(*terms), 1 / below, 1 / (high - low))
