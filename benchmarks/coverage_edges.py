"""How often do intervals contain the true value at kinks and at ends of the range that lie inside of the tables?

At these neither a tangent nor a posterior is right.  The settings are independence of truth and prediction and near it,
where associations without a sign are 0, and equal rates or equal totals, where minima, maxima and absolute values have
their kinks, also with few positives and where hardly anything is predicted positive.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

TABLES = 2000
"""Tables a setting, which leave a standard error of 0.5 points."""
NUMBERS = (60, 200, 1000)
ASSOCIATIONS = ("cramer_v", "mutual_information", "chi_square", "minimum_normalized_mutual_information")
OF_RATES = ("optimized_precision", "worst_class_accuracy", "own_balance")
OF_TOTALS = ("overlap_coefficient", "own_best", "volumetric_similarity", "baulieu_8")
PLACES: dict[str, tuple[tuple[float, float, float, float], tuple[str, ...]]] = {
    "independent, half positive, half predicted": ((0.25, 0.25, 0.25, 0.25), ASSOCIATIONS),
    "independent, half positive, 2 % predicted": ((0.01, 0.49, 0.01, 0.49), ASSOCIATIONS),
    "independent, 10 % positive, 2 % predicted": ((0.002, 0.098, 0.018, 0.882), ASSOCIATIONS),
    "independent, 10 % positive, 30 % predicted": ((0.03, 0.07, 0.27, 0.63), ASSOCIATIONS),
    "nearly so, rates 0.55 and 0.55": ((0.275, 0.225, 0.225, 0.275), ASSOCIATIONS),
    "nearly so, rates 0.03 and 0.99": ((0.015, 0.485, 0.005, 0.495), ASSOCIATIONS),
    "nearly so, 10 % positive, rates 0.06 and 0.98": ((0.006, 0.094, 0.018, 0.882), ASSOCIATIONS),
    "equal rates 0.8": ((0.4, 0.1, 0.1, 0.4), OF_RATES),
    "equal rates 0.8, 10 % positive": ((0.08, 0.02, 0.18, 0.72), OF_RATES),
    "equal rates 0.95, 10 % positive": ((0.095, 0.005, 0.045, 0.855), OF_RATES),
    "rates 0.85 and 0.8, 30 % positive": ((0.255, 0.045, 0.14, 0.56), OF_RATES),
    "equal totals, 30 % positive": ((0.24, 0.06, 0.06, 0.64), OF_TOTALS),
    "equal totals, 2 % positive": ((0.016, 0.004, 0.004, 0.976), OF_TOTALS),
}
"""The shares of TP, FN, FP and TN, and the metrics that are asked for there."""


class Edge(NamedTuple):
    """A place at or near a kink or an end of the range, and how many examples there are."""

    number: int
    place: str

    @property
    def name(self) -> str:
        return f"n={self.number} {self.place}"

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that are asked for."""
        return PLACES[self.place][1]

    def shares(self, classes: int) -> np.ndarray:  # noqa: ARG002, other settings depend on it
        """Return the true shares of TP, FN, FP, TN; there are two classes."""
        return np.array(PLACES[self.place][0])

    def tables(self, classes: int, replicates: int) -> np.ndarray:
        """Draw tables, the same for every metric; a longer run begins with the tables of a shorter one."""
        random = np.random.default_rng(crc32(self.name.encode()))
        return random.multinomial(self.number, self.shares(classes), size=replicates)


EDGES = tuple(Edge(number, place) for place in PLACES for number in NUMBERS)


def missing_edges(kept: dict[str, Any], again: list[str]) -> list[tuple[str, Edge, str, int, list[str]]]:
    """Return the parts of the study that are not in the file: name, setting, method, number of tables, metrics."""
    parts = []
    for edge in EDGES:
        known = kept["results"].get(f"auto {edge.name}", {})
        if metrics := [metric for metric in edge.metrics if metric not in known or metric in again]:
            parts.append((f"auto {edge.name}", edge, "auto", TABLES, metrics))
    return parts


def edge_rows(kept: dict[str, Any]) -> list[list[str]]:
    """Return the coverage of each metric at each place, by the number of examples, in percent."""
    rows = [["at", "metric", *(f"n = {number}" for number in NUMBERS)]]
    for place, (_, metrics) in PLACES.items():
        for metric in metrics:
            found = [kept["results"].get(f"auto {Edge(number, place).name}", {}).get(metric) for number in NUMBERS]
            rows.append([place, f"`{metric}`", *("" if one is None else f"{100 * one['inside']:.1f}" for one in found)])
    return rows
