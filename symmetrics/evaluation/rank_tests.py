"""Rank tests over data sets: Friedman with post-hoc tests, and Wilcoxon's signed ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import permutations
from math import factorial, inf, prod, sqrt
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from symmetrics.data.counts import FloatArray

# ----------------------------------------------------------------------------------------------------------------------
# Exact distributions of ranks over few data sets: under the null, all orders of a data set's ranks are equally likely.

# Ties are kept: the orders are permutations of the observed ranks. Counts are in units of half a rank.


_FEW: Final = 10
"""From this number of data sets on the usual approximations are used (rule of thumb: Demšar 2006, section 3.2.2)."""
_MANY: Final = 500
"""For two classifiers, exact tests enumerate the signs of up to this many data sets."""
_AT_ONCE: Final = 1_000_000
"""Number of rank sums that are enumerated; beyond that, orders are drawn at random."""

IntArray = NDArray[np.int64]


def is_few(ranks: FloatArray) -> bool:
    """Whether p-values are computed exactly for ranks of shape (data sets, classifiers)."""
    number, classifiers = ranks.shape
    return bool(number <= (_MANY if classifiers == 2 else _FEW))


def least_p(number: int) -> float:
    """Return the smallest two-sided p-value of two classifiers that differ on this many data sets: the sign test's."""
    return 1.0 if number == 0 else float(2.0 ** (1 - number))


def p_of_difference(ranks: FloatArray, difference: float) -> float:
    """Exact two-sided p-value of a difference of two rank sums (Eisinga, Heskes, Pelzer & Te Grotenhuis 2017).

    >>> round(p_of_difference(np.tile([1.0, 2.0, 3.0], (2, 1)), 4.0) * 36)
    2
    """
    sizes, shares = _differences(ranks)
    return min(1.0, float(shares[sizes >= round(2 * abs(difference))].sum()))


def critical_sum(ranks: FloatArray, level: float, pairs: int) -> float:
    """Return the critical difference of rank sums: midway between the largest non-significant and the next.

    :param level: one less the p-value, times the number of pairs, up to which a difference is significant
    :returns: infinity if no difference is significant
    """
    sizes, shares = _differences(ranks)
    if least_p(len(ranks)) > 1 - level:
        return inf
    # The p-value of each size, adjusted for all pairs by Bonferroni.
    tails = {int(size): pairs * float(shares[sizes >= size].sum()) for size in np.unique(sizes)}
    significant = [size for size, tail in tails.items() if size and tail <= 1 - level]
    if not significant:
        return inf
    below = max(size for size in tails if size < min(significant))
    return (min(significant) + below) / 4


