"""Small formulas with their likely profiles: simplest first, up to equality.

Formulas over cells, margins, n and 1 are told apart by their values at two random points of a prime field, and the
invariances that they may have by their values at images of these points: what differs there differs, and what agrees
agrees but for a chance below 1e-15 for each pair.  Whether they rise is seen at some tables in floating point.  So all
that is said here is a guess that the prover confirms or not; a formula is never called possible by it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Integer, Pow, fraction, lambdify, log

from symmetrics.checker.engine.forms import Signs
from symmetrics.claims.theorems.laws import Law
from symmetrics.language.cells import CELLS, FN, FP, ON, OP, PPV, TN, TP, TPR, N, P, n

__all__ = ["LEAVES", "RATES", "Guess", "is_defined", "small_formulas"]

LEAVES: Final[tuple[Expr, ...]] = (TP, FN, FP, TN, P, N, OP, ON, n, Integer(1))
RATES: Final[tuple[Expr, ...]] = (TPR, FP / N, PPV, FN / ON, n)
PRIME: Final = 2**31 - 1
TABLES: Final = 6
"""So many pairs of tables are looked at for each law of rising."""
BLOCK: Final = 20_000
MOST_OF_A_KIND: Final = 6
"""Formulas of one likely profile that are returned; the prover may refuse the first."""
Residues = NDArray[np.uint64]
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
        tables: list[list[float]] = []
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
        self.floats = np.array(tables if tables else [[1.0, 2.0, 3.0, 4.0]], dtype=np.float64).T

    @staticmethod
    def _values(law: Law, draw: Any) -> dict[Expr, Any]:
        symbols = sorted(set().union(*(cell.free_symbols for table in law.tables for cell in table)), key=str)
        return {symbol: draw() for symbol in symbols}

    def profiles(self, residues: Residues, floats: Floats) -> NDArray[np.int64]:
        """Return of each formula the properties that it seems to have, as bits."""
        bits = np.zeros(len(residues), dtype=np.int64)
        for place, key in enumerate((*self.keys, *self.rising)):
            if key in self.pairs:
                has = np.all([residues[:, a] == residues[:, b] for a, b in self.pairs[key]], axis=0)
            else:
                scale = 1e-9 * np.abs(floats).max(axis=1)
                has = np.all([floats[:, b] - floats[:, a] > scale for a, b in self.rises[key]], axis=0)
            bits |= has.astype(np.int64) << place
        return bits


def _of(table: Sequence[Expr], values: Mapping[Expr, Any], prime: int | None) -> list[Any]:
    """Return the entries of a table of products or sums, in the field or as numbers."""
    symbols = [*values]
    entries = [lambdify(symbols, entry, "math")(*values.values()) for entry in table]
    return [entry % prime for entry in entries] if prime else [float(entry) for entry in entries]


@dataclass
class _Layer:
    """All formulas of one size."""

    operators: NDArray[np.int8]
    parts: NDArray[np.int32]
    sizes: NDArray[np.int8]
    residues: Residues
    inverses: Residues
    floats: Floats


ADD, SUBTRACT, MULTIPLY, DIVIDE = range(4)


def small_formulas(laws: Mapping[str, Sequence[Law]], leaves: int, over: Sequence[Expr] = LEAVES) -> Iterator[Guess]:
    """Return the formulas of at most so many leaves, but a few of each likely profile.

    :param laws: those of each property of the profiles
    :param over: the leaves
    """
    points = _Points(laws)
    layers = [_leaves(points, over)]
    seen = set(map(int, _names(layers[0].residues)))
    often: dict[int, int] = {}
    names = [*points.keys, *points.rising]
    for size in range(1, leaves + 1):
        if size > 1:
            layers.append(_next(layers, seen, keep=size < leaves, points=points, often=often))
        layer = layers[-1]
        for row, bits in enumerate(points.profiles(layer.residues, layer.floats).tolist()):
            if size < leaves or size == 1:
                often[bits] = often.get(bits, 0) + 1
                if often[bits] > MOST_OF_A_KIND:
                    continue
            profile = frozenset(name for place, name in enumerate(names) if bits >> place & 1)
            yield Guess(_formula(layers, size - 1, row, over), profile)


def _leaves(points: _Points, over: Sequence[Expr]) -> _Layer:
    residues, floats = (np.stack([_leaf(leaf, cells) for leaf in over]) for cells in (points.residues, points.floats))
    number = len(over)
    parts = np.stack([np.arange(number), np.zeros(number)], axis=1).astype(np.int32)
    return _Layer(
        np.full(number, -1, np.int8), parts, np.zeros((number, 2), np.int8), residues, _inverse(residues), floats
    )


def _leaf(leaf: Expr, cells: NDArray[Any]) -> NDArray[Any]:
    """Return the values of a leaf, which is 1, a sum of cells, or a quotient of two such."""
    top, bottom = (_sum_of(part, cells) for part in fraction(leaf))
    if cells.dtype == np.float64:
        return np.asarray(top / bottom)
    return np.asarray(top * _inverse(bottom) % np.uint64(PRIME))


def _sum_of(part: Expr, cells: NDArray[Any]) -> NDArray[Any]:
    chosen = [k for k, cell in enumerate(CELLS) if part.has(cell)]
    total = cells[chosen].sum(axis=0) if chosen else np.ones_like(cells[0])
    return np.asarray(total if cells.dtype == np.float64 else total % np.uint64(PRIME))


def _next(layers: Sequence[_Layer], seen: set[int], *, keep: bool, points: _Points, often: dict[int, int]) -> _Layer:
    """Return the formulas that are one leaf larger than those of the last layer."""
    size = len(layers) + 1
    made: list[_Layer] = []
    for left in range(1, size):
        right = size - left
        first, second = layers[left - 1], layers[right - 1]
        for operator in range(4):
            if operator in (ADD, MULTIPLY) and left > right:
                continue
            rows = np.arange(len(first.residues) * len(second.residues))
            for start in range(0, len(rows), BLOCK):
                block = rows[start : start + BLOCK]
                layer = _combined(operator, (first, left), (second, right), block)
                layer = _kept(layer, seen)
                if not keep:
                    layer = _rare(layer, points, often)
                if len(layer.residues):
                    made.append(layer)
    if not made:
        return _chosen(layers[-1], [])
    joined = [np.concatenate([getattr(layer, name) for layer in made]) for name in _Layer.__annotations__]
    return _Layer(*joined)


def _combined(operator: int, left: tuple[_Layer, int], right: tuple[_Layer, int], rows: NDArray[Any]) -> _Layer:
    (first, size), (second, other) = left, right
    a, b = np.divmod(rows, len(second.residues))
    x, y, prime = first.residues[a], second.residues[b], np.uint64(PRIME)
    u, v = first.floats[a], second.floats[b]
    with np.errstate(all="ignore"):
        if operator == ADD:
            residues, floats = (x + y) % prime, u + v
        elif operator == SUBTRACT:
            residues, floats = (x + prime - y) % prime, u - v
        elif operator == MULTIPLY:
            residues, floats = x * y % prime, u * v
        else:
            residues, floats = x * second.inverses[b] % prime, u / v
    keep = ~np.all(residues == residues[:, :1], axis=1) & np.all(np.isfinite(floats), axis=1)
    if operator == DIVIDE:
        keep &= (np.all(v > 0, axis=1) | np.all(v < 0, axis=1)) & np.all(y != 0, axis=1)
    parts = np.stack([a, b], axis=1).astype(np.int32)
    sizes = np.tile(np.array([size, other], np.int8), (len(rows), 1))
    residues = residues[keep]
    operators = np.full(len(residues), operator, np.int8)
    return _Layer(operators, parts[keep], sizes[keep], residues, residues, floats[keep])


def _kept(layer: _Layer, seen: set[int]) -> _Layer:
    names = _names(layer.residues)
    _, first = np.unique(names, return_index=True)
    rows = [row for row in np.sort(first).tolist() if int(names[row]) not in seen]
    seen.update(int(names[row]) for row in rows)
    return _chosen(layer, rows)


def _rare(layer: _Layer, points: _Points, often: dict[int, int]) -> _Layer:
    """Leave out formulas of profiles of which there are many already: they are of no use for larger formulas."""
    rows = []
    for row, bits in enumerate(points.profiles(layer.residues, layer.floats).tolist()):
        often[bits] = often.get(bits, 0) + 1
        if often[bits] <= MOST_OF_A_KIND:
            rows.append(row)
    return _chosen(layer, rows)


def _chosen(layer: _Layer, rows: Sequence[int]) -> _Layer:
    parts = {name: getattr(layer, name)[rows] for name in _Layer.__annotations__}
    parts["inverses"] = _inverse(parts["residues"])
    return _Layer(**parts)


def _names(residues: Residues) -> Residues:
    return residues[:, 0] << np.uint64(31) | residues[:, 1]


def _inverse(residues: Residues) -> Residues:
    """Return the inverses in the field, by Fermat; 0 for 0."""
    result, base, power, prime = np.ones_like(residues), residues.copy(), PRIME - 2, np.uint64(PRIME)
    while power:
        if power & 1:
            result = result * base % prime
        base = base * base % prime
        power >>= 1
    return result


def _formula(layers: Sequence[_Layer], place: int, row: int, over: Sequence[Expr]) -> Expr:
    layer = layers[place]
    operator = int(layer.operators[row])
    if operator < 0:
        return over[int(layer.parts[row, 0])]
    left, right = (
        _formula(layers, int(size) - 1, int(part), over)
        for size, part in zip(layer.sizes[row], layer.parts[row], strict=True)
    )
    if operator == DIVIDE:
        return left / right
    return (left + right, left - right, left * right)[operator]


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
