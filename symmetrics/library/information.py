"""Metrics with logarithms: entropies of the table, and powers of rare events."""

from __future__ import annotations

from typing import Final

from sympy import E, Expr, Interval, log, oo, pi, sqrt

from symmetrics.cells import FN, FP, ON, OP, TN, TP, N, P, n
from symmetrics.definition import Citation
from symmetrics.library.shared import FNR, FPR, SIGNED_UNIT, TNR, TPR, UNIT
from symmetrics.metric import Metric

__all__ = ["RECORDS"]


def _surprise(share: Expr) -> Expr:
    return -share * log(share)


_CLASS_ENTROPY: Final = _surprise(P / n) + _surprise(N / n)
_REMAINING_ENTROPY: Final = OP / n * (_surprise(TP / OP) + _surprise(FP / OP)) + ON / n * (
    _surprise(FN / ON) + _surprise(TN / ON)
)

RECORDS: Final[tuple[Metric, ...]] = (
    Metric(
        "mutual_information",
        TP / n * log(n * TP / (P * OP))
        + FN / n * log(n * FN / (P * ON))
        + FP / n * log(n * FP / (N * OP))
        + TN / n * log(n * TN / (N * ON)),
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
        range=Interval(0, 2 / (E * log(2))),
        greater_is_better=False,
        cites=(Citation("wei2010", "confusion entropy"), Citation("branco2017", "table 1, CEN at C = 2")),
    ),
    Metric(
        "discriminant_power",
        sqrt(3) / pi * (log(TPR / FNR) + log(TNR / FPR)),
        title="Discriminant power",
        range=Interval(-oo, oo),
        cites=(Citation("sokolova2006", "discriminant power"),),
    ),
    Metric(
        "extremal_dependence_index",
        (log(FPR) - log(TPR)) / (log(FPR) + log(TPR)),
        title="Extremal dependence index",
        aliases=("edi",),
        range=SIGNED_UNIT,
        cites=(Citation("ferro2011", "extremal dependence index"),),
    ),
)
