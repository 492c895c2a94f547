"""Examples with several labels: scikit-learn's values, and refusals of what is no indicator matrix."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import sklearn.metrics
from effort import examples, in_one_test, some
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import symmetrics as sm
from symmetrics.curves import average_precision, roc_auc
from symmetrics.library import metrics
from symmetrics.tools.errors import InputError

SCORES = {"precision": "precision_score", "recall": "recall_score", "f1": "f1_score", "jaccard": "jaccard_score"}
AVERAGES = ["samples", "macro", "micro", "weighted", None]


@st.composite
def indicators(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    shape = draw(st.tuples(st.integers(1, 8), st.integers(2, 5)))
    true, predicted = (draw(hnp.arrays(np.int8, shape, elements=st.integers(0, 1))) for _ in range(2))
    weight = draw(st.none() | hnp.arrays(np.int8, shape[0], elements=st.integers(0, 3)).filter(np.any))
    return true, predicted, weight


@pytest.mark.sampled(12)
@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("key", SCORES)
@settings(max_examples=examples(20))
@given(indicators(), st.sampled_from([0.0, 1.0]), st.booleans())
def test_values_are_scikit_learn_s(key: str, average: str | None, case: Any, fill: float, is_sparse: bool) -> None:
    true, predicted, weight = case
    given: dict[str, Any] = {"average": average, "sample_weight": weight, "zero_division": fill}
    expected = getattr(sklearn.metrics, SCORES[key])(true, predicted, **given)
    if average == "weighted" and (true.sum() if weight is None else weight @ true.sum(axis=1)) == 0:
        expected = fill  # no weight is left, where scikit-learn takes the plain mean
    if is_sparse:
        true, predicted = scipy.sparse.csr_matrix(true), scipy.sparse.csr_array(predicted)
    assert metrics[key](true, predicted, **given) == pytest.approx(expected, abs=1e-12)


@in_one_test
@pytest.mark.parametrize("average", AVERAGES)
def test_labels_are_columns(average: str | None) -> None:
    random = np.random.default_rng(1)
    true, predicted = random.integers(0, 2, (2, 30, 5))
    for labels in ([0, 3], [4, 1, 2], [2]):
        expected = sklearn.metrics.f1_score(true, predicted, labels=labels, average=average, zero_division=0)
        found = metrics["f1"](true, predicted, labels=labels, average=average, zero_division=0)
        assert found == pytest.approx(expected)


@pytest.mark.thorough
def test_a_column_is_two_classes_and_a_row_is_too_for_every_metric() -> None:
    random = np.random.default_rng(3)
    true, predicted = random.integers(0, 2, (2, 7, 4))
    for metric in some(metrics.values(), 25, "multilabel"):
        binary: dict[str, Any] = {"labels": [0, 1], "pos_label": 1}
        columns = [metric(one, other, **binary) for one, other in zip(true.T, predicted.T, strict=True)]
        found = metric(true, predicted, average=None)
        assert found == pytest.approx(columns, nan_ok=True, rel=1e-9, abs=1e-12), metric.name
        rows = np.array([metric(one, other, **binary) for one, other in zip(true, predicted, strict=True)])
        found, defined = metric(true, predicted, average="samples"), rows[~np.isnan(rows)]
        expected = defined.mean() if defined.size else math.nan
        assert found == pytest.approx(expected, nan_ok=True, rel=1e-9, abs=1e-12), metric.name


def test_hamming_loss_and_rows_without_labels() -> None:
    # Hamming loss is the pooled error rate.
    random = np.random.default_rng(2)
    true, predicted = random.integers(0, 2, (2, 20, 4))
    weight = random.random(20)
    expected = sklearn.metrics.hamming_loss(true, predicted, sample_weight=weight)
    assert metrics["hamming_loss"](true, predicted, average="micro", sample_weight=weight) == pytest.approx(expected)
    rows = list(map(tuple, true.tolist())), list(map(tuple, predicted.tolist()))
    expected = sklearn.metrics.accuracy_score(true, predicted)
    assert metrics["accuracy"](*rows, average="micro") == pytest.approx(expected)
    # Rows without labels are left out of the mean.
    true, predicted = [[0, 0], [1, 1]], [[0, 0], [1, 0]]
    assert metrics["f1"](true, predicted, average="samples") == pytest.approx(2 / 3)
    assert metrics["f1"](true, predicted, average="samples", zero_division=0) == pytest.approx(1 / 3)
    assert math.isnan(metrics["f1"]([[0, 0]], [[0, 0]], average="samples"))


@in_one_test
@pytest.mark.parametrize(
    ("true", "predicted", "settings", "message"),
    [
        ([[0, 1]], [[0, 1]], {}, "pass average='samples'"),
        ([[0, 1]], [[0, 1, 1]], {"average": "macro"}, r"shape \(1, 2\) and y_pred \(1, 3\)"),
        ([[0, 2]], [[0, 1]], {"average": "macro"}, r"y_true\[0, 1\] is 2; pass 0 and 1"),
        ([[0, 1]], [[0, math.nan]], {"average": "macro"}, r"y_pred\[0, 1\] is nan"),
        ([[0, 1]], [0, 1], {"average": "macro"}, "one row of 0 and 1 per example"),
        ([[0, 1], [1]], [[0, 1], [1]], {"average": "macro"}, "one row of 0 and 1 per example"),
        (
            [[0, 1]],
            [[0, 1]],
            {"average": "macro", "labels": [2]},
            "labels names 2, and the columns",
        ),
        ([[0, 1]], [[0, 1]], {"average": "macro", "labels": [1, 1]}, "name each column once"),
        ([0, 1], [0, 1], {"average": "samples"}, "for examples with several labels"),
    ],
)
def test_what_is_no_indicator_matrix_is_refused(true: Any, predicted: Any, settings: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        metrics["recall"](true, predicted, **settings)


def test_columns_with_names_are_matched_by_these() -> None:
    true = pd.DataFrame([[1, 0, 1], [0, 0, 1], [1, 1, 0]], columns=["a", "b", "c"])
    other = pd.DataFrame([[1, 0, 0], [0, 1, 1], [1, 1, 0]], columns=["a", "b", "c"])
    scores = pd.DataFrame([[0.6, 0.1, 0.3], [0.2, 0.5, 0.9], [0.5, 0.7, 0.4]], columns=["a", "b", "c"])
    recalls, areas = [1.0, 1.0, 0.5], [1.0, 1.0, 0.5]
    for order in (["a", "b", "c"], ["c", "a", "b"]):
        assert metrics["recall"](true, other[order], average=None) == pytest.approx(recalls)
        assert sm.score(true, other[order], "recall", average=None).loc["recall"].tolist() == pytest.approx(recalls)
        assert roc_auc(true, scores[order], average=None) == pytest.approx(areas)
        assert average_precision(true, scores[order]) == average_precision(true.to_numpy(), scores.to_numpy())
    # Names of which none is in both, and no names, are taken by place.
    for renamed in (other.set_axis(["x", "y", "z"], axis=1), other.set_axis(range(3), axis=1), other.to_numpy()):
        assert metrics["recall"](true, renamed, average=None) == pytest.approx(recalls)
    with pytest.raises(InputError, match="y_true has the columns 'a', 'b', 'c' and y_pred 'a', 'b', 'd'"):
        metrics["recall"](true, other.rename(columns={"c": "d"}), average="macro")
    with pytest.raises(InputError, match="y_true has the columns 'a', 'b', 'c' and y_score 'a', 'b', 'd'"):
        roc_auc(true, scores.rename(columns={"c": "d"}))
