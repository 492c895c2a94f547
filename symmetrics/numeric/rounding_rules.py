"""What rounding does to one operation: bounds of errors, magnitudes and exact widths, from those of the arguments.

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
"""Relative error of logarithms and powers of the platform, in units: four in the last place."""
DIGITS: Final = 53
"""Binary digits of a float64: what two numbers leave where they cancel is at least their last digit, or zero."""
_FIRST_ORDER: Final = 0.25
"""Relative error of a base or an argument of a logarithm from which on nothing is known of the value."""


def number_value(value: Any) -> float:
    """Return the float64 nearest to an exact number: a fraction, or an expression of SymPy such as log(2)."""
    has_digits = hasattr(value, "evalf") and not getattr(value, "is_Rational", False)
    return float(value.evalf(30)) if has_digits else float(value)


Magnitude = tuple[float | None, float]
"""Two powers of two, the lower one None if nothing is known of it."""


class Facts(NamedTuple):
    """What a rule of relative errors may know of the arguments.

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
    """Return the error of (a + da)(b + db): the term of second order counts where digits are lost in both."""
    (a, da), (b, db) = left, right
    return np.abs(a) * db + np.abs(b) * da + da * db


def error_of_quotient(value: Array, above: Bounded, below: Bounded) -> Array:
    """Return the error of a quotient, infinite where the divisor may be zero."""
    # |(a + da)/(b - db) - a/b| = (da + |a/b| db)/(|b| - db)
    least = np.abs(below[0]) - below[1]
    return np.where(least > 0, (above[1] + np.abs(value) * below[1]) / np.where(least > 0, least, 1.0), np.inf)


def spread_of_logarithm(base: Bounded) -> Array:
    """Return -log(1 - r), r the relative error: how far the logarithm may be off; infinite from 1/4 on."""
    relative = base[1] / np.abs(base[0])
    spread = np.where(relative < _FIRST_ORDER, -np.log1p(-np.minimum(relative, _FIRST_ORDER)), np.inf)
    return np.where(base[1] == 0, 0.0, spread)


def error_of_power(value: Array, base: Bounded, exponent: float) -> Array:
    """Return the error of (b + db)**p, whose logarithm is off by p times that of the base."""
    return np.abs(value) * np.expm1(abs(exponent) * spread_of_logarithm(base))


def error_of_minimum(_: Array, left: Bounded, right: Bounded) -> Array:
    """Return the error of the argument that is chosen; the larger of both where it is not clear which one is."""
    is_clear = np.abs(left[0] - right[0]) > left[1] + right[1]
    chosen = np.where(left[0] < right[0], left[1], right[1])
    return np.where(is_clear, chosen, np.maximum(left[1], right[1]))


def error_of_maximum(value: Array, left: Bounded, right: Bounded) -> Array:
    """Return the error of the larger argument, as that of the smaller of both turned around."""
    return error_of_minimum(value, (-left[0], left[1]), (-right[0], right[1]))


def error_of_log_ratio(_: Array, above: Bounded, below: Bounded, difference: Bounded) -> Array:
    """Return the error of 2 atanh(d/(a + b)), whose slope by that share is at most 8/3 up to 1/2, or of log(a/b)."""
    total = above[0] + below[0]
    share = np.abs(difference[0] / total)
    inside = difference[1] / total + share * (above[1] + below[1]) / total
    outside = above[1] / above[0] + below[1] / below[0]
    return np.where(share < 0.5, 3 * inside + UNIT * share, outside + UNIT)


# Relative errors, in roundings ----------------------------------------------------------------------------------------


def relative_of_sum(errors: Sequence[float], facts: Facts) -> float | None:
    """Return that of a sum: of one sign it is as accurate as its terms, and twice a float is one."""
    if facts.are_same:
        return errors[0]  # twice a float is one
    return max(errors) + 1 if facts.are_nonnegative or not any(errors) else None


def relative_of_difference(errors: Sequence[float], _: Facts) -> float | None:
    """Relative error of a difference: one rounding if both arguments are exact, otherwise no bound."""
    return 1.0 if not any(errors) else None


def largest(errors: Sequence[float], _: Facts) -> float:
    """Return that of a choice, or of a value whose sign alone changes."""
    return max(errors)


