"""Values of formulas together with their derivatives by the cells, at single tables.

Values are exact rationals while possible and certified intervals beyond.  Where an absolute value or an extreme has a
kink there is no derivative, and none is returned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

from flint import arb, fmpq
from sympy import Abs, Add, Expr, Max, Min, Mul, Pow, Rational, S, Symbol, log

from symmetrics.algebra.evaluate import MAX_POWER, Unclear, Undefined, Value
from symmetrics.tools.errors import UnsupportedError

__all__ = ["Jet", "jet_at"]

ZERO: Final = fmpq(0)


@dataclass(frozen=True)
class Jet:
    """A value and its partial derivatives."""

    value: Value
    partials: tuple[Value, ...]

    def moved(self, value: Value, slope: Value) -> Jet:
        """Return a function of this: its value, and its derivatives, which are those of this one times a slope."""
        return Jet(value, tuple(ZERO if _is_zero(partial) else slope * partial for partial in self.partials))


def jet_at(formula: Expr, variables: Sequence[Symbol], point: Sequence[int | fmpq]) -> Jet:
    """Return the value of a formula and its derivatives by the variables at a point.

    >>> from symmetrics.language.cells import TP, FN
    >>> jet = jet_at(TP / (TP + FN), (TP, FN), (3, 1))
    >>> jet.value, jet.partials
    (3/4, (1/16, -3/16))

    :raises Undefined: where the formula has no value or no derivative, or no interval shows that it has
    :raises UnsupportedError: if the formula leaves the class that is evaluated
    """
    count = len(variables)
    known = {
        symbol: Jet(fmpq(value), tuple(fmpq(int(place == row)) for place in range(count)))
        for row, (symbol, value) in enumerate(zip(variables, point, strict=True))
    }
    return _jet(formula, known, (ZERO,) * count)


def _jet(node: Expr, known: dict[Expr, Jet], zeros: tuple[Value, ...]) -> Jet:
    if node not in known:
        known[node] = _computed(node, known, zeros)
    return known[node]


def _computed(node: Expr, known: dict[Expr, Jet], zeros: tuple[Value, ...]) -> Jet:
    if isinstance(node, Rational):
        return Jet(fmpq(int(node.p), int(node.q)), zeros)
    if node is S.Pi:
        return Jet(arb.pi(), zeros)
    parts = [_jet(argument, known, zeros) for argument in node.args]
    match node:
        case Add():
            return reduce(_sum, parts)
        case Mul():
            return reduce(_product, parts)
        case Pow() if isinstance(node.exp, Rational):
            return _power(parts[0], int(node.exp.p), int(node.exp.q))
        case Max() | Min():
            larger = isinstance(node, Max)
            return reduce(lambda left, right: _extreme(left, right, larger=larger), parts)
        case Abs():
            sign = _sign(parts[0].value)
            return parts[0].moved(sign * parts[0].value, sign)
        case log():
            _require_positive(parts[0].value)
            return parts[0].moved(_logarithm(parts[0].value), 1 / parts[0].value)
    raise UnsupportedError(f"{node} is not differentiated here")


def _is_zero(value: Value) -> bool:
    return isinstance(value, fmpq) and value == 0


def _sum(left: Jet, right: Jet) -> Jet:
    return Jet(left.value + right.value, tuple(a + b for a, b in zip(left.partials, right.partials, strict=True)))


def _product(left: Jet, right: Jet) -> Jet:
    return _sum(left.moved(left.value * right.value, right.value), right.moved(ZERO, left.value))


def _extreme(left: Jet, right: Jet, *, larger: bool) -> Jet:
    return left if (_sign(left.value - right.value) > 0) == larger else right


def _power(base: Jet, top: int, bottom: int) -> Jet:
    if max(abs(top), bottom) > MAX_POWER:
        raise UnsupportedError(f"an exponent beyond {MAX_POWER}")
    value = base.value
    if bottom == 1 and top > 0:
        below = value ** (top - 1)
        return base.moved(below * value, top * below)
    if bottom == 1:
        _sign(value)
    else:
        _require_positive(value)
    power = _root(value**top, bottom)
    return base.moved(power, power * fmpq(top, bottom) / value)


def _root(value: Value, degree: int) -> Value:
    if degree == 1:
        return value
    if isinstance(value, fmpq):
        top, bottom = value.p.root(degree), value.q.root(degree)
        if top**degree == value.p and bottom**degree == value.q:
            return fmpq(top, bottom)
    return arb(value).root(degree)


def _logarithm(value: Value) -> Value:
    return ZERO if isinstance(value, fmpq) and value == 1 else arb(value).log()


def _require_positive(value: Value) -> None:
    if _sign(value) < 0:
        raise Undefined("a root or logarithm of a negative number")


def _sign(value: Value) -> int:
    """Return the sign of a value that is certain not to be zero."""
    if value > 0 or value < 0:
        return 1 if value > 0 else -1
    raise (Undefined if isinstance(value, fmpq) else Unclear)("a pole, a kink, or the end of the domain")
