"""What metrics see of the confusion matrices with given class sizes, by dynamic programming over the rows.

Most metrics see no more of a matrix than its diagonal and its column sums.  A row adds to both, so that the states of
some rows are the sums of the states of fewer rows and what the next row adds; equal states are merged as soon as they
arise.  A state is one integer whose digits, in a mixed radix, are what is seen: adding rows is adding integers.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from math import comb, prod
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from symmetrics.tools.errors import InputError
from symmetrics.tools.words import number_of

IntArray = NDArray[np.int64]

CHUNK: Final = 4_000_000
"""States that are worked on at a time, so that memory stays bounded."""
MOST_ROWS: Final = 2_000_000
"""Rows of one class that are listed at most."""
LARGEST: Final = 2**62
"""Integers stay below this, so that no sum of two of them wraps around."""

_NOTHING: Final = np.zeros(1, dtype=np.int64)
_ONCE: Final = np.ones(1, dtype=np.int64)


@dataclass(frozen=True)
class Sizes:
    """The numbers of true examples of each class, the row sums of the matrices.

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
        """Return the sizes of a list or an array of whole numbers.

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
        return cls(tuple(plain))  # type: ignore[arg-type]  # what is no number is refused by name

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
    """Return all rows of a class: the ways to write its size as an ordered sum, of shape (rows, classes).

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
    """A mixed radix: how several small non-negative integers are one.

    :param radices: of each digit, one more than its largest value; the first digit is the lowest
    :raises InputError: if the integers would not fit into 64 bits
    """

    radices: tuple[int, ...]

    def __post_init__(self) -> None:
        if self.size >= LARGEST:
            raise InputError("the classes are too many or too large for this computation; give smaller ones")

    @property
    def size(self) -> int:
        """How many integers there are."""
        return prod(self.radices)

    @cached_property
    def places(self) -> IntArray:
        """What each digit is multiplied by."""
        return np.array([prod(self.radices[:place]) for place in range(len(self.radices))], dtype=np.int64)

    def pack(self, digits: IntArray) -> IntArray:
        """Return one integer for each row of digits."""
        return np.asarray(digits @ self.places)

    def digit(self, packed: IntArray, place: int) -> IntArray:
        """Return one digit of each integer."""
        return np.asarray(packed // self.places[place] % self.radices[place])


@dataclass(frozen=True)
class States:
    """Sets of confusion matrices that have diagonal and column sums in common.

    :param correct: the diagonals, of shape (states, classes)
    :param predicted: the column sums, of shape (states, classes)
    :param matrices: how many matrices each set has
    """

    correct: IntArray
    predicted: IntArray
    matrices: IntArray


def states_of(sizes: Sizes) -> Iterator[States]:
    """Yield the states of all confusion matrices with these row sums, each of them once.

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
    """Yield the sums of one entry of each step, sorted, in chunks; a sum may be in several of them.

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
    """Yield the sums of one entry of each step and how often each arises, in chunks that have no sum in common.

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
    """Yield slices of about so many entries, or of one group if that is larger; the groups are sorted."""
    starts = np.flatnonzero(np.diff(groups, prepend=groups[0] - 1))
    ends = np.append(starts[1:], len(groups))
    begin = 0
    for end, following in zip(ends, [*ends[1:], None], strict=True):
        if following is None or following - begin > size:
            yield slice(begin, end)
            begin = end
