"""Labels as numbers, without sorting them: equal values get equal codes.

Whole numbers that lie close together are their own codes.  Everything else of a fixed size, texts, floats, wide
integers and the addresses of objects, is read as words of 64 bits and looked up in a table without collisions, which
grows as new words are met; whatever is found in it was compared word by word.  Of a million labels of ten classes the
table takes a quarter of the time of sorting wide integers, floats or texts, and a tenth of that of a dictionary of
objects.  A column with more distinct values than the table takes is sorted, or put into a dictionary.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Hashable, Sequence
from types import ModuleType
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from symmetrics.tools.errors import InputError

IntegerArray = NDArray[np.integer]
Words = NDArray[np.uint64]

_NARROW_SPAN: Final = 1 << 16
_BLOCK: Final = 1 << 13
_FEW: Final = 1 << 12
"""Columns up to this length use a dict or np.unique instead of the hash table."""
_MOST_WORDS: Final = 1024
"""Largest number of distinct values for the hash table; beyond, collisions are hard to avoid."""
_LARGEST_TABLE: Final = 21
"""Size of the largest hash table, as a power of two."""
_ATTEMPTS: Final = 6
_ODD: Final = np.array([1], dtype=np.uint64)


class Factor(NamedTuple):
    """A column of labels as codes: example i has the label ``labels[codes[i] - offset]``.

    :param labels: the label of each code; not all of them need occur
    :param codes: one whole number per example
    :param offset: the code of the first label
    """

    labels: Sequence[Hashable]
    codes: IntegerArray
    offset: int = 0

    def compressed(self) -> Factor:
        """Return the same column with only the labels that occur, recoded from 0."""
        offsets = np.subtract(self.codes, wrapped(self.offset), dtype=np.int64, casting="unsafe")
        present = np.flatnonzero(np.bincount(offsets))
        rank = np.zeros(len(self.labels), dtype=np.intp)
        rank[present] = np.arange(present.size)
        return Factor([self.labels[place] for place in present.tolist()], rank[offsets])


def factor_of_array(vector: NDArray[np.generic]) -> Factor:
    """Encode an array of numbers, texts or bytes without missing values.

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
    """Encode an array of hashable objects; equal objects with different addresses may get different codes.

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
    """Encode hashable objects in order of first appearance.

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
    """Encode a column in order of first appearance; None if it has too many distinct values or is short.

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
    """Collision-free hash table of rows of 64-bit words (multiplicative hashing).

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
        """Row number of each word, and the positions of words not in the table."""
        if not len(self.rows):
            return np.zeros(len(words), np.uint16), np.arange(len(words))
        found = self.codes[_products(words, self.factors) >> np.uint64(self.shift)]
        # A row that is not in the table may hash to the position of another one.
        wrong = self.rows[found, 0] != words[:, 0]
        for column in range(1, words.shape[1]):
            wrong |= self.rows[found, column] != words[:, column]
        return found, np.flatnonzero(wrong)

    def with_rows(self, new: Words) -> Self | None:
        """Return the table with further rows; None if no collision-free multiplier was found."""
        rows = np.concatenate((self.rows.reshape(-1, new.shape[1]), new))
        if len(rows) > _MOST_WORDS:
            return None
        # Multiply-shift hashing (Dietzfelbinger et al. 1997): draw factors until no two rows collide.
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
    """Return the distinct rows in order of appearance, with their first positions."""
    if words.shape[1] == 1:
        _, first = np.unique(words[:, 0], return_index=True)
    else:
        _, first = np.unique(words, axis=0, return_index=True)
    first.sort()
    return words[first], first


def _words_of_integers(block: NDArray[np.generic]) -> Words:
    return block.astype(np.uint64).reshape(-1, 1)


def _words_of_floats(block: NDArray[np.generic]) -> Words:
    return (block.astype(np.float64) + 0.0).view(np.uint64).reshape(-1, 1)  # turns -0.0 into 0.0


