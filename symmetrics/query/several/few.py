"""Exact distributions of ranks over few data sets, where each data set ranks the classifiers in any order by chance.

Ties are kept: the orders of a data set are those of the ranks that it has.  All is counted in halves of a rank.
"""

from __future__ import annotations

from itertools import permutations
from math import factorial, inf
from typing import Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.numeric.counts import FloatArray

__all__ = ["critical_sum", "is_few", "least_p", "p_of_difference", "p_of_friedman"]

_FEW: Final = 10
"""Of more data sets the usual approximations are taken, as is the rule of thumb (Demšar 2006, section 3.2.2)."""
_MANY: Final = 500
"""Of two classifiers a rank is a sign, and all of up to so many are counted."""
_AT_ONCE: Final = 1_000_000
"""Sums of ranks that are gone through; where there are more, orders are drawn."""

IntArray = NDArray[np.int64]


def is_few(ranks: FloatArray) -> bool:
    """Return whether p-values are exact for ranks of shape (data sets, classifiers)."""
    number, classifiers = ranks.shape
    return bool(number <= (_MANY if classifiers == 2 else _FEW))


def least_p(number: int) -> float:
    """Return the least two-sided p-value of two classifiers that differ on so many data sets: that of their signs."""
    return 1.0 if number == 0 else float(2.0 ** (1 - number))


def p_of_difference(ranks: FloatArray, difference: float) -> float:
    """Return how often two rank sums differ by as much, either way (Eisinga, Heskes, Pelzer & Te Grotenhuis 2017).

    >>> round(p_of_difference(np.tile([1.0, 2.0, 3.0], (2, 1)), 4.0) * 36)
    2
    """
    sizes, shares = _differences(ranks)
    return min(1.0, float(shares[sizes >= round(2 * abs(difference))].sum()))


def critical_sum(ranks: FloatArray, level: float, pairs: int) -> float:
    """Return what lies between the largest difference of rank sums that is not significant and the least that is.

    :param level: one less the p-value, times the number of pairs, up to which a difference is significant
    :returns: infinity if no difference is significant
    """
    sizes, shares = _differences(ranks)
    if least_p(len(ranks)) > 1 - level:
        return inf
    tails = {int(size): pairs * float(shares[sizes >= size].sum()) for size in np.unique(sizes)}
    significant = [size for size, tail in tails.items() if size and tail <= 1 - level]
    if not significant:
        return inf
    below = max(size for size in tails if size < min(significant))
    return (min(significant) + below) / 4


def _differences(ranks: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the sizes of twice the differences of two rank sums, and how probable each is."""
    shares = np.ones(1)
    for row in np.rint(2 * ranks).astype(np.int64):
        # any two of the ranks are those of the pair, each two as often
        steps = (row[:, None] - row)[~np.eye(len(row), dtype=bool)]
        reach = int(steps.max())
        shares = np.convolve(shares, np.bincount(steps + reach, minlength=2 * reach + 1) / len(steps))
    sizes = np.abs(np.arange(len(shares)) - len(shares) // 2)
    return sizes[shares > 0], shares[shares > 0]


def p_of_friedman(ranks: FloatArray, draws: int, seed: int) -> float:
    """Return how often rank sums are as far from each other as these, by the sum of their squares.

    Exact, by all sums of ranks that there are, unless these are too many: then of orders drawn at random, counted with
    those that were seen, so that it is no less than 1/(draws + 1).

    >>> round(p_of_friedman(np.tile([1.0, 2.0, 3.0], (3, 1)), 100, 0) * 36)
    1
    """
    doubled = np.rint(2 * ranks).astype(np.int64)
    number, classifiers = doubled.shape
    seen = int(_spread(doubled.sum(axis=0)))
    # 1. The order of the first data set is any: only how the others stand to it counts.
    sums: IntArray = np.sort(doubled[:1], axis=1)
    weights: FloatArray = np.ones(1)  # the weights are how many orders have the sums
    base = 2 * number * classifiers + 1
    for place, row in enumerate(doubled[1:], start=2):
        if len(sums) * factorial(classifiers) > _AT_ONCE or base**classifiers > 2**62:
            return _drawn_p(doubled, draws, seed)
        # 2. Each order of a further data set leads to sums, of which only their sizes count.
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
    """Return the squares of sums of ranks added up: all sums of the same data sets have the same total."""
    return np.asarray((sums**2).sum(axis=-1))
