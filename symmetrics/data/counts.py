"""The four cells as float64 arrays: from counts, or from confusion matrices of two or of many classes.

Everything is cast to float64 before any arithmetic, because products of int64 counts wrap around silently, and
checked once, here, so that nothing behind this module meets a negative, missing or inexact count.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from numbers import Real
from typing import Any, Final, NamedTuple, NoReturn, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.data import EXACT
from symmetrics.data.factorise import as_array, is_foreign
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

FloatArray = NDArray[np.float64]

_MANY_CLASSES: Final = 100
"""From this many classes on, one-vs-rest cells of integer counts are computed from margins, which is faster."""
_SHOWN_LENGTH: Final = 60


class Cells(NamedTuple):
    """The four cells, in the order TP, FN, FP, TN: float64 arrays of one shape.

    The arrays may be views of what the caller passed in, and read-only: never write to them.
    """

    tp: FloatArray
    fn: FloatArray
    fp: FloatArray
    tn: FloatArray


class Counts(NamedTuple):
    """Four arrays of real numbers of one shape, unchecked, in the order TP, FN, FP, TN."""

    tp: NDArray[np.generic]
    fn: NDArray[np.generic]
    fp: NDArray[np.generic]
    tn: NDArray[np.generic]


def as_counts(
    tp: ArrayLike, fn: ArrayLike | None = None, fp: ArrayLike | None = None, tn: ArrayLike | None = None
) -> Counts:
    """Broadcast four counts to their common shape, keeping dtypes.

    One argument holds all four: an array of shape (..., 4) in the order TP, FN, FP, TN; confusion matrices of shape
    (..., 2, 2), entry [i, j] being true class i and predicted class j, the positive class last; or a structured array,
    a data frame, a row of one or a mapping with the names tp, fn, fp and tn, in any order.

    :raises InputError: on what is no real number, masked, or not exact in float64, and on shapes that do not broadcast

    >>> [int(count) for count in as_counts([[50, 3], [2, 10]])], [int(count) for count in as_counts([10, 2, 3, 50])]
    ([10, 2, 3, 50], [10, 2, 3, 50])
    """
    named = dict(zip(Cells._fields, four_counts(tp, fn, fp, tn), strict=True))
    counts = [_as_numbers(value, name) for name, value in named.items()]
    if len({count.shape for count in counts}) == 1:
        return Counts(*counts)
    try:
        shape = np.broadcast_shapes(*(count.shape for count in counts))
    except ValueError:
        refuse_shapes(counts)
    _require_memory(shape, dict(zip(named, counts, strict=True)))
    return Counts(*(np.broadcast_to(count, shape) for count in counts))


def four_counts(
    tp: ArrayLike, fn: ArrayLike | None = None, fp: ArrayLike | None = None, tn: ArrayLike | None = None
) -> tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike]:
    """Return the four counts, unpacked if they were given in one argument.

    :raises InputError: if one is missing, or one argument does not hold all four

    >>> four_counts({"TN": 1, "FP": 2, "FN": 3, "TP": 4})
    (4, 3, 2, 1)
    """
    if fn is not None and fp is not None and tn is not None:
        return tp, fn, fp, tn
    if not (fn is fp is tn is None):
        missing = next(name for name, value in zip(Counts._fields[1:], (fn, fp, tn), strict=True) if value is None)
        raise InputError(f"{missing} is missing; pass tp, fn, fp and tn, or all of them as one array")
    return _taken_apart(tp)


def as_cells(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Cells:
    """Return four counts, scalars or arrays that broadcast, as float64 arrays of their common shape.

    Counts are any finite numbers that are not negative: sums of weights, expected counts and rates, too.

    :raises InputError: on a count that is negative, missing, infinite, not a real number or not exact in float64, and
        on shapes that do not broadcast; the message names the cell, the first such value and its index

    >>> cells = as_cells(10, [20, 2], 30, 10**15)
    >>> cells.tn.tolist()
    [1000000000000000.0, 1000000000000000.0]
    >>> as_cells(10, [20, -2], 30, 5)
    Traceback (most recent call last):
    symmetrics.tools.errors.InputError: fn[1] is -2: a count cannot be negative; pass numbers of examples
    """
    counts = as_counts(tp, fn, fp, tn)
    return Cells(*(_checked(count, name) for count, name in zip(counts, Counts._fields, strict=True)))


def _taken_apart(tables: ArrayLike) -> tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike]:
    """Split one argument into four cells."""
    if (named := named_cells(tables)) is not None:
        return named
    raw: Any = tables if is_foreign(tables) else _as_array(tables, "tables")
    if raw.shape[-1:] == (4,):
        return raw[..., 0], raw[..., 1], raw[..., 2], raw[..., 3]
    if raw.shape[-2:] == (2, 2):
        return raw[..., 1, 1], raw[..., 1, 0], raw[..., 0, 1], raw[..., 0, 0]
    raise InputError(
        f"tables of shape {tuple(raw.shape)}: pass tp, fn, fp and tn, or an array of shape (..., 4) or (..., 2, 2)"
    )


def named_cells(tables: object) -> tuple[Any, Any, Any, Any] | None:
    """Cells of a mapping or frame by name; None for inputs without names.

    :raises InputError: if there are names, and one is lacking

    >>> named_cells({"TN": 1, "FP": 2, "FN": 3, "TP": 4})
    (4, 3, 2, 1)
    """
    names = list(tables) if isinstance(tables, Mapping) else None
    if names is None:
        names = getattr(getattr(tables, "dtype", None), "names", None) or getattr(tables, "columns", None)
    index: Any = getattr(tables, "index", None)
    if names is None and getattr(index, "ndim", 0) == 1:  # the attribute of a Series; that of a list is a method
        names = index if any(str(name).lower() in Counts._fields for name in index) else None
    if names is None:
        return None
    found = {str(name).lower(): tables[name] for name in names}  # type: ignore[index]
    lacking = [name for name in Counts._fields if name not in found]
    if lacking:
        raise InputError(f"the tables have no {lacking[0]}; name their columns tp, fn, fp and tn")
    return found["tp"], found["fn"], found["fp"], found["tn"]


def _require_memory(shape: tuple[int, ...], counts: Mapping[str, NDArray[np.generic]]) -> None:
    """Refuse results that would exceed memory: broadcasting small arrays can produce huge ones."""
    needed = math.prod(shape) * np.dtype(np.float64).itemsize
    if needed > _memory():
        shapes = ", ".join(f"{name} {count.shape}" for name, count in counts.items())
        raise InputError(
            f"the shapes {shapes} broadcast to {math.prod(shape):,} tables, which take {needed / 2**30:,.0f} GiB; "
            "pass parts of them, or one table per position in all four"
        )


@cache
def _memory() -> float:
    """Bytes of main memory; infinite if unknown."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return math.inf


