"""The metrics that rank tables most like a given one, and the smallest tables on which they disagree.

Which metrics are close is counted in floating point; the pair of tables is found and compared in exact arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cmp_to_key, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr

from symmetrics.claims.witness import Counts
from symmetrics.library import metrics
from symmetrics.metric import Metric
from symmetrics.prover.engine.samples import Counted, Sampled, order_of, sampled
from symmetrics.query.fingerprints import ORDERED, TOLERANCE, Array, values_at
from symmetrics.tools.errors import UnsupportedError

Ranks = NDArray[np.int64]
TABLES: Final = ORDERED
LARGEST: Final = int(sum(TABLES[-1]))
"""Most examples of the tables that are looked at."""
_TOTALS: Final = np.array([sum(table) for table in TABLES])
_UNDEFINED: Final = -1


@dataclass(frozen=True)
class Disagreement:
    """Two tables of which one metric puts the first below the second, and the other above it.

    :param tables: the tables
    :param values: of the one metric
    :param others: of the other metric itself, also where its negative was compared
    """

    tables: tuple[Counts, Counts]
    values: tuple[Expr, Expr]
    others: tuple[Expr, Expr]


@dataclass(frozen=True)
class Relative:
    """A metric that ranks tables much like another one.

    :param metric: it
    :param opposite: the share of the pairs of tables with the same number of examples that both metrics put in an
        order, and not in the same one; a loss counts as its negative, as does a metric that then disagrees less
    :param distance: that share, and half the share of the pairs that one of the two metrics ties and the other does not
    :param is_reversed: whether its negative was compared
    :param disagreement: the smallest pair that both put in opposite orders; None if there is none up to ``LARGEST``
    """

    metric: Metric
    opposite: float
    distance: float
    is_reversed: bool
    disagreement: Disagreement | None


def relatives_of(
    metric: Metric, count: int = 5, *, without: Iterable[str] = (), known: Iterable[Metric] | None = None
) -> tuple[Relative, ...]:
    """Return the metrics of the library that put the fewest pairs of tables in the opposite order, the closest first.

    :param metric: a metric all of whose parameters have defaults, at which it is taken
    :param count: how many
    :param without: names of metrics to leave out, such as those that are known to put all tables in the same order
    :param known: the metrics to compare with; by default the library's, at their defaults

    >>> from symmetrics.library import metrics
    >>> found = relatives_of(metrics["f1"], 1, without=("jaccard", "kulczynski_1", "f_beta", "tversky"))
    >>> len(found), found[0].opposite < 0.05
    (1, True)
    """
    mine = _signs(metric.at_defaults())
    if mine is None:
        return ()
    left_out = {metric.name, *without}
    found = []
    for other in metrics.values() if known is None else known:
        if other.name in left_out or any(p.default is None for p in other.parameters):
            continue
        theirs = _signs(other.at_defaults())
        if theirs is None or not (compared := int(np.count_nonzero(mine * theirs))):
            continue
        product = mine * theirs
        against, along = int(np.count_nonzero(product < 0)), int(np.count_nonzero(product > 0))
        is_reversed = along < against
        # What orders few pairs at all is not close to what orders nearly all of them.
        strangers = int(np.count_nonzero((mine == 0) != (theirs == 0)))
        share = min(against, along) / compared
        found.append((share + strangers / (2 * len(mine)), other.name, share, is_reversed, other))
    nearest = sorted(found, key=lambda entry: entry[:2])[:count]
    return tuple(
        Relative(other, share, distance, is_reversed, smallest_disagreement(metric, other, is_reversed=is_reversed))
        for distance, _, share, is_reversed, other in nearest
    )


@lru_cache(maxsize=1)
def _pairs() -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    first, second = np.triu_indices(len(TABLES), 1)
    same = _TOTALS[first] == _TOTALS[second]
    return first[same], second[same]


@lru_cache(maxsize=512)
def _signs(formula: Expr) -> NDArray[np.int8] | None:
    """Return how a formula orders all pairs of tables with the same number of examples, None if it orders none."""
    try:
        values: Array = values_at(formula, TABLES)
    except UnsupportedError:
        return None
    first, second = _pairs()
    before, after = values[first], values[second]
    with np.errstate(invalid="ignore"):
        close = np.abs(before - after) <= TOLERANCE * np.maximum(np.abs(before), np.abs(after))
        signs = np.where(close, 0, np.sign(before - after))
    found = np.nan_to_num(signs).astype(np.int8)
    return found if found.any() else None


# -- exactly -----------------------------------------------------------------------------------------------------------


def smallest_disagreement(first: Metric, second: Metric, *, is_reversed: bool = False) -> Disagreement | None:
    """Return the smallest pair of tables of positive whole cells that two metrics put in opposite orders.

    Smallest is the pair whose larger table has the fewest examples, then that whose smaller one has, then the first in
    the order of the cells.  Values that 400 bits do not tell apart count as the same.

    :param is_reversed: take the negative of the second metric
    :returns: None if there is none among the tables of at most ``LARGEST`` examples

    >>> from symmetrics.library import metrics
    >>> smallest_disagreement(metrics["accuracy"], metrics["f1"]).tables
    (Counts(tp=1, fn=1, fp=1, tn=2), Counts(tp=2, fn=1, fp=2, tn=1))
    """
    formulas = [sampled(metric.at_defaults()) for metric in (first, second)]
    ranks = [_ranks(formula.formula) for formula in formulas]
    for total in range(4, LARGEST + 1):
        new = np.flatnonzero(total == _TOTALS)
        known = np.flatnonzero(total >= _TOTALS)
        signs = [_compared(each, known, new) for each in ranks]
        wanted = signs[0] * (-signs[1] if is_reversed else signs[1]) < 0
        if wanted.any():
            return _smallest(formulas, known, new, wanted)
    return None


def _compared(ranks: Ranks, known: NDArray[np.intp], new: NDArray[np.intp]) -> Ranks:
    left, right = ranks[known][:, None], ranks[new][None, :]
    return np.where((left == _UNDEFINED) | (right == _UNDEFINED), 0, np.sign(left - right))


def _smallest(
    formulas: Sequence[Sampled], known: NDArray[np.intp], new: NDArray[np.intp], wanted: NDArray[np.bool_]
) -> Disagreement:
    pairs = ((int(known[row]), int(new[column])) for row, column in np.argwhere(wanted))
    _, first, second = min((int(_TOTALS[row]), TABLES[row], TABLES[column]) for row, column in pairs)
    values = [(formula.exact_at(first), formula.exact_at(second)) for formula in formulas]
    return Disagreement((_counts(first), _counts(second)), values[0], values[1])


def _counts(table: Counted) -> Counts:
    return Counts(*(int(cell) for cell in table))


@lru_cache(maxsize=64)
def _ranks(formula: Expr) -> Ranks:
    """Return the place of every table among the values of a formula, the same for equal values."""
    found = sampled(formula)
    ranks = np.full(len(TABLES), _UNDEFINED)
    compare: Callable[[int, int], int] = lambda a, b: order_of(found, TABLES[a], TABLES[b]) or 0  # noqa: E731
    defined = sorted(
        (place for place, table in enumerate(TABLES) if found.at(table) is not None), key=cmp_to_key(compare)
    )
    rank = 0
    for before, place in zip([None, *defined], defined, strict=False):
        rank += before is not None and compare(before, place) != 0
        ranks[place] = rank
    return ranks


# -- How alike metrics rank tables: coefficients of the ranks that their values give -----------------------------------


FloatArray = NDArray[np.float64]
STATISTICS: Final = {
    "kendall": "Kendall's τ-b",
    "spearman": "Spearman's ρ",
    "pearson": "Pearson's coefficient",
}
"""What agreement is measured by."""


def coefficient(first: FloatArray, second: FloatArray, statistic: str) -> float:
    """Return how alike two metrics rank tables, or how linear one is in the other; nan if one of them is constant."""
    from scipy.stats import kendalltau, pearsonr, spearmanr

    both = np.isfinite(first) & np.isfinite(second) if statistic == "pearson" else ~(np.isnan(first) | np.isnan(second))
    x, y = (values[both] if statistic == "pearson" else ranks(values[both]) for values in (first, second))
    if len(x) < 2 or len(set(x.tolist())) < 2 or len(set(y.tolist())) < 2:
        return float("nan")
    functions: dict[str, Any] = {"kendall": kendalltau, "spearman": spearmanr, "pearson": pearsonr}
    return float(functions[statistic](x, y).statistic)


def ranks(values: FloatArray) -> FloatArray:
    """Return the places of values in their order, with what differs by rounding alone in one place."""
    order = np.argsort(values)
    rising = values[order]
    with np.errstate(invalid="ignore"):
        apart = np.diff(rising) > 1e-12 * np.maximum(np.abs(rising[1:]), 1e-3)
    apart |= np.isinf(rising[1:]) & (rising[1:] != rising[:-1]) | (
        np.isneginf(rising[:-1]) & (rising[1:] != rising[:-1])
    )
    found = np.empty(len(values))
    found[order] = np.concatenate([[0], np.cumsum(apart)])
    return found
