"""Signs that an element has for all positive cells and all parameters, as far as its coefficients show them."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any, Final

from symmetrics.algebra.convert import element_expression
from symmetrics.algebra.evaluate import Evaluator, Undefined
from symmetrics.algebra.evaluate import certain_sign as sign_of_value
from symmetrics.algebra.field import Atom, Element, Field, Numerator

MAX_MULTIPLE: Final = 8
"""Largest multiple of a logarithm that becomes a power of what it is taken of."""


def certain_sign(element: Element, field: Field) -> int | None:
    """Return the sign that an element has for all positive cells and all parameters; None if it is not certain."""
    sign, signed, absolute = field.factor(element)
    for number in {*signed, *absolute}:
        of_base = _atom_sign(field.atoms[number], field)
        if of_base is None:
            return None
        if signed.get(number, 0) % 2:
            sign *= of_base
    return sign


def _atom_sign(atom: Atom, field: Field) -> int | None:
    if isinstance(atom.base, dict):
        return None if atom.is_log else _sum_sign(atom.base, field)
    if atom.is_log:
        return _poly_sign(atom.base - 1, field) if _poly_sign(atom.base, field) == 1 else None
    return _poly_sign(atom.base, field)


def _sum_sign(numerator: Any, field: Field) -> int | None:
    """Return the sign of a sum with roots and logarithms: that of all its terms, or that on both sides of an |f|."""
    if (product := _term_signs(numerator, field)) is not None:
        return product
    folded = {
        number
        for monomial in numerator
        for number, power in monomial
        if power == 1 and not field.atoms[number].is_log and not field.atoms[number].is_opaque
    }
    if len(folded) != 1:
        constant = _constant_sign(Element(dict(numerator)), field)
        return _logarithms_sign(numerator, field) if constant is None else constant
    (number,) = folded
    sides = [_term_signs(_opened(numerator, number, sign, field), field) for sign in (1, -1)]
    return sides[0] if sides[0] == sides[1] else None


def _logarithms_sign(numerator: Any, field: Field) -> int | None:
    """Return the sign of ``sum m*(c*log(f) + ...)`` over monomials m: that of each ``f**c*... - 1``, if they agree."""
    rows: dict[tuple[int, ...], dict[int, int]] = {}
    for monomial, poly in numerator.items():
        number, power = monomial[0] if len(monomial) == 1 else (0, 0)
        if power != 1 or not field.atoms[number].is_log or isinstance(field.atoms[number].base, dict):
            return None
        if field.parameters or _poly_sign(field.atoms[number].base, field) != 1:
            return None
        for exponents, coefficient in poly.to_dict().items():
            rows.setdefault(exponents, {})[number] = int(coefficient)
    signs = set()
    for row in rows.values():
        if max(map(abs, row.values())) > MAX_MULTIPLE:
            return None
        above, below = field.context.constant(1), field.context.constant(1)
        for number, multiple in row.items():
            base: Any = field.atoms[number].base
            raised = base ** abs(multiple)
            above, below = (above * raised, below) if multiple > 0 else (above, below * raised)
        signs.add(_poly_sign(above - below, field))
    return signs.pop() if signs in ({1}, {-1}) else None


def _opened(numerator: Any, number: int, sign: int, field: Field) -> Any:
    """Return a sum with ``|f|`` replaced by f or by -f."""
    total = Element({})
    for monomial, poly in numerator.items():
        rest = tuple(part for part in monomial if part != (number, Fraction(1)))
        factor = poly if rest == monomial else poly * field.atoms[number].base * sign
        total = field.add(total, Element({rest: factor}))
    return total.numerator


def _term_signs(numerator: Any, field: Field) -> int | None:
    """Return the sign that all terms have, if they agree."""
    signs = set()
    for monomial, poly in numerator.items():
        product = _poly_sign(poly, field) or 0
        for number, power in monomial:
            product *= _part_sign(field.atoms[number], power, field) or 0
        signs.add(product)
    return int(signs.pop()) if signs in ({1}, {-1}) else None


def _part_sign(atom: Atom, power: Fraction, field: Field) -> int | None:
    sign = _atom_sign(atom, field)
    if atom.is_log:
        return sign if sign is None or power % 2 else 1
    return None if sign is None else 1


def _poly_sign(poly: Any, field: Field) -> int | None:
    for sign, signed in ((1, poly), (-1, -poly)):
        if field.is_positive(signed) and _stays_at_corners(signed, field):
            return sign
    return _constant_sign(field.from_poly(poly), field) if poly else None


def _stays_at_corners(poly: Any, field: Field) -> bool:
    """Whether no end of the domain of a parameter makes a polynomial vanish whose coefficients have one sign."""
    if not field.parameters:
        return True
    moved = field.on_half_lines(poly)
    degrees = dict(zip(field.names, poly.degrees(), strict=True))
    ends: dict[int, list[int]] = {}
    for name, parameter in field.parameters.items():
        bounded = parameter.lower.is_finite and parameter.upper.is_finite
        start_is_open = parameter.lower_open if parameter.lower.is_finite else parameter.upper_open
        at_ends = [] if start_is_open else [0]
        at_ends += [int(degrees[name])] if bounded and not parameter.upper_open else []
        if at_ends:
            ends[field.names.index(name)] = list(dict.fromkeys(at_ends))
    present = {tuple(int(exponents[place]) for place in ends) for exponents in moved.to_dict()}
    return all(corner in present for corner in itertools.product(*ends.values()))


def _constant_sign(element: Element, field: Field) -> int | None:
    """Return the sign of a number, by intervals."""
    expression = element_expression(element, field)
    if expression.free_symbols:
        return None
    try:
        return sign_of_value(Evaluator(expression, ())) or None
    except Undefined:
        return None


# -- Whether a formula in lowest terms can lose digits to cancellation in floating point -------------------------------


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
