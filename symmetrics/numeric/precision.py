"""Static rounding error analysis of programs.

An operation is *accurate* if its relative error is a small multiple of the unit roundoff u at all tables: sums of
positive parts, differences of exact values, products, quotients and roots of accurate parts.  Any
other operation has a companion, which is at least as large as its absolute value and in which nothing cancels: its
error is at most ``factor * u * companion``.  Where the companion is bounded on all tables, so is the error; elsewhere
it is computed along with the value.

Of whole counts more is known: sums, differences and products of them are exact up to 2**53.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Final, NamedTuple

from symmetrics.numeric.operations import OPERATIONS
from symmetrics.numeric.program import Program
from symmetrics.numeric.rounding_rules import DIGITS, LIBRARY, UNIT, Facts, Magnitude, number_value
from symmetrics.numeric.supremum import Supremum

ACCURACY: Final = 4e-13
"""Largest acceptable rounding error of a value: absolute below 1, relative above."""
GUARD: Final = 2.0**40
"""Largest acceptable condition number of a divisor, radicand or argument of a logarithm."""
_OF_SLOPES: Final = LIBRARY + 3
"""Relative error of log(w)/(w - 1) in rounding units, apart from that of w, which it does not amplify.

The derivative of the logarithm of the slope by that of w is between -1 and 0; and w - 1 is exact where w is between
1/2 and 2.
"""
_LARGEST_POWER: Final = 1000.0
_RANGES: Final = (240, 120, 80, 60, 40)
"""Powers of two that bound the cells, tried in turn."""


class Companion(NamedTuple):
    """An error bound: the index of an operation, and its factor in rounding units."""

    place: int
    factor: float


class Precision:
    """Error analysis of one output of a program, with the magnitudes of its operations.

    :param program: where the companions are added; they are computed only if somebody asks for them
    :param whole: the errors are those at tables of whole numbers up to this power of two
    """

    def __init__(self, program: Program, output: int, whole: int | None = None) -> None:
        self.program = program
        self.output = output
        self.whole = whole
        self.guards: dict[int, Companion] = {}
        self._relative: dict[int, float | None] = {}
        self._signs = Signs(program)
        self._companions: dict[int, Companion] = {}
        self._widths: dict[int, tuple[float, float] | None] = {}
        self._magnitudes: dict[int, Magnitudes] = {}

    def is_nonnegative(self, place: int) -> bool:
        """Whether an operation is non-negative at all cells."""
        return self._signs.is_nonnegative(place)

    def relative(self, place: int) -> float | None:
        """Return the largest relative error of an accurate operation in rounding units; None for others."""
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
        # log(w)/(w - 1) varies less than w.
        if (base := self.program.base_of_slope(place)) is not None:
            error = self.relative(base)
            return None if error is None else error + _OF_SLOPES
        parts = self.program.arguments(place)
        errors = [self.relative(part) for part in parts]
        known = [error for error in errors if error is not None]
        if len(known) < len(errors):
            return None
        facts = Facts(
            exponent=float(arguments[-1]) if name == "power" else 1.0,
            are_nonnegative=all(map(self.is_nonnegative, parts)),
            are_same=len({*parts}) < len(parts),
            scales=any(map(self._is_power_of_two, parts)),
        )
        return OPERATIONS[name].relative(known, facts)

    def _is_power_of_two(self, place: int) -> bool:
        """Whether an operation is a number whose products with floats are exact."""
        name, *arguments = self.program.operations[place]
        return name == "number" and math.frexp(number_value(arguments[0]))[0] in (0.5, -0.5)

    def _width(self, place: int) -> tuple[float, float] | None:
        """Return g and h if an operation is an exact multiple of 2**-g up to 2**h with at most 53 digits.

        None for any other operation at whole counts.
        """
        if place not in self._widths:
            found = self._exact_width(place)
            self._widths[place] = None if found is None or sum(found) > DIGITS else found
        return self._widths[place]

    def _exact_width(self, place: int) -> tuple[float, float] | None:
        name, *arguments = self.program.operations[place]
        if name == "cell":
            return 0.0, float(self.whole or 0)
        if name == "number":
            value = arguments[0]
            is_short = isinstance(value, Fraction) and value.denominator & (value.denominator - 1) == 0
            return (math.log2(value.denominator), math.log2(max(abs(value), 1))) if is_short else None
        parts = [self._width(argument) for argument in self.program.arguments(place)]
        known = [width for width in parts if width is not None]
        rule = OPERATIONS[name].width
        return None if rule is None or len(known) < len(parts) else rule(known)

    def companion(self, place: int) -> Companion:
        """Return a bound on an operation's absolute value without cancellation, and its factor as an error bound."""
        if place not in self._companions:
            error = self.relative(place)
            if error is not None and not self._has_difference(place):
                self._companions[place] = Companion(self.absolute(place), error)
            else:  # sums alone may have a bound that holds at all tables
                bound = self._bound(place)
                self._companions[place] = bound if error is None else bound._replace(factor=error)
        return self._companions[place]

    def _has_difference(self, place: int) -> bool:
        """Whether some part of an operation may vanish at positive cells."""
        needed = self.program.needed([place])
        inside = {self.program.operations[part][2] for part in needed if self.program.base_of_slope(part) is not None}
        operations = ((part, self.program.operations[part][0]) for part in needed if part not in inside)
        return any(name in ("add", "subtract") and not self.is_nonnegative(part) for part, name in operations)

    def _may_vanish(self, place: int) -> bool:
        """Whether an operation may be zero at positive cells."""
        has_logarithm = any(self.program.operations[part][0] == "log" for part in self.program.needed([place]))
        return has_logarithm or self._has_difference(place)

    def vanishes_nowhere(self, place: int) -> bool:
        """Whether an operation is accurate and non-zero at positive cells; at integer counts a guard decides."""
        return self.relative(place) is not None and (self.whole is not None or not self._has_difference(place))

    @property
    def has_exact_poles(self) -> bool:
        """Whether infinities at positive cells are only logarithms of exact zeros: no divisor vanishes there."""
        for place in self.program.needed([self.output]):
            name, *arguments = self.program.operations[place]
            if name == "power" or (name == "divide" and self._may_vanish(arguments[1])):
                return False
            if name == "log" and self.relative(arguments[0]) is None:
                return False
        return True

    def absolute(self, place: int) -> int:
        """Return the index of the absolute value of an operation."""
        return place if self.is_nonnegative(place) else self.program.add("abs", place)

    def _bound(self, place: int) -> Companion:
        name, *arguments = self.program.operations[place]
        rule = OPERATIONS[name].companion
        if rule is None:
            raise AssertionError(name)
        parts = [self.companion(argument) for argument in self.program.arguments(place)]
        return Companion(*rule(self, place, arguments, parts))

    def loss(self, place: int) -> int:
        """Return the condition number of an operation, companion over value: a guard unless it vanishes nowhere."""
        # |x| >= (1 - error) companion: without cancellation nothing is lost.
        if self.vanishes_nowhere(place):
            return self.program.add("number", Fraction(1))
        bound = self.companion(place)
        ratio = self.program.add("divide", bound.place, self.absolute(place))
        self.guards[place] = Companion(ratio, bound.factor)
        return ratio

    @cached_property
    def static_range(self) -> int | None:
        """Largest k such that cells in [2**-k, 2**k], or zero, certainly give small errors; None if there is none."""
        return next((k for k in self.ranges if self._is_bounded(k)), None)

    @cached_property
    def ranges(self) -> list[int]:
        """Values of k for which cells in [2**-k, 2**k] cause neither overflow nor underflow."""
        self.companion(self.output)
        return [k for k in _RANGES if self._fits(k)]

    def is_certain_at(self, k: int) -> bool:
        """Whether errors are certainly small for cells in [2**-k, 2**k] or zero."""
        self.companion(self.output)
        return self._fits(k) and self._is_bounded(k)

    def _is_bounded(self, k: int) -> bool:
        if self.guards:
            return False
        bound = self.companion(self.output)
        # A relative error needs no bound on the value.
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

    def magnitude(self, place: int, k: int) -> Magnitude:
        """Return powers of two that bound a non-zero operation, for cells in [2**-k, 2**k]; None for zero."""
        if k not in self._magnitudes:
            self._magnitudes[k] = _MagnitudesOfDivisors(self, k)
        return self._magnitudes[k].of(place)


