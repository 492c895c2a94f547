"""Each family of claims is registered once, and prover, checker and exporter find its modules by that."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import pkgutil
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from effort import in_one_test
from sympy import Integer

import symmetrics as sm
from symmetrics.checker import check
from symmetrics.checker import families as checked
from symmetrics.claims import Claim, claim_from_dict, families
from symmetrics.claims.families import FAMILIES
from symmetrics.claims.values import Ratio
from symmetrics.claims.verdict import Verdict
from symmetrics.prover import decide, modules_of
from symmetrics.prover import families as decided
from symmetrics.rocq import families as exported
from symmetrics.rocq.engine.statements import Formula, NotExported, Subject
from symmetrics.rocq.judge.judging import judge
from symmetrics.tools import sources
from symmetrics.tools.errors import CertificateError, FormulaError
from symmetrics.tools.sources import fingerprint

ROOMS = {"claims": families, "prover": decided, "checker": checked, "rocq": exported}
NAMES = sorted(set(FAMILIES.values()))
TOY = Path(__file__).parent / "toy_family"
EVERYTHING = "symmetrics.prover.decide"
"""The module that reaches all families."""


def module(room: str, family: str) -> ModuleType:
    return importlib.import_module(f"{ROOMS[room].__name__}.{family}")


@pytest.mark.parametrize("room", ["prover", "checker", "rocq"])
def test_each_room_has_a_module_of_each_name_and_no_other(room: str) -> None:
    assert {found.name for found in pkgutil.iter_modules(ROOMS[room].__path__)} == set(FAMILIES.values())


@in_one_test
@pytest.mark.parametrize("family", NAMES)
def test_each_family_is_decided_checked_and_exported_or_excused(family: str) -> None:
    exporter = module("rocq", family)
    assert len(inspect.signature(module("prover", family).decide).parameters) == 2
    assert len(inspect.signature(module("checker", family).check).parameters) == 3
    assert hasattr(exporter, "lemma") != hasattr(exporter, "EXCUSED")
    if hasattr(exporter, "lemma"):
        assert list(inspect.signature(exporter.lemma).parameters) == ["name", "claim", "decision", "subject"]
    else:
        assert len(exporter.EXCUSED.split()) > 5


def test_no_kind_of_claims_has_two_classes() -> None:
    assert len({each.kind for each in FAMILIES}) == len(FAMILIES)


@in_one_test
@pytest.mark.parametrize("family", NAMES)
def test_the_claims_of_a_family_stand_in_one_module(family: str) -> None:
    (found,) = {each.__module__ for each, name in FAMILIES.items() if name == family}
    assert found.startswith(f"{families.__name__}.")


@in_one_test
@pytest.mark.parametrize("name", sm.properties)
def test_a_property_makes_a_claim_of_a_family(name: str) -> None:
    claim = sm.properties[name].claim(sm.metrics["f1"])
    assert type(claim) in FAMILIES


@in_one_test
@pytest.mark.parametrize("family", NAMES)
def test_a_family_asks_for_parts_by_their_name_or_for_none(family: str) -> None:
    """What is called ``_`` is not used: certificates of such a family are kept while other families change."""
    source = ast.parse(inspect.getsource(module("prover", family)))
    (function,) = (n for n in source.body if isinstance(n, ast.FunctionDef) and n.name == "decide")
    used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    second = function.args.args[1].arg
    assert second in ("_", "decide_part")
    assert (second in used) == (second != "_")


@pytest.mark.parametrize(
    ("key", "own"), [("p1", "equations"), ("symmetry_group", "groups"), ("range", None), ("constant_baseline", None)]
)
def test_certificates_rest_on_the_modules_that_decide_them(key: str, own: str | None) -> None:
    modules = modules_of(sm.properties[key].claim(sm.metrics["f1"]))
    assert (EVERYTHING in modules) == (own is None)
    assert own is None or f"{decided.__name__}.{own}" in modules


def test_a_combination_rests_on_its_parts() -> None:
    claim = sm.properties["monotone"].claim(sm.metrics["f1"])
    names = {name.rpartition(".")[2] for name in modules_of(claim)}
    assert {"combinations", "inequalities"} <= names
    assert "equations" not in names


# -- a family that is added --------------------------------------------------------------------------------------------


def forget_sources() -> None:
    for cached in (sources._read, sources._path, fingerprint):
        cached.cache_clear()


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Any]]:
    """Lay the four modules of a family beside the others, and register it."""
    for room, package in ROOMS.items():
        package.__path__.append(str(TOY / room))
    forget_sources()
    claims = module("claims", "constants")
    monkeypatch.setitem(FAMILIES, claims.Constant, "constants")
    yield claims.Constant
    for room, package in ROOMS.items():
        package.__path__.remove(str(TOY / room))
        sys.modules.pop(f"{package.__name__}.constants", None)
    forget_sources()


def verdict_on(claim: Claim) -> Verdict:
    return decide(claim, metric="mine", property="constant")


def test_a_family_is_added_by_its_registration_alone(toy: type[Any]) -> None:
    constant, other = (verdict_on(toy(each, ())) for each in (sm.TP / (2 * sm.TP) + 0 * sm.FN, sm.metrics["f1"].expr))
    assert (constant.status, constant.value) == ("proved", "1/2")
    assert (other.status, other.witness is not None) == ("refuted", True)
    for verdict in (constant, other):
        certificate = json.loads(json.dumps(verdict.certificate()))
        assert type(Verdict.from_certificate(certificate).claim) is toy
        check(Verdict.from_certificate(certificate))
    assert claim_from_dict(constant.claim.to_dict()) == constant.claim


def test_a_wrong_certificate_of_an_added_family_is_refused(toy: type[Any]) -> None:
    certificate = verdict_on(toy(sm.metrics["f1"].expr, ())).certificate()
    with pytest.raises(CertificateError):
        check(Verdict.from_certificate({**certificate, "status": "proved", "holds": True}))
    certificate = verdict_on(toy(sm.metrics["accuracy"].expr * 0 + Integer(3), ())).certificate()
    with pytest.raises(CertificateError):
        check(Verdict.from_certificate({**certificate, "value": Ratio("4").to_dict() | {"text": "4"}}))


def test_an_added_family_is_exported(toy: type[Any]) -> None:
    claim = toy(sm.TP - sm.TP + Integer(3), ())
    lemma = exported.lemma("mine_constant", claim, verdict_on(claim), Subject(Formula("mine", claim.subject, ())))
    assert lemma.name == "mine_constant_proved"
    assert "exists c, forall TP FN FP TN, mine_defined TP FN FP TN" in lemma.text


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("coqc") is None, reason="no coqc: apt-get install coq")
@pytest.mark.parametrize("text", ["(TP + FN)/(2*TP + 2*FN)", "(-TP - FP)/(2*TP + 2*FP)", "-3*FN/FN"])
def test_the_kernel_accepts_the_lemma_of_an_added_family(toy: type[Any], rational_prelude: Path, text: str) -> None:
    claim = toy(sm.parse_formula(text), ())
    subject = Subject(Formula("mine", claim.subject, ()))
    head = f"From Symmetrics Require Import {subject.numbers.prelude}.\nOpen Scope {subject.numbers.scope}.\n"
    lemma = exported.lemma("mine_constant", claim, verdict_on(claim), subject)
    judgement = judge("\n\n".join((head, subject.formula.definition(), lemma.text)) + "\n", rational_prelude)
    assert judgement.accepted == ("mine_constant_proved",), judgement.rejected


@pytest.mark.thorough
def test_what_may_ask_for_all_families_changes_with_each(request: pytest.FixtureRequest) -> None:
    alone = f"{decided.__name__}.equations"
    names = (EVERYTHING, "symmetrics.rocq.theories.theory", "symmetrics.checker.verify", alone)
    before = {name: fingerprint(name) for name in names}
    claim = request.getfixturevalue("toy")(sm.TP, ())
    assert {name for name in names if fingerprint(name) != before[name]} == {*names} - {alone}
    assert modules_of(claim) == {EVERYTHING}


def test_without_the_registration_nothing_is_said(toy: type[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    claim = toy(Integer(3), ())
    verdict = verdict_on(claim)
    certificate = verdict.certificate()
    monkeypatch.delitem(FAMILIES, toy)
    with pytest.raises(FormulaError, match="no claim of the kind 'single value'"):
        claim_from_dict(claim.to_dict())
    assert "belong to no family" in verdict_on(claim).evidence.sentence
    with pytest.raises(CertificateError, match="belong to no family"):
        check(verdict)
    with pytest.raises(CertificateError, match="no claim of the kind 'single value'"):
        Verdict.from_certificate(certificate)


def test_an_excused_family_says_why() -> None:
    claim = sm.relate("informedness", "auc_single", "affine").claim
    subject = Subject(Formula("mine", claim.subject, ()))
    with pytest.raises(NotExported, match="'affine function' are not exported: a lemma would be about all pairs"):
        exported.lemma("mine", claim, verdict_on(claim), subject)
