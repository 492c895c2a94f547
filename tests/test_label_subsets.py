"""What ``labels=`` selects is what it selects in scikit-learn: classes to report, of all examples."""

from __future__ import annotations

import itertools
import math
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sklearn.metrics
from effort import in_one_test

from symmetrics.language.cells import TN, TP, n
from symmetrics.library import metrics
from symmetrics.matrices import MulticlassMetric, multiclass
from symmetrics.matrices.nodes import C, ClassMean, i, over
from symmetrics.metric import Metric
from symmetrics.numeric.counts import one_vs_rest
from symmetrics.numeric.encoding import MayBeAbsent
from symmetrics.numeric.labels import confusion_matrix, selected_confusion
from symmetrics.posets.relevance import scores
from symmetrics.tools.errors import InputError

TRUE = ["a", "a", "a", "b", "b", "b", "c", "c"]
PREDICTED = ["a", "a", "c", "b", "b", "a", "c", "b"]
OF_NAME = {"precision_score": "precision", "recall_score": "recall", "f1_score": "f1", "jaccard_score": "jaccard"}


# -- by hand -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["accuracy", "cen", "mcc", "rci"])
def test_a_metric_of_the_whole_matrix_takes_no_part_of_it(key: str) -> None:
    with pytest.raises(InputError, match="labels leaves out classes that occur"):
        multiclass[key](TRUE, PREDICTED, labels=["a", "b"])
    assert multiclass[key](TRUE, PREDICTED, labels=["c", "a", "b"]) == pytest.approx(multiclass[key](TRUE, PREDICTED))


def test_a_metric_with_means_and_entries_takes_no_part_of_a_matrix() -> None:
    mixed = MulticlassMetric("mixed", ClassMean(metrics["recall"].expr) + over(C[i, i], i))
    with pytest.raises(InputError, match="labels leaves out classes that occur"):
        mixed(TRUE, PREDICTED, labels=["a", "b"])


def test_some_classes_of_the_whole_matrix() -> None:
    # Errors to other classes count. 2 of 3 examples of a are right, and 2 of 3 of b; dropping the one taken for c
    # would make it 3 of 4.
    recall = metrics["recall"]
    assert recall(TRUE, PREDICTED, labels=["a", "b"], average="macro") == pytest.approx(2 / 3)
    assert recall(TRUE, PREDICTED, labels=["a", "b"], average="micro") == pytest.approx(4 / 6)
    assert recall(TRUE, PREDICTED, labels=["c", "a"], average=None) == pytest.approx([1 / 2, 2 / 3])
    precision = metrics["precision"](TRUE, PREDICTED, labels=["b", "a"], average=None)
    assert precision == pytest.approx([2 / 3, 2 / 3])
    # A label that does not occur is undefined.
    labels = MayBeAbsent(["a", "z"])
    recall = metrics["recall"](TRUE, PREDICTED, labels=labels, average=None)
    assert recall == pytest.approx([2 / 3, math.nan], nan_ok=True)
    assert metrics["recall"](TRUE, PREDICTED, labels=labels, average="macro") == pytest.approx(2 / 3)
    assert metrics["recall"](TRUE, PREDICTED, labels=labels, average="macro", zero_division=0) == pytest.approx(1 / 3)
    # Weights go with the selected classes.
    phi = scores({"b": 1, "a": 0.5})
    expected = (0.5 * Fraction(2, 3) + Fraction(2, 3)) / 1.5
    assert metrics["recall"](TRUE, PREDICTED, labels=["a", "b"], average=phi) == pytest.approx(float(expected))
    assert metrics["recall"](TRUE, PREDICTED, labels=["c", "a"], average=[3, 1]) == pytest.approx((3 / 2 + 2 / 3) / 4)
    # A mean over some classes of the whole matrix. CBA of a and b: 2/max(3, 3) and 2/max(3, 3); the errors with c are
    # in the sums.
    assert multiclass["cba"](TRUE, PREDICTED, labels=["a", "b"]) == pytest.approx((2 / 3 + 2 / 3) / 2)
    assert multiclass["mavg"](TRUE, PREDICTED, labels=["c", "b"]) == pytest.approx(math.sqrt(1 / 2 * 2 / 3))
    # 5 are right; a has 1 + 1 errors, b 1 + 1.
    assert multiclass["av_acc"](TRUE, PREDICTED, labels=["b", "a"]) == pytest.approx(5 / 7)
    assert multiclass["one_vs_rest_accuracy"](TRUE, PREDICTED, labels=["b"]) == pytest.approx(6 / 8)
    more = [*TRUE, "d"], [*PREDICTED, "d"]
    assert multiclass["av_acc"](*more, labels=["b", "a"]) == pytest.approx(6 / 8)
    # Binary labels leave no example out.
    with pytest.raises(InputError, match="label 'c' occurs and is not among labels='a', 'b'"):
        metrics["recall"](TRUE, PREDICTED, labels=["a", "b"], pos_label="a")


# -- micro -------------------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize("key", ["recall", "precision", "f1", "jaccard", "mcc", "tnr", "kappa"])
def test_micro_is_pooled_for_what_sees_more_than_right_and_wrong(key: str) -> None:
    pooled = metrics[key](TRUE, PREDICTED, average="pooled")
    assert metrics[key](TRUE, PREDICTED, average="micro") == pooled
    if key in ("recall", "precision", "f1"):
        assert pooled == pytest.approx(5 / 8)


