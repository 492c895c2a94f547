"""Determinants over the parameters: for which values can rows at several tables be dependent at all?

A claim that needs a common solution of linear equations, one at each table, fails wherever a determinant of them is not
zero.  The values at which all determinants that were tried vanish are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sympy import Eq, Expr, Integer, Or, Rational, S
from sympy import Poly as SymPyPoly

from symmetrics.algebra.convert import Conversion, poly_expression
from symmetrics.algebra.field import ONE, Element, Field, Poly
from symmetrics.cells import CELLS
from symmetrics.claims.structure import Structure
from symmetrics.errors import UnsupportedError
from symmetrics.parameter import Parameter
from symmetrics.prover.elimination import determinant
from symmetrics.verdict import Decision, Evidence

__all__ = ["SQUARE_TABLES", "at_exceptions", "is_never_zero", "polynomial_row", "rational_roots", "values_at"]

MAX_MINORS: Final = 4
"""Determinants that are tried."""

SQUARE_TABLES: Final = (
    *((2, 4, 1, 3), (3, 1, 4, 2), (2, 1, 5, 3), (3, 5, 1, 2), (1, 3, 6, 2), (1, 5, 2, 4), (4, 5, 3, 1), (3, 5, 2, 4)),
    *((4, 2, 5, 3), (1, 9, 3, 2), (2, 5, 1, 7), (8, 13, 19, 2), (5, 9, 18, 10), (7, 18, 12, 2), (4, 5, 8, 1)),
    *((15, 7, 23, 10), (16, 5, 10, 32), (11, 25, 14, 8), (24, 25, 10, 2)),
)
"""Tables at which roots of TP*TN/(P*N) are rational."""

Row = Sequence[Poly]


def values_at(formulas: Iterable[Expr], table: Sequence[int], field: Field) -> list[Element] | None:
    """Return formulas at a table as functions of the parameters; None if one has no value there."""
    counts = dict(zip(CELLS, map(Integer, table), strict=True))
    bound = [formula.xreplace(counts) for formula in formulas]
    if any(value.has(S.ComplexInfinity, S.NaN) for value in bound):
        return None
    conversion = Conversion(field)
    return [field.reduce(conversion(value)) for value in bound]


def polynomial_row(row: Sequence[Element], field: Field, undefined: Iterable[Expr] = ()) -> Row | None:
    """Return a row over one denominator, without it; None if that may vanish, or if an entry is irrational.

    :param undefined: what the formula divides by; where such a thing is zero for all tables the formula has no value
    """
    powers: dict[int, int] = {}
    for element in row:
        for number, power in element.denominator.items():
            powers[number] = max(power, powers.get(number, 0))
    bases: dict[int, Any] = {number: field.atoms[number].base for number in powers}
    if any(field.atoms[number].is_log or isinstance(base, dict) for number, base in bases.items()):
        return None
    if any(element.numerator.keys() - {ONE} for element in row):
        return None
    if not all(is_never_zero(base, field) or _is_excluded(base, field, undefined) for base in bases.values()):
        return None
    polys = []
    for element in row:
        poly = element.numerator.get(ONE, field.context.constant(0))
        for number, power in powers.items():
            poly = poly * bases[number] ** (power - element.denominator.get(number, 0))
        polys.append(poly)
    return polys


def is_never_zero(poly: Poly, field: Field) -> bool:
    """Whether a polynomial in the parameters is certain to have no zero in their domain."""
    if poly.is_constant() or field.never_zero(poly):
        return bool(poly)
    used = [p for name, p in field.parameters.items() if poly.degrees()[field.names.index(name)]]
    return len(used) == 1 and not _has_root(poly_expression(poly, field), used[0])


def _is_excluded(poly: Poly, field: Field, undefined: Iterable[Expr]) -> bool:
    """Whether the formula has no value, at any table, where a polynomial in the parameters vanishes.

    A sum of positive terms vanishes only where all of them do, and with them whatever is made of the same terms.
    """
    used = [parameter for name, parameter in field.parameters.items() if poly.degrees()[field.names.index(name)]]
    if any(c < 0 for c in poly.coeffs()) or any(parameter.lower < 0 for parameter in used):
        return False
    symbols = [parameter.symbol for parameter in field.parameters.values()]
    terms = set(SymPyPoly(poly_expression(poly, field), *symbols).monoms())
    divisors = (divisor for divisor in undefined if divisor.is_polynomial(*symbols))
    return any(set(SymPyPoly(divisor, *symbols).monoms()) <= terms for divisor in divisors)


def _has_root(poly: Expr, parameter: Parameter) -> bool:
    """Whether a polynomial in one parameter has a root in its domain."""
    lower, upper = (Rational(b) if b.is_finite else None for b in (parameter.lower, parameter.upper))
    univariate = SymPyPoly(poly, parameter.symbol)
    count = univariate.count_roots(lower, upper)
    for bound, is_open in ((lower, parameter.lower_open), (upper, parameter.upper_open)):
        if bound is not None and is_open and univariate.eval(bound) == 0:
            count -= 1
    return bool(count)


@dataclass(frozen=True)
class _Common:
    """What divides all determinants tried, and at which tables they were taken."""

    factor: Poly
    minors: list[list[list[int]]]


def at_exceptions(
    claim: Structure,
    rows: Iterable[tuple[Sequence[int], Row]],
    size: int,
    field: Field,
    decide: Callable[[Any], Decision],
) -> Decision:
    """Decide a claim that fails wherever *size* rows are independent.

    :param rows: rows of polynomials in the parameters, each with its table
    :param decide: decides the claim at single values of the parameter
    :raises UnsupportedError: if the determinants vanish, or do so at values that are not rational
    """
    common = _common(rows, size, field)
    if is_never_zero(common.factor, field):
        return Decision("refuted", False, Evidence("minors", {"minors": common.minors, "exceptions": {}}))
    (parameter,) = _only(claim.parameters)
    exceptions = rational_roots(common.factor, parameter, field)
    decided = {value: decide(claim.at({parameter.symbol: value})) for value in exceptions}
    if any(decision.status not in ("proved", "refuted") for decision in decided.values()):
        raise UnsupportedError("at one of the values of the parameter that are left the claim is open")
    parts = {str(value): decision.record() for value, decision in decided.items()}
    evidence = Evidence("minors", {"minors": common.minors, "exceptions": parts})
    holding = {value: decision.value for value, decision in decided.items() if decision.status == "proved"}
    if not holding:
        return Decision("refuted", False, evidence)
    condition = Or(*(Eq(parameter.symbol, value) for value in holding))
    holds = None if parameter.default is None else parameter.default in holding
    return Decision("conditional", holds, evidence, condition, value=_value_text(parameter, holding))


def _value_text(parameter: Parameter, holding: Mapping[Rational, str | None]) -> str:
    return "; ".join(f"{holding[value]} if {parameter.name} = {value}" for value in sorted(holding))


def _only(parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    if len(parameters) != 1:
        raise UnsupportedError("the determinants may vanish at some values of the parameters: bind them and ask again")
    return parameters


def _common(rows: Iterable[tuple[Sequence[int], Row]], size: int, field: Field) -> _Common:
    factor, minors = field.context.constant(0), []
    for group in _groups(rows, size):
        value = determinant([row for _, row in group])
        shared = factor.gcd(value)
        if value and (not factor or shared != factor):
            minors.append([list(table) for table, _ in group])
            factor = shared
        if factor and is_never_zero(factor, field):
            break
    if not factor:
        raise UnsupportedError("equations at several tables depend on each other for all values of the parameters")
    return _Common(factor, minors)


def _groups(rows: Iterable[tuple[Sequence[int], Row]], size: int) -> Iterator[list[tuple[Sequence[int], Row]]]:
    group: list[tuple[Sequence[int], Row]] = []
    found = 0
    for row in rows:
        group.append(row)
        if len(group) == size:
            yield group
            found += 1
            group = []
        if found == MAX_MINORS:
            return


def rational_roots(poly: Poly, parameter: Parameter, field: Field) -> list[Rational]:
    """Return the roots of a polynomial in the domain of the parameter.

    :raises UnsupportedError: if one of them is not rational
    """
    roots = []
    for factor, _ in poly.factor()[1]:
        linear = SymPyPoly(poly_expression(factor, field), parameter.symbol)
        if linear.degree() == 1:
            roots.append(-Rational(linear.nth(0)) / Rational(linear.nth(1)))
        elif not is_never_zero(factor, field):
            raise UnsupportedError("the tables leave values of the parameter that are not rational")
    return sorted(root for root in roots if root in parameter)
