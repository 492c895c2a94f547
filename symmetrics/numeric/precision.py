"""What rounding can do to the values of a program, told before any table is seen wherever that is possible.

An operation is *accurate* if its relative error is a small multiple of the unit roundoff u at all tables: sums of
positive parts, differences of what no rounding has touched, products, quotients and roots of what is accurate.  Any
other operation has a companion, which is at least as large as its absolute value and in which nothing cancels: its
error is at most ``factor * u * companion``.  Where the companion is bounded on all tables, so is the error; elsewhere
it is computed along with the value.

Of whole counts more is known: sums, differences and products of them are exact up to 2**53.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, NamedTuple

from symmetrics.numeric.program import Program
from symmetrics.numeric.supremum import Supremum

__all__ = ["ACCURACY", "GUARD", "Companion", "Precision", "number_value"]

ACCURACY: Final = 4e-13
"""Error that rounding may leave in a value, absolute below 1 and relative above."""
UNIT: Final = 2.0**-53
GUARD: Final = 2.0**40
"""How many times larger than a divisor, radicand or argument of a logarithm its companion may be."""
LIBRARY: Final = 8.0
"""Relative error of logarithms and powers of the platform, in units: four in the last place."""
_OF_SLOPES: Final = LIBRARY + 3
"""Relative error of log(w)/(w - 1), in units, beyond that of w, of which it is at most what w's own is.

