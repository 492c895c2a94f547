"""Planned numbers of examples reach what was planned, by a simulation that does not use the plan's own tables."""

from __future__ import annotations

import numpy as np
import pytest
from effort import in_one_test, is_thorough, some
from hypothesis import given
from hypothesis import strategies as st

import symmetrics as sm
from symmetrics.evaluation.sample_sizes import class_shares
from symmetrics.language.cells import CELLS
from symmetrics.metric.priors import is_homogeneous
from symmetrics.metric.uncertainty import range_of
from symmetrics.statistics.intervals import Formula
from symmetrics.statistics.permutations import Outcomes, permutation_test
from symmetrics.tools.errors import InputError

ASSUMED = {"prior": 0.3, "tpr": 0.8, "tnr": 0.9}
POWER = {"mcc": (0.88, 0.93), "f1": (0.9, 0.92), "recall": (0.9, 0.8), "kappa": (0.7, 0.8), "gmean": (0.7, 0.95)}


def power_of(name: str, tables: np.ndarray, prior: str | None = None) -> float:
    """Return how often the test that a comparison prints rejects, at joint tables of shape (8, times)."""
    metric = sm.metrics[name]
    expression = (metric if prior is None else metric.at_prior(prior)).at_defaults()
    formula = Formula(expression, range_of(metric))
    distinct, times = np.unique(tables.astype(float), axis=1, return_counts=True)
    tests = [permutation_test(formula, Outcomes.of_joint(table), draws=1000, seed=5) for table in distinct.T]
    return float(np.average([test.p_value < 0.05 for test in tests], weights=times))


def drawn(positives: np.ndarray, negatives: np.ndarray, against: tuple[float, float], kappa: float) -> np.ndarray:
    """Return joint tables of so many examples of each class: the second classifier repeats the first, or errs anew."""
    random, parts = np.random.default_rng(99), []
    for numbers, first, second in ((positives, 0.8, against[0]), (negatives, 0.1, 1 - against[1])):
        chance = first * (1 - second) + (1 - first) * second
        both = first * second + kappa * chance / 2
        shares = [both, first - both, second - both, 1 - first - second + both]
        parts.append(np.array([random.multinomial(number, shares) for number in numbers]).T)
    return np.concatenate(parts)


@pytest.mark.parametrize(("name", "kappa"), some([*((name, 0.0) for name in POWER), ("mcc", 0.4), ("f1", -0.05)], 1))
def test_the_power_is_reached_within_two_points(name: str, kappa: float) -> None:
    against, power, times = POWER[name], 0.8, 10_000 if is_thorough() else 2500
    found = sm.plan(name, **ASSUMED, against=against, power=power, agreement=kappa)
    assert found.positives == pytest.approx(0.3 * found.number)
    positives = np.random.default_rng(3).binomial(found.number, ASSUMED["prior"], size=times)
    tables = drawn(positives, found.number - positives, against, kappa)
    assert power_of(name, tables) == pytest.approx(power, abs=0.02)


@given(st.tuples(*[st.floats(0.05, 0.95)] * 4), st.floats(-0.9, 0.95))
def test_an_agreement_is_the_kappa_of_the_two_classifiers(rates: tuple[float, ...], kappa: float) -> None:
    first, second = rates[:2], rates[2:]
    try:
        shares = class_shares(first, second, kappa)
    except InputError as error:
        least, most = (float(word) for word in str(error).split("between ")[1].split(" and "))
        assert not least < kappa < most
        return
    for entries, one, other in zip(shares, (first[0], 1 - first[1]), (second[0], 1 - second[1]), strict=True):
        assert sm.metrics["kappa"].from_counts(*entries) == pytest.approx(kappa, abs=1e-9)
        assert entries[:2].sum() == pytest.approx(one)
        assert entries[[0, 2]].sum() == pytest.approx(other)
        assert entries.sum() == pytest.approx(1)


@pytest.mark.parametrize("name", ["recall", "mcc"])
def test_the_width_is_reached_and_not_by_more_than_needed(name: str) -> None:
    found = sm.plan(name, **ASSUMED, width=0.1)
    shares = np.array([0.24, 0.06, 0.07, 0.63])
    tables = np.random.default_rng(7).multinomial(found.number, shares, size=300).T
    assert sm.metrics[name].interval(*tables).width.mean() == pytest.approx(0.1, rel=0.02)


