"""Derivatives with respect to the cells."""

from __future__ import annotations

from sympy import Abs, Expr, Max, Min, diff

from symmetrics.language.cells import CELLS, Table


def gradient(expression: Expr) -> Table:
    """Return the partial derivatives by TP, FN, FP, TN, in this order.

    Where an absolute value or an extreme has a kink the derivative does not exist; there the expressions have the mean
    of the one-sided derivatives.

    >>> from symmetrics.language.cells import FN, TP
    >>> gradient(TP / (TP + FN))
    (-TP/(FN + TP)**2 + 1/(FN + TP), -TP/(FN + TP)**2, 0, 0)
    """
    smooth = expression.replace(lambda node: isinstance(node, (Max, Min)), _by_absolute_values)
    tp, fn, fp, tn = (diff(smooth, cell) for cell in CELLS)
    return tp, fn, fp, tn


def _by_absolute_values(node: Expr) -> Expr:
    sign = 1 if isinstance(node, Max) else -1
    result, *rest = node.args
    for argument in rest:
        result = (result + argument + sign * Abs(result - argument)) / 2
    return result
