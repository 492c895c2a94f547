"""Agreement between label and prediction, corrected for the agreement that is due to chance."""

from __future__ import annotations

from typing import Final

from sympy import Interval, Max, Rational

from symmetrics.cells import FN, FP, ON, OP, TN, TP, N, P, n
from symmetrics.definition import Citation
from symmetrics.library.shared import ACCURACY, CHANCE, NON_NEGATIVE, SIGNED_UNIT, UNIT
from symmetrics.metric import Metric

__all__ = ["RECORDS"]

_RANDOM_HITS: Final = P * OP / n
_POOLED_POSITIVE: Final = (P + OP) / n / 2
_POOLED_NEGATIVE: Final = (N + ON) / n / 2
_SCOTT_CHANCE: Final = _POOLED_POSITIVE**2 + _POOLED_NEGATIVE**2
_GWET_CHANCE: Final = 2 * _POOLED_POSITIVE * _POOLED_NEGATIVE

RECORDS: Final[tuple[Metric, ...]] = (
    Metric(
        "kappa",
        (ACCURACY - CHANCE) / (1 - CHANCE),
        title="Cohen's kappa",
        aliases=("cohen_kappa", "heidke_skill_score"),
        range=SIGNED_UNIT,
        cites=(Citation("garcia2012", "section 2, kappa"), Citation("cohen1960", "definition of kappa")),
    ),
    Metric(
        "expected_agreement",
        CHANCE,
        title="Agreement expected by chance",
        aliases=("chance_agreement",),
        range=UNIT,
        greater_is_better=None,
        cites=(Citation("garcia2012", "section 2, P_e"), Citation("cohen1960", "agreement expected by chance")),
    ),
    Metric(
        "scott_pi",
        (ACCURACY - _SCOTT_CHANCE) / (1 - _SCOTT_CHANCE),
        title="Scott's pi",
        range=SIGNED_UNIT,
        cites=(Citation("scott1955", "definition of pi"),),
    ),
    Metric(
        "gwet_ac1",
        (ACCURACY - _GWET_CHANCE) / (1 - _GWET_CHANCE),
        title="Gwet's AC1",
        aliases=("ac1",),
        range=SIGNED_UNIT,
        cites=(Citation("gwet2008", "definition of AC1 for two raters"),),
    ),
    Metric(
        "bennett_s",
        2 * ACCURACY - 1,
        title="Bennett, Alpert and Goldstein's S",
        aliases=("pabak", "brennan_prediger"),
        range=SIGNED_UNIT,
        cites=(Citation("bennett1954", "definition of S, two categories"),),
    ),
    Metric(
        "gilbert_skill_score",
        (TP - _RANDOM_HITS) / (TP + FN + FP - _RANDOM_HITS),
        title="Gilbert skill score",
        aliases=("equitable_threat_score",),
        range=Interval(-Rational(1, 3), 1),
        cites=(
            Citation("gilbert1884", "ratio of success"),
            Citation("schaefer1990", "Gilbert skill score"),
        ),
    ),
    Metric(
        "collective_strength",
        ACCURACY / CHANCE * (1 - CHANCE) / (1 - ACCURACY),
        title="Collective strength",
        range=NON_NEGATIVE,
        cites=(Citation("aggarwal1998", "collective strength"), Citation("tan2004", "collective strength S")),
    ),
    Metric(
        "goodman_kruskal_lambda",
        (Max(TP, FP) + Max(FN, TN) - Max(P, N)) / (n - Max(P, N)),
        title="Goodman and Kruskal's lambda of the class given the prediction",
        range=UNIT,
        greater_is_better=None,
        cites=(Citation("goodman1954", "asymmetric lambda"),),
    ),
)
