"""Orders are checked, closed and reduced as networkx does it; averaged ranks agree with brute force and with papers."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Hashable, Iterable
from fractions import Fraction
from functools import cache

import networkx as nx
import numpy as np
import pytest
from effort import examples, in_one_test, is_thorough
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import refusal

from symmetrics.posets import (
    METHODS,
    Poset,
    average_ranks,
    exact_ranks,
    fraction_ranks,
    linear_extensions,
    poset,
)
from symmetrics.posets import (
    parts as exact,
)
from symmetrics.posets.counting import estimated_ideals, moduli_for
from symmetrics.testing import orders
from symmetrics.tools.errors import InputError, UnknownNameError

# Branco, Torgo & Ribeiro (2017), figure 1: the classes below E are A and C, above it is D, the others are unrelated.
FIGURE = [("C", "A"), ("A", "E"), ("E", "D"), ("B", "D"), ("G", "F")]
FORK = [("c", "a"), ("c", "b")]
N_SHAPE = [("a", "c"), ("b", "c"), ("b", "d")]


def brute_force(graph: nx.DiGraph) -> tuple[int, dict[Hashable, Fraction]]:
    """Return the number of linear extensions and the mean rank of every node over all of them."""
    count, sums = 0, dict.fromkeys(graph, 0)
    for extension in nx.all_topological_sorts(graph):
        count += 1
        for rank, node in enumerate(extension, start=1):
            sums[node] += rank
    return count, {node: Fraction(total, count) for node, total in sums.items()}


def dominance(size: int, criteria: int, seed: int) -> list[tuple[int, int]]:
    """Return the pairs (a, b) where b is at least as good as a by all of some random criteria."""
    values = np.random.default_rng(seed).random((size, criteria))
    below = (values[:, None] <= values).all(axis=2)
    return [(a, b) for a, b in np.argwhere(below).tolist() if a != b]


def grid(rows: int, columns: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the pairs of neighbours in a grid, each cell below those to its right and above it."""
    cells = itertools.product(range(rows), range(columns))
    return [(cell, after) for cell in cells for after in neighbours(*cell) if after[0] < rows and after[1] < columns]


def neighbours(row: int, column: int) -> list[tuple[int, int]]:
    return [(row + 1, column), (row, column + 1)]


# -- the order ---------------------------------------------------------------------------------------------------------


@given(orders(max_size=10))
def test_order_is_that_of_networkx(graph: nx.DiGraph) -> None:
    order = poset(graph)
    assert list(order) == list(order.nodes) == list(graph)
    assert len(order) == len(graph)
    for node in graph:
        below, above = nx.ancestors(graph, node), nx.descendants(graph, node)
        assert order.below(node) == below
        assert order.above(node) == above
        assert order.incomparable(node) == set(graph) - below - above - {node}
        assert node in order
    reduced = nx.transitive_reduction(graph)
    assert set(order.reduction) == set(reduced.edges)
    assert len(order.reduction) == reduced.number_of_edges()
    assert set(order.graph.edges) == set(reduced.edges)
    generations = {node: level for level, nodes in enumerate(nx.topological_generations(graph)) for node in nodes}
    assert {node: level for level, nodes in enumerate(order.levels) for node in nodes} == generations


@given(orders())
def test_order_is_a_value(graph: nx.DiGraph) -> None:
    order = poset(graph)
    closed = poset(list(nx.transitive_closure_dag(graph).edges), classes=sorted(graph))
    assert order == closed
    assert hash(order) == hash(closed)
    assert poset(order) is order
    if order.reduction:
        assert order != poset(list(order.reduction[1:]), classes=order.nodes)


def test_order_takes_pairs_graphs_arrays_and_orders() -> None:
    order = poset(FORK)
    assert order == poset(nx.DiGraph(FORK)) == poset(order, classes=["b", "a", "c"]) == poset(iter(FORK))
    assert poset([[1, 2], [1, 3]]) == poset(np.array([[1, 2], [1, 3]]))
    assert poset(order, classes=["d", "a", "b", "c"]).nodes == ("d", "a", "b", "c")
    assert poset([], classes=["x"]).levels == (("x",),)
    assert poset([((0, 1), None.__class__)]).nodes == ((0, 1), type(None))
    assert "d" not in order
    assert ["a"] not in order
    assert repr(order) == "<Poset: 3 classes, 2 covers, 2 levels>"


