"""Section IV.D of Thai-Nghe, Gantner & Schmidt-Thieme (2011), with table V: how imbalance is treated."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Final

from sympy import Integer, Rational

from symmetrics.curves.hmeasure_proofs import h_at_point
from symmetrics.papers.claims import (
    PaperClaim,
    Ruling,
    by_computation,
    by_number,
    no_data,
    unreadable,
    with_reading,
)
from symmetrics.papers.thainghe2011.figures import printed_sets

from .shared import TABLE_5, sign_ruling, six_digits, statement

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
    yield from _explanations()


def _explanations() -> Iterator[PaperClaim]:
    place = "section IV.D"
    for key, printed_as, judge in (
        (
            "undersampling_does_not_work",
            "balanced undersampling does not work for large and highly imbalanced data sets",
            _undersampling_never_gains,
        ),
        ("undersampling_discards_much", "undersampling until balanced discards much of the data", _discarded),
        (
            "imbalance_affects_classifiers",
            "that B42 increases as the imbalance decreases means that the imbalance affects the classifiers",
            _same_rates,
        ),
        (
            "false_positives_by_number",
            "in small data sets there are few false positives and so no effect on the results, in large ones many",
            _same_rates_of_more,
        ),
        (
            "ratio_does_not_improve",
            "the best undersampling ratio, as a hyperparameter, does not significantly improve the performance",
            lambda: no_data(_NOT_AT_HAND),
        ),
        ("ratio_does_not_worsen", "that ratio at least does not worsen the performance", _not_worse),
        ("ratio_saves_memory", "that ratio can reduce the consumption of memory", _kept_by_undersampling),
    ):
        yield statement(key, "abstract and section IV.D" if "work" in key else place, "words", printed_as, judge)


_NOT_AT_HAND: Final = (
    "no number is printed, and the data are not at hand: appetency and churn of the KDD Cup 2009, and nf-005p, nf-05p, "
    "nf-1p, nf-5p and nf-10p of the Netflix Prize; on other data symmetrics reproduce thainghe2011 does it"
)


def _undersampling_never_gains() -> Ruling:
    better = [name for name, row in TABLE_5.items() if Rational(row[6]) >= Rational(row[4])]
    shown = ", ".join(f"{name} {row[6]} after {row[4]}" for name, row in TABLE_5.items())
    return by_computation(not better, f"B42 is lower by it on each of the seven: {shown}")


def _kept(name: str) -> Rational:
    """Return the share of the examples that are left when the majority is as small as the minority."""
    return 2 * Rational(TABLE_5[name][3]) / 100


def _discarded() -> Ruling:
    least = min(TABLE_5, key=lambda name: 1 - _kept(name))
    return by_computation(
        all(1 - _kept(name) > Rational(1, 2) for name in TABLE_5),
        f"1 - 2·π1 of the examples: more than half on all seven, the least on {least}, {float(1 - _kept(least)):.0%}, "
        f"and {float(1 - _kept('nf-005p')):.1%} on nf-005p",
    )


def _same_rates() -> Ruling:
    """Hold the rates of a classifier and let the prior alone grow, as over the Netflix rows of table V."""
    priors = [Rational(row[3]) / 100 for name, row in TABLE_5.items() if name.startswith("nf-")]
    values = [h_at_point("9/10", "1/5", prior, 4, 2) for prior in priors]
    shown = ", ".join(
        f"{six_digits(value)} at {float(100 * prior):g} %" for value, prior in zip(values, priors, strict=True)
    )
    return by_computation(
        not all(first < second for first, second in pairwise(values)),
        f"a classifier that the imbalance leaves as it is, TPr = 9/10 and FPr = 1/5, has B42 {shown}",
        "B42 increases with the prior by itself, at the same rates, which says nothing of the classifier",
    )


def _same_rates_of_more() -> Ruling:
    """Multiply all four counts of a table: rates and prior stay, and so does B42."""
    values = []
    for factor in (1, 1000):
        tp, fn, fp, tn = (factor * count for count in (9, 1, 40, 160))
        positives, negatives = tp + fn, fp + tn
        rates = Rational(tp, positives), Rational(fp, negatives), Rational(positives, positives + negatives)
        values.append(h_at_point(*rates, 4, 2))
    return by_computation(
        values[0] != values[1],
        f"TP, FN, FP, TN = 9, 1, 40, 160 and a thousand times as many have the same B42, {six_digits(values[0])}: it "
        "sees the rate of false positives and not their number",
        "B42 and H depend on rates and prior alone, AUC on rates",
    )


def _not_worse() -> Ruling:
    return no_data(
        f"{_NOT_AT_HAND}.  On the folds that choose the ratio the best one is never worse than none, if none is tried "
        "as well; on the test folds nothing makes that so"
    )


def _kept_by_undersampling() -> Ruling:
    return by_computation(
        all(_kept(name) < 1 for name in TABLE_5),
        f"each majority example that is left out is one less to hold: down to {float(_kept('nf-10p')):.0%} of the "
        f"examples on nf-10p and {float(_kept('nf-005p')):.1%} on nf-005p; the search itself holds all of them once, "
        "if no undersampling is among the ratios",
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
