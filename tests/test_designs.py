"""Intervals from examples in groups, in strata and with weights: textbook variances, and laws of equal samples."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from effort import examples, in_one_test, is_thorough, some
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import logit

import symmetrics as sm
from symmetrics.metric.uncertainty import range_of
from symmetrics.statistics import resampling as designs
from symmetrics.tools.errors import InputError

ACCURACY = sm.metrics["accuracy"]
BOUND = {name: metric for name, metric in sm.metrics.items() if all(p.default is not None for p in metric.parameters)}
KEYS = ("recall", "f1", "mcc", "accuracy")
labels = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 4)), min_size=8, max_size=60)


def clustered(random: np.random.Generator, groups: int, size: int, alike: float) -> tuple[np.ndarray, ...]:
    """Draw truth, prediction and group, with rates that differ between groups."""

    def rates(mean: float) -> np.ndarray:
        return random.beta(mean * (1 / alike - 1), (1 - mean) * (1 / alike - 1), groups)

    group = np.repeat(np.arange(groups), random.poisson(size - 1, groups) + 1)
    truth = random.random(group.size) < rates(0.3)[group]
    guess = random.random(group.size) < np.where(truth, rates(0.8)[group], rates(0.1)[group])
    return truth.astype(int), guess.astype(int), group


@pytest.fixture
def nothing_added(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what is added to each entry, so that textbook variances hold to the digit."""
    monkeypatch.setattr(designs, "ADDED", 0.0)


def standard_error(found: object, freedom: float) -> float:
    """Return the standard error behind an interval on the logit scale."""
    low, high = (float(logit(end)) for end in found)
    value = found.estimate
    return (high - low) / 2 / stats.t.ppf(0.975, freedom) * value * (1 - value)


@pytest.mark.usefixtures("nothing_added")
def test_the_error_of_accuracy_is_the_cluster_robust_one_of_statsmodels() -> None:
    from statsmodels.regression.linear_model import OLS  # which takes half a second

    truth, guess, group = clustered(np.random.default_rng(0), 25, 6, 0.3)
    for chosen, key in ((np.ones(truth.size, bool), "accuracy"), (truth == 1, "recall")):
        right = (truth == guess)[chosen].astype(float)
        fit = OLS(right, np.ones_like(right)).fit(cov_type="cluster", cov_kwds={"groups": group[chosen]})
        found = sm.metrics[key].interval_from_labels(truth[chosen], guess[chosen], groups=group[chosen], labels=[0, 1])
        number = len(set(group[chosen]))
        assert standard_error(found, number - 1) == pytest.approx(fit.bse[0], rel=1e-9), key


@pytest.mark.usefixtures("nothing_added")
def test_the_error_in_strata_is_cochrans() -> None:
    """Cochran (1977), equation 5.13: the sum of W_h² s_h²/n_h, for strata of known shares W_h."""
    random = np.random.default_rng(1)
    sizes, shares = np.array([30, 50, 20]), np.array([0.5, 0.1, 0.4])
    stratum = np.repeat(np.arange(3), sizes)
    truth = random.integers(0, 2, 100)
    guess = np.where(random.random(100) < np.array([0.9, 0.6, 0.75])[stratum], truth, 1 - truth)
    right = (truth == guess).astype(float)
    variance = sum(
        w**2 * right[stratum == h].var(ddof=1) / n for h, (w, n) in enumerate(zip(shares, sizes, strict=True))
    )
    found = ACCURACY.interval_from_labels(truth, guess, strata=stratum, sample_weight=(shares / sizes)[stratum])
    assert found.estimate == pytest.approx(sum(w * right[stratum == h].mean() for h, w in enumerate(shares)))
    assert standard_error(found, 97) == pytest.approx(variance**0.5, rel=1e-9)


