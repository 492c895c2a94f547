"""Small tables that show a formula not to be at its extreme where a claim has it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Integer, Rational, log

from symmetrics.algebra.continuity import value_as_written, value_by_continuity
from symmetrics.algebra.evaluate import Evaluator, Undefined
from symmetrics.algebra.evaluate import certain_sign as sign_of_value
from symmetrics.claims.verdict import Counts, Witness
from symmetrics.language.cells import CELL_NAMES, CELLS
from symmetrics.prover.engine.ends import typical
from symmetrics.prover.engine.leading import placed
from symmetrics.prover.engine.obstacles import DIVISOR, LOGARITHM, RADICAND, Obstacle, is_free, obstacles_of
from symmetrics.prover.engine.suspects import compiled
from symmetrics.tools.errors import UnsupportedError

__all__ = [
    "TOLERANCE",
    "counterexample",
    "floats_at_tables",
    "has_value",
    "is_defined",
    "sign_of_number",
    "small_tables",
    "value_at",
    "values_of",
]

LARGEST_COUNT: Final = 3
"""Largest cell of the tables among which a counterexample is searched."""
SMALL_COUNT: Final = 2
"""Largest cell of the tables at which a limit is looked for."""
MAX_CERTIFIED: Final = 40
"""Pairs of tables that are compared exactly."""
TOLERANCE: Final = 1e-9


def counterexample(claim: Any, sign: int, empty: frozenset[str], written: tuple[Obstacle, ...]) -> Witness | None:
    """Return the smallest two tables that show a claim to be wrong: the second has the two cells empty.

    Either the first one has not, and its value is not exceeded by that of the second; or both have, and differ.
    """
    tables, values = small_tables(), sign * floats_at_tables(claim, written)
    places = [k for k, name in enumerate(CELL_NAMES) if name in empty]
    agrees = (tables[:, places] == 0).all(axis=1) & np.isfinite(values)
    firsts, seconds = np.flatnonzero(np.isfinite(values)), np.flatnonzero(agrees)
    gaps = values[firsts][:, None] - values[seconds][None, :]
    suspect = np.where(agrees[firsts][:, None], np.abs(gaps) > TOLERANCE, gaps > -TOLERANCE)
    pairs = np.argwhere(suspect)
    totals = tables.sum(axis=1)
    order = np.argsort(totals[firsts[pairs[:, 0]]] + totals[seconds[pairs[:, 1]]], kind="stable")
    for place in order[:MAX_CERTIFIED]:
        first, second = tables[firsts[pairs[place, 0]]], tables[seconds[pairs[place, 1]]]
        left, right = value_at(claim.subject, first), value_at(claim.subject, second)
        if left is None or right is None or left.free_symbols or right.free_symbols:
            continue
        if not (is_defined(claim, first, written) and is_defined(claim, second, written)):
            continue
        gap = sign_of_number(sign * (left - right))
        both = all(first[k] == 0 for k in places)
        if gap in ((1, -1) if both else (1, 0)):
            counts = (Counts(*map(int, first)), Counts(*map(int, second)))
            return Witness(counts, (left, right), values_of(claim))
    return None


def values_of(claim: Any) -> dict[str, Rational]:
    """Return the values of the parameters at which tables are looked at."""
    return {p.name: typical(p) for p in claim.parameters}


def is_defined(claim: Any, table: NDArray[np.int64], written: tuple[Obstacle, ...]) -> bool:
    """Whether a formula, as it is written, has a value at a table for all parameters."""
    obstacles = [*(obstacles_of(claim.subject) if claim.parameters else ()), *written]
    place = dict(zip(CELLS, map(Integer, map(int, table)), strict=True))
    try:
        return all(is_free(kind, placed(base, place), claim.parameters) for kind, base in obstacles)
    except UnsupportedError:
        return False


def floats_at_tables(claim: Any, written: tuple[Obstacle, ...]) -> NDArray[np.float64]:
    """Return the values of a formula at its default parameters at the tables that are searched."""
    defaults = {p.symbol: typical(p) for p in claim.parameters}
    tables = small_tables()
    try:
        formula = placed(claim.subject, defaults)
    except UnsupportedError:
        return np.full(len(tables), np.nan)
    with np.errstate(all="ignore"):
        result: Any = compiled(formula)(*tables.T.astype(np.float64))
    values = np.array(np.broadcast_to(np.asarray(result, dtype=np.float64), len(tables)))
    _fill_by_continuity(values, formula)
    for kind, base in written:
        with np.errstate(all="ignore"):
            found: Any = compiled(base.xreplace(defaults))(*tables.T.astype(np.float64))
        values[~_ALLOWED[kind](np.broadcast_to(np.asarray(found, dtype=np.float64), len(tables)))] = np.nan
    return values


_ALLOWED: Final[dict[str, Callable[[NDArray[np.float64]], NDArray[np.bool_]]]] = {
    DIVISOR: lambda values: np.abs(values) > TOLERANCE,
    RADICAND: lambda values: values >= 0,
    LOGARITHM: lambda values: values > TOLERANCE,
}


@lru_cache(maxsize=1)
def small_tables() -> NDArray[np.int64]:
    """Return the tables that are searched, those with few counts first."""
    tables = [table for table in itertools.product(range(LARGEST_COUNT + 1), repeat=4) if any(table)]
    return np.array(sorted(tables, key=lambda table: (sum(table), table)))


def value_at(formula: Expr, table: NDArray[np.int64]) -> Expr | None:
    """Return the exact value of a formula at a table, as it is written or by continuity; None if it has none."""
    place = dict(zip(CELLS, map(Integer, map(int, table)), strict=True))
    value = value_as_written(formula, place)
    if value is None and formula.free_symbols <= set(CELLS):
        return value_by_continuity(formula, place)
    return value


def has_value(formula: Expr, empty: frozenset[str]) -> bool:
    """Whether a formula without parameters, as it is written, has a value at a small table where some cells are zero.

    :param empty: the names of these cells
    """
    for table in small_tables().tolist():
        place = dict(zip(CELLS, map(Integer, table), strict=True))
        is_there = not any(place[cell] for cell in CELLS if cell.name in empty)
        if is_there and value_as_written(formula, place) is not None:
            return True
    return False


def _fill_by_continuity(values: NDArray[np.float64], formula: Expr) -> None:
    """Put limits in the place of values that a formula with logarithms has not, at the smallest tables."""
    if not formula.has(log) or not formula.free_symbols <= set(CELLS):
        return
    for place, table in enumerate(small_tables()):
        if np.isnan(values[place]) and max(table) <= SMALL_COUNT and min(table) == 0:
            value = value_at(formula, table)
            values[place] = np.nan if value is None else float(value)


def sign_of_number(value: Expr) -> int | None:
    """Return the certified sign of a constant, None if there is none."""
    if value == 0:
        return 0
    try:
        return sign_of_value(Evaluator(value, ()))
    except (Undefined, UnsupportedError):
        return None
