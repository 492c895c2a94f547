"""Equal forms of sums in which less cancels: extremes with fewer terms, conjugates, exact differences, counts first."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Final

from sympy import Add, Expr, Max, Min, Mul, Pow, expand, factor, fraction, together

from symmetrics.language.cells import CELLS
from symmetrics.numeric.terms import KeptSum, ProductDifference

__all__ = ["absorbed", "conjugated", "with_counts_first", "with_exact_differences"]

_MOST: Final = 32
"""Choices of one argument from each extreme that are looked at."""


def absorbed(expression: Expr) -> Expr:
    """Return an equal expression in which ``a + b - Max(a, b)`` is ``Min(a, b)``, and the like.

    >>> from symmetrics.language.cells import FN, TP
    >>> absorbed(TP + FN - Max(TP, FN))
    Min(FN, TP)
    >>> absorbed(Max(TP, FN) - TP)
    Max(0, FN - TP)
    """
    return _in_sums(expression, _absorbed)


def _absorbed(total: Expr) -> Expr:
    terms = [term.as_coeff_Mul() for term in total.args]
    if not any(isinstance(part, Max) for _, part in terms):
        return total
    negative = [(number, part.args) for number, part in terms if isinstance(part, Max) and number < 0]
    rest = Add(*(number * part for number, part in terms if not (isinstance(part, Max) and number < 0)))
    choices = list(itertools.product(*(arguments for _, arguments in negative)))
    if len(choices) > _MOST:
        return total
    return Min(*(_pulled_out(rest + _weighted(negative, choice)) for choice in choices))


def _pulled_out(total: Expr) -> Expr:
    """Return a sum with one argument of each ``Max`` outside of it: that which cancels most."""
    terms = [term.as_coeff_Mul() for term in Add.make_args(total)]
    plain = Add(*(number * part for number, part in terms if not isinstance(part, Max)))
    extremes = [(number, part.args) for number, part in terms if isinstance(part, Max)]
    best: tuple[int, Expr, tuple[Expr, ...]] | None = None
    for choice in itertools.islice(itertools.product(*(arguments for _, arguments in extremes)), _MOST):
        outside = expand(plain + _weighted(extremes, choice))
        size = len(Add.make_args(outside)) if outside else 0
        if best is None or size < best[0]:
            best = size, outside, choice
    if best is None:
        return total
    inside = zip(extremes, best[2], strict=True)
    return Add(best[1], *(number * Max(*(part - chosen for part in parts)) for (number, parts), chosen in inside))


def _weighted(extremes: Sequence[tuple[Expr, tuple[Expr, ...]]], choice: Sequence[Expr]) -> Expr:
    return Add(*(number * part for (number, _), part in zip(extremes, choice, strict=True)))


def conjugated(expression: Expr) -> Expr:
    """Return an equal expression in which ``1 - x/sqrt(y)`` is a quotient in which nothing cancels, if it is one.

    >>> from sympy import sqrt
    >>> from symmetrics.language.cells import FN, TP
    >>> conjugated(1 - TP/sqrt(TP*(TP + FN)))
    FN/((FN + TP)*(TP/sqrt(TP*(FN + TP)) + 1))
    """
    return _in_sums(expression, _conjugated)


def _conjugated(total: Expr) -> Expr:
    if len(total.args) != 2 or not total.has(Pow):
        return total
    left, right = total.args
    if not any(power.exp.is_Rational and not power.exp.is_Integer for power in total.atoms(Pow)):
        return total
    above, below = fraction(together(left**2 - right**2))
    above = expand(above)
    signs = {term.as_coeff_Mul()[0].is_positive for term in Add.make_args(above)}
    is_difference = left.could_extract_minus_sign() != right.could_extract_minus_sign()
    if not (is_difference and len(signs) == 1 and (above / below).is_rational_function(*CELLS)):
        return total
    return factor(above / below) / (left - right)


def with_exact_differences(expression: Expr) -> Expr:
    """Return an equal expression in which a difference of two products of cells is computed with all its digits.

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> with_exact_differences(TP*TN - FN*FP)
    ProductDifference(TN, TP, FN, FP)
    """
    return _in_sums(expression, _exact_difference)


def _exact_difference(total: Expr) -> Expr:
    if len(total.args) != 2:
        return total
    (c, left), (d, right) = (term.as_coeff_Mul() for term in total.args)
    pairs = [Mul.make_args(part) for part in (left, right)]
    if c != -d or not all(len(pair) == 2 and set(pair) <= set(CELLS) for pair in pairs):
        return total
    if c < 0:
        c, pairs = -c, pairs[::-1]
    return c * ProductDifference(*pairs[0], *pairs[1])


def with_counts_first(expression: Expr) -> Expr:
    """Return an equal expression in which what is whole at whole counts is summed before anything that is rounded.

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> with_counts_first(TP - FN + FP/(FP + TN))
    FP/(FP + TN) + KeptSum(-FN + TP)
    """
    return _in_sums(expression, _counts_first)


def _counts_first(total: Expr) -> Expr:
    counts = [term for term in total.args if term.is_polynomial(*CELLS) and term.as_coeff_Mul()[0].is_Integer]
    signs = {term.as_coeff_Mul()[0].is_positive for term in counts}
    if len(signs) < 2 or len(counts) == len(total.args):
        return total
    return Add(KeptSum(Add(*counts)), *(term for term in total.args if term not in counts))


def _in_sums(expression: Expr, rule: Callable[[Expr], Expr]) -> Expr:
    """Apply a rule to all sums, the inner ones first."""
    if not expression.args:
        return expression
    rebuilt = expression.func(*(_in_sums(argument, rule) for argument in expression.args))
    return rule(rebuilt) if isinstance(rebuilt, Add) else rebuilt
