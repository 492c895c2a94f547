"""Averaged ranks from a random walk through the linear extensions of an order, with their standard errors."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from symmetrics.errors import InputError
from symmetrics.posets.arguments import as_whole
from symmetrics.posets.building import Order, poset
from symmetrics.posets.closure import bits
from symmetrics.posets.poset import Poset

__all__ = ["McmcRanks", "effective_sizes", "mcmc_ranks", "place_odds"]

FloatArray = NDArray[np.float64]

_DISTANCE: Final = 0.01
"""How far from uniform, in total variation, a chain may be when its draws begin."""
_MOST_STEPS: Final = 3_000_000_000
_SHOWN_FROM: Final = 20_000_000
_PROPOSALS: Final = 1 << 18
_COLUMNS: Final = 64


@dataclass(frozen=True)
class McmcRanks:
    """Averaged ranks that were estimated from a random walk.

    :param ranks: the estimate for each class
    :param standard_errors: the standard error of each estimate; 0 for a class that never moved, such as one that is
        comparable with all others
    :param effective_sample_sizes: how many independent draws each estimate is worth; all draws for a class that never
        moved
    :param chains: the number of chains
    :param draws: the number of draws of each chain
    :param burn_in: the steps of each chain before its first draw
    :param thinning: the steps of each chain from one draw to the next
    :param seed: the seed
    """

    ranks: Mapping[Hashable, float]
    standard_errors: Mapping[Hashable, float]
    effective_sample_sizes: Mapping[Hashable, float]
    chains: int
    draws: int
    burn_in: int
    thinning: int
    seed: int


def mcmc_ranks(
    order: Order,
    *,
    classes: Iterable[Hashable] | None = None,
    seed: int = 0,
    chains: int = 4,
    draws: int = 2000,
    burn_in: int | None = None,
    thinning: int | None = None,
) -> McmcRanks:
    """Estimate the ranks averaged over all linear extensions from the chain of Bubley & Dyer (1999).

    A step stays with probability 1/2; else it draws a place i with probability proportional to i(n - i) and exchanges
    the classes on the places i and i + 1 if they are incomparable.  After ``(n^3 - n)/6 ln(n^3/(4 e))`` steps the chain
    is within e of uniform, whatever it started from.  Effective sample sizes are those of Geyer's (1992) initial
    monotone sequence, over all chains.

    :param order: an order as :func:`poset` takes it
    :param classes: all classes, as :func:`poset` takes them
    :param seed: a whole number of at least 0; the same seed gives the same ranks
    :param chains: how many chains walk, from different linear extensions; at least 2
    :param draws: how many draws each of them gives; at least 4
    :param burn_in: how many steps come before the first draw; by default the bound above with e = 0.01
    :param thinning: how many steps lie between two draws; by default n^2/2
    :raises InputError: if the order is none, a setting is no such number, or the steps are too many

    >>> result = mcmc_ranks([("c", "a"), ("c", "b"), ("b", "d")], seed=1)
    >>> abs(result.ranks["a"] - 3) < 5 * result.standard_errors["a"] < 0.1
    True
    """
    checked = poset(order, classes)
    size = len(checked)
    walks, kept = as_whole(chains, "chains", 2), as_whole(draws, "draws", 4)
    before = _mixing_time(size) if burn_in is None else as_whole(burn_in, "burn_in", 0)
    between = max(1, size * size // 2) if thinning is None else as_whole(thinning, "thinning", 1)
    generator = np.random.default_rng(as_whole(seed, "seed", 0))
    steps = walks * (before + kept * between)
    if steps > _MOST_STEPS and size > 1:
        raise InputError(
            f"mcmc ranks of {size} classes would take {steps:.1e} steps, where {_MOST_STEPS:.0e} are allowed: "
            f"pass a burn_in below {before} or a thinning below {between}, or take the method lpom_ext"
        )
    ranks = np.empty((walks, kept, size))
    with tqdm(total=walks * kept, unit="draw", disable=True if steps < _SHOWN_FROM else None, leave=False) as bar:
        for walk in range(walks):
            _walk(checked, ranks[walk], before, between, generator, bar)
    parts = [effective_sizes(ranks[..., start : start + _COLUMNS]) for start in range(0, size, _COLUMNS)]
    sizes, errors = map(np.concatenate, zip(*parts, strict=True))
    columns = (ranks.mean(axis=(0, 1)), errors, sizes)
    means, deviations, effective = (dict(zip(checked.nodes, c.tolist(), strict=True)) for c in columns)
    return McmcRanks(means, deviations, effective, walks, kept, before, between, int(seed))


def _mixing_time(size: int) -> int:
    if size < 2:
        return 0
    return math.ceil((size**3 - size) / 6 * math.log(size**3 / (4 * _DISTANCE)))


def _walk(
    order: Poset, ranks: FloatArray, burn_in: int, thinning: int, generator: np.random.Generator, bar: tqdm
) -> None:
    """Fill in the ranks of the classes at each draw of one chain, an array of shape (draws, n)."""
    size = len(order)
    sequence = _random_extension(order, generator)
    above = order.closure.above
    cumulated = place_odds(size)
    numbers = np.arange(1.0, size + 1)
    for draw in range(len(ranks)):
        steps = thinning + (burn_in if draw == 0 else 0)
        moves = int(generator.binomial(steps, 0.5)) if size > 1 else 0
        for start in range(0, moves, _PROPOSALS):
            uniform = generator.random(min(_PROPOSALS, moves - start)) * cumulated[-1]
            _exchange(sequence, above, np.searchsorted(cumulated, uniform, side="right").tolist())
        ranks[draw, sequence] = numbers
        bar.update()


def place_odds(size: int) -> FloatArray:
    """Return the cumulated odds with which Bubley & Dyer's chain draws the places of an exchange.

    >>> place_odds(5).tolist()
    [4.0, 10.0, 16.0, 20.0]
    """
    places = np.arange(1, size, dtype=np.float64)
    return np.cumsum(places * (size - places))


def _exchange(sequence: list[int], above: Sequence[int], places: Sequence[int]) -> None:
    """Exchange the classes on each of these places and the next one, one after the other, unless they are related."""
    for place in places:
        first, second = sequence[place], sequence[place + 1]
        if not above[first] >> second & 1:
            sequence[place] = second
            sequence[place + 1] = first


def _random_extension(order: Poset, generator: np.random.Generator) -> list[int]:
    """Return some linear extension, chosen at random but not uniformly: always any class that nothing left is below."""
    waiting = [row.bit_count() for row in order.closure.below]
    free = [node for node, count in enumerate(waiting) if count == 0]
    sequence = []
    while free:
        choice = int(generator.integers(len(free)))
        free[choice], free[-1] = free[-1], free[choice]
        node = free.pop()
        sequence.append(node)
        for upper in bits(order.closure.above[node]):
            waiting[upper] -= 1
            if waiting[upper] == 0:
                free.append(upper)
    return sequence


def effective_sizes(draws: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the effective sample size of some quantities, and the standard error of their means.

    The autocorrelations over all chains are summed up as far as those of neighbouring lags are positive together and
    fall (Geyer 1992, the initial monotone sequence; Vehtari et al. 2021, section 3.2, for more than one chain).

    :param draws: shape (chains, draws, quantities), at least 2 chains and 4 draws

    >>> sizes, errors = effective_sizes(np.random.default_rng(0).normal(size=(4, 1000, 1)))
    >>> bool(3000 < sizes[0] < 5000), bool(0.014 < errors[0] < 0.018)
    (True, True)
    """
    chains, length, _ = draws.shape
    centred = draws - draws.mean(axis=1, keepdims=True)
    spectrum = np.fft.rfft(centred, n=2 * length, axis=1)
    covariances = np.fft.irfft(np.abs(spectrum) ** 2, axis=1)[:, :length].mean(axis=0) / length
    within = covariances[0] * length / (length - 1)
    variance = covariances[0] + draws.mean(axis=1).var(axis=0, ddof=1)
    moving = variance > 0
    safe = np.where(moving, variance, 1.0)
    correlations = 1 - (within - covariances * length / (length - 1)) / safe
    correlations[0] = 1.0
    pairs = correlations[0 : length - length % 2 : 2] + correlations[1::2]
    pairs = np.where(np.logical_and.accumulate(pairs > 0, axis=0), np.minimum.accumulate(pairs, axis=0), 0.0)
    times = np.maximum(2 * pairs.sum(axis=0) - 1, 1 / math.log10(chains * length))
    sizes = np.where(moving, chains * length / times, float(chains * length))
    return sizes, np.sqrt(np.where(moving, variance, 0.0) / sizes)
