"""Similarity of label and prediction that counts the true negatives as a match too."""

from __future__ import annotations

from typing import Final

from sympy import Abs, Interval, Rational, sqrt

from symmetrics.language.cells import FN, FP, FPR, NPV, ON, OP, PPV, TN, TNR, TP, TPR, N, P, n
from symmetrics.language.definition import Citation
from symmetrics.library.shared import ERRORS, NON_NEGATIVE, SIGNED_UNIT, UNIT, ln
from symmetrics.metric import Metric

_HITS: Final = TP + TN
_ROOT_OF_HITS: Final = sqrt(TP * TN)
_ALL_MARGINS: Final = P * OP * N * ON
_JACCARD: Final = TP / (TP + ERRORS)
_NEGATIVE_JACCARD: Final = TN / (TN + ERRORS)
_LOG_SIZE: Final = ln(1 + n)

RECORDS: Final[tuple[Metric, ...]] = (
    Metric(
        "russell_rao",
        TP / n,
        title="Russell and Rao's similarity",
        aliases=("support",),
        range=UNIT,
        cites=(
            Citation("russell1940", "proportion of joint occurrences"),
            Citation("choi2010", "Russell&Rao"),
            Citation("tan2002", "support"),
        ),
    ),
    Metric(
        "faith",
        (TP + TN / 2) / n,
        title="Faith's similarity",
        range=UNIT,
        cites=(Citation("faith1983", "asymmetric similarity"), Citation("choi2010", "Faith")),
    ),
    Metric(
        "rogers_tanimoto",
        _HITS / (_HITS + 2 * ERRORS),
        title="Rogers and Tanimoto's similarity",
        range=UNIT,
        cites=(Citation("rogers1960", "similarity ratio"), Citation("choi2010", "Roger&Tanimoto")),
    ),
    Metric(
        "sokal_sneath_2",
        2 * _HITS / (2 * _HITS + ERRORS),
        title="Sokal and Sneath's second index",
        aliases=("gower_legendre",),
        range=UNIT,
        cites=(
            Citation("sokal1963", "matches counted twice"),
            Citation("gower1986", "family T, theta = 1/2"),
            Citation("choi2010", "Sokal&Sneath-II"),
        ),
    ),
    Metric(
        "sokal_sneath_3",
        _HITS / ERRORS,
        title="Sokal and Sneath's third index",
        aliases=("odds_of_accuracy",),
        range=NON_NEGATIVE,
        cites=(Citation("sokal1963", "ratio of matches to mismatches"), Citation("choi2010", "Sokal&Sneath-III")),
    ),
    Metric(
        "sokal_sneath_4",
        (TPR + TNR + PPV + NPV) / 4,
        title="Symmetric balanced accuracy",
        aliases=("symmetric_balanced_accuracy",),
        range=UNIT,
        cites=(
            Citation("sokal1963", "mean of the four conditional proportions"),
            Citation("gosgens2021", "symmetric balanced accuracy"),
            Citation("choi2010", "Sokal&Sneath-IV"),
        ),
    ),
    Metric(
        "sokal_sneath_5",
        TP * TN / sqrt(_ALL_MARGINS),
        title="Sokal and Sneath's fifth index",
        aliases=("ochiai_2",),
        range=UNIT,
        cites=(
            Citation("sokal1963", "geometric mean of the four conditional proportions, squared"),
            Citation("choi2010", "Ochiai-II"),
        ),
    ),
    Metric(
        "gower",
        _HITS / sqrt(_ALL_MARGINS),
        title="Gower's similarity as surveys print it",
        range=NON_NEGATIVE,
        cites=(Citation("choi2010", "Gower"),),
    ),
    Metric(
        "fossum",
        n * (TP - Rational(1, 2)) ** 2 / (P * OP),
        title="Fossum's similarity",
        range=NON_NEGATIVE,
        cites=(Citation("choi2010", "Fossum"), Citation("haghighi2018", "Fossum")),
    ),
    Metric(
        "baroni_urbani_buser_1",
        (_ROOT_OF_HITS + TP) / (_ROOT_OF_HITS + TP + ERRORS),
        title="Baroni-Urbani and Buser's similarity",
        range=UNIT,
        cites=(Citation("baroniurbani1976", "coefficient from 0 to 1"), Citation("choi2010", "Baroni-Urbani&Buser-I")),
    ),
    Metric(
        "baroni_urbani_buser_2",
        (_ROOT_OF_HITS + TP - ERRORS) / (_ROOT_OF_HITS + TP + ERRORS),
        title="Baroni-Urbani and Buser's correlation",
        range=SIGNED_UNIT,
        cites=(
            Citation("baroniurbani1976", "coefficient from -1 to 1"),
            Citation("choi2010", "Baroni-Urbani&Buser-II"),
        ),
    ),
    Metric(
        "baulieu_2",
        TP**2 * TN**2 / _ALL_MARGINS,
        title="Baulieu's second similarity",
        range=UNIT,
        cites=(Citation("baulieu1989", "from coefficient 13"), Citation("haghighi2018", "BaulieuII")),
    ),
    Metric(
        "negative_jaccard",
        _NEGATIVE_JACCARD,
        title="Jaccard index of the negative class",
        range=UNIT,
        cites=(Citation("long2015", "intersection over union of the second of two classes"),),
    ),
    Metric(
        "hawkins_dotson",
        (_JACCARD + _NEGATIVE_JACCARD) / 2,
        title="Mean Jaccard index of the two classes",
        aliases=("mean_jaccard", "mean_intersection_over_union"),
        range=UNIT,
        cites=(Citation("haghighi2018", "HawkinsDotson"), Citation("long2015", "mean IU at two classes")),
    ),
    Metric(
        "harris_lahey",
        (_JACCARD * (N + ON) + _NEGATIVE_JACCARD * (P + OP)) / (2 * n),
        title="Harris and Lahey's weighted agreement",
        range=UNIT,
        cites=(Citation("harris1978", "combined agreement score"), Citation("haghighi2018", "HarrisLahey")),
    ),
    Metric(
        "frequency_weighted_jaccard",
        (_JACCARD * P + _NEGATIVE_JACCARD * N) / n,
        title="Jaccard indices of the two classes, weighted by their frequency",
        aliases=("frequency_weighted_intersection_over_union",),
        range=UNIT,
        cites=(Citation("long2015", "frequency weighted IU at two classes"),),
    ),
    Metric(
        "kent_foster_2",
        -FN * FP / ((TN + ERRORS) * ERRORS - FN * FP),
        title="Kent and Foster's agreement on nonoccurrence",
        range=Interval(-Rational(1, 3), 0),
        cites=(
            Citation("kent1977", "agreement on nonoccurrence beyond chance"),
            Citation("haghighi2018", "KentFosterII"),
        ),
    ),
    Metric(
        "clement",
        (PPV * ON + NPV * OP) / n,
        title="Clement's agreement",
        range=UNIT,
        cites=(Citation("clement1976", "formula for agreement"), Citation("haghighi2018", "Clement")),
    ),
    Metric(
        "consonni_todeschini_1",
        ln(1 + _HITS) / _LOG_SIZE,
        title="Consonni and Todeschini's first similarity",
        range=UNIT,
        cites=(Citation("consonni2012", "CT1"), Citation("haghighi2018", "ConsonniTodeschiniI")),
    ),
    Metric(
        "consonni_todeschini_2",
        (_LOG_SIZE - ln(1 + ERRORS)) / _LOG_SIZE,
        title="Consonni and Todeschini's second similarity",
        range=UNIT,
        cites=(Citation("consonni2012", "CT2"), Citation("haghighi2018", "ConsonniTodeschiniII")),
    ),
    Metric(
        "consonni_todeschini_3",
        ln(1 + TP) / _LOG_SIZE,
        title="Consonni and Todeschini's third similarity",
        range=UNIT,
        cites=(Citation("consonni2012", "CT3"), Citation("haghighi2018", "ConsonniTodeschiniIII")),
    ),
    Metric(
        "consonni_todeschini_5",
        (ln(1 + TP * TN) - ln(1 + FN * FP)) / ln(1 + n**2 / 4),
        title="Consonni and Todeschini's fifth similarity",
        range=SIGNED_UNIT,
        cites=(Citation("consonni2012", "CT5"), Citation("haghighi2018", "ConsonniTodeschiniV")),
    ),
    Metric(
        "tarantula",
        TPR / (TPR + FPR),
        title="Tarantula's suspiciousness",
        range=UNIT,
        cites=(Citation("jones2005", "suspiciousness of a statement"),),
    ),
    Metric(
        "ample",
        Abs(TPR - FPR),
        title="Ample's weight",
        range=UNIT,
        greater_is_better=None,
        cites=(Citation("abreu2006", "AMPLE coefficient"),),
    ),
    Metric(
        "ample_by_prediction",
        Abs(PPV - FN / ON),
        title="Ample's weight with the roles of label and prediction exchanged",
        range=UNIT,
        greater_is_better=None,
        cites=(Citation("haghighi2018", "AMPLE"),),
    ),
)
