"""Verdicts on the range of a formula re-verified."""

from __future__ import annotations

from symmetrics.checker.engine.cases import check_cases
from symmetrics.checker.engine.ends import INFINITE, Check, End, check_end, check_subject
from symmetrics.checker.engine.requirements import require, require_kind
from symmetrics.claims.families.limits import Bounded
from symmetrics.claims.values import Range
from symmetrics.claims.verdict import Verdict


def check(verdict: Verdict, claim: Bounded, check_part: Check) -> None:
    """Re-verify the verdict on the range of a formula.

    :param check_part: function that re-verifies the verdict on an inequality, or in one case
    """
    if verdict.evidence.kind == "cases":
        check_cases(verdict, claim, check_part)
        return
    require_kind(verdict, proved={"range"}, refuted={"range"})
    truth = {"proved": True, "refuted": False, "open": None}[verdict.status]
    require(verdict.holds is truth and verdict.condition is None and verdict.witness is None, "its parts disagree")
    check_subject(claim.subject, claim.parameters)
    if verdict.status == "open":
        require(verdict.found is None, "its parts disagree")
        return
    data = verdict.evidence.data
    require(set(data) <= set(INFINITE), "an end of the range has another name")
    ends = {name: check_end(name, end, claim.subject, claim.parameters, check_part) for name, end in data.items()}
    is_bounded = all(end.is_finite for end in ends.values())
    if verdict.status == "proved":
        require(len(ends) == 2 and is_bounded, "the formula is not shown to be bounded on both sides")
    else:
        require(not is_bounded, "the formula is not shown to be unbounded")
    require(verdict.found == (_range(**ends) if len(ends) == 2 else None), "the range is another one")


def _range(lower: End, upper: End) -> Range:
    return Range(lower.bound, upper.bound, lower.is_attained, upper.is_attained)
