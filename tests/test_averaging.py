"""Averages over classes agree with scikit-learn's, with definitions by hand, and refuse what is no average."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import sklearn.metrics
from effort import examples, in_one_test
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from shared import refusal

from symmetrics.numeric.averaging import AVERAGES, as_zero_division, average_cells, weighted_mean
from symmetrics.numeric.counts import Cells, FloatArray, one_vs_rest
from symmetrics.numeric.labels import confusion_matrix

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
