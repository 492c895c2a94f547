"""Data frames of all engines, made of the same columns; an engine that is not installed is skipped by its name."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import cache
from typing import Any

import narwhals as nw
import pytest

Columns = dict[str, list[Any]]


def _pandas(columns: Columns) -> Any:
    import pandas as pd

    return pd.DataFrame(columns)


def _pandas_nullable(columns: Columns) -> Any:
    return _pandas(columns).convert_dtypes()


def _pandas_arrow(columns: Columns) -> Any:
    return _pandas(columns).convert_dtypes(dtype_backend="pyarrow")


def _polars(columns: Columns) -> Any:
    import polars as pl

    return pl.DataFrame(columns, strict=False)


def _pyarrow(columns: Columns) -> Any:
    import pyarrow as pa

    return pa.table(columns)


@cache
def _connection() -> Any:
    import duckdb

    return duckdb.connect()


def _duckdb(columns: Columns) -> Any:
    connection, names = _connection(), list(columns)
    placed = ", ".join("?" for _ in names)
    rows = list(zip(*columns.values(), strict=True))
    values = ", ".join(f"({placed})" for _ in rows)
    header = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
    return connection.sql(
        f"SELECT * FROM (VALUES {values}) AS t({header})", params=[value for row in rows for value in row]
    )


def _dask(columns: Columns) -> Any:
    import dask.dataframe as dd

    return dd.from_pandas(_pandas(columns), npartitions=3)


def _ibis(columns: Columns) -> Any:
    import ibis

    return ibis.memtable(_pyarrow(columns))


@cache
def _spark() -> Any:
    import os
    import sys

    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", False)
    session = session.config("spark.sql.shuffle.partitions", 2).config("spark.sql.session.timeZone", "UTC")
    return session.getOrCreate()


def _pyspark(columns: Columns) -> Any:
    return _spark().createDataFrame(list(zip(*columns.values(), strict=True)), list(columns))


ENGINES: dict[str, tuple[str, Callable[[Columns], Any]]] = {
    "pandas": ("pandas", _pandas),
    "pandas, nullable types": ("pandas", _pandas_nullable),
    "pandas, Arrow types": ("pyarrow", _pandas_arrow),
    "polars": ("polars", _polars),
    "polars, lazy": ("polars", lambda columns: _polars(columns).lazy()),
    "pyarrow": ("pyarrow", _pyarrow),
    "DuckDB": ("duckdb", _duckdb),
    "Dask": ("dask", _dask),
    "Ibis": ("ibis", _ibis),
    "PySpark": ("pyspark", _pyspark),
}
"""By the name of an engine, its package, and what makes a frame of columns."""
FIRST = ("pandas", "polars", "polars, lazy", "DuckDB")
"""Engines that start at once: tests on random examples are of these."""


def is_installed(name: str) -> bool:
    return importlib.util.find_spec(ENGINES[name][0]) is not None


def engines(*names: str) -> Any:
    """Return the engines as parameters of a test, those that are not installed skipped by name."""
    return pytest.mark.parametrize(
        "engine",
        [
            pytest.param(
                name, marks=pytest.mark.skipif(not is_installed(name), reason=f"{ENGINES[name][0]} is not installed")
            )
            for name in names or ENGINES
        ],
    )


def frame(engine: str, columns: Columns) -> Any:
    return ENGINES[engine][1](columns)


def rows(found: Any) -> list[dict[str, Any]]:
    """Return the rows of a native frame, computed if it is lazy; what is missing is None."""
    whole = nw.from_native(found)
    if isinstance(whole, nw.LazyFrame):
        whole = whole.collect("polars" if whole.implementation.is_polars() else "pandas")
    return [{name: _plain(value) for name, value in row.items()} for row in whole.rows(named=True)]


def _plain(value: Any) -> Any:
    if value is None or (isinstance(value, float) and value != value) or type(value).__name__ in ("NAType", "NaTType"):
        return None
    return value.item() if hasattr(value, "item") else value
