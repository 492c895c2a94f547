"""Many metrics at once: each number is the metric's own, whatever they are counted from."""

from __future__ import annotations

import itertools
import json
import math
import sys
from html.parser import HTMLParser
from typing import Any

import pandas as pd
import pytest
import sklearn.metrics
from effort import examples, in_one_test, is_thorough, some
from hypothesis import given, settings
from hypothesis import strategies as st

import symmetrics as sm
from symmetrics.library.selections import DOZEN, THEMES
from symmetrics.tools.errors import InputError, UnknownNameError

TRUE = ["a", "b", "b", "c", "a", "c", "c"]
PREDICTED = ["a", "b", "c", "c", "b", "c", "a"]
WEIGHT = [1, 2, 0.5, 1, 1, 3, 1]
ROWS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(1, 4)), min_size=1, max_size=12)


@pytest.mark.parametrize("settings_of", [{}, {"zero_division": 0}, {"pos_label": 0}, {"average": "macro"}])
@settings(max_examples=examples(20), deadline=None)
@given(ROWS, st.booleans())
def test_each_value_is_the_metric_s_own(settings_of: Any, rows: list[tuple[int, int, int]], weighted: bool) -> None:
    true, predicted, weight = zip(*[*rows, (0, 1, 1), (1, 0, 1)], strict=True)
    given = {**settings_of, "sample_weight": weight} if weighted else settings_of
    found = sm.score(true, predicted, **given)
    assert list(found.index) == list(DOZEN)
    for name in DOZEN:
        expected = sm.metrics[name](true, predicted, **given)
        assert found.loc[name, "value"] == pytest.approx(expected, abs=1e-12, nan_ok=True), name


def test_every_metric_of_the_library_is_scored_as_by_itself() -> None:
    true, predicted, weight = [1, 0, 1, 1, 0, 0, 1], [1, 0, 0, 1, 1, 0, 1], [1, 2, 0.5, 1, 3, 1, 2]
    chosen = [metric.name for metric in some(sm.metrics.values(), 25, "battery")]
    found = sm.score(true, predicted, chosen, sample_weight=weight)["value"]
    for name in chosen:
        expected = sm.metrics[name](true, predicted, sample_weight=weight)
        assert found[name] == pytest.approx(expected, nan_ok=True, rel=1e-9, abs=1e-12), name


def test_metrics_and_columns_of_scores() -> None:
    # Metrics are chosen by name theme or as they are.
    mine = sm.Metric("mine", sm.TP / sm.n)
    chosen = ["MCC", "verification", mine, sm.TN / sm.n, sm.multiclass["cba"]]
    found = sm.score([1, 0, 1], [1, 1, 1], chosen)
    names = [metric.name for metric in THEMES["verification"]]
    assert list(found.index) == ["MCC", *names, "mine", str(sm.TN / sm.n), "cba"]
    assert found.loc["mine", "value"] == pytest.approx(2 / 3)
    assert list(sm.score([1, 0], [1, 1], "recall").index) == ["recall"]
    if is_thorough():
        assert list(sm.score([1, 0], [1, 1], "all").index) == list(sm.metrics)
    assert list(sm.score([1, 0], [1, 1], {"hits": "recall", "cba": sm.multiclass["cba"]}).index) == ["hits", "cba"]
    # One value a class is one column a class.
    found = sm.score(TRUE, PREDICTED, ["recall", "f1"], average=None, sample_weight=WEIGHT)
    assert list(found.columns) == ["a", "b", "c"]
    expected = sklearn.metrics.recall_score(TRUE, PREDICTED, average=None, sample_weight=WEIGHT)
    assert found.loc["recall"].to_numpy() == pytest.approx(expected)
    some = sm.score(TRUE, PREDICTED, ["recall"], average=None, labels=["c", "a"])
    assert list(some.columns) == ["c", "a"]
    # Several labels an example.
    true, predicted = [[1, 0], [1, 1]], [[1, 1], [0, 1]]
    found = sm.score(true, predicted, ["f1"], average="samples")
    assert found.loc["f1", "value"] == sm.metrics["f1"](true, predicted, average="samples")


