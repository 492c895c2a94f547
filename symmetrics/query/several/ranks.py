"""Tests by ranks of several classifiers over data sets: Friedman's with its post-hoc tests, and Wilcoxon's for two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial, inf, prod, sqrt
from typing import Final

import numpy as np
from scipy.special import ndtr

from symmetrics.numeric.counts import FloatArray
from symmetrics.query.several.exact import ROUNDING, sizes_in_order
from symmetrics.query.several.few import is_few, p_of_friedman

__all__ = ["Friedman", "critical_difference", "friedman", "mean_rank_error", "nemenyi", "ranked", "signed_rank"]

_MANY: Final = 500
"""Of more data sets all sums of ranks take long; p-values of 1e-3 by the normal distribution are 3 % too large then."""


@dataclass(frozen=True)
class Friedman:
    """Whether the mean ranks differ by more than chance.

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
    """Return the rank of each score in its row, 1 for the greatest, ties sharing the mean of their ranks.

    Scores that differ by rounding alone tie, as in :func:`signed_rank`.

    >>> ranked(np.array([[0.7, 0.9, 0.7], [0.1 + 0.2, 0.3, 0.2]])).tolist()
    [[2.5, 1.0, 2.5], [1.5, 1.5, 3.0]]
    """
    from scipy.stats import rankdata

    order = np.argsort(scores, axis=1)
    rising = np.take_along_axis(scores, order, axis=1)
    lower, higher = rising[:, :-1], rising[:, 1:]
    with np.errstate(over="ignore"):
        is_more = higher - lower > ROUNDING * np.maximum(np.abs(lower), np.abs(higher))
    places = np.zeros(scores.shape)
    np.put_along_axis(places, order[:, 1:], np.cumsum(is_more, axis=1), axis=1)
    return np.asarray(rankdata(-places, axis=1), dtype=np.float64)


def friedman(ranks: FloatArray, *, correct_ties: bool, draws: int = 50_000, seed: int = 0) -> Friedman:
    """Return Friedman's test of ranks, shape (data sets, classifiers), of three classifiers or more.

    Both statistics order the ranks alike, so that for few data sets they have the same p-value.

    :param correct_ties: divide by what ties leave of the variance of ranks, as is usual; Demšar (2006) does not
    :param draws: how many orders are drawn where few data sets have too many for all to be gone through
    :param seed: from which the draws start
    """
    from scipy.stats import chi2
    from scipy.stats import f as f_distribution

    number, classifiers = ranks.shape
    middle = (classifiers + 1) / 2
    # Ranks are halves of whole numbers, so that these sums are exact.
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
    # All data sets rank alike.  F is infinite, and its p-value would be 0 for two of them as for a thousand; the exact
    # one is the probability that all others come out in the order of the first.
    _, ties = np.unique(ranks[0], return_counts=True)
    orders = factorial(classifiers) // prod(factorial(int(tie)) for tie in ties)
    return Friedman(chi_square, chi_square_p, inf, float(orders) ** (1 - number), degrees)


def mean_rank_error(classifiers: int, number: int) -> float:
    """Return the standard error of the difference of two mean ranks over so many data sets."""
    return sqrt(classifiers * (classifiers + 1) / (6 * number))


def critical_difference(classifiers: int, number: int, level: float) -> float:
    """Return by how much mean ranks differ where Nemenyi's test tells two classifiers apart.

    >>> round(critical_difference(4, 14, 0.95), 2)
    1.25
    """
    from scipy.stats import studentized_range

    return float(studentized_range.ppf(level, classifiers, inf)) / sqrt(2) * mean_rank_error(classifiers, number)


def nemenyi(difference: float, classifiers: int, number: int) -> float:
    """Return the p-value of a difference of mean ranks among those of all pairs."""
    from scipy.stats import studentized_range

    reduced = abs(difference) / mean_rank_error(classifiers, number) * sqrt(2)
    return float(studentized_range.sf(reduced, classifiers, inf))


def signed_rank(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    """Return Wilcoxon's signed-rank statistic, the lesser sum of ranks, and its two-sided p-value.

    The ranks of data sets without a difference are split between both sums, as by Demšar (2006).  The p-value is exact,
    whether ranks tie or not; of more than 500 it is that of the normal distribution with the variance that ties leave.

    >>> signed_rank([0.1, 0.2, 0.3, 0.4, 0.5], [0.2, 0.3, 0.5, 0.4, 0.7])[0]
    0.5
    """
    from scipy.stats import rankdata

    sizes = sizes_in_order(first, second)  # Wilcoxon's test sees ranks alone
    ranks = rankdata(np.abs(sizes))
    split = float(ranks[sizes == 0].sum()) / 2
    rising, falling = (float(ranks[chosen].sum()) for chosen in (sizes > 0, sizes < 0))
    return split + min(rising, falling), _p_of_signed_ranks(ranks[sizes != 0], min(rising, falling))


def _p_of_signed_ranks(ranks: FloatArray, lesser: float) -> float:
    """Return how often one of both sums of ranks is no more than this, each rank being in either by chance."""
    if len(ranks) > _MANY:
        deviation = sqrt(float((ranks**2).sum())) / 2
        return min(1.0, 2 * float(ndtr((lesser - float(ranks.sum()) / 2) / deviation)))
    # Ranks are halves of whole numbers, and so is every sum of them.
    doubled = np.rint(2 * ranks).astype(int)
    shares = np.zeros(int(doubled.sum()) + 1)
    shares[0], reached = 1.0, 0
    for rank in doubled:
        shares[rank : rank + reached + 1] += shares[: reached + 1]
        shares /= 2
        reached += rank
    return min(1.0, 2 * float(shares[: round(2 * lesser) + 1].sum()))
