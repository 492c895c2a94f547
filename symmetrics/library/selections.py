"""The metrics and properties of the invariance table that the literature begins with, and its signs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["DOZEN", "GARCIA_METRICS", "GARCIA_PROPERTIES", "SIGNS"]

GARCIA_METRICS: Final = (
    "tpr",
    "tnr",
    "precision",
    "accuracy",
    "gmean",
    "auc_single",
    "f1",
    "optimized_precision",
    "iba_gmean",
    "kappa",
    "agm",
    "cwa",
    "wauc",
)
"""The metrics of García, Sánchez & Mollineda (2012), table 2; the default rows of a table."""
GARCIA_PROPERTIES: Final = ("p1", "p2", "p3", "p4", "p5")
"""The properties of the same table; the default columns of a table."""

SIGNS: Final[Mapping[bool | None, str]] = {True: "-", False: "+", None: "?"}
"""García's signs: ``-`` where the metric is invariant, ``+`` where it is not; ``?`` where that is open."""

DOZEN: Final = (
    "accuracy",
    "balanced_accuracy",
    "precision",
    "recall",
    "specificity",
    "npv",
    "f1",
    "jaccard",
    "gmean",
    "mcc",
    "kappa",
    "informedness",
)
"""What predictions are scored with if nobody says with what: the rates and the most used summaries of them."""
