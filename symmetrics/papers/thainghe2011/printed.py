"""What Thai-Nghe, Gantner & Schmidt-Thieme (2011) print, and whether it fits together.

Signs of significance of table I are taken as the extracted text has them; one that it lost and that section IV.C names
is added.  In table V it has so few of them that nothing is concluded from those.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from scipy.stats import t as student
from sympy import Rational, gamma, integrate, symbols

from symmetrics.papers.comparison import Cell, Comparison
from symmetrics.papers.judged import Judged, judged
from symmetrics.papers.significance import Agreement, agreement, t_bounds, win_tie_lose

__all__ = ["MEASURES", "PrintedSet", "printed", "printed_comparisons", "printed_outcomes", "printed_sets"]

MEASURES: Final = ("B42", "AUC", "H")
PER_GROUP: Final = 12
FOLDS: Final = 5
ROUNDING: Final = 0.0005
"""Half of the last digit that table I prints."""


@dataclass(frozen=True)
class PrintedSet:
    """A row of table I.

    :param percent_minority: as it is printed
    :param values: mean and deviation, as they are printed, by measure and classifier
    """

    name: str
    percent_minority: str
    values: Mapping[tuple[str, str], tuple[str, str]]

    def mean(self, measure: str, classifier: str) -> Rational:
        """Return the mean of a measure, exactly as printed."""
        return Rational(self.values[measure, classifier][0])

    def deviation(self, measure: str, classifier: str) -> Rational:
        """Return the deviation of a measure, exactly as printed."""
        return Rational(self.values[measure, classifier][1])

    def gain(self, measure: str) -> Rational:
        """Return by how much logistic regression is above the SVM."""
        return self.mean(measure, "lr") - self.mean(measure, "svm")


@cache
def printed() -> dict[str, Any]:
    """Return what is printed besides table I."""
    text = Path(__file__).with_name("printed.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


@cache
def printed_sets() -> tuple[PrintedSet, ...]:
    """Return the rows of table I, in the printed order."""
    path = Path(__file__).with_name("table1.csv")
    with path.open(encoding="utf-8", newline="") as stream:
        return tuple(_row(row) for row in csv.DictReader(stream))


def _row(row: Mapping[str, str]) -> PrintedSet:
    values = {}
    for measure in MEASURES:
        for classifier in ("svm", "lr"):
            mean, deviation = row[f"{measure}_{classifier}"].split("±")
            values[measure, classifier] = (mean, deviation)
    return PrintedSet(row["data_set"], row["percent_minority"], values)


def printed_outcomes(measure: str) -> list[str]:
    """Return the outcomes of logistic regression against the SVM that table I marks, in its order."""
    marks, added = printed()["marks"][measure], printed()["marks_named_in_the_text"].get(measure, {})
    outcomes = {name: key for source in (marks, added) for key, names in source.items() for name in names}
    return [outcomes.get(row.name, "tie") for row in printed_sets()]


def printed_comparisons() -> tuple[Comparison, ...]:
    """Return every check of the printed numbers against each other."""
    return (_beta(), _table_1(), _groups(), _agreements(), _marks(), _table_5())


def _beta() -> Comparison:
    c = symbols("c", positive=True)
    cells: list[Cell] = []
    for a, b, mode in ((2, 2, "0.5"), (4, 2, "0.75")):
        cells.append(Cell(f"mode of Beta({a}, {b})", Rational(a - 1, a + b - 2), mode))
        integral, by_gamma = integrate(c ** (a - 1) * (1 - c) ** (b - 1), (c, 0, 1)), gamma(a) * gamma(b) / gamma(a + b)
        cells.append(judged(f"B(1; {a}, {b}), the integral", integral, f"{by_gamma}, by Γ", integral == by_gamma))
    cells.append(_weight_of_the_minority())
    return Comparison("Sections II.B and IV.C, the distributions of the costs", tuple(cells))


def _weight_of_the_minority() -> Judged:
    """Judge that B42 places more weight on the minority than AUC, by the mean of c = c₁/(c₀ + c₁).

    AUC weighs the cost p/(p + q) of each segment of the hull by p + q, so that the mean is the sum of p: the share of
    the majority, whatever the classifier.
    """
    beta = Rational(4, 4 + 2)
    heavier = [row.name for row in printed_sets() if beta > 1 - Rational(row.percent_minority) / 100]
    lighter = len(printed_sets()) - len(heavier)
    return judged(
        "mean of c under B42, and under AUC",
        f"2/3, and the share of the majority: B42 more on {len(heavier)}, AUC more on {lighter}",
        "B42 places more weight on the minority compared to AUC",
        lighter == 0,
        "only with more than a third in the minority; on nf-05p the means are 0.667 and 0.995",
    )


def _table_1() -> Comparison:
    rows = printed_sets()
    cells: list[Cell] = [Cell("data sets", Rational(len(rows)), "36")]
    for key, average in printed()["average"].items():
        measure, classifier = key.split("_")
        mean = sum((row.mean(measure, classifier) for row in rows), Rational(0)) / len(rows)
        distance = abs(mean - Rational(average))
        note = "only if nearly all rows were rounded down" if Rational(8, 10000) < distance <= Rational(1, 1000) else ""
        place = f"average of {measure}, {classifier.upper()}"
        cells.append(judged(place, float(mean), average, bool(distance <= Rational(1, 1000)), note))
    last = [row.percent_minority for row in rows[-5:]]
    even = all(47 <= float(share) <= 50 for share in last)
    cells.append(judged("the last five data sets, % minority", ", ".join(last), "not imbalanced", even))
    reversed_sets = [row.name for row in rows if row.gain("AUC") > 0 > row.gain("B42")]
    found = f"{len(reversed_sets)}: {', '.join(reversed_sets)}"
    cells.append(
        judged("figure 4, AUC above and B42 below for LR", found, "four typical results", len(reversed_sets) >= 4)
    )
    remark = "An average agrees if the rounding of the rows and its own, half of the last digit each, explain it."
    return Comparison("Table I, the printed numbers among themselves", tuple(cells), (remark,))


def _groups() -> Comparison:
    rows, cells = printed_sets(), list[Cell]()
    for number, (group, counts) in enumerate(printed()["table2"].items()):
        place = slice(number * PER_GROUP, (number + 1) * PER_GROUP)
        for measure, row in counts.items():
            cells.append(Cell(f"{group}, {measure}, sum", Rational(sum(row)), str(PER_GROUP)))
            found = win_tie_lose(printed_outcomes(measure)[place])
            lost = measure in printed()["marks_named_in_the_text"] and number == 0
            note = "with the sign of ann, which the extracted text lost and section IV.C names" if lost else ""
            cells.append(judged(f"{group}, {measure}, signs of table I", found, str(tuple(row)), [*found] == row, note))
        least, most = (Rational(limit) for limit in printed()["table2_limits"][group])
        within = [row for row in rows if least <= Rational(row.percent_minority) <= most]
        note = "" if len(within) == PER_GROUP else GROUP_NOTES[number]
        cells.append(Cell(f"{group}, data sets from {least} to {most} %", Rational(len(within)), "12", note=note))
    total = sum(sum(counts["B42"]) for counts in printed()["table2"].values())
    cells.append(Cell("all groups", Rational(total), "36"))
    remark = "The groups come out as twelve rows each in the printed order; the printed limits are not theirs."
    return Comparison("Table II, the printed counts", tuple(cells), (remark,))


GROUP_NOTES: Final = (
    "hypothyroid (4.77 %) and nf-5p (5.00 %) are counted in the next group",
    "nf-5p, exactly 5 %, is counted here, and so is hypothyroid (4.77 %)",
    "news20 (49.99 %) is counted as well",
)
"""Where the limits of a group and what is counted in it differ."""


def _agreements() -> Comparison:
    cells: list[Cell] = []
    for title, data in printed()["agreement"].items():
        table = Agreement(*(data[key] for key in ("both", "first_only", "second_only", "neither")))
        found = agreement(printed_outcomes("B42"), printed_outcomes(data["measure"]))
        cells.append(Cell(f"{title}, sum", Rational(table.total), "36"))
        cells.append(Cell(f"{title}, disagreements", Rational(table.disagreements), str(data["caption"])))
        cells.append(judged(f"{title}, signs of table I", _shown(found), _shown(table), found == table))
    return Comparison("Tables III and IV, the printed counts", tuple(cells))


def _shown(table: Agreement) -> str:
    return f"both {table.both}, B42 {table.first_only}, other {table.second_only}, neither {table.neither}"


def _marks() -> Comparison:
    """Return which signs of significance the printed means and deviations leave no room for."""
    critical = float(student.isf(0.025, FOLDS - 1))
    cells = [cell for measure in MEASURES for cell in _marks_of(measure, critical)]
    remark = (
        f"Whatever the correlation of the folds, the absolute t of a paired test on {FOLDS} folds lies between bounds "
        "that the two deviations set, if what is printed after ± is a standard deviation over the folds, which the "
        "text does not say; with a standard error half of the lower bound would stand, and less than the upper one.  "
        f"The critical value is {critical:.3f}.  Rounding is allowed for."
    )
    return Comparison("Table I, the signs of significance against the means and deviations", tuple(cells), (remark,))


def _marks_of(measure: str, critical: float) -> Iterator[Judged]:
    impossible, missing = [], []
    for row, outcome in zip(printed_sets(), printed_outcomes(measure), strict=True):
        svm, lr = (float(row.deviation(measure, classifier)) for classifier in ("svm", "lr"))
        lower, upper = t_bounds(float(row.gain(measure)), svm, lr, FOLDS, ROUNDING)
        if outcome == "tie" and lower > critical:
            missing.append(f"{row.name} (t ≥ {lower:.1f})")
        if outcome != "tie" and upper < critical:
            impossible.append(f"{row.name} (t ≤ {upper:.1f})")
    for place, found in (("no sign, yet large enough for one", missing), ("a sign, yet too small for one", impossible)):
        yield judged(f"{measure}, {place}", ", ".join(found) or "none", "none", not found)


def _table_5() -> Comparison:
    rows = {row.name: row for row in printed_sets()}
    table = printed()["table5"]
    cells: list[Cell] = [Cell("data sets", Rational(len(table)), "7")]
    for name, (original, _, _) in table.items():
        cells.append(Cell(f"{name}, table I, LR", rows[name].mean("B42", "lr"), original))
    lower = [name for name, (original, balanced, _) in table.items() if float(balanced) < float(original)]
    cells.append(judged("RUS-balance below the original", ", ".join(lower), "degrades", len(lower) == len(table)))
    lower = [name for name, (original, _, weighted) in table.items() if float(weighted) < float(original)]
    note = "by its own numbers weighting loses most of B42 on these" if lower else ""
    cells.append(judged("weighting below the original", ", ".join(lower) or "none", "works fine", not lower, note))
    series = [values for name, values in table.items() if name.startswith("nf-")]
    for place, column in (("original", 0), ("weighting", 2)):
        values = [float(row[column]) for row in series]
        growing = all(first < second for first, second in pairwise(values))
        cells.append(
            judged(f"nf-, 0.05 to 10 %, {place}", ", ".join(map(str, values)), "B42 grows with % minority", growing)
        )
    whole = [float(row.mean("B42", "lr")) for row in printed_sets() if row.name.startswith("nf-")]
    growing = all(first < second for first, second in pairwise(whole))
    note = "nf-47p, nearly balanced, has a B42 as low as nf-005p" if not growing else ""
    cells.append(
        judged("nf-, 0.05 to 47 %, table I", ", ".join(map(str, whole)), "B42 grows with % minority", growing, note)
    )
    return Comparison("Table V, the printed numbers", tuple(cells))
