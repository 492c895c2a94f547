"""Claims, decisions and evidence as data; no judgement is made here.

A claim is data.  The prover and the checker both start from it and from nothing else.  There is one module for each
family of statements in :mod:`symmetrics.claims.families`, and one of the same name in the prover, the checker and the
exporter to the proof assistant.
"""

from __future__ import annotations

from symmetrics.claims.base import Claim
from symmetrics.claims.comparison import OPEN_ORTHANT, Comparison, value_symbol
from symmetrics.claims.families import claim_from_dict
from symmetrics.claims.families.directions import ScalingSpace, TranslationSpace
from symmetrics.claims.families.groups import MatrixSymmetryGroup, SymmetryGroup
from symmetrics.claims.families.limits import (
    Bounded,
    ConstantBaseline,
    ConstantMatrixBaseline,
    DefinedAtAllMatrices,
    DefinedEverywhere,
    FiniteLimit,
    LargestAtAgreement,
    SmallestAtDisagreement,
)
from symmetrics.claims.families.relations import (
    Affine,
    AllOf,
    AnyOf,
    Combination,
    Identity,
    Inequality,
    RatioOfLinearForms,
    SameOrder,
    StrictInequality,
)

__all__ = [
    "OPEN_ORTHANT",
    "Affine",
    "AllOf",
    "AnyOf",
    "Bounded",
    "Claim",
    "Combination",
    "Comparison",
    "ConstantBaseline",
    "ConstantMatrixBaseline",
    "DefinedAtAllMatrices",
    "DefinedEverywhere",
    "FiniteLimit",
    "Identity",
    "Inequality",
    "LargestAtAgreement",
    "MatrixSymmetryGroup",
    "RatioOfLinearForms",
    "SameOrder",
    "ScalingSpace",
    "SmallestAtDisagreement",
    "StrictInequality",
    "SymmetryGroup",
    "TranslationSpace",
    "claim_from_dict",
    "value_symbol",
]
