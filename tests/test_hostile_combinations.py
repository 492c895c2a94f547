"""Combinations of claims and equations with conditions: what the parts do not say, the whole does not either."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from effort import in_one_test
from forging import refusal, restated
from sympy import Eq, S

from symmetrics.checker import check
from symmetrics.claims import Claim, Identity
from symmetrics.claims.families.combinations import AllOf, AnyOf, Combination
from symmetrics.claims.values import Limit
from symmetrics.claims.verdict import Evidence, Verdict
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, Table
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.prover import decide

W = Parameter("w", 0, 1)
w = W.symbol
RECALL = "TP/(TP + FN)"
TRANSPOSED, FREED = (TP, FP, FN, TN), (TP, FN, 2 * FP, TN)
OPEN = {"status": "open", "certificate": {"kind": "open", "reason": "hard"}}


def same(formula: str, table: Table, *parameters: Parameter) -> Claim:
    return Identity(parse_formula(formula, [p.name for p in parameters]), parameters, (CELLS, table))


def of(family: type[Combination], formula: str, *parameters: Parameter, **tables: Table) -> Combination:
    return family(tuple((label, same(formula, table, *parameters)) for label, table in tables.items()))


def record(claim: Claim) -> dict[str, Any]:
    return decide(claim, metric="", property="").decision.record()


def decided(
    claim: Combination,
    status: Any,
    holds: bool | None,
    *,
    instead: Mapping[str, Any] | None = None,
    no: str = "",
    **more: Any,
) -> Verdict:
    """Return a verdict that rests on what the prover says of the parts.

    :param instead: what is said of some parts instead
    :param no: the part of which nothing is said
    """
    parts = {label: record(part) for label, part in claim.parts if label != no} | dict(instead or {})
    return Verdict("own", "own", claim, status, holds, Evidence(claim.kind, {"parts": parts}), **more)


EITHER, BOTH = (
    of(AnyOf, RECALL, freed=FREED, exchanged=TRANSPOSED),
    of(AllOf, RECALL, freed=FREED, exchanged=TRANSPOSED),
)
MIXED = of(AllOf, f"{RECALL} + w*FP", W, freed=FREED)


def witness_of(claim: Combination, label: str) -> Any:
    return decide(dict(claim.parts)[label], metric="", property="").witness


def conditional() -> Verdict:
    return decided(MIXED, "conditional", None, condition=Eq(w, 0), witness=witness_of(MIXED, "freed"))


def always_zero(condition: Any, tree: Mapping[str, Any]) -> Verdict:
    """Return the verdict that an equation which holds for all parameters does so under a condition alone."""
    data = {"atoms": {}, "values": [], "tree": tree, "examples": [{"w": "0"}]}
    claim = same("w*TP", (TP, FP, FN, TN), W)
    return Verdict("own", "own", claim, "conditional", None, Evidence("conditions", data), condition=condition)


TRUE = {
    "at least one": lambda: decided(EITHER, "proved", True),
    "not all": lambda: decided(BOTH, "refuted", False, witness=witness_of(BOTH, "exchanged")),
    "under a condition": conditional,
}
FALSE = {
    "an open verdict asserts something": lambda: Verdict(
        "own", "own", BOTH, "open", None, Evidence("open", {"reason": "hard"}), found=Limit("1")
    ),
    "an open verdict asserts something ": lambda: Verdict(
        "own", "own", BOTH, "open", True, Evidence("open", {"reason": "hard"})
    ),
    "a combination of claims has no value": lambda: restated(TRUE["at least one"](), "M = 1"),
    "the evidence is about another combination": lambda: replace(TRUE["at least one"](), claim=BOTH),
    "the verdicts on the parts give another one": lambda: decided(BOTH, "proved", True),
    "the verdicts on the parts give another one ": lambda: decided(BOTH, "proved", True, instead={"exchanged": OPEN}),
    "the verdicts on the parts give another one  ": lambda: decided(BOTH, "proved", True, no="exchanged"),
    "the verdicts on the parts give another one   ": lambda: decided(
        EITHER, "refuted", False, no="freed", witness=witness_of(EITHER, "exchanged")
    ),
    "its parts disagree": lambda: decided(EITHER, "proved", True, witness=witness_of(EITHER, "exchanged")),
    "its parts disagree ": lambda: replace(TRUE["not all"](), condition=Eq(w, 0)),
    "the condition says nothing": lambda: decided(EITHER, "conditional", True, condition=S.true),
    "the verdicts on the parts give another one    ": lambda: replace(conditional(), condition=Eq(w, 1)),
    "the truth value is not that of the parts": lambda: decided(EITHER, "proved", None),
    "the truth value is not that of the parts ": lambda: replace(conditional(), holds=True),
    "the counterexample is not that of a part": lambda: decided(
        BOTH, "refuted", False, witness=witness_of(of(AllOf, "FP", freed=FREED), "freed")
    ),
    "the difference is zero for all parameters": lambda: always_zero(Eq(w, 0), {"leaf": "holds"}),
    "the difference is zero for all parameters ": lambda: always_zero(S.true, {"leaf": "impossible"}),
}


@in_one_test
@pytest.mark.parametrize("name", TRUE)
def test_true_evidence_is_accepted(name: str) -> None:
    check(TRUE[name]())


@in_one_test
@pytest.mark.parametrize("reason", FALSE)
def test_false_evidence_is_refused(reason: str) -> None:
    assert refusal(check, FALSE[reason]()) == reason.strip()
