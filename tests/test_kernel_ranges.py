"""Ranges, limits and extremes as lemmas: their texts, and that the kernel accepts the true ones only."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from symmetrics.kernel.extremes import extreme_lemma
from symmetrics.kernel.lemmas import Lemma, NotExported, Subject
from symmetrics.kernel.limits import limit_lemma
from symmetrics.kernel.positivity import Signs
from symmetrics.kernel.ranges import range_lemma
from symmetrics.kernel.statements import Formula
from symmetrics.kernel.terms import RATIONALS
from symmetrics.verdict import Decision, Verdict

CERTIFICATES = Path(__file__).parents[1] / "proofs" / "certificates"
EXPORTS: dict[str, Callable[[str, Any, Decision, Subject], Lemma]] = {
    "bounded": range_lemma,
    "finite limit": limit_lemma,
    "largest exactly at agreement": extreme_lemma,
    "smallest exactly at disagreement": extreme_lemma,
}
ORDER = ("Rationals", "Signs", "RationalProofs", "Limits", "Extremes")
needs_coqc = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed: apt install coq")


def lemma_of(metric: str, kind: str) -> tuple[Lemma, Subject]:
    """Return the first lemma on a claim of that kind about a metric."""
    verdicts = map(Verdict.from_certificate, json.loads((CERTIFICATES / f"{metric}.json").read_text()))
    verdict = next(verdict for verdict in verdicts if verdict.claim.kind == kind)
    subject = Subject(Formula(metric, verdict.claim.subject, verdict.claim.parameters))
    parts = verdict.status, verdict.holds, verdict.evidence, verdict.condition, verdict.witness, verdict.value
    return EXPORTS[kind](f"{metric}_{verdict.property}", verdict.claim, Decision(*parts), subject), subject


@pytest.mark.parametrize(
    ("metric", "ends"),
    [
        ("f1", "open_lower_end f1 f1_defined 0 /\\ open_upper_end f1 f1_defined 1"),
        (
            "kuhns_1",
            "open_lower_end kuhns_1 kuhns_1_defined (- (1 / 2)) /\\ open_upper_end kuhns_1 kuhns_1_defined (1 / 2)",
        ),
        (
            "baulieu_8",
            "closed_lower_end baulieu_8 baulieu_8_defined 0 /\\ open_upper_end baulieu_8 baulieu_8_defined 1",
        ),
        ("lift", "open_lower_end lift lift_defined 0 /\\ no_upper_end lift lift_defined"),
        ("mcc", "open_lower_end mcc mcc_defined (- 1) /\\ open_upper_end mcc mcc_defined 1"),
        ("cwa", "open_lower_end (cwa w) (cwa_defined w) 0 /\\ open_upper_end (cwa w) (cwa_defined w) 1"),
    ],
)
def test_ends_say_what_the_brackets_of_the_verdict_say(metric: str, ends: str) -> None:
    assert ends in lemma_of(metric, "bounded")[0].text


def test_an_unbounded_formula_is_said_to_be_so() -> None:
    lemma, _ = lemma_of("lift", "bounded")
    assert "Lemma lift_range_refuted : ~ lift_range /\\ lift_range_value." in lemma.text


def test_parameters_are_quantified_over_their_domain() -> None:
    lemma, _ = lemma_of("net_benefit", "bounded")
    assert "forall threshold : Q, 0 <= threshold -> threshold < 1 -> net_benefit_range threshold" in lemma.text


def test_a_limit_names_its_path_and_value() -> None:
    lemma, _ = lemma_of("kappa", "finite limit")
    assert "(fun s => TP * s) (fun s => FN * s) (fun s => FP) (fun s => TN)\n    0." in lemma.text


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("mcc", "scaled r1 s"),
        ("cramer_v", "scaled r2 1"),
        ("log_odds_ratio", "named r1 (ln ("),
        ("frequency_bias", "~ frequency_bias_prevalence_limit /\\ frequency_bias_prevalence_limit_value"),
        ("baulieu_12", "grows_along baulieu_12 baulieu_12_defined\n    (fun s => (1) * s) (fun s => (1) * s)"),
    ],
)
def test_limits_are_those_of_continuous_formulas_or_infinite(metric: str, words: str) -> None:
    assert words in lemma_of(metric, "finite limit")[0].text


def test_two_tables_refute_a_claim_on_extremes() -> None:
    lemma, _ = lemma_of("adjusted_rand_index", "largest exactly at agreement")
    assert "_elsewhere adjusted_rand_index adjusted_rand_index_defined 0 1 2 0 1 0 0 2" in lemma.text


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("f2", "largest_at_agreement_by f2 f2_defined"),
        ("mcc", "inverse_root_at_least"),
        ("worst_class_accuracy", "off_mean (Rmin"),
        ("sokal_sneath_3", "apply largest_at_agreement_unbounded. apply no_upper_end_by."),
        ("kent_foster_1", "largest_at_agreement_attained kent_foster_1"),
    ],
)
def test_extremes_are_shown_by_bounds_or_refuted_by_tables(metric: str, words: str) -> None:
    assert words in lemma_of(metric, "largest exactly at agreement")[0].text


def test_no_bounds_are_found_where_values_come_near_to_the_extreme_elsewhere() -> None:
    with pytest.raises(NotExported, match="come near"):
        lemma_of("clement", "largest exactly at agreement")


@pytest.mark.parametrize(
    ("metric", "kind"),
    [("expected_loss", "bounded"), ("log_odds_ratio", "bounded"), ("cole_contingency", "largest exactly at agreement")],
)
def test_what_is_not_exported_says_why(metric: str, kind: str) -> None:
    with pytest.raises(NotExported, match=r"\w+ \w+"):
        lemma_of(metric, kind)


def test_a_cut_writes_the_larger_cell_as_a_difference() -> None:
    signs = Signs(("x", "y"))
    tree = {"cut": ["x", "y"], "first": {"positive": True}, "second": {"positive": True}}
    script = signs.proof(signs.polynomial("x**2 - x*y + y**2"), tree, strict=True)
    assert "destruct (at_most_or (x) (y))" in script
    assert "(x - y) ^ 2" in script
    assert "(y - x) ^ 2" in script


def test_a_step_that_is_not_known_is_refused() -> None:
    signs = Signs(("x",))
    with pytest.raises(NotExported, match="tangents"):
        signs.proof(signs.polynomial("x"), {"tangents": {}}, strict=True)


# -- the kernel ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def prelude(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled prelude over the rational numbers."""
    folder = tmp_path_factory.mktemp("prelude")
    source = resources.files("symmetrics.kernel") / "prelude"
    for name in ORDER:
        (folder / f"{name}.v").write_text((source / f"{name}.v").read_text())
        subprocess.run(["coqc", "-R", ".", "Symmetrics", f"{name}.v"], cwd=folder, check=True, timeout=300)
    return folder


