"""One rule for all measures of scores: what has a value for one class has it at every door, and an example of weight 0
is as one left out."""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from effort import examples, in_one_test
from hypothesis import given, settings
from hypothesis import strategies as st

import symmetrics as sm
from symmetrics import curves
from symmetrics.cli import main
from symmetrics.curves.measures import OF_POSITIVES_ALONE, SCORE_MEASURES
from symmetrics.tools.errors import InputError

OF_ONE_COLUMN: dict[str, Callable[..., Any]] = {
    **SCORE_MEASURES,
    "roc_auc": sm.roc_auc,
    "partial area": partial(curves.partial_auc, max_fpr=0.5),
    "standardised area": partial(sm.roc_auc, max_fpr=0.5),
    "roc_curve": lambda *given, **more: tuple(curves.roc_curve(*given, **more)),
    "by records": lambda *given, **more: curves.roc_curve(*given, method="records", **more).tp,
    "det_curve": lambda *given, **more: tuple(curves.det_curve(*given, **more)),
    "precision_recall_curve": lambda *given, **more: tuple(curves.precision_recall_curve(*given, **more)),
    "precision at a prior": lambda *given, **more: curves.precision_recall_curve(*given, prior=0.25, **more).precision,
    "posfrac": lambda *given, **more: tuple(curves.posfrac(*given, **more)),
    "fraction at a prior": lambda *given, **more: curves.posfrac(*given, prior=0.25, **more).posfrac,
    "auc_cost_weights": lambda *given, **more: sm.curves.auc_cost_weights(*given, **more).weight,
}
POSITIVES_SUFFICE = OF_POSITIVES_ALONE | {"precision_recall_curve", "posfrac"}
AVERAGES = ("macro", "weighted", "micro", "samples", None)
OF_CLASSES: dict[str, Callable[..., Any]] = {
    **{f"roc_auc {average}": partial(sm.roc_auc, average=average) for average in AVERAGES},
    **{f"precision {average}": partial(sm.average_precision, average=average) for average in AVERAGES},
    "ovo": partial(sm.roc_auc, multi_class="ovo"),
    "ovo by size": partial(sm.roc_auc, multi_class="ovo", average="weighted"),
    "hand_till": curves.hand_till,
    "one_vs_rest_auc": curves.one_vs_rest_auc,
    "top_k_accuracy": curves.top_k_accuracy,
    "one_vs_rest_curves": lambda *given, **more: [
        curve.tp for curve in curves.one_vs_rest_curves(*given, **more).values()
    ],
}


def outcome(call: Callable[[], Any]) -> Any:
    """Return a value as numbers, or that it is refused."""
    try:
        value = call()
    except InputError:
        return "refused"
    parts = value if isinstance(value, tuple | list) else [value]
    return [np.asarray(part, dtype=np.float64).tolist() for part in parts]


def assert_same(one: Any, other: Any, name: str) -> None:
    assert (one == "refused") == (other == "refused"), name
    if one != "refused":
        for mine, theirs in zip(one, other, strict=True):
            assert np.shape(mine) == np.shape(theirs), name
            assert mine == pytest.approx(theirs, rel=1e-12, abs=1e-12, nan_ok=True), name


# -- one class alone ---------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize("name", OF_ONE_COLUMN)
@pytest.mark.parametrize("weight", [None, [1.0, 2.0, 0.5, 0.0]])
def test_a_measure_of_one_class_has_a_value_or_is_refused(name: str, weight: Any) -> None:
    """Of the last example, which is of the other class, only the weight of 0 is left where there are weights."""
    measure, scores = OF_ONE_COLUMN[name], [0.1, 0.9, 0.4, 0.7]
    for label, other in ((1, 0), (0, 1)):
        truth = [label] * 3 + [label if weight is None else other]
        if label == 1 and name in POSITIVES_SUFFICE:
            assert np.shape(measure(truth, scores, sample_weight=weight))[-1:] in ((), (4,), (3,), (5,))
        else:
            with pytest.raises(InputError, match=f"holds one class, {label}; pass "):
                measure(truth, scores, sample_weight=weight)


