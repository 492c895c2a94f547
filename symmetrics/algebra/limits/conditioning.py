"""Whether a formula in lowest terms can lose digits to cancellation in floating point."""

from __future__ import annotations

from typing import Any, Final

from symmetrics.algebra.field import Element, Field, Numerator

__all__ = ["is_well_conditioned"]

LARGEST_RATIO: Final = 16
"""How much larger than the denominator the terms of a numerator may be before cancellation is looked for."""
MAX_TERMS: Final = 4_000


def is_well_conditioned(element: Element, field: Field) -> bool:
    """Whether every term of the numerator is at most a small multiple of the denominator, for all tables.

    Then rounding errors of the terms stay small in the quotient, however much the terms cancel.  Shown by squaring:
    with positive factors only, ``(16 * denominator)**2 - (sum |terms|)**2`` has no negative coefficient.  A numerator
    whose terms agree in sign needs no such bound.
    """
    factors: list[tuple[Any, int]] = [(field.atoms[number], power) for number, power in element.denominator.items()]
    if any(not atom.positive or atom.is_opaque for atom, _ in factors):
        return False
    numbers = {number for monomial in element.numerator for number, _ in monomial}
    if any(field.atoms[n].is_log or field.atoms[n].is_opaque or not field.atoms[n].positive for n in numbers):
        return False
    if _one_sign(element.numerator):
        return True
    denominator = field.context.constant(LARGEST_RATIO)
    for atom, power in factors:
        denominator *= atom.base**power
    if len(denominator) > MAX_TERMS:
        return False
    return all(_bounded(monomial, poly, denominator, field) for monomial, poly in element.numerator.items())


def _one_sign(numerator: Numerator) -> bool:
    signs = {coefficient > 0 for poly in numerator.values() for coefficient in poly.coeffs()}
    return len(signs) == 1


def _bounded(monomial: Any, poly: Any, denominator: Any, field: Field) -> bool:
    """Whether ``|poly| * monomial <= denominator`` coefficient by coefficient, after squaring the roots away."""
    order = 2
    for _, power in monomial:
        while (power * order).denominator != 1:
            order += 2
    above = field.context.from_dict({e: abs(c) for e, c in poly.to_dict().items()}) ** order
    for number, power in monomial:
        above *= field.atoms[number].base ** int(power * order)
    if len(above) > MAX_TERMS or len(denominator) * order > MAX_TERMS:
        return False
    return all(coefficient >= 0 for coefficient in (denominator**order - above).coeffs())
