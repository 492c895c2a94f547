"""Symmetries: permutations of the entries that map a formula to itself, or to 1 - M, -M or 1/M.

The claim asks for more than yes or no: the value of its verdict names what was found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import permutations, product
from typing import Final

from sympy import Expr

from symmetrics.claims.comparison import value_symbol
from symmetrics.claims.families.relations import Identity
from symmetrics.claims.one_formula import OneFormula, OneMatrixFormula
from symmetrics.language.names import CELL_NAMES

Permutation = tuple[int, ...]
"""For each entry, the index of the entry whose value it takes."""
Pair = tuple[Permutation, str]
"""A permutation, and the image of M under it."""

IDENTITY: Final[Permutation] = (0, 1, 2, 3)
PERMUTATIONS: Final[tuple[Permutation, ...]] = tuple(permutations(range(4)))
"""All 24 permutations of the cells, the identity first."""
_FIRST, _SECOND = value_symbol(0), value_symbol(1)
IMAGES: Final[Mapping[str, Expr]] = {
    "M": _FIRST - _SECOND,
    "1-M": _FIRST + _SECOND - 1,
    "-M": _FIRST + _SECOND,
    "1/M": _FIRST * _SECOND - 1,
}
"""Possible images of M (M, 1 - M, -M, 1/M), each with the relation between both values that states it."""


def cycles(permutation: Permutation, names: Sequence[str] = CELL_NAMES) -> str:
    """Write a permutation in cycles, in which every entry takes the value of the next one.

    >>> cycles((3, 2, 1, 0)), cycles(IDENTITY), cycles((1, 2, 0, 3))
    ('(TP TN)(FN FP)', 'identity', '(TP FN FP)')
    """
    seen: set[int] = set()
    found = []
    for start in range(len(permutation)):
        cycle = []
        place = start
        while place not in seen:
            seen.add(place)
            cycle.append(names[place])
            place = permutation[place]
        if len(cycle) > 1:
            found.append(f"({' '.join(cycle)})")
    return "".join(found) or "identity"


def inverse(permutation: Permutation) -> Permutation:
    """Return the inverse of a permutation.

    >>> inverse((1, 2, 0, 3))
    (2, 0, 1, 3)
    """
    return tuple(map(permutation.index, range(len(permutation))))


SYMMETRY_PAIRS: Final[tuple[Pair, ...]] = tuple(
    (permutation, image)
    for permutation, image in product(PERMUTATIONS, IMAGES)
    if permutation <= inverse(permutation) and (permutation, image) != (IDENTITY, "M")
)
"""Pairs to decide for four cells; one of a permutation and its inverse suffices, as every image is an involution."""


class SymmetryGroup(OneFormula):
    """Some permutation of the cells other than the identity maps M to M, 1 - M, -M or 1/M.

    The value lists all that do, wherever M has a value at both tables.
    """

    kind = "symmetry group"

    @property
    def names(self) -> Mapping[Permutation, str]:
        """All permutations with their names, the identity first."""
        return {permutation: cycles(permutation) for permutation in PERMUTATIONS}

    @property
    def pairs(self) -> Sequence[Pair]:
        """The pairs of permutation and image that a verdict decides."""
        return SYMMETRY_PAIRS

    def part(self, permutation: Permutation, image: str) -> Identity:
        """Return the claim that one permutation maps M to one image."""
        entries = self.arguments
        tables = (entries, tuple(entries[place] for place in permutation))
        over = tuple(entry.name for entry in entries)
        return Identity(self.subject, self.parameters, tables, (), IMAGES[image], over=over)


class MatrixSymmetryGroup(OneMatrixFormula, SymmetryGroup):
    """Some rearrangement of rows and columns other than the identity maps M to M, 1 - M, -M or 1/M.

    Rows and columns are permuted, each in their own way, and rows may become columns.  The value lists all
    rearrangements that do, wherever M has a value at both matrices.
    """

    kind = "symmetry group of matrices"
    domain = "all entries > 0"

    @property
    def names(self) -> Mapping[Permutation, str]:
        """All rearrangements with their names, the identity first."""
        return rearrangements(self.classes)

    @property
    def pairs(self) -> Sequence[Pair]:
        """All pairs of a rearrangement and an image, except the identity with M."""
        return list(product(self.names, IMAGES))[1:]


@cache
def rearrangements(classes: int) -> Mapping[Permutation, str]:
    """Return all rearrangements of a matrix with their names: permutations of classes, or of rows and columns.

    >>> len(rearrangements(2)), len(rearrangements(3))
    (8, 72)
    >>> rearrangements(2)[2, 0, 3, 1]
    'columns (1 2) transposed'
    """
    orders = list(permutations(range(classes)))
    numbers = [str(place + 1) for place in range(classes)]
    return {
        # Entry i, j takes the value of entry rows[i], columns[j]; transposed, that of entry columns[j], rows[i].
        tuple(j * classes + i if transposed else i * classes + j for i, j in product(rows, columns)): " ".join(
            [*_words(cycles(rows, numbers), cycles(columns, numbers)), *["transposed"] * transposed]
        )
        or "identity"
        for transposed, rows, columns in product((False, True), orders, orders)
    }


def _words(rows: str, columns: str) -> list[str]:
    """Name permutations of rows and of columns."""
    if rows == columns:
        return [] if rows == "identity" else [f"classes {rows}"]
    return [f"{name} {one}" for name, one in (("rows", rows), ("columns", columns)) if one != "identity"]
