"""Columns of a data frame of any engine: found by name, with expressions for missing labels and unusable weights."""

from __future__ import annotations

import datetime
import math
import warnings
from collections.abc import Callable, Hashable, Mapping
from decimal import Decimal
from importlib import import_module
from numbers import Real
from typing import Any, Final, NamedTuple

import numpy as np

from symmetrics.data.counts import shown
from symmetrics.data.encoding import is_hashable, listed, read_column
from symmetrics.data.gate import is_fractional
from symmetrics.tools.arguments import MARKS, is_mark
from symmetrics.tools.errors import InputError, nearest_names

_EXACT: Final = 2.0**53
"""From here on every float64 is an integer."""


class Column(NamedTuple):
    """A column of a frame, as an expression with its type.

    :param name: its name in error messages
    :param key: what it is called in the frame that is asked, such as ``t``: engines read ``*``, ``^z$`` or ``a.b`` as
        expressions
    :param dtype: its type, by Narwhals
    :param labels: those that occur, where the values are objects of Python: an engine compares these in ways of its
        own, and the frame holds their places instead, -1 for what is missing
    """

    name: Any
    key: str
    dtype: Any
    labels: list[Hashable] | None = None

    @property
    def values(self) -> Any:
        """The values as an expression."""
        return narwhals().col(self.key)

    def where(self, test: Callable[[Hashable], bool]) -> Any:
        """Return the expression that is true where a label passes a test, given by the distinct labels."""
        return self.values.is_in([place for place, label in enumerate(self.labels or ()) if test(label)])


def narwhals() -> Any:
    """Import Narwhals, the common interface to data frames.

    :raises InputError: if it is not installed
    """
    try:
        return import_module("narwhals")
    except ImportError:
        raise InputError(
            "data frames are counted where they are through Narwhals; pip install 'symmetrics[frames]'"
        ) from None


def as_frame(frame: Any) -> Any:
    """Wrap a data frame or relation of any engine by Narwhals.

    :raises InputError: on anything else, and without Narwhals
    """
    library = narwhals()
    with (
        warnings.catch_warnings()
    ):  # that Narwhals will move an engine to a package of its own is nothing a user can act on
        warnings.filterwarnings("ignore", "Dask support is moving", FutureWarning)
        try:
            found = library.from_native(frame, pass_through=True)
        except Exception as error:  # such as a pandas frame with two columns of one name
            raise native_error(error) from None
    if isinstance(found, library.DataFrame | library.LazyFrame):
        return found
    raise InputError(
        f"{shown(frame)} is no data frame of a known engine; pass one of pandas, polars, pyarrow, DuckDB, Dask, Ibis "
        "or PySpark"
    )


def is_frame(values: Any) -> bool:
    """Whether something is a data frame or relation that Narwhals supports; False without Narwhals."""
    try:
        as_frame(values)
    except InputError:
        return False
    return True


def is_lazy(frame: Any) -> bool:
    """Whether a frame is lazy."""
    return isinstance(frame, narwhals().LazyFrame)


def as_keys(by: Any) -> list[str]:
    """Return the names of the columns to group by.

    :raises InputError: on what is no name, and on one that stands twice

    >>> as_keys(None), as_keys("site"), as_keys(["site", "year"])
    ([], ['site'], ['site', 'year'])
    """
    keys = [] if by is None else [by] if isinstance(by, str) else list(by) if isinstance(by, list | tuple) else None
    if keys is None or not all(isinstance(key, str) for key in keys):
        raise InputError(f"by={shown(by)} is no list of columns; pass names, as in by=['site', 'year']")
    for key in keys:
        if keys.count(key) > 1:
            raise InputError(f"by names column {key!r} twice; name it once")
    return keys


