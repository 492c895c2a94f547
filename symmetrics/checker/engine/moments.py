"""Means of polynomials in TP at fixed margins, computed from powers and Stirling numbers."""

from __future__ import annotations

from typing import Final

from sympy import Expr, Rational
from sympy.functions.combinatorial.numbers import stirling
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.fractions import Arithmetic
from symmetrics.checker.engine.requirements import require
from symmetrics.language.cells import CELLS, parameter_symbol
from symmetrics.language.formula import RESERVED_PREFIX

__all__ = ["has_mean"]

NAMES: Final = tuple(RESERVED_PREFIX + name for name in ("k", "n", "P", "OP"))


def has_mean(formula: Expr, value: Rational) -> bool:
    """Whether the mean of a formula is a number at all margins, because its factorial moments say so.

    M is a polynomial in TP whose coefficients have products of n, P, N, OP and ON below.  (TP)_j has the mean
    (P)_j*(OP)_j/(n)_j; at n < j no table has (TP)_j other than 0, as (P)_j says, too.

    :raises CertificateError: if the formula is of another kind
    """
    k, n, positives, predicted = map(parameter_symbol, NAMES)
    table = (k, positives - k, predicted - k, n - positives - predicted + k)
    arithmetic = Arithmetic(NAMES, (), {}, ())
    found = arithmetic.evaluate(formula.xreplace(dict(zip(CELLS, table, strict=True))))
    top, bottom = found.top.cancel(found.bottom)
    generators = [arithmetic.symbols[name] for name in NAMES]
    _, size, actual, chosen = generators
    left = bottom
    for margin in (size, actual, chosen, size - actual, size - chosen):
        while not left.div(margin)[1]:
            left = left.quo(margin)
    require(left.is_ground, "the formula is no polynomial in TP over products of margins")
    powers = _in_first(top)
    degree = max(powers, default=0)
    mean = top.ring.zero
    for power, coefficient in powers.items():
        for j in range(power + 1):
            moment = int(stirling(power, j)) * _falling(actual, j) * _falling(chosen, j)
            rest = top.ring.one
            for i in range(j, degree):
                rest *= size - i
            mean += coefficient * moment * rest
    number = top.ring.domain(value.p) / top.ring.domain(value.q)
    return bool(mean == bottom * _falling(size, degree) * number)


def _in_first(poly: PolyElement) -> dict[int, PolyElement]:
    """Return the coefficients of the powers of the first variable."""
    found: dict[int, PolyElement] = {}
    for exponents, coefficient in poly.terms():
        term = poly.ring({(0, *exponents[1:]): coefficient})
        found[exponents[0]] = found.get(exponents[0], poly.ring.zero) + term
    return found


def _falling(base: PolyElement, times: int) -> PolyElement:
    result = base.ring.one
    for i in range(times):
        result *= base - i
    return result
