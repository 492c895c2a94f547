"""Doors and faults: whatever takes examples reads them through the gate, which refuses the same faults at every door.

A door is a call that takes true labels, predictions and, mostly, weights.  A fault is what cannot be meant.  Each fault
is tried at each door that it can come to, and a public function that takes examples and is no door here fails a test.
"""

from __future__ import annotations

import inspect
import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from decimal import Decimal
from io import StringIO
from tempfile import TemporaryDirectory
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pytest
from effort import in_one_test

import symmetrics as sm
from symmetrics import curves
from symmetrics.cli import main
from symmetrics.tools.arguments import MARKS
from symmetrics.tools.errors import InputError, LabelWarning

Door = Callable[..., object]

TRUE = ["yes", "no", "yes", "no", "yes", "no", "no"]
PREDICTED = ["yes", "yes", "no", "no", "yes", "no", "yes"]
NUMBERS = [int(label == "yes") for label in TRUE]
GROUPS = [1, 2, 3, 4, 1, 2, 3]


def batches(true: Any, predicted: Any, **settings: Any) -> object:
    counts = sm.ConfusionMatrix()
    counts.update(true, predicted, **settings)
    return counts.matrix


LABELS: dict[str, Door] = {
    "Metric.__call__": lambda t, p, **s: sm.metrics["f1"](t, p, **{"pos_label": "yes"} | s),
    "Metric.__call__, macro": lambda t, p, **s: sm.metrics["f1"](t, p, average="macro", **s),
    "Metric.__call__, micro": lambda t, p, **s: sm.metrics["accuracy"](t, p, average="micro", **s),
    "Metric.__call__, None": lambda t, p, **s: sm.metrics["recall"](t, p, average=None, **s),
    "Metric.interval_from_labels": lambda t, p, **s: sm.metrics["f1"].interval_from_labels(t, p, pos_label="yes", **s),
    "Metric.interval_from_labels, macro": lambda t, p, **s: sm.metrics["f1"].interval_from_labels(
        t, p, average="macro", **s
    ),
    "MulticlassMetric.__call__": lambda t, p, **s: sm.multiclass["accuracy"](t, p, **s),
    "MulticlassMetric.__call__, cba": lambda t, p, **s: sm.multiclass["cba"](t, p, **s),
    "MulticlassMetric.interval_from_labels": lambda t, p, **s: sm.multiclass["kappa"].interval_from_labels(t, p, **s),
    "Panel.__call__": lambda t, p, **s: sm.Panel(["f1", "mcc"])(t, p, pos_label="yes", **s),
    "ConfusionMatrix.of": lambda t, p, **s: sm.ConfusionMatrix.of(t, p, **s).matrix,
    "ConfusionMatrix.update": batches,
    "class_likelihood_ratios": lambda t, p, **s: sm.class_likelihood_ratios(t, p, **s),
    "report": lambda t, p, **s: sm.report(t, p, **s),
    "report, interval": lambda t, p, **s: sm.report(t, p, interval=True, **s),
    "score": lambda t, p, **s: sm.score(t, p, ["f1", "mcc"], pos_label="yes", **s),
    "score, interval": lambda t, p, **s: sm.score(t, p, ["f1"], average="macro", interval=True, **s),
    "compare, first": lambda t, p, **s: sm.compare(t, p, t, "f1", pos_label="yes", draws=200, **s),
    "compare, second": lambda t, p, **s: sm.compare(t, t, p, sm.multiclass["accuracy"], draws=200, **s),
    "compare_all": lambda t, p, **s: sm.compare_all(t, {"a": t, "b": p}, "f1", average="macro", draws=200, **s),
}
"""Functions of labels in memory."""


def _by(frame: Any, **settings: Any) -> object:
    weight = {"sample_weight": "w"} if "w" in frame.columns else {}
    return sm.score(frame, metrics=["f1"], truth="y", prediction="p", pos_label="yes", **weight, **settings)


def _counted(frame: Any, **settings: Any) -> object:
    weight = "w" if "w" in frame.columns else None
    return sm.counts(frame, "y", "p", by="g", weight=weight, positive="yes", **settings)


