"""A metric over folds: by hand, against the definitions, and the bias that the literature tells of."""

from __future__ import annotations

import numpy as np
import pytest
from effort import examples, in_one_test, some
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import symmetrics as sm
from symmetrics.tools.errors import InputError

folds = arrays(np.int64, st.tuples(st.integers(1, 8), st.just(4)), elements=st.integers(0, 9))


@given(folds)
def test_the_three_kinds_of_f1_are_those_of_forman_and_scholz(tables: np.ndarray) -> None:
    """F_avg, F_tp,fp and F_pr,re, from their definitions; a fold or a rate without a value is left out."""
    found = sm.over_folds("f1", tables)
    tp, fn, fp, _ = tables.T.astype(float)
    by_fold = [2 * a / (2 * a + b + c) for a, b, c in zip(tp, fn, fp, strict=True) if a + b + c]
    assert found.mean_of_folds == pytest.approx(np.mean(by_fold) if by_fold else np.nan, nan_ok=True)
    total = 2 * tp.sum() + fn.sum() + fp.sum()
    assert found.pooled == pytest.approx(2 * tp.sum() / total if total else np.nan, nan_ok=True)
    assert found.undefined == tuple(place for place, row in enumerate(tables) if not row[:3].any())
    precisions = [a / (a + c) for a, c in zip(tp, fp, strict=True) if a + c]
    recalls = [a / (a + b) for a, b in zip(tp, fn, strict=True) if a + b]
    expected = np.nan
    if precisions and recalls:
        p, r = np.mean(precisions), np.mean(recalls)
        expected = 2 * p * r / (p + r) if p + r else 0.0
    assert found.of_means == pytest.approx(expected, nan_ok=True)


@given(folds)
def test_what_has_no_value_may_count_as_zero(tables: np.ndarray) -> None:
    found = sm.over_folds("f1", tables, zero_division=0)
    tp, fn, fp, _ = tables.T.astype(float)
    by_fold = np.divide(2 * tp, 2 * tp + fn + fp, out=np.zeros_like(tp), where=2 * tp + fn + fp > 0)
    assert found.mean_of_folds == pytest.approx(by_fold.mean())
    assert found.values == pytest.approx(by_fold)
    p, r = (np.divide(tp, tp + of, out=np.zeros_like(tp), where=tp + of > 0).mean() for of in (fp, fn))
    assert found.of_means == pytest.approx(2 * p * r / (p + r) if p + r else 0.0)


@pytest.mark.parametrize("name", ["f1", "jaccard", "fowlkes_mallows"])
def test_equal_folds_have_one_value(name: str) -> None:
    found = sm.over_folds(name, [[8, 2, 3, 87]] * 5)
    expected = sm.metrics[name].from_counts(8, 2, 3, 87)
    assert (found.mean_of_folds, found.pooled, found.of_means) == pytest.approx((expected,) * 3)


@pytest.mark.parametrize("name", ["mcc", "accuracy", "kappa"])
def test_what_is_no_function_of_precision_and_recall_has_no_value_at_their_means(name: str) -> None:
    found = sm.over_folds(name, [[8, 2, 3, 87], [5, 5, 1, 89]])
    assert np.isnan(found.of_means)
    assert "recall" not in repr(found)
    assert sm.over_folds("accuracy", [[8, 2, 3, 87], [5, 5, 1, 89]]).mean_of_folds == pytest.approx(
        sm.over_folds("accuracy", [[8, 2, 3, 87], [5, 5, 1, 89]]).pooled
    )


def test_what_depends_on_the_number_of_examples_has_no_value_at_mean_rates() -> None:
    mine = sm.Metric("mine", sm.TP / (sm.TP + sm.FN + sm.FP + 1))
    found = sm.over_folds(mine, [[8, 2, 3, 87], [5, 5, 1, 89]])
    assert np.isnan(found.of_means)
    assert found.pooled == pytest.approx(13 / 25)


def test_folds_without_any_value_have_what_was_asked_for() -> None:
    empty = [[0, 0, 0, 9], [0, 0, 0, 8]]
    found = sm.over_folds("f1", empty, zero_division=0)
    assert (found.mean_of_folds, found.pooled, found.of_means) == (0, 0, 0)
    found = sm.over_folds("f1", empty)
    assert np.isnan([found.mean_of_folds, found.pooled, found.of_means]).all()
    assert "2 folds without a value left out" in repr(found)


