"""Parts of a claim: identities proved for all values of their parameters."""

from __future__ import annotations

from sympy import Add, Expr, Integer, Mul, Pow, Rational, S, Symbol, factor_list, factorint
from sympy import Poly as SymPyPoly

from symmetrics.algebra.convert import difference_of, field_for, has_parameters_in_exponents
from symmetrics.claims import Identity, value_symbol
from symmetrics.claims.evidence import Decision, Evidence
from symmetrics.language.cells import parameter_symbol
from symmetrics.language.formula import RESERVED_PREFIX
from symmetrics.prover.engine.domain import require_interior
from symmetrics.tools.errors import UnsupportedError

# -- Powers with parameters in their exponents, as variables of their own ----------------------------------------------

# For positive x and y the powers x**a and y**a are positive, and (x*y)**a = x**a*y**a whatever a is. An identity that
# holds for any positive numbers in their place holds for all a. That it fails for such numbers shows nothing.


def with_powers_as_variables(claim: Identity) -> Identity:
    """Return an identity from which a claim follows, in which no exponent holds a parameter.

    :raises UnsupportedError: if the base of such a power is not known to be positive
    """
    powers = _Powers(claim.variables)
    sides = {value_symbol(place): powers.rewritten(side) for place, side in enumerate(claim.sides)}
    relation = claim.relation.xreplace(sides)
    # The relation becomes a formula: in a relation a parameter called value0 would be a value.
    auxiliary = (*claim.auxiliary, *powers.names.values())
    return Identity(relation, claim.parameters, (claim.arguments,), auxiliary, value_symbol(0), over=claim.over)


class _Powers:
    """The variables that stand for powers, by base and exponent."""

    def __init__(self, variables: tuple[Symbol, ...]) -> None:
        self.variables = variables
        self.names: dict[tuple[Expr, Expr], Symbol] = {}

    def rewritten(self, expression: Expr) -> Expr:
        """Return an expression with variables in the place of powers."""
        if not has_parameters_in_exponents(expression):
            return expression
        arguments = [self.rewritten(argument) for argument in expression.args]
        if not isinstance(expression, Pow) or not expression.exp.free_symbols:
            return expression.func(*arguments)
        return Mul(*(self.power(base, count, arguments[1]) for base, count in self.positive_factors(arguments[0])))

    def positive_factors(self, base: Expr) -> list[tuple[Expr, int]]:
        """Return what a base is a product of: prime numbers and polynomials with positive coefficients."""
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
        """Return a symbol that no claim has."""
        return parameter_symbol(f"{RESERVED_PREFIX}power{len(self.names)}")


def _is_positive(factor: Expr, variables: tuple[Symbol, ...]) -> bool:
    return all(c.is_Rational and c > 0 for c in SymPyPoly(factor, *variables).coeffs())


# ----------------------------------------------------------------------------------------------------------------------


def proof_of(claim: Identity) -> Decision | None:
    """Return the proof of an identity, for all values of its parameters, if it holds formally; no table is tried.

    :raises UnsupportedError: if the formula leaves the class that the algebra represents
    """
    powers = has_parameters_in_exponents(*claim.sides)
    read = with_powers_as_variables(claim) if powers else claim
    difference = difference_of(read.sides, read.difference, field_for(read.parameters, over=read.names))
    if not difference.element.is_zero:
        return None
    require_interior(difference.field)
    return Decision("proved", True, Evidence("powers" if powers else "identity", difference.record()))
