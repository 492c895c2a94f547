"""What rounding can do to the values of a program, told before any table is seen wherever that is possible.

An operation is *accurate* if its relative error is a small multiple of the unit roundoff u at all tables: sums of
positive parts, products, quotients and roots of what is accurate.  Any other operation has a companion, which is at
least as large as its absolute value and in which nothing cancels: its error is at most ``factor * u * companion``.
Where the companion is bounded on all tables, so is the error; elsewhere it is computed along with the value.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, NamedTuple

from sympy import Rational

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
_LARGEST_POWER: Final = 1000.0
_RANGES: Final = (240, 120, 80, 60, 40)
"""Powers of two between which the cells are, tried one after the other."""


class Companion(NamedTuple):
    """The place of a bound, and what it has to be multiplied with, in units of rounding, to bound the error."""

    place: int
    factor: float


def number_value(value: Any) -> float:
    """Return the float64 nearest to an exact number."""
    return float(value) if isinstance(value, Fraction | Rational) else float(value.evalf(30))


class Precision:
    """The errors of one output of a program, and the magnitudes that its operations can have.

    :param program: where the companions are added; they are computed only if somebody asks for them
    """

    def __init__(self, program: Program, output: int) -> None:
        self.program = program
        self.output = output
        self.guards: dict[int, Companion] = {}
        self._relative: dict[int, float | None] = {}
        self._nonnegative: dict[int, bool] = {}
        self._companions: dict[int, Companion] = {}
        self._ranges: dict[int, dict[int, tuple[float | None, float]]] = {}

    def is_nonnegative(self, place: int) -> bool:
        """Whether an operation is never negative, whatever the cells."""
        if place not in self._nonnegative:
            name, *arguments = self.program.operations[place]
            if name == "number":
                found = number_value(arguments[0]) >= 0
            elif name in ("cell", "sqrt", "abs", "power"):
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
        if name == "cell":
            return 0.0
        if name == "number":
            value = arguments[0]
            return 0.0 if isinstance(value, Fraction) and Fraction(number_value(value)) == value else 1.0
        errors = [self.relative(argument) for argument in self.program.arguments(place)]
        known = [error for error in errors if error is not None]
        if len(known) < len(errors) or name in ("log", "subtract"):
            return None
        if name == "add":
            same = all(map(self.is_nonnegative, arguments)) or arguments[0] == arguments[1]
            return max(known) + 1 if same else None
        if name in ("multiply", "divide"):
            return sum(known) + 1
        if name == "sqrt":
            return known[0] / 2 + 1
        if name == "power":
            return float(abs(arguments[1])) * known[0] + LIBRARY
        return max(known)

    def companion(self, place: int) -> Companion:
        """Return a bound without cancellation, in the program, and the factor that makes it one of the error."""
        if place not in self._companions:
            error = self.relative(place)
            self._companions[place] = self._bound(place) if error is None else Companion(self._absolute(place), error)
        return self._companions[place]

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
        if (error := self.relative(divisor)) is not None:
            return Companion(add("divide", parts[0].place, parts[1].place), parts[0].factor + error + 1)
        # The error of a/b is that of a, and a/b times that of b, over b, which is certain to an eighth by the guard.
        self._loss(divisor)
        errors = add("add", parts[0].place, add("multiply", add("abs", place), parts[1].place))
        inside = add("divide", errors, self._absolute(divisor))
        return Companion(inside, 1.5 * max(parts[0].factor, parts[1].factor) + 2)

    def _loss(self, place: int) -> int:
        """Return how many times larger than an operation its companion is; a guard unless it is accurate."""
        if self.relative(place) is not None:
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
        parts = [self.magnitude(argument, k) for argument in self.program.arguments(place)]
        high = max(part[1] for part in parts)
        known = [low for low, _ in parts if low is not None]
        match name:
            case "add":
                same = all(map(self.is_nonnegative, arguments)) or arguments[0] == arguments[1]
                return (max(known) if known and same else None), high + 1
            case "subtract":
                return None, high + 1
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
