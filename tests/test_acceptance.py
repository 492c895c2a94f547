"""Whatever the prover says, nothing is given out that the checker does not accept."""

from __future__ import annotations

from typing import Any

import pytest

import symmetrics as sm
from symmetrics import FN, FP, TN, TP, Metric
from symmetrics.claims.verdict import Verdict
from symmetrics.matrices.deciding import REDUCTIONS
from symmetrics.metric.priors import is_homogeneous, prove_in_rates
from symmetrics.prover.acceptance import accepted_decision
from symmetrics.prover.decide import decision_of

TRUE = sm.properties["p2"].claim(sm.metrics["f1"])


@pytest.fixture
def lying_prover(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the prover call everything proved, with the evidence of something else."""
    proof = decision_of(TRUE)
    assert proof.status == "proved"

    def verdict(claim: Any, *, metric: str, property: str) -> Verdict:
        return Verdict.of(proof, claim, metric=metric, property=property)

    monkeypatch.setattr("symmetrics.prover.acceptance.decide", verdict)
    monkeypatch.setattr("symmetrics.prover.decide_or_at_defaults", verdict)


@pytest.mark.usefixtures("lying_prover")
def test_a_lie_leaves_every_answer_open() -> None:
    mine = Metric("mine", TP / (TP + 2 * FN + FP * TN))
    assert sm.prove(mine, "p1").status == "open"
    assert "could not be re-verified" in sm.prove(mine, "p4").evidence.sentence
    assert sm.relate("f1", "accuracy", "equal").status == "open"
    assert prove_in_rates(sm.metrics["precision"], sm.priors.POSITIVE_FRACTION).status == "open"
    assert not is_homogeneous(mine)
    assert accepted_decision(sm.properties["p1"].claim(sm.metrics["f1"])).status == "open"
    false = next(r for r in REDUCTIONS if r.name == "mcc permuted by (1 2), k=2")
    wrong = type(false)(false.name, false.statement, sm.properties["p1"].claim(sm.metrics["f1"]))
    assert wrong.decide().status == "open"
    # A lie enters no order.
    found = sm.order(["recall", "precision"], processes=1, progress=False)
    assert {found.status(a, b) for a, b in (("tpr", "precision"), ("precision", "tpr"))} <= {"refuted", "open"}


@pytest.mark.usefixtures("lying_prover")
def test_the_truth_is_still_accepted() -> None:
    assert accepted_decision(TRUE).status == "proved"
