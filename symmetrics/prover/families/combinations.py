"""Conjunctions and disjunctions of claims, decided from their parts."""

from __future__ import annotations

from collections.abc import Callable

from sympy import And, Or, S
from sympy.logic.boolalg import Boolean

from symmetrics.claims import AllOf, Claim, Combination, Comparison
from symmetrics.claims.evidence import Decision, Evidence, Status, Witness
from symmetrics.language.condition import simplified
from symmetrics.prover.engine.smallest import smallest
from symmetrics.prover.engine.witnesses import Counterexample, refuted
from symmetrics.prover.families.inequalities import is_proved


def decide(claim: Combination, decide_part: Callable[[Claim], Decision]) -> Decision:
    """Decide a combination of claims.

    All parts are decided unless one alone settles the matter for every parameter; the evidence is that of the parts.

    :param decide_part: function that decides a part
    """
    settling = "refuted" if isinstance(claim, AllOf) else "proved"
    decided: dict[str, Decision] = {}
    for label, part in claim.parts:
        decision = decide_part(part)
        if decision.status == settling:
            settled = {label: decision} if settling == "proved" else _smallest(claim, label, decision)
            return _summary(claim, settled, settling == "proved", None)
        decided[label] = decision
    return _combined(claim, decided)


def _smallest(claim: Combination, label: str, decision: Decision) -> dict[str, Decision]:
    """Return the part with the smallest counterexample of all parts, given one part that is refuted.

    Where it is not known to be the smallest, its sentence says so.
    """
    parts = {name: part for name, part in claim.parts if isinstance(part, Comparison)}
    found = decision.witness
    if claim.parameters or found is None or decision.evidence.kind != "witness" or len(parts) < len(claim.parts):
        return {label: decision}
    changes = True
    while changes:  # repeat until no part has a counterexample before the one found last
        is_smallest, changes = True, False
        for name, part in parts.items():
            earlier = smallest(part, found, is_proved)
            is_smallest = is_smallest and earlier.is_smallest
            if earlier.witness != found:
                found, label, changes = earlier.witness, name, True
    return {label: refuted(Counterexample(found, is_smallest))}


def _combined(claim: Combination, decided: dict[str, Decision]) -> Decision:
    is_all = isinstance(claim, AllOf)
    if all(decision.status != "conditional" for decision in decided.values()):
        is_open = any(decision.status == "open" for decision in decided.values())
        return _summary(claim, decided, None if is_open else is_all, None)
    if any(decision.status == "open" for decision in decided.values()):
        return _summary(claim, decided, None, None)
    conditions = [_condition(decision) for decision in decided.values()]
    condition = simplified(And(*conditions) if is_all else Or(*conditions))
    if condition in (S.true, S.false):
        return _summary(claim, decided, condition is S.true, None)
    defaults = {p.symbol: p.default for p in claim.parameters}
    holds = None if None in defaults.values() else bool(condition.subs(defaults))
    return _summary(claim, decided, holds, condition)


def _condition(decision: Decision) -> Boolean:
    if decision.condition is not None:
        return decision.condition
    return S.true if decision.status == "proved" else S.false


def _summary(
    claim: Combination, decided: dict[str, Decision], holds: bool | None, condition: Boolean | None
) -> Decision:
    parts = {label: decision.record() for label, decision in decided.items()}
    failing = (decision.witness for decision in decided.values() if decision.holds is not True)
    fitting = (w for w in failing if w is not None and not (condition is not None and _is_met(claim, condition, w)))
    witness = None if condition is None and holds is not False else next(fitting, None)
    statuses: dict[bool | None, Status] = {True: "proved", False: "refuted", None: "open"}
    status: Status = "conditional" if condition is not None else statuses[holds]
    return Decision(status, holds, Evidence(claim.kind, {"parts": parts}), condition, witness)


def _is_met(claim: Combination, condition: Boolean, witness: Witness) -> bool:
    """Whether a counterexample to one part has parameters that satisfy the condition: it does not refute the whole."""
    return bool(condition.subs({p.symbol: witness.parameters[p.name] for p in claim.parameters}))
