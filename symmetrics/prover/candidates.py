"""Where a formula may have its largest and its smallest values: tables and curves, found in floating point."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Integer, Rational

from symmetrics.cells import Table
from symmetrics.claims.limit import STEP
from symmetrics.prover.suspects import compiled

__all__ = ["CLOSE", "Candidate", "candidates"]

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
    """A table, or a curve of tables in the step, at whose end a formula seems to have a value."""

    path: Table
    value: float
    is_table: bool


def candidates(formula: Expr, sign: int) -> Iterator[Candidate]:
    """Yield tables and curves, the one where a formula without parameters seems largest first; smallest for sign -1.

    Curves along which it still grows come before, because there it may grow beyond all bounds.
    """
    tables, curves = _tables(), _curves()
    with np.errstate(all="ignore"):
        at_tables = _evaluated(formula, _points())
        before, end = (_evaluated(formula, _cells_at(step)) for step in STEPS)
        values = np.concatenate([at_tables, end])
        grows = np.concatenate([np.zeros(len(tables), dtype=bool), sign * (end - before) > GROWING * np.abs(before)])
    usable = np.flatnonzero(np.isfinite(values))
    # Among equals the first ones, which are the simplest, stay first.
    ranking = usable[np.lexsort((usable, -sign * np.round(values[usable] / CLOSE)))]
    for place in map(int, (*ranking[grows[ranking]][:FIRST], *ranking)):
        is_table = place < len(tables)
        path = tables[place] if is_table else curves[place - len(tables)]
        yield Candidate(path, float(values[place]), is_table)


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
