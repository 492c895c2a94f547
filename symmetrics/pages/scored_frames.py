"""Scores of labels as data frames: the values of many metrics, of all examples or of groups of them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from symmetrics.metric import Metric
from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.encoding import MayBeAbsent, Passed, common_order, in_order
from symmetrics.numeric.engines.grouped_pairs import GroupCounts, Groups, counts_of
from symmetrics.numeric.gate import Admitted, named_labels
from symmetrics.numeric.labels import binary_cells
from symmetrics.pages.group_values import EndsOfGroups, as_arrays, is_of_counts
from symmetrics.pages.many_classes import AnyMetric, Chosen, Line
from symmetrics.pages.uncertainty import ONE_CLASS, Ends, Labels, ends_of_labels
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    import pandas
    from numpy.typing import NDArray

    from symmetrics.numeric.intervals.result import Question


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
        fitting = {**(settings if isinstance(metric, Metric) else of_matrices), **average}
        found[name] = metric(few, fewer, sample_weight=weight, **fitting)
        if question is not None:
            sure[name] = _sure(metric, found[name], labels, fitting, question)
    return Scores(found, settings.get("labels"), sure)


def _sure(metric: AnyMetric, value: Any, labels: Labels, settings: Mapping[str, Any], question: Question) -> list[Ends]:
    """Return the interval of a value, or of each class's."""
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
        del columns["why"]  # a report in words has it
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
    """Return the scores of each group of examples that agree in some columns.

    They are computed from the counts of all groups at once where the settings permit it, else group by group.

    :param keys: by the name of a column to group by, its values, and which of them each example has
    :param sizes: how many examples each one stands for, if these are counts; by default one
    """
    kept = slice(None) if examples.kept is None else examples.kept
    groups = Groups.of([(values, codes[kept]) for values, codes in keys.values()])
    number = sizes if examples.weight is None else examples.weight
    counts = counts_of(examples, groups, np.ones(len(groups.place)) if number is None else number)
    fitting, given = chosen.of_labels(counts.labels, settings), labels_of_groups(settings, counts.labels)
    if is_of_counts(given, counts.labels) and (examples.weight is None or question is None):
        named = dict(zip(keys, groups.keys, strict=True))
        return framed_groups(pandas, named, groups, counts, fitting, given, question)
    # Averages with weights of one's own, and over some of the classes, are computed of each group by itself.
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
    """Return labels that have passed the gate; numbers of examples are no weights."""
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
        binary_cells(every, every, **of_labels)  # refuses labels that are not two, with the reason
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
    """Return the settings of a call for each group: labels are those of all groups, also where one has not all.

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
    """Return a frame of scores; raise if intervals were asked for and no metric has one."""
    if question is not None:
        parts = (
            [frame]
            if "method" in frame
            else [frame[label] for label in dict.fromkeys(frame.columns.get_level_values(0))]
        )
        if all((part["method"] == "").all() for part in parts):
            raise InputError(parts[0]["note"].iloc[0])
    return frame
