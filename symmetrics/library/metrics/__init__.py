"""Metrics, one record each, by theme, and no machinery."""

from __future__ import annotations

from functools import partial
from typing import Final

from symmetrics.metric import Metric
from symmetrics.metric.shipped import shipped_records
from symmetrics.tools.catalogue import ThemedCatalogue

__all__ = ["metrics"]

_OF_SCORES: Final = {
    "auc": "auc",
    "auroc": "roc_auc",
    "average_precision": "average_precision",
    "average_precision_score": "average_precision",
    "h_measure": "h_measure",
    "roc_auc": "roc_auc",
    "roc_auc_score": "roc_auc",
    "top_k_accuracy": "top_k_accuracy",
    "top_k_accuracy_score": "top_k_accuracy",
}
"""Names of measures of scores, and the functions that compute them."""
_OF_PROBABILITIES: Final = ("brier", "brier_score", "brier_score_loss", "cross_entropy", "log_loss", "logloss")
"""Names of measures of probabilities, which the package does not have."""

metrics: Final[ThemedCatalogue[Metric]] = ThemedCatalogue(
    "metric",
    __name__,
    {
        name: f"it is a measure of scores, not of counts: symmetrics.{function}(y_true, y_score)"
        for name, function in _OF_SCORES.items()
    }
    | dict.fromkeys(
        _OF_PROBABILITIES, "it is a measure of probabilities, which no confusion matrix holds; scikit-learn has it"
    ),
    partial(shipped_records, __name__),
)
