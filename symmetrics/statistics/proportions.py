"""Intervals for the difference and for the quotient of two independent proportions, by inverting the score test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from scipy.special import betainc, betaincc, betainccinv, betaincinv, betaln, ndtri, xlog1py, xlogy

from symmetrics.data.counts import FloatArray
from symmetrics.numeric.plans import Computable, LibraryFormula
from symmetrics.statistics.intervals import Ends

_STEP: Final = 1e-12
"""Initial distance of the search from the estimate, where the variance is 0 if all examples agree."""
_OF_ONE: Final = 0.01
"""Largest such distance, as a fraction of the effect of one example; matters from 10**10 examples on."""
_RARE: Final = 0.01
"""Below this, a proportion from the cubic's formula (error up to 1e-8) is improved by Newton's method from above."""
_OFF: Final = 1e-7
_STEPS: Final = 200
"""Largest number of steps; more than bisection needs."""
_PRECISION: Final = 1e-14


class Pair(NamedTuple):
    """Successes x and sample sizes n of two samples."""

    x1: FloatArray
    n1: FloatArray
    x2: FloatArray
    n2: FloatArray

    @property
    def is_empty(self) -> FloatArray:
        """Mask of pairs with an empty sample."""
        return np.asarray((self.n1 == 0) | (self.n2 == 0))

    def filled(self) -> Pair:
        """Return the pair with one example in each empty sample, so that formulas are defined; overwritten later."""
        one = np.ones_like(self.n1)
        return Pair(*(np.where(self.is_empty, one, given) for given in self))


def miettinen_nurminen(pair: Pair, level: float) -> Ends:
    """Return the differences p1 - p2 that the score test does not reject, with variance factor N/(N - 1).

    All of them where N is 1 or less, which sums of weights can be.

    Source: Miettinen & Nurminen (1985), equations (7) to (9) and the appendix.

    >>> pair = Pair(*(np.array([count]) for count in (56.0, 70.0, 48.0, 80.0)))
    >>> low, high = miettinen_nurminen(pair, 0.95)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.0528], [0.3382])
    """
    pair = Pair(*(np.where(pair.n1 + pair.n2 > 1, each, 0.0) for each in pair))
    known, z = pair.filled(), ndtri((1 + level) / 2)

    def excess(difference: FloatArray, sign: FloatArray, *counts: FloatArray) -> FloatArray:
        here = Pair(*counts)
        spread = z * np.sqrt(_variance_of_difference(difference, here))
        return np.asarray(sign * (here.x1 / here.n1 - here.x2 / here.n2 - difference) - spread)

    return _inverted(excess, known.x1 / known.n1 - known.x2 / known.n2, pair, (-1.0, 1.0), (0.5, -0.5))


def _inverted(
    excess: Callable[..., FloatArray],
    estimate: FloatArray,
    pair: Pair,
    bounds: tuple[float, float],
    inside: tuple[float, float],
    is_all: FloatArray | bool = False,
) -> Ends:
    """Invert a score test by Chandrupatla's method, bracketed between the estimate and a bound.

    :param excess: how much further off the estimate is than the test allows, of the value, 1 below the estimate and -1
        above it, and the counts
    :param bounds: the least and the greatest value, which are the ends where the estimate is one of them
    :param inside: further interior values, where the search starts
    :param is_all: where no value is rejected
    """
    from scipy.optimize import elementwise

    known, ends = pair.filled(), []
    step = np.minimum(_STEP, _OF_ONE / (known.n1 + known.n2))
    for sign, bound, other in zip((1.0, -1.0), bounds, inside, strict=True):
        at_bound = is_all | (estimate == bound)
        start = np.where(at_bound, other, estimate + step * (bound - estimate))
        bracket = np.full_like(estimate, bound), start
        found = elementwise.find_root(excess, bracket, args=(np.full_like(estimate, sign), *known)).x
        ends.append(np.where(pair.is_empty | at_bound, bound, found))
    return ends[0], ends[1]


def _variance_of_difference(difference: FloatArray, pair: Pair) -> FloatArray:
    """Return the variance of p1 - p2 at the maximum-likelihood proportions with that difference: the root of a cubic.

    It is the same for failures and for exchanged samples, with the opposite difference: so p2 is made the least of the
    four shares, or nearly so, whose digits are kept.
    """
    # 1. Swap successes and failures, and the samples, so that p2 is small and keeps its digits.
    swapped = pair.x1 + pair.x2 > (pair.n1 + pair.n2) / 2
    x1, x2 = np.where(swapped, pair.n1 - pair.x1, pair.x1), np.where(swapped, pair.n2 - pair.x2, pair.x2)
    exchanged = np.where(swapped, -difference, difference) < 0
    (x1, x2), (n1, n2) = (
        (np.where(exchanged, second, first), np.where(exchanged, first, second))
        for first, second in ((x1, x2), (pair.n1, pair.n2))
    )
    difference = np.abs(difference)
    number, successes = n1 + n2, x1 + x2
    # 2. The cubic a*p2**3 + b*p2**2 + c*p2 + d = 0 of the constrained estimate p2 (Miettinen & Nurminen, appendix).
    a = np.ones_like(number)  # shares of the number of examples, so that no power of huge counts overflows
    b = ((n1 + 2 * n2) * difference - number - successes) / number
    c = ((n2 * difference - number - 2 * x2) * difference + successes) / number
    d = x2 / number * difference * (1 - difference)
    # 3. Its root by the trigonometric formula, improved where it is small.
    v = b**3 / 27 - b * c / 6 + d / 2
    u = np.copysign(np.sqrt(np.maximum(b**2 / 9 - c / 3, 0.0)), v)
    with np.errstate(divide="ignore", invalid="ignore"):
        cosine = np.clip(np.where(u == 0, 0.0, v / u**3), -1.0, 1.0)
    second = 2 * u * np.cos((np.pi + np.arccos(cosine)) / 3) - b / 3
    second = np.clip(second, 0.0, 1.0 - difference)
    second = _improved((a, b, c, d), second, 1.0 - difference)
    # 4. The variance there, with the factor N/(N - 1).
    first = second + difference
    variance = first * (1 - first) / n1 + second * (1 - second) / n2
    return np.asarray(np.maximum(variance, 0.0) * number / (number - 1))


def _improved(cubic: tuple[FloatArray, ...], root: FloatArray, most: FloatArray) -> FloatArray:
    """Refine the only root of a cubic in a bracket: non-negative at 0, non-positive at the other end.

    Only roots that are small are computed anew, as the others have all their digits.
    """
    rare = root < _RARE
    if not rare.any():
        return root
    (a, b, c, d), most = (each[rare] for each in cubic), most[rare]

    def falling(place: FloatArray) -> tuple[FloatArray, FloatArray]:
        return ((a * place + b) * place + c) * place + d, (3 * a * place + 2 * b) * place + c

    found = root.copy()
    found[rare] = _newton(falling, np.minimum(root[rare] + _OFF, most / 2), np.zeros(rare.sum()), most)
    return found


def _newton(
    falling: Callable[[FloatArray], tuple[FloatArray, FloatArray]], place: FloatArray, low: FloatArray, high: FloatArray
) -> FloatArray:
    """Return the root of a decreasing function by safeguarded Newton's method: bisect if a step leaves the bracket.

    Source: Press, Teukolsky, Vetterling & Flannery, Numerical Recipes, section 9.4.

    :param falling: the value and the slope at a place
    """
    for _ in range(_STEPS):
        value, slope = falling(place)
        # 1. Update the bracket: the root is above a point with a positive value, below one with a negative value.
        low, high = np.where(value > 0, place, low), np.where(value < 0, place, high)
        # 2. Newton's step, or else the midpoint of the bracket.
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            step = place - value / slope
        following = np.where((step >= low) & (step <= high), step, (low + high) / 2)
        if (np.abs(following - place) <= _PRECISION * place).all():
            break
        place = following
    return np.asarray(following)


def koopman(pair: Pair, level: float) -> Ends:
    """Return the quotients p1/p2 that the score test does not reject (Koopman 1984), from 0 to infinity.

    >>> pair = Pair(*(np.array([count]) for count in (36.0, 40.0, 16.0, 80.0)))
    >>> low, high = koopman(pair, 0.95)
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([2.94], [7.15])
    """
    known, z = pair.filled(), ndtri((1 + level) / 2)
    p1, p2 = known.x1 / known.n1, known.x2 / known.n2
    share = np.where(p1 + p2 > 0, p1 / np.where(p1 + p2 > 0, p1 + p2, 1.0), 0.5)

    def excess(place: FloatArray, sign: FloatArray, *counts: FloatArray) -> FloatArray:
        here = Pair(*counts)
        # the quotient is place/(1 - place); both sides are multiplied by 1 - place, so that there is no pole
        spread = z * np.sqrt(_variance_of_quotient(place, here))
        return np.asarray(sign * (here.x1 / here.n1 * (1 - place) - here.x2 / here.n2 * place) - spread)

    places = _inverted(excess, share, pair, (0.0, 1.0), (0.5, 0.5), (p1 == 0) & (p2 == 0))
    with np.errstate(divide="ignore"):
        low, high = (place / (1 - place) for place in places)
    return low, high


def _variance_of_quotient(place: FloatArray, pair: Pair) -> FloatArray:
    """Return the variance of (1 - place)*p1 - place*p2 at the maximum-likelihood proportions with that quotient."""
    x1, n1, x2, n2 = pair
    x1, m1, x2, m2 = (each / (n1 + n2) for each in pair)  # shares, so that no square of huge counts overflows
    # With p1 = place*s and p2 = (1 - place)*s, s is the smaller root of a quadratic.
    a = place * (1 - place)
    b = (m1 + x2) * place + (m2 + x1) * (1 - place)
    c = x1 + x2
    s = 2 * c / (b + np.sqrt(np.maximum(b * b - 4 * a * c, 0.0)))
    first, second = np.minimum(place * s, 1.0), np.minimum((1 - place) * s, 1.0)
    return np.asarray((1 - place) ** 2 * first * (1 - first) / n1 + place**2 * second * (1 - second) / n2)


# -- Intervals for one proportion: Wilson's, Jeffreys', Clopper and Pearson's, and the last with mid-p values ----------


_LEAST: Final = 1e-300


def wilson(successes: FloatArray, failures: FloatArray, level: float) -> Ends:
    """Return Wilson's score interval for a proportion (1927); [0, 1] without examples.

    >>> low, high = wilson(np.array([15.0]), np.array([133.0]), 0.95)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.0624], [0.1605])
    """
    number = successes + failures
    z = ndtri((1 + level) / 2)
    centre = (successes + z * z / 2) / (number + z * z)
    # (x + z²/2)² - x²(n + z²)/n, rearranged to avoid cancellation
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.where(number > 0, z * np.sqrt(successes * (failures / number) + z * z / 4) / (number + z * z), 0.5)
    low = np.where(successes == 0, 0.0, centre - spread)
    high = np.where(failures == 0, 1.0, centre + spread)
    return np.maximum(low, 0.0), np.minimum(high, 1.0)


def jeffreys(successes: FloatArray, failures: FloatArray, level: float) -> Ends:
    """Return the equal-tailed interval of the Jeffreys posterior, with end 0 without successes and 1 without failures.

    The ends at 0 and 1 are those of Brown, Cai & DasGupta (2001), section 4.1.2.
    """
    a, b, tail = successes + 0.5, failures + 0.5, (1 - level) / 2
    low = np.where(successes == 0, 0.0, betaincinv(a, b, tail))
    high = np.where(failures == 0, 1.0, betaincinv(a, b, 1 - tail))
    return low, high


def clopper_pearson(successes: FloatArray, failures: FloatArray, level: float) -> Ends:
    """Return the exact interval, which covers at least at its level (Clopper & Pearson 1934)."""
    tail = (1 - level) / 2
    with np.errstate(invalid="ignore"):
        low = betaincinv(np.maximum(successes, 1e-300), failures + 1, tail)
        high = betaincinv(successes + 1, np.maximum(failures, 1e-300), 1 - tail)
    return np.where(successes == 0, 0.0, low), np.where(failures == 0, 1.0, high)


def least_without_errors(number: float, level: float) -> float:
    """Return Clopper & Pearson's lower end for a sample of successes only.

    >>> least_without_errors(2, 0.5)
    0.5
    """
    return float(((1 - level) / 2) ** (1 / number))


def mid_p(successes: FloatArray, failures: FloatArray, level: float) -> Ends:
    """Return the mid-p interval: proportions whose tail, with the observed outcome counted half, is not too rare.

    Source: Lancaster (1961), with the tails of Clopper and Pearson.
    """
    low = _mid_p_end(np.where(successes > 0, successes, 1.0), failures, level, is_upper=False)
    high = _mid_p_end(successes, np.where(failures > 0, failures, 1.0), level, is_upper=True)
    return np.where(successes > 0, low, 0.0), np.where(failures > 0, high, 1.0)


def _mid_p_end(x: FloatArray, y: FloatArray, level: float, *, is_upper: bool) -> FloatArray:
    """Return the proportion at which the mid-p tail beyond x successes and y failures has half the error.

    What was seen is counted half: the mean of the tails of Clopper & Pearson with the success or failure seen last
    counted as one and as the other, whose ends are a bracket.  The upper end is found by the upper tail, not as 1 less
    a lower one, which leaves no digit of a small share.
    """
    tail, share, inverse = (1 - level) / 2, *((betaincc, betainccinv) if is_upper else (betainc, betaincinv))
    low = np.where(x > 0, inverse(np.maximum(x, _LEAST), y + 1, tail), 0.0)
    high = np.where(y > 0, inverse(x + 1, np.maximum(y, _LEAST), tail), 1.0)

    def falling(place: FloatArray) -> tuple[FloatArray, FloatArray]:
        missing = tail - _halved(share, x, y, place)
        return -missing if is_upper else missing, -_halved(_density, x, y, place)

    return _newton(falling, np.clip(inverse(x + 0.5, y + 0.5, tail), low, high), low, high)


def _halved(function: Callable[..., FloatArray], x: FloatArray, y: FloatArray, place: FloatArray) -> FloatArray:
    """Average a function of the Beta distributions at both ends; 0 for an end without such a distribution."""
    first = np.where(x > 0, function(np.maximum(x, _LEAST), y + 1, place), 0.0)
    second = np.where(y > 0, function(x + 1, np.maximum(y, _LEAST), place), 0.0)
    return np.asarray((first + second) / 2)


def _density(a: FloatArray, b: FloatArray, place: FloatArray) -> FloatArray:
    return np.asarray(np.exp(xlogy(a - 1, place) + xlog1py(b - 1, -place) - betaln(a, b)))


# ----------------------------------------------------------------------------------------------------------------------
# Formulas of one proportion or of two independent ones, for which exact intervals are known.

# Accuracy is the proportion of TP + TN among all examples, recall that of TP among TP + FN, and F1 is an increasing
# function of the proportion of TP among TP + FN + FP. Informedness is the difference of two proportions, the positive
# likelihood ratio their quotient.


@dataclass(frozen=True)
class Proportion:
    """A monotone function of one proportion A/(A + B), where A and B are sums of different cells.

    :param successes: the cells of A, by place
    :param failures: the cells of B, by place
    :param above, below: the coefficients of two linear polynomials in the proportion, the highest power first; the
        formula is their quotient
    :param increases: whether it increases
    """

    successes: tuple[int, ...]
    failures: tuple[int, ...]
    above: tuple[Any, ...]
    below: tuple[Any, ...]
    increases: bool

    @property
    def slope(self) -> Fraction | None:
        """The factor of the proportion, if the formula is linear in it with rational coefficients."""
        is_linear = len(self.above) == 2 and len(self.below) == 1
        is_rational = all(isinstance(number, Fraction) for number in (*self.above, *self.below))
        return self.above[0] / self.below[0] if is_linear and is_rational else None


@dataclass(frozen=True)
class TwoProportions:
    """A function of two proportions with different denominators.

    :param first: the indices of successes and failures of the first proportion
    :param second: those of the second
    """

    first: tuple[int, int]
    second: tuple[int, int]


@dataclass(frozen=True)
class Contrast(TwoProportions):
    """``offset + factor*(first - second)``."""

    offset: Fraction
    factor: Fraction


@dataclass(frozen=True)
class Quotient(TwoProportions):
    """``factor*first/second``, with a positive factor."""

    factor: Fraction


Shape = Proportion | Contrast | Quotient


@lru_cache(maxsize=1024)
def shape_of(formula: Computable) -> Shape | None:
    """Return how a formula depends on one or two proportions; None if it is neither.

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> shape_of(2 * TP / (2 * TP + FN + FP)).above, shape_of(2 * TP / (2 * TP + FN + FP)).below
    ((Fraction(2, 1), Fraction(0, 1)), (Fraction(1, 1), Fraction(1, 1)))
    >>> shape_of(TP / (TP + FN) + TN / (FP + TN) - 1)
    Contrast(first=(0, 1), second=(2, 3), offset=Fraction(0, 1), factor=Fraction(1, 1))
    >>> shape_of(TP * TN - FN * FP) is None
    True
    """
    if isinstance(formula, LibraryFormula):
        found: Shape | None = formula.part("shape", Proportion, Contrast, Quotient)
        return found
    from symmetrics.statistics.shape_search import found_shape

    return found_shape(formula)
