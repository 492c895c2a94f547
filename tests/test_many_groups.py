"""Scores of many groups, which are computed all at once, are those of each group by itself."""

from __future__ import annotations

import warnings
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from effort import in_one_test

import symmetrics as sm
from symmetrics.data.grouping import GroupCounts
from symmetrics.metric import Metric
from symmetrics.tools.errors import LabelWarning

FEW_DRAWS = {"draws": 200}
OF_TWO: list[dict[str, Any]] = [
    {},
    {"interval": FEW_DRAWS},
    {"zero_division": 0.0, "interval": FEW_DRAWS},
    {"interval": {"method": "exact"}},
    {"interval": {"method": "bayes", "sampling": "binomial", **FEW_DRAWS}},
    {"labels": [1, 0], "pos_label": 0, "interval": FEW_DRAWS},
    {"sample_weight": "w"},
]
OF_MANY: list[dict[str, Any]] = [
    {"average": "macro"},
    {"average": "macro", "interval": FEW_DRAWS},
    {"average": "macro", "zero_division": 1.0, "interval": FEW_DRAWS},
    {"average": "micro", "interval": FEW_DRAWS},
    {"average": "weighted", "interval": FEW_DRAWS},
    {"average": "pooled", "sample_weight": "w"},
    {"average": None, "labels": ["a", "b", "c"]},
    {"average": None, "labels": ["c", "a", "b"], "interval": FEW_DRAWS},
]
METRICS = ["recall", "f1", "mcc", "odds_ratio", "lr_positive"]


def frame(labels: list[Any], *, groups: int = 12, size: int = 90, seed: int = 1) -> pd.DataFrame:
    """Return examples whose groups have from one class to all, and empty cells."""
    random = Random(seed)
    rows = []
    for place in range(size):
        group = place % groups
        known = labels[: 1 + group % len(labels)]
        true = random.choice(known)
        predicted = true if random.random() < 0.7 else random.choice(known)
        rows.append((true, predicted, group % 6, "odd" if group >= 6 else "even", random.choice([0.5, 2.0, 3.25])))
    random.shuffle(rows)
    return pd.DataFrame(rows, columns=["y", "p", "g", "h", "w"])


def one_by_one(examples: pd.DataFrame, metrics: Any, options: dict[str, Any]) -> pd.DataFrame:
    """Return the scores of each group of examples, taken out of the frame."""
    settings = dict(options)
    if "labels" not in settings and settings.get("average", "binary") in ("binary", None):
        settings["labels"] = sorted({*examples["y"], *examples["p"]})
    parts = {}
    for key, part in examples.groupby(["h", "g"]):
        with warnings.catch_warnings(action="ignore", category=LabelWarning):  # of labels that no example has
            parts[key] = sm.score(part, None, metrics, truth="y", prediction="p", **settings)
    return pd.concat(parts, names=["h", "g"])


