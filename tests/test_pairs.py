"""The score interval of a difference, McNemar's tests, and how both go together where few examples are discordant."""

from __future__ import annotations

from itertools import product
from math import sqrt

import numpy as np
import pytest
from effort import is_thorough, some
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import brentq

import symmetrics as sm
from symmetrics.metric.uncertainty import range_of
from symmetrics.statistics.averages import matrix_groups
from symmetrics.statistics.intervals import GROUPS, Formula, Question, Range
from symmetrics.statistics.paired import difference_interval, score
from symmetrics.statistics.permutations import Outcomes, permutation_test
from symmetrics.statistics.proportions import wilson
from symmetrics.statistics.samples import JointDifference, StackedDifference, joint_groups
from symmetrics.tools.errors import InputError

joints = st.lists(st.integers(0, 30), min_size=8, max_size=8).map(lambda entries: np.array(entries, dtype=float))
Z = stats.norm.isf(0.025)


def formula(name: str) -> Formula:
    return Formula(sm.metrics[name].at_defaults(), range_of(sm.metrics[name]))


def columns(joint: np.ndarray) -> list[list[int]]:
    kinds = np.repeat(list(product((1, 0), repeat=3)), np.asarray(joint, dtype=int), axis=0)
    return kinds.T.tolist()


def tango(gained: float, lost: float, number: float) -> tuple[float, float]:
    """Return Tango's interval by his own equations (1998, section 4), for `gained - lost` of so many pairs."""

    def statistic(difference: float) -> float:
        a, c = 2 * number, -lost * difference * (1 - difference)
        b = -gained - lost + (2 * number - gained + lost) * difference
        share = (sqrt(b * b - 4 * a * c) - b) / (2 * a)
        variance = number * (2 * share + difference * (1 - difference))
        return (gained - lost - number * difference) / sqrt(variance)

    estimate = (gained - lost) / number
    low = -1.0 if lost == number else brentq(lambda d: statistic(d) - Z, -1 + 1e-12, estimate - 1e-9, xtol=1e-14)
    high = 1.0 if gained == number else brentq(lambda d: statistic(d) + Z, estimate + 1e-9, 1 - 1e-12, xtol=1e-14)
    return low, high


@given(joints)
def test_of_paired_proportions_it_is_tangos(joint: np.ndarray) -> None:
    """Of all examples for accuracy, of the positive ones for recall, however many of these were fixed."""
    if not joint.sum():
        return
    (low, high), known = score(
        JointDifference(formula("accuracy")), joint[:, None], joint_groups(2, "multinomial"), 0.95
    )
    assert known.all()
    expected = tango(joint[2] + joint[5], joint[1] + joint[6], joint.sum())
    assert (low[0], high[0]) == pytest.approx(expected, abs=1e-8)
    if not joint[:4].sum():
        return
    for sampling in GROUPS:
        found = difference_interval(JointDifference(formula("recall")), joint, joint_groups(2, sampling), Question())
        assert [*found] == pytest.approx(tango(joint[2], joint[1], joint[:4].sum()), abs=1e-8)


@given(st.integers(0, 40), st.integers(0, 40))
def test_of_one_proportion_it_is_wilsons(right: int, wrong: int) -> None:
    if not right + wrong:
        return
    table = np.array([right, wrong, 3.0, 4.0])[:, None]
    (low, high), _ = score(Formula(sm.metrics["recall"].expr, Range(0, 1)), table, GROUPS["multinomial"], 0.95)
    ends = wilson(np.array([float(right)]), np.array([float(wrong)]), 0.95)
    assert (low[0], high[0]) == pytest.approx((ends[0][0], ends[1][0]), abs=1e-9)


def test_of_two_proportions_it_is_mees() -> None:
    """Newcombe (1998), Statistics in Medicine 17, 873-890, table II, method 5 (Mee), examples (a) and (d)."""
    for table, printed in (((56, 14, 48, 32), (0.0533, 0.3377)), ((5, 51, 0, 29), (-0.0313, 0.1926))):
        a, b, c, d = table
        entries = np.array([c, d, 1, 1, a, b, 1, 1], dtype=float)
        found = difference_interval(
            StackedDifference(formula("recall")), entries, matrix_groups(2, "binomial", tables=2), Question()
        )
        assert tuple(np.round([*found], 4)) == printed


def test_at_its_ends_the_most_likely_table_is_just_rejected() -> None:
    """Pearson's statistic is the squared quantile there, and no step along the constraint makes the table likelier."""
    joint = np.array([300.0, 10, 30, 40, 50, 40, 30, 500])
    for name in some(("f1", "mcc", "kappa", "precision", "gmean"), 1, "rejected"):
        difference = JointDifference(formula(name))
        (low, high), _ = score(difference, joint[:, None], joint_groups(2, "multinomial"), 0.95)
        number = joint.sum()
        for end in (low[0], high[0]):

            def distance(multiplier: float, end: float = end, difference: JointDifference = difference) -> float:
                return fitted(difference, joint, multiplier)[1] - end

            multiplier = brentq(distance, -400, 400, xtol=1e-12)
            expected, _ = fitted(difference, joint, multiplier)
            assert ((joint - expected) ** 2 / expected).sum() == pytest.approx(Z**2, rel=1e-5), name
            assert expected.sum() == pytest.approx(number)


