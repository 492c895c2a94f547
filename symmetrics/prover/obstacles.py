"""What a formula, as it is written, divides by, and takes roots and logarithms of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from sympy import Expr, Pow, log

from symmetrics.algebra.convert import Conversion, field_for
from symmetrics.calculus.certainty import certain_sign
from symmetrics.errors import UnsupportedError
from symmetrics.parameter import Parameter

__all__ = ["DIVISOR", "LOGARITHM", "RADICAND", "Obstacle", "is_free", "obstacles_of"]

Obstacle = tuple[str, Expr]
DIVISOR: Final = "divisor"
RADICAND: Final = "radicand"
LOGARITHM: Final = "logarithm"


def obstacles_of(formula: Expr) -> Iterator[Obstacle]:
    """Yield what a formula divides by, and takes roots and logarithms of.

    :raises UnsupportedError: if an exponent is not a number
    """
    nodes = sorted(formula.atoms(Pow, log), key=lambda node: (node.count_ops(), str(node)))
    found: dict[Obstacle, None] = {}
    for node in nodes:
        if isinstance(node, log):
            found[LOGARITHM, node.args[0]] = None
            continue
        if not node.exp.is_Rational:
            raise UnsupportedError(f"the exponent {node.exp} is not a number")
        if node.exp.is_negative:
            found[DIVISOR, node.base] = None
        if not node.exp.is_Integer:
            found[RADICAND, node.base] = None
    yield from (pair for pair in found if pair[1].free_symbols)


def is_free(kind: str, base: Expr, parameters: Iterable[Parameter]) -> bool:
    """Whether a subexpression is in the way at no positive cells, for no parameters."""
    try:
        element = Conversion(field := field_for(parameters))(base)
    except UnsupportedError:
        return False
    if element.is_zero:
        return kind == RADICAND
    sign = certain_sign(element, field)
    return sign == 1 or (sign == -1 and kind == DIVISOR)
