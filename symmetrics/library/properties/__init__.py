"""Properties, one record each, by theme, and what follows from what, but no proof of it."""

from __future__ import annotations

from typing import Final

from symmetrics.claims.property import Property
from symmetrics.library.properties import baselines, invariances, monotonicity, structure, values
from symmetrics.tools.catalogue import Catalogue

__all__ = ["properties"]

properties: Final[Catalogue[Property]] = Catalogue(
    "property", (*invariances.RECORDS, *monotonicity.RECORDS, *structure.RECORDS, *values.RECORDS, *baselines.RECORDS)
)
