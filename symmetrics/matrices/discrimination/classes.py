"""Binary metrics of one class against the rest, exact at every state, and their means over the classes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm, prod

import numpy as np
from numpy.typing import NDArray
from sympy import Rational, S

from symmetrics.matrices.discrimination.states import LARGEST, IntArray, Sizes, States
from symmetrics.metric import Metric
from symmetrics.tools.errors import InputError
from symmetrics.tools.words import number_of

# -- Distinct rows of integer columns, and fractions as columns: exact values, compared as integers --------------------


def distinct(columns: Sequence[IntArray]) -> list[IntArray]:
    """Return the distinct rows of some columns, sorted.

    >>> [column.tolist() for column in distinct([np.array([2, 1, 2]), np.array([7, -8, 7])])]
    [[1, 2], [-8, 7]]
    """
    if not len(columns[0]):
        return list(columns)
    # Rows as single integers in a mixed radix, if 64 bits hold them; otherwise sorted column by column.
    lows = [int(column.min()) for column in columns]
    radices = [int(column.max()) - low + 1 for column, low in zip(columns, lows, strict=True)]
    if prod(radices) >= LARGEST:
        order = np.lexsort(columns[::-1])
        changes = [np.diff(column[order]) != 0 for column in columns]
        kept = order[np.append(True, np.logical_or.reduce(changes))]
        return [column[kept] for column in columns]
    packed = np.zeros(len(columns[0]), dtype=np.int64)
    for column, low, radix in zip(columns, lows, radices, strict=True):
        packed = packed * radix + (column - low)
    packed.sort()
    packed = packed[np.append(True, np.diff(packed) != 0)]
    found = []
    for low, radix in zip(reversed(lows), reversed(radices), strict=True):
        found.append(packed % radix + low)
        packed = packed // radix
    return found[::-1]


@dataclass(frozen=True)
class Fractions:
    """Fractions of integers: all over one denominator, or each over its own.

    Arrays are of Python integers where 64 bits might not hold a result: slower, and as exact.

    :param numerator: of any sign
    :param denominator: positive
    """

    numerator: IntArray
    denominator: IntArray | int

    @property
    def columns(self) -> list[IntArray]:
        """Integer columns that are the same for two fractions if and only if they are the same number."""
        if isinstance(self.denominator, int):
            return [self.numerator]
        lowest = self.in_lowest_terms()
        assert not isinstance(lowest.denominator, int)
        return [lowest.numerator, lowest.denominator]

    def in_lowest_terms(self) -> Fractions:
        """Return the same numbers, each over its own smallest denominator."""
        common = np.gcd(self.numerator, self.denominator)
        return Fractions(self.numerator // common, np.asarray(self.denominator // common))

    def within(self, bound: int) -> Fractions:
        """Return the same numbers, ready for arithmetic whose results are smaller than this bound."""
        if bound < LARGEST:
            return self
        below = self.denominator
        wide = below if isinstance(below, int) else below.astype(object)
        return Fractions(self.numerator.astype(object), wide)

    @property
    def largest(self) -> int:
        """The largest absolute value of a numerator or denominator."""
        above = int(np.abs(self.numerator).max(initial=0))
        below = self.denominator if isinstance(self.denominator, int) else int(self.denominator.max(initial=1))
        return max(above, below)


# ----------------------------------------------------------------------------------------------------------------------


Mask = NDArray[np.bool_]
Weights = tuple[Fraction, ...]


@dataclass(frozen=True)
class ClassTable:
    """The values of a binary metric for one class, at every number of its correct and of all its predictions."""

    numerators: IntArray
    denominators: IntArray
    defined: Mask

    @property
    def is_complete(self) -> bool:
        """Whether the metric is defined everywhere."""
        return bool(self.defined.all())

    @property
    def largest(self) -> int:
        """The largest absolute value of a numerator."""
        return int(np.abs(self.numerators).max())


@lru_cache(maxsize=256)
def class_table(metric: Metric, sizes: Sizes, place: int, undefined: Fraction | None = None) -> ClassTable:
    """Return the values of a metric for one class.

    :param place: which class
    :param undefined: the value where it has none; None leaves it undefined
    :raises InputError: if a value is irrational
    """
    truth, total = sizes.counts[place], sizes.total
    values: list[Fraction | None] = []
    for hits, predicted in itertools.product(range(truth + 1), range(total + 1)):
        wrong = predicted - hits
        possible = 0 <= wrong <= total - truth
        # What cannot occur takes any value.
        cells = (hits, truth - hits, wrong, total - truth - wrong)
        values.append(exact_value(metric, *cells, undefined=undefined) if possible else Fraction(0))
    plain = [Fraction(0) if value is None else value for value in values]
    return ClassTable(
        np.array([value.numerator for value in plain], dtype=np.int64),
        np.array([value.denominator for value in plain], dtype=np.int64),
        np.array([value is not None for value in values]),
    )


def exact_value(metric: Metric, *cells: int, undefined: Fraction | None = None) -> Fraction | None:
    """Return the exact value of a metric, and *undefined* where it has none.

    :raises InputError: if the value is irrational or infinite
    """
    value = metric.exact(*cells)
    if isinstance(value, Rational) and value.is_finite:
        return Fraction(int(value.p), int(value.q))
    if value is S.NaN:
        return undefined
    kind = "irrational" if value.is_finite else "infinite"
    raise InputError(f"{metric.name} is {kind} at {cells}: only means of rational values are compared exactly")


def places_of(states: States, sizes: Sizes, place: int) -> IntArray:
    """Return where the tables of a class hold the values of the states."""
    return np.asarray(states.correct[:, place] * (sizes.total + 1) + states.predicted[:, place])


# -- means -------------------------------------------------------------------------------------------------------------


def whole_weights(weights: Weights | None, sizes: Sizes) -> list[int]:
    """Return weights that are whole numbers, in the same proportion."""
    if weights is None:
        return [1] * sizes.classes
    if len(weights) != sizes.classes:
        raise InputError(
            f"{number_of(len(weights), 'weight')} for {number_of(sizes.classes, 'class')}; give one for each class"
        )
    common = lcm(*(weight.denominator for weight in weights))
    return [int(weight * common) for weight in weights]


def mean_of_complete(tables: Sequence[ClassTable], weights: Sequence[int], places: Sequence[IntArray]) -> Fractions:
    """Return means over all classes: over one denominator if 64 bits hold it, else over the product of the classes'."""
    # One common denominator, if 64 bits hold the sums over it.
    common = lcm(*(int(d) for table in tables for d in np.unique(table.denominators)))
    bound = common * sum(weight * table.largest for weight, table in zip(weights, tables, strict=True))
    if bound < LARGEST:
        scaled = [
            weight * table.numerators * (common // table.denominators)
            for weight, table in zip(weights, tables, strict=True)
        ]
        total = sum(table[place] for table, place in zip(scaled, places, strict=True))
        return Fractions(np.asarray(total), common * sum(weights))
    return _sum_of_terms(tables, weights, places)


def _sum_of_terms(tables: Sequence[ClassTable], weights: Sequence[int], places: Sequence[IntArray]) -> Fractions:
    denominators = [int(table.denominators.max()) for table in tables]
    largest = max(table.largest for table in tables)
    bound = 2 * len(tables) * max(weights) * max(largest, 1) * prod(denominators) * sum(weights)
    kind = np.int64 if bound < LARGEST else object
    above, below = np.zeros(len(places[0]), dtype=kind), np.ones(len(places[0]), dtype=kind)
    for table, weight, place in zip(tables, weights, places, strict=True):
        top, bottom = table.numerators[place].astype(kind), table.denominators[place].astype(kind)
        above, below = above * bottom + weight * top * below, below * bottom
    return Fractions(above, below * sum(weights))


def mean_of_defined(
    tables: Sequence[ClassTable], weights: Sequence[int], places: Sequence[IntArray]
) -> tuple[Fractions, Mask]:
    """Return means over the classes on which the metric is defined, and where it is on none that has a weight."""
    count = len(places[0])
    above, below = np.zeros(count, dtype=np.int64), np.ones(count, dtype=np.int64)
    defined = np.stack([table.defined[place] for table, place in zip(tables, places, strict=True)])
    undefined = np.zeros(count, dtype=np.bool_)
    # States with the same classes defined share weights and denominators.
    for chosen, members in _by_columns(defined):
        kept = [place for place, is_defined in enumerate(chosen) if is_defined and weights[place]]
        if not kept:
            undefined[members] = True
            continue
        part = mean_of_complete(
            [tables[place] for place in kept],
            [weights[place] for place in kept],
            [places[place][members] for place in kept],
        )
        if part.numerator.dtype == object and above.dtype != object:
            above, below = above.astype(object), below.astype(object)
        above[members], below[members] = part.numerator, part.denominator
    return Fractions(above, below), undefined


def _by_columns(flags: Mask) -> Iterator[tuple[tuple[bool, ...], IntArray]]:
    """Yield every combination of flags that occurs, with the columns in which it does."""
    packed = (
        np.packbits(flags, axis=0, bitorder="little")[0] if len(flags) <= 8 else flags.T @ (2 ** np.arange(len(flags)))
    )
    for code in np.unique(packed):
        members = np.flatnonzero(packed == code)
        yield tuple(bool(code >> place & 1) for place in range(len(flags))), members


def require_small(bound: int, name: str) -> None:
    """Refuse a computation whose integers, below this bound, 64 bits might not hold."""
    if bound >= LARGEST:
        raise InputError(
            f"{name}: the classes are too many or too large for exact 64-bit arithmetic; give smaller ones"
        )
