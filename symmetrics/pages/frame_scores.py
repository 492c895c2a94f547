"""Many metrics of the same predictions at once: a table of scores, overall or by groups of examples."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from inspect import signature
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from symmetrics.data.columns import as_frame, is_frame, is_lazy, narwhals
from symmetrics.data.counts import FloatArray
from symmetrics.data.encoding import MayBeAbsent, Passed, column_codes, common_order, in_order
from symmetrics.data.gate import Admitted, admit, named_labels
from symmetrics.data.grouping import AskedColumns, GroupCounts, Groups, asked_columns, counts_of, pair_counts
from symmetrics.data.labels import binary_cells
from symmetrics.library.selections import as_metric, group_of_metrics
from symmetrics.matrices.names import metric_of_matrices_alone
from symmetrics.metric import Metric
from symmetrics.pages.lines import AnyMetric, Chosen, EndsOfGroups, Line, as_arrays, is_of_counts
from symmetrics.pages.uncertainty import ONE_CLASS, Asked, Ends, Labels, asked_question, ends_of_labels
from symmetrics.tools.arguments import advising
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    import pandas
    from numpy.typing import NDArray
    from sympy import Expr

    from symmetrics.statistics.intervals import Question


# -- Scores as data frames: the values of many metrics, for all examples or by groups ----------------------------------


class Scores(NamedTuple):
    """The values of metrics by name, each one number or one per class.

    :param classes: if they are known
    :param sure: the confidence interval of each value, if intervals are requested
    """

    values: Mapping[str, Any]
    classes: list[Hashable] | None
    sure: Mapping[str, list[Ends]]


def scores_of(
    labels: Labels, chosen: Chosen | Mapping[str, AnyMetric | Line], given: Mapping[str, Any], question: Question | None
) -> Scores:
    """Return the value of each metric, with the labels counted only once.

    :param given: settings of a call of each metric
    """
    settings = dict(given)
    few, fewer, weight = labels.fewest
    if labels.pairs is not None and settings.get("average", "binary") is None and settings.get("labels") is None:
        settings["labels"] = in_order(dict.fromkeys([*few, *fewer]), common_order([few, fewer]))
    of_matrices = {name: value for name, value in settings.items() if name != "pos_label"}
    if of_matrices.get("average") == "binary":
        del of_matrices["average"]
    found: dict[str, Any] = {}
    sure: dict[str, list[Ends]] = {}
    if isinstance(chosen, Chosen):
        chosen = chosen.two if labels.pairs is None else chosen.of_labels([*few, *fewer], given)
    for name, one in chosen.items():
        metric, average = (one.metric, {"average": one.average}) if isinstance(one, Line) else (one, {})
        fitting = {**(settings if isinstance(metric, Metric) else of_matrices), **average}
        found[name] = metric(few, fewer, sample_weight=weight, **fitting)
        if question is not None:
            sure[name] = _sure(metric, found[name], labels, fitting, question)
    return Scores(found, settings.get("labels"), sure)


def _sure(metric: AnyMetric, value: Any, labels: Labels, settings: Mapping[str, Any], question: Question) -> list[Ends]:
    """Return the confidence interval of a value, or of each class's value."""
    values = np.atleast_1d(value).tolist()
    if np.ndim(value) == 0 or labels.pairs is None or not isinstance(metric, Metric):
        return [ends_of_labels(metric, one, labels, settings, question) for one in values]
    return [
        ends_of_labels(metric, one, labels.against_the_rest(label), {**settings, **ONE_CLASS}, question)
        for label, one in zip(settings["labels"], values, strict=True)
    ]


def framed(pandas: Any, scores: Scores) -> pandas.DataFrame:
    """Return values by metric as a frame, with a column per class where there is one value a class."""
    values, sure = scores.values, scores.sure
    index = pandas.Index(list(values), name="metric")
    width = max(np.size(value) for value in values.values())
    rows = [np.broadcast_to(np.asarray(value, dtype=np.float64), width) for value in values.values()]
    is_by_class = any(np.ndim(value) for value in values.values())
    classes = list(scores.classes or range(width)) if is_by_class else ["value"]
    if not sure:
        return pandas.DataFrame(rows, index=index, columns=classes)
    parts = {}
    for place, label in enumerate(classes):
        ends = [here[min(place, len(here) - 1)] for here in sure.values()]
        columns = dict(zip(Ends._fields, zip(*ends, strict=True), strict=True))
        del columns["why"]  # reasons are only reported in words
        parts[label] = pandas.DataFrame({"value": [row[place] for row in rows], **columns}, index=index)
    return pandas.concat(parts, axis=1) if is_by_class else parts["value"]