FRAME = pd.DataFrame(
    {
        "y": ["no", "yes", "yes", "no", "yes", "no", "yes", "yes"],
        "guess": ["no", "yes", "no", "yes", "yes", "no", "yes", "no"],
        "site": ["x", "x", "y", "y", "x", "y", "z", "z"],
        "year": [1, 2, 2, 1, 1, 1, 2, 2],
        "w": [1, 2, 1, 1, 3, 1, 1, 2],
    }
)


def in_polars() -> Any:
    return pytest.importorskip("polars").DataFrame(FRAME.to_dict("list"))


@pytest.mark.parametrize("frame", [lambda: FRAME, lambda: FRAME.to_dict("list"), in_polars])
def test_columns_of_any_frame(frame: Any) -> None:
    found = sm.score(frame(), truth="y", prediction="guess", pos_label="yes", sample_weight="w")
    expected = sm.score(FRAME["y"], FRAME["guess"], pos_label="yes", sample_weight=FRAME["w"])
    pd.testing.assert_frame_equal(found, expected)


@in_one_test
@pytest.mark.parametrize("frame", [lambda: FRAME, in_polars])
@pytest.mark.parametrize("by", ["site", ["site"], ["site", "year"]])
def test_groups_are_scored_by_themselves(frame: Any, by: Any) -> None:
    names = ["recall", "precision"]
    found = sm.score(frame(), None, names, truth="y", prediction="guess", by=by, pos_label="yes", sample_weight="w")
    groups = FRAME.groupby(by)
    assert len(found) == 2 * len(groups)
    for (key, part), name in itertools.product(groups, names):
        labels = {"labels": ["no", "yes"], "pos_label": "yes", "sample_weight": part["w"]}
        expected = sm.metrics[name](part["y"], part["guess"], **labels)
        place = (*(key if isinstance(key, tuple) else (key,)), name)
        assert found.loc[place, "value"] == pytest.approx(expected, nan_ok=True)
    assert found.index.names == [*(by if isinstance(by, list) else [by]), "metric"]


def _by(by: Any, weight: Any = None, part: Any = 1) -> pd.DataFrame:
    frame = pd.DataFrame({"y": [1, 0, 1], "guess": [1, 0, 0], "site": list("aab"), "w": list("123"), "part": part})
    return sm.score(frame, truth="y", prediction="guess", by=by, sample_weight=weight)


@in_one_test
@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: sm.score([1, 0]), InputError, "pass y_true and y_pred, or a data frame"),
        (lambda: sm.score(FRAME, truth="y"), InputError, "name both columns"),
        (lambda: sm.score(FRAME, truth="y", prediction="p"), InputError, "no column 'p'; it has y, guess, site"),
        (lambda: sm.score([1, 0], [1, 0], ["mc"]), UnknownNameError, "did you mean mcc"),
        (lambda: sm.score([1, 0], [1, 0], []), InputError, "metrics is empty"),
        (lambda: sm.score([1, 0], [1, 0], [3]), InputError, "3 is not a metric"),
        (lambda: sm.score([1, 0], [1]), InputError, "one prediction per example"),
        (
            lambda: sm.score([1, 0], [1, 1], ["mcc", sm.multiclass["mcc"]]),
            InputError,
            "two metrics are called 'mcc'; pass a mapping",
        ),
        (lambda: _by("part", part=[(1,), (1, 2), (1,)]), InputError, "column 'part' to group by holds tuples"),
        (lambda: _by("part", part=[(1, 3), (1, 2), (1, 2)]), InputError, "column 'part' to group by holds tuples"),
        (
            lambda: _by(["site", "part"], part=[(1,), (1, 2), (1,)]),
            InputError,
            "column 'part' to group by holds tuples",
        ),
        (lambda: _by(("y", "site")), InputError, r"to group by several columns pass a list, by=\['y', 'site'\]"),
        (lambda: _by("site", "w"), InputError, "column 'w' has the type String: a weight is a number"),
        (lambda: _by(None, "w"), InputError, "sample_weight holds the text '1'; a weight is a number"),
        (lambda: sm.score([1, 0], [1, 0], sample_weight=["1", "2"]), InputError, "sample_weight holds the text '1'"),
        (lambda: sm.score(FRAME, "y", "guess"), InputError, "columns of a data frame are named, as in truth='y'"),
        (
            lambda: sm.report([1, 0], [0.9, 0.2]),
            InputError,
            "y_pred holds 0.9, and no true label is a fraction; if these",
        ),
        (lambda: sm.report(["a", "b"], [0.0, 0.2]), InputError, "y_pred holds 0.2, and no true label is a fraction"),
        (
            lambda: sm.multiclass["f1"],
            UnknownNameError,
            r"of one class; symmetrics.metrics\['f1'\] takes average='macro'",
        ),
        (lambda: sm.ConfusionMatrix([[1, 2], [3, 4]]), InputError, "this is a matrix; .* metric.from_confusion"),
        (
            lambda: sm.report(["a", "b"], ["a", "a"], labels=["z"]),
            InputError,
            "none of the classes that occur, which are",
        ),
        (lambda: sm.metrics["log_loss"], UnknownNameError, "a measure of probabilities, which no confusion matrix"),
        (lambda: sm.prove("f1", ["p1", "p2"]), InputError, "symmetrics.table decides several"),
        (lambda: sm.f1_score, AttributeError, r"the metric is symmetrics.metrics\['f1_score'\]"),
        (lambda: sm.nothing, AttributeError, "no attribute 'nothing'$"),
    ],
)
def test_what_is_refused(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_without_pandas_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match=r"pip install 'symmetrics\[frames\]'"):
        sm.score([1, 0], [1, 0])


