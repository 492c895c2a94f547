"""Formula values at sample tables, used to suggest hypotheses that exact arithmetic decides."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any, Final

import numpy as np
from flint import ctx, fmpq
from numpy.typing import NDArray
from sympy import Abs, Expr, Integer, Max, Min, Poly, Rational, S, Symbol, fraction, lambdify, together
from sympy.polys.polyerrors import BasePolynomialError

from symmetrics.algebra.evaluate import Evaluator, Undefined
from symmetrics.claims import Comparison, value_symbol
from symmetrics.claims.evidence import Counts
from symmetrics.language.cells import CELLS
from symmetrics.prover.engine.witnesses import Counterexample, certified, points_of_total, tables_of_total

Counted = tuple[int | Fraction, ...]
"""Four positive cells."""
BITS: Final = 400
"""Precision in bits for identifying numbers from values."""


def _generic(count: int) -> tuple[Counted, ...]:
    """Return generic tables (no relations between cells) of several shapes and scales."""
    random = Random(20240229)
    tables = []
    for place in range(count):
        largest = (30, 200, 5000)[place % 3]
        tp, fn, fp, tn = (random.randint(2, largest) for _ in range(4))
        tables.append((tp, fn, fp, tn))
    return tuple(tables)


GENERIC: Final = _generic(48)
"""Tables at which different functions almost surely have different values."""
SMALL: Final[tuple[Counted, ...]] = tuple(table for total in range(4, 9) for table in tables_of_total(total))
"""The smallest tables of positive integers, in order."""


class Sampled:
    """A formula without parameters, with cached values at tables.

    :raises UnsupportedError: if the formula cannot be evaluated
    """

    def __init__(self, formula: Expr) -> None:
        self.formula = formula
        self._evaluate: Callable[..., Any] = Evaluator(formula, CELLS)
        self._values: dict[Counted, Any] = {}
        self._exact: dict[Counted, Expr] = {}

    def at(self, table: Counted) -> Any:
        """Return the value at a table, an exact ``fmpq`` or a ball ``arb``; None if it is not certain to exist."""
        if table not in self._values:
            saved, ctx.prec = ctx.prec, BITS
            try:
                value = self._evaluate(*table)
                self._values[table] = value if isinstance(value, fmpq) or value.is_finite() else None
            except Undefined:
                self._values[table] = None
            finally:
                ctx.prec = saved
        return self._values[table]

    def float_at(self, table: Counted) -> float:
        """Return the value at a table in floating point, nan where it is undefined."""
        value = self.at(table)
        if value is None:
            return float("nan")
        return float(int(value.p) / int(value.q)) if isinstance(value, fmpq) else float(value.mid())

    def exact_at(self, table: Counted) -> Expr:
        """Return the value at a table as a SymPy number."""
        if table not in self._exact:
            value = self.at(table)
            if isinstance(value, fmpq):
                self._exact[table] = Rational(int(value.p), int(value.q))
            else:
                self._exact[table] = self.formula.xreplace(dict(zip(CELLS, map(_rational, table), strict=True)))
        return self._exact[table]

    def is_less(self, other: Sampled, table: Counted) -> bool:
        """Whether the value at a table is certainly less than another formula's there."""
        first, second = self.at(table), other.at(table)
        return first is not None and second is not None and bool(first < second)


@lru_cache(maxsize=4096)
def sampled(formula: Expr) -> Sampled:
    """Return the samples of a formula."""
    return Sampled(formula)


def order_of(formula: Sampled, first: Counted, second: Counted) -> int | None:
    """Return the sign of M(first) - M(second), or None where it is not certain."""
    left, right = formula.at(first), formula.at(second)
    if left is None or right is None:
        return None
    if bool(left < right) or bool(left > right):
        return -1 if bool(left < right) else 1
    if isinstance(left, fmpq) and isinstance(right, fmpq):
        return 0
    return 0 if formula.exact_at(first) == formula.exact_at(second) else None


def counts_of(tables: Sequence[Counted]) -> tuple[Counts, ...]:
    """Return tables as counts, in the form of a witness."""
    return tuple(Counts(*(c if isinstance(c, int) else _rational(c) for c in table)) for table in tables)


def _rational(count: int | Fraction) -> Rational:
    return Rational(count.numerator, count.denominator)


