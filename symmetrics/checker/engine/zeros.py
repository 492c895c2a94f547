"""Polynomials in cells and atoms that are zero at nearly no table, though atoms may depend on each other.

In the ring of a certificate an atom is a letter, and a polynomial that is not zero there can be zero as a function:
with ``r = |a|`` the product of ``r - a`` and ``r + a`` is zero, and with ``r = sqrt(TP**2)`` so is ``r - TP``.  Where
such a polynomial is divided by, equations that are multiplied out say nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from mpmath import iv
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.fractions import Arithmetic, Atom, never_negative
from symmetrics.checker.engine.requirements import require
from symmetrics.language.parameter import Parameter

__all__ = ["is_nearly_nowhere_zero", "read_arithmetic"]

BITS: Final = 192
SHIFTS: Final = 4
"""Tables at which an analytic function is looked at to see that it is not zero everywhere."""


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
    """Whether a polynomial is shown to be zero on no open set of positive variables and parameters in their domains.

    It is analytic there if the bases of its atoms are sums of positive terms: then one value that is not zero is
    enough.  An atom whose base may have both signs is eliminated first, by products such as ``(A + B*r)*(A - B*r)``.
    """
    if not poly:
        return False
    if never_negative(poly, arithmetic) or never_negative(-poly, arithmetic):
        return True
    atoms = list(arithmetic.atoms.values())
    if len(poly) == 1:
        # No root is zero on an open set, and a logarithm only that of one.
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
    """Return the atoms, in order, that are not analytic where all variables are positive, as far as that is shown."""
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
    """Return a polynomial in g with the base to the power of its fold in the place of ``g**power``."""
    total, inside = arithmetic.ring(0), atom.base**atom.fold
    for monomial, coefficient in poly.terms():
        whole, rest = divmod(monomial[atom.place], power)
        term = arithmetic.ring({(*monomial[: atom.place], rest, *monomial[atom.place + 1 :]): coefficient})
        arithmetic.count(len(inside) ** whole)
        total += term * inside**whole
    return total


# -- values ------------------------------------------------------------------------------------------------------------


def _is_nonzero_at(poly: PolyElement, shift: int, arithmetic: Arithmetic) -> bool:
    """Whether intervals show that a polynomial is not zero at one table."""
    saved, iv.prec = iv.prec, BITS
    try:
        point: list[Any] = [iv.mpf(2 * place + 3 + shift) / (place + 2) for place in range(len(arithmetic.names))]
        point[arithmetic.names.index("pi")] = iv.pi
        for name, parameter in arithmetic.parameters.items():
            point[arithmetic.names.index(name)] = _inside(parameter, shift)
        for name, atom in arithmetic.atoms.items():
            size = abs(_value(atom.base, point))
            if not size.a > 0:
                return False
            logarithm = iv.log(size)
            point[atom.place] = logarithm if atom.is_log else iv.exp(logarithm / arithmetic.degrees[name])
        value = _value(poly, point)
        return bool(value.a > 0 or value.b < 0)
    finally:
        iv.prec = saved


def _value(poly: PolyElement, point: Sequence[Any]) -> Any:
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
