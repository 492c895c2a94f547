"""Tables of scores: a row for each classifier, class or data set, and a column for each metric."""

from __future__ import annotations

from collections.abc import Hashable
from os import PathLike
from typing import Any, NamedTuple

from symmetrics.data.columns import as_frame, is_lazy
from symmetrics.data.spelling import header_of, records, rows_below
from symmetrics.tools.errors import InputError
from symmetrics.tools.files import read_text, source_name


class ScoreColumns(NamedTuple):
    """The columns of a table of scores, as they stand there.

    :param columns: the values by column
    :param rows: the names of the rows of a pandas frame that has them; None if the rows are only counted
    """

    columns: dict[str, list[Any]]
    rows: tuple[Hashable, ...] | None = None


class ScoreFile(NamedTuple):
    """The columns of a CSV file of scores, as texts.

    :param source: what errors call the file
    :param columns: the texts by column, in the order of the file
    :param lines: the line of each row
    """

    source: str
    columns: dict[str, list[str]]
    lines: list[int]


def columns_of(frame: Any) -> ScoreColumns:
    """Return the columns of a data frame that Narwhals supports.

    :raises InputError: if it is none
    """
    wrapped = as_frame(frame)
    wrapped = wrapped.collect() if is_lazy(wrapped) else wrapped
    index: Any = getattr(frame, "index", None)  # of pandas
    is_counted = index is None or type(index).__name__ == "RangeIndex"
    columns = {str(name): _values(wrapped.get_column(name)) for name in wrapped.columns}
    return ScoreColumns(columns, None if is_counted else tuple(index))


def _values(column: Any) -> list[Any]:
    """Return the values of a column; numbers of single precision as they are printed, not as their doubles."""
    return list(column.to_numpy()) if str(column.dtype) == "Float32" else list(column.to_list())


def read_columns(path: str | PathLike[str], names: str | None = None) -> ScoreFile:
    """Return the columns of a CSV file with a header; ``-`` is standard input.

    :param names: a column that has to be there
    :raises InputError: if the file cannot be read, or two columns have the same name
    """
    source = source_name(path)
    text = read_text(path, needs=": write a header, and a row with a name and its scores for each of them")
    delimiter, header = header_of(text, [] if names is None else [names], source)
    if len(set(header)) != len(header):
        raise InputError(f"{source}: two columns have the same name: rename all but one")
    every = records(text, delimiter, source)
    next(every)
    columns: dict[str, list[str]] = {name: [] for name in header}
    lines = []
    for line, fields in rows_below(header, every, source):
        lines.append(line)
        for column, field in zip(columns.values(), fields, strict=True):
            column.append(field)
    return ScoreFile(source, columns, lines)
