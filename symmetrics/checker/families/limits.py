"""Verdicts on limits along curves re-verified."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from sympy import Expr, Integer

from symmetrics.checker.engine.cases import check_cases
from symmetrics.checker.engine.expansions import ONE, check_tends_to, constant, expanded
from symmetrics.checker.engine.requirements import require, require_found, require_kind, require_names
from symmetrics.claims.families.limits import STEP, FiniteLimit
from symmetrics.claims.values import Limit
from symmetrics.claims.verdict import Verdict
from symmetrics.language.formula import parse_formula, parse_number

_INFINITE: Final = (Limit("oo"), Limit("-oo"))


def check(verdict: Verdict, claim: FiniteLimit, check_part: Callable[[Verdict], None]) -> None:
    """Re-verify a verdict on the limit along a curve.

    :param check_part: function that re-verifies the verdict in one case
    """
    if verdict.evidence.kind == "cases":
        check_cases(verdict, claim, check_part)
        return
    # Form of the verdict; only declared symbols.
    refuting = {"divergence", "divergence at a table"}
    require_kind(verdict, proved={"limit"}, refuted=refuting)
    truth = {"proved": True, "refuted": False, "open": None}[verdict.status]
    require(verdict.holds is truth and verdict.condition is None and verdict.witness is None, "its parts disagree")
    require_names(claim.over, (STEP.name, *(p.name for p in claim.parameters)))
    symbols = {p.symbol for p in claim.parameters} | set(claim.arguments)
    require(claim.subject.free_symbols <= symbols, "the formula has a symbol that is not declared")
    free = {symbol for cell in claim.path for symbol in cell.free_symbols}
    require(free <= {STEP, *claim.arguments}, "the curve has a symbol that is not declared")
    if verdict.status == "open":
        require(verdict.found is None, "its parts disagree")
    # Proved: the checker's own expansion along the curve tends to the stated limit.
    elif verdict.status == "proved":
        found = require_found(verdict, Limit, "the limit is missing")
        require(found not in _INFINITE, "the limit is infinite")
        place = dict(zip(claim.arguments, claim.path, strict=True))
        check_tends_to(claim.subject, found.limit, claim.parameters, place, claim.over)
    else:
        _check_divergence(verdict, claim)


def _check_divergence(verdict: Verdict, claim: FiniteLimit) -> None:
    data = verdict.evidence.data
    at_a_table = verdict.evidence.kind == "divergence at a table"
    parameters = [] if at_a_table else list(claim.parameters)
    expression = claim.along.xreplace(_table(data["table"], claim)) if at_a_table else claim.along
    require(not (at_a_table and claim.parameters), "one table does not settle every parameter")
    products, expansion = expanded(expression, parameters, over=claim.over)
    require(bool(expansion.terms) and expansion.terms[0][0] < ONE, "the limit is finite")
    size, lead = expansion.terms[0]
    require(size == (Fraction(data["exponent"]), -Fraction(data["logarithms"])), "the leading term has another order")
    claimed = constant(products, parse_formula(data["coefficient"], [p.name for p in parameters], claim.over))
    require(products.is_zero(products.add(lead, claimed, -1)), "the leading coefficient is another one")
    sign = products.sign(lead)
    require(sign is not None, "the sign of the leading coefficient is not shown")
    expected = None if at_a_table else _INFINITE[0 if sign == 1 else 1]
    require(verdict.found == expected, "the infinite limit has another sign")


def _table(data: Mapping[str, Any], claim: FiniteLimit) -> dict[Expr, Expr]:
    require(set(data) <= set(claim.over), "the table has a cell of another name")
    place: dict[Expr, Expr] = {}
    for cell in claim.arguments:
        if cell.name in data:
            count = parse_number(data[cell.name])
            require(bool(count > 0), "a count is not positive")
            place[cell] = Integer(count) if count.is_Integer else count
    return place
