"""Values of formulas together with their slopes in the cells, in fractions and certified intervals."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from fractions import Fraction

from fuzz_formulas import CELLS, Uncertain, Undefined, Value, combined, evaluated, power, sign_of, tree_of
from mpmath.libmp import to_rational

Slopes = tuple[Value, ...]
NONE: Slopes = (Fraction(0),) * 4


def slopes_of(text: str, place: Mapping[str, Fraction]) -> Slopes | None:
    """Return the four derivatives of a formula, or None where it has none, or none that is certain."""
    try:
        return _slopes(tree_of(text), place)
    except (Undefined, ZeroDivisionError, OverflowError, ValueError):
        return None


def exact_of(value: Value) -> Fraction:
    """Return a fraction, or one in the middle of an interval."""
    return value if isinstance(value, Fraction) else Fraction(*map(int, to_rational(value.mid._mpi_[0])))


def _slopes(node: ast.expr, place: Mapping[str, Fraction]) -> Slopes:
    match node:
        case ast.Constant():
            return NONE
        case ast.Name(id=name):
            return tuple(Fraction(cell == name) for cell in CELLS)
        case ast.UnaryOp(operand=operand):
            return _times(Fraction(-1), _slopes(operand, place))
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            base, exponent = evaluated(left, place), evaluated(right, place)
            inner = _slopes(left, place)
            if not isinstance(exponent, Fraction) or set(_slopes(right, place)) != {0}:
                raise Uncertain
            if exponent == 1 or inner == NONE:
                return inner
            return _times(_product(exponent, power(base, exponent - 1)), inner)
        case ast.BinOp(left=left, op=operator, right=right):
            return _combined(operator, left, right, place)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _of_call(name, arguments, place)
    raise TypeError(f"the grammar makes no formula with {ast.dump(node)}")


def _combined(operator: ast.operator, left: ast.expr, right: ast.expr, place: Mapping[str, Fraction]) -> Slopes:
    first, second = _slopes(left, place), _slopes(right, place)
    if isinstance(operator, (ast.Add, ast.Sub)):
        return tuple(combined(operator, a, b) for a, b in zip(first, second, strict=True))
    a, b = evaluated(left, place), evaluated(right, place)
    if isinstance(operator, ast.Mult):
        return _sum(_times(b, first), _times(a, second))
    # (a/b)' = (a' - (a/b) b')/b
    ratio = combined(ast.Div(), a, b)
    top = _sum(first, _times(_product(Fraction(-1), ratio), second))
    return tuple(combined(ast.Div(), entry, b) for entry in top)


def _of_call(name: str, arguments: list[ast.expr], place: Mapping[str, Fraction]) -> Slopes:
    values = [evaluated(argument, place) for argument in arguments]
    slopes = [_slopes(argument, place) for argument in arguments]
    if name == "sqrt":
        return _times(_product(Fraction(1, 2), power(values[0], Fraction(-1, 2))), slopes[0])
    if name == "log":
        return tuple(combined(ast.Div(), entry, values[0]) for entry in slopes[0])
    if name == "Abs":
        return _times(Fraction(_strict_sign(values[0])), slopes[0])
    chosen = 0
    for place_, value in enumerate(values[1:], start=1):
        sign = _strict_sign(combined(ast.Sub(), value, values[chosen]))
        chosen = place_ if sign == (1 if name == "Max" else -1) else chosen
    return slopes[chosen]


def _strict_sign(value: Value) -> int:
    sign = sign_of(value)
    if sign not in (1, -1):
        raise Uncertain
    return sign


def _product(left: Value, right: Value) -> Value:
    return combined(ast.Mult(), left, right)


def _times(factor: Value, slopes: Slopes) -> Slopes:
    return tuple(_product(factor, slope) for slope in slopes)


def _sum(left: Slopes, right: Slopes) -> Slopes:
    return tuple(combined(ast.Add(), a, b) for a, b in zip(left, right, strict=True))
