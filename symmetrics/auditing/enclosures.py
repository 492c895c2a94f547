"""Intervals that certainly hold the values of a formula on many boxes of counts at once.

Interval arithmetic (Moore 1966) on arrays, rounded outwards; where a cell can only raise or only lower the formula,
the ends of that cell alone are put in, which leaves no overestimation by it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sympy import Abs, Add, Expr, Max, Min, Mul, Poly, Pow, Symbol, cse, diff, fraction, log, together

from symmetrics.language.cells import CELLS

Array = NDArray[np.float64]
Bounds = tuple[Array, Array]
"""Lower and upper ends."""
_WIDER: Final = 2.0**-49
"""Relative error that is allowed each operation, far above a rounding."""
_LEAST: Final = 1e-300


def _outward(low: Any, high: Any) -> Bounds:
    """Return an interval rounded outwards; an end that is not a number becomes infinite."""
    low = np.where(np.isnan(low), -np.inf, low - np.abs(np.where(np.isfinite(low), low, 0)) * _WIDER - _LEAST)
    high = np.where(np.isnan(high), np.inf, high + np.abs(np.where(np.isfinite(high), high, 0)) * _WIDER + _LEAST)
    return low, high


def _product(left: Bounds, right: Bounds) -> Bounds:
    corners = [a * b for a in left for b in right]
    is_unknown = np.isnan(corners).any(axis=0)  # 0 times infinity
    low, high = np.minimum.reduce(corners), np.maximum.reduce(corners)
    return _outward(np.where(is_unknown, -np.inf, low), np.where(is_unknown, np.inf, high))


def _reciprocal(of: Bounds) -> Bounds:
    low, high = of
    has_zero = (low <= 0) & (high >= 0)
    return _outward(np.where(has_zero, -np.inf, 1 / high), np.where(has_zero, np.inf, 1 / low))


def _increasing(function: Callable[[Array], Array], of: Bounds, least: float) -> Bounds:
    """Return the image under an increasing function; infinite where the argument may lie outside of its domain."""
    low, high = of
    known = low >= least
    return _outward(np.where(known, function(low), -np.inf), np.where(known, function(high), np.inf))


def _power(base: Bounds, exponent: Any) -> Bounds:
    if exponent.is_Integer:
        power = int(exponent)
        if power < 0:
            return _reciprocal(_power(base, -exponent))
        low, high = base
        ends = low**power, high**power
        if power % 2:
            return _outward(*ends)
        inside = (low <= 0) & (high >= 0)
        return _outward(np.where(inside, 0, np.minimum(*ends)), np.maximum(*ends))
    if not exponent.is_Rational:
        return _unbounded(base)
    if exponent < 0:
        return _reciprocal(_power(base, -exponent))
    return _increasing(lambda values: np.power(values, float(exponent)), base, 0.0)


def _unbounded(like: Bounds) -> Bounds:
    return np.full_like(like[0], -np.inf), np.full_like(like[1], np.inf)


def _evaluated(node: Expr, known: Mapping[Symbol, Bounds], some: Bounds) -> Bounds:
    """Return bounds of an expression, from bounds of its symbols."""
    if node in known:
        return known[node]
    if node.is_number:
        value = np.full_like(some[0], float(node))
        return _outward(value, value)
    if isinstance(node, Pow):
        return _power(_evaluated(node.base, known, some), node.exp)
    parts = [_evaluated(part, known, some) for part in node.args]
    found = parts[0]
    for part in parts[1:]:
        if isinstance(node, Add):
            found = _outward(found[0] + part[0], found[1] + part[1])
        elif isinstance(node, Mul):
            found = _product(found, part)
        elif isinstance(node, Max):
            found = np.maximum(found[0], part[0]), np.maximum(found[1], part[1])
        elif isinstance(node, Min):
            found = np.minimum(found[0], part[0]), np.minimum(found[1], part[1])
        else:
            return _unbounded(some)
    if isinstance(node, log):
        return _increasing(np.log, found, 0.0)
    if isinstance(node, Abs):
        low, high = found
        return np.where((low <= 0) & (high >= 0), 0, np.minimum(np.abs(low), np.abs(high))), np.maximum(-low, high)
    return found if isinstance(node, Add | Mul | Max | Min) else _unbounded(some)


class Enclosure:
    """A formula over positive cells as a function of boxes.

    >>> from symmetrics.language.cells import FN, FP, TP
    >>> f1 = Enclosure(2 * TP / (2 * TP + FN + FP))
    >>> low, high = f1(np.array([[[8.0, 9.0], [1.0, 2.0], [1.0, 3.0], [5.0, 5.0]]]))
    >>> low.round(4).tolist(), high.round(4).tolist()  # 16/21 and 18/20
    ([0.7619], [0.9])
    """

    def __init__(self, formula: Expr) -> None:
        self.formula = formula
        self.signs = tuple(_direction(formula, cell) for cell in CELLS)
        self._shared, (self._result,) = cse([formula])

    def __call__(self, boxes: Array) -> Bounds:
        """Return bounds of the values.

        :param boxes: of shape (size, 4, 2): the least and the largest TP, FN, FP and TN
        """
        if not any(self.signs):
            return self._natural(boxes)
        ends = []
        for side in (0, 1):
            cornered = boxes.copy()
            for place, sign in enumerate(self.signs):
                if sign:
                    cornered[:, place] = boxes[:, place, side if sign > 0 else 1 - side, None]
            ends.append(self._natural(cornered)[side])
        return ends[0], ends[1]

    def _natural(self, boxes: Array) -> Bounds:
        known: dict[Symbol, Bounds] = {cell: (boxes[:, i, 0], boxes[:, i, 1]) for i, cell in enumerate(CELLS)}
        some = known[CELLS[0]]
        with np.errstate(all="ignore"):
            for symbol, part in self._shared:
                known[symbol] = _evaluated(part, known, some)
            return _evaluated(self._result, known, some)


@lru_cache(maxsize=4096)
def _direction(formula: Expr, cell: Symbol) -> int:
    """Return 1 or -1 if a formula never falls or never rises with a cell at positive cells, or 0 if that is not seen.

    Seen is it where the derivative is a quotient whose numerator has coefficients of one sign, and whose denominator
    has only positive ones, or is a product of such and of even powers.
    """
    if not formula.is_rational_function(*CELLS):
        return 0
    above, below = fraction(together(diff(formula, cell)).factor())
    signs = {_sign(factor) ** (power % 2 or 2) for factor, power in (f.as_base_exp() for f in Mul.make_args(below))}
    if signs != {1}:
        return 0
    return _sign(above)


def _sign(polynomial: Expr) -> int:
    """Return the sign that all coefficients have; 0 if they differ."""
    signs = {1 if value > 0 else -1 for value in Poly(polynomial, *CELLS).coeffs() if value != 0}
    return signs.pop() if len(signs) == 1 else 0
