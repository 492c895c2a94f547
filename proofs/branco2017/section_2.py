"""Section 2 of Branco, Torgo & Ribeiro (2017): the metrics of a class, and what is averaged over classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sympy import Add, Expr, Integer, Symbol, simplify, symbols

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

from .formulas import (
    BETA,
    compared,
    correct_others,
    f_of,
    margins_of,
    mean_of,
    our_formula,
    per_class,
    precision_of,
    printed_formula,
    recall_of,
)
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
    yield from with_reading(
        statement(
            "macro_index",
            place,
            "words",
            "the index M averages the results of a metric over the classes: F_βM is the mean of F_β",
            _mean_of_f,
        ),
        "in Rec_M and Prec_M",
        _means_of_rates,
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
    yield statement(
        "auc_incoherence",
        place,
        "words",
        "AUC is incoherent: it weighs the costs of errors differently for different classifiers",
        _costs_of_auc,
    )
    yield statement(
        "labels_looked_at",
        "section 2, after equation (3)",
        "words",
        "metrics based on recall look at the true labels, those based on precision at the predicted ones",
        _labels_looked_at,
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
    yield statement(
        "ranges_differ",
        "section 2",
        "words",
        "the metrics of table 1 differ in their ranges and in what the best classifier has",
        _ranges_differ,
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


def _mean_of_f() -> Ruling:
    of_means, mean = (exact_value(name, experiment.cases()[1].matrix) for name in ("F1_M", "AvF1"))
    return by_computation(
        of_means == mean,
        f"in case 2 F_1M is {float(of_means):.3f}, and {float(mean):.3f} the mean of F_1 over classes, which is AvF_1",
        "F_βM is the F of the means of precision and recall",
    )


def _means_of_rates() -> Ruling:
    entries = entry_symbols(3)
    pairs = (("Rec_M", recall_of), ("Prec_M", precision_of))
    return by_verdicts(
        *(compared(our_formula(name, 3), mean_of(per_class(entries, rate))) for name, rate in pairs), note="3 classes"
    )


def _costs_of_auc() -> Ruling:
    tables = ((8, 2, 2, 8), (8, 2, 4, 6))
    costs = [1 - sm.metrics["precision"].exact(*table) for table in tables]
    return by_computation(
        costs[0] != costs[1],
        f"at one operating point one of the two costs that AUC weighs is FP/(TP + FP): {costs[0]} at TP, FN, FP, TN = "
        f"{tables[0]} and {costs[1]} at {tables[1]} (thainghe2011.auc_as_average_loss)",
    )


def _labels_looked_at() -> Ruling:
    """Move examples, correct ones apart, to other predictions in a row, or to other true classes in a column."""
    entries, moved = entry_symbols(3), Symbol("moved", real=True)
    rows = [list(map(list, entries)) for _ in range(2)]
    for matrix, place in zip(rows, (1, 2), strict=True):
        matrix[0][place] += moved
    columns = [list(zip(*matrix, strict=True)) for matrix in rows]
    verdicts = [
        compared(*(printed_formula(name, matrix) for matrix in pair))
        for names, pair in ((("MAvG", "Rec_M", "Rec_mu"), rows), (("Prec_M", "Prec_mu"), columns))
        for name in names
    ]
    return by_verdicts(
        *verdicts,
        note="for 3 classes MAvG, Rec_M and Rec_μ stay when wrong predictions move along a row, Prec_M and Prec_μ when "
        "they move along a column",
    )


def _ranges_differ() -> Ruling:
    perfect = ((5, 0, 0), (0, 10, 0), (0, 0, 300))
    best = {name: simplify(exact_value(name, perfect)) for name in METRICS}
    low = [name for name, value in best.items() if value == 0]
    least = exact_value("MCC", ((0, 1, 0), (1, 0, 0), (0, 0, 0)))
    return by_computation(
        low == ["CEN"] and set(best.values()) == {0, 1} and least == -1,
        f"a perfect matrix has CEN = 0 and 1 by the other twelve, and the least MCC is {least}, where others have 0",
    )


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
