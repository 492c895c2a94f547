"""Verdicts on limits and ranges: true ones are accepted, and each kind of false one is refused for its reason."""

from __future__ import annotations

from typing import Any

import pytest
from effort import in_one_test
from forging import answered, part, refusal
from sympy import S, Symbol

from symmetrics.checker import check
from symmetrics.claims import Claim
from symmetrics.claims.evidence import Evidence
from symmetrics.claims.families.limits import STEP, FiniteLimit
from symmetrics.claims.families.ranges import Bounded
from symmetrics.claims.values import Range
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.witness import Counts, Witness
from symmetrics.language.cells import FN, FP, TN, TP
from symmetrics.language.condition import parse_condition
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter

Data = dict[str, Any]
PROVED: Data = {"status": "proved", "holds": True}
REFUTED: Data = {"status": "refuted", "holds": False}
NO_FP = (TP, FN, STEP, TN)
"""The curve on which FP tends to zero."""
W = "w in [0, 1]"
POLE: Data = {"coefficient": "TP", "exponent": "-1", "logarithms": "0"}


def verdict(claim: Claim, kind: str, data: Data, **answer: Any) -> Verdict:
    if "condition" in answer:
        answer["condition"] = parse_condition(answer["condition"], [p.name for p in claim.parameters])
    return Verdict("own", "own", claim, evidence=Evidence(kind, data), **answered(claim, kind, answer))


def parsed(text: str, declarations: tuple[str, ...]) -> tuple[Any, tuple[Parameter, ...]]:
    parameters = tuple(map(Parameter.parse, declarations))
    return parse_formula(text, [parameter.name for parameter in parameters]), parameters


def along(text: str, *declarations: str, path: Any = NO_FP) -> FiniteLimit:
    return FiniteLimit(*parsed(text, declarations), path)


def limit(claim: Claim, value: str | None, **answer: Any) -> Verdict:
    return verdict(claim, "limit", {}, **(PROVED | {"value": value} | answer))


def divergence(claim: Claim, value: str | None, **changes: Any) -> Verdict:
    data, answer = ({k: v for k, v in changes.items() if (k in POLE) is inside} for inside in (True, False))
    return verdict(claim, "divergence", POLE | data, **(REFUTED | {"value": value} | answer))


def at_a_table(claim: Claim, table: Data, **changes: Any) -> Verdict:
    data, answer = ({k: v for k, v in changes.items() if (k in POLE) is inside} for inside in (True, False))
    return verdict(claim, "divergence at a table", POLE | {"table": table} | data, **(REFUTED | answer))


def opened(claim: Claim, value: str | None = None) -> Verdict:
    return verdict(claim, "open", {"reason": ""}, status="open", holds=None, value=value)


def by_cases(claim: Claim, pieces: Data, **answer: Any) -> Verdict:
    return verdict(claim, "cases", {"tree": {"parameter": "w", "pieces": pieces}}, **answer)


def leaf(kind: str, data: Data, **answer: Any) -> Data:
    family = Bounded if kind == "range" else FiniteLimit
    return {"proof": part(family, answer) | {"certificate": {"kind": kind, **data}}}


# -- limits ----------------------------------------------------------------------------------------------------------

TPR, TO_FP, DIFFERENCE = along("TP/(TP + FN + FP)"), along("TP/FP"), along("(TP - FN)/FP")
WEIGHTED = along("w*TP/FP", W)
SOME_W = {
    "0": leaf("limit", {}, **PROVED, value="0"),
    "(0, 1]": leaf("divergence", POLE | {"coefficient": "w*TP"}, **REFUTED, value="oo"),
}
IF_ZERO: Data = {"status": "conditional", "holds": None, "condition": "w = 0", "value": "0 if w = 0; oo if w != 0"}
UNDECLARED = FiniteLimit(Symbol("w", real=True) * TP, (), NO_FP)
ASTRAY = FiniteLimit(TP * FP, (), (TP, FN, STEP, TN * Symbol("w", real=True)))

TRUE = {
    "a limit": limit(TPR, "TP/(TP + FN)"),
    "a limit with a parameter": limit(along("w*TP + FP", W), "w*TP"),
    "an infinite limit": divergence(TO_FP, "oo"),
    "one of the other sign": divergence(along("-TP/FP"), "-oo", coefficient="-TP"),
    "one that is infinite at a table": at_a_table(DIFFERENCE, {"TP": "2", "FN": "1/2"}, coefficient="3/2"),
    "one over a positive parameter": divergence(along("TP/(w*FP)", "w in (0, 1]"), "oo", coefficient="TP/w"),
    "one over a negative parameter": divergence(along("TP/(w*FP)", "w in (-oo, 0)"), "-oo", coefficient="TP/w"),
    "one for some parameters": by_cases(WEIGHTED, SOME_W, **IF_ZERO),
    "what is open": opened(TPR),
}

