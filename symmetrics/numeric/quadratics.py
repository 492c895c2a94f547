"""Quadratic forms of the cells as products of sums: ``P*ON + N*OP`` takes fewer passes than its seven terms."""

from __future__ import annotations

import itertools
import math
from functools import cache, lru_cache
from typing import NamedTuple

__all__ = ["TwoProducts", "two_products"]

Linear = tuple[int, ...]
"""The places of the cells that are added."""
Quadratic = tuple[int, ...]
"""The coefficients of the ten products of two cells, in the order of :func:`pairs`."""

_MOST = 4
"""Largest coefficient of the first product."""


class TwoProducts(NamedTuple):
    """Products of two sums of cells with their whole coefficients: one of them, or two that are added."""

    products: tuple[tuple[int, Linear, Linear], ...]


@cache
def pairs() -> tuple[tuple[int, int], ...]:
    """Return the products of two cells, as places.

    >>> len(pairs())
    10
    """
    return tuple(itertools.combinations_with_replacement(range(4), 2))


@cache
def _products() -> dict[Quadratic, tuple[Linear, Linear]]:
    """Return the products of two sums of cells by their coefficients, those with few additions first."""
    sums = [linear for size in range(1, 5) for linear in itertools.combinations(range(4), size)]
    found: dict[Quadratic, tuple[Linear, Linear]] = {}
    for left, right in sorted(
        itertools.combinations_with_replacement(sums, 2), key=lambda pair: len(pair[0] + pair[1])
    ):
        coefficients = dict.fromkeys(pairs(), 0)
        for i, j in itertools.product(left, right):
            coefficients[min(i, j), max(i, j)] += 1
        found.setdefault(tuple(coefficients.values()), (left, right))
    return found


@lru_cache(maxsize=256)
def two_products(form: Quadratic) -> TwoProducts | None:
    """Return a quadratic form with whole coefficients, none negative, as one product or two; None if it is no such sum.

    >>> two_products((0, 1, 1, 2, 1, 0, 1, 1, 1, 0))
    TwoProducts(products=((1, (0, 1), (1, 3)), (1, (0, 2), (2, 3))))
    """
    content = math.gcd(*form)
    if not content:
        return None
    known = _products()
    whole = tuple(c // content for c in form)
    if whole in known:
        return TwoProducts(((content, *known[whole]),))
    best: tuple[int, TwoProducts] | None = None
    for product, sums in known.items():
        room = min((c // p for c, p in zip(form, product, strict=True) if p), default=0)
        for times in range(1, min(room, _MOST) + 1):
            rest = tuple(c - times * p for c, p in zip(form, product, strict=True))
            over = math.gcd(*rest)
            other = known.get(tuple(c // over for c in rest)) if over else None
            if other is not None:
                passes = sum(map(len, {*sums, *other})) + (times > 1) + (over > 1)
                if best is None or passes < best[0]:
                    best = passes, TwoProducts(((times, *sums), (over, *other)))
    return None if best is None else best[1]