def test_proportions_and_agreement_in_a_plan() -> None:
    # Classifiers that err together need fewer examples.
    wanted = ASSUMED | {"against": (0.88, 0.93), "power": 0.8, "method": "delta"}
    agreements = [-0.05, 0, 0.3, (0.5, 0.6)] if is_thorough() else [0, (0.5, 0.6)]
    numbers = [sm.plan("mcc", **wanted, agreement=kappa).number for kappa in agreements]
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[-1] < 0.6 * numbers[agreements.index(0)]
    # A proportion needs what the textbook says. About z**2*p*(1 - p)/(w/2)**2 positives for recall.
    found = sm.plan("recall", **ASSUMED, width=0.05)
    assert found.positives == pytest.approx(1.96**2 * 0.8 * 0.2 / 0.025**2, rel=0.03)


@in_one_test
@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({}, "pass either width="),
        ({"width": 0.1, "power": 0.8}, "pass either width="),
        ({"width": 0}, "width=0 is no width"),
        ({"against": (0.9, 0.9), "power": 1.5}, "power=1.5 is not between 0 and 1"),
        ({"against": 0.9, "power": 0.8}, "against=0.9 is no second classifier"),
        ({"width": 0.1, "agreement": 0.5}, "agreement=0.5 is that of two classifiers"),
        ({"against": (0.9, 0.9), "power": 0.8, "agreement": "high"}, "agreement='high' is no agreement"),
        (
            {"against": (0.9, 0.9), "power": 0.8, "agreement": 0.9},
            "not possible among positive .* between -0.154 and 0.615",
        ),
        ({"against": (0.8, 0.7), "power": 0.8, "metric": "recall"}, "tpr is the same for both classifiers"),
        ({"width": 1e-9}, "more than 1,000,000,000 examples would be needed"),
        (
            {"width": 1.9},
            "width=1.9 is reached with 1 example already, which is no experiment; ask for a smaller width",
        ),
        ({"width": 1, "metric": "f1", "prior": 0.1}, "width=1 is reached with 1 example already"),
        ({"width": 10**9}, "width=1000000000 is reached with 1 example already"),
    ],
)
def test_plans_that_are_none(settings: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        sm.plan(**({"metric": "mcc"} | ASSUMED | settings))


@pytest.mark.thorough
@pytest.mark.parametrize("name", some(["f1", "mcc", "precision", "kappa", "accuracy"], 1))
def test_the_power_of_a_design_is_reached_within_two_points(name: str) -> None:
    against = (0.88, 0.93)
    found = sm.plan_design(name, prior=0.05, tpr=0.8, tnr=0.9, against=against, power=0.8)
    times = 10_000 if is_thorough() else 3000
    tables = drawn(np.full(times, found.positives), np.full(times, found.negatives), against, 0.0)
    assert power_of(name, tables, "0.05") == pytest.approx(0.8, abs=0.02)


@pytest.mark.parametrize("name", some(sm.metrics, 1, "planned"))
def test_every_metric_has_a_design_or_says_why_not(name: str) -> None:
    metric = sm.metrics[name]
    now = metric.interval(80, 20, 90, 810, method="delta")
    width = (now.high - now.low) / 2
    if not 1e-9 < width < np.inf:  # where the value is the same at all tables near, rounding is all that there is
        return
    asked = {"prior": 0.1, "tpr": 0.8, "tnr": 0.9, "width": width, "method": "delta"}
    if not is_homogeneous(metric) or not metric.at_prior("0.1").expr.free_symbols & {*CELLS}:
        with pytest.raises(InputError, match=r"proportions alone|is known where the prior is"):
            sm.plan_design(metric, **asked)
        return
    found = sm.plan_design(metric, **asked)
    assert 0 < found.achieved <= width
    # Half the width needs four times the examples, and those that come of themselves are no better than chosen ones.
    assert found.number < 1.2 * sm.plan(metric, **asked).number


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("name", "cost"), [("f1", (1.0, 1.0)), ("f1", (20.0, 1.0)), ("precision", (1.0, 5.0)), ("kappa", (1.0, 1.0))]
)
def test_no_other_allocation_is_cheaper(name: str, cost: tuple[float, float]) -> None:
    """By the delta method at the expected tables, for every number of positives."""
    found = sm.plan_design(name, prior=0.1, tpr=0.8, tnr=0.9, width=0.1, cost=cost, method="delta")
    metric, costs = sm.metrics[name].at_prior("0.1"), []
    for positives in range(40, 600, 10):
        negatives = np.arange(40, 4000, 10)
        cells = (0.8 * positives, 0.2 * positives, 0.1 * negatives, 0.9 * negatives)
        width = metric.interval(*cells, method="delta", sampling="binomial").width
        enough = negatives[width <= 0.1]
        costs += [cost[0] * positives + cost[1] * enough[0]] if enough.size else []
    assert found.cost == pytest.approx(min(costs), rel=0.03)


