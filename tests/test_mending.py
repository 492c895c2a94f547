"""Mending: variants of a formula that have what it lacks; roots and parts of the formulas that are sought."""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import is_thorough
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sympy import Expr, Max, Min, lambdify, sqrt

import symmetrics as sm
from symmetrics import Metric, Parameter, mend, metrics, prove
from symmetrics.cli import main
from symmetrics.discovery import mending, synthesis
from symmetrics.discovery.formulas import Formulas
from symmetrics.discovery.mending import edits_of
from symmetrics.discovery.mendings import Mending, Variant
from symmetrics.discovery.residues import LARGER, PRIME, ROOT, SIGNED_AT, SMALLER, combined_reals, is_square, roots
from symmetrics.discovery.residues import product as modular_product
from symmetrics.discovery.synthesis import is_so
from symmetrics.language.cells import CELLS, FN, FP, OP, TN, TP, P
from symmetrics.pages.displays import shown as displayed
from symmetrics.query.relations import relate
from symmetrics.tools.errors import BudgetError, InputError, UnknownNameError


@pytest.fixture
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare in a few properties, in a run that does not look at everything."""
    if not is_thorough():
        monkeypatch.setattr(mending, "COMPARED", ("p1", "p2", "p3", "transpose"))
        monkeypatch.setattr(mending, "MOST", 4)


def _require_true(mended: Mending) -> None:
    """What is said of every variant is what the ordinary prover says."""
    assert len(mended)
    for variant in mended:
        assert all(prove(variant.metric, key).status == "proved" for key in mended.wanted)
        for key in (*variant.loses, *variant.gains):
            before, after = prove(mended.formula, key).holds, prove(variant.metric, key).holds
            assert (before, after) == ((True, False) if key in variant.loses else (False, True))


@pytest.mark.usefixtures("briefly")
def test_a_metric_of_one_class_is_mended_by_its_mean_over_both() -> None:
    mended = mend("recall", "p1", progress=False)
    _require_true(mended)
    assert {equation for variant in mended for equation in variant.equals} >= {
        "M = gmean",
        "M = auc_single",
        "M = harmonic_class_accuracy",
    }
    assert all({"p2", "p3"} <= set(variant.loses) for variant in mended)


@pytest.mark.thorough
def test_a_parameter_is_set_to_what_the_property_asks_for() -> None:
    w = Parameter("w", 0, 1, default="3/4")
    mine = Metric("mine", TP / (TP + w * FN + (1 - w) * FP), (w,))
    nearest = mend(mine, "transpose", progress=False)[0]
    assert (nearest.kind, nearest.how, nearest.distance) == ("parameters", "w = 1/2", 0)
    assert nearest.loses == ()
    assert relate(nearest.metric, metrics["f1"], "equal").status == "proved"


@pytest.mark.usefixtures("briefly")
def test_what_was_asked_for_is_gained_where_the_formula_has_it_at_some_values_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not is_thorough():
        monkeypatch.setattr(mending, "COMPARED", ("p1", "p2"))
        monkeypatch.setattr(mending, "MOST", 2)
    weighed = Metric("weighed", TP / (TP + Parameter("w", 0, 1) * FN), (Parameter("w", 0, 1),))
    mended = mend(weighed, "p1", progress=False)
    assert len(mended)
    assert all("p1" in variant.gains and "p1" not in variant.undecided for variant in mended)


@pytest.mark.thorough
def test_a_weight_is_solved_for() -> None:
    mine = Metric("mine", TP / (TP + 7 * FN / 10 + 3 * FP / 10))
    mended = mend(mine, "transpose", progress=False)
    found = {variant.how: variant.metric.expr for variant in mended}
    assert found["7/10 replaced by a weight, weight = 3/10"] == TP / (TP + 3 * FN / 10 + 3 * FP / 10)


@pytest.mark.thorough
def test_a_limit_forgets_a_cell() -> None:
    mended = mend(Metric("mine", TP / (TP + FN) + TP / (TP + FN + FP + TN)), "p2", progress=False)
    assert {variant.how: variant.equals for variant in mended}["in the limit FP -> oo"] == ("M = tpr",)


@pytest.mark.thorough
def test_two_properties_are_asked_for_at_once() -> None:
    mended = mend("precision", "p1", "actual_scaling", progress=False)
    _require_true(mended)
    assert mended.wanted == ("p1", "actual_scaling")


@pytest.mark.spending
def test_what_is_there_is_not_mended_and_time_that_runs_out_is_told() -> None:
    assert mend("mcc", "p1").remark == "it has what is asked for"
    assert len(mend("mcc", "p1")) == 0
    assert "not everything was looked at" in mend("recall", "p1", seconds=0.001, progress=False).remark


def test_what_time_did_not_suffice_for_is_not_what_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under "with p1", variants were said to gain nothing, and p1 not to be known of them."""

    def late(*_: object) -> Variant:
        raise BudgetError("not decided within 9 s")

    monkeypatch.setattr(mending, "_described", late)
    monkeypatch.setattr(mending, "MOST", 2)
    mended = mend("recall", "p1", progress=False)
    assert "not everything was looked at" in mended.remark
    assert [variant.gains for variant in mended] == [("p1",)] * 2
    assert all(set(variant.undecided) == set(mending.COMPARED) - {"p1"} for variant in mended)
    assert "gains p1 (not known: p2, p3" in str(mended)


