"""Determinants over the parameters: values at which rows from several tables can be dependent.

A claim that needs a common solution of linear equations, one at each table, fails wherever a determinant of them is not
zero.  Where all determinants that were tried vanish, the domain of the parameters is cut, and each part decided.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeVar

from sympy import Eq, Expr, Integer, Pow, Rational, S
from sympy import Poly as SymPyPoly
from sympy.logic.boolalg import Boolean

from symmetrics.algebra.convert import Conversion, poly_expression
from symmetrics.algebra.field import ONE, Element, Field, Poly
from symmetrics.language.cells import CELLS
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import UnsupportedError

SQUARE_TABLES: Final = (
    *((2, 4, 1, 3), (3, 1, 4, 2), (2, 1, 5, 3), (3, 5, 1, 2), (1, 3, 6, 2), (1, 5, 2, 4), (4, 5, 3, 1), (3, 5, 2, 4)),
    *((4, 2, 5, 3), (1, 9, 3, 2), (2, 5, 1, 7), (8, 13, 19, 2), (5, 9, 18, 10), (7, 18, 12, 2), (4, 5, 8, 1)),
    *((15, 7, 23, 10), (16, 5, 10, 32), (11, 25, 14, 8), (24, 25, 10, 2)),
)
"""Tables at which roots of TP*TN/(P*N) are rational."""

MAX_FACTORED: Final = 8
"""Number of determinants in several parameters that are factored to find cuts."""

Row = Sequence[Poly]
Label = TypeVar("Label")


def values_at(formulas: Iterable[Expr], table: Sequence[int], field: Field) -> list[Element] | None:
    """Return formulas at a table as functions of the parameters; None if one is undefined there."""
    counts = dict(zip(CELLS, map(Integer, table), strict=True))
    bound = [formula.xreplace(counts) for formula in formulas]
    if any(value.has(S.ComplexInfinity, S.NaN) for value in bound):
        return None
    conversion = Conversion(field)
    return [field.reduce(conversion(value)) for value in bound]


def is_defined_at(formula: Expr, table: Sequence[int], field: Field) -> bool:
    """Whether no divisor of a formula vanishes at a table, for any parameters for which the formula is defined at all.

    Where a divisor and something above it are zero together, the fraction in lowest terms has a value at the table that
    need not be the limit of those at other tables.
    """
    divisors = [power.base for power in formula.atoms(Pow) if power.exp.is_negative]
    if all(divisor.free_symbols.issubset(CELLS) for divisor in divisors):
        return True
    elements = [values_at([divisor], table, field) for divisor in divisors]
    if None in elements:
        return False
    for element in itertools.chain.from_iterable(found or () for found in elements):
        poly = element.numerator.get(ONE)
        if poly is None or element.numerator.keys() - {ONE}:
            return False
        if not is_never_zero(poly, field) and not _is_excluded(poly, field, divisors):
            return False
    return True


def polynomial_row(row: Sequence[Element], field: Field, undefined: Iterable[Expr] = ()) -> Row | None:
    """Multiply a row by its common denominator; None if that may vanish, or if an entry is irrational.

    :param undefined: divisors of the formula; where one of them is zero for all tables the formula is undefined
    """
    # The common denominator: the highest power of each base.
    powers: dict[int, int] = {}
    for element in row:
        for number, power in element.denominator.items():
            powers[number] = max(power, powers.get(number, 0))
    bases: dict[int, Any] = {number: field.atoms[number].base for number in powers}
    if any(field.atoms[number].is_log or isinstance(base, dict) for number, base in bases.items()):
        return None
    if any(element.numerator.keys() - {ONE} for element in row):
        return None
    # It must have no zero in the domain, except where the formula itself is undefined.
    if not all(is_never_zero(base, field) or _is_excluded(base, field, undefined) for base in bases.values()):
        return None
    # Each entry times the common denominator.
    polys = []
    for element in row:
        poly = element.numerator.get(ONE, field.context.constant(0))
        for number, power in powers.items():
            poly = poly * bases[number] ** (power - element.denominator.get(number, 0))
        polys.append(poly)
    return polys


def is_never_zero(poly: Poly, field: Field) -> bool:
    """Whether a polynomial in the parameters certainly has no zero in their domain."""
    if poly.is_constant() or field.never_zero(poly):
        return bool(poly)
    used = _used(poly, field)
    if len(used) == 1:
        return not _has_root(poly_expression(poly, field), used[0])
    return all(_has_no_zero(factor, field) for factor in _factors(poly))


def _factors(poly: Poly) -> list[Poly]:
    """Return the irreducible factors; the polynomial alone if its coefficients are too large for FLINT's factoring."""
    try:
        return [factor for factor, _ in poly.factor()[1]]
    except OverflowError:
        return [poly]


