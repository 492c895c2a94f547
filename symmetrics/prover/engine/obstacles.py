"""What a formula, as it is shown, divides by, and takes roots and logarithms of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from sympy import Add, Expr, Mul, Pow, log

from symmetrics.algebra.convert import Conversion, field_for
from symmetrics.algebra.limits.certainty import certain_sign
from symmetrics.language.cells import CELLS
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import UnsupportedError

__all__ = ["DIVISOR", "LOGARITHM", "RADICAND", "Obstacle", "is_free", "is_written_positive", "obstacles_of"]

Obstacle = tuple[str, Expr]
DIVISOR: Final = "divisor"
RADICAND: Final = "radicand"
LOGARITHM: Final = "logarithm"


def obstacles_of(formula: Expr) -> Iterator[Obstacle]:
    """Yield what a formula divides by, and takes roots and logarithms of.

    Positive rational numbers are left out; other numbers may be zero without being written as 0.

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
    yield from (pair for pair in found if not (pair[1].is_Rational and pair[1] > 0))


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


def is_written_positive(formula: Expr) -> bool:
    """Whether a formula is positive at all positive cells because of the way it is written: as a sum with squares.

    >>> from symmetrics.language.cells import FN, TP
    >>> is_written_positive(FN + TP * (TP - 4) ** 2)
    True
    """
    if isinstance(formula, Add):
        return any(map(is_written_positive, formula.args)) and all(map(_is_never_negative, formula.args))
    if isinstance(formula, Mul):
        return all(map(is_written_positive, formula.args))
    if isinstance(formula, Pow):
        return bool(formula.exp.is_Rational) and is_written_positive(formula.base)
    if isinstance(formula, log):
        return is_written_positive(formula.args[0] - 1)
    return formula in CELLS or bool(formula.is_Rational and formula > 0)


def _is_never_negative(formula: Expr) -> bool:
    if isinstance(formula, Mul):
        return all(map(_is_never_negative, formula.args))
    if isinstance(formula, Pow) and formula.exp.is_Integer and formula.exp > 0 and formula.exp % 2 == 0:
        return formula.base.free_symbols <= set(CELLS) and bool(formula.base.is_polynomial(*CELLS))
    return formula == 0 or is_written_positive(formula)
