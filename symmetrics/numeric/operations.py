"""The table of operations: all that evaluators, error bounds and printers know of "divide" is one record here.

A program (:mod:`symmetrics.numeric.program`) is a list of operations by name.  A record says how one is computed by
NumPy and in source code, which signs and magnitudes it can have, what rounding does to it, and its derivative; whoever
needs one of these reads it from the table, and ``tests/test_operations.py`` compares each with exact arithmetic.  How
other languages write an operation stands in their own tables, by the same names.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
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
    return float(value.evalf(30)) if hasattr(value, "evalf") and not value.is_Rational else float(value)


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


@dataclass(frozen=True)
class Operation:
    """One operation on floats.

    :param arguments: how many operations it takes
    :param source: Python that computes it for one table, also compiled by numba
    :param expression: the same on exact numbers, or on expressions of SymPy
    :param signs: from the sign of each argument (-1, 0, 1) the signs that the value may have
    :param error: from value, arguments with their errors and exponent: what the errors of the arguments make of the
        value, terms of second order included
    :param relative: the relative error in roundings, from those of the arguments; None if there is no bound that holds
        at all tables
    :param companion: from a :class:`~symmetrics.numeric.precision.Precision`, the operation, its arguments and their
        companions, the place and the factor of its own; None if there is no such bound
    :param magnitude: from the magnitudes of all operations, the operation's arguments and their own magnitudes, between
        which powers of two the value is if it is not zero, and None instead of the lower one if nothing is known of it
    :param slopes: the derivative by each argument, times an outer one, as further operations of a program; called with
        the builder of :mod:`symmetrics.numeric.slopes`, the outer derivative, the operation and its arguments
    :param degree: the power of t by which the value grows if the arguments grow by some powers of it, None if by none
    :param sympy: the class of SymPy's that is read as it, of any number of arguments if it takes two
    :param function: NumPy's function, or None if only other languages compute it
    :param standard: the function's name in the array API standard
    :param cost: passes over memory that is in the cache
    :param rounding: how many roundings the operation itself takes; 0 if it only chooses or turns a sign
    :param width: from the widths of exact arguments (as ``Precision`` has them) that of the exact value; None unless
        whole numbers have a whole value
    :param is_commutative: whether the order of the arguments does not matter
    """

    arguments: int
    source: str
    expression: Callable[..., Any]
    signs: Callable[..., Iterable[int]]
    error: Callable[..., Array]
    relative: Callable[[Sequence[float], Facts], float | None]
    companion: Callable[..., tuple[int, float]] | None
    magnitude: Callable[..., Magnitude]
    slopes: Callable[..., Sequence[tuple[int, int | None]]] | None
    degree: Callable[[Sequence[Fraction], Fraction], Fraction | None]
    sympy: str = ""
    function: Any = None
    standard: str = ""
    cost: float = 1.0
    rounding: int = 1
    width: Callable[[Sequence[tuple[float, float]]], tuple[float, float]] | None = None
    is_commutative: bool = False


def _of_sympy(name: str) -> Callable[..., Any]:
    """Return a function of SymPy, which is loaded only if it is called."""
    return lambda *parts: getattr(import_module("sympy"), name)(*parts)


# Signs ----------------------------------------------------------------------------------------------------------------

_ANY: Final = (-1, 0, 1)


def _sign_of_sum(left: int, right: int) -> tuple[int, ...]:
    return _ANY if left * right < 0 else (left or right,)


# Errors: each bound holds for all arguments within their errors -------------------------------------------------------


def _error_of_product(_: Array, left: Bounded, right: Bounded) -> Array:
    (a, da), (b, db) = left, right
    return np.abs(a) * db + np.abs(b) * da + da * db


def _error_of_quotient(value: Array, above: Bounded, below: Bounded) -> Array:
    # |(a + da)/(b - db) - a/b| = (da + |a/b| db)/(|b| - db)
    least = np.abs(below[0]) - below[1]
    return np.where(least > 0, (above[1] + np.abs(value) * below[1]) / np.where(least > 0, least, 1.0), np.inf)


def _shrinking(base: Bounded) -> Array:
    """Return -log(1 - r), r the relative error: how far the logarithm may be off; infinite from 1/4 on."""
    relative = base[1] / np.abs(base[0])
    spread = np.where(relative < _FIRST_ORDER, -np.log1p(-np.minimum(relative, _FIRST_ORDER)), np.inf)
    return np.where(base[1] == 0, 0.0, spread)


def _error_of_power(value: Array, base: Bounded, exponent: float) -> Array:
    return np.abs(value) * np.expm1(abs(exponent) * _shrinking(base))


def _error_of_minimum(_: Array, left: Bounded, right: Bounded) -> Array:
    """Return the error of the argument that is chosen; the larger of both where it is not clear which one is."""
    is_clear = np.abs(left[0] - right[0]) > left[1] + right[1]
    chosen = np.where(left[0] < right[0], left[1], right[1])
    return np.where(is_clear, chosen, np.maximum(left[1], right[1]))


def _error_of_maximum(value: Array, left: Bounded, right: Bounded) -> Array:
    return _error_of_minimum(value, (-left[0], left[1]), (-right[0], right[1]))


def _error_of_log_ratio(_: Array, above: Bounded, below: Bounded, difference: Bounded) -> Array:
    """Return the error of 2 atanh(d/(a + b)), whose slope by that share is at most 8/3 up to 1/2, or of log(a/b)."""
    total = above[0] + below[0]
    share = np.abs(difference[0] / total)
    inside = difference[1] / total + share * (above[1] + below[1]) / total
    outside = above[1] / above[0] + below[1] / below[0]
    return np.where(share < 0.5, 3 * inside + UNIT * share, outside + UNIT)


_SPLIT: Final = 2.0**27 + 1
"""A number times this, less the same less the number, is the upper half of its digits."""


def product_difference(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Return a*b - c*d with all digits, of whatever has + - *: the products, and what rounding took away from each."""
    first, second = a * b, c * d
    return (first - second) + (_lost(a, b, first) - _lost(c, d, second))


