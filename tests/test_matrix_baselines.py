"""Constant baselines of many classes: means by hand and over all orders, and altered certificates."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from forging import altered, found_of
from sympy import Rational, sqrt, symbols

import symmetrics as sm
from symmetrics.checker import check
from symmetrics.checker.families import baselines as checking
from symmetrics.claims import ConstantMatrixBaseline, claim_from_dict
from symmetrics.claims.evidence import Decision, Evidence
from symmetrics.claims.verdict import Verdict
from symmetrics.matrices.nodes import C, ClassMean, i, j, over
from symmetrics.prover import decide
from symmetrics.prover.decide import decision_of
from symmetrics.prover.engine.expectations import matrices_of
from symmetrics.prover.engine.lemma import parts_of
from symmetrics.prover.engine.parts import proof_of
from symmetrics.tools.errors import CertificateError, FormulaError

KEY = "constant_baseline"
SUMS = [
    ((1, 1, 1), (1, 1, 1)),
    ((1, 2, 2), (3, 1, 1)),
    ((2, 1, 3), (1, 4, 1)),
    ((2, 3), (4, 1)),
    ((1, 1, 1, 2), (2, 1, 1, 1)),
]


@pytest.mark.parametrize(("rows", "columns"), SUMS)
def test_probabilities_are_those_of_a_random_order(rows: tuple[int, ...], columns: tuple[int, ...]) -> None:
    truth = [place for place, count in enumerate(rows) for _ in range(count)]
    predicted = [place for place, count in enumerate(columns) for _ in range(count)]
    found = Counter(tuple(sorted(zip(truth, order, strict=True))) for order in itertools.permutations(predicted))
    size, total = len(rows), found.total()
    expected = {
        tuple(pairs.count((row, column)) for row in range(size) for column in range(size)): Fraction(count, total)
        for pairs, count in found.items()
    }
    assert {matrix: Fraction(int(w.p), int(w.q)) for w, matrix in matrices_of(rows, columns)} == expected


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "classes", "value"),
    [
        ("balanced_accuracy", 2, "1/2"),
        ("balanced_accuracy", 3, "1/3"),  # a class is found with the share of its predictions, and these add up to 1
        ("adjusted_balanced_accuracy", 3, "0"),
        ("kappa", 3, "0"),
        ("kappa_linear", 3, "0"),
        ("mcc", 2, "0"),
    ],
)
def test_means_that_are_known(name: str, classes: int, value: str) -> None:
    verdict = sm.prove(sm.multiclass[name], KEY, k=classes)
    assert (verdict.status, verdict.value, verdict.evidence.kind) == ("proved", value, "affine in matrices")
    assert sm.prove(sm.multiclass[name], KEY, k=classes).evidence.data["parts"].keys() >= {"independence"}
    sm.check(verdict)


def test_means_by_hand() -> None:
    """One example of each class: 2 right of 6 orders have 3, 3 have 1 and 2 none.  With two of class 3: 3/8."""
    verdict = sm.prove(sm.multiclass["accuracy"], KEY, k=3)
    assert verdict.value == (
        "1/3 at row sums (1, 1, 1) and column sums (1, 1, 1), 3/8 at row sums (1, 1, 2) and column sums (1, 1, 2)"
    )
    first, second = verdict.to_dict()["value"]["expectations"]
    assert (first, second["mean"], second["rows"]) == (
        {"mean": "1/3", "rows": [1, 1, 1], "columns": [1, 1, 1]},
        "3/8",
        [1, 1, 2],
    )


def test_neither_half_of_the_lemma_is_enough() -> None:
    """The share on the diagonal is affine; the square of kappa is 0 wherever predictions and truth are independent."""
    share = sm.MulticlassMetric("share", over(C[i, i], i) / over(C[i, j], i, j))
    square = sm.MulticlassMetric("square", sm.multiclass["kappa"].definition ** 2)
    for metric in (share, square):
        assert metric.prove(KEY, 2).status == "refuted", metric.name
    assert square.prove("independence_value", 2).status == "proved"


def test_affine_along_each_move_is_not_affine() -> None:
    """The product of two entries less their means is affine along every move by itself; its mean is a covariance."""
    entries = symbols("c_1_1 c_1_2 c_1_3 c_2_1 c_2_2 c_2_3 c_3_1 c_3_2 c_3_3", real=True)
    rows, n = [sum(entries[3 * i : 3 * i + 3]) for i in range(3)], sum(entries)
    columns = [sum(entries[j::3]) for j in range(3)]
    product = (entries[4] - rows[1] * columns[1] / n) * (entries[8] - rows[2] * columns[2] / n)
    claim = ConstantMatrixBaseline(product, (), tuple(entry.name for entry in entries))
    verdict = decide(claim, metric="own", property="own")
    check(verdict)
    assert verdict.status == "refuted"
    parts = {name: decision_of(part) for name, part in parts_of(claim).items()}
    alone = ["independence", *(f"affinity {move} {move}" for move in ("(2, 2)", "(2, 3)", "(3, 2)", "(3, 3)"))]
    assert {parts[name].status for name in alone} == {"proved"}
    proved = {name: parts[name].record() for name in alone}
    with pytest.raises(CertificateError, match="a part of the proof is missing"):
        check(forged(claim, proved, "0", [[1, 1, 1], [1, 1, 1]]))


def test_with_a_parameter_the_default_is_decided() -> None:
    weight = sm.Parameter.parse("w in (0, 1] = 1/2")
    mine = sm.MulticlassMetric("mine", weight.symbol * ClassMean(sm.TP / (sm.TP + sm.FN)), (weight,))
    verdict = mine.prove(KEY, 2)
    assert (verdict.status, verdict.holds) == ("open", True)
    assert mine.at(w=Rational(1, 3)).prove(KEY, 2).value == "1/6"


# -- claims and certificates -------------------------------------------------------------------------------------------


def test_a_claim_is_about_a_square_matrix() -> None:
    claim = ConstantMatrixBaseline(sm.TP, (), ("a", "b", "c", "d"))
    assert claim_from_dict(claim.to_dict() | {"subject": "a"}).over == ("a", "b", "c", "d")
    for over_ in (("a", "b", "c"), ("a",), ("a", "a", "b", "c")):
        with pytest.raises(FormulaError):
            ConstantMatrixBaseline(sm.TP, (), over_)


def test_the_proof_of_one_metric_is_none_of_another() -> None:
    proof = sm.prove(sm.multiclass["kappa"], KEY, k=2)
    for name in ("accuracy", "cba", "mavg"):
        claim = sm.multiclass_properties[KEY].of(sm.multiclass[name], 2)
        with pytest.raises(CertificateError):
            sm.check(Verdict.of(proof.decision, claim, metric=f"{name} of 2 classes", property=KEY))


@pytest.mark.parametrize("name", ["cba", "cen"])
def test_equal_expectations_refute_nothing(name: str) -> None:
    verdict = sm.prove(sm.multiclass[name], KEY, k=2)
    first, _ = verdict.evidence.data["margins"]
    with pytest.raises(CertificateError, match="no difference is shown"):
        sm.check(altered(verdict, {"/certificate/margins": [first, first], "/value": None}))


def forged(claim: ConstantMatrixBaseline, records: dict[str, Any], value: str, margins: list[list[int]]) -> Verdict:
    evidence = Evidence("affine in matrices", {"parts": records, "margins": margins})
    return Verdict.of(
        Decision("proved", True, evidence, found=found_of(value, claim)), claim, metric="own", property="own"
    )


def test_a_part_is_believed_for_its_own_claim_alone() -> None:
    """Accuracy is affine, and 8/15 at the example and on average for these sums; it is not constant at rank one."""
    accuracy, kappa = (sm.multiclass_properties[KEY].of(sm.multiclass[name], 2) for name in ("accuracy", "kappa"))
    records = {name: decision_of(part).record() for name, part in parts_of(accuracy).items()}
    records["independence"] = decision_of(parts_of(kappa)["independence"]).record()
    with pytest.raises(CertificateError):
        check(forged(accuracy, records, "8/15", [[5, 10], [6, 9]]))


def test_a_formula_that_is_real_at_some_matrices_alone_has_no_proof() -> None:
    """It is 1 wherever it is real, as at all matrices with these sums."""
    entries = symbols("c_1_1 c_1_2 c_2_1 c_2_2", real=True)
    one, other = entries[0] - entries[1], 2 * entries[0] - entries[1]
    claim = ConstantMatrixBaseline(sqrt(one) * sqrt(other) / sqrt(one * other), (), tuple(e.name for e in entries))
    assert decide(claim, metric="own", property="own").status == "open"
    records = {name: proof_of(part).record() for name, part in parts_of(claim).items()}
    with pytest.raises(CertificateError, match="not real everywhere"):
        check(forged(claim, records, "1", [[4, 1], [4, 1]]))


def test_all_matrices_of_given_sums_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = sm.prove(sm.multiclass["cba"], KEY, k=2)
    found = checking._matrices
    monkeypatch.setattr(checking, "_matrices", lambda *sums: itertools.islice(found(*sums), 1, None))
    with pytest.raises(CertificateError, match="do not add up to one"):
        sm.check(verdict)
