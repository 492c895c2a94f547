"""What names mean for more than two classes: those of a metric of whole matrices mean that metric."""

from __future__ import annotations

from symmetrics.matrices.metric import MulticlassMetric
from symmetrics.matrices.records import multiclass

__all__ = ["whole_matrix_metric"]


def whole_matrix_metric(*names: str) -> MulticlassMetric | None:
    """Return the metric of whole matrices that has one of some names, None if there is none.

    :param names: a name as it was given, and those of the metric that it means for two classes

    >>> whole_matrix_metric("phi", "mcc").name, whole_matrix_metric("recall", "tpr")
    ('mcc', None)
    """
    return next((multiclass[name] for name in names if name in multiclass), None)
