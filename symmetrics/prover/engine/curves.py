"""Whether a formula with parameters has values along a curve of tables, for all parameters for which it has some."""

from __future__ import annotations

from collections.abc import Iterable

from sympy import Expr, sqrt

from symmetrics.algebra.convert import field_for
from symmetrics.algebra.field import Element, Field
from symmetrics.algebra.limits.certainty import certain_sign
from symmetrics.language.cells import CELLS, Table
from symmetrics.language.parameter import Parameter
from symmetrics.prover.engine.conditions import coefficient_system
from symmetrics.prover.engine.leading import leading_coefficient
from symmetrics.prover.engine.obstacles import DIVISOR, RADICAND, obstacles_of
from symmetrics.prover.engine.reality import is_real_nearly_everywhere

__all__ = ["has_value_along"]


def has_value_along(formula: Expr, parameters: Iterable[Parameter], path: Table) -> bool:
    """Whether a formula is shown to have values near the end of a curve, for all parameters for which it has some.

    What it divides by may be a single term on the curve, which is zero for a parameter for which others are not.

    >>> from sympy import Integer
    >>> from symmetrics.language.cells import FN, FP, TP
    >>> w = Parameter("w", 0, 1)
    >>> formula = w * FN / (w * TP + (FN - FP) ** 2)
    >>> one, two = Integer(1), Integer(2)
    >>> has_value_along(formula, (w,), (one, one, one, one)), has_value_along(formula, (w,), (one, one, two, one))
    (False, True)

    :raises UnsupportedError: if what it divides by depends on signs that are not known
    """
    declared = tuple(parameters)
    symbols = {parameter.symbol for parameter in declared}
    place = dict(zip(CELLS, path, strict=True))
    for kind, base in obstacles_of(formula) if declared else ():
        # Without parameters it is the same for all of them, and without cells it is the same at all tables.
        if not base.free_symbols & symbols or base.free_symbols <= symbols:
            continue
        field = field_for(declared)
        lead = leading_coefficient(base, field, place)
        sign = None if lead is None else certain_sign(lead, field)
        is_real = kind == DIVISOR or sign == 1 or is_real_nearly_everywhere(sqrt(base), declared)
        if not is_real or (kind != RADICAND and sign is None and not _is_never_zero(lead, field)):
            return False
    return True


def _is_never_zero(element: Element | None, field: Field) -> bool:
    """Whether an element is shown to be zero at all tables for no parameters."""
    if element is None:
        return False
    return any(field.never_zero(coefficient) for coefficient in coefficient_system(element, field))
