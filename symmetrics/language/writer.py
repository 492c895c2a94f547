"""Formulas as text: the writer, the inverse of the parser."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

from sympy import Expr, Mul, Pow, S
from sympy.core.exprtools import decompose_power
from sympy.core.parameters import distribute
from sympy.core.sorting import default_sort_key
from sympy.printing.str import StrPrinter

from symmetrics.tools.errors import FormulaError


@cache
def formula_text(expression: Expr) -> str:
    """Write an expression in the language of :mod:`symmetrics.language.formula`, which parses it back to itself.

    >>> from sympy import sqrt
    >>> from symmetrics.language.cells import TP, FN
    >>> formula_text(sqrt(TP / (TP + FN)))
    'sqrt(TP/(FN + TP))'
    """
    return str(_FormulaPrinter().doprint(expression))


class _FormulaPrinter(StrPrinter):
    """SymPy's text form, restricted to names that the parser knows."""

    def _print_Exp1(self, _: Expr) -> str:
        raise FormulaError("a formula has no sign for the base of the natural logarithm")

    def _as_ordered_terms(self, expr: Expr, order: str | None = None) -> list[Expr]:
        """Order the terms of a sum as SymPy does, but without evaluating every coefficient numerically.

        No two terms with rational coefficients have the same powers, so that these alone settle the order.
        """
        powers = None if len(expr.args) == 2 and any(term.is_Number for term in expr.args) else _powers_of(expr.args)
        if powers is None or order is not None:
            return list(super()._as_ordered_terms(expr, order))
        bases = sorted({base for found in powers.values() for base in found}, key=default_sort_key)
        return sorted(powers, key=lambda term: tuple(-powers[term].get(base, 0) for base in bases))


def _powers_of(terms: Iterable[Expr]) -> dict[Expr, dict[Expr, Any]] | None:
    """Return the powers in each term; None if a coefficient is not rational."""
    found = {}
    for term in terms:
        coefficient, rest = term.as_coeff_Mul()
        factors = () if rest is S.One else Mul.make_args(rest)
        if not coefficient.is_Rational or any(factor.is_number for factor in factors):
            return None
        found[term] = dict(map(decompose_power, factors))
    return found


# -- Build sums, products and powers unevaluated: a number before a sum in parentheses is not multiplied out -----------

# SymPy turns ``2*(TP + FN)`` into ``2*TP + 2*FN`` unless its switch ``distribute`` is off, and clears all its caches
# whenever the switch is changed. So the switch is used only where needed: only a product or a power whose result is
# a sum may have been multiplied out.


def as_written(tree: ast.expr) -> AbstractContextManager[None]:
    """Return the context in which the functions below build a formula without multiplying out.

    They cannot see what SymPy does to the base of a root, from which it takes the sign, and to exponents with
    parameters, which it adds and multiplies; there the switch is off.
    """
    exponents = (node.right for node in ast.walk(tree) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow))
    return nullcontext() if all(map(_is_integer, exponents)) else distribute(False)


def _is_integer(exponent: ast.expr) -> bool:
    number = exponent.operand if isinstance(exponent, ast.UnaryOp) else exponent
    return isinstance(number, ast.Constant) and isinstance(number.value, int)


def opposite(expression: Expr) -> Expr:
    """Return the negative of an expression.

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
