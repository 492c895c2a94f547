"""Verdicts by cases of the parameters re-verified."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from sympy import And, Expr, Rational, S, Symbol
from sympy.logic.boolalg import Boolean

from symmetrics.cases import Case, narrowed, outcome, piece, relation
from symmetrics.cells import CELLS
from symmetrics.checker.definedness import obstacles_of, placed, require_free
from symmetrics.checker.parts import read_part
from symmetrics.checker.requirements import require, require_kind
from symmetrics.claims import LargestAtAgreement, SmallestAtDisagreement
from symmetrics.condition import are_equivalent
from symmetrics.parameter import Parameter
from symmetrics.verdict import Verdict

__all__ = ["check_cases"]

Check = Callable[[Verdict], None]
AT_BOUNDARY: Final[dict[type, set[str]]] = {LargestAtAgreement: {"FN", "FP"}, SmallestAtDisagreement: {"TP", "TN"}}
"""Claims about tables with zero cells, with the cells that are zero where they have the extreme."""


def check_cases(verdict: Verdict, claim: Any, check: Check) -> None:
    """Re-verify a verdict that was reached by cases.

    :param check: what re-verifies the verdict in one case
    """
    require_kind(verdict, proved={"cases"}, refuted={"cases"}, conditional={"cases"})
    walker = _Walker(claim, check)
    cases = list(walker.cases(verdict.evidence.data["tree"], claim, (), {}))
    require(any(case.status is not None for case in cases), "the formula has a value in no case")
    found = outcome(cases, claim.parameters)
    require(verdict.status == found.status, "the cases give another verdict")
    require(verdict.holds is found.holds and verdict.value == found.value, "its parts disagree with the cases")
    require(verdict.witness == found.witness, "the counterexample is not that of a case")
    require((verdict.condition is None) is (found.condition is None), "its parts disagree")
    if verdict.condition is not None and found.condition is not None:
        require(are_equivalent(verdict.condition, found.condition), "the condition is another one")


class _Walker:
    """What the cases of a claim have in common."""

    def __init__(self, claim: Any, check: Check) -> None:
        self.subject: Expr = claim.subject
        self.obstacles = obstacles_of(claim.subject)
        self.recheck = check

    def cases(
        self, node: Mapping[str, Any], claim: Any, conditions: tuple[Boolean, ...], values: dict[Symbol, Rational]
    ) -> Iterator[Case]:
        """Yield the verified verdicts below a node of the tree.

        :param values: the parameters that have a single value here
        """
        if "parameter" not in node:
            yield self.leaf(node, claim, And(*conditions), values)
            return
        (parameter,) = (p for p in claim.parameters if p.name == node["parameter"])
        parts = [piece(parameter, text) for text in node["pieces"]]
        _require_cover(parameter, parts)
        for part, child in zip(parts, node["pieces"].values(), strict=True):
            here = values | ({part.symbol: part.lower} if part.lower == part.upper else {})
            yield from self.cases(child, narrowed(claim, part), (*conditions, relation(parameter, part)), here)

    def leaf(self, node: Mapping[str, Any], claim: Any, condition: Boolean, values: dict[Symbol, Rational]) -> Case:
        """Check the verdict in one case."""
        if node.get("undefined") is True:
            require(placed(self.subject, values) is None, "the formula has a value where it is said to have none")
            return Case(condition, None)
        part = read_part(node["proof"], claim)
        require(part.status in ("proved", "refuted"), "a case is not settled")
        self.recheck(part)
        if values:
            self.check_written(part, values)
        witness = part.witness
        if witness is not None:
            fixed = {symbol.name: value for symbol, value in values.items()}
            witness = replace(witness, parameters={**witness.parameters, **fixed})
        return Case(condition, part.status, witness, part.value)

    def check_written(self, part: Verdict, values: Mapping[Expr, Rational]) -> None:
        """Check that what the values of parameters cancel is not in the way where the verdict needs the formula.

        At positive cells it must never be; at tables with zero cells where these serve as a counterexample.
        """
        self.require_free(part, values)
        zeros = AT_BOUNDARY.get(type(part.claim))
        if zeros is None or part.status != "refuted":
            return
        for table in () if part.witness is None else part.witness.tables:
            exact = [Rational(count) for count in table]
            self.require_free(part, {**values, **dict(zip(CELLS, exact, strict=True))})
        if part.evidence.kind == "exceeded":
            for face in (zeros, set(part.evidence.data["face"].split())):
                zero = {cell: S.Zero for cell in CELLS if cell.name in face}
                self.require_free(part, {**values, **zero})

    def require_free(self, part: Verdict, place: Mapping[Expr, Expr]) -> None:
        """Refuse a case if the formula, as it is written, may have no value at some tables."""
        for kind, base in self.obstacles:
            here = placed(base, place)
            require(here is not None, "the formula has no value where its value is needed")
            require_free(kind, here, part.claim.parameters)


def _require_cover(parameter: Parameter, parts: list[Parameter]) -> None:
    """Require that intervals and points make up a parameter's domain, in order, each value in one of them."""
    require(bool(parts), "there are no cases")
    first, last = parts[0], parts[-1]
    require((first.lower, first.lower_open) == (parameter.lower, parameter.lower_open), "the cases start elsewhere")
    require((last.upper, last.upper_open) == (parameter.upper, parameter.upper_open), "the cases end elsewhere")
    for before, after in itertools.pairwise(parts):
        meets = before.upper == after.lower and before.upper_open is not after.lower_open
        require(meets, "the cases leave a gap or overlap")
