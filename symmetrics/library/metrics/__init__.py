"""Metrics, one record each, by theme, and no machinery."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from types import MappingProxyType
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

__all__ = ["THEMES", "metrics"]

_OF_SCORES: Final = {
    "auc": "auc",
    "auroc": "roc_auc",
    "average_precision": "average_precision",
    "average_precision_score": "average_precision",
    "h_measure": "h_measure",
    "roc_auc": "roc_auc",
    "roc_auc_score": "roc_auc",
    "top_k_accuracy": "top_k_accuracy",
}
"""Names of measures of scores, and the functions that they are."""

THEMES: Final[Mapping[str, tuple[Metric, ...]]] = MappingProxyType(
    {
        theme.__name__.rpartition(".")[2]: theme.RECORDS
        for theme in (
            rates,
            means,
            imbalance,
            agreement,
            association,
            independence,
            interestingness,
            information,
            verification,
            similarity,
            matching,
            distances,
        )
    }
)
"""The records by theme: a group of metrics has the name of the file that they stand in."""

metrics: Final[Catalogue[Metric]] = Catalogue(
    "metric",
    itertools.chain.from_iterable(THEMES.values()),
    {
        name: f"it is a measure of scores, not of counts: symmetrics.{function}(y_true, y_score)"
        for name, function in _OF_SCORES.items()
    },
)