def grouped(
    pandas: Any,
    examples: Admitted,
    keys: Mapping[Hashable, tuple[list[Hashable], NDArray[np.intp]]],
    chosen: Chosen,
    settings: Mapping[str, Any],
    question: Question | None,
    sizes: FloatArray | None = None,
) -> pandas.DataFrame:
    """Return the scores of each group of examples with equal values in some columns.

    They are computed from the counts of all groups at once where the settings permit it, else group by group.

    :param keys: by the name of a column to group by, its values, and which of them each example has
    :param sizes: the frequency of each example, if these are counts; by default one
    """
    kept = slice(None) if examples.kept is None else examples.kept
    groups = Groups.of([(values, codes[kept]) for values, codes in keys.values()])
    number = sizes if examples.weight is None else examples.weight
    counts = counts_of(examples, groups, np.ones(len(groups.place)) if number is None else number)
    fitting, given = chosen.of_labels(counts.labels, settings), labels_of_groups(settings, counts.labels)
    if is_of_counts(given, counts.labels) and (examples.weight is None or question is None):
        named = dict(zip(keys, groups.keys, strict=True))
        return framed_groups(pandas, named, groups, counts, fitting, given, question)
    # Averages with custom weights or over selected classes are computed group by group.
    coded, parts = examples.codes(), {}
    for group, places in groups.rows():
        true, predicted = (
            Passed(np.array([*names, None], dtype=object)[codes[places]], examples.order) for names, codes in coded
        )
        here = None if number is None else number[places]
        labels = labels_of(true, predicted, here, are_counts=examples.weight is None)
        parts[group if len(keys) > 1 else group[0]] = framed(pandas, scores_of(labels, fitting, given, question))
    return pandas.concat(parts, names=list(keys))


def labels_of(true: Passed, predicted: Passed, number: FloatArray | None, *, are_counts: bool) -> Labels:
    """Return labels validated by the gate; example counts are not weights."""
    if are_counts and number is not None:
        return Labels(true, predicted, None, (true, predicted, number))
    return Labels.of(true, predicted, number)


def framed_groups(
    pandas: Any,
    keys: Mapping[Hashable, list[Hashable]],
    groups: Groups,
    counts: GroupCounts,
    chosen: Mapping[str, AnyMetric] | Mapping[str, Line],
    settings: Mapping[str, Any],
    question: Question | None,
) -> pandas.DataFrame:
    """Return the scores of all groups, computed at once from their counts.

    :param keys: by the name of a column to group by, its values in order
    :param settings: under which scores are functions of the counts
    """
    average = settings.get("average", "binary")
    if isinstance(average, str) and average == "binary" and any(isinstance(one, Metric) for one in chosen.values()):
        of_labels = {name: settings[name] for name in ("labels", "pos_label") if name in settings}
        every = Passed(counts.labels)
        binary_cells(every, every, **of_labels)  # raises unless there are two labels
    lines = [one if isinstance(one, Line) else Line(one, average) for one in chosen.values()]
    found = [as_arrays(counts, one.metric, {**settings, "average": one.average}, question) for one in lines]
    ranks = [np.repeat(rank, len(chosen)) for rank in groups.ranks]
    index = pandas.MultiIndex(
        [*map(pandas.Index, keys.values()), pandas.Index(list(chosen))],
        [*ranks, np.tile(np.arange(len(chosen)), counts.size)],
        names=[*keys, "metric"],
    )
    width = max(part.values[0].size for part in found)
    is_by_class = any(part.values.ndim > 1 for part in found)
    values = np.stack(
        [np.broadcast_to(part.values.reshape(counts.size, -1), (counts.size, width)) for part in found], 1
    )
    classes = settings["labels"] if is_by_class else ["value"]
    by_class = {label: values[:, :, place].reshape(-1) for place, label in enumerate(classes)}
    if question is None:
        return pandas.DataFrame(by_class, index=index)
    parts = {}
    for place, (label, column) in enumerate(by_class.items()):
        ends = [part.sure[min(place, len(part.sure) - 1)] for part in found]
        named = zip(EndsOfGroups._fields, zip(*ends, strict=True), strict=True)
        data = {name: np.stack(columns, 1).reshape(-1) for name, columns in named}
        parts[label] = pandas.DataFrame({"value": column, **data}, index=index)
    return pandas.concat(parts, axis=1) if is_by_class else next(iter(parts.values()))


