"""Counting labels: whatever they are and however they come, each pair is counted as a loop over them would."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from effort import examples, in_one_test
from hypothesis import given, settings
from hypothesis import strategies as st

import symmetrics as sm
from symmetrics.data import factorise
from symmetrics.data.factorise import factor_of_array, factor_of_objects
from symmetrics.data.labels import binary_cells, confusion_matrix, selected_confusion
from symmetrics.pages.displays import shown as displayed
from symmetrics.tools.errors import InputError


@pytest.fixture(autouse=True, params=[True, False], ids=["as if many", "few"], scope="module")
def many(request: pytest.FixtureRequest) -> Iterator[None]:
    """Look labels up in a table of words even where a dictionary serves so few of them better."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param:
            patch.setattr(factorise, "_FEW", 0)
        yield


TEXTS = ["a", "b", " b", "a longer text", "a longer texu", "ä", "𝔸" * 3]


def in_pandas(dtype: str) -> Callable[[list[Any]], Any]:
    return lambda labels: pd.Series(labels, dtype=dtype)


def in_polars(labels: list[Any], kind: str | None = None) -> Any:
    polars = pytest.importorskip("polars")
    series = polars.Series(labels)
    if kind == "enum":
        return series.cast(polars.Enum(sorted({*labels, "unused"})))
    return series if kind is None else series.cast(getattr(polars, kind))


def in_arrow(labels: list[Any]) -> Any:
    pyarrow = pytest.importorskip("pyarrow")
    half = len(labels) // 2
    return pyarrow.chunked_array([labels[:half], labels[half:]], type=pyarrow.string())


COLUMNS_OF_TEXTS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "fixed width": np.array,
    "objects": lambda labels: np.array(labels, dtype=object),
    "each an object of its own": lambda labels: np.array(["".join(list(label)) for label in labels], dtype=object),
    "every second of": lambda labels: np.repeat(np.array(labels), 2)[::2],
    "bytes order": lambda labels: np.array(labels).astype(np.array(labels).dtype.newbyteorder()),
    "numpy strings": lambda labels: np.array(labels, dtype=np.dtypes.StringDType()),
    "pandas": pd.Series,
    "pandas category": in_pandas("category"),
    "pandas string": in_pandas("string"),
    "index": pd.Index,
    "categorical": pd.Categorical,
    "polars": in_polars,
    "polars categorical": lambda labels: in_polars(labels, "Categorical"),
    "polars enum": lambda labels: in_polars(labels, "enum"),
    "arrow": in_arrow,
    "arrow dictionary": lambda labels: in_arrow(labels).dictionary_encode(),
}
NUMBERS: dict[str, Callable[[list[int]], Any]] = {
    **{kind: lambda labels, kind=kind: np.array(labels, dtype=kind) for kind in ("i1", "i2", "i4", "i8", "f4", "f8")},
    "wide": lambda labels: np.array(labels, dtype="i8") * 10**17,
    "objects": lambda labels: np.array([label * 10**30 for label in labels], dtype=object),
    "Int64": in_pandas("Int64"),
    "polars": in_polars,
    "fractions": lambda labels: [Fraction(label, 3) for label in labels],
    "tuples": lambda labels: [(label, "x") for label in labels],
}


def by_hand(true: Any, predicted: Any, weight: Any = None) -> dict[tuple[Hashable, Hashable], float]:
    counts: Counter[tuple[Hashable, Hashable]] = Counter()
    for one, other, number in zip(true, predicted, [1] * len(true) if weight is None else weight, strict=True):
        counts[one, other] += number
    return {pair: count for pair, count in counts.items() if count}


def as_counts(matrix: np.ndarray[Any, Any], labels: list[Hashable]) -> dict[tuple[Hashable, Hashable], float]:
    return {(labels[i], labels[j]): float(matrix[i, j]) for i, j in zip(*np.nonzero(matrix), strict=True)}


@pytest.mark.sampled(20)
@pytest.mark.parametrize("column", COLUMNS_OF_TEXTS)
@settings(max_examples=examples(30))
@given(pairs=st.lists(st.tuples(st.sampled_from(TEXTS), st.sampled_from(TEXTS)), min_size=1, max_size=30))
def test_texts_are_counted_in_every_column(column: str, pairs: list[tuple[str, str]]) -> None:
    true, predicted = (list(labels) for labels in zip(*pairs, strict=True))
    make = COLUMNS_OF_TEXTS[column]
    matrix, labels = confusion_matrix(make(true), make(predicted))
    assert as_counts(matrix, labels) == by_hand(true, predicted)
    assert labels == sorted({*true, *predicted})


@pytest.mark.sampled(15)
@pytest.mark.parametrize("column", NUMBERS)
@settings(max_examples=examples(30))
@given(pairs=st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20)), min_size=1, max_size=30))
def test_numbers_are_counted_in_every_column(column: str, pairs: list[tuple[int, int]]) -> None:
    make = NUMBERS[column]
    true, predicted = (make(list(labels)) for labels in zip(*pairs, strict=True))
    matrix, labels = confusion_matrix(true, predicted)
    assert as_counts(matrix, labels) == by_hand(list(true), list(predicted))
    assert labels == sorted({*true, *predicted})


