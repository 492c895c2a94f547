"""Rates, proportions and their ratios: metrics that compare cells with margins, and nothing else."""

from __future__ import annotations

from typing import Final

from symmetrics.language.cells import FN, FNR, FP, FPR, NPV, ON, OP, PPV, TN, TNR, TP, TPR, N, P, n
from symmetrics.language.definition import Citation
from symmetrics.language.parameter import Parameter
from symmetrics.library.shared import ACCURACY, NON_NEGATIVE, SIGNED_UNIT, UNIT
from symmetrics.metric import Metric

_WEIGHTS: Final = tuple(Parameter.parse(f"w{number} in [0, oo) = 1") for number in (1, 2, 3, 4))
_W1, _W2, _W3, _W4 = (weight.symbol for weight in _WEIGHTS)
_COST: Final = Parameter.parse("c in [0, 1] = 3/4")
_THRESHOLD: Final = Parameter.parse("threshold in [0, 1) = 1/2")

RECORDS: Final[tuple[Metric, ...]] = (
    Metric(
        "tpr",
        TPR,
        title="True positive rate",
        aliases=("recall", "sensitivity", "hit_rate", "true_positive_rate", "probability_of_detection", "recall_score"),
        range=UNIT,
        cites=(
            Citation("garcia2012", "section 2"),
            Citation("tan2006", "equation (5.75)"),
            Citation("landgrebe2005", "section 2.1"),
            Citation("branco2017", "equation (1)"),
        ),
    ),
    Metric(
        "tnr",
        TNR,
        title="True negative rate",
        aliases=("specificity", "selectivity", "true_negative_rate"),
        range=UNIT,
        cites=(Citation("garcia2012", "section 2"), Citation("tan2006", "section 5.7.1")),
    ),
    Metric(
        "fpr",
        FPR,
        title="False positive rate",
        aliases=("fall_out", "false_alarm_rate", "false_positive_rate", "probability_of_false_detection"),
        range=UNIT,
        greater_is_better=False,
        cites=(
            Citation("tan2006", "section 5.7.1"),
            Citation("landgrebe2005", "section 2.1"),
            Citation("fawcett2006", "fp rate"),
        ),
    ),
    Metric(
        "fnr",
        FNR,
        title="False negative rate",
        aliases=("miss_rate", "false_negative_rate"),
        range=UNIT,
        greater_is_better=False,
        cites=(Citation("tan2006", "section 5.7.1"), Citation("landgrebe2005", "section 2.1")),
    ),
    Metric(
        "precision",
        PPV,
        title="Precision",
        aliases=("ppv", "positive_predictive_value", "purity", "confidence", "success_ratio", "precision_score"),
        range=UNIT,
        cites=(
            Citation("garcia2012", "section 2"),
            Citation("tan2006", "equation (5.74)"),
            Citation("landgrebe2005", "section 2.1 and equation (4)"),
            Citation("branco2017", "equation (2)"),
        ),
    ),
    Metric(
        "npv",
        NPV,
        title="Negative predictive value",
        aliases=("negative_predictive_value", "inverse_precision"),
        range=UNIT,
        cites=(Citation("altman1994", "definition of the negative predictive value"),),
    ),
    Metric(
        "false_discovery_rate",
        FP / OP,
        title="False discovery rate",
        aliases=("fdr", "false_alarm_ratio"),
        range=UNIT,
        greater_is_better=False,
        cites=(Citation("schaefer1990", "false alarm ratio"),),
    ),
    Metric(
        "false_omission_rate",
        FN / ON,
        title="False omission rate",
        aliases=("detection_failure_ratio",),
        range=UNIT,
        greater_is_better=False,
        cites=(Citation("altman1994", "complement of the negative predictive value"),),
    ),
    Metric(
        "accuracy",
        ACCURACY,
        title="Accuracy",
        aliases=(
            "acc",
            "av_acc",
            "micro_recall",
            "micro_precision",
            "simple_matching",
            "sokal_michener",
            "proportion_correct",
            "accuracy_score",
        ),
        range=UNIT,
        cites=(
            Citation("garcia2012", "section 2"),
            Citation("tan2006", "table after equation (5.78)"),
            Citation("branco2017", "table 1, AvAcc, Rec_mu and Prec_mu at C = 2"),
        ),
    ),
    Metric(
        "error_rate",
        (FN + FP) / n,
        title="Error rate",
        aliases=("misclassification_rate", "hamming_loss", "zero_one_loss"),
        range=UNIT,
        greater_is_better=False,
        cites=(Citation("garcia2012", "section 2"),),
    ),
    Metric(
        "weighted_accuracy",
        (_W1 * TP + _W4 * TN) / (_W1 * TP + _W2 * FP + _W3 * FN + _W4 * TN),
        _WEIGHTS,
        title="Weighted accuracy",
        range=UNIT,
        cites=(Citation("tan2006", "equation (5.78)"),),
    ),
    Metric(
        "expected_loss",
        (_COST.symbol * FN + (1 - _COST.symbol) * FP) / n,
        (_COST,),
        title="Expected misclassification loss",
        aliases=("cost_weighted_error",),
        greater_is_better=False,
        cites=(Citation("thainghe2011", "section II.A, the loss Q at one threshold with b = 1"),),
    ),
    Metric(
        "prevalence",
        P / n,
        title="Prevalence of the positive class",
        aliases=("base_rate", "positive_prior"),
        range=UNIT,
        greater_is_better=None,
        cites=(Citation("landgrebe2005", "section 3, the prior P(C_t)"),),
    ),
    Metric(
        "positive_fraction",
        OP / n,
        title="Positive fraction",
        aliases=("posfrac", "predicted_positive_rate", "predicted_prevalence"),
        range=UNIT,
        greater_is_better=None,
        cites=(Citation("landgrebe2005", "equations (1) and (2)"),),
    ),
    Metric(
        "skew_ratio",
        N / P,
        title="Skew ratio",
        aliases=("class_ratio", "imbalance_ratio"),
        range=NON_NEGATIVE,
        greater_is_better=None,
        cites=(Citation("landgrebe2005", "section 3"),),
    ),
    Metric(
        "imbalance_coefficient",
        (P - N) / n,
        title="Imbalance coefficient",
        range=SIGNED_UNIT,
        greater_is_better=None,
        cites=(Citation("luque2019", "imbalance coefficient delta"),),
    ),
    Metric(
        "frequency_bias",
        OP / P,
        title="Frequency bias",
        aliases=("bias", "bias_score"),
        range=NON_NEGATIVE,
        greater_is_better=None,
        cites=(Citation("stephenson2000", "frequency bias"),),
    ),
    Metric(
        "positive_likelihood_ratio",
        TPR / FPR,
        title="Positive likelihood ratio",
        aliases=("lr_positive", "plr", "bayes_factor", "odd_multiplier"),
        range=NON_NEGATIVE,
        cites=(Citation("deeks2004", "definition of the likelihood ratios"),),
    ),
    Metric(
        "negative_likelihood_ratio",
        FNR / TNR,
        title="Negative likelihood ratio",
        aliases=("lr_negative", "nlr"),
        range=NON_NEGATIVE,
        greater_is_better=False,
        cites=(Citation("deeks2004", "definition of the likelihood ratios"),),
    ),
    Metric(
        "diagnostic_odds_ratio",
        TP * TN / (FP * FN),
        title="Diagnostic odds ratio",
        aliases=("dor", "odds_ratio", "cross_product_ratio"),
        range=NON_NEGATIVE,
        cites=(Citation("glas2003", "definition of the diagnostic odds ratio"), Citation("tan2004", "odds ratio")),
    ),
    Metric(
        "net_benefit",
        (TP - FP * _THRESHOLD.symbol / (1 - _THRESHOLD.symbol)) / n,
        (_THRESHOLD,),
        title="Net benefit",
        cites=(Citation("vickers2006", "net benefit at threshold probability p_t"),),
    ),
)
