"""Section 2 of García, Sánchez & Mollineda (2012): kappa, optimized precision, class-weighted accuracy."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from sympy import Abs, Rational, S

from symmetrics.language.cells import FN, TP
from symmetrics.papers.claims import (
    PaperClaim,
    Ruling,
    at,
    at_least,
    by_computation,
    by_verdicts,
    equal,
    identity,
    lacks,
    within,
)

from .formulas import ACC, CHANCE, CWA, DOMINANCE, METRICS, OPTIMIZED, TNR, TPR, K, W, statement


def _corrected_measures() -> Iterator[PaperClaim]:
    section = "section 2, kappa"
    kappa = (ACC - CHANCE) / (1 - CHANCE)
    yield statement(
        "kappa",
        section,
        "equation",
        "kappa = (P_A - P_e)/(1 - P_e), P_A the accuracy, P_e = (N_p*R_p + N_n*R_n)/N^2",
        lambda: equal(kappa, METRICS["kappa"].expr),
    )
    yield statement("kappa_range", section, "inequality", "kappa in [-1, 1]", lambda: within(kappa, -1, 1))
    yield statement("kappa_chance_unit", section, "inequality", "P_e is a proportion", lambda: within(CHANCE, 0, 1))
    yield statement(
        "kappa_chance_is_expected",
        section,
        "words",
        "P_e is the share of agreement that chance lets expect: predictions drawn with the same numbers of both labels",
        _expected_agreement,
    )
    yield statement(
        "kappa_chance",
        section,
        "words",
        "kappa corrects for the agreement expected by chance: it is 0 wherever prediction and truth are independent",
        lambda: by_verdicts(
            identity(at(kappa, (TP, FN, K * TP, K * FN)), S.Zero, over=(TP, FN, K)), note="at TP, FN, k*TP, k*FN"
        ),
    )
    section = "section 2, optimized precision"
    yield statement(
        "optimized_precision",
        section,
        "equation",
        "OP = Acc - |TNr - TPr|/(TNr + TPr)",
        lambda: equal(OPTIMIZED, METRICS["optimized_precision"].expr),
    )
    yield statement(
        "optimized_precision_needs_accuracy",
        section,
        "words",
        "a high OP requires a high accuracy: OP <= Acc",
        lambda: at_least(ACC, OPTIMIZED),
    )
    yield statement(
        "optimized_precision_needs_balance",
        section,
        "words",
        "a high OP requires balanced class accuracies: |TNr - TPr|/(TNr + TPr) <= 1 - OP",
        lambda: at_least(1 - OPTIMIZED, Abs(TNR - TPR) / (TNR + TPR)),
    )
    yield statement(
        "optimized_precision_sees_skew",
        section,
        "words",
        "OP can be affected by the bias of the accuracy: skew changes it at the same TPr and TNr",
        lambda: lacks("optimized_precision", "actual_scaling"),
    )
    section = "section 2, class-weighted accuracy"
    yield statement("cwa", section, "equation", "cwA = w*TPr + (1 - w)*TNr", lambda: equal(CWA, METRICS["cwa"].expr, W))
    yield statement("cwa_unit", section, "inequality", "0 <= cwA <= 1 for 0 <= w <= 1", lambda: within(CWA, 0, 1, W))
    yield statement(
        "cwa_mean",
        section,
        "words",
        "cwA is a weighted mean of TPr and TNr: it lies between the two for 0 <= w <= 1",
        lambda: by_verdicts(
            identity(CWA - TNR, W.symbol * DOMINANCE, W),
            identity(TPR - CWA, (1 - W.symbol) * DOMINANCE, W),
            note="cwA - TNr = w*(TPr - TNr) and TPr - cwA = (1 - w)*(TPr - TNr) have one sign",
        ),
    )


def _expected_agreement() -> Ruling:
    """Average the accuracy over all ways to place the positive predictions, for all small margins."""
    checked, failed = 0, 0
    for total in range(1, 9):
        for positives, predicted in itertools.product(range(total + 1), repeat=2):
            agreements = [
                len(truth & chosen) + total - len(truth | chosen)
                for truth in [set(range(positives))]
                for chosen in map(set, itertools.combinations(range(total), predicted))
            ]
            mean = Rational(sum(agreements), total * len(agreements))
            chance = Rational(positives * predicted + (total - positives) * (total - predicted), total**2)
            checked, failed = checked + 1, failed + (mean != chance)
    return by_computation(
        not failed,
        f"all ways to give out the predicted labels, for all {checked} margins of up to 8 examples: the mean of the "
        "accuracy is P_e",
        basis="enumeration",
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _corrected_measures()
