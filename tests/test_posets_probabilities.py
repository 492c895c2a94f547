"""Probabilities of ranks and pairs: the listing of all linear extensions, published digits, and the random walk."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from effort import examples, in_one_test, is_thorough
from hypothesis import given, settings
from shared import refusal

from symmetrics.posets import (
    Poset,
    above,
    average_ranks,
    exact_ranks,
    expected_ranks,
    fraction_ranks,
    linear_extensions,
    mcmc_probabilities,
    poset,
    rank_distribution,
    rank_intervals,
    structure,
)
from symmetrics.testing import orders
from symmetrics.tools.errors import UnknownNameError
from tests.test_posets import FORK, N_SHAPE, dominance, two_linked_chains

# -- every linear extension, listed ------------------------------------------------------------------------------------


def listed(graph: nx.DiGraph) -> tuple[dict[Hashable, dict[int, Fraction]], dict[tuple[Hashable, Hashable], Fraction]]:
    """Return the shares of ranks that occur, and of pairs, over a list of all linear extensions."""
    extensions = [
        {node: rank for rank, node in enumerate(extension, start=1)} for extension in nx.all_topological_sorts(graph)
    ]
    number = len(extensions)
    ranks: dict[Hashable, dict[int, Fraction]] = {}
    for node in graph:
        found = [extension[node] for extension in extensions]
        ranks[node] = {rank: Fraction(found.count(rank), number) for rank in sorted(set(found))}
    pairs = {
        (a, b): Fraction(sum(extension[a] > extension[b] for extension in extensions), number)
        for a, b in itertools.permutations(graph, 2)
    }
    return ranks, pairs


def all_orders(size: int) -> list[nx.DiGraph]:
    """Return the orders of so many classes up to isomorphism, closed: a maximal class is added in all ways."""
    if size == 0:
        return [nx.DiGraph()]
    found: dict[Hashable, list[nx.DiGraph]] = {}
    for smaller in all_orders(size - 1):
        for ideal in ideals_of(smaller):
            graph = smaller.copy()
            graph.add_node(size - 1)
            graph.add_edges_from((node, size - 1) for node in ideal)
            degrees = {node: (graph.in_degree(node), graph.out_degree(node)) for node in graph}
            key = tuple(sorted((degrees[node], *sorted(map(degrees.__getitem__, graph[node]))) for node in graph))
            same = found.setdefault(key, [])
            if not any(nx.is_isomorphic(graph, other) for other in same):
                same.append(graph)
    return [graph for same in found.values() for graph in same]


def ideals_of(closed: nx.DiGraph) -> Iterator[tuple[Hashable, ...]]:
    for number in range(len(closed) + 1):
        for chosen in itertools.combinations(closed, number):
            if all(set(closed.predecessors(node)) <= set(chosen) for node in chosen):
                yield chosen


def assert_as_listed(graph: nx.DiGraph) -> None:
    order = poset(graph)
    ranks, pairs = listed(graph)
    assert rank_distribution(order) == ranks
    assert above(order) == pairs
    assert rank_intervals(order) == {node: (min(row), max(row)) for node, row in ranks.items()}
    assert expected_ranks(ranks) == exact_ranks(order)


@pytest.mark.parametrize(("size", "number"), [(1, 1), (2, 2), (3, 5), (4, 16), (5, 63)])
def test_all_small_orders(size: int, number: int) -> None:
    """Their numbers are those of OEIS A000112."""
    every = all_orders(size)
    assert len(every) == number
    for graph in every:
        assert_as_listed(graph)


@pytest.mark.thorough
@pytest.mark.parametrize(("size", "number"), [(6, 318), (7, 2045)])
def test_all_orders_of_six_and_seven(size: int, number: int) -> None:
    every = all_orders(size)
    assert len(every) == number
    for graph in every:
        assert_as_listed(graph)


@settings(max_examples=examples(200), deadline=None)
@given(orders(max_size=7))
def test_random_orders(graph: nx.DiGraph) -> None:
    assert_as_listed(graph)


@settings(max_examples=examples(100), deadline=None)
@given(orders(max_size=12))
def test_probabilities_are_consistent(graph: nx.DiGraph) -> None:
    order, size = poset(graph), len(graph)
    ranks, pairs = rank_distribution(order), above(order)
    for node in order:
        low, high = rank_intervals(order)[node]
        assert list(ranks[node]) == list(range(low, high + 1))
        assert sum(ranks[node].values()) == 1
        assert min(ranks[node].values()) > 0
        # One more than the expected number of classes below it.
        assert exact_ranks(order)[node] == 1 + sum(pairs[node, other] for other in order if other != node)
    for rank in range(1, size + 1):
        assert sum(row.get(rank, 0) for row in ranks.values()) == 1
    for a, b in itertools.permutations(order, 2):
        assert pairs[a, b] + pairs[b, a] == 1
        assert (pairs[a, b] == 1) == (b in order.below(a))


@pytest.mark.parametrize("length", [12, 40])
def test_orders_of_more_classes_than_bits_of_a_word(length: int) -> None:
    """Two linked chains of 80: paths in a grid that pass or do not pass a point."""
    links = {2: 1, length // 2: length // 2 + 1}
    allowed = {
        (i, j): all(j <= upper or i > lower for lower, upper in links.items())
        for i, j in itertools.product(range(length + 1), repeat=2)
    }
    up, down = {(0, 0): 1}, {(length, length): 1}
    for point in sorted(allowed):
        if point != (0, 0):
            up[point] = allowed[point] * (up.get((point[0] - 1, point[1]), 0) + up.get((point[0], point[1] - 1), 0))
    for i, j in sorted(allowed, reverse=True):
        if (i, j) != (length, length):
            down[i, j] = allowed[i, j] * (down.get((i + 1, j), 0) + down.get((i, j + 1), 0))
    total = up[length, length]
    order = poset(two_linked_chains(length, links))
    assert linear_extensions(order) == total
    found = above(order)
    for i, j in [(0, 0), (3, 5), (length - 1, 0), (length // 2, length // 2)]:
        # Of all paths, those that step over x_i when more than j of the y are already there.
        after = sum(up[i, c] * down[i + 1, c] for c in range(j + 1, length + 1) if allowed[i + 1, c])
        assert found[("x", i), ("y", j)] == Fraction(after, total)


def test_parts_of_parts() -> None:
    """Unrelated parts of stacked parts of unrelated parts, entangled ones among them."""
    zigzag = [("n0", "n2"), ("n1", "n2"), ("n1", "n3")]
    pairs = [*zigzag, *((f"n{i}", "top") for i in range(4)), ("p", "q"), ("p", "r")]
    assert_as_listed(poset(pairs, [*"pqr", "n3", "n1", "n0", "n2", "top"]).graph)
    assert above([], classes=range(40))[3, 7] == Fraction(1, 2)
    deep = [(j, i) for i in range(1, 30, 2) for j in range(i)]
    assert expected_ranks(rank_distribution(deep, classes=range(30))) == exact_ranks(deep, classes=range(30))


@in_one_test
@pytest.mark.parametrize("ask", [above, rank_distribution])
def test_bad_questions(ask: object) -> None:
    assert callable(ask)
    with pytest.raises(UnknownNameError, match="exact, mcmc"):
        ask(FORK, "midpoint")
    assert "method=None is no text" in refusal(lambda: ask(FORK, None))
    assert "max_ideals=50" in refusal(lambda: ask(dominance(20, 2, 0), max_ideals=50))
    assert "cycle" in refusal(lambda: ask([("a", "b"), ("b", "a")]))


# -- published digits --------------------------------------------------------------------------------------------------


def neighbourhoods(graph: nx.Graph) -> Poset:
    """Return the order of nodes by inclusion of neighbourhoods: u is below v where N(u) is part of N[v]."""
    near = {node: set(graph[node]) for node in graph}
    pairs = [(u, v) for u, v in itertools.permutations(graph, 2) if near[u] <= near[v] | {v}]
    return poset(pairs, list(graph))


FLORENCE = {
    "Medici": 11.09,
    "Albizzi": 10.72,
    "Strozzi": 10.67,
    "Salviati": 10.60,
    "Guadagni": 10.51,
    "Tornabuoni": 10.11,
    "Bischeri": 9.64,
    "Barbadori": 9.37,
    "Ridolfi": 9.37,
    "Castellani": 8.00,
    "Peruzzi": 5.33,
    "Pazzi": 4.54,
    "Ginori": 4.01,
    "Lamberteschi": 3.28,
    "Acciaiuoli": 2.74,
}


def test_florentine_families() -> None:
    """The article "Use Case: Florentine Families" of the R package netrankr 1.2.4 (Schoch), to its printed digits."""
    order = neighbourhoods(nx.florentine_families_graph())
    assert linear_extensions(order) == 3_972_630_480
    found = structure(order)
    assert round(float(1 - found.stability), 6) == 0.152381
    assert found.comparable == 16
    ranks, pairs = rank_distribution(order), above(order)
    assert {name: round(float(rank), 2) for name, rank in expected_ranks(ranks).items()} == FLORENCE
    highest = {name: float(row[15]) for name, row in ranks.items() if row.get(15, 0) > 0.1}
    assert {name: round(share, 3) for name, share in highest.items()} == {
        "Albizzi": 0.109,
        "Guadagni": 0.106,
        "Medici": 0.123,
        "Salviati": 0.111,
        "Strozzi": 0.133,
    }
    assert round(float(pairs["Medici", "Strozzi"]), 7) == 0.5219845
    # "The Castellan family neither dominates nor is dominated", so that it may have any rank.
    assert rank_intervals(order)["Castellani"] == (1, 15)


def test_florentine_families_by_sorted_distances() -> None:
    """The same article: by distances in ascending order, 654 rankings, the Medici highest and the Pazzi lowest."""
    graph = nx.florentine_families_graph()
    lengths = {node: sorted(found.values()) for node, found in nx.all_pairs_shortest_path_length(graph)}
    pairs = [
        (u, v)
        for u, v in itertools.permutations(graph, 2)
        if lengths[u] != lengths[v] and all(a >= b for a, b in zip(lengths[u], lengths[v], strict=True))
    ]
    # netrankr takes equal rows for one, which has both ranks in each ranking.
    distinct = {tuple(found): node for node, found in lengths.items()}
    kept = set(distinct.values())
    order = poset([(u, v) for u, v in pairs if {u, v} <= kept], [node for node in graph if node in kept])
    assert linear_extensions(order) == 654
    assert rank_intervals(order)["Medici"] == (len(kept), len(kept))
    assert rank_intervals(order)["Pazzi"] == (1, 1)


DBCES = "AK BD CE CK DH EI EK FG FH FJ FK GI GJ GK HI HJ IJ"
AT_RANKS = """
A 0.54545455 0.27272727 0.12121212 0.04545455 0.01298701 0.002164502 0 0 0 0 0
B 0.27272727 0.21818182 0.16969697 0.12727273 0.09090909 0.060606061 0.03636364 0.01818182 0.006060606 0 0
C 0 0.16363636 0.21818182 0.20909091 0.16883117 0.119047619 0.07272727 0.03636364 0.012121212 0 0
D 0 0.02727273 0.05151515 0.07272727 0.09090909 0.106060606 0.11818182 0.12727273 0.133333333 0.13636364 0.13636364
E 0 0 0.01818182 0.04545455 0.07532468 0.103463203 0.12727273 0.14545455 0.157575758 0.16363636 0.16363636
"""
PAIRS = """
A 0 0.66666667 1 0.9523810 1 1 1 0.9523810 0.8571429 0.8571429 1
B 0.33333333 0 0.6666667 1 0.9166667 0.8333333 0.8333333 1 0.75 0.75 0.9166667
C 0 0.33333333 0 0.7976190 1 0.75 0.75 0.7976190 0.6428571 0.6428571 1
D 0.04761905 0 0.2023810 0 0.5595238 0.4404762 0.4404762 0.5 0.375 0.375 0.5595238
"""


def test_every_centrality_ranks_another_node_highest() -> None:
    """The article "Probabilistic Centrality" of netrankr: its graph dbces11, to the printed digits.

    Rows of pairs are the probabilities to rank lower than the column.
    """
    graph = nx.Graph()
    graph.add_nodes_from("ABCDEFGHIJK")
    graph.add_edges_from(map(tuple, DBCES.split()))
    order = neighbourhoods(graph)
    assert linear_extensions(order) == 739_200
    ranks, pairs = rank_distribution(order), above(order)
    for line in AT_RANKS.strip().splitlines():
        name, *printed = line.split()
        shares = [float(ranks[name].get(rank, 0)) for rank in range(1, 12)]
        assert shares == pytest.approx([float(value) for value in printed], abs=5.1e-9)
    for line in PAIRS.strip().splitlines():
        name, *printed = line.split()
        for other, value in zip("ABCDEFGHIJK", printed, strict=True):
            assert name == other or float(pairs[other, name]) == pytest.approx(float(value), abs=5.1e-8)
    expected = "1.714286 3.000000 4.285714 7.500000 8.142857 6.857143 6.857143 7.500000 6.000000 6.000000 8.142857"
    assert [f"{float(rank):.6f}" for rank in exact_ranks(order).values()] == expected.split()
    deviations = [
        math.sqrt(sum(float(share) * rank**2 for rank, share in row.items()) - float(mean) ** 2)
        for row, mean in zip(ranks.values(), exact_ranks(order).values(), strict=True)
    ]
    printed_deviations = (
        "0.9583148 1.8973666 1.7249667 2.5396850 2.1599320 2.7217941 2.7217941 2.5396850 3.1622777 3.1622777 2.1599320"
    )
    assert [f"{value:.7f}" for value in deviations] == printed_deviations.split()
    intervals = "1 6, 1 9, 2 9, 2 11, 3 11, 2 11, 2 11, 2 11, 1 11, 1 11, 3 11"
    assert ", ".join(f"{low} {high}" for low, high in rank_intervals(order).values()) == intervals


FIVE = [(1, 3), (1, 4), (1, 5), (2, 4), (3, 5)]


@pytest.mark.parametrize(
    ("method", "printed"),
    [
        ("lpom", [1.2, 2.0, 3.0, 4.5, 4.5]),
        ("lpom_ext", [1.250, 2.167, 2.833, 4.333, 4.417]),
        ("loof1", [1.333, 2.143, 2.917, 4.250, 4.357]),
        ("loof2", [1.340, 2.204, 2.910, 4.198, 4.349]),
        ("exact", [1.333, 2.111, 2.889, 4.222, 4.444]),
    ],
)
def test_approximations_to_printed_digits(method: str, printed: list[float]) -> None:
    """The values that netrankr's own tests state for its example of five nodes."""
    ranks = average_ranks(FIVE, method, classes=range(1, 6))
    assert [round(rank, 3) for rank in ranks.values()] == printed
    assert list(ranks.values()) == pytest.approx(
        list(map(float, fraction_ranks(FIVE, method, classes=range(1, 6)).values())), abs=1e-12
    )