def fitted(difference: JointDifference, joint: np.ndarray, multiplier: float) -> tuple[np.ndarray, float]:
    """Return the most likely expected counts with a Lagrange multiplier, by fixed-point steps, and their difference."""
    expected, number = joint.copy(), joint.sum()
    for _ in range(200):
        slopes = difference.slopes(expected[:, None])[:, 0]
        slopes = slopes - (expected * slopes).sum() / number
        following = joint / (1 - multiplier * slopes)
        expected = (expected + following * number / following.sum()) / 2
    return expected, float(difference.values(expected[:, None])[0])


@pytest.mark.parametrize("name", ["recall", "accuracy", "f1", "mcc", "gmean", "balanced_accuracy"])
def test_three_discordant_examples_tell_nothing(name: str) -> None:
    found = sm.compare(*columns(np.array([60, 0, 3, 5, 2, 0, 0, 40])), name)
    assert found.low < 0 < found.high
    assert (found.p_value, found.mid_p) == (pytest.approx(0.25), pytest.approx(0.125))


@given(st.integers(0, 12), st.integers(0, 12), st.sampled_from(["recall", "f1", "mcc"]))
def test_the_interval_agrees_with_the_mid_p_value(gained: int, lost: int, name: str) -> None:
    joint = np.array([40, lost, gained, 6, 3, 0, 0, 50])
    found = sm.compare(*columns(joint), name)
    if found.mid_p > 0.05:
        assert found.low <= 0 <= found.high
    elif abs(gained - lost) / sqrt(gained + lost) > 2.3:
        assert not found.low <= 0 <= found.high
    plain = sm.compare(*columns(joint), name, method="score")
    assert found.low <= plain.low <= plain.high <= found.high
    if found.remark:
        assert 0 in (found.low, found.high)
        assert "mid-p does not reject" in repr(found)


def test_few_discordant_examples_tell_little() -> None:
    # Predictions that are alike do not tell that the classifiers are.
    found = sm.compare(*columns(np.array([30, 0, 0, 5, 5, 0, 0, 30])), "recall")
    assert (found.low, found.high) == pytest.approx((-(Z**2) / (35 + Z**2), Z**2 / (35 + Z**2)))
    assert found.p_value == 1
    more = sm.compare(*columns(10 * np.array([30, 0, 0, 5, 5, 0, 0, 30])), "recall")
    assert 0 < more.high < found.high / 5
    # Four discordant examples do not tell either. The score test alone rejects, with z = 2; the mid-p value, 1/16,
    # does not, and the interval is extended to 0.
    true, first, second = columns(np.array([40, 0, 4, 6, 3, 0, 0, 50]))
    assert sm.compare(true, first, second, "recall", method="score").low > 0
    found = sm.compare(true, first, second, "recall")
    assert (found.low, found.mid_p) == (0, 1 / 16)
    assert "extended to 0, which mid-p does not reject" in repr(found)
    quotient = sm.compare(true, first, second, "recall", ratio=True)
    assert quotient.low == 1


def test_exchanging_the_classifiers_turns_the_interval_around() -> None:
    joint = np.array([30, 0, 3, 4, 5, 1, 0, 50])
    true, first, second = columns(joint)
    for name in ("f1", "mcc", "optimized_precision"):
        one, other = sm.compare(true, first, second, name), sm.compare(true, second, first, name)
        assert (one.low, one.high) == pytest.approx((-other.high, -other.low), rel=1e-5)


