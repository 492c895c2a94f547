"""What a study would cost, from the class sizes alone: what no machine has time or memory for is refused at once."""

from __future__ import annotations

from decimal import Decimal
from math import comb, prod
from typing import Final

from symmetrics.matrices.discrimination.states import Sizes
from symmetrics.tools.errors import InputError

__all__ = ["require_affordable"]

_MOST_GIGABYTES: Final = 64
# As measured on one core of an ordinary machine: one exact value of a class, one sum of rows, one sum with entropies.
_VALUE, _SUM, _ENTROPY = 1.5e-4, 4e-7, 1.5e-6
_MORE_THAN_EVER: Final = 10**100
"""Larger numbers stand for this one, so that they are floats."""
_BYTES: Final = 16
"""Of one distinct value."""
_DISTINCT: Final = 0.2
"""The share of matrices that differ in an entropy, at most, in the problems of the literature."""
_UNITS: Final = ((365 * 24.0, "years"), (24.0, "days"), (1.0, "hours"))


def require_affordable(sizes: Sizes, tables: int, measures: int, entropies: int, hours: float) -> None:
    """Refuse a study that would take too long or too much memory.

    :param tables: how many metrics are evaluated at every table of a class
    :param measures: how many metrics see no more than diagonal and column sums
    :param entropies: how many see all entries
    :param hours: the longest that is waited for
    :raises InputError: if the estimate is longer, or beyond the memory of ordinary machines

    >>> require_affordable(Sizes((2, 3, 9, 10)), 4, 11, 2, 1)
    """
    values = tables * sum((count + 1) * (sizes.total + 1) for count in sizes.counts)
    matrices = min(sizes.matrices, _MORE_THAN_EVER)
    sums, states = _sums(sizes) if measures else (0, 0)
    seconds = _VALUE * values + _SUM * sums + _SUM * measures * states / 4 + _ENTROPY * entropies * matrices
    gigabytes = _BYTES * (states * measures + _DISTINCT * entropies * matrices + values / 4) / 1e9
    if seconds <= 3600 * hours and gigabytes <= _MOST_GIGABYTES:
        return
    longer = "give smaller classes or fewer measures"
    if gigabytes <= _MOST_GIGABYTES:
        longer += ", or a larger hours= to wait for it"
    raise InputError(
        f"class sizes {sizes}: {Decimal(sizes.matrices):.1e} matrices would take about {_duration(seconds / 3600)} and "
        f"up to {gigabytes:.2g} GB, where {hours:g} hours and {_MOST_GIGABYTES} GB are allowed; {longer}"
    )


def _sums(sizes: Sizes) -> tuple[int, int]:
    """Return how many sums of rows are formed at most, and how many different ones the last are."""
    classes, sums, states = sizes.classes, 0, 1
    columns = (sizes.total + 1) ** (classes - 1)
    for place, count in enumerate(sizes.counts):
        formed = states * comb(count + classes - 1, classes - 1)
        sums += formed
        states = min(formed, columns * prod(size + 1 for size in sizes.counts[: place + 1]))
    return min(sums, _MORE_THAN_EVER), min(states, _MORE_THAN_EVER)


def _duration(hours: float) -> str:
    length, unit = next(((length, unit) for length, unit in _UNITS if hours >= length), _UNITS[-1])
    return f"{hours / length:.2g} {unit}"
