"""Names of classes: missing labels, and row and column names of data frames, by which matrices are read."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


_MOST_SHOWN: Final = 6
_MARGIN: Final = "All"
"""Pandas' name for a row and a column of sums."""


def is_missing(label: object) -> bool:
    """Whether a label is missing: None, or NaN, NaT or pandas' NA, which do not equal themselves.

    >>> is_missing(None), is_missing(float("nan")), is_missing("")
    (True, True, False)
    """
    try:
        return label is None or not bool(operator.eq(label, label))
    except TypeError:
        return True


def coded_column(values: object) -> tuple[list[Hashable], NDArray[np.integer]] | None:
    """Return labels and codes of a pandas, polars or Arrow column that is categorical or can encode itself.

    No object is made of an example, only of a label.  What is missing has the code -1.  None for everything else, such
    as a column that NumPy reads as it is.

    >>> import pandas
    >>> coded_column(pandas.Series(["b", "a", "b", None], dtype="category"))[1].tolist()
    [0, 1, 0, -1]
    """
    package = type(values).__module__.partition(".")[0]
    reader = _READERS.get(package)
    return None if reader is None else reader(values)


def _pandas_codes(column: Any) -> tuple[list[Hashable], NDArray[np.integer]] | None:
    import numpy as np

    if isinstance(getattr(column, "dtype", None), np.dtype) or not hasattr(column, "factorize"):
        return None
    codes, labels = column.factorize()
    return list(labels), codes


def _polars_codes(column: Any) -> tuple[list[Hashable], NDArray[np.integer]] | None:
    import polars

    if isinstance(column.dtype, polars.Categorical | polars.Enum):
        coded = column
    elif column.dtype == polars.String:
        coded = column.cast(polars.Categorical)
    else:
        return None
    distinct = coded.unique().drop_nulls()
    places = coded.to_physical().replace_strict(
        distinct.to_physical(), range(len(distinct)), default=-1, return_dtype=polars.Int32
    )
    return distinct.cast(polars.String).to_list(), places.to_numpy()


def _arrow_codes(column: Any) -> tuple[list[Hashable], NDArray[np.integer]] | None:
    import pyarrow

    if not isinstance(column, pyarrow.Array | pyarrow.ChunkedArray):
        return None
    whole = column.combine_chunks() if isinstance(column, pyarrow.ChunkedArray) else column
    coded = whole if isinstance(whole, pyarrow.DictionaryArray) else whole.dictionary_encode()
    return coded.dictionary.to_pylist(), coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)


_READERS: Final[Mapping[str, Callable[[Any], tuple[list[Hashable], NDArray[np.integer]] | None]]] = {
    "pandas": _pandas_codes,
    "polars": _polars_codes,
    "pyarrow": _arrow_codes,
}


def category_order(values: object) -> list[Hashable] | None:
    """Return the categories of an ordered pandas categorical or a polars Enum; None for others.

    >>> import pandas
    >>> category_order(pandas.Categorical(["high", "low"], ["low", "high"], ordered=True))
    ['low', 'high']
    >>> category_order(pandas.Categorical(["high", "low"])) is None
    True
    """
    package = type(values).__module__.partition(".")[0]
    kind: Any = getattr(values, "dtype", None) if package in ("pandas", "polars") else None
    is_ordered = getattr(kind, "ordered", None) is True or (package == "polars" and type(kind).__name__ == "Enum")
    return list(kind.categories) if is_ordered else None


def named_matrices(confusion: ArrayLike) -> tuple[ArrayLike, list[Hashable] | None]:
    """Return confusion matrices without names, and the names of their rows, equal to those of their columns.

    Of a data frame, the columns are put in the order of the rows; of several frames, all are put in the order of the
    first one's rows.  What has no names is returned as it is.

    :returns: the matrices, and None if they have no names
    :raises InputError: if rows and columns, or two frames, do not have the same names, each once

    >>> named_matrices([[5, 1], [2, 6]])
    ([[5, 1], [2, 6]], None)
    """
    if isinstance(confusion, list | tuple) and any(frame_axes(part) for part in confusion):
        return _stacked(confusion)
    if (axes := frame_axes(confusion)) is None:
        return confusion, None
    rows, columns = axes
    return _by_columns(confusion, columns, rows, "C", f"and the rows {_listed(rows)}"), rows


