"""The ends of the range of a formula: the least upper and the greatest lower bound, each with what reaches it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Any, Final, Literal

from sympy import Expr, Rational, S, Symbol

from symmetrics.claims import Claim, Comparison, Inequality, StrictInequality, value_symbol
from symmetrics.claims.families.limits import STEP
from symmetrics.claims.families.ranges import Bounded
from symmetrics.claims.verdict import Decision
from symmetrics.language.cells import CELLS, Table
from symmetrics.language.formula import formula_text
from symmetrics.language.parameter import Parameter
from symmetrics.prover.engine.candidates import Candidate, ranked
from symmetrics.prover.engine.curves import has_value_along
from symmetrics.prover.engine.leading import leading_term, placed
from symmetrics.tools.errors import UnsupportedError

__all__ = ["End", "end_of", "number_text", "typical", "unbounded_curve"]
Decide = Callable[[Claim], Decision]
Attained = Literal["yes", "no", "not decided"]
ATTEMPTS: Final = 40
"""Tables and curves whose exact values are computed."""
TINY: Final = 1e-7
"""Differences in floating point that say nothing."""


@dataclass(frozen=True)
class End:
    """One end of a range.

    :param sign: 1 for the supremum, -1 for the infimum
    :param bound: its value, ``oo`` or ``-oo``
    :param path: the table that attains it, or the curve along which M tends to it
    :param proof: the verdict that M does not exceed it, None if it is infinite
    :param attained: whether M has this value at a table of positive cells
    :param corner: a table with zero cells at which the formula, as it is written, has this value
    """

    sign: int
    bound: Expr
    path: Table
    proof: Decision | None
    claim: Claim | None
    attained: Attained
    corner: Table | None = None

    def record(self) -> dict[str, Any]:
        """Return the end as texts."""
        record: dict[str, Any] = {"bound": number_text(self.bound), "path": [formula_text(cell) for cell in self.path]}
        if self.proof is not None and self.claim is not None:
            record["strict"] = isinstance(self.claim, StrictInequality)
            record |= {} if self.corner is None else {"corner": [formula_text(cell) for cell in self.corner]}
            record["proof"] = self.proof.record()
        return record


def end_of(claim: Any, sign: int, decide: Decide) -> End:
    """Return the supremum of a formula over positive cells, or for the sign -1 its infimum.

    :raises UnsupportedError: if it was not found, or no bound was proved
    """
    return _end_of(claim.subject, claim.parameters, sign, decide)


@lru_cache(maxsize=512)
def _end_of(subject: Expr, parameters: tuple[Any, ...], sign: int, decide: Decide) -> End:
    claim = Bounded(subject, parameters)
    values = {p.symbol: typical(p) for p in parameters}
    best, path = _extreme(subject, parameters, values, sign)
    if best.is_infinite:
        return End(sign, best, path, None, None, "no")
    if not best.free_symbols <= set(values):
        raise UnsupportedError(f"the values reach {formula_text(best)}, which depends on the cells")
    return _bounded_end(claim, sign, best, path, decide)


def typical(parameter: Parameter) -> Rational:
    """Return the default of a parameter, or else a value inside its domain."""
    lower, upper = parameter.lower, parameter.upper
    if parameter.default is not None:
        return parameter.default
    if lower.is_finite and upper.is_finite:
        return (lower + upper) / 2
    return lower + 1 if lower.is_finite else upper - 1 if upper.is_finite else S.One


def _extreme(
    subject: Expr, parameters: tuple[Any, ...], values: Mapping[Symbol, Expr], sign: int
) -> tuple[Expr, Table]:
    """Return the largest value that was found, exactly, with its table or curve."""
    best: tuple[Expr, Table] | None = None
    height, left = -inf, ATTEMPTS
    ranking = ranked(placed(subject, values), sign)
    settled = False
    while left and (candidate := ranking.following(height + TINY if settled else -inf)):
        left -= 1
        limit = _exact(subject, parameters, candidate)
        if limit is None or limit == -sign * S.Infinity:
            continue
        if limit.is_infinite:
            return limit, candidate.path
        number = limit.xreplace(dict(values))
        if not number.is_finite:
            continue
        here = sign * float(number)
        if here > height + TINY or (here >= height - TINY and not settled and not limit.free_symbols):
            best, height = (limit, candidate.path), here
            # A bound that holds for all parameters is what is looked for.
            settled = not limit.free_symbols
    if best is None:
        raise UnsupportedError("no limit along a curve was found")
    return best


def _exact(subject: Expr, parameters: tuple[Any, ...], candidate: Candidate) -> Expr | None:
    """Return the exact limit along a curve, or value at a table; None if it was not found."""
    try:
        leading = leading_term(subject, parameters, dict(zip(CELLS, candidate.path, strict=True)))
        if not has_value_along(subject, parameters, candidate.path):
            return None
    except UnsupportedError:
        return None
    return None if leading.limit is S.NaN else leading.limit


def _bounded_end(claim: Bounded, sign: int, bound: Expr, path: Table, decide: Decide) -> End:
    """Prove that a formula does not exceed a value that it reaches."""
    strict, weak = (_within(family, claim, sign, bound) for family in (StrictInequality, Inequality))
    is_table = not any(cell.free_symbols for cell in path)
    if not is_table:
        decision = decide(strict)
        if decision.status == "proved":
            return End(sign, bound, path, decision, strict, "no", _corner(claim, bound, path))
        seen = None if claim.parameters or decision.witness is None else decision.witness.values[0]
        if decision.status == "refuted" and decision.witness is not None and seen == bound:
            path, is_table = tuple(map(S, decision.witness.tables[0])), True
    decision = decide(weak)
    if decision.status == "proved":
        return End(sign, bound, path, decision, weak, "yes" if is_table else "not decided")
    beyond = "larger" if sign > 0 else "smaller"
    raise UnsupportedError(f"values reach {formula_text(bound)}, and it was not proved that none is {beyond}")


def _within(family: type[Comparison], claim: Bounded, sign: int, bound: Expr) -> Comparison:
    """Return the claim that a formula does not exceed a bound, or does not even reach it."""
    if not bound.free_symbols:
        return family(claim.subject, claim.parameters, (CELLS,), relation=sign * (bound - value_symbol(0)))
    relation = sign * (value_symbol(1) - value_symbol(0))
    return family(claim.subject, claim.parameters, (CELLS, CELLS), relation=relation, partner=bound)


def _corner(claim: Bounded, bound: Expr, path: Table) -> Table | None:
    """Return the table at the end of a curve if a formula, as it is written, has a given value there."""
    ends = [cell.xreplace({STEP: S.Zero}) for cell in path]
    if any(not cell.is_finite for cell in ends) or not any(ends):
        return None
    try:
        value = leading_term(placed(claim.subject, dict(zip(CELLS, ends, strict=True))), claim.parameters).limit
    except UnsupportedError:
        return None
    return (ends[0], ends[1], ends[2], ends[3]) if value == bound else None


def number_text(value: Expr) -> str:
    """Write a bound, which may be infinite."""
    return str(value) if value.is_infinite else formula_text(value)


def unbounded_curve(subject: Expr, sign: int) -> Table | None:
    """Return a curve along which a formula without parameters tends to infinity, for the sign -1 to minus infinity."""
    try:
        best, path = _extreme(subject, (), {}, sign)
    except UnsupportedError:
        return None
    return path if best.is_infinite else None
