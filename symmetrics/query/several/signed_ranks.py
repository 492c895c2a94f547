"""The Bayesian signed-rank test: how probable it is that one classifier is better on a further data set, or that the
two are practically the same.

Under a Dirichlet process, which starts with half a data set that shows no difference, the distribution of differences
has its mass on those observed, with random weights.  A draw of the weights says how probable it is that the mean of two
differences lies below, in or above the region of practical equivalence; what counts is how often each of the three is
the most probable one (Benavoli, Corani, Demšar & Zaffalon, Time for a Change, JMLR 18, 2017, section 4.2.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from symmetrics.numeric.counts import FloatArray
from symmetrics.query.several.exact import differences_as_integers, roundings

__all__ = ["Probabilities", "signed_rank_probabilities"]

_PRIOR: Final = 0.5
"""The strength of the prior, in data sets; it stands on no difference."""
_AT_ONCE: Final = 1 << 20


class Probabilities(NamedTuple):
    """How probable it is that the first is better, that they are practically the same, that the second is better."""

    first: float
    same: float
    second: float


def signed_rank_probabilities(
    first: Sequence[float], second: Sequence[float], same: float, *, draws: int, seed: int
) -> Probabilities:
    """Return the probabilities, after the scores of two classifiers on the same data sets.

    :param same: a difference that does not matter; with 0 no two classifiers are practically the same
    :param draws: how many distributions are drawn

    >>> signed_rank_probabilities([0.1, 0.2, 0.3], [0.5, 0.6, 0.7], 0.01, draws=1000, seed=0).second > 0.9
    True
    """
    differences, (reach, *errors) = differences_as_integers(first, second, same, *roundings(first, second))
    values, off = (np.array([0, *found], dtype=object) for found in (differences, errors))
    sums, rounding = values[:, None] + values, off[:, None] + off
    if reach:
        rounding = np.minimum(rounding, reach)  # no difference is none, however little matters
    above, below = (
        ((side > 2 * reach + rounding).astype(np.float64) + (side >= 2 * reach - rounding).astype(np.float64)) / 2
        for side in (sums, -sums)
    )
    random, shapes = np.random.default_rng(seed), np.array([_PRIOR, *np.ones(len(differences))])
    won = np.zeros(3)
    step = max(1, _AT_ONCE // len(values))
    for start in range(0, draws, step):
        weights = random.dirichlet(shapes, size=min(step, draws - start))
        left, right = (_expected(weights, side) for side in (below, above))
        regions = np.stack([left, np.maximum(1 - left - right, 0.0) if reach else np.zeros_like(left), right])
        most = regions == regions.max(axis=0)
        won += (most / most.sum(axis=0)).sum(axis=1)
    return Probabilities(*(won / draws).tolist())


def _expected(weights: FloatArray, pairs: FloatArray) -> FloatArray:
    """Return the sum over all pairs of differences, each times its two weights."""
    return np.asarray(((weights @ pairs) * weights).sum(axis=1))
