"""Constant baselines of many classes: means by hand and over all orders, and altered certificates."""

from __future__ import annotations

import copy
import itertools
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from sympy import Rational

import symmetrics as sm
from symmetrics.claims import ConstantMatrixBaseline, claim_from_dict
from symmetrics.claims.verdict import Verdict
from symmetrics.matrices.nodes import C, ClassMean, i, j, over
from symmetrics.prover.families.matrix_baselines import matrices_of
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


def _altered(verdict: Verdict, **changes: Any) -> Verdict:
    data = copy.deepcopy(verdict.certificate())
    for path, value in changes.items():
        *way, last = path.split("__")
        place = data
        for key in way:
            place = place[key]
        if value is None:
            del place[last]
        else:
            place[last] = value
    return Verdict.from_certificate(data)


@pytest.mark.parametrize(
    "changes",
    [
        {"certificate__margins": [[[1, 1], [1, 1]], [[1, 1], [1, 1]]]},
        {"certificate__margins": [[[1, 1], [1, 1]], [[1, 2], [1, 1]]]},
        {"certificate__margins": [[[1, 1], [1, 1]], [[0, 3], [1, 2]]]},
        {"certificate__margins": [[[1, 1], [1, 1]], [[1, 1, 1], [1, 1, 1]]]},
        {"certificate__margins": [[[1, 1], [1, 1]], [[20, 21], [20, 21]]]},
        {"certificate__margins": [[[1, 1], [1, 1]]]},
        {"certificate__margins": [[[1, 1], [1, 1]], [[1, 2.0], [1, 2]]]},
        {"value": "1/2 at row sums (1, 1) and column sums (1, 1), 1/4 at row sums (1, 2) and column sums (2, 1)"},
        {"status": "proved", "holds": True},
        {"holds": True},
        {"status": "open", "holds": None},
    ],
)
def test_an_altered_refutation_is_refused(changes: dict[str, Any]) -> None:
    verdict = sm.prove(sm.multiclass["cba"], KEY, k=2)
    sm.check(verdict)
    with pytest.raises(CertificateError):
        sm.check(_altered(verdict, **changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"value": "1/2"},
        {"value": "c_1_1"},
        {"certificate__margins": [[1, 1], [1, 1, 1]]},
        {"certificate__margins": [[0, 2], [1, 1]]},
        {"certificate__parts__independence": None},
        {"certificate__parts__affinity (2, 2) (2, 2)": None},
        {"certificate__parts__affinity (2, 2) (2, 2)__status": "refuted"},
        {"status": "refuted", "holds": False},
    ],
)
def test_an_altered_proof_is_refused(changes: dict[str, Any]) -> None:
    verdict = sm.prove(sm.multiclass["kappa"], KEY, k=2)
    sm.check(verdict)
    with pytest.raises(CertificateError):
        sm.check(_altered(verdict, **changes))


def test_the_proof_of_one_metric_is_none_of_another() -> None:
    proof = sm.prove(sm.multiclass["kappa"], KEY, k=2)
    for name in ("accuracy", "cba", "mavg"):
        claim = sm.multiclass_properties[KEY].of(sm.multiclass[name], 2)
        with pytest.raises(CertificateError):
            sm.check(Verdict.of(proof.decision, claim, metric=f"{name} of 2 classes", property=KEY))
