"""What the claims of Landgrebe and others (2005) share: how one is made, table 2, and equation (5) in numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from sympy import Rational

import symmetrics as sm
from symmetrics.language.cells import FN, FP, OP, TN, TP, N, P, n
from symmetrics.papers.claims import Kind, PaperClaim, Ruling
from symmetrics.papers.landgrebe2005 import experiment

FACTS: Final = Path(experiment.__file__).with_name("printed.json")

METRICS = sm.metrics
TPR, FPR, TNR, FNR = TP / P, FP / N, TN / N, FN / P
POSFRAC, PURITY = OP / n, TP / OP
TARGET_PRIOR, OTHER_PRIOR = P / n, N / n

TARGET = Rational(80)
"""The true positive rate of the case studies, in percent."""
LINEAR_AT_HALF = Rational("52.14")
"""What table 2 prints for the linear classifier on the Highleyman classes at a prior of 1/2, in percent."""


def statement(key: str, place: str, kind: Kind, printed: str, judge: Callable[[], Ruling]) -> PaperClaim:
    return PaperClaim(f"landgrebe2005.{key}", place, kind, printed, judge)


def table_2() -> dict[str, dict[str, dict[str, list[str]]]]:
    facts: dict[str, Any] = json.loads(FACTS.read_text(encoding="utf-8"))
    table: dict[str, dict[str, dict[str, list[str]]]] = facts["table2"]
    return table


def number(problem: str, prior: str, classifier: str) -> Rational:
    return Rational(table_2()[problem][prior][classifier][0])


def false_positive_rate(posfrac: Rational, prior: str) -> Rational:
    """Return FPr by equation (5), in percent."""
    return (posfrac - Rational(prior) * TARGET) / (1 - Rational(prior))


def posfrac_of(fpr: Rational, prior: str) -> Rational:
    """Return POSfrac by equation (5), in percent."""
    return Rational(prior) * TARGET + (1 - Rational(prior)) * fpr
