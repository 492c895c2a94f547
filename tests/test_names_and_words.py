"""What a certificate says is rebuilt from metric, property and evidence: no name, value or sentence is believed."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from effort import in_one_test, some
from forging import restated, reworded
from sympy import Rational

import symmetrics as sm
from symmetrics.claims.property import Property
from symmetrics.claims.values import Range
from symmetrics.claims.verdict import Verdict
from symmetrics.matrices.deciding import REDUCTIONS
from symmetrics.metric.priors import PURITY, prove_in_rates
from symmetrics.prover.acceptance import decide_and_check
from symmetrics.query.relations import relate, relations
from symmetrics.repository.certificates import checked
from symmetrics.tools.errors import CertificateError

Data = dict[str, Any]

# Every kind of evidence that the library's verdicts have, with the statuses that it can lead to.
PROVED = [
    ("precision", "p2"), ("mcc", "p1"), ("cwa", "p1"), ("jaccard", "p3"), ("cwa", "p2"), ("weighted_accuracy", "p3"),
    ("f1", "increasing_tp"), ("iba_gmean", "increasing_tn"), ("f_beta", "decreasing_fn"), ("lift", "increasing_tp"),
    ("kappa", "antisymmetric"), ("mcc", "antisymmetric"), ("cwa", "monotone"), ("f1", "strongly_monotone"),
    ("mcc", "symmetry_group"), ("cwa", "symmetry_group"), ("f2", "symmetry_group"),
    ("f1", "translation_space"), ("mcc", "translation_space"), ("gmean", "scaling_space"),
    ("f1", "decomposable"), ("mcc", "decomposable"), ("cwa", "decomposable"),
    ("kappa", "tn_limit"), ("lift", "tn_limit"), ("tversky", "prevalence_limit"),
    ("kappa", "range"), ("lift", "range"), ("wauc", "range"), ("kappa", "defined"), ("accuracy", "defined"),
    ("f1", "max_agreement"), ("cwa", "max_agreement"), ("lift", "max_agreement"), ("f1", "min_agreement"),
    ("kappa", "constant_baseline"), ("f1", "constant_baseline"), ("cwa", "constant_baseline"),
    ("mcc", "independence_value"), ("diagnostic_odds_ratio", "constant_baseline"),
]  # fmt: skip
RELATED = [
    ("jaccard", "f1", "less_equal"), ("f1", "accuracy", "less_equal"), ("f1", "jaccard", "rank_equivalent"),
    ("f1", "mcc", "rank_equivalent"), ("jaccard", "jaccard_distance", "complement_of"), ("f1", "kappa", "equal"),
    ("recall", "precision", "transpose_of"),
]  # fmt: skip


def certificate(metric: str, key: str) -> Data:
    return copy.deepcopy(sm.prove(metric, key).certificate())


def accepts(verdict: Callable[[], Verdict]) -> bool:
    try:
        sm.check(verdict())
    except CertificateError:
        return False
    return True


def passes(data: Data) -> bool:
    """Whether a certificate passes, with words that are made of the rest: its evidence alone has to reject it."""
    return accepts(lambda: reworded(data))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("metric", "key"), PROVED)
def test_no_name_can_be_replaced_by_another(metric: str, key: str) -> None:
    data = certificate(metric, key)
    claim = sm.properties[key].claim(sm.metrics[metric])
    for other in ("specificity_like", "mine"):
        assert passes(data | {"metric": other})  # it is about the formula that it holds, and about no metric
    names = ("kappa", "accuracy", "MCC", "F1", "Kappa", "recall", f"{metric} ", f"{metric}(x=1)", "TP/TN")
    for other in names:
        same = other in set(sm.metrics) and sm.properties[key].claim(sm.metrics[other]) == claim
        assert same or not passes(data | {"metric": other}), other
    aliases = sm.properties[key].aliases
    for other in (
        *some(sm.properties, 20, f"{metric} {key}"),
        *aliases,
        key.upper(),
        f"{key} ",
        f"my_{key}",
        f"equal:{key}",
        "less_equal:kappa",
        "",
    ):
        same = other in set(sm.properties) and sm.properties[other].claim(sm.metrics[metric]) == claim
        assert same or not passes(data | {"property": other}), other


@in_one_test
@pytest.mark.parametrize(("first", "second", "relation"), RELATED)
def test_no_name_in_the_certificate_of_a_relation_can_be_replaced(first: str, second: str, relation: str) -> None:
    verdict = relate(first, second, relation)
    data = verdict.certificate()
    for metric in ("accuracy", "kappa", first.upper(), "gmean"):
        assert not passes(data | {"metric": metric})
    for name in (f"{relation}:gmean", f"{relation}:{second.upper()}", f"negation_of:{second}", f"{relation}:", "p1"):
        assert not passes(data | {"property": name}), name


def test_the_names_of_a_relation_are_not_believed() -> None:
    verdict = relate("jaccard", "f1", "less_equal")
    sm.check(verdict)
    with pytest.raises(CertificateError, match="another statement than less_equal:kappa of accuracy"):
        sm.check(replace(verdict, metric="accuracy", property="less_equal:kappa"))
    with pytest.raises(CertificateError):
        sm.check_relation(replace(verdict, metric="iou"))  # an alias of jaccard
    with pytest.raises(CertificateError):
        sm.check_relation(replace(verdict, property="at_most:f1"))


def test_reductions_and_forms_in_rates_are_what_they_name() -> None:
    first, second = (r for r in REDUCTIONS if r.name in ("cba of two classes", "accuracy of two classes"))
    verdict = first.decide()
    sm.check(verdict)
    for lie in ({"metric": second.name}, {"property": second.statement}, {"metric": "cba", "property": "p1"}):
        with pytest.raises(CertificateError):
            sm.check(replace(verdict, **lie))
    with pytest.raises(CertificateError):
        sm.check(replace(verdict, metric=second.name, property=second.statement))
    found = prove_in_rates(sm.metrics["precision"], PURITY)
    sm.check(found)
    sm.check(prove_in_rates(sm.metrics["precision"]))
    for lie in ({"property": "in_rates:TPr"}, {"property": "in_rates:("}, {"metric": "recall"}, {"metric": "tpr"}):
        with pytest.raises(CertificateError):
            sm.check(replace(found, **lie))


def test_what_identify_finds_is_what_it_names() -> None:
    b = sm.Parameter("b", 0, 1)
    mixed = sm.Metric("mixed", sm.parse_formula("b*TP/(TP + FN) + (1 - b)*TN/(TN + FP)", ("b",)), (b,))
    (match,) = sm.identify(mixed, known={"cwa": sm.metrics.cwa})
    assert match.verdict.property == "equal:cwa at w = b"
    sm.check(match.verdict)
    for name in (
        "equal:cwa at w = 1 - b",
        "equal:cwa at v = b",
        "equal:cwa at w",
        "equal:wauc at rho = b",
        "equal:cwa",
    ):
        with pytest.raises(CertificateError):
            sm.check(replace(match.verdict, property=name))
    # An equality at a setting holds for all values that the setting allows. A metric that is cwa where b is at least
    # 1/2 is not cwa, however narrow a domain the certificate names.
    b, narrow = sm.Parameter("b", 0, 1), sm.Parameter("b", Rational(1, 2), 1)
    mixed = sm.Metric(
        "mixed", sm.parse_formula("TP/(TP + FN)*Max(b, 1/2) + TN/(TN + FP)*(1 - Max(b, 1/2))", ("b",)), (b,)
    )
    cwa = sm.metrics["cwa"].expr.xreplace({sm.metrics["cwa"].parameters[0].symbol: b.symbol})
    claim = relations["equal"].claim_of(mixed.expr, cwa, (narrow,))
    verdict = decide_and_check(claim, metric="mixed", property="equal:cwa at w = b")
    assert verdict.status == "proved"
    with pytest.raises(CertificateError, match="another statement"):
        sm.check(verdict, mixed)


# -- metrics and properties that the library does not have -----------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    "name",
    [
        *("F1", "f1 ", "F-1", "f\N{MATHEMATICAL BOLD DIGIT ONE}", "Recall", "Cohen's KAPPA", "m\u0441c"),
        *("CWA(w=1/2)", "cwa (w=1/2)", "F-measure (beta=2)", "m\u0441c(prior=1/10)", "cwa(w=1/2) (prior=1/10) "),
        "cwa\N{FULLWIDTH LEFT PARENTHESIS}w=1/2\N{FULLWIDTH RIGHT PARENTHESIS}",
    ],
)
def test_a_name_that_is_nearly_one_of_the_library_is_no_name_for_another_formula(name: str) -> None:
    mine = sm.Metric(name, sm.parse_formula("TP/(TP + 2*FN)"))
    verdict = sm.prove(mine, "p2")
    with pytest.raises(CertificateError, match="another spelling"):
        sm.check(verdict)
    sm.check(verdict, mine)


def test_names_of_ones_own_and_of_formulas() -> None:
    # A metric of one's own is checked for the formula that the verdict holds.
    mine = sm.Metric("mine", sm.parse_formula("TP/(TP + 2*FN)"))
    verdict = sm.prove(mine, "p2")
    sm.check(verdict)
    sm.check(verdict, mine)
    with pytest.raises(CertificateError):
        sm.check(verdict, sm.Metric("mine", sm.parse_formula("TP/(TP + 3*FN)")))
    sm.check(relate(mine, "f1", "less_equal"))
    sm.check(relate("f1", mine, "less_equal"), partner=mine)
    with pytest.raises(CertificateError):
        sm.check(relate("f1", mine, "less_equal"), partner=sm.Metric("mine", sm.parse_formula("TP/(TP + FP)")))
    # A name that is a formula is that formula.
    verdict = sm.prove(sm.parse_formula("2*(TP + FN)/(TP + FN + FP)"), "p1")
    sm.check(verdict)
    for name in ("TP/(TP + FN)", "(TP + FN)/(TP + FN + FP)"):
        with pytest.raises(CertificateError):
            sm.check(replace(verdict, metric=name))
    # Bound parameters are those of the name.
    cwa = sm.metrics["cwa"].at(w="1/2")
    for metric in (cwa, sm.metrics["precision"].at_prior("1/10"), cwa.at_prior("1/10")):
        verdict = sm.prove(metric, "p3")
        sm.check(verdict)
        for name in ("cwa(w=1/3)", "cwa(w=7)", "cwa(v=1)", "precision(prior=1/9)", "cwa(prior=1/10)", "cwa( w=1/2)"):
            with pytest.raises(CertificateError):
                sm.check(replace(verdict, metric=name))
    # A value that is spelled in another way is another name.
    verdict = sm.prove(sm.metrics["cwa"].at(w="1/2"), "p3")
    for name in ("cwa(w=2/4)", "cwa(w=0.5)"):
        with pytest.raises(CertificateError, match=r"another spelling of cwa\(w=1/2\)"):
            sm.check(replace(verdict, metric=name))


def test_a_property_that_is_not_in_the_library_has_to_be_passed() -> None:
    mine = Property("mine", "M(TP, FN, FP, t) = M(TP, FN, FP, TN)", sm.properties["p2"].claim)
    verdict = sm.prove("tpr", mine)
    with pytest.raises(CertificateError, match="no property of that name"):
        sm.check(verdict)
    sm.check(verdict, property=mine)
    with pytest.raises(CertificateError):
        sm.check(verdict, property=replace(mine, claim=sm.properties["p5"].claim))
    with pytest.raises(CertificateError):
        sm.check(verdict, property="p2")


def test_a_file_tells_which_names_are_not_known(tmp_path: Path) -> None:
    mine = sm.Metric("mine", sm.parse_formula("TP/(TP + 2*FN)"))
    entries = [sm.prove(metric, "p2").certificate() for metric in ("tpr", mine)]
    file = tmp_path / "some.json"
    file.write_text(json.dumps(entries), encoding="utf-8")
    assert [(found.metric, found.formula) for found in checked(file)] == [("tpr", None), ("mine", "TP/(2*FN + TP)")]
    for lie in ({"metric": "MCC"}, {"metric": "F1"}, {"metric": "Kappa"}, {"property": "P2", "metric": "kappa"}):
        file.write_text(json.dumps([entries[0] | lie]), encoding="utf-8")
        with pytest.raises(CertificateError):
            list(checked(file))


# -- words -------------------------------------------------------------------------------------------------------------


def test_a_verdict_says_what_its_parts_say_whatever_it_was_made_from() -> None:
    verdict = sm.prove("kappa", "range")
    assert verdict.evidence.sentence.startswith("M >= -1, approached at")
    forged = copy.deepcopy(verdict.certificate())
    forged["evidence"] = forged["evidence"].replace("-1", "-5").replace("M <= 1", "M <= 7")
    read = Verdict.from_certificate(forged)
    assert str(read) == str(verdict)
    with pytest.raises(CertificateError, match="another sentence"):
        sm.check(read)
    for lie, reason in (({"text": "(-1, 7)"}, "another value"), ({"upper": "7"}, "the range is another one")):
        with pytest.raises(CertificateError, match=reason):
            sm.check(Verdict.from_certificate(verdict.certificate() | {"value": {**forged["value"], **lie}}))


def test_values_are_data() -> None:
    found = {
        key: sm.prove(metric, key).to_dict()["value"]
        for metric, key in (
            ("kappa", "range"), ("kappa", "tn_limit"), ("tpr", "symmetry_group"), ("f1", "translation_space"),
            ("cwa", "decomposable"), ("kappa", "defined"), ("mcc", "independence_value"), ("f1", "constant_baseline"),
        )
    }  # fmt: skip
    assert found["range"] == {
        "kind": "range", "text": "(-1, 1)", "lower": "-1", "upper": "1",
        "lower_attained": False, "upper_attained": False,
    }  # fmt: skip
    assert found["tn_limit"] == {"kind": "limit", "text": "2*TP/(FN + FP + 2*TP)", "limit": "2*TP/(FN + FP + 2*TP)"}
    symmetries = [(member["image"], member["permutation"]) for member in found["symmetry_group"]["symmetries"]]
    assert symmetries == [("M", "identity"), ("M", "(FP TN)"), ("1-M", "(TP FN)"), ("1-M", "(TP FN)(FP TN)")]
    assert found["translation_space"] == {
        "kind": "space", "text": "span{(0, 1, -1, 0), (0, 0, 0, 1)}", "basis": [[0, 1, -1, 0], [0, 0, 0, 1]],
        "is_complete": True,
    }  # fmt: skip
    ratios = {case["condition"]: case["value"] and case["value"]["ratios"] for case in found["decomposable"]["cases"]}
    assert ratios == {
        "w = 0": [{"ratio": "TN/(FP + TN)", "condition": None}],
        "w != 0 and w != 1": None,
        "w = 1": [{"ratio": "TP/(FN + TP)", "condition": None}],
    }
    assert found["defined"]["faces"][0] == {"zero": ["TP", "FN", "FP"], "tends_to": "no limit"}
    assert found["independence_value"] == {"kind": "constant", "text": "0", "constant": "0"}
    assert found["constant_baseline"]["expectations"] == [
        {"mean": "1/2", "n": 2, "P": 1, "OP": 1},
        {"mean": "1/3", "n": 3, "P": 1, "OP": 1},
    ]


def test_equations_have_no_value_and_open_verdicts_say_so() -> None:
    # An equation has no value.
    for metric, key in (("f1", "p2"), ("f1", "increasing_tp"), ("f1", "monotone")):
        with pytest.raises(CertificateError):
            sm.check(restated(sm.prove(metric, key), "(0, 7)"))
    # An open verdict says so first.
    for metric in (sm.Metric("odd", sm.parse_formula("TP**w", ("w",)), (sm.Parameter("w"),)), sm.metrics["f1"]):
        # The power has a parameter without a default, so that most of its verdicts are open.
        for key in sm.properties if metric.name == "odd" else some(sm.properties, 20, metric.name):
            verdict = sm.prove(metric, key)
            assert (verdict.status == "open") == verdict.evidence.sentence.startswith("open: "), key
            assert "open: open" not in verdict.evidence.sentence
            if verdict.status == "open":
                sm.check(verdict)
                for lie in (
                    {"found": Range("0", "7", False, False)},
                    {"holds": True},
                    {"condition": sm.prove("cwa", "p1").condition},
                ):
                    with pytest.raises(CertificateError):
                        sm.check(replace(verdict, **lie))
