"""Constant baseline: what a formula is worth on average, when predictions are drawn at random."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sympy import Expr, Integer

from symmetrics.cells import CELLS, FN, FP, TN, TP, Table
from symmetrics.claims.comparison import Identity, value_symbol
from symmetrics.claims.limit import STEP, FiniteLimit
from symmetrics.claims.structure import Structure
from symmetrics.formula import RESERVED_PREFIX, parameter_symbol

__all__ = ["ConstantBaseline"]

MARGINS: Final = "1 <= P, OP <= n - 1"
STEP_NAME, FACTOR_NAME = RESERVED_PREFIX + "t", RESERVED_PREFIX + "a"
T, A = parameter_symbol(STEP_NAME), parameter_symbol(FACTOR_NAME)
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


@dataclass(frozen=True)
class ConstantBaseline(Structure):
    """E[M] is the same number for all n, P, OP for which it exists, and it exists for some.

    n, P and OP are whole numbers with ``1 <= P, OP <= n - 1``, and TP is hypergeometric: k with the probability
    ``C(P, k)*C(n - P, OP - k)/C(n, OP)``; FN = P - k, FP = OP - k and TN = n - P - OP + k.  The value of M at a table
    with zero cells is its limit from tables of positive cells.  E[M] exists if M has a finite value, or such a limit,
    at every table of positive probability.  Parameter values at which the formula has no value anywhere are left out.

    *Lemma.* Let M be real on the open orthant and affine in TP at fixed margins (:attr:`affinity`), and let it be c
    wherever TP*TN = FP*FN (:attr:`independence`).  Then E[M] = c wherever it exists.  *Proof.* M is a + b*TP, where a
    and b depend on the margins alone and have values outside a nowhere dense set of these.  Let e be the mean of the
    tables x_k of n, P, OP, which is independent, and e' another independent table with larger cells.  The cells of
    y_k = x_k + e' - e are positive, all y_k have the margins of e', and their mean is e'; so the mean of M(y_k) is
    M(e') = c for almost all e'.  As e' approaches e, M(y_k) tends to the value of M at x_k; hence E[M] = c.

    :param subject: the formula M
    :param parameters: its parameters with their domains
    """

    kind = "constant baseline"
    domain = MARGINS

    @property
    def affinity(self) -> Identity:
        """M is affine in TP at fixed margins: its second differences vanish."""
        first, second, third = (value_symbol(place) for place in range(3))
        relation = first - 2 * second + third
        return Identity(self.subject, self.parameters, EQUALLY_SPACED, (STEP_NAME,), relation)

    @property
    def independence(self) -> Identity:
        """M is the same at all independent tables."""
        return Identity(self.subject, self.parameters, (INDEPENDENT, EXAMPLE), (FACTOR_NAME,))

    @property
    def at_the_example(self) -> Expr:
        """The value of M at an independent table."""
        return self.subject.xreplace(dict(zip(CELLS, EXAMPLE, strict=True)))

    def ends(self, name: str) -> tuple[FiniteLimit, ...]:
        """Return the claims that M is finite at the table with the most, or the least, agreement of given margins.

        One of these tables belongs to every (n, P, OP); if all of these limits are infinite, no E[M] exists.
        """
        return tuple(FiniteLimit(self.subject, self.parameters, path) for path in ENDS[name])
