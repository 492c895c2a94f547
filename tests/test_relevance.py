"""Relevance of classes: the mechanisms of Branco, Torgo & Ribeiro (2017), its use as weights, and what is refused."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from effort import in_one_test
from hypothesis import given
from hypothesis import strategies as st
from shared import refusal
from sympy import Rational

from symmetrics import relevance
from symmetrics.library import metrics
from symmetrics.matrices import multiclass
from symmetrics.posets.relevance import Relevance, partial_order, prevalence, scores, total_order
from symmetrics.tools.errors import InputError

CASES = {
    1: ((5, 0, 0), (0, 10, 0), (0, 300, 0)),
    2: ((1, 0, 3), (0, 100, 0), (0, 0, 200)),
    3: ((1, 3, 0, 0), (9, 1, 0, 0), (0, 0, 100, 0), (0, 0, 0, 200)),
}
PARTIAL = {
    1: (("c3", "c1"), ("c3", "c2")),
    2: (("c3", "c1"), ("c2", "c1")),
    3: (("c3", "c1"), ("c4", "c1"), ("c4", "c2")),
}
# Branco, Torgo & Ribeiro (2017), table 4, by hand in fractions.  Two entries are printed otherwise: 3/7 as 0.42, and
# the prevalence of case 3 as 0.64, 0.32, 0.03, 0.02; table 5 agrees with the values here.
TABLE_4: list[tuple[Relevance, list[Fraction]]] = [
    (prevalence(CASES[1]), [Fraction(60, 91), Fraction(30, 91), Fraction(1, 91)]),
    (prevalence(CASES[2]), [Fraction(50, 53), Fraction(2, 53), Fraction(1, 53)]),
    (prevalence(CASES[3]), [Fraction(50, 73), Fraction(20, 73), Fraction(2, 73), Fraction(1, 73)]),
    (partial_order(PARTIAL[1]), [Fraction(1), Fraction(1), Fraction(2, 5)]),
    (partial_order(PARTIAL[2]), [Fraction(1), Fraction(1, 2), Fraction(1, 2)]),
    (partial_order(PARTIAL[3]), [Fraction(1), Fraction(6, 7), Fraction(4, 7), Fraction(3, 7)]),
    (total_order(["c3", "c2", "c1"]), [Fraction(1), Fraction(2, 3), Fraction(1, 3)]),
    (total_order(["c4", "c3", "c2", "c1"]), [Fraction(1), Fraction(3, 4), Fraction(1, 2), Fraction(1, 4)]),
]
PRINTED = [
    [0.66, 0.33, 0.01],
    [0.94, 0.04, 0.02],
    [0.68, 0.27, 0.03, 0.01],
    [1, 1, 0.4],
    [1, 0.5, 0.5],
    [1, 0.86, 0.57, 0.43],
    [1, 0.67, 0.33],
    [1, 0.75, 0.5, 0.25],
]


@in_one_test
@pytest.mark.parametrize(("found", "expected", "printed"), [(*row, p) for row, p in zip(TABLE_4, PRINTED, strict=True)])
def test_table_4_of_the_paper(found: Relevance, expected: list[Fraction], printed: list[float]) -> None:
    assert list(found.values) == expected
    assert found.weights == pytest.approx(printed, abs=0.005)
    assert found.weights.dtype == np.float64


def test_ranks_by_other_methods() -> None:
    below = (("c", "a"), ("c", "b"))
    assert partial_order(below, method="lpom")["c"] == pytest.approx(0.375)
    assert partial_order(below, method="exact")["c"] == pytest.approx(0.4)
    assert partial_order(below, method="lpom").method == "partial order, lpom"


def test_a_relevance_is_looked_up_by_class() -> None:
    phi = scores({"b": Fraction(1, 3), "a": 1, "c": 0.25})
    assert phi.classes == ("a", "b", "c") == tuple(phi) == phi.keys()
    assert dict(phi) == {"a": 1, "b": Fraction(1, 3), "c": 0.25} == dict(phi.items())
    assert len(phi) == 3
    assert "a" in phi
    assert "d" not in phi
    assert phi == scores({"c": 0.25, "a": 1, "b": Fraction(1, 3)})
    assert hash(phi) == hash(scores(dict(phi)))
    with pytest.raises(KeyError, match="no class 'd'"):
        phi["d"]


@in_one_test
@pytest.mark.parametrize("value", [Fraction(1, 4), Decimal("0.25"), Rational(1, 4), 0.25, np.float64(0.25)])
def test_numbers_of_all_kinds(value: object) -> None:
    assert scores({0: value, 1: 1})[0] == Fraction(1, 4)


def test_the_order_of_classes() -> None:
    assert scores({"b": 1, "a": 0}).classes == ("a", "b")
    assert scores({"b": 1, "a": 0}, classes=["b", "a"]).weights.tolist() == [1, 0]
    assert prevalence({"b": 1, "a": 3}).weights.tolist() == [0.25, 0.75]
    assert prevalence([1, 3], classes=["b", "a"])["b"] == Fraction(3, 4)
    assert prevalence(np.array([[1, 0], [2, 1]]))[0] == Fraction(3, 4)
    assert scores({"b": 1, 2: 0}).classes == ("b", 2)  # what does not compare stands as given
    assert partial_order([("x", "y")], classes=["z", "y", "x"]).classes == ("z", "y", "x")


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=8))
def test_prevalence_sums_to_one_and_is_inversely_proportional(counts: list[int]) -> None:
    phi = prevalence(counts)
    assert sum(phi.values) == 1
    assert len({value * count for value, count in zip(phi.values, counts, strict=True)}) == 1


@given(st.permutations(range(6)))
def test_a_total_order_is_the_partial_order_of_a_chain(order: list[int]) -> None:
    chain = partial_order(list(itertools.pairwise(order)))
    assert chain.values == total_order(order).values


REFUSED: list[tuple[str, Callable[[], object]]] = [
    ("relevance of 'a' is 1.5; pass a number between 0 and 1", lambda: scores({"a": 1.5})),
    ("relevance of 'a' is -0.1", lambda: scores({"a": -0.1})),
    ("relevance of 'a' is nan", lambda: scores({"a": math.nan})),
    ("relevance of 'a' is '1'", lambda: scores({"a": "1"})),
    ("relevance of 'a' is True", lambda: scores({"a": True})),
    ("relevance of 'a' is Decimal('NaN')", lambda: scores({"a": Decimal("nan")})),
    ("relevance of every class is 0 ('a', 'b')", lambda: scores({"a": 0, "b": 0})),
    ("there are no classes", lambda: scores({})),
    ("mapping from classes to numbers, not list", lambda: scores([1, 0])),  # type: ignore[arg-type]
    ("no class 'b' among classes", lambda: scores({"a": 1, "b": 0}, classes=["a"])),
    ("classes names 'c', which has no relevance", lambda: scores({"a": 1}, classes=["a", "c"])),
    ("class 'a' stands twice", lambda: total_order(["a", "b", "a"])),
    ("classes is 'ab'", lambda: total_order("ab")),
    ("cannot be hashed", lambda: total_order([[1], [2]])),  # type: ignore[list-item]
    ("class 1 has no examples", lambda: prevalence([3, 0])),
    ("class 'b' has -1 examples", lambda: prevalence({"a": 3, "b": -1})),
    ("class 0 has nan examples", lambda: prevalence([math.nan, 1])),
    ("C[0, 1] is -1", lambda: prevalence([[3, -1], [0, 1]])),
    ("shape (1, 2)", lambda: prevalence([[1, 2]])),
    ("shape (0,)", lambda: prevalence([])),
    ("classes names the 1 class 'a' and counts has 2", lambda: prevalence([1, 2], classes=["a"])),
    ("cycle", lambda: partial_order([("a", "b"), ("b", "a")])),
    ("itself", lambda: partial_order([("a", "a")])),
    ("not among the classes", lambda: partial_order([("a", "b")], classes=["a", "c"])),
    ("a set has no order; pass a list", lambda: total_order({"a", "b"})),
    ("a set has no order; pass a list", lambda: scores({"a": 1, "b": 0}, classes={"a", "b"})),
    ("a set has no order; pass a list", lambda: prevalence([1, 2], classes=frozenset("ab"))),
    ("a set has no order; pass a list", lambda: partial_order([("a", "b")], classes={"a", "b"})),
    ("classes is {'a': 1}", lambda: total_order({"a": 1})),
    ("None is no class", lambda: scores({None: 1})),
    ("None is no class", lambda: total_order(["a", None])),
    ("nan is no class", lambda: prevalence([1, 2], classes=["a", math.nan])),
    ("<NA> is no class", lambda: scores({"a": 1, pd.NA: 0})),
    ("nan is no class", lambda: Relevance((math.nan,), (1.0,))),
    ("method=['exact'] is no text", lambda: partial_order([("a", "b")], method=["exact"])),  # type: ignore[arg-type]
    ("1 value for the 2 classes", lambda: Relevance(("a", "b"), (1.0,))),
]


Y_TRUE = ["dog", "dog", "cat", "owl", "owl", "owl", "cat", "dog"]
Y_PRED = ["dog", "cat", "cat", "owl", "owl", "cat", "cat", "dog"]
RECALLS = {"cat": 1.0, "dog": 2 / 3, "owl": 2 / 3}
OF_LABELS: list[Any] = [metrics["recall"], multiclass["f_of_means"].at(beta=1000)]


@pytest.mark.parametrize("metric", OF_LABELS, ids=lambda metric: metric.name)
def test_weights_are_matched_by_label_and_not_by_place(metric: Any) -> None:
    phi = scores({"owl": 1, "cat": 0.5, "dog": 0})
    expected = (0.5 * RECALLS["cat"] + RECALLS["owl"]) / 1.5
    assert metric(Y_TRUE, Y_PRED, average=phi) == pytest.approx(expected, abs=1e-5)
    assert metric(Y_TRUE, Y_PRED, average=phi, labels=["owl", "dog", "cat"]) == pytest.approx(expected, abs=1e-5)
    reordered = scores(dict(phi), classes=["owl", "dog", "cat"])
    assert metric(Y_TRUE, Y_PRED, average=reordered) == pytest.approx(expected, abs=1e-5)
    matrix = [[2, 0, 1], [0, 2, 1], [0, 0, 2]]  # owl, dog, cat
    rows = ["owl", "dog", "cat"]
    assert metric.from_confusion(matrix, average=phi, labels=iter(rows)) == pytest.approx(expected, abs=1e-5)
    assert metric.from_confusion(matrix, average=reordered) == pytest.approx(expected, abs=1e-5)
    assert metric.from_confusion(matrix, average=phi) != pytest.approx(expected, abs=1e-3)


def test_a_class_that_does_not_occur_is_undefined() -> None:
    phi = scores({"cat": 1, "dog": 1, "emu": 1, "owl": 1})
    assert metrics["recall"](Y_TRUE, Y_PRED, average=phi) == pytest.approx(7 / 9)
    assert metrics["recall"](Y_TRUE, Y_PRED, average=phi, zero_division=0) == pytest.approx(7 / 12)


def test_series_and_frames_go_by_their_index() -> None:
    counts = pd.Series(["b", "b", "b", "a"]).value_counts()
    assert dict(prevalence(counts)) == {"a": Fraction(3, 4), "b": Fraction(1, 4)}
    assert prevalence(counts).classes == ("a", "b")
    assert dict(prevalence(counts, classes=["b", "a"])) == dict(prevalence(counts))
    assert prevalence(counts, classes=["b", "a"]).classes == ("b", "a")
    phi = scores(pd.Series({"owl": 1.0, "dog": 0.5}))
    assert dict(phi) == {"dog": 0.5, "owl": 1.0}
    frame = pd.DataFrame([[3, 0], [1, 0]], index=["owl", "dog"], columns=["owl", "dog"])
    assert dict(prevalence(frame)) == {"dog": Fraction(3, 4), "owl": Fraction(1, 4)}
    assert "classes names 'c'" in refusal(lambda: prevalence(counts, classes=["b", "c"]))
    assert "stands twice" in refusal(lambda: scores(pd.Series([1, 0], index=["a", "a"])))
    assert "stands twice" in refusal(lambda: prevalence(pd.Series([1, 2], index=["a", "a"])))
    assert "nan is no class" in refusal(lambda: prevalence(pd.Series([1.0, math.nan]).value_counts(dropna=False)))


@pytest.mark.parametrize("metric", OF_LABELS, ids=lambda metric: metric.name)
def test_a_labelled_frame_is_matched_by_its_index(metric: Any) -> None:
    phi = scores({"owl": 1, "cat": 0.5, "dog": 0})
    rows = ["owl", "dog", "cat"]
    frame = pd.DataFrame([[2, 0, 1], [0, 2, 1], [0, 0, 2]], index=rows, columns=rows)
    expected = (0.5 * RECALLS["cat"] + RECALLS["owl"]) / 1.5
    assert metric.from_confusion(frame, average=phi) == pytest.approx(expected, abs=1e-5)
    assert metric.from_confusion(frame, average=phi, labels=rows) == pytest.approx(expected, abs=1e-5)
    by_place = metric.from_confusion(frame.to_numpy(), average=phi)
    assert metric.from_confusion(pd.DataFrame(frame.to_numpy()), average=phi) == by_place
    assert metric.from_confusion(frame, average="macro") == metric.from_confusion(frame.to_numpy(), average="macro")
    other = frame.rename(index={"dog": "emu"}, columns={"dog": "emu"})
    assert "'owl', 'emu', 'cat'" in refusal(lambda: metric.from_confusion(other, average=phi))
    crossed = frame[["dog", "owl", "cat"]]
    assert metric.from_confusion(crossed, average=phi) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("metric", OF_LABELS, ids=lambda metric: metric.name)
@pytest.mark.parametrize("weights", [{"owl": 1, "dog": 1, "cat": 0}, pd.Series({"owl": 1, "dog": 1, "cat": 0})])
def test_weights_by_name_are_no_average(metric: Any, weights: Any) -> None:
    calls: list[Callable[[], object]] = [
        lambda: metric.from_confusion(np.eye(3), average=weights),
        lambda: metric(Y_TRUE, Y_PRED, average=weights),
    ]
    for call in calls:
        assert "symmetrics.relevance.scores(" in refusal(call)


@in_one_test
@pytest.mark.parametrize("average", ["binary", "macro", "micro", "weighted", None, [1, 2], scores({"a": 1, "b": 0.5})])
@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ("ab", "labels='ab' is not a list"),
        (3, "labels=3 is not a list"),
        ({"a", "b"}, "a set has no order; pass a list"),
        ({"a": 1, "b": 2}, "is not a list"),
        (["a", "a"], "'a' more than once"),
        (["a", "b", "c"], "names 3 classes"),
        (["a"], "names 1 class"),
        ([], "labels is empty"),
    ],
)
def test_labels_are_checked_for_every_average(average: Any, labels: Any, reason: str) -> None:
    matrix = [[5, 1], [2, 6]]
    assert reason in refusal(lambda: metrics["recall"].from_confusion(matrix, average=average, labels=labels))
    if average != "binary":
        cba = multiclass["cba"]
        assert reason in refusal(lambda: cba.from_confusion(matrix, average=average, labels=labels))
    if len(labels if isinstance(labels, list | str | set) else "ab") == 2 and average != "binary":
        predicted = ["a", "b", "b"]
        call = metrics["recall"]
        assert reason in refusal(lambda: call(["a", "b", "a"], predicted, average=average, labels=labels))


def test_labels_of_a_binary_matrix_are_accepted() -> None:
    assert metrics["recall"].from_confusion([[5, 1], [2, 6]], labels=["no", "yes"]) == 0.75


def test_matrices_are_counted_exactly() -> None:
    narrow = np.array([[2**24, 1], [1, 1]], dtype=np.float32)
    assert prevalence(narrow).values == (Fraction(2, 16777219), Fraction(16777217, 16777219))
    wide = np.array([[2**62, 2**62], [2**62, 0]], dtype=np.int64)
    assert prevalence(wide).values == (Fraction(1, 3), Fraction(2, 3))
    assert prevalence([[2**64, 1], [1, 0]])[0] == Fraction(1, 2**64 + 2)
    assert prevalence([2**64 + 1, 1])[1] == Fraction(2**64 + 1, 2**64 + 2)
    assert prevalence(np.array([[0.25, 0.5], [0.125, 0.125]])).weights == pytest.approx([0.25, 0.75])
    assert prevalence(np.array([[0.1, 0.2], [0.5, 0.1]], dtype=np.float32)).weights == pytest.approx([2 / 3, 1 / 3])


def test_settings_of_ranks_are_passed_on() -> None:
    pairs = [(0, 5), (1, 6), (2, 7), (3, 8), (4, 9), (0, 9)]
    assert "max_ideals=5" in refusal(lambda: partial_order(pairs, method="exact", max_ideals=5))
    assert partial_order(pairs, method="exact", max_ideals=10**6) == partial_order(pairs, method="exact")
    assert "seed=-1" in refusal(lambda: partial_order(pairs, method="mcmc", seed=-1))


def test_a_relevance_estimated_by_a_random_walk() -> None:
    pairs = [("a", "c"), ("b", "c"), ("b", "d"), ("e", "d")]
    exact = partial_order(pairs, method="exact")
    found = partial_order(pairs, method="mcmc", seed=3)
    assert found.method == "partial order, mcmc"
    assert found.classes == exact.classes
    assert found.weights == pytest.approx(exact.weights, abs=0.03)
    assert max(found.values) == 1
    assert found == partial_order(pairs, method="mcmc", seed=3)
    assert found != partial_order(pairs, method="mcmc", seed=4)


UNFIT: list[tuple[str, Callable[[], object]]] = [
    (
        "label 'owl' occurs and has no weight; the classes with one are 'cat', 'dog'",
        lambda: metrics["recall"](Y_TRUE, Y_PRED, average=scores({"cat": 1, "dog": 1})),
    ),
    (
        "the relevance has no class 'owl'",
        lambda: metrics["recall"].from_confusion(np.eye(2), average=scores({0: 1, 1: 1}), labels=["owl", "cat"]),
    ),
    (
        "weights for 2 classes, 'cat', 'dog', and C has 3",
        lambda: metrics["recall"].from_confusion(np.eye(3), average=scores({"cat": 1, "dog": 1})),
    ),
    (
        "weights for 3 classes, 0, 1, 2, and C has 2",
        lambda: multiclass["cba"].from_confusion(np.eye(2), average=prevalence([1, 2, 3])),
    ),
    (
        "labels names 2 classes, 'a', 'b', and C has 3",
        lambda: multiclass["cba"].from_confusion(np.eye(3), labels=["a", "b"]),
    ),
    (
        "average has weights for 3 classes",
        lambda: metrics["recall"](
            Y_TRUE, Y_PRED, labels=["cat", "dog"], average=scores({"cat": 1, "dog": 1, "owl": 1})
        ),
    ),
]


@in_one_test
@pytest.mark.parametrize(("reason", "call"), [*REFUSED, *UNFIT])
def test_what_is_no_relevance_or_does_not_fit_the_matrix(reason: str, call: Callable[[], object]) -> None:
    assert reason in refusal(call)


def test_the_module_is_what_it_says() -> None:
    assert set(relevance.__all__) == {"Relevance", "partial_order", "prevalence", "ranks", "scores", "total_order"}


def test_names_of_classes_that_are_no_labels_only_by_their_type_are_told() -> None:
    phi = relevance.partial_order([("0", "1")], ["0", "1"])
    with pytest.raises(InputError, match=r"label 0 occurs .*; name the classes as the labels are, 0 and not '0'$"):
        metrics["recall"]([0, 1, 1], [0, 1, 0], average=phi)
