"""A report of a classifier: any metrics of each class against the rest, their averages, and those of the matrix."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from symmetrics.matrices import MulticlassMetric, multiclass
from symmetrics.metric import Metric
from symmetrics.numeric.confusion import ConfusionMatrix
from symmetrics.numeric.encoding import checked_labels, distinct_examples
from symmetrics.pages.battery import Metrics, chosen_metrics
from symmetrics.tools.errors import InputError
from symmetrics.tools.escaping import for_html, visible

__all__ = ["Report", "report"]

_METRICS: Final = ("precision", "recall", "f1")
_WHOLE: Final = ("accuracy",)
_AVERAGES: Final = ("macro", "weighted")


@dataclass(frozen=True)
class Report:
    """Metrics of a classifier by class; printed it is a table, and in a notebook one in HTML.

    :param metrics: the names of the columns
    :param classes: the value of each metric for each class against the rest
    :param support: the (weighted) number of examples of each class
    :param averages: the average of each metric over the classes, by the name of the average
    :param whole: metrics of the whole matrix
    :param total: the (weighted) number of examples of all the classes in the report
    """

    metrics: tuple[str, ...]
    classes: dict[Hashable, tuple[float, ...]]
    support: dict[Hashable, float]
    averages: dict[str, tuple[float, ...]]
    whole: dict[str, float]
    total: float

    def to_text(self, digits: int = 3) -> str:
        """Return the report as a table for a terminal; what is undefined is shown as ``-``.

        :param digits: how many digits stand after the point
        """
        from tabulate import tabulate

        rows = [[visible(str(name)), *cells] for name, cells in self._rows(digits)]
        header = ["class", *map(visible, self.metrics), "support"]
        align = ("left", *("right" for _ in header[1:]))
        text: str = tabulate(rows, header, tablefmt="plain", disable_numparse=True, colalign=align)
        return text

    def to_html(self, digits: int = 3) -> str:
        """Return the report as a table in HTML, in which every name is escaped.

        :param digits: how many digits stand after the point
        """
        header = "".join(f"<th>{for_html(name)}</th>" for name in ("class", *self.metrics, "support"))
        body = "\n".join(
            f"<tr><th>{for_html(str(name))}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
            for name, cells in self._rows(digits)
        )
        return f"<table>\n<thead><tr>{header}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers by class, average and metric, as scikit-learn's report does."""
        names = (*self.metrics, "support")
        by_class = {
            str(label): dict(zip(names, (*row, self.support[label]), strict=True))
            for label, row in self.classes.items()
        }
        averaged = {
            f"{name} average": dict(zip(names, (*row, self.total), strict=True)) for name, row in self.averages.items()
        }
        return {**by_class, **self.whole, **averaged}

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()

    def _rows(self, digits: int) -> Iterable[tuple[Hashable, list[str]]]:
        for label, values in self.classes.items():
            yield label, [*(_shown(value, digits) for value in values), f"{self.support[label]:g}"]
        for name, value in self.whole.items():
            empty = [""] * (len(self.metrics) - 1)
            yield name, [*empty, _shown(value, digits), f"{self.total:g}"]
        for name, values in self.averages.items():
            yield f"{name} average", [*(_shown(value, digits) for value in values), f"{self.total:g}"]


def report(
    y_true: Iterable[Hashable],
    y_pred: Iterable[Hashable],
    metrics: Metrics | None = None,
    *,
    labels: Iterable[Hashable] | None = None,
    averages: Iterable[str] = _AVERAGES,
    sample_weight: ArrayLike | None = None,
    zero_division: float = math.nan,
) -> Report:
    """Return any metrics of each class, and their averages: scikit-learn's ``classification_report`` for all metrics.

    :param metrics: names, themes of the library or metrics, which are the columns; those of ``symmetrics.multiclass``
        are lines of the whole matrix.  By default precision, recall, F1, and the share of correct predictions.
    :param labels: the classes, and their order, of the report; by default all that occur, sorted.  With some of them,
        examples of the others still count as errors, and there is no line of the whole matrix.
    :param averages: names of averages over the classes, such as ``"micro"``
    :param sample_weight: a non-negative weight per example, 1 by default
    :param zero_division: the value where a metric is undefined
    :raises InputError: on labels that do not fit together, and on *metrics* that are none
    :raises UnknownNameError: if no metric has a name

    >>> print(report(["cat", "cat", "dog", "owl"], ["cat", "dog", "dog", "owl"], ["recall", "MCC"]))
    class              recall    MCC  support
    cat                 0.500  0.577        2
    dog                 1.000  0.577        1
    owl                 1.000  1.000        1
    macro average       0.833  0.718        4
    weighted average    0.750  0.683        4
    """
    chosen = chosen_metrics(metrics, _METRICS)
    columns = {name: metric for name, metric in chosen.items() if isinstance(metric, Metric)}
    whole = {name: metric for name, metric in chosen.items() if isinstance(metric, MulticlassMetric)}
    if not columns:
        raise InputError("metrics names none of a class; add one, such as 'recall', or call the others by themselves")
    true, predicted, weight = distinct_examples(y_true, y_pred, sample_weight)
    counts = ConfusionMatrix.of(true, predicted, sample_weight=weight)
    classes = counts.labels if labels is None else checked_labels(labels)
    if metrics is None and set(counts.labels) <= set(classes) and len(classes) > 1:
        whole = {name: multiclass[name] for name in _WHOLE}
    given: dict[str, Any] = {"labels": classes, "sample_weight": weight, "zero_division": zero_division}
    by_class = [np.atleast_1d(metric(true, predicted, average=None, **given)) for metric in columns.values()]
    found = dict(zip(counts.labels, counts.matrix.sum(axis=1).tolist(), strict=True))
    support = {label: found.get(label, 0.0) for label in classes}
    return Report(
        metrics=tuple(columns),
        classes={label: tuple(float(values[place]) for values in by_class) for place, label in enumerate(classes)},
        support=support,
        averages={
            name: tuple(float(metric(true, predicted, average=name, **given)) for metric in columns.values())
            for name in averages
        },
        whole={name: float(metric(true, predicted, **given)) for name, metric in whole.items()},
        total=sum(support.values()),
    )


def _shown(value: float, digits: int) -> str:
    return "-" if math.isnan(value) else f"{value:.{digits}f}"