def _lost(a: Any, b: Any, product: Any) -> Any:
    """Return what rounding has taken away from a product, by halves of the digits (Dekker 1971)."""
    u, v = _upper_half(a), _upper_half(b)
    x, y = a - u, b - v
    return ((u * v - product) + u * y + x * v) + x * y


def _upper_half(part: Any) -> Any:
    large = part * _SPLIT
    return large - (large - part)


def _log_ratio(above: Array, below: Array, difference: Array) -> Array:
    """Return log(a/b), from the difference where a/b is between 1/3 and 3."""
    share = difference / (above + below)
    is_close = np.abs(share) < 0.5
    return np.where(is_close, 2 * np.arctanh(np.where(is_close, share, 0)), np.log(above / below))


# Relative errors, in roundings ----------------------------------------------------------------------------------------


def _relative_of_sum(errors: Sequence[float], facts: Facts) -> float | None:
    if facts.are_same:
        return errors[0]  # twice a float is one
    return max(errors) + 1 if facts.are_nonnegative or not any(errors) else None


def _relative_of_difference(errors: Sequence[float], _: Facts) -> float | None:
    return 1.0 if not any(errors) else None


def _largest(errors: Sequence[float], _: Facts) -> float:
    return max(errors)


# Companions: what the absolute value is at most, without cancellation, and how many roundings of it the error is ------


