"""Intervals for one proportion: Wilson's, Jeffreys', Clopper and Pearson's, and the last with mid-p values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from scipy.special import betainc, betaincc, betainccinv, betaincinv, betaln, ndtri, xlog1py, xlogy

from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.intervals.result import Ends

__all__ = ["clopper_pearson", "jeffreys", "least_without_errors", "mid_p", "wilson"]

_LEAST: Final = 1e-300
_STEPS: Final = 200
"""More than halving takes."""
_PRECISION: Final = 1e-14


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
        spread = np.where(number > 0, z * np.sqrt(successes * (failures / number) + z * z / 4) / (number + z * z), 0.5)
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


def least_without_errors(number: float, level: float) -> float:
    """Return the least share of successes of which so many may all be successes by chance: Clopper & Pearson's end.

    >>> least_without_errors(2, 0.5)
    0.5
    """
    return float(((1 - level) / 2) ** (1 / number))


def mid_p(successes: FloatArray, failures: FloatArray, level: float) -> Ends:
    """Return the proportions at which what was seen, counted half, and what is further off are not too rare.

    Source: Lancaster (1961), with the tails of Clopper and Pearson.
    """
    low = _mid_p_end(np.where(successes > 0, successes, 1.0), failures, level, is_upper=False)
    high = _mid_p_end(successes, np.where(failures > 0, failures, 1.0), level, is_upper=True)
    return np.where(successes > 0, low, 0.0), np.where(failures > 0, high, 1.0)


def _mid_p_end(x: FloatArray, y: FloatArray, level: float, *, is_upper: bool) -> FloatArray:
    """Return the proportion at which what is further off than x successes and y failures has half the error.

    What was seen is counted half: the mean of the tails of Clopper & Pearson with the success or failure seen last
    counted as one and as the other, whose ends are a bracket.  By Newton's steps, halving where one leaves what is left
    of it.  The upper end is found by the upper tail, not as 1 less a lower one, which leaves no digit of a small share.
    """
    tail, share, inverse = (1 - level) / 2, *((betaincc, betainccinv) if is_upper else (betainc, betaincinv))
    low = np.where(x > 0, inverse(np.maximum(x, _LEAST), y + 1, tail), 0.0)
    high = np.where(y > 0, inverse(x + 1, np.maximum(y, _LEAST), tail), 1.0)
    place = np.clip(inverse(x + 0.5, y + 0.5, tail), low, high)
    for _ in range(_STEPS):
        excess = _halved(share, x, y, place) - tail
        excess = -excess if is_upper else excess
        low, high = np.where(excess < 0, place, low), np.where(excess > 0, place, high)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            step = place - excess / _halved(_density, x, y, place)
        following = np.where((step >= low) & (step <= high), step, (low + high) / 2)
        if (np.abs(following - place) <= _PRECISION * place).all():
            break
        place = following
    return np.asarray(following)


def _halved(function: Callable[..., FloatArray], x: FloatArray, y: FloatArray, place: FloatArray) -> FloatArray:
    """Return the mean of a function of the Beta distributions at both ends, 0 for one that has no such distribution."""
    first = np.where(x > 0, function(np.maximum(x, _LEAST), y + 1, place), 0.0)
    second = np.where(y > 0, function(x + 1, np.maximum(y, _LEAST), place), 0.0)
    return np.asarray((first + second) / 2)


def _density(a: FloatArray, b: FloatArray, place: FloatArray) -> FloatArray:
    return np.asarray(np.exp(xlogy(a - 1, place) + xlog1py(b - 1, -place) - betaln(a, b)))
