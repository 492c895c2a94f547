"""Metrics proposed for imbalanced classes: they set the accuracy on one class against the accuracy on the other."""

from __future__ import annotations

from typing import Final

from sympy import Abs, Interval, Rational, sqrt

from symmetrics.language.cells import FNR, FPR, TNR, TPR, N, n
from symmetrics.language.definition import Citation
from symmetrics.language.parameter import Parameter
from symmetrics.library.shared import ACCURACY, SIGNED_UNIT, UNIT, smaller
from symmetrics.metric import Metric

_ALPHA: Final = Parameter.parse("alpha in [0, oo) = 1/20")
_ALPHA_SQUARED: Final = Parameter.parse("alpha in [0, oo) = 1/10")
_W: Final = Parameter.parse("w in [0, 1] = 3/4")
_RHO: Final = Parameter.parse("rho in [0, 1] = 1/10")

_GMEAN: Final = sqrt(TPR * TNR)
_BOTTOM_AREA: Final = Rational(1, 2) * TPR * (1 + TNR)
_TOP_AREA: Final = Rational(1, 2) * (1 - TPR) * TNR

RECORDS: Final[tuple[Metric, ...]] = (
    Metric(
        "optimized_precision",
        ACCURACY - Abs(TNR - TPR) / (TNR + TPR),
        title="Optimized precision",
        range=SIGNED_UNIT,
        cites=(Citation("garcia2012", "section 2, OP"), Citation("ranawana2006", "definition of OP")),
    ),
    Metric(
        "dominance",
        TPR - TNR,
        title="Dominance",
        range=SIGNED_UNIT,
        greater_is_better=None,
        cites=(Citation("garcia2012", "section 2, Dom"), Citation("garcia2009", "definition of dominance")),
    ),
    Metric(
        "iba_gmean",
        (1 + _ALPHA.symbol * (TPR - TNR)) * _GMEAN,
        (_ALPHA,),
        title="Generalized index of balanced accuracy of the geometric mean",
        aliases=("generalized_iba",),
        cites=(
            Citation("garcia2012", "section 2, IBA_alpha(Gm)"),
            Citation("garcia2010", "generalized index of balanced accuracy"),
        ),
    ),
    Metric(
        "iba_squared_gmean",
        (1 + _ALPHA_SQUARED.symbol * (TPR - TNR)) * TPR * TNR,
        (_ALPHA_SQUARED,),
        title="Index of balanced accuracy",
        aliases=("iba", "index_of_balanced_accuracy"),
        cites=(Citation("garcia2009", "definition of the index"),),
    ),
    Metric(
        "agm",
        (_GMEAN + TNR * (N / n)) / (1 + N / n),
        title="Adjusted geometric mean",
        aliases=("adjusted_geometric_mean",),
        range=UNIT,
        cites=(Citation("garcia2012", "section 2, AGm"), Citation("batuwita2009", "definition of AGm")),
    ),
    Metric(
        "cwa",
        _W.symbol * TPR + (1 - _W.symbol) * TNR,
        (_W,),
        title="Mean class-weighted accuracy",
        aliases=("class_weighted_accuracy",),
        range=UNIT,
        cites=(Citation("garcia2012", "section 2, cwA"), Citation("cohen2006", "mean class-weighted accuracy")),
    ),
    Metric(
        "wauc",
        (1 - _RHO.symbol) * _BOTTOM_AREA + (1 + _RHO.symbol) * _TOP_AREA,
        (_RHO,),
        title="Weighted area under the ROC curve of a single operating point",
        aliases=("weighted_auc",),
        cites=(Citation("garcia2012", "equation (1), with w(0) = 1 - rho"), Citation("weng2008", "weighted AUC")),
    ),
    Metric(
        "roc_distance",
        sqrt(FNR**2 + FPR**2),
        title="Distance to the perfect point of the ROC plane",
        aliases=("distance_to_corner",),
        range=Interval(0, sqrt(2)),
        greater_is_better=False,
        cites=(Citation("perkins2006", "closest-to-(0, 1) criterion"),),
    ),
    Metric(
        "similarity_index",
        1 - sqrt((FNR**2 + FPR**2) / 2),
        title="Similarity to the perfect point of the ROC plane",
        aliases=("balance",),
        range=UNIT,
        cites=(
            Citation("haghighi2018", "sInd"),
            Citation("menzies2007", "balance"),
        ),
    ),
    Metric(
        "concordance_probability",
        TPR * TNR,
        title="Concordance probability of a single operating point",
        range=UNIT,
        cites=(Citation("liu2012", "concordance probability"),),
    ),
    Metric(
        "quadratic_class_accuracy",
        sqrt((TPR**2 + TNR**2) / 2),
        title="Quadratic mean of the class accuracies",
        range=UNIT,
        cites=(Citation("hardy1934", "mean of order 2"),),
    ),
    Metric(
        "worst_class_accuracy",
        smaller(TPR, TNR),
        title="Smaller of the class accuracies",
        range=UNIT,
        cites=(Citation("hardy1934", "mean of order minus infinity"),),
    ),
)
