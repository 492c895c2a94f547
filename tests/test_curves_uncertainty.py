"""Intervals and tests of measures of scores."""

from __future__ import annotations

import numpy as np
import pytest
from effort import in_one_test
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import symmetrics as sm
from symmetrics.curves import delong_test, score_interval
from symmetrics.curves.measures import SCORE_MEASURES
from symmetrics.tools.errors import InputError, SymmetricsError

scores = st.lists(st.integers(0, 12), min_size=3, max_size=12)


def brute_force(positive: np.ndarray, negative: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the area and DeLong's components from all pairs, as the paper writes them (equation 3)."""
    kernel = (positive[:, None] > negative) + (positive[:, None] == negative) / 2
    return float(kernel.mean()), kernel.mean(axis=1), kernel.mean(axis=0)


@given(scores, scores)
def test_delongs_variance_is_that_of_all_pairs(positive: list[int], negative: list[int]) -> None:
    area, v10, v01 = brute_force(np.array(positive), np.array(negative))
    truth, score = [1] * len(positive) + [0] * len(negative), positive + negative
    found = score_interval(truth, score, method="delong")
    assert found.estimate == pytest.approx(area)
    error = (v10.var(ddof=1) / len(v10) + v01.var(ddof=1) / len(v01)) ** 0.5
    if error:
        reach = stats.norm.ppf(0.975) * error / (area * (1 - area))
        middle = np.log(area / (1 - area))
        assert [*found] == pytest.approx([1 / (1 + np.exp(-(middle + sign * reach))) for sign in (-1, 1)])
    gini = score_interval(truth, score, "gini", method="delong")
    assert [*gini] == pytest.approx([2 * end - 1 for end in found])


def test_delongs_test_is_that_of_all_pairs() -> None:
    random = np.random.default_rng(3)
    truth = random.integers(0, 2, 60)
    one, other = truth + random.normal(size=60), truth * 1.5 + random.normal(size=60)
    areas, v10, v01 = zip(*(brute_force(s[truth == 1], s[truth == 0]) for s in (one, other)), strict=True)
    covariance = np.cov(v10) / len(v10[0]) + np.cov(v01) / len(v01[0])
    error = (covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]) ** 0.5
    found, p_value = delong_test(truth, one, other)
    assert found.estimate == pytest.approx(areas[1] - areas[0])
    assert found.width == pytest.approx(2 * 1.959964 * error, rel=1e-6)
    assert p_value == pytest.approx(2 * stats.norm.sf(abs(found.estimate) / error))
    turned, same = delong_test(truth, other, one)
    assert turned.low == pytest.approx(-found.high)
    assert same == pytest.approx(p_value)
    assert delong_test(truth, one, one)[1] == 1


def test_where_no_example_tells_the_variance_errors_may_be_hidden() -> None:
    """Two positive examples that both favour one score do so by chance half of the time: nothing is significant."""
    found, p_value = delong_test([0, 0, 1, 1], [4, 3, 2, 1], [1, 2, 3, 4])
    assert (found.estimate, found.high) == (1, 1)
    assert found.low == pytest.approx(1 - 2**0.5 * (1 - 0.025**0.5))  # Newcombe (1998), of two areas without errors
    assert p_value == pytest.approx(0.5)
    turned, same = delong_test([0, 0, 1, 1], [1, 2, 3, 4], [4, 3, 2, 1])
    assert [*turned] == pytest.approx([-found.high, -found.low])
    assert same == p_value
    truth = [1] * 10 + [0] * 20
    perfect, constant = range(30, 0, -1), [0] * 30
    found, p_value = delong_test(truth, constant, perfect)
    (low_a, high_a), (low_b, _) = (score_interval(truth, score) for score in (constant, perfect))
    assert low_b == pytest.approx(0.025**0.1)
    assert found.low == pytest.approx(0.5 - ((1 - low_b) ** 2 + (high_a - 0.5) ** 2) ** 0.5)
    assert found.high == pytest.approx(0.5 + (0.5 - low_a))
    at_zero, _ = delong_test(truth, constant, perfect, level=1 - p_value)
    assert at_zero.low == pytest.approx(0, abs=1e-9)
    for score in (perfect, constant, [30, *range(29)]):
        both, p_value = delong_test(truth, score, [2 * value for value in score])
        assert (both.estimate, p_value) == (0, 1)
        assert -both.low == both.high == pytest.approx(1 - 0.025**0.1)


