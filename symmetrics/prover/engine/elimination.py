"""Rows of numbers: how many are certain to be independent, and what is orthogonal to all of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, lcm
from typing import Any

from flint import fmpq, fmpq_mat

from symmetrics.algebra.evaluate import Value

__all__ = ["Elimination", "determinant", "null_space", "reduced_basis"]


class Elimination:
    """Rows that are taken in one by one, as long as they are certain to be independent of those before."""

    def __init__(self) -> None:
        self.pivots: list[tuple[int, list[Value]]] = []

    @property
    def rank(self) -> int:
        """The number of independent rows."""
        return len(self.pivots)

    def add(self, row: Sequence[Value]) -> bool:
        """Take in a row; whether it is certain to be independent of the rows before."""
        left = list(row)
        for place, pivot in self.pivots:
            if left[place] != 0 or not isinstance(left[place], fmpq):
                factor = left[place] / pivot[place]
                left = [a - factor * b for a, b in zip(left, pivot, strict=True)]
                left[place] = fmpq(0)
        certain = [place for place, value in enumerate(left) if value > 0 or value < 0]
        if not certain:
            return False
        place = max(certain, key=lambda place: abs(float(left[place])))
        self.pivots.append((place, left))
        return True


def null_space(rows: Sequence[Sequence[fmpq]], width: int) -> list[list[fmpq]]:
    """Return a basis of what is orthogonal to some rational rows.

    >>> null_space([[fmpq(1), fmpq(-1), fmpq(0)]], 3)
    [[1, 1, 0], [0, 0, 1]]
    """
    if not rows:
        return [[fmpq(int(place == row)) for place in range(width)] for row in range(width)]
    reduced, rank = fmpq_mat([list(row) for row in rows]).rref()
    pivots = [next(place for place in range(width) if reduced[row, place] != 0) for row in range(rank)]
    basis = []
    for free in (place for place in range(width) if place not in pivots):
        vector = [fmpq(int(place == free)) for place in range(width)]
        for row, pivot in enumerate(pivots):
            vector[pivot] = -reduced[row, free]
        basis.append(vector)
    return basis


def reduced_basis(vectors: Sequence[Sequence[Any]]) -> list[tuple[int, ...]]:
    """Return the reduced echelon basis of a rational space, each vector scaled to coprime integers.

    >>> reduced_basis([[2, 2, 0], [0, fmpq(1, 2), 1]])
    [(1, 0, -2), (0, 1, 2)]
    """
    if not vectors:
        return []
    reduced, rank = fmpq_mat([[fmpq(entry) for entry in vector] for vector in vectors]).rref()
    basis = []
    for row in range(rank):
        entries = [reduced[row, place] for place in range(reduced.ncols())]
        scale = lcm(*(int(entry.q) for entry in entries))
        whole = [int(entry * scale) for entry in entries]
        shared = gcd(*whole)
        basis.append(tuple(entry // shared for entry in whole))
    return basis


def determinant(rows: Sequence[Sequence[Any]]) -> Any:
    """Return the determinant of a square matrix of polynomials, by elimination without fractions (Bareiss)."""
    matrix = [list(row) for row in rows]
    size, sign, before = len(matrix), 1, None
    for step in range(size - 1):
        pivot = next((row for row in range(step, size) if matrix[row][step]), None)
        if pivot is None:
            return matrix[step][step]
        if pivot != step:
            matrix[step], matrix[pivot], sign = matrix[pivot], matrix[step], -sign
        for row in range(step + 1, size):
            for place in range(step + 1, size):
                entry = matrix[row][place] * matrix[step][step] - matrix[row][step] * matrix[step][place]
                matrix[row][place] = entry if before is None else entry / before
        before = matrix[step][step]
    return sign * matrix[-1][-1]
