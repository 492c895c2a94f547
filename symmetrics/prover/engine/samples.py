"""Values of formulas at sample tables: they suggest what may hold, and exact arithmetic then decides it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any, Final

from flint import ctx, fmpq
from sympy import Expr, Rational

from symmetrics.algebra.evaluate import Evaluator, Undefined
from symmetrics.claims.verdict import Counts
from symmetrics.language.cells import CELLS
from symmetrics.prover.engine.witnesses import tables_of_total

__all__ = ["GENERIC", "SMALL", "Counted", "Sampled", "counts_of", "order_of", "sampled"]

Counted = tuple[int | Fraction, ...]
"""Four positive cells."""
BITS: Final = 400
"""Precision at which numbers are read off from values."""


def _generic(count: int) -> tuple[Counted, ...]:
    """Return tables without relations between their cells, of several shapes and scales."""
    random = Random(20240229)
    tables = []
    for place in range(count):
        largest = (30, 200, 5000)[place % 3]
        tp, fn, fp, tn = (random.randint(2, largest) for _ in range(4))
        tables.append((tp, fn, fp, tn))
    return tuple(tables)


GENERIC: Final = _generic(48)
"""Tables at which different functions have different values."""
SMALL: Final[tuple[Counted, ...]] = tuple(table for total in range(4, 9) for table in tables_of_total(total))
"""The smallest tables of positive integers, in order."""


class Sampled:
    """A formula without parameters, with its values at tables, each computed once.

    :raises UnsupportedError: if the formula cannot be evaluated
    """

    def __init__(self, formula: Expr) -> None:
        self.formula = formula
        self._evaluate: Callable[..., Any] = Evaluator(formula, CELLS)
        self._values: dict[Counted, Any] = {}
        self._exact: dict[Counted, Expr] = {}

    def at(self, table: Counted) -> Any:
        """Return the value at a table, an exact ``fmpq`` or a ball ``arb``, or None where none is certain."""
        if table not in self._values:
            saved, ctx.prec = ctx.prec, BITS
            try:
                value = self._evaluate(*table)
                self._values[table] = value if isinstance(value, fmpq) or value.is_finite() else None
            except Undefined:
                self._values[table] = None
            finally:
                ctx.prec = saved
        return self._values[table]

    def float_at(self, table: Counted) -> float:
        """Return the value at a table in floating point, nan where there is none."""
        value = self.at(table)
        if value is None:
            return float("nan")
        return float(int(value.p) / int(value.q)) if isinstance(value, fmpq) else float(value.mid())

    def exact_at(self, table: Counted) -> Expr:
        """Return the value at a table as SymPy has it."""
        if table not in self._exact:
            value = self.at(table)
            if isinstance(value, fmpq):
                self._exact[table] = Rational(int(value.p), int(value.q))
            else:
                self._exact[table] = self.formula.xreplace(dict(zip(CELLS, map(_rational, table), strict=True)))
        return self._exact[table]

    def is_less(self, other: Sampled, table: Counted) -> bool:
        """Whether the value at a table is certain to be less than another formula's there."""
        first, second = self.at(table), other.at(table)
        return first is not None and second is not None and bool(first < second)


@lru_cache(maxsize=4096)
def sampled(formula: Expr) -> Sampled:
    """Return the samples of a formula."""
    return Sampled(formula)


def order_of(formula: Sampled, first: Counted, second: Counted) -> int | None:
    """Return the sign of M(first) - M(second), or None where it is not certain."""
    left, right = formula.at(first), formula.at(second)
    if left is None or right is None:
        return None
    if bool(left < right) or bool(left > right):
        return -1 if bool(left < right) else 1
    if isinstance(left, fmpq) and isinstance(right, fmpq):
        return 0
    return 0 if formula.exact_at(first) == formula.exact_at(second) else None


def counts_of(tables: Sequence[Counted]) -> tuple[Counts, ...]:
    """Return tables as a witness has them."""
    return tuple(Counts(*(c if isinstance(c, int) else _rational(c) for c in table)) for table in tables)


def _rational(count: int | Fraction) -> Rational:
    return Rational(count.numerator, count.denominator)
