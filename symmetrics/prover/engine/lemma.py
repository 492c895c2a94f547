"""What the lemma on constant baselines asks of a formula, as claims: see :class:`ConstantBaseline`.

The checker writes the same claims down a second time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sympy import Expr, Integer

from symmetrics.claims.comparison import value_symbol
from symmetrics.claims.families.baselines import ConstantBaseline
from symmetrics.claims.families.equations import Identity
from symmetrics.claims.families.limits import STEP, FiniteLimit
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, Table, parameter_symbol
from symmetrics.language.formula import RESERVED_PREFIX

T, A = parameter_symbol(RESERVED_PREFIX + "t"), parameter_symbol(RESERVED_PREFIX + "a")
EQUALLY_SPACED: Final[tuple[Table, ...]] = (
    (TP, FN + 2 * T, FP + 2 * T, TN),
    (TP + T, FN + T, FP + T, TN + T),
    (TP + 2 * T, FN, FP, TN + 2 * T),
)
"""Three tables with the same margins."""
INDEPENDENT: Final[Table] = (TP, FN, A * TP, A * FN)
"""Every table with TP*TN = FP*FN."""
EXAMPLE: Final[Table] = (Integer(1), Integer(2), Integer(3), Integer(6))
"""An independent table whose margins are all different, so that few formulas have a pole there."""
ENDS: Final[Mapping[str, tuple[Table, ...]]] = {
    "most agreement": ((TP, STEP, FP, TN), (TP, FN, STEP, TN), (TP, STEP, STEP, TN)),
    "least agreement": ((STEP, FN, FP, TN), (TP, FN, FP, STEP), (STEP, FN, FP, STEP)),
}
"""Curves to the table with the largest, or the smallest, TP of given margins, one for each set of zero cells."""


def affinity(claim: ConstantBaseline) -> Identity:
    """Return the claim that M is affine in TP at fixed margins: its second differences vanish."""
    first, second, third = (value_symbol(place) for place in range(3))
    relation = first - 2 * second + third
    return Identity(claim.subject, claim.parameters, EQUALLY_SPACED, (T,), relation)


def independence(claim: ConstantBaseline) -> Identity:
    """Return the claim that M is the same at all independent tables."""
    return Identity(claim.subject, claim.parameters, (INDEPENDENT, EXAMPLE), (A,))


def at_the_example(claim: ConstantBaseline) -> Expr:
    """Return the value of M at an independent table."""
    return claim.subject.xreplace(dict(zip(CELLS, EXAMPLE, strict=True)))


def ends(claim: ConstantBaseline, name: str) -> tuple[FiniteLimit, ...]:
    """Return the claims that M is finite at the table with the most, or the least, agreement of given margins.

    One of these tables belongs to every (n, P, OP); if all of these limits are infinite, no E[M] exists.
    """
    return tuple(FiniteLimit(claim.subject, claim.parameters, path) for path in ENDS[name])
