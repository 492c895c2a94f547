"""Inequalities with parameters re-verified from the coefficients of a numerator."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from sympy import Expr, Not, Or, Poly, Rational, S, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, to_nnf
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.fractions import Arithmetic, never_negative
from symmetrics.checker.engine.reality import is_real_nearly_everywhere
from symmetrics.checker.engine.requirements import require
from symmetrics.checker.engine.signs import SignChecker
from symmetrics.checker.engine.solutions import check_holds, check_satisfiable, check_sufficient, implied
from symmetrics.checker.engine.splits import walk
from symmetrics.claims import Comparison
from symmetrics.claims.verdict import Verdict
from symmetrics.language.condition import condition_text, parse_condition
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import CertificateError

__all__ = ["check_thresholds"]

Monomial = tuple[int, ...]


def check_thresholds(verdict: Verdict, claim: Comparison, numerator: PolyElement, signs: SignChecker) -> None:
    """Check for which parameters a numerator is positive, or nowhere negative, at all tables.

    :param numerator: what has the sign of the claim's relation
    :param signs: what is known about the signs of its generators
    """
    data = verdict.evidence.data
    coefficients = _coefficients(numerator, signs)
    if not coefficients:
        condition = S.false if claim.sign == ">" else S.true
    elif "intervals" in data:
        named = [(piece, _weights(piece["fails"], signs.arithmetic)) for piece in data["intervals"]]
        condition = _by_intervals(claim, coefficients, named, verdict.condition)
    else:
        polys = list(coefficients.values())
        require(all(never_negative(poly, signs.arithmetic) for poly in polys), "a coefficient may be negative")
        condition = S.true if claim.sign == ">=" else _where_some_is_positive(claim, polys, data, signs.arithmetic)
    status = "proved" if condition is S.true else "refuted" if condition is S.false else "conditional"
    require(verdict.status == status, "the coefficients give another verdict")
    if status != "proved":
        # Where a coefficient is negative the numerator is so at some tables, at which the formula needs a value.
        is_real = all(is_real_nearly_everywhere(side, claim.parameters, claim.variables) for side in claim.sides)
        require(is_real, "the formula may have no value at the tables at which the numerator is negative")
    if status == "conditional":
        require(verdict.witness is not None, "there is no counterexample where the condition fails")
        claimed = S.true if verdict.condition is None else verdict.condition
        require(condition_text(condition) == condition_text(claimed), "the condition is another one")
        check_holds(verdict, condition)


def _coefficients(numerator: PolyElement, signs: SignChecker) -> dict[Monomial, PolyElement]:
    """Return the coefficients, polynomials in the parameters, of a numerator without its common monomial."""
    arithmetic = signs.arithmetic
    inside = {arithmetic.names.index(name) for name in arithmetic.parameters}
    if not numerator:
        return {}
    found: dict[Monomial, PolyElement] = {}
    for monomial, coefficient in numerator.terms():
        outside = tuple(0 if place in inside else power for place, power in enumerate(monomial))
        own = tuple(power if place in inside else 0 for place, power in enumerate(monomial))
        found.setdefault(outside, arithmetic.ring(0))[own] = coefficient
    lowest = [min(powers) for powers in zip(*found, strict=True)]
    require(all(place in signs.positive for place, power in enumerate(lowest) if power), "a factor may be negative")
    left = {tuple(e - low for e, low in zip(m, lowest, strict=True)): poly for m, poly in found.items()}
    places = [atom.place for atom in arithmetic.atoms.values()] + [arithmetic.names.index("pi")]
    require(not any(m[place] for m in left for place in places), "roots, logarithms or pi are left in the numerator")
    return left


def _where_some_is_positive(
    claim: Comparison, polys: Sequence[PolyElement], data: Mapping[str, Any], arithmetic: Arithmetic
) -> Boolean:
    """Return the condition that not all of several polynomials vanish, of which none is negative."""
    zero = parse_condition(data["zero"], [p.name for p in claim.parameters])
    branches = walk(data["tree"], list(dict.fromkeys(polys)), (), arithmetic)
    require(all(implied(zero, branch, arithmetic) for branch in branches), "the condition leaves out a solution")
    for disjunct in zero.args if isinstance(zero, Or) else [zero]:
        if disjunct is not S.false:
            check_sufficient(disjunct, [*polys, arithmetic.ring(1)], arithmetic)
            check_satisfiable(disjunct, claim.parameters, data["examples"])
    return to_nnf(Not(zero), simplify=False)


# -- one parameter ---------------------------------------------------------------------------------------------------


def _by_intervals(
    claim: Comparison,
    coefficients: Mapping[Monomial, PolyElement],
    intervals: Sequence[tuple[Mapping[str, Any], Sequence[int] | None]],
    condition: Boolean | None,
) -> Boolean:
    """Return the claimed condition, after checking it on intervals that make up the parameter's domain."""
    (parameter,) = claim.parameters
    pieces = [(_bound(piece["lower"]), _bound(piece["upper"]), fails) for piece, fails in intervals]
    _require_cover(parameter, [(lower, upper) for lower, upper, _ in pieces])
    symbol = Symbol(parameter.name)
    polys = {m: Poly(poly.as_expr(), symbol) for m, poly in coefficients.items()}
    for lower, upper, fails in pieces:
        sample = _sample(lower, upper)
        for poly in polys.values():
            require(lower == upper or _has_no_root_between(poly, lower, upper), "a coefficient changes its sign")
        _check_piece(claim, {m: poly.eval(sample) for m, poly in polys.items()}, fails)
    holding = [fails is None for _, _, fails in pieces]
    if all(holding) or not any(holding):
        return S.true if all(holding) else S.false
    if condition is None:
        raise CertificateError("there is no condition")
    _require_same(condition, parameter, pieces)
    return condition


