"""Where a formula with roots and logarithms is real, and whether that leaves its absolute values free to vary.

``|f|`` and f are independent functions only if f takes both signs where the formula is real.  Tables that show it are
searched for; one in the interior of the domain per combination of signs is enough, because it has a neighbourhood.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any, Final

from symmetrics.algebra.field import Element, Field
from symmetrics.tools.errors import UnsupportedError

Bases = Sequence[int]
"""Numbers of atoms."""

COUNTS: Final = (1, 2, 3, 5, 8, 13, 50, 1000, 10**6)
TRIES: Final = 3000
MAX_SIGNS: Final = 5
"""Absolute values in one claim, beyond which the combinations of their signs are not searched."""


def require_independence(element: Element, field: Field) -> None:
    """Make sure that a numerator that is not formally zero is not zero on the domain either.

    :raises UnsupportedError: if tables that show it were not found
    """
    both_signs = sorted(
        {
            number
            for monomial in element.numerator
            for number, power in monomial
            if power >= 1 and not field.atoms[number].is_log and not field.atoms[number].positive
        }
    )
    conditions = _conditions(field)
    if len(both_signs) > MAX_SIGNS:
        raise UnsupportedError(f"more than {MAX_SIGNS} absolute values")
    if not both_signs and not conditions:
        return
    missing = set(itertools.product((False, True), repeat=len(both_signs)))
    for signs in _interior(conditions, both_signs, field):
        missing.discard(tuple(signs[number] for number in both_signs))
        if not missing:
            return
    raise UnsupportedError("absolute values, or roots that are not real everywhere, may depend on each other here")


def require_interior(field: Field) -> None:
    """Make sure that the formula is real on a set with an interior, so that an identity says something.

    :raises UnsupportedError: if no table was found at which it is real
    """
    if not field.conditions or not field.is_complete:
        return
    try:
        conditions = _conditions(field)
    except UnsupportedError:
        return
    if conditions and next(_interior(conditions, (), field), None) is None:
        raise UnsupportedError("no table was found at which the formula is real")


def _conditions(field: Field) -> list[tuple[int, Bases]]:
    """Return a sign and the bases of odd power of everything that has to be positive."""
    found: list[tuple[int, Bases]] = []
    for element in field.conditions:
        sign, signed, _ = field.factor(element)
        found.append((sign, [n for n, power in signed.items() if power % 2 and not field.atoms[n].positive]))
    if any(_varies_with_others(field.atoms[number].base, field) for _, bases in found for number in bases):
        raise UnsupportedError("where the formula is real depends on its parameters, on pi or on nested roots")
    return found


def _varies_with_others(base: Any, field: Field) -> bool:
    if isinstance(base, dict):
        return True
    others = {*field.parameters, "pi"}
    return any(degree and name in others for name, degree in zip(field.names, base.degrees(), strict=True))


def _interior(conditions: Sequence[tuple[int, Bases]], others: Bases, field: Field) -> Iterator[dict[int, bool]]:
    """Yield the signs of bases at tables where no base is zero and all conditions are positive."""
    numbers = sorted({*others, *(number for _, bases in conditions for number in bases)})
    if any(_varies_with_others(field.atoms[number].base, field) for number in numbers):
        raise UnsupportedError("an absolute value holds parameters, pi or other roots")
    polynomials: dict[int, Any] = {number: field.atoms[number].base for number in numbers}
    terms = {number: poly.to_dict() for number, poly in polynomials.items()}
    random = Random(0)
    for _ in range(TRIES):
        scale = random.choice((1, 1, 2, 7, 100))
        point = [Fraction(random.choice(COUNTS), scale) for _ in field.names]
        values = {number: _value(base, point) for number, base in terms.items()}
        signs = {number: value > 0 for number, value in values.items()}
        if all(values.values()) and all(_is_positive(condition, signs) for condition in conditions):
            yield signs


def _value(terms: dict[tuple[int, ...], Any], point: Sequence[Fraction]) -> Fraction:
    total = Fraction(0)
    for exponents, coefficient in terms.items():
        term = Fraction(int(coefficient))
        for value, exponent in zip(point, exponents, strict=True):
            term *= value ** int(exponent)
        total += term
    return total


def _is_positive(condition: tuple[int, Bases], signs: dict[int, bool]) -> bool:
    sign, bases = condition
    return (sign > 0) == (sum(not signs[number] for number in bases) % 2 == 0)
