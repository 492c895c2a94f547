"""The scale of table 3 of Branco, Torgo & Ribeiro (2017), from the worst performance, 0 %, to the best, 100 %."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Final

from sympy import Expr, Rational, simplify

import symmetrics as sm
from symmetrics import FN, FP, TP
from symmetrics.matrices import multiclass
from symmetrics.papers.branco2017 import experiment
from symmetrics.papers.claims import PaperClaim, Ruling, by_computation, with_reading, within

from .shared import METRICS, exact_value, slug, statement

WRONG: Final = ((0, 1, 0), (0, 0, 1), (1, 0, 0))
EVENLY_WRONG: Final = ((0, 1, 1), (1, 0, 1), (1, 1, 0))
EXCHANGED: Final = ((0, 1, 0), (1, 0, 0), (0, 0, 0))
CHANCE: Final = ((1, 1, 1), (1, 1, 1), (1, 1, 1))
WORST: Final = {"MCC": EXCHANGED, "RCI": CHANCE, "CEN": EVENLY_WRONG}
"""Matrices of three classes with the worst value; for the other metrics it is one in which all is wrong."""


def _values() -> Iterator[PaperClaim]:
    for name in METRICS:
        yield statement(
            f"normalised_best_{slug(name)}",
            f"section 2 and table 3, {name}",
            "special case",
            f"a normalised {name} of 100 % is the best possible performance",
            partial(_best, name),
        )
        worst = statement(
            f"normalised_worst_{slug(name)}",
            f"section 2 and table 3, {name}",
            "special case",
            f"a normalised {name} of 0 % is the worst possible performance, for 3 classes",
            partial(_worst, name),
        )
        if name != "MCC":
            yield worst
            continue
        printed_as = f"a normalised {name} of 0 % is the worst possible performance, for the classes of case 1"
        yield from with_reading(
            replace(worst, printed=printed_as, judge=_worst_correlation),
            "worst of all matrices with 3 classes of any sizes",
            partial(_worst, name),
        )
    for name, formula, lower in (
        ("recall", TP / (TP + FN), 0),
        ("precision", TP / (TP + FP), 0),
        ("accuracy", sm.metrics["accuracy"].expr, 0),
        ("cba", sm.metrics["all_confidence"].expr, 0),
        ("mcc", sm.metrics["mcc"].expr, -1),
        ("gmean", sm.metrics["gmean"].expr, 0),
        ("f1", sm.metrics["f1"].expr, 0),
    ):
        yield statement(
            f"range_{name}",
            "section 2 and table 3",
            "inequality",
            f"{name} of one class against the rest is within [{lower}, 1]",
            partial(within, formula, lower, 1),
        )


def _percent(name: str, matrix: Sequence[Sequence[int]]) -> Expr:
    return 100 * experiment._normalised(experiment._plain_metrics()[name][0], exact_value(name, matrix))


def _best(name: str) -> Ruling:
    matrix = ((5, 0, 0), (0, 10, 0), (0, 0, 300))
    value = simplify(_percent(name, matrix))
    return by_computation(value == 100, f"{value} % if the 5, 10 and 300 examples of 3 classes are all predicted right")


def _worst(name: str) -> Ruling:
    matrix = WORST.get(name, WRONG)
    value = _percent(name, matrix)
    rows = [list(row) for row in matrix]
    reason = _LEAST.get(name, "is a mean of values that are not negative")
    return by_computation(value == 0, f"{value} % for {rows}, and none is below: {name} {reason}")


def _worst_correlation() -> Ruling:
    """Look for the worst MCC of all matrices whose classes have 5, 10 and 300 examples, by their numbers predicted.

    With t and p the trace alone matters, and it is at least t_k + p_k - N for every class.  All p are gone through.
    """
    true, total = (5, 10, 300), 315
    least, found = Fraction(0), (0, 0, 0)  # of MCC·|MCC|·(N² - Σ t²), which has the order of MCC
    for first in range(total + 1):
        for second in range(total + 1 - first):
            predicted = (first, second, total - first - second)
            around = total**2 - sum(p * p for p in predicted)
            trace = max(0, *(t + p - total for t, p in zip(true, predicted, strict=True)))
            numerator = total * trace - sum(t * p for t, p in zip(true, predicted, strict=True))
            if around and numerator < 0 and -numerator * numerator * least.denominator < least.numerator * around:
                least, found = Fraction(-numerator * numerator, around), predicted
    value = multiclass["mcc"].exact(((0, 0, 5), (0, 0, 10), (0, 300, 0)))
    spread = total**2 - sum(t * t for t in true)
    shown = found == (0, 300, 15) and -(value**2) * spread == Rational(least.numerator, least.denominator)
    evidence = (
        "with 5, 10 and 300 examples MCC is at least -(10·300 + 300·15)/sqrt(9100·9000) = "
        f"{float(value):.3f}, for [[0, 0, 5], [0, 0, 10], [0, 300, 0]] and every number of predictions gone through; "
        f"normalised that is {100 * (float(value) + 1) / 2:.1f} %, not 0 %"
    )
    if not shown:
        return Ruling("open", f"not established: {evidence}")
    return by_computation(value == -1, evidence, f"{100 * (float(value) + 1) / 2:.1f} %", basis="enumeration")


_LEAST: Final = {
    "MAvG": "is a root of what is not negative",
    "MCC": "is a correlation, at least -1 by the inequality of Cauchy and Schwarz",
    "RCI": "is mutual information over entropy, and neither is negative",
    "CEN": "is at most 1 for C > 2: -Σ x·log x over 2(C - 1) shares with a sum of at most 1 is largest where they are "
    "equal; for 2 classes it can be more, 0.6·log2(10/3) = 1.042 for [[2, 3], [3, 2]]",
}
"""Why no value is worse."""


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _values()
