"""Section 2 of Branco, Torgo & Ribeiro (2017): the metrics of a class, and what is averaged over classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sympy import Add, Expr, Integer, symbols

import symmetrics as sm
from symmetrics import FN, FP, TP
from symmetrics.matrices.expansion import entry_symbols
from symmetrics.papers.branco2017 import experiment
from symmetrics.papers.claims import (
    STEP,
    PaperClaim,
    Ruling,
    at_least,
    by_computation,
    by_number,
    by_verdicts,
    equal,
    identity,
    tends_to,
    with_reading,
)

from .formulas import BETA, compared, correct_others, f_of, margins_of, printed_formula
from .shared import METRICS, exact_value, statement


def _class_metrics() -> Iterator[PaperClaim]:
    place = "section 2"
    yield statement("row_and_column_sums", place, "equation", "t = tp + fn and p = tp + fp", _sums)
    yield from with_reading(
        statement(
            "true_negatives",
            place,
            "words",
            "the true negatives of a class are the examples not of it that are correctly predicted, for 3 classes",
            _true_negatives,
        ),
        "a definition of tn by itself, which is the usual one for 2 classes",
        _true_negatives_of_two,
    )
    yield statement(
        "equation_3",
        "section 2, equation (3)",
        "two forms",
        "F_β = (1 + β²)·precision·recall/(β²·precision + recall), the F-measure",
        lambda: equal(
            f_of(TP / (TP + FP), TP / (TP + FN)), sm.metrics["f_beta"].expr, *sm.metrics["f_beta"].parameters
        ),
    )
    yield statement(
        "beta_sets_importance",
        "section 2, equation (3)",
        "inequality",
        "β sets the importance of recall: where recall is above precision, F_β increases with β",
        _importance_of_recall,
    )
    yield statement(
        "beta_to_zero", "section 2, equation (3)", "limit", "for β = 0 recall does not count", _beta_to_zero
    )
    yield statement(
        "beta_to_infinity",
        "section 2, equation (3)",
        "limit",
        "for β to infinity recall alone counts",
        _beta_to_infinity,
    )
    yield from with_reading(
        statement("perspectives", "section 2, after equation (3)", "words", PERSPECTIVES, _perspectives),
        "the macro-averages Rec_M, Prec_M and F_βM do",
        _macro_perspectives,
    )
    yield statement(
        "thirteen_metrics",
        "section 2",
        "number",
        "3 recall-based, 2 precision-based and 8 general metrics are table 1",
        lambda: by_number(Integer(3 + 2 + 8), str(len(METRICS)), "3 + 2 + 8"),
    )


PERSPECTIVES: Final = (
    "Rec_μ is based on recall, Prec_μ on precision, F_βμ on both: each type of metric gives a different perspective"
)


def _sums() -> Ruling:
    entries = entry_symbols(3)
    true, predicted, _ = margins_of(entries)
    return by_verdicts(
        *(compared(true[i], Add(*entries[i])) for i in range(3)),
        *(compared(predicted[i], Add(*(row[i] for row in entries))) for i in range(3)),
        note="the sums of a row and of a column, tp being on the diagonal",
    )


def _true_negatives() -> Ruling:
    """Compare the definition with the examples that are neither of the class nor predicted as it."""
    three = entry_symbols(3)
    true, predicted, total = margins_of(three)
    return by_verdicts(
        compared(correct_others(three, 0), total - true[0] - predicted[0] + three[0][0]),
        note="on the left the sum of the diagonal less tp, on the right N - t - p + tp, which makes tp + tn + fp + fn "
        "equal to N",
        correction=("the definition leaves out what is confused among the other classes", lambda: ()),
    )


def _true_negatives_of_two() -> Ruling:
    two = entry_symbols(2)
    true, predicted, total = margins_of(two)
    return by_verdicts(compared(correct_others(two, 0), total - true[0] - predicted[0] + two[0][0]))


def _importance_of_recall() -> Ruling:
    square, added, precision, gap = over = symbols("beta_squared added p gap", real=True)
    recall = precision + gap

    def f(square: Expr) -> Expr:
        return (1 + square) * precision * recall / (square * precision + recall)

    return at_least(f(square + added), f(square), strict=True, over=over)


def _beta_to_zero() -> Ruling:
    return by_verdicts(
        identity(f_of(TP / (TP + FP), TP / (TP + FN)).subs(BETA, 0), TP / (TP + FP)), note="F_0 is the precision"
    )


def _beta_to_infinity() -> Ruling:
    square, precision, recall = over = symbols("beta_squared p r", real=True)
    return tends_to(
        (1 + square) * precision * recall / (square * precision + recall),
        recall,
        (square / STEP, precision, recall),
        over=over,
        note="(1 + β²)·precision·recall/(β²·precision + recall), p precision and r recall",
    )


def _perspectives() -> Ruling:
    """Judge whether the pooled metrics can differ at all."""
    first, second, third = (printed_formula(name, entry_symbols(3)) for name in ("Rec_mu", "Prec_mu", "F1_mu"))
    alike = [compared(first, second), compared(first, third)]
    return by_computation(
        not all(verdict.status == "proved" for verdict in alike),
        "Σ t = Σ p = N for every matrix, so Rec_μ = Prec_μ = Σ tp/N; case 1: Σ t = 5 + 10 + 300 = 315, "
        "Σ p = 5 + 310 + 0 = 315, and all three are 15/315 = 0.048, as table 3 has it",
        "micro-averaged recall, precision and F_β are one and the same, the accuracy (proved for 3 classes and all β)",
    )


def _macro_perspectives() -> Ruling:
    values = [exact_value(name, experiment.cases()[1].matrix) for name in ("Rec_M", "Prec_M", "F1_M")]
    shown = ", ".join(f"{float(value):.3f}" for value in values)
    return by_computation(len(set(values)) == 3, f"in case 2 they are {shown}")


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _class_metrics()
