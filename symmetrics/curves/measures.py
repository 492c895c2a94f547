"""Ranking measures of scores, over all thresholds, by name.

>>> {name: round(measure([1, 0, 1, 0], [4, 3, 2, 1]), 3) for name, measure in SCORE_MEASURES.items()}
{'auc': 0.75, 'average_precision': 0.833, 'gini': 0.5, 'kolmogorov_smirnov': 0.5, 'weighted_auc': 0.725, \
'h_measure': 0.5, 'b42': 0.5}
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final


class _Measures(Mapping[str, Callable[..., Any]]):
    """Functions by name, each imported on access: often only the names are needed."""

    def __init__(self, homes: Mapping[str, str]) -> None:
        self._homes = homes

    def __getitem__(self, name: str) -> Callable[..., Any]:
        measure: Callable[..., Any] = getattr(importlib.import_module(self._homes[name]), name)
        return measure

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)


SCORE_MEASURES: Final[Mapping[str, Callable[..., Any]]] = _Measures(
    {
        "auc": "symmetrics.curves.geometry",
        "average_precision": "symmetrics.curves.multiclass",
        "gini": "symmetrics.curves.geometry",
        "kolmogorov_smirnov": "symmetrics.curves.geometry",
        "weighted_auc": "symmetrics.curves.weighted",
        "h_measure": "symmetrics.curves.hmeasure",
        "b42": "symmetrics.curves.hmeasure",
    }
)
"""Functions of labels (True or 1 is positive) and scores, each with its own defaults."""

OF_POSITIVES_ALONE: Final = frozenset({"average_precision"})
"""Measures that do not need negative examples, and are 1 without; all others need both classes."""
