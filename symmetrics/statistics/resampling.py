"""Intervals by simulation: Bayesian posterior and bootstrap.

Each table starts the generator anew, from the seed and its own entries: equal tables have equal intervals, alone or in
an array, wherever they stand.  Of a posterior each entry does so by itself, and tables share what is drawn for entries
that they share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from symmetrics.data.counts import FloatArray, shown
from symmetrics.statistics.delta import ADDED, standard_error
from symmetrics.statistics.intervals import (
    AT_END,
    Ends,
    Estimator,
    Groups,
    Interval,
    Question,
    Scale,
    Tables,
    put_around,
)
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from scipy.sparse import csr_array


Summary = Callable[[FloatArray, slice], Ends]  # from the values drawn for some tables, of shape (some, draws)
Draw = Callable[[FloatArray, Groups, Question], FloatArray]  # from a table of shape (entries,) to (entries, draws)
_AT_ONCE: Final = 1 << 17  # entries drawn at a time
_KEPT: Final = 1 << 21
"""Cache size for draws, reused by tables with equal entries."""


def posterior(tables: Tables) -> Ends:
    """Return quantiles of the value under the posterior of the shares."""
    return _from_draws(tables, _dirichlet(tables), _equal_tails(tables.question.level))


def probability_above(table: Tables, threshold: float) -> float:
    """Return the posterior probability of a value above a threshold, for one table; ties count half.

    One draw more is counted, half above: no number of draws tells that something is certain.
    """
    ((_, drawn),) = _blocks(table, _dirichlet(table))
    values = table.estimator.values(drawn[:, 0])
    known = values[~np.isnan(values)]
    above = float(((known > threshold) + (known == threshold) / 2).sum())
    return (above + 0.5) / (known.size + 1) if known.size else float("nan")


def highest(tables: Tables) -> Ends:
    """Return the highest-density interval: the shortest that holds the level's share of the posterior."""
    return _from_draws(tables, _dirichlet(tables), _shortest(tables.question.level))


def percentile(tables: Tables) -> Ends:
    """Return percentile bootstrap intervals, tables drawn at the observed shares (Efron & Tibshirani 1993, ch. 13)."""
    ends = _quantiles_of_resamples(tables)
    return _with_unseen(ends, ends, tables)


def bca(tables: Tables) -> Ends:
    """Return BCa intervals: corrected for bias and acceleration (Efron 1987; Efron & Tibshirani 1993, ch. 14).

    The acceleration is that of the jackknife, which leaves out one example of each cell in turn.
    """
    estimates = tables.estimator.values(tables.entries)
    acceleration = _acceleration(tables.estimator, tables.entries)
    normal = ndtri((1 + tables.question.level) / 2) * np.array([-1.0, 1.0])

    def ends(drawn: FloatArray, part: slice) -> Ends:
        number = np.maximum(np.isfinite(drawn).sum(axis=-1), 1)
        middle = estimates[part, None]
        # The bias z0: the normal quantile of the share of resampled values below the estimate, ties half.
        below = ((drawn < middle).sum(axis=-1) + (drawn == middle).sum(axis=-1) / 2) / number
        bias = ndtri(np.clip(below, 0.5 / number, 1 - 0.5 / number))[:, None]
        # The corrected shares, equation (14.10).
        shares = ndtr(bias + (bias + normal) / (1 - acceleration[part, None] * (bias + normal)))
        return _quantiles(drawn, shares)

    found = _from_draws(tables, _resampled, ends)
    return _with_unseen(found, found, tables)


def studentised(tables: Tables) -> Ends:
    """Return bootstrap-t intervals on the scale of the range (Efron & Tibshirani 1993, 12.5)."""
    estimator, scale = tables.estimator, Scale(tables.estimator.range)

    def on_scale(entries: FloatArray) -> tuple[FloatArray, FloatArray]:
        moved = entries + ADDED * estimator.share
        values = estimator.values(moved)
        with np.errstate(invalid="ignore"):  # the error is undefined where the scale has infinite slope
            return scale.to(values), standard_error(estimator, moved, tables.groups) * scale.slope(values)

    low, high = np.empty((2, tables.number))
    for part, drawn in _blocks(tables, _resampled):
        place, error = on_scale(tables.entries[:, part])
        places, errors = on_scale(drawn)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = (places - place[:, None]) / errors
            least, most = _equal_tails(tables.question.level)(ratio, part)
            low[part], high[part] = scale.back(place - most * error), scale.back(place - least * error)
    return _with_unseen((low, high), _quantiles_of_resamples(tables), tables)


