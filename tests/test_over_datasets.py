"""Classifiers over data sets and folds: worked examples of the literature, scipy's tests, brute force, false alarms."""

from __future__ import annotations

import sys
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest
from effort import examples, in_one_test, is_thorough
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from test_reference_values import AREAS, TREES

import symmetrics as sm
from symmetrics.evaluation.datasets import as_frame
from symmetrics.evaluation.rank_tests import (
    differences_as_integers,
    friedman,
    ranked,
    signed_rank,
    signed_rank_probabilities,
)
from symmetrics.tools.errors import InputError, SymmetricsError

# -- over datasets -----------------------------------------------------------------------------------------------------


# Mean accuracies in percent of naive Bayes and J48 on 54 data sets, from the documentation of baycomp
# (docs/code/accuracies.txt), rounded to two decimals.
BAYES = """95.95 71.40 83.34 49.99 76.17 86.22 86.22 81.87 52.81 75.04 71.94 50.12 72.03 60.00 83.69 84.36 98.31 89.40
93.33 87.79 87.60 56.85 85.10 62.67 74.64 96.39 95.76 90.30 92.17 93.37 80.42 87.72 75.26 68.11 47.20 91.15 85.59 86.62
93.81 76.71 92.20 89.83 79.22 95.42 59.03 62.07 46.32 58.79 79.97 64.93 98.71 97.20 57.61 93.98"""
J48 = """98.64 77.22 77.20 49.50 83.50 86.29 86.29 80.21 64.21 72.17 72.31 39.66 71.51 60.00 78.57 80.52 99.19 90.12
93.60 99.44 85.80 56.85 76.37 64.09 97.80 98.92 100.00 97.18 78.59 96.61 73.17 88.62 74.32 69.78 41.01 94.14 88.95 89.98
97.84 74.68 92.63 92.85 81.06 94.17 63.50 77.67 46.78 76.54 74.87 60.95 90.73 95.04 57.08 92.61"""

tables = arrays(float, st.tuples(st.integers(2, 6), st.integers(3, 4)), elements=st.sampled_from([0.1, 0.3, 0.5, 0.7]))
pairs_of_scores = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=2, max_size=8)


@settings(max_examples=examples(200))
@given(tables)
def test_friedmans_test_is_that_of_scipy(few: np.ndarray) -> None:
    scores = np.tile(few, (6, 1))  # twelve data sets or more, of which the p-values are approximate
    ranks = ranked(scores)
    found = friedman(ranks, correct_ties=True)
    assert not found.by_permutation
    assert found.chi_square == pytest.approx(6 * friedman(ranked(few), correct_ties=True).chi_square)
    if (scores == scores[:, :1]).all():
        assert (found.chi_square, found.chi_square_p, found.f_p) == (0, 1, 1)
        return
    expected = stats.friedmanchisquare(*scores.T)
    assert found.chi_square == pytest.approx(expected.statistic)
    assert found.chi_square_p == pytest.approx(expected.pvalue)
    number, classifiers = scores.shape
    below = number * (classifiers - 1) - found.chi_square
    if below > 1e-9:
        assert found.f == pytest.approx((number - 1) * found.chi_square / below)
    else:
        assert found.f == np.inf
    means, plain = ranks.mean(axis=0), friedman(ranks, correct_ties=False)
    printed = (
        12 * number / (classifiers * (classifiers + 1)) * ((means**2).sum() - classifiers * (classifiers + 1) ** 2 / 4)
    )
    assert plain.chi_square == pytest.approx(printed, abs=1e-9)


