"""From a claim to a verdict."""

from __future__ import annotations

from typing import Any, Final

from sympy import Expr, Rational, S, Symbol
from sympy.logic.boolalg import Boolean

from symmetrics.claims import Identity
from symmetrics.errors import UnsupportedError
from symmetrics.parameter import Parameter
from symmetrics.prover.conditions import Solution, coefficient_system, solve_system
from symmetrics.prover.identities import Difference, difference_of
from symmetrics.prover.witnesses import find_witness, first_witness
from symmetrics.verdict import Evidence, Verdict, Witness, condition_text

__all__ = ["decide"]

DOMAIN: Final = "on the open positive orthant"


def decide(claim: Identity, *, metric: str, property: str) -> Verdict:
    """Decide a claim: proved, refuted, conditional on the parameters, or open, each with its evidence.

    :param metric: the metric's name, for the verdict
    :param property: the property's key, for the verdict
    """

    def verdict(**parts: Any) -> Verdict:
        return Verdict(metric=metric, property=property, claim=claim, **parts)

    if not claim.parameters and (witness := first_witness(claim)):
        return verdict(**_refuted(witness))
    try:
        difference = difference_of(claim)
        if difference.element.is_zero:
            return verdict(status="proved", holds=True, evidence=_identity_evidence(difference))
        if claim.parameters:
            return verdict(**_parametric(claim, difference))
        if witness := find_witness(claim, {}):
            return verdict(**_refuted(witness))
    except UnsupportedError as reason:
        if not claim.parameters and (witness := find_witness(claim, {})):
            return verdict(**_refuted(witness))
        return verdict(**_undecided(claim, str(reason)))
    return verdict(**_undecided(claim, "the difference is not formally zero, and no counterexample was found"))


def _refuted(witness: Witness) -> dict[str, Any]:
    tables = " and ".join(str(tuple(map(str, table))).replace("'", "") for table in witness.tables)
    values = " and ".join(map(str, witness.values))
    at = "".join(f", {name} = {value}" for name, value in witness.parameters.items())
    fractional = any(count != int(count) for table in witness.tables for count in table)
    note = "; no counterexample with small integer counts was found" if fractional else ""
    sentence = f"counterexample: M = {values} at (TP, FN, FP, TN) = {tables}{at}{note}"
    return {"status": "refuted", "holds": False, "witness": witness, "evidence": Evidence("witness", sentence)}


def _identity_evidence(difference: Difference) -> Evidence:
    record = difference.record()
    roots = ", ".join(atom["base"] for atom in record["atoms"].values() if atom["kind"] == "power")
    over = f", with roots of {roots}" if roots else ""
    sentence = f"identity {DOMAIN}: over one denominator the difference has the zero polynomial as numerator{over}"
    return Evidence("identity", sentence, record)


def _parametric(claim: Identity, difference: Difference) -> dict[str, Any]:
    """Decide a claim whose difference is not zero for all parameters: for which is it?"""
    field = difference.field
    if not field.is_complete:
        raise UnsupportedError("nested roots: no complete zero test, so the parameters cannot be solved for; bind them")
    system = coefficient_system(difference.element, field)
    solution = solve_system(system, field, _parametric_denominators(difference))
    defaults = _defaults(claim)
    if solution.condition is S.true:
        raise UnsupportedError("the difference vanishes where it should not: this is a defect, please report it")
    if solution.condition is S.false:
        values = defaults if defaults is not None else _sample(claim, solution.condition)
        witness = None if values is None else find_witness(claim, values)
        if witness is None:
            raise UnsupportedError("no parameter values satisfy the claim, but no counterexample was found")
        parts = _refuted(witness)
        return parts | {"evidence": _conditions_evidence(difference, solution, parts["evidence"].sentence)}
    holds = None if defaults is None else bool(solution.condition.subs(defaults))
    values = defaults if holds is False else _sample(claim, solution.condition)
    return {
        "status": "conditional",
        "holds": holds,
        "condition": solution.condition,
        "witness": None if values is None else find_witness(claim, values),
        "evidence": _conditions_evidence(difference, solution, None),
    }


def _conditions_evidence(difference: Difference, solution: Solution, counterexample: str | None) -> Evidence:
    if counterexample:
        sentence = f"{counterexample}; no values of the parameters make all coefficients of the difference vanish"
    else:
        sentence = (
            f"identity {DOMAIN} if and only if {condition_text(solution.condition)}: "
            "the coefficients of the difference vanish there and nowhere else"
        )
    return Evidence("conditions", sentence, difference.record() | {"tree": solution.tree})


def _parametric_denominators(difference: Difference) -> list[Any]:
    """Return the denominators of the sides that parameters could turn into zero."""
    field = difference.field
    places = [place for place, name in enumerate(field.names) if name in field.parameters]
    numbers = dict.fromkeys(number for side in difference.sides for number in side.denominator)
    bases: list[Any] = [field.atoms[number].base for number in numbers if not field.atoms[number].is_opaque]
    return [base for base in bases if any(base.degrees()[place] for place in places)]


def _defaults(claim: Identity) -> dict[Symbol, Expr] | None:
    if any(p.default is None for p in claim.parameters):
        return None
    return {p.symbol: p.default for p in claim.parameters if p.default is not None}


def _sample(claim: Identity, condition: Boolean) -> dict[Symbol, Expr] | None:
    """Return simple parameter values inside the domain that violate a condition."""
    candidates = [_interior_values(parameter) for parameter in claim.parameters]
    for offset in range(12):
        values = {
            p.symbol: options[(offset * (place + 1)) % len(options)]
            for place, (p, options) in enumerate(zip(claim.parameters, candidates, strict=True))
        }
        if not condition.subs(values):
            return values
    return None


def _interior_values(parameter: Parameter) -> list[Rational]:
    """Return some simple values inside a parameter's domain.

    >>> _interior_values(Parameter("w", 0, 1))
    [1/2, 1/3, 3/4, 2/5, 4/5]
    """
    shares = [Rational(1, 2), Rational(1, 3), Rational(3, 4), Rational(2, 5), Rational(4, 5)]
    lower, upper = parameter.lower, parameter.upper
    if lower.is_finite and upper.is_finite:
        return [lower] if lower == upper else [lower + (upper - lower) * share for share in shares]
    steps = [Rational(k) for k in (1, 2, 3, 5, 7)]
    if lower.is_finite:
        return [lower + step for step in steps]
    return [upper - step for step in steps] if upper.is_finite else steps


def _undecided(claim: Identity, reason: str) -> dict[str, Any]:
    """Return an open verdict, with a counterexample at the defaults if there is one to show."""
    defaults = _defaults(claim)
    witness = find_witness(claim, defaults) if defaults else None
    return {"status": "open", "holds": None, "witness": witness, "evidence": Evidence("open", f"open: {reason}")}
