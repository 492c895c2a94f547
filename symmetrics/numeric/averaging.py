"""Averages of a binary metric over the classes of one-vs-rest cells: a weighting of the last axis."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Final, Protocol, Self, TypeAlias, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.data import EXACT
from symmetrics.data.counts import Cells, FloatArray, as_matrices, as_weights, one_vs_rest, shown
from symmetrics.tools.errors import InputError

AVERAGES: Final = ("macro", "micro", "pooled", "weighted")
"""The averages over classes that have a name."""
POOLED: Final = ("micro", "pooled")
"""Averages computed from cells summed over all classes; they differ in how a metric resolves ``"micro"``."""
BLOCK: Final = 1 << 17
"""Number of matrix entries processed per step."""
_USUAL: Final = 240
"""Exponent of two up to which products of four entries neither overflow nor underflow."""


@runtime_checkable
class WeightedClasses(Protocol):
    """Protocol: an object with one weight per class, such as a relevance."""

    @property
    def weights(self) -> ArrayLike:
        """One non-negative weight per class, in the order of the classes."""


@runtime_checkable
class NamedClasses(WeightedClasses, Protocol):
    """Protocol: class weights with class names, matched with labels by name."""

    @property
    def classes(self) -> tuple[Hashable, ...]:
        """The names, in the order of the weights."""

    def ordered(self, labels: Iterable[Hashable]) -> Self:
        """Return the same weights in the order of some labels, which are the names, each once."""


Average: TypeAlias = str | WeightedClasses | ArrayLike | None
"""A name in :data:`AVERAGES`, None for no average, or one weight per class."""


def average_cells(
    evaluate: Callable[[Cells], FloatArray],
    cells: Cells,
    average: Average = "macro",
    *,
    zero_division: float = math.nan,
) -> FloatArray:
    """Return a metric of each class averaged over the classes: cells of shape (..., k) to an array of shape (...).

    Classes on which the metric is undefined are left out and the weights of the others renormalised; with a
    *zero_division* that is not nan they take that value and count.  Where no weight is left the result is
    *zero_division*.

    :param evaluate: the metric, from cells of any shape to values of that shape, nan where it is undefined
    :param average: ``"macro"`` weighs all classes alike; ``"weighted"`` by their numbers of examples, TP + FN;
        ``"micro"`` and ``"pooled"`` add the cells up over the classes and evaluate once; None returns the values, of
        shape (..., k); an array of k weights, or an object with such *weights*, weighs by them
    :raises InputError: on an unknown average, and on weights that are not k non-negative numbers, not all 0

    >>> from symmetrics.data.counts import one_vs_rest
    >>> cells = one_vs_rest([[5, 1, 0], [2, 6, 0], [0, 0, 0]])
    >>> def recall(cells):
    ...     with np.errstate(invalid="ignore"):
    ...         return cells.tp / (cells.tp + cells.fn)
    >>> float(average_cells(recall, cells).round(4)), float(average_cells(recall, cells, zero_division=0).round(4))
    (0.7917, 0.5278)
    """
    fill = as_zero_division(zero_division)
    if isinstance(average, str) and average in POOLED:
        return filled(evaluate(Cells(*(np.asarray(cell.sum(axis=-1)) for cell in cells))), fill)
    weights = _class_weights(average, cells)
    values = filled(_in_memory_order(evaluate, cells), fill)
    return values if weights is None else filled(weighted_mean(values, weights), fill)


def each_example_once(cells: Cells) -> Cells:
    """Pool all classes into one table in which each example counts once: TP if correct, else FN.

    :param cells: those of each class against the rest, of shape (..., k), for all k classes

    >>> from symmetrics.data.counts import one_vs_rest
    >>> each_example_once(one_vs_rest([[5, 1, 0], [2, 6, 0], [0, 1, 1]])).fn.tolist()
    [4.0]
    """
    right, wrong = (cell.sum(axis=-1, keepdims=True) for cell in (cells.tp, cells.fn))
    none = np.zeros_like(right)
    return Cells(right, wrong, none, none)


def in_blocks(
    compute: Callable[[Cells, NDArray[np.generic]], FloatArray], confusion: ArrayLike, *, free_of_unit: bool = False
) -> FloatArray:
    """Apply a function of one-vs-rest cells to matrices, a few at a time to bound memory.

    :param compute: takes n matrices, as cells of shape (n, k) and entries of shape (n, k, k); returns (n,) or (n, k)
    :param confusion: matrices of shape (..., k, k)
    :param free_of_unit: whether it is the same at all multiples of a matrix, so that one of usual size may be taken
    :returns: an array of shape (...) or (..., k)
    :raises InputError: if the matrices are not square or a count is not one

    >>> in_blocks(lambda cells, _: cells.tn.sum(axis=-1), np.ones((2, 3, 3)))
    array([12., 12.])
    """
    parts = _whole_counts_in_blocks(compute, confusion) if _is_plain(confusion) else None
    if parts is None:
        matrices = as_matrices(confusion)  # raises the error that names the fault, if there is one
        classes = matrices.shape[-1]
        if free_of_unit:
            matrices = in_usual_unit(matrices)[0]
        flat = Cells(*(cell.reshape(-1, classes) for cell in one_vs_rest(matrices)))
        parts = [compute(flat, matrices.reshape(-1, classes, classes))]
    values = np.concatenate(parts)
    return values.reshape((*np.shape(confusion)[:-2], *values.shape[1:]))


def in_usual_unit(matrices: FloatArray) -> tuple[FloatArray, NDArray[np.intc] | np.intc]:
    """Scale matrices by powers of two so that their largest entries are moderate; return the exponents too.

    A matrix stays as it is where it is of usual size already, or a small entry beside a huge one would lose digits.

    :param matrices: entries that are not negative, of shape (..., k, k)
    :returns: the matrices, and the exponents of two, of shape (..., 1, 1), or 0 where all matrices stay as they are

    >>> in_usual_unit(np.array([[1e300, 0.0], [1e299, 1e300]]))[1].tolist()
    [[-757]]
    >>> int(in_usual_unit(np.array([[5.0, 1.0], [2.0, 6.0]]))[1])
    0
    """
    # Is every total between 2**-240 and 2**240?  Then no scaling is needed.
    entries = matrices.shape[-1] ** 2
    with np.errstate(over="ignore"):
        totals = matrices.reshape(-1, entries) @ np.ones(entries)  # ten times as fast as a maximum over few entries
    if not totals.size or (totals.min() >= 2.0**-_USUAL and totals.max() <= 2.0**_USUAL):
        return matrices, np.intc(0)
    # Powers of two that bring the largest entry of each matrix into that range.
    exponents = np.frexp(matrices.max(axis=(-2, -1), keepdims=True))[1]
    powers = np.clip(exponents, -_USUAL, _USUAL) - exponents
    scaled = np.ldexp(matrices, powers)
    # A tiny entry beside a huge one could lose digits by scaling; such a matrix is left unscaled.
    is_exact = (np.ldexp(scaled, -powers) == matrices).all(axis=(-2, -1), keepdims=True)
    return np.where(is_exact, scaled, matrices), np.where(is_exact, powers, 0)


def _is_plain(confusion: ArrayLike) -> TypeGuard[NDArray[np.generic]]:
    """Whether this is a numeric array of shape (..., k, k), judged by its type alone."""
    return (
        type(confusion) is np.ndarray
        and (confusion.dtype.kind in "iu" or confusion.dtype == np.float64)
        and confusion.ndim >= 2
        and confusion.shape[-1] == confusion.shape[-2]
        and confusion.size > 0
    )


def _whole_counts_in_blocks(
    compute: Callable[[Cells, NDArray[np.generic]], FloatArray], matrices: NDArray[np.generic]
) -> list[FloatArray] | None:
    """Results block by block; None if an entry is not an integer or a total is not exact in float64.

    The matrices are put on the last axis, so that sums over classes are sums of long vectors, and all is done with a
    block while it is in the cache.
    """
    classes = matrices.shape[-1]
    flat = matrices.reshape(-1, classes, classes)
    step = max(1, BLOCK // classes**2)
    parts = []
    for start in range(0, len(flat), step):
        block = flat[start : start + step]
        entries = np.ascontiguousarray(block.transpose(1, 2, 0), dtype=np.float64)
        whole = matrices.dtype.kind in "iu" or bool((np.rint(entries) == entries).all())
        with np.errstate(over="ignore"):  # a total that overflows float64 is not exact
            true, predicted = entries.sum(axis=1), entries.sum(axis=0)
            totals = true.sum(axis=0)
        if not (whole and entries.min() >= 0 and totals.max() < EXACT):
            return None
        tp = np.einsum("iin->in", entries) + 0.0  # turns -0.0 into 0.0, as 1/-0.0 would be -oo
        fp = predicted - tp
        cells = Cells(tp=tp.T, fn=(true - tp).T, fp=fp.T, tn=(totals - true - fp).T)
        parts.append(compute(cells, block))
    return parts


def weighted_mean(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the weighted mean over the last axis of the values that are not nan; nan where these have no weight.

    :param values: shape (..., k)
    :param weights: non-negative, of a shape that broadcasts with the values

    >>> weighted_mean(np.array([1.0, np.nan, 0.0]), np.array([3.0, 5.0, 1.0]))
    array(0.75)
    """
    if weights.ndim == 1 and weights.any() and bool(np.isfinite(values).all()):
        return np.asarray((values * weights).sum(axis=-1) / weights.sum())
    counted = np.where(np.isnan(values), 0.0, weights)
    total = counted.sum(axis=-1)
    weighted = np.multiply(counted, values, out=np.zeros(counted.shape), where=counted > 0).sum(axis=-1)
    mean: FloatArray = np.divide(weighted, total, out=np.full(total.shape, np.nan), where=total > 0)
    return mean


