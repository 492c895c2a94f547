"""Running error analysis of matrix metrics (Wilkinson 1986): each value carries a bound of its error.

A value whose relative error is the same small number of roundings at all matrices, as that of a sum of positive terms
or of a quotient of such sums, needs no array for it.  Whole numbers up to 2**53 are exact.  Only where terms of either
sign are added does a bound for each matrix run along.  Bounds are of the first order; where an operand of a division,
a root or a logarithm has lost all but three digits, what is beyond that order counts, and the bound is infinite.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial, reduce
from typing import Any, Final, NamedTuple

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray
from sympy import Abs, Add, Expr, Max, Min, Mul, Number, Pow, Symbol, lambdify, log

from symmetrics.algebra.evaluate import Unclear, Undefined
from symmetrics.data.counts import Cells, FloatArray
from symmetrics.language.cells import CELLS
from symmetrics.matrices.nodes import FMeasure
from symmetrics.numeric.compiled import evaluate
from symmetrics.numeric.rounding_rules import DIGITS, LIBRARY, UNIT

LIMIT: Final = 9e-13
"""Largest error of an accepted value: absolute below 1, relative above."""
MANY: Final = 2.0**26
"""Number of examples from which on the relative error has to be small, even for tiny values."""
LARGEST: Final = 960.0
"""Power of two beyond which overflow or underflow is possible."""
_FEW: Final = 64
"""Size of matrices up to which entries are summed in one pass, which is faster than axis by axis."""
FIRST_ORDER: Final = 2.0**-10 / UNIT
"""Relative error, in rounding units, below which second-order terms are negligible."""
SECOND: Final = 1.01
"""Factor on first-order bounds that covers the neglected terms."""


class Rounded(NamedTuple):
    """Values with error bounds, in units of one rounding (2**-53).

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
    """Return values with a known relative error.

    >>> as_rounded(np.array([0.0, 0.5, 8.0]), 0.0)[3:5]
    (-1.0, 3.0)
    """
    sizes = np.abs(values[np.isfinite(values) & (values != 0)])
    low, high = (float(np.log2(end)) for end in (sizes.min(), sizes.max())) if sizes.size else (0.0, 0.0)
    return Rounded(values, relative, None, low, high, sign=sign)


def absolute(term: Rounded) -> FloatArray:
    """Return the absolute error bound of each value, 0 where the value is certainly infinite or undefined."""
    if term.relative is None:
        return np.asarray(term.error)
    error = term.relative * np.abs(term.values)
    return error if np.isfinite(error).all() else np.where(np.isfinite(term.values), error, 0.0)


def doubtful(found: Rounded, totals: FloatArray) -> NDArray[np.bool_]:
    """Mask of values whose error may exceed 1e-12, relative, or absolute for values below 1.

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
    """Return a sum over classes with its error: that of the terms, and that of the additions.

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
    """Return a sum over axes; an axis of length 1 stands for equal terms of all classes."""
    repeated = math.prod(classes for axis in axes if values.shape[axis] == 1)
    if classes**2 <= _FEW:
        return np.asarray(values.sum(axis=axes, keepdims=True) * repeated)
    for axis in axes:  # pairwise per axis, so that few roundings accumulate
        values = values.sum(axis=axis, keepdims=True)
    return np.asarray(values * repeated)


def is_one_number(values: FloatArray) -> bool:
    """Whether all values are equal.

    >>> is_one_number(np.array([2.0, 2.0])), is_one_number(np.array([2.0, 3.0])), is_one_number(np.array([]))
    (True, False, False)
    """
    return values.size > 0 and bool((values == values.flat[0]).all())


def number_in(term: Rounded) -> float:
    """Return the common value of an exponent at all matrices; nan if it varies."""
    return float(term.values.flat[0]) if is_one_number(term.values) else math.nan