# Companions: what the absolute value is at most, without cancellation, and how many roundings of it the error is ------


def companion_of_sum(of: Any, _: int, __: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    """Add the absolute values of the terms: their sum is rounded once more."""
    return of.program.add("add", parts[0].place, parts[1].place), max(part.factor for part in parts) + 1


def companion_of_product(of: Any, _: int, __: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    """Multiply the absolute values; both errors, and a rounding, count."""
    return of.program.add("multiply", parts[0].place, parts[1].place), sum(part.factor for part in parts) + 1


def companion_of_choice(of: Any, _: int, __: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    """Take the larger absolute value, whichever argument is chosen."""
    return of.program.add("maximum", parts[0].place, parts[1].place), max(part.factor for part in parts)


def companion_of_quotient(of: Any, place: int, arguments: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    """Divide by an accurate divisor; by any other, with what its error makes of the quotient."""
    add, divisor = of.program.add, arguments[1]
    error = of.relative(divisor)
    if error is not None and of.vanishes_nowhere(divisor):
        return add("divide", parts[0].place, of.absolute(divisor)), parts[0].factor + error + 1
    # The error of a/b is that of a, and a/b times that of b, over b, which is certain to an eighth by the guard.
    of.loss(divisor)
    errors = add("add", parts[0].place, add("multiply", add("abs", place), parts[1].place))
    inside = add("divide", errors, of.absolute(divisor))
    return inside, 1.5 * max(parts[0].factor, parts[1].factor) + 2


def companion_of_power(of: Any, place: int, arguments: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    """Multiply the value by how many digits the base has lost."""
    exponent = float(abs(arguments[1])) if len(arguments) > 1 else 1.0  # of a root, with what is beyond first order
    return of.program.add("multiply", of.loss(arguments[0]), place), exponent * parts[0].factor + LIBRARY


def companion_of_logarithm(of: Any, place: int, arguments: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    """Add what the argument has lost to the absolute value."""
    add, loss = of.program.add, of.loss(arguments[0])
    return add("add", loss, add("abs", place)), max(parts[0].factor + 1, LIBRARY)


def companion_of_argument(_: Any, __: int, ___: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    """Companion of the argument itself: nothing is rounded."""
    return parts[0].place, parts[0].factor


# Magnitudes, as powers of two -----------------------------------------------------------------------------------------


def _known(parts: Sequence[Magnitude]) -> list[float]:
    return [low for low, _ in parts if low is not None]


def magnitude_of_sum(of: Any, arguments: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    """Magnitude of a sum: with terms of one sign at least that of the larger one."""
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
    """Return that of a logarithm, which is at most the larger power of two; near 1 it is of any size."""
    return of.unknown, math.log2(max(*(abs(of.lowest(each)) for each in arguments), *(abs(p[1]) for p in parts), 1.0))


def magnitude_of_log_ratio(of: Any, arguments: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    """Return that of the logarithm of a quotient: at most the sum of two, as the quotient is never written."""
    low, high = magnitude_of_logarithm(of, arguments[:2], parts[:2])
    return low, high + 1


def magnitude_of_choice(_: Any, __: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    """Return that of one of the arguments, whichever it is."""
    known = _known(parts)
    return (min(known) if len(known) == len(parts) else None), max(high for _, high in parts)


def magnitude_of_products(of: Any, _: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    """Magnitude of a*b - c*d; its computation passes through halves of the digits and their remainders."""
    (low, high), (lower, higher) = (magnitude_of_product(of, (), pair) for pair in (parts[:2], parts[2:]))
    known = [end for end in (low, lower) if end is not None]
    return (min(known) - 2 * DIGITS if len(known) == 2 else of.unknown), max(high, higher) + DIGITS // 2 + 2


# Widths of exact numbers: multiples of 2**-g up to 2**h ---------------------------------------------------------------


def wider(parts: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return that of a sum or difference: one digit more above."""
    return max(fine for fine, _ in parts), max(high for _, high in parts) + 1


def widest(parts: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return that of one of the arguments, whichever it is."""
    return max(fine for fine, _ in parts), max(high for _, high in parts)
