"""Formulas as text: the writer, whose output the reader takes back."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from sympy import Expr, Mul, S
from sympy.core.exprtools import decompose_power
from sympy.core.sorting import default_sort_key
from sympy.printing.str import StrPrinter

from symmetrics.tools.errors import FormulaError

__all__ = ["formula_text"]


@cache
def formula_text(expression: Expr) -> str:
    """Write an expression in the language of :mod:`symmetrics.language.formula`, which reads it back as itself.

    >>> from sympy import sqrt
    >>> from symmetrics.language.cells import TP, FN
    >>> formula_text(sqrt(TP / (TP + FN)))
    'sqrt(TP/(FN + TP))'
    """
    return str(_FormulaPrinter().doprint(expression))


class _FormulaPrinter(StrPrinter):
    """SymPy's text form, restricted to names that the reader knows."""

    def _print_Exp1(self, _: Expr) -> str:
        raise FormulaError("a formula has no sign for the base of the natural logarithm")

    def _as_ordered_terms(self, expr: Expr, order: str | None = None) -> list[Expr]:
        """Return the terms of a sum in SymPy's order, for which SymPy evaluates every coefficient numerically.

        No two terms with rational coefficients have the same powers, so that these alone settle the order.
        """
        powers = None if len(expr.args) == 2 and any(term.is_Number for term in expr.args) else _powers_of(expr.args)
        if powers is None or order is not None:
            return list(super()._as_ordered_terms(expr, order))
        bases = sorted({base for found in powers.values() for base in found}, key=default_sort_key)
        return sorted(powers, key=lambda term: tuple(-powers[term].get(base, 0) for base in bases))


def _powers_of(terms: Iterable[Expr]) -> dict[Expr, dict[Expr, Any]] | None:
    """Return the powers in each term; None if a coefficient is no rational number."""
    found = {}
    for term in terms:
        coefficient, rest = term.as_coeff_Mul()
        factors = () if rest is S.One else Mul.make_args(rest)
        if not coefficient.is_Rational or any(factor.is_number for factor in factors):
            return None
        found[term] = dict(map(decompose_power, factors))
    return found
