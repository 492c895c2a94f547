"""Excess over independence: true positives beyond those expected from the margins, relative to the possible excess."""

from __future__ import annotations

from typing import Final

from sympy import Interval, Rational, sqrt

from symmetrics.language.cells import FN, FP, ON, OP, TP, N, P, n
from symmetrics.language.definition import Citation
from symmetrics.library.shared import CROSS_DIFFERENCE, REALS, SIGNED_UNIT, UP_TO_ONE, larger, smaller
from symmetrics.metric import Metric

_EXCESS: Final = CROSS_DIFFERENCE / n
_FROM_MINUS_HALF: Final = Interval(-Rational(1, 2), 1)
_UNION: Final = TP + FN + FP

RECORDS: Final[tuple[Metric, ...]] = (
    Metric(
        "determinant",
        CROSS_DIFFERENCE,
        title="Determinant of the table",
        aliases=("cross_product_difference",),
        range=REALS,
        cites=(Citation("powers2011", "determinant of the contingency table"),),
    ),
    Metric(
        "kuhns_1",
        2 * CROSS_DIFFERENCE / n**2,
        title="Kuhns' coefficient of separation",
        range=Interval(-Rational(1, 2), Rational(1, 2)),
        cites=(
            Citation("kuhns1965", "separation"),
            Citation("haghighi2018", "KuhnsI"),
        ),
    ),
    Metric(
        "kuhns_2",
        _EXCESS / larger(P, OP),
        title="Kuhns' rectangular distance",
        range=_FROM_MINUS_HALF,
        cites=(
            Citation("kuhns1965", "rectangular distance"),
            Citation("haghighi2018", "KuhnsII"),
        ),
    ),
    Metric(
        "kuhns_3",
        _EXCESS * (P + OP) / (_UNION * (P + OP - P * OP / n)),
        title="Kuhns' proportion of overlap above independence",
        range=Interval(-Rational(1, 3), 1),
        cites=(
            Citation("kuhns1965", "proportion of overlap above independence"),
            Citation("haghighi2018", "KuhnsIII"),
        ),
    ),
    Metric(
        "kuhns_4",
        _EXCESS / smaller(P, OP),
        title="Kuhns' conditional probability",
        range=SIGNED_UNIT,
        cites=(
            Citation("kuhns1965", "conditional probability"),
            Citation("haghighi2018", "KuhnsIV"),
        ),
    ),
    Metric(
        "kuhns_5",
        CROSS_DIFFERENCE / larger(P * N, OP * ON),
        title="Kuhns' probability difference with the larger variance",
        range=SIGNED_UNIT,
        cites=(
            Citation("kuhns1965", "probability difference alpha"),
            Citation("haghighi2018", "KuhnsV"),
        ),
    ),
    Metric(
        "kuhns_6",
        CROSS_DIFFERENCE / smaller(P * N, OP * ON),
        title="Kuhns' probability difference with the smaller variance",
        range=SIGNED_UNIT,
        cites=(
            Citation("kuhns1965", "probability difference beta"),
            Citation("haghighi2018", "KuhnsVI"),
        ),
    ),
    Metric(
        "kuhns_7",
        _EXCESS / sqrt(P * OP),
        title="Kuhns' angle between vectors",
        range=_FROM_MINUS_HALF,
        cites=(
            Citation("kuhns1965", "angle between vectors"),
            Citation("haghighi2018", "KuhnsVII"),
        ),
    ),
    Metric(
        "kuhns_8",
        2 * _EXCESS / (P + OP),
        title="Kuhns' coefficient of arithmetic means",
        range=_FROM_MINUS_HALF,
        cites=(Citation("kuhns1965", "arithmetic mean"),),
    ),
    Metric(
        "benini_1",
        CROSS_DIFFERENCE / (P * ON),
        title="Benini's attraction",
        range=UP_TO_ONE,
        cites=(
            Citation("benini1901", "index of attraction"),
            Citation("haghighi2018", "BeniniI"),
        ),
    ),
    Metric(
        "loevinger_h",
        CROSS_DIFFERENCE / smaller(P * ON, OP * N),
        title="Loevinger's H",
        aliases=(
            "benini_2",
            "forbes_2",
            "kappa_over_maximum",
            "phi_over_maximum",
        ),
        range=UP_TO_ONE,
        cites=(
            Citation("loevinger1948", "homogeneity of two items"),
            Citation("warrens2008", "corrected for chance and maximum value"),
            Citation("haghighi2018", "BeniniII, ForbesII"),
            Citation("choi2010", "Forbes-II"),
        ),
    ),
    Metric(
        "cole",
        larger(CROSS_DIFFERENCE, 0) / smaller(P * ON, OP * N) - larger(-CROSS_DIFFERENCE, 0) / smaller(P * OP, N * ON),
        title="Cole's coefficient of interspecific association",
        aliases=(
            "cole_c7",
            "lewontin_d_prime",
        ),
        range=SIGNED_UNIT,
        cites=(Citation("cole1949", "coefficient C7"),),
    ),
    Metric(
        "tarwid",
        (TP * n - P * OP) / (TP * n + P * OP),
        title="Tarwid's coefficient",
        range=SIGNED_UNIT,
        cites=(
            Citation("tarwid1960", "coefficient of co-occurrence"),
            Citation("choi2010", "Tarwid"),
        ),
    ),
    Metric(
        "dennis",
        CROSS_DIFFERENCE / sqrt(n * P * OP),
        title="Dennis's association",
        range=REALS,
        cites=(
            Citation("dennis1965", "association of two terms"),
            Citation("choi2010", "Dennis"),
            Citation("haghighi2018", "Dennis"),
        ),
    ),
    Metric(
        "eyraud",
        CROSS_DIFFERENCE * n**2 / (P * OP * N * ON),
        title="Eyraud's index",
        range=REALS,
        cites=(Citation("choi2010", "Eyraud"),),
    ),
    Metric(
        "stuart_tau_c",
        4 * CROSS_DIFFERENCE / n**2,
        title="Stuart's tau-c",
        aliases=("kendall_tau_c",),
        range=SIGNED_UNIT,
        cites=(Citation("stuart1953", "tau_c, two by two"),),
    ),
    Metric(
        "kendall_tau_a",
        2 * CROSS_DIFFERENCE / (n * (n - 1)),
        title="Kendall's tau-a",
        cites=(Citation("kendall1938", "definition of tau; ties count as neither"),),
    ),
)