def cells_from_confusion(confusion: ArrayLike, positive: SupportsIndex = 1) -> Cells:
    """Return the cells of 2x2 matrices: shape (..., 2, 2) to four arrays of shape (...).

    :param confusion: entry [..., i, j] counts the examples of class i that are predicted to be of class j
    :param positive: the index of the positive class; 1 as in scikit-learn, which sorts the labels
    :raises InputError: if the matrices are not 2x2, *positive* is neither 0 nor 1, or a count is not one

    Swapping the positive class swaps TP with TN and FN with FP:

    >>> cells_from_confusion([[50, 3], [2, 10]])
    Cells(tp=array(10.), fn=array(2.), fp=array(3.), tn=array(50.))
    >>> cells_from_confusion([[50, 3], [2, 10]], positive=0)
    Cells(tp=array(50.), fn=array(3.), fp=array(2.), tn=array(10.))
    """
    counts = as_matrices(confusion)
    classes = counts.shape[-1]
    if classes != 2:
        raise InputError(
            f"C has {number_of(classes, 'class')} and this metric takes two; pass average='macro' or 2x2 matrices"
        )
    try:
        index = operator.index(positive)
    except TypeError:
        index = -1
    if index not in (0, 1):
        raise InputError(f"positive={shown(positive)} is not a class index; pass 0 or 1, the row of the positive class")
    other = 1 - index
    return Cells(
        tp=counts[..., index, index],
        fn=counts[..., index, other],
        fp=counts[..., other, index],
        tn=counts[..., other, other],
    )


def one_vs_rest(confusion: ArrayLike) -> Cells:
    """Return the cells of every class against the others: shape (..., k, k) to four arrays of shape (..., k).

    No cell is found by subtraction, so an empty one is exactly 0 even with fractional weights; but of whole counts, of
    many classes, as differences of those are exact.

    :param confusion: entry [..., i, j] counts the examples of class i that are predicted to be of class j
    :raises InputError: if the matrices are not square or a count is not one

    >>> one_vs_rest([[5, 1, 0], [2, 6, 3], [0, 4, 7]]).fp.tolist()
    [2.0, 5.0, 3.0]
    """
    counts = as_matrices(confusion)
    if counts.shape[-1] >= _MANY_CLASSES and bool((np.rint(counts) == counts).all()):
        true, predicted = counts.sum(axis=-1), counts.sum(axis=-2)
        # For integers below 2**53 differences of margins are exact, and take k**2 steps instead of k**3.
        total = true.sum(axis=-1, keepdims=True)
        if total.size and total.max() < EXACT:
            tp = np.diagonal(counts, axis1=-2, axis2=-1)
            return Cells(tp=tp, fn=true - tp, fp=predicted - tp, tn=total - true - predicted + tp)
    # Each cell as a sum of entries, without subtraction: multiply by the matrix of ones with a diagonal of zeros.
    others = 1.0 - np.eye(counts.shape[-1])
    without_column = np.matmul(counts, others)  # [..., i, c]: examples of class i that are not predicted as c
    return Cells(
        tp=np.diagonal(counts, axis1=-2, axis2=-1),
        fn=np.diagonal(without_column, axis1=-2, axis2=-1),
        fp=np.einsum("...ic,ic->...c", counts, others),
        tn=np.einsum("...ic,ic->...c", without_column, others),
    )