def labels_of_groups(settings: Mapping[str, Any], every: list[Hashable]) -> dict[str, Any]:
    """Return the call settings for each group; labels are those of all groups, even if some are absent.

    :param every: the labels that occur, in their order
    :raises InputError: on labels that are named and of which none occurs
    """
    average, named = settings.get("average", "binary"), settings.get("labels")
    if named is not None:
        return {**settings, "labels": MayBeAbsent(named_labels(named, every))}
    if average is None or (isinstance(average, str) and average == "binary" and len(every) == 2):
        return {**settings, "labels": MayBeAbsent(every)}
    return {name: value for name, value in settings.items() if name != "labels"}


def checked(frame: pandas.DataFrame, question: Question | None) -> pandas.DataFrame:
    """Return a frame of scores; raise if intervals were requested and no metric has one."""
    if question is not None:
        parts = (
            [frame]
            if "method" in frame
            else [frame[label] for label in dict.fromkeys(frame.columns.get_level_values(0))]
        )
        if all((part["method"] == "").all() for part in parts):
            raise InputError(parts[0]["note"].iloc[0])
    return frame


# ----------------------------------------------------------------------------------------------------------------------
# Scores of data frames counted by their engine: only joint label counts are fetched.


def are_counted_by_engine(frame: Any, names: list[Hashable], weight: Any, question: Question | None) -> bool:
    """Whether a frame's engine does the counting: if the frame is lazy, and for groups.

    :param names: the columns that are used: truth, prediction, and those to group by
    :raises InputError: on what a lazy frame cannot be asked
    """
    if not all(isinstance(name, str) for name in names) or not is_frame(frame):
        return False
    if not is_lazy(as_frame(frame)):
        plain = weight is None or (isinstance(weight, str) and question is None)
        return len(names) > 2 and plain and _holds_plain_types(frame, names)
    if weight is not None and not isinstance(weight, str):
        raise InputError("sample_weight is no column of the frame; name one, as in sample_weight='w'")
    if weight is not None and question is not None:
        raise InputError(
            "an interval of weighted examples takes the examples themselves, and the frame is lazy; collect it first"
        )
    return True


def _holds_plain_types(frame: Any, names: list[Hashable]) -> bool:
    """Whether no column holds Python objects, which engines compare in their own ways."""
    schema = as_frame(frame).schema
    return all(name in schema and schema[name] != narwhals().Object for name in names)


def score_by_engine(
    pandas: Any,
    asked: AskedColumns,
    chosen: Chosen,
    settings: Mapping[str, Any],
    question: Question | None,
) -> pandas.DataFrame:
    """Return the scores of all examples or of each group, from counts made by the engine.

    :raises InputError: on labels and weights that are missing or unusable, and as a call of each metric
    """
    found, order = pair_counts(asked), _order(asked)
    true, predicted, number = Passed(found.true, order), Passed(found.predicted, order), np.asarray(found.number)
    weight = None if asked.weight is None else number
    if not asked.by:
        labels = labels_of(true, predicted, number.astype(np.float64), are_counts=weight is None)
        return framed(pandas, scores_of(labels, chosen, settings, question))
    admitted = admit({"truth": true, "prediction": predicted}, weight)
    keys = {column.name: _coded(values) for column, values in zip(asked.by, found.keys, strict=True)}
    return grouped(pandas, admitted, keys, chosen, settings, question, number.astype(np.float64))


def _coded(column: list[Hashable]) -> tuple[list[Hashable], NDArray[np.intp]]:
    """Return the distinct values of a column, and each row's index among them."""
    place: dict[Hashable, int] = {}
    codes = np.array([place.setdefault(value, len(place)) for value in column], dtype=np.intp)
    return list(place), codes


def _order(asked: AskedColumns) -> list[Hashable] | None:
    """Return the class order that the types of both label columns define; None if they define none."""
    true, predicted = asked.truth.dtype, asked.prediction.dtype
    return list(true.categories) if isinstance(true, narwhals().Enum) and true == predicted else None


# ----------------------------------------------------------------------------------------------------------------------


