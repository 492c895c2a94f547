"""The operations of the language of matrices, one record each: values, exact values, derivatives and rounding.

A sum here has any number of terms, and a bound of its error is counted in roundings.  What an operation of the language
has in common with one on two floats is read from the table of these (:mod:`symmetrics.numeric.operations`); what is
written out here is how roots, logarithms and quotients behave where an argument is zero, infinite or has lost digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any, Final, NamedTuple

import numpy as np
from flint import fmpq
from sympy import Abs, Add, Expr, Max, Min, Mul, Pow, log

from symmetrics.algebra.evaluate import Undefined
from symmetrics.data.counts import FloatArray
from symmetrics.matrices.arithmetic import (
    FIRST_ORDER,
    SECOND,
    Pole,
    Rounded,
    Value,
    absolute,
    added,
    is_nonzero,
    is_one_number,
    known,
    largest,
    logarithm,
    loss,
    magnitude,
    multiplied,
    number_in,
    part,
    power,
    sign_of,
    smallest,
    times,
)
from symmetrics.matrices.nodes import Continued, Correlation, FMeasure, RelativeEntropy
from symmetrics.numeric.operations import NAMES, OPERATIONS
from symmetrics.numeric.rounding_rules import DIGITS, LIBRARY, UNIT, Facts
from symmetrics.tools.errors import UnsupportedError

Terms = Sequence[Rounded]
Ends = tuple[float, float]
"""Powers of two that bound non-zero values."""


class MatrixOperation(NamedTuple):
    """One operation of the language.

    :param values: float64 values from arrays
    :param exact: the exact value from exact ones, of which each may be :class:`Pole`
    :param slopes: the derivatives by each argument at arrays of their values
    :param magnitude: the powers of two of the value from those of the arguments
    :param relative: the relative error in roundings from those of the arguments; None if it differs between matrices
    :param error: the absolute error of each value, in roundings, from the arguments with their errors
    """

    values: Callable[..., FloatArray]
    exact: Callable[[Sequence[Value]], Value]
    slopes: Callable[..., list[FloatArray]]
    magnitude: Callable[[Terms], Ends]
    relative: Callable[[Terms], float | None]
    error: Callable[[FloatArray, Terms], FloatArray]


def operation_of(expression: Expr) -> tuple[Any, MatrixOperation]:
    """Return the outermost operation of an expression: its class, and its record.

    :raises UnsupportedError: if there is none
    """
    kind = next((kind for kind in MATRIX_OPERATIONS if isinstance(expression, kind)), None)
    if kind is None:
        raise UnsupportedError(f"{expression} is outside the language of metrics of matrices, or not bound to a value")
    return kind, MATRIX_OPERATIONS[kind]


# -- operations taken from the table of operations on floats -----------------------------------------------------------


def _of_table(
    kind: Any, exact: Callable[[Sequence[Value]], Value], slopes: Callable[..., list[FloatArray]], **own: Any
) -> MatrixOperation:
    """Return an operation on floats, folded over its terms; *own* overrides rules."""
    operation, facts = OPERATIONS[NAMES[kind.__name__]], Facts(1.0, False, False, False)
    function = operation.function

    def relative(left: float | None, right: float | None) -> float | None:
        return operation.relative([left, right], facts)  # type: ignore[list-item]  # this rule never gives None

    def error(left: tuple[FloatArray, FloatArray], right: tuple[FloatArray, FloatArray]) -> Any:
        value = function(left[0], right[0])
        return value, operation.error(value, left, right)

    def of_all(rule: Callable[..., Any], terms: Sequence[Any], of_one: Callable[[Any], Any]) -> Any:
        return reduce(rule, terms) if operation.arguments == 2 else of_one(terms[0])

    rules = {
        "values": lambda *terms: of_all(function, terms, function),
        "magnitude": lambda terms: operation.magnitude(None, (), [(term.low, term.high) for term in terms]),
        "relative": lambda terms: of_all(relative, known(terms), lambda one: operation.relative([one], facts)),
        # The table's rules are for absolute errors; here errors are counted in rounding units.
        "error": lambda values, terms: (
            of_all(
                error,
                [(term.values, absolute(term) * UNIT) for term in terms],
                lambda one: (values, operation.error(values, one)),
            )[1]
            / UNIT
        ),
    }
    return MatrixOperation(exact=exact, slopes=slopes, **(rules | own))


# -- sums and products -------------------------------------------------------------------------------------------------


def _magnitude_of_sum(terms: Terms) -> Ends:
    low, high = min(term.low for term in terms), max(term.high for term in terms) + math.log2(len(terms))
    if all(term.is_whole for term in terms):
        return 0.0, high
    return low if sign_of(Add, terms) else low - DIGITS, high


def _relative_of_sum(terms: Terms) -> float | None:
    # Terms of one sign do not cancel; the difference of two exact floats is rounded once.
    errors = known(terms)
    if sign_of(Add, terms):
        return max(errors) + len(terms) - 1
    return 1.0 if len(terms) == 2 and not any(errors) else None


def _error_of_sum(values: FloatArray, terms: Terms) -> FloatArray:
    own = np.abs(values) if len(terms) == 2 else (len(terms) - 1) * reduce(np.add, [np.abs(t.values) for t in terms])
    return reduce(np.add, [absolute(term) for term in terms if term.relative != 0], own)


def _slopes_of_product(*factors: FloatArray) -> list[FloatArray]:
    return [reduce(np.multiply, (*factors[:place], *factors[place + 1 :])) for place in range(len(factors))]


def _error_of_product(values: FloatArray, terms: Terms) -> FloatArray:
    # Factors with one relative error at all matrices first; then |a| db + |b| da + da db for each of the others.
    uniform = [term for term in terms if term.relative is not None]
    roundings = sum(known(uniform)) + len(terms) - 1
    value, error = reduce(np.multiply, [term.values for term in uniform], np.ones(())), np.zeros(())
    for term in terms:
        if term.relative is None:
            of_term = absolute(term)
            error = np.abs(value) * of_term + (np.abs(term.values) + UNIT * of_term) * error
            value = value * term.values
    return error * SECOND + roundings * np.abs(values)


# -- powers and logarithms ---------------------------------------------------------------------------------------------


def _powers(base: FloatArray, exponent: FloatArray) -> FloatArray:
    """Return powers, fast where all exponents are one; corrects NumPy, which takes roots of -inf to be infinite."""
    value = base ** (exponent.flat[0] if is_one_number(exponent) else exponent)
    return np.where((base < 0) & (exponent != np.rint(exponent)), math.nan, value)


def _slopes_of_power(base: FloatArray, exponent: FloatArray) -> list[FloatArray]:
    power = exponent.flat[0] if is_one_number(exponent) else exponent
    return [power * base ** (power - 1), base**power * np.log(base)]


def _magnitude_of_power(terms: Terms) -> Ends:
    base, exponent = terms
    power = number_in(exponent)
    if math.isnan(power):
        return -math.inf, math.inf
    ends = sorted(power * end for end in (base.low, base.high))
    return ends[0], ends[1]


def _relative_of_power(terms: Terms) -> float | None:
    base, exponent = terms
    size = abs(number_in(exponent))
    moved = size * (base.relative or 0.0)
    by_exponent = (exponent.relative or 0.0) * size * max(abs(base.low), abs(base.high))
    return moved * SECOND + by_exponent + LIBRARY if moved <= FIRST_ORDER else None


def _error_of_power(values: FloatArray, terms: Terms) -> FloatArray:
    base, exponent = terms
    size = np.abs(exponent.values)
    moved = size * loss(base)
    moved = np.where(moved <= FIRST_ORDER, moved * SECOND, math.inf)
    if exponent.relative != 0:
        moved = moved + absolute(exponent) * max(abs(base.low), abs(base.high))
    return times(np.abs(values), moved + LIBRARY)


# -- extremes ----------------------------------------------------------------------------------------------------------


def _slopes_of_extreme(extreme: Callable[..., FloatArray], *terms: FloatArray) -> list[FloatArray]:
    """Return 1 for the extreme term; at ties equal shares, the mean of the one-sided derivatives."""
    is_extreme = [term == reduce(extreme, terms) for term in terms]
    return [np.asarray(one / sum(is_extreme)) for one in is_extreme]


# -- functions with a limit 0 where some arguments vanish (``Continued``) ----------------------------------------------


def _continued(
    kind: type[Continued],
    formula: Callable[..., FloatArray],
    exactly: Callable[..., Value],
    slopes: Callable[..., list[FloatArray]],
    ends: Callable[[Terms], Ends],
    relative: Callable[[Terms], float | None],
    bound: Callable[..., FloatArray],
) -> MatrixOperation:
    """Return an operation with the limit 0 where its arguments vanish, and ordinary rules elsewhere."""

    def values(*arrays: FloatArray) -> FloatArray:
        are_zero = [array == 0 for array in arrays[kind.vanishing]]
        return np.where(kind.has_limit(*are_zero), 0.0, formula(*arrays))

    def exact(values: Sequence[Value]) -> Value:
        are_zero = [value is not Pole and not is_nonzero(value) for value in values[kind.vanishing]]
        return fmpq(0) if kind.has_limit(*are_zero) else exactly(are_zero, *values)

    def error(values: FloatArray, terms: Terms) -> FloatArray:
        # No error where the vanishing arguments are exact.
        are_zero = [(term.values == 0) & (absolute(term) == 0) for term in terms[kind.vanishing]]
        return np.where(kind.has_limit(*are_zero), 0.0, bound(values, *terms))

    return MatrixOperation(values, exact, slopes, ends, relative, error)


def _relative_entropy(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return x*log(x/y), with log1p where x and y are close and the quotient would lose digits."""
    x, y = np.broadcast_arrays(x, y)
    near = 2 * x > y
    relative = np.where(near, (x - y) / y, x / y)
    return np.asarray(x * np.log1p(relative, out=np.log(relative), where=near))


