"""Laws of which any one is enough for a property that asks for some direction, some exchange of cells, or a limit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import Final

from sympy import Pow, Symbol

from symmetrics.claims.base import Claim
from symmetrics.claims.families.limits import STEP, FiniteLimit
from symmetrics.claims.theorems.laws import Law
from symmetrics.language.cells import CELLS, Table
from symmetrics.language.names import CELL_NAMES

DIRECTIONS: Final = tuple(
    vector for vector in product((-1, 0, 1), repeat=4) if any(vector) and next(filter(None, vector)) > 0
)


def sufficient_laws(key: str, claim: Claim) -> tuple[Law, ...]:
    """Return the laws, each of which is enough for a property; none if it is of another kind.

    What does not move along a curve tends to its value, which is finite; a direction or an exchange of cells that
    changes nothing is one of those that are asked for.

    :param key: the key of the property
    :param claim: what it says of any metric

    >>> from symmetrics.language.cells import TP
    >>> [law.label for law in sufficient_laws("tn_limit", FiniteLimit(TP, (), (*CELLS[:3], CELLS[3] / STEP)))]
    ['along the curve']
    """
    if isinstance(claim, FiniteLimit) and claim.over == CELL_NAMES:
        return (Law("along the curve", "=", (CELLS, _table(claim.path))),)
    return tuple(_OF.get(key, lambda: iter(()))())


def _translations() -> Iterator[Law]:
    """Return what says that M does not change along a direction of cells that grow."""
    for vector in DIRECTIONS:
        if min(vector) >= 0:
            yield Law(_named(vector), "=", (CELLS, _table([cell + k * STEP for cell, k in _each(vector)])))


def _scalings() -> Iterator[Law]:
    for vector in DIRECTIONS:
        yield Law(_named(vector), "=", (CELLS, _table([cell * Pow(STEP, k) for cell, k in _each(vector)])))


def _exchanges() -> Iterator[Law]:
    for table in permutations(CELLS):
        if table != CELLS:
            yield Law(", ".join(cell.name for cell in table), "=", (CELLS, _table(table)))


_OF: Final = {"translation_space": _translations, "scaling_space": _scalings, "symmetry_group": _exchanges}


def _each(vector: tuple[int, ...]) -> Iterator[tuple[Symbol, int]]:
    return zip(CELLS, vector, strict=True)


def _named(vector: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, vector))})"


def _table(cells: tuple[Symbol, ...] | list[Symbol]) -> Table:
    first, second, third, fourth = cells
    return first, second, third, fourth
