"""Lemmas on directions along which a metric is invariant."""

from __future__ import annotations

from symmetrics.claims.evidence import Decision
from symmetrics.claims.families.directions import DirectionSpace, ScalingSpace, Vector
from symmetrics.prover.symmetries import constant_directions
from symmetrics.rocq.engine.statements import (
    Lemma,
    NotExported,
    Subject,
    conclusion,
    defined,
    domain_of,
    introduced,
    metric_of,
)
from symmetrics.rocq.engine.terms import RATIONALS

WEAKER = "the lemma does not say that there are no further directions"


def lemma(name: str, claim: DirectionSpace, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma that a metric is invariant along each vector of a basis that is valid for all parameters.

    :raises NotExported: if it changes along every direction, or the directions depend on the parameters
    """
    if decision.status != "proved":
        raise NotExported("that no direction leaves a metric unchanged rests on its gradients")
    scales = isinstance(claim, ScalingSpace)
    metric, domain = metric_of(subject), domain_of(subject)
    notion = f"{'scales' if scales else 'moves'}_freely {metric} {domain}"
    vectors = constant_directions(decision.found, claim.parameters)
    if not vectors:
        raise NotExported("no direction serves all values of the parameters")
    existence = "has_free_scaling" if scales else "has_free_move"
    head = defined(name, claim, subject, f"{existence} {metric} {domain}")
    full = f"{name}_proved"
    basis = " /\\\n  ".join(f"{notion} {_text(vector, scales)}" for vector in vectors)
    proofs = [_free(metric, domain, subject) for _ in vectors]
    shown = "discriminate" if scales else "reflexivity" if subject.numbers is RATIONALS else "not_zero"
    steps = [
        f"assert (along{place} : {notion} {_text(v, scales)}).\n  {{ {proof} }}"
        for place, (v, proof) in enumerate(zip(vectors, proofs, strict=True))
    ]
    steps.append(f"split; [apply ({existence}_by _ _ {_text(vectors[0], scales)}); [{shown} | exact along0] | auto].")
    joined = "\n  ".join([introduced(claim.parameters), *steps] if claim.parameters else steps)
    statement = conclusion(name, claim, decision, subject.numbers)
    return Lemma(full, f"{head}\n\nLemma {full} : {statement} /\\\n  {basis}.\nProof.\n  {joined}\nQed.", WEAKER)


def _text(vector: Vector, scales: bool) -> str:
    return f"({', '.join(map(str, vector))}){'%Z' if scales else ''}"


def _free(metric: str, domain: str, subject: Subject) -> str:
    identity = "rational_identity" if subject.numbers is RATIONALS else "metric_identity"
    return f"spelled_direction {metric} {domain}. {identity}."
