"""Report on a classifier: metrics of each class against the rest, their averages, and metrics of the whole matrix."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from numpy.typing import ArrayLike

from symmetrics.data.counts import shown
from symmetrics.data.encoding import MayBeAbsent, checked_labels, listed
from symmetrics.data.labels import ConfusionMatrix
from symmetrics.library.selections import as_metric
from symmetrics.matrices.names import against_the_rest
from symmetrics.metric import Metric
from symmetrics.pages.frame_scores import Metrics, Scores, chosen_metrics, scores_of
from symmetrics.pages.lines import Line
from symmetrics.pages.uncertainty import Asked, Ends, Labels, asked_question, require_any
from symmetrics.tools.arguments import Missing, advising, refusing_other_settings
from symmetrics.tools.documents import Grid, Small, Text, texts
from symmetrics.tools.errors import InputError

_METRICS: Final = ("precision", "recall", "f1")
_AVERAGES: Final = ("macro", "weighted")
_EVERY_CLASS: Final = "a report has a line for each class; symmetrics.score takes pos_label, for one of two"
_CALLED: Final = {
    "pos_label": _EVERY_CLASS,
    "positive": _EVERY_CLASS,
    "average": "pass averages, a list such as ['micro']",
    "weight": "pass sample_weight",
    "target_names": "the classes are called as their labels are; replace the labels by names first",
    "digits": "report(...).to_dict() has all digits",
    "output_dict": "report(...).to_dict() is the dictionary",
}
"""Other functions' names for the settings, scikit-learn's included."""


@dataclass(frozen=True)
class Intervals:
    """Intervals for the values of a report, under the same names.

    :param level: the confidence level
    """

    classes: dict[Hashable, tuple[Ends, ...]]
    averages: dict[str, tuple[Ends, ...]]
    whole: dict[str, tuple[Ends, ...]]
    level: float

    def remarks(self, metrics: tuple[str, ...]) -> list[str]:
        """Return remarks on level and methods, and on missing intervals."""
        averages = {f"{name} average": ends for name, ends in self.averages.items()}
        lines = [*self.classes.items(), *averages.items()]
        every = [one for _, ends in [*lines, *self.whole.items()] for one in ends]
        methods = dict.fromkeys(one.method + (f", as {one.why}" if one.why else "") for one in every if one.method)
        told = [f"in parentheses: {100 * self.level:g} % intervals ({'; '.join(methods)})"]
        for line, ends in lines:
            for note in dict.fromkeys(one.note for one in ends if one.note):
                named = (name for name, one in zip(metrics, ends, strict=True) if one.note == note)
                told.append(f"{line} ({', '.join(named)}): {note}")
        return [*told, *(f"{name}: {one.note}" for name, (one,) in self.whole.items() if one.note)]


@dataclass(frozen=True, repr=False)
class Report:
    """Metrics of a classifier by class; prints as a text table, shows as HTML in notebooks.

    :param metrics: the names of the columns
    :param classes: the value of each metric for each class against the rest
    :param support: the (weighted) number of examples of each class
    :param averages: the average of each metric over the classes, by the name of the average
    :param whole: metrics of the whole matrix
    :param total: the (weighted) number of examples of all the classes in the report
    :param intervals: the intervals of the values, None if none were requested
    """

    metrics: tuple[str, ...]
    classes: dict[Hashable, tuple[float, ...]]
    support: dict[Hashable, float]
    averages: dict[str, tuple[float, ...]]
    whole: dict[str, float]
    total: float
    intervals: Intervals | None = None

    def to_grid(self, digits: int = 3) -> Grid:
        """Return the report as a table in which averages stand below a line; what is undefined is shown as ``-``.

        :param digits: how many digits stand after the point
        """
        head = texts(("class", *self.metrics, "support"))
        rows = tuple(((str(name),), *cells) for name, cells in self._rows(digits))
        notes = () if self.intervals is None else texts(self.intervals.remarks(self.metrics))
        align = "l" + "r" * (len(head) - 1)
        return Grid(head, rows, align, has_row_heads=True, rules=(len(self.classes),), notes=notes)

    def to_text(self, digits: int = 3) -> str:
        """Return the report as a table for a terminal; what is undefined is shown as ``-``.

        :param digits: how many digits stand after the point
        """
        from symmetrics.tools.documents.text import text_blocks

        return text_blocks([self.to_grid(digits)])

    def to_html(self, digits: int = 3) -> str:
        """Return the report as an HTML table, with names escaped.

        :param digits: how many digits stand after the point
        """
        from symmetrics.tools.documents.html import html_table

        return html_table(self.to_grid(digits))

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers by class, average and metric, as scikit-learn's report does.

        The ends of an interval are named after the metric, as in ``"recall_low"`` and ``"recall_high"``.

        :raises InputError: if two lines have the same name, such as a class called accuracy and the accuracy: one of
            them would be lost, as it is in scikit-learn
        """
        names = (*self.metrics, "support")
        found: dict[str, Any] = {}
        for label, row in self.classes.items():
            _add(found, str(label), dict(zip(names, (*row, self.support[label]), strict=True)))
        for name, value in self.whole.items():
            _add(found, name, value)
        for name, row in self.averages.items():
            _add(found, f"{name} average", dict(zip(names, (*row, self.total), strict=True)))
        if self.intervals is not None:
            named = {f"{name} average": ends for name, ends in self.intervals.averages.items()}
            for line, ends in [*self.intervals.classes.items(), *named.items()]:
                for name, one in zip(self.metrics, ends, strict=True):
                    found[str(line)] |= {f"{name}_low": one.low, f"{name}_high": one.high}
            for name, (one,) in self.intervals.whole.items():
                _add(found, f"{name}_low", one.low)
                _add(found, f"{name}_high", one.high)
        return found

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()

    def _rows(self, digits: int) -> Iterable[tuple[Hashable, list[Text]]]:
        """Yield the name of each line and its cells: values with their intervals."""

        def cells(values: tuple[float, ...], ends: tuple[Ends, ...] | None, total: float) -> list[Text]:
            several = (None,) * len(values) if ends is None else ends
            beside = [_value(value, one, digits) for value, one in zip(values, several, strict=True)]
            return [*[("",)] * (len(self.metrics) - len(values)), *beside, (f"{total:.15g}",)]

        sure = self.intervals
        for label, values in self.classes.items():
            yield label, cells(values, None if sure is None else sure.classes[label], self.support[label])
        for name, value in self.whole.items():
            yield name, cells((value,), None if sure is None else sure.whole[name], self.total)
        for name, values in self.averages.items():
            yield f"{name} average", cells(values, None if sure is None else sure.averages[name], self.total)


