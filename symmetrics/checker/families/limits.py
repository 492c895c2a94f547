"""Verdicts on limits along curves re-verified."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from sympy import Expr, Integer, S

from symmetrics.checker.engine.expansions import ONE, Expander, Expansion
from symmetrics.checker.engine.products import Products, Sum
from symmetrics.checker.engine.requirements import require, require_kind, require_names
from symmetrics.claims.limit import STEP, FiniteLimit
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELL_NAMES
from symmetrics.language.formula import parse_formula, parse_number
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import CertificateError

__all__ = ["check_finite_limit", "check_tends_to"]

LENGTHS: Final = (1, 2, 4, 8)
"""Terms of series that are tried one after the other: most limits are seen from the first term."""
_UNDEFINED: Final = (S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity)


def check_finite_limit(verdict: Verdict, claim: FiniteLimit) -> None:
    """Re-verify a verdict on the limit along a curve."""
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
        require(verdict.value is None, "its parts disagree")
    elif verdict.status == "proved":
        require(verdict.value is not None, "the limit is missing")
        place = dict(zip(claim.arguments, claim.path, strict=True))
        check_tends_to(claim.subject, str(verdict.value), claim.parameters, place, claim.over)
    else:
        _check_divergence(verdict, claim)


def check_tends_to(
    expression: Expr,
    limit: str,
    parameters: Iterable[Parameter] = (),
    place: Mapping[Expr, Expr] | None = None,
    over: Sequence[str] = CELL_NAMES,
) -> None:
    """Check what an expression in the variables, the parameters and the step tends to, as the step tends to zero.

    :param limit: a formula in the variables and the parameters, or ``oo`` or ``-oo``
    :param place: what takes the place of variables in the expression
    :param over: the names of the variables
    :raises CertificateError: if it tends to something else, or if that is not shown
    """
    declared = list(parameters)
    products, expansion = _expanded(expression, declared, place, over)
    if limit in ("oo", "-oo"):
        require(expansion.reach < ONE and bool(expansion.terms), "the limit is finite")
        require(products.sign(expansion.terms[0][1]) == (1 if limit == "oo" else -1), "the limit is not of this sign")
        return
    require(expansion.reach >= ONE, "the limit is infinite")
    claimed = _constant(products, parse_formula(limit, [p.name for p in declared], over))
    found: Sum = expansion.terms[0][1] if expansion.terms and expansion.terms[0][0] == ONE else {}
    require(products.is_zero(products.add(found, claimed, -1)), f"the limit is not shown to be {limit}")


def _expanded(
    expression: Expr,
    parameters: list[Parameter],
    place: Mapping[Expr, Expr] | None = None,
    over: Sequence[str] = CELL_NAMES,
) -> tuple[Products, Expansion]:
    """Return an expansion that is long enough to show the limit."""
    require(not expression.has(*_UNDEFINED), "the formula has no value on the curve")
    for length in LENGTHS:
        products = Products(parameters, over)
        try:
            expansion = Expander(products, STEP, length, place)(expression)
        except CertificateError:  # a part of the formula may vanish up to that term
            if length == LENGTHS[-1]:
                raise
            continue
        if expansion.error > ONE or (expansion.terms and expansion.terms[0][0] < ONE):
            return products, expansion
    raise CertificateError("the expansion is too short to show the limit")


def _constant(products: Products, value: Expr) -> Sum:
    expansion = Expander(products, STEP, LENGTHS[0])(value)
    require(all(size == ONE for size, _ in expansion.terms), "the limit depends on the step")
    return expansion.terms[0][1] if expansion.terms else {}


def _check_divergence(verdict: Verdict, claim: FiniteLimit) -> None:
    data = verdict.evidence.data
    at_a_table = verdict.evidence.kind == "divergence at a table"
    parameters = [] if at_a_table else list(claim.parameters)
    expression = claim.along.xreplace(_table(data["table"], claim)) if at_a_table else claim.along
    require(not (at_a_table and claim.parameters), "one table does not settle every parameter")
    products, expansion = _expanded(expression, parameters, over=claim.over)
    require(bool(expansion.terms) and expansion.terms[0][0] < ONE, "the limit is finite")
    size, lead = expansion.terms[0]
    require(size == (Fraction(data["exponent"]), -Fraction(data["logarithms"])), "the leading term has another order")
    claimed = _constant(products, parse_formula(data["coefficient"], [p.name for p in parameters], claim.over))
    require(products.is_zero(products.add(lead, claimed, -1)), "the leading coefficient is another one")
    sign = products.sign(lead)
    require(sign is not None, "the sign of the leading coefficient is not shown")
    expected = None if at_a_table else "oo" if sign == 1 else "-oo"
    require(verdict.value == expected, "the infinite limit has another sign")


def _table(data: Mapping[str, Any], claim: FiniteLimit) -> dict[Expr, Expr]:
    require(set(data) <= set(claim.over), "the table has a cell of another name")
    place: dict[Expr, Expr] = {}
    for cell in claim.arguments:
        if cell.name in data:
            count = parse_number(data[cell.name])
            require(bool(count > 0), "a count is not positive")
            place[cell] = Integer(count) if count.is_Integer else count
    return place
