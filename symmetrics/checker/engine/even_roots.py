"""Claims on a root, re-verified as claims on what it is the root of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sympy import Add, Expr, Integer, Mul, Pow, Rational, nan, oo, zoo

from symmetrics.checker.engine.enclosures import certain_sign
from symmetrics.checker.engine.requirements import require
from symmetrics.claims import Comparison, value_symbol
from symmetrics.language.numbers import parse_number
from symmetrics.tools.errors import CertificateError

__all__ = ["claim_below_root", "require_real_at"]

_FIRST, _SECOND = value_symbol(0), value_symbol(1)


def claim_below_root(claim: Comparison) -> Comparison:
    """Return the claim on E from which one on ``M = a + c*E**(1/n)`` follows, with n even and rational numbers a and c.

    The root r is not negative where it is real, and there ``r < s`` exactly if ``r**n < s**n``, for s >= 0.
    """
    require(claim.partner is None and not claim.parameters, "the claim is about two formulas, or has parameters")
    shift, scale, root = _parts(claim.subject)
    degree = root.exp.q if isinstance(root, Pow) and root.exp.is_Rational and root.exp.p == 1 else 1
    require(degree % 2 == 0, "the formula is no even root")
    sign = 1 if scale > 0 else -1
    for relation in (_FIRST - _SECOND, _SECOND - _FIRST):
        if claim.relation == relation:
            return replace(claim, subject=root.args[0], relation=sign * relation)
    for side in (1, -1):
        # M - b or b - M has the sign of c times that of r - (b - a)/c, or of its negative.
        limit = claim.relation - side * _FIRST
        if not limit.free_symbols:
            bound = (-side * limit - shift) / scale
            require(bound == 0 or certain_sign(bound) == 1, "a root is compared with a number that may be negative")
            return replace(claim, subject=root.args[0], relation=side * sign * (_FIRST - bound**degree))
    raise CertificateError(
        "the evidence does not establish the verdict: the claim does not compare two values, or one with a number"
    )


def _parts(formula: Expr) -> tuple[Rational, Rational, Expr]:
    """Return a, c and r for ``a + c*r`` with rational numbers a and c."""
    terms = list(Add.make_args(formula))
    shift = sum((term for term in terms if isinstance(term, Rational)), Integer(0))
    varying = [term for term in terms if not isinstance(term, Rational)]
    require(len(varying) == 1, "the formula is no multiple of a root, plus a number")
    factors = list(Mul.make_args(varying[0]))
    scale = Integer(1)
    for factor in factors:
        scale = scale * factor if isinstance(factor, Rational) else scale
    others = [factor for factor in factors if not isinstance(factor, Rational)]
    require(len(others) == 1, "the formula is no multiple of a root, plus a number")
    return shift, scale, others[0]


def require_real_at(texts: Iterable[str], claim: Comparison) -> None:
    """Require that the values of a claim are positive at a point: around it they have real roots."""
    numbers = [parse_number(text) for text in texts]
    positive = len(numbers) == len(claim.variables) and all(number > 0 for number in numbers)
    require(positive, "a point is not one positive number for each variable")
    place = dict(zip(claim.variables, numbers, strict=True))
    for side in claim.sides:
        value = side.xreplace(place)
        require(not value.has(nan, oo, -oo, zoo) and certain_sign(value) == 1, "no root is shown to be real")
