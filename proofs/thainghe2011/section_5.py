"""Section V of Thai-Nghe, Gantner & Schmidt-Thieme (2011): the conclusion."""

from __future__ import annotations

from collections.abc import Iterator

from symmetrics.papers.claims import PaperClaim, Ruling, by_computation, with_reading
from symmetrics.papers.thainghe2011.figures import printed, printed_outcomes

from .shared import of_group, statement


def _conclusion() -> Iterator[PaperClaim]:
    yield from with_reading(
        statement(
            "reversed_for_imbalanced",
            "section V",
            "words",
            "for highly imbalanced data the results of AUC and B42 are reversed",
            _reversed_outcomes,
        ),
        "in the sums of wins and losses over the first group",
        _reversed_counts,
    )


def _reversed_outcomes() -> Ruling:
    pairs = list(zip(of_group(0, printed_outcomes("AUC")), of_group(0, printed_outcomes("B42")), strict=True))
    opposite = sum({a, b} == {"win", "lose"} for a, b in pairs)
    return by_computation(
        opposite == len(pairs),
        f"{opposite} of the {len(pairs)} data sets of group 1 are significant in opposite directions in table I",
        "on no data set is a significant result reversed",
    )


def _reversed_counts() -> Ruling:
    first = next(iter(printed()["table2"].values()))
    auc, b42 = (first[measure][0] - first[measure][2] for measure in ("AUC", "B42"))
    return by_computation(auc > 0 > b42, f"wins minus losses are {auc} by AUC and {b42} by B42")


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _conclusion()
