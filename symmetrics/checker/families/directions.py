"""Verdicts on directions and on ratios re-verified: both come down to the ranks of rows at tables."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from sympy import Expr, Rational, S, cancel, fraction
from sympy import Poly as SymPyPoly
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.cases import check_cases
from symmetrics.checker.engine.fractions import Arithmetic, Quotient
from symmetrics.checker.engine.minors import (
    at_table,
    determinant,
    is_never_zero,
    polynomial_row,
    require_no_common_zero,
)
from symmetrics.checker.engine.parts import is_open, read_part, read_table, require_outcome
from symmetrics.checker.engine.requirements import require, require_kind
from symmetrics.checker.engine.values import Number, at_high_precision, gradient_at, multiply, rank_of, value_at
from symmetrics.claims.structure import (
    Direction,
    DirectionSpace,
    RatioOfLinearForms,
    ScalingSpace,
    at_least_text,
    direction_of,
    space_text,
    vector_text,
)
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import formula_text, parse_formula, parse_number
from symmetrics.language.parameter import at_defaults_text, defaults_of

__all__ = ["check_direction_space", "check_ratio"]

Check = Callable[[Verdict], None]
UNKNOWNS: Final = 2 * len(CELLS)


def check_direction_space(verdict: Verdict, claim: DirectionSpace, check: Check) -> None:
    """Re-verify along which directions a formula does not change.

    :param check: what re-verifies the verdict on one direction, in one case or at the defaults
    """
    require_kind(verdict, proved={"directions", "cases"}, refuted={"rank", "minors", "cases"}, conditional={"cases"})
    if is_open(verdict, claim):
        return
    in_general = replace(verdict.decision, value=_value_in_general(verdict, claim, check))
    general = replace(verdict, decision=in_general)
    data = verdict.evidence.data
    if verdict.evidence.kind == "cases":
        check_cases(general, claim, check)
        return
    names = [parameter.name for parameter in claim.parameters]
    parts = {direction_of(label, names): part for label, part in data.get("directions", {}).items()}
    for (direction, part), label in zip(parts.items(), data.get("directions", ()), strict=True):
        require(vector_text(direction) == label, "a direction is spelled in another way than directions are")
        require(
            all(entry.is_Integer or _is_polynomial(entry, claim) for entry in direction), "an entry is no polynomial"
        )
        checked = read_part(part, claim.part(direction))
        check(checked)
        require(checked.status == "proved", "M changes along one of the directions")
    text = space_text
    if "minors" in data:
        require(bool(claim.parameters), "determinants over parameters that there are not")
        _check_determinants(claim, list(parts), data["minors"])
    else:
        _check_points(claim, list(parts), data["points"])
        # The points settle single values of the parameters: at others there may be more directions, or any at all.
        require(verdict.status == "proved" or not claim.parameters, "one value of the parameters does not settle all")
        text = at_least_text if claim.parameters else space_text
    require_outcome(general, claim, S.true if parts else S.false)
    require(general.value == text(parts), "the directions are not those of the certificate")


def _value_in_general(verdict: Verdict, claim: DirectionSpace, check: Check) -> str | None:
    """Return the value without what it says of the default parameters, after a check of that."""
    if "at_defaults" not in verdict.evidence.data:
        return verdict.value
    defaults = defaults_of(claim.parameters)
    require(bool(defaults), "a parameter has no default")
    part = read_part(verdict.evidence.data["at_defaults"], claim.at(defaults or {}))
    check(part)
    require(part.status in ("proved", "refuted") and part.value is not None, "the space at the defaults is not settled")
    general, found, stated = str(verdict.value).partition(f"; {at_defaults_text(claim.parameters)}: ")
    require(bool(found) and stated == part.value, "the space at the defaults is another one")
    return general


def _is_polynomial(entry: Expr, claim: DirectionSpace) -> bool:
    symbols = {parameter.symbol for parameter in claim.parameters}
    return not isinstance(claim, ScalingSpace) and entry.free_symbols <= symbols and bool(entry.is_polynomial(*symbols))


def _check_points(claim: DirectionSpace, basis: Sequence[Direction], points: Iterable[Mapping[str, Any]]) -> None:
    """Check that whole directions are independent, and that gradients at points leave no others."""
    require(all(entry.is_Integer for direction in basis for entry in direction), "a direction is not whole")
    size = rank_of([[Fraction(int(entry)) for entry in direction] for direction in basis])
    require(size == len(basis), "the directions depend on each other")
    with at_high_precision():
        rank = rank_of([_row(claim, point) for point in points])
    require(size + rank == len(CELLS), "the gradients leave further directions")


def _check_determinants(claim: DirectionSpace, basis: Sequence[Direction], minors: Iterable[Mapping[str, Any]]) -> None:
    """Check that directions are independent for all values of the parameters, and gradients leave no others for any."""
    arithmetic = Arithmetic([], claim.parameters, {}, [])
    rows = [[_polynomial(entry, arithmetic) for entry in direction] for direction in basis]
    columns = itertools.combinations(range(len(CELLS)), len(basis))
    require_no_common_zero((_minor(rows, chosen, arithmetic) for chosen in columns), arithmetic)
    size = len(CELLS) - len(basis)
    slopes = _slopes(claim)
    found = [arithmetic.ring(1)] if size == 0 else []
    for minor in minors:
        gradients = [slopes(read_table(table), arithmetic) for table in minor["tables"]]
        chosen = [_column(number) for number in minor["columns"]]
        require(len(set(chosen)) == len(gradients) == size, "a determinant has another size")
        found.append(_minor(gradients, chosen, arithmetic))
    require_no_common_zero(found, arithmetic)


def _minor(rows: Sequence[Sequence[PolyElement]], columns: Iterable[int], arithmetic: Arithmetic) -> PolyElement:
    chosen = list(columns)
    return determinant([[row[column] for column in chosen] for row in rows], arithmetic)


def _column(number: Any) -> int:
    require(type(number) is int and 0 <= number < len(CELLS), "a column is not that of a cell")
    return int(number)


def _polynomial(entry: Expr, arithmetic: Arithmetic) -> PolyElement:
    """Return a polynomial in the parameters, times a whole number."""
    return arithmetic.evaluate(entry).top


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
    require_kind(verdict, proved={"ratio", "cases"}, refuted={"rank", "minors", "cases"}, conditional={"cases"})
    if is_open(verdict, claim):
        return
    kind, data = verdict.evidence.kind, verdict.evidence.data
    if kind == "cases":
        check_cases(verdict, claim, check)
    elif kind == "minors":
        arithmetic = Arithmetic([], claim.parameters, {}, [])
        require_no_common_zero((_equations(claim, tables, arithmetic) for tables in data["minors"]), arithmetic)
        require_outcome(verdict, claim, S.false)
        require(verdict.value is None, "a value that nothing stands behind")
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


def _equations(claim: RatioOfLinearForms, tables: Sequence[Any], arithmetic: Arithmetic) -> PolyElement:
    """Return the determinant of the equations at eight tables."""
    require(len(tables) == UNKNOWNS, "a determinant is not square")
    rows = []
    for counts in tables:
        table = read_table(counts)
        one = Quotient(arithmetic.ring(1), arithmetic.ring(1))
        below, above = polynomial_row([one, at_table(claim.subject, table, arithmetic)], arithmetic)
        rows.append([*(_scaled(below, count) for count in table), *(_scaled(above, -count) for count in table)])
    return determinant(rows, arithmetic)


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
