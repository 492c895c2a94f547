"""Forecast verification for rare events: scores in logarithms that do not degenerate as the event gets rarer."""

from __future__ import annotations

from typing import Final

from sympy import log, pi, sqrt

from symmetrics.language.cells import FN, FNR, FP, FPR, OP, TN, TNR, TP, TPR, P, n
from symmetrics.language.definition import Citation
from symmetrics.library.shared import REALS, SIGNED_UNIT, ln
from symmetrics.metric import Metric

RECORDS: Final[tuple[Metric, ...]] = (
    Metric(
        "extreme_dependency_score",
        (ln(P / n) - ln(TPR)) / (ln(P / n) + ln(TPR)),
        title="Extreme dependency score",
        aliases=("eds",),
        range=SIGNED_UNIT,
        cites=(Citation("stephenson2008", "definition of EDS"),),
    ),
    Metric(
        "symmetric_extreme_dependency_score",
        (ln(OP / n) - ln(TPR)) / (ln(P / n) + ln(TPR)),
        title="Symmetric extreme dependency score",
        aliases=(
            "seds",
            "normalized_pointwise_mutual_information",
        ),
        range=SIGNED_UNIT,
        cites=(
            Citation("hogan2009", "definition of SEDS"),
            Citation("bouma2009", "normalized pointwise mutual information"),
        ),
    ),
    Metric(
        "symmetric_extremal_dependence_index",
        (ln(FPR) - ln(TPR) - ln(TNR) + ln(FNR)) / (ln(FPR) + ln(TPR) + ln(TNR) + ln(FNR)),
        title="Symmetric extremal dependence index",
        aliases=("sedi",),
        range=SIGNED_UNIT,
        cites=(Citation("ferro2011", "symmetric extremal dependence index"),),
    ),
    Metric(
        "log_odds_ratio",
        ln(TP * TN / (FN * FP)),
        title="Logarithm of the odds ratio",
        range=REALS,
        cites=(Citation("stephenson2000", "log of the odds ratio"),),
    ),
    Metric(
        "discriminant_power_decimal",
        sqrt(3) / pi * (ln(TPR / FNR) + ln(TNR / FPR)) / log(10),
        title="Discriminant power in decimal logarithms",
        range=REALS,
        cites=(Citation("haghighi2018", "DP"),),
    ),
)
