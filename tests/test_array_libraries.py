"""Counts in arrays of other libraries than NumPy, and on accelerators: the same values, as arrays of the same kind.

array-api-strict stands for all libraries, and for accelerators too: it allows what the standard does and nothing else.
PyTorch, JAX and CuPy are tried where they are installed, and their accelerators where there are some.
"""

from __future__ import annotations

import doctest
import importlib.util
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import is_thorough

import symmetrics as sm
from symmetrics.data import factorise as foreign
from symmetrics.numeric import devices
from symmetrics.tools.errors import InputError

LIBRARIES = [name for name in ("array_api_strict", "torch", "jax", "cupy") if importlib.util.find_spec(name)]
Make = Callable[[Any], Any]
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # array-api-strict computes by NumPy, which warns


@pytest.fixture(
    params=[
        # JAX compiles each operation for each shape, which takes seconds.
        pytest.param(name, marks=[pytest.mark.thorough] if name == "jax" else [])
        for name in LIBRARIES
    ]
)
def make(request: pytest.FixtureRequest) -> Make:
    """Return what makes arrays of a library, on its accelerator if there is one."""
    library = pytest.importorskip(request.param)
    if request.param == "jax":
        library.config.update("jax_enable_x64", True)
        return library.numpy.asarray  # type: ignore[no-any-return]
    if request.param == "torch" and library.cuda.is_available():
        return lambda values: library.asarray(values, device="cuda")
    return library.asarray  # type: ignore[no-any-return]


