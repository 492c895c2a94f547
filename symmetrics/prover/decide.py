"""From a claim to a verdict: each family of claims has a module that decides it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from symmetrics.claims import AllOf, AnyOf, Claim, Identity
from symmetrics.prover.combinations import decide_combination
from symmetrics.prover.equations import decide_identity
from symmetrics.verdict import Decision, Verdict

__all__ = ["decide"]

_DECIDERS: Final[dict[type, Callable[[Any], Decision]]] = {
    Identity: decide_identity,
    AllOf: lambda claim: decide_combination(claim, decision_of),
    AnyOf: lambda claim: decide_combination(claim, decision_of),
}


def decide(claim: Claim, *, metric: str, property: str) -> Verdict:
    """Decide a claim: proved, refuted, conditional on the parameters, or open, each with its evidence.

    :param metric: the metric's name, for the verdict
    :param property: the property's key, for the verdict
    """
    return Verdict.of(decision_of(claim), claim, metric=metric, property=property)


def decision_of(claim: Claim) -> Decision:
    """Decide a claim, whosever it is."""
    return _DECIDERS[type(claim)](claim)
