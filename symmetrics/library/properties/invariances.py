"""Invariances and other identities: transformations that leave a metric unchanged."""

from __future__ import annotations

from typing import Final

from sympy import Expr, Integer

from symmetrics.claims import AllOf, AnyOf, Identity, value_symbol
from symmetrics.claims.property import Property, changed, invariance, other
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, N, P, n
from symmetrics.language.definition import Citation, Definition

A, B = other("a"), other("b")
UNIFORM: Final = (Integer(1), Integer(1), Integer(1), Integer(1))
VALUE, IMAGE = value_symbol(0), value_symbol(1)
PREDICTED_SCALING: Final = invariance((A * TP, B * FN, A * FP, B * TN), A, B)
ACTUAL_SCALING: Final = invariance((A * TP, A * FN, B * FP, B * TN), A, B)
INDEPENDENT: Final = (TP, FN, A * TP, A * FN)
"""All tables with TP*TN = FP*FN, parametrised as (TP, FN, k*TP, k*FN)."""
ROWS_EXCHANGED: Final = (FP, TN, TP, FN)
COLUMNS_EXCHANGED: Final = (FN, TP, TN, FP)


def _scaling(metric: Definition) -> AllOf:
    return AllOf((("predicted", PREDICTED_SCALING(metric)), ("actual", ACTUAL_SCALING(metric))))


def _antisymmetric(metric: Definition) -> AnyOf:
    def exchanges(relation: Expr) -> AllOf:
        images = (("rows", ROWS_EXCHANGED), ("columns", COLUMNS_EXCHANGED))
        return AllOf(
            tuple((label, Identity.between((CELLS, image), relation=relation)(metric)) for label, image in images)
        )

    return AnyOf((("negates", exchanges(VALUE + IMAGE)), ("inverts", exchanges(VALUE * IMAGE - 1))))


