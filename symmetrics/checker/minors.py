"""Determinants over the parameters recomputed, and that nothing is left where all of them vanish."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from sympy import Eq, Expr, Or, Rational, Symbol
from sympy import Poly as SymPyPoly
from sympy.polys.rings import PolyElement

from symmetrics.cells import CELLS
from symmetrics.checker.fractions import Arithmetic, Quotient, never_zero
from symmetrics.checker.parts import read_part, read_table, require_outcome
from symmetrics.checker.requirements import require
from symmetrics.claims.structure import Structure
from symmetrics.formula import parse_number
from symmetrics.parameter import Parameter
from symmetrics.verdict import Verdict

__all__ = ["at_table", "check_minors", "is_excluded", "is_never_zero", "polynomial_row", "without_roots"]

Check = Callable[[Verdict], None]


def at_table(formula: Expr, table: Sequence[Fraction], arithmetic: Arithmetic) -> Quotient:
    """Return a formula at a table as a fraction of polynomials in the parameters, in lowest terms."""
    counts = {cell: Rational(c.numerator, c.denominator) for cell, c in zip(CELLS, table, strict=True)}
    value = arithmetic.evaluate(formula.xreplace(counts))
    return Quotient(*value.top.cancel(value.bottom))


def is_never_zero(poly: PolyElement, arithmetic: Arithmetic) -> bool:
    """Whether a polynomial in the parameters is certain to have no zero in their domain."""
    if poly.is_ground:
        return bool(poly)
    if never_zero(poly, arithmetic):
        return True
    used = [p for name, p in arithmetic.parameters.items() if poly.degree(arithmetic.symbols[name]) > 0]
    return len(used) == 1 and _count_roots(poly, used[0]) == 0


def _count_roots(poly: PolyElement, parameter: Parameter) -> int:
    univariate = SymPyPoly(poly.as_expr(), Symbol(parameter.name))
    lower, upper = (Rational(b) if b.is_finite else None for b in (parameter.lower, parameter.upper))
    count = int(univariate.count_roots(lower, upper))
    for bound, excluded in ((lower, parameter.lower_open), (upper, parameter.upper_open)):
        if bound is not None and excluded and univariate.eval(bound) == 0:
            count -= 1
    return count


def is_excluded(poly: PolyElement, arithmetic: Arithmetic, undefined: Iterable[Expr]) -> bool:
    """Whether a divisor of the formula vanishes for all tables wherever a polynomial in the parameters does.

    If all coefficients are positive, and no parameter is negative, all terms of the polynomial vanish there.
    """
    used = [p for name, p in arithmetic.parameters.items() if poly.degree(arithmetic.symbols[name]) > 0]
    if any(coefficient < 0 for coefficient in poly.values()) or any(p.lower < 0 for p in used):
        return False
    symbols = [p.symbol for p in arithmetic.parameters.values()]
    places = [arithmetic.names.index(p.name) for p in arithmetic.parameters.values()]
    terms = {tuple(monomial[place] for place in places) for monomial in poly}
    divisors = (divisor for divisor in undefined if divisor.is_polynomial(*symbols))
    return any(set(SymPyPoly(divisor, *symbols).monoms()) <= terms for divisor in divisors)


def polynomial_row(row: Sequence[Quotient], arithmetic: Arithmetic) -> list[PolyElement]:
    """Return a row over one denominator, without it, after checking that it is nowhere zero."""
    common = arithmetic.ring(1)
    for entry in row:
        require(
            is_never_zero(entry.bottom, arithmetic), "the formula may have no value at a table, for some parameters"
        )
        common = common.lcm(entry.bottom)
    return [entry.top * common.exquo(entry.bottom) for entry in row]


def without_roots(poly: PolyElement, roots: Iterable[Rational], arithmetic: Arithmetic) -> PolyElement:
    """Return a polynomial in the one parameter divided by the linear factors of some roots, as often as that goes."""
    for root in roots:
        (name,) = arithmetic.parameters
        factor = arithmetic.symbols[name] - arithmetic.constant(root).top
        while poly and not poly.rem(factor):
            poly = poly.exquo(factor)
    return poly


def check_minors(
    verdict: Verdict,
    claim: Structure,
    row_at: Callable[[Sequence[Fraction], Arithmetic], Sequence[PolyElement]],
    size: int,
    check: Check,
) -> str | None:
    """Re-verify a claim that fails wherever rows at some tables are independent.

    :param row_at: the row at a table, in the arithmetic of the parameters
    :param check: what re-verifies the verdict at a single value of the parameter
    :returns: the values of the verdicts at the parameters at which the claim holds
    """
    arithmetic = Arithmetic([], claim.parameters, {}, [])
    common = arithmetic.ring(0)
    for tables in verdict.evidence.data["minors"]:
        require(len(tables) == size, "a determinant is not square")
        common = common.gcd(_determinant([row_at(read_table(table), arithmetic) for table in tables], arithmetic))
    require(bool(common), "the determinants vanish for all parameters")
    exceptions = verdict.evidence.data["exceptions"]
    require(not exceptions or len(claim.parameters) == 1, "values of several parameters are singled out")
    holding: dict[Rational, str | None] = {}
    for text, data in exceptions.items():
        (parameter,) = claim.parameters
        value = parse_number(text)
        require(value in parameter, "a value of the parameter is outside its domain")
        part = read_part(data, claim.at({parameter.symbol: value}))
        check(part)
        require(part.status in ("proved", "refuted"), "the claim is open at a value of the parameter")
        if part.status == "proved":
            holding[value] = part.value
    common = without_roots(common, [parse_number(text) for text in exceptions], arithmetic)
    require(is_never_zero(common, arithmetic), "the determinants vanish at further values of the parameters")
    (*_, parameter) = claim.parameters
    require_outcome(verdict, claim, Or(*(Eq(parameter.symbol, value) for value in holding)))
    return "; ".join(f"{holding[value]} if {parameter.name} = {value}" for value in sorted(holding)) or None


def _determinant(rows: Sequence[Sequence[PolyElement]], arithmetic: Arithmetic) -> PolyElement:
    """Return a determinant by elimination without fractions."""
    matrix = [list(row) for row in rows]
    before: Any = arithmetic.ring(1)
    for step in range(len(matrix) - 1):
        pivot = next((row for row in range(step, len(matrix)) if matrix[row][step]), None)
        if pivot is None:
            return arithmetic.ring(0)
        matrix[step], matrix[pivot] = matrix[pivot], matrix[step]
        for row in range(step + 1, len(matrix)):
            for place in range(step + 1, len(matrix)):
                left, right = matrix[row][place], matrix[row][step]
                arithmetic.count(len(left) * len(matrix[step][step]) + len(right) * len(matrix[step][place]))
                product = left * matrix[step][step] - right * matrix[step][place]
                matrix[row][place] = product.exquo(before)
        before = matrix[step][step]
    return matrix[-1][-1]