def _weights(fails: Mapping[str, Any] | str | None, arithmetic: Arithmetic) -> Sequence[int] | None:
    """Return a direction as one weight for each generator, or an empty one where all coefficients are zero."""
    if fails is None or isinstance(fails, str):
        return None if fails is None else ()
    require(set(fails) <= set(arithmetic.names), "a direction names something that there is not")
    require(all(type(weight) is int for weight in fails.values()), "a direction is not one of whole numbers")
    return [fails.get(name, 0) for name in arithmetic.names]


def _check_piece(claim: Comparison, values: Mapping[Monomial, Rational], fails: Sequence[int] | None) -> None:
    if fails is None:
        require(all(value >= 0 for value in values.values()), "a coefficient is negative")
        require(claim.sign == ">=" or any(value > 0 for value in values.values()), "all coefficients are zero")
    elif not fails:
        require(claim.sign == ">" and not any(values.values()), "not all coefficients are zero")
    else:
        # Far out in that direction the term with the largest exponent dominates; it is negative there.
        heights = {m: sum(w * e for w, e in zip(fails, m, strict=True)) for m, value in values.items() if value}
        highest = [m for m, height in heights.items() if height == max(heights.values())]
        require(len(highest) == 1 and bool(values[highest[0]] < 0), "no negative term dominates")


def _bound(text: str) -> Expr:
    return {"oo": S.Infinity, "-oo": S.NegativeInfinity}.get(text) or parse_formula(text)


def _require_cover(parameter: Parameter, pieces: Sequence[tuple[Expr, Expr]]) -> None:
    """Require that points and open intervals make up the parameter's domain, in order and without a gap."""
    ends = [pieces[0][0], *(upper for _, upper in pieces)]
    require(ends[0] == parameter.lower and ends[-1] == parameter.upper, "the intervals are not the whole domain")
    closed = [lower for lower, upper in pieces if lower == upper]
    require(all(point in parameter for point in closed), "a point is outside the domain")
    for (_, upper), (lower, following) in itertools.pairwise(pieces):
        require(upper == lower and bool(lower <= following), "the intervals leave a gap")
    inner = {end for end in ends if parameter.lower < end < parameter.upper}
    needed = inner | {end for end in (parameter.lower, parameter.upper) if end.is_finite and end in parameter}
    require(needed <= set(closed), "the intervals leave out a point")


def _sample(lower: Expr, upper: Expr) -> Rational:
    if lower.is_finite and upper.is_finite:
        return (lower + upper) / 2
    return lower + 1 if lower.is_finite else upper - 1 if upper.is_finite else S.Zero


def _has_no_root_between(poly: Poly, lower: Expr, upper: Expr) -> bool:
    if poly.degree() <= 0:
        return True
    low, high = (end if end.is_finite else None for end in (lower, upper))
    inside = poly.count_roots(low, high)
    return bool(inside == sum(1 for end in (low, high) if end is not None and poly.eval(end) == 0))


def _require_same(condition: Boolean, parameter: Parameter, pieces: Sequence[tuple[Expr, Expr, Any]]) -> None:
    """Require that a condition holds on just those intervals on which the claim does."""
    ends = {end for lower, upper, _ in pieces for end in (lower, upper)}
    for relation in condition.atoms(Relational):
        sides = {relation.lhs, relation.rhs}
        require(parameter.symbol in sides and bool(sides & ends), "the condition compares with something else")
    for lower, upper, fails in pieces:
        truth = condition.subs(parameter.symbol, _sample(lower, upper))
        require(bool(truth) is (fails is None), "the condition differs from what was found on an interval")
