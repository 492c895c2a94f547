"""Derivatives of elements along a direction."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from symmetrics.algebra.field import ONE, Element, Field, Monomial, Poly

__all__ = ["derivative"]


def derivative(element: Element, field: Field, direction: Mapping[str, int]) -> Element:
    """Return the derivative of an element along a direction, in lowest terms.

    An absolute value is differentiated where its argument is not zero.

    :param direction: the components of the direction by the names of generators; the others are zero

    >>> from symmetrics.algebra.convert import convert, element_expression, field_for
    >>> from symmetrics.language.cells import FN, TP
    >>> field = field_for()
    >>> element_expression(derivative(convert(TP / (TP + FN), field), field, {"TP": 1}), field)
    FN/(FN + TP)**2
    """
    return _Direction(field, direction).of_element(element)


class _Direction:
    """Derivatives in one direction, each atom's logarithmic derivative computed once."""

    def __init__(self, field: Field, components: Mapping[str, int]) -> None:
        self.field = field
        self.components = {field.names.index(name): value for name, value in components.items()}
        self._logarithmic: dict[int, Element] = {}

    def of_element(self, element: Element) -> Element:
        field = self.field
        over = Element({ONE: field.context.constant(1)}, dict(element.denominator))
        total = field.constant(0)
        for monomial, poly in element.numerator.items():
            total = field.add(total, self._of_term(monomial, poly))
        total = field.multiply(total, over)
        for number, power in element.denominator.items():
            change = field.multiply(field.constant(-power), self._relative_change(number))
            total = field.add(total, field.multiply(change, element))
        return field.reduce(total)

    def _of_term(self, monomial: Monomial, poly: Poly) -> Element:
        field = self.field
        factor = Element({monomial: field.context.constant(1)})
        total = field.multiply(field.from_poly(self.of_poly(poly)), factor)
        term = Element({monomial: poly})
        for number, power in monomial:
            if field.atoms[number].is_log:
                total = field.add(total, self._of_log_power(monomial, poly, number))
            else:
                change = field.multiply(self._rational(power), self._relative_change(number))
                total = field.add(total, field.multiply(change, term))
        return total

    def _of_log_power(self, monomial: Monomial, poly: Poly, number: int) -> Element:
        """Return ``poly * power * log**(power - 1) * base'/base`` times the rest of the monomial."""
        field = self.field
        power = dict(monomial)[number]
        lowered = tuple((n, p - 1 if n == number else p) for n, p in monomial if n != number or p != 1)
        term = Element({lowered: poly * int(power)})
        return field.multiply(term, self._relative_change_of_base(number))

    def of_poly(self, poly: Poly) -> Poly:
        total = self.field.context.constant(0)
        for place, component in self.components.items():
            total += component * poly.derivative(place)
        return total

    def _relative_change(self, number: int) -> Element:
        """Return a'/a for an atom, or f'/f for the polynomial f that stands in a denominator."""
        if self.field.atoms[number].is_log:
            log = Element({ONE: self.field.context.constant(1)}, {number: 1})
            return self.field.multiply(self._relative_change_of_base(number), log)
        return self._relative_change_of_base(number)

    def _relative_change_of_base(self, number: int) -> Element:
        if number not in self._logarithmic:
            field, base = self.field, self.field.atoms[number].base
            if isinstance(base, dict):
                element = Element(dict(base))
                self._logarithmic[number] = field.multiply(self.of_element(element), field.invert(element))
            else:
                over = Element({ONE: field.context.constant(1)}, {field.poly_atom(base): 1})
                self._logarithmic[number] = field.multiply(field.from_poly(self.of_poly(base)), over)
        return self._logarithmic[number]

    def _rational(self, value: Fraction) -> Element:
        field = self.field
        return field.multiply(field.constant(value.numerator), field.invert(field.constant(value.denominator)))
