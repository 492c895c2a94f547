"""Monotonicity: whether a metric increases or decreases when cells change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from symmetrics.claims import AllOf, StrictInequality, value_symbol
from symmetrics.claims.property import Property, other
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, Table
from symmetrics.language.definition import Citation, Definition

T: Final = other("t")
RISE: Final = value_symbol(1) - value_symbol(0)
UP: Final[Mapping[str, Table]] = {
    "increasing_tp": (TP + T, FN, FP, TN),
    "increasing_tn": (TP, FN, FP, TN + T),
    "decreasing_fn": (TP, FN + T, FP, TN),
    "decreasing_fp": (TP, FN, FP + T, TN),
}


def _rises(lower: Table, upper: Table) -> Callable[[Definition], StrictInequality]:
    """Return the claim that M is larger at the second of two tables, for every positive step t."""
    return StrictInequality.between((lower, upper), (T,), RISE)


IN_ONE_CELL: Final = {
    name: _rises(CELLS, image) if name.startswith("increasing") else _rises(image, CELLS) for name, image in UP.items()
}
CORRECTIONS: Final = {
    "FN becomes TP": _rises((TP, FN + T, FP, TN), (TP + T, FN, FP, TN)),
    "FP becomes TN": _rises((TP, FN, FP + T, TN), (TP, FN, FP, TN + T)),
}
MARGINS: Final = {
    "FN grows by what TN loses": _rises((TP, FN + T, FP, TN), (TP, FN, FP, TN + T)),
    "FP grows by what TN loses": _rises((TP, FN, FP + T, TN), (TP, FN, FP, TN + T)),
}


def _all(claims: Mapping[str, Callable[[Definition], StrictInequality]]) -> Callable[[Definition], AllOf]:
    return lambda metric: AllOf(tuple((label, claim(metric)) for label, claim in claims.items()))


RECORDS: Final = (
    Property(
        "agreement_increases",
        "M(TP + t, FN, FP, TN + t) > M(TP, FN + t, FP + t, TN), t > 0",
        _rises((TP, FN + T, FP + T, TN), (TP + T, FN, FP, TN + T)),
        title="more agreement at fixed margins raises M",
        cites=(Citation("piatetskyshapiro1991", "P2"),),
        yes="rises with the number of right predictions where the totals of the classes are fixed",
        no="does not always rise with the number of right predictions where the totals of the classes are fixed",
        words=("fixed margins", "agreement"),
    ),
    Property(
        "margins_decrease",
        "M(TP, FN + t, FP, TN) < M(TP, FN, FP, TN + t) > M(TP, FN, FP + t, TN), t > 0",
        _all(MARGINS),
        title="M falls as FN, or as FP, grows by what TN loses",
        cites=(Citation("piatetskyshapiro1991", "P3"),),
        yes="falls whenever a true negative is replaced by an error",
        no="does not always fall when a true negative is replaced by an error",
        words=("margins", "rule interest"),
    ),
    Property(
        "increasing_tp",
        "M(TP + t, FN, FP, TN) > M(TP, FN, FP, TN), t > 0",
        IN_ONE_CELL["increasing_tp"],
        title="strictly increasing in TP",
        cites=(Citation("canbek2021", "monotonicity in one cell"),),
        yes="rises with each further true positive",
        no="does not always rise with a further true positive",
        words=("more true positives", "more hits", "monotone"),
    ),
    Property(
        "increasing_tn",
        "M(TP, FN, FP, TN + t) > M(TP, FN, FP, TN), t > 0",
        IN_ONE_CELL["increasing_tn"],
        title="strictly increasing in TN",
        cites=(Citation("canbek2021", "monotonicity in one cell"),),
        yes="rises with each further true negative",
        no="does not always rise with a further true negative",
        words=("more true negatives", "monotone"),
    ),
    Property(
        "decreasing_fn",
        "M(TP, FN + t, FP, TN) < M(TP, FN, FP, TN), t > 0",
        IN_ONE_CELL["decreasing_fn"],
        title="strictly decreasing in FN",
        cites=(Citation("canbek2021", "monotonicity in one cell"),),
        yes="falls with each further false negative",
        no="does not always fall with a further false negative",
        words=("more false negatives", "more misses", "monotone"),
    ),
    Property(
        "decreasing_fp",
        "M(TP, FN, FP + t, TN) < M(TP, FN, FP, TN), t > 0",
        IN_ONE_CELL["decreasing_fp"],
        title="strictly decreasing in FP",
        cites=(Citation("canbek2021", "monotonicity in one cell"),),
        yes="falls with each further false positive",
        no="does not always fall with a further false positive",
        words=("more false positives", "more false alarms", "monotone"),
    ),
    Property(
        "strongly_monotone",
        "M increases strictly in TP and in TN, and decreases strictly in FN and in FP",
        _all(IN_ONE_CELL),
        title="strict monotonicity in all four cells",
        cites=(Citation("gosgens2021", "strong monotonicity"),),
        yes="rises with each further right prediction and falls with each further error",
        no="does not always rise with a further right prediction and fall with a further error",
        words=("strictly monotone", "every cell counts", "sensible"),
    ),
    Property(
        "monotone",
        "M(TP + t, FN, FP, TN) > M(TP, FN + t, FP, TN) and M(TP, FN, FP, TN + t) > M(TP, FN, FP + t, TN), t > 0",
        _all(CORRECTIONS),
        title="correcting a prediction raises M, and spoiling one lowers it",
        cites=(Citation("gosgens2021", "monotonicity"),),
        yes="rises whenever an error is corrected",
        no="does not always rise when an error is corrected",
        words=("correcting errors", "monotonicity", "better predictions score higher"),
    ),
)
