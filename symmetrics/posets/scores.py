"""Orders from scores: a row is below another where that one is nowhere worse, and somewhere better.

Rows are classes, classifiers or data sets, and columns are metrics.  Scores that are estimates make the order random;
its ranks are then averaged over draws of the scores.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from decimal import Decimal
from numbers import Real
from os import PathLike
from statistics import NormalDist
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from tqdm import tqdm

from symmetrics.data.frames import is_missing
from symmetrics.data.score_tables import columns_of, read_columns
from symmetrics.data.spelling import NUMBER
from symmetrics.posets.mcmc import RankEstimates, standard_errors
from symmetrics.posets.parts import MAX_IDEALS
from symmetrics.posets.poset import Poset, as_whole, class_names, poset, shown
from symmetrics.posets.probabilities import tally_of
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

Directions: TypeAlias = bool | Mapping[str, bool]
FloatArray = NDArray[np.float64]
_SHOWN_FROM: Final = 200


class Scores(NamedTuple):
    """The scores of some rows: for each column those of all rows."""

    rows: tuple[Hashable, ...]
    columns: Mapping[str, Sequence[Any]]


def from_scores(
    frame: Any, *, greater_is_better: Directions = True, names: str | None = None, columns: Iterable[str] | None = None
) -> Poset:
    """Return the dominance order of rows by several metrics.

    A row a is below b where b is nowhere worse and somewhere better.  Numbers are compared exactly as they are.  Rows
    that are equal in all columns are comparable with the same rows and not with each other, so that they have the same
    averaged rank; :func:`equal_rows` lists them.

    :param frame: a mapping from the name of each row to a mapping from columns to scores; or a data frame that
        Narwhals supports, such as those of pandas and polars
    :param greater_is_better: whether greater scores are better, of all columns or by column; True for those left out
    :param names: the column that names the rows; by default the index of a pandas frame, or the one column of texts,
        or else 0, 1, 2, ...
    :param columns: which columns to compare; by default all but that of the names
    :raises InputError: on a missing score, on what is no number, on names that are not different, and on a column that
        is not there

    >>> scores = {"A": {"f1": 0.8, "fpr": 0.1}, "B": {"f1": 0.7, "fpr": 0.2}, "C": {"f1": 0.9, "fpr": 0.3}}
    >>> from_scores(scores, greater_is_better={"fpr": False}).reduction
    (('B', 'A'),)
    """
    scores = scores_of(frame, names, columns)
    better = _directions(greater_is_better, scores.columns)
    # Scores by their places among the distinct ones, as whole numbers, which arrays compare exactly.
    codes = []
    for name, values in scores.columns.items():
        place = {value: index for index, value in enumerate(sorted(set(values), reverse=not better[name]))}
        codes.append([place[value] for value in values])
    return _dominance(scores.rows, np.array(codes, dtype=np.float64).T)


def equal_rows(frame: Any, *, names: str | None = None, columns: Iterable[str] | None = None) -> list[list[Hashable]]:
    """Return the groups of rows that are equal in all columns; parameters and errors as for :func:`from_scores`.

    >>> equal_rows({"A": {"f1": 0.8}, "B": {"f1": 0.7}, "C": {"f1": 0.8}})
    [['A', 'C']]
    """
    scores = scores_of(frame, names, columns)
    groups: dict[tuple[Any, ...], list[Hashable]] = {}
    for row, values in zip(scores.rows, zip(*scores.columns.values(), strict=True), strict=True):
        groups.setdefault(values, []).append(row)
    return [group for group in groups.values() if len(group) > 1]


def _dominance(rows: Sequence[Hashable], values: FloatArray) -> Poset:
    """Return the order of rows by values of shape (rows, columns), greater ones being better."""
    worse = _nowhere_better(values)
    pairs = np.argwhere(worse & ~worse.T).tolist()
    return poset([(rows[a], rows[b]) for a, b in pairs], rows)


def _nowhere_better(values: FloatArray) -> NDArray[np.bool_]:
    """Return for each pair of rows whether the first is nowhere better than the second."""
    worse = np.ones((len(values), len(values)), dtype=np.bool_)
    for column in values.T:
        worse &= column[:, None] <= column
    return worse


# -- Scores, read from frames, mappings and files ----------------------------------------------------------------------


def scores_of(frame: Any, names: str | None = None, columns: Iterable[str] | None = None) -> Scores:
    """Return the scores of rows, checked; parameters and errors as for :func:`from_scores`."""
    if isinstance(frame, Scores):
        found = frame
    elif isinstance(frame, Mapping):
        found = _of_mapping(frame)
    else:
        found = _of_frame(frame, names)
    if columns is not None:
        listed = [columns] if isinstance(columns, str) else list(columns)
        _check_columns("columns", listed, found.columns)
        found = Scores(found.rows, {name: found.columns[name] for name in listed})
    if not found.rows or not found.columns:
        raise InputError("there are no scores: give a row for each thing to rank, and a column for each metric")
    if len(set(found.rows)) < len(found.rows):
        twice = next(row for place, row in enumerate(found.rows) if row in found.rows[:place])
        raise InputError(f"row {shown(twice)} stands twice: name every row once, in a column of its own, names=")
    for column, values in found.columns.items():
        for row, value in zip(found.rows, values, strict=True):
            if is_missing(value):
                raise InputError(
                    f"row {shown(row)} has no score in column {shown(column)}: fill it in, or leave the row or the "
                    "column out"
                )
            if isinstance(value, bool) or not isinstance(value, Real | Decimal):
                raise InputError(
                    f"{shown(value)} in column {shown(column)} of row {shown(row)} is no number: leave the column out "
                    "by columns=, or name the rows by it, names="
                )
    return found


def _of_mapping(frame: Any) -> Scores:
    columns: dict[str, list[Any]] = {}
    if not isinstance(frame, Mapping):
        raise InputError(f"{shown(frame)} is no mapping: give each row a mapping from columns to what is known of it")
    for place, (row, scores) in enumerate(frame.items()):
        if not isinstance(scores, Mapping):
            raise InputError(f"row {shown(row)} is {shown(scores)}: give each row a mapping from columns to scores")
        if place and scores.keys() != columns.keys():
            name = next(iter(scores.keys() ^ columns.keys()))
            raise InputError(f"column {shown(name)} is not in every row, such as {shown(row)}: give all rows the same")
        for name, value in scores.items():
            columns.setdefault(name, []).append(value)
    return Scores(tuple(frame), columns)


def _of_frame(frame: Any, names: str | None) -> Scores:
    columns, rows = columns_of(frame)
    if names is None and rows is not None:
        return Scores(rows, columns)
    texts = [name for name, values in columns.items() if any(isinstance(value, str) for value in values)]
    named = names if names is not None else texts[0] if len(texts) == 1 else None
    if named is None:
        return Scores(tuple(range(max(map(len, columns.values()), default=0))), columns)
    _check_columns("names", [named], columns)
    return Scores(tuple(columns.pop(named)), columns)


def read_scores(path: str | PathLike[str], names: str | None = None) -> Scores:
    r"""Read scores from a CSV file with a header; ``-`` is standard input.

    :param path: the file
    :param names: the column that names the rows; by default the first
    :raises InputError: if the file cannot be read, or holds what is no number; the message names the file and the line

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "scores.csv"
    ...     _ = file.write_text("name,f1,fpr\nA,0.8,0.1\nB,0.7,0.2\n")
    ...     read_scores(file)
    Scores(rows=('A', 'B'), columns={'f1': [0.8, 0.7], 'fpr': [0.1, 0.2]})
    """
    source, texts, lines = read_columns(path, names)
    rows = texts.pop(next(iter(texts)) if names is None else names)
    for place, line in enumerate(lines):
        for name, column in texts.items():
            if not NUMBER.fullmatch(column[place]):
                what = f"{shown(column[place])} is no number" if column[place] else "a score is missing"
                raise InputError(f"{source}, line {line}, column {shown(name)}: {what}: correct or leave out the row")
    return Scores(tuple(rows), {name: list(map(float, column)) for name, column in texts.items()})


def _directions(greater_is_better: Any, columns: Iterable[str]) -> dict[str, bool]:
    listed = list(columns)
    if isinstance(greater_is_better, bool):
        return dict.fromkeys(listed, greater_is_better)
    if not isinstance(greater_is_better, Mapping) or not all(isinstance(v, bool) for v in greater_is_better.values()):
        raise InputError(f"greater_is_better={shown(greater_is_better)}: pass True, False, or either of them by column")
    _check_columns("greater_is_better", greater_is_better, listed)
    return {name: greater_is_better.get(name, True) for name in listed}


def _check_columns(argument: str, wanted: Iterable[str], columns: Iterable[str]) -> None:
    known = list(columns)
    if unknown := [name for name in wanted if name not in known]:
        raise InputError(
            f"{argument} names column {shown(unknown[0])}, which is not there: there are {class_names(known)}"
        )


# -- Orders of scores that are estimates -------------------------------------------------------------------------------


def random_ranks(
    draws: ArrayLike,
    rows: Iterable[Hashable] | None = None,
    *,
    greater_is_better: bool | Sequence[bool] = True,
    max_ideals: int = MAX_IDEALS,
) -> RankEstimates:
    """Return the ranks of rows whose scores are random, from draws of the scores, such as bootstraps.

    Each draw gives a dominance order, as :func:`from_scores`, of which the probabilities of ranks are exact; these are
    averaged over the draws.

    :param draws: scores of shape (draws, rows, columns), at least 20 draws
    :param rows: the names of the rows; by default 0, 1, 2, ...
    :param greater_is_better: whether greater scores are better, of all columns or of each
    :param max_ideals: how many ideals of one order are visited at most
    :raises InputError: on draws of another shape or with scores that are missing, and on an order that is too large

    >>> generator = np.random.default_rng(0)
    >>> found = random_ranks(generator.normal([[0.7, 0.6], [0.8, 0.9]], 0.1, size=(400, 2, 2)), ["A", "B"])
    >>> 0.7 < found.above["B", "A"] < 1, found.orders
    (True, 2)
    """
    values = np.asarray(draws, dtype=np.float64)
    if values.ndim != 3 or len(values) < 20 or 0 in values.shape:
        raise InputError(
            f"draws has shape {values.shape}: pass an array of shape (draws, rows, columns), 20 draws or more"
        )
    if np.isnan(values).any():
        at = np.argwhere(np.isnan(values))[0].tolist()
        raise InputError(
            f"draw {at[0]} has no score of row {at[1]} in column {at[2]}: leave out the column or the draw"
        )
    number, size = values.shape[:2]
    names = tuple(range(size)) if rows is None else tuple(rows)
    if len(names) != size:
        raise InputError(f"rows names {number_of(len(names), 'row')} and draws has {size}: name every row once")
    better = np.asarray(greater_is_better)
    if better.dtype != np.bool_ or better.shape not in ((), values.shape[2:]):
        raise InputError(f"greater_is_better={shown(greater_is_better)}: pass True or False, or one of them by column")
    signs = np.where(better, 1.0, -1.0)
    # Equal orders are counted once.
    times: dict[bytes, int] = {}
    first: dict[bytes, int] = {}
    for place, drawn in enumerate(values * signs):
        key = np.packbits(_nowhere_better(drawn)).tobytes()
        times[key] = times.get(key, 0) + 1
        first.setdefault(key, place)
    ranks = np.arange(1, size + 1)
    sums, squares = np.zeros((2, size, 2 * size + 1))
    for key in tqdm(times, desc="orders", disable=True if len(times) < _SHOWN_FROM else None, leave=False):
        tally = tally_of(_dominance(names, values[first[key]] * signs), max_ideals, pairs=True)
        assert tally.above is not None
        at = (tally.at / tally.extensions).astype(np.float64)
        over = (tally.above / tally.extensions).astype(np.float64)
        found = np.hstack([at, over, (at @ ranks)[:, None]])
        sums += times[key] * found
        squares += times[key] * found**2
    means = sums / number
    lowest, highest = np.zeros(means.shape), np.ones(means.shape)
    lowest[:, -1], highest[:, -1] = 1, size
    errors = standard_errors(number, means, np.maximum(squares / number - means**2, 0), lowest, highest)
    return RankEstimates.of(names, means, errors, highest, number, len(times))


def interval_ranks(
    intervals: Mapping[Hashable, Mapping[str, Any]],
    *,
    level: float = 0.95,
    greater_is_better: Directions = True,
    draws: int = 1000,
    seed: int = 0,
    max_ideals: int = MAX_IDEALS,
) -> RankEstimates:
    """Return the ranks of rows whose scores are known by intervals alone.

    Scores are drawn independently of each other, each from a normal distribution in two pieces around its estimate, of
    which each side reaches as far as the interval at its level.  Where tables are at hand,
    :func:`symmetrics.rank_tables` assumes less.

    :param intervals: by row and column an interval of this package, or (low, estimate, high)
    :param level: the level of all intervals
    :param greater_is_better: as for :func:`from_scores`
    :param draws: how many orders are drawn, at least 20
    :param seed: a whole number of at least 0; the same seed gives the same answer
    :param max_ideals: as for :func:`random_ranks`
    :raises InputError: on what is no interval, and as :func:`from_scores` and :func:`random_ranks`

    >>> found = interval_ranks({"A": {"f1": (0.60, 0.70, 0.78)}, "B": {"f1": (0.72, 0.80, 0.86)}})
    >>> 0.9 < found.above["B", "A"] < 0.99
    True
    """
    if not 0 < level < 1:
        raise InputError(f"level={shown(level)} is not a number between 0 and 1: pass one, such as 0.95")
    number, generator = as_whole(draws, "draws", 20), np.random.default_rng(as_whole(seed, "seed", 0))
    given = _of_mapping(intervals)
    ends = {
        name: [_ends_of(value, row, name) for row, value in zip(given.rows, column, strict=True)]
        for name, column in given.columns.items()
    }
    low, middle, high = (
        scores_of(Scores(given.rows, {name: [each[part] for each in column] for name, column in ends.items()}))
        for part in range(3)
    )
    values = np.array([[*each.columns.values()] for each in (low, middle, high)], dtype=np.float64).transpose(0, 2, 1)
    if not (np.isfinite(values).all() and (values[0] <= values[1]).all() and (values[1] <= values[2]).all()):
        raise InputError("an interval does not hold its estimate: give (low, estimate, high), all finite")
    sides = (values[2] - values[1], values[1] - values[0])
    drawn = generator.standard_normal((number, *values[1].shape)) / NormalDist().inv_cdf((1 + level) / 2)
    drawn *= np.where(drawn > 0, *sides)
    better = _directions(greater_is_better, middle.columns)
    return random_ranks(values[1] + drawn, middle.rows, greater_is_better=[*better.values()], max_ideals=max_ideals)


def _ends_of(value: Any, row: Hashable, name: str) -> tuple[Any, Any, Any]:
    if hasattr(value, "estimate"):
        return value.low, value.estimate, value.high
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 3:
        return value[0], value[1], value[2]
    raise InputError(
        f"{shown(value)} in column {shown(name)} of row {shown(row)} is no interval: give (low, estimate, high)"
    )
