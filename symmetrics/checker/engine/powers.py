"""Powers with parameters in their exponents replaced by positive variables, for identities that hold for any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from sympy import QQ, Add, Expr, Pow, Rational, S, Symbol, primefactors

from symmetrics.checker.engine.requirements import require
from symmetrics.checker.engine.rings import ring_of
from symmetrics.claims import Identity, value_symbol
from symmetrics.language.cells import parameter_symbol
from symmetrics.language.formula import RESERVED_PREFIX

__all__ = ["with_free_powers"]

Exponents = Mapping[Expr, Fraction]
"""How often each product of parameters is in an exponent; 1 stands for the number."""


def with_free_powers(claim: Identity) -> Identity:
    """Return the identity that a claim is, with a positive variable for b**m, m a product of parameters.

    Each base is broken into primes and irreducible polynomials, which have to be positive for positive cells.
    """
    symbols: dict[tuple[str, str], Symbol] = {}

    def replaced(node: Expr) -> Expr:
        if node.args == ():
            return node
        inner = [replaced(argument) for argument in node.args]
        if isinstance(node, Pow) and node.exp.free_symbols:
            return _power(inner[0], _exponents(inner[1], claim), claim, symbols)
        return node.func(*inner)

    difference = replaced(claim.difference)
    auxiliary = (*claim.auxiliary, *symbols.values())
    require(len(set(auxiliary)) == len(auxiliary), "a name is taken")
    # The difference is the formula, not the relation: in a relation a parameter called value0 would be a value.
    return Identity(difference, claim.parameters, (claim.arguments,), auxiliary, value_symbol(0), over=claim.over)


def _exponents(exponent: Expr, claim: Identity) -> Exponents:
    require(exponent.free_symbols <= {p.symbol for p in claim.parameters}, "an exponent holds more than parameters")
    found: dict[Expr, Fraction] = {}
    for term in Add.make_args(exponent.expand()):
        number, rest = term.as_coeff_Mul()
        require(isinstance(number, Rational), "an exponent is no sum of multiples of parameters")
        found[rest] = found.get(rest, Fraction(0)) + Fraction(int(number.p), int(number.q))
    return found


def _power(base: Expr, exponents: Exponents, claim: Identity, symbols: dict[tuple[str, str], Symbol]) -> Expr:
    result: Expr = S.One
    for factor, count in _positive_factors(base, claim.variables):
        for rest, times in exponents.items():
            power = Rational(count * times.numerator, times.denominator)
            if rest is S.One:
                result *= factor**power
                continue
            key = str(factor), str(rest)
            if key not in symbols:
                symbols[key] = parameter_symbol(f"{RESERVED_PREFIX}power{len(symbols)}")
            result *= symbols[key] ** power
    return result


def _positive_factors(base: Expr, variables: Sequence[Symbol]) -> list[tuple[Expr, int]]:
    require(base.free_symbols <= set(variables), "the base of a power holds a parameter")
    polynomials, _ = ring_of(tuple(symbol.name for symbol in variables), QQ)
    found: list[tuple[Expr, int]] = []
    for part, sign in zip(base.as_numer_denom(), (1, -1), strict=True):
        number, factors = polynomials.from_expr(part.xreplace({s: Symbol(s.name) for s in variables})).factor_list()
        positive = number > 0 and all(c > 0 for factor, _ in factors for c in factor.values())
        require(positive, "the base of a power is not known to be positive")
        for whole, way in ((int(number.numerator), sign), (int(number.denominator), -sign)):
            found += [(S(prime), way * _multiplicity(prime, whole)) for prime in primefactors(whole)]
        back = {Symbol(s.name): s for s in variables}
        found += [(factor.as_expr().xreplace(back), sign * count) for factor, count in factors]
    return found


def _multiplicity(prime: int, number: int) -> int:
    count = 0
    while number % prime == 0:
        number, count = number // prime, count + 1
    return count
