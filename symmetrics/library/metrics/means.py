"""Means of rates: of precision and recall, of the two classes' own scores, and overlaps of the positives."""

from __future__ import annotations

from typing import Final

from sympy import sqrt

from symmetrics.language.cells import FN, FP, NPV, ON, OP, PPV, TN, TNR, TP, TPR, N, P
from symmetrics.language.definition import Citation
from symmetrics.language.parameter import Parameter
from symmetrics.library.shared import UNIT, larger
from symmetrics.metric import Metric

_BETA: Final = Parameter.parse("beta in [0, oo) = 1")
_B2: Final = _BETA.symbol**2
_POSITIVE_F: Final = (1 + _B2) * TP / ((1 + _B2) * TP + _B2 * FN + FP)
_NEGATIVE_F: Final = (1 + _B2) * TN / ((1 + _B2) * TN + _B2 * FP + FN)
_MACRO_PRECISION: Final = (PPV + NPV) / 2
_MACRO_RECALL: Final = (TPR + TNR) / 2
_TVERSKY_FP: Final = Parameter.parse("alpha in [0, oo) = 1/2")
_TVERSKY_FN: Final = Parameter.parse("beta in [0, oo) = 1/2")

RECORDS: Final[tuple[Metric, ...]] = (
    Metric(
        "gmean",
        sqrt(TPR * TNR),
        title="Geometric mean of the class accuracies",
        aliases=("geometric_mean", "g_mean", "mavg"),
        range=UNIT,
        cites=(
            Citation("garcia2012", "section 2, Gmean"),
            Citation("kubat1997", "g"),
            Citation("sun2006", "G-mean"),
            Citation("branco2017", "table 1, MAvG at C = 2"),
        ),
    ),
    Metric(
        "auc_single",
        _MACRO_RECALL,
        title="Area under the ROC curve of a single operating point",
        aliases=("balanced_accuracy", "macro_recall", "auc_balanced", "balanced_accuracy_score"),
        range=UNIT,
        cites=(Citation("garcia2012", "section 2, AUC"), Citation("branco2017", "table 1, Rec_M at C = 2")),
    ),
    Metric(
        "harmonic_class_accuracy",
        2 * TPR * TNR / (TPR + TNR),
        title="Harmonic mean of the class accuracies",
        aliases=("h_mean", "harmonic_mean"),
        range=UNIT,
        cites=(Citation("kelleher2015", "average class accuracy by the harmonic mean"),),
    ),
    Metric(
        "f1",
        2 * TP / (2 * TP + FP + FN),
        title="F1-measure",
        aliases=("f_score", "f_measure", "f1_score", "dice", "sorensen_dice", "czekanowski"),
        range=UNIT,
        cites=(
            Citation("garcia2012", "section 2, F_1"),
            Citation("tan2006", "equation (5.76)"),
            Citation("dice1945", "coincidence index"),
        ),
    ),
    Metric(
        "f_beta",
        _POSITIVE_F,
        (_BETA,),
        title="F-measure",
        aliases=("f_beta_score", "fbeta", "fbeta_score"),
        range=UNIT,
        cites=(
            Citation("vanrijsbergen1979", "chapter 7, complement of the effectiveness E"),
            Citation("garcia2012", "section 2, F"),
            Citation("branco2017", "equation (3)"),
            Citation("tan2006", "equation (5.77), from precision and recall"),
        ),
    ),
    Metric(
        "negative_f1",
        2 * TN / (2 * TN + FN + FP),
        title="F1-measure of the negative class",
        aliases=("f1_negative", "fleiss_levin_paik"),
        range=UNIT,
        cites=(Citation("branco2017", "equation (3) for the negative class, beta = 1"),),
    ),
    Metric(
        "macro_precision",
        _MACRO_PRECISION,
        title="Mean precision of the two classes",
        aliases=("mean_predictive_value",),
        range=UNIT,
        cites=(Citation("branco2017", "table 1, Prec_M at C = 2"),),
    ),
    Metric(
        "mean_f_beta",
        (_POSITIVE_F + _NEGATIVE_F) / 2,
        (_BETA,),
        title="Mean F-measure of the two classes",
        aliases=("macro_f1", "average_f_beta"),
        range=UNIT,
        cites=(Citation("branco2017", "table 1, AvF_beta at C = 2"),),
    ),
    Metric(
        "f_of_means",
        (1 + _B2) * _MACRO_PRECISION * _MACRO_RECALL / (_B2 * _MACRO_PRECISION + _MACRO_RECALL),
        (_BETA,),
        title="F-measure of the mean precision and the mean recall",
        range=UNIT,
        cites=(
            Citation("branco2017", "table 1, F_beta M at C = 2"),
            Citation("sokolova2009", "macro-averaged F-score"),
        ),
    ),
    Metric(
        "class_balance_accuracy",
        (TP / larger(P, OP) + TN / larger(N, ON)) / 2,
        title="Class balance accuracy",
        aliases=("cba",),
        range=UNIT,
        cites=(
            Citation("mosley2013", "class balance accuracy"),
            Citation("branco2017", "table 1, CBA at C = 2"),
        ),
    ),
    Metric(
        "p4",
        4 * TP * TN / (4 * TP * TN + (TP + TN) * (FP + FN)),
        title="P4-metric",
        aliases=("unified_performance_measure",),
        range=UNIT,
        cites=(Citation("sitarz2022", "definition of P4"),),
    ),
    Metric(
        "fowlkes_mallows",
        TP / sqrt(P * OP),
        title="Fowlkes-Mallows index",
        aliases=("g_measure", "ochiai", "ochiai_1", "otsuka_ochiai", "cosine"),
        range=UNIT,
        cites=(Citation("fowlkes1983", "index B_k, over pairs of objects"), Citation("tan2004", "cosine")),
    ),
    Metric(
        "kulczynski",
        (PPV + TPR) / 2,
        title="Kulczynski measure",
        aliases=("kulczynski_2", "driver_kroeber", "aupr_single"),
        range=UNIT,
        cites=(
            Citation("wu2010", "Kulczynski"),
            Citation("choi2010", "Kulczynski-II"),
            Citation("haghighi2018", "AUPR"),
        ),
    ),
    Metric(
        "all_confidence",
        TP / larger(P, OP),
        title="All-confidence",
        aliases=("braun_blanquet",),
        range=UNIT,
        cites=(Citation("omiecinski2003", "all-confidence"), Citation("wu2010", "all-confidence")),
    ),
    Metric(
        "jaccard",
        TP / (TP + FN + FP),
        title="Jaccard index",
        aliases=("threat_score", "critical_success_index", "csi", "intersection_over_union", "iou", "tanimoto"),
        range=UNIT,
        cites=(
            Citation("jaccard1912", "coefficient of community"),
            Citation("gilbert1884", "ratio of verification"),
            Citation("schaefer1990", "critical success index"),
        ),
    ),
    Metric(
        "tversky",
        TP / (TP + _TVERSKY_FP.symbol * FP + _TVERSKY_FN.symbol * FN),
        (_TVERSKY_FP, _TVERSKY_FN),
        title="Tversky index",
        range=UNIT,
        cites=(Citation("tversky1977", "ratio model"),),
    ),
    Metric(
        "f2",
        5 * TP / (5 * TP + 4 * FN + FP),
        title="F-measure with recall weighted twice",
        range=UNIT,
        cites=(Citation("haghighi2018", "F2"),),
    ),
    Metric(
        "f_half",
        5 * TP / (5 * TP + FN + 4 * FP),
        title="F-measure with precision weighted twice",
        aliases=("f05",),
        range=UNIT,
        cites=(Citation("haghighi2018", "F0.5"),),
    ),
    Metric(
        "adjusted_f_measure",
        5 * sqrt(TP * TN / ((5 * TP + 4 * FN + FP) * (5 * TN + 4 * FN + FP))),
        title="Adjusted F-measure",
        aliases=("agf",),
        range=UNIT,
        cites=(
            Citation("maratea2014", "definition of AGF"),
            Citation("haghighi2018", "AGF"),
        ),
    ),
)
