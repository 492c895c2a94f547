"""Similarity of the positive examples and the examples predicted positive: overlap against what is in one only."""

from __future__ import annotations

from typing import Final

from sympy import Abs, Interval, Rational, oo, sqrt

from symmetrics.language.cells import FN, FP, OP, PPV, TP, TPR, P
from symmetrics.language.definition import Citation
from symmetrics.library.shared import ERRORS, NON_NEGATIVE, SIGNED_UNIT, UNIT, larger, ln, smaller
from symmetrics.metric import Metric

_EITHER: Final = TP + FN + FP

RECORDS: Final[tuple[Metric, ...]] = (
    Metric(
        "three_w_jaccard",
        3 * TP / (3 * TP + ERRORS),
        title="Jaccard index with the overlap counted three times",
        range=UNIT,
        cites=(Citation("choi2010", "3W-Jaccard"),),
    ),
    Metric(
        "sokal_sneath_1",
        TP / (TP + 2 * ERRORS),
        title="Sokal and Sneath's first index",
        range=UNIT,
        cites=(
            Citation("sokal1963", "overlap with the mismatches counted twice"),
            Citation("choi2010", "Sokal&Sneath-I"),
        ),
    ),
    Metric(
        "kulczynski_1",
        TP / ERRORS,
        title="Kulczynski's first index",
        range=NON_NEGATIVE,
        cites=(Citation("choi2010", "Kulczynski-I"),),
    ),
    Metric(
        "johnson",
        PPV + TPR,
        title="Johnson's similarity",
        range=Interval(0, 2),
        cites=(Citation("choi2010", "Johnson"),),
    ),
    Metric(
        "mcconnaughey",
        PPV + TPR - 1,
        title="McConnaughey's index",
        aliases=("individual_classification_success_index", "icsi"),
        range=SIGNED_UNIT,
        cites=(
            Citation("mcconnaughey1964", "index of affinity"),
            Citation("choi2010", "McConnaughey"),
            Citation("haghighi2018", "ICSI"),
        ),
    ),
    Metric(
        "sorgenfrei",
        PPV * TPR,
        title="Sorgenfrei's index",
        range=UNIT,
        cites=(Citation("sorgenfrei1958", "correlation ratio"), Citation("choi2010", "Sorgenfrei")),
    ),
    Metric(
        "overlap_coefficient",
        TP / smaller(P, OP),
        title="Overlap coefficient",
        aliases=("simpson", "szymkiewicz_simpson", "max_confidence"),
        range=UNIT,
        cites=(
            Citation("choi2010", "Simpson"),
            Citation("haghighi2018", "OC"),
            Citation("tan2002", "confidence"),
            Citation("wu2010", "max-confidence"),
        ),
    ),
    Metric(
        "mountford",
        2 * TP / (TP * ERRORS + 2 * FN * FP),
        title="Mountford's index of similarity",
        range=NON_NEGATIVE,
        cites=(Citation("mountford1962", "approximate index"), Citation("choi2010", "Mountford")),
    ),
    Metric(
        "fager_mcgowan",
        TP / sqrt(P * OP) - 1 / (2 * sqrt(larger(P, OP))),
        title="Fager and McGowan's index of affinity",
        range=Interval(-oo, 1),
        cites=(Citation("fager1963", "index of affinity"), Citation("haghighi2018", "FagerMcGowan")),
    ),
    Metric(
        "fager_mcgowan_survey",
        TP / sqrt(P * OP) - larger(P, OP) / 2,
        title="Fager and McGowan's index as surveys print it",
        range=Interval(-oo, 1),
        cites=(Citation("choi2010", "Fager&McGowan"),),
    ),
    Metric(
        "volumetric_similarity",
        1 - Abs(FN - FP) / (P + OP),
        title="Volumetric similarity",
        range=UNIT,
        cites=(Citation("taha2015", "volumetric similarity"),),
    ),
    Metric(
        "kent_foster_1",
        -FN * FP / (_EITHER * ERRORS - FN * FP),
        title="Kent and Foster's agreement on occurrence",
        range=Interval(-Rational(1, 3), 0),
        cites=(Citation("kent1977", "agreement on occurrence beyond chance"), Citation("haghighi2018", "KentFosterI")),
    ),
    Metric(
        "consonni_todeschini_4",
        ln(1 + TP) / ln(1 + _EITHER),
        title="Consonni and Todeschini's fourth similarity",
        range=UNIT,
        cites=(Citation("consonni2012", "CT4"), Citation("haghighi2018", "ConsonniTodeschiniIV")),
    ),
    Metric(
        "koppen_2",
        TP + ERRORS / 2,
        title="Köppen's second measure",
        range=NON_NEGATIVE,
        greater_is_better=None,
        cites=(Citation("haghighi2018", "KoppenII"),),
    ),
)
