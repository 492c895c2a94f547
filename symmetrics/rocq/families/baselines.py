"""Lemmas on constant baselines: two different expectations, or the conditions that make the expectation constant."""

from __future__ import annotations

from dataclasses import replace

from sympy import Expr, Integer

from symmetrics.checker.engine.expansions import obstacles_of, placed
from symmetrics.claims.evidence import Decision
from symmetrics.claims.families.limits import ConstantBaseline
from symmetrics.language.cells import CELLS
from symmetrics.prover.engine.expectations import at_the_example
from symmetrics.rocq.engine.statements import (
    Lemma,
    NotExported,
    Subject,
    defined,
    domain_of,
    introduced,
    metric_of,
    parameters_of,
    stated,
    tactic_bits,
)
from symmetrics.rocq.engine.terms import RATIONALS, term

UNNAMED = "the lemma does not say which two means differ; its proof does"
WEAKER = "the lemma says that M is affine in TP at fixed margins and constant at independent tables, not what follows"


def lemma(name: str, claim: ConstantBaseline, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma that a metric's expectation is not constant, or the two conditions under which it is.

    A refutation is by two means over tables at which the formula has a value as it is written.

    :raises NotExported: if a table of the two means has a value only as a limit, or the verdict depends on parameters
    """
    kind, data = decision.evidence.kind, decision.evidence.data
    if kind == "affine":
        return _affine(name, claim, subject)
    if kind != "expectations":
        reasons = {
            "no expectation": "that no mean exists rests on limits",
            "cases": "it depends on parameters",
            "moments": "factorial moments are not in the prelude",
        }
        raise NotExported(reasons.get(kind, kind))
    first, second = (tuple(triple) for triple in data["triples"])
    if not all(_has_values(claim, triple) for triple in (first, second)):
        raise NotExported("a value is only a limit at one of the tables that the means are over")
    metric, domain = metric_of(subject), domain_of(subject)
    proof = (
        f"no_constant_baseline{tactic_bits(subject.numbers)} {metric} {domain} {_margins(first)} {_margins(second)}."
    )
    found = stated(name, claim, decision, subject, f"constant_baseline {metric} {domain}", proof)
    return replace(found, weaker=UNNAMED)


def _margins(triple: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, triple))})%nat"


def _has_values(claim: ConstantBaseline, triple: tuple[int, ...]) -> bool:
    """Whether a formula, without simplification, is defined at every table with given margins."""
    n, positives, predicted = triple
    for tp in range(max(0, positives + predicted - n), min(positives, predicted) + 1):
        table = (tp, positives - tp, predicted - tp, n - positives - predicted + tp)
        place = dict(zip(CELLS, map(Integer, table), strict=True))
        bases = obstacles_of(claim.subject)
        values = [(kind, placed(base, place)) for kind, base in bases]
        if any(value is None or not _is_free(kind, value) for kind, value in values):
            return False
    return True


def _is_free(kind: str, value: Expr) -> bool:
    if kind == "divisor":
        return bool(value.is_zero is False)
    return bool(value.is_positive) if kind == "logarithm" else bool(value.is_nonnegative)


def _affine(name: str, claim: ConstantBaseline, subject: Subject) -> Lemma:
    metric, domain = metric_of(subject), domain_of(subject)
    value = term(at_the_example(claim))
    identity = "rational_identity" if subject.numbers is RATIONALS else "metric_identity"
    body = f"affine_at_margins {metric} {domain} /\\ constant_if_independent {metric} {domain} ({value})"
    full = f"{name}_proved"
    applied = " ".join([name, *(parameter.name for parameter in claim.parameters)])
    text = (
        f"{defined(name, claim, subject, body)}\n\n"
        f"Lemma {full} : {parameters_of(claim.parameters, subject.numbers)}{applied}.\nProof.\n"
        f"  {introduced(claim.parameters)}spelled_baseline {name} {metric} {domain}; {identity}.\nQed."
    )
    return Lemma(full, text, WEAKER)
