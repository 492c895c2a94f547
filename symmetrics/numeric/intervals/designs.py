"""Examples that were not drawn one by one: in groups, such as the documents of one author, in strata, or with weights.

What varies from sample to sample are then the groups, each with its own table, within every stratum by itself.  The
variance is that of the linearised value, summed over groups (the "ultimate clusters" of Hansen, Hurwitz & Madow 1953;
Cochran 1977, sections 5A and 11; Rao & Scott 1992), and the bootstrap draws whole groups (Field & Welsh 2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.intervals.delta import ADDED
from symmetrics.numeric.intervals.result import Ends, Interval, Question, put_around
from symmetrics.numeric.intervals.scales import AT_END, Estimator, Scale
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from scipy.sparse import csr_array


_LARGEST: Final = 2.0**53
"""Beyond it not every whole number is one of floating point."""
_GROUPS_AT_ONCE: Final = 1 << 22
"""Groups, or entries of tables, drawn at a time."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Examples as they were drawn: the table of each group of them, and the stratum that the group was drawn from.

    :param tables: the (weighted) entries of each group, a sparse matrix of shape (groups, entries)
    :param number: how many groups have such a table
    :param stratum: the stratum of each group, from 0
    :param examples: how many examples there are
    :param rows: to which true class each entry belongs, from 0
    """

    tables: csr_array
    number: FloatArray
    stratum: NDArray[np.intp]
    examples: int
    rows: NDArray[np.intp]

    @cached_property
    def groups(self) -> FloatArray:
        """The number of groups in each stratum."""
        return np.asarray(np.bincount(self.stratum, self.number), dtype=np.float64)

    @cached_property
    def is_whole(self) -> bool:
        """Whether the numbers of groups are whole, and not too large to draw as many."""
        return bool((self.number == np.rint(self.number)).all() and self.number.sum() <= _LARGEST)

    @cached_property
    def by_stratum(self) -> FloatArray:
        """The table of each stratum, shape (strata, entries)."""
        weighted = self.tables.multiply(self.number[:, None]).tocsr()
        return np.stack([weighted[self.stratum == h].sum(axis=0) for h in range(len(self.groups))])

    @property
    def total(self) -> FloatArray:
        """The table of all examples, shape (entries, 1)."""
        return np.asarray(self.by_stratum.sum(axis=0)[:, None])

    @property
    def weight(self) -> float:
        """The mean weight of an example."""
        return float(self.total.sum()) / self.examples

    @cached_property
    def portions(self) -> FloatArray:
        """Which part of what is added to an entry a stratum gets: as large as its part of the entry's true class."""
        rows = np.stack([np.bincount(self.rows, table) for table in self.by_stratum])
        sizes = np.broadcast_to(self.by_stratum.sum(axis=1)[:, None], rows.shape)
        rows = np.where(rows.sum(axis=0) > 0, rows, sizes)
        return np.asarray((rows / rows.sum(axis=0))[:, self.rows])


def interval_of_sample(estimator: Estimator, sample: Sample, question: Question) -> Interval:
    """Return the interval of a value from examples in groups and strata.

    :raises InputError: on a method other than "auto", "delta" and "bootstrap", and on a stratum with a single group
    """
    if question.method not in ("auto", "delta", "bootstrap"):
        raise InputError(
            f"method={question.method!r} is for examples drawn one by one, and these come in groups or strata or with "
            "weights; pass 'delta' or 'bootstrap'"
        )
    if question.sampling != "multinomial":
        raise InputError(
            f"sampling={question.sampling!r} is for examples drawn one by one; pass strata=y_true if the number of "
            "each class was fixed"
        )
    estimate = estimator.values(sample.total)
    method = "bootstrap" if question.method == "bootstrap" else "delta"
    if method == "delta":
        low, high = linearised(estimator, sample, question.level)
        if question.method == "auto" and question.has_enough_draws and sample.is_whole and high[0] - low[0] < AT_END:
            method = "bootstrap"  # the tangent is flat, as at independence, and tells nothing
    if method == "bootstrap":
        low, high = resampled(estimator, sample, question)
    put_around(estimate, low, high, estimator.range)
    return Interval(float(low[0]), float(high[0]), float(estimate[0]), method, question.level)


def linearised(estimator: Estimator, sample: Sample, level: float) -> Ends:
    """Return the ends of the delta method for groups: on the scale of the range, with the quantile of Student's t.

    Per stratum of G groups the variance is G/(G - 1) times the sum, over its groups, of the squared distance of what
    the group adds to the linearised value from the mean of the stratum; t has as many degrees of freedom as there are
    groups beyond the number of strata.  What is added to each entry, so that no share is 0, are a quarter of an
    example drawn by itself: as many more as the design effect says (Kish 1965, section 8.2), which is how many times as
    large the variance of the groups is as that of as many examples drawn one by one.
    """
    found = _placed(estimator, sample)
    reach = stdtrit(found.degrees, (1 + level) / 2) * found.error
    low, high = (
        np.where(found.error == 0, found.values, found.scale.back(end))
        for end in (found.place - reach, found.place + reach)
    )
    return low, high


