"""Verdicts on combinations of claims re-verified from those on their parts."""

from __future__ import annotations

from collections.abc import Callable

from sympy import And, Or, S
from sympy.logic.boolalg import Boolean

from symmetrics.checker.engine.conditions import are_equivalent, holds_at
from symmetrics.checker.engine.parts import read_part
from symmetrics.checker.engine.requirements import require
from symmetrics.claims import AllOf, Combination
from symmetrics.claims.verdict import Verdict


def check(verdict: Verdict, claim: Combination, check_part: Callable[[Verdict], None]) -> None:
    """Re-verify the verdict on a combination of claims.

    :param check_part: function that re-verifies the verdict on a part
    """
    if verdict.status == "open" and verdict.evidence.kind == "open":
        asserted = (verdict.holds, verdict.condition, verdict.witness, verdict.found)
        require(asserted == (None, None, None, None), "an open verdict asserts something")
        return
    require(verdict.found is None, "a combination of claims has no value")
    require(verdict.evidence.kind == claim.kind, "the evidence is about another combination")
    # Check the parts that the certificate decides.
    stated = dict(claim.parts)
    parts = {}
    for label, data in verdict.evidence.data["parts"].items():
        part = read_part(data, stated[label])
        check_part(part)
        parts[label] = part
    # Their combination has to be the verdict's condition.
    combined = _combined(isinstance(claim, AllOf), set(stated) <= set(parts), list(parts.values()))
    claimed = {"proved": S.true, "refuted": S.false, "conditional": verdict.condition, "open": None}[verdict.status]
    if combined is None or claimed is None:
        require(combined is claimed, "the verdicts on the parts give another one")
    else:
        require(are_equivalent(combined, claimed), "the verdicts on the parts give another one")
    require((verdict.status == "conditional") is (verdict.condition is not None), "its parts disagree")
    require(verdict.condition not in (S.true, S.false), "the condition says nothing")
    # A counterexample has to violate the whole, not only one part.
    if verdict.condition is not None and verdict.witness is not None:
        values = {p.symbol: verdict.witness.parameters[p.name] for p in claim.parameters}
        require(not holds_at(verdict.condition, values), "the counterexample is one to a part alone")
    _check_holds(verdict)
    witnesses = [part.witness for part in parts.values()]
    require(verdict.witness is None or verdict.witness in witnesses, "the counterexample is not that of a part")
    require(verdict.status != "proved" or verdict.witness is None, "its parts disagree")


def _combined(is_all: bool, is_complete: bool, parts: list[Verdict]) -> Boolean | None:
    """Return the condition that follows from the verdicts on the parts, or None if none does."""
    settling = S.false if is_all else S.true
    conditions = [_truth(part) for part in parts]
    if any(condition is settling for condition in conditions):
        return settling
    if not is_complete or any(condition is None for condition in conditions):
        return None
    return And(*conditions) if is_all else Or(*conditions)


def _truth(part: Verdict) -> Boolean | None:
    return {"proved": S.true, "refuted": S.false, "conditional": part.condition, "open": None}[part.status]


def _check_holds(verdict: Verdict) -> None:
    expected: bool | None = {"proved": True, "refuted": False}.get(verdict.status)
    if verdict.condition is not None:
        defaults = {p.symbol: p.default for p in verdict.claim.parameters}
        expected = None if None in defaults.values() else holds_at(verdict.condition, defaults)
    require(verdict.holds is expected, "the truth value is not that of the parts")
