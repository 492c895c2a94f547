"""Intervals of areas and bands around curves: all pairs, resamples, and how often they hold."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from effort import examples, in_one_test, is_thorough
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import symmetrics as sm
from symmetrics.curves import delong_test, score_interval
from symmetrics.curves.bands import BANDS, BLOCK_MEASURES, Resamples, counted
from symmetrics.curves.examples import read_examples
from symmetrics.curves.measures import OF_POSITIVES_ALONE, SCORE_MEASURES
from symmetrics.curves.weighted import strip_weights
from symmetrics.tools.errors import InputError, SymmetricsError

# -- curves uncertainty ------------------------------------------------------------------------------------------------


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


# -- roc bands ---------------------------------------------------------------------------------------------------------


RATES = np.array([0.05, 0.1, 0.3, 0.6, 0.9])
drawn_scores = st.lists(st.integers(0, 9), min_size=2, max_size=12)


def true_height(rates: np.ndarray, distance: float) -> np.ndarray:
    """Return the ROC curve of two normal distributions."""
    return stats.norm.cdf(stats.norm.ppf(rates) + distance)


@cache
def largest_distance(number: int) -> float:
    """Return the 95 % bound, at the root for two samples, of Kolmogorov & Smirnov."""
    return float(stats.kstwo.ppf(0.95**0.5, number))


@pytest.mark.thorough
@pytest.mark.parametrize("method", BANDS)
def test_bands_contain_the_true_curve_as_often_as_they_say(method: str) -> None:
    random, hits = np.random.default_rng(4), []
    truth = np.repeat([1, 0], (60, 120))
    for _ in range(200):
        score = 1.2 * truth + random.normal(size=180)
        band = sm.roc_band(truth, score, fpr=RATES, method=method, level=0.9, draws=150)
        height = true_height(RATES, 1.2)
        hits.append((band.low <= height) & (height <= band.high))
    each = np.mean(hits, axis=0)
    if method == "kolmogorov":
        assert np.mean(np.all(hits, axis=1)) >= 0.87
    elif method == "binomial":
        assert each.min() >= 0.9
    else:
        assert each.min() >= 0.83
        assert each.max() <= 0.985


@given(drawn_scores, drawn_scores)
@settings(max_examples=examples(100))
def test_the_simultaneous_band_holds_whatever_both_distributions_within_their_bounds_give(
    positive: list[int], negative: list[int]
) -> None:
    """By definition: at every threshold the point moved by no more than the bounds lies within the band."""
    truth, score = [1] * len(positive) + [0] * len(negative), positive + negative
    up, across = (largest_distance(len(part)) for part in (positive, negative))
    curve = sm.roc_curve(truth, score)
    for fpr, tpr in zip(curve.fpr, curve.tpr, strict=True):
        for right in np.linspace(-1, 1, 5):
            here = float(np.clip(fpr + right * across * 0.999, 0, 1))
            band = sm.roc_band(truth, score, fpr=[here])
            assert band.low[0] <= min(max(tpr - up * 0.999, 0), 1)
            assert band.high[0] >= max(min(tpr + up * 0.999, 1), 0)


@given(drawn_scores, drawn_scores, st.sampled_from([*BANDS]))
@settings(max_examples=examples(150))
def test_bands_rise_within_the_square_around_the_curve(positive: list[int], negative: list[int], method: str) -> None:
    truth, score = [1] * len(positive) + [0] * len(negative), positive + negative
    band = sm.roc_band(truth, score, method=method, draws=100)
    assert len(band.fpr) == 101
    assert (band.low >= 0).all()
    assert (band.low <= band.tpr).all()
    assert (band.tpr <= band.high).all()
    assert (band.high <= 1).all()
    if method != "bootstrap":
        assert (np.diff(band.low) >= -1e-12).all()
        assert (np.diff(band.high) >= -1e-12).all()
    curve = sm.roc_curve(truth, score)
    assert band.tpr == pytest.approx(np.interp(band.fpr, curve.fpr, curve.tpr))


def test_with_many_negatives_the_pointwise_interval_is_that_of_a_proportion() -> None:
    """The threshold is then known, and what is left is Clopper & Pearson's interval at the root of the level."""
    truth = np.repeat([1, 0], (40, 50_000))
    score = np.concatenate([np.repeat([1.0, 2.5], (25, 15)), np.linspace(-3, 3, 50_000)])
    band = sm.roc_band(truth, score, fpr=[0.2], method="binomial")
    count = round(float(band.tpr[0]) * 40)
    expected = stats.binomtest(count, 40).proportion_ci(confidence_level=0.95**0.5, method="exact")
    assert [band.low[0], band.high[0]] == pytest.approx([expected.low, expected.high], abs=1e-9)
    drawn = sm.roc_band(truth, score, fpr=[0.2], method="bootstrap", draws=100)
    centre = (count + 1.959964**2 / 2) / (40 + 1.959964**2)
    reach = 1.959964 * (centre * (1 - centre) / (40 + 1.959964**2)) ** 0.5
    assert [drawn.low[0], drawn.high[0]] == pytest.approx([centre - reach, centre + reach], abs=1e-2)