def _exact_relative_entropy(_: Any, x: Value, y: Value) -> Value:
    return multiplied([x, part(logarithm, [part(multiplied, [x, part(power, [y, fmpq(-1)])])])])


def _slopes_of_relative_entropy(x: FloatArray, y: FloatArray) -> list[FloatArray]:
    return [np.log(x / y) + 1, -x / y]


def _magnitude_of_relative_entropy(terms: Terms) -> Ends:
    x, y = terms
    size = math.log2(max(abs(x.low - y.high), abs(x.high - y.low), 1.0))
    return x.low - DIGITS - 1, x.high + size


def _error_of_relative_entropy(values: FloatArray, x: Rounded, y: Rounded) -> FloatArray:
    """Return the error of x*log(x/y): its slopes are log(x/y) + 1 and -x/y; the other terms cover that of log1p."""
    return np.abs(values) * (loss(x) + LIBRARY + 4) + np.abs(x.values) * (loss(x) + loss(y))


def _correlation(covariance: FloatArray, first: FloatArray, second: FloatArray) -> FloatArray:
    value = covariance / np.sqrt(np.abs(first)) / np.sqrt(np.abs(second))
    return np.where(np.sign(first) * np.sign(second) < 0, math.nan, value)


def _exact_correlation(are_zero: Sequence[bool], covariance: Value, *variances: Value) -> Value:
    if all(are_zero):
        raise Undefined("neither of the two varies")
    return multiplied([covariance, part(power, [part(multiplied, variances), fmpq(-1, 2)])])