@given(labels, st.sampled_from(KEYS))
@settings(max_examples=examples(300))
def test_groups_of_one_example_have_the_ordinary_error(drawn: list[tuple[int, ...]], key: str) -> None:
    """Times the root of G/(G - 1), and with the quantile of t."""
    truth, guess, _ = map(list, zip(*drawn, strict=True))
    metric, number = sm.metrics[key], len(drawn)
    plain = metric.interval_from_labels(truth, guess, labels=[0, 1], method="delta")
    each = metric.interval_from_labels(truth, guess, labels=[0, 1], groups=range(number))
    if not metric.range.start < plain.low < plain.estimate < plain.high < metric.range.end:
        return
    low, width = float(metric.range.start), float(metric.range.end - metric.range.start)
    spans = [float(np.diff(logit((np.array([*found]) - low) / width))[0]) for found in (plain, each)]
    factor = stats.t.ppf(0.975, number - 1) / stats.norm.ppf(0.975) * (number / (number - 1)) ** 0.5
    if each.low < each.estimate < each.high:
        assert spans[1] == pytest.approx(spans[0] * factor, rel=1e-6)


def test_strata_of_the_true_classes_are_binomial_sampling() -> None:
    random = np.random.default_rng(3)
    truth = np.repeat([0, 1], 40)
    guess = np.where(random.random(80) < 0.8, truth, 1 - truth)
    factor = stats.t.ppf(0.975, 78) / stats.norm.ppf(0.975) * (40 / 39) ** 0.5
    for key in ("informedness", "mcc", "kappa"):
        plain = sm.metrics[key].interval_from_labels(truth, guess, sampling="binomial", method="delta")
        found = sm.metrics[key].interval_from_labels(truth, guess, strata=truth)
        spans = [float(np.diff(np.arctanh([*ends]))[0]) for ends in (plain, found)]
        assert spans[1] == pytest.approx(spans[0] * factor, rel=1e-9), key


@given(labels, st.sampled_from(KEYS), st.integers(2, 5))
@settings(max_examples=examples(200))
def test_repeating_every_example_within_its_group_changes_nothing(
    drawn: list[tuple[int, ...]], key: str, times: int
) -> None:
    truth, guess, group = (np.array(column) for column in zip(*drawn, strict=True))
    if len(set(group)) < 2:
        return
    once = sm.metrics[key].interval_from_labels(truth, guess, labels=[0, 1], groups=np.arange(truth.size))
    many = sm.metrics[key].interval_from_labels(
        np.tile(truth, times), np.tile(guess, times), labels=[0, 1], groups=np.tile(np.arange(truth.size), times)
    )
    assert [*many] == pytest.approx([*once], abs=1e-9)


@given(labels, st.floats(0.01, 100))
@settings(max_examples=examples(200))
def test_weights_count_relative_to_each_other(drawn: list[tuple[int, ...]], factor: float) -> None:
    truth, guess, weight = (np.array(column) for column in zip(*drawn, strict=True))
    if (weight > 0).sum() < 2:
        return
    one, other = (
        sm.metrics["f1"].interval_from_labels(truth, guess, labels=[0, 1], sample_weight=weight * times)
        for times in (1.0, factor)
    )
    assert [*other] == pytest.approx([*one], abs=1e-9)
    kept = weight > 0
    without = sm.metrics["f1"].interval_from_labels(truth[kept], guess[kept], labels=[0, 1], sample_weight=weight[kept])
    assert [*without] == pytest.approx([*one], abs=1e-12)


@given(labels, st.sampled_from(["delta", "bootstrap"]), st.sampled_from(KEYS))
@settings(max_examples=examples(200))
def test_intervals_lie_in_the_range_around_the_value(drawn: list[tuple[int, ...]], method: str, key: str) -> None:
    truth, guess, group = map(list, zip(*drawn, strict=True))
    if len(set(group)) < 2:
        return
    metric = sm.metrics[key]
    found = metric.interval_from_labels(truth, guess, labels=[0, 1], groups=group, method=method, draws=100)
    assert metric.range.start <= found.low <= found.high <= metric.range.end
    if not np.isnan(found.estimate):
        assert found.low <= found.estimate <= found.high
        assert found.estimate == pytest.approx(metric(truth, guess, labels=[0, 1]))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", some(BOUND, 2))
