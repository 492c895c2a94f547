"""Two tables that agree in some scores and differ in another: all small tables are compared."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sympy import Abs, Expr, Rational

from symmetrics.metric import Metric
from symmetrics.tools.budget import checkpoint

Table = tuple[int, int, int, int]
Pair = tuple[Table, Table]
Ints = NDArray[np.int64]

LARGEST: Final = 40
"""Examples in the largest tables of positive cells that are compared."""
WITH_ZEROS: Final = 12
"""Examples in the largest tables that are compared where cells may be zero."""
_STEPS: Final = (14, 24, LARGEST)
_DIGITS: Final = 11
"""Decimal places to which values are rounded for grouping; exact values decide."""
_TRIED: Final = 200
"""Pairs, at most, whose exact values are compared."""


@lru_cache(maxsize=8)
def tables_up_to(most: int, *, least: int = 1) -> Ints:
    """Return all tables of up to so many examples, by n and then in lexicographic order.

    :param least: the smallest cell, 0 or 1

    >>> tables_up_to(5).tolist()
    [[1, 1, 1, 1], [1, 1, 1, 2], [1, 1, 2, 1], [1, 2, 1, 1], [2, 1, 1, 1]]
    """
    side = np.arange(least, most + 1 - 3 * least)
    every = np.stack(np.meshgrid(side, side, side, side, indexing="ij"), axis=-1).reshape(-1, 4)
    total = every.sum(axis=1)
    kept = (total > 0) & (total <= most)
    tables: Ints = every[kept][np.argsort(total[kept], kind="stable")].astype(np.int64)
    return tables


def in_order(tables: Ints) -> list[Table]:
    """Return the rows of an array as tables."""
    return [(tp, fn, fp, tn) for tp, fn, fp, tn in tables.tolist()]


def smallest_pair(scores: Sequence[Metric], of: Metric | None, *, most: int = LARGEST) -> Pair | None:
    """Return the two smallest tables of positive cells with equal scores and different values of a metric.

    The first pair is the one whose larger table comes first, by n and then in lexicographic order.

    :param of: the metric; None for the table itself, up to scale
    :param most: examples in the largest tables that are compared

    >>> from symmetrics.library import metrics
    >>> smallest_pair([metrics["precision"], metrics["recall"]], metrics["accuracy"])
    ((1, 1, 1, 1), (1, 1, 1, 2))
    """
    for limit in [*(step for step in _STEPS if step < most), most]:
        if (found := _first_pair(scores, of, tables_up_to(limit))) is not None:
            return found
    return None


def smallest_exception(scores: Sequence[Metric], of: Metric | None) -> Pair | None:
    """Return the two smallest tables, some of whose cells may be zero, with equal scores and different values."""
    return _first_pair(scores, of, tables_up_to(WITH_ZEROS, least=0))


def _first_pair(scores: Sequence[Metric], of: Metric | None, tables: Ints) -> Pair | None:
    found = []
    # Equal values that rounding parts at one place are together where it is shifted.
    for shift in (0.0, 0.5):
        pairs = itertools.islice(_suspects(scores, of, tables, shift), _TRIED)
        found += [next((pair for pair in pairs if agree_and_differ(scores, of, *pair)), None)]
    return min((pair for pair in found if pair is not None), key=_size, default=None)


def _size(pair: Pair) -> tuple[int, Table, int, Table]:
    smaller, larger = pair
    return sum(larger), larger, sum(smaller), smaller


def _suspects(scores: Sequence[Metric], of: Metric | None, tables: Ints, shift: float) -> Iterator[Pair]:
    """Yield pairs whose floats agree in the scores and differ in the other value, the smallest first.

    :param shift: of the values before they are rounded, in units of the last decimal place
    """
    asked = [np.round(_bounded(metric, tables) + shift * 10.0**-_DIGITS, _DIGITS) + 0.0 for metric in scores]
    checkpoint()
    values = tables / tables.sum(axis=1, keepdims=True) if of is None else _bounded(of, tables)[:, None]
    known = np.isfinite(np.column_stack([*asked, values])).all(axis=1)
    tables, values = tables[known], values[known]
    label = np.zeros(len(tables), dtype=np.int64)
    for column in asked:
        _, own = np.unique(column[known], return_inverse=True)
        _, label = np.unique(label * (own.max(initial=0) + 1) + own, return_inverse=True)
    _, first = np.unique(label, return_index=True)
    # Tables come in rising order, so that the first of a group is its smallest.
    differs = (np.abs(values - values[first[label]]) > 10.0 ** (2 - _DIGITS)).any(axis=1)
    for place in np.flatnonzero(differs):
        smaller, larger = in_order(tables[[first[label[place]], place]])
        yield smaller, larger


def _bounded(metric: Metric, tables: Ints) -> NDArray[np.float64]:
    """Return values mapped to (-1, 1) in their order, so that large ones have decimal places, too."""
    with np.errstate(all="ignore"):
        found = np.asarray(metric.from_counts(*tables.T.astype(np.float64)), dtype=np.float64)
        bounded: NDArray[np.float64] = found / (1 + np.abs(found))
    return bounded


def agree_and_differ(scores: Sequence[Metric], of: Metric | None, first: Sequence[Any], second: Sequence[Any]) -> bool:
    """Whether two tables certainly have equal scores and different values of a metric, by exact arithmetic.

    :param of: the metric; None for the table itself, up to scale

    >>> from symmetrics.library import metrics
    >>> agree_and_differ([metrics["mcc"]], metrics["f1"], (1, 1, 1, 1), (2, 1, 2, 1))
    True
    """
    for metric in scores:
        if is_equal(metric.exact(*first), metric.exact(*second)) is not True:
            return False
    if of is None:
        totals = sum(first), sum(second)
        return any(a * totals[1] != b * totals[0] for a, b in zip(first, second, strict=True))
    return is_equal(of.exact(*first), of.exact(*second)) is False


def is_equal(first: Expr, second: Expr) -> bool | None:
    """Whether two exact numbers are equal; None if one is undefined or infinite, or it cannot be decided.

    >>> from sympy import nan, sqrt
    >>> is_equal(sqrt(3 + 2 * sqrt(2)), 1 + sqrt(2)), is_equal(sqrt(2), Rational(7, 5)), is_equal(nan, nan)
    (True, False, None)
    """
    if not (first.is_finite and second.is_finite):
        return None
    if first == second:
        return True
    if isinstance(first, Rational) and isinstance(second, Rational):
        return False
    difference = first - second
    if Abs(difference.evalf(40)) > Rational(1, 10**25):
        return False
    found: bool | None = difference.equals(0)
    return found
