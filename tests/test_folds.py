"""Scores of cross-validation: published probabilities, and a simulation of false alarms."""

from __future__ import annotations

import numpy as np
import pytest
from effort import in_one_test
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import symmetrics as sm
from symmetrics.tools.errors import InputError

# The accuracies of naive Bayes and J48 in ten folds of the data set "sonar", from the documentation of baycomp
# (docs/code/accuracies.txt).
BAYES = [94.203, 92.754, 95.652, 91.176, 92.647, 91.176, 92.647, 92.647, 86.765, 91.176]
J48 = [92.754, 92.754, 89.855, 89.706, 95.588, 89.706, 95.588, 94.118, 91.176, 92.647]

scores = st.lists(st.tuples(st.floats(0.1, 1), st.floats(0.1, 1)), min_size=2, max_size=30, unique=True)


def test_the_probabilities_are_the_published_ones() -> None:
    """The documentation of baycomp prints them for two_on_single(nbc, j48) and two_on_single(nbc, j48, rope=0.5)."""
    found = sm.compare_folds(BAYES, J48, test_share=0.1, same=0.5)
    assert found.probability == pytest.approx(0.5854880024938538, abs=1e-12)
    assert found.practical == pytest.approx(0.2691518716880249, abs=1e-12)


def test_the_test_is_students_with_another_variance() -> None:
    """scipy's paired t, divided by the root of 1 + n*test/train."""
    found = sm.compare_folds(BAYES, J48, test_share=0.25, level=0.9)
    naive = stats.ttest_rel(J48, BAYES)
    t = naive.statistic / (1 + 10 / 3) ** 0.5
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(t), 9), abs=1e-12)
    low, high = naive.confidence_interval(0.9)
    assert found.high - found.low == pytest.approx((high - low) * (1 + 10 / 3) ** 0.5)
    assert found.low + found.high == pytest.approx(2 * found.difference)


@given(scores, st.sampled_from([0.1, 0.5]))
def test_interval_p_value_and_probability_agree(pairs: list[tuple[float, float]], share: float) -> None:
    first, second = zip(*pairs, strict=True)
    try:
        found = sm.compare_folds(first, second, test_share=share)
    except InputError:
        assert np.ptp(np.subtract(second, first)) < 1e-14
        return
    assert found.p_value == pytest.approx(2 * min(found.probability, 1 - found.probability), abs=1e-12)
    if abs(found.p_value - 0.05) > 1e-9:
        assert (found.p_value < 0.05) == (not found.low <= 0 <= found.high)
    turned = sm.compare_folds(second, first, test_share=share)
    assert turned.probability == pytest.approx(1 - found.probability)


def false_alarms(times: int, splits: int) -> tuple[float, float]:
    """Return how often a naive and the corrected test tell two equal learners apart, at the level 0.05.

    Two features are alike, and each learner puts its threshold between the class means of one of them: over all
    training sets they are equally good.
    """
    random, examples, tested = np.random.default_rng(3), 120, 12
    naive = corrected = 0
    for _ in range(times):
        true = np.arange(examples) % 2
        values = random.normal(size=(2, examples)) + true
        found = np.empty((2, splits))
        for split in range(splits):
            order = random.permutation(examples)
            test, train = order[:tested], order[tested:]
            for learner in range(2):
                feature = values[learner]
                means = [feature[train][true[train] == label].mean() for label in (0, 1)]
                found[learner, split] = np.mean((feature[test] > sum(means) / 2) == true[test])
        naive += stats.ttest_rel(*found).pvalue < 0.05
        corrected += sm.compare_folds(*found, test_share=tested / examples).p_value < 0.05
    return naive / times, corrected / times


@pytest.mark.thorough
def test_equal_learners_are_seldom_told_apart() -> None:
    times = 300
    naive, corrected = false_alarms(times, 30)
    assert corrected < 0.05 + 2.6 * (0.05 * 0.95 / times) ** 0.5
    assert naive > 0.2


def test_different_learners_are_told_apart() -> None:
    random = np.random.default_rng(0)
    first = 0.8 + 0.02 * random.normal(size=(10, 10))
    found = sm.compare_folds(first, first + 0.05 + 0.02 * random.normal(size=(10, 10)), test_share=0.1, same=0.01)
    assert found.low > 0.01
    assert found.practical < 1e-6
    assert "over 100 folds" in repr(found)


def test_equal_scores_say_nothing_against_equality() -> None:
    found = sm.compare_folds(BAYES, BAYES, test_share=0.1, same=0.5)
    assert (found.low, found.high, found.p_value, found.probability, found.practical) == (0, 0, 1, 0.5, 1)


def test_folds_that_have_names_are_matched_by_them() -> None:
    pandas = pytest.importorskip("pandas")
    folds = [f"fold {place}" for place in range(10)]
    first, second = pandas.Series(BAYES, folds), pandas.Series(J48, folds)
    wanted = sm.compare_folds(BAYES, J48, test_share=0.1)
    assert sm.compare_folds(first, second[::-1], test_share=0.1) == wanted
    runs = [pandas.DataFrame(np.reshape(part, (2, 5)), ["one", "two"], folds[:5]) for part in (BAYES, J48)]
    assert sm.compare_folds(runs[0], runs[1].iloc[::-1, ::-1], test_share=0.1) == wanted
    with pytest.raises(InputError, match="give both the same rows"):
        sm.compare_folds(first, second.rename({"fold 1": "fold 11"}), test_share=0.1)


@in_one_test
@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"scores_a": [0.7, 0.8]}, "2 and 3 scores make no pairs"),
        ({"scores_a": [0.7], "scores_b": [0.8]}, "1 and 1 scores make no pairs"),
        ({"scores_a": [[0.7, 0.8, 0.9]] * 2, "scores_b": [[0.7, 0.8]] * 3}, r"have the shapes \(2, 3\) and \(3, 2\)"),
        ({"scores_a": "abc"}, "scores_a='abc' are not scores"),
        ({"scores_b": [0.1, float("nan"), 0.3]}, "are not scores; pass a number for each fold, none of them missing"),
        ({"scores_a": [0.7, 0.8, 0.9], "scores_b": [0.8, 0.9, 1.0]}, "differ by 0.1 in each of the 3 folds"),
        ({"test_share": 10}, "test_share=10 is no share; pass test/"),
        ({"test_share": 0}, "test_share=0 is no share"),
        ({"same": 0}, "same=0 is no difference"),
        ({"same": True}, "same=True is no difference"),
        ({"level": 1.5}, "level=1.5 is no level"),
    ],
)
def test_comparisons_of_folds_that_are_none(changed: dict[str, object], told: str) -> None:
    usual = {"scores_a": [0.7, 0.8, 0.9], "scores_b": [0.7, 0.9, 0.8], "test_share": 1 / 3}
    with pytest.raises(InputError, match=told):
        sm.compare_folds(**(usual | changed))
