"""What a certificate divides by: a value that it brings along exists wherever the formula of the claim does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sympy import Expr, Pow, Rational, cancel, preorder_traversal

from symmetrics.checker.engine.fractions import Arithmetic
from symmetrics.checker.engine.minors import is_never_zero
from symmetrics.checker.engine.requirements import require
from symmetrics.language.cells import CELL_NAMES
from symmetrics.language.parameter import Parameter

__all__ = ["require_value"]


def require_value(brought: Expr, own: Expr, parameters: Sequence[Parameter], over: Sequence[str] = CELL_NAMES) -> None:
    """Refuse a formula that has no value for some parameters for which that of the claim may have one.

    An equation of formulas is one wherever both have a value, and says nothing of parameters at which the formula that
    a certificate chose divides by zero, as ``(w**3 + w**2)/(w**2 + w)`` does at w = 0.

    :param brought: the formula, in variables and parameters
    :param own: the formula of the claim, which may divide by zero as well
    :param over: the names of the variables
    :raises CertificateError: if a divisor of the first is none of the second, and is not shown to be one everywhere
    """
    excluded = list(_divisors(own, parameters))
    for divisor in _divisors(brought, parameters):
        if not any(isinstance(cancel(divisor / other), Rational) for other in excluded):
            require(_is_somewhere_nonzero(divisor, parameters, over), "a value that is stated may not exist")


def _divisors(formula: Expr, parameters: Sequence[Parameter]) -> Iterator[Expr]:
    declared = {p.symbol for p in parameters}
    for node in preorder_traversal(formula):
        if isinstance(node, Pow) and node.exp.is_negative and node.base.free_symbols & declared:
            yield node.base


def _is_somewhere_nonzero(divisor: Expr, parameters: Sequence[Parameter], over: Sequence[str]) -> bool:
    """Whether a divisor is not zero at all tables, whatever the parameters are."""
    arithmetic = Arithmetic(over, parameters, {}, ())
    value = arithmetic.evaluate(divisor)
    coefficients: dict[tuple[int, ...], dict[tuple[int, ...], object]] = {}
    for monomial, coefficient in value.top.terms():
        outside, inside = monomial[: len(over)], (*[0] * len(over), *monomial[len(over) :])
        coefficients.setdefault(outside, {})[inside] = coefficient
    return any(is_never_zero(arithmetic.ring(terms), arithmetic) for terms in coefficients.values())