def _differences(ranks: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the distribution of twice the absolute difference of two rank sums: sizes and probabilities."""
    # Convolve the distributions of the data sets, each of the difference of two of its ranks.
    shares = np.ones(1)
    for row in np.rint(2 * ranks).astype(np.int64):
        # the pair's ranks are any two of the ranks, equally likely
        steps = (row[:, None] - row)[~np.eye(len(row), dtype=bool)]
        reach = int(steps.max())
        shares = np.convolve(shares, np.bincount(steps + reach, minlength=2 * reach + 1) / len(steps))
    sizes = np.abs(np.arange(len(shares)) - len(shares) // 2)
    return sizes[shares > 0], shares[shares > 0]


def p_of_friedman(ranks: FloatArray, draws: int, seed: int) -> float:
    """p-value of Friedman's statistic, the sum of squared rank sums.

    Exact, by all sums of ranks that there are, unless these are too many: then of orders drawn at random, counted with
    those that were seen, so that it is no less than 1/(draws + 1).

    >>> round(p_of_friedman(np.tile([1.0, 2.0, 3.0], (3, 1)), 100, 0) * 36)
    1
    """
    doubled = np.rint(2 * ranks).astype(np.int64)
    number, classifiers = doubled.shape
    seen = int(_spread(doubled.sum(axis=0)))
    # 1. Fix the order of the first data set: only the others' order relative to it matters.
    sums: IntArray = np.sort(doubled[:1], axis=1)
    weights: FloatArray = np.ones(1)  # weights: number of orders with these sums
    base = 2 * number * classifiers + 1
    for place, row in enumerate(doubled[1:], start=2):
        if len(sums) * factorial(classifiers) > _AT_ONCE or base**classifiers > 2**62:
            return _drawn_p(doubled, draws, seed)
        # 2. Each order of a further data set leads to new sums, identified up to permutation of the classifiers.
        orders: IntArray = np.array(list(permutations(row)), dtype=np.int64)
        sums = np.sort((sums[:, None] + orders).reshape(-1, classifiers), axis=1)
        weights = np.repeat(weights, len(orders))
        if place < number:
            codes, first, same = np.unique(
                sums @ base ** np.arange(classifiers), return_index=True, return_inverse=True
            )
            sums, weights = sums[first], np.bincount(same, weights, minlength=len(codes)).astype(np.float64)
    return float(weights[_spread(sums) >= seen].sum() / weights.sum())


def _drawn_p(doubled: IntArray, draws: int, seed: int) -> float:
    random, sums = np.random.default_rng(seed), np.zeros((draws, doubled.shape[1]), dtype=np.int64)
    for row in doubled:
        sums += random.permuted(np.tile(row, (draws, 1)), axis=1)
    extreme = np.count_nonzero(_spread(sums) >= _spread(doubled.sum(axis=0)))
    return (extreme + 1) / (draws + 1)


def _spread(sums: IntArray) -> IntArray:
    """Return the sum of squares of rank sums, which orders tables of ranks as Friedman's statistic does."""
    return np.asarray((sums**2).sum(axis=-1))


# -- Scores as the decimal numbers that they are written as, so that ties of differences are recognised ----------------

# In floats 0.875 - 0.87 is not 0.9 - 0.895, and a rank test would miss the tie. Likewise 1 - 2/3 and
# 2/3 - 1/3, which are not decimal numbers: differences within the rounding error of their scores are treated as
# equal, too.


ROUNDING: Final = 4 * float(np.finfo(float).eps)
"""Relative rounding error of a difference, in terms of the larger score."""


def differences_as_integers(
    first: Sequence[float], second: Sequence[float], *also: float
) -> tuple[NDArray[Any], list[int]]:
    """Return second minus first scores as integer multiples of a unit, and other numbers in the same unit.

    :param also: further numbers to express in it
    :returns: an array of Python's integers, which do not overflow, and a list of such

    >>> differences_as_integers([0.87, 0.895], [0.875, 0.9], 0.01)
    (array([5, 5], dtype=object), [10])
    """
    parts = [[Decimal(repr(float(value))) for value in values] for values in (first, second, also)]
    places = -min(int(value.as_tuple().exponent) for part in parts for value in part)
    unit = Fraction(10) ** -places
    before, after, others = ([int(Fraction(value) / unit) for value in part] for part in parts)
    return np.array(after, dtype=object) - np.array(before, dtype=object), others


def roundings(first: Sequence[float], second: Sequence[float]) -> list[float]:
    """Bound on each difference's rounding error.

    >>> roundings([0.5], [1.0])[0] < 1e-15
    True
    """
    return [ROUNDING * max(abs(float(one)), abs(float(other))) for one, other in zip(first, second, strict=True)]


def sizes_in_order(first: Sequence[float], second: Sequence[float]) -> FloatArray:
    """Replace differences by integers with the same signs, order and ties of absolute values.

    >>> sizes_in_order([2 / 3, 1 / 3, 0.5, 0.3, 0], [1, 2 / 3, 0.4, 0.1 + 0.2, 1]).tolist()
    [2.0, 2.0, -1.0, 0.0, 3.0]
    """
    differences, errors = differences_as_integers(first, second, *roundings(first, second))
    found = np.zeros(len(differences))
    places = [place for place, error in enumerate(errors) if abs(differences[place]) > error]
    places.sort(key=lambda place: abs(differences[place]))
    size = 0
    for rank, place in enumerate(places):
        before = places[rank - 1]
        gap = abs(differences[place]) - abs(differences[before])
        size += not rank or gap > errors[place] + errors[before]
        found[place] = size if differences[place] > 0 else -size
    return found


# ----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Friedman:
    """Friedman's test: do the mean ranks differ by more than chance?

    :param chi_square: Friedman's statistic, which for few data sets is too conservative
    :param chi_square_p: its p-value
    :param f: that of Iman & Davenport (1980), made of it
    :param f_p: its p-value; the exact one of Friedman's statistic where all data sets rank alike and F is infinite
    :param degrees: the degrees of freedom of F
    :param by_permutation: whether both p-values are the share of all orders of the ranks within data sets in which
        they differ as much, as for ten data sets or fewer: F of few data sets is far too sure
    """

    chi_square: float
    chi_square_p: float
    f: float
    f_p: float
    degrees: tuple[int, int]
    by_permutation: bool = False

    def __repr__(self) -> str:
        if self.by_permutation:
            return (
                f"Friedman's chi-square {self.chi_square:.4g}, Iman & Davenport's F{self.degrees} {self.f:.4g} "
                f"(p {self.f_p:.3g}, permutation test)"
            )
        return (
            f"Friedman's chi-square {self.chi_square:.4g} (p {self.chi_square_p:.3g}), "
            f"Iman & Davenport's F{self.degrees} {self.f:.4g} (p {self.f_p:.3g})"
        )


def ranked(scores: FloatArray) -> FloatArray:
    """Return the rank of each score in its row, 1 for the largest; ties share their mean rank.

    Scores that differ by rounding alone tie, as in :func:`signed_rank`.

    >>> ranked(np.array([[0.7, 0.9, 0.7], [0.1 + 0.2, 0.3, 0.2]])).tolist()
    [[2.5, 1.0, 2.5], [1.5, 1.5, 3.0]]
    """
    from scipy.stats import rankdata

    # Neighbours in sorted order are distinct only if they differ by more than rounding.
    order = np.argsort(scores, axis=1)
    rising = np.take_along_axis(scores, order, axis=1)
    lower, higher = rising[:, :-1], rising[:, 1:]
    with np.errstate(over="ignore"):
        is_more = higher - lower > ROUNDING * np.maximum(np.abs(lower), np.abs(higher))
    places = np.zeros(scores.shape)
    np.put_along_axis(places, order[:, 1:], np.cumsum(is_more, axis=1), axis=1)
    return np.asarray(rankdata(-places, axis=1), dtype=np.float64)


def friedman(ranks: FloatArray, *, correct_ties: bool, draws: int = 50_000, seed: int = 0) -> Friedman:
    """Return Friedman's test for ranks of shape (data sets, classifiers), with three classifiers or more.

    Both statistics order the ranks alike, so that for few data sets they have the same p-value.

    :param correct_ties: divide by what ties leave of the variance of ranks, as is usual; Demšar (2006) does not
    :param draws: how many orders are drawn where few data sets have too many for all to be gone through
    :param seed: from which the draws start
    """
    from scipy.stats import chi2
    from scipy.stats import f as f_distribution

    number, classifiers = ranks.shape
    middle = (classifiers + 1) / 2
    # Ranks are multiples of 1/2, so these sums are exact.
    between = float(((ranks.sum(axis=0) - number * middle) ** 2).sum())
    without_ties = number**2 * classifiers * (classifiers**2 - 1) / 12
    spread = number * float(((ranks - middle) ** 2).sum()) if correct_ties else without_ties
    degrees = classifiers - 1, (classifiers - 1) * (number - 1)
    chi_square = number * (classifiers - 1) * between / spread if spread else 0.0
    if is_few(ranks):
        f = inf if spread and between >= spread else (number - 1) * between / (spread - between) if spread else 0.0
        p_value = p_of_friedman(ranks, draws, seed)
        return Friedman(chi_square, p_value, f, p_value, degrees, by_permutation=True)
    chi_square_p = float(chi2.sf(chi_square, degrees[0]))
    if between < spread or not spread:
        f = (number - 1) * between / (spread - between) if spread else 0.0
        return Friedman(chi_square, chi_square_p, f, float(f_distribution.sf(f, *degrees)), degrees)
    # All data sets rank alike: F is infinite, with p-value 0 for two data sets as for a thousand. The exact
    # p-value is the probability that all others come out in the order of the first.
    _, ties = np.unique(ranks[0], return_counts=True)
    orders = factorial(classifiers) // prod(factorial(int(tie)) for tie in ties)
    return Friedman(chi_square, chi_square_p, inf, float(orders) ** (1 - number), degrees)


def mean_rank_error(classifiers: int, number: int) -> float:
    """Return the standard error of a difference of two mean ranks."""
    return sqrt(classifiers * (classifiers + 1) / (6 * number))


def critical_difference(classifiers: int, number: int, level: float) -> float:
    """Return the critical difference of mean ranks in Nemenyi's test.

    >>> round(critical_difference(4, 14, 0.95), 2)
    1.25
    """
    from scipy.stats import studentized_range

    return float(studentized_range.ppf(level, classifiers, inf)) / sqrt(2) * mean_rank_error(classifiers, number)


def nemenyi(difference: float, classifiers: int, number: int) -> float:
    """Return the p-value of a difference of mean ranks, adjusted for all pairs."""
    from scipy.stats import studentized_range

    reduced = abs(difference) / mean_rank_error(classifiers, number) * sqrt(2)
    return float(studentized_range.sf(reduced, classifiers, inf))


def signed_rank(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    """Return Wilcoxon's signed-rank statistic, the smaller sum of ranks, and its two-sided p-value.

    The ranks of data sets without a difference are split between both sums, as by Demšar (2006).  The p-value is exact,
    whether ranks tie or not; of more than 500 it is that of the normal distribution with the variance that ties leave.

    >>> signed_rank([0.1, 0.2, 0.3, 0.4, 0.5], [0.2, 0.3, 0.5, 0.4, 0.7])[0]
    0.5
    """
    from scipy.stats import rankdata

    sizes = sizes_in_order(first, second)  # Wilcoxon's test depends on ranks only
    ranks = rankdata(np.abs(sizes))
    split = float(ranks[sizes == 0].sum()) / 2
    rising, falling = (float(ranks[chosen].sum()) for chosen in (sizes > 0, sizes < 0))
    return split + min(rising, falling), _p_of_signed_ranks(ranks[sizes != 0], min(rising, falling))


def _p_of_signed_ranks(ranks: FloatArray, lesser: float) -> float:
    """Return the two-sided probability of a rank sum at most this small, with random signs."""
    if len(ranks) > _MANY:
        deviation = sqrt(float((ranks**2).sum())) / 2
        return min(1.0, 2 * float(ndtr((lesser - float(ranks.sum()) / 2) / deviation)))
    # Ranks are multiples of 1/2, and so is every sum of them.
    doubled = np.rint(2 * ranks).astype(int)
    # Convolution: each rank in turn is included or not, with probability 1/2.
    shares = np.zeros(int(doubled.sum()) + 1)
    shares[0], reached = 1.0, 0
    for rank in doubled:
        shares[rank : rank + reached + 1] += shares[: reached + 1]
        shares /= 2
        reached += rank
    return min(1.0, 2 * float(shares[: round(2 * lesser) + 1].sum()))


# ----------------------------------------------------------------------------------------------------------------------
# The Bayesian signed-rank test: how probable it is that one classifier is better on a further data set, or that the
# two are practically the same.

# Under a Dirichlet process, whose prior counts as half a data set without a difference, the distribution of
# differences is supported on the observed ones, with random weights. A draw of the weights gives the probability that
# the mean of two differences lies below, in or above the region of practical equivalence; the result is how often
# each of the three is the most probable one (Benavoli, Corani, Demšar & Zaffalon, Time for a Change, JMLR 18, 2017,
# section 4.2.2).


_PRIOR: Final = 0.5
"""Strength of the prior, in data sets; its mass is at difference zero."""
_DRAWS_AT_ONCE: Final = 1 << 20


class Probabilities(NamedTuple):
    """Posterior probabilities: first better, practically equivalent, second better."""

    first: float
    same: float
    second: float


def signed_rank_probabilities(
    first: Sequence[float], second: Sequence[float], same: float, *, draws: int, seed: int
) -> Probabilities:
    """Return the probabilities for two classifiers' scores on the same data sets.

    :param same: a difference that does not matter; with 0 no two classifiers are practically the same
    :param draws: how many distributions are drawn

    >>> signed_rank_probabilities([0.1, 0.2, 0.3], [0.5, 0.6, 0.7], 0.01, draws=1000, seed=0).second > 0.9
    True
    """
    differences, (reach, *errors) = differences_as_integers(first, second, same, *roundings(first, second))
    # 1. All Walsh sums of two differences, including the prior's difference of 0.
    values, off = (np.array([0, *found], dtype=object) for found in (differences, errors))
    sums, rounding = values[:, None] + values, off[:, None] + off
    if reach:
        rounding = np.minimum(rounding, reach)  # a rounding tolerance must not exceed the region of equivalence
    # 2. Whether each lies above, below or in the region of equivalence; on its border, half.
    above, below = (
        ((side > 2 * reach + rounding).astype(np.float64) + (side >= 2 * reach - rounding).astype(np.float64)) / 2
        for side in (sums, -sums)
    )
    # 3. Weights from the Dirichlet posterior give three probabilities; count which one is largest.
    random, shapes = np.random.default_rng(seed), np.array([_PRIOR, *np.ones(len(differences))])
    won = np.zeros(3)
    step = max(1, _DRAWS_AT_ONCE // len(values))
    for start in range(0, draws, step):
        weights = random.dirichlet(shapes, size=min(step, draws - start))
        left, right = (_expected(weights, side) for side in (below, above))
        regions = np.stack([left, np.maximum(1 - left - right, 0.0) if reach else np.zeros_like(left), right])
        most = regions == regions.max(axis=0)
        won += (most / most.sum(axis=0)).sum(axis=1)
    return Probabilities(*(won / draws).tolist())


def _expected(weights: FloatArray, pairs: FloatArray) -> FloatArray:
    """Return the sum over all pairs of differences, weighted by both weights."""
    return np.asarray(((weights @ pairs) * weights).sum(axis=1))