def _has_no_zero(factor: Poly, field: Field) -> bool:
    """Whether a factor has no zero in the domain, by its roots or the signs of its terms."""
    used = _used(factor, field)
    if field.never_zero(factor):
        return True
    if len(used) == 1:
        return not _has_root(poly_expression(factor, field), used[0])
    # A sum of terms of one sign vanishes only if all do, and a term in never-zero parameters does not.
    signs = {c > 0 for c in factor.coeffs()}
    if len(signs) > 1 or any(parameter.lower < 0 for parameter in used):
        return False
    places = [field.names.index(parameter.name) for parameter in used if 0 in parameter]
    return any(not any(exponents[place] for place in places) for exponents in factor.to_dict())


def _used(poly: Poly, field: Field) -> list[Parameter]:
    return [parameter for name, parameter in field.parameters.items() if poly.degrees()[field.names.index(name)]]


def _is_excluded(poly: Poly, field: Field, undefined: Iterable[Expr]) -> bool:
    """Whether the formula is undefined at every table wherever a polynomial in the parameters vanishes.

    A sum of positive terms vanishes only where all of them do, and with them whatever is made of the same terms.
    """
    if any(c < 0 for c in poly.coeffs()) or any(parameter.lower < 0 for parameter in _used(poly, field)):
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


def common_zeros(determinants: Iterable[tuple[Label, Poly]], field: Field) -> tuple[list[Label], list[Boolean]]:
    """Return the possible common zeros of some polynomials, and the labels of those that exclude all others.

    With one parameter they vanish together only where their greatest common divisor does.  With several that is wrong,
    because a and b have the divisor 1 and both vanish at a = b = 0: there a single one has to be nowhere zero.

    :returns: the labels; and equations between a parameter and a number, where to cut the domain, which may be none
        though the polynomials have common zeros if no labels are returned
    :raises UnsupportedError: if all polynomials are zero, or common zeros are not rational
    """
    labels: list[Label] = []
    common = field.context.constant(0)
    tried = []
    for label, poly in determinants:
        if not poly:
            continue
        tried.append(poly)
        # Several parameters: one determinant without a zero suffices; otherwise only cuts are suggested.
        if len(field.parameters) > 1:
            if is_never_zero(poly, field):
                return [label], []
            continue
        # One parameter: the common zeros are those of the greatest common divisor; keep those that reduce it.
        shared = common.gcd(poly)
        if not common or shared != common:
            labels.append(label)
            common = shared
        if is_never_zero(common, field):
            return labels, []
    if not tried:
        raise UnsupportedError("equations at several tables depend on each other for all values of the parameters")
    if len(field.parameters) > 1:
        return [], list(dict.fromkeys(cut for poly in tried[:MAX_FACTORED] for cut in _linear_cuts(poly, field)))
    (parameter,) = field.parameters.values()
    return labels, [Eq(parameter.symbol, root) for root in rational_roots(common, parameter, field)]


def _linear_cuts(poly: Poly, field: Field) -> list[Boolean]:
    """Return equations ``parameter = number`` from factors of a polynomial that are linear in a single parameter."""
    cuts = []
    for factor in _factors(poly):
        used = _used(factor, field)
        if len(used) == 1 and factor.total_degree() == 1:
            (parameter,) = used
            cuts += [Eq(parameter.symbol, root) for root in rational_roots(factor, parameter, field)]
    return cuts


def rational_roots(poly: Poly, parameter: Parameter, field: Field) -> list[Rational]:
    """Return the roots of a polynomial in one parameter, inside the parameter's domain.

    :raises UnsupportedError: if one of them is not rational
    """
    roots = []
    for factor in _factors(poly):
        linear = SymPyPoly(poly_expression(factor, field), parameter.symbol)
        if linear.degree() == 1:
            roots.append(-Rational(linear.nth(0)) / Rational(linear.nth(1)))
        elif not is_never_zero(factor, field):
            raise UnsupportedError("the tables leave values of the parameter that are not rational")
    return sorted(root for root in roots if root in parameter)
