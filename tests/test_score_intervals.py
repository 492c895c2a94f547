"""Intervals beside values, wherever values are shown: those of the metric itself, or the reason why there are none."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from effort import some

import symmetrics as sm
from symmetrics.cli import main
from symmetrics.curves.measures import SCORE_MEASURES
from symmetrics.curves.uncertainty import score_interval
from symmetrics.library.selections import DOZEN

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
    assert lines[0].split() == ["metric", "value", "low", "high", "method"]
    for row, in_csv, line in zip(rows, table, lines[1:], strict=True):
        assert list(row) == list(in_csv) == ["metric", "value", "low", "high", "method", "note"]
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
    for name, row in zip(names, rows, strict=True):
        expected = sm.metrics[name].interval_from_confusion(MATRIX, average=average)
        assert row["value"] == sm.metrics[name].from_confusion(MATRIX, average=average)
        assert (row["low"], row["high"]) == (expected.low, expected.high)
    without = json.loads(printed(*THREE, "--average", average, "--metrics", ",".join(names), "--format", "json"))
    assert without["matrix"] == MATRIX
    assert [list(row) for row in without["scores"]] == [["metric", "value", "note"]] * 3


def test_no_number_is_missing_without_a_reason(printed: Printed) -> None:
    for table in ("two.csv", "one.csv"):
        chosen = ",".join(metric.name for metric in some(sm.metrics.values(), 10, table))
        found = printed("score", table, *TWO[2:], "--interval", "--metrics", chosen, "--format", "json")
        for row in json.loads(found)["scores"]:
            assert bool(row["note"]) == any(row[name] is None for name in ("value", "low", "high")), row
            assert row["method"], row


def test_what_has_no_value_says_why_and_has_what_the_prior_leaves(printed: Printed) -> None:
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
