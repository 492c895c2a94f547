"""Parts of a claim: identities without parameters proved, and what a certificate holds of a decision."""

from __future__ import annotations

from typing import Any

from symmetrics.claims import Claim, Identity
from symmetrics.prover.domain import require_interior
from symmetrics.prover.identities import difference_of
from symmetrics.prover.powers import has_parameters_in_exponents, with_powers_as_variables
from symmetrics.verdict import Decision, Evidence, Verdict

__all__ = ["part_record", "proof_of"]


def proof_of(claim: Identity) -> Decision | None:
    """Return the proof of an identity, for all values of its parameters, if it holds formally; no table is tried.

    :raises UnsupportedError: if the formula leaves the class that the algebra represents
    """
    powers = has_parameters_in_exponents(*claim.sides)
    difference = difference_of(with_powers_as_variables(claim) if powers else claim)
    if not difference.element.is_zero:
        return None
    require_interior(difference.field)
    return Decision("proved", True, Evidence("powers" if powers else "identity", "", difference.record()))


def part_record(decision: Decision, claim: Claim) -> dict[str, Any]:
    """Return all of a decision but its claim, which follows from the whole, and the words for people."""
    whole = Verdict.of(decision, claim, metric="", property="").certificate()
    kept = ("status", "holds", "condition", "witness", "value", "certificate")
    return {key: whole[key] for key in kept if whole.get(key) is not None}