def test_order_cannot_be_changed() -> None:
    order = poset(FORK)
    with pytest.raises(AttributeError):
        order.nodes = ()  # type: ignore[misc]
    with pytest.raises(nx.NetworkXError):
        order.graph.add_edge("a", "b")


@in_one_test
@pytest.mark.parametrize(
    ("order", "classes", "parts"),
    [
        ([("a", "b"), ("b", "c"), ("c", "a"), ("x", "a")], None, ["a < b < c < a"]),
        ([("x", "b"), ("b", "x")], None, ["x < b < x"]),
        ([("a", "b"), ("b", "b")], None, ["(b, b)", "itself"]),
        ([("a", "b"), ("c", "d"), ("a", "b")], None, ["(a, b)", "twice"]),
        ([("a", "b")], ["a", "c"], ["class b", "(a, b)", "a, c"]),
        (nx.DiGraph([("a", "b")]), ["b"], ["class a", "(a, b)"]),
        (poset([], classes=["a", "b"]), ["b"], ["class a"]),
        ([("a", "b")], ["a", "b", "a"], ["class a", "twice"]),
        ([("a", "b"), ("a", "b", "c")], None, ["entry 1", "('a', 'b', 'c')"]),
        (["ab"], None, ["entry 0", "ab", "no pair"]),
        ([5], None, ["entry 0", "5"]),
        ("ab", None, ["ab", "no order"]),
        (7, None, ["7", "no order"]),
        ([("a", "b")], "ab", ["classes is ab"]),
        ([("a", "b")], 3, ["classes is 3"]),
        ([], None, ["no class"]),
        (nx.DiGraph(), None, ["no class"]),
        (nx.Graph([("a", "b")]), None, ["undirected"]),
        (nx.MultiDiGraph([("a", "b"), ("a", "b")]), None, ["(a, b)", "twice"]),
        ([(["a"], "b")], None, ["hashed"]),
        ([("a", "b")], [["a"], "b"], ["hashed"]),
        ([(None, "b")], None, ["None"]),
        ([(math.nan, "b")], None, ["nan"]),
        ([("two\nlines", "two\nlines")], None, ["two\\nlines"]),
    ],
)
def test_what_is_no_order_is_refused_by_name(
    order: Iterable[tuple[str, str]], classes: Iterable[str] | None, parts: list[str]
) -> None:
    message = refusal(lambda: poset(order, classes))
    for part in parts:
        assert part in message


def test_long_cycle_is_shortened() -> None:
    message = refusal(lambda: poset([(i, (i + 1) % 500) for i in range(500)]))
    assert "0 < 1 < 2" in message
    assert "499 < 0" in message
    assert len(message) < 200


@given(orders(), st.data())
def test_a_cycle_is_listed_as_it_is(graph: nx.DiGraph, data: st.DataObject) -> None:
    closed = sorted(nx.transitive_closure_dag(graph).edges)
    if not closed:
        return
    lower, upper = data.draw(st.sampled_from(closed))
    pairs = [*graph.edges, (upper, lower)]
    message = refusal(lambda: poset(pairs))
    cycle = [int(name) for name in message.split("cycle ")[1].split(":")[0].split(" < ")]
    assert cycle[0] == cycle[-1]
    assert len(set(cycle)) == len(cycle) - 1
    assert all(pair in pairs for pair in itertools.pairwise(cycle))


def test_unknown_class_and_method_are_refused() -> None:
    order = poset(FORK)
    for ask in (order.below, order.above, order.incomparable):
        assert "d is not a class" in refusal(lambda ask=ask: ask("d"))
        assert "['a']" in refusal(lambda ask=ask: ask(["a"]))
    with pytest.raises(UnknownNameError, match="lpom"):
        average_ranks(FORK, "lpomm")
    assert "method=None" in refusal(lambda: average_ranks(FORK, None))  # type: ignore[arg-type]


