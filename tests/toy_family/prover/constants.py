"""Constants decided: the value at one table is that at all, or a counterexample is a table with another one."""

from __future__ import annotations

from collections.abc import Callable

from symmetrics.claims.families.constants import Constant
from sympy import S

from symmetrics.claims import Claim
from symmetrics.claims.evidence import Decision, Evidence, open_decision
from symmetrics.claims.values import Ratio
from symmetrics.language.cells import CELLS
from symmetrics.language.writer import formula_text

__all__ = ["decide"]


def decide(claim: Constant, decide_part: Callable[[Claim], Decision]) -> Decision:
    """Decide whether a formula is constant.

    :param decide_part: what decides whether it is its value at the table of ones
    """
    number = claim.subject.xreplace(dict.fromkeys(CELLS, S.One))
    decision = decide_part(claim.part(number))
    if decision.status == "refuted":
        return decision
    if decision.status == "open":
        return open_decision("it is not known whether the value at the table of ones is that at all")
    found = Ratio(formula_text(number))
    return Decision("proved", True, Evidence("ratio", {"identity": decision.record()}), found=found)
