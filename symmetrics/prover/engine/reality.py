"""Formulas that are real at nearly all tables, so that a curve into a table runs where they have values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sympy import Abs, Expr, Max, Min, Pow

from symmetrics.algebra.convert import Conversion, field_for
from symmetrics.algebra.field import Element, Field
from symmetrics.algebra.limits.certainty import certain_sign
from symmetrics.algebra.pieces import smooth_pieces
from symmetrics.language.cells import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.prover.engine.obstacles import RADICAND, is_written_positive, obstacles_of
from symmetrics.tools.errors import UnsupportedError

__all__ = ["is_real_nearly_everywhere"]


def is_real_nearly_everywhere(
    formula: Expr, parameters: Iterable[Parameter] = (), over: Sequence[str] = CELL_NAMES
) -> bool:
    """Whether a formula has a real value at all tables of positive cells but those on some surfaces.

    No root or logarithm is of what may be negative, and nothing that it divides by is zero on an open set of tables.

    :param over: the names of the positive variables, if these are not the cells

    >>> from symmetrics.language.cells import FN, TN, TP
    >>> from sympy import sqrt
    >>> [is_real_nearly_everywhere(f) for f in (1 / (TN - TP), sqrt(TN - TP), 1 / (TP - FN + Abs(TP - FN)))]
    [True, False, False]
    """
    field = field_for(parameters, (), over)
    conversion = Conversion(field)
    try:
        conversion(formula)
        bases = [base for kind, base in obstacles_of(formula) if kind != RADICAND]
        is_real = all(certain_sign(condition, field) == 1 for condition in field.conditions)
        return is_real and all(_is_nearly_nowhere_zero(base, conversion) for base in bases)
    except UnsupportedError:
        return False


def _is_nearly_nowhere_zero(base: Expr, conversion: Conversion) -> bool:
    field = conversion.field
    element = field.reduce(conversion(base))
    if element.is_zero:
        return False
    if not _has_kinks(element, field) or is_written_positive(base) or certain_sign(element, field) in (1, -1):
        return True
    # A kink of a root of a square is none of an absolute value, and no piece ends there.
    if any(not power.exp.is_Integer for power in base.atoms(Pow)) or not base.has(Abs, Min, Max):
        return False
    pieces = smooth_pieces(base)
    return bool(pieces) and not any(conversion(piece.formula).is_zero for piece in pieces)


def _has_kinks(element: Element, field: Field) -> bool:
    """Whether a numerator is a sum with an absolute value in it; a product of some is zero on surfaces alone."""
    if len(element.numerator) == 1:
        return False
    return any(
        not field.atoms[number].positive and not field.atoms[number].is_log
        for monomial in element.numerator
        for number, _ in monomial
    )
