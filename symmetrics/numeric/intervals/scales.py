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

    @property
    def _has_ends(self) -> tuple[bool, bool]:
        return bool(np.isfinite(self.range.low)), bool(np.isfinite(self.range.high))

    def _share(self, values: FloatArray) -> FloatArray:
        """Return how far values are from the lower end of a finite range to the upper one, just inside of both."""
        low, high = self.range
        return np.clip((values - low) / (high - low), NEAREST, 1 - NEAREST)

    def _gap(self, values: FloatArray) -> FloatArray:
        """Return the distance of values from the only end of the range."""
        low, high = self.range
        return np.asarray(np.maximum(values - low if self._has_ends[0] else high - values, SMALLEST))

    def to(self, values: FloatArray) -> FloatArray:
        """Return values on the scale, those at an end of the range as if they were just inside."""
        if all(self._has_ends):
            return np.asarray(logit(self._share(values)))
        if not any(self._has_ends):
            return values
        logarithm = np.log(self._gap(values))
        return np.asarray(logarithm if self._has_ends[0] else -logarithm)

    def slope(self, values: FloatArray) -> FloatArray:
        """Return the derivative of the scale by the value."""
        if all(self._has_ends):
            share = self._share(values)
            return np.asarray(1 / (share * (1 - share) * (self.range.high - self.range.low)))
        return np.asarray(1 / self._gap(values)) if any(self._has_ends) else np.ones_like(values)

    def around(self, values: FloatArray, reach: FloatArray | float) -> tuple[FloatArray, FloatArray]:
        """Return the ends of intervals that reach as far on the scale as on that of the values near them."""
        place, far = self.to(values), reach * self.slope(values)
        return self.back(place - far), self.back(place + far)

    def ends(self, values: FloatArray, reach: FloatArray, low: FloatArray, high: FloatArray) -> None:
        """Fill in the values that lie a *reach* away on the scale from some values, to both sides.

        The ends of a logit are a quotient, so that one exponential does for both.
        """
        least, most = self.range
        if all(self._has_ends):
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
        elif any(self._has_ends):
            gap, growth = self._gap(values), np.exp(reach)
            if self._has_ends[0]:
                low[:], high[:] = least + gap / growth, least + gap * growth
            else:
                low[:], high[:] = most - gap * growth, most - gap / growth
        else:
            low[:], high[:] = values - reach, values + reach

    def back(self, places: FloatArray) -> FloatArray:
        """Return the values that lie at some places of the scale."""
        low, high = self.range
        if all(self._has_ends):
            return np.asarray(low + (high - low) * expit(places))
        if not any(self._has_ends):
            return places
        with np.errstate(over="ignore"):
            return np.asarray(low + np.exp(places) if self._has_ends[0] else high - np.exp(-places))


# -- What intervals are made of: a value, its slopes, and which entries of a table are fixed together ------------------


Groups = tuple[tuple[int, ...], ...]
"""The places of the entries whose sums are fixed, one tuple for each sum."""
GROUPS: Final[dict[str, Groups]] = {"multinomial": ((0, 1, 2, 3),), "binomial": ((0, 1), (2, 3))}
"""What each kind of sampling fixes of the cells TP, FN, FP, TN."""


def fixed_sums(entries: int, sums: int) -> Groups:
    """Return groups of as many neighbouring entries each."""
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