def as_weights(given: ArrayLike, length: int, name: str, unit: str) -> FloatArray:
    """Return weights, one per *unit*, as a float64 array of that length.

    :param name: the argument that an error names
    :raises InputError: unless they are one-dimensional, *length* many, none masked, finite, not negative and not all 0

    >>> as_weights([1, 3], 2, "sample_weight", "example")
    array([1., 3.])
    """
    try:
        raw = as_array(given, name)
        may_be_texts = raw.ndim == 1 and raw.dtype.kind in "OUS"
        text = next((one for one in raw if isinstance(one, str | bytes)), None) if may_be_texts else None
        weights = raw.astype(np.float64) if raw.dtype.kind in "biufO" and text is None else None
    except Exception:  # __array__ and __len__ run third-party code
        weights = text = None
    if text is not None:  # NumPy would convert texts that look like numbers
        raise InputError(
            f"{name} holds the text {shown(text)}; a weight is a number: convert them, as by .astype(float)"
        )
    if isinstance(given, np.ma.MaskedArray) and np.ma.is_masked(given):
        index = int(np.argmax(np.ma.getmaskarray(given)))
        raise InputError(f"{name}[{index}] is masked: a weight cannot be missing; fill or remove masked entries")
    if weights is None or weights.ndim != 1:
        raise InputError(f"{name}={shown(given)} is not a list of weights; pass one number per {unit}")
    if weights.size != length:
        raise InputError(f"{name} has {number_of(weights.size, 'weight')}, not {length}; pass one per {unit}")
    wrong = ~((weights >= 0) & (weights < np.inf))
    if bool(wrong.any()):
        index = int(np.argmax(wrong))
        raise InputError(f"{name}[{index}] is {shown(weights[index])}; pass weights that are finite and not negative")
    if not weights.any():
        raise InputError(f"every weight of {name} is 0; give at least one {unit} a positive weight")
    return weights


def shown(value: object) -> str:
    r"""Format a value for an error message: on one line, shortened if long.

    >>> shown(np.int64(3)), shown("two\\nlines")
    ('3', "'two\\\\nlines'")
    """
    plain = value.item() if isinstance(value, np.bool_ | np.number | np.str_ | np.bytes_) else value
    text = " ".join(repr(plain).split())
    return text if len(text) <= _SHOWN_LENGTH else text[: _SHOWN_LENGTH - 3] + "..."


def as_matrices(confusion: ArrayLike) -> FloatArray:
    """Return square matrices of counts as float64, of shape (..., k, k).

    :raises InputError: if they are not square or an entry is not a count
    """
    counts = _checked(_as_numbers(confusion, "C"), "C")
    if counts.ndim < 2 or counts.shape[-1] != counts.shape[-2] or counts.shape[-1] == 0:
        raise InputError(f"C has shape {counts.shape}, not (..., k, k); pass C[..., i, j]: true i, predicted j")
    return counts


def _as_numbers(value: ArrayLike, name: str) -> NDArray[np.generic]:
    """Return one argument as an array of real numbers."""
    raw = _as_array(value, name)
    if raw.dtype == object:
        counts = _from_objects(raw, name)
        _check_exact(counts, raw, name)
        return counts
    if raw.dtype == np.float64 and not hasattr(value, "dtype") and raw.size and raw.max() >= EXACT:
        _check_exact(raw.astype(np.float64), np.asarray(value, dtype=object), name)  # integers among floats
    return raw


def _checked(raw: NDArray[np.generic], name: str) -> FloatArray:
    """Numbers as float64 counts, without a copy where possible."""
    counts = np.asarray(raw, dtype=np.float64)
    if counts.size == 0:
        return counts
    lowest, highest = counts.min(), counts.max()
    if not (lowest >= 0 and highest < np.inf):
        raise InputError(_first_offence(counts, raw, name))
    if highest >= EXACT:
        _check_exact(counts, raw, name)
    if lowest == 0 and raw.dtype.kind not in "biu" and bool(np.signbit(counts).any()):
        return np.asarray(counts + 0.0)  # turns -0.0 into 0.0, as 1/-0.0 would be -oo
    return counts


