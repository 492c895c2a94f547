"""Evidence made up for an extreme that is taken on one face only: each lie is refused for what is false in it."""

from __future__ import annotations

import itertools
from typing import Any, Final
from unittest.mock import patch

import pytest
from effort import in_one_test
from forging import refusal
from sympy import S
from test_hostile_agreement import (
    ACCURACY,
    REAL_SOMEWHERE,
    WEIGHT,
    along,
    claim_on,
    curve,
    faces,
    proved,
    refuted,
)

from symmetrics.checker import check
from symmetrics.checker.families.agreement import _Faces
from symmetrics.claims import StrictInequality, value_symbol
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import formula_text, parse_formula
from symmetrics.prover import decide

JACCARD: Final = "TP/(TP + FN + FP)"
ZERO: Final = "((TP + TN)**2 - TP**2 - 2*TP*TN - TN**2)"
"""Zero, which SymPy does not see."""


def below_one(text: str) -> dict[str, Any]:
    """Return why a formula is below 1 at positive cells."""
    claim = StrictInequality(parse_formula(text), (), (CELLS,), relation=1 - value_symbol(0))
    decision = decide(claim, metric="own", property="own").decision
    assert decision.status == "proved"
    return decision.record()


def polynomial(text: str, **others: dict[str, Any]) -> Verdict:
    """Return that a polynomial is 1 where FN = FP = 0 and smaller elsewhere, with other entries for some faces."""
    whole = parse_formula(text)
    entries: dict[str, Any] = {}
    for size in (1, 2, 3):
        for zeros in itertools.combinations(CELLS, size):
            limit = formula_text(whole.xreplace(dict.fromkeys(zeros, S.Zero)))
            cells = ", ".join("s" if cell in zeros else cell.name for cell in CELLS)
            name = " ".join(cell.name for cell in zeros)
            entries[name] = along(cells, limit)
            if {"FN", "FP"}.isdisjoint(name.split()):
                entries[name]["proof"] = below_one(limit)
    entries |= {name.replace("_", " "): entry for name, entry in others.items()}
    return proved(claim_on(text), {"extreme": "1", "inside": below_one(text), "faces": entries})


LINE, CURVED, HIDDEN = "1 - FN - FP", "1 - (FN - FP)**2 - FN**3", f"({ZERO} + FN**2)/({ZERO} + FN + 2*FN**2)"
THIRD: Final = "s, s, s, TN"
NOWHERE: Final = f"({ZERO} + 2*FN*FP)/({ZERO} + FN**2 + FP**2 + FN**3)"
"""It is 2*FN*FP/(FN**2 + FP**2 + FN**3), which comes as close to 1 as one likes, and zero over zero at FN = FP = 0."""


def faces_without_value(text: str) -> dict[str, Any]:
    """Return evidence as of a prover that does not ask whether the formula has a value where it is largest."""
    with patch("symmetrics.prover.families.agreement.has_value", return_value=True):
        return faces(text)


def lie(text: str, **others: Any) -> Verdict:
    return proved(claim_on(text), faces(text, **others))


def on_face(name: str, record: Any, text: str = LINE) -> Verdict:
    return lie(text, faces={name: record})


def two(first: str, second: str, *limits: str) -> dict[str, Any]:
    return {"paths": [curve(first), curve(second)], "limits": list(limits)}


def without(entries: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: entry for key, entry in entries.items() if key != name}


def false_proofs() -> dict[str, list[Verdict]]:
    return {
        "the extreme value varies": [lie("1 - FN - FP", extreme="TP")],
        "the limit is not shown to be 2": [lie(LINE, extreme="2"), on_face("FN FP", along("TP, s, s, TN", "2"))],
        "a part is not proved": [
            lie(LINE, inside=faces(LINE)["inside"] | {"status": "refuted", "holds": False}),
            on_face(
                "TP",
                faces(CURVED)["faces"]["TP"] | {"proof": {**below_one(LINE), "status": "refuted", "holds": False}},
                CURVED,
            ),
        ],
        REAL_SOMEWHERE: [proved(claim_on("1 - FN - FP - w*sqrt(TP - FN)", WEIGHT), faces(LINE))],
        "the formula is not shown to have a value where the claim has the extreme": [
            proved(claim_on(NOWHERE), faces_without_value(NOWHERE)),
            proved(claim_on("1 - FN - FP - sqrt(FN - TP - TN)"), faces(LINE)),
        ],
        "a divisor is zero on another face": [
            # Its limit on a face may be one along curves at which it is not real.
            proved(claim_on("1 - FN - FP - sqrt(TP - FN)*FN*FP/(FN + FP)"), faces(LINE)),
        ],
        "something may be in the way on another face": [
            # At w = 1/2 it is 1 - (FN + FP)**2/(FN - FP)**4.
            proved(
                claim_on(text := "1 - (FN + FP)**2/(w - 1/2 + (FN - FP)**2)**2", "w in [1/2, 1]"),
                faces(text, "w in (1/2, 1]"),
            ),
        ],
        "a face is missing": [
            proved(
                claim_on(LINE), faces(LINE) | {"faces": {k: v for k, v in faces(LINE)["faces"].items() if k != "FN"}}
            ),
            on_face("FP FN", along("TP, s, s, TN", "1")),
        ],
        "a limit is the extreme": [polynomial("1 - FP - FN*FP")],
        "the limit is not shown to be 1 - FN": [
            polynomial("1 - FP - FN*FP", FP=along("TP, FN, s, TN", "1 - FN"), FP_TN=along("TP, FN, s, s", "1 - FN")),
        ],
        "the limit is not shown to be -FP": [on_face("FN", along("TP, s, FP, TN", "-FP"))],
        "a limit where the claim has the extreme is another value": [on_face("TP FN FP", along(THIRD, "1/3"), JACCARD)],
        "the limit is not shown to be 2/3": [
            on_face("TP FN FP", two(THIRD, "2*s, s, s, TN", "2/3", "1/2"), JACCARD),
            on_face("TP FN FP", two(THIRD, "2*s, s, s, TN", "1/3", "2/3"), JACCARD),
        ],
        "two limits at one table are not shown to differ": [
            on_face("TP FN FP", two(THIRD, "2*s, 2*s, 2*s, TN", "1/3", "1/3"), JACCARD),
        ],
        "a curve has four cells": [
            on_face("FN", along("TP, s, FP", "1 - FP")),
            on_face("FN", along("TP, s, FP, TN, TN", "1 - FP")),
        ],
        "a cell of a curve does not tend to zero": [
            polynomial("1 - FP - FN*FP", FP=along("TP, FN, 1, TN", "-FN")),
            *(
                on_face("FN", along(f"TP, {cell}, FP, TN", limit))
                for cell, limit in (
                    ("1", "-FP"),
                    ("TP", "1 - TP - FP"),
                    ("s**(-1)", "-oo"),
                    ("-s", "1 - FP"),
                    ("1 + s", "-FP"),
                    ("s - s**2", "1 - FP"),
                )
            ),
        ],
        "a curve does not end at every table of the face": [
            polynomial(
                "1 - FN - FP*(FP - TN)**2",
                FN=along("TP, s, FP, 2*FP", "1 - FP**3"),
                TP_FN=along("s, s, FP, 2*FP", "1 - FP**3"),
            ),
            on_face("FN", along("TP, s, 1, TN", "0")),
            on_face("FN", along("TP, s, TN, TN", "1 - TN")),
            on_face("FN", along("TP, s, FP + s, TN", "1 - FP")),
        ],
    }


