"""What formulas tend to along curves, by the checker's own expansions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sympy import Expr, S

from symmetrics.checker.engine.expansions import ONE, Expander, Expansion
from symmetrics.checker.engine.products import Products, Sum
from symmetrics.checker.engine.requirements import require
from symmetrics.checker.engine.stated import require_value
from symmetrics.claims.families.limits import STEP
from symmetrics.language.cells import CELL_NAMES
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import CertificateError

__all__ = ["check_tends_to", "constant", "expanded"]
LENGTHS: Final = (1, 2, 4, 8)
"""Terms of series that are tried one after the other: most limits are seen from the first term."""
_UNDEFINED: Final = (S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity)


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
    products, expansion = expanded(expression, declared, place, over)
    if limit in ("oo", "-oo"):
        require(expansion.reach < ONE and bool(expansion.terms), "the limit is finite")
        require(products.sign(expansion.terms[0][1]) == (1 if limit == "oo" else -1), "the limit is not of this sign")
        return
    require(expansion.reach >= ONE, "the limit is infinite")
    stated = parse_formula(limit, [p.name for p in declared], over)
    require_value(stated, expression.xreplace(dict(place or {})), declared, over)
    claimed = constant(products, stated)
    found: Sum = expansion.terms[0][1] if expansion.terms and expansion.terms[0][0] == ONE else {}
    require(products.is_zero(products.add(found, claimed, -1)), f"the limit is not shown to be {limit}")


def expanded(
    expression: Expr,
    parameters: list[Parameter],
    place: Mapping[Expr, Expr] | None = None,
    over: Sequence[str] = CELL_NAMES,
) -> tuple[Products, Expansion]:
    """Return an expansion that is long enough to show the limit.

    :param over: the names of the variables

    :raises CertificateError: if there is none
    """
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


def constant(products: Products, value: Expr) -> Sum:
    """Return the sum that a formula without the step is.

    :raises CertificateError: if it depends on the step
    """
    expansion = Expander(products, STEP, LENGTHS[0])(value)
    require(all(size == ONE for size, _ in expansion.terms), "the limit depends on the step")
    return expansion.terms[0][1] if expansion.terms else {}
