"""Verdicts on identities re-verified."""

from __future__ import annotations

from typing import Final

from sympy import Or, Pow, S

from symmetrics.checker.engine.coefficients import coefficients_of, difference_in, require_independence
from symmetrics.checker.engine.fractions import Quotient
from symmetrics.checker.engine.powers import with_free_powers
from symmetrics.checker.engine.requirements import require, require_declared, require_kind, require_parts
from symmetrics.checker.engine.solutions import check_holds, check_satisfiable, check_sufficient, divisors_of, implied
from symmetrics.checker.engine.special_tables import check_divisors
from symmetrics.checker.engine.splits import walk
from symmetrics.checker.engine.witnesses import check_witness
from symmetrics.claims import Identity
from symmetrics.claims.verdict import Verdict

__all__ = ["check"]

MAX_CANCELLED: Final = 100_000
"""Largest product of terms of a numerator and a denominator whose common factors are looked for."""


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
    # Factors that cancel would be solutions that are none; where one of them is zero the formula is continuous.
    if len(difference.top) * len(difference.bottom) <= MAX_CANCELLED:
        difference = Quotient(*difference.top.cancel(difference.bottom))
    for side in claim.sides:
        arithmetic.evaluate(side)  # notes where the sides are real, part of which may cancel in the difference
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