def test_wider_levels_have_wider_bands_and_names_of_classes_do_not_matter() -> None:
    random = np.random.default_rng(2)
    truth = random.integers(0, 2, 90)
    score = truth + random.normal(size=90)
    for method in BANDS:
        narrow, wide = (sm.roc_band(truth, score, level=level, method=method, draws=200) for level in (0.8, 0.99))
        assert (wide.low <= narrow.low + 1e-12).all()
        assert (narrow.high <= wide.high + 1e-12).all()
        named = sm.roc_band(np.array(["n", "y"])[truth], score, pos_label="y", level=0.8, method=method, draws=200)
        assert named.low.tolist() == narrow.low.tolist()
    assert repr(wide) == "RocBand(101 rates, 99 % pointwise, bootstrap)"


def test_a_band_is_drawn_around_its_curve() -> None:
    pytest.importorskip("matplotlib")
    band = sm.roc_band([0, 1, 1, 0, 1], [1, 2, 3, 2, 4], level=0.8)
    axes = sm.plots.roc(band)
    (curve,) = [line for line in axes.lines if line.get_label() == "ROC curve"]
    assert curve.get_ydata().tolist() == band.tpr.tolist()
    corners = axes.collections[0].get_paths()[0].vertices
    assert {*band.low.tolist(), *band.high.tolist()} <= set(corners[:, 1].tolist())
    assert axes.get_legend().get_texts()[0].get_text() == "80 % simultaneous band"


@in_one_test
@pytest.mark.parametrize(
    ("given_", "told"),
    [
        ({"method": "delong"}, "method='delong' is unknown for bands"),
        ({"level": 1}, "level=1 is no level"),
        ({"fpr": [0.5, 1.5]}, "is not a list of false positive rates"),
        ({"fpr": "all"}, "is not a list of false positive rates"),
        ({"fpr": []}, "is not a list of false positive rates"),
        ({"draws": 3}, "draws=3 is too little"),
        ({"pos_label": 5}, "pos_label=5"),
    ],
)
def test_bands_that_are_none(given_: dict[str, object], told: str) -> None:
    with pytest.raises(SymmetricsError, match=told):
        sm.roc_band([0, 1, 1, 0], [1, 2, 3, 4], **given_)
    with pytest.raises(InputError, match="y_true holds one class"):
        sm.roc_band([1, 1], [1, 2])


@given(drawn_scores, drawn_scores, st.sampled_from(["multinomial", "binomial"]), st.sampled_from([*BLOCK_MEASURES]))
@settings(max_examples=examples(300))
def test_measures_at_resamples_are_those_of_weighted_examples(
    positive: list[int], negative: list[int], sampling: str, measure: str
) -> None:
    examples_ = read_examples([1] * len(positive) + [0] * len(negative), positive + negative, 1, None)
    for part, drawn in counted(examples_).blocks(7, sampling, 3):
        values = drawn.values(measure)
        assert len(values) == part.stop - part.start
        assert (drawn.positive + drawn.negative).sum(axis=1).tolist() == [len(positive) + len(negative)] * len(values)
        if sampling == "binomial":
            assert drawn.positive.sum(axis=1).tolist() == [len(positive)] * len(values)
        number = drawn.positive.shape[1]
        truth, score = np.repeat([1, 0], number), np.tile(np.arange(number, 0, -1), 2)
        for row, value in enumerate(values):
            weight = np.concatenate([drawn.positive[row], drawn.negative[row]])
            if drawn.pairs[row] == 0:
                assert np.isnan(value)
            elif measure == "weighted_auc":
                assert value == pytest.approx(weighted_by_strips(drawn, row), abs=1e-12)
            else:
                assert value == pytest.approx(SCORE_MEASURES[measure](truth, score, sample_weight=weight), abs=1e-12)


