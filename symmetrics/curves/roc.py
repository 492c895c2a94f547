"""The ROC curve: true against false positive rates as the threshold on a score falls."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.curves.examples import Examples, Ranking, checked_prior, last_of_ties, rank, read_examples
from symmetrics.data.counts import FloatArray, shown
from symmetrics.data.encoding import is_hashable
from symmetrics.tools.arguments import Missing, advising
from symmetrics.tools.errors import InputError, UnknownNameError

_SAFE_EXPONENT: Final = 500
"""Products of two numbers within 2^-500 and 2^500 neither overflow nor underflow."""


@dataclass(frozen=True, eq=False)
class RocCurve:
    """A ROC curve: cumulative counts of true and false positives at decreasing thresholds, from (0, 0) to all examples.

    ``fpr, tpr, thresholds = curve`` unpacks it as scikit-learn's function returns it.

    :param tp: at each threshold, the (weighted) number of positive examples whose score reaches it
    :param fp: the number of false positives
    :param thresholds: falling; infinity first, which no score reaches

    >>> curve = roc_curve([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.35])
    >>> curve.tp.tolist(), curve.fp.tolist(), curve.positives, curve.negatives
    ([0.0, 1.0, 2.0, 2.0], [0.0, 0.0, 1.0, 2.0], 2.0, 2.0)
    """

    tp: FloatArray
    fp: FloatArray
    thresholds: FloatArray

    def __post_init__(self) -> None:
        for name in ("tp", "fp", "thresholds"):
            try:
                values = np.asarray(getattr(self, name), dtype=np.float64)
            except (OverflowError, TypeError, ValueError):
                raise InputError(
                    f"{name}={shown(getattr(self, name))} is not an array of numbers; roc_curve(y_true, y_score) "
                    "makes a curve"
                ) from None
            object.__setattr__(self, name, _read_only(values))

    def __len__(self) -> int:
        return self.tp.size

    def __iter__(self) -> Iterator[FloatArray]:
        return iter((self.fpr, self.tpr, self.thresholds))

    @property
    def positives(self) -> float:
        """The (weighted) number of positive examples."""
        return float(self.tp[-1])

    @property
    def negatives(self) -> float:
        """The (weighted) number of negative examples."""
        return float(self.fp[-1])

    @cached_property
    def tpr(self) -> FloatArray:
        """The true positive rate at each threshold, TP/(TP + FN), from 0 to 1."""
        return _read_only(self.tp / self.tp[-1])

    @cached_property
    def fpr(self) -> FloatArray:
        """The false positive rate at each threshold, FP/(FP + TN), from 0 to 1."""
        return _read_only(self.fp / self.fp[-1])

    @property
    def fn(self) -> FloatArray:
        """The (weighted) number of false negatives at each threshold."""
        return np.asarray(self.tp[-1] - self.tp)

    @property
    def tn(self) -> FloatArray:
        """The (weighted) number of true negatives at each threshold."""
        return np.asarray(self.fp[-1] - self.fp)


# The dataclass generates __init__, so it is decorated here.
RocCurve.__init__ = advising("roc_curve(y_true, y_score) makes a curve")(RocCurve.__init__)  # type: ignore[method-assign]


@advising()
def roc_curve(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    pos_label: Hashable = 1,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
    method: str = "ties",
) -> RocCurve:
    """Return the ROC curve of scores; higher scores indicate the positive class.

    An example is predicted positive at a threshold if its score reaches it.

    :param y_true: the labels, of two values
    :param y_score: a finite real number per example, read as float64, which has to keep different ones apart
    :param pos_label: the label of the positive class
    :param sample_weight: a non-negative weight per example, 1 by default; an example of weight 0 is as one left out
    :param missing: treatment of examples without a label: ``"refuse"`` them, ``"drop"`` them, or ``"keep"`` texts
        that stand for a missing label, such as ``"NA"``, as labels
    :param method: ``"ties"`` for one point per distinct score, as thresholds can separate them (Fawcett 2006,
        algorithm 2); ``"records"`` for one point per example, the procedure of Tan, Steinbach & Kumar (2006, section
        5.7.2), which ranks tied examples as well: those of one score in the order in which they are given, the last of
        them highest, so that on the curve, from (0, 0) upwards, the last comes first
    :raises InputError: on labels that are missing or not of two classes, on scores that are missing, infinite, no
        numbers or merged by float64, on inputs of different lengths, and on weights that are negative, not finite or
        all 0 in a class
    :raises UnknownNameError: on an unknown method

    >>> fpr, tpr, thresholds = roc_curve(["-", "+", "+", "-"], [0.1, 0.4, 0.35, 0.35], pos_label="+")
    >>> fpr.tolist(), tpr.tolist(), thresholds.tolist()
    ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0], [inf, 0.4, 0.35, 0.1])
    >>> roc_curve([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.35], method="records").tpr.tolist()
    [0.0, 0.5, 0.5, 1.0, 1.0]
    """
    if not is_hashable(method) or method not in METHODS:
        raise UnknownNameError("method of a ROC curve", str(method), METHODS)
    return METHODS[method](read_examples(y_true, y_score, pos_label, sample_weight, missing=missing))


def curve_of(examples: Examples) -> RocCurve:
    """Return the ROC curve of examples, one point per distinct score."""
    ranking = rank(examples)
    falling = _falling(ranking)
    last = last_of_ties(falling.score)
    return _swept(falling, slice(None) if bool(last.all()) else np.flatnonzero(last))


def _curve_by_records(examples: Examples) -> RocCurve:
    return _swept(_falling(rank(examples, stable=True)), slice(None))


METHODS: Final[dict[str, Callable[[Examples], RocCurve]]] = {"ties": curve_of, "records": _curve_by_records}
"""Ways to build a ROC curve from examples, by name."""


def checked_curve(curve: object) -> RocCurve:
    """Return a curve after validating its type.

    :raises InputError: on what is none, such as the rates alone
    """
    if not isinstance(curve, RocCurve):
        raise InputError(f"curve={shown(curve)} is no RocCurve; pass what roc_curve(y_true, y_score) returns")
    return curve


def scaled(counts: FloatArray, total: float | None = None) -> FloatArray:
    """Scale the counts of a curve by a power of two, so that products of two of them neither overflow nor underflow.

    The factor keeps every digit, so that what is decided by such products is decided for the counts.

    :param total: of the counts; by default the last of them, which is that of counts that add up
    """
    _, exponent = np.frexp(counts[-1] if total is None else total)
    return counts if abs(exponent) < _SAFE_EXPONENT else np.asarray(np.ldexp(counts, -exponent))


def _falling(ranking: Ranking) -> Ranking:
    """Reverse a ranking: from the highest score to the lowest."""
    score, positive, weight = ranking
    return Ranking(score[::-1], positive[::-1], None if weight is None else weight[::-1])


def _swept(falling: Ranking, places: slice | NDArray[np.intp]) -> RocCurve:
    """Return the curve of cumulative counts at given indices."""
    score, positive, weight = falling
    if weight is None:
        tp = np.cumsum(positive, dtype=np.float64)[places]
        fp = np.arange(1.0, positive.size + 1)[places] - tp
    else:  # separate sums, so that one class's weights cannot round the other's counts
        tp = np.cumsum(np.where(positive, weight, 0.0))[places]
        fp = np.cumsum(np.where(positive, 0.0, weight))[places]
    return RocCurve(_preceded(tp, 0.0), _preceded(fp, 0.0), _preceded(score[places], np.inf))


def _read_only(values: FloatArray) -> FloatArray:
    view = values.view()
    view.flags.writeable = False
    return view


def _preceded(values: FloatArray, first: float) -> FloatArray:
    return np.concatenate(([first], values))


# ----------------------------------------------------------------------------------------------------------------------
# Curves that depend on the prior: precision-recall and the fraction predicted positive.


@dataclass(frozen=True, eq=False)
class PrecisionRecallCurve:
    """Precision and recall at decreasing thresholds; ``precision, recall, thresholds = curve`` unpacks it.

    :param precision: TP/(TP + FP), the purity of what is predicted positive
    :param recall: TP/(TP + FN), not falling
    :param thresholds: the scores, from the highest down
    :param prior: the share of the positive class that the precision holds for
    """

    precision: FloatArray
    recall: FloatArray
    thresholds: FloatArray
    prior: float

    def __len__(self) -> int:
        return self.recall.size

    def __iter__(self) -> Iterator[FloatArray]:
        return iter((self.precision, self.recall, self.thresholds))


@dataclass(frozen=True, eq=False)
class PositiveFractionCurve:
    """Fraction predicted positive against the true positive rate, at decreasing thresholds.

    ``posfrac, tpr, thresholds = curve`` unpacks it.

    :param posfrac: (TP + FP)/n, from 0 to 1
    :param tpr: TP/(TP + FN), from 0 to 1
    :param thresholds: infinity, then the scores, from the highest down
    :param prior: the share of the positive class that *posfrac* holds for
    """

    posfrac: FloatArray
    tpr: FloatArray
    thresholds: FloatArray
    prior: float

    def __len__(self) -> int:
        return self.tpr.size

    def __iter__(self) -> Iterator[FloatArray]:
        return iter((self.posfrac, self.tpr, self.thresholds))


@advising()
def precision_recall_curve(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    prior: float | None = None,
    pos_label: Hashable = 1,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
) -> PrecisionRecallCurve:
    """Return precision and recall at every distinct score, in decreasing order.

    Where nothing is predicted positive there is no precision, and no point of this curve.  Of positive examples alone
    precision is 1 throughout.

    :param prior: the share of the positive class, by default that among the examples; with another, precision is
        prior TPr/(prior TPr + (1 - prior) FPr) (Landgrebe et al. 2005, equation 6)
    :raises InputError: unless 0 < prior < 1, and as :func:`symmetrics.curves.roc_curve`

    >>> precision, recall, thresholds = precision_recall_curve([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.35])
    >>> precision.tolist(), recall.tolist(), thresholds.tolist()
    ([1.0, 0.6666666666666666, 0.5], [0.5, 1.0, 1.0], [0.4, 0.35, 0.1])
    """
    examples = read_examples(y_true, y_score, pos_label, sample_weight, missing=missing, negatives=prior is not None)
    return precision_recall(curve_of(examples), prior)


@advising()
def posfrac(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    prior: float | None = None,
    pos_label: Hashable = 1,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
) -> PositiveFractionCurve:
    """Return the fraction predicted positive and the true positive rate at every distinct score, in decreasing order.

    Of positive examples alone the two are the same.

    :param prior: the share of the positive class, by default that among the examples; with another, the fraction is
        prior TPr + (1 - prior) FPr (Landgrebe et al. 2005, equations 1, 2 and 5)
    :raises InputError: unless 0 < prior < 1, and as :func:`symmetrics.curves.roc_curve`

    >>> posfrac([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.35]).posfrac.tolist()
    [0.0, 0.25, 0.75, 1.0]
    >>> posfrac([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.35], prior=0.125).posfrac.tolist()
    [0.0, 0.0625, 0.5625, 1.0]
    """
    examples = read_examples(y_true, y_score, pos_label, sample_weight, missing=missing, negatives=prior is not None)
    return positive_fraction(curve_of(examples), prior)


@advising()
def precision_recall(curve: RocCurve, prior: float | None = None) -> PrecisionRecallCurve:
    """Return precision and recall at the thresholds of a ROC curve, as :func:`precision_recall_curve` does.

    :raises InputError: unless 0 < prior < 1
    """
    if prior is None:
        true, false = checked_curve(curve).tp, curve.fp
    else:
        checked = checked_prior(prior)
        true, false = checked * checked_curve(curve).tpr, (1 - checked) * curve.fpr
    predicted = true + false
    some = predicted > 0
    return PrecisionRecallCurve(
        true[some] / predicted[some], curve.tpr[some], curve.thresholds[some], _of(curve, prior)
    )


@advising()
def positive_fraction(curve: RocCurve, prior: float | None = None) -> PositiveFractionCurve:
    """Return the fraction predicted positive at the thresholds of a ROC curve, as :func:`posfrac` does.

    :raises InputError: unless 0 < prior < 1
    """
    if prior is None:
        predicted = checked_curve(curve).tp + curve.fp
        fraction = predicted / predicted[-1]
    else:
        checked = checked_prior(prior)
        fraction = checked * checked_curve(curve).tpr + (1 - checked) * curve.fpr
    return PositiveFractionCurve(fraction, curve.tpr, curve.thresholds, _of(curve, prior))


def _of(curve: RocCurve, prior: float | None) -> float:
    return curve.positives / (curve.positives + curve.negatives) if prior is None else float(prior)
