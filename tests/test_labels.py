"""Labels in any container, what a missing one is, and which class is the positive one."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
import shared
import sklearn.metrics
from effort import in_one_test
from hypothesis import assume, given
from hypothesis import strategies as st

import symmetrics as sm
from symmetrics import testing
from symmetrics.curves import one_vs_rest_curves
from symmetrics.data.encoding import listed
from symmetrics.data.labels import binary_cells, confusion_matrix, conventional_positive
from symmetrics.posets import poset
from symmetrics.posets.relevance import partial_order, prevalence, scores, total_order
from symmetrics.tools.errors import LabelWarning, SymmetricsError

# -- labels ------------------------------------------------------------------------------------------------------------


refusal = partial(shared.refusal, longest=300)

# The same 6 examples spelled in many ways; the matrix is [[2, 1], [1, 2]] by hand.
TRUE, PREDICTED = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 0]
NAMES = {0: "no", 1: "yes"}
TRUE_NAMES, PREDICTED_NAMES = [NAMES[i] for i in TRUE], [NAMES[i] for i in PREDICTED]
CONTAINERS: list[Callable[[list[Any]], Any]] = [
    list,
    tuple,
    iter,
    np.array,
    lambda values: np.array(values, dtype=object),
    lambda values: np.repeat(np.array(values), 2)[::2],
    lambda values: pd.Series(values, index=range(9, 9 + len(values))),
    lambda values: pd.Series(pd.Categorical(values)),
    pd.Categorical,
    pd.Index,
    lambda values: [np.array(values)[i] for i in range(len(values))],
]
NUMBERS = ["i1", "u1", "i2", "i4", "i8", "u8", ">i4", "f2", "f4", "f8", "?"]


@in_one_test
@pytest.mark.parametrize("container", CONTAINERS)
def test_equivalent_containers(container: Callable[[list[Any]], Any]) -> None:
    numbers: tuple[list[Any], ...] = (TRUE, PREDICTED, [0, 1])
    for true, predicted, labels in (numbers, (TRUE_NAMES, PREDICTED_NAMES, ["no", "yes"])):
        matrix, found = confusion_matrix(container(true), container(predicted))
        assert matrix.dtype == np.float64
        assert matrix.tolist() == [[2, 1], [1, 2]]
        assert found == labels
        assert {type(label) for label in found} == {type(labels[0])}


@in_one_test
@pytest.mark.parametrize("kind", NUMBERS)
def test_equivalent_numbers(kind: str) -> None:
    true = np.array(TRUE, dtype=kind)
    matrix, found = confusion_matrix(true, PREDICTED)
    assert matrix.tolist() == [[2, 1], [1, 2]]
    assert found == [0, 1]
    assert type(found[1]) is type(true[1].item())


@in_one_test
@pytest.mark.parametrize(
    ("values", "order"),
    [
        ([3, 1, 2, 1], [1, 2, 3]),
        (["b", "a", "B"], ["B", "a", "b"]),
        ([(2, 1), (1, 9)], [(1, 9), (2, 1)]),
        ([(), "a"], [(), "a"]),
        (["a", 1, (), 1.0, True], ["a", 1, ()]),
        (["b", 1], ["b", 1]),
        (np.array([2**63, 5], dtype=np.uint64), [5, 2**63]),
        (np.array([-(2**63), 2**62]), [-(2**63), 2**62]),
        (np.array([-128, 127], dtype=np.int8), [-128, 127]),
        (np.array([2**62 + 1, 2**62, 0]), [0, 2**62, 2**62 + 1]),
        (np.array([0.5, -np.inf]), [-np.inf, 0.5]),
        (np.array(["b", "a"]), ["a", "b"]),
        (np.array([b"b", b"a"]), [b"a", b"b"]),
        (
            np.array(["2020-02-01", "2020-01-01"], dtype="M8[D]"),
            [np.datetime64("2020-01-01"), np.datetime64("2020-02-01")],
        ),
    ],
)
def test_the_order_of_labels(values: Any, order: list[Hashable]) -> None:
    matrix, found = confusion_matrix(values, values)
    assert found == order
    assert matrix.sum() == len(values) == np.trace(matrix)


@in_one_test
@pytest.mark.parametrize(
    "ask",
    [
        lambda true, texts: sm.score(true, texts, ["f1"], average="macro"),
        lambda true, texts: sm.report(true, texts, ["f1"]),
        lambda true, texts: sm.compare(true, texts, true, "f1", average="macro"),
        lambda true, texts: sm.compare(true, true, texts, sm.multiclass["mcc"]),
        lambda true, texts: sm.metrics["f1"](np.array(true), np.array(texts), average=None),
        lambda true, texts: sm.multiclass["mcc"](true, texts),
    ],
)
def test_numbers_and_their_texts_are_not_different_classes(ask: Callable[[list[int], list[str]], object]) -> None:
    assert "they have no label in common" in (told := refusal(lambda: ask([1, 0, 1, 2], list("1012"))))
    assert re.search(r"write the labels of both alike, as by list\(map\(str, (y_pred|pred_a|pred_b)\)\)", told)


@pytest.mark.filterwarnings("ignore:A single label was found")
@given(testing.labels(classes=(2, 4)), st.data(), st.booleans(), st.booleans(), st.booleans())
def test_agrees_with_scikit_learn(
    drawn: testing.Labels, data: st.DataObject, as_arrays: bool, weighted: bool, restricted: bool
) -> None:
    true, predicted, _, weights, classes = drawn
    pool = data.draw(st.lists(st.sampled_from(classes), min_size=1, unique=True))
    labels, weight = pool if restricted else None, weights if weighted else None
    assume(not restricted or not set(true).isdisjoint(pool))
    vectors = (np.array(true), np.array(predicted)) if as_arrays else (true, predicted)
    matrix, found = confusion_matrix(*vectors, labels=labels, sample_weight=weight)
    # scikit-learn only knows labels of one type, so positions stand in for them
    position = {label: i for i, label in enumerate(sorted({*true, *predicted, *pool}))}
    order = [position[label] for label in found]
    codes = ([position[label] for label in vector] for vector in (true, predicted))
    assert labels is None or found == labels
    assert labels is not None or found == sorted({*true, *predicted})
    expected = sklearn.metrics.confusion_matrix(*codes, labels=order, sample_weight=weight)
    np.testing.assert_allclose(matrix, expected, rtol=1e-12)


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 4)), min_size=1), st.integers(0, 1))
def test_binary_cells_agree_with_a_loop(rows: list[tuple[bool, bool, int]], pos_label: int) -> None:
    true, predicted, weights = (list(column) for column in zip(*rows, strict=True))
    assume(any(weights))
    cells = binary_cells(true, predicted, labels=[0, 1], pos_label=pos_label, sample_weight=weights)
    wanted = [(True, True), (True, False), (False, True), (False, False)]
    for cell, (t, p) in zip(cells, wanted, strict=True):
        assert cell.shape == ()
        assert cell.dtype == np.float64
        assert cell == sum(w for a, b, w in rows if (a == pos_label, b == pos_label) == (t, p))


def cells_of(true: Any, predicted: Any, **settings: Any) -> list[float]:
    return [float(cell) for cell in binary_cells(true, predicted, **settings)]


def test_which_labels_are_taken() -> None:
    # Labels that cannot be sorted stand as they appear.
    assert confusion_matrix(["x", 2], [(), "x"])[1] == ["x", 2, ()]
    # Explicit labels order and restrict.
    with pytest.warns(LabelWarning, match="labels names 'z', which no example has"):
        matrix, found = confusion_matrix(["a", "b", "c", "a"], ["b", "b", "a", "c"], labels=["b", "a", "z"])
    assert found == ["b", "a", "z"]
    assert matrix.tolist() == [[1, 0, 0], [1, 0, 0], [0, 0, 0]]
    assert confusion_matrix(TRUE, PREDICTED, labels=np.array([1, 0]))[1] == [1, 0]
    # Restriction carries the weights along.
    assert confusion_matrix([1, 2], [2, 1], labels=[1])[0].tolist() == [[0]]
    matrix, _ = confusion_matrix([0, 2, 1, 1], [0, 1, 1, 0], labels=[0, 1], sample_weight=[1, 2, 4, 8])
    assert matrix.tolist() == [[1, 0], [8, 4]]
    # The positive label is the one named.
    true, predicted = ["a", "a", "a", "b"], ["a", "a", "b", "a"]
    assert cells_of(true, predicted, pos_label="a") == [2, 1, 1, 0]
    assert cells_of(true, predicted, pos_label="b") == [0, 1, 1, 2]
    assert cells_of(pd.Series([1, 0]), np.array([1.0, 1.0]), pos_label=np.int64(1)) == [1, 0, 1, 0]
    assert cells_of([(1, 2), "b"], [(1, 2), "b"], pos_label=(1, 2)) == [1, 0, 0, 1]


@in_one_test
@pytest.mark.parametrize(
    ("only", "settings", "cells"),
    [
        (1, {}, [2, 0, 0, 0]),
        (0, {}, [0, 0, 0, 2]),
        (0.0, {}, [0, 0, 0, 2]),
        (-1, {}, [0, 0, 0, 2]),
        (False, {}, [0, 0, 0, 2]),
        (np.False_, {}, [0, 0, 0, 2]),
        (False, {"pos_label": True}, [0, 0, 0, 2]),
        ("no", {"pos_label": "yes"}, [0, 0, 0, 2]),
        ("cat", {"pos_label": "cat"}, [2, 0, 0, 0]),
        ("cat", {"pos_label": "dog", "labels": ["cat", "dog"]}, [0, 0, 0, 2]),
    ],
)
def test_a_single_label_is_enough_where_the_positive_one_is_plain(
    only: Hashable, settings: dict[str, Any], cells: list[float]
) -> None:
    assert cells_of([only] * 2, [only] * 2, **settings) == cells


NOT_NUMBER = float("nan")
# What is refused at run time is mostly refused by the type checker too: under these names it does not look.
matrix_of: Callable[..., object] = confusion_matrix
cells_from: Callable[..., object] = binary_cells


@in_one_test
@pytest.mark.parametrize(
    ("call", "parts"),
    [
        (lambda: matrix_of([1, 2, 3], [1, 2]), ("y_true has 3", "y_pred 2")),
        (lambda: matrix_of([], []), ("y_true is empty",)),
        (lambda: matrix_of([1], np.array([])), ("y_pred is empty",)),
        (lambda: matrix_of(np.ones((3, 1)), [1, 1, 1]), ("y_true has shape (3, 1)", "one dimension")),
        (lambda: matrix_of(pd.DataFrame({"a": [1]}), [1]), ("y_true has shape (1, 1)",)),
        (lambda: matrix_of(np.array(3), [1]), ("y_true has shape ()",)),
        (lambda: matrix_of(np.int64(3), [1]), ("y_true has shape ()",)),
        (lambda: matrix_of([[0, 1], [1, 0]], [1, 0]), ("y_true[0] is [0, 1]", "single label")),
        (lambda: matrix_of([0, 1], [1, {}]), ("y_pred[1] is {}",)),
        (lambda: matrix_of("abc", "abc"), ("y_true is 'abc'",)),
        (lambda: matrix_of({1, 2}, {1, 2}), ("y_true is {1, 2}",)),
        (lambda: matrix_of(None, [1]), ("y_true is None",)),
        (lambda: matrix_of(7, [1]), ("y_true is 7",)),
        (lambda: matrix_of([1, NOT_NUMBER], [1, 1]), ("y_true[1] is missing",)),
        (lambda: matrix_of([1, 1], np.array([1, np.nan])), ("y_pred[1] is missing",)),
        (lambda: matrix_of(["a", pd.NA], ["a", "a"]), ("y_true[1] is missing",)),
        (lambda: matrix_of(pd.Series(["a", None], dtype="string"), ["a", "a"]), ("y_true[1] is missing",)),
        (lambda: matrix_of(pd.Categorical(["a", None]), ["a", "a"]), ("y_true[1] is missing",)),
        (lambda: matrix_of(np.array(["NaT"], "M8[s]"), ["a"]), ("y_true[0] is missing",)),
        (lambda: matrix_of(np.ma.MaskedArray([1, 2], [False, True]), [1, 1]), ("y_true[1] is missing",)),
        (lambda: matrix_of([1], [1], labels=[1, 2, 1.0]), ("labels names 1 more than once",)),
        (lambda: matrix_of([1], [1], labels=[]), ("labels is empty",)),
        (lambda: matrix_of([1], [1], labels="ab"), ("labels='ab'",)),
        (lambda: matrix_of([1], [1], labels=3), ("labels=3",)),
        (lambda: matrix_of([1], [1], labels=[1, NOT_NUMBER]), ("labels[1] is missing",)),
        (lambda: matrix_of([1], [1], labels=[[1], [2]]), ("labels[0] is [1]",)),
        (lambda: matrix_of([1, 2], [2, 3], labels=[3]), ("no example of y_true", "among 3;", "1, 2, 3")),
        (lambda: matrix_of(np.arange(20_000) * 0.1, np.arange(20_000)), ("too many", "threshold")),
        (lambda: matrix_of([1], [1], sample_weight=[-1]), ("sample_weight[0] is -1.0",)),
        (lambda: matrix_of([1], [1], sample_weight=[np.nan]), ("sample_weight[0] is nan",)),
        (
            lambda: matrix_of([0, 1], [1, 1], sample_weight=np.ma.masked_array([1, 2], mask=[False, True])),
            ("sample_weight[1] is masked",),
        ),
        (lambda: matrix_of([1], [1], sample_weight=[1, 1]), ("sample_weight has 2 weights, not 1",)),
        (lambda: matrix_of([1], [1], sample_weight=[0]), ("every weight of sample_weight is 0",)),
        (lambda: matrix_of([1], [1], sample_weight="heavy"), ("sample_weight='heavy'",)),
        (lambda: cells_from([0, 1, 2], [0, 1, 2]), ("3 labels (0, 1, 2)", "average='macro'")),
        (lambda: cells_from([0, 1, 1], [0.1, 0.7, 0.9]), ("y_pred holds 0.1", "threshold")),
        (lambda: cells_from([0, 1], ["0", "1"]), ("the number 0 and y_pred the text '0'", "list(map(str, y_pred))")),
        (lambda: cells_from(["a", "b"], ["a", "a"]), ("pos_label=1", "'a', 'b'", "pos_label='a' or pos_label='b'")),
        (lambda: cells_from(["0", "1"], ["0", "1"]), ("pos_label=1 is", "pass pos_label='1'")),
        (lambda: cells_from(["no"], ["no"]), ("pos_label=1", "labels=['no', 1]")),
        (lambda: cells_from([2], [2]), ("pos_label=1", "labels 2;")),
        (lambda: cells_from([0, 1], [0, 1], pos_label=[1]), ("pos_label=[1]",)),
        (lambda: cells_from([0, 1], [0, 1], pos_label=np.eye(2)), ("pos_label=array",)),
        (lambda: cells_from([0, 1], [0, 1], pos_label=pd.NA), ("pos_label=<NA>",)),
        (lambda: cells_from([0, 1], [0, 1], labels=[1]), ("labels=1 names one class",)),
        (lambda: cells_from([0, 1, 2], [0, 1, 1], labels=[0, 1]), ("label 2 occurs", "average='macro'")),
        (lambda: matrix_of([1], [1], labels=[1, None]), ("labels[1] is missing",)),
        (lambda: cells_from([0, 1], [0, 1], labels=[0, 1, 2]), ("takes two",)),
        (
            lambda: cells_from([0, 0], [0, 0], labels=[0, 2], pos_label=1),
            ("pos_label=1 is not among the labels 0, 2",),
        ),
    ],
)
def test_refusals(call: Callable[[], object], parts: tuple[str, ...]) -> None:
    message = refusal(call)
    assert all(part in message for part in parts), message


@in_one_test
@pytest.mark.parametrize(
    ("pair", "positive"),
    [
        ([0, 1], 1),
        ([1, 0], 1),
        ([-1, 1], 1),
        ([False, True], True),
        ([0.0, 1.0], 1.0),
        (["FALSE", "True"], "True"),
        (["positive", "negative"], "positive"),
        (["1", "2"], None),
        ([1, 2], None),
        (["cat", "dog"], None),
        ([0, 1, 2], None),
        ([1], None),
        ([float("inf"), 1], None),
    ],
)
def test_the_conventional_positive(pair: list[Hashable], positive: Hashable | None) -> None:
    assert conventional_positive(pair) == positive


def test_messages_on_labels() -> None:
    # A label with line breaks is shown on one line.
    assert r"'a\nb'" in refusal(lambda: binary_cells(["a\nb", "c"], ["c", "c"]))
    # Texts beside the numbers that they say are told apart.
    message = refusal(lambda: binary_cells(["1", "0", 1], [1, 0, 1]))
    assert "both the text '1' and the int 1; convert one of both" in message
    assert "macro" not in message
    # Long lists of labels are cut.
    assert listed("abcdefgh").endswith("'f' and 2 more")


# -- missing labels ----------------------------------------------------------------------------------------------------


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
