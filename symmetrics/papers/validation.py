"""Cross-validation of classifiers by densities: the rates on every fold at a given true positive rate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.papers.artificial import PROBLEMS
from symmetrics.papers.densities import CLASSIFIERS
from symmetrics.papers.steps import Steps

__all__ = ["FOLDS", "GRID", "REPETITIONS", "SIZE", "TARGET", "Validated", "fpr_at", "roc", "validate", "validated_once"]

Array = NDArray[np.float64]

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
    from tqdm import tqdm

    wanted = [(problem, repetition) for problem in PROBLEMS for repetition in range(REPETITIONS)]
    found: dict[str, list[dict[str, Any]]] = {problem: [] for problem in PROBLEMS}
    for problem, repetition in tqdm(wanted, desc="cross-validation", disable=None):
        found[problem].append(_step(steps, problem, repetition))
    return {
        (problem, classifier): _summary([repetition[classifier] for repetition in found[problem]])
        for problem in PROBLEMS
        for classifier in CLASSIFIERS
    }


def _step(steps: Steps, problem: str, repetition: int) -> dict[str, Any]:
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
