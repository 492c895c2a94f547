"""Labels as numbers, without sorting them: equal values get equal codes.

Whole numbers that lie close together are their own codes.  Everything else of a fixed size, texts, floats, wide
integers and the addresses of objects, is read as words of 64 bits and looked up in a table without collisions, which
grows as new words are met; whatever is found in it was compared word by word.  Of a million labels of ten classes the
table takes a quarter of the time of sorting wide integers, floats or texts, and a tenth of that of a dictionary of
objects.  A column with more distinct values than the table takes is sorted, or put into a dictionary.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Hashable, Sequence
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

IntegerArray = NDArray[np.integer]
Words = NDArray[np.uint64]

_NARROW_SPAN: Final = 1 << 16
_BLOCK: Final = 1 << 13
_FEW: Final = 1 << 12
"""So many examples are put into a dictionary, or sorted, before a table of words is made."""
_MOST_WORDS: Final = 1024
"""Distinct values that a table takes; with more of them collisions become hard to avoid."""
_LARGEST_TABLE: Final = 21
"""Bits of the largest table."""
_ATTEMPTS: Final = 6
_ODD: Final = np.array([1], dtype=np.uint64)


class Factor(NamedTuple):
    """A column of labels as codes: example i has the label ``labels[codes[i] - offset]``.

    :param labels: what the codes stand for; not all of them need occur
    :param codes: one whole number per example
    :param offset: the code of the first label
    """

    labels: Sequence[Hashable]
    codes: IntegerArray
    offset: int = 0

    def compressed(self) -> Factor:
        """Return the same column with those labels alone that occur, and codes from 0 on."""
        offsets = np.subtract(self.codes, wrapped(self.offset), dtype=np.int64, casting="unsafe")
        present = np.flatnonzero(np.bincount(offsets))
        rank = np.zeros(len(self.labels), dtype=np.intp)
        rank[present] = np.arange(present.size)
        return Factor([self.labels[place] for place in present.tolist()], rank[offsets])


def factor_of_array(vector: NDArray[np.generic]) -> Factor:
    """Return an array of numbers, texts or bytes, none of them missing, as codes.

    >>> factor = factor_of_array(np.array(["b", "a", "b"]))
    >>> factor.labels, factor.codes.tolist()
    (['b', 'a'], [0, 1, 0])
    """
    kind = vector.dtype.kind
    if kind == "b":
        return Factor([False, True], vector.view(np.uint8))
    if kind in "iu":
        lowest, highest = int(vector.min()), int(vector.max())
        if highest - lowest <= max(_NARROW_SPAN, 4 * vector.size):
            return Factor(range(lowest, highest + 1), vector, lowest)  # type: ignore[arg-type]  # integers
    if kind in "US":
        return _by_words(vector, _words_of_texts) or by_dictionary(vector.tolist())
    if kind == "f" and vector.dtype.itemsize <= 8:
        return _by_words(vector, _words_of_floats) or _by_sorting(vector)
    if kind in "iu":
        return _by_words(vector, _words_of_integers) or _by_sorting(vector)
    return _by_sorting(vector)


def factor_of_objects(objects: NDArray[np.object_] | list[Hashable]) -> Factor:
    """Return an array of hashable objects as codes; a label may have several, where equal objects are not the same one.

    The same object is the same label, and most columns hold few objects, many times: their addresses are compared
    first, and only one object of each address is hashed.

    :raises TypeError: on an object that cannot be hashed

    >>> factor_of_objects(np.array([(1, 2), None, None], dtype=object)[1:]).codes.tolist()
    [0, 0]
    """
    if len(objects) <= _FEW:
        return by_dictionary(objects if isinstance(objects, list) else objects.tolist())
    whole = np.fromiter(objects, dtype=object, count=len(objects)) if isinstance(objects, list) else objects
    held = np.ascontiguousarray(whole)
    addresses = np.ctypeslib.as_array((ctypes.c_uint64 * held.size).from_address(held.ctypes.data))
    found = _by_words(addresses, _words_of_integers, held)
    if found is None:
        return by_dictionary(held.tolist())
    hash(tuple(found.labels))
    return found


def by_dictionary(items: Sequence[Hashable]) -> Factor:
    """Return hashable objects as codes, in the order of their first appearance.

    :raises TypeError: on an object that cannot be hashed

    >>> by_dictionary(["b", "a", "b"]).codes.tolist()
    [0, 1, 0]
    """
    position = {label: index for index, label in enumerate(dict.fromkeys(items))}
    return Factor(list(position), np.fromiter(map(position.__getitem__, items), dtype=np.intp, count=len(items)))


def _by_sorting(vector: NDArray[np.generic]) -> Factor:
    distinct, codes = np.unique(vector, return_inverse=True)
    return Factor(distinct.tolist(), codes)


def _by_words(
    vector: NDArray[np.generic],
    words_of: Callable[[NDArray[np.generic]], Words],
    values: NDArray[np.generic] | None = None,
) -> Factor | None:
    """Return a column as codes in the order of first appearance; None if too many values differ, or few there are.

    :param values: what the labels are taken from, by default the column itself
    """
    if len(vector) <= _FEW:
        return None
    table, first = _Table.empty(), np.empty(0, dtype=np.intp)
    codes = np.empty(len(vector), dtype=np.uint16)
    for start in range(0, len(vector), _BLOCK):
        words = words_of(vector[start : start + _BLOCK])
        found, missed = table.look_up(words)
        if missed.size:
            new, places = _distinct(words[missed])
            grown = table.with_rows(new)
            if grown is None:
                return None
            table, first = grown, np.concatenate((first, start + missed[places]))
            found, _ = table.look_up(words)
        codes[start : start + _BLOCK] = found
    return Factor((vector if values is None else values)[first].tolist(), codes)


class _Table(NamedTuple):
    """Rows of words, each in a place of its own that a product of its words says.

    :param rows: shape (k, w)
    :param factors: w odd numbers: the place of a row is that of the highest bits of its inner product with them
    :param shift: how many bits are not among the highest
    :param codes: for each place, which row is there, if any
    """

    rows: Words
    factors: Words
    shift: int
    codes: NDArray[np.uint16]

    @classmethod
    def empty(cls) -> Self:
        """Return a table without rows."""
        return cls(np.empty((0, 0), np.uint64), np.empty(0, np.uint64), 0, np.empty(0, np.uint16))

    def look_up(self, words: Words) -> tuple[NDArray[np.uint16], NDArray[np.intp]]:
        """Return which row each of some words is, and the places of those that are none."""
        if not len(self.rows):
            return np.zeros(len(words), np.uint16), np.arange(len(words))
        found = self.codes[_products(words, self.factors) >> np.uint64(self.shift)]
        # A row that is not in the table has the place of another one.
        wrong = self.rows[found, 0] != words[:, 0]
        for column in range(1, words.shape[1]):
            wrong |= self.rows[found, column] != words[:, column]
        return found, np.flatnonzero(wrong)

    def with_rows(self, new: Words) -> Self | None:
        """Return the table with further rows; None if there are too many to keep them apart."""
        rows = np.concatenate((self.rows.reshape(-1, new.shape[1]), new))
        if len(rows) > _MOST_WORDS:
            return None
        # Multiply-shift hashing (Dietzfelbinger et al. 1997): factors are drawn until no two rows have the same place.
        random = np.random.default_rng(len(rows))
        for bits in range(len(rows).bit_length() + 1, _LARGEST_TABLE + 1):
            for _ in range(_ATTEMPTS):
                factors = random.integers(0, 1 << 63, new.shape[1], dtype=np.uint64) | _ODD
                places = _products(rows, factors) >> np.uint64(64 - bits)
                if len(set(places.tolist())) == len(rows):
                    codes = np.zeros(1 << bits, dtype=np.uint16)
                    codes[places] = np.arange(len(rows))
                    return type(self)(rows, factors, 64 - bits, codes)
        return None


def _products(words: Words, factors: Words) -> Words:
    """Return inner products modulo 2^64."""
    total: Words = words[:, 0] * factors[0]
    for column in range(1, words.shape[1]):
        total += words[:, column] * factors[column]
    return total


def _distinct(words: Words) -> tuple[Words, NDArray[np.intp]]:
    """Return distinct rows in the order of appearance, and where each is first."""
    if words.shape[1] == 1:
        _, first = np.unique(words[:, 0], return_index=True)
    else:
        _, first = np.unique(words, axis=0, return_index=True)
    first.sort()
    return words[first], first


def _words_of_integers(block: NDArray[np.generic]) -> Words:
    return block.astype(np.uint64).reshape(-1, 1)


def _words_of_floats(block: NDArray[np.generic]) -> Words:
    return (block.astype(np.float64) + 0.0).view(np.uint64).reshape(-1, 1)  # -0.0 is 0.0


def _words_of_texts(block: NDArray[np.generic]) -> Words:
    size = block.dtype.itemsize
    if size % 8 or not size:
        per_character = 4 if block.dtype.kind == "U" else 1
        padded = 8 * (size // 8 + 1)
        block = block.astype(f"{block.dtype.kind}{padded // per_character}")
    return np.ascontiguousarray(block).view(np.uint64).reshape(len(block), -1)


def wrapped(number: int) -> int:
    """Return a whole number as int64 holds it, modulo 2^64.

    >>> wrapped(2**64 - 1)
    -1
    """
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)
