"""Columns of ordered categories say in which order their classes stand, and every reader of labels keeps to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import polars as pl
import pytest
import sklearn.metrics

import symmetrics as sm
from symmetrics.data.labels import confusion_matrix

LEVELS = ["low", "medium", "high"]
TRUE = ["low", "medium", "high", "low", "high", "medium", "low"]
FIRST = ["low", "high", "high", "medium", "low", "medium", "high"]
SECOND = ["low", "medium", "high", "low", "low", "medium", "high"]
KAPPA = sm.multiclass["kappa_quadratic"]


def by_pandas(values: list[str], levels: tuple[str, ...] = (*LEVELS, "never")) -> pd.Series:
    return pd.Series(values, dtype=pd.CategoricalDtype(levels, ordered=True))


def by_polars(values: list[str]) -> pl.Series:
    return pl.Series(values, dtype=pl.Enum([*LEVELS, "never"]))


READERS: list[Callable[[list[str]], Any]] = [by_pandas, by_polars, lambda values: by_pandas(values).array]


@pytest.mark.parametrize("ordered", READERS)
def test_classes_are_in_the_order_of_their_categories(ordered: Callable[[list[str]], Any]) -> None:
    true, first = ordered(TRUE), ordered(FIRST)
    assert confusion_matrix(true, first)[1] == LEVELS
    codes = [[LEVELS.index(level) for level in part] for part in (TRUE, FIRST)]
    value = KAPPA(true, first)
    assert value == pytest.approx(sklearn.metrics.cohen_kappa_score(*codes, weights="quadratic"))
    assert value != pytest.approx(KAPPA(TRUE, FIRST))
    recall = sm.metrics["recall"]
    assert recall(true, first, average=None).tolist() == recall(TRUE, FIRST, average=None, labels=LEVELS).tolist()


@pytest.mark.parametrize("ordered", READERS)
def test_intervals_and_comparisons_are_of_the_same_order(ordered: Callable[[list[str]], Any]) -> None:
    true, first, second = map(ordered, (TRUE, FIRST, SECOND))
    found, expected = KAPPA.interval_from_labels(true, first), KAPPA.interval_from_labels(TRUE, FIRST, labels=LEVELS)
    assert [*found] == [*expected]
    compared = [
        sm.compare(true, first, second, KAPPA),
        sm.compare(TRUE, FIRST, SECOND, KAPPA, labels=LEVELS),
    ]
    assert str(compared[0]) == str(compared[1]) != str(sm.compare(TRUE, FIRST, SECOND, KAPPA))


def test_tables_and_reports_are_of_the_same_order() -> None:
    frame = pd.DataFrame({"true": by_pandas(TRUE), "first": by_pandas(FIRST), "group": 1})
    value = KAPPA(TRUE, FIRST, labels=LEVELS)
    asked = {"metrics": [KAPPA], "truth": "true", "prediction": "first"}
    assert sm.score(frame, **asked)["value"].tolist() == [value]
    assert sm.score(frame, by="group", **asked)["value"].tolist() == [value]
    lazy = pl.LazyFrame({"true": by_polars(TRUE), "first": by_polars(FIRST)})
    assert sm.score(lazy, **asked)["value"].tolist() == [value]
    assert [*sm.score(frame["true"], frame["first"], ["recall"], average=None).columns] == LEVELS
    report = str(sm.report(frame["true"], frame["first"]))
    assert report.index("low") < report.index("medium") < report.index("high")


def test_orders_that_are_stated_or_not() -> None:
    # Batches keep the order unless one has another.
    counts = sm.ConfusionMatrix.of(by_pandas(TRUE), by_pandas(FIRST))
    assert counts.labels == LEVELS
    assert sum([counts, counts]).labels == LEVELS
    counts.update(["low"], ["high"])
    assert counts.labels == sorted(LEVELS)
    # An order that both columns do not state is none.
    true, unordered = by_pandas(TRUE), pd.Series(FIRST, dtype="category")
    for predicted in (FIRST, by_pandas(FIRST, ("high", "low", "medium")), unordered):
        assert confusion_matrix(true, predicted)[1] == sorted(LEVELS)
    assert confusion_matrix(unordered, unordered)[1] == sorted(LEVELS)
    # Ordered numbers need not rise.
    kind = pd.CategoricalDtype([3, 1, 2], ordered=True)
    matrix, labels = confusion_matrix(pd.Series([1, 2, 3], dtype=kind), pd.Series([1, 1, 3], dtype=kind))
    assert labels == [3, 1, 2]
    frame = pd.DataFrame({"true": [1, 2, 3], "first": [1, 1, 3], "group": 0}).astype({"true": kind, "first": kind})
    asked = {"metrics": [KAPPA], "truth": "true", "prediction": "first", "by": "group"}
    assert sm.score(frame, **asked)["value"].tolist() == [KAPPA.from_confusion(matrix)]
    assert matrix.tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 0]]
