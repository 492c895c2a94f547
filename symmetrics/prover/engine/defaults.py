"""Fallback: a claim that is open in general is decided at the default parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from symmetrics.claims import Claim
from symmetrics.claims.evidence import OPEN, Decision, Evidence
from symmetrics.claims.values import AtDefaults
from symmetrics.claims.wording import sentence_of
from symmetrics.language.parameter import defaults_of


def decided_at_defaults(claim: Claim, decision: Decision, decide: Callable[[Claim], Decision]) -> Decision:
    """Return an open decision on a claim with parameters, with its truth at their defaults, if that can be decided.

    It stays open, and has the truth value, the counterexample and the value of the claim about the formula with its
    parameters bound to their defaults.

    :param decide: function that decides that claim
    """
    defaults = defaults_of(claim.parameters)
    if defaults is None:
        return decision
    here = decide(claim.at(defaults))
    if here.status not in ("proved", "refuted"):
        return decision
    reason = sentence_of(claim, decision).removeprefix(OPEN)
    witness = here.witness
    if witness is not None:
        settings = {p.name: p.default for p in claim.parameters if p.default is not None}
        witness = replace(witness, parameters={**witness.parameters, **settings})
    found = None if here.found is None else AtDefaults(here.found)
    evidence = Evidence("open", {"reason": reason, "at_defaults": here.record()})
    return Decision("open", here.holds, evidence, None, witness, found)
