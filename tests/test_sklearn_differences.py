"""What differs from scikit-learn on purpose, each by an example of both; the page is made of these."""

from __future__ import annotations

import inspect
import math
import sys
import warnings
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from sklearn.exceptions import UndefinedMetricWarning
from sklearn_differences import DIFFERENCES, PAGE, page
from sklearn_equivalents import EQUIVALENTS

import symmetrics as sm
from symmetrics.tools.errors import FormulaError, InputError

theirs = sklearn.metrics


@pytest.fixture(autouse=True)
def quietly() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        yield


def test_marks_of_missing_labels() -> None:
    true, predicted = ["NA", "a", "b"], ["a", "a", "b"]
    assert theirs.accuracy_score(true, predicted) == pytest.approx(2 / 3)
    with pytest.raises(InputError, match="stands for a missing label"):
        sm.multiclass["accuracy"](true, predicted)
    assert sm.multiclass["accuracy"](true, predicted, missing="drop") == 1
    assert sm.multiclass["accuracy"](true, predicted, missing="keep") == pytest.approx(2 / 3)
    with pytest.raises(InputError, match="stands for a missing label"):
        sm.roc_auc(["NA", "b", "b"], [1, 2, 3], pos_label="b")
    assert sm.roc_auc(["NA", "b", "b"], [1, 2, 3], pos_label="b", missing="keep") == 1


def test_repeated_labels() -> None:
    true, predicted = ["a", "b", "a"], ["a", "b", "b"]
    assert theirs.precision_score(true, predicted, labels=["b", "b"], average="macro") == 0.5
    with pytest.raises(InputError, match="labels names 'b' more than once"):
        sm.metrics["precision"](true, predicted, labels=["b", "b"], average="macro")


def test_absent_labels() -> None:
    true, predicted = ["cat", "dog"], ["dog", "dog"]
    settings = {"average": "macro", "labels": ["Cat", "Dog"]}
    assert theirs.recall_score(true, predicted, **settings) == 0
    with pytest.raises(InputError, match="has none of the labels that occur"):
        sm.metrics["recall"](true, predicted, **settings)
    with pytest.warns(sm.LabelWarning, match="labels names 'Dog'"):
        assert sm.metrics["recall"](true, predicted, average="macro", labels=["cat", "Dog"]) == 0


def test_twins() -> None:
    assert theirs.accuracy_score(np.array(["1", "a"]), [1, "a"]) == 1
    with pytest.raises(InputError, match="hold both the text '1' and the int 1"):
        sm.multiclass["accuracy"](["1", "a"], [1, "a"])


def test_mixed_names() -> None:
    true, predicted = [1, "a", "a"], [1, 1, "a"]
    assert theirs.confusion_matrix([1, 2], [1, 2], labels=[1, 2, "c"]).sum() == 0
    assert sm.ConfusionMatrix.of(true, predicted, labels=["a", 1]).matrix.tolist() == [[1, 1], [0, 1]]


def test_unusable_weights() -> None:
    for weight, message in (([1, -1], "not negative"), ([0, 0], "every weight"), ([1, 1, 1], "pass one per example")):
        for call in (sm.multiclass["accuracy"], sm.roc_auc):
            with pytest.raises(InputError, match=message):
                call([0, 1], [0, 1], sample_weight=weight)
    assert theirs.accuracy_score([0, 1], [0, 0], sample_weight=[2, -1]) == 2


def test_absent_positive() -> None:
    assert math.isnan(theirs.roc_curve(["a", "b"], [1, 2], pos_label="c")[1][0])
    with pytest.raises(InputError, match="pos_label='c' is not among the labels 'a', 'b'"):
        sm.roc_curve(["a", "b"], [1, 2], pos_label="c")


def test_order_of_categories() -> None:
    sizes = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    true, predicted = (pd.Series(column, dtype=sizes) for column in (["low", "high", "mid"], ["low", "mid", "mid"]))
    assert theirs.confusion_matrix(true, predicted).tolist() == [[0, 0, 1], [0, 1, 0], [0, 0, 1]]
    assert sm.ConfusionMatrix.of(true, predicted).matrix.tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 0]]
    codes = theirs.cohen_kappa_score(true.cat.codes, predicted.cat.codes, weights="linear")
    assert sm.multiclass["kappa_linear"](true, predicted) == pytest.approx(codes)
    assert theirs.cohen_kappa_score(true, predicted, weights="linear") != pytest.approx(codes)


