"""Scores of data frames that are counted where they are: only numbers of examples by group and labels are fetched."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from symmetrics.numeric.encoding import Passed
from symmetrics.numeric.engines.columns import as_frame, is_frame, is_lazy, narwhals
from symmetrics.numeric.engines.grouped_cells import Asked
from symmetrics.numeric.engines.grouped_pairs import PairCounts, pair_counts
from symmetrics.numeric.gate import admit
from symmetrics.pages.group_values import is_of_counts
from symmetrics.pages.many_classes import Chosen
from symmetrics.pages.scored_frames import Groups, counts_of, framed, framed_groups, labels_of_groups, scores_of
from symmetrics.pages.uncertainty import Labels
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    import pandas

    from symmetrics.numeric.intervals.result import Question


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
    order = _order(asked)
    named = {"truth": Passed(found.true, order), "prediction": Passed(found.predicted, order)}
    admitted = admit(named, None if asked.weight is None else found.number)
    coded = [_coded(column) for column in found.keys]
    number = np.asarray(found.number, dtype=np.float64)
    if admitted.kept is not None:
        coded, number = [(values, codes[admitted.kept]) for values, codes in coded], number[admitted.kept]
    groups = Groups.of(coded)
    counts = counts_of(admitted, groups, number)
    fitting = chosen.of_labels(counts.labels, settings)
    given = labels_of_groups(settings, counts.labels)
    keys = {column.name: values for column, values in zip(asked.by, groups.keys, strict=True)}
    if is_of_counts(given, counts.labels):
        return framed_groups(pandas, keys, groups, counts, fitting, given, question)
    parts = {
        key if len(keys) > 1 else key[0]: framed(
            pandas, scores_of(_labels(found, rows, asked), fitting, given, question)
        )
        for key, rows in groups.rows()
    }
    return pandas.concat(parts, names=list(keys))


def _coded(column: list[Hashable]) -> tuple[list[Hashable], NDArray[np.intp]]:
    """Return the values of a column, and which of them each row has."""
    place: dict[Hashable, int] = {}
    codes = np.array([place.setdefault(value, len(place)) for value in column], dtype=np.intp)
    return list(place), codes


def _order(asked: Asked) -> list[Hashable] | None:
    """Return the order of the classes that the types of both columns of labels state; None if they state none."""
    true, predicted = asked.truth.dtype, asked.prediction.dtype
    return list(true.categories) if isinstance(true, narwhals().Enum) and true == predicted else None


def _labels(found: PairCounts, rows: Any, asked: Asked) -> Labels:
    """Return the labels of some rows of counts; numbers of examples are no weights."""
    true, predicted, number = (np.array([*part, None], dtype=object)[:-1][rows].tolist() for part in found[1:4])
    true, predicted = (Passed(part, _order(asked)) for part in (true, predicted))
    sizes = np.asarray(number, dtype=np.float64)
    if asked.weight is not None:
        return Labels.of(true, predicted, sizes)
    return Labels(true, predicted, None, (true, predicted, sizes))
