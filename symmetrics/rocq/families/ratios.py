"""Lemmas on ratios of linear forms: the ratio, or equations at tables that no ratio satisfies."""

from __future__ import annotations

from dataclasses import replace

from sympy import Expr, Integer, Matrix, Poly, Rational, eye, fraction

from symmetrics.claims.evidence import Decision
from symmetrics.claims.families.relations import RatioOfLinearForms
from symmetrics.claims.values import Ratio
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.rocq.engine.statements import (
    Lemma,
    NotExported,
    Subject,
    domain_of,
    introduced,
    listed,
    metric_of,
    scripted,
    stated,
    table_text,
)
from symmetrics.rocq.engine.terms import RATIONALS, term

WEAKER = "the lemma says that there is a ratio, not which; its proof does"


def lemma(name: str, claim: RatioOfLinearForms, decision: Decision, subject: Subject) -> Lemma:
    """Return the lemma that a metric is a ratio of linear forms, or that it is not.

    A refutation is of more than the ratio: no forms u and w other than 0 satisfy M*w = u at all tables.

    :raises NotExported: if the verdict depends on parameters, or tables do not refute it over the rational numbers
    """
    metric, domain = metric_of(subject), domain_of(subject)
    if decision.evidence.kind == "ratio":
        proof = _ratio(claim, decision, subject)
        found = stated(name, claim, decision, subject, f"ratio_of_linear_forms {metric} {domain}", proof)
        return replace(found, weaker=WEAKER)
    if decision.evidence.kind != "rank":
        raise NotExported("whether it is a ratio of linear forms depends on parameters")
    body = f"linear_relation {metric} {domain}"
    return stated(name, claim, decision, subject, body, _no_relation(claim, decision, subject))


@scripted
def _ratio(claim: RatioOfLinearForms, decision: Decision, subject: Subject) -> str:
    assert isinstance(decision.found, Ratio)
    ratio = parse_formula(decision.found.ratio, [p.name for p in claim.parameters])
    if ratio.free_symbols.isdisjoint(CELLS):
        above, below = ratio * sum(CELLS), sum(CELLS, Integer(0))
    else:
        above, below = fraction(ratio)
    identity = "rational_identity" if subject.numbers is RATIONALS else "metric_identity"
    divisor = "nonzero" if subject.numbers is RATIONALS else "real_nonzero"
    return (
        f"{introduced(claim.parameters)}exists {_form(above)}, {_form(below)}.\n"
        f"  spelled_ratio {metric_of(subject)} {domain_of(subject)}.\n"
        f"  unpack; split; [{divisor} | {identity}]."
    )


def _form(form: Expr) -> str:
    poly = Poly(form, *CELLS)
    return f"({', '.join(term(poly.coeff_monomial(cell)) for cell in CELLS)})"


@scripted
def _no_relation(claim: RatioOfLinearForms, decision: Decision, subject: Subject) -> str:
    """Return the proof by the first four rows of an inverse of the equations for w and u at eight tables."""
    if subject.numbers is not RATIONALS:
        raise NotExported("equations at tables with real coefficients")
    tables = decision.evidence.data["tables"]
    rows = []
    for table in tables:
        counts = [Rational(count) for count in table]
        value = claim.subject.xreplace(dict(zip(CELLS, counts, strict=True)))
        rows.append([*(value * count for count in counts), *(-count for count in counts)])
    inverse = eye(len(rows)) if not rows else Matrix(rows).inv()
    weights = listed([listed([term(inverse[row, column]) for column in range(len(rows))]) for row in range(4)])
    tables_text = listed([table_text(table, subject.numbers) for table in tables])
    return f"no_linear_relation {metric_of(subject)} {domain_of(subject)} ({tables_text})\n    ({weights})."