@settings(max_examples=examples(30), deadline=None)
@given(arrays(float, st.tuples(st.integers(2, 3), st.integers(3, 4)), elements=st.sampled_from([0.1, 0.3, 0.5, 0.7])))
def test_p_values_of_few_data_sets_are_those_of_all_orders(scores: np.ndarray) -> None:
    """Brute force in fractions: every order of every row, of which all are alike by chance."""
    ranks = ranked(scores)
    (number, many), sums = ranks.shape, ranks.sum(axis=0)
    every = [np.sum(rows, axis=0) for rows in product(*(list(permutations(row)) for row in ranks))]
    spread = [((each - number * (many + 1) / 2) ** 2).sum() for each in (sums, *every)]
    found = friedman(ranks, correct_ties=True)
    assert found.by_permutation
    assert found.f_p == found.chi_square_p == pytest.approx(np.mean(np.array(spread[1:]) >= spread[0]))
    pairs = many * (many - 1) // 2
    for pair in sm.compare_over_datasets(scores).pairs:
        i, j = int(pair.first) - 1, int(pair.second) - 1
        exact = np.mean([abs(each[0] - each[1]) >= abs(sums[i] - sums[j]) for each in every])
        by_signs = 2.0 ** (1 - max(1, np.count_nonzero(ranks[:, i] != ranks[:, j])))
        assert pair.p_ranks == pytest.approx(min(1.0, max(pairs * exact, by_signs)))


@pytest.mark.parametrize(("row", "orders"), [([0.1, 0.2, 0.3], 6), ([0.1, 0.3, 0.3], 3), ([0.1, 0.2, 0.3, 0.4], 24)])
def test_data_sets_that_all_rank_alike_have_an_exact_p_value(row: list[float], orders: int) -> None:
    """Brute force: of all orders of the second and the third row, one is that of the first."""
    found = friedman(ranked(np.array([row] * 3)), correct_ties=True)
    assert (found.f, found.f_p, found.chi_square_p) == (np.inf, *2 * [pytest.approx(orders**-2)])
    same = [all(list(other) == row for other in others) for others in product(permutations(row), repeat=2)]
    assert found.f_p == pytest.approx(np.mean(same))


@settings(max_examples=examples(100))
@given(pairs_of_scores)
def test_wilcoxons_test_sees_ties_where_floats_do_not(pairs: list[tuple[int, int]]) -> None:
    """Differences of hundredths tie as those of whole numbers do, and all signs of their ranks are gone through."""
    first, second = np.array(pairs, dtype=float).T
    found = signed_rank((first / 100).tolist(), (second / 100).tolist())
    size = second - first
    ranks = [round(2 * rank) for rank in stats.rankdata(np.abs(size))]
    sums = Counter({0: 1})  # of twice the ranks that are positive, how many choices of signs have it
    for rank, change in zip(ranks, size, strict=True):
        if change:
            sums = sum(
                (Counter({total + more: times for total, times in sums.items()}) for more in (0, rank)), Counter()
            )
    rising, falling = (sum(np.array(ranks)[chosen]) for chosen in (size > 0, size < 0))
    lesser = min(rising, falling)
    p_value = Fraction(2 * sum(times for total, times in sums.items() if total <= lesser), sums.total())
    assert found == pytest.approx((lesser / 2 + (sum(ranks) - rising - falling) / 4, min(1, float(p_value))))


def test_wilcoxons_test_is_that_of_scipy_where_that_is_exact() -> None:
    random = np.random.default_rng(1)
    for number in (3, 5, 13, 30, 50):
        first, second = random.random((2, number))
        expected = stats.wilcoxon(second - first, zero_method="zsplit", method="exact")
        assert signed_rank(first.tolist(), second.tolist()) == pytest.approx((expected.statistic, expected.pvalue))
    first, second = random.integers(0, 5, (2, 12))
    expected = stats.wilcoxon(second - first, zero_method="zsplit")  # of so few data sets it goes through all signs
    assert signed_rank(first.tolist(), second.tolist()) == pytest.approx((expected.statistic, expected.pvalue))


