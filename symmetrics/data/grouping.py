"""The four counts of every group of examples, computed by the engine that holds them."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from symmetrics.data.columns import (
    Column,
    as_frame,
    as_group,
    as_keys,
    as_labels,
    holds_mark,
    is_fraction,
    is_lazy,
    is_missing,
    is_no_weight,
    is_positive,
    named_columns,
    narwhals,
    native_error,
    refuse_disjoint,
)
from symmetrics.data.counts import Counts, FloatArray, shown
from symmetrics.data.encoding import in_order
from symmetrics.data.frames import is_missing as is_no_value
from symmetrics.data.gate import Admitted, require_alike
from symmetrics.tools.arguments import Missing, advising, as_missing, refusing_other_settings
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

CELLS: Final = Counts._fields
_CALLED: Final = {
    "y_true": "truth= is the name of the column of true labels",
    "y_pred": "prediction= is the name of the column of predicted labels",
    "pos_label": "pass positive",
    "sample_weight": "weight= is the name of the column of weights",
}
"""Other libraries' names for the settings, with the name used here."""


class AskedColumns(NamedTuple):
    """The columns to count, located in a frame restricted to the examples that count.

    The frame has the columns t of true labels, p of predicted ones, k0, k1, ... to group by, and perhaps w of weights.
    """

    frame: Any
    truth: Column
    prediction: Column
    by: list[Column]
    weight: Column | None
    missing: Missing

    @property
    def keys(self) -> list[str]:
        """Names of the grouping columns in the frame."""
        return [column.key for column in self.by]


@advising(
    "name the columns of a frame, as in counts(frame, 'truth', 'prediction'); labels are counted by "
    "symmetrics.ConfusionMatrix.of(y_true, y_pred)"
)
@refusing_other_settings(_CALLED)
def counts(
    frame: Any,
    truth: str,
    prediction: str,
    by: Any = None,
    weight: str | None = None,
    positive: Hashable = 1,
    missing: Missing = "refuse",
) -> Any:
    """Return TP, FN, FP and TN of every group of examples, as a frame of the same kind as the input.

    The engine that holds the examples groups and counts them, and only counts leave it: a lazy frame (polars, DuckDB,
    Dask, Ibis, PySpark) is answered by a lazy one, of which nothing is computed yet.  The positive label stands against
    all others.

    :param frame: a data frame of pandas, polars or pyarrow, a relation of DuckDB, a table of Ibis, or a data frame of
        Dask or PySpark
    :param truth: name of the column of true labels
    :param prediction: name of the column of predicted labels
    :param by: names of columns: one row for each combination of their values that occurs; those that are missing or
        NaN are one value, missing, and 0.0 and -0.0 are one; by default one row for all examples
    :param weight: name of a column of weights, finite and not negative, that are added up in place of examples
    :param positive: the positive label
    :param missing: treatment of labels that are missing, NaN or a text such as ``NA`` or the empty one
        (:data:`symmetrics.tools.arguments.MARKS`), blanks around it aside: ``"refuse"`` them, ``"drop"`` their
        examples, or ``"keep"`` the texts as labels
    :returns: the columns *by*, then tp, fn, fp and tn, whole numbers, or float64 sums of weights; the rows of a frame
        that is not lazy in the order of *by*
    :raises InputError: on a column that is missing or of a wrong type; on labels and weights that are missing or not
        usable, scores in place of labels, and a positive label that occurs nowhere.  What only the examples tell cannot
        be raised for a lazy frame: there the four counts of a group with such examples are missing, and a positive
        label that occurs nowhere counts nothing.

    >>> import pandas
    >>> frame = pandas.DataFrame({"y": [1, 1, 0, 0], "guess": [1, 0, 0, 1], "site": ["a", "a", "b", "b"]})
    >>> counts(frame, truth="y", prediction="guess", by="site")
      site  tp  fn  fp  tn
    0    a   1   1   0   0
    1    b   0   0   1   1
    """
    asked = asked_columns(frame, truth, prediction, by, weight, missing)
    wrong = faults(asked)
    names = [f"f{place}" for place in range(len(wrong))]
    summed = _summed(asked, positive, dict(zip(names, wrong.values(), strict=True)))
    if is_lazy(summed):
        return _with_names(_without_faulty(summed, asked, names), asked)
    refuse_faults({reason: int(summed[name].sum()) for name, reason in zip(names, wrong, strict=True)})
    _check_positive(asked, summed, positive)
    return _with_names(_sorted(summed.select(*asked.keys, *CELLS), asked), asked)


