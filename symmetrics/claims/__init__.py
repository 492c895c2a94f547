"""What can be asserted of a formula: claims, and records of answers and evidence; vocabulary, with no judgement in it.

A claim is data.  The prover and the checker both start from it and from nothing else.  There is one module for each
family of statements in :mod:`symmetrics.claims.families`, and one of the same name in the prover, the checker and the
exporter to the proof assistant.
"""

from __future__ import annotations

from symmetrics.claims.base import Claim
from symmetrics.claims.comparison import OPEN_ORTHANT, Comparison, value_symbol
from symmetrics.claims.families import claim_from_dict
from symmetrics.claims.families.affine import Affine
from symmetrics.claims.families.agreement import LargestAtAgreement, SmallestAtDisagreement
from symmetrics.claims.families.baselines import ConstantBaseline, ConstantMatrixBaseline
from symmetrics.claims.families.combinations import AllOf, AnyOf, Combination
from symmetrics.claims.families.definedness import DefinedAtAllMatrices, DefinedEverywhere
from symmetrics.claims.families.directions import ScalingSpace, TranslationSpace
from symmetrics.claims.families.equations import Identity
from symmetrics.claims.families.groups import MatrixSymmetryGroup, SymmetryGroup
from symmetrics.claims.families.inequalities import Inequality, StrictInequality
from symmetrics.claims.families.limits import FiniteLimit
from symmetrics.claims.families.orders import SameOrder
from symmetrics.claims.families.ranges import Bounded
from symmetrics.claims.families.ratios import RatioOfLinearForms

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