FRAMES: dict[str, Door] = {
    "score, pandas": lambda t, p, **s: _by(_frame(pd.DataFrame, t, p, s), **s),
    "score, polars": lambda t, p, **s: _by(_frame(pl.DataFrame, t, p, s), **s),
    "score by, pandas": lambda t, p, **s: _by(_frame(pd.DataFrame, t, p, s), by="g", **s),
    "score by, polars": lambda t, p, **s: _by(_frame(pl.DataFrame, t, p, s), by="g", **s),
    "score, lazy": lambda t, p, **s: _by(_frame(pl.LazyFrame, t, p, s), **s),
    "counts, pandas": lambda t, p, **s: _counted(_frame(pd.DataFrame, t, p, s), **s),
    "counts, polars": lambda t, p, **s: _counted(_frame(pl.DataFrame, t, p, s), **s),
}
"""Functions of columns of data frames."""


def _ran(*arguments: str) -> str:
    """Return what the command line prints; an error as one of Python."""
    said, errors = StringIO(), StringIO()
    with redirect_stdout(said), redirect_stderr(errors):
        status = main([*arguments])
    if status:
        assert status == 2
        raise InputError(errors.getvalue().rstrip("\n"))
    return said.getvalue()


def _file(
    write: Callable[[pd.DataFrame, str], object], *options: str, command: str = "score", end: str = ".csv"
) -> Door:
    """Return a door on the command line, for a file as it is written here."""

    def door(true: Any, predicted: Any, **settings: Any) -> object:
        missing = settings.pop("missing", None)
        frame = _frame(pd.DataFrame, true, predicted, settings)
        if not all(isinstance(label, str) for label in [*true, *predicted]):
            raise CannotCome
        given = [*options, *([] if missing is None else ["--missing", missing])]
        if "w" in frame:
            given += ["--weight", "w"]
            if command == "compare":
                raise CannotCome
        with TemporaryDirectory() as folder:
            path = f"{folder}/file{end}"
            write(frame, path)
            told = _ran(command, path, "--truth", "y", "--prediction", "p", "--format", "json", *given)
        return {
            key: value
            for key, value in json.loads(told).items()
            if key not in ("source", "left_out", "first", "second")
        }

    return door


def _csv(frame: pd.DataFrame, path: str) -> None:
    frame.assign(q=frame["y"]).to_csv(path, index=False)


def _json_lines(frame: pd.DataFrame, path: str) -> None:
    frame.to_json(path, orient="records", lines=True)


FILES: dict[str, Door] = {
    "symmetrics score": _file(_csv, "--positive", "yes"),
    "symmetrics score, all classes": _file(_csv, "--average", "macro"),
    "symmetrics score --by": _file(_csv, "--positive", "yes", "--by", "g"),
    "symmetrics score, JSON lines": _file(_json_lines, "--positive", "yes", end=".jsonl"),
    "symmetrics score, Parquet": _file(pd.DataFrame.to_parquet, "--average", "macro", end=".parquet"),
    "symmetrics compare": _file(_csv, "--other", "q", "--positive", "yes", command="compare"),
}
"""Commands on files, of which all labels are texts."""


class CannotCome(Exception):
    """A fault that no data frame can hold."""


def _frame(kind: Any, true: Any, predicted: Any, settings: dict[str, Any]) -> Any:
    columns = {"y": true, "p": predicted, "g": GROUPS[: len(true)]}
    if (weight := settings.pop("sample_weight", None)) is not None:
        columns["w"] = weight
    if len({len(column) for column in columns.values()}) > 1:
        raise CannotCome
    try:
        return kind(columns)
    except Exception:
        raise CannotCome from None


class Fault(NamedTuple):
    """What cannot be meant.

    :param refusal: part of the error
    :param frames: what the error says of a column of a frame; empty if no column can have the fault
    :param files: what it says of a column of a file, likewise
    """

    true: Any
    predicted: Any
    refusal: str
    settings: Mapping[str, Any] = MappingProxyType({})
    frames: str = ""
    files: str = ""


def _with(value: Any, labels: list[Any] = PREDICTED) -> list[Any]:
    return [*labels[:-1], value]


