"""Sums, products and powers as they are written: a number before a sum in parentheses is not multiplied out.

SymPy makes ``2*TP + 2*FN`` of ``2*(TP + FN)`` unless its switch ``distribute`` is off, and whenever it is turned SymPy
forgets all that it has computed.  So it is left alone where it can be: only a product or a power that is a sum may have
been multiplied out.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from sympy import Expr, Mul, Pow, S
from sympy.core.parameters import distribute

__all__ = ["as_written", "difference", "opposite", "power", "product", "quotient"]


def as_written(tree: ast.expr) -> AbstractContextManager[None]:
    """Return the context in which a formula is built by the functions below.

    They cannot see what SymPy does to the base of a root, from which it takes the sign, and to exponents with
    parameters, which it adds and multiplies; there the switch is off.
    """
    exponents = (node.right for node in ast.walk(tree) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow))
    return nullcontext() if all(map(_is_integer, exponents)) else distribute(False)


def _is_integer(exponent: ast.expr) -> bool:
    number = exponent.operand if isinstance(exponent, ast.UnaryOp) else exponent
    return isinstance(number, ast.Constant) and isinstance(number.value, int)


def opposite(expression: Expr) -> Expr:
    """Return an expression with the other sign.

    >>> from symmetrics.language.cells import FN, TP
    >>> opposite(TP + FN), opposite(2 * TP)
    (-(FN + TP), -2*TP)
    """
    return Mul(S.NegativeOne, expression, evaluate=False) if expression.is_Add else -expression


def difference(left: Expr, right: Expr) -> Expr:
    """Return ``left - right``.

    >>> from symmetrics.language.cells import FN, FP, TP
    >>> difference(TP, FN + FP), difference(TP, FN)
    (TP - (FN + FP), -FN + TP)
    """
    return left + opposite(right)


def product(left: Expr, right: Expr) -> Expr:
    """Return ``left * right``.

    >>> from sympy import Integer, Rational
    >>> from symmetrics.language.cells import FN, TP
    >>> product(Integer(2), TP + FN), product(product(TP + FN, Rational(1, 2)), Integer(2))
    (2*(FN + TP), FN + TP)
    """
    number, other = (left, right) if left.is_Rational else (right, left)
    if number.is_Rational and other.is_Add and number not in (0, 1):
        return Mul(number, other, evaluate=False)
    return _undistributed(Mul, left, right)


def quotient(left: Expr, right: Expr) -> Expr:
    """Return ``left / right``.

    >>> from sympy import Integer
    >>> from symmetrics.language.cells import FN, TP
    >>> quotient(TP + FN, Integer(2)), quotient(TP, 2 * TP + 2 * FN)
    ((FN + TP)/2, TP/(2*FN + 2*TP))
    """
    return product(left, power(right, S.NegativeOne))


def power(base: Expr, exponent: Expr) -> Expr:
    """Return ``base ** exponent``.

    >>> from sympy import Integer, Rational
    >>> from symmetrics.language.cells import FN, TP
    >>> power(quotient(Rational(1, 2), TP + FN), Integer(-1))
    2*(FN + TP)
    """
    return _undistributed(Pow, base, exponent)


def _undistributed(operation: Callable[[Expr, Expr], Expr], left: Expr, right: Expr) -> Expr:
    result = operation(left, right)
    if not result.is_Add:
        return result
    with distribute(False):
        return operation(left, right)
