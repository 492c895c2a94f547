"""The H-measure: one minus the least expected cost, averaged over the costs, relative to that without a classifier.

With c = c₁/(c₀ + c₁) distributed as Beta(a, b), π₀ and π₁ the shares of the classes, and Q(c) the least of
c·π₁·(1 - TPr) + (1 - c)·π₀·FPr over all thresholds,

    H = 1 - ∫₀¹ Q(c) u(c) dc / (π₁ ∫₀^π₀ c u(c) dc + π₀ ∫_π₀¹ (1 - c) u(c) dc).

Only points on the convex hull of the ROC curve are ever best, and the examples of a segment of the hull are best called
all one class.  So with p and q the shares of both classes in a segment, and m of :mod:`symmetrics.curves.costs`,

    H = 1 - Σ m(p, q) / m(π₀, π₁).

Equation (1) of Thai-Nghe et al. (2011) prints another denominator, with which a classifier by chance has not H = 0; see
:mod:`symmetrics.curves.hmeasure_symbolic`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from symmetrics.curves.costs import B42, BetaCosts, prior_costs, severity_costs, shares
from symmetrics.curves.examples import checked_prior, checked_shares, read_examples
from symmetrics.curves.hull import Hull, hull_of
from symmetrics.numeric.counts import FloatArray, shown
from symmetrics.numeric.encoding import is_hashable
from symmetrics.tools.errors import InputError
from symmetrics.tools.missing import Missing
from symmetrics.tools.settings import advising


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

    :param hull: as :func:`symmetrics.curves.hull.hull_of` returns it
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
    cost = costs.least_cost(zero * x, one * y) + costs.least_cost(zero * (1 - x), one * (1 - y))
    h = np.where(y > x, _relative_gain(cost, costs.least_cost(zero, one)), 0.0)
    return float(h) if h.ndim == 0 else h


def _relative_gain(cost: ArrayLike, without: FloatArray) -> FloatArray:
    """Return 1 - cost/without, at least 0: m is concave, so that what is lower is a rounding error."""
    if not bool((without > 0).all()):
        raise InputError("the cost without a classifier is 0 in float64; take a, b or a prior that is less extreme")
    return np.maximum(0.0, 1.0 - np.asarray(cost) / without)


def _costs(a: float, b: float, weights: str, severity_ratio: float | None) -> BetaCosts | None:
    """Return the weights that the arguments choose, None for those by the prior."""
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