def weighted_by_strips(drawn: Resamples, row: int) -> float:
    """Return the weighted area of one resample, strip by strip; each copy of an example that is not tied has one."""
    drawn_scores = [
        each for each in zip(drawn.positive[row], drawn.negative[row], drawn.is_tied, strict=True) if any(each[:2])
    ]
    areas, left = [], sum(negative for _, negative, _ in drawn_scores)
    for positive, negative, is_tied in drawn_scores:
        number = 1 if is_tied or len(drawn_scores) == 2 else int(positive)
        if positive or len(drawn_scores) == 2:
            areas += [positive * (left - negative / 2) / drawn.pairs[row] / number] * number
        left -= negative
    return float(np.sum(np.array(areas) * strip_weights(len(areas), 0.1)))


@in_one_test
@pytest.mark.parametrize("measure", BLOCK_MEASURES)
def test_a_resample_of_one_pair_has_a_value_and_one_of_a_single_class_none_but_for_precision(measure: str) -> None:
    """The highest score comes first: a pair in the right order, one in the wrong order, and no pair.

    Of positive examples alone the average precision is 1, as everywhere.
    """
    positive = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 0.0]])
    negative = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 0.0], [1.0, 1.0]])
    values = Resamples(positive, negative, np.zeros(2, dtype=bool)).values(measure)
    wrong = {"gini": -1.0, "kolmogorov_smirnov": 1.0, "average_precision": 0.5}.get(measure, 0.0)
    right = 0.9 if measure == "weighted_auc" else 1.0  # the lower one of two strips weighs 1 - 0.1
    alone = 1.0 if measure in OF_POSITIVES_ALONE else np.nan
    assert values == pytest.approx([right, wrong, alone, np.nan], nan_ok=True)


def test_intervals_of_what_is_best_are_corrected_for_its_bias() -> None:
    """The H-measure of few examples is too large; quantiles of resamples would be larger still."""
    random, hits, above = np.random.default_rng(6), 0, 0
    truth = np.repeat([1, 0], (40, 120))
    many = np.repeat([1, 0], (25_000, 75_000))
    true = sm.h_measure(many, 1.2 * many + random.normal(size=100_000))
    seeds = range(40 if is_thorough() else 20)
    for seed in seeds:
        score = 1.2 * truth + random.normal(size=160)
        found = score_interval(truth, score, "h_measure", draws=100, seed=seed)
        hits += found.low <= true <= found.high
        above += found.estimate > true
    assert above > 0.6 * len(seeds)
    assert hits >= 0.825 * len(seeds)


def test_resamples_by_hand() -> None:
    # A weighted area without ties is at most 1 in all resamples. Copies of one example are no tie, which would make a
    # strip of twice the height.
    random = np.random.default_rng(2)
    truth = np.repeat([1, 0], (15, 45))
    found = counted(read_examples(truth, 3 * truth + random.normal(size=60), 1, None))
    values = np.concatenate([drawn.values("weighted_auc") for _, drawn in found.blocks(500, "multinomial", 0)])
    assert 0 < np.nanmin(values) < np.nanmax(values) <= 1
    # Resamples are drawn at the observed shares. Whether examples are drawn one by one, as where all scores differ,
    # or counts of those that tie.
    random = np.random.default_rng(5)
    for values in (random.normal(size=50), random.integers(0, 3, 50)):
        examples_ = read_examples(np.arange(50) % 3 == 0, values, True, None)
        drawn = [found for _, found in counted(examples_).blocks(20_000, "multinomial", 1)]
        total = np.concatenate([found.positive for found in drawn])
        observed = np.array([(examples_.score[examples_.positive] == v).sum() for v in np.unique(values)[::-1]])
        assert total.mean(axis=0) == pytest.approx(observed, abs=0.06)
        assert total.var(axis=0) == pytest.approx(observed * (1 - observed / 50), abs=0.3)
    # Resamples of two scores have two strips even if one is empty. The weighted area is then that of one operating
    # point, whose lower strip has no height.
    examples_ = read_examples([0] * 6 + [1] * 5, [2] * 4 + [1] * 2 + [1] * 5, 1, None)
    for _, drawn in counted(examples_).blocks(20, "multinomial", 2):
        fpr = drawn.fp[:, 0] / drawn.fp[:, -1]
        expected = [sm.curves.weighted_auc_at(tpr=0.0, fpr=float(rate)) for rate in fpr]
        both = (drawn.negative[:, 0] > 0) & (drawn.pairs > 0)
        assert both.sum() > 10
        assert drawn.values("weighted_auc")[both] == pytest.approx(np.array(expected)[both])
