"""The value of a formula where some cells are zero, face by face, as data: arrays and code in other languages read it.

A quotient that is 0/0 on a face has the value of its limit there, if all paths from positive cells have the same one.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import permutations
from typing import Final

from sympy import Expr, Integer

from symmetrics.algebra.limits.extension import extension_of
from symmetrics.language.cells import CELLS
from symmetrics.language.names import CELL_NAMES

_COUNTS: Final = (2, 3, 7, 19)
"""Positive cells of the tables at which a face is tried, in all orders."""


class Face:
    """A formula on one face: the limit and where it holds.

    :param expression: the formula
    :param zeros: the places of the cells that are zero, as bits
    """

    def __init__(self, expression: Expr, zeros: int) -> None:
        self.cells = frozenset(place for place in range(len(CELLS)) if zeros >> place & 1)
        self._names = frozenset(CELL_NAMES[place] for place in self.cells)
        self._extension = extension_of(expression)

    @cached_property
    def limit(self) -> Expr | None:
        """The limit in the other cells; None where there is no finite one."""
        return self._extension.on_face(self._names)

    @cached_property
    def guards(self) -> tuple[Expr, ...]:
        """Expressions that must not be zero, or the limit does not hold."""
        return self._extension.guards_on_face(self._names)

    @cached_property
    def is_real(self) -> bool:
        """Whether the formula is known to be real near all tables of the face."""
        return self._extension.is_real_near_face(self._names)

    @cached_property
    def may_be_real(self) -> bool:
        """Whether the formula is known to be real near some table of the face."""
        tables = (
            {cell: Integer(0 if place in self.cells else counts[place]) for place, cell in enumerate(CELLS)}
            for counts in permutations(_COUNTS)
        )
        return self.is_real or any(map(self._extension.is_real_nearby, tables))

    @property
    def is_undefined(self) -> bool:
        """Whether the formula in lowest terms has neither a value nor a limit at any table of the face."""
        return self._extension.is_undefined_on_face(self._names)

    @cached_property
    def constant(self) -> float | None:
        """The limit if it is the same at all tables of the face, nan if there is none at any; None if they differ."""
        if self._extension.is_nan_on_face(self._names):
            return float("nan")
        is_certain = self.is_real and not self.guards
        return float(self.limit) if self.limit is not None and self.limit.is_Rational and is_certain else None


@lru_cache(maxsize=4096)
def face_of(expression: Expr, zeros: int) -> Face:
    """Return a formula on the face where some cells are zero, derived once.

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> face_of((TP * TN - FP * FN) / (TP * TN + FP * FN), 0b0110).constant
    1.0
    >>> face_of(TP / (TP + FN), 0b0011).limit is None
    True
    """
    return Face(expression, zeros)