def _companion_of_sum(of: Any, _: int, __: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    return of.program.add("add", parts[0].place, parts[1].place), max(part.factor for part in parts) + 1


def _companion_of_product(of: Any, _: int, __: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    return of.program.add("multiply", parts[0].place, parts[1].place), sum(part.factor for part in parts) + 1


def _companion_of_choice(of: Any, _: int, __: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    return of.program.add("maximum", parts[0].place, parts[1].place), max(part.factor for part in parts)


def _companion_of_quotient(of: Any, place: int, arguments: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    add, divisor = of.program.add, arguments[1]
    error = of.relative(divisor)
    if error is not None and of.vanishes_nowhere(divisor):
        return add("divide", parts[0].place, of.absolute(divisor)), parts[0].factor + error + 1
    # The error of a/b is that of a, and a/b times that of b, over b, which is certain to an eighth by the guard.
    of.loss(divisor)
    errors = add("add", parts[0].place, add("multiply", add("abs", place), parts[1].place))
    inside = add("divide", errors, of.absolute(divisor))
    return inside, 1.5 * max(parts[0].factor, parts[1].factor) + 2


def _companion_of_power(of: Any, place: int, arguments: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    exponent = float(abs(arguments[1])) if len(arguments) > 1 else 1.0  # of a root, with what is beyond first order
    return of.program.add("multiply", of.loss(arguments[0]), place), exponent * parts[0].factor + LIBRARY


def _companion_of_logarithm(of: Any, place: int, arguments: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    add, loss = of.program.add, of.loss(arguments[0])
    return add("add", loss, add("abs", place)), max(parts[0].factor + 1, LIBRARY)


def _companion_of_argument(_: Any, __: int, ___: Sequence[Any], parts: Sequence[Any]) -> tuple[int, float]:
    return parts[0].place, parts[0].factor


# Magnitudes, as powers of two -----------------------------------------------------------------------------------------


def _known(parts: Sequence[Magnitude]) -> list[float]:
    return [low for low, _ in parts if low is not None]


def _magnitude_of_sum(of: Any, arguments: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    if all(map(of.is_nonnegative, arguments)) or arguments[0] == arguments[1]:
        return max(_known(parts), default=None), max(high for _, high in parts) + 1
    low, high = _magnitude_of_difference(of, arguments, parts)
    return (None if low is None else low + of.kept_in_sums), high


def _magnitude_of_difference(of: Any, arguments: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    # What is no zero is at least the last digit of the smaller of two floats, if these are exact.
    known, high = _known(parts), max(high for _, high in parts) + 1
    return (min(known) - DIGITS if len(known) == 2 and of.are_exact(arguments) else of.unknown), high


def _magnitude_of_product(_: Any, __: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    low = None if len(_known(parts)) < len(parts) else sum(_known(parts))
    return low, sum(high for _, high in parts)


def _magnitude_of_quotient(of: Any, arguments: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    (low, high), (_, largest) = parts
    return (None if low is None else low - largest), high - of.lowest(arguments[1])


def _magnitude_of_power(of: Any, arguments: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    exponent = float(arguments[1]) if len(arguments) > 1 else 0.5
    ends = exponent * of.lowest(arguments[0]), exponent * parts[0][1]
    return min(ends), max(ends)


def _magnitude_of_logarithm(of: Any, arguments: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    return of.unknown, math.log2(max(*(abs(of.lowest(each)) for each in arguments), *(abs(p[1]) for p in parts), 1.0))


def _magnitude_of_log_ratio(of: Any, arguments: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    # The logarithm of a quotient is at most the sum of two, and the quotient is never written.
    low, high = _magnitude_of_logarithm(of, arguments[:2], parts[:2])
    return low, high + 1


def _magnitude_of_choice(_: Any, __: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    known = _known(parts)
    return (min(known) if len(known) == len(parts) else None), max(high for _, high in parts)


def _magnitude_of_products(of: Any, _: Sequence[Any], parts: Sequence[Magnitude]) -> Magnitude:
    """Return that of a*b - c*d, of which halves of the digits, and what they leave, are computed in between."""
    (low, high), (lower, higher) = (_magnitude_of_product(of, (), pair) for pair in (parts[:2], parts[2:]))
    known = [end for end in (low, lower) if end is not None]
    return (min(known) - 2 * DIGITS if len(known) == 2 else of.unknown), max(high, higher) + DIGITS // 2 + 2


# Widths of exact numbers: multiples of 2**-g up to 2**h ---------------------------------------------------------------


def _wider(parts: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return max(fine for fine, _ in parts), max(high for _, high in parts) + 1


def _widest(parts: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return max(fine for fine, _ in parts), max(high for _, high in parts)


# Degrees of homogeneity -----------------------------------------------------------------------------------------------


def _alike(parts: Sequence[Fraction], _: Fraction) -> Fraction | None:
    return parts[0] if len({*parts}) == 1 else None


def _of_degree_zero(parts: Sequence[Fraction], _: Fraction) -> Fraction | None:
    return Fraction(0) if {*parts} == {0} else None


# Slopes, by the chain rule backwards ----------------------------------------------------------------------------------


def _slopes_of_quotient(to: Any, outer: int | None, place: int, _: int, below: int) -> list[tuple[int, int | None]]:
    inner = to.over(outer, below)
    return [(1, inner), (-1, to.times(inner, place))]


def _slopes_of_root(to: Any, outer: int | None, place: int, _: int) -> list[tuple[int, int | None]]:
    return [(1, to.times(outer, to.times(to.over(None, place), to.number(Fraction(1, 2)))))]


def _slopes_of_power(to: Any, outer: int | None, place: int, base: int, power: Fraction) -> list[tuple[int, int]]:
    inner = to.times(outer, to.program.add("divide", place, base))
    return [(1, to.times(inner, to.number(power)))]


def _slopes_of_choice(to: Any, outer: int | None, left: int, right: int, *, larger: bool) -> list[tuple[int, int]]:
    """Return 1 for the argument that is chosen and 0 for the other; at a tie, the mean of the two slopes."""
    add, half = to.program.add, to.number(Fraction(1, 2))
    ahead = add("multiply", half, add("sign", add("subtract", left, right)))
    names = ("add", "subtract") if larger else ("subtract", "add")
    return [(1, to.times(outer, add(name, half, ahead))) for name in names]


OPERATIONS: Final[Mapping[str, Operation]] = MappingProxyType(
    {
        "add": Operation(
            arguments=2,
            function=np.add,
            sympy="Add",
            source="{} + {}",
            expression=lambda a, b: a + b,
            signs=_sign_of_sum,
            error=lambda _, a, b: a[1] + b[1],
            relative=_relative_of_sum,
            width=_wider,
            companion=_companion_of_sum,
            magnitude=_magnitude_of_sum,
            slopes=lambda to, outer, place, a, b: ((1, outer), (1, outer)),
            degree=_alike,
            is_commutative=True,
        ),
        "subtract": Operation(
            arguments=2,
            function=np.subtract,
            source="{} - {}",
            expression=lambda a, b: a - b,
            signs=lambda a, b: _sign_of_sum(a, -b),
            error=lambda _, a, b: a[1] + b[1],
            relative=_relative_of_difference,
            width=_wider,
            companion=_companion_of_sum,
            magnitude=_magnitude_of_difference,
            slopes=lambda to, outer, place, a, b: ((1, outer), (-1, outer)),
            degree=_alike,
        ),
        "multiply": Operation(
            arguments=2,
            function=np.multiply,
            sympy="Mul",
            source="{} * {}",
            expression=lambda a, b: a * b,
            signs=lambda a, b: (a * b,),
            error=_error_of_product,
            relative=lambda errors, facts: sum(errors) + (0 if facts.scales else 1),
            width=lambda parts: (sum(fine for fine, _ in parts), sum(high for _, high in parts)),
            companion=_companion_of_product,
            magnitude=_magnitude_of_product,
            slopes=lambda to, outer, place, a, b: ((1, to.times(outer, b)), (1, to.times(outer, a))),
            degree=lambda parts, _: parts[0] + parts[1],
            is_commutative=True,
        ),
        "divide": Operation(
            arguments=2,
            function=np.divide,
            source="{} / {}",
            expression=lambda a, b: a / b,
            signs=lambda a, b: (a * b,),
            error=_error_of_quotient,
            relative=lambda errors, _: sum(errors) + 1,
            companion=_companion_of_quotient,
            magnitude=_magnitude_of_quotient,
            slopes=_slopes_of_quotient,
            degree=lambda parts, _: parts[0] - parts[1],
            cost=1.5,
        ),
        "negative": Operation(
            arguments=1,
            function=np.negative,
            source="-{}",
            expression=lambda a: -a,
            signs=lambda a: (-a,),
            error=lambda _, a: a[1],
            relative=_largest,
            width=_widest,
            companion=_companion_of_argument,
            magnitude=_magnitude_of_choice,
            slopes=lambda to, outer, place, a: ((-1, outer),),
            degree=_alike,
            rounding=0,
        ),
        "sqrt": Operation(
            arguments=1,
            function=np.sqrt,
            source="sqrt({})",
            expression=_of_sympy("sqrt"),
            signs=lambda a: (max(a, 0),),
            error=lambda value, a: _error_of_power(value, a, 0.5),
            relative=lambda errors, _: errors[0] / 2 + 1,
            companion=_companion_of_power,
            magnitude=_magnitude_of_power,
            slopes=_slopes_of_root,
            degree=lambda parts, _: parts[0] / 2,
            cost=5.0,
        ),
        "power": Operation(
            arguments=1,
            function=np.power,
            standard="pow",
            source="power({}, {})",
            expression=lambda a, exponent: a**exponent,
            signs=lambda a: (max(a, 0),),
            error=_error_of_power,
            relative=lambda errors, facts: abs(facts.exponent) * errors[0] + LIBRARY,
            companion=_companion_of_power,
            magnitude=_magnitude_of_power,
            slopes=_slopes_of_power,
            degree=lambda parts, exponent: parts[0] * exponent,
            cost=15.0,
            rounding=2,
        ),
        "log": Operation(
            arguments=1,
            function=np.log,
            sympy="log",
            source="log({})",
            expression=_of_sympy("log"),
            signs=lambda a: _ANY,
            error=lambda _, a: _shrinking(a),
            relative=lambda errors, facts: None,
            companion=_companion_of_logarithm,
            magnitude=_magnitude_of_logarithm,
            slopes=lambda to, outer, place, a: ((1, to.over(outer, a)),),
            degree=_of_degree_zero,
            cost=4.0,
            rounding=2,
        ),
        "abs": Operation(
            arguments=1,
            function=np.absolute,
            sympy="Abs",
            source="abs({})",
            expression=_of_sympy("Abs"),
            signs=lambda a: (abs(a),),
            error=lambda _, a: a[1],
            relative=_largest,
            width=_widest,
            companion=_companion_of_argument,
            magnitude=_magnitude_of_choice,
            slopes=lambda to, outer, place, a: ((1, to.times(outer, to.program.add("sign", a))),),
            degree=_alike,
            rounding=0,
        ),
        "sign": Operation(
            arguments=1,
            function=np.sign,
            source="1.0 if {0} > 0 else (-1.0 if {0} < 0 else 0.0 * {0})",  # nan if it is
            expression=_of_sympy("sign"),
            signs=lambda a: (a,),
            error=lambda _, a: np.where(np.abs(a[0]) > a[1], 0.0, 2.0 * (a[1] > 0)),
            relative=_largest,
            companion=None,
            magnitude=lambda of, arguments, parts: (of.unknown, 0.0),
            slopes=None,
            degree=_of_degree_zero,
            rounding=0,
        ),
        "minimum": Operation(
            arguments=2,
            function=np.minimum,
            sympy="Min",
            source="{0} if ({0} < {1}) | ({0} != {0}) else {1}",  # nan if either is
            expression=_of_sympy("Min"),
            signs=lambda a, b: (min(a, b),),
            error=_error_of_minimum,
            relative=_largest,
            width=_widest,
            companion=_companion_of_choice,
            magnitude=_magnitude_of_choice,
            slopes=lambda to, outer, place, a, b: _slopes_of_choice(to, outer, a, b, larger=False),
            degree=_alike,
            is_commutative=True,
            rounding=0,
        ),
        "maximum": Operation(
            arguments=2,
            function=np.maximum,
            sympy="Max",
            source="{0} if ({0} > {1}) | ({0} != {0}) else {1}",
            expression=_of_sympy("Max"),
            signs=lambda a, b: (max(a, b),),
            error=_error_of_maximum,
            relative=_largest,
            width=_widest,
            companion=_companion_of_choice,
            magnitude=_magnitude_of_choice,
            slopes=lambda to, outer, place, a, b: _slopes_of_choice(to, outer, a, b, larger=True),
            degree=_alike,
            is_commutative=True,
            rounding=0,
        ),
        # Two operations of code in other languages alone, which Python does by more digits.
        "log_ratio": Operation(
            arguments=3,  # a, b and a - b, with which log(a/b) keeps its digits where a/b is close to 1
            source="log_ratio({}, {}, {})",
            function=_log_ratio,
            expression=lambda a, b, _: _of_sympy("log")(a / b),
            signs=lambda a, b, difference: (difference,),
            error=_error_of_log_ratio,
            relative=lambda errors, facts: None,
            companion=None,
            magnitude=_magnitude_of_log_ratio,
            slopes=None,
            degree=lambda parts, _: Fraction(0) if len({*parts}) == 1 else None,
            cost=6.0,
            rounding=2,
        ),
        "product_difference": Operation(
            arguments=4,  # a*b - c*d of cells, computed with all digits
            source="product_difference({}, {}, {}, {})",
            function=product_difference,
            expression=lambda a, b, c, d: a * b - c * d,
            signs=lambda *_: _ANY,
            error=lambda _, *parts: np.zeros_like(parts[0][0]),
            relative=lambda errors, facts: None,
            companion=None,
            magnitude=_magnitude_of_products,
            width=lambda parts: (2 * max(fine for fine, _ in parts), 2 * max(high for _, high in parts) + 1),
            slopes=None,
            degree=lambda parts, _: 2 * parts[0] if len({*parts}) == 1 else None,
            cost=8.0,
            rounding=2,
        ),
    }
)
"""All operations but the two that take none: a cell, and a number."""

NAMES: Final = MappingProxyType({operation.sympy: name for name, operation in OPERATIONS.items() if operation.sympy})
"""Names of operations by those of SymPy's classes."""
