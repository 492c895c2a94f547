"""The values of formulas, in an arithmetic that shares no code with the package, and places to take them at.

A value is a fraction while it can be, and an interval that certainly holds it beyond; ``None`` where the formula has
no value, or none is certain.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from random import Random
from typing import Any

from mpmath import iv

Value = Any
CELLS = ("TP", "FN", "FP", "TN")
BITS = 400


class Undefined(Exception):
    """The formula has no value at these counts."""


class Uncertain(Undefined):
    """It is not known whether the formula has a value: an interval holds zero, and more."""


# -- values --------------------------------------------------------------------------------------------------------


def value_of(text: str, place: Mapping[str, Fraction]) -> Value:
    """Return the value of a formula, or None."""
    return state_of(text, place)[0]


def state_of(text: str, place: Mapping[str, Fraction]) -> tuple[Value, bool]:
    """Return the value of a formula, or None, and whether it certainly has none."""
    iv.prec = BITS
    try:
        return evaluated(tree_of(text), place), False
    except Undefined as reason:
        return None, not isinstance(reason, Uncertain)
    except (ZeroDivisionError, OverflowError, ValueError):
        return None, False


@lru_cache(maxsize=1000)
def tree_of(text: str) -> ast.expr:
    """Return a formula as a tree."""
    return ast.parse(text, mode="eval").body


def evaluated(node: ast.expr, place: Mapping[str, Fraction]) -> Value:
    """Return the value of a tree.

    :raises Undefined: if it has none
    """
    match node:
        case ast.Constant(value=int() as number):
            return Fraction(number)
        case ast.Name(id="pi"):
            return iv.pi + 0
        case ast.Name(id=name):
            return place[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -evaluated(operand, place)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return power(evaluated(left, place), evaluated(right, place))
        case ast.BinOp(left=left, op=operator, right=right):
            return combined(operator, evaluated(left, place), evaluated(right, place))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _call(name, [evaluated(argument, place) for argument in arguments])
    raise TypeError(f"the grammar makes no formula with {ast.dump(node)}")


def combined(operator: ast.operator, left: Value, right: Value) -> Value:
    """Return the sum, difference, product or quotient of two values."""
    if isinstance(left, Fraction) != isinstance(right, Fraction):
        left, right = interval(left), interval(right)
    match operator:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
    _require(sign_of(right), (1, -1))
    return left / right


def _require(sign: int | None, accepted: tuple[int, ...]) -> None:
    if sign is None:
        raise Uncertain
    if sign not in accepted:
        raise Undefined


def _call(name: str, arguments: list[Value]) -> Value:
    if name == "sqrt":
        return power(arguments[0], Fraction(1, 2))
    if name == "Abs":
        return abs(arguments[0])
    if name == "log":
        _require(sign_of(arguments[0]), (1,))
        exact = isinstance(arguments[0], Fraction) and arguments[0] == 1
        return Fraction(0) if exact else iv.log(interval(arguments[0]))
    choose = max if name == "Max" else min
    if all(isinstance(argument, Fraction) for argument in arguments):
        return choose(arguments)
    parts = [interval(argument) for argument in arguments]
    return iv.mpf([choose(part.a for part in parts), choose(part.b for part in parts)])


def power(base: Value, exponent: Value) -> Value:
    """Return a power with a rational exponent."""
    if not isinstance(exponent, Fraction):
        raise Uncertain
    sign = sign_of(base)
    if exponent.denominator == 1:
        if exponent < 0:
            _require(sign, (1, -1))
        return base ** int(exponent)
    if sign == 0 and exponent > 0:
        return Fraction(0)
    _require(sign, (1,))
    if isinstance(base, Fraction):
        roots = [_whole_root(part, exponent.denominator) for part in (base.numerator, base.denominator)]
        top, bottom = roots
        if top is not None and bottom is not None:
            return Fraction(top, bottom) ** int(exponent.numerator)
    return iv.exp(iv.log(interval(base)) * exponent.numerator / exponent.denominator)


def _whole_root(number: int, degree: int) -> int | None:
    if degree == 2:
        root = isqrt(number)
    else:
        low, root = 0, 1 << -(-number.bit_length() // degree)
        while low < root:
            middle = (low + root + 1) // 2
            low, root = (middle, root) if middle**degree <= number else (low, middle - 1)
    return root if root**degree == number else None


def interval(value: Value) -> Value:
    """Return a value as an interval."""
    return iv.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else value


def sign_of(value: Value) -> int | None:
    """Return the sign of a value, or None if the interval leaves it open."""
    if isinstance(value, Fraction):
        return (value > 0) - (value < 0)
    return 1 if value.a > 0 else -1 if value.b < 0 else None


def difference(left: Value, right: Value) -> Value:
    """Return left - right."""
    return combined(ast.Sub(), left, right)


# -- places --------------------------------------------------------------------------------------------------------


def draw_count(random: Random) -> Fraction:
    """Return a positive count: a small or huge whole number, or a fraction that may be tiny."""
    kind = random.random()
    if kind < 0.5:
        return Fraction(random.randint(1, 9))
    if kind < 0.75:
        return Fraction(random.randint(1, 60), random.randint(1, 30))
    return Fraction(random.randint(1, 99)) * Fraction(10) ** random.choice((-9, -6, -4, -2, 2, 4, 6, 9))


def draw_table(random: Random) -> tuple[Fraction, ...]:
    """Return a table, in which some cells may be equal or nearly so, and all may be tiny or huge."""
    table = [draw_count(random) for _ in CELLS]
    if random.random() < 0.3:
        first, second = random.sample(range(4), 2)
        table[first] = table[second] * random.choice((1, 1, 1 + Fraction(1, 10**6)))
    # Where a formula compares a count with a share, another part of it is the larger one only at such tables.
    scale = Fraction(10) ** random.choice((-12, -3, 6)) if random.random() < 0.2 else Fraction(1)
    return tuple(count * scale for count in table)


def domain_of(declaration: str) -> tuple[Fraction, Fraction | None, bool, bool]:
    """Return the ends of a domain, the upper one None if there is none, and whether they belong to it.

    A parameter that is declared without a domain ranges over all numbers; so does one from -oo on.
    """
    _, found, rest = declaration.partition(" in ")
    domain = rest.split(" = ")[0] if found else "(-oo, oo)"
    lower, upper = (end.strip() for end in domain.strip()[1:-1].split(","))
    low = Fraction(-9) if lower == "-oo" else Fraction(lower)
    return low, None if upper == "oo" else Fraction(upper), domain[0] == "[", domain[-1] == "]"


def in_domain(value: Fraction, declaration: str) -> bool:
    """Whether a parameter may have a value."""
    low, high, first, last = domain_of(declaration)
    above = value > low or (first and value == low) or "-oo" in declaration or " in " not in declaration
    return above and (high is None or value < high or (last and value == high))


def draw_parameter(random: Random, declaration: str) -> Fraction:
    """Return a value of a parameter inside its domain, often at an end of it."""
    low, upper, first, last = domain_of(declaration)
    high = low + 18 if upper is None else upper
    ends = [low] * first + [high] * last
    if ends and random.random() < 0.4:
        return random.choice(ends)
    inner = [Fraction(1, 3), Fraction(1, 2), Fraction(0), low + (high - low) * Fraction(random.randint(1, 99), 100)]
    return random.choice([value for value in inner if low < value < high] or ends)


def name_of(declaration: str) -> str:
    """Return the name of a parameter."""
    return declaration.split(" in ")[0].split(" = ")[0]
