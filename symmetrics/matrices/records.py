"""The metrics of k x k confusion matrices, one record each."""

from __future__ import annotations

from typing import Final

from sympy import Expr, log

from symmetrics.language.cells import FN, FP, OP, TN, TP, P, n
from symmetrics.language.definition import Citation
from symmetrics.language.parameter import Parameter
from symmetrics.library import metrics
from symmetrics.library.shared import SIGNED_UNIT, UNIT, larger
from symmetrics.matrices.metric import MulticlassMetric
from symmetrics.matrices.nodes import (
    C,
    ClassDistance,
    ClassMean,
    CorrectClassMean,
    Correlation,
    FMeasure,
    GeometricClassMean,
    RelativeEntropy,
    fn,
    fp,
    i,
    j,
    k,
    other,
    over,
    r,
    s,
    tn,
    tp,
)
from symmetrics.tools.catalogue import Catalogue

_BETA: Final = Parameter.parse("beta in (0, oo) = 1")

_TOTAL: Final = over(C[r, s], r, s)
_TRUE: Final = tp[i] + fn[i]
"""Examples of class i."""
_PREDICTED: Final = tp[i] + fp[i]
"""Examples predicted to be of class i."""
_RECALL: Final = TP / (TP + FN)
_CLASS_ENTROPY: Final = -over(RelativeEntropy(_TRUE, _TOTAL), i)
"""Entropy of the true class, times the number of examples."""
_REMAINING_ENTROPY: Final = -over(RelativeEntropy(C[j, i], _PREDICTED), i, j)
"""Entropy of the true class given the predicted one, times the number of examples."""
_CONFUSION: Final = -over(
    other(i, j) * (RelativeEntropy(C[i, j], _TRUE + _PREDICTED) + RelativeEntropy(C[j, i], _TRUE + _PREDICTED)), i, j
)
"""Confusion entropy: entropies of each class's errors among its row and column, weighted by their size."""


def _kappa(weight: Expr) -> Expr:
    """Return 1 minus the ratio of weighted errors to those expected under independence, each with the weight of its
    classes i and j.
    """
    return 1 - _TOTAL * over(weight * C[i, j], i, j) / over(weight * _TRUE * (tp[j] + fp[j]), i, j)


