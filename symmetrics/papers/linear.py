"""Linear classifiers of LIBLINEAR under cross-validation: l2-regularised logistic regression and l2-loss SVM.

On every fold the features are standardised by the training part, and the hyperparameters are those that are best on
inner folds of the training part, by the mean of a criterion: AUC, and once more B42.  B42, AUC and H depend on the
order of the scores alone, so that the values of the decision function stand for the posterior probabilities that
increase with them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from symmetrics.curves import auc, auc_cost_weights, b42, h_measure
from symmetrics.papers.imbalanced import Array, BoolArray, ImbalancedSet

__all__ = [
    "CLASSIFIERS",
    "COSTS",
    "CRITERIA",
    "FOLDS",
    "INNER_FOLDS",
    "MEASURES",
    "POWERS",
    "SEED",
    "TREATMENTS",
    "Record",
    "Search",
    "Setting",
    "compare_classifiers",
    "compare_treatments",
    "cross_validate",
    "undersampled",
]

FOLDS: Final = 5
INNER_FOLDS: Final = 3
SEED: Final = 2011
COSTS: Final = (0.001, 0.01, 0.1, 1.0, 10.0, 100.0)
"""The values of C that are tried."""
POWERS: Final = (0.0, 0.5, 1.0)
"""The weights of the minority that are tried: the ratio of the classes to these powers."""
CLASSIFIERS: Final = ("SVM", "LR")
CRITERIA: Final = ("AUC", "B42")
"""By what hyperparameters are chosen: everything is reported by the first, and summed up by the other as well."""
TREATMENTS: Final = ("original", "RUS-balance", "weighting")
MEASURES: Final[Mapping[str, Callable[[BoolArray, Array], float]]] = {
    "B42": b42,
    "AUC": auc,
    "H": h_measure,
    "B62": lambda positive, score: h_measure(positive, score, a=6, b=2),
    "B82": lambda positive, score: h_measure(positive, score, a=8, b=2),
    "TPr": lambda positive, score: float(np.mean(score[positive] > 0)),
    "TNr": lambda positive, score: float(np.mean(score[~positive] <= 0)),
}
"""What is measured on every fold, from which examples are positive and their scores; 0 is the threshold."""


class Setting(NamedTuple):
    """Hyperparameters.

    :param cost: LIBLINEAR's C
    :param weight: by how much C of the minority is larger
    """

    cost: float
    weight: float


@dataclass(frozen=True)
class Search:
    """How hyperparameters are chosen.

    :param costs: the values of C that are tried
    :param folds: the inner folds of a training part
    """

    costs: tuple[float, ...]
    folds: int


Part = NDArray[np.intp]
Record = dict[str, list[Any]]
"""A list with an entry per fold for everything that is recorded."""


def compare_classifiers(data: ImbalancedSet) -> dict[str, dict[str, Record]]:
    """Return what :func:`cross_validate` finds for each of the two classifiers on the same folds, by criterion."""
    return _by_criterion({classifier: cross_validate(data, classifier) for classifier in CLASSIFIERS})


def compare_treatments(data: ImbalancedSet, search: Search | None = None) -> dict[str, dict[str, Record]]:
    """Return what :func:`cross_validate` finds for logistic regression by criterion and treatment."""
    return _by_criterion({treatment: cross_validate(data, "LR", treatment, search) for treatment in TREATMENTS})


def _by_criterion(found: Mapping[str, Mapping[str, Record]]) -> dict[str, dict[str, Record]]:
    return {criterion: {key: records[criterion] for key, records in found.items()} for criterion in CRITERIA}


def cross_validate(
    data: ImbalancedSet, classifier: str, treatment: str = "original", search: Search | None = None
) -> dict[str, Record]:
    """Return, by criterion and fold by fold, the measures, the chosen settings and the costs that AUC implies.

    :param classifier: one of :data:`CLASSIFIERS`
    :param treatment: of the training parts, one of :data:`TREATMENTS`
    :param search: by default over :data:`COSTS` by :data:`INNER_FOLDS`
    :returns: for each of :data:`CRITERIA` lists with an entry per fold, by measure, and ``"setting"``, ``"implied"``
        (costs and their weights) and ``"converged"``
    """
    found: dict[str, Record] = {
        criterion: {key: [] for key in (*MEASURES, "setting", "implied", "converged")} for criterion in CRITERIA
    }
    for fold, (training, test) in enumerate(_folds(data.positive, FOLDS, SEED)):
        if treatment == "RUS-balance":
            training = undersampled(training, data.positive, np.random.default_rng([SEED, fold]))
        settings = _best_settings(
            data, training, classifier, search or Search(COSTS, INNER_FOLDS), weighted=treatment == "weighting"
        )
        trained = {setting: _scores(data, training, test, classifier, setting) for setting in set(settings.values())}
        for criterion, setting in settings.items():
            _record(found[criterion], data.positive[test], setting, *trained[setting])
    return found


def _record(record: Record, positive: BoolArray, setting: Setting, score: Array, converged: bool) -> None:
    for key, measure in MEASURES.items():
        record[key].append(float(measure(positive, score)))
    implied = auc_cost_weights(positive, score)
    record["implied"].append([implied.cost.tolist(), implied.weight.tolist()])
    record["setting"].append(list(setting))
    record["converged"].append(converged)


def undersampled(part: Part, positive: BoolArray, generator: np.random.Generator) -> Part:
    """Return a part with as many examples of the majority, drawn at random, as of the minority.

    :param part: the places of its examples
    :param positive: of all examples, which are of the minority

    >>> places = undersampled(np.arange(6), np.arange(6) < 2, np.random.default_rng(0))
    >>> places.size, places[:2].tolist()
    (4, [0, 1])
    """
    smaller, larger = part[positive[part]], part[~positive[part]]
    kept = generator.choice(larger, size=min(smaller.size, larger.size), replace=False)
    return np.sort(np.concatenate([smaller, kept]))


def _folds(positive: BoolArray, count: int, seed: int) -> Iterator[tuple[Part, Part]]:
    """Yield the places of the examples to train with and of those to test with, classes in proportion."""
    from sklearn.model_selection import StratifiedKFold

    yield from StratifiedKFold(count, shuffle=True, random_state=seed).split(np.zeros(positive.size), positive)


def _best_settings(
    data: ImbalancedSet, training: Part, classifier: str, search: Search, *, weighted: bool
) -> dict[str, Setting]:
    """Return, by criterion, the setting with the highest mean over inner folds; of equals the first."""
    positive = data.positive[training]
    ratio = float(np.mean(~positive) / np.mean(positive))
    settings = [Setting(cost, ratio**power) for power in (POWERS if weighted else (0.0,)) for cost in search.costs]
    sums = {criterion: np.zeros(len(settings)) for criterion in CRITERIA}
    for inner, validation in _folds(positive, search.folds, SEED):
        for place, setting in enumerate(settings):
            score, _ = _scores(data, training[inner], training[validation], classifier, setting)
            for criterion in CRITERIA:
                sums[criterion][place] += MEASURES[criterion](positive[validation], score)
    return {criterion: settings[int(np.argmax(values))] for criterion, values in sums.items()}


def _scores(data: ImbalancedSet, training: Part, test: Part, classifier: str, setting: Setting) -> tuple[Array, bool]:
    """Return the values of the decision function on the test part, and whether the training converged."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC

    examples = data.features[training]
    centre, spread = examples.mean(axis=0), examples.std(axis=0)
    spread[spread == 0] = 1
    weights = {False: 1.0, True: setting.weight}
    if classifier == "LR":
        model = LogisticRegression(solver="liblinear", C=setting.cost, class_weight=weights, max_iter=1000)
    else:
        model = LinearSVC(
            loss="squared_hinge", dual="auto", C=setting.cost, class_weight=weights, max_iter=1000, random_state=SEED
        )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        model.fit((examples - centre) / spread, data.positive[training])
    converged = not any(issubclass(warning.category, ConvergenceWarning) for warning in caught)
    return np.asarray(model.decision_function((data.features[test] - centre) / spread)), converged