@advising("pass y_true, y_pred and a list of metrics, and settings by name, as in labels=[0, 1]")
@refusing_other_settings(_CALLED)
def report(
    y_true: Iterable[Hashable],
    y_pred: Iterable[Hashable],
    metrics: Metrics | None = None,
    *,
    labels: Iterable[Hashable] | None = None,
    averages: Iterable[str] = _AVERAGES,
    sample_weight: ArrayLike | None = None,
    zero_division: float = math.nan,
    missing: Missing = "refuse",
    interval: Asked = None,
) -> Report:
    """Return a report with any metrics of each class and their averages, like scikit-learn's ``classification_report``.

    :param metrics: names, themes of the library or metrics, which are the columns; those of ``symmetrics.multiclass``
        are lines of the whole matrix, and of more than two classes so are their names, such as accuracy, mcc and kappa.
        By default, and where no column is left, precision, recall and F1; by default also the share of correct
        predictions.
    :param labels: the classes, and their order, of the report; by default all that occur, in the order of ordered
        categories that both columns have, or else sorted.  With some of them, examples of the others still count as
        errors, and there is no line of the whole matrix.
    :param averages: names of averages over the classes, such as ``"micro"``
    :param sample_weight: a non-negative weight per example, 1 by default
    :param zero_division: the value where a metric is undefined
    :param missing: treatment of missing labels, as in a call of a metric
    :param interval: True, a level or settings by name, for the interval of each value (:func:`symmetrics.score`)
    :raises InputError: on labels that do not fit together, and on *metrics* that are not metrics
    :raises UnknownNameError: if no metric has a name

    >>> print(report(["cat", "cat", "dog", "owl"], ["cat", "dog", "dog", "owl"], ["recall", "jaccard", "MCC"]))
    class               recall    jaccard    support
    cat                  0.500      0.500          2
    dog                  1.000      0.500          1
    owl                  1.000      1.000          1
    MCC                             0.700          4
    macro average        0.833      0.667          4
    weighted average     0.750      0.625          4
    """
    chosen = chosen_metrics(_METRICS if metrics is None else metrics)
    if not any(isinstance(metric, Metric) for metric in chosen.two.values()):
        raise InputError("metrics names none of a class; add one, such as 'recall', or call the others by themselves")
    question = asked_question(interval)
    examples = Labels.of(y_true, y_pred, sample_weight, missing)
    true, predicted, weight = examples.fewest
    counts = ConfusionMatrix.of(true, predicted, sample_weight=weight)
    classes = counts.labels if labels is None else checked_labels(labels)
    if set(classes).isdisjoint(counts.labels):
        raise InputError(
            f"labels={listed(classes)} has none of the classes that occur, which are {listed(counts.labels)}"
        )
    meant = chosen.many if len({*counts.labels, *classes}) > 2 else chosen.two
    columns = {
        against_the_rest(name) if meant is chosen.many else name: metric
        for name, metric in meant.items()
        if isinstance(metric, Metric)
    }
    columns = columns or {name: as_metric(name) for name in _METRICS}
    whole = {name: Line(metric) for name, metric in meant.items() if not isinstance(metric, Metric)}
    if metrics is None and set(counts.labels) <= set(classes):
        whole = {"accuracy": _share_of_correct(are_counts=question is None and sample_weight is None)}
    if isinstance(averages, str) or not isinstance(averages, Iterable):
        raise InputError(f"averages={shown(averages)} is no list of averages; pass one, as in averages=['macro']")
    settings = {"labels": MayBeAbsent(classes), "zero_division": zero_division}

    def averaged_columns(average: str | None) -> Scores:
        lines = {name: Line(metric, average) for name, metric in columns.items()}
        return scores_of(examples, lines, settings, question)

    by_class, averaged = averaged_columns(None), {name: averaged_columns(name) for name in averages}
    entire = scores_of(examples, whole, settings, question)
    sizes = dict(zip(counts.labels, counts.matrix.sum(axis=1).tolist(), strict=True))
    support = {label: sizes.get(label, 0.0) for label in classes}
    each = list(enumerate(classes))
    made = Report(
        metrics=tuple(columns),
        classes={label: tuple(float(values[k]) for values in by_class.values.values()) for k, label in each},
        support=support,
        averages={name: tuple(map(float, found.values.values())) for name, found in averaged.items()},
        whole={name: float(value) for name, value in entire.values.items()},
        total=sum(support.values()),
    )
    if question is None:
        return made
    intervals = Intervals(
        {label: tuple(ends[k] for ends in by_class.sure.values()) for k, label in each},
        {name: tuple(ends for (ends,) in found.sure.values()) for name, found in averaged.items()},
        {name: tuple(ends) for name, ends in entire.sure.items()},
        question.level,
    )
    every = (ends for found in (by_class, *averaged.values(), entire) for ends in found.sure.values())
    require_any(itertools.chain.from_iterable(every))
    return replace(made, intervals=intervals)


def _share_of_correct(*, are_counts: bool) -> Line:
    """Return the accuracy, for any number of classes.

    Of numbers of examples it is the quotient of two whole numbers, which the micro average of the metric of two classes
    computes as well; it comes with the package, and the metric of whole matrices needs the algebra.
    """
    if are_counts:
        return Line(as_metric("accuracy"), "micro")
    from symmetrics.matrices.records import multiclass

    return Line(multiclass["accuracy"])


def _add(found: dict[str, Any], name: str, line: Any) -> None:
    """Add a line of a report; its name must be new."""
    if name in found:
        raise InputError(
            f"two lines of the report are called {name!r}, and a dictionary would keep one; rename the class, or take "
            ".classes, .averages and .whole, which have all"
        )
    found[name] = line


def _value(value: float, ends: Ends | None, digits: int) -> Text:
    shown = "-" if math.isnan(value) else f"{value:.{digits}f}"
    if ends is None:
        return (shown,)
    return (f"{shown} ", Small("(-)" if ends.is_missing else f"({ends.low:.{digits}f} to {ends.high:.{digits}f})"))
