"""Numerators and denominators that a proof names, so that the kernel has nothing to search for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sympy import Expr

from symmetrics.algebra import Field, convert
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import UnsupportedError

__all__ = ["Quotient", "quotient"]


@dataclass(frozen=True)
class Quotient:
    """A rational function, as two terms in factored form.

    :param numerator: the term above
    :param denominator: the term below
    :param is_positive: whether the coefficients show both to be positive for positive variables
    """

    numerator: str
    denominator: str
    is_positive: bool


def quotient(expression: Expr, variables: Iterable[str], parameters: Iterable[Parameter] = ()) -> Quotient:
    """Return a rational function as a quotient of polynomials with integer coefficients, in lowest terms.

    :raises UnsupportedError: if the expression is no rational function, or zero

    >>> from sympy import symbols
    >>> x, y = symbols("x y", positive=True)
    >>> quotient(1/x - 1/(x + y), ["x", "y"])
    Quotient(numerator='(y)', denominator='(x) * (x + y)', is_positive=True)
    """
    field = Field(variables, parameters)
    element = field.reduce(convert(expression, field))
    if set(element.numerator) != {()}:
        raise UnsupportedError("not a rational function, or zero")
    (poly,) = element.numerator.values()
    constant, factors = poly.factor()
    below = [(field.atoms[number].base, power) for number, power in element.denominator.items()]
    above = [(poly, 1)] if any(_mixed(factor) for factor, _ in factors) else factors
    if above is factors and constant < 0:
        return Quotient(_text(poly), _product(below), is_positive=False)
    scale = [] if constant == 1 or above is not factors else [str(constant)]
    positive = all(not _mixed(base) and base.leading_coefficient() > 0 for base, _ in [*above, *below])
    return Quotient(" * ".join([*scale, _product(above)]) if above else str(constant), _product(below), positive)


def _mixed(poly: object) -> bool:
    """Return whether a polynomial has coefficients of both signs."""
    return len({coefficient > 0 for coefficient in poly.coeffs()}) > 1  # type: ignore[attr-defined]  # FLINT has no types


def _product(factors: Iterable[tuple[object, int]]) -> str:
    return " * ".join(_text(base) + (f" ^ {power}" if power > 1 else "") for base, power in factors) or "1"


def _text(poly: object) -> str:
    return f"({poly})".replace("^", " ^ ").replace("*", " * ")
