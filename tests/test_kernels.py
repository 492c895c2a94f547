"""Every way to a value gives the same: NumPy, numba, a table at a time, many metrics together, and exact numbers."""

from __future__ import annotations

import itertools
import math
import pickle
import sys
import tracemalloc
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from effort import in_one_test, is_thorough, some
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sympy import Expr, Max, Min, Rational, S, lambdify, sqrt

import symmetrics as sm
from symmetrics.language.cells import CELLS, FN, FP, TN, TP
from symmetrics.numeric import native
from symmetrics.numeric.compiled import evaluate
from symmetrics.numeric.plans import plan_of
from symmetrics.numeric.special import special_values
from symmetrics.numeric.terms import pairs, two_products
from symmetrics.numeric.trust import known_limits
from symmetrics.repository.building import defined_metrics
from symmetrics.tools.errors import InputError, UnknownNameError

NAMES = sorted(sm.metrics)
HOSTILE = (1.0, 3.0, 41.0, 1 / 3, 1e15, 1e15 + 2, 1e-300, 1e300, 5e-324, 2.0**-60, 1e20, 1e-20)


def tables(seed: int, size: int = 3) -> np.ndarray[Any, Any]:
    """Return tables on all faces, of small counts, and ties, at which much cancels."""
    random = np.random.default_rng(seed)
    rows = [
        [0 if face >> place & 1 else int(random.integers(1, 60)) for place in range(4)]
        for face in range(16)
        for _ in range(size)
    ]
    for a, b in random.integers(1, 10**4, (size, 2)).tolist():
        rows += [[a, a, b, b], [a, b, b, a], [a, b, a, b], [a * b, a, b, 1], [a * b + 1, a, b, 1]]
    return np.array(rows, dtype=np.float64)


def assert_near(found: float, wanted: float, what: object) -> None:
    same = found == wanted or (math.isnan(found) and math.isnan(wanted))
    near = math.isfinite(wanted) and abs(found - wanted) <= 1e-12 * max(1.0, abs(wanted))
    assert same or near, (what, found, wanted)


def compiled_anew(name: str) -> sm.Metric:
    """Return a metric of the library from its definition, of whose limits none is known yet."""
    known_limits.cache_clear()
    special_values.cache_clear()
    return next(metric for _, metric in defined_metrics() if metric.name == name)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
def test_arrays_single_tables_and_exact_numbers_agree_on_all_faces(name: str) -> None:
    metric, rows = compiled_anew(name), tables(NAMES.index(name), 3 if is_thorough() else 1)
    found = metric.from_counts(rows)
    np.testing.assert_array_equal(metric.from_counts(rows), found, "limits that are known by now")
    np.testing.assert_array_equal(sm.metrics[name].from_counts(rows), found, "what is shipped")
    for row, value in zip(rows.tolist(), found.tolist(), strict=True):
        assert_near(value, float(metric.exact(*map(int, row)).evalf(30)), row)
        assert_near(metric.from_counts(*map(int, row)), value, row)
        assert_near(metric.from_counts(*row), value, row)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", NAMES)
def test_hostile_counts_against_a_thousand_digits(name: str) -> None:
    """Another library, the formula as it is shown, and more digits than can cancel."""
    metric = sm.metrics[name]
    random = np.random.default_rng(NAMES.index(name))
    rows = random.choice(HOSTILE, (40, 4))
    values = metric.from_counts(*rows.T)
    formula = lambdify(CELLS, metric.at_defaults(), "mpmath")
    with mpmath.workdps(1400):
        for row, value in zip(rows.tolist(), values.tolist(), strict=True):
            try:
                wanted = formula(*map(mpmath.mpf, row))
            except ZeroDivisionError:
                continue
            if not mpmath.isfinite(wanted) or isinstance(wanted, mpmath.mpc):
                continue
            if abs(wanted) > 1.7e308:
                assert math.isinf(value), row
            else:
                assert abs(mpmath.mpf(value) - wanted) <= mpmath.mpf(10) ** -12 * max(1, abs(wanted)), (row, value)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", NAMES)
