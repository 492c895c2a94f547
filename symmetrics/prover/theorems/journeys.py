"""Journeys from table to table: between two of them the laws of premises are searched, or a limit is passed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from sympy import Expr, Integer, factor

from symmetrics.claims.families.limits import STEP
from symmetrics.claims.theorems.arguments import Journey, Tending
from symmetrics.claims.theorems.laws import Instance, Law, image
from symmetrics.language.cells import CELLS, Table
from symmetrics.prover.theorems.invariances import Invariances, walk_of
from symmetrics.prover.theorems.motions import motions_of
from symmetrics.tools.errors import UnsupportedError

__all__ = ["journey_through"]


def journey_through(tables: Sequence[Table], laws: Mapping[str, Sequence[Law]]) -> Journey:
    """Return a journey that passes some tables.

    :param tables: in the order in which they are passed; one in s is a curve
    :param laws: those of the premises
    :raises UnsupportedError: if no step is found from a table to the next

    >>> from sympy import Integer
    >>> TP, FN, FP, TN = CELLS
    >>> journey = journey_through([(TP, FN, FP, STEP), (TP, FN, FP, Integer(0))], {})
    >>> journey.steps
    (Tending(curve=(TP, FN, FP, other_s), forward=True),)
    """
    motions = [motion for key, each in laws.items() for motion in motions_of(key, each) or ()]
    steps: list[Instance | Tending] = []
    for here, there in pairwise(tables):
        found = next(_steps(here, there, laws, Invariances(motions)), None)
        if found is None:
            raise UnsupportedError(f"no step leads from {here} to {there}")
        steps += found
    return Journey(tables[0], tuple(steps))


def _steps(
    here: Table, there: Table, laws: Mapping[str, Sequence[Law]], alike: Invariances
) -> Iterator[Sequence[Instance | Tending]]:
    """Yield ways from a table to another: a limit, one law, motions."""
    for curve, end, forward in ((here, there, True), (there, here, False)):
        if any(cell.has(STEP) for cell in curve) and image(curve, {STEP: Integer(0)}) == end:
            yield [Tending(curve, forward)]
    for key, each in laws.items():
        for law in each:
            for start, end, forward in ((here, there, True), (there, here, False)):
                at = dict(zip(CELLS, start, strict=True))
                if law.tables[0] == CELLS and _factored(image(law.tables[1], at)) == _factored(end):
                    yield [Instance(key, law.label, at, forward)]
    if all(cell != 0 for cell in (*here, *there)):
        same = alike.same(_factored(here), _factored(there))
        if same is not None:
            yield walk_of(here, same)[0].steps


def _factored(table: Table) -> Table:
    first, second, third, fourth = map(_factored_cell, table)
    return first, second, third, fourth


@lru_cache(maxsize=4096)
def _factored_cell(cell: Expr) -> Expr:
    return factor(cell)
