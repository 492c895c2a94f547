"""Random formulas as texts, and their values in an arithmetic that shares no code with the package.

A value is a fraction while it can be, and an interval that certainly holds it beyond; ``None`` where the formula has
no value, or none is certain.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from random import Random
from typing import Any

from mpmath import iv

Value = Any
CELLS = ("TP", "FN", "FP", "TN")
DOMAINS = ("[0, 1]", "[0, 1]", "[0, 1] = 1/2", "(0, 1]", "[-1, 1]", "[0, oo)", "[1, 2)", "[0, 2] = 1")
BITS = 400


class Undefined(Exception):
    """The formula has no value at these counts, or none that is certain."""


# -- values --------------------------------------------------------------------------------------------------------


def value_of(text: str, place: Mapping[str, Fraction]) -> Value:
    """Return the value of a formula, or None."""
    iv.prec = BITS
    try:
        return _value(_tree(text), place)
    except (Undefined, ZeroDivisionError, OverflowError, ValueError):
        return None


@lru_cache(maxsize=1000)
def _tree(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _value(node: ast.expr, place: Mapping[str, Fraction]) -> Value:
    match node:
        case ast.Constant(value=int() as number):
            return Fraction(number)
        case ast.Name(id="pi"):
            return iv.pi + 0
        case ast.Name(id=name):
            return place[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, place)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_value(left, place), _value(right, place))
        case ast.BinOp(left=left, op=operator, right=right):
            return _combine(operator, _value(left, place), _value(right, place))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _call(name, [_value(argument, place) for argument in arguments])
    raise TypeError(f"the grammar makes no formula with {ast.dump(node)}")


def _combine(operator: ast.operator, left: Value, right: Value) -> Value:
    if isinstance(left, Fraction) != isinstance(right, Fraction):
        left, right = interval(left), interval(right)
    match operator:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
    if sign_of(right) not in (1, -1):
        raise Undefined
    return left / right


def _call(name: str, arguments: list[Value]) -> Value:
    if name == "sqrt":
        return _power(arguments[0], Fraction(1, 2))
    if name == "Abs":
        return abs(arguments[0])
    if name == "log":
        if sign_of(arguments[0]) != 1:
            raise Undefined
        exact = isinstance(arguments[0], Fraction) and arguments[0] == 1
        return Fraction(0) if exact else iv.log(interval(arguments[0]))
    choose = max if name == "Max" else min
    if all(isinstance(argument, Fraction) for argument in arguments):
        return choose(arguments)
    parts = [interval(argument) for argument in arguments]
    return iv.mpf([choose(part.a for part in parts), choose(part.b for part in parts)])


def _power(base: Value, exponent: Fraction) -> Value:
    if not isinstance(exponent, Fraction):
        raise Undefined
    sign = sign_of(base)
    if exponent.denominator == 1:
        if exponent < 0 and sign not in (1, -1):
            raise Undefined
        return base ** int(exponent)
    if sign == 0 and exponent > 0:
        return Fraction(0)
    if sign != 1:
        raise Undefined
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
    return _combine(ast.Sub(), left, right)


# -- formulas ------------------------------------------------------------------------------------------------------


class Grammar:
    """Draws formulas; mostly small ones, in which the parts that have fooled provers are frequent."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.parameters: dict[str, str] = {}

    def formula(self) -> tuple[str, tuple[str, ...]]:
        """Return a formula and the declarations of its parameters."""
        names = self.random.choice([(), (), (), (), (), (), (), ("w",), ("w",), ("w",), ("w", "v")])
        self.parameters = {name: f"{name} in {self.random.choice(DOMAINS)}" for name in names}
        text = self.part(self.random.choice((1, 1, 1, 1, 1, 2)))
        return text, tuple(declaration for name, declaration in self.parameters.items() if name in text)

    def part(self, depth: int) -> str:
        """Return a formula of some depth."""
        if depth <= 0:
            if depth == 0 and self.random.random() < 0.15:
                return self.special(-1)
            return self.random.choice([self.ratio, self.ratio, self.linear, self.linear, self.atom])()
        kinds: list[tuple[int, Callable[[int], str]]] = [
            (6, lambda d: f"{self.part(d)} + {self.factor(d)}"),
            (4, lambda d: f"{self.part(d)} - {self.factor(d)}"),
            (4, lambda d: f"{self.factor(d)}*{self.factor(d)}"),
            (4, lambda d: f"{self.factor(d)}/{self.factor(d)}"),
            (3, lambda d: f"sqrt({self.part(d)})"),
            (1, lambda d: f"{self.factor(d)}**({self.random.choice(('1/3', '2/3', '3/2', '1/4', '-1/2'))})"),
            (3, lambda d: f"{self.factor(d)}**{self.random.choice((2, 2, 3, 4))}"),
            (2, lambda d: f"Abs({self.part(d)})"),
            (2, lambda d: f"{self.random.choice(('Min', 'Max'))}({self.part(d)}, {self.part(d)})"),
            (2, lambda d: f"log({self.part(d)})"),
            (2, self.special),
        ]
        weights, makers = zip(*kinds, strict=True)
        return self.random.choices(makers, weights)[0](depth - 1)

    def special(self, depth: int) -> str:
        """Return what jumps, cancels, is a power of what changes its sign, or real only in appearance."""
        inner = f"({self.linear()})"
        return self.random.choice(
            [
                f"Abs({inner})/{inner}",
                f"Max(0, {inner})/{inner}",
                f"{inner}*{self.factor(depth)}/{inner}",
                f"sqrt({inner}**2)",
                f"log({inner}**2)",
                f"Abs(sqrt({inner}))",
                f"log({inner})**2",
                f"1/{inner}",
                f"{inner}**3",
                *(f"sqrt({name})*{inner}" for name in self.parameters),
                f"{self.factor(depth)}/10**{self.random.choice((3, 6, 12))}",
            ]
        )

    def factor(self, depth: int) -> str:
        """Return a formula that may stand in a product."""
        return f"({self.part(depth)})"

    def ratio(self) -> str:
        """Return a ratio of sums."""
        top = self.linear()
        bottom = top + " + " + self.linear(signed=False) if self.random.random() < 0.5 else self.linear(signed=False)
        return f"({top})/({bottom})"

    def linear(self, *, signed: bool = True) -> str:
        """Return a sum of cells with coefficients."""
        cells = self.random.sample(CELLS, self.random.choice((1, 1, 1, 2, 2, 3)))
        text = f"{self.coefficient()}{cells[0]}"
        for cell in cells[1:]:
            sign = self.random.choice(("+", "+", "-") if signed else ("+",))
            text += f" {sign} {self.coefficient()}{cell}"
        return text

    def coefficient(self) -> str:
        """Return a number or a parameter with a sign for multiplication, or nothing."""
        choices = ["", "", "", "", "2*", "1/2*", "3*"]
        for name in self.parameters:
            choices += [f"{name}*", f"(1 - {name})*", f"({name} - 1/3)*"]
        return self.random.choice(choices)

    def atom(self) -> str:
        """Return a cell, a number or a parameter."""
        return self.random.choice([*CELLS, *CELLS, "1", "2", "1/2", *self.parameters])


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
    """Return a table, in which some cells may be equal or nearly so."""
    table = [draw_count(random) for _ in CELLS]
    if random.random() < 0.3:
        first, second = random.sample(range(4), 2)
        table[first] = table[second] * random.choice((1, 1, 1 + Fraction(1, 10**6)))
    return tuple(table)


def draw_parameter(random: Random, declaration: str) -> Fraction:
    """Return a value of a parameter inside its domain, often at an end of it."""
    domain = declaration.split(" in ")[1].split(" = ")[0]
    lower, upper = domain[1:-1].split(", ")
    low = Fraction(lower)
    high = low + 9 if upper == "oo" else Fraction(upper)
    ends = [low] * (domain[0] == "[") + [high] * (domain[-1] == "]")
    if ends and random.random() < 0.4:
        return random.choice(ends)
    inner = [Fraction(1, 3), Fraction(1, 2), Fraction(0), low + (high - low) * Fraction(random.randint(1, 99), 100)]
    return random.choice([value for value in inner if low < value < high])
