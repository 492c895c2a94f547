"""Detect values that lost digits to cancellation, and recompute them in ball arithmetic.

A bound on the rounding error runs along with a second evaluation of the formula; where it is too large the value is
computed again in ball arithmetic, with as many bits as it takes, and symbolically where no number of bits can tell
whether something is zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any, Final

import numpy as np
from flint import arb, ctx
from sympy import Expr, Pow, Rational, Symbol

from symmetrics.algebra.evaluate import Evaluator, Unclear, Undefined, certain_sign
from symmetrics.algebra.limits.extension import Extension
from symmetrics.language.cells import CELLS
from symmetrics.numeric.arrays import with_errors
from symmetrics.numeric.operations import NAMES, OPERATIONS
from symmetrics.numeric.program import Program
from symmetrics.numeric.rounding_rules import Array, Bounded
from symmetrics.tools.errors import UnsupportedError

MAX_BITS: Final = 1 << 14


class ErrorBound:
    """A compiled formula that returns its values with bounds on their rounding errors.

    >>> from sympy import Min
    >>> from symmetrics.language.cells import FN, TP
    >>> ones = np.ones(1)
    >>> values, errors = ErrorBound(TP - FN)(1e8 * ones, ones, ones, ones)
    >>> bool(errors[0] < 2e-8)
    True
    >>> (least,), (error,) = ErrorBound(Min(TP - FN, TP))(3 * ones, ones, ones, ones)
    >>> float(least), bool(0 < error < 1e-15)
    (2.0, True)
    """

    def __init__(self, expression: Expr) -> None:
        self.program = Program()
        self.place = as_written(expression, self.program)

    def __call__(self, *cells: Array) -> Bounded:
        """Return values and error bounds at arrays of counts, which are taken as exact."""
        with np.errstate(all="ignore"):
            # Sums of integers count as rounded, so that values with cancellation are recomputed with all digits.
            return with_errors(self.program, self.place, cells, are_exact_sums_known=False)


def as_written(node: Expr, program: Program) -> int:
    """Add an expression to a program without rearranging it; return its index.

    :raises UnsupportedError: on functions outside the language, and on symbols other than cells
    """
    if node in CELLS:
        return program.add("cell", CELLS.index(node))
    if isinstance(node, Symbol) or (isinstance(node, Pow) and node.exp.free_symbols):
        raise UnsupportedError(f"{node} has no value at a table")
    if not node.args:
        return program.add("number", _exact(node))
    parts = [as_written(part, program) for part in (node.args[:1] if isinstance(node, Pow) else node.args)]
    if isinstance(node, Pow):
        return program.add("power", parts[0], _exact(node.exp))
    name = NAMES.get(type(node).__name__)
    if name is None:
        raise UnsupportedError(f"{type(node).__name__} has no value at a table")
    if OPERATIONS[name].arguments == 1:
        return program.add(name, *parts)
    return reduce(lambda left, right: program.add(name, left, right), parts)


def _exact(number: Expr) -> Any:
    return Fraction(int(number.p), int(number.q)) if isinstance(number, Rational) else number


def recompute(extension: Extension, tables: Array, accuracy: float, *, have_values: bool) -> Array:
    """Return values to the required accuracy, nan where the formula is undefined; one table at a time.

    :param tables: counts of shape (4, number of tables)
    :param accuracy: the largest error to accept, absolute below 1 and relative above
    :param have_values: whether floating point found values, perhaps through infinite steps such as 1/log(0)
    """
    evaluator = Evaluator(extension.expression, CELLS)
    conditions = [Evaluator(condition, CELLS) for condition in extension.conditions]
    counts = ([Fraction(count) for count in table] for table in tables.T.tolist())
    return np.array(
        [
            float("nan")  # the form in lowest terms has roots of absolute values
            if any(_is_negative(condition, table) for condition in conditions)
            else _value(evaluator, extension, table, accuracy, have_values)
            for table in counts
        ],
        dtype=np.float64,
    )


def _value(
    evaluator: Evaluator, extension: Extension, counts: Sequence[Fraction], accuracy: float, has_value: bool
) -> float:
    try:
        found = _rounded(lambda: evaluator(*counts), accuracy)
    except Undefined:
        if not has_value:
            return float("nan")
        found = None
    if found is not None:
        return found
    # No finite precision proves that a number is zero: decide symbolically.
    try:
        value = extension.value(*(Rational(count.numerator, count.denominator) for count in counts))
    except (TypeError, ValueError):  # SymPy raises these for a sign that it cannot decide, or a root of a large number
        return float("nan")
    return _float_of(value, accuracy)


def _rounded(evaluate: Callable[[], Any], accuracy: float) -> float | None:
    """Evaluate with increasing precision; None if the largest does not suffice.

    :raises Undefined: where there is no value
    """
    saved, bits = ctx.prec, 128
    try:
        while bits <= MAX_BITS:
            ctx.prec = bits
            bits *= 4
            try:
                value = arb(evaluate())
            except Unclear:
                continue
            # Precise enough if the ball is at most a quarter of the accuracy wide (absolute below 1, relative above).
            radius, middle = value.rad(), value.mid()  # as floats, both may be infinite
            if value.is_finite() and (radius <= accuracy / 4 or radius <= accuracy / 4 * abs(middle)):
                return float(middle)
    finally:
        ctx.prec = saved
    return None


def _float_of(value: Expr, accuracy: float) -> float:
    """Convert an exact number to a float; avoids SymPy's evalf, which may lose all digits to cancellation.

    >>> from sympy import log
    >>> tiny = Rational(1, 10**150)
    >>> _float_of((log(1 + tiny) - log(1)) / tiny, 1e-12)
    1.0
    """
    if value.is_Rational or value.is_finite is False:
        return float(value) if value.is_extended_real else float("nan")
    try:
        found = _rounded(Evaluator(value, ()), accuracy)
    except (Undefined, UnsupportedError):
        found = None
    return float("nan") if found is None else found


def is_nonzero(evaluator: Evaluator, counts: Sequence[Fraction]) -> bool:
    """Whether an expression is certainly non-zero at a table, in ball arithmetic.

    >>> from symmetrics.language.cells import FN, TP
    >>> is_nonzero(Evaluator(TP - FN, CELLS), [Fraction(10**20 + 1), Fraction(10**20), Fraction(0), Fraction(0)])
    True
    """
    try:
        return bool(certain_sign(lambda: evaluator(*counts), MAX_BITS))
    except Undefined:
        return False


def _is_negative(evaluator: Evaluator, counts: Sequence[Fraction]) -> bool:
    """Whether a condition is certainly violated at a table."""
    try:
        return certain_sign(lambda: evaluator(*counts), MAX_BITS) == -1
    except Undefined:
        return False
