"""Small formulas with their likely profiles: simplest first, up to equality.

Formulas over cells, margins, n and 1 are told apart by their values at two random points of a prime field, and the
invariances that they may have by their values at images of these points: what differs there differs, and what agrees
agrees but for a chance below 1e-15 for each pair.  Whether they rise is seen at some tables in floating point.  So all
that is said here is a guess that the prover confirms or not; a formula is never called possible by it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Integer, Poly, Pow, cancel, fraction, lambdify, log

from symmetrics.checker.engine.forms import Signs
from symmetrics.claims.theorems.laws import Law
from symmetrics.language.cells import CELLS, FN, FP, ON, OP, PPV, TN, TP, TPR, N, P, n
from symmetrics.query.possibilities.residues import PRIME, Residues, Seen, difference, inverses, product, total

__all__ = ["LEAVES", "RATES", "SIGNED_AT", "Block", "Formulas", "Guess", "is_defined", "small_formulas"]

LEAVES: Final[tuple[Expr, ...]] = (TP, FN, FP, TN, P, N, OP, ON, n, Integer(1))
RATES: Final[tuple[Expr, ...]] = (TPR, FP / N, PPV, FN / ON, n)
TABLES: Final = 6
"""So many pairs of tables are looked at for each law of rising."""
SIGNED_AT: Final = ((1, 2, 3, 4), (7, 1, 5, 2), (1, 9, 2, 3), (2, 5, 11, 1), (1, 1, 1, 13), (17, 3, 1, 6), (2, 2, 3, 2))
"""A formula that changes its sign between these tables, or is 0 at one, is no divisor."""
BLOCK: Final = 1 << 15
MOST_OF_A_KIND: Final = 6
"""Formulas of one likely profile that are returned; the prover may refuse the first."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Guess:
    """A formula with the properties that it seems to have."""

    formula: Expr
    profile: frozenset[str]


class _Points:
    """Where formulas are looked at: in the field, and at tables of positive numbers."""

    def __init__(self, laws: Mapping[str, Sequence[Law]]) -> None:
        draw = random.Random(2021)
        self.keys = [key for key, each in laws.items() if each[0].sign == "="]
        self.rising = [key for key in laws if key not in self.keys]
        points: list[list[int]] = [[draw.randrange(2, PRIME) for _ in CELLS] for _ in range(2)]
        self.pairs: dict[str, list[tuple[int, int]]] = {key: [] for key in self.keys}
        tables: list[list[float]] = [[float(entry) for entry in table] for table in SIGNED_AT]
        self.rises: dict[str, list[tuple[int, int]]] = {key: [] for key in self.rising}
        for key, each in laws.items():
            for law in each:
                if law.sign == "=":
                    values = self._values(law, lambda: draw.randrange(2, PRIME))
                    self.pairs[key].append((len(points), len(points) + 1))
                    points += [[int(v) % PRIME for v in _of(table, values, PRIME)] for table in law.tables]
                else:
                    for _ in range(TABLES):
                        values = self._values(law, lambda: draw.choice((0.25, 1, 2, 3, 5, 11)))
                        self.rises[key].append((len(tables), len(tables) + 1))
                        tables += [_of(table, values, None) for table in law.tables]
        self.residues = np.array(points, dtype=np.uint64).T
        self.floats = np.array(tables, dtype=np.float64).T

    @property
    def both(self) -> tuple[Residues, Floats]:
        return self.residues, self.floats

    @staticmethod
    def _values(law: Law, draw: Any) -> dict[Expr, Any]:
        symbols = sorted(set().union(*(cell.free_symbols for table in law.tables for cell in table)), key=str)
        return {symbol: draw() for symbol in symbols}

    def profiles(self, residues: Residues, floats: Floats) -> NDArray[np.int64]:
        """Return of each formula the properties that it seems to have, as bits."""
        bits = np.zeros(residues.shape[1], dtype=np.int64)
        scale = 1e-9 * np.abs(floats).max(axis=0, initial=0)
        for place, key in enumerate((*self.keys, *self.rising)):
            if key in self.pairs:
                has = np.all([residues[a] == residues[b] for a, b in self.pairs[key]], axis=0)
            else:
                has = np.all([floats[b] - floats[a] > scale for a, b in self.rises[key]], axis=0)
            bits |= has.astype(np.int64) << place
        return bits


