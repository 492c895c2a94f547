"""Verdicts on constants re-verified."""

from __future__ import annotations

from collections.abc import Callable

from symmetrics.claims.families.constants import Constant
from sympy import S

from symmetrics.checker.engine.parts import check_witness, is_open, read_part
from symmetrics.checker.engine.requirements import require, require_found, require_kind
from symmetrics.claims.values import Ratio
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula

__all__ = ["check"]


def check(verdict: Verdict, claim: Constant, check_part: Callable[[Verdict], None]) -> None:
    """Re-verify a verdict on whether a formula is constant.

    :param check_part: what re-verifies that it is the number that the value of the verdict is
    """
    require_kind(verdict, proved={"ratio"}, refuted={"witness"})
    require(not claim.parameters, "this family has no parameters")
    if is_open(verdict, claim):
        return
    require(verdict.holds is (verdict.status == "proved") and verdict.condition is None, "its parts disagree")
    if verdict.status == "refuted":
        require(verdict.witness is not None and verdict.found is None, "its parts disagree")
        assert verdict.witness is not None
        check_witness(claim.part(claim.subject.xreplace(dict.fromkeys(CELLS, S.One))), verdict.witness)
        return
    require(verdict.witness is None, "its parts disagree")
    number = parse_formula(require_found(verdict, Ratio, "the number is missing").ratio)
    part = read_part(verdict.evidence.data["identity"], claim.part(number))
    check_part(part)
    require(part.status == "proved", "the formula is not the number")
