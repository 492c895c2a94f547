"""Verdicts on directions and on ratios re-verified: both come down to the ranks of rows at tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from sympy import Expr, Rational, S, cancel, fraction
from sympy import Poly as SymPyPoly
from sympy.polys.rings import PolyElement

from symmetrics.cells import CELLS
from symmetrics.checker.fractions import Arithmetic, Quotient
from symmetrics.checker.minors import at_table, check_minors, is_never_zero, polynomial_row
from symmetrics.checker.parts import is_open, read_part, read_table, require_outcome
from symmetrics.checker.requirements import require, require_kind
from symmetrics.checker.values import Number, at_high_precision, gradient_at, multiply, rank_of, value_at
from symmetrics.claims.structure import (
    DirectionSpace,
    RatioOfLinearForms,
    ScalingSpace,
    Vector,
    space_text,
    vector_text,
)
from symmetrics.formula import formula_text, parse_formula, parse_number
from symmetrics.verdict import Verdict

__all__ = ["check_direction_space", "check_ratio"]

Check = Callable[[Verdict], None]
UNKNOWNS: Final = 2 * len(CELLS)


def check_direction_space(verdict: Verdict, claim: DirectionSpace, check: Check) -> None:
    """Re-verify along which directions a formula does not change.

    :param check: what re-verifies the verdict on one direction
    """
    require_kind(verdict, proved={"directions"}, refuted={"rank", "minors"}, conditional={"minors"})
    if is_open(verdict, claim):
        return
    data = verdict.evidence.data
    if verdict.evidence.kind == "minors":
        found = check_minors(verdict, claim, _slopes(claim), len(CELLS), check)
        require(verdict.value == "; ".join([space_text([]), *([found] if found else [])]), "the value is another one")
        return
    require(verdict.status == "proved" or not claim.parameters, "one value of the parameters does not settle all")
    parts = {_vector(label): part for label, part in data.get("directions", {}).items()}
    for vector, part in parts.items():
        checked = read_part(part, claim.part(vector))
        check(checked)
        require(checked.status == "proved", "M changes along one of the directions")
    size = rank_of([[Fraction(entry) for entry in vector] for vector in parts])
    require(size == len(parts), "the directions depend on each other")
    with at_high_precision():
        rank = rank_of([_row(claim, point) for point in data["points"]])
    require(size + rank == len(CELLS), "the gradients leave further directions")
    require_outcome(verdict, claim, S.true if parts else S.false)
    require(verdict.value == space_text(parts), "the directions are not those of the certificate")


def _vector(label: str) -> Vector:
    first, second, third, fourth = (int(entry) for entry in label.strip("()").split(","))
    vector = (first, second, third, fourth)
    require(vector_text(vector) == label, "a direction is not four whole numbers")
    return vector


def _row(claim: DirectionSpace, point: Mapping[str, Any]) -> Sequence[Number]:
    """Return what is orthogonal to every direction: the gradient at one table, or its products with the counts."""
    settings = {name: parse_number(text) for name, text in point.get("parameters", {}).items()}
    require(settings.keys() == {p.name for p in claim.parameters}, "a point has other parameters than the claim")
    require(all(settings[p.name] in p for p in claim.parameters), "a parameter is outside its domain")
    formula = claim.subject.xreplace({p.symbol: settings[p.name] for p in claim.parameters})
    table = read_table(point["table"])
    slopes = gradient_at(formula, CELLS, table)
    return [multiply(count, slope) for count, slope in zip(table, slopes, strict=True)] if _scales(claim) else slopes


def _scales(claim: DirectionSpace) -> bool:
    return isinstance(claim, ScalingSpace)


def _slopes(claim: DirectionSpace) -> Callable[[Sequence[Fraction], Arithmetic], list[PolyElement]]:
    def row_at(table: Sequence[Fraction], arithmetic: Arithmetic) -> list[PolyElement]:
        slopes = [at_table(claim.subject.diff(cell), table, arithmetic) for cell in CELLS]
        row = polynomial_row(slopes, arithmetic)
        return [_scaled(entry, count) for entry, count in zip(row, table, strict=True)] if _scales(claim) else row

    return row_at


def _scaled(poly: PolyElement, factor: Fraction) -> PolyElement:
    return poly * poly.ring.domain(factor.numerator, factor.denominator)


def check_ratio(verdict: Verdict, claim: RatioOfLinearForms, check: Check) -> None:
    """Re-verify whether a formula is a ratio of linear forms.

    :param check: what re-verifies that it is the ratio that the value of the verdict is
    """
    require_kind(verdict, proved={"ratio"}, refuted={"rank", "minors"}, conditional={"minors"})
    if is_open(verdict, claim):
        return
    kind, data = verdict.evidence.kind, verdict.evidence.data
    if kind == "minors":
        require(verdict.value == check_minors(verdict, claim, _equation(claim), UNKNOWNS, check), "another value")
    elif kind == "rank":
        require(not claim.parameters, "one value of the parameters does not settle all")
        with at_high_precision():
            rank = rank_of([_equation_at(claim.subject, read_table(table)) for table in data["tables"]])
        require(rank == UNKNOWNS, "the equations at the tables have a common solution")
        require_outcome(verdict, claim, S.false)
        require(verdict.value is None, "a value that nothing stands behind")
    else:
        ratio = parse_formula(str(verdict.value), [p.name for p in claim.parameters])
        require(verdict.value == formula_text(ratio), "the ratio is spelled in another way than formulas are")
        _require_linear(ratio, claim)
        part = read_part(data["identity"], claim.part(ratio))
        check(part)
        require(part.status == "proved", "the formula is not the ratio")
        require_outcome(verdict, claim, S.true)


def _equation_at(formula: Expr, table: Sequence[Fraction]) -> list[Number]:
    """Return the coefficients of u and w in <u, x> = M(x)*<w, x>."""
    value = value_at(formula, dict(zip(CELLS, table, strict=True)))
    return [*table, *(multiply(-count, value) for count in table)]


def _equation(claim: RatioOfLinearForms) -> Callable[[Sequence[Fraction], Arithmetic], list[PolyElement]]:
    def row_at(table: Sequence[Fraction], arithmetic: Arithmetic) -> list[PolyElement]:
        one = Quotient(arithmetic.ring(1), arithmetic.ring(1))
        below, above = polynomial_row([one, at_table(claim.subject, table, arithmetic)], arithmetic)
        return [*(_scaled(below, count) for count in table), *(_scaled(above, -count) for count in table)]

    return row_at


def _require_linear(ratio: Expr, claim: RatioOfLinearForms) -> None:
    """Refuse a formula that is not a ratio of linear forms whose denominator counts for all parameters."""
    if ratio.free_symbols.isdisjoint(CELLS):
        return
    above, below = fraction(ratio)
    weights = _coefficients(below)
    _coefficients(above)
    if not claim.parameters:
        return
    arithmetic = Arithmetic([], claim.parameters, {}, [])
    values = (arithmetic.evaluate(weight) for weight in weights)
    never = any(value.bottom.is_ground and is_never_zero(value.top, arithmetic) for value in values)
    excluded = any(_is_multiple(base, below) for base in claim.part(ratio).denominators)
    require(never or excluded, "the denominator may vanish for some values of the parameters")


def _is_multiple(base: Expr, below: Expr) -> bool:
    return isinstance(cancel(base / below), Rational)


def _coefficients(form: Expr) -> Iterable[Expr]:
    """Return the coefficients of a linear form in the cells."""
    poly = SymPyPoly(form, *CELLS)
    require(all(sum(monomial) == 1 for monomial in poly.monoms()), "a form is not linear in the cells")
    coefficients: list[Expr] = poly.coeffs()
    require(all(c.free_symbols.isdisjoint(CELLS) for c in coefficients), "a coefficient is not constant")
    return coefficients
