"""Scores of labels as data frames: the values of many metrics, of all examples or of groups of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from symmetrics.matrices import MulticlassMetric
from symmetrics.numeric.encoding import MayBeAbsent, Passed, column_codes, common_order, in_order
from symmetrics.numeric.gate import admit
from symmetrics.pages.many_classes import AnyMetric, Chosen, Line
from symmetrics.pages.uncertainty import ONE_CLASS, Ends, Labels, ends_of_labels, require_any
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    import pandas
    from numpy.typing import NDArray

    from symmetrics.numeric.intervals import Question

__all__ = ["Scores", "checked", "framed", "grouped", "labels_of_groups", "scores_of"]


class Scores(NamedTuple):
    """The values of metrics by name, each one number or one per class.

    :param classes: if they are known
    :param sure: the interval of each value, if they are asked for
    """

    values: Mapping[str, Any]
    classes: list[Hashable] | None
    sure: Mapping[str, list[Ends]]


def scores_of(
    labels: Labels, chosen: Chosen | Mapping[str, AnyMetric | Line], given: Mapping[str, Any], question: Question | None
) -> Scores:
    """Return the value of each metric of labels that were counted once.

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
        fitting = {**(of_matrices if isinstance(metric, MulticlassMetric) else settings), **average}
        found[name] = metric(few, fewer, sample_weight=weight, **fitting)
        if question is not None:
            sure[name] = _sure(metric, found[name], labels, fitting, question)
    return Scores(found, settings.get("labels"), sure)


def _sure(metric: AnyMetric, value: Any, labels: Labels, settings: Mapping[str, Any], question: Question) -> list[Ends]:
    """Return the interval of a value, or of each class's."""
    values = np.atleast_1d(value).tolist()
    if np.ndim(value) == 0 or labels.pairs is None or isinstance(metric, MulticlassMetric):
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
        parts[label] = pandas.DataFrame({"value": [row[place] for row in rows], **columns}, index=index)
    return pandas.concat(parts, axis=1) if is_by_class else parts["value"]


def grouped(
    pandas: Any,
    columns: list[Any],
    keys: list[Hashable],
    examples: tuple[Any, Any],
    chosen: Chosen,
    settings: dict[str, Any],
    question: Question | None,
) -> pandas.DataFrame:
    """Return the scores of each group of examples that agree in some columns."""
    named = {"truth": examples[0], "prediction": examples[1]}
    found = admit(named, settings.pop("sample_weight", None), missing=settings.pop("missing", "refuse"))
    true, predicted = found.codes()
    fitting = chosen.of_labels([*true[0], *predicted[0]], settings)
    settings = labels_of_groups(settings, [*true[0], *predicted[0]], found.order)
    coded = [_coded(column, key) for column, key in zip(columns, keys, strict=True)]
    if found.kept is not None:
        coded = [(values, codes[found.kept]) for values, codes in coded]
    parts = {}
    for group, places in _groups(coded):
        here, there = (
            Passed(np.array([*names, None], dtype=object)[codes[places]], found.order)
            for names, codes in (true, predicted)
        )
        labels = Labels.of(here, there, None if found.weight is None else found.weight[places])
        parts[group if len(keys) > 1 else group[0]] = framed(pandas, scores_of(labels, fitting, settings, question))
    return pandas.concat(parts, names=keys)


def _coded(column: Any, key: Hashable) -> tuple[list[Hashable], NDArray[np.intp]]:
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


def labels_of_groups(
    settings: Mapping[str, Any], occurring: Iterable[Hashable], order: list[Hashable] | None = None
) -> dict[str, Any]:
    """Return the settings of a call for each group: labels are those of all groups, also where one has not all."""
    every = in_order(dict.fromkeys(occurring), order)
    average = settings.get("average", "binary")
    if average is None or (isinstance(average, str) and average == "binary" and len(every) == 2):
        return {"labels": MayBeAbsent(every), **settings}
    return dict(settings)


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


def checked(frame: pandas.DataFrame, question: Question | None) -> pandas.DataFrame:
    """Return a frame of scores, having refused intervals that none of the metrics has."""
    if question is not None:
        parts = (
            [frame]
            if "method" in frame
            else [frame[label] for label in dict.fromkeys(frame.columns.get_level_values(0))]
        )
        require_any(Ends(*row) for part in parts for row in part[list(Ends._fields)].itertuples(index=False))
    return frame