def as_zero_division(value: float) -> float:
    """Validate ``zero_division``, the value returned for 0/0.

    :raises InputError: if it is not a real number

    >>> as_zero_division(0)
    0.0
    """
    if not isinstance(value, int | float | np.integer | np.floating | np.bool_):
        raise InputError(f"zero_division={shown(value)} is not a number; pass nan, 0, 1 or another float")
    try:
        return float(value)
    except OverflowError:
        raise InputError(f"zero_division={shown(value)} is beyond float64; pass nan, 0, 1 or another float") from None


def refuse_named_weights(average: object) -> None:
    """Refuse named weights, which would otherwise be matched by position.

    :raises InputError: on a mapping and on a Series

    >>> refuse_named_weights({"cat": 1})
    Traceback (most recent call last):
    symmetrics.tools.errors.InputError: average={'cat': 1} has weights by name; pass symmetrics.relevance...
    """
    if isinstance(average, Mapping) or (hasattr(average, "items") and hasattr(average, "index")):
        raise InputError(
            f"average={shown(average)} has weights by name; pass symmetrics.relevance.scores(...), which has them by "
            "class"
        )


def given_weights(average: WeightedClasses | ArrayLike, classes: int) -> FloatArray:
    """Return the weights of the classes, the largest 1, as a relevance or a list of weights has them.

    :param classes: how many there are
    :raises InputError: on named weights, and unless there are *classes* non-negative numbers, not all 0

    >>> given_weights([1, 0, 4], 3)
    array([0.25, 0.  , 1.  ])
    """
    refuse_named_weights(average)
    given = average.weights if isinstance(average, WeightedClasses) else average
    weights = as_weights(given, classes, "average", "class")
    return np.asarray(weights / weights.max())