FALSE = {
    "a verdict 'proved' cannot rest on evidence of kind 'divergence'": divergence(TO_FP, "oo", **PROVED),
    "its parts disagree": limit(TPR, "TP/(TP + FN)", holds=None),
    "its parts disagree ": opened(TPR, value="0"),
    "its parts disagree  ": divergence(TO_FP, "oo", witness=Witness((Counts(1, 1, 1, 1),), (S.One,))),
    "its parts disagree     ": limit(along("w*TP + FP", W), "w*TP", condition="w = 0"),
    "the condition is another one": by_cases(WEIGHTED, SOME_W, **(IF_ZERO | {"condition": "w = 1"})),
    "the formula has a symbol that is not declared": opened(UNDECLARED),
    "the curve has a symbol that is not declared": opened(ASTRAY),
    "a variable or a parameter has the name of another one": opened(along("w*TP", W, "w in [1, 2]")),
    "the limit is missing": limit(TPR, None),
    "the limit is not shown to be TP": limit(TPR, "TP"),
    "the limit is infinite": limit(TO_FP, "TP"),
    "the limit is infinite ": limit(TO_FP, "oo"),
    "the limit is infinite  ": limit(along("-TP/FP"), "-oo"),
    "one table does not settle every parameter": at_a_table(along("TP/FP", W), {}),
    "the limit is finite": divergence(TPR, "oo", coefficient="TP/(TP + FN)", exponent="0"),
    "the limit is finite ": divergence(along("TP*FP"), "oo", exponent="1"),
    "the limit is finite  ": divergence(along("TP - TP"), "oo", exponent="0", coefficient="0"),
    "the leading term has another order": divergence(TO_FP, "oo", exponent="-2"),
    "the leading term has another order ": divergence(TO_FP, "oo", logarithms="1"),
    "the leading coefficient is another one": divergence(TO_FP, "oo", coefficient="FN"),
    # Which infinity it is depends on the table, or on the parameter; at w = 1/2 it is none.
    "the sign of the leading coefficient is not shown": divergence(DIFFERENCE, "-oo", coefficient="TP - FN"),
    "the sign of the leading coefficient is not shown ": divergence(
        along("(2*w - 1)*TP/FP", W), "-oo", coefficient="(2*w - 1)*TP"
    ),
    "the sign of the leading coefficient is not shown  ": divergence(WEIGHTED, "-oo", coefficient="w*TP"),
    **{
        "the sign of the leading coefficient is not shown" + " " * place: divergence(
            along("TP/(w*FP)", f"w in {domain}"), "oo", coefficient="TP/w"
        )
        for place, domain in enumerate(("[-1, 1]", "[0, 1]"), 3)
    },
    "the infinite limit has another sign": divergence(TO_FP, "-oo"),
    "the infinite limit has another sign  ": divergence(along("TP/(w*FP)", "w in (-oo, 0)"), "oo", coefficient="TP/w"),
    "the infinite limit has another sign ": at_a_table(DIFFERENCE, {"TP": "2", "FN": "1"}, coefficient="1", value="oo"),
    "the table has a cell of another name": at_a_table(TO_FP, {"tp": "2"}),
    # At positive tables it is finite.
    "a count is not positive": at_a_table(along("1/(FP + TP + FN)"), {"TP": "1", "FN": "-1"}, coefficient="1"),
    "a count is not positive ": at_a_table(along("1/(FP + TP)"), {"TP": "0"}, coefficient="1"),
}


# -- ranges ----------------------------------------------------------------------------------------------------------


def proof_that(numerator: str, denominator: str = "", *zeros: int, value: str) -> Data:
    """Return why a formula does not reach a bound, and a table with zero cells at which it does."""
    piece = {"atoms": {}, "values": [], "numerator": numerator, "tree": {"positive": True}}
    piece["denominator"] = [[denominator, 1]] if denominator else []
    table = dict(zip(("tp", "fn", "fp", "tn"), zeros, strict=True))
    boundary = {"tables": [table], "values": [value], "parameters": {}}
    certificate = {"kind": "sign", "rule": "difference", "pieces": [piece], "boundary": boundary}
    return PROVED | {"certificate": certificate}


def end(bound: str, *path: str, **more: Any) -> Data:
    return {"bound": bound, "path": list(path)} | more


STEP_NAME = STEP.name
RATE, FALL = Bounded(*parsed("TP/(TP + FN)", ())), Bounded(*parsed("-TP*FN", ()))
LOWER = end("0", STEP_NAME, "1", "1", "1", strict=True, proof=proof_that("1*TP", "1*TP + 1*FN", 0, 1, 0, 0, value="0"))
UPPER = end("1", "1", STEP_NAME, "1", "1", strict=True, proof=proof_that("1*FN", "1*TP + 1*FN", 1, 0, 0, 0, value="1"))
BELOW = end("-oo", f"1/{STEP_NAME}", f"1/{STEP_NAME}", "1", "1")
ABOVE = end("0", STEP_NAME, "1", "1", "1", strict=True, proof=proof_that("1*TP*FN", "", 0, 0, 0, 1, value="0"))


