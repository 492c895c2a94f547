"""Diagonals and column sums of all confusion matrices with given class sizes, by dynamic programming.

Most metrics see no more of a matrix than its diagonal and its column sums.  A row adds to both, so that the states of
some rows are the sums of the states of fewer rows and what the next row adds; equal states are merged as soon as they
arise.  A state is one integer whose digits, in a mixed radix, are what is seen: adding rows is adding integers.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb, lcm, prod
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray
from sympy import Rational, S

from symmetrics.metric import Metric
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

IntArray = NDArray[np.int64]

CHUNK: Final = 4_000_000
"""States processed per step; bounds memory."""
MOST_ROWS: Final = 2_000_000
"""Largest number of listed rows of one class."""
LARGEST: Final = 2**62
"""Bound on integers below which the sum of two cannot overflow."""
LARGEST_TERM: Final = LARGEST
"""Bound on numerators and denominators in 64 bits; beyond it arrays hold Python integers."""

_NOTHING: Final = np.zeros(1, dtype=np.int64)
_ONCE: Final = np.ones(1, dtype=np.int64)


@dataclass(frozen=True)
class Sizes:
    """Class sizes: the row sums of the matrices.

    :raises InputError: unless there are at least two classes, each with a whole positive number of examples
    """

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.counts) < 2:
            raise InputError(f"class sizes {self.counts}: there has to be more than one class")
        for place, count in enumerate(self.counts):
            if type(count) is not int or count < 1:
                raise InputError(f"class size {place} is {count!r}; give whole numbers of examples, each at least 1")

    @classmethod
    def of(cls, counts: Iterable[object]) -> Self:
        """Return class sizes from a list or an array of integers.

        :raises InputError: if they are none
        """
        if isinstance(counts, Mapping) or (hasattr(counts, "items") and hasattr(counts, "index")):
            raise InputError(
                "class sizes have names, and relevances are taken in the order of the sizes; give a list, in the order "
                "of the relevances' classes, which without classes= is the sorted one"
            )
        if isinstance(counts, str | bytes | Set) or not isinstance(counts, Iterable):
            raise InputError(f"class sizes {counts!r}: give a list of the numbers of examples of the classes")
        plain = (count.item() if isinstance(count, np.integer) else count for count in counts)
        return cls(tuple(plain))  # type: ignore[arg-type]  # raises the error that names what is not a number

    @property
    def classes(self) -> int:
        """The number of classes."""
        return len(self.counts)

    @property
    def total(self) -> int:
        """The number of examples."""
        return sum(self.counts)

    @cached_property
    def matrices(self) -> int:
        """The number of confusion matrices with these row sums.

        >>> Sizes((2, 3, 9, 10)).matrices
        12584000
        """
        return prod(_compositions(count, self.classes) for count in self.counts)

    def __str__(self) -> str:
        return "-".join(map(str, self.counts))


def _compositions(total: int, parts: int) -> int:
    return comb(total + parts - 1, parts - 1)


def rows_of(count: int, classes: int) -> IntArray:
    """Return all rows of a class: the compositions of its size, of shape (rows, classes).

    :raises InputError: if there are too many to be listed

    >>> rows_of(2, 2).tolist()
    [[0, 2], [1, 1], [2, 0]]
    """
    if _compositions(count, classes) > MOST_ROWS:
        raise InputError(
            f"a class of {number_of(count, 'example')} among {number_of(classes, 'class')} has too "
            "many rows to be listed; give smaller ones"
        )
    bars = itertools.combinations(range(count + classes - 1), classes - 1)
    places = np.array(list(bars), dtype=np.int64).reshape(-1, classes - 1)
    edges = np.pad(places, ((0, 0), (1, 1)), constant_values=((0, 0), (-1, count + classes - 1)))
    return np.asarray(np.diff(edges, axis=1) - 1)


@dataclass(frozen=True)
class Digits:
    """A mixed radix: packs several small non-negative integers into one.

    :param radices: of each digit, one more than its largest value; the first digit is the lowest
    :raises InputError: if the integers would not fit into 64 bits
    """

    radices: tuple[int, ...]

    def __post_init__(self) -> None:
        if self.size >= LARGEST:
            raise InputError("the classes are too many or too large for this computation; give smaller ones")

    @property
    def size(self) -> int:
        """Number of values."""
        return prod(self.radices)

    @cached_property
    def places(self) -> IntArray:
        """Place value of each digit."""
        return np.array([prod(self.radices[:place]) for place in range(len(self.radices))], dtype=np.int64)

    def pack(self, digits: IntArray) -> IntArray:
        """Pack each row of digits into one integer."""
        return np.asarray(digits @ self.places)

    def digit(self, packed: IntArray, place: int) -> IntArray:
        """Return one digit of each integer."""
        return np.asarray(packed // self.places[place] % self.radices[place])


@dataclass(frozen=True)
class States:
    """Sets of confusion matrices with the same diagonal and column sums.

    :param correct: the diagonals, of shape (states, classes)
    :param predicted: the column sums, of shape (states, classes)
    :param matrices: how many matrices each set has
    """

    correct: IntArray
    predicted: IntArray
    matrices: IntArray


def states_of(sizes: Sizes) -> Iterator[States]:
    """Yield the states of all confusion matrices with these row sums, each once.

    >>> (states,) = states_of(Sizes((1, 1)))
    >>> states.correct.tolist(), states.predicted.tolist(), states.matrices.tolist()
    ([[0, 0], [1, 0], [0, 1], [1, 1]], [[1, 1], [2, 0], [0, 2], [1, 1]], [1, 1, 1, 1])
    """
    classes, total = sizes.classes, sizes.total
    # The diagonal stands in the high digits, so that sorted states with a common diagonal are next to each other.
    digits = Digits((*(total + 1 for _ in range(classes - 1)), *(count + 1 for count in sizes.counts)))
    # A class adds one row to the column sums, and its own entry to the diagonal.
    steps = []
    for place, count in enumerate(sizes.counts):
        rows = rows_of(count, classes)
        diagonal = np.zeros_like(rows)
        diagonal[:, place] = rows[:, place]
        steps.append(digits.pack(np.hstack([rows[:, :-1], diagonal])))
    # The last column sum follows from the others.
    below = int(digits.places[classes - 1])
    for keys, matrices in _counted(steps, below):
        columns = [digits.digit(keys, place) for place in range(2 * classes - 1)]
        predicted = np.stack(columns[: classes - 1], axis=1)
        last = total - predicted.sum(axis=1, keepdims=True)
        yield States(np.stack(columns[classes - 1 :], axis=1), np.hstack([predicted, last]), matrices)


def expanded(steps: Sequence[IntArray], keys: IntArray = _NOTHING) -> Iterator[IntArray]:
    """Yield, in sorted chunks, the sums that take one entry from each step; chunks may overlap.

    :param keys: what the sums start from, sorted
    """
    if not steps:
        yield keys
        return
    first, *others = steps
    size = max(CHUNK // len(first), 1)
    for start in range(0, len(keys), size):
        # All sums of a chunk with one step, without repeats.
        sums = (keys[start : start + size, None] + first).ravel()
        sums.sort()
        yield from expanded(others, sums[np.flatnonzero(np.diff(sums, prepend=sums[0] - 1))])


def _counted(
    steps: Sequence[IntArray], below: int, keys: IntArray = _NOTHING, matrices: IntArray = _ONCE
) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield, in disjoint chunks, the sums that take one entry from each step, with multiplicities.

    :param below: chunks end only where the quotient by this changes, which no later step undoes
    :param keys: what the sums start from, sorted
    :param matrices: how often each of them arises
    """
    if not steps:
        yield keys, matrices
        return
    first, *others = steps
    for chunk in _chunks(keys // below, CHUNK // len(first)):
        sums = (keys[chunk, None] + first).ravel()
        # Equal sums are adjacent once sorted; their multiplicities add up.
        order = np.argsort(sums)
        sums = sums[order]
        starts = np.flatnonzero(np.diff(sums, prepend=sums[0] - 1))
        counts = np.add.reduceat(np.repeat(matrices[chunk], len(first))[order], starts)
        yield from _counted(others, below, sums[starts], counts)


def _chunks(groups: IntArray, size: int) -> Iterator[slice]:
    """Yield slices of about equal size that do not split groups; the groups are sorted."""
    starts = np.flatnonzero(np.diff(groups, prepend=groups[0] - 1))
    ends = np.append(starts[1:], len(groups))
    begin = 0
    for end, following in zip(ends, [*ends[1:], None], strict=True):
        if following is None or following - begin > size:
            yield slice(begin, end)
            begin = end


# -- Binary metrics of one class against the rest, exact at every state, and their means over the classes --------------


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
    if prod(radices) >= LARGEST_TERM:
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
    """Fractions of integers, with a common denominator or individual ones.

    Arrays are of Python integers where 64 bits might not hold a result: slower, and as exact.

    :param numerator: of any sign
    :param denominator: positive
    """

    numerator: IntArray
    denominator: IntArray | int

    @property
    def columns(self) -> list[IntArray]:
        """Integer columns that are equal for two fractions if and only if the numbers are."""
        if isinstance(self.denominator, int):
            return [self.numerator]
        lowest = self.in_lowest_terms()
        assert not isinstance(lowest.denominator, int)
        return [lowest.numerator, lowest.denominator]

    def in_lowest_terms(self) -> Fractions:
        """Return the same numbers in lowest terms."""
        common = np.gcd(self.numerator, self.denominator)
        return Fractions(self.numerator // common, np.asarray(self.denominator // common))

    def within(self, bound: int) -> Fractions:
        """Return the same numbers in an integer type that holds results below this bound."""
        if bound < LARGEST_TERM:
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
    """The values of a binary metric for one class, by its numbers of correct and of all predictions."""

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
        # Impossible combinations may take any value.
        cells = (hits, truth - hits, wrong, total - truth - wrong)
        values.append(exact_value(metric, *cells, undefined=undefined) if possible else Fraction(0))
    plain = [Fraction(0) if value is None else value for value in values]
    return ClassTable(
        np.array([value.numerator for value in plain], dtype=np.int64),
        np.array([value.denominator for value in plain], dtype=np.int64),
        np.array([value is not None for value in values]),
    )


def exact_value(metric: Metric, *cells: int, undefined: Fraction | None = None) -> Fraction | None:
    """Return the exact value of a metric, or *undefined*.

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
    """Return the indices of the states in the tables of a class."""
    return np.asarray(states.correct[:, place] * (sizes.total + 1) + states.predicted[:, place])


# -- means -------------------------------------------------------------------------------------------------------------


def whole_weights(weights: Weights | None, sizes: Sizes) -> list[int]:
    """Return integer weights in the same proportion."""
    if weights is None:
        return [1] * sizes.classes
    if len(weights) != sizes.classes:
        raise InputError(
            f"{number_of(len(weights), 'weight')} for {number_of(sizes.classes, 'class')}; give one for each class"
        )
    common = lcm(*(weight.denominator for weight in weights))
    return [int(weight * common) for weight in weights]


def mean_of_complete(tables: Sequence[ClassTable], weights: Sequence[int], places: Sequence[IntArray]) -> Fractions:
    """Return means over all classes, over a common denominator if 64 bits hold it, else over the product of all."""
    # One common denominator, if 64 bits hold the sums over it.
    common = lcm(*(int(d) for table in tables for d in np.unique(table.denominators)))
    bound = common * sum(weight * table.largest for weight, table in zip(weights, tables, strict=True))
    if bound < LARGEST_TERM:
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
    kind = np.int64 if bound < LARGEST_TERM else object
    above, below = np.zeros(len(places[0]), dtype=kind), np.ones(len(places[0]), dtype=kind)
    for table, weight, place in zip(tables, weights, places, strict=True):
        top, bottom = table.numerators[place].astype(kind), table.denominators[place].astype(kind)
        above, below = above * bottom + weight * top * below, below * bottom
    return Fractions(above, below * sum(weights))


def mean_of_defined(
    tables: Sequence[ClassTable], weights: Sequence[int], places: Sequence[IntArray]
) -> tuple[Fractions, Mask]:
    """Return means over the defined classes, and a mask where none with a weight is defined."""
    count = len(places[0])
    above, below = np.zeros(count, dtype=np.int64), np.ones(count, dtype=np.int64)
    defined = np.stack([table.defined[place] for table, place in zip(tables, places, strict=True)])
    undefined = np.zeros(count, dtype=np.bool_)
    # States with the same defined classes share weights and denominators.
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
    """Yield every occurring combination of flags, with the columns that have it."""
    packed = (
        np.packbits(flags, axis=0, bitorder="little")[0] if len(flags) <= 8 else flags.T @ (2 ** np.arange(len(flags)))
    )
    for code in np.unique(packed):
        members = np.flatnonzero(packed == code)
        yield tuple(bool(code >> place & 1) for place in range(len(flags))), members


def require_small(bound: int, name: str) -> None:
    """Refuse a computation whose integers, up to this bound, might overflow 64 bits."""
    if bound >= LARGEST_TERM:
        raise InputError(
            f"{name}: the classes are too many or too large for exact 64-bit arithmetic; give smaller ones"
        )