def test_at_every_face_of_every_metric_the_interval_lies_in_the_range(name: str) -> None:
    """With infinite values and without any: the ends are numbers, or ends of the range."""
    metric, random = BOUND[name], np.random.default_rng(0)
    low, high = range_of(metric)
    for table in some(product((0, 5), repeat=4), 8, name):
        place = np.repeat(np.arange(4), table)
        if place.size < 10:
            continue
        truth, guess = (place < 2).astype(int), (place % 2 == 0).astype(int)
        group = random.permutation(place.size) // 3
        for method in ("delta", "bootstrap"):
            found = metric.interval_from_labels(truth, guess, labels=[0, 1], groups=group, method=method, draws=100)
            assert low <= found.low <= found.high <= high
            assert np.isnan(found.estimate) or found.low <= found.estimate <= found.high


def test_the_bootstrap_of_groups_has_the_width_of_the_delta_method() -> None:
    truth, guess, group = clustered(np.random.default_rng(5), 300, 8, 0.2)
    strata = group % 3
    for key in KEYS:
        for given_ in ({"groups": group}, {"groups": group, "strata": strata}):
            delta, drawn = (
                sm.metrics[key].interval_from_labels(truth, guess, method=method, draws=3000, **given_)
                for method in ("delta", "bootstrap")
            )
            plain = sm.metrics[key].interval_from_labels(truth, guess, method="delta")
            assert drawn.width == pytest.approx(delta.width, rel=0.08)
            assert drawn.width > 1.1 * plain.width


def test_the_bootstrap_of_groups_of_one_is_that_of_counts() -> None:
    truth, guess, _ = clustered(np.random.default_rng(6), 60, 8, 0.2)
    plain = sm.metrics["f1"].interval_from_labels(truth, guess, method="bootstrap", draws=4000)
    for given_ in (
        {"groups": np.arange(truth.size)},
        {"strata": np.zeros(truth.size)},
        {"sample_weight": truth * 0 + 2},
    ):
        found = sm.metrics["f1"].interval_from_labels(truth, guess, method="bootstrap", draws=4000, **given_)
        assert [*found] == pytest.approx([*plain], abs=0.01)


def test_with_alike_groups_the_plain_interval_fails_and_that_of_groups_does_not() -> None:
    """At one setting: F1 of 40 groups of about 10, whose rates vary."""
    random, hits, times = np.random.default_rng(8), np.zeros(2), 250 if is_thorough() else 100
    true = sm.metrics["f1"].from_counts(0.24, 0.06, 0.07, 0.63)
    for _ in range(times):
        truth, guess, group = clustered(random, 40, 10, 0.3)
        for place, given_ in enumerate(({}, {"groups": group})):
            low, high = sm.metrics["f1"].interval_from_labels(truth, guess, method="delta", **given_)
            hits[place] += low <= true <= high
    assert hits[0] / times < 0.85
    assert 0.91 <= hits[1] / times <= 0.98


