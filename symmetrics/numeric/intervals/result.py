"""An interval for the value of a metric, and the questions that it answers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from symmetrics.numeric.counts import FloatArray, shown
from symmetrics.tools.errors import InputError
from symmetrics.tools.words import number_of

if TYPE_CHECKING:
    from symmetrics.numeric.intervals.scales import Estimator, Groups, Range


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
"""How the table came about: what is fixed, and what would have been different in another sample."""
_CALLED: Final = {
    "wilson": "score",
    "clopper-pearson": "exact",
    "clopper_pearson": "exact",
    "percentile": "bootstrap",
    "studentized": "studentised",
}
"""What others call some of the methods."""
_ROUNDING: Final = 1e-9


@dataclass(frozen=True)
class Question:
    """What is asked beside the table, checked.

    :param level: how often intervals made in this way contain the true value
    :param method: a key of :data:`METHODS`
    :param sampling: a key of :data:`SAMPLINGS`
    :param draws: how many draws the methods take that draw at random
    :param prior: what the Dirichlet prior adds to each cell; to each entry of a k*k table 2/(k*(k - 1)) of it
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
        """Return the question with some settings.

        :param name: what they are settings of, for the error
        :raises InputError: on a setting that there is none of, and as the class
        """
        names = [entry.name for entry in fields(cls)]
        if unknown := [one for one in settings if one not in names]:
            raise InputError(f"{name} has no setting {shown(unknown[0])}; they are {', '.join(names)}")
        return cls(**settings)

    @property
    def has_enough_draws(self) -> bool:
        """Whether a draw or more lies beyond each end, without which quantiles are not those of the level."""
        return self.draws * (1 - self.level) >= 2 * (1 - _ROUNDING)

    def require_draws(self) -> None:
        """Refuse quantiles of too few draws.

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
    """Tables of counts, a value computed from each, and what is asked about it: all that a method for any value needs.

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
        """How many tables there are."""
        return int(self.entries.shape[1])

    def at(self, chosen: slice | NDArray[np.bool_]) -> Self:
        """Return some of the tables."""
        return replace(self, entries=self.entries[:, chosen])


@dataclass(frozen=True)
class Interval:
    """Where the true value lies, as far as a table tells.

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
            return f"{self.estimate + 0.0:.4g} ({ends}{note})"  # never -0
        ends = f"low={self.low!r}, high={self.high!r}, estimate={self.estimate!r}"
        return f"Interval({ends}, method={self.method!r}, why={self.why!r}{note})"


class Used(NamedTuple):
    """The method that was used at some tables, and why."""

    words: str  # for all of them
    at: NDArray[np.object_] | None = None  # at each of them, where it is not the same at all
    why: str = ""  # the reason for which it was chosen, if it was

    @classmethod
    def first_of(cls, choices: Sequence[tuple[str, NDArray[np.bool_], str]], other: str, why: str) -> Self:
        """Return which method was used at each table: the first whose condition holds there, or the other one.

        :param choices: methods, at which tables their condition holds, and that in words
        :param why: what the tables of the other method have in common

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
    """Return the interval of flat arrays of tables that had a shape, of floats if they are one table.

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
    """Put estimates and ends into the range, and the ends around the estimates, in place.

    Where nothing is known of an end, that is one of the range.
    """
    np.fmax(low, bounds.low, out=low)  # of two, fmax and fmin take what is not nan
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
    np.maximum(low, high, out=high)  # without an estimate rounding may have put them the other way round


def _require_choice(name: str, value: object, choices: dict[str, str]) -> None:
    if not isinstance(value, str) or value not in choices:
        if isinstance(value, str) and (called := _CALLED.get(value.casefold())) in choices:
            raise InputError(f"{name}={shown(value)} is called {called!r} here; pass that")
        raise InputError(f"{name}={shown(value)} is unknown; pass one of {', '.join(choices)}")
