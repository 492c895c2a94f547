"""Classifiers by densities: each class has a density, and the score is the logarithm of their ratio.

With equal training priors, as here, that is the logarithm of the posterior odds.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from symmetrics.papers.comparison import Steps, computed
from symmetrics.tools.errors import InputError

Array = NDArray[np.float64]
Scorer = Callable[[Array], Array]
"""Returns the log ratio of the densities at points of shape (size, features)."""

TOLERANCE: Final = 1e-3
"""Relative tolerance of a kernel width."""
FEW: Final = 100
"""About so many examples suffice for a first guess of a width."""
STEP: Final = 0.25
"""By how much the logarithm of a width changes at most in a step."""


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
    number of features times the squared width; this equation is solved to 0.1 % by Newton's method, which halves the
    bracket where it would leave it.

    :param examples: of shape (size, features), at least two of them distinct from their nearest neighbours

    >>> kernel_width(np.array([[0.0], [1.0]])).__round__(3)
    1.0
    """
    size, features = examples.shape
    squared = _squared_distances(examples, examples)
    distances = squared[~np.eye(size, dtype=bool)].reshape(size, -1)
    beyond = distances - distances.min(axis=1, keepdims=True)

    def excess(log_width: float) -> tuple[float, float]:
        """Return the logarithm of the mean by what it should be, nearly linear, and its derivative."""
        width = np.exp(2 * log_width)
        weights = np.exp(beyond / (-2 * width))
        totals = weights.sum(axis=1)
        weights *= distances
        expected = weights.sum(axis=1) / totals
        variances = np.einsum("ij,ij->i", weights, distances) / totals - expected**2
        return float(np.log(expected.mean() / (features * width))), float(
            variances.mean() / expected.mean() / width - 2
        )

    # Begin at the width of a few of the examples, or of normal ones; it shrinks as the number of examples grows.
    few = examples[:: size // FEW] if size >= 2 * FEW else examples[:1]
    start = kernel_width(few) if len(few) > 1 else np.sqrt(distances.mean() / (2 * features))
    place = float(np.log(start) - np.log(size / len(few)) / (features + 4))
    low, high, step = -np.inf, np.inf, np.inf
    while abs(step) > TOLERANCE:
        value, slope = excess(place)
        low, high = (place, high) if value > 0 else (low, place)
        # The likelihood grows in the direction of the sign of the value, whatever the slope.
        step = np.clip(-value / slope, -STEP, STEP) if slope < 0 else np.copysign(STEP, value)
        if not low <= place + step <= high:
            step = (low + high) / 2 - place
        place += float(step)
    return float(np.exp(place))


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


# -- Artificial problems of two classes in the plane, the first of which is the target ---------------------------------


Problem = Callable[[int, np.random.Generator], tuple[Array, Array]]
"""Draws so many examples of each class: the targets and the others, each of shape (size, 2)."""

BAYES_ERROR: Final = 0.153
"""That of the two Gaussians with equal priors, which Landgrebe et al. (2005), section 4, say."""
SEPARATION: Final = float(2 * norm.isf(BAYES_ERROR))
"""How many standard deviations the means of two Gaussians with this error are apart: 2.047."""
SPACING: Final = 4.0
"""Standard deviations between the neighbouring modes of the multimodal classes."""


def two_gaussians(size: int, generator: np.random.Generator) -> tuple[Array, Array]:
    """Draw two normal classes with unit covariance, apart in the first feature so that the Bayes error is 15.3 %.

    A linear map does not change the error, nor what linear, quadratic and mixture classifiers do; the text shows the
    classes in a figure and gives no parameter but the error.

    >>> two_gaussians(3, np.random.default_rng(0))[1].shape
    (3, 2)
    """
    return _normal(size, (SEPARATION, 0), (1, 1), generator), _normal(size, (0, 0), (1, 1), generator)


def highleyman(size: int, generator: np.random.Generator) -> tuple[Array, Array]:
    """Draw Highleyman's classes, as PRTools parameterises them.

    The target has the mean (1, 1) and the variances 1 and 1/4, the other class the mean (2, 0) and 1/100 and 4.
    """
    return _normal(size, (1, 1), (1, 0.5), generator), _normal(size, (2, 0), (0.1, 2), generator)


def lithuanian(size: int, generator: np.random.Generator) -> tuple[Array, Array]:
    """Draw the Lithuanian classes (Raudys), as PRTools parameterises them.

    Points at even angles from -60 to 60 degrees on an arc of radius 10, the target, and on one of radius 6.2, each with
    unit normal noise in both features.
    """
    return _arc(size, 10.0, generator), _arc(size, 6.2, generator)


def multimodal(size: int, generator: np.random.Generator) -> tuple[Array, Array]:
    """Draw a target of two modes and another class of three, on a line in turn.

    The text says the numbers of modes and no more.  Here the modes are normal with unit covariance, equally likely, and
    four standard deviations from one to the next.
    """
    targets = generator.choice([-SPACING, SPACING], size)
    others = generator.choice([-2 * SPACING, 0, 2 * SPACING], size)
    noise = generator.standard_normal((2, size, 2))
    noise[0, :, 0] += targets
    noise[1, :, 0] += others
    return noise[0], noise[1]


PROBLEMS: Final[Mapping[str, Problem]] = {
    "TwoGaussians": two_gaussians,
    "Highleyman": highleyman,
    "Multimodal": multimodal,
    "Lithuanian": lithuanian,
}
"""The four problems of Landgrebe et al. (2005), in the order of their table 2."""


def _normal(
    size: int, mean: tuple[float, float], deviations: tuple[float, float], generator: np.random.Generator
) -> Array:
    return np.array(mean) + np.array(deviations) * generator.standard_normal((size, 2))


def _arc(size: int, radius: float, generator: np.random.Generator) -> Array:
    angles = generator.uniform(-np.pi / 3, np.pi / 3, size)
    circle = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return np.asarray(circle + generator.standard_normal((size, 2)))


# -- Cross-validation of classifiers by densities: the rates on every fold at a given true positive rate ---------------


SIZE: Final = 1500
"""Examples of each class."""
FOLDS: Final = 30
TARGET: Final = 0.8
"""The true positive rate at which the classifiers operate."""
REPETITIONS: Final = 3
"""Data sets drawn of each problem, which the text does not say."""
SEED: Final = 2005
GRID: Final[Array] = np.arange(51) / 50
"""True positive rates at which the curves are averaged: those that the 50 targets of a fold can have."""
COMPONENTS: Final[Mapping[str, tuple[int, int]]] = {"Multimodal": (2, 3)}
"""Components of the mixtures of both classes where they are not two each."""


@dataclass(frozen=True, eq=False)
class Validated:
    """What cross-validation found for a classifier on a problem.

    :param fpr: the mean false positive rate at a true positive rate of 80 %
    :param error: the standard error of its mean over the folds of one repetition
    :param auc: the mean area under the curve
    :param curve: the mean false positive rates at the true positive rates of :data:`GRID`
    """

    fpr: float
    error: float
    auc: float
    curve: Array


def validate(steps: Steps) -> dict[tuple[str, str], Validated]:
    """Return the results by problem and classifier.

    :param steps: keeps the results of each problem and repetition
    """
    wanted = [(problem, repetition) for problem in PROBLEMS for repetition in range(REPETITIONS)]
    found = dict(zip(wanted, computed(partial(_step, steps), wanted, "landgrebe2005, data sets"), strict=True))
    return {
        (problem, classifier): _summary([found[problem, repetition][classifier] for repetition in range(REPETITIONS)])
        for problem in PROBLEMS
        for classifier in CLASSIFIERS
    }


def _step(steps: Steps, wanted: tuple[str, int]) -> dict[str, Any]:
    problem, repetition = wanted
    result: dict[str, Any] = steps.done(
        f"{problem.lower()}_{repetition}",
        lambda: validated_once(problem, repetition),
        depends_on=(SEED, SIZE, FOLDS, TARGET),
    )
    return result


def _summary(repetitions: list[dict[str, Any]]) -> Validated:
    rates = np.array([repetition["fpr"] for repetition in repetitions])
    errors = rates.std(axis=1, ddof=1) / np.sqrt(rates.shape[1])
    areas = np.mean([repetition["auc"] for repetition in repetitions])
    curve = np.mean([repetition["curve"] for repetition in repetitions], axis=0)
    return Validated(float(rates.mean()), float(errors.mean()), float(areas), curve)


def validated_once(problem: str, repetition: int, size: int = SIZE, folds: int = FOLDS) -> dict[str, Any]:
    """Return, by classifier, the rates and areas on every fold of one data set, and its mean curve.

    :param problem: its name
    :param size: examples of each class
    """
    seed = [SEED, list(PROBLEMS).index(problem), repetition]
    targets, others = PROBLEMS[problem](size, np.random.default_rng(seed))
    components = COMPONENTS.get(problem, (2, 2))
    found: dict[str, dict[str, Any]] = {name: {"fpr": [], "auc": [], "curve": []} for name in CLASSIFIERS}
    for fold, (training, test) in enumerate(_folds(size, folds)):
        for name, fit in CLASSIFIERS.items():
            score = fit(targets[training], others[training], components, fold)
            fpr, tpr = roc(score(targets[test]), score(others[test]))
            found[name]["fpr"].append(float(fpr_at(fpr, tpr, np.array([TARGET]))[0]))
            found[name]["auc"].append(float(np.trapezoid(tpr, fpr)))
            found[name]["curve"].append(fpr_at(fpr, tpr, GRID))
    for record in found.values():
        record["curve"] = np.mean(record["curve"], axis=0).tolist()
    return found


def _folds(size: int, folds: int) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """Yield the examples to train with and those to test with; they are drawn at random, so that any split will do."""
    for fold in range(folds):
        test = np.arange(size) % folds == fold
        yield ~test, test


def roc(targets: Array, others: Array) -> tuple[Array, Array]:
    """Return the false and the true positive rates of scores, one point per distinct score, from (0, 0) to (1, 1).

    >>> [rates.tolist() for rates in roc(np.array([3.0, 1.0]), np.array([1.0, 0.0]))]
    [[0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0]]
    """
    thresholds = np.unique(np.concatenate([targets, others]))[::-1]
    rates = [np.searchsorted(np.sort(-scores), -thresholds, side="right") / scores.size for scores in (others, targets)]
    return np.append(0.0, rates[0]), np.append(0.0, rates[1])


def fpr_at(fpr: Array, tpr: Array, targets: Array) -> Array:
    """Return the least false positive rates at which a curve has given true positive rates, by linear interpolation.

    It is :func:`symmetrics.curves.operating.point_at_tpr` for many rates in [0, 1] at once.

    >>> fpr_at(np.array([0, 0.25, 0.5, 1]), np.array([0, 0.5, 0.5, 1]), np.array([0.25, 0.5, 0.75])).tolist()
    [0.125, 0.25, 0.75]
    """
    after = np.searchsorted(tpr, targets, side="left")
    before = np.maximum(after - 1, 0)
    steps = tpr[after] - tpr[before]
    weights = np.divide(targets - tpr[before], steps, out=np.ones_like(targets), where=steps > 0)
    return np.asarray((1 - weights) * fpr[before] + weights * fpr[after])
