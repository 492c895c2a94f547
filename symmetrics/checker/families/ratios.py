"""Verdicts on ratios of linear forms re-verified."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Final

from sympy import Expr, S, fraction
from sympy import Poly as SymPyPoly
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.cases import check_cases
from symmetrics.checker.engine.expansions import require_value
from symmetrics.checker.engine.fractions import Arithmetic, Quotient
from symmetrics.checker.engine.minors import (
    at_table,
    determinant,
    polynomial_row,
    require_defined,
    require_no_common_zero,
    scaled,
)
from symmetrics.checker.engine.parts import is_open, read_part, read_table, require_outcome
from symmetrics.checker.engine.requirements import require, require_found, require_kind
from symmetrics.checker.engine.values import Number, at_high_precision, multiply, rank_of, value_at
from symmetrics.claims.families.relations import RatioOfLinearForms
from symmetrics.claims.values import Ratio
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import parse_formula
from symmetrics.language.writer import formula_text

Check = Callable[[Verdict], None]
UNKNOWNS: Final = 2 * len(CELLS)


def check(verdict: Verdict, claim: RatioOfLinearForms, check_part: Check) -> None:
    """Re-verify whether a formula is a ratio of linear forms.

    :param check_part: function that re-verifies that the formula equals the ratio in the verdict's value
    """
    require_kind(verdict, proved={"ratio", "cases"}, refuted={"rank", "minors", "cases"}, conditional={"cases"})
    if is_open(verdict, claim):
        return
    kind, data = verdict.evidence.kind, verdict.evidence.data
    if kind == "cases":
        check_cases(verdict, claim, check_part)
    # No common solution of the equations for u and w at eight tables, for all parameters ...
    elif kind == "minors":
        arithmetic = Arithmetic([], claim.parameters, {}, [])
        require_no_common_zero((_equations(claim, tables, arithmetic) for tables in data["minors"]), arithmetic)
        require_outcome(verdict, claim, S.false)
        require(verdict.found is None, "a value that nothing stands behind")
    # ... or for the only ones.
    elif kind == "rank":
        require(not claim.parameters, "one value of the parameters does not settle all")
        with at_high_precision():
            rank = rank_of([_equation_at(claim.subject, read_table(table)) for table in data["tables"]])
        require(rank == UNKNOWNS, "the equations at the tables have a common solution")
        require_outcome(verdict, claim, S.false)
        require(verdict.found is None, "a value that nothing stands behind")
    # The stated ratio: linear forms, defined where M is, and equal to M.
    else:
        stated = require_found(verdict, Ratio, "the ratio is missing").ratio
        ratio = parse_formula(stated, [p.name for p in claim.parameters])
        require(stated == formula_text(ratio), "the ratio is spelled in another way than formulas are")
        _require_linear(ratio, claim)
        part = read_part(data["identity"], claim.part(ratio))
        check_part(part)
        require(part.status == "proved", "the formula is not the ratio")
        require_outcome(verdict, claim, S.true)


def _equation_at(formula: Expr, table: Sequence[Fraction]) -> list[Number]:
    """Return the equation <u, x> = M(x)*<w, x> at one table: its coefficients of u and w."""
    value = value_at(formula, dict(zip(CELLS, table, strict=True)))
    return [*table, *(multiply(-count, value) for count in table)]


def _equations(claim: RatioOfLinearForms, tables: Sequence[Any], arithmetic: Arithmetic) -> PolyElement:
    """Return the determinant of the equations at eight tables."""
    require(len(tables) == UNKNOWNS, "a determinant is not square")
    rows = []
    for counts in tables:
        table = read_table(counts)
        require_defined(claim.subject, table, arithmetic)
        one = Quotient(arithmetic.ring(1), arithmetic.ring(1))
        below, above = polynomial_row([one, at_table(claim.subject, table, arithmetic)], arithmetic)
        rows.append([*(scaled(below, count) for count in table), *(scaled(above, -count) for count in table)])
    return determinant(rows, arithmetic)


def _require_linear(ratio: Expr, claim: RatioOfLinearForms) -> None:
    """Refuse a stated formula unless it is a ratio of linear forms, defined for all parameters for which M is."""
    require_value(ratio, claim.subject, claim.parameters)
    if not ratio.free_symbols.isdisjoint(CELLS):
        for form in fraction(ratio):
            _require_linear_form(form)


def _require_linear_form(form: Expr) -> None:
    poly = SymPyPoly(form, *CELLS)
    require(all(sum(monomial) == 1 for monomial in poly.monoms()), "a form is not linear in the cells")
    require(all(c.free_symbols.isdisjoint(CELLS) for c in poly.coeffs()), "a coefficient is not constant")
