"""Section 5.7.1 of Tan, Steinbach & Kumar (2006): F_beta and the weighted accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sympy import Expr, S

import symmetrics as sm
from symmetrics.language.cells import FN, FP, TN, TP, n
from symmetrics.papers.claims import (
    STEP,
    PaperClaim,
    Ruling,
    at_least,
    equal,
    identity,
    tends_to,
    unreadable,
    with_reading,
    within,
)

from .shared import (
    BETA,
    F1_OF_COUNTS,
    F_OF_COUNTS,
    F_OF_RATES,
    METRICS,
    PRECISION,
    RECALL,
    SQUARE,
    W1,
    W2,
    W3,
    W4,
    WEIGHTED,
    WEIGHTED_EXCHANGED,
    WEIGHTS,
    statement,
)


def _f_beta() -> Iterator[PaperClaim]:
    place = "equation (5.77)"
    yield statement(
        "equation_5_77_first_form",
        place,
        "equation",
        "F_beta from recall and precision",
        lambda: unreadable(
            "its denominator is garbled; read as r + beta^2*p it is F_beta with the special cases that the text names"
        ),
    )
    yield statement(
        "equation_5_77_of_rates",
        place,
        "equation",
        "read as (beta^2 + 1)*r*p/(r + beta^2*p), the form from recall and precision is F_beta",
        lambda: equal(F_OF_RATES, METRICS["f_beta"].expr, BETA),
    )
    yield statement(
        "equation_5_77_second_form",
        place,
        "two forms",
        "F_beta = (beta^2 + 1)*TP/((beta^2 + 1)*TP + beta^2*FP + FN), of which precision is the case beta = 0",
        _second_form,
    )
    yield statement(
        "f_beta_unit",
        place,
        "inequality",
        "the form from the counts lies between 0 and 1",
        lambda: within(F_OF_COUNTS, 0, 1, BETA),
    )
    yield statement(
        "f_beta_at_one",
        place,
        "special case",
        "F_beta is more general than F_1, its case beta = 1",
        lambda: equal(F_OF_COUNTS.xreplace({BETA.symbol: S.One}), F1_OF_COUNTS),
    )
    place = "below (5.77)"
    note = "F_beta = (beta^2 + 1)*r*p/(r + beta^2*p)"
    yield statement(
        "f_beta_zero",
        place,
        "special case",
        "beta = 0 gives precision",
        lambda: equal(F_OF_RATES.xreplace({BETA.symbol: S.Zero}), PRECISION, note=note),
    )
    yield statement(
        "f_beta_infinity",
        place,
        "limit",
        "beta = infinity gives recall",
        lambda: tends_to(
            F_OF_RATES, RECALL, (TP, FN, FP, BETA.symbol / STEP), over=(TP, FN, FP, BETA.symbol), note=note
        ),
    )
    yield statement(
        "f_beta_moves",
        place,
        "words",
        "low values of beta bring F_beta closer to precision, high values closer to recall",
        lambda: at_least(
            F_OF_RATES.diff(BETA.symbol).xreplace({BETA.symbol: TN}) * (RECALL - PRECISION),
            S.Zero,
            note=f"{note}; its derivative by beta, for which TN stands, times r - p is nowhere negative",
        ),
    )


def _second_form() -> Ruling:
    zero = {BETA.symbol: S.Zero}
    corrected = (SQUARE + 1) * TP / ((SQUARE + 1) * TP + SQUARE * FN + FP)

    def proofs() -> Iterator[sm.Verdict]:
        yield identity(corrected, METRICS["f_beta"].expr, BETA)
        yield identity(corrected, F_OF_RATES, BETA)
        yield identity(corrected.xreplace(zero), PRECISION)

    correction = (
        "(beta^2 + 1)*TP/((beta^2 + 1)*TP + beta^2*FN + FP): proved equal to (beta^2 + 1)*r*p/(r + beta^2*p) for all "
        "beta, and to the precision at beta = 0",
        proofs,
    )
    note = "beta = 0 leaves TP/(TP + FN), the recall, on the left; the precision is on the right"
    return equal(F_OF_COUNTS.xreplace(zero), PRECISION, note=note, correction=correction)


def _weighted_accuracy() -> Iterator[PaperClaim]:
    place = "equation (5.78)"
    yield statement(
        "equation_5_78_unit",
        place,
        "inequality",
        "the weighted accuracy lies between 0 and 1 for weights that are not negative",
        lambda: within(WEIGHTED, 0, 1, *WEIGHTS),
    )
    place = "table below (5.78)"
    for name, (weights, target, text) in ROWS.items():
        shown = ", ".join(str(weight).replace("**", "^") for weight in weights)
        claim = statement(
            f"weights_{name}",
            place,
            "special case",
            f"w1, w2, w3, w4 = {shown} in (5.78), (w1*TP + w4*TN)/(w1*TP + w2*FP + w3*FN + w4*TN), give {text}",
            lambda weights=weights, target=target: _row(weights, target),
        )
        if name != "f_beta":
            yield claim
            continue
        yield from with_reading(
            claim,
            "F_beta is the second form of (5.77), from the counts, as it is misprinted there",
            lambda weights=weights: _row(weights, F_OF_COUNTS),
        )


ROWS: Final = {
    "recall": ((1, 1, 0, 0), RECALL, "the recall TP/(TP + FN)"),
    "precision": ((1, 0, 1, 0), PRECISION, "the precision TP/(TP + FP)"),
    "f_beta": ((SQUARE + 1, SQUARE, 1, 0), F_OF_RATES, "F_beta, of which precision is the case beta = 0"),
    "accuracy": ((1, 1, 1, 1), (TP + TN) / n, "the accuracy (TP + TN)/(TP + FP + FN + TN)"),
}
"""The rows of the table: weights, and what they are said to give."""


def _row(weights: tuple[object, ...], target: Expr) -> Ruling:
    printed = _with(WEIGHTED, weights)
    correction = (
        "(w1*TP + w4*TN)/(w1*TP + w2*FN + w3*FP + w4*TN), with w2 at FN and w3 at FP: then all four rows are proved, "
        "with (beta^2 + 1)*r*p/(r + beta^2*p) for F_beta",
        _rows_exchanged,
    )
    return equal(printed, target, BETA, note=f"the weights leave {printed}", correction=correction)


def _rows_exchanged() -> Iterator[sm.Verdict]:
    for weights, target, _ in ROWS.values():
        yield identity(_with(WEIGHTED_EXCHANGED, weights), target, BETA)


def _with(formula: Expr, weights: tuple[object, ...]) -> Expr:
    return formula.xreplace(dict(zip((W1, W2, W3, W4), map(S, weights), strict=True)))


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _f_beta()
    yield from _weighted_accuracy()
