"""Claims: what can be asserted of a formula, each with its domain.

A claim is data.  The prover and the checker both start from it and from nothing else.  There is one class for each
family of statements; the prover and the checker have one module for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from symmetrics.claims.affine import Affine
from symmetrics.claims.base import Claim
from symmetrics.claims.baseline import ConstantBaseline
from symmetrics.claims.combination import AllOf, AnyOf, Combination
from symmetrics.claims.comparison import (
    OPEN_ORTHANT,
    Comparison,
    Identity,
    Inequality,
    StrictInequality,
    value_symbol,
)
from symmetrics.claims.limit import FiniteLimit
from symmetrics.claims.order import SameOrder
from symmetrics.claims.structure import RatioOfLinearForms, ScalingSpace, SymmetryGroup, TranslationSpace
from symmetrics.claims.values import Bounded, DefinedEverywhere, LargestAtAgreement, SmallestAtDisagreement
from symmetrics.language.cells import CELL_NAMES
from symmetrics.tools.errors import FormulaError

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
    "DefinedEverywhere",
    "FiniteLimit",
    "Identity",
    "Inequality",
    "LargestAtAgreement",
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

_CLASSES: Final = {
    family.kind: family
    for family in (
        *(Identity, Inequality, StrictInequality, AllOf, AnyOf, SameOrder, Affine),
        *(SymmetryGroup, TranslationSpace, ScalingSpace, RatioOfLinearForms),
        *(FiniteLimit, Bounded, DefinedEverywhere, LargestAtAgreement, SmallestAtDisagreement),
        *(ConstantBaseline,),
    )
}


def claim_from_dict(data: Mapping[str, Any]) -> Claim:
    """Rebuild a claim from what its ``to_dict`` returned.

    :raises FormulaError: if there is no such kind of claim, or a text in it cannot be read
    """
    if data["kind"] not in _CLASSES:
        raise FormulaError(f"there is no claim of the kind {data['kind']!r}")
    family = _CLASSES[data["kind"]]
    if "variables" in data and not issubclass(family, Comparison | FiniteLimit):
        raise FormulaError(f"a claim of the kind {family.kind!r} is about {', '.join(CELL_NAMES)}, not named variables")
    return family.from_dict(data)