@given(folds)
@settings(max_examples=examples(20))
def test_every_metric_has_its_own_mean_and_its_own_pooled_value(tables: np.ndarray) -> None:
    for name in some(sm.metrics, 5):
        found, values = sm.over_folds(name, tables), sm.metrics[name].from_counts(tables)
        known = values[~np.isnan(values)].tolist()
        both = np.inf in known and -np.inf in known
        expected = sum(known) / len(known) if known and not both else np.nan
        assert found.mean_of_folds == pytest.approx(expected, nan_ok=True)
        assert found.pooled == pytest.approx(sm.metrics[name].from_counts(*tables.sum(axis=0)), nan_ok=True)


def test_means_of_few_positives_are_biased_and_pooled_counts_are_not() -> None:
    """As Forman & Scholz find: in ten stratified folds with one positive each F_avg is too low, F_pr,re too high where
    precisions without a value are left out, and F_tp,fp close to the truth.
    """
    tpr, fpr, negatives, times = 0.6, 0.005, 99, 400
    truth = sm.metrics["f1"].from_counts(tpr, 1 - tpr, fpr * negatives, (1 - fpr) * negatives)
    random = np.random.default_rng(1)
    tp, fp = random.binomial(1, tpr, (times, 10)), random.binomial(negatives, fpr, (times, 10))
    found = [sm.over_folds("f1", study) for study in np.stack([tp, 1 - tp, fp, negatives - fp], axis=-1)]
    bias = {
        name: np.mean([vars(one)[name] for one in found]) - truth for name in ("mean_of_folds", "pooled", "of_means")
    }
    assert abs(bias["pooled"]) < 0.02
    assert bias["mean_of_folds"] == pytest.approx(-0.06, abs=0.02)
    assert bias["of_means"] == pytest.approx(0.03, abs=0.02)


def test_all_kinds_of_tables_are_read() -> None:
    pandas = pytest.importorskip("pandas")
    cells = np.array([[8, 2, 3, 87], [5, 5, 1, 89]])
    matrices = np.array([[[87, 3], [2, 8]], [[89, 1], [5, 5]]])
    expected = sm.over_folds("f1", cells)
    assert sm.over_folds("f1", matrices) == expected
    assert sm.over_folds("f1", cells.tolist()) == expected
    assert sm.over_folds("f1", matrices[:, ::-1, ::-1], positive=0) == expected
    assert sm.over_folds("f1", pandas.DataFrame(cells, columns=["tp", "fn", "fp", "tn"])) == expected
    assert sm.over_folds("f1", [pandas.DataFrame(matrix, [0, 1], [0, 1]) for matrix in matrices]) == expected


def test_matrices_of_many_classes_are_averaged_and_a_fold_may_lack_a_class() -> None:
    first = sm.ConfusionMatrix.of(["a", "b", "c", "a"], ["a", "b", "a", "a"])
    second = sm.ConfusionMatrix.of(["a", "b", "b"], ["b", "b", "b"])
    found = sm.over_folds("recall", [first, second], average="macro")
    metric = sm.metrics["recall"]
    by_fold = [metric.from_confusion(fold, average="macro") for fold in (first, second)]
    assert found.mean_of_folds == pytest.approx(np.mean(by_fold))
    assert found.pooled == pytest.approx(metric.from_confusion(first + second, average="macro"))
    two = [sm.ConfusionMatrix.of([0, 1, 1], [0, 1, 0]), sm.ConfusionMatrix.of([1, 1], [1, 1])]
    assert sm.over_folds("recall", two).pooled == 0.75


@in_one_test
@pytest.mark.parametrize(
    ("tables", "settings", "told"),
    [
        ([], {}, "are no tables of folds"),
        ("none", {}, "tables='none' are no tables of folds"),
        ([[1, 2, 3]], {}, "are no tables of folds"),
        ([[1, 2, 3, 4], [1]], {}, "are no tables of folds"),
        (np.empty((0, 4)), {}, "tables holds no fold"),
        ([[1, 2, -3, 4]], {}, "a count cannot be negative"),
        ([[1, 2, 3, 4]], {"zero_division": "none"}, "zero_division='none' is not a number"),
        ([[1, 2, 3, 4]], {"average": "macro"}, "average='macro' is for confusion matrices"),
        (np.ones((2, 3, 3)), {}, "C has 3 classes and this metric takes two"),
        (np.ones((2, 3, 3)), {"average": None}, "average=None gives a value for each class"),
    ],
)
def test_folds_that_are_none(tables: object, settings: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        sm.over_folds("mcc", tables, **settings)
