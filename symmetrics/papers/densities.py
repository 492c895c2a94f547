"""Classifiers by densities: each class has a density, and the score is the logarithm of their ratio.

With equal training priors, as here, that is the logarithm of the posterior odds.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from symmetrics.tools.errors import InputError

__all__ = ["CLASSIFIERS", "Scorer", "kernel_width", "log_likelihood", "require_scikit_learn"]

Array = NDArray[np.float64]
Scorer = Callable[[Array], Array]
"""Returns the log ratio of the densities at points of shape (size, features)."""

TOLERANCE: Final = 1e-3
"""Relative tolerance of a kernel width."""


class Fit(Protocol):
    """Fits a classifier to the targets and the others."""

    def __call__(self, targets: Array, others: Array, components: tuple[int, int], seed: int) -> Scorer:
        """Return the scorer; *components* are those of a mixture by class, *seed* is for what starts at random."""


def require_scikit_learn() -> None:
    """Raise an error that says how to install scikit-learn if it is missing.

    :raises InputError: if it is
    """
    if importlib.util.find_spec("sklearn") is None:
        raise InputError("this experiment trains classifiers of scikit-learn: pip install 'symmetrics[experiments]'")


def fit_linear(targets: Array, others: Array, components: tuple[int, int], seed: int) -> Scorer:  # noqa: ARG001  # all are called alike
    """Fit normal densities with one common covariance: LDC, Fisher's discriminant."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    return _discriminant(LinearDiscriminantAnalysis(priors=[0.5, 0.5]), targets, others)


def fit_quadratic(targets: Array, others: Array, components: tuple[int, int], seed: int) -> Scorer:  # noqa: ARG001  # all are called alike
    """Fit a normal density to each class: QDC."""
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

    return _discriminant(QuadraticDiscriminantAnalysis(priors=[0.5, 0.5]), targets, others)


def fit_mixture(targets: Array, others: Array, components: tuple[int, int], seed: int) -> Scorer:
    """Fit a mixture of normal densities to each class by the EM algorithm: MOGC."""
    from sklearn.mixture import GaussianMixture

    first, second = (
        GaussianMixture(count, max_iter=500, init_params="k-means++", random_state=seed).fit(points)
        for count, points in zip(components, (targets, others), strict=True)
    )
    return lambda points: np.asarray(first.score_samples(points) - second.score_samples(points))


def fit_parzen(targets: Array, others: Array, components: tuple[int, int], seed: int) -> Scorer:  # noqa: ARG001  # all are called alike
    """Fit a Parzen density to each class: PARZEN.

    The features of a class are scaled to unit variance, and its normal kernel has then the width that maximises the
    leave-one-out likelihood.
    """
    first, second = _scaled_parzen(targets), _scaled_parzen(others)
    return lambda points: first(points) - second(points)


def _scaled_parzen(examples: Array) -> Scorer:
    deviations = examples.std(axis=0)
    scaled = examples / deviations
    density, volume = _Parzen(scaled, kernel_width(scaled)), np.log(deviations).sum()
    return lambda points: np.asarray(density(points / deviations) - volume)


CLASSIFIERS: Final[Mapping[str, Fit]] = {
    "LDC": fit_linear,
    "QDC": fit_quadratic,
    "MOGC": fit_mixture,
    "PARZEN": fit_parzen,
}
"""The classifiers of Landgrebe et al. (2005), by the names of their table 2."""


@dataclass(frozen=True, eq=False)
class _Parzen:
    """The logarithm of a Parzen density.

    :param examples: where the kernels are
    :param width: their standard deviation in every feature
    """

    examples: Array
    width: float

    def __call__(self, points: Array) -> Array:
        from scipy.special import logsumexp

        exponents = _squared_distances(points, self.examples) / (-2 * self.width**2)
        size, features = self.examples.shape
        constant = np.log(size) + features * np.log(self.width * np.sqrt(2 * np.pi))
        return np.asarray(logsumexp(exponents, axis=1) - constant)


def log_likelihood(examples: Array, width: float) -> float:
    """Return the sum of the log densities of all examples, each under the Parzen density of the others.

    >>> log_likelihood(np.array([[0.0], [1.0]]), 1.0).__round__(6)
    -2.837877
    """
    values = [
        _Parzen(np.delete(examples, place, axis=0), width)(point[None])[0] for place, point in enumerate(examples)
    ]
    return float(np.sum(values))


def kernel_width(examples: Array) -> float:
    """Return the width that maximises the leave-one-out likelihood of a normal kernel: Duin (1976).

    There the mean over the examples of the expected squared distance to the others, each weighted by its kernel, is the
    number of features times the squared width; the root of this equation is bracketed and found to 0.1 %.

    :param examples: of shape (size, features), at least two of them distinct from their nearest neighbours

    >>> kernel_width(np.array([[0.0], [1.0]])).__round__(3)
    1.0
    """
    squared = _squared_distances(examples, examples)
    np.fill_diagonal(squared, np.inf)
    nearest = squared.min(axis=1, keepdims=True)
    others = ~np.eye(len(examples), dtype=bool)
    distances = squared[others].reshape(len(examples), -1)
    beyond = distances - nearest
    features = examples.shape[1]

    def excess(log_width: float) -> float:
        width = np.exp(2 * log_width)
        weights = np.exp(beyond / (-2 * width))
        expected = np.einsum("ij,ij->i", weights, distances) / weights.sum(axis=1)
        return float(expected.mean() / width - features)

    spread = np.sqrt(distances.mean() / (2 * features))
    low = high = float(np.log(spread) - np.log(len(examples)) / (features + 4))  # the best width for normal examples
    while excess(low) <= 0:
        low -= 0.25
    while excess(high) >= 0:
        high += 0.25
    return float(np.exp(brentq(excess, low, high, xtol=TOLERANCE)))


def _squared_distances(left: Array, right: Array) -> Array:
    """Return the squared Euclidean distances, feature by feature, so that near points keep their digits."""
    total = np.zeros((len(left), len(right)))
    for first, second in zip(left.T, right.T, strict=True):
        total += np.subtract.outer(first, second) ** 2
    return total


def _discriminant(model: object, targets: Array, others: Array) -> Scorer:
    points = np.concatenate([others, targets])
    classes = np.repeat([0, 1], [len(others), len(targets)])
    fitted = model.fit(points, classes)  # type: ignore[attr-defined]  # either of scikit-learn's discriminants
    return lambda points: np.asarray(fitted.decision_function(points))
