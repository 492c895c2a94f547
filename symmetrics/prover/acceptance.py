"""Verdicts that are given out only if the checker accepts their evidence."""

from __future__ import annotations

from symmetrics.checker import check
from symmetrics.claims import Claim
from symmetrics.errors import CertificateError
from symmetrics.prover.decide import decide, decision_of
from symmetrics.verdict import Decision, Evidence, Verdict

__all__ = ["accepted", "accepted_decision", "decide_and_check"]


def decide_and_check(claim: Claim, *, metric: str, property: str) -> Verdict:
    """Decide a claim, and leave it open if other code cannot re-verify what was found.

    :param metric: the metric's name, for the verdict
    :param property: the property's key, for the verdict
    """
    return accepted(decide(claim, metric=metric, property=property))


def accepted(verdict: Verdict) -> Verdict:
    """Return a verdict if the checker accepts its evidence, and an open one if not."""
    try:
        # As it comes back from a certificate, where SymPy may write the formula in another way.
        check(Verdict.from_certificate(verdict.certificate()))
    except CertificateError as error:
        found = "what holds at the defaults" if verdict.status == "open" else f"evidence that it is {verdict.status}"
        reason = f"open: {found} was found, but could not be re-verified: {error}"
        return Verdict(verdict.metric, verdict.property, verdict.claim, "open", None, Evidence("open", reason))
    return verdict


def accepted_decision(claim: Claim) -> Decision:
    """Return the decision on a claim, open if other code cannot re-verify it."""
    decision = decision_of(claim)
    verdict = accepted(Verdict.of(decision, claim, metric="", property=""))
    return decision if verdict.status == decision.status else Decision("open", None, verdict.evidence)
