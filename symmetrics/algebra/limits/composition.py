"""Limits on faces that follow from those of simpler formulas: of roots, and of quotients of logarithms."""

from __future__ import annotations

from collections.abc import Callable

from sympy import Add, Expr, Max, Min, Mul, Pow, Rational, S, expand, fraction, log, together

from symmetrics.algebra.limits.extended_reals import Guarded, is_positive_inside
from symmetrics.language.cells import CELLS

__all__ = ["argument_of_root", "limit_by_composition", "without_divisors_that_are_extremes"]

Limit = Callable[[Expr], Guarded | None]
"""Returns the limit of a formula on the face that is looked at."""


def limit_by_composition(expression: Expr, zero_cells: frozenset[str], limit_of: Limit) -> Guarded | None:
    """Return the limit on a face of a root, or of a quotient in which logarithms diverge; None for any other formula.

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> hits, alarms = log(TP / (TP + FN)), log(FP / (FP + TN))
    >>> def limit_of(part):
    ...     return part.xreplace({FP: S.Zero, FN: S.Zero}), ()
    >>> limit_by_composition((alarms - hits) / (2 * alarms + hits), frozenset({"FP", "FN"}), limit_of)
    (1/2, ())
    """
    return _of_root(expression, limit_of) or _of_logarithms(expression, zero_cells, limit_of)


def argument_of_root(expression: Expr) -> Expr | None:
    """Return what a formula is a root of, perhaps times a number; None if it is none.

    >>> from sympy import sqrt
    >>> argument_of_root(2 * sqrt(CELLS[0] + 1)), argument_of_root(CELLS[0] + 1)
    (TP + 1, None)
    """
    root = expression.as_coeff_Mul()[1]
    return root.base if isinstance(root, Pow) and root.exp.is_Rational and root.exp > 0 else None


def _of_root(expression: Expr, limit_of: Limit) -> Guarded | None:
    """Return the limit of a root, which is continuous where that of its argument is positive."""
    argument = argument_of_root(expression)
    inner = None if argument is None else limit_of(argument)
    if inner is None or not is_positive_inside(inner[0]):
        return None
    return expression.xreplace({argument: inner[0]}), inner[1]


def _of_logarithms(expression: Expr, zero_cells: frozenset[str], limit_of: Limit) -> Guarded | None:
    """Return the limit of a quotient whose divisor, a sum of logarithms, diverges.

    The divisor D is a sum of logarithms of which those that diverge have coefficients of one sign, so that it is
    infinite, and the others have limits.  Where N - q D has a limit, too, N/D tends to q.
    """
    above, below = fraction(together(expression))
    divisor = _coefficients_of_logarithms(below)
    if not divisor:
        return None
    diverging = {base: factor for base, factor in divisor.items() if _vanishes(base, zero_cells)}
    if len({factor.is_positive for factor in diverging.values()}) != 1:
        return None
    base, factor = next(iter(diverging.items()))
    share = expand(above).coeff(log(base)) / factor
    if not share.is_Rational:
        return None
    rest = limit_of(expand(above - share * below))
    return None if rest is None else (share, rest[1])


def _coefficients_of_logarithms(expression: Expr) -> dict[Expr, Rational] | None:
    """Return the arguments and the coefficients of a sum of logarithms of positive sums; None for any other formula."""
    found = {}
    for term in Add.make_args(expand(expression)):
        factor, logarithm = term.as_coeff_Mul()
        if not (factor.is_Rational and isinstance(logarithm, log) and is_positive_inside(logarithm.args[0])):
            return None
        found[logarithm.args[0]] = factor
    return found


def _vanishes(base: Expr, zero_cells: frozenset[str]) -> bool:
    return bool(base.xreplace({cell: S.Zero for cell in CELLS if cell.name in zero_cells}) == 0)


def without_divisors_that_are_extremes(expression: Expr) -> Expr:
    """Return a product without a changing sign, divided by an extreme, as the extreme of quotients.

    >>> from symmetrics.language.cells import FN, FP, TP
    >>> without_divisors_that_are_extremes(-((TP - FN) ** 2) / Min(FN, FP))
    -Max((-FN + TP)**2/FN, (-FN + TP)**2/FP)
    >>> without_divisors_that_are_extremes((TP - FN) / Min(FN, FP))
    (-FN + TP)/Min(FN, FP)
    """
    number, product = expression.as_coeff_Mul()
    factors = Mul.make_args(product)
    divisors = [each for each in factors if isinstance(each, Pow) and each.exp.is_negative and _is_extreme(each.base)]
    others = [each for each in factors if each not in divisors]
    if len(divisors) != 1 or not all(map(_is_not_negative, others)):
        return expression
    ((extreme, exponent),) = (each.as_base_exp() for each in divisors)
    kind = Max if isinstance(extreme, Min) else Min
    return number * kind(*(Mul(*others, part**exponent) for part in extreme.args))


def _is_extreme(base: Expr) -> bool:
    return isinstance(base, Max | Min) and all(map(is_positive_inside, base.args))


def _is_not_negative(factor: Expr) -> bool:
    is_square = isinstance(factor, Pow) and factor.exp.is_even and factor.exp.is_positive
    return bool(is_square) or is_positive_inside(factor)
