"""The library: every metric, property and reference that the package knows, one record each.

A metric is added to the theme file that it belongs to, and nowhere else.
"""

from __future__ import annotations

from typing import Final

from symmetrics.catalogue import Catalogue
from symmetrics.library import (
    agreement,
    association,
    baselines,
    distances,
    imbalance,
    independence,
    information,
    interestingness,
    invariances,
    matching,
    means,
    monotonicity,
    rates,
    similarity,
    structure,
    values,
    verification,
)
from symmetrics.library.references import REFERENCES
from symmetrics.metric import Metric
from symmetrics.property import Property

__all__ = ["REFERENCES", "metrics", "properties"]

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

properties: Final[Catalogue[Property]] = Catalogue(
    "property", (*invariances.RECORDS, *monotonicity.RECORDS, *structure.RECORDS, *values.RECORDS, *baselines.RECORDS)
)
