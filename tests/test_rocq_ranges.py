"""Ranges, limits, extremes and signs as lemmas: their texts, and that the kernel accepts the true ones only."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from effort import in_one_test
from sympy import Expr, Rational
from tables import rows

import symmetrics as sm
from symmetrics.claims.families.limits import STEP
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import parameter_symbol
from symmetrics.language.condition import parse_condition
from symmetrics.language.formula import parse_formula
from symmetrics.rocq import families
from symmetrics.rocq.engine.conditions import Chart
from symmetrics.rocq.engine.ends import End
from symmetrics.rocq.engine.paths import approach_script, departure_script
from symmetrics.rocq.engine.positivity import Signs
from symmetrics.rocq.engine.radicals import radicands
from symmetrics.rocq.engine.statements import Formula, Lemma, NotExported, Subject
from symmetrics.rocq.judge.judging import judge
from symmetrics.rocq.theories.theory import theory

CERTIFICATES = Path(__file__).parents[1] / "proofs" / "certificates"


ROOTS = "(sqrt(TP + FN/4) + sqrt(TP + FN))/TP"
"""At 1/s**2, 1, 1, 1 the first root is of s**2/4 + 1 over s**2, in which a constant is no integer."""


def lemma_of(metric: str, kind: str) -> tuple[Lemma, Subject]:
    """Return the first lemma on a claim of that kind about a metric."""
    verdicts = map(Verdict.from_certificate, json.loads((CERTIFICATES / f"{metric}.json").read_text()))
    verdict = next(verdict for verdict in verdicts if verdict.claim.kind == kind)
    subject = Subject(Formula(metric, verdict.claim.subject, verdict.claim.parameters))
    return families.lemma(f"{metric}_{verdict.property}", verdict.claim, verdict, subject), subject


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("metric", "ends"),
    rows("rocq_ranges", "ends", 2),
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


@in_one_test
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


@pytest.mark.thorough
def test_a_formula_without_a_value_takes_none() -> None:
    lemma, _ = lemma_of("weighted_accuracy", "bounded")
    premises = "w1 == 0 -> w2 == 0 -> w3 == 0 -> w4 == 0 -> "
    assert f"{premises}everywhere (weighted_accuracy w1 w2 w3 w4) (weighted_accuracy_defined" in lemma.text


@pytest.mark.sampled(2)
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


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("metric", "kind"),
    [("cole_contingency", "largest exactly at agreement"), ("clement", "smallest exactly at disagreement")],
)
def test_what_is_not_exported_says_why(metric: str, kind: str) -> None:
    with pytest.raises(NotExported, match=r"\w+ \w+"):
        lemma_of(metric, kind)


def test_a_table_where_a_formula_has_just_a_limit_is_no_refutation_by_its_value() -> None:
    with pytest.raises(NotExported, match="is the limit of the formula there"):
        lemma_of("modified_class_confusion_entropy", "largest exactly at agreement")


@pytest.mark.parametrize(
    ("text", "reason"),
    [("sqrt(TP + sqrt(FN))", "roots of formulas with roots"), ("TP**(1/3)", "other functions than square roots")],
)
def test_roots_that_have_no_script_are_refused(text: str, reason: str) -> None:
    assert [*radicands(parse_formula("sqrt(TP + FN) + 1/sqrt(FP)"))] == ["(FN + TP)", "FP"]
    with pytest.raises(NotExported, match=reason):
        radicands(parse_formula(text))


def on_path(text: str, side: str, script: Callable[[Subject, Sequence[Expr], str], str], *cells: str) -> str:
    """Return the proof on what a formula tends to along a path."""
    return script(
        Subject(Formula("m", parse_formula(text), ())), [parse_formula(cell, (STEP.name,)) for cell in cells], side
    )


def test_what_dominates_on_a_path_is_named() -> None:
    script = on_path("log(TP)/log(TP*FN)", "upper", approach_script, "other_s**2", "3", "1", "1")
    assert "(fun s => 2) (fun s => 2 - flat_log s * ln 3) (fun s => 1)" in script
    script = on_path("TP*log(TP)", "upper", approach_script, "other_s**2", "1", "1", "1")
    assert "(fun s => - (2 * s * small_log s)) (fun s => 1) (fun s => 1)" in script
    script = on_path("FN/(sqrt(TP) - 5/2)", "lower", approach_script, "5 + other_s", "1", "1", "1")
    assert "(fun s => 2 * (sqrt (s + 5)) - 5)" in script
    script = on_path(ROOTS, "lower", approach_script, "1/other_s", "1", "1", "1")
    assert "apply (sqrt_scale _ (1 / (2 * s)) (s ^ 2 + 4))" in script
    script = on_path("log(TP)", "upper", departure_script, "1/other_s", "1", "1", "1")
    assert "(fun s => 1) (fun s => 1) (fun s => flat_log s)" in script


@pytest.mark.parametrize(
    ("text", "cells", "reason"),
    [
        ("sqrt(TP + FN)", ("other_s", "1", "1", "1"), "unbounded"),
        ("FN + TP*log(TP)**9", ("other_s", "1", "1", "1"), "outweighed"),
        ("log(FN)*TP - log(FP)*TP + log(6)*TP - log(2)*TP - log(3)*TP", ("1/other_s", "5", "5", "1"), "cancel"),
        ("Max(log(TP), FN)", ("other_s", "1", "1", "1"), "met on the path"),
    ],
)
def test_what_is_not_seen_on_a_path_is_refused(text: str, cells: tuple[str, ...], reason: str) -> None:
    with pytest.raises(NotExported, match=reason):
        on_path(text, "upper", departure_script, *cells)


@pytest.mark.parametrize(
    ("cells", "tactic"),
    [
        (("other_s", "1", "1", "1"), "continuous"),
        (("other_s", "2", "1", "1"), "first [continuous | continuous_at_root 2]"),
        (("other_s", "other_s", "1", "1"), ""),
        (("1/other_s", "1", "1", "1"), ""),
    ],
)
def test_a_formula_is_continuous_where_a_path_ends_if_nothing_is_divided_by_zero_there(cells, tactic) -> None:
    subject = Subject(Formula("m", parse_formula("TP/sqrt(TP + FN)"), ()))
    assert End("lower", {"bound": "0", "path": cells}, (), subject)._continuity() == tactic


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


def accepts(prelude: Path, subject: Subject, text: str) -> bool:
    head = f"From Symmetrics Require Import {subject.numbers.prelude}.\nOpen Scope {subject.numbers.scope}."
    return not judge(f"{head}\n\n{subject.formula.definition()}\n\n{text}\n", prelude).rejected


@pytest.mark.parametrize(
    ("metric", "kind"),
    rows("rocq_ranges", "accepted", 2),
)
def test_the_kernel_accepts(metric: str, kind: str, prelude: Path) -> None:
    lemma, subject = lemma_of(metric, kind)
    assert accepts(prelude, subject, lemma.text)


def test_the_kernel_accepts_a_path_on_which_a_root_has_a_fractional_constant(prelude: Path) -> None:
    verdict = sm.prove(ROOTS, "range")
    subject = Subject(Formula("m", verdict.claim.subject, ()))
    assert accepts(prelude, subject, families.lemma("m_range", verdict.claim, verdict, subject).text)


@pytest.mark.parametrize(
    ("metric", "kind", "right", "wrong"),
    rows("rocq_ranges", "altered", 4),
)
def test_the_kernel_rejects_what_is_altered(metric: str, kind: str, right: str, wrong: str, prelude: Path) -> None:
    lemma, subject = lemma_of(metric, kind)
    altered, count = re.subn(right, lambda _: wrong, lemma.text)
    assert count
    assert not accepts(prelude, subject, altered)


# Inequalities as lemmas where coefficients do not show them, and conditions on parameters.
OF_REGIONS = sm.Metric("own", "((FP - FN)*(FP - TN))/Max((TP + FP)*(FP + TN), (TP + FN)*(FN + TN))")
needs_coqc = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed: apt install coq")


def text_of(metric: str, *properties: str) -> str:
    """Return the theory of a metric with the lemmas about some properties alone."""
    verdicts = map(Verdict.from_certificate, json.loads((CERTIFICATES / f"{metric}.json").read_text()))
    return theory(verdict for verdict in verdicts if verdict.property in properties).text


def text_of_regions() -> str:
    """Return the theory of a range in whose proof regions are split, some are empty, and conditions are used up."""
    return theory([sm.prove(OF_REGIONS, "range")], OF_REGIONS).text


# -- what is written -------------------------------------------------------------------------------------------------


def test_a_condition_on_several_parameters_is_one_on_all_of_them() -> None:
    text = text_of("tversky", "agreement_increases")
    assert (
        "Lemma tversky_agreement_increases_iff : forall alpha beta : Q, 0 <= alpha -> 0 <= beta -> "
        "(tversky_agreement_increases alpha beta <-> (~ alpha == 0) \\/ (~ beta == 0))." in text
    )


def test_a_refutation_is_for_every_value_of_the_parameters() -> None:
    text = text_of("net_benefit", "increasing_tn")
    premises = "forall threshold : Q, 0 <= threshold -> threshold < 1 -> "
    assert f"Lemma net_benefit_increasing_tn_refuted : {premises}~ net_benefit_increasing_tn threshold." in text


def test_where_all_weights_are_zero_nothing_is_said() -> None:
    text = text_of("weighted_accuracy", "increasing_tp", "p2")
    assert "0 <= w4 -> 0 < w1 + w2 + w3 + w4 -> (weighted_accuracy_increasing_tp" in text
    assert "0 <= w4 -> (weighted_accuracy_p2 w1 w2 w3 w4 <->" in text
    assert "(* weaker: increasing_tp: the parameters are not all zero" in text


def test_the_table_that_refutes_a_claim_may_depend_on_the_parameter() -> None:
    text = text_of("iba_squared_gmean", "increasing_tp")
    assert "<-> alpha <= 1)" in text
    assert re.search(r"specialize \(held .*u\d", text)


def test_a_chart_decides_conditions() -> None:
    a, b, u = (parameter_symbol(name) for name in "abu")
    chart = Chart({a: Rational(1, 2), b: b + u})
    assert chart.truth(parse_condition("a = 1/2 and b != 0", ["a", "b"])) is True
    assert chart.truth(parse_condition("a <= 1/3 or b = 0", ["a", "b"])) is False
    assert chart.truth(parse_condition("b <= 1/3", ["a", "b"])) is None
    assert Chart({a: a}, undecided=frozenset({a})).truth(parse_condition("a = 0", ["a"])) is None
    assert chart.sign(a - b) is None


def test_a_derivative_is_shown_to_be_positive_case_by_case() -> None:
    text = text_of("shortliffe_certainty_factor", "increasing_tp")
    assert "slope_by_slope. moves TP. repeat split; intros;" in text


def test_logarithms_are_replaced_by_tangents() -> None:
    text = text_of("extreme_dependency_score", "increasing_tp")
    assert "ln_above_tangent (FN + FP + TN + TP) (FN + TP)" in text
    assert "ln_below_tangent (FN + TP) (TP)" in text


def test_equal_values_have_a_tactic_of_their_own() -> None:
    assert "refute_tie 60%Z H." in text_of("fager_mcgowan", "decreasing_fn")


def test_a_region_is_split_used_up_or_empty() -> None:
    assert "destruct (one_sign (1) (- FN + FP) (TP * TN - FN * FP)) as [[" in text_of("added_value", "range")
    text = text_of_regions()
    assert "exfalso; assert (0 <= - " in text
    assert "apply (unscaled_positive (" in text


# -- the kernel ------------------------------------------------------------------------------------------------------


@needs_coqc
@pytest.mark.parametrize(
    ("metric", "property", "right", "wrong"),
    [
        ("wauc", "decreasing_fn", r"rho <= 1 / 3\)", "rho <= 1 / 2)"),
        ("michael", "agreement_increases", r"  michael TP (.*) < michael (.*)\.", r"  michael \2 < michael TP \1."),
        ("shortliffe_certainty_factor", "increasing_tp", r"_factor TP FN FP TN < ", "_factor (2 * TP) FN FP TN < "),
        ("extreme_dependency_score", "increasing_tp", r"\(TP \+ other_t\) FN FP TN\.", "TP FN FP (TN + other_t)."),
        ("fager_mcgowan", "decreasing_fn", r"TN < fager", "TN <= fager"),
        pytest.param(
            *("added_value", "range", r"added_value_defined \(- \(1 / 2\)\)", "added_value_defined (- (1 / 3))"),
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_the_kernel_accepts_the_lemma_and_not_an_altered_one(
    metric: str, property: str, right: str, wrong: str, prelude: Path
) -> None:
    text = text_of(metric, property)
    assert not judge(text, prelude).rejected
    altered, count = re.subn(right, wrong, text)
    assert count
    assert judge(altered, prelude).rejected


@needs_coqc
@pytest.mark.thorough
def test_the_kernel_accepts_regions_that_are_split_used_up_or_empty(prelude: Path) -> None:
    assert not judge(text_of_regions(), prelude).rejected