def _of(table: Sequence[Expr], values: Mapping[Expr, Any], prime: int | None) -> list[Any]:
    """Return the entries of a table of products or sums, in the field or as numbers."""
    symbols = [*values]
    entries = [lambdify(symbols, entry, "math")(*values.values()) for entry in table]
    return [entry % prime for entry in entries] if prime else [float(entry) for entry in entries]


def _leaf(leaf: Expr, cells: NDArray[Any]) -> NDArray[Any]:
    """Return the values of a leaf, a rational formula over the cells, in the field or as numbers."""
    top, bottom = (_polynomial(part, cells) for part in fraction(cancel(leaf)))
    if cells.dtype == np.float64:
        return np.asarray(top / bottom)
    return product(top, inverses(bottom))


def _polynomial(part: Expr, cells: NDArray[Any]) -> NDArray[Any]:
    is_real = cells.dtype == np.float64
    result: NDArray[Any] = np.zeros_like(cells[0])
    for powers, coefficient in Poly(part, *CELLS, domain="ZZ").terms():
        term = np.full_like(cells[0], int(coefficient) if is_real else int(coefficient) % PRIME)
        for cell, power in zip(cells, powers, strict=True):
            for _ in range(power):
                term = term * cell if is_real else product(term, cell)
        result = result + term if is_real else total(result, term)
    return result


ADD, SUBTRACT, MULTIPLY, DIVIDE = range(4)
LEAF: Final = -1


@dataclass
class _Layer:
    """Formulas of one size: a column for each."""

    operators: NDArray[np.int8]
    left_sizes: NDArray[np.int8]
    parts: NDArray[np.int32]
    residues: Residues
    floats: Floats

    def __post_init__(self) -> None:
        self.inverses = inverses(self.residues)
        positive, negative = np.all(self.floats > 0, axis=0), np.all(self.floats < 0, axis=0)
        self.divisors = np.flatnonzero((positive | negative) & np.all(self.residues != 0, axis=0))

    def __len__(self) -> int:
        return len(self.operators)


@dataclass(frozen=True)
class Block:
    """Distinct formulas of one size with the properties that each seems to have.

    :param size: their number of leaves
    :param layer: what they are made of
    :param bits: their properties, in the order of :attr:`Formulas.names`
    """

    size: int
    layer: _Layer
    bits: NDArray[np.int64]


class Formulas:
    """All distinct formulas of sums, differences, products and quotients over some leaves, simplest first.

    A divisor has one sign at some sample tables; a constant is a part of formulas but none itself.

    :param laws: those of each property by which formulas are sorted
    :param over: the leaves

    >>> formulas = Formulas({}, (TP, FN))
    >>> [formulas.expr(block, row) for block in formulas.blocks(2) for row in range(len(block.bits))]
    [TP, FN, 2*TP, FN + TP, 2*FN, -FN + TP, FN - TP, TP**2, FN*TP, FN**2, TP/FN, FN/TP]
    """

    def __init__(self, laws: Mapping[str, Sequence[Law]], over: Sequence[Expr] = LEAVES) -> None:
        self.over = tuple(over)
        self._points = _Points(laws)
        self.names = (*self._points.keys, *self._points.rising)
        self._seen = Seen()
        values = (np.stack([_leaf(leaf, cells) for leaf in over], axis=1) for cells in self._points.both)
        count = len(self.over)
        places = np.stack([np.arange(count), np.zeros(count)]).astype(np.int32)
        first = _Layer(np.full(count, LEAF, np.int8), np.zeros(count, np.int8), places, *values)
        self._layers = [_chosen(first, self._seen.new(_keys(first.residues)))]

    def __len__(self) -> int:
        """Return how many distinct formulas were met so far, constants among them."""
        return len(self._seen)

    def blocks(self, leaves: int) -> Iterator[Block]:
        """Return the formulas of at most so many leaves; those of the largest size are not kept."""
        yield from self._block(1, self._layers[0])
        for size in range(2, leaves + 1):
            made = []
            for layer in self._new(size):
                yield from self._block(size, layer)
                if size < leaves:
                    made.append(layer)
            self._layers.append(_joined(made) if made else _chosen(self._layers[0], np.arange(0)))

    def _block(self, size: int, layer: _Layer) -> Iterator[Block]:
        varies = np.flatnonzero(np.any(layer.residues != layer.residues[:1], axis=0))
        if len(varies):
            shown = layer if len(varies) == len(layer) else _chosen(layer, varies)
            yield Block(size, shown, self._points.profiles(shown.residues, shown.floats))

    def _new(self, size: int) -> Iterator[_Layer]:
        """Yield the formulas of a size, whose parts are known."""
        for left in range(1, size):
            first, second = self._layers[left - 1], self._layers[size - left - 1]
            for operator in range(4):
                if operator in (ADD, MULTIPLY) and left > size - left:
                    continue
                seconds = second.divisors if operator == DIVIDE else np.arange(len(second))
                for start in range(0, len(first) * len(seconds), BLOCK):
                    rows = np.arange(start, min(start + BLOCK, len(first) * len(seconds)))
                    a, b = np.divmod(rows, len(seconds))
                    layer = self._fresh(operator, (first, a), (second, seconds[b]), left)
                    if len(layer):
                        yield layer

    def _fresh(
        self, operator: int, left: tuple[_Layer, NDArray[Any]], right: tuple[_Layer, NDArray[Any]], size: int
    ) -> _Layer:
        """Return those formulas that were not met before: values at all points are computed of these alone."""
        (first, a), (second, b) = left, right
        places = self._seen.new(_keys(_combined(operator, first, a, second, b, slice(0, 2))))
        a, b = a[places], b[places]
        residues = _combined(operator, first, a, second, b, slice(None))
        u, v = first.floats[:, a], second.floats[:, b]
        floats = u / v if operator == DIVIDE else (u + v, u - v, u * v)[operator]
        count = len(places)
        parts = np.stack([a, b]).astype(np.int32)
        return _Layer(np.full(count, operator, np.int8), np.full(count, size, np.int8), parts, residues, floats)

    def expr(self, block: Block, row: int) -> Expr:
        """Return a formula of a block."""
        return self._expr(block.layer, block.size, row)

    def _expr(self, layer: _Layer, size: int, row: int) -> Expr:
        operator, left = int(layer.operators[row]), int(layer.left_sizes[row])
        first, second = map(int, layer.parts[:, row])
        if operator == LEAF:
            return self.over[first]
        x = self._expr(self._layers[left - 1], left, first)
        y = self._expr(self._layers[size - left - 1], size - left, second)
        return x / y if operator == DIVIDE else (x + y, x - y, x * y)[operator]


