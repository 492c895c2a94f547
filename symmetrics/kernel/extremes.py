"""Where a formula is at its best or its worst, as lemmas: two bounds of the gap to the extreme value, or tables."""

from __future__ import annotations

from typing import Final

from sympy import Add, Expr, Integer, Mul, Poly, Rational, cancel, fraction, together

from symmetrics.cells import CELLS, FN, FP, TN, TP
from symmetrics.claims.values import LargestAtAgreement, SmallestAtDisagreement
from symmetrics.continuity import value_as_written
from symmetrics.formula import parse_formula
from symmetrics.kernel.lemmas import Lemma, NotExported, Subject, stated
from symmetrics.kernel.ranges import unbounded_end
from symmetrics.kernel.statements import introduced
from symmetrics.kernel.terms import RATIONALS, term
from symmetrics.verdict import Decision

__all__ = ["extreme_lemma"]

AWAY: Final = tuple((power, divisor) for power in (1, 2) for divisor in (2, 3, 4, 6, 12))
"""What is tried for the bound of the gap from below."""
NEAR: Final = (1, 2, 3, 4, 6)
"""What is tried for the bound of the gap from above."""
Extreme = LargestAtAgreement | SmallestAtDisagreement


def extreme_lemma(name: str, claim: Extreme, decision: Decision, subject: Subject) -> Lemma:
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


def _unbounded(claim: Extreme, decision: Decision, subject: Subject) -> str:
    """Return the refutation by tables whose values exceed every number."""
    side = "upper" if isinstance(claim, LargestAtAgreement) else "lower"
    script = unbounded_end(side, decision.evidence.data["path"], claim.parameters, subject)
    return f"apply {_notion(claim)}_unbounded. {script}."


def _attained(claim: Extreme, decision: Decision, subject: Subject) -> str:
    """Return the refutation by a table elsewhere at which the formula has its extreme value."""
    raise NotExported("a verdict on extremes that rests on attained elsewhere")


def _bounds(claim: Extreme, decision: Decision, subject: Subject) -> str:
    """Return the proof by two bounds of how much the values at positive cells are short of the extreme one."""
    if subject.numbers is not RATIONALS or claim.parameters:
        raise NotExported("extremes of a formula with parameters, or that is not rational")
    extreme = parse_formula(decision.evidence.data["extreme"])
    largest = isinstance(claim, LargestAtAgreement)
    gap = extreme - claim.subject if largest else claim.subject - extreme
    wrong, right = ((FN, FP), (TP, TN)) if largest else ((TP, TN), (FN, FP))
    total = Add(*CELLS)
    away = ((power, divisor, Add(*wrong) ** power / (divisor * total**power)) for power, divisor in AWAY)
    near = ((factor, factor * Add(*wrong) * total / Mul(*right)) for factor in NEAR)
    power, divisor = next(((p, d) for p, d, bound in away if _is_positive(gap - bound)), (0, 0))
    factor = next((f for f, bound in near if _is_positive(bound - gap)), 0)
    if not power or not factor:
        raise NotExported("values that come near to the extreme one at tables where the formula has no limit")
    name, formula = f"{_notion(claim)}_by", subject.formula.name
    there = "fractions" if power == 1 else "fractions"
    return (
        f"apply ({name} {formula} {formula}_defined ltac:(continuous_here {formula} {formula}_defined)\n"
        f"      ltac:(defined_here {formula}_defined) {term(extreme, 3)} {divisor} {factor} {power} {power});\n"
        f"    [reflexivity | discriminate | unfold {formula}, {formula}_defined; at_tables | |];\n"
        f"    intros; unfold {formula}; {there}."
    )


def _is_positive(value: Expr) -> bool:
    """Return whether the coefficients of a rational function show it to be positive at positive cells."""
    above, below = (Poly(part, *CELLS) for part in fraction(cancel(together(value))))
    return len({coefficient > 0 for part in (above, below) for coefficient in part.coeffs()}) == 1 and not above.is_zero
