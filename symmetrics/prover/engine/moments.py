"""The expectation of a formula that is a polynomial in TP at fixed margins, by factorial moments."""

from __future__ import annotations

from typing import Final

from sympy import Expr, Integer, Poly, Symbol, cancel, factor_list, ff, fraction

from symmetrics.language.cells import CELLS

__all__ = ["mean_of_polynomial"]

K, TOTAL, POSITIVES, PREDICTED = (Symbol(name) for name in ("k", "total", "positives", "predicted"))
_TABLE: Final = (K, POSITIVES - K, PREDICTED - K, TOTAL - POSITIVES - PREDICTED + K)
_MARGINS: Final = (TOTAL, POSITIVES, PREDICTED, TOTAL - POSITIVES, TOTAL - PREDICTED)


def mean_of_polynomial(formula: Expr) -> Expr | None:
    """Return E[M] in the margins: total, positives and predicted.  None for a formula of another kind.

    A factorial moment of the hypergeometric TP is E[(TP)_j] = (P)_j*(OP)_j/(n)_j.

    :param formula: one over the cells, without parameters

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> mean_of_polynomial(TP), mean_of_polynomial(TP * TN - FN * FP), mean_of_polynomial(TP / (TP + FN + FP))
    (positives*predicted/total, 0, None)
    """
    if not formula.is_rational_function(*CELLS):
        return None
    top, bottom = fraction(cancel(formula.xreplace(dict(zip(CELLS, _TABLE, strict=True)))))
    _, factors = factor_list(bottom)
    if any(all(cancel(base / margin).free_symbols for margin in _MARGINS) for base, _ in factors):
        return None
    rest, place, mean = Poly(top, K), 0, Integer(0)
    while not rest.is_zero:
        # Newton's form of the polynomial: division by K, K - 1, ... gives its coefficients at factorial powers.
        rest, last = rest.div(Poly(K - place, K))
        mean += last.as_expr() * ff(POSITIVES, place) * ff(PREDICTED, place) / ff(TOTAL, place)
        place += 1
    return cancel(mean.expand(func=True) / bottom)
