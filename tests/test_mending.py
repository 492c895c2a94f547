"""Mending: variants of a formula that have what it lacks."""

from __future__ import annotations

import json

import pytest
from effort import is_thorough

from symmetrics import FN, FP, TN, TP, Metric, Parameter, mend, metrics, prove
from symmetrics.cli import main
from symmetrics.discovery import mending
from symmetrics.discovery.mending import edits_of
from symmetrics.discovery.mendings import Mending, Variant
from symmetrics.pages.displays import shown as displayed
from symmetrics.query.relations import relate
from symmetrics.tools.errors import BudgetError, InputError, UnknownNameError


@pytest.fixture
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare in a few properties, in a run that does not look at everything."""
    if not is_thorough():
        monkeypatch.setattr(mending, "COMPARED", ("p1", "p2", "p3", "transpose"))
        monkeypatch.setattr(mending, "MOST", 4)


def _require_true(mended: Mending) -> None:
    """What is said of every variant is what the ordinary prover says."""
    assert len(mended)
    for variant in mended:
        assert all(prove(variant.metric, key).status == "proved" for key in mended.wanted)
        for key in (*variant.loses, *variant.gains):
            before, after = prove(mended.formula, key).holds, prove(variant.metric, key).holds
            assert (before, after) == ((True, False) if key in variant.loses else (False, True))


@pytest.mark.usefixtures("briefly")
def test_a_metric_of_one_class_is_mended_by_its_mean_over_both() -> None:
    mended = mend("recall", "p1", progress=False)
    _require_true(mended)
    assert {equation for variant in mended for equation in variant.equals} >= {
        "M = gmean",
        "M = auc_single",
        "M = harmonic_class_accuracy",
    }
    assert all({"p2", "p3"} <= set(variant.loses) for variant in mended)


@pytest.mark.thorough
def test_a_parameter_is_set_to_what_the_property_asks_for() -> None:
    w = Parameter("w", 0, 1, default="3/4")
    mine = Metric("mine", TP / (TP + w * FN + (1 - w) * FP), (w,))
    nearest = mend(mine, "transpose", progress=False)[0]
    assert (nearest.kind, nearest.how, nearest.distance) == ("parameters", "w = 1/2", 0)
    assert nearest.loses == ()
    assert relate(nearest.metric, metrics["f1"], "equal").status == "proved"


@pytest.mark.usefixtures("briefly")
def test_what_was_asked_for_is_gained_where_the_formula_has_it_at_some_values_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not is_thorough():
        monkeypatch.setattr(mending, "COMPARED", ("p1", "p2"))
        monkeypatch.setattr(mending, "MOST", 2)
    weighed = Metric("weighed", TP / (TP + Parameter("w", 0, 1) * FN), (Parameter("w", 0, 1),))
    mended = mend(weighed, "p1", progress=False)
    assert len(mended)
    assert all("p1" in variant.gains and "p1" not in variant.undecided for variant in mended)


@pytest.mark.thorough
def test_a_weight_is_solved_for() -> None:
    mine = Metric("mine", TP / (TP + 7 * FN / 10 + 3 * FP / 10))
    mended = mend(mine, "transpose", progress=False)
    found = {variant.how: variant.metric.expr for variant in mended}
    assert found["7/10 replaced by a weight, weight = 3/10"] == TP / (TP + 3 * FN / 10 + 3 * FP / 10)


@pytest.mark.thorough
def test_a_limit_forgets_a_cell() -> None:
    mended = mend(Metric("mine", TP / (TP + FN) + TP / (TP + FN + FP + TN)), "p2", progress=False)
    assert {variant.how: variant.equals for variant in mended}["in the limit FP -> oo"] == ("M = tpr",)


@pytest.mark.thorough
def test_two_properties_are_asked_for_at_once() -> None:
    mended = mend("precision", "p1", "actual_scaling", progress=False)
    _require_true(mended)
    assert mended.wanted == ("p1", "actual_scaling")


@pytest.mark.spending
def test_what_is_there_is_not_mended_and_time_that_runs_out_is_told() -> None:
    assert mend("mcc", "p1").remark == "it has what is asked for"
    assert len(mend("mcc", "p1")) == 0
    assert "not everything was looked at" in mend("recall", "p1", seconds=0.001, progress=False).remark


def test_what_time_did_not_suffice_for_is_not_what_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under "with p1", variants were said to gain nothing, and p1 not to be known of them."""

    def late(*_: object) -> Variant:
        raise BudgetError("not decided within 9 s")

    monkeypatch.setattr(mending, "_described", late)
    monkeypatch.setattr(mending, "MOST", 2)
    mended = mend("recall", "p1", progress=False)
    assert "not everything was looked at" in mended.remark
    assert [variant.gains for variant in mended] == [("p1",)] * 2
    assert all(set(variant.undecided) == set(mending.COMPARED) - {"p1"} for variant in mended)
    assert "gains p1 (not known: p2, p3" in str(mended)


def test_bad_questions_are_answered_by_what_to_do() -> None:
    with pytest.raises(InputError, match="name the property"):
        mend("recall")
    with pytest.raises(UnknownNameError, match="p11"):
        mend("recall", "p11")


def test_an_edit_changes_one_place() -> None:
    found = [edit.formula for edit in edits_of(TP / (TP + FN))]
    assert {TP / (TP + FP), TN / (TN + FN), TP, 1 / (TP + FN), FP / (TP + FN), TP / (FP + TN)} <= set(found)
    assert TP / (TP + FN) not in found
    assert len(set(found)) == len(found)
    # Two places differ.
    assert TN / (TN + FP) not in found


def test_the_command_line_lists_variants(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mend", "TP/(TP + w*FN)", "p2=yes", "p3", "--param", "w in [0,1]", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["wanted"] == ["p2", "p3"]
    assert found["remark"] == "it has what is asked for"
    assert main(["mend", "recall", "p1=no"]) == 2
    assert "write it as p1=yes" in capsys.readouterr().err


def test_a_table_shows_every_variant_in_text_and_in_html() -> None:
    variant = Variant(
        metrics["gmean"], "symmetrised <over> p1", "construction", 1, ("p2",), (), ("range",), ("M = gmean",)
    )
    mended = Mending(metrics["recall"], ("p1",), (variant,), "time ran out")
    for text in ("symmetrised", "p2", "range", "gmean", "time ran out"):
        assert text in repr(mended)
        assert text in displayed(mended)
    assert "<over>" not in displayed(mended)
    none, few = "no variant near it was found", Mending(metrics["recall"], ("p1",), (variant,), "", 3)
    assert none in repr(Mending(metrics["recall"], ("p1",), (), ""))
    assert none not in repr(few)
    assert none not in repr(Mending(metrics["recall"], ("p1",), (), "time ran out"))
    assert "3 more were found" in repr(few)
    assert "1 more was found" in repr(Mending(metrics["recall"], ("p1",), (variant,), "", 1))
    assert "more were found" not in repr(mended)
