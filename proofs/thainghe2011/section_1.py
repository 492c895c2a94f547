"""The abstract and section I of Thai-Nghe, Gantner & Schmidt-Thieme (2011)."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Rational, symbols

import symmetrics as sm
from symmetrics import FN, FP, TN, TP
from symmetrics.language.cells import N, P, n
from symmetrics.papers.claims import PaperClaim, Ruling, at_least, by_computation, by_number, equal, with_reading
from symmetrics.papers.thainghe2011.figures import printed_sets

from .shared import erratum, statement


def _introduction() -> Iterator[PaperClaim]:
    yield statement(
        "abstract_36_imbalanced", "abstract", "words", "the experiments are on 36 imbalanced data sets", _imbalanced
    )
    everything = (0, 1, 0, 999)
    yield from with_reading(
        statement(
            "accuracy_maximised_by_majority",
            "section I",
            "words",
            "there, calling all transactions legitimate maximises the accuracy",
            _perfect_is_better,
        ),
        "among classifiers that do not tell the fraud apart: a share of the frauds and the same share of the others is "
        "called fraud",
        _best_without_scores,
    )
    yield statement(
        "accuracy_of_all_majority",
        "section I",
        "number",
        "999 legitimate transactions, 1 fraud: calling all of them legitimate has an accuracy of 99.9 %",
        lambda: by_number(100 * sm.metrics["accuracy"].exact(*everything), "99.9", "100*999/(999 + 1)"),
    )
    yield statement(
        "recall_of_all_majority",
        "section I",
        "words",
        "that classifier misses the fraud",
        lambda: by_number(sm.metrics["recall"].exact(*everything), "0", "recall 0/(0 + 1)"),
    )
    yield statement(
        "auc_as_average_loss",
        "section I",
        "equation",
        "AUC averages the misclassification loss over a distribution of cost ratios that depends on the scores",
        _average_loss,
    )
    yield statement(
        "auc_costs_differ",
        "section I",
        "words",
        "so AUC weighs costs differently for different classifiers",
        _costs_of_two_classifiers,
    )


def _imbalanced() -> Ruling:
    last = [row.percent_minority for row in printed_sets()[-5:]]
    return erratum(
        f"table I has {len(printed_sets())} rows, and section IV.B says that the last five ({', '.join(last)} % "
        "minority) are not imbalanced: 36 - 5 = 31",
        "36 data sets, 31 of them imbalanced",
        all(Rational(share) >= 47 for share in last) and len(printed_sets()) == 36,
    )


def _perfect_is_better() -> Ruling:
    majority, perfect = (sm.metrics["accuracy"].exact(*table) for table in ((0, 1, 0, 999), (1, 0, 0, 999)))
    return by_computation(
        majority >= perfect,
        f"accuracy {majority} if all are called legitimate, {perfect} if the one fraud alone is called one",
        "it maximises the accuracy of classifiers that cannot tell the fraud apart",
    )


def _best_without_scores() -> Ruling:
    frauds, more, called, left = over = symbols("frauds more called left", real=True)
    legitimate = frauds + more
    accuracy = (frauds * called + legitimate * left) / ((frauds + legitimate) * (called + left))
    return at_least(legitimate / (frauds + legitimate), accuracy, strict=True, over=over)


def _average_loss() -> Ruling:
    """One operating point: cost c = FP/(TP + FP) weighs (TP + FP)/n and c = TN/(TN + FN) weighs (TN + FN)/n."""
    first, second = FP / (TP + FP), TN / (TN + FN)
    average = sum(weight * (c * FN + (1 - c) * FP) for weight, c in (((TP + FP), first), ((TN + FN), second))) / n**2
    return equal(
        average,
        2 * P * N * (1 - sm.metrics["auc_single"].expr) / n**2,
        note="for one operating point, whose costs are FP/(TP + FP), weighing (TP + FP)/n, and TN/(TN + FN), weighing "
        "(TN + FN)/n: the average of the least loss is 2·π0·π1·(1 - AUC)",
    )


def _costs_of_two_classifiers() -> Ruling:
    tables = ((8, 2, 2, 8), (8, 2, 4, 6))
    found = [(1 - sm.metrics["precision"].exact(*table), table) for table in tables]
    return by_computation(
        found[0][0] != found[1][0],
        "one of the two costs that AUC weighs is FP/(TP + FP): "
        + " and ".join(f"{cost} at TP, FN, FP, TN = {table}" for cost, table in found),
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _introduction()
