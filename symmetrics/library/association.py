"""Association of prediction and class: correlations, skill scores and the interest of a rule."""

from __future__ import annotations

from typing import Final

from sympy import Interval, Rational, sqrt

from symmetrics.cells import FN, FP, ON, OP, TN, TP, N, P, n
from symmetrics.definition import Citation
from symmetrics.library.shared import CROSS_DIFFERENCE, FPR, NON_NEGATIVE, NPV, PPV, SIGNED_UNIT, TNR, TPR, UNIT
from symmetrics.metric import Metric

__all__ = ["RECORDS"]

RECORDS: Final[tuple[Metric, ...]] = (
    Metric(
        "informedness",
        TPR + TNR - 1,
        title="Informedness",
        aliases=(
            "bookmaker_informedness",
            "youden_j",
            "youden_index",
            "peirce_skill_score",
            "true_skill_statistic",
            "hanssen_kuipers_discriminant",
            "delta_p_prime",
        ),
        range=SIGNED_UNIT,
        cites=(Citation("youden1950", "index J"), Citation("powers2011", "informedness")),
    ),
    Metric(
        "markedness",
        PPV + NPV - 1,
        title="Markedness",
        aliases=("delta_p", "clayton_skill_score"),
        range=SIGNED_UNIT,
        cites=(Citation("powers2011", "markedness"),),
    ),
    Metric(
        "mcc",
        CROSS_DIFFERENCE / sqrt(P * OP * N * ON),
        title="Matthews correlation coefficient",
        aliases=("matthews_correlation_coefficient", "phi", "phi_coefficient"),
        range=SIGNED_UNIT,
        cites=(
            Citation("matthews1975", "correlation coefficient C"),
            Citation("branco2017", "table 1, MCC at C = 2"),
            Citation("tan2004", "phi-coefficient"),
        ),
    ),
    Metric(
        "yule_q",
        CROSS_DIFFERENCE / (TP * TN + FN * FP),
        title="Yule's Q",
        aliases=("odds_ratio_skill_score",),
        range=SIGNED_UNIT,
        cites=(Citation("yule1900", "coefficient of association Q"), Citation("tan2004", "Yule's Q")),
    ),
    Metric(
        "yule_y",
        (sqrt(TP * TN) - sqrt(FN * FP)) / (sqrt(TP * TN) + sqrt(FN * FP)),
        title="Yule's Y",
        aliases=("coefficient_of_colligation",),
        range=SIGNED_UNIT,
        cites=(Citation("yule1912", "coefficient of colligation"), Citation("tan2004", "Yule's Y")),
    ),
    Metric(
        "lift",
        TP * n / (P * OP),
        title="Lift",
        aliases=("interest", "interest_factor"),
        range=NON_NEGATIVE,
        cites=(Citation("tan2004", "interest I"),),
    ),
    Metric(
        "leverage",
        TP / n - P * OP / n**2,
        title="Leverage",
        aliases=("piatetsky_shapiro", "rule_interest"),
        range=Interval(-Rational(1, 4), Rational(1, 4)),
        cites=(
            Citation("piatetskyshapiro1991", "rule-interest function, per example"),
            Citation("tan2004", "Piatetsky-Shapiro's PS"),
        ),
    ),
    Metric(
        "conviction",
        OP * N / (n * FP),
        title="Conviction",
        range=NON_NEGATIVE,
        cites=(Citation("brin1997", "definition of conviction"),),
    ),
    Metric(
        "laplace",
        (TP + 1) / (OP + 2),
        title="Laplace-corrected precision",
        range=UNIT,
        cites=(Citation("clark1991", "Laplace error estimate, two classes"),),
    ),
    Metric(
        "prevalence_threshold",
        sqrt(FPR) / (sqrt(TPR) + sqrt(FPR)),
        title="Prevalence threshold",
        range=UNIT,
        greater_is_better=False,
        cites=(Citation("balayla2020", "prevalence threshold phi_e"),),
    ),
)
