"""How often each label is predicted as each label in every group of examples, computed by the engine."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final, NamedTuple

from symmetrics.numeric.engines.columns import is_lazy, narwhals, native_error
from symmetrics.numeric.engines.grouped_cells import Asked, faults, refuse_faults, refuse_no_examples
from symmetrics.numeric.gate import require_alike
from symmetrics.tools.errors import InputError
from symmetrics.tools.frames import is_missing

_MOST_ROWS: Final = 5_000_000
"""Rows of counts that are fetched: labels that are ids or scores would bring all examples here."""
_FETCHED_AS: Final = {"POLARS": "polars"}
"""How the counts of a lazy frame are collected, by engine; pandas has those of all others."""


class PairCounts(NamedTuple):
    """The counts of examples by group, true label and predicted label: columns of equal length.

    :param keys: the values of each column that the groups share
    :param true: the true labels
    :param predicted: the predicted ones
    :param number: the numbers of examples, or the sums of their weights
    """

    keys: tuple[list[Hashable], ...]
    true: list[Hashable]
    predicted: list[Hashable]
    number: list[float]


def pair_counts(asked: Asked) -> PairCounts:
    """Return how often each label is predicted as each label in every group.

    :raises InputError: on labels, weights and values of groups that are missing or unusable, on no examples, and on so
        many different labels and groups that they cannot be meant
    """
    library = narwhals()
    wrong = faults(asked)
    names = [f"f{place}" for place in range(len(wrong))]
    number = library.lit(1) if asked.weight is None else asked.weight.values.cast(library.Float64)
    flags = [fault.cast(library.Int64).alias(name) for fault, name in zip(wrong.values(), names, strict=True)]
    try:
        grouped = (
            asked.frame.select(*asked.keys, "t", "p", number.alias("n"), *flags)
            .group_by(*asked.keys, "t", "p")
            .agg(library.col("n", *names).sum())
        )
        limited = grouped.head(_MOST_ROWS + 1)
        rows = _collected(limited) if is_lazy(limited) else limited
        columns = rows.to_dict(as_series=False)
    except Exception as error:  # each engine has its own
        raise native_error(error) from None
    refuse_faults({reason: int(sum(columns[name])) for name, reason in zip(names, wrong, strict=True)})
    _check(columns, asked)
    require_alike(asked.truth.name, columns["t"], asked.prediction.name, columns["p"])
    return PairCounts(tuple(columns[key] for key in asked.keys), columns["t"], columns["p"], columns["n"])


def _collected(limited: Any) -> Any:
    return limited.collect(_FETCHED_AS.get(limited.implementation.name, "pandas"))


def _check(columns: dict[str, list[Any]], asked: Asked) -> None:
    """Refuse no rows, more rows than can be meant, and groups without a value."""
    if not any(columns["n"]):
        refuse_no_examples(asked, len(columns["n"]))
    if len(columns["n"]) > _MOST_ROWS:
        raise InputError(
            f"there are more than {_MOST_ROWS:,} combinations of groups and labels; if column "
            f"{asked.prediction.name!r} holds scores, apply a threshold first, or group by fewer columns"
        )
    for column in asked.by:
        if any(map(is_missing, set(columns[column.key]))):
            raise InputError(
                f"column {column.name!r} holds no value in some examples, so that they are of no group; fill in "
                "the values, or leave those examples out"
            )
