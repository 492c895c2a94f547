"""What Thai-Nghe, Gantner & Schmidt-Thieme (2011) print, and whether it fits together.

Signs of significance of table I are taken as the extracted text has them; one that it lost and that section IV.C names
is added.  In table V it has so few of them that nothing is concluded from those.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from sympy import Rational

__all__ = ["MEASURES", "PrintedSet", "printed", "printed_outcomes", "printed_sets"]

MEASURES: Final = ("B42", "AUC", "H")


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