def _words_of_texts(block: NDArray[np.generic]) -> Words:
    size = block.dtype.itemsize
    if size % 8 or not size:
        per_character = 4 if block.dtype.kind == "U" else 1
        padded = 8 * (size // 8 + 1)
        block = block.astype(f"{block.dtype.kind}{padded // per_character}")
    return np.ascontiguousarray(block).view(np.uint64).reshape(len(block), -1)


def wrapped(number: int) -> int:
    """Wrap an integer to int64, modulo 2^64.

    >>> wrapped(2**64 - 1)
    -1
    """
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


# -- Arrays of PyTorch, CuPy, JAX and other libraries of the array API standard, and their conversion to NumPy ---------


_SILENT: Final = frozenset({"cupy", "torch"})
"""Libraries whose arrays lack the standard's ``__array_namespace__``."""
_PROCESSOR: Final = 1
"""DLPack's device code for host memory."""


def is_foreign(value: object) -> bool:
    """Whether an object is an array of a library other than NumPy.

    >>> is_foreign([1, 2]), is_foreign(np.ones(2))
    (False, False)
    """
    kind = type(value)
    if isinstance(value, np.ndarray | np.generic) or hasattr(kind, "todense"):
        return False
    return hasattr(kind, "__array_namespace__") or kind.__module__.partition(".")[0] in _SILENT


def is_on_processor(array: Any, name: str) -> bool:
    """Whether NumPy can read the memory of another library's array.

    :raises InputError: if it has no values yet, as within a function that is compiled, or is watched for gradients
    """
    if getattr(array, "requires_grad", False):
        raise InputError(f"{name} requires a gradient, and gradients do not go through a metric; pass {name}.detach()")
    try:
        return bool(array.__dlpack_device__()[0] == _PROCESSOR)
    except Exception:  # arrays run third-party code
        raise InputError(
            f"{name} has no values yet, as inside of jax.jit; call the metric outside of the compiled function"
        ) from None


def on_host(array: Any, name: str) -> NDArray[np.generic]:
    """Convert another library's array to NumPy, without a copy if it is in host memory.

    :raises InputError: on a type of numbers that NumPy does not have
    :raises InputError: without array-api-compat, if the array lies on an accelerator
    """
    try:
        if is_on_processor(array, name):
            return np.from_dlpack(array)
        fetch = getattr(array, "get", None) or getattr(array, "cpu", None)  # CuPy, then PyTorch; JAX needs neither
        return np.asarray(array if fetch is None else fetch())
    except (BufferError, RuntimeError, TypeError, ValueError):
        raise InputError(
            f"{name}, of the type {array.dtype}, cannot be read by NumPy; pass a dense array of float64"
        ) from None


def as_array(values: Any, name: str) -> NDArray[np.generic]:
    """Convert an array of any library, or anything array-like, to a NumPy array."""
    return on_host(values, name) if is_foreign(values) else np.asarray(values)


def same_kind(values: Any, array: Any) -> Any:
    """Convert NumPy values to the array library of *array*.

    :raises InputError: where that library has no float64, as JAX does not before it is told to
    """
    name = type(array).__module__.partition(".")[0]
    library: Any = array.__array_namespace__() if hasattr(array, "__array_namespace__") else sys.modules[name]
    converted = library.asarray(np.asarray(values))
    require_double(library, converted)
    return converted


def require_double(library: Any, array: Any) -> None:
    """Raise unless an array holds float64."""
    if array.dtype != library.float64:
        raise InputError(
            f"values are float64, and this array library gives {array.dtype}; of JAX call "
            "jax.config.update('jax_enable_x64', True) first, or pass arrays of NumPy"
        )


def compatible(name: str) -> ModuleType:
    """Import array-api-compat, the common interface to array libraries.

    :raises InputError: if it is not installed
    """
    try:
        import array_api_compat
    except ImportError:
        raise InputError(
            f"{name} lies on an accelerator, which needs array-api-compat: pip install 'symmetrics[arrays]'"
        ) from None
    return array_api_compat