def settled(found: Rounded, terms: Sequence[Rounded], axes: tuple[int, ...] = ()) -> Rounded:
    """Set the error to 0 for values that are certainly infinite or undefined, and to infinity for uncertain ones.

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
    """Return the sign of a function, given the signs of its arguments; 0 if it may have either."""
    signs = {term.sign for term in (terms[:1] if kind is Pow else terms)}
    if kind is Abs or (kind is Pow and number_in(terms[1]) % 2 == 0):
        return 1
    if kind is Mul:
        return math.prod(term.sign for term in terms)
    if kind in (Add, Max, Min) and len(signs) == 1:
        return signs.pop()
    return 1 if kind in (Pow, FMeasure) and signs == {1} else 0


def known(terms: Sequence[Rounded]) -> list[float]:
    """Return the relative errors of terms, 0 for those with an individual bound per value."""
    return [term.relative or 0.0 for term in terms]


def loss(term: Rounded) -> FloatArray | float:
    """Return the condition number of an argument, which is less certain the smaller it is.

    It is infinite where what is beyond the first order counts.
    """
    if term.relative is not None:
        return term.relative if term.relative <= FIRST_ORDER else math.inf
    error = absolute(term)
    lost = np.where(error == 0, 0.0, error / np.abs(term.values))
    return np.where(lost <= FIRST_ORDER, lost * SECOND, math.inf)


def times(size: FloatArray, error: FloatArray | float) -> FloatArray:
    """Multiply sizes by relative errors; an infinite error stays infinite where the size is 0."""
    return np.where(np.isinf(error), math.inf, size * error)


# -- Exact arithmetic at one matrix: rationals, balls of high precision for roots, and poles ---------------------------

# A quotient by zero is a pole, of either sign; one over a pole is 0, and values that depend on the approach to a pole
# are undefined.


Value = Any
"""An exact ``fmpq``, or a ball ``arb`` that certainly contains the value."""


class Pole(ArithmeticError):
    """Marks an infinite value of either sign; rules use the class itself as the value."""


def added(terms: Sequence[Value]) -> Value:
    """Return an exact sum; undefined for two poles, whose signs are unknown."""
    poles = sum(term is Pole for term in terms)
    if poles:
        raise (Pole if poles == 1 else Undefined)("poles of either sign")
    return sum(terms, fmpq(0))


def multiplied(factors: Sequence[Value]) -> Value:
    """Return an exact product; undefined for a pole times 0."""
    finite = [factor for factor in factors if factor is not Pole]
    product: Value = math.prod(finite, start=fmpq(1))
    if len(finite) == len(factors):
        return product
    raise (Pole if is_nonzero(product) else Undefined)("a pole")


def power(values: Sequence[Value]) -> Value:
    """Return an exact power: 0 and a pole are reciprocal, and a negative base has no root."""
    base, exponent = values
    if exponent is Pole:
        raise Undefined("an infinite exponent")
    rises = exponent >= 0 or not is_nonzero(exponent)
    if base is Pole:
        if rises:
            raise Pole
        return fmpq(0)
    if not rises and not is_nonzero(base):
        raise Pole
    if isinstance(exponent, fmpq) and exponent.q == 1:
        return base ** int(exponent.p)
    if isinstance(base, fmpq) and base == 0:
        return fmpq(0)
    if not base > 0:
        raise (Undefined if base < 0 else Unclear)("a root of a negative number")
    if isinstance(exponent, fmpq) and exponent.q == 2:
        return _root(base) ** int(exponent.p)
    return arb(base) ** arb(exponent)


def _root(value: Value) -> Value:
    """Return a square root, exact where it is rational."""
    if isinstance(value, fmpq):
        top, bottom = math.isqrt(int(value.p)), math.isqrt(int(value.q))
        if top**2 == value.p and bottom**2 == value.q:
            return fmpq(top, bottom)
    return arb(value).sqrt()


def logarithm(values: Sequence[Value]) -> Value:
    """Return an exact logarithm, with a pole at 0."""
    (value,) = values
    if value is Pole or (isinstance(value, fmpq) and value == 0):
        raise Pole
    if not value > 0:
        raise (Undefined if value < 0 else Unclear)("a logarithm of a negative number")
    return fmpq(0) if isinstance(value, fmpq) and value == 1 else arb(value).log()


def largest(values: Sequence[Value]) -> Value:
    """Return the largest of exact values; undefined if one is a pole, whose sign is unknown."""
    if any(value is Pole for value in values):
        raise Undefined("an extreme of a pole")
    if all(isinstance(value, fmpq) for value in values):
        return max(values)
    return reduce(lambda most, value: most.max(arb(value)), values[1:], arb(values[0]))


def smallest(values: Sequence[Value]) -> Value:
    """Return the smallest of exact values, as minus the largest of their negatives."""
    return -largest([value if value is Pole else -value for value in values])


def magnitude(values: Sequence[Value]) -> Value:
    """Return an exact absolute value."""
    if values[0] is Pole:
        raise Pole
    return abs(values[0])


def is_nonzero(value: Value) -> bool:
    """Whether an exact value is other than 0."""
    if not isinstance(value, fmpq) and not (value > 0 or value < 0):
        raise Unclear("a value near 0")
    return bool(value != 0)


def part(rule: Callable[..., Value], *arguments: Any) -> Value:
    """Return the result of a rule, in which poles are ordinary values."""
    try:
        return rule(*arguments)
    except Pole:
        return Pole


# ----------------------------------------------------------------------------------------------------------------------
# Binary metrics inside class means: evaluation and rounding error.


@lru_cache(maxsize=64)
def measure_of(body: Expr) -> Callable[[Cells], FloatArray]:
    """Return a binary metric as a function of cells.

    A formula without subtraction loses no digits as it is written, so that only where it has no finite value is there
    a limit to look for.
    """
    if _has_subtraction(body):
        return partial(evaluate, body)
    direct = lambdify(CELLS, body, modules="numpy")

    def measure(cells: Cells) -> FloatArray:
        values = np.array(np.broadcast_to(direct(*cells), cells.tp.shape), dtype=np.float64)
        open_places = np.nonzero(~np.isfinite(values))
        if open_places[0].size:
            values[open_places] = evaluate(body, Cells(*(cell[open_places] for cell in cells)))
        return values

    return measure


def _has_subtraction(body: Expr) -> bool:
    return any(isinstance(node, Number) and node.is_negative for node in _coefficients(body))


@lru_cache(maxsize=64)
def relative_error_of(body: Expr, of_cells: float) -> float | None:
    """Return the relative error of a binary metric without cancellation, in rounding units; None for others.

    :param of_cells: that of the cells

    >>> relative_error_of(CELLS[0] / (CELLS[0] + CELLS[1]), 0.0), relative_error_of(CELLS[0] - CELLS[1], 0.0)
    (10.0, None)
    """
    if _has_subtraction(body) or body.has(log):
        return None
    if isinstance(body, Pow):
        return abs(float(body.exp)) * (relative_error_of(body.base, of_cells) or 0.0) + LIBRARY
    if not body.args:
        return of_cells if isinstance(body, Symbol) else 1.0
    parts = [relative_error_of(part, of_cells) or 0.0 for part in body.args]
    return (sum(parts) if isinstance(body, Mul) else max(parts)) + len(parts) - 1


def _coefficients(body: Expr) -> set[Expr]:
    """Return the numbers in a formula, except exponents."""
    if isinstance(body, Pow):
        return _coefficients(body.base)
    return {body} if not body.args else set().union(*map(_coefficients, body.args))
