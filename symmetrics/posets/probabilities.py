"""How probable ranks are: over all linear extensions of an order, each as probable as any other.

The numbers of linear extensions by rank and by pair come from the lattice of ideals (De Loof, De Meyer & De Baets 2006,
Exploiting the lattice of ideals representation of a poset), part by part; or from a random walk, with their errors.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, permutations
from math import comb, factorial, prod
from typing import Final, NamedTuple

import numpy as np

from symmetrics.posets.counting import Tally, Whole
from symmetrics.posets.mcmc import mcmc_probabilities
from symmetrics.posets.parts import MAX_IDEALS, Part, count_parts, decompose
from symmetrics.posets.poset import Order, Poset, bit_matrix, poset, shown
from symmetrics.tools.errors import InputError, UnknownNameError

Probability = Fraction | float
WAYS: Final = ("exact", "mcmc")
"""The methods of :func:`above` and :func:`rank_distribution`."""


def above(
    order: Order,
    method: str = "exact",
    *,
    classes: Iterable[Hashable] | None = None,
    max_ideals: int = MAX_IDEALS,
    seed: int = 0,
) -> dict[tuple[Hashable, Hashable], Probability]:
    """Return for each pair (a, b) how probable it is that a ranks above b: the mutual rank probability.

    It is the share of linear extensions in which a comes after b: 1 where b is below a in the order, and 0 where a is
    below b; those of (a, b) and (b, a) add up to 1.

    :param order: an order as :func:`poset` takes it
    :param method: ``"exact"`` for fractions, or ``"mcmc"`` for estimates, whose errors
        :func:`symmetrics.posets.mcmc_probabilities` states
    :param classes: all classes, as :func:`poset` takes them
    :param max_ideals: for ``"exact"``, how many ideals are visited at most, as in :func:`exact_ranks`; it takes up to
        as many times longer as there are classes
    :param seed: for ``"mcmc"``, the seed of the walk
    :raises InputError: if the order is none, or too large for the method
    :raises UnknownNameError: if there is no such method

    >>> found = above([("a", "c"), ("b", "c"), ("b", "d")])
    >>> str(found["a", "b"]), str(found["c", "b"]), str(found["c", "d"])
    ('3/5', '1', '3/5')
    """
    checked = _checked(order, method, classes)
    if method == "mcmc":
        return dict(mcmc_probabilities(checked, seed=seed).above)
    tally = tally_of(checked, max_ideals, pairs=True)
    assert tally.above is not None
    pairs = permutations(enumerate(checked.nodes), 2)
    return {(a, b): Fraction(tally.above[i, j], tally.extensions) for (i, a), (j, b) in pairs}


def rank_distribution(
    order: Order,
    method: str = "exact",
    *,
    classes: Iterable[Hashable] | None = None,
    max_ideals: int = MAX_IDEALS,
    seed: int = 0,
) -> dict[Hashable, dict[int, Probability]]:
    """Return for each class how probable each of its ranks is; the lowest rank is 1.

    The ranks are those of :func:`rank_intervals`, each of which some linear extension gives.  Their mean is the rank of
    :func:`exact_ranks`.  Parameters and errors are those of :func:`above`.

    >>> found = rank_distribution([("a", "c"), ("b", "c"), ("b", "d")])
    >>> {rank: str(probability) for rank, probability in found["d"].items()}
    {2: '1/5', 3: '2/5', 4: '2/5'}
    """
    checked = _checked(order, method, classes)
    if method == "mcmc":
        return {name: dict(found) for name, found in mcmc_probabilities(checked, seed=seed).ranks.items()}
    tally = tally_of(checked, max_ideals)
    return {
        name: {rank: Fraction(row[rank - 1], tally.extensions) for rank in range(low, high + 1)}
        for (name, (low, high)), row in zip(rank_intervals(checked).items(), tally.at, strict=True)
    }


def rank_intervals(order: Order, *, classes: Iterable[Hashable] | None = None) -> dict[Hashable, tuple[int, int]]:
    """Return the first and the last rank that each class has in any linear extension.

    They are ``|S| + 1`` and ``n - |P|``, with S the classes below and P those above; each rank between them occurs.

    >>> rank_intervals([("a", "c"), ("b", "c"), ("b", "d")])
    {'a': (1, 3), 'c': (3, 4), 'b': (1, 2), 'd': (2, 4)}
    """
    checked = poset(order, classes)
    rows = zip(checked.closure.below, checked.closure.above, strict=True)
    ends = [(below.bit_count() + 1, len(checked) - above.bit_count()) for below, above in rows]
    return dict(zip(checked.nodes, ends, strict=True))


def expected_ranks(found: Mapping[Hashable, Mapping[int, Probability]]) -> dict[Hashable, Probability]:
    """Return the mean rank of each class from the probabilities of its ranks.

    >>> expected_ranks({"a": {1: Fraction(1, 3), 2: Fraction(2, 3)}})
    {'a': Fraction(5, 3)}
    """
    return {name: sum(rank * probability for rank, probability in ranks.items()) for name, ranks in found.items()}


class Structure(NamedTuple):
    """What an order is like as a whole.

    :param classes: how many there are, n
    :param comparable: the pairs of which one class is below the other
    :param incomparable: all other pairs
    :param height: the classes of the longest chain
    :param width: the classes of the largest antichain, of which none is below another
    """

    classes: int
    comparable: int
    incomparable: int
    height: int
    width: int

    @property
    def stability(self) -> Fraction:
        """The share of incomparable pairs, ``2U/(n(n - 1))``: 0 for a chain, 1 for an antichain.

        This is the stability P(IB) of the Hasse diagram technique (Brüggemann & Patil 2011, Ranking and Prioritization
        for Multi-indicator Systems): the nearer to 1, the less a further criterion can change; the nearer to 0, the
        less is left open.  1 less this is the share of comparable pairs.  For one class it is 0.
        """
        return Fraction(self.incomparable, max(1, self.comparable + self.incomparable))


def structure(order: Order, *, classes: Iterable[Hashable] | None = None) -> Structure:
    """Return the numbers of pairs, the height and the width of an order.

    The width is n less the size of a largest matching of classes to classes above them (Dilworth 1950; Fulkerson 1956).

    >>> found = structure([("a", "c"), ("b", "c"), ("b", "d")])
    >>> found, str(found.stability)
    (Structure(classes=4, comparable=3, incomparable=3, height=2, width=2), '1/2')
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    checked = poset(order, classes)
    size, over = len(checked), bit_matrix(checked.closure.above)
    matched = maximum_bipartite_matching(csr_array(over.astype(np.int8)), perm_type="column")
    comparable = int(over.sum())
    width = size - int((matched >= 0).sum())
    return Structure(size, comparable, size * (size - 1) // 2 - comparable, len(checked.levels), width)


def _checked(order: Order, method: object, classes: Iterable[Hashable] | None) -> Poset:
    if not isinstance(method, str):
        raise InputError(f"method={shown(method)} is no text: pass one of {', '.join(WAYS)}")
    if method not in WAYS:
        raise UnknownNameError("method", method, WAYS)
    return poset(order, classes)


# -- Linear extensions of the whole, counted by rank and by pair, from those of its parts ------------------------------


class _Counted(NamedTuple):
    """A part of an order with its linear extensions; elements as in the tally, in a sequence of their own."""

    members: tuple[int, ...]
    tally: Tally


def tally_of(order: Poset, max_ideals: int = MAX_IDEALS, *, pairs: bool = False) -> Tally:
    """Return how many linear extensions an order has, all, by rank and by pair, in the sequence of its classes.

    :raises InputError: if it has more ideals

    >>> tally_of(poset([], classes=range(3))).at.tolist()
    [[2, 2, 2], [2, 2, 2], [2, 2, 2]]
    """
    parts = decompose(order.closure)
    leaves = count_parts(order, parts, max_ideals, pairs=pairs)
    counted: dict[int, _Counted] = {}
    for place in reversed(range(len(parts))):
        part = parts[place]
        inner = [counted.pop(at) for at in part.parts]
        counted[place] = _joined(part, inner, pairs) if inner else _Counted(part.members, leaves[place])
    members, tally = counted[0]
    back = np.argsort(members)
    over = None if tally.above is None else tally.above[np.ix_(back, back)]
    return Tally(tally.extensions, tally.at[back], over)


def _joined(part: Part, inner: Sequence[_Counted], pairs: bool) -> _Counted:
    """Return the linear extensions of a part from those of the parts that it splits into."""
    tallies = [each.tally for each in inner]
    sizes = [len(each.members) for each in inner]
    size = sum(sizes)
    # Unrelated parts interleave freely.
    mixed = 1 if part.is_stacked else factorial(size) // prod(map(factorial, sizes))
    extensions = mixed * prod(tally.extensions for tally in tallies)
    at, over = np.zeros((2, size, size), dtype=object)
    ends = np.cumsum([0, *sizes]).tolist()
    spans = [slice(*span) for span in pairwise(ends)]
    for number, (tally, span) in enumerate(zip(tallies, spans, strict=True)):
        if part.is_stacked:
            at[span, span] = tally.at * (extensions // tally.extensions)
            over[span, : span.start] = extensions
        else:
            ways = comb(size, sizes[number]) * tally.extensions
            at[span] = tally.at @ _shuffled(sizes[number], size) * (extensions // ways)
        if tally.above is None:
            continue
        over[span, span] = tally.above * (extensions // tally.extensions)
        for other, earlier in () if part.is_stacked else zip(tallies[:number], spans[:number], strict=True):
            ways = comb(sizes[number] + len(other.at), sizes[number]) * tally.extensions * other.extensions
            after = tally.at @ _after(sizes[number], len(other.at)) @ other.at.T * (extensions // ways)
            over[span, earlier], over[earlier, span] = after, extensions - after.T
    members = tuple(node for each in inner for node in each.members)
    return _Counted(members, Tally(extensions, at, over if pairs else None))


def _shuffled(size: int, whole: int) -> Whole:
    """Return in how many shuffles of a chain into a sequence its k-th element comes to each place, by k and place.

    >>> _shuffled(2, 3).tolist()
    [[2, 1, 0], [0, 1, 2]]
    """
    places = [[comb(r, k) * comb(whole - 1 - r, size - 1 - k) for r in range(whole)] for k in range(size)]
    return np.array(places, dtype=object)


def _after(size: int, other: int) -> Whole:
    """Return in how many shuffles of two chains the k-th element of the first comes after the l-th of the second.

    >>> _after(1, 2).tolist()
    [[2, 1]]
    """
    # The shuffles by how many elements of the second chain come before the k-th of the first.
    ways = [[comb(k + c, c) * comb(size - 1 - k + other - c, other - c) for c in range(other + 1)] for k in range(size)]
    return np.array([[sum(row[place + 1 :]) for place in range(other)] for row in ways], dtype=object)
