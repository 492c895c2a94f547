"""Upper bounds of cancellation-free expressions over all tables, by comparing polynomials term by term."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from symmetrics.numeric.operations import OPERATIONS
from symmetrics.numeric.program import Program

if TYPE_CHECKING:
    from symmetrics.numeric.precision import Precision


Polynomial = tuple[tuple[tuple[int, int, int, int], float], ...]
"""A polynomial, its terms sorted: exponents of the cells, and a positive coefficient."""
Radical = dict[Polynomial, Fraction]
"""A product of powers of polynomials."""

MOST_TERMS: Final = 400
_OF_POLYNOMIALS: Final = frozenset({"cell", "number", "add", "multiply", "maximum"})
_ROUNDING: Final = 1 + 1e-9
_CONSTANT: Final = (0, 0, 0, 0)


class Supremum:
    """Upper bounds of non-negative operations, for cells in [2**-k, 2**k] or zero."""

    def __init__(self, program: Program, precision: Precision, k: int) -> None:
        self.program = program
        self.precision = precision
        self.k = k
        self._found: dict[int, float] = {}

    def of(self, place: int) -> float:
        """Return an upper bound of an operation, infinite if none was found."""
        if place not in self._found:
            self._found[place] = self._of(place)
        return self._found[place]

    def _of(self, place: int) -> float:
        name, *arguments = self.program.operations[place]
        if name == "log":
            return math.inf
        if self.program.base_of_slope(place) is not None:
            return 2 ** self.precision.magnitude(place, self.k)[1] * _ROUNDING
        if name == "abs" and self.program.operations[arguments[0]][0] == "log":
            return math.log(2) * 2 ** self.precision.magnitude(arguments[0], self.k)[1]
        # A quotient of polynomials with positive coefficients is at most the largest quotient of coefficients.
        radical = self.radical(place)
        best = math.inf if radical is None else _largest(radical)
        if best < math.inf or name in ("cell", "number"):
            return best
        parts = [self.of(argument) for argument in self.program.arguments(place)]
        return self.of_quotient(*arguments) if name == "divide" else OPERATIONS[name].largest(parts)

    def of_quotient(self, above: int, below: int) -> float:
        """Bound a quotient by bounding each term of the numerator; a term in the divisor contributes at most 1."""
        # (a + b)/(b + c) is at most a/(b + c) + 1.
        terms, inside = self.addends(above), set(self.addends(below))
        total, divisor = 0.0, _power(self.radical(below, below=True), Fraction(-1))
        for term in terms:
            radical = _combined(self.radical(term), divisor)
            total += 1.0 if term in inside else math.inf if radical is None else _largest(radical)
        return total

    def addends(self, place: int) -> list[int]:
        """Return the terms of a sum, or an operation that is not a sum by itself."""
        name, *arguments = self.program.operations[place]
        return [term for part in arguments for term in self.addends(part)] if name == "add" else [place]

    def radical(self, place: int, *, below: bool = False) -> Radical | None:
        """Bound an operation by a product of powers of polynomials: from above, or as a divisor from below."""
        name, *arguments = self.program.operations[place]
        if name in _OF_POLYNOMIALS and (polynomial := self.polynomial(place, below=below)) is not None:
            return {polynomial: Fraction(1)}
        if name == "multiply":
            return _combined(*(self.radical(argument, below=below) for argument in arguments))
        if name == "divide":
            above, under = self.radical(arguments[0], below=below), self.radical(arguments[1], below=not below)
            return _combined(above, _power(under, Fraction(-1)))
        if name in ("sqrt", "power"):
            exponent = Fraction(1, 2) if name == "sqrt" else arguments[1]
            return _power(self.radical(arguments[0], below=below), exponent) if exponent > 0 else None
        return None

    def polynomial(self, place: int, *, below: bool) -> Polynomial | None:
        """Bound an operation by a polynomial, from above or below."""
        name, *arguments = self.program.operations[place]
        match name:
            case "cell":
                exponents = tuple(int(cell == arguments[0]) for cell in range(4))
                return ((exponents, 1.0),)  # type: ignore[return-value]
            case "number":
                value = abs(float(arguments[0]))
                return ((_CONSTANT, value),) if value else None
            case "add":
                parts = [self.polynomial(argument, below=below) for argument in arguments]
                known = [part for part in parts if part is not None]
                if len(known) == 2:
                    return _added(*known)
                return known[0] if below and known else self._constant(place, below)
            case "multiply":
                left, right = (self.polynomial(argument, below=below) for argument in arguments)
                return None if left is None or right is None else _multiplied(left, right)
            case "maximum":
                left, right = (self.polynomial(argument, below=below) for argument in arguments)
                if below:
                    return left if right is None else right
                return self._constant(place, below) if left is None or right is None else _added(left, right)
        return self._constant(place, below)

    def _constant(self, place: int, below: bool) -> Polynomial | None:
        """Bound an operation from above by a constant, if it is not itself a polynomial."""
        if below or self.program.operations[place][0] in _OF_POLYNOMIALS:
            return None
        bound = self.of(place)
        return ((_CONSTANT, bound),) if bound < math.inf else None


def _added(left: Polynomial, right: Polynomial) -> Polynomial:
    terms = dict(left)
    for exponents, coefficient in right:
        terms[exponents] = terms.get(exponents, 0.0) + coefficient
    return tuple(sorted(terms.items()))


def _multiplied(left: Polynomial, right: Polynomial) -> Polynomial | None:
    if len(left) * len(right) > MOST_TERMS**2:
        return None
    terms: dict[tuple[int, int, int, int], float] = {}
    for (a, b, c, d), first in left:
        for (e, f, g, h), second in right:
            key = (a + e, b + f, c + g, d + h)
            terms[key] = terms.get(key, 0.0) + first * second
    return tuple(sorted(terms.items())) if len(terms) <= MOST_TERMS else None


def _combined(left: Radical | None, right: Radical | None) -> Radical | None:
    if left is None or right is None:
        return None
    result = dict(left)
    for base, exponent in right.items():
        result[base] = result.get(base, Fraction(0)) + exponent
    return {base: exponent for base, exponent in result.items() if exponent}


def _power(radical: Radical | None, exponent: Fraction) -> Radical | None:
    return None if radical is None else {base: power * exponent for base, power in radical.items()}


def _largest(radical: Radical) -> float:
    """Return the largest ratio of matching coefficients in numerator and denominator, perhaps of their squares."""
    found = _largest_power(radical, 1)
    return found if found < math.inf else _largest_power(radical, 2)


def _largest_power(radical: Radical, power: int) -> float:
    # Raised to the common denominator of the exponents, both sides are polynomials.
    order = power * math.lcm(*(exponent.denominator for exponent in radical.values()))
    sides: list[Polynomial | None] = [((_CONSTANT, 1.0),), ((_CONSTANT, 1.0),)]
    for base, exponent in radical.items():
        side = int(exponent < 0)
        for _ in range(int(abs(exponent) * order)):
            product = sides[side]
            sides[side] = None if product is None else _multiplied(product, base)
    above, below = sides
    if above is None or below is None:
        return math.inf
    # For positive cells sum(c m)/sum(d m) <= max(c/d) over the monomials m; a monomial missing below gives no bound.
    under = dict(below)
    largest = max(c / under[exponents] if exponents in under else math.inf for exponents, c in above)
    return float(largest ** (1 / order)) * _ROUNDING
