"""Requirements common to all verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Any, TypeVar

from sympy import Rational

from symmetrics.claims import Comparison, value_symbol
from symmetrics.claims.values import Value
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import parameter_symbol
from symmetrics.language.formula import CONSTANTS, FUNCTIONS
from symmetrics.tools.errors import CertificateError

AnyValue = TypeVar("AnyValue", bound=Value)


def require(condition: bool, reason: str) -> None:
    """Refuse the evidence unless a condition holds.

    :raises CertificateError: with the reason
    """
    if not condition:
        raise CertificateError(f"the evidence does not establish the verdict: {reason}")


def is_count(number: object) -> bool:
    """Whether something is a positive rational number."""
    return isinstance(number, (int, Rational)) and not isinstance(number, bool) and bool(number > 0)


def is_same_json(left: Any, right: Any) -> bool:
    """Whether two JSON values are the same; 1, 1.0 and true are not.

    >>> is_same_json({"a": [1, None]}, {"a": [1, None]}), is_same_json(1, True)
    (True, False)
    """
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(is_same_json(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(is_same_json, left, right))
    return bool(left == right)


def require_kind(verdict: Verdict, **allowed: Set[str]) -> None:
    """Refuse a verdict whose kind of evidence cannot establish its status.

    :param allowed: for each status the kinds of evidence; an open verdict has the kind ``open``
    """
    kinds: dict[str, Set[str]] = {"open": {"open"}, **allowed}
    kind = verdict.evidence.kind
    if kind not in kinds.get(verdict.status, ()):
        raise CertificateError(f"a verdict {verdict.status!r} cannot rest on evidence of kind {kind!r}")


def require_found(verdict: Verdict, kind: type[AnyValue], reason: str) -> AnyValue:
    """Return the value that a verdict found, and refuse it unless it has the required type."""
    found = verdict.found if isinstance(verdict.found, kind) else None
    require(found is not None, reason)
    assert found is not None
    return found


def require_declared(claim: Comparison) -> None:
    """Refuse a claim with symbols that are neither variables nor parameters, or with ambiguous names."""
    require_names(claim.over, (*claim.names[len(claim.over) :], *(p.name for p in claim.parameters)))
    known = all(symbol == parameter_symbol(symbol.name) for symbol in claim.auxiliary)
    require(known, "more is assumed of an auxiliary variable than that it is a positive number")
    require(all(len(table) == len(claim.over) for table in claim.tables), "a table has not one cell per variable")
    declared = {p.symbol for p in claim.parameters}
    for formula in claim.formulas:
        require(
            formula.free_symbols <= declared | set(claim.arguments), "the formula has a symbol that is not declared"
        )
    values = {value_symbol(place) for place in range(len(claim.tables))}
    require(claim.relation.free_symbols <= values, "the relation holds more than values of the formula")
    of_tables = {symbol for table in claim.tables for cell in table for symbol in cell.free_symbols}
    require(of_tables <= {*claim.variables, *declared}, "a table has a symbol that is not declared")


def require_names(variables: Sequence[str], others: Iterable[str]) -> None:
    """Refuse variables without proper names, and ambiguous names.

    :param others: the other names of a claim
    """
    names = [*variables, *others]
    require(len(set(names)) == len(names), "a variable or a parameter has the name of another one")
    require(all(name.isidentifier() for name in names), "the name of a variable is none")
    require({*FUNCTIONS, *CONSTANTS}.isdisjoint(names), "a variable has the name of a function or a constant")
    require(bool(variables), "the claim is about no variables")


def require_parts(verdict: Verdict) -> None:
    """Refuse a verdict, unless conditional, whose status, truth value, condition and witness disagree."""
    agrees = {"proved": True, "refuted": False, "open": None}.get(verdict.status, verdict) is verdict.holds
    require(agrees and verdict.condition is None, "its parts disagree")
    require(verdict.status != "proved" or verdict.witness is None, "its parts disagree")
    require(verdict.status != "refuted" or verdict.witness is not None, "there is no counterexample")