def test_bad_questions_are_answered_by_what_to_do() -> None:
    with pytest.raises(InputError, match="name the property"):
        mend("recall")
    with pytest.raises(UnknownNameError, match="p11"):
        mend("recall", "p11")


def test_an_edit_changes_one_place() -> None:
    found = [edit.formula for edit in edits_of(TP / (TP + FN))]
    assert {TP / (TP + FP), TN / (TN + FN), TP, 1 / (TP + FN), FP / (TP + FN), TP / (FP + TN)} <= set(found)
    assert TP / (TP + FN) not in found
    assert len(set(found)) == len(found)
    # Two places differ.
    assert TN / (TN + FP) not in found


def test_the_command_line_lists_variants(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mend", "TP/(TP + w*FN)", "p2=yes", "p3", "--param", "w in [0,1]", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["wanted"] == ["p2", "p3"]
    assert found["remark"] == "it has what is asked for"
    assert main(["mend", "recall", "p1=no"]) == 2
    assert "write it as p1=yes" in capsys.readouterr().err


def test_a_table_shows_every_variant_in_text_and_in_html() -> None:
    variant = Variant(
        metrics["gmean"], "symmetrised <over> p1", "construction", 1, ("p2",), (), ("range",), ("M = gmean",)
    )
    mended = Mending(metrics["recall"], ("p1",), (variant,), "time ran out")
    for text in ("symmetrised", "p2", "range", "gmean", "time ran out"):
        assert text in repr(mended)
        assert text in displayed(mended)
    assert "<over>" not in displayed(mended)
    none, few = "no variant near it was found", Mending(metrics["recall"], ("p1",), (variant,), "", 3)
    assert none in repr(Mending(metrics["recall"], ("p1",), (), ""))
    assert none not in repr(few)
    assert none not in repr(Mending(metrics["recall"], ("p1",), (), "time ran out"))
    assert "3 more were found" in repr(few)
    assert "1 more was found" in repr(Mending(metrics["recall"], ("p1",), (variant,), "", 1))
    assert "more were found" not in repr(mended)


# Formulas with roots, minima and maxima: all distinct ones are looked at, and a search with them is resumed.

RANDOM = np.random.default_rng(7)
TABLES = [*SIGNED_AT, *(10 ** RANDOM.uniform(-1, 4, (60, 4))), *(10 ** RANDOM.uniform(-3, 1, (60, 4)))]


def _key(values: NDArray[np.float64]) -> tuple[str, ...]:
    return tuple(map("{:.8g}".format, (values + 0.0).tolist()))


def _by_values(leaves: tuple[Expr, ...], size: int, operations: tuple[str, ...]) -> dict[tuple[str, ...], int]:
    """Return the distinct formulas, told apart at many tables of numbers, each with its size."""
    columns = np.array(TABLES, dtype=float).T
    first = [np.broadcast_to(lambdify(CELLS, leaf, "numpy")(*columns), len(TABLES)).astype(float) for leaf in leaves]
    met = {_key(values): 1 for values in first}
    layers = [[(values, True) for values in first]]
    act = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "min": np.minimum, "max": np.maximum}
    for total in range(2, size + 1):
        made = []
        if "sqrt" in operations:
            made += [(np.sqrt(x), True) for x, root in layers[-1] if root and np.all(x[: len(SIGNED_AT)] > 0)]
        for left, name in product(range(1, total), [name for name in operations if name != "sqrt"]):
            for (x, a), (y, b) in product(layers[left - 1], layers[total - left - 1]):
                if name != "/" or (len({*np.sign(y[: len(SIGNED_AT)])} - {0.0}) == 1 and np.all(y != 0)):
                    made.append((act[name](x, y), a and b and name in "*/"))
        layers.append([])
        for values, root in made:
            if _key(values) not in met:
                met[_key(values)] = total
                layers[-1].append((values, root))
    return met


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("leaves", "size", "operations"),
    [
        ((TP, FN), 3, ("+", "*", "/", "sqrt")),
        ((TP, P, OP), 3, ("*", "/", "sqrt")),
        ((TP, FN), 5 if is_thorough() else 4, ("*", "/", "sqrt")),
        ((TP, FN, FP), 3, ("+", "min", "max")),
        ((TP, FN, FP, TN), 4, ("min", "max")),
        ((TP, P, OP), 3, ("-", "/", "max")),
        ((TP, P), 4 if is_thorough() else 3, ("+", "/", "min", "sqrt")),
    ],
)
def test_the_formulas_are_those_that_many_tables_tell_apart(
    leaves: tuple[Expr, ...], size: int, operations: tuple[str, ...]
) -> None:
    formulas, found = Formulas({}, leaves, operations=operations), dict[tuple[str, ...], int]()
    columns = np.array(TABLES, dtype=float).T
    met = [(formulas.expr(block, row), block.size) for block in formulas.blocks(size) for row in range(len(block.bits))]
    together = lambdify(CELLS, [expr for expr, _ in met], "numpy")(*columns)
    for (expr, leaves_of_it), values in zip(met, together, strict=True):
        key = _key(np.broadcast_to(values, len(TABLES)))
        assert key not in found, expr
        found[key] = leaves_of_it
    expected = _by_values(leaves, size, operations)
    assert found == {key: leaves for key, leaves in expected.items() if len({*key}) > 1}
    assert len(formulas) == len(expected)


