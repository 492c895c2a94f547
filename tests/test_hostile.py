"""Evidence made up to be accepted for what is false: ``docs/hostile_review.md`` says what each test is about."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from forging import FOLDER, accepts, changed, valued

import symmetrics as sm
from symmetrics.checker import check as check_evidence
from symmetrics.claims import Claim, Inequality, StrictInequality
from symmetrics.claims.evidence import Evidence
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter

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

CASES: list[tuple[str, tuple[str, ...], str]] = [
    ("TP/(TP + FN)", (), "increasing_tp"),
    ("TP*(FN**2 + FP**2 - FN*FP)", (), "increasing_tp"),
    ("(TP - FN)**3 + TP", (), "increasing_tp"),
    ("TP/sqrt((TP + FN)*(TP + FP))", (), "increasing_tp"),
    ("sqrt(TP + 1) + sqrt(TP) + TN", (), "strongly_monotone"),
    ("Max(TP, TN) + TP", (), "increasing_tp"),
    ("Min(TP/(TP + FN), TP/(TP + FP))", (), "increasing_tp"),
    ("log(TP + FN + 1)/log(TP + FN + FP + 2)", (), "decreasing_fp"),
    ("(TP + TN)/(TP + FN + FP + TN)", (), "monotone"),
    ("(TP + w*TN)/(TP + FN)", ("w in [-1, 1]",), "increasing_tp"),
    ("(w - 1/4)*(3/4 - w)*TP", ("w in [0, 1]",), "increasing_tp"),
    ("(w + v)*TP", ("w in [0, 1]", "v in [0, 1]"), "increasing_tp"),
    ("TP/(TP + w*FN)", ("w in [0, 1]",), "decreasing_fn"),
    ("-w**2*TP", ("w in [-1, 1]",), "increasing_tp"),
    ("TP - FN", (), "increasing_tn"),
    ("-TN", (), "increasing_tn"),
    ("TP*(FN - FP)**2", (), "increasing_tp"),
]
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
