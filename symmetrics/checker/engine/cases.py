"""Verdicts by cases of the parameters re-verified."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from sympy import And, Expr, Ge, Gt, Le, Lt, Not, Rational, S, Symbol
from sympy.logic.boolalg import Boolean

from symmetrics.checker.engine.conditions import follows, holds_at
from symmetrics.checker.engine.expansions import obstacles_of, placed, require_free
from symmetrics.checker.engine.parts import read_part
from symmetrics.checker.engine.requirements import require, require_found, require_kind
from symmetrics.claims import LargestAtAgreement, SmallestAtDisagreement
from symmetrics.claims.evidence import Witness
from symmetrics.claims.values import Cases, Value
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_number
from symmetrics.language.parameter import Parameter

Check = Callable[[Verdict], None]
AT_BOUNDARY: Final[dict[type, set[str]]] = {LargestAtAgreement: {"FN", "FP"}, SmallestAtDisagreement: {"TP", "TN"}}
"""Claims about extremes at tables with zero cells, each with the cells that are zero at these tables."""
_INTERVAL: Final = re.compile(r"(?P<left>[\[(])(?P<lower>[^,]+), (?P<upper>[^,]+)(?P<right>[\])])")
_INFINITE: Final = {"oo": S.Infinity, "-oo": S.NegativeInfinity}


@dataclass(frozen=True)
class _Case:
    """A verified case: the box of parameter values, and the verdict on it.

    :param box: the condition that these values satisfy
    :param status: ``proved`` or ``refuted``, None if the formula has no value there
    """

    box: Boolean
    status: str | None
    witness: Witness | None = None
    found: Value | None = None


def check_cases(verdict: Verdict, claim: Any, check: Check) -> None:
    """Re-verify a verdict that was reached by cases.

    :param check: function that re-verifies the verdict in one case
    """
    require_kind(verdict, proved={"cases"}, refuted={"cases"}, conditional={"cases"})
    walker = _Walker(claim, check)
    everywhere = list(walker.cases(verdict.evidence.data["tree"], claim, (), {}))
    cases = [case for case in everywhere if case.status is not None]
    require(bool(cases), "the formula has a value in no case")
    statuses = {case.status for case in cases}
    expected = "conditional" if len(statuses) == 2 else next(iter(statuses))
    require(verdict.status == expected, "the cases give another verdict")
    require((verdict.condition is not None) is (expected == "conditional"), "its parts disagree")
    condition = {"proved": S.true, "refuted": S.false}.get(verdict.status, verdict.condition)
    for case in cases:
        truth = condition if case.status == "proved" else Not(condition)
        require(follows(truth, given=case.box), "the condition is another one")
    known = {p.symbol: p.default for p in claim.parameters}
    defaults = None if None in known.values() else known
    holds = {S.true: True, S.false: False}.get(condition, defaults and holds_at(condition, defaults))
    require(verdict.holds is holds, "its parts disagree with the cases")
    _check_witness(verdict, cases, defaults)
    _check_values(verdict, cases)


def _check_witness(verdict: Verdict, cases: list[_Case], defaults: Mapping[Symbol, Expr] | None) -> None:
    """Check that the counterexample belongs to a case: to the one with the default parameters, if that is refuted."""
    failing = [case for case in cases if case.status == "refuted" and case.witness is not None]
    here = [case for case in failing if defaults is not None and holds_at(case.box, defaults)]
    found = [case.witness for case in here or failing]
    require(verdict.witness in (found or [None]), "the counterexample is not that of a case")


def _check_values(verdict: Verdict, cases: list[_Case]) -> None:
    """Check that the value of the verdict lists the values of the cases, each under its own condition."""
    values = {case.found for case in cases}
    if verdict.found is None:
        require(values == {None}, "its parts disagree with the cases")
        return
    found = require_found(verdict, Cases, "its parts disagree with the cases")
    require(found.at_defaults is None, "its value names that at the defaults")
    stated = {each.value: each.condition for each in found.values}
    require(len(stated) == len(found.values), "a value is named twice")
    require(set(stated) == values - {None}, "its parts disagree with the cases")
    require(len(values) > 1 or set(stated.values()) == {S.true}, "a value for all parameters has a condition")
    for case, (value, condition) in itertools.product(cases, stated.items()):
        truth = condition if value == case.found else Not(condition)
        require(follows(truth, given=case.box), "a value has another condition than in the cases")


class _Walker:
    """Walks the tree of cases of one claim."""

    def __init__(self, claim: Any, check: Check) -> None:
        self.subject: Expr = claim.subject
        self.obstacles = obstacles_of(claim.subject)
        self.recheck = check

    def cases(
        self, node: Mapping[str, Any], claim: Any, conditions: tuple[Boolean, ...], values: dict[Symbol, Rational]
    ) -> Iterator[_Case]:
        """Yield the verified verdicts below a node of the tree.

        :param values: the parameters that have a single value here
        """
        if "parameter" not in node:
            yield self.leaf(node, claim, And(*conditions), values)
            return
        (parameter,) = (p for p in claim.parameters if p.name == node["parameter"])
        parts = [_part(parameter, text) for text in node["pieces"]]
        _require_cover(parameter, parts)
        for part, child in zip(parts, node["pieces"].values(), strict=True):
            here = dict(values)
            if part.lower == part.upper:
                here[part.symbol] = part.lower
                rest = claim.at({part.symbol: part.lower})
            else:
                rest = replace(claim, parameters=tuple(part if p == parameter else p for p in claim.parameters))
            yield from self.cases(child, rest, (*conditions, *_sides(part)), here)

    def leaf(self, node: Mapping[str, Any], claim: Any, condition: Boolean, values: dict[Symbol, Rational]) -> _Case:
        """Check the verdict in one case."""
        if node.get("undefined") is True:
            require(placed(self.subject, values) is None, "the formula has a value where it is said to have none")
            return _Case(condition, None)
        part = read_part(node["proof"], claim)
        require(part.status in ("proved", "refuted"), "a case is not settled")
        self.recheck(part)
        if values:
            self.check_written(part, values)
        witness = part.witness
        if witness is not None:
            fixed = {symbol.name: value for symbol, value in values.items()}
            witness = replace(witness, parameters={**witness.parameters, **fixed})
        return _Case(condition, part.status, witness, part.found)

    def check_written(self, part: Verdict, values: Mapping[Expr, Rational]) -> None:
        """Check that values of parameters cancel no divisor or root whose obstacle matters for the verdict.

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
        """Refuse a case if the formula, before simplification, may be undefined at some tables."""
        for kind, base in self.obstacles:
            here = placed(base, place)
            require(here is not None, "the formula has no value where its value is needed")
            require_free(kind, here, part.claim.parameters)


