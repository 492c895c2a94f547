"""Where a formula in one variable is zero, changes its sign or has a kink, exactly.

An algebraic formula is brought to a polynomial, its norm: each root ``t = f**(1/q)`` is eliminated by a resultant with
``t**q - f``.  The roots of the norm's irreducible factors are isolated with certainty (Arb).  A sum of logarithms has no
such polynomial: its zeros are enclosed in intervals by bisection in ball arithmetic (Moore 1966), which stops at a zero
where it has certain slope, and says where it cannot tell.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, cmp_to_key
from itertools import combinations
from typing import Any, Final

from flint import Ordering, arb, ctx, fmpq, fmpz_mpoly_ctx, fmpz_poly
from sympy import Expr, Interval, Rational, Symbol, rootof
from sympy import Poly as SymPyPoly

from symmetrics.algebra.convert import Conversion, element_expression, field_for
from symmetrics.algebra.derivative import derivative
from symmetrics.algebra.evaluate import Evaluator, Undefined, certain_sign, has_value
from symmetrics.algebra.field import ONE, Element, Field
from symmetrics.language.parameter import Parameter
from symmetrics.tools.budget import checkpoint
from symmetrics.tools.errors import UnsupportedError

MOST_BITS: Final = 8192
"""Precision at which different algebraic numbers are told apart at the latest."""
MOST_DEGREE: Final = 64
"""A product of degrees of roots beyond which no norm is computed."""
MOST_INTERVALS: Final = 1500
"""Intervals that a search in ball arithmetic looks at."""
BITS: Final = 128
"""Precision of the search."""
WIDTH: Final = Fraction(1, 2**48)
"""Width of an interval that is not divided any more."""
ZERO_WIDTH: Final = Fraction(1, 2**100)
"""Width of the interval around a zero that is not algebraic."""


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
        rational = self.rational
        return rootof(SymPyPoly(self.coefficients[::-1], _X), self.index) if rational is None else rational

    @property
    def is_settled(self) -> bool:
        """Whether this is a number that is known exactly or as closely as wanted, and not a place left open."""
        return self.ends is None or self.ends[1] - self.ends[0] <= ZERO_WIDTH

    def ball(self) -> arb:
        """Return a ball that holds the number, at the current precision."""
        if self.ends is not None:
            low, high = map(_ball, self.ends)
            return low.union(high)
        if (rational := self.rational) is not None:
            return arb(fmpq(int(rational.p), int(rational.q)))
        return fmpz_poly(list(self.coefficients)).complex_roots()[self.index][0].real  # real ones first, rising


_X: Final = Symbol("x")


def compared(left: Point, right: Point) -> int:
    """Return -1, 0 or 1 as the first number is less than the second one, the same or greater; 0 if they overlap."""
    if left == right:
        return 0
    are_exact = left.ends is None and right.ends is None
    bits = 64
    while bits <= MOST_BITS:
        with ctx.workprec(bits):
            first, second = left.ball(), right.ball()
        if first < second or first > second:
            return -1 if first < second else 1
        bits *= 4 if are_exact else MOST_BITS
    if are_exact:
        raise UnsupportedError(f"two roots of polynomials are not told apart by {MOST_BITS} bits")
    return 0


def in_order(points: Iterable[Point]) -> list[Point]:
    """Return different points, rising."""
    return sorted(dict.fromkeys(points), key=cmp_to_key(compared))


def gaps(points: Iterable[Point]) -> Iterator[tuple[Point, Fraction, Point]]:
    """Yield neighbours among rising points, with a rational number between them; none where they touch.

    >>> [str(middle) for _, middle, _ in gaps([Point.at(Fraction(0)), Point((-2, 0, 1), 1), Point.at(Fraction(3, 2))])]
    ['1/2', '10/7']
    """
    listed = list(points)
    for left, right in zip(listed, listed[1:], strict=False):
        bits = 64
        while compared(left, right):
            with ctx.workprec(bits):
                low, high = _fraction(left.ball().upper()), _fraction(right.ball().lower())
            if low < high:
                yield left, _simple((3 * low + high) / 4, (low + 3 * high) / 4), right
                break
            bits *= 4


def _fraction(ball: arb) -> Fraction:
    mantissa, exponent = ball.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _simple(low: Fraction, high: Fraction) -> Fraction:
    """Return a fraction of few digits in an interval."""
    middle, most = (low + high) / 2, 1
    while not low <= (found := middle.limit_denominator(most)) <= high:
        most *= 10
    return found


class Univariate:
    """A formula in one variable on an open interval with rational ends.

    :param formula: an expression whose only symbol is the variable
    :param variable: the variable
    :param low, high: the ends
    :raises UnsupportedError: if the formula is outside the exact algebra

    >>> from symmetrics.language.cells import parameter_symbol
    >>> from sympy import S, log, sqrt
    >>> x = parameter_symbol("x")
    >>> [point.number for point in Univariate(sqrt(x) * (1 - x) - x * x / 2, x, S.Zero, S.One).breaks()]
    [CRootOf(x**3 - 4*x**2 + 8*x - 4, 0)]
    >>> [curve.sign_at(Fraction(1, 3)) for curve in (Univariate(log(3 * x), x, S.Zero, S.One), Univariate(log(x), x, S.Zero, S.One))]
    [0, -1]
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

    def sign_at(self, place: Fraction) -> int | None:
        """Return the sign at a rational number; None where there is no value, or none is certain."""
        if self.element.is_zero:
            return 0
        try:
            sign = certain_sign(lambda: self._evaluate(place))
        except Undefined:
            return None
        if sign is None and self._vanishes(place):
            return 0
        return sign

    def _vanishes(self, place: Fraction) -> bool:
        value = self.formula.xreplace({self.variable: Rational(place.numerator, place.denominator)})
        return bool(Conversion(field_for())(value).is_zero)

    def breaks(self) -> list[Point]:
        """Return points of the interval, rising, between which the formula has one sign and is smooth.

        They are all zeros, poles, kinks and ends of where it is real, and maybe more.  Points that are intervals hold
        such a place, or what is left open.
        """
        elements = (self.element, *self.field.conditions)
        return in_order(point for element in elements for point in self._breaks(element, *self.ends))

    def is_pole(self, point: Point) -> bool:
        """Whether the denominator is zero at a point and the numerator is certain not to be."""
        above = self._like(Element(self.element.numerator))
        zeros = (zero for number in self.element.denominator for zero in self._zeros_of_base(number, *self.ends))
        return point in zeros and bool(certain_sign(lambda: above.enclosure(point)))

    # -- zeros of the factors of an element: of polynomials, logarithms, and sums of roots and logarithms --------------

    def _breaks(self, element: Element, low: Point, high: Point) -> list[Point]:
        """Return the zeros, poles and kinks of an element between two points."""
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
            if isinstance(base := self.field.atoms[number].base, dict):
                numbers.update(self._nested(Element(base)))
        return sorted(numbers)

    def _zeros_of_base(self, number: int, low: Point, high: Point) -> list[Point]:
        base = self.field.atoms[number].base
        return [] if self.field.is_positive_base(base) else self._breaks(self._as_element(base), low, high)

    def _as_element(self, base: Any) -> Element:
        return Element(dict(base)) if isinstance(base, dict) else self.field.from_poly(base)

    def _resolved(self, element: Element, middle: Fraction) -> Element:
        """Return an element with |f| replaced by f or -f, whichever it is near a number."""
        field, total = self.field, self.field.constant(0)
        for monomial, poly in element.numerator.items():
            term = field.from_poly(poly)
            for number, power in monomial:
                atom = field.atoms[number]
                is_kept = atom.is_log or atom.positive or (atom.is_opaque and power.denominator > 1)
                whole = 0 if is_kept else int(power)
                sign = self._sign_of_base(number, middle) if whole else 1
                for _ in range(whole):
                    term = field.multiply(term, field.multiply(field.constant(sign), self._as_element(atom.base)))
                if power - whole:
                    term = Element(field._times(term.numerator, {((number, power - whole),): field.context.constant(1)}))
            total = field.add(total, term)
        return field.reduce(Element(total.numerator, dict(element.denominator)))

    def _sign_of_base(self, number: int, middle: Fraction) -> int:
        return self._like(self._as_element(self.field.atoms[number].base)).sign_at(middle) or 1

    def _zeros_of_factor(self, number: int, low: Point, middle: Fraction, high: Point) -> list[Point]:
        """Return the zeros of an atom between two points, on which its parts keep their signs."""
        key = (number, low, high)
        if key not in self._zeros:
            field, atom = self.field, self.field.atoms[number]
            if atom.is_log:  # zero where the argument is 1 or -1
                sums = [field.add(self._as_element(atom.base), field.constant(by)) for by in (-1, 1)]
                found = [zero for each in sums if not each.is_zero for zero in self._breaks(each, low, high)]
            elif field.is_positive_base(atom.base):
                found = []
            elif not atom.is_opaque:
                found = self._roots(_univariate(atom.base, self), low, high)
            else:
                nested = self._nested(Element(atom.base))
                is_algebraic = not any(field.atoms[part].is_log for part in nested)
                norm = self._norm(atom.base, nested, middle) if is_algebraic else None
                found = self._roots(norm, low, high) if norm else self._enclosed(atom.base, low, high)
            self._zeros[key] = found
        return self._zeros[key]

    def _roots(self, poly: fmpz_poly, low: Point, high: Point) -> list[Point]:
        """Return the roots of a polynomial between two points."""
        found = []
        for factor, _ in poly.factor()[1]:
            real = [root for root, _ in factor.complex_roots() if root.imag.is_zero()]
            points = (Point(tuple(map(int, factor.coeffs())), index) for index in range(len(real)))
            found += [point for point in points if compared(low, point) < 0 < compared(high, point)]
        return found

    def _norm(self, numerator: Any, nested: list[int], middle: Fraction) -> fmpz_poly | None:
        """Return a polynomial that is zero wherever a sum of products of roots is, near a number; None if it is large."""
        atoms = self.field.atoms
        sums = [numerator, *(atoms[number].base for number in nested if atoms[number].is_opaque)]
        powers = [pair for each in sums for monomial in each for pair in monomial]
        order = {number: math.lcm(*(p.denominator for n, p in powers if n == number)) for number in nested}
        if math.prod(order.values()) > MOST_DEGREE:
            return None
        context = fmpz_mpoly_ctx.get(("x", *(f"t{number}" for number in nested)), Ordering.lex)
        x, *roots = context.gens()
        generator = dict(zip(nested, roots, strict=True))

        def written(poly: Any) -> Any:
            terms = enumerate(map(int, _univariate(poly, self).coeffs()))
            return sum((coefficient * x**power for power, coefficient in terms), context.constant(0))

        def of_sum(base: Any) -> Any:
            total = context.constant(0)
            for monomial, poly in base.items():
                total += math.prod((generator[n] ** int(p * order[n]) for n, p in monomial), start=written(poly))
            return total

        total = of_sum(numerator)
        # Opaque atoms stand behind those that they are made of.
        for number in reversed(nested):
            checkpoint()
            base = atoms[number].base
            radicand = of_sum(base) if isinstance(base, dict) else written(base)
            signed = radicand if atoms[number].positive else radicand * self._sign_of_base(number, middle)
            total = total.resultant(generator[number] ** order[number] - signed, f"t{number}")
        coefficients = {int(exponents[0]): int(c) for exponents, c in total.to_dict().items()}
        return fmpz_poly([coefficients.get(power, 0) for power in range(max(coefficients, default=0) + 1)])

    def _enclosed(self, numerator: Any, low: Point, high: Point) -> list[Point]:
        """Return intervals, and rational numbers, that hold all zeros of a sum between two points."""
        value = self._like(Element(dict(numerator)))
        slope = value.derivative()
        with ctx.workprec(BITS):
            start, end = (_fraction(end) for end in (low.ball().lower(), high.ball().upper()))
        waiting, left_open, zeros, seen = deque([(start, end)]), [], [], 0
        while waiting:
            checkpoint()
            seen += 1
            ends = waiting.popleft()
            middle = (ends[0] + ends[1]) / 2
            values, slopes = value.enclosure_on(*ends), slope.enclosure_on(*ends)
            # Mean value form: f(x) lies in f(m) + f'([a, b]) [a - m, b - m].
            if not _is_signed(values) and slopes is not None and (central := value.enclosure_on(middle, middle)) is not None:
                values = central + slopes * arb(0, 1) * _ball(ends[1] - middle)
            if _is_signed(values):
                continue
            if _is_signed(slopes):  # at most one zero
                first, last = map(value.sign_at, ends)
                if first is not None and last is not None:
                    zeros += value._bisected(*ends, first) if first * last <= 0 else []
                    continue
            if ends[1] - ends[0] <= WIDTH or seen > MOST_INTERVALS:
                left_open.append(ends)
                continue
            waiting += [(middle, ends[1]), (ends[0], middle)]
        return zeros + [Point((), ends=ends) for ends in _joined(left_open)]

    def enclosure_on(self, low: Fraction, high: Fraction) -> Any:
        """Return a ball that holds all values on a closed interval; None if none is known."""
        with ctx.workprec(BITS):
            try:
                return self.enclosure(Point((), ends=(low, high)))
            except Undefined:
                return None

    def enclosure(self, point: Point) -> Any:
        """Return a ball that holds the value at a point, or all values on an interval.

        :raises Undefined: if there is none, or no ball shows it
        """
        value = self._evaluate(point.ball())
        if isinstance(value, arb) and not value.is_finite():
            raise Undefined("no finite ball holds the value")
        return value

    def _bisected(self, low: Fraction, high: Fraction, first: int) -> list[Point]:
        """Return the only zero between two numbers, the sign at the first of which is known."""
        for end in (low, high):
            if self.sign_at(end) == 0:
                return [Point.at(end)]
        while high - low > ZERO_WIDTH:
            middle = (low + high) / 2
            sign = self.sign_at(middle)
            if sign == 0:
                return [Point.at(middle)]
            if sign is None:
                break
            low, high = (middle, high) if sign == first else (low, middle)
        return [Point((), ends=(low, high))]