def column_places(frame: object, names: Sequence[Hashable], *, stated: bool) -> list[int] | None:
    """Return the column index of each class in a data frame of scores; None to match by position.

    Columns without names, 0, 1, 2, ..., are taken by place, and so are those whose names are none of the classes if
    the order of the classes was stated.

    :param stated: whether the user named the classes in the order of the columns
    :raises InputError: if some names of columns are classes and others are not, or none is and no order was stated

    >>> column_places([[0.5, 0.5]], ["a", "b"], stated=False) is None
    True
    """
    if not hasattr(frame, "columns"):
        return None
    have = list(frame.columns)
    if set(have) == set(names) and len(have) == len(names):
        return [have.index(name) for name in names]
    if have == list(range(len(have))) or (stated and set(have).isdisjoint(names)):
        return None
    raise InputError(
        f"y_score has the columns {_listed(have)} where the classes are {_listed(names)}; name its columns after them, "
        "or pass an array, and the classes in the order of its columns as labels="
    )


def same_columns(frame: object, other: object, names: tuple[str, str]) -> list[int] | None:
    """Return, for each column of a first data frame, its index in a second one; None to match by position.

    They are taken by place where the names are the same in the same order, where no name is in both, and where one of
    the two has none.

    :param names: names of the two in error messages
    :raises InputError: if some names are in both and others are not

    >>> import pandas
    >>> frame = pandas.DataFrame({"a": [1], "b": [0]})
    >>> [same_columns(frame, other, ("y_true", "y_pred")) for other in (frame[["b", "a"]], [[1, 0]])]
    [[1, 0], None]
    """
    return _same_names(_names_of_columns(frame), _names_of_columns(other), names, "columns")


def same_rows(column: object, other: object, names: tuple[str, str]) -> list[int] | None:
    """Return, for each row of a first Series or data frame, its index in a second one, as for columns.

    :param names: names of the two in error messages
    :raises InputError: if some names are in both and others are not

    >>> import pandas
    >>> column = pandas.Series([0.9, 0.8], index=["iris", "wine"])
    >>> [same_rows(column, other, ("a", "b")) for other in (column[["wine", "iris"]], [0.8, 0.9])]
    [[1, 0], None]
    """
    return _same_names(_names_of_rows(column), _names_of_rows(other), names, "rows")


def _same_names(
    wanted: list[Hashable] | None, have: list[Hashable] | None, names: tuple[str, str], axis: str
) -> list[int] | None:
    if wanted is None or have is None or have == wanted or set(have).isdisjoint(wanted):
        return None
    if set(have) != set(wanted) or not len(set(have)) == len(have) == len(wanted):
        raise InputError(
            f"{names[0]} has the {axis} {_listed(wanted)} and {names[1]} {_listed(have)}; give both the same {axis}, "
            "each once, or pass arrays"
        )
    return [have.index(name) for name in wanted]


def _names_of_rows(values: object) -> list[Hashable] | None:
    index = getattr(values, "index", None)
    return None if index is None or callable(index) else list(index)


def _names_of_columns(frame: object) -> list[Hashable] | None:
    names = getattr(frame, "column_names", None)  # Arrow: its attribute columns holds the data
    if names is None:
        names = getattr(frame, "columns", None)
    return None if names is None else list(names)