RECORDS: Final = (
    Property(
        "p1",
        "M(TN, FP, FN, TP) = M(TP, FN, FP, TN)",
        invariance((TN, FP, FN, TP)),
        title="invariance under the exchange of TP with TN and of FN with FP",
        cites=(Citation("garcia2012", "section 3.2, p1"), Citation("sokolova2009", "I1"), Citation("tan2002", "O3'")),
        yes="stays the same when the two classes are exchanged",
        no="changes when the two classes are exchanged",
        words=("exchange of the classes", "class symmetry", "both classes alike", "swap the labels"),
    ),
    Property(
        "p2",
        "M(TP, FN, FP, TN') = M(TP, FN, FP, TN)",
        invariance(changed("TN"), other("TN")),
        title="invariance under a change in TN",
        aliases=("null_invariance",),
        cites=(Citation("garcia2012", "section 3.2, p2"), Citation("sokolova2009", "I2"), Citation("tan2002", "O4")),
        yes="does not depend on the true negatives",
        no="depends on the true negatives",
        words=("ignores TN", "true negatives do not matter", "null invariance"),
    ),
    Property(
        "p3",
        "M(TP, FN, FP', TN) = M(TP, FN, FP, TN)",
        invariance(changed("FP"), other("FP")),
        title="invariance under a change in FP",
        cites=(Citation("garcia2012", "section 3.2, p3"), Citation("sokolova2009", "I5")),
        yes="does not depend on the false positives",
        no="depends on the false positives",
        words=("ignores FP", "false positives do not matter", "false alarms do not matter"),
    ),
    Property(
        "p4",
        "M(TP', FN, FP, TN) = M(TP, FN, FP, TN)",
        invariance(changed("TP"), other("TP")),
        title="invariance under a change in TP",
        cites=(Citation("garcia2012", "section 3.2, p4"), Citation("sokolova2009", "I3")),
        yes="does not depend on the true positives",
        no="depends on the true positives",
        words=("ignores TP", "true positives do not matter"),
    ),
    Property(
        "p5",
        "M(TP, FN', FP, TN) = M(TP, FN, FP, TN)",
        invariance(changed("FN"), other("FN")),
        title="invariance under a change in FN",
        cites=(Citation("garcia2012", "section 3.2, p5"), Citation("sokolova2009", "I4")),
        yes="does not depend on the false negatives",
        no="depends on the false negatives",
        words=("ignores FN", "false negatives do not matter", "misses do not matter"),
    ),
    Property(
        "homogeneous",
        "M(t*TP, t*FN, t*FP, t*TN) = M(TP, FN, FP, TN), t > 0",
        invariance((A * TP, A * FN, A * FP, A * TN), A),
        title="invariance under a common factor of all cells",
        cites=(Citation("sokolova2009", "I6"),),
        yes="depends on the shares of the cells alone, not on how many examples there are",
        no="changes with the number of examples even if the shares of the cells stay",
        words=("sample size", "number of examples", "scale"),
    ),
    Property(
        "predicted_scaling",
        "M(a*TP, b*FN, a*FP, b*TN) = M(TP, FN, FP, TN), a, b > 0",
        PREDICTED_SCALING,
        title="invariance under factors of the predicted classes",
        cites=(Citation("sokolova2009", "I7"),),
        yes="stays the same when the examples predicted as one class are multiplied",
        no="changes when the examples predicted as one class are multiplied",
        words=("prediction rate", "how often positive is predicted", "column scaling"),
    ),
    Property(
        "actual_scaling",
        "M(a*TP, a*FN, b*FP, b*TN) = M(TP, FN, FP, TN), a, b > 0",
        ACTUAL_SCALING,
        title="invariance under factors of the actual classes: insensitivity to skew",
        cites=(Citation("sokolova2009", "I8"), Citation("flach2003", "skew insensitivity")),
        yes="does not depend on the class balance (multiplying the examples of one class changes nothing)",
        no="depends on the class balance (multiplying the examples of one class changes it)",
        words=("class skew", "skew", "prior", "prevalence", "base rate", "class balance", "imbalance", "row scaling"),
    ),
    Property(
        "scaling",
        "M is unchanged by factors of the predicted and of the actual classes",
        _scaling,
        title="invariance under factors of rows and of columns",
        cites=(Citation("tan2002", "O2"),),
        yes="stays the same when the examples of an actual or of a predicted class are multiplied",
        no="changes when the examples of an actual or of a predicted class are multiplied",
        words=("skew of both", "row and column scaling", "odds ratio"),
    ),
    Property(
        "transpose",
        "M(TP, FP, FN, TN) = M(TP, FN, FP, TN)",
        invariance((TP, FP, FN, TN)),
        title="symmetry between predicted and actual classes",
        cites=(Citation("tan2002", "O1"), Citation("gosgens2021", "symmetry")),
        yes="treats predictions and truth alike",
        no="changes when predictions and truth are exchanged",
        words=("symmetric", "symmetry of prediction and truth", "exchange of prediction and truth"),
    ),
    Property(
        "antisymmetric",
        "M(FP, TN, TP, FN) = M(FN, TP, TN, FP) = -M(TP, FN, FP, TN); or both are 1/M",
        _antisymmetric,
        title="antisymmetry: exchanging the rows, and exchanging the columns, each negates M, or each inverts it",
        cites=(Citation("tan2002", "O3"),),
        yes="turns into its negative, or its inverse, when the actual classes or the predicted ones are exchanged",
        no="does not turn into its negative or its inverse when the actual classes or the predicted ones are exchanged",
        words=("antisymmetry", "inverted predictions", "sign change"),
    ),
    Property(
        "independence_value",
        "M(TP, FN, k*TP, k*FN) = M(1, 1, 1, 1), k > 0",
        Identity.between((INDEPENDENT, UNIFORM), (A,)),
        title="one value wherever prediction and truth are independent, TP*TN = FP*FN",
        cites=(Citation("piatetskyshapiro1991", "P1"),),
        yes="has one value wherever predictions and truth are independent",
        no="differs among tables at which predictions and truth are independent",
        words=("chance", "independence", "random", "value of an uninformative classifier"),
    ),
    Property(
        "no_imbalance_bias",
        "M(n*TP/(2*P), n*FN/(2*P), n*FP/(2*N), n*TN/(2*N)) = M(TP, FN, FP, TN)",
        invariance((n * TP / (2 * P), n * FN / (2 * P), n * FP / (2 * N), n * TN / (2 * N))),
        title="no bias by imbalance: M is what it is for balanced classes with the same TPr and TNr",
        aliases=("imbalance_bias",),
        cites=(Citation("luque2019", "imbalance bias"),),
        yes="is not biased by imbalance (it is what it would be with balanced classes and the same rates)",
        no="is biased by imbalance (with balanced classes and the same rates it would be another)",
        words=("imbalance", "class imbalance", "balanced classes", "bias"),
    ),
)
