"""Section IV.C of Thai-Nghe, Gantner & Schmidt-Thieme (2011), with tables III and IV: how the measures agree."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from sympy import Integer, Rational, integrate, symbols

from symmetrics import FN, FP, TN, TP
from symmetrics.curves.hmeasure_proofs import beta_density, h_at_point
from symmetrics.language.cells import N, n
from symmetrics.papers.claims import (
    PaperClaim,
    Ruling,
    by_computation,
    by_number,
    identity,
    inequality,
    unreadable,
    with_reading,
)
from symmetrics.papers.linear import Agreement, agreement
from symmetrics.papers.thainghe2011.figures import MEASURES, printed, printed_outcomes, printed_sets

from .shared import CRITICAL, HALF_DIGIT, C, all_proved, erratum, printed_pair, six_digits, statement


def _agreement() -> Iterator[PaperClaim]:
    for title, data in printed()["agreement"].items():
        measure, key = data["measure"], f"table_{'3' if data['measure'] == 'AUC' else '4'}"
        place = title.partition(",")[0].lower().replace("iii", "III").replace("iv", "IV")
        for cell in ("both", "first_only", "second_only", "neither"):
            yield statement(
                f"{key}_{cell}",
                place,
                "table cell",
                f"{_WORDS[cell].format(measure=measure)}: {data[cell]} data sets",
                partial(_agreement_cell, measure, cell, data[cell]),
            )
        cells = [data[cell] for cell in ("both", "first_only", "second_only", "neither")]
        yield statement(
            f"{key}_sum",
            place,
            "number",
            "the cells are 36 data sets",
            partial(by_number, Integer(sum(cells)), "36", " + ".join(map(str, cells))),
        )
        yield statement(
            f"{key}_caption",
            f"{place}, caption",
            "number",
            f"B42 disagrees with {measure} {data['caption']} times out of 36",
            partial(by_number, Integer(cells[1] + cells[2]), str(data["caption"]), f"{cells[1]} + {cells[2]}"),
        )
    yield statement("significant_by_b42", "tables II, III and IV", "number", "B42 is significant 12 times", _b42_total)
    yield statement(
        "more_significant", "section IV.C", "words", "B42 is significant more often than AUC and H", _most_significant
    )
    yield from with_reading(
        statement(
            "b42_more_weight_than_auc",
            "section IV.C",
            "words",
            "B42 places more weight on the minority than AUC and H, on the 36 data sets",
            _more_weight_than_auc,
        ),
        "than the symmetric Beta of H",
        _more_weight_than_h,
    )
    yield from _examples()


_WORDS: Final = {
    "both": "significant by B42 and by {measure}",
    "first_only": "significant by B42, not by {measure}",
    "second_only": "significant by {measure}, not by B42",
    "neither": "significant by neither B42 nor {measure}",
}


def _agreement_cell(measure: str, cell: str, value: int) -> Ruling:
    found: Agreement = agreement(printed_outcomes("B42"), printed_outcomes(measure))
    return by_number(Integer(getattr(found, cell)), str(value), "signs of table I")


def _b42_total() -> Ruling:
    by_group = [row["B42"][0] + row["B42"][2] for row in printed()["table2"].values()]
    tables = [data["both"] + data["first_only"] for data in printed()["agreement"].values()]
    return by_computation(
        {sum(by_group), *tables} == {12}, f"table II: {' + '.join(map(str, by_group))}; III: 2 + 10; IV: 4 + 8"
    )


def _most_significant() -> Ruling:
    counts = [sum(outcome != "tie" for outcome in printed_outcomes(measure)) for measure in MEASURES]
    return by_computation(counts[0] > max(counts[1:]), "B42 {}, AUC {}, H {} times".format(*counts))


def _more_weight_than_auc() -> Ruling:
    """The costs c that AUC weighs have the mean π0, whatever the classifier; B42 has 2/3."""
    first, second = FP / (TP + FP), TN / (TN + FN)
    mean = identity((TP + FP) / n * first + (TN + FN) / n * second, N / n)
    shares = [Rational(row.percent_minority) for row in printed_sets()]
    heavier = sum(bool(share / 100 > Rational(1, 3)) for share in shares)
    return by_computation(
        heavier == len(shares) and mean.status == "proved",
        "the cost c = c1/(c0 + c1) has the mean 4/6 under B42, and under AUC the mean (FP + TN)/n, the share of the "
        f"majority (proved at one operating point): B42 has the larger one on {heavier} of {len(shares)} data sets; on "
        "nf-05p the means are 0.667 and 0.995",
        "where more than a third is in the minority",
    )


def _more_weight_than_h() -> Ruling:
    means = [integrate(C * beta_density(C, a, 2), (C, 0, 1)) for a in (4, 2)]
    return by_computation(means[0] > means[1], f"the mean of c is {means[0]} under B42 and {means[1]} under Beta(2, 2)")


def _examples() -> Iterator[PaperClaim]:
    for name in ("nf-05p", "nf-005p", "nf-1p", "ann"):
        yield statement(
            f"auc_wins_b42_ties_{name.replace('-', '_')}",
            "section IV.C",
            "words",
            f"table I has LR significantly above on {name} by AUC, and a tie by B42",
            partial(_marked, name),
        )
    yield statement(
        "one_reading_of_deviations",
        "section IV.C and table I",
        "words",
        "by B42, LR ties on nf-05p and is significantly above on transfusion",
        _one_reading,
    )
    yield statement(
        "figure_3",
        "figure 3",
        "words",
        "AUC weighs the costs of LR and of the SVM on nf-05p differently",
        lambda: unreadable("a drawing, which the text does not contain"),
    )
    yield statement(
        "figure_4",
        "figure 4",
        "words",
        "on four typical data sets AUC is above for LR and B42 below",
        _reversed_sets,
    )
    yield statement(
        "figure_4_true_positive_rate",
        "figure 4",
        "words",
        "on those four data sets the true positive rate of LR is below that of the SVM",
        lambda: unreadable("a drawing, which the text does not contain"),
    )
    yield statement(
        "b42_follows_true_positive_rate",
        "section IV.C",
        "words",
        "B42 is consistent with the true positive rate, and AUC is not",
        _follows_recall,
    )
    yield from with_reading(
        statement(
            "balanced_group_other_metrics",
            "section IV.C",
            "words",
            "on the third group B42 agrees with the other metrics, AUC and H, on which classifier is above",
            _other_metrics,
        ),
        "no significant result by one of them is the reverse of one by another",
        _no_reversal,
    )
    yield statement(
        "balanced_group",
        "section IV.C",
        "words",
        "on the third group B42 and H agree on which is above",
        _balanced_group,
    )


def _marked(name: str) -> Ruling:
    place = [row.name for row in printed_sets()].index(name)
    found = printed_outcomes("AUC")[place], printed_outcomes("B42")[place]
    return by_computation(found == ("win", "tie"), "the signs are AUC {}, B42 {}".format(*found))


def _one_reading() -> Ruling:
    """Judge two signs together: a standard error excludes the one, a standard deviation the other."""
    rows = {row.name: row for row in printed_sets()}
    tie, win = rows["nf-05p"], rows["transfusion"]
    both = sum(tie.deviation("B42", classifier) for classifier in ("svm", "lr")) + 2 * HALF_DIGIT
    narrow = abs(win.deviation("B42", "svm") - win.deviation("B42", "lr")) - 2 * HALF_DIGIT
    least, most = 2 * (tie.gain("B42") - 2 * HALF_DIGIT) / both, (win.gain("B42") + 2 * HALF_DIGIT) / narrow
    return erratum(
        f"nf-05p, {printed_pair(tie, 'B42')}: if ± is a standard deviation of 5 folds, "
        f"t ≥ 2·(0.017 - 0.001)/(0.006 + 0.001) = {float(least):.2f} > 2.776, no tie; "
        f"transfusion, {printed_pair(win, 'B42')}: if it is a standard error, "
        f"t ≤ (0.339 + 0.001)/(0.176 - 0.001) = {float(most):.2f} < 2.776, no win",
        "with either meaning of ± one of the two signs is wrong (the triangle inequality for deviations)",
        least > CRITICAL[1] and most < CRITICAL[0],
    )


def _reversed_sets() -> Ruling:
    names = [row.name for row in printed_sets() if row.gain("AUC") > 0 > row.gain("B42")]
    return by_computation(len(names) >= 4, f"the means of table I have {len(names)} such sets: {', '.join(names)}")


def _follows_recall() -> Ruling:
    """Give two operating points with the larger true positive rate at the lower B42."""
    prior = Rational(1, 4)
    values = [h_at_point(tpr, fpr, prior, 4, 2) for tpr, fpr in ((1, 1), ("1/2", 0))]
    missed, gained, alarms, cost, other = over = symbols("missed gained alarms c1 c0", real=True)
    loss = inequality(cost * (missed + gained) + other * alarms, cost * missed + other * alarms, strict=True, over=over)
    return erratum(
        "calling all positive has TPr = 1 and B42 = 0; at π1 = 1/4 TPr = 1/2 without a false alarm has B42 = "
        f"{six_digits(values[1])}: the larger TPr has the lower B42, as it has the lower AUC, 1/2 and not 3/4",
        "at a given FPr a larger TPr costs less at every c (proved), so that neither B42 nor AUC falls",
        values[0] < values[1],
        all_proved(loss),
    )


def _other_metrics() -> Ruling:
    rows = printed_sets()[24:]
    apart = {
        measure: [row.name for row in rows if (row.gain("B42") > 0) != (row.gain(measure) > 0)]
        for measure in MEASURES[1:]
    }
    return by_computation(
        not any(apart.values()),
        f"B42 and AUC put different classifiers ahead on {len(apart['AUC'])} of {len(rows)}, "
        f"{', '.join(apart['AUC'])}; B42 and H on {len(apart['H'])}",
    )


def _no_reversal() -> Ruling:
    outcomes = [{printed_outcomes(measure)[place] for measure in MEASURES} for place in range(24, 36)]
    return by_computation(
        not any({"win", "lose"} <= found for found in outcomes), "on none of 12 sets one wins and another loses"
    )


def _balanced_group() -> Ruling:
    rows = printed_sets()[24:]
    same = [row for row in rows if (row.gain("B42") > 0) == (row.gain("H") > 0)]
    return by_computation(len(same) == 12, f"B42 and H have the same classifier ahead on {len(same)} of {len(rows)}")


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _agreement()
