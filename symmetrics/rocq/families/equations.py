"""Equations as lemmas."""

from __future__ import annotations

from symmetrics.claims import Identity
from symmetrics.claims.evidence import Decision
from symmetrics.rocq.engine.comparisons import comparison_lemma
from symmetrics.rocq.engine.statements import Lemma, Subject, introduced
from symmetrics.rocq.engine.terms import RATIONALS


def lemma(name: str, claim: Identity, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma that an equation holds, does not, or does under a condition.

    :param name: the proposition's name
    :raises NotExported: if no proof is known
    """
    return comparison_lemma(name, claim, decision, subject, _proof)


def _proof(name: str, claim: Identity, _: Decision, subject: Subject) -> str:
    """Return the proof that the equation holds."""
    tactic = "fractions" if subject.numbers is RATIONALS else "metric_identity"
    return f"{introduced(claim.parameters)}unfold {name}, {subject.unfold}. unpack. {tactic}."
