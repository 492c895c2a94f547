"""Intervals from tables drawn at random: of a posterior, or by the bootstrap.

Each table starts the generator anew, from the seed and its own entries: equal tables have equal intervals, alone or in
an array, wherever they stand.  Of a posterior each entry does so by itself, and tables share what is drawn for entries
that they share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from symmetrics.numeric.counts import FloatArray, shown
from symmetrics.numeric.intervals.delta import ADDED, standard_error
from symmetrics.numeric.intervals.result import Ends, Question, Tables
from symmetrics.numeric.intervals.scales import AT_END, Estimator, Groups, Scale
from symmetrics.tools.errors import InputError

Summary = Callable[[FloatArray, slice], Ends]  # from the values drawn for some tables, of shape (some, draws)
Draw = Callable[[FloatArray, Groups, Question], FloatArray]  # from a table of shape (entries,) to (entries, draws)
_AT_ONCE: Final = 1 << 17  # entries drawn at a time
_KEPT: Final = 1 << 21
"""Draws that are kept, for tables with an entry that another one had."""


def posterior(tables: Tables) -> Ends:
    """Return the quantiles of the value under the posterior of the shares."""
    return _from_draws(tables, _dirichlet(tables), _equal_tails(tables.question.level))


def probability_above(table: Tables, threshold: float) -> float:
    """Return how probable a value above a threshold is after one table; half for equal ones.

    One draw more is counted, half above: no number of draws tells that something is certain.
    """
    ((_, drawn),) = _blocks(table, _dirichlet(table))
    values = table.estimator.values(drawn[:, 0])
    known = values[~np.isnan(values)]
    above = float(((known > threshold) + (known == threshold) / 2).sum())
    return (above + 0.5) / (known.size + 1) if known.size else float("nan")


def highest(tables: Tables) -> Ends:
    """Return the shortest interval that holds as much of the posterior as the level says."""
    return _from_draws(tables, _dirichlet(tables), _shortest(tables.question.level))


def percentile(tables: Tables) -> Ends:
    """Return the quantiles of the value at tables drawn at the observed shares (Efron & Tibshirani 1993, ch. 13)."""
    ends = _quantiles_of_resamples(tables)
    return _with_unseen(ends, ends, tables)


def bca(tables: Tables) -> Ends:
    """Return those quantiles corrected for bias and acceleration (Efron 1987; Efron & Tibshirani 1993, ch. 14).

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
    """Return the interval of the bootstrapped value over its error, on the scale (Efron & Tibshirani 1993, 12.5)."""
    estimator, scale = tables.estimator, Scale(tables.estimator.range)

    def on_scale(entries: FloatArray) -> tuple[FloatArray, FloatArray]:
        moved = entries + ADDED * estimator.share
        values = estimator.values(moved)
        with np.errstate(invalid="ignore"):  # no error where the slope of the scale has no end
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
    """Return the ends of a bootstrap, with what resamples cannot tell, which hold no kind of example that is not seen.

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
    low[np.isnan(values)] = high[np.isnan(values)] = np.nan  # which stands for the range
    return low, high


def _from_draws(tables: Tables, draw: Draw, summary: Summary) -> Ends:
    low, high = np.empty((2, tables.number))
    for part, drawn in _blocks(tables, draw):
        low[part], high[part] = summary(tables.estimator.values(drawn), part)
    return low, high


def _blocks(tables: Tables, draw: Draw) -> Iterator[tuple[slice, FloatArray]]:
    """Yield tables drawn for some of the tables at a time: shape (entries, some, draws)."""
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
    """Draw shares from the posterior, times the total that each group has; 1 where it has none."""
    prior, draws = tables.question.prior * tables.estimator.share, tables.question.draws

    @lru_cache(maxsize=max(64, _KEPT // draws))
    def gammas(seed: int, place: int, count: float) -> FloatArray:
        drawn = _generator(seed, place, count).standard_gamma(count + prior, size=draws)
        return np.maximum(drawn, np.finfo(float).tiny, out=drawn)

    def draw(table: FloatArray, groups: Groups, question: Question) -> FloatArray:
        drawn = np.stack([gammas(question.seed, place, count) for place, count in enumerate(table.tolist())])
        for group in map(list, groups):
            drawn[group] *= (table[group].sum() or 1.0) / drawn[group].sum(axis=0)
        return drawn

    return draw


def _resampled(table: FloatArray, groups: Groups, question: Question) -> FloatArray:
    """Draw as many examples as each group has, at the observed shares."""
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
    """Fill rows with draws of a multinomial: of each cell as a binomial of the examples that are left for it.

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
    """Return a sixth of the skewness of the values without one example."""
    number = entries.sum(axis=0)
    # The jackknife: the value without one example of each cell, which counts once for every example there.
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
    """Return what lies a share of the way between two values, which may be equal and infinite."""
    with np.errstate(invalid="ignore"):
        return np.where(left == right, left, left + (right - left) * share)


def _quantiles(drawn: FloatArray, shares: FloatArray) -> Ends:
    """Return two quantiles of the values that are not nan, of shares of shape (m, 2); nan where all of them are."""
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
            # The narrowest of all windows that hold so many of the ordered values.
            widths = ordered[:, inside - 1 :] - ordered[:, : ordered.shape[-1] - inside + 1]
        first = np.argmin(np.where(np.isnan(widths), np.inf, widths), axis=-1)
        rows = np.arange(len(ordered))
        return ordered[rows, first], ordered[rows, first + inside - 1]

    return ends
