"""Interest of the rule that an example predicted positive is positive, and of the same rule read both ways."""

from __future__ import annotations

from typing import Final

from sympy import E, Interval, Rational, log, oo, sqrt

from symmetrics.language.cells import FN, FP, ON, OP, PPV, TP, TPR, N, P, n
from symmetrics.language.definition import Citation
from symmetrics.library.shared import (
    CROSS_DIFFERENCE,
    NON_NEGATIVE,
    REALS,
    SIGNED_UNIT,
    UNIT,
    UP_TO_ONE,
    larger,
    ln,
    smaller,
)
from symmetrics.metric import Metric

_GAIN: Final = PPV - P / n
_BEST_GAIN: Final = larger(_GAIN, TPR - OP / n)
_SURPRISE_OF_HITS: Final = TP / n * ln(n * TP / (P * OP))
_FORWARD_SURPRISE: Final = _SURPRISE_OF_HITS + FP / n * ln(n * FP / (N * OP))
_BACKWARD_SURPRISE: Final = _SURPRISE_OF_HITS + FN / n * ln(n * FN / (P * ON))
_KLOSGEN_BOUND: Final = 2 * sqrt(3) / 9
_KLOSGEN_LEAST: Final = -sqrt(2 / sqrt(3) - 1) * (4 / sqrt(3) - 2)

