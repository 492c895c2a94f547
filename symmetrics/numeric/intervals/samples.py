"""Labels of examples, read for intervals: which entry of a table each is in, and how the examples were drawn."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.numeric.averaging import Average, NamedClasses
from symmetrics.numeric.counts import FloatArray, as_weights, shown
from symmetrics.numeric.encoding import Passed, checked_labels, column_codes, in_order, listed
from symmetrics.numeric.gate import Admitted, admit
from symmetrics.numeric.intervals.designs import Sample
from symmetrics.numeric.labels import binary_cells
from symmetrics.numeric.multilabel import is_indicator
from symmetrics.tools.errors import InputError
from symmetrics.tools.missing import Missing
from symmetrics.tools.words import number_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array


Column = Iterable[Hashable]
Places = NDArray[np.intp]
CELL_ROWS: Places = np.array([0, 0, 1, 1])
"""The true class of TP, FN, FP and TN."""


@dataclass(frozen=True)
class Drawn:
    """How examples were drawn; None where one by one, from all there are, alike.

    :param groups: the group of each example: those of a group were drawn together, and may be alike
    :param strata: the stratum of each example, from each of which a fixed number of groups was drawn
    :param sample_weight: how much each example stands for
    """

    groups: Column | None = None
    strata: Column | None = None
    sample_weight: ArrayLike | None = None

    @property
    def is_plain(self) -> bool:
        """Whether the examples were drawn one by one, from all there are."""
        return self.groups is None and self.strata is None and self.sample_weight is None

    def weights(self, number: int) -> FloatArray | None:
        """Return the weights of so many examples, checked; None where there are none."""
        return (
            None if self.sample_weight is None else as_weights(self.sample_weight, number, "sample_weight", "example")
        )

    def examples(self, columns: Mapping[str, Column], missing: Missing = "refuse") -> tuple[Admitted, Drawn]:
        """Return the examples that count, and how these were drawn.

        :param columns: labels by the names that errors give them, the true ones first
        :param missing: as for :func:`~symmetrics.numeric.gate.admit`
        :raises InputError: as :func:`~symmetrics.numeric.gate.admit`, and on examples with several labels each
        """
        if is_indicator(next(iter(columns.values()))):
            raise InputError(
                "y_true has several labels per example, of which no interval is known; pass one column of them"
            )
        found = admit(columns, self.sample_weight, missing=missing)
        return found, self if found.kept is None else self.only(found.kept)

    def only(self, kept: NDArray[np.bool_]) -> Drawn:
        """Return how some of the examples were drawn.

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
"""Examples drawn one by one, from all there are, alike."""


def binary_places(examples: Admitted, labels: Column | None, pos_label: Hashable) -> Places:
    """Return the cell of each example: 0 for TP, 1 for FN, 2 for FP, 3 for TN.

    :raises InputError: as :func:`symmetrics.numeric.labels.binary_cells`

    >>> binary_places(admit({"y_true": ["a", "a", "b"], "y_pred": ["a", "b", "b"]}), None, "a").tolist()
    [0, 1, 3]
    """
    true, predicted = negatives(examples, labels, pos_label)
    return np.asarray(2 * true + predicted, dtype=np.intp)


def negatives(examples: Admitted, labels: Column | None, pos_label: Hashable) -> list[Places]:
    """Return of each column 1 for the examples that are negative there and 0 for those that are positive.

    :raises InputError: as :func:`symmetrics.numeric.labels.binary_cells`
    """
    coded = examples.codes()
    every = Passed(dict.fromkeys(label for found, _ in coded for label in found))
    binary_cells(every, every, labels=labels, pos_label=pos_label)  # which says what is wrong with the labels
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
    """Return the class of each example in every column, by its place among all classes, and these in their order.

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
    """Return how many examples each entry has."""
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
    """Return examples with two predictions, which count in two tables of *classes* classes, one below the other.

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
    """Return the examples of two tables, each a sample by itself, as entries of both, one below the other.

    :param tables: of counts, shape (2, k, k)
    :param names: what an error calls them
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
    """Return examples that are each a group by itself: those of a stratum and an entry have the same table."""
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
    """Return a sample, its strata counted anew without those that are empty.

    :param unit: what was drawn, in an error
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
    """Return the group of each example, from 0, and the stratum of each group."""
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
