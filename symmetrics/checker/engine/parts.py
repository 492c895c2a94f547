"""Verdicts on parts of a claim, as the certificate of the whole holds them, and the verdict that they add up to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from sympy import S
from sympy.logic.boolalg import Boolean

from symmetrics.checker.engine.conditions import are_equivalent, holds_at
from symmetrics.checker.engine.requirements import require, require_found
from symmetrics.claims import Claim
from symmetrics.claims.evidence import Decision
from symmetrics.claims.one_formula import OneFormula
from symmetrics.claims.values import Baseline, Expectation
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.numbers import parse_number


def read_part(data: Mapping[str, Any], claim: Claim) -> Verdict:
    """Return the verdict on a part, whose claim follows from the whole.  Nothing in it is believed before a check."""
    unknown = set(data) - {"status", "holds", "condition", "witness", "value", "certificate"}
    require(not unknown, "a part of the certificate has entries that mean nothing")
    return Verdict.of(Decision.from_record(data, claim), claim, metric="", property="")


def read_table(counts: Iterable[Any]) -> tuple[Fraction, ...]:
    """Return the counts of a table, four positive numbers."""
    table = tuple(_number(count) for count in counts)
    require(len(table) == len(CELLS) and all(count > 0 for count in table), "a table is not four positive numbers")
    return table


def _number(count: Any) -> Fraction:
    require(isinstance(count, (int, str)) and not isinstance(count, bool), "a count is not a number")
    exact = parse_number(str(count))
    return Fraction(int(exact.p), int(exact.q))


def is_open(verdict: Verdict, claim: OneFormula) -> bool:
    """Whether a verdict is open, and so asserts nothing; refuses one about symbols that are not declared."""
    declared = {p.symbol for p in claim.parameters} | set(claim.arguments)
    require(claim.subject.free_symbols <= declared, "the formula has a symbol that is not declared")
    if verdict.status != "open":
        return False
    asserted = (verdict.holds, verdict.condition, verdict.witness, verdict.found)
    require(asserted == (None, None, None, None), "an open verdict asserts something")
    return True


def one_mean(verdict: Verdict) -> str:
    """Return the mean that a verdict states for all margins."""
    found = require_found(verdict, Baseline, "there is no mean")
    require(len(found.expectations) == 1, "there is no mean, or several")
    mean = found.expectations[0].mean
    require(found == Baseline((Expectation(mean),)), "the mean is one for some margins alone")
    return mean


def require_outcome(verdict: Verdict, claim: OneFormula, condition: Boolean) -> None:
    """Refuse a verdict unless it is what the condition under which the claim holds makes it."""
    expected: tuple[Any, ...]
    if condition in (S.true, S.false):
        expected = ("proved" if condition is S.true else "refuted", condition is S.true)
        stated: Boolean = condition
        require(verdict.condition is None, "the parts give another verdict")
    else:
        defaults = {p.symbol: p.default for p in claim.parameters}
        expected = ("conditional", None if None in defaults.values() else holds_at(condition, defaults))
        stated = S.true if verdict.condition is None else verdict.condition
    require((verdict.status, verdict.holds) == expected, "the parts give another verdict")
    require(are_equivalent(stated, condition), "the condition is another one")
    require(verdict.witness is None, "a counterexample that proves nothing")
