"""What follows from the verdicts in all parts of the domain of the parameters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sympy import Or, S
from sympy.logic.boolalg import Boolean

from symmetrics.claims.evidence import Decision, Evidence, Status
from symmetrics.claims.values import Cases, CaseValue, Value
from symmetrics.claims.witness import Witness
from symmetrics.language.condition import simplified
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import UnsupportedError

__all__ = ["Case", "outcome"]


@dataclass(frozen=True)
class Case:
    """The verdict on a claim for some values of its parameters.

    :param condition: which values these are
    :param status: ``proved`` or ``refuted``; None if the formula has no value at all there
    :param witness: the counterexample, with the values of all parameters
    :param found: the value of the verdict
    """

    condition: Boolean
    status: Status | None
    witness: Witness | None = None
    found: Value | None = None


def outcome(cases: Sequence[Case], parameters: Iterable[Parameter], evidence: Evidence) -> Decision:
    """Return what follows from the verdicts in all cases.

    Values of the parameters for which the formula has no value at all are left out: a condition may hold there or not.

    :raises UnsupportedError: if it has no value whatever the parameters are
    """
    if all(case.status is None for case in cases):
        raise UnsupportedError("the formula has a value for no parameters")
    defaults = {p.symbol: p.default for p in parameters}
    known = None not in defaults.values()
    failing = [case for case in cases if case.status == "refuted"]
    witness = None
    if failing:
        here = [case for case in failing if known and case.condition.subs(defaults) == S.true]
        witness = next((case.witness for case in [*here, *failing] if case.witness is not None), None)
    holding = [case.condition for case in cases if case.status == "proved"]
    if not failing or not holding:
        status: Status = "refuted" if failing else "proved"
        return Decision(status, not failing, evidence, None, witness, _found(cases))
    condition = simplified(Or(*holding))
    holds = condition.subs(defaults) == S.true if known else None
    return Decision("conditional", holds, evidence, condition, witness, _found(cases))


def _found(cases: Sequence[Case]) -> Cases | None:
    """Return the values of all cases, each different one once, with the condition under which it is the value."""
    groups: dict[Value | None, list[Boolean]] = {}
    for case in cases:
        if case.status is not None:
            groups.setdefault(case.found, []).append(case.condition)
    values = tuple(
        CaseValue(simplified(Or(*conditions)) if len(groups) > 1 else S.true, value)
        for value, conditions in groups.items()
        if value is not None
    )
    return Cases(values) if values else None
