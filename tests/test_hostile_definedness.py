"""Evidence made up for where a formula has a value: each kind of lie is refused for what is false in it."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

import pytest
from effort import in_one_test
from forging import refusal, restated
from sympy import Expr, Float, Function, I, Integer, Pow, Rational, log, nan, oo
from test_hostile import metric

from symmetrics.checker import check
from symmetrics.claims import StrictInequality, value_symbol
from symmetrics.claims.evidence import Evidence, open_decision
from symmetrics.claims.families.definedness import DefinedEverywhere
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.witness import Counts, Witness
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.writer import formula_text
from symmetrics.prover import decide

RECALL: Final = "TP/(TP + FN)"
FORM, SQUARE = "TP**2 - TP*FN + FN**2", "TP**2 - 2*TP*FN + FN**2"
SERIES: Final = " ".join(f"{'-+'[k % 2 == 0]} TP**{k}/{k}" for k in range(1, 8))
"""The logarithm of 1 + TP by its first seven terms, with other signs."""
FREE: Final = "something may be in the way on another face"


@cache
def found(text: str, *declarations: str) -> Verdict:
    """Return what the prover says."""
    own = metric(text, *declarations)
    return decide(DefinedEverywhere(own.expr, own.parameters), metric="own", property="own")


def stated(
    text: str,
    *declarations: str,
    faces: Mapping[str, str] | None = None,
    poles: list[list[str]] | None = None,
    proofs: Mapping[str, Any] | None = None,
) -> Verdict:
    """Return that a formula is undefined on some faces, or nowhere, by evidence made by hand."""
    data = {"faces": dict(faces or {}), "poles": poles or [], "proofs": dict(proofs or {})}
    genuine = found(text, *declarations)
    if not faces and not poles:
        return Verdict("own", "own", genuine.claim, "proved", True, Evidence("domain", data))
    witness = Witness((Counts(1, 1, 1, 1),), ())
    return Verdict("own", "own", genuine.claim, "refuted", False, Evidence("domain", data), witness=witness)


def at(verdict: Verdict, *tables: tuple[int, int, int, int], **others: Any) -> Verdict:
    """Return a verdict with another counterexample."""
    witness = verdict.witness
    assert witness is not None
    return replace(verdict, witness=replace(witness, tables=tuple(Counts(*table) for table in tables), **others))


def proofs(text: str) -> dict[str, Any]:
    """Return why forms in the cells have a sign, as it stands in evidence."""
    return copy.deepcopy(dict(found(text).evidence.data["proofs"]))


def negative(text: str) -> dict[str, Any]:
    """Return why what a root or a logarithm is taken of is negative."""
    (node,) = found(text).claim.subject.atoms(Pow, log) - {Pow(cell, 2) for cell in CELLS}
    claim = StrictInequality(node.args[0], (), (CELLS,), relation=-value_symbol(0))
    record = decide(claim, metric="own", property="own").decision.record()
    return {formula_text(node.args[0]): {"strict": True, "sign": -1, "proof": record}}


def unproved(text: str) -> dict[str, Any]:
    """Return the same, by proofs that say the opposite of themselves."""
    known = proofs(text)
    for entry in known.values():
        entry["proof"] |= {"status": "refuted", "holds": False}
    return known


def false_proofs() -> dict[str, list[Verdict]]:
    return {
        "a verdict 'proved' cannot rest on evidence of kind 'tables'": [
            replace(found("TP"), evidence=Evidence("tables")),
        ],
        "the formula has a symbol that is not declared": [
            replace(found("TP"), claim=DefinedEverywhere(parse_formula("1/w", ["w"]), ())),
        ],
        "the formula is said to be undefined somewhere": [
            replace(found(RECALL), status="proved", holds=True),
            replace(found("1/(TP - FN)"), status="proved", holds=True),
        ],
        "its parts disagree": [
            restated(found("TP"), "undefined everywhere"),
            replace(found("TP"), witness=found(RECALL).witness),
            replace(found("TP"), holds=False),
            replace(found(RECALL), holds=True),
            restated(replace(found("TP"), decision=open_decision("no reason")), "undefined everywhere"),
            replace(found("TP"), decision=open_decision("no reason", found(RECALL).witness)),
        ],
        "a divisor is zero on another face": [
            stated(RECALL),
            stated("TP + 1/(log(8) - 3*log(2))"),
        ],
        FREE: [
            stated("1/(TP - FN)"),
            stated("sqrt(TP - FN)"),
            stated("log(TP - FN)"),
            stated("log(TP + FN/2 - TN)"),
            stated("TP + 1/(2*w - 1)", "w in [0, 1]"),
            stated("TP + FN/(sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2))"),
        ],
        "a proof is of the wrong sign": [
            stated(text := f"log(-({FORM}))", proofs=negative(text)),
            stated(text := f"sqrt(-({FORM}))", proofs=negative(text)),
        ],
        "a proof is not strict": [
            stated(f"1/({SQUARE})", proofs=proofs(f"sqrt({SQUARE})")),
            stated(f"log({SQUARE})", proofs=proofs(f"sqrt({SQUARE})")),
        ],
        "a part is not proved": [stated(f"1/({FORM})", proofs=unproved(f"1/({FORM})"))],
    }


def test_a_formula_that_may_have_no_value_somewhere_is_not_defined_everywhere() -> None:
    for message, verdicts in false_proofs().items():
        for verdict in verdicts:
            assert refusal(check, verdict) == message


def false_faces() -> dict[str, list[Verdict]]:
    return {
        "a face has another name": [
            stated(RECALL, faces={"FN TP": "no limit"}),
            stated(RECALL, faces={"TP FN FP TN": "no limit"}),
            stated(RECALL, faces={"TP FN": "no limit", "TP TP": "no limit"}),
        ],
        "a condition is about something that the formula does not hold": [
            stated(RECALL, faces={"TP FN": "no limit"}, poles=[["divisor", "TP - FN"]]),
            stated(RECALL, faces={"TP FN": "no limit"}, poles=[["radicand", "FN + TP"]]),
        ],
        "a face is listed twice": [
            stated(RECALL, faces={"TP FN": "no limit", "TP FN TN": "no limit"}),
        ],
        "nothing is in the way": [
            stated(RECALL, faces={"TP": "0"}),
            stated("log(TP - FN)", faces={"FN": "not decided"}, poles=[["logarithm", "-FN + TP"]]),
            stated("sqrt(-FN)", faces={"TP": "not decided"}, poles=[["radicand", "-FN"]]),
            stated("TP + FN", faces={"": "not decided"}),
        ],
        "the formula is undefined on another face": [
            stated("1/(1 + FP/TN)", poles=[["divisor", "TN"]]),
        ],
        "a limit depends on the direction": [stated(RECALL, faces={"TP FN": "TP/(FN + TP)"})],
        "the limit is not shown to be 1/2": [stated(RECALL, faces={"TP FN": "1/2"})],
        "the limit is finite": [stated(RECALL, faces={"TP FN": "oo"})],
        "the limit is not of this sign": [stated("1/(TP + FN)", faces={"TP FN": "-oo"})],
        "two limits at one table are not shown to differ": [
            stated("TP*FN/(TP + FN)", faces={"TP FN": "no limit"}),
            stated("log(-FN)", faces={"": "no limit"}),
        ],
        "a limit is infinite": [stated("1/(TP + FN)", faces={"TP FN": "no limit"})],
        "for some parameters the curve has no value": [
            # At w = 0 it is zero, but on the lines TP = FN and TP = 2*FN.
            stated(
                "w*FN/(w*TP + (FN - TP)*(TP - 2*FN))",
                "w in [0, 1]",
                faces={"TP FN": "no limit"},
                poles=[["divisor", "TP*w + (-2*FN + TP)*(FN - TP)"]],
            ),
        ],
        "a limit is not a rational number": [
            stated("sqrt(2) + TP*FN/(TP + FN)", faces={"TP FN": "no limit"}),
            stated("w + TP*FN/(TP + FN)", "w in [0, 1]", faces={"TP FN": "no limit"}),
        ],
        "the expansion is too short to show the limit": [
            stated(f"(log(1 + TP) {SERIES})/TP**8", faces={"TP": "no limit"}),
        ],
    }


def test_a_face_is_not_one_without_values_and_tends_to_nothing_else() -> None:
    for message, verdicts in false_faces().items():
        for verdict in verdicts:
            assert refusal(check, verdict) == message


WEIGHTED: Final = ("w*TP/(TP + FN)", "w in [0, 1] = 1/2")


def false_witnesses() -> dict[str, list[Verdict]]:
    return {
        "the conditions are others": [
            restated(found(RECALL), "undefined where TP = FN = 0 (1 along straight lines)"),
            restated(found(RECALL), None),
        ],
        "one table is needed": [
            replace(found(RECALL), witness=None),
            at(found(RECALL), (0, 0, 0, 1), (0, 0, 0, 2)),
            at(found(RECALL)),
        ],
        "a table without a value has one": [at(found(RECALL), (0, 0, 0, 1), values=(Integer(0),))],
        "the counterexample has other parameters": [
            at(found(*WEIGHTED), (0, 0, 0, 1), parameters={"v": Rational(1, 2)}),
        ],
        "a parameter is outside its domain": [at(found(*WEIGHTED), (0, 0, 0, 1), parameters={"w": Integer(2)})],
        "the table is not in the domain": [
            at(found(RECALL), (0, 0, 0, 0)),
            at(found(RECALL), (1, -1, 0, 0)),
        ],
        "the formula has a value at the table": [
            at(found(RECALL), (1, 0, 0, 0)),
            at(found("sqrt(TP - FN)"), (1, 1, 0, 0)),
            at(found("log(TP - FN)"), (2, 1, 0, 0)),
            at(found("1/(TP - FN)"), (1, 2, 0, 0)),
            restated(
                stated("TP + 1/(2*w - 1)", "w in [0, 1]", poles=[["divisor", "2*w - 1"]]),
                "undefined where 2*w - 1 = 0",
            ),
        ],
    }


def test_a_table_at_which_the_formula_has_a_value_is_no_counterexample() -> None:
    for message, verdicts in false_witnesses().items():
        for verdict in verdicts:
            assert refusal(check, verdict) == message


TRUE: Final = (
    RECALL,
    "1/(TP - FN)",
    "sqrt(TP - FN)",
    "log(TP - FN)",
    "1/(1 + FP/TN)",
    "TP*FN/(TP + FN)",
    f"1/({FORM})",
    f"1/(-({FORM}))",
    f"sqrt({SQUARE})",
    "TP/log(2) + sqrt(1 + sqrt(2))/pi",
)


@in_one_test
@pytest.mark.parametrize("text", TRUE)
def test_what_is_true_is_accepted(text: str) -> None:
    verdict = found(text)
    assert verdict.status in ("proved", "refuted")
    check(verdict)
    check(found(*WEIGHTED))


@pytest.mark.parametrize("own", [I * CELLS[0], Function("f")(CELLS[0]), Float(0.5) * CELLS[0], CELLS[0] + oo, nan])
def test_a_claim_is_about_a_formula(own: Expr):
    proof = Evidence("domain", {"faces": {}, "poles": [], "proofs": {}})
    verdict = Verdict("own", "own", DefinedEverywhere(own, ()), "proved", True, proof)
    assert str(refusal(check, verdict)).endswith(", which is no formula")
