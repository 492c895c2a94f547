"""The formulas of García, Sánchez & Mollineda (2012) as they are printed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sympy import Abs, sqrt

import symmetrics as sm
from symmetrics.language.cells import ON, OP, TN, TP, N, P, n, parameter_symbol
from symmetrics.library.selections import GARCIA_METRICS
from symmetrics.papers.claims import Kind, PaperClaim, Ruling

NAMES: Final = dict(
    zip(
        GARCIA_METRICS,
        ("TPr", "TNr", "Prec", "Acc", "Gm", "AUC", "F1", "OP", "IBA(Gm)", "kappa", "AGm", "cwA", "wAUC"),
        strict=True,
    )
)
"""The paper's names."""

TPR, TNR, PREC = TP / P, TN / N, TP / OP
ACC, GM, AUC = (TP + TN) / n, sqrt(TPR * TNR), (TPR + TNR) / 2
CHANCE = (P * OP + N * ON) / n**2
DOMINANCE = TPR - TNR
METRICS = sm.metrics
(BETA,), (W,), (ALPHA,), (SHARE,) = (METRICS[key].parameters for key in ("f_beta", "cwa", "iba_gmean", "wauc"))
F = (1 + BETA.symbol**2) * TPR * PREC / (BETA.symbol**2 * PREC + TPR)
IBA = (1 + ALPHA.symbol * DOMINANCE) * GM
CWA = W.symbol * TPR + (1 - W.symbol) * TNR
AGM = (GM + TNR * (N / n)) / (1 + N / n)
OPTIMIZED = ACC - Abs(TNR - TPR) / (TNR + TPR)
K = parameter_symbol("k")
"""How often negative examples are as frequent as positive ones."""
BOTTOM, TOP = TPR * (1 + TNR) / 2, (1 - TPR) * TNR / 2
"""The strips of the ROC plane below and above one operating point, under the curve through it."""


def statement(key: str, place: str, kind: Kind, printed: str, judge: Callable[[], Ruling]) -> PaperClaim:
    return PaperClaim(f"garcia2012.{key}", place, kind, printed, judge)
