"""The coefficients of a numerator in the cells and atoms, and that these are independent of each other."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, Final

from mpmath import iv
from sympy import Abs, Add, Expr, Mul, Rational, S, Symbol, isprime, log
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.ends import divides_nearly_everywhere
from symmetrics.checker.engine.fractions import Arithmetic, Atom, Quotient, factors_of, never_negative
from symmetrics.checker.engine.requirements import require
from symmetrics.checker.engine.values import is_certainly_nonzero
from symmetrics.claims import Comparison
from symmetrics.language.parameter import Parameter

# -- Polynomials in cells and atoms that are zero at nearly no table, though atoms may depend on each other ------------

# In the ring of a certificate an atom is a letter, and a polynomial that is not zero there can be zero as a function:
# with ``r = |a|`` the product of ``r - a`` and ``r + a`` is zero, and with ``r = sqrt(TP**2)`` so is ``r - TP``.
# Where such a polynomial is divided by, equations that are multiplied out say nothing.


BITS: Final = 192
SHIFTS: Final = 4
"""Sample tables at which an analytic function is evaluated to see that it is not identically zero."""


def read_arithmetic(variables: Sequence[str], parameters: Sequence[Parameter], data: Mapping[str, Any]) -> Arithmetic:
    """Return the arithmetic that a certificate describes, whose roots and logarithms have values at nearly all tables.

    :param data: what holds the atoms and the values
    :raises CertificateError: if they cannot be read, or if that is not shown
    """
    arithmetic = Arithmetic(variables, parameters, data["atoms"], data["values"])
    for atom in arithmetic.atoms.values():
        require(is_nearly_nowhere_zero(atom.base, arithmetic), "the base of an atom may be zero on an open set")
    for value in arithmetic.values:
        require(is_nearly_nowhere_zero(value.bottom, arithmetic), "the denominator of a value may be zero")
    return arithmetic


def is_nearly_nowhere_zero(poly: PolyElement, arithmetic: Arithmetic) -> bool:
    """Whether a polynomial is shown to vanish on no open set of positive variables and parameters in their domains.

    It is analytic there if the bases of its atoms are sums of positive terms: then one value that is not zero is
    enough.  An atom whose base may have both signs is eliminated first, by products such as ``(A + B*r)*(A - B*r)``.
    """
    if not poly:
        return False
    if never_negative(poly, arithmetic) or never_negative(-poly, arithmetic):
        return True
    atoms = list(arithmetic.atoms.values())
    if len(poly) == 1:
        # A root vanishes on an open set only if its radicand does; a logarithm only if its argument is constantly 1.
        ((monomial, _),) = poly.terms()
        logs = [atom for atom in atoms if atom.is_log and monomial[atom.place]]
        return all(is_nearly_nowhere_zero(arithmetic.carry(log.base**2) - 1, arithmetic) for log in logs)
    kinked = _with_kinks(atoms, arithmetic)
    for atom in reversed(kinked):
        eliminated = _eliminated(poly, atom, arithmetic)
        if eliminated is None:
            return False
        poly = eliminated
    if not any(_occurs(atom, poly) for atom in atoms):
        return bool(poly)
    return any(_is_nonzero_at(poly, shift, arithmetic) for shift in range(SHIFTS))


def _occurs(atom: Atom, poly: PolyElement) -> bool:
    return any(monomial[atom.place] for monomial in poly)


def _with_kinks(atoms: Iterable[Atom], arithmetic: Arithmetic) -> list[Atom]:
    """Return the atoms, in order, that are not shown to be analytic wherever all variables are positive."""
    found: list[Atom] = []
    for atom in atoms:
        if not never_negative(atom.base, arithmetic) or any(_occurs(inner, atom.base) for inner in found):
            found.append(atom)
    return found


def _eliminated(poly: PolyElement, atom: Atom, arithmetic: Arithmetic) -> PolyElement | None:
    """Return a multiple of a polynomial without an atom, None if it is not found."""
    place, power = atom.place, atom.power
    poly = arithmetic.carry(poly)
    if not _occurs(atom, poly):
        return poly
    if atom.is_log:
        return None
    # While the relation is g**power = base**fold, the product of p(g) and p(-g) is a polynomial in g**2.
    while power % 2 == 0:
        even, odd = arithmetic.ring(0), arithmetic.ring(0)
        for monomial, coefficient in poly.terms():
            half, is_odd = divmod(monomial[place], 2)
            (odd if is_odd else even)[(*monomial[:place], half, *monomial[place + 1 :])] = coefficient
        if odd:
            arithmetic.count(len(even) ** 2 + len(odd) ** 2)
            even = even**2 - arithmetic.ring.gens[place] * odd**2
        poly, power = even, power // 2
        poly = _reduced(poly, atom, power, arithmetic)
    return None if _occurs(atom, poly) else arithmetic.carry(poly)


def _reduced(poly: PolyElement, atom: Atom, power: int, arithmetic: Arithmetic) -> PolyElement:
    """Reduce a polynomial in g modulo ``g**power = base**fold``."""
    total, inside = arithmetic.ring(0), atom.base**atom.fold
    for monomial, coefficient in poly.terms():
        whole, rest = divmod(monomial[atom.place], power)
        term = arithmetic.ring({(*monomial[: atom.place], rest, *monomial[atom.place + 1 :]): coefficient})
        arithmetic.count(len(inside) ** whole)
        total += term * inside**whole
    return total


# -- values ------------------------------------------------------------------------------------------------------------


def _is_nonzero_at(poly: PolyElement, shift: int, arithmetic: Arithmetic) -> bool:
    """Whether interval arithmetic shows that a polynomial is not zero at some table."""
    saved, iv.prec = iv.prec, BITS
    try:
        point: list[Any] = [iv.mpf(2 * place + 3 + shift) / (place + 2) for place in range(len(arithmetic.names))]
        point[arithmetic.names.index("pi")] = iv.pi
        for name, parameter in arithmetic.parameters.items():
            point[arithmetic.names.index(name)] = _inside(parameter, shift)
        for name, atom in arithmetic.atoms.items():
            size = abs(_enclosed_value(atom.base, point))
            if not size.a > 0:
                return False
            logarithm = iv.log(size)
            point[atom.place] = logarithm if atom.is_log else iv.exp(logarithm / arithmetic.degrees[name])
        value = _enclosed_value(poly, point)
        return bool(value.a > 0 or value.b < 0)
    finally:
        iv.prec = saved


def _enclosed_value(poly: PolyElement, point: Sequence[Any]) -> Any:
    total = iv.mpf(0)
    for monomial, coefficient in poly.terms():
        term = iv.mpf(int(coefficient.numerator)) / int(coefficient.denominator)
        for place, power in enumerate(monomial):
            if power:
                term = term * point[place] ** power
        total = total + term
    return total


def _inside(parameter: Parameter, shift: int) -> Any:
    """Return a number inside a parameter's domain."""
    lower, upper = (iv.mpf(int(b.p)) / int(b.q) if b.is_finite else None for b in (parameter.lower, parameter.upper))
    part = iv.mpf(shift + 3) / (shift + 8)
    if lower is not None and upper is not None:
        return lower + part * (upper - lower)
    return part if lower is None and upper is None else lower + part if lower is not None else upper - part


