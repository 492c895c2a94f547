"""Many metrics of the same predictions at once: a table of scores, as a whole or by groups of examples."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from sympy import Expr

from symmetrics.library.selections import DOZEN
from symmetrics.library.themes import group_of_metrics
from symmetrics.matrices import MulticlassMetric
from symmetrics.metric import Metric
from symmetrics.numeric.encoding import column_codes, in_order
from symmetrics.pages.uncertainty import ONE_CLASS, Asked, Ends, Labels, asked_question, ends_of_labels, require_any
from symmetrics.query.proving import as_metric
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    import pandas
    from numpy.typing import NDArray

    from symmetrics.numeric.intervals import Question

__all__ = ["AnyMetric", "Metrics", "chosen_metrics", "score"]

AnyMetric: TypeAlias = Metric | MulticlassMetric
Metrics: TypeAlias = "str | AnyMetric | Expr | Iterable[str | AnyMetric | Expr] | Mapping[str, AnyMetric | Expr | str]"
"""One or more metrics: names, themes of the library, metrics, expressions; or by the names to list them under."""


class _Scores(NamedTuple):
    """The values of metrics by name, each one number or one per class.

    :param classes: if they are known
    :param sure: the interval of each value, if they are asked for
    """

    values: Mapping[str, Any]
    classes: list[Hashable] | None
    sure: Mapping[str, list[Ends]]


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
    """Return many metrics of predicted against true labels as a data frame, a row per metric.

    The labels are counted once.  In their place a data frame of any kind may stand, with the names of its columns.

    :param y_true: the true labels; or a data frame, of which *truth* and *prediction* name columns
    :param metrics: names, themes of the library such as ``"rates"``, ``"all"``, metrics, also those of
        ``symmetrics.multiclass``, or a mapping of the names to list them under; by default twelve that are much used
    :param by: columns of the frame: the metrics of each group of examples by itself, in the order of the groups
    :param interval: True, a level or settings by name, such as ``{"level": 0.9, "method": "delta"}``, for columns with
        the interval of each value (:meth:`symmetrics.Metric.interval`), its method, and a note where there is no value
        or no interval
    :param as_metric: settings of a call of each metric, such as *average*, *pos_label* or *sample_weight*, which may be
        the name of a column; those that a metric of matrices has no use for are left out for it
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
    >>> score([1] * 15 + [0] * 35, [1] * 20 + [0] * 30, ["recall", "precision"], interval=True).round(3).iloc[:, :4]
               value    low   high method
    metric
    recall      1.00  0.796  1.000  score
    precision   0.75  0.531  0.888  score
    """
    pandas, question = _pandas(), asked_question(interval)
    chosen = chosen_metrics(metrics, DOZEN)
    if truth is None and prediction is None:
        if y_pred is None or by is not None:
            raise InputError("pass y_true and y_pred, or a data frame with truth= and prediction=")
        return _checked(_framed(pandas, _scores(y_true, y_pred, chosen, as_metric, question)), question)
    if y_pred is not None or truth is None or prediction is None:
        raise InputError("name both columns, truth= and prediction=, and pass no y_pred beside a data frame")
    true, predicted = _column(y_true, truth), _column(y_true, prediction)
    weight = as_metric.get("sample_weight")
    if isinstance(weight, str):
        as_metric["sample_weight"] = np.asarray(_column(y_true, weight))
    if by is None:
        return _checked(_framed(pandas, _scores(true, predicted, chosen, as_metric, question)), question)
    keys = by if isinstance(by, list) else [by]
    columns = [_column(y_true, key) for key in keys]
    return _checked(_grouped(pandas, columns, keys, (true, predicted), chosen, as_metric, question), question)


def chosen_metrics(metrics: Metrics | None, default: Iterable[str]) -> dict[str, AnyMetric]:
    """Return metrics by the names under which they are listed, those of a theme by their keys.

    :raises InputError: on what is no metric, on none at all, and on two under one name
    :raises UnknownNameError: if no metric has a name

    >>> list(chosen_metrics(["MCC", "verification"], ()))[:2]
    ['MCC', 'extreme_dependency_score']
    """
    if isinstance(metrics, Mapping):
        return {str(name): _as_any_metric(metric) for name, metric in metrics.items()}
    given = default if metrics is None else metrics
    listed = [given] if isinstance(given, str | Metric | MulticlassMetric | Expr) else list(given)
    chosen: dict[str, AnyMetric] = {}
    for one in listed:
        named: dict[str, AnyMetric]
        if isinstance(one, str) and (group := group_of_metrics(one)) is not None:
            named = {metric.name: metric for metric in group}
        else:
            metric = _as_any_metric(one)
            named = {one if isinstance(one, str) else metric.name: metric}
        for name, metric in named.items():
            if chosen.setdefault(name, metric) != metric:
                raise InputError(f"two metrics are called {name!r}; pass a mapping that names them differently")
    if not chosen:
        raise InputError("metrics is empty; name one or more, or leave it out")
    return chosen


def _as_any_metric(metric: Any) -> AnyMetric:
    return metric if isinstance(metric, MulticlassMetric) else as_metric(metric)


def _scores(
    true: Any,
    predicted: Any,
    chosen: Mapping[str, AnyMetric],
    settings: Mapping[str, Any],
    question: Question | None,
) -> _Scores:
    """Return the value of each metric, having counted the labels once."""
    settings = dict(settings)
    labels = Labels.of(true, predicted, settings.pop("sample_weight", None))
    few, fewer, weight = labels.fewest
    if labels.pairs is not None and settings.get("average", "binary") is None and settings.get("labels") is None:
        settings["labels"] = in_order(dict.fromkeys([*few, *fewer]))
    of_matrices = {name: value for name, value in settings.items() if name != "pos_label"}
    if of_matrices.get("average") == "binary":
        del of_matrices["average"]
    found: dict[str, Any] = {}
    sure: dict[str, list[Ends]] = {}
    for name, metric in chosen.items():
        given = of_matrices if isinstance(metric, MulticlassMetric) else settings
        found[name] = metric(few, fewer, sample_weight=weight, **given)
        if question is not None:
            sure[name] = _sure(metric, found[name], labels, given, question)
    return _Scores(found, settings.get("labels"), sure)


def _sure(metric: AnyMetric, value: Any, labels: Labels, settings: Mapping[str, Any], question: Question) -> list[Ends]:
    """Return the interval of a value, or of each class's."""
    values = np.atleast_1d(value).tolist()
    if np.ndim(value) == 0 or labels.pairs is None or isinstance(metric, MulticlassMetric):
        return [ends_of_labels(metric, one, labels, settings, question) for one in values]
    return [
        ends_of_labels(metric, one, labels.against_the_rest(label), {**settings, **ONE_CLASS}, question)
        for label, one in zip(settings["labels"], values, strict=True)
    ]