class Magnitudes:
    """Magnitudes of non-zero operations as powers of two, for cells between 2**-k and 2**k.

    :param unknown: lower power for values that may be arbitrarily small
    :ivar kept_in_sums: powers of two by which a sum of terms of either sign cancels less than a difference
    """

    kept_in_sums = 0.0

    def __init__(self, program: Program, k: int, unknown: float | None = None) -> None:
        self.program = program
        self.k = k
        self.unknown = unknown
        self.is_nonnegative = Signs(program).is_nonnegative
        self._found: dict[int, Magnitude] = {}

    def of(self, place: int) -> Magnitude:
        """Return the two powers."""
        if place not in self._found:
            self._found[place] = self._of(place)
        return self._found[place]

    def _of(self, place: int) -> Magnitude:
        name, *arguments = self.program.operations[place]
        if name == "cell":
            return -float(self.k), float(self.k)
        if name == "number":
            size = abs(number_value(arguments[0]))
            return (math.log2(size),) * 2 if size else (self.unknown, 0.0)
        if (base := self.program.base_of_slope(place)) is not None:  # at least 1/w or 1, and at most 1 - log(w) or 1
            low, high = self.lowest(base), self.of(base)[1]
            return -max(high, 0.0), math.log2(1 + max(-low, 0.0))
        parts = [self.of(argument) for argument in self.program.arguments(place)]
        return OPERATIONS[name].magnitude(self, arguments, parts)

    def are_exact(self, places: Sequence[int]) -> bool:  # noqa: ARG002, a subclass depends on it
        """Whether operations are exact, so that the last digit bounds small differences: here always assumed."""
        return True

    def lowest(self, place: int) -> float:
        """Return the power of two that bounds a divisor, radicand or argument of a logarithm from below."""
        low = self.of(place)[0]
        return -math.inf if low is None else low


