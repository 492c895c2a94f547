"""Counts become float64 cells, or one line that says why not."""

from __future__ import annotations

import warnings
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sympy
from effort import in_one_test
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from shared import refusal
from sklearn.metrics import confusion_matrix, multilabel_confusion_matrix

import symmetrics as sm
from symmetrics.data.counts import Cells, as_cells, as_weights, cells_from_confusion, one_vs_rest, shown
from symmetrics.tools.errors import InputError

LARGE = 2**53
SPELLINGS: list[Any] = [
    [3, 0, 7],
    (3, 0, 7),
    [3.0, 0.0, 7.0],
    [3, 0.0, Fraction(7)],
    [Decimal(3), np.int8(0), sympy.Integer(7)],
    np.array([3, 0, 7], dtype=object),
    *(np.array([3, 0, 7], dtype=kind) for kind in ("i1", "u1", "i4", "u4", "i8", "u8", ">i4", "f2", "f4", "f8", ">f8")),
    np.array([[3, 9], [0, 9], [7, 9]])[:, 0],
    np.ma.MaskedArray([3, 0, 7], mask=[False, False, False]),
    pd.Series([3, 0, 7], index=[9, 8, 7]),
    pd.Series([3, 0, 7], dtype="Int64"),
    pd.Series([3, 0, 7], dtype=object),
]
REFUSED: list[tuple[Any, str, str]] = [
    (-1, "tp is -1:", "negative"),
    ([5, -1, -2], "tp[1] is -1:", "negative"),
    ([[5, 6], [7, -0.5]], "tp[1, 1] is -0.5:", "negative"),
    (np.array([1, -3], dtype=np.int8), "tp[1] is -3:", "negative"),
    (float("nan"), "tp is nan:", "missing"),
    ([1.0, np.nan, -1.0], "tp[1] is nan:", "missing"),
    (pd.Series([1, None]), "tp[1] is nan:", "missing"),
    (pd.Series([1, None], dtype="Int64"), "tp[1] is nan:", "missing"),
    (np.ma.MaskedArray([1, 2], mask=[False, True]), "tp[1] is masked:", "missing"),
    ([1, None], "tp[1] is None:", "a real number"),
    ([1, pd.NA], "tp[1] is <NA>:", "a real number"),
    (np.array([1, "2"], dtype=object), "tp[1] is '2':", "a real number"),
    (float("inf"), "tp is inf:", "infinite"),
    ([0, -np.inf], "tp[1] is -inf:", "negative"),
    (1 + 0j, "tp has the type complex128:", "a real number"),
    ("12", "tp has the type <U2:", "a real number"),
    (["1", "2"], "tp has the type <U1:", "a real number"),
    ([1, "a\nb"], "tp has the type", "a real number"),
    (np.timedelta64(3, "s"), "tp has the type timedelta64[s]:", "a real number"),
    (None, "tp is None:", "a real number"),
    ([[1, 2], [3]], "tp is not an array", "equal length"),
    (LARGE + 1, f"tp is {LARGE + 1},", "2**53"),
    ([0, LARGE + 1], f"tp[1] is {LARGE + 1},", "2**53"),
    ([0.5 * 4, LARGE + 1], f"tp[1] is {LARGE + 1},", "2**53"),
    ([2**63 + 1, 1], f"tp[0] is {2**63 + 1},", "2**53"),
    (np.array([1, 2**64 - 1], dtype=np.uint64), f"tp[1] is {2**64 - 1},", "2**53"),
    (3**60, f"tp is {3**60},", "2**53"),
    (10**400, "tp holds a count", "2**53"),
    (Decimal("sNaN"), "tp holds a count", "2**53"),
]


@in_one_test
@pytest.mark.parametrize("counts", SPELLINGS, ids=lambda counts: f"{type(counts).__name__}")
def test_equivalent_spellings_are_one_array(counts: Any) -> None:
    cells = as_cells(counts, 1, True, np.uint8(2))
    assert [cell.dtype for cell in cells] == [np.dtype(np.float64)] * 4
    assert [cell.tolist() for cell in cells] == [[3, 0, 7], [1, 1, 1], [1, 1, 1], [2, 2, 2]]


