"""Scores of several classifiers, read from whatever a table of numbers may be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from symmetrics.numeric.counts import FloatArray, shown
from symmetrics.tools.errors import InputError, UnknownNameError
from symmetrics.tools.frames import same_rows

if TYPE_CHECKING:
    import pandas


def score_table(scores: object, classifiers: Iterable[str] | None) -> tuple[list[str], FloatArray]:
    """Return the names of the classifiers and their scores, a row for each data set.

    :param scores: a data frame or a mapping with a column for each classifier, or a two-dimensional array; the rows of
        Series are put in the order of the first one's, by name
    :param classifiers: the names of the columns of an array; by default 1, 2, ...
    :raises InputError: on what is no such table of finite numbers, and on names that are not different
    """
    if classifiers is not None and (isinstance(classifiers, str) or not isinstance(classifiers, Iterable)):
        raise InputError(
            f"classifiers={shown(classifiers)} is no list of names; pass one, as in classifiers=['a', 'b']"
        )
    columns = _columns(scores)
    if columns is not None and classifiers is not None:
        raise InputError("classifiers= names the columns of an array, and scores has names already; leave one out")
    table = _numbers(scores if columns is None else _side_by_side(columns))
    if columns is None:
        names = [str(place + 1) for place in range(table.shape[1])] if classifiers is None else [*map(str, classifiers)]
    else:
        names = [str(name) for name in columns]
    if len(names) != table.shape[1] or len(set(names)) < len(names):
        raise InputError(
            f"the names {', '.join(names)} are not those of {table.shape[1]} classifiers; give each its own"
        )
    if table.shape[1] < 2 or len(table) < 2:
        raise InputError(
            f"scores has shape {table.shape}; pass a row for each data set, 2 or more, and a column for each "
            "classifier, 2 or more"
        )
    if not np.isfinite(table).all():
        row, column = np.argwhere(~np.isfinite(table))[0]
        raise InputError(
            f"the score of {names[column]} in row {row} is {table[row, column]:g}; leave out the rows without a value"
        )
    return names, table


def pairs_of_names(names: list[str], control: str | None) -> list[tuple[int, int]]:
    """Return the places of the pairs to compare: all, or those of a control with the others.

    :raises UnknownNameError: if the control is no name

    >>> pairs_of_names(["a", "b", "c"], "b")
    [(1, 0), (1, 2)]
    """
    if control is None:
        return list(combinations(range(len(names)), 2))
    if control not in names:
        raise UnknownNameError("classifier", str(control), names, elsewhere=f"pass one of {', '.join(names)}")
    place = names.index(control)
    return [(place, other) for other in range(len(names)) if other != place]


class ComparedPairs:
    """Comparisons of pairs of classifiers, each with a row of a table."""

    pairs: tuple[Any, ...]

    def to_frame(self) -> pandas.DataFrame:
        """Return a data frame with a row for each pair.

        :raises InputError: without pandas
        """
        return as_frame([pair.row() for pair in self.pairs])


def as_frame(rows: list[dict[str, Any]]) -> Any:
    """Return a data frame with these rows.

    :raises InputError: without pandas
    """
    try:
        import pandas
    except ModuleNotFoundError:
        raise InputError("data frames need pandas; install symmetrics[frames], or read .pairs") from None
    return pandas.DataFrame(rows)


def _columns(scores: Any) -> dict[object, Any] | None:
    """Return the columns of what has names for them."""
    if isinstance(scores, Mapping):
        return dict(scores)
    if hasattr(scores, "columns") and hasattr(scores, "__getitem__"):
        return {name: scores[name] for name in scores.columns}
    return None


def _side_by_side(columns: Mapping[object, Any]) -> object:
    lengths = {str(name): len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise InputError(f"the columns have different lengths ({told}); pass one score per data set in each")
    if not columns:
        return np.empty((0, 0))
    (first, wanted), *_ = columns.items()
    read = []
    for name, column in columns.items():
        places = same_rows(wanted, column, (f"the column {first}", f"the column {name}"))
        read.append(np.asarray(column) if places is None else np.asarray(column)[places])
    return np.column_stack(read)


def _numbers(scores: Any) -> FloatArray:
    try:
        table = np.asarray(scores, dtype=np.float64)
    except (OverflowError, TypeError, ValueError):
        table = np.empty(0)
    if table.ndim != 2:
        raise InputError(
            f"scores={shown(scores)} is no table of numbers; pass a data frame, a mapping or a two-dimensional array"
        )
    return table


# -- Many tests at once: p-values that are adjusted for how many there are ---------------------------------------------


CORRECTIONS: Final = {
    "holm": "Holm's step-down procedure (Holm 1979)",
    "bonferroni": "Bonferroni's",
    "none": "no correction",
}
"""The corrections by name, each in words."""


def require_correction(correction: object) -> None:
    """Refuse a correction that is none.

    :raises InputError: naming those that there are
    """
    if not isinstance(correction, str) or correction not in CORRECTIONS:
        raise InputError(f"correction={shown(correction)} is unknown; pass one of {', '.join(CORRECTIONS)}")


def adjusted(p_values: Sequence[float], correction: str) -> FloatArray:
    """Return p-values such that rejecting those below a level errs anywhere with no more than that probability.

    :param p_values: one for each hypothesis; nan for one that could not be tested, which stays nan and still counts
    :param correction: a key of :data:`CORRECTIONS`

    >>> adjusted([0.01, 0.04, 0.03], "holm").tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p_values, dtype=np.float64)
    if correction == "none":
        return given
    if correction == "bonferroni":
        return np.minimum(given * len(given), 1.0)
    order = np.argsort(given)  # nan comes last
    stepped = np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1))
    found = np.empty_like(given)
    found[order] = np.minimum(stepped, 1.0)
    return found