def asked_columns(
    frame: Any, truth: Any, prediction: Any, by: Any = None, weight: str | None = None, missing: Missing = "refuse"
) -> AskedColumns:
    """Resolve the columns of a counting request and drop examples as asked.

    :raises InputError: on names that do not fit together or that the frame does not have
    """
    keys, found = as_keys(by), as_frame(frame)
    for name, column in (("truth", truth), ("prediction", prediction)):
        if isinstance(column, list):
            raise InputError(f"{name}={shown(column)} is no name of a column; pass one name, as in {name}='y'")
    if truth == prediction:
        raise InputError(f"column {truth!r} is both truth and prediction; name two columns")
    for key in keys:
        if key.lower() in CELLS:
            raise InputError(f"by names column {key!r}, which is the name of a count; rename the column")
    groups = {f"k{place}": key for place, key in enumerate(keys)}
    wanted = {"t": truth, "p": prediction, **groups, **({} if weight is None else {"w": weight})}
    examples, columns = named_columns(found, wanted)
    by_group = [columns[key] for key in groups]
    if by_group:
        examples = examples.with_columns(*(as_group(column).alias(column.key) for column in by_group))
    examples, true = as_labels(examples, columns["t"])
    examples, predicted = as_labels(examples, columns["p"])
    how = as_missing(missing)
    return AskedColumns(with_labels(examples, (true, predicted), how), true, predicted, by_group, columns.get("w"), how)


def with_labels(frame: Any, columns: Iterable[Column], missing: Missing) -> Any:
    """Drop examples without a label, if asked."""
    tests = (test(column) for column in columns for test in (is_missing, holds_mark)) if missing == "drop" else ()
    for lacking in tests:
        frame = frame if lacking is None else frame.filter(~lacking)
    return frame


def faults(asked: AskedColumns) -> dict[str, Any]:
    """Possible faults of an example: message -> expression that is true where the fault occurs."""
    found: dict[str, Any] = {}
    for column in (asked.truth, asked.prediction):
        found |= label_faults(column, asked.missing)
    if asked.weight is not None:
        found[
            f"column {asked.weight.name!r} holds a weight in {{}} that is missing, negative or infinite; pass weights "
            "that are finite and not negative"
        ] = is_no_weight(asked.weight)
    return found


def label_faults(column: Column, missing: Missing) -> dict[str, Any]:
    """Possible faults of a label: message -> expression that is true where the fault occurs."""
    lacking = "fill in the labels, or pass missing='drop' to leave those examples out"
    found = {f"column {column.name!r} holds no label in {{}}; {lacking}": is_missing(column)}
    if missing == "refuse" and (mark := holds_mark(column)) is not None:
        found[
            f"column {column.name!r} holds a text that stands for a missing label, such as 'NA', in {{}}; pass "
            "missing='drop' to leave those examples out, or missing='keep' if it is a class"
        ] = mark
    if (fraction := is_fraction(column)) is not None:
        found[f"column {column.name!r} holds scores rather than labels in {{}}; apply a threshold first"] = fraction
    return found


def refuse_faults(found: dict[str, int]) -> None:
    """Raise for the first fault that occurs.

    :raises InputError: saying what is wrong, and in how many examples
    """
    for reason, number in found.items():
        if number:
            raise InputError(reason.format(number_of(number, "example")))