@in_one_test
@pytest.mark.parametrize(("count", "names", "reason"), REFUSED, ids=lambda value: str(value)[:30].replace("\n", " "))
def test_what_is_not_a_count_is_refused(count: Any, names: str, reason: str) -> None:
    message = refusal(lambda: as_cells(count, 1, 1, 1))
    assert message.startswith(names)
    assert reason in message


@pytest.mark.parametrize("position", range(4))
def test_the_error_names_the_cell(position: int) -> None:
    counts: list[Any] = [1, 1, 1, 1]
    counts[position] = [1, -1]
    assert refusal(lambda: as_cells(*counts)).startswith(f"{Cells._fields[position]}[1] is -1")


@in_one_test
@pytest.mark.parametrize("count", [10**15, LARGE, LARGE + 2, 2**62, float(2**60), 1e300, [2**63, 1], 10**22])
def test_large_counts_that_are_exact_are_accepted(count: Any) -> None:
    assert as_cells(count, 0, 0, 0).tp.ravel()[0] == np.ravel(count)[0]


def test_the_form_of_arrays_of_counts() -> None:
    # Scalars have no shape.
    assert [cell.shape for cell in as_cells(1, 2.0, np.int64(3), True)] == [()] * 4
    # Counts are cast before any arithmetic.
    cells = as_cells(*(np.array([60000], dtype=np.int32) for _ in range(4)))
    assert (cells.tp * cells.fn * cells.fp * cells.tn).item() == 60000**4
    # Negative zero becomes zero.
    assert not np.signbit(as_cells([-0.0, 1.0], 0, 0, 0).tp).any()
    # Broadcasting follows NumPy.
    cells = as_cells(np.ones((2, 1)), [1, 2, 3], 4, np.zeros((1, 1)))
    assert {cell.shape for cell in cells} == {(2, 3)}
    assert cells.fn.tolist() == [[1, 2, 3], [1, 2, 3]]
    # Empty arrays stay empty.
    assert as_cells([], 1, np.zeros((0,), dtype=int), 2).tn.shape == (0,)
    # Shapes that do not broadcast are named.
    message = refusal(lambda: as_cells([1, 2], [1, 2, 3], 1, 1))
    assert "tp (2,), fn (3,), fp (), tn ()" in message
    # Float64 arrays are not copied.
    counts = np.ones((3, 4))
    assert np.shares_memory(as_cells(counts, 0, 0, 0).tp, counts)
    # Counts may be weighted or expected ones or rates.
    assert as_cells(0.5, [1.5], 0.0, np.array(Fraction(1, 3))).tn[0] == 1 / 3
    assert as_cells([2, 0.5], 1e-300, Decimal("0.1"), 1).fp[0] == 0.1


counts_arrays = hnp.arrays(np.int64, hnp.array_shapes(max_dims=2, max_side=4), elements=st.integers(0, LARGE))


