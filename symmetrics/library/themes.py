"""Groups of metrics: a theme has the name of the file in which its records stand."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from symmetrics.library.metrics import metrics
from symmetrics.metric import Metric

__all__ = ["THEMES", "group_of_metrics"]

_PACKAGE: Final = "symmetrics.library.metrics"


def _records() -> dict[str, tuple[Metric, ...]]:
    """Return the records of each module that has some."""
    path = importlib.import_module(_PACKAGE).__path__
    modules = {found.name: importlib.import_module(f"{_PACKAGE}.{found.name}") for found in pkgutil.iter_modules(path)}
    return {name: module.RECORDS for name, module in modules.items() if hasattr(module, "RECORDS")}


THEMES: Final[Mapping[str, tuple[Metric, ...]]] = MappingProxyType(_records())
"""The records of each theme, such as ``"rates"`` or ``"association"``."""


def group_of_metrics(name: str) -> Iterable[Metric] | None:
    """Return the metrics of a theme, or with ``"all"`` of the library; None if the name is no group's.

    >>> [metric.name for metric in group_of_metrics("verification")][:2]
    ['extreme_dependency_score', 'symmetric_extreme_dependency_score']
    """
    return metrics.values() if name.strip().casefold() == "all" else THEMES.get(name.strip().casefold())
