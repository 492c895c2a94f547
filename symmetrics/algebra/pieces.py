"""Formulas with absolute values, minima and maxima as smooth formulas on regions."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from sympy import Abs, Expr, Max, Min, Mul, Pow, S, Symbol, fraction, log, together
from sympy import Poly as SymPyPoly

from symmetrics.language.cells import CELLS

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


# -- Values of formulas at tables with zero cells, where z*log(z) tends to zero with z ---------------------------------

# This is the prover's judgement alone; the checker has its own (``symmetrics/checker/families/agreement.py``).


_UNDEFINED: Final = (S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity)


def value_by_continuity(formula: Expr, table: Mapping[Symbol, Expr]) -> Expr | None:
    """Return the limit of a formula without parameters at a table, if it is seen to be the same along every path.

    A term ``c*z**k*log(z**m*h)`` with k > 0, where c and h are continuous at the table and h is positive there, tends
    to zero with the cell z.  Every other part has to have a value of its own, before it meets the others: then it is
    continuous, and so are sums, products, quotients and powers of such parts.  All of them, c too, have to be real at
    all tables of positive cells nearby: a root whose argument is zero at the table counts only if that is nowhere
    negative.

    >>> from symmetrics.language.cells import CELLS, FN, TN, TP
    >>> from sympy import Integer, sqrt
    >>> table = dict(zip(CELLS, map(Integer, (2, 0, 1, 1))))
    >>> value_by_continuity(FN * log(FN / (TP + FN)) + TP, table)
    2
    >>> value_by_continuity(FN * log(FN / (TP + FN)) * sqrt(TN - TP), table) is None
    True
    """
    return _value_or_none(formula, table, by_continuity=True)


def value_as_written(formula: Expr, table: Mapping[Symbol, Expr]) -> Expr | None:
    """Return the value of a formula at a table, or None if any part of it has no real value there.

    ``|log(-1)|`` has none, though the modulus of a complex number is real.

    >>> from sympy import Abs, Integer
    >>> from symmetrics.language.cells import FN, TP
    >>> value_as_written(Abs(log(TP - FN)), {TP: Integer(1), FN: Integer(2)}) is None
    True
    """
    return _value_or_none(formula, table, by_continuity=False)


def _value_or_none(formula: Expr, table: Mapping[Symbol, Expr], *, by_continuity: bool) -> Expr | None:
    try:
        return _value(formula, dict(table), by_continuity)
    except (ValueError, TypeError):  # SymPy's, of Min and Max of what cannot be compared
        return None


def _value(node: Expr, table: dict[Symbol, Expr], by_continuity: bool) -> Expr | None:
    if not node.args or not _may_be_complex(node):
        value = node.xreplace(table)
    elif by_continuity and isinstance(node, Mul) and _vanishes(node, table):
        return S.Zero
    else:
        parts = []
        for argument in node.args:
            part = _value(argument, table, by_continuity)
            if part is None:
                return None
            parts.append(part)
        if by_continuity and _is_root(node) and not (parts[0].is_positive or _is_never_negative(node.base)):
            return None
        value = node.func(*parts)
    return None if value.has(*_UNDEFINED) or value.is_real is False else value


def _may_be_complex(node: Expr) -> bool:
    """Whether a formula holds a logarithm or a root, of what may be negative."""
    return node.has(log) or any(map(_is_root, node.atoms(Pow)))


def _is_root(node: Expr) -> bool:
    return isinstance(node, Pow) and not node.exp.is_Integer


def _is_never_negative(base: Expr) -> bool:
    """Whether SymPy derives from the signs of the cells that an expression is negative at no table of positive cells.

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> [_is_never_negative(base) for base in (TP * FN + (TN - FP) ** 2, TN - TP, 1 - TP / (TP + FN))]
    [True, False, True]
    """
    signed = base.xreplace({cell: Symbol(cell.name, positive=True) for cell in base.free_symbols})
    top, bottom = fraction(together(signed))
    return bool(signed.is_nonnegative or (bottom.is_positive and top.expand().is_nonnegative))


def _vanishes(node: Mul, table: dict[Symbol, Expr]) -> bool:
    """Whether a product is ``c*z**k*log(z**m*h)``, and c is continuous and real near the table."""
    logs = [factor for factor in node.args if isinstance(factor, log)]
    if len(logs) != 1:
        return False
    powers = node.as_powers_dict()
    for cell in (cell for cell, count in table.items() if count == 0):
        power = powers.get(cell, S.Zero)
        rest = node / (logs[0] * cell**power)
        if power.is_positive and not rest.has(log) and _value(rest, table, by_continuity=True) is not None:
            return _is_power_times_positive(logs[0].args[0], cell, table)
    return False


def _is_power_times_positive(argument: Expr, cell: Symbol, table: dict[Symbol, Expr]) -> bool:
    """Whether an expression is a power of a cell times what is positive at the table."""
    if not argument.is_rational_function(*table):
        return False
    top, bottom = fraction(together(argument))
    value = S.One
    for part, sign in ((top, 1), (bottom, -1)):
        poly = SymPyPoly(part, cell)
        lowest = min(power for (power,) in poly.monoms())
        value *= poly.coeff_monomial(cell**lowest).xreplace(table) ** sign
    return bool(value.is_positive)
