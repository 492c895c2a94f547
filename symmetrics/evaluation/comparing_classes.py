"""Compare two classifiers of several classes: by an average over the classes, or by a metric of the whole matrix."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from math import nan
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from symmetrics.data.counts import FloatArray, as_matrices, shown
from symmetrics.data.encoding import listed
from symmetrics.evaluation.comparison import Comparison, ComparisonSettings, untested, with_test
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.metric.uncertainty import estimator_of_average
from symmetrics.numeric.averaging import Average
from symmetrics.numeric.classes import matched, named_rows
from symmetrics.statistics.averages import MatrixEstimator, OccurringClasses, matrix_groups, one_value
from symmetrics.statistics.intervals import Estimator, Groups, Question
from symmetrics.statistics.paired import LARGEST, difference_interval
from symmetrics.statistics.permutations import Outcomes, permutation_test, permutation_test_of_groups
from symmetrics.statistics.resampling import Sample, interval_of_sample, probability_above_of_sample
from symmetrics.statistics.samples import (
    Difference,
    JointDifference,
    Places,
    StackedDifference,
    joint_groups,
    paired_sample,
    separate_sample,
    table_of,
)
from symmetrics.tools.errors import InputError

# -- Compare two classifiers on examples in groups or with weights, by the variance between groups ---------------------


_FEW: Final = 5
"""For a class with fewer examples, the score interval of a mean over classes is too wide."""


def compared_sample(
    name: str,
    difference: Difference,
    sample: Sample,
    settings: ComparisonSettings,
    one_by_one: tuple[Difference, FloatArray, Groups] | None = None,
) -> partial[Comparison]:
    """Return the comparison without a test.

    :param name: name of the metric in the result
    :param one_by_one: the same difference from a table, with which of its sums are fixed, if examples were drawn one
        by one
    """
    question = settings.question
    if one_by_one is not None and (question.method == "score" or (question.method == "auto" and _tells(*one_by_one))):
        interval = difference_interval(*one_by_one, question)
    else:
        interval = interval_of_sample(difference, sample, replace(question, sampling="multinomial"))
    above = partial(probability_above_of_sample, difference, sample)
    return untested(name, difference, sample.total[:, 0], interval, above, settings.same)


def _tells(difference: Difference, entries: FloatArray, _: Groups) -> bool:
    """Whether the score interval is used: every class has a few examples, and counts in both means."""
    first, second = difference.tables(entries)
    k = round(len(first) ** 0.5)
    examples = np.minimum(*(table.reshape(k, k).sum(axis=1) for table in (first, second)))
    is_few_classes, is_whole = len(entries) <= LARGEST, entries.sum() <= 2.0**53
    return bool(is_few_classes and is_whole and difference.of_second is None and (examples >= _FEW).all())


def with_group_test(
    found: partial[Comparison], difference: Difference, metric: Estimator, sample: Sample, settings: ComparisonSettings
) -> Comparison:
    """Add a permutation test that swaps whole groups; weighted examples have no test.

    :param metric: of one table, whatever becomes of it
    """
    if settings.drawn.sample_weight is not None:
        return found(p_value=nan, test="none, as weighted examples cannot be exchanged")
    first, second = difference.group_tables(sample.tables)
    test = permutation_test_of_groups(metric, first, second, **settings.exchanges)
    return with_test(found, test, settings.question)


# ----------------------------------------------------------------------------------------------------------------------


_METHODS = ("auto", "score", "delta", "bootstrap")


@runtime_checkable
class MatrixMetric(Protocol):
    """A metric of whole confusion matrices."""

    name: str

    @property
    def is_mean(self) -> bool:
        """Whether the metric contains means over classes."""

    def estimator(self, classes: int, average: Average) -> MatrixEstimator:
        """Return the metric as an estimator from the entries of k*k matrices."""


@dataclass(frozen=True)
class ClassMetric:
    """A metric of several classes.

    :param metric: one of matrices, or one of two classes, which is averaged
    :param average: over the classes
    """

    metric: MatrixMetric | Metric
    average: Average

    @classmethod
    def of(cls, metric: object, average: Average, classes: int) -> ClassMetric | None:
        """Return the metric for several classes; None for the ordinary binary metric, as with ``"binary"``.

        A name of a metric of matrices means that metric for more than two classes, and under every average; weights of
        classes go to it if it is made of means over them.

        :param classes: how many there are
        :raises InputError: on what is no metric, and on an average that has one value for each class
        """
        is_binary = isinstance(average, str) and average == "binary"
        if isinstance(metric, MatrixMetric):
            return cls(metric, "macro" if is_binary else one_value(average))
        alone: MatrixMetric | None = _names().metric_of_matrices_alone(metric)
        if alone is not None:
            return cls(alone, _whatever(alone, average))
        asked: Any = metric
        found = as_metric(asked)
        whole: MatrixMetric | None = (
            _names().whole_matrix_metric(metric, found.name) if isinstance(metric, str) else None
        )
        if whole is not None and (classes > 2 or not is_binary):
            return cls(whole, _whatever(whole, average))
        return None if is_binary else cls(found, one_value(average))

    @property
    def name(self) -> str:
        """The name, including the average for several classes."""
        if isinstance(self.metric, Metric) or self.average != "macro":
            told, name = self.average if isinstance(self.average, str) else "weighed by class", self.metric.name
            called = _names().against_the_rest(name, told) if isinstance(self.metric, Metric) else name
            return str(called) if called != name else f"{name} ({told})"
        return self.metric.name

    def estimator(self, names: list[Hashable] | None, classes: int) -> MatrixEstimator:
        """Return this metric as an estimator from the entries of matrices with these classes."""
        average = matched(self.average, names, classes)
        if isinstance(self.metric, Metric):
            return estimator_of_average(self.metric, classes, average)
        return self.metric.estimator(classes, average)


def _names() -> Any:
    """Import the module with the names of matrix metrics, a package on the same layer."""
    return import_module("symmetrics.matrices.names")


def _whatever(whole: MatrixMetric, average: Average) -> Average:
    """Return the average for a matrix metric given by name: class weights, if it takes them."""
    return "macro" if isinstance(average, str) or not whole.is_mean else one_value(average)


@dataclass(frozen=True)
class Predicted:
    """Examples of several classes with two predictions, as integer codes into the class names.

    :param true: the class of each example
    :param first: the one that the first classifier predicts
    :param second: that of the second
    :param names: of all classes, in their order
    """

    true: Places
    first: Places
    second: Places
    names: list[Hashable]


def compared_predictions(metric: ClassMetric, examples: Predicted, settings: ComparisonSettings) -> Comparison:
    """Compare two predictions of the same examples.

    Of classes that none of them has or predicts nothing is known, and they are left out.

    :raises InputError: on invalid settings, groups and weights, and on a single class
    """
    question = settings.question
    _require_method(question)
    if len(examples.names) < 2:
        raise InputError(f"all labels are {shown(examples.names[0])}, so that nothing can be wrong; pass two or more")
    whole = metric.estimator(examples.names, len(examples.names))
    codes = np.stack([examples.true, examples.first, examples.second])
    strata = _by_class(codes[0], examples.names) if question.sampling == "binomial" else ()
    part, (true, first, second) = _of_occurring(whole, codes, np.unique(codes))
    sample = paired_sample(true, first, second, part.classes, settings.stratified(strata))
    difference = _difference(part, sample, settings.ratio)
    if not settings.drawn.is_plain:
        found = compared_sample(metric.name, difference, sample, settings)
        return with_group_test(found, difference, part, sample, settings)
    k = part.classes
    joint = table_of((true * k + first) * k + second, k**3)
    of_pair = JointDifference(difference.metric, settings.ratio, difference.of_second, classes=k)
    groups = joint_groups(k, question.sampling)
    found = compared_sample(metric.name, difference, sample, settings, (of_pair, joint, groups))
    test = permutation_test(part, Outcomes.of_examples(true, first, second, k), **settings.exchanges)
    return with_test(found, test, question)


def compared_matrices(
    metric: ClassMetric,
    matrices: Mapping[str, Any],
    settings: ComparisonSettings,
    labels: Iterable[Hashable] | None = None,
) -> Comparison:
    """Compare two confusion matrices of different examples.

    :param matrices: both, by what an error calls them
    :raises InputError: on invalid matrices, or of different classes, and as :func:`compared_predictions`
    """
    question = settings.question
    _require_method(question)
    read = _named_alike(matrices, labels, metric.average)
    shapes = {name: _shape(given) for name, (given, _) in read.items()}
    if len(set(shapes.values())) > 1 or any(len(shape) != 2 for shape in shapes.values()):
        sizes = ", ".join(f"{name} has the shape {shape}" for name, shape in shapes.items())
        raise InputError(f"{sizes}; pass two confusion matrices of the same classes, both of shape (k, k)")
    tables = {name: as_matrices(given) for name, (given, _) in read.items()}
    both = np.stack(list(tables.values()))
    whole = metric.estimator(next(iter(read.values()))[1], both.shape[-1])
    occurring = np.flatnonzero(both.sum(axis=(0, 1)) + both.sum(axis=(0, 2)))
    part, _ = _of_occurring(whole, np.zeros((0, 0), dtype=np.intp), occurring)
    if part.classes < whole.classes:
        both = both[:, occurring[:, None], occurring]
    sample = separate_sample(both, list(tables), is_by_class=question.sampling == "binomial")
    difference, entries = _difference(part, sample, settings.ratio), both.reshape(-1)
    groups = matrix_groups(part.classes, question.sampling, tables=2)
    found = compared_sample(metric.name, difference, sample, settings, (difference, entries, groups))
    return found(p_value=nan, test="none, as different examples cannot be exchanged")


def _named_alike(
    matrices: Mapping[str, Any], labels: Iterable[Hashable] | None, average: Average
) -> dict[str, tuple[ArrayLike, list[Hashable] | None]]:
    """Return matrices and the names of their rows, with a second data frame reordered like the first one.

    :raises InputError: if frames have different classes
    """
    given = None if labels is None else list(labels)
    read = {name: named_rows(matrix, given, average) for name, matrix in matrices.items()}
    named = {name: rows for name, (_, rows) in read.items() if rows is not None}
    order = next((rows for rows in named.values() if not _is_numbered(rows)), next(iter(named.values()), None))
    for name, rows in named.items():
        if order is None or (set(rows) != set(order) and not (_is_numbered(rows) and len(rows) == len(order))):
            told = "; ".join(f"{each} has the classes {listed(there)}" for each, there in named.items())
            raise InputError(f"{told}; pass matrices of the same classes, with a row and a column for each")
        if rows != order:
            read[name] = named_rows(matrices[name], order, average)
    return read


def _is_numbered(rows: list[Hashable]) -> bool:
    """Whether rows are named 0, 1, ..., k - 1, as in a frame without names."""
    return rows == list(range(len(rows)))


def _shape(matrix: ArrayLike) -> tuple[int, ...]:
    try:
        return np.shape(matrix)
    except ValueError:
        return as_matrices(matrix).shape  # raises the error on rows of different lengths


def _require_method(question: Question) -> None:
    if question.method not in _METHODS:
        raise InputError(
            f"method={question.method!r} is for one table of two classes; compare averages over classes and metrics of "
            "matrices by 'delta' or 'bootstrap', or by 'score'"
        )


def _by_class(true: Places, names: list[Hashable]) -> list[Hashable]:
    """Return the class name of each example.

    :raises InputError: on a class with a single example
    """
    if (single := np.flatnonzero(np.bincount(true) == 1)).size:
        raise InputError(
            f"class {shown(names[single[0]])} has a single example, whose variance within its class is unknown; pass "
            "two or more of each, or leave sampling='binomial' out"
        )
    return [names[place] for place in true]


def _of_occurring(whole: MatrixEstimator, codes: Places, occurring: Places) -> tuple[MatrixEstimator, Places]:
    """Restrict an estimator to the classes that occur, and renumber these."""
    if len(occurring) in (1, whole.classes):
        return whole, codes
    part: MatrixEstimator = OccurringClasses(whole, tuple(map(int, occurring)))
    return part, np.searchsorted(occurring, codes)


def _difference(part: MatrixEstimator, sample: Sample, is_ratio: bool) -> StackedDifference:
    """Return the difference, or ratio, with classes that are undefined in a table omitted from its mean.

    The value leaves them out; with what is added to each entry they would have one, of which nothing is known.
    """
    known = part.defined(np.stack(np.split(sample.total[:, 0], 2), axis=1))
    first, second = map(part.of_defined, known)
    return StackedDifference(first, is_ratio, None if (known[0] == known[1]).all() else second)
