"""Agreement between label and prediction, corrected for chance agreement."""

from __future__ import annotations

from typing import Final

from sympy import Interval, Rational, sqrt

from symmetrics.language.cells import FN, FP, ON, OP, TN, TP, N, P, n
from symmetrics.language.definition import Citation
from symmetrics.library.shared import (
    ACCURACY,
    CHANCE,
    CROSS_DIFFERENCE,
    ERRORS,
    NON_NEGATIVE,
    SIGNED_UNIT,
    UNIT,
    UP_TO_ONE,
    larger,
    smaller,
)
from symmetrics.metric import Metric

_RANDOM_HITS: Final = P * OP / n
_POOLED_POSITIVE: Final = (P + OP) / n / 2
_POOLED_NEGATIVE: Final = (N + ON) / n / 2
_SCOTT_CHANCE: Final = _POOLED_POSITIVE**2 + _POOLED_NEGATIVE**2
_GWET_CHANCE: Final = 2 * _POOLED_POSITIVE * _POOLED_NEGATIVE
_MODES_WITHIN: Final = larger(TP, FP) + larger(FN, TN) + larger(TP, FN) + larger(FP, TN)
_MODES: Final = larger(P, N) + larger(OP, ON)
# Pairs of examples: same class and same prediction, same class only, same prediction only, neither.
_ALIKE: Final = (TP * (TP - 1) + FN * (FN - 1) + FP * (FP - 1) + TN * (TN - 1)) / 2
_CLASS_ALIKE: Final = TP * FN + FP * TN
_PREDICTION_ALIKE: Final = TP * FP + FN * TN
_UNLIKE: Final = TP * TN + FN * FP