The derivative of the logarithm of the slope by that of w is between -1 and 0; and w - 1 is exact where w is between
1/2 and 2.
"""
_LARGEST_POWER: Final = 1000.0
_RANGES: Final = (240, 120, 80, 60, 40)
"""Powers of two between which the cells are, tried one after the other."""
_DIGITS: Final = 53


class Companion(NamedTuple):
    """The place of a bound, and what it has to be multiplied with, in units of rounding, to bound the error."""

    place: int
    factor: float


def number_value(value: Any) -> float:
    """Return the float64 nearest to an exact number."""
    is_rational = isinstance(value, Fraction) or getattr(value, "is_Rational", False)
    return float(value) if is_rational else float(value.evalf(30))


class Precision:
    """The errors of one output of a program, and the magnitudes that its operations can have.

    :param program: where the companions are added; they are computed only if somebody asks for them
    :param whole: the errors are those at tables of whole numbers up to this power of two
    """

    def __init__(self, program: Program, output: int, whole: int | None = None) -> None:
        self.program = program
        self.output = output
        self.whole = whole
        self.guards: dict[int, Companion] = {}
        self._relative: dict[int, float | None] = {}
        self._nonnegative: dict[int, bool] = {}
        self._companions: dict[int, Companion] = {}
        self._widths: dict[int, tuple[float, float] | None] = {}
        self._ranges: dict[int, dict[int, tuple[float | None, float]]] = {}

    def is_nonnegative(self, place: int) -> bool:
        """Whether an operation is never negative, whatever the cells."""
        if place not in self._nonnegative:
            name, *arguments = self.program.operations[place]
            if name == "number":
                found = number_value(arguments[0]) >= 0
            elif name in ("cell", "sqrt", "abs", "power") or self.program.base_of_slope(place) is not None:
                found = True
            elif name in ("subtract", "log", "negative", "sign"):
                found = False
            else:
                found = (name == "multiply" and arguments[0] == arguments[1]) or all(
                    map(self.is_nonnegative, arguments)
                )
            self._nonnegative[place] = found
        return self._nonnegative[place]

    def relative(self, place: int) -> float | None:
        """Return the largest relative error of an accurate operation in units of rounding; None for any other."""
        if place not in self._relative:
            self._relative[place] = self._relative_error(place)
        return self._relative[place]

    def _relative_error(self, place: int) -> float | None:
        name, *arguments = self.program.operations[place]
        if name == "cell" or (self.whole is not None and self._width(place) is not None):
            return 0.0
        if name == "number":
            value = arguments[0]
            return 0.0 if isinstance(value, Fraction) and Fraction(number_value(value)) == value else 1.0
        if (base := self.program.base_of_slope(place)) is not None:
            error = self.relative(base)
            return None if error is None else error + _OF_SLOPES
        errors = [self.relative(argument) for argument in self.program.arguments(place)]
        known = [error for error in errors if error is not None]
        if len(known) < len(errors) or name == "log":
            return None
        if name == "add" and arguments[0] == arguments[1]:
            return known[0]  # twice a float is one
        if name in ("add", "subtract"):
            same = name == "add" and all(map(self.is_nonnegative, arguments))
            return max(known) + 1 if same or not any(known) else None
        if name in ("multiply", "divide"):
            is_exact = name == "multiply" and any(map(self._is_power_of_two, arguments))
            return sum(known) + (0 if is_exact else 1)
        if name == "sqrt":
            return known[0] / 2 + 1
        if name == "power":
            return float(abs(arguments[1])) * known[0] + LIBRARY
        return max(known)

    def _is_power_of_two(self, place: int) -> bool:
        """Whether an operation is a number by which all floats are multiplied without rounding."""
        name, *arguments = self.program.operations[place]
        return name == "number" and math.frexp(number_value(arguments[0]))[0] in (0.5, -0.5)

    def _width(self, place: int) -> tuple[float, float] | None:
        """Return g and h where an operation is a multiple of 2**-g up to 2**h of 53 digits at most, without rounding.

        None for any other operation at whole counts.
        """
        if place not in self._widths:
            found = self._exact_width(place)
            self._widths[place] = None if found is None or sum(found) > _DIGITS else found
        return self._widths[place]

    def _exact_width(self, place: int) -> tuple[float, float] | None:
        name, *arguments = self.program.operations[place]
        if name == "cell":
            return 0.0, float(self.whole or 0)
        if name == "number":
            value = arguments[0]
            is_short = isinstance(value, Fraction) and value.denominator & (value.denominator - 1) == 0
            return (math.log2(value.denominator), math.log2(max(abs(value), 1))) if is_short else None
        parts = [width for argument in self.program.arguments(place) if (width := self._width(argument)) is not None]
        if len(parts) < len(self.program.arguments(place)):
            return None
        fine, high = max(part[0] for part in parts), max(part[1] for part in parts)
        match name:
            case "add" | "subtract":
                return fine, high + 1
            case "multiply":
                return sum(part[0] for part in parts), sum(part[1] for part in parts)
            case "maximum" | "minimum" | "abs" | "negative":
                return fine, high
        return None

    def companion(self, place: int) -> Companion:
        """Return a bound without cancellation, in the program, and the factor that makes it one of the error."""
        if place not in self._companions:
            error = self.relative(place)
            if error is not None and not self._has_difference(place):
                self._companions[place] = Companion(self._absolute(place), error)
            else:  # of sums alone there may be a bound that holds at all tables
                bound = self._bound(place)
                self._companions[place] = bound if error is None else bound._replace(factor=error)
        return self._companions[place]

    def _has_difference(self, place: int) -> bool:
        """Whether something in an operation may vanish at positive cells."""
        needed = self.program.needed([place])
        inside = {self.program.operations[part][2] for part in needed if self.program.base_of_slope(part) is not None}
        operations = ((part, self.program.operations[part][0]) for part in needed if part not in inside)
        return any(name in ("add", "subtract") and not self.is_nonnegative(part) for part, name in operations)

    def _may_vanish(self, place: int) -> bool:
        """Whether an operation may be zero at positive cells."""
        has_logarithm = any(self.program.operations[part][0] == "log" for part in self.program.needed([place]))
        return has_logarithm or self._has_difference(place)

    def _vanishes_nowhere(self, place: int) -> bool:
        """Whether an operation is accurate and not 0 at positive cells; at whole counts a guard says if it is."""
        return self.relative(place) is not None and (self.whole is not None or not self._has_difference(place))

    @property
    def has_exact_poles(self) -> bool:
        """Whether what is infinite at positive cells is the logarithm of an exact zero: no divisor vanishes there."""
        for place in self.program.needed([self.output]):
            name, *arguments = self.program.operations[place]
            if name == "power" or (name == "divide" and self._may_vanish(arguments[1])):
                return False
            if name == "log" and self.relative(arguments[0]) is None:
                return False
        return True

    def _absolute(self, place: int) -> int:
        return place if self.is_nonnegative(place) else self.program.add("abs", place)

    def _bound(self, place: int) -> Companion:
        name, *arguments = self.program.operations[place]
        parts = [self.companion(argument) for argument in self.program.arguments(place)]
        factors = [part.factor for part in parts]
        add = self.program.add
        match name:
            case "add" | "subtract":
                return Companion(add("add", parts[0].place, parts[1].place), max(factors) + 1)
            case "multiply":
                return Companion(add("multiply", parts[0].place, parts[1].place), sum(factors) + 1)
            case "maximum" | "minimum":
                return Companion(add("maximum", parts[0].place, parts[1].place), max(factors))
            case "negative" | "abs":
                return parts[0]
            case "divide":
                return self._bound_of_quotient(place, arguments[1], parts)
        argument = arguments[0]
        loss = self._loss(argument)
        if name == "log":
            error = factors[0] + 1
            return Companion(add("add", loss, add("abs", place)), max(error, LIBRARY))
        scale = 1.0 if name == "sqrt" else float(abs(arguments[1]))
        return Companion(add("multiply", loss, place), scale * factors[0] + LIBRARY)

    def _bound_of_quotient(self, place: int, divisor: int, parts: list[Companion]) -> Companion:
        add = self.program.add
        error = self.relative(divisor)
        if error is not None and self._vanishes_nowhere(divisor):
            return Companion(add("divide", parts[0].place, self._absolute(divisor)), parts[0].factor + error + 1)
        # The error of a/b is that of a, and a/b times that of b, over b, which is certain to an eighth by the guard.
        self._loss(divisor)
        errors = add("add", parts[0].place, add("multiply", add("abs", place), parts[1].place))
        inside = add("divide", errors, self._absolute(divisor))
        return Companion(inside, 1.5 * max(parts[0].factor, parts[1].factor) + 2)

    def _loss(self, place: int) -> int:
        """Return how many times larger than an operation its companion is; a guard unless it vanishes nowhere."""
        if self._vanishes_nowhere(place):
            return self.program.add("number", Fraction(1))
        bound = self.companion(place)
        ratio = self.program.add("divide", bound.place, self._absolute(place))
        self.guards[place] = Companion(ratio, bound.factor)
        return ratio

    @cached_property
    def static_range(self) -> int | None:
        """The largest k for which cells between 2**-k and 2**k, or zero, are certain to leave small errors; or None."""
        return next((k for k in self.ranges if self._is_bounded(k)), None)

    @cached_property
    def ranges(self) -> list[int]:
        """The k for which cells between 2**-k and 2**k let nothing overflow or underflow."""
        self.companion(self.output)
        return [k for k in _RANGES if self._fits(k)]

    def is_certain_at(self, k: int) -> bool:
        """Whether errors are small where the cells are between 2**-k and 2**k, or zero."""
        self.companion(self.output)
        return self._fits(k) and self._is_bounded(k)

    def _is_bounded(self, k: int) -> bool:
        if self.guards:
            return False
        bound = self.companion(self.output)
        if self.relative(self.output) is not None:
            return bound.factor * UNIT <= ACCURACY
        return bound.factor * UNIT * Supremum(self.program, self, k).of(bound.place) <= ACCURACY

    def _fits(self, k: int) -> bool:
        outputs = (self.output, self.companion(self.output).place, *(guard.place for guard in self.guards.values()))
        for place in self.program.needed(outputs):
            low, high = self.magnitude(place, k)
            if high > _LARGEST_POWER or (low is not None and low < -_LARGEST_POWER):
                return False
        return True

    def magnitude(self, place: int, k: int) -> tuple[float | None, float]:
        """Return between which powers of two an operation is, if cells are between 2**-k and 2**k; None for zero."""
        known = self._ranges.setdefault(k, {})
        if place not in known:
            known[place] = self._magnitude(place, k)
        return known[place]

    def _magnitude(self, place: int, k: int) -> tuple[float | None, float]:
        name, *arguments = self.program.operations[place]
        if name == "cell":
            return -float(k), float(k)
        if name == "sign":
            return None, 0.0
        if name == "number":
            size = abs(number_value(arguments[0]))
            return (math.log2(size),) * 2 if size else (None, 0.0)
        if (base := self.program.base_of_slope(place)) is not None:  # at least 1/w or 1, and at most 1 - log(w) or 1
            low, high = self._lowest(base, k), self.magnitude(base, k)[1]
            return -max(high, 0.0), math.log2(1 + max(-low, 0.0))
        parts = [self.magnitude(argument, k) for argument in self.program.arguments(place)]
        high = max(part[1] for part in parts)
        known = [low for low, _ in parts if low is not None]
        match name:
            case "add" | "subtract":
                same = all(map(self.is_nonnegative, arguments)) or arguments[0] == arguments[1]
                if name == "add" and same:
                    return (max(known) if known else None), high + 1
                # What is no zero is at least the last digit of the smaller of two floats.
                is_exact = len(known) == 2 and all(self.relative(part) == 0 for part in arguments)
                return (min(known) - _DIGITS if is_exact else None), high + 1
            case "multiply":
                return (sum(known) if len(known) == 2 else None), parts[0][1] + parts[1][1]
            case "divide":
                below = self._lowest(arguments[1], k)
                lowest = parts[0][0]
                return (None if lowest is None else lowest - parts[1][1]), parts[0][1] - below
            case "log":
                return None, math.log2(max(abs(self._lowest(arguments[0], k)), abs(high), 1.0))
            case "sqrt" | "power":
                exponent = 0.5 if name == "sqrt" else float(arguments[1])
                ends = (exponent * self._lowest(arguments[0], k), exponent * high)
                return min(ends), max(ends)
            case "minimum" | "maximum":
                return (min(known) if len(known) == 2 else None), high
        return parts[0]

    def _lowest(self, place: int, k: int) -> float:
        """Return the power of two that a divisor, radicand or argument of a logarithm is not below."""
        operation = self.program.operations[place]
        if operation[0] == "abs":
            return self._lowest(operation[1], k)
        low = self.magnitude(place, k)[0]
        if low is None:
            low = self.magnitude(self.companion(place).place, k)[0]
            low = -math.inf if low is None or place not in self.guards else low - math.log2(GUARD)
        return low
