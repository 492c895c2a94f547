"""Parameters for which a formula has values, but none at one of the special tables that a claim compares."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sympy import Expr

import symmetrics as sm
from symmetrics.checker.verify import check
from symmetrics.claims import Identity
from symmetrics.language.cells import CELLS, FN, FP, TN, TP
from symmetrics.language.parameter import Parameter
from symmetrics.prover.decide import decide

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
    assert (
        "where w = 1, the metric has no value at one of the tables that the property compares"
        in verdict.evidence.sentence
    )
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


@pytest.mark.parametrize(("subject", "status"), [(FN / TP, "open"), (TP / (TP + FN), "conditional")])
def test_a_parameter_in_a_table_may_take_the_value_away(subject: Expr, status: str) -> None:
    """At w = 0 all tables of the second side have TP = 0."""
    w = Parameter.parse("w in [0, 2]")
    claim = Identity(subject, (w,), (CELLS, (w.symbol * TP, FN, FP, TN)))
    verdict = decide(claim, metric="mine", property="factor")
    assert verdict.status == status
    check(verdict)
    narrow = decide(replace(claim, parameters=(Parameter.parse("w in (0, 2]"),)), metric="mine", property="factor")
    assert narrow.status == "conditional"
    check(narrow)