def _quantiles_of_resamples(tables: Tables) -> Ends:
    return _from_draws(tables, _resampled, _equal_tails(tables.question.level))


def _with_unseen(ends: Ends, drawn: Ends, tables: Tables) -> Ends:
    """Widen bootstrap intervals for kinds of examples that were not observed and so never occur in resamples.

    Where a table has no value, or one at an end of the range, or none of its resamples has another one, the interval
    holds that of the posterior; without a value it is the range.

    :param drawn: quantiles of the values of resamples
    """
    (low, high), bounds = ends, tables.estimator.range
    values = tables.estimator.values(tables.entries)
    with np.errstate(invalid="ignore"):  # both may be infinite
        alike = ~(drawn[1] - drawn[0] > AT_END)
    unsure = (values <= bounds.low + AT_END) | (values >= bounds.high - AT_END) | alike
    if unsure.any():
        least, most = posterior(tables.at(unsure))
        low[unsure], high[unsure] = np.fmin(low[unsure], least), np.fmax(high[unsure], most)
    low[np.isnan(values)] = high[np.isnan(values)] = np.nan  # nan is replaced by the range
    return low, high


def _from_draws(tables: Tables, draw: Draw, summary: Summary) -> Ends:
    low, high = np.empty((2, tables.number))
    for part, drawn in _blocks(tables, draw):
        low[part], high[part] = summary(tables.estimator.values(drawn), part)
    return low, high


