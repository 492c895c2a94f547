"""Running error analysis of metrics of matrices (Wilkinson 1986): what rounding can do to each value, bounded along.

A value whose relative error is the same small number of roundings at all matrices, as that of a sum of positive terms
or of a quotient of such sums, needs no array for it.  Whole numbers up to 2**53 are exact.  Only where terms of either
sign are added does a bound for each matrix run along.  Bounds are of the first order; where an operand of a division,
a root or a logarithm has lost all but three digits, what is beyond that order counts, and the bound is infinite.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sympy import Abs, Add, Max, Min, Mul, Pow, log

from symmetrics.matrices.nodes import Correlation, FMeasure, RelativeEntropy
from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.rounding_rules import LIBRARY, UNIT

DIGITS: Final = 53
"""Powers of two up to which whole numbers are exact."""
LIMIT: Final = 9e-13
"""Largest error of a value that is taken as it is: absolute below 1, relative above."""
MANY: Final = 2.0**26
"""Number of examples from which on the error has to be small beside the value, however small that is."""
_LARGEST: Final = 960.0
"""Exponent of two beyond which something may overflow or underflow."""
_FEW: Final = 64
"""Entries of a matrix up to which they are added one to the other, which takes less time than axis by axis."""
_FIRST_ORDER: Final = 2.0**-10 / UNIT
"""Relative error, in roundings, up to which what is of second order is small beside the bound."""
_SECOND: Final = 1.01
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
    return _settled(Rounded(values, relative, error, low, high, False, term.sign), [term], axes)


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


def _number(term: Rounded) -> float:
    """Return the number that an exponent is at all matrices; nan where there are several."""
    return float(term.values.flat[0]) if is_one_number(term.values) else math.nan


def rounded(kind: Any, values: FloatArray, terms: Sequence[Rounded]) -> Rounded:
    """Return what a function of the language makes of its arguments, with its error.

    :param kind: the function, such as ``Add``
    :param values: its values, computed in float64
    """
    low, high = _MAGNITUDES[kind](terms)
    sign = _sign(kind, terms)
    if not sign and (kind is RelativeEntropy or len(values) == 1):  # it takes less time to see than what follows
        sign = 1 if values.min(initial=0.0) >= 0 else -1 if values.max(initial=0.0) <= 0 else 0
    if _is_exact(kind, terms, high):
        return Rounded(values, 0.0, None, low, high, True, sign)
    if low < -_LARGEST or high > _LARGEST:
        lost = np.full(values.shape, math.inf)
        return Rounded(values, None, lost, -_LARGEST, _LARGEST, False, sign)
    relative = _RELATIVE[kind](terms) if all(term.relative is not None for term in terms) else None
    if relative is not None:
        return Rounded(values, relative, None, low, high, False, sign)
    error = np.broadcast_to(_ERRORS[kind](values, terms), values.shape)
    return _settled(Rounded(values, None, error, low, high, False, sign), terms)


def _settled(found: Rounded, terms: Sequence[Rounded], axes: tuple[int, ...] = ()) -> Rounded:
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


def _is_exact(kind: Any, terms: Sequence[Rounded], high: float) -> bool:
    """Whether whole numbers become whole numbers of few enough digits."""
    if kind is Pow:
        terms = terms[:1] if _number(terms[1]) in (1.0, 2.0) else ()
    return kind in (Add, Mul, Pow, Max, Min, Abs) and high <= DIGITS and bool(terms) and all(t.is_whole for t in terms)


def _sign(kind: Any, terms: Sequence[Rounded]) -> int:
    """Return the sign that a function of arguments with such signs has, 0 if it may have either."""
    signs = {term.sign for term in (terms[:1] if kind is Pow else terms)}
    if kind is Abs or (kind is Pow and _number(terms[1]) % 2 == 0):
        return 1
    if kind is Mul:
        return math.prod(term.sign for term in terms)
    if kind in (Add, Max, Min) and len(signs) == 1:
        return signs.pop()
    return 1 if kind in (Pow, FMeasure) and signs == {1} else 0


def _of_sum(terms: Sequence[Rounded]) -> tuple[float, float]:
    low, high = min(term.low for term in terms), max(term.high for term in terms) + math.log2(len(terms))
    if all(term.is_whole for term in terms):
        return 0.0, high
    return low if _sign(Add, terms) else low - DIGITS, high


def _of_power(terms: Sequence[Rounded]) -> tuple[float, float]:
    base, exponent = terms
    power = _number(exponent)
    if math.isnan(power):
        return -math.inf, math.inf
    ends = sorted(power * end for end in (base.low, base.high))
    return ends[0], ends[1]


def _of_logarithm(terms: Sequence[Rounded]) -> tuple[float, float]:
    return -float(DIGITS), math.log2(max(abs(terms[0].low), abs(terms[0].high), 1.0))


def _of_relative_entropy(terms: Sequence[Rounded]) -> tuple[float, float]:
    x, y = terms
    size = math.log2(max(abs(x.low - y.high), abs(x.high - y.low), 1.0))
    return x.low - DIGITS - 1, x.high + size


def _of_correlation(terms: Sequence[Rounded]) -> tuple[float, float]:
    covariance, first, second = terms
    return covariance.low - (first.high + second.high) / 2, covariance.high - (first.low + second.low) / 2


def _of_f_measure(terms: Sequence[Rounded]) -> tuple[float, float]:
    precision, recall, beta = terms
    size = 2 * max(abs(beta.low), abs(beta.high)) + 2
    return precision.low + recall.low - max(precision.high, recall.high) - size, max(precision.high, recall.high) + size


_MAGNITUDES: Final[dict[Any, Callable[[Sequence[Rounded]], tuple[float, float]]]] = {
    Add: _of_sum,
    Mul: lambda terms: (sum(term.low for term in terms), sum(term.high for term in terms)),
    Pow: _of_power,
    Max: lambda terms: (min(term.low for term in terms), max(term.high for term in terms)),
    Min: lambda terms: (min(term.low for term in terms), max(term.high for term in terms)),
    Abs: lambda terms: (terms[0].low, terms[0].high),
    log: _of_logarithm,
    RelativeEntropy: _of_relative_entropy,
    Correlation: _of_correlation,
    FMeasure: _of_f_measure,
}
"""Between which powers of two values are that are not 0, from those of the arguments."""


def _known(terms: Sequence[Rounded]) -> list[float]:
    return [term.relative or 0.0 for term in terms]


def _relative_of_sum(terms: Sequence[Rounded]) -> float | None:
    known = _known(terms)
    if _sign(Add, terms):
        return max(known) + len(terms) - 1
    return 1.0 if len(terms) == 2 and not any(known) else None


def _relative_of_power(terms: Sequence[Rounded]) -> float | None:
    base, exponent = terms
    size = abs(_number(exponent))
    moved = size * (base.relative or 0.0)
    by_exponent = (exponent.relative or 0.0) * size * max(abs(base.low), abs(base.high))
    return moved * _SECOND + by_exponent + LIBRARY if moved <= _FIRST_ORDER else None


def _relative_of_f_measure(terms: Sequence[Rounded]) -> float | None:
    if not all(term.sign == 1 for term in terms):
        return None
    precision, recall, beta = _known(terms)
    return precision + recall + max(precision, recall) + 4 * beta + 10


_RELATIVE: Final[dict[Any, Callable[[Sequence[Rounded]], float | None]]] = {
    Add: _relative_of_sum,
    Mul: lambda terms: sum(_known(terms)) + len(terms) - 1,
    Pow: _relative_of_power,
    Max: lambda terms: max(_known(terms)),
    Min: lambda terms: max(_known(terms)),
    Abs: lambda terms: terms[0].relative,
    log: lambda terms: None if terms[0].relative else LIBRARY,
    RelativeEntropy: lambda terms: None if any(_known(terms)) else LIBRARY + 4,
    Correlation: lambda terms: sum(_known(terms)) + 4,
    FMeasure: _relative_of_f_measure,
}
"""The relative error from those of the arguments; None where it differs from matrix to matrix."""


def _error_of_sum(values: FloatArray, terms: Sequence[Rounded]) -> FloatArray:
    own = np.abs(values) if len(terms) == 2 else (len(terms) - 1) * reduce(np.add, [np.abs(t.values) for t in terms])
    return reduce(np.add, [absolute(term) for term in terms if term.relative != 0], own)


def _error_of_product(values: FloatArray, terms: Sequence[Rounded]) -> FloatArray:
    known = [term for term in terms if term.relative is not None]
    roundings = sum(_known(known)) + len(terms) - 1
    value, error = reduce(np.multiply, [term.values for term in known], np.ones(())), np.zeros(())
    for term in terms:
        if term.relative is None:
            of_term = absolute(term)
            error = np.abs(value) * of_term + (np.abs(term.values) + UNIT * of_term) * error
            value = value * term.values
    return error * _SECOND + roundings * np.abs(values)


def _loss(term: Rounded) -> FloatArray | float:
    """Return the relative error of each value of an argument by which the result is the less certain the smaller it is.

    It is infinite where what is beyond the first order counts.
    """
    if term.relative is not None:
        return term.relative if term.relative <= _FIRST_ORDER else math.inf
    error = absolute(term)
    loss = np.where(error == 0, 0.0, error / np.abs(term.values))
    return np.where(loss <= _FIRST_ORDER, loss * _SECOND, math.inf)


def _error_of_power(values: FloatArray, terms: Sequence[Rounded]) -> FloatArray:
    base, exponent = terms
    size = np.abs(exponent.values)
    moved = size * _loss(base)
    moved = np.where(moved <= _FIRST_ORDER, moved * _SECOND, math.inf)
    if exponent.relative != 0:
        moved = moved + absolute(exponent) * max(abs(base.low), abs(base.high))
    return _times(np.abs(values), moved + LIBRARY)


def _times(size: FloatArray, error: FloatArray | float) -> FloatArray:
    """Return a product that is 0 only where the error is: a value of 0 with no digit left is certain of nothing."""
    return np.where(np.isinf(error), math.inf, size * error)


def _error_of_logarithm(values: FloatArray, terms: Sequence[Rounded]) -> FloatArray:
    return LIBRARY * np.abs(values) + _loss(terms[0])


def _error_of_relative_entropy(values: FloatArray, terms: Sequence[Rounded]) -> FloatArray:
    """Return the error of x*log(x/y): its slopes are log(x/y) + 1 and -x/y; what log1p loses is in the other terms."""
    x, y = terms
    error = np.abs(values) * (_loss(x) + LIBRARY + 4) + np.abs(x.values) * (_loss(x) + _loss(y))
    return np.where((x.values == 0) & (absolute(x) == 0), 0.0, error)


def _error_of_correlation(values: FloatArray, terms: Sequence[Rounded]) -> FloatArray:
    covariance, first, second = terms
    scale = np.sqrt(np.abs(first.values)) * np.sqrt(np.abs(second.values))
    error = absolute(covariance) / scale + _times(np.abs(values), (_loss(first) + _loss(second)) / 2 + 4)
    exact = [(term.values == 0) & (absolute(term) == 0) for term in (first, second)]
    return np.where(exact[0] != exact[1], 0.0, error)


def _error_of_f_measure(values: FloatArray, terms: Sequence[Rounded]) -> FloatArray:
    """Return the error of the F-measure, of which each slope is at most (1 + beta**2) or as much over beta**2."""
    precision, recall, beta = terms
    square = beta.values**2
    below = square * precision.values + recall.values
    errors = [absolute(precision), absolute(recall)]
    loss = (square * errors[0] + errors[1]) / np.abs(below)
    moved = (1 + square) * (errors[0] + errors[1] / square) * _SECOND
    is_first_order = (loss <= _FIRST_ORDER) & (precision.values >= 0) & (recall.values >= 0)
    own = np.abs(values) * (4 * (beta.relative or 0.0) + 10)
    none = (precision.values == 0) & (recall.values == 0) & (errors[0] == 0) & (errors[1] == 0)
    return np.where(none, 0.0, np.where(is_first_order, moved + own, math.inf))


def _error_of_extreme(_: FloatArray, terms: Sequence[Rounded]) -> FloatArray:
    return reduce(np.maximum, [absolute(term) for term in terms])


_ERRORS: Final[dict[Any, Callable[[FloatArray, Sequence[Rounded]], FloatArray]]] = {
    Add: _error_of_sum,
    Mul: _error_of_product,
    Pow: _error_of_power,
    Max: _error_of_extreme,
    Min: _error_of_extreme,
    Abs: _error_of_extreme,
    log: _error_of_logarithm,
    RelativeEntropy: _error_of_relative_entropy,
    Correlation: _error_of_correlation,
    FMeasure: _error_of_f_measure,
}
"""The absolute error of each value from the arguments and their errors."""
