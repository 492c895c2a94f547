"""Symmetries: which permutations of the cells turn a formula into itself, or into one of its images.

The claim asks for more than yes or no: the value of its verdict names what was found.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Final

from sympy import Expr

from symmetrics.claims.comparison import value_symbol
from symmetrics.claims.families.equations import Identity
from symmetrics.claims.one_formula import OneFormula
from symmetrics.language.cells import CELLS, Table
from symmetrics.language.names import CELL_NAMES

Permutation = tuple[int, int, int, int]
"""For each cell the place of the one whose count it takes."""
Pair = tuple[Permutation, str]
"""A permutation, and what it may turn M into."""

IDENTITY: Final[Permutation] = (0, 1, 2, 3)
PERMUTATIONS: Final[tuple[Permutation, ...]] = tuple(
    (first, second, third, fourth) for first, second, third, fourth in itertools.permutations(range(4))
)
"""All 24, the identity first."""
_FIRST, _SECOND = value_symbol(0), value_symbol(1)
IMAGES: Final[Mapping[str, Expr]] = {
    "M": _FIRST - _SECOND,
    "1-M": _FIRST + _SECOND - 1,
    "-M": _FIRST + _SECOND,
    "1/M": _FIRST * _SECOND - 1,
}
"""What a permutation may turn M into, each with the relation between both values that says so."""
SYMMETRY_PAIRS: Final[tuple[Pair, ...]] = tuple(
    (permutation, image)
    for permutation, image in itertools.product(PERMUTATIONS, IMAGES)
    if permutation <= tuple(map(permutation.index, range(4))) and (permutation, image) != (IDENTITY, "M")
)
"""What is to be decided.  A permutation and its inverse turn M into the same: every image undoes itself."""


class SymmetryGroup(OneFormula):
    """Some permutation of the cells other than the identity turns M into M, 1 - M, -M or 1/M.

    The value lists all that do, wherever M has a value at both tables.
    """

    kind = "symmetry group"

    def part(self, permutation: Permutation, image: str) -> Identity:
        """Return the claim that one permutation turns M into one of its images."""
        first, second, third, fourth = (CELLS[place] for place in permutation)
        permuted: Table = (first, second, third, fourth)
        return Identity(self.subject, self.parameters, (CELLS, permuted), (), IMAGES[image])


def cycles(permutation: Permutation) -> str:
    """Write a permutation in cycles, in which every cell takes the count of the next one.

    >>> cycles((3, 2, 1, 0)), cycles(IDENTITY), cycles((1, 2, 0, 3))
    ('(TP TN)(FN FP)', 'identity', '(TP FN FP)')
    """
    seen: set[int] = set()
    found = []
    for start in range(4):
        cycle = []
        place = start
        while place not in seen:
            seen.add(place)
            cycle.append(CELL_NAMES[place])
            place = permutation[place]
        if len(cycle) > 1:
            found.append(f"({' '.join(cycle)})")
    return "".join(found) or "identity"


def inverse(permutation: Permutation) -> Permutation:
    """Return the permutation that undoes another.

    >>> inverse((1, 2, 0, 3))
    (2, 0, 1, 3)
    """
    first, second, third, fourth = (permutation.index(place) for place in range(4))
    return first, second, third, fourth
