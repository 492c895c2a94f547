"""Verdicts on ratios of linear forms: true ones are accepted, and each kind of false one is refused for its reason."""

from __future__ import annotations

from typing import Any

import pytest
from effort import in_one_test
from forging import answered, part, refusal

from symmetrics.checker import check
from symmetrics.claims import Claim
from symmetrics.claims.evidence import Evidence
from symmetrics.claims.families.ratios import RatioOfLinearForms
from symmetrics.claims.verdict import Verdict
from symmetrics.language.condition import parse_condition
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter

Data = dict[str, Any]
PROVED: Data = {"status": "proved", "holds": True}
REFUTED: Data = {"status": "refuted", "holds": False}
SAME: Data = PROVED | {"certificate": {"kind": "identity", "atoms": {}, "values": []}}
"""That two formulas are the same, where neither has roots or logarithms."""
TABLES = [
    *([1, 1, 1, 1], [1, 2, 3, 4], [2, 3, 5, 11], [7, 2, 1, 4]),
    *([3, 13, 2, 5], [1, 2, 9, 4], [5, 1, 3, 2], [4, 9, 30, 1]),
]
"""Eight tables at which the equations for TP*TN have no common solution."""

HIDDEN_POLES = [[1, 2, 2, 1], [1, 4, 2, 2], [3, 1, 1, 3], [2, 2, 1, 4]]
"""Independent tables with TP*FN = FP*TN."""


def claim(text: str, *declarations: str) -> Claim:
    parameters = tuple(map(Parameter.parse, declarations))
    return RatioOfLinearForms(parse_formula(text, [parameter.name for parameter in parameters]), parameters)


def verdict(about: Claim, kind: str, data: Data, **answer: Any) -> Verdict:
    condition = answer.pop("condition", None)
    if condition is not None:
        answer["condition"] = parse_condition(condition, [parameter.name for parameter in about.parameters])
    return Verdict("own", "own", about, evidence=Evidence(kind, data), **answered(about, kind, answer))


def ratio(about: Claim, value: str, identity: Data = SAME, **answer: Any) -> Verdict:
    return verdict(about, "ratio", {"identity": identity}, **(PROVED | {"value": value} | answer))


def rank(about: Claim, tables: list[list[int]], **answer: Any) -> Verdict:
    return verdict(about, "rank", {"tables": tables}, **(REFUTED | answer))


def minors(about: Claim, *tables: list[list[int]], **answer: Any) -> Verdict:
    return verdict(about, "minors", {"minors": list(tables)}, **(REFUTED | answer))


def by_cases(about: Claim, pieces: Data, **answer: Any) -> Verdict:
    return verdict(about, "cases", {"tree": {"parameter": "w", "pieces": pieces}}, **answer)


def leaf(kind: str, data: Data, **answer: Any) -> Data:
    return {"proof": part(RatioOfLinearForms, answer) | {"certificate": {"kind": kind, **data}}}


TPR, PRODUCT = claim("TP/(TP + FN)"), claim("TP*TN")
ZERO = leaf("ratio", {"identity": SAME}, **PROVED, value="0")
NEVER = leaf("minors", {"minors": [TABLES]}, **REFUTED)
WEIGHTED = claim("w*TP*TN", "w in [0, 1]")
"""It is 0, and so a ratio, at w = 0 alone."""
ONLY_ZERO: Data = {"status": "conditional", "holds": None, "condition": "w = 0", "value": "0 if w = 0"}

TRUE = {
    "a ratio": ratio(TPR, "TP/(FN + TP)"),
    "a number": ratio(claim("TP/TP"), "1"),
    "a number that is a parameter": ratio(claim("w*TP/TP", "w in [0, 1]"), "w"),
    "a weight that is nowhere zero": ratio(claim("1/(w + FN/TP)", "w in [0, 1]"), "TP/(FN + TP*w)"),
    "a denominator that the formula has, too": ratio(
        claim("TP/(w*TP + v*FN)", "w in [0, 1]", "v in [0, 1]"), "TP/(FN*v + TP*w)"
    ),
    "a denominator that only parameters make": ratio(claim("w*TP/((w + 1)*TP)", "w in [0, 1]"), "w/(w + 1)"),
    "what is open": verdict(TPR, "open", {"reason": ""}, status="open", holds=None),
    "a product": rank(PRODUCT, TABLES),
    "a product with a parameter": minors(claim("w*TP*TN", "w in (0, 1]"), TABLES),
    "a product that is zero in one case": by_cases(WEIGHTED, {"0": ZERO, "(0, 1]": NEVER}, **ONLY_ZERO),
}

