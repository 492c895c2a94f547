"""Running error analysis of metrics of matrices (Wilkinson 1986): each value carries a bound of its error.

A value whose relative error is the same small number of roundings at all matrices, as that of a sum of positive terms
or of a quotient of such sums, needs no array for it.  Whole numbers up to 2**53 are exact.  Only where terms of either
sign are added does a bound for each matrix run along.  Bounds are of the first order; where an operand of a division,
a root or a logarithm has lost all but three digits, what is beyond that order counts, and the bound is infinite.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sympy import Abs, Add, Max, Min, Mul, Pow

from symmetrics.matrices.nodes import FMeasure
from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.rounding_rules import DIGITS, UNIT

LIMIT: Final = 9e-13
"""Largest error of a value that is taken as it is: absolute below 1, relative above."""
MANY: Final = 2.0**26
"""Number of examples from which on the error has to be small beside the value, however small that is."""
LARGEST: Final = 960.0
"""Exponent of two beyond which something may overflow or underflow."""
_FEW: Final = 64
"""Size of matrices up to which entries are summed in one pass, which is faster than axis by axis."""
FIRST_ORDER: Final = 2.0**-10 / UNIT
"""Relative error, in roundings, up to which what is of second order is small beside the bound."""
SECOND: Final = 1.01
"""What a bound of the first order is multiplied by to bound the rest, too."""


class Rounded(NamedTuple):
    """Values with bounds of their errors, which are counted in roundings (2**-53).

    :ivar relative: the relative error that no value exceeds; None where an array says so
    :ivar error: the absolute error of each value, if *relative* is None
    :ivar low, high: the powers of two between which the absolute values are that are neither 0 nor infinite
    :ivar is_whole: whether all are whole numbers
    :ivar sign: 1 where none is negative, -1 where none is positive, 0 where that is not known
    """

    values: FloatArray
    relative: float | None
    error: FloatArray | None
    low: float
    high: float
    is_whole: bool = False
    sign: int = 0


def as_rounded(values: FloatArray, relative: float, *, sign: int = 1) -> Rounded:
    """Return values with a relative error that is known.

    >>> as_rounded(np.array([0.0, 0.5, 8.0]), 0.0)[3:5]
    (-1.0, 3.0)
    """
    sizes = np.abs(values[np.isfinite(values) & (values != 0)])
    low, high = (float(np.log2(end)) for end in (sizes.min(), sizes.max())) if sizes.size else (0.0, 0.0)
    return Rounded(values, relative, None, low, high, sign=sign)


def absolute(term: Rounded) -> FloatArray:
    """Return the bound of the absolute error of each value, 0 where the value is known to be infinite or none."""
    if term.relative is None:
        return np.asarray(term.error)
    error = term.relative * np.abs(term.values)
    return error if np.isfinite(error).all() else np.where(np.isfinite(term.values), error, 0.0)


def doubtful(found: Rounded, totals: FloatArray) -> NDArray[np.bool_]:
    """Return which values may be off by more than a relative error of 1e-12, absolute of values below 1.

    :param totals: the numbers of examples; from :data:`MANY` on the error is relative for values below 1, too

    >>> values = Rounded(np.array([0.5, 1e-9, 1e-9]), None, np.array([3.0, 3.0, 3.0]), -30.0, -1.0)
    >>> doubtful(values, np.array([1e9, 1e9, 10.0])).tolist()
    [False, True, False]
    """
    if found.relative is not None:
        return np.full(len(found.values), found.relative * UNIT > LIMIT)
    error, size = absolute(found) * UNIT, np.abs(found.values)
    is_many = (totals >= MANY).reshape(-1, *(1,) * (size.ndim - 1))
    is_fine = error <= LIMIT * np.where(is_many, size, np.maximum(1.0, size))
    is_fine |= ~np.isfinite(size) & (error == 0)
    return np.asarray(~is_fine.all(axis=tuple(range(1, is_fine.ndim))))


def summed(term: Rounded, axes: tuple[int, ...], classes: int, values: FloatArray) -> Rounded:
    """Return a sum over classes with its error: that of the terms, and that of adding them up.

    :param values: the sum
    """
    steps = float(classes ** len(axes) if classes**2 <= _FEW else len(axes) * classes)
    high = term.high + len(axes) * math.log2(classes)
    if term.is_whole and high <= DIGITS:
        return Rounded(values, 0.0, None, 0.0, high, True, term.sign)
    low = term.low if term.sign else term.low - DIGITS
    relative = term.relative + steps if term.sign and term.relative is not None else None
    error = None
    if relative is None:
        error = np.abs(term.values) * ((term.relative or 0.0) + steps)
        error = added_up(error if term.error is None else error + term.error, axes, classes)
    return settled(Rounded(values, relative, error, low, high, False, term.sign), [term], axes)


def added_up(values: NDArray[Any], axes: tuple[int, ...], classes: int) -> NDArray[Any]:
    """Return a sum over axes, of which those of length 1 stand for one of the classes each."""
    repeated = math.prod(classes for axis in axes if values.shape[axis] == 1)
    if classes**2 <= _FEW:
        return np.asarray(values.sum(axis=axes, keepdims=True) * repeated)
    for axis in axes:  # one after the other, so that few roundings follow each other
        values = values.sum(axis=axis, keepdims=True)
    return np.asarray(values * repeated)


def is_one_number(values: FloatArray) -> bool:
    """Return whether all values are the same number.

    >>> is_one_number(np.array([2.0, 2.0])), is_one_number(np.array([2.0, 3.0])), is_one_number(np.array([]))
    (True, False, False)
    """
    return values.size > 0 and bool((values == values.flat[0]).all())


def number_in(term: Rounded) -> float:
    """Return the number that an exponent is at all matrices; nan where there are several."""
    return float(term.values.flat[0]) if is_one_number(term.values) else math.nan


def settled(found: Rounded, terms: Sequence[Rounded], axes: tuple[int, ...] = ()) -> Rounded:
    """Return values whose error is 0 where they are certainly infinite or none, and infinite where they may not be.

    That is certain where an argument certainly is none, or where all that are 0, infinite or none are so exactly and
    the sign of all others is.
    """
    if found.error is None or (np.isfinite(found.error).all() and np.isfinite(found.values).all()):
        return found
    is_none, is_certain, is_special = np.array(False), np.array(True), np.array(False)
    for term in terms:
        error = absolute(term)
        size = np.abs(term.values)
        none = np.isnan(size) & (error == 0)
        certain = (error == 0) | (np.isfinite(size) & (size > error * UNIT))
        special = ~np.isfinite(size) | (term.values <= 0)
        if axes:
            none, special = (np.asarray(each.any(axis=axes, keepdims=True)) for each in (none, special))
            certain = np.asarray(certain.all(axis=axes, keepdims=True))
        is_none, is_certain, is_special = is_none | none, is_certain & certain, is_special | special
    is_certain = is_none | (is_certain & is_special)
    error = np.where(np.isfinite(found.values), found.error, np.where(is_certain, 0.0, math.inf))
    return found._replace(error=np.where(np.isnan(error), math.inf, error))


def sign_of(kind: Any, terms: Sequence[Rounded]) -> int:
    """Return the sign that a function of arguments with such signs has, 0 if it may have either."""
    signs = {term.sign for term in (terms[:1] if kind is Pow else terms)}
    if kind is Abs or (kind is Pow and number_in(terms[1]) % 2 == 0):
        return 1
    if kind is Mul:
        return math.prod(term.sign for term in terms)
    if kind in (Add, Max, Min) and len(signs) == 1:
        return signs.pop()
    return 1 if kind in (Pow, FMeasure) and signs == {1} else 0


def known(terms: Sequence[Rounded]) -> list[float]:
    """Return the relative errors of terms, 0 for those with a bound for each value."""
    return [term.relative or 0.0 for term in terms]


def loss(term: Rounded) -> FloatArray | float:
    """Return the relative error of each value of an argument by which the result is the less certain the smaller it is.

    It is infinite where what is beyond the first order counts.
    """
    if term.relative is not None:
        return term.relative if term.relative <= FIRST_ORDER else math.inf
    error = absolute(term)
    lost = np.where(error == 0, 0.0, error / np.abs(term.values))
    return np.where(lost <= FIRST_ORDER, lost * SECOND, math.inf)


def times(size: FloatArray, error: FloatArray | float) -> FloatArray:
    """Return a product that is 0 only where the error is: a value of 0 with no digit left is certain of nothing."""
    return np.where(np.isinf(error), math.inf, size * error)
