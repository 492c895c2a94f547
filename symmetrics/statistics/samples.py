"""Examples prepared for intervals: the table entry of each, and the sampling design."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.data.counts import FloatArray, as_weights, shown
from symmetrics.data.encoding import Passed, checked_labels, column_codes, in_order, listed
from symmetrics.data.gate import Admitted, admit
from symmetrics.data.labels import binary_cells
from symmetrics.numeric.averaging import Average, NamedClasses
from symmetrics.numeric.classes import is_indicator
from symmetrics.statistics.intervals import Estimator, Groups, Range, fixed_sums
from symmetrics.statistics.resampling import Sample
from symmetrics.tools.arguments import Missing
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array


Column = Iterable[Hashable]
Places = NDArray[np.intp]
CELL_ROWS: Places = np.array([0, 0, 1, 1])
"""The true class of TP, FN, FP and TN."""


@dataclass(frozen=True)
class Drawn:
    """Sampling design of examples; all None for simple random sampling.

    :param groups: the group of each example: those of a group were drawn together, and may be alike
    :param strata: the stratum of each example, from each of which a fixed number of groups was drawn
    :param sample_weight: how much each example stands for
    """

    groups: Column | None = None
    strata: Column | None = None
    sample_weight: ArrayLike | None = None

    @property
    def is_plain(self) -> bool:
        """Whether this is simple random sampling."""
        return self.groups is None and self.strata is None and self.sample_weight is None

    def weights(self, number: int) -> FloatArray | None:
        """Return the validated weights of the examples; None where there are none."""
        return (
            None if self.sample_weight is None else as_weights(self.sample_weight, number, "sample_weight", "example")
        )

    def examples(self, columns: Mapping[str, Column], missing: Missing = "refuse") -> tuple[Admitted, Drawn]:
        """Return the examples with positive weight, and their sampling design.

        :param columns: labels by the names that errors give them, the true ones first
        :param missing: as for :func:`~symmetrics.data.gate.admit`
        :raises InputError: as :func:`~symmetrics.data.gate.admit`, and on examples with several labels each
        """
        if is_indicator(next(iter(columns.values()))):
            raise InputError(
                "y_true has several labels per example, of which no interval is known; pass one column of them"
            )
        found = admit(columns, self.sample_weight, missing=missing)
        return found, self if found.kept is None else self.only(found.kept)

    def only(self, kept: NDArray[np.bool_]) -> Drawn:
        """Restrict the design to some of the examples.

        :raises InputError: on columns of another length, and on unusable weights

        >>> Drawn(groups=["a", "b", "c"], sample_weight=[1, 0, 2]).only(np.array([True, False, True])).groups
        ['a', 'c']
        """
        groups, strata = (
            None if (found := _column(given, name, len(kept))) is None else [found[0][code] for code in found[1][kept]]
            for name, given in (("groups", self.groups), ("strata", self.strata))
        )
        weights = self.weights(len(kept))
        return Drawn(groups, strata, None if weights is None else weights[kept])


ONE_BY_ONE: Final = Drawn()
"""Simple random sampling."""


def binary_places(examples: Admitted, labels: Column | None, pos_label: Hashable) -> Places:
    """Return the cell of each example: 0 for TP, 1 for FN, 2 for FP, 3 for TN.

    :raises InputError: as :func:`symmetrics.data.labels.binary_cells`

    >>> binary_places(admit({"y_true": ["a", "a", "b"], "y_pred": ["a", "b", "b"]}), None, "a").tolist()
    [0, 1, 3]
    """
    true, predicted = negatives(examples, labels, pos_label)
    return np.asarray(2 * true + predicted, dtype=np.intp)


def negatives(examples: Admitted, labels: Column | None, pos_label: Hashable) -> list[Places]:
    """Return, for each column, 1 for negative examples and 0 for positive ones.

    :raises InputError: as :func:`symmetrics.data.labels.binary_cells`
    """
    coded = examples.codes()
    every = Passed(dict.fromkeys(label for found, _ in coded for label in found))
    binary_cells(every, every, labels=labels, pos_label=pos_label)  # raises the error that names the faulty labels
    return [np.array([label != pos_label for label in found], dtype=np.intp)[codes] for found, codes in coded]


def matrix_places(examples: Admitted, labels: Column | None, average: Average) -> tuple[Places, list[Hashable]]:
    """Return the entry of each example, row by row, and the classes in the order of the rows.

    :raises InputError: on labels that leave a class out

    >>> matrix_places(admit({"y_true": ["a", "a", "b"], "y_pred": ["a", "b", "b"]}), ["b", "a"], "macro")
    (array([3, 2, 0]), ['b', 'a'])
    """
    (true, predicted), names = class_places(examples, labels, average)
    return np.asarray(true * len(names) + predicted, dtype=np.intp), names


def class_places(examples: Admitted, labels: Column | None, average: Average) -> tuple[list[Places], list[Hashable]]:
    """Return integer class codes of each column, and the classes in order.

    :raises InputError: on labels that leave a class out
    """
    columns = examples.codes()
    found = list(dict.fromkeys(label for labels_, _ in columns for label in labels_))
    if labels is not None:
        names = checked_labels(labels)
    elif isinstance(average, NamedClasses):
        names = list(average.classes)
    else:
        names = in_order(found, examples.order)
    position = {name: place for place, name in enumerate(names)}
    if missing := [label for label in found if label not in position]:
        raise InputError(
            f"label {shown(missing[0])} occurs and is not among {listed(names)}; name every class, or leave the "
            "examples of the others out first"
        )
    return [np.array([position[label] for label in labels_], dtype=np.intp)[codes] for labels_, codes in columns], names


def table_of(places: Places, entries: int) -> FloatArray:
    """Return the number of examples in each entry."""
    return np.bincount(places, minlength=entries).astype(np.float64)


def sample_of(places: Places, rows: Places, drawn: Drawn) -> Sample:
    """Return examples with the groups, strata and weights that they were drawn with.

    :param places: the entry of each example that counts, none of which has the weight 0
    :param rows: the true class of each entry
    :raises InputError: on columns of another length or with missing values, on unusable weights, on a group of several
        strata, and on a stratum with a single group, whose variance is unknown
    """
    number = len(places)
    weight = drawn.weights(number)
    strata, stratum = _column(drawn.strata, "strata", number) or ([None], np.zeros(number, dtype=np.intp))
    named = _column(drawn.groups, "groups", number)
    if named is not None:
        group, home = _groups(named, strata, stratum)
    elif weight is not None:
        group, home = np.arange(len(places)), stratum
    else:
        return _of_alike(places, stratum, rows, strata)
    weights = np.ones(number) if weight is None else weight
    tables, unit = _sparse(weights, group, places, (len(home), len(rows))), "example" if named is None else "group"
    return _checked(tables, np.ones(len(home)), home, places, rows, strata, unit=unit)


def paired_sample(true: Places, first: Places, second: Places, classes: int, drawn: Drawn) -> Sample:
    """Return the sample of two predictions of the same examples, as two stacked tables of *classes* classes.

    :param true: the class of each example, by its place, as both predictions
    :raises InputError: as :func:`sample_of`
    """
    from scipy.sparse import coo_array

    kinds, kind = np.unique((true * classes + first) * classes + second, return_inverse=True)
    both, at_second = np.divmod(kinds, classes)
    rows, at_first = np.divmod(both, classes)
    sample = sample_of(kind, rows, drawn)
    entries = np.concatenate([rows * classes + at_first, classes**2 + rows * classes + at_second])
    counted = coo_array(
        (np.ones(len(entries)), (np.tile(np.arange(len(kinds)), 2), entries)), shape=(len(kinds), 2 * classes**2)
    )
    return replace(
        sample, tables=(sample.tables @ counted).tocsr(), examples=2 * sample.examples, rows=_rows_of_both(classes)
    )


def separate_sample(tables: FloatArray, names: Sequence[str], *, is_by_class: bool) -> Sample:
    """Return the sample of two independent tables, as entries of both, stacked.

    :param tables: of counts, shape (2, k, k)
    :param names: their names in error messages
    :param is_by_class: whether the number of examples of each class was fixed, and not that of all
    :raises InputError: on a table, or a class of one, with a single example
    """
    classes = tables.shape[-1]
    rows, counts = _rows_of_both(classes), tables.reshape(-1)
    table = np.repeat([0, 1], classes**2)
    kinds = np.flatnonzero(counts)
    found, stratum = np.unique((table * classes + rows if is_by_class else table)[kinds], return_inverse=True)
    sample = Sample(
        _sparse(np.ones(len(kinds)), np.arange(len(kinds)), kinds, (len(kinds), len(counts))),
        counts[kinds],
        stratum,
        max(1, round(counts.sum())),
        rows,
    )
    if empty := [name for name, counted in zip(names, tables, strict=True) if not counted.any()]:
        raise InputError(f"{empty[0]} counts no examples; pass two or more")
    for place in np.flatnonzero(sample.groups < 2):
        name = names[found[place] // classes if is_by_class else found[place]]
        where = " of a class" if is_by_class else ""
        raise InputError(f"{name} has a single example{where}, whose variance is unknown; pass two or more")
    return sample


def _rows_of_both(classes: int) -> Places:
    return np.tile(np.repeat(np.arange(classes), classes), 2)


def _of_alike(places: Places, stratum: Places, rows: Places, strata: Sequence[Hashable]) -> Sample:
    """Return a sample in which each example is its own group; examples of equal stratum and entry share a table."""
    kinds, number = np.unique(stratum * len(rows) + places, return_counts=True)
    home, entry = np.divmod(kinds, len(rows))
    tables = _sparse(np.ones(len(kinds)), np.arange(len(kinds)), entry, (len(kinds), len(rows)))
    return _checked(tables, number.astype(np.float64), home, places, rows, strata)


def _sparse(weights: FloatArray, group: Places, places: Places, shape: tuple[int, int]) -> csr_array:
    from scipy.sparse import coo_array

    return coo_array((weights, (group, places)), shape=shape).tocsr()


def _checked(
    tables: csr_array,
    number: FloatArray,
    home: Places,
    places: Places,
    rows: Places,
    strata: Sequence[Hashable],
    *,
    unit: str = "example",
) -> Sample:
    """Return a validated sample, with empty strata dropped and the rest renumbered.

    :param unit: the sampling unit, for the error
    """
    found, home = np.unique(home, return_inverse=True)
    sample = Sample(tables, number, home, len(places), rows)
    if (single := np.flatnonzero(sample.groups < 2)).size:
        if strata[0] is None and unit == "example":
            raise InputError("a single example counts, so that the variance is unknown; pass two or more")
        named = "groups" if strata[0] is None else f"strata: {shown(strata[found[single[0]]])}"
        raise InputError(f"{named} has a single {unit}, so that its variance is unknown; pass two or more in each")
    return sample


def _groups(named: tuple[list[Hashable], Places], strata: Sequence[Hashable], stratum: Places) -> tuple[Places, Places]:
    """Return the group of each example, numbered from 0, and the stratum of each group."""
    names, group = named
    home = np.empty(len(names), dtype=np.intp)
    home[group] = stratum
    if (stray := np.flatnonzero(home[group] != stratum)).size:
        name, others = names[group[stray[0]]], (home[group[stray[0]]], stratum[stray[0]])
        there = listed(strata[place] for place in sorted(others))
        raise InputError(f"group {shown(name)} is in several strata, {there}; draw each group from one of them")
    return group, home


def _column(values: Column | None, name: str, number: int) -> tuple[list[Hashable], Places] | None:
    if values is None:
        return None
    found, codes = column_codes(values, name)
    if len(codes) != number:
        raise InputError(
            f"{name} has {number_of(len(codes), 'value')} and y_true {number_of(number, 'label')}; pass one per example"
        )
    return found, codes


# -- Two predictions: the difference of a metric as an estimator, from the entries of one table for both ---------------

# Two predictions of the same examples are counted in a joint table of eight entries: for the positive examples, then
# for the negative ones, how many both call positive, only the first, only the second, and neither.


def joint_groups(classes: int, sampling: str) -> Groups:
    """Return the entries of a joint table of k classes with a fixed sum: all of them, or those of each true class.

    >>> joint_groups(2, "binomial")
    ((0, 1, 2, 3), (4, 5, 6, 7))
    """
    return fixed_sums(classes**3, 1 if sampling == "multinomial" else classes)


JOINT_ROWS: Final[Places] = np.array([0, 0, 0, 0, 1, 1, 1, 1])
"""The true class of each entry of a joint table."""


@dataclass(frozen=True)
class Difference(ABC):
    """How much larger the metric is for the second prediction: the difference, or the ratio.

    :param metric: of one table
    :param is_ratio: whether the values are divided, and not subtracted
    :param of_second: the metric as it is taken of the second table, where that differs
    :raises InputError: if they are divided, and may be negative: the greater one has no greater ratio then
    """

    metric: Estimator
    is_ratio: bool = False
    of_second: Estimator | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.is_ratio, bool):
            raise InputError(f"ratio={shown(self.is_ratio)} is neither True nor False")
        if self.is_ratio and self.metric.range.low < 0:
            raise InputError(
                "ratio=True is for metrics that are never negative; the values of this one may be, so that a greater "
                "one may have the smaller ratio: leave ratio=True out"
            )

    @property
    @abstractmethod
    def share(self) -> float:
        """Fraction of the per-cell pseudo-count that is added to an entry."""

    @abstractmethod
    def tables(self, entries: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the tables of both predictions, each of shape (its entries, ...), from all entries, (entries, ...)."""

    @abstractmethod
    def group_tables(self, entries: csr_array) -> tuple[csr_array, csr_array]:
        """Return, for every group, the tables of both predictions, of shape (groups, its entries), from all entries."""

    @abstractmethod
    def _by_entries(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Return the derivatives by all entries, from those by the entries of both tables."""

    @property
    def metrics(self) -> tuple[Estimator, Estimator]:
        """The metric, applied to the table of each prediction."""
        return self.metric, self.of_second or self.metric

    def both(self, entries: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the values of the metric for both predictions, at tables of shape (entries, ...)."""
        first, second = (metric.values(table) for metric, table in zip(self.metrics, self.tables(entries), strict=True))
        return first, second

    @property
    def range(self) -> Range:
        """The range of differences, given the metric's range; a ratio is not negative."""
        low, high = self.metric.range
        if self.is_ratio:
            return Range(0.0, np.inf)
        return Range(low - high, high - low)

    def values(self, entries: FloatArray) -> FloatArray:
        """Return the differences, or ratios, at tables of shape (entries, ...)."""
        first, second = self.both(entries)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(second / first if self.is_ratio else second - first)

    def slopes(self, entries: FloatArray) -> FloatArray:
        """Return the derivatives by the entries."""
        tables = zip(self.metrics, self.tables(entries), strict=True)
        by_first, by_second = (metric.slopes(table) for metric, table in tables)
        if self.is_ratio:
            below, above = self.both(entries)
            with np.errstate(divide="ignore", invalid="ignore"):
                by_first, by_second = by_first * above / below**2, by_second / below
        with np.errstate(invalid="ignore"):
            return self._by_entries(-by_first, by_second)


@dataclass(frozen=True)
class JointDifference(Difference):
    """The difference of two predictions of the same examples, from the entries of a joint table.

    :param classes: k; the joint table has k**3 entries, by the true class, the first prediction and the second
    """

    classes: int = 2

    @property
    def share(self) -> float:
        """The metric's fraction over k: each entry of a prediction's table is the sum of k joint entries."""
        return self.metric.share / self.classes

    def tables(self, entries: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the tables of both predictions, row by row; of two classes the cells TP, FN, FP, TN."""
        k, rest = self.classes, entries.shape[1:]
        joint = entries.reshape(k, k, k, *rest)
        first, second = joint.sum(axis=2), joint.sum(axis=1)
        return first.reshape(k * k, *rest), second.reshape(k * k, *rest)

    def group_tables(self, entries: csr_array) -> tuple[csr_array, csr_array]:
        """Return both predictions' tables for every group, from sparse joint tables of shape (groups, k**3)."""
        first, second = (entries @ part.T for part in self.tables(np.eye(self.classes**3)))
        return type(entries)(first), type(entries)(second)

    def _by_entries(self, first: FloatArray, second: FloatArray) -> FloatArray:
        k, rest = self.classes, first.shape[1:]
        found = first.reshape(k, k, 1, *rest) + second.reshape(k, 1, k, *rest)
        return found.reshape(k**3, *rest)


@dataclass(frozen=True)
class StackedDifference(Difference):
    """The difference of two tables, the second stacked below the first."""

    @property
    def share(self) -> float:
        """The metric's fraction: entries of the tables are entries here."""
        return self.metric.share

    def tables(self, entries: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return both halves."""
        half = len(entries) // 2
        return entries[:half], entries[half:]

    def group_tables(self, entries: csr_array) -> tuple[csr_array, csr_array]:
        """Return both halves for every group."""
        half = entries.shape[1] // 2
        return entries[:, :half], entries[:, half:]

    def _by_entries(self, first: FloatArray, second: FloatArray) -> FloatArray:
        return np.concatenate([first, second])


def joint_places(
    examples: Admitted,
    pairs: Iterable[tuple[int, int]],
    *,
    labels: Iterable[Hashable] | None = None,
    pos_label: Hashable = 1,
) -> list[Places]:
    """Return the joint-table entry of each example, for several pairs of predictions.

    :param examples: with the true labels first, then the predictions
    :param pairs: the indices of two predictions among the columns
    :raises InputError: on more than two labels, or no positive one

    >>> columns = {"y_true": [1, 1, 0, 0], "pred_a": [1, 0, 0, 1], "pred_b": [1, 1, 0, 0]}
    >>> from symmetrics.data.gate import admit
    >>> joint_places(admit(columns), [(1, 2)])[0].tolist()
    [0, 2, 7, 5]
    """
    true, *predicted = negatives(examples, labels, pos_label)
    return [4 * true + 2 * predicted[first - 1] + predicted[second - 1] for first, second in pairs]