@given(st.lists(st.integers(1, PRIME - 1), min_size=1, max_size=5))
def test_roots_in_the_field_are_squares_and_those_of_products_are_products(numbers: list[int]) -> None:
    squares = np.array([number * number % PRIME for number in numbers], dtype=np.uint64)
    found = roots(squares)
    assert np.array_equal(modular_product(found, found), squares)
    assert all(map(is_square, found.tolist()))
    both = modular_product(squares, squares[:1])
    assert np.array_equal(roots(both), modular_product(found, found[:1]))


NUMBERS = st.fractions(min_value=-(10**9), max_value=10**9, max_denominator=10**6)


@example(ROOT, Fraction(2), Fraction(0), 1.9, 0.0)
@given(st.sampled_from([SMALLER, LARGER, ROOT]), NUMBERS, NUMBERS, st.floats(0, 1e3), st.floats(0, 1e3))
def test_minima_and_roots_are_not_farther_from_the_exact_ones_than_their_bounds(
    operator: int, first: Fraction, second: Fraction, near: float, far: float
) -> None:
    reals = [
        np.array([[[float(value)]], [[error + float(abs(Fraction(float(value)) - value)) * (1 + 1e-15)]]])
        for value, error in ((first, near), (second, far))
    ]
    value, error = combined_reals(operator, *reals).ravel().tolist()
    if math.isinf(error):
        return
    # The exact values may be anywhere within the bounds: the ends are tried.
    for shift in (-1, 0, 1):
        x, y = (Fraction(r[0].item()) + shift * Fraction(r[1].item()) for r in reals)
        if operator == ROOT:
            low, high = max(Fraction(value) - Fraction(error), Fraction(0)), Fraction(value) + Fraction(error)
            assert low * low <= x <= high * high
        else:
            assert abs((min if operator == SMALLER else max)(x, y) - Fraction(value)) <= Fraction(error)


