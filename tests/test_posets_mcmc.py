"""The random walk's ranks are right within the errors that it states, and the same for the same seed."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Hashable

import networkx as nx
import numpy as np
import pytest

from symmetrics.errors import SymmetricsError
from symmetrics.posets import average_ranks, exact_ranks, mcmc_ranks, poset
from symmetrics.posets.mcmc import _exchange, _mixing_time, effective_sizes
from tests.test_posets import N_SHAPE, dominance


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(SymmetricsError) as caught:
        call()
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(("size", "criteria"), [(6, 2), (12, 3), (18, 2)])
def test_errors_are_calibrated(size: int, criteria: int) -> None:
    """Over seeds and classes the deviations have a root mean square near 1 standard error, and none is far off."""
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
    assert 0.7 < math.sqrt(np.mean(np.square(scores))) < 1.4
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


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9, -0.5])
def test_effective_sizes_of_autoregressive_draws(correlation: float) -> None:
    """Of an AR(1) process with correlation r, n draws are worth n (1 - r)/(1 + r)."""
    generator = np.random.default_rng(11)
    noise = generator.normal(size=(4, 6000, 8)) * math.sqrt(1 - correlation**2)
    draws = np.empty_like(noise)
    draws[:, 0] = generator.normal(size=(4, 8))
    for step in range(1, 6000):
        draws[:, step] = correlation * draws[:, step - 1] + noise[:, step]
    sizes, errors = effective_sizes(draws)
    expected = 24_000 * (1 - correlation) / (1 + correlation)
    assert np.median(sizes) == pytest.approx(expected, rel=0.15)
    assert errors == pytest.approx(1 / np.sqrt(sizes), rel=0.1)


def test_effective_sizes_are_their_definition() -> None:
    """Written out for one quantity after the other, in loops."""
    draws = np.cumsum(np.random.default_rng(6).normal(size=(3, 41, 12)), axis=1) % 7
    chains, length, quantities = draws.shape
    sizes, errors = effective_sizes(draws)
    for quantity in range(quantities):
        values = draws[..., quantity]
        centred = values - values.mean(axis=1, keepdims=True)
        within = values.var(axis=1, ddof=1).mean()
        variance = within * (length - 1) / length + values.mean(axis=1).var(ddof=1)
        correlations = [1.0]
        for lag in range(1, length):
            products = [centred[c, : length - lag] @ centred[c, lag:] for c in range(chains)]
            correlations.append(1 - (within - np.mean(products) / (length - 1)) / variance)
        total, least = 0.0, math.inf
        for even, odd in zip(correlations[::2], correlations[1::2], strict=False):
            if even + odd <= 0:
                break
            least = min(least, even + odd)
            total += least
        time = max(2 * total - 1, 1 / math.log10(chains * length))
        assert sizes[quantity] == pytest.approx(chains * length / time)
        assert errors[quantity] == pytest.approx(math.sqrt(variance * time / (chains * length)))


def test_chains_that_disagree_have_few_effective_draws() -> None:
    draws = np.random.default_rng(2).normal(size=(4, 500, 1)) + np.arange(4)[:, None, None] * 10
    sizes, errors = effective_sizes(draws)
    assert sizes[0] < 10
    assert errors[0] > 3
