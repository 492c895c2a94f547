"""Relevance of classes: the mechanisms of Branco, Torgo & Ribeiro (2017), its use as weights, and what is refused."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Rational

from symmetrics import relevance
from symmetrics.confusion import multiclass
from symmetrics.errors import InputError
from symmetrics.library import metrics
from symmetrics.relevance import Relevance, partial_order, prevalence, scores, total_order

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


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message
    return message


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
    ("1 values for the 2 classes", lambda: Relevance(("a", "b"), (1.0,))),
]


@pytest.mark.parametrize(("reason", "call"), REFUSED)
def test_what_is_no_relevance(reason: str, call: Callable[[], object]) -> None:
    assert reason in refusal(call)


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


@pytest.mark.parametrize(("reason", "call"), UNFIT)
def test_a_relevance_that_does_not_fit_the_matrix(reason: str, call: Callable[[], object]) -> None:
    assert reason in refusal(call)


def test_the_module_is_what_it_says() -> None:
    assert set(relevance.__all__) == {"Relevance", "partial_order", "prevalence", "scores", "total_order"}