def test_the_value_for_positives_alone_is_one_at_every_door() -> None:
    scores = [0.3, 0.3, 0.8]
    assert sm.average_precision([1] * 3, scores) == 1
    assert sm.average_precision(["b"] * 3, scores, pos_label="b", sample_weight=[1, 0, 5]) == 1
    assert sm.average_precision([1, 0, 1], scores, sample_weight=[1, 0, 5]) == 1
    assert sm.average_precision([[1, 0]] * 3, [[one, one] for one in scores], average=None)[0] == 1  # type: ignore[index,list-item]
    precision, recall, thresholds = curves.precision_recall_curve([1] * 3, scores)
    assert (precision.tolist(), recall.tolist(), thresholds.tolist()) == ([1, 1], [1 / 3, 1], [0.8, 0.3])
    fraction, rate, _ = curves.posfrac([1] * 3, scores)
    assert fraction.tolist() == rate.tolist() == [0, 1 / 3, 1]
    with pytest.raises(InputError, match="one class, 'b'; pass some of the positive one, 'a'"):
        sm.average_precision(["b"] * 3, scores, pos_label="a")
    with pytest.raises(InputError, match="one class, 1; pass examples of both classes"):
        sm.curves.score_interval([1] * 3, scores, "average_precision")


@pytest.mark.parametrize("many", [False, True])
def test_positives_alone_on_the_command_line(
    many: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if many:
        monkeypatch.setattr("symmetrics.pages.file_scores.MOST_IN_MEMORY", 2)
    file = tmp_path / "scores.csv"
    file.write_text("y,p,s\n1,1,.3\n1,0,.3\n1,1,.8\n", encoding="utf-8")
    command = ["score", str(file), "--truth", "y", "--prediction", "p", "--score", "s", "--format", "json", "--metrics"]
    assert main([*command, "average_precision"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"][0]["value"] == 1
    assert main([*command, "auc"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["scores"]
    assert row["value"] is None
    assert "every label in column 'y' is '1'" in row["note"]


@in_one_test
@pytest.mark.parametrize("name", OF_CLASSES)
def test_a_column_without_a_value_is_left_out_of_the_mean(name: str) -> None:
    """Class 2 has no examples: its area is nan, and every mean is that of the other two columns."""
    measure = OF_CLASSES[name]
    truth, scores = [0, 1, 1, 0], np.array([[0.6, 0.3, 0.1], [0.5, 0.3, 0.2], [0.2, 0.7, 0.1], [0.3, 0.3, 0.4]])
    if name == "one_vs_rest_curves":
        with pytest.raises(InputError, match="no example that counts is of class 2"):
            measure(truth, scores, labels=[0, 1, 2])
        return
    found = measure(truth, scores, labels=[0, 1, 2])
    if name.endswith("None"):
        assert found[:2] == pytest.approx(measure(truth, scores[:, :2]))
        assert math.isnan(found[2])
    elif name not in ("roc_auc micro", "roc_auc samples", "precision micro", "precision samples", "top_k_accuracy"):
        assert found == pytest.approx(measure(truth, scores[:, :2]))
    alone = outcome(lambda: measure([0, 0], scores[:2], labels=[0, 1, 2]))
    if name.startswith("precision") and not name.endswith(("micro", "samples")):
        assert alone[0] == pytest.approx([1, math.nan, math.nan] if name.endswith("None") else 1, nan_ok=True)


# -- missing labels ----------------------------------------------------------------------------------------------------

OF_INTERVALS: dict[str, Callable[..., Any]] = {
    "score_interval": lambda *given, **more: sm.curves.score_interval(*given, **more).low,
    "grouped interval": lambda y, s, **more: sm.curves.score_interval(y, s, groups=np.arange(len(y)), **more).low,
    "roc_band": lambda *given, **more: sm.curves.roc_band(*given, **more).low,
    "delong_test": lambda y, s, **more: sm.curves.delong_test(y, s, np.arange(len(y)), **more)[1],
}


def test_every_function_of_labels_takes_missing() -> None:
    takes = {name for name in curves.__all__ if "y_true" in inspect.signature(getattr(curves, name)).parameters}
    assert len(takes) == 21
    for name in takes:
        assert "missing" in inspect.signature(getattr(curves, name)).parameters, name


@in_one_test
@pytest.mark.parametrize("name", [*OF_ONE_COLUMN, *OF_INTERVALS])
@pytest.mark.parametrize("gap", ["NA", None, math.nan, "?"])
def test_an_example_without_a_label_is_refused_or_left_out(name: str, gap: Any) -> None:
    measure = (OF_ONE_COLUMN | OF_INTERVALS)[name]
    truth, scores = np.array(["b", "a", "b", "a", "b", "a", gap], dtype=object), np.array([7, 1, 3, 4, 6, 2, 5])
    with pytest.raises(InputError, match=r"y_true\[6\] is .*pass missing='drop' to leave such examples out"):
        measure(truth, scores, pos_label="b")
    assert_same(
        outcome(lambda: measure(truth, scores, pos_label="b", missing="drop")),
        outcome(lambda: measure(truth[:6], scores[:6], pos_label="b")),
        name,
    )
    if gap == "NA":  # now one class of three, or of two
        with pytest.raises(InputError, match="more than two labels"):
            measure(truth, scores, pos_label="b", missing="keep")
        two = np.where(truth == "a", "NA", "b")
        assert_same(
            outcome(lambda: measure(two, scores, pos_label="b", missing="keep")),
            outcome(lambda: measure(two == "b", scores, pos_label=True)),
            name,
        )


@in_one_test
@pytest.mark.parametrize("name", OF_CLASSES)
def test_a_class_that_is_called_na(name: str) -> None:
    measure = OF_CLASSES[name]
    truth, scores = np.array(["NA", "a", "b", "a", "NA"]), np.random.default_rng(0).integers(0, 9, (5, 3))
    with pytest.raises(InputError, match=r"y_true\[0\] is 'NA', which stands for a missing label"):
        measure(truth, scores)
    assert_same(
        outcome(lambda: measure(truth, scores, missing="keep")),
        outcome(lambda: measure(np.char.add(truth, "_"), scores)),
        name,
    )
    assert_same(
        outcome(lambda: measure(truth, scores[:, 1:], missing="drop")),
        outcome(lambda: measure(truth[1:4], scores[1:4, 1:])),
        name,
    )


# -- weight 0 ----------------------------------------------------------------------------------------------------------

WEIGHTED = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 3), st.sampled_from([0.0, 0.0, 0.5, 1.0, 3.0])), min_size=2, max_size=9
).filter(lambda rows: any(weight for *_, weight in rows))


@settings(max_examples=examples(60), deadline=None)
@given(rows=WEIGHTED, seed=st.integers(0, 99))
def test_an_example_of_weight_0_is_as_one_left_out(rows: list[tuple[int, int, float]], seed: int) -> None:
    truth, scores, weight = map(np.array, zip(*rows, strict=True))
    kept = weight > 0
    for name, measure in OF_ONE_COLUMN.items():
        for labels in (truth, np.array(["0", "1", "2"])[truth], truth.astype(object)):
            given = {"pos_label": labels[int(np.argmax(truth == 1))]}
            one = outcome(lambda: measure(labels, scores, sample_weight=weight, **given))  # noqa: B023
            other = outcome(lambda: measure(labels[kept], scores[kept], sample_weight=weight[kept], **given))  # noqa: B023
            assert_same(one, other, name)
    random = np.random.default_rng(seed)
    columns, indicators = random.integers(0, 4, (len(rows), 3)), random.integers(0, 2, (len(rows), 3))
    for name, measure in OF_CLASSES.items():
        for labels, more in ((truth, {"labels": [0, 1, 2]}), (truth, {}), (indicators, {})):
            if labels is indicators and name.split()[0] not in ("roc_auc", "precision"):
                continue
            one = outcome(lambda: measure(labels, columns, sample_weight=weight, **more))  # noqa: B023
            other = outcome(
                lambda: measure(labels[kept], columns[kept], sample_weight=weight[kept], **more)  # noqa: B023
            )
            assert_same(one, other, name)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.LazyFrame])
