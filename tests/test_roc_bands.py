"""Bands around ROC curves: their laws, their coverage, and measures at many resamples."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from effort import examples, in_one_test, is_thorough
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import symmetrics as sm
from symmetrics.curves.bands import BANDS
from symmetrics.curves.examples import read_examples
from symmetrics.curves.measures import OF_POSITIVES_ALONE, SCORE_MEASURES
from symmetrics.curves.resampling import BLOCK_MEASURES, Resamples, counted
from symmetrics.curves.uncertainty import score_interval
from symmetrics.curves.weighted import strip_weights
from symmetrics.tools.errors import InputError, SymmetricsError

RATES = np.array([0.05, 0.1, 0.3, 0.6, 0.9])
scores = st.lists(st.integers(0, 9), min_size=2, max_size=12)


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


@given(scores, scores)
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


@given(scores, scores, st.sampled_from([*BANDS]))
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


def test_levels_and_pictures_of_bands() -> None:
    # Wider levels have wider bands and names of classes do not matter.
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
    # A band is drawn around its curve.
    pytest.importorskip("matplotlib")
    band = sm.roc_band([0, 1, 1, 0, 1], [1, 2, 3, 2, 4], level=0.8)
    axes = sm.plots.roc(band)
    (curve,) = [line for line in axes.lines if line.get_label() == "ROC curve"]
    assert curve.get_ydata().tolist() == band.tpr.tolist()
    corners = axes.collections[0].get_paths()[0].vertices
    assert {*band.low.tolist(), *band.high.tolist()} <= set(corners[:, 1].tolist())
    assert axes.get_legend().get_texts()[0].get_text() == "80 % simultaneous band"
    # With many negatives the pointwise interval is that of a proportion. The threshold is then known, and what is
    # left is Clopper & Pearson's interval at the root of the level.
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


@given(scores, scores, st.sampled_from(["multinomial", "binomial"]), st.sampled_from([*BLOCK_MEASURES]))
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
    scores = [
        each for each in zip(drawn.positive[row], drawn.negative[row], drawn.is_tied, strict=True) if any(each[:2])
    ]
    areas, left = [], sum(negative for _, negative, _ in scores)
    for positive, negative, is_tied in scores:
        number = 1 if is_tied or len(scores) == 2 else int(positive)
        if positive or len(scores) == 2:
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
