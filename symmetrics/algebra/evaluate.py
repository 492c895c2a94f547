"""Values of expressions at single points: exact rationals while possible, certified intervals beyond."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from flint import arb, ctx, fmpq
from sympy import Abs, Add, Expr, Integer, Max, Min, Mul, Pow, Rational, S, Symbol, log

from symmetrics.tools.errors import UnsupportedError

MAX_POWER: Final = 1000
"""Larger exponents are refused, so that a formula cannot exhaust memory."""

Value = Any
"""An exact ``fmpq`` or a ball ``arb`` that is certain to hold the value."""


class Undefined(ArithmeticError):
    """The expression has no real value at the point."""


class Unclear(Undefined):
    """The interval does not show whether the expression has a value at the point; one at a higher precision may."""


class Evaluator:
    """A compiled expression: call it with the values of its variables, in the order given.

    :param expression: a formula
    :param variables: the symbols whose values are passed at each call

    >>> from symmetrics.language.cells import TP, FN
    >>> Evaluator(TP / (TP + FN), (TP, FN))(3, 1)
    3/4
    """

    def __init__(self, expression: Expr, variables: Sequence[Symbol]) -> None:
        self.slots = {symbol: place for place, symbol in enumerate(variables)}
        self._run = self._compile(expression, {})

    def __call__(self, *values: int | Fraction | fmpq) -> Value:
        """Return the value at a point.

        :raises Undefined: on a zero denominator, a root of something negative, a logarithm of something not positive
        """
        return self._run([fmpq(v.numerator, v.denominator) if isinstance(v, Fraction) else fmpq(v) for v in values])

    def _compile(self, node: Expr, memo: dict[Expr, Callable[[list[Value]], Value]]) -> Callable[[list[Value]], Value]:
        if node not in memo:
            memo[node] = self._compile_node(node, memo)
        return memo[node]

    def _compile_node(self, node: Expr, memo: dict[Expr, Any]) -> Callable[[list[Value]], Value]:
        if isinstance(node, Symbol):
            place = self.slots[node]
            return lambda point: point[place]
        if isinstance(node, Rational):
            constant = fmpq(int(node.p), int(node.q))
            return lambda point: constant
        if node is S.Pi:
            return lambda point: arb.pi()
        if isinstance(node, Pow):
            return self._compile_power(node, memo)
        parts = [self._compile(argument, memo) for argument in node.args]
        for kind, function in _FUNCTIONS.items():
            if isinstance(node, kind):
                return lambda point: function([part(point) for part in parts])
        raise UnsupportedError(f"{type(node).__name__} is outside the exact algebra")

    def _compile_power(self, node: Pow, memo: dict[Expr, Any]) -> Callable[[list[Value]], Value]:
        base = self._compile(node.base, memo)
        if isinstance(node.exp, Rational) and max(abs(int(node.exp.p)), int(node.exp.q)) > MAX_POWER:
            raise UnsupportedError(f"the exponent {node.exp} is beyond {MAX_POWER}")
        if isinstance(node.exp, Integer):
            whole = int(node.exp)
            return lambda point: _whole_power(base(point), whole)
        if not isinstance(node.exp, Rational):
            exponent = self._compile(node.exp, memo)
            return lambda point: _real_power(base(point), exponent(point))
        top, bottom = int(node.exp.p), int(node.exp.q)
        return lambda point: _rational_power(base(point), top, bottom)


def _whole_power(value: Value, power: int) -> Value:
    if power < 0 and not bool(value != 0):
        raise (Undefined if isinstance(value, fmpq) else Unclear)("division by zero")
    return value**power


def _rational_power(value: Value, top: int, bottom: int) -> Value:
    # (-8)**(2/3) is not the root of (-8)**2: a base that is negative has no real power, whatever the numerator.
    if not value >= 0:
        raise (Undefined if value < 0 else Unclear)("a root of a negative number")
    return _root(_whole_power(value, top), bottom)


def _root(value: Value, degree: int) -> Value:
    if isinstance(value, fmpq):
        top, bottom = value.p.root(degree), value.q.root(degree)
        if top**degree == value.p and bottom**degree == value.q:
            return fmpq(top, bottom)
        return arb(value).root(degree)
    return value.root(degree)


def _real_power(base: Value, exponent: Value) -> Value:
    if isinstance(exponent, fmpq) and exponent.q == 1:
        return _whole_power(base, int(exponent.p))
    if isinstance(exponent, fmpq):
        return _rational_power(base, int(exponent.p), int(exponent.q))
    return (exponent * _logarithm([base])).exp()


def _logarithm(values: list[Value]) -> Value:
    value = values[0]
    if not value > 0:
        raise (Undefined if value <= 0 else Unclear)("a logarithm of a number that is not positive")
    return fmpq(0) if isinstance(value, fmpq) and value == 1 else arb(value).log()


def _sum(values: list[Value]) -> Value:
    total = values[0]
    for value in values[1:]:
        total = total + value
    return total


def _product(values: list[Value]) -> Value:
    total = values[0]
    for value in values[1:]:
        total = total * value
    return total


def _maximum(values: list[Value]) -> Value:
    total = values[0]
    for value in values[1:]:
        exact = isinstance(total, fmpq) and isinstance(value, fmpq)
        total = max(total, value) if exact else arb(total).max(arb(value))
    return total


def _minimum(values: list[Value]) -> Value:
    return -_maximum([-value for value in values])


_FUNCTIONS: Mapping[type, Callable[[list[Value]], Value]] = {
    Add: _sum,
    Mul: _product,
    Abs: lambda values: abs(values[0]),
    Max: _maximum,
    Min: _minimum,
    log: _logarithm,
}


def certain_sign(evaluate: Callable[[], Value], max_bits: int = 1024) -> int | None:
    """Return the sign of a value, 0 for an exact zero; None where no precision up to *max_bits* can tell.

    :param evaluate: computes the value, at the precision that is current when it is called
    :raises Undefined: if the value does not exist
    """
    for value in _at_rising_precision(evaluate, max_bits):
        if value is None:
            continue
        if value > 0 or value < 0:
            return 1 if value > 0 else -1
        if isinstance(value, fmpq):
            return 0
    return None


def has_value(evaluate: Callable[[], Value], max_bits: int = 1024) -> bool:
    """Whether a value is certain to exist; False where no precision up to *max_bits* can tell."""
    try:
        return any(value is not None for value in _at_rising_precision(evaluate, max_bits))
    except Undefined:
        return False


def _at_rising_precision(evaluate: Callable[[], Value], max_bits: int) -> Iterator[Value | None]:
    saved, bits = ctx.prec, 64
    try:
        while bits <= max_bits:
            ctx.prec = bits
            try:
                value = evaluate()
            except Unclear:
                value = None
            yield value
            bits *= 4
    finally:
        ctx.prec = saved
