"""Linear classifiers of LIBLINEAR under cross-validation, as Thai-Nghe et al. (2011) compare them, and paired t-tests.

The design is that of :mod:`symmetrics.papers.resampling`.  B42, AUC and H depend on the order of the scores alone, so
that the values of the decision function stand for the posterior probabilities that increase with them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from symmetrics.curves import auc, auc_cost_weights, b42, h_measure
from symmetrics.papers.imbalanced import Array, BoolArray, ImbalancedSet
from symmetrics.papers.resampling import COSTS, INNER_FOLDS, TREATMENTS, linear_learners, resampling_study
from symmetrics.tools.errors import InputError

CLASSIFIERS: Final = ("SVM", "LR")
CRITERIA: Final = ("AUC", "B42", "H")
"""By what hyperparameters are chosen: everything is reported by the first, and summed up by the others as well."""
TREATED: Final[Mapping[str, str]] = {
    "original": "original",
    "RUS-balance": "balanced",
    "weighting": "weighting",
    "RUS-ratio": "undersampling",
    "threshold": "threshold",
}
"""The paper's treatments, that which it proposes, RUS-ratio, and the threshold, by their names among all."""


PRINTED: Final = ("original", "RUS-balance", "weighting")
"""Those of the paper's table V."""


def _implied(positive: BoolArray, score: Array) -> Any:
    implied = auc_cost_weights(positive, score)
    return [implied.cost, implied.weight]


MEASURES: Final[Mapping[str, str | Callable[[BoolArray, Array], Any]]] = {
    "B42": b42,
    "AUC": auc,
    "H": h_measure,
    "B62": lambda positive, score: h_measure(positive, score, a=6, b=2),
    "B82": lambda positive, score: h_measure(positive, score, a=8, b=2),
    "TPr": "tpr",
    "TNr": "tnr",
    "B42 at threshold": "B42 at threshold",
    "implied": _implied,
}
"""What is measured on every fold; "implied" are the costs that AUC averages over, and their weights."""
Record = dict[str, list[Any]]
"""A list with an entry per fold for everything that is recorded."""


def compare_classifiers(data: ImbalancedSet) -> dict[str, dict[str, Record]]:
    """Return what cross-validation finds for each of the two classifiers on the same folds, by criterion."""
    return _records(data, "learner", dict.fromkeys(CLASSIFIERS), ["original"], COSTS, INNER_FOLDS)


def compare_treatments(
    data: ImbalancedSet,
    costs: Sequence[float] | None = None,
    inner_folds: int | None = None,
    treated: Iterable[str] = tuple(TREATED),
) -> dict[str, dict[str, Record]]:
    """Return what cross-validation finds for logistic regression by criterion and treatment.

    :param costs: the values of C that are tried
    :param treated: the treatments
    """
    return _records(data, "treatment", ["LR"], treated, costs or COSTS, inner_folds or INNER_FOLDS)


def _records(
    data: ImbalancedSet,
    kind: str,
    classifiers: Iterable[str],
    treated: Iterable[str],
    costs: Sequence[float],
    inner_folds: int,
) -> dict[str, dict[str, Record]]:
    """Return what is recorded on every fold, by criterion and then by classifier or treatment."""
    learners = linear_learners(costs)
    study = resampling_study(
        data.features,
        data.positive,
        learners={name: learners[name] for name in classifiers},
        treatments={name: TREATMENTS[TREATED[name]] for name in treated},
        criteria=CRITERIA,
        metrics=MEASURES,
        pos_label=True,
        inner_folds=inner_folds,
        progress=False,
    )
    found: dict[str, dict[str, Record]] = {criterion: {} for criterion in CRITERIA}
    for row in study.rows:
        record = found[row["criterion"]].setdefault(row[kind], {})
        for key, value in {**row["values"], **{key: row[key] for key in ("converged", "training")}}.items():
            record.setdefault(key, []).append(value)
    return found


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