FALSE = {
    "a verdict 'proved' cannot rest on evidence of kind 'rank'": rank(PRODUCT, TABLES, **PROVED),
    "the condition is another one": by_cases(
        WEIGHTED, {"0": ZERO, "(0, 1]": NEVER}, **(ONLY_ZERO | {"condition": "w = 1"})
    ),
    "the cases start elsewhere": by_cases(WEIGHTED, {"(0, 1]": NEVER}, **REFUTED),
    "the cases give another verdict": by_cases(WEIGHTED, {"0": ZERO, "(0, 1]": NEVER}, **REFUTED),
    # minors
    "the determinants may vanish together at some values of the parameters": minors(WEIGHTED, TABLES),
    "the determinants may vanish together at some values of the parameters ": minors(PRODUCT, TABLES[:7] + TABLES[:1]),
    "the determinants may vanish together at some values of the parameters  ": minors(PRODUCT),
    "a determinant is not square": minors(PRODUCT, TABLES[:7]),
    "a determinant is not square ": minors(PRODUCT, []),
    "the formula may have no value at a table, for some parameters": minors(
        claim("w*TP*TN/(w*TP - w*FN + 1)", "w in [1, 2]"), [[1, 2, 1, 1], *TABLES[1:]]
    ),
    # At w = 1 it is zero, but for the tables with TP*FN = FP*TN, where it has no value; in lowest terms it has.
    "the formula may have no value at a table, for some parameters ": minors(
        claim("(w - 1)*TP*TN/(w - 1 + TP*FN - FP*TN)", "w in [1, 101/100]"), HIDDEN_POLES + TABLES[1:5]
    ),
    "the parts give another verdict": minors(PRODUCT, TABLES, holds=True),
    "a value that nothing stands behind": minors(PRODUCT, TABLES, value="0"),
    # rank
    "the parts give another verdict ": rank(PRODUCT, TABLES, holds=True),
    "a value that nothing stands behind ": rank(PRODUCT, TABLES, value="0"),
    "one value of the parameters does not settle all": rank(claim("TP*TN", "w in [0, 1]"), TABLES),
    "the equations at the tables have a common solution": rank(PRODUCT, TABLES[:7]),
    "the equations at the tables have a common solution ": rank(TPR, TABLES),
    "the equations at the tables have a common solution  ": rank(PRODUCT, TABLES[:7] + TABLES[:1]),
    "a table is not four positive numbers": rank(PRODUCT, [[0, 1, 1, 1], *TABLES[1:]]),
    # ratio
    "the ratio is spelled in another way than formulas are": ratio(TPR, "TP/(TP + FN)"),
    "a form is not linear in the cells": ratio(claim("TP*TN"), "TN*TP"),
    "a form is not linear in the cells ": ratio(claim("TP"), "TP"),
    "a form is not linear in the cells  ": ratio(claim("TP/(TP + 1)"), "TP/(TP + 1)"),
    "a form is not linear in the cells   ": ratio(claim("1/TP"), "1/TP"),
    "a form is not linear in the cells    ": ratio(claim("TP/FN**2"), "TP/FN**2"),
    "the numerator of the difference is not zero": ratio(TPR, "FN/(FN + TP)"),
    "the formula is not the ratio": ratio(
        TPR, "FN/(FN + TP)", {"status": "open", "certificate": {"kind": "open", "reason": ""}}
    ),
    "the parts give another verdict  ": ratio(TPR, "TP/(FN + TP)", holds=None),
    # At w = 0, or 1, the formula has a value, and what is said to be the same has none.
    "a value that is stated may not exist": ratio(claim("TP/(TP + FN)", "w in [0, 1]"), "TP*w/(FN*w + TP*w)"),
    "a value that is stated may not exist ": ratio(
        claim("(w*TP**2 + FN*TP)/((TP + FN)*(w*TP + FN))", "w in [0, 1]"), "TP*w/(FN*w + TP*w)"
    ),
    "a value that is stated may not exist  ": ratio(claim("w*TP/(FN + w*TP)", "w in [0, 1]"), "TP/(FN/w + TP)"),
    "a value that is stated may not exist   ": ratio(
        claim("(w - 2)*TP/(TP + FN)", "w in [0, 1]"), "TP*(w**2/(w - 1) - (3*w - 2)/(w - 1))/(FN + TP)"
    ),
    "a value that is stated may not exist    ": ratio(claim("TP/TP", "w in [0, 1]"), "(w**2 + w)/(w*(w + 1))"),
    "a value that is stated may not exist     ": ratio(
        claim("TP/(TP + FN)", "w in [0, 1]"),
        "TP*sqrt(w - 2)/(sqrt(2 - w)*(FN + TP))",
        PROVED
        | {
            "certificate": {
                "kind": "identity",
                "atoms": {"r": {"kind": "power", "base": "2 - w"}},
                "values": ["r**(1/2)"],
            }
        },
    ),
}


@in_one_test
@pytest.mark.parametrize("name", TRUE)
def test_a_true_verdict_is_accepted(name: str) -> None:
    check(TRUE[name])


@in_one_test
@pytest.mark.parametrize("reason", FALSE)
def test_a_false_verdict_is_refused(reason: str) -> None:
    assert refusal(check, FALSE[reason]) == reason.strip()