def refuse_count(counts: Sequence[NDArray[np.generic]], place: int) -> NoReturn:
    """Raise for a cell that holds something other than a count, naming the first and its index."""
    raw = _as_given(counts[place])
    raise InputError(_first_offence(np.asarray(raw, dtype=np.float64), raw, Cells._fields[place]))


def refuse_shapes(counts: Sequence[Any]) -> NoReturn:
    """Raise for counts whose shapes do not broadcast."""
    shapes = ", ".join(f"{name} {tuple(count.shape)}" for name, count in zip(Counts._fields, counts, strict=True))
    raise InputError(f"the shapes {shapes} do not broadcast; pass scalars or arrays of one shape") from None


def refuse_type(name: str, kind: object) -> NoReturn:
    """Raise for a cell whose dtype cannot hold counts."""
    raise InputError(f"{name} has the type {kind}: a count is a real number; pass integers or floats")


def require_exact(counts: Sequence[NDArray[np.generic]], place: int) -> None:
    """Raise if float64 cannot hold a number of a cell.

    :raises InputError: naming the first such number and its index
    """
    raw = _as_given(counts[place])
    _check_exact(np.asarray(raw, dtype=np.float64), raw, Cells._fields[place])


def _as_given(raw: NDArray[np.generic]) -> NDArray[np.generic]:
    """Undo broadcasting: drop axes of stride 0."""
    return raw.base if isinstance(raw.base, np.ndarray) and not raw.flags.writeable and 0 in raw.strides else raw


def _as_array(value: ArrayLike, name: str) -> NDArray[np.generic]:
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        index = tuple(np.argwhere(np.ma.getmaskarray(value))[0])
        raise InputError(f"{_entry(name, index)} is masked: a count cannot be missing; fill or remove masked entries")
    if hasattr(value, "tocsr") or hasattr(value, "todense"):
        raise InputError(f"{name} is a sparse array: pass {name}.toarray(), for the values of all tables are wanted")
    try:
        raw = as_array(value, name)
    except InputError:
        raise
    except Exception:  # __array__ and __len__ run third-party code
        raise InputError(f"{name} is not an array of counts; pass a number or rows of equal length") from None
    if raw.dtype.kind not in "biufO":
        refuse_type(name, raw.dtype)
    return raw


def _from_objects(raw: NDArray[np.generic], name: str) -> FloatArray:
    """Convert an object array whose entries must all be real numbers."""
    items = raw.ravel().tolist()
    if not all(issubclass(kind, Real | Decimal) for kind in set(map(type, items))):
        position, item = next((i, item) for i, item in enumerate(items) if not isinstance(item, Real | Decimal))
        entry = _entry(name, np.unravel_index(position, raw.shape))
        raise InputError(f"{entry} is {shown(item)}: a count is a real number; pass integers or floats")
    try:
        return raw.astype(np.float64)
    except (OverflowError, ValueError):
        raise InputError(f"{name} holds a count that float64 cannot hold; keep counts within 2**53") from None


def _first_offence(counts: FloatArray, raw: NDArray[np.generic], name: str) -> str:
    wrong = ~(counts >= 0) | np.isinf(counts)
    index = np.unravel_index(int(np.argmax(wrong)), counts.shape)
    entry, count = f"{_entry(name, index)} is {shown(raw[index])}", counts[index]
    if np.isnan(count):
        return f"{entry}: a count cannot be missing; fill or remove missing counts first"
    if count < 0:
        return f"{entry}: a count cannot be negative; pass numbers of examples"
    return f"{entry}: a count cannot be infinite; pass numbers of examples"


def _check_exact(counts: FloatArray, raw: NDArray[np.generic], name: str) -> None:
    """Raise if a count lost digits in the conversion; Python compares integers with floats exactly."""
    if raw.dtype == np.float64:
        return
    for position in np.flatnonzero(counts >= EXACT):
        index = np.unravel_index(position, counts.shape)
        item = raw[index]
        exact = item.item() if isinstance(item, np.generic) else item
        if exact != float(counts[index]):
            entry = _entry(name, index)
            raise InputError(f"{entry} is {shown(exact)}, which float64 cannot hold exactly; keep counts within 2**53")


def _entry(name: str, index: tuple[np.intp, ...]) -> str:
    """Return the name of one entry, such as ``tp``, ``tp[3]`` or ``C[0, 1]``."""
    return f"{name}[{', '.join(map(str, index))}]" if index else name