def _summed(asked: AskedColumns, positive: Hashable, wrong: dict[str, Any]) -> Any:
    """Return the four counts of each group, and how many examples have each fault."""
    library = narwhals()
    how = asked.frame.implementation
    true, predicted = (is_positive(column, positive, how) for column in (asked.truth, asked.prediction))
    parts = dict(zip(CELLS, (true & predicted, true & ~predicted, ~true & predicted, ~true & ~predicted), strict=True))
    if asked.weight is None:
        cells = {name: part.cast(library.Int64) for name, part in parts.items()}
    else:
        weight = asked.weight.values.cast(library.Float64)
        cells = {name: library.when(part).then(weight).otherwise(library.lit(0.0)) for name, part in parts.items()}
    cells |= {name: fault.cast(library.Int64) for name, fault in wrong.items()}
    try:
        marked = asked.frame.select(*asked.keys, *(cell.alias(name) for name, cell in cells.items()))
        sums = [library.col(name).sum() for name in cells]
        found = marked.group_by(*asked.keys).agg(*sums) if asked.by else marked.select(*sums)
        whole = [library.col(name).cast(library.Int64) for name in cells if asked.weight is None or name in wrong]
        return found.with_columns(*whole) if whole else found
    except Exception as error:  # each engine has its own errors
        raise native_error(error) from None


def _without_faulty(summed: Any, asked: AskedColumns, names: list[str]) -> Any:
    """Return A lazy frame of counts, null in groups with a faulty example."""
    library = narwhals()
    faultless = library.col(names[0]) == 0
    for name in names[1:]:
        faultless = faultless & (library.col(name) == 0)
    return summed.select(*asked.keys, *(library.when(faultless).then(library.col(cell)).alias(cell) for cell in CELLS))


def _with_names(found: Any, asked: AskedColumns) -> Any:
    """Return the native frame of counts, with the original names of the group columns."""
    return found.rename({column.key: column.name for column in asked.by}).to_native() if asked.by else found.to_native()


def refuse_no_examples(asked: AskedColumns, number: int) -> None:
    """Raise: no example is left.

    :param number: of the examples that are left
    :raises InputError: saying why
    """
    if number and asked.weight is not None:
        raise InputError(f"every weight in column {asked.weight.name!r} is 0; give an example a positive weight")
    left = "has no example with both labels" if asked.missing == "drop" else "has no rows"
    raise InputError(f"the frame {left}; pass one row per example")


def _check_positive(asked: AskedColumns, summed: Any, positive: Hashable) -> None:
    """Refuse a positive label that occurs in neither column, and columns without a label in common."""
    totals = {cell: float(summed[cell].sum()) for cell in CELLS}
    if not sum(totals.values()) > 0:
        refuse_no_examples(asked, len(asked.frame))
    if totals["tp"] + totals["fn"] == 0 or totals["tp"] + totals["fp"] == 0:
        true, predicted = (_occurring(asked.frame, column) for column in asked[1:3])
        refuse_disjoint(asked.truth.name, asked.prediction.name, (true, predicted), positive)


def _occurring(frame: Any, column: Column) -> list[Hashable]:
    """Distinct labels of an eager column."""
    found: list[Any] = frame[column.key].unique().to_list()
    return found if column.labels is None else [column.labels[place] for place in found]


def _sorted(found: Any, asked: AskedColumns) -> Any:
    """Sort rows by group where the group values are sortable."""
    if not asked.by or any(column.dtype == narwhals().Object for column in asked.by):
        return found
    try:
        return found.sort(*asked.keys, nulls_last=True)
    except Exception:  # an engine may not sort a type, as pandas does not sort dictionaries of pyarrow
        return found


# ----------------------------------------------------------------------------------------------------------------------
# Joint counts by group, true label and predicted label: fetched from the engine that holds the examples, and turned
# into tables and confusion matrices of all groups at once.


_MOST_ROWS: Final = 5_000_000
"""Limit on fetched rows of counts: labels that are ids or scores would fetch all examples."""
_FETCHED_AS: Final = {"POLARS": "polars"}
"""Functions that collect the counts of a lazy frame, by engine; pandas collects all others."""
_ENTRIES: Final = 1 << 22
"""Matrix entries per step; bounds the memory for many groups of many classes."""


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
    """Joint label counts per group.

    :raises InputError: on labels, weights and values of groups that are missing or unusable, on no examples, and on so
        many different labels and groups that they cannot be meant
    """
    library = narwhals()
    # Every fault is an indicator column whose sum the engine returns with the counts.
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
    except Exception as error:  # each engine has its own errors
        raise native_error(error) from None
    refuse_faults({reason: int(sum(columns[name])) for name, reason in zip(names, wrong, strict=True)})
    _check(columns, asked)
    require_alike(asked.truth.name, columns["t"], asked.prediction.name, columns["p"])
    return PairCounts(tuple(columns[key] for key in asked.keys), columns["t"], columns["p"], columns["n"])


