"""Distances and dissimilarities of label and prediction: smallest where they agree."""

from __future__ import annotations

from typing import Final

from sympy import Abs, Interval, Rational, sqrt

from symmetrics.language.cells import FN, FP, OP, PPV, TN, TP, TPR, P, n
from symmetrics.language.definition import Citation
from symmetrics.library.shared import CROSS_DIFFERENCE, ERRORS, NON_NEGATIVE, REALS, UNIT, larger
from symmetrics.metric import Metric

_WORSE_ERRORS: Final = ERRORS + larger(FN, FP)
_CUBIC: Final = TP * (TP - 4) ** 2
_COSINE_DISTANCE: Final = 1 - TP / sqrt(P * OP)

RECORDS: Final[tuple[Metric, ...]] = (
    Metric(
        "hamming_distance",
        ERRORS,
        title="Hamming distance",
        aliases=(
            "manhattan_distance",
            "city_block_distance",
            "squared_euclidean_distance",
        ),
        range=NON_NEGATIVE,
        greater_is_better=False,
        cites=(
            Citation("choi2010", "Hamming"),
            Citation("haghighi2018", "HD"),
        ),
    ),
    Metric(
        "euclidean_distance",
        sqrt(ERRORS),
        title="Euclidean distance",
        range=NON_NEGATIVE,
        greater_is_better=False,
        cites=(Citation("choi2010", "Euclid"),),
    ),
    Metric(
        "bray_curtis",
        ERRORS / (P + OP),
        title="Bray-Curtis dissimilarity",
        aliases=(
            "canberra",
            "lance_williams",
            "sorensen_distance",
        ),
        range=UNIT,
        greater_is_better=False,
        cites=(
            Citation("choi2010", "Bray&Curtis"),
            Citation("haghighi2018", "Canberra"),
        ),
    ),
    Metric(
        "bray_curtis_of_totals",
        Abs(OP - P) / (2 * n),
        title="Bray-Curtis dissimilarity of the totals, one class's share",
        range=Interval(0, Rational(1, 2)),
        greater_is_better=False,
        cites=(Citation("haghighi2018", "BCD"),),
    ),
    Metric(
        "automatic_manual_difference",
        OP - P,
        title="Automatic minus manual count",
        range=REALS,
        greater_is_better=None,
        cites=(Citation("haghighi2018", "AM"),),
    ),
    Metric(
        "jaccard_distance",
        ERRORS / (TP + ERRORS),
        title="Jaccard distance",
        aliases=("soergel",),
        range=UNIT,
        greater_is_better=False,
        cites=(Citation("choi2010", "complement of Jaccard"),),
    ),
    Metric(
        "chord_distance",
        sqrt(2 * _COSINE_DISTANCE),
        title="Chord distance",
        range=Interval(0, sqrt(2)),
        greater_is_better=False,
        cites=(
            Citation("orloci1967", "chord distance"),
            Citation("choi2010", "Chord"),
        ),
    ),
    Metric(
        "hellinger_distance",
        2 * sqrt(_COSINE_DISTANCE),
        title="Hellinger distance",
        range=Interval(0, 2),
        greater_is_better=False,
        cites=(Citation("choi2010", "Hellinger"),),
    ),
    Metric(
        "size_difference",
        (ERRORS / n) ** 2,
        title="Size difference",
        range=UNIT,
        greater_is_better=False,
        cites=(Citation("choi2010", "SizeDifference"),),
    ),
    Metric(
        "shape_difference",
        (n * ERRORS - (FN - FP) ** 2) / n**2,
        title="Shape difference",
        range=UNIT,
        greater_is_better=False,
        cites=(Citation("choi2010", "ShapeDifference"),),
    ),
    Metric(
        "pattern_difference",
        4 * FN * FP / n**2,
        title="Pattern difference",
        range=UNIT,
        greater_is_better=False,
        cites=(
            Citation("batagelj1995", "pattern difference"),
            Citation("choi2010", "PatternDifference"),
        ),
    ),
    Metric(
        "yule_q_distance",
        2 * FN * FP / (TP * TN + FN * FP),
        title="Complement of Yule's Q",
        range=Interval(0, 2),
        greater_is_better=False,
        cites=(Citation("choi2010", "distance Yule-Q"),),
    ),
    Metric(
        "batagelj_bren",
        FN * FP / (TP * TN),
        title="Batagelj and Bren's dissimilarity",
        range=NON_NEGATIVE,
        greater_is_better=False,
        cites=(
            Citation("batagelj1995", "dissimilarity Q_0"),
            Citation("haghighi2018", "BatageljBren"),
        ),
    ),
    Metric(
        "baulieu_1",
        1 - PPV * TPR,
        title="Baulieu's dissimilarity I",
        range=UNIT,
        greater_is_better=False,
        cites=(
            Citation("baulieu1989", "coefficient 12"),
            Citation("haghighi2018", "BaulieuI"),
        ),
    ),
    Metric(
        "baulieu_3",
        Rational(1, 2) - 2 * CROSS_DIFFERENCE / n**2,
        title="Baulieu's dissimilarity III",
        range=UNIT,
        greater_is_better=False,
        cites=(
            Citation("baulieu1989", "half of coefficient 20"),
            Citation("haghighi2018", "BaulieuIII"),
        ),
    ),
    Metric(
        "baulieu_5",
        (ERRORS + 1) / (TP + ERRORS + 1),
        title="Baulieu's dissimilarity V",
        range=UNIT,
        greater_is_better=False,
        cites=(
            Citation("baulieu1997", "coefficient 23"),
            Citation("haghighi2018", "BaulieuV"),
        ),
    ),
    Metric(
        "baulieu_6",
        ERRORS / (TP + ERRORS + 1),
        title="Baulieu's dissimilarity VI",
        range=UNIT,
        greater_is_better=False,
        cites=(
            Citation("baulieu1997", "coefficient 24"),
            Citation("haghighi2018", "BaulieuVI"),
        ),
    ),
    Metric(
        "baulieu_7",
        ERRORS / (n + _CUBIC),
        title="Baulieu's dissimilarity VII",
        range=UNIT,
        greater_is_better=False,
        cites=(
            Citation("baulieu1997", "coefficient 25"),
            Citation("haghighi2018", "BaulieuVII"),
        ),
    ),
    Metric(
        "baulieu_8",
        (FP - FN) ** 2 / n**2,
        title="Baulieu's dissimilarity VIII",
        range=UNIT,
        greater_is_better=False,
        cites=(
            Citation("baulieu1997", "coefficient 26"),
            Citation("haghighi2018", "BaulieuVIII"),
        ),
    ),
    Metric(
        "baulieu_9",
        (FP + 2 * FN) / (n + FN),
        title="Baulieu's dissimilarity IX",
        range=UNIT,
        greater_is_better=False,
        cites=(
            Citation("baulieu1997", "coefficient 27"),
            Citation("haghighi2018", "BaulieuIX"),
        ),
    ),
    Metric(
        "baulieu_10",
        _WORSE_ERRORS / (n + larger(FN, FP)),
        title="Baulieu's dissimilarity X",
        range=UNIT,
        greater_is_better=False,
        cites=(
            Citation("baulieu1997", "coefficient 28"),
            Citation("haghighi2018", "BaulieuX"),
        ),
    ),
    Metric(
        "baulieu_11",
        ERRORS / (TN + ERRORS),
        title="Baulieu's dissimilarity XI",
        range=UNIT,
        greater_is_better=False,
        cites=(
            Citation("baulieu1997", "coefficient 29"),
            Citation("haghighi2018", "BaulieuXI"),
        ),
    ),
    Metric(
        "baulieu_12",
        ERRORS / (TP + ERRORS - 1),
        title="Baulieu's dissimilarity XII",
        greater_is_better=False,
        cites=(
            Citation("baulieu1997", "coefficient 30"),
            Citation("haghighi2018", "BaulieuXII"),
        ),
    ),
    Metric(
        "baulieu_13",
        ERRORS / (TP + ERRORS + _CUBIC),
        title="Baulieu's dissimilarity XIII",
        range=UNIT,
        greater_is_better=False,
        cites=(
            Citation("baulieu1997", "coefficient 31"),
            Citation("haghighi2018", "BaulieuXIII"),
        ),
    ),
    Metric(
        "baulieu_14",
        (FP + 2 * FN) / (TP + FP + 2 * FN),
        title="Baulieu's dissimilarity XIV",
        range=UNIT,
        greater_is_better=False,
        cites=(
            Citation("baulieu1997", "coefficient 32"),
            Citation("haghighi2018", "BaulieuXIV"),
        ),
    ),
    Metric(
        "baulieu_15",
        _WORSE_ERRORS / (TP + _WORSE_ERRORS),
        title="Baulieu's dissimilarity XV",
        range=UNIT,
        greater_is_better=False,
        cites=(
            Citation("baulieu1997", "coefficient 33"),
            Citation("haghighi2018", "BaulieuXV"),
        ),
    ),
)
