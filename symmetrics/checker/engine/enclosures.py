"""Real constants: whether two numbers are the same, and certified signs."""

from __future__ import annotations

from typing import Any

from mpmath import iv
from sympy import Abs, Add, Expr, Max, Min, Mul, Pow, Rational, S, cancel, log

from symmetrics.checker.engine.requirements import require
from symmetrics.tools.errors import CertificateError

__all__ = ["certain_sign", "is_certainly_nonzero", "is_same"]


def is_same(left: Expr, right: Expr) -> bool:
    """Whether two constants are shown to be the same number by exact simplification."""
    return bool(left == right or cancel(left - right) == 0 or (left - right).expand(log=True, force=True) == 0)


def is_certainly_nonzero(value: Expr) -> bool:
    """Whether a real constant is shown not to be zero."""
    return certain_sign(value) in (1, -1)


def certain_sign(value: Expr) -> int | None:
    """Return the sign of a real constant, or None if no precision that was tried shows that it is not zero."""
    if isinstance(value, Rational):
        return 1 if value > 0 else -1 if value < 0 else 0
    saved = iv.prec
    try:
        for bits in (64, 256, 1024):
            iv.prec = bits
            enclosure = _enclose(value)
            if enclosure.a > 0 or enclosure.b < 0:
                return 1 if enclosure.a > 0 else -1
        return None
    finally:
        iv.prec = saved


def _enclose(value: Expr) -> Any:
    """Return an interval that certainly holds a real constant."""
    if isinstance(value, Rational):
        return iv.mpf(int(value.p)) / int(value.q)
    if value is S.Pi:
        return iv.pi
    if isinstance(value, Pow):
        base = _enclose(value.base)
        if value.exp.is_Integer:
            return base ** int(value.exp)
        require(base.a >= 0, "a root of a negative number in the counterexample")
        return iv.exp(_enclose(value.exp) * iv.log(base))
    parts = [_enclose(argument) for argument in value.args]
    if isinstance(value, Add):
        return sum(parts[1:], parts[0])
    if isinstance(value, Mul):
        product = parts[0]
        for part in parts[1:]:
            product = product * part
        return product
    if isinstance(value, Abs):
        return abs(parts[0])
    if isinstance(value, log):
        return iv.log(parts[0])
    if isinstance(value, (Max, Min)):
        choose = max if isinstance(value, Max) else min
        return iv.mpf([choose(part.a for part in parts), choose(part.b for part in parts)])
    raise CertificateError(f"{type(value).__name__} cannot be checked")
