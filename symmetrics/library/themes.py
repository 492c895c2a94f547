"""Groups of metrics: a theme has the name of the file in which its records stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from symmetrics.library.metrics import metrics
from symmetrics.metric import Metric

__all__ = ["THEMES", "group_of_metrics"]

THEMES: Final[Mapping[str, tuple[Metric, ...]]] = metrics.themes
"""The records of each theme, such as ``"rates"`` or ``"association"``; a theme is loaded when it is asked for."""


def group_of_metrics(name: str) -> Iterable[Metric] | None:
    """Return the metrics of a theme, or with ``"all"`` of the library; None if the name is no group's.

    >>> [metric.name for metric in group_of_metrics("verification")][:2]
    ['extreme_dependency_score', 'symmetric_extreme_dependency_score']
    """
    return metrics.values() if name.strip().casefold() == "all" else THEMES.get(name.strip().casefold())
