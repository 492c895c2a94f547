"""Areas averaged over classes and labels, top-k accuracy, the DET curve: scikit-learn's values, and definitions."""

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
from hypothesis import given, settings
from hypothesis import strategies as st

import symmetrics as sm
from symmetrics.curves import hand_till, one_vs_rest_auc
from symmetrics.tools.errors import InputError


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