def _framed(pandas: Any, scores: _Scores) -> pandas.DataFrame:
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
        parts[label] = pandas.DataFrame({"value": [row[place] for row in rows], **columns}, index=index)
    return pandas.concat(parts, axis=1) if is_by_class else parts["value"]


def _grouped(
    pandas: Any,
    columns: list[Any],
    keys: list[Hashable],
    examples: tuple[Any, Any],
    chosen: Mapping[str, AnyMetric],
    settings: dict[str, Any],
    question: Question | None,
) -> pandas.DataFrame:
    """Return the scores of each group of examples that agree in some columns."""
    true, predicted = column_codes(examples[0], "truth"), column_codes(examples[1], "prediction")
    every = in_order(dict.fromkeys([*true[0], *predicted[0]]))
    average = settings.get("average", "binary")
    if average is None or (isinstance(average, str) and average == "binary" and len(every) == 2):
        settings = {"labels": every, **settings}  # those of all groups, also where one has not all of them
    weight = settings.pop("sample_weight", None)
    parts = {}
    for group, places in _groups([column_codes(column, str(key)) for column, key in zip(columns, keys, strict=True)]):
        given = settings if weight is None else {**settings, "sample_weight": np.asarray(weight)[places]}
        here, there = (np.array([*names, None], dtype=object)[codes[places]] for names, codes in (true, predicted))
        parts[group if len(keys) > 1 else group[0]] = _framed(pandas, _scores(here, there, chosen, given, question))
    return pandas.concat(parts, names=keys)


def _groups(columns: list[tuple[list[Hashable], NDArray[np.intp]]]) -> Iterable[tuple[tuple[Hashable, ...], Any]]:
    """Yield the labels of each group of examples, in their order, and the places of its examples."""
    ranks = []
    for labels, codes in columns:
        order = {label: rank for rank, label in enumerate(in_order(labels))}
        ranks.append(np.array([order[label] for label in labels])[codes])
    found, group = np.unique(np.stack(ranks), axis=1, return_inverse=True)
    by_group = np.argsort(group.reshape(-1), kind="stable")
    starts = np.searchsorted(group.reshape(-1)[by_group], np.arange(found.shape[1] + 1))
    ordered = [in_order(labels) for labels, _ in columns]
    for place, ranks_here in enumerate(found.T.tolist()):
        key = tuple(labels[rank] for labels, rank in zip(ordered, ranks_here, strict=True))
        yield key, by_group[starts[place] : starts[place + 1]]


def _checked(frame: pandas.DataFrame, question: Question | None) -> pandas.DataFrame:
    """Return a frame of scores, having refused intervals that none of the metrics has."""
    if question is not None:
        parts = (
            [frame]
            if "method" in frame
            else [frame[label] for label in dict.fromkeys(frame.columns.get_level_values(0))]
        )
        require_any(Ends(*row) for part in parts for row in part[list(Ends._fields)].itertuples(index=False))
    return frame


def _column(frame: Any, name: Hashable) -> Any:
    try:
        return frame[name]
    except Exception:  # each kind of frame has its own error
        have = [str(column) for column in getattr(frame, "columns", ())]
        raise InputError(f"the frame has no column {name!r}; it has {', '.join(have) or 'none with a name'}") from None


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise InputError("a table of scores is a pandas.DataFrame: pip install 'symmetrics[frames]'") from None
    return pandas
