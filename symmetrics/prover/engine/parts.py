"""Parts of a claim: identities proved for all values of their parameters."""

from __future__ import annotations

from symmetrics.algebra.convert import difference_of, field_for, has_parameters_in_exponents
from symmetrics.claims import Identity
from symmetrics.claims.verdict import Decision, Evidence
from symmetrics.prover.engine.domain import require_interior
from symmetrics.prover.engine.powers import with_powers_as_variables

__all__ = ["proof_of"]


def proof_of(claim: Identity) -> Decision | None:
    """Return the proof of an identity, for all values of its parameters, if it holds formally; no table is tried.

    :raises UnsupportedError: if the formula leaves the class that the algebra represents
    """
    powers = has_parameters_in_exponents(*claim.sides)
    read = with_powers_as_variables(claim) if powers else claim
    difference = difference_of(read.sides, read.difference, field_for(read.parameters, over=read.names))
    if not difference.element.is_zero:
        return None
    require_interior(difference.field)
    return Decision("proved", True, Evidence("powers" if powers else "identity", difference.record()))
