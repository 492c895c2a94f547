"""Prove sub-identities for all parameter values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any, Final

from sympy import Add, Expr, Integer, Mul, Pow, Rational, S, Symbol, factor_list, factorint
from sympy import Poly as SymPyPoly

from symmetrics.algebra.convert import difference_of, field_for, has_parameters_in_exponents
from symmetrics.algebra.field import Element, Field
from symmetrics.claims import Identity, value_symbol
from symmetrics.claims.evidence import Decision, Evidence
from symmetrics.language.cells import parameter_symbol
from symmetrics.language.formula import RESERVED_PREFIX
from symmetrics.tools.errors import UnsupportedError

# ----------------------------------------------------------------------------------------------------------------------
# Interior of the real domain of formulas with roots and logarithms, and sign patterns on it.

# ``|f|`` and f are independent functions only if f takes both signs where the formula is real. Tables that show it
# are searched for; one in the interior of the domain per combination of signs is enough, because it has a
# neighbourhood.


Bases = Sequence[int]
"""Numbers of atoms."""

COUNTS: Final = (1, 2, 3, 5, 8, 13, 50, 1000, 10**6)
TRIES: Final = 3000
MAX_SIGNS: Final = 5
"""Largest number of absolute values in one claim for which all sign patterns are searched."""


def require_independence(element: Element, field: Field) -> None:
    """Show that a formally non-zero numerator is not identically zero on the domain.

    :raises UnsupportedError: if tables that show it were not found
    """
    # Absolute values in the numerator: their bases have to take all combinations of signs.
    both_signs = sorted(
        {
            number
            for monomial in element.numerator
            for number, power in monomial
            if power >= 1 and not field.atoms[number].is_log and not field.atoms[number].positive
        }
    )
    conditions = _conditions(field)
    if len(both_signs) > MAX_SIGNS:
        raise UnsupportedError(f"more than {MAX_SIGNS} absolute values")
    if not both_signs and not conditions:
        return
    # Search tables inside the real domain until each combination has occurred.
    missing = set(itertools.product((False, True), repeat=len(both_signs)))
    for signs in _interior(conditions, both_signs, field):
        missing.discard(tuple(signs[number] for number in both_signs))
        if not missing:
            return
    raise UnsupportedError("absolute values, or roots that are not real everywhere, may depend on each other here")


def require_interior(field: Field) -> None:
    """Show that the formula is real on an open set, so that an identity is not vacuous.

    :raises UnsupportedError: if no table was found at which it is real
    """
    if not field.conditions or not field.is_complete:
        return
    try:
        conditions = _conditions(field)
    except UnsupportedError:
        return
    if conditions and next(_interior(conditions, (), field), None) is None:
        raise UnsupportedError("no table was found at which the formula is real")


def _conditions(field: Field) -> list[tuple[int, Bases]]:
    """Return a sign and the bases with odd power of each expression that has to be positive."""
    found: list[tuple[int, Bases]] = []
    for element in field.conditions:
        sign, signed, _ = field.factor(element)
        found.append((sign, [n for n, power in signed.items() if power % 2 and not field.atoms[n].positive]))
    if any(_varies_with_others(field.atoms[number].base, field) for _, bases in found for number in bases):
        raise UnsupportedError("where the formula is real depends on its parameters, on pi or on nested roots")
    return found


def _varies_with_others(base: Any, field: Field) -> bool:
    if isinstance(base, dict):
        return True
    others = {*field.parameters, "pi"}
    return any(degree and name in others for name, degree in zip(field.names, base.degrees(), strict=True))


def _interior(conditions: Sequence[tuple[int, Bases]], others: Bases, field: Field) -> Iterator[dict[int, bool]]:
    """Yield the signs of bases at tables where no base is zero and all conditions are positive."""
    numbers = sorted({*others, *(number for _, bases in conditions for number in bases)})
    if any(_varies_with_others(field.atoms[number].base, field) for number in numbers):
        raise UnsupportedError("an absolute value holds parameters, pi or other roots")
    polynomials: dict[int, Any] = {number: field.atoms[number].base for number in numbers}
    terms = {number: poly.to_dict() for number, poly in polynomials.items()}
    random = Random(0)
    for _ in range(TRIES):
        scale = random.choice((1, 1, 2, 7, 100))
        point = [Fraction(random.choice(COUNTS), scale) for _ in field.names]
        values = {number: _value(base, point) for number, base in terms.items()}
        signs = {number: value > 0 for number, value in values.items()}
        if all(values.values()) and all(_is_positive_at(condition, signs) for condition in conditions):
            yield signs


def _value(terms: dict[tuple[int, ...], Any], point: Sequence[Fraction]) -> Fraction:
    total = Fraction(0)
    for exponents, coefficient in terms.items():
        term = Fraction(int(coefficient))
        for value, exponent in zip(point, exponents, strict=True):
            term *= value ** int(exponent)
        total += term
    return total


def _is_positive_at(condition: tuple[int, Bases], signs: dict[int, bool]) -> bool:
    sign, bases = condition
    return (sign > 0) == (sum(not signs[number] for number in bases) % 2 == 0)


# ----------------------------------------------------------------------------------------------------------------------


# -- Powers with parameters in their exponents, treated as independent variables ---------------------------------------

# For positive x and y the powers x**a and y**a are positive, and (x*y)**a = x**a*y**a whatever a is. An identity that
# holds for any positive numbers in their place holds for all a. The converse need not be true.


def with_powers_as_variables(claim: Identity) -> Identity:
    """Return a stronger identity without parameters in exponents, from which a claim follows.

    :raises UnsupportedError: if the base of such a power is not known to be positive
    """
    powers = _Powers(claim.variables)
    sides = {value_symbol(place): powers.rewritten(side) for place, side in enumerate(claim.sides)}
    relation = claim.relation.xreplace(sides)
    # The relation becomes a formula: in a relation a parameter called value0 would be a value.
    auxiliary = (*claim.auxiliary, *powers.names.values())
    return Identity(relation, claim.parameters, (claim.arguments,), auxiliary, value_symbol(0), over=claim.over)


class _Powers:
    """The new variables for powers, by base and exponent."""

    def __init__(self, variables: tuple[Symbol, ...]) -> None:
        self.variables = variables
        self.names: dict[tuple[Expr, Expr], Symbol] = {}

    def rewritten(self, expression: Expr) -> Expr:
        """Return an expression with powers replaced by variables."""
        if not has_parameters_in_exponents(expression):
            return expression
        arguments = [self.rewritten(argument) for argument in expression.args]
        if not isinstance(expression, Pow) or not expression.exp.free_symbols:
            return expression.func(*arguments)
        return Mul(*(self.power(base, count, arguments[1]) for base, count in self.positive_factors(arguments[0])))

    def positive_factors(self, base: Expr) -> list[tuple[Expr, int]]:
        """Factor a base into primes and polynomials with positive coefficients."""
        above, below = base.as_numer_denom()
        found: list[tuple[Expr, int]] = []
        for part, sign in ((above, 1), (below, -1)):
            if not part.is_polynomial(*self.variables) or not part.free_symbols <= set(self.variables):
                raise UnsupportedError(f"the exponent of {base} is not a number")
            number, factors = factor_list(part, *self.variables)
            if not (number.is_Rational and number > 0 and all(_is_positive(f, self.variables) for f, _ in factors)):
                raise UnsupportedError(f"{base} is not known to be positive, and its exponent is not a number")
            primes = [*factorint(number.p).items(), *((prime, -count) for prime, count in factorint(number.q).items())]
            found += [(Integer(prime), sign * count) for prime, count in primes]
            found += [(factor, sign * count) for factor, count in factors]
        return found

    def power(self, base: Expr, count: int, exponent: Expr) -> Expr:
        """Return the power of a positive base as a product of powers with numbers as exponents."""
        product = S.One
        for term in Add.make_args(exponent.expand()):
            number, rest = term.as_coeff_Mul()
            if not isinstance(number, Rational):
                raise UnsupportedError(f"the exponent {exponent} is not a sum of multiples of parameters")
            symbol = base if rest is S.One else self.names.setdefault((base, rest), self.fresh())
            product *= symbol ** (count * number)
        return product

    def fresh(self) -> Symbol:
        """Return a symbol that occurs in no claim."""
        return parameter_symbol(f"{RESERVED_PREFIX}power{len(self.names)}")


def _is_positive(factor: Expr, variables: tuple[Symbol, ...]) -> bool:
    return all(c.is_Rational and c > 0 for c in SymPyPoly(factor, *variables).coeffs())


# ----------------------------------------------------------------------------------------------------------------------


def proof_of(claim: Identity) -> Decision | None:
    """Return the formal proof of an identity, for all values of its parameters, if there is one; no table is tried.

    :raises UnsupportedError: if the formula leaves the class that the algebra represents
    """
    powers = has_parameters_in_exponents(*claim.sides)
    read = with_powers_as_variables(claim) if powers else claim
    difference = difference_of(read.sides, read.difference, field_for(read.parameters, over=read.names))
    if not difference.element.is_zero:
        return None
    require_interior(difference.field)
    return Decision("proved", True, Evidence("powers" if powers else "identity", difference.record()))
