"""Symmetry groups, definedness and baselines of many classes: what is known by hand, and altered certificates."""

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
from symmetrics.claims import ConstantMatrixBaseline, DefinedAtAllMatrices, MatrixSymmetryGroup, claim_from_dict
from symmetrics.claims.evidence import Decision, Evidence
from symmetrics.claims.families.groups import rearrangements
from symmetrics.claims.verdict import Verdict
from symmetrics.matrices.nodes import C, ClassMean, i, j, over
from symmetrics.prover import decide
from symmetrics.prover.decide import decision_of
from symmetrics.prover.engine.expectations import matrices_of, parts_of
from symmetrics.prover.engine.parts import proof_of
from symmetrics.tools.errors import CertificateError, FormulaError

SHARE = over(C[i, i], i) / over(C[i, j], i, j)


def group(name: str, classes: int) -> dict[str, list[str]]:
    verdict = sm.prove(sm.multiclass[name], "symmetry_group", k=classes)
    sm.check(verdict)
    parts = (part.partition(": ") for part in str(verdict.value).split("; "))
    return {image: members.split(", ") for image, _, members in parts}


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("name", "classes", "sizes"),
    [
        ("accuracy", 2, {"M": 4, "1-M": 4}),  # exchanging the columns makes right of wrong
        ("mcc", 2, {"M": 4, "-M": 4}),
        ("balanced_accuracy", 2, {"M": 2, "1-M": 2}),  # recall is not transposed into itself
        ("kappa", 2, {"M": 4}),
        ("rci", 2, {"M": 4}),  # information does not see what a column is called
        ("accuracy", 3, {"M": 12}),  # six orders of the classes, and transposition
        ("balanced_accuracy", 3, {"M": 6}),
        # Six orders of the rows and six of the columns, which takes as long to prove as all of the others.
        pytest.param("rci", 3, {"M": 36}, marks=pytest.mark.thorough),
        ("kappa_linear", 3, {"M": 4}),  # of three classes in a row only the two ends can be exchanged
    ],
)
def test_groups_that_are_known(name: str, classes: int, sizes: dict[str, int]) -> None:
    assert {image: len(members) for image, members in group(name, classes).items()} == sizes


def test_rows_and_columns_have_orders_of_their_own() -> None:
    """As those of relative classifier information of three classes have, which is no polynomial."""
    mine = sm.MulticlassMetric("mine", over(over(C[i, j], j) ** 2, i) / over(C[i, j], i, j) ** 2)
    verdict = mine.prove("symmetry_group", 3)
    sm.check(verdict, mine)
    (members,) = str(verdict.value).split("; ")
    assert members.startswith("M: identity, ")
    assert len(members.split(", ")) == 36


def test_the_group_says_what_the_other_laws_say() -> None:
    for name in ("accuracy", "balanced_accuracy", "kappa", "mavg"):
        members = group(name, 2)["M"]
        for key, member in (("relabelling", "classes (1 2)"), ("transpose", "transposed")):
            assert (member in members) is sm.prove(sm.multiclass[name], key, k=2).holds, (name, key)


@pytest.mark.parametrize("key", ["constant_baseline", "defined", "symmetry_group"])
def test_a_binary_metric_is_a_metric_of_two_classes(key: str) -> None:
    for name in ("accuracy", "kappa", "mcc"):
        assert sm.prove(sm.multiclass[name], key, k=2).status == sm.prove(name, key).status


def test_rearrangements_are_a_group() -> None:
    found = rearrangements(3)
    assert len(found) == len(set(found.values())) == 72
    chosen = ("rows (1 2)", "rows (2 3) columns (1 2 3) transposed")
    for first in (one for one, name in found.items() if name in chosen):
        assert {tuple(matrix[place] for place in first) for matrix in found} == set(found)


def test_without_symmetry_the_claim_is_refuted() -> None:
    a, b, c, d = entries = symbols("a b c d", real=True)
    for formula, status, value in (
        ((a + 2 * b) / (a + 2 * b + 3 * c + 5 * d), "refuted", "M: identity"),
        ((a + b) / (a + b + c + d), "proved", "M: identity, columns (1 2); 1-M: rows (1 2), classes (1 2)"),
        (a / d, "proved", "M: identity, transposed; 1/M: classes (1 2), classes (1 2) transposed"),
    ):
        claim = MatrixSymmetryGroup(formula, (), tuple(entry.name for entry in entries))
        verdict = decide(claim, metric="own", property="own")
        assert (verdict.status, verdict.value) == (status, value)
        check(verdict)


@pytest.mark.parametrize(
    ("metric", "status"),
    [
        (sm.MulticlassMetric("share", SHARE), "proved"),
        (sm.MulticlassMetric("root", sqrt(SHARE)), "open"),  # a quotient under the root: its coefficients say nothing
        (sm.MulticlassMetric("recall", ClassMean(sm.TP / (sm.TP + sm.FN))), "refuted"),
        (sm.MulticlassMetric("raised", ClassMean(sm.TP / (sm.TP + sm.FN + 1))), "proved"),
    ],
)
def test_where_metrics_of_ones_own_have_values(metric: sm.MulticlassMetric, status: str) -> None:
    for classes in (2, 3):
        verdict = metric.prove("defined", classes)
        assert verdict.status == status
        sm.check(verdict, metric=metric)


# -- altered certificates ----------------------------------------------------------------------------------------------


def test_the_proof_of_one_metric_is_none_of_another() -> None:
    for key, sound, family in (
        ("defined", "accuracy", DefinedAtAllMatrices),
        ("symmetry_group", "rci", MatrixSymmetryGroup),
    ):
        proof = sm.prove(sm.multiclass[sound], key, k=2)
        claim = sm.multiclass_properties[key].of(sm.multiclass["mavg"], 2)
        assert isinstance(claim, family)
        with pytest.raises(CertificateError):
            sm.check(Verdict.of(proof.decision, claim, metric="mavg of 2 classes", property=key))


def test_a_divisor_that_may_vanish_has_no_proof() -> None:
    """Without the minus it is positive; the checker has to look at every coefficient."""
    a, b, c, d = entries = symbols("a b c d", real=True)
    proof = sm.prove(sm.multiclass["accuracy"], "defined", k=2).decision
    for divisor, accepted in (
        (a + b + c + d, True),
        (a + b + d - c, False),
        (a + b + d, False),
        (a**2 + b + c + d, True),
    ):
        claim = DefinedAtAllMatrices(a / divisor, (), tuple(entry.name for entry in entries))
        verdict = Verdict.of(proof, claim, metric="own", property="own")
        if accepted:
            check(verdict)
            continue
        with pytest.raises(CertificateError, match="may be in the way"):
            check(verdict)


def test_a_rearrangement_that_is_refuted_is_no_member() -> None:
    """Its part is true, and says the contrary of what it would stand for."""
    verdict = sm.prove(sm.multiclass["kappa"], "symmetry_group", k=2)
    assert isinstance(verdict.claim, MatrixSymmetryGroup)
    (rows,) = (one for one, name in verdict.claim.names.items() if name == "rows (1 2)")
    part = decision_of(verdict.claim.part(rows, "M"))
    assert part.status == "refuted"
    value = "M: identity, rows (1 2), classes (1 2), transposed, classes (1 2) transposed"
    with pytest.raises(CertificateError, match="not shown to be a symmetry"):
        sm.check(altered(verdict, {"/certificate/parts/M: rows (1 2)": part.record(), "/value": value}))


# Constant baselines of many classes: means by hand and over all orders, and altered certificates.

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


def test_the_baseline_of_one_metric_is_none_of_another() -> None:
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
