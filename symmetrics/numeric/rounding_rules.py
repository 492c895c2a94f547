"""Effect of rounding on one operation: rules for errors, magnitudes and exact widths, given those of the arguments.

These are the rules that the table of operations (:mod:`symmetrics.numeric.operations`) names.  Bounds of running errors
hold for each value and all orders; relative errors and companions hold at all tables, before any is seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from symmetrics.tools.catalogue import LoadedWhenUsed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
else:
    np = LoadedWhenUsed("numpy")
    Array = Any
Bounded = tuple[Array, Array]
"""Values, and bounds of their absolute errors."""

UNIT: Final = 2.0**-53
"""The largest relative error of one rounding."""
LIBRARY: Final = 8.0
"""Relative error of the platform's logarithms and powers, in units: four units in the last place."""
DIGITS: Final = 53
"""Digits (bits) of a float64: the difference of two numbers is zero or at least their last digit."""
_FIRST_ORDER: Final = 0.25
"""Relative error of a base, or an argument of a logarithm, from which on the result is unbounded."""


def number_value(value: Any) -> float:
    """Return the float64 nearest to an exact number: a fraction, or a SymPy expression such as log(2)."""
    has_digits = hasattr(value, "evalf") and not getattr(value, "is_Rational", False)
    return float(value.evalf(30)) if has_digits else float(value)


Magnitude = tuple[float | None, float]
"""Two powers of two that bound a value; the lower one None if unknown."""


class Facts(NamedTuple):
    """Facts on the arguments that rules for relative errors may use.

    :param exponent: of a power
    :param are_nonnegative: whether none of the arguments is ever negative
    :param are_same: whether both arguments are one operation
    :param scales: whether one of them is a power of two
    """

    exponent: float
    are_nonnegative: bool
    are_same: bool
    scales: bool


# Errors: each bound holds for all arguments within their errors -------------------------------------------------------


def error_of_product(_: Array, left: Bounded, right: Bounded) -> Array:
    """Return the error of (a + da)(b + db), including the second-order term, which matters for inaccurate factors."""
    (a, da), (b, db) = left, right
    return np.abs(a) * db + np.abs(b) * da + da * db


def error_of_quotient(value: Array, above: Bounded, below: Bounded) -> Array:
    """Return the error of a quotient, infinite where the divisor may be zero."""
    # |(a + da)/(b - db) - a/b| = (da + |a/b| db)/(|b| - db)
    least = np.abs(below[0]) - below[1]
    return np.where(least > 0, (above[1] + np.abs(value) * below[1]) / np.where(least > 0, least, 1.0), np.inf)


def spread_of_logarithm(base: Bounded) -> Array:
    """Return -log(1 - r) for a relative error r, the error of the logarithm; infinite from 1/4 on."""
    relative = base[1] / np.abs(base[0])
    spread = np.where(relative < _FIRST_ORDER, -np.log1p(-np.minimum(relative, _FIRST_ORDER)), np.inf)
    return np.where(base[1] == 0, 0.0, spread)


def error_of_power(value: Array, base: Bounded, exponent: float) -> Array:
    """Return the error of (b + db)**p: the error of log(b) times p."""
    return np.abs(value) * np.expm1(abs(exponent) * spread_of_logarithm(base))


def error_of_minimum(_: Array, left: Bounded, right: Bounded) -> Array:
    """Return the error of the smaller argument; the larger of both errors if the comparison is uncertain."""
    is_clear = np.abs(left[0] - right[0]) > left[1] + right[1]
    chosen = np.where(left[0] < right[0], left[1], right[1])
    return np.where(is_clear, chosen, np.maximum(left[1], right[1]))


def error_of_maximum(value: Array, left: Bounded, right: Bounded) -> Array:
    """Return the error of the larger argument, by symmetry to the minimum."""
    return error_of_minimum(value, (-left[0], left[1]), (-right[0], right[1]))


def error_of_log_ratio(_: Array, above: Bounded, below: Bounded, difference: Bounded) -> Array:
    """Return the error of 2*atanh(d/(a + b)), with slope at most 8/3 up to 1/2, or else of log(a/b)."""
    total = above[0] + below[0]
    share = np.abs(difference[0] / total)
    inside = difference[1] / total + share * (above[1] + below[1]) / total
    outside = above[1] / above[0] + below[1] / below[0]
    return np.where(share < 0.5, 3 * inside + UNIT * share, outside + UNIT)


# Relative errors, in roundings ----------------------------------------------------------------------------------------


def relative_of_sum(errors: Sequence[float], facts: Facts) -> float | None:
    """Relative error of a sum: for terms of one sign the larger of theirs, plus a rounding; twice a float is exact."""
    if facts.are_same:
        return errors[0]  # twice a float is exact
    return max(errors) + 1 if facts.are_nonnegative or not any(errors) else None


def relative_of_difference(errors: Sequence[float], _: Facts) -> float | None:
    """Relative error of a difference: one rounding if both arguments are exact, otherwise no bound."""
    return 1.0 if not any(errors) else None


def largest(errors: Sequence[float], _: Facts) -> float:
    """Relative error of min, max, abs or negation: the largest one of the arguments."""
    return max(errors)


# Companions: bounds of the absolute value without cancellation, and their factor in rounding units -------------------


