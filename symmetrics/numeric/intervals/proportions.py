"""Intervals for one proportion: Wilson's, Jeffreys', Clopper and Pearson's, and the last with mid-p values."""

from __future__ import annotations

import numpy as np
from scipy.special import betainc, betaincinv, ndtri

from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.intervals.result import Ends

__all__ = ["clopper_pearson", "jeffreys", "mid_p", "wilson"]


def wilson(successes: FloatArray, failures: FloatArray, level: float) -> Ends:
    """Return the proportions that the score test does not reject (Wilson 1927); all of them without examples.

    >>> low, high = wilson(np.array([15.0]), np.array([133.0]), 0.95)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.0624], [0.1605])
    """
    number = successes + failures
    z = ndtri((1 + level) / 2)
    centre = (successes + z * z / 2) / (number + z * z)
    # (x + z²/2)² - x²(n + z²)/n, written without a difference of large numbers
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.where(number > 0, z * np.sqrt(successes * failures / number + z * z / 4) / (number + z * z), 0.5)
    low = np.where(successes == 0, 0.0, centre - spread)
    high = np.where(failures == 0, 1.0, centre + spread)
    return np.maximum(low, 0.0), np.minimum(high, 1.0)


def jeffreys(successes: FloatArray, failures: FloatArray, level: float, prior: float = 0.5) -> Ends:
    """Return the equal-tailed interval of the Beta posterior, from 0 without successes and up to 1 without failures.

    The ends at 0 and 1 are those of Brown, Cai & DasGupta (2001), section 4.1.2.
    """
    a, b, tail = successes + prior, failures + prior, (1 - level) / 2
    low = np.where(successes == 0, 0.0, betaincinv(a, b, tail))
    high = np.where(failures == 0, 1.0, betaincinv(a, b, 1 - tail))
    return low, high


def clopper_pearson(successes: FloatArray, failures: FloatArray, level: float) -> Ends:
    """Return the interval that covers at least at its level, whatever the proportion (Clopper & Pearson 1934)."""
    tail = (1 - level) / 2
    with np.errstate(invalid="ignore"):
        low = betaincinv(np.maximum(successes, 1e-300), failures + 1, tail)
        high = betaincinv(successes + 1, np.maximum(failures, 1e-300), 1 - tail)
    return np.where(successes == 0, 0.0, low), np.where(failures == 0, 1.0, high)


def mid_p(successes: FloatArray, failures: FloatArray, level: float) -> Ends:
    """Return the proportions at which what was seen, counted half, and what is further off are not too rare.

    Source: Lancaster (1961), with the tails of Clopper and Pearson.
    """
    low = _least_mid_p(successes, failures, level)
    return low, 1.0 - _least_mid_p(failures, successes, level)


def _least_mid_p(successes: FloatArray, failures: FloatArray, level: float) -> FloatArray:
    """Return the proportion at which as many successes or more, those seen counted half, have half the error."""
    from scipy.optimize import elementwise

    tail = (1 - level) / 2
    seen = successes > 0
    x, y = np.where(seen, successes, 1.0), failures

    def excess(proportion: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
        above = np.where(y > 0, betainc(x + 1, np.maximum(y, 1e-300), proportion), 0.0)
        return np.asarray((betainc(x, y + 1, proportion) + above) / 2 - tail)

    found = elementwise.find_root(excess, (np.zeros_like(x), np.ones_like(x)), args=(x, y))
    return np.where(seen, found.x, 0.0)
