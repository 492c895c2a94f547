"""Averaged ranks of the classes of an order, by closed formulas, exactly, or from a random walk."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.posets.exact import MAX_IDEALS, exact_ranks
from symmetrics.posets.mcmc import mcmc_ranks
from symmetrics.posets.poset import Order, Poset, bits, poset, shown
from symmetrics.tools.errors import InputError, UnknownNameError

FloatArray = NDArray[np.float64]

METHODS: Final = ("midpoint", "lpom", "lpom_ext", "exact", "mcmc")
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
    - ``"exact"``: the mean over all linear extensions, see :func:`exact_ranks`;
    - ``"mcmc"``: an estimate of it from a random walk, see :func:`mcmc_ranks`, which also states its error.

    All give the ranks of a total order as they are.  Those of midpoint, exact and mcmc add up to n(n + 1)/2, those of
    lpom and lpom_ext need not.  Up to the random error of mcmc, a rank turns into n + 1 minus itself when the order is
    reversed, and classes of the same relations have the same rank.

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
    ranks = _extended_model(checked).tolist() if method == "lpom_ext" else map(float, _fractions(checked, method))
    return dict(zip(checked.nodes, ranks, strict=True))


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
    below, above = _matrix(order.closure.below), _matrix(order.closure.above)
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


def _matrix(masks: Iterable[int]) -> NDArray[np.bool_]:
    rows = list(masks)
    packed = b"".join(row.to_bytes(-(-len(rows) // 8), "little") for row in rows)
    unpacked = np.unpackbits(np.frombuffer(packed, dtype=np.uint8).reshape(len(rows), -1), axis=1, bitorder="little")
    return unpacked[:, : len(rows)].astype(np.bool_)
