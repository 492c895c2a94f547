"""Planned numbers of examples reach what was planned, by a simulation that does not use the plan's own tables."""

from __future__ import annotations

import numpy as np
import pytest
from effort import some

import symmetrics as sm
from symmetrics.tools.errors import InputError

ASSUMED = {"prior": 0.3, "tpr": 0.8, "tnr": 0.9}
POWER = {"mcc": (0.88, 0.93), "f1": (0.9, 0.92), "recall": (0.9, 0.8), "kappa": (0.7, 0.8), "gmean": (0.7, 0.95)}


@pytest.mark.parametrize("name", some(POWER, 1))
def test_the_power_is_reached(name: str) -> None:
    against, power = POWER[name], 0.8
    found = sm.plan(name, **ASSUMED, against=against, power=power)
    assert found.positives == pytest.approx(0.3 * found.number)
    random, times, detected = np.random.default_rng(99), 200, 0
    for _ in range(times):
        true = random.random(found.number) < ASSUMED["prior"]
        first, second = (
            np.where(true, random.random(found.number) < tpr, random.random(found.number) >= tnr)
            for tpr, tnr in ((0.8, 0.9), against)
        )
        result = sm.compare(true, first, second, name, method="delta", draws=100, pos_label=True)
        detected += result.low > 0 or result.high < 0
    assert detected / times == pytest.approx(power, abs=0.02 + 2.6 * (power * (1 - power) / times) ** 0.5)


@pytest.mark.parametrize("name", ["recall", "mcc"])
def test_the_width_is_reached_and_not_by_more_than_needed(name: str) -> None:
    found = sm.plan(name, **ASSUMED, width=0.1)
    shares = np.array([0.24, 0.06, 0.07, 0.63])
    tables = np.random.default_rng(7).multinomial(found.number, shares, size=300).T
    assert sm.metrics[name].interval(*tables).width.mean() == pytest.approx(0.1, rel=0.02)


def test_a_proportion_needs_what_the_textbook_says() -> None:
    """About z**2*p*(1 - p)/(w/2)**2 positives for recall."""
    found = sm.plan("recall", **ASSUMED, width=0.05)
    assert found.positives == pytest.approx(1.96**2 * 0.8 * 0.2 / 0.025**2, rel=0.03)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"prior": 1.0, "width": 0.1}, "prior=1.0 is not between 0 and 1"),
        ({"tpr": "high", "width": 0.1}, "tpr='high' is not between 0 and 1"),
        ({}, "pass either width="),
        ({"width": 0.1, "power": 0.8}, "pass either width="),
        ({"width": 0}, "width=0 is no width"),
        ({"against": (0.9, 0.9), "power": 1.5}, "power=1.5 is not between 0 and 1"),
        ({"against": (0.8, 0.7), "power": 0.8, "metric": "recall"}, "tpr is the same for both classifiers"),
        ({"width": 1e-9}, "more than 1,000,000,000 examples would be needed"),
    ],
)
def test_plans_that_are_none(settings: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        sm.plan(**({"metric": "mcc"} | ASSUMED | settings))
