"""Averages over classes, all of them or some, by hand and as in scikit-learn."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sklearn.metrics
from effort import examples, in_one_test
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from shared import refusal

from symmetrics.data.counts import Cells, FloatArray, one_vs_rest
from symmetrics.data.encoding import MayBeAbsent
from symmetrics.data.labels import confusion_matrix, selected_confusion
from symmetrics.language.cells import TN, TP, n
from symmetrics.library import metrics
from symmetrics.matrices import MulticlassMetric, multiclass
from symmetrics.matrices.nodes import C, ClassMean, i, over
from symmetrics.metric import Metric
from symmetrics.numeric.averaging import AVERAGES, as_zero_division, average_cells, weighted_mean
from symmetrics.posets.relevance import scores
from symmetrics.tools.errors import InputError

# -- averaging ---------------------------------------------------------------------------------------------------------


NAN = math.nan


def quotient(above: FloatArray, below: FloatArray) -> FloatArray:
    """Return above / below, nan where that is 0/0."""
    found: FloatArray = np.divide(above, below, out=np.full(np.shape(above), NAN), where=below > 0)
    return found


def recall(cells: Cells) -> FloatArray:
    return quotient(cells.tp, cells.tp + cells.fn)


def precision(cells: Cells) -> FloatArray:
    return quotient(cells.tp, cells.tp + cells.fp)


def f1(cells: Cells) -> FloatArray:
    return quotient(2 * cells.tp, 2 * cells.tp + cells.fp + cells.fn)


REFERENCES: dict[Callable[[Cells], FloatArray], Callable[..., Any]] = {
    recall: sklearn.metrics.recall_score,
    precision: sklearn.metrics.precision_score,
    f1: sklearn.metrics.f1_score,
}


def given_values(values: Any) -> Callable[[Cells], FloatArray]:
    """Return a metric with these values, whatever the cells."""
    return lambda cells: np.broadcast_to(np.asarray(values, dtype=float), cells.tp.shape)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("metric", REFERENCES)
@pytest.mark.parametrize("average", [*(name for name in AVERAGES if name != "pooled"), None])
@pytest.mark.parametrize("zero_division", [0.0, 1.0, NAN])
@settings(max_examples=examples(30))
@given(
    rows=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 5)), min_size=1, max_size=12),
    weighted=st.booleans(),
)
def test_agrees_with_scikit_learn(
    metric: Callable[[Cells], FloatArray],
    average: str | None,
    zero_division: float,
    rows: list[tuple[int, int, int]],
    weighted: bool,
) -> None:
    true, predicted, weights = (list(column) for column in zip(*rows, strict=True))
    weight = [w / 4 for w in weights] if weighted and any(weights) else None
    labels = [0, 1, 2, 3, 4]
    matrix, _ = confusion_matrix(true, predicted, labels=labels, sample_weight=weight)
    cells = one_vs_rest(matrix)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = average_cells(metric, cells, average, zero_division=zero_division)
    expected = REFERENCES[metric](
        true, predicted, labels=labels, average=average, sample_weight=weight, zero_division=zero_division
    )
    supports = (cells.tp + cells.fn)[~np.isnan(metric(cells))]
    if average == "weighted" and math.isnan(zero_division) and not supports.any():
        assert math.isnan(found)  # no weight is left; scikit-learn goes over to the unweighted mean here
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-12, equal_nan=True)


# Three classes with supports 6, 3, 0; weighted and given weights by hand.
SUPPORTS = Cells(*(np.array(cell, dtype=float) for cell in ([4, 1, 0], [2, 2, 0], [1, 0, 2], [5, 9, 9])))


@in_one_test
@pytest.mark.parametrize(
    ("values", "average", "zero_division", "expected"),
    [
        ([0.5, 0.25, 0.75], "macro", NAN, 0.5),
        ([0.5, 0.25, NAN], "macro", NAN, 0.375),
        ([0.5, 0.25, NAN], "macro", 0, 0.25),
        ([0.5, 0.25, NAN], "macro", 3, 1.25),
        ([NAN, NAN, NAN], "macro", NAN, NAN),
        ([NAN, NAN, NAN], "macro", 0.5, 0.5),
        ([0.5, 0.25, 0.75], "weighted", NAN, 3.75 / 9),
        ([NAN, 0.25, 0.75], "weighted", NAN, 0.25),
        ([NAN, 0.25, 0.75], "weighted", 1, 6.75 / 9),
        ([NAN, NAN, 0.75], "weighted", NAN, NAN),
        ([NAN, NAN, 0.75], "weighted", 0, 0),
        ([0.5, 0.25, 0.75], [1, 0, 3], NAN, 2.75 / 4),
        ([0.5, 0.25, NAN], [1, 0, 3], NAN, 0.5),
        ([0.5, 0.25, NAN], (1, 0, 3), 0, 0.125),
        ([0.5, NAN, NAN], np.array([0, 1, 3]), NAN, NAN),
        ([0.5, math.inf, 0.75], [1, 0, 3], NAN, 2.75 / 4),
        ([0.5, math.inf, 0.75], "macro", NAN, math.inf),
        ([0.5, 0.25, 0.75], [1e308, 0, 1e308], NAN, 0.625),
        ([0.5, 0.25, 0.75], [1e-320, 0, 1e-320], NAN, 0.625),
        ([0.5, 0.25, 0.75], [True, True, False], NAN, 0.375),
    ],
)
def test_averages_by_hand(values: list[float], average: Any, zero_division: float, expected: float) -> None:
    found = average_cells(given_values(values), SUPPORTS, average, zero_division=zero_division)
    assert found.shape == ()
    assert found.dtype == np.float64
    assert float(found) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("average", ["macro", "weighted", [1, 2, 3]])
def test_an_empty_matrix_has_no_average(average: Any) -> None:
    empty = one_vs_rest(np.zeros((3, 3)))
    assert math.isnan(average_cells(recall, empty, average))
    assert average_cells(recall, empty, average, zero_division=0.5) == 0.5


@dataclass(frozen=True)
class Relevance:
    """The smallest object that carries weights."""

    weights: tuple[float, ...]


def test_macro_is_the_default_and_none_returns_the_classes() -> None:
    # Macro is the default.
    assert float(average_cells(given_values([0.5, 0.25, 0.75]), SUPPORTS)) == 0.5
    # No average returns the classes.
    assert average_cells(given_values([1, NAN, 0]), SUPPORTS, None, zero_division=0.25).tolist() == [1, 0.25, 0]
    # Micro pools the cells before it evaluates.
    assert float(average_cells(recall, SUPPORTS, "micro")) == 5 / 9
    assert float(average_cells(recall, SUPPORTS, "pooled")) == 5 / 9
    empty = one_vs_rest(np.zeros((3, 3)))
    assert math.isnan(average_cells(recall, empty, "micro"))
    assert average_cells(recall, empty, "micro", zero_division=1) == 1
    # An object with weights is an average.
    cells = one_vs_rest([[5, 1, 0], [2, 6, 3], [0, 4, 7]])
    by_object = average_cells(f1, cells, Relevance((1, 0.5, 0)))
    assert float(by_object) == float(average_cells(f1, cells, [1, 0.5, 0]))
    assert "average[1] is -1.0" in refusal(lambda: average_cells(f1, cells, Relevance((1, -1, 0))))


@in_one_test
@pytest.mark.parametrize("average", [*AVERAGES, [1, 2, 3], None])
@pytest.mark.parametrize("zero_division", [NAN, 0])
def test_a_stack_is_averaged_matrix_by_matrix(average: Any, zero_division: float) -> None:
    matrices = np.random.default_rng(7).integers(0, 3, (2, 5, 3, 3)) * np.array([1, 1, 0])
    matrices[0, 0] = 0
    found = average_cells(recall, one_vs_rest(matrices), average, zero_division=zero_division)
    assert found.shape == ((2, 5, 3) if average is None else (2, 5))
    for index in np.ndindex(2, 5):
        single = average_cells(recall, one_vs_rest(matrices[index]), average, zero_division=zero_division)
        np.testing.assert_array_equal(found[index], single)


@given(
    hnp.arrays(np.float64, (2, 4), elements=st.floats(-5, 5) | st.just(NAN)),
    hnp.arrays(np.float64, 4, elements=st.floats(0, 5)),
)
def test_the_weighted_mean_leaves_nan_out(values: np.ndarray[Any, Any], weights: np.ndarray[Any, Any]) -> None:
    for row, mean in zip(values, weighted_mean(values, weights), strict=True):
        kept = ~np.isnan(row) & (weights > 0)
        if weights[kept].sum() > 0:
            assert mean == pytest.approx(np.average(row[kept], weights=weights[kept]), rel=1e-9, abs=1e-12)
        else:
            assert math.isnan(mean)


@in_one_test
@pytest.mark.parametrize(
    ("average", "parts"),
    [
        ("marco", ("average='marco'", "'macro', 'micro', 'pooled', 'weighted', None")),
        ("binary", ("average='binary'", "'macro'")),
        ("", ("average=''",)),
        ([1, 2], ("average has 2 weights, not 3", "one per class")),
        ([1, -1, 1], ("average[1] is -1.0",)),
        ([1, NAN, 1], ("average[1] is nan",)),
        ([1, math.inf, 1], ("average[1] is inf",)),
        ([0, 0, 0], ("every weight of average is 0",)),
        ([[1, 2, 3]], ("not a list of weights",)),
        (3, ("average=3",)),
        ({"a": 1}, ("average={'a': 1}", "symmetrics.relevance.scores(")),
        ({1, 2, 3}, ("average={1, 2, 3}",)),
        (["a", "b", "c"], ("average holds the text 'a'", "a weight is a number")),
    ],
)
def test_what_is_no_average_is_refused(average: Any, parts: tuple[str, ...]) -> None:
    message = refusal(lambda: average_cells(f1, SUPPORTS, average))
    assert all(part in message for part in parts)


@pytest.mark.parametrize("value", ["warn", None, [0], 1j])
def test_zero_division_is_a_number(value: Any) -> None:
    assert "zero_division=" in refusal(lambda: average_cells(f1, SUPPORTS, zero_division=value))


@in_one_test
@pytest.mark.parametrize("value", [0, 1, 0.5, True, np.float32(0.5), np.int64(1), math.inf])
def test_zero_division_is_any_number(value: Any) -> None:
    assert as_zero_division(value) == float(value)
    assert type(as_zero_division(value)) is float


# -- label subsets -----------------------------------------------------------------------------------------------------


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
