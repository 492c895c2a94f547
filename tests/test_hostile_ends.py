"""Ends of ranges: true ones are accepted, and each kind of false path, bound, corner or proof is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

import pytest
from effort import in_one_test
from forging import FOLDER, refusal, restated
from sympy import Expr, Float, Function, I, Integer, Pow, Rational, log, nan, oo
from test_hostile import metric

from symmetrics.checker import check
from symmetrics.checker.engine import ends
from symmetrics.checker.engine.ends import check_end, check_path, check_proof, check_subject, within
from symmetrics.claims import Bounded, StrictInequality, value_symbol
from symmetrics.claims.evidence import Evidence, open_decision
from symmetrics.claims.families.definedness import DefinedEverywhere
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.witness import Counts, Witness
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text
from symmetrics.prover import decide
from symmetrics.prover.acceptance import decide_and_check

Data = dict[str, Any]
WEIGHT, CLOSED = Parameter.parse("w in (0, 1]"), Parameter.parse("w in [0, 1]")
RECALL, WEIGHTED = "TP/(TP + FN)", "w*TP/(TP + FN)"
LOWER, UPPER = ["other_s", "1", "1", "1"], ["1", "other_s", "1", "1"]


ENDS: dict[str, list[Data]] = json.loads((FOLDER.parent / "range_ends.json").read_text(encoding="utf-8"))


def proof(numerator: str, denominator: str, tree: Data, status: str = "proved", kind: str = "sign") -> Data:
    """Return the evidence that a difference is positive."""
    record = {"atoms": {}, "values": [], "numerator": numerator, "denominator": [[denominator, 1]]}
    found: Data = {"kind": kind, "rule": "difference", "pieces": [record | (tree if kind == "sign" else {})]}
    found |= {} if kind == "sign" else tree
    return {"status": status, "holds": status == "proved", "certificate": found}


POSITIVE = {"tree": {"positive": True}}
SQUARE = {"tree": {"factors": [{"factor": "1*TP + (-1)*TN", "power": 2, "sign": 1, "proof": {"square": True}}]}}
ABOVE = proof("1*TP", "1*TP + 1*FN", POSITIVE)
OUTSIDE = {
    "zero": "never",
    "examples": [],
    "tree": {"split": "w", "children": [{"factor": "w", "leaf": "outside the domain"}]},
}
BELOW_WEIGHT = proof("1*FN*w", "1*TP + 1*FN", OUTSIDE, kind="coefficients")
ABOVE_WEIGHTED = proof("1*TP*w", "1*TP + 1*FN", OUTSIDE, kind="coefficients")
RATIO = proof("1*TP**2 + (-2)*TP*TN + 1*TN**2", "1*TP**2 + 1*TN**2", SQUARE)
"""That 2*TP*TN/(TP**2 + TN**2) is at most 1, which it is where both are the same."""


def end(path: list[str], bound: str, proved: Data | None = None, *, strict: bool = True, **corner: list[str]) -> Data:
    data: Data = {"path": path, "bound": bound, **corner}
    return data if proved is None else data | {"strict": strict, "proof": proved}


def refused(name: str, text: str, data: Data, recheck: Callable[[Verdict], None] = check) -> str | None:
    """Return why an end of the range of a formula is refused, None if it is not."""
    parameters = (WEIGHT,) if "w" in text else ()
    return refusal(check_end, name, data, parse_formula(text, ["w"]), parameters, recheck)


@in_one_test
@pytest.mark.parametrize("entry", [*ENDS["true"], *ENDS["false"]])
def test_true_ends_are_accepted_and_false_ones_refused(entry: Data) -> None:
    assert refused(entry["end"], entry["formula"], entry["data"]) == entry.get("refused")


def test_a_bound_is_not_attained_where_nothing_reaches_it() -> None:
    """With a proof that is taken for good: no proof of the strict inequality is true at a table that attains it."""
    data = end(["1"] * 4, "1", RATIO)
    found = refused("upper", "2*TP*TN/(TP**2 + TN**2)", data, lambda part: None)
    assert found == "a bound is attained and not attained"


def test_a_bound_holds_parameters_and_no_cells() -> None:
    subject = parse_formula(WEIGHTED, ["w"])
    assert refusal(within, StrictInequality, subject, (WEIGHT,), "w", 1) is None
    assert (
        refusal(within, StrictInequality, subject, (WEIGHT,), "TP", 1)
        == "the bound depends on more than the parameters"
    )


def test_a_formula_without_a_value_at_a_corner_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ends, "obstacles_of", lambda formula: [("logarithm", parse_formula("1 + 1/FN"))])
    data = end(LOWER, "0", ABOVE_WEIGHTED, corner=["0", "0", "1", "1"])
    assert refused("lower", WEIGHTED, data) == "the formula has no value at a table with zero cells"


def test_a_symbol_is_declared() -> None:
    subject = parse_formula(WEIGHTED, ["w"])
    assert refusal(check_subject, subject, (WEIGHT,)) is None
    assert refusal(check_subject, subject, ()) == "the formula has a symbol that is not declared"
    verdict = Verdict.of(open_decision("not found"), Bounded(subject, ()), metric="own", property="own")
    assert refusal(check, verdict) == "the formula has a symbol that is not declared"
    verdict = Verdict.of(open_decision("not found"), Bounded(subject, (WEIGHT,)), metric="own", property="own")
    assert refusal(check, verdict) is None


def test_a_part_has_the_status_that_is_needed() -> None:
    claim = within(StrictInequality, parse_formula(RECALL), (), "0", -1)
    assert refusal(check_proof, ABOVE, claim, check) is None
    assert refusal(check_proof, ABOVE, claim, check, "refuted") == "a part is not refuted"
    assert refusal(check_path, ["1", "1", "1", "TP"]) == "a curve depends on more than its step"
    assert dict(zip(CELLS, check_path(["1", "2", "1", "other_s"]), strict=True))[CELLS[1]] == 2


NARROW = "w*FN/(w*TP + (FN - FP)**2)"
"""Unbounded near FN = FP and TP = 0 if w is positive, and zero if w is zero, where it divides by zero on that curve."""
INTO = ["other_s", "1", "1", "1"]


def test_a_curve_has_values_for_all_parameters() -> None:
    for text, data in ((NARROW, end(INTO, "oo")), (f"{NARROW}*TP/FN", end(INTO, "1"))):
        reason = refusal(check_end, "upper", data, parse_formula(text, ["w"]), (CLOSED,), check)
        assert reason == "for some parameters the curve has no value"
    for number in ("pi", "sqrt(2)", "2"):  # at w = pi, say, it is zero, and so is what it divides by on the curve
        subject = parse_formula(f"{NARROW}*TP/FN".replace("w", f"(w - {number})**2"), ["w"])
        reason = refusal(check_end, "upper", end(INTO, "1"), subject, (Parameter("w", 0, 4),), check)
        assert reason == "for some parameters the curve has no value", number
    assert refusal(check_end, "upper", end(INTO, "oo"), parse_formula(NARROW, ["w"]), (WEIGHT,), check) is None
    for text in ("1/(w*TP)", "1/(w*TP + (w + 1)*FN)", "sqrt(w*TP + FN)/TP"):
        whole = end(["other_s", "other_s", "1", "1"], "oo")
        assert (
            refusal(
                check_end, "upper", whole, parse_formula(text, ["w"]), (CLOSED if "sqrt" in text else WEIGHT,), check
            )
            is None
        )


def test_a_formula_is_not_said_to_be_unbounded_where_the_curve_has_no_value() -> None:
    for text in (NARROW, "w*FN/(w*TP + Abs(FN - FP))", "w*FN/(w*TP + Max(FN - FP, 0))"):
        for parameter, status in ((CLOSED, "open"), (WEIGHT, "refuted")):
            claim = Bounded(parse_formula(text, ["w"]), (parameter,))
            assert decide_and_check(claim, metric="own", property="range").status == status


# Evidence made up for where a formula has a value: each kind of lie is refused for what is false in it.

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


WITH_WEIGHT: Final = ("w*TP/(TP + FN)", "w in [0, 1] = 1/2")


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
            at(found(*WITH_WEIGHT), (0, 0, 0, 1), parameters={"v": Rational(1, 2)}),
        ],
        "a parameter is outside its domain": [at(found(*WITH_WEIGHT), (0, 0, 0, 1), parameters={"w": Integer(2)})],
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
    check(found(*WITH_WEIGHT))


@pytest.mark.parametrize("own", [I * CELLS[0], Function("f")(CELLS[0]), Float(0.5) * CELLS[0], CELLS[0] + oo, nan])
def test_a_claim_is_about_a_formula(own: Expr):
    proof = Evidence("domain", {"faces": {}, "poles": [], "proofs": {}})
    verdict = Verdict("own", "own", DefinedEverywhere(own, ()), "proved", True, proof)
    assert str(refusal(check, verdict)).endswith(", which is no formula")
