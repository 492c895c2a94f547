"""The H-measure: one minus the least expected cost, averaged over the costs, relative to that without a classifier.

With c = c₁/(c₀ + c₁) distributed as Beta(a, b), π₀ and π₁ the shares of the classes, and Q(c) the least of
c·π₁·(1 - TPr) + (1 - c)·π₀·FPr over all thresholds,

    H = 1 - ∫₀¹ Q(c) u(c) dc / (π₁ ∫₀^π₀ c u(c) dc + π₀ ∫_π₀¹ (1 - c) u(c) dc).

Only points on the convex hull of the ROC curve are ever best, and the examples of a segment of the hull are best called
all one class.  So with p and q the shares of both classes in a segment, and m of :mod:`symmetrics.curves.hmeasure`,

    H = 1 - Σ m(p, q) / m(π₀, π₁).

Equation (1) of Thai-Nghe et al. (2011) prints another denominator, with which a classifier by chance has not H = 0; see
:mod:`symmetrics.curves.hmeasure_proofs`.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaln, xlog1py, xlogy

from symmetrics.curves.examples import checked_prior, checked_shares, is_within, read_examples
from symmetrics.curves.geometry import Hull, hull_of
from symmetrics.data.counts import FloatArray, shown
from symmetrics.data.encoding import is_hashable
from symmetrics.tools.arguments import Missing, advising
from symmetrics.tools.errors import InputError

# -- Cost weightings: Beta distributions, and the one that AUC implies -------------------------------------------------

# Everywhere c = c₁/(c₀ + c₁), with c₁ the cost of an example of class 1 (the positive class) that is called 0, and c₀
# of one of class 0 that is called 1. Hand (2009) writes c for c₀/(c₀ + c₁), so his Beta(a, b) is Beta(b, a) here.
#
# One integral gives the H-measure. A group of examples, a share p of class 0 and q of class 1, that has to be
# classified as a whole costs c·q or (1 - c)·p, whichever is less; averaged over c with the density u
#
#     m(p, q) = ∫₀¹ min(c·q, (1 - c)·p) u(c) dc = q ∫₀ᵗ c u(c) dc + p ∫ₜ¹ (1 - c) u(c) dc,   t = p/(p + q).


@dataclass(frozen=True)
class BetaCosts:
    """The Beta(a, b) distribution of c = c₁/(c₀ + c₁): density c^(a-1) (1 - c)^(b-1) / B(a, b).

    :param a: a positive number; the larger, the more errors on class 1 weigh
    :param b: a positive number; the larger, the more errors on class 0 weigh
    :raises InputError: if one of them is not a positive finite number

    >>> BetaCosts(4, 2).mode, BetaCosts(4, 2).mean
    (0.75, 0.6666666666666666)
    """

    a: float
    b: float

    def __post_init__(self) -> None:
        for name, value in (("a", self.a), ("b", self.b)):
            if not is_within(value, math.inf):
                raise InputError(f"{name}={shown(value)} is no parameter of a Beta; pass a finite number above 0")
            object.__setattr__(self, name, float(value))

    @property
    def mean(self) -> float:
        """The mean of c."""
        return self.a / (self.a + self.b)

    @property
    def mode(self) -> float:
        """The mode of c, (a - 1)/(a + b - 2); nan unless a > 1 and b > 1, where the density has no interior maximum."""
        return (self.a - 1) / (self.a + self.b - 2) if min(self.a, self.b) > 1 else math.nan

    def density(self, c: ArrayLike) -> FloatArray:
        """Return the density at each c in [0, 1]; it is infinite at an end whose parameter is below 1.

        :raises InputError: on a c outside [0, 1]

        >>> BetaCosts(4, 2).density([0.0, 0.75, 1.0])
        array([0.      , 2.109375, 0.      ])
        """
        cost = checked_shares(c, "c", "c = c1/(c0 + c1)")
        logarithm = xlogy(self.a - 1, cost) + xlog1py(self.b - 1, -cost) - betaln(self.a, self.b)
        return np.asarray(np.exp(logarithm))

    def least_cost(self, p: ArrayLike, q: ArrayLike) -> FloatArray:
        """Return m(p, q) of the module's docstring for groups of p of class 0 and q of class 1, by broadcasting.

        Through the regularised incomplete beta function I: ∫₀ᵗ c u dc = a/(a+b)·I_t(a+1, b) and
        ∫ₜ¹ (1 - c) u dc = b/(a+b)·I_(1-t)(b+1, a), so that no digits cancel.  m(0, 0) = 0.

        >>> BetaCosts(1, 1).least_cost(0.5, [0.5, 0.0])  # p·q/(2(p + q)) for uniform c
        array([0.125, 0.   ])
        """
        of_zero, of_one = np.broadcast_arrays(np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64))
        both = of_zero + of_one
        # The cost ratio at which both decisions cost the same, and its complement.
        t, rest = (np.divide(part, both, out=np.zeros_like(both), where=both > 0) for part in (of_zero, of_one))
        below = self.mean * betainc(self.a + 1, self.b, t)
        above = self.b / (self.a + self.b) * betainc(self.b + 1, self.a, rest)
        return np.asarray(of_one * below + of_zero * above)


def severity_costs(severity_ratio: float) -> BetaCosts:
    """Return Beta(1 + 1/s, 2), which has its mode at c₀/c₁ = s, for the severity ratio s.

    It is the convention of R's and PyPI's hmeasure, whose Beta(2, 1 + 1/s) is one of c₀/(c₀ + c₁).

    :param severity_ratio: how much more an error on class 0 costs than one on class 1, above 0
    :raises InputError: if it is not a positive finite number

    >>> severity_costs(1.0), severity_costs(0.25).mode
    (BetaCosts(a=2.0, b=2.0), 0.8)
    """
    if not is_within(severity_ratio, math.inf):
        raise InputError(f"severity_ratio={shown(severity_ratio)} is not a ratio c0/c1; pass a finite number above 0")
    if math.isinf(1 / float(severity_ratio)):
        raise InputError(f"severity_ratio={shown(severity_ratio)} is too small for float64; pass at least 1e-300")
    return BetaCosts(1 + 1 / float(severity_ratio), 2)


def prior_costs(prior: float) -> BetaCosts:
    """Return Beta(π₀ + 1, π₁ + 1), Hand & Anagnostopoulos (2014): its mode is at c = π₀, so rarer errors cost more.

    :param prior: π₁, the share of class 1, strictly between 0 and 1
    :raises InputError: if it is not

    >>> prior_costs(0.1)
    BetaCosts(a=1.9, b=1.1)
    """
    share = checked_prior(prior)
    return BetaCosts(2 - share, 1 + share)


def shares(hull: Hull, prior: float | None = None) -> tuple[FloatArray, FloatArray]:
    """Return the shares (p, q) of class 0 and class 1 in each segment of a hull.

    They sum to (π₀, π₁): those of the data or, with a *prior*, (1 - prior, prior).
    """
    fp, tp = np.diff(hull.fp), np.diff(hull.tp)
    negatives, positives = hull.fp[-1], hull.tp[-1]
    if prior is None:
        return fp / (negatives + positives), tp / (negatives + positives)
    return (1 - prior) * (fp / negatives), prior * (tp / positives)


@dataclass(frozen=True, eq=False)
class ImpliedCosts:
    """The discrete distribution of c = c₁/(c₀ + c₁) over which AUC averages for one classifier's scores.

    With Q(c) the least cost at c over all thresholds, 1 - Σ weight·Q(c)/(2π₀π₁) is the area under the convex hull of
    the ROC curve.

    :param cost: the values of c, ascending: at each the best threshold moves along a segment of the hull
    :param weight: their probabilities, the shares of the examples in those segments
    """

    cost: FloatArray
    weight: FloatArray

    def density(self, c: ArrayLike, *, bandwidth: float = 0.05) -> FloatArray:
        """Return a kernel density estimate at each c: Gaussian kernels, reflected at 0 and 1 to stay in [0, 1].

        :param bandwidth: the standard deviation of a kernel, in (0, 1)
        :raises InputError: on another *bandwidth*, and on a c outside [0, 1]
        """
        if not is_within(bandwidth, 1):
            raise InputError(f"bandwidth={shown(bandwidth)} is not in (0, 1); pass a standard deviation such as 0.05")
        at = checked_shares(c, "c", "c = c1/(c0 + c1)")
        reach = math.ceil(4 * float(bandwidth)) + 1  # reflections further away are beyond 8 standard deviations
        total = np.zeros(at.shape)
        for image in range(-reach, reach + 1):
            for sign in (1, -1):
                distance = (at[..., None] - (2 * image + sign * self.cost)) / bandwidth
                total += np.exp(-0.5 * distance**2) @ self.weight
        return np.asarray(total / (bandwidth * math.sqrt(2 * math.pi)))


@advising()
def auc_cost_weights(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    pos_label: Hashable = 1,
    prior: float | None = None,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
) -> ImpliedCosts:
    """Return the cost-weight distribution that AUC implies for given scores (Hand, 2009, section 4), from the hull.

    It is the distribution over all examples of the c for which their own score is the best threshold, so it depends on
    the classifier: AUC compares classifiers by different measures.

    :param y_true, y_score, pos_label, sample_weight: as :func:`symmetrics.curves.roc_curve` takes them
    :param prior: the share of class 1; by default that of the data
    :raises InputError: on data that it refuses, and on a *prior* outside (0, 1)

    >>> implied = auc_cost_weights([1, 0, 1, 0, 0], [9, 5, 4, 4, 1])
    >>> implied.cost, implied.weight
    (array([0.        , 0.66666667, 1.        ]), array([0.2, 0.6, 0.2]))
    """
    hull = hull_of(read_examples(y_true, y_score, pos_label, sample_weight, missing=missing))
    p, q = shares(hull, None if prior is None else checked_prior(prior))
    return ImpliedCosts(p / (p + q), p + q)


B42: Final = BetaCosts(4, 2)
"""The weights of Thai-Nghe et al. (2011): errors on class 1, the minority, cost more; the mode is at c = 3/4."""


# ----------------------------------------------------------------------------------------------------------------------


@advising()
def h_measure(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    a: float = 2,
    b: float = 2,
    pos_label: Hashable = 1,
    weights: Literal["beta", "prior"] = "beta",
    severity_ratio: float | None = None,
    prior: float | None = None,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
) -> float:
    """Return the H-measure of scores, in [0, 1]: 0 for a classifier by chance or worse, 1 for a perfect one.

    It does not change under strictly increasing maps of the scores; exchanging the classes and negating the scores
    exchanges *a* and *b*.

    :param y_true: one label per example, two different ones
    :param y_score: one number per example, higher for more positive, of any range; equal scores are ties
    :param a, b: the Beta(a, b) distribution of c = c₁/(c₀ + c₁), class 1 being *pos_label*; 2, 2 is Hand (2009)
    :param pos_label: the label of the positive class
    :param weights: "prior" takes Beta(π₀ + 1, π₁ + 1) for Beta(a, b), Hand & Anagnostopoulos (2014)
    :param severity_ratio: s takes Beta(1 + 1/s, 2) for Beta(a, b); s = c₀/c₁, as in R's and PyPI's hmeasure
    :param prior: π₁, the share of class 1; by default that of the data
    :param sample_weight: a non-negative weight per example
    :raises InputError: as :func:`symmetrics.curves.roc_curve`, on *a*, *b* or *severity_ratio* not above 0, *prior*
        outside (0, 1), and where the costs are chosen in two ways

    >>> y, score = [0, 0, 1, 1, 0, 1, 0, 0], [0.1, 0.3, 0.3, 0.8, 0.2, 0.9, 0.4, 0.6]
    >>> round(h_measure(y, score), 6), round(h_measure(y, score, a=4, b=2), 6), h_measure(y, [5] * 8)
    (0.61519, 0.569923, 0.0)
    >>> h_measure(y, score, severity_ratio=1) == h_measure(y, score)
    True
    """
    chosen = None if prior is None else checked_prior(prior)
    costs = _costs(a, b, weights, severity_ratio)
    return h_of_hull(
        hull_of(read_examples(y_true, y_score, pos_label, sample_weight, missing=missing)), costs, prior=chosen
    )


@advising()
def b42(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    pos_label: Hashable = 1,
    prior: float | None = None,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
) -> float:
    """Return B42 of Thai-Nghe et al. (2011): the H-measure with Beta(4, 2), which makes errors on class 1 cost more.

    Class 1 is *pos_label*, and B42 is meant for the minority there.  If the other class is the minority, name it as
    *pos_label* and negate the scores.

    :param y_true, y_score, pos_label, prior, sample_weight: as :func:`h_measure`
    :raises InputError: as :func:`h_measure`

    >>> round(b42([0, 0, 1, 1, 0, 1, 0, 0], [0.1, 0.3, 0.3, 0.8, 0.2, 0.9, 0.4, 0.6]), 6)
    0.569923
    """
    return h_measure(
        y_true,
        y_score,
        a=B42.a,
        b=B42.b,
        pos_label=pos_label,
        prior=prior,
        sample_weight=sample_weight,
        missing=missing,
    )


def h_of_hull(hull: Hull, costs: BetaCosts | None, *, prior: float | None = None) -> float:
    """Return the H-measure of a convex hull.

    :param hull: as :func:`symmetrics.curves.geometry.hull_of` returns it
    :param costs: the weights; None for those of Hand & Anagnostopoulos by the prior
    :param prior: the share of class 1; by default that of the hull's counts
    """
    p, q = shares(hull, prior)
    whole = Hull(hull.fp[[0, -1]], hull.tp[[0, -1]])
    of_zero, of_one = (part[0] for part in shares(whole, prior))
    weights = prior_costs(float(of_one)) if costs is None else costs
    return float(_relative_gain(weights.least_cost(p, q).sum(), weights.least_cost(of_zero, of_one)))


@advising()
def h_from_rates(tpr: ArrayLike, fpr: ArrayLike, prior: ArrayLike, *, a: float = 2, b: float = 2) -> float | FloatArray:
    """Return the H-measure of single operating points: the hull is (0, 0), (FPr, TPr), (1, 1), or only the diagonal.

    :param tpr, fpr: rates in [0, 1]; scalars or arrays that broadcast
    :param prior: the shares of class 1, strictly between 0 and 1
    :param a, b: the Beta(a, b) distribution of c = c₁/(c₀ + c₁)
    :returns: a float for scalars, else an array
    :raises InputError: on numbers outside those ranges and on shapes that do not broadcast

    >>> h_from_rates(0.8, [0.0, 0.1, 0.8, 0.9], 0.25, a=1, b=1).round(4)  # MCC² above the diagonal
    array([0.75  , 0.4608, 0.    , 0.    ])
    """
    costs = BetaCosts(a, b)
    y, x, one = (
        checked_shares(value, name, "of examples") for value, name in ((tpr, "tpr"), (fpr, "fpr"), (prior, "prior"))
    )
    if not bool(((one > 0) & (one < 1)).all()):
        raise InputError(f"prior={shown(prior)} is not strictly between 0 and 1; pass the share of class 1")
    try:
        y, x, one = np.broadcast_arrays(y, x, one)
    except ValueError:
        raise InputError(
            f"the shapes tpr {y.shape}, fpr {x.shape}, prior {one.shape} do not broadcast; pass scalars or one shape"
        ) from None
    zero = 1 - one
    # Two segments of the hull: below and above the operating point.
    cost = costs.least_cost(zero * x, one * y) + costs.least_cost(zero * (1 - x), one * (1 - y))
    h = np.where(y > x, _relative_gain(cost, costs.least_cost(zero, one)), 0.0)
    return float(h) if h.ndim == 0 else h


def _relative_gain(cost: ArrayLike, without: FloatArray) -> FloatArray:
    """Return 1 - cost/without, at least 0: m is concave, so negative values are rounding errors."""
    if not bool((without > 0).all()):
        raise InputError("the cost without a classifier is 0 in float64; take a, b or a prior that is less extreme")
    return np.maximum(0.0, 1.0 - np.asarray(cost) / without)


def _costs(a: float, b: float, weights: str, severity_ratio: float | None) -> BetaCosts | None:
    """Return the cost weights chosen by the arguments, None for those that depend on the prior."""
    if not is_hashable(weights) or weights not in ("beta", "prior"):
        raise InputError(f"weights={shown(weights)} is unknown; pass 'beta', or 'prior' for Beta(π0 + 1, π1 + 1)")
    costs = BetaCosts(a, b)
    others = [f"weights={weights!r}"] * (weights == "prior") + ["severity_ratio"] * (severity_ratio is not None)
    if others and (costs != BetaCosts(2, 2) or len(others) > 1):
        given = [f"a={shown(a)}, b={shown(b)}"] * (costs != BetaCosts(2, 2)) + others
        raise InputError(f"{' and '.join(given)} choose the costs more than once; pass one of them")
    if severity_ratio is not None:
        return severity_costs(severity_ratio)
    return None if weights == "prior" else costs