def _class_weights(average: Average, cells: Cells) -> FloatArray | None:
    """Return the class weights of an average, of shape (k,) or (..., k), or None for no average."""
    classes = cells.tp.shape[-1]
    if average is None:
        return None
    if not isinstance(average, str):
        return given_weights(average, classes)
    if average == "macro":
        return np.ones(classes)
    if average == "weighted":
        supports = cells.tp + cells.fn
        # Products of huge weights and values would overflow.
        return np.asarray(supports if supports.max(initial=0.0) < 2.0**_USUAL else supports / supports.max())
    choices = ", ".join(repr(choice) for choice in AVERAGES)
    raise InputError(f"average={shown(average)} is not one of {choices}, None, a relevance or one weight per class")


def _in_memory_order(evaluate: Callable[[Cells], FloatArray], cells: Cells) -> FloatArray:
    """Evaluate in the memory order of the cells, which is fastest."""
    if cells.tp.ndim == 2 and not cells.tp.flags.c_contiguous:
        return evaluate(Cells(*(cell.T for cell in cells))).T
    return evaluate(cells)


def filled(values: FloatArray, fill: float) -> FloatArray:
    """Replace nan by a number, which may itself be nan.

    >>> filled(np.array([0.5, np.nan]), 0.0).tolist()
    [0.5, 0.0]
    """
    values = np.asarray(values, dtype=np.float64)
    return values if math.isnan(fill) else np.where(np.isnan(values), fill, values)
