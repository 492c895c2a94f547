"""Verdicts on constant baselines: true ones are accepted, and each kind of false one is refused for its reason."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from effort import in_one_test
from forging import answered, part, refusal
from sympy import Symbol

from symmetrics.checker import check
from symmetrics.claims.evidence import Evidence
from symmetrics.claims.families.baselines import ConstantBaseline
from symmetrics.claims.families.limits import FiniteLimit
from symmetrics.claims.verdict import Verdict
from symmetrics.language.condition import condition_text, parse_condition
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.prover import decide
from symmetrics.tools.errors import CertificateError

Data = dict[str, Any]
PROVED: Data = {"status": "proved", "holds": True}
REFUTED: Data = {"status": "refuted", "holds": False}
OPEN: Data = {"status": "open", "certificate": {"kind": "open", "reason": ""}}
SAME: Data = PROVED | {"certificate": {"kind": "identity", "atoms": {}, "values": []}}
"""That two formulas are the same, where neither has roots or logarithms."""
W = "w in [0, 1]"


def claim(text: str, *declarations: str) -> ConstantBaseline:
    parameters = tuple(map(Parameter.parse, declarations))
    return ConstantBaseline(parse_formula(text, [parameter.name for parameter in parameters]), parameters)


def verdict(about: ConstantBaseline, kind: str, data: Data, **answer: Any) -> Verdict:
    if answer.get("condition") is not None:
        answer["condition"] = parse_condition(answer["condition"], [p.name for p in about.parameters])
    return Verdict("own", "own", about, evidence=Evidence(kind, data), **answered(about, kind, answer))


def affine(about: ConstantBaseline, value: str, triple: Any = (2, 1, 1), *, parts: Data | None = None) -> Verdict:
    both = {"affinity": SAME, "independence": SAME} | (parts or {})
    return verdict(about, "affine", {"parts": both, "triple": list(triple)}, **PROVED, value=value)


def moments(about: ConstantBaseline, value: str) -> Verdict:
    return verdict(about, "moments", {}, **PROVED, value=value)


def differ(about: ConstantBaseline, *triples: Any, **answer: Any) -> Verdict:
    return verdict(about, "expectations", {"triples": list(map(list, triples))}, **(REFUTED | answer))


def diverge(about: ConstantBaseline, *parts: Data, **changes: Any) -> Verdict:
    data = {"end": changes.pop("end", "most agreement"), "parts": list(parts)}
    return verdict(about, "no expectation", data, **(REFUTED | changes))


def pole(coefficient: str, exponent: str) -> Data:
    data = {"kind": "divergence", "coefficient": coefficient, "exponent": exponent, "logarithms": "0"}
    return part(FiniteLimit, REFUTED | {"value": "oo", "certificate": data})


def by_cases(about: ConstantBaseline, **changes: Any) -> Verdict:
    names = ("triples", "tree", "assumed", "cases")
    data = {"triples": TRIPLES, "assumed": []} | {name: changes.pop(name) for name in names if name in changes}
    return verdict(about, "cases", data, **changes)


def solved(factor: str, value: str) -> Data:
    """Return the tree of an equation whose one solution is a value of w."""
    then = {"leaf": "holds"}
    return {"split": factor, "children": [{"factor": factor, "set": "w", "to": value, "then": then}]}


def mean(**changes: Any) -> Verdict:
    """Return a verdict on w*TP/P + (1 - w)*TN/N, whose mean at w = 1/2 is always 1/2."""
    return by_cases(MEAN, **({"tree": solved("1 - 2*w", "1/2"), "cases": [HALF]} | AT_HALF | changes))


def fraction(**changes: Any) -> Verdict:
    """Return a verdict on TP/(w*TP + FP), whose mean does not exist, or is never constant."""
    return by_cases(
        FRACTION, **({"tree": {"leaf": "impossible"}, "cases": [ZERO], "assumed": ASSUMED} | REFUTED | changes)
    )


TRIPLES = [[2, 1, 1], [3, 1, 1], [3, 1, 2], [3, 2, 1], [3, 2, 2]]
INFORMEDNESS, PRODUCT = claim("TP/P - FP/N"), claim("TP*TN/(FN*FP)")
MEAN, FRACTION = claim("w*TP/P + (1 - w)*TN/N", W), claim("TP/(w*TP + FP)", W)
POLES = (pole("TP*TN/FP", "-1"), pole("TP*TN/FN", "-1"), pole("TP*TN", "-2"))
AT_HALF: Data = {"status": "conditional", "holds": None, "condition": "w = 1/2"}
BOTH = {"kind": "affine", "parts": {"affinity": SAME, "independence": SAME}, "triple": [2, 1, 1]}
HALF = {"at": {"w": "1/2"}, "part": part(ConstantBaseline, PROVED | {"value": "1/2", "certificate": BOTH})}
ZERO = {
    "at": {"w": "0"},
    "part": REFUTED | {"certificate": {"kind": "expectations", "triples": [[3, 1, 2], [4, 1, 2]]}},
}
ASSUMED = [{"poly": "w", "tree": solved("w", "0")}]
CHI = claim("(n - 1)*(TP*TN - FN*FP)**2/(P*N*(TP + FP)*(FN + TN))")

SOLUTION = "the solution for the parameters does not follow: "
TRUE = {
    "informedness": affine(INFORMEDNESS, "0"),
    "a baseline that is a parameter": affine(claim("TP/P - FP/N + w", W), "w"),
    "a formula that has means at some margins only": affine(claim("(TP*TN - FN*FP)/(FN - FP)"), "0", (3, 1, 2)),
    "chi square": moments(CHI, "1"),
    "the true positives": differ(claim("TP"), (2, 1, 1), (3, 1, 1)),
    "two values": differ(claim("TP"), (2, 1, 1), (3, 1, 1), value="1/2 at (n, P, OP) = (2, 1, 1), 1/3 at (3, 1, 1)"),
    "two irrational values": differ(claim("sqrt(TP + 1)"), (2, 1, 1), (3, 1, 1)),
    "what is infinite": diverge(PRODUCT, *POLES),
    "a mean with a weight": mean(),
    "a mean that may not exist": fraction(),
}

REAL_IN_PART = claim("(TP*TN - FN*FP)*sqrt(FN - FP)")
ROOT: Data = {"kind": "identity", "atoms": {"r": {"kind": "power", "base": "FN - FP"}}, "values": ["r**(1/2)"]}
LOG: Data = PROVED | {
    "certificate": {"kind": "identity", "atoms": {"l": {"kind": "log", "base": "2"}}, "values": ["l"]}
}
LIMIT: Data = part(FiniteLimit, PROVED | {"value": "0", "certificate": {"kind": "limit"}})
AT_SOME = [
    {"kind": "divergence at a table", "table": {"TP": "2", "TN": "1"}, "logarithms": "0"} | leading
    for leading in (
        {"coefficient": "1/FP", "exponent": "-1"},
        {"coefficient": "1/FN", "exponent": "-1"},
        {"coefficient": "1", "exponent": "-2"},
    )
]
NEVER: Data = REFUTED | {"condition": None}
EXPECTATIONS: Data = {"kind": "expectations", "triples": [[2, 1, 1], [3, 1, 1]]}
# That accuracy is not the same at all independent tables: 1/2 where all cells are one, 7/12 at (1, 2, 3, 6).
UNLIKE: Data = REFUTED | {
    "witness": {
        "tables": [{"tp": 1, "fn": 1, "fp": 1, "tn": 1}, {"tp": 1, "fn": 2, "fp": 3, "tn": 6}],
        "values": ["1/2", "7/12"],
        "parameters": {},
    },
    "certificate": {"kind": "conditions", "atoms": {}, "values": [], "tree": {"leaf": "impossible"}, "examples": []},
}
ACCURACY = claim("(TP + TN)/n")
UNDECLARED = ConstantBaseline(Symbol("w", real=True), ())

FALSE = {
    "a verdict 'proved' cannot rest on evidence of kind 'expectations'": differ(
        claim("TP"), (2, 1, 1), (3, 1, 1), **PROVED
    ),
    "the formula has a symbol that is not declared": verdict(
        UNDECLARED, "open", {"reason": ""}, status="open", holds=None
    ),
    "an open verdict asserts something": verdict(
        ACCURACY, "open", {"reason": ""}, status="open", holds=None, value="1/2"
    ),
    "the parts give another verdict": differ(claim("TP"), (2, 1, 1), (3, 1, 1), holds=None),
    "the condition is another one": mean(condition="w = 1/3"),
    # affine: with P = 8 and OP = 9 of n = 12 the mean of accuracy is 7/12, too
    "a part of the proof is not proved": affine(ACCURACY, "7/12", (12, 8, 9), parts={"independence": UNLIKE}),
    "a part of the proof is not proved ": affine(ACCURACY, "7/12", (12, 8, 9), parts={"independence": OPEN}),
    "the numerator of the difference is not zero": affine(ACCURACY, "7/12", (12, 8, 9)),
    "the numerator of the difference is not zero ": affine(claim("(TP*TN - FN*FP)**2"), "0"),
    "a part of the proof is missing": verdict(
        INFORMEDNESS, "affine", {"parts": {"affinity": SAME}, "triple": [2, 1, 1]}, **PROVED, value="0"
    ),
    "the formula is not real everywhere": affine(
        REAL_IN_PART, "0", (3, 2, 1), parts={"affinity": PROVED | {"certificate": ROOT}}
    ),
    "the baseline has another value": affine(INFORMEDNESS, "1/2"),
    # It divides by zero at w = 1/3.
    "for some parameters the expectation may not exist": affine(
        claim("(TP*TN - FN*FP)/(w*P - (1 - w)*(TP + FP))", W), "0", (3, 2, 1)
    ),
    # With parameters no mean is known but as a fraction.
    "the expectation is another one": affine(
        claim("TP/P - FP/N + log(2)", W), "log(2)", parts={"affinity": LOG, "independence": LOG}
    ),
    "a triple is outside the domain, or too large": affine(INFORMEDNESS, "0", (2, 1, 2)),
    "a triple is outside the domain, or too large ": affine(INFORMEDNESS, "0", (2, 0, 1)),
    "a triple is outside the domain, or too large  ": affine(INFORMEDNESS, "0", (41, 1, 1)),
    # moments
    "the mean is not always this number": moments(CHI, "2"),
    "moments are known without parameters, and need no entry": moments(
        ConstantBaseline(CHI.subject, MEAN.parameters), "1"
    ),
    # expectations
    "two expectations do not settle every parameter": differ(claim("TP", W), (2, 1, 1), (3, 1, 1)),
    "there are not two triples": differ(claim("TP"), (2, 1, 1), (3, 1, 1), (3, 1, 2)),
    "there are not two triples ": differ(claim("TP"), (2, 1, 1)),
    "no difference is shown": differ(INFORMEDNESS, (2, 1, 1), (3, 1, 1)),
    "no difference is shown ": differ(claim("sqrt(2)*(TP/P - FP/N)"), (2, 1, 1), (3, 1, 1)),
    "the expectations are not rational": differ(claim("sqrt(TP + 1)"), (2, 1, 1), (3, 1, 1), value="1 and 2"),
    "the expectations are others": differ(
        claim("TP"), (2, 1, 1), (3, 1, 1), value="1/2 at (n, P, OP) = (2, 1, 1), 2/3 at (3, 1, 1)"
    ),
    # no expectation
    "there is a value although there is no expectation": diverge(PRODUCT, *POLES, value="oo"),
    "the formula may be real, and finite, on other ways to a table than the line of the certificate": diverge(
        claim("1/(FN*FP) + sqrt(TP*TN - FN*FP)"), pole("1/FP", "-1"), pole("1/FN", "-1"), pole("1", "-2")
    ),
    "the formula is not shown to be infinite for all tables": diverge(claim("FN*FP/n"), LIMIT, LIMIT, LIMIT),
    "the formula is not shown to be infinite for all tables ": diverge(PRODUCT, OPEN, *POLES[1:]),
    # It is finite where TP = TN.
    "the formula is not shown to be infinite for all tables  ": diverge(
        claim("(TP - TN)/(FN*FP)"), *(REFUTED | {"certificate": one} for one in AT_SOME)
    ),
    "the leading coefficient is another one": diverge(PRODUCT, pole("TP", "-1"), *POLES[1:]),
    # cases
    "there is one value for all parameters": mean(value="1/2"),
    "there are no parameters": by_cases(claim("TP"), tree={"leaf": "impossible"}, cases=[], **REFUTED),
    # the evidence by cases of another family of claims
    "an entry is missing, or means nothing": verdict(
        MEAN, "cases", {"tree": {"parameter": "w", "pieces": {"[0, 1]": {"proof": OPEN}}}}, **REFUTED
    ),
    "there are too few or too many triples": mean(triples=TRIPLES[:1]),
    "there are too few or too many triples ": mean(triples=[TRIPLES[0]] * 36 + TRIPLES),
    "an expectation is irrational": by_cases(
        claim("sqrt(TP + 1)", W), tree={"leaf": "impossible"}, cases=[], **REFUTED
    ),
    f"{SOLUTION}an equation called impossible is not": mean(tree={"leaf": "impossible"}, cases=[], **NEVER),
    "an assumption says nothing": fraction(assumed=[*ASSUMED, {"poly": "2", "tree": {"leaf": "impossible"}}]),
    "an assumption is not a polynomial": fraction(assumed=[*ASSUMED, {"poly": "1/w", "tree": {"leaf": "impossible"}}]),
    "an assumption is not a polynomial ": fraction(assumed=[*ASSUMED, {"poly": "w - w", "tree": {"leaf": "covered"}}]),
    "an expectation is not known to exist": fraction(assumed=[]),
    f"{SOLUTION}an equation called impossible is not ": fraction(
        assumed=[{"poly": "w", "tree": {"leaf": "impossible"}}]
    ),
    "a case is not described": mean(cases=[{"at": {}, "part": HALF["part"]}]),
    "a case is outside the domain": by_cases(
        ConstantBaseline(MEAN.subject, (Parameter.parse("w in [0, 1/4]"),)),
        tree={"split": "1 - 2*w", "children": [{"factor": "2*w - 1", "leaf": "outside the domain"}]},
        cases=[HALF],
        **AT_HALF,
    ),
    "a case is left out although the formula has values": mean(cases=[{"at": {"w": "1/2"}}], **NEVER),
    "a case is not decided": mean(cases=[{"at": {"w": "1/2"}, "part": OPEN}], **NEVER),
    "no difference is shown  ": mean(
        cases=[{"at": {"w": "1/2"}, "part": REFUTED | {"certificate": EXPECTATIONS}}], **NEVER
    ),
    "parameters are left out at which the expectations may agree": mean(cases=[], **NEVER),
    "parameters are left out at which the expectations may agree  ": mean(
        cases=[{"at": {"w": "1/3"}, "part": REFUTED | {"certificate": EXPECTATIONS}}], **NEVER
    ),
    "parameters are left out at which the expectations may agree ": fraction(cases=[]),
}


@in_one_test
@pytest.mark.parametrize("name", TRUE)
def test_a_true_verdict_is_accepted(name: str) -> None:
    check(TRUE[name])


@in_one_test
@pytest.mark.parametrize("reason", FALSE)
def test_a_false_verdict_is_refused(reason: str) -> None:
    assert refusal(check, FALSE[reason]) == reason.strip()


MIXED = claim("w*TP/P + v*TN/N", W, "v in [0, 2]")
"""Its mean is (w*OP + v*ON)/n, which is constant where both weights are the same."""


def mixed(**changes: Any) -> Verdict:
    """Return what the prover says of two weights, with another case."""
    found = decide(MIXED, metric="own", property="own")
    assert [case["at"] for case in found.evidence.data["cases"]] == [{"v": "w"}]
    case = {**found.evidence.data["cases"][0], **changes}
    return replace(found, evidence=Evidence("cases", {**found.evidence.data, "cases": [case]}))


def test_parameters_that_are_the_same_are_a_case() -> None:
    verdict_on_both = mixed()
    assert verdict_on_both.condition is not None
    assert condition_text(verdict_on_both.condition) == "v = w"
    check(verdict_on_both)
    outside = decide(claim("w*TP/P + v*TN/N", W, "v in [2, 3]"), metric="own", property="own")
    assert outside.status == "refuted"
    check(outside)


@in_one_test
@pytest.mark.parametrize(
    ("reason", "changes"),
    [
        ("no example shows that the condition can be met", {"example": {"w": "1/2", "v": "1/3"}}),
        ("no example shows that the condition can be met", {"example": {"w": "3/2", "v": "3/2"}}),
        ("the numerator of the difference is not zero", {"at": {"v": "2*w"}, "example": {"w": "1/2", "v": "1"}}),
        ("a case names something that is no parameter", {"at": {"v": "w", "u": "w"}}),
        ("no values of a case", {"at": {"v": "1/w"}, "example": {"w": "1", "v": "1"}}),
        ("no values of a case", {"at": {"v": "w + TP"}}),
    ],
)
def test_another_case_of_two_parameters_is_refused(reason: str, changes: Data) -> None:
    assert refusal(check, mixed(**changes)) == reason


def test_a_case_needs_an_example() -> None:
    with pytest.raises(CertificateError):
        check(mixed(example={}))