def test_weight_of_0() -> None:
    true, predicted, weight = ["a", "b", "c"], ["a", "a", "c"], [1, 1, 0]
    assert theirs.recall_score(true, predicted, average="macro", sample_weight=weight, zero_division=0) == 1 / 3
    assert sm.metrics["recall"](true, predicted, average="macro", sample_weight=weight, zero_division=0) == 1 / 2
    scores = [[3, 2], [1, 2], [2, 2]]
    assert sm.roc_auc(true, scores, sample_weight=weight) == sm.roc_auc(true[:2], scores[:2])


def test_weighted_without_support() -> None:
    true, predicted = ["a", "a", "b"], ["a", "c", "c"]
    settings = {"average": "weighted", "labels": ["c"]}
    assert theirs.precision_score(true, predicted, **settings) == 0
    assert math.isnan(sm.metrics["precision"](true, predicted, **settings))


def test_large_labels() -> None:
    true, predicted = [2**53, 2**53 + 1], [float(2**53), float(2**53)]
    assert theirs.accuracy_score(true, predicted) == 1
    assert sm.multiclass["accuracy"](true, predicted) == 0.5


def test_large_scores() -> None:
    scores = np.array([2**53, 2**53 + 1])
    assert theirs.roc_auc_score([0, 1], scores.astype(float)) == 0.5
    with pytest.raises(InputError, match="float64 does not keep apart"):
        sm.roc_auc([0, 1], scores)


def test_scores_as_texts() -> None:
    truth, scores = [[0, 1], [1, 1]], np.array([["1", "2"], ["3", "1"]], dtype=object)
    assert theirs.average_precision_score(truth, scores) == 1
    with pytest.raises(InputError, match="a score is a real number"):
        sm.average_precision(truth, scores)


def test_positive_by_convention() -> None:
    with pytest.raises(ValueError, match="pos_label"):
        theirs.roc_curve([1, 2], [0.1, 0.2])
    assert sm.roc_curve([1, 2], [0.2, 0.1]).tpr.tolist() == [0, 1, 1]
    assert theirs.roc_auc_score([1, 2], [0.2, 0.1]) == 0
    assert sm.roc_auc([1, 2], [0.2, 0.1]) == 1


def test_two_columns() -> None:
    true, scores = [0, 1, 1], np.array([[0.8, 0.2], [0.3, 0.7], [0.9, 0.1]])
    with pytest.raises(ValueError, match="1d array"):
        theirs.average_precision_score(true, scores)
    each = [theirs.average_precision_score(np.equal(true, label), scores[:, label]) for label in (0, 1)]
    assert sm.average_precision(true, scores, average=None) == pytest.approx(each)


def test_column_of_one_class() -> None:
    truth, scores = np.array([[1, 0], [1, 1], [1, 0]]), np.array([[0.5, 0.2], [0.1, 0.9], [0.3, 0.4]])
    assert math.isnan(theirs.roc_auc_score(truth, scores))
    assert sm.roc_auc(truth, scores) == 1
    assert np.isnan(sm.roc_auc(truth, scores, average=None)).tolist() == [True, False]


def test_any_label() -> None:
    for true, predicted in (([1, "a"], [1, 1]), ([(1, 2), (3,)], [(1, 2), (1, 2)]), ([0, math.inf], [0, 0])):
        assert sm.metrics["accuracy"](true, predicted, average="micro") == 0.5
        with pytest.raises(ValueError):
            theirs.accuracy_score(true, predicted)


def test_column_vector() -> None:
    column = np.array([[0], [1]])
    assert theirs.f1_score(column, column, average="macro") == 1
    with pytest.raises(InputError, match=r"has shape \(2, 1\); pass one dimension"):
        sm.metrics["f1"](column, column, average="macro")
    with pytest.raises(InputError):
        sm.roc_auc([0, 1], column)


