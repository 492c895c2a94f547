"""Definedness: whether a formula has a value at all tables, those with zero cells too."""

from __future__ import annotations

from symmetrics.claims.one_formula import CLOSED_ORTHANT, OneFormula
from symmetrics.claims.one_matrix import OneMatrixFormula


class DefinedEverywhere(OneFormula):
    """The formula, as it is shown, has a real value at every table of non-negative cells that is not all zero.

    A formula is its SymPy expression, in which equal factors and equal terms have cancelled: TP*FP/FP is TP.
    """

    kind = "defined everywhere"
    domain = CLOSED_ORTHANT


class DefinedAtAllMatrices(OneMatrixFormula):
    """The formula, as it is shown, has a real value at every matrix of non-negative entries that are not all zero."""

    kind = "defined at all matrices"
    domain = "all entries >= 0, not all zero"
