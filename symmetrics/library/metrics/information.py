"""Metrics with logarithms: entropies of the table, and powers of rare events."""

from __future__ import annotations

from typing import Final

from sympy import E, Expr, Interval, log, pi, sqrt

from symmetrics.language.cells import FN, FNR, FP, FPR, ON, OP, TN, TNR, TP, TPR, N, P, n
from symmetrics.language.definition import Citation
from symmetrics.library.shared import ERRORS, REALS, SIGNED_UNIT, UNIT, ln, smaller
from symmetrics.metric import Metric


def _surprise(share: Expr) -> Expr:
    return -share * ln(share)


_CLASS_ENTROPY: Final = _surprise(P / n) + _surprise(N / n)
_REMAINING_ENTROPY: Final = OP / n * (_surprise(TP / OP) + _surprise(FP / OP)) + ON / n * (
    _surprise(FN / ON) + _surprise(TN / ON)
)
_PREDICTION_ENTROPY: Final = _surprise(OP / n) + _surprise(ON / n)
_MUTUAL_INFORMATION: Final = (
    TP / n * ln(n * TP / (P * OP))
    + FN / n * ln(n * FN / (P * ON))
    + FP / n * ln(n * FP / (N * OP))
    + TN / n * ln(n * TN / (N * ON))
)
_MODIFIED_POSITIVE: Final = _surprise(FN / (TP + ERRORS)) + _surprise(FP / (TP + ERRORS))
_MODIFIED_NEGATIVE: Final = _surprise(FN / (TN + ERRORS)) + _surprise(FP / (TN + ERRORS))
_CONFUSION_ENTROPY_RANGE: Final = Interval(0, 2 / (E * log(2)))

RECORDS: Final[tuple[Metric, ...]] = (
    Metric(
        "mutual_information",
        _MUTUAL_INFORMATION,
        title="Mutual information of class and prediction, in nats",
        range=Interval(0, log(2)),
        greater_is_better=None,
        cites=(Citation("shannon1948", "rate of transmission"), Citation("tan2004", "mutual information")),
    ),
    Metric(
        "relative_classifier_information",
        (_CLASS_ENTROPY - _REMAINING_ENTROPY) / _CLASS_ENTROPY,
        title="Relative classifier information",
        aliases=("rci", "uncertainty_coefficient"),
        range=UNIT,
        cites=(
            Citation("sindhwani2001", "relative classifier information"),
            Citation("branco2017", "table 1, RCI at C = 2, with probabilities over N"),
        ),
    ),
    Metric(
        "confusion_entropy",
        (
            (P + OP) / n / 2 * (_surprise(FN / (P + OP)) + _surprise(FP / (P + OP)))
            + (N + ON) / n / 2 * (_surprise(FN / (N + ON)) + _surprise(FP / (N + ON)))
        )
        / log(2),
        title="Confusion entropy",
        aliases=("cen",),
        range=_CONFUSION_ENTROPY_RANGE,
        greater_is_better=False,
        cites=(Citation("wei2010", "confusion entropy"), Citation("branco2017", "table 1, CEN at C = 2")),
    ),
    Metric(
        "discriminant_power",
        sqrt(3) / pi * (ln(TPR / FNR) + ln(TNR / FPR)),
        title="Discriminant power",
        range=REALS,
        cites=(Citation("sokolova2006", "discriminant power"),),
    ),
    Metric(
        "extremal_dependence_index",
        (ln(FPR) - ln(TPR)) / (ln(FPR) + ln(TPR)),
        title="Extremal dependence index",
        aliases=("edi",),
        range=SIGNED_UNIT,
        cites=(Citation("ferro2011", "extremal dependence index"),),
    ),
    Metric(
        "normalized_mutual_information",
        2 * _MUTUAL_INFORMATION / (_CLASS_ENTROPY + _PREDICTION_ENTROPY),
        title="Mutual information over the mean of the entropies",
        aliases=(
            "v_measure",
            "symmetric_uncertainty",
        ),
        range=UNIT,
        greater_is_better=None,
        cites=(Citation("rosenberg2007", "V-measure, beta = 1"),),
    ),
    Metric(
        "geometric_normalized_mutual_information",
        _MUTUAL_INFORMATION / (sqrt(_CLASS_ENTROPY) * sqrt(_PREDICTION_ENTROPY)),
        title="Mutual information over the geometric mean of the entropies",
        range=UNIT,
        greater_is_better=None,
        cites=(Citation("strehl2002", "normalized mutual information"),),
    ),
    Metric(
        "minimum_normalized_mutual_information",
        _MUTUAL_INFORMATION / smaller(_CLASS_ENTROPY, _PREDICTION_ENTROPY),
        title="Mutual information over the smaller entropy",
        range=UNIT,
        greater_is_better=None,
        cites=(Citation("tan2002", "mutual information"),),
    ),
    Metric(
        "pointwise_mutual_information",
        ln(n * TP / (P * OP)),
        title="Pointwise mutual information, in nats",
        aliases=(
            "gilbert_wells",
            "log_lift",
        ),
        range=REALS,
        cites=(
            Citation("geng2006", "information gain"),
            Citation("choi2010", "Gilbert&Wells"),
        ),
    ),
    Metric(
        "information_score",
        ln(n * TP / (P * OP)) / log(2),
        title="Information score, in bits",
        range=REALS,
        cites=(Citation("haghighi2018", "IS"),),
    ),
    Metric(
        "class_confusion_entropy",
        (_surprise(FN / (P + OP)) + _surprise(FP / (P + OP))) / log(2),
        title="Confusion entropy of the positive class",
        range=_CONFUSION_ENTROPY_RANGE,
        greater_is_better=False,
        cites=(
            Citation("wei2010", "confusion entropy of one class"),
            Citation("haghighi2018", "CEN at two classes"),
        ),
    ),
    Metric(
        "modified_class_confusion_entropy",
        _MODIFIED_POSITIVE / log(2),
        title="Modified confusion entropy of the positive class",
        range=_CONFUSION_ENTROPY_RANGE,
        greater_is_better=False,
        cites=(
            Citation("delgado2019", "modified confusion entropy of one class"),
            Citation("haghighi2018", "MCEN at two classes"),
        ),
    ),
    Metric(
        "modified_confusion_entropy",
        ((TP + ERRORS) * _MODIFIED_POSITIVE + (TN + ERRORS) * _MODIFIED_NEGATIVE) / (2 * n * log(2)),
        title="Modified confusion entropy",
        aliases=("mcen",),
        range=UNIT,
        greater_is_better=False,
        cites=(
            Citation("delgado2019", "modified confusion entropy, two classes"),
            Citation("haghighi2018", "Overall MCEN"),
        ),
    ),
)
