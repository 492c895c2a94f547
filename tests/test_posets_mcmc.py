"""The random walk's ranks are right within the errors that it states, and the same for the same seed."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Hashable
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from effort import in_one_test
from shared import refusal

from symmetrics.posets import average_ranks, exact_ranks, mcmc_ranks, poset
from symmetrics.posets.mcmc import _exchange, _memory, _mixing_time
from tests.test_posets import N_SHAPE, dominance


@pytest.mark.thorough
@pytest.mark.parametrize(("size", "criteria"), [(6, 2), (12, 3), (18, 2)])
def test_errors_are_calibrated(size: int, criteria: int) -> None:
    """Over seeds and classes the deviations are within 1 standard error on average, and none is far off."""
    order = poset(dominance(size, criteria, 4), range(size))
    exact = {node: float(rank) for node, rank in exact_ranks(order).items()}
    scores = []
    for seed in range(12):
        result = mcmc_ranks(order, seed=seed, draws=1000)
        for node, error in result.standard_errors.items():
            if error:
                scores.append((result.ranks[node] - exact[node]) / error)
            else:
                assert result.ranks[node] == pytest.approx(exact[node], abs=1e-12)
    assert len(scores) >= 12 * (size - 4)
    assert 0.5 < math.sqrt(np.mean(np.square(scores))) < 1.1
    assert max(map(abs, scores)) < 5


def test_every_linear_extension_is_equally_likely() -> None:
    """The walk of one chain by single steps, counted over the five linear extensions of the N."""
    order = poset(N_SHAPE)
    generator = np.random.default_rng(7)
    sequence = [order.position(node) for node in "abcd"]
    seen: Counter[tuple[int, ...]] = Counter()
    places = np.arange(1, 4)
    odds = places * (4 - places) / sum(places * (4 - places))
    for place in generator.choice(3, size=40_000, p=odds).tolist():
        if generator.random() < 0.5:
            _exchange(sequence, order.closure.above, [place])
        seen[tuple(sequence)] += 1
    extensions = {tuple(map(order.position, extension)) for extension in nx.all_topological_sorts(nx.DiGraph(N_SHAPE))}
    assert set(seen) == extensions
    assert all(abs(count / 40_000 - 1 / 5) < 0.02 for count in seen.values())


def test_same_seed_same_ranks() -> None:
    order = dominance(10, 2, 1)
    first, second, other = (mcmc_ranks(order, seed=seed, draws=50) for seed in (3, 3, 4))
    assert first == second
    assert first.ranks != other.ranks
    assert average_ranks(order, "mcmc", seed=3) == mcmc_ranks(order, seed=3).ranks


def test_ranks_add_up_and_settings_are_stated() -> None:
    order = poset(dominance(9, 2, 2), range(9))
    result = mcmc_ranks(order, seed=1, chains=3, draws=40, burn_in=10, thinning=5)
    assert sum(result.ranks.values()) == pytest.approx(45)
    assert list(result.ranks) == list(result.standard_errors) == list(result.effective_sample_sizes) == list(order)
    assert (result.chains, result.draws, result.burn_in, result.thinning, result.seed) == (3, 40, 10, 5, 1)
    assert mcmc_ranks(order, draws=4).burn_in == math.ceil((9**3 - 9) / 6 * math.log(9**3 / 0.04))


@pytest.mark.parametrize(("pairs", "classes"), [([], ["x"]), (list(itertools.pairwise("abcdef")), None)])
def test_orders_without_a_choice_have_no_error(pairs: list[tuple[str, str]], classes: list[str] | None) -> None:
    result = mcmc_ranks(pairs, classes=classes)
    exact: dict[Hashable, float] = average_ranks(pairs, "exact", classes=classes)
    assert result.ranks == exact
    assert set(result.standard_errors.values()) == {0.0}
    assert set(result.effective_sample_sizes.values()) == {8000.0}


@in_one_test
@pytest.mark.parametrize(
    "options",
    [{"seed": -1}, {"seed": 1.5}, {"chains": 1}, {"draws": 3}, {"burn_in": -1}, {"thinning": 0}, {"thinning": True}],
)
def test_settings_are_checked(options: dict[str, object]) -> None:
    message = refusal(lambda: mcmc_ranks(N_SHAPE, **options))  # type: ignore[arg-type]
    assert f"{next(iter(options))}=" in message


def test_what_takes_too_long_is_refused_with_its_cost() -> None:
    message = refusal(lambda: mcmc_ranks([], classes=range(2000)))
    assert str(_mixing_time(2000)) in message
    assert "lpom_ext" in message
    assert len(mcmc_ranks([], classes=range(2000), burn_in=0, thinning=1, draws=4).ranks) == 2000


# -- errors ------------------------------------------------------------------------------------------------------------

SEEDS = 120
STUDIED = {
    "two classes": ([], ["a", "b"]),
    "N": (N_SHAPE, None),
    "antichain of 5": ([], [*"abcde"]),
    "dominance of 6": (dominance(6, 2, 4), range(6)),
    "dominance of 12": (dominance(12, 3, 4), range(12)),
    "chain of 10 and one": (list(itertools.pairwise(range(10))), [*range(10), "x"]),
}


@pytest.mark.thorough
@pytest.mark.parametrize(("chains", "draws"), [(2, None), (2, 20), (2, 50), (4, 200)])
@pytest.mark.parametrize("name", STUDIED)
def test_intervals_hold_the_exact_ranks_as_often_as_they_say(name: str, chains: int, draws: int | None) -> None:
    """Over many seeds, from the shortest run that states errors to long ones; the share is at least that of 93 %."""
    pairs, classes = STUDIED[name]
    order = poset(pairs, classes)
    exact = {node: float(rank) for node, rank in exact_ranks(order).items()}
    length = shortest(len(order), chains) if draws is None else draws
    normal, student = [], []
    for seed in range(SEEDS):
        result = mcmc_ranks(order, chains=chains, draws=length, seed=seed)
        held = result.interval()
        for node, error in result.standard_errors.items():
            if error:
                normal.append(abs(result.ranks[node] - exact[node]) <= 1.96 * error)
                student.append(held[node][0] - 1e-12 <= exact[node] <= held[node][1] + 1e-12)
    allowed = 0.93 - 2.5 * math.sqrt(0.93 * 0.07 / SEEDS)
    assert np.mean(normal) >= allowed
    assert np.mean(student) >= allowed


def shortest(size: int, chains: int) -> int:
    """Return how many draws of each chain are worth 5 independent ones together, counted up from few."""
    slowest, between = Fraction(size**3 - size, 6), max(1, size * size // 2)
    kept = float((1 - 1 / slowest) ** between)
    return next(draws for draws in itertools.count(4) if chains * draws * (1 - kept) / (1 + kept) >= 5)


def test_short_runs_as_they_were_reported() -> None:
    """2 chains of 50 draws: of the intervals for 95 % only some 80 to 90 % held the rank."""
    order = poset([(place, place + 1) for place in range(9)], [*range(10), "x"])
    exact = {node: float(rank) for node, rank in exact_ranks(order).items()}
    held = [
        abs(result.ranks[node] - exact[node]) <= 1.96 * error
        for seed in range(80)
        for result in [mcmc_ranks(order, chains=2, draws=50, seed=seed)]
        for node, error in result.standard_errors.items()
    ]
    assert np.mean(held) >= 0.95


def test_the_slowest_order_attains_the_bound() -> None:
    """The position of a class of an antichain shrinks by 1 - 1/K a step towards the middle, K = (n**3 - n)/6.

    The matrix of the chain on the places of one class, written down from the rule of a step.
    """
    size = 7
    steps = np.zeros((size, size))
    odds = np.array([place * (size - place) for place in range(1, size)], dtype=float)
    for place, chance in enumerate(odds / odds.sum() / 2):
        steps[place, place + 1] += chance
        steps[place + 1, place] += chance
    steps += np.diag(1 - steps.sum(axis=1))
    second = np.sort(np.linalg.eigvalsh(steps))[-2]
    slowest = (size**3 - size) / 6
    assert second == pytest.approx(1 - 1 / slowest)
    assert _memory(size, 24) == pytest.approx((1 + second**24) / (1 - second**24))


def test_a_run_too_short_states_no_error() -> None:
    result = mcmc_ranks([], classes=range(12), chains=2, draws=5)
    assert set(result.standard_errors.values()) == {math.inf}
    message = refusal(result.interval)
    needed = shortest(12, 2)
    assert f"draws=5 are too few to say how far off the ranks are; pass draws={needed} or more" in message
    assert mcmc_ranks([], classes=range(12), chains=2, draws=needed).interval()
    assert mcmc_ranks([], classes=range(12), chains=2, draws=needed - 1).standard_errors[0] == math.inf
    early = mcmc_ranks([], classes=range(12), burn_in=3)
    assert set(early.standard_errors.values()) == {math.inf}
    assert f"burn_in=3 is below {_mixing_time(12)}" in refusal(early.interval)


@pytest.mark.thorough
def test_a_class_that_can_move_and_did_not_has_an_error() -> None:
    """The lowest of a chain of 60 moves in 1 of 61 orders; a few draws may show none."""
    pairs = list(itertools.pairwise(range(60)))
    results = [mcmc_ranks(pairs, classes=[*range(60), "x"], chains=2, draws=120, seed=seed) for seed in range(6)]
    assert any(result.ranks[0] == 1 for result in results)
    assert all(result.standard_errors[0] > 0 for result in results)


@in_one_test
@pytest.mark.parametrize("level", [0, 1, True, "0.9", math.nan])
def test_levels_are_checked(level: object) -> None:
    result = mcmc_ranks(N_SHAPE, draws=40)
    assert "level=" in refusal(lambda: result.interval(level))  # type: ignore[arg-type]
    wide, narrow = result.interval(0.99)["a"], result.interval(0.5)["a"]
    assert wide[0] < narrow[0] < narrow[1] < wide[1]