class _MagnitudesOfDivisors(Magnitudes):
    """Magnitudes that use guards on divisors, and errors: values that lost their digits are unbounded."""

    def __init__(self, precision: Precision, k: int) -> None:
        super().__init__(precision.program, k)
        self.precision = precision
        self.is_nonnegative = precision.is_nonnegative

    def are_exact(self, places: Sequence[int]) -> bool:
        return all(self.precision.relative(place) == 0 for place in places)

    def lowest(self, place: int) -> float:
        operation = self.program.operations[place]
        if operation[0] == "abs":
            return self.lowest(operation[1])
        low = self.of(place)[0]
        if low is None:  # the guard bounds it relative to its companion
            low = self.of(self.precision.companion(place).place)[0]
            low = -math.inf if low is None or place not in self.precision.guards else low - math.log2(GUARD)
        return low


class Signs:
    """Possible signs of each operation where all its cells are positive.

    >>> program = Program()
    >>> tp, fn = program.add("cell", 0), program.add("cell", 1)
    >>> signs = Signs(program)
    >>> signs.of(program.add("add", tp, fn)), sorted(signs.of(program.add("subtract", tp, fn)))
    (frozenset({1}), [-1, 0, 1])
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.known: dict[int, frozenset[int]] = {}

    def of(self, place: int) -> frozenset[int]:
        """Return the signs, as -1, 0 and 1."""
        if place not in self.known:
            self.known[place] = frozenset(self._found(place))
        return self.known[place]

    def is_positive(self, place: int) -> bool:
        """Whether an operation is certainly positive."""
        return self.of(place) == {1}

    def is_nonnegative(self, place: int) -> bool:
        """Whether an operation is nowhere negative, also at zero cells."""
        return -1 not in self.of(place)

    def are_clipped(self, place: int) -> bool:
        """Whether rounding alone may make a radicand negative, so that generated code clips it at 0."""
        name, argument, *exponent = self.program.operations[place]
        operation = OPERATIONS[name]
        is_root = not operation.is_real_below_zero and not operation.is_infinite_at_zero(*exponent)
        return is_root and -1 in self.of(argument)

    def _found(self, place: int) -> Iterable[int]:
        name, *arguments = self.program.operations[place]
        if name == "cell" or self.program.base_of_slope(place) is not None:
            return {1}
        if name == "number":
            value = number_value(arguments[0])
            return {(value > 0) - (value < 0)}
        parts = [self.of(part) for part in self.program.arguments(place)]
        # x * x is never negative, whatever the sign of x.
        is_square = name == "multiply" and arguments[0] == arguments[1]
        pairs = ((sign, sign) for sign in parts[0]) if is_square else itertools.product(*parts)
        return {sign for signs in pairs for sign in OPERATIONS[name].signs(*signs)}
