"""The different values that the authors' published code counts for figure 2, in the arithmetic of R.

The code is at https://github.com/paobranco/Relevance-basedMulticlassImbalanceMetrics (``MetricsImpl.R`` and
``discriminationTests.R``).  It takes values for different as soon as their last bits are: what it counts is rounding
errors too.  Loops there add up 64-bit numbers; R's own ``sum`` and ``mean`` add up the compiler's ``long double``, on
x86 a number of 80 bits, and round once at the end.  An undefined precision is 0 without a relevance, and left out
with one, like here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.matrices.discrimination.states import Sizes, states_of
from symmetrics.numeric.counts import FloatArray
from symmetrics.posets.relevance import Relevance

__all__ = ["LONG_DOUBLE_BITS", "PHI_OF_CODE", "counted_by_code"]

PHI_OF_CODE: Final[Mapping[str, tuple[str, ...]]] = {
    "multi-minority": ("1", "0.8", "0.1"),
    "multi-majority": ("1", "0.2", "0.1"),
    "complete": ("1", "0.9", "0.4", "0.2"),
}
"""The relevances phi in ``discriminationTests.R``; table 4 has others for the first and the last scenario."""
LONG_DOUBLE_BITS: Final = int(np.finfo(np.longdouble).nmant) + 1
"""Binary digits of a ``long double`` on this machine: 64 on x86, where the authors' R ran; elsewhere CBA is counted
otherwise."""
Extended = NDArray[np.longdouble]


def counted_by_code(scenario: str, sizes: Sequence[int], relevances: Mapping[str, Relevance]) -> dict[str, int]:
    """Return how many different values the code finds for each metric, over all confusion matrices.

    :param relevances: by mechanism; those of PREV and phi are the code's own

    >>> from symmetrics.papers.branco2017.experiment import cases
    >>> found = counted_by_code("multi-minority", (2, 4, 15), cases()[0].relevances)
    >>> found["Rec_M"], found["Rec^PO"]
    (139, 144)
    """
    found: dict[str, FloatArray] = {}
    weights = _weights(scenario, sizes, relevances)
    for states in states_of(Sizes.of(sizes)):
        of_matrices = _Matrices(states.correct, sizes, states.predicted)
        for name, values in of_matrices.metrics(weights).items():
            before = found.get(name, np.empty(0))
            found[name] = np.unique(np.concatenate([before, np.unique(values)]))  # all nan are one, as in R
    return {name: len(values) for name, values in found.items()}


def _weights(scenario: str, sizes: Sequence[int], relevances: Mapping[str, Relevance]) -> dict[str, FloatArray]:
    """Return the relevances in 64 bits as they come out in R; those of PREV are shares already."""
    inverse = 1 / np.array(sizes, dtype=np.float64)
    ranks = {name: np.array([float(value) for value in relevances[name].values]) for name in ("PO", "TO")}
    phi = np.array(list(map(float, PHI_OF_CODE[scenario])))
    return {"PREV": inverse / _sum(inverse), **ranks, "phi": phi}


def _sum(terms: FloatArray) -> Any:
    """Return R's ``sum`` over the last axis: added up one by one in extended precision, rounded once."""
    return _added(terms).astype(np.float64)


def _added(terms: FloatArray | Extended) -> Extended:
    total = np.zeros(terms.shape[:-1], dtype=np.longdouble)
    for place in range(terms.shape[-1]):
        total = total + terms[..., place]
    return np.asarray(total)


def _mean(terms: FloatArray) -> FloatArray:
    """Return R's ``mean`` over the last axis: a mean in extended precision, and the mean of what it leaves over."""
    count = np.longdouble(terms.shape[-1])
    first = _added(terms) / count
    return np.asarray((first + _added(terms - first[..., None]) / count).astype(np.float64))


def _loop(terms: FloatArray) -> FloatArray:
    """Return what a loop in R adds up, in 64 bits from left to right."""
    total = np.zeros(terms.shape[:-1])
    for place in range(terms.shape[-1]):
        total = total + terms[..., place]
    return np.asarray(total)


class _Matrices:
    """What the code computes from the diagonals and the sums of rows and columns of matrices, in its order."""

    def __init__(self, correct: NDArray[np.int64], true: Sequence[int], predicted: NDArray[np.int64]) -> None:
        self.correct, self.true = correct.astype(np.float64), np.array(true, dtype=np.float64)
        self.predicted = predicted.astype(np.float64)
        self.called = predicted > 0
        self.divisor = np.where(self.called, self.predicted, 1.0)
        self.overlap = self.correct / np.maximum(self.true, self.predicted)

    def metrics(self, weights: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
        """Return the values of the five metrics, without and with each of the relevances."""
        classes = self.true.size
        recall = _loop(self.correct / self.true) / classes
        precision = _loop(self.correct / self.divisor) / classes  # 0 where nothing is called the class
        f1 = _loop(2 * self.correct / (self.true + self.predicted)) / classes
        found = _by_name(("Rec_M", "Prec_M", "F1_M", "AvF1", "CBA"), recall, precision, f1, _mean(self.overlap))
        for mechanism, weight in weights.items():
            names = tuple(f"{name}^{mechanism}" for name in ("Rec", "Prec", "F1", "AvF1", "CBA"))
            found |= _by_name(names, *self._weighted(weight, 1.0 if mechanism == "PREV" else _sum(weight)))
        return found

    def _weighted(self, weight: FloatArray, total: float) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return the means of recall, precision, F1 and CBA; a total of 1 stands for none to divide by."""
        recall = _loop(weight * self.correct / self.true) / total
        shares = weight / total
        with np.errstate(invalid="ignore"):
            left = shares / _sum(np.where(self.called, shares, 0.0))[..., None]
        precision = _loop(np.where(self.called, left * self.correct / self.divisor, 0.0))
        f1 = _loop(weight * 2 * self.correct / (self.true + self.predicted)) / total
        return recall, precision, f1, _sum(weight * self.overlap) / total


def _by_name(
    names: Sequence[str], recall: FloatArray, precision: FloatArray, f1: FloatArray, cba: FloatArray
) -> dict[str, FloatArray]:
    """Return metrics by their names, with F1 of the means in its place; where both are 0 it is nan, as in R."""
    with np.errstate(invalid="ignore"):
        of_means = 2 * precision * recall / (precision + recall)
    return dict(zip(names, (recall, precision, of_means, f1, cba), strict=True))