Metrics: TypeAlias = "str | AnyMetric | Expr | Iterable[str | AnyMetric | Expr] | Mapping[str, AnyMetric | Expr | str]"
"""One or more metrics: names, themes of the library, metrics or expressions; or a mapping from display names."""

CALLED: Final = {"positive": "pos_label", "weight": "sample_weight"}
"""Scikit-learn's names for settings of :func:`symmetrics.counts`, also accepted by metrics."""


@advising("write score(y_true, y_pred, metrics), or score(frame, metrics=..., truth='y', prediction='guess')")
def score(
    y_true: Any,
    y_pred: Any = None,
    metrics: Metrics | None = None,
    *,
    truth: Hashable = None,
    prediction: Hashable = None,
    by: Hashable | list[Hashable] | None = None,
    interval: Asked = None,
    **as_metric: Any,
) -> pandas.DataFrame:
    """Return many metrics of true and predicted labels as a data frame, one row per metric.

    The labels are counted once.  In their place a data frame of any kind may stand, with the names of its columns: of
    pandas, polars, pyarrow, Dask, Ibis or PySpark, or a relation of DuckDB.  Groups, and frames that are lazy, are
    counted by the engine that holds them, and only counts leave it.

    Of more than two classes the names of ``symmetrics.multiclass``, such as accuracy, mcc and kappa, are metrics of the
    whole confusion matrix, whatever the name of an average.  All others are metrics of each class against the rest,
    averaged: as *average* says, or else in three ways, each a row, such as ``"f1 (macro)"``.  A metric of the library
    that is passed itself, as in ``[symmetrics.metrics["accuracy"]]``, is one of each class in any case.

    :param y_true: the true labels; or a data frame, of which *truth* and *prediction* name columns
    :param metrics: names, themes of the library such as ``"rates"``, ``"all"``, metrics, also those of
        ``symmetrics.multiclass``, or a mapping of the names to list them under; by default a dozen that are much used,
        and of more than two classes eight of the whole matrix, with the averages of precision, recall and F1
    :param by: columns of the frame: the metrics of each group of examples by itself, in the order of the groups;
        of all examples if it is None or an empty list
    :param interval: True, a level or settings by name, such as ``{"level": 0.9, "method": "delta"}``, for columns with
        the interval of each value (:meth:`symmetrics.Metric.interval`), its method, and a note where there is no value
        or no interval
    :param as_metric: settings of a call of each metric, such as *average*, *pos_label*, *missing* (as
        :func:`symmetrics.counts` takes it) or *sample_weight*, which may be the name of a column; those that a metric
        of matrices has no use for are left out for it
    :returns: one column, ``value``, and with intervals ``low``, ``high``, ``method`` and ``note``; with
        ``average=None`` one for each class, or label, or these five for each
    :raises InputError: on labels that do not fit together or to the settings, and without pandas
    :raises UnknownNameError: if no metric has a name

    >>> score([1, 0, 1, 1], [1, 0, 0, 1], ["recall", "specificity", "MCC"]).round(3)
                 value
    metric
    recall       0.667
    specificity  1.000
    MCC          0.577
    >>> score(["cat", "dog", "owl", "owl"], ["cat", "owl", "owl", "owl"], ["accuracy", "recall"]).round(3)
                       value
    metric
    accuracy           0.750
    recall (macro)     0.667
    recall (micro)     0.750
    recall (weighted)  0.750
    >>> score([1] * 15 + [0] * 35, [1] * 20 + [0] * 30, ["recall", "precision"], interval=True).round(3).iloc[:, :4]
               value    low   high method
    metric
    recall      1.00  0.796  1.000  score
    precision   0.75  0.531  0.888  score
    """
    if isinstance(y_pred, str) and hasattr(y_true, "columns"):
        raise InputError(f"the columns of a data frame are named, as in truth={y_pred!r}, prediction='guess'")
    pandas, question = _pandas(), asked_question(interval)
    chosen = Chosen.by_default() if metrics is None else chosen_metrics(metrics)
    known = [name for name, one in signature(Metric.__call__).parameters.items() if one.kind is one.KEYWORD_ONLY]
    if unknown := [name for name in as_metric if name not in known]:
        meant = CALLED.get(unknown[0])
        advice = f"pass {meant}" if meant else f"those of metrics are {', '.join(known)}"
        raise InputError(f"score has no setting {unknown[0]!r}; {advice}")
    missing, weight = as_metric.pop("missing", "refuse"), as_metric.pop("sample_weight", None)
    keys = by if isinstance(by, list) else [] if by is None else [by]
    if truth is None and prediction is None:
        if by is not None:
            raise InputError("by= names columns of a data frame; pass one, with truth= and prediction=")
        if y_pred is None:
            raise InputError("pass y_true and y_pred, or a data frame with truth= and prediction=")
        labels = y_true, y_pred
    elif y_pred is not None or truth is None or prediction is None:
        raise InputError(
            "name both columns of a data frame, truth= and prediction=, and pass metrics by name, metrics=[...]; what "
            "comes second is y_pred"
        )
    elif are_counted_by_engine(y_true, [truth, prediction, *keys], weight, question):
        asked = asked_columns(y_true, truth, prediction, keys, weight, missing)
        return checked(score_by_engine(pandas, asked, chosen, as_metric, question), question)
    else:
        labels = _column(y_true, truth), _column(y_true, prediction)
        weight = np.asarray(_column(y_true, weight)) if isinstance(weight, str) else weight
    if not keys:
        found = framed(pandas, scores_of(Labels.of(*labels, weight, missing), chosen, as_metric, question))
    else:
        columns = {key: _column(y_true, key) for key in keys}
        examples = admit(dict(zip(("truth", "prediction"), labels, strict=True)), weight, missing=missing)
        coded = {key: _groups(column, key) for key, column in columns.items()}
        found = grouped(pandas, examples, coded, chosen, as_metric, question)
    return checked(found, question)


