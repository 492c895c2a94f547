"""The classes of claims, and the registration of their families.

The prover, the checker and the exporter have one module for each family, which they find by this registration.  A
family may have two classes: one for formulas over the four cells, one for formulas over a matrix of any size.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from symmetrics.claims.base import Claim
from symmetrics.claims.comparison import Comparison
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
    Identity,
    Inequality,
    RatioOfLinearForms,
    SameOrder,
    StrictInequality,
)
from symmetrics.claims.one_formula import OneMatrixFormula
from symmetrics.language.names import CELL_NAMES
from symmetrics.tools.errors import FormulaError, UnsupportedError

__all__ = ["FAMILIES", "claim_from_dict"]


class Registration(dict[type[Any], str]):
    """The family of each class of claims by name; an unregistered class is an error."""

    def __missing__(self, each: type[Any]) -> str:
        raise UnsupportedError(
            f"claims of the class {each.__name__} belong to no family; enter it in symmetrics.claims.families"
        )


FAMILIES: Final = Registration(
    {
        Affine: "affine",
        LargestAtAgreement: "agreement",
        SmallestAtDisagreement: "agreement",
        ConstantBaseline: "baselines",
        AllOf: "combinations",
        AnyOf: "combinations",
        DefinedEverywhere: "definedness",
        TranslationSpace: "directions",
        ScalingSpace: "directions",
        Identity: "equations",
        SymmetryGroup: "groups",
        Inequality: "inequalities",
        StrictInequality: "inequalities",
        FiniteLimit: "limits",
        ConstantMatrixBaseline: "baselines",
        DefinedAtAllMatrices: "definedness",
        MatrixSymmetryGroup: "groups",
        SameOrder: "orders",
        Bounded: "ranges",
        RatioOfLinearForms: "ratios",
    }
)
"""The family of each class of claims: the name of its modules in the prover, the checker and the exporter."""
_OVER_VARIABLES: Final = (Comparison, FiniteLimit, OneMatrixFormula)
"""Claims that list the names of their variables."""


def claim_from_dict(data: Mapping[str, Any]) -> Claim:
    """Rebuild a claim from its ``to_dict``.

    :raises FormulaError: if there is no such kind of claim, or a text in it cannot be read
    """
    for each in FAMILIES:
        if each.kind == data["kind"]:
            if "variables" in data and not issubclass(each, _OVER_VARIABLES):
                raise FormulaError(
                    f"a claim of the kind {each.kind!r} is about {', '.join(CELL_NAMES)}, not named variables"
                )
            claim: Claim = each.from_dict(data)
            return claim
    raise FormulaError(f"there is no claim of the kind {data['kind']!r}")
