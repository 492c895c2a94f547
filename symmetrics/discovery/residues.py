"""Vectorised arithmetic modulo the prime 2**31 - 1, and a set of numbers already seen."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from operator import add, mul, sub, truediv
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Max, Min, Symbol, sqrt

from symmetrics.language.cells import CELLS

PRIME: Final = 2**31 - 1
_PRIME: Final = np.uint64(PRIME)
_BITS: Final = np.uint64(31)
Residues = NDArray[np.uint64]
"""Numbers below the prime."""


def total(left: Residues, right: Residues) -> Residues:
    """Return sums modulo the prime."""
    return _once(left + right)


def difference(left: Residues, right: Residues) -> Residues:
    """Return differences modulo the prime."""
    return _once(left + (_PRIME - right))


def product(left: Residues, right: Residues) -> Residues:
    """Return products modulo the prime: as 2**31 is 1, what stands above 31 bits is added to what stands below.

    >>> product(np.array([2**30, 5], dtype=np.uint64), np.array([4, 7], dtype=np.uint64)).tolist()
    [2, 35]
    """
    values = left * right
    return _once((values & _PRIME) + (values >> _BITS))


def _once(values: Residues) -> Residues:
    """Return numbers of at most twice the prime without it: what is below the prime already wraps to the other end."""
    return np.asarray(np.minimum(values, values - _PRIME))


def inverses(values: Residues) -> Residues:
    """Return the inverses modulo the prime, and 0 for 0: three products for each (Montgomery, 1987).

    >>> inverses(np.array([1, 2, 0], dtype=np.uint64)).tolist()
    [1, 1073741824, 0]
    """
    known = np.where(values == 0, np.uint64(1), values).ravel()
    return np.where(values == 0, np.uint64(0), _inverses(known).reshape(values.shape))


def _inverses(known: Residues) -> Residues:
    if len(known) <= 1:
        return np.array([pow(int(value), -1, PRIME) for value in known], dtype=np.uint64)
    # Products of neighbours are inverted together: 1/a = b/(ab).
    even = known if len(known) % 2 == 0 else np.append(known, np.uint64(1))
    first, second = even[0::2], even[1::2]
    both = _inverses(product(first, second))
    found = np.empty_like(even)
    found[0::2], found[1::2] = product(both, second), product(both, first)
    return found[: len(known)]


def is_square(value: int) -> bool:
    """Whether a number is a square other than 0 modulo the prime (Euler's criterion).

    >>> [is_square(value) for value in (2, 3, 4, 0)]
    [True, False, True, False]
    """
    return pow(value, (PRIME - 1) // 2, PRIME) == 1


def roots(values: Residues) -> Residues:
    """Return of squares modulo the prime those roots that are squares themselves: powers by 2**29.

    >>> roots(np.array([4, 2**30], dtype=np.uint64)).tolist()
    [2, 32768]
    """
    found = values
    for _ in range(29):
        found = product(found, found)
    return found


def mixed(values: Residues) -> Residues:
    """Return a 62-bit fingerprint of each column; different columns collide with probability 2**-62."""
    if len(values) == 2:
        return np.asarray(values[0] << _BITS | values[1])
    draw = random.Random(1980)
    sums = []
    for _ in range(2):
        found = np.zeros(values.shape[1], dtype=np.uint64)
        for row in values:
            weight = np.array(draw.randrange(1, PRIME), dtype=np.uint64)
            found = total(found, product(row, weight))
        sums.append(found)
    return np.asarray(sums[0] << _BITS | sums[1])


class Seen:
    """Numbers that were met, in sorted runs, of which each is more than twice as long as the next.

    >>> seen = Seen()
    >>> seen.new(np.array([5, 3, 5], dtype=np.uint64)).tolist(), seen.new(np.array([3, 4], dtype=np.uint64)).tolist()
    ([0, 1], [1])
    """

    def __init__(self) -> None:
        self.runs: list[Residues] = []

    def __len__(self) -> int:
        return sum(map(len, self.runs))

    def new(self, keys: Residues) -> NDArray[np.int64]:
        """Return the places of numbers that were not met before, each once and where it comes first; remember them."""
        # Bisection in each sorted run.
        unique, first = np.unique(keys, return_index=True)
        fresh = np.ones(len(unique), dtype=bool)
        for run in self.runs:
            near = np.searchsorted(run, unique)
            fresh &= run[np.minimum(near, len(run) - 1)] != unique
        self._remember(unique[fresh])
        return np.sort(first[fresh])

    def _remember(self, run: Residues) -> None:
        if len(run):
            self.runs.append(run)
        # Runs are merged like carries of a binary counter.
        while len(self.runs) > 1 and len(self.runs[-2]) <= 2 * len(self.runs[-1]):
            last = self.runs.pop()
            self.runs[-1] = np.sort(np.concatenate([self.runs[-1], last]), kind="stable")


# ----------------------------------------------------------------------------------------------------------------------
# The operations of which small formulas are made: in the field, on numbers with bounds on errors, and as formulas.

# A root is taken of what is a square at each point of the field, and is the root that is a square itself: modulo the
# prime, which is 3 modulo 4, there is one such, and the root of a product is the product of the roots, as it is of
# positive numbers. Of a minimum the table of numbers that belongs to a point of the field says which part it is.


ADD, SUBTRACT, MULTIPLY, DIVIDE, SMALLER, LARGER, ROOT = range(7)
OPERATIONS: Final[Mapping[str, int]] = {
    "+": ADD,
    "-": SUBTRACT,
    "*": MULTIPLY,
    "/": DIVIDE,
    "min": SMALLER,
    "max": LARGER,
    "sqrt": ROOT,
}
"""What each is called."""
COMMUTATIVE: Final = (ADD, MULTIPLY, SMALLER, LARGER)
Reals = NDArray[np.float64]
"""Values, and bounds on their errors: of shape (2, points, formulas)."""
_POSITIVE: Final = {cell: Symbol(cell.name, positive=True) for cell in CELLS}
_ACTS: Final[tuple[Callable[[Expr, Expr], Expr], ...]] = (add, sub, mul, truediv, Min, Max)
_UNIT: Final = 2.0**-52
_TINY: Final = 2.0**-1074
_UPWARDS: Final = 1 + 2.0**-48
"""Inflates a rounded bound so that it is a bound again."""


def applied(operator: int, x: Expr, y: Expr) -> Expr:
    """Return a formula made of two, of the first alone if it is a root.

    >>> from symmetrics.language.cells import FN, TP
    >>> [applied(operator, TP, FN) for operator in (SUBTRACT, DIVIDE, SMALLER, ROOT)]
    [-FN + TP, TP/FN, Min(FN, TP), sqrt(TP)]
    """
    if operator == ROOT:
        # Of positive cells, so that a root of a square is no absolute value.
        return sqrt(x.xreplace(_POSITIVE)).xreplace({cell: symbol for symbol, cell in _POSITIVE.items()})
    return _ACTS[operator](x, y)


def combined_residues(operator: int, x: Residues, y: Residues, first_is_less: NDArray[np.bool_] | None) -> Residues:
    """Return sums, differences, products, minima, maxima, or roots of the first.

    :param first_is_less: whether the first is the smaller number at the table that belongs to the point
    """
    if operator == ROOT:
        return roots(x)
    if operator in (SMALLER, LARGER):
        assert first_is_less is not None
        return np.where(first_is_less == (operator == SMALLER), x, y)
    return (total, difference, product)[operator](x, y)


def combined_reals(operator: int, first: Reals, second: Reals) -> Reals:
    """Return the same of numbers, with bounds on their errors (Higham, 2002, chapter 3).

    >>> one, near_zero = np.array([[[1.0]], [[0.0]]]), np.array([[[0.0]], [[1e-20]]])
    >>> combined_reals(SUBTRACT, one, one).ravel().tolist(), combined_reals(DIVIDE, one, near_zero)[1].tolist()
    ([0.0, 0.0], [[inf]])
    """
    (u, a), (v, b) = first, second
    with np.errstate(all="ignore"):
        if operator in (ADD, SUBTRACT):
            values = u + v if operator == ADD else u - v
            errors = a + b
        elif operator == MULTIPLY:
            values = u * v
            errors = np.abs(u) * b + np.abs(v) * a + a * b + _TINY
        elif operator == DIVIDE:
            values = u / v
            least = np.abs(v) - b
            errors = np.where(least > 0, (np.abs(values) * b + a) / least + _TINY, np.inf)
        elif operator == ROOT:
            values = np.sqrt(np.maximum(u, 0.0))
            errors = np.where(u > a, a / np.sqrt(np.maximum(u - a, _TINY)), np.inf)
        else:
            values = np.minimum(u, v) if operator == SMALLER else np.maximum(u, v)
            errors = np.maximum(a, b)
        return np.stack([values, (errors + _UNIT * np.abs(values)) * _UPWARDS])