def test_wilcoxons_test_of_very_many_is_normal() -> None:
    random = np.random.default_rng(2)
    first, second = 2 * random.integers(0, 30, 600), 2 * random.integers(0, 30, 600) + 1
    expected = stats.wilcoxon(second - first, method="approx")
    assert signed_rank(first.tolist(), second.tolist()) == pytest.approx((expected.statistic, expected.pvalue))
    assert signed_rank([0.5] * 600, [0.25] * 600)[1] < 1e-100


def test_exact_differences_have_any_size() -> None:
    found, also = differences_as_integers([1e-3, 2e5, -0.25], [0.1, 0, 1e20], 0.5)
    assert found.tolist() == [99, -200_000_000, 10**23 + 250]
    assert also == [500]


def test_scores_that_no_decimal_number_is_tie_as_their_differences_do() -> None:
    of_six = np.random.default_rng(3).integers(0, 7, (examples(40), 9, 2))
    for first, second in (table.T for table in of_six):
        as_numbers = signed_rank((first / 6).tolist(), (second / 6).tolist())
        assert as_numbers == signed_rank(first.tolist(), second.tolist())
        for same in (0, 1):
            found = signed_rank_probabilities((first / 6).tolist(), (second / 6).tolist(), same / 6, draws=200, seed=0)
            expected = signed_rank_probabilities(first.tolist(), second.tolist(), same, draws=200, seed=0)
            assert found == pytest.approx(expected, abs=1e-12)
    assert signed_rank([0.1 + 0.2, 0.5], [0.3, 0.5])[1] == 1  # no difference but for rounding
    assert ranked(np.array([[0.3, 0.1 + 0.2, 0.5], [-1e308, 1e308, 1e-300]])).tolist() == [[2.5, 2.5, 1], [3, 1, 2]]
    assert signed_rank_probabilities([0.5], [0.5], 1e-300, draws=50, seed=0) == (0, 1, 0)
    # Each pair of scores rounds by itself: a difference that is small beside another data set's scores is one.
    assert signed_rank([1e300, 1, 2, 3], [2e300, 1.1, 2.3, 3.7])[1] == 0.125


def test_the_bayesian_test_has_the_published_probabilities() -> None:
    """The documentation of baycomp prints 0.23014, 0.00674, 0.76312 and 0.23124, 0.00666, 0.7621, of 50,000 draws."""
    scores = {name: [float(word) for word in text.split()] for name, text in (("nbc", BAYES), ("j48", J48))}
    (pair,) = sm.compare_over_datasets(scores, same=1.0, draws=200_000 if is_thorough() else 60_000).pairs
    assert pair.probabilities == pytest.approx((0.2307, 0.0067, 0.7626), abs=6e-3)


@pytest.mark.parametrize("same", [0.0, 1.0, 2.5])
def test_the_bayesian_test_is_that_of_the_definition(same: float) -> None:
    """By the sum over all pairs of data sets, for all draws at once."""
    first, second = [1.0, 4.0, 2.0, 7.0, 3.0], [2.0, 3.0, 6.0, 7.0, 6.0]
    z = [0.0, *(np.array(second) - first)]
    draws = 4000
    weights = np.random.default_rng(5).dirichlet([0.5, 1, 1, 1, 1, 1], size=draws).T
    regions = np.zeros((3, draws))
    for (one, w), (other, v) in product(zip(z, weights, strict=True), repeat=2):
        middle, weight = (one + other) / 2, w * v
        if abs(middle) == same:
            regions[[1 if same else 0, 2 if middle > 0 or not same else 0]] += weight / 2
        else:
            regions[0 if middle < -same else 2 if middle > same else 1] += weight
    wins = np.bincount(np.argmax(regions, axis=0), minlength=3)
    found = signed_rank_probabilities(first, second, same, draws=draws, seed=1)
    assert sum(found) == pytest.approx(1)
    assert found == pytest.approx(wins / draws, abs=4 * (0.25 / draws) ** 0.5)


def test_equal_classifiers_are_practically_the_same() -> None:
    scores = [0.5, 0.6, 0.7]
    assert signed_rank_probabilities(scores, scores, 0.01, draws=500, seed=0) == (0, 1, 0)
    assert signed_rank_probabilities(scores, scores, 0.0, draws=500, seed=0) == (0.5, 0, 0.5)


