"""Which known metric a formula is, and which metrics have the properties asked for."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from effort import examples, in_one_test, is_thorough, some
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Rational

import symmetrics as sm
from symmetrics import FN, FP, TN, TP, Metric, Parameter, Verdict
from symmetrics.checker import check
from symmetrics.cli import main
from symmetrics.pages.displays import shown as displayed
from symmetrics.query import identification
from symmetrics.query.relations import agree
from symmetrics.query.search import Identification
from symmetrics.tools.errors import FormulaError, InputError, UnknownNameError

ROOT = Path(__file__).resolve().parent.parent


NAMED = (
    "accuracy", "auc_single", "cwa", "f1", "f2", "f_beta", "fnr", "informedness", "jaccard", "mcc", "normalized_mcc",
    "precision", "tnr", "tpr", "tversky", "weighted_accuracy",
)  # fmt: skip
KNOWN = {name: sm.metrics[name] for name in sorted({*some(sm.metrics, 6, "identify"), *NAMED})}
"""Metrics that a formula is compared with: the whole library in a thorough run, and otherwise some of it."""


def identified(formula: object, *names: str) -> Identification:
    """Compare a formula with all known metrics, or in a sample with those alone that a test is about."""
    known = {name: sm.metrics[name] for name in names} if names and not is_thorough() else KNOWN
    return sm.identify(formula, known=known)


def relations_of(formula: object, *names: str) -> dict[str, str]:
    return {match.metric: match.relation for match in identified(formula, *names)}


# -- identify ----------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(5)
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
    found = sm.identify(formula, known=KNOWN | {name: sm.metrics[name]})
    (match,) = (match for match in found if match.metric == name)
    assert match.relation == relation
    assert match.verdict.status == "proved"
    check(Verdict.from_json(match.verdict.to_json()))


def test_links_are_written_with_the_names() -> None:
    (match,) = (match for match in identified("f1", "jaccard") if match.metric == "jaccard")
    assert match.equation == "M = 2*jaccard/(jaccard + 1)"
    (match,) = (match for match in identified("informedness", "auc_single") if match.metric == "auc_single")
    assert match.equation == "M = 2*auc_single - 1"


def test_values_of_parameters_are_found() -> None:
    found = {match.metric: match for match in identified("5*TP/(5*TP + 4*FN + FP)")}
    assert found["f2"].relation == "equal"
    assert found["f_beta"].equation == "M = f_beta for its beta = 2"
    assert found["tversky"].equation == "M = tversky for its alpha = 1/5 and beta = 4/5"
    for match in found.values():
        check(Verdict.from_json(match.verdict.to_json()))
    assert identified("5*TP/(5*TP + 4*FN + FP)").names == ("f2",)


def test_a_formula_with_parameters_is_matched_with_its_own() -> None:
    a = Parameter("a", 0, 1)
    weighted = Metric("weighted", a.symbol * TP / (TP + FN) + (1 - a.symbol) * TN / (TN + FP), (a,))
    found = {match.metric: match for match in identified(weighted, "cwa", "auc_single", "mcc")}
    assert found["cwa"].equation == "M = cwa at its w = a"
    assert found["auc_single"].equation == "M = auc_single if a = 1/2"
    for match in found.values():
        check(match.verdict)


def test_a_metric_is_not_its_own_relative() -> None:
    found = relations_of("mcc", "mcc", "normalized_mcc", "kappa")
    assert "mcc" not in found
    assert found["normalized_mcc"] == "affine"


def test_a_formula_like_no_other_has_no_match() -> None:
    found = sm.identify("TP*TN + FP**3")
    assert len(found) == 0
    assert "no metric of the library was found that it equals" in repr(found)
    assert "no other metric of the library was found that it equals" in repr(sm.identify("kappa"))
    assert len(sm.identify(Metric("constant", Rational(1, 2) + 0 * TP))) == 0


def test_formulas_that_only_look_alike_are_told_apart() -> None:
    """A change beyond the sixth digit is seen."""
    near = TP / (TP + (FN + FP) * Rational(1000001, 1000000))
    assert relations_of(Metric("near", near), "jaccard", "f1").get("jaccard") != "equal"


def test_other_known_metrics() -> None:
    known = {"mine": Metric("mine", TP / (TP + 3 * FN))}
    found = sm.identify("3*FN/(TP + 3*FN)", known=known)
    assert [(match.metric, match.relation) for match in found] == [("mine", "complement_of")]


def test_bad_input() -> None:
    with pytest.raises(UnknownNameError, match="unknown metric 'mccc': did you mean mcc"):
        sm.identify("mccc")
    with pytest.raises(FormulaError):
        sm.identify("__import__('os')")


@settings(max_examples=examples(15), deadline=None)
@given(st.sampled_from(sorted(sm.metrics)), st.integers(1, 9), st.integers(-9, 9))
def test_affine_images_of_library_metrics_are_found(name: str, factor: int, offset: int) -> None:
    metric = sm.metrics[name]
    if metric.at_defaults().count_ops() > 60:
        return
    changed = Metric("changed", metric.at_defaults() * factor + Rational(offset, 3))
    (found,) = (match.relation for match in sm.identify(changed, known=KNOWN | {name: metric}) if match.metric == name)
    assert found == ("equal" if (factor, offset) == (1, 0) else "affine")


def test_a_formula_that_is_written_otherwise_is_named() -> None:
    assert sm.identify("2*TP/(2*TP+FN+FP)").names == ("f1", "f_beta", "tversky")


# -- parameters and their domains --------------------------------------------------------------------------------------


def weighted(*bounds: object) -> Metric:
    w = Parameter("w", *bounds)
    return Metric("weighted", w.symbol * TP / (TP + FN) + (1 - w.symbol) * TN / (TN + FP), (w,))


def f_of(b: Parameter) -> Metric:
    return Metric("f", (1 + b.symbol**2) * TP / ((1 + b.symbol**2) * TP + b.symbol**2 * FN + FP), (b,))


def costs(*bounds: object) -> Metric:
    first, second = Parameter("c1", *bounds), Parameter("c2", *bounds)
    top = first.symbol * TP + second.symbol * TN
    return Metric("costs", top / (top + first.symbol * FN + second.symbol * FP), (first, second))


def split(equation: str) -> tuple[str, str, str]:
    """Return the settings of the known metric, the condition and the defaults that an equation names."""
    rest, _, defaults = equation.partition(", where ")
    rest, _, condition = rest.partition(" if ")
    return rest.partition(" at its ")[2], condition, defaults


@pytest.mark.thorough
def test_a_weight_beyond_its_domain_is_not_put_in() -> None:
    (match,) = (match for match in identified(weighted(0, 5)) if match.metric == "cwa")
    assert match.equation == "M = cwa at its w = w if 0 <= w <= 1"
    assert (match.status, str(match.condition)) == ("conditional", "(w >= 0) & (w <= 1)")
    (claimed,) = match.verdict.claim.parameters
    assert claimed == Parameter("w", 0, 1)
    check(Verdict.from_json(match.verdict.to_json()))
    assert "cwa" not in relations_of(weighted(2, 5))
    assert "tpr" not in relations_of(weighted(2, 5))
    (match,) = (match for match in identified(weighted(0, 1)) if match.metric == "cwa")
    assert (match.equation, match.condition, match.status) == ("M = cwa at its w = w", None, "proved")


@pytest.mark.thorough
def test_a_negative_weight_of_recall_is_put_in_with_its_sign_changed() -> None:
    found = [match.equation for match in sm.identify(f_of(Parameter("b"))) if match.metric == "f_beta"]
    assert found == ["M = f_beta at its beta = b if b >= 0", "M = f_beta at its beta = -b if b <= 0"]
    found = [match.equation for match in sm.identify(f_of(Parameter("b", 1, 3))) if match.metric == "f_beta"]
    assert found == ["M = f_beta at its beta = b"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("metric", "values"),
    [
        (weighted(0, 5), [{"w": Rational(place, 4)} for place in range(21)]),
        (weighted(-3, 3), [{"w": Rational(place, 4)} for place in range(-12, 13)]),
        (f_of(Parameter("b", -3, 3)), [{"b": Rational(place, 2)} for place in range(-6, 7)]),
        (costs(0, 2), [{"c1": Rational(i, 2), "c2": Rational(j, 2)} for i in range(5) for j in range(5) if i + j]),
    ],
    ids=["weighted", "signed", "f", "costs"],
)
def test_what_is_said_of_parameters_holds_at_values_of_them(metric: Metric, values: list[dict[str, Rational]]) -> None:
    """Wherever a condition holds, the known metric takes the values that it is given, and is the formula."""
    names = [parameter.name for parameter in metric.parameters]
    table = (7, 2, 3, 5)
    met = 0
    for match in identified(metric):
        if match.relation != "equal":
            continue
        settings = dict(part.split(" = ") for part in split(match.equation)[0].split(" and ") if part)
        for bound in values:
            symbols = {Parameter(name).symbol: value for name, value in bound.items()}
            if match.condition is not None and not match.condition.subs(symbols):
                continue
            met += 1
            images = {name: sm.parse_formula(text, names).subs(symbols) for name, text in settings.items()}
            known = sm.metrics[match.metric].at(**images)  # an error outside the domain
            assert known.exact(*table) == metric.at(**bound).exact(*table), (match.equation, bound)
    assert met >= 3


@pytest.fixture(scope="module")
def with_costs() -> Identification:
    """Return what accuracy with costs is, from 0 to 5 and 1 by default."""
    return identified(costs(0, 5, 1), "accuracy", "f1", "tpr")


def test_the_general_answer_and_that_at_the_defaults(with_costs: Identification) -> None:
    found = [(match.equation, match.status, dict(match.at)) for match in with_costs]
    listed = [
        row for row in with_costs.to_dict()["matches"] if (row["metric"], row["relation"]) == ("accuracy", "equal")
    ]
    assert [(row["status"], row["condition"], row["at"]) for row in listed] == [
        ("proved", None, {"c1": "1", "c2": "1"}),
        ("conditional", "c1 = c2", {}),
    ]
    assert with_costs.to_dict()["parameters"] == ["c1 in [0, 5] = 1", "c2 in [0, 5] = 1"]
    assert ("M = accuracy if c1 = c2", "conditional", {}) in found
    at = {"c1": Rational(1), "c2": Rational(1)}
    assert ("M = accuracy, where M has its defaults c1 = 1 and c2 = 1", "proved", at) in found
    for equation, _, defaults in found:
        assert bool(split(equation)[2]) == bool(defaults)
    (general,) = sm.identify(costs(1, 5), known={"accuracy": sm.metrics.accuracy})
    assert general.equation == "M = accuracy if c1 = c2"
    check(general.verdict)


def test_what_holds_by_default_too_is_shown_in_one_line_that_says_so(with_costs: Identification) -> None:
    (line,) = (line for line in repr(with_costs).splitlines() if " accuracy " in line)
    assert line.endswith("M = accuracy if c1 = c2, as by default")
    assert "M = accuracy, where M has its defaults" not in displayed(with_costs)
    others = sm.identify(costs(0, 5, 2), known={"error_rate": sm.metrics.error_rate})
    assert repr(others).splitlines()[1].split(maxsplit=2)[2] == "M = 1 - error_rate if c1 = c2, as by default"


def test_what_holds_in_general_is_not_said_of_the_defaults_again() -> None:
    found = [
        match.equation for match in identified(weighted(0, 1, Rational(1, 2)), "cwa", "tpr") if match.metric == "cwa"
    ]
    assert found == ["M = cwa at its w = w"]


def test_defaults_of_known_metrics_are_named() -> None:
    (match,) = (match for match in identified("f1", "f_beta") if match.metric == "f_beta")
    assert match.equation == "M = f_beta for its beta = 1"
    known = {"cwa": sm.metrics.cwa}
    (match,) = sm.identify(1 - sm.metrics.cwa.at_defaults(), known=known)
    assert match.equation == "M = 1 - cwa for its w = 3/4"
    found = identified("accuracy", "weighted_accuracy")
    equations = [match.equation for match in found if match.metric == "weighted_accuracy"]
    assert equations[-1] == "M = weighted_accuracy for its w1 = w4 and w2 = w4 and w3 = w4"


def test_other_relations_of_formulas_with_parameters() -> None:
    share = Parameter("share", 1, 9)
    mine = Metric("m", share.symbol * TP / (TP + FN) + 1, (share,))
    found = {match.metric: match for match in identified(mine, "tpr", "fnr")}
    assert found["tpr"].equation == "M = tpr*share + 1"
    assert (found["tpr"].relation, found["tpr"].status, found["tpr"].condition) == ("affine", "proved", None)
    assert found["fnr"].equation == "M = -fnr*share + share + 1"


def test_what_holds_for_all_parameters_is_told_beside_an_equality_for_some() -> None:
    w = Parameter("w", 0, 1)
    mine = Metric("m", (1 - w) * TP / (TP + FN), (w,))
    told = [(one.relation, one.equation, one.status) for one in identified(mine, "tpr") if one.metric == "tpr"]
    assert told == [("equal", "M = tpr if w = 0", "conditional"), ("affine", "M = tpr*(1 - w)", "proved")]


def test_differences_that_rounding_hides() -> None:
    found = {match.metric: (match.relation, match.equation) for match in sm.identify(f"1 + TP/(TP + FN)/{10**30}")}
    assert found["tpr"] == ("affine", f"M = tpr/{10**30} + 1")
    assert "precision" not in found
    known = {"near": Metric("near", 1 + TP / (TP + FP) / 10**30)}
    assert len(sm.identify(f"1 + TP/(TP + FN)/{10**30}", known=known)) == 1
    assert sm.identify(f"1 + TP/(TP + FN)/{10**30}", known=known)[0].relation == "transpose_of"


SMALL = ("tpr", "fnr", "precision", "f1", "jaccard", "yule_q", "yule_y", "accuracy", "kappa", "informedness")


@settings(max_examples=examples(15), deadline=None)
@given(
    st.sampled_from(SMALL),
    st.fractions(-9, 9, max_denominator=10**6).filter(bool),
    st.fractions(-9, 9, max_denominator=10**6),
    st.tuples(*[st.integers(1, 50)] * 4),
    st.tuples(*[st.integers(1, 50)] * 4),
)
def test_no_answer_contradicts_values(name: str, a: object, b: object, table: tuple, other: tuple) -> None:
    a, b = (Rational(x.numerator, x.denominator) for x in (a, b))
    subject = Metric("image", a * sm.metrics[name].expr + b)
    found = sm.identify(subject, known={key: sm.metrics[key] for key in SMALL})
    assert name in {match.metric for match in found}
    for match in found:
        known = sm.metrics[match.metric]
        left, _, right = match.equation.partition(" = ")
        if " at (" in right:
            order = [["TP", "FN", "FP", "TN"].index(cell) for cell in right.partition(" at (")[2][:-1].split(", ")]
            assert subject.exact(*table) == known.exact(*(table[place] for place in order))
            continue
        for cells in (table, other):
            values = {"M": subject.from_counts(*cells), match.metric: known.from_counts(*cells)}
            sides = [sm.parse_formula(side, ("M", match.metric)) for side in (left, right)]
            numbers = [float(side.subs({s: values[s.name] for s in side.free_symbols})) for side in sides]
            assert numbers[0] == pytest.approx(numbers[1], rel=1e-6, abs=1e-6)


# -- find --------------------------------------------------------------------------------------------------------------

FEW = ("mcc", "accuracy", "f1", "precision", "tpr", "informedness", "cwa")


def test_find_by_what_holds_and_what_does_not() -> None:
    assert list(sm.find(metrics=FEW, p1=True)) == ["accuracy", "informedness", "mcc"]
    assert list(sm.find(metrics=FEW, p1=True, actual_scaling=True)) == ["informedness"]
    assert list(sm.find(metrics=FEW, p2=True, p4=False)) == ["f1", "precision", "tpr"]
    assert list(sm.find(metrics=FEW, p1=None)) == []


def test_find_takes_what_the_command_line_takes() -> None:
    assert list(sm.find("p1=yes", " actual_scaling = no", metrics=FEW)) == ["accuracy", "mcc"]
    assert list(sm.find("p1=yes", metrics=FEW, actual_scaling=True)) == ["informedness"]
    for told in ("p1", "p1 and p2", ["f1", "mcc"]):
        with pytest.raises(InputError, match="is not a property with an answer; write it as p1=yes"):
            sm.find(told)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="'p1' is given more than once"):
        sm.find("p1=yes", p1=True)


def test_conditions_count_at_the_defaults() -> None:
    assert "cwa" not in sm.find(metrics=["cwa"], p1=True)
    assert "cwa(w=1/2)" in sm.find(metrics=[sm.metrics.cwa.at(w="1/2")], p1=True)


def test_a_condition_is_not_open() -> None:
    """On a parameter without a default p1 is neither yes nor no, and it is decided."""
    metric = weighted(0, 1)
    assert sm.prove(metric, "p1").status == "conditional"
    for wanted in (True, False, None):
        assert list(sm.find(metrics=[metric], p1=wanted)) == []


def test_find_agrees_with_prove_over_the_library() -> None:
    found = sm.find(p1=True, transpose=True, metrics=KNOWN)
    for name, metric in KNOWN.items():
        wanted = sm.prove(metric, "p1").holds is True and sm.prove(metric, "transpose").holds is True
        assert (name in list(found)) == wanted


def test_what_find_refuses() -> None:
    with pytest.raises(InputError, match="no property to look for"):
        sm.find()
    with pytest.raises(UnknownNameError, match="unknown property 'p_1'"):
        sm.find(p_1=True)
    with pytest.raises(InputError, match="p1='perhaps' is no answer; ask for p1=yes, p1=no or p1=open"):
        sm.find(p1="perhaps")
    with pytest.raises(InputError, match="p1=1 is no answer"):
        sm.find(p1=1)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="property 'null_invariance' is given more than once"):
        sm.find(p2=True, null_invariance=True)


def test_find_takes_the_words_of_the_command_line() -> None:
    few = ["f1", "mcc", "precision"]
    for said, meant in (("yes", True), ("No", False), (" open ", None)):
        assert list(sm.find(metrics=few, p2=said)) == list(sm.find(metrics=few, p2=meant))
    assert list(sm.find(metrics=few, p2="yes")) == ["f1", "precision"]


# -- the command line --------------------------------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_identify_on_the_command_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(identification, "metrics", sm.metrics if is_thorough() else KNOWN)
    status, out, _ = run(capsys, "identify", "1 - TP/(TP+FN)")
    assert status == 0
    assert out.splitlines()[1].split()[:2] == ["equal", "fnr"]
    status, out, _ = run(
        capsys, "identify", "w*TP/(TP+FN) + (1-w)*TN/(TN+FP)", "--param", "w in [0,1]", "--format", "json"
    )
    data = json.loads(out)
    assert status == 0
    assert (data["matches"][0]["metric"], data["matches"][0]["equation"]) == ("cwa", "M = cwa at its w = w")


@pytest.mark.thorough
def test_identify_says_what_holds_at_the_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    formula = "(c1*TP + c2*TN)/(c1*(TP + FN) + c2*(TN + FP))"
    declared = ("--param", "c1 in [0, 5] = 1", "--param", "c2 in [0, 5] = 1")
    status, out, _ = run(capsys, "identify", formula, *declared)
    assert status == 0
    assert out.splitlines()[0].endswith(", c1 in [0, 5] = 1, c2 in [0, 5] = 1")
    lines = {" ".join(line.split()) for line in out.splitlines()}
    assert "equal accuracy M = accuracy if c1 = c2, as by default" in lines
    assert not [line for line in lines if line.startswith("equal accuracy M = accuracy, where")]


def test_identify_stays_in_the_domain_of_the_known_metric() -> None:
    """In what the command line writes as JSON."""
    found = json.loads(json.dumps(identified(weighted(0, 5), "cwa", "tpr").to_dict()))
    (match,) = (match for match in found["matches"] if match["metric"] == "cwa")
    assert (match["status"], match["condition"]) == ("conditional", "w <= 1 and w >= 0")
    assert match["equation"] == "M = cwa at its w = w if 0 <= w <= 1"


def test_find_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "find", "p1=yes", "p2=no", "--metrics", "mcc,f1,accuracy")
    assert (status, out.split()) == (0, ["accuracy", "mcc"])
    status, out, told = run(capsys, "find", "p1=yes", "--metrics", "f1")
    assert (status, out.strip()) == (0, "")
    assert told == "symmetrics: none of the metrics is so; 'symmetrics possible p1=yes' says whether one can be\n"
    status, out, _ = run(capsys, "find", "p1=yes", "--metrics", "f1", "--format", "json")
    assert (status, json.loads(out)) == (0, [])


@in_one_test
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("identify", "TP/(TP+"), "is not a complete formula"),
        (("identify", "TP/(TP+q)"), "unknown name 'q'"),
        (("identify", "mccc"), "did you mean mcc"),
        (("find", "p1=yes", "p2"), "write it as p2=yes, p2=no or p2=open"),
        (("find", "p1=perhaps"), "p1='perhaps' is no answer; ask for p1=yes, p1=no or p1=open"),
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


def test_values_agree_wherever_there_are_both() -> None:
    nan = float("nan")
    assert agree(np.array([1.0, nan, 2.0, nan]), np.array([1.0, 3.0, nan, nan]))
    assert not agree(np.array([1.0, nan]), np.array([2.0, nan]))


# -- what is found does not hang on the values of parameters that are tried ----------------------------------------


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("formula", "at_zero"),
    [
        ("w*TP/(TP + FN)", set()),
        ("TP/(TP + FN) + w*FP", {"tpr equal", "fnr complement_of", "precision transpose_of", "tnr class_exchange_of"}),
        ("(w - 2)*TP/(TP + FN) + 1", set()),
        ("(TP + TN)/(TP + TN + w*(FN + FP))", set()),
    ],
)
def test_a_domain_with_its_end_has_the_matches_of_that_without_and_those_at_the_end(formula, at_zero):
    """At w = 0 the second formula is recall; otherwise nothing is different there."""
    known = {
        name: sm.metrics[name] for name in ("tpr", "fnr", "precision", "tnr", "accuracy", "bennett_s", "error_rate")
    }

    def found(domain):
        metric = Metric("mine", formula, (Parameter.parse(domain),))
        return {f"{match.metric} {match.relation}" for match in sm.identify(metric, known=known)}

    without = found("w in (0, 4]")
    assert found("w in [0, 4]") == without | at_zero
    assert found("w in (0, oo)") == without
    assert found("w in [0, oo)") == without | at_zero


def test_a_default_at_which_a_formula_is_constant_hides_nothing():
    """w*recall + 1 is constant at w = 0, and 1 + recall at w = 1: both times it is an affine function of recall."""
    for default in ("", " = 0", " = 1", " = 3"):
        metric = Metric("mine", "w*TP/(TP + FN) + 1", (Parameter.parse(f"w in [0, 4]{default}"),))
        matches = sm.identify(metric, known={name: sm.metrics[name] for name in ("tpr", "fnr")})
        general = {(match.metric, match.relation, match.status) for match in matches if not match.at}
        assert general == {("tpr", "affine", "proved"), ("fnr", "affine", "proved")}
