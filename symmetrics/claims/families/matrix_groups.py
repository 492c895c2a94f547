"""Symmetries of many classes: which permutations of rows and columns turn a formula into itself, or into an image."""

from __future__ import annotations

from itertools import permutations, product
from typing import NamedTuple, TypeVar

from symmetrics.claims.families.equations import Identity
from symmetrics.claims.families.groups import IMAGES
from symmetrics.claims.one_matrix import OneMatrixFormula

Entry = TypeVar("Entry")
Order = tuple[int, ...]


class Rearrangement(NamedTuple):
    """Entry i, j takes the value of entry rows[i], columns[j], and with *transposed* that of columns[j], rows[i]."""

    rows: Order
    columns: Order
    transposed: bool = False

    def of(self, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """Return the entries of a matrix rearranged, row by row."""
        size = len(self.rows)
        places = product(self.rows, self.columns)
        return tuple(entries[j * size + i] if self.transposed else entries[i * size + j] for i, j in places)


class MatrixSymmetryGroup(OneMatrixFormula):
    """Some rearrangement of rows and columns other than the identity turns M into M, 1 - M, -M or 1/M.

    Rows and columns are permuted, each in their own way, and rows may become columns.  The value lists all
    rearrangements that do, wherever M has a value at both matrices.
    """

    kind = "symmetry group of matrices"
    domain = "all entries > 0"

    def part(self, rearrangement: Rearrangement, image: str) -> Identity:
        """Return the claim that one rearrangement turns M into one of its images."""
        tables = (self.arguments, rearrangement.of(self.arguments))
        return Identity(self.subject, self.parameters, tables, (), IMAGES[image], None, self.over)


def rearrangements(classes: int) -> list[Rearrangement]:
    """Return all rearrangements of a matrix, the identity first.

    >>> len(rearrangements(2)), len(rearrangements(3))
    (8, 72)
    """
    orders = list(permutations(range(classes)))
    return [Rearrangement(rows, columns, way) for way in (False, True) for rows, columns in product(orders, repeat=2)]


def rearrangement_text(one: Rearrangement) -> str:
    """Write a rearrangement: permutations of classes, or of rows and columns, in cycles.

    >>> rearrangement_text(Rearrangement((1, 0, 2), (1, 0, 2))), rearrangement_text(Rearrangement((0, 1), (1, 0), True))
    ('classes (1 2)', 'columns (1 2) transposed')
    """
    rows, columns = _cycles(one.rows), _cycles(one.columns)
    if rows == columns:
        words = [f"classes {rows}"] if rows else []
    else:
        words = [f"{name} {cycles}" for name, cycles in (("rows", rows), ("columns", columns)) if cycles]
    return " ".join([*words, *["transposed"] * one.transposed]) or "identity"


def _cycles(order: Order) -> str:
    seen: set[int] = set()
    texts = []
    for start in range(len(order)):
        cycle, place = [], start
        while place not in seen:
            seen.add(place)
            cycle.append(str(place + 1))
            place = order[place]
        texts += [f"({' '.join(cycle)})"] if len(cycle) > 1 else []
    return "".join(texts)