RECORDS: Final[tuple[Metric, ...]] = (
    Metric(
        "kappa",
        (ACCURACY - CHANCE) / (1 - CHANCE),
        title="Cohen's kappa",
        aliases=("cohen_kappa", "heidke_skill_score"),
        range=SIGNED_UNIT,
        cites=(Citation("garcia2012", "section 2, kappa"), Citation("cohen1960", "definition of kappa")),
    ),
    Metric(
        "expected_agreement",
        CHANCE,
        title="Agreement expected by chance",
        aliases=("chance_agreement",),
        range=UNIT,
        greater_is_better=None,
        cites=(Citation("garcia2012", "section 2, P_e"), Citation("cohen1960", "agreement expected by chance")),
    ),
    Metric(
        "scott_pi",
        (ACCURACY - _SCOTT_CHANCE) / (1 - _SCOTT_CHANCE),
        title="Scott's pi",
        aliases=("koppen_1",),
        range=SIGNED_UNIT,
        cites=(Citation("scott1955", "definition of pi"),),
    ),
    Metric(
        "gwet_ac1",
        (ACCURACY - _GWET_CHANCE) / (1 - _GWET_CHANCE),
        title="Gwet's AC1",
        aliases=("ac1",),
        range=SIGNED_UNIT,
        cites=(Citation("gwet2008", "definition of AC1 for two raters"),),
    ),
    Metric(
        "bennett_s",
        2 * ACCURACY - 1,
        title="Bennett, Alpert and Goldstein's S",
        aliases=("pabak", "brennan_prediger", "hamann"),
        range=SIGNED_UNIT,
        cites=(Citation("bennett1954", "definition of S, two categories"),),
    ),
    Metric(
        "gilbert_skill_score",
        (TP - _RANDOM_HITS) / (TP + FN + FP - _RANDOM_HITS),
        title="Gilbert skill score",
        aliases=("equitable_threat_score",),
        range=Interval(-Rational(1, 3), 1),
        cites=(
            Citation("gilbert1884", "ratio of success"),
            Citation("schaefer1990", "Gilbert skill score"),
        ),
    ),
    Metric(
        "collective_strength",
        ACCURACY / CHANCE * (1 - CHANCE) / (1 - ACCURACY),
        title="Collective strength",
        range=NON_NEGATIVE,
        cites=(Citation("aggarwal1998", "collective strength"), Citation("tan2004", "collective strength S")),
    ),
    Metric(
        "goodman_kruskal_lambda",
        (larger(TP, FP) + larger(FN, TN) - larger(P, N)) / (n - larger(P, N)),
        title="Goodman and Kruskal's lambda of the class given the prediction",
        aliases=("guttman_lambda_b",),
        range=UNIT,
        greater_is_better=None,
        cites=(Citation("goodman1954", "asymmetric lambda"),),
    ),
    Metric(
        "goodman_kruskal_lambda_prediction",
        (larger(TP, FN) + larger(FP, TN) - larger(OP, ON)) / (n - larger(OP, ON)),
        title="Goodman and Kruskal's lambda of the prediction given the class",
        aliases=("guttman_lambda_a",),
        range=UNIT,
        greater_is_better=None,
        cites=(
            Citation("goodman1954", "asymmetric lambda"),
            Citation("guttman1941", "lambda A"),
            Citation("haghighi2018", "GuttmanLambdaA"),
        ),
    ),
    Metric(
        "goodman_kruskal_lambda_symmetric",
        (_MODES_WITHIN - _MODES) / (2 * n - _MODES),
        title="Goodman and Kruskal's symmetric lambda",
        range=UNIT,
        greater_is_better=None,
        cites=(
            Citation("goodman1954", "symmetric lambda"),
            Citation("tan2002", "Goodman-Kruskal's lambda"),
            Citation("choi2010", "Goodman&Kruskal"),
        ),
    ),
    Metric(
        "goodman_kruskal_lambda_r",
        (2 * smaller(TP, TN) - ERRORS) / (2 * smaller(TP, TN) + ERRORS),
        title="Goodman and Kruskal's lambda of reliability",
        range=SIGNED_UNIT,
        cites=(
            Citation("goodman1954", "lambda_r, reliability of two polytomies"),
            Citation("warrens2008", "Goodman and Kruskal's lambda"),
        ),
    ),
    Metric(
        "anderberg_d",
        (_MODES_WITHIN - _MODES) / (2 * n),
        title="Anderberg's D",
        range=Interval(0, Rational(1, 2)),
        greater_is_better=None,
        cites=(
            Citation("anderberg1973", "reduction of the error probability"),
            Citation("choi2010", "Anderberg"),
        ),
    ),
    Metric(
        "maxwell_pilliner",
        2 * CROSS_DIFFERENCE / (P * N + OP * ON),
        title="Maxwell and Pilliner's coefficient",
        range=SIGNED_UNIT,
        cites=(Citation("maxwell1968", "coefficient of reliability"),),
    ),
    Metric(
        "kuder_richardson",
        4 * CROSS_DIFFERENCE / (P * N + OP * ON + 2 * CROSS_DIFFERENCE),
        title="Kuder and Richardson's reliability of two items",
        range=UP_TO_ONE,
        cites=(
            Citation("kuder1937", "formula 20 at two items"),
            Citation("haghighi2018", "KuderRichardson"),
        ),
    ),
    Metric(
        "andres_marzo_delta",
        (TP + TN - 2 * sqrt(FN * FP)) / n,
        title="Martín Andrés and Femia Marzo's Delta",
        range=SIGNED_UNIT,
        cites=(
            Citation("martinandres2004", "Delta, two categories"),
            Citation("haghighi2018", "AndresMarzoDelta"),
        ),
    ),
    Metric(
        "krippendorff_alpha",
        1 - (2 * n - 1) * ERRORS / ((P + OP) * (N + ON)),
        title="Krippendorff's alpha of two observers",
        cites=(Citation("krippendorff2004", "alpha, two observers and binary data"),),
    ),
    Metric(
        "random_accuracy",
        P * OP / n**2,
        title="Random accuracy",
        aliases=("racc",),
        range=UNIT,
        greater_is_better=None,
        cites=(Citation("haghighi2018", "RACC"),),
    ),
    Metric(
        "random_accuracy_unbiased",
        _POOLED_POSITIVE**2,
        title="Unbiased random accuracy",
        aliases=("raccu",),
        range=UNIT,
        greater_is_better=None,
        cites=(Citation("haghighi2018", "RACCU"),),
    ),
    Metric(
        "rand_index",
        2 * (_ALIKE + _UNLIKE) / (n * (n - 1)),
        title="Rand index",
        cites=(Citation("rand1971", "index c"),),
    ),
    Metric(
        "adjusted_rand_index",
        2
        * (_ALIKE * _UNLIKE - _CLASS_ALIKE * _PREDICTION_ALIKE)
        / (
            (_ALIKE + _CLASS_ALIKE) * (_CLASS_ALIKE + _UNLIKE)
            + (_ALIKE + _PREDICTION_ALIKE) * (_PREDICTION_ALIKE + _UNLIKE)
        ),
        title="Rand index, corrected for chance",
        aliases=("hubert_arabie",),
        cites=(Citation("hubert1985", "corrected Rand index"),),
    ),
)
