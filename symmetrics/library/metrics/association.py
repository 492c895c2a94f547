"""Association of prediction and class: correlations, skill scores, and measures of association rules."""

from __future__ import annotations

from typing import Final

from sympy import Abs, Interval, Rational, log, sqrt

from symmetrics.language.cells import FN, FP, FPR, NPV, ON, OP, PPV, TN, TNR, TP, TPR, N, P, n
from symmetrics.language.definition import Citation
from symmetrics.library.shared import CROSS_DIFFERENCE, NON_NEGATIVE, REALS, SIGNED_UNIT, UNIT, larger, ln
from symmetrics.metric import Metric

_ALL_MARGINS: Final = P * OP * N * ON
_DIAGONAL: Final = (TP * TN) ** Rational(3, 4)
_OFF_DIAGONAL: Final = (FN * FP) ** Rational(3, 4)

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
            "gini_coefficient",
            "adjusted_balanced_accuracy",
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
        CROSS_DIFFERENCE / sqrt(_ALL_MARGINS),
        title="Matthews correlation coefficient",
        aliases=(
            "matthews_correlation_coefficient",
            "phi",
            "phi_coefficient",
            "pearson_heron_1",
            "kendall_tau_b",
            "matthews_corrcoef",
        ),
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
        aliases=("odds_ratio_skill_score", "goodman_kruskal_gamma"),
        range=SIGNED_UNIT,
        cites=(Citation("yule1900", "coefficient of association Q"), Citation("tan2004", "Yule's Q")),
    ),
    Metric(
        "yule_y",
        (sqrt(TP * TN) - sqrt(FN * FP)) / (sqrt(TP * TN) + sqrt(FN * FP)),
        title="Yule's Y",
        aliases=("coefficient_of_colligation", "yule_w"),
        range=SIGNED_UNIT,
        cites=(Citation("yule1912", "coefficient of colligation"), Citation("tan2004", "Yule's Y")),
    ),
    Metric(
        "lift",
        TP * n / (P * OP),
        title="Lift",
        aliases=("interest", "interest_factor", "lift_score", "forbes_1"),
        range=NON_NEGATIVE,
        cites=(Citation("tan2004", "interest I"),),
    ),
    Metric(
        "leverage",
        TP / n - P * OP / n**2,
        title="Leverage",
        aliases=("piatetsky_shapiro", "rule_interest", "weighted_relative_accuracy", "dispersion"),
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
    Metric(
        "michael",
        4 * CROSS_DIFFERENCE / ((TP + TN) ** 2 + (FN + FP) ** 2),
        title="Michael's coefficient of association",
        aliases=("mcewen_michael",),
        range=SIGNED_UNIT,
        cites=(
            Citation("michael1920", "coefficient of association"),
            Citation("choi2010", "Michael"),
        ),
    ),
    Metric(
        "digby",
        (_DIAGONAL - _OFF_DIAGONAL) / (_DIAGONAL + _OFF_DIAGONAL),
        title="Digby's approximation of the tetrachoric correlation",
        range=SIGNED_UNIT,
        cites=(
            Citation("digby1983", "coefficient H"),
            Citation("haghighi2018", "Digby"),
        ),
    ),
    Metric(
        "chi_square",
        n * CROSS_DIFFERENCE**2 / _ALL_MARGINS,
        title="Pearson's chi-square of independence",
        aliases=("pearson_1",),
        range=NON_NEGATIVE,
        greater_is_better=None,
        cites=(Citation("choi2010", "Pearson-I"),),
    ),
    Metric(
        # The continuity correction is at most |observed - expected|, as in SciPy and R: up to n/2 nothing remains.
        "yates_chi_square",
        n * larger(Abs(CROSS_DIFFERENCE) - n / 2, 0) ** 2 / _ALL_MARGINS,
        title="Chi-square with Yates's correction for continuity",
        range=NON_NEGATIVE,
        greater_is_better=None,
        cites=(Citation("yates1934", "correction for continuity"),),
    ),
    Metric(
        # As printed: where the difference is below n/2, and the corrected chi-square 0, its square rises again.
        "stiles",
        ln(n * (Abs(CROSS_DIFFERENCE) - n / 2) ** 2 / _ALL_MARGINS) / log(10),
        title="Stiles's association factor",
        range=REALS,
        greater_is_better=None,
        cites=(
            Citation("stiles1961", "association factor"),
            Citation("choi2010", "Stiles"),
        ),
    ),
    Metric(
        "mean_square_contingency",
        CROSS_DIFFERENCE**2 / _ALL_MARGINS,
        title="Mean square contingency",
        aliases=(
            "doolittle",
            "phi_squared",
            "goodman_kruskal_tau",
        ),
        range=UNIT,
        greater_is_better=None,
        cites=(
            Citation("pearson1904", "mean square contingency"),
            Citation("doolittle1884", "association ratio"),
            Citation("haghighi2018", "Doolittle"),
        ),
    ),
    Metric(
        "contingency_coefficient",
        Abs(CROSS_DIFFERENCE) / sqrt(CROSS_DIFFERENCE**2 + _ALL_MARGINS),
        title="Pearson's coefficient of contingency",
        aliases=("pearson_2",),
        range=Interval(0, sqrt(2) / 2),
        greater_is_better=None,
        cites=(
            Citation("pearson1904", "first coefficient of contingency"),
            Citation("choi2010", "Pearson-II"),
        ),
    ),
    Metric(
        "cole_contingency",
        sqrt(2) * CROSS_DIFFERENCE / sqrt(CROSS_DIFFERENCE**2 + _ALL_MARGINS),
        title="Signed coefficient of contingency, scaled to one",
        range=SIGNED_UNIT,
        cites=(Citation("cole1949", "coefficient from the mean square contingency"),),
    ),
    Metric(
        "cramer_v",
        Abs(CROSS_DIFFERENCE) / sqrt(_ALL_MARGINS),
        title="Cramér's V",
        aliases=(
            "tschuprow_t",
            "cohen_w",
        ),
        range=UNIT,
        greater_is_better=None,
        cites=(Citation("cramer1946", "measure of the degree of dependence"),),
    ),
    Metric(
        "fleiss_association",
        (TPR + TNR + PPV + NPV) / 2 - 1,
        title="Mean of informedness and markedness",
        range=SIGNED_UNIT,
        cites=(Citation("fleiss1975", "M(A_1)"),),
    ),
    Metric(
        "normalized_mcc",
        (1 + CROSS_DIFFERENCE / sqrt(_ALL_MARGINS)) / 2,
        title="Matthews correlation coefficient, scaled to [0, 1]",
        range=UNIT,
        cites=(Citation("chicco2020", "normalized MCC"),),
    ),
)
