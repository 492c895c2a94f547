"""Limits along curves of tables decided: finite for all positive cells, or infinite."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sympy import Expr, Integer, Rational, S

from symmetrics.algebra.convert import Conversion, element_expression, field_for
from symmetrics.algebra.limits.certainty import certain_sign
from symmetrics.algebra.limits.series import CONSTANT, Order, SeriesReader
from symmetrics.claims.limit import STEP, FiniteLimit
from symmetrics.claims.verdict import Decision, Evidence, open_decision
from symmetrics.language.cells import CELL_NAMES
from symmetrics.language.formula import formula_text
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import UnsupportedError

__all__ = ["LENGTHS", "Leading", "decide_finite_limit", "leading_term", "placed"]

LENGTHS: Final = (2, 4, 8)
"""Powers of a series without end that are kept, one attempt after the other."""
COUNTS: Final = (Integer(1), Integer(2), Rational(1, 2))
"""Cells of the tables at which a limit is looked at one by one, those of whole numbers first."""
MAX_TABLES: Final = 1000
"""Most tables at which a limit is looked at one by one."""
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

    :raises UnsupportedError: if it has no value then, because it divides by zero
    """
    try:
        value = formula.xreplace(dict(place))
    except (ValueError, TypeError):  # SymPy's, of Min and Max of what cannot be compared
        value = S.NaN
    if value.has(*_UNDEFINED):
        raise UnsupportedError("the formula divides by zero")
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
        series = SeriesReader(field, STEP, length, place)(expression)
        order = min(series.terms, default=None)
        if order is not None and order <= CONSTANT:
            element = series.terms[order]
            return Leading(order, element_expression(element, field), certain_sign(element, field))
        if series.unknown is None or series.unknown > CONSTANT:
            return Leading(CONSTANT, S.Zero, None)
    raise UnsupportedError(f"{LENGTHS[-1]} terms of the series do not show what the formula tends to")


def decide_finite_limit(claim: FiniteLimit) -> Decision:
    """Decide whether a formula has a finite limit along a curve, for all positive cells."""
    try:
        place = dict(zip(claim.arguments, claim.path, strict=True))
        leading = leading_term(claim.subject, claim.parameters, place, claim.over)
    except UnsupportedError as error:
        return _at_one_table(claim) or open_decision(str(error))
    if leading.is_finite:
        untouched = _is_same(claim, leading.coefficient)
        value = formula_text(claim.subject if untouched else leading.coefficient)
        return Decision("proved", True, Evidence("limit"), value=value)
    if leading.sign is None:
        coefficient = formula_text(leading.coefficient)
        return _at_one_table(claim) or open_decision(f"the sign of the leading coefficient {coefficient} is not known")
    return Decision("refuted", False, Evidence("divergence", leading.record()), value=str(leading.limit))


def _is_same(claim: FiniteLimit, limit: Expr) -> bool:
    """Whether a limit is the formula itself, written in another way."""
    if claim.subject.free_symbols != limit.free_symbols:
        return False
    convert = Conversion(field := field_for(claim.parameters, (), claim.over))
    try:
        return field.subtract(convert(claim.subject), convert(limit)).is_zero
    except UnsupportedError:
        return False


def _at_one_table(claim: FiniteLimit) -> Decision | None:
    """Refute a claim by the smallest table at which the limit is infinite, if there is a small one."""
    if claim.parameters:
        return None
    used = [cell for cell in claim.arguments if any(cell in entry.free_symbols for entry in claim.path)]
    if len(COUNTS) ** len(used) > MAX_TABLES:
        return None
    tables = itertools.product(COUNTS, repeat=len(used))
    for table in sorted(tables, key=lambda cells: (not all(c.is_Integer for c in cells), sum(cells), cells)):
        place = dict(zip(used, table, strict=True))
        try:
            leading = leading_term(placed(claim.along, place))
        except UnsupportedError:
            continue
        if not leading.is_finite and leading.sign is not None:
            return Decision("refuted", False, _evidence_at(place, leading))
    return None


def _evidence_at(place: Mapping[Any, Rational], leading: Leading) -> Evidence:
    table = {cell.name: str(value) for cell, value in place.items()}
    return Evidence("divergence at a table", leading.record() | {"table": table})
