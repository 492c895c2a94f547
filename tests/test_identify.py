"""Which known metric a formula is, and which metrics have the properties asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Rational

import symmetrics as sm
from symmetrics import FN, FP, TN, TP, Metric, Parameter, Verdict
from symmetrics.checker import check
from symmetrics.cli import main
from symmetrics.errors import FormulaError, InputError, UnknownNameError

ROOT = Path(__file__).resolve().parent.parent


def relations_of(formula: object) -> dict[str, str]:
    return {match.metric: match.relation for match in sm.identify(formula)}


# -- identify ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "name", "relation"),
    [
        ("2*TP/(2*TP + FN + FP)", "f1", "equal"),
        ("2/(1/(TP/(TP + FN)) + 1/(TP/(TP + FP)))", "f1", "equal"),
        ("TP/(TP + FP + FN)", "jaccard", "equal"),
        ("1 - TP/(TP + FP + FN)", "jaccard", "complement_of"),
        ("TP/(TP + FN) + TN/(TN + FP) - 1", "informedness", "equal"),
        ("TP/(TP + FN) + TN/(TN + FP)", "auc_single", "affine"),
        ("-(TP + TN)/(TP + TN + FP + FN)", "accuracy", "negation_of"),
        ("(TP*TN - FP*FN)/sqrt((TP+FP)*(TP+FN)*(TN+FP)*(TN+FN))", "mcc", "equal"),
        ("2*(TP*TN - FN*FP)/((TP+FP)*(FP+TN) + (TP+FN)*(FN+TN))", "kappa", "equal"),
        ("TP/(TP + FP) + TN/(TN + FN) - 1", "informedness", "transpose_of"),
        ("sqrt(TP*TN)/sqrt((TP + FN)*(TN + FP))", "gmean", "equal"),
        ("TP*TN/((TP + FN)*(TN + FP))", "gmean", "rank_equivalent"),
        ("log(TP) + log(TN) - log(FN) - log(FP)", "log_odds_ratio", "equal"),
        ("FN*FP/(TP*TN)", "yule_q", "rank_reversed"),
        ("3*TP/(3*TP + FN + FP)", "three_w_jaccard", "equal"),
    ],
)
def test_known_formulas(formula: str, name: str, relation: str) -> None:
    found = sm.identify(formula)
    (match,) = (match for match in found if match.metric == name)
    assert match.relation == relation
    assert match.verdict.status == "proved"
    check(Verdict.from_json(match.verdict.to_json()))


def test_links_are_written_with_the_names() -> None:
    (match,) = (match for match in sm.identify("f1") if match.metric == "jaccard")
    assert match.equation == "M = 2*jaccard/(jaccard + 1)"
    (match,) = (match for match in sm.identify("informedness") if match.metric == "auc_single")
    assert match.equation == "M = 2*auc_single - 1"


def test_values_of_parameters_are_found() -> None:
    found = {match.metric: match for match in sm.identify("5*TP/(5*TP + 4*FN + FP)")}
    assert found["f2"].relation == "equal"
    assert found["f_beta"].equation == "M = f_beta for beta = 2"
    assert found["tversky"].equation == "M = tversky for alpha = 1/5 and beta = 4/5"
    for match in found.values():
        check(Verdict.from_json(match.verdict.to_json()))
    assert sm.identify("5*TP/(5*TP + 4*FN + FP)").names == ("f2",)


def test_a_formula_with_parameters_is_matched_with_its_own() -> None:
    a = Parameter("a", 0, 1)
    weighted = Metric("weighted", a.symbol * TP / (TP + FN) + (1 - a.symbol) * TN / (TN + FP), (a,))
    found = {match.metric: match for match in sm.identify(weighted)}
    assert found["cwa"].equation == "M = cwa at w = a"
    assert found["auc_single"].equation == "M = auc_single if a = 1/2"
    for match in found.values():
        check(match.verdict)


def test_a_metric_is_not_its_own_relative() -> None:
    assert "mcc" not in relations_of("mcc")
    assert relations_of("mcc")["normalized_mcc"] == "affine"


def test_a_formula_like_no_other_has_no_match() -> None:
    found = sm.identify("TP*TN + FP**3")
    assert len(found) == 0
    assert "no known metric" in repr(found)
    assert len(sm.identify(Metric("constant", Rational(1, 2) + 0 * TP))) == 0


def test_formulas_that_only_look_alike_are_told_apart() -> None:
    """A change beyond the sixth digit is seen."""
    near = TP / (TP + (FN + FP) * Rational(1000001, 1000000))
    assert (
        "jaccard" not in relations_of(Metric("near", near)) or relations_of(Metric("near", near))["jaccard"] != "equal"
    )


def test_other_known_metrics() -> None:
    known = {"mine": Metric("mine", TP / (TP + 3 * FN))}
    found = sm.identify("3*FN/(TP + 3*FN)", known=known)
    assert [(match.metric, match.relation) for match in found] == [("mine", "complement_of")]


def test_bad_input() -> None:
    with pytest.raises(UnknownNameError, match="unknown metric 'mccc': did you mean mcc"):
        sm.identify("mccc")
    with pytest.raises(FormulaError):
        sm.identify("__import__('os')")


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(sorted(sm.metrics)), st.integers(1, 9), st.integers(-9, 9))
def test_affine_images_of_library_metrics_are_found(name: str, factor: int, offset: int) -> None:
    metric = sm.metrics[name]
    if metric.at_defaults().count_ops() > 60:
        return
    changed = Metric("changed", metric.at_defaults() * factor + Rational(offset, 3))
    found = relations_of(changed)
    assert found[name] == ("equal" if (factor, offset) == (1, 0) else "affine")


def test_a_formula_that_is_written_otherwise_is_named() -> None:
    assert sm.identify("2*TP/(2*TP+FN+FP)").names == ("f1", "f_beta", "tversky")


# -- find --------------------------------------------------------------------------------------------------------------

FEW = ("mcc", "accuracy", "f1", "precision", "tpr", "informedness", "cwa")


def test_find_by_what_holds_and_what_does_not() -> None:
    assert list(sm.find(metrics=FEW, p1=True)) == ["accuracy", "informedness", "mcc"]
    assert list(sm.find(metrics=FEW, p1=True, actual_scaling=True)) == ["informedness"]
    assert list(sm.find(metrics=FEW, p2=True, p4=False)) == ["f1", "precision", "tpr"]
    assert list(sm.find(metrics=FEW, p1=None)) == []


def test_conditions_count_at_the_defaults() -> None:
    assert "cwa" not in sm.find(metrics=["cwa"], p1=True)
    assert "cwa(w=1/2)" in sm.find(metrics=[sm.metrics.cwa.at(w="1/2")], p1=True)


def test_find_agrees_with_prove_over_the_library() -> None:
    found = sm.find(p1=True, transpose=True)
    for name, metric in sm.metrics.items():
        wanted = sm.prove(metric, "p1").holds is True and sm.prove(metric, "transpose").holds is True
        assert (name in list(found)) == wanted


def test_what_find_refuses() -> None:
    with pytest.raises(InputError, match="no property to look for"):
        sm.find()
    with pytest.raises(UnknownNameError, match="unknown property 'p_1'"):
        sm.find(p_1=True)
    with pytest.raises(InputError, match="p1='yes'"):
        sm.find(p1="yes")  # type: ignore[arg-type]


# -- the command line --------------------------------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_identify_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "identify", "1 - TP/(TP+FN)")
    assert status == 0
    assert out.splitlines()[1].split()[:2] == ["equal", "fnr"]
    status, out, _ = run(
        capsys, "identify", "w*TP/(TP+FN) + (1-w)*TN/(TN+FP)", "--param", "w in [0,1]", "--format", "json"
    )
    data = json.loads(out)
    assert status == 0
    assert (data["matches"][0]["metric"], data["matches"][0]["equation"]) == ("cwa", "M = cwa at w = w")


def test_find_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "find", "p1=yes", "p2=no", "--metrics", "mcc,f1,accuracy")
    assert (status, out.split()) == (0, ["accuracy", "mcc"])
    status, out, _ = run(capsys, "find", "p1=yes", "--metrics", "f1", "--format", "json")
    assert (status, json.loads(out)) == (0, [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("identify", "TP/(TP+"), "is not a complete formula"),
        (("identify", "TP/(TP+q)"), "unknown name 'q'"),
        (("identify", "mccc"), "did you mean mcc"),
        (("find", "p1"), "write it as p1=yes, p1=no or p1=open"),
        (("find", "p1=true"), "write it as p1=yes"),
        (("find", "p1=yes", "p1=no"), "more than once"),
        (("find", "nothing=yes"), "unknown property 'nothing'"),
        (("find", "metrics=yes"), "unknown property 'metrics'"),
        (("find", "p1=yes", "--metrics", "mccc"), "did you mean mcc"),
        (("find",), "see 'symmetrics find --help'"),
    ],
    ids=" ".join,
)
def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str) -> None:
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_the_exports_are_there() -> None:
    assert {"find", "identify", "order", "relate", "relation_graph"} <= set(dir(sm))
    assert sm.relate(TP / (TP + FN), FP / (TP + FP), "less_equal").status == "refuted"
