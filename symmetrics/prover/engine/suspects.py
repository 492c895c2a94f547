"""Counterexamples to comparisons far from small tables: suspects are found in floating point and certified exactly."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from functools import lru_cache
from random import Random
from typing import Any, Final

import numpy as np
from flint import fmpq
from numpy.typing import NDArray
from sympy import Expr, Symbol, lambdify

from symmetrics.claims import Comparison, value_symbol
from symmetrics.language.cells import CELLS
from symmetrics.prover.engine.regions import tables_of_regions
from symmetrics.prover.engine.witnesses import Counterexample, certified, points_of_total

__all__ = ["find_violation"]

Floats = NDArray[np.float64]

SMALL_SUMS: Final = range(9)
"""By how much the variables of the small points exceed ones together."""
SMALL_STEPS: Final = (1, 2, 5)
SPREAD: Final = (1, 2, 7, 40, 1000, 10**6, 10**9)
"""Values of variables of which one is far from another."""
SPREAD_STEPS: Final = (1, 30, 10**4, 10**9)
MAX_GRID: Final = 20_000
"""Most points of a grid, for each choice of the auxiliary variables."""
TOLERANCE: Final = 1e-9
"""Relative size below which a value in floating point may be anything."""
MAX_CERTIFIED: Final = 60
"""Suspects of each of the two grids that are looked at exactly."""


def find_violation(claim: Comparison, values: Mapping[Symbol, Expr]) -> Counterexample | None:
    """Return a counterexample among small tables, or among tables with counts of very different size, or None.

    The same tables are looked at for an equation as for an inequality; the last are those on both sides of where Min,
    Max and Abs change from one part to another, which may be anywhere.

    :param values: the values of the claim's parameters
    :raises UnsupportedError: if the formula cannot be evaluated
    """
    for grid, scale in ((_small_grid, 1), (_spread_grid, 1), (_small_grid, 10), (_spread_grid, 10**5)):
        points = grid(len(claim.over), len(claim.auxiliary))
        suspects = _suspects(claim.at(values), points / scale)
        exact = (tuple(fmpq(int(count), scale) for count in points[place]) for place in suspects)
        found = certified(claim, values, exact)
        if found is not None:
            return Counterexample(found, is_smallest=False)
    regions = tables_of_regions(*claim.at(values).sides, over=claim.variables)
    near = (tuple(fmpq(cell.numerator, cell.denominator) for cell in table) for table in regions)
    found = certified(claim, values, near)
    return None if found is None else Counterexample(found, is_smallest=False)


@lru_cache(maxsize=8)
def _small_grid(count: int, auxiliary: int) -> NDArray[np.int64]:
    points = itertools.chain.from_iterable(points_of_total(count, count + more) for more in SMALL_SUMS)
    tables = list(itertools.islice(points, MAX_GRID))
    steps = list(itertools.product(SMALL_STEPS, repeat=auxiliary))
    return np.array([(*table, *step) for table in tables for step in steps])


@lru_cache(maxsize=8)
def _spread_grid(count: int, auxiliary: int) -> NDArray[np.int64]:
    steps = list(itertools.product(SPREAD_STEPS, repeat=auxiliary))
    if len(SPREAD) ** count <= MAX_GRID:
        tables = sorted(itertools.product(SPREAD, repeat=count), key=sum)
    else:
        random = Random(0)
        tables = sorted((tuple(random.choices(SPREAD, k=count)) for _ in range(MAX_GRID)), key=sum)
    return np.array([(*table, *step) for table in tables for step in steps])


def _suspects(claim: Comparison, points: Floats) -> list[int]:
    """Return the places of points at which the relation may have an excluded sign, the worst and the first ones."""
    variables = dict(zip(claim.variables, points.T, strict=True))
    sides: list[Floats] = []
    with np.errstate(all="ignore"):
        for formula, table in zip(claim.formulas, claim.tables, strict=True):
            cells = [np.broadcast_to(_values(cell, variables), len(points)) for cell in table]
            sides.append(np.broadcast_to(compiled_in(formula, claim.arguments)(*cells), len(points)))
        names = {value_symbol(place): side for place, side in enumerate(sides)}
        relation = np.broadcast_to(_values(claim.relation, names), len(points))
        scale = np.max(np.abs(sides), axis=0) + (0 if len(sides) > 1 else 1)
        relative = np.where(scale > 0, relation / scale, relation)
    if claim.sign == "=":
        relative = TOLERANCE - np.abs(relative)
    bound = TOLERANCE if claim.sign == ">" else 0
    first = np.flatnonzero(relative <= bound)
    worst = first[np.argsort(relative[first], kind="stable")]
    return list(dict.fromkeys([*map(int, first[: MAX_CERTIFIED // 2]), *map(int, worst[: MAX_CERTIFIED // 2])]))


def _values(expression: Expr, variables: Mapping[Symbol, Floats]) -> Any:
    symbols = tuple(sorted(expression.free_symbols, key=str))
    return compiled_in(expression, symbols)(*(variables[symbol] for symbol in symbols))


@lru_cache(maxsize=512)
def compiled(formula: Expr) -> Callable[..., Any]:
    """Return a formula over the cells as a function of four arrays."""
    return compiled_in(formula, CELLS)


@lru_cache(maxsize=1024)
def compiled_in(expression: Expr, symbols: tuple[Symbol, ...]) -> Callable[..., Any]:
    """Return an expression as a function of arrays, one for each symbol."""
    function: Callable[..., Any] = lambdify(symbols, expression, "numpy", cse=True)
    return function
