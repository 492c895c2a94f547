"""Vectorised arithmetic modulo the prime 2**31 - 1, and a set of values already seen."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from math import lcm
from operator import add, mul, sub, truediv
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Integer, Max, Min, Poly, Symbol, cancel, fraction, sqrt

from symmetrics.claims.theorems.laws import Law
from symmetrics.language.cells import CELLS, Table
from symmetrics.tools.errors import InputError

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
    """Return products modulo the prime: as 2**31 = 1, the bits above the 31st are added to those below.

    >>> product(np.array([2**30, 5], dtype=np.uint64), np.array([4, 7], dtype=np.uint64)).tolist()
    [2, 35]
    """
    values = left * right
    return _once((values & _PRIME) + (values >> _BITS))


def _once(values: Residues) -> Residues:
    """Reduce numbers below twice the prime, using unsigned wrap-around."""
    return np.asarray(np.minimum(values, values - _PRIME))


def inverses(values: Residues) -> Residues:
    """Return inverses modulo the prime, and 0 for 0: three products each (Montgomery, 1987).

    >>> inverses(np.array([1, 2, 0], dtype=np.uint64)).tolist()
    [1, 1073741824, 0]
    """
    known = np.where(values == 0, np.uint64(1), values).ravel()
    return np.where(values == 0, np.uint64(0), _inverses(known).reshape(values.shape))


def _inverses(known: Residues) -> Residues:
    if len(known) <= 1:
        return np.array([pow(int(value), -1, PRIME) for value in known], dtype=np.uint64)
    # Invert products of neighbours together: 1/a = b/(ab).
    even = known if len(known) % 2 == 0 else np.append(known, np.uint64(1))
    first, second = even[0::2], even[1::2]
    both = _inverses(product(first, second))
    found = np.empty_like(even)
    found[0::2], found[1::2] = product(both, second), product(both, first)
    return found[: len(known)]


def is_square(value: int) -> bool:
    """Whether a number is a non-zero square modulo the prime (Euler's criterion).

    >>> [is_square(value) for value in (2, 3, 4, 0)]
    [True, False, True, False]
    """
    return pow(value, (PRIME - 1) // 2, PRIME) == 1


def roots(values: Residues) -> Residues:
    """Return the square roots that are squares themselves, modulo the prime: the power 2**29.

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
    """A set of numbers, in sorted runs of decreasing length.

    >>> seen = Seen()
    >>> seen.new(np.array([5, 3, 5], dtype=np.uint64)).tolist(), seen.new(np.array([3, 4], dtype=np.uint64)).tolist()
    ([0, 1], [1])
    """

    def __init__(self) -> None:
        self.runs: list[Residues] = []

    def __len__(self) -> int:
        return sum(map(len, self.runs))

    def new(self, keys: Residues) -> NDArray[np.int64]:
        """Return the indices of the first occurrences of new numbers, and add these to the set."""
        # Binary search in each sorted run.
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
        # Merge runs like carries of a binary counter.
        while len(self.runs) > 1 and len(self.runs[-2]) <= 2 * len(self.runs[-1]):
            last = self.runs.pop()
            self.runs[-1] = np.sort(np.concatenate([self.runs[-1], last]), kind="stable")


# ----------------------------------------------------------------------------------------------------------------------
# Operations of small formulas: in the prime field, on floats with error bounds, and on expressions.

# Roots are taken of squares in the field, choosing the root that is a square itself: modulo the
# prime, which is 3 modulo 4, it is unique, and the root of a product is the product of the roots, as for
# positive numbers. For a minimum, the table of floats that belongs to a point of the field decides which part it is.


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
"""Names of the operations."""
COMMUTATIVE: Final = (ADD, MULTIPLY, SMALLER, LARGER)
Reals = NDArray[np.float64]
"""Values, with error bounds: of shape (2, points, formulas)."""
_POSITIVE: Final = {cell: Symbol(cell.name, positive=True) for cell in CELLS}
_ACTS: Final[tuple[Callable[[Expr, Expr], Expr], ...]] = (add, sub, mul, truediv, Min, Max)
_UNIT: Final = 2.0**-52
_TINY: Final = 2.0**-1074
_UPWARDS: Final = 1 + 2.0**-48
"""Factor that keeps a rounded bound a bound."""


def applied(operator: int, x: Expr, y: Expr) -> Expr:
    """Return the formula of an operation on two formulas; roots use the first only.

    >>> from symmetrics.language.cells import FN, TP
    >>> [applied(operator, TP, FN) for operator in (SUBTRACT, DIVIDE, SMALLER, ROOT)]
    [-FN + TP, TP/FN, Min(FN, TP), sqrt(TP)]
    """
    if operator == ROOT:
        # With positive symbols, so that sqrt(x**2) is x.
        return sqrt(x.xreplace(_POSITIVE)).xreplace({cell: symbol for symbol, cell in _POSITIVE.items()})
    return _ACTS[operator](x, y)


def combined_residues(operator: int, x: Residues, y: Residues, first_is_less: NDArray[np.bool_] | None) -> Residues:
    """Return sums, differences, products, minima, maxima, or roots of the first, modulo the prime.

    :param first_is_less: whether the first is the smaller number at the table that belongs to the point
    """
    if operator == ROOT:
        return roots(x)
    if operator in (SMALLER, LARGER):
        assert first_is_less is not None
        return np.where(first_is_less == (operator == SMALLER), x, y)
    return (total, difference, product)[operator](x, y)


def combined_reals(operator: int, first: Reals, second: Reals) -> Reals:
    """Return the same for floats, with error bounds (Higham, 2002, chapter 3).

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


# -- Sample points of small formulas: points of a prime field, and tables of positive floats ---------------------------

# In the field, two formulas, or one at the two tables of a law, agree or not; on floats, values carry bounds on
# their rounding errors, so that observed decreases are certain.


FIELD_PAIRS: Final = 2
"""Number of random point pairs in GF(p) tested per law."""
TABLES: Final = 6
"""Number of pairs of tables of floats tested per monotonicity law, unless more are requested."""
SIGNED_AT: Final = ((1, 2, 3, 4), (7, 1, 5, 2), (1, 9, 2, 3), (2, 5, 11, 1), (1, 1, 1, 13), (17, 3, 1, 6), (2, 2, 3, 2))
"""A formula that changes its sign between these tables, or is 0 at one, is not used as a divisor."""
STEPS: Final = tuple(Fraction(step) for step in ("1/64", "1/8", "1/2", "1", "2", "5", "11", "60"))
"""Values of cells and law variables at tables of floats, up to a common factor."""
SCALES: Final = tuple(Fraction(scale) for scale in ("1/1024", "1/32", "1", "1", "32"))
POINTS: Final = 2
"""Number of points of the field that identify formulas without minima and maxima."""
POINTS_IN_PARTS: Final = 32
"""Number of points with minima and maxima, which differ between orders of the cells."""
PAIRS_IN_PARTS: Final = 8
ALL_RESIDUES: Final = ((PRIME, Fraction(1)),)
MAGNITUDES: Final = tuple((2**power, Fraction(1, 2**13)) for power in (8, 11, 15, 20, 28))
"""Upper bound of drawn cells, and a factor for them: covers many orders of the cells and of 1."""
MOST_DRAWS: Final = 1 << 17
"""Number of failed draws after which the leaves are refused."""
Terms = Sequence[tuple[Sequence[int], int]]


class Points:
    """The points at which formulas are evaluated, for the laws of some properties.

    :param laws: the laws of each property, in whatever order
    :param tables: number of pairs of tables of floats tested per monotonicity law
    :param squares: expressions with roots at all points of the field
    :param in_parts: whether formulas with minima and maxima are examined
    """

    def __init__(
        self,
        laws: Mapping[str, Sequence[Law]],
        tables: int = TABLES,
        *,
        squares: Sequence[Expr] = (),
        in_parts: bool = False,
    ) -> None:
        # Seeded, so that a search finds the same formulas each time.
        draw = random.Random(2021)
        field = _Field(draw, [_quotient(leaf) for leaf in squares], MAGNITUDES if in_parts else ALL_RESIDUES)
        self.in_parts = in_parts
        self.telling = POINTS_IN_PARTS if in_parts else POINTS
        self.equal = tuple(sorted(key for key, each in laws.items() if each[0].sign == "="))
        self.rising = tuple(sorted(laws.keys() - set(self.equal)))
        # Points that identify formulas, then tables of floats for signs.
        points = [[*field.draw(CELLS, (CELLS,)).values()] for _ in range(self.telling)]
        numbers = [[Fraction(entry) for entry in table] for table in SIGNED_AT]
        self._in_field: dict[str, list[list[tuple[int, int]]]] = {}
        self._rises: dict[str, list[tuple[int, int]]] = {key: [] for key in self.rising}
        # For each law pairs of tables: in the field (equal or not), and of floats (rising or falling).
        for key in (*self.equal, *self.rising):
            self._in_field[key] = [
                [_pair(law, field.draw, points) for _ in range(PAIRS_IN_PARTS if in_parts else FIELD_PAIRS)]
                for law in laws[key]
            ]
            if key in self._rises:
                for law in laws[key]:
                    for _ in range(tables):
                        scale = draw.choice(SCALES)
                        self._rises[key].append(_pair(law, partial(_numbers, draw, scale), numbers))
        self._points = points
        self._tables = [*numbers, *points] if in_parts else numbers
        self.beside = len(numbers)
        """Index from which the tables of floats are those of the field's points, if formulas have minima or maxima."""

    def leaves(self, over: Sequence[Expr]) -> tuple[Residues, Reals]:
        """Return the values of leaves in the field, and on floats with error bounds.

        A leaf whose denominator is 0 at a table has any value there.

        :raises InputError: if the field takes a coefficient of a leaf for 0
        """
        found = [_quotient(leaf) for leaf in over]
        residues = np.array([[_in_field(leaf, table) for leaf in found] for table in self._points], dtype=np.uint64)
        reals = [[_rounded(*_parts(leaf, table)) for leaf in found] for table in self._tables]
        return residues, np.moveaxis(np.array(reals), 2, 0)

    def profiles(self, residues: Residues, reals: Reals) -> NDArray[np.int64]:
        """Return the possible properties of each formula, as bits: :attr:`equal` first, then :attr:`rising`.

        It has none of the others: it differs where it should agree, agrees where it should rise, or falls.
        """
        bits = np.zeros(residues.shape[1], dtype=np.int64)
        values, errors = reals
        for place, key in enumerate((*self.equal, *self.rising)):
            # A formula that increases for one order of the cells may be constant for another.
            every = np.any if self.in_parts and key in self._rises else np.all
            same = [every([residues[a] == residues[b] for a, b in law], axis=0) for law in self._in_field[key]]
            if key in self._rises:
                with np.errstate(invalid="ignore", over="ignore"):
                    falls = [values[b] + errors[b] < values[a] - errors[a] for a, b in self._rises[key]]
                may = ~np.any([*same, *falls], axis=0)
            else:
                may = np.all(same, axis=0)
            bits |= may.astype(np.int64) << place
        return bits


@dataclass(frozen=True)
class _Field:
    """Draws variables at which certain formulas are squares in the field."""

    random: random.Random
    squares: Sequence[tuple[Terms, Terms]]
    magnitudes: Sequence[tuple[int, Fraction]]

    def draw(self, symbols: Sequence[Expr], tables: Sequence[Table]) -> dict[Expr, Fraction]:
        """Return values of variables.

        :raises InputError: if none are found at which the formulas are squares
        """
        whole = CELLS in tables and [*symbols] != [*CELLS]
        values = self.draw(CELLS, (CELLS,)) if whole else {}
        for _ in range(MOST_DRAWS):
            for symbol in symbols:
                if not (whole and symbol in CELLS):
                    one = len(self.magnitudes) == 1
                    below, scale = self.magnitudes[0] if one else self.random.choice(self.magnitudes)
                    values[symbol] = self.random.randrange(2, below) * scale
            if all(self._are_squares(table, values) for table in tables):
                return {symbol: values[symbol] for symbol in symbols}
        raise InputError("no tables were found at which all leaves have roots in the field; take fewer leaves")

    def _are_squares(self, table: Table, values: Mapping[Expr, Fraction]) -> bool:
        at = [_value(cell, values) for cell in table] if self.squares else []
        return all(is_square(_in_field(leaf, at)) for leaf in self.squares)


def _numbers(draw: random.Random, scale: Fraction, symbols: Sequence[Expr], _: object) -> dict[Expr, Fraction]:
    return {symbol: scale * draw.choice(STEPS) for symbol in symbols}


def _pair(
    law: Law,
    draw: Callable[[Sequence[Expr], Sequence[Table]], Mapping[Expr, Fraction]],
    tables: list[list[Fraction]],
) -> tuple[int, int]:
    """Append the two tables of a law at drawn values; return their indices."""
    symbols = sorted({symbol for table in law.tables for cell in table for symbol in cell.free_symbols}, key=str)
    values = draw(symbols, law.tables)
    tables += [[_value(cell, values) for cell in table] for table in law.tables]
    return len(tables) - 2, len(tables) - 1


def _value(cell: Expr, values: Mapping[Expr, Fraction]) -> Fraction:
    top, bottom = _parts(_quotient(cell, (*values,)), [*values.values()])
    return top / bottom


@lru_cache(maxsize=4096)
def _quotient(leaf: Expr, symbols: tuple[Expr, ...] = CELLS) -> tuple[Terms, Terms]:
    """Return the terms of numerator and denominator with integer coefficients."""
    parts = [Poly(part, *symbols, domain="QQ") for part in fraction(cancel(leaf))]
    scale = Integer(1)
    for part in parts:
        scale *= part.clear_denoms()[0]
    top, bottom = ([(powers, int(scale * c)) for powers, c in part.terms()] for part in parts)
    if any(coefficient and coefficient % PRIME == 0 for _, coefficient in (*top, *bottom)):
        raise InputError(f"{leaf} cannot be a leaf: a coefficient is a multiple of {PRIME}; take another one")
    return top, bottom


def _parts(quotient: tuple[Terms, Terms], at: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """Return the values of a numerator and of a denominator.

    Reckoned with whole numbers, over a common denominator: sums and products of fractions take ten times as long.
    """
    common = lcm(*(value.denominator for value in at))
    whole = [value.numerator * (common // value.denominator) for value in at]
    top, bottom = (_sum_over(terms, whole, common) for terms in quotient)
    return top, bottom


def _sum_over(terms: Terms, whole: Sequence[int], common: int) -> Fraction:
    """Sum terms at integers, each over the common denominator."""
    degree = max((sum(powers) for powers, _ in terms), default=0)
    total = 0
    for powers, coefficient in terms:
        for value, power in zip(whole, powers, strict=True):
            if power:
                coefficient *= value**power
        total += coefficient * common ** (degree - sum(powers))
    return Fraction(total, common**degree)


def _in_field(quotient: tuple[Terms, Terms], at: Sequence[Fraction]) -> int:
    top, bottom = _parts(quotient, at)
    return (top.numerator * bottom.denominator * pow(top.denominator * bottom.numerator, -1, PRIME)) % PRIME


def _rounded(top: Fraction, bottom: Fraction) -> tuple[float, float]:
    """Convert a quotient to a float with an error bound."""
    try:
        value = float(top / bottom)
    except (OverflowError, ZeroDivisionError):
        return 0.0, float("inf")
    return value, float(abs(top / bottom - Fraction(value))) * _UPWARDS


def signs(reals: Reals) -> NDArray[np.int8]:
    """Return the common sign at the sign-testing tables, or 0 if there is none."""
    values, errors = reals[:, : len(SIGNED_AT)]
    positive, negative = np.all(values > errors, axis=0), np.all(values < -errors, axis=0)
    return np.asarray(positive.astype(np.int8) - negative.astype(np.int8))
