"""Counts of examples by group, true label and predicted label: fetched from the engine that holds the examples, and as
tables and confusion matrices of all groups at once.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.encoding import in_order
from symmetrics.numeric.engines.columns import is_lazy, narwhals, native_error
from symmetrics.numeric.engines.grouped_cells import AskedColumns, faults, refuse_faults, refuse_no_examples
from symmetrics.numeric.gate import Admitted, require_alike
from symmetrics.tools.errors import InputError
from symmetrics.tools.frames import is_missing as is_no_value

_MOST_ROWS: Final = 5_000_000
"""Rows of counts that are fetched: labels that are ids or scores would bring all examples here."""
_FETCHED_AS: Final = {"POLARS": "polars"}
"""How the counts of a lazy frame are collected, by engine; pandas has those of all others."""
_ENTRIES: Final = 1 << 22
"""Entries of matrices that are made at a time; bounds the memory taken by many groups of many classes."""


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


def pair_counts(asked: AskedColumns) -> PairCounts:
    """Return how often each label is predicted as each label in every group.

    :raises InputError: on labels, weights and values of groups that are missing or unusable, on no examples, and on so
        many different labels and groups that they cannot be meant
    """
    library = narwhals()
    # Every fault is a column of zeros and ones whose sum the engine returns beside the counts.
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


def _check(columns: dict[str, list[Any]], asked: AskedColumns) -> None:
    """Refuse no rows, more rows than can be meant, and groups without a value."""
    if not any(columns["n"]):
        refuse_no_examples(asked, len(columns["n"]))
    if len(columns["n"]) > _MOST_ROWS:
        raise InputError(
            f"there are more than {_MOST_ROWS:,} combinations of groups and labels; if column "
            f"{asked.prediction.name!r} holds scores, apply a threshold first, or group by fewer columns"
        )
    for column in asked.by:
        if any(map(is_no_value, set(columns[column.key]))):
            raise InputError(
                f"column {column.name!r} holds no value in some examples, so that they are of no group; fill in "
                "the values, or leave those examples out"
            )


# -- Groups of examples as arrays --------------------------------------------------------------------------------------


class Groups(NamedTuple):
    """Groups of examples, or of rows of counts, in the order of what they share.

    :param keys: the values of each column to group by, in order
    :param ranks: of each column, which of its values each group has
    :param place: the group of each example
    """

    keys: list[list[Hashable]]
    ranks: NDArray[np.intp]
    place: NDArray[np.intp]

    @classmethod
    def of(cls, columns: list[tuple[list[Hashable], NDArray[np.intp]]]) -> Groups:
        """Return the groups of examples that agree in all columns.

        :param columns: of each, its distinct values, and which of them each example has
        """
        keys, ranks = [], []
        for values, codes in columns:
            keys.append(in_order(dict.fromkeys(values)))
            order = {value: rank for rank, value in enumerate(keys[-1])}
            ranks.append(np.array([order[value] for value in values])[codes])
        # A group is a number in the mixed radix of the columns; where that would overflow, a column of ranks.
        sizes = [len(values) for values in keys]
        if math.prod(sizes) < np.iinfo(np.intp).max:
            found, place = np.unique(np.ravel_multi_index(ranks, sizes), return_inverse=True)
            return cls(keys, np.stack(np.unravel_index(found, sizes)), place.reshape(-1))
        several, place = np.unique(np.stack(ranks), axis=1, return_inverse=True)
        return cls(keys, several, place.reshape(-1))

    def rows(self) -> Iterator[tuple[tuple[Hashable, ...], NDArray[np.intp]]]:
        """Yield what each group shares, and the places of its examples."""
        by_group = np.argsort(self.place, kind="stable")
        starts = np.searchsorted(self.place[by_group], np.arange(self.ranks.shape[1] + 1))
        for group, ranks in enumerate(self.ranks.T.tolist()):
            key = tuple(values[rank] for values, rank in zip(self.keys, ranks, strict=True))
            yield key, by_group[starts[group] : starts[group + 1]]


class GroupCounts(NamedTuple):
    """How often each label is predicted as each label in every group: columns of equal length.

    :param group: the place of the group
    :param true: the place of the true label among the labels
    :param predicted: that of the predicted one
    :param number: of examples, or the sum of their weights
    :param labels: all labels that occur, in their order
    :param size: how many groups there are
    """

    group: NDArray[np.intp]
    true: NDArray[np.intp]
    predicted: NDArray[np.intp]
    number: FloatArray
    labels: list[Hashable]
    size: int

    def tables(self, positive: Hashable) -> FloatArray:
        """Return TP, FN, FP and TN of each group, a row each; each cell is the sum of its own rows alone."""
        # The cells TP, FN, FP, TN have the numbers 0 to 3: two bits, for the true and for the predicted label.
        is_negative = np.array([label != positive for label in self.labels])
        cell = 4 * self.group + 2 * is_negative[self.true] + is_negative[self.predicted]
        return np.bincount(cell, self.number, 4 * self.size).reshape(-1, 4).astype(np.float64)

    def matrices(self, classes: Sequence[Hashable] | None) -> Iterator[tuple[NDArray[np.intp], FloatArray]]:
        """Yield places of groups and the confusion matrix of each, some groups at a time.

        :param classes: the classes of the matrices, all labels among them; None for those that occur in the group
        """
        by_group = np.argsort(self.group, kind="stable")
        starts = np.searchsorted(self.group[by_group], np.arange(self.size + 1))
        for names, groups in self._patterns() if classes is None else [(classes, np.arange(self.size))]:
            order, k = {label: index for index, label in enumerate(names)}, len(names)
            place = np.array([order.get(label, -1) for label in self.labels])
            step = max(1, _ENTRIES // k**2)
            for first in range(0, groups.size, step):
                # Rows of the groups at hand: a range of consecutive rows for each, one range after the other.
                here = groups[first : first + step]
                sizes = starts[here + 1] - starts[here]
                rows = by_group[np.repeat(starts[here] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())]
                # Each row adds its number to one entry (matrix, true label, predicted label) of the stack.
                matrix = np.repeat(np.arange(here.size), sizes)
                entry = (matrix * k + place[self.true[rows]]) * k + place[self.predicted[rows]]
                stack = np.bincount(entry, self.number[rows], here.size * k**2).astype(np.float64)
                yield here, stack.reshape(here.size, k, k)

    def _patterns(self) -> Iterator[tuple[list[Hashable], NDArray[np.intp]]]:
        """Yield labels that occur together, in their order, and the groups in which just these do."""
        # The labels of a group, true or predicted, are a sorted run of codes; groups with equal runs go together.
        k = len(self.labels)
        pairs = np.unique(np.concatenate([self.group * k + self.true, self.group * k + self.predicted]))
        group, label = pairs // k, pairs % k
        by_classes: dict[bytes, list[int]] = {}
        for place, classes in enumerate(np.split(label, np.flatnonzero(np.diff(group)) + 1)):
            by_classes.setdefault(classes.tobytes(), []).append(place)
        for raw, groups in by_classes.items():
            yield [self.labels[place] for place in np.frombuffer(raw, dtype=label.dtype)], np.array(groups)


def counts_of(found: Admitted, groups: Groups, number: FloatArray) -> GroupCounts:
    """Return how often each label is predicted as each label in every group.

    :param number: what each example, or each row of counts, counts for
    """
    (true, true_codes), (predicted, predicted_codes) = found.codes()
    labels = in_order(dict.fromkeys([*true, *predicted]), found.order)
    place = {label: index for index, label in enumerate(labels)}
    at = [
        np.array([place[label] for label in names], dtype=np.intp)[codes]
        for names, codes in ((true, true_codes), (predicted, predicted_codes))
    ]
    return GroupCounts(groups.place, at[0], at[1], number, labels, groups.ranks.shape[1])