def test_assumptions_and_costs_may_be_numbers_of_numpy() -> None:
    # Costs of labels may be numbers of NumPy.
    assumed = {"prior": 0.01, "tpr": 0.8, "tnr": 0.9, "width": 0.1}
    priced = sm.plan_design("recall", **assumed, cost=(np.int64(10), np.float32(1)))
    assert priced == sm.plan_design("recall", **assumed, cost=(10, 1))
    # Assumptions may be numbers of NumPy.
    assumed = {"prior": np.float32(0.25), "tpr": np.float32(0.5), "tnr": 0.75}
    plain = {"prior": 0.25, "tpr": 0.5, "tnr": 0.75}
    assert sm.plan("recall", **assumed, width=np.float32(0.125)) == sm.plan("recall", **plain, width=0.125)
    if is_thorough():
        compared = {"against": (0.75, 0.75), "power": np.float32(0.5), "agreement": np.int64(0)}
        assert sm.plan("recall", **assumed, **compared) == sm.plan(
            "recall", **plain, **compared | {"power": 0.5, "agreement": 0}
        )


def test_a_design_needs_what_it_says() -> None:
    # A design that two examples reach is none.
    for metric in ("f1", "recall", "specificity"):
        with pytest.raises(InputError, match="width=1 is reached with 2 examples already, which is no experiment"):
            sm.plan_design(metric, prior=0.1, tpr=0.8, tnr=0.9, width=1)
    # A design needs fewer labels than examples as they come.
    assumed = {"prior": 0.02, "tpr": 0.8, "tnr": 0.95}
    assert sm.plan_design("f1", **assumed, width=0.2).number < 0.5 * sm.plan("f1", **assumed, width=0.2).number
    # The width of a design is reached.
    found = sm.plan_design("f1", prior=0.05, tpr=0.8, tnr=0.95, width=0.1, cost=(3, 1))
    random = np.random.default_rng(8)
    tp, tn = random.binomial(found.positives, 0.8, 300), random.binomial(found.negatives, 0.95, 300)
    metric = sm.metrics["f1"].at_prior("0.05")
    width = metric.interval(tp, found.positives - tp, found.negatives - tn, tn, sampling="binomial").width
    assert np.mean(width) == pytest.approx(0.1, rel=0.03)
    assert found.cost == 3 * found.positives + found.negatives
    # A kink does not lead a design astray. At the expected table TP/Min(TP + FN, TP + FP) is recall; beside it, it
    # depends on the negatives too.
    found = sm.plan_design("overlap_coefficient", prior=0.1, tpr=0.8, tnr=0.9, width=0.08, method="delta")
    assert found.number < 600
    assert found.negatives > 20
    # A class that does not matter is not labelled.
    assumed = {"prior": 0.01, "tpr": 0.8, "tnr": 0.9, "width": 0.1}
    assert sm.plan_design("recall", **assumed).negatives == 0
    assert sm.plan_design("specificity", **assumed).positives == 0
    positives = sm.plan_design("recall", **assumed).positives
    assert positives == pytest.approx(sm.plan("recall", **assumed).positives, rel=0.03)


@in_one_test
@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"cost": (0, 1)}, r"cost=\(0, 1\) are no costs"),
        ({"cost": 3}, "cost=3 are no costs"),
        ({"metric": "chi_square"}, "chi_square is not known to depend on proportions alone"),
        ({"metric": "prevalence"}, "prevalence is known where the prior is"),
        ({"width": None}, "pass either width="),
        ({"prior": 0}, "prior=0 is not between 0 and 1"),
    ],
)
def test_designs_that_are_none(settings: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        sm.plan_design(**({"metric": "mcc", "width": 0.1} | ASSUMED | settings))
