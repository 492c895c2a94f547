"""Parameters for which a formula has values, but none at one of the special tables that a claim compares."""

from __future__ import annotations

from dataclasses import replace

import pytest

import symmetrics as sm
from symmetrics.claims.verdict import Verdict
from symmetrics.tools.errors import CertificateError

# At w = 1 each of these has one value wherever it has one, but none at the table of ones, or at balanced classes.
VANISHING = [
    ("(w*TP - FN)/(TP - w*FN)", "independence_value"),
    ("(TPR - w*FNR)/(w*TPR - FNR)", "independence_value"),
    ("(TP + TN - w*(TP + TN))/(TP*TN - w*FN*FP)", "independence_value"),
    ("(TP - FN)**2/(TP**2 + FN**2 - 2*w*TP*FN)", "independence_value"),
    ("(P - w*N)/(w*P - N)", "no_imbalance_bias"),
]


@pytest.mark.parametrize(("formula", "key"), VANISHING)
def test_nothing_is_said_of_parameters_that_take_the_value_at_a_special_table_away(formula: str, key: str) -> None:
    metric = sm.Metric("mine", formula, parameters="w in [-1, 1]")
    verdict = sm.prove(metric, key)
    assert verdict.status == "open"
    assert "where w = 1, the metric has no value at a table that is compared" in verdict.evidence.sentence
    bound = sm.prove(metric.at(w=1), key)
    assert bound.status != "refuted"


@pytest.mark.parametrize(("formula", "key"), VANISHING)
def test_without_these_parameters_the_question_is_decided_and_verified(formula: str, key: str) -> None:
    metric = sm.Metric("mine", formula, parameters="w in [-1, 1)")
    verdict = sm.prove(metric, key)
    assert verdict.status in ("conditional", "refuted")
    sm.check(verdict, metric)


def test_parameters_without_any_value_are_left_out_as_ever() -> None:
    """Weights that are all zero, and a threshold of 1, leave the formula without a value at all tables."""
    for name in ("weighted_accuracy", "net_benefit"):
        assert sm.prove(name, "independence_value").status in ("conditional", "refuted")


@pytest.mark.parametrize("trees", [None, {}, {"TP - FN": {"leaf": "impossible"}}, {"1 - w": {"leaf": "impossible"}}])
def test_the_checker_refuses_a_condition_that_leaves_such_parameters_out(trees: dict[str, object] | None) -> None:
    """What is proved below w = 1 is not proved at w = 1."""
    narrow, wide = (sm.Metric("mine", "(w*TP - FN)/(TP - w*FN)", parameters=f"w in [-1, 1{end}") for end in (")", "]"))
    verdict = sm.prove(narrow, "independence_value")
    claim = replace(verdict.claim, parameters=sm.prove(wide, "independence_value").claim.parameters)
    data = dict(verdict.evidence.data)
    if trees is not None:
        data["special"] = trees
    evidence = replace(verdict.decision.evidence, data=data)
    forged = Verdict.of(replace(verdict.decision, evidence=evidence), claim, metric="mine", property=verdict.property)
    with pytest.raises(CertificateError):
        sm.check(forged, wide)
