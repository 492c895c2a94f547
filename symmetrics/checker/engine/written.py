"""Exact values of formulas at tables, as they are written: every part is shown to be real by certified signs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sympy import Abs, Add, Expr, Max, Min, Mul, Pow, Rational, S, Symbol, log

from symmetrics.checker.engine.enclosures import certain_sign, is_same
from symmetrics.checker.engine.requirements import require
from symmetrics.tools.errors import CertificateError

__all__ = ["value_or_none", "written_value"]


def value_or_none(formula: Expr, place: Mapping[Symbol, Expr]) -> Expr | None:
    """Return the value of a formula as it is written, or None if it is not shown to have one."""
    try:
        return written_value(formula, place)
    except CertificateError:
        return None


def written_value(formula: Expr, place: Mapping[Symbol, Expr]) -> Expr:
    """Return the exact value of a formula as it is written: a rational number while that is possible.

    >>> from symmetrics.language.cells import FN, TP
    >>> from sympy import Integer, sqrt
    >>> written_value(Abs(TP - FN) * log(TP + FN), {TP: Integer(1), FN: Integer(2)})
    log(3)
    >>> value_or_none(sqrt(TP - FN) ** 2 * Abs(log(TP - FN)), {TP: Integer(1), FN: Integer(2)}) is None
    True

    :raises CertificateError: if a part of it is not shown to have a real value
    """
    if isinstance(formula, Symbol):
        require(formula in place, "the value at a table depends on a symbol that has none")
        return place[formula]
    if isinstance(formula, Rational) or formula is S.Pi:
        return formula
    if isinstance(formula, Pow):
        return _power(written_value(formula.base, place), written_value(formula.exp, place))
    parts = [written_value(argument, place) for argument in formula.args]
    if isinstance(formula, Add):
        return Add(*parts)
    if isinstance(formula, Mul):
        return Mul(*parts)
    if isinstance(formula, Abs):
        return parts[0] if _sign(parts[0]) >= 0 else -parts[0]
    if isinstance(formula, (Max, Min)):
        return _largest(parts, 1 if isinstance(formula, Max) else -1)
    require(isinstance(formula, log), f"{type(formula).__name__} cannot be checked")
    require(_sign(parts[0]) == 1, "a logarithm of what is not positive at a table")
    return log(parts[0])


def _power(base: Expr, exponent: Expr) -> Expr:
    is_whole = isinstance(exponent, Rational) and exponent.q == 1
    if not is_whole or exponent < 0:
        sign = _sign(base)
        require(sign != 0 or _sign(exponent) == 1, "the formula divides by zero at a table")
        require(is_whole or sign >= 0, "a root of a negative number at a table")
    return Pow(base, exponent)


def _largest(values: Sequence[Expr], wanted: int) -> Expr:
    result, *rest = values
    for value in rest:
        if _sign(value - result) == wanted:
            result = value
    return result


def _sign(value: Expr) -> int:
    """Return the sign of a real constant.

    :raises CertificateError: if it is not shown
    """
    sign = 0 if not isinstance(value, Rational) and is_same(value, S.Zero) else certain_sign(value)
    if sign is None:
        raise CertificateError("the sign of a number at a table is not shown")
    return sign
