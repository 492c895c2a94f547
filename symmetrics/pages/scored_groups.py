"""Scores of data frames that are counted where they are: only numbers of examples by group and labels are fetched."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from symmetrics.metric import Metric
from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.encoding import Passed, in_order
from symmetrics.numeric.engines.columns import as_frame, is_frame, is_lazy, narwhals
from symmetrics.numeric.engines.grouped_cells import Asked
from symmetrics.numeric.engines.grouped_pairs import PairCounts, pair_counts
from symmetrics.numeric.labels import binary_cells
from symmetrics.pages.many_classes import AnyMetric, Chosen, Line
from symmetrics.pages.scored_frames import framed, labels_of_groups, scores_of
from symmetrics.pages.uncertainty import Labels
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    import pandas

    from symmetrics.numeric.intervals import Question

__all__ = ["are_counted_by_engine", "score_by_engine"]

_OF_COUNTS: Final = frozenset(["labels", "pos_label", "average", "zero_division"])
"""Settings of a call under which a binary metric is a function of the four counts of each group."""


class _Groups(NamedTuple):
    """The groups in order: their values in the columns that they share, and the rows of counts of each."""

    keys: list[tuple[Hashable, ...]]
    rows: list[Any]


def are_counted_by_engine(frame: Any, names: list[Hashable], weight: Any, question: Question | None) -> bool:
    """Return whether a frame's engine counts its examples: where it is lazy, and for groups.

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
    """Return whether no column holds objects of Python, which engines compare in ways of their own."""
    schema = as_frame(frame).schema
    return all(name in schema and schema[name] != narwhals().Object for name in names)


def score_by_engine(
    pandas: Any,
    asked: Asked,
    chosen: Chosen,
    settings: Mapping[str, Any],
    question: Question | None,
) -> pandas.DataFrame:
    """Return the scores of all examples or of each group, from counts that the engine makes.

    :raises InputError: on labels and weights that are missing or unusable, and as a call of each metric
    """
    found = pair_counts(asked)
    if not asked.by:
        return framed(pandas, scores_of(_labels(found, slice(None), asked), chosen, settings, question))
    given = labels_of_groups(settings, [*found.true, *found.predicted], _order(asked))
    groups, fitting = _in_order(found), chosen.of_labels([*found.true, *found.predicted], settings)
    if question is None and _are_of_counts(fitting, given):
        return _from_counts(pandas, found, groups, asked, chosen.two, given)
    parts = {
        key if len(asked.by) > 1 else key[0]: framed(
            pandas, scores_of(_labels(found, rows, asked), fitting, given, question)
        )
        for key, rows in zip(groups.keys, groups.rows, strict=True)
    }
    return pandas.concat(parts, names=asked.by)


def _order(asked: Asked) -> list[Hashable] | None:
    """Return the order of the classes that the types of both columns of labels state; None if they state none."""
    true, predicted = asked.types[asked.truth], asked.types[asked.prediction]
    return list(true.categories) if isinstance(true, narwhals().Enum) and true == predicted else None


def _labels(found: PairCounts, rows: Any, asked: Asked) -> Labels:
    """Return the labels of some rows of counts; numbers of examples are no weights."""
    true, predicted, number = (np.array([*part, None], dtype=object)[:-1][rows].tolist() for part in found[1:4])
    true, predicted = (Passed(part, _order(asked)) for part in (true, predicted))
    sizes = np.asarray(number, dtype=np.float64)
    if asked.weight is not None:
        return Labels.of(true, predicted, sizes)
    return Labels(true, predicted, None, (true, predicted, sizes))


def _in_order(found: PairCounts) -> _Groups:
    """Return the groups in the order of their values, as far as these have one."""
    ranks = []
    for column in found.keys:
        order = {value: rank for rank, value in enumerate(in_order(dict.fromkeys(column)))}
        ranks.append(np.array([order[value] for value in column]))
    places = np.lexsort(ranks[::-1])
    sorted_ranks = np.stack(ranks)[:, places]
    starts = np.flatnonzero(np.append(True, (np.diff(sorted_ranks, axis=1) != 0).any(axis=0)))
    keys = [tuple(column[places[start]] for column in found.keys) for start in starts]
    return _Groups(keys, np.split(places, starts[1:]))


def _are_of_counts(chosen: Mapping[str, AnyMetric | Line], given: Mapping[str, Any]) -> bool:
    """Return whether every metric is a function of the four counts of each group."""
    average = given.get("average", "binary")
    return (
        isinstance(average, str)
        and average == "binary"
        and given.keys() <= _OF_COUNTS
        and all(isinstance(metric, Metric) for metric in chosen.values())
    )


def _tables(found: PairCounts, groups: _Groups, positive: Hashable) -> FloatArray:
    """Return the four counts of each group, a row of TP, FN, FP and TN; each cell is the sum of its own rows alone."""
    group = np.empty(len(found.number), dtype=np.intp)
    group[np.concatenate(groups.rows)] = np.repeat(np.arange(len(groups.rows)), [len(rows) for rows in groups.rows])
    missed, unseen = (np.array([label != positive for label in part]) for part in (found.true, found.predicted))
    cells = np.bincount(4 * group + 2 * missed + unseen, found.number, 4 * len(groups.rows))
    return np.asarray(cells.reshape(-1, 4), dtype=np.float64)


def _from_counts(
    pandas: Any,
    found: PairCounts,
    groups: _Groups,
    asked: Asked,
    chosen: Mapping[str, AnyMetric],
    given: Mapping[str, Any],
) -> pandas.DataFrame:
    """Return binary metrics of all groups at once."""
    of_labels = {name: given[name] for name in ("labels", "pos_label") if name in given}
    binary_cells(found.true, found.predicted, **of_labels)  # refuses labels that are not two, with the reason
    tables = _tables(found, groups, of_labels.get("pos_label", 1))
    others = {name: given[name] for name in ("zero_division",) if name in given}
    binary = [metric for metric in chosen.values() if isinstance(metric, Metric)]
    values = np.stack([np.asarray(metric.from_counts(tables, **others)) for metric in binary], axis=1)
    levels = [
        np.repeat(np.array([*part, None], dtype=object)[:-1], len(chosen)) for part in zip(*groups.keys, strict=True)
    ]
    columns = [pandas.Index(list(level)) for level in levels]
    index = pandas.MultiIndex.from_arrays([*columns, list(chosen) * len(groups.keys)], names=[*asked.by, "metric"])
    return pandas.DataFrame({"value": values.reshape(-1)}, index=index)