@pytest.fixture
def far(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have all arrays taken for such as NumPy cannot read where they lie."""
    monkeypatch.setattr(devices, "is_on_processor", lambda array, name: False)


def hostile(size: int) -> list[np.ndarray[Any, Any]]:
    """Return tables of counts: with zeros, small, huge, tiny, fractional, and ordinary ones."""
    random = np.random.default_rng(7)
    cells = np.floor(10 ** random.uniform(0, 5, (4, size)))
    cells[:, : size // 2][random.random((4, size // 2)) < 0.2] = 0
    fifth = size // 20
    cells[:, :fifth] = random.integers(0, 3, (4, fifth))
    cells[:, fifth : fifth + 9] *= 1e200
    cells[:, fifth + 9 : fifth + 18] *= 1e-300
    cells[:, 2 * fifth : 3 * fifth] = random.random((4, fifth))
    return list(cells)


def differs(found: Any, expected: np.ndarray[Any, Any]) -> bool:
    values, finite = foreign.on_host(found, "found"), np.isfinite(expected)
    beside = np.abs(values[finite] - expected[finite]) > 1e-12 * np.maximum(1, np.abs(expected[finite]))
    return bool(beside.any()) or not np.array_equal(values[~finite], expected[~finite], equal_nan=True)


@pytest.mark.usefixtures("far")
def test_an_accelerator_gives_the_values_that_numpy_gives(make: Make) -> None:
    cells = hostile(1000 if is_thorough() else 300)
    there = [make(cell) for cell in cells]
    chosen = list(sm.metrics) if is_thorough() else [*list(sm.metrics)[::27], "mcc", "log_odds_ratio", "f_beta"]
    for name in chosen:
        expected, found = sm.metrics[name].from_counts(*cells), sm.metrics[name].from_counts(*there)
        assert type(found) is type(there[0]), name
        assert not differs(found, np.asarray(expected)), name


@pytest.mark.usefixtures("far")
def test_a_panel_on_an_accelerator_gives_the_values_that_numpy_gives(make: Make) -> None:
    cells = hostile(400)
    panel = sm.Panel("all" if is_thorough() else ["f1", "mcc", "precision", "log_odds_ratio", "tpr", "auc_single"])
    expected, found = panel.from_counts(*cells), panel.from_counts(*map(make, cells))
    assert list(found) == list(panel)
    assert not [name for name in panel if differs(found[name], expected[name])]


@pytest.mark.usefixtures("far")
def test_tables_are_computed_in_parts(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = hostile(300)
    monkeypatch.setattr(devices, "_SLAB", 128)
    monkeypatch.setattr(devices, "_FIRST", 3)
    for name in ("mcc", "precision", "log_odds_ratio"):
        metric = sm.metrics[name]
        assert not differs(metric.from_counts(*map(make, cells)), np.asarray(metric.from_counts(*cells)))


@pytest.mark.usefixtures("far")
def test_few_tables_of_an_accelerator_come_to_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    import array_api_strict

    seen: list[int] = []

    def counted(*given: Any, **settings: Any) -> Any:
        seen.append(given[1][0].size)
        return evaluate(*given, **settings)

    evaluate = devices.evaluate
    monkeypatch.setattr(devices, "evaluate", counted)
    monkeypatch.setattr(devices, "_FIRST", 10)
    random = np.random.default_rng(0)
    ordinary = random.integers(1, 1000, (4, 500)).astype(np.float64)
    sm.metrics["mcc"].from_counts(*map(array_api_strict.asarray, ordinary))
    assert seen == []
    ordinary[:2] = 0  # 0/0, which a few tables tell
    mine = sm.Metric("mine", "TP/(TP + 11*FN)")
    values = mine.from_counts(*map(array_api_strict.asarray, ordinary), zero_division=7)
    assert seen == [10]
    assert (foreign.on_host(values, "values") == 7).all()


@pytest.mark.usefixtures("far")
def test_values_never_share_the_memory_of_counts() -> None:
    import array_api_strict

    counts = [array_api_strict.asarray([1.0, 2.0]) for _ in range(4)]
    formulas = {"one": "TP", "same": "TP + 0*FN", "number": "3 + 0*TP", "sum": "TP + FN", "same_sum": "FN + TP"}
    found = sm.Panel([sm.Metric(name, text) for name, text in formulas.items()]).from_counts(*counts)
    for array in found.values():
        array += 10
    assert counts[0][0] == 1
    assert [float(array[0]) for array in found.values()] == [11, 11, 13, 12, 12]


EXACT: dict[str, Callable[..., Fraction]] = {
    "TP*TN - FN*FP": lambda tp, fn, fp, tn: tp * tn - fn * fp,
    "FN/(TP*TN)": lambda tp, fn, fp, tn: fn / (tp * tn),
    "TP*FP*TN/FN": lambda tp, fn, fp, tn: tp * fp * tn / fn,
}
HARD = [
    (1234567.3, 1234567.3000001, 7654321.7, 7654321.7000003),  # loses half of the digits
    (1e155, 1e300, 1.0, 1e155),  # a product overflows
    (1e-110, 1e-320, 1e-110, 1e-110),  # a product underflows
    (3.0, 5.0, 7.0, 11.0),
]


@pytest.mark.usefixtures("far")
@pytest.mark.parametrize("text", EXACT)
def test_what_loses_digits_or_leaves_the_range_of_floats_is_right_all_the_same(make: Make, text: str) -> None:
    metric = sm.Metric("mine", text)
    for tables in (HARD, *([table] for table in HARD)):
        found = foreign.on_host(metric.from_counts(*map(make, np.array(tables).T)), "found")
        for table, value in zip(tables, found.tolist(), strict=True):
            exact = EXACT[text](*map(Fraction, table))
            assert value == np.inf if exact > 10**308 else abs(Fraction(value) - exact) <= 1e-12 * max(1, abs(exact))


@pytest.mark.usefixtures("far")
def test_rounding_leads_out_of_no_range(make: Make) -> None:
    first, second = (each.ravel() + 1.0 for each in np.indices((40, 40)))
    nothing = np.zeros(first.shape)
    for cells in ((first, nothing, nothing, second), (nothing, first, second, nothing)):
        found = foreign.on_host(sm.metrics["mcc"].from_counts(*map(make, cells)), "found")
        assert set(found.tolist()) == {1.0 if cells[0].any() else -1.0}


@pytest.mark.usefixtures("far")
def test_a_pole_with_two_sides_has_no_value(make: Make) -> None:
    values = sm.Metric("mine", "TP/(TP - FN)").from_counts(make(np.array([2.0, 3.0])), 2, 1, 1)
    assert foreign.on_host(values, "values").tolist() == pytest.approx([np.nan, 3], nan_ok=True)


def test_a_structured_array_is_one_of_numpy(make: Make) -> None:
    table = sm.Panel(["tpr", "tnr"]).from_counts(make(np.array([1.0, 2.0])), 1, 1, 3, kind="structured")
    assert isinstance(table, np.ndarray)
    assert table["tpr"].tolist() == [0.5, 2 / 3]


@pytest.mark.parametrize("is_far", [False, True])
def test_shapes_and_plain_numbers(make: Make, is_far: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if is_far:
        monkeypatch.setattr(devices, "is_on_processor", lambda array, name: False)
    metric = sm.metrics["precision"]
    tp = make(np.array([[8.0, 5.0], [0.0, 1.0]]))
    found = metric.from_counts(tp, 1, np.array([2.0, 15.0]), 3, zero_division=-1)
    assert type(found) is type(tp)
    assert foreign.on_host(found, "found").tolist() == [[0.8, 0.25], [0.0, 0.0625]]
    assert float(metric.from_counts(make(np.array(0)), 1, make(np.array(0)), 3, zero_division=-1)) == -1
    tables = make(np.array([[8, 2, 2, 88], [5, 5, 15, 75]]))
    assert foreign.on_host(metric.from_counts(tables), "found").tolist() == [0.8, 0.25]
    matrices = make(np.array([[[88, 2], [2, 8]]]))
    assert foreign.on_host(metric.from_counts(matrices), "found").tolist() == [0.8]
    assert metric.from_counts(make(np.ones(0)), 1, 1, 1).shape == (0,)


@pytest.mark.parametrize("is_far", [False, True])
def test_what_is_no_count_is_named(make: Make, is_far: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if is_far:
        monkeypatch.setattr(devices, "is_on_processor", lambda array, name: False)
    metric, fine = sm.metrics["mcc"], make(np.ones(2))
    for wrong, said in [
        ([1.0, -2.0], r"fn\[1\] is -2.0: a count cannot be negative"),
        ([np.nan, 1.0], r"fn\[0\] is nan: a count cannot be missing"),
        ([1.0, np.inf], r"fn\[1\] is inf: a count cannot be infinite"),
        ([1, 2**53 + 1], r"fn\[1\] is 9007199254740993, which float64 cannot hold exactly"),
    ]:
        with pytest.raises(InputError, match=said):
            metric.from_counts(fine, make(np.array(wrong)), fine, fine)
    with pytest.raises(InputError, match="do not broadcast"):
        metric.from_counts(fine, make(np.ones(3)), fine, fine)
    with pytest.raises(InputError, match=r"fn has the type .*complex"):
        metric.from_counts(fine, make(np.ones(2, dtype=np.complex128)), fine, fine)
    with pytest.raises(InputError, match="tn has the type <U1"):
        metric.from_counts(fine, fine, fine, "a")
    with pytest.raises(InputError, match="out takes"):
        metric.from_counts(fine, fine, fine, fine, out=np.empty(2))


def test_labels_and_scores_of_other_libraries_are_read(make: Make) -> None:
    true, predicted = make(np.array([0, 1, 1, 0])), make(np.array([0, 1, 0, 0]))
    assert sm.metrics["tpr"](true, predicted) == 0.5
    assert sm.metrics["tpr"](true, predicted, sample_weight=make(np.array([1.0, 3.0, 1.0, 1.0]))) == 0.75
    assert sm.roc_auc(true, make(np.array([0.1, 0.9, 0.8, 0.2]))) == 1
    assert sm.metrics["tpr"].from_confusion(make(np.array([[2, 0], [1, 1]]))) == 0.5


def test_the_page_on_arrays_says_what_happens() -> None:
    pytest.importorskip("torch")
    page = Path(__file__).resolve().parent.parent / "docs" / "arrays.md"
    results = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.attempted >= 4
    assert results.failed == 0


def test_an_accelerator_needs_the_library_of_the_standard(monkeypatch: pytest.MonkeyPatch) -> None:
    import array_api_strict

    monkeypatch.setattr(devices, "is_on_processor", lambda array, name: False)
    monkeypatch.setitem(sys.modules, "array_api_compat", None)
    with pytest.raises(InputError, match=r"pip install 'symmetrics\[arrays\]'"):
        sm.metrics["mcc"].from_counts(array_api_strict.ones(2), 1, 1, 1)


class Watched:
    """An array as PyTorch has it while it is watched for gradients."""

    requires_grad = True

    def __array_namespace__(self) -> None:
        raise AssertionError


class Traced:
    """An array as JAX has it within a function that is compiled: without values."""

    def __array_namespace__(self) -> None:
        raise AssertionError

    def __dlpack_device__(self) -> None:
        raise AttributeError


class Single:
    """A library whose numbers are all of single precision, as those of JAX before it is told otherwise."""

    float64 = np.dtype(np.float64)

    @staticmethod
    def asarray(values: Any) -> Any:
        return np.asarray(values, dtype=np.float32)


class OfSingle:
    """An array of that library."""

    def __array_namespace__(self) -> type[Single]:
        return Single

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __dlpack__(self, **settings: Any) -> Any:
        return np.ones(2, dtype=np.float32).__dlpack__(**settings)


def test_arrays_that_are_refused() -> None:
    # Arrays on two devices are refused.
    import array_api_strict

    there = array_api_strict.asarray([1.0], device=array_api_strict.Device("device1"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(devices, "is_on_processor", lambda array, name: False)
        with pytest.raises(InputError, match=r"lie on different devices, .*device1.*; bring them to one"):
            sm.metrics["mcc"].from_counts(there, array_api_strict.asarray([1.0]), 1, 1)
    # Tensors are known by their library and sparse arrays are none.
    tensor = type("Tensor", (), {"__module__": "torch"})
    sparse = type("Sparse", (), {"__array_namespace__": None, "todense": None})
    assert foreign.is_foreign(tensor())
    assert not foreign.is_foreign(sparse())
    # Arrays without values are refused.
    with pytest.raises(InputError, match=r"tp requires a gradient.*pass tp.detach"):
        sm.metrics["mcc"].from_counts(Watched(), 1, 1, 1)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="fn has no values yet"):
        sm.metrics["mcc"].from_counts(1, Traced(), 1, 1)  # type: ignore[arg-type]
    # A library without float64 is refused.
    with pytest.raises(InputError, match="jax_enable_x64"):
        sm.metrics["mcc"].from_counts(OfSingle(), 1, 1, 1)  # type: ignore[arg-type]