def _combined(
    operator: int, first: _Layer, a: NDArray[Any], second: _Layer, b: NDArray[Any], points: slice
) -> Residues:
    x = first.residues[points].take(a, axis=1)
    if operator == DIVIDE:
        return product(x, second.inverses[points].take(b, axis=1))
    return (total, difference, product)[operator](x, second.residues[points].take(b, axis=1))


def _keys(residues: Residues) -> Residues:
    return np.asarray(residues[0] << np.uint64(31) | residues[1])


def _chosen(layer: _Layer, columns: NDArray[Any]) -> _Layer:
    return _Layer(*(getattr(layer, field.name)[..., columns] for field in fields(_Layer)))


def _joined(layers: Sequence[_Layer]) -> _Layer:
    columns = ([getattr(each, field.name) for each in layers] for field in fields(_Layer))
    return _Layer(*(np.concatenate(column, axis=-1) for column in columns))


def small_formulas(laws: Mapping[str, Sequence[Law]], leaves: int, over: Sequence[Expr] = LEAVES) -> Iterator[Guess]:
    """Return the formulas of at most so many leaves, but a few of each likely profile.

    :param laws: those of each property of the profiles
    :param over: the leaves
    """
    formulas, often = Formulas(laws, over), dict[int, int]()
    for block in formulas.blocks(leaves):
        for row, bits in enumerate(block.bits.tolist()):
            often[bits] = often.get(bits, 0) + 1
            if often[bits] <= MOST_OF_A_KIND:
                profile = frozenset(name for place, name in enumerate(formulas.names) if bits >> place & 1)
                yield Guess(formulas.expr(block, row), profile)


def is_defined(formula: Expr) -> bool:
    """Whether a formula is seen to have a real value at every table of positive cells.

    >>> from sympy import sqrt
    >>> [is_defined(formula) for formula in (TP / P, TP / (TP - FN), log(TP - FN), sqrt(TP * TN))]
    [True, False, False, True]
    """
    known = Signs()
    divisors = {node.base for node in formula.atoms(Pow) if not node.exp.is_nonnegative}
    positive = {node.args[0] for node in formula.atoms(log)} | {
        node.base for node in formula.atoms(Pow) if not node.exp.is_Integer
    }
    return all(map(known.is_positive, positive)) and all(
        known.is_positive(base) or known.is_positive(-base) for base in divisors
    )
