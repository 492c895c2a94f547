"""The scale on which the error of a metric is closest to normal: fitted to the range of its values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import numpy as np
from scipy.special import expit, logit

from symmetrics.numeric.compiled import evaluate
from symmetrics.numeric.counts import Cells, FloatArray
from symmetrics.numeric.programs import Computable, LibraryFormula

if TYPE_CHECKING:
    from sympy import Expr


NEAREST: Final = 1e-15
"""How near an end of the range, in parts of its width, a value may come on the scale."""
SMALLEST: Final = float(np.finfo(float).tiny)
"""How near the only end of the range."""
AT_END: Final = 1e-12
"""A value so near an end of the range is at it, but for rounding; an interval so narrow is a point."""


class Range(NamedTuple):
    """The least and the greatest value, infinite where there is none."""

    low: float = -inf
    high: float = inf


@dataclass(frozen=True)
class Scale:
    """The logit of the range if it is finite, the logarithm of the distance from its one end, or the value itself.

    For a range from -1 to 1 the logit is twice Fisher's z.

    >>> scale = Scale(Range(-1.0, 1.0))
    >>> place = scale.to(np.array(0.5))
    >>> round(float(place / np.arctanh(0.5)), 12), float(scale.back(place).round(12))
    (2.0, 0.5)
    """

    range: Range

    def to(self, values: FloatArray) -> FloatArray:
        """Return values on the scale, those at an end of the range as if they were just inside."""
        low, high = self.range
        if np.isfinite(low) and np.isfinite(high):
            share = np.clip((values - low) / (high - low), NEAREST, 1 - NEAREST)
            return np.asarray(logit(share))
        if np.isfinite(low):
            return np.asarray(np.log(np.maximum(values - low, SMALLEST)))
        if np.isfinite(high):
            return np.asarray(-np.log(np.maximum(high - values, SMALLEST)))
        return values

    def slope(self, values: FloatArray) -> FloatArray:
        """Return the derivative of the scale by the value."""
        low, high = self.range
        if np.isfinite(low) and np.isfinite(high):
            share = np.clip((values - low) / (high - low), NEAREST, 1 - NEAREST)
            return np.asarray(1 / (share * (1 - share) * (high - low)))
        if np.isfinite(low):
            return np.asarray(1 / np.maximum(values - low, SMALLEST))
        if np.isfinite(high):
            return np.asarray(1 / np.maximum(high - values, SMALLEST))
        return np.ones_like(values)

    def ends(self, values: FloatArray, reach: FloatArray, low: FloatArray, high: FloatArray) -> None:
        """Fill in the values that lie a *reach* away on the scale from some values, to both sides.

        The ends of a logit are a quotient, so that one exponential does for both.
        """
        least, most = self.range
        if np.isfinite(least) and np.isfinite(most):
            width, growth = most - least, np.exp(reach)
            left, right = values - least, most - values
            for gap in (left, right):
                np.maximum(gap, NEAREST * width, out=gap)
            for gap, other, end in ((left, right, low), (right, left, high)):
                np.multiply(other, growth, out=end)
                np.add(gap, end, out=end)
                np.divide(gap if width == 1 else width * gap, end, out=end)
            np.add(least, low, out=low)
            np.subtract(most, high, out=high)
        elif np.isfinite(least):
            gap, growth = np.maximum(values - least, SMALLEST), np.exp(reach)
            np.add(least, gap / growth, out=low)
            np.add(least, gap * growth, out=high)
        elif np.isfinite(most):
            gap, growth = np.maximum(most - values, SMALLEST), np.exp(reach)
            np.subtract(most, gap * growth, out=low)
            np.subtract(most, gap / growth, out=high)
        else:
            np.subtract(values, reach, out=low)
            np.add(values, reach, out=high)

    def back(self, places: FloatArray) -> FloatArray:
        """Return the values that lie at some places of the scale."""
        low, high = self.range
        if np.isfinite(low) and np.isfinite(high):
            return np.asarray(low + (high - low) * expit(places))
        if np.isfinite(low):
            with np.errstate(over="ignore"):
                return np.asarray(low + np.exp(places))
        if np.isfinite(high):
            with np.errstate(over="ignore"):
                return np.asarray(high - np.exp(-places))
        return places


# -- What intervals are made of: a value, its slopes, and which entries of a table are fixed together ------------------


Groups = tuple[tuple[int, ...], ...]
"""The places of the entries whose sums are fixed, one tuple for each sum."""
GROUPS: Final[dict[str, Groups]] = {"multinomial": ((0, 1, 2, 3),), "binomial": ((0, 1), (2, 3))}
"""What each kind of sampling fixes of the cells TP, FN, FP, TN."""


def fixed_sums(entries: int, sums: int) -> Groups:
    """Return groups of as many entries each that stand side by side."""
    return tuple(tuple(range(start, start + entries // sums)) for start in range(0, entries, entries // sums))


class Estimator(Protocol):
    """A number computed from the entries of a table, with its derivatives."""

    @property
    def range(self) -> Range:
        """The least and the greatest value."""

    @property
    def share(self) -> float:
        """What part of what is added to a cell of a table of two classes is added to each entry."""

    def values(self, entries: FloatArray) -> FloatArray:
        """Return the values at tables: shape (entries, ...) to shape (...); nan where there is none."""

    def slopes(self, entries: FloatArray) -> FloatArray:
        """Return the derivatives by the entries, of the shape of the entries."""


@dataclass(frozen=True)
class Formula:
    """A formula over the four cells, without free parameters."""

    expression: Computable
    range: Range
    share: float = 1.0

    def values(self, entries: FloatArray) -> FloatArray:
        """Return the values at tables of shape (4, ...)."""
        return evaluate(self.expression, Cells(*entries))

    def slopes(self, entries: FloatArray) -> FloatArray:
        """Return the derivatives by TP, FN, FP and TN."""
        with np.errstate(all="ignore"):
            return np.stack([np.broadcast_to(slope, entries[0].shape) for slope in self._slopes(*entries)])

    @cached_property
    def _slopes(self) -> Callable[..., list[FloatArray]]:
        return _compiled(self.expression)


@lru_cache(maxsize=256)
def _compiled(formula: Computable) -> Callable[..., list[FloatArray]]:
    """Return a function for the derivatives; an error needs no more digits than plain arithmetic keeps."""
    if not isinstance(formula, LibraryFormula):
        return compiled_slopes(formula)
    names = {**vars(np), "reduce": reduce}
    exec(compile(formula.slopes, "<slopes>", "exec"), names)  # what compiled_slopes has written, of the library
    function: Callable[..., list[FloatArray]] = names["_lambdifygenerated"]
    return function


def compiled_slopes(expression: Expr) -> Callable[..., list[FloatArray]]:
    """Return a function for the derivatives of an expression, as SymPy writes one for NumPy."""
    from sympy import lambdify

    from symmetrics.algebra.limits.gradient import gradient
    from symmetrics.language.cells import CELLS

    function: Callable[..., list[FloatArray]] = lambdify(CELLS, list(gradient(expression)), modules="numpy", cse=True)
    return function