@settings(max_examples=examples(50))
@given(tables)
def test_the_order_of_columns_and_the_sign_of_scores_do_not_matter(scores: np.ndarray) -> None:
    names = [f"c{place}" for place in range(scores.shape[1])]
    found = sm.compare_over_datasets(scores, names)
    turned = sm.compare_over_datasets(-scores[:, ::-1], names[::-1], greater_is_better=False)
    assert found.ranks == turned.ranks
    assert found.friedman == turned.friedman
    told = {(pair.second, pair.first): pair for pair in turned.pairs}
    for pair in found.pairs:
        other = told[pair.first, pair.second]
        assert pair.rank_difference == pytest.approx(-other.rank_difference)
        assert (pair.p_ranks, pair.p_wilcoxon) == pytest.approx((other.p_ranks, other.p_wilcoxon))


@settings(max_examples=examples(50))
@given(tables)
def test_groups_are_all_that_cannot_be_told_apart(scores: np.ndarray) -> None:
    found = sm.compare_over_datasets(scores, level=0.5)
    near = {pair for group in found.groups for pair in combinations(sorted(group), 2)}
    apart = {
        pair
        for pair in combinations(found.ranks, 2)
        if abs(found.ranks[pair[0]] - found.ranks[pair[1]]) <= (found.critical_difference)
    }
    assert near == apart
    for one, other in combinations(found.groups, 2):
        assert not set(one) <= set(other)


def test_two_classifiers_have_no_friedman_test_and_all_tables_are_read() -> None:
    pandas = pytest.importorskip("pandas")
    columns = {"a": AREAS[:, 0], "b": AREAS[:, 1]}
    found = sm.compare_over_datasets(columns)
    assert found.friedman is None
    assert "Friedman" not in repr(found)
    assert found.pairs == sm.compare_over_datasets(pandas.DataFrame(columns)).pairs
    assert found.pairs == sm.compare_over_datasets(AREAS[:, :2], ["a", "b"]).pairs
    assert list(sm.compare_over_datasets(AREAS[:, :2]).ranks) == ["1", "2"]
    frame = sm.compare_over_datasets(AREAS, TREES, same=0.01, draws=200).to_frame()
    assert frame.shape == (6, 10)
    assert (frame[["first_better", "practical", "second_better"]].sum(axis=1) - 1).abs().max() < 1e-9


def test_data_sets_that_have_names_are_matched_by_them() -> None:
    pandas = pytest.importorskip("pandas")
    named = pandas.DataFrame({"a": AREAS[:, 0], "b": AREAS[:, 1]}, index=[f"set {place}" for place in range(14)])
    turned = sm.compare_over_datasets({"a": named["a"], "b": named["b"][::-1]})
    assert turned.pairs == sm.compare_over_datasets(named).pairs
    with pytest.raises(SymmetricsError, match="give both the same rows, each once, or pass arrays"):
        sm.compare_over_datasets({"a": named["a"], "b": named["b"].rename({"set 3": "set 99"})})
    others = named["b"].set_axis(range(14, 28))  # of no common name, as halves of one long column
    assert sm.compare_over_datasets({"a": named["a"], "b": others}).pairs == turned.pairs