@in_one_test
@pytest.mark.parametrize("other", ["u1", "i1", "u8", "f8", "O", "?"])
def test_columns_of_two_types_hold_the_same_labels(other: str) -> None:
    random = np.random.default_rng(0)
    true, predicted = random.integers(-1, 2, 100), random.integers(0, 2, 100)
    matrix, labels = confusion_matrix(true, predicted.astype(other))
    assert as_counts(matrix, labels) == by_hand(true.tolist(), predicted.tolist())


@in_one_test
@pytest.mark.parametrize("bounds", [(-(2**63), 2**63 - 1), (2**64 - 3, 2**64 - 1), (0, 2**64 - 1), (2**63 - 2, 2**63)])
def test_integers_at_the_ends_of_their_types(bounds: tuple[int, int]) -> None:
    kind = "u8" if bounds[1] >= 2**63 else "i8"
    true = np.array([bounds[0], bounds[1], bounds[1]], dtype=kind)
    matrix, labels = confusion_matrix(true, true[::-1])
    assert labels == list(bounds)
    assert matrix.tolist() == [[0, 1], [1, 1]]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("classes", [255, 257, 1024, 1025, 3000])
@pytest.mark.parametrize("kind", ["range", "wide", "floats", "texts", "objects"])
def test_many_classes(classes: int, kind: str) -> None:
    """More than a table of words takes, and more pairs than are counted in a matrix."""
    random = np.random.default_rng(classes)
    names: dict[str, Any] = {
        "range": np.arange(classes) - 7,
        "wide": random.permutation(classes) * 10**14,
        "floats": random.permutation(classes) / 7 - 3,
        "texts": np.array([f"{place}" for place in range(classes)]),
        "objects": np.array([f"{place}" for place in range(classes)], dtype=object),
    }
    true, predicted = names[kind][random.integers(0, classes, (2, 6000))]
    weight = random.integers(0, 3, 6000) / 2
    for weights in (None, weight):
        matrix, labels = confusion_matrix(true, predicted, sample_weight=weights)
        assert as_counts(matrix, labels) == by_hand(true.tolist(), predicted.tolist(), weights)
        assert labels == sorted({*true.tolist(), *predicted.tolist()})


@pytest.mark.thorough
def test_scores_in_the_place_of_labels_are_refused_at_once() -> None:
    scores = np.random.default_rng(0).random(200_000)
    with pytest.raises(InputError, match="apply a threshold"):
        binary_cells(np.arange(200_000) % 2, scores)
    with pytest.raises(InputError, match="too many"):
        confusion_matrix(np.arange(200_000) % 2, scores)
    matrix, _, _ = selected_confusion(np.arange(200_000) % 2, scores, labels=[0, 1], merged=True)
    assert matrix.sum() == 200_000


@in_one_test
@pytest.mark.parametrize(
    "column",
    [
        pd.Series(["a", None], dtype="category"),
        pd.Series(["a", None], dtype="string"),
        pd.Series([1, None], dtype="Int64"),
        pd.Series(["a", None]),
    ],
)
def test_missing_labels_of_columns_are_refused(column: Any) -> None:
    with pytest.raises(InputError, match=r"y_pred\[1\] is missing"):
        confusion_matrix(["a", "a"], column)


def test_missing_labels_of_other_frames_are_refused() -> None:
    for column in (in_polars(["a", None]), in_polars(["a", None], "Categorical")):
        with pytest.raises(InputError, match=r"y_true\[1\] is missing"):
            confusion_matrix(column, ["a", "a"])
    with pytest.raises(InputError, match=r"y_true\[1\] is missing"):
        confusion_matrix(in_arrow(["a", None]), ["a", "a"])


def test_words_are_compared_and_not_only_looked_up() -> None:
    """Values that come later land in places of the table that others have."""
    random = np.random.default_rng(1)
    early, late = random.integers(0, 2**62, 20), random.integers(0, 2**62, 900)
    column = np.concatenate([np.resize(early, 9000), late, late])
    factor = factor_of_array(column)
    assert [factor.labels[code] for code in factor.codes.tolist()] == column.tolist()
    objects = np.array([str(number) for number in column.tolist()], dtype=object)
    factor = factor_of_objects(objects)
    assert [factor.labels[code] for code in factor.codes.tolist()] == objects.tolist()


