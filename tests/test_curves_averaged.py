"""Areas of many classes and labels, and what a histogram of scores says of an area."""

from __future__ import annotations

import itertools
import math
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from effort import examples, in_one_test
from engines import engines, frame
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import symmetrics as sm
from symmetrics.curves import hand_till, kolmogorov_smirnov, one_vs_rest_auc, score_histogram
from symmetrics.curves.histograms import MEASURES, ScoreBins, ScoreHistogram
from symmetrics.curves.measures import SCORE_MEASURES
from symmetrics.tools.errors import InputError

# -- curves averaged ---------------------------------------------------------------------------------------------------


def columns(seed: int, classes: int = 4, size: int = 60) -> tuple[Any, Any, Any]:
    """Labels of all classes, scores with ties that add up to 1, weights."""
    random = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(classes), random.integers(0, classes, size - classes)])
    scores = random.integers(1, 6, (size, classes)) + 0.0
    return labels, scores / scores.sum(axis=1, keepdims=True), random.integers(1, 5, size) / 2


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("multi_class", "average", "weighted"),
    [("ovr", name, weighted) for name in ("macro", "weighted", "micro", None) for weighted in (False, True)]
    + [("ovo", "macro", False), ("ovo", "weighted", False)],
)
@settings(max_examples=examples(30), deadline=None)
@given(st.integers(0, 10**6), st.integers(3, 5))
def test_areas_of_classes_are_scikit_learn_s(
    multi_class: str, average: str | None, weighted: bool, seed: int, classes: int
) -> None:
    labels, scores, weight = columns(seed, classes)
    given: dict[str, Any] = {"average": average, "sample_weight": weight if weighted else None}
    expected = sklearn.metrics.roc_auc_score(labels, scores, multi_class=multi_class, **given)
    assert sm.roc_auc(labels, scores, multi_class=multi_class, **given) == pytest.approx(expected, abs=1e-12)
    if multi_class == "ovr":
        expected = sklearn.metrics.average_precision_score(labels, scores, **given)
        assert sm.average_precision(labels, scores, **given) == pytest.approx(expected, abs=1e-12)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("average", ["macro", "weighted", "micro", "samples", None])
@settings(max_examples=examples(30), deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_areas_of_several_labels_are_scikit_learn_s(average: str | None, seed: int, weighted: bool) -> None:
    random = np.random.default_rng(seed)
    truth = random.integers(0, 2, (30, 4))
    truth[:2], truth[:, 0], truth[:, 1] = [[1, 0, 1, 0], [0, 1, 0, 1]], 0, 1  # both kinds in each row
    truth[:2, :2] = [[1, 0], [0, 1]]  # and in each column
    scores = random.integers(0, 6, truth.shape) / 5
    given: dict[str, Any] = {"average": average, "sample_weight": random.integers(1, 4, 30) if weighted else None}
    for ours, theirs, more in (
        (sm.roc_auc, "roc_auc_score", {}),
        (sm.roc_auc, "roc_auc_score", {"max_fpr": 0.4}),
        (sm.average_precision, "average_precision_score", {}),
    ):
        expected = getattr(sklearn.metrics, theirs)(truth, scores, **given, **more)
        assert ours(truth, scores, **given, **more) == pytest.approx(expected, abs=1e-12)


@given(st.integers(0, 10**6))
@settings(max_examples=examples(30), deadline=None)
def test_pairs_and_columns_agree_with_the_other_functions(seed: int) -> None:
    labels, scores, weight = columns(seed, 3)
    assert sm.roc_auc(labels, scores, multi_class="ovo") == pytest.approx(hand_till(labels, scores))
    expected = one_vs_rest_auc(labels, scores, sample_weight=weight)
    assert sm.roc_auc(labels, scores, sample_weight=weight) == pytest.approx(expected)
    frame = pd.DataFrame(scores, columns=["a", "b", "c"])[["c", "a", "b"]]
    assert sm.roc_auc(np.array(["a", "b", "c"])[labels], frame) == pytest.approx(sm.roc_auc(labels, scores))


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=examples(40), deadline=None)
def test_one_column(seed: int, weighted: bool) -> None:
    random = np.random.default_rng(seed)
    labels, scores = np.concatenate([[0, 1], random.integers(0, 2, 20)]), random.integers(0, 9, 22) / 8
    weight = random.integers(1, 5, 22) / 4 if weighted else None
    for ours, theirs, settings_of in (
        (sm.roc_auc, "roc_auc_score", {}),
        (sm.roc_auc, "roc_auc_score", {"max_fpr": 0.3}),
        (sm.average_precision, "average_precision_score", {}),
    ):
        expected = getattr(sklearn.metrics, theirs)(labels, scores, sample_weight=weight, **settings_of)
        assert ours(labels, scores, sample_weight=weight, **settings_of) == pytest.approx(expected, abs=1e-12)
    for one, other in zip(
        sm.det_curve(labels, scores, sample_weight=weight),
        sklearn.metrics.det_curve(labels, scores, sample_weight=weight),
        strict=True,
    ):
        assert one == pytest.approx(other, abs=1e-12)


