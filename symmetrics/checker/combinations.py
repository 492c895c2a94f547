"""Verdicts on combinations of claims re-verified from those on their parts."""

from __future__ import annotations

from collections.abc import Callable

from sympy import And, Or, S
from sympy.logic.boolalg import Boolean

from symmetrics.checker.requirements import require
from symmetrics.claims import AllOf, Combination
from symmetrics.verdict import Verdict

__all__ = ["check_combination"]


def check_combination(verdict: Verdict, claim: Combination, check: Callable[[Verdict], None]) -> None:
    """Re-verify the verdict on a combination of claims.

    :param check: what re-verifies the verdict on a part
    """
    require(verdict.evidence.kind == claim.kind, "the evidence is about another combination")
    stated = dict(claim.parts)
    parts = {}
    for label, data in verdict.evidence.data["parts"].items():
        part = Verdict.from_certificate({**data, "metric": "", "property": label, "claim": stated[label].to_dict()})
        check(part)
        parts[label] = part
    expected = _combine(isinstance(claim, AllOf), set(stated) <= set(parts), list(parts.values()))
    require((verdict.status, verdict.condition) == expected, "the verdicts on the parts give another one")
    _check_holds(verdict)
    witnesses = [part.witness for part in parts.values()]
    require(verdict.witness is None or verdict.witness in witnesses, "the counterexample is not that of a part")
    require(verdict.status != "proved" or verdict.witness is None, "its parts disagree")


def _combine(is_all: bool, is_complete: bool, parts: list[Verdict]) -> tuple[str, Boolean | None]:
    """Return the status and the condition that follow from those of the parts."""
    settling, other = ("refuted", "proved") if is_all else ("proved", "refuted")
    if any(part.status == settling for part in parts):
        return settling, None
    if not is_complete or any(part.status == "open" for part in parts):
        return "open", None
    conditions = [part.condition for part in parts if part.condition is not None]
    if not conditions:
        return other, None
    condition = And(*conditions) if is_all else Or(*conditions)
    if condition in (S.true, S.false):
        return ("proved" if condition is S.true else "refuted"), None
    return "conditional", condition


def _check_holds(verdict: Verdict) -> None:
    expected: bool | None = {"proved": True, "refuted": False}.get(verdict.status)
    if verdict.condition is not None:
        defaults = {p.symbol: p.default for p in verdict.claim.parameters}
        expected = None if None in defaults.values() else bool(verdict.condition.subs(defaults))
    require(verdict.holds is expected, "the truth value is not that of the parts")
