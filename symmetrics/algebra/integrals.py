"""Integrals over [0, 1]: exact for rational functions, certified intervals for other formulas."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from typing import Any, Final

from flint import acb, arb, ctx
from sympy import (
    Abs,
    Add,
    Expr,
    Integer,
    Max,
    Min,
    Mul,
    Pow,
    Rational,
    S,
    Symbol,
    apart,
    cancel,
    factor_list,
    fraction,
    log,
    pi,
)

from symmetrics.tools.errors import UnsupportedError

BITS: Final = 128
"""Precision of certified intervals."""
WIDTH: Final = 1e-12
"""The widest interval for an integral that is given."""


def rational_integral(integrand: Expr, variable: Symbol) -> Expr | None:
    """Return the integral over [0, 1] of a rational function whose denominator has rational zeros alone, or None.

    :raises UnsupportedError: if a zero is between 0 and 1

    >>> t = Symbol("t", real=True)
    >>> rational_integral(1 / (1 + t) ** 2, t), rational_integral(1 / (2 + t), t), rational_integral(1 / (1 + t**2), t)
    (1/2, log(3/2), None)
    """
    if not integrand.is_rational_function(variable):
        return None
    reduced = cancel(integrand)
    bottom = fraction(reduced)[1]
    if any(base.as_poly(variable).degree() > 1 for base, _ in factor_list(bottom, variable)[1]):
        return None
    total: Expr = S.Zero
    for part in Add.make_args(apart(reduced, variable)) if bottom.has(variable) else (reduced,):
        antiderivative = _antiderivative(part, variable)
        if antiderivative is None:
            return None
        total += antiderivative
    return total


def _antiderivative(part: Expr, variable: Symbol) -> Expr | None:
    """Return the integral over [0, 1] of a polynomial or of ``c/(a + b*t)**k``."""
    top, bottom = fraction(part)
    if not bottom.has(variable):
        poly = part.as_poly(variable)
        return sum((coefficient / (power + 1) for (power,), coefficient in poly.terms()), S.Zero)
    if top.has(variable):
        return None
    ((base, power),) = factor_list(bottom, variable)[1]
    scale = cancel(bottom / base**power)
    start, end = base.subs(variable, 0), base.subs(variable, 1)
    slope = end - start
    if not (start * end).is_positive:
        raise UnsupportedError("there is a pole")
    if power == 1:
        return top / scale / slope * log(end / start)
    return top / scale / slope * (start ** (1 - power) - end ** (1 - power)) / (power - 1)


def certified_integral(integrand: Expr, variable: Symbol) -> Any:
    """Return a ball that is certain to hold the integral of a function over [0, 1]: Petras' algorithm, as Arb has it.

    :raises UnsupportedError: if none is narrow enough

    >>> t = Symbol("t", real=True)
    >>> print(certified_integral(Abs(t - Rational(1, 3)), t).str(12, radius=False))  # 5/18
    0.277777777778
    """
    function = _analytic(integrand, variable)
    with ctx.workprec(BITS):
        try:
            found = acb.integral(function, 0, 1, rel_tol=arb(2) ** -80, abs_tol=arb(2) ** -80)
        except (ValueError, ZeroDivisionError):
            found = acb("nan")
        if found.is_finite() and float(found.real.rad()) <= WIDTH / 2:
            return found.real
    raise UnsupportedError(f"no integral is known to {WIDTH:g}: the formula is not smooth, or not bounded")


def _analytic(expression: Expr, variable: Symbol) -> Callable[[Any, bool], Any]:
    """Return a function on complex balls, without end where it is not known to be analytic if that is asked.

    :raises UnsupportedError: on a part that is analytic nowhere
    """
    if expression == variable:
        return lambda t, _: t
    if isinstance(expression, Rational):
        constant = arb(int(expression.p)) / int(expression.q)
        return lambda t, _: acb(constant)
    if expression is pi:
        return lambda t, _: acb(arb.pi())
    parts = [_analytic(part, variable) for part in expression.args]
    match expression:
        case Pow() if isinstance(expression.exp, Integer):
            return lambda t, asked: parts[0](t, asked) ** int(expression.exp)
        case Pow() if isinstance(expression.exp, Rational) and expression.exp.q == 2:  # also around 0
            return lambda t, asked: parts[0](t, asked).sqrt(analytic=asked) ** int(expression.exp.p)
        case Pow():
            return lambda t, asked: (parts[1](t, asked) * parts[0](t, asked).log(analytic=asked)).exp()
        case log():
            return lambda t, asked: parts[0](t, asked).log(analytic=asked)
        case Add():
            return lambda t, asked: sum((part(t, asked) for part in parts), acb(0))
        case Mul():
            return lambda t, asked: math.prod((part(t, asked) for part in parts), start=acb(1))
        case Abs():
            return lambda t, asked: parts[0](t, asked).real_abs(analytic=asked)
        case Max():
            return lambda t, asked: reduce(lambda a, b: a.real_max(b, analytic=asked), (p(t, asked) for p in parts))
        case Min():
            return lambda t, asked: reduce(lambda a, b: a.real_min(b, analytic=asked), (p(t, asked) for p in parts))
    raise UnsupportedError(f"{type(expression).__name__} is nowhere analytic")
