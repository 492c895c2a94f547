"""Determinants over the parameters recomputed: no parameters make all of them vanish."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from sympy import Expr, Pow, Rational, Symbol
from sympy import Poly as SymPyPoly
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.fractions import Arithmetic, Quotient, never_zero
from symmetrics.checker.engine.requirements import require
from symmetrics.language.cells import CELLS
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import CertificateError


def at_table(formula: Expr, table: Sequence[Fraction], arithmetic: Arithmetic) -> Quotient:
    """Return a formula at a table as a fraction of polynomials in the parameters, in lowest terms."""
    counts = {cell: Rational(c.numerator, c.denominator) for cell, c in zip(CELLS, table, strict=True)}
    value = arithmetic.evaluate(formula.xreplace(counts))
    return Quotient(*value.top.cancel(value.bottom))


def require_defined(formula: Expr, table: Sequence[Fraction], arithmetic: Arithmetic) -> None:
    """Refuse a table at which a divisor vanishes for some parameters, unless it then vanishes at all tables.

    The fraction in lowest terms may have a value there, which is no limit of those at other tables: at w = 1 the
    formula ``(w - 1)/(w - 1 + TP - FN)`` is zero, but at tables with TP = FN the fraction is 1.
    """
    counts = {cell: Rational(c.numerator, c.denominator) for cell, c in zip(CELLS, table, strict=True)}
    divisors = [power.base for power in formula.atoms(Pow) if power.exp.is_negative]
    for divisor in divisors:
        poly = arithmetic.evaluate(divisor.xreplace(counts)).top
        is_defined = is_never_zero(poly, arithmetic) or is_excluded(poly, arithmetic, divisors)
        require(is_defined, "the formula may have no value at a table, for some parameters")


def is_never_zero(poly: PolyElement, arithmetic: Arithmetic) -> bool:
    """Whether a polynomial in the parameters certainly has no zero in their domain."""
    if poly.is_ground:
        return bool(poly)
    if never_zero(poly, arithmetic):
        return True
    used = [p for name, p in arithmetic.parameters.items() if poly.degree(arithmetic.symbols[name]) > 0]
    if len(used) == 1:
        return count_roots(poly, used[0]) == 0
    return all(_is_free_of_roots(factor, arithmetic) for factor, _ in poly.factor_list()[1])


def _is_free_of_roots(factor: PolyElement, arithmetic: Arithmetic) -> bool:
    if never_zero(factor, arithmetic):
        return True
    used = [p for name, p in arithmetic.parameters.items() if factor.degree(arithmetic.symbols[name]) > 0]
    if len(used) == 1:
        return count_roots(factor, used[0]) == 0
    if min(factor.values()) < 0 < max(factor.values()) or not all(p.lower >= 0 for p in used):
        return False
    # All terms have one sign or are zero, and those whose parameters exclude zero are not.
    vanishing = {arithmetic.names.index(p.name) for p in used if p.lower == 0 and not p.lower_open}
    return any(vanishing.isdisjoint(place for place, power in enumerate(term) if power) for term in factor)


def count_roots(poly: PolyElement, parameter: Parameter) -> int:
    """Count the real roots of a polynomial in one parameter that lie in its domain (Sturm's theorem, by SymPy)."""
    univariate = SymPyPoly(poly.as_expr(), Symbol(parameter.name))
    lower, upper = (Rational(b) if b.is_finite else None for b in (parameter.lower, parameter.upper))
    count = int(univariate.count_roots(lower, upper))
    for bound, excluded in ((lower, parameter.lower_open), (upper, parameter.upper_open)):
        if bound is not None and excluded and univariate.eval(bound) == 0:
            count -= 1
    return count


def is_excluded(poly: PolyElement, arithmetic: Arithmetic, undefined: Iterable[Expr]) -> bool:
    """Whether wherever a polynomial in the parameters vanishes, a divisor of the formula vanishes at all tables.

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
    """Multiply a row by a common denominator, after checking that this vanishes nowhere."""
    common = arithmetic.ring(1)
    for entry in row:
        require(
            is_never_zero(entry.bottom, arithmetic), "the formula may have no value at a table, for some parameters"
        )
        common = common.lcm(entry.bottom)
    return [entry.top * common.exquo(entry.bottom) for entry in row]


def without_roots(poly: PolyElement, roots: Iterable[Rational], arithmetic: Arithmetic) -> PolyElement:
    """Divide a polynomial in one parameter by the linear factors of some roots, as often as possible."""
    for root in roots:
        (name,) = arithmetic.parameters
        factor = arithmetic.symbols[name] - arithmetic.constant(root).top
        while poly and not poly.rem(factor):
            poly = poly.exquo(factor)
    return poly


def require_no_common_zero(polys: Iterable[PolyElement], arithmetic: Arithmetic) -> None:
    """Require that some polynomials in the parameters have no common zero in the domain.

    With one parameter a common zero is one of the greatest common divisor.  With several it need not be: a and b have
    none but 1.  There one of the polynomials has to be without a zero.
    """
    known = [poly for poly in polys if poly]
    if len(arithmetic.parameters) == 1:
        common = arithmetic.ring(0)
        for poly in known:
            common = common.gcd(poly)
        known = [common] if known else []
    if not any(is_never_zero(poly, arithmetic) for poly in known):
        raise CertificateError("the determinants may vanish together at some values of the parameters")


def determinant(rows: Sequence[Sequence[PolyElement]], arithmetic: Arithmetic) -> PolyElement:
    """Return a determinant by fraction-free elimination; the empty determinant is 1."""
    if not rows:
        return arithmetic.ring(1)
    require(all(len(row) == len(rows) for row in rows), "a determinant is not square")
    matrix = [list(row) for row in rows]
    # Bareiss: each 2x2 minor is divisible by the previous pivot.
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


def scaled(poly: PolyElement, factor: Fraction) -> PolyElement:
    """Return a polynomial times a number."""
    return poly * poly.ring.domain(factor.numerator, factor.denominator)


# -- Derivatives of quotients of polynomials in variables, roots and logarithms ----------------------------------------


Powers = list[tuple[PolyElement, int]]


def slope(numerator: PolyElement, bases: Powers, arithmetic: Arithmetic, direction: Mapping[str, int]) -> Quotient:
    """Return the derivative of ``numerator / product(base ** power)`` along a direction.

    :param bases: the bases of the denominator with their powers
    :param direction: the components of the direction by the names of variables
    """
    moving = _Moving(arithmetic, direction)
    total = moving.of(numerator)
    for base, power in bases:
        change = arithmetic.multiply(moving.of(base), Quotient(arithmetic.ring(-power), base))
        total = arithmetic.add(total, arithmetic.multiply(change, Quotient(numerator, arithmetic.ring(1))))
    denominator = arithmetic.ring(1)
    for base, power in bases:
        for _ in range(power):
            denominator = arithmetic.times(denominator, base)
    return arithmetic.multiply(total, Quotient(arithmetic.ring(1), denominator))


class _Moving:
    """Derivatives of polynomials along one direction."""

    def __init__(self, arithmetic: Arithmetic, direction: Mapping[str, int]) -> None:
        self.arithmetic = arithmetic
        self.direction = {arithmetic.names.index(name): component for name, component in direction.items()}

    def of(self, poly: PolyElement) -> Quotient:
        """Return the derivative of a polynomial: a root g of f moves by ``g*f'/(q*f)``, its logarithm by ``f'/f``."""
        arithmetic = self.arithmetic
        total = Quotient(self.of_variables(poly), arithmetic.ring(1))
        for name, atom in arithmetic.atoms.items():
            if not any(monomial[atom.place] for monomial in poly):
                continue
            inner = [other for other in arithmetic.atoms.values() if any(m[other.place] for m in atom.base)]
            require(not inner, "a nested root has no derivative that can be checked")
            change = Quotient(self.of_variables(atom.base), atom.base)
            partial = poly.diff(arithmetic.symbols[name])
            if not atom.is_log:
                share = Quotient(arithmetic.symbols[name], arithmetic.ring(arithmetic.degrees[name]))
                change = arithmetic.multiply(change, share)
            total = arithmetic.add(total, arithmetic.multiply(Quotient(partial, arithmetic.ring(1)), change))
        return total

    def of_variables(self, poly: PolyElement) -> PolyElement:
        total = self.arithmetic.ring(0)
        for place, component in self.direction.items():
            total += component * poly.diff(self.arithmetic.ring.gens[place])
        return total
