"""A confusion matrix with names is read by its names, or refused: never by place alone."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from effort import in_one_test

from symmetrics.curves import hand_till, one_vs_rest_auc, one_vs_rest_curves
from symmetrics.library import metrics
from symmetrics.matrices import multiclass
from symmetrics.posets.relevance import prevalence, scores
from symmetrics.query.panel import Panel
from symmetrics.tools.errors import InputError, SymmetricsError

NAMES = ["a", "b", "c"]
C = pd.DataFrame([[8, 1, 0], [0, 7, 2], [1, 0, 9]], index=NAMES, columns=NAMES)
PERMUTED = [C[list(order)] for order in itertools.permutations(NAMES)]
BOTH = [frame.loc[list(order)] for frame in PERMUTED[::2] for order in itertools.permutations(NAMES)]
UNORDERED = [key for key, metric in multiclass.items() if not metric.orders_classes]
OF_MATRICES: list[Any] = [metrics["recall"], metrics["mcc"], *map(multiclass.__getitem__, UNORDERED)]


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(SymmetricsError) as caught:
        call()
    assert isinstance(caught.value, InputError)
    message = str(caught.value)
    assert "\n" not in message
    return message


@in_one_test
@pytest.mark.parametrize("frame", PERMUTED + BOTH)
def test_any_order_of_rows_and_columns_gives_the_same(frame: pd.DataFrame) -> None:
    for metric in OF_MATRICES:
        assert metric.from_confusion(frame, average="macro") == pytest.approx(
            metric.from_confusion(C.to_numpy(), average="macro")
        ), metric.name
    phi = scores({"a": 1, "b": 0.5, "c": 0})
    recall = metrics["recall"]
    by_hand = (1 * 8 / 9 + 0.5 * 7 / 9) / 1.5
    assert recall.from_confusion(frame, average=phi) == pytest.approx(by_hand)
    assert multiclass["cba"].normalised(frame, average=phi) == pytest.approx(
        multiclass["cba"].from_confusion(C.to_numpy(), average=phi)
    )
    assert recall.from_confusion(frame, average=None, labels=NAMES) == pytest.approx([8 / 9, 7 / 9, 9 / 10])
    assert recall.from_confusion(frame, average=None, labels=["c", "a", "b"]) == pytest.approx([9 / 10, 8 / 9, 7 / 9])
    in_its_rows = [{"a": 8 / 9, "b": 7 / 9, "c": 9 / 10}[name] for name in frame.index]
    assert recall.from_confusion(frame, average=None) == pytest.approx(in_its_rows)
    assert dict(prevalence(frame)) == dict(prevalence(C))


@in_one_test
@pytest.mark.parametrize("key", sorted({*multiclass} - {*UNORDERED}))
@pytest.mark.parametrize("frame", PERMUTED)
def test_where_the_order_of_classes_counts_it_is_that_of_the_rows_or_of_labels(key: str, frame: pd.DataFrame) -> None:
    metric = multiclass[key]
    assert metric.from_confusion(frame) == pytest.approx(metric.from_confusion(C.to_numpy()))
    crossed = frame.loc[["b", "c", "a"]]
    in_its_rows = C.loc[["b", "c", "a"], ["b", "c", "a"]].to_numpy()
    assert metric.from_confusion(crossed) == pytest.approx(metric.from_confusion(in_its_rows))
    assert metric.from_confusion(crossed, labels=NAMES) == pytest.approx(metric.from_confusion(C.to_numpy()))


@in_one_test
@pytest.mark.parametrize("key", UNORDERED)
def test_exact_values_go_by_name_too(key: str) -> None:
    crossed = C[["c", "a", "b"]].loc[["b", "c", "a"]]
    metric = multiclass[key]
    assert float(metric.exact(crossed)) == pytest.approx(float(metric.exact(C.to_numpy())))
    if metric.is_mean:
        phi = scores({"a": 1, "b": Fraction(1, 2), "c": 0})
        assert float(metric.exact(crossed, average=phi)) == pytest.approx(metric.from_confusion(C, average=phi))


def test_frames_by_name_and_by_place() -> None:
    # The reported case. Permuted columns were taken by place: recall 0 and a negative correlation, silently.
    frame = C[["c", "a", "b"]]
    assert metrics["recall"].from_confusion(frame, average="macro") > 0.8
    assert multiclass["mcc"].from_confusion(frame) > 0.7
    true = ["a"] * 9 + ["b"] * 9 + ["c"] * 10
    predicted = ["a"] * 8 + ["b"] + ["b"] * 7 + ["c"] * 2 + ["a"] + ["c"] * 9
    assert multiclass["mcc"].from_confusion(frame) == pytest.approx(sklearn.metrics.matthews_corrcoef(true, predicted))
    cross = pd.crosstab(pd.Series(true, name="true"), pd.Series(predicted, name="predicted"))
    assert metrics["recall"].from_confusion(cross[["b", "c", "a"]], average="macro") == pytest.approx(
        sklearn.metrics.recall_score(true, predicted, average="macro")
    )
    # Two classes.
    frame = pd.DataFrame([[5, 1], [2, 6]], index=["no", "yes"], columns=["no", "yes"])
    for other in (frame, frame[["yes", "no"]]):
        assert metrics["recall"].from_confusion(other) == 6 / 8
        assert metrics["recall"].from_confusion(other, positive=0) == 5 / 6
        assert Panel(["recall"]).from_confusion(other) == {"tpr": 6 / 8}
        assert Panel(["recall"]).from_confusion(other, positive=0) == {"tpr": 5 / 6}
    assert metrics["recall"].from_confusion(frame, labels=["yes", "no"]) == 5 / 6
    numbers = pd.DataFrame([[6, 2], [1, 5]], index=[1, 0], columns=[1, 0])
    message = refusal(lambda: metrics["recall"].from_confusion(numbers))
    assert "positive=1 is the index of a row, and the rows of C are 1, 0" in message
    assert refusal(lambda: Panel(["recall"]).from_confusion(numbers)) == message
    assert metrics["recall"].from_confusion(numbers, labels=[0, 1]) == 6 / 8
    assert metrics["recall"].from_confusion(numbers.loc[[0, 1]]) == 6 / 8
    assert "the rows of C are 1, 0" in refusal(
        lambda: metrics["recall"].from_confusion([[6, 2], [1, 5]], labels=[1, 0])
    )
    # Frames without names go by place.
    plain = pd.DataFrame(C.to_numpy())
    assert metrics["recall"].from_confusion(plain, average=None).tolist() == [8 / 9, 7 / 9, 9 / 10]
    phi = scores({"a": 1, "b": 0.5, "c": 0})
    assert metrics["recall"].from_confusion(plain, average=phi) == pytest.approx((8 / 9 + 0.5 * 7 / 9) / 1.5)
    assert metrics["recall"].from_confusion(plain, average=None, labels=NAMES).tolist() == [8 / 9, 7 / 9, 9 / 10]
    crossed = plain[[2, 0, 1]]
    assert metrics["recall"].from_confusion(crossed, average=None).tolist() == [8 / 9, 7 / 9, 9 / 10]
    # Several frames go by the rows of the first.
    stacked = metrics["recall"].from_confusion([C, C[["c", "a", "b"]].loc[["c", "b", "a"]]], average=None)
    assert stacked == pytest.approx(np.array([[8 / 9, 7 / 9, 9 / 10]] * 2))
    other = C.rename(index={"a": "z"}, columns={"a": "z"})
    assert "C[1] has the columns 'z', 'b', 'c'" in refusal(lambda: multiclass["cba"].from_confusion([C, other]))
    mixed = [C, C.to_numpy()]
    assert "C[1] has no names" in refusal(lambda: multiclass["cba"].from_confusion(mixed))


class WithoutIndex:
    """A frame as polars has it: named columns and rows without names."""

    columns = NAMES

    def __array__(self, dtype: object = None, copy: object = None) -> Any:
        return C.to_numpy()


UNFIT: list[tuple[Any, str]] = [
    (C.rename(columns={"c": "d"}), "C has the columns 'a', 'b', 'd' and the rows 'a', 'b', 'c'"),
    (C[["a", "b"]], "C has the columns 'a', 'b' and the rows 'a', 'b', 'c'"),
    (C.reset_index(drop=True), "C has the columns 'a', 'b', 'c' and the rows 0, 1, 2"),
    (pd.DataFrame(C.to_numpy(), index=list("aab"), columns=list("aab")), "each once"),
    (WithoutIndex(), "rows without names"),
]


@in_one_test
@pytest.mark.parametrize(("frame", "reason"), UNFIT)
def test_names_that_do_not_fit_are_refused(frame: Any, reason: str) -> None:
    for metric in OF_MATRICES:
        assert reason in refusal(lambda metric=metric: metric.from_confusion(frame, average="macro"))
    assert reason in refusal(lambda: multiclass["cba"].exact(frame))
    if hasattr(frame, "index"):
        assert ("stands twice" if reason == "each once" else reason) in refusal(lambda: prevalence(frame))


# -- scores ------------------------------------------------------------------------------------------------------------

TRUE = ["a", "a", "b", "b", "c", "c"]


def test_sums_and_other_names() -> None:
    # Labels that are not those of the frame.
    message = refusal(lambda: metrics["recall"].from_confusion(C, average="macro", labels=["x", "y", "z"]))
    assert "C has the rows 'a', 'b', 'c' and labels names 'x', 'y', 'z'" in message
    message = refusal(lambda: multiclass["cba"].from_confusion(C, average=scores({"x": 1, "y": 1, "z": 1})))
    assert "average weights for 'x', 'y', 'z'" in message
    # A row and a column of sums are no class.
    truth, guess = [*"aabbbcc"], [*"abbbacb"]
    table, with_sums = (pd.crosstab(np.array(truth), np.array(guess), margins=margins) for margins in (False, True))
    weighted = pd.crosstab(
        np.array(truth), np.array(guess), values=np.arange(7) / 10, aggfunc="sum", margins=True
    ).fillna(0)
    for metric, frame in itertools.product((metrics["recall"], multiclass["kappa"]), (with_sums, weighted)):
        assert "leave margins=True out of pd.crosstab" in refusal(
            lambda metric=metric, frame=frame: metric.from_confusion(frame, average="macro")
        )
        assert metric.from_confusion(with_sums.iloc[:-1, :-1], average="macro") == metric.from_confusion(
            table, average="macro"
        )
    assert "'All'" in refusal(lambda: multiclass["kappa"].from_confusion([with_sums, with_sums]))
    assert "'All'" in refusal(lambda: multiclass["kappa"].interval(with_sums))
    # A class may be called as sums are.
    named = pd.DataFrame(C.to_numpy(), index=["a", "b", "All"], columns=["a", "b", "All"])
    sums = pd.DataFrame([[1, 1], [1, 1]], index=["a", "Sum"], columns=["a", "Sum"])
    nothing = pd.DataFrame(np.zeros((2, 2)), index=["a", "All"], columns=["a", "All"])
    one_name = pd.DataFrame([[1, 1], [1, 1]], index=["a", "All"], columns=["All", "a"])
    for frame in (named, sums, nothing, one_name):
        found, expected = (metrics["recall"].from_confusion(x, average=None) for x in (frame, frame.to_numpy()))
        assert found.tolist() == pytest.approx(expected.tolist(), nan_ok=True)


SCORES = pd.DataFrame(
    [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1], [0.1, 0.3, 0.6], [0.4, 0.2, 0.4]],
    columns=NAMES,
)


@in_one_test
@pytest.mark.parametrize("order", list(itertools.permutations(NAMES)))
def test_columns_of_scores_go_by_name(order: tuple[str, ...]) -> None:
    frame = SCORES[list(order)]
    expected = sklearn.metrics.roc_auc_score(TRUE, SCORES.to_numpy(), multi_class="ovr")
    assert one_vs_rest_auc(TRUE, frame) == pytest.approx(expected)
    pairs = sklearn.metrics.roc_auc_score(TRUE, SCORES.to_numpy(), multi_class="ovo")
    assert hand_till(TRUE, frame) == hand_till(TRUE, frame, labels=order) == pytest.approx(pairs)
    assert list(one_vs_rest_curves(TRUE, frame, labels=["c", "b", "a"])) == ["c", "b", "a"]
    assert math.isclose(one_vs_rest_auc(TRUE, frame, labels=["c", "b", "a"]), expected)


def test_columns_of_scores_with_other_names() -> None:
    other = SCORES.rename(columns={"a": "p_a", "b": "p_b", "c": "p_c"})
    assert "pass an array" in refusal(lambda: hand_till(TRUE, other))
    assert hand_till(TRUE, other, labels=NAMES) == hand_till(TRUE, SCORES)
    half = SCORES.rename(columns={"c": "z"})
    assert "'a', 'b', 'z'" in refusal(lambda: hand_till(TRUE, half, labels=NAMES))
    assert hand_till(TRUE, pd.DataFrame(SCORES.to_numpy())) == hand_till(TRUE, SCORES)