@given(st.integers(0, 10**6), st.integers(1, 4))
@settings(max_examples=examples(40), deadline=None)
def test_top_k_is_the_mean_over_all_ways_to_break_ties(seed: int, k: int) -> None:
    labels, _, weight = columns(seed, size=9)
    scores = np.random.default_rng(seed).integers(0, 3, (9, 4))
    ways = []
    for order in itertools.permutations(range(4)):  # ties go to the class that is named first
        best = [sorted(range(4), key=lambda c, row=row: (-row[c], order.index(c)))[:k] for row in scores]  # type: ignore[misc]
        ways.append(np.average([label in top for label, top in zip(labels, best, strict=True)], weights=weight))
    assert sm.top_k_accuracy(labels, scores, k=k, sample_weight=weight) == pytest.approx(np.mean(ways))


def test_means_without_some_labels_and_ties() -> None:
    # A label without an area is left out of the mean.
    truth, scores = [[1, 0], [1, 1], [1, 0]], [[0.5, 0.2], [0.1, 0.9], [0.3, 0.4]]
    assert sm.roc_auc(truth, scores) == 1.0
    assert np.isnan(sm.roc_auc(truth, scores, average=None)).tolist() == [True, False]
    assert math.isnan(sm.average_precision([[0, 0]] * 3, scores))
    # Top k without ties is scikit-learn's.
    random = np.random.default_rng(0)
    labels, scores = random.integers(0, 5, 50), random.random((50, 5))
    for k in (1, 2, 4, 5):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = sklearn.metrics.top_k_accuracy_score(labels, scores, k=k, labels=range(5))
        assert sm.top_k_accuracy(labels, scores, k=k, labels=range(5)) == pytest.approx(expected)
    assert sm.top_k_accuracy([0, 1, 0], [[3, 2, 1]] * 3, k=1, labels=[0, 1, 2]) == pytest.approx(2 / 3)


LABELS, SCORES, _ = columns(1)


