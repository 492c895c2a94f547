"""The table of operations: one record holds everything that evaluators, error bounds and printers know of "divide".

A program (:mod:`symmetrics.numeric.program`) is a list of operations by name.  A record says how one is computed by
NumPy and in source code, which signs and magnitudes it can have, what rounding does to it, and its derivative; whoever
needs one of these reads it from the table, and ``tests/test_operations.py`` compares each with exact arithmetic.  How
other languages write an operation stands in their own tables, by the same names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from math import inf, sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from symmetrics.numeric import rounding_rules as rules
from symmetrics.numeric.rounding_rules import LIBRARY, Array, Facts, Magnitude
from symmetrics.tools.catalogue import LoadedWhenUsed

if TYPE_CHECKING:
    import numpy as np
else:
    np = LoadedWhenUsed("numpy")


@dataclass(frozen=True)
class Operation:
    """One operation on floats.

    Fields left out default to the most cautious: any sign, no bound, no derivative, the degree of a constant.

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
        the builder of :mod:`symmetrics.numeric.arrays`, the outer derivative, the operation and its arguments
    :param degree: the power of t by which the value grows if the arguments grow by some powers of it, None if by none
    :param sympy: the class of SymPy's that is read as it, of any number of arguments if it takes two
    :param numpy: the name of NumPy's function
    :param of_arrays: a function of arrays instead of one of NumPy's
    :param standard: the function's name in the array API standard
    :param cost: passes over memory that is in the cache
    :param rounding: how many roundings the operation itself takes; 0 if it only chooses or turns a sign
    :param largest: from upper bounds of arguments that are never negative that of the value; infinite if none is known
    :param ends: from the exponent, if there is one, the values at 0, 1 and the two infinities, those that are numbers
        without rounding or infinite; of operations of one argument
    :param is_real_below_zero: whether it is real for negative arguments, too
    :param in_loops: whether compiled loops are faster than NumPy, which does logarithms and powers several at a time
    :param width: from the widths of exact arguments (as ``Precision`` has them) that of the exact value; None unless
        whole numbers have a whole value
    :param is_commutative: whether the order of the arguments does not matter
    """

    arguments: int
    source: str
    expression: Callable[..., Any]
    error: Callable[..., Array]
    magnitude: Callable[..., Magnitude]
    signs: Callable[..., Iterable[int]] = lambda *_: (-1, 0, 1)
    relative: Callable[[Sequence[float], Facts], float | None] = lambda *_: None
    companion: Callable[..., tuple[int, float]] | None = None
    slopes: Callable[..., Sequence[tuple[int, int | None]]] | None = None
    degree: Callable[[Sequence[Fraction], Fraction], Fraction | None] = lambda parts, _: (
        Fraction(0) if {*parts} == {0} else None
    )
    sympy: str = ""
    numpy: str = ""
    of_arrays: Callable[..., Any] | None = None
    standard: str = ""
    cost: float = 1.0
    rounding: int = 1
    largest: Callable[[Sequence[float]], float] = lambda _: inf
    ends: Callable[..., Mapping[float, float]] = lambda *_: {}
    is_real_below_zero: bool = True
    in_loops: bool = True
    width: Callable[[Sequence[tuple[float, float]]], tuple[float, float]] | None = None
    is_commutative: bool = False

    @property
    def function(self) -> Any:
        """The function of arrays, or None if only other languages compute it."""
        return getattr(np, self.numpy) if self.numpy else self.of_arrays

    def is_infinite_at_zero(self, *exponent: Any) -> bool:
        """Whether it is infinite at zero, like a logarithm, or a power with a negative exponent."""
        return self.ends(*exponent).get(0.0) in (inf, -inf)


def _of_sympy(name: str) -> Callable[..., Any]:
    """Return a SymPy function that is imported only when called."""
    return lambda *parts: getattr(import_module("sympy"), name)(*parts)


# Signs ----------------------------------------------------------------------------------------------------------------

_ANY: Final = (-1, 0, 1)


def _sign_of_sum(left: int, right: int) -> tuple[int, ...]:
    return _ANY if left * right < 0 else (left or right,)


SPLIT: Final = 2.0**27 + 1
"""Veltkamp's splitting constant: ``x*c - (x*c - x)`` is the upper half of the digits of x."""