_RECORDS: Final = (
    MulticlassMetric(
        "accuracy",
        over(C[i, i], i) / _TOTAL,
        title="Share of correct predictions",
        aliases=("micro_recall", "micro_precision", "accuracy_score"),
        range=UNIT,
        cites=(Citation("branco2017", "table 1, Rec_mu and Prec_mu"),),
    ),
    MulticlassMetric(
        "adjusted_balanced_accuracy",
        (k * ClassMean(_RECALL) - 1) / (k - 1),
        title="Mean recall of the classes, corrected for chance",
        range=SIGNED_UNIT,
        worst=-1,
        least=-1 / (k - 1),
        cites=(Citation("youden1950", "index J, two classes"), Citation("pedregosa2011", "balanced_accuracy_score")),
    ),
    MulticlassMetric(
        "av_acc",
        CorrectClassMean((TP + TN) / n),
        title="Average accuracy of the classes, true negatives being the correct predictions of other classes",
        range=UNIT,
        cites=(Citation("branco2017", "section 2, tn_i; table 1, AvAcc"),),
    ),
    MulticlassMetric(
        "balanced_accuracy",
        ClassMean(_RECALL),
        title="Balanced accuracy: the mean recall of the classes",
        aliases=("macro_recall", "balanced_accuracy_score"),
        range=UNIT,
        cites=(Citation("branco2017", "table 1, Rec_M"), Citation("pedregosa2011", "balanced_accuracy_score")),
    ),
    MulticlassMetric(
        "cba",
        ClassMean(TP / larger(P, OP)),
        title="Class balance accuracy",
        aliases=("class_balance_accuracy",),
        range=UNIT,
        cites=(Citation("mosley2013", "class balance accuracy"), Citation("branco2017", "table 1, CBA; equation (8)")),
    ),
    MulticlassMetric(
        "cen",
        _CONFUSION / (2 * _TOTAL * log(2 * (k - 1))),
        title="Confusion entropy",
        aliases=("confusion_entropy",),
        range=metrics["confusion_entropy"].range,
        worst=1,
        best=0,
        cites=(Citation("wei2010", "confusion entropy"), Citation("branco2017", "table 1, CEN")),
    ),
    MulticlassMetric(
        "error_rate",
        (_TOTAL - over(C[i, i], i)) / _TOTAL,
        title="Share of wrong predictions",
        aliases=("zero_one_loss", "hamming_loss", "misclassification_rate"),
        range=UNIT,
        worst=1,
        best=0,
        cites=(Citation("pedregosa2011", "zero_one_loss"),),
    ),
    MulticlassMetric(
        "f_of_means",
        FMeasure(ClassMean(TP / (TP + FP)), ClassMean(TP / (TP + FN)), _BETA.symbol),
        (_BETA,),
        title="F-measure of the mean precision and the mean recall",
        range=UNIT,
        cites=(
            Citation("branco2017", "table 1, F_beta M and F_beta mu; equation (6)"),
            Citation("sokolova2009", "macro- and micro-averaged F-score"),
        ),
    ),
    MulticlassMetric(
        "kappa",
        _kappa(other(i, j)),
        title="Cohen's kappa",
        aliases=("cohen_kappa", "cohen_kappa_score"),
        range=SIGNED_UNIT,
        worst=-1,
        cites=(Citation("cohen1960", "kappa"),),
    ),
    MulticlassMetric(
        "kappa_linear",
        _kappa(ClassDistance(i, j)),
        title="Cohen's kappa, mistakes weighted by the distance of the classes in their order",
        aliases=("linear_weighted_kappa",),
        range=SIGNED_UNIT,
        worst=-1,
        cites=(Citation("cohen1968", "weighted kappa"),),
    ),
    MulticlassMetric(
        "kappa_quadratic",
        _kappa(ClassDistance(i, j) ** 2),
        title="Cohen's kappa, mistakes weighted by the squared distance of the classes in their order",
        aliases=("quadratic_weighted_kappa",),
        range=SIGNED_UNIT,
        worst=-1,
        cites=(Citation("cohen1968", "weighted kappa"), Citation("fleiss1973", "quadratic weights")),
    ),
    MulticlassMetric(
        "mavg",
        GeometricClassMean(TP / (TP + FN)),
        title="Geometric mean of the recalls of the classes",
        aliases=("g_mean", "geometric_mean_of_recalls"),
        range=UNIT,
        cites=(Citation("sun2006", "G-mean"), Citation("branco2017", "table 1, MAvG")),
    ),
    MulticlassMetric(
        "mcc",
        Correlation(
            over(tp[i] * tn[i] - fn[i] * fp[i], i),
            over(_TRUE * (fp[i] + tn[i]), i),
            over(_PREDICTED * (fn[i] + tn[i]), i),
        ),
        title="Matthews correlation coefficient",
        aliases=("matthews_correlation_coefficient", "matthews_corrcoef", "r_k"),
        range=SIGNED_UNIT,
        worst=-1,
        cites=(
            Citation("matthews1975", "two classes"),
            Citation("gorodkin2004", "R_K"),
            Citation("branco2017", "table 1, MCC"),
        ),
    ),
    MulticlassMetric(
        "one_vs_rest_accuracy",
        ClassMean((TP + TN) / n),
        title="Average accuracy of the classes, each against the rest",
        aliases=("average_accuracy",),
        range=UNIT,
        least=1 - 2 / k,  # an error involves two classes only
        least_if_alike=True,
        cites=(Citation("sokolova2009", "average accuracy"),),
    ),
    MulticlassMetric(
        "rci",
        (_CLASS_ENTROPY - _REMAINING_ENTROPY) / _CLASS_ENTROPY,
        title="Relative classifier information",
        aliases=("relative_classifier_information", "uncertainty_coefficient"),
        range=UNIT,
        cites=(
            Citation("sindhwani2001", "relative classifier information"),
            Citation("branco2017", "table 1, RCI, with probabilities over N"),
        ),
    ),
)

multiclass: Final[Catalogue[MulticlassMetric]] = Catalogue(
    "multiclass metric",
    _RECORDS,
    {
        name: f"it is a metric of one class; symmetrics.metrics[{name!r}] takes average='macro'"
        for name in ("f1", "f1_score", "f_beta", "jaccard", "precision", "precision_score", "recall", "recall_score")
    },
)