def _blocks(tables: Tables, draw: Draw) -> Iterator[tuple[slice, FloatArray]]:
    """Yield drawn tables in blocks: shape (entries, some, draws)."""
    entries, draws = len(tables.entries), tables.question.draws
    step = max(1, _AT_ONCE // (entries * draws))
    for start in range(0, tables.number, step):
        part = slice(start, min(start + step, tables.number))
        drawn = np.empty((entries, part.stop - start, draws))
        for place, table in enumerate(tables.entries[:, part].T):
            drawn[:, place] = draw(table, tables.groups, tables.question)
        yield part, drawn


def _generator(seed: int, *numbers: float) -> np.random.Generator:
    return np.random.default_rng([seed, *np.array(numbers).view(np.uint64).tolist()])


def _dirichlet(tables: Tables) -> Draw:
    """Draw shares from the Dirichlet posterior, times the total of each group; 1 where a group is empty."""
    prior, draws = tables.question.prior * tables.estimator.share, tables.question.draws

    # Gamma draws of equal counts at the same entry are the same, and are cached.
    @lru_cache(maxsize=max(64, _KEPT // draws))
    def gammas(seed: int, place: int, count: float) -> FloatArray:
        drawn = _generator(seed, place, count).standard_gamma(count + prior, size=draws)
        return np.maximum(drawn, np.finfo(float).tiny, out=drawn)

    # Normalised within each group: Dirichlet shares, times the group's total.
    def draw(table: FloatArray, groups: Groups, question: Question) -> FloatArray:
        drawn = np.stack([gammas(question.seed, place, count) for place, count in enumerate(table.tolist())])
        for group in map(list, groups):
            drawn[group] *= (table[group].sum() or 1.0) / drawn[group].sum(axis=0)
        return drawn

    return draw


def _resampled(table: FloatArray, groups: Groups, question: Question) -> FloatArray:
    """Draw multinomial tables with the groups' totals at the observed shares."""
    if not (table == np.rint(table)).all() or table.max() > 2**53:
        raise InputError(
            f"the table {shown(table.tolist())} has counts that are not whole, and the bootstrap draws examples; pass "
            "method='bayes' or 'delta'"
        )
    generator = _generator(question.seed, *table.tolist())
    drawn = np.zeros((len(table), question.draws))
    for group in groups:
        _draw_multinomial(generator, [(place, int(table[place])) for place in group if table[place]], drawn)
    return drawn


def _draw_multinomial(generator: np.random.Generator, counts: list[tuple[int, int]], drawn: FloatArray) -> None:
    """Fill rows with multinomial draws: each cell is binomial given the cells before it.

    NumPy's own draws take twice as long: they prepare anew for each of them.

    :param counts: the places and the counts of the cells that are not empty
    """
    total = sum(count for _, count in counts)
    left: int | NDArray[np.int64] = total
    # Conditionally on the cells before it, a cell is binomial among the examples that are left.
    for place, count in counts[:-1]:
        drawn[place] = found = generator.binomial(left, count / total, size=drawn.shape[1])
        left, total = left - found, total - count
    for place, _ in counts[-1:]:
        drawn[place] = left


def _acceleration(estimator: Estimator, entries: FloatArray) -> FloatArray:
    """Return the acceleration: a sixth of the skewness of the jackknife values."""
    number = entries.sum(axis=0)
    # The jackknife: the value without one example of each cell, weighted by the cell's count.
    without = np.stack([estimator.values(np.maximum(entries - row[:, None], 0.0)) for row in np.eye(len(entries))])
    weights = np.where(np.isfinite(without), entries, 0.0)
    without = np.where(weights > 0, without, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        below = (weights * without).sum(axis=0) / number - without
        skewness = (weights * below**3).sum(axis=0) / (weights * below**2).sum(axis=0) ** 1.5
    return np.asarray(np.nan_to_num(skewness / 6, nan=0.0, posinf=0.0, neginf=0.0))


def _equal_tails(level: float) -> Summary:
    shares = np.array([(1 - level) / 2, (1 + level) / 2])

    def ends(drawn: FloatArray, _: slice) -> Ends:
        if np.isnan(drawn).any():
            return _quantiles(drawn, np.broadcast_to(shares, (len(drawn), 2)))
        places = [share * (drawn.shape[-1] - 1) for share in shares.tolist()]
        pairs = [(int(at), min(int(at) + 1, drawn.shape[-1] - 1)) for at in places]
        ordered = np.partition(drawn, [place for pair in pairs for place in pair], axis=-1)
        ends = zip(pairs, places, strict=True)
        low, high = (_between(ordered[:, left], ordered[:, right], at % 1) for (left, right), at in ends)
        return low, high

    return ends


def _between(left: FloatArray, right: FloatArray, share: float | FloatArray) -> FloatArray:
    """Interpolate linearly between two values, which may be equal and infinite."""
    with np.errstate(invalid="ignore"):
        return np.where(left == right, left, left + (right - left) * share)


def _quantiles(drawn: FloatArray, shares: FloatArray) -> Ends:
    """Return two quantiles of the values that are not nan, for shares of shape (m, 2); nan where all are nan."""
    ordered = np.sort(drawn, axis=-1)
    number = (~np.isnan(ordered)).sum(axis=-1, keepdims=True)
    place = np.clip(shares, 0.0, 1.0) * np.maximum(number - 1, 0)
    below = np.floor(place).astype(int)
    above = np.minimum(below + 1, np.maximum(number - 1, 0))
    left, right = np.take_along_axis(ordered, below, -1), np.take_along_axis(ordered, above, -1)
    low, high = _between(left, right, place - below).T
    return low, high


def _shortest(level: float) -> Summary:
    def ends(drawn: FloatArray, _: slice) -> Ends:
        ordered = np.sort(drawn, axis=-1)
        inside = int(np.ceil(level * ordered.shape[-1]))
        with np.errstate(invalid="ignore"):
            # The narrowest of all windows that contain that many of the sorted values.
            widths = ordered[:, inside - 1 :] - ordered[:, : ordered.shape[-1] - inside + 1]
        first = np.argmin(np.where(np.isnan(widths), np.inf, widths), axis=-1)
        rows = np.arange(len(ordered))
        return ordered[rows, first], ordered[rows, first + inside - 1]

    return ends


# ----------------------------------------------------------------------------------------------------------------------
# Sampling designs: clusters (such as documents of one author), strata, weights.

# The sampling units are the groups, each with its own table, independently within every stratum. The
# variance is that of the linearised value, summed over groups (the "ultimate clusters" of Hansen, Hurwitz & Madow
# 1953; Cochran 1977, sections 5A and 11; Rao & Scott 1992), and the bootstrap draws whole groups (Field & Welsh
# 2007).


_LARGEST: Final = 2.0**53
"""Largest integer below which all integers are exact in float64."""
_GROUPS_AT_ONCE: Final = 1 << 22
"""Number of groups, or table entries, drawn per step."""


@dataclass(frozen=True, eq=False)
class Sample:
    """A sample by design: the table of each group of examples, and the stratum of each group.

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
        """Number of groups in each stratum."""
        return np.asarray(np.bincount(self.stratum, self.number), dtype=np.float64)

    @cached_property
    def is_whole(self) -> bool:
        """Whether the numbers of groups are integers, and not too large to draw from."""
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
        """Fraction of an entry's pseudo-count for each stratum: its share of the entry's true class."""
        rows = np.stack([np.bincount(self.rows, table) for table in self.by_stratum])
        sizes = np.broadcast_to(self.by_stratum.sum(axis=1)[:, None], rows.shape)
        rows = np.where(rows.sum(axis=0) > 0, rows, sizes)
        return np.asarray((rows / rows.sum(axis=0))[:, self.rows])


def interval_of_sample(estimator: Estimator, sample: Sample, question: Question) -> Interval:
    """Return an interval for a value from examples in groups and strata.

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
            method = "bootstrap"  # the linearised value is flat, as at independence, and has no variance
    if method == "bootstrap":
        low, high = resampled(estimator, sample, question)
    put_around(estimate, low, high, estimator.range)
    return Interval(float(low[0]), float(high[0]), float(estimate[0]), method, question.level)


def linearised(estimator: Estimator, sample: Sample, level: float) -> Ends:
    """Return delta-method intervals for groups: on the scale of the range, with quantiles of Student's t.

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
    """Return the probability of a value above a threshold, by the same t distribution as the delta method's interval.

    Half for a value that is the threshold and does not vary.
    """
    found = _placed(estimator, sample)
    if not (found.error > 0).all():
        value = float(found.values[0])
        return 0.5 if value == threshold else float(value > threshold)
    distance = found.place - found.scale.to(np.array([threshold]))
    return float(stdtr(found.degrees, distance / found.error)[0])


class _Placed(NamedTuple):
    """A value after pseudo-counts: on the scale, with its error there and degrees of freedom."""

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
    """Components of the variance of a linearised value."""

    moved: FloatArray  # the table with pseudo-counts, of shape (entries, 1)
    between: float  # between groups
    separate: float  # if all examples had been drawn independently
    added: float  # of the pseudo-counts


def _variance(estimator: Estimator, sample: Sample, effect: float) -> _Variance:
    added = ADDED * estimator.share * sample.weight * effect
    moved = sample.total + added
    slopes = estimator.slopes(moved)[:, 0]
    # The mean of the linearised value over the examples of each stratum, and over its groups.
    by_stratum, more = sample.by_stratum, sample.portions * added
    middle = (by_stratum + more) @ slopes / (by_stratum + more).sum(axis=1)
    factor = sample.groups / (sample.groups - 1)
    mean = middle * by_stratum.sum(axis=1) / sample.groups
    # Squared deviations from it: for each group, and for each entry.
    apart = (sample.tables @ slopes - mean[sample.stratum]) ** 2
    squares = (slopes - middle[:, None]) ** 2
    return _Variance(
        moved,
        float((factor[sample.stratum] * sample.number * apart).sum()),
        sample.weight * float((factor[:, None] * by_stratum * squares).sum()),
        sample.weight * effect * float((factor[:, None] * more * squares).sum()),
    )


def resampled(estimator: Estimator, sample: Sample, question: Question) -> Ends:
    """Return quantiles of the value over resamples of groups, drawn with replacement within each stratum.

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
    # An observed value, which may be infinite, rather than the mean of two.
    low, high = np.quantile(known, [tail, 1 - tail], method="inverted_cdf") if known.size else (np.nan, np.nan)
    return np.array([low]), np.array([high])


def _times(random: np.random.Generator, number: FloatArray, draws: int) -> FloatArray:
    """Return how often each group is drawn in a resample of the same size: shape (draws, groups)."""
    total = int(number.sum())
    if total > len(number):
        return random.multinomial(total, number / total, size=draws).astype(float)
    places = random.integers(0, total, size=(draws, total)) + np.arange(draws)[:, None] * total
    return np.bincount(places.reshape(-1), minlength=draws * total).reshape(draws, total).astype(float)
