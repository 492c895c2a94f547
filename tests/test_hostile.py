"""Evidence made up to be accepted for what is false: ``docs/hostile_review.md`` says what each test is about."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from effort import some
from forging import reworded, valued
from sympy import Expr

import symmetrics as sm
from symmetrics.algebra.pieces import smooth_pieces
from symmetrics.checker import check as check_evidence
from symmetrics.claims import Claim, Inequality, StrictInequality
from symmetrics.claims.verdict import Evidence, Verdict
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


def piece(numerator: str, *, denominator: Any = (), **more: Any) -> Data:
    return {"atoms": {}, "values": [], "numerator": numerator, "denominator": list(denominator)} | more


def difference(*pieces: Data) -> Data:
    return {"rule": "difference", "pieces": list(pieces)}


def pieces_of(expression: Expr, record: Data) -> list[Data]:
    """Return a record for each piece of a formula: the given one where it is not zero."""
    return [piece("0") if part.formula == 0 else record for part in smooth_pieces(expression)]


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


def _passes(data: Data, own: sm.Metric | None = None) -> bool:
    try:
        sm.check(reworded(data), own)
    except sm.CertificateError:
        return False
    return True


def _leaves(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else None
    if children is None or not node:
        yield path
        return
    for key, child in children:
        yield from _leaves(child, (*path, key))


def _with(data: Data, path: tuple[Any, ...], value: Any) -> Data:
    altered = copy.deepcopy(data)
    *inner, last = path
    node = altered
    for key in inner:
        node = node[key]
    node[last] = value
    return altered


def _at(data: Data, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


def _other_values(value: Any) -> list[Any]:
    if isinstance(value, bool) or value is None:
        return [not value, "no"]
    if isinstance(value, int):
        return [value + 1, -value, str(value)]
    if isinstance(value, str):
        return ["1*TP", "0", "(-1)", f"{value} + 1", "nothing", None]
    return [None, 7]


def _asserted(data: Data) -> tuple[Any, ...]:
    """Return what a verdict says, read back, so that another way to write the same does not count."""
    verdict = Verdict.from_json(json.dumps(data))
    witness = None if verdict.witness is None else (verdict.witness.values, dict(verdict.witness.parameters))
    return verdict.claim, verdict.status, verdict.holds, verdict.condition, verdict.value, witness


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("text", "declarations", "key"), CASES)
def test_no_leaf_of_a_certificate_can_be_altered_so_that_something_else_is_asserted(text, declarations, key):
    own = metric(text, *declarations)
    data = sm.prove(own, key).certificate()
    assert data["status"] != "open"
    assert _passes(data, own)
    paths = [path for path in _leaves(data) if path[0] not in ("metric", "property", "evidence")]
    for path in some(paths, 25, text):
        for value in _other_values(_at(data, path)):
            altered = _with(data, path, value)
            if _passes(altered, own):
                # It was no part of the argument, or another one that holds; what is asserted has to be the same.
                assert _asserted(altered) == _asserted(data), (path, value)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("text", "declarations", "key"), CASES)
def test_another_status_is_rejected(text, declarations, key):
    data = sm.prove(metric(text, *declarations), key).certificate()
    for status in {"proved", "refuted", "conditional"} - {data["status"]}:
        for holds in (True, False, None):
            for condition in (None, data["condition"], "always", "never"):
                assert not _passes(data | {"status": status, "holds": holds, "condition": condition})


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
                assert not _passes(forged), (verdict.claim.subject, other.claim.subject)


def test_a_range_that_is_not_reached_is_rejected():
    data = sm.prove(metric("TP/(TP + FN)"), "range").certificate()
    assert data["value"]["text"] == "(0, 1)"
    for value in ("[0, 1)", "(0, 1]", "(0, 2)", "(-1, 1)", "(0, oo)", "from 0 to 1"):
        assert not _passes(valued(data, value))
    for end, bound in (("upper", "2"), ("lower", "-1"), ("upper", "1/2"), ("upper", "oo")):
        altered = copy.deepcopy(data)
        altered["certificate"][end]["bound"] = bound
        assert not _passes(altered)


def test_every_test_that_the_review_names_exists():
    root = Path(__file__).resolve().parent.parent
    review = (root / "docs" / "hostile_review.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(?:(tests/\w+\.py)::)?(test_\w+)`", review))
    assert len(named) > 40
    missing = [
        name
        for file, name in named
        if f"def {name}(" not in (root / (file or "tests/test_hostile.py")).read_text(encoding="utf-8")
    ]
    assert not missing
