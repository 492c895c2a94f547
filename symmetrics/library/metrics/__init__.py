"""Metrics, one record each, by theme, and no machinery."""

from __future__ import annotations

from typing import Final

from symmetrics.library.metrics import (
    agreement,
    association,
    distances,
    imbalance,
    independence,
    information,
    interestingness,
    matching,
    means,
    rates,
    similarity,
    verification,
)
from symmetrics.metric import Metric
from symmetrics.tools.catalogue import Catalogue

__all__ = ["metrics"]

metrics: Final[Catalogue[Metric]] = Catalogue(
    "metric",
    (
        *rates.RECORDS,
        *means.RECORDS,
        *imbalance.RECORDS,
        *agreement.RECORDS,
        *association.RECORDS,
        *independence.RECORDS,
        *interestingness.RECORDS,
        *information.RECORDS,
        *verification.RECORDS,
        *similarity.RECORDS,
        *matching.RECORDS,
        *distances.RECORDS,
    ),
)
