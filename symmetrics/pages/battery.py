"""Many metrics of the same predictions at once: a table of scores, as a whole or by groups of examples."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from inspect import signature
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from symmetrics.library.selections import as_metric, group_of_metrics
from symmetrics.matrices.names import metric_of_matrices_alone
from symmetrics.metric import Metric
from symmetrics.numeric.encoding import column_codes
from symmetrics.numeric.engines.grouped_cells import asked_columns
from symmetrics.numeric.gate import admit
from symmetrics.pages.many_classes import AnyMetric, Chosen
from symmetrics.pages.scored_frames import checked, framed, grouped, scores_of
from symmetrics.pages.scored_groups import are_counted_by_engine, score_by_engine
from symmetrics.pages.uncertainty import Asked, Labels, asked_question
from symmetrics.tools.errors import InputError
from symmetrics.tools.settings import advising

if TYPE_CHECKING:
    import pandas
    from numpy.typing import NDArray
    from sympy import Expr


Metrics: TypeAlias = "str | AnyMetric | Expr | Iterable[str | AnyMetric | Expr] | Mapping[str, AnyMetric | Expr | str]"
"""One or more metrics: names, themes of the library, metrics, expressions; or by the names to list them under."""

CALLED: Final = {"positive": "pos_label", "weight": "sample_weight"}
"""What scikit-learn calls settings of :func:`symmetrics.counts`, and so do metrics."""


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
    """Return many metrics of predicted against true labels as a data frame, a row per metric.

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
    """Return metrics by the names under which they are listed, those of a theme by their keys.

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
    """Return the values of a column to group by, and which of them each example has.

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
