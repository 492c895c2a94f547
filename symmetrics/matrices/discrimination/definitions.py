"""The measure of a definition: how the values of a metric of k x k matrices are compared exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from sympy import Expr

from symmetrics.language.cells import TN, TP, n
from symmetrics.library import metrics
from symmetrics.matrices.discrimination.classes import Weights
from symmetrics.matrices.discrimination.logarithms import EntropyMeasure
from symmetrics.matrices.discrimination.measures import (
    ClassProduct,
    HarmonicOfMeans,
    MeanOfClasses,
    MeanWithCorrectOthers,
    Measure,
    Pooled,
    SquaredCorrelation,
)
from symmetrics.matrices.nodes import ClassMean, CorrectClassMean, FMeasure, GeometricClassMean
from symmetrics.matrices.records import multiclass
from symmetrics.metric import Metric
from symmetrics.tools.errors import UnsupportedError

__all__ = ["measure_of", "pooled_measure_of"]

_CORRECT: Final = CorrectClassMean((TP + TN) / n)
_CORRELATION: Final = multiclass["mcc"].definition
_ENTROPIES: Final = {multiclass[key].definition: (key, sees) for key, sees in (("rci", False), ("cen", True))}
_NAMED: Final = {metric.expr: metric for metric in metrics.values()}


def measure_of(name: str, definition: Expr, weights: Weights | None = None) -> Measure | EntropyMeasure:
    """Return how the values of a definition are found at all matrices, and compared.

    :param name: what a study calls it
    :param definition: an expression in the language of :mod:`symmetrics.matrices.nodes`, without free parameters
    :param weights: of the classes, in its means over them; by default all alike
    :raises UnsupportedError: if there is no way to compare its values exactly

    >>> measure_of("CBA", multiclass["cba"].definition).metric.name
    'all_confidence'
    """
    match definition:
        case ClassMean():
            return _mean(name, definition, weights)
        case FMeasure(args=(ClassMean() as precision, ClassMean() as recall, beta)) if (beta**2).is_Rational:
            means = {"precision": _mean(name, precision, weights), "recall": _mean(name, recall, weights)}
            return HarmonicOfMeans(name, **means, beta_squared=Fraction(str(beta**2)))
    if weights is None:
        if isinstance(definition, GeometricClassMean):
            return ClassProduct(name, metric=_of_class(definition))
        if definition == _CORRECT:
            return MeanWithCorrectOthers(name)
        if definition == _CORRELATION:
            return SquaredCorrelation(name)
        if definition in _ENTROPIES:
            key, sees_diagonal = _ENTROPIES[definition]
            return EntropyMeasure(name, key, sees_diagonal=sees_diagonal)
    weighed = "" if weights is None else " with weights of the classes"
    raise UnsupportedError(f"{name}: the values of {definition}{weighed} cannot be compared exactly")


def pooled_measure_of(name: str, definition: Expr) -> Measure:
    """Return the measure of a mean over the classes whose cells are added up first (micro-averaging).

    :raises UnsupportedError: if the definition is another one
    """
    if not isinstance(definition, ClassMean):
        raise UnsupportedError(f"{name}: {definition} is no mean over classes, whose cells could be added up")
    return Pooled(name, metric=_of_class(definition))


def _mean(name: str, mean: Expr, weights: Weights | None) -> MeanOfClasses:
    return MeanOfClasses(name, metric=_of_class(mean), weights=weights)


def _of_class(mean: Expr) -> Metric:
    """Return the binary metric of a mean over classes; the library's, with its name, if it has it."""
    (body,) = mean.args
    return _NAMED.get(body) or Metric("metric of a class", body)