def _slopes_of_correlation(covariance: FloatArray, first: FloatArray, second: FloatArray) -> list[FloatArray]:
    whole = 1 / np.sqrt(first) / np.sqrt(second)
    return [whole, -covariance * whole / first / 2, -covariance * whole / second / 2]


def _magnitude_of_correlation(terms: Terms) -> Ends:
    covariance, first, second = terms
    return covariance.low - (first.high + second.high) / 2, covariance.high - (first.low + second.low) / 2


def _error_of_correlation(values: FloatArray, covariance: Rounded, first: Rounded, second: Rounded) -> FloatArray:
    scale = np.sqrt(np.abs(first.values)) * np.sqrt(np.abs(second.values))
    return np.asarray(absolute(covariance) / scale + times(np.abs(values), (loss(first) + loss(second)) / 2 + 4))


def _exact_f_measure(_: Any, precision: Value, recall: Value, beta: Value) -> Value:
    if precision is Pole or recall is Pole:
        raise Pole
    below = part(power, [beta**2 * precision + recall, fmpq(-1)])
    return multiplied([1 + beta**2, precision, recall, below])


def _slopes_of_f_measure(precision: FloatArray, recall: FloatArray, beta: FloatArray) -> list[FloatArray]:
    square = beta**2
    common = (1 + square) / (square * precision + recall) ** 2
    return [common * recall**2, common * square * precision**2, np.zeros_like(beta)]


