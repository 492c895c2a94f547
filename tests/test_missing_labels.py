"""None, NaN, NaT and NA are missing labels for every reader alike, and refused in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from effort import in_one_test

import symmetrics as sm
from symmetrics.curves import one_vs_rest_curves
from symmetrics.numeric.labels import confusion_matrix
from symmetrics.posets import poset
from symmetrics.posets.relevance import partial_order, prevalence, scores, total_order
from symmetrics.tools.errors import SymmetricsError

MISSING: list[Any] = [None, float("nan"), np.datetime64("NaT", "s"), pd.NA, pd.NaT]
READERS: dict[str, Callable[[Any], object]] = {
    "labels": lambda gap: confusion_matrix(["a", gap], ["a", "a"]),
    "predictions": lambda gap: confusion_matrix(["a", "a"], ["a", gap]),
    "labels=": lambda gap: confusion_matrix(["a", "c"], ["a", "c"], labels=["a", gap]),
    "a metric": lambda gap: sm.metrics["f1"](["a", gap], ["a", "a"], pos_label="a"),
    "an average": lambda gap: sm.metrics["f1"](["a", gap], ["a", "a"], average="macro"),
    "a selection": lambda gap: sm.metrics["f1"](["a", "c"], ["a", "a"], labels=["a", gap], average="macro"),
    "a matrix of names": lambda gap: sm.multiclass["cba"].from_confusion(np.eye(2), labels=["a", gap]),
    "a frame": lambda gap: sm.multiclass["cba"].from_confusion(
        pd.DataFrame(np.eye(2), index=pd.Index(["a", gap], dtype=object), columns=pd.Index(["a", gap], dtype=object))
    ),
    "a k x k metric": lambda gap: sm.multiclass["mcc"](["a", gap], ["a", "a"]),
    "a curve": lambda gap: sm.roc_curve(["a", gap], [1, 2], pos_label="a"),
    "curves of many": lambda gap: one_vs_rest_curves(["a", gap, "b"], np.eye(3)),
    "classes of curves": lambda gap: one_vs_rest_curves(["a", "c"], np.eye(2), labels=["a", gap]),
    "scores": lambda gap: scores({"a": 1, gap: 0}),
    "prevalence": lambda gap: prevalence([1, 2], classes=["a", gap]),
    "total order": lambda gap: total_order(["a", gap]),
    "partial order": lambda gap: partial_order([("a", gap)]),
    "classes of an order": lambda gap: partial_order([("a", "b")], classes=["a", "b", gap]),
    "an order": lambda gap: poset([("a", gap)]),
}


@in_one_test
@pytest.mark.parametrize("gap", MISSING, ids=["None", "nan", "NaT", "NA", "pandas NaT"])
@pytest.mark.parametrize("reader", READERS)
def test_a_missing_label_is_refused(reader: str, gap: Any) -> None:
    with pytest.raises(SymmetricsError) as caught:
        READERS[reader](gap)
    assert "\n" not in str(caught.value)


@in_one_test
@pytest.mark.parametrize("reader", READERS)
def test_a_label_is_not(reader: str) -> None:
    READERS[reader]("c")


def test_what_arrow_does_not_call_missing_is_missing_all_the_same() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    numbers = pyarrow.array([1.0, 0.0, float("nan")])
    named = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 0, 1]), pyarrow.array(["a", None, "b"]))
    for gaps in (
        numbers,
        pyarrow.chunked_array([numbers]),
        pd.Series(numbers, dtype=pd.ArrowDtype(numbers.type)),
        named,
    ):
        with pytest.raises(SymmetricsError, match=r"^y_true\[2\] is missing"):
            sm.metrics["f1"](gaps, [1.0, 0.0, 0.0], average="macro")
    # A null that no example has is no missing label.
    assert sm.ConfusionMatrix.of(named[:2], ["a", "a"]).labels == ["a"]