# ----------------------------------------------------------------------------------------------------------------------
# Tables in every region of a piecewise formula: on either side of where Min, Max and Abs switch their argument.


BASES: Final[tuple[Counted, ...]] = ((1, 1, 1, 1), (5, 3, 2, 7), (2, 7, 11, 3))
"""Tables from which one cell is moved across a boundary; repeated for more variables."""
SPREAD: Final = (1, 10**3, 10**6, 10**9)
"""Values for a cell that is far larger or smaller than another, for boundaries that are not solved for."""
LARGE: Final = 100
"""Integers in a formula from this size on suggest cells of their size as well."""
MAX_DEGREE: Final = 8
MAX_BOUNDARIES: Final = 12
MAX_TABLES: Final = 300


def tables_of_regions(*formulas: Expr, over: Sequence[Symbol] = CELLS) -> tuple[Counted, ...]:
    """Return tables on both sides of the boundaries between the smooth pieces of formulas without parameters.

    :param over: the variables of the formulas, which a table has positive values for

    >>> from symmetrics.language.cells import TP
    >>> any(table[0] > 1000 for table in tables_of_regions(Max(TP - 1000, 0)))
    True
    """
    # Zero sets of differences whose sign decides a Min, Max or Abs.
    boundaries = list(dict.fromkeys(itertools.chain.from_iterable(map(_boundaries, formulas))))[:MAX_BOUNDARIES]
    if not boundaries:
        return ()
    bases = [_repeated(base, len(over)) for base in BASES] + list(_large_tables(formulas, len(over)))
    # Move one cell of a base table across each boundary.
    found = (
        (*base[:place], value, *base[place + 1 :])
        for base in bases
        for boundary in boundaries
        for place in range(len(over))
        for value in _around(boundary, base, place, over)
    )
    # Also tables with cells of very different size.
    spread = itertools.islice(itertools.product(SPREAD, repeat=len(over)), MAX_TABLES)
    near = itertools.islice(itertools.chain(bases, found), MAX_TABLES)
    return tuple(dict.fromkeys(itertools.chain(near, spread)))


def _repeated(base: Counted, count: int) -> Counted:
    return tuple(itertools.islice(itertools.cycle(base), count))


def _boundaries(formula: Expr) -> Iterator[Expr]:
    """Yield expressions that vanish where a formula switches from one smooth piece to another."""
    for node in sorted(formula.atoms(Min, Max, Abs), key=str):
        if isinstance(node, Abs):
            yield node.args[0]
        else:
            yield from (left - right for left, right in itertools.combinations(node.args, 2))


def _large_tables(formulas: Iterable[Expr], count: int) -> Iterator[Counted]:
    """Yield tables with cells of the size of the largest integer in the formulas, in some positions.

    :param count: the number of variables; of more than four only one is large at a time, or all are
    """
    largest = max((abs(int(n)) for formula in formulas for n in formula.atoms(Integer)), default=0)
    if largest >= LARGE:
        places = range(count)
        chosen: Iterable[Sequence[bool]] = itertools.product((True, False), repeat=count)
        if count > len(CELLS):
            chosen = [[True] * count, *([place == one for place in places] for one in places)]
        for each in chosen:
            if any(each):
                yield tuple(
                    k * largest if big else k for k, big in zip(_repeated((2, 3, 5, 7), count), each, strict=True)
                )


def _around(boundary: Expr, base: Counted, place: int, over: Sequence[Symbol]) -> Iterator[Fraction | int]:
    """Yield positive values of one variable, two in each interval between boundary crossings."""
    cell: Symbol = over[place]
    others = {c: Integer(0) + n for c, n in zip(over, base, strict=True) if c is not cell}
    try:
        poly = Poly(fraction(together(boundary.xreplace(others)))[0], cell, domain="QQ")
    except (BasePolynomialError, ValueError, TypeError):
        return
    if not 0 < poly.degree() <= MAX_DEGREE:
        return
    # Cauchy's bound: no non-zero root is smaller in size, so half of it separates the roots from 0.
    sizes = [abs(coefficient) for coefficient in poly.all_coeffs() if coefficient]
    least = sizes[-1] / (sizes[-1] + max(sizes[:-1], default=S.Zero))
    intervals = poly.intervals(eps=least / 2)
    roots = [Fraction(int(end.p), int(end.q)) for (low, high), _ in intervals for end in (low, high)]
    ends = sorted({root for root in roots if root > 0})
    if not ends:
        return
    yield from (_plain(value) for value in (ends[0] / 2, ends[0] / 4, ends[-1] + 1, 2 * ends[-1] + 1))
    for low, high in itertools.pairwise(ends):
        yield from (_plain((2 * low + high) / 3), _plain((low + 2 * high) / 3))


