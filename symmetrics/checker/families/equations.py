"""Verdicts on identities re-verified."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from sympy import QQ, Add, Expr, Or, Pow, Rational, S, Symbol, cancel, preorder_traversal, primefactors

from symmetrics.checker.engine.coefficients import coefficients_of, difference_in, require_independence
from symmetrics.checker.engine.conditions import (
    check_holds,
    check_satisfiable,
    check_sufficient,
    divisors_of,
    implied,
)
from symmetrics.checker.engine.fractions import Arithmetic, Quotient
from symmetrics.checker.engine.parts import check_witness
from symmetrics.checker.engine.requirements import require, require_declared, require_kind, require_parts
from symmetrics.checker.engine.splits import walk
from symmetrics.checker.engine.sums import ring_of
from symmetrics.claims import Identity, value_symbol
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import parameter_symbol
from symmetrics.language.formula import RESERVED_PREFIX
from symmetrics.language.writer import formula_text

# -- Re-verify that no parameter value makes the formula undefined only at the claim's special tables ------------------


def check_divisors(claim: Identity, trees: Mapping[str, Any], arithmetic: Arithmetic) -> None:
    """Check that no divisor of a side vanishes at all of its tables, unless the formula is undefined everywhere then.

    :param trees: for each such divisor, by its text, why its coefficients do not vanish together
    """
    for divisor in _divisors_at_special_tables(claim):
        tree = trees.get(formula_text(divisor))
        require(tree is not None, "a divisor at a special table may vanish for some parameters")
        value = arithmetic.evaluate(divisor)
        equations = coefficients_of(arithmetic, Quotient(*value.top.cancel(value.bottom)).top)
        branches = walk(tree or {}, equations, divisors_of(claim), arithmetic)
        require(not branches, "a divisor vanishes at a special table for some parameters")


def _divisors_at_special_tables(claim: Identity) -> Iterator[Expr]:
    """Yield the divisors at special tables: those whose cells depend on each other, or that contain a constant cell."""
    declared = {p.symbol for p in claim.parameters}
    for formula, table in zip(claim.formulas, claim.tables, strict=True):
        if all(_is_free(cell, [*table[:place], *table[place + 1 :]], claim) for place, cell in enumerate(table)):
            continue
        swap = dict(zip(claim.arguments, table, strict=True))
        for node in preorder_traversal(formula):
            here = node.xreplace(swap).free_symbols | node.free_symbols
            if isinstance(node, Pow) and node.exp.is_negative and here & declared:
                yield node.base.xreplace(swap)


def _is_free(cell: Expr, others: list[Expr], claim: Identity) -> bool:
    """Whether a cell varies with a variable on which no other cell depends, for all parameters."""
    return not any(cell.has(parameter.symbol) for parameter in claim.parameters) and any(
        cancel(cell.diff(variable)) != 0 and not any(other.has(variable) for other in others)
        for variable in claim.variables
    )


# ----------------------------------------------------------------------------------------------------------------------
# Powers with parameters in their exponents replaced by positive variables, for identities that hold for any.


Exponents = Mapping[Expr, Fraction]
"""Multiplicity of each product of parameters in an exponent; 1 stands for the constant."""


def with_free_powers(claim: Identity) -> Identity:
    """Replace each b**m, m a product of parameters, by a new positive variable; return the identity over these.

    Each base is broken into primes and irreducible polynomials, which have to be positive for positive cells.
    """
    symbols: dict[tuple[str, str], Symbol] = {}

    def replaced(node: Expr) -> Expr:
        if node.args == ():
            return node
        inner = [replaced(argument) for argument in node.args]
        if isinstance(node, Pow) and node.exp.free_symbols:
            return _power(inner[0], _exponents(inner[1], claim), claim, symbols)
        return node.func(*inner)

    difference = replaced(claim.difference)
    auxiliary = (*claim.auxiliary, *symbols.values())
    require(len(set(auxiliary)) == len(auxiliary), "a name is taken")
    # The difference is the formula, not the relation: in a relation a parameter called value0 would be a value.
    return Identity(difference, claim.parameters, (claim.arguments,), auxiliary, value_symbol(0), over=claim.over)


def _exponents(exponent: Expr, claim: Identity) -> Exponents:
    require(exponent.free_symbols <= {p.symbol for p in claim.parameters}, "an exponent holds more than parameters")
    found: dict[Expr, Fraction] = {}
    for term in Add.make_args(exponent.expand()):
        number, rest = term.as_coeff_Mul()
        require(isinstance(number, Rational), "an exponent is no sum of multiples of parameters")
        found[rest] = found.get(rest, Fraction(0)) + Fraction(int(number.p), int(number.q))
    return found


def _power(base: Expr, exponents: Exponents, claim: Identity, symbols: dict[tuple[str, str], Symbol]) -> Expr:
    result: Expr = S.One
    for factor, count in _positive_factors(base, claim.variables):
        for rest, times in exponents.items():
            power = Rational(count * times.numerator, times.denominator)
            if rest is S.One:
                result *= factor**power
                continue
            key = str(factor), str(rest)
            if key not in symbols:
                symbols[key] = parameter_symbol(f"{RESERVED_PREFIX}power{len(symbols)}")
            result *= symbols[key] ** power
    return result


def _positive_factors(base: Expr, variables: Sequence[Symbol]) -> list[tuple[Expr, int]]:
    require(base.free_symbols <= set(variables), "the base of a power holds a parameter")
    polynomials, _ = ring_of(tuple(symbol.name for symbol in variables), QQ)
    found: list[tuple[Expr, int]] = []
    for part, sign in zip(base.as_numer_denom(), (1, -1), strict=True):
        number, factors = polynomials.from_expr(part.xreplace({s: Symbol(s.name) for s in variables})).factor_list()
        positive = number > 0 and all(c > 0 for factor, _ in factors for c in factor.values())
        require(positive, "the base of a power is not known to be positive")
        for whole, way in ((int(number.numerator), sign), (int(number.denominator), -sign)):
            found += [(S(prime), way * _multiplicity(prime, whole)) for prime in primefactors(whole)]
        back = {Symbol(s.name): s for s in variables}
        found += [(factor.as_expr().xreplace(back), sign * count) for factor, count in factors]
    return found


def _multiplicity(prime: int, number: int) -> int:
    count = 0
    while number % prime == 0:
        number, count = number // prime, count + 1
    return count


# ----------------------------------------------------------------------------------------------------------------------


MAX_CANCELLED: Final = 100_000
"""Largest product of term counts up to which common factors of numerator and denominator are searched."""


def check(verdict: Verdict, claim: Identity, _: object) -> None:
    """Re-verify a verdict on an identity."""
    kind = verdict.evidence.kind
    require_kind(verdict, proved={"identity", "powers"}, refuted={"witness", "conditions"}, conditional={"conditions"})
    require_declared(claim)
    require(verdict.found is None, "an equation has no value")
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
    # Factors that cancel would add false solutions; where one of them is zero the formula is continuous.
    if len(difference.top) * len(difference.bottom) <= MAX_CANCELLED:
        difference = Quotient(*difference.top.cancel(difference.bottom))
    for side in claim.sides:
        arithmetic.evaluate(side)  # records where the sides are real, parts of which may cancel in the difference
    check_divisors(claim, verdict.evidence.data.get("special", {}), arithmetic)
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