@in_one_test
@pytest.mark.parametrize("measure", SCORE_MEASURES)
def test_what_classes_that_are_apart_may_hide_is_in_intervals_by_resampling(measure: str) -> None:
    truth, score = [1] * 10 + [0] * 20, np.arange(30, 0, -1)
    perfect = score_interval(truth, score, measure, method="bootstrap", draws=100)
    assert perfect.estimate == perfect.high == 1
    many = score_interval(truth * 20, np.tile(score, 20), measure, method="bootstrap", draws=100)
    assert 0 < perfect.low < many.low < 1
    positive, negative = 0.025**0.1, 0.025**0.05  # shares that may be right by accident
    if measure == "kolmogorov_smirnov":
        assert perfect.low == pytest.approx(positive + negative - 1, abs=0.002)
    if measure == "auc":
        assert perfect.low == pytest.approx(positive * negative, abs=0.002)
    wrong = score_interval(truth, -score, measure, method="bootstrap", draws=100)
    assert wrong.low <= wrong.estimate < wrong.high or measure == "kolmogorov_smirnov"
    grouped = score_interval(truth, score, measure, method="bootstrap", draws=100, groups=np.arange(30) // 2)
    assert grouped.low < perfect.low


@in_one_test
@pytest.mark.parametrize(("measure", "true"), [("average_precision", 0.9582), ("weighted_auc", 0.9832)])
def test_intervals_of_good_scores_are_not_all_too_high(measure: str, true: float) -> None:
    """Of 15 positive and 45 negative examples three standard deviations apart; true values by 200,000 examples."""
    random, truth = np.random.default_rng(7), np.repeat([1, 0], (15, 45))
    intervals = [score_interval(truth, 3 * truth + random.normal(size=60), measure, draws=200) for _ in range(60)]
    assert sum(found.low <= true <= found.high for found in intervals) >= 56
    assert all(found.width > 0 and 0 <= found.low <= found.high <= 1 for found in intervals)


def test_intervals_of_the_area_contain_the_true_one_as_often_as_they_say() -> None:
    random, inside = np.random.default_rng(0), 0
    true = stats.norm.cdf(1 / 2**0.5)
    for _ in range(600):
        truth = np.repeat([1, 0], (30, 60))
        low, high = score_interval(truth, truth + random.normal(size=90))
        inside += low <= true <= high
    assert 0.925 <= inside / 600 <= 0.975


@in_one_test
@pytest.mark.parametrize("measure", SCORE_MEASURES)
def test_the_bootstrap_surrounds_the_value(measure: str) -> None:
    random = np.random.default_rng(1)
    truth = random.integers(0, 2, 80)
    score = truth + random.normal(size=80)
    for sampling in ("multinomial", "binomial"):
        found = score_interval(truth, score, measure, method="bootstrap", sampling=sampling, draws=150)
        assert found.low < found.estimate < found.high
        assert found.estimate == pytest.approx(SCORE_MEASURES[measure](truth, score))


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"measure": "f1"}, "unknown measure of scores 'f1'"),
        ({"method": "wald"}, "method='wald' is unknown for scores"),
        ({"measure": "b42", "method": "delong"}, "method='delong' is for auc and gini"),
        ({"level": 0}, "level=0 is no level"),
    ],
)
def test_questions_that_are_none(settings: dict[str, object], told: str) -> None:
    with pytest.raises(SymmetricsError, match=told):
        score_interval([0, 1, 1, 0], [1, 2, 3, 4], **settings)


def test_bootstraps_and_few_examples() -> None:
    # The bootstrap of the area has DeLong's width.
    random = np.random.default_rng(2)
    truth = random.integers(0, 2, 400)
    score = truth + random.normal(size=400)
    drawn, solved = (score_interval(truth, score, method=method, draws=600) for method in ("bootstrap", "delong"))
    assert drawn.width == pytest.approx(solved.width, rel=0.1)
    # Where no error is seen the interval says how many there may be.
    found = score_interval([1] * 10 + [0] * 30, [2] * 10 + [1] * 30)
    assert [*found] == pytest.approx([0.025**0.1, 1])
    assert sm.auc([1, 0], [1, 2]) == 0
    assert [*score_interval([1] * 10 + [0] * 30, [1] * 10 + [2] * 30)] == pytest.approx([0, 1 - 0.025**0.1])
    # One example of a class has no variance.
    with pytest.raises(InputError, match="a class has a single example"):
        score_interval([0, 1, 1], [1, 2, 3])


def test_groups_of_one_have_delongs_variance_and_repeated_examples_change_nothing() -> None:
    random = np.random.default_rng(4)
    truth = random.integers(0, 2, 70)
    score = np.round(truth + random.normal(size=70), 1)
    plain, each = (score_interval(truth, score, method="delong", groups=groups) for groups in (None, range(70)))
    scaled = [np.log(end / (1 - end)) for found in (plain, each) for end in found]
    factor = stats.t.ppf(0.975, 69) / stats.norm.ppf(0.975)
    assert scaled[3] - scaled[2] == pytest.approx((scaled[1] - scaled[0]) * factor)
    for method in ("delong", "bootstrap"):
        once = score_interval(truth, score, groups=range(70), method=method, draws=500)
        often = score_interval(
            np.tile(truth, 3), np.tile(score, 3), groups=np.tile(np.arange(70), 3), method=method, draws=500
        )
        assert [*often] == pytest.approx([*once])


def clustered(random: np.random.Generator, groups: int) -> tuple[np.ndarray, ...]:
    """Return truth, score and group of examples of which those of a group share a part of the score."""
    group = np.repeat(np.arange(groups), random.integers(2, 7, groups))
    truth = random.random(group.size) < random.beta(2, 3, groups)[group]
    score = 1.5 * truth + random.normal(size=groups)[group] + random.normal(size=group.size) / 2
    return truth.astype(int), score, group


def test_the_variance_between_groups_is_that_of_the_bootstrap_of_groups_and_of_all_samples() -> None:
    random = np.random.default_rng(5)
    truth, score, group = clustered(random, 150)
    solved = score_interval(truth, score, groups=group)
    drawn = score_interval(truth, score, groups=group, method="bootstrap", draws=2000)
    assert solved.width == pytest.approx(drawn.width, rel=0.15)  # of which half a group more is drawn
    areas = [sm.auc(*clustered(random, 150)[:2]) for _ in range(400)]
    assert solved.width / 2 / 1.96 == pytest.approx(np.std(areas), rel=0.2)
    assert score_interval(truth, score).width < 0.8 * solved.width


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"groups": [1, 2]}, "groups has 2 values and y_score 4"),
        ({"groups": [1, 2, 2, 3]}, "the positive examples are all of the group 2"),
        ({"groups": [1, 2, 3, 1], "sampling": "binomial"}, "sampling='binomial' is for examples drawn one by one"),
        ({"groups": [1, 2, 3, None]}, r"groups\[3\] is missing"),
    ],
)
def test_groups_that_are_none(settings: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        score_interval([0, 1, 1, 0], [1, 2, 3, 4], **settings)