@pytest.mark.thorough
def test_of_examples_are_the_metrics_of_the_right_and_the_wrong() -> None:
    """Those whose value at random tables does not change when examples move from TN to TP, or from FP to FN."""
    random = np.random.default_rng(5)
    for metric in metrics.values():
        tp, fn, fp, tn = random.integers(6, 60, (4, 40))
        values = np.asarray(metric.from_counts(tp, fn, fp, tn))
        moved = np.asarray(metric.from_counts(tp + 5, fn - 3, fp + 3, tn - 5))
        stays = bool(np.allclose(values, moved, rtol=1e-9, atol=1e-12))
        assert metric._is_of_examples == stays, metric.name
    # It looks so at the two tables that are tried first, and is decided exactly.
    look_alike = metrics["accuracy"].expr + (TP - 7) * (TP - 9) * (TP - TN) / n**3
    assert not Metric("look_alike", look_alike)._is_of_examples


def test_accuracy_takes_all_classes() -> None:
    # Accuracy by example and pooled. Of 9 examples of three classes 3 are right: each class against the rest, 15 of
    # 27 decisions are.
    true, predicted = [0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 1, 2, 1, 2, 0, 2, 0, 1]
    accuracy = metrics["accuracy"]
    assert accuracy(true, predicted, average="micro") == sklearn.metrics.accuracy_score(true, predicted) == 3 / 9
    assert accuracy(true, predicted, average="pooled") == pytest.approx(15 / 27)
    assert metrics["error_rate"](true, predicted, average="micro") == pytest.approx(6 / 9)
    matrix, _ = confusion_matrix(true, predicted)
    assert accuracy.from_confusion(matrix, average="micro") == 3 / 9
    assert accuracy.from_confusion(np.stack([matrix, np.eye(3)]), average="micro").tolist() == [3 / 9, 1.0]
    assert multiclass["accuracy"](true, predicted) == 3 / 9
    assert multiclass["one_vs_rest_accuracy"](true, predicted) == pytest.approx(15 / 27)
    mine = Metric("mine", 1 - metrics["error_rate"].expr)
    assert mine(true, predicted, average="micro") == pytest.approx(3 / 9)
    # Accuracy by example takes all classes.
    with pytest.raises(InputError, match="pass average='pooled'"):
        metrics["accuracy"](TRUE, PREDICTED, labels=["a", "b"], average="micro")
    assert metrics["accuracy"](TRUE, PREDICTED, labels=["b", "a", "c"], average="micro") == 5 / 8
    assert metrics["accuracy"](TRUE, PREDICTED, labels=["a", "b"], average="pooled") == pytest.approx(12 / 16)


# -- scikit-learn ------------------------------------------------------------------------------------------------------


def zero_division(given: Any) -> float:
    return 0.0 if given == "warn" else float(given)


def found(name: str, given: dict[str, Any]) -> list[Any] | None:
    """Return what symmetrics makes of a call of scikit-learn; None where it has no such function."""
    true, predicted, labels, weight = (given[key] for key in ("y_true", "y_pred", "labels", "sample_weight"))
    if name == "confusion_matrix":
        return (
            None if given["normalize"] else [confusion_matrix(true, predicted, labels=labels, sample_weight=weight)[0]]
        )
    if name == "multilabel_confusion_matrix":
        matrix, _, count = selected_confusion(true, predicted, labels=labels, sample_weight=weight, merged=True)
        tp, fn, fp, tn = (cell[:count] for cell in one_vs_rest(matrix))
        return [np.stack([np.stack([tn, fp], axis=-1), np.stack([fn, tp], axis=-1)], axis=-2)]
    beta = metrics["f_beta"].at(beta=str(given.get("beta", 1))) if math.isfinite(given.get("beta", 1)) else None
    wanted = {"precision_recall_fscore_support": [metrics["precision"], metrics["recall"], beta], "fbeta_score": [beta]}
    chosen = wanted[name] if name in wanted else [metrics[OF_NAME[name]]]
    settings = {key: given[key] for key in ("labels", "average", "sample_weight")}
    fill = zero_division(given["zero_division"])
    return [metric and metric(true, predicted, **settings, zero_division=fill) for metric in chosen]


SUBSETS = [list(subset) for size in (1, 2, 3, 4) for subset in itertools.permutations([0, 1, 2, 3], size)][::3]
ABSENT = [[7], [0, 7], [7, 2, 1], [3, 7, 0, 9], [-1, 0, 1, 2, 3]]


@pytest.mark.thorough
@pytest.mark.parametrize("average", ["macro", "micro", "weighted", None])
@pytest.mark.parametrize("name", [*OF_NAME, "fbeta_score"])
def test_subsets_in_any_order_with_labels_that_do_not_occur(name: str, average: str | None) -> None:
    random = np.random.default_rng(len(name))
    function = getattr(sklearn.metrics, name)
    for labels in SUBSETS + ABSENT:
        true, predicted = random.integers(0, 4, (2, 12))
        weight = random.integers(0, 4, 12) / 4 + (np.arange(12) == 0)
        for fill, weights in ((0, None), (1, weight)):
            given: dict[str, Any] = {"labels": labels, "average": average, "zero_division": fill}
            given |= {"sample_weight": weights} | ({"beta": 2} if name == "fbeta_score" else {})
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = function(true, predicted, **given)
            if average == "weighted" and np.isin(true, labels).dot(np.ones(12) if weights is None else weights) == 0:
                continue  # no weight is left: scikit-learn goes over to the plain mean, and zero_division stands here
            ours = found(name, {"y_true": true, "y_pred": predicted, **given})
            assert ours is not None
            assert np.allclose(ours[0], expected), (labels, true, predicted, given)
