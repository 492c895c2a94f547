"""The tables that have the same scores as a table: whether they are infinitely many, how many, and where they lie."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Integer, Matrix, Poly, Rational, diff, fraction, real_roots, together

from symmetrics.auditing.injectivity import MOVED, ORDERS, determinant_of, is_linear, is_scale_free, written_determinant
from symmetrics.auditing.pairs import Pair, Table, in_order
from symmetrics.auditing.score_equations import Elimination, equation_of, other_tables
from symmetrics.language.cells import CELLS, parameter_symbol
from symmetrics.query.relations import values_at
from symmetrics.tools.budget import checkpoint
from symmetrics.tools.errors import UnsupportedError

_GRID: Final = (1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 30, 40, 60, 90)
"""Cells of the tables at which the orientation of the scores is compared."""
_MOST: Final = 2000
"""Tables, at most, of each orientation."""
_AFTER: Final = 300
"""Tables that are tried after a pair is found, for a smaller one."""
NOT_ZERO: Final = Rational(1, 10**30)
"""A number with fifty digits that is larger is not zero."""


def has_free_directions(formulas: Sequence[Expr]) -> bool:
    """Whether almost every table has infinitely many others, up to scale, with its scores: the rank is less than three.

    >>> from symmetrics.library import metrics
    >>> has_free_directions([metrics[name].expr for name in ("precision", "tpr", "f1")])
    True
    """
    if len(formulas) < 3:
        return True
    try:
        return all(map(is_scale_free, formulas)) and all(
            determinant_of(three)[0].is_zero for three in itertools.combinations(formulas, 3)
        )
    except UnsupportedError:
        return False


def moves_freely(formulas: Sequence[Expr], of: Expr | None, table: Sequence[int]) -> bool:
    """Whether gradients at a table show that a value changes while some scores stay (implicit function theorem).

    :param of: the value; None for the table up to scale
    """
    rows = [_gradient(formula, table) for formula in formulas]
    own = None if of is None else _gradient(of, table)
    if len(rows) > 3 or not all(row is not None for row in rows):
        return False
    if of is None:
        return len(rows) < 3 and all(map(is_scale_free, formulas))
    return own is not None and _has_full_rank(rows) and _has_full_rank([*rows, own])


def _gradient(formula: Expr, table: Sequence[int]) -> list[Expr] | None:
    at = dict(zip(CELLS, map(Integer, table), strict=True))
    row = [diff(formula, cell).xreplace(at) for cell in CELLS]
    return row if all(entry.is_finite for entry in row) else None


def _has_full_rank(rows: Sequence[list[Expr] | None]) -> bool:
    """Whether intervals show that some minor is not zero."""
    matrix = Matrix(rows)
    minors = (matrix[:, list(columns)].det() for columns in itertools.combinations(range(len(CELLS)), len(rows)))
    return any(abs(minor.evalf(50)) > NOT_ZERO for minor in minors)


# -- orientation -------------------------------------------------------------------------------------------------------


def tables_by_orientation(formulas: Sequence[Expr]) -> tuple[list[Table], list[Table]]:
    """Return the tables at which the determinant of three gradients has the rarer and the other sign, by size.

    The signs are those of floats; without three scores that scale leaves unchanged there are no tables.
    """
    if len(formulas) != 3 or not all(map(is_scale_free, formulas)):
        return [], []
    every = np.stack(np.meshgrid(*[_GRID] * 4, indexing="ij"), axis=-1).reshape(-1, 4)
    every = every[np.argsort(every.sum(axis=1), kind="stable")]
    signs = np.sign(signs_at(formulas, every))
    rarer, other = sorted((every[signs == sign] for sign in (-1, 1)), key=len)
    return in_order(rarer[:_MOST]), in_order(other[:_MOST])


def opposite_orientations(formulas: Sequence[Expr], sides: tuple[list[Table], list[Table]]) -> Pair | None:
    """Return two tables at which the determinant of three gradients certainly has opposite signs; None without any."""
    found = [next(((one, sign) for one in side if (sign := exact_sign(formulas, one))), None) for side in sides]
    first, second = found
    return None if first is None or second is None or first[1] == second[1] else (first[0], second[0])


def signs_at(formulas: Sequence[Expr], tables: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the determinant of three gradients at tables in floats, 0 where it is not far from zero.

    :param tables: of shape (size, 4)
    """
    rows = np.array([[values_at(diff(formula, cell), tables.tolist()) for cell in MOVED] for formula in formulas])
    with np.errstate(all="ignore"):
        products = [
            sign * np.prod([row[k] for row, k in zip(rows, order, strict=True)], axis=0) for order, sign in ORDERS
        ]
        total = np.sum(products, axis=0)
        near = ~(np.abs(total) > 1e-7 * np.sum(np.abs(products), axis=0))
    found: NDArray[np.float64] = np.where(near, 0.0, total)
    return found