def probability_above_of_sample(estimator: Estimator, sample: Sample, threshold: float) -> float:
    """Return how probable a value above a threshold is, by the t distribution whose quantiles the delta method takes.

    Half for a value that is the threshold and does not vary.
    """
    found = _placed(estimator, sample)
    if not (found.error > 0).all():
        value = float(found.values[0])
        return 0.5 if value == threshold else float(value > threshold)
    distance = found.place - found.scale.to(np.array([threshold]))
    return float(stdtr(found.degrees, distance / found.error)[0])


class _Placed(NamedTuple):
    """A value with what was added to the entries, its place on the scale, its error there, and degrees of freedom."""

    scale: Scale
    values: FloatArray
    place: FloatArray
    error: FloatArray
    degrees: float


def _placed(estimator: Estimator, sample: Sample) -> _Placed:
    alone = _variance(estimator, sample, 1.0)
    found = _variance(estimator, sample, max(1.0, alone.between / alone.separate) if alone.separate > 0 else 1.0)
    scale, values = Scale(estimator.range), estimator.values(found.moved)
    error = (found.between + found.added) ** 0.5 * scale.slope(values)
    return _Placed(scale, values, scale.to(values), error, float(sample.groups.sum()) - len(sample.groups))


class _Variance(NamedTuple):
    """Parts of the variance of a value that is linearised at a table."""

    moved: FloatArray  # the table, of shape (entries, 1)
    between: float  # of the groups
    separate: float  # if all examples had been drawn one by one
    added: float  # of what was added to the entries


def _variance(estimator: Estimator, sample: Sample, effect: float) -> _Variance:
    added = ADDED * estimator.share * sample.weight * effect
    moved = sample.total + added
    slopes = estimator.slopes(moved)[:, 0]
    # The mean of the linearised value over the examples of each stratum, and over its groups.
    by_stratum, more = sample.by_stratum, sample.portions * added
    middle = (by_stratum + more) @ slopes / (by_stratum + more).sum(axis=1)
    factor = sample.groups / (sample.groups - 1)
    mean = middle * by_stratum.sum(axis=1) / sample.groups
    # Squared distances from it: of what each group adds, and of each entry.
    apart = (sample.tables @ slopes - mean[sample.stratum]) ** 2
    squares = (slopes - middle[:, None]) ** 2
    return _Variance(
        moved,
        float((factor[sample.stratum] * sample.number * apart).sum()),
        sample.weight * float((factor[:, None] * by_stratum * squares).sum()),
        sample.weight * effect * float((factor[:, None] * more * squares).sum()),
    )


def resampled(estimator: Estimator, sample: Sample, question: Question) -> Ends:
    """Return quantiles of the value over samples of as many groups, drawn with replacement within each stratum.

    In a stratum of G groups such samples vary by (G - 1)/G of the variance, so that it should not have but a few.
    """
    question.require_draws()
    if not sample.is_whole:
        raise InputError(
            "some counts are not whole, or above 2**53, and the bootstrap draws examples; pass method='delta'"
        )
    random = np.random.default_rng(question.seed)
    values = np.empty(question.draws)
    step = max(1, _GROUPS_AT_ONCE // max(len(sample.number), len(sample.rows)))
    for start in range(0, question.draws, step):
        part = slice(start, min(start + step, question.draws))
        drawn = np.zeros((part.stop - part.start, sample.tables.shape[1]))
        for stratum in range(len(sample.groups)):
            chosen = np.flatnonzero(sample.stratum == stratum)
            times = _times(random, sample.number[chosen], len(drawn))
            drawn += times @ sample.tables[chosen]
        values[part] = estimator.values(drawn.T)
    tail = (1 - question.level) / 2
    known = values[~np.isnan(values)]
    # One of the values, which may be infinite, and not the mean of two of them.
    low, high = np.quantile(known, [tail, 1 - tail], method="inverted_cdf") if known.size else (np.nan, np.nan)
    return np.array([low]), np.array([high])


def _times(random: np.random.Generator, number: FloatArray, draws: int) -> FloatArray:
    """Return how often each of some groups is drawn, of as many as there are in all: shape (draws, groups)."""
    total = int(number.sum())
    if total > len(number):
        return random.multinomial(total, number / total, size=draws).astype(float)
    places = random.integers(0, total, size=(draws, total)) + np.arange(draws)[:, None] * total
    return np.bincount(places.reshape(-1), minlength=draws * total).reshape(draws, total).astype(float)