def _collected(limited: Any) -> Any:
    return limited.collect(_FETCHED_AS.get(limited.implementation.name, "pandas"))


def _check(columns: dict[str, list[Any]], asked: AskedColumns) -> None:
    """Refuse empty results, implausibly many rows, and groups without a value."""
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
    """Groups of examples, or of rows of counts, sorted by their common key.

    :param keys: the values of each column to group by, in order
    :param ranks: of each column, which of its values each group has
    :param place: the group of each example
    """

    keys: list[list[Hashable]]
    ranks: NDArray[np.intp]
    place: NDArray[np.intp]

    @classmethod
    def of(cls, columns: list[tuple[list[Hashable], NDArray[np.intp]]]) -> Groups:
        """Return the groups of examples with equal values in all columns.

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
        """Yield each group's key, and the indices of its examples."""
        by_group = np.argsort(self.place, kind="stable")
        starts = np.searchsorted(self.place[by_group], np.arange(self.ranks.shape[1] + 1))
        for group, ranks in enumerate(self.ranks.T.tolist()):
            key = tuple(values[rank] for values, rank in zip(self.keys, ranks, strict=True))
            yield key, by_group[starts[group] : starts[group + 1]]


class GroupCounts(NamedTuple):
    """How often each label is predicted as each label in every group: columns of equal length.

    :param group: the index of the group
    :param true: the index of the true label among the labels
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
        """Yield, in blocks, group indices and the groups' confusion matrices.

        :param classes: the classes of the matrices, all labels among them; None for those that occur in the group
        """
        by_group = np.argsort(self.group, kind="stable")
        starts = np.searchsorted(self.group[by_group], np.arange(self.size + 1))
        for names, groups in self._patterns() if classes is None else [(classes, np.arange(self.size))]:
            order, k = {label: index for index, label in enumerate(names)}, len(names)
            place = np.array([order.get(label, -1) for label in self.labels])
            step = max(1, _ENTRIES // k**2)
            for first in range(0, groups.size, step):
                # Rows of these groups: concatenated ranges of consecutive rows.
                here = groups[first : first + step]
                sizes = starts[here + 1] - starts[here]
                rows = by_group[np.repeat(starts[here] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())]
                # Each row adds its count to one entry (matrix, true label, predicted label) of the stack.
                matrix = np.repeat(np.arange(here.size), sizes)
                entry = (matrix * k + place[self.true[rows]]) * k + place[self.predicted[rows]]
                stack = np.bincount(entry, self.number[rows], here.size * k**2).astype(np.float64)
                yield here, stack.reshape(here.size, k, k)

    def _patterns(self) -> Iterator[tuple[list[Hashable], NDArray[np.intp]]]:
        """Yield each set of labels that occurs in some group, with the groups that have exactly these labels."""
        # A group's labels, true or predicted, are a sorted run of codes; groups with equal runs are processed together.
        k = len(self.labels)
        pairs = np.unique(np.concatenate([self.group * k + self.true, self.group * k + self.predicted]))
        group, label = pairs // k, pairs % k
        by_classes: dict[bytes, list[int]] = {}
        for place, classes in enumerate(np.split(label, np.flatnonzero(np.diff(group)) + 1)):
            by_classes.setdefault(classes.tobytes(), []).append(place)
        for raw, groups in by_classes.items():
            yield [self.labels[place] for place in np.frombuffer(raw, dtype=label.dtype)], np.array(groups)


def counts_of(found: Admitted, groups: Groups, number: FloatArray) -> GroupCounts:
    """Joint label counts per group.

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
