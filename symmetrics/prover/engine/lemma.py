"""What the lemmas on constant baselines ask of a formula, as claims.

See :class:`ConstantBaseline` and :class:`ConstantMatrixBaseline`: M is affine at fixed margins, and one number at all
tables, or matrices, of rank one.

The checker writes the same claims down a second time.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Final

from sympy import Expr, Integer

from symmetrics.claims.comparison import value_symbol
from symmetrics.claims.families.baselines import ConstantBaseline, ConstantMatrixBaseline
from symmetrics.claims.families.equations import Identity
from symmetrics.claims.families.limits import STEP, FiniteLimit
from symmetrics.language.cells import FN, FP, TN, TP, Table, parameter_symbol
from symmetrics.language.formula import RESERVED_PREFIX

T, U, A = (parameter_symbol(RESERVED_PREFIX + name) for name in "tua")
EQUALLY_SPACED: Final[tuple[Table, ...]] = (
    (TP, FN + 2 * T, FP + 2 * T, TN),
    (TP + T, FN + T, FP + T, TN + T),
    (TP + 2 * T, FN, FP, TN + 2 * T),
)
"""Three tables with the same margins."""
INDEPENDENT: Final[Table] = (TP, FN, A * TP, A * FN)
"""Every table with TP*TN = FP*FN."""
EXAMPLE: Final = (Integer(1), Integer(2), Integer(3), Integer(6))
"""An independent table whose margins are all different, so that few formulas have a pole there."""
ENDS: Final[Mapping[str, tuple[Table, ...]]] = {
    "most agreement": ((TP, STEP, FP, TN), (TP, FN, STEP, TN), (TP, STEP, STEP, TN)),
    "least agreement": ((STEP, FN, FP, TN), (TP, FN, FP, STEP), (STEP, FN, FP, STEP)),
}
"""Curves to the table with the largest, or the smallest, TP of given margins, one for each set of zero cells."""


def parts_of(claim: ConstantBaseline | ConstantMatrixBaseline) -> dict[str, Identity]:
    """Return what the lemma asks for: M is affine at fixed margins, and constant at rank one."""
    return _parts_over_matrices(claim) if isinstance(claim, ConstantMatrixBaseline) else _parts_over_cells(claim)


def _parts_over_cells(claim: ConstantBaseline) -> dict[str, Identity]:
    """Return that M is affine in TP at fixed margins: second differences vanish; and one number at independence."""
    first, second, third = (value_symbol(place) for place in range(3))
    relation = first - 2 * second + third
    return {
        "affinity": Identity(claim.subject, claim.parameters, EQUALLY_SPACED, (T,), relation),
        "independence": Identity(claim.subject, claim.parameters, (INDEPENDENT, EXAMPLE), (A,)),
    }


def _parts_over_matrices(claim: ConstantMatrixBaseline) -> dict[str, Identity]:
    """Return that M is one number at rank one, and that its mixed second differences vanish.

    The differences are along all pairs of the moves that keep the sums: one example more at C[1, 1] and C[i, j], one
    less at C[1, j] and C[i, 1].
    """
    k, entries = claim.classes, claim.arguments
    factors = [parameter_symbol(f"{RESERVED_PREFIX}a{place + 1}") for place in range(1, k)]
    rank_one = tuple(factor * entry for factor in (Integer(1), *factors) for entry in entries[:k])
    tables = (rank_one, _example(claim))
    parts = {"independence": Identity(claim.subject, (), tables, tuple(factors), over=claim.over)}
    moves = {(i, j): _move(k, i, j) for i in range(1, k) for j in range(1, k)}
    values = [value_symbol(place) for place in range(4)]
    relation = values[0] - values[1] - values[2] + values[3]
    for first, second in itertools.combinations_with_replacement(moves, 2):
        steps = list(zip(entries, moves[first], moves[second], strict=True))
        start = [entry + T * max(-one, 0) + U * max(-other, 0) for entry, one, other in steps]
        points = tuple(
            tuple(cell + a * T * one + b * U * other for cell, (_, one, other) in zip(start, steps, strict=True))
            for a, b in itertools.product((0, 1), repeat=2)
        )
        name = f"affinity {_name(*first)} {_name(*second)}"
        parts[name] = Identity(claim.subject, (), points, (T, U), relation, over=claim.over)
    return parts


def _name(row: int, column: int) -> str:
    return f"({row + 1}, {column + 1})"


def _move(classes: int, row: int, column: int) -> tuple[int, ...]:
    changes = {(0, 0): 1, (row, column): 1, (0, column): -1, (row, 0): -1}
    return tuple(changes.get((i, j), 0) for i in range(classes) for j in range(classes))


def _example(claim: ConstantBaseline | ConstantMatrixBaseline) -> tuple[Integer, ...]:
    """Return a table or matrix of rank one whose sums are all different, so that few formulas have a pole there."""
    if not isinstance(claim, ConstantMatrixBaseline):
        return EXAMPLE
    size = claim.classes
    return tuple(Integer((row + 1) * (column + 2)) for row in range(size) for column in range(size))


def at_the_example(claim: ConstantBaseline | ConstantMatrixBaseline) -> Expr:
    """Return the value of M at an independent table."""
    return claim.subject.xreplace(dict(zip(claim.arguments, _example(claim), strict=True)))


def ends(claim: ConstantBaseline, name: str) -> tuple[FiniteLimit, ...]:
    """Return the claims that M is finite at the table with the most, or the least, agreement of given margins.

    One of these tables belongs to every (n, P, OP); if all of these limits are infinite, no E[M] exists.
    """
    return tuple(FiniteLimit(claim.subject, claim.parameters, path) for path in ENDS[name])
