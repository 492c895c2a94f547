"""Inequalities as lemmas where coefficients do not show them, and conditions on parameters."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from sympy import Rational

import symmetrics as sm
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import parameter_symbol
from symmetrics.language.condition import parse_condition
from symmetrics.rocq.engine.conditions import Chart
from symmetrics.rocq.judge.judging import judge
from symmetrics.rocq.theories.theory import theory

CERTIFICATES = Path(__file__).parents[1] / "proofs" / "certificates"
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
