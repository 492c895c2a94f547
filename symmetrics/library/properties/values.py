"""Values: limits of a metric, its range, where it is undefined, and where it is largest and smallest."""

from __future__ import annotations

from typing import Final

from symmetrics.claims import Bounded, DefinedEverywhere, FiniteLimit, LargestAtAgreement, SmallestAtDisagreement
from symmetrics.claims.families.limits import STEP
from symmetrics.claims.property import Property
from symmetrics.language.cells import FN, FP, TN, TP
from symmetrics.language.definition import Citation

RECORDS: Final = (
    Property(
        "tn_limit",
        "M(TP, FN, FP, TN) has a finite limit as TN -> oo, the other cells fixed",
        lambda metric: FiniteLimit(metric.expr, metric.parameters, (TP, FN, FP, 1 / STEP)),
        title="finite limit as the true negatives outnumber all other cells",
        yes="tends to a finite limit as the true negatives outnumber all others",
        no="has no finite limit as the true negatives outnumber all others",
        words=("many true negatives", "huge negative class", "limit"),
    ),
    Property(
        "prevalence_limit",
        "M(s*TP, s*FN, FP, TN) has a finite limit as s -> 0+: the positive class gets rare, TPr, FPr and N are fixed",
        lambda metric: FiniteLimit(metric.expr, metric.parameters, (STEP * TP, STEP * FN, FP, TN)),
        title="finite limit as the positive class becomes rare, at fixed rates and a fixed number of negatives",
        cites=(Citation("landgrebe2005", "precision at small priors"),),
        yes="tends to a finite limit as the positive class becomes rare",
        no="has no finite limit as the positive class becomes rare",
        words=("rare class", "rare events", "low prevalence", "limit"),
    ),
    Property(
        "range",
        "lower <= M(TP, FN, FP, TN) <= upper, with finite bounds that M attains or comes arbitrarily close to",
        lambda metric: Bounded(metric.expr, metric.parameters),
        title="bounded values",
        yes="is bounded",
        no="is not bounded",
        words=("bounds", "largest value", "smallest value", "scale of the values", "interval of the values"),
    ),
    Property(
        "defined",
        "M, as it is shown after equal factors and equal terms have cancelled, has a value at every table of cells "
        ">= 0 that is not all zero",
        lambda metric: DefinedEverywhere(metric.expr, metric.parameters),
        title="defined at every table",
        yes="has a value at every table",
        no="has no value at some tables",
        words=("division by zero", "undefined", "nan", "zero cells"),
    ),
    Property(
        "max_agreement",
        "M(TP, FN, FP, TN) = max M if and only if FN = FP = 0, for cells >= 0 where M is defined",
        lambda metric: LargestAtAgreement(metric.expr, metric.parameters),
        title="largest exactly where all predictions are right",
        cites=(Citation("gosgens2021", "maximal agreement"),),
        yes="is largest exactly where all predictions are right",
        no="is not largest exactly where all predictions are right",
        words=("perfect predictions", "best value", "maximum", "perfect classifier"),
    ),
    Property(
        "min_agreement",
        "M(TP, FN, FP, TN) = min M if and only if TP = TN = 0, for cells >= 0 where M is defined",
        lambda metric: SmallestAtDisagreement(metric.expr, metric.parameters),
        title="smallest exactly where all predictions are wrong",
        cites=(Citation("gosgens2021", "minimal agreement"),),
        yes="is smallest exactly where all predictions are wrong",
        no="is not smallest exactly where all predictions are wrong",
        words=("worst value", "minimum", "everything wrong"),
    ),
)
