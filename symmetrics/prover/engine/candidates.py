"""Where a formula may have its largest and its smallest values: tables and curves, found in floating point."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Integer, Rational

from symmetrics.claims.families.limits import STEP
from symmetrics.language.cells import Table
from symmetrics.prover.engine.suspects import compiled

__all__ = ["Candidate", "Ranking", "ranked"]

STEPS: Final = (1e-5, 1e-9)
"""Values of the step at which a formula on a curve is looked at; the second one stands for its end."""
CELL_VALUES: Final = (1, 2, 3, 4)
EXPONENTS: Final = (0, 1, -1, 2)
COEFFICIENTS: Final = ((1, 1, 1, 1), (2, 1, 1, 1), (1, 2, 1, 1), (1, 1, 2, 1), (1, 1, 1, 2))
NEAR_ONE: Final = tuple(
    tuple(Rational(share, 6) for share in shares) for shares in ((3, 1, 1, 1), (1, 3, 1, 1), (1, 1, 3, 1), (1, 1, 1, 3))
)
"""Tables with a total of one, where formulas that are no ratios may have poles."""
CLOSE: Final = 1e-3
"""Values that are closer together than this count as the same at first."""
GROWING: Final = 0.02
FIRST: Final = 3
"""Curves along which values still grow that are looked at before all others."""


@dataclass(frozen=True)
class Candidate:
    """A table, or a curve of tables in the step."""

    path: Table
    is_table: bool


class Ranking:
    """Tables and curves, the one where a formula seems largest first; each is handed out once.

    :param values: the values that the formula seems to have, with the sign that makes the wanted ones large
    :param order: the places of tables and curves
    """

    def __init__(self, values: NDArray[np.float64], order: NDArray[np.int64]) -> None:
        self.values = values
        self.order = order
        self.position = 0

    def following(self, above: float) -> Candidate | None:
        """Return the next candidate whose value seems to be above a number, or None."""
        ahead = np.flatnonzero(self.values[self.order[self.position :]] > above)
        if not len(ahead):
            return None
        place = int(self.order[self.position + int(ahead[0])])
        self.position += int(ahead[0]) + 1
        tables = _tables()
        is_table = place < len(tables)
        return Candidate(tables[place] if is_table else _curves()[place - len(tables)], is_table)


def ranked(formula: Expr, sign: int) -> Ranking:
    """Rank tables and curves by the values of a formula without parameters, the smallest first for the sign -1.

    Curves along which it still grows come before, because there it may grow beyond all bounds.
    """
    with np.errstate(all="ignore"):
        at_tables = _evaluated(formula, _points())
        before, end = (_evaluated(formula, _cells_at(step)) for step in STEPS)
        values = sign * np.concatenate([at_tables, end])
        grows = np.concatenate([np.zeros(len(at_tables), dtype=bool), sign * (end - before) > GROWING * np.abs(before)])
    usable = np.flatnonzero(np.isfinite(values))
    # Among equals the first ones, which are the simplest, stay first.
    order = usable[np.lexsort((usable, -np.round(values[usable] / CLOSE)))]
    return Ranking(values, np.concatenate([order[grows[order]][:FIRST], order]))


@lru_cache(maxsize=1)
def _points() -> NDArray[np.float64]:
    return np.array([[float(c) for c in table] for table in _tables()])


def _evaluated(formula: Expr, points: NDArray[np.float64]) -> NDArray[np.float64]:
    result: Any = compiled(formula)(*points.T)
    return np.broadcast_to(np.real_if_close(np.asarray(result, dtype=np.float64)), len(points)).astype(np.float64)


@lru_cache(maxsize=1)
def _tables() -> list[Table]:
    tables = [tuple(map(Integer, cells)) for cells in itertools.product(CELL_VALUES, repeat=4)]
    return sorted(tables, key=lambda cells: (sum(cells), cells))


@lru_cache(maxsize=1)
def _powers() -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return coefficients and exponents of the curves, the simplest first."""
    exponents = [e for e in itertools.product(EXPONENTS, repeat=4) if any(e)]
    pairs = itertools.product(COEFFICIENTS, exponents)
    return sorted(pairs, key=lambda pair: (sum(e < 0 for e in pair[1]), sum(map(abs, pair[1])), sum(pair[0])))


@lru_cache(maxsize=1)
def _curves() -> list[Table]:
    curves = [tuple(c * STEP**e for c, e in zip(*pair, strict=True)) for pair in _powers()]
    poles = [tuple(_moved(table, place, sign * STEP)) for table, place, sign in _MOVES]
    return [*curves, *poles]


@lru_cache(maxsize=2)
def _cells_at(step: float) -> NDArray[np.float64]:
    curves = np.array([[c * step**e for c, e in zip(*pair, strict=True)] for pair in _powers()])
    poles = np.array([[float(c) for c in _moved(table, place, sign * step)] for table, place, sign in _MOVES])
    return np.concatenate([curves, poles])


_MOVES: Final = list(itertools.product(NEAR_ONE, range(4), (1, -1)))


def _moved(table: Sequence[Any], place: int, change: Any) -> list[Any]:
    return [cell + change if k == place else cell for k, cell in enumerate(table)]
