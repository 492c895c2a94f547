"""Intervals beside values, wherever values are shown: those of the metric itself, or the reason why there are none."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from effort import examples, in_one_test, some
from hypothesis import given, settings
from hypothesis import strategies as st

import symmetrics as sm
from symmetrics.cli import main
from symmetrics.curves.measures import SCORE_MEASURES
from symmetrics.curves.uncertainty import score_interval
from symmetrics.library.selections import DOZEN
from symmetrics.tools.errors import InputError

Printed = Callable[..., str]
TWO = ("score", "two.csv", "--truth", "y", "--prediction", "p")
THREE = ("score", "three.csv", "--truth", "y", "--prediction", "p")
COUNTS = (13, 4, 5, 38)
MATRIX = [[20, 3, 1], [4, 17, 2], [0, 5, 11]]


def rows_of(matrix: list[list[int]], labels: str) -> list[str]:
    return [
        f"{true},{predicted}"
        for true, row in zip(labels, matrix, strict=True)
        for predicted, number in zip(labels, row, strict=True)
        for _ in range(number)
    ]


@pytest.fixture
def printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Printed:
    """Return what a command prints, where there are files of two and of three classes."""
    monkeypatch.chdir(tmp_path)
    tp, fn, fp, tn = COUNTS
    for name, rows in {"two": rows_of([[tn, fp], [fn, tp]], "01"), "three": rows_of(MATRIX, "abc")}.items():
        Path(f"{name}.csv").write_text("\n".join(["y,p", *rows]), encoding="utf-8")
    Path("one.csv").write_text("y,p\n0,1\n0,0\n0,1\n", encoding="utf-8")

    def run(*arguments: str) -> str:
        assert main(arguments) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    return run


def in_all_formats(printed: Printed, *arguments: str) -> list[dict[str, Any]]:
    """Return the rows in JSON, having checked that CSV and text say the same."""
    rows = json.loads(printed(*arguments, "--format", "json"))["scores"]
    table = list(csv.DictReader(io.StringIO(printed(*arguments, "--format", "csv"))))
    lines = printed(*arguments).split("\n\n", 1)[1].splitlines()
    kind = ["kind"] if "kind" in rows[0] else []
    assert lines[0].split() == ["metric", "value", "low", "high", "method", *kind]
    for row, in_csv, line in zip(rows, table, lines[1:], strict=True):
        assert list(row) == ["metric", "value", "low", "high", "method", *kind, "note"]
        assert in_csv.get("kind", "") == row.get("kind", "")
        assert row.get("kind", "") in line
        assert list(in_csv) == [*row, "level"]
        for name in ("value", "low", "high"):
            if row[name] is not None:
                assert float(in_csv[name]) == row[name]
                assert f"{row[name]:.6f}" in line
        assert [in_csv[name] for name in ("metric", "method", "note")] == [
            row[name] for name in ("metric", "method", "note")
        ]
        assert row["note"] in line
        assert line.split()[0] == row["metric"]
    return rows


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ((), {}),
        (("--level", "0.8", "--sampling", "binomial"), {"level": 0.8, "sampling": "binomial"}),
        (("--method", "bootstrap", "--seed", "5"), {"method": "bootstrap", "seed": 5}),
    ],
)
def test_a_file_is_scored_with_the_intervals_of_the_metrics(
    options: tuple[str, ...], settings: dict[str, Any], printed: Printed
) -> None:
    rows = in_all_formats(printed, *TWO, "--interval", *options)
    assert [row["metric"] for row in rows] == list(DOZEN)
    for row in rows:
        expected = sm.metrics[row["metric"]].interval(*COUNTS, **settings)
        assert (row["low"], row["high"], row["method"]) == (expected.low, expected.high, expected.method)


@pytest.mark.parametrize("average", ["macro", "micro", "pooled", "weighted"])
def test_averages_of_many_classes_have_their_intervals(average: str, printed: Printed) -> None:
    names = ("f1", "recall", "mcc")
    rows = in_all_formats(printed, *THREE, "--average", average, "--metrics", ",".join(names), "--interval")
    for name, row in zip(names[:2], rows, strict=False):
        expected = sm.metrics[name].interval_from_confusion(MATRIX, average=average)
        assert row["value"] == sm.metrics[name].from_confusion(MATRIX, average=average)
        assert (row["low"], row["high"]) == (expected.low, expected.high)
    expected = sm.multiclass["mcc"].interval(MATRIX)
    assert rows[2]["value"] == sm.multiclass["mcc"].from_confusion(MATRIX)
    assert (rows[2]["low"], rows[2]["high"]) == (expected.low, expected.high)
    assert [row["kind"] for row in rows] == [f"{average} average"] * 2 + ["whole matrix"]
    without = json.loads(printed(*THREE, "--average", average, "--metrics", ",".join(names), "--format", "json"))
    assert without["matrix"] == MATRIX
    assert [list(row) for row in without["scores"]] == [["metric", "value", "kind", "note"]] * 3


def test_what_has_no_number_says_why(printed: Printed) -> None:
    # No number is missing without a reason.
    for table in ("two.csv", "one.csv"):
        chosen = ",".join(metric.name for metric in some(sm.metrics.values(), 3, table))
        found = printed("score", table, *TWO[2:], "--interval", "--metrics", chosen, "--format", "json")
        for row in json.loads(found)["scores"]:
            assert bool(row["note"]) == any(row[name] is None for name in ("value", "low", "high")), row
            assert row["method"], row
    # What has no value says why and has what the prior leaves.
    (row,) = in_all_formats(printed, "score", "one.csv", *TWO[2:], "--interval", "--metrics", "recall")
    assert row == {
        "metric": "recall", "value": None, "low": 0.0, "high": 1.0, "method": "score", "note": "no limit: FN + TP = 0",
    }  # fmt: skip


def test_a_method_that_does_not_fit_one_metric_is_said_there_and_refused_if_it_fits_none(
    printed: Printed, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = in_all_formats(printed, *TWO, "--interval", "--method", "exact", "--metrics", "mcc,recall")
    assert [row["low"] is None for row in rows] == [True, False]
    assert rows[0]["note"].startswith("no interval: method='exact' is for functions of one proportion, and mcc is none")
    assert main([*TWO, "--interval", "--method", "exact", "--metrics", "mcc,kappa"]) == 2
    assert "method='exact' is for functions of one proportion" in capsys.readouterr().err


def test_measures_of_scores_have_intervals(printed: Printed) -> None:
    truth, score = [1, 1, 0, 1, 0, 0, 1, 0], [9, 7, 6, 5, 4, 4, 3, 1]
    rows = "\n".join(f"{y},{int(s > 4)},{s}" for y, s in zip(truth, score, strict=True))
    Path("scored.csv").write_text(f"y,p,s\n{rows}\n", encoding="utf-8")
    arguments = ("score", "scored.csv", *TWO[2:], "--score", "s", "--interval", "--metrics")
    found = in_all_formats(printed, *arguments, "auc,mcc,kolmogorov_smirnov", "--level", "0.9")
    for row in (row for row in found if row["metric"] in SCORE_MEASURES):
        expected = score_interval(truth, score, row["metric"], level=0.9)
        assert (row["low"], row["high"], row["method"]) == (expected.low, expected.high, expected.method)
    (bayes, _) = in_all_formats(printed, *arguments, "b42,mcc", "--method", "bayes")[::-1]
    assert bayes["note"] == "no interval: method='bayes' is unknown for scores; pass one of auto, delong, bootstrap"


# -- data frames -------------------------------------------------------------------------------------------------------

TRUE = np.repeat(list("abc"), [sum(row) for row in MATRIX])
PREDICTED = np.concatenate([np.repeat(list("abc"), row) for row in MATRIX])
WEIGHT = np.tile([1.0, 2.5, 0.5], 21)


def ends(frame: pd.DataFrame) -> list[tuple[Any, ...]]:
    return list(frame[["low", "high", "method"]].itertuples(index=False, name=None))


@pytest.mark.parametrize(
    "asked", [True, 0.8, {"method": "bootstrap", "seed": 3}, {"level": 0.9, "sampling": "binomial", "method": "delta"}]
)
def test_a_frame_has_the_intervals_of_the_metrics(asked: Any) -> None:
    tp, fn, fp, tn = COUNTS
    true, predicted = np.repeat([1, 1, 0, 0], COUNTS), np.repeat([1, 0, 1, 0], COUNTS)
    question = asked if isinstance(asked, dict) else {} if asked is True else {"level": asked}
    found = sm.score(true, predicted, interval=asked)
    assert list(found.columns) == ["value", "low", "high", "method", "note"]
    expected = [sm.metrics[name].interval(tp, fn, fp, tn, **question) for name in DOZEN]
    assert ends(found) == [(one.low, one.high, one.method) for one in expected]
    assert set(found["note"]) == {""}
    pd.testing.assert_frame_equal(found[["value"]], sm.score(true, predicted))
    pd.testing.assert_frame_equal(sm.score(true, predicted, interval=False), sm.score(true, predicted))


@in_one_test
@pytest.mark.parametrize(
    "average", ["macro", "micro", "weighted", [3, 1, 1], sm.relevance.scores({"b": 0.5, "a": 1, "c": 0.5})]
)
def test_averages_in_a_frame_have_their_intervals(average: Any) -> None:
    metrics = [sm.metrics["f1"], sm.metrics["mcc"], sm.multiclass["cba"]]
    found = sm.score(TRUE, PREDICTED, metrics, average=average, interval=True)
    weights = [2, 1, 1] if isinstance(average, sm.relevance.Relevance) else average
    for metric, (low, high, method) in zip(metrics, ends(found), strict=True):
        ask = metric.interval if isinstance(metric, sm.MulticlassMetric) else metric.interval_from_confusion
        expected = ask(MATRIX, average=weights)
        assert (low, high, method) == (pytest.approx(expected.low), pytest.approx(expected.high), expected.method)


def test_weighted_examples_have_the_intervals_of_weighted_examples() -> None:
    settings_of = {"average": "macro", "sample_weight": WEIGHT}
    for metric, found in (
        (metric, ends(sm.score(TRUE, PREDICTED, metric, interval=True, **settings_of))[0])
        for metric in (sm.metrics["f1"], sm.multiclass["mcc"])
    ):
        expected = metric.interval_from_labels(TRUE, PREDICTED, **settings_of)
        assert found == (expected.low, expected.high, expected.method)
        plain = metric.interval_from_labels(TRUE, PREDICTED, average="macro")
        assert found[1] - found[0] != pytest.approx(plain.width, rel=1e-3)


@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_each_class_has_the_interval_of_that_class_against_the_rest(weight: Any) -> None:
    found = sm.score(TRUE, PREDICTED, ["recall", "mcc"], average=None, interval=0.9, sample_weight=weight)
    assert list(found.columns) == [(c, name) for c in "abc" for name in ("value", "low", "high", "method", "note")]
    for label in "abc":
        alone = sm.score(
            [y == label for y in TRUE],
            [y == label for y in PREDICTED],
            ["recall", "mcc"],
            interval=0.9,
            sample_weight=weight,
        )
        pd.testing.assert_frame_equal(found[label], alone)


@settings(max_examples=examples(15), deadline=None)
@given(st.lists(st.integers(0, 6), min_size=4, max_size=4).filter(any), st.sampled_from(["binary", "macro", None]))
def test_no_cell_of_a_frame_is_missing_without_a_note(counts: list[int], average: str | None) -> None:
    true, predicted = np.repeat([1, 1, 0, 0], counts), np.repeat([1, 0, 1, 0], counts)
    chosen = some(sm.metrics.values(), 3, str(counts))
    found = sm.score(true, predicted, [*chosen, "accuracy"], average=average, interval={"draws": 100}, labels=[0, 1])
    for frame in [found] if average else [found[0], found[1]]:
        finite = np.isfinite(frame[["value", "low", "high"]]).all(axis=1)
        assert (finite == (frame["note"] == "")).all(), frame
        inside = (frame["low"] <= frame["value"]) & (frame["value"] <= frame["high"])
        assert (inside | frame["value"].isna()).all(), frame


# -- reports -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_a_report_has_the_intervals_of_its_values(weight: Any) -> None:
    names = ["recall", "f1", sm.multiclass["kappa"]]
    found = sm.report(TRUE, PREDICTED, names, interval=0.9, sample_weight=weight)
    numbers, text, page = found.to_dict(), found.to_text(digits=5), found.to_html(digits=5)
    classes = sm.score(TRUE, PREDICTED, names[:2], average=None, interval=0.9, sample_weight=weight)
    lines = {label: classes[label] for label in "abc"} | {
        f"{average} average": sm.score(TRUE, PREDICTED, names[:2], average=average, interval=0.9, sample_weight=weight)
        for average in ("macro", "weighted")
    }
    for line, frame in lines.items():
        for name in ("recall", "f1"):
            value, low, high = frame.loc[name, ["value", "low", "high"]]
            assert [numbers[line][key] for key in (name, f"{name}_low", f"{name}_high")] == [value, low, high]
            assert f"{value:.5f} ({low:.5f} to {high:.5f})" in next(
                s for s in text.splitlines() if s.startswith(f"{line} ")
            )
            assert f"({low:.5f} to {high:.5f})" in page
    (whole,) = sm.score(TRUE, PREDICTED, names[2:], average="macro", interval=0.9, sample_weight=weight).to_numpy()
    assert [numbers[key] for key in ("kappa", "kappa_low", "kappa_high")] == pytest.approx(list(whole[:3]))
    assert "in parentheses: 90 % intervals (" in text
    assert "in parentheses: 90 % intervals (" in page


def test_reports_without_intervals_say_so_or_why() -> None:
    # A report without intervals has no word of them.
    found = sm.report(TRUE, PREDICTED, interval=False)
    assert found == sm.report(TRUE, PREDICTED)
    assert "interval" not in str(found) + found.to_html()
    assert set(found.to_dict()["a"]) == {"precision", "recall", "f1", "support"}
    # A report says why there is no interval also of a class called as a line.
    found = sm.report(["accuracy", "<b>"], ["<b>", "<b>"], interval=True)
    assert "accuracy (precision): no limit: FP + TP = 0" in str(found)
    some_of_them = sm.report(TRUE, PREDICTED, ["f1"], labels=["a", "<b>"], interval=True)
    reason = "no interval: labels leaves out classes that occur; name every class"
    assert f"macro average (f1): {reason}" in str(some_of_them)
    assert f"macro average (f1): {reason}" in some_of_them.to_html()
    assert "<b>" not in some_of_them.to_html()


@in_one_test
@pytest.mark.parametrize("ask", [sm.score, sm.report])
@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (0, "level=0.0 is no level; pass a number between 0 and 1"),
        (1.0, "level=1.0 is no level"),
        ("yes", "interval='yes' is no level; pass True, a level such as 0.9, or settings by name"),
        ({"levels": 0.9}, "interval has no setting 'levels'; they are level, method, sampling, draws, prior, seed"),
        ({"method": "wald"}, "method='wald' is unknown; pass one of auto, delta"),
        ({"sampling": "poisson"}, "sampling='poisson' is unknown"),
        ({"draws": 9}, "draws=9 is too little; pass a whole number, 100 or more"),
        ({"method": "exact"}, "method='exact' is for"),
    ],
)
def test_intervals_that_are_none_are_refused(ask: Any, asked: Any, told: str) -> None:
    with pytest.raises(InputError, match=told) as caught:
        ask([1, 0, 1], [1, 1, 0], ["mcc"], interval=asked)
    assert "\n" not in str(caught.value)


def test_groups_and_columns_have_their_intervals() -> None:
    # Labels may be read but once.
    once = {"average": "macro", "interval": True, "sample_weight": WEIGHT}
    found = sm.score(iter(TRUE.tolist()), iter(PREDICTED.tolist()), "f1", **once)
    pd.testing.assert_frame_equal(found, sm.score(TRUE, PREDICTED, "f1", **once))
    # Groups have the intervals of the groups.
    frame = pd.DataFrame({"y": TRUE == "a", "p": PREDICTED == "a", "part": np.arange(len(TRUE)) % 2})
    found = sm.score(frame, None, ["f1", "mcc"], truth="y", prediction="p", by="part", interval=True)
    for part in (0, 1):
        chosen = frame[frame["part"] == part]
        pd.testing.assert_frame_equal(found.loc[part], sm.score(chosen["y"], chosen["p"], ["f1", "mcc"], interval=True))
    # A value that stands for an undefined one has no interval.
    found = sm.score([0, 0, 0], [0, 1, 0], ["recall", "precision"], interval=True, zero_division=0)
    assert found["note"].tolist() == ["no interval: zero_division stands for what is undefined; leave it out", ""]
    assert np.isnan(found["low"].iloc[0])
    assert sm.score([0, 0, 0], [0, 1, 0], ["recall"], interval=True)["note"].tolist() == ["no limit: FN + TP = 0"]
    # Where nothing has an interval the reason is raised.
    with pytest.raises(InputError, match="no interval: labels leaves out classes that occur; name every class"):
        sm.score(TRUE, PREDICTED, ["recall", "f1"], labels=["a", "b"], average="macro", interval=True)
    with pytest.raises(InputError, match="no interval: examples with several labels each have none yet"):
        sm.score([[1, 0], [0, 1]], [[1, 0], [0, 0]], "f1", average="samples", interval=True)
    # Weighted classes of Arrow have the intervals of the same lists.
    pyarrow = pytest.importorskip("pyarrow")
    true, predicted = ["cat", "dog", "cat", "owl"] * 10, ["cat", "cat", "cat", "owl"] * 10
    settings: dict[str, Any] = {"sample_weight": [1.0, 2.0, 3.0, 4.0] * 10, "average": None, "interval": True}
    expected = sm.score(true, predicted, ["recall", "f1"], **settings)
    found = sm.score(pyarrow.array(true), pyarrow.array(predicted), ["recall", "f1"], **settings)
    pd.testing.assert_frame_equal(found, expected)