def test_limits_where_a_cell_is_zero_among_hostile_counts(name: str) -> None:
    """The exact limits, by another library's digits: SymPy keeps a hundred, and more than these may cancel."""
    metric, random = sm.metrics[name], np.random.default_rng(NAMES.index(name))
    rows = random.choice((*HOSTILE, 1e-136), (20, 4))
    rows[np.arange(20), random.integers(0, 4, 20)] = 0
    with mpmath.workdps(1400):
        for row, value in zip(rows.tolist(), metric.from_counts(*rows.T).tolist(), strict=True):
            exact = metric.exact(*map(Fraction, row))
            wanted = lambdify((), exact, "mpmath")() if exact.is_finite else None
            if wanted is not None and abs(wanted) < 1e308:
                assert abs(mpmath.mpf(value) - wanted) <= mpmath.mpf(10) ** -12 * max(1, abs(wanted)), (row, value)


def test_limits_that_are_hard_to_reach() -> None:
    # A limit that some tables of a face lack is not put in place for all. At TP = FP = 0 the limit is 0, but where FN
    # = TN there is none.
    mine = sm.Metric("mine", TP**2 / ((TP + FP) * (FN - TN)))
    rows = np.array([[0, 1, 0, 2], [0, 3, 0, 3], [0, 5, 0, 2], [0, 7, 0, 7]])
    for _ in range(2):
        np.testing.assert_array_equal(mine.from_counts(rows), [0, np.nan, 0, np.nan])
    # A limit is right where 136 digits cancel. The information that the prediction has of the class, over the entropy
    # of the class.
    tp = 6.59823762e-136

    def entropy(*counts: mpmath.mpf) -> mpmath.mpf:
        return -sum(count / sum(counts) * mpmath.log(count / sum(counts)) for count in counts)

    with mpmath.workdps(400):
        a = mpmath.mpf(tp)
        wanted = float((entropy(a, 2) + entropy(1 + a, 1) - entropy(a, 1, 1)) / entropy(a, 2))
    assert sm.metrics["relative_classifier_information"].from_counts(tp, 0, 1, 1) == pytest.approx(wanted, rel=1e-12)


@pytest.fixture
def compiled_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let numba compile for every array, into a folder of its own."""
    pytest.importorskip("numba")
    monkeypatch.setenv("SYMMETRICS_NATIVE", "1")
    monkeypatch.setenv("SYMMETRICS_CACHE", str(tmp_path))
    monkeypatch.setattr(native, "LEAST", 1)
    monkeypatch.setattr(native, "THREADED", 2)
    forget_kernels()
    yield
    forget_kernels()


def forget_kernels() -> None:
    native._folder.cache_clear()
    native._native_kernel.cache_clear()
    for module in [module for module in sys.modules if module.startswith("symmetrics_kernel_")]:
        del sys.modules[module]


WITHOUT_LOGARITHMS = [name for name in NAMES if not sm.metrics[name].expr.has(sm.parse_formula("log(TP)"))]


@pytest.mark.parametrize("name", WITHOUT_LOGARITHMS if is_thorough() else ["gmean"])  # a limit where it is shown as 0/0
def test_compiled_loops_agree_with_numpy(
    name: str, compiled_at_once: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    metric = compiled_anew(name)
    random = np.random.default_rng(5)
    many = np.floor(10 ** random.uniform(0, 6, (2 * native.CHUNK, 4)))
    # Chunks that need no closer look are before one that does, after it, and again.
    rows = np.concatenate([many, tables(7), random.choice(HOSTILE, (50, 4)), many, tables(3), many[::-1]])
    cells = [np.ascontiguousarray(column) for column in rows.T]
    found = metric.from_counts(*cells)
    np.testing.assert_array_equal(metric.from_counts(*cells), found, "limits that are known by now")
    if native._is_worth(plan_of(metric.value_formula)):  # type: ignore[arg-type]
        assert list(tmp_path.glob("symmetrics/kernels/*.py"))
    monkeypatch.setenv("SYMMETRICS_NATIVE", "0")
    wanted = metric.from_counts(*cells)
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)
    monkeypatch.setenv("SYMMETRICS_NATIVE", "1")
    for place in (3, 3 * native.CHUNK):
        negative = cells[2].copy()
        negative[place] = -1
        with pytest.raises(InputError, match=rf"fp\[{place}\] is -1"):
            metric.from_counts(cells[0], cells[1], negative, cells[3])


@pytest.fixture
def numpy_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let NumPy compute arrays."""
    monkeypatch.setenv("SYMMETRICS_NATIVE", "0")


