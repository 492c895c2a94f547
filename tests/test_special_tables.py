"""Parameters for which a formula has values, but none at one of the special tables that a claim compares."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sympy import Expr

import symmetrics as sm
from symmetrics.checker.verify import check
from symmetrics.claims import Identity
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS, FN, FP, TN, TP
from symmetrics.language.parameter import Parameter
from symmetrics.prover.decide import decide
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


HOLDS = {"split": "w - 1", "children": [{"factor": "w - 1", "set": "w", "to": "1", "then": {"leaf": "holds"}}]}
WRONG = {"leaf": "impossible"}


@pytest.mark.parametrize(
    "trees", [None, {}, {"TP - FN": WRONG}, {"1 - w": WRONG}, {"1 - w": HOLDS, "TP - FN*w": WRONG}]
)
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
    if status == "open":
        forged = Verdict.of(narrow.decision, claim, metric="mine", property="factor")
        with pytest.raises(CertificateError):
            check(forged)


def test_the_checker_asks_for_a_tree_for_each_divisor_at_each_special_table() -> None:
    metric = sm.Metric("mine", "(w*TP - FN)/(TP*TN - w*FN*FP)", parameters="w in [-1, 1)")
    verdict = sm.prove(metric, "independence_value")
    sm.check(verdict, metric)
    trees = verdict.evidence.data["special"]
    assert len(trees) == 2  # at independent tables, and at that of ones
    for divisor in trees:
        data = {**verdict.evidence.data, "special": {key: tree for key, tree in trees.items() if key != divisor}}
        evidence = replace(verdict.decision.evidence, data=data)
        forged = Verdict.of(replace(verdict.decision, evidence=evidence), verdict.claim, metric="mine", property="x")
        with pytest.raises(CertificateError, match="a divisor at a special table may vanish"):
            check(forged)
