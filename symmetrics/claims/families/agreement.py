"""Agreement: whether a formula is at its best, or its worst, exactly where all predictions are right, or wrong."""

from __future__ import annotations

from symmetrics.claims.one_formula import CLOSED_ORTHANT, OneFormula


class LargestAtAgreement(OneFormula):
    """M has a largest value, and has it at a table where it is defined if and only if FN = FP = 0 there."""

    kind = "largest exactly at agreement"
    domain = CLOSED_ORTHANT


class SmallestAtDisagreement(OneFormula):
    """M has a smallest value, and has it at a table where it is defined if and only if TP = TN = 0 there."""

    kind = "smallest exactly at disagreement"
    domain = CLOSED_ORTHANT