def _magnitude_of_f_measure(terms: Terms) -> Ends:
    precision, recall, beta = terms
    size = 2 * max(abs(beta.low), abs(beta.high)) + 2
    return precision.low + recall.low - max(precision.high, recall.high) - size, max(precision.high, recall.high) + size


def _relative_of_f_measure(terms: Terms) -> float | None:
    if not all(term.sign == 1 for term in terms):
        return None
    precision, recall, beta = known(terms)
    return precision + recall + max(precision, recall) + 4 * beta + 10


def _error_of_f_measure(values: FloatArray, precision: Rounded, recall: Rounded, beta: Rounded) -> FloatArray:
    """Return the error of the F-measure; its slopes are at most 1 + beta**2, and (1 + beta**2)/beta**2."""
    square = beta.values**2
    below = square * precision.values + recall.values
    errors = [absolute(precision), absolute(recall)]
    lost = (square * errors[0] + errors[1]) / np.abs(below)
    moved = (1 + square) * (errors[0] + errors[1] / square) * SECOND
    is_first_order = (lost <= FIRST_ORDER) & (precision.values >= 0) & (recall.values >= 0)
    own = np.abs(values) * (4 * (beta.relative or 0.0) + 10)
    return np.where(is_first_order, moved + own, math.inf)


# -- the table ---------------------------------------------------------------------------------------------------------

MATRIX_OPERATIONS: Final[dict[Any, MatrixOperation]] = {
    Add: _of_table(
        Add,
        added,
        lambda *terms: [np.ones_like(term) for term in terms],
        magnitude=_magnitude_of_sum,
        relative=_relative_of_sum,
        error=_error_of_sum,
    ),
    Mul: _of_table(Mul, multiplied, _slopes_of_product, error=_error_of_product),
    Pow: MatrixOperation(_powers, power, _slopes_of_power, _magnitude_of_power, _relative_of_power, _error_of_power),
    Max: _of_table(Max, largest, partial(_slopes_of_extreme, np.maximum)),
    Min: _of_table(Min, smallest, partial(_slopes_of_extreme, np.minimum)),
    Abs: _of_table(Abs, magnitude, lambda argument: [np.sign(argument)]),
    log: _of_table(
        log,
        logarithm,
        lambda argument: [1 / argument],
        magnitude=lambda terms: (-float(DIGITS), math.log2(max(abs(terms[0].low), abs(terms[0].high), 1.0))),
        relative=lambda terms: None if terms[0].relative else LIBRARY,
        error=lambda values, terms: LIBRARY * np.abs(values) + loss(terms[0]),
    ),
    RelativeEntropy: _continued(
        RelativeEntropy,
        _relative_entropy,
        _exact_relative_entropy,
        _slopes_of_relative_entropy,
        _magnitude_of_relative_entropy,
        lambda terms: None if any(known(terms)) else LIBRARY + 4,
        _error_of_relative_entropy,
    ),
    Correlation: _continued(
        Correlation,
        _correlation,
        _exact_correlation,
        _slopes_of_correlation,
        _magnitude_of_correlation,
        lambda terms: sum(known(terms)) + 4,
        _error_of_correlation,
    ),
    FMeasure: _continued(
        FMeasure,
        FMeasure.formula,
        _exact_f_measure,
        _slopes_of_f_measure,
        _magnitude_of_f_measure,
        _relative_of_f_measure,
        _error_of_f_measure,
    ),
}
