"""Where a formula is at its best or its worst, as lemmas: two tables that are not in the order that the claim needs."""

from __future__ import annotations

from sympy import Integer, Rational

from symmetrics.cells import CELLS
from symmetrics.claims.values import LargestAtAgreement, SmallestAtDisagreement
from symmetrics.continuity import value_as_written
from symmetrics.kernel.lemmas import Lemma, NotExported, Subject, stated
from symmetrics.kernel.statements import introduced
from symmetrics.kernel.terms import RATIONALS, term
from symmetrics.verdict import Decision

__all__ = ["extreme_lemma"]


def extreme_lemma(
    name: str, claim: LargestAtAgreement | SmallestAtDisagreement, decision: Decision, subject: Subject
) -> Lemma:
    """Return the lemma that a formula is not largest exactly at agreement, or not smallest exactly at disagreement.

    :param name: the proposition's name
    :raises NotExported: if no pair of tables refutes the claim
    """
    kind, witness = decision.evidence.kind, decision.witness
    if kind != "tables" or witness is None:
        raise NotExported(f"a verdict on extremes that rests on {kind}")
    has_open_end = any(p.upper.is_finite and p.upper_open for p in claim.parameters)
    if claim.parameters and (has_open_end or subject.numbers is not RATIONALS):
        raise NotExported("tables at which a parameter is left, of a formula with roots or on an open domain")
    notion = "largest_at_agreement" if isinstance(claim, LargestAtAgreement) else "smallest_at_disagreement"
    formula = subject.formula
    own = " ".join(p.name for p in claim.parameters)
    applied = [f"({word} {own})" if own else word for word in (formula.name, f"{formula.name}_defined")]
    first, second = ([Rational(count) for count in table] for table in witness.tables)
    if any(value_as_written(claim.subject, dict(zip(CELLS, table, strict=True))) is None for table in (first, second)):
        raise NotExported("a value at a table is the limit of the formula there")
    tp, fn, fp, tn = first
    at_extreme = (fn, fp) == (0, 0) if isinstance(claim, LargestAtAgreement) else (tp, tn) == (0, 0)
    reason = "two_values" if at_extreme else "elsewhere"
    tables = " ".join(term(Integer(count) if count.is_Integer else count, 3) for count in (*first, *second))
    tactic = "at_tables"
    for parameter in claim.parameters if subject.numbers is RATIONALS else ():
        tactic = f"first [{tactic} | by_domain {parameter.name}; {tactic}]"
    proof = (
        f"{introduced(claim.parameters)}apply ({notion}_{reason} {' '.join(applied)} {tables});\n"
        f"    unfold {formula.name}, {formula.name}_defined; {tactic}."
    )
    return stated(name, claim, decision, subject, f"{notion} {' '.join(applied)}", proof)
