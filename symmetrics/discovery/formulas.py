"""Enumerate small formulas up to equality, the simplest first, with the properties that each may have.

Formulas are told apart by their values at two random points of a prime field.  Two polynomials of degree d that differ
agree at a random point by a chance of at most d in 2**31 (Schwartz, 1980), at both by the square of that; the same
holds for a formula at the two tables of a law, so that what does not agree there lacks an invariance, and what agrees
does not rise.  What falls at tables of numbers, by more than the bounds on the errors, does not rise either.  All else
may be so: the prover decides, and a formula is never called possible by what is seen here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Integer, Pow, log

from symmetrics.checker.engine.splits import Signs
from symmetrics.claims.theorems.laws import Law
from symmetrics.discovery.residues import (
    COMMUTATIVE,
    DIVIDE,
    LARGER,
    MULTIPLY,
    OPERATIONS,
    ROOT,
    SMALLER,
    TABLES,
    Points,
    Reals,
    Residues,
    Seen,
    applied,
    combined_reals,
    combined_residues,
    inverses,
    mixed,
    product,
    signs,
)
from symmetrics.language.cells import FN, FP, ON, OP, PPV, TN, TP, TPR, N, P, n

LEAVES: Final[tuple[Expr, ...]] = (TP, FN, FP, TN, P, N, OP, ON, n, Integer(1))
RATES: Final[tuple[Expr, ...]] = (TPR, FP / N, PPV, FN / ON, n)
ARITHMETIC: Final = ("+", "-", "*", "/")
BLOCK: Final = 1 << 21
"""Number of floating-point values computed per step."""
MEGABYTES: Final = 4000.0
"""Memory for enumerating all formulas of five leaves."""
MANY_TABLES: Final = 48
"""Number of pairs of tables tested per monotonicity law, if only a few formulas of a kind are kept."""
MOST_OF_A_KIND: Final = 6
"""Number of formulas returned per profile; the prover may reject the first."""


@dataclass(frozen=True)
class Guess:
    """A formula with the properties that it may have."""

    formula: Expr
    profile: frozenset[str]


LEAF: Final = -1


@dataclass
class _Layer:
    """All formulas of one size, as columns."""

    operators: NDArray[np.int8]
    left_sizes: NDArray[np.int8]
    parts: NDArray[np.int32]
    monomials: NDArray[np.bool_]
    """Formulas that are products, quotients and roots of leaves, and so squares in the field."""
    residues: Residues
    reals: Reals

    def __post_init__(self) -> None:
        self.inverses = inverses(self.residues)
        self.divisors = np.flatnonzero((signs(self.reals) != 0) & np.all(self.residues != 0, axis=0))

    def __len__(self) -> int:
        return len(self.operators)


@dataclass(frozen=True)
class Block:
    """Distinct formulas of one size, with the properties that each may have.

    :param size: their number of leaves
    :param layer: the formulas of the block
    :param bits: their properties, in the order of :attr:`Formulas.names`
    """

    size: int
    layer: _Layer
    bits: NDArray[np.int64]


class Formulas:
    """All distinct formulas from some operations and leaves, the simplest first.

    A divisor has one sign at some sample tables; a constant is a part of formulas but none itself.  A root counts as a
    leaf more; it is taken of leaves, and of products, quotients and roots of these, that are positive at those tables.

    :param laws: the laws of each property by which formulas are sorted
    :param over: the leaves
    :param tables: number of pairs of tables of floats tested per monotonicity law
    :param operations: the names of the operations

    >>> formulas = Formulas({}, (TP, FN))
    >>> [formulas.expr(block, row) for block in formulas.blocks(2) for row in range(len(block.bits))]
    [TP, FN, 2*TP, FN + TP, 2*FN, -FN + TP, FN - TP, TP**2, FN*TP, FN**2, TP/FN, FN/TP]
    """

    def __init__(
        self,
        laws: Mapping[str, Sequence[Law]],
        over: Sequence[Expr] = LEAVES,
        tables: int = TABLES,
        operations: Sequence[str] = ARITHMETIC,
    ) -> None:
        self.over = tuple(over)
        self.operators = sorted({OPERATIONS[name] for name in operations})
        in_parts = not {SMALLER, LARGER}.isdisjoint(self.operators)
        squares = self.over if ROOT in self.operators else ()
        self._points = Points(laws, tables, squares=squares, in_parts=in_parts)
        self.equal, self.rising = self._points.equal, self._points.rising
        self.names = (*self.equal, *self.rising)
        self._seen = Seen()
        count = len(self.over)
        places = np.stack([np.arange(count), np.zeros(count)]).astype(np.int32)
        made = np.full(count, LEAF, np.int8), np.zeros(count, np.int8), places, np.ones(count, dtype=bool)
        first = _Layer(*made, *self._points.leaves(self.over))
        self._layers = [_chosen(first, self._seen.new(mixed(first.residues[: self._points.telling])))]

    def __len__(self) -> int:
        """Return the number of distinct formulas so far, constants included."""
        return len(self._seen)

    def blocks(self, leaves: int) -> Iterator[Block]:
        """Yield the formulas with up to this many leaves; those of the largest size are not stored."""
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
            yield Block(size, shown, self._points.profiles(shown.residues, shown.reals))

    def _new(self, size: int) -> Iterator[_Layer]:
        """Yield the new formulas of a size, given all smaller ones."""
        # A root counts as one additional leaf.
        if ROOT in self.operators:
            layer = self._layers[size - 2]
            rows = np.flatnonzero(layer.monomials & (signs(layer.reals) > 0))
            yield self._fresh(ROOT, (layer, rows), (layer, rows), size - 1)
        # Each split of the size between the two operands; commutative operations take the smaller one first.
        for left in range(1, size):
            first, second = self._layers[left - 1], self._layers[size - left - 1]
            for operator in self.operators:
                if operator == ROOT or (operator in COMMUTATIVE and left > size - left):
                    continue
                seconds = second.divisors if operator == DIVIDE else np.arange(len(second))
                step = BLOCK // first.reals.shape[1]
                for start in range(0, len(first) * len(seconds), step):
                    rows = np.arange(start, min(start + step, len(first) * len(seconds)))
                    a, b = np.divmod(rows, len(seconds))
                    layer = self._fresh(operator, (first, a), (second, seconds[b]), left)
                    if len(layer):
                        yield layer

    def _fresh(
        self, operator: int, left: tuple[_Layer, NDArray[Any]], right: tuple[_Layer, NDArray[Any]], size: int
    ) -> _Layer:
        """Keep new formulas only: values at all points are computed just for these."""
        # Recognise known formulas by their values in the prime field.
        (first, a), (second, b) = left, right
        places = self._seen.new(mixed(self._combined(operator, first, a, second, b, self._points.telling)))
        a, b = a[places], b[places]
        residues = self._combined(operator, first, a, second, b, len(first.residues))
        reals = combined_reals(operator, first.reals[..., a], second.reals[..., b])
        count = len(places)
        parts = np.stack([a, b]).astype(np.int32)
        monomials = first.monomials[a] & second.monomials[b] & (operator in (MULTIPLY, DIVIDE, ROOT))
        return _Layer(
            np.full(count, operator, np.int8), np.full(count, size, np.int8), parts, monomials, residues, reals
        )

    def _combined(
        self, operator: int, first: _Layer, a: NDArray[Any], second: _Layer, b: NDArray[Any], points: int
    ) -> Residues:
        """Return values at the first points of the field."""
        x = first.residues[:points].take(a, axis=1)
        if operator == DIVIDE:
            return product(x, second.inverses[:points].take(b, axis=1))
        is_less = None
        if operator in (SMALLER, LARGER):
            rows = slice(self._points.beside, self._points.beside + points)
            is_less = first.reals[0, rows].take(a, axis=1) < second.reals[0, rows].take(b, axis=1)
        return combined_residues(operator, x, second.residues[:points].take(b, axis=1), is_less)

    def expr(self, block: Block, row: int) -> Expr:
        """Return the expression of a formula in a block."""
        return self._expr(block.layer, block.size, row)

    def _expr(self, layer: _Layer, size: int, row: int) -> Expr:
        operator, left = int(layer.operators[row]), int(layer.left_sizes[row])
        first, second = map(int, layer.parts[:, row])
        if operator == LEAF:
            return self.over[first]
        x = self._expr(self._layers[left - 1], left, first)
        y = x if operator == ROOT else self._expr(self._layers[size - left - 1], size - left, second)
        return applied(operator, x, y)


def _chosen(layer: _Layer, columns: NDArray[Any]) -> _Layer:
    return _Layer(*(getattr(layer, field.name)[..., columns] for field in fields(_Layer)))


def _joined(layers: Sequence[_Layer]) -> _Layer:
    columns = ([getattr(each, field.name) for each in layers] for field in fields(_Layer))
    return _Layer(*(np.concatenate(column, axis=-1) for column in columns))


def small_formulas(
    laws: Mapping[str, Sequence[Law]],
    leaves: int,
    over: Sequence[Expr] = LEAVES,
    tables: int = MANY_TABLES,
    operations: Sequence[str] = ARITHMETIC,
) -> Iterator[Guess]:
    """Return formulas of up to this many leaves, a few of each profile of possible properties.

    :param laws: the laws of each property of the profiles
    :param over: the leaves
    :param tables: number of pairs of tables of floats tested per monotonicity law
    :param operations: the allowed operations
    """
    formulas, often = Formulas(laws, over, tables, operations), dict[int, int]()
    for block in formulas.blocks(leaves):
        for row, bits in enumerate(block.bits.tolist()):
            often[bits] = often.get(bits, 0) + 1
            if often[bits] <= MOST_OF_A_KIND:
                profile = frozenset(name for place, name in enumerate(formulas.names) if bits >> place & 1)
                yield Guess(formulas.expr(block, row), profile)


def is_defined(formula: Expr) -> bool:
    """Whether a formula is shown to be real at every positive table.

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
