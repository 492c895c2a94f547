"""What the claims of Branco, Torgo & Ribeiro (2017) share: how one is made, and what tables 3 and 5 mark and print."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Final

from sympy import Expr

from symmetrics.claims.verdict import Verdict
from symmetrics.papers.branco2017 import experiment
from symmetrics.papers.claims import Kind, PaperClaim, Ruling, by_computation, by_number
from symmetrics.papers.comparison import Cell

PAPER: Final = "branco2017"

Judge = Callable[[], Ruling]
METRICS: Final = (
    *("AvAcc", "MAvG", "Rec_M", "Prec_M", "Rec_mu", "Prec_mu", "F1_M", "F1_mu", "AvF1", "CBA", "MCC", "RCI", "CEN"),
)
"""The rows of tables 1 and 3."""
SUITABLE: Final = {
    "MAvG": (False, True, True),
    "Rec_M": (True, False, False),
    "Prec_M": (False, True, False),
    "Prec_mu": (False, True, False),
    "CBA": (False, True, False),
    "MCC": (True, False, False),
    "CEN": (True, False, False),
}
"""Where table 3 has a sign of accordance with the user, by case; the other metrics have none."""
BOLD: Final = {
    "MAvG": ("63", "39.8"),
    "Rec_M": ("66.7",),
    "Prec_M": ("99.5",),
    "Prec_mu": ("99",),
    "CBA": ("74.5",),
    "MCC": ("65.1",),
    "CEN": ("97.8",),
}
"""What table 5 prints in bold, of the metrics without relevance."""
NOT_BOLD: Final = (("AvF1^PO", 1), ("CBA^PO", 1))
"""What table 5 does not print in bold, of the metrics with a relevance, and of which case."""


def statement(key: str, place: str, kind: Kind, printed_as: str, judge: Judge) -> PaperClaim:
    return PaperClaim(f"{PAPER}.{key}", place, kind, printed_as, judge)


def slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


def refuted_if_proved(refutes: bool, evidence: str, corrected: str, *proofs: Verdict) -> Ruling:
    """Return a refutation if the computation refutes the print and the form that holds is proved."""
    if refutes and all(verdict.status == "proved" for verdict in proofs):
        return by_computation(False, evidence, corrected)
    return Ruling("open", f"not established: {evidence}")


def exact_value(name: str, matrix: Sequence[Sequence[int]]) -> Expr:
    metric, average = experiment._plain_metrics()[name]
    return metric.exact(matrix, average=average, zero_division=0)


@cache
def cells_of_table(number: int) -> tuple[Cell, ...]:
    """Return the cells of a table, computed again."""
    tables = {2: experiment._table_2, 3: experiment._table_3, 4: experiment._table_4, 5: experiment._table_5}
    return tables[number]().cells


def claims_of_table(number: int, workings: dict[str, tuple[str, str]]) -> Iterator[PaperClaim]:
    for cell in cells_of_table(number):
        working, correction = workings.get(cell.place, ("", ""))
        yield statement(
            f"table_{number}_{slug(cell.place)}",
            f"table {number}, {cell.place}",
            "table cell",
            cell.printed,
            partial(by_number, cell.ours, cell.printed, working, decimals=cell.decimals, correction=correction),
        )


def normalised_values(number: int, name: str) -> list[str]:
    """Return the normalised values that a table prints for a metric, by case."""
    rows = experiment._data()[f"table{number}"]
    return [entry[0] if number == 3 else entry for entry in rows[name]]