def frame_axes(values: object) -> tuple[list[Hashable], list[Hashable]] | None:
    """Return the row and column names of a data frame; None for other inputs.

    :raises InputError: if the columns have names and the rows have none, so that nothing says which row is whose, and
        on a last row and column of sums
    """
    if not hasattr(values, "columns"):
        return None
    if not hasattr(values, "index"):
        raise InputError(
            f"C has the columns {_listed(list(values.columns))} and rows without names; if its rows are in the order "
            "of its columns, pass C.to_numpy()"
        )
    for axis, names in (("rows", list(values.index)), ("columns", list(values.columns))):
        if missing := [place for place, name in enumerate(names) if is_missing(name)]:
            raise InputError(
                f"C has {axis} of which number {missing[0]} has no name; name every class, or pass an array"
            )
    rows, columns = list(values.index), list(values.columns)
    if _has_margins(values, rows, columns):
        raise InputError(
            f"C has the sums of the others as its last row and column, {_MARGIN!r}, which is no class; leave "
            "margins=True out of pd.crosstab, or drop both, as in C.iloc[:-1, :-1]"
        )
    return rows, columns


def _has_margins(frame: object, rows: list[Hashable], columns: list[Hashable]) -> bool:
    """Whether the last row and column are sums, as in ``pd.crosstab(..., margins=True)``."""
    import numpy as np

    if not all(isinstance(names[-1], str) and names[-1] == _MARGIN for names in (rows, columns) if names):
        return False
    try:
        entries = np.asarray(frame, dtype=np.float64)
    except (TypeError, ValueError):  # non-numbers are refused where the counts are read
        return False
    if entries.ndim != 2 or min(entries.shape) < 2 or not entries[-1, -1] > 0:
        return False
    # Margins: the last entry of every row, and of every column, is the sum of the others.
    by_row = np.isclose(entries[:, :-1].sum(axis=1), entries[:, -1], rtol=1e-12, atol=0)  # weights are rounded
    by_column = np.isclose(entries[:-1].sum(axis=0), entries[-1], rtol=1e-12, atol=0)
    return bool(by_row.all() and by_column.all())


def _stacked(parts: Sequence[object]) -> tuple[ArrayLike, list[Hashable]]:
    import numpy as np

    first = next(axes[0] for part in parts if (axes := frame_axes(part)))
    found = []
    for place, part in enumerate(parts):
        if (axes := frame_axes(part)) is None:
            raise InputError(
                f"C[{place}] has no names of classes and others of C have; pass only frames, or only arrays"
            )
        rows, columns = axes
        name, note = f"C[{place}]", f"where the first frame has the rows {_listed(first)}"
        by_column = _by_columns(part, columns, first, name, note)
        found.append(np.asarray(by_column)[_places(rows, first, name, "rows", note)])
    return np.stack(found), first


def _by_columns(
    frame: object, columns: list[Hashable], order: list[Hashable], name: str, note: str
) -> NDArray[np.generic]:
    import numpy as np

    places = _places(columns, order, name, "columns", note)
    entries = np.asarray(frame)
    return entries if places == sorted(places) else entries[:, places]


def _places(have: Sequence[Hashable], wanted: Sequence[Hashable], name: str, axis: str, note: str) -> list[int]:
    """Return the index of each wanted name; wanted and existing names must agree, each once."""
    place = {label: index for index, label in enumerate(have)}
    if place.keys() != set(wanted) or not len(have) == len(wanted) == len(place):
        raise InputError(
            f"{name} has the {axis} {_listed(have)} {note}; give both the same classes, each once, as "
            "C.reindex(index=classes, columns=classes, fill_value=0) does"
        )
    return [place[label] for label in wanted]


def _listed(names: Iterable[Hashable]) -> str:
    every = [_text(name) for name in names]
    rest = len(every) - _MOST_SHOWN
    return ", ".join(every[:_MOST_SHOWN]) + (f" and {rest} more" if rest > 0 else "")


def _text(name: Hashable) -> str:
    text = repr(name.item() if hasattr(name, "item") else name)
    return text if len(text) <= 40 else f"{text[:37]}..."
