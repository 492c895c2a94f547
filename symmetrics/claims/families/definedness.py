"""Definedness: whether a formula has a value at all tables, those with zero cells too."""

from __future__ import annotations

from symmetrics.claims.one_formula import CLOSED_ORTHANT, OneFormula


class DefinedEverywhere(OneFormula):
    """The formula, as it is shown, has a real value at every table of non-negative cells that is not all zero.

    A formula is its SymPy expression, in which equal factors and equal terms have cancelled: TP*FP/FP is TP.
    """

    kind = "defined everywhere"
    domain = CLOSED_ORTHANT
