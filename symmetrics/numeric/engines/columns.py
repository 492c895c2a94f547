"""Columns of a data frame of any engine: found by name, and asked what of them is no label, no weight or no score."""

from __future__ import annotations

import datetime
import math
import warnings
from collections.abc import Collection, Hashable
from decimal import Decimal
from importlib import import_module
from numbers import Real
from typing import Any

from symmetrics.numeric.counts import shown
from symmetrics.numeric.encoding import is_hashable, listed
from symmetrics.tools.errors import InputError, nearest_names

__all__ = [
    "as_frame",
    "as_keys",
    "is_fraction",
    "is_frame",
    "is_lazy",
    "is_missing",
    "is_no_weight",
    "is_positive",
    "narwhals",
    "native_error",
    "required_columns",
]


def narwhals() -> Any:
    """Return the library through which data frames of all engines are asked.

    :raises InputError: if it is not installed
    """
    try:
        return import_module("narwhals")
    except ImportError:
        raise InputError(
            "data frames are counted where they are through Narwhals; pip install 'symmetrics[frames]'"
        ) from None


def as_frame(frame: Any) -> Any:
    """Return a data frame or relation of any engine as Narwhals sees it.

    :raises InputError: on what is none, and without Narwhals
    """
    library = narwhals()
    with (
        warnings.catch_warnings()
    ):  # that Narwhals will move an engine to a package of its own is nothing a user can act on
        warnings.filterwarnings("ignore", "Dask support is moving", FutureWarning)
        try:
            found = library.from_native(frame, pass_through=True)
        except Exception as error:  # such as a pandas frame two columns of which have one name
            raise native_error(error) from None
    if isinstance(found, library.DataFrame | library.LazyFrame):
        return found
    raise InputError(
        f"{shown(frame)} is no data frame of a known engine; pass one of pandas, polars, pyarrow, DuckDB, Dask, Ibis "
        "or PySpark"
    )


def is_frame(values: Any) -> bool:
    """Return whether something is a data frame or relation that can be counted where it is; False without Narwhals."""
    try:
        as_frame(values)
    except InputError:
        return False
    return True


def is_lazy(frame: Any) -> bool:
    """Return whether nothing of a frame is computed before it is collected."""
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


def required_columns(frame: Any, names: Collection[Any]) -> dict[str, Any]:
    """Return the type of each named column.

    :raises InputError: if the frame has no such column, naming the nearest, and if it cannot be asked
    """
    try:
        schema = dict(frame.collect_schema())
    except Exception as error:
        raise native_error(error) from None
    for name in names:
        if name not in schema:
            near = nearest_names(str(name), schema)
            advice = f"did you mean {near[0]!r}? " if near else ""
            raise InputError(f"the frame has no column {name!r}; {advice}it has {', '.join(map(repr, schema))}")
        if schema[name].is_nested() or (schema[name] == narwhals().Object and not _are_hashable(frame, name)):
            raise InputError(f"column {name!r} holds lists or records; name a column with a single value per example")
    return {name: schema[name] for name in names}


def _are_hashable(frame: Any, name: str) -> bool:
    """Return whether all objects of a column can be labels; of a lazy one, which is not looked at, they are said to."""
    return is_lazy(frame) or all(map(is_hashable, frame[name].to_list()))


def is_missing(column: str, dtype: Any) -> Any:
    """Return the expression that is true where a column holds no label."""
    expression = narwhals().col(column)
    missing = expression.is_null()
    return missing | expression.is_nan().fill_null(True) if dtype.is_float() else missing


def is_fraction(column: str, dtype: Any) -> Any:
    """Return the expression that is true where a column holds a number that is not whole; None if it cannot."""
    if not (dtype.is_float() or dtype.is_decimal()):
        return None
    expression = narwhals().col(column)
    if dtype.is_decimal():
        expression = expression.cast(narwhals().Float64)
    return (expression != expression.floor()).fill_null(False)


def is_no_weight(column: str, dtype: Any) -> Any:
    """Return the expression that is true where a column holds no finite number from 0 up.

    :raises InputError: if the column does not hold numbers
    """
    if not (dtype.is_numeric() or dtype == narwhals().Boolean):
        raise InputError(f"column {column!r} has the type {dtype}: a weight is a number; name a column of numbers")
    weight = narwhals().col(column).cast(narwhals().Float64)
    return ~((weight >= 0.0) & (weight < math.inf)).fill_null(False)


def is_positive(column: str, dtype: Any, positive: Hashable, implementation: Any) -> Any:
    """Return the expression that is true where a column holds the positive label, and false everywhere else.

    :raises InputError: if no label of such a column can be the positive one
    """
    library = narwhals()
    expression = library.col(column)
    if dtype in (library.Categorical, library.Enum) and not implementation.is_pandas_like():
        expression, dtype = expression.cast(library.String), library.String()
    return (expression == _label(column, dtype, positive)).fill_null(False)


def _label(column: str, dtype: Any, positive: Hashable) -> Any:
    """Return the positive label as a column of some type holds it."""
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
    """Return the error of an engine, each of which has its own, as one of ours, in a line."""
    first = " ".join(str(error).split())
    text = first if len(first) <= 200 else first[:197] + "..."
    return InputError(
        f"the engine cannot compute the counts ({type(error).__name__}: {text}); check the frame with the engine's own "
        "functions"
    )


def refuse_disjoint(truth: str, prediction: str, labels: tuple[list[Any], list[Any]], positive: Hashable) -> None:
    """Raise unless labels of two columns can be those of a truth and of its prediction, with a positive one.

    :raises InputError: if the positive label occurs nowhere, but for a column of its conventional opposite, and if no
        label occurs in both columns
    """
    from symmetrics.numeric.labels import conventional_positive

    true, predicted = (list(dict.fromkeys(part)) for part in labels)
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
