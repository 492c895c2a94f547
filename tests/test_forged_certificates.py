"""Forged certificates: each of the tables is refused for its reason, and exchanged names mean nothing but a formula."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import fuzz_certificates
import pytest
from effort import examples, in_one_test, some
from forging import Forgery, Truth, forgeries, refusal, restated, truths
from sympy import Eq, Integer, Symbol

import symmetrics as sm
from symmetrics.checker import check
from symmetrics.claims import (
    Affine,
    Bounded,
    Claim,
    ConstantBaseline,
    DefinedEverywhere,
    FiniteLimit,
    Inequality,
    LargestAtAgreement,
    SameOrder,
    value_symbol,
)
from symmetrics.claims.evidence import Counts, Evidence, Witness
from symmetrics.claims.families.limits import STEP
from symmetrics.claims.values import AtDefaults, Limit, Link, Range, part_from_dict, value_from_dict
from symmetrics.claims.verdict import Verdict
from symmetrics.cli import main
from symmetrics.language.cells import CELLS, FN, FP, TN, TP
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.query.relations import relate
from symmetrics.repository.checking import metric_named
from symmetrics.tools.errors import CertificateError


@in_one_test
@pytest.mark.parametrize("truth", some(truths(), 40), ids=lambda truth: truth.asked)
def test_what_forgeries_are_made_of_passes(truth: Truth) -> None:
    assert refusal(truth.check, truth.certificate()) is None


@in_one_test
@pytest.mark.parametrize("forgery", some(forgeries(), 80), ids=lambda forgery: forgery.name)
def test_a_forgery_is_refused_for_its_reason(forgery: Forgery) -> None:
    """A reason in the tables that ends in an ellipsis goes on with what another reader says, of formulas or JSON."""
    lie = forgery.certificate()
    assert json.dumps(lie) != json.dumps(forgery.truth.certificate()), "nothing is altered"
    reason = refusal(forgery.truth.check, lie)
    assert reason is not None, "it is accepted"
    expected = forgery.refused
    assert reason.startswith(expected[:-1]) if expected.endswith("…") else reason == expected


# -- verdicts that no certificate could hold: the checker does not rely on their reader --------------------------------

UNDECLARED, FN_ONE, TP_ONE = Symbol("w", real=True), (0, 1, 0, 0), (1, 0, 0, 0)
CURVE = ["1", "other_s", "other_s", "1"]
BELOW = {"end": {"bound": "1", "path": CURVE, "strict": False}}
OPEN = Evidence("open", {"reason": "hard"})


def largest(formula: str, *tables: tuple[int, ...], values: tuple[int, ...] = (), **more: Any) -> Verdict:
    """Return the verdict that a formula is not largest at agreement, which two tables refute."""
    witness = Witness(tuple(Counts(*table) for table in tables), tuple(map(Integer, values))) if tables else None
    claim = LargestAtAgreement(parse_formula(formula), ())
    return Verdict("own", "own", claim, "refuted", False, Evidence("tables"), witness=witness, **more)


def with_evidence(verdict: Verdict, kind: str, data: dict[str, Any], *tables: tuple[int, ...]) -> Verdict:
    witness = Witness(tuple(Counts(*table) for table in tables), (Integer(0),) * len(tables)) if tables else None
    return replace(verdict, evidence=Evidence(kind, data), witness=witness)


def unsettled(verdict: Verdict, **changes: Any) -> Verdict:
    """Return a verdict that is called open, with its evidence of a proof."""
    return replace(verdict, status="open", holds=None, found=None, **changes)


def opened(claim: Claim) -> Verdict:
    return Verdict("own", "own", claim, "open", None, OPEN)


def expectations(*triples: list[int]) -> Verdict:
    """Return the verdict that the mean of TP is another one at some of these."""
    data = {"triples": [*triples]}
    return Verdict("own", "own", ConstantBaseline(TP, ()), "refuted", False, Evidence("expectations", data))


WEIGHT = Parameter.parse("w in [0, 1]")
WEIGHTED = sm.Metric("own", "w*TP/P + (1 - w)*TN/N", parameters=[WEIGHT])
TO_ZERO = (TP, FN, STEP, TN)
OBJECTS = {
    **{
        f"a verdict 'open' cannot rest on evidence of kind '{kind}'": partial(
            lambda name, key: unsettled(sm.prove(name, key), condition=None), name, key
        )
        for kind, name, key in (
            ("symmetries", "f1", "symmetry_group"),
            ("range", "recall", "range"),
            ("cases", "cwa", "decomposable"),
        )
    },
    **{
        f"{reason}{' ' * place}": partial(opened, claim)
        for place, (reason, claim) in enumerate(
            (
                ("the formula has a symbol that is not declared", FiniteLimit(UNDECLARED * TP, (), TO_ZERO)),
                ("the formula has a symbol that is not declared", Bounded(UNDECLARED * TP, ())),
                ("the formula has a symbol that is not declared", ConstantBaseline(UNDECLARED, ())),
                ("the curve has a symbol that is not declared", FiniteLimit(TP * FP, (), (*TO_ZERO[:3], UNDECLARED))),
            ),
            start=2,
        )
    },
    "a formula has a symbol that is not declared": lambda: replace(
        relate("fnr", "tpr", "rank_reversed"), claim=SameOrder(UNDECLARED, (), TP)
    ),
    "a formula has a symbol that is not declared ": lambda: replace(
        relate("fnr", "tpr", "affine"), claim=Affine(UNDECLARED * TP, (), TP)
    ),
    "a verdict 'proved' cannot rest on evidence of kind 'tables'": lambda: replace(
        sm.prove("hamming_distance", "defined"), evidence=Evidence("tables")
    ),
    "the formula has a symbol that is not declared       ": lambda: replace(
        sm.prove("hamming_distance", "defined"), claim=DefinedEverywhere(1 / UNDECLARED, ())
    ),
    "the conditions are others": lambda: restated(sm.prove("recall", "defined"), None),
    "one table is needed ": lambda: replace(
        verdict := sm.prove("recall", "defined"), witness=replace(verdict.witness, tables=())
    ),
    "the limit is missing": lambda: replace(sm.prove("recall", "tn_limit"), found=None),
    "there are not two triples": lambda: expectations([2, 1, 1], [3, 1, 1], [3, 1, 2]),
    "there are not two triples ": lambda: expectations([2, 1, 1]),
    "there is one value for all parameters": lambda: restated(sm.prove(WEIGHTED, "constant_baseline"), "1/2"),
    "the formula has a symbol that is not declared": lambda: replace(
        sm.prove("f1", "increasing_tp"), claim=Inequality(UNDECLARED * TP, (), (CELLS,), relation=value_symbol(0))
    ),
    "the formula has a symbol that is not declared ": lambda: replace(
        with_evidence(largest("FN"), "unbounded", {"path": CURVE}), claim=LargestAtAgreement(TP - UNDECLARED, ())
    ),
    "a table of the counterexample is missing": lambda: largest("FN", FN_ONE, TP_ONE, values=(1,)),
    "a table of the counterexample is missing ": lambda: largest("FN", FN_ONE, TP_ONE, TP_ONE, values=(1, 0)),
    "there is a counterexample too many or too few": lambda: largest("FN"),
    "two tables are needed": lambda: largest("FN", FN_ONE, values=(1,)),
    "one table is needed": lambda: with_evidence(largest("-FN*FP"), "attained elsewhere", BELOW, FN_ONE, TP_ONE),
    "an open verdict asserts something": lambda: replace(
        sm.prove("determinant", "monotone"),
        status="open",
        holds=None,
        evidence=OPEN,
        found=Link("M", "1"),
        witness=None,
    ),
    "its parts disagree": lambda: replace(sm.prove("recall", "monotone"), condition=Eq(UNDECLARED, 0)),
    "a verdict 'open' cannot rest on evidence of kind 'affine function'": lambda: replace(
        relate("fnr", "tpr", "affine"), status="open", holds=None
    ),
    "there is no counterexample": lambda: replace(relate("f1", "jaccard", "affine"), witness=None),
}


@in_one_test
@pytest.mark.parametrize("reason", OBJECTS)
def test_a_verdict_that_no_certificate_could_hold_is_refused(reason: str) -> None:
    assert refusal(check, OBJECTS[reason]()) == reason.strip()


# -- values of verdicts ------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize("truth", truths(), ids=lambda truth: truth.asked)
def test_a_value_survives_its_json_and_is_written_in_one_way(truth: Truth) -> None:
    data = truth.certificate()
    verdict = Verdict.from_certificate(data)
    found, names = verdict.found, [p.name for p in verdict.claim.parameters]
    if found is not None:
        assert part_from_dict(found.to_dict(), names) == value_from_dict(data["value"], names) == found
        with pytest.raises(CertificateError, match="spelled in another way"):
            part_from_dict(found.to_dict() | {"more": 1}, names)


def test_values_of_different_types_differ() -> None:
    assert Range("0", "1", True, False) != Range("0", "1", 1, 0)  # type: ignore[arg-type]
    assert Limit("0") != AtDefaults(Limit("0"))
    with pytest.raises(CertificateError, match="no value of the kind 'guess'"):
        value_from_dict({"kind": "guess"}, ())


def test_the_text_of_a_value_is_made_of_its_fields() -> None:
    data = sm.prove("f1", "range").certificate()
    lie = data | {"value": data["value"] | {"text": "(0, 7)"}}
    assert (
        refusal(lambda: check(Verdict.from_certificate(lie)))
        == "the certificate has another value than its evidence gives"
    )
    assert Verdict.from_certificate(lie).value == sm.prove("f1", "range").value == "(0, 1)"


# Certificates whose names were exchanged: each is refused, or it is said that the name means nothing but a formula.

LOOKALIKES = (
    "t\u200bpr",
    "TP R",
    "t-p-r",
    "\uff54\uff50\uff52",
    "t\u0440r",
    "TPR.",
    "tpr\u0301",
    "\u1d1bpr",
    "recal",
    "Fl",
)
SIZES = (
    *("mcc of 2 classes", "kappa of 3 classes", "MCC of 2 classes", "mcc of two classes", "mcc of 2 class"),
    *("tpr of 2 classes", "Recall of 3 classes", "mcc, 2 classes", "2-class mcc", "mcc for 3 classes", "binary mcc"),
    *("rci of 3 classes", "matthews_corrcoef of 2 classes", "f_of_means(beta=1) of 2 classes", "mcc  of 2 classes"),
    *("accuracy of two classes", "micro recall, k=2", "mcc of 9999 classes"),
)
OTHERS = (
    *("precision", "cba", "class_balance_accuracy", "sensitivity", "TPR", "true positive rate", "the tpr", "tpr score"),
    *("tpr (negated)", "precision(prior=1/10)", "tpr(w=1)", "tpr (negated", "cwa(w=1/2)", "tpr (2*M)", "tpr (tpr)"),
    *("TP/(TP + FP)", "TP/(TP+FN", "v*TP/(TP + FN)", "M = TP/(TP + FN)", "TP-w", "tpr/1", "sm.metrics.tpr", "'tpr'"),
    *("", " ", "1", "(tpr)", "\u03ba", "\u0442\u043e\u0447\u043d\u043e\u0441\u0442\u044c"),
)


@pytest.fixture(scope="module")
def verdict() -> Verdict:
    return sm.prove("tpr", "p2")


@in_one_test
@pytest.mark.parametrize("name", [*LOOKALIKES, *SIZES, *OTHERS])
def test_no_name_of_the_library_nor_one_like_it_is_taken_for_another_formula(name: str, verdict: Verdict) -> None:
    with pytest.raises(CertificateError):
        sm.check(replace(verdict, metric=name))


@in_one_test
@pytest.mark.parametrize("name", [*LOOKALIKES, *SIZES, *OTHERS[1:]])
def test_nor_is_the_name_of_the_second_metric_of_a_relation(name: str) -> None:
    related = relate("tpr", "f1", "equal")
    with pytest.raises(CertificateError):
        sm.check(replace(related, property=f"equal:{name}"))


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["macro recall as accuracy", "mcc as a mean", "F of means as mean of F"])
def test_the_name_of_a_reduction_is_none_for_another_statement(name: str, verdict: Verdict) -> None:
    with pytest.raises(CertificateError, match="another spelling"):
        sm.check(replace(verdict, metric=name))


def test_a_property_of_matrices_is_refused_for_another_size_and_for_two_classes() -> None:
    found = sm.prove(sm.multiclass["accuracy"], "transpose", k=2)
    assert sm.check(found) is None
    for lie in (
        "accuracy of 3 classes",
        "accuracy of 02 classes",
        "accuracy",
        "kappa of 2 classes",
        "accuracy of 2 classes ",
    ):
        with pytest.raises(CertificateError):
            sm.check(replace(found, metric=lie))
    for key in ("transpose_of", "p1", "range", "homogeneous", "Transpose"):
        with pytest.raises(CertificateError):
            sm.check(replace(found, property=key))


def test_a_huge_number_of_classes_is_refused_at_once() -> None:
    """To make the claim of 40 classes takes a minute, and the formula of 9999 classes has 10^8 entries."""
    found = sm.prove(sm.multiclass["mcc"], "transpose", k=2)
    start = time.monotonic()
    for classes in (40, 9999):
        with pytest.raises(CertificateError):
            sm.check(replace(found, metric=f"mcc of {classes} classes"))
    assert time.monotonic() - start < 5


def test_what_a_construction_makes_of_a_metric_is_rebuilt_from_its_name() -> None:
    tpr, f1 = sm.metrics["tpr"], sm.metrics["f1"]
    for made in (tpr.negated(), tpr.transposed(), f1.exchanged(), tpr.composed("M/(1 + M)"), tpr.symmetrised("p1")):
        found = sm.prove(made, "p3")
        assert sm.check(found) is None
        assert metric_named(made.name) == made
        with pytest.raises(CertificateError):
            sm.check(replace(found, metric=made.name.replace("tpr", "fpr").replace("f1", "jaccard")))
    with pytest.raises(CertificateError, match="another spelling of tpr \\(negated\\)"):
        metric_named("tpr(negated)")


@in_one_test
@pytest.mark.parametrize(
    "name", ["mine", "my_f1", "squared mcc", "m\xe9trique", "specificity_like", "mine (negated)", "a"]
)
def test_a_name_of_ones_own_passes_and_the_formula_is_told(name: str, verdict: Verdict) -> None:
    told = sm.check(replace(verdict, metric=name))
    assert told == f"{name!r} is no name of the library: what was verified is about TP/(FN + TP)"
    assert sm.check(replace(verdict, metric=name), sm.Metric(name, "TP/(TP + FN)")) is None
    with pytest.raises(CertificateError):
        sm.check(replace(verdict, metric=name), sm.Metric(name, "TP/(TP + FP)"))


def test_a_formula_that_is_a_constant_is_known_by_its_text() -> None:
    found = sm.prove("sqrt((TP - FN)**2) - Abs(FN - TP)", "p1")
    assert sm.check(found) is None
    with pytest.raises(CertificateError):
        sm.check(replace(found, metric="1 + sqrt((TP - FN)**2) - Abs(FN - TP)"))


def test_two_formulas_of_one_name_are_both_told() -> None:
    related = relate(sm.Metric("mine", "TP/(TP + 2*FN)"), sm.Metric("mine", "TP/(TP + FN)"), "less_equal")
    told = sm.check(related)
    assert "TP/(2*FN + TP)" in told
    assert "TP/(FN + TP)" in told


def test_the_command_refuses_forged_files_and_tells_formulas(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "some.json"
    found = relate("tpr", sm.Metric("mine", "TP/(TP + 2*FN)"), "equal").certificate()
    file.write_text(json.dumps(found), encoding="utf-8")
    assert main(["check", str(file)]) == 0
    assert "note: 'mine' is no name that the library knows" in (out := capsys.readouterr().out)
    assert "M = TP/(2*FN + TP)" in out
    for lie in ({"metric": "mcc of 2 classes"}, {"property": "equal:mcc of 2 classes"}, {"property": "equal:Recall"}):
        file.write_text(json.dumps(found | lie), encoding="utf-8")
        assert main(["check", str(file)]) == 2
        error = capsys.readouterr().err
        assert error.startswith(f"symmetrics: error: {file}, ")
        assert error.count("\n") == 1


def test_none_of_many_random_forgeries_passes() -> None:
    """A sample of what benchmarks/fuzz_certificates.py makes; ten thousand of them were looked at."""
    counts: Counter[str] = Counter()
    for number in range(examples(150)):
        random = Random(f"forgery {number}")
        for question in fuzz_certificates.draw(random):
            status, complaint = fuzz_certificates.answer(question, random)
            assert complaint is None, (question, complaint)
            counts[status] += 1
    assert counts["rejected"] > counts.total() / 2