def test_of_many_classes_too() -> None:
    """A mean of classes by either route, and kappa, whose groups of one have the ordinary error."""
    random = np.random.default_rng(9)
    truth = random.integers(0, 3, 240)
    guess = np.where(random.random(240) < 0.7, truth, random.integers(0, 3, 240))
    group = np.arange(240) // 6
    balanced = sm.multiclass["balanced_accuracy"].interval_from_labels(truth, guess, groups=group)
    mean = sm.metrics["recall"].interval_from_labels(truth, guess, groups=group, average="macro")
    assert [*mean] == pytest.approx([*balanced], abs=1e-12)
    right = ACCURACY.interval_from_labels(truth, guess, groups=group, average="micro")
    assert right.estimate == pytest.approx((truth == guess).mean())
    factor = stats.t.ppf(0.975, 239) / stats.norm.ppf(0.975) * (240 / 239) ** 0.5
    for name in ("kappa", "cba", "mcc", "rci"):
        metric = sm.multiclass[name]
        plain = metric.interval_from_labels(truth, guess, method="delta")
        each = metric.interval_from_labels(truth, guess, groups=range(240))
        assert [*plain] == [*metric.interval(sm.ConfusionMatrix.of(truth, guess), method="delta")]
        assert each.width == pytest.approx(plain.width * factor, rel=2e-3), name
        unseen = metric.interval_from_labels(truth, guess, groups=group, labels=[0, 1, 2, 3])
        assert [*unseen] == pytest.approx([*metric.interval_from_labels(truth, guess, groups=group)], abs=1e-12)


def test_a_relevance_weighs_the_classes_by_name() -> None:
    truth, guess = list("aabbccab") * 5, list("abbbccaa") * 5
    relevance = sm.relevance.scores({"c": 0, "a": 0.25, "b": 0.75})
    group = [place // 4 for place in range(40)]
    for metric in (sm.metrics["f1"], sm.multiclass["cba"]):
        named = metric.interval_from_labels(truth, guess, groups=group, average=relevance)
        by_place = metric.interval_from_labels(truth, guess, groups=group, average=[1, 3, 0])
        assert [*named] == pytest.approx([*by_place], abs=1e-12)


@in_one_test
@pytest.mark.parametrize(
    ("given_", "told"),
    [
        ({"groups": [0, 0, 0, 0]}, "groups has a single group"),
        ({"strata": ["x", "x", "x", "y"]}, "strata: 'y' has a single example"),
        ({"strata": ["x", "x", "y", "y"], "groups": [0, 1, 2, 2]}, "strata: 'y' has a single group"),
        ({"sample_weight": [1, 0, 0, 0]}, "a single example counts"),
        ({"groups": [1, 1, 2, 3], "strata": [0, 1, 1, 0]}, "group 1 is in several strata, 0, 1"),
        ({"groups": [1, 2]}, "groups has 2 values and y_true 4 labels"),
        ({"groups": [1, 2, None, 3]}, r"groups\[2\] is missing"),
        ({"sample_weight": [1, 1, -1, 1]}, "sample_weight"),
        ({"groups": [1, 1, 2, 2], "method": "bayes"}, "method='bayes' is for examples drawn one by one"),
        ({"groups": [1, 1, 2, 2], "sampling": "binomial"}, "pass strata=y_true"),
        ({"groups": [1, 1, 2, 2], "level": 2}, "level=2 is no level"),
        ({"pos_label": 7}, "pos_label=7 is not among the labels"),
        ({"average": None}, "average=None is no average"),
        ({"average": "macro", "labels": [1]}, "label 0 occurs and is not among 1"),
    ],
)
def test_samples_that_are_none(given_: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        sm.metrics["f1"].interval_from_labels([0, 1, 1, 0], [0, 1, 0, 0], **given_)


def test_columns_that_do_not_fit() -> None:
    with pytest.raises(InputError, match="y_true has 2 labels and y_pred 1"):
        sm.metrics["f1"].interval_from_labels([0, 1], [0], groups=[1, 2])
    with pytest.raises(InputError, match="y_true has several labels per example"):
        sm.metrics["f1"].interval_from_labels(np.eye(3), np.eye(3), groups=[1, 2, 3])
    with pytest.raises(InputError, match="has 1 class"):
        sm.multiclass["kappa"].interval_from_labels([1, 1], [1, 1], groups=[1, 2])
    with pytest.raises(InputError, match="C has 1 class"):
        sm.metrics["f1"].interval_from_confusion([[5]])