@given(counts_arrays)
def test_any_array_of_exact_counts_is_kept(counts: np.ndarray[Any, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cells = as_cells(counts, counts.astype(object), counts.tolist(), counts.astype(float))
    for cell in cells:
        assert cell.astype(np.int64).tolist() == counts.tolist()


@given(st.integers(0, 2**70))
def test_a_count_is_exact_or_refused(count: int) -> None:
    if int(float(count)) == count:
        assert int(as_cells(count, 0, 0, [count]).tn[0]) == count
    else:
        assert str(count)[:40] in refusal(lambda: as_cells(count, 0, 0, 0))
        assert str(count)[:40] in refusal(lambda: as_cells(0, [0.0, count], 0, 0))


@given(hnp.arrays(np.float64, 5, elements=st.floats(width=32) | st.integers(-2, 9).map(float)))
def test_the_first_offending_count_is_named(counts: np.ndarray[Any, Any]) -> None:
    wrong = [i for i, count in enumerate(counts) if not (count >= 0 and count < np.inf)]
    if wrong:
        assert refusal(lambda: as_cells(1, 1, 1, counts)).startswith(f"tn[{wrong[0]}] is ")
    else:
        assert (as_cells(1, 1, 1, counts).tn == counts).all()


def test_matrices_of_two_classes() -> None:
    # The positive class of a matrix.
    matrix = [[50, 3], [2, 10]]
    assert [int(cell) for cell in cells_from_confusion(matrix)] == [10, 2, 3, 50]
    assert [int(cell) for cell in cells_from_confusion(matrix, positive=np.int64(0))] == [50, 3, 2, 10]
    # Matrices keep their leading shape.
    matrices = np.arange(24).reshape(2, 3, 2, 2)
    cells = cells_from_confusion(matrices)
    assert {cell.shape for cell in cells} == {(2, 3)}
    assert cells.fp[1, 2] == matrices[1, 2, 0, 1]


@in_one_test
@pytest.mark.parametrize(
    ("matrix", "positive", "parts"),
    [
        (np.ones((3, 3)), 1, ("C has 3 classes", "macro")),
        (np.ones((2, 3)), 1, ("(2, 3)", "(..., k, k)")),
        ([1, 2], 1, ("(2,)",)),
        (4, 1, ("()",)),
        (np.ones((2, 2)), 2, ("positive=2", "0 or 1")),
        (np.ones((2, 2)), -1, ("positive=-1", "0 or 1")),
        (np.ones((2, 2)), "yes", ("positive='yes'", "0 or 1")),
        (np.ones((2, 2)), 1.0, ("positive=1.0", "0 or 1")),
        ([[1, 2], [-3, 4]], 1, ("C[1, 0] is -3", "negative")),
        ([[1, 2], [np.nan, 4]], 1, ("C[1, 0] is nan", "missing")),
        (np.zeros((0, 0)), 1, ("(0, 0)",)),
    ],
)
def test_what_is_not_a_2x2_matrix_is_refused(matrix: Any, positive: int, parts: tuple[str, ...]) -> None:
    message = refusal(lambda: cells_from_confusion(matrix, positive))
    assert all(part in message for part in parts)


@in_one_test
@pytest.mark.parametrize("matrix", [np.ones((2, 3)), np.zeros((4, 0, 0)), [1, 2], [[-1]], [["a"]], [[np.nan]]])
def test_one_vs_rest_refuses_the_same(matrix: Any) -> None:
    assert "C" in refusal(lambda: one_vs_rest(matrix))


def test_one_class_against_the_rest() -> None:
    # One class has no rest.
    assert [cell.tolist() for cell in one_vs_rest([[7]])] == [[7], [0], [0], [0]]
    # The rest of two classes is the other.
    matrix = [[50, 3], [2, 10]]
    for positive in (0, 1):
        expected = cells_from_confusion(matrix, positive)
        assert [cell[positive] for cell in one_vs_rest(matrix)] == [float(cell) for cell in expected]
    # One vs rest is exact at large counts.
    matrix = np.array([[10**15, 1, 0], [2, 0, 3], [10**15, 0, 5]])
    total = int(matrix.sum())
    for c, (tp, fn, fp, tn) in enumerate(zip(*one_vs_rest(matrix), strict=True)):
        row, column, hit = int(matrix[c].sum()), int(matrix[:, c].sum()), int(matrix[c, c])
        assert (tp, fn, fp, tn) == (hit, row - hit, column - hit, total - row - column + hit)
    # Empty cells of weighted matrices are exactly zero.
    matrix = np.array([[0.1, 0.7], [0.3, 0.0]])
    cells = one_vs_rest(matrix)
    assert cells.tn.tolist() == [0.0, 0.1]
    assert cells.tp.tolist() == [0.1, 0.0]


@given(
    hnp.arrays(
        np.int64,
        st.tuples(st.integers(0, 3), st.integers(1, 5)).map(lambda s: (s[0], s[1], s[1])),
        elements=st.integers(0, 10**6),
    )
)
def test_one_vs_rest_adds_up_class_by_class(matrices: np.ndarray[Any, Any]) -> None:
    cells = one_vs_rest(matrices)
    classes = matrices.shape[-1]
    assert {cell.shape for cell in cells} == {(len(matrices), classes)}
    for matrix, *rows in zip(matrices, *cells, strict=True):
        for c in range(classes):
            rest = [i for i in range(classes) if i != c]
            expected = (matrix[c, c], matrix[c, rest].sum(), matrix[rest, c].sum(), matrix[np.ix_(rest, rest)].sum())
            assert tuple(row[c] for row in rows) == expected


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.floats(0, 10)), min_size=1), st.booleans())
def test_one_vs_rest_agrees_with_scikit_learn(examples: list[tuple[int, int, float]], weighted: bool) -> None:
    true, predicted, weights = (list(column) for column in zip(*examples, strict=True))
    weight = weights if weighted and sum(weights) > 0 else None
    expected = multilabel_confusion_matrix(true, predicted, labels=range(5), sample_weight=weight)
    matrix = confusion_matrix(true, predicted, labels=range(5), sample_weight=weight)
    cells = one_vs_rest(matrix)
    for cell, (i, j) in zip(cells, [(1, 1), (1, 0), (0, 1), (0, 0)], strict=True):
        np.testing.assert_allclose(cell, expected[:, i, j], rtol=1e-12, atol=1e-12)
    assert all((cell >= 0).all() for cell in cells)