def named_columns(frame: Any, wanted: Mapping[str, Any]) -> tuple[Any, dict[str, Column]]:
    """Select and rename columns; return the type of each, too.

    Columns are selected by position, so that odd names cannot clash.

    :param frame: of Narwhals
    :param wanted: by the key that a column gets, its name
    :raises InputError: if the frame has no such column, naming the nearest, and if it cannot be asked
    """
    try:
        schema = dict(frame.collect_schema())
    except Exception as error:
        raise native_error(error) from None
    for name in wanted.values():
        if name not in schema:
            near = nearest_names(str(name), schema)
            advice = f"did you mean {near[0]!r}? " if near else ""
            raise InputError(f"the frame has no column {name!r}; {advice}it has {', '.join(map(repr, schema))}")
    place = {name: f"c{index}" for index, name in enumerate(schema)}
    try:
        found = _renamed(frame, list(schema), list(place.values()))
        found = found.select(*(narwhals().col(place[name]).alias(key) for key, name in wanted.items()))
    except Exception as error:  # each engine has its own errors
        raise native_error(error) from None
    for key, name in wanted.items():
        is_objects = schema[name] == narwhals().Object and not is_lazy(frame)
        if schema[name].is_nested() or (is_objects and not all(map(is_hashable, found[key].to_list()))):
            raise InputError(f"column {name!r} holds lists or records; name a column with a single value per example")
    return found, {key: Column(name, key, schema[name]) for key, name in wanted.items()}


def as_labels(frame: Any, column: Column) -> tuple[Any, Column]:
    """Return a frame and its column of labels; labels that are Python objects are compared as Python does."""
    library = narwhals()
    if column.dtype != library.Object or is_lazy(frame) or not len(frame):
        return frame, column
    read = read_column(frame[column.key].to_list(), str(column.name))
    labels, codes, offset = read.factor
    places = codes.astype(np.int64) - offset
    if read.missing is not None:
        places[read.missing] = -1
    coded = library.new_series(column.key, places, library.Int64, backend=frame.implementation)
    return frame.with_columns(coded), column._replace(labels=list(labels))


def _renamed(frame: Any, names: list[Any], others: list[str]) -> Any:
    """Return a frame with all its columns renamed, found by position or exact name."""
    engine = frame.implementation
    if engine.is_spark_like():  # its names are expressions: "a.b" is the field b of a
        return as_frame(frame.to_native().toDF(*others))
    if engine.is_duckdb():  # likewise, "*" is all columns
        quoted = ('"' + name.replace('"', '""') + '"' for name in names)
        return as_frame(frame.to_native().project(", ".join(map(" AS ".join, zip(quoted, others, strict=True)))))
    return frame.rename(dict(zip(names, others, strict=True)))


def as_group(column: Column) -> Any:
    """Return the values of a grouping column as an expression: NaN counts as missing, -0.0 as 0.0."""
    if not column.dtype.is_float():
        return column.values
    library = narwhals()
    number = library.when(column.values == 0.0).then(library.lit(0.0)).otherwise(column.values)
    return library.when(~column.values.is_nan()).then(number).cast(column.dtype)


def is_missing(column: Column) -> Any:
    """Expression: the column holds no label."""
    if column.labels is not None:
        return column.values == -1
    missing = column.values.is_null()
    return missing | column.values.is_nan().fill_null(True) if column.dtype.is_float() else missing


def holds_mark(column: Column) -> Any:
    """Expression: the column contains a text that marks a missing label; None if it
    cannot.

    Blanks around the text do not count.
    """
    library = narwhals()
    if column.labels is not None:
        return column.where(is_mark)
    if column.dtype not in (library.String, library.Categorical, library.Enum, library.Object):
        return None
    return column.values.cast(library.String).str.strip_chars().is_in(sorted(MARKS)).fill_null(False)


def is_fraction(column: Column) -> Any:
    """Expression: the column holds a number that is not an integer; None if its type cannot."""
    library = narwhals()
    if column.labels is not None:
        return column.where(is_fractional)
    if not (column.dtype.is_float() or column.dtype.is_decimal()):
        return None
    number = column.values.cast(library.Float64)
    small = library.when(number.abs() < _EXACT).then(number).otherwise(library.lit(0.0))  # larger ones are integers
    return (small != small.floor()).fill_null(False)


