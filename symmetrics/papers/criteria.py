"""What experiments measure: metrics of predicted labels by their counts, and functions of scores such as B42."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.curves import auc, b42, h_from_rates, h_measure
from symmetrics.data.counts import FloatArray, shown
from symmetrics.library.selections import as_metric
from symmetrics.tools.errors import InputError

Truth = NDArray[np.bool_]


@dataclass(frozen=True)
class Criterion:
    """One way to measure a classifier.

    :param name: what tables call it
    :param of_scores: its value from which examples are positive and their scores; None if it needs predicted labels
    :param of_counts: its values from arrays TP, FN, FP, TN; None if labels are not enough
    :param greater_is_better: None where neither end is better, so that nothing can be chosen by it
    """

    name: str
    of_scores: Callable[[Any, Any], Any] | None = None
    of_counts: Callable[..., Any] | None = None
    greater_is_better: bool | None = True

    def value(self, positive: Truth, score: FloatArray, threshold: float) -> Any:
        """Return the value on examples; those whose score is above the threshold are predicted positive.

        :returns: a float, or a list where a function of scores has several numbers
        """
        if self.of_scores is not None:
            return _listed(self.of_scores(positive, score))
        return float(self.at_thresholds(*counts_above(positive, score, np.array([threshold])))[0])

    def at_thresholds(self, tp: FloatArray, fn: FloatArray, fp: FloatArray, tn: FloatArray) -> FloatArray:
        """Return the value of predicted labels at every threshold; of a function of scores, that of 0 and 1 as scores.

        :raises InputError: on a function of scores whose value at one operating point is not known
        """
        if self.of_counts is None:
            raise InputError(
                f"{self.name} is a function of scores, by which no threshold can be set; take a metric of labels, or "
                f"one of {', '.join(SCORES)}"
            )
        return np.asarray(self.of_counts(tp, fn, fp, tn), dtype=np.float64)

    def gain(self, values: FloatArray) -> FloatArray:
        """Return values so that the largest is the best; undefined ones are the worst."""
        return np.where(np.isnan(values), -np.inf, values if self.greater_is_better else -values)


def _listed(value: Any) -> Any:
    return [_listed(one) for one in value] if isinstance(value, list | np.ndarray) else float(value)


def counts_above(
    positive: Truth, score: FloatArray, thresholds: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return TP, FN, FP, TN at each threshold: positive is predicted where the score is above it.

    >>> [counts.item() for counts in counts_above(np.array([True, False, True]), np.array([3, 2, 1]), np.array([1]))]
    [1.0, 1.0, 1.0, 0.0]
    """
    found = []
    for scores in (score[positive], score[~positive]):
        below = np.searchsorted(np.sort(scores), thresholds, side="right").astype(np.float64)
        found.append((scores.size - below, below))
    return (*found[0], *found[1])


def _h_of_counts(tp: Any, fn: Any, fp: Any, tn: Any, *, a: float = 2, b: float = 2) -> Any:
    return h_from_rates(tp / (tp + fn), fp / (fp + tn), (tp + fn) / (tp + fn + fp + tn), a=a, b=b)


def _area_of_counts(tp: Any, fn: Any, fp: Any, tn: Any) -> Any:
    return (tp / (tp + fn) + tn / (fp + tn)) / 2


_B42_OF_COUNTS: Final = partial(_h_of_counts, a=4, b=2)
SCORES: Final[Mapping[str, Criterion]] = {
    "AUC": Criterion("AUC", auc, _area_of_counts),
    "B42": Criterion("B42", b42, _B42_OF_COUNTS),
    "H": Criterion("H", h_measure, _h_of_counts),
    "B42 at threshold": Criterion("B42 at threshold", None, _B42_OF_COUNTS),
    "H at threshold": Criterion("H at threshold", None, _h_of_counts),
}
"""Areas by name: of all thresholds of the scores, and of the one operating point that predicted labels have."""


def as_criteria(chosen: object, name: str) -> list[Criterion]:
    """Return criteria for a list of them, or a mapping that names them.

    Each is a metric, an expression over the cells, a name of the library, the text of a formula, one of
    :data:`SCORES`, or a function of true labels (1 for positive) and scores.

    :param name: what errors call the list
    :raises InputError: if there is none, on two of one name, and on what is none of these

    >>> [one.name for one in as_criteria(["Recall", "TP/(TP + 2*FN)", "B42"], "metrics")]
    ['tpr', 'TP/(TP + 2*FN)', 'B42']
    >>> [one.name for one in as_criteria({"mine": "TP/(TP + 2*FN)", "area": auc}, "metrics")]
    ['mine', 'area']
    """
    if isinstance(chosen, str) or not isinstance(chosen, Iterable):
        raise InputError(f"{name}={shown(chosen)} is no list of metrics; pass one, as in ['f1', 'mcc']")
    pairs = chosen.items() if isinstance(chosen, Mapping) else ((None, one) for one in chosen)
    found = [_criterion(one, called) for called, one in pairs]
    names = [one.name for one in found]
    if not found or len(set(names)) < len(names):
        twice = next((one for one in names if names.count(one) > 1), None)
        raise InputError(f"{name} {'is empty' if twice is None else f'has {twice} twice'}; name each metric once")
    return found


def _criterion(one: Any, called: object) -> Criterion:
    if isinstance(one, str) and one in SCORES:
        known = SCORES[one]
    elif callable(one) and not hasattr(one, "expr") and not hasattr(one, "definition"):
        same = [known for known in SCORES.values() if known.of_scores is one]
        known = same[0] if same else Criterion(getattr(one, "__name__", type(one).__name__), one)
    else:
        metric = as_metric(one)
        known = Criterion(metric.name, None, metric.from_counts, metric.greater_is_better)
    return known if called is None else replace(known, name=str(called))
