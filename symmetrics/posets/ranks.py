"""Averaged ranks of the classes of an order, by closed formulas, exactly, or from a random walk."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from math import factorial, prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.posets.mcmc import mcmc_ranks
from symmetrics.posets.parts import MAX_IDEALS, count_parts, decompose
from symmetrics.posets.poset import Order, Poset, bit_matrix, bits, poset, shown
from symmetrics.tools.errors import InputError, UnknownNameError


def exact_ranks(
    order: Order, *, classes: Iterable[Hashable] | None = None, max_ideals: int = MAX_IDEALS
) -> dict[Hashable, Fraction]:
    """Return the rank of every class averaged over all linear extensions, as a fraction; the lowest rank is 1.

    An ideal I that leaves x out and has all below x is followed by x in e(I) e(I + x) linear extensions, where e(I)
    counts those of I and e(I + x) those of what is outside I + x; x has rank ``|I| + 1`` in each.

    Time and memory grow with the number of ideals, which lies between n + 1 for a chain and 2^n for an antichain.
    Parts that are unrelated, or one above the other, are treated apart, so that only their ideals add up.

    :param order: an order as :func:`poset` takes it
    :param classes: all classes, as :func:`poset` takes them
    :param max_ideals: so many ideals are visited at most; for a part of more than 64 classes, which takes w words of 64
        bits, w^2 times fewer
    :raises InputError: if the order is none, or has more ideals; the message states about how many

    >>> {name: str(rank) for name, rank in exact_ranks([("c", "a"), ("c", "b"), ("b", "d")]).items()}
    {'c': '1', 'a': '3', 'b': '7/3', 'd': '11/3'}
    """
    checked = poset(order, classes)
    parts = decompose(checked.closure)
    counted = count_parts(checked, parts, max_ideals)
    # A rank r within a part becomes scale * r + shift within the whole.
    places = [(Fraction(1), Fraction(0))]
    ranks: dict[int, Fraction] = {}
    for place, part in enumerate(parts):
        scale, shift = places[place]
        height = 0
        for size in (len(parts[inner].members) for inner in part.parts):
            # Unrelated parts interleave freely: a rank r among m becomes r (n + 1)/(m + 1) among n.
            wider = Fraction(1) if part.is_stacked else Fraction(len(part.members) + 1, size + 1)
            places.append((scale * wider, shift + scale * height))
            # Parts one above the other: ranks rise by what is below.
            height += size * part.is_stacked
        if place in counted:
            exact = zip(part.members, counted[place].ranks, strict=True)
            ranks.update((node, scale * rank + shift) for node, rank in exact)
    return {name: ranks[node] for node, name in enumerate(checked.nodes)}


def linear_extensions(order: Order, *, classes: Iterable[Hashable] | None = None, max_ideals: int = MAX_IDEALS) -> int:
    """Return the number of linear extensions of an order: the total orders that contain it.

    :param order: an order as :func:`poset` takes it
    :param classes: all classes, as :func:`poset` takes them
    :param max_ideals: so many ideals are visited at most, as in :func:`exact_ranks`
    :raises InputError: if the order is none, or has more ideals

    >>> linear_extensions([("c", "a"), ("c", "b")]), linear_extensions([], classes=range(10))
    (2, 3628800)
    """
    checked = poset(order, classes)
    parts = decompose(checked.closure)
    number = prod(tally.extensions for tally in count_parts(checked, parts, max_ideals).values())
    for part in parts:
        if part.parts and not part.is_stacked:
            number *= factorial(len(part.members)) // prod(factorial(len(parts[at].members)) for at in part.parts)
    return number


# ----------------------------------------------------------------------------------------------------------------------


FloatArray = NDArray[np.float64]

METHODS: Final = ("midpoint", "lpom", "lpom_ext", "loof1", "loof2", "exact", "mcmc")
"""The ways to average the ranks of a class over the linear extensions of an order."""

_ROWS: Final = 512


def average_ranks(
    order: Order,
    method: str = "midpoint",
    *,
    classes: Iterable[Hashable] | None = None,
    max_ideals: int = MAX_IDEALS,
    seed: int = 0,
) -> dict[Hashable, float]:
    """Return the averaged rank of every class of a partial order; the lowest rank is 1, the highest n.

    With S the classes below x, P those above it and U those that are incomparable with it, of n classes in all:

    - ``"midpoint"``: ``|S| + 1 + |U|/2``, the middle of the ranks that x can have (Branco, Torgo & Ribeiro 2017,
      section 4.2);
    - ``"lpom"``: ``(|S| + 1)(n + 1)/(n + 1 - |U|)``, the local partial order model, exact where the classes of
      U are unrelated to all others and the rest is a chain (Brüggemann, Sørensen, Lerche & Carlsen 2004);
    - ``"lpom_ext"``: ``|S| + 1`` and for each y in U the share ``(s + 1)/(s + p + 2)``, where y is incomparable with s
      classes of S and with p classes of P: the part of the places for y around x that lies below x (Brüggemann &
      Carlsen 2011, the extended local partial order model);
    - ``"loof1"``: ``|S| + 1`` and for each y in U the approximate probability that y ranks below x,
      ``(|S| + 1)(p + 1) / ((|S| + 1)(p + 1) + (s + 1)(|P| + 1))``, where s classes are below y and p above it
      (De Loof, De Baets & De Meyer 2011, first approximation, with the mutual rank probability of Brüggemann,
      Sørensen, Lerche & Carlsen 2004);
    - ``"loof2"``: the same, with the numbers of classes below and above each class first raised by these probabilities:
      s by those of the classes incomparable with y to rank below it, p by those to rank above it (the second
      approximation there);
    - ``"exact"``: the mean over all linear extensions, see :func:`exact_ranks`;
    - ``"mcmc"``: an estimate of it from a random walk, see :func:`mcmc_ranks`, which also states its error.

    All give the ranks of a total order as they are.  Those of lpom and lpom_ext need not add up to n(n + 1)/2, all
    others do.  Up to the random error of mcmc, a rank turns into n + 1 minus itself when the order is reversed, and
    classes of the same relations have the same rank.

    :param order: a directed graph of networkx with an edge a -> b where a is below b, pairs (a, b), or an order
    :param method: one of :data:`METHODS`
    :param classes: all classes, as :func:`poset` takes them
    :param max_ideals: for ``"exact"``, how many ideals are visited at most
    :param seed: for ``"mcmc"``, the seed of the walk
    :returns: the rank of every class, in the sequence of the classes
    :raises InputError: if the order is none, or too large for the method
    :raises UnknownNameError: if there is no such method

    >>> order = [("c", "a"), ("c", "b")]
    >>> average_ranks(order)
    {'c': 1.0, 'a': 2.5, 'b': 2.5}
    >>> average_ranks(order, "lpom")["a"], average_ranks(order, "lpom_ext")["a"], average_ranks(order, "exact")["a"]
    (2.6666666666666665, 2.5, 2.5)
    """
    _check_method(method)
    checked = poset(order, classes)
    if method == "exact":
        return {name: float(rank) for name, rank in exact_ranks(checked, max_ideals=max_ideals).items()}
    if method == "mcmc":
        return dict(mcmc_ranks(checked, seed=seed).ranks)
    if method in _BY_ARRAYS:
        return dict(zip(checked.nodes, _BY_ARRAYS[method](checked).tolist(), strict=True))
    return dict(zip(checked.nodes, map(float, _fractions(checked, method)), strict=True))


def fraction_ranks(
    order: Order,
    method: str = "midpoint",
    *,
    classes: Iterable[Hashable] | None = None,
    max_ideals: int = MAX_IDEALS,
) -> dict[Hashable, Fraction]:
    """Return the averaged ranks as fractions, by any method of :func:`average_ranks` but ``"mcmc"``, which has none.

    :raises InputError: as :func:`average_ranks`, and on ``"mcmc"``
    :raises UnknownNameError: if there is no such method

    >>> fraction_ranks([("c", "a"), ("c", "b")], "lpom")
    {'c': Fraction(1, 1), 'a': Fraction(8, 3), 'b': Fraction(8, 3)}
    """
    _check_method(method)
    if method == "mcmc":
        raise InputError("method 'mcmc' estimates ranks and has no fractions; take average_ranks, or another method")
    checked = poset(order, classes)
    if method == "exact":
        return exact_ranks(checked, max_ideals=max_ideals)
    return dict(zip(checked.nodes, _fractions(checked, method), strict=True))


def _check_method(method: object) -> None:
    if not isinstance(method, str):
        raise InputError(f"method={shown(method)} is no text: pass one of {', '.join(METHODS)}")
    if method not in METHODS:
        raise UnknownNameError("method", method, METHODS)


def _fractions(order: Poset, method: str) -> list[Fraction]:
    if method == "lpom_ext":
        return _extended_fractions(order)
    if method in ("loof1", "loof2"):
        return _mutual_fractions(order, int(method[-1]))
    closure, size = order.closure, len(order)
    sizes = [(low.bit_count(), high.bit_count()) for low, high in zip(closure.below, closure.above, strict=True)]
    if method == "midpoint":
        return [Fraction(size + 1 + below - above, 2) for below, above in sizes]
    return [Fraction((below + 1) * (size + 1), below + above + 2) for below, above in sizes]


def _extended_fractions(order: Poset) -> list[Fraction]:
    below, above, size = order.closure.below, order.closure.above, len(order)
    every = (1 << size) - 1
    apart = [every & ~(below[x] | above[x] | 1 << x) for x in range(size)]
    common = math.lcm(*range(1, size + 2))  # of all denominators, so that the sums are those of whole numbers
    parts = [common // max(1, denominator) for denominator in range(size + 2)]
    ranks = []
    for x in range(size):
        numerators = [0] * (size + 2)
        for y in bits(apart[x]):
            lower = (below[x] & apart[y]).bit_count() + 1
            numerators[lower + (above[x] & apart[y]).bit_count() + 1] += lower
        shares = sum(numerator * part for numerator, part in zip(numerators, parts, strict=True) if numerator)
        ranks.append(below[x].bit_count() + 1 + Fraction(shares, common))
    return ranks


def _extended_model(order: Poset) -> FloatArray:
    below, above = bit_matrix(order.closure.below), bit_matrix(order.closure.above)
    apart = ~(below | above)
    np.fill_diagonal(apart, False)
    factor = apart.astype(np.float32)  # which is exact for counts below 2^24, but not for shares
    ranks = below.sum(axis=1) + 1.0
    for start in range(0, len(order), _ROWS):
        rows = slice(start, start + _ROWS)
        lower = (below[rows].astype(np.float32) @ factor).astype(np.float64)
        upper = (above[rows].astype(np.float32) @ factor).astype(np.float64)
        shares = np.where(apart[rows], (lower + 1.0) / (lower + upper + 2.0), 0.0)
        # Sorted, so that classes of the same relations get the same sum to the last bit.
        ranks[rows] += np.sort(shares, axis=1).sum(axis=1)
    return np.asarray(ranks)


def _mutual_model(order: Poset, times: int) -> FloatArray:
    below, above = bit_matrix(order.closure.below), bit_matrix(order.closure.above)
    apart = ~(below | above)
    np.fill_diagonal(apart, False)
    fixed = below.sum(axis=1) + 1.0
    low, high = fixed - 1, above.sum(axis=1).astype(np.float64)
    lower = higher = low
    for _ in range(times):
        # Of y to rank below x: (s_x + 1)(p_y + 1) against (s_y + 1)(p_x + 1).
        down = np.outer(low + 1, high + 1)
        share = np.where(apart, down / (down + down.T), 0.0)
        # Sorted, so that classes of the same relations get the same sum to the last bit.
        lower, higher = (np.sort(each, axis=1).sum(axis=1) for each in (share, share.T))
        low, high = fixed - 1 + lower, above.sum(axis=1) + higher
    return np.asarray(fixed + lower)


def _mutual_fractions(order: Poset, times: int) -> list[Fraction]:
    below, above, size = order.closure.below, order.closure.above, len(order)
    apart = [list(bits(((1 << size) - 1) & ~(below[x] | above[x] | 1 << x))) for x in range(size)]
    low = [Fraction(row.bit_count()) for row in below]
    high = [Fraction(row.bit_count()) for row in above]
    for _ in range(times):
        odds = [[(low[x] + 1) * (high[y] + 1) / (low[y] + 1) / (high[x] + 1) for y in apart[x]] for x in range(size)]
        lower = [sum((odd / (odd + 1) for odd in row), Fraction(0)) for row in odds]
        low = [below[x].bit_count() + lower[x] for x in range(size)]
        high = [above[x].bit_count() + len(apart[x]) - lower[x] for x in range(size)]
    return [rank + 1 for rank in low]


_BY_ARRAYS: Final[Mapping[str, Callable[[Poset], FloatArray]]] = {
    "lpom_ext": _extended_model,
    "loof1": partial(_mutual_model, times=1),
    "loof2": partial(_mutual_model, times=2),
}
"""Formulas with a sum for each class, in floats."""
