"""Tables 4 and 5 of Branco, Torgo & Ribeiro (2017), and section 4.3."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

from sympy import Add, Expr, Max, Rational, S, nan, symbols

import symmetrics as sm
from symmetrics import FN, FP, TP
from symmetrics.papers.branco2017 import experiment
from symmetrics.papers.claims import (
    PaperClaim,
    Ruling,
    at_least,
    by_computation,
    by_number,
    by_verdicts,
    identity,
    with_reading,
)

from .formulas import BETA, mean_of
from .shared import BOLD, METRICS, PAPER, SUITABLE, claims_of_table, normalised_values, slug, statement

# -- table 4 -----------------------------------------------------------------------------------------------------------


def _table_4() -> Iterator[PaperClaim]:
    yield statement(
        "rarer_is_more_relevant",
        "section 3 and table 4, φ",
        "words",
        "in the three cases the rarer of two classes is the more relevant one",
        _falls_with_size,
    )
    total = "1/4 + 1/10 + 1/100 + 1/200"
    swapped = "the printed row is the one of 5 and 10 examples in c1 and c2, or of any in the ratio 1 to 2"
    workings = {
        f"case 3, PREV of c{place}": (f"(1/{size})/({total})", f"{value}, by exact arithmetic; {swapped}")
        for place, size, value in ((1, 4, "0.68"), (2, 10, "0.27"), (4, 200, "0.01"))
    }
    workings["case 3, PO of c4"] = (
        "Rank(c4)/Rank(c1) = (0 + 1 + 1/2)/(2 + 1 + 1/2)",
        "0.43, by exact arithmetic; it was not cut as a rule: 6/7 = 0.857 is printed 0.86 in the same row",
    )
    yield from claims_of_table(4, workings)
    for number, row in enumerate(experiment._data()["table4"]["PREV"], start=1):
        yield statement(
            f"table_4_prev_sum_case_{number}",
            f"table 4, PREV, case {number}",
            "number",
            "the relevances by prevalence sum to 1",
            partial(_row_sum, row),
        )


def _falls_with_size() -> Ruling:
    rows = []
    for case in experiment.cases():
        by_size = sorted(zip(map(sum, case.matrix), case.relevances["phi"].values, strict=True))
        rows.append([(size, float(relevance)) for size, relevance in by_size])
    falling = all(first > second for row in rows for (_, first), (_, second) in pairwise(row))
    shown = "; ".join(", ".join(f"{size}: {relevance:g}" for size, relevance in row) for row in rows)
    return by_computation(falling, f"examples and φ in the three cases: {shown}")


def _row_sum(row: Sequence[str]) -> Ruling:
    total = Add(*map(Rational, row))
    return by_computation(
        abs(total - 1) <= Rational(len(row), 200), f"{' + '.join(row)} = {float(total):.2f}, up to roundings"
    )


# -- section 4.3 and table 5 -------------------------------------------------------------------------------------------


def _implementation() -> Iterator[PaperClaim]:
    place = "section 4.3"
    yield from with_reading(
        statement(
            "always_rec_and_prec",
            place,
            "words",
            "leaving out the classes without recall or precision, Rec^φ and Prec^φ can always be obtained",
            _always_prec,
        ),
        "if a class with φ > 0 is left",
        _prec_if_relevant,
    )
    yield from with_reading(
        statement("always_f1", place, "words", "F_1^φ can always be obtained", _always_f1),
        "with F = 0 where Prec^φ = Rec^φ = 0, the limit of the harmonic mean",
        _f1_in_the_limit,
    )
    yield statement(
        "avf1_undefined",
        place,
        "words",
        "AvF_1^φ by equation (7) is undefined only if a class has neither examples nor predictions",
        _avf1_undefined,
    )


def _always_prec() -> Ruling:
    matrix, relevance = ((0, 1), (0, 1)), (1, 0)
    value = experiment._weighted_metrics()["Prec"].exact(matrix, average=relevance)
    return by_computation(
        value is not nan,
        "[[0, 1], [0, 1]] with φ = 1, 0 (section 4.1 allows 0): precision of c1 is 0/0 and left out, so that "
        "Prec^φ = (0·1/2)/0 = 0/0; likewise Rec^φ where the one class with relevance has no examples",
        "they can be obtained if a class with φ > 0 is left",
    )


def _prec_if_relevant() -> Ruling:
    relevance, rest = over = symbols("phi rest", real=True)
    return at_least(
        relevance + rest, S.Zero, strict=True, over=over, note="the sum of the relevances that are left is positive"
    )


def _always_f1() -> Ruling:
    entries = ((0, 1), (1, 0))
    weighted = experiment._weighted_metrics()
    precision, recall = (weighted[name].exact(entries, average=(1, 1)) for name in ("Prec", "Rec"))
    return by_computation(
        precision + recall != 0,
        "[[0, 1], [1, 0]]: precision and recall of both classes are 0/1 = 0, so that Prec^φ = Rec^φ = 0 for every φ, "
        "and equation (6) gives 2·0·0/(0 + 0) = 0/0",
        "it can be obtained unless Prec^φ = Rec^φ = 0",
    )


def _f1_in_the_limit() -> Ruling:
    precision, recall = over = symbols("p r", real=True)
    return at_least(
        2 * Max(precision, recall),
        2 * precision * recall / (precision + recall),
        over=over,
        note="2pr/(p + r) is at most twice the larger one, and so tends to 0 with both",
    )


def _avf1_undefined() -> Ruling:
    """The denominator β²·t + p is positive as soon as t or p is."""
    return by_verdicts(
        identity(
            BETA**2 * (TP + FN) + TP + FP, (1 + BETA**2) * TP + BETA**2 * FN + FP, *sm.metrics["f_beta"].parameters
        ),
        note="the denominator of a class is a sum of counts with positive factors, so 0 only if tp = fn = fp = 0",
    )


FOOTNOTE: Final = {"Prec_M": "case 1, Prec_M", "F1_M": "case 1, F1_M", "AvF1": "case 1, AvF1"}


def _table_5() -> Iterator[PaperClaim]:
    for claim in claims_of_table(5, {}):
        if claim.place.removeprefix("table 5, ") in FOOTNOTE.values():
            yield statement(
                claim.key.removeprefix(f"{PAPER}."),
                f"{claim.place}, footnote a",
                "table cell",
                f"{claim.printed}, by the strategies of section 4.3, which leave out classes without a precision",
                {"prec": _prec_m, "f1": _f1_m, "avf1": _avf1}[claim.key.split("_")[4]],
            )
        else:
            yield claim
    for name in METRICS:
        yield statement(
            f"tables_3_and_5_{slug(name)}",
            f"tables 3 and 5, {name}",
            "number",
            f"{name} has the same normalised values in tables 3 and 5",
            partial(_same_values, name),
        )
        yield statement(
            f"marks_of_{slug(name)}",
            f"tables 3 and 5, {name}",
            "words",
            f"{name} is in bold in table 5 where table 3 has it as suitable",
            partial(_same_marks, name),
        )


def _left_out(name: str) -> Expr:
    metric, average = experiment._plain_metrics()[name]
    return 100 * metric.exact(experiment.cases()[0].matrix, average=average)


def _prec_m() -> Ruling:
    value = _left_out("Prec_M")
    return by_number(
        value,
        "34.4",
        "c3 is never predicted and left out: 100·(5/5 + 10/310)/2",
        decimals=1,
        correction="51.6, by exact arithmetic; 34.4 = 100·(1 + 10/310 + 0)/3 counts the undefined precision as 0, "
        "while Prec^PO, 51.6 in the same table, leaves it out",
    )


def _f1_m() -> Ruling:
    value = _left_out("F1_M")
    return by_number(
        value,
        "45.4",
        "with Prec_M = 16/31, c3 left out, and Rec_M = 2/3: 100·2·(16/31)·(2/3)/(16/31 + 2/3)",
        decimals=1,
        correction="58.2, by exact arithmetic (68.1 if c3 is left out of Rec_M as well); 45.4 counts the undefined "
        "precision as 0",
    )


def _avf1() -> Ruling:
    value = mean_of([Rational(2 * 5, 5 + 5), Rational(2 * 10, 10 + 310), Rational(2 * 0, 300 + 0)])
    return by_number(100 * value, "35.4", "equation (7): 100·(10/10 + 20/320 + 0/300)/3", decimals=1)


def _same_values(name: str) -> Ruling:
    pairs = list(zip(normalised_values(3, name), normalised_values(5, name), strict=True))
    known = [(first, second) for first, second in pairs if first != "not defined"]
    missing = "" if len(known) == len(pairs) else "; case 1 is not defined in table 3"
    return by_computation(
        all(Rational(first) == Rational(second) for first, second in known),
        ", ".join(f"{first} and {second}" for first, second in known) + missing,
    )


def _same_marks(name: str) -> Ruling:
    marks = SUITABLE.get(name, (False, False, False))
    suitable = tuple(value for value, mark in zip(normalised_values(5, name), marks, strict=True) if mark)
    bold = BOLD.get(name, ())
    return by_computation(
        suitable == bold, f"in bold: {', '.join(bold) or 'none'}; suitable: {', '.join(suitable) or 'none'}"
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _table_4()
    yield from _implementation()
    yield from _table_5()