def lattice(*grades: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return the order of all combinations of grades of some ordinal variables, by all of them."""
    profiles = list(itertools.product(*map(range, grades)))
    return [(a, b) for a, b in itertools.permutations(profiles, 2) if all(x <= y for x, y in zip(a, b, strict=True))]


@pytest.mark.parametrize(
    ("order", "extensions"),
    [
        ([("A", "B"), ("C", "B"), ("B", "D")], 2),  # MRP.Rd: getlambda(A < B, C < B, B < D)
        (
            [("B", "A"), ("C", "A"), ("D", "B"), ("E", "A"), ("E", "B"), ("F", "C"), ("G", "C")],
            80,
        ),  # equivalences.Rd, by hooks 7!/(7*3*3)
        (lattice(2, 2, 2), 48),  # MRPlex.Rd, parsec-package.Rd
        (lattice(3, 2, 2), 2452),  # average_ranks.Rd
    ],
)
def test_the_orders_of_the_documentation_of_parsec(order: list[tuple[Hashable, Hashable]], extensions: int) -> None:
    """Its manual prints no value of them: they are compared with the listing."""
    assert linear_extensions(order) == extensions
    assert_as_listed(nx.DiGraph(order))


# -- formulas of De Loof, De Baets & De Meyer --------------------------------------------------------------------------


@settings(max_examples=examples(100), deadline=None)
@given(orders())
def test_mutual_models_are_their_formulas(graph: nx.DiGraph) -> None:
    order = poset(graph)
    low = {x: Fraction(len(order.below(x))) for x in order}
    high = {x: Fraction(len(order.above(x))) for x in order}
    for method in ("loof1", "loof2"):

        def lower(y: Hashable, x: Hashable, low: dict = low, high: dict = high) -> Fraction:  # type: ignore[type-arg]
            mine, other = (low[x] + 1) * (high[y] + 1), (low[y] + 1) * (high[x] + 1)
            return mine / (mine + other)

        expected = {x: len(order.below(x)) + 1 + sum(lower(y, x) for y in order.incomparable(x)) for x in order}
        assert fraction_ranks(order, method) == expected
        assert average_ranks(order, method) == pytest.approx(
            {x: float(rank) for x, rank in expected.items()}, abs=1e-12
        )
        low, high = (
            {x: len(order.below(x)) + sum(lower(y, x) for y in order.incomparable(x)) for x in order},
            {x: len(order.above(x)) + sum(lower(x, y) for y in order.incomparable(x)) for x in order},
        )


# -- what an order is like ---------------------------------------------------------------------------------------------


@settings(max_examples=examples(100), deadline=None)
@given(orders())
def test_structure_is_that_of_all_chains_and_antichains(graph: nx.DiGraph) -> None:
    order, closed = poset(graph), nx.transitive_closure_dag(graph)
    found = structure(order)
    assert found.classes == len(graph)
    assert found.comparable == closed.number_of_edges()
    assert found.incomparable == math.comb(len(graph), 2) - found.comparable
    assert found.height == nx.dag_longest_path_length(graph) + 1
    assert found.width == max(map(len, nx.antichains(graph)))
    assert 0 <= found.stability <= 1


def test_structure_of_ends() -> None:
    assert structure([], classes=["x"]).stability == 0
    assert structure([], classes=range(9)) == (9, 0, 36, 1, 9)
    assert structure([(1, 2), (2, 3)]).stability == 0
    assert structure(N_SHAPE).stability == Fraction(1, 2)


# -- the random walk ---------------------------------------------------------------------------------------------------


def test_walk_is_near_the_exact_probabilities() -> None:
    order = poset(dominance(7, 2, 3), range(7))
    pairs, ranks = above(order), rank_distribution(order)
    found = mcmc_probabilities(order, seed=5)
    assert above(order, "mcmc", seed=5) == found.above != above(order, "mcmc", seed=6)
    assert rank_distribution(order, "mcmc", seed=5) == found.ranks
    assert list(found.above) == list(pairs)
    for pair, exact in pairs.items():
        assert (found.above_errors[pair] == 0) == (exact in (0, 1))
        assert abs(found.above[pair] - exact) <= 5 * found.above_errors[pair]
    for node, row in ranks.items():
        assert list(found.ranks[node]) == list(row)
        for rank, exact in row.items():
            assert abs(found.ranks[node][rank] - exact) <= 5 * found.rank_errors[node][rank]
        assert abs(found.expected[node] - exact_ranks(order)[node]) <= 5 * found.expected_errors[node]
    chain = mcmc_probabilities([(0, 1), (1, 2)], draws=4)
    assert chain.ranks == {0: {1: 1.0}, 1: {2: 1.0}, 2: {3: 1.0}}
    assert set(chain.above_errors.values()) == {0.0}
    early = mcmc_probabilities(order, burn_in=0, draws=4)
    assert math.inf in early.above_errors.values()


@pytest.mark.thorough
def test_errors_of_the_walk_hold() -> None:
    """1.96 standard errors hold the exact probability in 95 of 100 walks or more, over pairs and ranks."""
    for order in (poset(N_SHAPE), poset(dominance(6, 2, 1), range(6)), poset([], range(4))):
        pairs, ranks = above(order), rank_distribution(order)
        held, asked = 0, 0
        for seed in range(100):
            found = mcmc_probabilities(order, seed=seed, chains=2, draws=200)
            for pair, exact in pairs.items():
                if found.above_errors[pair]:
                    asked += 1
                    held += abs(found.above[pair] - exact) <= 1.96 * found.above_errors[pair]
            for node, row in ranks.items():
                for rank, exact in row.items():
                    if found.rank_errors[node][rank]:
                        asked += 1
                        held += abs(found.ranks[node][rank] - exact) <= 1.96 * found.rank_errors[node][rank]
        assert held >= 0.95 * asked, (held, asked)


def test_arrays_are_not_larger_than_counts() -> None:
    """Counts beyond 2^64 by rank and by pair, against closed formulas for two chains."""
    length = 60 if is_thorough() else 30
    chains = [(k, k + 2) for k in range(2 * length - 2)]
    order = poset(chains, range(2 * length))
    ranks = rank_distribution(order)
    total = math.comb(2 * length, length)
    assert linear_extensions(order) == total
    middle = length // 2
    for rank, share in ranks[2 * middle].items():
        ways = math.comb(rank - 1, middle) * math.comb(2 * length - rank, length - 1 - middle)
        assert share == Fraction(ways, total)
    assert above(order)[0, 1] == Fraction(1, 2)
    assert np.isclose(float(above(order)[2 * length - 2, 1]), 1, atol=1e-9)
