"""Round numbers: the values of lines, the edges of bins, and how they are written."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["edges_of", "is_heavy", "label_of", "levels_of", "spread_of"]

FloatArray = NDArray[np.float64]
STEPS: Final = (1, 2, 5)
SAME: Final = 1e-12
"""Values that differ by less, as a share of the largest, differ by rounding alone."""
HEAVY: Final = 4.0
"""How many times longer a range without its outer hundredths is than without its outer tenths, if it is not drawn in
equal steps."""
FAR: Final = 2.0
"""How many times longer a range is than without its outer hundredths, if these are left out: ends of a logarithm."""


def spread_of(values: FloatArray) -> tuple[float, float] | None:
    """Return the least and the greatest finite value; None if there are none, or all are the same."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return None
    low, high = float(finite.min()), float(finite.max())
    return None if high - low <= SAME * max(abs(low), abs(high)) else (low, high)


def is_heavy(values: FloatArray) -> bool:
    """Return whether few values lie so far out that equal steps would show nothing of all others."""
    first, tenth, ninetieth, last = np.quantile(values[np.isfinite(values)], [0.01, 0.1, 0.9, 0.99])
    return bool(last - first > HEAVY * (ninetieth - tenth))


def step_for(length: float, number: int) -> Fraction:
    """Return the smallest of 1, 2, 5, 10, ..., and of their tenths, of which no more than so many fit a length.

    >>> step_for(2.0, 10), step_for(1.0, 4)
    (Fraction(1, 5), Fraction(1, 2))
    """
    power = Fraction(10) ** math.floor(math.log10(length / number) - 1)
    while True:
        for step in STEPS:
            if step * power * number >= Fraction(length) * Fraction(999_999, 1_000_000):
                return step * power
        power *= 10


def levels_of(values: FloatArray, number: int) -> list[float]:
    """Return at most so many round numbers strictly between the least and the greatest value.

    >>> levels_of(np.array([0.0, 1.0]), 9)
    [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    """
    spread = spread_of(values)
    if spread is None:
        return []
    if is_heavy(values):
        return _heavy_levels(values[np.isfinite(values)], number)
    low, high = _without_ends(values, *spread)
    step = step_for(high - low, number + 1)
    first = math.floor(low / step)
    rounds = [step * (first + place) for place in range(number + 4)]
    margin = SAME * max(abs(low), abs(high))
    return [float(level) for level in rounds if low + margin < level < high - margin][:number]


def _without_ends(values: FloatArray, low: float, high: float) -> tuple[float, float]:
    """Return the ends of a range, or those without its outer hundredths where they lie far out."""
    first, last = np.quantile(values[np.isfinite(values)], [0.01, 0.99])
    return (float(first), float(last)) if high - low > FAR * (last - first) > 0 else (low, high)


def _heavy_levels(values: FloatArray, number: int) -> list[float]:
    """Return some of ..., 0.1, 0.2, 0.5, 1, 2, 5, ... of either sign, and 0, between the outer fiftieths."""
    low, high = np.quantile(values, [0.02, 0.98])
    least = max(abs(low), abs(high)) / 1e4
    inside: list[float] = []
    for steps in (STEPS, (1, 3), (1,)):
        rounds = [float(f"{step}e{power}") for power in range(-12, 13) for step in steps]
        signed = [0.0, *rounds, *(-level for level in rounds)]
        inside = sorted(level for level in signed if low < level < high and (not level or abs(level) > least))
        if len(inside) <= number:
            break
    return inside[:: max(1, math.ceil(len(inside) / number))]


def label_of(level: float) -> str:
    """Return a value as it is written in a picture.

    >>> label_of(-0.25), label_of(2000000.0)
    ('−0.25', '2e+06')
    """
    return (f"{level:.4g}" if abs(level) < 1e5 else f"{level:.2g}").replace("-", "−")


def edges_of(values: FloatArray, number: int) -> list[Fraction]:
    """Return the edges of at most so many bins of one round width that hold every finite value, or most if it is heavy.

    >>> edges_of(np.array([0.0, 1.0]), 4)
    [Fraction(0, 1), Fraction(1, 2), Fraction(1, 1)]
    """
    finite = values[np.isfinite(values)]
    low, high = float(finite.min()), float(finite.max())
    if is_heavy(values):
        outer = np.quantile(finite, [0.05, 0.95])
        low, high = max(low, float(outer[0])), min(high, float(outer[1]))
    if high - low <= SAME * max(abs(low), abs(high)):
        middle, half = Fraction(round(low, 9)).limit_denominator(10**9), Fraction(1, 2)
        return [middle - half, middle + half]
    step = step_for(high - low, number)
    first, last = math.floor(Fraction(low) / step), math.ceil(Fraction(high) / step)
    return [step * place for place in range(first, last + 1)]