def _part(parameter: Parameter, text: str) -> Parameter:
    """Read a part of a parameter's domain: an interval such as ``(0, 1/2]``, or a number."""
    interval = _INTERVAL.fullmatch(text)
    if interval is None:
        point = parse_number(text)
        return Parameter(parameter.name, point, point)
    lower, upper = (_INFINITE.get(end) or parse_number(end) for end in interval.group("lower", "upper"))
    part = Parameter(parameter.name, lower, upper, None, interval["left"] == "(", interval["right"] == ")")
    default = parameter.default
    if default is None or not holds_at(And(*_sides(part)), {part.symbol: default}):
        return part
    return replace(part, default=default)


def _sides(part: Parameter) -> Iterator[Boolean]:
    """Yield the inequalities that bound an interval of parameter values."""
    if part.lower.is_finite:
        yield (Gt if part.lower_open else Ge)(part.symbol, part.lower)
    if part.upper.is_finite:
        yield (Lt if part.upper_open else Le)(part.symbol, part.upper)


def _require_cover(parameter: Parameter, parts: list[Parameter]) -> None:
    """Require that intervals and points partition a parameter's domain, in order, without gap or overlap."""
    require(bool(parts), "there are no cases")
    first, last = parts[0], parts[-1]
    require((first.lower, first.lower_open) == (parameter.lower, parameter.lower_open), "the cases start elsewhere")
    require((last.upper, last.upper_open) == (parameter.upper, parameter.upper_open), "the cases end elsewhere")
    for before, after in itertools.pairwise(parts):
        meets = before.upper == after.lower and before.upper_open is not after.lower_open
        require(meets, "the cases leave a gap or overlap")
