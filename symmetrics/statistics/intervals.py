"""An interval for the value of a metric, and the questions that it answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache, reduce
from math import inf
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from symmetrics.data.counts import Cells, FloatArray, shown
from symmetrics.numeric.compiled import evaluate
from symmetrics.numeric.plans import Computable, LibraryFormula
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

if TYPE_CHECKING:
    from sympy import Expr


Ends = tuple[FloatArray, FloatArray]  # the lower and the upper ends of intervals

METHODS: Final = {
    "auto": "the method that covers best in the coverage study, by metric and by table",
    "delta": "normal on the scale fitted to the range, with a quarter of a count added to each cell",
    "score": "inverted score test: Wilson, Miettinen & Nurminen, Koopman; of a difference, Tango, for any formula",
    "chi_square": "inverted minimum chi-square test: all values at shares within its distance; for one table",
    "jeffreys": "equal-tailed, exact, of the posterior of one proportion under Jeffreys' prior",
    "exact": "Clopper & Pearson, for one proportion",
    "midp": "Clopper & Pearson with mid-p values, for one proportion",
    "bayes": "equal-tailed, of the posterior under a Dirichlet prior",
    "highest": "shortest, of the posterior under a Dirichlet prior",
    "bootstrap": "quantiles of the values of tables drawn at the observed shares",
    "bca": "the bootstrap, corrected for bias and acceleration",
    "studentised": "the bootstrap of the value over its standard error, on the scale fitted to the range",
}
"""The methods by name, each in words."""
OF_PAIRS: Final = {"newcombe": "Newcombe's method 10, for the difference of two paired proportions"}
SAMPLINGS: Final = {
    "multinomial": "the number of examples is fixed, and each falls into one of the cells",
    "binomial": "the numbers of positives and of negatives are fixed",
}
"""Sampling model: which sums of the table were fixed by design, and which would vary in another sample."""
_CALLED: Final = {
    "wilson": "score",
    "clopper-pearson": "exact",
    "clopper_pearson": "exact",
    "percentile": "bootstrap",
    "studentized": "studentised",
}
"""Other names of some methods."""
_ROUNDING: Final = 1e-9


@dataclass(frozen=True)
class Question:
    """The settings of an interval: method, level, sampling model and so on, validated.

    :param level: how often intervals made in this way contain the true value
    :param method: a key of :data:`METHODS`
    :param sampling: a key of :data:`SAMPLINGS`
    :param draws: how many draws the methods take that draw at random
    :param prior: pseudo-count of the Dirichlet prior per cell; per entry of a k*k table 2/(k*(k - 1)) of it
    :param seed: from which the draws start, so that the same question has the same answer
    :raises InputError: on a level outside (0, 1) and on unknown names
    """

    level: float = 0.95
    method: str = "auto"
    sampling: str = "multinomial"
    draws: int = 10_000
    prior: float = 0.5
    seed: int = 0

    def __post_init__(self) -> None:
        _require_choice("method", self.method, METHODS | OF_PAIRS)
        _require_choice("sampling", self.sampling, SAMPLINGS)
        for name, lowest, highest in (("level", 0.0, 1.0), ("prior", 0.0, math.inf)):
            value = getattr(self, name)
            if not isinstance(value, int | float | np.number) or not lowest < value < highest:
                inside = "between 0 and 1, such as 0.95" if name == "level" else "that is positive, such as 1/2"
                raise InputError(f"{name}={shown(value)} is no {name}; pass a number {inside}")
        for name, least in (("draws", 100), ("seed", 0)):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or isinstance(value, bool):
                raise InputError(f"{name}={shown(value)} is no whole number; pass one that is {least} or more")
            if value < least:
                raise InputError(f"{name}={shown(value)} is too little; pass a whole number, {least} or more")

    @classmethod
    def of(cls, settings: Mapping[str, Any], name: str = "an interval") -> Self:
        """Return a validated question with some settings.

        :param name: the thing that they are settings of, for the error
        :raises InputError: on a setting that there is none of, and as the class
        """
        names = [entry.name for entry in fields(cls)]
        if unknown := [one for one in settings if one not in names]:
            raise InputError(f"{name} has no setting {shown(unknown[0])}; they are {', '.join(names)}")
        return cls(**settings)

    @property
    def has_enough_draws(self) -> bool:
        """Whether at least one draw is expected beyond each end, without which quantiles do not have the level."""
        return self.draws * (1 - self.level) >= 2 * (1 - _ROUNDING)

    def require_draws(self) -> None:
        """Refuse quantiles from too few draws.

        :raises InputError: if less than one draw is beyond an end
        """
        if not self.has_enough_draws:
            needed = math.ceil(2 / (1 - self.level) * (1 - _ROUNDING))
            raise InputError(
                f"level={shown(self.level)} is told by {needed} draws or more, and draws={self.draws}; pass a lower "
                "level, more draws, or a method that draws nothing"
            )


@dataclass(frozen=True, eq=False)
class Tables:
    """Input of an interval method: tables of counts, an estimator, and the question.

    :param estimator: the value, with its slopes and its range
    :param entries: the counts, shape (entries, m)
    :param groups: which sums of entries are fixed
    :param question: the level, and the settings of the methods
    """

    estimator: Estimator
    entries: FloatArray
    groups: Groups
    question: Question

    @property
    def number(self) -> int:
        """Number of tables."""
        return int(self.entries.shape[1])

    def at(self, chosen: slice | NDArray[np.bool_]) -> Self:
        """Select some of the tables."""
        return replace(self, entries=self.entries[:, chosen])


@dataclass(frozen=True)
class Interval:
    """A confidence or credible interval for the true value.

    :param low: the lower end, a float or one of each table
    :param high: the upper end
    :param estimate: the value of the table itself, nan where it has none
    :param method: how the ends were found, in words
    :param level: how often such intervals contain the true value
    :param method_at: the method at each table, where it is not the same at all
    :param why: why the method was chosen, if ``method="auto"`` chose it
    :param note: what is to be known of the value, such as which classes are left out of a mean; of several tables,
        how many have such a note
    :param note_at: the note of each table, where some have one

    >>> tuple(Interval(0.6, 0.9, 0.8, "score", 0.95))
    (0.6, 0.9)
    >>> Interval(0.6, 0.9, 0.8, "bayes", 0.95, why="a cell is below 15")
    0.8 (0.6 to 0.9, 95 % bayes, as a cell is below 15)
    """

    low: float | FloatArray
    high: float | FloatArray
    estimate: float | FloatArray
    method: str
    level: float
    method_at: NDArray[np.object_] | None = field(default=None, repr=False, compare=False)
    why: str = ""
    note: str = ""
    note_at: NDArray[np.object_] | None = field(default=None, repr=False, compare=False)

    def __iter__(self) -> Iterator[float | FloatArray]:
        """Give the two ends, so that they can be unpacked."""
        return iter((self.low, self.high))

    def each(self) -> Iterator[Interval]:
        """Give the interval of each table, if there are several."""
        for place in np.ndindex(np.shape(self.low)):
            low, high, estimate = (float(np.asarray(value)[place]) for value in (self.low, self.high, self.estimate))
            method = self.method if self.method_at is None else str(self.method_at[place])
            yield Interval(low, high, estimate, method, self.level, why=self.why)

    @property
    def width(self) -> float | FloatArray:
        """The distance between the ends."""
        return self.high - self.low

    def __repr__(self) -> str:
        note = f"; {self.note}" if self.note else ""
        if isinstance(self.low, float):
            why = f", as {self.why}" if self.why else ""
            ends = f"{self.low:.4g} to {self.high:.4g}, {100 * self.level:g} % {self.method}{why}"
            return f"{self.estimate + 0.0:.4g} ({ends}{note})"  # + 0.0 avoids printing -0
        ends = f"low={self.low!r}, high={self.high!r}, estimate={self.estimate!r}"
        return f"Interval({ends}, method={self.method!r}, why={self.why!r}{note})"


class Used(NamedTuple):
    """The method used at each table, and why."""

    words: str  # the method, if it is the same at all tables
    at: NDArray[np.object_] | None = None  # the method at each table, if it differs
    why: str = ""  # the reason, if it was chosen automatically

    @classmethod
    def first_of(cls, choices: Sequence[tuple[str, NDArray[np.bool_], str]], other: str, why: str) -> Self:
        """Return the method used at each table: the first whose condition holds there, or the fallback.

        :param choices: methods, at which tables their condition holds, and that in words
        :param why: a description of the tables with the fallback method

        >>> used = Used.first_of([("bayes", np.array([True, False]), "a cell is below 15")], "delta", "all are above")
        >>> used.words, used.why
        ('bayes where a cell is below 15, delta elsewhere', 'bayes where a cell is below 15, delta where all are above')
        """
        left, at = np.ones(choices[0][1].shape, dtype=np.bool_), None
        reasons: dict[str, list[str]] = {}
        for method, holds, reason in choices:
            here = left & holds
            if here.any():
                at = np.full(left.shape, other, dtype=object) if at is None else at
                at[here] = method
                reasons.setdefault(method, []).append(reason)
                left &= ~here
        if left.any() or not left.size:
            reasons.setdefault(other, []).append(why)
        told = {method: " or ".join(each) for method, each in reasons.items()}
        if len(told) == 1:
            ((method, reason),) = told.items()
            return cls(method, None, reason)
        words = [f"{method} where {reason}" for method, reason in told.items()]
        return cls(", ".join([*words[:-1], f"{[*told][-1]} elsewhere"]), at, ", ".join(words))


def result(
    ends: Ends,
    estimates: FloatArray,
    shape: tuple[int, ...],
    used: Used,
    question: Question,
    notes: NDArray[np.object_] | None = None,
) -> Interval:
    """Return an interval of the tables' original shape; of floats for a single table.

    :param notes: of each table
    """
    low, high, estimate = (float(v[0]) if not shape else v.reshape(shape) for v in (*ends, estimates))
    at = None if used.at is None or not shape else used.at.reshape(shape)
    found = Interval(low, high, estimate, used.words, question.level, at, used.why)
    if notes is None or not (noted := int((notes != "").sum())):
        return found
    if not shape:
        return replace(found, note=notes[0])
    told = f"{noted} of {number_of(notes.size, 'table')}, such as: {next(filter(None, notes))}"
    return replace(found, note=told, note_at=notes.reshape(shape))


def put_around(estimates: FloatArray, low: FloatArray, high: FloatArray, bounds: Range) -> None:
    """Clip estimates and ends to the range, and make the interval contain the estimate, in place.

    Where nothing is known of an end, that is one of the range.
    """
    np.fmax(low, bounds.low, out=low)  # fmax and fmin ignore nan
    np.fmin(high, bounds.high, out=high)
    if estimates.size and estimates.min() >= bounds.low and estimates.max() <= bounds.high:
        np.minimum(low, estimates, out=low)
        np.maximum(high, estimates, out=high)
        return
    np.minimum(low, bounds.high, out=low)
    np.maximum(high, bounds.low, out=high)
    np.clip(estimates, *bounds, out=estimates)
    np.fmin(low, estimates, out=low)
    np.fmax(high, estimates, out=high)
    np.maximum(low, high, out=high)  # without an estimate rounding may have swapped them


def _require_choice(name: str, value: object, choices: dict[str, str]) -> None:
    if not isinstance(value, str) or value not in choices:
        if isinstance(value, str) and (called := _CALLED.get(value.casefold())) in choices:
            raise InputError(f"{name}={shown(value)} is called {called!r} here; pass that")
        raise InputError(f"{name}={shown(value)} is unknown; pass one of {', '.join(choices)}")


# -- The scale on which the error of a metric is closest to normal: chosen by the range of its values ------------------


NEAREST: Final = 1e-15
"""Smallest distance from an end of a finite range, relative to its width, that the scale distinguishes."""
SMALLEST: Final = float(np.finfo(float).tiny)
"""Smallest distance from the only end of a half-infinite range."""
AT_END: Final = 1e-12
"""Relative tolerance: a value this close to an end is at the end, an interval this narrow is a point."""


class Range(NamedTuple):
    """The smallest and the largest value; infinite where unbounded."""

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
        """Return the position of values in a finite range, from 0 (lower end) to 1 (upper end), clipped inside."""
        low, high = self.range
        return np.clip((values - low) / (high - low), NEAREST, 1 - NEAREST)

    def _gap(self, values: FloatArray) -> FloatArray:
        """Return the distance of values from the only end of the range."""
        low, high = self.range
        return np.asarray(np.maximum(values - low if self._has_ends[0] else high - values, SMALLEST))

    def to(self, values: FloatArray) -> FloatArray:
        """Transform values to the scale, with values at an end of the range moved just inside."""
        if all(self._has_ends):
            return np.asarray(logit(self._share(values)))
        if not any(self._has_ends):
            return values
        logarithm = np.log(self._gap(values))
        return np.asarray(logarithm if self._has_ends[0] else -logarithm)

    def slope(self, values: FloatArray) -> FloatArray:
        """Return the derivative of the scale with respect to the value."""
        if all(self._has_ends):
            share = self._share(values)
            return np.asarray(1 / (share * (1 - share) * (self.range.high - self.range.low)))
        return np.asarray(1 / self._gap(values)) if any(self._has_ends) else np.ones_like(values)

    def around(self, values: FloatArray, reach: FloatArray | float) -> tuple[FloatArray, FloatArray]:
        """Return intervals as wide on the scale as a given one on that of the values nearby."""
        place, far = self.to(values), reach * self.slope(values)
        return self.back(place - far), self.back(place + far)

    def ends(self, values: FloatArray, reach: FloatArray, low: FloatArray, high: FloatArray) -> None:
        """Fill in the ends of intervals with a given half-width on the scale around some values.

        The ends of a logit are a quotient, so that one exponential does for both.
        """
        least, most = self.range
        # Logit: with a, b the distances from both ends and g = exp(reach), low = least + width*a/(a + b*g).
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
        # Logarithm of the distance from the one end: the distance is divided and multiplied by g.
        elif any(self._has_ends):
            gap, growth = self._gap(values), np.exp(reach)
            if self._has_ends[0]:
                low[:], high[:] = least + gap / growth, least + gap * growth
            else:
                low[:], high[:] = most - gap * growth, most - gap / growth
        # No scale.
        else:
            low[:], high[:] = values - reach, values + reach

    def back(self, places: FloatArray) -> FloatArray:
        """Inverse transform: return the values at given points of the scale."""
        low, high = self.range
        if all(self._has_ends):
            return np.asarray(low + (high - low) * expit(places))
        if not any(self._has_ends):
            return places
        with np.errstate(over="ignore"):
            return np.asarray(low + np.exp(places) if self._has_ends[0] else high - np.exp(-places))


# -- Ingredients of intervals: a value, its derivatives, and which entries of a table have a fixed sum -----------------


Groups = tuple[tuple[int, ...], ...]
"""Groups of entries whose sum is fixed by the sampling model, as indices."""
GROUPS: Final[dict[str, Groups]] = {"multinomial": ((0, 1, 2, 3),), "binomial": ((0, 1), (2, 3))}
"""Groups of the cells TP, FN, FP, TN with fixed sums, for each sampling model."""


def fixed_sums(entries: int, sums: int) -> Groups:
    """Split entries into consecutive groups of equal size."""
    return tuple(tuple(range(start, start + entries // sums)) for start in range(0, entries, entries // sums))


class Estimator(Protocol):
    """A number computed from the entries of a table, with its derivatives."""

    @property
    def range(self) -> Range:
        """The smallest and the largest value."""

    @property
    def share(self) -> float:
        """Fraction of the per-cell pseudo-count of a 2x2 table that is added to each entry."""

    def values(self, entries: FloatArray) -> FloatArray:
        """Return the values at tables: shape (entries, ...) to shape (...); nan where undefined."""

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
    """Compile the derivatives; plain float64 suffices for a standard error."""
    if not isinstance(formula, LibraryFormula):
        return compiled_slopes(formula)
    names = {**vars(np), "reduce": reduce}
    exec(compile(formula.slopes, "<slopes>", "exec"), names)  # source from compiled_slopes, for library formulas
    function: Callable[..., list[FloatArray]] = names["_lambdifygenerated"]
    return function


def compiled_slopes(expression: Expr) -> Callable[..., list[FloatArray]]:
    """Compile the derivatives of an expression to a NumPy function."""
    from sympy import lambdify

    from symmetrics.algebra.derivative import gradient
    from symmetrics.language.cells import CELLS

    function: Callable[..., list[FloatArray]] = lambdify(CELLS, list(gradient(expression)), modules="numpy", cse=True)
    return function
