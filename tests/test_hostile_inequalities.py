"""Inequalities proved by a sign: a proof about another step, another relation or a pole proves nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from effort import in_one_test
from forging import refusal, restated
from sympy import Expr, Rational, Symbol

from symmetrics.checker import check
from symmetrics.claims import Comparison, Inequality, StrictInequality, value_symbol
from symmetrics.claims.verdict import Counts, Evidence, Verdict, Witness
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, parameter_symbol
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter

TPR = "TP/(TP + FN)"
t = parameter_symbol("other_t")
POSITIVE, SQUARE = {"positive": True}, "1*TP**2 + (-2)*TP*FN + 1*FN**2"
BEFORE, VALUE, AFTER = value_symbol(0), value_symbol(0), value_symbol(1)
Record = Mapping[str, Any]


def rising(
    formula: str, *steps: Any, relation: Expr = AFTER - BEFORE, strict: bool = True, after: Sequence[Expr] = ()
) -> Comparison:
    """Return the claim that M rises along a step, which is one of TP unless another one is given.

    :param after: instead, the table where it ends
    """
    moves = (*steps, 0, 0, 0, 0)[:4] if steps else (1, 0, 0, 0)
    end = tuple(after) or tuple(cell + move * t for cell, move in zip(CELLS, moves, strict=True))
    family = StrictInequality if strict else Inequality
    return family(parse_formula(formula), (), (CELLS, end), (t,), relation)


def nonnegative(formula: str, *parameters: Parameter) -> Comparison:
    return Inequality(parse_formula(formula, [p.name for p in parameters]), parameters, (CELLS,), (), VALUE)


def piece(numerator: str, denominator: Any = (), **more: Any) -> dict[str, Any]:
    return {"atoms": {}, "values": [], "numerator": numerator, "denominator": [*denominator], "tree": POSITIVE} | more


def proof(claim: Comparison, rule: str, *pieces: Record) -> Verdict:
    return Verdict("own", "own", claim, "proved", True, Evidence("sign", {"rule": rule, "pieces": [*pieces]}))


def derived(claim: Comparison, numerator: str, denominator: Any, *subject: Any, **more: Any) -> Verdict:
    """Return the verdict that a derivative proves, that of a quotient which is the subject."""
    return proof(claim, "derivative", piece(numerator, denominator, subject=[*subject, {}], **more))


RECALL = ("1*FN", [["1*TP + 1*FN", 2]], "1*TP", [["1*TP + 1*FN", 1]])
"""The derivative of recall by TP, and recall."""
LINEAR = ("1", [["4", 1]], "5*TP + (-4)*FN", [["4", 1]])
"""That of 5*TP/4 - FN along the step (1, 1, 0, 0)."""


def jumping(*proof_of_base: Any) -> Verdict:
    """Return the verdict that -1/(TP - FN) rises with TP, as its derivative does where TP is not FN."""
    subject = ("(-1)*TP + 1*FN", [[SQUARE, 1, *proof_of_base]])
    claim = rising("(FN - TP)/(TP**2 - 2*TP*FN + FN**2)")
    return derived(claim, "1", [["1*TP + (-1)*FN", 2]], *subject)


def refuted(claim: Comparison, tables: Sequence[Sequence[int]], values: Sequence[str], **parameters: Any) -> Verdict:
    bound = {name: Rational(value) for name, value in parameters.items()}
    witness = Witness(tuple(Counts(*table) for table in tables), tuple(map(parse_formula, values)), bound)
    return Verdict("own", "own", claim, "refuted", False, Evidence("witness", {"smallest": False}), witness=witness)


SQUARED = {"factors": [{"factor": "1*TP + (-1)*FN", "power": 2, "sign": 1, "proof": {"square": True}}]}
EIGHTH = "TP**8 + 4*TP**7 + 2*TP**6 + 11*TP**4 + 2*TP**2 + 4*TP + 1"
TRUE = {
    "the derivative of recall": lambda: derived(rising(TPR), *RECALL),
    "a derivative along two cells": lambda: derived(rising("5*TP/4 - FN", 1, 1), *LINEAR),
    "a sign": lambda: proof(nonnegative(TPR), "difference", piece("1*TP", [["1*TP + 1*FN", 1]])),
    "zero": lambda: proof(
        nonnegative("TP*(FN + FP) - TP*FN - TP*FP"), "difference", {k: v for k, v in piece("0").items() if k != "tree"}
    ),
    "a counterexample": lambda: refuted(rising("FN"), [(1, 1, 1, 1), (2, 1, 1, 1)], ["1", "1"]),
}
FALSE = {
    "the claim does not compare two values": lambda: derived(rising(TPR, relation=BEFORE - AFTER), *RECALL),
    "the claim does not compare two values ": lambda: derived(rising(TPR, relation=AFTER - 2 * BEFORE), *RECALL),
    # 5*TP/4 - FN falls along (1, 3/2, 0, 0).
    "the claim is on no step": lambda: derived(rising("5*TP/4 - FN", 1, Rational(3, 2)), *LINEAR),
    "the claim is on no step ": lambda: derived(rising("5*TP/4 - FN", after=(TP + t, FN + TP * t, FP, TN)), *LINEAR),
    "the claim is on no step  ": lambda: derived(nonnegative(TPR), *RECALL),
    "a denominator may be zero": lambda: jumping(SQUARED),
    "it may be negative": jumping,
    "the formula is not real everywhere": lambda: derived(
        rising("TN + log(TP - FN)", 0, 0, 0, 1),
        *("1", [], "1*TN + 1*L", []),
        atoms={"L": {"kind": "log", "base": "TP-FN"}},
        values=["L"],
    ),
    "a root has an edge where its argument is zero": lambda: derived(
        rising(f"TN + sqrt({EIGHTH})", 0, 0, 0, 1),
        *("1", [], "1*TN + 1*r", []),
        atoms={"r": {"kind": "power", "base": "TP**4+2*TP**3-TP**2+2*TP+1"}},
        values=["r"],
    ),
    "the formula may jump where a divisor is zero": lambda: derived(
        rising("TP + 2*Abs(FN - TP)/(FN - TP)"), *("1", [], "1*TP + (-2)", []), given=[]
    ),
    "the numerator is that of another expression": lambda: derived(rising(TPR), "1*TP", *RECALL[1:]),
    "the pieces of the formula are not complete, or are those of another expression": lambda: derived(
        rising("FN/(TP + FN)"), *RECALL
    ),
    "there is no proof of a sign": lambda: proof(
        nonnegative("-TP"), "difference", {k: v for k, v in piece("(-1)*TP").items() if k != "tree"}
    ),
    "the proof leaves room for equality": lambda: proof(rising("FN"), "difference", piece("0", tree={"zero": True})),
    "one counterexample does not settle every parameter": lambda: refuted(
        nonnegative("w*TP - 1/2", Parameter("w", 0, 1)), [(1, 1, 1, 1)], ["-1/2"], w=0
    ),
    "an inequality has no value": lambda: restated(derived(rising(TPR), *RECALL), "1"),
    "the formula has a symbol that is not declared": lambda: proof(
        Inequality(Symbol("w", real=True) * TP, (), (CELLS,), (), VALUE), "difference", piece("1*TP")
    ),
    "the relation holds more than values of the formula": lambda: proof(
        Inequality(FN + 0 * FP, (), (CELLS,), (), VALUE + TP), "difference", piece("1*TP + 1*FN")
    ),
    "a denominator has no proper power": lambda: proof(
        nonnegative(TPR), "difference", piece("1*TP", [["1*TP + 1*FN", 0]])
    ),
}


@in_one_test
@pytest.mark.parametrize("name", TRUE)
def test_true_evidence_is_accepted(name: str) -> None:
    check(TRUE[name]())


@in_one_test
@pytest.mark.parametrize("reason", FALSE)
def test_false_evidence_is_refused(reason: str) -> None:
    assert refusal(check, FALSE[reason]()) == reason.strip()
