"""Scores of data frames that are counted where they are: only numbers of examples by group and labels are fetched."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from symmetrics.numeric.encoding import Passed
from symmetrics.numeric.engines.columns import as_frame, is_frame, is_lazy, narwhals
from symmetrics.numeric.engines.grouped_cells import AskedColumns
from symmetrics.numeric.engines.grouped_pairs import pair_counts
from symmetrics.numeric.gate import admit
from symmetrics.pages.many_classes import Chosen
from symmetrics.pages.scored_frames import framed, grouped, labels_of, scores_of
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
    asked: AskedColumns,
    chosen: Chosen,
    settings: Mapping[str, Any],
    question: Question | None,
) -> pandas.DataFrame:
    """Return the scores of all examples or of each group, from counts that the engine makes.

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
    """Return the values of a column, and which of them each row has."""
    place: dict[Hashable, int] = {}
    codes = np.array([place.setdefault(value, len(place)) for value in column], dtype=np.intp)
    return list(place), codes


def _order(asked: AskedColumns) -> list[Hashable] | None:
    """Return the order of the classes that the types of both columns of labels state; None if they state none."""
    true, predicted = asked.truth.dtype, asked.prediction.dtype
    return list(true.categories) if isinstance(true, narwhals().Enum) and true == predicted else None
