"""Conditions on parameters re-verified: that they are necessary, sufficient and can be met."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sympy import And, Eq, Expr, Ne, Or, Pow, S, Symbol, cancel, preorder_traversal, radsimp
from sympy.logic.boolalg import Boolean
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.conditions import holds_at
from symmetrics.checker.engine.enclosures import is_certainly_nonzero
from symmetrics.checker.engine.fractions import Arithmetic
from symmetrics.checker.engine.requirements import require
from symmetrics.checker.engine.splits import Branch
from symmetrics.claims import Identity
from symmetrics.claims.verdict import Verdict
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter

__all__ = ["check_holds", "check_satisfiable", "check_sufficient", "divisors_of", "implied"]


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
