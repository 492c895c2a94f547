"""Derivatives of elements along a direction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Final

from flint import arb, fmpq
from sympy import Abs, Add, Expr, Max, Min, Mul, Pow, Rational, S, Symbol, log

from symmetrics.algebra.evaluate import MAX_POWER, Unclear, Undefined, Value
from symmetrics.algebra.field import ONE, Element, Field, Monomial, Poly
from symmetrics.tools.errors import UnsupportedError


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


# -- Values of formulas together with their derivatives by the cells, at single tables ---------------------------------

# Values are exact rationals while possible and certified intervals beyond. Where an absolute value or an extreme has
# a kink there is no derivative, and none is returned.


ZERO: Final = fmpq(0)


@dataclass(frozen=True)
class Jet:
    """A value and its partial derivatives."""

    value: Value
    partials: tuple[Value, ...]

    def moved(self, value: Value, slope: Value) -> Jet:
        """Return a function of this: its value, and its derivatives, which are those of this one times a slope."""
        return Jet(value, tuple(ZERO if _is_zero(partial) else slope * partial for partial in self.partials))


def jet_at(formula: Expr, variables: Sequence[Symbol], point: Sequence[int | fmpq]) -> Jet:
    """Return the value of a formula and its derivatives by the variables at a point.

    >>> from symmetrics.language.cells import TP, FN
    >>> jet = jet_at(TP / (TP + FN), (TP, FN), (3, 1))
    >>> jet.value, jet.partials
    (3/4, (1/16, -3/16))

    :raises Undefined: where the formula has no value or no derivative, or no interval shows that it has
    :raises UnsupportedError: if the formula leaves the class that is evaluated
    """
    count = len(variables)
    known = {
        symbol: Jet(fmpq(value), tuple(fmpq(int(place == row)) for place in range(count)))
        for row, (symbol, value) in enumerate(zip(variables, point, strict=True))
    }
    return _jet(formula, known, (ZERO,) * count)


def _jet(node: Expr, known: dict[Expr, Jet], zeros: tuple[Value, ...]) -> Jet:
    if node not in known:
        known[node] = _computed(node, known, zeros)
    return known[node]


def _computed(node: Expr, known: dict[Expr, Jet], zeros: tuple[Value, ...]) -> Jet:
    if isinstance(node, Rational):
        return Jet(fmpq(int(node.p), int(node.q)), zeros)
    if node is S.Pi:
        return Jet(arb.pi(), zeros)
    parts = [_jet(argument, known, zeros) for argument in node.args]
    match node:
        case Add():
            return reduce(_sum, parts)
        case Mul():
            return reduce(_product, parts)
        case Pow() if isinstance(node.exp, Rational):
            return _power(parts[0], int(node.exp.p), int(node.exp.q))
        case Max() | Min():
            larger = isinstance(node, Max)
            return reduce(lambda left, right: _extreme(left, right, larger=larger), parts)
        case Abs():
            sign = _sign(parts[0].value)
            return parts[0].moved(sign * parts[0].value, sign)
        case log():
            _require_positive(parts[0].value)
            return parts[0].moved(_logarithm(parts[0].value), 1 / parts[0].value)
    raise UnsupportedError(f"{node} is not differentiated here")


def _is_zero(value: Value) -> bool:
    return isinstance(value, fmpq) and value == 0


def _sum(left: Jet, right: Jet) -> Jet:
    return Jet(left.value + right.value, tuple(a + b for a, b in zip(left.partials, right.partials, strict=True)))


def _product(left: Jet, right: Jet) -> Jet:
    return _sum(left.moved(left.value * right.value, right.value), right.moved(ZERO, left.value))


def _extreme(left: Jet, right: Jet, *, larger: bool) -> Jet:
    return left if (_sign(left.value - right.value) > 0) == larger else right


def _power(base: Jet, top: int, bottom: int) -> Jet:
    if max(abs(top), bottom) > MAX_POWER:
        raise UnsupportedError(f"an exponent beyond {MAX_POWER}")
    value = base.value
    if bottom == 1 and top > 0:
        below = value ** (top - 1)
        return base.moved(below * value, top * below)
    if bottom == 1:
        _sign(value)
    else:
        _require_positive(value)
    power = _root(value**top, bottom)
    return base.moved(power, power * fmpq(top, bottom) / value)


def _root(value: Value, degree: int) -> Value:
    if degree == 1:
        return value
    if isinstance(value, fmpq):
        top, bottom = value.p.root(degree), value.q.root(degree)
        if top**degree == value.p and bottom**degree == value.q:
            return fmpq(top, bottom)
    return arb(value).root(degree)


def _logarithm(value: Value) -> Value:
    return ZERO if isinstance(value, fmpq) and value == 1 else arb(value).log()


def _require_positive(value: Value) -> None:
    if _sign(value) < 0:
        raise Undefined("a root or logarithm of a negative number")


def _sign(value: Value) -> int:
    """Return the sign of a value that is certain not to be zero."""
    if value > 0 or value < 0:
        return 1 if value > 0 else -1
    raise (Undefined if isinstance(value, fmpq) else Unclear)("a pole, a kink, or the end of the domain")
