"""One module for each family of claims, and the registration of the families.

The prover, the checker and the exporter have a module of the same name each, which they find by this registration.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from symmetrics.claims.base import Claim
from symmetrics.claims.comparison import Comparison
from symmetrics.claims.families.affine import Affine
from symmetrics.claims.families.agreement import LargestAtAgreement, SmallestAtDisagreement
from symmetrics.claims.families.baselines import ConstantBaseline
from symmetrics.claims.families.combinations import AllOf, AnyOf
from symmetrics.claims.families.definedness import DefinedEverywhere
from symmetrics.claims.families.directions import ScalingSpace, TranslationSpace
from symmetrics.claims.families.equations import Identity
from symmetrics.claims.families.groups import SymmetryGroup
from symmetrics.claims.families.inequalities import Inequality, StrictInequality
from symmetrics.claims.families.limits import FiniteLimit
from symmetrics.claims.families.matrix_baselines import ConstantMatrixBaseline
from symmetrics.claims.families.matrix_definedness import DefinedAtAllMatrices
from symmetrics.claims.families.matrix_groups import MatrixSymmetryGroup
from symmetrics.claims.families.orders import SameOrder
from symmetrics.claims.families.ranges import Bounded
from symmetrics.claims.families.ratios import RatioOfLinearForms
from symmetrics.claims.one_matrix import OneMatrixFormula
from symmetrics.language.cells import CELL_NAMES
from symmetrics.tools.errors import FormulaError, UnsupportedError

__all__ = ["FAMILIES", "claim_from_dict", "family_of"]

FAMILIES: Final[dict[str, tuple[type[Any], ...]]] = {
    "affine": (Affine,),
    "agreement": (LargestAtAgreement, SmallestAtDisagreement),
    "baselines": (ConstantBaseline,),
    "combinations": (AllOf, AnyOf),
    "definedness": (DefinedEverywhere,),
    "directions": (TranslationSpace, ScalingSpace),
    "equations": (Identity,),
    "groups": (SymmetryGroup,),
    "inequalities": (Inequality, StrictInequality),
    "limits": (FiniteLimit,),
    "matrix_baselines": (ConstantMatrixBaseline,),
    "matrix_definedness": (DefinedAtAllMatrices,),
    "matrix_groups": (MatrixSymmetryGroup,),
    "orders": (SameOrder,),
    "ranges": (Bounded,),
    "ratios": (RatioOfLinearForms,),
}
"""The registration of each family: its name, which is that of its modules, with the classes of its claims."""
_OVER_VARIABLES: Final = (Comparison, FiniteLimit, OneMatrixFormula)
"""Claims that name the variables that they are about."""


def family_of(claim: Claim) -> str:
    """Return the name of the family that a claim belongs to.

    :raises UnsupportedError: if its class is not registered

    >>> from symmetrics.language.cells import TN, TP
    >>> family_of(Bounded(TP + TN, ()))
    'ranges'
    """
    for name, classes in FAMILIES.items():
        if type(claim) in classes:
            return name
    raise UnsupportedError(
        f"claims of the class {type(claim).__name__} belong to no family; enter it in symmetrics.claims.families"
    )


def claim_from_dict(data: Mapping[str, Any]) -> Claim:
    """Rebuild a claim from what its ``to_dict`` returned.

    :raises FormulaError: if there is no such kind of claim, or a text in it cannot be read
    """
    for each in (each for classes in FAMILIES.values() for each in classes):
        if each.kind == data["kind"]:
            if "variables" in data and not issubclass(each, _OVER_VARIABLES):
                raise FormulaError(
                    f"a claim of the kind {each.kind!r} is about {', '.join(CELL_NAMES)}, not named variables"
                )
            claim: Claim = each.from_dict(data)
            return claim
    raise FormulaError(f"there is no claim of the kind {data['kind']!r}")
