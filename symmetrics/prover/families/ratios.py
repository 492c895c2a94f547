"""Ratios of linear forms: M = <u, x>/<w, x>, so that micro averaging is a weighted macro average."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Final

from flint import ctx, fmpq
from sympy import Expr, cancel, fraction
from sympy import Poly as SymPyPoly

from symmetrics.algebra.convert import Conversion, element_expression, field_for
from symmetrics.algebra.evaluate import Evaluator, Undefined
from symmetrics.algebra.field import Element, Field, Poly
from symmetrics.claims.evidence import Decision, Evidence, open_decision
from symmetrics.claims.families.relations import RatioOfLinearForms
from symmetrics.claims.values import Ratio
from symmetrics.language.cells import CELLS
from symmetrics.language.writer import formula_text
from symmetrics.prover.engine.cases import Decide, Watched, decide_by_cases
from symmetrics.prover.engine.logarithms import Elimination, determinant
from symmetrics.prover.engine.minors import (
    SQUARE_TABLES,
    common_zeros,
    is_defined_at,
    is_never_zero,
    polynomial_row,
    values_at,
)
from symmetrics.prover.families.equations import decide_identity
from symmetrics.tools.errors import UnsupportedError

UNKNOWNS: Final = 2 * len(CELLS)
TABLES: Final = (
    *(
        (1, 1, 1, 1),
        (1, 2, 3, 4),
        (2, 3, 5, 11),
        (7, 2, 1, 4),
        (3, 13, 2, 5),
        (1, 2, 9, 4),
        (5, 1, 3, 2),
        (4, 9, 30, 1),
    ),
    *((2, 7, 3, 8), (6, 1, 1, 9), (1, 5, 8, 2), (12, 5, 2, 3), (3, 1, 7, 6), (8, 3, 4, 1), (2, 2, 1, 5), (9, 4, 6, 7)),
    *itertools.permutations((2, 3, 5, 11)),
)
"""Tables at which the equation <u, x> = M(x)*<w, x> is evaluated."""
MAX_MINORS: Final = 4
"""Number of determinants that are tried."""


def decide(claim: RatioOfLinearForms, decide_part: Decide) -> Decision:
    """Decide whether a formula is a ratio of two linear forms in the cells.

    Eight tables at which only u = w = 0 satisfies <u, x> = M(x)*<w, x> refute it; a ratio is read off the numerator and
    the denominator in lowest terms.

    :param decide_part: function that decides an inequality
    """
    return decide_by_cases(claim, _whole, decide_part)


def _whole(claim: RatioOfLinearForms, watched: Watched, _: object) -> Decision:
    """Decide the claim for all values of its parameters at once."""
    try:
        if not claim.parameters and (tables := _independent_tables(claim.subject)):
            return Decision("refuted", False, Evidence("rank", {"tables": tables}))
        ratio = _ratio(claim)
        if ratio is not None:
            return _proved(claim, ratio)
        if claim.parameters:
            return _refuted_for_all(claim, watched)
        reason = "the formula does not come out as a ratio, and no eight tables show that it is none"
    except UnsupportedError as error:
        reason = str(error)
    return open_decision(reason)


def _independent_tables(formula: Expr) -> list[list[int]] | None:
    """Return eight tables whose equations have no common solution, if they are among the first few."""
    evaluate = Evaluator(formula, CELLS)
    elimination, tables = Elimination(), []
    saved, ctx.prec = ctx.prec, 192
    try:
        for table in TABLES:
            try:
                value = evaluate(*table)
            except Undefined:
                continue
            if elimination.add([*map(fmpq, table), *(-count * value for count in table)]):
                tables.append(list(table))
            if elimination.rank == UNKNOWNS:
                return tables
    finally:
        ctx.prec = saved
    return None


def _ratio(claim: RatioOfLinearForms) -> Expr | None:
    """Return the formula in lowest terms, if both numerator and denominator are linear in the cells."""
    field = field_for(claim.parameters)
    element = field.reduce(Conversion(field)(claim.subject))
    if field.conditions or not _has_linear_parts(element, field):
        return None
    ratio = element_expression(element, field)
    below = fraction(ratio)[1]
    if not ratio.free_symbols.isdisjoint(CELLS) and claim.parameters and not _is_safe(claim, below, field):
        raise UnsupportedError("the denominator of the ratio may vanish for some values of the parameters")
    return ratio


def _has_linear_parts(element: Element, field: Field) -> bool:
    above = {_degree(poly, field) for poly in element.numerator.values()}
    moving = [n for monomial in element.numerator for n, _ in monomial if not field.is_constant(field.atoms[n])]
    below = 0
    for number, power in element.denominator.items():
        base: Any = field.atoms[number].base
        if isinstance(base, dict) or (field.atoms[number].is_log and not field.is_constant(field.atoms[number])):
            return False
        degree = _degree(base, field)
        if degree is None:
            return False
        below += power * degree
    return not moving and (above, below) in (({1}, 1), ({0}, 0), (set(), 0))


def _degree(poly: Any, field: Field) -> int | None:
    """Return the degree of a homogeneous polynomial in the cells, or None if its terms differ in degree."""
    places = [field.names.index(cell.name) for cell in CELLS]
    degrees = {sum(int(exponents[place]) for place in places) for exponents in poly.to_dict()}
    return degrees.pop() if len(degrees) == 1 else None


def _is_safe(claim: RatioOfLinearForms, below: Expr, field: Field) -> bool:
    """Whether no parameters make a denominator vanish at all tables, unless the formula itself is undefined then."""
    weights = [values for c in SymPyPoly(below, *CELLS).coeffs() if (values := values_at([c], (1, 1, 1, 1), field))]
    rows = [polynomial_row(values, field) for values in weights]
    if any(row is not None and is_never_zero(row[0], field) for row in rows):
        return True
    return any(cancel(base / below).is_Rational for base in claim.part(below).denominators)


def _proved(claim: RatioOfLinearForms, ratio: Expr) -> Decision:
    decision = decide_identity(claim.part(ratio))
    if decision.status != "proved":
        raise UnsupportedError(f"that the formula is {formula_text(ratio)} is not proved")
    found = Ratio(formula_text(ratio))
    return Decision("proved", True, Evidence("ratio", {"identity": decision.record()}), found=found)


def _refuted_for_all(claim: RatioOfLinearForms, watched: Watched) -> Decision:
    """Refute the claim for all values of the parameters, or note at which of them it may hold.

    :raises UnsupportedError: if the tables do not refute it for all
    """
    field = field_for(claim.parameters)
    labels, cuts = common_zeros(itertools.islice(_determinants(claim, field), MAX_MINORS), field)
    for cut in cuts:
        watched.note(cut)
    if cuts or not labels:
        raise UnsupportedError("the tables do not show that it is no ratio for any value of the parameters")
    return Decision("refuted", False, Evidence("minors", {"minors": labels}))


def _determinants(claim: RatioOfLinearForms, field: Field) -> Iterator[tuple[list[list[int]], Poly]]:
    """Yield determinants of the equations at eight tables, each with the tables."""
    tables, rows = [], []
    for table in (*SQUARE_TABLES, *TABLES):
        if not is_defined_at(claim.subject, table, field):
            continue
        elements = values_at([claim.subject], table, field)
        row = None if elements is None else polynomial_row([field.constant(1), *elements], field)
        if row is None:
            continue
        tables.append(list(table))
        rows.append([*(count * row[0] for count in table), *(-count * row[1] for count in table)])
        if len(rows) == UNKNOWNS:
            yield tables, determinant(rows)
            tables, rows = [], []