@in_one_test
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sm.roc_auc(LABELS, SCORES, multi_class="raise"), "pass 'ovr' or 'ovo'"),
        (lambda: sm.roc_auc(LABELS, SCORES, multi_class="ovo", average="micro"), "pass 'macro' or 'weighted'"),
        (lambda: sm.roc_auc(LABELS, SCORES, average="mean"), "average='mean' is unknown"),
        (lambda: sm.roc_auc(LABELS, SCORES, max_fpr=2), "max_fpr=2 is not a rate"),
        (lambda: sm.roc_auc(LABELS, SCORES, max_fpr=0), "leaves no part of the curve"),
        (lambda: sm.roc_auc(LABELS, SCORES[:, :3]), "3 columns and there are 4 classes"),
        (lambda: sm.roc_auc([0, 0], [0.1, 0.2]), "one class"),
        (lambda: sm.average_precision([[0, 1]], [[0.1, 0.2, 0.3]]), "pass a score per label"),
        (lambda: sm.roc_auc([[0, 1], [1, 0]], [[0.1, 0.2]] * 2, labels=["a"]), "columns are numbered from 0 to 1"),
        (lambda: sm.top_k_accuracy(LABELS, SCORES, k=5), "from 1 to 4"),
        (lambda: sm.top_k_accuracy(LABELS, SCORES, k=True), "from 1 to 4"),
        (lambda: sm.det_curve([1, 1], [0.1, 0.2]), "one class"),
    ],
)
def test_what_is_refused(call: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


# -- histograms --------------------------------------------------------------------------------------------------------


ROUNDING = 1e-12
SCORED = st.lists(
    st.tuples(st.booleans(), st.one_of(st.integers(-5, 5), st.floats(-1e300, 1e300), st.floats(0, 1, width=16))),
    min_size=2,
    max_size=40,
).filter(lambda rows: len({truth for truth, _ in rows}) == 2)


def by_hand(truth: list[bool], scores: list[float], bins: int) -> ScoreHistogram:
    """Return the histogram as the engines make it."""
    y, s = np.array(truth), np.array(scores, dtype=np.float64)
    place = ScoreBins(s.min(), s.max(), bins).of(s)
    found = np.unique(place)
    parts = [(y & (place == b), ~y & (place == b), place == b) for b in found]
    ends = [(s[here].min(), s[here].max()) for *_, here in parts]
    return ScoreHistogram.of(
        [p.sum() for p, *_ in parts], [n.sum() for _, n, _ in parts], [a == b for a, b in ends], [b for _, b in ends]
    )


@settings(max_examples=examples(200), deadline=None)
@given(rows=SCORED, bins=st.integers(1, 12))
def test_a_histogram_encloses_what_all_scores_say(rows: list[tuple[bool, float]], bins: int) -> None:
    truth, scores = [y for y, _ in rows], [float(s) for _, s in rows]
    histogram = by_hand(truth, scores, bins)
    for name, measure in MEASURES.items():
        found, exact = measure(histogram), SCORE_MEASURES[name](truth, scores)
        assert found.low - ROUNDING <= exact <= found.high + ROUNDING, name
        assert found.low <= found.value <= found.high, name
    unknown = (histogram.positive * histogram.negative)[~histogram.tied].sum()
    bound = unknown / (2 * histogram.positive.sum() * histogram.negative.sum())
    assert histogram.auc().error == pytest.approx(bound)
    assert abs(histogram.auc().value - sm.auc(truth, scores)) <= bound + ROUNDING


@settings(max_examples=examples(100), deadline=None)
@given(counts=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=6))
def test_the_bound_on_the_area_is_reached(counts: list[tuple[int, int]]) -> None:
    """With all positive examples of each bin above its negative ones, or below them."""
    assume(all(sum(part) for part in zip(*counts, strict=True)))
    for side, end in ((1, "high"), (-1, "low")):
        rows = [
            (y, b + side * (0.5 if y else 0.25)) for b, (p, n) in enumerate(counts) for y in [True] * p + [False] * n
        ]
        found = ScoreHistogram.of(
            [p for p, _ in counts], [n for _, n in counts], [False] * len(counts), [b + 0.5 for b in range(len(counts))]
        )
        truth, scores = zip(*rows, strict=True)
        assert sm.auc(truth, scores) == pytest.approx(getattr(found.auc(), end))
        if side == 1:
            assert sm.h_measure(truth, scores) == pytest.approx(found.h_measure().high)
            assert kolmogorov_smirnov(truth, scores) <= found.kolmogorov_smirnov().high + ROUNDING


@settings(max_examples=examples(200), deadline=None)
@given(
    scores=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=20),
    bins=st.integers(1, 1 << 16),
)
def test_a_higher_score_is_never_in_a_lower_bin(scores: list[float], bins: int) -> None:
    ordered = np.sort(np.array(scores))
    places = ScoreBins(ordered[0], ordered[-1], bins).of(ordered)
    assert (np.diff(places) >= 0).all()
    assert places.min() >= 0
    assert places.max() < bins


ROWS = {
    "y": [0, 1, 1, 0, 1, 0, 0, 1],
    "s": [0.1, 0.4, 0.35, 0.35, 0.8, 0.2, 0.7, 0.7],
    "w": [1.0, 2.0, 0.5, 1.0, 0.0, 3.0, 1.0, 1.0],
}


