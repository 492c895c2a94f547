"""Exact arithmetic at one matrix: rationals, balls of many digits where roots come in, and poles.

A quotient by zero is a pole, of either sign; one over a pole is 0, and what depends on how a pole is approached has no
value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from flint import arb, fmpq

from symmetrics.algebra.evaluate import Unclear, Undefined

Value = Any
"""An exact ``fmpq``, or a ball ``arb`` that is certain to hold the value."""


class Pole(ArithmeticError):
    """The expression is infinite, of either sign; within rules the class stands for such a value."""


def added(terms: Sequence[Value]) -> Value:
    """Return an exact sum; with two poles, of either sign, it has no value."""
    poles = sum(term is Pole for term in terms)
    if poles:
        raise (Pole if poles == 1 else Undefined)("poles of either sign")
    return sum(terms, fmpq(0))


def multiplied(factors: Sequence[Value]) -> Value:
    """Return an exact product; a pole times 0 has no value."""
    finite = [factor for factor in factors if factor is not Pole]
    product: Value = math.prod(finite, start=fmpq(1))
    if len(finite) == len(factors):
        return product
    raise (Pole if is_nonzero(product) else Undefined)("a pole")


def power(values: Sequence[Value]) -> Value:
    """Return an exact power: 0 and a pole are each other's reciprocals, and a negative base has no root."""
    base, exponent = values
    if exponent is Pole:
        raise Undefined("an infinite exponent")
    rises = exponent >= 0 or not is_nonzero(exponent)
    if base is Pole:
        if rises:
            raise Pole
        return fmpq(0)
    if not rises and not is_nonzero(base):
        raise Pole
    if isinstance(exponent, fmpq) and exponent.q == 1:
        return base ** int(exponent.p)
    if isinstance(base, fmpq) and base == 0:
        return fmpq(0)
    if not base > 0:
        raise (Undefined if base < 0 else Unclear)("a root of a negative number")
    if isinstance(exponent, fmpq) and exponent.q == 2:
        return _root(base) ** int(exponent.p)
    return arb(base) ** arb(exponent)


def _root(value: Value) -> Value:
    """Return a square root, which is exact where it is rational."""
    if isinstance(value, fmpq):
        top, bottom = math.isqrt(int(value.p)), math.isqrt(int(value.q))
        if top**2 == value.p and bottom**2 == value.q:
            return fmpq(top, bottom)
    return arb(value).sqrt()


def logarithm(values: Sequence[Value]) -> Value:
    """Return an exact logarithm, with a pole at 0."""
    (value,) = values
    if value is Pole or (isinstance(value, fmpq) and value == 0):
        raise Pole
    if not value > 0:
        raise (Undefined if value < 0 else Unclear)("a logarithm of a negative number")
    return fmpq(0) if isinstance(value, fmpq) and value == 1 else arb(value).log()


def largest(values: Sequence[Value]) -> Value:
    """Return the largest of exact values; beside a pole, of either sign, there is none."""
    if any(value is Pole for value in values):
        raise Undefined("an extreme of a pole")
    if all(isinstance(value, fmpq) for value in values):
        return max(values)
    return reduce(lambda most, value: most.max(arb(value)), values[1:], arb(values[0]))


def smallest(values: Sequence[Value]) -> Value:
    """Return the smallest of exact values, as minus the largest of their negatives."""
    return -largest([value if value is Pole else -value for value in values])


def magnitude(values: Sequence[Value]) -> Value:
    """Return an exact absolute value."""
    if values[0] is Pole:
        raise Pole
    return abs(values[0])


def is_nonzero(value: Value) -> bool:
    """Whether an exact value is other than 0."""
    if not isinstance(value, fmpq) and not (value > 0 or value < 0):
        raise Unclear("a value near 0")
    return bool(value != 0)


def part(rule: Callable[..., Value], *arguments: Any) -> Value:
    """Return what a rule returns, in which a pole is a value like others."""
    try:
        return rule(*arguments)
    except Pole:
        return Pole