@in_one_test
@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"scores": "none"}, "scores='none' is no table of numbers"),
        ({"scores": [1, 2, 3]}, "is no table of numbers"),
        ({"scores": [[1, 2]]}, r"shape \(1, 2\); pass a row for each data set, 2 or more"),
        ({"scores": [[1], [2]]}, "a column for each classifier, 2 or more"),
        ({"scores": {}}, "pass a row for each data set"),
        ({"scores": [[1, 2], [3, float("nan")]]}, "the score of 2 in row 1 is nan"),
        ({"scores": {"a": [1, 2], "b": [1]}}, r"different lengths \(a 2, b 1\)"),
        ({"scores": {"a": [1, 2], "b": [1, 2]}, "classifiers": ["a", "b"]}, "leave one out"),
        ({"classifiers": ["a"]}, "the names a are not those of 2 classifiers"),
        ({"classifiers": ["a", "a"]}, "give each its own"),
        ({"control": "z"}, "unknown classifier 'z'"),
        ({"correction": "hope"}, "correction='hope' is unknown"),
        ({"same": -1}, "same=-1 is no difference"),
        ({"same": True}, "same=True is no difference"),
        ({"level": 1}, "level=1 is no level"),
        ({"draws": 0}, "draws=0 is too little"),
    ],
)
def test_comparisons_over_data_sets_that_are_none(changed: dict[str, object], told: str) -> None:
    with pytest.raises(SymmetricsError, match=told):
        sm.compare_over_datasets(**({"scores": [[1, 2], [3, 5]]} | changed))


def test_three_classifiers_are_compared_by_friedmans_test_and_two_are_not() -> None:
    two, three = (sm.compare_over_datasets(AREAS[:, :many], TREES[:many]) for many in (2, 3))
    assert two.friedman is None
    assert three.friedman is not None
    assert three.friedman.degrees[0] == 2


def test_a_frame_needs_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(SymmetricsError, match="data frames need pandas"):
        as_frame([{"first": "a"}])


# -- folds -------------------------------------------------------------------------------------------------------------


# The accuracies of naive Bayes and J48 in ten folds of the data set "sonar", from the documentation of baycomp
# (docs/code/accuracies.txt).
BAYES_IN_FOLDS = [94.203, 92.754, 95.652, 91.176, 92.647, 91.176, 92.647, 92.647, 86.765, 91.176]
J48_IN_FOLDS = [92.754, 92.754, 89.855, 89.706, 95.588, 89.706, 95.588, 94.118, 91.176, 92.647]

scores = st.lists(st.tuples(st.floats(0.1, 1), st.floats(0.1, 1)), min_size=2, max_size=30, unique=True)


def test_the_probabilities_are_the_published_ones() -> None:
    """The documentation of baycomp prints them for two_on_single(nbc, j48) and two_on_single(nbc, j48, rope=0.5)."""
    found = sm.compare_folds(BAYES_IN_FOLDS, J48_IN_FOLDS, test_share=0.1, same=0.5)
    assert found.probability == pytest.approx(0.5854880024938538, abs=1e-12)
    assert found.practical == pytest.approx(0.2691518716880249, abs=1e-12)


def test_the_test_is_students_with_another_variance() -> None:
    """scipy's paired t, divided by the root of 1 + n*test/train."""
    found = sm.compare_folds(BAYES_IN_FOLDS, J48_IN_FOLDS, test_share=0.25, level=0.9)
    naive = stats.ttest_rel(J48_IN_FOLDS, BAYES_IN_FOLDS)
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
    found = sm.compare_folds(BAYES_IN_FOLDS, BAYES_IN_FOLDS, test_share=0.1, same=0.5)
    assert (found.low, found.high, found.p_value, found.probability, found.practical) == (0, 0, 1, 0.5, 1)


def test_folds_that_have_names_are_matched_by_them() -> None:
    pandas = pytest.importorskip("pandas")
    folds = [f"fold {place}" for place in range(10)]
    first, second = pandas.Series(BAYES_IN_FOLDS, folds), pandas.Series(J48_IN_FOLDS, folds)
    wanted = sm.compare_folds(BAYES_IN_FOLDS, J48_IN_FOLDS, test_share=0.1)
    assert sm.compare_folds(first, second[::-1], test_share=0.1) == wanted
    runs = [
        pandas.DataFrame(np.reshape(part, (2, 5)), ["one", "two"], folds[:5]) for part in (BAYES_IN_FOLDS, J48_IN_FOLDS)
    ]
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