# -- reports -----------------------------------------------------------------------------------------------------------


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 3)), min_size=2, max_size=20))
def test_the_report_is_scikit_learn_s_with_its_metrics(rows: list[tuple[int, int, int]]) -> None:
    true, predicted, weight = zip(*rows, (0, 1, 1), strict=True)
    ours = sm.report(true, predicted, sample_weight=weight, zero_division=0).to_dict()
    theirs = sklearn.metrics.classification_report(
        true, predicted, sample_weight=weight, zero_division=0, output_dict=True
    )
    assert ours["accuracy"] == pytest.approx(theirs["accuracy"])
    names = {"precision": "precision", "recall": "recall", "f1": "f1-score", "support": "support"}
    for row, numbers in theirs.items():
        if row != "accuracy":
            for name, other in names.items():
                assert ours[row.replace("avg", "average")][name] == pytest.approx(numbers[other]), (row, name)


def test_any_metrics_classes_and_averages() -> None:
    found = sm.report(
        TRUE,
        PREDICTED,
        [sm.metrics["mcc"], "gmean", "kappa"],
        labels=["c", "a", "b"],
        averages=["micro", "macro"],
        sample_weight=WEIGHT,
    )
    assert found.metrics == ("mcc (one class against the rest)", "gmean")
    assert list(found.classes) == ["c", "a", "b"]
    expected = sm.metrics["mcc"](TRUE, PREDICTED, labels=["c", "a", "b"], average=None, sample_weight=WEIGHT)
    assert [row[0] for row in found.classes.values()] == pytest.approx(expected)
    for average in ("micro", "macro"):
        expected = sm.metrics["gmean"](TRUE, PREDICTED, average=average, sample_weight=WEIGHT)
        assert found.averages[average][1] == pytest.approx(expected)
    assert found.whole == {"kappa": pytest.approx(sm.multiclass["kappa"](TRUE, PREDICTED, sample_weight=WEIGHT))}
    assert found.support == {"a": 2, "b": 2.5, "c": 5}
    assert found.total == 9.5


@in_one_test
@pytest.mark.parametrize(
    ("true", "interval"),
    [
        (["accuracy", "b"], None),
        (["macro average", "b"], None),
        (["accuracy_low", "b"], True),
    ],
)
def test_a_class_that_is_called_as_another_line_is_not_lost_in_a_dictionary(true: Any, interval: Any) -> None:
    found = sm.report(true * 9, true[::-1] * 9, interval=interval)
    with pytest.raises(InputError, match=r"two lines .* rename the class, or take \.classes"):
        found.to_dict()
    assert set(found.classes) == set(true)
    assert "accuracy" in sm.report(["accuracy", "b"], ["b", "b"], ["f1"]).to_dict()


