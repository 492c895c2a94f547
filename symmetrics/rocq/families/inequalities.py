"""Inequalities as lemmas."""

from __future__ import annotations

from symmetrics.claims import Comparison
from symmetrics.claims.verdict import Decision
from symmetrics.language.cells import CELLS
from symmetrics.rocq.engine.comparisons import comparison_lemma, sign_script
from symmetrics.rocq.engine.lemmas import Lemma, NotExported, Subject
from symmetrics.rocq.engine.slopes import difference_script, slope_script
from symmetrics.rocq.engine.statements import introduced
from symmetrics.rocq.engine.terms import RATIONALS

__all__ = ["lemma"]


def lemma(name: str, claim: Comparison, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma that an inequality holds, does not, or does under a condition.

    :param name: the proposition's name
    :raises NotExported: if no proof is known
    """
    return comparison_lemma(name, claim, decision, subject, _proof)


def _proof(name: str, claim: Comparison, decision: Decision, subject: Subject) -> str:
    """Return the proof that the inequality holds."""
    start = f"{introduced(claim.parameters)}unfold {name}"
    if claim.partner is not None and decision.evidence.kind == "sign":
        strict, data = claim.sign == ">", decision.evidence.data
        signs = sign_script(claim.difference, data, subject.numbers, strict=strict, variables=claim.arguments)
        return f"{start}, {subject.unfold}. unpack.\n    {signs}."
    if subject.numbers is not RATIONALS:
        if claim.arguments != CELLS:
            raise NotExported("a step along which a formula over named variables rises")
        return f"{start}. unpack. {slope_script(claim, decision)}."
    cases = "".join(f"by_domain {p.name}; " for p in claim.parameters)
    # At the ends of several domains both sides may be equal, or without a value.
    closing = "first [fractions | equal_or_undefined]" if cases and claim.sign == ">=" else "fractions"
    return f"{start}, {subject.unfold}. unpack. {cases}{difference_script(claim, decision) or closing}."
