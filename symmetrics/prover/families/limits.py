"""Limits along curves of tables decided: finite for all positive cells, or infinite."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Final

from sympy import Eq, Expr, Integer, Poly, Rational, degree, factor_list, fraction, together
from sympy.logic.boolalg import Boolean

from symmetrics.algebra.convert import Conversion, field_for
from symmetrics.claims.evidence import Decision, Evidence, open_decision
from symmetrics.claims.families.limits import FiniteLimit
from symmetrics.claims.values import Limit
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text
from symmetrics.prover.engine.cases import Decide, Watched, decide_by_cases
from symmetrics.prover.engine.leading import leading_term, placed
from symmetrics.tools.errors import UnsupportedError

COUNTS: Final = (Integer(1), Integer(2), Rational(1, 2))
"""Cells of the tables at which limits are computed one by one, integers first."""
MAX_TABLES: Final = 1000
"""Largest number of tables at which limits are computed one by one."""


def decide(claim: FiniteLimit, decide_part: Decide) -> Decision:
    """Decide whether a formula has a finite limit along a curve, for all positive cells.

    :param decide_part: function that decides an inequality; none is asked
    """
    return decide_by_cases(claim, _whole, decide_part)


def _whole(claim: FiniteLimit, watched: Watched, _: object) -> Decision:
    """Decide the claim for all values of its parameters at once.

    :param watched: takes notes of where the sign of an infinite limit may change
    """
    try:
        place = dict(zip(claim.arguments, claim.path, strict=True))
        leading = leading_term(claim.subject, claim.parameters, place, claim.over)
    except UnsupportedError as error:
        return _at_one_table(claim) or open_decision(str(error))
    if leading.is_finite:
        untouched = _is_same(claim, leading.coefficient)
        value = formula_text(claim.subject if untouched else leading.coefficient)
        return Decision("proved", True, Evidence("limit"), found=Limit(value))
    if leading.sign is None:
        for change in _changes_of_sign(leading.coefficient, claim.parameters):
            watched.note(change)
        coefficient = formula_text(leading.coefficient)
        return _at_one_table(claim) or open_decision(f"the sign of the leading coefficient {coefficient} is not known")
    return Decision("refuted", False, Evidence("divergence", leading.record()), found=Limit(str(leading.limit)))


def _changes_of_sign(coefficient: Expr, parameters: Iterable[Parameter]) -> Iterator[Boolean]:
    """Yield the zeros of those factors of a coefficient that are linear in a single parameter."""
    if not coefficient.is_rational_function():
        return
    for part in fraction(together(coefficient)):
        for factor, _ in factor_list(part)[1]:
            for parameter in parameters:
                if factor.free_symbols == {parameter.symbol} and degree(factor, parameter.symbol) == 1:
                    slope, rest = Poly(factor, parameter.symbol).all_coeffs()
                    yield Eq(parameter.symbol, -rest / slope)


def _is_same(claim: FiniteLimit, limit: Expr) -> bool:
    """Whether a limit equals the formula itself."""
    if claim.subject.free_symbols != limit.free_symbols:
        return False
    convert = Conversion(field := field_for(claim.parameters, (), claim.over))
    try:
        return field.subtract(convert(claim.subject), convert(limit)).is_zero
    except UnsupportedError:
        return False


def _at_one_table(claim: FiniteLimit) -> Decision | None:
    """Refute a claim by the smallest table at which the limit is infinite, if a small one exists."""
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
            counts = {cell.name: str(value) for cell, value in place.items()}
            evidence = Evidence("divergence at a table", leading.record() | {"table": counts})
            return Decision("refuted", False, evidence)
    return None
