"""Section IV.D of Thai-Nghe, Gantner & Schmidt-Thieme (2011), with table V: how imbalance is treated."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Final

from sympy import Integer, Rational

from symmetrics.papers.claims import PaperClaim, Ruling, by_computation, by_number, unreadable, with_reading
from symmetrics.papers.thainghe2011.figures import printed_sets

from .shared import TABLE_5, sign_ruling, statement

TABLE_1_SIZES: Final = {name: "1.6 GB" if name in ("appetency", "churn") else "2.6 GB" for name in TABLE_5}


# -- section IV.D and table V ------------------------------------------------------------------------------------------


def _table_5() -> Iterator[PaperClaim]:
    place = "section IV.D and table V"
    yield statement(
        "table_5_rows",
        place,
        "number",
        "7 large data sets",
        lambda: by_number(Integer(len(TABLE_5)), "7", "rows"),
    )
    rows = {row.name: row for row in printed_sets()}
    for name, (_, _, size, share, mean, deviation, _, _) in TABLE_5.items():
        mean_1, deviation_1 = rows[name].values["B42", "lr"]
        pairs = {
            "share": ("% minority", share, rows[name].percent_minority),
            "size": ("the size", size, TABLE_1_SIZES[name]),
            "mean": ("B42 of LR", mean, mean_1),
            "deviation": ("± of B42 of LR", deviation, f"0{deviation_1}"),
        }
        for what, (words, in_table_5, in_table_1) in pairs.items():
            yield statement(
                f"table_5_{what}_{name.replace('-', '_')}",
                f"tables I and V, {name}",
                "table cell",
                f"{words} is {in_table_5}, as in table I",
                partial(_same_number, words, in_table_5, in_table_1),
            )
    yield from _influence(place)


def _same_number(words: str, in_table_5: str, in_table_1: str) -> Ruling:
    first, second = (Rational(text.removesuffix("GB").strip()) for text in (in_table_5, in_table_1))
    evidence = f"{words}: table V has {in_table_5}, table I {in_table_1}"
    if first == second:
        return by_computation(True, evidence)
    mean = "0.022" if words.startswith("±") else ""
    note = f", both beside the mean {mean}" if mean else ""
    return by_computation(False, evidence + note, "one of the two is a misprint; the text does not tell which")


def _influence(place: str) -> Iterator[PaperClaim]:
    for name, score in (("nf-005p", "0.005"), ("nf-10p", "0.226")):
        yield statement(
            f"b42_of_{name.replace('-', '_')}",
            "section IV.D",
            "number",
            f"B42 is {score} on the original data of {name}",
            partial(by_number, Rational(TABLE_5[name][4]), score, "table V"),
        )
    for treatment, column, words in (("rus", 6, "RUS-balance"), ("weighting", 7, "weighting")):
        for name, row in TABLE_5.items():
            outcome = SIGNS_OF_TABLE_5[treatment].get(name, "tie")
            yield statement(
                f"table_5_sign_{treatment}_{name.replace('-', '_')}",
                f"table V, {name}, {words}",
                "table cell",
                f"{words} is {_SIGNIFICANT[outcome]} the original data: {row[4]}±{row[5]}, "
                f"{row[column]}±{DEVIATIONS_OF_TABLE_5[treatment][name]}",
                partial(_sign_of_table_5, treatment, name, outcome),
            )
    yield from with_reading(
        statement(
            "undersampling_degrades",
            place,
            "words",
            "RUS-balance degrades the classifier significantly, on the 7 large data sets",
            _undersampling_significant,
        ),
        "its mean is lower on all seven",
        _undersampling,
    )
    yield from with_reading(
        statement(
            "weighting_works", place, "words", "the weighting method works fine, on the 7 data sets", _weighting_all
        ),
        "it is higher than the original on most of them",
        _weighting_works,
    )
    for key, column, words in (("original", 4, "the original data"), ("weighting", 7, "weighting")):
        yield from with_reading(
            statement(
                f"b42_grows_{key}",
                place,
                "words",
                f"B42 increases as the imbalance decreases, for {words}, over the 7 rows of table V",
                partial(_grows, column, ""),
            ),
            "over its five Netflix rows",
            partial(_grows, column, "nf-"),
        )
    yield statement(
        "figure_5",
        "figure 5",
        "words",
        "RUS-balance raises the true positive rate and lowers the true negative rate",
        lambda: unreadable("a drawing, which the text does not contain"),
    )


SIGNS_OF_TABLE_5: Final = {
    "rus": dict.fromkeys(("nf-05p", "nf-1p", "nf-5p", "nf-10p"), "lose"),
    "weighting": dict.fromkeys(("nf-1p", "nf-5p", "nf-10p"), "win"),
}
"""The signs of table V as the text has them; the other cells have none."""
DEVIATIONS_OF_TABLE_5: Final = {
    "rus": dict(zip(TABLE_5, ("0.001", "0.000", "0.000", "0.000", "0.000", "0.000", "0.001"), strict=True)),
    "weighting": dict(zip(TABLE_5, ("0.007", "0.005", "0.003", "0.001", "0.005", "0.005", "0.004"), strict=True)),
}
_SIGNIFICANT: Final = {
    "win": "significantly above",
    "lose": "significantly below",
    "tie": "not significantly different from",
}


def _sign_of_table_5(treatment: str, name: str, outcome: str) -> Ruling:
    row, column = TABLE_5[name], {"rus": 6, "weighting": 7}[treatment]
    pair = Rational(row[5]), Rational(DEVIATIONS_OF_TABLE_5[treatment][name])
    return sign_ruling(Rational(row[column]) - Rational(row[4]), pair, outcome)


def undecided_of_table_5() -> Iterator[str]:
    """Yield the keys of the signs of table V that would pass with a sign and without."""
    for treatment, name in itertools.product(SIGNS_OF_TABLE_5, TABLE_5):
        passing = [_sign_of_table_5(treatment, name, outcome).outcome for outcome in _SIGNIFICANT]
        if passing.count("holds") > 1:
            yield f"table_5_sign_{treatment}_{name.replace('-', '_')}"


def _undersampling() -> Ruling:
    lower = [name for name, row in TABLE_5.items() if Rational(row[6]) < Rational(row[4])]
    return by_computation(len(lower) == 7, f"below the original on {len(lower)} of 7, such as nf-10p: 0.003 and 0.226")


def _undersampling_significant() -> Ruling:
    marked = list(SIGNS_OF_TABLE_5["rus"])
    return by_computation(
        len(marked) == len(TABLE_5),
        f"table V has a sign of significant degradation on {len(marked)} of 7: {', '.join(marked)}",
        "significantly on four of seven",
    )


def _losses_of_weighting() -> list[str]:
    return [name for name, row in TABLE_5.items() if Rational(row[7]) < Rational(row[4])]


def _weighting_all() -> Ruling:
    lower = _losses_of_weighting()
    losses = ", ".join(f"{name} from {TABLE_5[name][4]} to {TABLE_5[name][7]}" for name in lower)
    return by_computation(not lower, f"B42 falls on {losses}", f"on {7 - len(lower)} of 7")


def _weighting_works() -> Ruling:
    higher = 7 - len(_losses_of_weighting())
    return by_computation(2 * higher > 7, f"above the original on {higher} of 7")


def _grows(column: int, prefix: str) -> Ruling:
    rows = sorted((row for name, row in TABLE_5.items() if name.startswith(prefix)), key=lambda row: Rational(row[3]))
    growing = all(Rational(first[column]) < Rational(second[column]) for first, second in pairwise(rows))
    shown = ", ".join(f"{row[column]} at {row[3]} %" for row in rows)
    return by_computation(growing, f"by the share of the minority: {shown}", "not with every step")


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _table_5()