def test_undefined_is_nan() -> None:
    true, predicted = [0, 0, 1], [0, 0, 0]
    assert theirs.precision_score(true, predicted) == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert math.isnan(sm.metrics["precision"](true, predicted))
    assert sm.metrics["precision"](true, predicted, zero_division=0) == 0
    assert theirs.precision_score(true, predicted, average="macro") == pytest.approx(1 / 3)
    assert sm.metrics["precision"](true, predicted, average="macro") == pytest.approx(2 / 3)
    weighted = [0, 1], [0, 1], [1, 0]
    assert theirs.matthews_corrcoef(*weighted[:2], sample_weight=weighted[2]) == 0
    assert math.isnan(sm.multiclass["mcc"](*weighted[:2], sample_weight=weighted[2]))


def test_label_without_positives() -> None:
    truth, scores = [[1, 0], [0, 0]], [[0.9, 0.1], [0.2, 0.3]]
    assert theirs.average_precision_score(truth, scores) == 0.5
    assert sm.average_precision(truth, scores) == 1
    assert np.isnan(sm.average_precision(truth, scores, average=None)).tolist() == [False, True]


def test_one_class() -> None:
    assert math.isnan(theirs.roc_auc_score([1, 1], [0.1, 0.2]))
    with pytest.raises(InputError, match="one class"):
        sm.roc_auc([1, 1], [0.1, 0.2])
    assert theirs.matthews_corrcoef([3, 3], [3, 3]) == 0
    assert math.isnan(sm.multiclass["mcc"]([3, 3], [3, 3]))
    assert sm.average_precision([1, 1], [0.1, 0.2]) == theirs.average_precision_score([1, 1], [0.1, 0.2]) == 1


def test_class_without_examples() -> None:
    scores = [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1]]
    assert math.isnan(theirs.roc_auc_score([0, 1], scores, labels=[0, 1, 2], multi_class="ovr"))
    assert sm.roc_auc([0, 1], scores, labels=[0, 1, 2]) == 1
    assert np.isnan(sm.roc_auc([0, 1], scores, labels=[0, 1, 2], average=None)).tolist() == [False, False, True]
    with pytest.raises(InputError, match="no example that counts is of class 2"):
        sm.curves.one_vs_rest_curves([0, 1], scores, labels=[0, 1, 2])


def test_adjusted_classes() -> None:
    true, predicted = ["a", "a", "b", "b"], ["a", "c", "b", "b"]
    assert theirs.balanced_accuracy_score(true, predicted) == 0.75
    assert sm.multiclass["balanced_accuracy"](true, predicted) == 0.75
    assert theirs.balanced_accuracy_score(true, predicted, adjusted=True) == pytest.approx((0.75 - 1 / 2) / (1 - 1 / 2))
    ours = sm.multiclass["adjusted_balanced_accuracy"](true, predicted)
    assert ours == pytest.approx((0.75 - 1 / 3) / (1 - 1 / 3))


def test_infinite_ratio() -> None:
    true, predicted = [1, 1, 0], [1, 0, 0]
    assert math.isnan(theirs.class_likelihood_ratios(true, predicted)[0])
    assert sm.metrics["positive_likelihood_ratio"](true, predicted) == math.inf
    assert math.isnan(sm.metrics["negative_likelihood_ratio"]([1, 0], [1, 1]))
    assert sm.class_likelihood_ratios(true, predicted) == (math.inf, 0.5)
    assert sm.class_likelihood_ratios(true, predicted, replace_undefined_by=1.0) == (1, 0.5)
    assert theirs.class_likelihood_ratios(true, predicted, replace_undefined_by=1.0) == (1, 0.5)
    with pytest.raises(InputError, match="'a', 'b' do not say which is positive; pass pos_label='a' or pos_label='b'"):
        sm.class_likelihood_ratios(["a", "b"], ["a", "a"])


def test_kappa_of_some_labels() -> None:
    first, second = [0, 0, 1, 2, 2], [0, 1, 1, 2, 0]
    with pytest.raises(InputError, match="leave the examples of the others out first"):
        sm.multiclass["kappa"](first, second, labels=[0, 1])
    kept = [(a, b) for a, b in zip(first, second, strict=True) if a < 2 and b < 2]
    ours = sm.multiclass["kappa"](*zip(*kept, strict=True))
    assert ours == pytest.approx(theirs.cohen_kappa_score(first, second, labels=[0, 1]))