def exact_sign(formulas: Sequence[Expr], table: Sequence[int]) -> int:
    """Return the sign of the determinant of three gradients at a table; 0 if it is zero or not decided."""
    value = written_determinant(formulas).xreplace(dict(zip(CELLS, map(Integer, table), strict=True)))
    return 1 if value.is_positive else -1 if value.is_negative else 0


# -- other tables with the same scores ---------------------------------------------------------------------------------


def small_partner(elimination: Elimination, starts: Iterable[Table], agrees: Callable[[Pair], bool]) -> Pair | None:
    """Return a small pair of a table and one computed from the equations of its scores; None without any.

    :param starts: the tables, the smallest first
    :param agrees: whether a pair is as it has to be, by exact arithmetic
    """
    best: Pair | None = None
    left = _AFTER
    for table in starts:
        checkpoint()
        left -= best is not None
        if not left or (best is not None and sum(table) > sum(best[1])):
            break
        for other in other_tables(elimination, table):
            pair = (table, other) if (sum(table), table) < (sum(other), other) else (other, table)
            if (best is None or sum(pair[1]) < sum(best[1])) and agrees(pair):
                best = pair
    return best


def solutions_on_segment(formulas: Iterable[Expr], table: Sequence[int]) -> int | None:
    """Return how many tables, up to scale, have the scores of a table, where two of three are ratios of linear forms.

    These two leave a segment, and the third is a polynomial equation on it.

    :returns: None if the scores are others, or infinitely many tables have them

    >>> from symmetrics.library import metrics
    >>> solutions_on_segment([metrics[name].expr for name in ("tpr", "tnr", "mcc")], (1, 1, 1, 2))
    2
    """
    listed = list(formulas)
    linear = [one for one in listed if is_linear(one)]
    if len(listed) != 3 or len(linear) < 2 or not all(map(is_scale_free, listed)):
        return None
    third = next(one for one in listed if one not in linear[:2])
    equations = [equation_of(one, parameter_symbol("score")) for one in (*linear[:2], third)]
    if any(one is None for one in equations):
        return None
    at = dict(zip(CELLS, map(Integer, table), strict=True))
    ratios = [one.ratio for one in equations if one is not None]
    rows = [
        [Poly(top - ratio.xreplace(at) * bottom, *CELLS).coeff_monomial(cell) for cell in CELLS]
        for ratio in ratios[:2]
        for top, bottom in [fraction(together(ratio))]
    ]
    step = Matrix([*rows, [1, 1, 1, 1]]).nullspace()
    if len(step) != 1:
        return None
    moved = parameter_symbol("moved")
    along = {cell: at[cell] + moved * entry for cell, entry in zip(CELLS, step[0], strict=True)}
    top, _ = fraction(together(ratios[2].xreplace(along) - ratios[2].xreplace(at)))
    poly = Poly(top, moved)
    if poly.is_zero:
        return None
    wanted, count = third.xreplace(at).evalf(40), 0
    for root in set(real_roots(poly)):
        cells = {cell: value.xreplace({moved: root}).evalf(60) for cell, value in along.items()}
        if all(value > Rational(1, 10**20) for value in cells.values()):
            count += bool(abs(third.xreplace(cells).evalf(30) - wanted) < Rational(1, 10**12))
    return count