def test_which_labels_there_are() -> None:
    # Labels that no example has are not there.
    column = pd.Series(pd.Categorical(["b", "b"], categories=["c", "a", "b"]))
    assert confusion_matrix(column, column)[1] == ["b"]
    # An example of weight 0 has no label.
    assert confusion_matrix([0, 1, 2], [0, 1, 1], sample_weight=[1, 1, 0])[1] == [0, 1]
    # Labels that cannot be sorted stand as they appear.
    true, predicted = [3, "b", (1, 2), "a", 3] * 3, ["b", "z", 3, 1, "a"] * 3
    assert confusion_matrix(true, predicted)[1] == [3, "b", (1, 2), "a", "z", 1]
    assert confusion_matrix(np.array(true, dtype=object), predicted)[1] == [3, "b", (1, 2), "a", "z", 1]
    # What cannot be hashed is no label.
    with pytest.raises(InputError, match=r"y_pred\[2\] is \{\}, not one label"):
        confusion_matrix(["a", "b", "a"], ["a", "b", {}])


# -- counts that grow --------------------------------------------------------------------------------------------------

BATCHES = st.lists(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 4)), min_size=1, max_size=8),
    min_size=1,
    max_size=5,
)


def columns(rows: list[tuple[int, int, int]]) -> tuple[list[str], list[str], list[int]]:
    true, predicted, weight = zip(*rows, strict=True)
    return [f"c{one}" for one in true], [f"c{one}" for one in predicted], [1 + one for one in weight]


@settings(max_examples=examples(60))
@given(BATCHES)
def test_counts_of_batches_are_those_of_all_examples(batches: list[list[tuple[int, int, int]]]) -> None:
    streamed, parts = sm.ConfusionMatrix(), []
    for rows in batches:
        true, predicted, weight = columns(rows)
        streamed.update(true, predicted, sample_weight=weight)
        parts.append(sm.ConfusionMatrix.of(true, predicted, sample_weight=weight))
    true, predicted, weight = columns([row for rows in batches for row in rows])
    matrix, labels = confusion_matrix(true, predicted, sample_weight=weight)
    for counts in (streamed, sum(parts), sum(reversed(parts))):
        assert isinstance(counts, sm.ConfusionMatrix)
        assert counts.labels == labels
        assert counts.matrix.tolist() == matrix.tolist()
    assert streamed == sum(parts)
    assert streamed.total == sum(weight)


def test_adding_leaves_both_as_they_were() -> None:
    one, other = sm.ConfusionMatrix.of([0], [1]), sm.ConfusionMatrix.of([2], [0])
    both = one + other
    assert (one.labels, other.labels, both.labels) == ([0, 1], [0, 2], [0, 1, 2])
    one += other
    assert one == both
    assert both.matrix.tolist() == [[0, 1, 0], [0, 0, 0], [1, 0, 0]]
    assert one != other
    assert repr(both) == "<ConfusionMatrix of 2 examples, 3 classes: 0, 1, 2>"
    with pytest.raises(TypeError):
        both + 1
    with pytest.raises(TypeError):  # it changes
        hash(both)


def test_named_classes_are_all_there_are_and_in_their_order() -> None:
    counts = sm.ConfusionMatrix(["no", "yes"])
    counts.update(["yes"], ["yes"])
    assert counts.matrix.tolist() == [[0, 0], [0, 1]]
    with pytest.raises(InputError, match="label 'maybe' occurs and is not among labels='no', 'yes'; name it too"):
        counts.update(["yes", "yes"], ["yes", "maybe"])
    assert counts.total == 1
    with pytest.raises(InputError, match="name the same labels for both"):
        counts + sm.ConfusionMatrix()
    assert (counts + sm.ConfusionMatrix.of(["no"], ["yes"], labels=["no", "yes"])).matrix.tolist() == [[0, 1], [0, 1]]
    # Metrics take counts and match their classes by name.
    counts = sm.ConfusionMatrix.of(["b", "a", "b", "c"], ["b", "b", "a", "c"])
    recall = sm.metrics["recall"]
    assert recall.from_confusion(counts, average=None) == pytest.approx([0, 1 / 2, 1])
    assert recall.from_confusion(counts, average=None, labels=["c", "b", "a"]) == pytest.approx([1, 1 / 2, 0])
    phi = sm.relevance.scores({"b": 1, "a": 0.5, "c": 0})
    assert recall.from_confusion(counts, average=phi) == pytest.approx(1 / 3)
    assert sm.multiclass["mcc"].from_confusion(counts) == pytest.approx(
        sm.multiclass["mcc"](["b", "a", "b", "c"], ["b", "b", "a", "c"])
    )
    binary = sm.ConfusionMatrix.of([0, 1, 1], [0, 1, 0])
    assert recall.from_confusion(binary) == 0.5


def test_a_matrix_of_few_classes_is_a_table_in_a_notebook() -> None:
    shown = displayed(sm.ConfusionMatrix.of(["cat", "<i>"], ["cat", "cat"]))
    assert "<table>" in shown
    assert "true cat" in shown
    assert "predicted &lt;i&gt;" in shown
    assert "<i>" not in shown
    many = sm.ConfusionMatrix.of(range(31), range(31))
    assert "and 11 more classes" in displayed(many)
