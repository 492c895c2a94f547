"""Pairs of metrics that may stand in a relation, by their values at a few dozen tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from sympy import Expr

from symmetrics.language.cells import CELLS, Table
from symmetrics.prover.engine.samples import GENERIC, Counted
from symmetrics.prover.engine.witnesses import tables_of_total
from symmetrics.query.fingerprints import Fingerprint, agree, fingerprint, is_affine, order_direction
from symmetrics.query.relations import EXCHANGES
from symmetrics.tools.errors import UnsupportedError

__all__ = ["ORDERED", "all_related", "exchanged", "related", "suggested", "usable"]


ORDERED: Final[tuple[Counted, ...]] = tuple(table for total in range(4, 11) for table in tables_of_total(total))
"""All tables of positive cells with at most ten examples, the smallest first."""


def all_related(formulas: Sequence[Expr]) -> Iterator[tuple[int, int, str]]:
    """Yield the places of two formulas and the relation that their values suggest, for all pairs."""
    prints = [(place, found) for place, formula in enumerate(formulas) if (found := usable(formula)) is not None]
    for index, (first, left) in enumerate(prints):
        later = prints[index + 1 :]
        close = set()
        for second, right in later:
            if (relation := related(left, right)) is not None:
                yield first, second, relation
                close.add((second, relation.startswith("rank")))
        for relation, place in exchanged(left, [right for _, right in later]):
            if (later[place][0], False) not in close:
                yield first, later[place][0], relation


def _image(table: Counted, image: Table) -> Counted:
    place = dict(zip(CELLS, table, strict=True))
    return tuple(place[cell] for cell in image)


_EXCHANGED: Final = {name: tuple(_image(t, image) for t in GENERIC) for name, image in EXCHANGES.items()}


def usable(formula: Expr) -> Fingerprint | None:
    """Return the fingerprint of a formula, or None for one that is constant or undefined at most tables."""
    try:
        found = fingerprint(formula)
    except UnsupportedError:
        return None
    return found if found.is_usable else None


def related(first: Fingerprint, second: Fingerprint) -> str | None:
    """Return the closest relation, short of an exchange of cells, that the values of two formulas suggest.

    >>> from symmetrics.language.cells import FN, FP, TP
    >>> f1, jaccard = usable(2 * TP / (2 * TP + FN + FP)), usable(TP / (TP + FN + FP))
    >>> f1 is not None and jaccard is not None and related(f1, jaccard)
    'rank_equivalent'
    """
    return next(suggested(first, second), None)


def suggested(first: Fingerprint, second: Fingerprint) -> Iterator[str]:
    """Yield the relations, short of an exchange of cells, that the values of two formulas suggest, the closest first.

    They are suggestions: rounded values that agree may belong to formulas that differ.
    """
    if agree(first.values, second.values):
        yield "equal"
    if agree(first.values, 1 - second.values):
        yield "complement_of"
    if agree(first.values, -second.values):
        yield "negation_of"
    if is_affine(first.spread, second.spread):
        yield "affine"
    direction = order_direction(first.spread, second.spread)
    # Few tables are soon ordered alike by chance, and an exact look at two orders takes long.
    if direction and order_direction(_closer(first.formula).spread, _closer(second.formula).spread) == direction:
        yield "rank_equivalent" if direction > 0 else "rank_reversed"


@lru_cache(maxsize=512)
def _closer(formula: Expr) -> Fingerprint:
    """Return the values of a formula at all small tables, many of which have close values or equal ones."""
    return Fingerprint(formula, ORDERED)


def exchanged(first: Fingerprint, others: Sequence[Fingerprint]) -> Iterator[tuple[str, int]]:
    """Yield the exchanges of cells that may take other formulas to a formula, each with the place of the other."""
    for name, tables in _EXCHANGED.items():
        # M(x) = L(image of x) for all x says the same as L(x) = M(image of x): each exchange undoes itself.
        moved = Fingerprint(first.formula, tables)
        for place, other in enumerate(others):
            if agree(moved.values, other.values):
                yield name, place
