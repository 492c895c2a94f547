"""What may be in the way of a value: divisors, and what roots and logarithms are taken of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from sympy import Expr, Pow, S, log

from symmetrics.checker.engine.expansions import Expander
from symmetrics.checker.engine.products import Products
from symmetrics.checker.engine.requirements import require
from symmetrics.claims.families.limits import STEP
from symmetrics.language.cells import CELL_NAMES
from symmetrics.language.parameter import Parameter

__all__ = ["obstacles_of", "placed", "require_free"]
_UNDEFINED: Final = (S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity)


def require_free(kind: str, base: Expr, parameters: Iterable[Parameter], over: Iterable[str] = CELL_NAMES) -> None:
    """Refuse a subexpression that may be in the way at some positive cells, for some parameters.

    :param kind: ``divisor``, ``radicand`` or ``logarithm``
    :param over: the names of the positive variables, if these are not the cells
    """
    products = Products(list(parameters), over)
    terms = Expander(products, STEP, 2)(base).terms
    if not terms:
        require(kind == "radicand", "a divisor is zero on another face")
        return
    sign = products.sign(terms[0][1])
    require(sign == 1 or (sign == -1 and kind == "divisor"), "something may be in the way on another face")


def obstacles_of(formula: Expr) -> list[tuple[str, Expr]]:
    """Return what a formula divides by, and takes roots and logarithms of.

    Positive rational numbers are left out; other numbers may be zero without being written as 0.
    """
    found: dict[tuple[str, Expr], None] = {}
    for node in formula.atoms(Pow, log):
        if isinstance(node, log):
            found["logarithm", node.args[0]] = None
            continue
        require(node.exp.is_Rational is True, "an exponent is not a number")
        if node.exp < 0:
            found["divisor", node.base] = None
        if not node.exp.is_Integer:
            found["radicand", node.base] = None
    return [pair for pair in found if not (pair[1].is_Rational and pair[1] > 0)]


def placed(formula: Expr, place: Mapping[Expr, Expr]) -> Expr | None:
    """Return a formula with cells replaced, or None if it divides by zero then."""
    try:
        value = formula.xreplace(dict(place))
    except (ValueError, TypeError):  # SymPy's, of Min and Max of what cannot be compared
        return None
    return None if value.has(*_UNDEFINED) else value
