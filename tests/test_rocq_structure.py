"""Lemmas on structure: definedness, symmetry groups, ratios, free directions and baselines."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from effort import is_thorough

import symmetrics as sm
from symmetrics.claims.verdict import Verdict
from symmetrics.rocq.engine.lemmas import Lemma, NotExported, Subject
from symmetrics.rocq.engine.statements import Formula
from symmetrics.rocq.families import lemma
from symmetrics.rocq.judge.judging import judge

kernel = pytest.mark.skipif(shutil.which("coqc") is None, reason="no coqc: apt-get install coq")


def subject_of(verdict: Verdict) -> Subject:
    return Subject(Formula(verdict.metric, verdict.claim.subject, verdict.claim.parameters))


def lemma_of(verdict: Verdict) -> Lemma:
    name = f"{verdict.metric}_{verdict.property}"
    return lemma(name, verdict.claim, verdict, subject_of(verdict))


def lemma_on(metric: str, key: str) -> Lemma:
    return lemma_of(sm.prove(metric, key))


def theory_of(metric: str, *keys: str) -> str:
    """Return a theory with the lemmas on some properties of a metric."""
    subject = subject_of(sm.prove(metric, keys[0]))
    numbers = subject.numbers
    head = f"From Symmetrics Require Import {numbers.prelude}.\nOpen Scope {numbers.scope}.\n"
    return "\n\n".join([head, subject.formula.definition(), *(lemma_on(metric, key).text for key in keys)]) + "\n"


# -- what is written -------------------------------------------------------------------------------------------------


def test_a_symmetry_group_is_listed_with_the_inverses() -> None:
    text = lemma_on("accuracy", "symmetry_group").text
    assert "Definition accuracy_symmetry_group : Prop :=\n  has_symmetry accuracy accuracy_defined." in text
    assert "Lemma accuracy_symmetry_group_proved : accuracy_symmetry_group /\\\n  symmetry_group accuracy" in text
    statement = text[text.index("Lemma") : text.index("Proof.")]
    members = re.findall(r"\(\((At\w\w), (At\w\w), (At\w\w), (At\w\w)\), (\w+)\)", statement)
    # TP and TN may change places, FN and FP may, and the two pairs may: then the errors are counted
    expected = {
        (*(f"At{cell}" for cell in table), image)
        for image, tables in {
            "Same": [
                ("TP", "FN", "FP", "TN"),
                ("TN", "FN", "FP", "TP"),
                ("TP", "FP", "FN", "TN"),
                ("TN", "FP", "FN", "TP"),
            ],
            "Complement": [
                ("FN", "TP", "TN", "FP"),
                ("FP", "TP", "TN", "FN"),
                ("FN", "TN", "TP", "FP"),
                ("FP", "TN", "TP", "FN"),
            ],
        }.items()
        for table in tables
    }
    assert set(members) == expected
    assert len(members) == 8


def test_no_symmetry_is_a_refutation() -> None:
    text = lemma_on("f_half", "symmetry_group").text
    assert "Lemma f_half_symmetry_group_refuted : ~ f_half_symmetry_group /\\" in text
    assert "[((AtTP, AtFN, AtFP, AtTN), Same)]." in text


def test_a_ratio_is_named_and_a_relation_refuted() -> None:
    assert "exists (2, 0, 0, 0), (2, 1, 1, 0)." in lemma_on("f1", "decomposable").text
    refuted = lemma_on("kappa", "decomposable")
    assert "kappa_decomposable : Prop :=\n  linear_relation kappa kappa_defined." in refuted.text
    assert refuted.name == "kappa_decomposable_refuted"
    assert not refuted.weaker


def test_definedness_is_stated_of_cells_that_may_be_zero() -> None:
    proved, refuted = lemma_on("accuracy", "defined"), lemma_on("precision", "defined")
    assert "Lemma accuracy_defined_everywhere_proved : accuracy_defined_everywhere." in proved.text
    assert "specialize (everywhere 0 0 0 1)" in refuted.text
    assert not proved.weaker
    assert refuted.weaker


def test_directions_of_a_basis_are_all_stated() -> None:
    lemma = lemma_on("tpr", "translation_space")
    assert "moves_freely tpr tpr_defined (0, 0, 1, 0) /\\\n  moves_freely tpr tpr_defined (0, 0, 0, 1)." in lemma.text
    assert "scales_freely tpr tpr_defined (1, 1, 0, 0)%Z" in lemma_on("tpr", "scaling_space").text
    assert "no further directions" in lemma.weaker


def test_two_means_refute_a_constant_baseline() -> None:
    lemma = lemma_on("accuracy", "constant_baseline")
    assert "no_constant_baseline accuracy accuracy_defined (" in lemma.text
    assert "~ accuracy_constant_baseline." in lemma.text


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("metric", "key", "reason"),
    [
        ("wauc", "translation_space", "gradients"),
        ("weighted_accuracy", "symmetry_group", "parameters"),
        ("f_beta", "constant_baseline", "parameters"),
    ],
)
def test_what_is_not_exported_says_why(metric: str, key: str, reason: str) -> None:
    with pytest.raises(NotExported, match=reason):
        lemma_on(metric, key)


# -- what the kernel says --------------------------------------------------------------------------------------------

RATIONAL_KEYS = ("defined", "symmetry_group", "decomposable", "scaling_space", "translation_space", "constant_baseline")


def rejected(text: str, prelude: Path) -> set[str]:
    return set(judge(text, prelude).rejected)


@pytest.mark.thorough
@kernel
def test_the_kernel_accepts_lemmas_on_a_rational_metric(rational_prelude: Path) -> None:
    for metric in ("accuracy", "f_half")[: 2 if is_thorough() else 1]:
        judgement = judge(theory_of(metric, *RATIONAL_KEYS), rational_prelude)
        assert not judgement.rejected
        assert len(judgement.accepted) == len(RATIONAL_KEYS)
        assert not judgement.axioms


@pytest.mark.thorough
@kernel
@pytest.mark.parametrize(
    ("key", "written", "altered"),
    [
        ("symmetry_group", "((AtTN, AtFN, AtFP, AtTP), Same)", "((AtTN, AtFN, AtFP, AtTP), Negative)"),
        ("symmetry_group", "((AtTN, AtFN, AtFP, AtTP), Same); ", ""),
        ("decomposable", "exists (1, 0, 0, 1)", "exists (1, 0, 0, 2)"),
        ("translation_space", "(1, 0, 0, -1)", "(1, 0, 0, 1)"),
        ("scaling_space", "(1, 1, 1, 1)%Z", "(1, 1, 1, 2)%Z"),
        ("constant_baseline", "~ accuracy_constant_baseline", "accuracy_constant_baseline"),
        ("defined", "FN + FP + TN + TP == 0", "FN + FP + TN == 0"),
    ],
)
def test_the_kernel_rejects_an_altered_lemma(key: str, written: str, altered: str, rational_prelude: Path) -> None:
    """Which it accepts as they are written: the test above."""
    text = theory_of("accuracy", key)
    assert written in text
    assert rejected(text.replace(written, altered), rational_prelude)


@kernel
def test_the_kernel_accepts_lemmas_on_a_metric_with_roots(prelude: Path) -> None:
    judgement = judge(theory_of("mcc", "symmetry_group", "scaling_space"), prelude)
    assert not judgement.rejected
    assert not judgement.unknown_axioms
