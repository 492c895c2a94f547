"""Metrics, one record each, by theme, and no machinery."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from symmetrics.tools.catalogue import ThemedCatalogue

if TYPE_CHECKING:
    from symmetrics.metric import Metric

__all__ = ["metrics"]

metrics: Final[ThemedCatalogue[Metric]] = ThemedCatalogue("metric", __name__)
