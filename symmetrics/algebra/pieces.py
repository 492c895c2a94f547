"""Formulas with absolute values, minima and maxima as smooth formulas on regions."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from sympy import Abs, Expr, Max, Min, Pow, S, Symbol

from symmetrics.language.cells import CELLS

__all__ = ["MAX_PIECES", "Piece", "smooth_pieces"]

MAX_PIECES: Final = 128
"""A formula in more pieces is not taken apart."""


@dataclass(frozen=True)
class Piece:
    """A formula without absolute values and extremes, which equals the original wherever all conditions hold.

    :param formula: the smooth formula
    :param conditions: expressions that are >= 0 on the piece
    :param divisors: what the formula divided by before it was taken apart, as it is on the piece: some of it may have
        cancelled, and where it is zero the original may jump
    """

    formula: Expr
    conditions: tuple[Expr, ...] = ()
    divisors: tuple[Expr, ...] = ()


def smooth_pieces(formula: Expr, positive: Iterable[Symbol] = CELLS) -> tuple[Piece, ...]:
    """Return smooth formulas whose regions together cover every point; none if there would be too many.

    ``|f|`` is f where f >= 0 and -f where -f >= 0; ``Max(f, g)`` is f where f - g >= 0 and g where g - f >= 0.

    >>> from symmetrics.language.cells import FN, FP
    >>> [(piece.formula, piece.conditions) for piece in smooth_pieces(Max(FN, FP))]
    [(FN, (FN - FP,)), (FP, (-FN + FP,))]

    :param positive: symbols that stand for positive numbers
    """
    known = {symbol: Symbol(symbol.name, positive=True) for symbol in positive}
    pieces = tuple(itertools.islice(_pieces(formula, (), _divisors(formula), known), MAX_PIECES + 1))
    return tuple(filter(_has_interior, pieces)) if len(pieces) <= MAX_PIECES else ()


def _has_interior(piece: Piece) -> bool:
    """Whether no two conditions are each other's negatives, which would leave a surface without interior.

    The other regions are closed, and cover all of what is dense, so that they cover everything.
    """
    pairs = itertools.combinations(piece.conditions, 2)
    return not any((left + right).expand() == 0 for left, right in pairs)


def _divisors(formula: Expr) -> tuple[Expr, ...]:
    if not formula.has(Abs, Min, Max):
        return ()
    return tuple(sorted({power.base for power in formula.atoms(Pow) if not power.exp.is_nonnegative}, key=str))


def _pieces(
    formula: Expr, conditions: tuple[Expr, ...], divisors: tuple[Expr, ...], known: Mapping[Symbol, Symbol]
) -> Iterator[Piece]:
    nodes = formula.atoms(Abs, Min, Max) | {node for divisor in divisors for node in divisor.atoms(Abs, Min, Max)}
    if not nodes:
        yield Piece(formula, conditions, divisors)
        return
    # One that holds no other is decided first, at all its occurrences at once.
    node = min(nodes, key=lambda node: (len(node.atoms(Abs, Min, Max)), str(node)))
    for value, region in _choices(node, known):
        swap = {node: value}
        there = tuple(divisor.xreplace(swap) for divisor in divisors)
        yield from _pieces(formula.xreplace(swap), (*conditions, *region), there, known)


def _choices(node: Expr, known: Mapping[Symbol, Symbol]) -> Iterator[tuple[Expr, tuple[Expr, ...]]]:
    if isinstance(node, Abs):
        inner = node.args[0]
        if inner.xreplace(known).is_nonnegative:
            yield inner, ()
            return
        for signed in (inner, -inner):
            yield signed, (signed,)
        return
    sign = S.One if isinstance(node, Max) else S.NegativeOne
    for chosen in node.args:
        yield chosen, tuple(sign * (chosen - other) for other in node.args if other is not chosen)
