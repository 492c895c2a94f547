"""Inequalities decided: by the sign of a polynomial, by the sign of a derivative, or by a counterexample."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symmetrics.claims import Comparison
from symmetrics.claims.verdict import Decision, Evidence, Witness, open_decision
from symmetrics.language.cells import CELL_NAMES
from symmetrics.prover.engine.even_roots import claim_on_radicand, real_point
from symmetrics.prover.engine.oracle import decide_by_oracle
from symmetrics.prover.engine.readings import Reading, readings
from symmetrics.prover.engine.signs import prove_sign
from symmetrics.prover.engine.smallest import smallest
from symmetrics.prover.engine.suspects import find_violation
from symmetrics.prover.engine.thresholds import decide_thresholds
from symmetrics.prover.engine.witnesses import first_witness, on_the_boundary, refuted
from symmetrics.tools.errors import UnsupportedError

__all__ = ["decide", "is_proved"]


def decide(claim: Comparison, _: object) -> Decision:
    """Decide whether a relation is positive, or nowhere negative, for all tables."""
    return _by_even_root(claim) or _decided(claim)


def _by_even_root(claim: Comparison) -> Decision | None:
    """Decide a claim on a root of even degree by that on what it is the root of; None if that does not prove it."""
    below = claim_on_radicand(claim)
    point = None if below is None else real_point(below)
    if below is None or point is None:
        return None
    part = _by_even_root(below) or _decided(below)
    if part.status != "proved":
        return None
    return Decision("proved", True, Evidence("even root", {"point": point, "part": part.record()}))


def _decided(claim: Comparison) -> Decision:
    """Decide a claim by signs, or by a counterexample."""
    reasons: list[str] = []
    try:
        if not claim.parameters and (found := first_witness(claim)):
            return refuted(found if found.is_smallest else smallest(claim, found.witness, is_proved))
        if _has_many_variables(claim) and (found := find_violation(claim, {})):
            return refuted(found)
        for rule, pieces in readings(claim, reasons):
            try:
                decision = _by_signs(claim, rule, pieces)
            except UnsupportedError as error:
                reasons.append(str(error))
                continue
            if decision is not None:
                return decision
        if not claim.parameters and not _has_many_variables(claim) and (found := find_violation(claim, {})):
            return refuted(smallest(claim, found.witness, is_proved))
    except UnsupportedError as error:
        reasons.append(str(error))
    if (decision := decide_by_oracle(claim)) is not None:
        return decision
    reasons.append("no proof and no counterexample was found")
    return open_decision("; ".join(dict.fromkeys(reasons)))


def _has_many_variables(claim: Comparison) -> bool:
    """Whether to look for a counterexample first: cuts of so many variables take longer, and so do smaller tables."""
    return not claim.parameters and len(claim.over) > len(CELL_NAMES)


def is_proved(claim: Comparison) -> bool:
    """Whether the sign of the relation itself proves a claim without parameters."""
    for rule, pieces in readings(claim, []):
        if rule == "difference":
            try:
                return _by_signs(claim, rule, pieces) is not None
            except UnsupportedError:
                return False
    return False


def _by_signs(claim: Comparison, rule: str, pieces: Iterator[Reading]) -> Decision | None:
    """Decide a claim by the signs of numerators, or return None if these do not tell."""
    if claim.parameters:
        (reading, *others) = pieces
        if others:
            raise UnsupportedError("the formula has parameters and several pieces; bind the parameters")
        return decide_thresholds(claim, reading)
    proofs = []
    for reading in pieces:
        record = reading.record()
        if reading.numerator or claim.sign == ">":  # what is zero is positive where a region is empty
            proof = prove_sign(reading.numerator, reading.ring, reading.given)
            if proof is None or (claim.sign == ">" and not proof.strict):
                return None
            record["tree"] = proof.tree
        proofs.append(record)
    return Decision("proved", True, _evidence(rule, proofs, on_the_boundary(claim) if claim.sign == ">" else None))


def _evidence(rule: str, proofs: list[dict[str, Any]], boundary: Witness | None) -> Evidence:
    data: dict[str, Any] = {"rule": rule, "pieces": proofs}
    if boundary is not None:
        data["boundary"] = boundary.to_dict()
    return Evidence("sign", data)