@pytest.mark.parametrize("scale", [1.0, 1 / 3], ids=["whole", "fractions"])
@pytest.mark.parametrize("name", ["precision", "mcc", "determinant", "sebag_schoenauer"])
def test_one_cell_among_thousands_that_is_no_count_is_named(name: str, scale: float, numpy_alone: None) -> None:
    cells = np.random.default_rng(3).integers(1, 2**20, (4, 5000)) * scale
    for place, wrong in itertools.product(range(4), (math.nan, -math.nan, math.inf, -math.inf, -1.0, -5e-324)):
        given = cells.copy()
        given[place, 4321] = wrong
        with pytest.raises(InputError, match=rf"{('tp', 'fn', 'fp', 'tn')[place]}\[4321\] is "):
            sm.metrics[name].from_counts(*given)


@pytest.mark.parametrize(
    "expression",
    [TP / FP, TP / (FN + FP), TP / (FN - FP), TP / (FP * TN), TP / (TP + FN), Max(TP, FN) / FP, TP / FP - FN],
)
def test_no_quotient_hides_what_is_no_count(expression: Expr, numpy_alone: None) -> None:
    cells = np.random.default_rng(3).integers(1, 2**20, (4, 300)) * 1.0
    for place, wrong in itertools.product(range(4), (math.nan, -math.nan, math.inf, -math.inf, -1.0, -5e-324)):
        for others in (
            (3, 1, 2, 4),
            (0, 0, 0, 0),
            (7, 7, 7, 7),
            (1e308,) * 4,
        ):  # differences, poles, and next to nothing
            given = cells.copy()
            given[:, 123] = others
            given[place, 123] = wrong
            with pytest.raises(InputError, match=rf"{('tp', 'fn', 'fp', 'tn')[place]}\[123\] is "):
                evaluate(expression, list(given))
    with pytest.raises(InputError, match=r"tp\[0\] is -1"):
        evaluate(expression, [np.full(300, count) for count in (-1.0, 1.0, 2.0, 4.0)])


def test_one_cell_among_thousands_may_have_any_size(numpy_alone: None) -> None:
    precision = sm.metrics.precision
    cells = np.random.default_rng(3).integers(1, 2**20, (4, 5000)).astype(float)
    others = np.delete(precision.from_counts(*cells), 4321)
    for place, size in itertools.product(range(4), (2.0**240, 2.0**241, 1e300, sys.float_info.max, 5e-324, 0.0, -0.0)):
        given = cells.copy()
        given[place, 4321] = size
        found = precision.from_counts(*given)
        assert_near(found[4321], float(precision.exact(*map(Fraction, given[:, 4321]))), (place, size))
        np.testing.assert_array_equal(np.delete(found, 4321), others)