@settings(max_examples=examples(10), deadline=None)
@given(rows=WEIGHTED, bins=st.sampled_from([None, 1, 3]))
def test_a_histogram_leaves_them_out(frame: Any, rows: list[tuple[int, int, float]], bins: int | None) -> None:
    truth, scores, weight = map(np.array, zip(*rows, strict=True))
    kept = weight > 0

    def found(chosen: Any) -> Any:
        table = frame({"y": truth[chosen], "s": scores[chosen], "w": weight[chosen]})
        histogram = sm.curves.score_histogram(table, "y", "s", weight="w", bins=bins)
        return [histogram.positive, histogram.negative, histogram.tied, histogram.highest]

    assert_same(outcome(lambda: found(slice(None))), outcome(lambda: found(kept)), "histogram")


def test_weights_of_columns() -> None:
    # Weights that are all 0 are refused in a frame.
    for frame in (pd.DataFrame, pl.LazyFrame):
        table = frame({"y": [0, 1], "s": [0.5, 0.7], "w": [0.0, 0.0]})
        with pytest.raises(InputError, match="no rows that count"):
            sm.curves.score_histogram(table, "y", "s", weight="w")
    # Large weights in all columns at once. Their sum over the columns is beyond float64; the unit of weights changes
    # nothing.
    truth, scores = [0, 1, 2], np.array([[3, 1, 2], [2, 2, 1], [1, 3, 2]])
    for measure in (sm.roc_auc, sm.average_precision):
        small, large = (
            measure(truth, scores, average="micro", sample_weight=np.array([1, 2, 1]) * unit) for unit in (1, 4e307)
        )
        assert large == pytest.approx(small, rel=1e-12)