def accepts(prelude: Path, folder: Path, subject: Subject, text: str) -> bool:
    head = "From Symmetrics Require Import RationalProofs Limits Extremes.\nOpen Scope Q_scope.\n\n"
    (folder / "theory.v").write_text(f"{head}{subject.formula.definition()}\n\n{text}\n")
    command = ["coqc", "-R", str(prelude), "Symmetrics", "theory.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, timeout=120).returncode == 0


@needs_coqc
@pytest.mark.parametrize(
    ("metric", "kind"),
    [
        ("kappa", "bounded"),
        ("gini_gain", "bounded"),
        ("net_benefit", "bounded"),
        ("rand_index", "bounded"),
        ("f1", "finite limit"),
        ("frequency_bias", "finite limit"),
        ("baulieu_12", "finite limit"),
        ("adjusted_rand_index", "largest exactly at agreement"),
        ("f2", "largest exactly at agreement"),
        ("informedness", "smallest exactly at disagreement"),
        ("sokal_sneath_3", "largest exactly at agreement"),
        ("p4", "smallest exactly at disagreement"),
    ],
)
def test_the_kernel_accepts(metric: str, kind: str, prelude: Path, tmp_path: Path) -> None:
    lemma, subject = lemma_of(metric, kind)
    assert subject.numbers is RATIONALS
    assert accepts(prelude, tmp_path, subject, lemma.text)


@needs_coqc
@pytest.mark.parametrize(
    ("metric", "kind", "right", "wrong"),
    [
        ("f1", "bounded", r"open_lower_end f1 f1_defined 0", "open_lower_end f1 f1_defined (- 1)"),
        ("f1", "bounded", r"open_upper_end f1 f1_defined 1", "closed_upper_end f1 f1_defined 1"),
        ("gini_gain", "bounded", r"_defined \(1 / 2\)", "_defined (1 / 3)"),
        ("f1", "finite limit", r"\n    0\.", "\n    1."),
        ("frequency_bias", "finite limit", "grows_", "falls_"),
        ("adjusted_rand_index", "largest exactly at agreement", r"0 1 2 0 1 0 0 2", "0 1 3 0 1 1 0 2"),
        ("f2", "largest exactly at agreement", r"1 6 1 1 1", "2 6 1 1 1"),
        ("f2", "largest exactly at agreement", r"1 6 1 1 1", "1 2 1 1 1"),
        ("f2", "largest exactly at agreement", "largest_at_agreement", "smallest_at_disagreement"),
    ],
)
def test_the_kernel_rejects_what_is_altered(
    metric: str, kind: str, right: str, wrong: str, prelude: Path, tmp_path: Path
) -> None:
    lemma, subject = lemma_of(metric, kind)
    altered, count = re.subn(right, lambda _: wrong, lemma.text)
    assert count
    assert not accepts(prelude, tmp_path, subject, altered)
