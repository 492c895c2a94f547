"""Leading terms: what a formula tends to along a curve of tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sympy import Expr, S

from symmetrics.algebra.convert import element_expression, field_for, real_where_required
from symmetrics.algebra.field import Element, Field
from symmetrics.algebra.limits.certainty import certain_sign
from symmetrics.algebra.limits.series import CONSTANT, Order, SeriesReader
from symmetrics.claims.families.limits import STEP
from symmetrics.language.cells import CELL_NAMES
from symmetrics.language.formula import formula_text
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import UnsupportedError

__all__ = ["LENGTHS", "Leading", "leading_coefficient", "leading_term", "placed"]
LENGTHS: Final = (2, 4, 8)
"""Powers of a series without end that are kept, one attempt after the other."""
_UNDEFINED: Final = (S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity)


@dataclass(frozen=True)
class Leading:
    """The largest term ``c * s**e * log(1/s)**j`` of a formula on a curve.

    :param order: e and -j
    :param coefficient: c; zero if the formula tends to zero
    :param sign: the sign of c for all cells and parameters, None if it is not certain
    """

    order: Order
    coefficient: Expr
    sign: int | None

    @property
    def is_finite(self) -> bool:
        """Whether the formula tends to the coefficient."""
        return not any(self.order)

    @property
    def limit(self) -> Expr:
        """What the formula tends to: an expression, ``oo``, ``-oo``, or nan where the sign is not known."""
        if self.is_finite:
            return self.coefficient
        return {1: S.Infinity, -1: S.NegativeInfinity, None: S.NaN}[self.sign]

    def record(self) -> dict[str, str]:
        """Return the term as texts."""
        e, j = self.order
        return {"exponent": str(e), "logarithms": str(-j), "coefficient": formula_text(self.coefficient)}


def placed(formula: Expr, place: Mapping[Any, Expr]) -> Expr:
    """Return a formula, as it is written, with symbols replaced.

    :raises UnsupportedError: if it has no value then
    """
    try:
        value = formula.xreplace(dict(place))
    except (ValueError, TypeError):  # SymPy's, of Min and Max of what cannot be compared
        value = S.NaN
    if value.has(*_UNDEFINED):
        raise UnsupportedError("a part of the formula divides by zero, or is not real, on the curve")
    return value


def leading_term(
    expression: Expr,
    parameters: Iterable[Parameter] = (),
    place: Mapping[Any, Expr] | None = None,
    over: Iterable[str] = CELL_NAMES,
) -> Leading:
    """Return the leading term of an expression in the step, with order zero if it has a finite limit.

    :param place: what takes the place of variables in the expression
    :param over: the names of the variables
    :raises UnsupportedError: if it depends on signs that are not known, or needs a longer series
    """
    for length in LENGTHS:
        field = field_for(parameters, (), over)
        reader = SeriesReader(field, STEP, length, place)
        series = reader(expression)
        order = min(series.terms, default=None)
        if order is not None and order <= CONSTANT:
            element = series.terms[order]
            coefficient = real_where_required(element_expression(element, field), reader.radicands, field)
            return Leading(order, coefficient, certain_sign(element, field))
        if series.unknown is None or series.unknown > CONSTANT:
            return Leading(CONSTANT, S.Zero, None)
    raise UnsupportedError(f"{LENGTHS[-1]} terms of the series do not show what the formula tends to")


def leading_coefficient(expression: Expr, field: Field, place: Mapping[Any, Expr]) -> Element | None:
    """Return the coefficient of the largest term of an expression, which may tend to zero; None if there is none.

    :param place: what takes the place of variables in the expression
    :raises UnsupportedError: if that depends on signs that are not known
    """
    for length in LENGTHS:
        terms = SeriesReader(field, STEP, length, place)(expression).terms
        if terms:
            return terms[min(terms)]
    return None
