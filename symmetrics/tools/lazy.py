"""Modules that are loaded when they are used."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class LoadedWhenUsed:
    """A module that is imported when one of its names is asked for.

    The value of one table needs nothing of NumPy, whose import takes longer than everything else together.

    >>> LoadedWhenUsed("math").sqrt(4)
    2.0
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)
