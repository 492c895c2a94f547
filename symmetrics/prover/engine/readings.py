"""Reduce inequalities to the sign of a numerator over a positive denominator ("reading" an inequality)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sympy import Expr

from symmetrics.algebra.convert import Conversion, Difference, field_for
from symmetrics.algebra.derivative import Piece, derivative, smooth_pieces
from symmetrics.algebra.field import Element, Field, Numerator, Poly
from symmetrics.claims import Comparison, value_symbol
from symmetrics.prover.engine.extended import Extended, extended_ring
from symmetrics.prover.engine.parts import require_interior
from symmetrics.prover.engine.signs import prove_sign
from symmetrics.tools.errors import UnsupportedError

Denominator = tuple[tuple[Any, ...], ...]
"""Denominators: texts of bases with their powers, and a proof of positivity where the coefficients do not show it."""


@dataclass(frozen=True)
class Reading:
    """Numerator whose positivity proves the claim on one smooth piece of the formula.

    :param rule: ``difference`` for the relation itself, ``derivative`` for that of M along the step
    :param difference: the element, and how roots and logarithms were read
    :param ring: where the numerator lives
    :param numerator: the polynomial that has to be positive
    :param denominator: texts of bases with their powers; a base that changes its sign has an even power
    :param given: polynomials that are not negative on the piece
    :param subject: for a derivative, numerator, denominator and chains of logarithms of the piece itself, which has to
        be continuous
    """

    rule: str
    difference: Difference
    ring: Extended
    numerator: Poly
    denominator: Denominator
    given: tuple[Poly, ...] = ()
    subject: tuple[str | list[str], Denominator, dict[str, str]] | None = None

    def record(self) -> dict[str, Any]:
        """Return the data that the checker needs to repeat the reduction."""
        data = self.difference.record() | {
            "numerator": self.ring.text(self.numerator),
            "denominator": [list(part) for part in self.denominator],
        }
        if chains := self.ring.chains():
            data["chains"] = chains
        if self.given:
            data["given"] = [self.ring.text(poly) for poly in self.given]
        if self.subject is not None:
            numerator, denominator, chains = self.subject
            data["subject"] = [numerator, [list(part) for part in denominator], chains]
        return data


def readings(claim: Comparison, reasons: list[str]) -> Iterator[tuple[str, Iterator[Reading]]]:
    """Yield reductions of an inequality, the cheapest first: a rule, and a numerator for each smooth piece.

    :param reasons: obstacles are appended here
    """
    for rule, expression, read in (
        ("derivative", claim.subject, _derivative_reading),
        ("difference", claim.difference, _difference_reading),
    ):
        pieces = smooth_pieces(expression, claim.arguments)
        if not pieces:
            reasons.append("the formula falls into too many pieces")
        elif rule == "difference" or step_direction(claim) is not None:
            yield rule, (read(claim, piece) for piece in pieces)


def _difference_reading(claim: Comparison, piece: Piece) -> Reading:
    field = field_for(claim.parameters, over=claim.names)
    conversion = Conversion(field)
    difference = Difference(field.reduce(conversion(piece.formula)), field, conversion)
    given = _given(piece, conversion)
    require_interior(field)
    element = difference.element
    ring = extended_ring([element.numerator, *_bases(element, field).values()], field)
    numerator, denominator = _positive_denominator(element, field, ring)
    return Reading("difference", difference, ring, numerator, denominator, tuple(ring.poly(g) for g in given))


def _derivative_reading(claim: Comparison, piece: Piece) -> Reading:
    """Reduce a claim on a step: M increases along it if M is continuous and its derivative is positive on every piece.

    :raises UnsupportedError: if the piece is not known to be smooth everywhere
    """
    field = field_for(claim.parameters, (), claim.over)
    conversion = Conversion(field)
    subject = field.reduce(conversion(piece.formula))
    given = _given(piece, conversion)
    ring = extended_ring([subject.numerator, *_bases(subject, field).values()], field)
    # Continuity on the closed piece: no root or logarithm of something that may vanish,
    if field.conditions or not all(root.positive for root in ring.roots.values()):
        raise UnsupportedError("a root or a logarithm of something that may be zero or negative")
    # no divisor with a change of sign,
    for divisor in piece.divisors:
        if not _is_one_sign(field.reduce(conversion(divisor)), field):
            raise UnsupportedError("the formula may jump where a divisor is zero")
    # and a denominator that is positive as it stands.
    above, below = _positive_denominator(subject, field, ring)
    if any(part[1] != subject.denominator[number] for number, part in zip(subject.denominator, below, strict=True)):
        raise UnsupportedError("the formula may have a pole between two tables")
    continuous = ring.text(above), below, ring.chains()
    # Monotonicity: the derivative along the step, as a numerator over a positive denominator.
    slope = derivative(subject, field, step_direction(claim) or {})
    ring = extended_ring([slope.numerator, *_bases(slope, field).values()], field)
    numerator, denominator = _positive_denominator(slope, field, ring)
    polys = tuple(ring.poly(g) for g in given)
    difference = Difference(slope, field, conversion)
    return Reading("derivative", difference, ring, numerator, denominator, polys, continuous)


def _is_one_sign(element: Element, field: Field) -> bool:
    polys = [sign * poly for sign in (1, -1) for poly in element.numerator.values()]
    half = len(polys) // 2
    return any(part and all(map(field.is_positive, part)) for part in (polys[:half], polys[half:]))


def _given(piece: Piece, conversion: Conversion) -> list[Numerator]:
    """Return those conditions of a piece that are polynomials over a positive denominator, as polynomials."""
    found = []
    for condition in piece.conditions:
        element = conversion.field.reduce(conversion(condition))
        positive = all(conversion.field.atoms[number].positive for number in element.denominator)
        if positive and element.numerator.keys() == {()}:
            found.append(element.numerator)
    return found


def step_direction(claim: Comparison) -> dict[str, int] | None:
    """Return the direction in which a claim ``M(x + t*v) - M(x) > 0`` moves the cells, or None for other claims."""
    if claim.partner is not None or len(claim.tables) != 2 or len(claim.auxiliary) != 1:
        return None
    if claim.relation != value_symbol(1) - value_symbol(0):
        return None
    (step,) = claim.auxiliary
    moves: list[Expr] = [(after - before) / step for before, after in zip(*claim.tables, strict=True)]
    if not all(move.is_Integer for move in moves):
        return None
    return {name: int(move) for name, move in zip(claim.over, moves, strict=True) if move}


def _bases(element: Element, field: Field) -> dict[int, Numerator]:
    return {number: _base(number, field) for number in element.denominator}


def _positive_denominator(element: Element, field: Field, ring: Extended) -> tuple[Poly, Denominator]:
    """Return an element's numerator, multiplied by factors that make the denominator nowhere negative."""
    numerator = ring.poly(element.numerator)
    denominator: list[tuple[Any, ...]] = []
    for number, base_numerator in _bases(element, field).items():
        base, power = ring.poly(base_numerator), int(element.denominator[number])
        sign, proof = _sign_of_base(base, ring, field.is_positive_base(field.atoms[number].base))
        if sign < 0:
            numerator, base = numerator if power % 2 == 0 else -numerator, -base
        if sign == 0 and power % 2:
            numerator *= base
            power += 1
        denominator.append((ring.text(base), power, *proof))
    return numerator, tuple(denominator)


def _sign_of_base(base: Poly, ring: Extended, is_positive: bool) -> tuple[int, list[Any]]:
    """Return the sign of a base, 0 if unknown; with a proof unless the coefficients show it."""
    exponents, coefficients = base.degrees(), base.coeffs()
    if is_positive:
        return 1, []
    if not any(exponents[place] for place in ring.unsigned):
        if all(c > 0 for c in coefficients):
            return 1, []
        if all(c < 0 for c in coefficients):
            return -1, []
    if any(exponents[place] for place in ring.logs):
        for sign in (1, -1):
            proof = prove_sign(sign * base, ring)
            if proof is not None and proof.strict:
                return sign, [proof.tree]
    return 0, []


def _base(number: int, field: Field) -> Numerator:
    """Return the base of an atom in a denominator: a logarithm itself, or the radicand of a root."""
    atom = field.atoms[number]
    if atom.is_log:
        return {((number, Fraction(1)),): field.context.constant(1)}
    return dict(atom.base) if isinstance(atom.base, dict) else {(): atom.base}
