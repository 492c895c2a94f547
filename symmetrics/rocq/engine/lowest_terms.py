"""Rational functions in lowest terms: two polynomials over the integers that share no factor."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from flint import Ordering, fmpz_mpoly_ctx
from sympy import Add, Expr, Integer, Mul, Pow, Rational, Symbol, cancel, fraction, together
from sympy.core.sorting import default_sort_key

__all__ = ["RationalFunction", "cancelled", "lowest_terms"]

Poly = Any
"""An ``fmpz_mpoly``; python-flint ships no types."""


class RationalFunction(NamedTuple):
    """A rational function in symbols, in lowest terms; below, the first coefficient is positive.

    :param symbols: the generators of both polynomials, in their order
    """

    above: Poly
    below: Poly
    symbols: tuple[Symbol, ...]

    @classmethod
    def of(cls, expression: Expr) -> Self | None:
        """Return an expression in lowest terms, or None if it is no rational function in its symbols.

        :raises ZeroDivisionError: if the expression divides by zero everywhere

        >>> from symmetrics.language.cells import FN, TP
        >>> RationalFunction.of((TP**2 - FN**2) / (2*TP - 2*FN))
        RationalFunction(above=FN + TP, below=2, symbols=(FN, TP))
        """
        symbols = tuple(sorted(expression.free_symbols, key=default_sort_key))
        context = fmpz_mpoly_ctx.get([symbol.name for symbol in symbols], Ordering.lex)
        one = context.constant(1)
        memo: dict[Expr, tuple[Poly, Poly] | None] = {
            symbol: (generator, one) for symbol, generator in zip(symbols, context.gens(), strict=True)
        }
        found = _read(expression, context, memo)
        return None if found is None else cls(*found, symbols)

    def expressions(self) -> tuple[Expr, Expr]:
        """Return both polynomials as expressions, multiplied out."""
        return _expression(self.above, self.symbols), _expression(self.below, self.symbols)


def lowest_terms(expression: Expr) -> tuple[Expr, Expr]:
    """Return the numerator and the denominator of an expression in lowest terms, both multiplied out.

    Roots and other functions count as symbols of their own. Without any, coefficients are whole numbers.

    >>> from symmetrics.language.cells import FN, TP
    >>> lowest_terms((TP**2 - FN**2) / (2*TP - 2*FN)), lowest_terms(TP/FN + 1)
    ((FN + TP, 2), (FN + TP, FN))
    """
    quotient = RationalFunction.of(expression)
    return fraction(cancel(together(expression))) if quotient is None else quotient.expressions()


def cancelled(expression: Expr) -> Expr:
    """Return an expression in lowest terms, as one quotient."""
    above, below = lowest_terms(expression)
    return above / below


def _read(node: Expr, context: Any, memo: dict[Expr, tuple[Poly, Poly] | None]) -> tuple[Poly, Poly] | None:
    if node in memo:
        return memo[node]
    found = None
    if isinstance(node, Rational):
        found = context.constant(int(node.p)), context.constant(int(node.q))
    elif isinstance(node, Add | Mul):
        combine = _sum if isinstance(node, Add) else _product
        found = context.constant(int(isinstance(node, Mul))), context.constant(1)
        for part in node.args:
            read = _read(part, context, memo)
            if read is None:
                found = None
                break
            found = combine(found, read)
    elif isinstance(node, Pow) and isinstance(node.exp, Integer):
        base = _read(node.base, context, memo)
        if base is not None:
            power = int(node.exp)
            above, below = base if power >= 0 else (base[1], base[0])
            found = _normal(above ** abs(power), below ** abs(power))
    memo[node] = found
    return found


def _sum(left: tuple[Poly, Poly], right: tuple[Poly, Poly]) -> tuple[Poly, Poly]:
    if left[1] == right[1]:
        return _reduced(left[0] + right[0], left[1])
    return _reduced(left[0] * right[1] + right[0] * left[1], left[1] * right[1])


def _product(left: tuple[Poly, Poly], right: tuple[Poly, Poly]) -> tuple[Poly, Poly]:
    return _reduced(left[0] * right[0], left[1] * right[1])


def _reduced(above: Poly, below: Poly) -> tuple[Poly, Poly]:
    if below.is_one():
        return above, below
    shared = above.gcd(below)
    return _normal(above, below) if shared.is_one() else _normal(above / shared, below / shared)


def _normal(above: Poly, below: Poly) -> tuple[Poly, Poly]:
    """Return a quotient with the first coefficient below positive.

    :raises ZeroDivisionError: if below is zero
    """
    if not below:
        raise ZeroDivisionError("a part of the formula divides by zero everywhere")
    return (-above, -below) if below.leading_coefficient() < 0 else (above, below)


def _expression(poly: Poly, symbols: tuple[Symbol, ...]) -> Expr:
    terms = [
        Mul(Integer(int(coefficient)), *(symbol ** int(power) for symbol, power in zip(symbols, powers, strict=True)))
        for powers, coefficient in poly.to_dict().items()
    ]
    return Add(*terms)