UNLIKE, NO_LABEL = "no label in common", "holds no label|is missing|holds labels that stand for a missing one"
FAULTS: dict[str, Fault] = {
    "texts and numbers": Fault(TRUE, NUMBERS, UNLIKE, frames=f"{UNLIKE}|cannot stand in"),
    "numbers and their texts": Fault(NUMBERS, list(map(str, NUMBERS)), UNLIKE),
    "floats and texts of whole numbers": Fault(list(map(float, NUMBERS)), list(map(str, NUMBERS)), UNLIKE),
    "texts and bytes": Fault(TRUE, [label.encode() for label in PREDICTED], UNLIKE),
    "texts and truth values": Fault(
        TRUE, [label == "yes" for label in PREDICTED], UNLIKE, frames=f"{UNLIKE}|cannot stand in"
    ),
    "another spelling": Fault(
        TRUE, [label.title() for label in PREDICTED], UNLIKE, frames=UNLIKE, files="none in common"
    ),
    "texts of numbers and words": Fault(TRUE, list(map(str, range(7))), "", files="none in common"),
    "blanks": Fault(TRUE, [f" {label}" for label in PREDICTED], UNLIKE, frames=UNLIKE),
    "a number and its text": Fault(NUMBERS, [1, "0", 0, 1, 0, 1, 1], "both the text '0'"),
    "probabilities": Fault(
        NUMBERS, [0.9, 0.8, 0.1, 0.2, 1.0, 0.0, 0.6], "apply a threshold", frames="threshold|cannot stand in"
    ),
    "probabilities beside texts": Fault(
        TRUE, np.linspace(0, 1, 7), "apply a threshold", frames="threshold|cannot stand in"
    ),
    "probabilities of half precision": Fault(NUMBERS, np.linspace(0, 1, 7, dtype=np.float16), "apply a threshold"),
    "probabilities as texts": Fault(
        list(map(str, NUMBERS)), [*"10100", "0.25", ".5"], "apply a threshold", files="holds scores"
    ),
    "exact probabilities": Fault(NUMBERS, [Decimal("0.5"), *NUMBERS[1:]], "apply a threshold"),
    "columns of probabilities": Fault(NUMBERS, np.eye(7)[:, :2], "shape"),
    "no prediction for some": Fault(TRUE, PREDICTED[:-1], "y_true has 7 labels"),
    "a text for a list": Fault(TRUE, "yesnoye", "pass a list"),
    "a set": Fault(TRUE, {"yes", "no"}, "pass a list"),
    "one label for a list": Fault(TRUE, 1, "pass a list"),
    "several labels in one": Fault(TRUE, _with(["yes"]), "single label per example"),
    "no examples": Fault([], [], "empty"),
    "no true labels": Fault(None, PREDICTED, "pass a list"),
    **{
        f"{gap!r} in {column}": Fault(
            *((_with(gap, TRUE), PREDICTED) if column == "truth" else (TRUE, _with(gap))), "is missing", frames=NO_LABEL
        )
        for gap in (None, float("nan"), pd.NA, np.datetime64("NaT", "s"))
        for column in ("truth", "prediction")
    },
    **{
        f"the mark {mark!r}": Fault(
            TRUE, _with(mark), "stands for a missing label", frames="missing", files="missing label|is empty"
        )
        for mark in sorted(MARKS)
    },
    "the mark 'NA' in truth": Fault(
        _with("NA", TRUE), PREDICTED, "stands for a missing label", frames="missing", files="a missing label"
    ),
    **{
        f"weights, {what}": Fault(
            TRUE, PREDICTED, "sample_weight", {"sample_weight": weight}, in_frame, in_frame and "weight"
        )
        for what, weight, in_frame in (
            ("negative", [1.0, -1, 1, 1, 1, 1, 1], "negative"),
            ("nan", [1.0, float("nan"), 1, 1, 1, 1, 1], "missing|is nan"),
            ("infinite", [1.0, float("inf"), 1, 1, 1, 1, 1], "infinite|finite"),
            ("beyond float64 in sum", [1e308] * 7, ""),
            ("all 0", [0.0] * 7, "is 0|all 0"),
            ("texts", ["one", *"111111"], "is a number"),
            ("too few", [1.0], ""),
            ("of two dimensions", [[1.0]] * 7, ""),
        )
    },
    "an unknown treatment of missing labels": Fault(
        TRUE, PREDICTED, "missing='ignore' is not a way", {"missing": "ignore"}, frames="missing='ignore' is not a way"
    ),
}
DOORS = LABELS | FRAMES | FILES


def _pairs() -> Iterator[tuple[str, str, str]]:
    for door, (name, fault) in itertools.product(DOORS, FAULTS.items()):
        expected = fault.refusal if door in LABELS else fault.frames if door in FRAMES else fault.files
        if expected:
            yield door, name, expected


