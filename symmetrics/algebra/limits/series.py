"""Generalised power series of formulas in a step s tending to zero from above.

A series is a sum of terms ``c * s**e * L**j`` with ``L = log(1/s)``, which tends to infinity, more slowly than every
negative power of s.  The orders (e, -j), compared lexicographically, add up in products; the least is the leading one.
The coefficients are elements of the exact algebra in the cells and the parameters.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from sympy import Abs, Add, Expr, Max, Min, Mul, Pow, Rational, Symbol, log

from symmetrics.algebra.convert import Conversion, element_expression
from symmetrics.algebra.evaluate import sign_of_element as certain_sign
from symmetrics.algebra.field import Element, Field
from symmetrics.tools.errors import UnsupportedError

Order = tuple[Fraction, Fraction]
"""Order of a term ``s**a * L**b``: the pair (a, -b); the smaller the order, the larger the term."""
CONSTANT: Final[Order] = (Fraction(0), Fraction(0))
"""The order of constants."""


@dataclass(frozen=True)
class Series:
    """A truncated series: known terms, and the order from which on terms are unknown.

    :param terms: the coefficients by order; none is formally zero
    :param unknown: the order from which on nothing is known, or None if the sum is exact
    """

    terms: dict[Order, Element]
    unknown: Order | None = None

    @property
    def lead(self) -> Order | None:
        """The order of the leading term; None if no term is known."""
        return min(self.terms, default=None)

    @property
    def is_monomial(self) -> bool:
        """Whether this is exactly one term."""
        return self.unknown is None and len(self.terms) == 1


class SeriesReader:
    """Expands expressions.

    :param field: the algebra of the coefficients
    :param step: the symbol that tends to zero
    :param length: the number of powers that are kept of a series that does not end
    :param place: substitution for symbols
    """

    def __init__(self, field: Field, step: Symbol, length: int, place: Mapping[Any, Expr] | None = None) -> None:
        self.field = field
        self.step = step
        self.length = length
        self.convert = Conversion(field)
        self.radicands: list[Element] = []
        """Leading coefficients under roots and logarithms that have to be >= 0 for the formula to be real nearby."""
        self._memo: dict[Expr, Series] = {}
        for symbol, value in (place or {}).items():
            self._memo[symbol] = SeriesReader(field, step, length)(value)

    def __call__(self, node: Expr) -> Series:
        """Return the series of an expression.

        :raises UnsupportedError: if the sign of a leading coefficient decides, and it is not known
        """
        if node not in self._memo:
            self._memo[node] = self._read(node)
        return self._memo[node]

    def _read(self, node: Expr) -> Series:
        if node == self.step:
            return Series({(Fraction(1), Fraction(0)): self.field.constant(1)})
        if node.is_Symbol or not node.args:
            return self._constant(self.convert(node))
        if isinstance(node, Add):
            return self._fold(self.add, node)
        if isinstance(node, Mul):
            return self._fold(self.multiply, node)
        if isinstance(node, Pow) and isinstance(node.exp, Rational):
            return self.power(self(node.base), Fraction(int(node.exp.p), int(node.exp.q)))
        if isinstance(node, Abs):
            return self.absolute(self(node.args[0]))
        if isinstance(node, (Max, Min)):
            return self._fold(self.largest if isinstance(node, Max) else self.smallest, node)
        if isinstance(node, log):
            return self.logarithm(self(node.args[0]))
        raise UnsupportedError(f"{type(node).__name__} is outside the exact algebra")

    def _refuse_negative(self, element: Element) -> None:
        """Refuse the argument of a root or a logarithm if it is negative, or is a number that may be negative."""
        sign = certain_sign(element, self.field)
        if sign == -1 or (sign is None and not element_expression(element, self.field).free_symbols):
            raise UnsupportedError("a root or a logarithm of something negative near the end of the curve")
        if sign is None:
            self.radicands.append(element)

    def _fold(self, operation: Any, node: Expr) -> Series:
        first, *rest = node.args
        result = self(first)
        for argument in rest:
            result = operation(result, self(argument))
        return result

    # -- ring operations -----------------------------------------------------------------------------------------

    def _constant(self, element: Element) -> Series:
        return Series({} if element.is_zero else {CONSTANT: element})

    def _integer(self, value: int | Fraction) -> Element:
        return self.convert(Rational(Fraction(value).numerator, Fraction(value).denominator))

    def add(self, left: Series, right: Series) -> Series:
        """Return left + right."""
        unknown = _least(left.unknown, right.unknown)
        total = dict(left.terms)
        for order, element in right.terms.items():
            total[order] = self.field.reduce(self.field.add(total[order], element)) if order in total else element
        return _trimmed(total, unknown)

    def scale(self, series: Series, factor: Element, order: Order = CONSTANT) -> Series:
        """Return a series times one term."""
        terms = {_plus(o, order): self.field.multiply(c, factor) for o, c in series.terms.items()}
        return Series(terms, None if series.unknown is None else _plus(series.unknown, order))

    def multiply(self, left: Series, right: Series) -> Series:
        """Return left * right."""
        unknown = _least(self._spread(left.unknown, right), self._spread(right.unknown, left))
        total: dict[Order, Element] = {}
        for (first, a), (second, b) in itertools.product(left.terms.items(), right.terms.items()):
            order = _plus(first, second)
            if unknown is None or order < unknown:
                product = self.field.multiply(a, b)
                total[order] = self.field.add(total[order], product) if order in total else product
        return _trimmed({o: self.field.reduce(c) for o, c in total.items()}, unknown)

    @staticmethod
    def _spread(unknown: Order | None, other: Series) -> Order | None:
        least = _least(other.lead, other.unknown)
        return None if unknown is None or least is None else _plus(unknown, least)

    def _split(self, series: Series) -> tuple[Order, Element, Series]:
        """Write a series as ``lead * (1 + d)``; return order and coefficient of the leading term, and d."""
        # lead * (1 + d) with d of positive order: functions of the series are power series in d.
        order = series.lead
        if order is None:
            raise UnsupportedError("a part of the formula vanishes, as far as its series was computed")
        element = series.terms[order]
        rest = Series({o: c for o, c in series.terms.items() if o != order}, series.unknown)
        return order, element, self.scale(rest, self.field.invert(element), _times(order, Fraction(-1)))

    def _analytic(self, rest: Series, coefficients: list[Fraction]) -> Series:
        """Return ``sum coefficients[k] * rest**k``, an infinite sum of which these are the first."""
        total, power = self._constant(self._integer(coefficients[0])), self._constant(self._integer(1))
        for coefficient in coefficients[1:]:
            power = self.multiply(power, rest)
            total = self.add(total, self.scale(power, self._integer(coefficient)))
        least = _least(rest.lead, rest.unknown)
        if least is None:
            return total
        return _trimmed(total.terms, _least(total.unknown, _times(least, Fraction(len(coefficients)))))

    # -- functions -----------------------------------------------------------------------------------------------

    def power(self, series: Series, exponent: Fraction) -> Series:
        """Return a power with a rational exponent; the base must not be negative unless the exponent is an integer."""
        # Whole positive powers are products; they need no sign.
        whole = exponent.denominator == 1
        if whole and exponent > 0:
            result = self._constant(self._integer(1))
            for _ in range(int(exponent)):
                result = self.multiply(result, series)
            return result
        if not series.terms and series.unknown is None and exponent > 0:
            return series
        order, element, rest = self._split(series)
        # A root of one exact term is exact.
        if series.is_monomial and not whole:
            self._refuse_negative(element)
        if not series.is_monomial and (sign := certain_sign(element, self.field)) != 1 and (not whole or sign is None):
            return self._rough(series, order, element, exponent, sign)
        if whole:
            lead = self.field.power(element, exponent)
        else:
            lead = self.field.absolute_power(element, exponent)
        # (1 + d)**a = sum of binomial(a, k) d**k.
        binomials = [Fraction(1)]
        for k in range(1, self.length):
            binomials.append(binomials[-1] * (exponent - k + 1) / k)
        return self.scale(self._analytic(rest, binomials), lead, _times(order, exponent))

    def _rough(self, series: Series, order: Order, element: Element, exponent: Fraction, sign: int | None) -> Series:
        """Return the leading term of a root with an error bound; used where the leading coefficient may vanish."""
        if sign == -1:
            raise UnsupportedError("a root of something negative near the end of the curve")
        if exponent < 0:
            raise UnsupportedError(f"the sign of {self.text(element)}, on which the limit depends, varies")
        others = [o for o in series.terms if o != order]
        following = _least(min(others, default=None), series.unknown)
        assert following is not None
        self.radicands.append(element)
        lead = {_times(order, exponent): self.field.absolute_power(element, exponent)}
        # |a**r - b**r| is at most |a - b|**r for r up to 1, and beyond that at most r * max(a, b)**(r - 1) * |a - b|.
        beyond = _times(order, max(exponent - 1, Fraction(0)))
        return _trimmed(lead, _plus(beyond, _times(following, min(exponent, Fraction(1)))))

    def absolute(self, series: Series) -> Series:
        """Return the absolute value."""
        if not series.terms:
            return series
        # The sign of the leading coefficient is that of the series near the end; if unknown, only the leading
        # term is kept.
        order = min(series.terms)
        element = series.terms[order]
        sign = certain_sign(element, self.field)
        if sign is not None:
            return series if sign > 0 else self.scale(series, self._integer(-1))
        size = self.field.absolute_power(element, Fraction(1))
        following = _least(min((o for o in series.terms if o != order), default=None), series.unknown)
        return _trimmed({order: size}, following)

    def largest(self, left: Series, right: Series) -> Series:
        """Return Max(left, right) as half of ``left + right + |left - right|``."""
        return self._extreme(left, right, 1)

    def smallest(self, left: Series, right: Series) -> Series:
        """Return Min(left, right)."""
        return self._extreme(left, right, -1)

    def _extreme(self, left: Series, right: Series, sign: int) -> Series:
        # max(a, b) = (a + b + |a - b|)/2, min with a minus sign.
        gap = self.absolute(self.add(left, self.scale(right, self._integer(-1))))
        total = self.add(self.add(left, right), self.scale(gap, self._integer(sign)))
        return self.scale(total, self._integer(Fraction(1, 2)))

    def logarithm(self, series: Series) -> Series:
        """Return ``log(c) - e*L + log(1 + d)`` of a series ``c * s**e * (1 + d)``."""
        order, element, rest = self._split(series)
        if order[1]:
            raise UnsupportedError("a logarithm of a logarithm of the step")
        if series.is_monomial:
            self._refuse_negative(element)
        if not series.is_monomial and (sign := certain_sign(element, self.field)) != 1:
            reason = "a logarithm of something negative" if sign == -1 else "a sign that varies under a logarithm"
            raise UnsupportedError(f"{reason} near the end of the curve")
        # log(c s**p (1 + d)) = log c - p L + d - d**2/2 + ..., with L = -log s.
        head = self._constant(self.field.logarithm(element))
        if order[0]:
            head = self.add(head, Series({(Fraction(0), Fraction(-1)): self._integer(-order[0])}))
        tail = [Fraction(0), *(Fraction((-1) ** (k + 1), k) for k in range(1, self.length))]
        return self.add(head, self._analytic(rest, tail))

    def text(self, element: Element) -> str:
        """Return a coefficient as text."""
        return str(element_expression(element, self.field))


def _plus(left: Order, right: Order) -> Order:
    return left[0] + right[0], left[1] + right[1]


def _times(order: Order, factor: Fraction) -> Order:
    return order[0] * factor, order[1] * factor


def _least(left: Order | None, right: Order | None) -> Order | None:
    return min((order for order in (left, right) if order is not None), default=None)


def _trimmed(terms: dict[Order, Element], unknown: Order | None) -> Series:
    kept = {o: c for o, c in terms.items() if not c.is_zero and (unknown is None or o < unknown)}
    return Series(kept, unknown)
