"""Resolve metric names for more than two classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symmetrics.library import metrics
from symmetrics.metric.shipped import matrix_metric_names
from symmetrics.tools.catalogue import spoken

if TYPE_CHECKING:
    from symmetrics.matrices.metric import MulticlassMetric


def whole_matrix_metric(*names: str) -> MulticlassMetric | None:
    """Return the matrix metric that has one of some names, None if there is none.

    :param names: a name as it was given, and those of the metric that it means for two classes

    >>> whole_matrix_metric("phi", "mcc").name, whole_matrix_metric("recall", "tpr")
    ('mcc', None)
    """
    known = matrix_metric_names()
    if known is not None and known.isdisjoint(map(spoken, names)):
        return None
    from symmetrics.matrices.records import multiclass  # imports the algebra, which most names do not need

    return next((multiclass[name] for name in names if name in multiclass), None)


def metric_of_matrices_alone(name: object) -> MulticlassMetric | None:
    """Return the matrix metric with a name that no binary metric has, None for other names.

    >>> metric_of_matrices_alone("kappa_quadratic").name, metric_of_matrices_alone("kappa")
    ('kappa_quadratic', None)
    """
    return whole_matrix_metric(name) if isinstance(name, str) and name not in metrics else None


def against_the_rest(name: str, average: str = "") -> str:
    """Return the name of a one-vs-rest metric whose own name is also that of a matrix metric.

    :param average: the mean over the classes, if it is one

    >>> against_the_rest("recall"), against_the_rest("mcc"), against_the_rest("mcc", "macro")
    ('recall', 'mcc (one class against the rest)', 'mcc (macro mean of one class against the rest)')
    """
    if whole_matrix_metric(name) is None:
        return name
    return f"{name} ({f'{average} mean of ' if average else ''}one class against the rest)"