def _plain(value: Fraction) -> Fraction | int:
    return int(value) if value.denominator == 1 else value


# ----------------------------------------------------------------------------------------------------------------------
# Counterexamples to comparisons far from small tables: suspects in floating point, certified exactly.


Floats = NDArray[np.float64]

SMALL_SUMS: Final = range(9)
"""Largest sum of (variable - 1) over the variables of a small point."""
SMALL_STEPS: Final = (1, 2, 5)
FAR_APART: Final = (1, 2, 7, 40, 1000, 10**6, 10**9)
"""Values for variables of very different size."""
SPREAD_STEPS: Final = (1, 30, 10**4, 10**9)
MAX_GRID: Final = 20_000
"""Largest number of grid points, for each choice of the auxiliary variables."""
TOLERANCE: Final = 1e-9
"""Floating-point values below this relative size are treated as rounding errors."""
MAX_CERTIFIED: Final = 60
"""Number of suspects from each of the two grids that are checked exactly."""


def find_violation(claim: Comparison, values: Mapping[Symbol, Expr]) -> Counterexample | None:
    """Return a counterexample among small tables, or among tables with counts of very different size, or None.

    The same tables are examined for an equation as for an inequality; the last are those on both sides of where Min,
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
    if len(FAR_APART) ** count <= MAX_GRID:
        tables = sorted(itertools.product(FAR_APART, repeat=count), key=sum)
    else:
        random = Random(0)
        tables = sorted((tuple(random.choices(FAR_APART, k=count)) for _ in range(MAX_GRID)), key=sum)
    return np.array([(*table, *step) for table in tables for step in steps])


def _suspects(claim: Comparison, points: Floats) -> list[int]:
    """Points at which the relation may have an excluded sign: the first ones and those that violate it most."""
    # Values of all sides in floating point.
    variables = dict(zip(claim.variables, points.T, strict=True))
    sides: list[Floats] = []
    with np.errstate(all="ignore"):
        for formula, table in zip(claim.formulas, claim.tables, strict=True):
            cells = [np.broadcast_to(_values(cell, variables), len(points)) for cell in table]
            sides.append(np.broadcast_to(compiled_in(formula, claim.arguments)(*cells), len(points)))
        names = {value_symbol(place): side for place, side in enumerate(sides)}
        relation = np.broadcast_to(_values(claim.relation, names), len(points))
        # Compare the relation with the size of the sides, so that rounding errors are not suspects.
        scale = np.max(np.abs(sides), axis=0) + (0 if len(sides) > 1 else 1)
        relative = np.where(scale > 0, relation / scale, relation)
    if claim.sign == "=":
        relative = TOLERANCE - np.abs(relative)
    bound = TOLERANCE if claim.sign == ">" else 0
    # Half of the budget for the smallest points, half for the strongest violations.
    first = np.flatnonzero(relative <= bound)
    worst = first[np.argsort(relative[first], kind="stable")]
    return list(dict.fromkeys([*map(int, first[: MAX_CERTIFIED // 2]), *map(int, worst[: MAX_CERTIFIED // 2])]))


def _values(expression: Expr, variables: Mapping[Symbol, Floats]) -> Any:
    symbols = tuple(sorted(expression.free_symbols, key=str))
    return compiled_in(expression, symbols)(*(variables[symbol] for symbol in symbols))


@lru_cache(maxsize=512)
def compiled(formula: Expr) -> Callable[..., Any]:
    """Compile a formula over the cells to a function of four arrays."""
    return compiled_in(formula, CELLS)


@lru_cache(maxsize=1024)
def compiled_in(expression: Expr, symbols: tuple[Symbol, ...]) -> Callable[..., Any]:
    """Compile an expression to a function of arrays, one for each symbol."""
    function: Callable[..., Any] = lambdify(symbols, expression, "numpy", cse=True)
    return function
