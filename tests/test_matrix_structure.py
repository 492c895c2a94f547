"""Symmetry groups and definedness of many classes: what is known by hand, and altered certificates."""

from __future__ import annotations

import pytest
from forging import altered
from sympy import sqrt, symbols

import symmetrics as sm
from symmetrics.checker import check
from symmetrics.claims import DefinedAtAllMatrices, MatrixSymmetryGroup
from symmetrics.claims.families.groups import rearrangements
from symmetrics.claims.verdict import Verdict
from symmetrics.matrices.nodes import C, ClassMean, i, j, over
from symmetrics.prover import decide
from symmetrics.prover.decide import decision_of
from symmetrics.tools.errors import CertificateError

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
