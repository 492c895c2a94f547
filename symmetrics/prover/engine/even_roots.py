"""Claims on a formula that is a root, as claims on what it is the root of: one root less is nested."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Final

from sympy import Expr, Integer, Pow, log

from symmetrics.algebra.evaluate import Evaluator, Undefined, certain_sign
from symmetrics.claims import Comparison, value_symbol
from symmetrics.tools.errors import UnsupportedError

__all__ = ["claim_on_radicand", "real_point"]

_FIRST, _SECOND = value_symbol(0), value_symbol(1)
COUNTS: Final = (Integer(1), Integer(4), Integer(100))
"""What variables are at the points at which a radicand is tried."""


def claim_on_radicand(claim: Comparison) -> Comparison | None:
    """Return the claim on E that one on ``a + c*E**(1/n)`` comes down to, n even, where E holds roots or logarithms.

    Either two values of the formula are compared, or one with a number that is not below all values.

    >>> from sympy import sqrt
    >>> from symmetrics.claims import StrictInequality
    >>> from symmetrics.language.cells import CELLS, FN, TP
    >>> claim = StrictInequality(1 - 2 * sqrt(1 - sqrt(TP / (TP + FN))), (), (CELLS,), relation=1 - _FIRST)
    >>> claim_on_radicand(claim).difference
    1 - sqrt(TP/(FN + TP))
    """
    if claim.partner is not None or claim.parameters:
        return None
    shift, varying = claim.subject.as_coeff_Add()
    scale, root = varying.as_coeff_Mul()
    if not (isinstance(root, Pow) and root.exp.is_Rational and root.exp.p == 1 and root.exp.q % 2 == 0):
        return None
    if not (shift.is_Rational and scale.is_Rational and _is_hard(root.base)):
        return None
    sign, power = (1 if scale > 0 else -1), int(root.exp.q)
    if claim.relation in (_FIRST - _SECOND, _SECOND - _FIRST):
        return replace(claim, subject=root.base, relation=sign * claim.relation)
    side = claim.relation.coeff(_FIRST)
    bound = (_FIRST - side * claim.relation - shift) / scale
    if side not in (1, -1) or bound.free_symbols or not bound.is_nonnegative:
        return None
    return replace(claim, subject=root.base, relation=side * sign * (_FIRST - bound**power))


def _is_hard(radicand: Expr) -> bool:
    return radicand.has(log) or any(not node.exp.is_Integer for node in radicand.atoms(Pow))


def real_point(claim: Comparison) -> list[str] | None:
    """Return a point at which the values of a claim are positive, so that their roots are real in a neighbourhood."""
    for point in itertools.product(COUNTS, repeat=len(claim.variables)):
        place = dict(zip(claim.variables, point, strict=True))
        try:
            if all(certain_sign(Evaluator(side.xreplace(place), ())) == 1 for side in claim.sides):
                return [str(number) for number in point]
        except (Undefined, UnsupportedError):
            continue
    return None