RECORDS: Final[tuple[Metric, ...]] = (
    Metric(
        "centred_confidence",
        _GAIN,
        title="Confidence beyond the prevalence",
        range=SIGNED_UNIT,
        cites=(
            Citation("geng2006", "added value"),
            Citation("lenca2008", "centred confidence"),
        ),
    ),
    Metric(
        "added_value",
        _BEST_GAIN,
        title="Added value",
        range=Interval(-Rational(1, 2), 1),
        cites=(Citation("tan2002", "added value"),),
    ),
    Metric(
        "loevinger",
        CROSS_DIFFERENCE / (OP * N),
        title="Loevinger's measure of a rule",
        range=UP_TO_ONE,
        cites=(
            Citation("geng2006", "Loevinger"),
            Citation("lenca2008", "Loevinger"),
        ),
    ),
    Metric(
        "certainty_factor",
        larger(CROSS_DIFFERENCE / (OP * N), CROSS_DIFFERENCE / (P * ON)),
        title="Certainty factor of the better direction",
        range=SIGNED_UNIT,
        cites=(Citation("tan2002", "certainty factor"),),
    ),
    Metric(
        "shortliffe_certainty_factor",
        larger(CROSS_DIFFERENCE, 0) / (OP * N) - larger(-CROSS_DIFFERENCE, 0) / (OP * P),
        title="Certainty factor of a rule",
        range=SIGNED_UNIT,
        cites=(Citation("shortliffe1975", "certainty factor: belief minus disbelief"),),
    ),
    Metric(
        "klosgen",
        sqrt(TP / n) * _BEST_GAIN,
        title="Klösgen's measure",
        range=Interval(_KLOSGEN_LEAST, _KLOSGEN_BOUND),
        cites=(Citation("tan2002", "Klosgen"),),
    ),
    Metric(
        "klosgen_rule",
        sqrt(OP / n) * _GAIN,
        title="Klösgen's quality of a subgroup",
        range=Interval(-_KLOSGEN_BOUND, _KLOSGEN_BOUND),
        cites=(Citation("klosgen1996", "quality function of the binomial test"),),
    ),
    Metric(
        "j_measure",
        _FORWARD_SURPRISE,
        title="J-measure of a rule, in nats",
        range=Interval(0, 1 / E),
        greater_is_better=None,
        cites=(Citation("smyth1992", "J-measure"),),
    ),
    Metric(
        "j_measure_symmetric",
        larger(_FORWARD_SURPRISE, _BACKWARD_SURPRISE),
        title="J-measure of the better direction, in nats",
        range=Interval(0, 1 / E),
        greater_is_better=None,
        cites=(Citation("tan2002", "J-measure"),),
    ),
    Metric(
        "gini_gain",
        2 * CROSS_DIFFERENCE**2 / (n**2 * OP * ON),
        title="Decrease of the Gini impurity of the classes",
        range=Interval(0, Rational(1, 2)),
        greater_is_better=None,
        cites=(Citation("breiman1984", "decrease in impurity by the Gini index"),),
    ),
    Metric(
        "gini_index",
        2 * CROSS_DIFFERENCE**2 / (n**2 * smaller(OP * ON, P * N)),
        title="Gini index of the better direction",
        range=Interval(0, Rational(1, 2)),
        greater_is_better=None,
        cites=(Citation("tan2002", "Gini index"),),
    ),
    Metric(
        "laplace_symmetric",
        (TP + 1) / (smaller(P, OP) + 2),
        title="Laplace-corrected confidence of the better direction",
        range=UNIT,
        cites=(Citation("tan2002", "Laplace"),),
    ),
    Metric(
        "conviction_symmetric",
        larger(OP * N / (n * FP), P * ON / (n * FN)),
        title="Conviction of the better direction",
        range=Interval(Rational(1, 2), oo),
        cites=(Citation("tan2002", "conviction"),),
    ),
    Metric(
        "sebag_schoenauer",
        TP / FP,
        title="Sebag and Schoenauer's ratio of examples to counterexamples",
        range=NON_NEGATIVE,
        cites=(
            Citation("geng2006", "Sebag-Schoenauer"),
            Citation("lenca2008", "Sebag and Schoenauer"),
        ),
    ),
    Metric(
        "ganascia",
        (TP - FP) / OP,
        title="Ganascia's index",
        range=SIGNED_UNIT,
        cites=(Citation("lallich2007", "Ganascia"),),
    ),
    Metric(
        "least_contradiction",
        (TP - FP) / P,
        title="Least contradiction",
        range=UP_TO_ONE,
        cites=(
            Citation("geng2006", "least contradiction"),
            Citation("lenca2008", "least contradiction"),
        ),
    ),
    Metric(
        "example_counterexample_rate",
        1 - FP / TP,
        title="Examples and counterexamples rate",
        range=UP_TO_ONE,
        cites=(
            Citation("geng2006", "example and counterexample rate"),
            Citation("lenca2008", "examples and counterexamples rate"),
        ),
    ),
    Metric(
        "zhang",
        CROSS_DIFFERENCE / larger(TP * N, FP * P),
        title="Zhang's measure",
        range=SIGNED_UNIT,
        cites=(
            Citation("zhang2000", "degree of association"),
            Citation("geng2006", "Zhang"),
        ),
    ),
    Metric(
        "one_way_support",
        PPV * ln(n * TP / (P * OP)) / log(2),
        title="One-way support, in bits",
        range=Interval(-1 / (E * log(2)), oo),
        cites=(Citation("geng2006", "one-way support"),),
    ),
    Metric(
        "two_way_support",
        _SURPRISE_OF_HITS / log(2),
        title="Two-way support, in bits",
        cites=(Citation("geng2006", "two-way support"),),
    ),
    Metric(
        "relative_risk",
        PPV * ON / FN,
        title="Relative risk",
        aliases=("risk_ratio",),
        range=NON_NEGATIVE,
        cites=(
            Citation("geng2006", "relative risk"),
            Citation("choi2010", "Tarantula"),
        ),
    ),
    Metric(
        "implication_index",
        -CROSS_DIFFERENCE / sqrt(n * OP * N),
        title="Implication index",
        range=REALS,
        greater_is_better=False,
        cites=(Citation("lenca2008", "implication index"),),
    ),
    Metric(
        "kemeny_oppenheim",
        (TP * N - FP * P) / (TP * N + FP * P),
        title="Kemeny and Oppenheim's degree of factual support",
        range=SIGNED_UNIT,
        cites=(Citation("kemeny1952", "degree of factual support"),),
    ),
)