@pytest.mark.sampled(4)
@engines()
def test_every_engine_counts_the_same_histogram(engine: str) -> None:
    native = frame(engine, ROWS)
    exact = score_histogram(native, "y", "s", bins=None)
    for name, measure in MEASURES.items():
        value = SCORE_MEASURES[name](ROWS["y"], ROWS["s"])
        assert measure(exact) == pytest.approx((value, value, value))
    assert np.array_equal(exact.curve().tpr, sm.roc_curve(ROWS["y"], ROWS["s"]).tpr)
    assert exact.curve().thresholds.tolist() == sm.roc_curve(ROWS["y"], ROWS["s"]).thresholds.tolist()
    binned, expected = score_histogram(native, "y", "s", bins=4), by_hand([y == 1 for y in ROWS["y"]], ROWS["s"], 4)
    assert binned.positive.tolist() == expected.positive.tolist()
    assert binned.negative.tolist() == expected.negative.tolist()
    assert binned.tied.tolist() == expected.tied.tolist()
    weighted = score_histogram(native, "y", "s", weight="w", bins=None).auc()
    assert weighted.value == pytest.approx(sm.auc(ROWS["y"], ROWS["s"], sample_weight=ROWS["w"]))
    assert weighted.error == 0


@pytest.mark.parametrize("size", [5e-324, 1e-200, 1e200, 1e307])
def test_weights_of_any_size_have_the_same_areas(size: float) -> None:
    counts = np.array([[2.0, 0, 1, 4], [3.0, 1, 2, 1]])
    tied, highest = [True, False, False, True], range(4)
    wanted = ScoreHistogram.of(*counts, tied, highest)
    found = ScoreHistogram.of(*(size * counts), tied, highest)
    assert found.auc() == pytest.approx(wanted.auc(), rel=1e-12)
    assert found.kolmogorov_smirnov() == pytest.approx(wanted.kolmogorov_smirnov(), rel=1e-12)
    with pytest.raises(InputError, match="positive examples weigh more than float64 holds"):
        ScoreHistogram.of([1e308, 1e308, 0, 0], counts[1], tied, highest)


@engines("pandas", "polars, lazy", "DuckDB")
def test_whole_scores_that_float64_merges_are_not_taken_for_ties(engine: str) -> None:
    scores = [2**53, 2**53 + 1, 2**53 + 2, 2**53, -(2**60) - 1, -(2**60)]  # merged in pairs
    native = frame(engine, {"y": [0, 1, 1, 0, 0, 1], "s": scores})
    assert score_histogram(native, "y", "s", bins=None).auc() == (7 / 9,) * 3  # two of nine pairs are in disorder
    found = score_histogram(native, "y", "s", bins=4).auc()
    assert found.low <= 7 / 9 <= found.high


@engines("pandas", "polars, lazy", "DuckDB")
@pytest.mark.parametrize(
    ("change", "options", "reason"),
    [
        ({"s": [0.1, None] * 4}, {}, "column 's' holds a score in 4 examples that is missing"),
        ({"s": [0.1, math.inf] * 4}, {}, "column 's' holds a score in 4 examples"),
        ({"s": ["a", "b"] * 4}, {}, "a score is a number"),
        ({"y": [1] * 8}, {}, "no example is negative"),
        ({"y": [0] * 8}, {}, "no example is positive"),
        ({"y": [None, 1] * 4}, {}, "column 'y' holds no label in 4 examples"),
        ({"y": [0.0, 1.0, math.nan, 1.0] * 2}, {}, "column 'y' holds no label in 2 examples"),
        ({"w": [-1.0, 1.0] * 4}, {"weight": "w"}, "column 'w' holds a weight in 4 examples"),
        ({}, {"bins": 0}, "bins=0"),
        ({}, {"bins": 2.5}, "bins=2.5 is no number of bins"),
        ({}, {"bins": True}, "bins=True is no number of bins"),
        ({}, {"score": "t"}, "no column 't'"),
    ],
)
def test_scores_that_cannot_be_ranked_are_refused(engine: str, change: Any, options: Any, reason: str) -> None:
    asked = {"truth": "y", "score": "s", **options}
    with pytest.raises(InputError, match=reason):
        score_histogram(frame(engine, {**ROWS, **change}), **asked)
