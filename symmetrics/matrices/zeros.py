"""Matrices of symbols and zeros: what a definition becomes there, as far as it is known."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Final

from sympy import Dummy, Expr, Poly, S, fraction, together

from symmetrics.algebra.convert import convert, field_for
from symmetrics.algebra.evaluate import Evaluator, certain_sign
from symmetrics.algebra.limits.extension import extension_of
from symmetrics.claims.comparison import Arguments
from symmetrics.claims.property import other
from symmetrics.language.cells import CELLS, parameter_symbol
from symmetrics.matrices.expansion import Expansion
from symmetrics.tools.errors import UnsupportedError

__all__ = ["UNKNOWN", "WithZeros", "or_none"]

UNKNOWN: Final = Dummy("unknown")
"""The value of a class whose limit, where some of its cells are 0, is not known."""
FACTOR: Final = other("a")
"""The name of a common factor of cells."""


def or_none(value: Callable[[], Expr]) -> Expr:
    """Return a value, nan where SymPy refuses to compare what has none."""
    try:
        return value()
    except (TypeError, ValueError):
        return S.NaN


class WithZeros(Expansion):
    """A matrix of symbols, for positive numbers, and zeros: where a class is 0/0 it has its limit, or is left out.

    It is left out only where it is known that there is no limit.
    """

    def _value(self, body: Expr, cells: Arguments) -> Expr:
        value = or_none(lambda: super(WithZeros, self)._value(body, cells))
        if not value.has(S.NaN, S.ComplexInfinity):
            return value
        if not body.free_symbols <= set(CELLS):
            return UNKNOWN
        extension = extension_of(body)
        face = frozenset(cell.name for cell, entry in zip(CELLS, cells, strict=True) if entry == 0)
        limit = extension.on_face(face)
        if limit is not None and not extension.guards_on_face(face):
            return limit.xreplace(dict(zip(CELLS, cells, strict=True)))
        if _is_positive(body) and extension_of(1 / body).on_face(face) == 0:
            return S.Infinity
        return self.undefined if has_no_limit(body, face) else UNKNOWN


def _is_positive(body: Expr) -> bool:
    """Whether a formula is a quotient of polynomials whose coefficients are all positive."""
    parts = fraction(together(body))
    polynomials = all(part.is_polynomial(*CELLS) for part in parts)
    return polynomials and all(c > 0 for part in parts for c in Poly(part, *CELLS).coeffs())


def has_no_limit(body: Expr, face: frozenset[str]) -> bool:
    """Whether a formula is known to tend to no value where some cells tend to zero, whatever the others are.

    It does not where it depends on these cells alone, and on nothing but their ratios, which may be any on the way.
    That no limit was found would not do.

    >>> from symmetrics.language.cells import FN, TN, TP
    >>> face = frozenset({"TP", "FN", "FP"})
    >>> has_no_limit(TP / (TP + FN), face), has_no_limit(TP**2 / (TP + FN), face), has_no_limit(TP / (TP + TN), face)
    (True, False, False)
    """
    moved = [cell for cell in CELLS if cell.name in face]
    if not body.free_symbols <= set(moved):
        return False
    factor = parameter_symbol(FACTOR)
    try:
        scaled = body.xreplace({cell: factor * cell for cell in moved})
        if not convert(scaled - body, field_for((), (FACTOR,))).is_zero:
            return False
        values = [extension_of(body).value(*(2 if cell == more else 1 for cell in CELLS)) for more in moved]
        known = [value for value in values if value.is_finite]
        pairs = itertools.combinations(known, 2)
        return any(certain_sign(Evaluator(first - second, ())) in (1, -1) for first, second in pairs)
    except UnsupportedError:
        return False
