"""Section 1 of Branco, Torgo & Ribeiro (2017): why accuracy is not enough."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Add, symbols

from symmetrics.matrices.expansion import entry_symbols
from symmetrics.papers.claims import PaperClaim, Ruling, by_verdicts, inequality

from .formulas import compared, margins_of, printed_formula
from .shared import statement


def _introduction() -> Iterator[PaperClaim]:
    yield statement(
        "accuracy_sees_no_preferences",
        "section 1",
        "words",
        "accuracy cannot take preferences into account: it weighs the classes by their examples",
        _weights_of_accuracy,
    )


def _weights_of_accuracy() -> Ruling:
    entries = entry_symbols(3)
    true, _, total = margins_of(entries)
    mean = Add(*(t / total * (entries[place][place] / t) for place, t in enumerate(true)))
    smaller, more, others = over = symbols("smaller more others", real=True)
    larger = smaller + more
    size = smaller + larger + others
    return by_verdicts(
        compared(printed_formula("Rec_mu", entries), mean),
        inequality(larger / size, smaller / size, strict=True, over=over),
        note="for 3 classes it is Σ (t_i/N)·recall_i, in which the smaller of two classes weighs less",
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _introduction()
