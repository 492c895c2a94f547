"""Operating characteristics that depend on how frequent the positive class is: precision, and the positive fraction."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass

from numpy.typing import ArrayLike

from symmetrics.curves.examples import checked_prior, read_examples
from symmetrics.curves.roc import RocCurve, checked_curve, curve_of
from symmetrics.numeric.counts import FloatArray
from symmetrics.tools.missing import Missing
from symmetrics.tools.settings import advising


@dataclass(frozen=True, eq=False)
class PrecisionRecallCurve:
    """Precision against recall at falling thresholds; ``precision, recall, thresholds = curve`` unpacks it.

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
    """The share of examples that are predicted positive, against the true positive rate, at falling thresholds.

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
    """Return precision and recall at every distinct score, from the highest down.

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
    """Return the fraction predicted positive and the true positive rate at every distinct score, from the highest down.

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
