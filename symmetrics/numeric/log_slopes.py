"""Logarithms of quotients, written so that no digit is lost where the quotient is close to 1.

With a - b known to its last digit, ``log(a/b)`` is ``(a - b)/b`` times the slope ``log(w)/(w - 1)`` of the line from 1
to w = a/b.  Both factors keep their digits: where w is close to 1, its rounding leaves the slope what it was, and w - 1
is exact (Kahan; Goldberg 1991, theorem 4).  So entropies, and what they are divided by, need no second look.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from sympy import Expr, Integer, Mul, Pow, S, Symbol, expand, fraction, log, together

from symmetrics.numeric.terms import LogSlope

_MOST_TERMS: Final = 6
"""A difference of more terms takes longer than a second look."""
_LARGEST_POWER: Final = 4


@lru_cache(maxsize=1024)
def with_slopes(expression: Expr, *, mixed: bool) -> Expr:
    """Return an equal expression, in which logarithms of quotients of positive sums are differences times slopes.

    :param mixed: also where the difference of dividend and divisor may have either sign

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> with_slopes(log(TP / (TP + FN)), mixed=False)
    -FN*LogSlope(TP/(FN + TP))/(FN + TP)
    >>> with_slopes(log(TP * TN / (FP * FN)), mixed=False)
    log(TN*TP/(FN*FP))
    """
    if not expression.has(log):
        return expression
    if not isinstance(expression, log):
        return expression.func(*(with_slopes(part, mixed=mixed) for part in expression.args))
    written = _times_slope(expression.args[0], mixed)
    return expression if written is None else written


def _times_slope(argument: Expr, mixed: bool) -> Expr | None:
    """Return the logarithm of a quotient as a product; None if that is not worth while."""
    above, below = fraction(together(argument))
    if not above.free_symbols | below.free_symbols:
        return None
    if not (_is_positive_product(above) and _is_positive_product(below)):
        return None
    difference = expand(above - below)
    terms = difference.as_ordered_terms()
    # Differences of few terms of one sign keep all digits.
    signs = {bool(term.as_coeff_Mul()[0] > 0) for term in terms}
    if difference == 0 or len(terms) > _MOST_TERMS or (len(signs) == 2 and not mixed):
        return None
    if signs == {True} and below.free_symbols:  # log(a/b) is -log(b/a), whose quotient is at most 1
        return Mul(difference, 1 / above, LogSlope(below / above))
    return Mul(difference, 1 / below, LogSlope(above / below))


def _is_positive_product(expression: Expr) -> bool:
    """Whether an expression is a product of sums of cells that nothing is subtracted in."""
    return all(_is_positive_sum(factor) for factor in Mul.make_args(expression))


def _is_positive_sum(expression: Expr) -> bool:
    base, power = expression.as_base_exp() if isinstance(expression, Pow) else (expression, S.One)
    if not (isinstance(power, Integer) and 0 < power <= _LARGEST_POWER):
        return False
    if isinstance(base, Symbol) or base.is_Rational:
        return bool(base.is_Symbol or base > 0)
    return bool(base.is_Add) and all(_is_positive_product(term) for term in base.args)
