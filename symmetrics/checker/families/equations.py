"""Verdicts on identities re-verified."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from sympy import And, Eq, Expr, Ne, Or, Pow, S, Symbol, cancel, preorder_traversal, radsimp
from sympy.logic.boolalg import Boolean
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.coefficients import coefficients_of, difference_in, require_independence
from symmetrics.checker.engine.conditions import holds_at
from symmetrics.checker.engine.enclosures import is_certainly_nonzero
from symmetrics.checker.engine.fractions import Arithmetic, Quotient
from symmetrics.checker.engine.powers import with_free_powers
from symmetrics.checker.engine.requirements import require, require_declared, require_kind, require_parts
from symmetrics.checker.engine.splits import Branch, walk
from symmetrics.checker.engine.witnesses import check_witness
from symmetrics.claims import Identity
from symmetrics.claims.verdict import Verdict
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter

__all__ = ["check_holds", "check_identity", "check_satisfiable", "check_sufficient", "divisors_of", "implied"]

MAX_CANCELLED: Final = 100_000
"""Largest product of terms of a numerator and a denominator whose common factors are looked for."""


def check_identity(verdict: Verdict, claim: Identity) -> None:
    """Re-verify a verdict on an identity."""
    kind = verdict.evidence.kind
    require_kind(verdict, proved={"identity", "powers"}, refuted={"witness", "conditions"}, conditional={"conditions"})
    require_declared(claim)
    require(verdict.value is None, "an equation has no value")
    if verdict.witness is not None:
        check_witness(claim, verdict.witness)
    if verdict.status == "proved":
        require_parts(verdict)
        stated = with_free_powers(claim) if kind == "powers" else claim
        exponents = (power.exp for formula in claim.formulas for power in formula.atoms(Pow))
        require(kind != "powers" or any(e.free_symbols for e in exponents), "no exponent holds a parameter")
        _, difference = difference_in(stated, verdict.evidence.data)
        require(not difference.top, "the numerator of the difference is not zero")
    elif verdict.status == "refuted":
        require_parts(verdict)
        require(kind == "conditions" or not claim.parameters, "one counterexample does not settle every parameter")
    if kind == "conditions":
        _check_conditions(verdict, claim)
    if verdict.status == "open":
        require_parts(verdict)


def _check_conditions(verdict: Verdict, claim: Identity) -> None:
    arithmetic, difference = difference_in(claim, verdict.evidence.data)
    # Factors that cancel would be solutions that are none; where one of them is zero the formula is continuous.
    if len(difference.top) * len(difference.bottom) <= MAX_CANCELLED:
        difference = Quotient(*difference.top.cancel(difference.bottom))
    for side in claim.sides:
        arithmetic.evaluate(side)  # notes where the sides are real, part of which may cancel in the difference
    equations = coefficients_of(arithmetic, difference.top)
    require_independence(arithmetic, difference.top, claim)
    require(bool(equations), "the difference is zero for all parameters")
    branches = walk(verdict.evidence.data["tree"], equations, divisors_of(claim), arithmetic)
    condition = S.false if verdict.condition is None else verdict.condition
    if verdict.status == "conditional":
        require(condition not in (S.true, S.false), "the condition says nothing")
        require(verdict.witness is not None, "there is no counterexample where the condition fails")
    symbols = {p.symbol for p in claim.parameters}
    require(condition.free_symbols <= symbols, "the condition is not one on the parameters")
    require(all(implied(condition, b, arithmetic) for b in branches), "the condition leaves out a solution")
    for disjunct in condition.args if isinstance(condition, Or) else [condition]:
        if disjunct is not S.false:
            check_sufficient(disjunct, [*equations, difference.bottom], arithmetic)
            check_satisfiable(disjunct, claim.parameters, verdict.evidence.data["examples"])
    check_holds(verdict, condition)


def divisors_of(claim: Identity) -> list[Expr]:
    """Return what the formulas of a claim divide by, as they are written, as far as parameters occur in it."""
    declared = {p.symbol for p in claim.parameters}
    nodes = (node for formula in claim.formulas for node in preorder_traversal(formula) if isinstance(node, Pow))
    return [node.base for node in nodes if node.exp.is_negative and node.base.free_symbols & declared]


def check_holds(verdict: Verdict, condition: Boolean) -> None:
    """Check the truth value at the default parameters, and that the counterexample stands there if it can."""
    defaults = {p.symbol: p.default for p in verdict.claim.parameters}
    expected = None if None in defaults.values() else holds_at(condition, defaults)
    require(verdict.holds is (False if condition is S.false else expected), "the value at the defaults is wrong")
    if verdict.witness is not None:
        values = {p.symbol: verdict.witness.parameters[p.name] for p in verdict.claim.parameters}
        at_default = expected is None or expected or values == defaults
        require(at_default, "the counterexample is not at the default parameters")


def implied(condition: Boolean, branch: Branch, arithmetic: Arithmetic) -> bool:
    """Whether a condition holds on a branch, identically in the parameters that the branch leaves free."""
    if isinstance(condition, Or):
        return any(implied(part, branch, arithmetic) for part in condition.args)
    if isinstance(condition, And):
        return all(implied(part, branch, arithmetic) for part in condition.args)
    if isinstance(condition, (Eq, Ne)):
        gap = radsimp(cancel((condition.lhs - condition.rhs).subs(branch.values, simultaneous=True)))
        return bool(gap == 0) if isinstance(condition, Eq) else _never_vanishes(gap, branch, arithmetic)
    return condition is S.true


def _never_vanishes(gap: Expr, branch: Branch, arithmetic: Arithmetic) -> bool:
    """Whether an expression is nowhere zero on a branch: it is a number, or divides what does not vanish there."""
    if gap.is_number:
        return is_certainly_nonzero(gap)
    rest = arithmetic.evaluate(gap).top
    for poly in branch.nonzero:
        while not rest.is_ground and not (shared := rest.gcd(poly)).is_ground:
            rest = rest.exquo(shared)
    return bool(rest) and bool(rest.is_ground)


def check_sufficient(condition: Boolean, polys: list[PolyElement], arithmetic: Arithmetic) -> None:
    """Check that the coefficients vanish, and the denominator does not, wherever a conjunction of equations holds.

    :param polys: the coefficients, and last the denominator
    """
    parts = condition.args if isinstance(condition, And) else (condition,)
    values = {part.lhs: part.rhs for part in parts if isinstance(part, Eq)}
    require(all(isinstance(symbol, Symbol) for symbol in values), "a condition is not solved for a parameter")
    *equations, denominator = polys
    for equation in dict.fromkeys(equations):
        require(_vanishes(equation, values, arithmetic), "the condition does not make the difference vanish")
    require(not _vanishes(denominator, values, arithmetic), "the condition makes a denominator vanish")


def _vanishes(poly: PolyElement, values: Mapping[Symbol, Expr], arithmetic: Arithmetic) -> bool:
    """Whether a polynomial is zero once some parameters have the given values, which hold none of these parameters."""
    roots = (power for value in values.values() for power in value.atoms(Pow) if not power.exp.is_Integer)
    if not any(roots) and all(values.keys().isdisjoint(value.free_symbols) for value in values.values()):
        for symbol, value in values.items():
            image = arithmetic.evaluate(value)
            place = arithmetic.names.index(symbol.name)
            poly = arithmetic.substitute(poly, place, image.top, image.bottom)
        return not poly
    swap = {Symbol(name): parameter.symbol for name, parameter in arithmetic.parameters.items()}
    expression = poly.as_expr().subs(swap).subs(dict(values), simultaneous=True)
    return bool(cancel(expression.expand()) == 0)


def check_satisfiable(condition: Boolean, parameters: tuple[Parameter, ...], examples: Iterable[Any]) -> None:
    """Check that one of the examples satisfies a conjunction of equations, within the parameters' domains."""
    for example in examples:
        values = {p.symbol: parse_formula(example[p.name]) for p in parameters}
        if all(_admits(p, values[p.symbol]) for p in parameters) and _is_met(condition, values):
            return
    require(False, "no example shows that the condition can be met")


def _admits(parameter: Parameter, value: Expr) -> bool:
    return value in parameter if value.is_Rational else parameter.domain.contains(value) is S.true


def _is_met(condition: Boolean, values: Mapping[Symbol, Expr]) -> bool:
    if isinstance(condition, And):
        return all(_is_met(part, values) for part in condition.args)
    gap = radsimp(cancel((condition.lhs - condition.rhs).subs(values, simultaneous=True)))
    return bool(gap == 0) if isinstance(condition, Eq) else is_certainly_nonzero(gap)