@in_one_test
@pytest.mark.sampled(3)
@pytest.mark.parametrize("options", [*OF_TWO, *OF_MANY], ids=str)
@pytest.mark.parametrize("kind", ["counted by the engine", "objects"])
def test_scores_of_groups_are_those_of_each_group(
    options: dict[str, Any], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Some metric of some group has an interval, which one group by itself may be refused for lacking.
    monkeypatch.setattr("symmetrics.pages.frame_scores.checked", lambda scores, question: scores)
    examples = frame([0, 1] if options in OF_TWO else ["a", "b", "c"])
    given = examples if kind == "counted by the engine" else examples.astype({"g": object, "h": object})
    for metrics in (METRICS, ["recall", sm.multiclass["mcc"], sm.multiclass["cba"]]):
        if options.get("average", "macro") != "macro" and metrics is not METRICS:
            continue  # MCC of matrices is no mean over classes
        found = sm.score(given, None, metrics, truth="y", prediction="p", by=["h", "g"], **options)
        expected = one_by_one(examples, metrics, options)
        pd.testing.assert_frame_equal(
            found, expected, check_index_type=False, check_column_type=False, rtol=1e-12, atol=1e-12
        )


@in_one_test
@pytest.mark.parametrize("interval", [None, FEW_DRAWS])
@pytest.mark.parametrize("average", ["binary", "macro"])
def test_one_call_serves_all_groups(interval: Any, average: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    for name in ("from_counts", "from_confusion", "interval", "interval_from_confusion"):
        original = getattr(Metric, name)

        def watched(self: Metric, *given: Any, _name: str = name, _of: Any = original, **asked: Any) -> Any:
            calls.append(_name)
            return _of(self, *given, **asked)

        monkeypatch.setattr(Metric, name, watched)
    for groups in (2, 300):
        calls.clear()
        examples = pd.DataFrame({"y": [0, 1, 1, 0] * groups, "p": [0, 1, 0, 1] * groups})
        examples["g"] = np.arange(len(examples)) // 4
        sm.score(
            examples, None, ["f1", "recall"], truth="y", prediction="p", by="g", interval=interval, average=average
        )
        assert len(calls) == (2 if interval is None else 4)


def test_matrices_of_groups_are_made_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    group, true, predicted = random.integers(0, [[9], [3], [3]], (3, 400))
    counts = GroupCounts(group, true, predicted, np.ones(400), ["a", "b", "c"], 9)
    expected = np.zeros((9, 3, 3))
    np.add.at(expected, (group, true, predicted), 1)
    for entries in (9, 40, 1 << 22):
        monkeypatch.setattr("symmetrics.data.grouping._ENTRIES", entries)
        parts = list(counts.matrices(["a", "b", "c"]))
        assert len(parts) == {9: 9, 40: 3, 1 << 22: 1}[entries]
        assert np.concatenate([groups for groups, _ in parts]).tolist() == list(range(9))
        assert (np.concatenate([stack for _, stack in parts]) == expected).all()


def test_groups_of_many_columns() -> None:
    # Groups of many columns have places in the order of their values.
    columns = {f"k{place}": list(range(40)) * 2 for place in range(14)}  # 40**14 combinations: more than an integer
    examples = pd.DataFrame({"y": [1, 0] * 40, "p": [1] * 80, **columns})
    found = sm.score(examples, None, ["recall"], truth="y", prediction="p", by=list(columns))
    assert [key[:-1] for key in found.index] == [(value,) * 14 for value in range(40)]
    # An example of weight 0 is as one left out.
    examples = pd.DataFrame(
        {"y": [1, 0, 1, 2], "p": [1, 0, 0, 1], "g": ["a", "a", "b", "c"], "w": [1.0, 2.0, 3.0, 0.0]}
    )
    for given in (examples, examples.astype({"g": object})):
        found = sm.score(given, None, ["recall"], truth="y", prediction="p", by="g", sample_weight="w")
        assert found["value"].to_dict() == {("a", "recall"): 1.0, ("b", "recall"): 0.0}
    # Intervals of arrays say which method each table has.
    tables = np.array([[3, 2, 1, 9], [300, 200, 100, 900], [40, 60, 20, 80], [0, 0, 5, 5]]).T
    for name in ("recall", "mcc", "f1", "accuracy"):
        metric = sm.metrics[name]
        found = metric.interval(*tables, draws=200)
        each = [metric.interval(*table, draws=200).method for table in tables.T]
        assert (list(found.method_at) if found.method_at is not None else [found.method] * 4) == each
        assert len(set(each)) == 1 or "elsewhere" in found.method
    matrices = np.array([[[30, 2, 1], [3, 40, 2], [1, 1, 20]], [[300, 20, 1], [3, 400, 20], [10, 10, 200]]])
    found = sm.metrics["f1"].interval_from_confusion(matrices, draws=200)
    each = [sm.metrics["f1"].interval_from_confusion(matrix, draws=200).method for matrix in matrices]
    assert list(found.method_at) == each
    assert len(set(each)) == 2


@pytest.mark.parametrize("kind", ["counted by the engine", "objects"])
def test_groups_one_by_one_have_their_own_examples_beside_some_of_weight_0(kind: str) -> None:
    """Weights of one's own for the classes, and some of the classes alone, are averaged group by group."""
    examples = pd.DataFrame(
        {"y": list("cabcbac"), "p": list("aaacbcb"), "g": list("xxxxyyy"), "w": [0.0, 1, 2, 3, 0, 1, 1]}
    )
    given = examples if kind == "counted by the engine" else examples.astype({"g": object})
    settings = {"average": [1, 2, 3], "labels": ["a", "b", "c"]}
    found = sm.score(given, None, ["recall"], truth="y", prediction="p", by="g", sample_weight="w", **settings)
    weighed = examples[examples["w"] > 0]
    for name, part in weighed.groupby("g"):
        expected = sm.metrics["recall"](part["y"], part["p"], sample_weight=part["w"], **settings)
        assert found.loc[(name, "recall"), "value"] == expected
