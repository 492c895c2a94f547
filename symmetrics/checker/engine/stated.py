"""A value that a certificate brings along exists for all parameters for which the formula of the claim may have one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sympy import Abs, Expr, Pow, Rational, cancel, fraction, log, preorder_traversal

from symmetrics.checker.engine.fractions import Arithmetic, never_negative
from symmetrics.checker.engine.minors import is_never_zero
from symmetrics.checker.engine.obstacles import require_free
from symmetrics.checker.engine.requirements import require
from symmetrics.language.cells import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import CertificateError

__all__ = ["require_value"]


def require_value(brought: Expr, own: Expr, parameters: Sequence[Parameter], over: Sequence[str] = CELL_NAMES) -> None:
    """Refuse a formula that has no value for some parameters for which that of the claim may have one.

    An equation of formulas is one wherever both have a value, and says nothing of parameters at which the formula that
    a certificate chose divides by zero, as ``(w**3 + w**2)/(w**2 + w)`` does at w = 0.

    :param brought: the formula, in variables and parameters
    :param own: the formula of the claim, which may divide by zero as well
    :param over: the names of the variables
    :raises CertificateError: if something may be in the way of the first that is not in the way of the second, too
    """
    excluded = list(_obstacles(own, parameters))
    for kind, base in _obstacles(brought, parameters):
        excused = any(kind == other and _is_excused(base, its, kind) for other, its in excluded)
        require(excused or _is_free(kind, base, parameters, over), "a value that is stated may not exist")


def _is_free(kind: str, base: Expr, parameters: Sequence[Parameter], over: Sequence[str]) -> bool:
    """Whether something is not in the way, whatever the parameters are: a divisor at some tables, all else at any."""
    try:
        if kind == "divisor":
            return _is_somewhere_nonzero(base, parameters, over)
        # What stands inside of an absolute value has its own turn.
        if kind == "radicand" and (isinstance(base, Abs) or _is_nowhere_negative(base, parameters, over)):
            return True
        require_free(kind, base, parameters, over)
    except CertificateError:  # it is not shown, or cannot be read as a quotient of polynomials
        return False
    return True


def _obstacles(formula: Expr, parameters: Sequence[Parameter]) -> Iterator[tuple[str, Expr]]:
    """Yield what a formula divides by, and takes roots and logarithms of, as far as parameters are in it."""
    declared = {p.symbol for p in parameters}
    for node in preorder_traversal(formula):
        if isinstance(node, Pow | log) and node.args[0].free_symbols & declared:
            if isinstance(node, log):
                yield "logarithm", node.args[0]
                continue
            if not node.exp.is_nonnegative:  # it may hold parameters
                yield "divisor", node.base
            if not node.exp.is_Integer:
                yield "radicand", node.base


def _is_excused(base: Expr, own: Expr, kind: str) -> bool:
    """Whether what may be in the way is in the way of the formula of the claim, too, as a factor of its divisor is."""
    if kind == "divisor":
        return bool(fraction(cancel(own / base))[1].is_Rational)
    factor = cancel(base / own)
    return isinstance(factor, Rational) and bool(factor > 0)


def _is_nowhere_negative(base: Expr, parameters: Sequence[Parameter], over: Sequence[str]) -> bool:
    """Whether the coefficients show that what a root is taken of is not negative, whatever the parameters are."""
    if not base.is_rational_function():
        return False
    arithmetic = Arithmetic(over, parameters, {}, ())
    value = arithmetic.evaluate(base)
    return any(
        never_negative(sign * value.top, arithmetic) and never_negative(sign * value.bottom, arithmetic)
        for sign in (1, -1)
    )


def _is_somewhere_nonzero(divisor: Expr, parameters: Sequence[Parameter], over: Sequence[str]) -> bool:
    """Whether a divisor is not zero at all tables, whatever the parameters are."""
    arithmetic = Arithmetic(over, parameters, {}, ())
    value = arithmetic.evaluate(divisor)
    coefficients: dict[tuple[int, ...], dict[tuple[int, ...], object]] = {}
    for monomial, coefficient in value.top.terms():
        outside, inside = monomial[: len(over)], (*[0] * len(over), *monomial[len(over) :])
        coefficients.setdefault(outside, {})[inside] = coefficient
    return any(is_never_zero(arithmetic.ring(terms), arithmetic) for terms in coefficients.values())
