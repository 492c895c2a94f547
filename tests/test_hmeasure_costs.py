"""Cost weights: Beta distributions, and the distribution that AUC implies."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from effort import in_one_test
from scipy.integrate import quad
from scipy.stats import beta

from symmetrics.curves.costs import B42, BetaCosts, ImpliedCosts, auc_cost_weights, prior_costs, severity_costs
from symmetrics.curves.figures import cost_weights
from symmetrics.tools.errors import InputError


@in_one_test
@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 2), (4, 2), (0.5, 0.7), (30, 1.5)])
def test_the_density_is_scipys(a: float, b: float) -> None:
    c = np.array([0, 0.1, 0.25, 0.5, 0.99, 1])
    assert BetaCosts(a, b).density(c) == pytest.approx(beta.pdf(c, a, b), rel=1e-12)
    assert BetaCosts(a, b).mean == pytest.approx(beta.mean(a, b))


@in_one_test
@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 2), (4, 2), (1.3, 2.7), (40, 3)])
@pytest.mark.parametrize(("p", "q"), [(0.5, 0.5), (0.9, 0.1), (0.001, 0.2), (3.0, 0.0), (0.0, 2.0), (0.0, 0.0)])
def test_the_least_cost_is_an_integral(a: float, b: float, p: float, q: float) -> None:
    split = p / (p + q) if p + q else 0.5
    expected = sum(
        quad(lambda c: min(c * q, (1 - c) * p) * beta.pdf(c, a, b), *ends, epsabs=1e-14)[0]
        for ends in ((0, split), (split, 1))
    )
    assert BetaCosts(a, b).least_cost(p, q) == pytest.approx(expected, abs=1e-10)


def test_modes_are_where_the_literature_puts_them() -> None:
    assert BetaCosts(4, 2) == B42
    assert B42.mode == 0.75
    for ratio in (0.1, 1, 5):
        mode = severity_costs(ratio).mode
        assert (1 - mode) / mode == pytest.approx(ratio)  # c₀/c₁
        assert severity_costs(ratio).b == 2
    for prior in (0.05, 0.5, 0.8):
        assert prior_costs(prior).mode == pytest.approx(1 - prior)  # π₀
    assert math.isnan(BetaCosts(1, 1).mode)
    assert math.isnan(BetaCosts(0.5, 3).mode)


def sample(seed: int) -> tuple[list[int], list[float]]:
    generator = random.Random(seed)
    labels = [0, 1] + [generator.randint(0, 1) for _ in range(25)]
    return labels, [generator.randint(0, 12) + 3 * label for label in labels]


@in_one_test
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("prior", [None, 0.1])
def test_auc_of_the_hull_is_the_loss_over_the_implied_weights(seed: int, prior: float | None) -> None:
    """1 - Σ weight·Q(c)/(2π₀π₁), with Q by brute force over all thresholds, is the area under the hull."""
    labels, scores = sample(seed)
    implied = auc_cost_weights(labels, scores, prior=prior)
    y, s = np.array(labels), np.array(scores)
    one = y.mean() if prior is None else prior
    fpr, tpr = (
        np.array([0.0] + [float((s[y == label] >= threshold).mean()) for threshold in np.unique(s)[::-1]])
        for label in (0, 1)
    )
    loss = [(c * one * (1 - tpr) + (1 - c) * (1 - one) * fpr).min() for c in implied.cost]
    area = 1 - implied.weight @ loss / (2 * one * (1 - one))
    grid = np.union1d(fpr, np.linspace(0, 1, 2001))
    pairs = [(i, j) for i in range(len(fpr)) for j in range(i + 1, len(fpr)) if fpr[j] > fpr[i]]
    chords = [
        np.where(
            (grid >= fpr[i]) & (grid <= fpr[j]), tpr[i] + (tpr[j] - tpr[i]) / (fpr[j] - fpr[i]) * (grid - fpr[i]), 0
        )
        for i, j in pairs
    ]
    hull = np.max(chords, axis=0)
    assert area == pytest.approx(np.trapezoid(hull, grid), abs=1e-12)
    assert implied.weight.sum() == pytest.approx(1)
    assert implied.weight @ implied.cost == pytest.approx(1 - one)
    assert (np.diff(implied.cost) > 0).all()


def test_classifiers_of_one_data_set_are_weighed_differently_by_auc() -> None:
    labels = [0, 0, 0, 1, 1, 0, 1, 1]
    first, second = (
        auc_cost_weights(labels, scores) for scores in ([1, 2, 3, 4, 3, 5, 6, 7], [1, 1, 1, 1, 2, 2, 2, 2])
    )
    assert second.cost.tolist() == [0.25, 0.75]
    assert second.weight.tolist() == [0.5, 0.5]
    assert first.cost.tolist() != second.cost.tolist()


@pytest.mark.parametrize("bandwidth", [0.005, 0.05, 0.4, 0.95])
def test_the_smoothed_density_stays_in_the_interval(bandwidth: float) -> None:
    implied = ImpliedCosts(np.array([0.0, 0.3, 1.0]), np.array([0.2, 0.5, 0.3]))
    c = np.linspace(0, 1, 20001)
    assert np.trapezoid(implied.density(c, bandwidth=bandwidth), c) == pytest.approx(1, abs=1e-6)
    assert np.ndim(implied.density(0.5)) == 0


@in_one_test
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: BetaCosts(0, 1), "a=0 is no parameter of a Beta"),
        (lambda: BetaCosts(1, "2"), "b='2' is no parameter"),
        (lambda: BetaCosts(True, 1), "a=True is no parameter"),
        (lambda: BetaCosts(10**400, 1), "is no parameter"),
        (lambda: BetaCosts(2, 2).density(1.5), "c=1.5 is not within [0, 1]"),
        (lambda: prior_costs(1), "prior=1 is not strictly between 0 and 1"),
        (lambda: severity_costs(-1), "severity_ratio=-1 is not a ratio c0/c1"),
        (lambda: auc_cost_weights([0, 1], [1, 2], prior=2), "prior=2 is not strictly"),
        (lambda: auc_cost_weights([0, 1], [1, 2]).density(0.5, bandwidth=0), "bandwidth=0 is not in (0, 1)"),
        (lambda: cost_weights({}), "costs is empty"),
    ],
)
def test_bad_input_is_refused(call: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert message in str(error.value)


def test_figures_1_and_3_draw_what_they_are_of() -> None:
    # Figure 1 draws the densities.
    axes = cost_weights()
    symmetric, _, asymmetric, mode = axes.lines
    c = symmetric.get_xdata()
    assert symmetric.get_ydata() == pytest.approx(beta.pdf(c, 2, 2))
    assert asymmetric.get_ydata() == pytest.approx(beta.pdf(c, 4, 2))
    assert list(mode.get_xdata()) == [0.75, 0.75]
    axes = cost_weights({"no ends": BetaCosts(0.5, 0.5)})
    assert np.isfinite(axes.lines[0].get_ydata()).all()
    # Figure 3 draws every classifier and the fixed weights.
    implied = {f"classifier {seed}": auc_cost_weights(*sample(seed)) for seed in range(2)}
    axes = cost_weights(implied=implied)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "H: Beta(2, 2)", "B42: Beta(4, 2)", "AUC on classifier 0", "AUC on classifier 1",
    ]  # fmt: skip
    assert axes.lines[5].get_xdata().tolist() == implied["classifier 0"].cost.tolist()
