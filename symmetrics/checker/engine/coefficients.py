"""The coefficients of a numerator in the cells and atoms, and that these are independent of each other."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any, Final

from sympy import Abs, Add, Expr, Mul, Rational, S, Symbol, log
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.enclosures import is_certainly_nonzero
from symmetrics.checker.engine.fractions import Arithmetic, Quotient, factors_of
from symmetrics.checker.engine.reality import divides_nearly_everywhere
from symmetrics.checker.engine.requirements import require
from symmetrics.checker.engine.zeros import read_arithmetic
from symmetrics.claims import Comparison

__all__ = ["coefficients_of", "difference_in", "require_independence"]

COUNTS: Final = (1, 2, 3, 4, 6, 10, 30, 500, 10**5)
TRIES: Final = 2000
MAX_SIGNS: Final = 5


def difference_in(claim: Comparison, data: Mapping[str, Any]) -> tuple[Arithmetic, Quotient]:
    """Return the arithmetic that a certificate describes, and in it the expression that a claim compares with zero."""
    arithmetic = read_arithmetic(claim.names, claim.parameters, data)
    difference = arithmetic.evaluate(claim.difference)
    require(bool(difference.bottom), "the difference has a denominator that is zero")
    return arithmetic, difference


def coefficients_of(arithmetic: Arithmetic, numerator: PolyElement) -> list[PolyElement]:
    """Return the coefficients of a numerator as a polynomial in cells and atoms, after checking that these are free.

    Irreducible, pairwise different bases without parameters have roots that are linearly independent.  Roots and
    logarithms of numbers, and pi, belong to the coefficients, because parameters can be such numbers.
    """
    places = [arithmetic.names.index(name) for name in arithmetic.parameters]
    used = [a for a in arithmetic.atoms.values() if any(monomial[a.place] for monomial in numerator)]
    for atom in used:
        free_of_parameters = not any(monomial[place] for monomial in atom.base for place in places)
        free_of_atoms = not any(monomial[a.place] for monomial in atom.base for a in arithmetic.atoms.values())
        require(free_of_parameters and free_of_atoms, "an atom is not a polynomial in the cells alone")
        require(_is_irreducible(atom.base), "an atom is reducible")
    monic = [(atom.is_log, str(atom.base if atom.base.is_ground else atom.base.monic())) for atom in used]
    require(len(set(monic)) == len(monic), "two atoms are the same")
    pi = arithmetic.names.index("pi")
    numbers = {pi} | {a.place for a in used if not any(any(_without(monomial, {pi})) for monomial in a.base)}
    groups: dict[tuple[int, ...], dict[tuple[int, ...], PolyElement]] = {}
    for monomial, coefficient in numerator.terms():
        inside = tuple(e if place in places else 0 for place, e in enumerate(monomial))
        number = tuple(e if place in numbers else 0 for place, e in enumerate(monomial))
        group = groups.setdefault(_without(monomial, {*places, *numbers}), {})
        group[number] = group.get(number, arithmetic.ring(0)) + arithmetic.ring({inside: coefficient})
    return [_coefficient(group, arithmetic) for group in groups.values()]


def _without(monomial: tuple[int, ...], places: set[int]) -> tuple[int, ...]:
    return tuple(0 if place in places else power for place, power in enumerate(monomial))


def _coefficient(group: Mapping[tuple[int, ...], PolyElement], arithmetic: Arithmetic) -> PolyElement:
    """Return the polynomial p of a sum ``p * number``, after checking that the number is not zero."""
    polys = list(group.values())
    require(len({poly.monic() for poly in polys}) == 1, "a coefficient mixes parameters with irrational numbers")
    if len(polys) > 1:
        total = Add(*(_rational(poly.LC) * _number(monomial, arithmetic) for monomial, poly in group.items()))
        require(is_certainly_nonzero(total), "a sum of irrational numbers may be zero")
    return polys[0]


def _number(monomial: tuple[int, ...], arithmetic: Arithmetic) -> Expr:
    """Return the number that a product of powers of pi and of constant atoms is."""
    factors = [S.Pi ** monomial[arithmetic.names.index("pi")]]
    for name, atom in arithmetic.atoms.items():
        if monomial[atom.place]:
            base = Abs(atom.base.as_expr().subs(Symbol("pi"), S.Pi))
            value = log(base) if atom.is_log else base ** Rational(1, arithmetic.degrees[name])
            factors.append(value ** monomial[atom.place])
    return Mul(*factors)


def _rational(value: Any) -> Rational:
    return Rational(int(value.numerator), int(value.denominator))


def require_independence(arithmetic: Arithmetic, numerator: PolyElement, claim: Comparison) -> None:
    """Check that absolute values in a numerator take all signs where the formula is real; and that it is, somewhere.

    Tables with an open neighbourhood are found by trying: no base is zero there and every radicand is positive.
    """
    mixed = [
        atom
        for name, atom in arithmetic.atoms.items()
        if atom.fold == 2 and not atom.is_log and any(m[atom.place] >= arithmetic.degrees[name] for m in numerator)
    ]
    signs = dict.fromkeys(arithmetic.varying_sign(value) for value in arithmetic.conditions)
    conditions = [sign for sign in signs if sign != 1]
    require(len(mixed) <= MAX_SIGNS, "too many absolute values")
    variables = [arithmetic.names.index(variable.name) for variable in claim.variables]
    polys = [*(atom.base for atom in mixed), *conditions]
    cells_only = not any(any(_without(monomial, set(variables))) for poly in polys for monomial in poly)
    require(cells_only, "a sign, or where the formula is real, depends on more than cells")
    for side in claim.sides if mixed else ():
        is_wide = divides_nearly_everywhere(side, claim.parameters, claim.variables)
        require(is_wide, "a divisor may be zero wherever an absolute value is taken of numbers of one sign")
    missing = set(itertools.product((False, True), repeat=len(mixed)))
    random = Random(1)
    for _ in range(TRIES if mixed or conditions else 0):
        scale = random.choice((1, 1, 3, 20))
        point = {place: Fraction(random.choice(COUNTS), scale) for place in variables}
        values = [_value(atom.base, point) for atom in mixed]
        if all(values) and all(_value(condition, point) > 0 for condition in conditions):
            missing.discard(tuple(value > 0 for value in values))
        if not missing:
            return
    require(not mixed and not conditions, "absolute values may depend on each other where the formula is real")


def _value(poly: PolyElement, point: Mapping[int, Fraction]) -> Fraction:
    total = Fraction(0)
    for monomial, coefficient in poly.terms():
        term = Fraction(int(coefficient.numerator), int(coefficient.denominator))
        for place, value in point.items():
            term *= value ** monomial[place]
        total += term
    return total


def _is_irreducible(base: PolyElement) -> bool:
    if base.is_ground:
        return bool(base.LC.denominator == 1) and _is_prime(int(base.LC.numerator))
    _, factors = factors_of(base)
    return len(factors) == 1 and factors[0][1] == 1


def _is_prime(number: int) -> bool:
    from sympy import isprime

    return bool(isprime(number))