@pytest.mark.parametrize(
    ("gained", "lost"), [(5_001_000, 4_999_000), (50_300, 50_000), (60, 20), (7, 1), (4, 4), (1, 0)]
)
def test_mcnemars_test_is_the_binomial_at_any_size(gained: int, lost: int) -> None:
    joint = np.array([10, lost // 2, gained - gained // 3, 10, 10, gained // 3, lost - lost // 2, 10], dtype=float)
    found = permutation_test(formula("accuracy"), Outcomes.of_joint(joint), draws=100, seed=0)
    exact = stats.binomtest(gained, gained + lost).pvalue
    as_many = stats.binom.pmf(gained, gained + lost, 0.5)
    assert found.is_exact
    assert found.p_value == pytest.approx(exact, rel=1e-7)
    assert found.mid_p == pytest.approx(1 - as_many / 2 if gained == lost else exact - as_many, rel=1e-7)


def test_of_three_classes_the_share_that_is_right_has_mcnemars_test() -> None:
    random = np.random.default_rng(1)
    true = random.integers(0, 3, 4000)
    first, second = (np.where(random.random(4000) < rate, true, (true + 1) % 3) for rate in (0.7, 0.74))
    gained, lost = ((second == true) & (first != true)).sum(), ((first == true) & (second != true)).sum()
    found = sm.compare(true, first, second, "recall", average="micro")
    assert found.p_value == pytest.approx(stats.binomtest(gained, gained + lost).pvalue, rel=1e-7)
    assert (found.low, found.high) == pytest.approx(tango(gained, lost, 4000), abs=1e-6)


@pytest.mark.parametrize("weights", [[1, 2, 3], np.array([1.0, 2.0, 3.0])])
def test_classes_are_weighed_by_lists_and_arrays_alike(weights: object) -> None:
    random = np.random.default_rng(0)
    true = random.integers(0, 3, 90)
    first, second = (np.where(random.random(90) < 0.7, true, random.integers(0, 3, 90)) for _ in range(2))
    assert sm.compare(true, first, second, "f1", average=weights).p_value == pytest.approx(0.2223, abs=1e-3)


def test_outcomes_that_are_neglected_change_nothing() -> None:
    """Of many discordant examples the least probable outcomes are left out; recall's are known without."""
    joint = np.array([400.0, 300, 420, 10, 10, 250, 200, 500])
    every = Outcomes.of_joint(joint)
    known = permutation_test(formula("recall"), every, draws=100, seed=0)
    found = permutation_test(Formula(sm.metrics["recall"].expr ** 3, Range(0, 1)), every, draws=100, seed=0)
    informed = permutation_test(formula("informedness"), every, draws=100, seed=0)
    assert found.is_exact
    assert informed.is_exact
    assert found.p_value == pytest.approx(known.p_value, rel=1e-6)
    k = [np.arange(721), np.arange(451)]
    weights = np.multiply.outer(*(stats.binom.pmf(part, part[-1], 0.5) for part in k))
    distance = np.abs((2 * k[0][:, None] - 720) / joint[:4].sum() + (2 * k[1] - 450) / joint[4:].sum())
    observed = abs(120 / joint[:4].sum() + 50 / joint[4:].sum())
    assert informed.p_value == pytest.approx(weights[distance > observed - 1e-12].sum(), rel=1e-6)


def test_differences_without_a_test_or_interval() -> None:
    # An infinite difference has no test. Of the odds of recall, which depend on a paired proportion but are infinite
    # without a false negative.
    found = sm.compare([1] * 6 + [0] * 4, [1] * 4 + [0] * 6, [1] * 6 + [0] * 4, sm.Metric("odds", sm.TP / sm.FN))
    assert np.isnan(found.p_value)
    assert found.test == "none, as the difference is infinite"
    # Newcombe's interval is for paired proportions alone.
    true, first, second = columns(np.array([30, 2, 6, 4, 5, 1, 3, 50]))
    for name, settings in (("precision", {}), ("f1", {}), ("recall", {"ratio": True})):
        with pytest.raises(InputError, match="method='newcombe' is for the difference of a proportion"):
            sm.compare(true, first, second, name, method="newcombe", **settings)
    with pytest.raises(InputError, match="method='newcombe' is for the difference"):
        sm.compare_counts((3, 4, 5, 6), (3, 4, 5, 6), "recall", method="newcombe")
    with pytest.raises(InputError, match="method='newcombe' is for the difference of two paired proportions"):
        sm.metrics["recall"].interval(3, 4, 5, 6, method="newcombe")


def test_one_of_34_classifiers_that_is_ten_errors_better_is_found() -> None:
    random = np.random.default_rng(0)
    number = 1000
    true = random.integers(0, 2, number)
    better = 0.7 + 10 * sqrt(2 * 0.7 * 0.3 / number)
    predicted = {f"c{i}": np.where(random.random(number) < 0.7, true, 1 - true) for i in range(33)}
    predicted["best"] = np.where(random.random(number) < better, true, 1 - true)
    for name in ("accuracy", "mcc") if is_thorough() else ("mcc",):
        found = sm.compare_all(true, predicted, name, control="best" if not is_thorough() else None)
        assert max(pair.adjusted for pair in found.pairs if "best" in (pair.first, pair.second)) < 1e-4


def test_drawn_p_values_are_as_small_as_needed() -> None:
    # Drawn p values are as small as many pairs need. Of three classes all exchanges are too many; with 100 draws for
    # each pair Holm's procedure can reject.
    random = np.random.default_rng(2)
    true = random.integers(0, 3, 600)
    rates = {f"c{i}": 0.5 for i in range(12)} | {"best": 0.95}
    predicted = {
        name: np.where(random.random(600) < rate, true, random.integers(0, 3, 600)) for name, rate in rates.items()
    }
    found = sm.compare_all(true, predicted, "f1", average="macro", control="best", draws=100)
    for pair in found.pairs:
        assert pair.comparison.p_is_bound
        assert pair.adjusted <= 0.01
    assert "<= 0.0" in repr(found)
    # A p value of which no draw was as large is told as a bound.
    joint = np.array([1e6, 1e5, 9e5, 1e6, 1e6, 9e5, 1e5, 1e6])
    found = permutation_test(formula("kappa"), Outcomes.of_joint(joint), draws=999, seed=0)
    assert (found.is_exact, found.is_bound, found.p_value) == (False, True, 1 / 1000)
    many = permutation_test(formula("kappa"), Outcomes.of_joint(joint / 500), draws=999, seed=0)
    assert many.is_exact
    assert many.is_bound
    assert many.p_value < 1e-18