def test_the_table_has_all_of_its_cells() -> None:
    """Which faults each kind of door meets; those of files are fewer, as all labels are texts there."""
    counted = {door: sum(one == door for one, _, _ in _pairs()) for door in DOORS}
    assert [(len(doors), {counted[door] for door in doors}) for doors in (LABELS, FRAMES, FILES)] == [
        (20, {63}),
        (7, {45}),
        (6, {33}),
    ]


@pytest.mark.parametrize("door", DOORS)
def test_every_fault_is_refused_at_every_door(door: str) -> None:
    wrong = []
    for _, name, expected in (pair for pair in _pairs() if pair[0] == door):
        fault = FAULTS[name]
        try:
            found: object = DOORS[door](fault.true, fault.predicted, **fault.settings)
        except InputError as error:
            found = str(error)
            if "\n" not in found and any(part in found for part in expected.split("|")):
                continue
        except CannotCome:
            continue
        wrong.append((name, found))
    assert not wrong


# -- examples that do not count ----------------------------------------------------------------------------------------


def _told(door: str, true: list[Any], predicted: list[Any], **settings: Any) -> str:
    return repr(DOORS[door](true, predicted, **settings))


@in_one_test
@pytest.mark.parametrize("door", DOORS)
def test_an_example_of_weight_0_is_as_one_left_out(door: str) -> None:
    weight = [2.0, 1, 3, 1, 2, 1, 2]
    true, predicted = [*TRUE, "perhaps", "no"], [*PREDICTED, "yes", "never"]
    if door.startswith("counts"):  # the positive class against all others
        true, predicted = [*TRUE, "no", "no"], [*PREDICTED, "yes", "no"]
    GROUPS[7:] = [1, 2]
    try:
        found = _told(door, true, predicted, sample_weight=[*weight, 0, 0])
    except CannotCome:
        return
    finally:
        del GROUPS[7:]
    assert found == _told(door, TRUE, PREDICTED, sample_weight=weight)


@in_one_test
@pytest.mark.sampled(30)
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("mark", ["NA", "", "null", None, float("nan")])
def test_examples_that_lack_a_label_can_be_dropped(door: str, mark: Any) -> None:
    GROUPS[7:] = [1, 2]
    try:
        found = _told(door, [*TRUE, mark, "no"], [*PREDICTED, "yes", mark], missing="drop")
    except CannotCome:
        return
    finally:
        del GROUPS[7:]
    assert found == _told(door, TRUE, PREDICTED)


@in_one_test
@pytest.mark.sampled(12)
@pytest.mark.parametrize("door", DOORS)
def test_marks_can_be_kept_as_labels(door: str) -> None:
    true, predicted = ([{"no": "NA"}.get(label, label) for label in column] for column in (TRUE, PREDICTED))
    labels, numbers = ([{"no": "a"}.get(label, label) for label in column] for column in (TRUE, PREDICTED))
    extra = {"pos_label": "yes"} if door == "class_likelihood_ratios" else {}
    if door.startswith("report"):
        found, expected = (
            DOORS[door](*pair, **given).to_text().replace("NA", "a ")
            for pair, given in (((true, predicted), {"missing": "keep"}), ((labels, numbers), {}))
        )
        assert found.replace(" ", "") == expected.replace(" ", "")
        return
    found = _told(door, true, predicted, missing="keep", **extra)
    assert found.replace("'NA'", "'a'") == _told(door, labels, numbers, **extra)


# -- labels that are named ---------------------------------------------------------------------------------------------

NAMED = ["Metric.__call__, macro", "Metric.__call__, None", "MulticlassMetric.__call__, cba"]


@pytest.mark.parametrize("door", NAMED)
def test_labels_that_never_occur_are_refused_or_said(door: str) -> None:
    true, predicted = ["cat", "dog"] * 2, ["cat", "cat", "dog", "dog"]
    with pytest.raises(InputError, match=r"labels='Cat', 'Dog' has none of the labels that occur, which are 'cat', "):
        DOORS[door](true, predicted, labels=["Cat", "Dog"])
    with pytest.warns(LabelWarning, match="labels names 'dgo', which no example has .* did you mean 'dog'"):
        DOORS[door](true, predicted, labels=["cat", "dgo"])
    with pytest.warns(LabelWarning, match="leave out what is no class") as caught:
        DOORS[door](true, predicted, labels=["cat", "dog", "zebra"])
    assert caught[0].filename == __file__
    DOORS[door](true, predicted, labels=["dog", "cat"])


