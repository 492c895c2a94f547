"""Can these scores be true?  Which tables of counts agree with reported scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Final, TypeAlias, overload

import numpy as np

from symmetrics.auditing.answers import Audit, Audits
from symmetrics.auditing.classes import MatrixAudit, audit_classes, has_classes, read_classes
from symmetrics.auditing.means import MeanAudit, Parts, searched_means
from symmetrics.auditing.reported import Reported, is_left_out
from symmetrics.auditing.search import Score, Sizes, first_table
from symmetrics.data.counts import shown
from symmetrics.data.score_tables import columns_of
from symmetrics.language.cells import CELLS
from symmetrics.library import metrics
from symmetrics.library.selections import as_metric
from symmetrics.tools.budget import SECONDS, required_seconds
from symmetrics.tools.errors import InputError, UnknownNameError
from symmetrics.tools.texts import number_of

LARGEST: Final = 10**9
"""Examples, at most: whole numbers so large, and their sums, are exact as floats."""
MOST_PARTS: Final = 1000
"""Tables, at most, that means are over."""
UP_TO: Final = 1000
"""Examples, at most, where no number of them is given."""

MeanOf: TypeAlias = int | str | Sequence[tuple[int, int]] | None
"""How many tables scores are means over, or their sizes."""


@overload
def audit(
    scores: Mapping[Any, object],
    n: int | None = ...,
    *,
    support: Sequence[object],
    up_to: int = ...,
    rounding: str = ...,
    seconds: float = ...,
) -> MatrixAudit: ...


@overload
def audit(
    scores: Mapping[Any, object],
    n: int | None = ...,
    *,
    positives: int | None = ...,
    negatives: int | None = ...,
    mean_of: None = ...,
    up_to: int = ...,
    rounding: str = ...,
    names: str | None = ...,
    seconds: float = ...,
) -> Audit: ...


@overload
def audit(
    scores: Mapping[Any, object],
    n: int | None = ...,
    *,
    positives: int | None = ...,
    negatives: int | None = ...,
    mean_of: int | str | Sequence[tuple[int, int]],
    up_to: int = ...,
    rounding: str = ...,
    names: str | None = ...,
    seconds: float = ...,
) -> MeanAudit: ...


@overload
def audit(
    scores: Any,
    n: int | None = ...,
    *,
    positives: int | None = ...,
    negatives: int | None = ...,
    mean_of: MeanOf = ...,
    up_to: int = ...,
    rounding: str = ...,
    names: str | None = ...,
    seconds: float = ...,
) -> Audits: ...


def audit(
    scores: Any,
    n: int | None = None,
    *,
    positives: int | None = None,
    negatives: int | None = None,
    support: Sequence[object] | None = None,
    mean_of: MeanOf = None,
    up_to: int = UP_TO,
    rounding: str = "any",
    names: str | None = None,
    seconds: float = SECONDS,
) -> Audit | MeanAudit | MatrixAudit | Audits:
    """Return whether reported scores can be true together: of one table of counts, as means over several, or of many
    classes.

    All tables of whole counts with the given sizes are searched, by branch and bound with interval arithmetic, and
    what a float cannot decide is decided exactly; so what is impossible is certainly so, for all tables of these sizes.
    Means are impossible if a linear inequality between the scores holds for every table, which is proved, and not for
    what is reported; or if no tables of the known sizes have them.

    :param scores: reported values by metric: a name in the library, a formula or a metric; values as
        :class:`Reported` reads them, ``"0.95"`` being all that is printed so; or a data frame that Narwhals supports,
        with a column for each metric and a row for each classifier; a list of values has one for each class, and beside
        it scores of the whole matrix are named as in ``"macro f1"``, ``"weighted recall"`` or ``"mcc"``
    :param n: the number of examples
    :param positives, negatives: the sizes of the classes, if they are known
    :param support: the sizes of many classes, None where one is unknown
    :param mean_of: for means over folds or data sets: how many; or the positives and negatives of each; or ``"any"``
        number of them; n, positives and negatives are then those of all together
    :param up_to: the largest number of examples that is tried, if none follows from the sizes
    :param rounding: how the values may have been shortened: ``"any"``, ``"nearest"`` or ``"truncated"``
    :param names: the column of a frame that names its rows; by default the index of a pandas frame, or else the first
        column, or if that is a metric the numbers 1, 2, 3, ...
    :param seconds: how long a search may take; the clash, and other readings, may take as long again when asked for
    :returns: an :class:`Audit`, for means a :class:`MeanAudit`, for many classes a :class:`MatrixAudit`, and for a data
        frame :class:`Audits`, by row
    :raises InputError: on values that are no numbers, and on sizes that contradict each other
    :raises UnknownNameError: on an unknown name

    >>> found = audit({"accuracy": "0.95", "f1": "0.90"}, n=100)
    >>> found.status, found.count, next(found.tables)
    ('possible', 24, (22, 0, 5, 73))
    >>> audit({"accuracy": "0.95", "recall": "0.50"}, positives=20, negatives=80)
    impossible: accuracy 0.95: in [0.945, 0.96), recall 0.50: in [0.495, 0.51); n = 100, positives = 20, negatives = 80
    accuracy and recall contradict each other
    >>> audit({"precision": "0.80", "recall": "0.60", "f1": "0.85"}, mean_of="any").reason
    'f1 - recall <= 1/5 for every table, but is more than 0.235 as reported'
    """
    if support is not None or has_classes(scores):
        if any(value is not None for value in (positives, negatives, names, mean_of)):
            raise InputError(
                "positives, negatives, names and mean_of are not for many classes; pass the sizes of these as support"
            )
        reported = read_classes(scores, n, support=support, up_to=up_to, rounding=rounding)
        return audit_classes(reported, required_seconds(seconds))
    settings = {"n": n, "positives": positives, "negatives": negatives, "up_to": up_to}
    if not isinstance(scores, Mapping) and hasattr(scores, "columns"):
        columns, rows = columns_of(scores)
        return audit_columns(
            columns, rows, names=names, mean_of=mean_of, **settings, rounding=rounding, seconds=seconds
        )
    if names is not None:
        raise InputError(f"names={shown(names)} is for a data frame; leave it out")
    return _answered(tuple(_read(scores, rounding)), _read_parts(mean_of, **settings), required_seconds(seconds))


def audit_columns(
    columns: Mapping[str, Sequence[object]],
    rows: Sequence[object] | None,
    *,
    names: str | None,
    mean_of: MeanOf,
    rounding: str,
    seconds: float,
    **sizes: int | None,
) -> Audits:
    """Return the audits of a table of scores, everything read before the first search.

    :param columns: the values by column; empty ones, and a dash, are left out
    :param rows: the names of the rows, where no column holds them
    :param names: as :func:`audit` takes it
    :raises InputError: as :func:`audit` does, with the name of the row
    """
    looked_at, limit = _read_parts(mean_of, **sizes), required_seconds(seconds)
    if names is not None and names not in columns:
        raise UnknownNameError("column", names, list(columns))
    first = next(iter(columns), None)
    if names is None and rows is None and first not in metrics:
        names = first
    scores = {name: values for name, values in columns.items() if name != names}
    size = max(map(len, columns.values()), default=0)
    if not scores or not size:
        raise InputError("there are no scores to audit; give a column for each metric, and a row for each classifier")
    if names is not None:
        rows = columns[names]
    told = list(map(str, range(1, size + 1) if rows is None else rows))
    if len(set(told)) < size:
        twice = next(name for place, name in enumerate(told) if name in told[:place])
        raise InputError(f"row {shown(twice)} is there twice; give each row a name of its own")
    read = {}
    for place, row in enumerate(told):
        given = {name: values[place] for name, values in scores.items() if not is_left_out(values[place])}
        read[row] = tuple(_read(given, rounding, f"row {row}: "))
    return Audits({row: _answered(found, looked_at, limit) for row, found in read.items()})


def _answered(read: tuple[Score, ...], looked_at: Sizes | Parts, seconds: float) -> Audit | MeanAudit:
    if isinstance(looked_at, Parts):
        return searched_means(read, looked_at, seconds)
    status, example = first_table(read, looked_at, seconds)
    return Audit(read, looked_at, status, example, seconds)


# -- reading what is given ---------------------------------------------------------------------------------------------


def _read(scores: Any, rounding: str, where: str = "") -> Iterator[Score]:
    if not isinstance(scores, Mapping):
        raise InputError(f"{shown(scores)} is no mapping of metrics to values; pass one, as in {{'accuracy': '0.95'}}")
    if not scores:
        raise InputError(f"{where}no score is given; give one or more")
    names = set()
    for key, value in scores.items():
        metric = as_metric(key)
        name = key if isinstance(key, str) else metric.name
        if not metric.expr.free_symbols & set(CELLS):
            raise InputError(f"{where}{shown(name)} is a number, not a metric; name one, and give a file a header")
        if name in names:
            raise InputError(f"{where}two scores are called {shown(name)}; give one of the metrics another name")
        names.add(name)
        try:
            reported = Reported.of(value, rounding)
        except InputError as error:
            raise InputError(f"{where}{name}: {error}") from None
        yield Score(name, metric, reported)


def _read_parts(mean_of: MeanOf, **settings: int | None) -> Sizes | Parts:
    """Return the sizes of one table, or what is known of the tables that scores are means over.

    :raises InputError: if mean_of is neither a number, nor sizes, nor ``"any"``, or the sizes contradict each other
    """
    if mean_of is None:
        return _read_sizes(**settings)
    if isinstance(mean_of, str):
        if mean_of.strip().lower() != "any":
            raise InputError(f"mean_of={shown(mean_of)} is unknown; pass a number of tables, their sizes or 'any'")
        return Parts(None, None, _read_sizes(**settings))
    if isinstance(mean_of, int | np.integer) and not isinstance(mean_of, bool):
        if not 1 <= mean_of <= MOST_PARTS:
            raise InputError(f"mean_of={mean_of} is no number of tables from 1 to {MOST_PARTS}; pass one")
        totals = _read_sizes(**settings)
        if totals.total[1] < mean_of:
            raise InputError(f"mean_of={mean_of} is more than n={totals.total[1]}, all examples; pass fewer tables")
        return Parts(int(mean_of), None, totals)
    sizes: list[Any] = [] if isinstance(mean_of, Set | Mapping) or not isinstance(mean_of, Iterable) else list(mean_of)
    if not sizes:
        raise InputError(
            f"mean_of={shown(mean_of)} has no sizes of tables; pass positives and negatives of each, as [(30, 70)] * 10"
        )
    if len(sizes) > MOST_PARTS:
        raise InputError(f"mean_of has sizes of {number_of(len(sizes), 'table')}; pass {MOST_PARTS} at most")
    for size in sizes:
        if not (isinstance(size, Sequence) and not isinstance(size, str) and len(size) == 2 and None not in size):
            raise InputError(
                f"mean_of has {shown(size)}, no pair of positives and negatives; pass pairs, as in [(30, 70)]"
            )
        _read_sizes(None, size[0], size[1], None)
    positives, negatives = (sum(part) for part in zip(*sizes, strict=True))
    for name, total in (("n", positives + negatives), ("positives", positives), ("negatives", negatives)):
        if settings[name] not in (None, total):
            raise InputError(
                f"the sizes in mean_of have {name}={total} together, but {name}={settings[name]}; leave it out"
            )
    totals = _read_sizes(None, positives, negatives, None)
    return Parts(len(sizes), tuple((int(positives), int(negatives)) for positives, negatives in sizes), totals)


def _read_sizes(n: int | None, positives: int | None, negatives: int | None, up_to: int | None) -> Sizes:
    """Return the ranges of sizes.

    :raises InputError: if one is no whole number in range, or they contradict each other
    """
    for name, value, least in (
        ("n", n, 1),
        ("positives", positives, 0),
        ("negatives", negatives, 0),
        ("up_to", up_to, 1),
    ):
        is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if value is not None and not (is_whole and least <= value <= LARGEST):
            raise InputError(f"{name}={shown(value)} is no whole number from {least} to {LARGEST}; pass one")
    if positives is not None and negatives is not None:
        total = positives + negatives
        if n is not None and n != total:
            raise InputError(f"positives and negatives are {total} together, but n={n}; leave one of the three out")
        if total == 0:
            raise InputError("positives and negatives are both 0; pass the sizes of the classes")
        return Sizes((total, total), (positives, positives), (negatives, negatives))
    least, most = (1, up_to or UP_TO) if n is None else (n, n)
    ranges = []
    for name, value in (("positives", positives), ("negatives", negatives)):
        if value is not None and value > most:
            limit = f"up_to={up_to}" if n is None else f"n={n}"
            raise InputError(f"{name}={value} is more than {limit}; pass the number of all examples")
        ranges.append((0, most) if value is None else (value, value))
    return Sizes((least, most), ranges[0], ranges[1])
