"""Groups of metrics: a theme has the name of the file in which its records stand."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from symmetrics.metric import Metric

__all__ = ["THEMES"]

_PACKAGE: Final = "symmetrics.library.metrics"


def _records() -> dict[str, tuple[Metric, ...]]:
    """Return the records of each module that has some."""
    path = importlib.import_module(_PACKAGE).__path__
    modules = {found.name: importlib.import_module(f"{_PACKAGE}.{found.name}") for found in pkgutil.iter_modules(path)}
    return {name: module.RECORDS for name, module in modules.items() if hasattr(module, "RECORDS")}


THEMES: Final[Mapping[str, tuple[Metric, ...]]] = MappingProxyType(_records())
"""The records of each theme, such as ``"rates"`` or ``"association"``."""
