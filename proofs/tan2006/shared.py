"""What the claims of Tan, Steinbach & Kumar (2006) share: how one is made, the formulas as printed, the numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from sympy import S, symbols

import symmetrics as sm
from symmetrics.language.cells import FN, FP, TN, TP, N, P, Table
from symmetrics.papers.claims import Kind, PaperClaim, Ruling, decided
from symmetrics.papers.tan2006 import experiment

FACTS: Final = Path(experiment.__file__).with_name("printed.json")

METRICS = sm.metrics
TPR, TNR, FPR, FNR = TP / (TP + FN), TN / (TN + FP), FP / (TN + FP), FN / (TP + FN)
PRECISION, RECALL = TP / (TP + FP), TP / (TP + FN)
F1_OF_RATES, F1_OF_COUNTS = 2 * RECALL * PRECISION / (RECALL + PRECISION), 2 * TP / (2 * TP + FP + FN)
(BETA,) = METRICS["f_beta"].parameters
SQUARE = BETA.symbol**2
F_OF_RATES = (SQUARE + 1) * RECALL * PRECISION / (RECALL + SQUARE * PRECISION)
F_OF_COUNTS = (SQUARE + 1) * TP / ((SQUARE + 1) * TP + SQUARE * FP + FN)
WEIGHTS = METRICS["weighted_accuracy"].parameters
W1, W2, W3, W4 = (weight.symbol for weight in WEIGHTS)
WEIGHTED = (W1 * TP + W4 * TN) / (W1 * TP + W2 * FP + W3 * FN + W4 * TN)
WEIGHTED_EXCHANGED = (W1 * TP + W4 * TN) / (W1 * TP + W2 * FN + W3 * FP + W4 * TN)

CHANCE = sm.Parameter.parse("p in (0, 1)")
ALL_NEGATIVE: Table = (S.Zero, P, S.Zero, N)
ALL_POSITIVE: Table = (P, S.Zero, N, S.Zero)
IDEAL: Table = (P, S.Zero, S.Zero, N)
RANDOM: Table = (CHANCE.symbol * P, (1 - CHANCE.symbol) * P, CHANCE.symbol * N, (1 - CHANCE.symbol) * N)
"""The expected cells of a classifier that guesses positive with the probability p."""
AREA = (TPR + TNR) / 2
"""The area under the ROC curve through one operating point."""

X, Y = TWO_NUMBERS = symbols("x y", real=True)
"""Any two positive numbers."""


def statement(key: str, place: str, kind: Kind, printed: str, judge: Callable[[], Ruling]) -> PaperClaim:
    return PaperClaim(f"tan2006.{key}", place, kind, printed, judge)


def property_verdict(metric: str, key: str) -> sm.Verdict:
    return decided(sm.properties[key].claim(METRICS[metric]))


def printed_facts() -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(FACTS.read_text(encoding="utf-8"))
    return facts