def companion_of_sum(of: Any, _: int, __: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    """Add the absolute values of the terms: their sum is rounded once more."""
    return of.program.add("add", parts[0].place, parts[1].place), max(part.factor for part in parts) + 1


def companion_of_product(of: Any, _: int, __: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    """Multiply the absolute values; the factors add up, plus a rounding."""
    return of.program.add("multiply", parts[0].place, parts[1].place), sum(part.factor for part in parts) + 1


def companion_of_choice(of: Any, _: int, __: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    """Take the larger absolute value, whichever argument is chosen."""
    return of.program.add("maximum", parts[0].place, parts[1].place), max(part.factor for part in parts)


def companion_of_quotient(of: Any, place: int, arguments: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    """Divide by an accurate divisor; for others, add the effect of the divisor's error."""
    add, divisor = of.program.add, arguments[1]
    error = of.relative(divisor)
    if error is not None and of.vanishes_nowhere(divisor):
        return add("divide", parts[0].place, of.absolute(divisor)), parts[0].factor + error + 1
    # The error of a/b is (error of a + |a/b| * error of b)/b; by the guard b is accurate to an eighth.
    of.loss(divisor)
    errors = add("add", parts[0].place, add("multiply", add("abs", place), parts[1].place))
    inside = add("divide", errors, of.absolute(divisor))
    return inside, 1.5 * max(parts[0].factor, parts[1].factor) + 2


def companion_of_power(of: Any, place: int, arguments: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    """Multiply the value by the condition number of the base."""
    exponent = float(abs(arguments[1])) if len(arguments) > 1 else 1.0  # for roots, with the terms beyond first order
    return of.program.add("multiply", of.loss(arguments[0]), place), exponent * parts[0].factor + LIBRARY


def companion_of_logarithm(of: Any, place: int, arguments: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    """Add the condition number of the argument to the absolute value."""
    add, loss = of.program.add, of.loss(arguments[0])
    return add("add", loss, add("abs", place)), max(parts[0].factor + 1, LIBRARY)


def companion_of_argument(_: Any, __: int, ___: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    """Companion of the argument itself: nothing is rounded."""
    return parts[0].place, parts[0].factor


# Magnitudes, as powers of two -----------------------------------------------------------------------------------------


def _known(parts: Sequence[Magnitude]) -> list[float]:
    return [low for low, _ in parts if low is not None]


def magnitude_of_sum(of: Any, arguments: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    """Magnitude of a sum: for terms of one sign at least that of the larger one."""
    if all(map(of.is_nonnegative, arguments)) or arguments[0] == arguments[1]:
        return max(_known(parts), default=None), max(high for _, high in parts) + 1
    low, high = magnitude_of_difference(of, arguments, parts)
    return (None if low is None else low + of.kept_in_sums), high


def magnitude_of_difference(of: Any, arguments: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    """Magnitude of a difference: unless zero, at least the last digit of the smaller of two exact floats."""
    known, high = _known(parts), max(high for _, high in parts) + 1
    return (min(known) - DIGITS if len(known) == 2 and of.are_exact(arguments) else of.unknown), high


def magnitude_of_product(_: Any, __: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    """Add the powers of two of the factors."""
    low = None if len(_known(parts)) < len(parts) else sum(_known(parts))
    return low, sum(high for _, high in parts)


def magnitude_of_quotient(of: Any, arguments: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    """Magnitude of a quotient: powers of two subtracted; a guard may bound the divisor from below."""
    (low, high), (_, largest) = parts
    return (None if low is None else low - largest), high - of.lowest(arguments[1])


def magnitude_of_power(of: Any, arguments: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    """Multiply the powers of two of the base by the exponent."""
    exponent = float(arguments[1]) if len(arguments) > 1 else 0.5
    ends = exponent * of.lowest(arguments[0]), exponent * parts[0][1]
    return min(ends), max(ends)


def magnitude_of_logarithm(of: Any, arguments: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    """Magnitude of a logarithm: at most the larger power of two; unbounded below, as it vanishes at 1."""
    return of.unknown, math.log2(max(*(abs(of.lowest(each)) for each in arguments), *(abs(p[1]) for p in parts), 1.0))


def magnitude_of_log_ratio(of: Any, arguments: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    """Magnitude of the logarithm of a quotient: at most the sum of both powers, as the quotient is never formed."""
    low, high = magnitude_of_logarithm(of, arguments[:2], parts[:2])
    return low, high + 1


def magnitude_of_choice(_: Any, __: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    """Magnitude of min or max: the union of the arguments' ranges."""
    known = _known(parts)
    return (min(known) if len(known) == len(parts) else None), max(high for _, high in parts)


def magnitude_of_products(of: Any, _: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    """Magnitude of a*b - c*d, including intermediate halves of the digits and their remainders."""
    (low, high), (lower, higher) = (magnitude_of_product(of, (), pair) for pair in (parts[:2], parts[2:]))
    known = [end for end in (low, lower) if end is not None]
    return (min(known) - 2 * DIGITS if len(known) == 2 else of.unknown), max(high, higher) + DIGITS // 2 + 2


# Widths of exact numbers: multiples of 2**-g up to 2**h ---------------------------------------------------------------


def wider(parts: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Width of a sum or difference: one digit more than the wider argument."""
    return max(fine for fine, _ in parts), max(high for _, high in parts) + 1


def widest(parts: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Width of min or max: the wider of the arguments."""
    return max(fine for fine, _ in parts), max(high for _, high in parts)