# -- all doors are here ------------------------------------------------------------------------------------------------


def _takes_examples(function: object) -> bool:
    try:
        named = inspect.signature(function).parameters  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return not {"y_true", "truth"}.isdisjoint(named)


def _public() -> Iterator[tuple[str, object]]:
    for name in sm.__all__:
        found = getattr(sm, name)
        if inspect.isclass(found):
            members = inspect.getmembers(found, callable)
            yield from ((f"{name}.{key}", one) for key, one in members if key == "__call__" or key[0] != "_")
        elif isinstance(found, ModuleType):
            yield from ((f"{name}.{key}", getattr(found, key)) for key in getattr(found, "__all__", ()))
        else:
            yield name, found


def _columns(function: Door, true: Any, score: Any, **settings: Any) -> object:
    """Call a function of one column of scores for each class."""
    return function(true, np.column_stack([1 - score, score]), **settings)


def _measure(name: str) -> Door:
    function = getattr(curves, name)
    takes = inspect.signature(function).parameters
    if "score_b" in takes:
        return lambda t, s, **k: function(t, s, [0.5, 0.25, 0.75, 0.25, 0.5, 0.1, 0.3], pos_label="yes", **k)
    if "pos_label" not in takes or name == "top_k_accuracy":
        return lambda t, s, **k: _columns(function, t, s, **k)
    needed = {"max_fpr": 0.5} if name == "partial_auc" else {}
    return lambda t, s, **k: function(t, s, pos_label="yes", **needed, **k)


SCORES: dict[str, Door] = {
    "Metric.best_threshold": lambda t, s, **k: sm.metrics["f1"].best_threshold(t, s, pos_label="yes", **k),
    **{
        name: _measure(name)
        for name in curves.__all__
        if {"y_true", "sample_weight"} <= set(inspect.signature(getattr(curves, name)).parameters)
    },
}
"""Functions of true labels and scores."""


GIVEN = np.array([0.9, 0.1, 0.8, 0.4, 0.3, 0.2, 0.6])
FAULTS_OF_SCORES: dict[str, tuple[Any, Any, str, dict[str, Any]]] = {
    **{f"{gap!r} in truth": (_with(gap, TRUE), GIVEN, "missing", {}) for gap in (None, float("nan"), "NA", "null", "")},
    **{
        f"{name} scores": (TRUE, np.append(GIVEN[:-1], one), refusal, {})
        for name, one, refusal in (("missing", np.nan, "missing"), ("infinite", np.inf, "infinite"))
    },
    "no score for some": (TRUE, GIVEN[:-1], "one .* per example|pass one row", {}),
    "no examples": ([], np.array([]), "empty|shape", {}),
    **{
        name: (TRUE, GIVEN, "sample_weight", {"sample_weight": weight})
        for name, weight in (
            ("negative weights", [-1.0] * 7),
            ("missing weights", [float("nan")] * 7),
            ("weights that are all 0", [0.0] * 7),
            ("texts for weights", ["one"] * 7),
            ("too few weights", [1.0]),
            ("weights beyond float64", [1e308] * 7),
        )
    },
    "an unknown treatment of missing labels": (TRUE, GIVEN, "missing='ignore'", {"missing": "ignore"}),
}


@pytest.mark.parametrize("door", SCORES)
def test_every_fault_is_refused_by_every_function_of_scores(door: str) -> None:
    """19 functions meet 16 faults each."""
    assert (len(SCORES), len(FAULTS_OF_SCORES)) == (19, 16)
    SCORES[door](TRUE, GIVEN)
    for true, score, refusal, settings in FAULTS_OF_SCORES.values():
        with pytest.raises(InputError, match=refusal):
            SCORES[door](true, score, **settings)


def test_every_public_function_of_examples_is_a_door() -> None:
    doors = {name.split(",")[0] for name in [*DOORS, *SCORES]}
    found = {name for name, function in _public() if _takes_examples(function)}
    assert {name.rpartition("curves.")[2] for name in found} - doors <= ELSEWHERE


ELSEWHERE = {"delong_test", "roc_band", "score_interval", "score_histogram"}
"""Functions of scores without weights, or of the columns of a frame; their doors are below."""
