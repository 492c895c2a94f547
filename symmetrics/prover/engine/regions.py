"""Tables in the regions of a formula: on either side of where its Min, Max and Abs change from one part to another."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final

from sympy import Abs, Expr, Integer, Max, Min, Poly, S, Symbol, fraction, together
from sympy.polys.polyerrors import BasePolynomialError

from symmetrics.language.cells import CELLS
from symmetrics.prover.engine.samples import Counted

__all__ = ["tables_of_regions"]

BASES: Final[tuple[Counted, ...]] = ((1, 1, 1, 1), (5, 3, 2, 7), (2, 7, 11, 3))
"""Tables from which one cell is moved across a boundary; of more variables, they are repeated."""
SPREAD: Final = (1, 10**3, 10**6, 10**9)
"""Values of cells of which one is far from another, for boundaries that are not solved for."""
LARGE: Final = 100
"""Whole numbers in a formula from which on cells of their size are tried too."""
MAX_DEGREE: Final = 8
MAX_BOUNDARIES: Final = 12
MAX_TABLES: Final = 300


def tables_of_regions(*formulas: Expr, over: Sequence[Symbol] = CELLS) -> tuple[Counted, ...]:
    """Return tables on both sides of the boundaries between the parts of formulas without parameters.

    :param over: the variables of the formulas, which a table has positive values for

    >>> from symmetrics.language.cells import TP
    >>> any(table[0] > 1000 for table in tables_of_regions(Max(TP - 1000, 0)))
    True
    """
    boundaries = list(dict.fromkeys(itertools.chain.from_iterable(map(_boundaries, formulas))))[:MAX_BOUNDARIES]
    if not boundaries:
        return ()
    bases = [_repeated(base, len(over)) for base in BASES] + list(_large_tables(formulas, len(over)))
    found = (
        (*base[:place], value, *base[place + 1 :])
        for base in bases
        for boundary in boundaries
        for place in range(len(over))
        for value in _around(boundary, base, place, over)
    )
    spread = itertools.islice(itertools.product(SPREAD, repeat=len(over)), MAX_TABLES)
    near = itertools.islice(itertools.chain(bases, found), MAX_TABLES)
    return tuple(dict.fromkeys(itertools.chain(near, spread)))


def _repeated(base: Counted, count: int) -> Counted:
    return tuple(itertools.islice(itertools.cycle(base), count))


def _boundaries(formula: Expr) -> Iterator[Expr]:
    """Yield what is zero where a formula changes from one part to another."""
    for node in sorted(formula.atoms(Min, Max, Abs), key=str):
        if isinstance(node, Abs):
            yield node.args[0]
        else:
            yield from (left - right for left, right in itertools.combinations(node.args, 2))


def _large_tables(formulas: Iterable[Expr], count: int) -> Iterator[Counted]:
    """Yield tables with cells of the size of the largest whole number in the formulas, in some of the places.

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
    """Yield positive values of one variable, two in each interval between those at which a boundary is met."""
    cell: Symbol = over[place]
    others = {c: Integer(0) + n for c, n in zip(over, base, strict=True) if c is not cell}
    try:
        poly = Poly(fraction(together(boundary.xreplace(others)))[0], cell, domain="QQ")
    except (BasePolynomialError, ValueError, TypeError):
        return
    if not 0 < poly.degree() <= MAX_DEGREE:
        return
    # Cauchy: no root but 0 is smaller in size, so that intervals half as long keep roots near 0 from it.
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
