"""Definedness for many classes: whether a formula over a matrix has a value also where entries are zero."""

from __future__ import annotations

from symmetrics.claims.one_matrix import OneMatrixFormula


class DefinedAtAllMatrices(OneMatrixFormula):
    """The formula, as it is shown, has a real value at every matrix of non-negative entries that are not all zero.

    A formula is its SymPy expression, in which equal factors and equal terms have cancelled.
    """

    kind = "defined at all matrices"
    domain = "all entries >= 0, not all zero"
