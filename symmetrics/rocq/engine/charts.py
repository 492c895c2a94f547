"""Charts: parts of the domain of parameters, on which each of them is a number or made of positive variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sympy import Eq, Expr, Ge, Gt, Le, Lt, Ne, Poly, S, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Boolean, Or

from symmetrics.rocq.engine.lowest_terms import lowest_terms

__all__ = ["Chart", "sign_of"]


@dataclass(frozen=True)
class Chart:
    """A part of the parameters' domain.

    :param values: what each parameter is there, in positive variables
    :param equations: the names of hypotheses that say so, in the order in which they are used
    :param variables: the positive variables
    :param undecided: parameters that may be anything in their domain
    """

    values: Mapping[Symbol, Expr]
    equations: tuple[str, ...] = ()
    variables: tuple[Symbol, ...] = ()
    undecided: frozenset[Symbol] = frozenset()

    def put(self, symbol: Symbol, value: Expr, name: str, *variables: Symbol) -> Chart:
        """Return the part on which a parameter has a value, as a hypothesis says."""
        # What is put in the place of one parameter may be another one that is still to be replaced.
        undecided = self.undecided - {symbol}
        return Chart({**self.values, symbol: value}, (name, *self.equations), (*self.variables, *variables), undecided)

    def positive(self, symbol: Symbol) -> Chart:
        """Return the part on which a parameter is positive."""
        return replace(self, variables=(*self.variables, symbol), undecided=self.undecided - {symbol})

    def sign(self, expression: Expr) -> int | None:
        """Return the sign of an expression in the parameters, None if it is not the same everywhere."""
        if expression.free_symbols & self.undecided:
            return None
        return sign_of(expression.xreplace(dict(self.values)))

    def truth(self, condition: Boolean) -> bool | None:
        """Return whether a condition holds, None if it does not hold everywhere or nowhere."""
        if condition in (S.true, S.false):
            return bool(condition)
        if isinstance(condition, And | Or):
            found = {self.truth(part) for part in condition.args}
            decisive = isinstance(condition, Or)
            return decisive if decisive in found else None if None in found else not decisive
        assert isinstance(condition, Relational)
        sign = self.sign(condition.lhs - condition.rhs)
        kinds = {Eq: (0,), Ne: (-1, 1), Le: (-1, 0), Lt: (-1,), Ge: (0, 1), Gt: (1,)}
        return None if sign is None else sign in kinds[type(condition)]


def sign_of(expression: Expr) -> int | None:
    """Return the sign of an expression in positive variables, as far as its coefficients show it."""
    above, below = lowest_terms(expression)
    signs = []
    for part in (above, below):
        if part == 0:
            return 0
        variables = sorted(part.free_symbols, key=str)
        coefficients = Poly(part, *variables).coeffs() if variables else [part]
        if len({coefficient > 0 for coefficient in coefficients}) > 1:
            return None
        signs.append(1 if coefficients[0] > 0 else -1)
    return signs[0] * signs[1]
