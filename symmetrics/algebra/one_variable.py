"""Where a formula in one variable is zero, changes its sign or has a kink, exactly.

An algebraic formula is brought to a polynomial, its norm: each root ``t = f**(1/q)`` is eliminated by a resultant with
``t**q - f``.  The real roots of the norm's irreducible factors are isolated with certainty (Arb).  A sum of logarithms
has no such polynomial: its zeros are enclosed by bisection in ball arithmetic with the mean value form (Moore 1966),
which says where it cannot tell.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, cmp_to_key
from itertools import combinations, pairwise
from typing import Any, Final

from flint import Ordering, arb, ctx, fmpq, fmpz_mpoly_ctx, fmpz_poly
from sympy import Expr, Interval, Rational, Symbol, rootof
from sympy import Poly as SymPyPoly

from symmetrics.algebra.convert import Conversion, element_expression, field_for
from symmetrics.algebra.derivative import derivative
from symmetrics.algebra.evaluate import Evaluator, Undefined, certain_sign, has_value
from symmetrics.algebra.field import Element, Field
from symmetrics.language.parameter import Parameter
from symmetrics.tools.budget import checkpoint
from symmetrics.tools.errors import UnsupportedError

MOST_BITS: Final = 8192
"""Precision at which different algebraic numbers are told apart at the latest."""
MOST_DEGREE: Final = 64
"""A product of degrees of roots beyond which no norm is computed."""
BITS: Final = 128
"""Precision of the search in ball arithmetic."""
MOST_INTERVALS: Final = 1500
"""Intervals that a search looks at."""
WIDTH: Final = Fraction(1, 2**48)
"""Width of an interval that is not divided any more."""
ZERO_WIDTH: Final = Fraction(1, 2**100)
"""Width of the interval around a zero that is not algebraic."""
_X: Final = Symbol("x")


@dataclass(frozen=True)
class Point:
    """A real number: a root of an irreducible polynomial, or one that is known to lie in an interval.

    :param coefficients: those of the polynomial, the constant one first; none for an interval
    :param index: which of its real roots, in rising order
    :param ends: those of the interval
    """

    coefficients: tuple[int, ...]
    index: int = 0
    ends: tuple[Fraction, Fraction] | None = None

    @classmethod
    def at(cls, value: Fraction | Rational) -> Point:
        """Return a rational number."""
        return cls((-int(value.numerator), int(value.denominator)))

    @property
    def rational(self) -> Rational | None:
        """The number, if it is rational."""
        return Rational(-self.coefficients[0], self.coefficients[1]) if len(self.coefficients) == 2 else None

    @property
    def number(self) -> Expr:
        """The number: a rational, one with square roots, a ``CRootOf``; or the interval it lies in."""
        if self.ends is not None:
            return Interval(*(Rational(end.numerator, end.denominator) for end in self.ends))
        return rootof(SymPyPoly(self.coefficients[::-1], _X), self.index) if self.rational is None else self.rational

    @property
    def is_settled(self) -> bool:
        """Whether this is a number that is known exactly or as closely as wanted, and not a place left open."""
        return self.ends is None or self.ends[1] - self.ends[0] <= ZERO_WIDTH

    def ball(self) -> arb:
        """Return a ball that holds the number, at the current precision."""
        if self.ends is not None:
            return _ball(self.ends[0]).union(_ball(self.ends[1]))
        if self.rational is not None:
            return _ball(Fraction(-self.coefficients[0], self.coefficients[1]))
        roots: Any = fmpz_poly(list(self.coefficients)).complex_roots()  # real ones first, rising
        ball: arb = roots[self.index][0].real
        return ball


def compared(left: Point, right: Point) -> int:
    """Return -1, 0 or 1 as the first number is less than the second one, the same or greater; 0 if they overlap."""
    are_exact, bits = left.ends is None and right.ends is None, 64
    while left != right and bits <= MOST_BITS:
        with ctx.workprec(bits):
            first, second = left.ball(), right.ball()
        if first < second or first > second:
            return -1 if first < second else 1
        bits *= 4 if are_exact else MOST_BITS
    if left != right and are_exact:
        raise UnsupportedError(f"two roots of polynomials are not told apart by {MOST_BITS} bits")
    return 0


def in_order(points: Iterable[Point]) -> list[Point]:
    """Return different points, rising."""
    return sorted(dict.fromkeys(points), key=cmp_to_key(compared))


def gaps(points: Iterable[Point]) -> Iterator[tuple[Point, Fraction, Point]]:
    """Yield neighbours among rising points, with a rational number between them; none where they touch.

    >>> [str(middle) for _, middle, _ in gaps([Point.at(Fraction(0)), Point.at(Fraction(1)), Point((-2, 0, 1), 1)])]
    ['1/2', '6/5']
    """
    for left, right in pairwise(points):
        bits = 64
        while compared(left, right):
            with ctx.workprec(bits):
                low, high = _fraction(left.ball().upper()), _fraction(right.ball().lower())
            if low < high:
                few = (((low + high) / 2).limit_denominator(10**digits) for digits in range(MOST_BITS))
                yield left, next(middle for middle in few if low < middle < high), right
                break
            bits *= 4


class Univariate:
    """A formula in one variable on an open interval with rational ends.

    :param formula: an expression whose only symbol is the variable
    :raises UnsupportedError: if the formula is outside the exact algebra

    >>> from symmetrics.language.cells import parameter_symbol
    >>> from sympy import S, log, sqrt
    >>> x = parameter_symbol("x")
    >>> [point.number for point in Univariate(sqrt(x) * (1 - x) - x * x / 2, x, S.Zero, S.One).breaks()]
    [CRootOf(x**3 - 4*x**2 + 8*x - 4, 0)]
    >>> [Univariate(log(scale * x), x, S.Zero, S.One).sign_at(Fraction(1, 3)) for scale in (1, 3, 4)]
    [-1, 0, 1]
    """

    def __init__(self, formula: Expr, variable: Symbol, low: Rational, high: Rational) -> None:
        interval = Parameter(variable.name, low, high, lower_open=True, upper_open=True)
        self.formula, self.variable, self.ends = formula, variable, (Point.at(low), Point.at(high))
        self.field: Field = field_for((interval,), over=())
        self.element = self.field.reduce(Conversion(self.field)(formula))
        self._zeros: dict[tuple[int, Point, Point], list[Point]] = {}

    def derivative(self) -> Univariate:
        """Return the derivative, which has no value where the formula has a kink."""
        return self._like(derivative(self.element, self.field, {self.variable.name: 1}))

    def _like(self, element: Element) -> Univariate:
        other = object.__new__(Univariate)
        other.__dict__.update(self.__dict__, element=element, formula=element_expression(element, self.field))
        other.__dict__.pop("_evaluate", None)
        return other

    @cached_property
    def _evaluate(self) -> Evaluator:
        return Evaluator(self.formula, (self.variable,))

    def enclosure(self, point: Point) -> Any:
        """Return a ball that holds the value at a point, or all values on an interval.

        :raises Undefined: if there is none, or no ball shows it
        """
        value = self._evaluate(point.ball())
        if isinstance(value, arb) and not value.is_finite():
            raise Undefined("no finite ball holds the value")
        return value

    def has_value_at(self, point: Point) -> bool:
        """Whether the formula is certain to have a value at a point, or all over an interval."""
        return has_value(lambda: self.enclosure(point))

    def sign_at(self, place: Fraction) -> int | None:
        """Return the sign at a rational number; None where there is no value, or none is certain."""
        try:
            sign = certain_sign(lambda: self._evaluate(place))
        except Undefined:
            return None
        value = self.formula.xreplace({self.variable: Rational(place.numerator, place.denominator)})
        return 0 if sign is None and Conversion(field_for())(value).is_zero else sign

    def is_pole(self, point: Point) -> bool:
        """Whether the denominator is zero at a point, and the numerator is certain not to be."""
        above = self._like(Element(self.element.numerator))
        zeros = (zero for number in self.element.denominator for zero in self._zeros_of_base(number, *self.ends))
        return point in zeros and bool(certain_sign(lambda: above.enclosure(point)))

    def breaks(self) -> list[Point]:
        """Return points of the interval, rising, between which the formula has one sign and is smooth.

        They are all zeros, poles, kinks and ends of where it is real, and maybe more.  Points that are intervals hold
        such a place, or what is left open.
        """
        elements = (self.element, *self.field.conditions)
        return in_order(point for element in elements for point in self._breaks(element, *self.ends))

    def _breaks(self, element: Element, low: Point, high: Point) -> list[Point]:
        walls = in_order(wall for number in self._nested(element) for wall in self._zeros_of_base(number, low, high))
        found = list(walls)
        # Between the walls |f| is f or -f; then the element is a product of factors without absolute values.
        for left, middle, right in gaps([low, *walls, high]):
            smooth = self._resolved(element, middle)
            if not smooth.is_zero:
                _, signed, absolute = self.field.factor(smooth)
                for number in sorted(signed | absolute):
                    found += self._zeros_of_factor(number, left, middle, right)
        return found

    def _nested(self, element: Element) -> list[int]:
        """Return the atoms of an element, and those in them, rising."""
        numbers = {number for monomial in element.numerator for number, _ in monomial} | set(element.denominator)
        for number in tuple(numbers):
            if self.field.atoms[number].is_opaque:
                numbers.update(self._nested(Element(self.field.atoms[number].base)))
        return sorted(numbers)

    def _zeros_of_base(self, number: int, low: Point, high: Point) -> list[Point]:
        base = self.field.atoms[number].base
        return [] if self.field.is_positive_base(base) else self._breaks(self._base(number), low, high)

    def _base(self, number: int) -> Element:
        base = self.field.atoms[number].base
        return Element(dict(base)) if isinstance(base, dict) else self.field.from_poly(base)

    def _sign_of_base(self, number: int, middle: Fraction) -> int:
        return self._like(self._base(number)).sign_at(middle) or 1

    def _resolved(self, element: Element, middle: Fraction) -> Element:
        """Return an element with |f| replaced by f or -f, whichever it is near a number."""
        field, total = self.field, self.field.constant(0)
        for monomial, poly in element.numerator.items():
            term = field.from_poly(poly)
            for number, power in monomial:
                atom = field.atoms[number]
                is_kept = atom.is_log or atom.positive or (atom.is_opaque and power.denominator > 1)
                rest = power if is_kept else power % 1
                for _ in range(int(power - rest)):
                    signed = field.constant(self._sign_of_base(number, middle))
                    term = field.multiply(term, field.multiply(signed, self._base(number)))
                if rest:
                    factor = Element({((number, rest),): field.context.constant(1)})
                    term = field.multiply(term, factor)
            total = field.add(total, term)
        return field.reduce(Element(total.numerator, dict(element.denominator)))

    def _zeros_of_factor(self, number: int, low: Point, middle: Fraction, high: Point) -> list[Point]:
        """Return the zeros of an atom between two points, between which its parts keep their signs."""
        key, field, atom = (number, low, high), self.field, self.field.atoms[number]
        if key in self._zeros:
            return self._zeros[key]
        nested = self._nested(Element(atom.base)) if atom.is_opaque else []
        found: list[Point] = []
        if atom.is_log:  # zero where its argument is 1 or -1
            sums = [field.add(self._base(number), field.constant(by)) for by in (-1, 1)]
            found = [zero for each in sums if not each.is_zero for zero in self._breaks(each, low, high)]
        elif not field.is_positive_base(atom.base):
            is_algebraic = not any(field.atoms[part].is_log for part in nested)
            norm = self._norm(self._base(number), nested, middle) if is_algebraic else None
            found = self._roots(norm, low, high) if norm else self._enclosed(self._base(number), low, high)
        self._zeros[key] = found
        return found

    @staticmethod
    def _roots(poly: fmpz_poly, low: Point, high: Point) -> list[Point]:
        """Return the roots of a polynomial between two points."""
        found = []
        for factor, _ in poly.factor()[1]:
            roots: Any = factor.complex_roots()
            number = sum(root.imag.is_zero() for root, _ in roots)
            points = (Point(tuple(map(int, factor.coeffs())), index) for index in range(number))
            found += [point for point in points if compared(low, point) < 0 < compared(high, point)]
        return found

    def _norm(self, element: Element, nested: list[int], middle: Fraction) -> fmpz_poly | None:
        """Return a polynomial that is zero wherever a sum with roots is, near a number; None if it may be large."""
        sums = [element.numerator, *(self._base(number).numerator for number in nested)]
        powers = [pair for each in sums for monomial in each for pair in monomial]
        order = {number: math.lcm(*(power.denominator for n, power in powers if n == number)) for number in nested}
        if math.prod(order.values()) > MOST_DEGREE:
            return None
        context = fmpz_mpoly_ctx.get(("x", *(f"t{number}" for number in nested)), Ordering.lex)
        x, *roots = context.gens()
        root, place = dict(zip(nested, roots, strict=True)), self.field.names.index(self.variable.name)

        def written(numerator: Any) -> Any:
            total = context.constant(0)
            for monomial, poly in numerator.items():
                if any(degree for index, degree in enumerate(poly.degrees()) if index != place):
                    raise UnsupportedError("the zeros of a formula with pi are not isolated")
                factor = math.prod((root[n] ** int(p * order[n]) for n, p in monomial), start=context.constant(1))
                total += factor * sum(int(c) * x ** int(e[place]) for e, c in poly.to_dict().items())
            return total

        total = written(element.numerator)
        # An atom comes after those that it is made of.
        for number in reversed(nested):
            checkpoint()
            radicand = written(self._base(number).numerator)
            if not self.field.atoms[number].positive:
                radicand *= self._sign_of_base(number, middle)
            total = total.resultant(root[number] ** order[number] - radicand, f"t{number}")
        terms = {int(exponents[0]): int(c) for exponents, c in total.to_dict().items()}
        return fmpz_poly([terms.get(power, 0) for power in range(max(terms, default=0) + 1)])

    def _enclosed(self, element: Element, low: Point, high: Point) -> list[Point]:
        """Return intervals, and rational numbers, that hold all zeros of a sum between two points."""
        value = self._like(element)
        slope = value.derivative()
        with ctx.workprec(BITS):
            waiting = deque([(_fraction(low.ball().lower()), _fraction(high.ball().upper()))])
        left_open: list[tuple[Fraction, Fraction]] = []
        found: list[Point] = []
        seen = 0
        while waiting:
            checkpoint()
            seen += 1
            start, end = ends = waiting.popleft()
            middle = (start + end) / 2
            values, slopes, central = (
                _values(f, *on) for f, on in ((value, ends), (slope, ends), (value, (middle,) * 2))
            )
            # Mean value form: f(x) lies in f(m) + f'([a, b]) [a - m, b - m].
            mean_values = None if None in (slopes, central) else central + slopes * arb(0, 1) * _ball(end - middle)
            if _is_signed(values) or _is_signed(mean_values):
                continue
            first, last = (value.sign_at(each) for each in ends) if _is_signed(slopes) else (None, None)
            if first is not None and last is not None:  # at most one zero
                found += value._bisected(start, end, first) if first * last <= 0 else []
            elif end - start <= WIDTH or seen > MOST_INTERVALS:
                left_open.append(ends)
            else:
                waiting += [(start, middle), (middle, end)]
        merged: list[tuple[Fraction, Fraction]] = []
        for start, end in sorted(left_open):
            touching = merged.pop() if merged and start <= merged[-1][1] else (start, end)
            merged.append((touching[0], max(touching[1], end)))
        return found + [Point((), ends=ends) for ends in merged]

    def _bisected(self, low: Fraction, high: Fraction, first: int) -> list[Point]:
        """Return the only zero on a closed interval, the sign at whose lower end is known."""
        middle = low if first == 0 else high
        while (sign := self.sign_at(middle)) and high - low > ZERO_WIDTH:
            low, high = (middle, high) if sign == first else (low, middle)
            middle = (low + high) / 2
        return [Point.at(middle) if sign == 0 else Point((), ends=(low, high))]


@dataclass(frozen=True)
class Region:
    """An interval on which the same of several formulas are the largest.

    :param low, high: the ends: exact numbers, or narrow intervals that are certain to hold one
    :param best: the names of the largest ones: several if they are equal, none if none has a value
    """

    low: Expr
    high: Expr
    best: tuple[str, ...]


def regions(
    formulas: Mapping[str, Expr], variable: Symbol, low: Rational, high: Rational
) -> tuple[tuple[Region, ...], tuple[Interval, ...]]:
    """Divide an interval by which of some formulas is the largest.

    :returns: the regions, rising and without gaps; and narrow intervals within which it is left open
    :raises UnsupportedError: if two values can neither be told apart nor proved equal

    >>> from symmetrics.language.cells import parameter_symbol
    >>> x = parameter_symbol("x")
    >>> found, _ = regions({"line": x / 2, "square": x * x}, x, Rational(0), Rational(1))
    >>> [(str(region.low), str(region.high), region.best) for region in found]
    [('0', '1/2', ('line',)), ('1/2', '1', ('square',))]
    """
    alone = {name: Univariate(formula, variable, low, high) for name, formula in formulas.items()}
    gap = {
        (one, other): Univariate(formulas[one] - formulas[other], variable, low, high)
        for one, other in combinations(formulas, 2)
    }
    inner = in_order(point for each in (*gap.values(), *alone.values()) for point in each.breaks())
    found: list[Region] = []
    for left, middle, right in gaps([Point.at(low), *inner, Point.at(high)]):
        valued = [name for name, each in alone.items() if each.has_value_at(Point.at(middle))]
        signs = {pair: gap[pair].sign_at(middle) for pair in combinations(valued, 2)}
        if None in signs.values():
            raise UnsupportedError(f"two values at {variable} = {middle} are neither told apart nor proved equal")
        beaten = {pair[sign > 0] for pair, sign in signs.items() if sign}
        best = tuple(name for name in valued if name not in beaten)
        if found and found[-1].best == best:
            found[-1] = replace(found[-1], high=right.number)
        else:
            found.append(Region(left.number if found else low, right.number, best))
    found[-1] = replace(found[-1], high=high)
    return tuple(found), tuple(point.number for point in inner if not point.is_settled)


def _values(formula: Univariate, low: Fraction, high: Fraction) -> Any:
    """Return a ball that holds all values on a closed interval; None if none is known."""
    with ctx.workprec(BITS):
        try:
            return formula.enclosure(Point((), ends=(low, high)))
        except Undefined:
            return None


def _is_signed(ball: Any) -> bool:
    return ball is not None and bool(ball > 0 or ball < 0)


def _ball(number: Fraction) -> arb:
    return arb(fmpq(number.numerator, number.denominator))


def _fraction(ball: arb) -> Fraction:
    mantissa, exponent = ball.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