@in_one_test
@pytest.mark.parametrize(
    ("weights", "parts"),
    [
        ([1, -1], ("w[1] is -1.0", "not negative")),
        ([1, np.nan], ("w[1] is nan",)),
        ([np.inf, 1], ("w[0] is inf",)),
        ([0, 0], ("every weight of w is 0", "one row")),
        ([1, 2, 3], ("3 weights, not 2", "per row")),
        ([[1, 2]], ("not a list",)),
        (1.0, ("w=1.0",)),
        (["1", "2"], ("w holds the text '1'", "a weight is a number")),
        (np.array(["1", 2], dtype=object), ("w holds the text '1'", ".astype(float)")),
        ([1, object()], ("not a list",)),
        ([[1], [1, 2]], ("not a list",)),
    ],
)
def test_what_is_not_a_weight_is_refused(weights: Any, parts: tuple[str, ...]) -> None:
    message = refusal(lambda: as_weights(weights, 2, "w", "row"))
    assert all(part in message for part in parts)


class Broken:
    """An object that cannot be read: whatever it is asked, it raises."""

    def __array__(self, *_args, **_kwargs):
        raise RuntimeError

    def __len__(self):
        raise OSError

    def __iter__(self):
        raise KeyError


class BrokenSequence:
    def __len__(self):
        raise OSError

    def __iter__(self):
        raise KeyError


@pytest.mark.parametrize("broken", [Broken(), BrokenSequence()])
def test_what_cannot_be_read_is_refused(broken):
    f1, cba = sm.metrics["f1"], sm.multiclass["cba"]
    for read in (
        lambda: f1.from_counts(broken, 1, 1, 1),
        lambda: f1.from_confusion(broken),
        lambda: cba.from_confusion(broken),
        lambda: f1(broken, [1]),
        lambda: f1([1], broken),
        lambda: f1([1], [1], sample_weight=broken),
        lambda: sm.auc([0, 1], broken),
        lambda: sm.roc_curve(broken, [0.5, 1]),
        lambda: sm.roc_curve([0, 1], broken),
    ):
        with pytest.raises(InputError):
            read()


def test_values_are_shown_on_one_line() -> None:
    assert shown(np.float64(0.5)) == "0.5"
    assert "\n" not in shown(np.eye(3))
    assert len(shown("x" * 100)) == 60
    # Counts that broadcast beyond the memory are refused.
    long = np.ones(10**7)
    with pytest.raises(InputError, match=r"100,000,000,000,000 tables, which take 745,058 GiB"):
        sm.metrics["f1"].from_counts(long[:, None], long, 1, 1)
