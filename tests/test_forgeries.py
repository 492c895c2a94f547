"""Certificates whose names were exchanged: each is refused, or it is said that the name means nothing but a formula."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import fuzz_certificates
import pytest
from effort import examples, in_one_test

import symmetrics as sm
from symmetrics.claims.verdict import Verdict
from symmetrics.cli import main
from symmetrics.query.relations import relate
from symmetrics.repository.names import metric_named
from symmetrics.tools.errors import CertificateError

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
