"""Logarithms gathered, so that sums in which they cancel become sums of logarithms of quotients close to 1.

``TP*log(TP) - TP*log(TP + FN)`` is ``TP*log(TP/(TP + FN))``, of which the digits are in the difference -FN.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Final

from sympy import Add, Expr, Integer, Mul, Pow, Rational, S, expand, fraction, gcd, log, together

from symmetrics.numeric.terms import LogRatio

__all__ = ["gathered"]

_MOST: Final = 12
"""A difference of more terms has not the digits that it is written for."""

Powers = dict[Expr, Rational]
"""Factors of what a logarithm is taken of, with their powers."""


def gathered(expression: Expr) -> Expr:
    """Return an equal expression with the logarithms of each sum gathered by what they are multiplied with.

    >>> from symmetrics.language.cells import FN, TP
    >>> gathered(log(TP) - log(TP + FN))
    -LogRatio(FN + TP, TP, FN)
    """
    if not expression.has(log):
        return expression
    if isinstance(expression, log):
        return _sum([(S.One, expression.args[0])])
    if not isinstance(expression, Add):
        return expression.func(*map(gathered, expression.args))
    parts = [_linear(term) for term in expression.args]
    terms = [part for part in parts if part is not None]
    others = [gathered(term) for term, part in zip(expression.args, parts, strict=True) if part is None]
    return Add(*others, _sum(terms))


def _linear(term: Expr) -> tuple[Expr, Expr] | None:
    """Return the coefficient of the one logarithm in a term and what it is of; None if it has none, or more."""
    factors = Mul.make_args(term)
    logs = [factor for factor in factors if isinstance(factor, log)]
    coefficient = Mul(*(factor for factor in factors if not isinstance(factor, log)))
    if len(logs) != 1 or coefficient.has(log):
        return None
    return coefficient, logs[0].args[0]


def _sum(terms: Iterable[tuple[Expr, Expr]]) -> Expr:
    by_monomial: dict[Expr, Powers] = {}
    for coefficient, argument in terms:
        for number, monomial in _monomials(coefficient):
            powers = by_monomial.setdefault(monomial, {})
            for base, power in _factors(argument).items():
                powers[base] = powers.get(base, S.Zero) + number * power
    by_quotient: dict[Expr, Expr] = {}
    for monomial, powers in by_monomial.items():
        for number, quotient in _quotients(powers):
            by_quotient[quotient] = by_quotient.get(quotient, S.Zero) + number * monomial
    return Add(*(coefficient * quotient for quotient, coefficient in by_quotient.items()))


def _monomials(coefficient: Expr) -> list[tuple[Rational, Expr]]:
    """Return a sum of cells with rational coefficients as its parts, anything else as one part."""
    terms = [term.as_coeff_Mul() for term in Add.make_args(coefficient)]
    if all(part.is_Symbol or part is S.One for _, part in terms):
        return terms
    return [coefficient.as_coeff_Mul()]


def _factors(argument: Expr) -> Powers:
    powers: Powers = {}
    for sign, side in zip((1, -1), fraction(together(argument)), strict=True):
        for part in Mul.make_args(side):
            base, power = part.as_base_exp() if isinstance(part, Pow) else (part, S.One)
            if not isinstance(power, Rational):
                base, power = part, S.One
            powers[base] = powers.get(base, S.Zero) + sign * power
    return powers


def _quotients(powers: Powers) -> list[tuple[Rational, Expr]]:
    """Return the logarithm of a product of powers as a number times a logarithm, an equal one for the inverse."""
    kept = {base: power for base, power in powers.items() if power}
    if not kept:
        return []
    content = reduce(gcd, kept.values(), S.Zero)
    above = Mul(*(base ** (power / content) for base, power in kept.items() if power > 0))
    below = Mul(*(base ** (-power / content) for base, power in kept.items() if power < 0))
    if str(above) > str(below) and below != 1:
        above, below, content = below, above, -content
    if below == 1 and not _is_one_and_more(above):
        return [(content, log(above))]
    difference = expand(above - below)
    is_simple = len(Add.make_args(difference)) <= _MOST and bool(above.free_symbols | below.free_symbols)
    return [(content, LogRatio(above, below, difference) if is_simple else log(above / below))]


def _is_one_and_more(expression: Expr) -> bool:
    return isinstance(expression, Add) and Integer(1) in expression.args