class Cells(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:  # noqa: ARG002  # as the base class calls it
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_form_of_reports() -> None:
    # Numbers of a report end below each other.
    head, *lines = str(sm.report(["a"] * 1000 + ["b"], ["a"] * 990 + ["b"] * 11)).splitlines()
    assert head.endswith(" support")
    assert {line.rpartition(" ")[2] for line in lines} == {"1000", "1", "1001"}
    assert {len(line) for line in lines} == {len(head)}
    # A report of some classes has no line of the whole matrix.
    found = sm.report(TRUE, PREDICTED, labels=["a", "z"])
    assert found.whole == {}
    assert found.support == {"a": 2, "z": 0}
    assert math.isnan(found.classes["z"][1])
    assert " - " in str(found)
    assert json.loads(json.dumps(found.to_dict()["a"]))["support"] == 2
    # Names are escaped in HTML and visible in text.
    hostile = "<script>alert(1)</script>", "a\x1b[31m&b"
    found = sm.report(list(hostile), list(hostile), {"<b>recall": "recall"})
    parser = Cells()
    parser.feed(found._repr_html_())
    assert parser.tags == {"table", "thead", "tbody", "tr", "th", "td"}
    assert hostile[0] in parser.text
    assert "<b>recall" in parser.text
    assert "\x1b" not in str(found)
    assert "\x1b" not in found.to_html()
    # Text and HTML say the same.
    found = sm.report(TRUE, PREDICTED)
    parser = Cells()
    parser.feed(found.to_html())
    assert " ".join(parser.text).split() == str(found).split()
    assert "0.5000" in found.to_text(digits=4)
    # A report needs a metric of a class.
    with pytest.raises(InputError, match="metrics names none of a class"):
        sm.report(TRUE, PREDICTED, [sm.multiclass["mcc"]])
    # Large numbers of examples are shown whole.
    true, weight = ["a", "b"], [7654321, 1234567.25]
    shown = sm.report(true, true, ["recall"], sample_weight=weight)
    assert [line.split()[-1] for line in repr(shown).splitlines()[1:3]] == ["7654321", "1234567.25"]
    assert "7654321" in shown._repr_html_()
    counted = sm.ConfusionMatrix.of(true, true, sample_weight=weight)
    assert repr(counted) == "<ConfusionMatrix of 8888888.25 examples, 2 classes: 'a', 'b'>"


def test_groups_of_all_classes_and_of_none() -> None:
    # Groups have the classes of all of them.
    frame = {"y": TRUE, "guess": PREDICTED, "part": [1, 1, 1, 1, 2, 2, 2]}
    found = sm.score(frame, None, ["recall"], truth="y", prediction="guess", by="part", average=None)
    assert list(found.columns) == ["a", "b", "c"]
    assert found.loc[(1, "recall")].tolist() == [1, 0.5, 1]
    assert found.loc[(2, "recall")].tolist() == pytest.approx([0, math.nan, 0.5], nan_ok=True)
    macro = sm.score(frame, None, ["recall"], truth="y", prediction="guess", by="part", average="macro")
    assert macro["value"].tolist() == pytest.approx([2.5 / 3, 0.25])
    # No column to group by is one group.
    frame = pd.DataFrame({"y": [1, 1, 0], "p": [1, 0, 0]})
    asked: dict[str, Any] = {"truth": "y", "prediction": "p", "metrics": ["recall", "mcc"]}
    pd.testing.assert_frame_equal(sm.score(frame, by=[], **asked), sm.score(frame, **asked))


@pytest.mark.parametrize(("given", "meant"), [("positive", "pos_label"), ("weight", "sample_weight")])
def test_a_setting_of_counts_is_told_what_it_is_called_here(given: str, meant: str) -> None:
    with pytest.raises(InputError, match=f"score has no setting '{given}'; pass {meant}$"):
        sm.score(["a", "b"], ["a", "a"], **{given: "a"})