# -- ranks by formulas -------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("order", "method", "ranks"),
    [
        (FORK, "midpoint", {"a": 2.5, "b": 2.5, "c": 1}),
        (FORK, "lpom", {"a": 8 / 3, "b": 8 / 3, "c": 1}),
        (FORK, "lpom_ext", {"a": 2.5, "b": 2.5, "c": 1}),
        (FORK, "exact", {"a": 2.5, "b": 2.5, "c": 1}),
        # Of a, S = {}, P = {c} and U = {b, d}: b is incomparable with none of S and P, which makes a share of 1/2; d
        # is incomparable with c, which makes one of 1/3.
        (N_SHAPE, "midpoint", {"a": 2, "b": 1.5, "c": 3.5, "d": 3}),
        (N_SHAPE, "lpom", {"a": 5 / 3, "b": 5 / 4, "c": 15 / 4, "d": 10 / 3}),
        (N_SHAPE, "lpom_ext", {"a": 11 / 6, "b": 4 / 3, "c": 11 / 3, "d": 19 / 6}),
        # The linear extensions are abcd, abdc, bacd, badc, bdac.
        (N_SHAPE, "exact", {"a": 9 / 5, "b": 7 / 5, "c": 18 / 5, "d": 16 / 5}),
        (FIGURE, "midpoint", {"C": 2.5, "A": 3.5, "E": 4.5, "D": 6, "B": 3.5, "G": 3.5, "F": 4.5}),
    ],
)
def test_ranks_worked_by_hand(order: list[tuple[str, str]], method: str, ranks: dict[str, float]) -> None:
    assert average_ranks(order, method) == pytest.approx(ranks, abs=1e-12)


@pytest.mark.parametrize(("method", "relevance"), [("midpoint", 0.4), ("lpom", 0.375), ("exact", 0.4)])
def test_relevance_of_the_fork(method: str, relevance: float) -> None:
    ranks = average_ranks(FORK, method)
    assert ranks["c"] / max(ranks.values()) == pytest.approx(relevance, abs=1e-15)


@given(orders())
def test_extended_model_is_its_formula(graph: nx.DiGraph) -> None:
    order = poset(graph)
    expected = {}
    for x in order:
        rank = Fraction(len(order.below(x)) + 1)
        for y in order.incomparable(x):
            lower = len((order.below(x) | {x}) & order.incomparable(y))
            upper = len((order.above(x) | {x}) & order.incomparable(y))
            rank += Fraction(lower, lower + upper)
        expected[x] = float(rank)
    assert average_ranks(order, "lpom_ext") == pytest.approx(expected, abs=1e-12)


def test_extended_model_is_closer_to_the_exact_ranks_than_the_local_one() -> None:
    """Brüggemann & Carlsen (2011) propose it for that; here on random orders of 12 classes by 2 and 3 criteria."""
    errors = {"lpom": [], "lpom_ext": []}  # type: dict[str, list[float]]
    for seed in range(20):
        order = poset(dominance(12, 2 + seed % 2, seed), range(12))
        exact = average_ranks(order, "exact")
        for method, found in errors.items():
            ranks = average_ranks(order, method)
            found.append(float(np.mean([abs(ranks[node] - exact[node]) for node in order])))
    assert np.mean(errors["lpom_ext"]) < 0.7 * np.mean(errors["lpom"])
    assert max(errors["lpom_ext"]) < 1


# -- exact ranks -------------------------------------------------------------------------------------------------------


@settings(max_examples=examples(60))
@given(orders())
def test_exact_ranks_are_those_of_brute_force(graph: nx.DiGraph) -> None:
    count, ranks = brute_force(graph)
    assert linear_extensions(graph) == count
    assert exact_ranks(graph) == ranks
    assert list(exact_ranks(graph)) == list(graph)


