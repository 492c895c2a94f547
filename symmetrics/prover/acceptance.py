"""Decide a claim and have the checker verify the evidence before the verdict is returned."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from symmetrics.checker import check
from symmetrics.claims import Claim
from symmetrics.claims.evidence import Decision, open_decision
from symmetrics.claims.verdict import Verdict
from symmetrics.prover.decide import decide
from symmetrics.tools.budget import SECONDS, within
from symmetrics.tools.errors import BudgetError, CertificateError

TOO_LONG: Final = (ValueError, OverflowError, MemoryError)
"""The exception that Python raises for a number with too many digits to print."""


def decide_and_check(claim: Claim, *, metric: str, property: str, seconds: float = SECONDS) -> Verdict:
    """Decide a claim; it stays open if the checker rejects the evidence.

    :param metric: the metric's name, for the verdict
    :param property: the property's key, for the verdict
    :param seconds: how long both may take together
    """
    try:
        shown = f"{property} of {metric}"
        return within(lambda: accepted(decide(claim, metric=metric, property=property)), seconds=seconds, shown=shown)
    except BudgetError as error:
        return out_of_budget(error, claim, metric=metric, property=property)


def accepted(verdict: Verdict) -> Verdict:
    """Return the verdict if the checker accepts its evidence, otherwise an open one."""
    try:
        # Round trip through a certificate, after which SymPy may order the formula differently.
        check(Verdict.from_certificate(_certificate(verdict)))
    except CertificateError as error:
        what = "what holds at the defaults" if verdict.status == "open" else f"evidence that it is {verdict.status}"
        found = open_decision(f"{what} was found, but could not be re-verified: {error}")
        return Verdict.of(found, verdict.claim, metric=verdict.metric, property=verdict.property)
    except _TooLongError:
        found = open_decision(
            "what was found cannot be written down, as where a number in it is too large to be computed with; give it "
            "smaller exponents or numbers"
        )
        return Verdict.of(found, verdict.claim, metric=verdict.metric, property=verdict.property)
    return verdict


class _TooLongError(Exception):
    """A number has more digits than Python prints."""


def _certificate(verdict: Verdict) -> dict[str, Any]:
    try:
        return verdict.certificate()
    except CertificateError:  # which is a ValueError, too
        raise
    except TOO_LONG as error:
        raise _TooLongError from error


def accepted_decision(claim: Claim, seconds: float = SECONDS) -> Decision:
    """Return the decision on a claim; it becomes open if the checker cannot re-verify it.

    :param seconds: how long both may take together
    """
    verdict = decide_and_check(claim, metric="", property="", seconds=seconds)
    return replace(verdict.decision, evidence=verdict.evidence)  # with its sentence


def out_of_budget(error: BudgetError, claim: Claim, *, metric: str, property: str) -> Verdict:
    """Open verdict for a claim that exceeded its budget, with advice.

    :param metric: the metric's name, for the verdict
    :param property: the property's key, for the verdict
    """
    advice = ", or bind parameters" if claim.parameters else ""
    return Verdict.of(open_decision(f"{error}{advice}"), claim, metric=metric, property=property)
