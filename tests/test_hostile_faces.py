"""Evidence made up for an extreme that is taken on one face only: each lie is refused for what is false in it."""

from __future__ import annotations

from typing import Final

from forging import refusal
from test_hostile import metric

from symmetrics.checker import check
from symmetrics.checker.families.agreement import _Faces
from symmetrics.claims import LargestAtAgreement
from symmetrics.prover import decide

ZERO: Final = "((TP + TN)**2 - TP**2 - 2*TP*TN - TN**2)"
"""Zero, which SymPy does not see."""


NOWHERE: Final = f"({ZERO} + 2*FN*FP)/({ZERO} + FN**2 + FP**2 + FN**3)"
"""It is 2*FN*FP/(FN**2 + FP**2 + FN**3), which comes as close to 1 as one likes, and zero over zero at FN = FP = 0."""


def claim_on(text: str, *declarations: str) -> LargestAtAgreement:
    own = metric(text, *declarations)
    return LargestAtAgreement(own.expr, own.parameters)


def test_an_extreme_where_there_is_no_value_is_not_found() -> None:
    with_weight = f"1 - (FN + FP)**2/(FN + FP + {ZERO})/(TP + w*TN + FN + FP)"
    for text, declared in ((NOWHERE, ()), (with_weight, ("w in [1, 2]",))):
        verdict = decide(claim_on(text, *declared), metric="own", property="own")
        assert verdict.status == "open"
        assert "where FN = FP = 0" in str(verdict.evidence.data["reason"])


def test_a_curve_into_a_face_has_values_for_all_parameters() -> None:
    # At w = 0 it is 1 - FN - FP*TP, but where TP = FN, as on the curve.
    text = "1 - FN - FP*(TP + w*FN/(w*FN + (FN - TP)**2))"
    for declared, reason in (("w in [0, 1]", "for some parameters the curve has no value"), ("w in (0, 1]", None)):
        proof = _Faces(claim_on(text, declared), 1, ("FN", "FP"), check)
        path = ["other_s", "other_s", "FP", "TN"]
        assert refusal(proof.check_limit, path, "1 - FP", frozenset({"TP", "FN"})) == reason
