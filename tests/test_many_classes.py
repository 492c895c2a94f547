"""Several classes, and several labels an example: one name is one number everywhere."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import sklearn.metrics
from effort import examples, in_one_test, some
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import symmetrics as sm
from symmetrics.cli import main
from symmetrics.curves import average_precision, roc_auc
from symmetrics.library import metrics
from symmetrics.tools.errors import InputError

# -- many classes ------------------------------------------------------------------------------------------------------


AVERAGES = ("macro", "micro", "weighted")
OF_CLASSES = ("precision", "recall", "f1")
# 7 of 10 are right.
TRUE = ["a", "a", "b", "b", "c", "c", "c", "a", "b", "c"]
PREDICTED = ["a", "b", "b", "b", "b", "c", "c", "a", "c", "c"]
THREE = [[2, 1, 0], [0, 2, 1], [0, 1, 3]]
NAMED = ("--truth", "y", "--prediction", "p")

Printed = Callable[..., str]


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Printed:
    def run(*arguments: str) -> str:
        assert main(arguments) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    return run


@pytest.fixture
def three(tmp_path: Path) -> str:
    return written(tmp_path / "three.csv", TRUE, PREDICTED)


def written(file: Path, true: list[Any], predicted: list[Any], *more: list[Any]) -> str:
    rows = [",".join(map(str, row)) for row in zip(true, predicted, *more, strict=True)]
    file.write_text("\n".join(["y,p,g"[: 3 + 2 * len(more)], *rows]) + "\n", encoding="utf-8")
    return str(file)


def values(report: str) -> dict[str, float]:
    return {row["metric"]: math.nan if row["value"] is None else row["value"] for row in json.loads(report)["scores"]}


def by_scikit_learn(true: list[str], predicted: list[str]) -> dict[str, float]:
    found = {
        "accuracy": sklearn.metrics.accuracy_score(true, predicted),
        "kappa": sklearn.metrics.cohen_kappa_score(true, predicted),
        "mcc": sklearn.metrics.matthews_corrcoef(true, predicted),
    }
    if set(predicted) <= set(true):  # it warns of other classes
        found["balanced_accuracy"] = sklearn.metrics.balanced_accuracy_score(true, predicted)
    for average in AVERAGES:
        settings = {"average": average, "zero_division": np.nan}
        found[f"precision ({average})"] = sklearn.metrics.precision_score(true, predicted, **settings)
        found[f"recall ({average})"] = sklearn.metrics.recall_score(true, predicted, **settings)
        found[f"f1 ({average})"] = sklearn.metrics.f1_score(true, predicted, average=average)
    return found


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(200))
def test_one_name_is_one_number_everywhere(seed: int, tmp_path: Path, printed: Printed) -> None:
    random = np.random.default_rng(seed)
    classes = [f"k{number:02}" for number in range(3 + seed % 10)]
    # Every class occurs and is predicted, so that no mean leaves one out; how scikit-learn does that is its own.
    true = [*classes, *random.choice(classes, 150, p=random.dirichlet(np.ones(len(classes))))]
    right = random.random(len(true)) < random.uniform(0.3, 0.95)
    guess = random.choice(classes, len(true))
    predicted = [*classes[1:], classes[0], *np.where(right, true, guess)[len(classes) :]]
    true, predicted = list(map(str, true)), list(map(str, predicted))
    file = written(tmp_path / "labels.csv", true, predicted)

    default = values(printed("score", file, *NAMED, "--format", "json"))
    every = values(printed("score", file, *NAMED, "--metrics", ",".join(sm.multiclass), "--format", "json"))
    scored = sm.score(true, predicted)["value"].to_dict()
    reported = sm.report(true, predicted, [*sm.multiclass, *OF_CLASSES], averages=AVERAGES)
    assert default == pytest.approx(scored, nan_ok=True)
    assert every == reported.whole
    for name, value in every.items():
        assert value == pytest.approx(sm.multiclass[name](true, predicted), nan_ok=True), name
    for name in set(default) & set(sm.multiclass):
        assert default[name] == every[name], name
    for average in AVERAGES:
        of_average = sm.score(true, predicted, [*sm.multiclass, *OF_CLASSES], average=average)["value"]
        options = ("--average", average, "--metrics", ",".join(["mcc", "cba", *OF_CLASSES]), "--format", "json")
        on_the_command_line = values(printed("score", file, *NAMED, *options))
        assert on_the_command_line["cba"] == every["cba"]
        assert on_the_command_line["mcc"] == every["mcc"]
        assert of_average[list(sm.multiclass)].to_dict() == pytest.approx(every, nan_ok=True)
        for place, name in enumerate(OF_CLASSES):
            expected = sm.metrics[name](true, predicted, average=average)
            assert default[f"{name} ({average})"] == pytest.approx(expected), name
            assert reported.averages[average][place] == pytest.approx(expected), name
            assert of_average[name] == pytest.approx(expected), name
            assert on_the_command_line[name] == pytest.approx(expected), name
    for name, expected in by_scikit_learn(true, predicted).items():
        assert default[name] == pytest.approx(expected), name
    other = list(map(str, random.permutation(predicted)))
    for name, metric, asked in (
        ("accuracy", "accuracy", {}),
        ("kappa", "kappa", {"average": "weighted"}),
        ("cba", "cba", {"average": "macro"}),
        ("f1 (macro)", "f1", {"average": "macro"}),
    ):
        compared = sm.compare(true, predicted, other, metric, method="delta", draws=100, **asked)
        assert compared.first == pytest.approx(default[name]), name
        assert compared.metric == name


def test_seven_of_ten_right_are_an_accuracy_of_seven_tenths(three: str, printed: Printed) -> None:
    for options in ((), *(("--average", average) for average in (*AVERAGES, "pooled"))):
        found = values(printed("score", three, *NAMED, *options, "--metrics", "accuracy,cba,phi", "--format", "json"))
        assert found["accuracy"] == pytest.approx(0.7)
        assert found["cba"] == pytest.approx((2 / 3 + 2 / 4 + 3 / 4) / 3)
        assert found["phi"] == pytest.approx(sklearn.metrics.matthews_corrcoef(TRUE, PREDICTED))
    file = written(Path(three).with_name("both.csv"), TRUE, PREDICTED, TRUE)
    (comparison,) = json.loads(
        printed(
            "compare", file, *NAMED, "--other", "g", "--average", "macro", "--metrics", "accuracy", "--format", "json"
        )
    )["comparisons"]
    assert (comparison["first"], comparison["second"], comparison["kind"]) == (pytest.approx(0.7), 1.0, "whole matrix")


def test_every_line_says_what_it_is_in_every_format(three: str, printed: Printed, tmp_path: Path) -> None:
    kinds = {"accuracy": "whole matrix", "f1 (macro)": "macro average", "f1 (micro)": "micro average"}
    kinds["f1 (weighted)"] = "weighted average"
    asked = ("score", three, *NAMED, "--metrics", "accuracy,f1")
    assert {row["metric"]: row["kind"] for row in json.loads(printed(*asked, "--format", "json"))["scores"]} == kinds
    assert {
        row["metric"]: row["kind"] for row in csv.DictReader(io.StringIO(printed(*asked, "--format", "csv")))
    } == kinds
    for form, between in (("text", "  "), ("md", " | "), ("html", "</td><td")):
        lines = printed(*asked, "--format", form).splitlines()
        for name, kind in kinds.items():
            (line,) = [line for line in lines if name in line and kind in line]
            assert between in line
    printed(*asked, "-o", str(tmp_path / "scores.parquet"))
    assert pd.read_csv(io.StringIO(printed(*asked, "--interval", "--format", "csv")))["kind"].tolist() == list(
        kinds.values()
    )


def test_groups_and_intervals_go_along(tmp_path: Path, printed: Printed) -> None:
    groups = ["x", "x", "x", "y", "y", "y", "x", "y", "x", "y"]
    file = written(tmp_path / "groups.csv", TRUE, PREDICTED, groups)
    frame = pd.DataFrame({"y": TRUE, "p": PREDICTED, "g": groups})
    scored = sm.score(frame, truth="y", prediction="p", by="g", metrics=["kappa", "recall"], interval=True)
    asked = ("score", file, *NAMED, "--by", "g", "--metrics", "kappa,recall", "--interval", "--format", "json")
    report = json.loads(printed(*asked))
    assert report["kinds"] == {"kappa": "whole matrix"} | {f"recall ({name})": f"{name} average" for name in AVERAGES}
    for row in report["groups"]:
        part = frame[frame["g"] == row["g"]]
        matrix = sm.ConfusionMatrix.of(part["y"], part["p"])
        expected = sm.multiclass["kappa"].interval(matrix)
        assert (row["kappa"], row["kappa_low"], row["kappa_high"]) == pytest.approx(
            (expected.estimate, expected.low, expected.high)
        )
        for name in ("kappa", *(f"recall ({average})" for average in AVERAGES)):
            assert row[name] == pytest.approx(scored.loc[(row["g"], name), "value"])
            assert row[f"{name}_low"] == pytest.approx(scored.loc[(row["g"], name), "low"])
    head = printed(*asked[:10], "--average", "macro", "--format", "csv").splitlines()[0]
    assert head == "g,examples,kappa,recall,average"


def test_means_over_classes_and_reports() -> None:
    # A metric that is passed itself is one of each class and is called so.
    accuracy = sm.metrics["accuracy"]
    asked = {"accuracy": accuracy, "plain": "accuracy", "tpr": "recall"}
    scored = sm.score(TRUE, PREDICTED, asked, average="macro")["value"]
    called = "accuracy (macro mean of one class against the rest)"
    assert scored.index.tolist() == [called, "plain", "tpr"]
    assert scored[called] == accuracy(TRUE, PREDICTED, average="macro") == pytest.approx(0.8)
    assert scored["plain"] == pytest.approx(0.7)
    assert sm.compare(TRUE, PREDICTED, TRUE, accuracy, average="macro", draws=100).metric == called
    report = sm.report(TRUE, PREDICTED, [accuracy, "mcc"])
    assert report.metrics == ("accuracy (one class against the rest)",)
    assert report.whole == {"mcc": sm.multiclass["mcc"](TRUE, PREDICTED)}
    # The report shows the accuracy whether it is asked for or not.
    by_itself, asked = sm.report(TRUE, PREDICTED), sm.report(TRUE, PREDICTED, ["accuracy", "f1"])
    assert by_itself.whole == pytest.approx(asked.whole)
    assert asked.whole == {"accuracy": pytest.approx(0.7)}
    assert asked.metrics == ("f1",)
    assert sm.report(TRUE, PREDICTED, ["kappa"]).metrics == OF_CLASSES
    with pytest.raises(InputError, match="labels leaves out classes that occur, and accuracy is that of the whole"):
        sm.report(TRUE, PREDICTED, ["accuracy", "f1"], labels=["a", "b"])
    # Weights of classes go to metrics that are means over them.
    phi = sm.relevance.scores({"a": 1, "b": 0.5, "c": 0.25})
    found = sm.score(TRUE, PREDICTED, ["cba", "kappa", "recall"], average=phi)["value"]
    expected = sm.multiclass["cba"].from_confusion(THREE, average=phi, labels=["a", "b", "c"])
    assert found["cba"] == pytest.approx(expected)
    assert found["kappa"] == pytest.approx(sm.multiclass["kappa"].from_confusion(THREE))
    assert found["recall"] == pytest.approx((2 / 3 + 0.5 * 2 / 3 + 0.25 * 3 / 4) / 1.75)
    assert sm.compare(TRUE, PREDICTED, TRUE, "cba", average=phi, draws=100).first == pytest.approx(found["cba"])


def test_one_class_against_the_rest_and_proofs(three: str, printed: Printed) -> None:
    # One class against the rest is asked for by its name.
    found = values(printed("score", three, *NAMED, "--positive", "a", "--metrics", "accuracy,mcc", "--format", "json"))
    one = [label == "a" for label in TRUE], [label == "a" for label in PREDICTED]
    assert found == pytest.approx({"accuracy": 0.9, "mcc": sklearn.metrics.matthews_corrcoef(*one)})
    # Proofs are about the same metric.
    verdict = json.loads(printed("prove", "mcc", "monotone_rows", "--classes", "3", "--format", "json"))
    assert verdict["witness"] == sm.multiclass["mcc"].prove("monotone_rows", k=3).to_dict()["witness"]
    before, after = (np.reshape(list(table.values()), (3, 3)).astype(float) for table in verdict["witness"]["tables"])
    for table in (before, after):
        true, predicted = (
            np.repeat(places, table.reshape(-1).astype(int)) for places in np.indices((3, 3)).reshape(2, -1)
        )
        value = sklearn.metrics.matthews_corrcoef(true, predicted)
        scored = sm.score(true.tolist(), predicted.tolist(), ["mcc"]).loc["mcc", "value"]
        assert scored == pytest.approx(value)


def test_two_classes_and_groups_of_one(tmp_path: Path, printed: Printed) -> None:
    # A group of one class has an accuracy.
    file = written(tmp_path / "groups.csv", [*"abca"], [*"abba"], [*"xxxy"])
    asked = ("--by", "g", "--metrics", "accuracy,balanced_accuracy,error_rate,kappa", "--format", "json")
    alone = json.loads(printed("score", file, *NAMED, *asked))["groups"][1]
    assert [alone[name] for name in ("accuracy", "balanced_accuracy", "error_rate", "kappa")] == [1, 1, 0, None]
    # Two classes are as they were.
    true, predicted = [1, 1, 1, 0, 0, 0, 0], [1, 1, 0, 0, 0, 1, 0]
    file = written(tmp_path / "two.csv", true, predicted)
    report = json.loads(printed("score", file, *NAMED, "--format", "json"))
    assert report["counts"] == {"tp": 2, "fn": 1, "fp": 1, "tn": 3}
    assert [list(row) for row in report["scores"]] == [["metric", "value", "note"]] * 12
    assert sm.report(true, predicted, ["accuracy", "f1"]).metrics == ("accuracy", "f1")
    assert list(sm.score(true, predicted).index)[:4] == ["accuracy", "balanced_accuracy", "precision", "recall"]
    alone = values(
        printed("score", file, *NAMED, "--metrics", "kappa_quadratic,kappa", "--interval", "--format", "json")
    )
    assert alone["kappa_quadratic"] == pytest.approx(alone["kappa"])
    # The order of classes that counts is said and numbers have theirs.
    true, predicted = [9, 10, 11, 9, 10, 11, 9], [9, 11, 11, 11, 10, 10, 10]
    file = written(tmp_path / "sizes.csv", true, predicted)
    (row,) = json.loads(printed("score", file, *NAMED, "--metrics", "kappa_quadratic", "--format", "json"))["scores"]
    assert row["value"] == pytest.approx(sklearn.metrics.cohen_kappa_score(true, predicted, weights="quadratic"))
    assert row["note"] == "order of the classes: '9', '10', '11'"


def test_labels_that_are_perhaps_no_classes_are_not_taken_for_some(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, predicted in (("NA", ["yes", "NA", "no"]), ("Yes", ["yes", "Yes", "no"])):
        file = written(tmp_path / f"{name}.csv", ["yes", "yes", "no"], predicted)
        for arguments in (("score", file, *NAMED), ("score", file, *NAMED, "--by", "y")):
            assert main(arguments) == 2
            assert f"{name!r}" in capsys.readouterr().err


# -- multilabel --------------------------------------------------------------------------------------------------------


SCORES = {"precision": "precision_score", "recall": "recall_score", "f1": "f1_score", "jaccard": "jaccard_score"}
AVERAGES_OF_LABELS = ["samples", "macro", "micro", "weighted", None]


@st.composite
def indicators(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    shape = draw(st.tuples(st.integers(1, 8), st.integers(2, 5)))
    true, predicted = (draw(hnp.arrays(np.int8, shape, elements=st.integers(0, 1))) for _ in range(2))
    weight = draw(st.none() | hnp.arrays(np.int8, shape[0], elements=st.integers(0, 3)).filter(np.any))
    return true, predicted, weight


@pytest.mark.sampled(12)
@pytest.mark.parametrize("average", AVERAGES_OF_LABELS)
@pytest.mark.parametrize("key", SCORES)
@settings(max_examples=examples(20))
@given(indicators(), st.sampled_from([0.0, 1.0]), st.booleans())
def test_values_are_scikit_learn_s(key: str, average: str | None, case: Any, fill: float, is_sparse: bool) -> None:
    true, predicted, weight = case
    given: dict[str, Any] = {"average": average, "sample_weight": weight, "zero_division": fill}
    expected = getattr(sklearn.metrics, SCORES[key])(true, predicted, **given)
    if average == "weighted" and (true.sum() if weight is None else weight @ true.sum(axis=1)) == 0:
        expected = fill  # no weight is left, where scikit-learn takes the plain mean
    if is_sparse:
        true, predicted = scipy.sparse.csr_matrix(true), scipy.sparse.csr_array(predicted)
    assert metrics[key](true, predicted, **given) == pytest.approx(expected, abs=1e-12)


@in_one_test
@pytest.mark.parametrize("average", AVERAGES_OF_LABELS)
def test_labels_are_columns(average: str | None) -> None:
    random = np.random.default_rng(1)
    true, predicted = random.integers(0, 2, (2, 30, 5))
    for labels in ([0, 3], [4, 1, 2], [2]):
        expected = sklearn.metrics.f1_score(true, predicted, labels=labels, average=average, zero_division=0)
        found = metrics["f1"](true, predicted, labels=labels, average=average, zero_division=0)
        assert found == pytest.approx(expected)


@pytest.mark.thorough
def test_a_column_is_two_classes_and_a_row_is_too_for_every_metric() -> None:
    random = np.random.default_rng(3)
    true, predicted = random.integers(0, 2, (2, 7, 4))
    for metric in some(metrics.values(), 25, "multilabel"):
        binary: dict[str, Any] = {"labels": [0, 1], "pos_label": 1}
        columns = [metric(one, other, **binary) for one, other in zip(true.T, predicted.T, strict=True)]
        found = metric(true, predicted, average=None)
        assert found == pytest.approx(columns, nan_ok=True, rel=1e-9, abs=1e-12), metric.name
        rows = np.array([metric(one, other, **binary) for one, other in zip(true, predicted, strict=True)])
        found, defined = metric(true, predicted, average="samples"), rows[~np.isnan(rows)]
        expected = defined.mean() if defined.size else math.nan
        assert found == pytest.approx(expected, nan_ok=True, rel=1e-9, abs=1e-12), metric.name


def test_hamming_loss_and_rows_without_labels() -> None:
    # Hamming loss is the pooled error rate.
    random = np.random.default_rng(2)
    true, predicted = random.integers(0, 2, (2, 20, 4))
    weight = random.random(20)
    expected = sklearn.metrics.hamming_loss(true, predicted, sample_weight=weight)
    assert metrics["hamming_loss"](true, predicted, average="micro", sample_weight=weight) == pytest.approx(expected)
    rows = list(map(tuple, true.tolist())), list(map(tuple, predicted.tolist()))
    expected = sklearn.metrics.accuracy_score(true, predicted)
    assert metrics["accuracy"](*rows, average="micro") == pytest.approx(expected)
    # Rows without labels are left out of the mean.
    true, predicted = [[0, 0], [1, 1]], [[0, 0], [1, 0]]
    assert metrics["f1"](true, predicted, average="samples") == pytest.approx(2 / 3)
    assert metrics["f1"](true, predicted, average="samples", zero_division=0) == pytest.approx(1 / 3)
    assert math.isnan(metrics["f1"]([[0, 0]], [[0, 0]], average="samples"))


@in_one_test
@pytest.mark.parametrize(
    ("true", "predicted", "settings", "message"),
    [
        ([[0, 1]], [[0, 1]], {}, "pass average='samples'"),
        ([[0, 1]], [[0, 1, 1]], {"average": "macro"}, r"shape \(1, 2\) and y_pred \(1, 3\)"),
        ([[0, 2]], [[0, 1]], {"average": "macro"}, r"y_true\[0, 1\] is 2; pass 0 and 1"),
        ([[0, 1]], [[0, math.nan]], {"average": "macro"}, r"y_pred\[0, 1\] is nan"),
        ([[0, 1]], [0, 1], {"average": "macro"}, "one row of 0 and 1 per example"),
        ([[0, 1], [1]], [[0, 1], [1]], {"average": "macro"}, "one row of 0 and 1 per example"),
        (
            [[0, 1]],
            [[0, 1]],
            {"average": "macro", "labels": [2]},
            "labels names 2, and the columns",
        ),
        ([[0, 1]], [[0, 1]], {"average": "macro", "labels": [1, 1]}, "name each column once"),
        ([0, 1], [0, 1], {"average": "samples"}, "for examples with several labels"),
    ],
)
def test_what_is_no_indicator_matrix_is_refused(true: Any, predicted: Any, settings: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        metrics["recall"](true, predicted, **settings)


def test_columns_with_names_are_matched_by_these() -> None:
    true = pd.DataFrame([[1, 0, 1], [0, 0, 1], [1, 1, 0]], columns=["a", "b", "c"])
    other = pd.DataFrame([[1, 0, 0], [0, 1, 1], [1, 1, 0]], columns=["a", "b", "c"])
    scores = pd.DataFrame([[0.6, 0.1, 0.3], [0.2, 0.5, 0.9], [0.5, 0.7, 0.4]], columns=["a", "b", "c"])
    recalls, areas = [1.0, 1.0, 0.5], [1.0, 1.0, 0.5]
    for order in (["a", "b", "c"], ["c", "a", "b"]):
        assert metrics["recall"](true, other[order], average=None) == pytest.approx(recalls)
        assert sm.score(true, other[order], "recall", average=None).loc["recall"].tolist() == pytest.approx(recalls)
        assert roc_auc(true, scores[order], average=None) == pytest.approx(areas)
        assert average_precision(true, scores[order]) == average_precision(true.to_numpy(), scores.to_numpy())
    # Names of which none is in both, and no names, are taken by place.
    for renamed in (other.set_axis(["x", "y", "z"], axis=1), other.set_axis(range(3), axis=1), other.to_numpy()):
        assert metrics["recall"](true, renamed, average=None) == pytest.approx(recalls)
    with pytest.raises(InputError, match="y_true has the columns 'a', 'b', 'c' and y_pred 'a', 'b', 'd'"):
        metrics["recall"](true, other.rename(columns={"c": "d"}), average="macro")
    with pytest.raises(InputError, match="y_true has the columns 'a', 'b', 'c' and y_score 'a', 'b', 'd'"):
        roc_auc(true, scores.rename(columns={"c": "d"}))