def test_a_false_proof_over_the_faces_is_refused() -> None:
    for message, verdicts in false_proofs().items():
        for verdict in verdicts:
            assert refusal(check, verdict) == message


@in_one_test
@pytest.mark.parametrize("text", [LINE, JACCARD, ACCURACY, CURVED])
def test_true_proofs_over_the_faces_are_accepted(text: str) -> None:
    check(lie(text))


def exceeded(text: str, declaration: str, face: str, extreme: str = "1") -> Verdict:
    return refuted(claim_on(text, declaration), "exceeded", {"extreme": extreme, "face": face})


def faces_that_exceed_nothing() -> dict[str, list[Verdict]]:
    return {
        # It is 1 - FN - FP + w*FP*FN/(1 + 2*FN), and 1 - FP + w*FP where equal factors cancel that are zero.
        "a divisor is zero on another face": [exceeded(f"1 - FN - FP + w*FP*{HIDDEN}", "w in [1, 3/2]", "FN")],
        "something may be in the way on another face": [
            exceeded("1 - FN + FN*FP/((2*w - 1)*TP)", "w in [0, 1]", "FN"),
        ],
        "the limit is not shown to be 0": [exceeded("1 - FN - FP/(1 + w*FP)", "w in [1, 2]", "FN", "0")],
        "a part is not refuted": [
            refuted(
                claim_on("1 - FN - w*FP", "w in [1, 2]"),
                "exceeded",
                {"extreme": "1", "face": "FN", "proof": below_one("1 - FN - FP")},
            ),
        ],
        "this is no other face": [
            exceeded("1 - FN - w*FP", "w in [1, 2]", "FN FP"),
            exceeded("1 - FN - w*FP", "w in [1, 2]", "TP FN FP"),
            exceeded("1 - FN - w*FP", "w in [1, 2]", "TP FN FP TN"),
            exceeded("1 - FN - w*FP", "w in [1, 2]", "w"),
        ],
        "the values are not shown to reach the extreme": [exceeded("1 - FN - w*FP", "w in [1, 2]", "FN")],
    }


def test_another_face_that_does_not_reach_the_extreme_is_no_counterexample() -> None:
    for message, verdicts in faces_that_exceed_nothing().items():
        for verdict in verdicts:
            assert refusal(check, verdict) == message


def test_another_face_that_reaches_the_extreme_is_one() -> None:
    check(exceeded("1 - FN + w*FP", "w in [1, 2]", "FN"))


def test_an_extreme_where_there_is_no_value_is_not_found() -> None:
    with_weight = f"1 - (FN + FP)**2/(FN + FP + {ZERO})/(TP + w*TN + FN + FP)"
    for text, declared in ((NOWHERE, ()), (with_weight, ("w in [1, 2]",))):
        verdict = decide(claim_on(text, *declared), metric="own", property="own")
        assert verdict.status == "open"
        assert "where FN = FP = 0" in str(verdict.evidence.data["reason"])


def test_a_curve_into_a_face_has_values_for_all_parameters() -> None:
    # At w = 0 it is 1 - FN - FP*TP, but where TP = FN, as on the curve.
    text = "1 - FN - FP*(TP + w*FN/(w*FN + (FN - TP)**2))"
    for declared, reason in ((WEIGHT, "for some parameters the curve has no value"), ("w in (0, 1]", None)):
        proof = _Faces(claim_on(text, declared), 1, ("FN", "FP"), check)
        assert refusal(proof.check_limit, curve("s, s, FP, TN"), "1 - FP", frozenset({"TP", "FN"})) == reason
