"""Evidence made up to be accepted for what is false: ``docs/hostile_review.md`` says what each test is about."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from effort import in_one_test
from forging import FOLDER, accepts, changed, found_of, refusal, reworded, valued
from sympy import Symbol
from tables import rows

import symmetrics as sm
from symmetrics.checker import check
from symmetrics.checker import check as check_evidence
from symmetrics.checker.engine.coefficients import is_nearly_nowhere_zero
from symmetrics.checker.engine.expansions import require_value
from symmetrics.checker.engine.fractions import Arithmetic
from symmetrics.claims import Claim, Inequality, StrictInequality
from symmetrics.claims.evidence import Evidence
from symmetrics.claims.families.relations import Affine
from symmetrics.claims.values import Limit
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text
from symmetrics.prover.decide import decide
from symmetrics.tools.errors import CertificateError

Data = dict[str, Any]
VALUE = parse_formula("value0", ["value0"])
POSITIVE = {"positive": True}


def metric(text: str, *declarations: str) -> sm.Metric:
    parameters = tuple(Parameter.parse(declaration) for declaration in declarations)
    return sm.Metric("own", parse_formula(text, [parameter.name for parameter in parameters]), parameters)


def is_accepted(verdict: Verdict | None) -> bool:
    """Whether the checker takes a verdict, as an object or as it comes back from its text."""
    if verdict is None:
        return False
    accepted = []
    for read in (lambda: verdict, lambda: Verdict.from_json(verdict.to_json())):
        try:
            # A statement that no property makes has no name that could be rebuilt.
            (check_evidence if verdict.property == "own" else sm.check)(read())
        except sm.CertificateError:
            continue
        accepted.append(read)
    return bool(accepted)


def proof(subject: sm.Metric, key: str, data: Data, claim: Claim | None = None) -> Verdict | None:
    """Return the verdict that a statement is proved, with evidence made by hand; None if it is spelled like none."""
    kind = data.get("kind", "sign")
    try:
        evidence = Evidence(kind, {name: value for name, value in data.items() if name != "kind"})
    except sm.CertificateError:
        return None
    return Verdict("own", key, claim or sm.properties[key].claim(subject), "proved", True, evidence)


def nonnegative(subject: sm.Metric, *, strict: bool = False) -> Claim:
    """Return the claim that a formula is nowhere negative, or positive."""
    family = StrictInequality if strict else Inequality
    return family(subject.expr, subject.parameters, (CELLS,), relation=VALUE)


# -- every leaf, and every exchange ----------------------------------------------------------------------------------

CASES: list[tuple[str, tuple[str, ...], str]] = rows("hostile", "statements", 3)
FALSE = [case for case in CASES if case[2] == "increasing_tn" or case[0] == "TP*(FN - FP)**2"]


@pytest.mark.parametrize(("text", "declarations", "key"), FALSE)
def test_no_proof_of_another_statement_proves_a_false_one(text, declarations, key):
    own = metric(text, *declarations)
    for other_text, other_declarations, other_key in CASES:
        other = sm.prove(metric(other_text, *other_declarations), other_key)
        data = dict(other.evidence.data)
        parts = [dict(part["certificate"]) for part in data.get("parts", {}).values()] if "parts" in data else []
        for candidate in ({"kind": other.evidence.kind, **data}, *parts):
            assert not is_accepted(proof(own, key, candidate))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("key", ["increasing_tp", "monotone", "strongly_monotone", "range", "p1", "symmetry_group"])
def test_evidence_about_one_formula_is_none_about_another(key):
    pool = [metric(text) for text in ("TP/(TP + FN)", "TN/(TN + FP)", "FN/(TP + FN)", "TP - FN + TN - FP", "FP*FN")]
    verdicts = [sm.prove(own, key) for own in pool]
    for verdict in verdicts:
        for other in verdicts:
            if (other.status, other.value) != (verdict.status, verdict.value):
                forged = other.certificate() | {"claim": verdict.claim.to_dict()}
                assert not accepts(forged), (verdict.claim.subject, other.claim.subject)


def test_a_range_that_is_not_reached_is_rejected():
    data = sm.prove(metric("TP/(TP + FN)"), "range").certificate()
    assert data["value"]["text"] == "(0, 1)"
    for value in ("[0, 1)", "(0, 1]", "(0, 2)", "(-1, 1)", "(0, oo)", "from 0 to 1"):
        assert not accepts(valued(data, value))
    for end, bound in (("upper", "2"), ("lower", "-1"), ("upper", "1/2"), ("upper", "oo")):
        assert not accepts(changed(data, ("certificate", end, "bound"), bound))


def test_everything_that_the_review_names_exists():
    root = Path(__file__).resolve().parent.parent
    review = (root / "docs" / "hostile_review.md").read_text(encoding="utf-8")
    tests = re.findall(r"`(?:(tests/\w+\.py)::)?(test_\w+)`", review)
    groups = re.findall(r"`(\w+): (\w+)`", review)
    assert len(tests) > 40
    assert len(groups) > 40
    for file, name in tests:
        assert f"def {name}(" in (root / (file or "tests/test_hostile.py")).read_text(encoding="utf-8"), name
    for file, name in groups:
        assert name in json.loads((FOLDER / f"{file}.json").read_text(encoding="utf-8"))["groups"], name


# A value that a certificate states has to exist for all parameters for which the formula of the claim may have one.

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
    rows("hostile", "in the way", 3),
)
def test_what_is_in_the_way_has_to_be_in_the_way_of_the_formula_too(stated: str, formula: str, exists: bool) -> None:
    parameters = [sm.Parameter("w", -1, 1), sm.Parameter("v", 0, 1)]
    brought, own = (sm.parse_formula(text, ("w", "v")) for text in (stated, formula))
    reason = None if exists else "a value that is stated may not exist"
    assert refusal(require_value, brought, own, parameters) == reason


# Evidence made up to be accepted for what is false where something is divided by what is zero on an open set.

ATOMS = {"r": {"kind": "power", "base": "TP-TN"}, "s": {"kind": "power", "base": "FN-FP"}}
"""With both relations r = |TP - TN| and s = |FN - FP|."""


# -- the values of roots ---------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("text", "atoms", "expected"),
    [
        ("TP - TN", {}, True),
        ("r - TP + TN", ATOMS, False),
        ("r + TP - TN", ATOMS, False),
        ("r - TP - TN", ATOMS, True),
        ("r*s - TP + TN", ATOMS, True),
        ("(r - TP + TN)*s", ATOMS, False),
        ("r**(1/2) - TP", {"r": {"kind": "power", "base": "TP**2"}}, False),
        ("r**(1/2) + TP", {"r": {"kind": "power", "base": "TP**2"}}, True),
        ("r**(1/2) - TP", {"r": {"kind": "power", "base": "TP*FN"}}, True),
        ("r**(1/2) - q**(1/2)", {"r": {"kind": "power", "base": "TP"}, "q": {"kind": "power", "base": "TP"}}, False),
        ("r**(3/2) - TP + TN", ATOMS, True),
        ("K - 2*L", {"K": {"kind": "log", "base": "4"}, "L": {"kind": "log", "base": "2"}}, False),
        ("K - L", {"K": {"kind": "log", "base": "4"}, "L": {"kind": "log", "base": "2"}}, True),
        ("K - 2*L", {"K": {"kind": "log", "base": "TP**2"}, "L": {"kind": "log", "base": "TP"}}, False),
        ("K - 3*L", {"K": {"kind": "log", "base": "TP**2"}, "L": {"kind": "log", "base": "TP"}}, True),
        ("L", {"L": {"kind": "log", "base": "1"}}, False),
        ("L", {"L": {"kind": "log", "base": "0-1"}}, False),
        ("L", {"L": {"kind": "log", "base": "TP - FN"}}, True),
        ("L - TP", {"L": {"kind": "log", "base": "TP - FN"}}, False),
        ("w*r - TP + TN", ATOMS, True),
        ("w*TP - w*TN", {}, True),
    ],
)
def test_a_polynomial_that_is_said_to_be_nearly_nowhere_zero_is(text, atoms, expected):
    """Some that are nowhere zero are not seen to be: a root of odd degree, or a logarithm of what has two signs."""
    arithmetic = Arithmetic([cell.name for cell in CELLS], (Parameter.parse("w in [0, 2]"),), atoms, [text])
    (value,) = arithmetic.values
    assert is_nearly_nowhere_zero(value.top, arithmetic) is expected


# -- where a formula has no value ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("sqrt(TP - FN) + (TP - w*FN)*TN", "1/2"),
        ("log(TP - FN) + (TP - w*FN)*TN", "1"),
        ("(TP - w*FN)*TN + 1/(TP - FN + sqrt(TP**2 - 2*TP*FN + FN**2))", "1"),
        ("(TP - w*FN)*TN + 1/(TP - FN + Abs(TP - FN))", "1"),
    ],
)
def test_a_part_that_does_not_change_still_says_where_the_formula_has_a_value(text, holds):
    """There TP > FN, so that more TN is better for more weights than those that make every term positive."""
    own = metric(text, "w in [0, 2] = 2")
    found = sm.prove(own, "increasing_tn")
    value = parse_formula(holds)
    if found.condition is not None:
        assert bool(found.condition.subs({own.parameters[0].symbol: value}))
    assert found.status != "refuted"


CANCELLED = "(w - 1)/(w - 1 + (TP - 1)**2)*(TP*TN/FP + FN**2 + TN + FP)"
"""It is zero for w = 1 and TP > 1; where TP = 1 there is no w in the fraction in lowest terms."""


@pytest.mark.parametrize("key", ["decomposable", "translation_space", "scaling_space", "symmetry_group"])
def test_a_table_at_which_parameters_cancel_stands_for_no_other(key):
    """For w = 1 the formula is zero, which is a ratio, and does not change along any direction or permutation."""
    own = metric(CANCELLED, "w in [1, 2]")
    tables = [[1, 1 + 7 * place**2 % 11, 2 + 5 * place % 9, 1 + place] for place in range(8)]
    claim = sm.properties[key].claim(own)
    columns = list(range(4))
    minors: list[Any] = [tables] if key == "decomposable" else []
    if key.endswith("space"):
        minors = [{"tables": tables[start : start + 4], "columns": columns} for start in range(4)]
    kind, data = ("symmetries", {"tables": tables, "parts": {}, "exceptions": {}})
    value = "M: identity"
    if minors:
        kind, data, value = "minors", {"minors": minors}, None if key == "decomposable" else "{0}"
    assert not is_accepted(
        Verdict("own", key, claim, "refuted", False, Evidence(kind, data), found=found_of(value, claim))
    )


@pytest.mark.thorough
@pytest.mark.parametrize("key", ["decomposable", "translation_space", "scaling_space", "symmetry_group"])
def test_a_table_at_which_parameters_cancel_refutes_nothing(key):
    assert sm.prove(metric(CANCELLED, "w in [1, 2]"), key).status != "refuted"


def test_a_bound_is_reached_at_a_table_with_zero_cells_for_all_parameters():
    """For w = 1 the formula has no value where FP = TN = 0."""
    own = metric("TP/(TP + FN)*(w - 1 + FP)/(w - 1 + FP + TN)", "w in [1, 2]")
    data = sm.prove(own, "range").certificate()
    assert data["certificate"]["upper"]["corner"] == ["1", "0", "1", "0"]
    sm.check(reworded(data), own)
    data["certificate"]["upper"]["corner"] = ["1", "0", "0", "0"]
    with pytest.raises(sm.CertificateError, match="in the way"):
        sm.check(reworded(data), own)


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("TP + w*TN/(TN + FN)", True),
        ("TP + w*log(TP - TN)", False),
        ("TP + w*sqrt(TP - TN)", False),
        ("TP + w/(TP - TN)", False),
    ],
)
def test_what_a_single_value_of_a_parameter_cancels_is_still_in_the_way(text, accepted):
    """For w = 0 there is TP left, but the formula has a value where what is multiplied by w has one."""
    own = metric(text, "w in [0, 0]")
    part = {"status": "proved", "holds": True, "value": Limit("TP").to_dict(), "certificate": {"kind": "limit"}}
    evidence = Evidence("cases", {"tree": {"parameter": "w", "pieces": {"0": {"proof": part}}}})
    claim = sm.properties["tn_limit"].claim(own)
    assert (
        is_accepted(
            Verdict("own", "tn_limit", claim, "proved", True, evidence, found=found_of("TP", claim, by_cases=True))
        )
        is accepted
    )
