"""Links between two metrics and tables out of order: each kind of false step, part or counterexample is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from effort import in_one_test
from forging import found_of, refusal, restated
from sympy import Expr, Integer, Rational, Symbol

from symmetrics.checker import check
from symmetrics.claims import Identity, Inequality, SameOrder, StrictInequality, value_symbol
from symmetrics.claims.evidence import Evidence
from symmetrics.claims.verdict import Verdict
from symmetrics.claims.witness import Counts, Witness
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.prover import decide

TPR, TNR, FNR = "TP/(TP + FN)", "TN/(TN + FP)", "FN/(TP + FN)"
W = Parameter("w", 0, 1)
VALUE, OTHER = value_symbol(0), value_symbol(1)
FALLS, HALF = 1 - VALUE - OTHER, Rational(1, 2)
ZERO = "sqrt(5 + 2*sqrt(6)) - sqrt(2) - sqrt(3)"
"""Zero, which neither exact simplification nor intervals tell from a number close to it."""
OPEN = {"status": "open", "certificate": {"kind": "open", "reason": "hard"}}
"""A part of which nothing is said, which as such is accepted."""
Steps = Sequence[Sequence[str]]


def same_order(subject: str, partner: str, *parameters: Parameter, reverse: bool = False) -> SameOrder:
    names = [p.name for p in parameters]
    return SameOrder(parse_formula(subject, names), parameters, parse_formula(partner, names), reverse)


def proof_of(claim: Any) -> dict[str, Any]:
    """Return what the prover says of a part, which has to be that it is proved."""
    decision = decide(claim, metric="", property="").decision
    assert decision.status == "proved"
    return decision.record()


def condition(formula: str, relation: Expr = VALUE, *, strict: bool = False) -> dict[str, Any]:
    """Return the proof that a relation of the values of a formula is never negative."""
    family = StrictInequality if strict else Inequality
    return proof_of(family(parse_formula(formula), (), (CELLS,), (), relation))


def equation(claim: SameOrder, relation: Expr) -> dict[str, Any]:
    return proof_of(Identity(claim.subject, (), (CELLS, CELLS), (), relation, claim.partner))


def linked(claim: SameOrder, left: Steps, right: Steps, value: str, **parts: Mapping[str, Any]) -> Verdict:
    """Return the verdict that a link proves.

    :param parts: the proofs of the parts, with ``_`` for the space in their labels
    """
    listed = {label.replace("_", " "): part for label, part in parts.items()}
    data = {"left": [[*step] for step in left], "right": [[*step] for step in right], "parts": listed}
    return Verdict("own", "own", claim, "proved", True, Evidence("link", data), found=found_of(value, claim))


def out_of_order(claim: SameOrder, tables: Sequence[Sequence[int]], values: Sequence[str]) -> Verdict:
    """Return the verdict that two tables are out of order."""
    witness = Witness(tuple(Counts(*table) for table in (*tables, *tables)), tuple(map(parse_formula, values)))
    return Verdict("own", "own", claim, "refuted", False, Evidence("witness", {"smallest": False}), witness=witness)


ODDS = same_order(TPR, "TP/FN")
ODDS_STEP = ("moebius", "1", "0", "-1", "1")
SAME = proof_of(Identity(parse_formula(TPR), (), (CELLS, CELLS), (), VALUE - OTHER, parse_formula(TPR)))


def odds() -> Verdict:
    """Return a true verdict: v/(1 - v) takes recall to the odds TP/FN."""
    parts = {"left_0": condition(TPR, 1 - VALUE, strict=True), "link": equation(ODDS, VALUE / (1 - VALUE) - OTHER)}
    return linked(ODDS, [ODDS_STEP], [], "M/(1 - M) = partner", **parts)


def bent(partner: str) -> SameOrder:
    return same_order(f"2 + {TPR}", partner)


def with_parameter(verdict: Verdict) -> Verdict:
    assert verdict.witness is not None
    return replace(verdict, witness=replace(verdict.witness, parameters={"w": Rational(1, 2)}))


def missing_table(verdict: Verdict) -> Verdict:
    assert verdict.witness is not None
    return replace(verdict, witness=replace(verdict.witness, tables=verdict.witness.tables[:3]))


def swapped_tables(verdict: Verdict) -> Verdict:
    """Return a verdict with the two formulas taken at the two tables in turn: any two formulas differ then."""
    assert verdict.witness is not None
    first, second = verdict.witness.tables[:2]
    a, b = verdict.witness.values[:2]
    witness = replace(verdict.witness, tables=(first, second, second, first), values=(a, b, b, a))
    return replace(verdict, claim=same_order(TPR, TPR), witness=witness)


def irrational() -> SameOrder:
    """Return a true claim: both are constant, the first one as zero times recall, which no digits show to be zero."""
    return same_order(f"({ZERO})*{TPR}", "3")


def raised(subject: str, partner: str, *left: Sequence[str], reverse: bool = False, **parts: Any) -> Verdict:
    """Return the verdict that some steps take both formulas to the same value, with the partner itself on the right."""
    claim = same_order(subject, partner, reverse=reverse)
    return linked(claim, left, [], parts.pop("value"), **parts)


def constant_power() -> Verdict:
    """Recall and specificity to the power 0 are the same."""
    claim, power = same_order(TPR, TNR), [("power", "0")]
    parts = {"left_0": condition(TPR, strict=True), "right_0": condition(TNR, strict=True)}
    return linked(claim, power, power, "1 = 1", **parts, link=equation(claim, Integer(0)))


def constant_bend() -> Verdict:
    """A bend with c = 0 takes every positive value to 1."""
    claim, bend = same_order(f"2 + {TPR}", f"2 + {TNR}"), [("bend", "0", "1")]
    relation = VALUE / (VALUE**2) ** HALF - OTHER / (OTHER**2) ** HALF
    return linked(claim, bend, bend, "M/sqrt(M**2) = partner/sqrt(partner**2)", link=equation(claim, relation))


def falling_bend() -> Verdict:
    """A bend with c = -1 falls: v/sqrt(v**2 - 1) is decreasing above 1."""
    claim = bent(f"(2 + {TPR})/sqrt((2 + {TPR})**2 - 1)")
    link = equation(claim, VALUE / (VALUE**2 - 1) ** HALF - OTHER)
    return linked(claim, [("bend", "-1", "1")], [], "M/sqrt(M**2 - 1) = partner", link=link)


def negative_divisor() -> Verdict:
    """Squared, divided by -1 and squared again: the second square falls, and nobody asks for its condition."""
    claim = same_order(TPR, TPR, reverse=True)
    left, right = [("power", "2"), ("moebius", "1", "0", "0", "-1"), ("power", "2")], [("power", "4")]
    relation = (-(VALUE**2)) ** 2 - OTHER**4
    parts = {"left_0": condition(TPR), "right_0": condition(TPR), "link": equation(claim, relation)}
    return linked(claim, left, right, "M**4 = partner**4", **parts)


def without(part: str) -> Verdict:
    """Return the true verdict on the odds without one of its parts."""
    verdict = odds()
    parts = {label: proof for label, proof in verdict.evidence.data["parts"].items() if label != part}
    return replace(verdict, evidence=Evidence("link", {**verdict.evidence.data, "parts": parts}))


def unknown(part: str) -> Verdict:
    """Return the true verdict on the odds, where nothing is said of one of its parts."""
    verdict = odds()
    parts = {**verdict.evidence.data["parts"], part: OPEN}
    return replace(verdict, evidence=Evidence("link", {**verdict.evidence.data, "parts": parts}))


def pole() -> Verdict:
    """A function with a pole within the values: 1/(1/2 - v) rises on both sides of it, and not across."""
    subject, step = f"{TPR} - 1/2", ("moebius", "0", "1", "-1", "0")
    claim = same_order(subject, f"1/(1/2 - {TPR})")
    return linked(claim, [step], [], "-1/M = partner", left_0=OPEN, link=equation(claim, -1 / VALUE - OTHER))


TRUE = {
    "a Moebius function": odds,
    "a square of what is not negative": lambda: linked(
        same_order(TPR, f"({TPR})**2"),
        [("power", "2")],
        [],
        "M**2 = partner",
        left_0=condition(TPR),
        link=equation(same_order(TPR, f"({TPR})**2"), VALUE**2 - OTHER),
    ),
    "a bend": lambda: linked(
        bent(f"(2 + {TPR})/sqrt((2 + {TPR})**2 + 1)"),
        [("bend", "1", "1")],
        [],
        "M/sqrt(M**2 + 1) = partner",
        link=equation(bent(f"(2 + {TPR})/sqrt((2 + {TPR})**2 + 1)"), VALUE / (VALUE**2 + 1) ** HALF - OTHER),
    ),
    "two tables": lambda: out_of_order(
        same_order(TPR, TNR), [(1, 1, 1, 1), (2, 1, 1, 1)], ["1/2", "2/3", "1/2", "1/2"]
    ),
}


FALSE = {
    "there is no link": lambda: restated(TRUE["two tables"](), "M = partner"),
    "the link has too many steps": lambda: raised(TPR, TPR, *[("power", "1")] * 9, value="M = partner", link=SAME),
    "the link is another one than the verdict says": lambda: restated(odds(), "M = partner"),
    "a part of the link is missing": lambda: without("left 0"),
    "a part of the link is missing ": lambda: without("link"),
    "a step of the link depends on the counts": lambda: raised(
        TPR, f"{TPR} + TN", ("moebius", "1", "TN", "0", "1"), value="M + TN = partner", link=SAME
    ),
    "the order at a parameter's value is another claim": lambda: replace(
        TRUE["two tables"](), claim=same_order(TPR, TNR, W)
    ),
    "a formula has a symbol that is not declared": lambda: replace(
        TRUE["two tables"](), claim=replace(same_order(TPR, TNR), subject=Symbol("w", real=True))
    ),
    "the part 'left 0' of the link is not proved": lambda: unknown("left 0"),
    "the part 'link' of the link is not proved": lambda: unknown("link"),
    "the part 'left 0' of the link is not proved ": pole,
    "a step of the link divides by what is not positive": negative_divisor,
    "a step of the link is constant": constant_power,
    "a step of the link is not monotone": constant_bend,
    "a step of the link is not monotone ": falling_bend,
    "a step of the link is not monotone  ": lambda: raised(
        TPR, "2", ("moebius", "2", "2", "1", "1"), value="2 = partner", link=equation(same_order(TPR, "2"), 2 - OTHER)
    ),
    "a link has no step 'power'": lambda: raised(
        TPR, f"({TPR})**2", ("power", "sqrt(4 + 2)"), value="M = partner", left_0=condition(TPR)
    ),
    "the link reverses the order": lambda: raised(
        TPR, FNR, ("moebius", "-1", "1", "0", "1"), value="1 - M = partner", link=equation(same_order(TPR, FNR), FALLS)
    ),
    "the counterexample has other parameters than the claim": lambda: with_parameter(TRUE["two tables"]()),
    "a table of the counterexample is missing": lambda: missing_table(TRUE["two tables"]()),
    "the two formulas are taken at different tables": lambda: swapped_tables(TRUE["two tables"]()),
    "a count is not a positive number": lambda: out_of_order(
        same_order("TP", "Abs(TP)"), [(-2, 1, 1, 1), (-1, 1, 1, 1)], ["-2", "-1", "2", "1"]
    ),
    "a count is not a positive number ": lambda: out_of_order(
        same_order("TP", "Abs(TP - 1)"), [(0, 1, 1, 1), (1, 1, 1, 1)], ["0", "1", "1", "0"]
    ),
    "the metric's value at (2, 1, 1, 1) is not 1/3": lambda: out_of_order(
        same_order(TPR, TPR), [(1, 1, 1, 1), (2, 1, 1, 1)], ["1/2", "1/3", "1/2", "2/3"]
    ),
    "the order of the two tables is not certain": lambda: out_of_order(
        irrational(), [(1, 1, 1, 1), (2, 1, 1, 1)], [f"({ZERO})*1/2", f"({ZERO})*2/3", "3", "3"]
    ),
    "the tables are in the order of the claim": lambda: out_of_order(
        same_order(TPR, f"2*{TPR}"), [(1, 1, 1, 1), (2, 1, 1, 1)], ["1/2", "2/3", "1", "4/3"]
    ),
    "the tables are in the order of the claim ": lambda: out_of_order(
        same_order(TPR, FNR, reverse=True), [(1, 1, 1, 1), (2, 1, 1, 1)], ["1/2", "2/3", "1/2", "1/3"]
    ),
    "the tables are in the order of the claim  ": lambda: out_of_order(
        same_order(TPR, FNR, reverse=True), [(1, 1, 1, 1), (1, 1, 2, 1)], ["1/2", "1/2", "1/2", "1/2"]
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
