"""Section 5 of Landgrebe and others (2005): the conclusion."""

from __future__ import annotations

from collections.abc import Iterator

import symmetrics as sm
from symmetrics.papers.claims import PaperClaim, Ruling, by_computation, by_verdicts, decided, lacks

from .shared import METRICS, statement


def _section_5() -> Iterator[PaperClaim]:
    """Yield the two statements that repeat those of section 1, for both measures together."""
    yield statement(
        "conclusion_priors",
        "section 5",
        "words",
        "TPr and FPr are independent of the class distributions",
        lambda: by_verdicts(*(decided(sm.properties["actual_scaling"].claim(METRICS[key])) for key in ("tpr", "fpr"))),
    )

    yield statement(
        "conclusion_costs",
        "section 5",
        "words",
        "POSfrac and Purity depend on the class distributions",
        _both_see_priors,
    )


def _both_see_priors() -> Ruling:
    rulings = [lacks(key, "actual_scaling") for key in ("positive_fraction", "precision")]
    return by_computation(
        all(ruling.outcome == "holds" for ruling in rulings), "; ".join(ruling.evidence for ruling in rulings)
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _section_5()