# ----------------------------------------------------------------------------------------------------------------------


COUNTS: Final = (1, 2, 3, 4, 6, 10, 30, 500, 10**5)
TRIES: Final = 2000
MAX_SIGNS: Final = 5


def difference_in(claim: Comparison, data: Mapping[str, Any]) -> tuple[Arithmetic, Quotient]:
    """Return the arithmetic that a certificate describes, and in it the difference of the claim's two sides."""
    arithmetic = read_arithmetic(claim.names, claim.parameters, data)
    difference = arithmetic.evaluate(claim.difference)
    require(bool(difference.bottom), "the difference has a denominator that is zero")
    return arithmetic, difference


def coefficients_of(arithmetic: Arithmetic, numerator: PolyElement) -> list[PolyElement]:
    """Return the coefficients of a numerator in cells and atoms, after checking that these are independent.

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
    """Return the number that a product of powers of pi and of constant atoms denotes."""
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
    """Check that absolute values in a numerator take all sign patterns where the formula is real, and that it is real.

    Tables with an open neighbourhood are found by trying: no base is zero there and every radicand is positive.
    """
    mixed = [
        atom
        for name, atom in arithmetic.atoms.items()
        if atom.fold == 2 and not atom.is_log and any(m[atom.place] >= arithmetic.degrees[name] for m in numerator)
    ]
    # The formula is real where these are positive; one that is positive everywhere is no condition.
    signs = dict.fromkeys(arithmetic.varying_sign(value) for value in arithmetic.conditions)
    conditions = [sign for sign in signs if sign != 1]
    require(len(mixed) <= MAX_SIGNS, "too many absolute values")
    # Points are tried for cells alone, whatever the parameters are.
    variables = [arithmetic.names.index(variable.name) for variable in claim.variables]
    polys = [*(atom.base for atom in mixed), *conditions]
    cells_only = not any(any(_without(monomial, set(variables))) for poly in polys for monomial in poly)
    require(cells_only, "a sign, or where the formula is real, depends on more than cells")
    for side in claim.sides if mixed else ():
        is_wide = divides_nearly_everywhere(side, claim.parameters, claim.variables)
        require(is_wide, "a divisor may be zero wherever an absolute value is taken of numbers of one sign")
    # Every pattern of signs has to occur at a point where the formula is real, and so on a neighbourhood of it.
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
        return bool(base.LC.denominator == 1 and isprime(int(base.LC.numerator)))
    _, factors = factors_of(base)
    return len(factors) == 1 and factors[0][1] == 1
