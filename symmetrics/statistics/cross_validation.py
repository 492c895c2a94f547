"""A metric over the folds of cross-validation: the mean of the folds' values, and the value of their pooled counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, SupportsIndex

import numpy as np

from symmetrics.language.cells import TN
from symmetrics.library import metrics
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric
from symmetrics.metric.priors import is_homogeneous
from symmetrics.numeric.averaging import Average, as_zero_division
from symmetrics.numeric.confusion import ConfusionMatrix
from symmetrics.numeric.counts import Cells, FloatArray, as_cells, as_counts, as_matrices, cells_from_confusion, shown
from symmetrics.numeric.selection import named_rows, place_of_positive
from symmetrics.tools.errors import InputError
from symmetrics.tools.words import number_of


@dataclass(frozen=True)
class OverFolds:
    """What one metric comes to over folds, by each of the ways that are in use; they differ, and have names.

    :param metric: the name of the metric
    :param mean_of_folds: the mean of the values of the folds; Forman & Scholz call that of F1 F_avg
    :param pooled: the value of the sum of the folds' tables; theirs is F_tp,fp
    :param of_means: the value at the mean precision and the mean recall of the folds; theirs is F_pr,re.  Only a
        function of precision and recall alone has one, all others nan.
    :param values: the value of each fold, nan where it has none
    :param undefined: the places of the folds that have no value, whatever *zero_division* put there
    """

    metric: str
    mean_of_folds: float
    pooled: float
    of_means: float
    values: FloatArray = field(repr=False, compare=False)
    undefined: tuple[int, ...]

    def __repr__(self) -> str:
        lines = [
            f"{self.metric} over {number_of(len(self.values), 'fold')}",
            f"mean of folds: {self.mean_of_folds:.4g}{self._left_out()}",
            f"of pooled counts: {self.pooled:.4g}",
        ]
        if not math.isnan(self.of_means):
            lines.append(f"of mean precision and mean recall: {self.of_means:.4g}")
        return "\n".join(lines)

    def _left_out(self) -> str:
        if not self.undefined:
            return ""
        number = len(self.undefined)
        left = "left out" if np.isnan(self.values[list(self.undefined)]).all() else "filled in"
        return f" ({number} {'fold' if number == 1 else 'folds'} without a value {left})"


def over_folds(
    metric: object,
    tables: Any,
    *,
    average: Average = "binary",
    positive: SupportsIndex = 1,
    zero_division: float = math.nan,
) -> OverFolds:
    """Return a metric over the folds of cross-validation, as a mean of folds and of pooled counts.

    For accuracy both are the same where folds are equally large.  For F1, and whatever else is no mean over examples,
    they are not: where positive examples are few the mean of folds is too low, and the value of the mean precision and
    recall is biased too, so that results under one name cannot be compared (G. Forman & M. Scholz, Apples-to-apples in
    cross-validation studies, SIGKDD Explorations 12, 2010).  They recommend pooled counts for F1.

    :param metric: a metric, an expression over the cells, or the name of a metric of the library
    :param tables: counts TP, FN, FP, TN of each fold, shape (folds, 4); confusion matrices, shape (folds, k, k), with
        true classes in rows; a data frame with tp, fn, fp and tn; or a list of :class:`ConfusionMatrix` or data frames
    :param average: over the classes, as for :meth:`Metric.from_confusion`
    :param positive: the index of the positive class of confusion matrices
    :param zero_division: what a fold without a value counts as; by default it is left out of the mean
    :raises InputError: on tables that are none, and as :meth:`Metric.from_confusion`

    >>> over_folds("f1", [[8, 2, 1, 89], [1, 4, 0, 95], [0, 0, 0, 100]])
    f1 over 3 folds
    mean of folds: 0.5877 (1 fold without a value left out)
    of pooled counts: 0.72
    of mean precision and mean recall: 0.6538
    >>> over_folds("f1", [[8, 2, 1, 89], [1, 4, 0, 95], [0, 0, 0, 100]], zero_division=0).mean_of_folds
    0.391...
    """
    asked, zero_division = as_metric(metric), as_zero_division(zero_division)
    matrices, names = _matrices(tables)
    if not (isinstance(average, str) and average == "binary"):
        if matrices is None:
            raise InputError(
                f"average={shown(average)} is for confusion matrices; pass an array of shape (folds, k, k)"
            )
        both = (
            asked.from_confusion(given, average=average, labels=names) for given in (matrices, matrices.sum(axis=0))
        )
        values, pooled = (np.asarray(value, dtype=np.float64) for value in both)
        _require_folds(values.shape[:1])
        if values.ndim != 1:
            raise InputError(f"average={shown(average)} gives a value for each class; pass 'macro', 'micro', ...")
        return _summed_up(asked, values, float(pooled), math.nan, zero_division)
    if matrices is None:
        cells = as_cells(*as_counts(tables))
    else:
        cells = cells_from_confusion(matrices, place_of_positive(positive, names))
    _require_folds(cells.tp.shape)
    values = np.asarray(asked.from_counts(*cells), dtype=np.float64)
    total = float(asked.from_counts(*(cell.sum() for cell in cells)))
    return _summed_up(asked, values, total, _of_means(asked, cells, zero_division), zero_division)


def _summed_up(metric: Metric, values: FloatArray, pooled: float, of_means: float, zero_division: float) -> OverFolds:
    undefined = np.isnan(values)
    filled = np.where(undefined, zero_division, values)
    return OverFolds(
        metric=metric.name,
        mean_of_folds=_mean(filled),
        pooled=zero_division if math.isnan(pooled) else pooled,
        of_means=of_means,
        values=filled,
        undefined=tuple(np.flatnonzero(undefined).tolist()),
    )


def _mean(values: FloatArray) -> float:
    """Return the mean of the values that there are, nan if there is none or some are infinite of both signs."""
    known = values[~np.isnan(values)]
    with np.errstate(invalid="ignore"):
        return float(known.mean()) if known.size else math.nan


def _of_means(metric: Metric, cells: Cells, zero_division: float) -> float:
    """Return the value at the mean precision and recall, nan for a metric that depends on more than these two."""
    if TN in metric.at_defaults().free_symbols or not is_homogeneous(metric):
        return math.nan
    rates = (metrics[name].from_counts(*cells, zero_division=zero_division) for name in ("precision", "recall"))
    precision, recall = (_mean(np.asarray(rate)) for rate in rates)
    if math.isnan(precision) or math.isnan(recall):
        return math.nan
    if precision == 0 or recall == 0:
        return float(metric.from_counts(0, 1, 1, 0))
    # A table with this precision and this recall; a function of the two has the same value at all of them.
    right = precision * recall
    return float(metric.from_counts(right, precision - right, recall - right, 0))


def _matrices(tables: Any) -> tuple[FloatArray | None, list[Any] | None]:
    """Return confusion matrices, shape (folds, k, k), with the names of their classes; None for tables of counts.

    :raises InputError: on what is neither
    """
    if isinstance(tables, list | tuple) and tables and all(isinstance(table, ConfusionMatrix) for table in tables):
        return _same_classes(tables)
    given, names = named_rows(tables, None, "binary") if isinstance(tables, list | tuple) else (tables, None)
    if getattr(getattr(given, "dtype", None), "names", None) or hasattr(given, "columns"):
        return None, None
    try:
        raw = np.asarray(given)
    except ValueError:
        raw = np.empty(())
    if raw.ndim == 2 and raw.shape[-1] == 4:
        return None, None
    if raw.ndim == 3 and raw.shape[-1] == raw.shape[-2]:
        return as_matrices(given), names
    raise InputError(
        f"tables={shown(tables)} are no tables of folds; pass counts of shape (folds, 4) or matrices of shape "
        "(folds, k, k)"
    )


def _same_classes(tables: Sequence[ConfusionMatrix]) -> tuple[FloatArray, list[Any]]:
    """Return the matrices with the classes of all: a fold need not have met every class."""
    classes = sum(tables[1:], start=tables[0]).labels
    place = {label: index for index, label in enumerate(classes)}
    matrices = np.zeros((len(tables), len(classes), len(classes)))
    for matrix, table in zip(matrices, tables, strict=True):
        places = [place[label] for label in table.labels]
        matrix[np.ix_(places, places)] = table.matrix
    return matrices, classes


def _require_folds(shape: tuple[int, ...]) -> None:
    if len(shape) != 1 or not shape[0]:
        raise InputError("tables holds no fold; pass the counts of one or more")
