"""Identities decided: proved, refuted, or conditional on the parameters."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from sympy import Expr, Pow, Rational, S, Symbol, cancel
from sympy.logic.boolalg import Boolean

from symmetrics.algebra.convert import Conversion, Difference, difference_of, field_for, has_parameters_in_exponents
from symmetrics.algebra.field import Field
from symmetrics.claims import Comparison, Identity
from symmetrics.claims.evidence import Decision, Evidence, Witness, open_decision
from symmetrics.language.cells import parameter_symbol
from symmetrics.language.condition import condition_text
from symmetrics.language.parameter import defaults_of
from symmetrics.language.writer import formula_text
from symmetrics.prover.engine.conditions import Solution, coefficient_system, sample_values, solve_system
from symmetrics.prover.engine.parts import proof_of, require_independence, require_interior
from symmetrics.prover.engine.samples import find_violation
from symmetrics.prover.engine.smallest import smallest
from symmetrics.prover.engine.witnesses import MAX_VIOLATIONS, Counterexample, find_witness, first_witness, refuted
from symmetrics.tools.errors import UnsupportedError

# -- Parameters for which a formula is defined, but not at one of the special tables that a claim compares -------------

# The table of ones is such a table, and so is that of balanced classes: a divisor may vanish there for some
# parameters at all counts. For these the claim differs from the equation of its sides, in which the factor has
# been cancelled.


def trees_of_divisors(claim: Comparison, field: Field) -> dict[str, Any]:
    """Return proofs that no divisor vanishes at all tables of a side: by its text, a tree of splits.

    Parameters for which the formula itself has no value are left out.

    :raises UnsupportedError: if one may vanish for some parameters
    """
    read, trees = Conversion(field), dict[str, Any]()
    symbols = {parameter.symbol for parameter in claim.parameters}
    for formula, table in zip(claim.formulas, claim.tables, strict=True):
        place = dict(zip(claim.arguments, table, strict=True))
        if _have_variables_of_their_own(table, claim.variables):
            continue
        for power in sorted(formula.atoms(Pow), key=str):
            here = power.base.xreplace(place)
            if not power.exp.is_negative or symbols.isdisjoint(power.base.free_symbols | here.free_symbols):
                continue
            system = coefficient_system(field.reduce(read(here)), field)
            solution = solve_system(system, field, claim.denominators)
            if solution.condition is not S.false:
                raise UnsupportedError(
                    f"where {condition_text(solution.condition)}, the metric has no value at one of the tables that "
                    "the property compares; bind the parameter, or narrow its domain"
                )
            trees[formula_text(here)] = solution.tree
    return trees


def _have_variables_of_their_own(table: Sequence[Expr], variables: Sequence[Symbol]) -> bool:
    """Whether each cell depends on a variable that no other does, so that the cells vary independently.

    With a parameter in a cell this may be so for some values of it alone.
    """
    for place, cell in enumerate(table):
        others = set().union(*(other.free_symbols for number, other in enumerate(table) if number != place))
        is_whole = cell.free_symbols <= set(variables)
        if not is_whole or not any(cancel(cell.diff(own)) != 0 for own in cell.free_symbols - others):
            return False
    return True


# ----------------------------------------------------------------------------------------------------------------------


FEW_PROOFS: Final = 200
"""Number of tables at which algebra decides whether an identity holds, once it is known to fail far away ..."""
FAR: Final = 300
"""... that is, at a table with a larger total than this, beyond the search of small tables."""


def decide(claim: Identity, _: object) -> Decision:
    """Decide whether an identity holds, without deciding other claims."""
    return decide_identity(claim)


def decide_identity(claim: Identity) -> Decision:
    """Decide whether an identity holds, and if not always, for which parameters."""
    try:
        # Most false identities fail at a small table, which is found before any algebra.
        if not claim.parameters and (found := first_witness(claim)):
            return refuted(_smallest(claim, found))
        if has_parameters_in_exponents(*claim.sides):
            return _by_powers(claim)
        # Over one denominator an identity holds exactly if the numerator is the zero polynomial.
        difference = difference_of(claim.sides, claim.difference, field_for(claim.parameters, over=claim.names))
        if difference.element.is_zero:
            if difference.field.conditions:  # the formula is not real everywhere
                require_interior(difference.field)
            return Decision("proved", True, Evidence("identity", difference.record()))
        if claim.parameters:
            return _parametric(claim, difference)
        reason = "the difference is not formally zero, and no counterexample was found"
    except UnsupportedError as error:
        reason = str(error)
    if not claim.parameters:
        # With a counterexample far away the smaller tables are not excluded one by one.
        known = _known(claim)
        is_far = known is not None and sum(known.witness.tables[0]) > FAR
        if (found := find_witness(claim, {}, proofs=FEW_PROOFS if is_far else math.inf) or known) is not None:
            return refuted(_smallest(claim, found))
    return _undecided(claim, reason)


def holds_nowhere(claim: Identity) -> bool:
    """Whether no parameter values satisfy an identity; quick, as no counterexample is searched for."""
    if not claim.parameters or has_parameters_in_exponents(*claim.sides):
        return False
    try:
        field = field_for(claim.parameters, over=claim.names)
        difference = difference_of(claim.sides, claim.difference, field)
        is_nowhere = not difference.element.is_zero and _solution(claim, difference).condition is S.false
        trees_of_divisors(claim, field)
        return is_nowhere
    except UnsupportedError:
        return False


def _smallest(claim: Identity, found: Counterexample) -> Counterexample:
    """Return the smallest counterexample at the parameters of a known one."""
    if found.is_smallest or claim.tables[0] == claim.arguments:
        return found
    parameters = found.witness.parameters
    bound = claim.at({parameter_symbol(name): value for name, value in parameters.items()})
    first = smallest(bound, found.witness, lambda _: False)
    return replace(first, witness=replace(first.witness, parameters=parameters))


def _known(claim: Identity) -> Counterexample | None:
    """Return a counterexample suspected in floating point: small, or with counts of very different size."""
    if any(formula.has(S.ComplexInfinity, S.NaN, S.Infinity, S.NegativeInfinity) for formula in claim.formulas):
        return None
    try:
        return find_violation(claim, {})
    except UnsupportedError:
        return None


def _by_powers(claim: Identity) -> Decision:
    proof = proof_of(claim)
    if proof is None:
        raise UnsupportedError(
            "a parameter is in an exponent, and the identity was not proved with powers as free variables"
        )
    return proof


def _parametric(claim: Identity, difference: Difference) -> Decision:
    """Decide a claim that fails for some parameters: for which does it hold?"""
    solution = _solution(claim, difference)
    trees = trees_of_divisors(claim, difference.field)
    evidence = _conditions_evidence(difference, solution, {"special": trees} if trees else {})
    defaults = defaults_of(claim.parameters)
    if defaults is not None and claim.subject.xreplace(defaults).has(S.ComplexInfinity, S.NaN):
        raise UnsupportedError("the formula is undefined at the default parameters")
    if solution.condition is S.true:
        raise UnsupportedError("the difference vanishes where it should not: this is a defect, please report it")
    holds = False if solution.condition is S.false else None
    if holds is None and defaults is not None:
        holds = bool(solution.condition.subs(defaults))
    found = find_witness(claim, defaults) if defaults and holds is False else _outside(claim, solution.condition)
    if found is None:
        raise UnsupportedError(f"{_law(solution.condition)}, but no counterexample was found where it should not hold")
    if solution.condition is S.false:
        plain = refuted(_smallest(claim, found))
        return replace(plain, evidence=replace(evidence, data={**evidence.data, **plain.evidence.data}))
    return Decision("conditional", holds, evidence, solution.condition, found.witness)


def _solution(claim: Identity, difference: Difference) -> Solution:
    """Return the values of the parameters at which a difference vanishes for all counts."""
    field = difference.field
    if not field.is_complete:
        raise UnsupportedError("nested roots: no complete zero test, so the parameters cannot be solved for; bind them")
    require_independence(difference.element, field)
    system = coefficient_system(difference.element, field)
    return solve_system(system, field, claim.denominators)


def _law(condition: Boolean) -> str:
    if condition is S.false:
        return "no parameter values satisfy the claim"
    return f"the claim holds for {condition_text(condition)}"


def _conditions_evidence(difference: Difference, solution: Solution, note: Mapping[str, Any]) -> Evidence:
    """Return the evidence of a solved system.

    :param note: a further remark
    """
    examples = [{s.name: formula_text(value) for s, value in example.items()} for example in solution.examples]
    return Evidence("conditions", {**difference.record(), "tree": solution.tree, "examples": examples, **note})


def _outside(claim: Identity, condition: Boolean) -> Counterexample | None:
    """Return a counterexample at simple parameter values that violate a condition."""
    violating = (values for values in sample_values(claim.parameters) if not condition.subs(values))
    found = (find_witness(claim, values) for values in itertools.islice(violating, MAX_VIOLATIONS))
    return next((witness for witness in found if witness), None)


def _undecided(claim: Identity, reason: str) -> Decision:
    """Return an open verdict, with a counterexample at the defaults if there is one to show."""
    defaults = defaults_of(claim.parameters)
    return open_decision(reason, _failing(claim, defaults or {}))


def _failing(claim: Identity, values: Mapping[Symbol, Expr]) -> Witness | None:
    """Return a counterexample at values of the parameters.  None is searched for where the identity is proved."""
    if not values or claim.subject.xreplace(dict(values)).has(S.ComplexInfinity, S.NaN):
        return None
    witness = decide_identity(claim.at(values)).witness
    settings = {symbol.name: Rational(value) for symbol, value in values.items()}
    return None if witness is None else replace(witness, parameters={**witness.parameters, **settings})