def test_top_k_ties() -> None:
    scores = [[0.4, 0.4, 0.2], [0.4, 0.4, 0.2]]
    assert theirs.top_k_accuracy_score([0, 0], scores, k=1, labels=[0, 1, 2]) == 0
    assert theirs.top_k_accuracy_score([1, 1], scores, k=1, labels=[0, 1, 2]) == 1
    assert sm.top_k_accuracy([0, 0], scores, k=1, labels=[0, 1, 2]) == 0.5
    assert sm.top_k_accuracy([1, 1], scores, k=1, labels=[0, 1, 2]) == 0.5


def test_top_k_columns() -> None:
    assert theirs.top_k_accuracy_score([0, 1], [0.2, 0.8], k=1) == 1
    with pytest.raises(InputError, match="one row per example and one column per class"):
        sm.top_k_accuracy([0, 1], [0.2, 0.8], k=1)
    with pytest.raises(InputError, match="k=3 is no number of classes"):
        sm.top_k_accuracy([0, 1], [[0.2, 0.8], [0.1, 0.9]], k=3)


def test_labels_in_any_order() -> None:
    true, scores = ["b", "a", "c"], np.array([[0.1, 0.7, 0.2], [0.8, 0.1, 0.1], [0.2, 0.2, 0.6]])
    with pytest.raises(ValueError, match="must be ordered"):
        theirs.roc_auc_score(true, scores, labels=["c", "a", "b"], multi_class="ovr")
    order = [2, 0, 1]
    assert sm.roc_auc(true, scores[:, order], labels=["c", "a", "b"]) == sm.roc_auc(true, scores)


def test_labels_of_columns() -> None:
    true, scores = (
        np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0]]),
        np.array([[0.9, 0.2, 0.3], [0.4, 0.1, 0.8], [0.3, 0.6, 0.5]]),
    )
    for ours, other in (
        (sm.roc_auc, theirs.roc_auc_score),
        (sm.average_precision, lambda *given, **_: theirs.average_precision_score(*given, average=None)),
    ):
        every = other(true, scores, average=None, labels=[2, 0])  # which it does not look at
        assert len(every) == 3
        assert ours(true, scores, average=None, labels=[2, 0]) == pytest.approx(every[[2, 0]])


def test_no_intermediate() -> None:
    true, scores = [1, 0, 0], [0, 0.5, 1]
    assert len(theirs.det_curve(true, scores, drop_intermediate=True)[0]) < len(sm.det_curve(true, scores).fpr)
    assert sm.det_curve(true, scores).fpr.tolist() == theirs.det_curve(true, scores)[0].tolist()


def test_infinite_beta() -> None:
    true, predicted = [0, 1, 1], [0, 1, 0]
    with pytest.raises(FormulaError):
        sm.metrics["f_beta"].at(beta="inf")
    assert theirs.fbeta_score(true, predicted, beta=math.inf) == sm.metrics["recall"](true, predicted)


def test_samplewise() -> None:
    true, predicted = np.array([[1, 0, 1], [0, 1, 0]]), np.array([[1, 1, 0], [0, 1, 0]])
    matrices = theirs.multilabel_confusion_matrix(true, predicted, samplewise=True)
    by_hand = np.mean([matrix[1, 1] / matrix[1].sum() for matrix in matrices])
    assert sm.metrics["recall"](true, predicted, average="samples") == by_hand


def test_sums_of_weights() -> None:
    largest = np.full(3, 2**63 - 1)
    assert theirs.confusion_matrix([0, 1, 1], [0, 1, 1], sample_weight=largest)[1, 1] == -2
    assert sm.ConfusionMatrix.of([0, 1, 1], [0, 1, 1], sample_weight=largest).matrix[1, 1] == 2.0**64


# -- the page ----------------------------------------------------------------------------------------------------------


def test_every_difference_has_its_test() -> None:
    tests = {name for name, _ in inspect.getmembers(sys.modules[__name__], inspect.isfunction)}
    assert {f"test_{name}" for name in DIFFERENCES} <= tests


def test_the_page_says_what_the_tests_do() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python tests/sklearn_differences.py"
    assert set(EQUIVALENTS) <= set(theirs.__all__)


def test_the_examples_of_the_page() -> None:
    import doctest

    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0