def range_of(
    claim: Claim, value: str | Range | None, *, lower: Data | None, upper: Data | None, **answer: Any
) -> Verdict:
    data = {name: data for name, data in (("lower", lower), ("upper", upper)) if data is not None}
    return verdict(claim, "range", data, **(PROVED | {"value": value} | answer))


def weak(end: Data) -> Data:
    """Return an end of a range of which it is open whether it is attained."""
    certificate = {key: value for key, value in end["proof"]["certificate"].items() if key != "boundary"}
    return end | {"strict": False, "proof": PROVED | {"certificate": certificate}}


WIDE = Bounded(*parsed("w*TP", (W,)))
ZERO = end(
    "0", "1", "1", "1", "1", strict=False, proof=PROVED | {"certificate": {"kind": "sign", "rule": "difference"}}
)
ZERO["proof"]["certificate"]["pieces"] = [{"atoms": {}, "values": [], "numerator": "0", "denominator": []}]
WIDENED = {
    "0": leaf("range", {"lower": ZERO, "upper": ZERO}, **PROVED, value="[0, 0]"),
    "(0, 1]": leaf("range", {"upper": end("oo", f"1/{STEP_NAME}", "1", "1", "1")}, **REFUTED),
}
UNLESS: Data = {"status": "conditional", "holds": None, "condition": "w = 0", "value": "[0, 0] if w = 0"}

TRUE |= {
    "a bounded range": range_of(RATE, "(0, 1)", lower=LOWER, upper=UPPER),
    "a lower end that may be attained": range_of(RATE, Range("0", "1", None, False), lower=weak(LOWER), upper=UPPER),
    "an upper end that may be attained": range_of(RATE, Range("0", "1", False, None), lower=LOWER, upper=weak(UPPER)),
    "an unbounded range": range_of(FALL, "(-oo, 0)", lower=BELOW, upper=ABOVE, **REFUTED),
    "one infinite end": range_of(FALL, None, lower=BELOW, upper=None, **REFUTED),
    "a range for some parameters": by_cases(WIDE, WIDENED, **UNLESS),
    "an open range": opened(RATE),
}

FALSE |= {
    "a verdict 'open' cannot rest on evidence of kind 'range'": range_of(
        RATE, None, lower=None, upper=None, status="open", holds=None
    ),
    "the condition is another one ": by_cases(WIDE, WIDENED, **(UNLESS | {"condition": "w = 1"})),
    "its parts disagree   ": range_of(RATE, "(0, 1)", lower=LOWER, upper=UPPER, holds=None),
    "its parts disagree    ": opened(RATE, value="(0, 1)"),
    "the formula has a symbol that is not declared ": opened(Bounded(UNDECLARED.subject, ())),
    "its parts disagree      ": range_of(
        RATE, "(0, 1)", lower=LOWER, upper=UPPER, witness=Witness((Counts(1, 1, 1, 1),), (S.One,))
    ),
    "its parts disagree       ": range_of(
        Bounded(RATE.subject, WIDE.parameters), "(0, 1)", lower=LOWER, upper=UPPER, condition="w = 0"
    ),
    "the formula is not shown to be bounded on both sides": range_of(FALL, None, lower=None, upper=ABOVE),
    "the formula is not shown to be bounded on both sides ": range_of(FALL, None, lower=None, upper=None),
    "the formula is not shown to be bounded on both sides  ": range_of(FALL, "(-oo, 0)", lower=BELOW, upper=ABOVE),
    "the formula is not shown to be unbounded": range_of(RATE, "(0, 1)", lower=LOWER, upper=UPPER, **REFUTED),
    "the formula is not shown to be unbounded ": range_of(RATE, None, lower=LOWER, upper=None, **REFUTED),
    "the formula is not shown to be unbounded  ": range_of(RATE, None, lower=None, upper=None, **REFUTED),
    "the range is another one": range_of(RATE, "[0, 1]", lower=LOWER, upper=UPPER),
    "the range is another one ": range_of(RATE, None, lower=LOWER, upper=UPPER),
    "the range is another one   ": range_of(RATE, "(0, 1)", lower=weak(LOWER), upper=UPPER),
    "the range is another one    ": range_of(RATE, "[0, 1]", lower=weak(LOWER), upper=weak(UPPER)),
    "the range is another one  ": range_of(FALL, "(-oo, 0)", lower=BELOW, upper=None, **REFUTED),
}


@in_one_test
@pytest.mark.parametrize("name", TRUE)
def test_a_true_verdict_is_accepted(name: str) -> None:
    check(TRUE[name])


@in_one_test
@pytest.mark.parametrize("reason", FALSE)
def test_a_false_verdict_is_refused(reason: str) -> None:
    assert refusal(check, FALSE[reason]) == reason.strip()
