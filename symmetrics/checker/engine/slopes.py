"""Derivatives of quotients of polynomials in variables, roots and logarithms."""

from __future__ import annotations

from collections.abc import Mapping

from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.fractions import Arithmetic, Quotient
from symmetrics.checker.engine.requirements import require

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