def _is_signed(ball: Any) -> bool:
    return ball is not None and bool(ball > 0 or ball < 0)


def _ball(number: Fraction) -> arb:
    return arb(fmpq(number.numerator, number.denominator))


@dataclass(frozen=True)
class Region:
    """An interval on which the same of several formulas are the largest.

    :param low, high: the ends
    :param best: the names of the largest ones: several if they are equal, none if none has a value
    """

    low: Point
    high: Point
    best: tuple[str, ...]


def regions(formulas: Mapping[str, Expr], variable: Symbol, low: Rational, high: Rational) -> tuple[list[Region], list[Point]]:
    """Divide an interval by which of some formulas is the largest.

    :returns: the regions, rising and without gaps; and the intervals, narrow ones, within which it is left open
    :raises UnsupportedError: if two values can neither be told apart nor proved equal

    >>> from symmetrics.language.cells import parameter_symbol
    >>> x = parameter_symbol("x")
    >>> found, _ = regions({"line": x / 2, "square": x * x}, x, Rational(0), Rational(1))
    >>> [(str(region.low.number), str(region.high.number), region.best) for region in found]
    [('0', '1/2', ('line',)), ('1/2', '1', ('square',))]
    """
    gap = {pair: Univariate(formulas[pair[0]] - formulas[pair[1]], variable, low, high) for pair in combinations(formulas, 2)}
    alone = {name: Univariate(formula, variable, low, high) for name, formula in formulas.items()}
    inner = in_order(point for curve in (*gap.values(), *alone.values()) for point in curve.breaks())
    found: list[Region] = []
    for left, middle, right in gaps([Point.at(low), *inner, Point.at(high)]):
        valued = [name for name, curve in alone.items() if has_value(lambda c=curve: c.enclosure(Point.at(middle)))]
        signs = {pair: gap[pair].sign_at(middle) for pair in combinations(valued, 2)}
        if None in signs.values():
            raise UnsupportedError(f"two values at {variable} = {middle} are neither told apart nor proved equal")
        beaten = {pair[sign > 0] for pair, sign in signs.items() if sign}
        best = tuple(name for name in valued if name not in beaten)
        if found and found[-1].best == best:
            found[-1] = replace(found[-1], high=right)
        else:
            found.append(Region(found[-1].high if found else Point.at(low), right, best))
    found[-1] = replace(found[-1], high=Point.at(high))
    return found, [point for point in inner if not point.is_settled]


def _univariate(poly: Any, formula: Univariate) -> fmpz_poly:
    place = formula.field.names.index(formula.variable.name)
    if any(degree for index, degree in enumerate(poly.degrees()) if index != place):
        raise UnsupportedError("pi stands beside the variable, which the exact algebra of roots does not know")
    terms = {int(exponents[place]): int(c) for exponents, c in poly.to_dict().items()}
    return fmpz_poly([terms.get(power, 0) for power in range(max(terms, default=0) + 1)])


def _joined(intervals: list[tuple[Fraction, Fraction]]) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield intervals, those that touch as one."""
    current: tuple[Fraction, Fraction] | None = None
    for low, high in sorted(intervals):
        if current is not None and low <= current[1]:
            current = (current[0], max(high, current[1]))
            continue
        if current is not None:
            yield current
        current = (low, high)
    if current is not None:
        yield current
