"""Finding formulas: all distinct ones are looked at, and what is said to have a property has it."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from effort import in_one_test, is_thorough, some
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from recorded import holds
from sympy import Expr, Integer, Rational, cancel

import symmetrics as sm
from symmetrics.cli import main
from symmetrics.discovery import synthesis as asking
from symmetrics.discovery.formulas import LEAVES, RATES, Formulas, is_defined
from symmetrics.discovery.residues import (
    ADD,
    DIVIDE,
    MULTIPLY,
    PRIME,
    SIGNED_AT,
    SUBTRACT,
    Points,
    Seen,
    combined_reals,
    inverses,
)
from symmetrics.discovery.residues import product as modular_product
from symmetrics.discovery.synthesis import _is_affine
from symmetrics.discovery.theorems import laws
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, N, P, n
from symmetrics.tools.errors import InputError

PAGE = Path(__file__).resolve().parent.parent / "docs" / "new_metrics.md"
TEN = ("p1", "p2", "p3", "p4", "p5", "transpose", "monotone", "independence_value", "homogeneous", "actual_scaling")


# -- all distinct formulas ---------------------------------------------------------------------------------------------


def _by_algebra(leaves: tuple[Expr, ...], size: int) -> list[set[Expr]]:
    """Return the distinct formulas of each size, told apart by their normal forms instead of by values."""
    layers: list[set[Expr]] = [{cancel(leaf) for leaf in leaves}]
    tables = [dict(zip(CELLS, table, strict=True)) for table in SIGNED_AT]
    signs_of = cache(lambda divisor: {np.sign(float(divisor.subs(table))) for table in tables})
    for total in range(2, size + 1):
        made: set[Expr] = set()
        for left in range(1, total):
            for x, y in product(layers[left - 1], layers[total - left - 1]):
                made |= {cancel(x + y), cancel(x - y), cancel(x * y)}
                if signs_of(y) in ({1.0}, {-1.0}):
                    made.add(cancel(x / y))
        layers.append(made - set().union(*layers))
    return layers


@pytest.mark.parametrize(
    ("leaves", "size"),
    [
        ((TP, FN), 3),
        pytest.param((TP, P, Integer(1)), 3, marks=pytest.mark.thorough),
        pytest.param((TP / P, FP / N), 3, marks=pytest.mark.thorough),
        ((TP, FN, FP, TN), 2),
        ((TP - 2 * FN, Integer(3), TP**2 / (P * N) - 1), 2),
    ],
)
def test_the_formulas_of_each_size_are_those_that_algebra_tells_apart(leaves: tuple[Expr, ...], size: int) -> None:
    formulas = Formulas({}, leaves)
    found: list[set[Expr]] = [set() for _ in range(size)]
    for block in formulas.blocks(size):
        shown = [cancel(formulas.expr(block, row)) for row in range(len(block.bits))]
        assert len({*shown}) == len(shown)
        found[block.size - 1] |= {*shown}
    expected = _by_algebra(leaves, size)
    assert found == [{expr for expr in layer if expr.free_symbols} for layer in expected]
    assert len(formulas) == sum(map(len, expected))


def test_leaves_have_their_values_at_tables_of_fractions() -> None:
    leaves = (TP / FN, TP * (1000 - TN) + 3, (TP / 3 + 1) / (FN**2 + TP * FP + 5), Integer(7))
    points = Points({"increasing_tp": laws()["increasing_tp"]})
    tables = [[Rational(cell.numerator, cell.denominator) for cell in table] for table in points._tables]
    assert any(not cell.is_Integer for table in tables for cell in table)
    residues, (values, errors) = points.leaves(leaves)
    for row, table in enumerate(tables):
        place = dict(zip(CELLS, table, strict=True))
        for value, error, leaf in zip(values[row], errors[row], leaves, strict=True):
            assert abs(Rational(value) - leaf.xreplace(place)) <= Rational(error)
    for row, point in enumerate(points._points):
        place = dict(zip(CELLS, (Rational(cell.numerator, cell.denominator) for cell in point), strict=True))
        expected = [leaf.xreplace(place) for leaf in leaves]
        assert residues[row].tolist() == [int(e.p) * pow(int(e.q), -1, PRIME) % PRIME for e in expected]


def test_a_formula_may_have_just_the_properties_that_the_prover_does_not_refute() -> None:
    asked = {key: each for key, each in laws().items() if key != "no_imbalance_bias"}
    formulas = Formulas(asked, (*LEAVES, *RATES[:-1]))
    rows = [(block, row) for block in formulas.blocks(2) for row in range(len(block.bits))]
    for block, row in some(rows, 1, "formulas"):
        expr, bits = formulas.expr(block, row), int(block.bits[row])
        if not is_defined(expr):
            continue
        for place, key in enumerate(formulas.names):
            verdict, may = sm.prove(expr, key), bool(bits >> place & 1)
            if key in formulas.equal or verdict.status == "proved":
                assert verdict.holds is may, (expr, key)


def test_what_differs_by_more_than_rounding_falls_and_what_agrees_does_not_rise() -> None:
    keys = ("increasing_tp", "increasing_tn", "decreasing_fp")
    formulas = Formulas({key: laws()[key] for key in keys}, (TP - TN, TP, TN - 10**15 * FN))
    (block, *_) = formulas.blocks(1)
    may = {
        str(formulas.expr(block, row)): {key for place, key in enumerate(formulas.names) if bits >> place & 1}
        for row, bits in enumerate(block.bits.tolist())
    }
    assert may == {
        "-TN + TP": {"increasing_tp"},
        "TP": {"increasing_tp"},
        "-1000000000000000*FN + TN": {"increasing_tn"},
    }


def test_arithmetic_in_the_field_is_that_of_whole_numbers() -> None:
    values = np.array([0, 1, 2, 3, PRIME // 2, PRIME - 2, PRIME - 1], dtype=np.uint64)
    x, y = (grid.ravel() for grid in np.meshgrid(values, values))
    assert modular_product(x, y).tolist() == [int(a) * int(b) % PRIME for a, b in zip(x, y, strict=True)]
    assert inverses(values).tolist() == [pow(int(v), -1, PRIME) if v else 0 for v in values]


NUMBERS = st.fractions(min_value=-(10**9), max_value=10**9, max_denominator=10**6)


@given(
    st.lists(st.tuples(st.sampled_from([ADD, SUBTRACT, MULTIPLY, DIVIDE]), NUMBERS), min_size=1, max_size=6), NUMBERS
)
def test_a_value_is_not_farther_from_the_exact_one_than_its_bound(
    steps: list[tuple[int, Fraction]], start: Fraction
) -> None:
    exact, reals = start, _enclosed(start)
    for operator, number in steps:
        if operator == DIVIDE and number == 0:
            continue
        reals = combined_reals(operator, reals, _enclosed(number))
        exact = exact / number if operator == DIVIDE else (exact + number, exact - number, exact * number)[operator]
        value, error = reals.ravel().tolist()
        assert math.isinf(error) or abs(Fraction(value) - exact) <= Fraction(error)


def _enclosed(number: Fraction) -> NDArray[np.float64]:
    return np.array([[[float(number)]], [[float(abs(Fraction(float(number)) - number)) * (1 + 1e-15)]]])


def test_each_number_is_new_once() -> None:
    generator, seen, known = np.random.default_rng(3), Seen(), set[int]()
    for _ in range(60):
        keys = generator.integers(0, 900, size=generator.integers(1, 60)).astype(np.uint64)
        expected = [k for k, key in enumerate(keys.tolist()) if key not in known and key not in keys[:k].tolist()]
        assert seen.new(keys).tolist() == expected
        known |= {*keys.tolist()}
        assert len(seen) == len(known)


# -- asking ------------------------------------------------------------------------------------------------------------


def test_what_is_not_defined_everywhere_is_not_found() -> None:
    assert sm.prove("1/(TP - 1000*FN)", "p2").status == "proved"
    assert sm.synthesise(require=["p2"], over=["1/(TP - 1000*FN)"], size=1).metrics == ()


def test_what_cannot_be_decided_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts = {"p2": SimpleNamespace(status="proved", holds=True), "range": SimpleNamespace(status="open", holds=None)}
    monkeypatch.setattr(asking, "prove", lambda metric, key, seconds: verdicts[key])
    found = sm.synthesise(require=["p2", "range"], over=[TP], size=1)
    assert (found.metrics, found.undecided) == ((), (TP,))
    assert "1 formula could not be decided" in str(found)


def test_a_forbidden_direction_is_left_to_the_prover(monkeypatch: pytest.MonkeyPatch) -> None:
    if not is_thorough():  # a leaf is among the formulas of two leaves, too; what is remembered is those of four
        monkeypatch.setattr(asking, "MOST_LEAVES", 2)
        monkeypatch.setattr(asking, "guesses", asking.guesses.__wrapped__)
    assert any(metric.expr == TN for metric in asking._of_formulas(["p4"], ["increasing_tn"]))


def test_informedness_is_found_from_its_properties_alone() -> None:
    found = sm.synthesise(require=["actual_scaling", "p1", "monotone"])
    assert cancel(found.metrics[0].expr - sm.metrics["informedness"].expr) == 0


def test_jaccard_is_among_the_simplest_that_ignore_true_negatives() -> None:
    asked = ["p2", "transpose", "monotone", "homogeneous"]
    found = sm.synthesise(require=asked, over=LEAVES, most=4)
    assert any(cancel(metric.expr - sm.metrics["jaccard"].expr) == 0 for metric in found.metrics)
    assert all(sm.prove(metric, key).status == "proved" for metric in found.metrics for key in asked)


def test_what_is_forbidden_is_refuted() -> None:
    (metric,) = sm.synthesise(require=["p1", "homogeneous"], forbid=["transpose"], size=3).metrics
    assert [sm.prove(metric, key).status for key in ("p1", "homogeneous", "transpose")] == [
        "proved",
        "proved",
        "refuted",
    ]


def test_an_end_without_a_formula_says_how_many_were_looked_at() -> None:
    found = sm.synthesise(require=["p1"], over=[TP], size=3)
    assert not found.metrics
    assert str(found) == f"None of {found.looked_at} distinct formulas of up to 3 leaves was found to be so."
    assert found.looked_at == len(set().union(*_by_algebra((TP,), 3)))


@pytest.mark.parametrize(
    ("leaf", "property"),
    [
        ("1000000000000*TN + TP", "increasing_tp"),
        ("10**40*TN + TP", "increasing_tp"),
        ("TN - FP/10**25", "decreasing_fp"),
    ],
)
def test_a_small_rise_beside_large_numbers_is_found(leaf: str, property: str) -> None:
    (metric,) = sm.synthesise(require=[property], over=[leaf], size=1).metrics
    assert sm.prove(metric, property).status == "proved"


def test_what_falls_far_away_alone_is_found_where_rising_is_forbidden() -> None:
    (metric,) = sm.synthesise(require=["p4"], forbid=["increasing_tn"], over=["TN*(10**6 - TN)"], size=1).metrics
    assert sm.prove(metric, "increasing_tn").status == "refuted"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("require", [["p1"], ["increasing_tp"], ["monotone", "homogeneous"], ["strongly_monotone"]])
@pytest.mark.parametrize("forbid", [[], ["transpose"], ["increasing_tn"]])
def test_no_formula_is_passed_over(require: list[str], forbid: list[str]) -> None:
    leaves = (TP, FN, TN, n)
    if set(require) & set(forbid) or (require, forbid) == (["strongly_monotone"], ["increasing_tn"]):
        return
    found = sm.synthesise(require=require, forbid=forbid, over=leaves, size=2, most=500)
    formulas = Formulas({}, leaves)
    made = [formulas.expr(block, row) for block in formulas.blocks(2) for row in range(len(block.bits))]

    @cache
    def is_so(expr: Expr) -> bool:
        return (
            is_defined(expr)
            and all(sm.prove(expr, key).status == "proved" for key in require)
            and all(sm.prove(expr, key).status == "refuted" for key in forbid)
        )

    assert not found.undecided
    assert {metric.expr for metric in found.metrics} <= {*made}
    assert all(is_so(metric.expr) for metric in some(found.metrics, 6, f"found {require}"))
    for expr in some(made, 12, f"made {require} {forbid}"):
        assert not is_so(expr) or any(_is_affine(expr, metric.expr) for metric in found.metrics), expr


def test_how_many_are_looked_at_does_not_depend_on_the_order_of_names() -> None:
    asked, leaves = ["transpose", "monotone", "p2"], (TP, FN, FP, P)
    one, other = (sm.synthesise(require=keys, over=leaves) for keys in (asked, asked[::-1]))
    assert (one.looked_at, one.metrics[0].expr) == (other.looked_at, other.metrics[0].expr)


def test_a_leaf_that_the_field_takes_for_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="multiple of 2147483647"):
        sm.synthesise(require=["p1"], over=[f"TP + {PRIME}*FN"])


def test_what_is_impossible_is_not_searched() -> None:
    found = sm.synthesise(require=["p2", "increasing_tn"], size=5)
    assert (found.looked_at, found.theorems != ()) == (0, True)


@in_one_test
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"require": []}, "no property is asked for"),
        ({"require": ["p1"], "forbid": ["p1"]}, "both required and forbidden"),
        ({"require": ["p1"], "size": 6}, "from 1 to 5"),
        ({"require": ["p1"], "size": "x"}, "from 1 to 5"),
        ({"require": ["p1"], "most": 0}, "pass 1 or more"),
        ({"require": ["p1"], "over": ["fbeta"]}, "cannot be a leaf"),
        ({"require": ["p1"], "over": []}, "no leaves are given"),
        ({"require": ["p1"], "over": [sm.parse_formula("sqrt(TP)")]}, "cannot be a leaf"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        sm.synthesise(**arguments)  # type: ignore[arg-type]


def test_the_command_finds_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["synthesise", "actual_scaling=yes", "p1=yes", "monotone=yes"]) == 0
    told = capsys.readouterr().out.strip()
    assert told == str(sm.synthesise(require=["actual_scaling", "p1", "monotone"]))


# -- the page of new metrics -------------------------------------------------------------------------------------------


def test_each_new_metric_has_just_the_properties_that_its_page_says_and_no_metric_of_the_library_has_these() -> None:
    rows = re.findall(r"^\| `(.+)` \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) >= 3
    for formula, properties in some(rows, 2, "new metrics"):
        has = properties.split(", ")
        assert {key: sm.prove(formula, key).holds for key in TEN} == {key: key in has for key in TEN}, formula
        invariances = [key for key in TEN if key != "monotone"]
        for name in sm.metrics:
            assert any(holds(name, key) is (key not in has) for key in invariances), (formula, name)


# -- a search without an end, which empties all caches -----------------------------------------------------------------


@pytest.mark.spending
def test_a_search_that_is_cut_off_says_so() -> None:
    found = sm.synthesise(require=["p2", "scaling_space"], forbid=["homogeneous"], size=5, most=10**6, seconds=0.2)
    assert "not everything was looked at" in found.remark
    assert found.remark in str(found)
