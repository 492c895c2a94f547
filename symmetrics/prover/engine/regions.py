"""Tables in the regions of a formula: on either side of where its Min, Max and Abs change from one part to another."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final

from sympy import Abs, Expr, Integer, Max, Min, Poly, Symbol, fraction, together
from sympy.polys.polyerrors import BasePolynomialError

from symmetrics.language.cells import CELLS
from symmetrics.prover.engine.samples import Counted

__all__ = ["tables_of_regions"]

BASES: Final[tuple[Counted, ...]] = ((1, 1, 1, 1), (5, 3, 2, 7), (2, 7, 11, 3))
"""Tables from which one cell is moved across a boundary."""
LARGE: Final = 100
"""Whole numbers in a formula from which on cells of their size are tried too."""
MAX_DEGREE: Final = 8
MAX_BOUNDARIES: Final = 12
MAX_TABLES: Final = 300


def tables_of_regions(*formulas: Expr) -> tuple[Counted, ...]:
    """Return tables on both sides of the boundaries between the parts of formulas without parameters.

    >>> from symmetrics.language.cells import TP
    >>> any(table[0] > 1000 for table in tables_of_regions(Max(TP - 1000, 0)))
    True
    """
    boundaries = list(dict.fromkeys(itertools.chain.from_iterable(map(_boundaries, formulas))))[:MAX_BOUNDARIES]
    bases = [*BASES, *_large_tables(formulas)]
    found = (
        (*base[:place], value, *base[place + 1 :])
        for base in bases
        for boundary in boundaries
        for place in range(4)
        for value in _around(boundary, base, place)
    )
    return tuple(dict.fromkeys(itertools.islice(itertools.chain(bases, found), MAX_TABLES))) if boundaries else ()


def _boundaries(formula: Expr) -> Iterator[Expr]:
    """Yield what is zero where a formula changes from one part to another."""
    for node in sorted(formula.atoms(Min, Max, Abs), key=str):
        if isinstance(node, Abs):
            yield node.args[0]
        else:
            yield from (left - right for left, right in itertools.combinations(node.args, 2))


def _large_tables(formulas: Iterable[Expr]) -> Iterator[Counted]:
    """Yield tables with cells of the size of the largest whole number in the formulas, in some of the places."""
    largest = max((abs(int(n)) for formula in formulas for n in formula.atoms(Integer)), default=0)
    if largest >= LARGE:
        for chosen in itertools.product((True, False), repeat=4):
            if any(chosen):
                yield tuple(k * largest if big else k for k, big in zip((2, 3, 5, 7), chosen, strict=True))


def _around(boundary: Expr, base: Counted, place: int) -> Iterator[Fraction | int]:
    """Yield positive values of one cell, one in each interval between those at which a boundary is met."""
    cell: Symbol = CELLS[place]
    others = {c: Integer(0) + n for c, n in zip(CELLS, base, strict=True) if c is not cell}
    try:
        poly = Poly(fraction(together(boundary.xreplace(others)))[0], cell, domain="QQ")
    except (BasePolynomialError, ValueError, TypeError):
        return
    if not 0 < poly.degree() <= MAX_DEGREE:
        return
    roots = [Fraction(int(end.p), int(end.q)) for (low, high), _ in poly.intervals() for end in (low, high)]
    ends = sorted({root for root in roots if root > 0})
    if not ends:
        return
    yield from (_plain(value) for value in (ends[0] / 2, ends[-1] + 1, 2 * ends[-1] + 1))
    yield from (_plain((low + high) / 2) for low, high in itertools.pairwise(ends))


def _plain(value: Fraction) -> Fraction | int:
    return int(value) if value.denominator == 1 else value
