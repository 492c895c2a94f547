"""Table I of Thai-Nghe, Gantner & Schmidt-Thieme (2011): signs of significance, and averages."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial

from sympy import Integer, Rational

from symmetrics.papers.claims import PaperClaim, Ruling, by_computation, by_number, rounds_from
from symmetrics.papers.thainghe2011.figures import MEASURES, PrintedSet, printed, printed_outcomes, printed_sets

from .shared import HALF_DIGIT, printed_pair, sign_ruling, statement


def _table_1() -> Iterator[PaperClaim]:
    yield statement(
        "table_1_rows",
        "table I",
        "number",
        "36 data sets",
        lambda: by_number(Integer(len(printed_sets())), "36", "rows"),
    )
    for measure in MEASURES:
        yield statement(
            f"table_1_range_{measure.lower()}",
            f"table I, {measure}",
            "inequality",
            f"all 72 values of {measure} are within [0, 1]",
            partial(_in_unit_interval, measure),
        )
    for measure, row in itertools.product(MEASURES, printed_sets()):
        name = row.name.replace("-", "_")
        outcome = dict(zip((r.name for r in printed_sets()), printed_outcomes(measure), strict=True))[row.name]
        sign = {"win": "significantly above", "lose": "significantly below", "tie": "not significantly different from"}
        yield statement(
            f"table_1_sign_{measure.lower()}_{name}",
            f"table I, {row.name}, {measure}",
            "table cell",
            f"LR is {sign[outcome]} the SVM: {printed_pair(row, measure)}; paired t-test on 5 folds, level 0.05",
            partial(_sign, row, measure, outcome),
        )
    for key, average in printed()["average"].items():
        measure, classifier = key.split("_")
        yield statement(
            f"table_1_average_{measure.lower()}_{classifier}",
            f"table I, last row, {measure}, {classifier.upper()}",
            "table cell",
            f"the average of the column is {average}",
            partial(_average, measure, classifier, average),
        )


def _in_unit_interval(measure: str) -> Ruling:
    values = [row.mean(measure, classifier) for row in printed_sets() for classifier in ("svm", "lr")]
    return by_computation(
        all(0 <= value <= 1 for value in values) and len(values) == 72,
        f"the least is {float(min(values))}, the greatest {float(max(values))}",
    )


def _sign(row: PrintedSet, measure: str, outcome: str) -> Ruling:
    pair = row.deviation(measure, "svm"), row.deviation(measure, "lr")
    return sign_ruling(row.gain(measure), pair, outcome)


def undecided_signs() -> Iterator[str]:
    """Yield the keys of the signs of table I that would pass with a sign and without."""
    for row, measure in itertools.product(printed_sets(), MEASURES):
        passing = [_sign(row, measure, outcome).outcome for outcome in ("win", "tie", "lose")]
        if passing.count("holds") > 1:
            yield f"table_1_sign_{measure.lower()}_{row.name.replace('-', '_')}"


def _average(measure: str, classifier: str, average: str) -> Ruling:
    """Judge an average by whether roundings, of the 36 rows and its own, explain it."""
    total = sum((row.mean(measure, classifier) for row in printed_sets()), Rational(0))
    mean = total / 36
    least, most = rounds_from(f"0{average}")
    evidence = f"the rows sum to {float(total):.3f}, and {float(total):.3f}/36 = {float(mean):.5f}"
    if mean + HALF_DIGIT >= least and mean - HALF_DIGIT <= most:
        return by_computation(True, f"{evidence}, rounded within 0.0005 in each row")
    return by_computation(
        False,
        f"{evidence}, printed {average}; were every row rounded down by 0.0005, it would be "
        f"{float(mean + HALF_DIGIT):.5f}, below {float(least)}; nor are all numbers cut, which gives .201, nor the "
        "rows cut and the averages rounded: then AUC of the SVM, at least 25.326/36 = 0.7035, would not be .703",
        f"{float(mean):.3f}, by exact arithmetic",
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _table_1()