@in_one_test
@pytest.mark.parametrize("digits", [20, 26, 27, 53])
@pytest.mark.parametrize("scale", [1.0, 2.0**-60, 2.0**450])
def test_the_determinant_of_numbers_of_few_digits_and_of_many(digits: int, scale: float) -> None:
    """Products of 26 digits each are exact; of more they are not, and where they cancel digits have to be found."""
    random = np.random.default_rng(digits)
    a, b = random.integers(2 ** (digits - 1) + 4, 2**digits - 4, (2, 300)) | 1
    rows = np.array([a, a - 2, b + 4, b]).T * scale  # a b - (a - 2) (b + 4) = 2 b - 4 a + 8
    found = evaluate(TP * TN - FN * FP, list(np.ascontiguousarray(rows.T)))
    for row, value in zip(rows.tolist(), found.tolist(), strict=True):
        tp, fn, fp, tn = map(Fraction, row)
        assert_near(value, float(tp * tn - fn * fp), row)


def test_differences_of_few_digits() -> None:
    # Other differences of products of few digits are looked at.
    for expression in (TP * TN * FN - FP**2, TP * TN - (FN + 1) * FP, TP * TP - FN * FP, TP * TN / FP - FN):
        (output,) = plan_of(expression).outputs  # type: ignore[union-attr]
        assert output.companion is not None, expression
        assert not output.is_right_of_short, expression
    cells = np.full((4, 300), 5.0)
    cells[3, 7] = math.nan
    with pytest.raises(InputError, match=r"tn\[7\] is nan"):
        evaluate(TP * TP - FN * FP, list(cells))
    # A value that overflows is infinite and one that vanishes is zero among numbers of few digits.
    cells = np.ones((4, 5000))
    cells[:, 7] = 2.0**600, 1, 1, 2.0**600
    cells[:, 8] = 2.0**600, 2.0**600, 2.0**600, 2.0**600
    cells[:, 9] = 2.0**-600, 0, 3, 2.0**-600
    found = evaluate(TP * TN - FN * FP, list(cells))
    assert found[6:10].tolist() == [0, math.inf, 0, 0]


@pytest.mark.thorough  # random tables seldom show it: that an end is kept is seen below
@given(hnp.arrays(np.float64, (6, 4), elements=st.integers(0, 40).map(float) | st.floats(0, 1e6) | st.just(0.0)))
def test_no_value_leaves_its_range(rows: np.ndarray[Any, Any]) -> None:
    for name in some([name for name in NAMES if sm.metrics[name].range is not None], 1, str(rows.sum())):
        metric = sm.metrics[name]
        low, high = float(metric.range.start), float(metric.range.end)  # type: ignore[union-attr]
        values = metric.from_counts(rows)
        defined = values[~np.isnan(values)]
        assert ((defined >= low) & (defined <= high)).all(), name
        one = metric.from_counts(*rows[0].tolist())
        assert math.isnan(one) or low <= one <= high


@in_one_test
@pytest.mark.parametrize(
    ("name", "table", "end"),
    [
        ("cole_contingency", (31, 0, 0, 4), 1),
        ("modified_confusion_entropy", (0, 3, 3, 0), 1),
        ("quadratic_class_accuracy", (38, 0, 0, 4), 1),
        ("similarity_index", (0, 29, 35, 0), 0),
        ("symmetric_extreme_dependency_score", (31, 0, 0, 4), 1),
    ],
)
def test_what_rounding_puts_beyond_an_end_is_put_on_it(name: str, table: tuple[int, ...], end: int) -> None:
    """As computed in floating point each of these is a last digit or two outside of its range."""
    metric = sm.metrics[name]
    assert metric.from_counts(np.array([table, (3, 1, 2, 4)]))[0] == end
    assert metric.from_counts(*table) == end


@given(
    st.sampled_from(
        [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.bool_, np.float32]
    ),
    st.lists(st.tuples(*[st.integers(0, 127)] * 4), min_size=1, max_size=8),
)
def test_every_width_of_integers_gives_the_same(kind: Any, rows: list[tuple[int, ...]]) -> None:
    counts = np.array(rows) % 2 if kind is np.bool_ else np.array(rows)
    for name in ("mcc", "f1", "kappa"):
        wanted = sm.metrics[name].from_counts(*counts.T.astype(np.float64))
        np.testing.assert_array_equal(sm.metrics[name].from_counts(*counts.T.astype(kind)), wanted)
        np.testing.assert_array_equal(sm.metrics[name].from_counts(counts.astype(kind)), wanted)