def product_difference(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Return a*b - c*d accurately, for any number type with + - *: the products, and the rounding error of each."""
    first, second = a * b, c * d
    return (first - second) + (_lost(a, b, first) - _lost(c, d, second))


def _lost(a: Any, b: Any, product: Any) -> Any:
    """Return the rounding error of a product, by splitting both factors (Dekker 1971)."""
    u, v = _upper_half(a), _upper_half(b)
    x, y = a - u, b - v
    return ((u * v - product) + u * y + x * v) + x * y


def _upper_half(part: Any) -> Any:
    large = SPLIT * part
    return large - (large - part)


def _log_ratio(above: Array, below: Array, difference: Array) -> Array:
    """Return log(a/b), computed from the difference a - b where a/b is between 1/3 and 3."""
    share = difference / (above + below)
    is_close = np.abs(share) < 0.5
    return np.where(is_close, 2 * np.arctanh(np.where(is_close, share, 0)), np.log(above / below))


# Degrees of homogeneity -----------------------------------------------------------------------------------------------


def _alike(parts: Sequence[Fraction], _: Fraction) -> Fraction | None:
    return parts[0] if len({*parts}) == 1 else None


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
    """Add the derivatives of min or max to a program: 1 for the attained argument, 0 for the other, 1/2 at a tie."""
    add, half = to.program.add, to.number(Fraction(1, 2))
    ahead = add("multiply", half, add("sign", add("subtract", left, right)))
    names = ("add", "subtract") if larger else ("subtract", "add")
    return [(1, to.times(outer, add(name, half, ahead))) for name in names]


def _extreme(numpy: str, sympy: str, sign: str, chosen: Callable[..., Any], error: Callable[..., Array]) -> Operation:
    """Return the operation for a minimum or maximum; it is nan if either argument is."""
    return Operation(
        arguments=2,
        numpy=numpy,
        sympy=sympy,
        source=f"{{0}} if ({{0}} {sign} {{1}}) | ({{0}} != {{0}}) else {{1}}",
        expression=_of_sympy(sympy),
        signs=lambda a, b: (chosen(a, b),),
        error=error,
        relative=rules.largest,
        width=rules.widest,
        largest=chosen,
        companion=rules.companion_of_choice,
        magnitude=rules.magnitude_of_choice,
        slopes=lambda to, outer, place, a, b: _slopes_of_choice(to, outer, a, b, larger=sign == ">"),
        degree=_alike,
        is_commutative=True,
        rounding=0,
    )


OPERATIONS: Final[Mapping[str, Operation]] = MappingProxyType(
    {
        "add": Operation(
            arguments=2,
            numpy="add",
            sympy="Add",
            source="{} + {}",
            expression=lambda a, b: a + b,
            signs=_sign_of_sum,
            error=lambda _, a, b: a[1] + b[1],
            relative=rules.relative_of_sum,
            width=rules.wider,
            largest=sum,
            companion=rules.companion_of_sum,
            magnitude=rules.magnitude_of_sum,
            slopes=lambda to, outer, place, a, b: ((1, outer), (1, outer)),
            degree=_alike,
            is_commutative=True,
        ),
        "subtract": Operation(
            arguments=2,
            numpy="subtract",
            source="{} - {}",
            expression=lambda a, b: a - b,
            signs=lambda a, b: _sign_of_sum(a, -b),
            error=lambda _, a, b: a[1] + b[1],
            relative=rules.relative_of_difference,
            width=rules.wider,
            companion=rules.companion_of_sum,
            magnitude=rules.magnitude_of_difference,
            slopes=lambda to, outer, place, a, b: ((1, outer), (-1, outer)),
            degree=_alike,
        ),
        "multiply": Operation(
            arguments=2,
            numpy="multiply",
            sympy="Mul",
            source="{} * {}",
            expression=lambda a, b: a * b,
            signs=lambda a, b: (a * b,),
            error=rules.error_of_product,
            relative=lambda errors, facts: sum(errors) + (0 if facts.scales else 1),
            width=lambda parts: (sum(fine for fine, _ in parts), sum(high for _, high in parts)),
            largest=lambda parts: parts[0] * parts[1] if 0 not in parts else 0.0,
            companion=rules.companion_of_product,
            magnitude=rules.magnitude_of_product,
            slopes=lambda to, outer, place, a, b: ((1, to.times(outer, b)), (1, to.times(outer, a))),
            degree=lambda parts, _: parts[0] + parts[1],
            is_commutative=True,
        ),
        "divide": Operation(
            arguments=2,
            numpy="divide",
            source="{} / {}",
            expression=lambda a, b: a / b,
            signs=lambda a, b: (a * b,),
            error=rules.error_of_quotient,
            relative=lambda errors, _: sum(errors) + 1,
            companion=rules.companion_of_quotient,
            magnitude=rules.magnitude_of_quotient,
            slopes=_slopes_of_quotient,
            degree=lambda parts, _: parts[0] - parts[1],
            cost=1.5,
        ),
        "negative": Operation(
            arguments=1,
            numpy="negative",
            source="-{}",
            expression=lambda a: -a,
            signs=lambda a: (-a,),
            error=lambda _, a: a[1],
            relative=rules.largest,
            width=rules.widest,
            companion=rules.companion_of_argument,
            magnitude=rules.magnitude_of_choice,
            slopes=lambda to, outer, place, a: ((-1, outer),),
            degree=_alike,
            rounding=0,
        ),
        "sqrt": Operation(
            arguments=1,
            numpy="sqrt",
            source="sqrt({})",
            expression=_of_sympy("sqrt"),
            signs=lambda a: (max(a, 0),),
            error=lambda value, a: rules.error_of_power(value, a, 0.5),
            relative=lambda errors, _: errors[0] / 2 + 1,
            largest=lambda parts: sqrt(parts[0]),
            ends=lambda: {0.0: 0.0, 1.0: 1.0, inf: inf},
            is_real_below_zero=False,
            companion=rules.companion_of_power,
            magnitude=rules.magnitude_of_power,
            slopes=_slopes_of_root,
            degree=lambda parts, _: parts[0] / 2,
            cost=5.0,
        ),
        "power": Operation(
            arguments=1,
            numpy="power",
            standard="pow",
            source="power({}, {})",
            expression=lambda a, exponent: a**exponent,
            signs=lambda a: (max(a, 0),),
            error=rules.error_of_power,
            relative=lambda errors, facts: abs(facts.exponent) * errors[0] + LIBRARY,
            ends=lambda exponent: {0.0: 0.0 if exponent > 0 else inf, 1.0: 1.0, inf: inf if exponent > 0 else 0.0},
            is_real_below_zero=False,
            in_loops=False,
            companion=rules.companion_of_power,
            magnitude=rules.magnitude_of_power,
            slopes=_slopes_of_power,
            degree=lambda parts, exponent: parts[0] * exponent,
            cost=15.0,
            rounding=2,
        ),
        "log": Operation(
            arguments=1,
            numpy="log",
            sympy="log",
            source="log({})",
            expression=_of_sympy("log"),
            error=lambda _, a: rules.spread_of_logarithm(a),
            ends=lambda: {0.0: -inf, 1.0: 0.0, inf: inf},
            is_real_below_zero=False,
            in_loops=False,
            companion=rules.companion_of_logarithm,
            magnitude=rules.magnitude_of_logarithm,
            slopes=lambda to, outer, place, a: ((1, to.over(outer, a)),),
            cost=4.0,
            rounding=2,
        ),
        "abs": Operation(
            arguments=1,
            numpy="absolute",
            sympy="Abs",
            source="abs({})",
            expression=_of_sympy("Abs"),
            signs=lambda a: (abs(a),),
            ends=lambda: {0.0: 0.0, 1.0: 1.0, inf: inf, -inf: inf},
            error=lambda _, a: a[1],
            relative=rules.largest,
            width=rules.widest,
            companion=rules.companion_of_argument,
            magnitude=rules.magnitude_of_choice,
            slopes=lambda to, outer, place, a: ((1, to.times(outer, to.program.add("sign", a))),),
            degree=_alike,
            rounding=0,
        ),
        "sign": Operation(
            arguments=1,
            numpy="sign",
            source="1.0 if {0} > 0 else (-1.0 if {0} < 0 else 0.0 * {0})",  # nan for nan
            expression=_of_sympy("sign"),
            signs=lambda a: (a,),
            error=lambda _, a: np.where(np.abs(a[0]) > a[1], 0.0, 2.0 * (a[1] > 0)),
            relative=rules.largest,
            magnitude=lambda of, arguments, parts: (of.unknown, 0.0),
            rounding=0,
        ),
        "minimum": _extreme("minimum", "Min", "<", min, rules.error_of_minimum),
        "maximum": _extreme("maximum", "Max", ">", max, rules.error_of_maximum),
        # Two operations for generated code only; Python computes them with higher precision.
        "log_ratio": Operation(
            arguments=3,  # a, b and a - b, with which log(a/b) stays accurate where a/b is close to 1
            source="log_ratio({}, {}, {})",
            of_arrays=_log_ratio,
            expression=lambda a, b, _: _of_sympy("log")(a / b),
            signs=lambda a, b, difference: (difference,),
            error=rules.error_of_log_ratio,
            magnitude=rules.magnitude_of_log_ratio,
            degree=lambda parts, _: Fraction(0) if len({*parts}) == 1 else None,
            cost=6.0,
            rounding=2,
        ),
        "product_difference": Operation(
            arguments=4,  # a*b - c*d of cells, computed without loss of digits
            source="product_difference({}, {}, {}, {})",
            of_arrays=product_difference,
            expression=lambda a, b, c, d: a * b - c * d,
            error=lambda _, *parts: np.zeros_like(parts[0][0]),
            magnitude=rules.magnitude_of_products,
            width=lambda parts: (2 * max(fine for fine, _ in parts), 2 * max(high for _, high in parts) + 1),
            degree=lambda parts, _: 2 * parts[0] if len({*parts}) == 1 else None,
            cost=8.0,
            rounding=2,
        ),
    }
)
"""All operations except the two without arguments: cell and number."""

NAMES: Final = MappingProxyType({operation.sympy: name for name, operation in OPERATIONS.items() if operation.sympy})
"""Names of operations by the SymPy class that is converted to them."""
