"""Lemmas on where a metric has a value, if cells may be zero."""

from __future__ import annotations

from sympy import Pow, Rational

from symmetrics.claims.families.definedness import DefinedEverywhere
from symmetrics.claims.verdict import Decision
from symmetrics.language.cells import CELL_NAMES
from symmetrics.rocq.engine.lemmas import Lemma, NotExported, Subject, stated
from symmetrics.rocq.engine.quotients import quotient
from symmetrics.rocq.engine.statements import introduced
from symmetrics.rocq.engine.structures import domain_of, tactic_bits
from symmetrics.rocq.engine.terms import RATIONALS, term

__all__ = ["lemma"]

WEAKER = "the lemma names a table without a value, not all of them, nor the limits there"


def lemma(name: str, claim: DefinedEverywhere, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma that a metric has a value at all tables of cells that are not negative, or not at one of them.

    :raises NotExported: if there is no table that refutes the claim
    """
    name = f"{name}_everywhere"  # M_defined is the predicate of the cells at which M has a value
    body = f"defined_everywhere {domain_of(subject)}"
    start = introduced(claim.parameters)
    unfolding = f"unfold {subject.formula.name}_defined"
    bits = tactic_bits(subject.numbers)
    if decision.status == "proved":
        steps = "".join(f" | divisor_as ({above}) ({below})" for above, below in _quotients(claim, subject))
        proof = (
            f"{start}unfold {name}, defined_everywhere, {subject.formula.name}_defined.\n"
            f"  intros; repeat split; first [metric_has_value{steps}]."
        )
        return stated(name, claim, decision, subject, body, proof)
    if decision.witness is None:
        raise NotExported("no table stands behind the refutation")
    counts = " ".join(term(count, 3) for count in map(Rational, decision.witness.tables[0]))
    proof = (
        f"{start}intro everywhere. specialize (everywhere {counts}).\n"
        f"  {unfolding} in everywhere. metric_has_no_value{bits} everywhere."
    )
    found = stated(name, claim, decision, subject, body, proof)
    return Lemma(found.name, found.text, WEAKER)


def _quotients(claim: DefinedEverywhere, subject: Subject) -> list[tuple[str, str]]:
    """Return what the divisors are quotients of, those of them that are not polynomials."""
    found: list[tuple[str, str]] = []
    if subject.numbers is not RATIONALS:
        return found
    for node in sorted(claim.subject.atoms(Pow), key=str):
        if node.exp < 0 and not node.base.is_polynomial():
            fraction = quotient(node.base, CELL_NAMES, claim.parameters)
            found.append((fraction.numerator, fraction.denominator))
    return found