@pytest.mark.thorough
def test_known_metrics_are_found_from_their_properties() -> None:
    least = ["min"] if is_thorough() else []
    found = sm.synthesise(
        require=["homogeneous", "transpose", "p2", "range"],
        over=["TP", "P", "OP"],
        operations=["*", "/", "sqrt", "max", *least],
        size=4,
        most=3 + len(least),
    )
    exprs = [metric.expr for metric in found.metrics]
    assert {TP / Max(P, OP), TP**2 / (P * OP), *(TP / Min(P, OP) for _ in least)} <= {*exprs}
    assert any((expr**2 - TP**2 / (P * OP)).equals(0) for expr in exprs if not expr.is_rational_function(*CELLS))
    for metric in found.metrics:
        assert sm.prove(metric, "transpose").status == "proved"


def test_an_affine_function_of_what_was_found_is_left_out_with_minima_too() -> None:
    found = sm.synthesise(require=["p1"], over=["TP", "TN"], operations=["+", "min"], size=4, most=2)
    assert [metric.expr for metric in found.metrics] == [TP + TN, Min(TP, TN)]


def test_a_search_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, asked = tmp_path / "refused.txt", list[Expr]()

    def recorded(metric: sm.Metric, *args: Any) -> bool | None:
        asked.append(metric.expr)
        return is_so(metric, *args)

    monkeypatch.setattr(synthesis, "is_so", recorded)
    question: dict[str, Any] = {
        "require": ["p2", "range", "transpose"],
        "over": ["TP", "P", "OP"],
        "operations": ["/", "min"],
    }
    first = sm.synthesise(**question, resume=file)
    before = [*asked]
    assert len(before) > 2
    asked.clear()
    again = sm.synthesise(**question, resume=file)
    assert again.metrics == first.metrics
    assert asked == before[-1:]
    whole = file.read_text()
    file.write_text(whole[:-4])  # the last line was not finished
    asked.clear()
    assert sm.synthesise(**question, resume=file).metrics == first.metrics
    assert asked == before[-2:]


def test_a_file_of_another_search_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "refused.txt"
    words = ["--over", "TP,P,OP", "--operations", "/,max", "--resume", str(file)]
    assert main(["synthesise", "p2=yes", "transpose=yes", "range=yes", *words]) == 0
    assert "Max(FN + TP, FP + TP)" in capsys.readouterr().out
    assert main(["synthesise", "p2=yes", *words]) == 2
    assert "is no file of a search for" in capsys.readouterr().err
    with pytest.raises(InputError, match="no folder"):
        sm.synthesise(require=["p2"], resume=tmp_path / "none" / "file.txt")
    file.write_bytes(b"")
    with pytest.raises(InputError, match="no file of a search"):
        sm.synthesise(require=["p2"], resume=file)


@pytest.mark.parametrize("operations", [[], ["+", "log"], "hm"])
def test_operations_are_some_of_seven(operations: Any) -> None:
    with pytest.raises(InputError, match=re.escape("is to name some of +, -, *, /, min, max, sqrt")):
        sm.synthesise(require=["p2"], operations=operations)


def test_roots_are_of_what_is_seen_to_be_positive() -> None:
    formulas = Formulas({}, (TP - FN, TP + FN), operations=("sqrt",))
    found = [formulas.expr(block, row) for block in formulas.blocks(2) for row in range(len(block.bits))]
    assert found == [TP - FN, TP + FN, sqrt(P)]
