"""Linear classifiers of LIBLINEAR under cross-validation: l2-regularised logistic regression and l2-loss SVM.

On every fold the features are standardised by the training part, and the hyperparameters are those that are best on
inner folds of the training part, by the mean of a criterion: AUC, and once more B42.  B42, AUC and H depend on the
order of the scores alone, so that the values of the decision function stand for the posterior probabilities that
increase with them.
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from symmetrics.curves import auc, auc_cost_weights, b42, h_measure
from symmetrics.papers.imbalanced import Array, BoolArray, ImbalancedSet
from symmetrics.tools.errors import InputError

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
    for fold, (training, test) in enumerate(stratified(data.positive, FOLDS, SEED)):
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


def undersampled(part: Part, positive: BoolArray, generator: np.random.Generator, ratio: float = 1.0) -> Part:
    """Return a part with as many examples of the majority, drawn at random, as of the minority, or a multiple of it.

    :param part: the places of its examples
    :param positive: of all examples, which are of the minority
    :param ratio: how many of the majority there are for each of the minority, if it has as many

    >>> places = undersampled(np.arange(6), np.arange(6) < 2, np.random.default_rng(0))
    >>> places.size, places[:2].tolist()
    (4, [0, 1])
    """
    smaller, larger = part[positive[part]], part[~positive[part]]
    kept = generator.choice(larger, size=min(round(ratio * smaller.size), larger.size), replace=False)
    return np.sort(np.concatenate([smaller, kept]))


def stratified(positive: BoolArray, count: int, seed: int) -> Iterator[tuple[Part, Part]]:
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
    for inner, validation in stratified(positive, search.folds, SEED):
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


# -- Paired t-tests, the win/tie/lose counts that sum them up, and how far two measures agree in them ------------------


LEVEL: Final = 0.05
OUTCOMES: Final = ("win", "tie", "lose")
MARKS: Final = {"win": "○", "tie": "", "lose": "●"}
"""How a table shows a statistically significant improvement and degradation."""


def p_value(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the two-sided p-value of a paired t-test.

    Without any difference it is 1: nothing speaks against equality.  With one and the same difference in all pairs it
    is 0, the limit as their deviation tends to 0.

    :param first, second: the values on the same folds, at least two
    :raises InputError: if they are not as many, or fewer than two

    >>> p_value([1, 2, 3], [1, 2, 3]), p_value([2, 3, 4], [1, 2, 3])
    (1.0, 0.0)
    >>> round(p_value([3, 5, 4], [1, 2, 4]), 6)  # differences 2, 3, 0: t = (5/3)/sqrt(7/9)
    0.199359
    """
    from scipy.stats import ttest_rel

    if len(first) != len(second) or len(first) < 2:
        raise InputError(
            f"{len(first)} and {len(second)} values make no pairs to test; pass as many of each, two or more"
        )
    differences = np.subtract(first, second)
    if differences.min() == differences.max():
        return float(differences[0] == 0)
    return float(ttest_rel(first, second).pvalue)


def outcome(first: Sequence[float], second: Sequence[float], level: float = LEVEL) -> str:
    """Return whether the first is significantly better, "win", or worse, "lose", or neither, "tie".

    :param first, second: as :func:`p_value` takes them; more is better

    >>> outcome([0.9, 0.8, 0.9], [0.5, 0.4, 0.6]), outcome([0.9, 0.1], [0.2, 0.4])
    ('win', 'tie')
    """
    if p_value(first, second) >= level:
        return "tie"
    return "win" if math.fsum(first) > math.fsum(second) else "lose"


def gain_interval(gains: Sequence[float], level: float = LEVEL) -> tuple[float, float, float]:
    """Return a mean gain and the ends of its confidence interval by the t distribution.

    It leaves out 0 exactly where the paired t-test at that level is significant, unless all gains are one number: then
    both ends are that number.

    :param gains: differences on the same folds, or on several data sets; at least two
    :param level: how often the interval misses
    :raises InputError: if there are fewer than two

    >>> [round(end, 4) for end in gain_interval([2, 3, 0])]
    [1.6667, -2.1279, 5.4612]
    """
    from scipy.stats import t

    if len(gains) < 2:
        raise InputError(f"{len(gains)} gains give no interval; pass two or more")
    mean = math.fsum(gains) / len(gains)
    if min(gains) == max(gains):
        return gains[0], gains[0], gains[0]
    half = float(t.isf(level / 2, len(gains) - 1)) * float(np.std(gains, ddof=1)) / math.sqrt(len(gains))
    return mean, mean - half, mean + half


def win_tie_lose(outcomes: Iterable[str]) -> tuple[int, int, int]:
    """Return how often each outcome is there.

    >>> win_tie_lose(["tie", "lose", "tie"])
    (0, 2, 1)
    """
    counts = Counter(outcomes)
    return counts["win"], counts["tie"], counts["lose"]


@dataclass(frozen=True)
class Agreement:
    """In how many data sets two measures find significant differences.

    :param both: those of both
    :param first_only, second_only: those of one alone
    :param neither: those of neither
    :param opposite: how many of *both* are a win by one and a loss by the other
    """

    both: int
    first_only: int
    second_only: int
    neither: int
    opposite: int = 0

    @property
    def total(self) -> int:
        """How many data sets there are."""
        return self.both + self.first_only + self.second_only + self.neither

    @property
    def disagreements(self) -> int:
        """How often one alone is significant."""
        return self.first_only + self.second_only


def agreement(first: Sequence[str], second: Sequence[str]) -> Agreement:
    """Return how far the outcomes by two measures agree on the same data sets.

    :raises InputError: if they are not as many

    >>> agreement(["win", "tie", "tie", "lose"], ["win", "lose", "tie", "win"])
    Agreement(both=2, first_only=0, second_only=1, neither=1, opposite=1)
    """
    if len(first) != len(second):
        raise InputError(f"{len(first)} and {len(second)} outcomes; pass one of each measure per data set")
    counts = Counter((a != "tie", b != "tie") for a, b in zip(first, second, strict=True))
    opposite = sum({a, b} == {"win", "lose"} for a, b in zip(first, second, strict=True))
    return Agreement(counts[True, True], counts[True, False], counts[False, True], counts[False, False], opposite)


def t_bounds(difference: float, first: float, second: float, pairs: int, rounding: float = 0.0) -> tuple[float, float]:
    """Return between which values |t| of a paired t-test lies, whatever the correlation of the pairs.

    The deviation of differences lies between the difference and the sum of the two deviations.  Whether the deviations
    have n or n - 1 in their denominator is left open: the lower bound takes n, the upper one n - 1.

    :param difference: of the means
    :param first, second: the standard deviations
    :param pairs: n
    :param rounding: by how much each mean and each deviation may be off

    >>> [round(bound, 3) for bound in t_bounds(0.3, 0.2, 0.1, 5)]
    [2.0, 6.708]
    """
    least = max(abs(difference) - 2 * rounding, 0.0)
    most = abs(difference) + 2 * rounding
    widest, narrowest = first + second + 2 * rounding, max(abs(first - second) - 2 * rounding, 0.0)
    lower = least * math.sqrt(pairs - 1) / widest if widest else math.inf
    return lower, most * math.sqrt(pairs) / narrowest if narrowest else math.inf
