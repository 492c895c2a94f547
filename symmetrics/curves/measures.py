"""The measures of a score under all its thresholds, by name.

>>> {name: round(measure([1, 0, 1, 0], [4, 3, 2, 1]), 3) for name, measure in SCORE_MEASURES.items()}
{'auc': 0.75, 'average_precision': 0.833, 'gini': 0.5, 'kolmogorov_smirnov': 0.5, 'weighted_auc': 0.725, \
'h_measure': 0.5, 'b42': 0.5}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from symmetrics.curves.areas import auc, gini, kolmogorov_smirnov
from symmetrics.curves.averaged import average_precision
from symmetrics.curves.hmeasure import b42, h_measure
from symmetrics.curves.weighted import weighted_auc

__all__ = ["OF_POSITIVES_ALONE", "SCORE_MEASURES"]

SCORE_MEASURES: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {
        measure.__name__: measure
        for measure in (auc, average_precision, gini, kolmogorov_smirnov, weighted_auc, h_measure, b42)
    }
)
"""Functions of labels and scores, the positive class being True or 1; each with its own defaults."""

OF_POSITIVES_ALONE: Final = frozenset({"average_precision"})
"""Measures that need no negative examples, and are 1 without; all others need both classes."""
