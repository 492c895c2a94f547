"""The measure of a definition: how the values of a metric of k x k matrices are compared exactly, at all matrices."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
from flint import fmpq
from sympy import Expr, Rational, S

from symmetrics.data.counts import FloatArray
from symmetrics.language.cells import TN, TP, n
from symmetrics.library import metrics
from symmetrics.library.selections import as_metric
from symmetrics.matrices.discrimination.measures import (
    ClassProduct,
    Columns,
    EntropyMeasure,
    HarmonicOfMeans,
    MeanOfClasses,
    MeanWithCorrectOthers,
    Measure,
    Pooled,
    SquaredCorrelation,
    Undefined,
)
from symmetrics.matrices.discrimination.states import IntArray, Sizes, Weights, distinct, rows_of
from symmetrics.matrices.expansion import Exactly
from symmetrics.matrices.metric import MulticlassMetric
from symmetrics.matrices.nodes import ClassMean, CorrectClassMean, FMeasure, GeometricClassMean
from symmetrics.matrices.records import multiclass
from symmetrics.metric import Metric
from symmetrics.tools.errors import UnsupportedError

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


@dataclass(frozen=True)
class Listed:
    """Any metric of matrices with rational values, which is evaluated at every matrix by itself.

    :param name: what the study calls it
    :param metric: without free parameters
    """

    name: str
    metric: MulticlassMetric

    def values(self, sizes: Sizes, undefined: Undefined) -> tuple[Columns, int]:
        """Return the distinct values, and at how many matrices there is none.

        :raises UnsupportedError: on a value that is not rational
        """
        fill = None if undefined is None else Rational(undefined.numerator, undefined.denominator)
        found: set[Expr] = set()
        missing = 0
        for matrices in matrices_of(sizes):
            for matrix in matrices.tolist():
                value = self._value(matrix, fill)
                missing += value is S.NaN
                if value is not S.NaN:
                    found.add(value)
        if not all(value.is_Rational for value in found):
            raise UnsupportedError(f"{self.name} has values that are not rational, which cannot be compared exactly")
        terms = [np.array([int(getattr(value, part)) for value in found], dtype=object) for part in ("p", "q")]
        return [column.astype(np.int64) for column in terms], missing

    def _value(self, matrix: list[list[int]], fill: Expr | None) -> Expr:
        entries = tuple(tuple(map(fmpq, row)) for row in matrix)
        try:
            value = Exactly(entries, (fmpq(1),) * len(entries)).value(self.metric.definition)
        except ArithmeticError:  # a class, or the whole, without a value, which may have a limit
            value = None
        if isinstance(value, fmpq):
            return Rational(int(value.p), int(value.q))
        return self.metric.exact(matrix, zero_division=fill)


AnyMeasure = Measure | EntropyMeasure | Listed


def as_measure(one: object) -> AnyMeasure:
    """Return the measure of a metric of matrices, or of the mean over the classes of a metric of two classes.

    :param one: a metric of either kind, an expression, the text of a formula, or a name, that of a metric of matrices
        first; a measure is returned as it is
    :raises InputError: on what is none of these

    >>> as_measure("cba").name, type(as_measure("kappa")).__name__, as_measure("TP/(TP + 2*FN)").metric.expr
    ('cba', 'Listed', TP/(2*FN + TP))
    """
    if isinstance(one, AnyMeasure):
        return one
    if isinstance(one, str) and one in multiclass:
        one = multiclass[one]
    if isinstance(one, MulticlassMetric):
        metric = one.at(**{parameter.name: parameter.default for parameter in one.parameters})
    else:
        binary = as_metric(one)
        metric = MulticlassMetric(binary.name, ClassMean(binary.at_defaults()))
    try:
        return measure_of(metric.name, metric.definition)
    except UnsupportedError:
        return Listed(metric.name, metric)


# -- The values that 64-bit floating point computes, to see how many of their differences are rounding errors ----------


CHUNK: Final = 100_000
"""Matrices that are evaluated at a time."""


def distinct_floats(values: FloatArray) -> Columns:
    """Return the distinct values, as the integers of their bits.

    >>> len(distinct_floats(np.array([0.1 + 0.2, 0.3, 0.3]))[0])
    2
    """
    return distinct([(values + 0.0).view(np.int64)])  # adding 0 makes a 0 of -0


def entropies(key: str, sizes: Sizes) -> Iterator[FloatArray]:
    """Yield what floating point makes of a metric at every matrix.

    :param key: the metric's key in :data:`symmetrics.multiclass`
    """
    for matrices in matrices_of(sizes):
        yield np.asarray(multiclass[key].from_confusion(matrices))


def matrices_of(sizes: Sizes) -> Iterator[IntArray]:
    """Yield all matrices in chunks of shape (matrices, classes, classes)."""
    *first, last = (rows_of(count, sizes.classes) for count in sizes.counts)
    combinations = itertools.product(*first)
    size = max(CHUNK // len(last), 1)
    while chosen := list(itertools.islice(combinations, size)):
        upper = np.repeat(np.array(chosen), len(last), axis=0)
        lower = np.tile(last, (len(chosen), 1))[:, None, :]
        yield np.concatenate([upper, lower], axis=1)
