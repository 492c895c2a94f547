"""Lemmas on constants."""

from __future__ import annotations

from symmetrics.claims.families.constants import Constant

from symmetrics.claims.evidence import Decision
from symmetrics.language.formula import parse_formula
from symmetrics.rocq.engine.statements import Lemma, NotExported, Subject, stated
from symmetrics.rocq.engine.terms import term

__all__ = ["lemma"]


def lemma(name: str, claim: Constant, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma that a metric has one value.

    :raises NotExported: if it has not
    """
    if decision.status == "refuted":
        raise NotExported("the toy exports proofs alone")
    metric = subject.formula.name
    body = f"exists c, forall TP FN FP TN, {metric}_defined TP FN FP TN -> {metric} TP FN FP TN == c"
    number = term(parse_formula(decision.found.ratio))
    proof = f"exists ({number}). unfold {metric}_defined, {metric}. unpack. fractions."
    return stated(name, claim, decision, subject, body, proof)
