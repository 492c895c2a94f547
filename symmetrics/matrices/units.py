"""What becomes of a definition over a matrix if all entries are multiplied by one number, as in another unit."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from sympy import Abs, Add, Expr, Indexed, Max, Min, Mul, Pow, Rational, S, Sum, log

from symmetrics.language.cells import CELLS
from symmetrics.matrices.nodes import MEANS, Correlation, FMeasure, RelativeEntropy

__all__ = ["degree", "is_free_of_unit"]


@lru_cache(maxsize=256)
def is_free_of_unit(definition: Expr) -> bool:
    """Whether a definition is seen to have the same value at all multiples of a matrix.

    >>> from symmetrics.matrices import multiclass
    >>> is_free_of_unit(multiclass["kappa"].definition), is_free_of_unit(multiclass["kappa"].definition + CELLS[0])
    (True, False)
    """
    return degree(definition) == 0


def degree(expression: Expr) -> Rational | None:
    """Return the power of t by which an expression grows if all entries grow t times; None if no such power is seen.

    >>> from symmetrics.matrices.nodes import C, i, j, over
    >>> degree(over(C[i, i] * C[j, i], i, j)), degree(over(C[i, i], i) + 1)
    (2, None)
    """
    if isinstance(expression, Indexed) or expression in CELLS:
        return S.One
    if not expression.has(Indexed, *CELLS):
        return S.Zero
    if isinstance(expression, Pow) and expression.exp.is_Rational:
        base = degree(expression.base)
        return None if base is None else base * expression.exp
    arguments = expression.args[:1] if isinstance(expression, Sum) else expression.args
    parts = [degree(argument) for argument in arguments]
    known = [part for part in parts if part is not None]
    rule = next((rule for kinds, rule in _RULES if isinstance(expression, kinds)), None)
    return None if rule is None or len(known) < len(parts) else rule(*known)


def _alike(*parts: Rational) -> Rational | None:
    return parts[0] if len({*parts}) == 1 else None


def _none(*parts: Rational) -> Rational | None:
    return None if any(parts) else S.Zero


_RULES: Final[tuple[tuple[Any, Callable[..., Rational | None]], ...]] = (
    ((Add, Max, Min, Abs, Sum, RelativeEntropy, *MEANS), _alike),
    (Mul, lambda *parts: Add(*parts)),
    (Correlation, lambda covariance, first, second: covariance - (first + second) / 2),
    (FMeasure, lambda precision, recall, _: _alike(precision, recall)),
    ((log, Pow), _none),
)
"""The degree of a function from those of its arguments."""
