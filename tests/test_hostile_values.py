"""A value that a certificate states has to exist for all parameters for which the formula of the claim may have one.

Where a stated formula divides by zero, an equation with it says nothing, and what is said of all parameters would leave
some of them out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from effort import in_one_test
from forging import refusal
from sympy import Symbol

import symmetrics as sm
from symmetrics.checker import check
from symmetrics.checker.engine.expansions import require_value
from symmetrics.claims.families.affine import Affine
from symmetrics.claims.verdict import Verdict
from symmetrics.language.writer import formula_text
from symmetrics.prover.decide import decide
from symmetrics.tools.errors import CertificateError

W = sm.Parameter("w", 0, 1, default="1/2")
NO_VALUE_AT_ZERO = "(w**3 + w**2)/(w**2 + w)"
"""It is w elsewhere."""
VALUE_EVERYWHERE = "(w**2 + w)/(w + 1)"
"""It is w."""


def proved(formula: str, property: str) -> dict[str, Any]:
    verdict = sm.prove(sm.Metric("own", sm.parse_formula(formula, ("w",)), (W,)), property)
    assert verdict.status == "proved"
    return verdict.certificate()


def with_bound(bound: str) -> dict[str, Any]:
    """Return a range from 0 to w whose upper end is written in another way."""
    data = proved("w*TP/(TP + FN)", "range")
    data["certificate"]["upper"]["bound"] = data["value"]["upper"] = bound
    data["value"]["text"] = f"from 0 to {bound}"
    data["evidence"] = data["evidence"].replace("M <= w", f"M <= {bound}")
    return data


def with_limit(factor: str) -> dict[str, Any]:
    """Return the limit w*TP/(TP + FN) with w written in another way."""
    data = proved("w*TP/(TP + FN)", "tn_limit")
    limit = formula_text(sm.parse_formula(f"{factor}*TP/(FN + TP)", ("w",)))
    data["value"] = {"kind": "limit", "text": limit, "limit": limit}
    data["evidence"] = f"it tends to {limit}"
    return data


def with_ratio(factor: str) -> dict[str, Any]:
    """Return the ratio (w*TP + FN)/(TP + FN) with w written in another way."""
    data = proved("(w*TP + FN)/(TP + FN)", "decomposable")
    ratio = formula_text(sm.parse_formula(f"({factor}*TP + FN)/(FN + TP)", ("w",)))
    data["value"] = {"kind": "ratio", "text": ratio, "ratios": [{"ratio": ratio, "condition": None}]}
    data["evidence"] = f"M = {ratio}"
    return data


def with_number(a: str) -> dict[str, Any]:
    """Return M = a*partner + w**2 - w with a = w in another way; it holds at w = 1, and at 0 if a exists."""
    formula, partner = sm.parse_formula("w*TP + w*(w - 1)*FN", ("w",)), sm.parse_formula("TP")
    data = decide(Affine(formula, (W,), partner), metric="own", property="affine").certificate()
    number, rest = sm.parse_formula(a, ("w",)), sm.parse_formula("w**2 - w", ("w",))
    equation = f"M = {formula_text(number * Symbol('partner', real=True) + rest)}"
    part = data["certificate"]["part"]
    if a == NO_VALUE_AT_ZERO:
        data["condition"] = part["condition"] = "w = 1"
        part["certificate"]["tree"]["children"][0]["then"] = {"leaf": "undefined"}
        part["certificate"]["examples"] = [{"w": "1"}]
    data["certificate"]["a"] = formula_text(number)
    said = data["condition"]
    data["value"] = {"kind": "link", "text": equation, "equation": equation}
    data["evidence"] = f"{equation} if and only if {said}, and two tables leave no other numbers"
    return data


def with_baseline(mean: str) -> dict[str, Any]:
    """Return a constant baseline w written in another way."""
    data = proved("w + TP/(TP + FN) - FP/(FP + TN)", "constant_baseline")
    data["value"] = {"kind": "expectation", "text": mean, "expectations": [{"mean": mean}]}
    data["evidence"] = data["evidence"].replace("E[M] = w", f"E[M] = {mean}")
    return data


FORGED: dict[str, Callable[[str], dict[str, Any]]] = {
    "range": with_bound,
    "limit": with_limit,
    "ratio": with_ratio,
    "equation": with_number,
    "baseline": with_baseline,
}


@in_one_test
@pytest.mark.parametrize("kind", FORGED)
def test_a_stated_value_exists_for_all_parameters(kind: str) -> None:
    check(Verdict.from_certificate(FORGED[kind](VALUE_EVERYWHERE)))
    with pytest.raises(CertificateError, match="a value that is stated may not exist"):
        check(Verdict.from_certificate(FORGED[kind](NO_VALUE_AT_ZERO)))


def test_a_limit_holds_no_logarithm_that_the_formula_does_not() -> None:
    unneeded = "((log(w) + 1)*(log(w) - 1) - log(w)**2 + 1 + w)"  # w, but without a value at w = 0
    with pytest.raises(CertificateError, match="a value that is stated may not exist"):
        check(Verdict.from_certificate(with_limit(unneeded)))


@in_one_test
@pytest.mark.parametrize(
    "formula",
    ["2*TP/(w*FN + w*TP)", "sqrt((TN*(1 - w) + TP)/(2*FP))", "Min((w*TN + TP + FP)/(w*FP + w*TN), 2 + FP/TN)"],
)
def test_a_value_may_be_missing_or_zero_where_that_of_the_formula_is(formula: str) -> None:
    check(Verdict.from_certificate(proved(formula, "prevalence_limit")))


def test_a_divisor_of_the_formula_itself_excuses_that_of_its_value() -> None:
    check(Verdict.from_certificate(proved("TP/(w*TP + w**2*FN)", "tn_limit")))


@in_one_test
@pytest.mark.parametrize(
    ("stated", "formula", "exists"),
    [
        ("sqrt(2*w - 1)", "sqrt(w - 1/2)", True),
        ("sqrt(1 - 2*w)", "sqrt(w - 1/2)", False),  # of the opposite sign
        ("sqrt(Abs(w - TP))", "FN", True),
        ("sqrt(Abs(TP/w))", "FN", False),
        ("sqrt(Abs(sqrt(w)))", "FN", False),
        ("log(Abs(w))", "FN", False),
        ("log(w)", "TP/w", False),  # the formula has a value where w is negative
        ("log(w)", "TP*log(3*w)", True),
        ("v**(-w)", "TP", False),
        ("(w**2 + 1)**(-v)", "TP", True),
        ("1/(w - TP)", "TP", True),  # not zero at all tables for any w
        ("1/(w*TP + w*FN)", "TP", False),
    ],
)
def test_what_is_in_the_way_has_to_be_in_the_way_of_the_formula_too(stated: str, formula: str, exists: bool) -> None:
    parameters = [sm.Parameter("w", -1, 1), sm.Parameter("v", 0, 1)]
    brought, own = (sm.parse_formula(text, ("w", "v")) for text in (stated, formula))
    reason = None if exists else "a value that is stated may not exist"
    assert refusal(require_value, brought, own, parameters) == reason