@in_one_test
@pytest.mark.parametrize(
    ("order", "classes", "count"),
    [
        # Zigzags: the Euler numbers, OEIS A000111.
        ([(i, i + 1) if i % 2 else (i + 1, i) for i in range(19)], None, 370371188237525),
        # Two chains of m: the central binomial coefficients.
        ([(k, k + 2) for k in range(78)], range(80), math.comb(80, 40)),
        # Subsets of 4 elements by inclusion, OEIS A046873.
        ([(a, b) for a in range(16) for b in range(16) if a != b and a & b == a], None, 1680384),
        # A grid of 2 x n: the Catalan numbers; one of 4 x 4: standard Young tableaux, OEIS A039622.
        (grid(2, 20), None, math.comb(40, 20) // 21),
        (grid(4, 4), None, 24024),
        ([], range(70), math.factorial(70)),
        ([(i, i + 1) for i in range(1500)], None, 1),
    ],
)
def test_known_numbers_of_linear_extensions(
    order: Iterable[tuple[Hashable, Hashable]], classes: Iterable[int] | None, count: int
) -> None:
    assert linear_extensions(order, classes=classes) == count


def two_linked_chains(length: int, links: dict[int, int]) -> list[tuple[tuple[str, int], tuple[str, int]]]:
    """Return two chains, x and y, with element i of x below element links[i] of y."""
    chains = [((name, i), (name, i + 1)) for name in "xy" for i in range(length - 1)]
    return [*chains, *((("x", i), ("y", j)) for i, j in links.items())]


@pytest.mark.parametrize("length", [5, 40, 70])
def test_orders_of_more_classes_than_bits_of_a_word(length: int) -> None:
    """Linear extensions of two chains are paths in a grid; a link forbids some of its corners."""
    links = {2: 1, length // 2: length // 2 + 1, length - 2: length - 1}
    paths = {(0, 0): 1}
    for i, j in itertools.product(range(length + 1), repeat=2):
        if (i, j) != (0, 0):
            allowed = all(j <= upper or i > lower for lower, upper in links.items())
            paths[i, j] = allowed * (paths.get((i - 1, j), 0) + paths.get((i, j - 1), 0))
    order = two_linked_chains(length, links)
    assert linear_extensions(order) == paths[length, length]
    ranks = exact_ranks(order)
    assert sum(ranks.values()) == length * (2 * length + 1)
    assert all(ranks[lower] < ranks[upper] for lower, upper in order)


def test_large_counts_agree_with_a_count_over_sets() -> None:
    """An independent program: ideals as Python sets, counts as Python integers, on orders whose counts pass 2^64."""
    order = poset(dominance(26, 2, 3), range(26))
    below = {node: order.below(node) for node in order}
    up: list[dict[frozenset[Hashable], int]] = [{frozenset(): 1}]
    for _ in order:
        level: dict[frozenset[Hashable], int] = {}
        for ideal, count in up[-1].items():
            for node in order:
                if node not in ideal and below[node] <= ideal:
                    level[ideal | {node}] = level.get(ideal | {node}, 0) + count
        up.append(level)
    total = up[-1][frozenset(order)]
    down, sums = {frozenset(order): 1}, dict.fromkeys(order, 0)
    for rank in range(len(order), 0, -1):
        lower = dict.fromkeys(up[rank - 1], 0)
        for ideal in lower:
            for node in order:
                if node not in ideal and ideal | {node} in down:
                    lower[ideal] += down[ideal | {node}]
                    sums[node] += rank * up[rank - 1][ideal] * down[ideal | {node}]
        down = lower
    assert total > 2**40
    assert linear_extensions(order) == total
    assert exact_ranks(order) == {node: Fraction(number, total) for node, number in sums.items()}


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("size", "criteria", "budget", "parts"),
    [
        (40, 5, None, ["classes", "ideals", "GiB", "mcmc", "lpom_ext", "max_ideals"]),
        (400, 4, None, ["more than", "more memory and time than there is"]),
        (20, 2, 50, ["about", "MiB", "max_ideals=50"]),
    ],
)
def test_what_is_too_large_is_refused_with_its_cost(
    size: int, criteria: int, budget: int | None, parts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    once = cache(estimated_ideals)  # the same for all of the functions, which take longer to estimate than to refuse
    monkeypatch.setattr(exact, "estimated_ideals", lambda below, above: once(tuple(below), tuple(above)))
    order = poset(dominance(size, criteria, 0), range(size))
    options = {} if budget is None else {"max_ideals": budget}
    for call in (exact_ranks, linear_extensions):
        message = refusal(lambda call=call: call(order, **options))
        assert all(part in message for part in parts), message
    assert "ideals" in refusal(lambda: average_ranks(order, "exact", **options))


def test_budget_counts_the_ideals() -> None:
    """A zigzag of m classes has as many ideals as there are Fibonacci numbers up to F(m + 2)."""
    zigzag = [(i, i + 1) if i % 2 else (i + 1, i) for i in range(15)]
    ideals = 2584
    assert linear_extensions(zigzag, max_ideals=2 * ideals) > 0
    refusal(lambda: linear_extensions(zigzag, max_ideals=ideals // 2))
    below = [0] * 16
    for lower, upper in zigzag:
        below[upper] |= 1 << lower
    order = sorted(range(16), key=lambda node: below[node])
    rows = [sum(1 << order.index(lower) for lower in range(16) if below[node] >> lower & 1) for node in order]
    columns = [sum(1 << upper for upper in range(16) if rows[upper] >> node & 1) for node in range(16)]
    assert estimated_ideals(rows, columns) == pytest.approx(ideals, rel=0.2)


@pytest.mark.parametrize("chains", [[1] * 200, [3, 2], [40] * 20])
def test_moduli_suffice_and_have_no_common_factors(chains: list[int]) -> None:
    moduli, size = moduli_for(chains), sum(chains)
    assert math.prod(moduli) > math.factorial(size) // math.prod(map(math.factorial, chains))
    assert all(math.gcd(a, b) == 1 for a, b in itertools.combinations(moduli, 2))
    assert max(moduli) < 2**31


@in_one_test
@pytest.mark.parametrize("budget", [0, -1, 2.5, True, "many", None])
def test_a_budget_is_a_positive_whole_number(budget: object) -> None:
    assert "max_ideals" in refusal(lambda: exact_ranks(FORK, max_ideals=budget))  # type: ignore[arg-type]


# -- laws --------------------------------------------------------------------------------------------------------------

FORMULAS = [method for method in METHODS if method != "mcmc"]


@pytest.mark.parametrize("method", FORMULAS)
@given(graph=orders())
def test_total_orders_keep_their_ranks_and_ranks_their_bounds(method: str, graph: nx.DiGraph) -> None:
    sequence = list(graph)
    assert average_ranks(list(itertools.pairwise(sequence)), method, classes=sequence) == {
        node: rank for rank, node in enumerate(sequence, start=1)
    }
    order = poset(graph)
    for node, rank in average_ranks(order, method).items():
        assert len(order.below(node)) + 1 <= rank * (1 + 1e-12)
        assert rank * (1 - 1e-12) <= len(order) - len(order.above(node))


@pytest.mark.parametrize("method", ["midpoint", "loof1", "loof2", "exact"])
@given(graph=orders())
def test_ranks_add_up(method: str, graph: nx.DiGraph) -> None:
    size = len(graph)
    assert sum(average_ranks(graph, method).values()) == pytest.approx(size * (size + 1) / 2, rel=1e-14)


@pytest.mark.parametrize("method", FORMULAS)
@given(graph=orders())
def test_reversal_reverses_ranks(method: str, graph: nx.DiGraph) -> None:
    ranks, reverse = average_ranks(graph, method), average_ranks(graph.reverse(), method)
    assert reverse == pytest.approx({node: len(graph) + 1 - rank for node, rank in ranks.items()}, abs=1e-12)


@pytest.mark.parametrize("method", FORMULAS)
@given(graph=orders())
def test_ranks_rise_with_the_order(method: str, graph: nx.DiGraph) -> None:
    ranks = average_ranks(graph, method)
    for lower, upper in nx.transitive_closure_dag(graph).edges:
        assert ranks[lower] < ranks[upper]


@pytest.mark.parametrize("method", FORMULAS)
@given(graph=orders(), data=st.data())
def test_ranks_go_along_with_the_names(method: str, graph: nx.DiGraph, data: st.DataObject) -> None:
    """To the last bit, so that classes of the same relations have the same rank."""
    names = dict(zip(graph, data.draw(st.permutations([f"class {node}" for node in graph])), strict=True))
    shuffled = data.draw(st.permutations([(names[a], names[b]) for a, b in graph.edges]))
    ranks = average_ranks(graph, method)
    renamed = average_ranks(shuffled, method, classes=sorted(names.values()))
    assert renamed == {names[node]: rank for node, rank in ranks.items()}


@pytest.mark.parametrize("method", FORMULAS)
@given(graph=orders(max_size=5))
def test_classes_of_the_same_relations_have_the_same_rank(method: str, graph: nx.DiGraph) -> None:
    twice = nx.disjoint_union(graph, graph)
    ranks = average_ranks(twice, method)
    size = len(graph)
    assert all(ranks[node] == ranks[node + size] for node in range(size))


@given(orders(max_size=5), orders(max_size=4))
def test_parts_combine(first: nx.DiGraph, second: nx.DiGraph) -> None:
    """Side by side linear extensions interleave; one above the other they follow each other."""
    both = nx.disjoint_union(first, second)
    counts = linear_extensions(first) * linear_extensions(second)
    assert linear_extensions(both) == counts * math.comb(len(both), len(first))
    both.add_edges_from(itertools.product(range(len(first)), range(len(first), len(both))))
    assert linear_extensions(both) == counts
    ranks = list(exact_ranks(both).values())
    assert ranks == [*exact_ranks(first).values(), *(len(first) + rank for rank in exact_ranks(second).values())]


def test_deeply_nested_parts() -> None:
    """Each step puts a class beside all earlier ones and another above them: no recursion is deep enough for that."""
    pairs = [(j, i) for i in range(1, 300, 2) for j in range(i)]
    ranks = exact_ranks(pairs, classes=range(300))
    assert ranks[299] == 300
    assert sum(ranks.values()) == 300 * 301 // 2


@pytest.mark.thorough
def test_large_orders_are_closed_and_reduced() -> None:
    """A random order of 1000 classes, against the reachability of networkx on a sample."""
    generator = random.Random(5)
    sequence = generator.sample(range(1000), 1000)
    pairs = {tuple(sorted(generator.sample(range(1000), 2))) for _ in range(8000)}
    graph = nx.DiGraph([(sequence[a], sequence[b]) for a, b in pairs])
    order = poset(graph)
    for node in generator.sample(list(order), 20):
        assert order.below(node) == nx.ancestors(graph, node)
        assert order.above(node) == nx.descendants(graph, node)
    assert isinstance(order, Poset)
    assert set(order.reduction) <= set(graph.edges)
    assert nx.transitive_closure_dag(order.graph).number_of_edges() == sum(len(order.below(node)) for node in order)


def test_errors_are_input_errors() -> None:
    with pytest.raises(InputError):
        poset([("a", "a")])


@settings(max_examples=examples(60), deadline=None)
@given(orders())
def test_ranks_as_fractions_are_the_ranks(order: nx.DiGraph) -> None:
    for method in ("midpoint", "lpom", "lpom_ext", "exact"):
        ranks = average_ranks(order, method)
        for node, rank in fraction_ranks(order, method).items():
            assert math.isclose(rank, ranks[node], rel_tol=1e-14)
    with pytest.raises(InputError, match="estimates ranks"):
        fraction_ranks(order, "mcmc")
    for method in (None, ["exact"], 3):
        with pytest.raises(InputError, match="is no text"):
            fraction_ranks(order, method)  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError):
        fraction_ranks(order, "mean")


@given(orders())
def test_extended_fractions_are_their_formula(graph: nx.DiGraph) -> None:
    order = poset(graph)
    expected = {}
    for x in order:
        shares = [
            Fraction(
                len((order.below(x) | {x}) & order.incomparable(y)),
                len((order.below(x) | order.above(x)) & order.incomparable(y)) + 2,
            )
            for y in order.incomparable(x)
        ]
        expected[x] = len(order.below(x)) + 1 + sum(shares)
    assert fraction_ranks(order, "lpom_ext") == expected


def test_fractions_of_a_large_order_are_its_ranks() -> None:
    """The work is cubic in the classes, on bit sets."""
    size = 600 if is_thorough() else 200
    order = poset(dominance(size, 3, 1), range(size))
    for method in ("midpoint", "lpom", "lpom_ext"):
        fractions = fraction_ranks(order, method)
        ranks = average_ranks(order, method)
        assert list(fractions) == list(ranks)
        assert all(math.isclose(fractions[node], ranks[node], rel_tol=1e-13) for node in order)


def test_ranks_of_a_random_walk_are_near_the_exact_ones() -> None:
    order = poset(dominance(8, 2, 4), range(8))
    exact = average_ranks(order, "exact")
    found = average_ranks(order, "mcmc", seed=7)
    assert found == pytest.approx(exact, abs=0.15)
    assert found == average_ranks(order, "mcmc", seed=7)
    assert found != average_ranks(order, "mcmc", seed=8)
    assert sum(found.values()) == pytest.approx(36)