def chosen_metrics(metrics: Metrics) -> Chosen:
    """Return the chosen metrics by display name; themes are expanded to their metrics.

    :raises InputError: on what is no metric, on none at all, and on two under one name
    :raises UnknownNameError: if no metric has a name

    >>> list(chosen_metrics(["MCC", "verification"]).two)[:2]
    ['MCC', 'extreme_dependency_score']
    """
    if isinstance(metrics, Mapping) and metrics:
        return Chosen.of({str(name): (metric, _as_any_metric(metric)) for name, metric in metrics.items()})
    listed: list[Any] = list(metrics) if isinstance(metrics, Iterable) and not isinstance(metrics, str) else [metrics]
    chosen: dict[str, tuple[Any, AnyMetric]] = {}
    for one in listed:
        named: dict[str, tuple[Any, AnyMetric]]
        if isinstance(one, str) and (group := group_of_metrics(one)) is not None:
            named = {metric.name: (metric.name, metric) for metric in group}
        else:
            metric = _as_any_metric(one)
            named = {one if isinstance(one, str) else metric.name: (one, metric)}
        for name, (given, metric) in named.items():
            if chosen.setdefault(name, (given, metric))[1] != metric:
                raise InputError(f"two metrics are called {name!r}; pass a mapping that names them differently")
    if not chosen:
        raise InputError("metrics is empty; name one or more, or leave it out")
    return Chosen.of(chosen)


def _as_any_metric(metric: Any) -> AnyMetric:
    if isinstance(metric, str):
        return metric_of_matrices_alone(metric) or as_metric(metric)
    if isinstance(metric, Metric):
        return metric
    from symmetrics.matrices import MulticlassMetric

    return metric if isinstance(metric, MulticlassMetric) else as_metric(metric)


def _groups(column: Any, key: Hashable) -> tuple[list[Hashable], NDArray[np.intp]]:
    """Return the distinct values of a grouping column, and each example's index among them.

    :raises InputError: on tuples, of which a frame would make several columns
    """
    found = column_codes(column, str(key))
    if any(isinstance(value, tuple) for value in found[0]):
        raise InputError(
            f"column {key!r} to group by holds tuples; make columns of their parts and name these, as in "
            "by=['first', 'second'], or group by a text of them"
        )
    return found


def _column(frame: Any, name: Hashable) -> Any:
    try:
        return frame[name]
    except Exception:  # each kind of frame has its own error
        have = [str(column) for column in getattr(frame, "columns", ())]
        several = f"; to group by several columns pass a list, by={list(name)!r}" if isinstance(name, tuple) else ""
        reason = f"the frame has no column {name!r}; it has {', '.join(have) or 'none with a name'}{several}"
        raise InputError(reason) from None


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise InputError("a table of scores is a pandas.DataFrame: pip install 'symmetrics[frames]'") from None
    return pandas