def test_one_argument_may_hold_all_four() -> None:
    f1 = sm.metrics["f1"]
    rows = [[8, 2, 1, 9], [1, 0, 3, 4]]
    wanted = f1.from_counts([8, 1], [2, 0], [1, 3], [9, 4]).tolist()
    matrices = [[[tn, fp], [fn, tp]] for tp, fn, fp, tn in rows]
    named = np.array([tuple(row) for row in rows], dtype=[(name, np.int32) for name in ("tp", "fn", "fp", "tn")])
    frame = pd.DataFrame(named)[["tn", "tp", "fp", "fn"]].rename(columns=str.upper)
    for given_as in (rows, np.array(rows), matrices, np.array(matrices), named, frame):
        assert np.asarray(f1.from_counts(given_as)).tolist() == wanted
    assert f1.from_counts([8, 2, 1, 9]) == f1.from_counts([[9, 1], [2, 8]]) == wanted[0]
    for row in (frame.iloc[0], dict(frame.iloc[0]), named[0], pd.Series(rows[0])):
        assert f1.from_counts(row) == sm.Panel(["f1"]).from_counts(row)["f1"] == wanted[0]
    assert f1.from_confusion(matrices).tolist() == wanted


@in_one_test
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((1, 2), "fp is missing"),
        (([1, 2, 3],), r"shape \(3,\)"),
        ((pd.DataFrame({"tp": [1], "fn": [1], "fp": [1]}),), "no tn"),
        ((pd.Series({"tp": 1, "fn": 1, "fp": 1, "n": 1}),), "no tn"),
        (({"tp": 1, "fn": 1, "fp": 1},), "no tn"),
        ((scipy.sparse.csr_matrix([[1, 2]]), 1, 1, 1), "tp is a sparse array"),
        ((np.ma.MaskedArray([1, 2], mask=[0, 1]), 1, 1, 1), r"tp\[1\] is masked"),
        ((-1, 1, 1, 1), "tp is -1"),
        ((1, math.nan, 1, 1), "fn is nan"),
        ((1, 1, math.inf, 1), "fp is inf"),
        ((1, 1, 1, 2**53 + 1), "float64 cannot hold"),
        ((np.ones((2, 3)), -1, 1, 1), "fn is -1:"),
        ((1, [1, -2.5], 1, 1), r"fn\[1\] is -2.5"),
        (([1, 2], [1, 2, 3], 1, 1), "broadcast"),
        (("a", 1, 1, 1), "tp"),
        ((1, 1, 1, math.inf), "tn"),
        ((np.ones(3), np.array([1, 1, -2], dtype=np.int8), 1, 1), r"fn\[2\] is -2"),
    ],
)
def test_what_is_no_table_is_refused_in_one_line(arguments: tuple[Any, ...], words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        sm.metrics["mcc"].from_counts(*arguments)
    assert "\n" not in str(caught.value)


def test_values_go_where_they_are_wanted() -> None:
    out = np.empty((2, 3))
    mcc = sm.metrics["mcc"]
    assert mcc.from_counts(np.ones((2, 1)), [1, 2, 3], 1, 4, out=out) is out
    assert (out == mcc.from_counts(np.ones((2, 1)), [1, 2, 3], 1, 4)).all()
    for wrong in (np.empty(3), np.empty((2, 3), dtype=np.float32), np.empty((3, 2)).T, [0.0]):
        with pytest.raises(InputError, match="out"):
            mcc.from_counts(np.ones((2, 1)), [1, 2, 3], 1, 4, out=wrong)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("shift", [0, 1])
@pytest.mark.parametrize("size", [5, 3000])
def test_values_may_go_where_the_counts_were(size: int, shift: int) -> None:
    """What is written is not read as a count of the tables that follow, nor by the metrics that follow."""
    tables = np.random.default_rng(7).integers(0, 50, (4, size)).astype(float)
    for name in ("mcc", "yule_q", "mutual_information"):
        memory = np.append(tables[0], 0.0)
        sm.metrics[name].from_counts(memory[:size], *tables[1:], out=memory[shift : size + shift])
        np.testing.assert_array_equal(memory[shift : size + shift], sm.metrics[name].from_counts(*tables))
    panel, memory = sm.Panel(["f1", "mcc"]), np.append(tables[0], 0.0)
    expected = panel.from_counts(*tables)
    out = {"f1": memory[shift : size + shift], "mcc": np.empty(size)}
    panel.from_counts(memory[:size], *tables[1:], out=out)
    for name in panel:
        np.testing.assert_array_equal(out[name], expected[name])
    with pytest.raises(InputError, match="two arrays of out have memory in common"):
        panel.from_counts(*tables, out={"f1": memory[:size], "mcc": memory[1:]})


@pytest.mark.thorough
@pytest.mark.parametrize("kind", [np.float64, np.int64, np.uint8])
def test_memory_is_that_of_the_values_and_a_few_blocks(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYMMETRICS_NATIVE", "0")
    cells = [np.arange(2_000_000).astype(kind) % 100 for _ in range(4)]
    sm.metrics["mcc"].from_counts(cells[0][:9], 1.0, 1, 1)
    tracemalloc.start()
    sm.metrics["mcc"].from_counts(*cells)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000 * 8 + 32 * 2**20


@pytest.mark.parametrize(
    "text",
    [
        "sqrt(FP + FN - TN)*sqrt(FN - TN)",
        "Max(TP + TN - Max(FN - FP, 0), sqrt(FP + FN - TN)*sqrt(FN - TN))",
        "sqrt(FN - TN)*sqrt(FP - TN)/(TP + FN + FP + TN)",
    ],
)
def test_a_product_of_roots_of_negative_numbers_is_no_value(text: str) -> None:
    """Though it is real in complex arithmetic, and the product of the roots of absolute values is a number."""
    metric = sm.Metric("mine", sm.parse_formula(text))
    assert np.isnan(metric.from_counts(0, 1, 1, 3))
    assert np.isnan(metric.from_counts(*np.array([[0.0, 1, 1, 3], [1, 2, 2, 6]]).T)).all()
    assert metric.exact(0, 1, 1, 3) is S.NaN
    assert metric.from_counts(1, 5, 6, 2) == pytest.approx(float(metric.exact(1, 5, 6, 2)))


# -- panels -----------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_panel_of_many_agrees_with_each_metric() -> None:
    rows, names = tables(11, 2), list(some(NAMES, 20, "panel"))
    found = sm.Panel(names if len(names) < len(NAMES) else "all").from_counts(rows)
    assert list(found) == names
    for name in names:
        np.testing.assert_allclose(
            found[name], sm.metrics[name].from_counts(rows), rtol=1e-12, atol=1e-12, err_msg=name
        )


def test_what_a_panel_gives_and_refuses() -> None:
    # Kinds of results of a panel.
    mine = sm.Metric("mine", TP / (TP + 2 * FP))
    panel = sm.Panel(["recall", mine, "mcc"])
    assert list(panel) == ["tpr", "mine", "mcc"]
    assert panel["mine"] is mine
    one = panel.from_counts(0, 0, 1, 9, zero_division=0.5)
    assert one == {
        "tpr": 0.5,
        "mine": 0.0,
        "mcc": pytest.approx(sm.metrics["mcc"].from_counts(0, 0, 1, 9, zero_division=0.5)),
    }
    grid = panel.from_counts(np.ones((2, 1)), [1, 2, 3], 1, 4)
    assert {values.shape for values in grid.values()} == {(2, 3)}
    table = panel.from_counts(np.ones((2, 1)), [1, 2, 3], 1, 4, kind="structured")
    assert table.dtype.names == ("tpr", "mine", "mcc")
    assert (table["mcc"] == grid["mcc"]).all()
    frame = panel.from_counts([1, 2], 1, 1, 4, kind="frame")
    assert frame.shape == (2, 3)
    assert frame["tpr"].tolist() == [1 / 2, 2 / 3]
    assert panel.from_confusion([[4, 1], [1, 2]]) == panel.from_counts(2, 1, 1, 4)
    assert panel([1, 1, 0], [1, 0, 0]) == panel.from_counts(1, 1, 0, 1)
    out = {name: np.empty(2) for name in panel}
    assert panel.from_counts([1, 2], 1, 1, 4, out=out)["mcc"].tolist() == out["mcc"].tolist() == frame["mcc"].tolist()
    # What a panel refuses.
    with pytest.raises(UnknownNameError):
        sm.Panel(["mcc", "mccc"])
    with pytest.raises(InputError, match="tpr is listed twice"):
        sm.Panel(["recall", "sensitivity"])
    with pytest.raises(InputError, match="kind='list'"):
        sm.Panel(["f1"]).from_counts(1, 1, 1, 1, kind="list")
    with pytest.raises(InputError, match="out has arrays for mcc"):
        sm.Panel(["f1"]).from_counts(1, 1, 1, 1, out={"mcc": np.empty(())})


# -- what plans rest on -----------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 3), min_size=10, max_size=10))
def test_two_products_are_the_form_that_they_came_from(form: list[int]) -> None:
    found = two_products(tuple(form))
    if found is None:
        return
    total = dict.fromkeys(pairs(), 0)
    for times, left, right in found.products:
        for i, j in itertools.product(left, right):
            total[min(i, j), max(i, j)] += times
    assert list(total.values()) == form


@given(hnp.arrays(np.float64, (4, 30 if is_thorough() else 8), elements=st.integers(1, 10**9).map(float)))
def test_differences_lose_no_digits_however_much_cancels(cells: np.ndarray[Any, Any]) -> None:
    near = np.stack([cells[0], cells[1], cells[0] + 1, cells[1] + 1])
    for formula in (TP * TN - FN * FP, TP / FN - FP / TN, (TP - FP) / (FN - TN + 1), 1 / TP - 1 / FP):
        for row, value in zip(near.T.tolist(), evaluate(formula, near).tolist(), strict=True):
            exact = formula.xreplace(dict(zip(CELLS, map(Rational, map(int, row)), strict=True)))
            if exact.is_finite:
                assert abs(Rational(value) - exact) <= Rational(1, 10**12) * max(1, abs(exact)), (formula, row)
            else:
                assert math.isnan(value) or math.isinf(value)


@pytest.mark.parametrize(
    ("expression", "row", "wanted"),
    [
        (Min((FN - FP) * sqrt(TP + 1), FN / FP), (1e300, 1e300, 1e6, 1e-320), 1e294),
        (Max((FN - FP) * sqrt(TP + 1), FN / FP), (1e300, 1e6, 1e300, 1e-320), 1e-294),
    ],
)
def test_a_side_beyond_float64_that_does_not_count_makes_no_value_infinite(
    expression: Any, row: tuple[float, ...], wanted: float
) -> None:
    found = float(evaluate(expression, np.array(row).reshape(4, 1))[0])
    assert found == pytest.approx(wanted, rel=1e-12)


def test_a_metric_is_pickled_and_its_wrong_range_kept() -> None:
    # A wrong range is not made right.
    metric = sm.Metric("mine", TP / (TP + FN), range=sm.metrics["mcc"].range and sm.metrics["tpr"].range)
    doubled = sm.Metric("mine", 2 * TP / (TP + FN), range=metric.range)
    assert doubled.from_counts(3, 1, 0, 0) == 1.5
    assert doubled.from_counts([3, 3], 1, 0, 0).tolist() == [1.5, 1.5]
    # A metric is pickled after its use.
    metric = sm.metrics["mcc"]
    assert metric.from_counts(7, 2, 1, 9) == metric.from_counts([7], 2, 1, 9)[0]
    again = pickle.loads(pickle.dumps(metric))
    assert again == metric
    assert again.from_counts(7, 2, 1, 9) == metric.from_counts(7, 2, 1, 9)


@in_one_test
@pytest.mark.parametrize("name", ["mcc", "kappa", "gmean", "sokal_sneath_4", "mean_square_contingency"])
def test_counts_so_small_that_products_lose_digits_or_so_large_that_they_overflow(name: str) -> None:
    rows = np.array([[10, 20, 30, 40], [7, 1, 2, 90], [0, 3, 5, 7]], dtype=np.float64)
    wanted = sm.metrics[name].from_counts(rows)
    for power in (*range(-1000, -200, 11), *range(200, 900, 37)):
        np.testing.assert_allclose(
            sm.metrics[name].from_counts(rows * 2.0**power), wanted, rtol=1e-12, err_msg=str(power)
        )


SMALL = (5e-324, 3e-310, 1e-300, 1e-160, 2.0**-53, 1e-8, 1 / 3, 1.0, 4.0, 41.0)
OF_SMALL = {
    "a product less a product": TP * TN - FN * FP,
    "products of three": TP * FN * TN / 3 - FP**2 * TN + 7,
    "a sum less a number, below a sum": (FN + FP) / (FN + FP + TP - 1),
    "differences over differences": (TP - FN + 2) / (TN - 3 * FP + 5),
    "a difference over a cell": (TP - FP) / TP,
    "a cell over a cell": TP / FP,
}


@pytest.mark.sampled(8)
@pytest.mark.parametrize("native", ["0", "1"])
@pytest.mark.parametrize("expression", OF_SMALL.values(), ids=OF_SMALL)
def test_cells_may_be_small_where_nothing_is_divided_by_what_underflows(
    expression: Any, native: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if native == "1":
        pytest.importorskip("numba")
    monkeypatch.setenv("SYMMETRICS_NATIVE", native)
    assert plan_of(expression).takes_small
    cells = np.random.default_rng(5).choice(SMALL, (4, 2000 if is_thorough() else 500))
    values = evaluate(expression, cells)
    exact = lambdify(CELLS, expression.as_numer_denom(), "math")
    for row, value in zip(cells.T.tolist(), values.tolist(), strict=True):
        numerator, denominator = exact(*map(Fraction, row))
        if denominator:
            wanted = Fraction(numerator) / denominator
            assert_near(value, float(mpmath.mpf(wanted.numerator) / wanted.denominator), row)


def test_numbers_of_all_kinds_are_counts() -> None:
    f1 = sm.metrics["f1"]
    for one, two in ((True, 2), (Fraction(1), Decimal(2)), (np.int8(1), np.uint64(2)), (1.0, Rational(2))):
        assert f1.from_counts(one, two, 1, 5) == 0.4
    assert f1.from_counts(0.1, Fraction(1, 10), 0.1, 5) == pytest.approx(0.5, abs=1e-15)
    # A zero with a sign is a zero. A pole has the sign that it has where the cell becomes small.
    tp, fp = np.array([1.0, 1.0, 0.0]), np.array([-0.0, 0.0, -0.0])
    for formula, there in ((TP / FP, np.inf), (-TP / FP, -np.inf)):
        found = sm.Metric("mine", formula).from_counts(tp, 1.0, fp, 1.0)
        np.testing.assert_array_equal(found, [there, there, np.nan])
