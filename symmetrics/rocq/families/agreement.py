"""Where a formula is at its best or its worst, as lemmas: two bounds of the gap to the extreme value, or tables."""

from __future__ import annotations

from sympy import Rational

from symmetrics.algebra.continuity import value_as_written
from symmetrics.claims.families.agreement import LargestAtAgreement, SmallestAtDisagreement
from symmetrics.claims.verdict import Decision
from symmetrics.language.cells import CELLS, FN, FP, TN, TP
from symmetrics.language.formula import parse_formula
from symmetrics.rocq.engine.ends import unbounded_end, why_inside
from symmetrics.rocq.engine.gaps import Gap
from symmetrics.rocq.engine.lemmas import Lemma, NotExported, Subject, scripted, stated
from symmetrics.rocq.engine.statements import introduced
from symmetrics.rocq.engine.terms import RATIONALS, term

__all__ = ["lemma"]

Extreme = LargestAtAgreement | SmallestAtDisagreement


def lemma(name: str, claim: Extreme, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma on whether a formula is largest exactly at agreement, or smallest exactly at disagreement.

    :param name: the proposition's name
    :raises NotExported: if no proof is known
    """
    scripts = {"tables": _tables, "faces": _bounds, "unbounded": _unbounded, "attained elsewhere": _attained}
    kind = decision.evidence.kind
    if kind not in scripts:
        raise NotExported(f"a verdict on extremes that rests on {kind}")
    proof = scripts[kind](claim, decision, subject)
    body = f"{_notion(claim)} {' '.join(_applied(claim, subject))}"
    return stated(name, claim, decision, subject, body, introduced(claim.parameters) + proof)


def _notion(claim: Extreme) -> str:
    return "largest_at_agreement" if isinstance(claim, LargestAtAgreement) else "smallest_at_disagreement"


def _applied(claim: Extreme, subject: Subject) -> list[str]:
    """Return the formula and where it is defined, each applied to the parameters."""
    own = " ".join(p.name for p in claim.parameters)
    formula = subject.formula.name
    return [f"({word} {own})" if own else word for word in (formula, f"{formula}_defined")]


@scripted
def _tables(claim: Extreme, decision: Decision, subject: Subject) -> str:
    """Return the refutation by two tables that are not in the order that the claim needs."""
    witness, formula = decision.witness, subject.formula
    if witness is None:
        raise NotExported("no tables stand behind the refutation")
    has_open_end = any(p.upper.is_finite and p.upper_open for p in claim.parameters)
    if claim.parameters and (has_open_end or subject.numbers is not RATIONALS):
        raise NotExported("tables at which a parameter is left, of a formula with roots or on an open domain")
    first, second = ([Rational(count) for count in table] for table in witness.tables)
    if any(value_as_written(claim.subject, dict(zip(CELLS, table, strict=True))) is None for table in (first, second)):
        raise NotExported("a value at a table is the limit of the formula there")
    tp, fn, fp, tn = first
    at_extreme = (fn, fp) == (0, 0) if isinstance(claim, LargestAtAgreement) else (tp, tn) == (0, 0)
    reason = "two_values" if at_extreme else "elsewhere"
    tables = " ".join(term(count, 3) for count in (*first, *second))
    tactic = "at_tables"
    for parameter in claim.parameters if subject.numbers is RATIONALS else ():
        tactic = f"first [{tactic} | by_domain {parameter.name}; {tactic}]"
    return (
        f"apply ({_notion(claim)}_{reason} {' '.join(_applied(claim, subject))} {tables});\n"
        f"    unfold {formula.name}, {formula.name}_defined; {tactic}."
    )


@scripted
def _unbounded(claim: Extreme, decision: Decision, subject: Subject) -> str:
    """Return the refutation by tables whose values exceed every number."""
    side = "upper" if isinstance(claim, LargestAtAgreement) else "lower"
    script = unbounded_end(side, decision.evidence.data["path"], claim.parameters, subject)
    return f"apply {_notion(claim)}_unbounded. {script}."


@scripted
def _attained(claim: Extreme, decision: Decision, subject: Subject) -> str:
    """Return the refutation by a table elsewhere at which the formula has its extreme value."""
    witness, name = decision.witness, subject.formula.name
    if witness is None or claim.parameters or subject.numbers is not RATIONALS:
        raise NotExported(
            "an extreme that is attained elsewhere, of a formula with parameters, or that is not rational"
        )
    (table,) = ([Rational(count) for count in counts] for counts in witness.tables)
    if value_as_written(claim.subject, dict(zip(CELLS, table, strict=True))) is None:
        raise NotExported("a value at a table is the limit of the formula there")
    side = "upper" if isinstance(claim, LargestAtAgreement) else "lower"
    inside = why_inside(side, decision.evidence.data["end"], claim.parameters, subject)
    return (
        f"apply ({_notion(claim)}_attained {name} {name}_defined {_where_defined(name)}\n"
        f"      {' '.join(term(count, 3) for count in table)}).\n"
        f"  - unfold {name}_defined; at_tables.\n"
        f"  - intros TP FN FP TN ? ? ? ? ?. unfold {name}_defined, {name} in *. unpack. {inside}."
    )


def _where_defined(name: str) -> str:
    """Return the proofs that a formula is continuous where it is defined, and defined at positive cells."""
    return f"ltac:(continuous_here {name} {name}_defined)\n      ltac:(defined_here {name}_defined)"


@scripted
def _bounds(claim: Extreme, decision: Decision, subject: Subject) -> str:
    """Return the proof by two bounds of how much the values at positive cells are short of the extreme one."""
    if claim.parameters:
        raise NotExported("extremes of a formula with parameters")
    extreme = parse_formula(decision.evidence.data["extreme"])
    is_largest = isinstance(claim, LargestAtAgreement)
    gap = Gap(extreme - claim.subject, (FN, FP)) if is_largest else Gap(claim.subject - extreme, (TP, TN))
    (power, divisor, away), (number, near) = gap.away(), gap.near()
    name = subject.formula.name
    if subject.numbers is RATIONALS:
        signs = f"reflexivity | discriminate | unfold {name}, {name}_defined; at_tables"
    else:
        signs = "lra | lra"
    return (
        f"apply ({_notion(claim)}_by {name} {name}_defined {_where_defined(name)}"
        f" {term(extreme, 3)} {divisor} {number} {power} {power});\n"
        f"    [{signs} | |]; intros; unfold {name}.\n"
        f"  - {away}.\n  - {near}."
    )