def is_no_weight(column: Column) -> Any:
    """Expression: the column holds something other than a finite number >= 0.

    :raises InputError: if the column does not hold numbers
    """
    if not (column.dtype.is_numeric() or column.dtype == narwhals().Boolean):
        raise InputError(
            f"column {column.name!r} has the type {column.dtype}: a weight is a number; name a column of numbers"
        )
    weight = column.values.cast(narwhals().Float64)
    return ~((weight >= 0.0) & (weight < math.inf)).fill_null(False)


def is_positive(column: Column, positive: Hashable, implementation: Any) -> Any:
    """Expression: the column holds the positive label (never null).

    :raises InputError: if no label of such a column can be the positive one
    """
    library = narwhals()
    expression, dtype = column.values, column.dtype
    if dtype in (library.Categorical, library.Enum) and not implementation.is_pandas_like():
        expression, dtype = expression.cast(library.String), library.String()
    label = _label(column.name, dtype, positive)
    if column.labels is not None:
        return column.where(lambda one: one == label)
    return (expression == label).fill_null(False)


def _label(column: Any, dtype: Any, positive: Hashable) -> Any:
    """Return the positive label converted to the type of a column."""
    library = narwhals()
    found: Any = positive.item() if hasattr(positive, "item") else positive
    if dtype == library.Boolean:
        is_label, wanted, found = found in (False, True), "True or False", bool(found)
    elif dtype.is_numeric():
        is_label = isinstance(found, Real | Decimal) and math.isfinite(found)
        wanted = "a whole number" if dtype.is_integer() else "a number"
        if is_label and dtype.is_integer():
            is_label, found = found == int(found), int(found)
        elif is_label:
            found = float(found)
    elif dtype == library.String:
        is_label, wanted = isinstance(found, str), "a text"
    elif dtype in (library.Date, library.Datetime):
        is_label, wanted = isinstance(found, datetime.date), "a date"
    else:
        is_label, wanted = found is not None and found == found, "a label"
    if not is_label:
        raise InputError(
            f"positive={shown(positive)} cannot stand in column {column!r}, whose type is {dtype}; pass {wanted}"
        )
    return found


def native_error(error: Exception) -> InputError:
    """Return an InputError for the error of an engine, on one line."""
    first = " ".join(str(error).split())
    text = first if len(first) <= 200 else first[:197] + "..."
    return InputError(
        f"the engine cannot compute the counts ({type(error).__name__}: {text}); check the frame with the engine's own "
        "functions"
    )


def refuse_disjoint(truth: str, prediction: str, labels: tuple[list[Any], list[Any]], positive: Hashable) -> None:
    """Raise unless two columns of labels have labels in common, the positive one included.

    :raises InputError: if the positive label occurs nowhere, but for a column of its conventional opposite, and if no
        label occurs in both columns
    """
    from symmetrics.data.gate import require_alike
    from symmetrics.data.labels import conventional_positive

    true, predicted = (list(dict.fromkeys(part)) for part in labels)
    require_alike(truth, true, prediction, predicted)
    every = list(dict.fromkeys([*true, *predicted]))
    if positive not in every:
        if len(every) == 1 and conventional_positive([every[0], positive]) == positive:
            return
        by_convention = conventional_positive(every)
        advice = "one of them" if by_convention is None else f"positive={shown(by_convention)}"
        raise InputError(f"positive={shown(positive)} is not among the labels {listed(every)}; pass {advice}")
    if len(every) > 2 and not set(true) & set(predicted):
        raise InputError(
            f"the labels {listed(true)} of {truth!r} and {listed(predicted)} of {prediction!r} have none in common; "
            "write them alike"
        )
